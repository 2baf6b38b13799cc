//! `grader upgrade`: brings packages to the current version of the format.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args;

use super::arguments::{AloneArgs, Color, open};
use super::cases::{Page, clean, labelled};
use super::export::{ChosenProblems, losses, refuse_losses};
use crate::cli::exit::{ExitStatus, for_each, print_error};
use crate::config::Options;
use crate::event::Verb;
use crate::export::upgrade::{FileChange, Upgrade, is_current};
use crate::export::{CURRENT, Subject};
use crate::problem::PackageLayout;
use crate::record::Report;
use crate::report::text::{Line, Style, count};
use crate::session::inner_progress::Follower;
use crate::session::{Role, RunEnd, Selection, Session};
use crate::workspace::Workspace;
use crate::workspace::ending::Ended;

/// Brings problem packages of older versions to the version 2025-09, in place
#[derive(Debug, Args)]
#[command(
    after_help = "First, grader lists what changes, with the difference of the YAML files, and what the version 2025-09 \
    cannot say. Then it runs all submissions of the old and of the new package. If any result differs, it changes nothing. \
    Comments stay in the YAML files; files that are no part of the package stay where they are. docs/export.md has the details.\n\n\
    Exit status: 0 upgraded, or nothing to do, 1 a result would differ, 2 not upgraded for another reason (the error says why), \
    3 grader itself failed."
)]
pub(super) struct UpgradeArgs {
    /// Problem packages: folders
    #[arg(required = true, value_name = "PACKAGE")]
    packages: Vec<String>,
    /// Only show what would change
    #[arg(long)]
    dry_run: bool,
    /// Upgrade although the version 2025-09 cannot say everything
    #[arg(long)]
    lossy: bool,
    /// Upgrade without running the submissions, or although results differ
    #[arg(long)]
    force: bool,
    /// Choose when to use colour
    #[arg(long, value_name = "WHEN", value_enum)]
    color: Option<Color>,
    #[command(flatten, next_help_heading = "Execution options")]
    alone: AloneArgs,
}

/// Upgrades the packages and returns the worst exit status.
pub(super) fn run(args: &UpgradeArgs) -> Result<ExitStatus> {
    let options = Options { color: args.color.map(Into::into), ..args.alone.options() };
    let workspace = open(options)?;
    for_each(args.packages.clone(), |package| upgrade(args, &workspace, &package))
}

fn upgrade(args: &UpgradeArgs, workspace: &Workspace, package: &str) -> Result<ExitStatus> {
    let chosen = ChosenProblems::choose(workspace, &[package.to_owned()])?;
    let subjects = chosen.subjects(workspace, true)?;
    let [subject] = &subjects[..] else {
        bail!("`{package}` means several problems\n  → name each package: its folder");
    };
    let dir = package_dir(workspace, subject, package)?;
    let page = Page::new(workspace);
    if is_current(&dir) {
        page.print(&[Line::new()
            .with(&clean(package), Style::STRONG)
            .with(" is of the version 2025-09 already", Style::PLAIN)])?;
        return Ok(ExitStatus::Success);
    }
    let draft = CURRENT.draft(subject)?;
    page.print(&losses(&draft, CURRENT))?;
    refuse_losses([&draft], CURRENT, args.lossy)?;
    let upgrade = Upgrade::new(&dir, draft)?;
    page.print(&changes(&upgrade))?;
    if args.dry_run {
        return Ok(ExitStatus::Success);
    }
    let changed = upgrade.changes.len();
    let staged = upgrade.stage()?;
    let mut lines = Vec::new();
    if !args.force {
        let before = results(workspace, &dir)?;
        let after = match results(workspace, &staged.new) {
            Ok(after) => after,
            Err(error) if matches!(error.downcast_ref(), Some(Ended::Interrupted(_))) => return Err(error),
            Err(error) => {
                if !error.is::<Ended>() {
                    print_error(&error);
                }
                bail!(
                    "the upgraded package would have these errors, so nothing was changed\n  → correct their causes in the \
                     package as it is"
                );
            }
        };
        let different = differences(&before, &after);
        if !different.is_empty() {
            page.print(&different)?;
            bail!(Ended::Unexpected);
        }
        lines.push(labelled("verdicts", &format!("the same before and after, {}", count(before.len(), "submission"))));
    }
    staged.replace()?;
    let head = Line::new().with("✓ ", Style::GOOD).with("upgraded ", Style::PLAIN).with(&clean(package), Style::STRONG);
    lines.insert(0, head.with(&format!(" to 2025-09, {}", count(changed, "changed file")), Style::FAINT));
    page.print(&lines)?;
    Ok(ExitStatus::Success)
}

/// The folder of the package.
fn package_dir(workspace: &Workspace, subject: &Subject<'_>, package: &str) -> Result<PathBuf> {
    if subject.problem.layout != PackageLayout::Icpc {
        bail!(
            "`{package}` is no problem package in the format of ICPC or Kattis\n  → to write it as one: grader export"
        );
    }
    if workspace.start.join(package).is_file() {
        bail!("{package} is an archive\n  → unpack it, and name the folder");
    }
    Ok(subject.problem.dir.clone())
}

/// What changes, and the difference of the YAML files.
fn changes(upgrade: &Upgrade<'_>) -> Vec<Line> {
    let mut lines = Vec::new();
    for change in &upgrade.changes {
        let (mark, style, text) = match change {
            FileChange::Added(path) => ("  + ", Style::GOOD, path.clone()),
            FileChange::Rewritten(path) => ("  ~ ", Style::NOTICE, path.clone()),
            FileChange::Moved(from, to) => ("  → ", Style::PLAIN, format!("{from} → {to}")),
            FileChange::Removed(path) => ("  - ", Style::BAD, path.clone()),
        };
        lines.push(Line::new().with(mark, style).with(&clean(&text), Style::PLAIN));
    }
    for path in upgrade.kept() {
        lines.push(
            Line::new().with(&format!("    {} stays as it is", clean(&path.display().to_string())), Style::FAINT),
        );
    }
    for (path, comment) in &upgrade.lost_comments {
        let line = format!("    goes with {}: {}", clean(path), clean(comment));
        lines.push(Line::new().with(&line, Style::FAINT));
    }
    for line in upgrade.differences().lines() {
        let style = match line.as_bytes().first() {
            Some(b'+') => Style::GOOD,
            Some(b'-') => Style::BAD,
            _ => Style::FAINT,
        };
        lines.push(Line::new().with(&clean(line), style));
    }
    lines
}

/// The results of the submissions of a package, each with verdict and points. They are known by the names of their files:
/// the folder may change.
type Results = BTreeMap<String, Vec<String>>;

fn results(workspace: &Workspace, dir: &Path) -> Result<Results> {
    let selection = Selection { words: vec![dir.display().to_string()], ..Selection::default() };
    let session = Session { role: Role::Inner(Verb::Run), ..Session::open(workspace.clone(), &selection)?.ready()? };
    let follower = Follower::new(workspace.listener(), |id| format!("{}/{}", id.problem, id.submission));
    let RunEnd { report, signal } = session.conduct(vec![Box::new(follower)])?;
    if let Some(signal) = signal {
        return Err(Ended::Interrupted(signal).into());
    }
    Ok(results_of(&report))
}

fn results_of(report: &Report) -> Results {
    let mut results = Results::new();
    for submission in &report.submissions {
        let name = submission.id.submission.as_str();
        let name =
            Path::new(name).file_stem().map_or_else(|| name.to_owned(), |stem| stem.to_string_lossy().into_owned());
        let verdict = submission.told().unwrap_or("interrupted");
        let result = match submission.score() {
            // The formats call the same points AC or WA.
            Some(points) if points > 0.0 => format!("{points} points"),
            Some(points) => format!("{verdict}, {points} points"),
            None => verdict.to_owned(),
        };
        results.entry(name).or_default().push(result);
    }
    for results in results.values_mut() {
        results.sort();
    }
    results
}

fn differences(before: &Results, after: &Results) -> Vec<Line> {
    let none = Vec::new();
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let shown = |results: &[String]| if results.is_empty() { "absent".to_owned() } else { results.join(" and ") };
    let mut lines = Vec::new();
    for name in names {
        let (old, new) = (before.get(name).unwrap_or(&none), after.get(name).unwrap_or(&none));
        if old != new {
            let line = Line::new().with("  ✗ ", Style::BAD).with(&clean(name), Style::STRONG);
            lines.push(line.with(&format!("  {} → {}", shown(old), shown(new)), Style::PLAIN));
        }
    }
    if !lines.is_empty() {
        lines.insert(
            0,
            Line::new()
                .with("results would differ, so nothing was changed (--force changes it anyway):", Style::STRONG),
        );
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_result_that_differs_is_listed() {
        let results = |pairs: &[(&str, &str)]| -> Results {
            pairs.iter().map(|(name, result)| ((*name).to_owned(), vec![(*result).to_owned()])).collect()
        };
        let before = results(&[("a", "AC"), ("b", "WA"), ("c", "AC")]);
        assert!(differences(&before, &before).is_empty());
        let lines = differences(&before, &results(&[("a", "AC"), ("b", "AC"), ("d", "AC")]));
        let text: Vec<String> = lines.iter().map(Line::plain).collect();
        assert_eq!(text[1..], ["  ✗ b  WA → AC", "  ✗ c  AC → absent", "  ✗ d  absent → AC"]);
    }
}
