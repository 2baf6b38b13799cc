//! Turns the points of tests and groups into a tree of scores.
//!
//! In a problem with points, each group of Polygon is a group below `secret`, and tests without a group have one of their
//! own. A problem without points has the groups `sample` and `secret`.

use std::collections::BTreeMap;

use super::document::{Group, PointsPolicy, Test, Testset, quoted};
use super::{CORRECT_IT, Package};
use grader_model::diagnostic::{Severity, TextPosition};
use grader_model::problem::{Aggregation, ScoreGroup, ScoreTree};

/// The group of tests without a group, if others have one.
const UNGROUPED: &str = "ungrouped";

/// The names of the groups of a testset.
pub(super) struct ScoreNames {
    /// The name below `secret/` of each group of Polygon.
    names: BTreeMap<String, String>,
    gives_points: bool,
}

impl ScoreNames {
    /// Whether the problem has points.
    pub(super) fn gives_points(&self) -> bool {
        self.gives_points
    }

    /// The full name of the group of a test.
    pub(super) fn group_of(&self, test: &Test) -> String {
        let has_no_points = !self.gives_points || test.group.is_none() && test.points <= 0.0;
        match test.group.as_ref().and_then(|group| self.names.get(group)) {
            _ if test.sample && has_no_points => "sample".to_owned(),
            Some(name) => format!("secret/{name}"),
            None if self.gives_points && !self.names.is_empty() => format!("secret/{UNGROUPED}"),
            None => "secret".to_owned(),
        }
    }

    /// The full name of a group of Polygon.
    pub(super) fn full(&self, group: &str) -> Option<String> {
        Some(format!("secret/{}", self.names.get(group)?))
    }
}

/// A name that may be a part of a path and of a glob.
fn part_of_path(name: &str) -> String {
    let fits = |c: char| c.is_alphanumeric() || ['-', '_', '.'].contains(&c);
    let name: String = name.chars().map(|c| if fits(c) { c } else { '_' }).collect();
    if name.chars().all(|c| c == '.') { name.replace('.', "_") } else { name }
}

impl Package<'_> {
    /// Names the groups of a testset, stated or only mentioned by a test.
    pub(super) fn score_names(&self, testset: &Testset) -> ScoreNames {
        let stated = testset.groups.iter().map(|group| (group.name.as_str(), group.place));
        let mentioned = testset.tests.iter().filter_map(|test| Some((test.group.as_deref()?, test.place)));
        let mut names: BTreeMap<String, String> = BTreeMap::new();
        for (group, place) in stated.chain(mentioned) {
            if names.contains_key(group) {
                continue;
            }
            let name = part_of_path(group);
            if name == UNGROUPED || names.values().any(|known| *known == name) {
                let message = format!("group {} and another one would both be called {name}", quoted(group));
                self.error(place, message, "rename one of them");
            }
            names.insert(group.to_owned(), name);
        }
        let is_worth = |points: f64| points > 0.0;
        let states_points = testset.tests.iter().any(|test| is_worth(test.points))
            || testset.groups.iter().any(|group| group.points.is_some_and(is_worth));
        let gives_points = states_points && !self.has_scorer;
        ScoreNames { names, gives_points }
    }

    /// The points of a testset.
    pub(super) fn score_tree(&self, testset: &Testset, names: &ScoreNames) -> ScoreTree {
        let tests_in =
            |name: &str| testset.tests.iter().filter(|test| names.group_of(test) == name).collect::<Vec<_>>();
        let mut groups = vec![empty("sample", None), empty("secret", None)];
        groups[0].tests = tests_in("sample").len();
        let directly = tests_in("secret");
        for group in names.names.keys() {
            let Some(name) = names.full(group) else { continue };
            let stated = testset.groups.iter().find(|stated| stated.name == *group);
            groups.push(self.score_group(&name, stated, &tests_in(&name)));
        }
        let loose = format!("secret/{UNGROUPED}");
        let ungrouped = tests_in(&loose);
        if !ungrouped.is_empty() {
            groups.push(self.score_group(&loose, None, &ungrouped));
        }
        let below: f64 = groups.iter().skip(2).filter_map(|group| group.max_score).sum();
        groups[1].max_score = Some(below + sum(&directly));
        groups[1].tests = directly.len();
        self.dependencies(testset, names, &mut groups);
        ScoreTree { groups, total: 1 }
    }

    fn score_group(&self, name: &str, stated: Option<&Group>, tests: &[&Test]) -> ScoreGroup {
        let of_tests = sum(tests);
        let policy = stated.map_or(PointsPolicy::EachTest, |group| group.policy);
        if let Some((group, points)) = stated.and_then(|group| Some((group, group.points?)))
            && (points - of_tests).abs() > 1e-6
            && (of_tests > 0.0 || policy == PointsPolicy::EachTest)
        {
            let counts = if policy == PointsPolicy::CompleteGroup { points } else { of_tests };
            let name = quoted(&group.name);
            let message =
                format!("group {name} states {points} points, but its tests have {of_tests}; grader counts {counts}");
            self.note(Severity::Warning, group.place, message);
        }
        let (aggregation, max_score) = match policy {
            PointsPolicy::CompleteGroup => {
                (Aggregation::PassFail, stated.and_then(|group| group.points).unwrap_or(of_tests))
            }
            PointsPolicy::EachTest => (Aggregation::Sum, of_tests),
        };
        ScoreGroup { aggregation, max_score: Some(max_score), tests: tests.len(), ..empty(name, Some(1)) }
    }

    /// Enters the groups that each group depends on. Reports unknown ones, and groups that depend on themselves.
    fn dependencies(&self, testset: &Testset, names: &ScoreNames, groups: &mut [ScoreGroup]) {
        let position = |groups: &[ScoreGroup], name: &str| {
            let full = names.full(name)?;
            groups.iter().position(|group| *group.name == *full)
        };
        let mut edges: Vec<(usize, usize, TextPosition)> = Vec::new();
        for group in &testset.groups {
            let Some(from) = position(groups, &group.name) else { continue };
            for wanted in &group.dependencies {
                if let Some(to) = position(groups, wanted) {
                    edges.push((from, to, group.place));
                } else {
                    let message = format!("group {} depends on {}", quoted(&group.name), quoted(wanted));
                    self.error(group.place, format!("{message}, which does not exist"), CORRECT_IT);
                }
            }
        }
        for (from, to, place) in &edges {
            if reaches(&edges, *to, *from) {
                let message =
                    format!("group {} depends on itself", quoted(groups[*from].name.trim_start_matches("secret/")));
                self.error(*place, message, "remove one of the dependencies");
                return;
            }
        }
        for (from, to, _) in edges {
            groups[from].require_pass.push(to);
        }
    }
}

/// Whether dependencies lead from one group to another.
fn reaches(edges: &[(usize, usize, TextPosition)], from: usize, to: usize) -> bool {
    let mut seen = vec![from];
    let mut open = vec![from];
    while let Some(at) = open.pop() {
        if at == to {
            return true;
        }
        for (_, next, _) in edges.iter().filter(|(start, ..)| *start == at) {
            if !seen.contains(next) {
                seen.push(*next);
                open.push(*next);
            }
        }
    }
    false
}

fn sum(tests: &[&Test]) -> f64 {
    tests.iter().map(|test| test.points).sum()
}

fn empty(name: &str, parent: Option<usize>) -> ScoreGroup {
    let aggregation = if name == "sample" { Aggregation::PassFail } else { Aggregation::Sum };
    let max_score = Some(0.0);
    ScoreGroup {
        name: name.into(),
        parent,
        max_score,
        aggregation,
        require_pass: Vec::new(),
        tests: 0,
        static_score: None,
    }
}
