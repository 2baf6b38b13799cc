//! Which compilers and interpreters this machine has, where they really are, and what they call themselves.
//!
//! Version managers put shims into `PATH`: a shim costs more than many a program and needs the user's home. Each tool is
//! therefore resolved to the real program once.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use super::grammar::Interpreter;
use crate::limits::{Bytes, Limits, Overflow};
use crate::sandbox::{Exit, MESSAGE_CAP, Place, Request, Sandbox, Side, Sink};
use crate::store::{Key, Store};

/// Tools that may be shims: how to ask them for the real program.
const LOCATE: [(&str, &[&str], &str); 4] = [
    ("rustc", &["--print", "sysroot"], "bin/rustc"),
    ("cargo", &["+", "--print", "sysroot"], "bin/cargo"),
    ("python3", &["-c", "import sys; print(sys.executable)"], ""),
    ("pypy3", &["-c", "import sys; print(sys.executable)"], ""),
];

/// What the grader knows of its own surroundings; handed down by the command line, which alone reads the environment.
#[derive(Debug, Clone, Default)]
pub struct Host {
    /// The directories of `PATH`.
    pub path: Vec<PathBuf>,
    /// Variables that version managers need to find their tools: `HOME`, `RUSTUP_HOME`, ….
    pub variables: Vec<(OsString, OsString)>,
    /// What no toolchain may show, wherever it lies.
    pub private: Vec<PathBuf>,
}

/// A tool that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tool {
    /// The real program.
    pub path: PathBuf,
    /// The directory that it needs to be seen in whole; none where it belongs to the system.
    pub root: Option<PathBuf>,
}

/// Finds tools, each once.
pub struct Toolbox {
    host: Host,
    found: Mutex<HashMap<String, Option<Tool>>>,
    versions: Mutex<HashMap<Vec<String>, String>>,
    /// What interprets grammars, once that was found out.
    pub(super) interpreter: OnceLock<Result<Interpreter, String>>,
}

impl Toolbox {
    /// Nothing looked up yet.
    pub fn new(host: Host) -> Self {
        Self { host, found: Mutex::default(), versions: Mutex::default(), interpreter: OnceLock::new() }
    }

    /// The value of `PATH` for programs that are run. It comes out of a `PATH`, so that joining it again cannot fail.
    pub fn path_variable(&self) -> OsString {
        std::env::join_paths(&self.host.path).unwrap_or_else(|_| OsString::from("/usr/local/bin:/usr/bin:/bin"))
    }

    /// The value of `PATH` for programs in a box: of the directories of the user's own only those that every layer shows,
    /// whatever this one does, so that the same program finds the same tools in each.
    pub fn path_in_box(&self, toolchains: &[PathBuf]) -> OsString {
        let seen = |dir: &&PathBuf| is_of_system(dir) || toolchains.iter().any(|root| dir.starts_with(root));
        let dirs: Vec<&PathBuf> = self.host.path.iter().filter(seen).collect();
        std::env::join_paths(dirs).unwrap_or_else(|_| OsString::from("/usr/local/bin:/usr/bin:/bin"))
    }

    /// The real program behind a name; none when it is not installed.
    pub fn find(&self, name: &str, sandbox: &mut dyn Sandbox, store: &Store) -> Option<Tool> {
        if let Some(known) = lock(&self.found).get(name) {
            return known.clone();
        }
        let tool = self.in_path(name).map(|path| self.tool(self.resolve(name, path, sandbox, store)));
        lock(&self.found).insert(name.to_owned(), tool.clone());
        tool
    }

    /// The tool at `path`, with what has to be seen for it to work: `…/toolchain` of `…/toolchain/bin/rustc`, or itself
    /// alone where it stands among other things.
    fn tool(&self, path: PathBuf) -> Tool {
        // What cannot be resolved is started under the name that was found.
        let real = fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
        if is_of_system(&path) && is_of_system(&real) {
            return Tool { path, root: None };
        }
        if is_of_system(&real) {
            return Tool { path: real, root: None };
        }
        let root = self.toolchain_of(&real).unwrap_or_else(|| real.clone());
        // A link may have a name that the program goes by, but can only be shown where it lies in the same toolchain.
        let path = if is_of_system(&path) || path.starts_with(&root) { path } else { real };
        Tool { path, root: Some(root) }
    }

    /// The directory above `bin/` that also holds the libraries; never one that holds a home or what is private.
    fn toolchain_of(&self, program: &Path) -> Option<PathBuf> {
        let bin = program.parent().filter(|dir| dir.ends_with("bin"))?;
        let above = bin.parent()?;
        let has_libraries = ["lib", "lib64", "libexec", "pkg"].iter().any(|name| above.join(name).is_dir());
        let home = self.host.variables.iter().find(|(name, _)| name == "HOME").map(|(_, home)| Path::new(home));
        let mut private = home.into_iter().chain(self.host.private.iter().map(PathBuf::as_path));
        // What does not exist is nowhere.
        let holds = |place: &Path| fs::canonicalize(place).is_ok_and(|place| place.starts_with(above));
        let is_private = private.any(holds) || above.ends_with(".local");
        (has_libraries && !is_private).then(|| above.to_owned())
    }

    /// The first program of this name; what may not be looked at is passed over, as a shell does.
    fn in_path(&self, name: &str) -> Option<PathBuf> {
        if name.contains('/') {
            return is_program(Path::new(name)).then(|| PathBuf::from(name));
        }
        self.host.path.iter().map(|dir| dir.join(name)).find(|path| path.is_absolute() && is_program(path))
    }

    /// Follows a shim; anything that does not answer is taken as it is.
    fn resolve(&self, name: &str, path: PathBuf, sandbox: &mut dyn Sandbox, store: &Store) -> PathBuf {
        let Some((_, question, suffix)) = LOCATE.iter().find(|(tool, _, _)| *tool == name) else { return path };
        // cargo has no such option of its own; the compiler beside it has.
        let (asked, question) = match question {
            ["+", rest @ ..] => (path.with_file_name("rustc"), rest),
            _ => (path.clone(), *question),
        };
        let key = self.shim_key(&asked).field("question", question.join(" ").as_bytes()).finish();
        if let Some(real) = store.outcome::<PathBuf>(&key).map(|kept| kept.value).filter(|real| is_program(real)) {
            return real;
        }
        let Some(answer) = self.ask(&asked, question, sandbox) else { return path };
        let real = Path::new(answer.trim()).join(suffix);
        let real = if suffix.is_empty() { PathBuf::from(answer.trim()) } else { real };
        if !real.is_absolute() || !is_program(&real) {
            return path;
        }
        store.put_outcome(key, &real, None);
        real
    }

    /// Everything that decides what a shim leads to: itself, and the version managers' own choices.
    fn shim_key(&self, path: &Path) -> crate::store::KeyBuilder {
        let mut key = stamp(Key::of("tool v1"), path);
        for (name, value) in &self.host.variables {
            key = key.field("variable", name.as_encoded_bytes()).field("value", value.as_encoded_bytes());
            if name == "HOME" {
                key = stamp(key, &Path::new(value).join(".rustup/settings.toml"));
                key = stamp(key, &Path::new(value).join(".pyenv/version"));
            }
        }
        key
    }

    /// The first line that `command` (a tool name and its arguments) prints, cached by the tool's file.
    pub fn version(&self, command: &[String], sandbox: &mut dyn Sandbox, store: &Store) -> String {
        if let Some(known) = lock(&self.versions).get(command) {
            return known.clone();
        }
        let version = self.ask_version(command, sandbox, store).unwrap_or_default();
        lock(&self.versions).insert(command.to_vec(), version.clone());
        version
    }

    fn ask_version(&self, command: &[String], sandbox: &mut dyn Sandbox, store: &Store) -> Option<String> {
        let (name, arguments) = command.split_first()?;
        let tool = self.find(name, sandbox, store)?;
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let key = stamp(Key::of("version v2"), &tool.path).field("question", arguments.join("\0").as_bytes()).finish();
        if let Some(version) = store.outcome::<String>(&key) {
            return Some(version.value);
        }
        let answer = self.ask(&tool.path, &arguments, sandbox)?;
        let line = version_line(&answer)?.to_owned();
        store.put_outcome(key, &line, None);
        Some(line)
    }

    /// Runs a tool for its answer; none when it fails, also to start: it is then used as it was found, without a version, and
    /// says by itself what is wrong when it compiles. What it prints on either stream counts: `java -version` uses stderr.
    fn ask(&self, program: &Path, arguments: &[&str], sandbox: &mut dyn Sandbox) -> Option<String> {
        let mut env = self.host.variables.clone();
        env.push(("PATH".into(), self.path_variable()));
        let argv = std::iter::once(program.as_os_str()).chain(arguments.iter().map(OsStr::new)).map(OsString::from);
        // A shim reads its user's home, and is asked nothing that comes from anybody else.
        let place = Place::Host(PathBuf::from("/"));
        let request = Request { argv: argv.collect(), env, place, limits: asking(), core: None };
        let mut heard = Heard::default();
        let outcome = sandbox.run(Side::Submission, &request, fs::File::open("/dev/null").ok()?, &mut heard).ok()?;
        let bytes = if heard.out.is_empty() { heard.err } else { heard.out };
        (outcome.exit == Exit::Code(0) && outcome.killed.is_none())
            .then(|| String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// The limits of a tool that is asked about itself.
pub(super) fn asking() -> Limits {
    Limits {
        cpu: Duration::from_secs(20),
        wall: Duration::from_secs(40),
        memory: Bytes::mib(2048),
        output: Bytes::mib(64),
        overflow: Overflow::Kill,
        processes: 128,
    }
}

/// The value of `PATH` with another directory in front; unchanged where its name has a `:`, which `PATH` cannot hold.
pub(super) fn with_first(first: &Path, path: &OsStr) -> OsString {
    let dirs = std::iter::once(first.to_owned()).chain(std::env::split_paths(path));
    std::env::join_paths(dirs).unwrap_or_else(|_| path.to_owned())
}

/// Whether every sandbox shows it anyway.
fn is_of_system(path: &Path) -> bool {
    crate::sandbox::SYSTEM_DIRS.iter().any(|dir| path.starts_with(dir))
}

/// A poisoned lock means that another worker panicked; its half-made entry is at worst looked up again.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn is_program(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

/// Adds a file's identity without reading it: path, size, times. Of one that is not there, the path alone.
fn stamp(key: crate::store::KeyBuilder, path: &Path) -> crate::store::KeyBuilder {
    let key = key.field("path", path.as_os_str().as_encoded_bytes());
    let Ok(meta) = fs::metadata(path) else { return key };
    let facts = [meta.size(), meta.ino(), meta.mtime().cast_unsigned(), meta.mtime_nsec().cast_unsigned()];
    facts.iter().fold(key, |key, fact| key.field("fact", fact.to_le_bytes()))
}

/// Both streams of a tool, bounded.
#[derive(Default)]
pub(super) struct Heard {
    pub(super) out: Vec<u8>,
    pub(super) err: Vec<u8>,
}

impl Heard {
    fn keep(kept: &mut Vec<u8>, bytes: &[u8]) {
        let room = usize::try_from(MESSAGE_CAP.0).unwrap_or(usize::MAX).saturating_sub(kept.len());
        kept.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }
}

impl Sink for Heard {
    fn stdout(&mut self, bytes: &[u8]) {
        Self::keep(&mut self.out, bytes);
    }

    fn stderr(&mut self, bytes: &[u8]) {
        Self::keep(&mut self.err, bytes);
    }
}

/// The line that says the version: what an old tool has to say about its options to a new machine comes before it.
fn version_line(answer: &str) -> Option<&str> {
    let mut lines = answer.lines().map(str::trim).filter(|line| !line.is_empty());
    let warns = |line: &str| line.to_ascii_lowercase().contains("warning:");
    lines.clone().find(|line| !warns(line)).or_else(|| lines.next())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warning_is_no_version() {
        let kotlin =
            "OpenJDK 64-Bit Server VM warning: Options -Xverify:none were deprecated\ninfo: kotlinc-jvm 1.3.31\n";
        assert_eq!(version_line(kotlin), Some("info: kotlinc-jvm 1.3.31"));
        assert_eq!(version_line("\n g++ 12.2 \nwarning: x\n"), Some("g++ 12.2"));
        assert_eq!(version_line("a warning: nothing else\n"), Some("a warning: nothing else"));
        assert_eq!(version_line(" \n"), None);
    }
}
