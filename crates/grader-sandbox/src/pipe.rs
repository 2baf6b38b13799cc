//! Pipes for the streams of programs, with the helpers that wait for them.

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
/// Cancels the run of a slot whose result is no longer needed. Cheap to clone; usable from any thread.
#[derive(Debug, Clone)]
pub struct Canceller(std::sync::Arc<OwnedFd>);

impl Canceller {
    /// Creates a handle that is not cancelled.
    pub fn new() -> io::Result<Self> {
        Ok(Self(std::sync::Arc::new(eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?)))
    }

    /// Ends the slot's current run as soon as possible, and all runs that follow until `reset`. A job often consists of
    /// several executions, and a cancelled job must not start its next one.
    pub fn cancel(&self) {
        // The write fails only if the counter is full, which means cancelled.
        let _ = rustix::io::write(&*self.0, &1u64.to_ne_bytes());
    }

    /// Readable after a cancellation.
    pub(super) fn poll_fd(&self) -> PollFd<'_> {
        PollFd::new(&*self.0, PollFlags::IN)
    }

    /// Forgets a cancellation: the next run belongs to another job.
    pub fn reset(&self) {
        // Without a cancellation there is nothing to read.
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
    /// Creates a pipe: the grader's non-blocking reading end, and the program's writing end.
    pub(super) fn pipe() -> Result<(Self, OwnedFd), SandboxError> {
        let (read, write) = pipe_with(PipeFlags::CLOEXEC).map_err(errno("cannot create a pipe"))?;
        rustix::io::ioctl_fionbio(&read, true).map_err(errno("cannot set up a pipe"))?;
        Ok((Self { fd: read, open: true }, write))
    }

    /// A pipe with room for long outputs.
    pub(super) fn wide_pipe() -> Result<(Self, OwnedFd), SandboxError> {
        let (stream, write) = Self::pipe()?;
        // An unprivileged user may have used up the allowance. The default size is enough then.
        let _ = rustix::pipe::fcntl_setpipe_size(&write, PIPE_SIZE);
        Ok((stream, write))
    }

    /// None after the stream is closed, because poll would report the hang-up forever.
    pub(super) fn poll_fd(&self) -> Option<PollFd<'_>> {
        self.open.then(|| PollFd::new(&self.fd, PollFlags::IN))
    }

    /// Whether everything written so far has been read.
    pub(super) fn is_drained(&self) -> bool {
        !self.open || rustix::io::ioctl_fionread(&self.fd).is_ok_and(|left| left == 0)
    }

    /// Whether more output can arrive.
    pub(super) fn is_open(&self) -> bool {
        self.open
    }

    /// Reads once. `None` means that nothing is available now.
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

/// Waits until a descriptor is ready, at most for `most`. After a timeout, no descriptor is ready.
pub(super) fn wait_for(fds: &mut [PollFd<'_>], most: Option<Duration>) -> Result<(), SandboxError> {
    // A duration that the kernel cannot represent means no timeout.
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
