//! The messages between the grader and its keepers, sent over a `SOCK_SEQPACKET` socket.
//!
//! One packet is one message, encoded by `postcard`. Descriptors are attached to it (`SCM_RIGHTS`).

use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::path::PathBuf;
use std::time::Duration;

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, ReturnFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, recvmsg, sendmsg,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::cgroup::GroupsPaths;
use super::lease::LeasedUsers;
use super::refusal::Refusal;
use super::{Isolation, Outcome, Request, Side, Usage};

/// An order from the grader to a keeper.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Order {
    /// Enter these walls. This is the first order. Answered by `Ready`.
    Enter(Setup),
    /// Make an empty box for the following runs. Answered by `Ready`.
    Box,
    /// Make an empty directory for a program. Answered by `Ready`.
    Program,
    /// Show the contents of that directory as the program of the following runs. Answered by `Ready`.
    Seal,
    /// From now on, limit boxes to this many bytes. Only sent by the keeper to the process that mounts for it.
    Room(u64),
    /// Run this program. The packet carries stdin, stdout and stderr. For one side of a conversation, it also carries
    /// the sum that both keepers share (`partner`). Answered by `Done`, `Starved` or `NotExecuted`.
    Run(Request, Option<Side>),
    /// End the current run, because its result is not needed. Ignored if nothing runs, and never answered.
    Cancel,
    /// The program has printed more than its limit: kill it, or record what it has used (`Limits::overflow`). Ignored
    /// if nothing runs, and never answered.
    Flooded,
}

/// The facts about its slot that a keeper needs.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Setup {
    /// The walls to enter.
    pub(super) isolation: Isolation,
    /// Directories of toolchains that programs see.
    pub(super) toolchains: Vec<PathBuf>,
    /// Whether its network has a loopback interface that is up.
    pub(super) loopback: bool,
    /// The box and the temporary directory, if they are on the host.
    pub(super) boxes: [PathBuf; 2],
    /// Host users, and groups, that no other process has.
    pub(super) users: Option<LeasedUsers>,
    /// Control groups for this keeper alone.
    pub(super) groups: Option<GroupsPaths>,
}

impl Setup {
    /// The host user that programs run as, if it is not the grader's own.
    pub(super) fn user(&self) -> Option<u32> {
        self.users.map(|users| users.programs)
    }
}

/// A reply from a keeper to the grader. `Failed` may answer any order.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Reply {
    /// The order is done. The packet carries the directory, if the order asked for one.
    Ready,
    /// The facts, when the program ended by the monotonic clock, and what it left behind.
    Done { outcome: Outcome, ended: Duration, left: ExecutionTraces },
    /// The run was ended because it got no core.
    Starved { usage: Usage, left: ExecutionTraces },
    /// The program could not be executed.
    NotExecuted { program: String, errno: i32 },
    /// The keeper or the sandbox failed.
    Failed(Refusal),
}

/// The traces of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum ExecutionTraces {
    /// The box is unchanged, so the next run can use it.
    Nothing,
    /// The box has been used, so the next run needs a new one.
    Files,
    /// Objects that end only with the namespaces, so the next run needs a new keeper.
    Objects,
}

/// Larger than any practical program's arguments and environment.
const MAX_PACKET: usize = 160 * 1024;
/// The three streams of a program, and the sum that it shares with its partner.
const MAX_FDS: usize = 4;

/// Sends one message.
pub(super) fn send(socket: BorrowedFd<'_>, message: &impl Serialize, fds: &[BorrowedFd<'_>]) -> io::Result<()> {
    let bytes = postcard::to_stdvec(message).map_err(io::Error::other)?;
    if bytes.len() > MAX_PACKET {
        return Err(io::Error::other("the command line and environment are too long"));
    }
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MAX_FDS))];
    let mut ancillary = SendAncillaryBuffer::new(&mut space);
    if !fds.is_empty() && !ancillary.push(SendAncillaryMessage::ScmRights(fds)) {
        return Err(io::Error::other("too many descriptors"));
    }
    rustix::io::retry_on_intr(|| sendmsg(socket, &[IoSlice::new(&bytes)], &mut ancillary, SendFlags::NOSIGNAL))?;
    Ok(())
}

/// Receives one message and its descriptors. `None` if the other side has closed the socket.
pub(super) fn receive<T: DeserializeOwned>(
    socket: BorrowedFd<'_>,
    buffer: &mut Vec<u8>,
) -> io::Result<Option<(T, Vec<OwnedFd>)>> {
    if buffer.is_empty() {
        // Untouched zeroed memory takes no space: a keeper must stay small.
        *buffer = vec![0; MAX_PACKET];
    }
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MAX_FDS))];
    let mut ancillary = RecvAncillaryBuffer::new(&mut space);
    let received = loop {
        match recvmsg(socket, &mut [IoSliceMut::new(buffer)], &mut ancillary, RecvFlags::CMSG_CLOEXEC) {
            Err(rustix::io::Errno::INTR) => {}
            // The peer died with unread data.
            Err(rustix::io::Errno::CONNRESET) => return Ok(None),
            other => break other?,
        }
    };
    if received.bytes == 0 {
        return Ok(None);
    }
    if received.flags.contains(ReturnFlags::TRUNC) {
        return Err(io::Error::other("a packet was cut off"));
    }
    let mut fds = Vec::new();
    for message in ancillary.drain() {
        if let RecvAncillaryMessage::ScmRights(rights) = message {
            fds.extend(rights);
        }
    }
    let message = postcard::from_bytes(&buffer[..received.bytes]).map_err(io::Error::other)?;
    Ok(Some((message, fds)))
}
