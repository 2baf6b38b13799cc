//! Shares submissions: with the other members of a team, and with students whom a file in the submission names. A student's
//! own submission counts first.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::Problems;
use super::advice::Misfit;
use super::assign::{AssignedSubmission, AssignedSubmissions};
use super::export::ExportedStudents;
use super::members::MembersFile;
use super::names::folded;
use super::reader::{Intake, listed};
use super::roster::{NameMatch, called, is_student};
use super::unjudged::Why;
use crate::diagnostic::{Diagnostic, Severity};
use crate::event::RosterStudent;
use crate::problem::ProblemId;
use crate::store::Key;

/// Submissions of others that count for a student too.
struct Offer {
    entries: Vec<AssignedSubmission>,
    misfits: Vec<Misfit>,
    /// Why the student gets it: `by ann for team red`.
    why: String,
    /// Where that is said, in messages.
    said: String,
}

impl Offer {
    /// The submissions of one author.
    fn of(assigned: &AssignedSubmissions, owner: &str, why: String, said: String) -> Self {
        let entries = assigned.entries.iter().filter(|entry| entry.owner() == owner).cloned().collect();
        let misfits = assigned.misfits.iter().filter(|misfit| misfit.student == owner).cloned().collect();
        Self { entries, misfits, why, said }
    }

    /// Its programs for a problem; none if it has nothing for it. Something that cannot be judged is not one of them.
    fn for_problem(&self, at: usize, id: &ProblemId) -> Option<BTreeSet<Key>> {
        let entries = self.entries.iter().filter(|entry| entry.problem == at);
        let programs: BTreeSet<Key> = entries.map(|entry| entry.source).collect();
        let is_left_out = self.misfits.iter().any(|misfit| misfit.problem.as_ref() == Some(id));
        (!programs.is_empty() || is_left_out).then_some(programs)
    }
}

/// Calls authors like the teams of the roster that they are: platforms write `redteam_55` and `red-team` for `Red Team`.
pub(super) fn name_teams(
    assigned: &mut AssignedSubmissions,
    roster: &[RosterStudent],
    exported: &mut ExportedStudents,
) {
    let teams: BTreeSet<&str> = roster.iter().filter_map(|student| student.team.as_deref()).collect();
    let mut called: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for author in assigned.authors() {
        if teams.contains(&*author) || is_student(&author, roster) {
            continue;
        }
        let name = exported.get(&author).map(|said| folded(&said.identity.name)).filter(|name| !name.is_empty());
        let is_it = |team: &&&str| folded(team) == folded(&author) || name.as_ref() == Some(&folded(team));
        if let [team] = teams.iter().filter(is_it).collect::<Vec<_>>()[..] {
            called.entry(*team).or_default().push(author);
        }
    }
    for (team, authors) in called {
        // Two authors may be two teams, or one.
        let ([author], false) = (&authors[..], assigned.authors().contains(team)) else { continue };
        exported.remove(author);
        for entry in assigned.entries.iter_mut().filter(|entry| entry.owner() == author) {
            entry.student = Some(team.to_owned());
        }
        for misfit in assigned.misfits.iter_mut().filter(|misfit| misfit.student == *author) {
            team.clone_into(&mut misfit.student);
        }
    }
}

/// Gives each member of a team what another member, or somebody called like the team, submitted.
pub(super) fn share_with_teams(
    intake: &mut Intake<'_>,
    assigned: &mut AssignedSubmissions,
    roster: &[RosterStudent],
    problems: &Problems,
) {
    let teams: BTreeSet<&str> = roster.iter().filter_map(|student| student.team.as_deref()).collect();
    for team in teams {
        let members = roster.iter().filter(|student| student.team.as_deref() == Some(team));
        let members: BTreeSet<&str> = members.map(|member| &*member.student).collect();
        let offer = |owner: &&str| {
            let by = if *owner == team { String::new() } else { format!("by {owner} ") };
            Offer::of(assigned, owner, format!("{by}for team {team}"), format!("{owner} of team {team}"))
        };
        let is_member = members.contains(team);
        let is_other = !is_member && roster.iter().any(|student| student.student == team);
        if is_other {
            let message =
                format!("the team {team} is called like a student; {team}'s submissions count for this student only");
            intake
                .found
                .push(Diagnostic::new(Severity::Warning, message).remedy("call the team otherwise in the roster"));
        }
        let owners: BTreeSet<&str> = members.iter().copied().chain(Some(team).filter(|_| !is_other)).collect();
        let offers: BTreeMap<&str, Offer> = owners.iter().map(|owner| (*owner, offer(owner))).collect();
        for member in &members {
            let others: Vec<&Offer> =
                offers.iter().filter(|(owner, _)| *owner != member).map(|(_, offer)| offer).collect();
            share(intake, assigned, member, &others, problems);
        }
        let is_student = is_member || is_other;
        assigned.entries.retain(|entry| entry.owner() != team || is_student);
        assigned.misfits.retain(|misfit| misfit.student != team || is_student);
    }
}

/// Gives each student whom a file in a submission names what its author submitted.
pub(super) fn share_with_members(
    intake: &mut Intake<'_>,
    assigned: &mut AssignedSubmissions,
    roster: &[RosterStudent],
    problems: &Problems,
) {
    let authors = assigned.authors();
    let own = assigned.entries.iter().filter(|entry| entry.shared_by.is_none());
    let own = own.map(|entry| (entry.owner(), &entry.members));
    let all = own.chain(assigned.misfits.iter().map(|misfit| (&*misfit.student, &misfit.members)));
    let mut files: BTreeMap<&Path, (&Rc<MembersFile>, BTreeSet<&str>)> = BTreeMap::new();
    for (owner, members) in all {
        for file in members {
            files.entry(&file.shown).or_insert((file, BTreeSet::new())).1.insert(owner);
        }
    }
    let mut offers: BTreeMap<String, Vec<Offer>> = BTreeMap::new();
    let mut is_anybody_unknown = false;
    for (file, owners) in files.into_values() {
        let [owner] = owners.iter().collect::<Vec<_>>()[..] else {
            let message = "lists authors, but the submissions beside it are of several students; ignored";
            intake.warning(&file.shown, message, "move it into the folder of one student");
            continue;
        };
        let is_nearest = |members: &[Rc<MembersFile>]| members.last().is_some_and(|last| Rc::ptr_eq(last, file));
        let (mut unknown, mut unclear) = (Vec::new(), Vec::new());
        for (line, word) in &file.words {
            match called(word, roster, &authors) {
                NameMatch::One(member) if member == **owner => {}
                NameMatch::One(member) => {
                    let said = format!("line {line} of {}", file.shown.display());
                    let list = file.shown.file_name().unwrap_or_default().to_string_lossy();
                    let why = format!("by {owner}, whose {list} names you");
                    let mut offer = Offer::of(assigned, owner, why, said);
                    offer.entries.retain(|entry| is_nearest(&entry.members) && entry.shared_by.is_none());
                    offer.misfits.retain(|misfit| is_nearest(&misfit.members));
                    offers.entry(member).or_default().push(offer);
                }
                NameMatch::Several => unclear.push(PathBuf::from(format!("{word} (line {line})"))),
                NameMatch::Nobody => unknown.push(PathBuf::from(format!("{word} (line {line})"))),
            }
        }
        if !unknown.is_empty() {
            let message = format!("nobody is called {}", listed(&unknown));
            let remedy = "write one id or name a line, as in the roster (--roster); until then grader gives no zeros";
            intake.error(&file.shown, message, remedy);
            is_anybody_unknown = true;
        }
        if !unclear.is_empty() {
            let message = format!("several students are called {}", listed(&unclear));
            intake.error(&file.shown, message, "write the id instead of the name");
        }
    }
    for (member, offers) in offers {
        share(intake, assigned, &member, &offers.iter().collect::<Vec<_>>(), problems);
    }
    if is_anybody_unknown {
        // The unknown name may mean any student without a submission.
        let authors = assigned.authors();
        let absent = roster.iter().filter(|student| !authors.contains(&student.student));
        let unknown = absent.map(|student| Misfit::new(student.student.clone(), None, Why::NotIdentified));
        assigned.misfits.extend(unknown);
    }
}

/// Gives a student the submissions of others for problems without a submission of the student. If these submissions differ
/// for a problem, none counts.
fn share(
    intake: &mut Intake<'_>,
    assigned: &mut AssignedSubmissions,
    student: &str,
    offers: &[&Offer],
    problems: &Problems,
) {
    for (at, planned) in problems.plan.problems.iter().enumerate() {
        let id = &planned.problem.id;
        if assigned.entries.iter().any(|entry| entry.owner() == student && entry.problem == at) {
            continue;
        }
        let found = offers.iter().filter_map(|offer| Some((*offer, offer.for_problem(at, id)?)));
        let found: Vec<(&Offer, BTreeSet<Key>)> = found.collect();
        let Some(((offer, programs), others)) = found.split_first() else { continue };
        if others.iter().any(|(_, other)| other != programs) {
            let said: Vec<&str> = found.iter().map(|(offer, _)| &*offer.said).collect();
            let message = format!("`{student}` is an author of different submissions for {id}: {}", said.join(", "));
            let remedy = "ask which one counts and remove the others, or give points in the file of overrides";
            let place = offer.entries.iter().find(|entry| entry.problem == at).map(|entry| entry.place.clone());
            let error = Diagnostic::new(Severity::Error, message).about_any(place.clone());
            intake.found.push(error.remedy(remedy));
            let misfit = Misfit::new(student.to_owned(), Some(id.clone()), Why::SeveralAuthors);
            assigned.misfits.push(Misfit { place, ..misfit });
            continue;
        }
        for entry in offer.entries.iter().filter(|entry| entry.problem == at) {
            let remarks = [entry.remarks.clone(), vec![format!("submitted {}", offer.why)]];
            let shared_by = Some(entry.owner().to_owned());
            let student = Some(student.to_owned());
            assigned.entries.push(AssignedSubmission {
                student,
                shared_by,
                remarks: remarks.concat(),
                ..entry.clone()
            });
        }
    }
    // An unjudged submission is not a zero for the others.
    for misfit in offers.iter().flat_map(|offer| &offer.misfits) {
        if !has_submitted(assigned, student, misfit.problem.as_ref(), problems) {
            assigned.misfits.push(Misfit { student: student.to_owned(), members: Vec::new(), ..misfit.clone() });
        }
    }
}

/// Whether somebody submitted something for a problem, or for any if it is unknown for which.
fn has_submitted(
    assigned: &AssignedSubmissions,
    student: &str,
    problem: Option<&ProblemId>,
    problems: &Problems,
) -> bool {
    let is_it = |at: usize| problem.is_none_or(|problem| problems.plan.problems[at].problem.id == *problem);
    assigned.entries.iter().any(|entry| entry.owner() == student && is_it(entry.problem))
        || assigned
            .misfits
            .iter()
            .any(|misfit| misfit.student == student && (problem.is_none() || misfit.problem.as_ref() == problem))
}
