//! The keeper: a small process for one side of a slot that starts programs, enforces limits and leaves nothing behind.
//!
//! The keeper is the same binary in another role. The `ru_maxrss` of a child begins at the resident set of the process
//! that started it, so the large grader must not start programs itself. The keeper has one thread, holds no test data
//! and never prints. Behind walls, all runs of its side share this keeper, and it is the init of the namespaces that
//! they run in (`walls`).

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{Access, AtFlags, CWD, Mode, accessat};
use rustix::process::Signal;
use rustix::thread::{CapabilitySet, CapabilitySets, set_capabilities};

use super::landlock::Ruleset;
use super::partner_time::Partner;
use super::places::BOX;
use super::refusal::{Part, Refusal};
use super::rlimits;
use super::root::{self, SYSTEM_DIRS};
use super::run::{self, Ground, RunResult, Watch};
use super::seccomp::{Filter, Surroundings};
use super::sys::{self, Confinement, PreparedChild};
use super::tree::{self, Processes};
use super::walls::Walls;
use super::wire::{self, Order, Reply, RunTraces, Setup};
use super::{Isolation, Place, Request, Side, Sight};

/// The umask of a keeper and its programs: group and others may not write.
const UMASK: u32 = 0o022;

/// Runs a keeper for its whole life: it serves orders on `socket` until the grader closes it.
pub fn serve(socket: BorrowedFd<'_>) -> io::Result<()> {
    // In a new session, Ctrl-C in the terminal reaches only the grader, which decides. The call fails only for a group
    // leader, which does not need it.
    let _ = rustix::process::setsid();
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    sys::default_signals();
    sys::default_personality();
    // This umask applies to the file system that programs see and to the files that they create. It must not depend on
    // the caller's.
    rustix::process::umask(Mode::from_raw_mode(UMASK));
    // A program of the same user may stop the keeper. When the grader ends, this signal wakes the keeper, which then
    // kills what it runs. Without the signal, a stopped keeper would stay stopped.
    let _ = rustix::process::set_parent_process_death_signal(Some(Signal::CONT));
    sys::forget_startup();
    // A program with many threads must not delay the keeper in noticing a crossed limit.
    sys::run_first();
    let mut buffer = Vec::new();
    let Some((Order::Enter(setup), _)) = wire::receive::<Order>(socket, &mut buffer)? else { return Ok(()) };
    let mut keeper = match Keeper::new(setup) {
        Ok(keeper) => keeper,
        Err(error) => return wire::send(socket, &Reply::Failed(error.into()), &[]),
    };
    wire::send(socket, &Reply::Ready, &[])?;
    while let Some((order, fds)) = wire::receive::<Order>(socket, &mut buffer)? {
        match keeper.obey(order, fds, socket) {
            Ok(Answer::Reply(reply, fd)) => {
                let fds: Vec<_> = fd.iter().map(AsFd::as_fd).collect();
                wire::send(socket, &reply, &fds)?;
            }
            Ok(Answer::Nothing) => {}
            Ok(Answer::Leave) => return Ok(()),
            Err(error) => wire::send(socket, &Reply::Failed(error.into()), &[])?,
        }
    }
    Ok(())
}

struct Keeper {
    setup: Setup,
    kind: Kind,
}

/// The walls between programs and the host.
enum Kind {
    /// No walls.
    Open(Processes),
    /// Landlock rules and a system call filter for each process.
    Weak { processes: Processes, filter: Filter, etc: Vec<PathBuf> },
    /// Namespaces.
    Closed(Box<Walls>),
}

enum Answer {
    Reply(Reply, Option<OwnedFd>),
    Nothing,
    /// The grader has ended.
    Leave,
}

impl Keeper {
    fn new(setup: Setup) -> io::Result<Self> {
        let kind = match setup.isolation {
            Isolation::Root | Isolation::User => Kind::Closed(Box::new(Walls::enter(&setup)?)),
            Isolation::Weak => {
                // Fails now, not at the first run, if the kernel has no Landlock.
                let known = Ruleset::new(&[], &[])?.fd().is_some();
                if !known {
                    let message = "this kernel has no Landlock".to_owned();
                    return Err(Refusal { part: Some(Part::Landlock), is_forbidden: false, message }.into());
                }
                sys::drop_bounding_set();
                let none = CapabilitySet::empty();
                set_capabilities(None, CapabilitySets { effective: none, permitted: none, inheritable: none })?;
                Kind::Weak {
                    processes: Processes::open()?,
                    filter: Filter::new(Surroundings {
                        ipc: false,
                        memory: false,
                        network: false,
                        keeper: Some(tree::me()),
                    })?,
                    etc: root::public_etc(),
                }
            }
            Isolation::None => Kind::Open(Processes::open()?),
        };
        Ok(Self { setup, kind })
    }

    fn obey(&mut self, order: Order, fds: Vec<OwnedFd>, socket: BorrowedFd<'_>) -> io::Result<Answer> {
        let strange = || io::Error::other("an order that is not valid here");
        match (order, &mut self.kind) {
            (Order::Cancel | Order::Flooded, _) => Ok(Answer::Nothing),
            (Order::Run(request, side), _) => self.run(&request, side, fds, socket),
            (order @ (Order::Box | Order::Program | Order::Seal), Kind::Closed(walls)) => {
                Ok(Answer::Reply(Reply::Ready, walls.mount(&order)?))
            }
            (Order::Enter(_) | Order::Box | Order::Program | Order::Seal | Order::Room(_), _) => Err(strange()),
        }
    }

    /// Runs one program to its end; `side` says which side of a conversation the program is.
    fn run(
        &mut self,
        request: &Request,
        side: Option<Side>,
        mut fds: Vec<OwnedFd>,
        socket: BorrowedFd<'_>,
    ) -> io::Result<Answer> {
        let partner = side.and_then(|side| Some(Partner::new(side, fds.pop()?)));
        let Ok(streams) = <[OwnedFd; 3]>::try_from(fds) else {
            return Err(io::Error::other("a run order without its descriptors"));
        };
        if let (Kind::Weak { .. }, Place::Box(sight)) = (&self.kind, &request.place) {
            let places = self.setup.boxes.iter().chain(&sight.program);
            places.map(PathBuf::as_path).try_for_each(reaches)?;
        }
        let prepared = self.prepare(request)?;
        let ruleset = matches!(self.kind, Kind::Weak { .. }).then(|| self.ruleset(&request.place)).transpose()?;
        let ruleset = ruleset.as_ref().and_then(Ruleset::fd);
        let (ground, filter) = match &mut self.kind {
            Kind::Closed(walls) => (Ground::Closed(walls), None),
            Kind::Open(processes) => (Ground::Open(processes), None),
            Kind::Weak { processes, filter, .. } => (Ground::Open(processes), Some(filter.program())),
        };
        let confinement = Confinement { ruleset, filter, ..Confinement::default() };
        let watch = Watch::new(&request.limits, partner);
        let ran = run::run(&prepared, streams, &confinement, watch, ground, socket)?;
        let left = if let Kind::Closed(walls) = &self.kind { walls.clean_up()? } else { RunTraces::Files };
        Ok(match ran {
            RunResult::Done(outcome, ended) => Answer::Reply(Reply::Done { outcome, ended, left }, None),
            RunResult::Starved(usage) => Answer::Reply(Reply::Starved { usage, left }, None),
            RunResult::NotStarted(failure) if failure.is_programs() => {
                let program = prepared.program().to_string_lossy().into_owned();
                Answer::Reply(Reply::NotExecuted { program, errno: failure.errno }, None)
            }
            RunResult::NotStarted(failure) => {
                let error = failure.error();
                return Err(Refusal::told(&error, None, format!("{:?}: {error}", failure.step)));
            }
            RunResult::Orphaned => Answer::Leave,
        })
    }

    fn ruleset(&self, place: &Place) -> io::Result<Ruleset> {
        let nothing = Sight::default();
        let sight = if let Place::Box(sight) = place { sight } else { &nothing };
        // The kernel follows links anyway. A rule for a link would allow everything in its target.
        let toolchains = sight.toolchains.iter().filter(|path| !path.is_symlink());
        let seen = sight.program.iter().chain(toolchains).map(PathBuf::as_path);
        let system = SYSTEM_DIRS.iter().map(Path::new);
        let etc = if let Kind::Weak { etc, .. } = &self.kind { etc.as_slice() } else { &[] };
        let etc = etc.iter().map(PathBuf::as_path).chain([Path::new("/proc")]);
        let read: Vec<_> = system.chain(etc).chain(seen).collect();
        let write: Vec<_> = self.setup.boxes.iter().map(PathBuf::as_path).collect();
        Ruleset::new(&read, &write)
    }

    fn prepare(&self, request: &Request) -> io::Result<PreparedChild> {
        use std::os::unix::ffi::{OsStrExt, OsStringExt};
        let bytes = |text: &std::ffi::OsString| text.clone().into_vec();
        let argv: Vec<_> = request.argv.iter().map(bytes).collect();
        let env: Vec<_> = request.env.iter().map(|(key, value)| (bytes(key), bytes(value))).collect();
        let cwd = match (&request.place, &self.kind) {
            (Place::Host(cwd), _) => cwd.clone(),
            (Place::Box(sight), Kind::Closed(_)) => Path::new(BOX).join(&sight.directory),
            (Place::Box(sight), _) => self.setup.boxes[0].join(&sight.directory),
        };
        // With a separate user, the kernel's process count covers this sandbox alone. The limit is then a wall, while
        // sampling comes too late. A user namespace has a separate count.
        let is_alone = self.setup.isolation.has_namespaces() || self.setup.isolation.has_own_user();
        let limits = rlimits::for_program(&request.limits, is_alone).map_err(io::Error::other)?;
        Ok(PreparedChild::new(&argv, &env, cwd.as_os_str().as_bytes(), &limits)?.on_core(request.core))
    }
}

/// Fails if a program cannot enter `dir`. Root gives up its privileges in layer `weak`, and then may not be able to
/// enter a directory of another user. Without this check, the failure would look like the program's own fault.
fn reaches(dir: &Path) -> io::Result<()> {
    let access = Access::READ_OK | Access::EXEC_OK;
    accessat(CWD, dir, access, AtFlags::EACCESS).map_err(|error| {
        let error = io::Error::from(error);
        let message = format!(
            "cannot enter {} without root's privileges, which layer `weak` gives up: {error}; move it where every user may enter, or use another layer",
            dir.display()
        );
        io::Error::new(error.kind(), message)
    })
}
