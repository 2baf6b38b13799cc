//! Looks up results of earlier runs and remembers results for later runs.
//!
//! The store keeps facts and verdicts apart: the facts of an execution with the limits that it ran under, and the
//! verdict of a checker on those facts. If a limit changes, stored facts are judged again without an execution, provided
//! they suffice. An execution that an output validator leads is also valid under other limits, if it stays within both the old
//! and the new ones. Never stored: internal failures, commands, and executions that were cancelled, that a
//! signal from outside ended, or that were near their limit.

use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Context;
use super::resources::Resources;
use super::result::finish;
use super::second_look::Doubt;
use crate::compile::{Artifact, Build};
use crate::event::{Opinion, SubmissionIndex, TestIndex, TestResult};
use crate::judge::checker::{compare_bytes, judge_bytes};
use crate::judge::judged::{PassInput, Stdout, Streams};
use crate::judge::{Assessment, Case, JudgedExecution, LastPass, Origin, Terms, as_judged, near_time_limit};
use crate::limits::{JudgeLimits, Limits, Overflow};
use crate::problem::WorkFiles;
use crate::sandbox::{Exit, Kill, Outcome};
use crate::score::mark::Mark;
use crate::store::{CacheEntry, Digest, Key};
use crate::verdict::Verdict;

/// The largest output that is kept with the facts, in bytes.
const OUTPUT_CAP: u64 = 64 * 1024;
/// The most standard error that is kept, in bytes.
const STDERR_CAP: usize = 4 * 1024;

/// The facts of an execution.
#[derive(Debug, Serialize, Deserialize)]
struct Facts {
    outcome: Outcome,
    /// The kill points that it ran under.
    limits: Limits,
    stderr: String,
    /// Whether it was over time again when nothing else ran.
    #[serde(default)]
    confirmed: bool,
}

/// An execution that may be remembered.
pub(super) struct Memory {
    key: Key,
    facts: Facts,
    output: Option<Vec<u8>>,
    check: Key,
    assessment: Assessment,
}

impl Memory {
    /// Stores the execution.
    pub(super) fn keep(&self, resources: &Resources) {
        resources.store.put_outcome(self.key, &self.facts, self.output.as_deref());
        resources.store.put_outcome(self.check, &self.assessment, None);
    }

    /// Marks that the execution was over time even when nothing else ran.
    pub(super) fn confirmed(mut self) -> Self {
        self.facts.confirmed = true;
        self
    }
}

/// Detects changes to the files of a case: sizes and times of the input, the answer and the other files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stamps(Vec<Option<[i64; 6]>>);

impl Stamps {
    /// Reads the current state of the files. A missing file has no stamp.
    pub(super) fn of(case: &Case) -> Self {
        use std::os::unix::fs::MetadataExt;
        let stamp = |path: &Path| {
            // Two missing files look alike, but a missing file has no digest either. So nothing is remembered.
            let meta = std::fs::metadata(path).ok()?;
            let size = meta.size().cast_signed();
            let inode = meta.ino().cast_signed();
            Some([size, inode, meta.mtime(), meta.mtime_nsec(), meta.ctime(), meta.ctime_nsec()])
        };
        let pair = [stamp(&case.input), case.answer.as_deref().and_then(stamp)];
        Self(pair.into_iter().chain(case.work.files.iter().map(|(_, from)| stamp(from))).collect())
    }
}

/// Returns what to remember of an execution and its judgement. Returns none if the next execution may differ, or if the case
/// has changed since `before`, which was taken before the execution. A change leaves unknown which content was judged.
pub(super) fn memory(
    resources: &Resources,
    case: &Case,
    artifact: &Artifact,
    validators: &[&Artifact],
    judged: &JudgedExecution,
    before: &Stamps,
) -> Option<Memory> {
    if artifact.is_command()
        || judged.outcome.killed == Some(Kill::Cancelled)
        || judged.outcome.outside_signal().is_some()
        || near_limit(&judged.outcome, &case.limits)
    {
        return None;
    }
    // Look up all files at once.
    let mut digests = resources.store.digest_files(&files_of(case)).into_iter();
    let digests = Digests::take(case, &mut digests)?;
    if Stamps::of(case) != *before {
        return None;
    }
    let reach = if kept_limits(&judged.outcome, &case.limits) { Reach::Other } else { Reach::Same };
    let key = facts_key(resources, case, artifact, validators, &digests, reach);
    let output = judged.output(case, OUTPUT_CAP);
    let stderr = &judged.streams.stderr;
    let stderr = String::from_utf8_lossy(&stderr[..stderr.len().min(STDERR_CAP)]).into_owned();
    let facts = Facts { outcome: judged.outcome.clone(), limits: case.kill_points(), stderr, confirmed: false };
    let check = check_key(&key, case, validators, &digests.answer);
    Some(Memory { key, facts, output, check, assessment: judged.assessment.clone() })
}

/// Returns every file of a case that can influence the result: the answer, the input, and the files that the submission
/// finds beside it.
fn files_of(case: &Case) -> Vec<&Path> {
    let own = case.work.files.iter().map(|(_, from)| from.as_path());
    case.answer.as_deref().into_iter().chain([&*case.input]).chain(own).collect()
}

/// The digests of the files of one case.
struct Digests {
    /// The digest of the input, then those of the files beside it.
    inputs: Vec<Digest>,
    answer: Digest,
}

impl Digests {
    /// Takes the digests of one case from those of several cases; none if a file cannot be read.
    fn take<E>(case: &Case, digests: &mut impl Iterator<Item = Result<Digest, E>>) -> Option<Self> {
        let of_case: Vec<Option<Digest>> = digests.take(files_of(case).len()).map(Result::ok).collect();
        let mut of_case = of_case.into_iter();
        let answer = if case.answer.is_some() { of_case.next()? } else { Some(Digest::of_bytes(b"")) };
        Some(Self { answer: answer?, inputs: of_case.collect::<Option<_>>()? })
    }
}

/// Returns whether the next execution may end differently. That is so if the time is within a tenth of the limit, on either
/// side. It is also so if the wall clock stopped a program that was working: that says more about the machine than
/// about the program.
fn near_limit(outcome: &Outcome, limits: &JudgeLimits) -> bool {
    let at_work = outcome.killed == Some(Kill::Wall) && outcome.usage.cpu >= limits.time / 10;
    at_work || near_time_limit(outcome, limits)
}

/// Returns whether stored facts decide under these limits. A success also holds under looser time limits, a kill under
/// tighter limits of the same kind.
///
/// The time used is known, so it is judged again. The part of the elapsed time that was not sleep is known only in part. So a
/// wall time over the limit decides only if the limit has not become tighter. For the other limits, see
/// [`finds_the_same`].
///
/// Some judges let a program continue after too much output, others stop it. A judge that stops it judges its state at
/// that moment. If the program was stopped there, it is unknown how it would have continued.
fn suffice(facts: &Facts, limits: &JudgeLimits) -> bool {
    let outcome = &*as_judged(&facts.outcome, limits);
    let limits = limits.kill;
    let then = &facts.limits;
    let used = &outcome.usage;
    if outcome.crossed.is_some() && limits.output != then.output {
        return false;
    }
    // Such a run was never measured against an output limit.
    if then.overflow == Overflow::Pass && limits.overflow != Overflow::Pass {
        return false;
    }
    let in_wall = outcome.at_work_or_asleep() <= limits.wall || limits.wall >= then.wall;
    let in_time = used.cpu <= limits.cpu && in_wall;
    match (outcome.killed, outcome.exit) {
        // Too much CPU time exceeds the limit, whatever the elapsed time.
        (None, Exit::Code(0)) => in_wall || used.cpu > limits.cpu,
        (None, _) => in_wall,
        (Some(Kill::Cpu), _) => limits.cpu <= then.cpu,
        (Some(Kill::Wall), _) => limits.wall <= then.wall,
        (Some(Kill::Memory | Kill::Processes | Kill::Files), _) => in_time,
        (Some(Kill::Output), _) => limits.overflow == Overflow::Kill && in_time,
        (Some(Kill::Cancelled), _) => false,
    }
}

/// Whether a program finds the same limits now as then. It can read them (`getrlimit`) and act on them, and it may fail
/// at them without being killed: the stack follows the memory limit, and the size of a file the output limit. It cannot
/// read its time limits.
fn finds_the_same(then: &Limits, now: &Limits) -> bool {
    (then.memory, then.output, then.processes) == (now.memory, now.output, now.processes)
}

/// The limits under which a run led by an output validator is valid. The course of such a run depends on each decision
/// on the way. Those decisions depend on the limits, unless the program always kept within them. Runs that did not keep
/// within them are stored beside those that did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// Under any limits that the run keeps within.
    Other,
    /// Only under the limits of the run itself.
    Same,
}

/// Whether no decision depended on the limits: neither the slowest nor the largest pass exceeded one.
fn kept_limits(outcome: &Outcome, limits: &JudgeLimits) -> bool {
    let within = outcome.usage.cpu <= limits.time && outcome.usage.memory <= limits.kill.memory;
    outcome.killed.is_none() && outcome.crossed.is_none() && within
}

fn facts_key(
    resources: &Resources,
    case: &Case,
    artifact: &Artifact,
    validators: &[&Artifact],
    Digests { inputs, answer }: &Digests,
    reach: Reach,
) -> Key {
    let mut key = Key::of("facts v2")
        .field("artifact", artifact.key.as_bytes())
        .field("input", inputs.first().map_or(&[][..], |input| input.as_bytes()))
        .field("isolation", resources.isolation.name())
        .field("machine", &resources.machine);
    for argument in &case.arguments.submission {
        key = key.field("argument", argument);
    }
    for ((name, _), digest) in case.work.files.iter().zip(inputs.iter().skip(1)) {
        key = key.field("file", name.as_os_str().as_encoded_bytes()).field("content", digest.as_bytes());
    }
    let WorkFiles { directory, output, ignores_printed, no_stdin, .. } = &case.work;
    if !directory.as_os_str().is_empty() || output.is_some() {
        key = key.value("work", &(directory, output));
    }
    if *ignores_printed {
        key = key.field("printed", "ignored");
    }
    if *no_stdin {
        key = key.field("standard input", "empty");
    }
    // A validator that leads is part of the run, with its arguments and files. Any other validator comes after it.
    // A checker that judges what an interactor wrote does too: only the verdict of both is stored.
    if case.problem.kind.is_led_by_validator() && !validators.is_empty() {
        key = key.field("kind", case.problem.kind.name());
        for judge in validators {
            key = key.field("validator", judge.key.as_bytes());
        }
        key = key
            .field("answer", answer.as_bytes())
            .field("judge", case.ruleset.name())
            .field("passes", case.problem.passes.to_string());
        if let Some(second) = case.problem.second_run {
            key = key.value("second run", &second);
        }
        for argument in &case.arguments.output_validator {
            key = key.field("validator argument", argument);
        }
        if reach == Reach::Same {
            key = key.value("limits", &(case.limits, case.kill_points()));
        }
    }
    key.finish()
}

fn check_key(facts: &Key, case: &Case, validators: &[&Artifact], answer: &Digest) -> Key {
    let mut key = Key::of("check v5").field("facts", facts.as_bytes()).field("answer", answer.as_bytes());
    if validators.is_empty() {
        key = key.value("checker", &case.checker);
    } else {
        for judge in validators {
            key = key.field("validator", judge.key.as_bytes());
        }
        for argument in &case.arguments.output_validator {
            key = key.field("argument", argument);
        }
    }
    key.finish()
}

/// The number of tests in one look-up: enough to make it cheap, few enough to keep the outputs in memory small.
pub(super) const AT_ONCE: usize = 256;

/// Returns the known results among some tests of a submission. They are not reported yet.
pub(super) fn recall(
    context: &Context,
    submission: SubmissionIndex,
    tests: impl Iterator<Item = TestIndex>,
    own: &Build,
    validators: &[Arc<Build>],
) -> Vec<(TestIndex, KnownResult)> {
    let resources = &context.resources;
    let Build::Ready(artifact) = own else { return Vec::new() };
    let validators: Vec<&Artifact> = validators.iter().filter_map(|judge| judge.artifact()).collect();
    if artifact.is_command() || artifact.is_outputs() || resources.settings.repeat > 1 || !resources.settings.cache {
        return Vec::new();
    }
    let cases = tests.filter_map(|test| Some((test, context.case(submission, test, artifact)?))).collect();
    look_up(resources, cases, artifact, &validators)
}

/// Returns the known result of one case, if there is one.
pub(super) fn recall_case(
    resources: &Resources,
    case: &Case,
    artifact: &Artifact,
    validators: &[&Artifact],
) -> Option<JudgedExecution> {
    let is_same = !artifact.is_command() && resources.settings.repeat <= 1 && resources.settings.cache;
    let cases = is_same.then(|| vec![((), case.clone())])?;
    look_up(resources, cases, artifact, validators).pop().map(|((), known)| known.judged)
}

/// Returns the known results among some cases of one problem. `T` names a case.
fn look_up<T>(
    resources: &Resources,
    cases: Vec<(T, Case)>,
    artifact: &Artifact,
    validators: &[&Artifact],
) -> Vec<(T, KnownResult)> {
    let files: Vec<&Path> = cases.iter().flat_map(|(_, case)| files_of(case)).collect();
    let mut digests = resources.store.digest_files(&files).into_iter();
    let digests: Vec<Option<Digests>> = cases.iter().map(|(_, case)| Digests::take(case, &mut digests)).collect();
    let led = cases.first().is_some_and(|(_, case)| case.problem.kind.is_led_by_validator());
    let cases = cases.into_iter().zip(digests);
    let mut unknown: Vec<(T, Case, Digests)> =
        cases.filter_map(|((name, case), digests)| Some((name, case, digests?))).collect();
    let mut known = Vec::new();
    for reach in [Reach::Other, Reach::Same].into_iter().take(if led { 2 } else { 1 }) {
        let keys = unknown.iter().map(|(_, case, digests)| {
            let facts = facts_key(resources, case, artifact, validators, digests, reach);
            (facts, check_key(&facts, case, validators, &digests.answer))
        });
        let (facts, checks): (Vec<Key>, Vec<Key>) = keys.unzip();
        let facts = resources.store.outcomes::<Facts>(&facts);
        let checks = resources.store.outcomes::<Assessment>(&checks);
        let asked = std::mem::take(&mut unknown);
        for ((name, case, digests), (facts, check)) in asked.into_iter().zip(facts.into_iter().zip(checks)) {
            let facts =
                facts.filter(|facts| !led || reach == Reach::Same || kept_limits(&facts.value.outcome, &case.limits));
            let confirmed = facts.as_ref().is_some_and(|facts| facts.value.confirmed);
            let judged = facts.and_then(|facts| judge_again(&case, facts, check.map(|check| check.value)));
            // If today's rules for points make the stored result a fault of the validator, the stored result is not
            // used.
            match judged.filter(|judged| case.points_for(&judged.assessment).is_ok()) {
                Some(judged) => known.push((name, KnownResult { case, judged, confirmed })),
                None => unknown.push((name, case, digests)),
            }
        }
    }
    known
}

/// A result from the store.
pub(super) struct KnownResult {
    case: Case,
    judged: JudgedExecution,
    confirmed: bool,
}

impl KnownResult {
    /// The doubt about a result over the time limit.
    pub(super) fn doubt(&self) -> Doubt {
        match (self.judged.is_doubtful(), self.confirmed) {
            (true, true) => Doubt::Cleared,
            (true, false) => Doubt::Open,
            _ => Doubt::None,
        }
    }

    /// Returns the mark that the scheduler needs.
    pub(super) fn mark(&self) -> Mark {
        if self.judged.is_unanswered(&self.case) || self.judged.is_slowed_by_sanitizers() {
            return Mark::Nothing;
        }
        let rejection = self.judged.assessment.rejection.as_ref();
        let verdict = rejection.map_or(Verdict::Accepted, |rejection| rejection.0);
        self.case.points_for(&self.judged.assessment).map_or(Mark::Fault, |score| Mark::Judged(verdict, score))
    }

    /// Builds the result for the report.
    pub(super) fn show(self, context: &Context, submission: SubmissionIndex, ordinal: TestIndex) -> TestResult {
        finish(context, submission, ordinal, &self.case, self.judged, Origin::Earlier)
    }
}

/// Judges stored facts under the current limits; none if the facts do not suffice.
fn judge_again(case: &Case, facts: CacheEntry<Facts>, check: Option<Assessment>) -> Option<JudgedExecution> {
    let CacheEntry { value: facts, blob } = facts;
    // Earlier versions stored executions that a signal from outside had ended.
    let is_struck = facts.outcome.outside_signal().is_some();
    let holds = finds_the_same(&facts.limits, &case.kill_points()) && suffice(&facts, &case.limits);
    if is_struck || !holds || near_limit(&facts.outcome, &case.limits) {
        return None;
    }
    let stderr = facts.stderr.clone().into_bytes();
    let streams = |output: Option<Vec<u8>>, pass: Option<&LastPass>| {
        let stdin = pass.and_then(|pass| Some(PassInput::Bytes(pass.input.clone()?.into_bytes())));
        Streams { stdin, stdout: Stdout::Bytes(output.unwrap_or_default()), stderr: stderr.clone(), feedback: None }
    };
    let others = others_again(case, &facts, check.as_ref(), blob.as_deref())?;
    let led = case.problem.kind.is_led_by_validator();
    if !led && let Some(rejection) = case.rejection_by_facts(&facts.outcome) {
        // A sanitizer's report was read from all of the standard error, of which only the beginning is stored.
        let is_reported =
            |check: &Assessment| check.rejection.as_ref().is_some_and(|(_, reason)| reason.is_of_sanitizer());
        if let Some(check) = check.filter(is_reported) {
            return Some(JudgedExecution { outcome: facts.outcome, assessment: check, streams: streams(blob, None) });
        }
        let assessment = Assessment { others, ..Assessment::rejected(rejection) };
        let judged = JudgedExecution { outcome: facts.outcome, assessment, streams: streams(blob, None) };
        return Some(judged.under_sanitizers(case));
    }
    let check = check.map(|check| Assessment { others: others.clone(), ..check });
    match check {
        // A wrong answer cannot be explained without its output, or without the input of the pass that it answers.
        Some(check) if check.rejection.is_some() && (blob.is_none() || check.lacks_input()) => None,
        // That rejection follows from the old limits, which no longer apply.
        Some(check)
            if !led && check.rejection.as_ref().is_some_and(|(verdict, _)| *verdict != Verdict::WrongAnswer) =>
        {
            None
        }
        Some(assessment) => {
            let streams = streams(blob, assessment.pass.as_ref());
            Some(JudgedExecution { outcome: facts.outcome, assessment, streams })
        }
        None if !case.problem.output_validators.is_empty() => None,
        None => {
            // An unreadable answer means that nothing is known: the case runs, and that execution reports the error.
            let mut judged = judge_bytes(case, facts.outcome, &blob?, stderr).ok()?;
            judged.assessment.others = others;
            Some(judged)
        }
    }
}

/// Returns the verdicts of the other judges on stored facts, if the run asks for them; none if the facts do not suffice
/// for each of them.
fn others_again(case: &Case, facts: &Facts, check: Option<&Assessment>, output: Option<&[u8]>) -> Option<Vec<Opinion>> {
    let of_output =
        |check: &&Assessment| check.rejection.as_ref().is_none_or(|(verdict, _)| *verdict == Verdict::WrongAnswer);
    let own = check.filter(of_output).map(|check| check.rejection.is_none());
    let accepts = |terms: &Terms| match case.problem.output_validators[..] {
        _ if terms.checker == case.checker && own.is_some() => own,
        [_, ..] => own,
        // As above, the run itself reports an unreadable answer.
        [] => Some(compare_bytes(case, terms.checker, output?).ok()?.accepted),
    };
    let opinion = |terms: &Terms| {
        let known = !case.problem.kind.is_led_by_validator() && suffice(facts, &terms.limits);
        let verdict = match terms.rejection_by_facts(&facts.outcome) {
            _ if !known => return None,
            Some((verdict, _)) => verdict,
            None if accepts(terms)? => Verdict::Accepted,
            None => Verdict::WrongAnswer,
        };
        Some(Opinion::new(terms.ruleset, Some(verdict)))
    };
    case.others.iter().map(opinion).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::limits::{Bytes, Usage};
    use crate::sandbox::{MemoryScope, WrittenBytes};

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

    /// The same limits with other kill points.
    fn with(kill: impl FnOnce(&mut Limits)) -> JudgeLimits {
        let mut limits = limits();
        kill(&mut limits.kill);
        limits
    }

    fn facts(exit: Exit, killed: Option<Kill>, cpu_ms: u64) -> Facts {
        let cpu = Duration::from_millis(cpu_ms);
        let usage = Usage { cpu, wall: cpu, memory: Bytes::mib(1) };
        let memory_scope = MemoryScope::LargestProcess;
        let printed = WrittenBytes::default();
        let waited = Duration::ZERO;
        let outcome = Outcome { exit, killed, usage, memory_scope, survivors: 0, printed, crossed: None, waited };
        Facts { outcome, limits: limits().kill, stderr: String::new(), confirmed: false }
    }

    #[test]
    fn what_the_next_run_may_see_otherwise_is_not_kept() {
        let near = |killed, cpu_ms| near_limit(&facts(Exit::Code(0), killed, cpu_ms).outcome, &limits());
        assert!(!near(None, 500));
        assert!(near(None, 950));
        assert!(near(None, 1050));
        assert!(!near(Some(Kill::Cpu), 1501));
        assert!(!near(Some(Kill::Wall), 3));
        // A busy machine, not a sleeping program.
        assert!(near(Some(Kill::Wall), 700));
        let tight = with(|kill| kill.cpu = Duration::from_millis(1010));
        assert!(near_limit(&facts(Exit::Signal(9), Some(Kill::Cpu), 1011).outcome, &tight));
    }

    #[test]
    fn facts_hold_only_for_limits_that_they_say_something_about() {
        let now = limits();
        let short = with(|kill| kill.wall = Duration::from_millis(5));
        let fine = facts(Exit::Code(0), None, 10);
        assert!(suffice(&fine, &now) && !suffice(&fine, &short));
        // The program waited for a core, or for its interactor.
        let mut waited = facts(Exit::Code(0), None, 10);
        waited.outcome.usage.wall = now.kill.wall * 2;
        let long = with(|kill| kill.wall = kill.wall * 3 / 2);
        assert!(suffice(&waited, &now) && suffice(&waited, &long) && !suffice(&waited, &short));
        waited.outcome.waited = now.kill.wall * 2;
        assert!(suffice(&waited, &short), "it is known that it waited");
        let flood = facts(Exit::Signal(9), Some(Kill::Output), 10);
        assert!(suffice(&flood, &now));
        let cut = with(|kill| kill.overflow = Overflow::Cut);
        assert!(!suffice(&flood, &cut) && suffice(&fine, &cut));
    }

    #[test]
    fn limits_that_a_program_can_read_are_the_same_or_nothing_is_known() {
        let then = limits().kill;
        let slower = JudgeLimits { time: Duration::from_secs(2), ..with(|kill| kill.cpu = Duration::from_secs(3)) };
        assert!(finds_the_same(&then, &slower.with_time_factor(1.5).kill));
        for other in [
            with(|kill| kill.memory = Bytes::mib(512)),
            with(|kill| kill.output = Bytes::mib(16)),
            with(|kill| kill.processes = 65),
        ] {
            assert!(!finds_the_same(&then, &other.kill), "{other:?}");
        }
    }

    #[test]
    fn what_went_on_after_too_much_output_is_known_by_both_ends() {
        let ends = limits();
        let goes_on = with(|kill| kill.overflow = Overflow::Cut);
        let mut facts = facts(Exit::Signal(9), Some(Kill::Cpu), 1501);
        facts.limits = goes_on.kill;
        let cpu = Duration::from_millis(20);
        facts.outcome.crossed = Some(Usage { cpu, wall: cpu, memory: Bytes::mib(1) });
        assert!(suffice(&facts, &ends) && suffice(&facts, &goes_on));
        let less = with(|kill| (kill.overflow, kill.output) = (Overflow::Cut, Bytes::mib(4)));
        assert!(!suffice(&facts, &less));
    }
}
