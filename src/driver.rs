//! Drivers: programs that call a function of a solution in Python, or run assertions about it.

use crate::store::Key;

/// The name of the driver beside a solution. Python's rules for main files choose it.
pub(crate) const DRIVER: &str = "__main__.py";
/// The name of the solution, unless it is the only other source.
pub(crate) const SOLUTION: &str = "solution.py";

const TEXT: &str = include_str!("driver/driver.py");
/// The word in it that stands for the name of the function.
const FUNCTION: &str = "@FUNCTION@";

/// A driver that calls `function` with the arguments on standard input, a list or an object as JSON, and writes what it
/// returns as JSON. `function` must be a name in Python ([`is_identifier`]).
pub(crate) fn calling(function: &str) -> String {
    TEXT.replace(FUNCTION, function)
}

/// A driver that runs the assertions on standard input ([`assertions`]).
pub(crate) fn asserting() -> String {
    TEXT.replace(FUNCTION, "")
}

/// The input of a driver that runs assertions, and the output of a solution for which they hold. A word in the output
/// makes sure that the end was reached: a solution that only ends with status 0 does not know it.
pub(crate) fn assertions(code: &str) -> (String, String) {
    let word = Key::of("assertions v1").field("code", code).finish().to_string();
    (format!("{word}\n{code}"), format!("{word}\n"))
}

/// Whether Python accepts this name. A driver contains the name unchanged.
pub(crate) fn is_identifier(name: &str) -> bool {
    let begins = |c: char| c == '_' || c.is_alphabetic();
    name.len() <= 255 && name.starts_with(begins) && name.chars().all(|c| begins(c) || c.is_ascii_digit())
}
