//! Running one program with limits and reporting facts about it. Knows no verdict.
//!
//! The grader itself never starts a submission: each slot has a small keeper process (`keeper`) that does, so that
//! memory figures are not inherited from a large parent and nothing outlives a run.

mod guard;
mod keeper;
mod link;
mod slot;
mod sys;
mod talk;
mod tree;
mod wire;
mod workbox;

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::limits::{Bytes, Limits, Usage};

pub use keeper::serve as serve_keeper;
pub use slot::{Canceller, KEEPER_ROLE, Slot};

/// What to run. Everything is explicit: nothing is inherited from the grader's own environment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// The program, as an absolute path, and its arguments.
    pub argv: Vec<OsString>,
    /// The complete environment.
    pub env: Vec<(OsString, OsString)>,
    /// The working directory.
    pub cwd: PathBuf,
    /// When to kill.
    pub limits: Limits,
    /// The logical cpu that it starts on and stays on, unless it changes that itself; none: any.
    pub core: Option<usize>,
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

/// `SIGSEGV`, or `signal 42`; one that is often met says what it usually means.
pub fn signal_name(signal: i32) -> String {
    match signal {
        libc::SIGSEGV => "SIGSEGV (invalid memory access, or a stack overflow)".to_owned(),
        libc::SIGABRT => "SIGABRT (abort, a failed assertion, or an uncaught exception)".to_owned(),
        libc::SIGFPE => "SIGFPE (division by zero, or an integer overflow in a division)".to_owned(),
        libc::SIGKILL => "SIGKILL (not sent by the grader)".to_owned(),
        libc::SIGBUS => "SIGBUS".to_owned(),
        libc::SIGILL => "SIGILL (illegal instruction)".to_owned(),
        libc::SIGPIPE => "SIGPIPE (wrote to a closed pipe)".to_owned(),
        libc::SIGTERM => "SIGTERM".to_owned(),
        libc::SIGXCPU => "SIGXCPU (raised by the program)".to_owned(),
        libc::SIGTRAP => "SIGTRAP".to_owned(),
        libc::SIGHUP => "SIGHUP".to_owned(),
        libc::SIGINT => "SIGINT".to_owned(),
        libc::SIGUSR1 => "SIGUSR1".to_owned(),
        libc::SIGUSR2 => "SIGUSR2".to_owned(),
        other => format!("signal {other}"),
    }
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
    /// The program could not be executed at all.
    #[error("cannot execute {program}: {message}")]
    Exec {
        /// The program's path.
        program: String,
        /// The cause, in the system's words.
        message: String,
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
}

/// One slot: runs one program (or one interactive pair) at a time.
pub trait Sandbox: Send {
    /// Runs `request` with `stdin`, passing its output to `sink`.
    fn run(&mut self, request: &Request, stdin: File, sink: &mut dyn Sink) -> Result<Outcome, SandboxError>;

    /// Runs a submission and an interactor whose standard streams are connected crosswise.
    fn interact(
        &mut self,
        submission: &Request,
        interactor: &Request,
        conversation: &mut dyn Conversation,
    ) -> Result<Interaction, SandboxError>;

    /// An empty directory for the next run of this side of the slot to work in.
    fn fresh_box(&mut self, side: Side) -> Result<PathBuf, SandboxError>;

    /// The handle that ends the current run from another thread.
    fn canceller(&self) -> Canceller;
}

/// The isolation in force.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Isolation {
    /// Process groups, resource limits and a subreaper sweep; no walls.
    None,
}

impl Isolation {
    /// The name used on the command line and in every report.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
        }
    }

    /// What a reader must know about the measurements in this mode.
    pub const fn caveat(self) -> &'static str {
        match self {
            Self::None => "programs run with your own rights; memory is that of the largest process or as sampled",
        }
    }
}

/// The default output cap of a captured stream that nobody judges.
pub const MESSAGE_CAP: Bytes = Bytes::kib(64);
