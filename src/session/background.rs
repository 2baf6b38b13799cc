//! Collects what a page shows of a session besides its events: earlier runs and the sources of submissions.

use super::Session;
use super::past::past_runs;
use crate::event::Verb;
use crate::plan::PlannedRun;
use crate::report::html::Background;

impl Session {
    /// The background of this session's page.
    pub(crate) fn background(&self) -> Background {
        let is_run = self.role.verb() == Verb::Run;
        // Earlier submissions of a class say nothing about today's.
        let past = if is_run { past_runs(&self.workspace.settings.store_dir(), None) } else { Vec::new() };
        // Submissions from archives are in a directory of their own, which the record does not name.
        let source = |run: &PlannedRun| run.submission.source();
        let sources = if is_run { Vec::new() } else { self.plan.runs.iter().map(source).collect() };
        let given = self.plan.problems.iter().map(|planned| {
            let included = planned.problem.additions.include.values();
            let files = included.flat_map(|included| included.files.iter().map(|file| included.dir.join(file)));
            (planned.problem.id.clone(), files.collect())
        });
        Background { past, sources, given: given.collect() }
    }
}
