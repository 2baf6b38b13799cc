//! `grader stress`: tries random inputs until submissions differ from the reference, then shrinks these inputs.

mod show;
mod slowest;

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Result, bail};
use clap::Args;

use super::arguments::{HandArgs, LookArgs, ReferenceArgs, open, parse_time, terminal_options};
use crate::authoring::random_inputs::random_inputs;
use crate::authoring::reference::{remedy, with_reference};
use crate::authoring::search::{Bounds, Search, SearchEnd as HuntEnded};
use crate::authoring::trial::Trial;
use crate::cli::exit::{ExitStatus, for_each};
use crate::diagnostic::Diagnostic;
use crate::plan::PlannedProblem;
use crate::problem::{Problem, Submission};
use crate::session::authored::{choose_for_trials, older_form};
use crate::session::derived_limits::time_limit_of;
use crate::session::select::{Choice, ChosenPlan, Programs};
use crate::session::slot::by_hand;
use crate::workspace::Workspace;
use crate::workspace::ending::EarlyEnd;
use show::Show;

/// How long to search without `--seconds` and `--count`.
const SECONDS: u64 = 30;

/// Runs submissions on random inputs until they differ from the reference, and shrinks these inputs
#[derive(Debug, Args)]
#[command(
    after_help = "Selections work as for `grader run`; grader searches for each selected problem in turn. Inputs come from the problem's generators. grader shrinks the first input that the submission \
    fails. The smaller input must pass the input validators, and the submission must fail on it in the same way. \
    Several commands share the time; with --count they take turns.\n\n\
    With --slowest, no output is compared. An input is slower than the suite if a submission takes at least 5 % of its \
    time limit longer on it than on every case.\n\n\
    Exit status: 0 no difference found, 1 a difference found (with --wrong: 0 every wrong submission fails on some \
    input, 1 not every one; with --slowest: 1 an input is slower than the suite), 2 usage or problem error, a generator or the reference fails, 3 a validator or checker is \
    broken, 129/130/143 interrupted."
)]
pub(super) struct StressArgs {
    /// Problems, globs or paths, also of a program; or one problem and then its submission
    selection: Vec<String>,
    /// Try this submission of each problem: a name, a path below `submissions/`, a glob, or the path of any program
    #[arg(short, long, value_name = "NAME")]
    submission: Option<String>,
    /// Try all submissions that are not labelled as accepted at once, each until it fails
    #[arg(long, conflicts_with = "submission")]
    wrong: bool,
    /// Keep the inputs on which submissions take longest: those labelled as accepted, and those labelled as slow
    #[arg(long, conflicts_with_all = ["wrong", "no_shrink", "reference"])]
    slowest: bool,
    /// Generate inputs with this command, which includes `{seed}`; repeatable [default: `random_input` of problem.toml, else the commands with `{seed}` in generators.yaml; in a plain folder a program such as gen.py]
    #[arg(long = "gen", value_name = "COMMAND")]
    generator: Vec<String>,
    /// Search for this long, such as `90s` [default: 30s; no limit with --count]
    #[arg(long, value_name = "TIME", value_parser = parse_time, allow_hyphen_values = true)]
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

/// Searches for a difference in each problem and returns the worst exit status.
pub(super) fn run(args: &StressArgs) -> Result<ExitStatus> {
    let workspace = open(args.look.add_to(args.how.options()))?.for_own_programs();
    for_each(subjects(&workspace, args)?, |subject| {
        if args.slowest { slowest::search(args, &workspace, &subject) } else { search(args, &workspace, subject) }
    })
}

/// A problem, and the submissions to try.
struct Subject {
    problem: Arc<Problem>,
    submissions: Vec<Submission>,
}

fn search(args: &StressArgs, workspace: &Workspace, subject: Subject) -> Result<ExitStatus> {
    let Subject { problem, submissions } = subject;
    let problem = time_limit_of(workspace, &problem)?;
    let problem = with_reference(problem, args.reference.reference.as_deref())?;
    let Some(reference) = problem.reference() else {
        bail!("{} has no {} to compare with\n  → {}", problem.id, problem.reference_word(), remedy(&problem));
    };
    if let Some(same) = submissions.iter().find(|submission| submission.program == reference.program) {
        let remedy = if problem.is_reference_guessed() {
            "write a brute force beside it, such as brute.py, or name a program that is right: --reference"
        } else {
            "name another submission"
        };
        bail!("{} is the {} itself\n  → {remedy}", same.id, problem.reference_word());
    }
    let (generators, commands) = random_inputs(workspace, &problem, &args.generator, "gen --size 5 {seed}")?;
    let seed = args.seed.unwrap_or_else(any_seed);
    let bounds = Bounds {
        time: args.seconds.or(if args.count.is_some() { None } else { Some(Duration::from_secs(SECONDS)) }),
        count: args.count,
        shrink: !args.no_shrink,
    };
    let show = Show {
        workspace,
        options: terminal_options(workspace, i8::try_from(args.verbose).unwrap_or(i8::MAX)),
        problem: &problem,
        args,
    };
    let result = by_hand(workspace, [&*problem.dir], |bench| {
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
        Ok(SearchSummary { all: search.left.is_empty(), offered })
    })?;
    if args.wrong {
        return Ok(if result.all { ExitStatus::Success } else { ExitStatus::Unexpected });
    }
    show::offer(&result.offered)?;
    Ok(if result.all { ExitStatus::Unexpected } else { ExitStatus::Success })
}

/// The summary of a search.
struct SearchSummary {
    /// Whether every submission fails on some input.
    all: bool,
    /// The words of the command that adds the last input.
    offered: Vec<String>,
}

/// The selected problems, each with the selected submission or its wrong ones.
fn subjects(workspace: &Workspace, args: &StressArgs) -> Result<Vec<Subject>> {
    let (selection, submissions) = match older_form(workspace, &args.selection) {
        Some((_, words)) if args.wrong => bail!("`--wrong` cannot be used with a submission (`{}`)", words[0]),
        Some((problem, words)) => (vec![problem.clone()], words.to_vec()),
        None => (args.selection.clone(), Vec::new()),
    };
    let submissions: Vec<String> = submissions.into_iter().chain(args.submission.clone()).collect();
    let output_validator = args.how.checker.output_validator(&workspace.start)?;
    let language = args.how.language.language(&workspace.languages)?;
    let choice = Choice {
        submissions: &submissions,
        output_validator,
        ..Choice::problems(workspace, &selection, Programs::Run(language.as_deref()))
    };
    let ChosenPlan { plan, found } = choose_for_trials(workspace, &choice)?;
    workspace.tell_found(&found);
    if plan.problems.is_empty() || found.iter().any(Diagnostic::is_error) {
        return Err(EarlyEnd::Refused.into());
    }
    let of_problem = |planned: &PlannedProblem| {
        let all = plan.submissions[planned.submissions.clone()].iter().map(|submission| &submission.submission);
        let submissions = match (args.slowest, args.wrong) {
            (true, _) => slowest::timed(&planned.problem, all, !submissions.is_empty())?,
            (false, true) => wrong(&planned.problem, all)?,
            (false, false) => one(&planned.problem, all)?,
        };
        Ok(Subject { problem: Arc::clone(&planned.problem), submissions })
    };
    plan.problems.iter().map(of_problem).collect()
}

/// The submissions that are not labelled as accepted.
fn wrong<'a>(problem: &Problem, all: impl Iterator<Item = &'a Submission>) -> Result<Vec<Submission>> {
    let is_wrong =
        |submission: &&Submission| !submission.expectation.wants_all_accepted() && !submission.program.is_outputs();
    let wrong: Vec<Submission> = all.filter(is_wrong).cloned().collect();
    if wrong.is_empty() {
        bail!(
            "{} has no submission that is labelled as wrong\n  → write one, for example in submissions/wrong_answer/",
            problem.id
        );
    }
    Ok(wrong)
}

/// The one submission that is selected.
fn one<'a>(problem: &Problem, selected: impl Iterator<Item = &'a Submission>) -> Result<Vec<Submission>> {
    let selected: Vec<Submission> = selected.cloned().collect();
    if selected.len() != 1 {
        let names: Vec<&str> = selected.iter().map(|submission| submission.id.as_str()).collect();
        bail!(
            "{} submissions of {} are selected ({})\n  → name one: -s NAME, or try all wrong ones: --wrong",
            selected.len(),
            problem.id,
            names.join(", ")
        );
    }
    Ok(selected)
}

/// A seed that differs between calls and is short enough to type.
fn any_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::from(now.subsec_nanos()) ^ (now.as_secs() & 0xffff)
}
