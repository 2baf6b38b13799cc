//! `grader judge`: what others hand in. Nothing is expected of it: the verdict is the answer.

mod alone;
mod assign;
mod intake;
mod key;
mod layout;
mod out;
mod outputs;
mod pairing;
mod programs;
mod table;

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args;

use super::arguments::{AloneArgs, CheckerArgs, HowArgs, JobsArgs, Setup, ShowArgs};
use super::exit::{Ended, ExitStatus};
use super::notice::show_diagnostics;
use super::reports::ReportArgs;
use super::select::{Choice, Chosen, Programs, choose};
use super::unpack::Unpacked;
use crate::config::Options;
use crate::event::Command;
use crate::limits::Bytes;
use crate::package::diagnostic::Diagnostic;
use crate::plan::{Plan, PlannedProblem};
use crate::problem::{Expectation, Problem, ProblemId, ProblemKind, Program, Submission, SubmissionId};
use crate::report::terminal::class::Order;

/// A program is killed at its time limit times this factor: submissions of others need no margins.
const TIME_LIMIT_TO_TLE: f64 = 1.1;

/// Judges submissions of students or contestants: programs or output files
#[derive(Debug, Args)]
#[command(
    after_help = "PATH is a program, a folder or a zip archive, which may contain other archives. A folder is one \
    program if it contains `main.*`, `__main__.py`, `build`, `run` or `Cargo.toml`, or only one source file. Otherwise each file \
    and folder in it is a program. grader recognises exports of Moodle and Canvas. In a problem of type \
    submit-answer, a submission is a folder, an archive or files, named like the cases.\n\nExit status: 0 all \
    accepted, 1 something is not accepted (0 with --exit-zero), 2 usage, configuration or problem error, or \
    something or everything could not be judged, 3 judge error, 129/130/143 interrupted."
)]
pub(super) struct JudgeArgs {
    /// Problem (a name, a folder, or a package as `.zip` or `.kpp`) and the submissions; omit the problem if there is
    /// only one, or if the layout names it
    #[arg(value_name = "[PROBLEM] PATH", required_unless_present = "outputs")]
    words: Vec<String>,
    /// Name the problem, if a submission has the same name as a problem
    #[arg(short, long, value_name = "PROBLEM")]
    problem: Option<String>,
    /// Read student and problem from paths: a glob with `{student}` and `{problem}`, or moodle, canvas or ilias
    #[arg(long, value_name = "LAYOUT")]
    layout: Option<String>,
    /// Sort the table of students by name or score
    #[arg(long, value_name = "BY", value_enum, default_value = "name")]
    sort: Sort,
    /// Write each result to this folder at once, and skip submissions that already have a result there
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Judge output files instead of programs: files, folders, archives, or - for standard input
    #[arg(long, value_name = "FILE", num_args = 1..,
        conflicts_with_all = ["layout", "sort", "out", "time_limit", "time_factor", "repeat", "lang"])]
    outputs: Vec<PathBuf>,
    #[command(flatten)]
    told: ToldArgs,
    #[command(flatten, next_help_heading = "Execution options")]
    how: HowArgs,
}

/// Judges output files with the problem's checker or output validator, without running a submission
#[derive(Debug, Args)]
#[command(after_help = "The same as `grader judge PROBLEM --outputs FILE`.\n\ngrader pairs the files of a folder or \
    archive with cases by name: `sample/01.out`, `01.ans`, `01`. If several groups have that name, the file name \
    must include the group.\n\nExit status: 0 all accepted, 1 something is not accepted or is missing, 2 usage, \
    configuration or problem error, or files that match no single case, 3 judge error, 129/130/143 interrupted.")]
pub(super) struct CheckArgs {
    /// Problem name, folder, or package as `.zip` or `.kpp`
    problem: String,
    /// Output files, folders or archives, or - for standard input
    #[arg(value_name = "FILE", required = true)]
    outputs: Vec<PathBuf>,
    #[command(flatten)]
    told: ToldArgs,
    #[command(flatten, next_help_heading = "Execution options")]
    jobs: JobsArgs,
    #[command(flatten, next_help_heading = "Execution options")]
    checker: CheckerArgs,
    #[command(flatten, next_help_heading = "Execution options")]
    alone: AloneArgs,
}

/// Options to select tests and to show and report their results.
#[derive(Debug, Args)]
struct ToldArgs {
    /// Judge only these tests: a name, a group, a prefix or a glob (repeatable)
    #[arg(short, long, value_name = "TEST")]
    test: Vec<String>,
    /// Match output files by this glob with `{test}`, such as `{test}.txt`
    #[arg(long, value_name = "GLOB")]
    pattern: Option<String>,
    /// Exit with 0 even if a submission is not accepted
    #[arg(long)]
    exit_zero: bool,
    #[command(flatten, next_help_heading = "Display options")]
    show: ShowArgs,
    #[command(flatten, next_help_heading = "Report options")]
    report: ReportArgs,
}

/// What the table is sorted by.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Sort {
    Name,
    Score,
}

impl From<Sort> for Order {
    fn from(sort: Sort) -> Self {
        match sort {
            Sort::Name => Self::Name,
            Sort::Score => Self::Score,
        }
    }
}

/// Judges, and returns how the process ends.
pub(super) fn run(args: &JudgeArgs) -> Result<ExitStatus> {
    let setup = setup(args.told.show.add_to(args.how.options()))?;
    if args.outputs.is_empty() {
        return programs::judge(args, setup);
    }
    let ((Some(problem), []) | (None, [problem])) = (&args.problem, &args.words[..]) else {
        bail!("`--outputs` judges the outputs of one problem: grader judge PROBLEM --outputs FILE");
    };
    let problems = find_problems(&setup, Some(problem), &args.told.test, &args.how.hand.checker)?;
    outputs::judge(setup, problems, Some(problem), &args.outputs, &args.told, Command::Judge, args.how.again())
}

/// The same for output files alone.
pub(super) fn check(args: &CheckArgs) -> Result<ExitStatus> {
    let options = args.jobs.add_to(args.checker.add_to(args.alone.options()));
    let setup = setup(args.told.show.add_to(options))?;
    let problems = find_problems(&setup, Some(&args.problem), &args.told.test, &args.checker)?;
    outputs::judge(
        setup,
        problems,
        Some(&args.problem),
        &args.outputs,
        &args.told,
        Command::Check,
        [args.checker.again(), args.alone.again()].concat(),
    )
}

fn setup(options: Options) -> Result<Setup> {
    let preferred = Options { time_limit_to_tle: Some(TIME_LIMIT_TO_TLE), ..Options::default() };
    let mut setup = Setup::with_defaults(preferred, options)?;
    setup.isolation = setup.isolation.for_strangers();
    Ok(setup)
}

/// The problems that a word means, or all that there are, with the tests that are meant; nothing of their own
/// submissions.
struct Problems {
    plan: Plan,
    found: Vec<Diagnostic>,
    /// Where a problem is that was named as an archive, as long as this lives.
    unpacked: Unpacked,
}

impl Problems {
    /// The names of all, also of those that are broken.
    fn ids(&self) -> Vec<&str> {
        let mut ids: Vec<&str> = self.plan.problems.iter().map(|planned| planned.problem.id.as_str()).collect();
        for found in self.found.iter().filter(|found| found.is_error()) {
            ids.extend(found.problem.as_ref().map(ProblemId::as_str).filter(|broken| !ids.contains(broken)));
        }
        ids
    }

    /// What is wrong with a problem that is therefore not among the others.
    fn errors_of(&self, name: &str) -> impl Iterator<Item = &Diagnostic> {
        let is_named =
            |found: &Diagnostic| found.problem.as_ref().is_some_and(|id| id.as_str().eq_ignore_ascii_case(name));
        self.found.iter().filter(move |found| found.is_error() && is_named(found))
    }
}

fn find_problems(setup: &Setup, word: Option<&str>, tests: &[String], checker: &CheckerArgs) -> Result<Problems> {
    let typed: Vec<String> = word.map(str::to_owned).into_iter().collect();
    let unpacked = Unpacked::new(&setup.start, &typed)?;
    let selection = unpacked.words.clone();
    let output_validator = checker.output_validator(&setup.start)?;
    let at = |start: &Path| {
        let (submissions, command) = (&[], None);
        let choice = Choice {
            start,
            selection: &selection,
            submissions,
            tests,
            command,
            output_validator: output_validator.clone(),
            programs: Programs::Refused,
        };
        choose(&setup.settings, &setup.languages, &choice)
    };
    let mut chosen = at(&setup.start);
    // Who stands in a folder of submissions means the problems of the project.
    // An error is returned below.
    if word.is_none() && chosen.as_ref().is_ok_and(|chosen| chosen.plan.problems.is_empty()) {
        chosen = at(&setup.settings.base);
    }
    let of_chosen = |Chosen { plan, found }: Chosen| Problems { plan, found: unpacked.archives.told(found), unpacked };
    if chosen.as_ref().is_ok_and(|chosen| !chosen.plan.problems.is_empty()) {
        return chosen.map(of_chosen);
    }
    match alone::cases_alone(setup, word, tests)? {
        Some(alone) => Ok(alone),
        None => chosen.map(of_chosen),
    }
}

/// The only problem of these; what is wrong is shown where there is none.
fn only_problem(problems: &Problems, setup: &Setup, word: Option<&str>) -> Result<usize> {
    match &problems.plan.problems[..] {
        [_] => Ok(0),
        [] => {
            show_diagnostics(&problems.found, setup.paint);
            if problems.found.iter().any(Diagnostic::is_error) {
                return Err(Ended(ExitStatus::Usage).into());
            }
            bail!(
                "no problem was found\n  → go to a problem's folder or below a grader.toml, or name a problem's folder"
            )
        }
        several => {
            let names: Vec<&str> = several.iter().take(8).map(|planned| planned.problem.id.as_str()).collect();
            let more = if several.len() > names.len() { ", …" } else { "" };
            let what = word.map_or("there are".to_owned(), |word| format!("`{word}` means"));
            bail!(
                "{what} {} problems ({}{more}): name one, as in `grader judge {} PATH`",
                several.len(),
                names.join(", "),
                names[0]
            )
        }
    }
}

/// Whether the submissions there are outputs, not programs.
fn wants_outputs(planned: &PlannedProblem) -> bool {
    planned.problem.kind == ProblemKind::SubmitAnswer
}

/// The largest output that any case of a problem allows.
fn output_limit(setup: &Setup, problem: &Problem) -> Bytes {
    let limits = problem.groups.iter().map(|group| setup.settings.limits_for(problem, group, "").output);
    limits.max().unwrap_or(setup.settings.output)
}

/// A submission of which nothing is expected.
fn submission(id: String, program: Program) -> Submission {
    let expectation = Expectation::open("handed in");
    Submission { id: SubmissionId::from(id), program, language: None, entry_point: None, expectation }
}
