//! Judges one job on one slot.

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc;
use std::time::Duration;

use super::floor::{Floor, NoResult, Ready};
use super::places::Places;
use crate::diagnostic::{Diagnostic, Severity};
use crate::engine::bench::Bench;
use crate::engine::{Context, DisturbanceProbe, Engine};
use crate::event::{
    BuildFinished, BuildResult, GroupGraded, Message, ProblemIndex, SubmissionIndex, SubmissionRef, TestIndex,
    TestResult, Update,
};
use crate::plan::{Plan, PlannedSubmission};
use crate::problem::Problem;
use crate::remote::pack::unpack;
use crate::remote::wire::{
    ClientPath, Entrant, FailureFile, Job, KnownNotice, KnownSubmission, KnownTest, Line, Outcome, Progress, Task,
    encode,
};
use crate::sandbox::Sandbox;
use crate::store::LastRun;
use crate::stream;

/// The most bytes of files of failed tests that a result takes along.
const MOST_KEPT: u64 = 64 << 20;
/// The time between two reports of a job's progress.
const REPORT_PERIOD: Duration = Duration::from_millis(200);

/// The most that a request may take: its own limits are in it.
const LONGEST: Duration = Duration::from_secs(86_400);

/// A judged job.
#[derive(Default)]
pub(super) struct JudgedJob {
    pub(super) outcome: Outcome,
    pub(super) kept: Vec<FailureFile>,
    /// The verdicts in short.
    pub(super) verdicts: String,
    /// The first judge error.
    pub(super) fault: Option<Fault>,
}

/// A judge error of a job, in words. Another worker may do better.
#[derive(Debug, Clone)]
pub(super) enum Fault {
    /// Processes that watch programs were killed here, more than once: this says nothing about the job.
    KeepersLost(String),
    Other(String),
}

/// Judges a job.
pub(super) fn judge(
    floor: &Floor<'_>,
    bench: &mut Bench<'_>,
    job: &Job,
    ready: &Ready,
    dir: &Path,
) -> Result<JudgedJob, NoResult> {
    let unable = |error: io::Error| NoResult::Unable(format!("cannot use {}: {error}", dir.display()));
    // An earlier job may have left files behind after a failure.
    if dir.exists() {
        crate::sandbox::remove_tree(dir).map_err(unable)?;
    }
    fs::create_dir_all(dir).map_err(unable)?;
    // The compiler of many programs is worth preparing.
    let slots = floor.hello.slots;
    ready.resources.prepared.expect((job.more + 1) * slots, slots);
    let lost = bench.lost_keepers();
    let done = match &job.task {
        Task::Inputs => run(floor, bench, job, ready, None, dir),
        Task::Submission(entrant) => run(floor, bench, job, ready, Some(entrant), dir),
        Task::Request(line) => answer(floor, bench, job, line, ready, dir),
    };
    crate::sandbox::remove_tree(dir).map_err(unable)?;
    // The sandbox recovers from one loss.
    let are_lost = bench.lost_keepers() - lost > 1;
    done.map(|mut judged| {
        judged.fault = judged.fault.map(|fault| match fault {
            Fault::Other(why) if are_lost => Fault::KeepersLost(why),
            fault => fault,
        });
        judged
    })
}

/// Carries out a request of a stream.
fn answer(
    floor: &Floor<'_>,
    bench: &mut Bench<'_>,
    job: &Job,
    line: &Line,
    ready: &Ready,
    dir: &Path,
) -> Result<JudgedJob, NoResult> {
    let unable = |error: io::Error| NoResult::Unable(format!("cannot use {}: {error}", dir.display()));
    let line = match line {
        Line::Here(line) => line,
        Line::Blob(blob) => &fs::read(floor.blob(job, *blob)?).map_err(unable)?,
    };
    let (sandbox, core) = bench.lend();
    let canceller = sandbox.canceller();
    // A cancellation of an earlier job ends with it.
    canceller.reset();
    let mut bench = Bench::new(&ready.resources, sandbox, core);
    let stopped = floor.runs(job, move || canceller.cancel(), LONGEST);
    let place = dir.join("request");
    fs::create_dir(&place).map_err(unable)?;
    let answered = stream::carry_out(&mut bench, &ready.stream, line, ready.all_tests, &floor.quiet, &place);
    match answered {
        Some(answered) if !stopped.load(Ordering::SeqCst) => Ok(JudgedJob {
            outcome: Outcome::Answer(answered.text),
            kept: Vec::new(),
            verdicts: answered.verdicts,
            fault: answered.fault.map(Fault::Other),
        }),
        _ => Err(floor.stopped()),
    }
}

/// Runs the plan of a job: one submission, or the validation of the inputs.
fn run(
    floor: &Floor<'_>,
    bench: &mut Bench<'_>,
    job: &Job,
    ready: &Ready,
    entrant: Option<&Entrant>,
    dir: &Path,
) -> Result<JudgedJob, NoResult> {
    let unable = |error: io::Error| NoResult::Unable(format!("cannot use {}: {error}", dir.display()));
    let mut planned = ready.planned.clone();
    let mut plan = Plan { all_tests: ready.all_tests, ..Plan::default() };
    // A submission of the problem itself stays inside the problem's directory: constants are replaced only there.
    let name = dir.file_name().unwrap_or_default().display().to_string();
    let own = planned.problem.dir.join(format!(".grader-{name}"));
    if let Some(entrant) = entrant {
        // Inputs are validated once, by a job of its own.
        let mut problem = Problem::clone(&planned.problem);
        problem.input_validators.clear();
        planned.problem = Arc::new(problem);
        let to = |path: &ClientPath| match path.inside(&ready.client_dir) {
            Some(inside) => own.join(inside),
            None => path.below(&dir.join("files")),
        };
        let blobs = entrant.files.blobs.iter().map(|blob| floor.blob(job, *blob)).collect::<Result<Vec<_>, _>>()?;
        unpack(&entrant.files, &blobs, &to).map_err(unable)?;
        let submission = entrant.submission.clone().moved(&|path| to(&ClientPath::new(path)));
        plan.submissions.push(PlannedSubmission {
            id: SubmissionRef {
                index: SubmissionIndex(0),
                problem: planned.problem.id.clone(),
                submission: submission.id.clone(),
            },
            problem: ProblemIndex(0),
            submission,
            reference: entrant.reference,
            first: entrant.first.clone(),
            time_factor: entrant.time_factor,
        });
        planned.submissions = 0..1;
    }
    plan.problems.push(planned);
    let plan = Arc::new(plan);
    let last = LastRun::at(dir.join("kept")).map_err(unable)?;
    let load = crate::session::load::Load::at_rest();
    let (sandbox, core) = bench.lend();
    let engine = Engine::new(Context {
        last_walls: vec![None; plan.submissions.len()],
        plan: Arc::clone(&plan),
        last: Some(last),
        resources: Arc::clone(&ready.resources),
        quiet: Arc::clone(&floor.quiet),
        cores: core.into_iter().collect(),
        language: ready.language.clone(),
        is_disturbed: ready
            .wants_looks
            .then(|| -> DisturbanceProbe { Box::new(move || crate::session::is_busy(load)) }),
    });
    let stop = engine.stopper();
    let stopped = floor.runs(job, move || stop.stop(), longest(ready));
    let updates = carry_out(floor, &engine, sandbox, job);
    if stopped.load(Ordering::SeqCst) {
        return Err(floor.stopped());
    }
    let root = PathBuf::from("/");
    let places = Places::new([
        (own.clone(), ready.client_dir.on_client()),
        (dir.join("files"), root.clone()),
        (ready.tree.clone(), root),
    ]);
    if own.exists() {
        crate::sandbox::remove_tree(&own).map_err(unable)?;
    }
    collect(updates, &places, dir)
}

/// Runs the engine, and reports its progress.
fn carry_out(floor: &Floor<'_>, engine: &Engine, sandbox: Box<dyn Sandbox + '_>, job: &Job) -> Vec<Update> {
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        let listener = scope.spawn(move || {
            let mut reported: Option<std::time::Instant> = None;
            let mut updates = Vec::new();
            for message in receiver {
                // Only the client knows all rules that events follow from.
                let Message::Update(update) = message else { continue };
                let Update::TestStarted(test) = update else {
                    updates.push(update);
                    continue;
                };
                if reported.is_none_or(|reported| reported.elapsed() >= REPORT_PERIOD) {
                    reported = Some(std::time::Instant::now());
                    let progress = Progress { job: job.key.clone(), ordinal: test.ordinal };
                    if let Ok(message) = encode(&progress) {
                        floor.broker.tell(&format!("prog.{}", job.run), message);
                    }
                }
            }
            updates
        });
        engine.run(vec![sandbox], &sender);
        drop(sender);
        listener.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// The longest time that a job may take, by its limits, before this worker must be broken.
fn longest(ready: &Ready) -> Duration {
    let problem = &ready.planned.problem;
    let resources = &ready.resources;
    let one =
        problem.groups.first().map(|group| resources.limits_for(problem, group, "").kill.wall).unwrap_or_default();
    let one = one * 2 + resources.output_validation_limits(problem).kill.wall;
    let tests = u32::try_from(ready.planned.tests.len()).unwrap_or(u32::MAX);
    let all = one.saturating_mul(tests).saturating_mul(problem.passes.max(1)).saturating_mul(4);
    all.saturating_add(resources.settings.compile_limits().wall * 10).min(Duration::from_secs(86_400))
}

/// Turns the updates of a job into its result. Paths become those of the client's files.
fn collect(updates: Vec<Update>, places: &Places, dir: &Path) -> Result<JudgedJob, NoResult> {
    let unable = |error: io::Error| NoResult::Unable(format!("cannot read {}: {error}", dir.display()));
    let mut known = KnownSubmission::default();
    let mut kept = Vec::new();
    let mut size = 0;
    let mut verdicts = Vec::new();
    let mut fault = None;
    for update in updates {
        match update {
            Update::Built(BuildFinished { result, .. }) => {
                match &result {
                    BuildResult::Failed { message } => fault = fault.or(Some(message.clone())),
                    BuildResult::CompileError { .. } => verdicts.push("CE".to_owned()),
                    BuildResult::NotJudged { .. } | BuildResult::Ready { .. } => {}
                }
                known.built = Some(result);
            }
            Update::TestFinished { test, mut result } => {
                let ordinal = test.ordinal;
                let files = match &mut result {
                    TestResult::Judged(judgement) => {
                        verdicts.push(format!("{ordinal}:{}", judgement.verdict.code()));
                        Arc::make_mut(judgement).files.take()
                    }
                    TestResult::NotJudged { files, .. } => files.take(),
                    TestResult::JudgeError { message, .. } => {
                        verdicts.push(format!("{ordinal}:JE"));
                        fault = fault.or(Some(message.clone()));
                        None
                    }
                    TestResult::Cancelled => return Err(NoResult::Stopped),
                };
                if let Some(stem) = &files {
                    let more = files_of(stem, ordinal, MOST_KEPT - size).map_err(unable)?;
                    size += more.iter().map(|kept| kept.content.len() as u64).sum::<u64>();
                    kept.extend(more);
                }
                known.tests.push(KnownTest { ordinal, result, has_files: files.is_some() });
            }
            Update::Graded(GroupGraded { group, grade, .. }) => {
                if let Err(error) = &grade {
                    fault = fault.or(Some(error.to_string()));
                }
                known.grades.push((group, grade));
            }
            Update::Notice(notice) => {
                // A validator of inputs failed.
                if notice.severity == Severity::JudgeError {
                    fault = fault.or(Some(notice.message.clone()));
                }
                let about = notice.path.as_deref().and_then(|path| places.of_client(path));
                known.notices.push(KnownNotice { about, notice: Diagnostic { path: None, ..notice } });
            }
            Update::TestStarted(_) => {}
        }
    }
    verdicts.sort();
    let outcome = Outcome::Known(Box::new(known));
    Ok(JudgedJob { outcome, kept, verdicts: verdicts.join(" "), fault: fault.map(Fault::Other) })
}

/// The kept files of a test that the client cannot make itself.
fn files_of(stem: &Path, ordinal: TestIndex, most: u64) -> io::Result<Vec<FailureFile>> {
    let (Some(dir), Some(name)) = (stem.parent(), stem.file_name().and_then(|name| name.to_str())) else {
        return Ok(Vec::new());
    };
    let mut kept = Vec::new();
    let mut left = most;
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        let file = entry.file_name();
        let extension = file.to_str().and_then(|file| file.strip_prefix(name)?.strip_prefix('.'));
        let Some(extension) = extension.filter(|extension| !["in", "ans"].contains(extension)) else { continue };
        let mut content = Vec::new();
        fs::File::open(entry.path())?.take(left).read_to_end(&mut content)?;
        left -= content.len() as u64;
        kept.push(FailureFile { ordinal, extension: extension.to_owned(), content });
    }
    Ok(kept)
}
