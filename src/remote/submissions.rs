//! The jobs of a run: a submission each, and the inputs of each problem. Their results become the updates of the run.

use std::collections::HashMap;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::Sender;

use anyhow::Result;

use super::follower::Work;
use super::pack::{Conditions, Contents, pack, pack_of};
use super::wire::{Blob, Entrant, FailureFile, KnownNotice, KnownSubmission, KnownTest, Outcome, Task, short};
use crate::diagnostic::{Diagnostic, Severity};
use crate::event::{
    BuildFinished, BuildResult, GroupGraded, Message, ProblemIndex, SubmissionIndex, TestIndex, TestRef, TestResult,
    Update,
};
use crate::ledger::Ledger;
use crate::problem::Test;
use crate::store::{Key, Store};
use crate::workspace::elsewhere::Jobs;

/// The subject of a job.
#[derive(Debug, Clone, Copy)]
enum Subject {
    /// The inputs of a problem.
    Inputs(ProblemIndex),
    /// A submission.
    Submission(SubmissionIndex),
}

/// The jobs of one run.
pub(super) struct Submissions<'a> {
    jobs: &'a Jobs<'a>,
    messages: &'a Sender<Message>,
    /// The results of the submissions so far.
    ledger: Ledger,
    store: Store,
    /// The pack that the jobs of each problem share.
    pub(super) packs: Vec<Blob>,
    subjects: HashMap<String, Subject>,
    /// The names of the jobs, until a caller takes them.
    unasked: Vec<String>,
    /// The notices that were passed on. Every job of a problem repeats those about its judges.
    passed_on: Vec<Diagnostic>,
}

impl<'a> Submissions<'a> {
    /// Names the jobs of a run, and packs the files of its problems.
    pub(super) fn new(jobs: &'a Jobs<'a>, messages: &'a Sender<Message>, contents: &mut Contents) -> Result<Self> {
        let (store, _) = Store::open(&jobs.workspace.settings.store_dir());
        let settings = Conditions {
            settings: &jobs.workspace.settings,
            language: jobs.language,
            all_tests: jobs.plan.all_tests,
            wants_looks: !jobs.is_urgent,
        };
        let mut packs = Vec::new();
        let mut subjects = HashMap::new();
        let mut unasked = Vec::new();
        let mut add = |key: Key, subject| {
            let name = short(&key, 32);
            unasked.push(name.clone());
            subjects.insert(name, subject);
        };
        for (at, planned) in jobs.plan.problems.iter().enumerate() {
            let pack = pack_of(planned, &settings, &store, contents)?;
            packs.push(pack);
            if !planned.problem.input_validators.is_empty() {
                let key = Key::of("remote inputs v1").field("pack", pack.digest.as_bytes()).finish();
                add(key, Subject::Inputs(ProblemIndex(at)));
            }
            for index in planned.submissions.clone() {
                let submission = &jobs.plan.submissions[index].submission;
                // Two submissions with the same files may be expected to end differently, and stop at other tests.
                let key = Key::of("remote job v1")
                    .field("job", jobs.keys[index].as_bytes())
                    .field("pack", pack.digest.as_bytes())
                    .field("submission", submission.id.as_str())
                    .finish();
                add(key, Subject::Submission(SubmissionIndex(index)));
            }
        }
        store.flush();
        Ok(Self {
            jobs,
            messages,
            ledger: Ledger::new(jobs.plan),
            store,
            packs,
            subjects,
            unasked,
            passed_on: Vec::new(),
        })
    }

    /// The number of jobs.
    pub(super) fn count(&self) -> usize {
        self.subjects.len()
    }

    /// Passes on the results of a worker about the subject of a job.
    fn tell(&mut self, name: &str, known: KnownSubmission, kept: &[FailureFile]) {
        let KnownSubmission { notices, built, tests, grades } = known;
        for KnownNotice { about, notice } in notices {
            let notice = notice.about_any(about.map(|file| file.on_client()));
            if !self.passed_on.contains(&notice) {
                self.passed_on.push(notice.clone());
                self.pass_on(Update::Notice(notice));
            }
        }
        let Subject::Submission(submission) = self.subjects[name] else { return };
        let planned = &self.jobs.plan.submissions[submission];
        if let Some(last) = self.jobs.last {
            // A file that stays is overwritten later, and changes no result.
            let _ = last.clear(&planned.id.problem, &planned.id.submission);
        }
        if let Some(result) = built {
            self.pass_on(Update::Built(BuildFinished { of: planned.id.clone(), result }));
        }
        let names = &self.jobs.plan.problems[planned.problem].names;
        for KnownTest { ordinal, result, has_files } in tests {
            // A worker that names another test is broken, and the submission stays without a result.
            let Some(test) = names.get(ordinal.0).cloned() else { continue };
            let test = TestRef { of: planned.id.clone(), ordinal, test };
            let result = if has_files { self.with_files(&test, result, kept) } else { result };
            self.pass_on(Update::TestFinished { test, result });
        }
        for (group, grade) in grades {
            self.pass_on(Update::Graded(GroupGraded { of: planned.id.clone(), group, grade }));
        }
    }

    /// Passes on an update, and the events that follow from it.
    fn pass_on(&mut self, update: Update) {
        for message in self.ledger.messages(update) {
            // Without a listener, the run ends soon.
            let _ = self.messages.send(message);
        }
    }

    /// Keeps the files of a failed test, as a run on this machine would.
    fn with_files(&self, test: &TestRef, mut result: TestResult, kept: &[FailureFile]) -> TestResult {
        let own = kept.iter().filter(|kept| kept.ordinal == test.ordinal);
        if let TestResult::Judged(judgement) = &mut result {
            // Reports then lack the files. No verdict changes.
            Arc::make_mut(judgement).files = self.keep(test, own).ok();
        } else if let TestResult::NotJudged { files, .. } = &mut result {
            *files = self.keep(test, own).ok();
        }
        result
    }

    fn keep<'k>(&self, test: &TestRef, kept: impl Iterator<Item = &'k FailureFile>) -> io::Result<PathBuf> {
        let none = || io::Error::from(io::ErrorKind::NotFound);
        let last = self.jobs.last.ok_or_else(none)?;
        let problem = &test.of.problem;
        let submission = &test.of.submission;
        let planned = &self.jobs.plan.problems[self.jobs.plan.submissions[test.of.index].problem];
        let Some(Test::Case(group, case)) = planned.test(test.ordinal) else { return Err(none()) };
        let copy = |extension: &str, from: &Path| last.copy(problem, submission, &test.test, (extension, from));
        let path = copy("in", &group.input_of(case))?;
        if let Some(answer) = group.answer_of(case) {
            copy("ans", &answer)?;
        }
        for kept in kept {
            last.create(problem, submission, &test.test, &kept.extension)?.0.write_all(&kept.content)?;
        }
        Ok(path.with_extension(""))
    }

    /// Passes on a judge error for a job without a result.
    fn fail(&mut self, name: &str, message: &str) {
        let update = match self.subjects[name] {
            Subject::Submission(submission) => {
                let submission = self.jobs.plan.submissions[submission].id.clone();
                Update::Built(BuildFinished {
                    of: submission,
                    result: BuildResult::Failed { message: message.to_owned() },
                })
            }
            Subject::Inputs(_) => {
                Update::Notice(Diagnostic::new(Severity::JudgeError, format!("{}: {message}", self.title(name))))
            }
        };
        self.pass_on(update);
    }
}

impl Work for Submissions<'_> {
    fn more(&mut self, _: &mut Contents) -> Result<Vec<String>> {
        Ok(std::mem::take(&mut self.unasked))
    }

    fn is_complete(&self) -> bool {
        self.unasked.is_empty()
    }

    fn task(&mut self, name: &str, contents: &mut Contents) -> Result<(Blob, Task)> {
        Ok(match self.subjects[name] {
            Subject::Inputs(problem) => (self.packs[problem], Task::Inputs),
            Subject::Submission(index) => {
                let planned = &self.jobs.plan.submissions[index];
                let entrant = Entrant {
                    submission: planned.submission.clone(),
                    reference: planned.reference,
                    first: planned.first.clone(),
                    time_factor: planned.time_factor,
                    files: pack(planned.submission.program.files(), true, &self.store, contents)?,
                };
                (self.packs[planned.problem], Task::Submission(Box::new(entrant)))
            }
        })
    }

    fn receive(&mut self, name: &str, outcome: Outcome, kept: &[FailureFile]) -> Option<Blob> {
        match outcome {
            Outcome::Known(known) => self.tell(name, *known, kept),
            Outcome::Failed(message) => self.fail(name, &message),
            Outcome::Answer(_) => self.fail(name, "its result belongs to another kind of job"),
        }
        None
    }

    fn has_begun(&self, name: &str, ordinal: TestIndex) {
        let Some(Subject::Submission(submission)) = self.subjects.get(name) else { return };
        let planned = &self.jobs.plan.submissions[*submission];
        let Some(test) = self.jobs.plan.problems[planned.problem].names.get(ordinal.0).cloned() else { return };
        let update = Update::TestStarted(TestRef { of: planned.id.clone(), ordinal, test });
        // Without a listener, the run ends soon.
        let _ = self.messages.send(Message::Update(update));
    }

    fn title(&self, name: &str) -> String {
        match self.subjects.get(name) {
            Some(Subject::Inputs(problem)) => {
                format!("the inputs of {}", self.jobs.plan.problems[*problem].problem.id)
            }
            Some(Subject::Submission(submission)) => {
                let submission = &self.jobs.plan.submissions[*submission].id;
                format!("{}/{}", submission.problem, submission.submission)
            }
            None => name.to_owned(),
        }
    }

    fn warn(&self, message: String) {
        // Without a listener, the run ends soon.
        let _ = self.messages.send(Message::Update(Update::Notice(Diagnostic::new(Severity::Warning, message))));
    }
}
