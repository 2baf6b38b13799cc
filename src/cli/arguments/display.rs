//! Options for the display of results.

use std::collections::BTreeMap;

use clap::Args;

use crate::cli::arguments::paint;
use crate::cli::environment;
use crate::config::{ColorChoice, DiffStyle, JudgeChoice, Options};
use crate::report::terminal::TerminalOptions;
use crate::workspace::Workspace;

/// Options for colours and differences.
#[derive(Debug, Default, Args)]
pub(in crate::cli) struct LookArgs {
    /// Choose when to use colour
    #[arg(long, value_name = "WHEN", value_enum)]
    color: Option<Color>,
    /// Choose how to show a wrong output beside the answer; `auto` fits the terminal, `none` shows only the first difference
    #[arg(long, value_name = "STYLE", value_enum)]
    diff: Option<Diff>,
    /// Show N lines before and after a difference [default: 3]
    #[arg(long, value_name = "N")]
    context: Option<u32>,
}

/// Options for the display of results and its level of detail.
#[derive(Debug, Default, Args)]
pub(in crate::cli) struct ShowArgs {
    #[command(flatten)]
    look: LookArgs,
    /// Show less: only unexpected results, and no progress
    #[arg(short, long)]
    quiet: bool,
    /// Show everything: cached results, remarks, and every failure in full
    #[arg(short, long, action = clap::ArgAction::Count)]
    verbose: u8,
}

/// Value of `--color`.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub(in crate::cli) enum Color {
    Auto,
    Always,
    Never,
}

impl From<Color> for ColorChoice {
    fn from(color: Color) -> Self {
        match color {
            Color::Auto => Self::Auto,
            Color::Always => Self::Always,
            Color::Never => Self::Never,
        }
    }
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Diff {
    Auto,
    Unified,
    SideBySide,
    None,
}

impl From<Diff> for DiffStyle {
    fn from(diff: Diff) -> Self {
        match diff {
            Diff::Auto => Self::Auto,
            Diff::Unified => Self::Unified,
            Diff::SideBySide => Self::SideBySide,
            Diff::None => Self::None,
        }
    }
}

impl LookArgs {
    /// Adds the settings given on the command line.
    pub(in crate::cli) fn add_to(&self, options: Options) -> Options {
        let color = self.color.map(Into::into);
        let diff = self.diff.map(Into::into);
        Options { color, diff, context: self.context, ..options }
    }
}

impl ShowArgs {
    /// Adds the settings given on the command line.
    pub(in crate::cli) fn add_to(&self, options: Options) -> Options {
        self.look.add_to(options)
    }

    /// 0 is normal, negative is quiet, positive shows more.
    pub(in crate::cli) fn verbosity(&self) -> i8 {
        if self.quiet { -1 } else { i8::try_from(self.verbose).unwrap_or(i8::MAX) }
    }

    /// The terminal settings that these options choose.
    pub(in crate::cli) fn terminal_options(&self, workspace: &Workspace) -> TerminalOptions {
        terminal_options(workspace, self.verbosity())
    }
}

/// The terminal settings of a run. A negative verbosity shows less, 0 is normal, a positive one shows more.
pub(in crate::cli) fn terminal_options(workspace: &Workspace, verbosity: i8) -> TerminalOptions {
    let settings = &workspace.settings;
    TerminalOptions {
        paint: paint(workspace),
        width: environment::width(),
        fit: environment::stdout_is_terminal().then(environment::width),
        verbosity,
        diff: settings.diff,
        context: settings.context as usize,
        table: false,
        every_judge: settings.judge == JudgeChoice::All,
        class: false,
        progress: environment::has_terminal() && verbosity >= 0,
        strict: settings.strict,
        here: workspace.start.clone(),
        previous: BTreeMap::new(),
    }
}
