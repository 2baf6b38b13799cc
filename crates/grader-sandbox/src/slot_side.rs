//! One side of a slot: its keepers, their boxes, and the program that is visible in the boxes.

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::lease::{ControlGroups, Lease};
use super::link::Keeper;
use super::pipe::system;
use super::places::{BOX, PROGRAM, TEMP};
use super::renewable_dir::{self, Workbox};
use super::sys::FileIdentity;
use super::wire::{ExecutionTraces, Order, Setup};
use super::workdir::{Owner, Workdir};
use super::{Isolation, Loss, Place, Request, SandboxError, Sight};

/// One side of a slot.
pub(super) struct SlotSide {
    binary: PathBuf,
    isolation: Isolation,
    /// The directory of the boxes.
    dir: PathBuf,
    /// The box and the temporary directory, if they are on the host.
    boxes: [Workbox; 2],
    /// The user id and control groups of this side alone, if the isolation needs them.
    lease: Option<Lease>,
    /// The keeper of programs that run with the user's own rights. Without isolation, it runs all programs.
    host: Option<Keeper>,
    walled: Option<WalledKeeper>,
}

/// A keeper behind walls.
struct WalledKeeper {
    keeper: Option<Keeper>,
    /// The current box.
    dir: Option<OwnedFd>,
    /// The toolchains that are visible behind the walls.
    toolchains: Vec<PathBuf>,
    /// Whether their network has a loopback interface that is up.
    loopback: bool,
    /// The directory whose files are shown as the program.
    program: Option<PathBuf>,
}

impl SlotSide {
    /// Creates the side. It starts keepers only when they are needed.
    pub(super) fn new(binary: &Path, dir: &Path, isolation: Isolation) -> Self {
        let boxes = ["box", "tmp"].map(|name| Workbox::new(dir.join(name)));
        Self { binary: binary.to_owned(), isolation, dir: dir.to_owned(), boxes, lease: None, host: None, walled: None }
    }

    /// Returns an empty box for the following runs.
    pub(super) fn fresh_box(&mut self, sight: &Sight) -> Result<Workdir, SandboxError> {
        if !self.isolation.has_namespaces() {
            return self.host_box();
        }
        let dir = self.walled(sight)?.empty_box()?;
        let owner = self.user();
        Ok(Workdir::new(BOX.into(), TEMP.into(), dir, owner.map_or(Owner::Grader, Owner::Receiver)))
    }

    /// Starts the keeper behind the walls, to check whether these walls work here.
    pub(super) fn warm_up(&mut self) -> Result<(), SandboxError> {
        if self.isolation.has_walls() { self.walled(&Sight::default()).map(drop) } else { Ok(()) }
    }

    /// Returns the available control groups, once the keeper behind the walls has started; None without control groups.
    pub(super) fn control_groups(&self) -> Option<ControlGroups> {
        self.lease.as_ref()?.control_groups()
    }

    fn host_box(&mut self) -> Result<Workdir, SandboxError> {
        self.claim(self.isolation)?;
        let owner = self.user().filter(|_| self.isolation.gives_boxes_away());
        for workbox in &mut self.boxes {
            let path = workbox.path().to_owned();
            workbox.renew(owner).map_err(|error| system(&format!("cannot prepare {}", path.display()))(error))?;
        }
        let [path, temp] = [0, 1].map(|index: usize| self.boxes[index].path().to_owned());
        let open = || {
            let _identity = FileIdentity::assume(owner)?;
            File::options().read(true).custom_flags(libc::O_DIRECTORY | libc::O_NOFOLLOW).open(&path)
        };
        let dir = open().map_err(|error| system(&format!("cannot open {}", path.display()))(error))?;
        Ok(Workdir::new(path, temp, dir.into(), owner.map_or(Owner::Grader, Owner::Programs)))
    }

    /// The user of the programs of this side, if it is not the grader's own and the side has it already.
    fn user(&self) -> Option<u32> {
        Some(self.lease.as_ref()?.users()?.programs)
    }

    /// Claims users and control groups, once.
    fn claim(&mut self, isolation: Isolation) -> Result<(), SandboxError> {
        if !isolation.has_walls() || self.lease.is_some() {
            return Ok(());
        }
        self.lease = Some(Lease::new(isolation)?);
        if let Some(user) = self.user().filter(|_| isolation.gives_boxes_away()) {
            let failed = format!("cannot prepare {}", self.dir.display());
            renewable_dir::make_passage(&self.dir, user).map_err(system(&failed))?;
        }
        Ok(())
    }

    /// Takes the keeper that will run `request`, and prepares everything that the request needs to see.
    pub(super) fn take(&mut self, request: &Request) -> Result<Keeper, SandboxError> {
        let sight = match &request.place {
            Place::Box(sight) if self.isolation.has_walls() => sight,
            _ => return self.host.take().map_or_else(|| self.start(Isolation::None, &[], false), Ok),
        };
        if self.isolation.has_namespaces()
            && let Some(program) = &sight.program
        {
            self.walled(sight)?.show(program)?;
        }
        self.walled(sight)?.take()
    }

    /// Gives back a keeper that can be used again.
    pub(super) fn give_back(&mut self, keeper: Keeper, request: &Request) {
        match (&request.place, &mut self.walled) {
            // Objects that end only with their namespaces must not be visible to the next run.
            (Place::Box(_), Some(walled)) => {
                walled.keeper = (keeper.left != ExecutionTraces::Objects).then_some(keeper);
            }
            _ => self.host = Some(keeper),
        }
    }

    /// Returns the keeper behind walls. Starts a new one if the keeper was lost, or if the request must see more than
    /// it shows.
    fn walled(&mut self, Sight { toolchains, loopback, .. }: &Sight) -> Result<&mut WalledKeeper, SandboxError> {
        let known = |walled: &WalledKeeper| {
            walled.loopback == *loopback && toolchains.iter().all(|dir| walled.toolchains.contains(dir))
        };
        let usable = self.walled.as_ref().is_some_and(|walled| walled.keeper.is_some() && known(walled));
        if !usable {
            let mut all = self.walled.take().map(|walled| walled.toolchains).unwrap_or_default();
            all.extend(toolchains.iter().filter(|dir| !all.contains(dir)).cloned().collect::<Vec<_>>());
            let keeper = self.start(self.isolation, &all, *loopback)?;
            let dir = None;
            let loopback = *loopback;
            self.walled = Some(WalledKeeper { keeper: Some(keeper), dir, toolchains: all, loopback, program: None });
        }
        self.walled.as_mut().ok_or(SandboxError::Keeper(Loss::Ended))
    }

    fn start(&mut self, isolation: Isolation, toolchains: &[PathBuf], loopback: bool) -> Result<Keeper, SandboxError> {
        self.claim(isolation)?;
        let lease = self.lease.as_ref().filter(|_| isolation.has_walls());
        let setup = Setup {
            isolation,
            toolchains: toolchains.to_vec(),
            loopback: loopback && isolation.has_namespaces(),
            boxes: [0, 1].map(|index: usize| self.boxes[index].path().to_owned()),
            users: lease.and_then(Lease::users),
            groups: lease.and_then(Lease::groups),
        };
        let lock = lease.and_then(Lease::lock).filter(|_| isolation.gives_boxes_away());
        Keeper::start(&self.binary, setup, lock)
    }
}

impl WalledKeeper {
    fn keeper(&mut self) -> Result<&mut Keeper, SandboxError> {
        self.keeper.as_mut().ok_or(SandboxError::Keeper(Loss::Ended))
    }

    fn take(&mut self) -> Result<Keeper, SandboxError> {
        self.keeper.take().ok_or(SandboxError::Keeper(Loss::Ended))
    }

    /// Drops the keeper after an error, so that it is never used again.
    fn checked<T>(&mut self, answer: Result<T, SandboxError>) -> Result<T, SandboxError> {
        if answer.is_err() {
            self.keeper = None;
        }
        answer
    }

    /// Returns the current box if it is unchanged, otherwise a new box.
    fn empty_box(&mut self) -> Result<OwnedFd, SandboxError> {
        let left = std::mem::replace(&mut self.keeper()?.left, ExecutionTraces::Files);
        if left != ExecutionTraces::Nothing || self.dir.is_none() {
            let answer = self.keeper()?.ask(&Order::Box);
            self.dir = self.checked(answer)?;
        }
        let dir = self.dir.as_ref().ok_or(SandboxError::Keeper(Loss::Protocol("gave no directory")))?;
        dir.try_clone().map_err(system("cannot keep a box open"))
    }

    /// Shows the files of `dir` as the program.
    fn show(&mut self, dir: &Path) -> Result<(), SandboxError> {
        if self.program.as_deref() == Some(dir) {
            return Ok(());
        }
        self.program = None;
        let answer = self.keeper()?.ask(&Order::Program);
        let place = self.checked(answer)?.ok_or(SandboxError::Keeper(Loss::Protocol("gave no directory")))?;
        let place = Workdir::new(PROGRAM.into(), TEMP.into(), place, Owner::Grader);
        copy(dir, &place).map_err(system(&format!("cannot show {}", dir.display())))?;
        let answer = self.keeper()?.ask(&Order::Seal);
        self.checked(answer)?;
        self.program = Some(dir.to_owned());
        Ok(())
    }
}

/// Copies a finished build, which consists of plain files and directories.
pub(super) fn copy(from: &Path, to: &Workdir) -> io::Result<()> {
    for entry in WalkDir::new(from).min_depth(1) {
        let entry = entry?;
        let name = entry.path().strip_prefix(from).map_err(io::Error::other)?;
        if entry.file_type().is_dir() {
            to.make_dir(name)?;
        } else if entry.file_type().is_file() {
            to.put(name, entry.path())?;
        }
    }
    Ok(())
}
