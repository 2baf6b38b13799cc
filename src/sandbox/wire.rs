//! The messages between the grader and its keepers, over a `SOCK_SEQPACKET` socket.
//!
//! One packet is one message, encoded by `postcard`; descriptors travel beside it (`SCM_RIGHTS`).

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
use super::refusal::Refusal;
use super::{Isolation, Outcome, Request, Side, Usage};

/// What the grader says to a keeper.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Order {
    /// Go behind these walls; the first order. Answered by `Ready`.
    Enter(Setup),
    /// Make an empty box for the runs that follow. Answered by `Ready`.
    Box,
    /// Make an empty directory for a program. Answered by `Ready`.
    Program,
    /// What has been put into that directory is the program of the runs that follow. Answered by `Ready`.
    Seal,
    /// From now on boxes hold at most so many bytes. Only between the keeper and the process that mounts for it.
    Room(u64),
    /// Run this; the packet carries stdin, stdout and stderr. As one side of a conversation it also carries the sum by
    /// which the keepers know of each other (`partner`). Answered by `Done` or `NotExecuted`.
    Run(Request, Option<Side>),
    /// End the current run: nobody wants its result. Ignored when there is none, and never answered.
    Cancel,
    /// The program has printed more than it may: end it, or take down what it has used (`Limits::overflow`). Ignored when
    /// there is none, and never answered.
    Flooded,
}

/// What a keeper has to know of its slot.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Setup {
    /// Which walls.
    pub(super) isolation: Isolation,
    /// Directories of toolchains that programs see.
    pub(super) toolchains: Vec<PathBuf>,
    /// Box and temporary directory where they lie on the host.
    pub(super) boxes: [PathBuf; 2],
    /// A host user that nobody else has, with the group of the same number.
    pub(super) user: Option<u32>,
    /// Control groups of its own.
    pub(super) groups: Option<GroupsPaths>,
}

/// What a keeper says to the grader. `Failed` may answer any order.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Reply {
    /// It is done; the packet carries the directory where one was asked for.
    Ready,
    /// The facts, when the program ended by the monotonic clock, and what it left.
    Done { outcome: Outcome, ended: Duration, left: Left },
    /// It was ended for want of a core.
    Starved { usage: Usage, left: Left },
    /// The program could not be executed.
    NotExecuted { program: String, errno: i32 },
    /// A fault of ours.
    Failed(Refusal),
}

/// What a run has left behind the walls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Left {
    /// The box is as new: the next run needs no other one.
    Nothing,
    /// The box has been used.
    Files,
    /// Something that only ends with the namespaces: the next run needs another keeper.
    Objects,
}

/// Larger than any request that a kernel accepts as arguments and environment of a practical program.
const MAX_PACKET: usize = 160 * 1024;
/// The streams of a program, and the sum that it shares with its partner.
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

/// Receives one message and its descriptors; `None` when the other side is gone.
pub(super) fn receive<T: DeserializeOwned>(
    socket: BorrowedFd<'_>,
    buffer: &mut Vec<u8>,
) -> io::Result<Option<(T, Vec<OwnedFd>)>> {
    if buffer.is_empty() {
        // Fresh zeroed memory is not touched until it is used: a keeper has to stay small.
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
