//! Computes results of cases → results of groups → the result of a submission, by the graders of the legacy format
//! ("Graders", "Default grader specification"). Pure: the caller runs a grader from the package.

use std::collections::BTreeMap;
use std::sync::Arc;

use thiserror::Error;

use super::mark::Mark;
use super::points::{Points, over};
use crate::event::{GraderFault, GroupScore, TestIndex};
use crate::problem::TestId;
use crate::problem::grading::{Grade, GradedGroup, Grader, Grading};
use crate::ruleset::Ruleset;
use crate::verdict::Verdict;

/// Why a group has no result. This is a judge error.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum GroupFault {
    /// A test in the group could not be judged. The result of the test says why.
    #[error("")]
    Test,
    /// The grader from the package gave no result.
    #[error(transparent)]
    Grader(#[from] GraderFault),
    /// A grader gave points outside of the group's range.
    #[error("{points} points for {group}, but its `range` is {} to {}", .range.0, .range.1)]
    OutOfRange {
        /// The points.
        points: f64,
        /// The name of the group, as shown to people.
        group: String,
        /// The minimum and the maximum of the group.
        range: (f64, f64),
    },
}

/// The result of a case or group inside a group.
#[derive(Debug, Clone, PartialEq)]
enum GroupResult {
    Known(Grade),
    /// A judge error.
    Fault(GroupFault),
    /// No result, as if it had not been planned.
    Nothing,
}

impl GroupResult {
    fn is_accepted(&self) -> bool {
        match self {
            Self::Known(grade) => grade.verdict == Verdict::Accepted,
            Self::Fault(_) => false,
            Self::Nothing => true,
        }
    }
}

#[derive(Debug, Clone, Copy)]
enum CaseOrGroup {
    Case(TestIndex),
    Group(usize),
}

/// A case or group inside a group that is known not to be accepted.
#[derive(Debug, Clone, Copy)]
struct FailedPart {
    item: usize,
    /// The test that caused the failure.
    culprit: TestIndex,
    /// The last test in plan order that the failure depends on.
    last: TestIndex,
}

/// The known results of one group.
#[derive(Debug, Clone, Default)]
struct Node {
    /// Its planned cases and groups, in the order of judging.
    items: Vec<CaseOrGroup>,
    /// Its own position among the items of its parent.
    place: usize,
    /// The results of the first items.
    results: Vec<GroupResult>,
    /// The first failing item so far.
    failed: Option<FailedPart>,
    /// Whether its result needs no more items.
    closed: bool,
    result: Option<GroupResult>,
}

/// A question that the caller must put to a grader from the package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// Position of the group.
    pub group: usize,
    /// The input of the grader: one line for each result in the group.
    pub results: String,
}

/// The results of one submission.
#[derive(Debug, Clone)]
pub(crate) struct Board {
    grading: Arc<Grading>,
    /// The group and the position in it of each planned test.
    places: Vec<Option<(usize, usize)>>,
    marks: Vec<Option<Mark>>,
    nodes: Vec<Node>,
    /// The answers of graders from the package so far.
    given: BTreeMap<usize, Result<Grade, GraderFault>>,
}

impl Board {
    /// Creates an empty board.
    pub(crate) fn new(grading: &Arc<Grading>, tests: &[TestId]) -> Self {
        let mut board = Self {
            grading: Arc::clone(grading),
            places: vec![None; tests.len()],
            marks: vec![None; tests.len()],
            nodes: vec![Node::default(); grading.groups.len()],
            given: BTreeMap::new(),
        };
        // Cases and groups together, sorted by base name.
        let mut named: Vec<Vec<(&str, CaseOrGroup)>> = vec![Vec::new(); grading.groups.len()];
        for (ordinal, test) in tests.iter().enumerate() {
            let (directory, name) = test.as_str().rsplit_once('/').unwrap_or(("", test.as_str()));
            if let Some(group) = grading.group_of(directory) {
                named[group].push((name, CaseOrGroup::Case(TestIndex(ordinal))));
            }
        }
        for at in (1..grading.groups.len()).rev() {
            let group = &grading.groups[at];
            let name = group.name.rsplit('/').next().unwrap_or_default();
            if let Some(parent) = group.parent.filter(|_| !named[at].is_empty()) {
                named[parent].push((name, CaseOrGroup::Group(at)));
            }
        }
        for (group, mut items) in named.into_iter().enumerate() {
            items.sort_by_key(|(name, _)| *name);
            for (place, (_, item)) in items.iter().enumerate() {
                match *item {
                    CaseOrGroup::Case(test) => board.places[test] = Some((group, place)),
                    CaseOrGroup::Group(at) => board.nodes[at].place = place,
                }
            }
            board.nodes[group].items = items.into_iter().map(|(_, item)| item).collect();
        }
        board
    }

    /// Adds the result of a test, in any order. Returns whether other tests may have become unnecessary.
    pub(crate) fn add(&mut self, test: TestIndex, mark: Mark) -> bool {
        let Some((group, item)) = self.places[test] else { return false };
        self.marks[test] = Some(mark);
        let fails = !self.share_of_case(group, mark).is_accepted();
        let news = fails && self.fail(group, FailedPart { item, culprit: test, last: test });
        self.advance(group) || news
    }

    /// Forgets every test. Answers of graders from the package stay.
    pub(crate) fn clear(&mut self) {
        self.marks.fill(None);
        for node in &mut self.nodes {
            node.results.clear();
            node.failed = None;
            node.closed = false;
            node.result = None;
        }
    }

    /// Adds the answer of a package's grader for a group. Returns whether tests may have become unnecessary.
    pub(crate) fn graded(&mut self, group: usize, said: Result<Grade, GraderFault>) -> bool {
        self.given.insert(group, said);
        self.nodes[group].closed && self.nodes[group].result.is_none() && self.conclude(group)
    }

    /// The groups that wait for a grader from the package.
    pub(crate) fn questions(&self) -> impl Iterator<Item = Question> {
        let waiting = |(_, node): &(usize, &Node)| node.closed && node.result.is_none();
        self.nodes.iter().enumerate().filter(waiting).map(|(group, node)| {
            let known = node.results.iter().filter_map(|share| match share {
                GroupResult::Known(grade) => {
                    Some(format!("{} {}\n", Ruleset::Kattis.calls(grade.verdict), grade.score))
                }
                GroupResult::Fault(_) | GroupResult::Nothing => None,
            });
            Question { group, results: known.collect() }
        })
    }

    /// Whether a grader from the package must answer before it is known if a test is needed, given all tests before it.
    pub(crate) fn is_waiting(&self, test: TestIndex) -> bool {
        self.path(test).any(|(group, place)| {
            let node = &self.nodes[group];
            self.grading.groups[group].breaks && node.results.len() < place && !node.closed && self.next_waits(group)
        })
    }

    fn next_waits(&self, group: usize) -> bool {
        let node = &self.nodes[group];
        match node.items.get(node.results.len()) {
            Some(CaseOrGroup::Group(at)) if self.nodes[*at].closed => true,
            Some(CaseOrGroup::Group(at)) => self.next_waits(*at),
            _ => false,
        }
    }

    /// The groups that contain a test, innermost first, each with the position of the test's branch in it.
    fn path(&self, test: TestIndex) -> impl Iterator<Item = (usize, usize)> {
        std::iter::successors(self.places[test], |(group, _)| {
            Some((self.grading.groups[*group].parent?, self.nodes[*group].place))
        })
    }

    /// Returns the failing test because of which this one is not judged (`on_reject: break`). A test that is not needed
    /// stays so, whatever else becomes known.
    pub(crate) fn needless(&self, test: TestIndex) -> Option<TestIndex> {
        let failed = self.path(test).filter_map(|(group, place)| {
            self.nodes[group].failed.filter(|failed| failed.item < place && failed.last < test)
        });
        failed.map(|failed| failed.culprit).min()
    }

    fn share_of_case(&self, group: usize, mark: Mark) -> GroupResult {
        let GradedGroup { accept_score, reject_score, .. } = self.grading.groups[group];
        match mark {
            Mark::Judged(verdict, score) => {
                let default = if verdict == Verdict::Accepted { accept_score } else { reject_score };
                GroupResult::Known(Grade { verdict, score: score.unwrap_or(default) })
            }
            Mark::Fault | Mark::Overdue => GroupResult::Fault(GroupFault::Test),
            Mark::Nothing => GroupResult::Nothing,
        }
    }

    /// Records a failing item of a group. Returns whether that makes more tests unnecessary.
    fn fail(&mut self, group: usize, failed: FailedPart) -> bool {
        let known = &mut self.nodes[group].failed;
        let news = self.grading.groups[group].breaks && known.is_none_or(|known| failed.item < known.item);
        if news {
            *known = Some(failed);
        }
        news
    }

    /// Takes the next results in a group, as far as they are known. Returns whether tests may have become unnecessary.
    fn advance(&mut self, group: usize) -> bool {
        let breaks = self.grading.groups[group].breaks;
        while !self.nodes[group].closed {
            let node = &self.nodes[group];
            let share = match node.items.get(node.results.len()) {
                Some(CaseOrGroup::Case(test)) => self.marks[*test].map(|mark| self.share_of_case(group, mark)),
                Some(CaseOrGroup::Group(at)) => self.nodes[*at].result.clone(),
                None => {
                    self.nodes[group].closed = true;
                    break;
                }
            };
            let Some(share) = share else { return false };
            let node = &mut self.nodes[group];
            node.closed = breaks && !share.is_accepted();
            node.results.push(share);
        }
        self.nodes[group].result.is_none() && self.conclude(group)
    }

    /// Computes the result of a closed group and passes it to the parent. Waits if the group's grader must still
    /// answer.
    fn conclude(&mut self, group: usize) -> bool {
        let Some(result) = self.result_of(group) else { return false };
        let fails = !result.is_accepted();
        self.nodes[group].result = Some(result);
        let Some(parent) = self.grading.groups[group].parent else { return false };
        let (culprit, last) = self.culprit_and_last(group);
        let failed = FailedPart { item: self.nodes[group].place, culprit, last };
        let news = fails && self.fail(parent, failed);
        self.advance(parent) || news
    }

    fn result_of(&self, group: usize) -> Option<GroupResult> {
        let results = &self.nodes[group].results;
        if let Some(fault) = results.iter().find(|share| matches!(share, GroupResult::Fault(_))) {
            return Some(fault.clone());
        }
        let known =
            results.iter().filter_map(|share| if let GroupResult::Known(grade) = share { Some(*grade) } else { None });
        let known: Vec<Grade> = known.collect();
        if known.is_empty() {
            return Some(GroupResult::Nothing);
        }
        let GradedGroup { name, range, grader, .. } = &self.grading.groups[group];
        let grade = match grader {
            Grader::Default(flags) => flags.grade(&known),
            Grader::Own(_) => match self.given.get(&group)? {
                Ok(grade) => *grade,
                Err(fault) => return Some(GroupResult::Fault(fault.clone().into())),
            },
        };
        let fits = !over(range.0, grade.score) && !over(grade.score, range.1);
        if self.grading.points.is_some() && grade.verdict == Verdict::Accepted && !fits {
            let group = if name.is_empty() { "the whole" } else { name }.to_owned();
            return Some(GroupResult::Fault(GroupFault::OutOfRange { points: grade.score, group, range: *range }));
        }
        Some(GroupResult::Known(grade))
    }

    /// Returns the test that caused the result of a group, and the last test that the result depends on.
    fn culprit_and_last(&self, group: usize) -> (TestIndex, TestIndex) {
        let node = &self.nodes[group];
        let tests = |item: &CaseOrGroup| match item {
            CaseOrGroup::Case(test) => (*test, *test),
            CaseOrGroup::Group(at) => self.culprit_and_last(*at),
        };
        let taken = || node.items.iter().zip(&node.results);
        let last = taken().map(|(item, _)| tests(item).1).max().unwrap_or_default();
        let culprit = taken().find(|(_, share)| !share.is_accepted()).map_or(last, |(item, _)| tests(item).0);
        (culprit, last)
    }

    /// The results, once every needed test has been added and every grader has been asked.
    ///
    /// # Errors
    /// A grader failed, or a group has points outside of its range.
    pub(crate) fn points(&self) -> Result<Points, GroupFault> {
        let root = match &self.nodes[0].result {
            Some(GroupResult::Fault(fault)) => return Err(fault.clone()),
            Some(GroupResult::Known(grade)) => Some(*grade),
            Some(GroupResult::Nothing) | None => None,
        };
        let mut points = self.without_points(root.map(|grade| grade.verdict));
        if self.grading.points.is_none() {
            return Ok(points);
        }
        for (at, group) in self.grading.groups.iter().enumerate().skip(1) {
            let score = match &self.nodes[at].result {
                Some(GroupResult::Known(grade)) => grade.score,
                // The group was not judged because of an earlier failure.
                None if self.grading.maximises() && !self.nodes[at].items.is_empty() => 0.0,
                _ => continue,
            };
            if !self.is_complete(at) {
                continue;
            }
            let max_score = self.grading.most(at).filter(|_| self.grading.maximises());
            let name = group.name.to_string();
            let score = super::points::tidy(score);
            points.push(GroupScore { group: name, score, max_score }, group.cases > 0);
        }
        points.score = match root {
            Some(grade) if grade.verdict == Verdict::Accepted => Some(super::points::tidy(grade.score)),
            // "For non-Accepted verdicts on scoring problems, the score provided by the grader will always be ignored."
            Some(_) => self.grading.maximises().then_some(0.0),
            None => None,
        };
        points.score = points.score.filter(|_| self.is_complete(0));
        Ok(points)
    }

    /// The results of a submission that could not run at all.
    pub(crate) fn nothing(&self) -> Points {
        let mut points = self.without_points(None);
        if self.grading.maximises() && self.is_complete(0) {
            points.score = Some(0.0);
            for (at, group) in self.grading.groups.iter().enumerate().skip(1) {
                let max_score = self.grading.most(at);
                points.push(GroupScore { group: group.name.to_string(), score: 0.0, max_score }, group.cases > 0);
            }
        }
        points
    }

    fn without_points(&self, verdict: Option<Verdict>) -> Points {
        let fewest = self.grading.points.is_some() && !self.grading.maximises();
        Points { verdict, most: self.grading.most(0), fewest, ..Points::default() }
    }

    /// Whether every test below a group is planned, and none of them lacks a result.
    fn is_complete(&self, group: usize) -> bool {
        let node = &self.nodes[group];
        let cases = node.items.iter().filter(|item| matches!(item, CaseOrGroup::Case(_))).count();
        let known = |item: &CaseOrGroup| match item {
            CaseOrGroup::Case(test) => self.marks[*test] != Some(Mark::Nothing),
            CaseOrGroup::Group(_) => true,
        };
        let below = self.grading.groups.iter().enumerate().filter(|(_, below)| below.parent == Some(group));
        cases == self.grading.groups[group].cases
            && node.items.iter().all(known)
            && below.map(|(at, _)| at).all(|at| self.is_complete(at))
    }
}

#[cfg(test)]
mod tests;
