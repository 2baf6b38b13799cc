//! `grader stress`: tries random inputs until submissions differ from the reference, then shrinks these inputs.

mod show;

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Result, bail};
use clap::Args;

use super::arguments::{HandArgs, LookArgs, ReferenceArgs, open, parse_time, terminal_options};
use crate::authoring::random_inputs::random_inputs;
use crate::authoring::reference::{remedy, with_reference};
use crate::authoring::search::{Bounds, Ended as HuntEnded, Search};
use crate::authoring::trial::Trial;
use crate::cli::exit::ExitStatus;
use crate::problem::{Problem, Submission};
use crate::session::derived_limits::time_limit_of;
use crate::session::select::{Choice, Chosen, Programs, choose, one_problem};
use crate::session::slot::by_hand;
use crate::workspace::Workspace;
use crate::workspace::ending::Ended;
use show::Show;

/// How long to search without `--seconds` and `--count`.
const SECONDS: u64 = 30;

/// Runs submissions on random inputs until they differ from the reference, and shrinks these inputs
#[derive(Debug, Args)]
#[command(
    after_help = "Inputs come from the problem's generators. grader shrinks the first input that the submission \
    fails. The smaller input must pass the input validators, and the submission must fail on it in the same way. \
    Several commands share the time; with --count they take turns.\n\n\
    Exit status: 0 no difference found, 1 a difference found (with --wrong: 0 every wrong submission fails on some \
    input, 1 not every one), 2 usage or problem error, a generator or the reference fails, 3 a validator or checker is \
    broken, 129/130/143 interrupted."
)]
pub(super) struct StressArgs {
    /// Problem name or folder
    problem: String,
    /// Submission: its path below submissions/, its name if only one has it, or the path of any program
    #[arg(required_unless_present = "wrong")]
    submission: Option<String>,
    /// Try all submissions that are not labelled as accepted at once, each until it fails
    #[arg(long, conflicts_with = "submission")]
    wrong: bool,
    /// Generate inputs with this command, which includes `{seed}`; repeatable [default: `random_input` of problem.toml, else the commands with `{seed}` in generators.yaml]
    #[arg(long = "gen", value_name = "COMMAND")]
    generator: Vec<String>,
    /// Search for this long, such as `90s` [default: 30s; no limit with --count]
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    seconds: Option<Duration>,
    /// Try at most N inputs
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    count: Option<u64>,
    /// Start at this seed instead of a random one; the same seed tries the same inputs
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Show the input without shrinking it
    #[arg(long)]
    no_shrink: bool,
    #[command(flatten, next_help_heading = "Execution options")]
    reference: ReferenceArgs,
    #[command(flatten, next_help_heading = "Execution options")]
    how: HandArgs,
    #[command(flatten, next_help_heading = "Display options")]
    look: LookArgs,
    /// Show more of the input and the output
    #[arg(short, long, action = clap::ArgAction::Count, help_heading = "Display options")]
    verbose: u8,
}

/// Searches for a difference and returns the exit status.
pub(super) fn run(args: &StressArgs) -> Result<ExitStatus> {
    let workspace = open(args.look.add_to(args.how.options()))?;
    let (problem, submissions) = meant(&workspace, args)?;
    let problem = with_reference(problem, args.reference.reference.as_deref())?;
    let Some(reference) = problem.reference.and_then(|at| problem.submissions.get(at)) else {
        bail!("{} has no {} to compare with\n  → {}", problem.id, problem.reference_word(), remedy(&problem));
    };
    if let Some(same) = submissions.iter().find(|submission| submission.program == reference.program) {
        bail!(
            "{} is the {} itself
  → name another submission",
            same.id,
            problem.reference_word()
        );
    }
    let (generators, commands) = random_inputs(&workspace, &problem, &args.generator, "gen --size 5 {seed}")?;
    let seed = args.seed.unwrap_or_else(any_seed);
    let bounds = Bounds {
        time: args.seconds.or(if args.count.is_some() { None } else { Some(Duration::from_secs(SECONDS)) }),
        count: args.count,
        shrink: !args.no_shrink,
    };
    let show = Show {
        workspace: &workspace,
        options: terminal_options(&workspace, i8::try_from(args.verbose).unwrap_or(i8::MAX)),
        problem: &problem,
        args,
    };
    let result = by_hand(&workspace, [&*problem.dir], |bench| {
        let language = args.how.language.language(&workspace.languages)?;
        let trial = Trial::new(bench, &problem, reference, &submissions, language.as_deref(), &*workspace.listener())?;
        show.head(reference, &submissions)?;
        let mut search = Search::new(bench, trial, &generators, &commands, seed, bounds, workspace.listener())?;
        let mut offered = Vec::new();
        loop {
            match &search.run() {
                HuntEnded::Found(found) => {
                    for found in found {
                        offered = show.found(&mut search, found, seed)?;
                    }
                }
                HuntEnded::Nothing => break,
                HuntEnded::Failed(failed) => {
                    show.failed(&search, failed);
                    return Err(failed.ended().into());
                }
            }
        }
        show.end(&search, seed)?;
        Ok(Shown { all: search.left.is_empty(), offered })
    })?;
    if args.wrong {
        return Ok(if result.all { ExitStatus::Success } else { ExitStatus::Unexpected });
    }
    show::offer(&result.offered)?;
    Ok(if result.all { ExitStatus::Unexpected } else { ExitStatus::Success })
}

/// What a search has shown.
struct Shown {
    /// Whether every submission fails on some input.
    all: bool,
    /// The words of the command that adds the last input.
    offered: Vec<String>,
}

/// The selected problem and submissions.
fn meant(workspace: &Workspace, args: &StressArgs) -> Result<(Arc<Problem>, Vec<Submission>)> {
    let problem = one_problem(workspace, &args.problem)?;
    let selection = [args.problem.clone()];
    let submissions: Vec<String> = args.submission.iter().cloned().collect();
    let output_validator = args.how.checker.output_validator(&workspace.start)?;
    let language = args.how.language.language(&workspace.languages)?;
    let (tests, command) = (&[], None);
    let choice = Choice {
        start: &workspace.start,
        selection: &selection,
        submissions: &submissions,
        tests,
        command,
        output_validator,
        programs: Programs::Run(language.as_deref()),
    };
    let Chosen { plan, found } = choose(&workspace.settings, &workspace.languages, &choice)?;
    match (&*plan.problems, &*plan.runs) {
        ([planned], runs) if args.wrong => {
            let is_program = |submission: &Submission| !submission.program.is_outputs();
            let runs = runs.iter().map(|run| &run.submission);
            let wrong = runs.filter(|run| !run.expectation.wants_all_accepted() && is_program(run));
            let wrong: Vec<Submission> = wrong.cloned().collect();
            if wrong.is_empty() {
                bail!(
                    "{} has no submission that is labelled as wrong\n  → write one, for example in \
                     submissions/wrong_answer/",
                    problem.id
                );
            }
            Ok((time_limit_of(workspace, &planned.problem)?, wrong))
        }
        ([planned], [run]) => Ok((time_limit_of(workspace, &planned.problem)?, vec![run.submission.clone()])),
        (_, []) => {
            workspace.tell_found(&found);
            Err(Ended::Refused.into())
        }
        (_, several) => {
            let names: Vec<&str> = several.iter().map(|run| run.submission.id.as_str()).collect();
            bail!(
                "`{}` matches {} submissions of {} ({})\n  → name one",
                args.submission.as_deref().unwrap_or_default(),
                several.len(),
                problem.id,
                names.join(", ")
            )
        }
    }
}

/// A seed that differs between calls and is short enough to type.
fn any_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::from(now.subsec_nanos()) ^ (now.as_secs() & 0xffff)
}
