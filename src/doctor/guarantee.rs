//! The guarantees of each layer, and the hostile programs that try to break them.

use std::fs;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use crate::doctor::probe_site::{AMPLE, Outside, ProbeResult, ProbeSite};
use crate::limits::{Bytes, Limits};
use crate::sandbox::{ControlGroups, Exit, Isolation, Kill, Probe, ProbeOutcome, Sandbox, SandboxError, Wall};

/// One thing that a hostile program must not be able to do.
pub(crate) struct Guarantee {
    /// The heading under which reports list it.
    pub(crate) theme: &'static str,
    /// The guarantee, in words about a program: "sees no process outside".
    pub(crate) what: &'static str,
    promise: Promise,
    trial: fn(&mut ProbeSite) -> Result<GuaranteeResult, SandboxError>,
}

/// The layers that promise a guarantee.
#[derive(Debug, Clone, Copy)]
enum Promise {
    /// In every layer.
    Everywhere,
    /// In every layer except `none`.
    Walls,
    /// In every layer except `none`. Layers without namespaces promise it only if the kernel's Landlock has this
    /// restriction.
    Landlock(Wall),
    /// Like `Landlock`, but a user that no other process has stands in for the restriction.
    LandlockOrUser(Wall),
    /// In the layers for programs of other people.
    Strong,
}

/// The result of a try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum GuaranteeResult {
    /// The hostile action was not possible.
    Holds,
    /// The sandbox noticed the action, but only by sampling.
    Sampled,
    /// The action was possible. Contains how.
    Broken(String),
    /// The result is unknown. Contains why.
    Unknown(String),
}

impl GuaranteeResult {
    /// Whether this result keeps a promise.
    pub(crate) fn keeps(&self) -> bool {
        matches!(self, Self::Holds | Self::Sampled)
    }
}

impl Guarantee {
    /// Whether this layer promises it, on a kernel with this version of Landlock.
    pub(crate) fn is_promised(&self, isolation: Isolation, landlock: Option<u32>) -> bool {
        match self.promise {
            Promise::Everywhere => true,
            Promise::Walls => isolation.has_walls(),
            Promise::Landlock(wall) => {
                isolation.has_namespaces() || (isolation.has_landlock() && wall.stands(landlock))
            }
            Promise::LandlockOrUser(wall) => {
                isolation.is_strong() || (isolation.has_landlock() && wall.stands(landlock))
            }
            Promise::Strong => isolation.is_strong(),
        }
    }

    /// Runs hostile programs that try to break the guarantee.
    pub(crate) fn examine(&self, site: &mut ProbeSite) -> GuaranteeResult {
        (self.trial)(site).unwrap_or_else(|error| GuaranteeResult::Unknown(crate::error_chain(&error)))
    }
}

const PROCESSES: &str = "Processes: a program";
const FILES: &str = "Files: a program";
const NETWORK: &str = "Network: a program";
const LIMITS: &str = "Limits: the sandbox ends a program and all its processes for";
const KERNEL: &str = "The kernel: a program may not";
const SURROUNDINGS: &str = "Surroundings: a program gets no";

/// All guarantees, grouped by theme.
pub(crate) const GUARANTEES: &[Guarantee] = &[
    of(PROCESSES, "is never process 1", Promise::Everywhere, |site| refused(site, Probe::BeInit)),
    of(PROCESSES, "is never root", Promise::Strong, |site| refused(site, Probe::BeRoot)),
    of(PROCESSES, "has and gains no capabilities", Promise::Walls, |site| refused(site, Probe::HavePrivileges)),
    of(PROCESSES, "sees no process outside", Promise::Strong, |site| refused(site, Probe::SeeOthers)),
    of(PROCESSES, "signals no process outside", Promise::LandlockOrUser(Wall::Signals), signals_nobody),
    of(PROCESSES, "cannot read or trace its watcher", Promise::Walls, |site| refused(site, Probe::OpenParent)),
    of(PROCESSES, "leaves nothing running", Promise::Everywhere, leaves_nothing_running),
    of(FILES, "reads no private file", Promise::Walls, reads_nothing),
    of(FILES, "writes no file outside its box", Promise::Landlock(Wall::Writing), writes_nothing),
    of(FILES, "cannot change its input", Promise::Walls, cannot_change_input),
    of(FILES, "finds nothing of an earlier run", Promise::Walls, finds_nothing),
    of(FILES, "shares no System V memory", Promise::Walls, shares_no_memory),
    of(FILES, "shares no POSIX message queue", Promise::Walls, shares_no_queue),
    of(FILES, "fills no disk", Promise::Strong, fills_no_disk),
    of(FILES, "creates a limited number of files", Promise::Strong, makes_few_files),
    of(NETWORK, "reaches no port of this machine", Promise::Walls, reaches_no_port),
    of(NETWORK, "reaches no abstract socket", Promise::LandlockOrUser(Wall::AbstractSockets), reaches_no_name),
    of(NETWORK, "reaches no socket by its path", Promise::Strong, reaches_no_path),
    of(LIMITS, "memory, the sum of its processes", Promise::Everywhere, limits_memory),
    of(LIMITS, "the number of its processes", Promise::Everywhere, limits_processes),
    of(LIMITS, "CPU time, the sum of its processes", Promise::Everywhere, limits_cpu),
    of(LIMITS, "sleeping", Promise::Everywhere, limits_sleep),
    of(LIMITS, "output", Promise::Everywhere, limits_output),
    of(KERNEL, "mount a file system", Promise::Walls, |site| refused(site, Probe::Mount)),
    of(KERNEL, "make a user namespace", Promise::Walls, |site| refused(site, Probe::MakeUserNamespace)),
    of(KERNEL, "use keyrings", Promise::Walls, |site| refused(site, Probe::UseKeyring)),
    of(KERNEL, "use io_uring", Promise::Walls, |site| refused(site, Probe::UseIoUring)),
    of(KERNEL, "use BPF", Promise::Walls, |site| refused(site, Probe::UseBpf)),
    of(KERNEL, "use performance counters", Promise::Walls, |site| refused(site, Probe::UsePerfEvents)),
    of(KERNEL, "handle page faults (userfaultfd)", Promise::Walls, |site| refused(site, Probe::UseUserFault)),
    of(KERNEL, "join a namespace (setns)", Promise::Walls, |site| refused(site, Probe::JoinNamespace)),
    of(KERNEL, "open files by handle", Promise::Walls, |site| refused(site, Probe::OpenByHandle)),
    of(KERNEL, "use raw sockets", Promise::Walls, |site| refused(site, Probe::UseRawSockets)),
    of(KERNEL, "use system calls of another architecture", Promise::Walls, makes_no_foreign_call),
    of(KERNEL, "type into terminals (TIOCSTI)", Promise::Walls, |site| refused(site, Probe::TypeForOthers)),
    of(SURROUNDINGS, "variable of grader's environment", Promise::Everywhere, |site| {
        refused(site, Probe::HaveEnvironment)
    }),
    of(SURROUNDINGS, "descriptor except its three streams", Promise::Everywhere, |site| {
        refused(site, Probe::HaveDescriptors)
    }),
    of(SURROUNDINGS, "terminal", Promise::Everywhere, |site| refused(site, Probe::HaveTerminal)),
];

const fn of(
    theme: &'static str,
    what: &'static str,
    promise: Promise,
    trial: fn(&mut ProbeSite) -> Result<GuaranteeResult, SandboxError>,
) -> Guarantee {
    Guarantee { theme, what, promise, trial }
}

/// The result as the hostile program reports it.
fn result_of(ran: &ProbeResult) -> GuaranteeResult {
    match ran.found {
        ProbeOutcome::Refused => GuaranteeResult::Holds,
        ProbeOutcome::Possible if ran.said.is_empty() => GuaranteeResult::Broken("it was possible".to_owned()),
        ProbeOutcome::Possible => GuaranteeResult::Broken(format!("it was possible: {}", ran.said)),
        ProbeOutcome::Untried => unclear(ran),
    }
}

fn unclear(ran: &ProbeResult) -> GuaranteeResult {
    let exit = match ran.outcome.exit {
        Exit::Code(code) => format!("exit code {code}"),
        Exit::Signal(signal) => format!("signal {signal}"),
    };
    let killed = ran.outcome.killed.map(|kill| format!(", ended for {kill:?}")).unwrap_or_default();
    GuaranteeResult::Unknown(format!("the test program failed ({exit}{killed}) {}", ran.said))
}

fn refused(site: &mut ProbeSite, probe: Probe) -> Result<GuaranteeResult, SandboxError> {
    Ok(result_of(&site.run(probe, &[])?))
}

/// Observations from outside the sandbox outrank the program's own report.
fn unless(seen: bool, how: &str, ran: &ProbeResult) -> GuaranteeResult {
    if seen { GuaranteeResult::Broken(how.to_owned()) } else { result_of(ran) }
}

fn makes_no_foreign_call(site: &mut ProbeSite) -> Result<GuaranteeResult, SandboxError> {
    let ran = site.run(Probe::CallAsForeigner, &[])?;
    // A kernel that supports no other architecture ends the program with SIGSEGV.
    Ok(if ran.outcome.exit == Exit::Signal(libc::SIGSEGV) { GuaranteeResult::Holds } else { result_of(&ran) })
}

fn signals_nobody(site: &mut ProbeSite) -> Result<GuaranteeResult, SandboxError> {
    site.outside.was_signalled();
    let ran = site.run(Probe::Signal, &[&std::process::id().to_string()])?;
    // In its own namespace, this number may belong to another process, and the program may signal that one.
    Ok(match ran.found {
        ProbeOutcome::Untried => unclear(&ran),
        _ if site.outside.was_signalled() => GuaranteeResult::Broken("the grader got a signal".to_owned()),
        _ => GuaranteeResult::Holds,
    })
}

fn leaves_nothing_running(site: &mut ProbeSite) -> Result<GuaranteeResult, SandboxError> {
    let ran = site.run(Probe::LeaveDaemon, &[&site.outside.token])?;
    let left = site.outside.bearers();
    for pid in left.iter().filter_map(|pid| Pid::from_raw(*pid)) {
        // The process may have ended by now.
        let _ = kill_process(pid, Signal::KILL);
    }
    Ok(match (left.first(), ran.outcome.survivors) {
        (Some(pid), _) => GuaranteeResult::Broken(format!("process {pid} was still alive")),
        (None, 0) => unclear(&ran),
        (None, _) => GuaranteeResult::Holds,
    })
}

fn reads_nothing(site: &mut ProbeSite) -> Result<GuaranteeResult, SandboxError> {
    let secret = site.outside.path("secret");
    let me = std::process::id();
    let ways = [format!("/proc/{me}/root{secret}"), format!("/proc/1/root{secret}"), format!("/proc/{me}/environ")];
    let [root, init, environment] = &ways;
    let files = [&secret, root, init, environment, "/etc/shadow", "/etc/ssh/ssh_host_ed25519_key"];
    Ok(result_of(&site.run(Probe::Read, &files)?))
}

fn writes_nothing(site: &mut ProbeSite) -> Result<GuaranteeResult, SandboxError> {
    let planted = site.outside.path("planted");
    let dir = site.outside.path("");
    let program = site.program_dir().to_string_lossy().into_owned();
    let places = [&planted, &dir, &program, "/", "/usr", "/usr/lib", "/etc", "/var/tmp", "/dev", "/root", "/home"];
    let ran = site.run(Probe::Write, &places)?;
    let seen = fs::symlink_metadata(&planted).is_ok();
    // Usually the file does not exist. If removal fails, the file disappears with the scratch directory.
    let _ = fs::remove_file(&planted);
    Ok(unless(seen, "it created a file beside grader's own", &ran))
}

fn cannot_change_input(site: &mut ProbeSite) -> Result<GuaranteeResult, SandboxError> {
    let ran = site.run(Probe::RewriteInput, &[])?;
    Ok(unless(!site.input_is_untouched(), "it wrote to its input file", &ran))
}

fn finds_nothing(site: &mut ProbeSite) -> Result<GuaranteeResult, SandboxError> {
    let token = site.outside.token.clone();
    let paths = ["", "/tmp/", "/dev/shm/", "/var/tmp/"].map(|dir| format!("{dir}{token}"));
    let paths = paths.each_ref().map(String::as_str);
    site.run(Probe::LeaveFiles, &paths)?;
    let ran = site.run(Probe::FindFiles, &paths);
    // Without walls, the program's files are on this machine.
    for path in paths.iter().filter(|path| path.starts_with('/')) {
        // Most of these files do not exist.
        let _ = fs::remove_file(path);
    }
    Ok(result_of(&ran?))
}

fn shares_no_memory(site: &mut ProbeSite) -> Result<GuaranteeResult, SandboxError> {
    let key = Outside::key();
    site.run(Probe::LeaveShared, &[&key])?;
    Ok(result_of(&site.run(Probe::FindShared, &[&key])?))
}

fn shares_no_queue(site: &mut ProbeSite) -> Result<GuaranteeResult, SandboxError> {
    let name = site.outside.token.clone();
    site.run(Probe::LeaveQueue, &[&name])?;
    Ok(result_of(&site.run(Probe::FindQueue, &[&name])?))
}

/// For heavy work on a slow machine.
const PATIENT: Limits = Limits { cpu: Duration::from_secs(120), wall: Duration::from_secs(240), ..AMPLE };

/// Whether something limits the size of the box. If nothing does, the doctor does not fill a real disk to show it.
fn has_bounds(site: &ProbeSite) -> bool {
    site.isolation.is_strong()
}

/// A program that wrote too much was refused, or ended for its memory or its files.
fn bounded(ran: &ProbeResult) -> GuaranteeResult {
    match ran.outcome.killed {
        Some(Kill::Memory) => GuaranteeResult::Holds,
        Some(Kill::Files) => GuaranteeResult::Sampled,
        _ => result_of(ran),
    }
}

fn fills_no_disk(site: &mut ProbeSite) -> Result<GuaranteeResult, SandboxError> {
    if !has_bounds(site) {
        return Ok(GuaranteeResult::Unknown("not tested here".to_owned()));
    }
    let ran = site.run_within(PATIENT, Probe::FillDisk, &["1536"])?;
    Ok(bounded(&ran))
}

fn makes_few_files(site: &mut ProbeSite) -> Result<GuaranteeResult, SandboxError> {
    if !has_bounds(site) {
        return Ok(GuaranteeResult::Unknown("not tested here".to_owned()));
    }
    let ran = site.run_within(PATIENT, Probe::MakeFiles, &["100000"])?;
    Ok(bounded(&ran))
}

fn reaches_no_port(site: &mut ProbeSite) -> Result<GuaranteeResult, SandboxError> {
    let ran = site.run(Probe::Connect, &[&site.outside.port.to_string()])?;
    Ok(unless(site.outside.was_reached(), "it connected to 127.0.0.1", &ran))
}

fn reaches_no_name(site: &mut ProbeSite) -> Result<GuaranteeResult, SandboxError> {
    let ran = site.run(Probe::ConnectAbstract, &[&site.outside.token])?;
    Ok(unless(site.outside.was_reached(), "it connected to an abstract socket", &ran))
}

fn reaches_no_path(site: &mut ProbeSite) -> Result<GuaranteeResult, SandboxError> {
    let ran = site.run(Probe::ConnectPath, &[&site.outside.path("socket")])?;
    Ok(unless(site.outside.was_reached(), "it connected to a socket in a directory", &ran))
}

/// Runs a hostile program that the sandbox must end for this reason.
fn ended_for(
    site: &mut ProbeSite,
    reason: Kill,
    limits: Limits,
    probe: Probe,
    argument: &str,
) -> Result<GuaranteeResult, SandboxError> {
    let ran = site.run_within(limits, probe, &[argument])?;
    Ok(match (ran.outcome.killed, ran.found) {
        (Some(killed), _) if killed == reason => GuaranteeResult::Holds,
        (None, ProbeOutcome::Possible) => GuaranteeResult::Broken("nothing ended it".to_owned()),
        _ => unclear(&ran),
    })
}

fn limits_memory(site: &mut ProbeSite) -> Result<GuaranteeResult, SandboxError> {
    // Each of the two processes stays below the limit; their sum exceeds it.
    let limits = Limits { memory: Bytes::mib(128), ..AMPLE };
    let found = ended_for(site, Kill::Memory, limits, Probe::UseMemory, "80")?;
    let groups = site.slot().control_groups();
    let exact = groups.first().is_some_and(ControlGroups::count_memory);
    Ok(match found {
        GuaranteeResult::Holds if exact => GuaranteeResult::Holds,
        GuaranteeResult::Holds if site.isolation == Isolation::Root => {
            GuaranteeResult::Broken("memory is only sampled: there is no control group for memory".to_owned())
        }
        GuaranteeResult::Holds => GuaranteeResult::Sampled,
        other => other,
    })
}

fn limits_processes(site: &mut ProbeSite) -> Result<GuaranteeResult, SandboxError> {
    let limits = Limits { processes: 16, ..AMPLE };
    ended_for(site, Kill::Processes, limits, Probe::StartMany, "40")
}

fn limits_cpu(site: &mut ProbeSite) -> Result<GuaranteeResult, SandboxError> {
    let limits = Limits { cpu: Duration::from_millis(200), ..AMPLE };
    ended_for(site, Kill::Cpu, limits, Probe::Burn, "")
}

fn limits_sleep(site: &mut ProbeSite) -> Result<GuaranteeResult, SandboxError> {
    let limits = Limits { wall: Duration::from_millis(300), ..AMPLE };
    ended_for(site, Kill::Wall, limits, Probe::Sleep, "")
}

fn limits_output(site: &mut ProbeSite) -> Result<GuaranteeResult, SandboxError> {
    let limits = Limits { output: Bytes::mib(1), ..AMPLE };
    ended_for(site, Kill::Output, limits, Probe::Print, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn promised(isolation: Isolation, landlock: Option<u32>) -> usize {
        GUARANTEES.iter().filter(|guarantee| guarantee.is_promised(isolation, landlock)).count()
    }

    #[test]
    fn a_stronger_layer_promises_more() {
        let counts = Isolation::ALL.map(|isolation| promised(isolation, Some(7)));
        assert!(counts.is_sorted_by(|a, b| a >= b) && counts[2] > counts[3] && counts[3] > counts[4], "{counts:?}");
        assert_eq!(counts[0], GUARANTEES.len());
    }

    #[test]
    fn an_older_landlock_promises_less() {
        assert_eq!(promised(Isolation::Weak, Some(7)), promised(Isolation::Weak, Some(6)));
        assert_eq!(promised(Isolation::Weak, Some(5)) + 2, promised(Isolation::Weak, Some(6)));
        assert_eq!(promised(Isolation::Users, Some(2)) + 1, promised(Isolation::Users, Some(3)));
        assert_eq!(promised(Isolation::User, Some(1)), promised(Isolation::User, Some(7)));
    }

    #[test]
    fn each_is_told_once() {
        let told: std::collections::BTreeSet<_> = GUARANTEES.iter().map(|it| (it.theme, it.what)).collect();
        assert_eq!(told.len(), GUARANTEES.len());
    }
}
