//! Finds the compilers and interpreters of this machine, their real paths, and their versions.
//!
//! Version managers put shims into `PATH`. A shim takes more time than many programs and needs the user's home. The
//! grader therefore resolves each tool to the real program once.

use std::collections::{HashMap, VecDeque};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use super::python::{self, Interpreter};
use crate::language::{Language, PackageManager};
use crate::limits::{Bytes, Limits, Overflow};
use crate::sandbox::{Exit, MESSAGE_CAP, Place, Request, Sandbox, SandboxError, Side, Sink, once_more};
use crate::store::{Key, Store};

/// Tools that may be shims, and how to find the real programs behind them. Python is handled separately.
const LOCATE: [Locate; 9] = [
    Locate { always: true, ..Locate::new("rustc", &["--print", "sysroot"], "bin/rustc") },
    // cargo has no such option, but the rustc beside it does.
    Locate { always: true, instead: Some("rustc"), ..Locate::new("cargo", &["--print", "sysroot"], "bin/cargo") },
    Locate::new("node", &["-p", "process.execPath"], ""),
    Locate::new("ruby", &["-e", "puts RbConfig.ruby"], ""),
    Locate::new("perl", &["-e", "print $^X"], ""),
    Locate::new("php", &["-r", "echo PHP_BINARY;"], ""),
    Locate::new("go", &["env", "GOROOT"], "bin/go"),
    Locate { label: JAVA_HOME, ..Locate::new("java", &["-XshowSettings:properties", "-version"], "bin/java") },
    Locate {
        label: JAVA_HOME,
        instead: Some("java"),
        ..Locate::new("javac", &["-XshowSettings:properties", "-version"], "bin/javac")
    },
];

/// The label with which Java prints its installation directory.
const JAVA_HOME: &str = "java.home = ";

/// How to ask a tool for its real program.
#[derive(Clone, Copy)]
struct Locate {
    tool: &'static str,
    question: &'static [&'static str],
    /// The path from the answer to the program; empty if the answer is the program.
    suffix: &'static str,
    /// The text before the answer on its line.
    label: &'static str,
    /// The tool beside it that answers instead.
    instead: Option<&'static str>,
    /// Whether it may be a shim even in a system directory.
    always: bool,
}

impl Locate {
    const fn new(tool: &'static str, question: &'static [&'static str], suffix: &'static str) -> Self {
        Self { tool, question, suffix, label: "", instead: None, always: false }
    }

    /// Returns the program that an answer names.
    fn read(&self, answer: &str) -> Option<PathBuf> {
        let named = answer.lines().find_map(|line| line.trim().strip_prefix(self.label))?;
        let named = PathBuf::from(named.trim());
        let program = if self.suffix.is_empty() { named } else { named.join(self.suffix) };
        (program.is_absolute() && is_program(&program)).then_some(program)
    }
}

/// The surroundings of grader. The command line, which alone reads the environment, passes them in.
#[derive(Debug, Clone, Default)]
pub struct Host {
    /// The directories of `PATH`.
    pub path: Vec<PathBuf>,
    /// Variables that version managers need to find their tools: `HOME`, `RUSTUP_HOME`, ….
    pub variables: Vec<(OsString, OsString)>,
    /// Directories that no toolchain may expose to programs, wherever they lie.
    pub private: Vec<PathBuf>,
}

/// The package manager of this machine; none if its distribution is unknown.
pub fn package_manager() -> Option<PackageManager> {
    // A system without a readable file of these is an unknown one.
    let text = ["/etc/os-release", "/usr/lib/os-release"].iter().find_map(|path| fs::read_to_string(path).ok());
    PackageManager::of(&text?)
}

/// The language name of a grammar.
pub const CHECKTESTDATA: &str = "checktestdata";

/// Advice for users without an interpreter of grammars.
pub(super) const INSTALL: &str = "pip install checktestdata, or build https://github.com/DOMjudge/checktestdata";

/// The interpreter of grammars on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct GrammarTool {
    /// The command that starts it. Its first word is the name of a tool.
    pub(super) words: Vec<String>,
    /// Its version line.
    pub(super) version: String,
    /// Its requirements.
    pub(super) tools: Toolset,
}

/// Why no implementation runs in a box here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AbsentReason {
    /// None is installed; the text says what to do.
    #[error("no {CHECKTESTDATA}: {0}")]
    NotFound(String),
    /// One is installed, but does not run in a box.
    #[error("{} does not run in the sandbox: {INSTALL}", .0.display())]
    Unusable(PathBuf),
}

/// Variables that give version managers the directory for which they choose a version. Each comes with the name of the
/// file, there or above, that contains the choice (the manuals of pyenv, rbenv and nodenv, "Choosing the version").
pub const LOCAL_CHOICES: [(&str, &str); 3] =
    [("PYENV_DIR", ".python-version"), ("RBENV_DIR", ".ruby-version"), ("NODENV_DIR", ".node-version")];

/// A tool that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tool {
    /// The real program. A Python keeps the name in its virtual environment.
    pub path: PathBuf,
    /// The directories, files and links that must be visible to it; empty if it belongs to the system.
    pub shown: Vec<PathBuf>,
    /// The environment variables of programs that it runs.
    pub variables: Vec<(String, String)>,
    /// The key of the installed packages that influence programs, for a Python.
    pub installed: Option<Key>,
}

/// The requirements of all tools of a program together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Toolset {
    /// The paths that must be visible.
    pub(super) shown: Vec<PathBuf>,
    /// The environment variables.
    pub(super) variables: Vec<(String, String)>,
    /// The keys of everything that is installed for them.
    pub(super) installed: Vec<Key>,
    /// Whether one of them talks to itself through the network of its box.
    pub(super) loopback: bool,
}

impl Toolset {
    /// Adds the requirements of a tool.
    pub(super) fn add(&mut self, tool: Tool) {
        let Tool { path: _, shown, variables, installed } = tool;
        self.shown.extend(shown);
        self.variables.extend(variables);
        self.installed.extend(installed);
    }
}

/// Finds the tools of this machine and remembers them.
pub struct Toolbox {
    host: Host,
    found: Mutex<HashMap<String, Option<Tool>>>,
    versions: Mutex<HashMap<Vec<String>, String>>,
    /// The interpreter of grammars, once it was searched for.
    pub(super) interpreter: OnceLock<Result<GrammarTool, AbsentReason>>,
}

impl Toolbox {
    /// Creates a toolbox without any look-ups.
    pub fn new(host: Host) -> Self {
        Self { host, found: Mutex::default(), versions: Mutex::default(), interpreter: OnceLock::new() }
    }

    /// The value of `PATH` for programs. The directories come from a `PATH`, so joining them again cannot fail.
    pub fn path_variable(&self) -> OsString {
        std::env::join_paths(&self.host.path).unwrap_or_else(|_| OsString::from("/usr/local/bin:/usr/bin:/bin"))
    }

    /// The value of `PATH` for programs in a box. Of the user's own directories, it contains only those that every
    /// isolation layer shows, so that a program finds the same tools in each layer.
    pub(crate) fn path_in_box(&self, toolchains: &[PathBuf]) -> OsString {
        let seen = |dir: &&PathBuf| is_of_system(dir) || toolchains.iter().any(|root| dir.starts_with(root));
        let dirs: Vec<&PathBuf> = self.host.path.iter().filter(seen).collect();
        std::env::join_paths(dirs).unwrap_or_else(|_| OsString::from("/usr/local/bin:/usr/bin:/bin"))
    }

    /// Why no tool at all can be found, with a remedy; none if `PATH` has a usable directory.
    pub(crate) fn lacks_path(&self) -> Option<String> {
        let example = "export PATH=/usr/local/bin:/usr/bin:/bin";
        match &self.host.path[..] {
            dirs if dirs.iter().any(|dir| dir.is_absolute()) => None,
            dirs if dirs.iter().all(|dir| dir.as_os_str().is_empty()) => {
                Some(format!("PATH is empty; set it: {example}"))
            }
            _ => Some(format!("PATH names no absolute directory; set it: {example}")),
        }
    }

    /// Whether `PATH` has a program with this name, working or not.
    pub fn is_there(&self, name: &str) -> bool {
        self.in_path(name).is_some()
    }

    /// Explains why [`Self::find`] finds no such tool of a language, with a remedy.
    pub fn why_missing(&self, language: &Language, name: &str) -> String {
        match (self.lacks_path(), self.in_path(name)) {
            (Some(why), _) => format!("no {name}: {why}"),
            (None, Some(path)) => does_not_work(name, &path, language),
            (None, None) => language.not_found(name, package_manager()),
        }
    }

    /// Explains why the tools of a language cannot be used although they were found: the command that shows the version
    /// fails.
    pub fn why_broken(&self, language: &Language, sandbox: &mut dyn Sandbox, store: &Store) -> Option<String> {
        let name = language.version.first()?;
        let path = self.in_path(name)?;
        let works = !self.version(&language.version, sandbox, store).is_empty();
        (!works).then(|| does_not_work(name, &path, language))
    }

    /// Returns the real program behind a name; none if it is not installed or does not work.
    pub fn find(&self, name: &str, sandbox: &mut dyn Sandbox, store: &Store) -> Option<Tool> {
        if let Some(known) = lock(&self.found).get(name) {
            return known.clone();
        }
        let tool = self.in_path(name).and_then(|path| {
            if is_python(name) {
                // A Python that cannot describe itself, such as a shim without a version behind it, runs nothing
                // either.
                self.interpreter(&path, sandbox, store).map(|python| self.python(&python))
            } else {
                self.resolve(name, path, sandbox, store).map(|path| self.tool(path))
            }
        });
        lock(&self.found).insert(name.to_owned(), tool.clone());
        tool
    }

    /// Returns the tool at `path` with the paths that must be visible: `…/toolchain` for `…/toolchain/bin/rustc`, or
    /// the file alone if it lies among unrelated files.
    fn tool(&self, path: PathBuf) -> Tool {
        // A path that cannot be resolved is started as found.
        let real = fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
        let tool = |path, shown| Tool { path, shown, variables: Vec::new(), installed: None };
        if is_of_system(&real) {
            return tool(if is_of_system(&path) { path } else { real }, Vec::new());
        }
        let root = self.toolchain_of(&real).or_else(|| self.packages_of(&real)).unwrap_or_else(|| real.clone());
        // A program may depend on the name of a link, but the link is visible only if it lies in the same toolchain.
        let path = if is_of_system(&path) || path.starts_with(&root) { path } else { real };
        tool(path, vec![root])
    }

    /// Returns an interpreter of Python with the paths that must be visible: its environment, the installation behind
    /// it, and the directories of its packages. It starts under its own name, which selects the environment.
    fn python(&self, python: &Interpreter) -> Tool {
        let mut shown = Vec::new();
        for prefix in python.prefixes() {
            self.show_prefix(&mut shown, prefix);
        }
        show_way(&mut shown, &python.executable);
        for place in python.places().filter_map(|place| fs::canonicalize(place).ok()) {
            // Links into a directory of problems would expose answers.
            let is_private =
                |private: &PathBuf| fs::canonicalize(private).is_ok_and(|private| place.starts_with(private));
            if !is_shown(&shown, &place) && !self.holds_private(&place) && !self.host.private.iter().any(is_private) {
                shown.push(place);
            }
        }
        let variables =
            python.variables().into_iter().filter_map(|(name, value)| Some((name.into(), value.to_str()?.into())));
        let variables = variables.collect();
        Tool { path: python.executable.clone(), shown, variables, installed: Some(python.fingerprint()) }
    }

    /// Makes an installation directory visible. If it contains private directories, shows only the parts of the
    /// installation.
    fn show_prefix(&self, shown: &mut Vec<PathBuf>, prefix: &Path) {
        let Ok(prefix) = fs::canonicalize(prefix) else { return };
        let parts = if self.holds_private(&prefix) || prefix.ends_with(".local") {
            ["bin", "lib", "lib64", python::MARKER].map(|name| prefix.join(name)).to_vec()
        } else {
            vec![prefix]
        };
        for part in parts {
            if !is_shown(shown, &part) && fs::symlink_metadata(&part).is_ok() && !self.holds_private(&part) {
                shown.push(part);
            }
        }
    }

    /// The directory above `bin/` that also contains the libraries. Never one that contains a home or a private
    /// directory.
    fn toolchain_of(&self, program: &Path) -> Option<PathBuf> {
        let bin = program.parent().filter(|dir| dir.ends_with("bin"))?;
        let above = bin.parent()?;
        let has_libraries = ["lib", "lib64", "libexec", "pkg", "share"].iter().any(|name| above.join(name).is_dir());
        let is_private = self.holds_private(above) || above.ends_with(".local");
        (has_libraries && !is_private).then(|| above.to_owned())
    }

    /// The directory of packages of node that has a program, because the program loads others from there.
    fn packages_of(&self, program: &Path) -> Option<PathBuf> {
        let packages = program.ancestors().filter(|above| above.ends_with("node_modules")).last()?;
        (!self.holds_private(packages)).then(|| packages.to_owned())
    }

    /// Whether a directory contains a home or a private directory.
    fn holds_private(&self, dir: &Path) -> bool {
        let home = self.host.variables.iter().find(|(name, _)| name == "HOME").map(|(_, home)| Path::new(home));
        let mut private = home.into_iter().chain(self.host.private.iter().map(PathBuf::as_path));
        // A missing directory is in no other directory.
        private.any(|place| fs::canonicalize(place).is_ok_and(|place| place.starts_with(dir)))
    }

    /// Finds the first program of this name in `PATH`. Skips inaccessible files, as a shell does.
    pub fn in_path(&self, name: &str) -> Option<PathBuf> {
        if name.contains('/') {
            return is_program(Path::new(name)).then(|| PathBuf::from(name));
        }
        self.host.path.iter().map(|dir| dir.join(name)).find(|path| path.is_absolute() && is_program(path))
    }

    /// Follows a shim. Returns none if it fails, as a shim does if its version is not installed. Such a shim could
    /// compile and run nothing, and its message must not count as a compile error.
    fn resolve(&self, name: &str, path: PathBuf, sandbox: &mut dyn Sandbox, store: &Store) -> Option<PathBuf> {
        let Some(locate) = LOCATE.iter().find(|locate| locate.tool == name) else { return Some(path) };
        if !locate.always && is_of_system(&path) {
            return Some(path);
        }
        let asked = locate.instead.map_or_else(|| path.clone(), |beside| path.with_file_name(beside));
        if !is_program(&asked) {
            return Some(path);
        }
        let key = self.shim_key(&asked).field("question", locate.question.join(" ").as_bytes());
        let key = key.field("program", locate.suffix).finish();
        if let Some(real) = store.outcome::<PathBuf>(&key).map(|kept| kept.value).filter(|real| is_program(real)) {
            return Some(real);
        }
        let Some(real) = locate.read(&self.ask(&asked, locate.question, sandbox)?) else { return Some(path) };
        store.put_outcome(key, &real, None);
        Some(real)
    }

    /// Returns the facts about the interpreter of Python at `path`; none if it does not answer. They are cached until
    /// the installed packages change.
    fn interpreter(&self, path: &Path, sandbox: &mut dyn Sandbox, store: &Store) -> Option<Interpreter> {
        let key = self.shim_key(path).field("question", python::QUESTION).finish();
        let kept = store.outcome::<(Interpreter, Key)>(&key).map(|kept| kept.value);
        if let Some((python, installed)) = kept
            && is_program(&python.executable)
            && python.fingerprint() == installed
        {
            return Some(python);
        }
        let python = Interpreter::read(&self.ask(path, &["-c", python::QUESTION], sandbox)?)?;
        if !is_program(&python.executable) {
            return None;
        }
        store.put_outcome(key, &(&python, python.fingerprint()), None);
        Some(python)
    }

    /// The key of everything that decides where a shim leads: the shim itself, and the choices of the version managers.
    fn shim_key(&self, path: &Path) -> crate::store::KeyBuilder {
        let mut key = stamp(Key::of("tool v1"), path);
        for (name, value) in &self.host.variables {
            key = key.field("variable", name.as_encoded_bytes()).field("value", value.as_encoded_bytes());
            if name == "HOME" {
                key = stamp(key, &Path::new(value).join(".rustup/settings.toml"));
                key = stamp(key, &Path::new(value).join(".pyenv/version"));
            }
            if let Some((_, file)) = LOCAL_CHOICES.iter().find(|(local, _)| name == *local) {
                key = Path::new(value).ancestors().fold(key, |key, dir| stamp(key, &dir.join(file)));
            }
        }
        key
    }

    /// The first line that `command` (a tool and its arguments) prints, cached by the tool's file.
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

    /// Runs a tool for its answer on either stream (`java -version` uses stderr). None if it fails or does not start.
    fn ask(&self, program: &Path, arguments: &[&str], sandbox: &mut dyn Sandbox) -> Option<String> {
        let mut env = self.host.variables.clone();
        env.push(("PATH".into(), self.path_variable()));
        let argv = std::iter::once(program.as_os_str()).chain(arguments.iter().map(OsStr::new)).map(OsString::from);
        // A shim reads its user's home, so it gets no input from anyone else.
        let place = Place::Host(PathBuf::from("/"));
        let request = Request { argv: argv.collect(), env, place, limits: asking(), core: None };
        let run = || {
            let mut heard = ToolStreams::default();
            let outcome = sandbox.run(Side::Submission, &request, nothing()?, &mut heard)?;
            Ok::<_, SandboxError>((outcome, heard))
        };
        // A tool that cannot be asked does not work here.
        let (outcome, heard) = once_more(run, |(outcome, _)| outcome.outside_signal().is_some()).ok()?;
        let bytes = if heard.out.is_empty() { heard.err } else { heard.out };
        (outcome.exit == Exit::Code(0) && outcome.killed.is_none())
            .then(|| String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// The message about a tool that is installed but fails, such as a shim without a version behind it.
fn does_not_work(name: &str, path: &Path, language: &Language) -> String {
    let shown = if language.version.is_empty() { name.to_owned() } else { language.version.join(" ") };
    format!("no working {name}: run `{shown}` to see why {} fails", path.display())
}

/// The input of a tool that is asked about itself.
pub(super) fn nothing() -> Result<fs::File, SandboxError> {
    let unreadable = |source| SandboxError::System { what: "cannot open /dev/null".to_owned(), source };
    fs::File::open("/dev/null").map_err(unreadable)
}

/// The limits for asking a tool about itself.
pub fn asking() -> Limits {
    Limits {
        cpu: Duration::from_secs(20),
        wall: Duration::from_secs(40),
        memory: Bytes::mib(2048),
        output: Bytes::mib(64),
        overflow: Overflow::Kill,
        processes: 128,
    }
}

/// Returns `PATH` with another directory in front. Unchanged if that directory contains a `:`, which `PATH` cannot
/// hold.
pub(super) fn with_first(first: &Path, path: &OsStr) -> OsString {
    let dirs = std::iter::once(first.to_owned()).chain(std::env::split_paths(path));
    std::env::join_paths(dirs).unwrap_or_else(|_| path.to_owned())
}

/// Whether every sandbox shows the path anyway.
fn is_of_system(path: &Path) -> bool {
    crate::sandbox::SYSTEM_DIRS.iter().any(|dir| path.starts_with(dir))
}

/// A poisoned lock means that another thread panicked. Its incomplete entry is looked up again at worst.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Whether a name is that of a Python interpreter: `python3.12`, `/opt/env/bin/pypy3`.
fn is_python(name: &str) -> bool {
    let name = name.rsplit_once('/').map_or(name, |(_, name)| name);
    let version = name.strip_prefix("python").or_else(|| name.strip_prefix("pypy"));
    version.is_some_and(|version| version.chars().all(|c| c.is_ascii_digit() || c == '.'))
}

/// Whether a path is visible.
fn is_shown(shown: &[PathBuf], place: &Path) -> bool {
    is_of_system(place) || shown.iter().any(|shown| place.starts_with(shown))
}

/// Makes a file and the links that lead to it visible, unless they are visible already.
fn show_way(shown: &mut Vec<PathBuf>, file: &Path) {
    let mut ahead: Vec<OsString> = file.components().rev().map(|part| part.as_os_str().to_owned()).collect();
    let mut at = PathBuf::new();
    let mut links = 0;
    while let Some(part) = ahead.pop() {
        if part == ".." {
            at.pop();
            continue;
        }
        at.push(part);
        let Ok(target) = fs::read_link(&at) else { continue };
        links += 1;
        // The kernel follows this many links too.
        if links > 40 {
            return;
        }
        if !is_shown(shown, &at) {
            shown.push(at.clone());
        }
        at.pop();
        ahead.extend(target.components().rev().map(|part| part.as_os_str().to_owned()));
    }
    if !is_shown(shown, &at) {
        shown.push(at);
    }
}

fn is_program(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

/// Adds the identity of a file to a key without reading it: path, size and times. For a missing file, only the path.
fn stamp(key: crate::store::KeyBuilder, path: &Path) -> crate::store::KeyBuilder {
    let key = key.field("path", path.as_os_str().as_encoded_bytes());
    let Ok(meta) = fs::metadata(path) else { return key };
    let facts = [meta.size(), meta.ino(), meta.mtime().cast_unsigned(), meta.mtime_nsec().cast_unsigned()];
    facts.iter().fold(key, |key, fact| key.field("fact", fact.to_le_bytes()))
}

/// The number of last bytes of both streams that are kept too: the last lines of a tool say why it failed.
const LAST: usize = 16 * 1024;

/// Both streams of a tool, bounded.
#[derive(Default)]
pub(super) struct ToolStreams {
    pub(super) out: Vec<u8>,
    pub(super) err: Vec<u8>,
    /// The last bytes of both streams, in the order of arrival.
    last: VecDeque<u8>,
}

impl ToolStreams {
    /// The last bytes of both streams.
    pub(super) fn last(&mut self) -> &[u8] {
        self.last.make_contiguous()
    }

    fn hear(&mut self, bytes: &[u8]) {
        self.last.extend(&bytes[bytes.len().saturating_sub(LAST)..]);
        self.last.drain(..self.last.len().saturating_sub(LAST));
    }

    fn keep(kept: &mut Vec<u8>, bytes: &[u8]) {
        let room = usize::try_from(MESSAGE_CAP.0).unwrap_or(usize::MAX).saturating_sub(kept.len());
        kept.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }
}

impl Sink for ToolStreams {
    fn stdout(&mut self, bytes: &[u8]) {
        Self::keep(&mut self.out, bytes);
        self.hear(bytes);
    }

    fn stderr(&mut self, bytes: &[u8]) {
        Self::keep(&mut self.err, bytes);
        self.hear(bytes);
    }
}

/// Finds the line with the version. Old tools may print warnings about their options before it.
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
