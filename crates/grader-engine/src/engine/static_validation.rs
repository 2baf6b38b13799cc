//! Runs the static validation of a submission. It counts as a test like any other, although no program of the
//! submission runs.

use std::path::Path;

use super::executor::{Executor, not_built, order_of};
use crate::compile::{Artifact, exhibit};
use crate::event::{SubmissionIndex, TestResult};
use crate::judge::sources::Subject;
use crate::judge::validator::Validator;
use crate::judge::{Fault, judge_sources};
use crate::problem::{StaticValidation, TestGroup};
use crate::sandbox::Sandbox;

impl Executor<'_> {
    /// Runs the static validator on a built submission.
    pub(super) fn statically(
        &mut self,
        submission: SubmissionIndex,
        group: &TestGroup,
        stated: &StaticValidation,
        artifact: &Artifact,
        judge: Option<&Artifact>,
    ) -> TestResult {
        if artifact.is_outputs() {
            return TestResult::missing();
        }
        let context = self.context;
        let problem = &context.plan.problems[context.plan.submissions[submission].problem].problem;
        let (Some(judge), Some(program)) = (judge, &problem.static_validator) else { return not_built() };
        if artifact.is_command() {
            let message = "a command (-c) has no sources for the static validator".to_owned();
            return TestResult::fault(message);
        }
        let languages = &context.resources.languages;
        let order = order_of(context, submission);
        let subject = Subject {
            language: languages.get(&artifact.language).map_or(&artifact.language, |language| language.code()),
            entry_point: &artifact.entry_point,
            lay_out: &|workdir| exhibit(languages, &order, artifact, workdir),
        };
        let name = problem.name_of(program);
        let limits = context.resources.output_validation_limits(problem);
        let arguments = &stated.arguments;
        let validator =
            Validator { name: (&name).into(), artifact: judge, arguments, files: &[], limits, says_why: false };
        let about = Path::new("the sources of a submission");
        let check = |sandbox: &mut dyn Sandbox| validator.check_sources(&subject, sandbox);
        match self.bench.runner(Some(artifact.key)).ask(&validator, about, check) {
            Ok(checked) => judge_sources(checked, problem.static_points_of(group), &name),
            Err(error) => Fault::from(error).into(),
        }
    }
}
