//! Arranges the export of a platform like folders of students: `Ann Lee_12/sum.py`, or `Ann Lee_12/HW 1/sum.py` if it is of
//! several exercises. From there on it is a class like any other.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use jiff::civil::DateTime;

use super::members::MembersFile;
use super::names::{NamedProblem, ProblemNames};
use super::platform_files::{
    AttemptTexts, Gradescope, METADATA, MOST, Stamp, date_of, iso, members_beside, set_date, stamp_beside, stamp_of,
    time, with_whole_login,
};
use super::platforms::{FIRST_VERSION, Identity, PathParts, Platform, TEAMS, UnsubmittedFolder};
use super::reader::{Intake, is_document, listed, text_of};
use super::tree::{Positions, Tree, TreeItem};
use crate::course::AttemptChoice;
use crate::package::archive::{archive_stem, is_junk_name};
use crate::program_files::is_test;

/// The students of exports, with what the platform says about them.
pub(super) type ExportedStudents = BTreeMap<String, Rc<ExportedSubmission>>;

/// A platform's data about a submission of one student.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ExportedSubmission {
    pub(crate) platform: &'static str,
    pub(crate) identity: Identity,
    /// The last name, if the platform says which words of the name it is.
    pub(crate) last_name: Option<String>,
    pub(crate) attempt: Attempt,
    /// Whether the platform calls it late; none if this platform does not mark lateness.
    pub(crate) called_late: Option<bool>,
    /// Whether it has nothing but the files of a template, so nothing was submitted.
    pub(crate) is_untouched: bool,
}

/// Which of several submissions of a student for an exercise it is. Later ones are greater.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Attempt {
    /// The time in ISO 8601, without an offset if the platform states none.
    pub(crate) submitted: Option<String>,
    /// Its number among those of the export, from 1; none if there is only one.
    pub(crate) number: Option<u32>,
}

/// An export, arranged. Each part has at most one attempt of a student for an exercise, the first attempts in the first.
pub(crate) struct Export {
    pub(crate) parts: Vec<ExportPart>,
    /// The files that belong to no student.
    pub(crate) outside: Vec<PathBuf>,
    /// Whether it is of several exercises.
    pub(crate) has_exercises: bool,
}

/// Folders of students.
pub(crate) struct ExportPart {
    pub(crate) tree: Rc<Tree>,
    /// The platform's data about each folder: that of a student, or of an exercise in it.
    pub(crate) said: BTreeMap<PathBuf, ExportedSubmission>,
    /// Where each folder and file was before. The content of a folder moves with it.
    places: BTreeMap<PathBuf, PathBuf>,
    /// The folders that contain nothing but text of an online form.
    pub(crate) texts: Vec<TreeItem>,
}

impl ExportPart {
    /// Where a path was before.
    pub(crate) fn place(&self, path: &Path) -> PathBuf {
        let moved = path.ancestors().find_map(|dir| Some((dir, self.places.get(dir)?)));
        let Some((dir, place)) = moved else {
            return first_in(&self.places, path).cloned().unwrap_or_else(|| path.to_owned());
        };
        match path.strip_prefix(dir) {
            Ok(rest) if !rest.as_os_str().is_empty() => place.join(rest),
            _ => place.clone(),
        }
    }

    /// Returns the platform's data about the folder that contains a path, or about the first exercise in it.
    pub(crate) fn said(&self, path: &Path) -> Option<&ExportedSubmission> {
        path.ancestors().find_map(|dir| self.said.get(dir)).or_else(|| first_in(&self.said, path))
    }
}

/// The first of what is below a folder.
fn first_in<'m, T>(map: &'m BTreeMap<PathBuf, T>, dir: &Path) -> Option<&'m T> {
    let below = (Bound::Excluded(dir.to_owned()), Bound::Unbounded);
    map.range(below).next().filter(|(path, _)| path.starts_with(dir)).map(|(_, found)| found)
}

/// The sort key of attempts: the platform's data, the number in the path, and the version of the files.
type AttemptOrder = (Attempt, (u32, usize));

/// A folder or a file of one student.
#[derive(Debug, Clone)]
struct Unit {
    /// Its path, of an archive with its ending.
    path: PathBuf,
    student: String,
    said: ExportedSubmission,
    parts: PathParts,
    /// Which version of each file, from 0, if the platform puts a time before their names; the last if there are fewer.
    version: usize,
    /// Whether every file in it has several versions, so that their number is that of the attempt.
    has_versions: bool,
}

/// Reads a path, alone or below the name of the whole export, which may be a part of it: `hw1-submissions`.
pub(super) fn read_below(platform: &Platform, shown: &Path, below: &Path, is_file: bool) -> Option<PathParts> {
    let text = |path: &Path| text_of(path.as_os_str().as_encoded_bytes());
    let with_top = || {
        let top = shown.file_name().map(Path::new)?;
        let top = archive_stem(top).unwrap_or_else(|| top.to_owned());
        platform.read(&text(&top.join(below)), is_file)
    };
    platform.read(&text(below), is_file).or_else(with_top)
}

/// Arranges an export. Exercises are folders in the folders of students if there are several, or if one has the name of a
/// problem. `by_problem`: several problems are judged.
pub(crate) fn arranged(
    intake: &mut Intake<'_>,
    tree: &Tree,
    platform: &'static Platform,
    shown: &Path,
    names: &ProblemNames,
    by_problem: bool,
) -> Export {
    let has_template = platform.unsubmitted == UnsubmittedFolder::Template;
    let own = has_template.then(|| without_template(intake, tree, platform, shown));
    let tree = own.as_ref().unwrap_or(tree);
    let positions = tree.items.iter().enumerate().map(|(at, item)| (item.name(), at)).collect();
    let positions: Rc<Positions<'_>> = Rc::new(positions);
    let (mut units, outside) = units(intake, tree, &positions, platform, shown);
    if platform.numbers_files {
        without_numbers(&mut units, names);
    }
    for unit in units.iter_mut().filter(|_| platform.unsubmitted != UnsubmittedFolder::Missing) {
        let has_time = unit.said.attempt.submitted.is_some();
        // An online form that nobody has filled in is an empty text.
        let is_blank =
            |item: &TreeItem| unit.parts.is_text && fs::metadata(&item.path).is_ok_and(|file| file.len() == 0);
        let is_unused = |item: &TreeItem| {
            if item.is_dir { is_untouched(intake, tree, &positions, item) } else { is_blank(item) }
        };
        let item = positions.get(&*unit.path).map(|at| &tree.items[*at]);
        unit.said.is_untouched = !has_time && item.is_some_and(is_unused);
    }
    with_exercise_names(intake, &mut units, shown, names);
    if by_problem {
        with_name_of_export(intake, &mut units, tree, shown, names);
    }
    with_versions(intake.attempts, &mut units, tree, &positions, platform);
    let exercises: BTreeSet<&Option<String>> = units.iter().map(|unit| &unit.parts.exercise).collect();
    let is_problem = |exercise: &str| !matches!(names.meant(exercise), NamedProblem::None);
    let has_exercises = exercises.len() > 1;
    // The folder of the only exercise often has its name, and often that of the course.
    let keeps = has_exercises || exercises.iter().any(|one| one.as_deref().is_some_and(is_problem));
    let mut by_folder: BTreeMap<PathBuf, BTreeMap<AttemptOrder, Vec<Unit>>> = BTreeMap::new();
    for unit in units {
        let exercise = unit.parts.exercise.as_deref().filter(|_| keeps).map(safe);
        let folder = PathBuf::from(safe(&unit.student)).join(exercise.unwrap_or_default());
        let attempt = (unit.said.attempt.clone(), (unit.parts.attempt.unwrap_or_default(), unit.version));
        by_folder.entry(folder.components().collect()).or_default().entry(attempt).or_default().push(unit);
    }
    let count = by_folder.values().map(BTreeMap::len).max().unwrap_or_default();
    let mut parts: Vec<Arranger<'_>> = (0..count).map(|_| Arranger::new(tree, &positions, shown)).collect();
    for (folder, attempts) in by_folder {
        let is_repeated = attempts.len() > 1;
        for (at, (_, mut units)) in attempts.into_iter().enumerate() {
            // Sakai has an empty folder beside the text of an online form.
            if units.iter().any(|unit| !unit.said.is_untouched) {
                units.retain(|unit| !unit.said.is_untouched);
            }
            for unit in &mut units {
                let version = unit.has_versions.then_some(unit.version);
                let number = is_repeated.then_some(at).or(version);
                unit.said.attempt.number = number.map(|at| u32::try_from(at + 1).unwrap_or(u32::MAX));
            }
            if let Err(error) = parts[at].folder(intake, platform, &folder, &units) {
                let place = shown.join(&units[0].path);
                intake.error(&place, format!("cannot be copied: {error}"), "free some space for temporary files");
            }
        }
    }
    Export { parts: parts.into_iter().map(Arranger::finish).collect(), outside, has_exercises }
}

/// Gives files that a platform numbers when they are submitted again the names that programs import: `helper.py` for `helper-1.py`.
/// A name that means a problem, or that two files would have, stays.
fn without_numbers(units: &mut [Unit], names: &ProblemNames) {
    let unnumbered = |file: &str| {
        let (stem, ending) = file.rsplit_once('.')?;
        let (own, number) = stem.rsplit_once('-')?;
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        let is_own = is_number && !own.is_empty() && !matches!(names.meant(stem), NamedProblem::Exactly(_));
        is_own.then(|| format!("{own}.{ending}"))
    };
    let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
    for unit in units.iter() {
        let file = unit.parts.file.clone().unwrap_or_default();
        let names = std::iter::once(file.clone()).chain(unnumbered(&file));
        names.for_each(|name| *counts.entry((unit.student.clone(), name)).or_default() += 1);
    }
    for unit in units {
        let own = unit.parts.file.as_deref().and_then(unnumbered);
        if let Some(own) = own.filter(|own| counts[&(unit.student.clone(), own.clone())] == 1) {
            unit.parts.file = Some(own);
        }
    }
}

/// Whether nothing is left in the folder of a student without the files of the template, those that git adds, and those that
/// the user ignores.
fn is_untouched(intake: &Intake<'_>, tree: &Tree, positions: &Positions<'_>, dir: &TreeItem) -> bool {
    let is_inside = |path: &PathBuf| path.starts_with(&dir.below);
    if tree.refusal_within(&dir.below).is_some() || content(tree, positions, dir).any(|(item, _)| !item.is_dir) {
        return false;
    }
    // A hidden program may be the student's.
    let is_program = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_aside = || tree.aside.iter().any(|item| item.below == *path);
        intake.is_source(Path::new(name.trim_start_matches('.'))) && !tree.template.contains(path) && !is_aside()
    };
    !tree.unopened.iter().any(is_inside) && !tree.ignored.iter().filter(|path| is_inside(path)).any(is_program)
}

/// The tree without the tests and the descriptions of the template: such files with the same content in most repositories.
fn without_template(intake: &mut Intake<'_>, tree: &Tree, platform: &Platform, shown: &Path) -> Tree {
    let repositories: Vec<&Path> = tree.items.iter().filter(|item| item.is_dir).map(|item| &*item.below).collect();
    let is_repository = |dir: &&Path| read_below(platform, shown, dir, false).is_some();
    let repositories: Vec<&Path> = repositories.into_iter().filter(is_repository).collect();
    let mut copies: BTreeMap<(PathBuf, Vec<u8>), Vec<PathBuf>> = BTreeMap::new();
    for item in tree.items.iter().filter(|item| !item.is_dir) {
        let Some(dir) = item.below.ancestors().find(|dir| repositories.contains(dir)) else { continue };
        let Ok(name) = item.below.strip_prefix(dir) else { continue };
        let is_small = || fs::metadata(&item.path).is_ok_and(|file| file.len() <= MOST);
        // A file that cannot be read is reported when it is judged.
        if (is_test(name) || is_document(name))
            && is_small()
            && let Ok(content) = fs::read(&item.path)
        {
            copies.entry((name.to_owned(), content)).or_default().push(item.below.clone());
        }
    }
    copies.retain(|_, places| places.len() > 1 && 2 * places.len() > repositories.len());
    let tests: BTreeSet<PathBuf> = copies.values().flatten().cloned().collect();
    if tests.is_empty() {
        return tree.clone();
    }
    let names: BTreeSet<PathBuf> = copies.into_keys().map(|(name, _)| name).collect();
    let names = listed(&names.into_iter().collect::<Vec<_>>());
    let message = format!("the same in most repositories, so files of the template and no submissions: {names}");
    intake.warning(shown, message, "leave out other files of the template that no program needs: --ignore");
    let mut whole = tree.clone();
    whole.items.retain(|item| !tests.contains(&item.below));
    let is_emptied = |dir: &TreeItem| {
        tests.iter().any(|test| test.starts_with(&dir.below))
            && !tree
                .items
                .iter()
                .any(|item| !item.is_dir && item.below.starts_with(&dir.below) && !tests.contains(&item.below))
    };
    whole.items.retain(|item| !item.is_dir || repositories.contains(&&*item.below) || !is_emptied(item));
    whole.ignored.extend(tests.iter().cloned());
    whole.template = tests;
    whole
}

/// Takes the name of the export, a folder or an archive, as that of the exercise if it is one and no path in it names another.
/// A name that only has that of the exercise in it, such as `PROG1-Sum-4711.zip`, may be that of a week: then files name others.
fn with_name_of_export(intake: &mut Intake<'_>, units: &mut [Unit], tree: &Tree, shown: &Path, names: &ProblemNames) {
    if units.iter().any(|unit| unit.parts.exercise.is_some()) {
        return;
    }
    let Some(name) = shown.file_name().map(Path::new) else { return };
    let stem = archive_stem(name).unwrap_or_else(|| name.to_owned());
    let stem = stem.to_string_lossy();
    let mut id = names.meant(&stem).id();
    if let (None, NamedProblem::Exactly(within)) = (id, names.within(&stem, true, true)) {
        let mut of_files = tree.items.iter().filter_map(|item| names.of_name(item.name()).id());
        if of_files.all(|of_file| of_file == within) {
            intake.forgiven(shown, within);
            id = Some(within);
        }
    }
    if let Some(id) = id {
        for unit in units {
            unit.parts.exercise = Some(id.to_owned());
        }
    }
}

/// Replaces the names of several exercises by those of problems if platforms put more into them: `PROG1-Sum-4711` is `sum`.
fn with_exercise_names(intake: &mut Intake<'_>, units: &mut [Unit], shown: &Path, names: &ProblemNames) {
    let exercises: BTreeSet<String> = units.iter().filter_map(|unit| unit.parts.exercise.clone()).collect();
    // That of a single exercise is often the name of a course or a week, which has several.
    if exercises.len() < 2 {
        return;
    }
    // `Word Count` in `PROG1-Word Count-4712`.
    let by_parts = |exercise: &str| {
        let parts: BTreeSet<&str> = exercise.split('-').filter_map(|part| names.meant(part).id()).collect();
        parts.first().copied().filter(|_| parts.len() == 1)
    };
    for exercise in exercises {
        let id = match (names.meant(&exercise), names.within(&exercise, true, true)) {
            (NamedProblem::None, NamedProblem::Exactly(id)) => Some(id),
            (NamedProblem::None, NamedProblem::None) => by_parts(&exercise),
            _ => None,
        };
        if let Some(id) = id {
            intake.forgiven(&shown.join(&exercise), id);
            let same = units.iter_mut().filter(|unit| unit.parts.exercise.as_ref() == Some(&exercise));
            same.for_each(|unit| unit.parts.exercise = Some(id.to_owned()));
        }
    }
}

/// Chooses the versions of files that students of ILIAS submitted again: the last, the first, or each as an attempt of its own.
fn with_versions(
    attempts: AttemptChoice,
    units: &mut Vec<Unit>,
    tree: &Tree,
    positions: &Positions<'_>,
    platform: &Platform,
) {
    if platform.stamp.is_none() {
        return;
    }
    let versions = |unit: &Unit| {
        let dir = positions.get(&*unit.path).map(|at| &tree.items[*at]).filter(|_| unit.parts.file.is_none());
        let files = dir.map(|dir| stamped(tree, positions, platform, dir)).unwrap_or_default();
        let counts: BTreeSet<usize> = stamps_of(&files).values().map(BTreeSet::len).collect();
        let most = counts.last().copied().unwrap_or(1);
        (most, most > 1 && counts.len() == 1)
    };
    *units = std::mem::take(units)
        .into_iter()
        .flat_map(|unit| {
            let (versions, has_versions) = versions(&unit);
            let chosen = match attempts {
                AttemptChoice::First => 0..1,
                AttemptChoice::Best => 0..versions,
                AttemptChoice::Last => versions - 1..versions,
            };
            chosen.map(move |version| Unit { version, has_versions, ..unit.clone() })
        })
        .collect();
}

/// A file or folder in the folder of a student, with the name that the student gave it, and the time that the platform put before
/// it.
struct StampedFile<'t> {
    item: &'t TreeItem,
    rest: PathBuf,
    stamp: String,
}

/// Lists the items in a student's folder. The content of archives is part of them.
fn stamped<'t>(
    tree: &'t Tree,
    positions: &Positions<'_>,
    platform: &Platform,
    dir: &'t TreeItem,
) -> Vec<StampedFile<'t>> {
    let mut packed: Option<&Path> = None;
    let own = content(tree, positions, dir).filter(|(item, _)| {
        let is_packed = packed.is_some_and(|dir| item.below.starts_with(dir));
        packed = item.archive.is_some().then_some(&*item.below).filter(|_| !is_packed).or(packed);
        !is_packed
    });
    own.map(|(item, rest)| {
        let (rest, stamp) = without_stamp(platform, rest);
        StampedFile { item, rest, stamp }
    })
    .collect()
}

/// The times of the versions of each file.
fn stamps_of<'s>(files: &'s [StampedFile<'_>]) -> BTreeMap<&'s Path, BTreeSet<&'s str>> {
    let mut stamps: BTreeMap<&Path, BTreeSet<&str>> = BTreeMap::new();
    for StampedFile { rest, stamp, .. } in files {
        stamps.entry(rest).or_default().insert(stamp);
    }
    stamps
}

/// Lists the items in a folder of the export, with their paths there. They follow the folder in the tree.
fn content<'t>(
    tree: &'t Tree,
    positions: &Positions<'_>,
    dir: &'t TreeItem,
) -> impl Iterator<Item = (&'t TreeItem, &'t Path)> + use<'t> {
    let at = positions.get(dir.name()).map_or(tree.items.len(), |at| at + 1);
    tree.items[at..].iter().map_while(|item| Some((item, item.below.strip_prefix(&dir.below).ok()?)))
}

/// A part of a path that stays one part.
fn safe(name: &str) -> String {
    let name = name.replace('/', "_");
    if matches!(&*name, "." | "..") { format!("_{name}") } else { name }
}

/// The folders and files of students, and the files that belong to none.
fn units(
    intake: &mut Intake<'_>,
    tree: &Tree,
    positions: &Positions<'_>,
    platform: &'static Platform,
    shown: &Path,
) -> (Vec<Unit>, Vec<PathBuf>) {
    let mut units = Vec::new();
    let mut outside = Vec::new();
    let mut inside: Option<&Path> = None;
    let mut people = Gradescope::default();
    let texts = AttemptTexts::read(platform, tree);
    // Those whose time cannot be read.
    let mut without_time: Vec<PathBuf> = Vec::new();
    let mut said_by = |path: &Path, parts: PathParts, units: &mut Vec<Unit>| {
        let zoned = texts.time_of(&parts);
        let parts = with_whole_login(texts.with_login(parts, &intake.roster), &intake.roster);
        let date = zoned.or_else(|| parts.date.as_deref().and_then(|date| time(platform, date)));
        let stamp = stamp_beside(platform, tree, positions, path);
        if date.is_none() && (parts.date.is_some() || stamp == Stamp::Strange) {
            without_time.push(if parts.date.is_some() { path.to_owned() } else { stamp_of(path) });
        }
        let said = |identity: Identity, submitted: Option<String>| ExportedSubmission {
            platform: platform.name,
            identity,
            last_name: parts.last_name.clone(),
            attempt: Attempt { submitted, number: None },
            called_late: platform.marks_lateness().then_some(parts.is_late),
            is_untouched: false,
        };
        let mut add = |said: ExportedSubmission| {
            let student = said.identity.student();
            units.push(Unit {
                path: path.to_owned(),
                student,
                said,
                parts: parts.clone(),
                version: 0,
                has_versions: false,
            });
        };
        let Some(folder) = &parts.folder else {
            let date = date.or(stamp.time());
            let members = members_beside(platform, tree, positions, path);
            if members.is_empty() {
                let id = parts.identity.id.clone();
                let identity = Identity { name: texts.names.get(&id).unwrap_or(&parts.identity.name).clone(), id };
                return add(said(identity, date));
            }
            for member in members {
                add(said(member, date.clone()));
            }
            return;
        };
        people.open(intake, tree, path.parent().unwrap_or(Path::new("")), shown);
        people.missing.remove(path);
        let Some(known) = people.submissions.get(folder) else {
            if !people.submissions.is_empty() {
                let message = format!("{METADATA} names no student for it");
                intake.error(&shown.join(path), message, "take the unchanged file from the export");
            }
            return add(said(Identity { id: folder.clone(), ..Identity::default() }, None));
        };
        for person in &known.submitters {
            let id = person.sid.clone().or(person.email.clone()).unwrap_or_default();
            add(said(
                Identity { name: person.name.clone().unwrap_or_default(), id },
                known.created_at.as_deref().map(iso),
            ));
        }
    };
    for item in &tree.items {
        if inside.is_some_and(|dir| item.below.starts_with(dir)) {
            continue;
        }
        let path = text_of(item.name().as_os_str().as_encoded_bytes());
        let is_file = !item.is_dir || item.archive.is_some();
        let read = || read_below(platform, shown, item.name(), is_file);
        let is_empty = platform.name == TEAMS && !is_file && content(tree, positions, item).next().is_none();
        let of_empty = || read_below(platform, shown, &item.name().join(FIRST_VERSION), false);
        if let Some(parts) = read().or_else(|| of_empty().filter(|_| is_empty)) {
            inside = Some(&item.below);
            said_by(item.name(), parts, &mut units);
        } else if !item.is_dir && !platform.adds(&path) {
            outside.push(item.below.clone());
        }
    }
    let is_inside = |units: &[Unit], path: &Path| units.iter().any(|unit| path.starts_with(&unit.path));
    // A link in the place of a student's only file.
    for path in &tree.unopened {
        let parts = platform.read(&text_of(path.as_os_str().as_encoded_bytes()), true);
        if let Some(parts) = parts.filter(|_| !is_inside(&units, path)) {
            said_by(path, parts, &mut units);
        }
    }
    if !people.missing.is_empty() {
        let missing: Vec<PathBuf> = people.missing.into_iter().collect();
        let message = format!("{METADATA} names submissions that are not here: {}", listed(&missing));
        intake.error(shown, message, "download the export again: their students have no row");
    }
    if !without_time.is_empty() {
        let message = format!("the times of these cannot be read, so none is known: {}", listed(&without_time));
        intake.warning(shown, message, "state the times in the column `submitted` of the roster");
    }
    (units, outside)
}

/// Builds one part of an export.
struct Arranger<'t> {
    tree: &'t Tree,
    /// The position of each item of the tree, by its name.
    positions: Rc<Positions<'t>>,
    /// The students who have a folder with exercises.
    students: BTreeSet<PathBuf>,
    items: Vec<TreeItem>,
    said: BTreeMap<PathBuf, ExportedSubmission>,
    places: BTreeMap<PathBuf, PathBuf>,
    texts: Vec<TreeItem>,
    ignored: Vec<PathBuf>,
    aside: Vec<TreeItem>,
    members: Vec<Rc<MembersFile>>,
    /// The named path, in messages.
    shown: &'t Path,
    /// The new path of each folder or file that was moved, by its old one.
    moved: BTreeMap<PathBuf, Vec<PathBuf>>,
}

impl<'t> Arranger<'t> {
    fn new(tree: &'t Tree, positions: &Rc<Positions<'t>>, shown: &'t Path) -> Self {
        Self {
            tree,
            positions: Rc::clone(positions),
            shown,
            students: BTreeSet::new(),
            items: Vec::new(),
            texts: Vec::new(),
            members: Vec::new(),
            ignored: Vec::new(),
            aside: Vec::new(),
            said: BTreeMap::new(),
            places: BTreeMap::new(),
            moved: BTreeMap::new(),
        }
    }

    fn item(&self, path: &Path) -> Option<&'t TreeItem> {
        self.positions.get(path).map(|at| &self.tree.items[*at])
    }

    /// Adds the folder of a student, or of an exercise in it, with everything of one attempt.
    fn folder(
        &mut self,
        intake: &mut Intake<'_>,
        platform: &Platform,
        folder: &Path,
        units: &[Unit],
    ) -> io::Result<()> {
        let Some(first) = units.first() else { return Ok(()) };
        // Where files of several exercises lie together, each file has its own mark, and the folder that of the latest.
        let called_late = units.iter().map(|unit| unit.said.called_late).max().flatten();
        self.said.insert(folder.to_owned(), ExportedSubmission { called_late, ..first.said.clone() });
        let (texts, units): (Vec<&Unit>, Vec<&Unit>) = units.iter().partition(|unit| unit.parts.is_text);
        let place = units.first().or(texts.first()).map(|unit| unit.path.clone()).unwrap_or_default();
        self.places.insert(folder.to_owned(), place);
        if units.is_empty() {
            for text in texts {
                if let Some(item) = self.item(&text.path) {
                    self.texts.push(TreeItem { below: folder.to_owned(), ..item.clone() });
                }
            }
            return Ok(());
        }
        if let Some(student) = folder.parent().filter(|student| !student.as_os_str().is_empty())
            && self.students.insert(student.to_owned())
        {
            self.items.push(TreeItem {
                below: student.to_owned(),
                path: intake.fresh_dir()?,
                is_dir: true,
                archive: None,
            });
        }
        if let ([unit], None) = (&units[..], &platform.stamp)
            && let Some(item) = self.item(&unit.path).filter(|item| item.is_dir && unit.parts.file.is_none())
        {
            let archive = item.archive.as_ref().map(|_| folder.with_extension("zip"));
            self.items.push(TreeItem { below: folder.to_owned(), archive, ..item.clone() });
            self.move_content(item, folder);
            return Ok(());
        }
        let dir = intake.fresh_dir()?;
        self.items.push(TreeItem { below: folder.to_owned(), path: dir.clone(), is_dir: true, archive: None });
        let mut last: Option<DateTime> = None;
        let mut last_source: Option<DateTime> = None;
        for unit in units {
            match (&unit.parts.file, self.item(&unit.path)) {
                // A file that systems leave behind, whose name begins with that of the student.
                (Some(file), Some(_)) if is_junk_name(OsStr::new(file)) => self.ignored.push(folder.join(safe(file))),
                (Some(file), Some(item)) if intake.ignores(Path::new(file)) => {
                    self.set_aside(item, folder, Path::new(&safe(file)), &dir)?;
                    self.ignored.push(folder.join(safe(file)));
                }
                (Some(file), Some(item)) if intake.lists_members(OsStr::new(file)) => {
                    let below = folder.join(safe(file));
                    self.members.extend(intake.read_members(&item.path, &below, &self.shown.join(&unit.path)));
                }
                (Some(file), Some(item)) => {
                    let file = PathBuf::from(safe(file));
                    let rest = archive_stem(&file).filter(|_| item.archive.is_some()).unwrap_or(file);
                    self.file(item, folder, &rest, &dir)?;
                    self.said.insert(folder.join(&rest), unit.said.clone());
                }
                (None, Some(of)) => {
                    let files = stamped(self.tree, &self.positions, platform, of);
                    let stamps = stamps_of(&files);
                    for StampedFile { item, rest, stamp } in &files {
                        let versions = &stamps[&**rest];
                        if versions.iter().take(unit.version + 1).next_back() != Some(&&**stamp) {
                            continue;
                        }
                        if !stamp.is_empty() && intake.ignores(rest) {
                            self.set_aside(item, folder, rest, &dir)?;
                            self.ignored.push(folder.join(rest));
                            continue;
                        }
                        self.file(item, folder, rest, &dir)?;
                        if let Some(date) = date_of(platform, stamp) {
                            set_date(&dir.join(rest), date)?;
                            last = last.max(Some(date));
                            if item.archive.is_some() || intake.is_source(rest) {
                                last_source = last_source.max(Some(date));
                            }
                            let version = unit.version.min(versions.len() - 1) + 1;
                            let version = u32::try_from(version).ok().filter(|_| versions.len() > 1);
                            let number = unit.said.attempt.number.or(version);
                            let attempt = Attempt { submitted: Some(date.to_string()), number };
                            self.said.insert(folder.join(rest), ExportedSubmission { attempt, ..unit.said.clone() });
                        }
                    }
                    for (item, rest) in ignored_in(self.tree, of) {
                        self.set_aside(item, folder, rest, &dir)?;
                    }
                    if files.iter().all(|file| !file.stamp.is_empty()) {
                        intake.with_dates(dir.clone());
                    }
                    self.moved.entry(of.below.clone()).or_default().push(folder.to_owned());
                }
                // A link.
                (file, None) => {
                    let below = file.as_deref().map_or_else(|| folder.to_owned(), |file| folder.join(safe(file)));
                    self.moved.entry(unit.path.clone()).or_default().push(below);
                }
            }
        }
        if let Some(said) = self.said.get_mut(folder) {
            // A report after the program makes nobody late.
            let last = last_source.or(last);
            said.attempt.submitted = said.attempt.submitted.take().or(last.map(|last| last.to_string()));
        }
        Ok(())
    }

    /// Adds a file or folder at a path in the folder of a student, whose content on disk is in `dir`. The content of an
    /// archive stays where it was unpacked.
    fn file(&mut self, item: &'t TreeItem, folder: &Path, rest: &Path, dir: &Path) -> io::Result<()> {
        let below = folder.join(rest);
        self.places.insert(below.clone(), item.name().to_owned());
        if let Some(ending) = item.archive.as_deref().map(|archive| archive.extension().unwrap_or_default()) {
            let mut archive = below.clone().into_os_string();
            archive.push(".");
            archive.push(ending);
            self.places.insert(PathBuf::from(&archive), item.name().to_owned());
            self.items.push(TreeItem { below: below.clone(), archive: Some(archive.into()), ..item.clone() });
            self.move_content(item, &below);
            return Ok(());
        }
        let mut path = dir.join(rest);
        if item.is_dir {
            fs::create_dir_all(&path)?;
        } else {
            fs::create_dir_all(path.parent().unwrap_or(dir))?;
            // Whoever opens a file that cannot be read says so.
            if fs::copy(&item.path, &path).is_err() {
                path.clone_from(&item.path);
            }
        }
        self.items.push(TreeItem { below, path, is_dir: item.is_dir, archive: None });
        Ok(())
    }

    /// Copies an ignored file to a path in the folder of a student, for the programs there that use it.
    fn set_aside(&mut self, item: &TreeItem, folder: &Path, rest: &Path, dir: &Path) -> io::Result<()> {
        // The programs that use a file that cannot be read fail, and say so.
        let path = dir.join(rest);
        fs::create_dir_all(path.parent().unwrap_or(dir))?;
        if !item.is_dir && fs::copy(&item.path, &path).is_ok() {
            self.aside.push(TreeItem { below: folder.join(rest), path, is_dir: false, archive: None });
        }
        Ok(())
    }

    /// Moves what is in a folder of the export. It stays where it is on disk.
    fn move_content(&mut self, from: &'t TreeItem, to: &Path) {
        for (item, rest) in content(self.tree, &self.positions, from) {
            let archive = item.archive.as_deref().and_then(|archive| archive.strip_prefix(&from.below).ok());
            let archive = archive.map(|archive| to.join(archive));
            self.items.push(TreeItem { below: to.join(rest), archive, ..item.clone() });
        }
        let aside = ignored_in(self.tree, from).map(|(item, rest)| TreeItem { below: to.join(rest), ..item.clone() });
        self.aside.extend(aside);
        self.moved.entry(from.below.clone()).or_default().push(to.to_owned());
    }

    fn finish(mut self) -> ExportPart {
        self.items.sort_by(|a, b| a.below.cmp(&b.below));
        let moved = |path: &Path| -> Vec<PathBuf> {
            let found = path.ancestors().find_map(|dir| Some((dir, self.moved.get(dir)?)));
            let Some((dir, targets)) = found else { return Vec::new() };
            let rest = path.strip_prefix(dir).unwrap_or(Path::new(""));
            targets.iter().map(|target| target.join(rest).components().collect()).collect()
        };
        let all = |paths: &[PathBuf]| paths.iter().flat_map(|path| moved(path)).collect::<Vec<_>>();
        let refused = self.tree.refused.iter().flat_map(|(path, why)| moved(path).into_iter().map(|path| (path, *why)));
        let members = self
            .tree
            .members
            .iter()
            .flat_map(|file| moved(&file.below).into_iter().map(|below| Rc::new(file.moved_to(below))));
        let tree = Tree {
            template: BTreeSet::new(),
            refused: refused.collect(),
            whole: self.tree.whole,
            unopened: all(&self.tree.unopened),
            ignored: [all(&self.tree.ignored), self.ignored].concat(),
            aside: self.aside,
            members: members.chain(self.members).collect(),
            items: self.items,
        };
        ExportPart { tree: Rc::new(tree), said: self.said, places: self.places, texts: self.texts }
    }
}

/// The ignored files in a folder of the export, with their paths there.
fn ignored_in<'t>(tree: &'t Tree, dir: &'t TreeItem) -> impl Iterator<Item = (&'t TreeItem, &'t Path)> {
    tree.aside.iter().filter_map(|item| Some((item, item.below.strip_prefix(&dir.below).ok()?)))
}

/// The name that a student gave to a file, and the time that the platform put before it.
fn without_stamp(platform: &Platform, below: &Path) -> (PathBuf, String) {
    let name = below.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let found = platform.stamp.as_ref().and_then(|stamp| stamp.captures(&name));
    match found {
        Some(parts) => (below.with_file_name(&parts["file"]), parts["date"].to_owned()),
        None => (below.to_owned(), String::new()),
    }
}
