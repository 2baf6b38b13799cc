//! Assigns the submissions of students to problems, each as a program or as outputs.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{Problems, output_limit, result_key, wants_outputs};
use crate::event::LeftOut;
use crate::intake::layout::{Handed, Taken};
use crate::intake::pairing::{AMBIGUOUS, Cases, Pairing, Pattern};
use crate::intake::reader::{Intake, NO_PROGRAM, Why, listed, text_of};
use crate::package::archive::is_archive_name;
use crate::package::diagnostic::Diagnostic;
use crate::problem::{Problem, ProblemId, Program};
use crate::report::text::{Whitespace, escape, quote_path};
use crate::store::Key;
use crate::suggest;
use crate::workspace::Workspace;

/// One submission for one problem.
pub(crate) struct Entry {
    /// The student, if known.
    pub(crate) student: Option<String>,
    /// Position among the problems.
    pub(crate) problem: usize,
    /// The name of the submission.
    pub(crate) name: String,
    pub(crate) place: PathBuf,
    pub(crate) program: Program,
    /// The arguments with which `grader judge` judges it again alone; empty if that is not possible.
    pub(crate) again: String,
    /// The key of its content.
    pub(crate) source: Key,
}

impl Entry {
    /// The name under which its result is filed: the student, or else the submission.
    pub(crate) fn owner(&self) -> &str {
        self.student.as_deref().unwrap_or(&self.name)
    }
}

/// The problems to which submissions are assigned.
pub(crate) struct Wanted<'a> {
    pub(crate) workspace: &'a Workspace,
    pub(crate) problems: &'a Problems,
    /// The only problem to judge, if there is just one.
    pub(crate) only: Option<usize>,
    /// The pattern of the names of output files, if one was given.
    pub(crate) pattern: Option<&'a Pattern>,
}

/// The assigned submissions, sorted.
pub(crate) struct Assigned {
    pub(crate) entries: Vec<Entry>,
    pub(crate) left_out: Vec<LeftOut>,
}

/// Finds the problem of each submission and leaves out ambiguous ones. Reports every error and continues with the
/// others.
pub(crate) fn assign(intake: &mut Intake<'_>, taken: Vec<(Taken, bool)>, wanted: &Wanted<'_>) -> Assigned {
    let Wanted { workspace, problems, only, pattern } = *wanted;
    let cases: Vec<Option<Cases>> =
        problems.plan.problems.iter().map(|planned| wants_outputs(planned).then(|| Cases::of(planned))).collect();
    let mut pairings: Vec<Option<Pairing<'_>>> = Vec::new();
    for (planned, cases) in problems.plan.problems.iter().zip(&cases) {
        pairings.push(cases.as_ref().map(|cases| Pairing::new(&planned.problem, cases, pattern)));
    }
    let mut left_out = Vec::new();
    let id = |at: usize| problems.plan.problems[at].problem.id.clone();
    let mut misfit = |student: &str, problem: Option<ProblemId>, why: &str| {
        left_out.push(LeftOut { student: student.to_owned(), problem, why: why.to_owned() });
    };
    let mut unknown: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    let mut places: BTreeMap<(usize, String), Vec<Entry>> = BTreeMap::new();
    for (taken, has_student) in taken {
        if let (None, None) = (&taken.problem, only) {
            // It may be for any of the problems.
            let why = taken.refusal().unwrap_or_else(|| {
                let message = "nothing names its problem";
                intake.error(&taken.place, message, "put `{problem}` into every part of the layout");
                "no such problem"
            });
            (0..problems.plan.problems.len()).for_each(|problem| misfit(&taken.student, Some(id(problem)), why));
            continue;
        }
        let Some(problem) = problem_of(problems, only, taken.problem.as_deref()) else {
            let name = taken.problem.as_deref().unwrap_or_default();
            match problems.errors_of(name).find_map(|found| found.problem.clone()) {
                Some(broken) => misfit(&taken.student, Some(broken), "not judged"),
                None => misfit(&taken.student, None, "no such problem"),
            }
            unknown.entry(taken.problem.unwrap_or_default()).or_default().push(taken.place);
            continue;
        };
        // It is for a problem that is not judged.
        let Some(problem) = problem else { continue };
        let program = match &pairings[problem] {
            Some(pairing) => outputs(intake, pairing, &taken),
            None => program(intake, &taken),
        };
        let program = match program {
            Ok(program) => program,
            Err(why) => {
                if let (AMBIGUOUS, false, Handed::Item(..)) = (why, has_student, &taken.handed) {
                    let message = "grader took all of it as one submission";
                    let remedy = "if several students submitted it, say who submitted which file: --layout '{student}'";
                    intake.warning(&taken.place, message, remedy);
                }
                misfit(&taken.student, Some(id(problem)), why);
                continue;
            }
        };
        let of = &problems.plan.problems[problem].problem;
        let source = match &program {
            Program::Outputs(files) => result_key::of_outputs(files, output_limit(workspace, of)),
            program => {
                let named = !of.additions.include.is_empty() || of.static_validator.is_some();
                result_key::of_source(program, intake.wanted, named)
            }
        };
        match source {
            Ok(source) => {
                let mut entry = entry(intake, problem, taken, has_student, program, source);
                if let (Some(pattern), Some(_), false) = (pattern, &pairings[problem], entry.again.is_empty()) {
                    entry.again += &pattern.again();
                }
                places.entry((problem, entry.owner().to_owned())).or_default().push(entry);
            }
            Err(why) => {
                misfit(&taken.student, Some(id(problem)), "not judged");
                intake.error(&taken.place, why.to_string(), "make it readable");
            }
        }
    }
    tell_unknown(intake, problems, unknown);
    let mut entries = Vec::new();
    for ((problem, student), mut same) in places {
        if same.len() == 1 {
            entries.append(&mut same);
            continue;
        }
        misfit(&student, Some(id(problem)), AMBIGUOUS);
        let all: Vec<PathBuf> = same.iter().map(|entry| entry.place.clone()).collect();
        let student = escape(student.as_bytes(), Whitespace::Inline);
        let message = format!("`{student}` submitted {} for one problem: {}", same.len(), listed(&all));
        let remedy = "keep one (none is judged), or use a layout that distinguishes students of the same name";
        intake.error(&same[0].place, message, remedy);
    }
    // A text file beside a program is no second submission.
    left_out.retain(|out| {
        !entries.iter().any(|entry| entry.owner() == out.student && out.problem == Some(id(entry.problem)))
    });
    Assigned { entries, left_out }
}

/// Reports the names of unknown and broken problems, with their submissions.
fn tell_unknown(intake: &mut Intake<'_>, problems: &Problems, unknown: BTreeMap<String, Vec<PathBuf>>) {
    for (problem, places) in unknown {
        let more = if places.len() > 1 { format!(" ({} submissions)", places.len()) } else { String::new() };
        let broken: Vec<Diagnostic> = problems.errors_of(&problem).cloned().collect();
        if !broken.is_empty() {
            intake.found.extend(broken);
            intake.error(&places[0], format!("not judged: the problem `{problem}` is broken{more}"), "fix it first");
            continue;
        }
        let ids = problems.ids();
        let near = suggest::did_you_mean(&problem, ids.iter().copied());
        let remedy = near.unwrap_or_else(|| match &ids[..] {
            [] => "go to a problem's folder or below a grader.toml: no problem was found here".to_owned(),
            [only] => format!("use the only problem: {only}"),
            several => format!("choose one of {}", several[..several.len().min(8)].join(", ")),
        });
        intake.error(&places[0], format!("no problem is called `{problem}`{more}"), &remedy);
    }
}

/// Finds a problem by its name: `None` if there is none, `Some(None)` if it is not the problem to judge.
#[expect(clippy::option_option, reason = "unknown and unwanted are two things")]
pub(crate) fn problem_of(problems: &Problems, only: Option<usize>, name: Option<&str>) -> Option<Option<usize>> {
    let Some(name) = name else { return Some(only) };
    let all = || problems.plan.problems.iter().map(|planned| &*planned.problem);
    let is = |problem: &Problem, name: &str| problem.id.as_str() == name || problem.slug() == name;
    // If several problems have the name, the problem to judge comes first.
    if let Some(only) = only
        && all().nth(only).is_some_and(|problem| is(problem, name))
    {
        return Some(Some(only));
    }
    let by_name = |fits: &dyn Fn(&str) -> bool| {
        let mut named = all().enumerate().filter(|(_, problem)| fits(problem.id.as_str()) || fits(problem.slug()));
        named.next().filter(|_| named.next().is_none()).map(|(at, _)| at)
    };
    let folded = || by_name(&|known| known.eq_ignore_ascii_case(name));
    let exact = all().position(|problem| problem.id.as_str() == name).or_else(|| by_name(&|known| known == name));
    match (exact.or_else(folded), only) {
        (found, Some(only)) => Some(found.filter(|found| *found == only)),
        (found, None) => found.map(Some),
    }
}

/// The submitted program.
fn program(intake: &mut Intake<'_>, taken: &Taken) -> Result<Program, Why> {
    match &taken.handed {
        Handed::Item(tree, item) => intake.program(tree, item, &taken.place),
        // The user named the file, so it is a program, whatever its name is.
        Handed::Files(files) => files.first().map(|(path, _)| Program::File(path.clone())).ok_or(NO_PROGRAM),
        Handed::Refused(why) => Err(why),
    }
}

/// The submitted outputs.
fn outputs(intake: &mut Intake<'_>, pairing: &Pairing<'_>, taken: &Taken) -> Result<Program, Why> {
    let files = match &taken.handed {
        Handed::Item(tree, item) => pairing.below(intake, tree, &item.below, &taken.place),
        Handed::Files(files) => pairing.singles(intake, files),
        Handed::Refused(why) => Err(*why),
    };
    files.map(Program::Outputs)
}

fn entry(intake: &Intake<'_>, problem: usize, taken: Taken, has_student: bool, program: Program, source: Key) -> Entry {
    let Taken { student, place, handed, .. } = taken;
    let file = place.file_name().unwrap_or_default().as_encoded_bytes();
    let name = if has_student { format!("{student}/{}", text_of(file)) } else { student.clone() };
    let typed = |path: &Path| quote_path(&path.display().to_string());
    let again = match handed {
        Handed::Files(files) => files.iter().map(|(_, shown)| typed(shown)).collect::<Vec<_>>().join(" "),
        // Unpacked files are deleted afterwards, so only files on disk can be named again, and only if the name alone
        // selects the same program. It does not for one of several files of a student, or for a folder of programs.
        Handed::Item(tree, item) if place.exists() && !place.is_symlink() => {
            let is_whole = match program {
                Program::Outputs(_) => true,
                _ if item.is_dir && place.is_file() && !is_archive_name(&place) => tree.items.len() == 1,
                _ => !item.is_dir || intake.is_one_program(&tree, &item.below),
            };
            if is_whole { typed(&place) } else { String::new() }
        }
        _ => String::new(),
    };
    Entry { student: has_student.then_some(student), problem, name, place, program, again, source }
}
