//! Which languages can be judged here: the compilers and interpreters that are installed.

use std::path::Path;

use super::super::output::clean;
use super::show::heading;
use crate::cli::surroundings;
use crate::compile::toolbox::Toolbox;
use crate::language::Languages;
use crate::report::text::{Line, Style, truncate, width};
use crate::sandbox::Sandbox;
use crate::store::Store;

/// A row for each language: what its tool calls itself, or how to install it.
pub(super) fn lines(languages: &Languages, sandbox: &mut dyn Sandbox, scratch: &Path, columns: usize) -> Vec<Line> {
    // Asked anew, and nothing is left behind where the command was given.
    let (store, _) = Store::open(&scratch.join("store"));
    let toolbox = Toolbox::new(surroundings::host());
    let widest = languages.iter().map(|language| width(&language.id)).max().unwrap_or(0);
    let mut lines = vec![heading("Languages")];
    for language in languages.iter() {
        let missing = language.tools().into_iter().find(|tool| toolbox.find(tool, sandbox, &store).is_none());
        let (sign, style, text) = match missing {
            Some(tool) if language.install.is_empty() => ("·", Style::FAINT, format!("{tool} is not installed")),
            Some(tool) => ("·", Style::FAINT, format!("{tool} is not installed → {}", language.install)),
            None => ("✓", Style::GOOD, toolbox.version(&language.version, sandbox, &store)),
        };
        let line =
            Line::from("  ").with(sign, style).with(&format!(" {:widest$}  ", clean(&language.id)), Style::STRONG);
        let room = columns.saturating_sub(line.width());
        let style = if missing.is_some() { Style::FAINT } else { Style::PLAIN };
        lines.push(line.with(&truncate(&clean(&text), room), style));
    }
    lines
}
