//! Reads the messages of DMOJ's programs: checkers write to standard output, interactors to standard error. A line of
//! standard error may state a share of the points (type `coci`).
//!
//! Source: DMOJ's documentation, "Native checkers", and `dmoj/contrib/`.

use super::PrintedStreams;
use super::feedback::{Feedback, text};

/// The exit code with which a share comes.
pub(super) const PART: i32 = 7;
/// How the line with the share begins.
const BEGIN: &str = "partial ";

/// No line of standard error states a share from 0 to 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NoFraction(
    /// The first line.
    pub(super) String,
);

/// The share of the points in a line such as `partial 3/4`.
pub(super) fn share(stderr: &[u8]) -> Result<f64, NoFraction> {
    let said = text(stderr);
    let fraction = |line: &str| {
        let (part, whole) = line.strip_prefix(BEGIN)?.split_once('/')?;
        let share = f64::from(part.parse::<u32>().ok()?) / f64::from(whole.parse::<u32>().ok()?);
        (0.0..=1.0).contains(&share).then_some(share)
    };
    said.lines().find_map(fraction).ok_or_else(|| NoFraction(said.lines().next().unwrap_or_default().to_owned()))
}

/// The feedback of a program that ended with this exit code.
pub(super) fn feedback(code: Option<i32>, printed: PrintedStreams<'_>) -> Feedback {
    let part = share(printed.stderr).ok().filter(|share| code == Some(PART) && *share > 0.0);
    let said = message(printed);
    Feedback {
        multiplier: part.map(|share| share.to_string()),
        gives_points: code == Some(PART),
        message: (!said.trim().is_empty()).then_some(said),
        ..Feedback::default()
    }
}

/// The first line of the message.
pub(super) fn reason(printed: PrintedStreams<'_>) -> Option<String> {
    message(printed).lines().find(|line| !line.trim().is_empty()).map(str::to_owned)
}

/// The message: standard output, or standard error without the line of the share.
fn message(printed: PrintedStreams<'_>) -> String {
    let said = text(printed.stdout);
    if !said.trim().is_empty() {
        return said;
    }
    text(printed.stderr).lines().filter(|line| !line.starts_with(BEGIN)).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_a_fraction_in_a_line_of_its_own() {
        assert_eq!(share(b"note\npartial 3/4\n"), Ok(0.75));
        assert_eq!(share(b"partial 0/4"), Ok(0.0));
        for none in ["", "partial", "partial 1", "partial 5/4", "partial 1/0", "partial -1/2", "a partial 1/2"] {
            assert_eq!(share(none.as_bytes()), Err(NoFraction(none.to_owned())), "{none}");
        }
    }
}
