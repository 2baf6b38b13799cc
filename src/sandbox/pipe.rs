//! The streams of programs, and what waits for them.

use std::io;
use std::os::fd::OwnedFd;
use std::time::Duration;

use rustix::event::{EventfdFlags, PollFd, PollFlags, Timespec, eventfd, poll};
use rustix::pipe::{PipeFlags, pipe_with};

use super::SandboxError;

/// The hidden first argument that makes the binary a keeper.
pub const KEEPER_ROLE: &str = "__keeper";
/// Larger than the default 64 KiB: fewer switches between program and grader on long outputs.
const PIPE_SIZE: usize = 1 << 20;
/// Wakes a slot whose result is no longer wanted. Cheap to clone; usable from any thread.
#[derive(Debug, Clone)]
pub struct Canceller(std::sync::Arc<OwnedFd>);

impl Canceller {
    /// A handle that nobody has used yet.
    pub fn new() -> io::Result<Self> {
        Ok(Self(std::sync::Arc::new(eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?)))
    }

    /// Ends the slot's current run as soon as possible, and all runs that follow until `reset`. A job often consists of
    /// several runs, and a cancelled job must not go on with its next run.
    pub fn cancel(&self) {
        // A counter is full only when it is set already.
        let _ = rustix::io::write(&*self.0, &1u64.to_ne_bytes());
    }

    /// Readable once it is cancelled.
    pub(super) fn poll_fd(&self) -> PollFd<'_> {
        PollFd::new(&*self.0, PollFlags::IN)
    }

    /// Forgets a cancellation: the next run belongs to another job.
    pub fn reset(&self) {
        // Where it was not set, there is nothing to read.
        let _ = rustix::io::read(&*self.0, &mut [0u8; 8]);
    }
}

pub(super) fn system(what: &str) -> impl FnOnce(io::Error) -> SandboxError {
    move |source| SandboxError::System { what: what.to_owned(), source }
}

pub(super) fn errno(what: &str) -> impl FnOnce(rustix::io::Errno) -> SandboxError {
    move |error| SandboxError::System { what: what.to_owned(), source: error.into() }
}

/// The reading end of a program's stream.
pub(super) struct Stream {
    fd: OwnedFd,
    open: bool,
}

impl Stream {
    /// A pipe: our reading end, never blocking, and the program's writing end.
    pub(super) fn pipe() -> Result<(Self, OwnedFd), SandboxError> {
        let (read, write) = pipe_with(PipeFlags::CLOEXEC).map_err(errno("cannot create a pipe"))?;
        rustix::io::ioctl_fionbio(&read, true).map_err(errno("cannot set up a pipe"))?;
        Ok((Self { fd: read, open: true }, write))
    }

    /// A pipe with room for long outputs.
    pub(super) fn wide_pipe() -> Result<(Self, OwnedFd), SandboxError> {
        let (stream, write) = Self::pipe()?;
        // An unprivileged user may have used up the allowance; then the default size does.
        let _ = rustix::pipe::fcntl_setpipe_size(&write, PIPE_SIZE);
        Ok((stream, write))
    }

    /// None once it is closed: poll would report the hang-up for ever.
    pub(super) fn poll_fd(&self) -> Option<PollFd<'_>> {
        self.open.then(|| PollFd::new(&self.fd, PollFlags::IN))
    }

    /// Whether all was read that has come.
    pub(super) fn is_drained(&self) -> bool {
        !self.open || rustix::io::ioctl_fionread(&self.fd).is_ok_and(|left| left == 0)
    }

    /// Whether more can come.
    pub(super) fn is_open(&self) -> bool {
        self.open
    }

    /// One read. `None`: nothing there now.
    pub(super) fn read<'a>(&mut self, buffer: &'a mut [u8]) -> Result<Option<&'a [u8]>, SandboxError> {
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

pub(super) fn ready(fd: &PollFd<'_>) -> bool {
    !fd.revents().is_empty()
}

/// Sleeps until a descriptor is ready, but for `most` at the longest; then no descriptor is ready.
pub(super) fn wait_for(fds: &mut [PollFd<'_>], most: Option<Duration>) -> Result<(), SandboxError> {
    // What is too long for the kernel is for ever.
    let most = most.and_then(|most| Timespec::try_from(most).ok());
    match poll(fds, most.as_ref()) {
        Ok(_) => Ok(()),
        Err(rustix::io::Errno::INTR) => {
            fds.iter_mut().for_each(PollFd::clear_revents);
            Ok(())
        }
        Err(error) => Err(errno("cannot wait for a program")(error)),
    }
}
