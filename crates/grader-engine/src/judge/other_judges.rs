//! Computes the verdicts of other judges on an execution, from the same facts and the same output.

use super::case::{Case, Terms};
use super::{Breach, Decision, Rejection, rejection_by_facts, rule_on_interaction};
use crate::event::Opinion;

use crate::limits::{Limits, Overflow};
use crate::problem::Checker;
use crate::sandbox::{Interaction, Outcome};
use crate::verdict::Verdict;

impl Terms {
    /// The verdict that the facts alone decide by these terms.
    pub(crate) fn rejection_by_facts(&self, outcome: &Outcome) -> Option<Rejection> {
        rejection_by_facts(outcome, &self.limits, self.ruleset)
    }
}

impl Case {
    /// The verdict that the facts alone decide by the case's own judge.
    pub(crate) fn rejection_by_facts(&self, outcome: &Outcome) -> Option<Rejection> {
        rejection_by_facts(outcome, &self.limits, self.ruleset)
    }

    /// Returns the kill points of the submission: the latest among all judges that the run asks.
    pub(crate) fn kill_points(&self) -> Limits {
        let others = self.others.iter().map(|terms| terms.limits.kill);
        let own = self.limits.kill.overflow;
        // Of a conversation, one judge hears all and another one a part. Only the own judge's conversation takes place.
        let is_interactive = self.problem.kind.is_interactive();
        let overflow = |a: Overflow, b: Overflow| if is_interactive { own } else { a.max(b) };
        others.fold(self.limits.kill, |a, b| Limits {
            cpu: a.cpu.max(b.cpu),
            wall: a.wall.max(b.wall),
            memory: a.memory.max(b.memory),
            output: a.output.max(b.output),
            overflow: overflow(a.overflow, b.overflow),
            processes: a.processes.max(b.processes),
        })
    }

    /// The checkers of other judges that differ from the case's own, each once.
    pub(super) fn other_checkers(&self) -> Vec<Checker> {
        let mut checkers: Vec<Checker> = Vec::new();
        for terms in self.others.iter().filter(|terms| is_numeric(&terms.checker)) {
            if terms.checker != self.checker && !checkers.contains(&terms.checker) {
                checkers.push(terms.checker);
            }
        }
        checkers
    }
}

/// Whether tokens may be compared as numbers, so that the judges' notions of a number matter.
fn is_numeric(checker: &Checker) -> bool {
    matches!(checker, Checker::Tokens(options) if options.float_relative.is_some() || options.float_absolute.is_some())
}

/// The checkers that were run for other judges, each with whether it accepts.
#[derive(Debug, Default)]
pub(crate) struct OtherCheckers(pub(super) Vec<(Checker, bool)>);

impl OtherCheckers {
    /// Whether this checker accepts; none if it was not run because it agrees with the case's own.
    pub(super) fn by(&self, checker: &Checker) -> Option<bool> {
        self.0.iter().find(|(other, _)| other == checker).map(|(_, accepted)| *accepted)
    }
}

/// Returns the verdicts of the other judges. If the facts do not decide, `accepts` does; none if their output validator
/// is broken.
pub(super) fn opinions(case: &Case, outcome: &Outcome, accepts: impl Fn(&Terms) -> Option<bool>) -> Vec<Opinion> {
    let of_output = |accepted| if accepted { Verdict::Accepted } else { Verdict::WrongAnswer };
    let verdict = |terms: &Terms| match terms.rejection_by_facts(outcome) {
        Some((verdict, _)) => Some(verdict),
        None => accepts(terms).map(of_output),
    };
    case.others.iter().map(|terms| Opinion::new(terms.ruleset, verdict(terms))).collect()
}

/// Changes the verdicts of judges that accepted the conversation: the output validator rejects what the interactor wrote.
pub(super) fn rejected_later(others: &mut [Opinion]) {
    for other in others.iter_mut().filter(|other| other.verdict == Some(Verdict::Accepted)) {
        other.verdict = Some(Verdict::WrongAnswer);
    }
}

/// The verdicts of the other judges on an interactive run. Unknown for a judge that would have let the interactor hear
/// more or less of it.
pub(super) fn of_interaction(case: &Case, run: &Interaction, decision: &Result<Decision, Breach>) -> Vec<Opinion> {
    let is_other = |terms: &Terms| {
        let most = terms.limits.kill.output.min(case.limits.kill.output);
        terms.limits.kill.overflow != case.limits.kill.overflow && run.submission.printed.stdout > most.0
    };
    let verdict = |terms: &Terms| {
        // A broken interactor gives no verdict here. For the case's own judge it is a judge error.
        let rejection = rule_on_interaction(run, decision.clone(), &terms.limits, terms.ruleset).ok()?;
        Some(rejection.map_or(Verdict::Accepted, |(verdict, _)| verdict))
    };
    let opinion = |terms: &Terms| match terms {
        terms if is_other(terms) => Opinion { judge: terms.ruleset, verdict: None, is_unknown: true },
        terms => Opinion::new(terms.ruleset, verdict(terms)),
    };
    case.others.iter().map(opinion).collect()
}

/// Returns the verdicts of the other judges after one more pass. A judge that rejected an earlier pass does not see
/// this one.
pub(super) fn after_pass(before: Option<Vec<Opinion>>, now: Vec<Opinion>) -> Vec<Opinion> {
    let Some(before) = before else { return now };
    let accepted = |other: &Opinion| other.verdict == Some(Verdict::Accepted);
    before.into_iter().zip(now).map(|(before, now)| if accepted(&before) { now } else { before }).collect()
}
