//! Tables of the precedence of verdicts.

use std::time::Duration;

use super::*;
use crate::limits::{Bytes, Limits, Overflow, Usage};
use crate::problem::Protocol;
use crate::sandbox::{Kill, MemoryScope, Outcome, WrittenBytes};

fn limits() -> JudgeLimits {
    JudgeLimits {
        time: Duration::from_secs(1),
        kill: Limits {
            cpu: Duration::from_millis(1500),
            wall: Duration::from_secs(3),
            memory: Bytes::mib(256),
            output: Bytes::mib(8),
            overflow: Overflow::Kill,
            processes: 64,
        },
    }
}

fn outcome(exit: Exit, killed: Option<Kill>, cpu_ms: u64, mib: u64) -> Outcome {
    let cpu = Duration::from_millis(cpu_ms);
    let usage = Usage { cpu, wall: cpu, memory: Bytes::mib(mib) };
    let printed = WrittenBytes::default();
    let crossed = None;
    let waited = Duration::ZERO;
    Outcome { exit, killed, usage, memory_scope: MemoryScope::Tree, survivors: 0, printed, crossed, waited }
}

const OK: Exit = Exit::Code(0);
const SEGV: Exit = Exit::Signal(libc::SIGSEGV);
const KILL: Exit = Exit::Signal(libc::SIGKILL);

#[test]
fn facts_rule_in_the_order_of_the_field() {
    use Verdict::{MemoryLimit as MLE, OutputLimit as OLE, RunTimeError as RTE, TimeLimit as TLE};
    for (facts, verdict, reason) in [
        (outcome(OK, None, 10, 1), None, ""),
        (outcome(OK, None, 1000, 256), None, ""),
        (outcome(OK, None, 1001, 1), Some(TLE), "1.001 s > 1 s"),
        (outcome(KILL, Some(Kill::Cpu), 1503, 1), Some(TLE), "> 1.5 s (limit 1 s)"),
        (outcome(KILL, Some(Kill::Wall), 3, 1), Some(TLE), "slept: 0.003 s of cpu in 3 s of wall time"),
        (outcome(OK, None, 10, 258), Some(MLE), "peak 258 MiB > 256 MiB"),
        (outcome(KILL, Some(Kill::Memory), 2000, 258), Some(MLE), "peak 258 MiB > 256 MiB"),
        (outcome(KILL, Some(Kill::Memory), 2000, 256), Some(MLE), "the kernel ended it: memory > 256 MiB"),
        (outcome(SEGV, None, 2000, 1), Some(TLE), "2.000 s > 1 s"),
        (outcome(SEGV, None, 10, 1), Some(RTE), "SIGSEGV (invalid memory access, or a stack overflow)"),
        (outcome(Exit::Code(3), None, 10, 1), Some(RTE), "exit code 3"),
        (outcome(KILL, None, 10, 1), Some(RTE), "SIGKILL (not sent by the grader)"),
        (outcome(KILL, Some(Kill::Output), 2000, 300), Some(OLE), "more than 8 MiB of output"),
        (outcome(Exit::Signal(libc::SIGSYS), None, 2000, 300), Some(RTE), "denied system call"),
        (outcome(KILL, Some(Kill::Processes), 10, 1), Some(RTE), "more than 64 processes and threads"),
        (outcome(KILL, Some(Kill::Processes), 2000, 1), Some(RTE), "more than 64 processes and threads"),
        (outcome(KILL, Some(Kill::Files), 10, 1), Some(OLE), "more than 1024 MiB or 65536 files in its directories"),
    ] {
        let rejection = rejection_by_facts(&facts, &limits(), Ruleset::Icpc);
        assert_eq!(rejection.as_ref().map(|r| r.0), verdict, "{facts:?}");
        assert_eq!(rejection.map(|(_, reason)| reason.to_string()).unwrap_or_default(), reason, "{facts:?}");
    }
}

#[test]
fn only_42_and_43_decide() {
    let decide = |exit, killed| {
        decide(
            &outcome(exit, killed, 10, 1),
            &limits(),
            Protocol::Icpc,
            Question::Submission,
            PrintedStreams::default(),
        )
    };
    assert_eq!(decide(Exit::Code(42), None), Ok(Decision::Accept));
    assert_eq!(decide(Exit::Code(43), None), Ok(Decision::Reject));
    for exit in [OK, Exit::Code(1), Exit::Code(101), SEGV] {
        assert!(decide(exit, None).is_err(), "{exit:?}");
    }
    assert!(decide(KILL, Some(Kill::Wall)).is_err());
}

fn decided(run: &Interaction) -> Result<Decision, Breach> {
    decide(&run.interactor, &limits(), Protocol::Icpc, Question::Submission, PrintedStreams::default())
}

#[test]
fn an_interactive_run_is_ruled_by_who_ended_first() {
    use Verdict::{RunTimeError as RTE, TimeLimit as TLE, WrongAnswer as WA};
    let accept = || outcome(Exit::Code(42), None, 1, 1);
    let reject = || outcome(Exit::Code(43), None, 1, 1);
    let broken = || outcome(Exit::Code(1), None, 1, 1);
    let slow = || outcome(KILL, Some(Kill::Cpu), 1500, 1);
    let pipe = || outcome(Exit::Signal(libc::SIGPIPE), None, 1, 1);
    let fine = || outcome(OK, None, 1, 1);
    for (submission, interactor, first, expected) in [
        (fine(), accept(), Side::Submission, Ok(None)),
        (fine(), accept(), Side::Interactor, Ok(None)),
        (fine(), reject(), Side::Submission, Ok(Some(WA))),
        (outcome(SEGV, None, 1, 1), reject(), Side::Interactor, Ok(Some(WA))),
        (outcome(SEGV, None, 1, 1), reject(), Side::Submission, Ok(Some(RTE))),
        (outcome(SEGV, None, 1, 1), accept(), Side::Interactor, Ok(Some(RTE))),
        (slow(), reject(), Side::Interactor, Ok(Some(WA))),
        (slow(), reject(), Side::Submission, Ok(Some(TLE))),
        (slow(), accept(), Side::Interactor, Ok(Some(TLE))),
        (pipe(), reject(), Side::Interactor, Ok(Some(WA))),
        (pipe(), accept(), Side::Interactor, Ok(None)),
        (fine(), broken(), Side::Submission, Err(())),
        (fine(), broken(), Side::Interactor, Err(())),
        (slow(), broken(), Side::Interactor, Err(())),
    ] {
        let run = Interaction { submission, interactor, first, standstill: None, abandoned: false };
        for ruleset in Ruleset::ALL {
            let rejection = rule_on_interaction(&run, decided(&run), &limits(), ruleset);
            let got = rejection.map(|r| r.map(|r| r.0)).map_err(|_| ());
            assert_eq!(got, expected, "{ruleset} {run:?}");
        }
    }
}

#[test]
fn judges_differ_on_an_interactor_that_breaks_behind_the_submission() {
    let submission = outcome(SEGV, None, 1, 1);
    let interactor = outcome(Exit::Code(1), None, 1, 1);
    let run = Interaction { submission, interactor, first: Side::Submission, standstill: None, abandoned: false };
    let rule = |ruleset| rule_on_interaction(&run, decided(&run), &limits(), ruleset);
    assert_eq!(
        rule(Ruleset::Icpc).map(|rejection| rejection.map(|rejection| rejection.0)),
        Ok(Some(Verdict::RunTimeError))
    );
    assert!(rule(Ruleset::Kattis).is_err() && rule(Ruleset::Domjudge).is_err());
}

#[test]
fn judges_differ_on_what_is_told_first() {
    use Verdict::{MemoryLimit as MLE, OutputLimit as OLE, RunTimeError as RTE, TimeLimit as TLE};
    for (facts, icpc, others) in [
        (outcome(OK, None, 1200, 258), MLE, TLE),
        (outcome(KILL, Some(Kill::Output), 1200, 1), OLE, TLE),
        (outcome(KILL, Some(Kill::Output), 10, 1), OLE, OLE),
        (outcome(KILL, Some(Kill::Output), 10, 258), OLE, MLE),
        (outcome(Exit::Signal(libc::SIGSYS), None, 1200, 1), RTE, TLE),
        (outcome(KILL, Some(Kill::Processes), 1200, 1), RTE, TLE),
    ] {
        for (ruleset, verdict) in [(Ruleset::Icpc, icpc), (Ruleset::Kattis, others), (Ruleset::Domjudge, others)] {
            let rejection = rejection_by_facts(&facts, &limits(), ruleset);
            assert_eq!(rejection.map(|rejection| rejection.0), Some(verdict), "{ruleset} {facts:?}");
        }
    }
}
