//! Chooses the subjects of the drawings of a problem: its test cases, or outputs of submissions.

use anyhow::{Result, bail};

use crate::authoring::reference::remedy;
use crate::problem::{Problem, Submission, VisualizerKind, Visualizers};

/// The subjects of the drawings.
pub(crate) enum Subjects {
    Cases,
    Outputs(Vec<Submission>),
}

/// Chooses the outputs of the named submissions; without names, the test cases if the problem can draw them, else the
/// outputs of its reference.
pub(crate) fn subjects(problem: &Problem, named: Vec<Submission>, has_illustrations: bool) -> Result<Subjects> {
    let Visualizers { input, output } = &problem.visualizers;
    match (&named[..], input, output) {
        ([_, ..], _, Some(_)) => Ok(Subjects::Outputs(named)),
        ([_, ..], _, None) => bail!(
            "{} has no output_visualizer/, so outputs of submissions cannot be drawn\n  → add one \
             (docs/visualizers.md){}",
            problem.id,
            if input.is_some() { ", or draw its test cases: leave out -s" } else { "" }
        ),
        ([], Some(_), _) => Ok(Subjects::Cases),
        ([], None, Some(_)) => match problem.reference() {
            Some(reference) => Ok(Subjects::Outputs(vec![reference.clone()])),
            None => bail!(
                "{} draws what submissions print, and has no {}\n  → name a submission: -s; or {}",
                problem.id,
                problem.reference_word(),
                remedy(problem)
            ),
        },
        ([], None, None) if has_illustrations => Ok(Subjects::Cases),
        ([], None, None) => bail!(
            "{} has nothing to show: no visualiser, and no illustrations beside its test cases\n  → write a program in \
             {}/ that draws a test case (docs/visualizers.md)",
            problem.id,
            problem.dir.join(VisualizerKind::Input.folder()).display()
        ),
    }
}
