//! `grader strength`: shows how many mutants of the accepted submissions the cases of a problem kill.

mod show;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use clap::Args;

use super::arguments::{AloneArgs, EngineArgs, open, paint, parse_time, read_jobs};
use super::exit::{ExitStatus, for_each};
use super::output::{Format, OutputArgs, print, print_json};
use crate::authoring::add::{AddRequest, add};
use crate::authoring::answers::Accept;
use crate::authoring::case_editor::{CaseEditor, Changeable};
use crate::config::{Jobs, Options};
use crate::diagnostic::Diagnostic;
use crate::mutation::pool::judge_pool;
use crate::mutation::{Effort, keep_inputs, strength};
use crate::problem::{Problem, ProblemId};
use crate::session::select::{Choice, ChosenPlan, Programs, choose};
use crate::shard::Shard;
use crate::strength::parts::joined;
use crate::strength::{Strength, page};
use crate::workspace::Workspace;
use crate::workspace::ending::EarlyEnd;

/// How long to try without `--seconds`.
const SECONDS: u64 = 120;
/// The heading of the options for several machines.
const HEADING: &str = "Options for several machines";
/// On so many inputs a survivor must agree with its original, to be equivalent by evidence.
const INPUTS: u64 = 200;

/// Tests the test cases: makes wrong programs out of the accepted submissions, and shows those that no case fails
#[derive(Debug, Args)]
#[command(
    after_help = "A mutant is an accepted submission with one small mistake, such as `<` for `<=`. grader judges mutants \
    until the first case that they fail. For the survivors it looks for inputs on which they differ from the reference: by \
    the problem's generators, and, if there is an input validator, by commands like those of generators.yaml and by changes \
    of the cases. A survivor that agrees on \
    all of them is equivalent by evidence, and does not count. The same mutants come first each time; what is known is \
    not judged again. docs/strength.md lists the mistakes.\n\n\
    Exit status: 0 done, 1 below --min-strength, 2 usage or problem error, a submission that should be accepted is not, \
    3 a validator or checker is broken, 129/130/143 interrupted."
)]
pub(super) struct StrengthArgs {
    /// Problems, globs or paths
    selection: Vec<String>,
    /// Spend this long on each problem, such as `90s` [default: 120s]
    #[arg(long, value_name = "TIME", value_parser = parse_time, allow_hyphen_values = true)]
    seconds: Option<Duration>,
    /// Try at most N mutants
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    mutants: Option<u32>,
    /// Choose other mutants and inputs first
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Call a survivor equivalent if it agrees with the reference on N inputs
    #[arg(long, value_name = "N", default_value_t = INPUTS, value_parser = clap::value_parser!(u64).range(1..))]
    inputs: u64,
    /// Generate inputs with this command, which includes `{seed}`; repeatable [default: as for `grader stress`]
    #[arg(long = "gen", value_name = "COMMAND")]
    generator: Vec<String>,
    /// Run every case on every mutant, to know all that each case kills
    #[arg(short, long)]
    all_tests: bool,
    /// Add an input for each survivor to the problem; one input may do for several
    #[arg(long)]
    add: bool,
    /// Add them to this group [default: secret]
    #[arg(long, value_name = "GROUP", requires = "add")]
    group: Option<String>,
    /// Judge these programs in place of mutants; the cases should accept them: files, folders, archives, or JSON Lines with `source` and `language`
    #[arg(long, value_name = "PATH", num_args = 1.., conflicts_with_all = ["add", "mutants", "generator"])]
    accepted: Vec<PathBuf>,
    /// Judge these programs in place of mutants; the cases should reject them
    #[arg(long, value_name = "PATH", num_args = 1.., conflicts_with_all = ["add", "mutants", "generator"])]
    wrong: Vec<PathBuf>,
    /// Exit with status 1 if the strength of a problem is below this share, 0 to 1
    #[arg(long, value_name = "SHARE", value_parser = share)]
    min_strength: Option<f64>,
    /// Run N programs at once [default: one per physical core, minus one if there are more than two]
    #[arg(short, long, value_name = "N", value_parser = read_jobs)]
    jobs: Option<Jobs>,
    #[command(flatten)]
    output: OutputArgs,
    /// Show every survivor
    #[arg(short, long)]
    verbose: bool,
    #[command(flatten, next_help_heading = "Execution options")]
    alone: AloneArgs,
    /// Try only part I of N (from 0) of the mutants; `--merge` joins the results of `--format json`
    #[arg(long, value_name = "I/N", help_heading = HEADING, conflicts_with_all = ["accepted", "wrong"])]
    #[cfg_attr(feature = "nats", arg(conflicts_with = "engine"))]
    shard: Option<Shard>,
    /// Join the results of parts, and show them as one
    #[arg(long, value_name = "FILE", help_heading = HEADING, num_args = 1.., conflicts_with_all = ["selection", "accepted", "wrong", "add", "shard"])]
    merge: Vec<PathBuf>,
    #[command(flatten, next_help_heading = HEADING)]
    engine: EngineArgs,
}

/// Parses a share.
fn share(text: &str) -> Result<f64> {
    match text.parse() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => bail!("`{text}` is not a number from 0 to 1"),
    }
}

/// Tries the selected problems in turn. Returns the worst exit status.
pub(super) fn run(args: &StrengthArgs) -> Result<ExitStatus> {
    let options = Options { jobs: args.jobs, ..args.output.add_to(args.alone.options()) };
    let workspace = open(options)?;
    let (workspace, _) = args.engine.apply_to(workspace)?;
    if !args.accepted.is_empty() || !args.wrong.is_empty() {
        return pools(args, &workspace);
    }
    let report = args.output.report(&workspace)?;
    let mut found = Vec::new();
    let status = if args.merge.is_empty() {
        let problems = problems(&workspace, &args.selection)?;
        for_each(problems, |problem| one(args, &workspace, &problem, &mut found))?
    } else {
        found = joined(parts(&args.merge)?)?;
        for one in &mut found {
            keep_inputs(&workspace, &ProblemId::from(one.problem.as_str()), &mut one.mutants)?;
        }
        for_each(found.iter().collect(), |found| shown(args, &workspace, found))?
    };
    if args.output.format == Format::Json {
        print_json(&found.iter().map(show::document).collect::<Vec<_>>())?;
    }
    if let Some(target) = report {
        target.put(page::of(&found)?.as_bytes())?;
    }
    Ok(status)
}

/// Reads the results of parts.
fn parts(files: &[PathBuf]) -> Result<Vec<Strength>> {
    let read = |file: &PathBuf| -> Result<Vec<Strength>> {
        let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        let remedy = "name files that `grader strength --shard I/N --format json` has written";
        show::results(&text).with_context(|| format!("{} is not the result of a part\n  → {remedy}", file.display()))
    };
    Ok(files.iter().map(read).collect::<Result<Vec<_>>>()?.concat())
}

/// Judges pools of labelled programs.
fn pools(args: &StrengthArgs, workspace: &Workspace) -> Result<ExitStatus> {
    let [problem] = &args.selection[..] else {
        bail!("`--accepted` and `--wrong` are about one problem: grader strength PROBLEM --wrong DIR");
    };
    let mut pools = Vec::new();
    for (places, should_pass) in [(&args.accepted, true), (&args.wrong, false)] {
        if !places.is_empty() {
            pools.push(judge_pool(workspace, problem, places, should_pass, args.all_tests)?);
        }
    }
    match args.output.format {
        Format::Text => print(&show::pools(problem, &pools, args.verbose), paint(workspace))?,
        Format::Json => print_json(&show::pool_document(&pools))?,
    }
    let rates = pools.iter().map(|pool| pool.rate().map_or(0.0, |(rate, _)| rate));
    let is_below = args.min_strength.is_some_and(|least| rates.into_iter().any(|rate| rate < least));
    Ok(if is_below { ExitStatus::Unexpected } else { ExitStatus::Success })
}

/// The selected problems.
fn problems(workspace: &Workspace, selection: &[String]) -> Result<Vec<Arc<Problem>>> {
    let choice = Choice::problems(workspace, selection, Programs::Refused);
    let ChosenPlan { plan, found } = choose(workspace, &choice)?;
    workspace.tell_found(&found);
    if plan.problems.is_empty() || found.iter().any(Diagnostic::is_error) {
        return Err(EarlyEnd::Refused.into());
    }
    Ok(plan.problems.iter().map(|planned| Arc::clone(&planned.problem)).collect())
}

fn one(
    args: &StrengthArgs,
    workspace: &Workspace,
    problem: &Arc<Problem>,
    all: &mut Vec<Strength>,
) -> Result<ExitStatus> {
    let effort = Effort {
        time: args.seconds.unwrap_or(Duration::from_secs(SECONDS)),
        mutants: args.mutants.map(|most| most as usize),
        seed: args.seed,
        part: args.shard,
        all_tests: args.all_tests,
        inputs: args.inputs,
        generators: args.generator.clone(),
    };
    let found = strength(workspace, problem, &effort)?;
    let status = shown(args, workspace, &found)?;
    if args.add {
        for file in show::to_add(&found) {
            added(args, workspace, problem, &file)?;
        }
    }
    all.push(found);
    Ok(status)
}

/// Shows the result of one problem.
fn shown(args: &StrengthArgs, workspace: &Workspace, found: &Strength) -> Result<ExitStatus> {
    if args.output.format == Format::Text {
        print(&show::lines(found, args.verbose, args.add), paint(workspace))?;
    }
    let is_below = match (args.min_strength, found.figures().strength()) {
        (Some(least), Some(strength)) => strength < least,
        // Nothing is known, which is not enough.
        (Some(_), None) => true,
        (None, _) => false,
    };
    Ok(if is_below { ExitStatus::Unexpected } else { ExitStatus::Success })
}

/// Adds one input as a case.
fn added(
    args: &StrengthArgs,
    workspace: &Workspace,
    problem: &Arc<Problem>,
    (file, note): &(&Path, String),
) -> Result<()> {
    let word = problem.dir.display().to_string();
    let editor = CaseEditor::open(workspace, &word, Changeable::AnyNames)?;
    let request = AddRequest {
        files: vec![file.display().to_string()],
        group: args.group.clone(),
        note: Some(note.clone()),
        accept: Some(Accept::Reference),
        command: format!("grader strength {}", problem.id),
        ..AddRequest::default()
    };
    let added = add(workspace, editor, &request, None, &mut |_| Ok(()))
        .with_context(|| format!("cannot add {}", file.display()))?;
    if args.output.format == Format::Text {
        for placed in &added.placed {
            print(&[show::added(&placed.place.id(), note)], paint(workspace))?;
        }
    }
    Ok(())
}
