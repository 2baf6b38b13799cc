//! Builds a program from its sources: returns an artifact that can run, or the reason why it was not built.
//!
//! Builds are cached by their content: the sources, the commands of the language, and the version of the compiler. A
//! missing compiler is "not judged", never a compile error. A failure of grader is neither.
//!
//! Its files:
//!
//! - `order`, `sources`: the program to build, and its files
//! - `author`: the author of a program, and the resources of the user that it may use
//! - `toolbox`, `python`: the installed tools and where they are; what Python needs
//! - `scripts`: programs with `build` and `run`
//! - `grammar`: interpreters for grammars of checktestdata
//! - `libraries`, `spread`: libraries outside the folder of a program; programs whose files lie in several folders
//! - `projects`: build files that own the programs of a user
//! - `prepared`: compiler work that is done once for all programs
//! - `sanitize`: builds with sanitizers
//! - `coverage`: builds that record which lines are executed
//! - `testlib`: the header of testlib for programs that include it
//! - `submission_copy`: a submission as static validators see it

mod artifact;
mod attempt;
pub mod author;
mod build;
mod coverage;
pub mod grammar;
pub mod libraries;
mod order;
mod prepared;
pub mod projects;
mod python;
pub mod sanitize;
mod scripts;
mod sources;
mod spread;
mod submission_copy;
pub mod testlib;
pub mod toolbox;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::language::{self, BuildInput, Commands, Detection, Language, LanguageError, Languages};
use crate::limits::{Bytes, Limits};
use crate::problem::{Program, Protocol, named};
use crate::sandbox::{Isolation, Sandbox, Sight, once_more};
use crate::store::{Key, Store};
pub use artifact::Artifact;
use attempt::{Attempt, CompilerStop, Refusal, Step, Why};
use author::Author;
pub use build::{Build, BuildFailure, UnbuiltCause};
use libraries::{Header, Libraries};
pub use order::BuildOrder;
pub use prepared::PreparedCompilers;
use projects::Project;
use sources::Sources;
use spread::SpreadProgram;
pub use submission_copy::{ExhibitError, exhibit};
use testlib::OwnHeaderUse;
use toolbox::{Toolbox, Toolset};

/// The largest total size of the files that a build may leave.
const MOST_MADE: Bytes = Bytes::mib(1024);

/// The language name of a shell command.
const COMMAND: &str = "command";
/// The language name of outputs that were submitted without their program.
const OUTPUTS: &str = "outputs";

/// The inputs that all builds share.
pub(crate) struct Compiler<'a> {
    /// The table of languages.
    pub languages: &'a Languages,
    /// The tools of this machine.
    pub tools: &'a Toolbox,
    /// The store with earlier builds.
    pub store: &'a Store,
    /// The limits of a compiler.
    pub limits: Limits,
    /// Whether to build again even if the store has a build.
    pub fresh: bool,
    /// Whether to build with sanitizers, if the language has them.
    pub sanitize: bool,
    /// The prepared compilers.
    pub prepared: &'a PreparedCompilers,
    /// The author of the programs.
    pub author: &'a Author,
    /// The header of testlib that the settings name.
    pub testlib: Option<PathBuf>,
    /// Whether programs were built with grader's own header of testlib.
    pub own_testlib: &'a OwnHeaderUse,
}

/// The metadata that are stored with a build.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct KeptBuild {
    /// The message of the compiler, if it rejected the program.
    error: Option<String>,
}

/// Computes the commands for a program whose files are in a given directory.
type CommandsIn<'a> = Box<dyn Fn(&Path) -> Result<Commands, LanguageError> + 'a>;

/// How to build and run a program, independent of its directory.
struct Recipe<'a> {
    /// The name of its language in reports.
    language: String,
    /// The version line of its compiler or interpreter.
    version: String,
    /// The path of its compiler or interpreter, if known.
    place: Option<PathBuf>,
    /// The memory that its runtime may use in addition to the memory limit.
    memory_beside: Bytes,
    /// A description of the tool that judges of packages would use, if it is not installed here.
    missing: Option<String>,
    /// Which of several classes it starts, if the choice is a guess.
    class_choice: Option<String>,
    /// The least number of processes and threads that it needs.
    processes: u32,
    /// The requirements of its tools.
    tools: Toolset,
    /// Directories of tools that it calls by name.
    bins: Vec<PathBuf>,
    /// Whether it has its own `build` and `run`, so that the permissions of its files matter.
    scripted: bool,
    /// Whether it is a grammar.
    is_grammar: bool,
    /// Patterns with which its tools report that a signal ended one of their processes, as in [`Language::killed`].
    killed: Option<Vec<String>>,
    /// Files other than sources, which it finds in its working directory.
    companions: Vec<PathBuf>,
    /// Computes the commands for the directory that contains the files.
    commands: CommandsIn<'a>,
}

/// Why a program has no language.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NoLanguage {
    /// The program has no files.
    #[error("it has no sources")]
    NoSources,
    /// The given name is not in the table of languages.
    #[error("unknown language `{0}`")]
    Unknown(String),
    /// Its files match no language.
    #[error("{0}")]
    Undetected(language::NoLanguage),
}

/// Finds the language of a program from its sources: from the file that starts, if it is known, or from `code` if its
/// package names one.
pub fn language_of<'l>(
    languages: &'l Languages,
    program: &Program,
    code: Option<&str>,
    entry_point: Option<&str>,
) -> Result<&'l Language, NoLanguage> {
    let order = BuildOrder { code, entry_point, ..BuildOrder::new(program, Bytes(0)) };
    detect(languages, &order, &Sources::of(&order).ok_or(NoLanguage::NoSources)?)
}

/// Which of several classes with `main` a program starts, if nothing but their names decides.
pub fn class_choice(languages: &Languages, order: &BuildOrder<'_>) -> Option<String> {
    let sources = Sources::of(order)?;
    // A program in no known language, or without sources, is reported when it is built.
    let language = detect(languages, order, &sources).ok().filter(|language| language.main_class.is_some())?;
    let read = |file: &Path| sources.text(file);
    let input = BuildInput {
        dir: Path::new("/"),
        files: &sources.names(),
        included: &[],
        memory: order.memory,
        heap_alone: order.heap_alone,
        read: &read,
        entry_point: order.entry_point,
    };
    language.commands(&input).ok()?.class_choice
}

/// The libraries of a program. None if its language is unknown or a folder of them is missing, which is reported
/// when the program is built.
pub fn libraries_of(languages: &Languages, author: &Author, order: &BuildOrder<'_>) -> Option<Libraries> {
    let sources = Sources::of(order)?;
    let language = detect(languages, order, &sources).ok()?;
    let libraries = Libraries::of(author, order, language, &sources.names()).ok()?;
    let others = spread_of(languages, author, order).map(|spread| spread.others).unwrap_or_default();
    Some(libraries.with(others))
}

/// The program of the user with its files in other folders, if there are any. A project has all its files.
fn spread_of(languages: &Languages, author: &Author, order: &BuildOrder<'_>) -> Option<SpreadProgram> {
    let Author::User(desk) = author else { return None };
    let spread = SpreadProgram::of(desk, order, &Sources::of(order)?)?;
    project_of(languages, author, order).is_none().then_some(spread)
}

/// The project that a program of the user is built with, if there is one.
pub fn project_of(languages: &Languages, author: &Author, order: &BuildOrder<'_>) -> Option<Project> {
    let Author::User(desk) = author else { return None };
    let sources = Sources::of(order)?;
    Project::of(desk, order, detect(languages, order, &sources).ok()?, &sources)
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
    let beginning = |file: &Path| beginning(sources.place(file)?);
    let names = sources.names();
    // An entry point may be a class.
    let entry = order.entry_point.map(PathBuf::from).filter(|entry| names.contains(entry));
    if let Some(Detection::One(language)) = entry.map(|entry| languages.detect(&[entry], &beginning)) {
        return Ok(language);
    }
    match languages.detect(&names, &beginning) {
        Detection::One(language) => Ok(language),
        Detection::None(why) => Err(NoLanguage::Undetected(why)),
    }
}

/// Creates an artifact of a shell script that replaces a submission. It runs in a box and needs no build.
pub fn stand_in(tools: &Toolbox, script: &str) -> Artifact {
    let argv = ["/bin/sh", "-c", script].map(OsString::from).to_vec();
    let key = Key::of("stand-in v1").field("script", script).finish();
    Artifact::without_files("", argv, environment(tools.path_variable()), key)
}

impl Compiler<'_> {
    /// Builds a program.
    pub(crate) fn build(&self, order: &BuildOrder<'_>, sandbox: &mut dyn Sandbox) -> Build {
        let spread = spread_of(self.languages, self.author, order);
        let whole = spread.as_ref().map(|SpreadProgram { program, entry, .. }| BuildOrder {
            program,
            entry_point: Some(entry),
            ..*order
        });
        self.build_whole(whole.as_ref().unwrap_or(order), sandbox)
    }

    /// Builds a program with exactly these files.
    fn build_whole(&self, order: &BuildOrder<'_>, sandbox: &mut dyn Sandbox) -> Build {
        self.prepared.begin();
        let Some(mut sources) = Sources::of(order) else {
            return match order.program {
                Program::Command(command) => self.shell(command),
                Program::Outputs(_) => nothing_to_run(),
                Program::PackedOutputs { .. } => Build::NotJudged("grader did not unpack its archive".to_owned()),
                other => Build::Failed(format!("{} has no file name", named(other.path().unwrap_or(Path::new(""))))),
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
        let language = self.or_another(order, language, sandbox);
        if let Some(build) = sources::without_driver(order, self.languages, language) {
            return build;
        }
        sources.include(order, self.languages, language);
        if let Some(words) = sources::refusal(&sources, language) {
            return Build::CompileError(words);
        }
        match Libraries::of(self.author, order, language, &sources.names()) {
            Ok(libraries) => sources.libraries = libraries,
            Err(error) => return Build::NotJudged(error.to_string()),
        }
        let header = match testlib::header_for(order, language, &sources, self.testlib.as_deref()) {
            Ok(header) => header,
            Err(error) => return Build::Failed(error.to_string()),
        };
        let is_own = matches!(header, Some(Header::Own(_)));
        sources.libraries.add_header(header);
        if let Err(error) = sources.check() {
            return Build::Failed(error.to_string());
        }
        let build = self.build_sources(order, language, missing.as_deref(), &sources, sandbox);
        if !is_own {
            return build;
        }
        self.own_testlib.note();
        testlib::with_own(build)
    }

    /// Builds a program from all its sources: by its project, or in its language.
    fn build_sources(
        &self,
        order: &BuildOrder<'_>,
        language: &Language,
        missing: Option<&str>,
        sources: &Sources<'_>,
        sandbox: &mut dyn Sandbox,
    ) -> Build {
        if let Author::User(desk) = self.author
            && let Some(project) =
                Project::of(desk, order, language, sources).filter(|_| !self.sanitize && !order.covered)
        {
            let built = self.in_project((&project, desk), order, language, sources, sandbox);
            if !project.may_do_without(&built) {
                return built;
            }
            let alone = self.in_language(order, language, missing, sources, sandbox);
            return if alone.artifact().is_some() { alone } else { built };
        }
        self.in_language(order, language, missing, sources, sandbox)
    }

    /// Builds a program by a row of the table.
    fn by_row(
        &self,
        order: &BuildOrder<'_>,
        language: &Language,
        missing: Option<&str>,
        sources: &Sources<'_>,
        sandbox: &mut dyn Sandbox,
    ) -> Build {
        match self.recipe(order, language, missing.map(str::to_owned), sources, sandbox) {
            Ok(recipe) => self.make(&recipe, sources, sandbox),
            Err(build) => build,
        }
    }

    /// Prepares a command line. The shell runs it as typed.
    fn shell(&self, command: &str) -> Build {
        let argv = ["/bin/sh", "-c", command].map(OsString::from).to_vec();
        let key = Key::of("command v1").field("command", command.as_bytes()).finish();
        let boxed = |env| Artifact::without_files(COMMAND, argv, env, key);
        Build::Ready(Box::new(match self.author.desk_of_commands() {
            Some(desk) => Artifact { desk: Some(desk.dir.clone()), ..boxed(desk.environment.clone()) },
            None => boxed(environment(self.tools.path_variable())),
        }))
    }

    /// Returns the language for a program. For packages, this is the language that their judges use instead, if its
    /// tools are installed. If they are not, also describes the missing tool.
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

    /// Returns the language, or, if its tools are not installed, the first one that may run its programs and is.
    fn or_another<'l>(
        &'l self,
        order: &BuildOrder<'_>,
        language: &'l Language,
        sandbox: &mut dyn Sandbox,
    ) -> &'l Language {
        let mut works = |language: &Language| {
            let has_all = language.tools().iter().all(|tool| self.tools.find(tool, sandbox, self.store).is_some());
            has_all && self.tools.why_broken(language, sandbox, self.store).is_none()
        };
        if order.language.is_some() || language.otherwise.is_empty() || works(language) {
            return language;
        }
        self.languages.otherwise(language).find(|other| works(other)).unwrap_or(language)
    }

    /// Returns the recipe for a program in a language, or the build result if a problem is known before building.
    fn recipe<'a>(
        &self,
        order: &BuildOrder<'a>,
        language: &'a Language,
        missing: Option<String>,
        sources: &'a Sources<'a>,
        sandbox: &mut dyn Sandbox,
    ) -> Result<Recipe<'a>, Build> {
        let files = sources.names();
        let included = sources.included();
        if let Some(why) = sources::lacks_library(language, &included) {
            return Err(Build::NotJudged(why));
        }
        let companions = files.iter().filter(|file| language.siblings || !language.has_source(file)).cloned();
        let companions = if files.len() > 1 { companions.collect() } else { Vec::new() };
        let &BuildOrder { memory, heap_alone, entry_point, .. } = order;
        let commands = Box::new(move |dir: &Path| {
            let read = |file: &Path| sources.text(file);
            let input =
                BuildInput { dir, files: &files, included: &included, memory, heap_alone, read: &read, entry_point };
            language.commands(&input)
        });
        let commands: CommandsIn<'a> = commands;
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
        let recipe = Recipe {
            language: language.reported_id().to_owned(),
            version: self.tools.version(&language.version, sandbox, self.store),
            place: language
                .version
                .first()
                .and_then(|name| self.tools.find(name, sandbox, self.store))
                .map(|tool| tool.path),
            memory_beside: Bytes::mib(if order.heap_alone { language.memory_beside } else { 0 }),
            missing,
            class_choice: plan.class_choice.clone(),
            processes: language.processes.unwrap_or(0),
            tools,
            bins: Vec::new(),
            scripted: false,
            is_grammar: false,
            killed: language.killed.clone(),
            companions,
            commands,
        };
        Ok(sources.libraries.add_to(recipe, language))
    }

    /// Builds by a recipe, or takes the build from the store.
    fn make(&self, recipe: &Recipe<'_>, sources: &Sources<'_>, sandbox: &mut dyn Sandbox) -> Build {
        let isolation = sandbox.isolation();
        let key = match self.key(recipe, sources, isolation) {
            Ok(key) => key,
            Err(stopped) => return stopped.into(),
        };
        let known = if self.fresh { None } else { self.store.artifact::<KeptBuild>(&key) };
        let kept = match known {
            Some(crate::store::Artifact { meta: KeptBuild { error: Some(words) }, .. }) => {
                return Build::CompileError(words);
            }
            Some(kept) => kept,
            None => match self.compile(key, recipe, sources, sandbox) {
                Ok(kept) => kept,
                Err(build) => return build,
            },
        };
        let folder = sandbox.program_dir(&kept.dir);
        let commands = match (recipe.commands)(&folder) {
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
            protocol: Protocol::default(),
            language: recipe.language.clone(),
            version: recipe.version.clone(),
            place: recipe.place.clone(),
            memory_beside: recipe.memory_beside,
            missing: recipe.missing.clone(),
            class_choice: recipe.class_choice.clone(),
            processes: recipe.processes,
            key,
            sight: Sight {
                program: Some(kept.dir.clone()),
                toolchains: recipe.tools.shown.clone(),
                ..Sight::default()
            },
            desk: None,
            companions: recipe.companions.clone(),
            entry_point: commands.entry_point,
            renamed: commands.rename.into_iter().map(|(_, name)| name).collect(),
            replaced: sources.replaced.clone(),
            folder: Some(folder),
            sanitized: None,
            coverage: None,
            home: Some(kept),
        }))
    }

    /// The value of `PATH` for building and running by a recipe.
    fn path(&self, recipe: &Recipe<'_>) -> OsString {
        let path = self.tools.path_in_box(&recipe.tools.shown);
        recipe.bins.iter().rev().fold(path, |path, bin| toolbox::with_first(bin, &path))
    }

    fn key(&self, recipe: &Recipe<'_>, sources: &Sources<'_>, isolation: Isolation) -> Result<Key, CompilerStop> {
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

    /// Builds by a recipe. Builds once more, and counts the second build, if the first one failed without an error
    /// message of the compiler about the program.
    fn compile(
        &self,
        key: Key,
        recipe: &Recipe<'_>,
        sources: &Sources<'_>,
        sandbox: &mut dyn Sandbox,
    ) -> Result<crate::store::Artifact<KeptBuild>, Build> {
        let doubtful = |attempt: &Attempt<'_>| match attempt {
            Attempt::Refused(refusal) => match refusal.why {
                Why::Said => recipe.killed.is_none(),
                Why::Silent | Why::Struck => true,
                Why::Lacks => false,
            },
            Attempt::Made(_) => false,
        };
        // A program that fails with a prepared compiler is compiled again without it. Only that result counts.
        if let Some(ready) = self.prepared(recipe, sources, sandbox)?
            && let Ok(Attempt::Made(builder)) = self.attempt(key, recipe, sources, Some(&ready), sandbox)
        {
            return Ok(builder.commit(KeptBuild { error: None }));
        }
        match once_more(|| self.attempt(key, recipe, sources, None, sandbox), doubtful)? {
            Attempt::Made(builder) => Ok(builder.commit(KeptBuild { error: None })),
            Attempt::Refused(Refusal { words, why: Why::Struck }) => Err(Build::Failed(format!(
                "a process of the compiler was killed in both builds; is the machine short of memory?\n{words}"
            ))),
            Attempt::Refused(Refusal { words, why: Why::Lacks }) => Err(Build::NotJudged(words.trim_end().to_owned())),
            Attempt::Refused(Refusal { words, .. }) => {
                // A tool that a script lacks may be installed later. If the store has no room, the next run compiles
                // again.
                if !recipe.scripted
                    && let Ok(builder) = self.store.build_artifact(key)
                {
                    builder.commit(KeptBuild { error: Some(words.clone()) });
                }
                Err(Build::CompileError(words))
            }
        }
    }

    fn argv(&self, words: &[String], sandbox: &mut dyn Sandbox) -> Vec<OsString> {
        let mut argv: Vec<OsString> = words.iter().map(OsString::from).collect();
        if let Some(tool) = words.first().and_then(|name| self.tools.find(name, sandbox, self.store)) {
            argv[0] = tool.path.into();
        }
        argv
    }
}

/// Turns an error in the files of a submission into a build result.
fn refusal(error: &LanguageError) -> Build {
    match error {
        // The author of the submission or of the problem named a missing file. Installing a tool would not help.
        LanguageError::EntryPoint { .. } => Build::Failed(error.to_string()),
        error if error.blames_submission() => Build::CompileError(error.to_string()),
        error => Build::NotJudged(error.to_string()),
    }
}

/// Creates the artifact of a submission that consists of outputs.
fn nothing_to_run() -> Build {
    let key = Key::of("outputs v1").finish();
    Build::Ready(Box::new(Artifact::without_files(OUTPUTS, Vec::new(), Vec::new(), key)))
}

fn environment(path: OsString) -> Vec<(OsString, OsString)> {
    vec![("PATH".into(), path), ("LANG".into(), "C.UTF-8".into())]
}

/// The first 64 KiB of a file, by which its language may be known. None if it cannot be read; the caller that needs it
/// reports why.
pub fn beginning(path: &Path) -> Option<String> {
    use std::io::Read;
    let mut head = Vec::new();
    fs::File::open(path).ok()?.take(64 << 10).read_to_end(&mut head).ok()?;
    Some(String::from_utf8_lossy(&head).into_owned())
}
