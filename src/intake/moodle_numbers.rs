//! Finds the same people in several assignments of Moodle, which numbers its participants anew for each (`Ann Lee_11`,
//! `Ann Lee_21`; table `assign_user_mapping`).

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::found_submission::{Author, FoundSubmission};
use super::platforms::{Identity, MOODLE};
use super::reader::listed;
use crate::diagnostic::{Diagnostic, Severity};
use crate::report::text::count;

/// Calls students by their names if the numbers of some differ between assignments. Two people with one name in an assignment
/// keep their numbers: nothing says which number in another assignment is theirs. Returns a warning if names decide, and these
/// students.
pub(super) fn join(taken: &mut [FoundSubmission]) -> (Option<Diagnostic>, BTreeSet<String>) {
    let mut numbers: BTreeMap<&str, BTreeMap<PathBuf, BTreeSet<&str>>> = BTreeMap::new();
    for found in &*taken {
        if let Some(identity) = identity(found) {
            let assignment = assignment(&found.place, identity);
            numbers.entry(&identity.name).or_default().entry(assignment).or_default().insert(&identity.id);
        }
    }
    let is_clear = |of: &BTreeMap<PathBuf, BTreeSet<&str>>| of.values().all(|numbers| numbers.len() == 1);
    let is_renumbered = |of: &BTreeMap<PathBuf, BTreeSet<&str>>| of.values().collect::<BTreeSet<_>>().len() > 1;
    let clear = || numbers.iter().filter(|(_, of)| is_clear(of));
    let renumbered = clear().filter(|(_, of)| is_renumbered(of)).count();
    if renumbered == 0 {
        return (None, BTreeSet::new());
    }
    let unclear = numbers.iter().filter(|(_, of)| !is_clear(of) && is_renumbered(of));
    let unclear: BTreeSet<String> = unclear.map(|(name, _)| (*name).to_owned()).collect();
    let clear: BTreeSet<String> = clear().map(|(name, _)| (*name).to_owned()).collect();
    let mut namesakes = BTreeSet::new();
    for found in taken {
        let Author::Exported(said) = &mut found.author else { continue };
        if said.platform == MOODLE && unclear.contains(&said.identity.name) {
            namesakes.insert(found.student.clone());
        }
        if said.platform == MOODLE && clear.contains(&said.identity.name) {
            Rc::make_mut(said).identity.id.clear();
            found.student.clone_from(&said.identity.name);
        }
    }
    let message = format!(
        "Moodle numbers participants anew for each assignment: the numbers of {} differ, so names decide who is who",
        count(renumbered, "student")
    );
    let message = if unclear.is_empty() {
        message
    } else {
        let names: Vec<PathBuf> = unclear.into_iter().map(PathBuf::from).collect();
        format!("{message}; several students have these names, so they get no totals: {}", listed(&names))
    };
    let remedy = "if two of them have one name, or for Moodle's own files, judge each assignment by itself";
    (Some(Diagnostic::new(Severity::Warning, message).remedy(remedy)), namesakes)
}

/// The student's identity in Moodle, if the name and the number are known.
fn identity(found: &FoundSubmission) -> Option<&Identity> {
    let Author::Exported(said) = &found.author else { return None };
    let is_whole = said.platform == MOODLE && !said.identity.name.is_empty() && !said.identity.id.is_empty();
    is_whole.then_some(&said.identity)
}

/// The folder of the assignment: that above what is named like the student.
fn assignment(place: &Path, identity: &Identity) -> PathBuf {
    let student = identity.student();
    let is_student = |part: &Path| part.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&student));
    let of_student = place.ancestors().filter(|part| is_student(part)).last();
    of_student.and_then(Path::parent).unwrap_or(Path::new("")).to_owned()
}
