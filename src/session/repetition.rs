//! Repeats the unexpected results of a recorded run: which submissions and tests they are, and the plan that runs them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::Result;

use super::records::replay_file;
use super::select::{Choice, ChosenPlan, Programs, choose};
use crate::diagnostic::Diagnostic;
use crate::event::{Event, Standing, SubmissionIndex, TestFinished, TestResult};
use crate::plan::Plan;
use crate::problem::TestId;
use crate::record::SubmissionReport;
use crate::verdict::Verdict;
use crate::workspace::Workspace;

/// A submission to repeat.
pub(crate) struct WantedSubmission {
    /// The word that selects its problem.
    problem: String,
    /// The submission's name, or the path of a program outside the problem.
    submission: String,
    /// The shell command, if the submission is one.
    command: Option<String>,
    /// The tests to repeat; none means all.
    tests: Option<BTreeSet<String>>,
}

/// The plan of a repetition.
#[derive(Default)]
pub(crate) struct Repetition {
    pub(crate) plan: Plan,
    /// Diagnostics about its problems.
    pub(crate) found: Vec<Diagnostic>,
    /// The names of submissions and tests that no longer exist.
    pub(crate) missing: Vec<String>,
}

/// The submissions of a record to repeat.
pub(crate) fn unexpected(path: &Path) -> Result<Vec<WantedSubmission>> {
    let mut failed: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
    let replayed = replay_file(path, |event, _| {
        if let Event::TestFinished(TestFinished { test, result, .. }) = event
            && !is_accepted(result)
        {
            failed.entry(test.of.index.0).or_default().insert(test.test.to_string());
        }
    })?;
    let wanted = replayed.report.submissions.into_iter().enumerate().filter(|(_, report)| is_unexpected(report)).map(
        |(index, report)| {
            // grader wrote these words by the same rules. Without them, the submission is found by its name alone.
            let words = shlex::split(&report.head.again).unwrap_or_default();
            WantedSubmission {
                problem: report.chosen_by().to_owned(),
                submission: value_of("-s", &words).unwrap_or_else(|| report.id.submission.to_string()),
                command: value_of("-c", &words),
                // Repeating some of the tests is enough only if each of them must be accepted.
                tests: failed
                    .remove(&index)
                    .filter(|_| report.head.expected == "AC" && report.verdict().is_some() && is_missed(&report)),
            }
        },
    );
    Ok(wanted.collect())
}

/// The value of an option at the start of `words`: the next word, or the part after `=`.
fn value_of(option: &str, words: &[String]) -> Option<String> {
    match words {
        [first, value, ..] if first == option => Some(value.clone()),
        [first, ..] => first.strip_prefix(option)?.strip_prefix('=').map(str::to_owned),
        [] => None,
    }
}

fn is_accepted(result: &TestResult) -> bool {
    match result {
        TestResult::Judged(judgement) => judgement.verdict == Verdict::Accepted,
        TestResult::NotJudged { .. } => true,
        TestResult::JudgeError { .. } | TestResult::Cancelled => false,
    }
}

fn is_missed(submission: &SubmissionReport) -> bool {
    matches!(submission.standing(), Some(Standing::Missed { .. }))
}

fn is_unexpected(submission: &SubmissionReport) -> bool {
    !matches!(submission.standing(), Some(Standing::Met | Standing::NotJudged { .. }))
}

impl Repetition {
    /// Plans the submissions on the tests to repeat. `language` and `output_validator` are those of the repetition.
    pub(crate) fn plan(
        workspace: &Workspace,
        language: Option<&str>,
        output_validator: Option<&Path>,
        wanted: &[WantedSubmission],
    ) -> Self {
        let mut by_problem: BTreeMap<&str, Vec<&WantedSubmission>> = BTreeMap::new();
        for one in wanted {
            by_problem.entry(&one.problem).or_default().push(one);
        }
        let mut repetition = Self::default();
        for (problem, of_it) in by_problem {
            let (commands, programs): (Vec<&WantedSubmission>, Vec<&WantedSubmission>) =
                of_it.into_iter().partition(|one| one.command.is_some());
            let outside = |one: &&WantedSubmission| workspace.start.join(&one.submission).exists();
            let (outside, own): (Vec<&WantedSubmission>, Vec<&WantedSubmission>) =
                programs.into_iter().partition(outside);
            let mut add = |submissions: &[String], command: Option<&str>, of_it: &[&WantedSubmission]| {
                let selection = [problem.to_owned()];
                let choice = Choice {
                    start: &workspace.start,
                    selection: &selection,
                    submissions,
                    tests: &[],
                    command,
                    output_validator: output_validator.map(Path::to_owned),
                    programs: Programs::Run(language),
                };
                if let Ok(chosen) = choose(workspace, &choice) {
                    repetition.add(chosen, of_it);
                } else {
                    // Nothing has this name any more, so it is reported as missing.
                    let names = of_it.iter().map(|one| format!("{problem}/{}", one.submission));
                    repetition.missing.extend(names);
                }
            };
            if !own.is_empty() {
                add(&[], None, &own);
            }
            for one in outside {
                add(std::slice::from_ref(&one.submission), None, &[one]);
            }
            for one in commands {
                add(&[], one.command.as_deref(), &[one]);
            }
        }
        repetition.found.dedup();
        repetition
    }

    fn add(&mut self, ChosenPlan { plan: whole, found }: ChosenPlan, wanted: &[&WantedSubmission]) {
        self.found.extend(found);
        add_parts(&mut self.plan, &whole, wanted, &mut self.missing);
    }
}

/// Adds a problem to the plan once for each set of tests.
fn add_parts(plan: &mut Plan, whole: &Plan, wanted: &[&WantedSubmission], missing: &mut Vec<String>) {
    let mut sets: BTreeMap<Option<&BTreeSet<String>>, Vec<&str>> = BTreeMap::new();
    for one in wanted {
        sets.entry(one.tests.as_ref()).or_default().push(&one.submission);
    }
    for (tests, submissions) in sets {
        for submission in &submissions {
            if !whole.submissions.iter().any(|each| each.id.submission.as_str() == *submission) {
                missing.push(format!("{}/{submission}", wanted[0].problem));
            }
        }
        for (problem, planned) in whole.each_problem() {
            let is_meant =
                |index: &SubmissionIndex| submissions.contains(&whole.submissions[*index].id.submission.as_str());
            let indices: Vec<SubmissionIndex> = planned.submissions().filter(is_meant).collect();
            let has_test = |name: &TestId| tests.is_none_or(|tests| tests.contains(name.as_str()));
            if !indices.is_empty() && planned.names.iter().any(has_test) {
                plan.add_part(whole, problem, &indices, has_test);
            } else if !indices.is_empty() {
                let names = tests.into_iter().flatten().map(String::as_str).collect::<Vec<_>>().join(", ");
                missing.push(format!("{}: {names}", planned.problem.id));
            }
        }
    }
}
