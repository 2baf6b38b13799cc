//! Runs a submission against an interactor. Records a transcript with times, and rules on the result.

use std::fmt::Write as _;
use std::time::Duration;

use super::feedback::Feedback;
use super::validator::{PreparedValidator, Validator, ValidatorError};
use super::{PrintedStreams, Rejection, rule_on_interaction};
use crate::limits::JudgeLimits;
use crate::ruleset::Ruleset;
use crate::sandbox::{Conversation, Interaction, Kill, Request, Sandbox, Side, Standstill};
use crate::verdict::Verdict;

/// The parts of a conversation that are kept, in bytes: its beginning and its end.
const HEAD_CAP: usize = 256 * 1024;
const TAIL_CAP: usize = 256 * 1024;
/// The most standard error that is kept, in bytes.
const STDERR_CAP: usize = 64 * 1024;

/// A finished conversation.
pub(super) struct FinishedConversation {
    /// The facts of both sides.
    pub interaction: Interaction,
    /// The rejection; none if the run was accepted or cancelled.
    pub rejection: Option<Rejection>,
    /// The interactor's feedback files; its standard error if it wrote none.
    pub feedback: Feedback,
    /// The first line that the interactor wrote in this conversation.
    pub reason: Option<String>,
    /// Set if the submission is over time because both sides waited for each other.
    pub standstill: Option<Standstill>,
    /// All messages with their times.
    pub transcript: Transcript,
}

/// Runs a submission against an interactor. Adds their messages to `transcript`.
pub(super) fn talk(
    submission: &Request,
    limits: &JudgeLimits,
    ruleset: Ruleset,
    interactor: &Validator<'_>,
    prepared: &PreparedValidator,
    mut transcript: Transcript,
    sandbox: &mut dyn Sandbox,
) -> Result<FinishedConversation, ValidatorError> {
    let mut judge = prepared.request.clone();
    // The interactor waits for the submission, so it needs more time.
    judge.limits.wall += submission.limits.wall;
    let mut interaction = sandbox.interact(submission, &judge, &mut transcript)?;
    if interaction.interactor.killed == Some(Kill::Cancelled) {
        // The submission may have ended by itself just before, but without its judge that means nothing.
        interaction.submission.killed = Some(Kill::Cancelled);
    } else if interaction.submission.killed != Some(Kill::Cancelled) {
        interactor.undisturbed(&interaction.interactor)?;
    }
    transcript.close();
    let said = &transcript.judge_stderr;
    let printed = PrintedStreams { stdout: &[], stderr: said };
    let (feedback, reason) = interactor.heard(prepared, &interaction.interactor, said, printed);
    let rejection = if interaction.submission.killed == Some(Kill::Cancelled) {
        None
    } else {
        let decision = interactor.decision(&interaction.interactor, printed);
        rule_on_interaction(&interaction, decision, limits, ruleset)
            .map_err(|broken| interactor.failed(&interaction.interactor, broken, &transcript.judge_stderr))?
    };
    let is_late = rejection.as_ref().is_some_and(|(verdict, _)| *verdict == Verdict::TimeLimit);
    let standstill = interaction.standstill.filter(|_| is_late);
    Ok(FinishedConversation { interaction, rejection, feedback, reason, standstill, transcript })
}

/// Explains a standstill in words. Names the call that flushes output in the submission's language, if it needs one.
pub(super) fn why_still(standstill: Standstill, flush: &str) -> String {
    let call = if flush.is_empty() { String::new() } else { format!(" ({flush})") };
    let why = match standstill {
        Standstill::Silent => format!("no output arrived; it may not have been flushed{call}"),
        Standstill::OpenLine => {
            format!("the last line of the output has no line end, or the rest was not flushed{call}")
        }
        Standstill::Unanswered => {
            format!("no output arrived after the interactor's last line; it may not have been flushed{call}")
        }
        Standstill::Cut { limit } => format!("the output beyond {limit} was discarded, as DOMjudge does"),
        Standstill::Unread => return "the interactor did not read all that the submission wrote".to_owned(),
        Standstill::Answered => format!("the interactor expected more output; it may not have been flushed{call}"),
    };
    format!("both sides waited for each other: {why}")
}

/// All messages of both sides with their times, bounded. The notation is that of `.interaction` files: `<` judge to
/// team, `>` team to judge. In front stands the time since the start of the pass. `---` separates passes.
#[derive(Debug, Clone, Default)]
pub(super) struct Transcript {
    text: Vec<u8>,
    tail: std::collections::VecDeque<u8>,
    left_out: u64,
    /// The unfinished line of each side, with the time of its first byte.
    open: [Option<(Duration, Vec<u8>)>; 2],
    /// The submission's standard error, bounded.
    pub stderr: Vec<u8>,
    judge_stderr: Vec<u8>,
}

impl Transcript {
    /// Returns the whole transcript as text, with a remark in place of an omitted middle.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.text.clone();
        if self.left_out > 0 {
            bytes.extend_from_slice(format!("… {} bytes left out …\n", self.left_out).as_bytes());
        }
        bytes.extend(&self.tail);
        bytes
    }

    /// The interactor's standard error, bounded.
    pub(super) fn judge_stderr(&self) -> &[u8] {
        &self.judge_stderr
    }

    /// Marks the start of another conversation.
    pub(super) fn next_pass(&mut self) {
        self.add(b"---\n".to_vec());
        self.stderr.clear();
        self.judge_stderr.clear();
    }

    fn line(&mut self, side: Side, at: Duration, line: &[u8]) {
        let mut head = String::new();
        let mark = if side == Side::Submission { '>' } else { '<' };
        let _ = write!(head, "{:9.6} {mark} ", at.as_secs_f64());
        self.add([head.as_bytes(), line, b"\n"].concat());
    }

    fn add(&mut self, bytes: Vec<u8>) {
        let room = HEAD_CAP.saturating_sub(self.text.len());
        if room >= bytes.len() && self.tail.is_empty() {
            self.text.extend_from_slice(&bytes);
            return;
        }
        self.tail.extend(bytes);
        let over = self.tail.len().saturating_sub(TAIL_CAP);
        self.left_out += over as u64;
        self.tail.drain(..over);
    }

    fn close(&mut self) {
        for side in [Side::Interactor, Side::Submission] {
            if let Some((at, bytes)) = self.open[side as usize].take().filter(|(_, bytes)| !bytes.is_empty()) {
                let line = [&bytes[..], "⏎̸".as_bytes()].concat();
                self.line(side, at, &line);
            }
        }
    }
}

impl Conversation for Transcript {
    fn said(&mut self, side: Side, at: Duration, bytes: &[u8]) {
        let (mut since, mut line) = self.open[side as usize].take().unwrap_or_else(|| (at, Vec::new()));
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            if line.is_empty() {
                since = at;
            }
            line.extend_from_slice(&part[..part.len().min(HEAD_CAP.saturating_sub(line.len()))]);
            if part.ends_with(b"\n") {
                while line.last().is_some_and(|byte| *byte == b'\n') {
                    line.pop();
                }
                self.line(side, since, &line);
                line.clear();
            }
        }
        self.open[side as usize] = Some((since, line));
    }

    fn stderr(&mut self, side: Side, bytes: &[u8]) {
        let kept = if side == Side::Submission { &mut self.stderr } else { &mut self.judge_stderr };
        let room = STDERR_CAP.saturating_sub(kept.len());
        kept.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn lines_are_told_apart_by_side_and_time() {
        let mut transcript = Transcript::default();
        transcript.said(Side::Interactor, at(1), b"first\n1 1");
        transcript.said(Side::Interactor, at(2), b" 1 1\n");
        transcript.said(Side::Submission, at(3), b"ll\nrr");
        transcript.close();
        let text = String::from_utf8(transcript.to_bytes()).unwrap();
        assert_eq!(text, " 0.001000 < first\n 0.001000 < 1 1 1 1\n 0.003000 > ll\n 0.003000 > rr⏎̸\n");
    }

    #[test]
    fn a_flood_is_bounded_and_keeps_its_end() {
        let mut transcript = Transcript::default();
        for i in 0..200_000 {
            transcript.said(Side::Submission, at(i), format!("{i}\n").as_bytes());
        }
        transcript.close();
        let bytes = transcript.to_bytes();
        assert!(bytes.len() < HEAD_CAP + TAIL_CAP + 100, "{}", bytes.len());
        assert!(bytes.ends_with(b"> 199999\n"));
    }
}
