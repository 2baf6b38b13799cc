//! The grader's side of a slot: orders a keeper about, moves the streams, and keeps the slot's box.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use rustix::event::{EventfdFlags, PollFd, PollFlags, eventfd, poll};
use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};
use rustix::pipe::{PipeFlags, pipe_with};

use super::wire::{self, Order, Reply};
use super::{Conversation, Interaction, Kill, Outcome, Request, Sandbox, SandboxError, Side, Sink};

/// The hidden first argument that makes the binary a keeper.
pub const KEEPER_ROLE: &str = "__keeper";
/// Larger than the default 64 KiB: fewer switches between program and grader on long outputs.
const PIPE_SIZE: usize = 1 << 20;
/// One read; fits the second-level cache together with the answer that it is compared with.
const READ_SIZE: usize = 128 * 1024;
/// What one side of a conversation may be ahead of the other's reading, in bytes.
const RELAY_SIZE: usize = 64 * 1024;

/// Wakes a slot whose result is no longer wanted. Cheap to clone; usable from any thread.
#[derive(Debug, Clone)]
pub struct Canceller(std::sync::Arc<OwnedFd>);

impl Canceller {
    /// A handle that nobody has used yet.
    pub fn new() -> io::Result<Self> {
        Ok(Self(std::sync::Arc::new(eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?)))
    }

    /// Ends the slot's current run as soon as possible.
    pub fn cancel(&self) {
        let _ = rustix::io::write(&*self.0, &1u64.to_ne_bytes());
    }

    /// Forgets a cancellation that came too late for the run it meant.
    pub fn reset(&self) {
        let _ = rustix::io::read(&*self.0, &mut [0u8; 8]);
    }
}

/// A slot backed by keeper processes.
pub struct Slot {
    binary: PathBuf,
    dir: PathBuf,
    canceller: Canceller,
    /// The keeper of the submission or validator, and a second one once an interactive problem needs it.
    keepers: [Option<Keeper>; 2],
    buffer: Vec<u8>,
}

impl Slot {
    /// A slot that works below `dir` and starts keepers from `binary`, the grader's own executable.
    pub fn new(binary: &Path, dir: &Path) -> Result<Self, SandboxError> {
        std::fs::create_dir_all(dir).map_err(system(&format!("cannot create {}", dir.display())))?;
        let canceller = Canceller::new().map_err(system("cannot create an event descriptor"))?;
        let first = Keeper::start(binary)?;
        Ok(Self {
            binary: binary.to_owned(),
            dir: dir.to_owned(),
            canceller,
            keepers: [Some(first), None],
            buffer: vec![0; READ_SIZE],
        })
    }

    /// The keeper, started anew if it was lost.
    fn keeper(&mut self, index: usize) -> Result<Keeper, SandboxError> {
        self.keepers[index].take().map_or_else(|| Keeper::start(&self.binary), Ok)
    }
}

fn system(what: &str) -> impl FnOnce(io::Error) -> SandboxError {
    move |source| SandboxError::System { what: what.to_owned(), source }
}

fn errno(what: &str) -> impl FnOnce(rustix::io::Errno) -> SandboxError {
    move |error| SandboxError::System { what: what.to_owned(), source: error.into() }
}

/// A connection to a keeper process. A keeper that answered strangely is dropped, never used again.
struct Keeper {
    socket: OwnedFd,
    process: std::process::Child,
    buffer: Vec<u8>,
}

impl Keeper {
    fn start(binary: &Path) -> Result<Self, SandboxError> {
        let fail = |source| SandboxError::Start { path: binary.to_owned(), source };
        let (ours, theirs) = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)
            .map_err(|error| fail(error.into()))?;
        #[expect(clippy::disallowed_methods, reason = "this is where keepers come from")]
        let mut command = std::process::Command::new(binary);
        command.arg(KEEPER_ROLE).env_clear().stdin(Stdio::from(theirs)).stdout(Stdio::null()).stderr(Stdio::null());
        let process = command.spawn().map_err(fail)?;
        Ok(Self { socket: ours, process, buffer: Vec::new() })
    }

    fn order(&self, request: &Request, streams: [BorrowedFd<'_>; 3]) -> Result<(), SandboxError> {
        wire::send(self.socket.as_fd(), &Order::Run(request.clone()), &streams)
            .map_err(|error| SandboxError::Keeper(format!("it takes no orders: {error}")))
    }

    fn kill(&self, reason: Kill) {
        // A keeper that is gone shows in `reply`.
        let _ = wire::send(self.socket.as_fd(), &Order::Kill(reason), &[]);
    }

    fn reply(&mut self) -> Result<(Outcome, Duration), SandboxError> {
        match wire::receive(self.socket.as_fd(), &mut self.buffer) {
            Ok(Some((Reply::Done { outcome, ended }, _))) => Ok((outcome, ended)),
            Ok(Some((Reply::NotExecuted { program, message }, _))) => Err(SandboxError::Exec { program, message }),
            Ok(Some((Reply::Failed(message), _))) => Err(SandboxError::Keeper(message)),
            Ok(None) => Err(SandboxError::Keeper("it ended unexpectedly".to_owned())),
            Err(error) => Err(SandboxError::Keeper(error.to_string())),
        }
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        // End of file on its socket makes a healthy keeper leave; it kills what it runs first.
        let _ = rustix::net::shutdown(&self.socket, rustix::net::Shutdown::Both);
        let _ = self.process.wait();
    }
}

/// The reading end of a program's stream.
struct Stream {
    fd: OwnedFd,
    open: bool,
}

impl Stream {
    /// A pipe: our reading end, never blocking, and the program's writing end.
    fn pipe() -> Result<(Self, OwnedFd), SandboxError> {
        let (read, write) = pipe_with(PipeFlags::CLOEXEC).map_err(errno("cannot create a pipe"))?;
        // An unprivileged user may have used up the allowance; then the default size does.
        let _ = rustix::pipe::fcntl_setpipe_size(&write, PIPE_SIZE);
        rustix::io::ioctl_fionbio(&read, true).map_err(errno("cannot set up a pipe"))?;
        Ok((Self { fd: read, open: true }, write))
    }

    /// None once it is closed: poll would report the hang-up for ever.
    fn poll_fd(&self) -> Option<PollFd<'_>> {
        self.open.then(|| PollFd::new(&self.fd, PollFlags::IN))
    }

    /// One read. `None`: nothing there now.
    fn read<'a>(&mut self, buffer: &'a mut [u8]) -> Result<Option<&'a [u8]>, SandboxError> {
        if !self.open {
            return Ok(None);
        }
        match rustix::io::retry_on_intr(|| rustix::io::read(&self.fd, &mut *buffer)) {
            Ok(0) => {
                self.open = false;
                Ok(None)
            }
            Ok(n) => Ok(Some(&buffer[..n])),
            Err(rustix::io::Errno::AGAIN) => Ok(None),
            Err(error) => Err(errno("cannot read a program's output")(error)),
        }
    }
}

/// What one side of a run has written, against its limit.
struct OutputMeter {
    left: u64,
}

impl OutputMeter {
    /// The part of `bytes` that is within the limit; true when the limit was crossed just now or before.
    fn take<'a>(&mut self, bytes: &'a [u8]) -> (&'a [u8], bool) {
        let wanted = bytes.len() as u64;
        let granted = wanted.min(self.left);
        self.left -= granted;
        (&bytes[..usize::try_from(granted).unwrap_or(bytes.len())], granted < wanted)
    }
}

fn ready(fd: &PollFd<'_>) -> bool {
    !fd.revents().is_empty()
}

fn wait_for(fds: &mut [PollFd<'_>], timeout: Option<Duration>) -> Result<(), SandboxError> {
    let timeout = timeout.map(|timeout| rustix::event::Timespec {
        tv_sec: timeout.as_secs().try_into().unwrap_or(i64::MAX),
        tv_nsec: timeout.subsec_nanos().into(),
    });
    match poll(fds, timeout.as_ref()) {
        Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
        Err(error) => Err(errno("cannot wait for a program")(error)),
    }
}

impl Sandbox for Slot {
    fn run(&mut self, request: &Request, stdin: File, sink: &mut dyn Sink) -> Result<Outcome, SandboxError> {
        let mut keeper = self.keeper(0)?;
        let (mut out, out_write) = Stream::pipe()?;
        let (mut err, err_write) = Stream::pipe()?;
        keeper.order(request, [stdin.as_fd(), out_write.as_fd(), err_write.as_fd()])?;
        drop((stdin, out_write, err_write));
        let mut meter = OutputMeter { left: request.limits.output.0 };
        let mut over = false;
        let mut deliver = |stream: &mut Stream, buffer: &mut [u8], to: &mut dyn FnMut(&[u8])| {
            let Some(bytes) = stream.read(buffer)? else { return Ok(false) };
            let (granted, crossed) = meter.take(bytes);
            to(granted);
            if crossed && !std::mem::replace(&mut over, true) {
                keeper.kill(Kill::Output);
            }
            Ok(true)
        };
        loop {
            let ended = {
                let mut fds =
                    vec![PollFd::new(&keeper.socket, PollFlags::IN), PollFd::new(&*self.canceller.0, PollFlags::IN)];
                fds.extend(out.poll_fd());
                fds.extend(err.poll_fd());
                wait_for(&mut fds, None)?;
                if ready(&fds[1]) {
                    self.canceller.reset();
                    keeper.kill(Kill::Cancelled);
                }
                ready(&fds[0])
            };
            deliver(&mut out, &mut self.buffer, &mut |bytes| sink.stdout(bytes))?;
            deliver(&mut err, &mut self.buffer, &mut |bytes| sink.stderr(bytes))?;
            if ended {
                // Everything that ran is dead: what is in the pipes is all there will be.
                while deliver(&mut out, &mut self.buffer, &mut |bytes| sink.stdout(bytes))? {}
                while deliver(&mut err, &mut self.buffer, &mut |bytes| sink.stderr(bytes))? {}
                break;
            }
        }
        let outcome = settle(keeper.reply(), over);
        if !matches!(outcome, Err(SandboxError::Keeper(_))) {
            self.keepers[0] = Some(keeper);
        }
        outcome.map(|(outcome, _)| outcome)
    }

    fn interact(
        &mut self,
        submission: &Request,
        interactor: &Request,
        conversation: &mut dyn Conversation,
    ) -> Result<Interaction, SandboxError> {
        let keepers = [self.keeper(0)?, self.keeper(1)?];
        let mut talk = Talk::start(keepers, [submission, interactor])?;
        let ends = talk.run(&self.canceller, &mut self.buffer, conversation)?;
        let [first, second] = talk.sides.map(|side| side.keeper);
        self.keepers = [Some(first), Some(second)];
        Ok(ends)
    }

    fn canceller(&self) -> Canceller {
        self.canceller.clone()
    }

    fn fresh_box(&mut self, side: Side) -> Result<PathBuf, SandboxError> {
        let path = self.dir.join(match side {
            Side::Submission => "box",
            Side::Interactor => "judge",
        });
        let fail = |error| system(&format!("cannot prepare {}", path.display()))(error);
        match std::fs::read_dir(&path) {
            Ok(mut entries) => {
                if entries.next().is_none() {
                    return Ok(path);
                }
                remove_tree(&path).map_err(fail)?;
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            // A program made its own box unreadable.
            Err(_) => remove_tree(&path).map_err(fail)?,
        }
        std::fs::create_dir(&path).map_err(fail)?;
        Ok(path)
    }
}

/// The program may have made directories that even their owner cannot list.
fn remove_tree(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    if std::fs::remove_dir_all(path).is_ok() {
        return Ok(());
    }
    for entry in walkdir::WalkDir::new(path).follow_links(false).into_iter().flatten() {
        if entry.file_type().is_dir() {
            let _ = std::fs::set_permissions(entry.path(), std::fs::Permissions::from_mode(0o700));
        }
    }
    std::fs::remove_dir_all(path)
}

/// An output limit that was crossed in the pipe after the program had ended is still crossed.
fn settle(reply: Result<(Outcome, Duration), SandboxError>, over: bool) -> Result<(Outcome, Duration), SandboxError> {
    let (mut outcome, ended) = reply?;
    if over {
        outcome.killed.get_or_insert(Kill::Output);
    }
    Ok((outcome, ended))
}

/// An interactive run in progress. Index 0 is the submission, 1 the interactor.
struct Talk {
    sides: [TalkSide; 2],
    start: Instant,
}

struct TalkSide {
    side: Side,
    keeper: Keeper,
    out: Stream,
    err: Stream,
    /// The writing end of the other side's input; none once it is closed.
    to_other: Option<OwnedFd>,
    pending: Vec<u8>,
    meter: OutputMeter,
    over: bool,
    /// When its output was seen to end.
    silent: Option<Instant>,
    end: Option<(Outcome, Duration)>,
}

/// How long the other side's input is kept open for the end of a program whose output has ended. The output of a program
/// ends with it, and then its own keeper must have noted the time before the other side can act on it: else who ended
/// first would be chance. Only who closes its output and lives on is heard of late.
const END_GRACE: Duration = Duration::from_millis(100);

impl Talk {
    /// Starts the interactor first, as every judge does.
    fn start(keepers: [Keeper; 2], requests: [&Request; 2]) -> Result<Self, SandboxError> {
        let start = Instant::now();
        let mut to_submission = input_pipe()?;
        let mut to_interactor = input_pipe()?;
        let [first, second] = keepers;
        let make = |side, keeper: Keeper, request: &Request, own: File, other: &mut Option<OwnedFd>| {
            let (out, out_write) = Stream::pipe()?;
            let (err, err_write) = Stream::pipe()?;
            keeper.order(request, [own.as_fd(), out_write.as_fd(), err_write.as_fd()])?;
            let meter = OutputMeter { left: request.limits.output.0 };
            Ok(TalkSide {
                side,
                keeper,
                out,
                err,
                to_other: other.take(),
                pending: Vec::new(),
                meter,
                over: false,
                silent: None,
                end: None,
            })
        };
        let interactor = make(Side::Interactor, second, requests[1], to_interactor.0, &mut to_submission.1)?;
        let submission = make(Side::Submission, first, requests[0], to_submission.0, &mut to_interactor.1)?;
        Ok(Self { sides: [submission, interactor], start })
    }

    fn run(
        &mut self,
        canceller: &Canceller,
        buffer: &mut [u8],
        conversation: &mut dyn Conversation,
    ) -> Result<Interaction, SandboxError> {
        while self.sides.iter().any(|side| side.end.is_none()) {
            if self.wait(canceller)? {
                canceller.reset();
                self.sides.iter().for_each(|side| side.keeper.kill(Kill::Cancelled));
            }
            for side in &mut self.sides {
                side.advance(self.start, buffer, conversation)?;
            }
        }
        for side in &mut self.sides {
            while side.read_error(buffer, conversation)? {}
        }
        let mut ends = self.sides.iter().map(|side| side.end.clone());
        let (Some(Some((submission, a))), Some(Some((interactor, b)))) = (ends.next(), ends.next()) else {
            return Err(SandboxError::Keeper("a side of the conversation never ended".to_owned()));
        };
        let first = if a < b { Side::Submission } else { Side::Interactor };
        Ok(Interaction { submission, interactor, first })
    }

    /// Sleeps until something can be moved; true when the run was cancelled.
    fn wait(&self, canceller: &Canceller) -> Result<bool, SandboxError> {
        let mut fds = vec![PollFd::new(&*canceller.0, PollFlags::IN)];
        for side in &self.sides {
            if side.end.is_none() {
                fds.push(PollFd::new(&side.keeper.socket, PollFlags::IN));
            }
            fds.extend(side.err.poll_fd());
            match &side.to_other {
                // Read no further ahead than the other side reads.
                Some(other) if !side.pending.is_empty() => fds.push(PollFd::new(other, PollFlags::OUT)),
                _ => fds.extend(side.out.poll_fd()),
            }
        }
        let graces = self.sides.iter().filter_map(TalkSide::grace_left);
        wait_for(&mut fds, graces.min())?;
        Ok(ready(&fds[0]))
    }
}

impl TalkSide {
    /// How long the other side's input is still kept open for this side's end; none where nothing is waited for.
    fn grace_left(&self) -> Option<Duration> {
        let silent = self.silent.filter(|_| self.end.is_none() && self.to_other.is_some())?;
        Some(END_GRACE.saturating_sub(silent.elapsed()))
    }

    /// Moves what can be moved without waiting.
    fn advance(
        &mut self,
        start: Instant,
        buffer: &mut [u8],
        conversation: &mut dyn Conversation,
    ) -> Result<(), SandboxError> {
        if self.end.is_none() && self.socket_ready()? {
            let end = self.keeper.reply()?;
            self.end = Some(end);
        }
        self.read_error(buffer, conversation)?;
        self.flush();
        while self.pending.is_empty() {
            let limit = buffer.len().min(RELAY_SIZE);
            let Some(bytes) = self.out.read(&mut buffer[..limit])? else { break };
            let (granted, crossed) = self.meter.take(bytes);
            conversation.said(self.side, start.elapsed(), granted);
            if self.to_other.is_some() {
                self.pending.extend_from_slice(granted);
            }
            if crossed && !std::mem::replace(&mut self.over, true) {
                self.keeper.kill(Kill::Output);
            }
            self.flush();
        }
        // The end of one side's output is the end of the other's input.
        if !self.out.open {
            self.silent.get_or_insert_with(Instant::now);
        }
        let over = self.end.is_some() || self.grace_left() == Some(Duration::ZERO);
        if self.pending.is_empty() && over {
            self.to_other = None;
        }
        if let (true, Some((outcome, _))) = (self.over, &mut self.end) {
            outcome.killed.get_or_insert(Kill::Output);
        }
        Ok(())
    }

    fn socket_ready(&self) -> Result<bool, SandboxError> {
        let mut fds = [PollFd::new(&self.keeper.socket, PollFlags::IN)];
        let now = rustix::event::Timespec { tv_sec: 0, tv_nsec: 0 };
        match poll(&mut fds, Some(&now)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => Ok(ready(&fds[0])),
            Err(error) => Err(errno("cannot wait for a program")(error)),
        }
    }

    fn read_error(&mut self, buffer: &mut [u8], conversation: &mut dyn Conversation) -> Result<bool, SandboxError> {
        let Some(bytes) = self.err.read(buffer)? else { return Ok(false) };
        let (granted, crossed) = self.meter.take(bytes);
        conversation.stderr(self.side, granted);
        if crossed && !std::mem::replace(&mut self.over, true) {
            self.keeper.kill(Kill::Output);
        }
        Ok(true)
    }

    /// Writes what the other side has room for. A side that no longer reads loses what it is sent.
    fn flush(&mut self) {
        let Some(other) = &self.to_other else {
            self.pending.clear();
            return;
        };
        while !self.pending.is_empty() {
            match rustix::io::retry_on_intr(|| rustix::io::write(other, &self.pending)) {
                Ok(n) => drop(self.pending.drain(..n)),
                Err(rustix::io::Errno::AGAIN) => return,
                Err(_) => {
                    self.pending.clear();
                    self.to_other = None;
                    return;
                }
            }
        }
    }
}

/// A program's input: its reading end, and our writing end, never blocking.
fn input_pipe() -> Result<(File, Option<OwnedFd>), SandboxError> {
    let (read, write) = pipe_with(PipeFlags::CLOEXEC).map_err(errno("cannot create a pipe"))?;
    rustix::io::ioctl_fionbio(&write, true).map_err(errno("cannot set up a pipe"))?;
    Ok((File::from(read), Some(write)))
}
