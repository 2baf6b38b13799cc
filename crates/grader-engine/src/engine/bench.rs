//! One execution slot that builds programs, runs them and judges their output, one job at a time (blocking). Commands
//! use it directly for one program on one input; the executors of a run use it for each test. It knows no plan.
//!
//! `judge::Runner` does the running and judging. This module adds the cache around it: the store, which remembers results
//! and the answers of validators. Results that are never remembered come from the runner directly ([`Bench::runner`]).

use std::fs::File;
use std::path::Path;

use super::recall::{self, Stamps};
pub use super::resources::Resources;
use super::validator_cache;
use crate::compile::{Artifact, Build, BuildOrder, Compiler, stand_in};
use crate::judge::validator::{Validator, ValidatorError, persistently};
pub use crate::judge::{Assessment, Case, Execution, JudgedExecution};
use crate::judge::{Fault, Rejection, Response, Runner};
use crate::problem::grading::Grade;
use crate::problem::named;
use crate::sandbox::{ControlGroups, Sandbox, SandboxError};
use crate::store::Key;

/// One execution slot with the resources of the run.
pub struct Bench<'a> {
    /// The shared settings, languages, tools and store.
    pub resources: &'a Resources,
    sandbox: Box<dyn Sandbox + 'a>,
    /// The logical CPU for submissions; none means any.
    core: Option<usize>,
}

impl<'a> Bench<'a> {
    /// Creates a slot whose submissions run on one logical CPU, or on any.
    pub fn new(resources: &'a Resources, sandbox: Box<dyn Sandbox + 'a>, core: Option<usize>) -> Self {
        Self { resources, sandbox, core }
    }

    /// Starts the sandbox of the slot. Then its control groups are known.
    pub fn warm_up(&mut self) -> Result<(), SandboxError> {
        self.sandbox.warm_up()
    }

    /// Returns the control groups of the slot, and what they lack.
    pub fn control_groups(&self) -> Vec<ControlGroups> {
        self.sandbox.control_groups()
    }

    /// Returns the number of keepers of the slot that were lost so far.
    pub fn lost_keepers(&self) -> u64 {
        self.sandbox.lost_keepers()
    }

    /// Lends the slot to a run, with the logical CPU of its submissions.
    pub fn lend(&mut self) -> (Box<dyn Sandbox + '_>, Option<usize>) {
        (Box::new(&mut *self.sandbox), self.core)
    }

    /// Builds a program.
    pub fn build(&mut self, order: &BuildOrder<'_>) -> Build {
        let resources = self.resources;
        let built = self.compiler().build(order, &mut *self.sandbox);
        match order.protocol {
            Some(own) => built.under(resources.settings.protocol_for(own)),
            None => built,
        }
    }

    /// Finds a tool that comes with a compiler, as a program that can run.
    pub fn companion_tool(&mut self, name: &str) -> Build {
        self.compiler().companion_tool(name, &mut *self.sandbox)
    }

    fn compiler(&self) -> Compiler<'a> {
        let resources = self.resources;
        Compiler {
            languages: &resources.languages,
            tools: &resources.tools,
            store: &resources.store,
            limits: resources.settings.compile_limits(),
            fresh: !resources.settings.cache,
            sanitize: resources.settings.sanitize,
            prepared: &resources.prepared,
            author: &resources.author,
            testlib: resources.settings.testlib_header(),
            own_testlib: &resources.own_testlib,
        }
    }

    /// Runs programs on this slot and remembers nothing. `submission` is the one under test; none for data of the
    /// problem. It decides when a validator that exceeds its time limit is given up.
    pub fn runner(&mut self, submission: Option<Key>) -> Runner<'_> {
        let patience = Box::new(self.resources.overdue.on_behalf_of(submission));
        Runner { sandbox: &mut *self.sandbox, core: self.core, patience }
    }

    /// Judges like [`Runner::judge`], and remembers the result for [`Bench::recall`] unless the next execution may differ.
    pub fn judge_and_remember(
        &mut self,
        case: &Case,
        artifact: &Artifact,
        validators: &[&Artifact],
    ) -> Result<JudgedExecution, Fault> {
        let before = Stamps::of(case);
        let judged = self.runner(Some(artifact.key)).judge(case, artifact, validators)?;
        if case.points_for(&judged.assessment).is_ok()
            && let Some(memory) = recall::memory(self.resources, case, artifact, validators, &judged, &before)
        {
            memory.keep(self.resources);
        }
        Ok(judged)
    }

    /// Returns the stored result of a program on a case from earlier runs, if there is one.
    pub fn recall(&self, case: &Case, artifact: &Artifact, validators: &[&Artifact]) -> Option<JudgedExecution> {
        recall::recall_case(self.resources, case, artifact, validators)
    }

    /// Runs an input validator on an input, or recalls its earlier answer.
    pub fn check_input(&mut self, validator: &Validator<'_>, input: &Path) -> Result<Response, ValidatorError> {
        let key = validator_cache::input_key(self.resources, validator, input);
        let said = validator_cache::remembered(self.resources, key, || {
            let check = |sandbox: &mut dyn Sandbox| validator.check_input(input, sandbox);
            self.runner(None).ask(validator, input, check).map(Response::rejection)
        });
        said.map(Response::from)
    }

    /// Returns what an input validator writes about an input into the file of `option`, see
    /// [`Validator::log_of_input`], or recalls it. However long it takes, the validator is not given up for it.
    pub fn log_of_input(
        &mut self,
        validator: &Validator<'_>,
        option: &str,
        input: &Path,
    ) -> Result<Option<String>, ValidatorError> {
        let key = validator_cache::log_key(self.resources, validator, option, input);
        validator_cache::remembered(self.resources, key, || {
            persistently(|| validator.log_of_input(option, input, &mut *self.sandbox))
        })
    }

    /// Runs an answer validator on an answer, or recalls its earlier answer.
    pub fn check_answer(
        &mut self,
        validator: &Validator<'_>,
        input: &Path,
        answer: &Path,
    ) -> Result<Response, ValidatorError> {
        let key = validator_cache::answer_key(self.resources, validator, input, answer);
        let said = validator_cache::remembered(self.resources, key, || {
            let check = |sandbox: &mut dyn Sandbox| validator.check_answer(input, answer, sandbox);
            self.runner(None).ask(validator, answer, check).map(Response::rejection)
        });
        said.map(Response::from)
    }

    /// Runs a grader on the results of a group, or recalls its earlier answer.
    pub(super) fn grade(&mut self, grader: &Validator<'_>, results: &str) -> Result<Grade, ValidatorError> {
        let key = validator_cache::grade_key(grader, results);
        let about = Path::new("the results of a group");
        validator_cache::remembered(self.resources, Some(key), || {
            self.runner(None).ask(grader, about, |sandbox| grader.grade(results, sandbox))
        })
    }

    /// Judges a file as an output, or recalls an earlier result; see [`Runner::judge_output`]. Returns the reason for a
    /// rejection, if the file is rejected. An error is a fault of the validator or of grader.
    pub fn judge_file(
        &mut self,
        case: &Case,
        output: &Path,
        validators: &[&Artifact],
    ) -> Result<Option<Rejection>, Fault> {
        let key = validator_cache::output_key(self.resources, case, output, validators);
        validator_cache::remembered(self.resources, key, || {
            let file = File::open(output).map_err(|error| Fault::other(format!("{}: {error}", named(output))))?;
            let judged = self.runner(None).judge_output(case, file, validators)?.unless_cancelled()?;
            case.points_for(&judged.assessment)?;
            Ok(judged.assessment.rejection)
        })
    }

    /// Runs a shell script as the submission on a case, or recalls that this succeeded before. This checks that an
    /// interactor or multi-pass validator keeps to the protocol, whatever it reads. `text` is a file of the case that
    /// the script prints. An error is a fault of the validator or of grader.
    pub fn probe(&mut self, case: &Case, script: &str, text: &Path, validators: &[&Artifact]) -> Result<(), Fault> {
        let key = validator_cache::probe_key(self.resources, case, (script, text), validators);
        validator_cache::remembered(self.resources, key, || {
            let script = stand_in(&self.resources.tools, script);
            let judged = self.runner(Some(script.key)).judge(case, &script, validators)?.unless_cancelled()?;
            if judged.outcome.outside_signal().is_some() {
                return Err(Fault::other("the script that replaces a submission was killed in both runs"));
            }
            Ok(case.points_for(&judged.assessment).map(drop)?)
        })
    }
}
