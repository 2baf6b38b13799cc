//! `grader judge` and `grader check`: judge programs and outputs that others submit. No verdict is expected of them.

mod course;

use std::io::{self, IsTerminal as _, Write};
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;

use super::arguments::{
    AloneArgs, CheckerArgs, EngineArgs, HowArgs, JobsArgs, PartArgs, ShowArgs, open_with, run_part,
};
use super::class_table::{self, ClassTable};
use super::exit::{ExitStatus, status_of_judging};
use super::report_options::ReportArgs;
use super::similar::{self, SimilarArgs};
use super::view::{self, LiveArgs};
use crate::cli::output::stdout;
use crate::config::Options;
use crate::diagnostic::{Diagnostic, Severity};
use crate::event::Command;
use crate::intake::{outputs, programs};
use crate::report::class::Order;
use crate::report::terminal::TerminalOptions;
use crate::report::text::quote_path;
use crate::session::RunEnd;
use crate::session::past::EarlierRuns;
use crate::stream::{self, Summary};
use crate::visualize::background_of;
use crate::workspace::Workspace;
use course::CourseArgs;

/// A program is killed at its time limit times this factor. Students' submissions need no margins.
const TIME_LIMIT_TO_TLE: f64 = 1.1;

/// Judges submissions of students or contestants: programs or output files
#[derive(Debug, Args)]
#[command(
    after_help = "PATH is a program, a folder or a zip archive, which may contain other archives. A folder is one \
    program if it contains `main.*`, `__main__.py`, `build`, `run` or `Cargo.toml`, or only one source file. Otherwise each file \
    and folder in it is a program. A file that imports or includes others is one program with them. grader \
    recognises exports of Moodle, Canvas and other platforms (`--layout list`). In a problem of type submit-answer, a submission is a folder, an archive or files, named like the cases.\n\nExit status: 0 all \
    accepted, 1 something is not accepted (0 with --exit-zero), 2 usage, configuration or problem error, or \
    something or everything could not be judged and no override decides it, 3 judge error, 129/130/143 interrupted. With --stream: 0 every \
    request has a verdict, 2 some requests are wrong or need what is not installed, 3 judge error."
)]
pub(super) struct JudgeArgs {
    /// Problem (a name, a folder, or a package as `.zip` or `.kpp`) and the submissions; omit the problem if there is
    /// only one, or if the layout names it
    #[arg(value_name = "[PROBLEM] PATH", required_unless_present_any = ["outputs", "stream", "layout"])]
    words: Vec<String>,
    /// Name the problem, if a submission has the same name as a problem
    #[arg(short, long, value_name = "PROBLEM")]
    problem: Option<String>,
    /// Read student and problem from paths: a glob such as `{student}/{problem}.*`, or the name of a platform; `list` lists
    /// them
    #[arg(long, value_name = "LAYOUT")]
    layout: Option<String>,
    /// Read the students from a CSV file with the columns `id`, `name`, `group`, `team`, `extra_time`, `submitted` and
    /// `extension`; only `id` is required. Lists of platforms are read as they are
    #[arg(long, value_name = "FILE")]
    roster: Option<PathBuf>,
    /// Sort the table of students by name or score
    #[arg(long, value_name = "BY", value_enum, default_value = "name")]
    sort: Sort,
    /// Write each result to this folder as soon as it is known, and skip submissions that already have a result there;
    /// with --shard, the folder for the results of all parts
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Judge output files instead of programs: files, folders, archives, or - for standard input
    #[arg(long, value_name = "FILE", num_args = 1..,
        conflicts_with_all = ["layout", "roster", "CourseArgs", "sort", "out", "time_limit", "time_factor", "repeat", "lang",
            "shard", "plan"])]
    outputs: Vec<PathBuf>,
    #[command(flatten, next_help_heading = "Options for courses")]
    course: CourseArgs,
    #[command(flatten, next_help_heading = "Options for similar programs")]
    similar: SimilarArgs,
    #[command(flatten, next_help_heading = None)]
    stream: StreamArgs,
    #[command(flatten)]
    results: ResultArgs,
    #[command(flatten, next_help_heading = "Options for several machines")]
    part: PartArgs,
    #[command(flatten, next_help_heading = "Options for several machines")]
    pub(super) engine: EngineArgs,
    #[command(flatten, next_help_heading = "Execution options")]
    how: HowArgs,
}

/// Options to judge a stream of requests.
#[derive(Debug, Args)]
struct StreamArgs {
    /// Read requests from standard input, one JSON object a line, and write one result a line as soon as it is known
    #[arg(long, conflicts_with_all = ["words", "problem", "layout", "roster", "CourseArgs", "out", "outputs", "test",
        "pattern", "exit_zero", "report", "view", "lang", "repeat", "checker", "shard", "plan"])]
    stream: bool,
    /// With --stream: write the results in the order of the requests
    #[arg(long)]
    ordered: bool,
    /// With --stream: run all tests of a request, also after one has failed
    #[arg(short, long)]
    all_tests: bool,
}

/// Judges output files with the problem's checker or output validator, without running a submission
#[derive(Debug, Args)]
#[command(after_help = "The same as `grader judge PROBLEM --outputs FILE`.\n\ngrader pairs the files of a folder or \
    archive with cases by name: `sample/01.out`, `01.ans`, `01`. If that name occurs in several groups, the file name \
    must include the group.\n\nExit status: 0 all accepted, 1 something is not accepted or is missing, 2 usage, \
    configuration or problem error, or files that match no case or several, 3 judge error, 129/130/143 interrupted.")]
pub(super) struct CheckArgs {
    /// Problem name, folder, or package as `.zip` or `.kpp`
    problem: String,
    /// Output files, folders or archives, or - for standard input
    #[arg(value_name = "FILE", required = true)]
    outputs: Vec<PathBuf>,
    #[command(flatten)]
    results: ResultArgs,
    #[command(flatten, next_help_heading = "Execution options")]
    jobs: JobsArgs,
    #[command(flatten, next_help_heading = "Execution options")]
    checker: CheckerArgs,
    #[command(flatten, next_help_heading = "Execution options")]
    alone: AloneArgs,
}

/// Options to select tests and to show and report their results.
#[derive(Debug, Args)]
struct ResultArgs {
    /// Judge only these tests: a name, a group, a prefix or a glob (repeatable)
    #[arg(short, long, value_name = "TEST")]
    test: Vec<String>,
    /// Match the names of output files by this glob with `{test}`, such as `{test}.txt`
    #[arg(long, value_name = "GLOB")]
    pattern: Option<String>,
    /// Exit with 0 instead of 1
    #[arg(long)]
    exit_zero: bool,
    #[command(flatten, next_help_heading = "Display options")]
    show: ShowArgs,
    #[command(flatten, next_help_heading = "Report options")]
    report: ReportArgs,
    #[command(flatten, next_help_heading = "Report options")]
    live: LiveArgs,
}

/// Value of `--sort`.
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

/// Judges the submissions and returns the exit status.
pub(super) fn run(args: &JudgeArgs) -> Result<ExitStatus> {
    if args.layout.as_deref() == Some("list") {
        return Ok(course::list_layouts()?);
    }
    if args.words.is_empty() && args.layout.is_some() && !args.stream.stream {
        bail!(
            "nothing to judge is named\n  → name a program, a folder or an archive: grader judge PATH --layout LAYOUT"
        );
    }
    if args.results.report.is_anonymous() && args.out.is_some() {
        bail!(
            "the folders of `--out` have the names of the students, which `--anonymous` hides\n  → judge without --anonymous, \
            then write the reports: grader report last --anonymous --report html=FILE"
        );
    }
    if args.results.report.is_anonymous() && args.results.live.is_wanted() {
        bail!(
            "the page of `--view` has the names of the students, which `--anonymous` hides\n  → leave out one of them"
        );
    }
    let options = args.course.add_to(args.results.show.add_to(args.how.options()));
    let workspace = workspace(args.similar.add_to(options))?;
    similar::check(&workspace.settings)?;
    if args.engine.is_given() && !args.outputs.is_empty() {
        bail!("`--outputs` judges on this machine alone\n  → leave out --engine");
    }
    match args.stream {
        StreamArgs { stream: true, .. } => {
            let (workspace, _) = args.engine.apply_to(workspace)?;
            return judge_stream(&args.stream, &workspace);
        }
        // clap asks for no option that conflicts with what is there.
        StreamArgs { ordered: true, .. } => bail!("`--ordered` needs `--stream`"),
        StreamArgs { all_tests: true, .. } => {
            bail!("`--all-tests` needs `--stream`: without it, grader runs all tests anyway")
        }
        StreamArgs { .. } => {}
    }
    let checker = &args.how.hand.checker;
    if args.outputs.is_empty() {
        return judge_programs(args, workspace);
    }
    let ((Some(problem), []) | (None, [problem])) = (&args.problem, &args.words[..]) else {
        bail!("`--outputs` judges the outputs of one problem: grader judge PROBLEM --outputs FILE");
    };
    let request = args.results.outputs(problem, &args.outputs, Command::Judge, args.how.again());
    judge_outputs(workspace, request, checker, &args.results)
}

/// Runs `grader check`: judges output files.
pub(super) fn check(args: &CheckArgs) -> Result<ExitStatus> {
    let options = args.jobs.add_to(args.checker.add_to(args.alone.options()));
    let workspace = workspace(args.results.show.add_to(options))?;
    let again = [args.checker.again(), args.alone.again()].concat();
    let request = args.results.outputs(&args.problem, &args.outputs, Command::Check, again);
    judge_outputs(workspace, request, &args.checker, &args.results)
}

fn workspace(options: Options) -> Result<Workspace> {
    let preferred = Options { time_limit_to_tle: Some(TIME_LIMIT_TO_TLE), ..Options::default() };
    let mut workspace = open_with(preferred, options)?;
    workspace.isolation = workspace.isolation.for_strangers();
    Ok(workspace)
}

impl ResultArgs {
    fn outputs(
        &self,
        problem: &str,
        outputs: &[PathBuf],
        command: Command,
        options: Vec<String>,
    ) -> outputs::OutputsRequest {
        outputs::OutputsRequest {
            problem: problem.to_owned(),
            outputs: outputs.to_vec(),
            tests: self.test.clone(),
            pattern: self.pattern.clone(),
            output_validator: None,
            command,
            options,
        }
    }
}

fn judge_stream(args: &StreamArgs, workspace: &Workspace) -> Result<ExitStatus> {
    if io::stdin().is_terminal() {
        let message = "grader reads requests from the keyboard, one JSON object a line; Ctrl-D ends them";
        let remedy = "pass a file: grader judge --stream < requests.jsonl";
        workspace.tell(&Diagnostic::new(Severity::Warning, message).remedy(remedy));
    }
    let options = stream::Options { all_tests: args.all_tests, ordered: args.ordered };
    let summary = stream::judge(workspace, options, io::stdin(), &mut stdout())?;
    Ok(match summary {
        Summary { faults: 1.., .. } => ExitStatus::JudgeError,
        Summary { refused: 1.., .. } => ExitStatus::Usage,
        Summary { .. } => ExitStatus::Success,
    })
}

fn judge_outputs(
    workspace: Workspace,
    request: outputs::OutputsRequest,
    checker: &CheckerArgs,
    results: &ResultArgs,
) -> Result<ExitStatus> {
    let output_validator = checker.output_validator(&workspace.start)?;
    let options = results.show.terminal_options(&workspace);
    let prepared = outputs::prepare(workspace, &outputs::OutputsRequest { output_validator, ..request })?;
    let session = prepared.session;
    let workspace = session.workspace.clone();
    let mut reporters = results.report.reporters(&workspace, options, &|| background_of(&session))?;
    let view = results.live.add_to(&mut reporters, &workspace, &results.report, || background_of(&session))?;
    let RunEnd { report, signal } = session.conduct(reporters)?;
    view::stay(view, &workspace)?;
    Ok(status_of_judging(&report, signal, results.exit_zero))
}

fn judge_programs(args: &JudgeArgs, mut workspace: Workspace) -> Result<ExitStatus> {
    let plan = args.part.plan(&mut workspace)?;
    let (workspace, followed) = args.engine.apply_to(workspace)?;
    let results = &args.results;
    let options = results.show.terminal_options(&workspace);
    let request = programs::Request {
        problem: args.problem.clone(),
        words: args.words.clone(),
        layout: args.layout.clone(),
        roster: args.roster.clone(),
        tests: results.test.clone(),
        pattern: results.pattern.clone(),
        output_validator: args.how.hand.checker.output_validator(&workspace.start)?,
        language: args.how.hand.language.language(&workspace.languages)?,
        // The folder of parts is another than that of results.
        out: args.out.clone().filter(|_| args.part.shard.is_none()),
        feedback: results.report.feedback(),
        for_one_student: results.report.is_for_one_student(),
        look: options.look(),
        options: args.how.again(),
    };
    let judging = programs::prepare(workspace, &request)?;
    let class = judging.class;
    let options = TerminalOptions { class, ..options };
    let background = || background_of(&judging.session);
    let workspace = judging.session.workspace.clone();
    let mut reporters = results.report.reporters(&workspace, options.clone(), &background)?;
    let view = results.live.add_to(&mut reporters, &workspace, &results.report, background)?;
    reporters.extend(judging.writer.map(|writer| Box::new(writer) as _));
    if let (Some(shard), Some(dir)) = (args.part.shard, &args.out) {
        let status = run_part(judging.session, shard, dir, plan.as_ref(), reporters, options.verbosity)?;
        view::stay(view, &workspace)?;
        return Ok(status);
    }
    let is_shown = class && options.verbosity >= 0;
    // Listed before this run is one of them.
    let earlier = EarlierRuns::new(&workspace.settings.store_dir(), None);
    let RunEnd { report, signal } = judging.session.conduct(reporters)?;
    if let (Some(_), Some(followed)) = (signal, followed) {
        followed.leave()?;
    }
    let mut out = results.report.output();
    let table = ClassTable { report: &report, options: &options, files: results.report.gradebooks(), earlier };
    if is_shown {
        class_table::show(&mut *out, &table, args.sort.into())?;
    }
    if options.verbosity >= 0 {
        class_table::show_identical(&mut *out, &judging.identical, &table)?;
    }
    if class {
        class_table::show_sum(&mut *out, &table, judging.recalled)?;
        if let Some(file) = judging.moodle_feedback.filter(|_| options.verbosity >= 0 && !report.interrupted) {
            writeln!(out, "feedback for Moodle: {}", quote_path(&file.display().to_string()))?;
        }
    }
    drop(out);
    view::stay(view, &workspace)?;
    Ok(status_of_judging(&report, signal, results.exit_zero))
}
