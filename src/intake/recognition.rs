//! Recognises the export of a platform by the names in it.

use std::collections::BTreeSet;
use std::path::Path;

use super::export::read_below;
use super::platforms::{PLATFORMS, PathParts, Platform};
use super::reader::{is_document, text_of};
use super::roster::is_student;
use super::tree::{Tree, TreeItem};
use crate::event::RosterStudent;

/// The platforms whose export a tree may be.
pub(crate) enum Recognition {
    /// Its export, perhaps with some other files.
    Export(&'static Platform),
    /// Its export, because most of the students in its names are in the roster.
    ByRoster(&'static Platform),
    /// Some files have names of this platform, but most have not.
    Partly(&'static Platform),
    /// All files have names of each of these platforms, and other folders look the same.
    Perhaps(Vec<(&'static Platform, Fit)>),
    /// No file has the name of a platform.
    None,
}

/// How the files of a tree fit the names of a platform.
#[derive(Default)]
pub(crate) struct Fit {
    /// The folders and files of students.
    pub(crate) units: usize,
    /// Those of students of the roster.
    pub(crate) enrolled: usize,
    /// The files that are of no student.
    others: usize,
    /// The exercises, the students, and the numbers of their work.
    exercises: BTreeSet<Option<String>>,
    students: BTreeSet<String>,
    participations: BTreeSet<String>,
}

impl Fit {
    fn is_whole(&self) -> bool {
        self.units > 0 && self.others == 0
    }

    /// Whether each student's work has a number of its own, all for one exercise. Other folders number exercises.
    fn is_numbered(&self) -> bool {
        let each = |count: usize| count == self.units;
        self.units > 2
            && self.exercises.len() == 1
            && each(self.students.len())
            && each(self.participations.len())
            && self.participations.iter().all(|number| number.len() > 1)
    }
}

fn fit(platform: &Platform, tree: &Tree, shown: &Path, roster: &[RosterStudent]) -> Fit {
    let mut seen: Option<&Path> = None;
    let mut fit = Fit::default();
    for item in &tree.items {
        if seen.is_some_and(|dir| item.below.starts_with(dir)) {
            continue;
        }
        let path = text_of(item.name().as_os_str().as_encoded_bytes());
        let is_file = !item.is_dir || item.archive.is_some();
        if let Some(parts) = read_below(platform, shown, item.name(), is_file) {
            let PathParts { identity, exercise, participation, .. } = parts;
            seen = Some(&item.below);
            fit.units += 1;
            fit.exercises.insert(exercise);
            fit.students.insert(identity.student());
            fit.participations.extend(participation);
            let mut words = [&identity.id, &identity.name].into_iter().filter(|word| !word.is_empty());
            let is_known = |word: &str| {
                is_student(word, roster) || roster.iter().any(|student| student.team.as_deref() == Some(word))
            };
            fit.enrolled += usize::from(words.any(|word| is_known(word)));
        } else if !item.is_dir && !platform.adds(&path) && !is_document(&item.below) {
            fit.others += 1;
        }
    }
    fit
}

/// Finds the platform of an export: the one to which every file belongs, or else the one with most files, if these are more
/// than the others. Names that other folders have too need most of their students in the roster.
pub(crate) fn recognised(tree: &Tree, shown: &Path, roster: &[RosterStudent]) -> Recognition {
    let is_proven = |platform: &Platform| {
        let path = |item: &TreeItem| text_of(item.name().as_os_str().as_encoded_bytes());
        tree.items.iter().any(|item| platform.proves(&path(item)))
    };
    let all = PLATFORMS.iter().map(|platform| (platform, fit(platform, tree, shown, roster)));
    let (sure, others): (Vec<_>, Vec<_>) =
        all.partition(|(platform, fit)| platform.is_recognised || fit.is_numbered() || is_proven(platform));
    let (whole, counted): (Vec<_>, Vec<_>) = sure.into_iter().partition(|(_, fit)| fit.is_whole());
    match whole[..] {
        [(first, _), ..] if whole.len() == 1 || whole.iter().all(|(platform, _)| platform.is_recognised) => {
            return Recognition::Export(first);
        }
        [] => {}
        _ => return Recognition::Perhaps(whole),
    }
    if counted.iter().all(|(_, fit)| fit.units == 0) {
        let like: Vec<(&Platform, Fit)> =
            others.into_iter().filter(|(_, fit)| fit.is_whole() && fit.units > 1).collect();
        let mut enrolled = like.iter().filter(|(_, fit)| 2 * fit.enrolled > fit.units);
        return match (enrolled.next(), enrolled.next()) {
            (Some((platform, _)), None) => Recognition::ByRoster(platform),
            (_, _) if like.is_empty() => Recognition::None,
            (_, _) => Recognition::Perhaps(like),
        };
    }
    match counted.into_iter().max_by_key(|(_, fit)| fit.units) {
        Some((platform, fit)) if fit.units > fit.others => Recognition::Export(platform),
        // One name may be an accident.
        Some((platform, Fit { units: 2.., .. })) => Recognition::Partly(platform),
        Some(_) | None => Recognition::None,
    }
}
