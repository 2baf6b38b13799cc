//! The resources that all work of a run shares: settings, languages, tools and store. Derives limits and checkers from
//! them.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::overdue::Overdue;
use crate::compile::author::Author;
use crate::compile::testlib::OwnHeaderUse;
use crate::compile::toolbox::Toolbox;
use crate::compile::{Artifact, PreparedCompilers, language_of};
use crate::config::{JudgeChoice, Settings};
use crate::judge::validator::Validator;
use crate::judge::{Case, Terms};
use crate::language::Languages;
use crate::limits::{Bytes, JudgeLimits};
use crate::problem::{CaseInput, Checker, Problem, Submission, TestGroup, TokenOptions, WorkFiles};
use crate::ruleset::Ruleset;
use crate::sandbox::Isolation;
use crate::store::Store;

/// The resources for building, running and judging programs, shared by all slots.
pub struct Resources {
    /// The effective settings.
    pub settings: Settings,
    /// The table of languages.
    pub languages: Languages,
    /// The tools of this machine.
    pub tools: Toolbox,
    /// The cache of earlier results.
    pub store: Arc<Store>,
    /// The isolation in force.
    pub isolation: Isolation,
    /// The author of the programs that are built and run.
    pub author: Author,
    /// The kind of processor on which times are measured.
    pub machine: String,
    /// The prepared compilers.
    pub prepared: PreparedCompilers,
    /// Whether programs were built with grader's own header of testlib.
    pub own_testlib: Arc<OwnHeaderUse>,
    /// The validators that did not answer in time.
    pub overdue: Overdue,
}

impl Resources {
    /// Returns the built-in comparison for a case without an output validator. `stated` comes from the case or its
    /// group.
    pub fn checker_for(&self, problem: &Problem, stated: Option<Checker>) -> Checker {
        self.checker_as(problem.ruleset(), problem, stated)
    }

    fn checker_as(&self, ruleset: Ruleset, problem: &Problem, stated: Option<Checker>) -> Checker {
        match self.settings.checker_for(problem, stated) {
            Checker::Tokens(options) => Checker::Tokens(TokenOptions { numbers: ruleset.numbers(), ..options }),
            other => other,
        }
    }

    /// The limits of validators, interactors and generators.
    pub fn validation_limits(&self) -> JudgeLimits {
        self.settings.validation_limits().into()
    }

    /// A built validator of inputs or answers, ready to run. `files` are those of the case.
    pub fn data_validator<'v>(
        &self,
        name: &'v str,
        artifact: &'v Artifact,
        arguments: &'v [String],
        files: &'v [(PathBuf, PathBuf)],
    ) -> Validator<'v> {
        Validator { name: name.into(), artifact, arguments, files, limits: self.validation_limits(), says_why: false }
    }

    /// The limits of a problem's output validator.
    pub fn output_validation_limits(&self, problem: &Problem) -> JudgeLimits {
        self.settings.output_validation_limits(problem).into()
    }

    /// The limits of a submission in `language` on the tests of `group`.
    pub fn limits_for(&self, problem: &Problem, group: &TestGroup, language: &str) -> JudgeLimits {
        self.settings.limits_for(problem, group, language)
    }

    /// Returns the memory limit of a submission, in the language `wanted` for it, else in its own. All tests of a
    /// problem share the limit of its first group.
    pub fn memory_for(&self, problem: &Problem, submission: &Submission, wanted: Option<&str>) -> Bytes {
        let Submission { program, language, entry_point, .. } = submission;
        let detected = || language_of(&self.languages, program, language.as_deref(), entry_point.as_deref()).ok();
        let language = wanted.and_then(|wanted| self.languages.get(wanted)).or_else(detected);
        let language = language.map(|language| language.id.as_str()).unwrap_or_default();
        let limits = problem.groups.first().map(|group| self.limits_for(problem, group, language));
        limits.map_or(self.settings.memory, |limits| limits.kill.memory)
    }

    /// Creates one test case of a problem for a built program.
    pub fn case(
        &self,
        problem: &Arc<Problem>,
        input: CaseInput<'_>,
        answer: Option<PathBuf>,
        artifact: &Artifact,
    ) -> Case {
        let CaseInput { group, setting, path: input } = input;
        let terms = |ruleset| {
            let mut limits = self.settings.limits_as(ruleset, problem, group, &artifact.language);
            limits.kill.processes = limits.kill.processes.max(artifact.processes);
            if ruleset.limits_heap_alone() {
                limits.kill.memory.0 += artifact.memory_beside.0;
            }
            Terms { ruleset, limits, checker: self.checker_as(ruleset, problem, setting.checker) }
        };
        let every_judge = self.settings.judge == JudgeChoice::All;
        let first = problem.groups.first().unwrap_or(group);
        let usual_time = self.limits_for(problem, first, &artifact.language).time;
        let Terms { ruleset, limits, checker } = terms(problem.ruleset());
        let others =
            Ruleset::OF_PACKAGES.into_iter().filter(|other| every_judge && *other != ruleset).map(terms).collect();
        Case {
            problem: Arc::clone(problem),
            work: setting.work,
            input,
            answer,
            checker,
            points: problem.points_of_case(group, setting.points),
            limits,
            validator_limits: self.output_validation_limits(problem),
            usual_time,
            ruleset,
            others,
            arguments: setting.arguments.clone(),
            memory_beside: artifact.memory_beside,
            missing: artifact.missing.clone(),
            class_choice: artifact.class_choice.clone(),
            folder: artifact.folder.clone(),
            sanitized: artifact.sanitized.clone(),
            flush: self.languages.get(&artifact.language).map(|language| language.flush.clone()).unwrap_or_default(),
            keeps_feedback: false,
        }
    }

    /// Creates one test case of a problem for an output that was not printed here.
    pub fn case_of_output(&self, problem: &Arc<Problem>, input: CaseInput<'_>, answer: Option<PathBuf>) -> Case {
        let CaseInput { group, setting, path: input } = input;
        Case {
            problem: Arc::clone(problem),
            input,
            answer,
            checker: self.checker_for(problem, setting.checker),
            points: problem.points_of_case(group, setting.points),
            limits: self.limits_for(problem, group, ""),
            validator_limits: self.output_validation_limits(problem),
            usual_time: Duration::ZERO,
            ruleset: problem.ruleset(),
            others: Vec::new(),
            arguments: setting.arguments.clone(),
            // No program runs.
            work: WorkFiles::default(),
            memory_beside: Bytes(0),
            missing: None,
            class_choice: None,
            folder: None,
            sanitized: None,
            flush: String::new(),
            keeps_feedback: false,
        }
    }
}
