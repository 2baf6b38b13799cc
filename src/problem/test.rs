//! The tests of a problem: its cases, and the static validation of groups, which has no input.

use serde::Serialize;

use super::{Problem, TestCase, TestGroup, TestId};

/// What the test is called that is the static validation of a group. No case of the group may have this name.
pub const STATIC_VALIDATION: &str = "static_validation";

/// That the sources of a submission are judged themselves, as a test of a group (package format 2025-09, "Static
/// validation test cases").
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct StaticValidation {
    /// What the static validator is called with behind what the protocol has.
    pub arguments: Vec<String>,
    /// The most points of the test; none: it is passed or failed.
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
    /// The group that it is a test of.
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

    /// The case, where it is one.
    pub fn case(self) -> Option<(&'p TestGroup, &'p TestCase)> {
        match self {
            Self::Static(..) => None,
            Self::Case(group, case) => Some((group, case)),
        }
    }
}

impl TestGroup {
    /// Its tests in plan order: what is cheap and decides comes first.
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
