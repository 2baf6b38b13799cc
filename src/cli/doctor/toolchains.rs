//! Which languages can be judged here: the compilers and interpreters that are installed.

use std::path::Path;

use super::super::output::clean;
use super::show::heading;
use crate::cli::surroundings;
use crate::compile::grammar;
use crate::compile::toolbox::Toolbox;
use crate::language::Languages;
use crate::report::text::{Line, Style, truncate, width};
use crate::sandbox::Sandbox;
use crate::store::Store;

/// What there is to judge programs of one kind.
enum Found {
    /// What the tool calls itself.
    Version(String),
    /// Why there is none, and how to install it.
    Missing(String),
}

/// A row for each language: what its tool calls itself, or how to install it.
pub(super) fn lines(languages: &Languages, sandbox: &mut dyn Sandbox, scratch: &Path, columns: usize) -> Vec<Line> {
    // Asked anew, and nothing is left behind where the command was given.
    let (store, _) = Store::open(&scratch.join("store"));
    let toolbox = Toolbox::new(surroundings::host());
    let ids = languages.iter().map(|language| width(&language.id));
    let widest = ids.chain([grammar::CHECKTESTDATA.len()]).max().unwrap_or(0);
    let mut lines = vec![heading("Languages")];
    let row = |name: &str, found: &Found| {
        let (sign, style, text) = match found {
            Found::Version(version) => (("✓", Style::GOOD), Style::PLAIN, version),
            Found::Missing(missing) => (("·", Style::FAINT), Style::FAINT, missing),
        };
        let line = Line::from("  ").with(sign.0, sign.1).with(&format!(" {:widest$}  ", clean(name)), Style::STRONG);
        let room = columns.saturating_sub(line.width());
        line.with(&truncate(&clean(text), room), style)
    };
    for language in languages.iter() {
        let missing = language.tools().into_iter().find(|tool| toolbox.find(tool, sandbox, &store).is_none());
        let found = match missing {
            Some(tool) if toolbox.is_there(tool) => Found::Missing(toolbox.why_missing(language, tool)),
            Some(tool) if language.install.is_empty() => Found::Missing(format!("{tool} is not installed")),
            Some(tool) => Found::Missing(format!("{tool} is not installed → {}", language.install)),
            None => match toolbox.why_broken(language, sandbox, &store) {
                Some(why) => Found::Missing(why),
                None => Found::Version(toolbox.version(&language.version, sandbox, &store)),
            },
        };
        lines.push(row(&language.id, &found));
    }
    let found = match grammar::version(&toolbox, &store, sandbox) {
        Ok(version) => Found::Version(version),
        Err(reason) => Found::Missing(format!("for input validators (.ctd): {reason}")),
    };
    lines.push(row(grammar::CHECKTESTDATA, &found));
    lines
}
