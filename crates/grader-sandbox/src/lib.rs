//! Runs one program under limits and reports facts about the run. Knows no verdicts.
//!
//! The grader itself never starts a submission. Each slot has a small keeper process (`keeper`) that starts it. This
//! way, memory figures are not inherited from a large parent, and nothing outlives a run.
//!
//! A slot runs one program at a time. The program that uses it must begin with [`serve_role`]:
//!
//! ```standalone_crate
//! use std::{env, error::Error, fs::File, process::ExitCode, time::Duration};
//!
//! use grader_sandbox::limits::{Bytes, Limits, Overflow};
//! use grader_sandbox::{Exit, Isolation, Place, Request, Sandbox, Side, Sight, Sink, Slot};
//!
//! #[derive(Default)]
//! struct Output(Vec<u8>);
//!
//! impl Sink for Output {
//!     fn stdout(&mut self, bytes: &[u8]) {
//!         self.0.extend_from_slice(bytes);
//!     }
//!
//!     fn stderr(&mut self, _: &[u8]) {}
//! }
//!
//! fn main() -> Result<ExitCode, Box<dyn Error>> {
//!     if let Some(status) = grader_sandbox::serve_role(env::args_os()) {
//!         return Ok(status);
//!     }
//!     let scratch = tempfile::tempdir()?;
//!     let mut slot = Slot::new(&env::current_exe()?, scratch.path(), Isolation::None)?;
//!     let sight = Sight::default();
//!     slot.fresh_box(Side::Submission, &sight)?;
//!     let request = Request {
//!         argv: ["/bin/sh", "-c", "echo hello; exit 7"].map(Into::into).to_vec(),
//!         env: Vec::new(),
//!         place: Place::Box(sight),
//!         limits: Limits {
//!             cpu: Duration::from_secs(1),
//!             wall: Duration::from_secs(5),
//!             memory: Bytes::mib(64),
//!             output: Bytes::mib(1),
//!             overflow: Overflow::Kill,
//!             processes: 8,
//!         },
//!         core: None,
//!     };
//!     let mut output = Output::default();
//!     let outcome = slot.run(Side::Submission, &request, File::open("/dev/null")?, &mut output)?;
//!     assert_eq!((outcome.exit, &*output.0), (Exit::Code(7), &b"hello\n"[..]));
//!     Ok(ExitCode::SUCCESS)
//! }
//! ```
//!
//! Three sides:
//!
//! - the grader's: `slot`, `slot_side` and `pipe`; `link` and `wire` (to the keeper), `conversation`, `partner_time`
//!   and `meter` (interactive runs and output), `workdir`, `renewable_dir` and `input` (directories), `lease` (users
//!   and groups), `rlimits`
//! - the keeper's: `keeper`, `run` (one execution), `tree` and `guard` (its processes), `sys` (the only `unsafe`)
//! - the walls: `walls`, `mounts`, `tmpfs`, `places`, `root`, `seccomp`, `landlock`, `cgroup`; without namespaces
//!   `user_walls`, `box_use` (what is in a box) and, on the grader's side, `program_copies`; `probe` (hostile
//!   programs for the doctor), `refusal` (what could not be set up), `loss` (what something outside killed)

mod box_use;
mod cgroup;
mod conversation;
mod guard;
mod input;
mod keeper;
mod landlock;
mod lease;
mod link;
mod loss;
mod meter;
mod mounts;
mod partner_time;
mod pipe;
mod places;
mod probe;
mod program_copies;
mod refusal;
mod renewable_dir;
mod rlimits;
mod root;
mod run;
mod seccomp;
mod slot;
mod slot_side;
mod sys;
mod tmpfs;
mod tree;
mod user_walls;
mod walls;
mod wire;
mod workdir;

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::fd::AsFd as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use rustix::fs::Mode;
use serde::{Deserialize, Serialize};

use grader_model::limits::{Bytes, Limits, Usage};

pub use grader_model::limits;

pub use cgroup::{Controller, Missing, MissingCause};
pub use keeper::serve as serve_keeper;
pub use landlock::{Wall, landlock_version};
pub use lease::ControlGroups;
pub use loss::{AttemptError, Loss, once_more};
pub use pipe::{Canceller, KEEPER_ROLE};
pub use places::{BOX_BYTES, BOX_FILES};
pub use probe::{PROBE_ROLE, Probe, ProbeOutcome, serve as serve_probe};
pub use refusal::{Part, Refusal};
pub use renewable_dir::{let_pass, remove as remove_tree};
pub use rlimits::{LowLimit, check_hard_limits};
pub use root::SYSTEM_DIRS;
pub use slot::Slot;
pub use workdir::Workdir;

/// Serves the role of a keeper, or of a hostile program that tries the sandbox, where the arguments of this process say so; then
/// the process is to end with this status. None where it has other things to do.
///
/// A slot starts its keepers as the program that it was given, with such an argument: the `grader` program, or one that calls
/// this first.
pub fn serve_role(arguments: impl IntoIterator<Item = OsString>) -> Option<ExitCode> {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let role = arguments.get(1)?;
    if role == PROBE_ROLE {
        return Some(serve_probe(arguments.into_iter()));
    }
    (role == KEEPER_ROLE).then(|| match serve_keeper(std::io::stdin().as_fd()) {
        Ok(()) => ExitCode::SUCCESS,
        // The grader reads the keeper's last message, or notices that there is none.
        Err(_) => ExitCode::FAILURE,
    })
}

/// A program to run, with everything that it gets. It inherits nothing from the grader's own environment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// The program, as an absolute path, and its arguments.
    pub argv: Vec<OsString>,
    /// The complete environment.
    pub env: Vec<(OsString, OsString)>,
    /// The place where it runs.
    pub place: Place,
    /// When to kill.
    pub limits: Limits,
    /// The logical cpu that the program starts on and stays on, unless it changes that itself. None: any cpu.
    pub core: Option<usize>,
}

/// The place where a program runs, and the files that it sees there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Place {
    /// In this directory of the host, with the user's own rights. Used for the user's own commands, and to query tools
    /// for their version and paths. Never used for a submitted program.
    Host(PathBuf),
    /// In the newest box of this slot side, behind the walls of the isolation in force.
    Box(Sight),
}

/// The files that a program in a box sees, read-only, in addition to the system's own programs and libraries.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sight {
    /// The directory of the built program. `Sandbox::program_dir` returns the path at which it appears in the box.
    pub program: Option<PathBuf>,
    /// Directories, files and links of toolchains. They appear in the box at their own paths.
    pub toolchains: Vec<PathBuf>,
    /// The directory in the box in which the program starts; empty for the box itself.
    pub directory: PathBuf,
    /// Whether the loopback interface of its own network is up, for tools that talk to themselves (`loopback`, RFC 1122).
    /// Without namespaces, no such network exists.
    #[serde(default)]
    pub loopback: bool,
}

impl Sight {
    /// The same files for a program that starts in another directory of the box, which must be there.
    #[must_use]
    pub fn starting_in(self, directory: &Path) -> Self {
        Self { directory: directory.to_owned(), ..self }
    }
}

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Exit {
    /// The program ended by itself with this code.
    Code(i32),
    /// A signal ended it.
    Signal(i32),
}

/// Why the sandbox killed a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kill {
    /// Cpu time reached its limit.
    Cpu,
    /// The wall guard was reached.
    Wall,
    /// Memory reached its limit.
    Memory,
    /// The program wrote more output than allowed.
    Output,
    /// The program had more processes or threads than allowed.
    Processes,
    /// The files of the program were larger or more than allowed. Only where the kernel does not limit them.
    Files,
    /// The grader cancelled the run because it no longer needs the result.
    Cancelled,
}

/// The processes that the memory figure of an outcome covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MemoryScope {
    /// The peak of the whole process tree, exact.
    Tree,
    /// The larger of the largest single process and the tree as sampled.
    LargestProcess,
}

/// The facts about one execution.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// How the program ended.
    pub exit: Exit,
    /// The reason, if the sandbox ended the program.
    pub killed: Option<Kill>,
    /// Time and memory.
    pub usage: Usage,
    /// The processes that `usage.memory` covers.
    pub memory_scope: MemoryScope,
    /// Processes that were still alive when the main program ended, and were killed.
    pub survivors: u32,
    /// The number of bytes that it has written.
    #[serde(default)]
    pub printed: WrittenBytes,
    /// Time and memory used when both streams together crossed the output limit. Set only if the program was allowed to
    /// continue (`Overflow::Cut`).
    #[serde(default)]
    pub crossed: Option<Usage>,
    /// The part of the elapsed time in which it was ready to run and had no core, as far as known. Executions that took less than
    /// 50 ms are not asked.
    #[serde(default)]
    pub waited: Duration,
}

impl Outcome {
    /// The elapsed time without the time that it waited for a core. The limit on elapsed time is about this one.
    pub fn at_work_or_asleep(&self) -> Duration {
        self.usage.wall.saturating_sub(self.waited)
    }

    /// Returns SIGKILL or SIGTERM if that signal ended the program and the grader did not send it. The sender was the
    /// host's OOM killer, a person at the machine, or the program itself. A shell whose last command ends that way
    /// exits with 128 + the signal, and so does a Java virtual machine after SIGTERM.
    pub fn outside_signal(&self) -> Option<i32> {
        let signal = match self.exit {
            Exit::Signal(signal) => signal,
            Exit::Code(code) => code - 128,
        };
        (self.killed.is_none() && matches!(signal, libc::SIGKILL | libc::SIGTERM)).then_some(signal)
    }
}

/// The number of bytes that a program has written, including those that the sandbox discarded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenBytes {
    /// To standard output.
    pub stdout: u64,
    /// To standard error.
    pub stderr: u64,
}

/// A failure of the sandbox itself; never a statement about the program.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// The keeper could not be started.
    #[error("cannot start the keeper process {path}")]
    Start {
        /// The grader's own binary.
        path: PathBuf,
        /// The cause.
        #[source]
        source: io::Error,
    },
    /// The keeper vanished or broke the protocol.
    #[error("lost the keeper process: {0}")]
    Keeper(Loss),
    /// The keeper could not carry out an order. The message says why.
    #[error("{0}")]
    Refused(Refusal),
    /// The directory with the lock files of leased user ids cannot be used.
    #[error("cannot claim a user id: {path}", path = .path.display())]
    Locks {
        /// The directory, or a file in it.
        path: PathBuf,
        /// The cause.
        #[source]
        source: io::Error,
    },
    /// The program could not be executed at all.
    #[error("cannot execute {program}: {source}{}", closed_to_others(program))]
    Exec {
        /// The program's path.
        program: String,
        /// The cause.
        #[source]
        source: io::Error,
    },
    /// Other programs left no core to this one for too long, so nothing is known about it.
    #[error(
        "it got no free core: {:.3} s of cpu in {:.1} s; run it again when the machine is less busy, or with fewer \
         slots (-j)",
        .usage.cpu.as_secs_f64(),
        .usage.wall.as_secs_f64()
    )]
    Starved {
        /// The resources that the program had used when the sandbox ended it.
        usage: Usage,
    },
    /// A system call of the grader failed.
    #[error("{what}")]
    System {
        /// The operation that failed.
        what: String,
        /// The cause.
        #[source]
        source: io::Error,
    },
}

impl SandboxError {
    /// Returns the part of the sandbox that the error is about, if the remedy depends on it.
    pub fn part(&self) -> Option<Part> {
        match self {
            Self::Refused(refusal) => refusal.part,
            Self::Locks { .. } => Some(Part::Locks),
            Self::Exec { .. } => Some(Part::Program),
            Self::Start { .. } | Self::Keeper(_) | Self::Starved { .. } | Self::System { .. } => None,
        }
    }

    /// Whether the system forbids something (`EPERM`, `EACCES`).
    pub fn is_forbidden(&self) -> bool {
        match self {
            Self::Refused(refusal) => refusal.is_forbidden,
            Self::Start { source, .. }
            | Self::Locks { source, .. }
            | Self::Exec { source, .. }
            | Self::System { source, .. } => refusal::is_forbidden(source),
            Self::Keeper(_) | Self::Starved { .. } => false,
        }
    }
}

/// Receives a program's output while it runs. Both methods are called from the slot's own thread.
pub trait Sink {
    /// Bytes from standard output, in order.
    fn stdout(&mut self, bytes: &[u8]);
    /// Bytes from standard error, in order.
    fn stderr(&mut self, bytes: &[u8]);
}

/// The two sides of a judgement: the program that solves, and the program that judges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The submission, or a compiler.
    Submission,
    /// The validator or interactor.
    Interactor,
}

/// Receives the messages of an interactive run as they are sent.
pub trait Conversation {
    /// `side` said this, `at` after the start.
    fn said(&mut self, side: Side, at: std::time::Duration, bytes: &[u8]);
    /// `side` wrote this to its standard error.
    fn stderr(&mut self, side: Side, bytes: &[u8]);
}

/// The facts about an interactive run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interaction {
    /// The submission's facts.
    pub submission: Outcome,
    /// The interactor's facts.
    pub interactor: Outcome,
    /// Which side ended first.
    pub first: Side,
    /// Set if the grader stopped the submission because both sides waited for each other.
    pub standstill: Option<Standstill>,
    /// Whether the sandbox ended the interactor, because it went on long after the sandbox had ended the submission.
    pub abandoned: bool,
}

/// How a standstill came about: both sides of a conversation slept in a read of their standard input, and both inputs
/// were empty; or the submission had to wait because its output was not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standstill {
    /// The submission had written nothing.
    Silent,
    /// The last output of the submission did not end with a line break.
    OpenLine,
    /// The submission had written nothing since the interactor last wrote.
    Unanswered,
    /// The submission was the last side to write.
    Answered,
    /// The sandbox discarded output of the submission beyond its limit (`Overflow::Cut`).
    Cut {
        /// The limit.
        limit: Bytes,
    },
    /// The interactor left output of the submission unread until the end.
    Unread,
}

/// An execution slot: runs one program (or one interactive pair) at a time.
pub trait Sandbox: Send {
    /// Runs `request` with `stdin` on one side of the slot, passing its output to `sink`.
    fn run(&mut self, side: Side, request: &Request, stdin: File, sink: &mut dyn Sink)
    -> Result<Outcome, SandboxError>;

    /// Runs a submission and an interactor whose standard streams are connected crosswise.
    fn interact(
        &mut self,
        submission: &Request,
        interactor: &Request,
        conversation: &mut dyn Conversation,
    ) -> Result<Interaction, SandboxError>;

    /// Makes an empty box on this side of the slot for the following runs. Programs in the box see the files that
    /// `sight` names.
    fn fresh_box(&mut self, side: Side, sight: &Sight) -> Result<Workdir, SandboxError>;

    /// Returns the path at which a program sees its own directory `dir`, as named in its request.
    fn program_dir(&self, dir: &Path) -> PathBuf;

    /// The isolation in force.
    fn isolation(&self) -> Isolation;

    /// Starts the sandbox now, and not with the first program. Control groups are known after that.
    ///
    /// # Errors
    /// The isolation does not work here.
    fn warm_up(&mut self) -> Result<(), SandboxError> {
        Ok(())
    }

    /// The number of keepers of this slot so far that ended although the grader did not want that.
    fn lost_keepers(&self) -> u64 {
        0
    }

    /// Describes the available control groups for each side that has started a keeper. Empty for a side without control
    /// groups.
    fn control_groups(&self) -> Vec<ControlGroups>;

    /// The handle that ends the current run from another thread.
    fn canceller(&self) -> Canceller;
}

/// A slot that is lent for one run.
impl<S: Sandbox + ?Sized> Sandbox for &mut S {
    fn run(
        &mut self,
        side: Side,
        request: &Request,
        stdin: File,
        sink: &mut dyn Sink,
    ) -> Result<Outcome, SandboxError> {
        (**self).run(side, request, stdin, sink)
    }

    fn interact(
        &mut self,
        submission: &Request,
        interactor: &Request,
        conversation: &mut dyn Conversation,
    ) -> Result<Interaction, SandboxError> {
        (**self).interact(submission, interactor, conversation)
    }

    fn fresh_box(&mut self, side: Side, sight: &Sight) -> Result<Workdir, SandboxError> {
        (**self).fresh_box(side, sight)
    }

    fn program_dir(&self, dir: &Path) -> PathBuf {
        (**self).program_dir(dir)
    }

    fn isolation(&self) -> Isolation {
        (**self).isolation()
    }

    fn warm_up(&mut self) -> Result<(), SandboxError> {
        (**self).warm_up()
    }

    fn lost_keepers(&self) -> u64 {
        (**self).lost_keepers()
    }

    fn control_groups(&self) -> Vec<ControlGroups> {
        (**self).control_groups()
    }

    fn canceller(&self) -> Canceller {
        (**self).canceller()
    }
}

/// The isolation in force, from the strongest down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Isolation {
    /// Namespaces, a separate root directory and separate user ids; requires root.
    Root,
    /// Like `Root`, but in a user namespace; for an ordinary user.
    User,
    /// For root without namespaces, as in a container: separate user ids, Landlock, and a filter of system calls.
    Users,
    /// No namespaces and no users: resource limits, Landlock, and a filter of system calls.
    Weak,
    /// Process groups, resource limits and a subreaper sweep; no walls.
    None,
}

/// The facts about a layer of isolation. Code that depends on the layer reads these facts, so that a new layer is a row.
struct Makeup {
    name: &'static str,
    /// The only kind of user that can have the layer. None: every user.
    only_for: Option<UserKind>,
    /// The boundary between programs and the machine.
    boundary: Boundary,
    /// A user id for each side of a slot that nothing else on the machine has.
    own_user: bool,
    /// Whether it holds what judging programs of other people needs (`docs/sandbox.md`).
    strong: bool,
    caveat: &'static str,
}

/// The boundary between programs and the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Boundary {
    /// Namespaces, with a file system, processes and a network of its own.
    Namespaces,
    /// Landlock and the filter of system calls.
    Landlock,
    Nothing,
}

/// Root, or any other user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum UserKind {
    Root,
    Ordinary,
}

impl Isolation {
    /// All of them, the strongest first.
    pub const ALL: [Self; 5] = [Self::Root, Self::User, Self::Users, Self::Weak, Self::None];

    const fn makeup(self) -> &'static Makeup {
        match self {
            Self::Root => &Makeup {
                name: "root",
                only_for: Some(UserKind::Root),
                boundary: Boundary::Namespaces,
                own_user: true,
                strong: true,
                caveat: "",
            },
            Self::User => &Makeup {
                name: "user",
                only_for: Some(UserKind::Ordinary),
                boundary: Boundary::Namespaces,
                own_user: false,
                strong: true,
                caveat: "",
            },
            Self::Users => &Makeup {
                name: "users",
                only_for: Some(UserKind::Root),
                boundary: Boundary::Landlock,
                own_user: true,
                strong: true,
                caveat: "",
            },
            Self::Weak => &Makeup {
                name: "weak",
                only_for: None,
                boundary: Boundary::Landlock,
                own_user: false,
                strong: false,
                caveat: "weak isolation: memory use is sampled; programs can see processes, sockets and the names of files \
                         outside; do not judge untrusted code",
            },
            Self::None => &Makeup {
                name: "none",
                only_for: None,
                boundary: Boundary::Nothing,
                own_user: false,
                strong: false,
                caveat: "programs run with your own rights; memory is that of the largest process, or sampled",
            },
        }
    }

    /// The name used on the command line and in every report.
    pub const fn name(self) -> &'static str {
        self.makeup().name
    }

    /// Whether programs live in namespaces and a file system of their own.
    pub const fn has_namespaces(self) -> bool {
        matches!(self.makeup().boundary, Boundary::Namespaces)
    }

    /// Whether each side of a slot has a user id that nothing else has.
    pub const fn has_own_user(self) -> bool {
        self.makeup().own_user
    }

    /// Whether programs have a user of their own and the machine's files. Their box then belongs to that user, who must be
    /// able to pass through the directories above the slot's ([`let_pass`]).
    pub const fn gives_boxes_away(self) -> bool {
        self.has_own_user() && !self.has_namespaces()
    }

    /// Whether Landlock and the filter of system calls stand in for namespaces.
    pub const fn has_landlock(self) -> bool {
        matches!(self.makeup().boundary, Boundary::Landlock)
    }

    /// Whether anything separates programs from the machine.
    pub const fn has_walls(self) -> bool {
        !matches!(self.makeup().boundary, Boundary::Nothing)
    }

    /// Whether it suffices for programs of other people.
    pub const fn is_strong(self) -> bool {
        self.makeup().strong
    }

    /// Whether root, or any other user, can have it.
    pub fn is_for(self, is_root: bool) -> bool {
        let kind = if is_root { UserKind::Root } else { UserKind::Ordinary };
        self.makeup().only_for.is_none_or(|only| only == kind)
    }

    /// Returns what a reader must know about the walls in this mode. Empty if there is nothing to know.
    pub const fn caveat(self) -> &'static str {
        self.makeup().caveat
    }
}

/// Says which directory keeps other users away from a program. In layer `users`, programs run as other users.
fn closed_to_others(program: &str) -> String {
    let ancestors: Vec<&Path> = Path::new(program).ancestors().skip(1).collect();
    // A directory that cannot be examined does not count.
    let is_closed = |dir: &&&Path| dir.metadata().is_ok_and(|found| found.mode() & 0o001 == 0);
    match ancestors.iter().rev().find(is_closed) {
        Some(dir) => format!("; only its owner can enter {}: install it where every user can run it", dir.display()),
        None => String::new(),
    }
}

/// Resets inherited process state that no result may depend on: soft resource limits, ignored signals, and a umask that
/// takes rights from the owner of a file. Call this first, while the process has one thread.
///
/// # Errors
/// The hard limit on the stack is too low for this process.
pub fn settle_process() -> Result<(), LowLimit> {
    sys::settle_signals();
    let umask = rustix::process::umask(Mode::RWXG | Mode::RWXO);
    // The umask for group and others is the user's own choice: reports and cases follow it.
    rustix::process::umask(umask - Mode::RWXU);
    rlimits::raise_soft_limits()
}

/// The default output cap of a captured stream that is not judged.
pub const MESSAGE_CAP: Bytes = Bytes::kib(64);

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_directory_that_keeps_others_away_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let bin = dir.path().join("tools/bin");
        std::fs::create_dir_all(&bin).unwrap();
        let program = bin.join("python3").display().to_string();
        let mode = |path: &Path, mode| std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
        mode(dir.path(), 0o755);
        assert_eq!(closed_to_others(&program), "");
        mode(&dir.path().join("tools"), 0o700);
        let words = closed_to_others(&program);
        assert!(words.contains(&format!("can enter {}/tools: install", dir.path().display())), "{words}");
    }
}
