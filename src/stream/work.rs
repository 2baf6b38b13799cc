//! Carries out one request on one slot.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::problems::{Source, carried};
use super::request::{Files, PYTHON, ProblemWanted, Task};
use super::result::{
    Answer, FailedTest, Failure, FailureKind, JudgedBy, JudgedRequest as Verdicts, TestLine, TextStart,
};
use crate::compile::{Artifact, Build, BuildOrder};
use crate::driver;
use crate::engine::Quiet;
use crate::engine::bench::Bench;
use crate::event::{Judgement, TestResult};
use crate::intake::names::folded;
use crate::intake::reader::listed;
use crate::intake::several_files::{self, MainFile, Sources};
use crate::intake::submission;
use crate::judge::{Case, Fault, JudgedExecution, Origin, near_time_limit, result_of};
use crate::language::{Language, Languages};
use crate::problem::{Expectation, Problem, Program, Submission, TestId};
use crate::verdict::Verdict;

/// The most executions of a test near its time limit, including the first.
const MOST_EXECUTIONS: usize = 3;

/// The state that all slots of a stream share.
pub(super) struct Court<'a> {
    /// Whether all tests are run, also after one has failed.
    pub(super) all_tests: bool,
    pub(super) problems: Source<'a>,
    /// Makes all other executions wait while a test runs alone.
    pub(super) quiet: &'a Quiet,
}

/// The reason why a request has no result.
enum StopReason {
    Failed(Failure),
    /// A signal came.
    Cancelled,
}

impl From<Failure> for StopReason {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl From<io::Error> for StopReason {
    fn from(error: io::Error) -> Self {
        Self::Failed(Failure {
            kind: FailureKind::Judge,
            message: format!("cannot use the scratch directory: {error}"),
        })
    }
}

/// The result of one test.
struct TestOutcome {
    line: TestLine,
    /// None if it is accepted.
    failed: Option<Box<FailedTest>>,
}

impl Court<'_> {
    /// Judges the program of a request. `dir` is an empty directory for its files. None: a signal came.
    pub(super) fn judge(&self, bench: &mut Bench<'_>, task: &Task, dir: &Path) -> Option<Answer> {
        match self.try_judge(bench, task, dir) {
            Ok(judged) => Some(Answer::Judged(Box::new(judged))),
            Err(StopReason::Failed(failure)) => Some(Answer::Error(failure)),
            Err(StopReason::Cancelled) => None,
        }
    }

    fn try_judge(&self, bench: &mut Bench<'_>, task: &Task, dir: &Path) -> Result<Verdicts, StopReason> {
        let tests = dir.join("tests");
        fs::create_dir(&tests)?;
        let ready = match &task.problem {
            ProblemWanted::Named(name) => self.problems.get(name)?,
            carrying => Arc::new(carried(carrying, &tests)?),
        };
        let problem = ready.with_limits(&task.limits)?;
        let language = language(task, &bench.resources.languages)?;
        let languages = &bench.resources.languages;
        let driver = driver(task, language, languages);
        let program = write_program(task, language, driver.as_ref(), &dir.join("program"))?;
        let (submission, note) = match driver {
            Some((name, _)) => (driven(program, name), None),
            None => submission_of(program, &problem, (language, languages))?,
        };
        let total = problem.cases().count();
        let built = {
            let _begun = self.quiet.begin();
            build(bench, &problem, &submission, language)
        };
        let artifact = match built {
            Build::Ready(artifact) => artifact,
            Build::CompileError(words) => {
                let summary = format!("CE: {}", error_line(&words));
                let compiler = Some(TextStart::of_compiler(&words));
                let verdict = Verdict::CompileError;
                let tests = Vec::new();
                return Ok(Verdicts { verdict, summary, note, passed: 0, total, tests, compiler, failed: None });
            }
            Build::NotJudged(message) | Build::NoDriver { reason: message, .. } => {
                return Err(Failure { kind: FailureKind::Machine, message }.into());
            }
            Build::Failed(message) => return Err(Failure { kind: FailureKind::Judge, message }.into()),
            Build::Cancelled => return Err(StopReason::Cancelled),
        };
        let validators = ready.validators(bench)?;
        let judged = self.run_tests(bench, &problem, &artifact, &validators)?;
        Ok(Verdicts { note, ..judged })
    }

    fn run_tests(
        &self,
        bench: &mut Bench<'_>,
        problem: &Arc<Problem>,
        artifact: &Artifact,
        validators: &[&Artifact],
    ) -> Result<Verdicts, StopReason> {
        let total = problem.cases().count();
        let (mut tests, mut failed, mut passed): (Vec<TestLine>, Option<Box<FailedTest>>, usize) =
            (Vec::new(), None, 0);
        for (group, case) in problem.cases() {
            let name = group.id_of(case);
            let answer = group.answer_of(case);
            let case = bench.resources.case(problem, group.case_input(case), answer, artifact);
            let (judged, origin) = self.run(bench, &case, artifact, validators)?;
            let tested = test(&name, &case, judged, origin)?;
            passed += usize::from(tested.failed.is_none());
            tests.push(tested.line);
            failed = failed.or(tested.failed);
            if failed.is_some() && !self.all_tests {
                break;
            }
        }
        let verdict = tests.iter().map(|test| test.verdict).find(|verdict| *verdict != Verdict::Accepted);
        let verdict = verdict.unwrap_or(Verdict::Accepted);
        let summary = match &failed {
            None => format!("AC: {total} of {total} tests"),
            Some(failed) => format!("{verdict} on test {} of {total}: {}", failed.test, failed.reason),
        };
        Ok(Verdicts { verdict, summary, note: None, passed, total, tests, compiler: None, failed })
    }

    /// Runs a test, or recalls it. A test near its time limit runs again alone. The quickest execution counts.
    fn run(
        &self,
        bench: &mut Bench<'_>,
        case: &Case,
        artifact: &Artifact,
        validators: &[&Artifact],
    ) -> Result<(JudgedExecution, Origin), StopReason> {
        if let Some(judged) = bench.recall(case, artifact, validators) {
            return Ok((judged, Origin::Earlier));
        }
        let first = {
            let _begun = self.quiet.begin();
            one_run(bench.judge_and_remember(case, artifact, validators))?
        };
        if !time_decides(&first, case) {
            return Ok((first, Origin::Executed));
        }
        let begun = self.quiet.begin();
        let again = || -> Result<(JudgedExecution, Origin), StopReason> {
            let mut best = first;
            let mut times = Vec::new();
            times.push(best.time());
            while times.len() < MOST_EXECUTIONS {
                let judged = one_run(bench.runner(Some(artifact.key)).judge(case, artifact, validators))?;
                let is_clear = !near_time_limit(&judged.outcome, &case.limits);
                times.push(judged.time());
                if judged.is_quicker(&best) {
                    best = judged;
                }
                if is_clear {
                    break;
                }
            }
            Ok((best, Origin::Repeated(times)))
        };
        // A signal ends the executions of the others, so the turn comes soon.
        let run = self.quiet.alone(|| false, again).ok_or(StopReason::Cancelled)?;
        drop(begun);
        run
    }
}

/// The language that the request names; none if it names none.
fn language<'a>(task: &Task, languages: &'a Languages) -> Result<Option<&'a Language>, Failure> {
    let wrong = |message| Failure { kind: FailureKind::Request, message };
    let word = match (&task.language, &task.program) {
        (Some(word), _) => word.as_str(),
        (None, _) if task.problem.is_driven() => PYTHON,
        (None, Files::Named(_)) => return Ok(None),
        (None, Files::Source(_)) => {
            return Err(wrong("`language` is missing, and `source` has no name".to_owned()));
        }
    };
    let id = languages
        .id_of(word)
        .ok_or_else(|| wrong(format!("`language`: {word:?} is unknown; grader doctor lists the languages")))?;
    let language = languages.get(id);
    if task.problem.is_driven() && driver(task, language, languages).is_none() {
        let known = task.problem.driven_languages();
        return Err(wrong(format!("`entry` is for programs in {known}; `language` is {word:?}")));
    }
    Ok(language)
}

fn build(bench: &mut Bench<'_>, problem: &Problem, submission: &Submission, language: Option<&Language>) -> Build {
    let language = language.map(|language| language.id.as_str());
    let memory = bench.resources.memory_for(problem, submission, language);
    bench.build(&BuildOrder::submission(problem, submission, memory).in_language(language))
}

/// The name and the text of the driver of the solution.
fn driver(task: &Task, language: Option<&Language>, languages: &Languages) -> Option<(&'static str, String)> {
    let language = language?;
    task.problem.driver(|code| languages.is_code_of(code, language))
}

fn one_run(judged: Result<JudgedExecution, Fault>) -> Result<JudgedExecution, StopReason> {
    judged.and_then(JudgedExecution::unless_cancelled).map_err(|fault| match fault {
        Fault::Cancelled => StopReason::Cancelled,
        Fault::Judge(error) => StopReason::Failed(Failure { kind: FailureKind::Judge, message: error.to_string() }),
    })
}

/// Whether the verdict depends on a time near the limit.
fn time_decides(judged: &JudgedExecution, case: &Case) -> bool {
    let by_time = judged.assessment.rejection.as_ref().is_none_or(|(verdict, _)| *verdict == Verdict::TimeLimit);
    by_time && near_time_limit(&judged.outcome, &case.limits)
}

/// Writes the program of a request into `dir`, which does not exist yet.
fn write_program(
    task: &Task,
    language: Option<&Language>,
    driver: Option<&(&'static str, String)>,
    dir: &Path,
) -> Result<Program, StopReason> {
    fs::create_dir(dir)?;
    let mut files: Vec<PathBuf> = Vec::new();
    let mut write = |name: &str, text: &str| -> io::Result<()> {
        let path = dir.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, text)?;
        files.push(PathBuf::from(name));
        Ok(())
    };
    match &task.program {
        Files::Source(text) => {
            let ending = language.and_then(|language| language.extensions.first());
            let stem = if driver.is_some() { "solution" } else { "main" };
            write(&format!("{stem}.{}", ending.map_or("txt", String::as_str)), text)?;
        }
        // A file that cannot be written (a file and a directory of one name) is the client's mistake.
        Files::Named(named) => {
            for (name, text) in named {
                write(name, text).map_err(|error| Failure {
                    kind: FailureKind::Request,
                    message: format!("`files`: cannot write {name:?}: {error}"),
                })?;
            }
        }
    }
    if let Some((name, text)) = driver {
        write(name, text)?;
    }
    files.sort();
    Ok(match &files[..] {
        [file] => Program::File(dir.join(file)),
        _ => Program::Directory { path: dir.to_owned(), files },
    })
}

/// The submission that a driver starts.
fn driven(program: Program, driver: &str) -> Submission {
    Submission { entry_point: Some(driver.to_owned()), ..submission("request".to_owned(), program) }
}

/// Chooses the submission among the files of a request, with a remark about the choice for its author. The rules are
/// those for the files of a class.
fn submission_of(
    program: Program,
    problem: &Problem,
    (language, languages): (Option<&Language>, &Languages),
) -> Result<(Submission, Option<String>), StopReason> {
    let whole = submission("request".to_owned(), program);
    let Program::Directory { path, files } = &whole.program else { return Ok((whole, None)) };
    let stem = |path: &Path| path.file_stem().map(|stem| folded(&stem.to_string_lossy()));
    let slug = Some(folded(problem.slug()));
    let sources = Sources { languages, wanted: language.map(|language| &*language.id) };
    match several_files::choose(sources, path, files, &|path| stem(path) == slug, problem.unit_tests()) {
        MainFile::All => Ok((whole, None)),
        MainFile::Some(several) => {
            let note = (!several.others.is_empty()).then(|| several.remark());
            let program = Program::Directory { path: path.clone(), files: several.files };
            let entry_point = Some(several.entry.to_string_lossy().into_owned());
            Ok((Submission { program, entry_point, ..whole }, note))
        }
        MainFile::Unclear(several) => {
            let message = format!(
                "`files`: several programs: {}; nothing says which one starts. Send one, or name it `main`",
                listed(&several)
            );
            Err(Failure { kind: FailureKind::Request, message }.into())
        }
    }
}

/// Judges one execution.
fn test(name: &TestId, case: &Case, judged: JudgedExecution, origin: Origin) -> Result<TestOutcome, StopReason> {
    let usage = judged.outcome.usage;
    let is_cached = matches!(origin, Origin::Earlier);
    let stderr = TextStart::of(&judged.streams.stderr);
    let output = TextStart::of(&judged.beginning(case, TextStart::WORTH)?);
    let ran_inside = case.problem.kind.is_interactive() && driver::ran_inside(&judged.beginning(case, usize::MAX)?);
    let (verdict, reason) = of_output(name, case, judged, origin)?;
    let judged_by = ran_inside.then_some(JudgedBy::AssertionsInside);
    let line = TestLine { judged_by, ..TestLine::new(name.to_string(), verdict, &usage, is_cached) };
    if verdict == Verdict::Accepted {
        return Ok(TestOutcome { line, failed: None });
    }
    let expected = case.answer.as_deref().map(beginning).transpose()?.unwrap_or_default();
    let failed =
        FailedTest { test: name.to_string(), reason, input: beginning(&case.input)?, expected, output, stderr };
    Ok(TestOutcome { line, failed: Some(Box::new(failed)) })
}

/// The verdict on the output of a program, with its reason.
fn of_output(
    name: &TestId,
    case: &Case,
    judged: JudgedExecution,
    origin: Origin,
) -> Result<(Verdict, String), StopReason> {
    match result_of(case, judged, origin, &Expectation::open("handed in"), None) {
        TestResult::Judged(judgement) => {
            let Judgement { verdict, reason, measured, .. } = Arc::unwrap_or_clone(judgement);
            Ok((verdict, measured.reason.unwrap_or(reason).to_string()))
        }
        TestResult::JudgeError { message, .. } => Err(Failure { kind: FailureKind::Judge, message }.into()),
        TestResult::NotJudged { .. } => {
            Err(Failure { kind: FailureKind::Request, message: format!("test {name} has no answer") }.into())
        }
        TestResult::Cancelled => Err(StopReason::Cancelled),
    }
}

/// The beginning of a file, as results show it.
fn beginning(path: &Path) -> io::Result<TextStart> {
    let mut bytes = Vec::new();
    File::open(path)?.take(TextStart::WORTH as u64).read_to_end(&mut bytes)?;
    Ok(TextStart::of(&bytes))
}

/// The first line of a compiler's messages that contains an error, else the first line.
fn error_line(words: &str) -> &str {
    let mut lines = words.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.clone().next().unwrap_or("the compiler rejects it");
    lines.find(|line| line.to_ascii_lowercase().contains("error")).unwrap_or(first)
}
