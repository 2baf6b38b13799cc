//! Reads the messages and points of a judging program beside its decision.

use serde::{Deserialize, Serialize};

/// The messages and points that an output validator or interactor writes, apart from its decision.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Feedback {
    /// For the judges: `judgemessage.txt`, or else the printed text; bounded.
    pub message: Option<String>,
    /// For the author of the submission: `teammessage.txt`; bounded.
    pub team_message: Option<String>,
    /// The text of `score.txt`, which need not be a number; bounded.
    pub score: Option<String>,
    /// The text of `score_multiplier.txt`, with the same rules.
    pub multiplier: Option<String>,
    /// Whether it gave points in place of a verdict, which means nothing in a problem without points.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub gives_points: bool,
    /// Why one of these two files exists but cannot be read. Without this error the case would get full points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unreadable: Option<String>,
}

impl Feedback {
    /// Removes the points.
    pub fn take_points(&mut self) {
        self.score = None;
        self.multiplier = None;
        self.unreadable = None;
        self.gives_points = false;
    }

    /// Adds the feedback of another validator.
    ///
    /// # Errors
    /// Both validators gave points, so it is not known which count.
    pub fn add(&mut self, other: Self) -> Result<(), TwoScores> {
        for (own, other, name) in [
            (&mut self.score, other.score, "score.txt"),
            (&mut self.multiplier, other.multiplier, "score_multiplier.txt"),
        ] {
            if own.is_some() && other.is_some() {
                return Err(TwoScores(name));
            }
            *own = own.take().or(other);
        }
        self.unreadable = self.unreadable.take().or(other.unreadable);
        self.gives_points |= other.gives_points;
        for (own, other) in [(&mut self.message, other.message), (&mut self.team_message, other.team_message)] {
            *own = match (own.take(), other) {
                (Some(own), Some(other)) => Some(format!("{own}\n{other}")),
                (own, other) => own.or(other),
            };
        }
        Ok(())
    }
}

/// Two output validators wrote the file of this name, so it is not known whose points count.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("two output validators wrote {0}")]
pub struct TwoScores(&'static str);

/// The printed bytes as text, without white space at the end.
pub(super) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim_end().to_owned()
}
