//! `grader remove` and `grader rename`: change test cases together with all their files.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use clap::Args;

use super::arguments::{Color, open};
use super::cases::{Page, clean};
use crate::authoring::case_editor::{CaseEditor, CasePlace, Changeable};
use crate::authoring::generate::listed_at;
use crate::authoring::remove::{self, ending, renamed, selected};
use crate::cli::confirm::{can_ask, confirmed};
use crate::cli::exit::ExitStatus;
use crate::config::Options;
use crate::diagnostic::Severity;

use crate::report::text::{Line, Style, quote};
use crate::workspace::Workspace;

/// Removes test cases and all their files
#[derive(Debug, Args)]
#[command(after_help = "Name a test exactly (`secret/03`, or `03` if only one test has that name) or by a glob \
    (`secret/1*`).\n\nExit status: 0 removed, 1 not confirmed, 2 usage, configuration or problem error.")]
pub(super) struct RemoveArgs {
    /// Problem name or folder
    problem: String,
    /// Tests to remove
    #[arg(required = true, value_name = "TEST")]
    tests: Vec<String>,
    /// Remove without asking
    #[arg(short, long)]
    yes: bool,
    /// Choose when to use colour
    #[arg(long, value_name = "WHEN", value_enum)]
    color: Option<Color>,
}

/// Renames a test case and all its files
#[derive(Debug, Args)]
#[command(
    after_help = "grader judges tests in the order of their names. If the new name includes a group (`secret/04`), \
    the case moves there.\n\nExit status: 0 renamed, 2 usage, configuration or problem error."
)]
pub(super) struct RenameArgs {
    /// Problem name or folder
    problem: String,
    /// Test to rename: `secret/03`, or `03` if only one test has that name
    test: String,
    /// New name, such as `04`; a name with a group, such as `secret/04`, also moves the case
    new: String,
    /// Choose when to use colour
    #[arg(long, value_name = "WHEN", value_enum)]
    color: Option<Color>,
}

fn opened(color: Option<Color>) -> Result<Workspace> {
    open(Options { color: color.map(Into::into), ..Options::default() })
}

/// Removes test cases and returns the exit status.
pub(super) fn run(args: &RemoveArgs) -> Result<ExitStatus> {
    let workspace = opened(args.color)?;
    let editor = CaseEditor::open(&workspace, &args.problem, Changeable::PackageNames)?;
    let page = Page::new(&workspace);
    let places = selected(&workspace, &editor, &args.tests)?;
    let mut files = Vec::new();
    let mut lines = Vec::new();
    for place in &places {
        let of_case = editor.files(place).with_context(|| format!("cannot read {}", place.dir.display()))?;
        lines.push(line("removed", place, &endings(place, &of_case)));
        files.extend(of_case);
    }
    if !args.yes && !may_remove(&page, &args.problem, &places)? {
        return Ok(ExitStatus::Unexpected);
    }
    remove::remove(&editor, &files)?;
    page.print(&lines)?;
    mention_generators(&editor, &page, &places);
    Ok(ExitStatus::Success)
}

/// Renames a test case and returns the exit status.
pub(super) fn rename(args: &RenameArgs) -> Result<ExitStatus> {
    let workspace = opened(args.color)?;
    let editor = CaseEditor::open(&workspace, &args.problem, Changeable::PackageNames)?;
    let page = Page::new(&workspace);
    let old = editor.exactly(&args.test)?;
    let new = renamed(&editor, &old, &args.new)?;
    let files = editor.files(&old).with_context(|| format!("cannot read {}", old.dir.display()))?;
    remove::rename(&old, &new, &files)?;
    page.print(&[line(&format!("renamed {} to", clean(&old.id())), &new, &endings(&old, &files))])?;
    mention_generators(&editor, &page, &[old]);
    Ok(ExitStatus::Success)
}

fn may_remove(page: &Page, problem: &str, places: &[CasePlace]) -> Result<bool> {
    let ids: Vec<String> = places.iter().map(CasePlace::id).collect();
    if !can_ask() {
        let words: Vec<String> = ids.iter().map(|id| quote(id)).collect();
        let remedy = format!("grader remove {} {} --yes", quote(problem), words.join(" "));
        page.notice(Severity::Error, None, "nothing was removed: grader cannot ask without a terminal", &remedy);
        return Ok(false);
    }
    confirmed(&format!("remove {}?", clean(&ids.join(", "))))
}

fn endings(place: &CasePlace, files: &[PathBuf]) -> String {
    files.iter().map(|file| ending(place, file)).collect::<Vec<_>>().join(" ")
}

fn line(what: &str, place: &CasePlace, endings: &str) -> Line {
    let text = Line::new().with("✓ ", Style::GOOD).with(&format!("{what} "), Style::PLAIN);
    text.with(&clean(&place.id()), Style::STRONG).with(&format!("  {}", clean(endings)), Style::FAINT)
}

/// Warns about each case that `generators.yaml` lists under its old name, because `grader gen` makes it again.
fn mention_generators(editor: &CaseEditor, page: &Page, places: &[CasePlace]) {
    for place in places {
        let Some((file, line)) = listed_at(&editor.problem, &place.id()) else { continue };
        page.notice(
            Severity::Warning,
            Some(&file.display().to_string()),
            &format!("line {line}: it lists {}, so `grader gen` makes that case again", place.id()),
            "change it there too",
        );
    }
}
