//! One program, or one interactive pair: what its first lines say, and whether it comes true.
//!
//! `expect:` the verdict, `reason:` a part of the reason, `within:` seconds that the run may take at most; `limits:`,
//! `compile:` and `validation:` set limits (`time=0.3 memory=64 output=1 processes=16`), `toml:` is a line of
//! `grader.toml`, `repeat:` runs each test so often. Everything else in the comment is for people.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use libtest_mimic::{Failed, Trial};

use crate::workspace::{Ended, Workspace, tool_for};

/// What the reader of a report can bear, and what the events promise.
const LONGEST_MESSAGE: usize = 64 * 1024;

/// The tests of a directory of programs.
pub(crate) fn trials(programs: &Path) -> Vec<Trial> {
    let single = entries(programs).into_iter().filter(|path| path.is_file()).map(|path| {
        let tools = [tool_for(&path)];
        crate::trial(&name_of(&path), &tools, move || Case::read(&path)?.check())
    });
    let pairs = entries(&programs.join("interactive")).into_iter().map(|path| {
        let name = format!("interactive/{}", name_of(&path));
        crate::trial(&name, &["python3"], move || Case::read(&path)?.check())
    });
    single.chain(pairs).collect()
}

fn entries(dir: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// A program and what is expected of it.
struct Case {
    /// A file, or the directory of a pair.
    path: PathBuf,
    expect: String,
    reason: String,
    within: Duration,
    repeat: String,
    configuration: String,
}

impl Case {
    fn read(path: &Path) -> Result<Self, Failed> {
        let source = if path.is_dir() { path.join("submission.py") } else { path.to_owned() };
        let source = fs::read_to_string(source)?;
        let comment = source.lines().map_while(|line| line.strip_prefix("//").or(line.strip_prefix('#')));
        let mut case = Self {
            path: path.to_owned(),
            expect: String::new(),
            reason: String::new(),
            within: Duration::from_secs(60),
            repeat: "1".to_owned(),
            configuration: String::new(),
        };
        for (key, value) in comment.filter_map(|line| line.trim().split_once(": ")) {
            match key {
                "expect" => value.clone_into(&mut case.expect),
                "reason" => value.clone_into(&mut case.reason),
                "within" => case.within = Duration::from_secs(value.parse()?),
                "repeat" => value.clone_into(&mut case.repeat),
                "limits" | "compile" | "validation" => case.configuration += &table(key, value)?,
                "toml" => writeln!(case.configuration, "{value}")?,
                _ => {}
            }
        }
        if case.expect.is_empty() { Err("no `expect:` in its first lines".into()) } else { Ok(case) }
    }

    fn workspace(&self) -> Result<Workspace, Failed> {
        let workspace = Workspace::new(&self.configuration)?;
        if self.path.is_dir() {
            workspace.write("problems/p/problem.toml", "type = \"interactive\"\n")?;
            workspace.copy(&self.path.join("submission.py"), "problems/p/submissions/accepted/submission.py")?;
            workspace.copy(&self.path.join("interactor.py"), "problems/p/output_validator/interactor.py")?;
        } else {
            workspace.copy(&self.path, &format!("problems/p/submissions/accepted/{}", name_of(&self.path)))?;
        }
        workspace.case("1", "hostile\n", "ok\n")?;
        workspace.case("2", "next\n", "ok\n")?;
        Ok(workspace)
    }

    fn check(&self) -> Result<(), Failed> {
        let workspace = self.workspace()?;
        // One slot: the second test gets what the first one left of it.
        let ended = workspace.run(&["-j", "1", "--repeat", &self.repeat], self.within);
        workspace.expect_nobody()?;
        let ended = ended?;
        self.expect(&ended, "secret/1", &self.expect)?;
        // Both sides of a pair behave alike whenever they are asked, and what does not compile never runs.
        let same = self.path.is_dir() || self.expect == "CE";
        self.expect(&ended, "secret/2", if same { &self.expect } else { "AC" })?;
        let code = match self.expect.as_str() {
            "AC" => 0,
            "JE" => 3,
            _ => 1,
        };
        if ended.code != code {
            return Err(format!("exit status {} instead of {code}: {}", ended.code, ended.said).into());
        }
        let left: Vec<_> = fs::read_dir(workspace.path().join("tmp"))?.flatten().map(|entry| entry.path()).collect();
        if left.is_empty() { Ok(()) } else { Err(format!("left behind: {left:?}").into()) }
    }

    fn expect(&self, ended: &Ended, test: &str, verdict: &str) -> Result<(), Failed> {
        let (got, reason) = ended.result(test);
        let reason_holds = verdict != self.expect || reason.contains(&self.reason);
        if got != verdict || !reason_holds {
            let wanted = format!("{verdict} {:?}", self.reason);
            return Err(format!("{test}: expected {wanted}, got {got} {reason:?}\n{}", ended.said).into());
        }
        if reason.len() > LONGEST_MESSAGE + 1024 || ended.said.len() > 4 * LONGEST_MESSAGE {
            return Err(format!("{test}: {} bytes of reason, {} printed", reason.len(), ended.said.len()).into());
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
