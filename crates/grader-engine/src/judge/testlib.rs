//! Reads the output of testlib's programs: the first line on standard error states the verdict, and may state points.
//!
//! Source: `testlib.h`, `InStream::quit`, `quitp` and `resultExitCode`.

use super::feedback::{Feedback, text};
use crate::problem::PointsUnit;

/// The exit code of `quitp`.
const POINTS: i32 = 7;
/// The number that testlib adds to the points of `_pc(n)` if it is compiled with `TESTSYS`.
const PARTIAL_BASE: i32 = 50;

/// The words with which a message begins that repeat the verdict. Those of a presentation error stay, because the verdict
/// does not say it.
const VERDICTS: [&str; 3] = ["ok", "wrong answer", "FAIL"];

/// How Python and Java begin to report an exception that nothing caught. They then exit with 1, which is `wrong answer`.
const UNCAUGHT: [&str; 2] = ["Traceback (most recent call last):", "Exception in thread \""];

/// The exit code of `quitp` came without a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NoNumber(
    /// The first line of the message.
    pub(super) String,
);

/// Returns the points that a checker gives with this exit code and message; none if it gives a verdict.
pub(super) fn points(code: i32, stderr: &[u8]) -> Option<Result<f64, NoNumber>> {
    let line = first_line(stderr);
    // The exit code says the same. Otherwise a checker that crashed behind these words would give points.
    let is_stated = |partial: i32| partial >= 0 && (code == partial || code == partial + PARTIAL_BASE);
    if let Some(partial) = partial(&line).filter(|partial| is_stated(*partial)) {
        return Some(Ok(f64::from(partial)));
    }
    if code != POINTS {
        return None;
    }
    let number = line.strip_prefix("points ").and_then(|rest| rest.split_whitespace().next());
    let number = number.and_then(|word| word.parse::<f64>().ok()).filter(|points| is_number(*points));
    Some(number.ok_or(NoNumber(line)))
}

/// The points that `_pc(n)` states in its message.
fn partial(line: &str) -> Option<i32> {
    line.strip_prefix("partially correct (")?.split_once(')')?.0.parse().ok()
}

/// Whether an exception ended the program that nothing caught. A message of testlib never begins like that, and what a
/// checker quotes from an output comes later.
pub(super) fn has_uncaught_exception(stderr: &[u8]) -> bool {
    let line = first_line(stderr);
    UNCAUGHT.iter().any(|beginning| line.starts_with(beginning))
}

fn is_number(points: f64) -> bool {
    points.is_finite() && points >= 0.0
}

/// The feedback of a checker or interactor that ended with this exit code. Points are those of the unit.
pub(super) fn feedback(unit: PointsUnit, code: Option<i32>, stderr: &[u8]) -> Feedback {
    let given = code.and_then(|code| points(code, stderr)).and_then(Result::ok);
    let earned = given.filter(|points| *points > 0.0);
    let (score, multiplier) = match unit {
        PointsUnit::Points => (earned, None),
        PointsUnit::Percent => (None, earned.map(|percent| percent / 100.0)),
    };
    let said = comment(stderr);
    Feedback {
        score: score.map(|points| points.to_string()),
        multiplier: multiplier.map(|share| share.to_string()),
        gives_points: given.is_some(),
        message: (!said.trim().is_empty()).then_some(said),
        ..Feedback::default()
    }
}

/// The message without the words that repeat the verdict.
pub(super) fn comment(stderr: &[u8]) -> String {
    let said = text(stderr);
    let said = said.trim_start();
    let after = |verdict: &str| {
        let rest = said.strip_prefix(verdict)?;
        // A space follows, which is lost if nothing else does.
        rest.strip_prefix(' ').or(Some(rest).filter(|rest| rest.is_empty() || rest.starts_with('\n')))
    };
    VERDICTS.into_iter().find_map(after).unwrap_or(said).to_owned()
}

/// The first line of the message that is not blank.
pub(super) fn reason(stderr: &[u8]) -> Option<String> {
    let said = comment(stderr);
    said.lines().find(|line| !line.trim().is_empty()).map(str::to_owned)
}

fn first_line(stderr: &[u8]) -> String {
    let said = text(stderr);
    said.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim_start().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_need_the_exit_code_and_a_number() {
        assert_eq!(points(7, b"points 2.50 well done\n"), Some(Ok(2.5)));
        assert_eq!(points(7, b"points 0\n"), Some(Ok(0.0)));
        for no_number in ["points well done", "points_info=a=1", "points -1", "points nan", "points inf", ""] {
            assert_eq!(points(7, no_number.as_bytes()), Some(Err(NoNumber(no_number.to_owned()))));
        }
        assert_eq!(points(0, b"ok points 5\n"), None);
        assert_eq!(points(40, b"partially correct (40) half\n"), Some(Ok(40.0)));
        assert_eq!(points(90, b"partially correct (40) half\n"), Some(Ok(40.0)));
        assert_eq!(points(0, b"partially correct (0) nothing\n"), Some(Ok(0.0)));
        assert_eq!(points(7, b"partially correct (7) a little\n"), Some(Ok(7.0)));
        assert!(matches!(points(7, b"partially correct (40) half\n"), Some(Err(_))));
        assert_eq!(points(1, b"partially correct (40) half\n"), None);
    }

    #[test]
    fn only_the_first_line_shows_an_exception() {
        assert!(has_uncaught_exception(b"\nTraceback (most recent call last):\n  File \"check.py\", line 1\n"));
        assert!(has_uncaught_exception(b"Exception in thread \"main\" java.lang.NullPointerException\n"));
        assert!(!has_uncaught_exception(b"wrong answer: unexpected line\nTraceback (most recent call last):\n"));
        assert!(!has_uncaught_exception(b"wrong answer Traceback (most recent call last):\n"));
    }

    #[test]
    fn messages_lose_the_verdict_that_grader_states_itself() {
        assert_eq!(comment(b"wrong answer 1st numbers differ\nmore\n"), "1st numbers differ\nmore");
        assert_eq!(
            reason(b"wrong output format Expected int32, but \"x\" found\n").unwrap(),
            "wrong output format \
            Expected int32, but \"x\" found"
        );
        assert_eq!(reason(b"ok \n"), None);
        assert_eq!(reason(b"\n"), None);
    }

    #[test]
    fn percent_are_a_share_and_nothing_is_no_share() {
        let given = |unit, said: &str| {
            let Feedback { score, multiplier, gives_points, .. } = feedback(unit, Some(7), said.as_bytes());
            (score, multiplier, gives_points)
        };
        assert_eq!(given(PointsUnit::Points, "points 25 a"), (Some("25".into()), None, true));
        assert_eq!(given(PointsUnit::Percent, "points 25 a"), (None, Some("0.25".into()), true));
        assert_eq!(given(PointsUnit::Points, "points 0 a"), (None, None, true));
    }
}
