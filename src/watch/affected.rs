//! Decides which submissions a saved file affects.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::files::Change;
use crate::config::FILE_NAME;
use crate::event::{ProblemIndex, SubmissionIndex};
use crate::plan::{Plan, PlannedProblem};
use crate::problem::{Problem, ProblemId, Program, SubmissionId};

/// The submissions to run again, and the saved files that cause it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct AffectedSubmissions {
    /// The affected submissions of each problem; none means all of them.
    submissions: BTreeMap<ProblemId, Option<BTreeSet<SubmissionId>>>,
    causes: BTreeSet<PathBuf>,
}

impl AffectedSubmissions {
    /// Marks every problem of the plan as affected.
    pub(crate) fn everything(plan: &Plan) -> Self {
        let submissions = plan.problems.iter().map(|planned| (planned.problem.id.clone(), None)).collect();
        Self { submissions, causes: BTreeSet::new() }
    }

    pub(crate) fn is_nothing(&self) -> bool {
        self.submissions.is_empty()
    }

    /// Whether this saved file affects something.
    pub(crate) fn is_cause(&self, path: &Path) -> bool {
        self.causes.contains(path)
    }

    /// Positions of the affected problems in a plan, each with the positions of its affected submissions.
    pub(crate) fn submissions(&self, plan: &Plan) -> Vec<(ProblemIndex, Vec<SubmissionIndex>)> {
        let of = |(position, planned): (ProblemIndex, &PlannedProblem)| {
            let meant = self.submissions.get(&planned.problem.id)?;
            let is_meant = |submission: &SubmissionIndex| match meant {
                None => true,
                Some(names) => names.contains(&plan.submissions[*submission].id.submission),
            };
            let submissions: Vec<SubmissionIndex> = planned.submissions().filter(is_meant).collect();
            (!submissions.is_empty()).then_some((position, submissions))
        };
        plan.each_problem().filter_map(of).collect()
    }

    /// Adds what another change affects. Its causes are not added: they were reported before.
    pub(crate) fn add(&mut self, other: Self) {
        for (problem, names) in other.submissions {
            match names {
                None => self.whole(&problem),
                Some(names) => names.iter().for_each(|name| self.one(&problem, name)),
            }
        }
    }

    fn whole(&mut self, problem: &ProblemId) {
        self.submissions.insert(problem.clone(), None);
    }

    fn one(&mut self, problem: &ProblemId, submission: &SubmissionId) {
        let names = self.submissions.entry(problem.clone()).or_insert_with(|| Some(BTreeSet::new()));
        if let Some(names) = names {
            names.insert(submission.clone());
        }
    }
}

/// The part of the plan that must run again after a change; `old` is the plan before it. `uses` decides whether a program
/// of the new plan is built with a file that is not its own.
pub(crate) fn affected(
    old: &Plan,
    new: &Plan,
    change: &Change,
    config: Option<&Path>,
    uses: &dyn Fn(SubmissionIndex, &Path) -> bool,
) -> AffectedSubmissions {
    let Change::Files(paths) = change else { return AffectedSubmissions::everything(new) };
    let is_config = |path: &&PathBuf| Some(path.as_path()) == config || path.ends_with(FILE_NAME);
    if let Some(path) = paths.iter().find(is_config) {
        return AffectedSubmissions { causes: BTreeSet::from([path.clone()]), ..AffectedSubmissions::everything(new) };
    }
    let mut affected = AffectedSubmissions::default();
    for planned in &new.problems {
        let before = old.problems.iter().find(|before| before.problem.id == planned.problem.id);
        let id = &planned.problem.id;
        match before {
            None => affected.whole(id),
            // Cases or groups were added or removed, or the content of a configuration file changed.
            Some(before) if differs(&before.problem, &planned.problem) || before.names != planned.names => {
                affected.whole(id);
            }
            Some(_) => {}
        }
        for path in paths {
            let near = |program: &Path| path.starts_with(program) || program.starts_with(path);
            let own = SubmissionIndex::each(planned.submissions.clone()).filter(|submission| {
                match &new.submissions[*submission].submission.program {
                    Program::Outputs(files) => files.values().any(|file| near(file)),
                    // The files that a command reads are unknown.
                    Program::Command(_) => true,
                    program => program.path().is_some_and(near) || uses(*submission, path),
                }
            });
            for submission in own.map(|submission| &new.submissions[submission]) {
                affected.one(id, &submission.id.submission);
                affected.causes.insert(path.clone());
            }
            if concerns_all(planned, path) {
                affected.whole(id);
                affected.causes.insert(path.clone());
            }
        }
        let known = |submission: &&crate::plan::PlannedSubmission| {
            old.submissions.iter().any(|before| before.id.problem == *id && before.submission == submission.submission)
        };
        for submission in new.submissions[planned.submissions.clone()].iter().filter(|submission| !known(submission)) {
            affected.one(id, &submission.id.submission);
        }
    }
    affected
}

/// Whether two versions of a problem differ in anything but their submissions.
fn differs(old: &Problem, new: &Problem) -> bool {
    let bare = |problem: &Problem| Problem {
        submissions: Vec::new(),
        helpers: Vec::new(),
        reference: None,
        random_input: None,
        ..problem.clone()
    };
    bare(old) != bare(new)
}

/// Extensions of files that belong to cases and groups.
const OF_CASES: [&str; 7] = ["in", "ans", "out", "args", "files", "yaml", "toml"];

/// Whether a file affects all submissions: it belongs to a case, to a judge program or to `include/`.
fn concerns_all(planned: &PlannedProblem, path: &Path) -> bool {
    let of_judge = planned.judges().filter_map(|judge| judge.path()).any(|judge| path.starts_with(judge));
    let ending = path.extension().is_some_and(|ending| OF_CASES.iter().any(|known| ending == *known));
    let of_case = planned.problem.groups.iter().any(|group| path.starts_with(&group.dir)) && ending;
    let of_named_case = planned.problem.cases().filter(|(group, _)| group.naming.is_some()).any(|(group, case)| {
        group.input_of(case) == path || group.answer_of(case).is_some_and(|answer| answer == path)
    });
    let of_files = planned.problem.groups.iter().any(|group| {
        let own = group.cases.iter().filter(|case| !case.files().is_empty());
        own.map(|case| group.dir.join(format!("{}.files", case.name))).any(|dir| path.starts_with(dir))
    });
    let of_harness = path.starts_with(planned.problem.dir.join("include"));
    of_judge || of_case || of_named_case || of_files || of_harness
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::problem::{AnswerFile, Expectation, LimitOptions, PackageLayout, Program, Submission};
    use crate::problem::{JudgingProgram, Protocol, TestCase, TestGroup};

    fn problem(id: &str, cases: &[&str]) -> Problem {
        let limits = LimitOptions::default();
        let case = |name: &&str| TestCase::new(*name, AnswerFile::Ans);
        let dir = PathBuf::from(format!("/t/{id}/secret"));
        let cases = cases.iter().map(case).collect();
        let group = TestGroup { limits: limits.clone(), cases, ..TestGroup::empty("secret", dir) };
        Problem {
            limits,
            input_validators: vec![JudgingProgram::guessed(
                Program::File(format!("/p/{id}/input_validators/v.py").into()),
                Protocol::Icpc,
            )],
            groups: vec![group],
            ..Problem::empty(id.into(), format!("/p/{id}").into(), PackageLayout::Native)
        }
    }

    fn submission(problem: &str, name: &str) -> (Submission, bool) {
        let path = PathBuf::from(format!("/p/{problem}/submissions/{name}"));
        let program = if name.ends_with('/') {
            Program::Directory { path, files: vec!["main.cpp".into()] }
        } else {
            Program::File(path)
        };
        (
            Submission {
                id: name.into(),
                program,
                language: None,
                entry_point: None,
                expectation: Expectation::accepted("accepted/"),
            },
            false,
        )
    }

    fn plan(problems: &[(&str, &[&str], &[&str])]) -> Plan {
        let mut plan = Plan::default();
        for (id, cases, submissions) in problems {
            let submissions: Vec<_> = submissions.iter().map(|name| submission(id, name)).collect();
            plan.add(Arc::new(problem(id, cases)), |_| true, submissions);
        }
        plan
    }

    fn two() -> Plan {
        plan(&[("a", &["1", "2"], &["s.py", "big/"]), ("b", &["1"], &["s.py"])])
    }

    #[track_caller]
    fn check(old: &Plan, new: &Plan, path: &str, expected: &[(&str, &[&str])]) {
        let change = Change::Files(vec![path.into()]);
        let all = affected(old, new, &change, Some(Path::new("/grader.toml")), &|_, _| false).submissions(new);
        let names = |submissions: &[SubmissionIndex]| {
            submissions.iter().map(|submission| new.submissions[*submission].id.submission.to_string()).collect()
        };
        let found: Vec<(String, Vec<String>)> = all
            .iter()
            .map(|(at, submissions)| (new.problems[*at].problem.id.to_string(), names(submissions)))
            .collect();
        let expected: Vec<(String, Vec<String>)> = expected
            .iter()
            .map(|(id, names)| ((*id).to_owned(), names.iter().map(ToString::to_string).collect()))
            .collect();
        assert_eq!(found, expected, "{path}");
    }

    #[test]
    fn a_file_affects_what_it_belongs_to() {
        let plan = two();
        let (all_of_a, nothing): (&[_], &[_]) = (&[("a", &["s.py", "big/"][..])], &[]);
        for (path, expected) in [
            ("/p/a/submissions/s.py", &[("a", &["s.py"][..])][..]),
            ("/p/a/submissions/big/main.cpp", &[("a", &["big/"])]),
            ("/p/a/submissions", all_of_a),
            ("/t/a/secret/1.in", all_of_a),
            ("/t/a/secret/2.ans", all_of_a),
            ("/p/a/input_validators/v.py", all_of_a),
            ("/p/a/statement/problem.en.md", nothing),
            ("/p/a/submissions/4913", nothing),
            ("/grader.toml", &[("a", &["s.py", "big/"]), ("b", &["s.py"])]),
        ] {
            check(&plan, &plan, path, expected);
        }
    }

    #[test]
    fn what_appears_and_goes_away_is_noticed() {
        let with_case = plan(&[("a", &["1", "2", "3"], &["s.py", "big/"]), ("b", &["1"], &["s.py"])]);
        check(&two(), &with_case, "/t/a/secret", &[("a", &["s.py", "big/"])]);
        check(&with_case, &two(), "/t/a/secret", &[("a", &["s.py", "big/"])]);
        let with_submission = plan(&[("a", &["1", "2"], &["s.py", "big/", "new.py"]), ("b", &["1"], &["s.py"])]);
        check(&two(), &with_submission, "/p/a/x", &[("a", &["new.py"])]);
        check(&with_submission, &two(), "/p/a/submissions/new.py", &[]);
        let one = plan(&[("a", &["1", "2"], &["s.py", "big/"])]);
        check(&one, &two(), "/p/b", &[("b", &["s.py"])]);
    }

    #[test]
    fn lost_events_affect_everything() {
        let plan = two();
        assert_eq!(
            affected(&plan, &plan, &Change::Unknown, None, &|_, _| false),
            AffectedSubmissions::everything(&plan)
        );
    }
}
