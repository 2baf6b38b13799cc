//! Decides which built-in comparison judges a test. The order of precedence is: arguments and environment, the case, its
//! group, the problem, `grader.toml`, the usual one of the problem's layout.

use super::{Origin, Settings};
use crate::problem::{Checker, OwnChecker, Problem};

impl Settings {
    /// The built-in comparison for a case without an output validator. `stated` comes from the case or its group.
    pub fn checker_for(&self, problem: &Problem, stated: Option<Checker>) -> Checker {
        let origin = &self.origins.checker;
        match stated.map_or(problem.checker, OwnChecker::Stated) {
            OwnChecker::Stated(checker) if !origin.outranks_problem() => checker,
            OwnChecker::Usual(checker) if *origin == Origin::Default => checker,
            OwnChecker::Stated(_) | OwnChecker::Usual(_) => self.checker,
        }
    }
}
