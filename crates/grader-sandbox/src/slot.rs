//! The grader's side of a slot: orders its keepers, relays the streams, and manages the slot's box.

use std::fs::File;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags};

use super::conversation::Talk;
use super::lease::ControlGroups;
use super::link::Patience;
use super::meter::{Meter, Printing};
use super::pipe::{Canceller, Stream, ready, system, wait_for};
use super::program_copies::Programs;
use super::slot_side::SlotSide;
use super::wire::Order;
use super::{
    AttemptError, Conversation, Interaction, Isolation, Outcome, Place, Request, Sandbox, SandboxError, Side, Sight,
    Sink, Workdir, input, once_more, renewable_dir,
};
use grader_model::limits::{Bytes, Limits, Overflow};

/// The size of one read. It fits the second-level cache together with the answer that it is compared with.
const READ_SIZE: usize = 128 * 1024;
/// How long the grader waits before it reads output for the first time. Most programs end within this time, and their
/// output fits into the pipe. This thread then wakes once, not for each piece of output.
const QUIET: Duration = Duration::from_millis(2);

/// A slot backed by keeper processes.
pub struct Slot {
    dir: PathBuf,
    isolation: Isolation,
    canceller: Canceller,
    /// The submission's side, then the side of the validator or interactor.
    sides: [SlotSide; 2],
    programs: Programs,
    buffer: Vec<u8>,
    /// The keepers that ended although the grader did not want that.
    lost_keepers: u64,
}

impl Slot {
    /// Creates a slot that works below `dir` and starts keepers from `binary`, the grader's own executable. The slots of one
    /// grader are in the same directory, which this layer may need too ([`Isolation::gives_boxes_away`]).
    pub fn new(binary: &Path, dir: &Path, isolation: Isolation) -> Result<Self, SandboxError> {
        std::fs::create_dir_all(dir).map_err(system(&format!("cannot create {}", dir.display())))?;
        let canceller = Canceller::new().map_err(system("cannot create an event descriptor"))?;
        let sides = ["submission", "judge"].map(|name| SlotSide::new(binary, &dir.join(name), isolation));
        let programs = Programs::new(dir, isolation);
        let buffer = vec![0; READ_SIZE];
        Ok(Self { dir: dir.to_owned(), isolation, canceller, sides, programs, buffer, lost_keepers: 0 })
    }

    /// Enters the walls now, not at the first run. An error says why this kind of walls is not available here.
    pub fn warm_up(&mut self) -> Result<(), SandboxError> {
        let warm_up = || {
            let done = self.sides[0].warm_up();
            self.counted(done)?;
            if self.isolation.has_walls() { self.rehearse() } else { Ok(()) }
        };
        once_more(warm_up, |()| false)
    }

    /// Tries to run a program that does not exist. A run needs more than its keeper, such as a separate `/proc`. The
    /// missing program must be the only error here.
    fn rehearse(&mut self) -> Result<(), SandboxError> {
        let second = Duration::from_secs(1);
        let memory = Bytes::mib(64);
        let output = Bytes::mib(1);
        let overflow = Overflow::Kill;
        let limits = Limits { cpu: second, wall: second, memory, output, overflow, processes: 16 };
        let sight = Sight::default();
        self.fresh_box(Side::Submission, &sight)?;
        let argv = vec!["/program/of/nobody".into()];
        let request = Request { argv, env: Vec::new(), place: Place::Box(sight), limits, core: None };
        let nothing = File::open("/dev/null").map_err(system("cannot open /dev/null"))?;
        match self.run(Side::Submission, &request, nothing, &mut NullSink) {
            Ok(_) | Err(SandboxError::Exec { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Counts a lost keeper, if the result reports one.
    fn counted<T>(&mut self, done: Result<T, SandboxError>) -> Result<T, SandboxError> {
        self.lost_keepers += u64::from(done.as_ref().is_err_and(AttemptError::is_from_outside));
        done
    }

    fn side(&mut self, side: Side) -> &mut SlotSide {
        match side {
            Side::Submission => &mut self.sides[0],
            Side::Interactor => &mut self.sides[1],
        }
    }
}

/// A sink for a program that prints nothing.
struct NullSink;

impl Sink for NullSink {
    fn stdout(&mut self, _: &[u8]) {}

    fn stderr(&mut self, _: &[u8]) {}
}

/// One attempt each.
impl Slot {
    fn try_to_run(
        &mut self,
        side: Side,
        request: &Request,
        stdin: File,
        sink: &mut dyn Sink,
    ) -> Result<Outcome, SandboxError> {
        let walled = self.isolation.has_walls() && matches!(request.place, Place::Box(_));
        let stdin = if walled { input::sealed(stdin).map_err(system("cannot prepare the input"))? } else { stdin };
        let request = &self.programs.shown(side, request)?;
        let mut keeper = self.side(side).take(request)?;
        let (mut out, out_write) = Stream::wide_pipe()?;
        let (mut err, err_write) = Stream::pipe()?;
        keeper.order(request, [stdin.as_fd(), out_write.as_fd(), err_write.as_fd()], None)?;
        drop((stdin, out_write, err_write));
        let mut meter = Meter::new(&request.limits);
        let mut cancelled = false;
        let mut quiet = true;
        let mut patience = Patience::for_run(request.limits.wall);
        let mut deliver = |stream: &mut Stream, which: Printing, buffer: &mut [u8], sink: &mut dyn Sink| {
            let Some(bytes) = stream.read(buffer)? else { return Ok(false) };
            let (granted, crossed) = meter.take(which, bytes);
            match which {
                Printing::Stdout => sink.stdout(granted),
                Printing::Stderr => sink.stderr(granted),
            }
            if crossed {
                keeper.tell(&Order::Flooded);
            }
            Ok(true)
        };
        loop {
            let left = patience.left()?;
            let (ended, cancel) = {
                let mut fds = vec![PollFd::from_borrowed_fd(keeper.socket(), PollFlags::IN)];
                // A cancellation stays set: later runs of this job are not needed either.
                fds.extend((!cancelled).then(|| self.canceller.poll_fd()));
                if std::mem::take(&mut quiet) {
                    wait_for(&mut fds, Some(QUIET))?;
                } else {
                    fds.extend(out.poll_fd());
                    fds.extend(err.poll_fd());
                    wait_for(&mut fds, left)?;
                }
                (ready(&fds[0]), !cancelled && ready(&fds[1]))
            };
            if cancel {
                cancelled = true;
                patience.shorten();
                keeper.tell(&Order::Cancel);
            }
            deliver(&mut out, Printing::Stdout, &mut self.buffer, sink)?;
            deliver(&mut err, Printing::Stderr, &mut self.buffer, sink)?;
            if ended {
                // All processes are dead, so the pipes contain the rest of the output.
                while deliver(&mut out, Printing::Stdout, &mut self.buffer, sink)? {}
                while deliver(&mut err, Printing::Stderr, &mut self.buffer, sink)? {}
                break;
            }
        }
        let reply = keeper.reply();
        if !matches!(reply, Err(SandboxError::Keeper(_) | SandboxError::Refused(_))) {
            self.side(side).give_back(keeper, request);
        }
        let (mut outcome, _) = reply?;
        meter.settle(&mut outcome);
        Ok(outcome)
    }

    fn try_to_interact(
        &mut self,
        submission: &Request,
        interactor: &Request,
        conversation: &mut dyn Conversation,
    ) -> Result<Interaction, SandboxError> {
        let submission = &self.programs.shown(Side::Submission, submission)?;
        let interactor = &self.programs.shown(Side::Interactor, interactor)?;
        let keepers = [self.sides[0].take(submission)?, self.sides[1].take(interactor)?];
        let mut talk = Talk::start(keepers, [submission, interactor])?;
        let ends = talk.run(&self.canceller, &mut self.buffer, conversation)?;
        let [first, second] = talk.into_keepers();
        self.sides[0].give_back(first, submission);
        self.sides[1].give_back(second, interactor);
        Ok(ends)
    }
}

impl Sandbox for Slot {
    fn run(
        &mut self,
        side: Side,
        request: &Request,
        stdin: File,
        sink: &mut dyn Sink,
    ) -> Result<Outcome, SandboxError> {
        let ran = self.try_to_run(side, request, stdin, sink);
        self.counted(ran)
    }

    fn interact(
        &mut self,
        submission: &Request,
        interactor: &Request,
        conversation: &mut dyn Conversation,
    ) -> Result<Interaction, SandboxError> {
        let talked = self.try_to_interact(submission, interactor, conversation);
        self.counted(talked)
    }

    fn canceller(&self) -> Canceller {
        self.canceller.clone()
    }

    fn fresh_box(&mut self, side: Side, sight: &Sight) -> Result<Workdir, SandboxError> {
        let made = self.side(side).fresh_box(sight);
        self.counted(made)
    }

    fn program_dir(&self, dir: &Path) -> PathBuf {
        self.programs.place_of(dir)
    }

    fn isolation(&self) -> Isolation {
        self.isolation
    }

    fn warm_up(&mut self) -> Result<(), SandboxError> {
        Self::warm_up(self)
    }

    fn lost_keepers(&self) -> u64 {
        self.lost_keepers
    }

    fn control_groups(&self) -> Vec<ControlGroups> {
        self.sides.iter().filter_map(SlotSide::control_groups).collect()
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        // Other code removes the scratch directory, but cannot handle every file that programs create.
        let _ = renewable_dir::remove(&self.dir);
    }
}
