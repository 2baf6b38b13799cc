//! Opens a directory for work: reads its settings and languages, and holds the tools and the listener.
//!
//! Everything comes from explicit paths, options and environment. This module does not read arguments, variables, the
//! current directory or the terminal.
//!
//! Its files:
//!
//! - `listener`, `notices`: who receives notices and progress
//! - `elsewhere`: how other machines run submissions
//! - `ending`: why work ends early
//! - `wanted_isolation`: the isolation that was asked for

#[cfg_attr(not(feature = "nats"), allow(dead_code, reason = "workers alone use it"))]
pub(crate) mod elsewhere;
pub mod ending;
pub mod listener;
pub mod machine;
pub mod notices;
#[cfg(test)]
pub(crate) mod testing;
pub mod wanted_isolation;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::compile::PreparedCompilers;
use crate::compile::author::{Author, Desk, top_of};
use crate::compile::testlib::OwnHeaderUse;
use crate::compile::toolbox::{Host, LOCAL_CHOICES, Toolbox};
use crate::config::{self, LanguageCheck, Options, Settings, Sources};
use crate::diagnostic::Diagnostic;
use crate::engine::bench::Resources;
use crate::engine::overdue::Overdue;

use crate::language::{Languages, TableMistake};

use crate::problem::ProblemId;
use crate::sandbox::Isolation;
use crate::store::Store;
use elsewhere::Elsewhere;
use listener::{Listener, Silent};
use wanted_isolation::WantedIsolation;

/// Variables that version managers need to find the tools behind their shims.
const TOOL_VARIABLES: [&str; 8] = [
    "HOME",
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "CARGO_HOME",
    "PYENV_ROOT",
    "PYENV_VERSION",
    "ASDF_DIR",
    "ASDF_DATA_DIR",
];

/// Everything outside a workspace that its settings and tools depend on.
#[derive(Debug, Clone, Default)]
pub struct Surroundings {
    /// An absolute directory. Relative names start here. `grader.toml` is searched for here and in the parent
    /// directories.
    pub start: PathBuf,
    /// The environment. Settings come from names that begin with `GRADER_`. The user's own commands get all of it.
    pub environment: Vec<(OsString, OsString)>,
    /// The paths and variables for finding compilers and interpreters.
    pub host: Host,
    /// The `grader` program. A copy of it with few rights starts and ends every other program (see [`crate::sandbox`]).
    pub grader: PathBuf,
}

impl Surroundings {
    /// Creates the surroundings of a workspace at `start`, an absolute directory. `grader` is the program that serves
    /// the roles of [`crate::serve_role`]. `environment` also determines where compilers are searched.
    pub fn new(start: PathBuf, grader: PathBuf, environment: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        let environment: Vec<(OsString, OsString)> = environment.into_iter().collect();
        let value = |name: &str| environment.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
        // An unset PATH equals an empty one: there are no directories to search.
        let path = value("PATH").unwrap_or_default();
        let set = TOOL_VARIABLES.iter().filter_map(|name| Some(((*name).into(), value(name)?)));
        let here = || start.clone().into_os_string();
        let local = LOCAL_CHOICES.iter().map(|(name, _)| ((*name).into(), value(name).unwrap_or_else(here)));
        let variables = set.chain(local).collect();
        let host = Host { path: std::env::split_paths(&path).collect(), variables, ..Host::default() };
        Self { start, environment, host, grader }
    }
}

/// Why a workspace cannot be opened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.iter().map(notices::line_of).collect::<Vec<_>>().join("\n"))]
pub struct OpenError(
    /// All errors of the configuration.
    pub Vec<Diagnostic>,
);

/// Where the time limits of problems come from that state none.
#[derive(Debug, Clone, Default)]
pub(crate) struct UnstatedLimits {
    /// The limits that are known already, each with its source in words.
    pub(crate) known: BTreeMap<ProblemId, (Duration, String)>,
    /// Whether the others must not be measured here: each machine would measure its own.
    pub(crate) never_measured: bool,
}

/// A directory with its settings, ready for work.
#[derive(Clone)]
pub struct Workspace {
    /// The directory that relative names start at.
    pub start: PathBuf,
    /// The effective settings.
    pub settings: Settings,
    /// The table of languages.
    pub languages: Languages,
    /// The isolation that the user wants.
    pub isolation: WantedIsolation,
    pub(crate) unstated_limits: UnstatedLimits,
    /// The machines on which submissions run; none if they run here.
    elsewhere: Option<Arc<dyn Elsewhere>>,
    /// The author of the programs that are built and run.
    pub(crate) author: Author,
    environment: Arc<[(OsString, OsString)]>,
    host: Host,
    grader: PathBuf,
    listener: Arc<dyn Listener>,
    /// Whether programs were built with grader's own header of testlib.
    own_testlib: Arc<OwnHeaderUse>,
}

impl Workspace {
    /// Reads the configuration.
    ///
    /// # Errors
    /// All errors of the configuration.
    pub fn open(around: Surroundings) -> Result<Self, OpenError> {
        Self::open_with(around, Options::default(), Options::default())
    }

    /// Like `open`, with options. `preferred` overrides the general defaults, and `stated` overrides
    /// everything.
    ///
    /// # Errors
    /// All errors of the configuration.
    pub fn open_with(around: Surroundings, preferred: Options, stated: Options) -> Result<Self, OpenError> {
        let Surroundings { start, environment, host, grader } = around;
        let check_languages: Option<LanguageCheck> = Some(mistakes_in_languages);
        let whole: Arc<[(OsString, OsString)]> = environment.clone().into();
        let sources = Sources {
            start: start.clone(),
            check_languages,
            environment,
            command: preferred,
            arguments: stated,
            ..Sources::default()
        };
        let mut settings = config::load(sources).map_err(OpenError)?;
        let overlaid = Languages::builtin().with_overrides(&settings.languages.table);
        // Loading the configuration has already checked for these mistakes.
        let found = |mistake: TableMistake| Diagnostic::error(&settings.base, mistake.to_string());
        let languages = overlaid.map_err(|mistakes| OpenError(mistakes.into_iter().map(found).collect()))?;
        settings.languages.name_limits(|word| languages.id_of(word));
        let isolation = WantedIsolation::from(settings.isolation);
        Ok(Self {
            start,
            settings,
            languages,
            isolation,
            unstated_limits: UnstatedLimits::default(),
            elsewhere: None,
            author: Author::default(),
            environment: whole,
            host,
            grader,
            listener: Arc::new(Silent),
            own_testlib: Arc::default(),
        })
    }

    /// The workspace with other settings.
    ///
    /// # Errors
    /// The table of languages in them is wrong.
    #[cfg_attr(not(feature = "nats"), allow(dead_code, reason = "workers alone use it"))]
    pub(crate) fn with_settings(&self, mut settings: Settings) -> Result<Self, OpenError> {
        let overlaid = Languages::builtin().with_overrides(&settings.languages.table);
        let found = |mistake: TableMistake| Diagnostic::error(&settings.base, mistake.to_string());
        let languages = overlaid.map_err(|mistakes| OpenError(mistakes.into_iter().map(found).collect()))?;
        settings.languages.name_limits(|word| languages.id_of(word));
        Ok(Self { settings, languages, ..self.clone() })
    }

    /// The workspace for programs that the user has written. They may use what the user has: commands run with the
    /// user's own rights and environment, unless the settings name an isolation with walls.
    #[must_use]
    pub fn for_own_programs(self) -> Self {
        let desk = Desk {
            dir: self.start.clone(),
            top: self.top(),
            environment: self.environment.to_vec(),
            boxes_commands: self.settings.isolation.names_walls(),
        };
        Self { author: Author::User(Arc::new(desk)), ..self }
    }

    /// The directory above which no file belongs to a plain folder: that of `grader.toml`, else [`top_of`] the start.
    pub(crate) fn top(&self) -> PathBuf {
        let home = || self.environment.iter().find(|(name, _)| name == "HOME").map(|(_, value)| value);
        let base = self.settings.file.is_some().then(|| self.settings.base.clone());
        base.unwrap_or_else(|| top_of(&self.start, home()))
    }

    /// The workspace whose submissions run on other machines.
    #[cfg_attr(not(feature = "nats"), allow(dead_code, reason = "workers alone use it"))]
    pub(crate) fn with_machines(self, machines: Arc<dyn Elsewhere>) -> Self {
        Self { elsewhere: Some(machines), ..self }
    }

    /// The machines on which submissions run; none if they run here.
    pub(crate) fn elsewhere(&self) -> Option<&Arc<dyn Elsewhere>> {
        self.elsewhere.as_ref()
    }

    /// Sets the listener.
    #[must_use]
    pub fn told_to(self, listener: impl Listener + 'static) -> Self {
        Self { listener: Arc::new(listener), ..self }
    }

    /// A copy with a listener that does nothing.
    #[must_use]
    pub fn silent(&self) -> Self {
        self.clone().told_to(Silent)
    }

    /// Sends a notice to the listener.
    pub fn tell(&self, notice: &Diagnostic) {
        self.listener.notice(notice);
    }

    /// Sends findings about files to the listener.
    pub fn tell_found(&self, found: &[Diagnostic]) {
        for found in found {
            self.tell(&found.clone().placed_in_words());
        }
    }

    /// The listener.
    pub fn listener(&self) -> Arc<dyn Listener> {
        Arc::clone(&self.listener)
    }

    /// The paths and variables for finding compilers and interpreters.
    pub(crate) fn host(&self) -> &Host {
        &self.host
    }

    /// The program that starts and ends every other program.
    pub(crate) fn grader(&self) -> &std::path::Path {
        &self.grader
    }

    /// Sends a notice if programs were built with grader's own header of testlib, once for each command.
    pub(crate) fn tell_of_own_testlib(&self) {
        if self.own_testlib.is_news() {
            self.tell(&notices::own_testlib());
        }
    }

    /// The tools of this machine, none of which was searched for yet.
    pub(crate) fn tools(&self) -> Toolbox {
        let host = Host { private: vec![self.settings.base.clone()], ..self.host.clone() };
        Toolbox::new(host)
    }

    /// The resources for building, running and judging programs.
    pub(crate) fn resources(&self, store: impl Into<Arc<Store>>, isolation: Isolation) -> Resources {
        Resources {
            prepared: PreparedCompilers::default(),
            own_testlib: Arc::clone(&self.own_testlib),
            overdue: Overdue::default(),
            settings: self.settings.clone(),
            languages: self.languages.clone(),
            tools: self.tools(),
            store: store.into(),
            isolation,
            author: self.author.clone(),
            machine: machine::processor(),
        }
    }
}

/// The mistakes in a `[language]` table.
fn mistakes_in_languages(table: &toml::Table) -> Vec<(Vec<String>, String)> {
    let mistakes = Languages::builtin().with_overrides(table).err().unwrap_or_default();
    mistakes.into_iter().map(|mistake| (mistake.path, mistake.message)).collect()
}
