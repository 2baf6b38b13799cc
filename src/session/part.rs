//! The part of a session that one of several machines runs: its jobs, and the session without the others.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use anyhow::{Context as _, Result};

use super::{Authorship, Session, Work, result_key, unknown_weights};
use crate::compile::language_of;
use crate::event::{HostFacts, ProblemIndex, RunStarted, SubmissionIndex};
use crate::limits::Bytes;
use crate::plan::{Plan, PlannedSubmission};
use crate::problem::{Problem, Program, Submission};
use crate::report::student::FeedbackLevel;
use crate::sandbox::Isolation;
use crate::store::{Digest, Key, Store};

/// The keys of one submission.
#[derive(Debug, Clone, Copy)]
pub(crate) struct JobKeys {
    /// Of everything that decides its result.
    pub(crate) job: Key,
    /// Of its files.
    pub(crate) source: Key,
}

impl Session {
    /// The key of each submission's job, in plan order: everything that decides its result, without the host, the time
    /// and the versions of compilers. Identical submissions of students share a key.
    ///
    /// # Errors
    /// A file of a problem or of a submission cannot be read.
    pub(crate) fn job_keys(&self) -> Result<Vec<Key>> {
        Ok(self.keyed_jobs()?.into_iter().map(|keys| keys.job).collect())
    }

    /// As [`Self::job_keys`], with the keys of the submissions' files.
    pub(crate) fn keyed_jobs(&self) -> Result<Vec<JobKeys>> {
        let (store, _) = Store::open(&self.workspace.settings.store_dir());
        let mut problems: BTreeMap<(ProblemIndex, &str), Key> = BTreeMap::new();
        let mut keys: Vec<JobKeys> = Vec::new();
        for submission in &self.plan.submissions {
            let planned = &self.plan.problems[submission.problem];
            let language = self.language_of(submission).unwrap_or_default();
            let problem = if let Some(key) = problems.get(&(submission.problem, language)) {
                *key
            } else {
                let level = FeedbackLevel::default();
                let key = result_key::of_problem(&self.workspace, planned, language, level, &store);
                let key = key.with_context(|| planned.problem.id.to_string())?;
                *problems.entry((submission.problem, language)).or_insert(key)
            };
            let source =
                self.source_key(submission, &planned.problem).with_context(|| submission.id.submission.to_string())?;
            keys.push(JobKeys { job: result_key::of_result(&problem, &source), source });
        }
        for same in self.work.iter().flat_map(|work| &work.stands_for) {
            if let [first, others @ ..] = &same[..] {
                for other in others {
                    keys[*other].job = keys[*first].job;
                }
            }
        }
        Ok(keys)
    }

    fn source_key(&self, planned: &PlannedSubmission, problem: &Problem) -> Result<Key> {
        let submission = &planned.submission;
        let source = match &submission.program {
            Program::Outputs(files) => result_key::of_outputs(files, Bytes(u64::MAX))?,
            Program::Command(command) => Key::of("command v1").field("command", command).finish(),
            Program::PackedOutputs { archive, .. } => {
                let content = std::fs::File::open(archive).and_then(Digest::of_reader);
                let content = content.with_context(|| archive.display().to_string())?;
                Key::of("archive v1").field("content", content.as_bytes()).finish()
            }
            program => {
                let named = !problem.additions.include.is_empty() || problem.static_validator.is_some();
                result_key::of_source(program, submission.language.as_deref().or(self.language.as_deref()), named)?
            }
        };
        let source = result_key::with_entry_point(source, submission.entry_point.as_deref());
        Ok(result_key::with_time_factor(source, planned.time_factor))
    }

    fn language_of(&self, submission: &PlannedSubmission) -> Option<&str> {
        let Submission { program, entry_point, .. } = &submission.submission;
        // A program in no known language is reported when it is built.
        let found = language_of(&self.workspace.languages, program, None, entry_point.as_deref()).ok()?;
        Some(&found.id)
    }

    /// The head of the run, as far as it is known before the run starts: without isolation and slots.
    pub(crate) fn expected_head(&self) -> RunStarted {
        let mut head = self.head(&Store::disabled(), Isolation::None, HostFacts::default());
        head.isolation.clear();
        head.caveat.clear();
        head
    }

    /// The key of the run: equal on every machine that runs the same, or a part of it. `jobs`: the keys of its jobs;
    /// `plan`: the key of the plan that all its parts share.
    pub(crate) fn run_key(&self, jobs: &[Key], plan: Option<&Key>) -> Key {
        // The facts about the host are not in it. The place of a source file depends on the machine too.
        let mut head = self.expected_head();
        for submission in head.problems.iter_mut().flat_map(|problem| &mut Arc::make_mut(problem).submissions) {
            Arc::make_mut(submission).source = None;
        }
        Key::of("sharded run v2")
            // Serialising plain data to JSON cannot fail.
            .field("head", serde_json::to_string(&head).unwrap_or_default())
            .list("jobs", jobs.iter().map(Key::as_bytes))
            .value("plan", &plan)
            .field("all tests", self.plan.all_tests.to_string())
            .finish()
    }

    /// Keeps only the submissions at these positions of the plan, which ascend. Findings about the whole run
    /// stays.
    pub(crate) fn keep_only(mut self, kept: &[SubmissionIndex]) -> Self {
        let names = self.plan.problems.iter().map(|planned| planned.problem.id.as_str());
        let known: BTreeSet<String> = names.map(str::to_owned).collect();
        let unknown = unknown_weights(&self.workspace.settings, self.role.verb(), &known);
        self.found.splice(0..0, unknown);
        self.workspace.settings.weights.retain(|name, _| known.contains(name));
        let places: BTreeMap<usize, usize> =
            kept.iter().enumerate().map(|(place, submission)| (submission.0, place)).collect();
        let whole = std::mem::take(&mut self.plan);
        let plan = part_of(&whole, &|submission| places.contains_key(&submission));
        self.submitted = match &self.submitted[..] {
            [] => Vec::new(),
            all => kept.iter().map(|submission| Authorship::clone(&all[*submission])).collect(),
        };
        self.left_out = Vec::new();
        self.roster = Vec::new();
        self.overrides = Vec::new();
        self.work = self.work.map(|Work { plan: work, stands_for, known }| {
            let mine = |submissions: &Vec<usize>| {
                submissions.iter().filter_map(|submission| places.get(submission).copied()).collect()
            };
            let stands_for: Vec<Vec<usize>> = stands_for.iter().map(mine).collect();
            let known = known.into_iter().filter_map(|update| {
                let place = places.get(&update.of()?.index.0)?;
                Some(update.about(plan.submissions[*place].id.clone()))
            });
            let known = known.collect();
            let work = Arc::new(part_of(&work, &|submission| !stands_for[submission].is_empty()));
            Work {
                plan: work,
                stands_for: stands_for.into_iter().filter(|submissions| !submissions.is_empty()).collect(),
                known,
            }
        });
        self.plan = Arc::new(plan);
        self
    }
}

/// The plan with some of its submissions.
fn part_of(whole: &Plan, has: &dyn Fn(usize) -> bool) -> Plan {
    let mut part = Plan { problems: Vec::new(), submissions: Vec::new(), ..*whole };
    for (at, planned) in whole.each_problem() {
        let indices: Vec<SubmissionIndex> = planned.submissions().filter(|submission| has(submission.0)).collect();
        if !indices.is_empty() {
            part.add_part(whole, at, &indices, |_| true);
        }
    }
    part
}
