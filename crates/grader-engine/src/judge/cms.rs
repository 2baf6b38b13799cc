//! Reads the output of checkers of CMS: the share of the points in the first line of standard output, and a message on
//! standard error.
//!
//! Source: the manual of CMS, "Standard manager output", and `cms/grading/steps/trusted.py`.

use super::feedback::{Feedback, text};

/// Words that CMS translates for the contestant. They repeat the verdict.
const VERDICTS: [&str; 3] = ["translate:success", "translate:partial", "translate:wrong"];

/// The first line of its output is not a share from 0 to 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NoShare(
    /// The line.
    pub(super) String,
);

/// The share of the points that a checker gives which ended with exit code 0.
pub(super) fn share(stdout: &[u8]) -> Result<f64, NoShare> {
    let said = text(stdout);
    let line = said.lines().next().unwrap_or_default().trim();
    let number = line.parse::<f64>().ok().filter(|share| (0.0..=1.0).contains(share));
    number.ok_or_else(|| NoShare(line.to_owned()))
}

/// The feedback of a checker. All or nothing is a verdict; anything between is points.
pub(super) fn feedback(stdout: &[u8], stderr: &[u8]) -> Feedback {
    let part = share(stdout).ok().filter(|share| *share > 0.0 && *share < 1.0);
    let said = comment(stderr);
    Feedback {
        multiplier: part.map(|share| share.to_string()),
        gives_points: part.is_some(),
        message: (!said.is_empty()).then_some(said),
        ..Feedback::default()
    }
}

/// The first line of the message.
pub(super) fn reason(stderr: &[u8]) -> Option<String> {
    comment(stderr).lines().next().map(str::to_owned)
}

/// The lines of the message that say more than the verdict.
fn comment(stderr: &[u8]) -> String {
    let said = text(stderr);
    let lines = said.lines().filter(|line| !line.trim().is_empty() && !VERDICTS.contains(&line.trim()));
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_a_number_from_0_to_1_in_the_first_line() {
        assert_eq!(share(b"1.0\n"), Ok(1.0));
        assert_eq!(share(b" 0.25 \nmore\n"), Ok(0.25));
        assert_eq!(share(b"0"), Ok(0.0));
        for none in ["", "ok", "-0.5", "1.5", "nan", "inf", "0.5 well done", "\n1"] {
            let line = none.lines().next().unwrap_or_default();
            assert_eq!(share(none.as_bytes()), Err(NoShare(line.to_owned())));
        }
    }

    #[test]
    fn words_that_repeat_the_verdict_are_no_message() {
        assert_eq!(reason(b"translate:wrong\n"), None);
        assert_eq!(reason(b"translate:partial\nADMIN_MESSAGE:3 of 4\n").as_deref(), Some("ADMIN_MESSAGE:3 of 4"));
    }
}
