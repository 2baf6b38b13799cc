//! `grader remove` and `grader rename`: change test cases together with all their files.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use clap::Args;

use super::arguments::{Color, open};
use super::cases::{Page, clean};
use crate::authoring::case_editor::{CaseEditor, CasePlace};
use crate::authoring::generate::listed_at;
use crate::cli::confirm::{can_ask, confirmed};
use crate::cli::exit::ExitStatus;
use crate::config::Options;
use crate::event::Severity;
use crate::glob::{Glob, GlobError};
use crate::package::cases::{Staging, check_name, files_of, move_all};
use crate::report::text::{Line, Style, quote};
use crate::suggest;
use crate::workspace::Workspace;
use crate::workspace::ending::Ended;

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
    let editor = CaseEditor::open(&workspace, &args.problem)?;
    let page = Page::new(&workspace);
    let places = meant(&editor, &page, &args.tests)?;
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
    // All files first move to a staging directory, all or none. Then that directory is deleted.
    let staging = Staging::new(&editor.data).context("nothing was removed")?;
    let away = |(n, file): (usize, &PathBuf)| (file.clone(), staging.path(&n.to_string()));
    move_all(&files.iter().enumerate().map(away).collect::<Vec<_>>()).context("nothing was removed")?;
    page.print(&lines)?;
    mention_generators(&editor, &page, &places);
    Ok(ExitStatus::Success)
}

/// Renames a test case and returns the exit status.
pub(super) fn rename(args: &RenameArgs) -> Result<ExitStatus> {
    let workspace = opened(args.color)?;
    let editor = CaseEditor::open(&workspace, &args.problem)?;
    let page = Page::new(&workspace);
    let old = editor.exactly(&args.test)?;
    let (group, name) = args.new.rsplit_once('/').unwrap_or((&old.group, &args.new));
    if name.is_empty() {
        bail!("`{}` names a group but no test\n  → write {}{}", args.new, args.new, old.name);
    }
    check_name(name).map_err(|why| anyhow::anyhow!("`{name}`: {why}"))?;
    let groups = editor.group_names();
    let known = groups.contains(&group) || editor.problem.groups.iter().any(|known| *known.name == *group);
    if !known {
        bail!(
            "no group is called `{group}`{}\n  there are: {}",
            suggest::hint(group, groups.clone()),
            groups.join(", ")
        );
    }
    let new = CasePlace { group: group.to_owned(), dir: editor.group(group).dir, name: name.to_owned() };
    if new.id() == old.id() {
        bail!("{} has this name already", old.id());
    }
    // As in `add`, errors of the file system are reported when the files are moved.
    if let Some(taken) = files_of(&new.dir, &new.name, false).unwrap_or_default().first() {
        bail!("{} exists already; grader overwrites nothing", taken.display());
    }
    let files = editor.files(&old).with_context(|| format!("cannot read {}", old.dir.display()))?;
    let renamed = |file: &PathBuf| (file.clone(), new.dir.join(format!("{}{}", new.name, ending(&old, file))));
    move_all(&files.iter().map(renamed).collect::<Vec<_>>()).context("nothing was renamed")?;
    page.print(&[line(&format!("renamed {} to", clean(&old.id())), &new, &endings(&old, &files))])?;
    mention_generators(&editor, &page, &[old]);
    Ok(ExitStatus::Success)
}

/// The cases that names and globs select; every error is reported.
fn meant(editor: &CaseEditor, page: &Page, tests: &[String]) -> Result<Vec<CasePlace>> {
    let mut places: Vec<CasePlace> = Vec::new();
    let mut wrong = false;
    for test in tests {
        let found = if test.contains(['*', '?', '[', '{']) {
            by_glob(editor, test).map_err(anyhow::Error::from)
        } else {
            let found = editor.exactly(test).or_else(|error| orphan(editor, test).ok_or(error));
            found.map(|place| vec![place]).map_err(anyhow::Error::from)
        };
        match found {
            Ok(found) => {
                let new = |place: &CasePlace| places.iter().all(|known| known.id() != place.id());
                let found: Vec<CasePlace> = found.into_iter().filter(new).collect();
                places.extend(found);
            }
            Err(error) => {
                page.notice(Severity::Error, None, &error.to_string(), "");
                wrong = true;
            }
        }
    }
    if wrong { Err(Ended::Refused.into()) } else { Ok(places) }
}

/// Files with the name of a case but without an input, such as a leftover answer.
fn orphan(editor: &CaseEditor, test: &str) -> Option<CasePlace> {
    let (group, name) = test.rsplit_once('/').unwrap_or(("", test));
    let known = editor.problem.groups.iter().find(|known| *known.name == *group)?;
    let place = CasePlace { group: group.to_owned(), dir: known.dir.clone(), name: name.to_owned() };
    // Only the name says that these files are a case. In a plain folder that is not enough. If the directory cannot be
    // read any more, there is no case.
    let has_files = !editor.is_plain() && editor.files(&place).is_ok_and(|files| !files.is_empty());
    has_files.then_some(place)
}

/// Errors of a glob that selects no cases.
#[derive(Debug, thiserror::Error)]
enum GlobMiss {
    /// Not a valid glob.
    #[error("`{pattern}` is not a valid glob: {error}")]
    NotAGlob {
        /// The pattern as typed.
        pattern: String,
        /// The error. It is part of the message, so it is not also a `source`.
        error: GlobError,
    },
    /// No case matches it.
    #[error("no test matches `{0}`")]
    NoMatch(String),
}

fn by_glob(editor: &CaseEditor, pattern: &str) -> Result<Vec<CasePlace>, GlobMiss> {
    let glob = Glob::any(pattern).map_err(|error| GlobMiss::NotAGlob { pattern: pattern.to_owned(), error })?;
    let found: Vec<CasePlace> = editor.places().filter(|place| glob.matches(&place.id())).collect();
    if found.is_empty() { Err(GlobMiss::NoMatch(pattern.to_owned())) } else { Ok(found) }
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

/// The part of a file's name after the name of its case: `.in`, `.ans.statement`.
fn ending(place: &CasePlace, file: &Path) -> String {
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    name.strip_prefix(&place.name).unwrap_or(&name).to_owned()
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
