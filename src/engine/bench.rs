//! One execution slot that builds programs, runs them and judges their output, one job at a time (blocking). Commands
//! use it directly for one program on one input; the executors of a run use it for each test. It knows no plan.
//!
//! `judge` does the running and judging. This module adds the store, which remembers the answers of validators, and the
//! list of validators that are no longer asked.

use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};

use super::overdue::OnBehalf;
use super::recall::{self, Stamps};
pub(crate) use super::resources::Resources;
use super::validator_cache;
use crate::compile::{Artifact, Build, BuildOrder, Compiler, stand_in};
use crate::judge::sources::Subject;
use crate::judge::validator::{Validator, ValidatorAnswer, ValidatorError};
pub(crate) use crate::judge::{Assessment, Case, Execution, Judged};
use crate::judge::{Fault, JudgeError, Rejection, Response, Runner};
use crate::limits::JudgeLimits;
use crate::problem::WorkFiles;
use crate::problem::grading::Grade;
use crate::sandbox::{ControlGroups, Sandbox, SandboxError};
use crate::store::Key;

/// One execution slot with the resources of the run.
pub(crate) struct Bench<'a> {
    /// The shared settings, languages, tools and store.
    pub resources: &'a Resources,
    sandbox: Box<dyn Sandbox + 'a>,
    /// The logical CPU for submissions; none means any.
    core: Option<usize>,
}

impl<'a> Bench<'a> {
    /// Creates a slot whose submissions run on one logical CPU, or on any.
    pub(crate) fn new(resources: &'a Resources, sandbox: Box<dyn Sandbox + 'a>, core: Option<usize>) -> Self {
        Self { resources, sandbox, core }
    }

    /// Starts what programs run in. Then the control groups of the slot are known.
    #[cfg_attr(not(feature = "nats"), allow(dead_code, reason = "workers alone use it"))]
    pub(crate) fn warm_up(&mut self) -> Result<(), SandboxError> {
        self.sandbox.warm_up()
    }

    /// Returns the control groups of the slot, and what they lack.
    pub(crate) fn control_groups(&self) -> Vec<ControlGroups> {
        self.sandbox.control_groups()
    }

    /// Returns the number of keepers of the slot that were lost so far.
    #[cfg_attr(not(feature = "nats"), allow(dead_code, reason = "workers alone use it"))]
    pub(crate) fn lost_keepers(&self) -> u64 {
        self.sandbox.lost_keepers()
    }

    /// Lends the slot to a run, with the logical CPU of its submissions.
    pub(crate) fn lend(&mut self) -> (Box<dyn Sandbox + '_>, Option<usize>) {
        (Box::new(&mut *self.sandbox), self.core)
    }

    /// Builds a program.
    pub(crate) fn build(&mut self, order: &BuildOrder<'_>) -> Build {
        let resources = self.resources;
        let compiler = Compiler {
            languages: &resources.languages,
            tools: &resources.tools,
            store: &resources.store,
            limits: resources.settings.compile_limits(),
            fresh: !resources.settings.cache,
            sanitize: resources.settings.sanitize,
            prepared: &resources.prepared,
            author: &resources.author,
        };
        compiler.build(order, &mut *self.sandbox)
    }

    /// Returns a runner that asks validators according to `patience`, which knows the submission under test.
    fn runner<'b>(&'b mut self, patience: &'b OnBehalf<'b>) -> Runner<'b> {
        Runner { sandbox: &mut *self.sandbox, core: self.core, patience }
    }

    /// Returns the patience for data of the problem, without a submission.
    fn of_data(&self) -> OnBehalf<'a> {
        self.resources.overdue.on_behalf_of(None)
    }

    /// Runs a program on a case and judges it. `validators` are the problem's output validators. An error is a judge
    /// error.
    pub(crate) fn judge(
        &mut self,
        case: &Case,
        artifact: &Artifact,
        validators: &[&Artifact],
    ) -> Result<Judged, Fault> {
        let patience = self.resources.overdue.on_behalf_of(Some(artifact.key));
        self.runner(&patience).judge(case, artifact, validators)
    }

    /// Judges like [`Bench::judge`], and remembers the result for [`Bench::recall`] unless the next execution may differ.
    pub(crate) fn judge_and_remember(
        &mut self,
        case: &Case,
        artifact: &Artifact,
        validators: &[&Artifact],
    ) -> Result<Judged, Fault> {
        let before = Stamps::of(case);
        let judged = self.judge(case, artifact, validators)?;
        if case.points_for(&judged.assessment).is_ok()
            && let Some(memory) = recall::memory(self.resources, case, artifact, validators, &judged, &before)
        {
            memory.keep(self.resources);
        }
        Ok(judged)
    }

    /// Returns what is known of a program on a case from earlier runs.
    pub(crate) fn recall(&self, case: &Case, artifact: &Artifact, validators: &[&Artifact]) -> Option<Judged> {
        recall::recall_case(self.resources, case, artifact, validators)
    }

    /// Judges an output that was not printed here, like [`Runner::judge_output`]. `submission` is the author of the
    /// output; none for a file of the problem.
    pub(crate) fn judge_output(
        &mut self,
        case: &Case,
        output: File,
        (validators, submission): (&[&Artifact], Option<&Key>),
    ) -> Result<Judged, Fault> {
        let patience = self.resources.overdue.on_behalf_of(submission.copied());
        self.runner(&patience).judge_output(case, output, validators)
    }

    /// Runs a program with extra arguments on an input, like [`Runner::execute`].
    pub(crate) fn execute(
        &mut self,
        artifact: &Artifact,
        args: &[OsString],
        work: &WorkFiles,
        limits: &JudgeLimits,
        input: &File,
    ) -> Result<Execution, JudgeError> {
        let patience = self.of_data();
        self.runner(&patience).execute(artifact, args, work, limits, input)
    }

    /// Runs an input validator on a case, or recalls its earlier answer.
    pub(super) fn validate(&mut self, validator: &Validator<'_>, input: &Path) -> Result<Response, ValidatorError> {
        let (key, patience) = (validator_cache::input_key(self.resources, validator, input), self.of_data());
        let said = validator_cache::remembered(self.resources, key, || {
            self.runner(&patience).check_input(validator, input).map(Response::rejection)
        });
        said.map(Response::from)
    }

    /// Runs a static validator on a submission.
    pub(super) fn check_sources(
        &mut self,
        validator: &Validator<'_>,
        subject: &Subject<'_>,
        submission: &Key,
    ) -> Result<ValidatorAnswer, ValidatorError> {
        let patience = self.resources.overdue.on_behalf_of(Some(*submission));
        self.runner(&patience).check_sources(validator, subject)
    }

    /// Runs a grader on the results of a group, or recalls its earlier answer.
    pub(super) fn grade(&mut self, grader: &Validator<'_>, results: &str) -> Result<Grade, ValidatorError> {
        let (key, patience) = (validator_cache::grade_key(grader, results), self.of_data());
        validator_cache::remembered(self.resources, Some(key), || self.runner(&patience).grade(grader, results))
    }

    /// Runs an input validator outside of a run, or recalls its earlier answer. An error is a fault of the validator or
    /// of grader.
    pub(crate) fn check_input(
        &mut self,
        name: &str,
        artifact: &Artifact,
        arguments: &[String],
        files: &[(PathBuf, PathBuf)],
        input: &Path,
    ) -> Result<Response, Fault> {
        let limits = self.resources.validation_limits();
        let validator = Validator { name: name.into(), artifact, arguments, files, limits };
        Ok(self.validate(&validator, input)?)
    }

    /// Runs an answer validator on an answer, or recalls its earlier answer. An error is a fault of the validator or of
    /// grader.
    pub(crate) fn check_answer(
        &mut self,
        name: &str,
        artifact: &Artifact,
        arguments: &[String],
        input: &Path,
        answer: &Path,
    ) -> Result<Response, Fault> {
        let limits = self.resources.validation_limits();
        let validator = Validator { name: name.into(), artifact, arguments, files: &[], limits };
        let (key, patience) = (validator_cache::answer_key(self.resources, &validator, input, answer), self.of_data());
        let said = validator_cache::remembered(self.resources, key, || {
            self.runner(&patience).check_answer(&validator, input, answer).map(Response::rejection)
        });
        Ok(said.map(Response::from)?)
    }

    /// Runs an input validator like `check_input`, but remembers nothing, for an input that is used once.
    pub(crate) fn check_input_once(
        &mut self,
        name: &str,
        artifact: &Artifact,
        arguments: &[String],
        input: &Path,
    ) -> Result<Response, Fault> {
        let limits = self.resources.validation_limits();
        let validator = Validator { name: name.into(), artifact, arguments, files: &[], limits };
        let patience = self.of_data();
        Ok(self.runner(&patience).check_input(&validator, input)?)
    }

    /// Judges a file as `judge_output` does, or recalls an earlier result. Returns what is wrong with it, if anything.
    /// An error is a fault of the validator or of grader.
    pub(crate) fn judge_file(
        &mut self,
        case: &Case,
        output: &Path,
        validators: &[&Artifact],
    ) -> Result<Option<Rejection>, Fault> {
        let key = validator_cache::output_key(self.resources, case, output, validators);
        validator_cache::remembered(self.resources, key, || {
            let file = File::open(output).map_err(|error| Fault::other(format!("{}: {error}", output.display())))?;
            let judged = self.judge_output(case, file, (validators, None))?.unless_cancelled()?;
            case.points_for(&judged.assessment)?;
            Ok(judged.assessment.rejection)
        })
    }

    /// Runs a shell script as the submission on a case, or recalls that this succeeded before. This checks that an
    /// interactor or multi-pass validator keeps to the protocol, whatever it reads. `text` is a file of the case that
    /// the script prints. An error is a fault of the validator or of grader.
    pub(crate) fn probe(
        &mut self,
        case: &Case,
        script: &str,
        text: &Path,
        validators: &[&Artifact],
    ) -> Result<(), Fault> {
        let key = validator_cache::probe_key(self.resources, case, (script, text), validators);
        validator_cache::remembered(self.resources, key, || {
            let judged = self.judge(case, &stand_in(&self.resources.tools, script), validators)?.unless_cancelled()?;
            if judged.outcome.outside_signal().is_some() {
                return Err(Fault::other("the script that replaces a submission was killed in both runs"));
            }
            Ok(case.points_for(&judged.assessment).map(drop)?)
        })
    }
}
