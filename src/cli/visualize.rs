//! `grader visualize`: pictures and pages of test cases and outputs.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};
use clap::Args;

use super::arguments::{Color, HandArgs, ReferenceArgs, open, paint};
use super::exit::ExitStatus;
use super::output::{clean, print};
use crate::authoring::random_inputs::{random_input, random_inputs};
use crate::authoring::reference::with_reference;
use crate::config::Options;
use crate::engine::bench::Bench;
use crate::plan::PlannedProblem;
use crate::problem::{Problem, Submission};
use crate::report::text::{Line, Paint, Style, count, quote};
use crate::sandbox::Isolation;
use crate::session::archives::take_out_answers;
use crate::session::derived_limits::time_limit_of;
use crate::session::select::{Choice, ChosenPlan, Programs, choose, one_problem};
use crate::session::slot::by_hand;
use crate::verdict::Verdict;
use crate::visualize::subjects::{Subjects, subjects};
use crate::visualize::{Drawing, Easel, NoPicture, Scene, illustration_of};
use crate::workspace::Workspace;
use crate::workspace::ending::EarlyEnd;

/// The most bytes of an input from outside.
const MOST: u64 = 64 << 20;

/// Draws test cases, or what submissions print, with the problem's visualisers
#[derive(Debug, Args)]
#[command(
    after_help = "The programs in input_visualizer/ and output_visualizer/ draw (docs/visualizers.md). They run in the \
    sandbox, and no verdict depends on them.\n\nExit status: 0 everything drawn, 1 something has no picture, 2 usage or problem error, a visualiser \
    does not compile, 3 a validator or checker is broken, 129/130/143 interrupted."
)]
pub(super) struct VisualizeArgs {
    /// Problem name or folder
    problem: String,
    /// Draw only these tests: a name, a group, a prefix or a glob
    tests: Vec<String>,
    /// Run these submissions and draw what they print: a name, a glob, or the path of any program; repeatable
    #[arg(short, long = "submission", value_name = "SUBMISSION")]
    submissions: Vec<String>,
    /// Write the files into this folder [default: .grader/pictures/PROBLEM]
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Draw a random input with this seed instead of tests
    #[arg(long, value_name = "SEED")]
    deal: Option<u32>,
    /// With --deal: make the input by this command, which includes `{seed}` [default: `random_input` of problem.toml, else the first command with `{seed}` in generators.yaml]
    #[arg(long = "gen", value_name = "COMMAND", requires = "deal")]
    generator: Option<String>,
    /// Draw the input in this file instead of tests; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "deal")]
    input: Option<PathBuf>,
    /// Arguments of the visualiser, instead of those that the tests state
    #[arg(last = true, value_name = "ARGUMENT")]
    arguments: Vec<String>,
    #[command(flatten, next_help_heading = "Execution options")]
    reference: ReferenceArgs,
    #[command(flatten, next_help_heading = "Execution options")]
    how: HandArgs,
    /// Choose when to use colour
    #[arg(long, value_name = "WHEN", value_enum, help_heading = "Display options")]
    color: Option<Color>,
}

/// Draws everything and returns the exit status.
pub(super) fn run(args: &VisualizeArgs) -> Result<ExitStatus> {
    let workspace = open(Options { color: args.color.map(Into::into), ..args.how.options() })?;
    let own = args.deal.map(|_| "--deal").or(args.input.as_ref().map(|_| "--input"));
    if let (Some(option), [test, ..]) = (own, &args.tests[..]) {
        bail!("{option} draws one input, and no test\n  → leave out {}", quote(test));
    }
    let language = args.how.language.language(&workspace.languages)?;
    let scratch = tempfile::tempdir().context("cannot create a temporary directory")?;
    let SelectedProblem { planned, submissions } =
        SelectedProblem::of(&workspace, args, language.as_deref(), scratch.path())?;
    let problem = with_reference(Arc::clone(&planned.problem), args.reference.reference.as_deref())?;
    let cases = || planned.each_test().filter_map(|at| planned.test(at)?.case());
    let out = match &args.out {
        Some(out) => workspace.start.join(out),
        None => workspace.settings.store_dir().join("pictures").join(problem.slug()),
    };
    let mut show = Show {
        start: &workspace.start,
        out,
        paint: paint(&workspace),
        drawn: 0,
        missing: 0,
        isolation: Isolation::None,
    };
    let is_illustrated = cases().any(|(group, case)| illustration_of(group, case).is_some());
    let subjects = subjects(&problem, submissions, is_illustrated)?;
    by_hand(&workspace, [&*problem.dir], |bench| {
        show.isolation = bench.resources.isolation;
        let own = own_input(args, &workspace, &problem, bench)?;
        let arguments = (!args.arguments.is_empty()).then_some(&args.arguments[..]);
        let mut easel = Easel::new(bench, &problem, arguments);
        let scenes: Vec<Scene<'_>> = match &own {
            None => cases().map(|(group, case)| Scene::of_case(group, case)).collect(),
            Some((name, bytes)) => {
                let own = (name.clone(), &bytes[..]);
                let listener = workspace.listener();
                let reference = problem.reference();
                vec![easel.scene_of(&problem, reference, own, scratch.path(), &*listener)?]
            }
        };
        match &subjects {
            Subjects::Cases => scenes.iter().try_for_each(|scene| {
                let drawing = easel.case(scene)?.drawing();
                show.tell("", &scene.name, None, drawing)
            }),
            Subjects::Outputs(submissions) => submissions.iter().try_for_each(|submission| {
                scenes.iter().try_for_each(|scene| {
                    let (verdict, drawing) = easel.output(scene, submission, language.as_deref())?;
                    show.tell(submission.id.as_str(), &scene.name, Some(verdict), drawing)
                })
            }),
        }
    })?;
    show.summary(problem.id.as_str())
}

/// The problem with the selected tests, and the submissions that were named.
struct SelectedProblem {
    planned: PlannedProblem,
    submissions: Vec<Submission>,
}

impl SelectedProblem {
    /// `scratch`: for outputs from archives.
    fn of(workspace: &Workspace, args: &VisualizeArgs, language: Option<&str>, scratch: &Path) -> Result<Self> {
        one_problem(workspace, &args.problem)?;
        let selection = [args.problem.clone()];
        let choice = Choice {
            submissions: &args.submissions,
            tests: &args.tests,
            output_validator: args.how.checker.output_validator(&workspace.start)?,
            ..Choice::problems(workspace, &selection, Programs::Run(language))
        };
        let ChosenPlan { plan, .. } = choose(workspace, &choice)?;
        let mut plan = Arc::new(plan);
        take_out_answers(&mut plan, scratch)?;
        let plan = Arc::unwrap_or_clone(plan);
        let named = plan.submissions.into_iter().filter(|_| !args.submissions.is_empty());
        let submissions = named.map(|submission| submission.submission).collect();
        let Some(planned) = plan.problems.into_iter().next() else { return Err(EarlyEnd::Refused.into()) };
        let problem = time_limit_of(workspace, &planned.problem)?;
        Ok(Self { planned: PlannedProblem { problem, ..planned }, submissions })
    }
}

/// The input that the arguments name or make, with a name for its files.
fn own_input(
    args: &VisualizeArgs,
    workspace: &Workspace,
    problem: &Problem,
    bench: &mut Bench<'_>,
) -> Result<Option<(String, Vec<u8>)>> {
    if let Some(seed) = args.deal {
        let typed: Vec<String> = args.generator.iter().cloned().collect();
        let (generators, commands) = random_inputs(workspace, problem, &typed, "gen {seed}")?;
        let Some(command) = commands.first() else { bail!("no command makes random inputs") };
        let input = random_input(bench, &generators, command, seed)?;
        return Ok(Some((format!("deal-{seed}"), input)));
    }
    let Some(file) = &args.input else { return Ok(None) };
    let (name, from): (String, Box<dyn io::Read>) = if file == Path::new("-") {
        ("input".to_owned(), Box::new(io::stdin()))
    } else {
        let path = workspace.start.join(file);
        let opened = File::open(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        (stem, Box::new(opened))
    };
    let mut bytes = Vec::new();
    from.take(MOST + 1).read_to_end(&mut bytes).with_context(|| format!("cannot read {}", file.display()))?;
    if bytes.len() as u64 > MOST {
        bail!("{}: larger than {} MiB", file.display(), MOST >> 20);
    }
    Ok(Some((name, bytes)))
}

/// Prints what was drawn, and writes the files.
struct Show<'a> {
    start: &'a Path,
    out: PathBuf,
    paint: Paint,
    drawn: usize,
    missing: usize,
    isolation: Isolation,
}

impl Show<'_> {
    /// Saves one drawing. `submission` is empty for a test case.
    fn tell(
        &mut self,
        submission: &str,
        test: &str,
        verdict: Option<Verdict>,
        drawing: Result<Drawing, NoPicture>,
    ) -> Result<()> {
        let what = [submission, test].into_iter().filter(|name| !name.is_empty()).map(clean);
        let what = what.collect::<Vec<_>>().join(" ");
        let lines = match drawing {
            Ok(drawing) => {
                self.drawn += 1;
                let saved = drawing.save(&self.out, &format!("{submission}/{test}"))?;
                let shown =
                    saved.iter().map(|path| path.strip_prefix(self.start).unwrap_or(path).display().to_string());
                let shown = clean(&shown.collect::<Vec<_>>().join(" "));
                let verdict = verdict.map(|verdict| format!("  {verdict}")).unwrap_or_default();
                let line = Line::new().with("✓ ", Style::GOOD).with(&what, Style::PLAIN).with(&verdict, Style::PLAIN);
                vec![line.with(&format!("  {shown}"), Style::STRONG)]
            }
            Err(NoPicture::Cancelled) => return Err(EarlyEnd::JudgeError.into()),
            Err(NoPicture::Overdue(why) | NoPicture::Failed(why)) => {
                self.missing += 1;
                let mut why = why.lines().map(clean);
                let line = Line::new().with("✗ ", Style::BAD).with(&what, Style::PLAIN);
                let first = format!("  no picture: {}", why.next().unwrap_or_default());
                let rest = why.map(|line| Line::new().with(&format!("    {line}"), Style::FAINT));
                [line.with(&first, Style::NOTICE)].into_iter().chain(rest).collect()
            }
        };
        print(&lines, self.paint)
    }

    fn summary(&self, problem: &str) -> Result<ExitStatus> {
        let drawn = count(self.drawn, "drawing");
        let missing = match self.missing {
            0 => String::new(),
            missing => format!(", {missing} without a picture"),
        };
        let (mark, style) = if self.missing == 0 { ("✓ ", Style::GOOD) } else { ("✗ ", Style::BAD) };
        let line = Line::new().with(mark, style).with(&clean(problem), Style::STRONG);
        let isolation = format!(" · isolation: {}", self.isolation.name());
        let line = line.with(&format!(": {drawn}{missing}"), Style::PLAIN).with(&isolation, Style::FAINT);
        print(&[line], self.paint)?;
        Ok(if self.missing == 0 { ExitStatus::Success } else { ExitStatus::Unexpected })
    }
}
