//! Assigns the submissions of students to problems, each as a program or as outputs.

mod attempts;
mod problem_of;
mod unknown_problems;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use super::{Problems, output_limit, wants_outputs};
use crate::compile::{BuildOrder, class_choice};
use crate::course::{AttemptChoice, Lateness};
use crate::diagnostic::{Diagnostic, Severity};
use crate::intake::advice::{Misfit, cannot_be_program};
use crate::intake::content::{KnownLanguage, is_prose, other_encoding, other_language};
use crate::intake::export::Attempt;
use crate::intake::found_submission::{Aim, FoundSubmission, SubmittedFiles};
use crate::intake::members::MembersFile;
use crate::intake::names::{NamedProblem, ProblemNames};
use crate::intake::pairing::{Cases, Pairing, Pattern};
use crate::intake::reader::{Intake, listed, text_of};
use crate::intake::several_files::{self, Several};
use crate::intake::submitted_program::SubmittedProgram;
use crate::intake::tree::{Tree, TreeItem};
use crate::intake::unjudged::Why;
use crate::limits::Bytes;
use crate::package::archive::is_archive_name;
use crate::problem::{Problem, ProblemId, Program};
use crate::program_files::{is_main, is_test};
use crate::report::text::{Whitespace, escape, quote_path};
use crate::session::result_key;
use crate::store::Key;
use crate::workspace::Workspace;
use attempts::{by_attempt, is_replaced, number_by_date};
use unknown_problems::{WithoutProblem, tell_unknown};

/// One submission for one problem.
#[derive(Clone)]
pub(crate) struct AssignedSubmission {
    /// The student, if known.
    pub(crate) student: Option<String>,
    /// Position among the problems.
    pub(crate) problem: usize,
    /// The name of the submission.
    pub(crate) name: String,
    /// Where it was received. What counts for several students, such as a team, has the same place for all of them.
    pub(crate) place: PathBuf,
    /// The innermost archive that it is or lies in.
    pub(super) archive: Option<OuterArchive>,
    pub(crate) program: Program,
    /// The file to start, if the program has several and its language does not decide.
    pub(crate) starts: Option<String>,
    /// Remarks for its author on how it was read.
    pub(crate) remarks: Vec<String>,
    /// The names of the submitted files.
    pub(super) received: Vec<PathBuf>,
    /// The files that list its authors, the nearest last.
    pub(super) members: Vec<Rc<MembersFile>>,
    /// The submitter, if another author shared it.
    pub(crate) shared_by: Option<String>,
    /// Which of several submissions it is, and when it was submitted.
    pub(crate) attempt: Attempt,
    /// Whether other attempts of the student for the problem are judged, too.
    pub(crate) is_one_of_several: bool,
    /// How late it is, if anything says so.
    pub(crate) late: Option<Lateness>,
    /// The factor of its time limits.
    pub(crate) time_factor: f64,
    /// The arguments with which `grader judge` judges it again alone; empty if that is not possible.
    pub(crate) again: String,
    /// The key of its content.
    pub(crate) source: Key,
}

impl AssignedSubmission {
    /// The name under which its result is filed: the student, or else the submission.
    pub(crate) fn owner(&self) -> &str {
        self.student.as_deref().unwrap_or(&self.name)
    }

    /// The file that starts, if it is known.
    fn file(&self) -> Option<PathBuf> {
        match (&self.program, &self.starts) {
            (Program::File(path), _) => Some(path.clone()),
            (Program::Directory { path, .. }, Some(starts)) => Some(path.join(starts)),
            _ => None,
        }
    }

    /// The key of its result, from its content and its own time limits.
    pub(crate) fn result_source(&self) -> Key {
        result_key::with_time_factor(self.source, self.time_factor)
    }
}

/// The archive in which a submission was received.
#[derive(Debug, Clone)]
pub(super) struct OuterArchive {
    file: PathBuf,
    /// The beginning of the places of what is in it: without the ending. Of an archive that is a submission as a whole, its own.
    content: PathBuf,
}

impl OuterArchive {
    /// Of a submission at a place.
    fn of(files: &SubmittedFiles, place: &Path) -> Option<Self> {
        let (SubmittedFiles::Item(tree, item) | SubmittedFiles::Several(tree, item, _)) = files else { return None };
        let is_outer = |dir: &&TreeItem| dir.archive.is_some() && item.below.starts_with(&dir.below);
        let outer = tree.items.iter().filter(is_outer).max_by_key(|dir| dir.below.iter().count())?;
        let content = place.ancestors().nth(item.below.iter().count() - outer.below.iter().count())?;
        let file = content.with_file_name(outer.name().file_name()?);
        Some(Self { file, content: content.to_owned() })
    }
}

/// The problems to which submissions are assigned.
pub(crate) struct KnownProblems<'a> {
    pub(crate) workspace: &'a Workspace,
    pub(crate) problems: &'a Problems,
    /// The only problem to judge, if there is just one.
    pub(crate) only: Option<usize>,
    /// The names of all problems.
    pub(crate) names: &'a ProblemNames,
    /// Whether the layout has a place for them.
    pub(crate) has_problem: bool,
    /// The pattern of the names of output files, if one was given.
    pub(crate) pattern: Option<&'a Pattern>,
}

/// The assigned submissions, sorted.
pub(crate) struct AssignedSubmissions {
    pub(crate) entries: Vec<AssignedSubmission>,
    pub(crate) misfits: Vec<Misfit>,
}

impl AssignedSubmissions {
    /// Everyone who submitted anything, judged or not.
    pub(crate) fn authors(&self) -> BTreeSet<String> {
        let judged = self.entries.iter().map(|entry| entry.owner().to_owned());
        judged.chain(self.misfits.iter().map(|misfit| misfit.student.clone())).collect()
    }
}

/// Finds the problem of each submission and leaves out ambiguous ones. Reports every error and continues with the
/// others.
pub(crate) fn assign(
    intake: &mut Intake<'_>,
    taken: Vec<FoundSubmission>,
    wanted: &KnownProblems<'_>,
) -> AssignedSubmissions {
    let problems = wanted.problems;
    let cases: Vec<Option<Cases>> =
        problems.plan.problems.iter().map(|planned| wants_outputs(planned).then(|| Cases::of(planned))).collect();
    let mut pairings: Vec<Option<Pairing<'_>>> = Vec::new();
    for (planned, cases) in problems.plan.problems.iter().zip(&cases) {
        pairings.push(cases.as_ref().map(|cases| Pairing::new(&planned.problem, cases, wanted.pattern)));
    }
    let mut assigner = Assigner {
        intake,
        wanted,
        misfits: vec![],
        unknown: BTreeMap::new(),
        for_others: vec![],
        places: BTreeMap::new(),
    };
    let mut old_versions = Vec::new();
    for taken in taken {
        if let Some(problem) = assigner.old_version_of(&taken) {
            old_versions.push((problem, taken));
        } else if let Some(problem) = assigner.problem_of(&taken) {
            assigner.read(problem, pairings[problem].as_ref(), taken);
        }
    }
    old_versions.retain(|(problem, taken)| assigner.has_no_newer(*problem, taken));
    for (problem, taken) in old_versions {
        assigner.read(problem, pairings[problem].as_ref(), taken);
    }
    assigner.finish()
}

/// The state while submissions are assigned.
struct Assigner<'s, 'a, 'w> {
    intake: &'s mut Intake<'a>,
    wanted: &'w KnownProblems<'w>,
    misfits: Vec<Misfit>,
    /// The submissions with the name of no problem, by that name.
    unknown: BTreeMap<String, Vec<WithoutProblem>>,
    /// What has the names of other problems than the only one, with its student.
    for_others: Vec<(String, PathBuf)>,
    /// The submissions by problem and author.
    places: BTreeMap<(usize, String), Vec<AssignedSubmission>>,
}

impl Assigner<'_, '_, '_> {
    fn id(&self, problem: usize) -> ProblemId {
        self.wanted.problems.plan.problems[problem].problem.id.clone()
    }

    fn misfit(&mut self, taken: &FoundSubmission, problem: Option<ProblemId>, why: Why) {
        let received = taken.received();
        let members = taken.members.clone();
        let language = taken.only_file().and_then(other_language);
        let is_for_any = problem.is_some() && self.wanted.only.is_none() && matches!(taken.aim, Aim::Unsaid);
        // An error about the name of a problem is about all submissions with this name.
        let is_own = !matches!(why, Why::NoSuchProblem | Why::NotJudged);
        let place = is_own.then(|| taken.place.clone());
        // Where a problem wants outputs, any file may be one.
        let wants_programs = !self.wanted.problems.plan.problems.iter().any(wants_outputs);
        let is_addition =
            wants_programs && matches!(why, Why::NoSuchProblem) && is_addition(self.intake, taken, &received);
        let misfit = Misfit::new(taken.student.clone(), problem, why);
        let attempt = taken.attempt().number;
        self.misfits.push(Misfit { received, language, members, is_for_any, attempt, place, is_addition, ..misfit });
    }

    /// Reads a submission as a program or as outputs.
    fn read(&mut self, problem: usize, pairing: Option<&Pairing<'_>>, taken: FoundSubmission) {
        let KnownProblems { workspace, problems, names, pattern, .. } = *self.wanted;
        let of = &problems.plan.problems[problem].problem;
        let submitted = match pairing {
            Some(pairing) => outputs(self.intake, pairing, &taken),
            None => program(self.intake, &taken, (names, &**of))
                .map(|submitted| with_class_choice(self.intake, submitted, &taken.place))
                .map(|submitted| with_odd_content(self.intake, submitted, &taken.place)),
        };
        let submitted = match submitted {
            Ok(submitted) => submitted,
            Err(why) => {
                if let (Why::Ambiguous, false, SubmittedFiles::Item(..), Some(_)) =
                    (why, taken.has_student(), &taken.files, pairing)
                {
                    let message = "grader took all of it as one submission";
                    let remedy = "if several students submitted it, say who submitted which file: --layout '{student}'";
                    self.intake.warning(&taken.place, message, remedy);
                }
                return self.misfit(&taken, Some(of.id.clone()), why);
            }
        };
        if let (Aim::Problem(_), [file]) = (&taken.aim, &taken.received()[..])
            && let NamedProblem::Exactly(other) = names.of_name(file)
            && other != of.id.as_str()
        {
            let message = format!("has the name of `{other}`, but its folder is that of `{0}`: judged as `{0}`", of.id);
            self.intake.warning(&taken.place, message, "if it is for the other problem, move it there");
        }
        let source = match &submitted.program {
            Program::Outputs(files) => result_key::of_outputs(files, output_limit(workspace, of)),
            program => {
                let named = !of.additions.include.is_empty() || of.static_validator.is_some();
                result_key::of_source(program, self.intake.wanted, named)
            }
        };
        match source {
            Ok(source) => {
                let source = result_key::with_entry_point(source, submitted.entry_point.as_deref());
                let mut entry = entry(self.intake, problem, taken, submitted, source);
                if let (Some(pattern), Some(_), false) = (pattern, pairing, entry.again.is_empty()) {
                    entry.again += &pattern.again();
                }
                self.places.entry((problem, entry.owner().to_owned())).or_default().push(entry);
            }
            Err(why) => {
                self.misfit(&taken, Some(of.id.clone()), Why::NotJudged);
                self.intake.error(&taken.place, why.to_string(), "make it readable");
            }
        }
    }

    /// Leaves out submissions instead of which another attempt counts that cannot be judged.
    fn leave_replaced(&mut self, entries: &mut Vec<AssignedSubmission>, ids: &[ProblemId], counts: AttemptChoice) {
        for out in &self.misfits {
            let is_left = |entry: &AssignedSubmission| is_replaced(entry, &ids[entry.problem], out, counts);
            let Some(entry) = entries.iter().find(|entry| is_left(entry)) else { continue };
            let [judged, other] = [entry.attempt.number, out.attempt].map(Option::unwrap_or_default);
            let student = escape(out.student.as_bytes(), Whitespace::Inline);
            let message =
                format!("`{student}`: attempt {other} counts and cannot be judged, so attempt {judged} is not judged");
            let remedy = "ask for it again, or let the best attempt count: --attempts best";
            self.intake.warning(&entry.place, message, remedy);
            entries.retain(|entry| !is_left(entry));
        }
    }

    /// Leaves out archives beside files of the same author for the same problem, as in a folder for a single problem.
    fn leave_archives(&mut self, same: &mut Vec<AssignedSubmission>) {
        // An archive that has all of them is that of the student, or of the class.
        let archive_of = |entry: &AssignedSubmission| {
            let archive = entry.archive.as_ref().filter(|_| !matches!(entry.program, Program::Outputs(_)))?;
            same.iter().any(|other| !other.place.starts_with(&archive.content)).then(|| archive.file.clone())
        };
        let archives: Vec<Option<PathBuf>> = same.iter().map(archive_of).collect();
        if archives.iter().all(Option::is_some) {
            return;
        }
        for archive in archives.iter().flatten().collect::<BTreeSet<_>>() {
            let remedy = "submit either the archive or the files";
            self.intake.warning(archive, "is an archive beside other files; grader ignores it", remedy);
        }
        let mut archives = archives.iter();
        same.retain(|_| archives.next().is_some_and(Option::is_none));
    }

    /// Leaves out several submissions of one author for one problem.
    fn finish(mut self) -> AssignedSubmissions {
        let KnownProblems { problems, only, .. } = *self.wanted;
        let mut unknown = BTreeMap::new();
        for (name, places) in std::mem::take(&mut self.unknown) {
            // Beside the program for the only problem, other files are no submissions.
            let is_beside =
                |student: &String| only.is_some_and(|only| self.places.contains_key(&(only, student.clone())));
            let places: Vec<WithoutProblem> =
                places.into_iter().filter(|submission| !is_beside(&submission.student)).collect();
            if !places.is_empty() {
                unknown.insert(name, places);
            }
        }
        tell_unknown(self.intake, problems, unknown);
        let others = std::mem::take(&mut self.for_others);
        let has_own = |student: &String| {
            let is_misfit = |out: &Misfit| out.student == *student && out.problem.is_some();
            only.is_some_and(|only| self.places.contains_key(&(only, student.clone())))
                || self.misfits.iter().any(is_misfit)
        };
        let told: Vec<PathBuf> =
            others.iter().filter(|(student, _)| !has_own(student)).map(|(_, place)| place.clone()).collect();
        if !told.is_empty() && !self.wanted.has_problem {
            let message = format!("named like exercises that this run does not judge: {}", listed(&told));
            let remedy = "rename files that are for the exercise of this run";
            self.intake.found.push(Diagnostic::new(Severity::Info, message).remedy(remedy));
        }
        let mut entries = Vec::new();
        let attempts = self.wanted.workspace.settings.attempts;
        let mut by_attempts = Vec::new();
        for (place, mut same) in std::mem::take(&mut self.places) {
            if attempts == AttemptChoice::Best {
                number_by_date(self.intake, &mut same);
            }
            by_attempts.extend(by_attempt(same, attempts).into_iter().map(|same| (place.clone(), same)));
        }
        for ((problem, student), mut same) in by_attempts {
            self.leave_archives(&mut same);
            let all: Vec<PathBuf> = same.iter().map(|entry| entry.place.clone()).collect();
            let shown = escape(student.as_bytes(), Whitespace::Inline);
            // A browser or an archive may have made copies.
            if same.iter().all(|entry| entry.source == same[0].source) {
                if same.len() > 1 {
                    let message = format!("`{shown}` submitted the same file {} times: {}", all.len(), listed(&all));
                    self.intake.warning(&all[0], message, "remove the copies; grader judges it once");
                }
                entries.extend(same.into_iter().next());
                continue;
            }
            let files: Option<Vec<PathBuf>> = same.iter().map(AssignedSubmission::file).collect();
            if let Some((at, why)) = files.and_then(|files| self.intake.by_date(&files)) {
                let mut entry = same.into_iter().nth(at).expect("it is one of them");
                let chosen = listed(&[PathBuf::from(entry.place.file_name().unwrap_or_default())]);
                let message = format!("`{shown}` submitted {}; grader judges {chosen}, {why}", listed(&all));
                self.intake.warning(&entry.place, message, "check it: the date is that of the file");
                let names: Vec<PathBuf> = all.iter().filter_map(|place| place.file_name().map(PathBuf::from)).collect();
                entry.remarks.insert(0, format!("of {} we judged {chosen}, {why}", listed(&names)));
                entries.push(entry);
                continue;
            }
            let received = same.iter().flat_map(|entry| entry.received.clone()).collect();
            let members = same[0].members.clone();
            let misfit = Misfit::new(student, Some(self.id(problem)), Why::Ambiguous);
            self.misfits.push(Misfit { received, members, place: Some(same[0].place.clone()), ..misfit });
            let message = format!("`{shown}` submitted {} for one problem: {}", same.len(), listed(&all));
            let remedy = "keep one (none is judged), or use a layout that distinguishes students of the same name";
            self.intake.error(&same[0].place, message, remedy);
        }
        let ids: Vec<ProblemId> = problems.plan.problems.iter().map(|planned| planned.problem.id.clone()).collect();
        self.leave_replaced(&mut entries, &ids, attempts);
        // A text file beside a program is not a second submission.
        let is_judged = |out: &Misfit| {
            let is_same = |entry: &AssignedSubmission| out.problem.as_ref() == Some(&ids[entry.problem]);
            entries.iter().any(|entry| entry.owner() == out.student && is_same(entry))
        };
        self.misfits.retain(|out| !is_judged(out));
        let meant = only.map_or(0..ids.len(), |only| only..only + 1);
        let submitted =
            entries.iter().map(AssignedSubmission::owner).chain(others.iter().map(|(student, _)| &**student));
        let submitted: BTreeSet<String> = submitted.map(str::to_owned).collect();
        AssignedSubmissions {
            misfits: with_unmatched_together(self.misfits, &entries, &submitted, meant.len()),
            entries,
        }
    }
}

/// Joins what each student submitted for no problem. It matters only if it may be a missing submission for one of the
/// problems. `submitted`: those who submitted a program, perhaps for a problem that is not judged.
fn with_unmatched_together(
    misfits: Vec<Misfit>,
    entries: &[AssignedSubmission],
    submitted: &BTreeSet<String>,
    problems: usize,
) -> Vec<Misfit> {
    let (mut kept, unmatched): (Vec<Misfit>, Vec<Misfit>) = misfits.into_iter().partition(|out| out.problem.is_some());
    let mut by_student: BTreeMap<String, Misfit> = BTreeMap::new();
    for out in unmatched {
        match by_student.get_mut(&out.student) {
            Some(known) => {
                known.received.extend(out.received);
                known.is_addition &= out.is_addition;
            }
            None => drop(by_student.insert(out.student.clone(), out)),
        }
    }
    // A report or a test beside programs is not a missing program.
    by_student.retain(|student, out| !out.is_addition || !submitted.contains(student));
    for (student, out) in by_student {
        let judged = entries.iter().filter(|entry| entry.owner() == student).count();
        let others: BTreeSet<_> =
            kept.iter().filter(|other| other.student == student).map(|other| &other.problem).collect();
        if judged + others.len() < problems || problems == 0 {
            kept.push(out);
        }
    }
    kept
}

/// Whether a submission is only what students have beside programs: files of a kind that no program has, and tests.
fn is_addition(intake: &Intake<'_>, taken: &FoundSubmission, received: &[PathBuf]) -> bool {
    let dir = taken.below_student();
    let is_own_test = |file: &PathBuf| is_test(&dir.join(file)) && !is_archive_name(file);
    let is_one = |file: &PathBuf| is_own_test(file) || cannot_be_program(file) && !intake.is_source(file);
    !received.is_empty() && (received.iter().all(is_one) || taken.only_file().is_some_and(is_prose))
}

/// The submitted program.
fn program(
    intake: &mut Intake<'_>,
    taken: &FoundSubmission,
    problem: (&ProblemNames, &Problem),
) -> Result<SubmittedProgram, Why> {
    let (whole, ignored) = match &taken.files {
        SubmittedFiles::Item(tree, item) => {
            let item = archive_of(intake, tree, item, problem).unwrap_or(item);
            // Only a folder is of one student.
            let ignored = if item.is_dir { &tree.aside[..] } else { &[] };
            (intake.program(tree, item, &taken.place)?, ignored)
        }
        SubmittedFiles::Several(_, item, several) => {
            let path = item.path.parent().unwrap_or(&item.path).to_owned();
            let program = Program::Directory { path, files: several.files.clone() };
            return started(intake, program, several, &taken.place);
        }
        // The user named the file, so it is a program, whatever its name is.
        SubmittedFiles::Files(files) => {
            let (path, shown) = files.first().ok_or(Why::NoProgram)?;
            return intake.submitted(Program::File(path.clone()), shown);
        }
        SubmittedFiles::Refused(why) | SubmittedFiles::Nothing(.., why) => return Err(*why),
    };
    let chosen = several_files::in_directory(intake, &whole, problem, &taken.place)?;
    match several_files::whole_with_ignored(intake, &whole, ignored, chosen) {
        Some(several) => started(intake, whole, &several, &taken.place),
        None => intake.known(whole, &taken.place),
    }
}

/// The only archive in a folder with the name of a problem, if no file beside it has that name.
fn archive_of<'t>(
    intake: &Intake<'_>,
    tree: &'t Tree,
    folder: &'t TreeItem,
    (names, problem): (&ProblemNames, &Problem),
) -> Option<&'t TreeItem> {
    if !folder.is_dir {
        return None;
    }
    let is_named = |item: &&TreeItem| {
        let folder = || names.meant(&item.below.file_name().unwrap_or_default().to_string_lossy());
        let meant = if item.is_dir { folder() } else { names.of_name(&item.below) };
        meant.id() == Some(problem.id.as_str())
    };
    let inside = tree.inside(&folder.below);
    let is_program = |item: &&TreeItem| item.is_dir || intake.is_source(&item.below);
    let found: Vec<&TreeItem> = inside.filter(is_program).filter(is_named).collect();
    let [only] = found[..] else { return None };
    (only.archive.is_some() && tree.refusal(&only.below).is_none()).then_some(only)
}

/// Says which of several classes with `main` starts.
fn with_class_choice(intake: &mut Intake<'_>, mut submitted: SubmittedProgram, place: &Path) -> SubmittedProgram {
    let order = BuildOrder {
        language: intake.wanted,
        entry_point: submitted.entry_point.as_deref(),
        ..BuildOrder::new(&submitted.program, Bytes(0))
    };
    if let Some(choice) = class_choice(intake.languages, &order) {
        intake.warning(place, choice.clone(), "keep one `main`, or name its class like the file");
        submitted.remarks.push(choice);
    }
    submitted
}

/// Says if a program is empty, or has the ending of another language: then it fails, and its message may not say why.
fn with_odd_content(intake: &mut Intake<'_>, mut submitted: SubmittedProgram, place: &Path) -> SubmittedProgram {
    let Program::File(path) = &submitted.program else { return submitted };
    // A file that is gone is reported when it is copied.
    if path.metadata().is_ok_and(|file| file.len() == 0) {
        intake.warning(place, "is empty", "ask for it again, if the upload may have failed");
        submitted.remarks.push("the file is empty. If it was not empty on your computer, submit it again".to_owned());
        return submitted;
    }
    if let Some(encoding) = other_encoding(path) {
        let file = listed(&[PathBuf::from(path.file_name().unwrap_or_default())]);
        let message = format!("{file} is saved as {encoding}, which many compilers and interpreters do not read");
        intake.warning(place, message.clone(), "ask for it again, saved as UTF-8");
        submitted.remarks.push(format!("{message}. Save it as UTF-8 and submit it again"));
    }
    let language = other_language(path).filter(|_| intake.wanted.is_none());
    if let (Some(KnownLanguage { name, ending }), Some(file)) = (language, path.file_name().map(PathBuf::from)) {
        let [was, better] = [file.clone(), file.with_extension(ending)].map(|file| listed(&[file]));
        let message = format!("{was} looks like a program in {name}");
        intake.warning(place, message.clone(), &format!("if it is one, rename it to {better}"));
        submitted.remarks.push(format!("{message}. If it is one, rename it to {better} and submit it again"));
    }
    submitted
}

/// A program of several files, of which one starts.
fn started(
    intake: &mut Intake<'_>,
    program: Program,
    several: &Several,
    place: &Path,
) -> Result<SubmittedProgram, Why> {
    let Some((path, _)) = program.parts() else { return intake.known(program, place) };
    if !several.others.is_empty() {
        let entry = several.entry_with_reason();
        let others = listed(&several.others);
        let message = format!("contains several programs; grader judges {entry} and not {others}");
        intake.warning(place, message, "submit only one program");
    }
    let program = match &several.files[..] {
        [only] => Program::File(path.join(only)),
        files => Program::Directory { path, files: files.to_vec() },
    };
    let mut submitted = intake.known(program, place)?;
    if let Program::Directory { files, .. } = &submitted.program {
        // A notebook runs under the name of its program.
        let is_entry = |file: &&PathBuf| file.with_extension("") == several.entry.with_extension("");
        let exact = files.iter().find(|file| **file == several.entry);
        let entry = exact.or_else(|| files.iter().find(is_entry)).and_then(|file| file.to_str());
        submitted.entry_point = entry.map(str::to_owned);
    }
    submitted.remarks.insert(0, several.remark());
    submitted.chosen = Some(several.entry.clone());
    Ok(submitted)
}

/// The submitted outputs.
fn outputs(intake: &mut Intake<'_>, pairing: &Pairing<'_>, taken: &FoundSubmission) -> Result<SubmittedProgram, Why> {
    let files = match &taken.files {
        SubmittedFiles::Item(tree, item) | SubmittedFiles::Several(tree, item, _) => {
            pairing.below(intake, tree, &item.below, &taken.place)
        }
        SubmittedFiles::Files(files) => pairing.singles(intake, files),
        SubmittedFiles::Refused(why) | SubmittedFiles::Nothing(.., why) => Err(*why),
    };
    files.map(|files| Program::Outputs(files).into())
}

fn entry(
    intake: &Intake<'_>,
    problem: usize,
    taken: FoundSubmission,
    submitted: SubmittedProgram,
    source: Key,
) -> AssignedSubmission {
    let received = taken.received();
    let SubmittedProgram { program, entry_point: starts, chosen, mut remarks } = submitted;
    let late = match taken.said().and_then(|said| said.called_late) {
        Some(true) => Some(Lateness::Unknown),
        Some(false) => Some(Lateness::By(Duration::ZERO)),
        None => None,
    };
    if late == Some(Lateness::Unknown) {
        remarks.push("the platform calls it late".to_owned());
    }
    let has_student = taken.has_student();
    let attempt = taken.attempt();
    let FoundSubmission { student, place, files, members, .. } = taken;
    let file = place.file_name().unwrap_or_default().as_encoded_bytes();
    let mut name = if has_student { format!("{student}/{}", text_of(file)) } else { student.clone() };
    // Reports say which file of a folder was run.
    let is_whole = !matches!(files, SubmittedFiles::Several(..));
    if let Some(entry) = chosen.filter(|entry| is_whole && !is_main(entry)) {
        name = format!("{name}/{}", text_of(entry.as_os_str().as_encoded_bytes()));
    }
    let archive = OuterArchive::of(&files, &place);
    let typed = |path: &Path| quote_path(&path.display().to_string());
    let again = match files {
        SubmittedFiles::Files(files) => files.iter().map(|(_, shown)| typed(shown)).collect::<Vec<_>>().join(" "),
        // Unpacked files are deleted afterwards, so only files on disk can be named again, and only if the name alone
        // selects the same program. It does not for one of several files of a student, or for a folder of programs.
        SubmittedFiles::Item(tree, item) if place.exists() && !place.is_symlink() => {
            let is_whole = match program {
                Program::Outputs(_) => true,
                _ if item.is_dir && place.is_file() && !is_archive_name(&place) => {
                    let below = &item.below;
                    tree.items.iter().filter(|file| file.below.starts_with(below) && file.below != *below).count() == 1
                }
                _ => !item.is_dir || intake.is_one_program(&tree, &item.below),
            };
            if is_whole { typed(&place) } else { String::new() }
        }
        _ => String::new(),
    };
    let student = has_student.then_some(student);
    AssignedSubmission {
        student,
        problem,
        name,
        place,
        archive,
        program,
        starts,
        remarks,
        received,
        members,
        shared_by: None,
        attempt,
        is_one_of_several: false,
        late,
        time_factor: 1.0,
        again,
        source,
    }
}
