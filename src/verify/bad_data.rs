//! Tests validators with deliberately wrong data: corrupted inputs and outputs, and junk.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};

use crate::engine::bench::{Bench, Case};
use crate::judge::{Fault, JudgeErrorKind, Response};
use crate::limits::Bytes;
use crate::problem::{CaseInput, JudgingProgram, Problem, Protocol, TestCase, TestGroup, TestId};
use crate::verify::cases::{Sound, code_of};
use crate::verify::corrupt::{Corruption, INPUT, LAYOUT, OUTPUT};
use crate::verify::judges::{Judges, ValidatorsResult, case_of, shown};
use crate::verify::problem_findings::{ProblemFindings, Tries, TryKind};
use crate::verify::steps::Steps;
use crate::verify::{Code, Finding, junk};

/// The most cases that are corrupted.
const BASES: usize = 4;
/// The largest file in bytes that is corrupted.
const LARGEST: u64 = 64 << 10;
/// The least output limit for these tests, because the problem's own limit applies only to submissions.
const OUTPUT_LIMIT: Bytes = Bytes::mib(64);

/// Progress and time limit: the steps to report, and the time for each kind of test.
pub(crate) struct Pace<'a> {
    pub(crate) steps: &'a Steps,
    pub(crate) time: Duration,
}

/// The context of all robustness tests.
pub(crate) struct Trials<'a, 'w> {
    pub(crate) bench: &'a mut Bench<'w>,
    pub(crate) results: &'a mut ProblemFindings,
    pub(crate) problem: &'a Arc<Problem>,
    pub(crate) judges: &'a Judges,
    pub(crate) sound: &'a [Sound],
    pub(crate) pace: Pace<'a>,
}

/// A case from which corrupted data is made.
pub(crate) struct Base<'a> {
    pub(crate) id: TestId,
    pub(crate) input: CaseInput<'a>,
    pub(crate) answer: Option<PathBuf>,
    bytes: Vec<u8>,
}

/// Selects a few cases of different sizes with a small and valid file: the smallest, the largest, and some between.
pub(crate) fn bases<'a>(
    problem: &'a Problem,
    sound: &[Sound],
    file: impl Fn(&TestGroup, &TestCase) -> Option<PathBuf>,
    is_sound: impl Fn(Sound) -> bool,
) -> Vec<Base<'a>> {
    let mut candidates: Vec<(u64, PathBuf, &TestGroup, &TestCase)> = Vec::new();
    for ((group, case), sound) in problem.cases().zip(sound) {
        let Some(path) = file(group, case).filter(|_| is_sound(*sound)) else { continue };
        let size = fs::metadata(&path).map_or(u64::MAX, |found| found.len());
        if size <= LARGEST {
            candidates.push((size, path, group, case));
        }
    }
    // Equal sizes stay in plan order.
    candidates.sort_by_key(|(size, ..)| *size);
    let last = candidates.len().saturating_sub(1);
    let mut chosen: Vec<usize> = (0..BASES).map(|at| last * at / (BASES - 1)).collect();
    chosen.dedup();
    let base = |at: usize| {
        let (_, path, group, case) = candidates.get(at)?;
        // Unreadable files were already reported by the check of the data.
        let input = group.case_input(case);
        let bytes = fs::read(path).ok()?;
        let id = group.id_of(case);
        let answer = group.answer_of(case);
        Some(Base { id, input, answer, bytes })
    };
    chosen.into_iter().filter_map(base).collect()
}

/// One kind of robustness test, which runs for a limited time and then reports its result.
pub(crate) struct Round<'a> {
    pace: &'a Pace<'a>,
    what: &'static str,
    begun: Instant,
    pub(crate) tries: Tries,
    cut: bool,
}

impl<'a> Round<'a> {
    pub(crate) fn new(pace: &'a Pace<'a>, kind: TryKind, what: &'static str, count: usize) -> Self {
        pace.steps.step(what, count);
        let tries = Tries { kind, tried: 0, odd: Vec::new() };
        Self { pace, what, begun: Instant::now(), tries, cut: false }
    }

    /// Counts a step. Returns whether there is time for another.
    pub(crate) fn goes_on(&mut self) -> bool {
        self.pace.steps.done();
        self.cut |= self.begun.elapsed() >= self.pace.time;
        !self.cut
    }

    pub(crate) fn finish(self, results: &mut ProblemFindings) {
        if self.cut {
            let seconds = self.pace.time.as_secs();
            let done = self.tries.tried;
            let message = format!("{}: only {done} were tried in {seconds} s", self.what);
            let remedy = "make the validators faster, or allow more time: --try-time SECONDS";
            results.report(Finding::new(Code::NotAllTried, message).remedy(remedy));
        }
        results.tries.push(self.tries);
    }
}

/// Tests that some input validator rejects corrupted inputs.
pub(crate) fn inputs(trials: &mut Trials<'_, '_>) -> Result<()> {
    let Trials { bench, results, problem, judges, sound, pace } = trials;
    if !judges.checks_inputs() {
        return Ok(());
    }
    let bases = bases(problem, sound, |group, case| Some(group.input_of(case)), |sound| sound.input);
    let dir = tempfile::tempdir().context("cannot create a temporary directory")?;
    let mut crashes = Crashes::default();
    let mut round = Round::new(pace, TryKind::Inputs, "corrupted inputs", INPUT.len());
    for corruption in INPUT {
        if !round.goes_on() {
            break;
        }
        // A validator that fails has not accepted the input. Only what a sanitizer reports is a fault.
        let accepted = |base: &Base<'_>, file: &Path, bench: &mut Bench<'_>| {
            let setting = &base.input.setting;
            let shown = shown(judges.check_input(bench, setting.arguments, &setting.work.files, file))?;
            if let ValidatorsResult::Fails(fault) = &shown
                && fault.kind() == Some(JudgeErrorKind::Sanitized)
            {
                crashes.add(corruption.name, base, fault);
            }
            Ok(matches!(shown, ValidatorsResult::Responded(Response::Accepts)))
        };
        try_one(bench, &mut round, &bases, corruption, dir.path(), accepted)?;
    }
    warn(results, &round, Code::InputCorruptionAccepted, "inputs", "no input validator rejects", "input_validators");
    round.finish(results);
    crashes.tell(results, problem.input_validators.first());
    Ok(())
}

/// Applies a corruption to each base until one result is unexpected.
fn try_one(
    bench: &mut Bench<'_>,
    round: &mut Round<'_>,
    bases: &[Base<'_>],
    corruption: &Corruption,
    dir: &Path,
    mut is_odd: impl FnMut(&Base<'_>, &Path, &mut Bench<'_>) -> Result<bool>,
) -> Result<()> {
    let file = dir.join("file");
    let mut tried = false;
    for base in bases {
        let Some(spoilt) = corruption.apply(&base.bytes) else { continue };
        fs::write(&file, spoilt).context("cannot write a corrupted file")?;
        tried = true;
        if is_odd(base, &file, bench)? {
            round.tries.odd.push((corruption.name, base.id.to_string()));
            break;
        }
    }
    round.tries.tried += usize::from(tried);
    Ok(())
}

fn warn(results: &mut ProblemFindings, round: &Round<'_>, code: Code, what: &str, who: &str, dir: &str) {
    let odd = &round.tries.odd;
    if odd.is_empty() {
        return;
    }
    let path = results.problem.as_ref().map(|problem| problem.dir.join(dir));
    let message = format!("{who} {} of {} kinds of corrupted {what}", odd.len(), round.tries.tried);
    let remedy = format!("check the list below; if all of it is right, use --allow {}", code.name());
    results.report(Finding::new(code, message).remedy(remedy).at_any(path));
}

/// Tests the output validator with corrupted outputs and junk.
pub(crate) fn outputs(trials: &mut Trials<'_, '_>) -> Result<()> {
    let Trials { bench, results, problem, judges, sound, pace } = trials;
    if !judges.judges_outputs(problem) {
        return Ok(());
    }
    let bases = bases(problem, sound, TestGroup::answer_of, |sound| sound.answer);
    let dir = tempfile::tempdir().context("cannot create a temporary directory")?;
    let mut crashes = Crashes::default();
    let judge = |base: &Base<'_>, name: &'static str, file: &Path, bench: &mut Bench<'_>, crashes: &mut Crashes| {
        let shown = shown(judges.check_output(bench, &case(bench, problem, base), file))?;
        if let ValidatorsResult::Fails(fault) = &shown {
            crashes.add(name, base, fault);
        }
        Ok::<_, anyhow::Error>(shown)
    };
    for (kind, list, what) in
        [(TryKind::Outputs, OUTPUT, "corrupted outputs"), (TryKind::Layout, LAYOUT, "layout of outputs")]
    {
        let mut round = Round::new(pace, kind, what, list.len());
        for corruption in list {
            if !round.goes_on() {
                break;
            }
            let wanted = kind == TryKind::Layout;
            let is_odd = |base: &Base<'_>, file: &Path, bench: &mut Bench<'_>| {
                let shown = judge(base, corruption.name, file, bench, &mut crashes)?;
                Ok(matches!(shown, ValidatorsResult::Responded(answer) if (answer == Response::Accepts) != wanted))
            };
            try_one(bench, &mut round, &bases, corruption, dir.path(), is_odd)?;
        }
        if kind == TryKind::Outputs {
            let code = Code::OutputCorruptionAccepted;
            let who = "the output validator accepts";
            warn(results, &round, code, "outputs", who, "output_validator");
        }
        round.finish(results);
    }
    // Any case will do, because this only tests that the validator does not fail.
    let any = self::bases(problem, sound, TestGroup::answer_of, |_| true);
    let listed = junk::outputs();
    let mut round = Round::new(pace, TryKind::Junk, "junk outputs", listed.len());
    'junk: for junk in &listed {
        if !round.goes_on() {
            break;
        }
        let file = dir.path().join("junk");
        fs::write(&file, &junk.bytes).context("cannot write a junk file")?;
        round.tries.tried += 1;
        for base in any.iter().take(2) {
            match judge(base, junk.name, &file, bench, &mut crashes)? {
                ValidatorsResult::Responded(_) => {}
                ValidatorsResult::GivenUp => break 'junk,
                ValidatorsResult::Fails(_) => {
                    round.tries.odd.push((junk.name, base.id.to_string()));
                    break;
                }
            }
        }
    }
    round.finish(results);
    crashes.tell(results, problem.output_validators.first());
    Ok(())
}

fn case(bench: &Bench<'_>, problem: &Arc<Problem>, base: &Base<'_>) -> Case {
    let mut case = case_of(bench, problem, base.input.clone(), base.answer.clone());
    case.limits.kill.output = case.limits.kill.output.max(OUTPUT_LIMIT);
    case
}

/// The data on which validators failed, by the code of the finding.
#[derive(Default)]
pub(crate) struct Crashes(BTreeMap<Code, Vec<String>>);

impl Crashes {
    /// Adds the failure of a validator on a variant of a case.
    pub(crate) fn add(&mut self, name: &str, base: &Base<'_>, fault: &Fault) {
        let told = format!("{name} for {}: {fault}", base.id);
        self.0.entry(code_of(fault, Code::ValidatorCrash)).or_default().push(told);
    }

    /// Reports the first failure of each kind, at this validator.
    pub(crate) fn tell(&self, results: &mut ProblemFindings, judge: Option<&JudgingProgram>) {
        for (code, crashes) in &self.0 {
            let more =
                if crashes.len() > 1 { format!("; the same for {} more", crashes.len() - 1) } else { String::new() };
            let finding = Finding::new(*code, format!("fails on {}{more}", crashes[0]));
            let path = judge.and_then(JudgingProgram::path);
            let remedy = match code {
                Code::SanitizerReport => "fix the validator",
                _ => remedy_of(judge),
            };
            results.report(finding.remedy(remedy).at_any(path));
        }
    }
}

/// The remedy for a validator that fails on bad data.
fn remedy_of(judge: Option<&JudgingProgram>) -> &'static str {
    match judge.map(|judge| judge.protocol.get()) {
        Some(Protocol::Testlib(_)) => {
            "read with testlib's streams, which reject what they cannot read, and end with quitf"
        }
        Some(Protocol::Checktestdata) => "correct the grammar",
        Some(Protocol::Cms) => "print 0 and exit with 0 if the output cannot be read or ends early",
        Some(Protocol::Dmoj(_)) => "exit with 1 if the output cannot be read or ends early",
        Some(Protocol::Icpc) | None => "exit with 43 if the output cannot be read or ends early",
    }
}
