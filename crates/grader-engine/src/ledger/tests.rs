//! The events of a ledger do not depend on the order in which results come.

use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::event::{BuildResult, Judgement, Measurements, SubmissionRef, TestIndex, TestRef, TestResult};
use crate::problem::{Aggregation, Expectation, ScoreGroup, ScoreTree, Scoring, TestId};
use crate::ruleset::Ruleset;
use crate::verdict::Verdict;

/// The plan of one submission in a test.
struct PlannedTests {
    tests: Arc<[TestId]>,
    expectation: Expectation,
    scoring: Option<Scoring>,
}

fn submission(index: usize) -> SubmissionRef {
    SubmissionRef { index: SubmissionIndex(index), problem: "p".into(), submission: format!("s{index}").into() }
}

fn finished(index: usize, ordinal: usize, verdict: Verdict) -> Update {
    let judgement = Judgement {
        verdict,
        reason: crate::reason::Reason::Nothing,
        remarks: Vec::new(),
        difference: None,
        checker: None,
        feedback: None,
        team_message: None,
        score: None,
        others: Vec::new(),
        files: None,
        measured: Measurements::default(),
    };
    let test = TestRef { of: submission(index), ordinal: TestIndex(ordinal), test: format!("{ordinal}").into() };
    Update::TestFinished { test, result: TestResult::Judged(Arc::new(judgement)) }
}

fn built(index: usize) -> Update {
    let result = BuildResult::Ready {
        language: "c".into(),
        version: String::new(),
        time_limit: std::time::Duration::ZERO,
        measured: <_>::default(),
    };
    Update::Built(BuildFinished { of: submission(index), result })
}

fn planned(expectations: &[Expectation], tests: usize) -> Vec<PlannedTests> {
    let tests: Arc<[TestId]> = (0..tests).map(|i| TestId::from(format!("{i}"))).collect();
    let one = |expectation: &Expectation| PlannedTests {
        tests: tests.clone(),
        expectation: expectation.clone(),
        scoring: None,
    };
    expectations.iter().map(one).collect()
}

/// The ledger after these updates, and the events so far.
fn filled(planned: &[PlannedTests], updates: Vec<Update>) -> (Ledger, Vec<Event>) {
    let entry = |(at, planned): (usize, &PlannedTests)| {
        let PlannedTests { tests, expectation, scoring } = planned;
        let results = Results::new(tests.clone(), expectation, Ruleset::Icpc, scoring.as_ref(), false, false);
        LedgerEntry::new(submission(at), tests.clone(), expectation.clone(), results)
    };
    let mut ledger = Ledger { entries: planned.iter().enumerate().map(entry).collect() };
    let events = updates.into_iter().flat_map(|update| ledger.take(update)).collect();
    (ledger, events)
}

/// The events after these updates, by submission.
fn recorded(planned: &[PlannedTests], updates: Vec<Update>) -> Vec<String> {
    lines(filled(planned, updates).1)
}

/// The same if the run ends then.
fn interrupted(planned: &[PlannedTests], updates: Vec<Update>) -> Vec<String> {
    let (mut ledger, events) = filled(planned, updates);
    let rest = ledger.close();
    lines([events, rest].concat())
}

fn lines(mut events: Vec<Event>) -> Vec<String> {
    events.sort_by_key(|event| event.of().map(|of| of.index));
    events.iter().map(|event| serde_json::to_string(event).unwrap()).collect()
}

proptest! {
    #[test]
    fn the_record_does_not_depend_on_the_order_of_happening(
        verdicts in proptest::collection::vec(0usize..3, 12),
        order in Just((0..14usize).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let wrong = Expectation::simple("wrong_answer/", &[Verdict::Accepted, Verdict::WrongAnswer], &[Verdict::WrongAnswer]);
        let planned = planned(&[Expectation::accepted("accepted/"), wrong], 6);
        let kinds = [Verdict::Accepted, Verdict::WrongAnswer, Verdict::TimeLimit];
        let mut events: Vec<Update> = (0..12).map(|i| finished(i / 6, i % 6, kinds[verdicts[i]])).collect();
        events.extend([built(0), built(1)]);
        let shuffled = order.iter().map(|i| events[*i].clone()).collect();
        prop_assert_eq!(recorded(&planned, events.clone()), recorded(&planned, shuffled));
    }
}

/// Two cases each: `secret/a` is pass or fail, `secret/b` gives the points of its worst case, and `secret/c`
/// requires a pass in `a`.
fn three_groups() -> ScoreTree {
    let group = |name: &str, parent, aggregation, require_pass: &[usize], tests| ScoreGroup {
        name: name.into(),
        parent,
        max_score: Some(if parent.is_some() { 10.0 } else { 30.0 }),
        aggregation,
        require_pass: require_pass.to_vec(),
        tests,
        static_score: None,
    };
    let groups = vec![
        group("secret", None, Aggregation::Sum, &[], 0),
        group("secret/a", Some(0), Aggregation::PassFail, &[], 2),
        group("secret/b", Some(0), Aggregation::Min, &[], 2),
        group("secret/c", Some(0), Aggregation::Sum, &[1], 2),
    ];
    ScoreTree { groups, total: 0 }
}

proptest! {
    #[test]
    fn points_do_not_depend_on_the_order_of_happening(
        verdicts in proptest::collection::vec(0usize..3, 12),
        cancelled in proptest::collection::vec(any::<bool>(), 12),
        order in Just((0..14usize).collect::<Vec<_>>()).prop_shuffle(),
    ) {
        let wrong = Expectation::simple("wrong_answer/", &[Verdict::Accepted, Verdict::WrongAnswer], &[Verdict::WrongAnswer]);
        let mut planned = planned(&[Expectation::accepted("accepted/"), wrong], 6);
        let names: Arc<[TestId]> = (0..6).map(|i| TestId::from(format!("secret/{}/{}", ["a", "b", "c"][i / 2], i % 2))).collect();
        let scoring = Scoring::Points(Arc::new(three_groups()));
        for one in &mut planned {
            one.tests = names.clone();
            one.scoring = Some(scoring.clone());
        }
        let kinds = [Verdict::Accepted, Verdict::WrongAnswer, Verdict::TimeLimit];
        let mut events: Vec<Update> = (0..12).map(|i| finished(i / 6, i % 6, kinds[verdicts[i]])).collect();
        events.extend([built(0), built(1)]);
        let expect = recorded(&planned, events.clone());
        prop_assert_eq!(expect.len(), 2 * 8);
        // A test that is not needed may lack a result.
        for (i, event) in events.iter_mut().enumerate().take(12).filter(|(i, _)| cancelled[*i]) {
            let skipped = |line: &String| line.contains("test_skipped")
                && line.contains(&format!("\"run\":{}", i / 6))
                && line.contains(&format!("\"ordinal\":{}", i % 6));
            if let (true, Update::TestFinished { result, .. }) = (expect.iter().any(skipped), event) {
                *result = TestResult::Cancelled;
            }
        }
        let shuffled = order.iter().map(|i| events[*i].clone()).collect();
        prop_assert_eq!(expect, recorded(&planned, shuffled));
    }
}

#[test]
fn a_late_early_failure_skips_what_ran_after_it() {
    let wrong =
        Expectation::simple("wrong_answer/", &[Verdict::Accepted, Verdict::WrongAnswer], &[Verdict::WrongAnswer]);
    let planned = planned(&[wrong], 3);
    let live = vec![built(0), finished(0, 1, Verdict::WrongAnswer), finished(0, 0, Verdict::WrongAnswer)];
    let lines = recorded(&planned, live);
    assert_eq!(lines.len(), 5, "{lines:#?}");
    assert!(lines[2].contains("test_skipped") && lines[3].contains("test_skipped"), "{lines:#?}");
    assert!(lines[4].contains("met"), "{lines:#?}");
}

#[test]
fn what_is_complete_when_a_run_is_interrupted_counts() {
    let planned = planned(&[Expectation::accepted("accepted/"), Expectation::accepted("accepted/")], 1);
    let lines = interrupted(&planned, vec![built(0), built(1), finished(1, 0, Verdict::Accepted)]);
    assert!(lines.iter().any(|event| event.contains("interrupted") && event.contains("s0")), "{lines:#?}");
    assert!(lines.iter().any(|event| event.contains("met") && event.contains("s1")), "{lines:#?}");
}

#[test]
fn an_interrupted_run_keeps_what_is_known() {
    let planned = planned(&[Expectation::accepted("accepted/")], 3);
    let lines = interrupted(&planned, vec![built(0), finished(0, 2, Verdict::Accepted)]);
    assert!(lines[1].contains("test_finished"), "{lines:#?}");
    assert!(lines[2].contains("interrupted"), "{lines:#?}");
}
