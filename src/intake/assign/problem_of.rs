//! Finds the problem that a submission is for, and reports those of no problem.

use std::path::{Path, PathBuf};

use super::unknown_problems::WithoutProblem;
use super::{Assigner, KnownProblems};
use crate::intake::Problems;
use crate::intake::advice::Misfit;
use crate::intake::content::is_prose;
use crate::intake::found_submission::{Aim, FoundSubmission, SubmittedFiles};
use crate::intake::several_files;
use crate::intake::tree::TreeItem;
use crate::intake::unjudged::Why;
use crate::package::archive::is_foreign;
use crate::problem::Problem;
use crate::report::text::{Whitespace, escape};

impl Assigner<'_, '_, '_> {
    /// The problem of a submission; none if it has none, or if its problem is not judged.
    pub(super) fn problem_of(&mut self, taken: &FoundSubmission) -> Option<usize> {
        let KnownProblems { problems, only, names, .. } = *self.wanted;
        if taken.said().is_some_and(|said| said.is_untouched) {
            return None;
        }
        let named = match (&taken.aim, only) {
            (Aim::Outside, _) => {
                self.misfit(taken, None, Why::NoSuchProblem);
                return None;
            }
            (Aim::Several(readings), _) => {
                self.unclear(taken, readings);
                return None;
            }
            (Aim::Unknown(name), _) => {
                if let Some(problem) = self.used_by_tests(name, taken) {
                    return Some(problem);
                }
                if let Some(archive) = taken.received().iter().find(|file| is_foreign(file)) {
                    self.intake.refuses_archive(&taken.place, archive);
                    self.misfit(taken, None, Why::Refused);
                    return None;
                }
                // An old version for another problem than the only one.
                if only.is_some() && names.of_old_version(name).is_some() {
                    return None;
                }
                self.misfit(taken, None, Why::NoSuchProblem);
                self.unknown(name, taken);
                return None;
            }
            (Aim::Unsaid, None) => {
                // It may be for any of the problems.
                let why = taken.refusal().unwrap_or_else(|| {
                    let message = "nothing names its problem";
                    self.intake.error(&taken.place, message, "put `{problem}` into every part of the layout");
                    Why::NoSuchProblem
                });
                for problem in 0..problems.plan.problems.len() {
                    self.misfit(taken, Some(self.id(problem)), why);
                }
                return None;
            }
            (Aim::Unsaid, Some(only)) if self.is_for_others(taken, only) => {
                self.is_for_other(taken);
                return None;
            }
            (Aim::Unsaid, Some(_)) => None,
            (Aim::Problem(name), _) => Some(name.as_str()),
        };
        if let Some(found) = problem_of(problems, only, named) {
            if found.is_none() {
                self.is_for_other(taken);
            }
            return found;
        }
        let name = named.unwrap_or_default();
        match problems.errors_of(name).find_map(|found| found.problem.clone()) {
            Some(broken) => self.misfit(taken, Some(broken), Why::NotJudged),
            None => self.misfit(taken, None, Why::NoSuchProblem),
        }
        self.unknown(name, taken);
        None
    }

    fn is_for_other(&mut self, taken: &FoundSubmission) {
        self.for_others.push((taken.student.clone(), taken.place.clone()));
    }

    fn unknown(&mut self, name: &str, taken: &FoundSubmission) {
        let (student, place) = (taken.student.clone(), taken.place.clone());
        let is_text = taken.only_file().is_some_and(is_prose);
        self.unknown.entry(name.to_owned()).or_default().push(WithoutProblem { student, place, is_text });
    }

    /// Whether all programs in a folder, or their folders in it, have the names of other problems than the only one.
    fn is_for_others(&self, taken: &FoundSubmission, only: usize) -> bool {
        let SubmittedFiles::Item(tree, folder) = &taken.files else { return false };
        let is_other = |item: &TreeItem| {
            // The name of the student's folder says nothing.
            let below = item.below.strip_prefix(&folder.below).unwrap_or(&item.below);
            self.wanted.names.of_file(below).id().is_some_and(|id| id != self.id(only).as_str())
        };
        let is_program = |item: &&TreeItem| !item.is_dir && self.intake.is_source(&item.path);
        let inside = tree.items.iter().filter(|item| folder.is_dir && item.below.starts_with(&folder.below));
        let mut programs = inside.filter(is_program).peekable();
        programs.peek().is_some() && programs.all(is_other)
    }

    /// The only problem whose unit tests use a file of this name.
    fn used_by_tests(&self, name: &str, taken: &FoundSubmission) -> Option<usize> {
        let file = taken.only_file()?;
        let called = PathBuf::from(format!("{name}.{}", file.extension()?.to_str()?));
        let uses = |tests: &Path| several_files::use_file(self.intake, tests, file, &called);
        let all = self.wanted.problems.plan.problems.iter();
        let mut using = all.enumerate().filter(|(_, planned)| planned.problem.unit_tests().is_some_and(uses));
        using.next().filter(|_| using.next().is_none()).map(|(at, _)| at)
    }

    /// The problem of something that is named like an old version of a submission to it: `sum_old.py`.
    pub(super) fn old_version_of(&self, taken: &FoundSubmission) -> Option<usize> {
        let KnownProblems { problems, names, .. } = *self.wanted;
        let Aim::Unknown(name) = &taken.aim else { return None };
        let is_closed = taken.received().iter().any(|file| is_foreign(file));
        names.of_old_version(name).filter(|_| !is_closed).and_then(|id| problem_of(problems, None, Some(id))?)
    }

    /// Whether something named like an old version counts, because its author submitted no other for the problem.
    pub(super) fn has_no_newer(&mut self, problem: usize, taken: &FoundSubmission) -> bool {
        let id = self.id(problem);
        let is_same = |out: &Misfit| out.student == taken.student && out.problem.as_ref() == Some(&id);
        let is_old = self.places.contains_key(&(problem, taken.student.clone())) || self.misfits.iter().any(is_same);
        let (message, remedy) = if is_old {
            (format!("an old version of `{id}`; not judged"), "rename it if it is the one that counts")
        } else {
            let message = format!("named like an old version of `{id}`, and there is no newer one, so it counts");
            (message, "ask whether it is the one that counts")
        };
        self.intake.warning(&taken.place, message, remedy);
        !is_old
    }

    /// Reports a path that can be read in several ways. Each of the students has a row.
    fn unclear(&mut self, taken: &FoundSubmission, readings: &[(String, String)]) {
        let KnownProblems { problems, only, .. } = *self.wanted;
        for (student, problem) in readings {
            let problem = problem_of(problems, only, Some(problem)).flatten().map(|problem| self.id(problem));
            let (received, members) = (taken.received(), taken.members.clone());
            let (place, misfit) = (Some(taken.place.clone()), Misfit::new(student.clone(), problem, Why::Unclear));
            self.misfits.push(Misfit { received, members, place, ..misfit });
        }
        let shown = |text: &str| escape(text.as_bytes(), Whitespace::Inline);
        let readings =
            readings.iter().map(|(student, problem)| format!("`{}` of `{}`", shown(problem), shown(student)));
        let message = format!("can be read in several ways: {}", readings.collect::<Vec<_>>().join(", "));
        let remedy =
            "name the students: --roster FILE; or separate student and problem: --layout '{student}/{problem}.*'";
        self.intake.error(&taken.place, message, remedy);
    }
}

/// Finds a problem by its name: `None` if there is none, `Some(None)` if it is not the problem to judge.
#[expect(clippy::option_option, reason = "unknown and unwanted are two things")]
fn problem_of(problems: &Problems, only: Option<usize>, name: Option<&str>) -> Option<Option<usize>> {
    let Some(name) = name else { return Some(only) };
    let all = || problems.plan.problems.iter().map(|planned| &*planned.problem);
    let is = |problem: &Problem, name: &str| problem.id.as_str() == name || problem.own_name() == name;
    // If several problems have the name, the problem to judge comes first.
    if let Some(only) = only
        && all().nth(only).is_some_and(|problem| is(problem, name))
    {
        return Some(Some(only));
    }
    let by_name = |fits: &dyn Fn(&str) -> bool| {
        let mut named = all().enumerate().filter(|(_, problem)| fits(problem.id.as_str()) || fits(problem.own_name()));
        named.next().filter(|_| named.next().is_none()).map(|(at, _)| at)
    };
    let folded = || by_name(&|known| known.eq_ignore_ascii_case(name));
    let exact = all().position(|problem| problem.id.as_str() == name).or_else(|| by_name(&|known| known == name));
    match (exact.or_else(folded), only) {
        (found, Some(only)) => Some(found.filter(|found| *found == only)),
        (found, None) => found.map(Some),
    }
}
