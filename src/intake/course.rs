//! Gathers the data of a class besides its submissions: the roster, data of platforms about students, lateness, and grades
//! that people decided.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use anyhow::{Result, anyhow, bail};

use super::advice::Misfit;
use super::assign::{AssignedSubmission, AssignedSubmissions};
use super::deadline::{Deadline, is_local};
use super::export::{ExportedStudents, ExportedSubmission};
use super::found_submission::{Author, FoundSubmission};
use super::overrides::ReadOverrides;
use super::platforms::{Identity, MOODLE};
use super::reader::{IgnoreGlob, Intake, listed};
use super::roster::{self, MatchedRoster, Roster, called, names_student};
use super::sharing::{name_teams, share_with_members, share_with_teams};
use super::unjudged::Why;
use super::{Problems, other_problems, overrides};
use crate::course::{FilePoints, Lateness};
use crate::diagnostic::{Diagnostic, Severity};
use crate::event::{Override, RosterStudent};
use crate::glob::Glob;
use crate::workspace::Workspace;
use crate::workspace::ending::EarlyEnd;

/// The students, and what people decided about them.
pub(super) struct Course {
    pub(super) roster: Vec<RosterStudent>,
    pub(super) overrides: Vec<Override>,
    pub(super) exported: ExportedStudents,
}

/// Finds the students of the roster among the authors, gives teams what their members submitted, and says how late each
/// submission is.
///
/// # Errors
/// The deadline is not a time, no time of a submission is known, or the overrides have mistakes, which were reported.
pub(super) fn course(
    intake: &mut Intake<'_>,
    workspace: &Workspace,
    roster_file: Option<&Path>,
    problems: &Problems,
    assigned: &mut AssignedSubmissions,
    is_class: bool,
    (roster, mut exported): (Option<Vec<RosterStudent>>, ExportedStudents),
) -> Result<Course> {
    // Whoever tries a single program below a `grader.toml` with a deadline has no students who are late.
    let deadline = deadline(workspace)?.filter(|_| is_class);
    if deadline.is_none() && is_class && !workspace.settings.late.text().is_empty() {
        bail!("`late` takes nothing away without a deadline\n  → name one: --deadline 2026-01-31T23:59");
    }
    let has_roster = roster.is_some();
    let roster = roster
        .map(|roster| with_roster(intake, assigned, roster, roster_file.unwrap_or(Path::new("")), &mut exported))
        .unwrap_or_default();
    // Students in the roster without a submission get a zero. A team is not a student.
    let authors = assigned.authors();
    exported.retain(|student, said| {
        let is_known = authors.contains(student) || said.is_untouched && !has_roster;
        is_known && !is_team(student, &roster)
    });
    let roster = with_exported(roster, &exported);
    share_with_teams(intake, assigned, &roster, problems);
    share_with_members(intake, assigned, &roster, problems);
    leave_unknown(intake, assigned, &roster);
    assigned.entries.sort_by(|a, b| (a.problem, a.owner()).cmp(&(b.problem, b.owner())));
    let roster = if let Some(deadline) = deadline {
        with_lateness(workspace, assigned, roster, &deadline)?
    } else {
        // Without a deadline, only the mark of a platform says something.
        for entry in &mut assigned.entries {
            entry.late = entry.late.filter(|late| late.is_late());
        }
        roster
    };
    let overrides = read_overrides(workspace, assigned, &roster, problems)?;
    Ok(Course { roster, overrides, exported })
}

/// Whether this is the name of a team, and of no student.
fn is_team(name: &str, roster: &[RosterStudent]) -> bool {
    let is_of_team = |student: &RosterStudent| student.team.as_deref() == Some(name);
    roster.iter().any(is_of_team) && roster.iter().all(|student| student.student != name)
}

/// Gives no zero to students of the roster whose names are in paths outside of the layout.
fn leave_unknown(intake: &mut Intake<'_>, assigned: &mut AssignedSubmissions, roster: &[RosterStudent]) {
    let authors = assigned.authors();
    let (mut told, mut students) = (Vec::new(), BTreeSet::new());
    for student in roster.iter().filter(|student| !authors.contains(&student.student)) {
        let Some(path) = intake.outside.iter().find(|path| names_student(path, student)) else { continue };
        told.push(path.clone());
        students.insert(student.student.clone());
        assigned.misfits.push(Misfit::new(student.student.clone(), None, Why::OutsideLayout));
    }
    if !told.is_empty() {
        let message =
            format!("outside of the layout, with names of students, who therefore get no zeros: {}", listed(&told));
        let remedy = "put them where the layout has them, or leave them out: --ignore";
        intake.error_about(students, Diagnostic::new(Severity::Error, message).remedy(remedy));
    }
}

pub(super) fn exported(taken: &FoundSubmission) -> Option<(String, Rc<ExportedSubmission>)> {
    let Author::Exported(said) = &taken.author else { return None };
    Some((taken.student.clone(), Rc::clone(said)))
}

/// The students of a Moodle export with the numbers by which Moodle finds them, including members of groups in which
/// another student submitted. Second: the members and the students of the roster whose numbers are unknown.
pub(super) fn of_moodle(
    exported: &ExportedStudents,
    roster: &[RosterStudent],
    entries: &[AssignedSubmission],
) -> (BTreeMap<String, Identity>, BTreeSet<PathBuf>) {
    let own = exported.iter().filter(|(_, said)| said.platform == MOODLE && !said.identity.id.is_empty());
    let mut known: BTreeMap<String, Identity> =
        own.map(|(student, said)| (student.clone(), said.identity.clone())).collect();
    let mut unknown = BTreeSet::new();
    let known_as = |student: &str| roster.iter().find(|known| known.student == student);
    // A roster of Moodle has its numbers.
    let is_moodles =
        known.iter().all(|(student, Identity { id, .. })| known_as(student).is_some_and(|of| of.id == *id));
    let is_export = !known.is_empty();
    for entry in entries.iter().filter(|entry| entry.shared_by.is_some() && is_export) {
        let owner = entry.owner().to_owned();
        match known_as(&owner).filter(|_| is_moodles) {
            _ if known.contains_key(&owner) => {}
            Some(RosterStudent { name, id, .. }) => {
                known.insert(owner, Identity { name: name.clone(), id: id.clone() });
            }
            None => drop(unknown.insert(PathBuf::from(owner))),
        }
    }
    if is_export && roster.iter().any(RosterStudent::has_other_number) {
        let others =
            roster.iter().filter(|student| student.listed_as.is_none() && !known.contains_key(&student.student));
        unknown.extend(others.map(|student| PathBuf::from(&student.student)));
    }
    (known, unknown)
}

/// Adds to the roster what the names of exports say.
fn with_exported(mut roster: Vec<RosterStudent>, exported: &ExportedStudents) -> Vec<RosterStudent> {
    for (student, said) in exported {
        let Identity { name, id } = &said.identity;
        match roster.iter_mut().find(|known| known.student == *student) {
            Some(known) => {
                if known.name.is_empty() {
                    known.name.clone_from(name);
                }
                // The number of the participant is not the ID number in the list of participants.
                if said.platform == MOODLE && known.id != *id && known.listed_as.is_none() {
                    known.listed_as = Some(format!("Participant {id}")).filter(|_| !id.is_empty());
                }
            }
            None => roster.push(RosterStudent {
                student: student.clone(),
                id: id.clone(),
                name: name.clone(),
                ..RosterStudent::default()
            }),
        }
    }
    roster
}

/// Finds the students of the roster among the authors, and gives them their extra time. If the roster lacks an
/// author, this author may be any student without a submission, so the points of these students are unknown.
fn with_roster(
    intake: &mut Intake<'_>,
    assigned: &mut AssignedSubmissions,
    roster: Vec<RosterStudent>,
    shown: &Path,
    exported: &mut ExportedStudents,
) -> Vec<RosterStudent> {
    name_teams(assigned, &roster, exported);
    let teams: BTreeSet<&str> = roster.iter().filter_map(|student| student.team.as_deref()).collect();
    let (of_teams, authors): (BTreeSet<String>, BTreeSet<String>) =
        assigned.authors().into_iter().partition(|author| teams.contains(&**author));
    let identity_of = |author: &str| exported.get(author).map(|said| said.identity.clone());
    let MatchedRoster { students, strangers, unclear, candidates, contradicted } =
        roster::matched(roster, &authors.iter().cloned().collect::<Vec<_>>(), identity_of);
    let names = |names: &[String]| listed(&names.iter().map(PathBuf::from).collect::<Vec<_>>());
    if !strangers.is_empty() {
        let message = format!("not in it: {}; so students without a submission may be one of these", names(&strangers));
        let without_zeros = |id: &str| id.trim_start_matches('0').to_owned();
        let lost_zeros = |stranger: &String| {
            students
                .iter()
                .any(|student| !student.id.is_empty() && without_zeros(&student.id) == without_zeros(stranger))
        };
        let remedy = if strangers.iter().any(lost_zeros) {
            "write all digits of the ids: spreadsheets remove zeros at the beginning; until then grader gives no zeros"
        } else {
            "add them, or correct the ids: until then grader gives no zeros"
        };
        intake.error(shown, message, remedy);
    }
    if !unclear.is_empty() {
        let message = format!("several students or submissions have these names: {}", names(&unclear));
        intake.error(shown, message, "make the ids those of the submissions; they are judged without extra time");
    }
    if !contradicted.is_empty() {
        let told: Vec<String> = contradicted.iter().map(|(author, known)| format!("{author} ({known})")).collect();
        let message = format!("ids and names contradict each other: {}; so nobody gets these grades", told.join(", "));
        let remedy =
            "make the ids those of the submissions, or correct the names; leave out the ids of another platform";
        intake.error(shown, message, remedy);
        // Without the id that the platform states, no file for it has these grades.
        for (author, _) in &contradicted {
            exported.remove(author);
        }
    }
    for entry in &mut assigned.entries {
        let student = students.iter().find(|student| student.student == entry.owner());
        entry.time_factor = student.and_then(|student| student.extra_time).unwrap_or(1.0);
    }
    if !strangers.is_empty() || !unclear.is_empty() || !contradicted.is_empty() {
        let is_anybody = !strangers.is_empty() || !contradicted.is_empty();
        let may_be = |student: &&RosterStudent| is_anybody || candidates.contains(&student.student);
        let has_submitted = |student: &RosterStudent| {
            authors.contains(&student.student) || student.team.as_ref().is_some_and(|team| of_teams.contains(team))
        };
        let unknown = students.iter().filter(may_be).filter(|student| !has_submitted(student));
        let unknown = unknown.map(|student| Misfit::new(student.student.clone(), None, Why::NotIdentified));
        assigned.misfits.extend(unknown);
    }
    students
}

/// Parses the globs of paths to ignore.
pub(super) fn ignored(globs: &[String]) -> Result<Vec<IgnoreGlob>> {
    let glob = |text: &String| {
        let glob = Glob::any(text).map_err(|error| anyhow!("`ignore`: `{text}`: {error}"))?;
        Ok(IgnoreGlob { text: text.clone(), glob, has_matched: false })
    };
    globs.iter().map(glob).collect()
}

/// The deadline, if there is one.
fn deadline(workspace: &Workspace) -> Result<Option<Deadline>> {
    let text = &workspace.settings.deadline;
    if text.is_empty() {
        return Ok(None);
    }
    let Some(deadline) = Deadline::parse(text) else {
        let place = workspace.settings.origins.deadline.place().map(|place| format!("{place}: ")).unwrap_or_default();
        bail!("{place}`deadline`: {text} is not a time\n  → write it as 2026-01-31T23:59:00+01:00, in ISO 8601");
    };
    Ok(Some(deadline))
}

/// Says which time zone the times have that state none, if there are any.
fn tell_zone(workspace: &Workspace, deadline: &Deadline, assigned: &AssignedSubmissions, roster: &[RosterStudent]) {
    let text = &workspace.settings.deadline;
    let zone = deadline.zone();
    let of_entries = assigned.entries.iter().filter_map(|entry| entry.attempt.submitted.as_deref());
    let mut times = of_entries.chain(roster.iter().filter_map(|student| student.submitted.as_deref()));
    let message = match (is_local(text), times.any(is_local)) {
        (true, _) => format!("the deadline {text}, and times without an offset, are of the time zone {zone}"),
        (false, true) => format!("times without an offset are of the time zone {zone}"),
        (false, false) => return,
    };
    workspace.tell(&Diagnostic::new(Severity::Info, message));
}

/// Reads the roster. All its mistakes are reported at once.
pub(super) fn read_roster(intake: &mut Intake<'_>, workspace: &Workspace, shown: &Path) -> Result<Roster> {
    let read = roster::read(&workspace.start.join(shown), shown).and_then(|mut roster| {
        if workspace.settings.points == FilePoints::Platform {
            roster.warnings.append(&mut roster.without_maximum);
        }
        if roster.warnings.iter().any(Diagnostic::is_error) {
            return Err(roster.warnings);
        }
        intake.found.append(&mut roster.warnings);
        Ok(roster)
    });
    read.map_err(|mistakes| {
        workspace.tell_found(&mistakes);
        EarlyEnd::Refused.into()
    })
}

/// Says how late each submission is: when the platform or the roster says that it was submitted.
fn with_lateness(
    workspace: &Workspace,
    assigned: &mut AssignedSubmissions,
    mut roster: Vec<RosterStudent>,
    deadline: &Deadline,
) -> Result<Vec<RosterStudent>> {
    tell_zone(workspace, deadline, assigned, &roster);
    for student in &mut roster {
        student.late = student.submitted.as_deref().and_then(|at| deadline.lateness(at, Some(student)));
    }
    let by_place = latest_by_place(assigned, &roster, deadline);
    let mut unknown = BTreeSet::new();
    // Those of whose time only the day is known.
    let mut by_day = BTreeSet::new();
    let mut is_by_mark = false;
    // The latest time in the export of each student.
    let mut exported: BTreeMap<String, String> = BTreeMap::new();
    for entry in &mut assigned.entries {
        // The submitter's lateness counts for everybody who gets it.
        let author = entry.shared_by.as_deref().unwrap_or(entry.owner());
        let student = roster.iter().find(|student| student.student == author);
        let own = entry.attempt.submitted.as_deref().and_then(|at| deadline.lateness(at, student));
        if let (Some(_), Some(at)) = (own, &entry.attempt.submitted) {
            let latest = exported.entry(author.to_owned()).or_default();
            *latest = std::mem::take(latest).max(at.clone());
        }
        let stating = student.filter(|student| student.late.is_some());
        let stating = stating.or_else(|| by_place.get(&entry.place).map(|at| &roster[*at]));
        let roster_time =
            stating.filter(|_| own.is_none()).and_then(|student| Some((student, student.submitted.as_deref()?)));
        if roster_time.is_some_and(|(student, at)| deadline.may_be_later(at, student)) {
            by_day.insert(PathBuf::from(entry.owner()));
        }
        // A time says more than the mark of a platform.
        let late = own.or(stating.and_then(|student| student.late)).map(Lateness::By);
        is_by_mark |= late.is_none() && entry.late.is_some();
        entry.late = late.or(entry.late);
        if entry.late.is_none() {
            unknown.insert(PathBuf::from(entry.owner()));
        }
    }
    show_exported_times(workspace, &mut roster, &exported, deadline);
    if !by_day.is_empty() {
        let names = listed(&by_day.into_iter().collect::<Vec<_>>());
        let message = format!(
            "the roster states only the day of these submissions, so the beginning of that day counts: {names}"
        );
        workspace.tell(&Diagnostic::new(Severity::Info, message).remedy("state the time too, if it matters"));
    }
    if is_by_mark {
        let message = "the export marks late submissions and states no times: those without the mark count as in time";
        workspace.tell(&Diagnostic::new(Severity::Info, message));
    }
    let is_known = assigned.entries.iter().any(|entry| entry.late.is_some())
        || roster.iter().any(|student| student.late.is_some());
    if !is_known && !assigned.entries.is_empty() {
        bail!(
            "the deadline {} needs the times of submissions, and neither the export nor a roster states any\n  → name a \
             roster with a column `submitted`, with times such as 2026-01-31T23:59:00+01:00, or judge without it: --deadline ''",
            workspace.settings.deadline
        );
    }
    if !unknown.is_empty() {
        let names = listed(&unknown.into_iter().collect::<Vec<_>>());
        let message = format!("no time of submission is known, so these count as in time: {names}");
        let found = Diagnostic::new(Severity::Warning, message);
        workspace.tell(&found.remedy("state the times in the column `submitted` of the roster"));
    }
    Ok(roster)
}

/// For each submission, the position in the roster of the latest time among the students for whom it counts. It is the time of
/// a submission whose submitter has none there, such as a team.
fn latest_by_place(
    assigned: &AssignedSubmissions,
    roster: &[RosterStudent],
    deadline: &Deadline,
) -> BTreeMap<PathBuf, usize> {
    let time = |at: usize| roster[at].submitted.as_deref().and_then(|time| deadline.moment(time));
    let mut latest: BTreeMap<PathBuf, usize> = BTreeMap::new();
    for entry in &assigned.entries {
        let row = roster.iter().position(|student| student.student == entry.owner());
        let Some(row) = row.filter(|row| time(*row).is_some()) else { continue };
        let known = latest.entry(entry.place.clone()).or_insert(row);
        if time(row) > time(*known) {
            *known = row;
        }
    }
    latest
}

/// Puts the times of the export into the roster, so that reports show what counts. Names the students whose times differ.
fn show_exported_times(
    workspace: &Workspace,
    roster: &mut [RosterStudent],
    exported: &BTreeMap<String, String>,
    deadline: &Deadline,
) {
    let mut others = Vec::new();
    for student in roster {
        let Some(at) = exported.get(&student.student) else { continue };
        let own = deadline.moment(at);
        if student.submitted.as_deref().is_some_and(|stated| deadline.moment(stated) != own) {
            others.push(PathBuf::from(&student.student));
        }
        student.late = deadline.lateness(at, Some(student));
        student.submitted = Some(at.clone());
    }
    if !others.is_empty() {
        let message =
            format!("the roster states other times than the export; those of the export count: {}", listed(&others));
        let found = Diagnostic::new(Severity::Warning, message);
        workspace.tell(&found.remedy("give more time in the column `extension` of the roster"));
    }
}

/// Reads the grades that people decided. Rows for other problems wait for another run, and a note names these problems.
fn read_overrides(
    workspace: &Workspace,
    assigned: &AssignedSubmissions,
    roster: &[RosterStudent],
    problems: &Problems,
) -> Result<Vec<Override>> {
    let Some(path) = workspace.settings.overrides_file() else { return Ok(Vec::new()) };
    let authors = assigned.authors();
    let student_of = |word: &str| called(word, roster, &authors);
    let shown = &workspace.settings.overrides;
    let of_roster = roster.iter().flat_map(|known| [&*known.student, &*known.id, &*known.name]);
    let people: Vec<&str> =
        of_roster.chain(authors.iter().map(String::as_str)).filter(|name| !name.is_empty()).collect();
    let others = || other_problems(workspace, problems);
    match overrides::read(&path, shown, student_of, &people, &problems.ids(), others) {
        Ok(ReadOverrides { overrides, left_aside }) => {
            if !left_aside.is_empty() {
                let names = listed(&left_aside.into_iter().map(PathBuf::from).collect::<Vec<_>>());
                let message = format!("overrides for {names}, which this run does not judge, wait for a run that does");
                workspace.tell(&Diagnostic::new(Severity::Info, message).about(shown));
            }
            Ok(overrides)
        }
        Err(mistakes) => {
            workspace.tell_found(&mistakes);
            Err(EarlyEnd::Refused.into())
        }
    }
}
