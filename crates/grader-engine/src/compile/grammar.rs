//! Builds checktestdata grammars, which validate inputs. A program called checktestdata interprets them.

use std::ffi::OsString;
use std::path::Path;

use crate::language::Commands;
use crate::limits::Bytes;
use crate::sandbox::{Exit, Kill, Place, Request, Sandbox, SandboxError, Side, Sight, once_more};

use super::sources::Sources;
use super::toolbox::{self, GrammarTool, INSTALL, Tool, ToolStreams, Toolbox, Toolset};
pub use super::toolbox::{AbsentReason, CHECKTESTDATA};
use super::{Build, CompilerStop, Recipe, environment};
use crate::store::Store;

/// The commands of the maintained implementations, to which the grammar file is added. All end with 0 if the input
/// matches, with 1 if it does not, and with 2 for an error in the grammar.
const INTERPRETERS: [&[&str]; 3] = [
    &["checktestdata"],
    &["pyctd"],
    // As a module, in case `pyctd` is a shim or lies outside the box. Isolated (`-I`), because modules in the working
    // directory could have the same names.
    &["python3", "-I", "-m", "checktestdata"],
];

/// Why grammars cannot be interpreted.
pub(super) enum NoInterpreter {
    /// No implementation works here.
    Absent(AbsentReason),
    /// The search failed, so it is unknown whether one works.
    Stopped(CompilerStop),
}

impl From<CompilerStop> for NoInterpreter {
    fn from(stopped: CompilerStop) -> Self {
        Self::Stopped(stopped)
    }
}

impl From<NoInterpreter> for Build {
    fn from(why: NoInterpreter) -> Self {
        match why {
            NoInterpreter::Absent(absent) => Self::NotJudged(absent.to_string()),
            NoInterpreter::Stopped(stopped) => stopped.into(),
        }
    }
}

/// Why the version of the interpreter of grammars is unknown.
#[derive(Debug, thiserror::Error)]
pub enum VersionError {
    /// The interpreter is missing.
    #[error(transparent)]
    Absent(#[from] AbsentReason),
    /// The command was cancelled.
    #[error("cannot check its version: interrupted")]
    Cancelled,
    /// The interpreter could not be run.
    #[error("cannot check its version: {0}")]
    Failed(String),
}

/// Returns the first implementation that runs in a box.
///
/// Tries each implementation in a box instead of only looking for it. A script whose modules cannot be seen in the box
/// ends with 1, which would look as if it had rejected every input.
pub(super) fn interpreter(
    tools: &Toolbox,
    store: &Store,
    sandbox: &mut dyn Sandbox,
) -> Result<GrammarTool, NoInterpreter> {
    if let Some(known) = tools.interpreter.get() {
        return known.clone().map_err(NoInterpreter::Absent);
    }
    let why = tools.lacks_path().unwrap_or_else(|| INSTALL.to_owned());
    let mut found = Err(AbsentReason::NotFound(why));
    for words in INTERPRETERS {
        let Some(tool) = tools.find(words[0], sandbox, store) else { continue };
        let Some(version) = answer(tools, &tool, &words[1..], sandbox)? else {
            // A Python without such a module is not worth a message.
            if words.len() == 1 {
                found = Err(AbsentReason::Unusable(tool.path));
            }
            continue;
        };
        let words = words.iter().map(|word| (*word).to_owned()).collect();
        let mut tools = Toolset::default();
        tools.add(tool);
        found = Ok(GrammarTool { words, version, tools });
        break;
    }
    tools.interpreter.get_or_init(|| found).clone().map_err(NoInterpreter::Absent)
}

/// Returns the version line of the interpreter of grammars, or the reason why none runs in a box.
///
/// # Errors
/// None runs in a box, or it could not be asked.
pub fn version(tools: &Toolbox, store: &Store, sandbox: &mut dyn Sandbox) -> Result<String, VersionError> {
    interpreter(tools, store, sandbox).map(|interpreter| interpreter.version).map_err(|why| match why {
        NoInterpreter::Absent(absent) => VersionError::Absent(absent),
        NoInterpreter::Stopped(CompilerStop::Cancelled) => VersionError::Cancelled,
        NoInterpreter::Stopped(CompilerStop::Failed(reason) | CompilerStop::Killed(reason)) => {
            VersionError::Failed(reason)
        }
        NoInterpreter::Stopped(CompilerStop::Sandbox(error)) => VersionError::Failed(crate::error_chain(&error)),
    })
}

/// Returns the answer of an implementation to `--version` in a box; none if it does not work.
fn answer(
    tools: &Toolbox,
    tool: &Tool,
    more: &[&str],
    sandbox: &mut dyn Sandbox,
) -> Result<Option<String>, CompilerStop> {
    let sight = Sight { program: None, toolchains: tool.shown.clone(), ..Sight::default() };
    let words = more.iter().chain(&["--version"]).map(OsString::from);
    let argv: Vec<OsString> = std::iter::once(tool.path.clone().into()).chain(words).collect();
    let mut heard = ToolStreams::default();
    let run = || {
        let workdir = sandbox.fresh_box(Side::Submission, &sight)?;
        let mut env = environment(tools.path_in_box(&sight.toolchains));
        env.push(("HOME".into(), workdir.temp().into()));
        env.extend(tool.variables.iter().map(|(name, value)| (name.into(), value.into())));
        let argv = argv.clone();
        let place = Place::Box(sight.clone());
        let request = Request { argv, env, place, limits: toolbox::asking(), core: None };
        heard = ToolStreams::default();
        sandbox.run(Side::Submission, &request, toolbox::nothing()?, &mut heard)
    };
    let outcome = match once_more(run, |outcome| outcome.outside_signal().is_some()) {
        Ok(outcome) if outcome.killed == Some(Kill::Cancelled) => return Err(CompilerStop::Cancelled),
        Ok(outcome) if outcome.outside_signal().is_some() => {
            return Err(CompilerStop::Failed(format!("{} was killed in both runs", tool.path.display())));
        }
        Ok(outcome) => outcome,
        // A script whose own interpreter is not in the box.
        Err(SandboxError::Exec { .. }) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let said = String::from_utf8_lossy(&heard.out);
    let line = said.lines().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned);
    Ok(line.filter(|_| outcome.killed.is_none() && outcome.exit == Exit::Code(0)))
}

/// Returns the command that interprets a grammar. To build a grammar is to try it on an empty input, as problemtools
/// does: this reports a mistake in it before the first test.
pub(super) fn recipe<'a>(interpreter: GrammarTool, sources: &Sources<'_>) -> Recipe<'a> {
    let file = sources.names().into_iter().next().unwrap_or_default();
    let GrammarTool { words, version, tools } = interpreter;
    let commands = move |dir: &Path| {
        let path = dir.join(&file).to_string_lossy().into_owned();
        let run: Vec<String> = words.iter().cloned().chain([path]).collect();
        Ok(Commands {
            rename: Vec::new(),
            compile: vec![run.clone()],
            run,
            entry_point: file.display().to_string(),
            class_choice: None,
            env: Vec::new(),
            binary: None,
        })
    };
    Recipe {
        language: CHECKTESTDATA.to_owned(),
        version,
        processes: 0,
        place: None,
        memory_beside: Bytes(0),
        missing: None,
        class_choice: None,
        tools,
        bins: Vec::new(),
        scripted: false,
        is_grammar: true,
        killed: Some(Vec::new()),
        companions: Vec::new(),
        commands: Box::new(commands),
    }
}
