//! Compares two recorded runs: changed results, and programs that became slower or quicker.
//!
//! Results are compared by problem and submission, times by test. A difference in time counts only beyond the noise.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use serde::{Serialize, Serializer};

use super::records::replay_file;
use crate::event::{Event, RunStarted, TestResult, Verb};
use crate::record::Report;
use crate::report::class::{self, Cell};
use crate::report::jsonl::ReadError;
use crate::report::text::{Whitespace, escape};
use crate::verdict::Verdict;

/// Threshold for a test: its CPU time must differ by more than a quarter and by more than this duration.
const TEST_NOISE: (f64, Duration) = (1.25, Duration::from_millis(50));
/// Threshold for all tests of a submission together: more than a tenth, because noise averages out over many tests.
const SUM_NOISE: (f64, Duration) = (1.1, Duration::from_millis(50));

/// One run with its results by submission.
pub(crate) struct Side {
    pub(crate) id: String,
    /// The start of the run, in RFC 3339.
    pub(crate) started: String,
    /// The error that prevented reading to the end. Only the part before it is compared.
    pub(crate) damage: Option<ReadError>,
    isolation: String,
    /// Whether its programs were built with sanitizers.
    sanitize: bool,
    machine: String,
    submissions: BTreeMap<(String, String), ComparedSubmission>,
    /// Whether its submissions are those of students.
    is_class: bool,
    /// The grades by student and problem; in a run that is not of a class, by submission and problem.
    grades: BTreeMap<(String, String), ComparedGrade>,
    /// The totals by student.
    totals: BTreeMap<String, ComparedTotal>,
}

/// One grade in a run.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct ComparedGrade {
    /// None if nothing was submitted, or if a person must look first.
    points: Option<f64>,
    verdict: Option<Verdict>,
    /// Whether it can change while the verdict stays.
    is_scored: bool,
}

/// One total in a run.
#[derive(Debug, Clone, Copy, PartialEq)]
struct ComparedTotal {
    /// None if a person must decide something first.
    points: Option<f64>,
    /// Whether people changed it.
    is_decided: bool,
}

/// One submission in a run.
#[derive(Default)]
struct ComparedSubmission {
    /// The result; none if the submission was not finished, and then it is not compared.
    told: Option<&'static str>,
    /// Whether it is as expected; where nothing is expected, whether it is accepted.
    met: bool,
    /// The first failing test.
    failure: Option<String>,
    tests: BTreeMap<String, Test>,
}

struct Test {
    verdict: Option<Verdict>,
    /// The CPU time; none if it came from the cache or the program was killed.
    cpu: Option<Duration>,
}

/// The differences between the two runs.
#[derive(Serialize)]
pub(crate) struct Differences {
    pub(crate) before: String,
    pub(crate) after: String,
    /// Worse results come first.
    pub(crate) changed: Vec<Change>,
    /// The changes of points that no change of a verdict explains.
    pub(crate) points: Vec<PointsChange>,
    pub(crate) slower: Vec<Pace>,
    pub(crate) quicker: Vec<Pace>,
    pub(crate) added: Vec<String>,
    pub(crate) removed: Vec<String>,
    /// The reason why times were not compared, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) times_not_compared: Option<Incomparable>,
    /// The number of submissions in both runs.
    pub(crate) compared: usize,
    /// The number of tests measured in both runs.
    pub(crate) times_compared: usize,
}

/// A changed result.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Change {
    pub(crate) problem: String,
    pub(crate) submission: String,
    pub(crate) before: &'static str,
    pub(crate) after: &'static str,
    /// The test that fails now, or that failed before.
    pub(crate) test: Option<String>,
    pub(crate) kind: Kind,
}

/// A changed grade.
#[derive(Debug, PartialEq, Serialize)]
pub(crate) struct PointsChange {
    /// The student; in a run that is not of a class, the submission.
    pub(crate) student: String,
    /// None: the total, which people changed.
    pub(crate) problem: Option<String>,
    /// None: there were no points.
    pub(crate) before: Option<f64>,
    /// None: there are no points.
    pub(crate) after: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    /// It was as expected and no longer is. In `judge` only AC is.
    Worse,
    /// It is as expected and was not.
    Better,
    /// The verdict changed, but it is as expected in both runs or in neither.
    Other,
}

/// A changed CPU time.
#[derive(Serialize)]
pub(crate) struct Pace {
    pub(crate) problem: String,
    pub(crate) submission: String,
    /// None stands for all tests of the submission together.
    pub(crate) test: Option<String>,
    /// In seconds.
    pub(crate) before: f64,
    /// In seconds.
    pub(crate) after: f64,
}

/// The reason why the times of two runs cannot be compared.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Incomparable {
    /// The runs had different layers of isolation.
    #[error("the isolation was {} and is {}", clean(before), clean(after))]
    Isolation {
        /// The layer of the earlier run.
        before: String,
        /// The layer of the later run.
        after: String,
    },
    /// At least one of the runs had sanitizers in its programs.
    #[error("sanitizers change times")]
    Sanitizers,
    /// The runs had different processors.
    #[error("the processor was `{}` and is `{}`", clean(before), clean(after))]
    Processor {
        /// The processor of the earlier run.
        before: String,
        /// The processor of the later run.
        after: String,
    },
}

impl Serialize for Incomparable {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

fn clean(text: &str) -> String {
    escape(text.as_bytes(), Whitespace::Quiet)
}

impl Side {
    /// Reads the record of a run.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let mut tests: Vec<(usize, String, Test)> = Vec::new();
        let replayed = replay_file(path, |event, _| {
            if let Event::TestFinished(finished) = event {
                tests.push((finished.test.of.index.0, finished.test.test.to_string(), Test::of(&finished.result)));
            }
        })?;
        let mut submissions = Vec::new();
        for submission in &replayed.report.submissions {
            let key = (submission.id.problem.to_string(), submission.id.submission.to_string());
            let failure = submission.failure().map(|failure| failure.test.test.to_string());
            let met = submission.is_fine(replayed.report.verb());
            let told = submission.told();
            submissions.push((key, ComparedSubmission { told, met, failure, tests: BTreeMap::new() }));
        }
        for (submission, name, test) in tests {
            submissions[submission].1.tests.insert(name, test);
        }
        let (grades, totals) = (grades_of(&replayed.report), totals_of(&replayed.report));
        let is_class = replayed.report.verb() == Verb::Judge;
        let (isolation, sanitize, started, machine) = match replayed.report.head {
            Some(RunStarted { isolation, sanitize, measured, .. }) => {
                (isolation, sanitize, measured.started, measured.machine)
            }
            None => Default::default(),
        };
        Ok(Self {
            id: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            started,
            damage: replayed.damage,
            isolation,
            sanitize,
            machine,
            submissions: submissions.into_iter().collect(),
            is_class,
            grades,
            totals,
        })
    }
}

fn grades_of(report: &Report) -> BTreeMap<(String, String), ComparedGrade> {
    let (problems, rows) = class::rows_of(report);
    let grade = |cell: Cell| ComparedGrade {
        points: cell.grade,
        verdict: cell.verdict,
        is_scored: cell.score.is_some() || !cell.notes.is_empty(),
    };
    let grades_of_row = |row: class::Row| {
        let student = row.student;
        let named = problems.iter().zip(row.cells).filter_map(|(problem, cell)| Some((problem.clone(), cell?)));
        named.map(move |(problem, cell)| ((student.clone(), problem), grade(cell))).collect::<Vec<_>>()
    };
    rows.into_iter().flat_map(grades_of_row).collect()
}

fn totals_of(report: &Report) -> BTreeMap<String, ComparedTotal> {
    let (_, rows) = class::rows_of(report);
    let total = |row: &class::Row| ComparedTotal { points: row.total(), is_decided: !row.changes.is_empty() };
    rows.iter().map(|row| (row.student.clone(), total(row))).collect()
}

impl Test {
    fn of(result: &TestResult) -> Self {
        let (verdict, measured) = match result {
            TestResult::Judged(judgement) => (Some(judgement.verdict), Some(&judgement.measured)),
            TestResult::NotJudged { measured, .. } => (None, Some(measured)),
            TestResult::JudgeError { .. } | TestResult::Cancelled => (None, None),
        };
        let cpu = measured.filter(|measured| !measured.cached && !measured.killed).map(|measured| measured.cpu);
        Self { verdict, cpu }
    }
}

impl Differences {
    /// The changes from the run `before` to the run `after`.
    pub(crate) fn between(before: &Side, after: &Side) -> Self {
        let name = |(problem, submission): &(String, String)| format!("{problem}/{submission}");
        let only = |one: &Side, other: &Side| {
            one.submissions.keys().filter(|key| !other.submissions.contains_key(*key)).map(name).collect()
        };
        let mut found = Self {
            before: before.id.clone(),
            after: after.id.clone(),
            changed: Vec::new(),
            points: points_changes(before, after),
            slower: Vec::new(),
            quicker: Vec::new(),
            added: only(after, before),
            removed: only(before, after),
            times_not_compared: incomparable(before, after),
            compared: 0,
            times_compared: 0,
        };
        for (key, new) in &after.submissions {
            let Some(old) = before.submissions.get(key) else { continue };
            found.compared += 1;
            found.changed.extend(change(key, old, new));
            if found.times_not_compared.is_none() {
                found.compare_times(key, old, new);
            }
        }
        found.changed.sort_by_key(|change| change.kind);
        found
    }

    /// The number of results that became worse.
    pub(crate) fn worse(&self) -> usize {
        self.changed.iter().filter(|change| change.kind == Kind::Worse).count()
    }

    fn compare_times(&mut self, key: &(String, String), old: &ComparedSubmission, new: &ComparedSubmission) {
        let both = new.tests.iter().filter_map(|(name, new)| {
            let old = old.tests.get(name).filter(|old| old.verdict == new.verdict)?;
            Some((name, old.cpu?, new.cpu?))
        });
        let both: Vec<(&String, Duration, Duration)> = both.collect();
        self.times_compared += both.len();
        let sum = |which: fn(&(&String, Duration, Duration)) -> Duration| both.iter().map(which).sum::<Duration>();
        let pace = |test: Option<&String>, before: Duration, after: Duration| Pace {
            problem: key.0.clone(),
            submission: key.1.clone(),
            test: test.cloned(),
            before: before.as_secs_f64(),
            after: after.as_secs_f64(),
        };
        let before = sum(|test| test.1);
        let after = sum(|test| test.2);
        for (list, swapped) in [(&mut self.slower, false), (&mut self.quicker, true)] {
            let is_beyond = |old, new, noise| if swapped { beyond(new, old, noise) } else { beyond(old, new, noise) };
            if is_beyond(before, after, SUM_NOISE) {
                list.push(pace(None, before, after));
            }
            let worst = both.iter().filter(|(_, old, new)| is_beyond(*old, *new, TEST_NOISE));
            // Only the test with the largest difference is reported.
            if let Some((name, old, new)) = worst.max_by_key(|(_, old, new)| old.abs_diff(*new)) {
                list.push(pace(Some(name), *old, *new));
            }
        }
    }
}

/// The reason why the times of these runs cannot be compared, if any.
fn incomparable(before: &Side, after: &Side) -> Option<Incomparable> {
    let differ = |old: &String, new: &String| (old != new).then(|| (old.clone(), new.clone()));
    if let Some((before, after)) = differ(&before.isolation, &after.isolation) {
        return Some(Incomparable::Isolation { before, after });
    }
    if before.sanitize || after.sanitize {
        return Some(Incomparable::Sanitizers);
    }
    differ(&before.machine, &after.machine).map(|(before, after)| Incomparable::Processor { before, after })
}

fn change(key: &(String, String), old: &ComparedSubmission, new: &ComparedSubmission) -> Option<Change> {
    let before = old.told?;
    let after = new.told?;
    let kind = match (old.met, new.met) {
        (true, false) => Kind::Worse,
        (false, true) => Kind::Better,
        _ => Kind::Other,
    };
    if before == after && kind == Kind::Other {
        return None;
    }
    let test = new.failure.clone().or_else(|| old.failure.clone());
    Some(Change { problem: key.0.clone(), submission: key.1.clone(), before, after, test, kind })
}

fn points_changes(before: &Side, after: &Side) -> Vec<PointsChange> {
    let keys: BTreeSet<&(String, String)> = before.grades.keys().chain(after.grades.keys()).collect();
    // A submission that only one run has is listed as such. A student who only one class has is not.
    let is_compared = |key: &&(String, String)| {
        (before.is_class && after.is_class) || (before.grades.contains_key(*key) && after.grades.contains_key(*key))
    };
    let change = |key: &(String, String)| {
        let old = before.grades.get(key).copied().unwrap_or_default();
        let new = after.grades.get(key).copied().unwrap_or_default();
        let is_told = old.verdict != new.verdict && !old.is_scored && !new.is_scored;
        let (student, problem) = key.clone();
        let changed = PointsChange { student, problem: Some(problem), before: old.points, after: new.points };
        (changed.before != changed.after && !is_told).then_some(changed)
    };
    let of_total = |(student, old): (&String, &ComparedTotal)| {
        let new = after.totals.get(student)?;
        // Otherwise the changes of its parts say it.
        let is_told = (old.is_decided || new.is_decided) && old.points != new.points;
        is_told.then(|| PointsChange { student: student.clone(), problem: None, before: old.points, after: new.points })
    };
    let totals = before.totals.iter().filter_map(of_total);
    keys.into_iter().filter(is_compared).filter_map(change).chain(totals).collect()
}

/// Whether `new` exceeds `old` by more than noise.
fn beyond(old: Duration, new: Duration, (factor, least): (f64, Duration)) -> bool {
    new > old.mul_f64(factor) && new > old + least
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(submissions: Vec<(&str, ComparedSubmission)>) -> Side {
        Side {
            id: "run".to_owned(),
            started: String::new(),
            damage: None,
            isolation: "root".to_owned(),
            sanitize: false,
            machine: "a processor".to_owned(),
            submissions: submissions.into_iter().map(|(name, of)| (("sum".to_owned(), name.to_owned()), of)).collect(),
            is_class: false,
            grades: BTreeMap::new(),
            totals: BTreeMap::new(),
        }
    }

    fn result(told: Option<&'static str>, met: bool, failure: Option<&str>) -> ComparedSubmission {
        ComparedSubmission { told, met, failure: failure.map(str::to_owned), tests: BTreeMap::new() }
    }

    /// A submission whose tests took these milliseconds.
    fn timed(times: &[(&str, Option<u64>)]) -> ComparedSubmission {
        let test = |cpu: Option<u64>| Test { verdict: Some(Verdict::Accepted), cpu: cpu.map(Duration::from_millis) };
        let tests = times.iter().map(|(name, cpu)| ((*name).to_owned(), test(*cpu))).collect();
        ComparedSubmission { tests, ..result(Some("AC"), true, None) }
    }

    /// The tests that became slower, and those that became quicker; `all` stands for all tests together.
    fn paces(old: &[(&str, Option<u64>)], new: &[(&str, Option<u64>)]) -> (Vec<String>, Vec<String>) {
        let found = Differences::between(&side(vec![("a", timed(old))]), &side(vec![("a", timed(new))]));
        let names = |paces: &[Pace]| {
            paces.iter().map(|pace| pace.test.clone().unwrap_or_else(|| "all".to_owned())).collect::<Vec<_>>()
        };
        (names(&found.slower), names(&found.quicker))
    }

    #[test]
    fn a_difference_within_the_noise_does_not_count() {
        let [long, short] = [Duration::from_secs(1), Duration::from_millis(100)];
        for (old, new, noise, counts) in [
            (long, 1250, TEST_NOISE, false),
            (long, 1251, TEST_NOISE, true),
            (long, 1100, SUM_NOISE, false),
            (long, 1101, SUM_NOISE, true),
            // 100 ms may become 150 ms: the factor alone is too strict for short times.
            (short, 150, TEST_NOISE, false),
            (short, 151, TEST_NOISE, true),
            (short, 150, SUM_NOISE, false),
            (short, 151, SUM_NOISE, true),
            (long, 900, TEST_NOISE, false),
        ] {
            assert_eq!(beyond(old, Duration::from_millis(new), noise), counts, "{old:?} → {new} ms, {noise:?}");
        }
    }

    #[test]
    fn slower_and_quicker_name_the_sum_and_the_worst_test() {
        let none: Vec<String> = Vec::new();
        let old = [("1", Some(400)), ("2", Some(400))];
        let new = [("1", Some(600)), ("2", Some(700))];
        assert_eq!(paces(&old, &new), (vec!["all".to_owned(), "2".to_owned()], none.clone()));
        assert_eq!(paces(&new, &old), (none.clone(), vec!["all".to_owned(), "2".to_owned()]));
        // One test by 20 %: noise for a test, not for the sum.
        assert_eq!(paces(&[("1", Some(1000))], &[("1", Some(1200))]), (vec!["all".to_owned()], none.clone()));
        // A gain and a loss cancel out in the sum only.
        let both = paces(&[("1", Some(500)), ("2", Some(800))], &[("1", Some(800)), ("2", Some(500))]);
        assert_eq!(both, (vec!["1".to_owned()], vec!["2".to_owned()]));
        // A test that was not measured in both runs is not compared.
        assert_eq!(paces(&[("1", None)], &[("1", Some(1200))]), (none.clone(), none.clone()));
        assert_eq!(paces(&[("2", Some(10))], &[("1", Some(1200))]), (none.clone(), none));
    }

    #[test]
    fn times_under_other_verdicts_are_not_compared() {
        let mut wrong = timed(&[("1", Some(5000))]);
        wrong.tests.get_mut("1").unwrap().verdict = Some(Verdict::WrongAnswer);
        let found = Differences::between(&side(vec![("a", timed(&[("1", Some(10))]))]), &side(vec![("a", wrong)]));
        assert_eq!((found.slower.len(), found.times_compared), (0, 0));
    }

    #[test]
    fn changes_are_worse_better_or_other() {
        let kind = |old: ComparedSubmission, new: ComparedSubmission| {
            let found = Differences::between(&side(vec![("a", old)]), &side(vec![("a", new)]));
            assert!(found.changed.len() <= 1 && found.compared == 1);
            found.changed.first().map(|change| change.kind)
        };
        let accepted = || result(Some("AC"), true, None);
        let missed = || result(Some("WA"), false, Some("secret/1"));
        assert_eq!(kind(accepted(), missed()), Some(Kind::Worse));
        assert_eq!(kind(missed(), accepted()), Some(Kind::Better));
        assert_eq!(kind(missed(), result(Some("TLE"), false, None)), Some(Kind::Other));
        assert_eq!(kind(accepted(), result(Some("AC"), false, None)), Some(Kind::Worse));
        assert_eq!(kind(missed(), missed()), None);
        // An unfinished submission has no result to compare.
        assert_eq!(kind(accepted(), result(None, false, None)), None);
    }

    #[test]
    fn a_change_names_the_test_that_fails_now_or_failed_before() {
        let test = |old: ComparedSubmission, new: ComparedSubmission| {
            change(&("sum".to_owned(), "a".to_owned()), &old, &new).unwrap().test
        };
        let failed = |at| result(Some("WA"), false, Some(at));
        assert_eq!(test(failed("1"), result(Some("AC"), true, None)).as_deref(), Some("1"));
        assert_eq!(test(failed("1"), result(Some("TLE"), false, Some("2"))).as_deref(), Some("2"));
    }

    #[test]
    fn worse_results_come_first_and_missing_submissions_are_named() {
        let fine = || result(Some("AC"), true, None);
        let bad = || result(Some("WA"), false, None);
        let before = side(vec![("a", bad()), ("b", fine()), ("old", fine())]);
        let after = side(vec![("a", fine()), ("b", bad()), ("new", fine())]);
        let found = Differences::between(&before, &after);
        let changed: Vec<(&str, Kind)> = found.changed.iter().map(|one| (&*one.submission, one.kind)).collect();
        assert_eq!(changed, [("b", Kind::Worse), ("a", Kind::Better)]);
        assert_eq!((found.worse(), found.compared), (1, 2));
        assert_eq!((found.added, found.removed), (vec!["sum/new".to_owned()], vec!["sum/old".to_owned()]));
    }

    #[test]
    fn times_of_other_machines_or_isolation_are_not_compared() {
        let before = side(vec![("a", timed(&[("1", Some(10))]))]);
        let mut after = side(vec![("a", timed(&[("1", Some(1000))]))]);
        after.machine = "another\n".to_owned();
        let found = Differences::between(&before, &after);
        assert!(found.slower.is_empty());
        let why = found.times_not_compared.unwrap();
        assert!(matches!(why, Incomparable::Processor { .. }));
        assert_eq!(serde_json::to_value(&why).unwrap(), why.to_string());
        after.isolation = "user".to_owned();
        let why = Differences::between(&before, &after).times_not_compared.unwrap();
        assert_eq!(why.to_string(), "the isolation was root and is user");
    }
}
