//! Verdicts of cases → verdict of the submission → expectation met or missed. `points` computes its points. Pure.
//!
//! Its files:
//!
//! - `results`: decides which tests are needed, and adds up their results. The scheduler adds results as they happen, the record in
//!   plan order
//! - `board`: `points` by the rules of 2025-09, `grading` by the graders of the legacy format
//! - `kills`: which case kills which submission, and which cases are enough
//! - `time_limit`: margins of the time limit

pub(crate) mod board;
pub mod grading;
pub mod kills;
pub mod mark;
pub mod points;
pub mod results;
pub mod time_limit;

use crate::event::{Standing, TestIndex, UnexpectedReason};
use crate::glob::Glob;
use crate::problem::{Expectation, Rule, ScoreRange, TestId};
use crate::ruleset::Ruleset;
use crate::verdict::{Verdict, VerdictSet};
use points::Points;

/// A test of the problem that is not in the plan, so its verdict is unknown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnselectedTest {
    /// The test.
    pub test: TestId,
    /// The position of the next planned test.
    pub at: TestIndex,
}

/// The tests of a problem that a plan leaves out. `planned` is in the order of `all`.
pub fn unselected(all: impl IntoIterator<Item = TestId>, planned: &[TestId]) -> Vec<UnselectedTest> {
    let mut at = 0;
    let mut is_unselected = |test: TestId| {
        let is_planned = planned.get(at) == Some(&test);
        at += usize::from(is_planned);
        (!is_planned).then_some(UnselectedTest { test, at: TestIndex(at) })
    };
    all.into_iter().filter_map(&mut is_unselected).collect()
}

/// The verdicts of one submission against its expectation. Verdicts may be added in any order: the tally keeps the
/// first test in plan order that shows each fact.
#[derive(Debug, Clone)]
pub(crate) struct Tally {
    rules: Vec<RuleTally>,
    /// Permitted verdicts of the submission itself, if graders decide that verdict.
    overall: Option<VerdictSet>,
    expected: String,
    /// The first verdict that is not AC, and its test.
    failed: Option<(TestIndex, Verdict)>,
    /// The first verdict that some rule does not permit, and its test.
    forbidden: Option<(TestIndex, Verdict)>,
    judged: usize,
    /// Whether no test counts after the one that decides.
    first_failure_decides: bool,
    /// The judge whose names of verdicts are compared.
    ruleset: Ruleset,
}

#[derive(Debug, Clone)]
struct RuleTally {
    rule: Rule,
    cases: Option<Cases>,
    /// The first test with a required verdict; the first of all if no verdict is required.
    satisfied: Option<TestIndex>,
    /// The first test with the expected message; the first of all if no message is expected.
    heard: Option<TestIndex>,
    /// Whether a covered case was not accepted.
    failed: bool,
}

impl RuleTally {
    fn new(rule: &Rule) -> Self {
        let cases = rule.cases.as_deref().map(Cases::new);
        let mut tally = Self { rule: rule.clone(), cases, satisfied: None, heard: None, failed: false };
        tally.clear();
        tally
    }

    fn clear(&mut self) {
        self.satisfied = self.rule.required.is_empty().then_some(TestIndex(0));
        self.heard = self.rule.message.is_none().then_some(TestIndex(0));
        self.failed = false;
    }

    fn covers(&self, test: &TestId) -> bool {
        self.cases.as_ref().is_none_or(|cases| cases.matches(test.as_str()))
    }

    /// Whether the rule also covers tests that are not in the plan. Then the plan cannot show that it is not met.
    fn is_open(&self, unselected: &[UnselectedTest]) -> bool {
        unselected.iter().any(|out| self.covers(&out.test))
    }
}

impl Tally {
    /// Creates a tally without verdicts.
    pub(crate) fn new(expectation: &Expectation, ruleset: Ruleset) -> Self {
        Self {
            rules: expectation.rules.iter().map(RuleTally::new).collect(),
            overall: expectation.overall,
            expected: expectation.summary(),
            failed: None,
            forbidden: None,
            judged: 0,
            first_failure_decides: expectation.first_failure_decides,
            ruleset,
        }
    }

    /// Adds the verdict of the test at position `at` of the plan.
    pub(crate) fn add(&mut self, at: TestIndex, test: &TestId, verdict: Verdict) {
        self.judged += 1;
        if verdict != Verdict::Accepted {
            let failed = self.failed.get_or_insert((at, verdict));
            *failed = earlier(*failed, (at, verdict));
        }
        for tally in &mut self.rules {
            if !tally.covers(test) {
                continue;
            }
            if !permits(self.ruleset, tally.rule.permitted, verdict) {
                let forbidden = self.forbidden.get_or_insert((at, verdict));
                *forbidden = earlier(*forbidden, (at, verdict));
            }
            if permits(self.ruleset, tally.rule.required, verdict) {
                tally.satisfied = Some(tally.satisfied.map_or(at, |first| first.min(at)));
            }
            tally.failed |= verdict != Verdict::Accepted;
        }
    }

    /// Adds the message to the judges that the output validator wrote about a test.
    pub(crate) fn hear(&mut self, at: TestIndex, test: &TestId, message: &str) {
        for tally in self.rules.iter_mut().filter(|tally| tally.covers(test)) {
            let wanted = tally.rule.message.as_deref().unwrap_or_default();
            if message.contains(wanted) {
                tally.heard = Some(tally.heard.map_or(at, |first| first.min(at)));
            }
        }
    }

    /// Whether a rule expects a message of the output validator.
    pub(crate) fn expects_messages(&self) -> bool {
        self.rules.iter().any(|tally| tally.rule.message.is_some())
    }

    /// Forgets every verdict and message.
    pub(crate) fn clear(&mut self) {
        self.failed = None;
        self.forbidden = None;
        self.judged = 0;
        for tally in &mut self.rules {
            tally.clear();
        }
    }

    /// The first test after which no later test can change the standing of a submission that is expected to fail. By
    /// then it has failed, and either a rule is broken or all are satisfied. Results added later can only move this
    /// test forward.
    pub(crate) fn decided_at(&self) -> Option<TestIndex> {
        let (failed, _) = self.failed?;
        let forbidden = self.forbidden.map(|(at, _)| at);
        let kept =
            self.rules.iter().try_fold(TestIndex(0), |last, tally| Some(last.max(tally.satisfied?).max(tally.heard?)));
        let why = forbidden.into_iter().chain(kept).min()?;
        Some(failed.max(why))
    }

    /// The last test that counts; none if every test does.
    fn last_counting(&self) -> Option<TestIndex> {
        if self.first_failure_decides { self.decided_at() } else { None }
    }

    /// The first verdict that a rule forbids among the tests that count.
    fn broken_by(&self, unselected: &[UnselectedTest]) -> Option<Verdict> {
        self.forbidden.filter(|(at, _)| self.counts(*at, unselected)).map(|(_, verdict)| verdict)
    }

    /// Whether the result of this test counts for the standing, as far as is known.
    fn counts(&self, at: TestIndex, unselected: &[UnselectedTest]) -> bool {
        self.last_counting().is_none_or(|last| at <= last) && !self.may_be_decided_before(at, unselected)
    }

    /// Whether a permitted failure of a test that is not selected may come before this one, and decide.
    fn may_be_decided_before(&self, at: TestIndex, unselected: &[UnselectedTest]) -> bool {
        let mut failures = Verdict::ALL.into_iter().filter(|verdict| *verdict != Verdict::Accepted);
        self.first_failure_decides
            && unselected
                .first()
                .is_some_and(|out| out.at <= at && failures.any(|verdict| !self.forbids(&out.test, verdict)))
    }

    /// Whether this verdict of the test at position `at`, which has been added, breaks a rule.
    pub(crate) fn breaks(&self, at: TestIndex, test: &TestId, verdict: Verdict, unselected: &[UnselectedTest]) -> bool {
        self.counts(at, unselected) && self.forbids(test, verdict)
    }

    /// Whether a test that was left out could still break a rule.
    pub(crate) fn may_break(&self, test: &TestId) -> bool {
        let mut of_runs = Verdict::ALL.into_iter().filter(|verdict| *verdict != Verdict::CompileError);
        !self.first_failure_decides && of_runs.any(|verdict| self.forbids(test, verdict))
    }

    /// Whether a rule about this test does not permit this verdict.
    fn forbids(&self, test: &TestId, verdict: Verdict) -> bool {
        let mut rules = self.rules.iter().filter(|tally| tally.covers(test));
        rules.any(|tally| !permits(self.ruleset, tally.rule.permitted, verdict))
    }

    /// Whether the first failure decides the standing, whatever its verdict: it breaks a rule or satisfies all rules.
    pub(crate) fn any_failure_decides(&self) -> bool {
        let decides = |verdict: Verdict| {
            let permits = |set| permits(self.ruleset, set, verdict);
            let forbidden = self.rules.iter().any(|tally| !permits(tally.rule.permitted));
            forbidden || self.rules.iter().all(|tally| tally.satisfied.is_some() || permits(tally.rule.required))
        };
        let whole = self.rules.iter().all(|tally| tally.cases.is_none() && tally.heard.is_some());
        whole && Verdict::ALL.into_iter().filter(|verdict| *verdict != Verdict::Accepted).all(decides)
    }

    /// The standing in a scoring problem. If the verdicts meet the expectation, the points must meet it too.
    pub(crate) fn standing_with(&self, points: &Points, unselected: &[UnselectedTest]) -> Standing {
        let less = |tally: &RuleTally| {
            tally.rule.score == Some(ScoreRange::Less)
                && points.miss(tally.rule.cases.as_deref(), ScoreRange::Less).is_none()
        };
        if !self.rules.iter().any(less) {
            return self.standing_of(points, unselected);
        }
        let mut met = self.clone();
        for tally in met.rules.iter_mut().filter(|tally| less(tally)) {
            tally.satisfied.get_or_insert(TestIndex(0));
        }
        met.standing_of(points, unselected)
    }

    fn standing_of(&self, points: &Points, unselected: &[UnselectedTest]) -> Standing {
        if let (Some(set), Some(verdict)) = (self.overall, points.verdict)
            && unselected.is_empty()
            && !permits(self.ruleset, set, verdict)
            && self.broken_by(unselected).is_none()
        {
            let why = if set.contains(Verdict::Accepted) {
                self.got(verdict)
            } else {
                UnexpectedReason::Other(format!("expected {}, got AC from the graders", self.expected))
            };
            return Standing::Missed { why };
        }
        let missed = || {
            let rules = self.rules.iter().filter(|tally| !tally.is_open(unselected));
            let scores = rules.filter_map(|tally| Some((tally.rule.cases.as_deref(), tally.rule.score?, tally.failed)));
            // In the legacy format, an output validator may give any points to an accepted output.
            let mut scores = scores
                .filter(|(.., range, failed)| match range {
                    ScoreRange::Full => *failed || points.verdict.is_none(),
                    ScoreRange::Less => false,
                    ScoreRange::Partial | ScoreRange::Between(..) => true,
                })
                .map(|(group, range, _)| (group, range));
            scores.find_map(|(group, range)| points.miss(group, range))
        };
        match self.standing(unselected) {
            Standing::Met => {
                missed().map_or(Standing::Met, |why| Standing::Missed { why: UnexpectedReason::Other(why) })
            }
            other => other,
        }
    }

    /// The verdict so far: that of the first failing test; none before any test was judged.
    pub(crate) fn verdict(&self) -> Option<Verdict> {
        let failed = self.failed.map(|(_, verdict)| verdict);
        failed.or_else(|| (self.judged > 0).then_some(Verdict::Accepted))
    }

    /// The standing once every needed test has been added. A result that an `unselected` test could still bring counts as
    /// expected.
    pub(crate) fn standing(&self, unselected: &[UnselectedTest]) -> Standing {
        let Some(verdict) = self.verdict() else {
            return Standing::NotJudged { reason: "no test was judged".to_owned() };
        };
        if let Some(forbidden) = self.broken_by(unselected) {
            return Standing::Missed { why: self.got(forbidden) };
        }
        let mut rules = self.rules.iter().filter(|tally| !tally.is_open(unselected));
        if rules.clone().any(|tally| tally.satisfied.is_none()) {
            return Standing::Missed { why: self.got(verdict) };
        }
        let untold = rules.find(|tally| tally.heard.is_none()).and_then(|tally| tally.rule.message.as_deref());
        untold.map_or(Standing::Met, |message| Standing::Missed {
            why: UnexpectedReason::Other(format!("no message of the output validator contains {message:?}")),
        })
    }

    fn got(&self, got: Verdict) -> UnexpectedReason {
        UnexpectedReason::Verdict { expected: self.expected.clone(), got }
    }
}

/// Returns the verdict of the earlier test.
fn earlier(a: (TestIndex, Verdict), b: (TestIndex, Verdict)) -> (TestIndex, Verdict) {
    if b.0 < a.0 { b } else { a }
}

/// Whether the set contains `verdict`, or the ruleset's name for it: MLE and OLE count as RTE for judges with four
/// verdicts.
fn permits(ruleset: Ruleset, set: VerdictSet, verdict: Verdict) -> bool {
    set.contains(verdict) || set.contains(ruleset.calls(verdict))
}

/// The standing of a submission that does not compile.
pub fn compile_error(expectation: &Expectation) -> Standing {
    let fine = expectation.rules.iter().all(|rule| {
        rule.permitted.contains(Verdict::CompileError)
            && (rule.required.is_empty() || rule.required.contains(Verdict::CompileError))
    });
    let fine = fine && expectation.overall.is_none_or(|set| set.contains(Verdict::CompileError));
    let why = || UnexpectedReason::Verdict { expected: expectation.summary(), got: Verdict::CompileError };
    if fine { Standing::Met } else { Standing::Missed { why: why() } }
}

/// The cases that a rule covers: one case, a group with everything below it, or a glob over either. The reader of
/// `submissions.yaml` has reported bad globs.
#[derive(Debug, Clone)]
enum Cases {
    Glob(Glob),
    Name(String),
}

impl Cases {
    fn new(text: &str) -> Self {
        // A text that is not a valid glob names one case.
        Glob::package(text).map_or_else(|_| Self::Name(text.to_owned()), Self::Glob)
    }

    fn matches(&self, test: &str) -> bool {
        match self {
            Self::Glob(glob) => glob.matches(test),
            Self::Name(name) => name == test,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{
        Accepted as AC, CompileError as CE, MemoryLimit as MLE, RunTimeError as RTE, TimeLimit as TLE,
        WrongAnswer as WA,
    };

    fn run(expectation: &Expectation, verdicts: &[Verdict]) -> (usize, Standing) {
        let mut tally = Tally::new(expectation, Ruleset::Icpc);
        for (i, verdict) in verdicts.iter().enumerate() {
            tally.add(TestIndex(i), &TestId::from(format!("secret/{i}")), *verdict);
            if !expectation.wants_all_accepted() && tally.decided_at().is_some() {
                assert_eq!(tally.decided_at(), Some(TestIndex(i)));
                return (i + 1, tally.standing(&[]));
            }
        }
        (verdicts.len(), tally.standing(&[]))
    }

    fn missed(expected: &str, got: Verdict) -> Standing {
        Standing::Missed { why: UnexpectedReason::Verdict { expected: expected.to_owned(), got } }
    }

    #[test]
    fn directories_mean_what_the_package_format_says() {
        let accepted = Expectation::accepted("accepted/");
        let wrong = Expectation::simple("wrong_answer/", &[AC, WA], &[WA]);
        let crash = Expectation::simple("run_time_error/", &[AC, RTE], &[RTE]);
        let brute = Expectation::simple("brute_force/", &[AC, RTE, TLE], &[RTE, TLE]);
        for (expectation, verdicts, used, standing) in [
            (&accepted, &[AC, AC][..], 2, Standing::Met),
            (&accepted, &[AC, WA, AC], 3, missed("AC", WA)),
            (&wrong, &[AC, WA, TLE], 2, Standing::Met),
            (&wrong, &[AC, TLE, WA], 2, missed("WA", TLE)),
            (&wrong, &[AC, AC], 2, missed("WA", AC)),
            (&crash, &[AC, MLE], 2, Standing::Met),
            (&brute, &[AC, TLE, WA], 2, Standing::Met),
            (&brute, &[WA], 1, missed("TLE or RTE", WA)),
        ] {
            assert_eq!(run(expectation, verdicts), (used, standing), "{expectation:?} {verdicts:?}");
        }
    }

    #[test]
    fn a_rule_for_a_group_looks_at_that_group_alone() {
        let all = VerdictSet::of(&Verdict::ALL);
        let rule = |cases: &str| Rule::of_verdicts(Some(cases.into()), all, VerdictSet::of(&[WA]));
        let expectation =
            Expectation { rules: vec![rule("secret/b"), rule("secret/c*")], ..Expectation::open("submissions.yaml") };
        let mut tally = Tally::new(&expectation, Ruleset::Icpc);
        tally.add(TestIndex(0), &"secret/a/1".into(), WA);
        assert_eq!(tally.decided_at(), None);
        tally.add(TestIndex(3), &"secret/b/1".into(), WA);
        assert_eq!(tally.decided_at(), None);
        tally.add(TestIndex(7), &"secret/c2/1".into(), WA);
        assert_eq!(tally.decided_at(), Some(TestIndex(7)));
        tally.add(TestIndex(2), &"secret/c1/1".into(), WA);
        assert_eq!(tally.decided_at(), Some(TestIndex(3)), "the order of adding does not matter");
        assert_eq!(tally.standing(&[]), Standing::Met);
    }

    #[test]
    fn compile_errors_are_expected_only_where_they_are() {
        assert_eq!(compile_error(&Expectation::simple("compile_error/", &[CE], &[CE])), Standing::Met);
        assert_eq!(compile_error(&Expectation::accepted("accepted/")), missed("AC", CE));
    }

    #[test]
    fn what_a_judge_does_not_know_is_a_run_time_error_there() {
        let crash = Expectation::simple("run_time_error/", &[AC, RTE], &[RTE]);
        let check = |ruleset, verdict, met: bool| {
            let mut tally = Tally::new(&crash, ruleset);
            tally.add(TestIndex(0), &"1".into(), verdict);
            assert_eq!(tally.standing(&[]) == Standing::Met, met, "{ruleset} {verdict}");
        };
        for ruleset in Ruleset::ALL {
            check(ruleset, MLE, ruleset != Ruleset::Codeforces);
            check(ruleset, Verdict::OutputLimit, ruleset != Ruleset::Domjudge);
        }
    }
}
