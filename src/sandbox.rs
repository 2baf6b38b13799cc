//! Running one program with limits and reporting facts about it. Knows no verdict.
//!
//! The grader itself never starts a submission: each slot has a small keeper process (`keeper`) that does, so that
//! memory figures are not inherited from a large parent and nothing outlives a run.

mod cgroup;
mod guard;
mod input;
mod keeper;
mod landlock;
mod lease;
mod link;
mod meter;
mod mounts;
mod partner;
mod pipe;
mod places;
mod probe;
mod refusal;
mod rlimits;
mod root;
mod run;
mod seccomp;
mod slot;
mod slot_side;
mod sys;
mod talk;
mod tmpfs;
mod tree;
mod walls;
mod wire;
mod workbox;
mod workdir;

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use rustix::fs::Mode;
use serde::{Deserialize, Serialize};

use crate::limits::{Bytes, Limits, Usage};

pub use cgroup::{Controller, Missing, MissingCause};
pub use keeper::serve as serve_keeper;
pub use landlock::{Wall, landlock_version};
pub use lease::ControlGroups;
pub use pipe::{Canceller, KEEPER_ROLE};
pub use probe::{Found, PROBE_ROLE, Probe, serve as serve_probe};
pub use refusal::{Part, Refusal};
pub use rlimits::{LowLimit, check_hard_limits};
pub use root::SYSTEM_DIRS;
pub use slot::Slot;
pub use workbox::remove as remove_tree;
pub use workdir::Workdir;

/// What to run. Everything is explicit: nothing is inherited from the grader's own environment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// The program, as an absolute path, and its arguments.
    pub argv: Vec<OsString>,
    /// The complete environment.
    pub env: Vec<(OsString, OsString)>,
    /// Where it runs.
    pub place: Place,
    /// When to kill.
    pub limits: Limits,
    /// The logical cpu that it starts on and stays on, unless it changes that itself; none: any.
    pub core: Option<usize>,
}

/// Where a program runs, and what it sees there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Place {
    /// In this directory of the host, with the user's own rights: the user's own commands, and tools that are asked
    /// about themselves. Never a program that came from somebody else.
    Host(PathBuf),
    /// In the box that was handed out last, behind the walls of the isolation in force.
    Box(Sight),
}

/// What a program in a box sees, read-only, beside the system's own programs and libraries.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sight {
    /// The directory of the built program; where it appears, `Sandbox::program_dir` says.
    pub program: Option<PathBuf>,
    /// Directories, files and links of toolchains; they appear where they are.
    pub toolchains: Vec<PathBuf>,
}

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Exit {
    /// It ended by itself with this code.
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
    /// More output than allowed.
    Output,
    /// More processes or threads than allowed.
    Processes,
    /// The grader no longer wants the result.
    Cancelled,
}

/// What the memory figure of an outcome covers.
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
    /// How it ended.
    pub exit: Exit,
    /// Set when the sandbox ended it.
    pub killed: Option<Kill>,
    /// Time and memory.
    pub usage: Usage,
    /// What `usage.memory` covers.
    pub memory_scope: MemoryScope,
    /// Processes that were still alive when the main program ended, and were killed.
    pub survivors: u32,
    /// What it has written.
    #[serde(default)]
    pub printed: Printed,
    /// What it had used when it crossed the output limit by both streams together, where it was let go on
    /// (`Overflow::Cut`).
    #[serde(default)]
    pub crossed: Option<Usage>,
}

impl Outcome {
    /// SIGKILL or SIGTERM, where it ended the program and the grader did not send it: the host's OOM killer did, somebody
    /// at the machine, or the program itself. A shell whose last command ends that way exits with 128 + the signal, and so
    /// does a Java virtual machine after SIGTERM.
    pub fn outside_signal(&self) -> Option<i32> {
        let signal = match self.exit {
            Exit::Signal(signal) => signal,
            Exit::Code(code) => code - 128,
        };
        (self.killed.is_none() && matches!(signal, libc::SIGKILL | libc::SIGTERM)).then_some(signal)
    }
}

/// Runs something, and once more where a signal from outside has ended it: the second time counts. That may be chance
/// once; a program that does it to itself does it again.
pub fn once_more<T>(mut run: impl FnMut() -> T, is_struck: impl FnOnce(&T) -> bool) -> T {
    let first = run();
    if is_struck(&first) { run() } else { first }
}

/// Bytes that a program has written, also those that were thrown away.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Printed {
    /// To standard output.
    pub stdout: u64,
    /// To standard error.
    pub stderr: u64,
}

/// Something of ours failed; never a statement about the program.
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
    Keeper(String),
    /// The keeper could not do what it was told to, and says why.
    #[error("{0}")]
    Refused(Refusal),
    /// The directory of the user ids that are taken cannot be used.
    #[error("cannot claim a user id: {path}", path = .path.display())]
    Locks {
        /// The directory, or a file in it.
        path: PathBuf,
        /// The cause.
        #[source]
        source: io::Error,
    },
    /// The program could not be executed at all.
    #[error("cannot execute {program}: {source}")]
    Exec {
        /// The program's path.
        program: String,
        /// The cause.
        #[source]
        source: io::Error,
    },
    /// Other programs left no core to this one for too long: nothing is known about it.
    #[error(
        "it got no free core: {:.3} s of cpu in {:.1} s; run it again when the machine is less busy, or with fewer \
         slots (-j)",
        .usage.cpu.as_secs_f64(),
        .usage.wall.as_secs_f64()
    )]
    Starved {
        /// What it had used when it was ended.
        usage: Usage,
    },
    /// A system call of ours failed.
    #[error("{what}")]
    System {
        /// What was being done.
        what: String,
        /// The cause.
        #[source]
        source: io::Error,
    },
}

impl SandboxError {
    /// What it is about, where a remedy depends on it.
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

/// Where a program's output goes while it runs. Both methods are called from the slot's own thread.
pub trait Sink {
    /// Bytes from standard output, in order.
    fn stdout(&mut self, bytes: &[u8]);
    /// Bytes from standard error, in order.
    fn stderr(&mut self, bytes: &[u8]);
}

/// The two sides of a judgement: who solves, and who judges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The submission, or a compiler.
    Submission,
    /// The validator or interactor.
    Interactor,
}

/// Where an interactive conversation goes while it runs.
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
    /// Set where the submission was stopped while both sides waited for each other.
    pub standstill: Option<Standstill>,
}

/// Both sides of a conversation slept in a read of their standard input, and nothing was left there for either.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standstill {
    /// The submission had written nothing.
    Silent,
    /// What it had written last was not the end of a line.
    OpenLine,
    /// It had written nothing since the interactor spoke.
    Unanswered,
    /// It had spoken last.
    Answered,
}

/// One slot: runs one program (or one interactive pair) at a time.
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

    /// An empty box on this side of the slot for the runs that follow. They will see what `sight` names.
    fn fresh_box(&mut self, side: Side, sight: &Sight) -> Result<Workdir, SandboxError>;

    /// The path at which a program sees the directory that its request names as its own.
    fn program_dir(&self, dir: &Path) -> PathBuf;

    /// The isolation in force.
    fn isolation(&self) -> Isolation;

    /// What there is of control groups, for each side that something was started in; none where none are used.
    fn control_groups(&self) -> Vec<ControlGroups>;

    /// The handle that ends the current run from another thread.
    fn canceller(&self) -> Canceller;
}

/// The isolation in force, from the strongest down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Isolation {
    /// Namespaces, a root of its own, and users of its own; as root.
    Root,
    /// The same through a user namespace; as an ordinary user.
    User,
    /// No namespaces: resource limits, Landlock, and a filter of system calls.
    Weak,
    /// Process groups, resource limits and a subreaper sweep; no walls.
    None,
}

impl Isolation {
    /// All of them, the strongest first.
    pub const ALL: [Self; 4] = [Self::Root, Self::User, Self::Weak, Self::None];

    /// The name used on the command line and in every report.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Root => "root",
            Self::User => "user",
            Self::Weak => "weak",
            Self::None => "none",
        }
    }

    /// Whether programs live in namespaces and a file system of their own.
    pub const fn has_namespaces(self) -> bool {
        matches!(self, Self::Root | Self::User)
    }

    /// What a reader must know about the walls in this mode; empty where there is nothing to know.
    pub const fn caveat(self) -> &'static str {
        match self {
            Self::Root | Self::User => "",
            Self::Weak => {
                "weak isolation: memory use is sampled; programs can see processes, sockets and the names of files \
                 outside; do not judge untrusted code"
            }
            Self::None => "programs run with your own rights; memory is that of the largest process, or sampled",
        }
    }
}

/// Undoes what this process has inherited and no result may depend on: soft resource limits, ignored signals, and a umask
/// that takes rights from the owner of a file. To be called first, while there is one thread.
///
/// # Errors
/// The hard limit on the stack is too low to go on.
pub fn settle_process() -> Result<(), LowLimit> {
    sys::settle_signals();
    let umask = rustix::process::umask(Mode::RWXG | Mode::RWXO);
    // Group and others are the person's own business: reports and cases follow what they want.
    rustix::process::umask(umask - Mode::RWXU);
    rlimits::raise_soft_limits()
}

/// The default output cap of a captured stream that nobody judges.
pub const MESSAGE_CAP: Bytes = Bytes::kib(64);
