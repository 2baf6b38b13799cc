//! Draws the test cases of one problem, and the outputs of submissions for them, on one slot.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, bail};

use super::{Drawing, NoPicture, Subject, Visualizer, illustration_of};
use crate::authoring::programs::{Judges, Solver, SolverAnswer, rejection_words};
use crate::engine::bench::{Bench, Case, JudgedExecution};
use crate::judge::Response;
use crate::problem::{
    CaseInput, Problem, Program, Submission, SubmissionId, TestCase, TestGroup, TestId, VisualizerKind,
};
use crate::report::picture::Picture;
use crate::verdict::Verdict;
use crate::verify::validators::build_input_validators;
use crate::workspace::ending::{no_submission, not_judged};
use crate::workspace::listener::Listener;

/// A test case of a problem, or an input from outside the problem.
#[derive(Debug, Clone)]
pub(crate) struct Scene<'a> {
    /// The name of the case, or of the input.
    pub(crate) name: String,
    input: CaseInput<'a>,
    answer: Option<PathBuf>,
    /// Its group and itself; none for an input that is not a case.
    case: Option<(&'a TestGroup, &'a TestCase)>,
}

impl<'a> Scene<'a> {
    /// A test case.
    pub(crate) fn of_case(group: &'a TestGroup, case: &'a TestCase) -> Self {
        Self {
            name: group.id_of(case).as_str().to_owned(),
            input: group.case_input(case),
            answer: group.answer_of(case),
            case: Some((group, case)),
        }
    }

    /// The picture of the case in its package.
    pub(crate) fn illustration(&self) -> Option<Picture> {
        self.case.and_then(|(group, case)| illustration_of(group, case))
    }
}

/// The outcome of drawing with a visualiser that could be built.
pub(crate) enum CasePicture {
    Drawn(Drawing),
    Missing(NoPicture),
}

impl CasePicture {
    fn of(drawn: Result<Drawing, NoPicture>) -> Self {
        drawn.map_or_else(Self::Missing, Self::Drawn)
    }

    /// The drawing, or the reason why it is missing.
    pub(crate) fn drawing(self) -> Result<Drawing, NoPicture> {
        match self {
            Self::Drawn(drawing) => Ok(drawing),
            Self::Missing(why) => Err(why),
        }
    }
}

/// Draws on one slot.
pub(crate) struct Easel<'a, 'b> {
    bench: &'a mut Bench<'b>,
    problem: Arc<Problem>,
    /// Arguments of the visualisers instead of those that cases state.
    arguments: Option<&'a [String]>,
    judges: Option<Judges>,
    visualizers: [Option<Visualizer>; 2],
    /// The submission that ran last.
    solver: Option<(SubmissionId, Solver)>,
}

impl<'a, 'b> Easel<'a, 'b> {
    /// Creates an easel. It builds programs at their first use.
    pub(crate) fn new(bench: &'a mut Bench<'b>, problem: &Arc<Problem>, arguments: Option<&'a [String]>) -> Self {
        let problem = Arc::clone(problem);
        let visualizers = [None, None];
        Self { bench, problem, arguments, judges: None, visualizers, solver: None }
    }

    /// Makes an input outside the problem a scene: validates it, and computes its answer with the reference. Both files
    /// are in `dir`.
    ///
    /// # Errors
    /// A validator rejects the input, the reference fails on it, or a part of the judge fails.
    pub(crate) fn scene_of<'p>(
        &mut self,
        problem: &'p Problem,
        reference: Option<&Submission>,
        (name, bytes): (String, &[u8]),
        dir: &Path,
        listener: &dyn Listener,
    ) -> Result<Scene<'p>> {
        let is_secret = |group: &&TestGroup| &*group.name == "secret" || group.name.starts_with("secret/");
        let Some(group) = problem.groups.iter().find(is_secret).or_else(|| problem.groups.first()) else {
            bail!("{} has no test group whose settings hold for other inputs", problem.id);
        };
        let input = CaseInput { group, setting: group.setting(), path: dir.join("input") };
        fs::write(&input.path, bytes)?;
        for validator in build_input_validators(self.bench, problem, listener)? {
            let said = validator.check_once(self.bench, Some(&group.arguments), &input.path).map_err(not_judged)?;
            if let Response::Rejects(words) = said {
                bail!("{name} is not an input of {}: {words}", problem.id);
            }
        }
        let answer = dir.join("answer");
        match reference.filter(|_| !problem.kind.is_led_by_validator()) {
            None => fs::write(&answer, "")?,
            Some(reference) => {
                let solver = Solver::build_own(self.bench, problem, reference, None).map_err(no_submission)?;
                let (judges, bench) = self.judges()?;
                match judges.answer(bench, &solver, &input).map_err(not_judged)? {
                    SolverAnswer::Output { output, .. } => output.save(&answer)?,
                    SolverAnswer::Fails(rejection) => {
                        bail!(
                            "the {} {} fails on {name}: {}",
                            problem.reference_word(),
                            solver.name,
                            rejection_words(&rejection)
                        )
                    }
                }
            }
        }
        Ok(Scene { name, input, answer: Some(answer), case: None })
    }

    /// Draws a test case: with the input visualiser, or else by the illustration beside it.
    ///
    /// # Errors
    /// The visualiser cannot be built.
    pub(crate) fn case(&mut self, scene: &Scene<'_>) -> Result<CasePicture> {
        if self.problem.visualizers.input.is_none() {
            let drawing = scene.illustration().map(Drawing::of_illustration);
            let none = || NoPicture::Failed("the case has no illustration".to_owned());
            return Ok(CasePicture::of(drawing.ok_or_else(none)));
        }
        let case = self.bench.resources.case_of_output(&self.problem, scene.input.clone(), scene.answer.clone());
        let visualizer = built(&mut self.visualizers[0], self.bench, &self.problem, VisualizerKind::Input)?;
        let subject = Subject { problem: &self.problem.title, test: &scene.name, submission: None };
        Ok(CasePicture::of(visualizer.draw_case(self.bench, &case, self.arguments, &subject)))
    }

    /// Runs a submission on a test case, or takes its submitted output, and draws the output. Also returns the verdict.
    ///
    /// # Errors
    /// A program cannot be built, or a part of the judge fails.
    pub(crate) fn output(
        &mut self,
        scene: &Scene<'_>,
        submission: &Submission,
        language: Option<&str>,
    ) -> Result<(Verdict, Result<Drawing, NoPicture>)> {
        let answer = scene.answer.as_deref();
        let ran = if let Program::Outputs(files) = &submission.program {
            let Some(file) = files.get(&TestId::from(scene.name.as_str())) else {
                let why = NoPicture::Failed("the submission has no output for it".to_owned());
                return Ok((Verdict::WrongAnswer, Err(why)));
            };
            let (judges, bench) = self.judges()?;
            judges.check_for_visualizer(bench, &scene.input, answer, file)
        } else {
            let solver = self.solver(submission, language)?;
            let (judges, bench) = self.judges()?;
            let ran = judges.judge_for_visualizer(bench, &solver, &scene.input, answer);
            self.solver = Some((submission.id.clone(), solver));
            ran
        };
        let (case, ran) = ran.map_err(not_judged)?;
        let verdict = ran.assessment.rejection.as_ref().map_or(Verdict::Accepted, |(verdict, _)| *verdict);
        if !has_output(&case, &ran, verdict) {
            return Ok((verdict, Err(without_judge(verdict))));
        }
        let visualizer = built(&mut self.visualizers[1], self.bench, &self.problem, VisualizerKind::Output)?;
        let submission = Some(submission.id.as_str());
        let subject = Subject { problem: &self.problem.title, test: &scene.name, submission };
        Ok((verdict, visualizer.draw_output(self.bench, &case, &ran, self.arguments, &subject)))
    }

    /// The built submission. The last one is kept.
    fn solver(&mut self, submission: &Submission, language: Option<&str>) -> Result<Solver> {
        match self.solver.take() {
            Some((id, solver)) if id == submission.id => Ok(solver),
            _ => Solver::build(self.bench, &self.problem, submission, language).map_err(no_submission),
        }
    }

    /// The problem.
    pub(super) fn problem(&self) -> &Problem {
        &self.problem
    }

    fn judges(&mut self) -> Result<(&Judges, &mut Bench<'b>)> {
        let judges = match self.judges.take() {
            Some(judges) => judges,
            None => Judges::build(self.bench, &self.problem)?,
        };
        Ok((self.judges.insert(judges), self.bench))
    }
}

/// The reason for a missing picture of an output that was not judged.
pub(super) fn without_judge(verdict: Verdict) -> NoPicture {
    NoPicture::Failed(format!("{verdict}: the output was not judged, so there is nothing to draw"))
}

/// Whether a judge has looked at an output, so that a visualiser runs (package format: "after every invocation of the
/// output validator").
fn has_output(case: &Case, judged: &JudgedExecution, verdict: Verdict) -> bool {
    let compared = case.problem.output_validators.is_empty();
    judged.streams.feedback.is_some() || compared && matches!(verdict, Verdict::Accepted | Verdict::WrongAnswer)
}

/// The visualiser, which is built at its first use.
fn built<'v>(
    place: &'v mut Option<Visualizer>,
    bench: &mut Bench<'_>,
    problem: &Problem,
    kind: VisualizerKind,
) -> Result<&'v Visualizer> {
    let visualizer = match place.take() {
        Some(visualizer) => visualizer,
        None => match Visualizer::build(bench, problem, kind) {
            Some(built) => built?,
            None => bail!("{} has no {}/", problem.id, kind.folder()),
        },
    };
    Ok(place.insert(visualizer))
}
