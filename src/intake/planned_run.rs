//! Which submissions run: known results are taken, and identical submissions run once.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use anyhow::Result;

use super::assign::AssignedSubmission;
use super::origins::Origin;
use super::reader::Intake;
use super::request::Request;
use super::result_folder::{OutDir, Owner};
use super::{Problems, positions, submission};
use crate::course::AttemptChoice;
use crate::event::RosterStudent;
use crate::plan::Plan;
use crate::problem::Submission;
use crate::session::{Authorship, Work, result_key};
use crate::store::{Key, Store};
use crate::workspace::Workspace;

/// Students with identical submissions to one problem.
pub(crate) struct Identical {
    pub(crate) problem: String,
    pub(crate) students: Vec<String>,
}

/// The inputs for preparing a run.
pub(super) struct Job<'a> {
    pub(super) request: &'a Request,
    pub(super) workspace: &'a Workspace,
    pub(super) problems: &'a Problems,
    pub(super) entries: &'a [AssignedSubmission],
    pub(super) roster: &'a [RosterStudent],
    /// The problems that have a column in the table of a class even if nobody submits.
    pub(super) expected: BTreeSet<usize>,
}

/// A prepared run: the plan to report, and the work that must be done.
pub(super) struct PreparedRun {
    pub(super) whole: Plan,
    pub(super) work: Work,
    pub(super) submitted: Vec<Authorship>,
    pub(super) owners: BTreeMap<usize, Owner>,
    pub(super) recalled: BTreeSet<usize>,
    pub(super) identical: Vec<Identical>,
}

/// What lies in one place is one submission, which counts for all of its authors.
fn authors_by_place<'e>(entries: &[&'e AssignedSubmission]) -> BTreeMap<&'e Path, BTreeSet<&'e str>> {
    let mut authors: BTreeMap<&Path, BTreeSet<&str>> = BTreeMap::new();
    for entry in entries {
        authors.entry(&entry.place).or_default().insert(entry.owner());
    }
    authors
}

/// The submissions that run: the position of each among those of its problem, with the positions in the plan for which it stands.
#[derive(Default)]
struct ToRun {
    list: Vec<(usize, Vec<usize>)>,
    /// The position in the list by the key of the result.
    by_key: BTreeMap<Key, usize>,
}

impl ToRun {
    fn add(&mut self, key: Key, n: usize, position: usize) {
        match self.by_key.entry(key) {
            Entry::Occupied(same) => self.list[*same.get()].1.push(position),
            Entry::Vacant(new) => {
                new.insert(self.list.len());
                self.list.push((n, vec![position]));
            }
        }
    }
}

impl Job<'_> {
    /// The students who submitted the same independently of each other. None if these are one student, or one team.
    fn identical(&self, entries: &[&AssignedSubmission]) -> Option<Vec<String>> {
        let team_of = |owner: &str| self.roster.iter().find(|known| known.student == owner)?.team.as_deref();
        let (first, mut others) = entries.split_first().map(|(first, others)| (*first, others.to_vec()))?;
        // Those who have their program from the first, by its place or by a team.
        let mut places = BTreeSet::from([&*first.place]);
        let mut teams: BTreeSet<&str> = team_of(first.owner()).into_iter().collect();
        let is_from = |entry: &AssignedSubmission, places: &BTreeSet<&Path>, teams: &BTreeSet<&str>| {
            places.contains(&*entry.place) || team_of(entry.owner()).is_some_and(|team| teams.contains(team))
        };
        while let Some(at) = others.iter().position(|entry| is_from(entry, &places, &teams)) {
            let entry = others.swap_remove(at);
            places.insert(&entry.place);
            teams.extend(team_of(entry.owner()));
        }
        (!others.is_empty()).then(|| entries.iter().map(|entry| entry.owner().to_owned()).collect())
    }

    /// Decides what must run. Known results are not run again, and identical submissions run once.
    pub(super) fn prepare(&self, out: Option<&OutDir>) -> Result<PreparedRun> {
        let settings = &self.workspace.settings;
        let store = out.map(|_| Store::open(&self.workspace.settings.store_dir()).0);
        let intake = Intake::new(Path::new(""), &self.workspace.languages, self.request.language.as_deref());
        let mut keys: BTreeMap<(usize, &str), Key> = BTreeMap::new();
        let mut prepared = PreparedRun {
            whole: Plan { all_tests: true, one_by_one: true, ..Plan::default() },
            work: Work { plan: Arc::default(), stands_for: Vec::new(), known: Vec::new() },
            submitted: Vec::new(),
            owners: BTreeMap::new(),
            recalled: BTreeSet::new(),
            identical: Vec::new(),
        };
        let mut work = prepared.whole.clone();
        for (at, planned) in self.problems.plan.problems.iter().enumerate() {
            let entries: Vec<&AssignedSubmission> = self.entries.iter().filter(|entry| entry.problem == at).collect();
            if entries.is_empty() && !self.expected.contains(&at) {
                continue;
            }
            let first = prepared.whole.submissions.len();
            let selected = positions(planned);
            let submissions = |entries: &[&AssignedSubmission]| -> Vec<_> {
                let submission = |entry: &&AssignedSubmission| {
                    let submission = submission(entry.name.clone(), entry.program.clone());
                    (Submission { entry_point: entry.starts.clone(), ..submission }, false)
                };
                entries.iter().map(submission).collect()
            };
            let with_factors = |plan: &mut Plan, first: usize, entries: &[&AssignedSubmission]| {
                for (planned, entry) in plan.submissions[first..].iter_mut().zip(entries) {
                    planned.time_factor = entry.time_factor;
                }
            };
            prepared.whole.add(Arc::clone(&planned.problem), |test| selected.contains(&test), submissions(&entries));
            with_factors(&mut prepared.whole, first, &entries);
            let mut same: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
            for (n, entry) in entries.iter().enumerate() {
                same.entry(entry.source).or_default().push(n);
            }
            for group in same.values() {
                let group: Vec<&AssignedSubmission> = group.iter().map(|n| entries[*n]).collect();
                let problem = planned.problem.id.to_string();
                prepared.identical.extend(self.identical(&group).map(|students| Identical { problem, students }));
            }
            let authors = authors_by_place(&entries);
            let mut to_run = ToRun::default();
            for (n, entry) in entries.iter().enumerate() {
                let position = first + n;
                let authors = Some(&authors[&*entry.place]).filter(|authors| authors.len() > 1);
                prepared.submitted.push(Authorship {
                    student: entry.student.clone(),
                    authors: authors.into_iter().flatten().map(|author| (*author).to_owned()).collect(),
                    again: entry.again.clone(),
                    remarks: entry.remarks.clone(),
                    attempt: entry.attempt.number,
                    // Of a single one, the roster has the time.
                    submitted: entry.attempt.submitted.clone().filter(|_| settings.attempts == AttemptChoice::Best),
                    late: entry.late,
                });
                if let (Some(out), Some(store)) = (out, &store) {
                    let language = intake.language_of(&entry.program, entry.starts.as_deref()).unwrap_or_default();
                    let problem = if let Some(key) = keys.get(&(at, language)) {
                        *key
                    } else {
                        let key =
                            result_key::of_problem(self.workspace, planned, language, self.request.feedback, store);
                        let key = key.map_err(|why| anyhow::anyhow!("{}: {why}", planned.problem.id))?;
                        *keys.entry((at, language)).or_insert(key)
                    };
                    let key = result_key::of_result(&problem, &entry.result_source());
                    let others = same[&entry.source].iter().filter(|other| **other != n);
                    let identical = others.map(|other| entries[*other].owner().to_owned()).collect();
                    let attempt = entry.attempt.number.filter(|_| entry.is_one_of_several);
                    let problem = planned.problem.id.to_string();
                    let problem = match attempt {
                        Some(attempt) => format!("{problem} (attempt {attempt})"),
                        None => problem,
                    };
                    let origin = self.request.named_path(self.workspace, &entry.place);
                    let origin = origin.map(|path| Origin { problem: planned.problem.id.to_string(), path });
                    let owner = Owner { student: entry.owner().to_owned(), problem, key, identical, origin };
                    let known = out.recall(&owner, &prepared.whole.submissions[position].id, &planned.names);
                    prepared.owners.insert(position, owner);
                    if let Some(updates) = known {
                        prepared.work.known.extend(updates);
                        prepared.recalled.insert(position);
                        continue;
                    }
                }
                to_run.add(entry.result_source(), n, position);
            }
            let judged: Vec<&AssignedSubmission> = to_run.list.iter().map(|(n, _)| entries[*n]).collect();
            let begin = work.submissions.len();
            work.add(Arc::clone(&planned.problem), |test| selected.contains(&test), submissions(&judged));
            with_factors(&mut work, begin, &judged);
            prepared.work.stands_for.extend(to_run.list.into_iter().map(|(_, stands_for)| stands_for));
        }
        prepared.work.plan = Arc::new(work);
        Ok(prepared)
    }
}
