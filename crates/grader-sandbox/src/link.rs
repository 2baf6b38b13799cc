//! The grader's end of a keeper: starts it, talks to it, and makes sure that it leaves nothing behind. This holds even
//! if the program that the keeper watches, which runs as the same user, kills or stops the keeper.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;
use std::process::Stdio;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags};
use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};
use rustix::process::{Pid, Signal, kill_process};

use super::cgroup::Kills;
use super::pipe::{KEEPER_ROLE, ready, wait_for};
use super::tree::{PipeId, Processes, SWEEP_DEADLINE};
use super::wire::{self, ExecutionTraces, Order, Reply, Setup};
use super::workdir::nothing_written;
use super::{
    Exit, Kill, Loss, MemoryScope, Outcome, Request, SandboxError, Side, Usage, WrittenBytes, guard, sys, tree,
};
use grader_model::limits::Bytes;

/// How long the grader waits for a keeper after the wall limit, or after an order to kill. Then it gives up on the
/// keeper.
pub(super) const PATIENCE: Duration = Duration::from_secs(15);

/// The process ids of all keepers. Every other child of the grader is an orphan of a killed keeper.
static KEEPERS: Mutex<Vec<u32>> = Mutex::new(Vec::new());

fn keepers() -> MutexGuard<'static, Vec<u32>> {
    KEEPERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A connection to a keeper process. The grader drops a keeper after an invalid reply and never uses it again.
pub(super) struct Keeper {
    socket: OwnedFd,
    process: std::process::Child,
    buffer: Vec<u8>,
    /// The traces that the last run left behind.
    pub(super) left: ExecutionTraces,
    /// Counts the kernel's OOM kills in the group that the keeper shares with its programs.
    kills: Option<Kills>,
    /// The user of its programs, if that is another one and they are among the processes of the host.
    user: Option<u32>,
    /// The start and the memory limit of the last run.
    run: Option<(Instant, Bytes)>,
}

impl Keeper {
    /// Starts a keeper process and sends it behind its walls. It holds `lock` as long as it lives.
    pub(super) fn start(binary: &Path, setup: Setup, lock: Option<BorrowedFd<'_>>) -> Result<Self, SandboxError> {
        let mut keeper = Self::start_process(binary)?;
        keeper.user = setup.user().filter(|_| setup.isolation.gives_boxes_away());
        keeper.kills = setup.groups.as_ref().and_then(Kills::of);
        keeper.ask_with(&Order::Enter(setup), lock.as_slice())?;
        Ok(keeper)
    }

    fn start_process(binary: &Path) -> Result<Self, SandboxError> {
        let fail = |source| SandboxError::Start { path: binary.to_owned(), source };
        let (ours, theirs) = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)
            .map_err(|error| fail(error.into()))?;
        // The orphans of a killed keeper become children of the grader, so they cannot escape.
        rustix::process::set_child_subreaper(Some(rustix::process::getpid())).map_err(|error| fail(error.into()))?;
        #[expect(clippy::disallowed_methods, reason = "this is where keepers come from")]
        let mut command = std::process::Command::new(binary);
        command.arg(KEEPER_ROLE).env_clear().stdin(Stdio::from(theirs)).stdout(Stdio::null()).stderr(Stdio::null());
        // Spawn under the lock: another thread would take a keeper that is not in the list for an orphan.
        let mut keepers = keepers();
        let process = {
            let _nothing_written = nothing_written();
            command.spawn().map_err(fail)?
        };
        keepers.push(process.id());
        Ok(Self {
            socket: ours,
            process,
            buffer: Vec::new(),
            left: ExecutionTraces::Files,
            kills: None,
            user: None,
            run: None,
        })
    }

    /// Whether a program below the keeper sleeps in a read of this pipe.
    pub(super) fn awaits(&self, pipe: PipeId) -> bool {
        let root = self.process.id().cast_signed();
        // Without this, root would need a capability to see what another user's process does.
        let Ok(_identity) = sys::FileIdentity::assume(self.user) else { return false };
        Processes::open().is_ok_and(|processes| processes.awaits(root, pipe))
    }

    /// The keeper's socket. It is readable when a reply arrives or the keeper ends.
    pub(super) fn socket(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }

    /// Orders the keeper to run a program. `partner` holds the program's side of a conversation, and the event
    /// descriptor that the keepers of both sides share.
    pub(super) fn order(
        &mut self,
        request: &Request,
        streams: [BorrowedFd<'_>; 3],
        partner: Option<(Side, BorrowedFd<'_>)>,
    ) -> Result<(), SandboxError> {
        self.run = Some((Instant::now(), request.limits.memory));
        let (side, shared) = partner.unzip();
        let fds: Vec<_> = streams.into_iter().chain(shared).collect();
        wire::send(self.socket.as_fd(), &Order::Run(request.clone(), side), &fds)
            .map_err(|error| SandboxError::Keeper(Loss::of(error)))
    }

    /// Sends an order that is answered at once. The reply may contain a descriptor.
    pub(super) fn ask(&mut self, order: &Order) -> Result<Option<OwnedFd>, SandboxError> {
        self.ask_with(order, &[])
    }

    fn ask_with(&mut self, order: &Order, fds: &[BorrowedFd<'_>]) -> Result<Option<OwnedFd>, SandboxError> {
        let lost = |error: io::Error| SandboxError::Keeper(Loss::of(error));
        wire::send(self.socket.as_fd(), order, fds).map_err(lost)?;
        let mut fds = [PollFd::from_borrowed_fd(self.socket.as_fd(), PollFlags::IN)];
        let patience = Patience::short();
        // A signal ends a wait early, without a reply.
        while !ready(&fds[0]) {
            wait_for(&mut fds, patience.left()?)?;
        }
        match wire::receive(self.socket.as_fd(), &mut self.buffer).map_err(lost)? {
            Some((Reply::Ready, fds)) => Ok(fds.into_iter().next()),
            Some((Reply::Failed(refusal), _)) => Err(SandboxError::Refused(refusal)),
            Some(_) => Err(SandboxError::Keeper(Loss::Protocol("sent an unexpected answer"))),
            None => Err(SandboxError::Keeper(Loss::Ended)),
        }
    }

    /// Sends an order about the current run, without waiting for a reply.
    pub(super) fn tell(&self, order: &Order) {
        // `reply` notices a keeper that has ended. A stopped keeper must receive the order, so it is continued.
        let _ = wire::send(self.socket.as_fd(), order, &[]);
        self.signal(Signal::CONT);
    }

    pub(super) fn reply(&mut self) -> Result<(Outcome, Duration), SandboxError> {
        match wire::receive(self.socket.as_fd(), &mut self.buffer) {
            Ok(Some((Reply::Done { outcome, ended, left }, _))) => {
                self.left = left;
                if (outcome.killed.is_some() || outcome.exit == Exit::Signal(libc::SIGKILL))
                    && let Some(kills) = &mut self.kills
                {
                    kills.forget();
                }
                Ok((outcome, ended))
            }
            Ok(Some((Reply::Starved { usage, left }, _))) => {
                self.left = left;
                Err(SandboxError::Starved { usage })
            }
            Ok(Some((Reply::NotExecuted { program, errno }, _))) => {
                Err(SandboxError::Exec { program, source: io::Error::from_raw_os_error(errno) })
            }
            Ok(Some((Reply::Failed(message), _))) => Err(SandboxError::Refused(message)),
            Ok(Some(_)) => Err(SandboxError::Keeper(Loss::Protocol("sent an unexpected answer"))),
            Ok(None) => self.died_for_memory().ok_or(SandboxError::Keeper(Loss::Ended)),
            Err(error) => Err(SandboxError::Keeper(Loss::of(error))),
        }
    }

    /// Returns the outcome of a run whose keeper is gone, if the kernel killed because this group exceeded its memory
    /// limit. The run is then over its limit: the keeper is in the same group, and the kernel killed it before or after
    /// the program. Kills for the memory of a group above do not count. The cpu time is 0, because the figure was lost
    /// with the keeper.
    fn died_for_memory(&mut self) -> Option<(Outcome, Duration)> {
        let (start, limit) = self.run?;
        if !self.kills.as_ref()?.are_more(limit) {
            return None;
        }
        // The keeper is gone, so it must not run another program.
        self.left = ExecutionTraces::Objects;
        let usage = Usage { cpu: Duration::ZERO, wall: start.elapsed(), memory: limit };
        let exit = Exit::Signal(libc::SIGKILL);
        let memory_scope = MemoryScope::Tree;
        let killed = Some(Kill::Memory);
        let printed = WrittenBytes::default();
        let crossed = None;
        Some((
            Outcome { exit, killed, usage, memory_scope, survivors: 0, printed, crossed, waited: Duration::ZERO },
            sys::monotonic(),
        ))
    }

    fn signal(&self, signal: Signal) {
        // The process has not been reaped yet, so the number still belongs to it.
        if let Some(pid) = Pid::from_raw(self.process.id().cast_signed()) {
            let _ = kill_process(pid, signal);
        }
    }

    /// Waits up to `PATIENCE` for the keeper to end. Returns whether it exited successfully.
    fn has_left(&mut self) -> bool {
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            match self.process.try_wait() {
                Ok(Some(status)) => return status.success(),
                Ok(None) => sleep(Duration::from_micros(500)),
                // Waiting fails because the process has been reaped elsewhere.
                Err(_) => break,
            }
        }
        // Both fail only if it has ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
        false
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        // End of file on its socket makes a healthy keeper leave. It first kills what it runs.
        let _ = rustix::net::shutdown(&self.socket, rustix::net::Shutdown::Both);
        self.signal(Signal::CONT);
        let in_order = self.has_left();
        let mut keepers = keepers();
        keepers.retain(|pid| *pid != self.process.id());
        if !in_order {
            // A drop cannot report an error. The drop of the next lost keeper tries again.
            let _ = kill_orphans(&keepers);
        }
    }
}

/// Kills and reaps all processes that lost keepers have left behind: all children of the grader except the keepers,
/// with their descendants.
fn kill_orphans(keepers: &[u32]) -> io::Result<()> {
    let processes = tree::Processes::open()?;
    let deadline = Instant::now() + SWEEP_DEADLINE;
    while Instant::now() < deadline {
        let mut orphans = processes.children(tree::me());
        orphans.retain(|pid| !keepers.contains(&pid.cast_unsigned()));
        if orphans.is_empty() {
            return Ok(());
        }
        for pid in processes.with_descendants(orphans.clone()) {
            sys::kill(pid);
        }
        for pid in orphans {
            // The next round handles processes that could not be reaped yet.
            let _ = sys::wait(pid, false);
        }
        sleep(Duration::from_micros(200));
    }
    Err(io::Error::other("processes of a lost keeper cannot be killed"))
}

/// The time until which the grader waits for an answer. After it, the grader gives the keeper up.
#[derive(Debug, Clone, Copy)]
pub(super) struct Patience(Option<Instant>);

impl Patience {
    /// For a run that may take `wall`, or longer while it waits for a core. None if the deadline is too far away to be
    /// represented.
    pub(super) fn for_run(wall: Duration) -> Self {
        Self(
            wall.saturating_mul(guard::STRETCH).checked_add(PATIENCE).and_then(|most| Instant::now().checked_add(most)),
        )
    }

    /// For an order that takes no time.
    fn short() -> Self {
        Self(Some(Instant::now() + PATIENCE))
    }

    /// Shortens the deadline, because only the end of the run is awaited now.
    pub(super) fn shorten(&mut self) {
        let Self(end) = Self::short();
        self.0 = self.0.min(end).or(end);
    }

    /// The remaining time; an error if none is left.
    pub(super) fn left(self) -> Result<Option<Duration>, SandboxError> {
        let left = self.0.map(|end| end.saturating_duration_since(Instant::now()));
        if left == Some(Duration::ZERO) {
            return Err(SandboxError::Keeper(Loss::Silent));
        }
        Ok(left)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;
    use crate::Workdir;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the program of a keeper is tried alone")]
    fn a_program_can_be_executed_as_soon_as_it_is_written_whatever_starts_meanwhile() {
        // Other tests of this process start programs without the lock, so this test needs its own process.
        if std::env::var_os("ALONE").is_none() {
            let mut alone = std::process::Command::new(std::env::current_exe().unwrap());
            let output =
                alone.arg("a_program_can_be_executed_as_soon_as_it_is_written").env("ALONE", "").output().unwrap();
            let said = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success() && said.contains("1 passed"), "{said}");
            return;
        }
        let from = tempfile::tempdir().unwrap();
        let over = AtomicBool::new(false);
        std::fs::copy("/bin/true", from.path().join("program")).unwrap();
        let open = std::fs::File::open(from.path()).unwrap();
        let workdir =
            Workdir::new(from.path().to_owned(), from.path().to_owned(), open.into(), crate::workdir::Owner::Grader);
        let busy = std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    while !over.load(Ordering::Relaxed) {
                        drop(Keeper::start_process(Path::new("/bin/true")).unwrap());
                    }
                });
            }
            let fails = |_: &usize| {
                let to = tempfile::tempdir().unwrap();
                workdir.collect(to.path(), 1 << 20).unwrap();
                let _nothing_written = nothing_written();
                let tried = std::process::Command::new(to.path().join("program")).status();
                tried.is_err_and(|error| error.kind() == io::ErrorKind::ExecutableFileBusy)
            };
            let busy = (0..500).filter(fails).count();
            over.store(true, Ordering::Relaxed);
            busy
        });
        assert_eq!(busy, 0);
    }
}
