//! Looks for lines of accepted submissions that no case executes: a mistake there would not be noticed.

mod readers;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result};
use tempfile::TempDir;

use crate::compile::{Artifact, Build, BuildOrder};
use crate::engine::bench::{Bench, Execution};
use crate::judge::{Fault, Rejection};
use crate::language::CoverageTool;
use crate::limits::JudgeLimits;
use crate::problem::{CaseInput, Problem, ProblemKind, Program, Submission, TestCase, TestGroup, WorkFiles};
use crate::report::text::count;
use crate::sandbox::Workdir;
use crate::verify::cases::Sound;
use crate::verify::judges::Judges;
use crate::verify::problem_findings::{CoveredFile, ProblemFindings};
use crate::verify::steps::Steps;
use crate::verify::{Code, Finding};
use crate::workspace::ending::EarlyEnd;
use readers::{Lines, missing, of_gcov, of_lcov, of_trace};

/// The most bytes of a data file or a listing that are read.
const LARGEST: u64 = 64 << 20;
/// The data file of LLVM, and the file made from it.
const RAW: &str = "lines.profraw";
const INDEXED: &str = "lines.profdata";

/// Why the lines of a submission are not known.
enum UnknownLines {
    /// The message says why.
    Because(String),
    /// grader itself failed.
    Broken(String),
    /// A signal came.
    Cancelled,
}

impl From<Fault> for UnknownLines {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Cancelled => Self::Cancelled,
            Fault::Judge(error) => Self::Broken(error.to_string()),
        }
    }
}

impl From<anyhow::Error> for UnknownLines {
    fn from(error: anyhow::Error) -> Self {
        Self::Broken(format!("{error:#}"))
    }
}

/// Runs the accepted submissions on all valid cases, and reports the lines that none executes.
pub(crate) fn check(
    bench: &mut Bench<'_>,
    results: &mut ProblemFindings,
    problem: &Arc<Problem>,
    judges: &Judges,
    sound: &[Sound],
    steps: &Steps,
) -> Result<()> {
    let why_not = match problem.kind {
        ProblemKind::SubmitAnswer => Some("submissions of this problem are answers, so no lines are counted"),
        kind if kind.is_multi_pass() => Some("the lines of programs that run several times are not counted"),
        kind if kind.is_led_by_validator() && !judges.leads(problem) => {
            Some("the interactor cannot be built, so no lines are counted")
        }
        _ => None,
    };
    if let Some(why_not) = why_not {
        results.report(Finding::new(Code::CoverageUnknown, why_not));
        return Ok(());
    }
    for submission in problem.submissions.iter().filter(|submission| submission.expectation.wants_all_accepted()) {
        steps.step(&format!("coverage of {}", submission.id), sound.iter().filter(|sound| sound.input).count());
        let covered = covered(bench, problem, judges, submission, sound, steps);
        let path = submission.program.path();
        match covered {
            Ok(files) => {
                for (file, lines) in files {
                    let found = CoveredFile {
                        submission: submission.id.to_string(),
                        lines: lines.len(),
                        executed: lines.values().filter(|executed| **executed).count(),
                        missing: missing(&lines),
                        file,
                    };
                    report(results, submission, &found);
                    results.covered.push(found);
                }
            }
            Err(UnknownLines::Because(why)) => {
                let finding = Finding::new(Code::CoverageUnknown, why);
                results.report(finding.at_any(path));
            }
            Err(UnknownLines::Broken(why)) => results.report(Finding::new(Code::JudgeError, why).at_any(path)),
            Err(UnknownLines::Cancelled) => return Err(EarlyEnd::JudgeError.into()),
        }
    }
    Ok(())
}

fn report(results: &mut ProblemFindings, submission: &Submission, found: &CoveredFile) {
    if found.missing.is_empty() {
        return;
    }
    let CoveredFile { executed, missing, .. } = found;
    let word = if missing.contains([',', '-']) { "lines" } else { "line" };
    let message =
        format!("no case executes {word} {missing} ({executed} of {} are executed)", count(found.lines, "line"));
    let place = match &submission.program {
        Program::Directory { path, .. } => Some(path.join(&found.file)),
        other => other.path().map(Path::to_owned),
    };
    let finding = Finding::new(Code::NotCovered, message).at_any(place);
    results.report(finding.remedy("add a case that executes them, or remove them"));
}

/// The lines of each file of a submission, with whether some valid case executes them.
fn covered(
    bench: &mut Bench<'_>,
    problem: &Arc<Problem>,
    judges: &Judges,
    submission: &Submission,
    sound: &[Sound],
    steps: &Steps,
) -> Result<BTreeMap<PathBuf, Lines>, UnknownLines> {
    let memory = bench.resources.memory_for(problem, submission, None);
    let order = BuildOrder { covered: true, ..BuildOrder::submission(problem, submission, memory) };
    let artifact = ready(bench.build(&order))?;
    let reader = Reader::new(bench, &artifact, submission)?;
    let mut all: BTreeMap<PathBuf, Lines> = BTreeMap::new();
    for ((group, case), _) in problem.cases().zip(sound).filter(|(_, sound)| sound.input) {
        let interactor = judges.interactor().filter(|_| problem.kind.is_interactive());
        let (rejection, workdir) = match interactor {
            Some(interactor) => talked(bench, problem, &artifact, interactor, (group, case))?,
            None => ran_alone(bench, problem, &artifact, &group.case_input(case))?,
        };
        if let Some((verdict, reason)) = rejection {
            return Err(UnknownLines::Because(format!("{verdict} on {}: {reason}", group.id_of(case))));
        }
        for (file, lines) in reader.read(bench, &workdir)? {
            let known = all.entry(file).or_default();
            for (number, executed) in lines {
                *known.entry(number).or_default() |= executed;
            }
        }
        steps.done();
    }
    Ok(all)
}

/// Limits for programs that count their lines. Counting takes time, and a listing of Python takes much.
fn with_counting(limits: JudgeLimits, artifact: &Artifact) -> JudgeLimits {
    let factor = if artifact.coverage == Some(CoverageTool::Trace) { 10.0 } else { 1.0 };
    limits.for_sanitizers().with_time_factor(factor)
}

/// Runs a program on an input. Returns why it fails, if it does, and its working directory.
fn ran_alone(
    bench: &mut Bench<'_>,
    problem: &Problem,
    artifact: &Artifact,
    input: &CaseInput<'_>,
) -> Result<(Option<Rejection>, Workdir), UnknownLines> {
    let limits = with_counting(bench.resources.limits_for(problem, input.group, &artifact.language), artifact);
    let arguments: Vec<OsString> = input.setting.arguments.submission.iter().map(Into::into).collect();
    let from = File::open(&input.path).with_context(|| format!("cannot read {}", input.path.display()))?;
    let ran = run(bench, artifact, &arguments, &input.setting.work, &limits, &from)?;
    Ok((ran.rejection, ran.workdir))
}

/// The same for a program that talks to an interactor.
fn talked(
    bench: &mut Bench<'_>,
    problem: &Arc<Problem>,
    artifact: &Artifact,
    interactor: &Artifact,
    (group, case): (&TestGroup, &TestCase),
) -> Result<(Option<Rejection>, Workdir), UnknownLines> {
    let mut case = bench.resources.case(problem, group.case_input(case), group.answer_of(case), artifact);
    case.limits = with_counting(case.limits, artifact);
    Ok(bench.runner(None).workdir_after_talk(&case, artifact, interactor)?)
}

fn ready(build: Build) -> Result<Box<Artifact>, UnknownLines> {
    match build {
        Build::Ready(artifact) => Ok(artifact),
        Build::NotJudged(why) | Build::NoDriver { reason: why, .. } | Build::CompileError(why) => {
            Err(UnknownLines::Because(why))
        }
        Build::Failed(why) => Err(UnknownLines::Broken(why)),
        Build::Cancelled => Err(UnknownLines::Cancelled),
    }
}

fn run(
    bench: &mut Bench<'_>,
    artifact: &Artifact,
    arguments: &[OsString],
    work: &WorkFiles,
    limits: &JudgeLimits,
    input: &File,
) -> Result<Execution, UnknownLines> {
    let ran = bench.runner(None).execute(artifact, arguments, work, limits, input).map_err(Fault::from)?;
    Ok(ran.unless_cancelled()?)
}

/// Reads what a program leaves, with the tools of its compiler.
struct Reader {
    tool: CoverageTool,
    /// `gcov`; or `llvm-profdata` and `llvm-cov`.
    programs: Vec<Artifact>,
    /// The files of the build that these need: names and paths.
    made: Vec<(PathBuf, PathBuf)>,
    /// The files of the submission.
    files: Vec<PathBuf>,
    dir: TempDir,
}

impl Reader {
    fn new(bench: &mut Bench<'_>, artifact: &Artifact, submission: &Submission) -> Result<Self, UnknownLines> {
        let tool = artifact.coverage.context("a program without coverage")?;
        let names: &[&str] = match tool {
            CoverageTool::Gcov => &["gcov"],
            CoverageTool::LlvmCov => &["llvm-profdata", "llvm-cov"],
            CoverageTool::Trace => &[],
        };
        let programs =
            names.iter().map(|name| ready(bench.companion_tool(name)).map(|tool| *tool)).collect::<Result<_, _>>()?;
        let files = match &submission.program {
            Program::Directory { files, .. } => files.clone(),
            other => other.path().and_then(Path::file_name).map(PathBuf::from).into_iter().collect(),
        };
        let made = artifact.made().context("cannot read the build")?;
        let dir = tempfile::tempdir().context("cannot create a temporary directory")?;
        Ok(Self { tool, programs, made, files, dir })
    }

    /// The lines of each file of the submission.
    fn read(&self, bench: &mut Bench<'_>, left: &Workdir) -> Result<Vec<(PathBuf, Lines)>, UnknownLines> {
        let found = match self.tool {
            CoverageTool::Gcov => self.gcov(bench, left)?,
            CoverageTool::LlvmCov => self.llvm(bench, left)?,
            CoverageTool::Trace => return self.trace(left),
        };
        // Paths of headers of the system are those of no file here.
        let own = |path: &str| self.files.iter().find(|file| Path::new(path).ends_with(file)).cloned();
        Ok(found.into_iter().filter_map(|(path, lines)| Some((own(&path)?, lines))).collect())
    }

    fn gcov(&self, bench: &mut Bench<'_>, left: &Workdir) -> Result<Vec<(String, Lines)>, UnknownLines> {
        let mut found = Vec::new();
        for (name, path) in self.made.iter().filter(|(name, _)| name.extension().is_some_and(|end| end == "gcno")) {
            let notes = PathBuf::from(name.file_name().unwrap_or_default());
            let data = notes.with_extension("gcda");
            let kept = self.kept(left, &data)?;
            let words = vec!["--stdout".into(), data.clone().into()];
            // It shows each line beside its count, and none without the source.
            let sources = self.made.iter().filter(|(name, _)| self.files.contains(name)).cloned();
            let work = sources.chain([(notes, path.clone()), (data, kept)]).collect();
            let mut said = self.tool(bench, 0, &words, work)?;
            found.extend(of_gcov(&text(&mut said)?));
        }
        Ok(found)
    }

    fn llvm(&self, bench: &mut Bench<'_>, left: &Workdir) -> Result<Vec<(String, Lines)>, UnknownLines> {
        let raw = self.kept(left, Path::new(RAW))?;
        let words = ["merge", "-sparse", RAW, "-o", INDEXED].map(OsString::from);
        let merged = self.tool(bench, 0, &words, vec![(RAW.into(), raw)])?;
        let indexed = self.kept(&merged.workdir, Path::new(INDEXED))?;
        let binary = self.made.iter().find(|(_, path)| is_elf(path)).context("the build has no program")?;
        let profile = format!("-instr-profile={INDEXED}");
        let words = ["export", "-format=lcov", "program", &profile].map(OsString::from);
        let work = vec![("program".into(), binary.1.clone()), (INDEXED.into(), indexed)];
        let mut said = self.tool(bench, 1, &words, work)?;
        Ok(of_lcov(&text(&mut said)?))
    }

    fn trace(&self, left: &Workdir) -> Result<Vec<(PathBuf, Lines)>, UnknownLines> {
        let mut found = Vec::new();
        for file in &self.files {
            let module = file.with_extension("").to_string_lossy().replace('/', ".");
            let listing = left.read(Path::new(&format!("{module}.cover")), LARGEST);
            // A module that is never imported has no listing.
            let unreadable = |error| UnknownLines::Because(format!("cannot read the listing of trace: {error}"));
            if let Some(listing) = listing.map_err(unreadable)? {
                found.push((file.clone(), of_trace(&String::from_utf8_lossy(&listing))));
            }
        }
        Ok(found)
    }

    /// Copies a file that a program left out of its box.
    fn kept(&self, left: &Workdir, name: &Path) -> Result<PathBuf, UnknownLines> {
        // The program wrote the file, so any defect in it is the program's.
        let bytes = left.read(name, LARGEST);
        let bytes = bytes.map_err(|error| UnknownLines::Because(format!("cannot read {}: {error}", name.display())))?;
        let missing = || UnknownLines::Because(format!("the program leaves no {}", name.display()));
        let bytes = bytes.ok_or_else(missing)?;
        let path = self.dir.path().join(name);
        std::fs::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(path)
    }

    /// Runs a tool on files. The data may be forged, so it runs in a box too.
    fn tool(
        &self,
        bench: &mut Bench<'_>,
        at: usize,
        words: &[OsString],
        files: Vec<(PathBuf, PathBuf)>,
    ) -> Result<Execution, UnknownLines> {
        let limits = bench.resources.validation_limits();
        let null = File::open("/dev/null").context("cannot open /dev/null")?;
        let ran = run(bench, &self.programs[at], words, &WorkFiles::of(files), &limits, &null)?;
        match &ran.rejection {
            None => Ok(ran),
            Some((_, reason)) => {
                let said = String::from_utf8_lossy(&ran.stderr);
                let first = said.lines().next().unwrap_or_default();
                Err(UnknownLines::Because(format!("{} fails: {reason} {first}", self.programs[at].language)))
            }
        }
    }
}

/// The output of a tool as text. Names of files may be invalid UTF-8.
fn text(said: &mut Execution) -> Result<String, UnknownLines> {
    let mut bytes = Vec::new();
    said.output.read_to_end(&mut bytes).context("cannot read the output of a tool")?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Whether a file is a program of the machine ("ELF Header" in elf(5)).
fn is_elf(path: &Path) -> bool {
    let mut magic = [0; 4];
    // A file that cannot be read is not a program.
    File::open(path).and_then(|mut file| file.read_exact(&mut magic)).is_ok() && magic == *b"\x7fELF"
}
