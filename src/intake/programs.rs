//! Judges programs of students: turns paths into submissions, and submissions into a run.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};

use super::advice::{Advice, Misfit};
use super::assign::{AssignedSubmission, AssignedSubmissions, KnownProblems, assign};
use super::course::{Course, course, exported, ignored, of_moodle, read_roster};
use super::export::ExportedStudents;
use super::found_submission::{FoundSubmission, SubmittedFiles};
use super::grade_columns::{ReadColumns, of_problems, without_column};
use super::layout::{FolderLayout, settle};
use super::names::{NamedProblem, ProblemNames};
use super::origins::{Origin, ResultScope};
use super::pairing::Pattern;
use super::platform::Platform;
use super::reader::{Intake, Tree, TreeItem, Why, is_document, listed};
use super::recognition::{Recognition, recognised};
use super::result_folder::{MOODLE_FEEDBACK, OutDir, OutWriter, Owner};
use super::unmatched::{unmatched_members, unmatched_options};
use super::{Problems, find_problems, moodle_numbers, only_problem, positions, submission, wants_outputs};
use crate::course::{AttemptChoice, FilePoints};
use crate::diagnostic::{Diagnostic, Severity};
use crate::event::{Command, Event, LeftOut, Override, ProblemIndex, RosterStudent};
use crate::package::archive::{foreign_unpacker, is_archive_name};
use crate::plan::{Plan, PlannedProblem};
use crate::problem::{ProblemId, Submission};
use crate::record::Report;
use crate::report::failure::Look;
use crate::report::gradescope::ONE_STUDENT;
use crate::report::student::FeedbackLevel;
use crate::report::text::quote_path;
use crate::session::archives::{holds_package, is_kattis_name, is_package};
use crate::session::derived_limits::{DerivedLimits, LimitsFrom, time_limits};
use crate::session::reference_check::rejected_references;
use crate::session::result_key;
use crate::session::scratch::Scratch;
use crate::session::select::near_file;
use crate::session::{Role, Session, SubmittedProgram, Work};
use crate::store::{Key, Store};
use crate::suggest;
use crate::workspace::Workspace;
use crate::workspace::ending::EarlyEnd;

/// Which submissions to judge, and how.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The problem, if it was named separately from the submissions.
    pub problem: Option<String>,
    /// The submissions. The problem comes first, unless it was named separately.
    pub words: Vec<String>,
    /// The layout of the paths: a glob with the student and the problem, or the name of a platform.
    pub layout: Option<String>,
    /// The roster of the class, a CSV file.
    pub roster: Option<PathBuf>,
    /// Only these tests.
    pub tests: Vec<String>,
    /// The pattern of the names of output files.
    pub pattern: Option<String>,
    /// A program that judges instead of the problem's own output validator.
    pub output_validator: Option<PathBuf>,
    /// The language of every submission.
    pub language: Option<String>,
    /// The folder for the result of each submission.
    pub out: Option<PathBuf>,
    /// How much students see in that folder.
    pub feedback: FeedbackLevel,
    /// How failures are shown in that folder.
    pub look: Look,
    /// Whether the requested report covers only one student.
    pub for_one_student: bool,
    /// The options that determine results.
    pub options: Vec<String>,
}

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

/// Students with identical submissions to one problem.
pub(crate) struct Identical {
    pub(crate) problem: String,
    pub(crate) students: Vec<String>,
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
    let Course { roster, overrides, exported } = course(
        &mut intake,
        &workspace,
        request.roster.as_deref(),
        &problems,
        &mut assigned,
        class,
        (roster, exported),
    )?;
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
    if class {
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
    let AssignedSubmissions { entries, misfits } = assigned;
    let advice = advice_for(&intake, &problems, only, layout.as_ref(), &entries);
    // Its points belong to the best total even if nothing can be judged. Without a time limit, it is not part of the run.
    let unjudged: BTreeSet<ProblemId> = misfits
        .iter()
        .filter(|misfit| !matches!(misfit.why, Why::NoTimeLimit))
        .filter_map(|misfit| misfit.problem.clone())
        .collect();
    let left_out: Vec<LeftOut> = misfits.into_iter().map(|misfit| advice.left_out(misfit)).collect();
    let stays = |problem: &PlannedProblem| {
        let id = problem.problem.id.as_str();
        let is_changed = |change: &Override| change.problem.as_ref().is_some_and(|problem| problem.as_str() == id);
        workspace.settings.exercises.values().any(|known| known == id) || overrides.iter().any(is_changed)
    };
    let expected = problems.plan.problems.iter().enumerate();
    let expected = expected.filter(|(at, problem)| {
        unjudged.contains(&problem.problem.id) || class && (only == Some(*at) || stays(problem))
    });
    let expected: BTreeSet<usize> = expected.map(|(at, _)| at).collect();
    found.extend(without_submissions(&problems, &entries, &expected).filter(|_| only.is_none() && class));
    let job = Job { request, workspace: &workspace, problems: &problems, entries: &entries, roster: &roster, expected };
    let PreparedRun { whole, work, submitted, owners, recalled, identical } = job.prepare(out.as_ref())?;
    if let Some(list) = &request.roster {
        let of_run = whole.problems.iter().map(|planned| &planned.problem.id);
        found.extend(without_column(&grade_columns, &others, of_run, list));
    }
    let count = recalled.len();
    let (of_moodle, without_number) = of_moodle(&exported, &roster, &entries);
    if request.out.is_some() && !without_number.is_empty() {
        let names = listed(&without_number.into_iter().collect::<Vec<_>>());
        let message = format!("{MOODLE_FEEDBACK} lacks these, whose numbers at Moodle are unknown: {names}");
        let remedy = "name Moodle's grading worksheet as the roster: --roster";
        found.push(Diagnostic::new(Severity::Warning, message).remedy(remedy));
    }
    let moodle_feedback = request.out.as_ref().filter(|_| !of_moodle.is_empty()).map(|dir| dir.join(MOODLE_FEEDBACK));
    let scope = ResultScope { paths, problems: problems.ids().into_iter().map(str::to_owned).collect() };
    let writer = out.map(|out| OutWriter::new(out, owners, recalled, request.feedback, request.look, of_moodle, scope));
    let judged =
        |found: &Diagnostic| whole.problems.iter().any(|planned| found.problem.as_ref() == Some(&planned.problem.id));
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
    let (word, paths) = split_words(request, workspace, layout.as_ref())?;
    let problems = request.problems(workspace, word.as_deref(), &request.tests)?;
    let mut intake = Intake::new(scratch, &workspace.languages, request.language.as_deref());
    intake.ignore = ignored(&workspace.settings.ignore)?;
    intake.members_name = &workspace.settings.members;
    intake.attempts = workspace.settings.attempts;
    let roster = request.roster.as_deref().map(|path| read_roster(workspace, path)).transpose()?;
    let (mut roster, columns): (Option<Vec<RosterStudent>>, _) =
        roster.map(|roster| (roster.students, roster.columns)).unzip();
    let known = roster.as_deref().unwrap_or_default();
    let mut sources: Vec<Source> =
        paths.iter().map(|path| source(&mut intake, workspace, path, layout.as_ref(), known)).collect();
    if layout.is_none() {
        let by_problem = word.is_none() && problems.plan.problems.len() > 1;
        for (path, source) in paths.iter().zip(&mut sources) {
            source.recognise_archives(&mut intake, path, &problems, by_problem);
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
    let by_problem = word.is_none() && (has_problem || has_export && problems.plan.problems.len() > 1);
    // The submissions may say why no problem is named.
    let one =
        || only_problem(&problems, workspace, word.as_deref()).inspect_err(|_| workspace.tell_found(&intake.found));
    let only = if by_problem { None } else { Some(one()?) };
    let mut meant = only.map_or(0..problems.plan.problems.len(), |only| only..only + 1);
    if request.pattern.is_some() && !meant.any(|at| wants_outputs(&problems.plan.problems[at])) {
        bail!("`--pattern` is for output files and needs `--outputs`\n  → for programs use `--layout`");
    }
    let pattern = Pattern::parse(request.pattern.as_deref())?;
    let as_outputs = only.is_some_and(|only| wants_outputs(&problems.plan.problems[only]));
    let mut names = ProblemNames::of(&problems);
    if (has_problem || has_export) && word.is_some() {
        // A file for another problem is not a misspelling of this one. If the others cannot be found, none is known.
        let others = request.problems(workspace, None, &[]);
        names = others.map_or(ProblemNames::default(), |others| ProblemNames::of(&others)).and(names);
        if let Some(only) = only {
            names = names.asked_for(problems.plan.problems[only].problem.id.as_str());
        }
    }
    let unknown = names.add_aliases(&workspace.settings.exercises);
    if !unknown.is_empty() {
        let ids = problems.ids();
        let near = unknown.iter().find_map(|name| suggest::did_you_mean(name, ids.iter().copied()));
        let remedy = near.map(|near| format!("\n  → {near}")).unwrap_or_default();
        bail!("`exercises` names problems that are not here: {}{remedy}", unknown.join(", "));
    }
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
    intake.found.extend(unmatched);
    intake.tell_forgiven(&paths[0]);
    if as_outputs {
        taken = with_files_together(taken);
    }
    settle(&mut taken, roster.as_deref().unwrap_or_default());
    intake.found.extend(moodle_numbers::join(&mut taken));
    let paths = taken.iter().filter_map(|taken| named_path(request, workspace, &taken.place)).collect();
    let exported: ExportedStudents = taken.iter().filter_map(exported).collect();
    let class = roster.is_some() || taken.iter().any(FoundSubmission::has_student);
    let wanted = KnownProblems { workspace, problems: &problems, only, names: &names, pattern: pattern.as_ref() };
    let assigned = assign(&mut intake, taken, &wanted);
    Ok(SubmittedWork { intake, layout, problems, only, as_outputs, class, assigned, exported, roster, columns, paths })
}

/// The path that the user named for a submission at a place, from the root; none if it was several files.
fn named_path(request: &Request, workspace: &Workspace, place: &Path) -> Option<PathBuf> {
    let named = request.words.iter().map(Path::new).filter(|path| place.starts_with(path));
    let longest = named.max_by_key(|path| path.components().count())?;
    Some(workspace.start.join(longest).components().collect())
}

impl Request {
    /// The problems that a word names, or all problems.
    fn problems(&self, workspace: &Workspace, word: Option<&str>, tests: &[String]) -> Result<Problems> {
        find_problems(workspace, word, tests, self.output_validator.as_deref())
    }
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
    let remedy = format!("if it belongs to the total, name it: --exercise '{first}={first}'");
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
    assigned.misfits.extend(not.into_iter().map(|entry| Misfit {
        student: entry.owner().to_owned(),
        problem: Some(problems.plan.problems[entry.problem].problem.id.clone()),
        why: Why::NoTimeLimit,
        received: Vec::new(),
        language: None,
        members: Vec::new(),
    }));
    Ok(from)
}

/// Splits the words into the problem, if one is named, and the paths.
fn split_words(
    request: &Request,
    workspace: &Workspace,
    layout: Option<&FolderLayout>,
) -> Result<(Option<String>, Vec<PathBuf>)> {
    let exists = |word: &String| !word.is_empty() && workspace.start.join(word).exists();
    let (word, paths) = match (&request.problem, &request.words[..]) {
        (Some(problem), words) => (Some(problem.clone()), words),
        (None, [first, rest @ ..]) if !rest.is_empty() && is_problem(request, workspace, layout, first)? => {
            (Some(first.clone()), rest)
        }
        (None, words) => (None, words),
    };
    // An inaccessible path is not missing.
    for path in paths {
        if let Err(error) = workspace.start.join(path).metadata()
            && error.kind() != std::io::ErrorKind::NotFound
        {
            bail!("{path}: {error}\n  → make it readable");
        }
    }
    let missing: Vec<String> = paths.iter().filter(|path| !exists(path)).map(|path| format!("`{path}`")).collect();
    if missing.is_empty() && !paths.is_empty() {
        return Ok((word, paths.iter().map(PathBuf::from).collect()));
    }
    // This search only improves the message: if it fails, the path is still missing.
    if let [only] = paths
        && request.problems(workspace, Some(only), &[]).is_ok_and(|found| !found.plan.problems.is_empty())
    {
        bail!(
            "`{only}` is a problem, and nothing to judge is named\n  → name a program, a folder or an archive: grader \
             judge {only} PATH"
        );
    }
    let near = paths.iter().find_map(|path| near_file(&workspace.start, path));
    let remedy = near.map_or_else(
        || "name a problem, a program, a folder or an archive; `grader list` lists the problems".to_owned(),
        |near| format!("did you mean `{near}`?"),
    );
    bail!("no such file or directory: {}\n  → {remedy}", missing.join(", "))
}

/// Whether the first of several words names a problem and not a submission.
fn is_problem(request: &Request, workspace: &Workspace, layout: Option<&FolderLayout>, word: &str) -> Result<bool> {
    let path = workspace.start.join(word);
    if path.exists() && layout.is_some_and(FolderLayout::names_problem) {
        return is_called(request, workspace, word, &path);
    }
    if is_kattis_name(&path) {
        return Ok(true);
    }
    if path.is_file() {
        return if is_package(&path) && holds_package(&path) { is_meant(request, workspace, word) } else { Ok(false) };
    }
    // If problems cannot be searched, the search for the problem reports it.
    // A word that is neither a path nor a problem counts as a problem too. The search for it then fails with a
    // suggestion.
    let is_one = |found: Problems| match &*found.plan.problems {
        [_] => true,
        // A broken problem is reported as such, not taken for a submission.
        [] => found.found.iter().any(|found| found.is_error() && found.problem.is_some()),
        _ => false,
    };
    Ok(!path.exists() || request.problems(workspace, Some(word), &[]).is_ok_and(is_one))
}

/// Whether the path with the name of a problem is that problem. Fails if it is something else, because both readings
/// are possible.
fn is_called(request: &Request, workspace: &Workspace, word: &str, path: &Path) -> Result<bool> {
    // Then it is not a known problem. The search that follows fails for the same reason and reports it.
    let Ok(found) = request.problems(workspace, Some(word), &[]) else { return Ok(false) };
    let is_here = |dir: &Path| dir.starts_with(path);
    let is_itself = match &*found.plan.problems {
        [one] if one.problem.id.as_str() == word => is_here(&one.problem.dir),
        [] if found.errors_of(word).next().is_some() => found.errors_of(word).any(|found| found.is_below(path)),
        _ => return Ok(false),
    };
    if !is_itself {
        let what = if path.is_dir() { "a folder" } else { "a file" };
        bail!(
            "`{word}` is a problem, and {what} here has the same name\n  → write --problem {word} for the problem, \
             ./{word} for the submission"
        );
    }
    Ok(true)
}

/// Whether an archive that contains a problem package is the problem. A student may submit such an archive, so it is an
/// error if another problem is available.
fn is_meant(request: &Request, workspace: &Workspace, word: &str) -> Result<bool> {
    match request.problems(workspace, None, &[]) {
        Ok(found) if !found.plan.problems.is_empty() => {
            let other = &found.plan.problems[0].problem.id;
            bail!(
                "`{word}` contains a problem package: it can be the problem or a submission\n  → name the problem: \
                 --problem {word} or --problem {other}"
            )
        }
        _ => Ok(true),
    }
}

/// The item at a path that the user named.
enum Source {
    /// Nothing that can be judged. An error was reported.
    Refused,
    /// A file that is a submission.
    File(PathBuf),
    /// A folder or an archive. Without a layout, it may be recognised as an export.
    Tree(PathBuf, Rc<Tree>, Option<FolderLayout>),
}

impl Source {
    fn recognised(&self) -> Option<&FolderLayout> {
        match self {
            Self::Tree(.., recognised) => recognised.as_ref(),
            Self::Refused | Self::File(_) => None,
        }
    }
}

impl Source {
    /// Reads a folder or an archive that contains nothing but archives as a class: each is that of a student. Archives with
    /// names of problems are not.
    fn recognise_archives(&mut self, intake: &mut Intake<'_>, shown: &Path, problems: &Problems, by_problem: bool) {
        let Self::Tree(_, tree, recognised @ None) = self else { return };
        let top = tree.first_of_several(Path::new(""));
        let names = ProblemNames::of(problems);
        let is_students = |item: &TreeItem| {
            let name = item.below.file_name().unwrap_or_default().to_string_lossy();
            item.archive.is_some() && matches!(names.meant(&name), NamedProblem::None)
        };
        let inside: Vec<&TreeItem> =
            tree.inside(&top).filter(|item| item.is_dir || !is_document(&item.below)).collect();
        let is_class = inside.len() > 1 && inside.into_iter().all(is_students);
        if !is_class || problems.plan.problems.iter().any(wants_outputs) {
            return;
        }
        let layout = if by_problem { "{student}/{problem}.*" } else { "{student}" };
        let layout = format!("{}{layout}", "*/".repeat(top.components().count()));
        let message = format!("contains only archives; grader reads each as that of a student: --layout '{layout}'");
        intake.warning(shown, message, "name another layout if they are something else");
        *recognised = Some(FolderLayout::parse(&layout).expect("it is a template with the student"));
    }
}

fn source(
    intake: &mut Intake<'_>,
    workspace: &Workspace,
    shown: &Path,
    layout: Option<&FolderLayout>,
    roster: &[RosterStudent],
) -> Source {
    let path: PathBuf = workspace.start.join(shown).components().collect();
    if intake.refuses_link(&workspace.start, shown) {
        return Source::Refused;
    }
    if path.is_file()
        && let Some(command) = foreign_unpacker(&path)
    {
        let remedy = format!("unpack it and judge the folder: {command} {}", quote_path(&shown.display().to_string()));
        intake.error(shown, "is an archive that grader does not open", &remedy);
        return Source::Refused;
    }
    if layout.is_none() && path.is_file() && !is_archive_name(&path) {
        return Source::File(path);
    }
    if layout.is_none() && !path.is_dir() && !path.is_file() {
        let message = "is neither a file nor a directory";
        intake.error(shown, message, "name a file, a folder or an archive");
        return Source::Refused;
    }
    let tree = intake.tree(&path, shown);
    let recognition = if layout.is_none() { recognised(&tree, shown, roster) } else { Recognition::None };
    let recognised = match recognition {
        Recognition::Export(platform) => Some(FolderLayout::Export(platform)),
        Recognition::ByRoster(platform) => {
            let name = platform.name;
            let message = format!("is read as `--layout {name}`: most of the students in its names are in the roster");
            let found = Diagnostic::new(Severity::Info, message).about(shown);
            intake
                .found
                .push(found.remedy("if it is another folder, name its layout: --layout '{student}/{problem}.*'"));
            Some(FolderLayout::Export(platform))
        }
        Recognition::Partly(Platform { name, .. }) => {
            let message =
                format!("some of its names are those of `{name}`, most are not; grader does not read it as an export");
            intake.warning(
                shown,
                message,
                &format!("if it is one, say so: --layout {name}; leave out others with --ignore"),
            );
            None
        }
        Recognition::Perhaps(platforms) => {
            let names: Vec<&str> = platforms.iter().map(|platform| platform.name).collect();
            let layouts: Vec<String> = names.iter().map(|name| format!("--layout {name}")).collect();
            let message = format!(
                "its names are like those of {}, which other folders have too; grader does not guess",
                names.join(" and ")
            );
            let found = Diagnostic::new(Severity::Info, message).about(shown);
            let layouts = layouts.join(", or ");
            let by_roster = if roster.is_empty() {
                "a roster of its students (--roster) says it too"
            } else {
                "the roster says it only if most of its students are there"
            };
            let remedy = format!("if it is such an export, say so: {layouts}; {by_roster}");
            intake.found.push(found.remedy(remedy));
            None
        }
        Recognition::None => None,
    };
    Source::Tree(path, Rc::new(tree), recognised)
}

/// Takes the submissions of a path. `as_outputs`: the whole path is one submission.
fn take(
    intake: &mut Intake<'_>,
    source: Source,
    shown: &Path,
    layout: Option<&FolderLayout>,
    as_outputs: bool,
    (names, only): (&ProblemNames, Option<&str>),
) -> Vec<FoundSubmission> {
    let (path, tree, recognised) = match source {
        Source::Refused => return Vec::new(),
        // The user named it, so it is a submission, whatever its name is. The code that builds or judges it reports
        // errors.
        Source::File(path) => {
            if let Err(error) = File::open(&path) {
                intake.error(shown, error.to_string(), "make it readable");
                return Vec::new();
            }
            return vec![FoundSubmission::of_path(shown, SubmittedFiles::Files(vec![(path, shown.to_owned())]))];
        }
        Source::Tree(path, tree, recognised) => (path, tree, recognised),
    };
    if let Some(layout) = layout.or(recognised.as_ref()) {
        return layout.take(intake, tree, shown, names, only.is_none());
    }
    if as_outputs {
        let whole = TreeItem { below: PathBuf::new(), path, is_dir: true, archive: None };
        return vec![FoundSubmission::of_path(shown, SubmittedFiles::Item(tree, whole))];
    }
    super::layout::many(intake, tree, shown, only.map(|only| (names, only)))
}

/// Joins outputs that the user named one by one into one submission.
fn with_files_together(taken: Vec<FoundSubmission>) -> Vec<FoundSubmission> {
    let mut together: Vec<(PathBuf, PathBuf)> = Vec::new();
    let mut others = Vec::new();
    for taken in taken {
        match taken.files {
            SubmittedFiles::Files(files) => together.extend(files),
            _ => others.push(taken),
        }
    }
    if let [(_, first), rest @ ..] = &together[..] {
        let name = if rest.is_empty() { first.clone() } else { format!("{} files", together.len()).into() };
        others.push(FoundSubmission::of_path(&name, SubmittedFiles::Files(together)));
    }
    others
}

/// The inputs for preparing a run.
struct Job<'a> {
    request: &'a Request,
    workspace: &'a Workspace,
    problems: &'a Problems,
    entries: &'a [AssignedSubmission],
    roster: &'a [RosterStudent],
    /// The problems that have a column in the table of a class even if nobody submits.
    expected: BTreeSet<usize>,
}

/// A prepared run: the plan to report, and the work that must be done.
struct PreparedRun {
    whole: Plan,
    work: Work,
    submitted: Vec<SubmittedProgram>,
    owners: BTreeMap<usize, Owner>,
    recalled: BTreeSet<usize>,
    identical: Vec<Identical>,
}

/// All students for whom a submission counts, sorted; nobody if it counts for one.
fn authors(entry: &AssignedSubmission, entries: &[&AssignedSubmission]) -> Vec<String> {
    let same = entries.iter().filter(|other| entry.is_same_submission(other));
    let owners: BTreeSet<&str> = same.map(|other| other.owner()).collect();
    let owners = Some(owners).filter(|owners| owners.len() > 1).unwrap_or_default();
    owners.into_iter().map(str::to_owned).collect()
}

impl Job<'_> {
    /// The students who submitted the same independently of each other. None if these are one student, or one team.
    fn identical(&self, entries: &[&AssignedSubmission]) -> Option<Vec<String>> {
        let team_of = |owner: &str| self.roster.iter().find(|known| known.student == owner)?.team.clone();
        let mut sources: BTreeSet<(Option<String>, &Path)> = BTreeSet::new();
        for entry in entries {
            let team = team_of(entry.owner());
            let place = if team.is_some() { Path::new("") } else { &*entry.place };
            sources.insert((team, place));
        }
        (sources.len() > 1).then(|| entries.iter().map(|entry| entry.owner().to_owned()).collect())
    }

    /// Decides what must run. Known results are not run again, and identical submissions run once.
    fn prepare(&self, out: Option<&OutDir>) -> Result<PreparedRun> {
        let settings = &self.workspace.settings;
        let store = out.map(|_| Store::open(&self.workspace.settings.store_dir()).0);
        let intake = Intake::new(Path::new(""), &self.workspace.languages, self.request.language.as_deref());
        let mut keys: BTreeMap<(usize, &str), Key> = BTreeMap::new();
        let mut prepared = PreparedRun {
            whole: Plan { all_tests: true, one_by_one: true, ..Plan::default() },
            work: Work { plan: Arc::default(), stands_for: Vec::new(), known: Vec::new() },
            submitted: Vec::new(),
            owners: BTreeMap::new(),
            recalled: BTreeSet::new(),
            identical: Vec::new(),
        };
        let mut work = prepared.whole.clone();
        for (at, planned) in self.problems.plan.problems.iter().enumerate() {
            let entries: Vec<&AssignedSubmission> = self.entries.iter().filter(|entry| entry.problem == at).collect();
            if entries.is_empty() && !self.expected.contains(&at) {
                continue;
            }
            let first = prepared.whole.submissions.len();
            let selected = positions(planned);
            let submissions = |entries: &[&AssignedSubmission]| -> Vec<_> {
                let submission = |entry: &&AssignedSubmission| {
                    let submission = submission(entry.name.clone(), entry.program.clone());
                    (Submission { entry_point: entry.starts.clone(), ..submission }, false)
                };
                entries.iter().map(submission).collect()
            };
            let with_factors = |plan: &mut Plan, first: usize, entries: &[&AssignedSubmission]| {
                for (planned, entry) in plan.submissions[first..].iter_mut().zip(entries) {
                    planned.time_factor = entry.time_factor;
                }
            };
            prepared.whole.add(Arc::clone(&planned.problem), |test| selected.contains(&test), submissions(&entries));
            with_factors(&mut prepared.whole, first, &entries);
            let mut same: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
            for (n, entry) in entries.iter().enumerate() {
                same.entry(entry.source).or_default().push(n);
            }
            for group in same.values() {
                let group: Vec<&AssignedSubmission> = group.iter().map(|n| entries[*n]).collect();
                let problem = planned.problem.id.to_string();
                prepared.identical.extend(self.identical(&group).map(|students| Identical { problem, students }));
            }
            let mut to_run: Vec<(usize, Vec<usize>)> = Vec::new();
            for (n, entry) in entries.iter().enumerate() {
                let position = first + n;
                prepared.submitted.push(SubmittedProgram {
                    student: entry.student.clone(),
                    authors: authors(entry, &entries),
                    again: entry.again.clone(),
                    remarks: entry.remarks.clone(),
                    attempt: entry.attempt.number,
                    // Of a single one, the roster has the time.
                    submitted: entry.attempt.submitted.clone().filter(|_| settings.attempts == AttemptChoice::Best),
                    late: entry.late,
                });
                if let (Some(out), Some(store)) = (out, &store) {
                    let language = intake.language_of(&entry.program, entry.starts.as_deref()).unwrap_or_default();
                    let problem = if let Some(key) = keys.get(&(at, language)) {
                        *key
                    } else {
                        let key =
                            result_key::of_problem(self.workspace, planned, language, self.request.feedback, store);
                        let key = key.map_err(|why| anyhow::anyhow!("{}: {why}", planned.problem.id))?;
                        *keys.entry((at, language)).or_insert(key)
                    };
                    let key = result_key::of_result(&problem, &entry.result_source());
                    let others = same[&entry.source].iter().filter(|other| **other != n);
                    let identical = others.map(|other| entries[*other].owner().to_owned()).collect();
                    let attempt = entry.attempt.number.filter(|_| entry.is_one_of_several);
                    let problem = planned.problem.id.to_string();
                    let problem = match attempt {
                        Some(attempt) => format!("{problem} (attempt {attempt})"),
                        None => problem,
                    };
                    let origin = named_path(self.request, self.workspace, &entry.place);
                    let origin = origin.map(|path| Origin { problem: planned.problem.id.to_string(), path });
                    let owner = Owner { student: entry.owner().to_owned(), problem, key, identical, origin };
                    let known = out.recall(&owner, &prepared.whole.submissions[position].id, &planned.names);
                    prepared.owners.insert(position, owner);
                    if let Some(updates) = known {
                        prepared.work.known.extend(updates);
                        prepared.recalled.insert(position);
                        continue;
                    }
                }
                match to_run.iter_mut().find(|(one, _)| entries[*one].result_source() == entry.result_source()) {
                    Some((_, stands_for)) => stands_for.push(position),
                    None => to_run.push((n, vec![position])),
                }
            }
            let judged: Vec<&AssignedSubmission> = to_run.iter().map(|(n, _)| entries[*n]).collect();
            let begin = work.submissions.len();
            work.add(Arc::clone(&planned.problem), |test| selected.contains(&test), submissions(&judged));
            with_factors(&mut work, begin, &judged);
            prepared.work.stands_for.extend(to_run.into_iter().map(|(_, stands_for)| stands_for));
        }
        prepared.work.plan = Arc::new(work);
        Ok(prepared)
    }
}
