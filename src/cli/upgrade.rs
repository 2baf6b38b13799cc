//! `grader upgrade`: brings packages to the current version of the format.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, anyhow, bail};
use clap::Args;

use super::arguments::{AloneArgs, Color, open};
use super::cases::{Page, clean, labelled};
use super::export::{ChosenProblems, inner_run, losses, refuse_losses, success};
use crate::cli::exit::{ExitStatus, for_each, print_error};
use crate::config::Options;
use crate::diagnostic::Diagnostic;
use crate::event::Standing;
use crate::export::upgrade::{FileChange, StagedPackage, Upgrade, is_current};
use crate::export::{CURRENT, Subject};
use crate::problem::PackageLayout;
use crate::record::Report;
use crate::report::text::{Line, Style, count};
use crate::session::Selection;
use crate::session::archives::Archives;
use crate::workspace::Workspace;
use crate::workspace::ending::EarlyEnd;
use crate::workspace::listener::{Listener, Progress};

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
    let draft = CURRENT.draft_in_place(subject)?;
    let lost = losses(&draft, CURRENT.name);
    let is_lossy = !draft.losses().is_empty();
    let upgrade = Upgrade::new(&dir, draft)?;
    page.print(&lost)?;
    page.print(&changes(&upgrade))?;
    refuse_losses(upgrade.draft(), CURRENT.name, args.lossy)?;
    if args.dry_run {
        return Ok(ExitStatus::Success);
    }
    let changed = upgrade.changes.len();
    let staged = upgrade.stage()?;
    let mut lines = Vec::new();
    if !args.force {
        let before = results(workspace, &dir)?;
        let after = after(workspace, &staged, package)?;
        let different = differences(&before, &after);
        if !different.is_empty() {
            page.print(&different)?;
            bail!(EarlyEnd::Unexpected);
        }
        lines.extend(comparisons(&before, &after));
    }
    staged.replace()?;
    let (done, rest) = success(is_lossy);
    let head = done.with("upgraded ", Style::PLAIN).with(&clean(package), Style::STRONG);
    lines.insert(0, head.with(&format!(" to 2025-09, {}{rest}", count(changed, "changed file")), Style::FAINT));
    page.print(&lines)?;
    Ok(ExitStatus::Success)
}

/// The results of the upgraded package. Its errors name the files of the package as the author knows it.
fn after(workspace: &Workspace, staged: &StagedPackage, package: &str) -> Result<Results> {
    let names = Archives::of(&staged.new, package);
    let renamed = workspace.clone().told_to(AuthorNames { listener: workspace.listener(), names: names.clone() });
    match results(&renamed, &staged.new) {
        Err(error) if matches!(error.downcast_ref(), Some(EarlyEnd::Interrupted(_))) => Err(error),
        Err(error) => {
            if !error.is::<EarlyEnd>() {
                print_error(&anyhow!(names.text(&format!("{error:#}"))));
            }
            bail!(
                "the package would have these errors after the upgrade, so nothing was changed\n  → change the files \
                 that they name, as they are now, or look at the differences above"
            );
        }
        Ok(results) => {
            let renamed = |results: Vec<Outcome>| {
                results.into_iter().map(|one| Outcome { verdict: names.text(&one.verdict), ..one }).collect()
            };
            Ok(results.into_iter().map(|(name, results)| (name, renamed(results))).collect())
        }
    }
}

/// A listener that hears the names of the author's files in place of those of grader.
struct AuthorNames {
    listener: Arc<dyn Listener>,
    names: Archives,
}

impl Listener for AuthorNames {
    fn notice(&self, notice: &Diagnostic) {
        self.listener.notice(&self.names.shown_finding(notice.clone()));
    }

    fn progress(&self, progress: Progress<'_>) {
        self.listener.progress(progress);
    }

    fn aside(&self, print: &mut dyn FnMut()) {
        self.listener.aside(print);
    }
}

/// The folder of the package.
fn package_dir(workspace: &Workspace, subject: &Subject<'_>, package: &str) -> Result<PathBuf> {
    if subject.problem.layout != PackageLayout::Icpc {
        bail!(
            "`{package}` is not a problem package in the format of ICPC or Kattis\n  → to write it as one: grader export"
        );
    }
    if workspace.start.join(package).is_file() {
        bail!("{package} is an archive\n  → unpack it, and name the folder");
    }
    Ok(subject.problem.dir.clone())
}

/// The lines about the changes, and the difference of the YAML files.
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

/// The result of a submission.
#[derive(Debug, Clone, PartialEq)]
struct Outcome {
    /// The verdict, or why it is missing.
    verdict: String,
    points: Option<f64>,
    /// Whether it got some of the points but not all: the legacy format calls that AC, and 2025-09 names the first failure.
    is_partial: bool,
}

impl Outcome {
    /// Whether two results say the same: the verdicts if both versions have one word for them, and the points.
    fn is_like(&self, other: &Self) -> bool {
        let by_points = self.is_partial && other.is_partial;
        self.points == other.points && (by_points || self.verdict == other.verdict)
    }

    fn shown(&self) -> String {
        match self.points {
            Some(points) => format!("{}, {points} points", self.verdict),
            None => self.verdict.clone(),
        }
    }
}

/// The results of the submissions of a package. They are known by the names of their files: the folder may change.
type Results = BTreeMap<String, Vec<Outcome>>;

fn results(workspace: &Workspace, dir: &Path) -> Result<Results> {
    let selection = Selection { words: vec![dir.display().to_string()], ..Selection::default() };
    Ok(results_of(&inner_run(workspace, &selection)?))
}

fn results_of(report: &Report) -> Results {
    let mut results = Results::new();
    for submission in &report.submissions {
        let name = submission.id.submission.as_str();
        let name =
            Path::new(name).file_stem().map_or_else(|| name.to_owned(), |stem| stem.to_string_lossy().into_owned());
        let verdict = match submission.standing() {
            Some(Standing::JudgeError { message }) => format!("judge error: {message}"),
            _ => submission.told().unwrap_or("interrupted").to_owned(),
        };
        let points = submission.score();
        let most = submission.problem.max_score;
        let is_partial = points.is_some_and(|points| points > 0.0 && most.is_none_or(|most| points < most));
        results.entry(name).or_default().push(Outcome { verdict, points, is_partial });
    }
    for results in results.values_mut() {
        results.sort_by_key(Outcome::shown);
    }
    results
}

fn differences(before: &Results, after: &Results) -> Vec<Line> {
    let none = Vec::new();
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let shown = |results: &[Outcome]| {
        if results.is_empty() {
            "absent".to_owned()
        } else {
            results.iter().map(Outcome::shown).collect::<Vec<_>>().join(" and ")
        }
    };
    let mut lines = Vec::new();
    for name in names {
        let (old, new) = (before.get(name).unwrap_or(&none), after.get(name).unwrap_or(&none));
        if old.len() != new.len() || !old.iter().zip(new).all(|(old, new)| old.is_like(new)) {
            let line = Line::new().with("  ✗ ", Style::BAD).with(&clean(name), Style::STRONG);
            lines.push(line.with(&clean(&format!("  {} → {}", shown(old), shown(new))), Style::PLAIN));
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

/// The lines about results that are the same before and after.
fn comparisons(before: &Results, after: &Results) -> Vec<Line> {
    let all: Vec<(&Outcome, &Outcome)> =
        before.iter().flat_map(|(name, old)| old.iter().zip(after.get(name).into_iter().flatten())).collect();
    let number = format!("the same before and after, {}", count(all.len(), "submission"));
    let mut lines = vec![if all.iter().any(|(old, _)| old.points.is_some()) {
        labelled("results", &format!("{number}: verdicts and points"))
    } else {
        labelled("verdicts", &number)
    }];
    for (name, old) in before {
        for (old, new) in old.iter().zip(after.get(name).into_iter().flatten()) {
            if old.verdict != new.verdict {
                let shown =
                    format!("{name}: {} before, {} after: a word for the same points", old.shown(), new.verdict);
                lines.push(labelled("", &clean(&shown)));
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_result_that_differs_is_listed() {
        let outcome = |verdict: &str| Outcome { verdict: verdict.to_owned(), points: None, is_partial: false };
        let results = |pairs: &[(&str, &str)]| -> Results {
            pairs.iter().map(|(name, verdict)| ((*name).to_owned(), vec![outcome(verdict)])).collect()
        };
        let before = results(&[("a", "AC"), ("b", "WA"), ("c", "AC")]);
        assert!(differences(&before, &before).is_empty());
        let lines = differences(&before, &results(&[("a", "AC"), ("b", "AC"), ("d", "AC")]));
        let text: Vec<String> = lines.iter().map(Line::plain).collect();
        assert_eq!(text[1..], ["  ✗ b  WA → AC", "  ✗ c  AC → absent", "  ✗ d  absent → AC"]);
    }

    #[test]
    fn only_partial_points_excuse_another_verdict() {
        let outcome = |verdict: &str, points: f64| Outcome {
            verdict: verdict.to_owned(),
            points: Some(points),
            is_partial: points > 0.0 && points < 100.0,
        };
        assert!(outcome("AC", 60.0).is_like(&outcome("WA", 60.0)));
        assert!(!outcome("AC", 60.0).is_like(&outcome("WA", 40.0)));
        assert!(!outcome("AC", 100.0).is_like(&outcome("WA", 100.0)));
        assert!(!outcome("WA", 0.0).is_like(&outcome("RTE", 0.0)));
    }
}
