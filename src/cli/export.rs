//! `grader export`: writes problems in the formats of other judges.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, anyhow, bail};
use clap::Args;
use clap::builder::PossibleValue;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};

use super::arguments::{AloneArgs, Color, open};
use super::cases::{Page, clean};
use super::statement::statement_pages;
use crate::cli::exit::ExitStatus;
use crate::compile::testlib::OWN as OWN_TESTLIB;
use crate::config::Options;
use crate::diagnostic::{Diagnostic, Severity};
use crate::discover::select::begun_by;
use crate::event::Verb;
use crate::export::contest::{self, Member};
use crate::export::{ArchiveLayout, Draft, Loss, Subject, TARGETS, Target, without_stated_points};
use crate::package::archive::{is_archive_name, is_foreign};
use crate::plan::PlannedProblem;
use crate::problem::{Problem, Program, Reference};
use crate::record::Report;
use crate::report::text::{Line, Style, count};
use crate::session::archives::{UnpackedArchives, is_kattis_name};
use crate::session::authored::data_of;
use crate::session::completion::{CompletedProblems, completed_problems};
use crate::session::derived_limits::{lacks_time_limit, time_limit_of};
use crate::session::inner_progress::Follower;
use crate::session::select::{Choice, ChosenPlan, Programs, choose};
use crate::session::{Role, RunEnd, Selection, Session};
use crate::statement::titles_of;
use crate::verify::{Scope, verify};
use crate::workspace::Workspace;
use crate::workspace::ending::EarlyEnd;

/// Writes a problem or a contest in the format of another judge, as an archive or a directory
#[derive(Debug, Args)]
#[command(
    after_help = "First, grader lists what the format cannot say. If contestants or judges would miss it, grader writes \
    nothing without --lossy. Several problems are written as a contest, with their letters, problems.yaml and \
    samples.zip. A problem with errors of `grader verify` is not exported without --force. Existing files \
    are never overwritten. docs/export.md describes the formats.\n\nExit status: 0 written, 1 `grader verify` finds \
    errors, 2 not written for another reason (the error says why), 3 grader itself failed."
)]
pub(super) struct ExportArgs {
    /// Problems, globs, paths, or problem packages as `.zip` or `.kpp`; several problems are a contest
    #[arg(required = true)]
    selection: Vec<String>,
    /// The format
    #[arg(long = "for", value_name = "FORMAT", value_parser = targets())]
    target: &'static str,
    /// Write this archive (`.zip`, `.kpp`), or a directory with the name of the problem in this one [default: NAME.zip]
    #[arg(short, long, value_name = "PATH")]
    out: Option<PathBuf>,
    /// Write the problem although the format cannot say all of it
    #[arg(long)]
    lossy: bool,
    /// Skip the checks of `grader verify`
    #[arg(long)]
    force: bool,
    /// Add the generators of the problem
    #[arg(long)]
    with_generators: bool,
    /// Choose when to use colour
    #[arg(long, value_name = "WHEN", value_enum)]
    color: Option<Color>,
    #[command(flatten, next_help_heading = "Execution options")]
    alone: AloneArgs,
}

/// The names of the formats.
fn targets() -> impl clap::builder::TypedValueParser<Value = &'static str> {
    let values = TARGETS.iter().map(|target| PossibleValue::new(target.name).help(target.summary));
    // A parser of possible values yields only those.
    PossibleValuesParser::new(values).map(|name| Target::named(&name).map_or("", |target| target.name))
}

/// Exports the problems and returns the exit status.
pub(super) fn run(args: &ExportArgs) -> Result<ExitStatus> {
    let options = Options { color: args.color.map(Into::into), ..args.alone.options() };
    let workspace = open(options)?;
    refuse_other_archives(args.out.as_deref())?;
    let Some(target) = Target::named(args.target) else { bail!("there is no format {}", args.target) };
    if !args.force && !is_sound(&workspace, &args.selection)? {
        return Ok(ExitStatus::Unexpected);
    }
    let chosen = ChosenProblems::choose(&workspace, &args.selection)?;
    let mut members = Vec::new();
    let pages = if target.shows_page { statement_pages(&workspace, &chosen.completed.problems)? } else { Vec::new() };
    let mut pages = pages.into_iter();
    let mut subjects = chosen.subjects(&workspace, args.with_generators)?;
    if target.labels_by_points {
        add_points(&workspace, &args.selection, &mut subjects)?;
    }
    let scratch = tempfile::tempdir()?;
    let header = scratch.path().join("testlib.h");
    std::fs::write(&header, OWN_TESTLIB)?;
    for mut subject in subjects {
        subject.own_header = Some(header.clone());
        subject.page = pages.next().flatten();
        let draft = target.draft(&subject).map_err(|error| anyhow!("{}: {error}", subject.problem.id))?;
        members.push(Member { subject, draft });
    }
    let start = &workspace.start;
    let export = match members.pop() {
        Some(Member { subject, draft }) if members.is_empty() => {
            Export { folder: target.archive.has_folder().then(|| subject.name.clone()), name: subject.name, draft }
        }
        last => {
            members.extend(last);
            let name = contest::name_of(members.first().map(|member| member.subject.problem));
            let is_archive = is_archive(&start.join(args.out.as_deref().unwrap_or(Path::new("c.zip"))));
            let packed = match target.archive {
                ArchiveLayout::Top => true,
                ArchiveLayout::Folder => is_archive,
                ArchiveLayout::Folders => false,
            };
            Export { draft: contest::draft(target, members, packed, scratch.path())?, name, folder: None }
        }
    };
    let page = Page::new(&workspace);
    page.print(&[losses(&export.draft, target.name), wanted(&export.draft, target)].concat())?;
    refuse_losses(&export.draft, target.name, args.lossy)?;
    let to = export.write(args.out.as_deref(), start)?;
    page.print(&export.page(target, start, &to))?;
    Ok(ExitStatus::Success)
}

/// Runs the submissions whose label depends on unstated points, and notes their points.
fn add_points(workspace: &Workspace, words: &[String], subjects: &mut [Subject<'_>]) -> Result<()> {
    let submissions: Vec<String> = subjects.iter().flat_map(without_stated_points).collect();
    if submissions.is_empty() {
        return Ok(());
    }
    let report = inner_run(workspace, &Selection { words: words.to_vec(), submissions, ..Selection::default() })?;
    for submission in &report.submissions {
        let subject = subjects.iter_mut().find(|subject| subject.problem.id == submission.id.problem);
        if let (Some(subject), Some(points)) = (subject, submission.score()) {
            subject.earned.insert(submission.id.submission.to_string(), points);
        }
    }
    Ok(())
}

/// Runs submissions for a command that needs their results.
pub(super) fn inner_run(workspace: &Workspace, selection: &Selection) -> Result<Report> {
    let session = Session { role: Role::Inner(Verb::Run), ..Session::open(workspace.clone(), selection)?.ready()? };
    let follower = Follower::new(workspace.listener(), |id| format!("{}/{}", id.problem, id.submission));
    let RunEnd { report, signal } = session.conduct(vec![Box::new(follower)])?;
    match signal {
        Some(signal) => Err(EarlyEnd::Interrupted(signal).into()),
        None => Ok(report),
    }
}

/// The problems that words choose, with the files of all tests and with time limits.
pub(super) struct ChosenProblems {
    /// With the directories of made tests, which must last until the files are copied.
    completed: CompletedProblems,
    /// The directories with their test data, as the author sees them.
    data: Vec<PathBuf>,
    /// The generators of their packages, which complete problems do not need any more.
    generators: Vec<BTreeMap<String, Program>>,
    /// The directories of archives, which must last as long.
    unpacked: UnpackedArchives,
}

impl ChosenProblems {
    /// Finds the problems. Makes missing tests, and measures missing time limits.
    ///
    /// # Errors
    /// A problem has errors, which the listener knows ([`EarlyEnd`]).
    pub(super) fn choose(workspace: &Workspace, words: &[String]) -> Result<Self> {
        let unpacked = UnpackedArchives::new(&workspace.start, words)?;
        let choice = Choice::problems(workspace, &unpacked.words, Programs::Refused);
        let ChosenPlan { plan, found } = choose(workspace, &choice)?;
        workspace.tell_found(&unpacked.archives.told(found.clone()));
        let is_part = |planned: &&PlannedProblem| planned.tests.len() < planned.problem.tests().count();
        if let Some(PlannedProblem { problem, .. }) = plan.problems.iter().find(is_part) {
            bail!("only some tests of {0} are named, and it goes as a whole\n  → name the problem: {0}", problem.id);
        }
        let chosen: Vec<Arc<Problem>> = plan.problems.iter().map(|planned| Arc::clone(&planned.problem)).collect();
        workspace.tell_found(&begun_by(words, &chosen));
        if chosen.is_empty() || found.iter().any(Diagnostic::is_error) {
            return Err(EarlyEnd::Refused.into());
        }
        let data = chosen.iter().map(|problem| data_of(workspace, problem)).collect();
        let generators = chosen.iter().map(|problem| problem.recipes.generators.clone()).collect();
        let mut completed = completed_problems(workspace, chosen)?;
        workspace.tell_found(&completed.found);
        if completed.found.iter().any(Diagnostic::is_error) {
            return Err(EarlyEnd::Refused.into());
        }
        for problem in completed.problems.iter_mut().filter(|problem| lacks_time_limit(workspace, problem)) {
            *problem = time_limit_of(workspace, problem)?;
        }
        Ok(Self { completed, data, generators, unpacked })
    }

    /// A path as the person who named the problem knows it: with the archive in place of a directory of grader.
    pub(super) fn typed(&self, path: &Path) -> String {
        self.unpacked.archives.shown(path).display().to_string()
    }

    /// Gives each problem without a reference its first accepted submission as one.
    pub(super) fn with_references(mut self) -> Self {
        for problem in &mut self.completed.problems {
            let first = problem.submissions.iter().position(|own| own.expectation.wants_all_accepted());
            if problem.reference().is_none() && first.is_some() {
                Arc::make_mut(problem).reference = first.map(Reference::Chosen);
            }
        }
        self
    }

    /// The subjects of the export, one for each problem.
    pub(super) fn subjects(&self, workspace: &Workspace, with_generators: bool) -> Result<Vec<Subject<'_>>> {
        let mut subjects = Vec::new();
        let of_packages = self.data.iter().zip(&self.generators);
        for (problem, (data, generators)) in self.completed.problems.iter().zip(of_packages) {
            let subject = Subject::new(&workspace.settings, problem, data, with_generators);
            let mut subject = subject.map_err(|error| anyhow!("{}: {error}", problem.id))?;
            subject.generators.clone_from(generators);
            subject.titles = titles_of(problem);
            subjects.push(subject);
        }
        Ok(subjects)
    }
}

/// Fails if a format cannot say everything and the user did not permit that.
pub(super) fn refuse_losses(draft: &Draft, target: &str, lossy: bool) -> Result<()> {
    if !lossy && !draft.losses().is_empty() {
        bail!("{target} cannot say everything, so nothing was written\n  → to write the rest: --lossy");
    }
    Ok(())
}

/// How the line about something that was written begins and ends: only without losses is all well.
pub(super) fn success(is_lossy: bool) -> (Line, &'static str) {
    if is_lossy {
        (Line::new().with("! ", Style::NOTICE), ", without what it cannot say")
    } else {
        (Line::new().with("✓ ", Style::GOOD), "")
    }
}

/// A problem or a contest that is ready to be written.
struct Export {
    name: String,
    /// The folder in an archive that holds all files.
    folder: Option<String>,
    draft: Draft,
}

/// Runs the checks of `grader verify` without its robustness tests. Shows the errors, and returns whether all checks passed.
fn is_sound(workspace: &Workspace, words: &[String]) -> Result<bool> {
    let scope = Scope {
        selection: words,
        allow: &[],
        try_time: Duration::ZERO,
        data_only: false,
        sanitize: false,
        coverage: false,
    };
    let mut errors = Vec::new();
    let all = verify(workspace, &scope, |_| Ok(()))?;
    for finding in all.iter().flat_map(|results| &results.findings) {
        if matches!(finding.found.severity, Severity::Error | Severity::JudgeError) {
            errors.push(finding.found.clone());
        }
    }
    workspace.tell_found(&errors);
    if !errors.is_empty() {
        let message = "`grader verify` finds errors, so nothing was written";
        let found = Diagnostic::new(Severity::Error, message);
        let remedy = if is_readable(workspace, words) {
            "correct them, or export anyway: --force"
        } else {
            "correct them: --force does not help here"
        };
        workspace.tell(&found.remedy(remedy));
    }
    Ok(errors.is_empty())
}

/// Whether problems can be read without errors, which not even `--force` ignores.
fn is_readable(workspace: &Workspace, words: &[String]) -> bool {
    let read = || -> Result<bool> {
        let unpacked = UnpackedArchives::new(&workspace.start, words)?;
        let choice = Choice::problems(workspace, &unpacked.words, Programs::Refused);
        Ok(!choose(workspace, &choice)?.found.iter().any(Diagnostic::is_error))
    };
    read().unwrap_or(false)
}

/// The lines about everything that the target does not get.
pub(super) fn losses(draft: &Draft, target: &str) -> Vec<Line> {
    let lost = format!("{target} cannot say:");
    [
        listed(&lost, ("  ✗ ", Style::BAD), draft.losses()),
        listed("left out, and no verdict depends on it:", ("  - ", Style::FAINT), draft.left_out()),
    ]
    .concat()
}

/// The lines about everything that the target requires and the problem lacks.
fn wanted(draft: &Draft, target: &Target) -> Vec<Line> {
    listed(&format!("{} wants also:", target.name), ("  ! ", Style::NOTICE), draft.missing())
}

fn listed(heading: &str, (mark, style): (&str, Style), losses: &[Loss]) -> Vec<Line> {
    let line = |Loss { what, why }: &Loss| {
        Line::new().with(mark, style).with(&clean(what), Style::STRONG).with(&clean(&format!(": {why}")), Style::PLAIN)
    };
    let heading = (!losses.is_empty()).then(|| Line::new().with(heading, Style::STRONG));
    heading.into_iter().chain(losses.iter().map(line)).collect()
}

/// Whether this is the name of an archive that an export can be.
fn is_archive(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("zip")) || is_kattis_name(path)
}

/// Fails if the name for the export is that of another archive than the one that would be written.
fn refuse_other_archives(out: Option<&Path>) -> Result<()> {
    let is_other = |out: &&Path| (is_archive_name(out) && !is_archive(out)) || is_foreign(out);
    if let Some(out) = out.filter(is_other).filter(|out| !out.is_dir()) {
        bail!(
            "{} has the ending of an archive that grader does not write\n  → name a .zip file, or a directory",
            out.display()
        );
    }
    Ok(())
}

impl Export {
    /// Writes the files. Returns the path of the archive or directory.
    fn write(&self, out: Option<&Path>, start: &Path) -> Result<PathBuf> {
        let default = PathBuf::from(format!("{}.zip", self.name));
        let out = start.join(out.unwrap_or(&default));
        if is_archive(&out) {
            self.draft.write_archive(&out, self.folder.as_deref())?;
            return Ok(out);
        }
        let to = out.join(&self.name);
        self.draft.write_directory(&to)?;
        Ok(to)
    }

    /// The page about what was written.
    fn page(&self, target: &Target, start: &Path, to: &Path) -> Vec<Line> {
        let shown = to.strip_prefix(start).unwrap_or(to).display().to_string();
        let files = count(self.draft.len(), "file");
        let (done, rest) = success(!self.draft.losses().is_empty());
        vec![
            done.with("wrote ", Style::PLAIN)
                .with(&clean(&shown), Style::STRONG)
                .with(&format!(" for {}, {files}{rest}", target.name), Style::FAINT),
        ]
    }
}
