//! A program in source form → an artifact that can be run, or the reason why not.
//!
//! Builds are cached by content: the sources, the language's commands, and what the compiler calls itself. A missing
//! compiler is "not judged", never a compile error; a failure of ours is neither.

pub mod toolbox;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::language::{BuildInput, Commands, Detection, Language, Languages};
use crate::limits::{Bytes, Limits};
use crate::problem::Program;
use crate::sandbox::{Exit, Isolation, Kill, Place, Request, Sandbox, Side, Sight, Workdir, signal_name};
use crate::store::{Key, Store};
use toolbox::{Heard, Toolbox};

/// Something that can be run.
#[derive(Debug, Clone)]
pub struct Artifact {
    /// The command; the first word is absolute.
    pub argv: Vec<OsString>,
    /// What the environment must hold.
    pub env: Vec<(OsString, OsString)>,
    /// The language's id; `command` for `-c`.
    pub language: String,
    /// What the compiler or interpreter calls itself.
    pub version: String,
    /// At least so many processes and threads, because the run-time system needs them.
    pub processes: u32,
    /// Stands for the program in every cache key.
    pub key: Key,
    /// What it has to see when it runs.
    pub sight: Sight,
    /// The directory of the build, which may be a temporary one that lives no longer than this; none for a command.
    #[expect(dead_code, reason = "held, not read")]
    home: Option<crate::store::Artifact<Kept>>,
}

impl Artifact {
    /// Whether there is nothing to be run, only outputs to be judged.
    pub fn is_outputs(&self) -> bool {
        self.language == OUTPUTS
    }

    /// Whether it is a shell command: what that reads is unknown, so that nothing of it is ever cached.
    pub fn is_command(&self) -> bool {
        self.language == COMMAND
    }
}

#[cfg(test)]
impl Artifact {
    /// Something that could be run, for tests that run nothing.
    pub(crate) fn for_tests() -> Self {
        let key = Key::of("test").finish();
        let (argv, env, language, version) = (Vec::new(), Vec::new(), String::new(), String::new());
        Self { argv, env, language, version, processes: 0, key, sight: Sight::default(), home: None }
    }
}

/// More is never taken out of a build.
const MOST_MADE: Bytes = Bytes::mib(1024);

/// The language of a shell command.
const COMMAND: &str = "command";
/// The language of outputs that were handed in without their program.
const OUTPUTS: &str = "outputs";

/// What came of a build.
#[derive(Debug, Clone)]
pub enum Build {
    /// It can be run.
    Ready(Box<Artifact>),
    /// The compiler refused it, in its words.
    CompileError(String),
    /// It cannot be judged here, and why.
    NotJudged(String),
    /// Something of ours failed.
    Failed(String),
    /// The run was cancelled before it was done.
    Cancelled,
}

impl Build {
    /// What can be run, if it can.
    pub fn artifact(&self) -> Option<&Artifact> {
        match self {
            Self::Ready(artifact) => Some(artifact),
            _ => None,
        }
    }
}

/// Why a compiler made no program, and nothing is to be kept of that.
enum Stopped {
    /// It was killed at one of its limits, which the next time may be others, on a machine with less to do.
    Killed(String),
    /// The run was cancelled.
    Cancelled,
    /// Something of ours failed.
    Failed(String),
}

impl From<String> for Stopped {
    fn from(message: String) -> Self {
        Self::Failed(message)
    }
}

/// What is needed to build anything.
pub struct Compiler<'a> {
    /// The table of languages.
    pub languages: &'a Languages,
    /// The tools of this machine.
    pub tools: &'a Toolbox,
    /// Where builds are kept.
    pub store: &'a Store,
    /// The limits of a compiler.
    pub limits: Limits,
    /// Build anew, whatever is kept.
    pub fresh: bool,
    /// The memory that a program will have (`{memlim}`).
    pub memory: Bytes,
    /// The file that a program of several is run at, relative to its directory.
    pub entry_point: Option<&'a str>,
}

/// Kept beside a build.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Kept {
    /// The compiler's words when it refused.
    error: Option<String>,
}

/// The directory of a program and its files relative to it; none for a command.
fn sources(program: &Program) -> Option<(PathBuf, Vec<PathBuf>)> {
    match program {
        Program::Command(_) | Program::Outputs(_) => None,
        Program::File(path) => Some((path.parent()?.to_owned(), vec![PathBuf::from(path.file_name()?)])),
        Program::Directory { path, files } => Some((path.clone(), files.clone())),
    }
}

/// The language of a program in source form, `wanted` where one was named, or why it has none.
pub fn language_of<'l>(
    languages: &'l Languages,
    program: &Program,
    wanted: Option<&str>,
) -> Result<&'l Language, String> {
    if let Some(id) = wanted {
        return languages.get(id).ok_or_else(|| format!("unknown language `{id}`"));
    }
    let (dir, files) = sources(program).ok_or("it has no sources")?;
    let first_line = |file: &Path| first_line(&dir.join(file));
    match languages.detect(&files, &first_line) {
        Detection::One(language) => Ok(language),
        Detection::None { extensions } if extensions.is_empty() => Err("no source files".to_owned()),
        Detection::None { extensions } => Err(format!("no known language has {}", extensions.join(", "))),
    }
}

impl Compiler<'_> {
    /// Builds `program`; `wanted` names its language, otherwise it is detected.
    pub fn build(&self, program: &Program, wanted: Option<&str>, sandbox: &mut dyn Sandbox) -> Build {
        let Some((dir, files)) = sources(program) else {
            return match program {
                Program::Command(command) => self.shell(command),
                Program::Outputs(_) => nothing_to_run(),
                other => Build::Failed(format!("{} has no file name", other.path().unwrap_or(Path::new("")).display())),
            };
        };
        match language_of(self.languages, program, wanted) {
            Ok(language) => self.build_sources(language, &dir, &files, sandbox),
            Err(reason) => Build::NotJudged(reason),
        }
    }

    /// A command line is run by the shell, each word of the user's own.
    fn shell(&self, command: &str) -> Build {
        let argv = ["/bin/sh", "-c", command].map(OsString::from).to_vec();
        let key = Key::of("command v1").field("command", command.as_bytes()).finish();
        let (language, version) = (COMMAND.to_owned(), String::new());
        let (env, sight) = (environment(self.tools.path_variable()), Sight::default());
        Build::Ready(Box::new(Artifact { argv, env, language, version, processes: 0, key, sight, home: None }))
    }

    fn build_sources(&self, language: &Language, dir: &Path, files: &[PathBuf], sandbox: &mut dyn Sandbox) -> Build {
        let read = |file: &Path| fs::read(dir.join(file)).ok().map(|b| String::from_utf8_lossy(&b).into_owned());
        let commands = |at: &Path| {
            let entry_point = self.entry_point;
            language.commands(&BuildInput { dir: at, files, memory: self.memory, read: &read, entry_point })
        };
        let plan = match commands(Path::new("/")) {
            Ok(plan) => plan,
            Err(error) if error.blames_submission() => return Build::CompileError(error.to_string()),
            Err(error) => return Build::NotJudged(error.to_string()),
        };
        let mut toolchains = Vec::new();
        for name in plan.tools() {
            match self.tools.find(name, sandbox, self.store) {
                Some(tool) => toolchains.extend(tool.root),
                None => return Build::NotJudged(language.not_found(name)),
            }
        }
        let version = self.tools.version(&language.version, sandbox, self.store);
        let isolation = sandbox.isolation();
        let key = match self.key(language, &version, &plan, isolation, dir, files) {
            Ok(key) => key,
            Err(error) => return Build::Failed(error),
        };
        let known = if self.fresh { None } else { self.store.artifact::<Kept>(&key) };
        let kept = match known {
            Some(kept) => kept,
            None => match self.compile(key, dir, files, &commands, &toolchains, sandbox) {
                Ok(kept) => kept,
                Err(Stopped::Killed(message)) => return Build::CompileError(message),
                Err(Stopped::Cancelled) => return Build::Cancelled,
                Err(Stopped::Failed(error)) => return Build::Failed(error),
            },
        };
        if let Some(message) = kept.meta.error {
            return Build::CompileError(message);
        }
        let commands = match commands(&sandbox.program_dir(&kept.dir)) {
            Ok(commands) => commands,
            Err(error) => return Build::Failed(error.to_string()),
        };
        let mut env = environment(self.tools.path_in_box(isolation, &toolchains));
        env.extend(commands.env.iter().map(|(name, value)| (name.into(), value.into())));
        Build::Ready(Box::new(Artifact {
            argv: self.argv(&commands.run, sandbox),
            env,
            language: language.id.clone(),
            version,
            processes: language.processes.unwrap_or(0),
            key,
            sight: Sight { program: Some(kept.dir.clone()), toolchains },
            home: Some(kept),
        }))
    }

    fn key(
        &self,
        language: &Language,
        version: &str,
        plan: &Commands,
        isolation: Isolation,
        dir: &Path,
        files: &[PathBuf],
    ) -> Result<Key, String> {
        let mut key = Key::of("artifact v3")
            .field("language", language.id.as_bytes())
            .field("version", version.as_bytes())
            .field("isolation", isolation.name().as_bytes());
        for word in plan.compile.iter().flatten().chain(&plan.run) {
            key = key.field("word", word.as_bytes());
        }
        for (name, value) in &plan.env {
            key = key.field("variable", name.as_bytes()).field("value", value.as_bytes());
        }
        for file in files {
            let path = dir.join(file);
            let digest = self.store.digest_file(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            key = key.field("file", file.as_os_str().as_encoded_bytes()).field("content", digest.as_bytes());
        }
        Ok(key.finish())
    }

    fn compile(
        &self,
        key: Key,
        dir: &Path,
        files: &[PathBuf],
        commands: &dyn Fn(&Path) -> Result<Commands, crate::language::LanguageError>,
        toolchains: &[PathBuf],
        sandbox: &mut dyn Sandbox,
    ) -> Result<crate::store::Artifact<Kept>, Stopped> {
        let sight = Sight { program: None, toolchains: toolchains.to_vec() };
        let workdir = sandbox.fresh_box(Side::Submission, &sight).map_err(|error| crate::error_chain(&error))?;
        let commands = commands(workdir.path()).map_err(|error| error.to_string())?;
        for file in files {
            let name = commands.rename.iter().find(|(from, _)| from == file).map_or(file, |(_, to)| to);
            let from = dir.join(file);
            workdir.put(name, &from).map_err(|error| format!("cannot copy {}: {error}", from.display()))?;
        }
        let mut error = None;
        for step in &commands.compile {
            error = self.step(&commands, step, &workdir, &sight, sandbox)?;
            if error.is_some() {
                break;
            }
        }
        let builder = self.store.build_artifact(key).map_err(|error| format!("cannot keep a build: {error}"))?;
        if error.is_none() {
            match workdir.collect(builder.dir(), MOST_MADE.0) {
                Ok(()) => {}
                Err(failure) if failure.kind() == std::io::ErrorKind::FileTooLarge => {
                    return Err(Stopped::Killed(format!("the compiler made more than {MOST_MADE}")));
                }
                Err(failure) => return Err(format!("cannot keep a build: {failure}").into()),
            }
            error = commands.binary.as_ref().and_then(|binary| missing(binary, &commands, &workdir, builder.dir()));
        }
        Ok(builder.commit(Kept { error }))
    }

    /// Runs one compiler. `Ok(Some)`: it refused, in its words.
    fn step(
        &self,
        commands: &Commands,
        words: &[String],
        workdir: &Workdir,
        sight: &Sight,
        sandbox: &mut dyn Sandbox,
    ) -> Result<Option<String>, Stopped> {
        let argv = self.argv(words, sandbox);
        let path = self.tools.path_in_box(sandbox.isolation(), &sight.toolchains);
        // Compilers call each other by name (cargo calls rustc), and a shim of that name would need a home.
        let own = argv.first().and_then(|tool| Path::new(tool).parent());
        let mut env = environment(own.map_or(path.clone(), |dir| toolbox::with_first(dir, &path)));
        // Not the directory that is kept: compilers leave caches in their home.
        env.extend(["HOME", "TMPDIR"].map(|name| (name.into(), workdir.temp().into())));
        env.extend(commands.env.iter().map(|(name, value)| (name.into(), value.into())));
        let request = Request { argv, env, place: Place::Box(sight.clone()), limits: self.limits.clone(), core: None };
        let mut heard = Heard::default();
        let null = fs::File::open("/dev/null").map_err(|error| format!("/dev/null: {error}"))?;
        let outcome =
            sandbox.run(Side::Submission, &request, null, &mut heard).map_err(|error| crate::error_chain(&error))?;
        let words = |heard: &Heard| {
            let mut text = String::from_utf8_lossy(&heard.err).into_owned();
            text.push_str(&String::from_utf8_lossy(&heard.out));
            // The place of the build says nothing to the reader and differs from run to run.
            text.replace(&format!("{}/", workdir.path().display()), "")
        };
        let reason = match (outcome.killed, outcome.exit) {
            (None, Exit::Code(0)) => return Ok(None),
            (Some(Kill::Cancelled), _) => return Err(Stopped::Cancelled),
            (Some(Kill::Cpu | Kill::Wall), _) => "the compiler took too long".to_owned(),
            (Some(Kill::Memory), _) => format!("the compiler used more than {}", self.limits.memory),
            (Some(Kill::Output), _) => "the compiler printed too much".to_owned(),
            (Some(Kill::Processes), _) => "the compiler started too many processes".to_owned(),
            (None, Exit::Signal(signal)) => format!("the compiler was ended by {}", signal_name(signal)),
            (None, Exit::Code(code)) => {
                let said = words(&heard);
                return Ok(Some(if said.trim().is_empty() {
                    format!("the compiler ended with exit code {code}")
                } else {
                    said
                }));
            }
        };
        Err(Stopped::Killed(format!("{reason}\n{}", words(&heard))))
    }

    fn argv(&self, words: &[String], sandbox: &mut dyn Sandbox) -> Vec<OsString> {
        let mut argv: Vec<OsString> = words.iter().map(OsString::from).collect();
        if let Some(tool) = words.first().and_then(|name| self.tools.find(name, sandbox, self.store)) {
            argv[0] = tool.path.into();
        }
        argv
    }
}

/// What to say where a compiler was content and has not made in `dir` what is to be run: a library, say. None where it has.
fn missing(binary: &Path, commands: &Commands, workdir: &Workdir, dir: &Path) -> Option<String> {
    use std::os::unix::fs::PermissionsExt;
    let name = binary.strip_prefix(workdir.path()).ok()?;
    let is_run = commands.run.first().is_some_and(|word| Path::new(word) == binary);
    let made = fs::metadata(dir.join(name)).is_ok_and(|it| !is_run || it.permissions().mode() & 0o100 != 0);
    (!made).then(|| format!("the compiler made no program `{}`", name.display()))
}

/// What stands for a program where only its outputs are known.
fn nothing_to_run() -> Build {
    let key = Key::of("outputs v1").finish();
    let (language, version, sight) = (OUTPUTS.to_owned(), String::new(), Sight::default());
    let (argv, env) = (Vec::new(), Vec::new());
    Build::Ready(Box::new(Artifact { argv, env, language, version, processes: 0, key, sight, home: None }))
}

fn environment(path: OsString) -> Vec<(OsString, OsString)> {
    vec![("PATH".into(), path), ("LANG".into(), "C.UTF-8".into())]
}

/// The first line of a file, for `#!`; none when it is no text.
pub fn first_line(path: &Path) -> Option<String> {
    use std::io::Read;
    let mut head = Vec::new();
    fs::File::open(path).ok()?.take(256).read_to_end(&mut head).ok()?;
    let line = head.split(|byte| *byte == b'\n').next()?;
    String::from_utf8(line.to_vec()).ok()
}
