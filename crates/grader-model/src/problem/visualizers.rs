//! The programs that draw test cases and outputs (package format 2025-09, "Input visualizer", "Output visualizer").

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::Program;

/// The visualisers of a problem. They never decide anything.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Visualizers {
    /// Draws test cases.
    pub input: Option<Program>,
    /// Draws outputs of submissions.
    pub output: Option<Program>,
}

impl Visualizers {
    /// The visualisers with their files in other places.
    #[must_use]
    pub(super) fn moved(self, to: &dyn Fn(&Path) -> PathBuf) -> Self {
        let moved = |program: Option<Program>| program.map(|program| program.moved(to));
        Self { input: moved(self.input), output: moved(self.output) }
    }

    /// The visualiser of this kind.
    pub fn of(&self, kind: VisualizerKind) -> Option<&Program> {
        match kind {
            VisualizerKind::Input => self.input.as_ref(),
            VisualizerKind::Output => self.output.as_ref(),
        }
    }
}

/// The subject of a visualiser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum VisualizerKind {
    /// A test case.
    Input,
    /// The output of a submission.
    Output,
}

impl VisualizerKind {
    /// The folder of the program in a problem.
    pub const fn folder(self) -> &'static str {
        match self {
            Self::Input => "input_visualizer",
            Self::Output => "output_visualizer",
        }
    }

    /// Folders whose names may be mistakes.
    pub const fn misspellings(self) -> [&'static str; 3] {
        match self {
            Self::Input => ["input_visualiser", "input_visualizers", "input_visualisers"],
            Self::Output => ["output_visualiser", "output_visualizers", "output_visualisers"],
        }
    }

    /// The name of the program in messages.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Input => "the input visualiser",
            Self::Output => "the output visualiser",
        }
    }
}
