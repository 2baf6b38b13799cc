//! Runs the programs of a session: on the slots of this machine, or elsewhere. Both send the same messages.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::Sender;

use anyhow::{Context as _, Result};

use super::cores::Cores;
use super::hard_limits::refuse_low;
use super::isolation::{Slots, keep_private};
use super::known_isolation::Proofs;
use super::load::Load;
use super::{Session, is_busy, last_walls};
use crate::compile::language_of;
use crate::config;
use crate::engine::{Context, DisturbanceProbe, Engine};
use crate::event::{HostFacts, HostShare, Message, Verb};
use crate::language::Languages;
use crate::plan::{Plan, PlannedProblem, PlannedSubmission};
use crate::problem::Submission;
use crate::sandbox::{ControlGroups, Isolation, Sandbox};
use crate::store::{Key, LastRun, Store};
use crate::workspace::Workspace;
use crate::workspace::elsewhere::{Elsewhere, Jobs, NeededLanguage, Workplace};
use crate::workspace::machine;
use crate::workspace::notices::machine_notice;

/// Runs the programs of one session.
pub(super) trait SessionRunner: Send {
    /// Where they run.
    fn place(&self) -> Workplace;

    /// Runs everything, and sends the updates and events. Returns the control groups of this machine.
    fn run(&mut self, messages: &Sender<Message>) -> Result<Vec<ControlGroups>>;

    /// Returns a function that ends the run early, from another thread.
    fn stopper(&self) -> Box<dyn Fn() + Send>;
}

/// The slots of this machine.
pub(super) struct Here {
    engine: Engine,
    sandboxes: Vec<Box<dyn Sandbox>>,
    isolation: Isolation,
    fall: Option<String>,
    cores: usize,
}

impl Here {
    pub(super) fn new(
        session: &Session,
        plan: Arc<Plan>,
        store: &Arc<Store>,
        scratch: &Path,
        load: Option<Load>,
    ) -> Result<Self> {
        let workspace = &session.workspace;
        let cores = Cores::of_this_process();
        // Two runs of a command would use the same files at the same time.
        let jobs = match workspace.settings.jobs {
            config::Jobs::Auto if session.has_command_at_desk() => config::Jobs::Count(1),
            jobs => jobs,
        };
        let wanted = cores.slots_for(jobs);
        let slots = wanted.min(plan.executions().max(1)).max(1);
        refuse_low(&session.limits(), slots)?;
        let known = Proofs::new(store, workspace.settings.cache);
        let Slots { isolation, fall, sandboxes } =
            Slots::new(workspace.isolation, slots, scratch, &known, workspace.grader())?;
        keep_private(isolation, session.places().iter().map(std::path::PathBuf::as_path))?;
        let engine = Engine::new(Context {
            last_walls: last_walls(store, &plan),
            plan,
            last: store.last_run().filter(|_| session.role.command().is_some()),
            resources: Arc::new(workspace.resources(Arc::clone(store), isolation)),
            quiet: Arc::default(),
            cores: cores.of_slots(slots, std::process::id() as usize),
            language: session.language.clone(),
            is_disturbed: (session.role.verb() == Verb::Judge)
                .then(|| -> DisturbanceProbe { Box::new(move || is_busy(load)) }),
        });
        Ok(Self { engine, sandboxes, isolation, fall, cores: cores.count() })
    }
}

impl SessionRunner for Here {
    fn place(&self) -> Workplace {
        let slots = self.sandboxes.len();
        let cores = self.cores;
        Workplace {
            isolation: self.isolation,
            facts: HostFacts {
                started: machine::now(),
                slots,
                cores,
                machine: machine::processor(),
                pool: String::new(),
                hosts: vec![HostShare { name: machine::name(), slots, cores }],
            },
            notices: self.fall.clone().map(machine_notice).into_iter().collect(),
        }
    }

    fn run(&mut self, messages: &Sender<Message>) -> Result<Vec<ControlGroups>> {
        self.engine.expect_builds(self.sandboxes.len());
        Ok(self.engine.run(std::mem::take(&mut self.sandboxes), messages))
    }

    fn stopper(&self) -> Box<dyn Fn() + Send> {
        let stopper = self.engine.stopper();
        Box::new(move || stopper.stop())
    }
}

/// The keys of a run and of its jobs.
pub(super) struct Ids {
    run: Key,
    jobs: Vec<Key>,
}

impl Session {
    /// The languages of its programs. Those that the workspace defines itself are left out: other machines do not know them.
    pub(super) fn needed_languages(&self) -> Vec<NeededLanguage> {
        let languages = &self.workspace.languages;
        let builtin = Languages::builtin();
        let named = self.language.as_deref().and_then(|id| languages.get(id));
        // A program in no known language gets its own message when it is built.
        let of_judge = |program| language_of(languages, program, None, None).ok();
        let of_submission = |submission: &PlannedSubmission| {
            let Submission { program, language, entry_point, .. } = &submission.submission;
            let named = named.filter(|_| program.parts().is_some());
            named.or_else(|| language_of(languages, program, language.as_deref(), entry_point.as_deref()).ok())
        };
        let judges = self.plan.problems.iter().flat_map(PlannedProblem::judges).filter_map(of_judge);
        let mut needed: BTreeMap<&str, NeededLanguage> = BTreeMap::new();
        for language in self.plan.submissions.iter().filter_map(of_submission).chain(judges) {
            if builtin.get(&language.id) == Some(language) {
                let new = || NeededLanguage { id: language.id.clone(), name: language.name.clone(), programs: 0 };
                needed.entry(&language.id).or_insert_with(new).programs += 1;
            }
        }
        needed.into_values().collect()
    }

    /// The keys of the run and of all its submissions.
    pub(super) fn ids(&self) -> Result<Ids> {
        let jobs = self.job_keys()?;
        Ok(Ids { run: self.run_key(&jobs, None), jobs })
    }
}

/// Other machines.
pub(super) struct There {
    elsewhere: Arc<dyn Elsewhere>,
    place: Workplace,
    workspace: Workspace,
    plan: Arc<Plan>,
    ids: Ids,
    language: Option<String>,
    last: Option<LastRun>,
    is_whole: bool,
    is_urgent: bool,
}

impl There {
    /// `stands_for`: for each submission of `plan`, the submissions of the whole plan that get its results; none if those are
    /// the submissions of `plan`.
    pub(super) fn new(
        session: &Session,
        elsewhere: Arc<dyn Elsewhere>,
        plan: Arc<Plan>,
        mut ids: Ids,
        store: &Store,
        stands_for: Option<&[Vec<usize>]>,
    ) -> Result<Self> {
        // A job has its place in the whole plan. Submissions with known results, which `plan` lacks, do not move it.
        let places: Vec<usize> = match stands_for {
            Some(stands_for) => stands_for.iter().filter_map(|submissions| submissions.first().copied()).collect(),
            None => (0..ids.jobs.len()).collect(),
        };
        let key_of = |place: &usize| {
            let key = Key::of("job of a run v1").field("job", ids.jobs[*place].as_bytes());
            key.field("position", place.to_string()).finish()
        };
        ids.jobs = places.iter().map(key_of).collect();
        let place = elsewhere.place(&session.workspace, &|| session.needed_languages())?;
        Ok(Self {
            elsewhere,
            place,
            workspace: session.workspace.clone(),
            plan,
            ids,
            language: session.language.clone(),
            last: store.last_run().filter(|_| session.role.command().is_some()),
            is_whole: session.role.command().is_some(),
            is_urgent: session.role.verb() == Verb::Run,
        })
    }
}

impl There {
    fn jobs(&self) -> Jobs<'_> {
        Jobs {
            workspace: &self.workspace,
            plan: &self.plan,
            keys: self.ids.jobs.clone(),
            run: self.ids.run,
            language: self.language.as_deref(),
            last: self.last.as_ref(),
            is_whole: self.is_whole,
            is_urgent: self.is_urgent,
        }
    }
}

impl Session {
    /// Sends the files of its problems to the machines that will run it, and runs nothing.
    pub(crate) fn fetch_ahead(self) -> Result<()> {
        let elsewhere = self.workspace.elsewhere().cloned().context("no --engine")?;
        let there = There::new(&self, elsewhere, Arc::clone(&self.plan), self.ids()?, &Store::disabled(), None)?;
        there.elsewhere.fetch_ahead(&there.jobs())
    }
}

impl SessionRunner for There {
    fn place(&self) -> Workplace {
        self.place.clone()
    }

    fn run(&mut self, messages: &Sender<Message>) -> Result<Vec<ControlGroups>> {
        self.elsewhere.run(&self.jobs(), messages).map(|()| Vec::new())
    }

    fn stopper(&self) -> Box<dyn Fn() + Send> {
        self.elsewhere.stopper()
    }
}
