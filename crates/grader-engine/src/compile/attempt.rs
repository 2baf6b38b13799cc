//! One attempt to build: the commands of a recipe in a new box, within the limits of a compiler.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use crate::driver;
use crate::language::{Commands, LanguageError, pattern};
use crate::limits::Limits;
use crate::sandbox::{AttemptError, Exit, Kill, Place, Request, Sandbox, SandboxError, Side, Sight, Workdir};
use crate::signal::signal_name;
use crate::store::{ArtifactBuilder, Key};

use super::prepared::Ready;
use super::sources::{self, SourceError, Sources};
use super::toolbox::{self, ToolStreams};
use super::{Build, Compiler, MOST_MADE, Recipe, environment};

/// The exit code of a shell for a command that is not there.
const NOT_FOUND: i32 = 127;

/// Why a compiler produced no program. Such a failure is not cached.
pub(super) enum CompilerStop {
    /// The compiler was killed at one of its limits. On a less busy machine it may succeed next time.
    Killed(String),
    /// The run was cancelled.
    Cancelled,
    /// A failure of the sandbox.
    Sandbox(SandboxError),
    /// Another failure of grader.
    Failed(String),
}

impl AttemptError for CompilerStop {
    fn is_from_outside(&self) -> bool {
        matches!(self, Self::Sandbox(error) if error.is_from_outside())
    }
}

impl From<SandboxError> for CompilerStop {
    fn from(error: SandboxError) -> Self {
        Self::Sandbox(error)
    }
}

impl From<SourceError> for CompilerStop {
    fn from(error: SourceError) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<LanguageError> for CompilerStop {
    fn from(error: LanguageError) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<CompilerStop> for Build {
    fn from(stopped: CompilerStop) -> Self {
        match stopped {
            CompilerStop::Killed(message) => Self::CompileError(message),
            CompilerStop::Cancelled => Self::Cancelled,
            CompilerStop::Sandbox(error) => Self::Failed(crate::error_chain(&error)),
            CompilerStop::Failed(error) => Self::Failed(error),
        }
    }
}

/// One command of a build.
pub(super) struct Step<'a> {
    /// The command; its first word may be the name of a tool.
    pub(super) words: &'a [String],
    /// The environment variables of the command.
    pub(super) env: &'a [(String, String)],
    /// The value of `PATH`.
    pub(super) path: &'a OsStr,
    pub(super) workdir: &'a Workdir,
    pub(super) sight: &'a Sight,
    /// Exit codes that mean success.
    pub(super) content: &'a [i32],
}

/// A rejection by a compiler.
pub(super) struct Refusal {
    /// The message of the compiler.
    pub(super) words: String,
    pub(super) why: Why,
}

/// The evidence that the program is at fault.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Why {
    /// The compiler said so.
    Said,
    /// The compiler failed, or created no program, without a message.
    Silent,
    /// None: a signal that grader did not send ended the compiler or one of its processes.
    Struck,
    /// None: a script ended with the exit code by which shells say that a command is not there (POSIX, "Exit Status for
    /// Commands").
    Lacks,
}

/// The result of one attempt to build.
pub(super) enum Attempt<'s> {
    /// The build.
    Made(ArtifactBuilder<'s>),
    Refused(Refusal),
}

impl Compiler<'_> {
    /// Builds once, in a new box, with a prepared compiler or without.
    pub(super) fn attempt(
        &self,
        key: Key,
        recipe: &Recipe<'_>,
        sources: &Sources<'_>,
        ready: Option<&Ready<'_>>,
        sandbox: &mut dyn Sandbox,
    ) -> Result<Attempt<'_>, CompilerStop> {
        let toolchains = recipe.tools.shown.iter().cloned().chain(ready.map(|ready| ready.dir.clone())).collect();
        let sight = Sight { toolchains, loopback: recipe.tools.loopback, ..Sight::default() };
        let workdir = sandbox.fresh_box(Side::Submission, &sight)?;
        let commands = (recipe.commands)(workdir.path())?;
        sources.put(&workdir, &commands.rename)?;
        let path = self.path(recipe);
        let content: &[i32] = if recipe.is_grammar { &[0, 1] } else { &[0] };
        // The limits apply to all steps together.
        let mut limits = self.limits;
        let env = [&recipe.tools.variables[..], &commands.env].concat();
        // Later steps start other tools.
        let first = ready.zip(commands.compile.first()).map(|(ready, words)| ready.words(words));
        for words in first.iter().chain(commands.compile.iter().skip(usize::from(first.is_some()))) {
            let step = Step { words, env: &env, path: &path, workdir: &workdir, sight: &sight, content };
            if let Some(refusal) = self.step(&step, recipe, &mut limits, sandbox)? {
                return Ok(Attempt::Refused(refusal));
            }
        }
        let builder = self.collected(key, &workdir)?;
        Ok(match missing(&commands, workdir.path(), builder.dir(), recipe.scripted) {
            None => Attempt::Made(builder),
            Some(words) => Attempt::Refused(Refusal { words, why: Why::Silent }),
        })
    }

    /// Moves the files of a build from its box into the store. If the store is full, moves them to a temporary
    /// directory for this run.
    pub(super) fn collected(&self, key: Key, workdir: &Workdir) -> Result<ArtifactBuilder<'_>, CompilerStop> {
        let lost = |error| {
            let remedy = "free some space there, or set TMPDIR to a directory with more";
            CompilerStop::Failed(format!(
                "cannot keep a build in {}: {error}; {remedy}",
                std::env::temp_dir().display()
            ))
        };
        let builder = self.store.build_artifact(key).map_err(lost)?;
        let too_much = || CompilerStop::Killed(format!("the compiler wrote more than {MOST_MADE}"));
        let failure = match workdir.collect(builder.dir(), MOST_MADE.0) {
            Ok(()) => return Ok(builder),
            Err(failure) if failure.kind() == std::io::ErrorKind::FileTooLarge => return Err(too_much()),
            Err(failure) => failure,
        };
        let builder = builder.elsewhere(&failure).map_err(lost)?;
        workdir.collect(builder.dir(), MOST_MADE.0).map_err(lost)?;
        Ok(builder)
    }

    /// Runs one compiler and subtracts its usage from the limits. `Ok(Some)`: it rejected the program.
    pub(super) fn step(
        &self,
        step: &Step<'_>,
        recipe: &Recipe<'_>,
        limits: &mut Limits,
        sandbox: &mut dyn Sandbox,
    ) -> Result<Option<Refusal>, CompilerStop> {
        let workdir = step.workdir;
        if limits.cpu.is_zero() || limits.wall.is_zero() {
            return Err(CompilerStop::Killed("the compiler took too long".to_owned()));
        }
        let argv = self.argv(step.words, sandbox);
        // Compilers call each other by name (cargo calls rustc), and a shim with that name would need a home directory.
        let own = argv.first().and_then(|tool| Path::new(tool).parent()).filter(|dir| !dir.starts_with(workdir.path()));
        let mut env = environment(own.map_or(step.path.to_owned(), |dir| toolbox::with_first(dir, step.path)));
        // Not the directory of the build: compilers leave caches in their home.
        env.extend(["HOME", "TMPDIR"].map(|name| (name.into(), workdir.temp().into())));
        env.extend(step.env.iter().map(|(name, value)| (name.into(), value.into())));
        let place = Place::Box(step.sight.clone());
        let request = Request { argv, env, place, limits: *limits, core: None };
        let mut heard = ToolStreams::default();
        let null = fs::File::open("/dev/null").map_err(|error| CompilerStop::Failed(format!("/dev/null: {error}")))?;
        let outcome = sandbox.run(Side::Submission, &request, null, &mut heard)?;
        limits.cpu = limits.cpu.saturating_sub(outcome.usage.cpu);
        limits.wall = limits.wall.saturating_sub(outcome.usage.wall);
        let words = |heard: &ToolStreams| {
            let mut text = String::from_utf8_lossy(&heard.err).into_owned();
            text.push_str(&String::from_utf8_lossy(&heard.out));
            // The build directory means nothing to the reader and differs from run to run.
            let text = text.replace(&format!("{}/", workdir.path().display()), "");
            driver::assertions_in(&text).unwrap_or(text)
        };
        let struck = outcome.outside_signal();
        let reason = match (outcome.killed, outcome.exit) {
            (None, Exit::Code(code)) if step.content.contains(&code) => return Ok(None),
            (Some(Kill::Cancelled), _) => return Err(CompilerStop::Cancelled),
            (Some(Kill::Cpu | Kill::Wall), _) => "the compiler took too long".to_owned(),
            (Some(Kill::Memory), _) => format!("the compiler used more than {}", self.limits.memory),
            (Some(Kill::Output), _) => "the compiler printed too much".to_owned(),
            (Some(Kill::Files), _) => "the compiler wrote too many or too large files".to_owned(),
            (Some(Kill::Processes), _) => "the compiler started too many processes".to_owned(),
            (None, Exit::Signal(signal)) if struck.is_none() => {
                format!("{} ended the compiler", signal_name(signal))
            }
            (None, exit) => {
                let said = words(&heard);
                let how = match (struck, exit) {
                    (Some(signal), _) | (None, Exit::Signal(signal)) => {
                        format!("{} ended the compiler", signal_name(signal))
                    }
                    (None, Exit::Code(code)) => format!("the compiler ended with exit code {code}"),
                };
                let why = if struck.is_some() || self.tells_of_a_kill(recipe, &mut heard) {
                    Why::Struck
                } else if recipe.scripted && exit == Exit::Code(NOT_FOUND) {
                    Why::Lacks
                } else if said.trim().is_empty() {
                    Why::Silent
                } else {
                    Why::Said
                };
                let words = match why {
                    Why::Struck => format!("{how}\n{said}").trim_end().to_owned(),
                    _ if said.trim().is_empty() => how,
                    _ => said,
                };
                return Ok(Some(Refusal { words, why }));
            }
        };
        Err(CompilerStop::Killed(format!("{reason}\n{}", words(&heard))))
    }

    /// Whether a compiler's last lines report that a signal ended one of its processes, which grader cannot see. Only
    /// the limits and the host's OOM killer send such signals, and exceeded limits are already handled.
    fn tells_of_a_kill(&self, recipe: &Recipe<'_>, heard: &mut ToolStreams) -> bool {
        let known = || self.languages.iter().filter_map(|language| language.killed.clone()).flatten().collect();
        let patterns: Vec<String> = recipe.killed.clone().unwrap_or_else(known);
        // The patterns were checked when the table was read.
        let patterns: Vec<_> = patterns.iter().filter_map(|text| pattern(text).ok()).collect();
        heard.last().split(|byte| *byte == b'\n').any(|line| patterns.iter().any(|pattern| pattern.is_match(line)))
    }
}

/// Explains why nothing can run although no compiler reported an error: the expected file is missing, or it is not
/// executable.
fn missing(commands: &Commands, at: &Path, made: &Path, scripted: bool) -> Option<String> {
    let binary = commands.binary.as_deref()?;
    // Always below `at`, because every command is made for that directory.
    let name = binary.strip_prefix(at).ok()?;
    let file = made.join(name);
    let is_run = scripted || commands.run.first().is_some_and(|word| Path::new(word) == binary);
    if file.is_file() && (!is_run || sources::is_executable(&file)) {
        return None;
    }
    Some(match (scripted, file.is_file()) {
        (true, true) => format!("`{}` is not executable: chmod +x it", name.display()),
        (true, false) => format!("no `{}` after the build", name.display()),
        (false, _) => "the compiler reported no error but created no program; is there a main program?".to_owned(),
    })
}
