//! A program in source form → an artifact that can be run, or the reason why not.
//!
//! Builds are cached by content: the sources, the language's commands, and what the compiler calls itself. A missing
//! compiler is "not judged", never a compile error; a failure of ours is neither.

mod artifact;
mod exhibit;
pub(crate) mod grammar;
mod order;
mod python;
mod scripts;
mod sources;
pub(crate) mod toolbox;

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::language::{self, BuildInput, Commands, Detection, Language, LanguageError, Languages, pattern};
use crate::limits::{Bytes, Limits};
use crate::problem::Program;
use crate::sandbox::{Exit, Isolation, Kill, Place, Request, Sandbox, SandboxError, Side, Sight, Workdir, once_more};
use crate::signal::signal_name;
use crate::store::{ArtifactBuilder, Key, Store};
pub(crate) use artifact::Artifact;
pub(crate) use exhibit::{ExhibitError, exhibit};
pub(crate) use order::BuildOrder;
use sources::{SourceError, Sources};
use toolbox::{Heard, Toolbox, Toolset};

/// More is never taken out of a build.
const MOST_MADE: Bytes = Bytes::mib(1024);

/// The language of a shell command.
const COMMAND: &str = "command";
/// The language of outputs that were submitted without their program.
const OUTPUTS: &str = "outputs";

/// What came of a build.
#[derive(Debug, Clone)]
pub(crate) enum Build {
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

/// Why a program cannot be run.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{name} {}", .cause.told(.reason))]
pub(crate) struct Unbuilt {
    /// The program, as messages call it.
    pub name: String,
    /// Whose fault it is.
    pub cause: UnbuiltCause,
    /// The words of the compiler, what is missing, or what failed.
    pub reason: String,
}

impl Unbuilt {
    /// What happened, to follow the name: `does not compile: …`.
    pub(crate) fn message(&self) -> String {
        self.cause.told(&self.reason)
    }
}

/// Whose fault it is that a program was not built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UnbuiltCause {
    /// The program's: the compiler rejects it.
    Program,
    /// The machine lacks its language.
    Missing,
    /// The grader's own.
    Grader,
    /// Nobody's: the run was cancelled.
    Cancelled,
}

impl UnbuiltCause {
    fn told(self, reason: &str) -> String {
        match self {
            Self::Program => format!("does not compile:\n{reason}"),
            Self::Missing => format!("cannot be run: {reason}"),
            Self::Grader => format!("cannot be built: {reason}"),
            Self::Cancelled => format!("was not built: {reason}"),
        }
    }
}

impl Build {
    /// The program, which messages call `name`.
    ///
    /// # Errors
    /// It cannot be run.
    pub(crate) fn ready(self, name: impl Into<String>) -> Result<Box<Artifact>, Unbuilt> {
        let unbuilt = |cause, reason| Err(Unbuilt { name: name.into(), cause, reason });
        match self {
            Self::Ready(artifact) => Ok(artifact),
            Self::CompileError(words) => unbuilt(UnbuiltCause::Program, words.trim_end().to_owned()),
            Self::NotJudged(reason) => unbuilt(UnbuiltCause::Missing, reason),
            Self::Failed(message) => unbuilt(UnbuiltCause::Grader, message),
            Self::Cancelled => unbuilt(UnbuiltCause::Cancelled, "interrupted".to_owned()),
        }
    }

    /// What can be run, if it can.
    pub(crate) fn artifact(&self) -> Option<&Artifact> {
        match self {
            Self::Ready(artifact) => Some(artifact),
            _ => None,
        }
    }
}

/// Why a compiler made no program; nothing of it is cached.
enum Stopped {
    /// It was killed at one of its limits, which the next time may be others, on a machine with less to do.
    Killed(String),
    /// The run was cancelled.
    Cancelled,
    /// Something of ours failed.
    Failed(String),
}

impl From<SandboxError> for Stopped {
    fn from(error: SandboxError) -> Self {
        Self::Failed(crate::error_chain(&error))
    }
}

impl From<SourceError> for Stopped {
    fn from(error: SourceError) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<LanguageError> for Stopped {
    fn from(error: LanguageError) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<Stopped> for Build {
    fn from(stopped: Stopped) -> Self {
        match stopped {
            Stopped::Killed(message) => Self::CompileError(message),
            Stopped::Cancelled => Self::Cancelled,
            Stopped::Failed(error) => Self::Failed(error),
        }
    }
}

/// What is needed to build anything.
pub(crate) struct Compiler<'a> {
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
}

/// Kept beside a build.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Kept {
    /// The compiler's words when it refused.
    error: Option<String>,
}

/// One command of a build.
struct Step<'a> {
    /// The command; its first word may be the name of a tool.
    words: &'a [String],
    /// Its own variables.
    env: &'a [(String, String)],
    /// The value of `PATH`.
    path: &'a OsStr,
    workdir: &'a Workdir,
    sight: &'a Sight,
    /// Exit codes that refuse nothing.
    content: &'a [i32],
}

/// A build that a compiler refused.
struct Refusal {
    /// Its words.
    words: String,
    why: Why,
}

/// What speaks for the program being at fault.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Why {
    /// The compiler said so.
    Said,
    /// It ended with an error, or made nothing, without a word.
    Silent,
    /// Nothing: a signal that the grader did not send ended it or one of its processes.
    Struck,
}

/// What came of one attempt to build.
enum Attempt<'s> {
    /// What was made.
    Made(ArtifactBuilder<'s>),
    Refused(Refusal),
}

/// The commands for a program whose files are in a directory.
type CommandsIn<'a> = Box<dyn Fn(&Path) -> Result<Commands, LanguageError> + 'a>;

/// How a program is built and run, wherever it lies.
struct Recipe<'a> {
    /// What reports call its language.
    language: String,
    /// What its compiler or interpreter calls itself.
    version: String,
    /// Where that is.
    place: Option<PathBuf>,
    /// What its runtime may use beside the memory limit.
    memory_beside: Bytes,
    /// What the judges of packages would run it with, in words, where that is not installed.
    missing: Option<String>,
    /// At least so many processes and threads.
    processes: u32,
    /// What its tools need.
    tools: Toolset,
    /// Directories of tools that it calls by name.
    bins: Vec<PathBuf>,
    /// Whether it brings its own `build` and `run`, so that the rights of its files matter.
    scripted: bool,
    /// Whether it is a grammar.
    is_grammar: bool,
    /// How its tools say that a signal ended one of their processes, as in [`Language::killed`].
    killed: Option<Vec<String>>,
    /// Files that are no sources, which it finds in its working directory.
    companions: Vec<PathBuf>,
    /// The commands for the directory that the files are in.
    commands: CommandsIn<'a>,
}

/// Why a program has no language.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub(crate) enum NoLanguage {
    /// It has no files.
    #[error("it has no sources")]
    NoSources,
    /// The table has no language of the name that was given.
    #[error("unknown language `{0}`")]
    Unknown(String),
    /// Its files belong to none.
    #[error("{0}")]
    Undetected(language::NoLanguage),
}

/// The language of a program in source form, `code` where its package names one, or why it has none.
pub(crate) fn language_of<'l>(
    languages: &'l Languages,
    program: &Program,
    code: Option<&str>,
) -> Result<&'l Language, NoLanguage> {
    let order = BuildOrder { code, ..BuildOrder::new(program, Bytes(0)) };
    detect(languages, &order, &Sources::of(&order).ok_or(NoLanguage::NoSources)?)
}

fn detect<'l>(
    languages: &'l Languages,
    order: &BuildOrder<'_>,
    sources: &Sources<'_>,
) -> Result<&'l Language, NoLanguage> {
    let unknown = |id: &str| NoLanguage::Unknown(id.to_owned());
    match (order.language, order.code) {
        (Some(id), _) => return languages.get(id).ok_or_else(|| unknown(id)),
        (None, Some(code)) => return languages.get_code(code).ok_or_else(|| unknown(code)),
        (None, None) => {}
    }
    let first_line = |file: &Path| first_line(sources.place(file)?);
    match languages.detect(&sources.names(), &first_line) {
        Detection::One(language) => Ok(language),
        Detection::None(why) => Err(NoLanguage::Undetected(why)),
    }
}

/// A script of the shell that stands in for a submission: it runs in a box, and is not built.
pub(crate) fn stand_in(tools: &Toolbox, script: &str) -> Artifact {
    let argv = ["/bin/sh", "-c", script].map(OsString::from).to_vec();
    let key = Key::of("stand-in v1").field("script", script).finish();
    Artifact::without_files("", argv, environment(tools.path_variable()), key)
}

impl Compiler<'_> {
    /// Builds a program.
    pub(crate) fn build(&self, order: &BuildOrder<'_>, sandbox: &mut dyn Sandbox) -> Build {
        let Some(mut sources) = Sources::of(order) else {
            return match order.program {
                Program::Command(command) => self.shell(command),
                Program::Outputs(_) => nothing_to_run(),
                Program::PackedOutputs { .. } => Build::NotJudged("grader did not unpack its archive".to_owned()),
                other => Build::Failed(format!("{} has no file name", other.path().unwrap_or(Path::new("")).display())),
            };
        };
        if let Err(error) = sources.check() {
            return Build::Failed(error.to_string());
        }
        if let Program::Scripts { .. } = order.program {
            return match scripts::recipe(self, &sources, sandbox) {
                Ok(recipe) => self.make(&recipe, &sources, sandbox),
                Err(error) => Build::CompileError(error.to_string()),
            };
        }
        if let Program::Grammar(_) = order.program {
            return match grammar::interpreter(self.tools, self.store, sandbox) {
                Ok(interpreter) => self.make(&grammar::recipe(interpreter, &sources), &sources, sandbox),
                Err(why) => why.into(),
            };
        }
        let language = match detect(self.languages, order, &sources) {
            Ok(language) => language,
            Err(why) => return Build::NotJudged(why.to_string()),
        };
        let (language, missing) = self.as_judges_do(order, language, sandbox);
        sources.include(order, self.languages, language);
        if let Err(error) = sources.check() {
            return Build::Failed(error.to_string());
        }
        match self.recipe(order, language, missing, &sources, sandbox) {
            Ok(recipe) => self.make(&recipe, &sources, sandbox),
            Err(build) => build,
        }
    }

    /// A command line is run by the shell, each word of the user's own.
    fn shell(&self, command: &str) -> Build {
        let argv = ["/bin/sh", "-c", command].map(OsString::from).to_vec();
        let key = Key::of("command v1").field("command", command.as_bytes()).finish();
        let env = environment(self.tools.path_variable());
        Build::Ready(Box::new(Artifact::without_files(COMMAND, argv, env, key)))
    }

    /// The language that a program is taken for, which in packages is the one that their judges take instead where its tools
    /// are installed; and where they are not, what is missing.
    fn as_judges_do<'l>(
        &'l self,
        order: &BuildOrder<'_>,
        language: &'l Language,
        sandbox: &mut dyn Sandbox,
    ) -> (&'l Language, Option<String>) {
        let wanted = order.as_in_packages && order.language.is_none();
        let Some(other) = wanted.then(|| self.languages.in_packages(language)).flatten() else {
            return (language, None);
        };
        match other.tools().into_iter().find(|tool| self.tools.find(tool, sandbox, self.store).is_none()) {
            Some(tool) => {
                let why = self.tools.why_missing(other, tool);
                (language, Some(format!("judges run it with {}, but here there is {why}", other.name)))
            }
            None => (other, None),
        }
    }

    /// How a program in a language is built; why it is not, where that can be told before.
    fn recipe<'a>(
        &self,
        order: &BuildOrder<'a>,
        language: &'a Language,
        missing: Option<String>,
        sources: &'a Sources<'a>,
        sandbox: &mut dyn Sandbox,
    ) -> Result<Recipe<'a>, Build> {
        let (files, included) = (sources.names(), sources.included());
        let companions = files.iter().filter(|file| language.siblings || !language.has_source(file)).cloned();
        let companions = if files.len() > 1 { companions.collect() } else { Vec::new() };
        let (memory, heap_alone, entry_point) = (order.memory, order.heap_alone, order.entry_point);
        let commands = Box::new(move |dir: &Path| {
            let read = |file: &Path| sources.text(file);
            let (files, included) = (&files[..], &included[..]);
            language.commands(&BuildInput { dir, files, included, memory, heap_alone, read: &read, entry_point })
        });
        let plan = commands(Path::new("/")).map_err(|error| refusal(&error))?;
        let in_place =
            |name: PathBuf| plan.rename.iter().find(|(from, _)| *from == name).map_or(name, |(_, to)| to.clone());
        let companions = companions.into_iter().map(in_place).collect();
        let mut tools = Toolset::default();
        for name in plan.tools() {
            let Some(tool) = self.tools.find(name, sandbox, self.store) else {
                return Err(Build::NotJudged(self.tools.why_missing(language, name)));
            };
            tools.add(tool);
        }
        if let Some(why) = self.tools.why_broken(language, sandbox, self.store) {
            return Err(Build::NotJudged(why));
        }
        Ok(Recipe {
            language: language.id.clone(),
            version: self.tools.version(&language.version, sandbox, self.store),
            place: language
                .version
                .first()
                .and_then(|name| self.tools.find(name, sandbox, self.store))
                .map(|tool| tool.path),
            memory_beside: Bytes::mib(if order.heap_alone { language.memory_beside } else { 0 }),
            missing,
            processes: language.processes.unwrap_or(0),
            tools,
            bins: Vec::new(),
            scripted: false,
            is_grammar: false,
            killed: language.killed.clone(),
            companions,
            commands,
        })
    }

    /// Builds by a recipe, or takes what was built before.
    fn make(&self, recipe: &Recipe<'_>, sources: &Sources<'_>, sandbox: &mut dyn Sandbox) -> Build {
        let isolation = sandbox.isolation();
        let key = match self.key(recipe, sources, isolation) {
            Ok(key) => key,
            Err(stopped) => return stopped.into(),
        };
        let known = if self.fresh { None } else { self.store.artifact::<Kept>(&key) };
        let kept = match known {
            Some(crate::store::Artifact { meta: Kept { error: Some(words) }, .. }) => {
                return Build::CompileError(words);
            }
            Some(kept) => kept,
            None => match self.compile(key, recipe, sources, sandbox) {
                Ok(kept) => kept,
                Err(build) => return build,
            },
        };
        let commands = match (recipe.commands)(&sandbox.program_dir(&kept.dir)) {
            Ok(commands) => commands,
            Err(error) => return Build::Failed(error.to_string()),
        };
        let mut env = environment(self.path(recipe));
        env.extend(recipe.tools.variables.iter().map(|(name, value)| (name.into(), value.into())));
        env.extend(commands.env.iter().map(|(name, value)| (name.into(), value.into())));
        let mut argv = self.argv(&commands.run, sandbox);
        if recipe.scripted && scripts::needs_shell(&kept.dir.join(scripts::RUN)) {
            argv.insert(0, "/bin/sh".into());
        }
        Build::Ready(Box::new(Artifact {
            argv,
            env,
            is_grammar: recipe.is_grammar,
            language: recipe.language.clone(),
            version: recipe.version.clone(),
            place: recipe.place.clone(),
            memory_beside: recipe.memory_beside,
            missing: recipe.missing.clone(),
            processes: recipe.processes,
            key,
            sight: Sight { program: Some(kept.dir.clone()), toolchains: recipe.tools.shown.clone() },
            companions: recipe.companions.clone(),
            entry_point: commands.entry_point,
            renamed: commands.rename.into_iter().map(|(_, name)| name).collect(),
            replaced: sources.replaced.clone(),
            home: Some(kept),
        }))
    }

    /// The value of `PATH` for what a recipe builds and runs.
    fn path(&self, recipe: &Recipe<'_>) -> OsString {
        let path = self.tools.path_in_box(&recipe.tools.shown);
        recipe.bins.iter().rev().fold(path, |path, bin| toolbox::with_first(bin, &path))
    }

    fn key(&self, recipe: &Recipe<'_>, sources: &Sources<'_>, isolation: Isolation) -> Result<Key, Stopped> {
        let mut key = Key::of("artifact v5")
            .field("language", recipe.language.as_bytes())
            .field("version", recipe.version.as_bytes())
            .list("installed", recipe.tools.installed.iter().map(Key::as_bytes))
            .field("isolation", isolation.name().as_bytes());
        let plan = (recipe.commands)(Path::new("/"))?;
        for word in plan.compile.iter().flatten().chain(&plan.run) {
            key = key.field("word", word.as_bytes());
        }
        for (name, value) in &plan.env {
            key = key.field("variable", name.as_bytes()).field("value", value.as_bytes());
        }
        Ok(sources.key(key, self.store, recipe.scripted)?.finish())
    }

    /// Builds by a recipe, and once more where it was no word of the compiler about the program that ended the first
    /// build: the second one counts.
    fn compile(
        &self,
        key: Key,
        recipe: &Recipe<'_>,
        sources: &Sources<'_>,
        sandbox: &mut dyn Sandbox,
    ) -> Result<crate::store::Artifact<Kept>, Build> {
        let doubtful = |attempt: &Result<Attempt<'_>, Stopped>| match attempt {
            Ok(Attempt::Refused(refusal)) => refusal.why != Why::Said || recipe.killed.is_none(),
            _ => false,
        };
        match once_more(|| self.attempt(key, recipe, sources, sandbox), doubtful)? {
            Attempt::Made(builder) => Ok(builder.commit(Kept { error: None })),
            Attempt::Refused(Refusal { words, why: Why::Struck }) => Err(Build::Failed(format!(
                "a process of the compiler was killed in both builds; is the machine short of memory?\n{words}"
            ))),
            Attempt::Refused(Refusal { words, .. }) => {
                // Where there is no room for that, the next run asks the compiler again.
                if let Ok(builder) = self.store.build_artifact(key) {
                    builder.commit(Kept { error: Some(words.clone()) });
                }
                Err(Build::CompileError(words))
            }
        }
    }

    /// Builds once, in a box of its own.
    fn attempt(
        &self,
        key: Key,
        recipe: &Recipe<'_>,
        sources: &Sources<'_>,
        sandbox: &mut dyn Sandbox,
    ) -> Result<Attempt<'_>, Stopped> {
        let sight = Sight { program: None, toolchains: recipe.tools.shown.clone() };
        let workdir = sandbox.fresh_box(Side::Submission, &sight)?;
        let commands = (recipe.commands)(workdir.path())?;
        sources.put(&workdir, &commands.rename)?;
        let path = self.path(recipe);
        let content: &[i32] = if recipe.is_grammar { &[0, 1] } else { &[0] };
        // The limits are those of all steps together.
        let mut limits = self.limits.clone();
        let env = [&recipe.tools.variables[..], &commands.env].concat();
        for words in &commands.compile {
            let (env, path, workdir, sight) = (&env[..], &*path, &workdir, &sight);
            let step = Step { words, env, path, workdir, sight, content };
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

    /// What a build has left in its box, in the store, or beside it where that is full: then it is there for this run.
    fn collected(&self, key: Key, workdir: &Workdir) -> Result<ArtifactBuilder<'_>, Stopped> {
        let lost = |error| {
            let remedy = "free some space there, or set TMPDIR to a directory with more";
            Stopped::Failed(format!("cannot keep a build in {}: {error}; {remedy}", std::env::temp_dir().display()))
        };
        let builder = self.store.build_artifact(key).map_err(lost)?;
        let too_much = || Stopped::Killed(format!("the compiler wrote more than {MOST_MADE}"));
        let failure = match workdir.collect(builder.dir(), MOST_MADE.0) {
            Ok(()) => return Ok(builder),
            Err(failure) if failure.kind() == std::io::ErrorKind::FileTooLarge => return Err(too_much()),
            Err(failure) => failure,
        };
        let builder = builder.elsewhere(&failure).map_err(lost)?;
        workdir.collect(builder.dir(), MOST_MADE.0).map_err(lost)?;
        Ok(builder)
    }

    /// Runs one compiler, and takes what it used off the limits. `Ok(Some)`: it refused.
    fn step(
        &self,
        step: &Step<'_>,
        recipe: &Recipe<'_>,
        limits: &mut Limits,
        sandbox: &mut dyn Sandbox,
    ) -> Result<Option<Refusal>, Stopped> {
        let workdir = step.workdir;
        if limits.cpu.is_zero() || limits.wall.is_zero() {
            return Err(Stopped::Killed("the compiler took too long".to_owned()));
        }
        let argv = self.argv(step.words, sandbox);
        // Compilers call each other by name (cargo calls rustc), and a shim of that name would need a home.
        let own = argv.first().and_then(|tool| Path::new(tool).parent()).filter(|dir| !dir.starts_with(workdir.path()));
        let mut env = environment(own.map_or(step.path.to_owned(), |dir| toolbox::with_first(dir, step.path)));
        // Not the directory that is kept: compilers leave caches in their home.
        env.extend(["HOME", "TMPDIR"].map(|name| (name.into(), workdir.temp().into())));
        env.extend(step.env.iter().map(|(name, value)| (name.into(), value.into())));
        let place = Place::Box(step.sight.clone());
        let request = Request { argv, env, place, limits: limits.clone(), core: None };
        let mut heard = Heard::default();
        let null = fs::File::open("/dev/null").map_err(|error| Stopped::Failed(format!("/dev/null: {error}")))?;
        let outcome = sandbox.run(Side::Submission, &request, null, &mut heard)?;
        limits.cpu = limits.cpu.saturating_sub(outcome.usage.cpu);
        limits.wall = limits.wall.saturating_sub(outcome.usage.wall);
        let words = |heard: &Heard| {
            let mut text = String::from_utf8_lossy(&heard.err).into_owned();
            text.push_str(&String::from_utf8_lossy(&heard.out));
            // The place of the build says nothing to the reader and differs from run to run.
            text.replace(&format!("{}/", workdir.path().display()), "")
        };
        let struck = outcome.outside_signal();
        let reason = match (outcome.killed, outcome.exit) {
            (None, Exit::Code(code)) if step.content.contains(&code) => return Ok(None),
            (Some(Kill::Cancelled), _) => return Err(Stopped::Cancelled),
            (Some(Kill::Cpu | Kill::Wall), _) => "the compiler took too long".to_owned(),
            (Some(Kill::Memory), _) => format!("the compiler used more than {}", self.limits.memory),
            (Some(Kill::Output), _) => "the compiler printed too much".to_owned(),
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
                return Ok(Some(if struck.is_some() || self.tells_of_a_kill(recipe, &mut heard) {
                    Refusal { words: format!("{how}\n{said}").trim_end().to_owned(), why: Why::Struck }
                } else if said.trim().is_empty() {
                    Refusal { words: how, why: Why::Silent }
                } else {
                    Refusal { words: said, why: Why::Said }
                }));
            }
        };
        Err(Stopped::Killed(format!("{reason}\n{}", words(&heard))))
    }

    /// Whether the last words of a compiler are that a signal ended one of its processes, which it alone can see. Only its
    /// limits and the host's OOM killer do that: where it was its limits, they are known already.
    fn tells_of_a_kill(&self, recipe: &Recipe<'_>, heard: &mut Heard) -> bool {
        let known = || self.languages.iter().filter_map(|language| language.killed.clone()).flatten().collect();
        let patterns: Vec<String> = recipe.killed.clone().unwrap_or_else(known);
        // They were tried when the table was read.
        let patterns: Vec<_> = patterns.iter().filter_map(|text| pattern(text).ok()).collect();
        heard.last().split(|byte| *byte == b'\n').any(|line| patterns.iter().any(|pattern| pattern.is_match(line)))
    }

    fn argv(&self, words: &[String], sandbox: &mut dyn Sandbox) -> Vec<OsString> {
        let mut argv: Vec<OsString> = words.iter().map(OsString::from).collect();
        if let Some(tool) = words.first().and_then(|name| self.tools.find(name, sandbox, self.store)) {
            argv[0] = tool.path.into();
        }
        argv
    }
}

/// Why there is nothing to run, although every compiler was content: the file that should have been made is not there, or
/// is a library, say.
fn missing(commands: &Commands, at: &Path, made: &Path, scripted: bool) -> Option<String> {
    let binary = commands.binary.as_deref()?;
    // It is below `at`, as every command is made for it.
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

/// What an error in what a submission consists of comes to.
fn refusal(error: &LanguageError) -> Build {
    match error {
        // Its author, or that of the problem, has named a file that is not there: nothing that could be installed.
        LanguageError::EntryPoint { .. } => Build::Failed(error.to_string()),
        error if error.blames_submission() => Build::CompileError(error.to_string()),
        error => Build::NotJudged(error.to_string()),
    }
}

/// What stands for a program where only its outputs are known.
fn nothing_to_run() -> Build {
    let key = Key::of("outputs v1").finish();
    Build::Ready(Box::new(Artifact::without_files(OUTPUTS, Vec::new(), Vec::new(), key)))
}

fn environment(path: OsString) -> Vec<(OsString, OsString)> {
    vec![("PATH".into(), path), ("LANG".into(), "C.UTF-8".into())]
}

/// The first line of a file, for `#!`; none if it is not text or cannot be read. The caller that needs the file reports why.
pub(crate) fn first_line(path: &Path) -> Option<String> {
    use std::io::Read;
    let mut head = Vec::new();
    fs::File::open(path).ok()?.take(256).read_to_end(&mut head).ok()?;
    let line = head.split(|byte| *byte == b'\n').next()?;
    String::from_utf8(line.to_vec()).ok()
}
