//! Merges settings in layers: defaults < `grader.toml` < environment (`GRADER_*`) < arguments.
//!
//! `Options` holds the values of one layer, and `Settings` the merged values, each with its origin. Values that a
//! problem sets for itself rank between `grader.toml` and the environment: see `limits`. This module reads no argument,
//! environment variable or current directory by itself: callers pass them in.

mod checker;
mod choice;
mod course;
mod defaults;
mod file;
mod limits;
mod ranked;
mod settings;

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::diagnostic::Diagnostic;
use crate::package::document::read::{Read, Unfit};
use crate::package::document::{Syntax, Value};
use crate::suggest;

pub use crate::report::diff::DiffStyle;
pub use choice::{ColorChoice, IsolationChoice, Jobs, JudgeChoice, WallLimit};
pub use course::{ATTEMPTS, AddedTo, LateRule, MISSING, POINTS};
use defaults::defaults;

pub use file::{LanguageCheck, LanguageLimits, Languages, read_any};
pub use ranked::RankedSettings;
pub use settings::Options;
use settings::Values;
pub use settings::{KEYS, Settings};

/// The name of the configuration file. It is searched from the start directory upwards.
pub const FILE_NAME: &str = "grader.toml";

/// The sources of the settings.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    /// An absolute directory: the search for `grader.toml` begins here, and relative paths in arguments and environment
    /// start here.
    pub start: PathBuf,
    /// The configuration file that an argument names; none searches for `grader.toml`.
    pub file: Option<PathBuf>,
    /// Defaults of the command that replace the general ones, such as a tighter kill point.
    pub command: Options,
    /// Checks the table `[language]`, so that its errors are reported with all others; none skips the check.
    pub check_languages: Option<LanguageCheck>,
    /// The environment. Only names that begin with `GRADER_` matter.
    pub environment: Vec<(OsString, OsString)>,
    /// The arguments.
    pub arguments: Options,
}

/// The origin of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// The table of defaults, or a default of the command.
    Default,
    /// The configuration file.
    File {
        /// The file.
        path: PathBuf,
        /// The line of the key.
        line: u32,
    },
    /// This environment variable.
    Environment(String),
    /// An argument.
    Argument,
}

impl Origin {
    /// Whether it takes precedence over the problem's own settings.
    pub fn outranks_problem(&self) -> bool {
        matches!(self, Self::Environment(_) | Self::Argument)
    }
}

impl Origin {
    /// The place in the file, or the name of the variable; none for arguments and defaults.
    pub fn place(&self) -> Option<String> {
        matches!(self, Self::File { .. } | Self::Environment(_)).then(|| self.to_string())
    }
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File { path, line } => write!(f, "{}:{line}", path.display()),
            Self::Environment(name) => f.write_str(name),
            Self::Argument => f.write_str("argument"),
        }
    }
}

/// One setting as `grader config` shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingEntry {
    /// The dotted key: `limits.memory`.
    pub key: String,
    /// The value in TOML spelling.
    pub value: String,
    /// Where it comes from.
    pub origin: Origin,
    /// The purpose of the setting, with its unit.
    pub doc: &'static str,
}

/// The layers, read but not yet merged.
struct Layers {
    file: file::FileLayer,
    environment: Options,
    command: Options,
    arguments: Options,
    defaults: Values,
}

/// Reads and merges all layers. Returns the errors of all layers; warnings are kept in `Settings::warnings`.
pub fn load(sources: Sources) -> Result<Settings, Vec<Diagnostic>> {
    let path = match &sources.file {
        Some(path) => Some(sources.start.join(path)),
        None => find_file(&sources.start),
    };
    let (file, mut found) =
        path.as_deref().map_or_else(Default::default, |path| file::load(path, sources.check_languages));
    let environment = environment(&sources.environment, &mut found);
    if found.iter().any(Diagnostic::is_error) {
        return Err(found);
    }
    let mut arguments = sources.arguments;
    let added_to = course::add_below(&mut arguments, &environment, &file.options);
    let layers = Layers { file, environment, command: sources.command, arguments, defaults: defaults() };
    let mut settings = Settings::resolve(layers, path, sources.start, found);
    settings.added_to = added_to;
    Ok(settings)
}

/// Finds the nearest `grader.toml` from `start` upwards.
pub(crate) fn find_file(start: &Path) -> Option<PathBuf> {
    start.ancestors().map(|dir| dir.join(FILE_NAME)).find(|file| file.is_file())
}

/// Returns the environment variable of a key: `GRADER_LIMITS_MEMORY` for `limits.memory`.
pub(crate) fn variable_of(key: &str) -> String {
    format!("GRADER_{}", key.to_ascii_uppercase().replace('.', "_"))
}

/// Reads the environment. An unknown `GRADER_` variable is only a warning, because it may belong to another program.
fn environment(variables: &[(OsString, OsString)], found: &mut Vec<Diagnostic>) -> Options {
    let known: BTreeMap<String, &str> = KEYS.iter().map(|key| (variable_of(key.name), key.name)).collect();
    let mut options = Options::default();
    for (name, value) in variables {
        let Some(name) = name.to_str().filter(|name| name.starts_with("GRADER_")) else { continue };
        let Some(key) = known.get(name) else {
            let warning = Diagnostic::warning("environment", format!("unknown variable `{name}`"));
            let remedy = suggest::did_you_mean(name, known.keys().map(String::as_str));
            found.push(warning.remedy(remedy.unwrap_or_default()));
            continue;
        };
        if let Err(unfit) = options.set_text(key, value) {
            found.push(Diagnostic::error("environment", format!("`{name}`: {unfit}")));
        }
    }
    options
}

impl Options {
    /// Sets a dotted key from the text of a variable or an argument, with the same ranges and words as in the file. A
    /// text that looks like a number or boolean is tried as such first, then as a string. A list of paths is separated
    /// as in `PATH`.
    pub fn set_text(&mut self, key: &str, value: &OsStr) -> Read<()> {
        let text = value.to_str().ok_or_else(|| Unfit::rule("not UTF-8"))?;
        if key == "problems" {
            let paths = std::env::split_paths(text).map(|path| Value::Text(path.to_string_lossy().into_owned()).into());
            return self.set(key, &Value::List(paths.collect()));
        }
        let number = text.parse().map(Value::Integer).or_else(|_| text.parse().map(Value::Float)).ok();
        let flag = match text {
            "true" | "1" => Some(Value::Bool(true)),
            "false" | "0" => Some(Value::Bool(false)),
            _ => None,
        };
        let mut first = None;
        for value in number.into_iter().chain(flag) {
            match self.set(key, &value) {
                Ok(()) => return Ok(()),
                Err(unfit) => first = first.or(Some(unfit)),
            }
        }
        // The error of the likeliest reading is the most useful.
        self.set(key, &Value::Text(text.to_owned())).map_err(|unfit| first.unwrap_or(unfit))
    }
}

/// The syntax of configuration files, for `Document::parse`.
const SYNTAX: Syntax = Syntax::Toml;

#[cfg(test)]
mod tests;
