//! Draws the failures of a run for its page.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use super::easel::{CasePicture, without_judge};
use super::{Drawing, Easel, NoPicture, Scene, illustration_of};
use crate::engine::bench::Bench;
use crate::error_chain;
use crate::event::{ProblemIndex, TestIndex};
use crate::plan::Plan;
use crate::problem::{Problem, Program, Test, Visualizers};
use crate::report::html::Background;
use crate::report::html::pictures::{Draw, DrawnFailure, Failure, Figure};
use crate::session::Session;
use crate::session::slot::by_hand;
use crate::verdict::Verdict;
use crate::workspace::Workspace;
use crate::workspace::listener::Progress;

/// The most bytes of all drawings of a page.
const MOST: usize = 64 << 20;

/// Draws failures of a finished run, on a slot of its own. It executes each submission again, and shows the picture
/// only if the output is the same.
struct Failures {
    workspace: Workspace,
    plan: Arc<Plan>,
    language: Option<String>,
}

/// The content of a session's page besides its events. Failures are drawn if a problem has a visualiser or an
/// illustration, and the programs run here.
pub(crate) fn background_of(session: &Session) -> Background {
    let Session { workspace, plan, language, .. } = session;
    let draws = |problem: &Problem| {
        let Visualizers { input, output } = &problem.visualizers;
        let illustrated = || problem.cases().any(|(group, case)| illustration_of(group, case).is_some());
        input.is_some() || output.is_some() || illustrated()
    };
    let mut background = session.background();
    if workspace.elsewhere().is_none() && plan.problems.iter().any(|planned| draws(&planned.problem)) {
        let workspace = workspace.clone();
        let plan = Arc::clone(plan);
        let language = language.clone();
        background.draw = Some(Box::new(Failures { workspace, plan, language }));
    }
    background
}

impl Failures {
    fn draw_all(&self, bench: &mut Bench<'_>, failures: &[Failure], drawn: &mut Vec<DrawnFailure>) {
        let mut by_problem: BTreeMap<ProblemIndex, Vec<Failure>> = BTreeMap::new();
        for failure in failures {
            by_problem.entry(self.plan.submissions[failure.submission].problem).or_default().push(*failure);
        }
        let listener = self.workspace.listener();
        let mut room = MOST;
        let count = failures.len();
        for (at, failures) in by_problem {
            let planned = &self.plan.problems[at];
            let mut easel = Easel::new(bench, &planned.problem, None);
            let mut cases: BTreeMap<TestIndex, Result<Drawing, NoPicture>> = BTreeMap::new();
            let mut patience = [Patience::default(), Patience::default()];
            for failure in failures {
                let Some((group, case)) = planned.test(failure.ordinal).and_then(Test::case) else { continue };
                listener.progress(Progress::Doing(&format!("drawing {} of {count} failures", drawn.len() + 1)));
                let scene = Scene::of_case(group, case);
                let mut one = DrawnFailure { failure, figures: Vec::new(), missing: Vec::new() };
                let slug = planned.problem.slug();
                if planned.problem.visualizers.input.is_some() || scene.illustration().is_some() {
                    let draw = || {
                        patience[0]
                            .ask(|| easel.case(&scene).map_or_else(|error| Err(failed(&error)), CasePicture::drawing))
                    };
                    let drawing = cases.entry(failure.ordinal).or_insert_with(draw);
                    let place = |name: &str| parts([slug, &scene.name, name]);
                    add(&mut one, "test case", drawing.as_ref(), &place, &mut room);
                }
                if planned.problem.visualizers.output.is_some() {
                    let submission = &self.plan.submissions[failure.submission].submission;
                    let output = patience[1].ask(|| self.output(&mut easel, &scene, failure));
                    let place = |name: &str| parts([slug, submission.id.as_str(), &scene.name, name]);
                    add(&mut one, "output of another run", output.as_ref(), &place, &mut room);
                }
                drawn.push(one);
            }
        }
    }

    fn output(&self, easel: &mut Easel<'_, '_>, scene: &Scene<'_>, failure: Failure) -> Result<Drawing, NoPicture> {
        let submission = &self.plan.submissions[failure.submission].submission;
        if let Program::PackedOutputs { .. } = submission.program {
            return Err(NoPicture::Failed("the outputs are in an archive".to_owned()));
        }
        let is_judged = failure.verdict == Verdict::WrongAnswer || easel.problem().kind.is_interactive();
        if !is_judged {
            return Err(without_judge(failure.verdict));
        }
        let drawn = easel.output(scene, submission, self.language.as_deref());
        let (verdict, drawing) = drawn.map_err(|error| failed(&error))?;
        if verdict != failure.verdict {
            return Err(NoPicture::Failed(format!("another run of the submission is {verdict}")));
        }
        drawing
    }
}

/// Whether a visualiser may still be started: not after it exceeded its time limit.
#[derive(Default)]
struct Patience(bool);

impl Patience {
    fn ask(&mut self, draw: impl FnOnce() -> Result<Drawing, NoPicture>) -> Result<Drawing, NoPicture> {
        if self.0 {
            return Err(NoPicture::Failed(
                "not drawn, because the visualiser exceeded its time limit before".to_owned(),
            ));
        }
        let drawing = draw();
        self.0 = matches!(drawing, Err(NoPicture::Overdue(_)));
        drawing
    }
}

/// Paths as the names of folders and a file.
fn parts<const N: usize>(paths: [&str; N]) -> Vec<String> {
    paths.iter().flat_map(|path| path.split('/')).map(str::to_owned).collect()
}

fn failed(error: &anyhow::Error) -> NoPicture {
    NoPicture::Failed(error_chain(error.as_ref()))
}

/// Adds the drawing of a failure if the page has room for it, or the reason why it is missing.
fn add(
    one: &mut DrawnFailure,
    shows: &'static str,
    drawing: Result<&Drawing, &NoPicture>,
    place: &dyn Fn(&str) -> Vec<String>,
    room: &mut usize,
) {
    match drawing {
        Err(why) => one.missing.push(why.to_string()),
        Ok(drawing) if drawing.size() > *room => {
            one.missing.push(format!("the drawings of this page together have more than {} MiB", MOST >> 20));
        }
        Ok(drawing) => {
            *room -= drawing.size();
            let pictures = drawing.pictures.iter().map(|picture| {
                let place = place(&picture.name);
                let media = Some(picture.media);
                Figure { shows, place, media, bytes: picture.bytes.clone() }
            });
            let page = |(name, text): &(String, String)| {
                let bytes = text.clone().into_bytes();
                Figure { shows, place: place(name), media: None, bytes }
            };
            one.figures.extend(pictures.chain(drawing.pages.iter().map(page)));
        }
    }
}

impl fmt::Debug for Failures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Failures").finish_non_exhaustive()
    }
}

impl Draw for Failures {
    fn draw(&mut self, failures: &[Failure]) -> Vec<DrawnFailure> {
        let mut drawn = Vec::new();
        if failures.is_empty() {
            return drawn;
        }
        let dirs = self.plan.problems.iter().map(|planned| &*planned.problem.dir);
        let done = by_hand(&self.workspace, dirs, |bench| {
            self.draw_all(bench, failures, &mut drawn);
            Ok(())
        });
        // The page shows the reason in place of the missing pictures. The run itself has finished.
        if let Err(error) = done {
            let known: Vec<Failure> = drawn.iter().map(|one| one.failure).collect();
            let missing = vec![error_chain(error.as_ref())];
            let rest = failures.iter().filter(|failure| !known.contains(failure));
            drawn.extend(rest.map(|failure| DrawnFailure {
                failure: *failure,
                figures: Vec::new(),
                missing: missing.clone(),
            }));
        }
        drawn
    }
}
