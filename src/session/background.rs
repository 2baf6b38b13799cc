//! Collects the data of a session that a page shows besides its events: earlier runs and the sources of submissions.

use super::Session;
use super::past::past_runs;
use crate::event::Verb;
use crate::plan::PlannedSubmission;
use crate::report::html::Background;
use crate::report::sources::Programs;

impl Session {
    /// The background of this session's page.
    pub(crate) fn background(&self) -> Background {
        let is_run = self.role.verb() == Verb::Run;
        // Times under sanitizers say nothing about others.
        let compares = !self.workspace.settings.sanitize;
        let past = if compares { past_runs(&self.workspace.settings.store_dir(), None) } else { Vec::new() };
        let source = |submission: &PlannedSubmission| {
            Some(((submission.id.problem.clone(), submission.id.submission.clone()), submission.submission.source()?))
        };
        let comparison = self.workspace.settings.comparison();
        let submitted = self.plan.submissions.iter().filter(|_| !is_run);
        let given = self.plan.problems.iter().map(|planned| {
            let included = planned.problem.additions.include.values();
            let files = included.flat_map(|included| included.files.iter().map(|file| included.dir.join(file)));
            (planned.problem.id.clone(), files.collect())
        });
        let sources = submitted.filter_map(source).collect();
        let programs = Programs { sources, given: given.collect(), comparison, is_own_record: true };
        Background { past, programs, draw: None }
    }
}
