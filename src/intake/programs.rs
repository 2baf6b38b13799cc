//! Judges programs of students: turns paths into submissions, and submissions into a run.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use super::advice::{Advice, Misfit};
use super::assign::{AssignedSubmission, AssignedSubmissions, KnownProblems, assign};
use super::course::{Course, course, exported, ignored, of_moodle, read_roster};
use super::decided::{self, Decided};
use super::export::ExportedStudents;
use super::found_submission::{FoundSubmission, SubmittedFiles};
use super::grade_columns::{ReadColumns, doubled, of_problems, without_column};
use super::layout::{FolderLayout, settle};
use super::named_source::{Source, source, take, with_files_together};
use super::names::{ProblemNames, exercise_option};
use super::origins::ResultScope;
use super::pairing::Pattern;
pub(crate) use super::planned_run::Identical;
use super::planned_run::{Job, PreparedRun};
use super::reader::{Intake, listed};
pub use super::request::Request;
use super::result_folder::{MOODLE_FEEDBACK, OutDir, OutWriter};
use super::unjudged::Why;
use super::unmatched::{unmatched_members, unmatched_options, unnamed_members};
use super::{Problems, moodle_numbers, only_problem, wants_outputs};
use crate::course::FilePoints;
use crate::diagnostic::{Diagnostic, Severity};
use crate::event::{Command, Event, LeftOut, Override, ProblemIndex, RosterStudent};
use crate::plan::{Plan, PlannedProblem};
use crate::record::Report;
use crate::report::gradescope::ONE_STUDENT;
use crate::session::derived_limits::{DerivedLimits, LimitsFrom, time_limits};
use crate::session::reference_check::rejected_references;
use crate::session::scratch::Scratch;
use crate::session::{Role, Session};
use crate::suggest;
use crate::workspace::Workspace;
use crate::workspace::ending::EarlyEnd;

/// Submissions that are ready to be judged.
pub struct Judging {
    /// The run.
    pub(crate) session: Session,
    /// Whether the students are known.
    pub(crate) class: bool,
    /// The number of results that were known from an earlier run.
    pub(crate) recalled: usize,
    /// The students with identical submissions.
    pub(crate) identical: Vec<Identical>,
    /// Writes each result; none if results are not kept.
    pub(crate) writer: Option<OutWriter>,
    /// The file that Moodle takes back, as shown to the user; none if there is none.
    pub(crate) moodle_feedback: Option<PathBuf>,
    /// The directory with the unpacked submissions. It is deleted with this value.
    _scratch: Scratch,
}

impl Judging {
    /// Judges everything, and saves the record and the results. Passes every recorded event to `each`, in plan order.
    ///
    /// # Errors
    /// See [`Session::run`].
    pub fn run(self, each: impl FnMut(&Event)) -> Result<Report> {
        self.session.run_with(self.writer.map(|writer| Box::new(writer) as _), each)
    }
}

/// Reads submissions; in a submit-answer problem, they are outputs.
///
/// # Errors
/// The errors were reported to the listener ([`EarlyEnd`]), no submission was found, or the words are ambiguous.
pub fn prepare(workspace: Workspace, request: &Request) -> Result<Judging> {
    let scratch = Scratch::for_programs()?;
    let received = received(scratch.path(), &workspace, request)?;
    let SubmittedWork { mut intake, layout, mut problems, only, as_outputs, class, mut assigned, .. } = received;
    let SubmittedWork { exported, roster, columns: ReadColumns { known: grade_columns, others }, paths, .. } = received;
    let Course { roster, overrides, exported } =
        course(&mut intake, &workspace, request.roster.as_deref(), &problems, &mut assigned, class, (roster, exported))
            // The submissions may say why: a student whom nobody knows is in a layout that does not match.
            .inspect_err(|_| workspace.tell_found(&intake.found))?;
    let roster = with_last_names(roster, &exported);
    let mut found = std::mem::take(&mut intake.found);
    let has_nothing = assigned.entries.is_empty() && assigned.misfits.is_empty();
    // An error says why nothing was found. Zeros for all would hide it.
    if has_nothing && (roster.is_empty() || found.iter().any(Diagnostic::is_error)) {
        workspace.tell_found(&found);
        if found.iter().any(Diagnostic::is_error) {
            return Err(EarlyEnd::Refused.into());
        }
        bail!("none of these files is {}", if as_outputs { "an output" } else { "a program" });
    }
    let mut students: BTreeSet<_> = assigned.entries.iter().filter_map(|entry| entry.student.as_deref()).collect();
    if class {
        students.extend(assigned.misfits.iter().map(|misfit| &*misfit.student));
    }
    if students.len() > 1 && request.for_one_student {
        bail!("{ONE_STUDENT}\n  → for a class use `--out DIR` or `--report gradebook=FILE`");
    }
    let limits_from = give_time_limits(&workspace, &mut problems, &mut assigned, &mut found)?;
    // Whoever tries one program again and again waits for no other.
    if class || assigned.entries.len() > 1 {
        let used: BTreeSet<usize> = assigned.entries.iter().map(|entry| entry.problem).collect();
        found.extend(rejected_references(&workspace, used.iter().map(|at| &problems.plan.problems[*at]))?);
    }
    let out = match &request.out {
        Some(dir) => {
            let authors = assigned.entries.iter().map(AssignedSubmission::owner);
            let authors = authors.chain(assigned.misfits.iter().map(|misfit| &*misfit.student));
            let authors = authors.chain(roster.iter().map(|student| &*student.student)).collect();
            let open = OutDir::open(&workspace.start.join(dir), workspace.settings.store_dir(), &authors);
            Some(open.with_context(|| format!("cannot use --out {}", dir.display()))?)
        }
        None => None,
    };
    let AssignedSubmissions { entries, mut misfits } = assigned;
    let advice = advice_for(&intake, &problems, only, layout.as_ref(), &entries);
    let earlier = out.as_ref().map(|out| out.earlier_exercises(&paths)).transpose()?.unwrap_or_default();
    let stays = |(at, problem): (usize, &PlannedProblem)| {
        let id = problem.problem.id.as_str();
        let is_changed = |change: &Override| change.problem.as_ref().is_some_and(|problem| problem.as_str() == id);
        let is_named = only == Some(at) || workspace.settings.exercises.values().any(|known| known == id);
        class && (is_named || overrides.iter().any(is_changed) || earlier.contains(id))
    };
    let expected = expected_problems(&problems, &entries, &mut misfits, stays);
    let columns: BTreeSet<usize> = expected.iter().copied().chain(entries.iter().map(|entry| entry.problem)).collect();
    let (overrides, waiting) = decided::of_run(&workspace, overrides, &problems, &columns);
    found.extend(waiting);
    let decided =
        Decided { overrides: &overrides, entries: &entries, misfits: &misfits, problems: &problems, columns: &columns };
    found.extend(decided.unknown_penalties(&workspace));
    decided.settle(&intake, &mut found);
    let left_out: Vec<LeftOut> = misfits.into_iter().map(|misfit| advice.left_out(misfit)).collect();
    found.extend(without_submissions(&problems, &entries, &expected).filter(|_| only.is_none() && class));
    let job = Job { request, workspace: &workspace, problems: &problems, entries: &entries, roster: &roster, expected };
    let PreparedRun { whole, work, submitted, owners, recalled, identical } = job.prepare(out.as_ref())?;
    if let Some(list) = &request.roster {
        let of_run = || whole.problems.iter().map(|planned| &planned.problem.id);
        found.extend(without_column(&grade_columns, &others, of_run(), list));
        found.extend(doubled(&grade_columns, &of_run().collect(), list));
    }
    let count = recalled.len();
    let (of_moodle, without_number) = of_moodle(&exported, &roster, &entries);
    if !without_number.is_empty() {
        let names = listed(&without_number.into_iter().collect::<Vec<_>>());
        let message = format!("files for Moodle lack these, whose numbers at Moodle are unknown: {names}");
        let remedy = "name Moodle's grading worksheet as the roster: --roster";
        found.push(Diagnostic::new(Severity::Info, message).remedy(remedy));
    }
    let moodle_feedback = request.out.as_ref().filter(|_| !of_moodle.is_empty()).map(|dir| dir.join(MOODLE_FEEDBACK));
    let scope = ResultScope { paths, problems: problems.ids().into_iter().map(str::to_owned).collect() };
    let writer = out.map(|out| OutWriter::new(out, owners, recalled, request.feedback, request.look, of_moodle, scope));
    let judged = |found: &Diagnostic| whole.problems.iter().any(|planned| found.is_about(&planned.problem));
    problems.found.retain(judged);
    let found = [workspace.settings.warnings.clone(), problems.found, found].concat();
    let session = Session {
        unpacked: problems.unpacked,
        options: request.options.clone(),
        limits_from,
        submitted,
        left_out,
        roster,
        overrides,
        grade_columns,
        work: Some(work),
        ..Session::new(workspace, Role::Asked(Command::Judge), request.language.clone(), found, whole)
    };
    Ok(Judging { session, class, recalled: count, identical, writer, moodle_feedback, _scratch: scratch })
}

/// The submissions, assigned to students and problems.
struct SubmittedWork<'a> {
    intake: Intake<'a>,
    layout: Option<FolderLayout>,
    problems: Problems,
    /// The only problem to judge, if there is just one.
    only: Option<usize>,
    /// Whether the only problem wants outputs.
    as_outputs: bool,
    /// Whether the students are known.
    class: bool,
    assigned: AssignedSubmissions,
    exported: ExportedStudents,
    roster: Option<Vec<RosterStudent>>,
    /// The columns of grades in the list that is the roster.
    columns: ReadColumns,
    /// The named paths in which something was submitted, from the root.
    paths: BTreeSet<PathBuf>,
}

fn received<'a>(scratch: &'a Path, workspace: &'a Workspace, request: &'a Request) -> Result<SubmittedWork<'a>> {
    let layout = match request.layout.as_deref().map(|text| (text, FolderLayout::parse(text))) {
        Some((text, Err(error))) => bail!("`--layout {text}`: {error}"),
        Some((_, Ok(layout))) => Some(layout),
        None => None,
    };
    let (word, paths) = request.split_words(workspace, layout.as_ref())?;
    let problems = request.problems(workspace, word.as_deref(), &request.tests)?;
    let mut intake = Intake::new(scratch, &workspace.languages, request.language.as_deref());
    intake.ignore = ignored(&workspace.settings.ignore)?;
    intake.members_name = &workspace.settings.members;
    intake.attempts = workspace.settings.attempts;
    let roster = request.roster.as_deref().map(|path| read_roster(&mut intake, workspace, path)).transpose()?;
    let (mut roster, columns): (Option<Vec<RosterStudent>>, _) =
        roster.map(|roster| (roster.students, roster.columns)).unzip();
    intake.roster = roster.clone().unwrap_or_default();
    let mut sources: Vec<Source> =
        paths.iter().map(|path| source(&mut intake, workspace, path, layout.as_ref())).collect();
    // A folder with tests of several programs is several problems by one word. Broken problems count: submissions may be theirs.
    let are_several = problems.ids().len() > 1;
    if layout.is_none() {
        for (path, source) in paths.iter().zip(&mut sources) {
            source.recognise_archives(&mut intake, path, &problems, are_several);
        }
    }
    let is_export = |source: &Source| {
        let layout = layout.as_ref().or(source.recognised());
        layout.is_some_and(|layout| matches!(layout, FolderLayout::Export(_)))
    };
    let has_export = sources.iter().any(is_export);
    let has_problem = layout
        .as_ref()
        .into_iter()
        .chain(sources.iter().filter_map(Source::recognised))
        .any(FolderLayout::names_problem);
    let by_problem = (word.is_none() || are_several) && (has_problem || has_export && are_several);
    let only = match only_problem(&problems, workspace, word.as_deref()) {
        _ if by_problem => None,
        Ok(only) => Some(only),
        Err(error) => {
            // The submissions may say why no problem is named. If none can be read, that is the only error.
            workspace.tell_found(&intake.found);
            let is_unknown = !sources.is_empty() && sources.iter().all(Source::is_unread);
            return Err(if is_unknown { EarlyEnd::Refused.into() } else { error });
        }
    };
    let mut meant = only.map_or(0..problems.plan.problems.len(), |only| only..only + 1);
    if request.pattern.is_some() && !meant.any(|at| wants_outputs(&problems.plan.problems[at])) {
        bail!("`--pattern` is for output files and needs `--outputs`\n  → for programs use `--layout`");
    }
    let pattern = Pattern::parse(request.pattern.as_deref())?;
    let as_outputs = only.is_some_and(|only| wants_outputs(&problems.plan.problems[only]));
    // A file for another problem is not a misspelling of this one.
    let has_others = (has_problem || has_export || layout.is_some()) && word.is_some();
    let names = problem_names(workspace, request, &problems, only, has_others)?;
    let mut columns = of_problems(columns.unwrap_or_default(), &names);
    if workspace.settings.points == FilePoints::Raw {
        for column in &mut columns.known {
            column.most = None;
        }
        for student in roster.iter_mut().flatten() {
            student.most = None;
        }
    }
    let only_id = only.map(|only| problems.plan.problems[only].problem.id.to_string());
    let mut taken = Vec::new();
    for (path, source) in paths.iter().zip(sources) {
        let layout = layout.as_ref();
        taken.extend(take(&mut intake, source, path, layout, as_outputs, (&names, only_id.as_deref())));
    }
    if roster.is_some() {
        // A path without any submission is of no student.
        taken.retain(|taken| taken.has_student() || !matches!(taken.files, SubmittedFiles::Nothing(..)));
    }
    // With one problem, names need not say which is meant.
    let unmet = if only.is_none() { names.unmet_aliases() } else { Vec::new() };
    unmatched_options(&mut intake, workspace, unmet);
    let unmatched = unmatched_members(&intake, workspace);
    let unnamed = unnamed_members(&intake, &taken);
    intake.found.extend(unmatched.into_iter().chain(unnamed));
    intake.tell_forgiven(&paths[0]);
    if as_outputs {
        taken = with_files_together(taken);
    }
    settle(&mut taken, &intake.roster);
    let (renumbered, namesakes) = moodle_numbers::join(&mut taken);
    intake.found.extend(renumbered);
    let paths = taken.iter().filter_map(|taken| request.named_path(workspace, &taken.place)).collect();
    let exported: ExportedStudents = taken.iter().filter_map(exported).collect();
    let class = roster.is_some() || taken.iter().any(FoundSubmission::has_student);
    let wanted =
        KnownProblems { workspace, problems: &problems, only, names: &names, has_problem, pattern: pattern.as_ref() };
    let mut assigned = assign(&mut intake, taken, &wanted);
    let not_identified = |student: String| Misfit::new(student, None, Why::NotIdentified);
    assigned.misfits.extend(namesakes.into_iter().map(not_identified));
    Ok(SubmittedWork { intake, layout, problems, only, as_outputs, class, assigned, exported, roster, columns, paths })
}

/// The names of problems that paths may mean. `has_others`: the command names some of the problems, and paths may name others;
/// `only` is the only one that it names, if it is just one.
fn problem_names(
    workspace: &Workspace,
    request: &Request,
    problems: &Problems,
    only: Option<usize>,
    has_others: bool,
) -> Result<ProblemNames> {
    let mut names = ProblemNames::of(problems);
    if has_others {
        // If the others cannot be found, none is known.
        let others = request.problems(workspace, None, &[]);
        names = others.map_or(ProblemNames::default(), |others| ProblemNames::of(&others)).and(names);
        names = names.asked_for(&match only {
            Some(only) => vec![problems.plan.problems[only].problem.id.as_str()],
            None => problems.ids(),
        });
    }
    let unknown = names.add_aliases(&workspace.settings.exercises);
    if !unknown.is_empty() {
        let ids = problems.ids();
        let near = unknown.iter().find_map(|name| suggest::did_you_mean(name, ids.iter().copied()));
        let remedy = near.map(|near| format!("\n  → {near}")).unwrap_or_default();
        bail!("`--exercise` or `exercises` names problems that are not here: {}{remedy}", unknown.join(", "));
    }
    Ok(names)
}

/// The problems that have a column even if no submission for them is judged: those that stay, and those for which somebody
/// submitted something. Removes the misfits that may be for any problem from the others.
fn expected_problems(
    problems: &Problems,
    entries: &[AssignedSubmission],
    misfits: &mut Vec<Misfit>,
    stays: impl Fn((usize, &PlannedProblem)) -> bool,
) -> BTreeSet<usize> {
    let all = || problems.plan.problems.iter().enumerate();
    let is_for = |misfit: &Misfit, problem: &PlannedProblem| misfit.problem.as_ref() == Some(&problem.problem.id);
    // Their points belong to the best total. Without a time limit, a problem is not part of the run.
    let is_unjudged = |problem: &PlannedProblem| {
        let is_its = |misfit: &&Misfit| !misfit.is_for_any && !matches!(misfit.why, Why::NoTimeLimit);
        misfits.iter().filter(is_its).any(|misfit| is_for(misfit, problem))
    };
    let expected: BTreeSet<usize> =
        all().filter(|(at, problem)| is_unjudged(problem) || stays((*at, problem))).map(|(at, _)| at).collect();
    let is_of_run = |at: usize| expected.contains(&at) || entries.iter().any(|entry| entry.problem == at);
    if !all().any(|(at, _)| is_of_run(at)) && misfits.iter().any(|misfit| misfit.is_for_any) {
        return all().map(|(at, _)| at).collect();
    }
    let others: Vec<&PlannedProblem> = all().filter(|(at, _)| !is_of_run(*at)).map(|(_, problem)| problem).collect();
    misfits.retain(|misfit| !misfit.is_for_any || !others.iter().any(|problem| is_for(misfit, problem)));
    expected
}

/// Adds the last names that exports state.
fn with_last_names(mut roster: Vec<RosterStudent>, exported: &ExportedStudents) -> Vec<RosterStudent> {
    for student in &mut roster {
        student.last_name = exported.get(&student.student).and_then(|said| said.last_name.clone());
    }
    roster
}

/// A notice about the problems for which nobody submitted anything, if there are any: they are not part of the best total.
fn without_submissions(
    problems: &Problems,
    entries: &[AssignedSubmission],
    expected: &BTreeSet<usize>,
) -> Option<Diagnostic> {
    let has_column = |at: usize| expected.contains(&at) || entries.iter().any(|entry| entry.problem == at);
    let all = problems.plan.problems.iter().enumerate();
    let none: Vec<&str> =
        all.filter(|(at, _)| !has_column(*at)).map(|(_, planned)| planned.problem.id.as_str()).collect();
    let first = none.first().filter(|_| none.len() < problems.plan.problems.len())?;
    let names = listed(&none.iter().map(PathBuf::from).collect::<Vec<_>>());
    let message =
        format!("nobody submitted anything for {names}: the maximum of the total is that of the other exercises");
    let remedy = format!("if it belongs to the total, name it: {}", exercise_option(first, Some(first)));
    Some(Diagnostic::new(Severity::Info, message).remedy(remedy))
}

/// Returns the valid names of submissions, as the layout, `--lang` or the submissions of others show.
fn advice_for(
    intake: &Intake<'_>,
    problems: &Problems,
    only: Option<usize>,
    layout: Option<&FolderLayout>,
    entries: &[AssignedSubmission],
) -> Advice {
    let wanted = intake.wanted.and_then(|wanted| intake.languages.get(wanted)).and_then(|row| row.extensions.first());
    let stated = layout.and_then(FolderLayout::ending).map(str::to_owned).or(wanted.cloned());
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for entry in entries {
        let language =
            intake.language_of(&entry.program, entry.starts.as_deref()).and_then(|id| intake.languages.get(id));
        *counts.entry(language.and_then(|row| row.extensions.first().cloned()).unwrap_or_default()).or_default() += 1;
    }
    counts.remove("");
    let mut frequent: Vec<(usize, String)> = counts.into_iter().map(|(ending, count)| (count, ending)).collect();
    frequent.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let endings = stated.map_or_else(|| frequent.into_iter().map(|(_, ending)| ending).collect(), |one| vec![one]);
    let planned = problems.plan.problems.iter().enumerate().filter(|(at, _)| only.is_none_or(|only| only == *at));
    let planned: Vec<_> = planned.map(|(_, planned)| planned).collect();
    let example = |planned: &&crate::plan::PlannedProblem| {
        let name = planned.names.first().map(|name| format!("{name}.out"));
        Some((planned.problem.id.clone(), name.filter(|_| wants_outputs(planned))?))
    };
    Advice {
        endings,
        problems: planned.iter().map(|planned| planned.problem.id.clone()).collect(),
        outputs: planned.iter().copied().filter_map(|planned| example(&planned)).collect(),
    }
}

/// Sets the time limit of packages that state none. Problems without a limit afterwards are not judged.
fn give_time_limits(
    workspace: &Workspace,
    problems: &mut Problems,
    assigned: &mut AssignedSubmissions,
    found: &mut Vec<Diagnostic>,
) -> Result<LimitsFrom> {
    let used: BTreeSet<usize> = assigned.entries.iter().map(|entry| entry.problem).collect();
    let mut plan = Plan::default();
    for at in &used {
        plan.add_part(&problems.plan, ProblemIndex(*at), &[], |_| true);
    }
    let DerivedLimits { plan, from, found: more, made } = time_limits(workspace, plan)?;
    problems.unpacked.archives.know(&made);
    found.extend(problems.unpacked.archives.told(more));
    let mut gone = BTreeSet::new();
    for at in used {
        let old = &mut problems.plan.problems[at];
        match plan.problems.iter().find(|planned| planned.problem.id == old.problem.id) {
            Some(planned) => {
                *old = PlannedProblem { submissions: old.submissions.clone(), ..planned.clone() };
            }
            None => drop(gone.insert(at)),
        }
    }
    let (judged, not): (Vec<AssignedSubmission>, Vec<AssignedSubmission>) =
        std::mem::take(&mut assigned.entries).into_iter().partition(|entry| !gone.contains(&entry.problem));
    assigned.entries = judged;
    assigned.misfits.extend(not.into_iter().map(|entry| {
        let problem = problems.plan.problems[entry.problem].problem.id.clone();
        Misfit::new(entry.owner().to_owned(), Some(problem), Why::NoTimeLimit)
    }));
    Ok(from)
}
