//! Submissions that run on other machines: the requests of a session to the client of these machines.

use std::sync::mpsc::Sender;

use crate::diagnostic::Diagnostic;
use crate::event::{HostFacts, Message};
use crate::plan::{Plan, PlannedProblem};
use crate::sandbox::Isolation;
use crate::store::{Key, LastRun};
use crate::workspace::Workspace;

/// The place where the programs of a run run, for the head of its record.
#[derive(Debug, Clone)]
pub(crate) struct Workplace {
    pub(crate) isolation: Isolation,
    pub(crate) facts: HostFacts,
    /// Notices about the machines for readers of the results.
    pub(crate) notices: Vec<Diagnostic>,
}

/// A language that programs of a run are written in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NeededLanguage {
    pub(crate) id: String,
    /// Its name for people.
    pub(crate) name: String,
    /// The number of programs in it.
    pub(crate) programs: usize,
}

/// The submissions of a run, with everything that decides their results.
pub(crate) struct Jobs<'a> {
    /// The settings, and the store of this machine's file digests.
    pub(crate) workspace: &'a Workspace,
    /// The plan. Every problem has its time limit.
    pub(crate) plan: &'a Plan,
    /// The key of each submission's job, in plan order.
    pub(crate) keys: Vec<Key>,
    /// The key of the whole run: equal if the same command is given again.
    pub(crate) run: Key,
    /// The language of every submission, if one was named.
    pub(crate) language: Option<&'a str>,
    /// Where the files of failed tests go.
    pub(crate) last: Option<&'a LastRun>,
    /// Whether this is the run that the user asked for, and not a measurement for it.
    pub(crate) is_whole: bool,
    /// Whether a person waits for the results.
    pub(crate) is_urgent: bool,
}

/// A request of a stream.
pub(crate) struct Errand {
    /// Equal for equal requests.
    pub(crate) key: Key,
    /// Its problem; without tests if the request brings them.
    pub(crate) problem: PlannedProblem,
    /// The request as it came.
    pub(crate) line: Vec<u8>,
}

/// The reply to an errand.
pub(crate) enum Reply {
    /// The words of the machine that carried it out.
    Said(String),
    /// No machine could carry it out: the reason.
    Failed(String),
}

/// The requests of a stream, and the place for their answers.
pub(crate) trait Errands: Sync {
    /// Waits for the next request; none if no more come.
    fn next(&self) -> Option<Errand>;

    /// Takes the answer to a request as a machine wrote it, or the reason why none will come.
    fn answer(&self, key: Key, reply: Reply);

    /// Refuses further requests, because they are not carried out.
    fn stop(&self);
}

/// Machines that run submissions.
pub(crate) trait Elsewhere: Send + Sync {
    /// Where programs will run: the first call decides it for all others, preferring machines that have the needed
    /// languages, which only that call asks for. Waits until a machine is available.
    ///
    /// # Errors
    /// The machines cannot be reached, or they differ and none was chosen.
    fn place(&self, workspace: &Workspace, needed: &dyn Fn() -> Vec<NeededLanguage>) -> anyhow::Result<Workplace>;

    /// Sends the files of the problems alone, so that the machines have them before the first submission.
    ///
    /// # Errors
    /// As for [`Self::run`].
    fn fetch_ahead(&self, jobs: &Jobs<'_>) -> anyhow::Result<()>;

    /// Runs everything, and sends the messages about each submission in any order. Returns early after a stop.
    ///
    /// # Errors
    /// The machines cannot be reached, or a file cannot be read.
    fn run(&self, jobs: &Jobs<'_>, messages: &Sender<Message>) -> anyhow::Result<()>;

    /// Carries out the requests of a stream, and brings the answers in any order. Returns early after a stop.
    ///
    /// # Errors
    /// As for [`Self::run`].
    fn carry_out(&self, workspace: &Workspace, all_tests: bool, errands: &dyn Errands) -> anyhow::Result<()>;

    /// Returns a function that ends a run early, for the thread that waits for signals.
    fn stopper(&self) -> Box<dyn Fn() + Send>;
}
