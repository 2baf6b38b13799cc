//! Turns updates, in the order in which they happen, into events in plan order.
//!
//! Tests finish in any order, but skipping and grading follow plan order. So a run with one slot and a run with
//! sixty-four slots record the same. A test after the deciding failure in plan order is recorded as skipped, whether or
//! not it ran.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::event::{
    BuildResult, Built, Event, Graded, Notice, RunRef, Standing, SubmissionFinished, TestFinished, TestRef, TestResult,
    TestSkipped, Update,
};
use crate::problem::{Expectation, Scoring, TestId};
use crate::ruleset::Ruleset;
use crate::score::mark::Mark;
use crate::score::points::Points;
use crate::score::results::Results;
use crate::score::{self, Unselected};

/// A planned submission, as the sequencer needs it.
#[derive(Debug, Clone)]
pub(crate) struct Track {
    /// The submission.
    pub run: RunRef,
    /// Its tests in plan order.
    pub tests: Arc<[TestId]>,
    /// The tests of its problem that are not in the plan.
    pub unselected: Arc<[Unselected]>,
    /// Its expectation.
    pub expectation: Expectation,
    /// The judge whose rules apply.
    pub ruleset: Ruleset,
    /// Whether to run every test, even after a failure.
    pub all_tests: bool,
    /// Whether the first failure also ends a submission that should be accepted.
    pub fail_fast: bool,
    /// The scoring of its problem, if it gives points.
    pub scoring: Option<Scoring>,
}

/// Turns updates into events.
pub(super) struct Sequencer {
    tracks: Vec<Progress>,
    /// The first submission that has not finished.
    current: usize,
    /// The notices so far, in order of happening.
    notices: Vec<Notice>,
}

struct Progress {
    track: Track,
    /// The results of the recorded tests.
    results: Results,
    built: Option<BuildResult>,
    /// Whether the end of the build was passed on.
    opened: bool,
    waiting: BTreeMap<usize, TestResult>,
    next: usize,
    judge_error: Option<String>,
    over: bool,
}

impl Progress {
    fn new(track: Track) -> Self {
        let Track { tests, unselected, expectation, ruleset, all_tests, fail_fast, scoring, .. } = &track;
        let results = Results::new(Arc::clone(tests), expectation, *ruleset, scoring.as_ref(), *all_tests, *fail_fast);
        let results = results.without(Arc::clone(unselected));
        let waiting = BTreeMap::new();
        Self { track, results, built: None, opened: false, waiting, next: 0, judge_error: None, over: false }
    }
}

impl Sequencer {
    /// Creates a sequencer with one track for each planned submission, in plan order.
    pub(super) fn new(tracks: Vec<Track>) -> Self {
        Self { tracks: tracks.into_iter().map(Progress::new).collect(), current: 0, notices: Vec::new() }
    }

    /// Takes an update and passes on every event whose turn has come.
    pub(super) fn push(&mut self, update: Update, out: &mut Vec<Event>) {
        match update {
            Update::Built(Built { run, result }) => self.tracks[run.run].built = Some(result),
            Update::TestFinished { test, result } => {
                self.tracks[test.run.run].waiting.insert(test.ordinal, result);
            }
            Update::Graded(Graded { run, group, grade }) => {
                self.tracks[run.run].results.graded(group, grade);
            }
            Update::TestStarted(_) => {}
            Update::Notice(notice) => self.notices.push(notice),
        }
        self.advance(out);
    }

    /// Passes on what is left at the end of the run.
    pub(super) fn end(&mut self, out: &mut Vec<Event>) {
        self.advance(out);
        self.abandon(out);
        self.tell_notices(out);
    }

    fn advance(&mut self, out: &mut Vec<Event>) {
        while let Some(progress) = self.tracks.get_mut(self.current) {
            progress.advance(out);
            if !progress.over {
                return;
            }
            self.current += 1;
        }
    }

    /// Passes on the notices. They come from all slots at any time, so they are recorded at the end: by problem in plan
    /// order, then by file and message.
    fn tell_notices(&mut self, out: &mut Vec<Event>) {
        let place = |notice: &Notice| {
            let problem = notice.problem.as_ref();
            self.tracks.iter().position(|progress| Some(&progress.track.run.problem) == problem)
        };
        let mut notices = std::mem::take(&mut self.notices);
        notices.sort_by_cached_key(|notice| (place(notice), notice.path.clone(), notice.message.clone()));
        out.extend(notices.into_iter().map(Event::Notice));
    }

    /// Ends a run early: records the known results of the rest in order and marks them as interrupted.
    fn abandon(&mut self, out: &mut Vec<Event>) {
        for progress in &mut self.tracks[self.current..] {
            progress.abandon(out);
        }
        self.current = self.tracks.len();
    }
}

impl Progress {
    fn advance(&mut self, out: &mut Vec<Event>) {
        if self.over || !self.open(out) {
            return;
        }
        while self.next < self.track.tests.len() {
            if let Some(failed) = self.results.needless(self.next) {
                self.skip(self.next, failed, out);
                self.next += 1;
                continue;
            }
            if self.results.is_waiting(self.next) {
                return;
            }
            let Some(result) = self.waiting.remove(&self.next) else { return };
            if matches!(result, TestResult::Cancelled) {
                return;
            }
            self.record(result, out);
        }
        if !self.results.is_graded() {
            return;
        }
        let (standing, points) = self.outcome();
        self.finish(standing, points, out);
    }

    /// Returns the standing and the points, once every test is recorded or skipped.
    fn outcome(&mut self) -> (Standing, Points) {
        if let Some(message) = self.judge_error.take() {
            return (Standing::JudgeError { message }, Points::default());
        }
        self.results.outcome().unwrap_or_else(|error| {
            let message = error.to_string();
            (Standing::JudgeError { message }, Points::default())
        })
    }

    /// Passes on the end of the build. Returns whether tests may follow.
    fn open(&mut self, out: &mut Vec<Event>) -> bool {
        let Some(result) = self.built.clone() else { return false };
        if !std::mem::replace(&mut self.opened, true) {
            out.push(Event::Built(Built { run: self.track.run.clone(), result: result.clone() }));
        }
        let standing = match result {
            BuildResult::Ready { .. } => return true,
            BuildResult::CompileError { .. } => score::compile_error(&self.track.expectation),
            BuildResult::NotJudged { reason } => Standing::NotJudged { reason },
            BuildResult::Failed { message } => Standing::JudgeError { message },
        };
        let nothing = matches!(self.built, Some(BuildResult::CompileError { .. }));
        let points = if nothing { self.results.nothing() } else { Points::default() };
        self.finish(standing, points, out);
        false
    }

    fn record(&mut self, result: TestResult, out: &mut Vec<Event>) {
        let test = self.test_ref(self.next);
        let message = match &result {
            TestResult::Judged(judgement) => judgement.feedback.as_deref(),
            TestResult::JudgeError { message, .. } => {
                self.judge_error.get_or_insert_with(|| message.clone());
                None
            }
            TestResult::NotJudged { .. } | TestResult::Cancelled => None,
        };
        let mark = Mark::of(&result);
        self.results.add(self.next, mark, message);
        let unexpected = mark.verdict().is_some_and(|verdict| self.results.is_unexpected(self.next, verdict));
        self.next += 1;
        out.push(Event::TestFinished(TestFinished { test, result, unexpected }));
    }

    fn skip(&self, ordinal: usize, failed: usize, out: &mut Vec<Event>) {
        let after = self.track.tests[failed].clone();
        out.push(Event::TestSkipped(TestSkipped { test: self.test_ref(ordinal), after }));
    }

    fn finish(&mut self, standing: Standing, points: Points, out: &mut Vec<Event>) {
        let verdict = match &self.built {
            Some(BuildResult::CompileError { .. }) => Some(crate::verdict::Verdict::CompileError),
            _ => points.verdict.or(self.results.verdict()),
        };
        let run = self.track.run.clone();
        let so_far = standing == Standing::Met && self.results.is_provisional(&points);
        let Points { score, groups, .. } = points;
        let finished = SubmissionFinished { run, verdict, standing, so_far, score, groups };
        out.push(Event::SubmissionFinished(finished));
        self.waiting.clear();
        self.over = true;
    }

    fn abandon(&mut self, out: &mut Vec<Event>) {
        // First record a complete submission that was only waiting for its turn.
        self.advance(out);
        if self.over {
            return;
        }
        for (ordinal, result) in std::mem::take(&mut self.waiting) {
            if !matches!(result, TestResult::Cancelled) && self.results.forfeited(ordinal).is_none() {
                self.next = ordinal;
                self.record(result, out);
            }
        }
        self.finish(Standing::Interrupted, Points::default(), out);
    }

    fn test_ref(&self, ordinal: usize) -> TestRef {
        TestRef { run: self.track.run.clone(), ordinal, test: self.track.tests[ordinal].clone() }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::event::{Judgement, Measured};
    use crate::problem::{Aggregation, ScoreGroup, ScoreTree};
    use crate::verdict::Verdict;

    fn run(index: usize) -> RunRef {
        RunRef { run: index, problem: "p".into(), submission: format!("s{index}").into() }
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
            measured: Measured::default(),
        };
        let test = TestRef { run: run(index), ordinal, test: format!("{ordinal}").into() };
        Update::TestFinished { test, result: TestResult::Judged(Box::new(judgement)) }
    }

    fn built(index: usize) -> Update {
        let result = BuildResult::Ready {
            language: "c".into(),
            version: String::new(),
            time_limit: std::time::Duration::ZERO,
            measured: <_>::default(),
        };
        Update::Built(Built { run: run(index), result })
    }

    fn tracks(expectations: &[Expectation], tests: usize) -> Vec<Track> {
        let names: std::sync::Arc<[TestId]> = (0..tests).map(|i| TestId::from(format!("{i}"))).collect();
        let track = |(i, expectation): (usize, &Expectation)| Track {
            run: run(i),
            tests: names.clone(),
            unselected: std::sync::Arc::new([]),
            expectation: expectation.clone(),
            ruleset: Ruleset::Icpc,
            all_tests: false,
            fail_fast: false,
            scoring: None,
        };
        expectations.iter().enumerate().map(track).collect()
    }

    fn sequence(tracks: &[Track], updates: Vec<Update>) -> Vec<String> {
        lines(&sequenced(tracks, updates).1)
    }

    /// The record of a run that ends after these updates.
    fn interrupted(tracks: &[Track], updates: Vec<Update>) -> Vec<String> {
        let (mut sequencer, mut out) = sequenced(tracks, updates);
        sequencer.end(&mut out);
        lines(&out)
    }

    fn sequenced(tracks: &[Track], updates: Vec<Update>) -> (Sequencer, Vec<Event>) {
        let mut sequencer = Sequencer::new(tracks.to_vec());
        let mut out = Vec::new();
        for update in updates {
            sequencer.push(update, &mut out);
        }
        (sequencer, out)
    }

    fn lines(events: &[Event]) -> Vec<String> {
        events.iter().map(|event| serde_json::to_string(event).unwrap()).collect()
    }

    proptest! {
        #[test]
        fn the_record_does_not_depend_on_the_order_of_happening(
            verdicts in proptest::collection::vec(0usize..3, 12),
            order in Just((0..14usize).collect::<Vec<_>>()).prop_shuffle(),
        ) {
            let wrong = Expectation::simple("wrong_answer/", &[Verdict::Accepted, Verdict::WrongAnswer], &[Verdict::WrongAnswer]);
            let tracks = tracks(&[Expectation::accepted("accepted/"), wrong], 6);
            let kinds = [Verdict::Accepted, Verdict::WrongAnswer, Verdict::TimeLimit];
            let mut events: Vec<Update> = (0..12).map(|i| finished(i / 6, i % 6, kinds[verdicts[i]])).collect();
            events.extend([built(0), built(1)]);
            let shuffled = order.iter().map(|i| events[*i].clone()).collect();
            prop_assert_eq!(sequence(&tracks, events.clone()), sequence(&tracks, shuffled));
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
            let mut tracks = tracks(&[Expectation::accepted("accepted/"), wrong], 6);
            let names: Arc<[TestId]> = (0..6).map(|i| TestId::from(format!("secret/{}/{}", ["a", "b", "c"][i / 2], i % 2))).collect();
            let scoring = Scoring::Points(Arc::new(three_groups()));
            for track in &mut tracks {
                track.tests = names.clone();
                track.scoring = Some(scoring.clone());
            }
            let kinds = [Verdict::Accepted, Verdict::WrongAnswer, Verdict::TimeLimit];
            let mut events: Vec<Update> = (0..12).map(|i| finished(i / 6, i % 6, kinds[verdicts[i]])).collect();
            events.extend([built(0), built(1)]);
            let expect = sequence(&tracks, events.clone());
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
            prop_assert_eq!(expect, sequence(&tracks, shuffled));
        }
    }

    #[test]
    fn a_late_early_failure_skips_what_ran_after_it() {
        let wrong =
            Expectation::simple("wrong_answer/", &[Verdict::Accepted, Verdict::WrongAnswer], &[Verdict::WrongAnswer]);
        let tracks = tracks(&[wrong], 3);
        let live = vec![built(0), finished(0, 1, Verdict::WrongAnswer), finished(0, 0, Verdict::WrongAnswer)];
        let recorded = sequence(&tracks, live);
        assert_eq!(recorded.len(), 5, "{recorded:#?}");
        assert!(recorded[2].contains("test_skipped") && recorded[3].contains("test_skipped"), "{recorded:#?}");
        assert!(recorded[4].contains("met"), "{recorded:#?}");
    }

    #[test]
    fn what_is_complete_when_a_run_is_interrupted_counts() {
        let tracks = tracks(&[Expectation::accepted("accepted/"), Expectation::accepted("accepted/")], 1);
        let recorded = interrupted(&tracks, vec![built(0), built(1), finished(1, 0, Verdict::Accepted)]);
        assert!(recorded.iter().any(|event| event.contains("interrupted") && event.contains("s0")), "{recorded:#?}");
        assert!(recorded.iter().any(|event| event.contains("met") && event.contains("s1")), "{recorded:#?}");
    }

    #[test]
    fn an_interrupted_run_keeps_what_is_known() {
        let tracks = tracks(&[Expectation::accepted("accepted/")], 3);
        let recorded = interrupted(&tracks, vec![built(0), finished(0, 2, Verdict::Accepted)]);
        assert!(recorded[1].contains("test_finished"), "{recorded:#?}");
        assert!(recorded[2].contains("interrupted"), "{recorded:#?}");
    }
}
