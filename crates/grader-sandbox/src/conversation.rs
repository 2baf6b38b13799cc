//! An interactive run: connects the standard streams of two programs crosswise and reads everything that they write on
//! its way.

use std::fs::File;
use std::os::fd::{AsFd, OwnedFd};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags};
use rustix::pipe::{PipeFlags, pipe_with};

use super::link::{Keeper, Patience};
use super::meter::{Meter, Printing};
use super::partner_time::Relay;
use super::pipe::{Canceller, Stream, errno, ready, system, wait_for};
use super::tree::PipeId;
use super::wire::Order;
use super::{
    Conversation, Exit, Interaction, Kill, Loss, Outcome, Request, SandboxError, Side, Standstill, partner_time,
};

/// How far one side of a conversation may be ahead of the other's reading, in bytes.
const RELAY_SIZE: usize = 64 * 1024;
/// How often the grader reads one side before the other has its turn. A side may print faster than the grader reads.
const READS_AT_ONCE: usize = 16;
/// How long the grader holds back the end of one side's output while that side may still be ending. The other side must
/// not react to it before the grader knows which side ended first.
const HELD_BACK: Duration = Duration::from_millis(400);
/// How long the interactor may take to react to the last words of a failed submission before it hears of the end. A
/// rejection of those words must not depend on which of the two processes is faster.
const LAST_WORDS: Duration = Duration::from_secs(3);
/// How long the interactor may go on after the sandbox ended the submission. Nothing that it does then counts.
const AFTER_THE_END: Duration = LAST_WORDS;
/// How often the grader checks whether the interactor has read those words and waits for more.
const LAST_WORDS_CHECK: Duration = Duration::from_millis(2);

/// When the grader checks whether both sides wait for each other: after this much silence, and at most this long after
/// the last check.
const LOOKS: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(1));

/// An interactive run in progress. Index 0 is the submission, 1 the interactor.
pub(super) struct Talk {
    sides: [TalkSide; 2],
    relay: Relay,
    start: Instant,
    patience: Patience,
    cancelled: bool,
    silence: Silence,
    /// Whether the interactor ended before it could know the end of the submission's output.
    unaware: bool,
    /// Set if the grader ended the interactor: whether it left output of the submission unread.
    abandoned: Option<bool>,
}

/// The time since either side last wrote, and what was found out during it.
struct Silence {
    since: Instant,
    next_look: Instant,
    /// Set if both sides were seen waiting for each other. It stays set until one of them writes.
    standstill: Option<Standstill>,
    /// Whether the submission has ended. Later output is a reaction to that.
    over: bool,
}

struct TalkSide {
    side: Side,
    keeper: Keeper,
    /// The pipe that its program reads from.
    input: Option<PipeId>,
    /// When it last wrote, and whether that output ended with a line break.
    said: Option<(Instant, bool)>,
    out: Stream,
    err: Stream,
    /// The writing end of the other side's input; None after closing.
    to_other: Option<OwnedFd>,
    pending: Vec<u8>,
    meter: Meter,
    /// When its output ended.
    silent: Option<Instant>,
    /// Whether the other side knows of the end of this side's output.
    told: bool,
    end: Option<(Outcome, Duration)>,
    /// When the sandbox ended its program.
    stopped: Option<Instant>,
}

impl Talk {
    /// Starts the interactor first, as every judge does.
    pub(super) fn start(keepers: [Keeper; 2], requests: [&Request; 2]) -> Result<Self, SandboxError> {
        let start = Instant::now();
        let mut to_submission = input_pipe()?;
        let mut to_interactor = input_pipe()?;
        let shared = partner_time::counter().map_err(system("cannot create an event descriptor"))?;
        let [first, second] = keepers;
        let make = |side, mut keeper: Keeper, request: &Request, own: File, other: &mut Option<OwnedFd>| {
            let (out, out_write) = Stream::wide_pipe()?;
            let (err, err_write) = Stream::pipe()?;
            let input = PipeId::of(&own);
            keeper.order(request, [own.as_fd(), out_write.as_fd(), err_write.as_fd()], Some((side, shared.as_fd())))?;
            let meter = Meter::new(&request.limits);
            Ok(TalkSide {
                side,
                keeper,
                input,
                said: None,
                out,
                err,
                to_other: other.take(),
                pending: Vec::new(),
                meter,
                silent: None,
                told: false,
                end: None,
                stopped: None,
            })
        };
        let interactor = make(Side::Interactor, second, requests[1], to_interactor.0, &mut to_submission.1)?;
        let submission = make(Side::Submission, first, requests[0], to_submission.0, &mut to_interactor.1)?;
        let patience = Patience::for_run(requests[0].limits.wall.saturating_add(requests[1].limits.wall));
        let sides = [submission, interactor];
        let relay = Relay::new(shared);
        let silence = Silence { since: start, next_look: start + LOOKS.0, standstill: None, over: false };
        Ok(Self { sides, relay, start, patience, cancelled: false, silence, unaware: false, abandoned: None })
    }

    pub(super) fn run(
        &mut self,
        canceller: &Canceller,
        buffer: &mut [u8],
        conversation: &mut dyn Conversation,
    ) -> Result<Interaction, SandboxError> {
        while self.sides.iter().any(|side| side.end.is_none()) {
            if self.wait(canceller)? {
                self.cancelled = true;
                self.patience.shorten();
                self.sides.iter().for_each(|side| side.keeper.tell(&Order::Cancel));
            }
            let [submission, interactor] = &mut self.sides;
            submission.advance(self.start, buffer, conversation)?;
            submission.tell(interactor);
            self.silence.look(submission, interactor);
            let was_running = interactor.end.is_none();
            interactor.advance(self.start, buffer, conversation)?;
            interactor.tell(submission);
            self.unaware |= was_running && interactor.end.is_some() && !submission.told;
            self.relay.tell();
            self.end_interactor();
        }
        for side in &mut self.sides {
            // All processes are dead, and the other side no longer reads this output. It still counts.
            while side.read_error(buffer, conversation)? {}
            while side.read_output(self.start, buffer, conversation)?.is_some() {}
            if let Some((outcome, _)) = &mut side.end {
                side.meter.settle(outcome);
            }
        }
        let mut ends = self.sides.iter().map(|side| side.end.clone());
        let (Some(Some((submission, a))), Some(Some((mut interactor, b)))) = (ends.next(), ends.next()) else {
            return Err(SandboxError::Keeper(Loss::Protocol("never ended a side of the conversation")));
        };
        // The report of the submission's end may come after that of a later end.
        let unaware = self.unaware && self.sides[0].has_failed();
        let first = if a < b && !unaware { Side::Submission } else { Side::Interactor };
        let unread = (self.abandoned == Some(true)).then_some(Standstill::Unread);
        let standstill = self.silence.standstill.or(unread).filter(|_| submission.killed == Some(Kill::Wall));
        let abandoned = self.abandoned.is_some() && interactor.killed == Some(Kill::Cancelled) && !self.cancelled;
        if abandoned {
            interactor.killed = Some(Kill::Wall);
        }
        Ok(Interaction { submission, interactor, first, standstill, abandoned })
    }

    /// Ends an interactor that goes on although the sandbox ended the submission a while ago.
    fn end_interactor(&mut self) {
        let is_late = self.time_to_end().is_some_and(|left| left.is_zero());
        let [submission, interactor] = &self.sides;
        if is_late && interactor.end.is_none() {
            self.abandoned = Some(!submission.is_read());
            interactor.keeper.tell(&Order::Cancel);
        }
    }

    /// The time until the interactor must have ended; None while the submission runs or after it has ended by itself.
    fn time_to_end(&self) -> Option<Duration> {
        let stopped = self.sides[0].stopped.filter(|_| self.abandoned.is_none() && !self.cancelled)?;
        Some(AFTER_THE_END.saturating_sub(stopped.elapsed()))
    }

    /// Returns the keepers for the next run.
    pub(super) fn into_keepers(self) -> [Keeper; 2] {
        self.sides.map(|side| side.keeper)
    }

    /// Waits until something can be relayed. Returns true if the run has just been cancelled.
    fn wait(&self, canceller: &Canceller) -> Result<bool, SandboxError> {
        let mut fds = Vec::with_capacity(7);
        // A cancellation stays set: later runs of this job are not needed either.
        fds.extend((!self.cancelled).then(|| canceller.poll_fd()));
        for side in &self.sides {
            if side.end.is_none() {
                fds.push(PollFd::from_borrowed_fd(side.keeper.socket(), PollFlags::IN));
            }
            fds.extend(side.err.poll_fd());
            match &side.to_other {
                // Do not read further ahead than the other side reads.
                Some(other) if !side.pending.is_empty() => fds.push(PollFd::new(other, PollFlags::OUT)),
                _ => fds.extend(side.out.poll_fd()),
            }
        }
        let left = self.patience.left()?;
        let held_back = self.sides.iter().filter_map(TalkSide::held_back).min();
        let look = self.silence.left();
        let end = self.time_to_end();
        wait_for(&mut fds, left.into_iter().chain(held_back).chain(look).chain(end).min())?;
        Ok(!self.cancelled && ready(&fds[0]))
    }
}

impl Silence {
    /// The time until the next check; None if there will be none.
    fn left(&self) -> Option<Duration> {
        let looks = !self.over && self.standstill.is_none();
        looks.then(|| self.next_look.saturating_duration_since(Instant::now()))
    }

    /// Checks, from time to time, whether both sides wait for each other.
    fn look(&mut self, submission: &TalkSide, interactor: &TalkSide) {
        if self.over {
            return;
        }
        let now = Instant::now();
        let spoke = submission.said.into_iter().chain(interactor.said).map(|(at, _)| at).max();
        if let Some(spoke) = spoke.filter(|spoke| *spoke > self.since) {
            *self = Self { since: spoke, next_look: now + LOOKS.0, standstill: None, over: false };
        }
        if interactor.end.is_some() {
            self.standstill = None;
        }
        self.over = submission.end.is_some() || interactor.end.is_some();
        if self.over || self.standstill.is_some() || now < self.next_look {
            return;
        }
        self.next_look = now + ((now - self.since) / 4).clamp(LOOKS.0, LOOKS.1);
        if [submission, interactor].into_iter().all(|side| side.is_read() && side.awaits()) {
            let heard = interactor.said.map(|(at, _)| at);
            self.standstill = Some(match (submission.meter.cut(), submission.said) {
                (Some(limit), _) => Standstill::Cut { limit },
                (None, None) => Standstill::Silent,
                (None, Some((_, false))) => Standstill::OpenLine,
                (None, Some((at, true))) if heard.is_some_and(|heard| heard > at) => Standstill::Unanswered,
                (None, Some((_, true))) => Standstill::Answered,
            });
        }
    }
}

impl TalkSide {
    /// Whether the other side has read everything that this side has written.
    fn is_read(&self) -> bool {
        let is_empty = |fd: &OwnedFd| rustix::io::ioctl_fionread(fd).is_ok_and(|left| left == 0);
        self.out.is_drained() && self.pending.is_empty() && self.to_other.as_ref().is_some_and(is_empty)
    }

    /// Whether its program sleeps in a read of the other side's output.
    fn awaits(&self) -> bool {
        self.input.is_some_and(|input| self.keeper.awaits(input))
    }

    /// Relays everything that can be relayed without waiting.
    fn advance(
        &mut self,
        start: Instant,
        buffer: &mut [u8],
        conversation: &mut dyn Conversation,
    ) -> Result<(), SandboxError> {
        if self.end.is_none() && self.socket_ready()? {
            let end = self.keeper.reply()?;
            let is_stopped = end.0.killed.is_some_and(|kill| kill != Kill::Cancelled);
            self.stopped = is_stopped.then(Instant::now);
            self.end = Some(end);
        }
        self.read_error(buffer, conversation)?;
        self.flush();
        for _ in 0..READS_AT_ONCE {
            if !self.pending.is_empty() {
                break;
            }
            let Some(granted) = self.read_output(start, buffer, conversation)? else { break };
            if self.to_other.is_some() {
                self.pending.extend_from_slice(granted);
            }
            self.flush();
        }
        if !self.out.is_open() || self.end.is_some() && self.out.is_drained() {
            self.silent.get_or_insert_with(Instant::now);
        }
        Ok(())
    }

    /// Ends the other side's input when this side's output has ended and nothing is a reason to wait any longer.
    fn tell(&mut self, other: &Self) {
        let Some(since) = self.silent.filter(|_| self.pending.is_empty() && !self.told) else { return };
        let heard = || other.end.is_some() || self.is_read() && other.awaits();
        if since.elapsed() >= self.patience() || self.has_failed() && heard() {
            self.told = true;
            self.to_other = None;
        }
    }

    /// How long the end of this side's output is held back at most.
    fn patience(&self) -> Duration {
        match self.end {
            None => HELD_BACK,
            Some(_) if self.has_failed() => LAST_WORDS,
            Some(_) => Duration::ZERO,
        }
    }

    /// Whether this side is a submission that ended by its own failure, and not by a limit.
    fn has_failed(&self) -> bool {
        let failed = |(outcome, _): &(Outcome, Duration)| outcome.killed.is_none() && outcome.exit != Exit::Code(0);
        self.side == Side::Submission && self.end.as_ref().is_some_and(failed)
    }

    /// The time until the next check whether the end of its output is still held back. None if it is not held back.
    fn held_back(&self) -> Option<Duration> {
        let since = self.silent.filter(|_| self.to_other.is_some() && self.pending.is_empty())?;
        let left = self.patience().saturating_sub(since.elapsed());
        Some(if self.has_failed() { left.min(LAST_WORDS_CHECK) } else { left })
    }

    fn socket_ready(&self) -> Result<bool, SandboxError> {
        let mut fds = [PollFd::from_borrowed_fd(self.keeper.socket(), PollFlags::IN)];
        wait_for(&mut fds, Some(Duration::ZERO))?;
        Ok(ready(&fds[0]))
    }

    /// Reads output once, and returns the part to pass on. `None` means that nothing is available now.
    fn read_output<'b>(
        &mut self,
        start: Instant,
        buffer: &'b mut [u8],
        conversation: &mut dyn Conversation,
    ) -> Result<Option<&'b [u8]>, SandboxError> {
        let limit = buffer.len().min(RELAY_SIZE);
        let Some(bytes) = self.out.read(&mut buffer[..limit])? else { return Ok(None) };
        let (granted, crossed) = self.meter.take(Printing::Stdout, bytes);
        if let Some(last) = granted.last() {
            self.said = Some((Instant::now(), *last == b'\n'));
        }
        conversation.said(self.side, start.elapsed(), granted);
        if crossed {
            self.keeper.tell(&Order::Flooded);
        }
        Ok(Some(granted))
    }

    fn read_error(&mut self, buffer: &mut [u8], conversation: &mut dyn Conversation) -> Result<bool, SandboxError> {
        let Some(bytes) = self.err.read(buffer)? else { return Ok(false) };
        let (granted, crossed) = self.meter.take(Printing::Stderr, bytes);
        conversation.stderr(self.side, granted);
        if crossed {
            self.keeper.tell(&Order::Flooded);
        }
        Ok(true)
    }

    /// Writes as much as the other side has room for. Output to a side that no longer reads is discarded.
    fn flush(&mut self) {
        let Some(other) = &self.to_other else {
            self.pending.clear();
            return;
        };
        while !self.pending.is_empty() {
            match rustix::io::retry_on_intr(|| rustix::io::write(other, &self.pending)) {
                Ok(n) => drop(self.pending.drain(..n)),
                Err(rustix::io::Errno::AGAIN) => return,
                // The reader has closed its end, so the rest is discarded.
                Err(_) => {
                    self.pending.clear();
                    self.to_other = None;
                    return;
                }
            }
        }
    }
}

/// Creates a program's input: its reading end, and the grader's non-blocking writing end.
fn input_pipe() -> Result<(File, Option<OwnedFd>), SandboxError> {
    let (read, write) = pipe_with(PipeFlags::CLOEXEC).map_err(errno("cannot create a pipe"))?;
    rustix::io::ioctl_fionbio(&write, true).map_err(errno("cannot set up a pipe"))?;
    Ok((File::from(read), Some(write)))
}
