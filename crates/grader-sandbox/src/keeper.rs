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
use rustix::thread::{CapabilitySet, CapabilitySets, set_capabilities};

use super::landlock::Ruleset;
use super::partner_time::Partner;
use super::places::BOX;
use super::refusal::Refusal;
use super::rlimits;
use super::root::{self, SYSTEM_DIRS};
use super::run::{self, ExecutionEnd, Ground, Watch};
use super::seccomp::{Filter, Network, Surroundings};
use super::sys::{self, Confinement, PreparedChild};
use super::tree::{self, Processes};
use super::user_walls::UserWalls;
use super::walls::Walls;
use super::wire::{self, ExecutionTraces, Order, Reply, Setup};
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
    // A program of the same user may stop the keeper. It must go on when the grader ends, and kill what it runs.
    sys::continue_at_each_word(socket)?;
    sys::forget_startup();
    // A program with many threads must not delay the keeper in noticing a crossed limit.
    sys::run_first();
    let mut buffer = Vec::new();
    // The lock of its users stays open to the end.
    let Some((Order::Enter(setup), _lock)) = wire::receive::<Order>(socket, &mut buffer)? else { return Ok(()) };
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
    /// The same, and a user that nothing else has.
    Users { walls: Box<UserWalls>, filter: Filter },
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
            Isolation::Users => {
                let (walls, filter) = UserWalls::enter(&setup)?;
                Kind::Users { walls: Box::new(walls), filter }
            }
            Isolation::Weak => {
                // Fails now, not at the first run.
                Ruleset::demand()?;
                sys::drop_bounding_set();
                let none = CapabilitySet::empty();
                set_capabilities(None, CapabilitySets { effective: none, permitted: none, inheritable: none })?;
                Kind::Weak {
                    processes: Processes::open()?,
                    filter: Filter::new(Surroundings {
                        ipc: false,
                        memory: false,
                        network: Network::Machine,
                        bounded_box: true,
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
        self.expect_reach(&request.place)?;
        let prepared = self.prepare(request)?;
        let ruleset = self.ruleset(&request.place)?;
        let ruleset = ruleset.as_ref().and_then(Ruleset::fd);
        let (ground, confinement) = match &mut self.kind {
            Kind::Closed(walls) => (Ground::Closed(walls), Confinement::default()),
            Kind::Open(processes) => (Ground::Open(processes), Confinement::default()),
            Kind::Weak { processes, filter, .. } => {
                let filter = Some(filter.program());
                (Ground::Open(processes), Confinement { ruleset, filter, ..Confinement::default() })
            }
            Kind::Users { walls, filter } => {
                let confinement = Confinement { ruleset, filter: Some(filter.program()), ..walls.confinement() };
                (Ground::Users(walls), confinement)
            }
        };
        let watch = Watch::new(&request.limits, partner);
        let ran = run::run(&prepared, streams, &confinement, watch, ground, socket)?;
        let left = if let Kind::Closed(walls) = &self.kind { walls.clean_up()? } else { ExecutionTraces::Files };
        Ok(match ran {
            ExecutionEnd::Done(outcome, ended) => Answer::Reply(Reply::Done { outcome, ended, left }, None),
            ExecutionEnd::Starved(usage) => Answer::Reply(Reply::Starved { usage, left }, None),
            ExecutionEnd::NotStarted(failure) if failure.is_programs() => {
                let program = prepared.program().to_string_lossy().into_owned();
                Answer::Reply(Reply::NotExecuted { program, errno: failure.errno }, None)
            }
            ExecutionEnd::NotStarted(failure) => {
                let error = failure.error();
                return Err(Refusal::with_message(&error, None, format!("{:?}: {error}", failure.step)));
            }
            ExecutionEnd::Orphaned => Answer::Leave,
        })
    }

    /// Fails if programs cannot enter their box or the directory of their program.
    fn expect_reach(&self, place: &Place) -> io::Result<()> {
        let Place::Box(sight) = place else { return Ok(()) };
        let _identity = match &self.kind {
            Kind::Weak { .. } => None,
            Kind::Users { walls, .. } => Some(walls.identity()?),
            Kind::Open(_) | Kind::Closed(_) => return Ok(()),
        };
        let layer = self.setup.isolation;
        self.setup.boxes.iter().chain(&sight.program).try_for_each(|dir| reaches(dir, layer))
    }

    /// The rules for files; None in a layer without Landlock.
    fn ruleset(&self, place: &Place) -> io::Result<Option<Ruleset>> {
        if !self.setup.isolation.has_landlock() {
            return Ok(None);
        }
        let nothing = Sight::default();
        let sight = if let Place::Box(sight) = place { sight } else { &nothing };
        // The kernel follows links anyway. A rule for a link would allow everything in its target.
        let toolchains = sight.toolchains.iter().filter(|path| !path.is_symlink());
        let seen = sight.program.iter().chain(toolchains).map(PathBuf::as_path);
        let system = SYSTEM_DIRS.iter().map(Path::new);
        let read: Vec<_> = system.chain(seen).collect();
        let write: Vec<_> = self.setup.boxes.iter().map(PathBuf::as_path).collect();
        Ok(Some(match &self.kind {
            Kind::Users { walls, .. } => walls.ruleset(&read, &write)?,
            Kind::Weak { etc, .. } => {
                let etc = etc.iter().map(PathBuf::as_path).chain([Path::new("/proc")]);
                Ruleset::new(&read.into_iter().chain(etc).collect::<Vec<_>>(), &write)?
            }
            Kind::Open(_) | Kind::Closed(_) => return Ok(None),
        }))
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

/// Fails if a program cannot enter `dir`: it does not have root's privileges, even if root started the grader. Without
/// this check, the failure would look like the program's own fault.
fn reaches(dir: &Path, layer: Isolation) -> io::Result<()> {
    let access = Access::READ_OK | Access::EXEC_OK;
    accessat(CWD, dir, access, AtFlags::EACCESS).map_err(|error| {
        let error = io::Error::from(error);
        let message = format!(
            "cannot enter {} without root's privileges, which layer `{}` gives up: {error}; move it where every user may enter, or use another layer",
            dir.display(),
            layer.name()
        );
        io::Error::new(error.kind(), message)
    })
}
