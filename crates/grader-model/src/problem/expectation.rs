//! The expected result of a submission.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::verdict::{Verdict, VerdictSet};

/// The statements of an author about the verdicts of a submission. All rules must hold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Expectation {
    /// The origin, for messages: `accepted/`, `submissions.yaml`, `@EXPECTED_RESULTS@`.
    pub source: String,
    /// The rules. If there are none, every result is accepted.
    pub rules: Vec<Rule>,
    /// Permitted verdicts of the submission itself, if graders decide it and not the first failing case.
    pub overall: Option<VerdictSet>,
    /// Whether the first failing case that meets or breaks the rules decides, as in the legacy format. Otherwise every
    /// case counts.
    #[serde(default)]
    pub first_failure_decides: bool,
    /// After so many cases over the time limit, at least 1, no case runs. None: no bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most_time_limits: Option<usize>,
}

/// A rule about the verdicts of the cases that it covers (package format 2025-09, "Submissions").
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rule {
    /// A group or a glob of cases; none covers every case.
    pub cases: Option<String>,
    /// Every covered case must have one of these verdicts.
    pub permitted: VerdictSet,
    /// At least one covered case must have one of these verdicts, unless the set is empty.
    pub required: VerdictSet,
    /// Whether its cases may bound a derived time limit (`use_for_time_limit`).
    pub timed: bool,
    /// The required points in a scoring problem: those of the submission, or of the group in `cases`.
    pub score: Option<ScoreRange>,
    /// A text that the validator's message on at least one covered case must contain.
    pub message: Option<String>,
}

impl Rule {
    /// Creates a rule about verdicts alone.
    pub fn of_verdicts(cases: Option<String>, permitted: VerdictSet, required: VerdictSet) -> Self {
        Self { cases, permitted, required, timed: true, score: None, message: None }
    }
}

/// A statement about the points of a submission.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum ScoreRange {
    /// All points (`accepted/`); any points if they are unbounded.
    Full,
    /// Some points, but not all (`partially_accepted/`).
    Partial,
    /// Less than all points, in place of a required verdict: partial points are a failure too (tags of Polygon).
    Less,
    /// A range of points, both ends included.
    Between(f64, f64),
}

impl fmt::Display for ScoreRange {
    /// For example `35 points` or `20 to 30 points`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Full => f.write_str("all points"),
            Self::Partial => f.write_str("some but not all points"),
            Self::Less => f.write_str("less than all points"),
            Self::Between(least, most) if least < most => write!(f, "{least} to {most} points"),
            Self::Between(_, most) => write!(f, "{most} point{}", if (most - 1.0).abs() < 1e-9 { "" } else { "s" }),
        }
    }
}

impl Expectation {
    /// Creates an expectation without rules, for submissions whose verdict is the question.
    pub fn open(source: &str) -> Self {
        Self {
            source: source.to_owned(),
            rules: Vec::new(),
            overall: None,
            first_failure_decides: false,
            most_time_limits: None,
        }
    }

    /// Creates the expectation that every case is accepted, with full points.
    pub fn accepted(source: &str) -> Self {
        let mut expectation = Self::simple(source, &[Verdict::Accepted], &[]);
        expectation.rules[0].score = Some(ScoreRange::Full);
        expectation
    }

    /// Creates an expectation with one rule for all cases.
    pub fn simple(source: &str, permitted: &[Verdict], required: &[Verdict]) -> Self {
        let permitted = VerdictSet::of(permitted);
        let required = VerdictSet::of(required);
        Self { rules: vec![Rule::of_verdicts(None, permitted, required)], ..Self::open(source) }
    }

    /// Whether every result satisfies it, so that a result says nothing about the label.
    pub fn is_open(&self) -> bool {
        let all: VerdictSet = Verdict::ALL.into_iter().collect();
        let says = |rule: &Rule| {
            rule.permitted != all || !rule.required.is_empty() || rule.score.is_some() || rule.message.is_some()
        };
        !self.rules.iter().any(says)
    }

    /// Returns whether only AC on every case satisfies it, or full points if graders forgive some failures.
    pub fn wants_all_accepted(&self) -> bool {
        let only_ac = VerdictSet::of(&[Verdict::Accepted]);
        let forgiven = |rule: &Rule| self.overall == Some(only_ac) && rule.score == Some(ScoreRange::Full);
        self.rules.iter().any(|rule| rule.cases.is_none() && (rule.permitted == only_ac || forgiven(rule)))
    }

    /// Returns whether the expectation permits a verdict on some case. It permits no verdict if nothing is expected.
    pub fn permits(&self, verdict: Verdict) -> bool {
        !self.rules.is_empty() && self.rules.iter().all(|rule| rule.permitted.contains(verdict))
    }

    /// Whether every test should run, even after a failure.
    pub fn wants_every_test(&self) -> bool {
        self.wants_all_accepted() || self.rules.iter().any(|rule| rule.message.is_some())
    }

    /// The expected result in a few words: `AC`, `WA`, `RTE or TLE`, `35 points`.
    pub fn summary(&self) -> String {
        let mut wanted: Vec<String> = Vec::new();
        let all: VerdictSet = Verdict::ALL.into_iter().collect();
        let accepted = self.overall.filter(|set| *set == VerdictSet::of(&[Verdict::Accepted]));
        for rule in &self.rules {
            let set = if rule.required.is_empty() { rule.permitted } else { rule.required };
            let set = accepted.filter(|_| set == all && rule.cases.is_none()).unwrap_or(set);
            let any = set == all;
            if any && !rule.timed && rule.score.is_none() {
                continue;
            }
            let text = match rule.score.filter(|score| *score != ScoreRange::Full) {
                Some(score) if any => score.to_string(),
                Some(ScoreRange::Less) => format!("{set} or {}", ScoreRange::Less),
                Some(score) => format!("{set} with {score}"),
                None if any => "any".to_owned(),
                None => set.to_string(),
            };
            let text = rule.cases.as_ref().map_or(text.clone(), |cases| format!("{text} in {cases}"));
            if !wanted.contains(&text) {
                wanted.push(text);
            }
        }
        if wanted.is_empty() { "anything".to_owned() } else { wanted.join(" and ") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expectations_speak() {
        let slow = Expectation::simple(
            "time_limit_exceeded/",
            &[Verdict::Accepted, Verdict::TimeLimit],
            &[Verdict::TimeLimit],
        );
        assert_eq!(slow.summary(), "TLE");
        assert!(!slow.wants_all_accepted());
        assert!(Expectation::accepted("accepted/").wants_all_accepted());
    }
}
