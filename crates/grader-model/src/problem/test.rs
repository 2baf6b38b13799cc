//! The tests of a problem: its cases, and the static validations of groups, which have no input.

use serde::{Deserialize, Serialize};

use super::{Problem, TestCase, TestGroup, TestId};

/// The name of the test for a group's static validation. No case of the group may have this name.
pub const STATIC_VALIDATION: &str = "static_validation";

/// The static validation of a group: its program judges the sources of submissions as a test (package format 2025-09,
/// "Static validation test cases").
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct StaticValidation {
    /// The additional arguments of the static validator, after those of the protocol.
    pub arguments: Vec<String>,
    /// The most points of the test; none if it only passes or fails.
    pub max_score: Option<f64>,
}

/// One test of a problem.
#[derive(Debug, Clone, Copy)]
pub enum Test<'p> {
    /// The static validation of a group, which comes before its cases.
    Static(&'p TestGroup, &'p StaticValidation),
    /// A case of a group.
    Case(&'p TestGroup, &'p TestCase),
}

impl<'p> Test<'p> {
    /// The group of the test.
    pub fn group(self) -> &'p TestGroup {
        match self {
            Self::Static(group, _) | Self::Case(group, _) => group,
        }
    }

    /// Its name within the group.
    pub fn name(self) -> &'p str {
        match self {
            Self::Static(..) => STATIC_VALIDATION,
            Self::Case(_, case) => &case.name,
        }
    }

    /// Its full name.
    pub fn id(self) -> TestId {
        self.group().id_of_name(self.name())
    }

    /// Whether it is a sample: a test of the group `sample`, or a case that says so itself.
    pub fn is_sample(self) -> bool {
        let own = self.case().and_then(|(_, case)| case.own.as_deref());
        self.group().holds_samples() || own.is_some_and(|own| own.is_sample)
    }

    /// The case; none for a static validation.
    pub fn case(self) -> Option<(&'p TestGroup, &'p TestCase)> {
        match self {
            Self::Static(..) => None,
            Self::Case(group, case) => Some((group, case)),
        }
    }
}

impl TestGroup {
    /// Its tests in plan order. The static validation comes first, because it is cheap and may decide.
    pub fn tests(&self) -> impl Iterator<Item = Test<'_>> {
        let first = self.static_validation.iter().map(move |stated| Test::Static(self, stated));
        first.chain(self.cases.iter().map(move |case| Test::Case(self, case)))
    }

    /// The number of its tests.
    pub fn test_count(&self) -> usize {
        self.cases.len() + usize::from(self.static_validation.is_some())
    }
}

impl Problem {
    /// Every test, in plan order.
    pub fn tests(&self) -> impl Iterator<Item = Test<'_>> {
        self.groups.iter().flat_map(TestGroup::tests)
    }

    /// The number of tests.
    pub fn test_count(&self) -> usize {
        self.groups.iter().map(TestGroup::test_count).sum()
    }
}
