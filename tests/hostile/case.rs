//! One program, or one pair of a submission and its judge: what its first lines say, and whether it comes true.
//!
//! `expect:` the verdict (`MLE or RTE` where chance decides), `reason:` a part of the reason, `within:` seconds that the
//! run may take at most, `then:` what becomes of the second test where that is neither the same nor AC (`nothing`: it is not
//! run); `limits:`, `compile:` and `validation:` set limits (`time=0.3 memory=64 output=1 processes=16`),
//! `toml:` is a line of `grader.toml`, `repeat:` runs each test so often, `answer:` replaces the answer `ok`, `unseen:` is
//! a text that appears in nothing that the grader says or keeps. `only: root user` names the layers it is for, and
//! `expect(none):` means that layer alone; so does any other word. Everything else in the comment is for people.
//!
//! A program is given two tests. The input of the first is `hostile`, the path of the workspace, the port of a listener
//! on 127.0.0.1 and the name of an abstract socket, a line each; that of the second begins with `next`, and asks for
//! nothing but `ok`, so that it shows what the first one spoilt.

use std::fmt::Write as _;
use std::fs;
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener};
use std::path::{Path, PathBuf};
use std::time::Duration;

use libtest_mimic::{Failed, Trial};
use walkdir::WalkDir;

use crate::hostile::layer::{Layer, tool_for};
use crate::hostile::workspace::{FinishedRun, Workspace};

/// What the reader of a report can bear, and what the events promise.
const LONGEST_MESSAGE: usize = 64 * 1024;

/// The tests of a directory of programs.
pub(crate) fn trials(programs: &Path) -> Vec<Trial> {
    let mut trials = Vec::new();
    for path in cases(programs) {
        let name = path.strip_prefix(programs).unwrap_or(&path).display().to_string();
        let files = if path.is_dir() { entries(&path) } else { vec![path.clone()] };
        let tools: Vec<&str> = files.iter().map(|file| tool_for(file)).collect();
        // What cannot be read fails in every layer, with the cause.
        for layer in layers_of(&path).unwrap_or(Layer::ALL.to_vec()) {
            let path = path.clone();
            trials.push(crate::hostile::trial(layer, &name, &tools, move || Case::read(&path, layer)?.check()));
        }
    }
    trials
}

/// Files, and directories with a `submission` in them.
fn cases(dir: &Path) -> Vec<PathBuf> {
    let is_more = |path: &PathBuf| path.is_dir() && part(path, "submission").is_none();
    let expand = |path: PathBuf| if is_more(&path) { cases(&path) } else { vec![path] };
    entries(dir).into_iter().flat_map(expand).collect()
}

/// What a directory holds, in the order of names.
pub(crate) fn entries(dir: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// The file of a pair that has this name, whatever its extension.
fn part(dir: &Path, stem: &str) -> Option<PathBuf> {
    entries(dir).into_iter().find(|path| path.file_stem().is_some_and(|found| found == stem))
}

/// Key, layers and value of the lines that say something.
fn header(path: &Path) -> Result<Vec<(String, Vec<Layer>, String)>, Failed> {
    let source = if path.is_dir() { part(path, "submission").ok_or("no submission")? } else { path.to_owned() };
    let source = fs::read_to_string(source)?;
    let comment = source.lines().map_while(|line| line.strip_prefix("//").or(line.strip_prefix('#')));
    let lines = comment.filter_map(|line| line.trim().split_once(": "));
    let parse = |(key, value): (&str, &str)| {
        let (key, layers) = match key.strip_suffix(')').and_then(|key| key.split_once('(')) {
            Some((key, layers)) => (key, Layer::list(layers)?),
            None => (key, Layer::ALL.to_vec()),
        };
        Ok((key.to_owned(), layers, value.to_owned()))
    };
    // Sentences may hold a colon too.
    lines.filter(|(key, _)| !key.contains(' ') || key.contains('(')).map(parse).collect()
}

fn layers_of(path: &Path) -> Result<Vec<Layer>, Failed> {
    let only = header(path)?.into_iter().find(|(key, _, _)| key == "only");
    only.map_or(Ok(Layer::USUAL.to_vec()), |(_, _, value)| Layer::list(&value))
}

/// A program and what is expected of it.
struct Case {
    layer: Layer,
    /// A file, or the directory of a pair.
    path: PathBuf,
    expect: String,
    then: Option<String>,
    reason: String,
    within: Duration,
    repeat: String,
    answer: String,
    unseen: Vec<String>,
    configuration: String,
}

impl Case {
    fn read(path: &Path, layer: Layer) -> Result<Self, Failed> {
        let mut case = Self {
            layer,
            path: path.to_owned(),
            expect: String::new(),
            then: None,
            reason: String::new(),
            within: Duration::from_secs(60),
            repeat: "1".to_owned(),
            answer: "ok".to_owned(),
            unseen: Vec::new(),
            configuration: String::new(),
        };
        // What is said of one layer stands after what is said of all.
        for (key, _, value) in header(path)?.into_iter().filter(|(_, layers, _)| layers.contains(&layer)) {
            match key.as_str() {
                "expect" => case.expect = value,
                "then" => case.then = Some(value),
                "reason" => case.reason = value,
                "within" => case.within = Duration::from_secs(value.parse()?),
                "repeat" => case.repeat = value,
                "answer" => case.answer = value,
                "unseen" => case.unseen.push(value),
                "limits" | "compile" | "validation" => case.configuration += &table(&key, &value)?,
                "toml" => writeln!(case.configuration, "{value}")?,
                _ => {}
            }
        }
        if case.expect.is_empty() { Err("no `expect:` in its first lines".into()) } else { Ok(case) }
    }

    fn workspace(&self, host: &Host) -> Result<Workspace, Failed> {
        let workspace = Workspace::new(self.layer, &self.configuration)?;
        let submissions = "problems/p/submissions/accepted";
        if self.path.is_dir() {
            for file in entries(&self.path) {
                let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let judge = format!("problems/p/output_validator/{name}");
                match file.file_stem().and_then(|stem| stem.to_str()) {
                    Some("submission") => workspace.copy(&file, &format!("{submissions}/{name}"))?,
                    Some("interactor") => {
                        workspace.write("problems/p/problem.toml", "type = \"interactive\"\n")?;
                        workspace.copy(&file, &judge)?;
                    }
                    _ => workspace.copy(&file, &judge)?,
                }
            }
        } else {
            let name = self.path.file_name().unwrap_or_default().to_string_lossy();
            workspace.copy(&self.path, &format!("{submissions}/{name}"))?;
        }
        for (name, word) in [("1", "hostile"), ("2", "next")] {
            let input = format!("{word}\n{}\n{}\n{}\n", workspace.path().display(), host.port, host.name);
            workspace.case(name, &input, &format!("{}\n", self.answer))?;
        }
        Ok(workspace)
    }

    fn check(&self) -> Result<(), Failed> {
        let host = Host::new()?;
        let workspace = self.workspace(&host)?;
        let before = workspace.precious();
        // One slot: the second test gets what the first one left of it.
        let ended = workspace.run(&["-j", "1", "--repeat", &self.repeat], self.within);
        let left = workspace.expect_nothing_left();
        // A grader that did not end in time was killed, and leaves something behind.
        let ended = ended?;
        left?;
        self.expect(&ended, "secret/1", &self.expect)?;
        // Both sides of a pair behave alike whenever they are asked, and what does not compile never runs.
        let same = self.path.is_dir() || self.expect == "CE";
        let second = self.then.as_deref().unwrap_or(if same { &self.expect } else { "AC" });
        self.expect(&ended, "secret/2", second)?;
        let code = match ended.result("secret/1").0.as_str() {
            "AC" => 0,
            "JE" => 3,
            _ => 1,
        };
        if ended.code != code {
            return Err(format!("exit status {} instead of {code}: {}", ended.code, ended.said).into());
        }
        if self.layer != Layer::None {
            host.expect_no_visit()?;
            if workspace.precious() != before {
                return Err("a file of the workspace is not what it was".into());
            }
        }
        self.expect_unseen(&workspace)
    }

    fn expect(&self, ended: &FinishedRun, test: &str, verdict: &str) -> Result<(), Failed> {
        let (got, reason) = ended.result(test);
        let reason_holds = verdict != self.expect || reason.contains(&self.reason);
        if !verdict.split(" or ").any(|verdict| verdict == got) || !reason_holds {
            let wanted = format!("{verdict} {:?}", self.reason);
            return Err(format!("{test}: expected {wanted}, got {got} {reason:?}\n{}", ended.said).into());
        }
        if reason.len() > LONGEST_MESSAGE + 1024 || ended.said.len() > 4 * LONGEST_MESSAGE {
            return Err(format!("{test}: {} bytes of reason, {} printed", reason.len(), ended.said.len()).into());
        }
        // Nobody but the grader itself may move the cursor or change a colour, and here it was told not to.
        if ended.said.contains('\x1b') {
            return Err(format!("{test}: an escape sequence was printed: {:?}", ended.said).into());
        }
        Ok(())
    }

    fn expect_unseen(&self, workspace: &Workspace) -> Result<(), Failed> {
        for text in &self.unseen {
            let kept = WalkDir::new(workspace.path().join(".grader")).into_iter().flatten();
            let said = ["stdout", "stderr", "report.jsonl"].map(|name| workspace.path().join(name));
            let files = kept.filter(|entry| entry.file_type().is_file()).map(walkdir::DirEntry::into_path).chain(said);
            for file in files {
                let bytes = fs::read(&file).unwrap_or_default();
                if bytes.windows(text.len()).any(|window| window == text.as_bytes()) {
                    return Err(format!("{text:?} is in {}", file.display()).into());
                }
            }
        }
        Ok(())
    }
}

/// What a program must not reach: listeners of the host.
struct Host {
    tcp: TcpListener,
    udp: UdpSocket,
    port: u16,
    socket: UnixListener,
    /// Of the abstract socket, without the zero byte before it.
    name: String,
}

impl Host {
    fn new() -> Result<Self, Failed> {
        let (tcp, udp) = Self::same_port()?;
        tcp.set_nonblocking(true)?;
        udp.set_nonblocking(true)?;
        let port = tcp.local_addr()?.port();
        // Of all tests that run now, this one alone has the port. Those in containers may have the same process id.
        let name = format!("hostile-{port}");
        let socket = UnixListener::bind_addr(&SocketAddr::from_abstract_name(&name)?)?;
        socket.set_nonblocking(true)?;
        Ok(Self { tcp, udp, port, socket, name })
    }

    /// A port that is free for both kinds.
    fn same_port() -> Result<(TcpListener, UdpSocket), Failed> {
        loop {
            let tcp = TcpListener::bind(("127.0.0.1", 0))?;
            if let Ok(udp) = UdpSocket::bind(tcp.local_addr()?) {
                return Ok((tcp, udp));
            }
        }
    }

    fn expect_no_visit(&self) -> Result<(), Failed> {
        if self.tcp.accept().is_ok() || self.udp.recv(&mut [0]).is_ok() || self.socket.accept().is_ok() {
            return Err("a socket of the host was reached".into());
        }
        Ok(())
    }
}

/// `time=0.3 memory=64` as a table of `grader.toml`.
fn table(name: &str, words: &str) -> Result<String, Failed> {
    let mut text = format!("[{name}]\n");
    for word in words.split_whitespace() {
        let (key, value) = word.split_once('=').ok_or("a limit is written `time=0.3`")?;
        let key = if key == "time" { "time_limit" } else { key };
        writeln!(text, "{key} = {value}")?;
    }
    Ok(text)
}
