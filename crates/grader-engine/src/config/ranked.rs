//! Settings as one machine sends them to another: the values, and which of them outrank those of problems.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::Layers;
use super::defaults::defaults;
use super::file::{FileLayer, Languages};
use super::settings::{Options, Settings};

/// The settings of a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RankedSettings {
    /// The defaults, the options of the file, and those of arguments and environment.
    ranks: [Options; 3],
    languages: Languages,
}

impl RankedSettings {
    /// These settings, without what concerns this machine alone.
    pub fn of(settings: &Settings) -> Self {
        let ranks = settings.by_rank().map(|layer| Options {
            problems: None,
            testcases: None,
            store: None,
            keep_runs: None,
            jobs: None,
            isolation: None,
            color: None,
            diff: None,
            context: None,
            report_failures: None,
            ..layer
        });
        Self { ranks, languages: settings.languages.clone() }
    }

    /// The settings on a machine where paths begin at `start`.
    pub fn settle(self, start: PathBuf) -> Settings {
        let [command, options, arguments] = self.ranks;
        let file = FileLayer { options, languages: self.languages, ..FileLayer::default() };
        let layers = Layers { file, environment: Options::default(), command, arguments, defaults: defaults() };
        Settings::resolve(layers, None, start, Vec::new())
    }
}
