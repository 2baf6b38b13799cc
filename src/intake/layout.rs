//! Finds students and problems in paths, by a template or by the names that platforms use.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use thiserror::Error;

use crate::event::RosterStudent;
use crate::glob::{Template, TemplateError};
use crate::intake::advice::cannot_be_program;
use crate::intake::export::{ExportPart, arranged};
use crate::intake::found_submission::{Aim, Author, FoundSubmission, SubmittedFiles};
use crate::intake::members::MembersFile;
use crate::intake::names::{NamedProblem, ProblemNames, exercise_option};
use crate::intake::path_template::{PathTemplate, Reading, matched};
use crate::intake::platforms::{PLATFORMS, Platform};
use crate::intake::reader::{Intake, is_document, listed, text_of};
use crate::intake::roster;
use crate::intake::several_files;
use crate::intake::tree::{Tree, TreeItem};
use crate::intake::unjudged::Why;
use crate::program_files::is_main;
use crate::suggest;

/// The rule for reading paths.
pub(crate) enum FolderLayout {
    /// `{student}/{problem}.*`.
    Template(PathTemplate),
    /// An export of a platform.
    Export(&'static Platform),
}

/// Why a text is not a layout.
#[derive(Debug, Error)]
pub(crate) enum LayoutError {
    /// It is not a valid template.
    #[error(transparent)]
    Template(#[from] TemplateError),
    /// The template lacks `{student}`.
    #[error("it does not say where the `{{student}}` is; for example `{{student}}/{{problem}}.*`")]
    NoStudent,
    /// It is a word, and no platform has this name.
    #[error("there is no such layout{}\n  → choose one of {}; `--layout list` explains them", 
        suggest::did_you_mean(.0, names()).map(|near| format!(": {near}")).unwrap_or_default(), names().collect::<Vec<_>>().join(", "))]
    NoPlatform(String),
}

impl FolderLayout {
    /// Reads the name of a platform or a template with `{student}`.
    pub(crate) fn parse(text: &str) -> Result<Self, LayoutError> {
        match Platform::parse(text) {
            Some(platform) => Ok(Self::Export(platform)),
            None if text.chars().all(char::is_alphanumeric) => Err(LayoutError::NoPlatform(text.to_owned())),
            None => Ok(Self::Template(PathTemplate::new(text)?.ok_or(LayoutError::NoStudent)?)),
        }
    }

    /// Whether paths name the problem.
    pub(crate) fn names_problem(&self) -> bool {
        matches!(self, Self::Template(template) if template.names_problem())
    }

    /// The ending of every file that it matches, if it states one: `py`.
    pub(crate) fn ending(&self) -> Option<&str> {
        let Self::Template(template) = self else { return None };
        let (_, ending) = template.text.rsplit('/').next()?.rsplit_once('.')?;
        ending.chars().all(char::is_alphanumeric).then_some(ending).filter(|ending| !ending.is_empty())
    }

    /// All submissions below a path; paths that do not fit are reported. `by_problem`: there are several problems, so paths
    /// in exports name them.
    pub(crate) fn take(
        &self,
        intake: &mut Intake<'_>,
        tree: Rc<Tree>,
        shown: &Path,
        names: &ProblemNames,
        by_problem: bool,
    ) -> Vec<FoundSubmission> {
        match (self, tree) {
            (Self::Template(template), tree) => {
                let mut sorter = Sorter::new(intake, tree, shown, names, None);
                match template.depth.filter(|depth| template.student_at + 1 == *depth && !template.names_problem()) {
                    Some(_) => sorter.students(false, template),
                    None => sorter.take(template),
                }
                let unlike = "change the layout: it must match the path of a file or directory below this one";
                let has_folders = template.depth.is_some_and(|depth| template.student_at + 1 < depth);
                let remedy = match sorter.name_to_state().filter(|_| template.names_problem() && has_folders) {
                    Some(option) => {
                        format!(
                            "change the layout to judge them, or name their problem: {option}; grader skips them now"
                        )
                    }
                    None => "change the layout to judge them; grader skips them now".to_owned(),
                };
                sorter.finish(&template.text, &remedy, unlike)
            }
            (Self::Export(platform), tree) => {
                let export = arranged(intake, &tree, platform, shown, names, by_problem);
                let meant = |part: &ExportPart| MeantProblems::by_folder(&part.tree, names, intake, 1).into_values();
                let by_problem = by_problem || export.has_exercises || names_say(export.parts.iter().flat_map(meant));
                let mut taken = Vec::new();
                let mut strange = export.outside.clone();
                let mut option = None;
                let students = PathTemplate::new("{student}").ok().flatten().expect("it is a layout");
                for part in &export.parts {
                    let mut sorter = Sorter::new(intake, Rc::clone(&part.tree), shown, names, Some(part));
                    sorter.has_exercises = export.has_exercises;
                    sorter.students(by_problem, &students);
                    sorter.texts();
                    option = option.or_else(|| sorter.name_to_state());
                    strange.extend(sorter.strange.iter().map(|path| part.place(path)));
                    taken.append(&mut sorter.taken);
                }
                let is_lost = |path: &PathBuf| export.outside.contains(path) && intake.is_source(path);
                let lost: Vec<PathBuf> = strange.iter().filter(|path| is_lost(path)).cloned().collect();
                if !taken.is_empty() && !lost.is_empty() {
                    let name = platform.name;
                    let message = format!("no student in these names as `{name}` writes them: {}", listed(&lost));
                    let remedy =
                        "give them the names that the others have, or leave them out: --ignore; grader skips them now";
                    intake.error(shown, message, remedy);
                    strange.retain(|path| !lost.contains(path));
                    intake.outside.extend(lost);
                }
                let sorter = Sorter { taken, strange, ..Sorter::new(intake, Rc::default(), shown, names, None) };
                let remedy = match option {
                    Some(option) => {
                        format!("name the problem of those that are submissions: {option}; grader skips them now")
                    }
                    None => "grader skips them; if they are never submissions, leave them out: --ignore".to_owned(),
                };
                let unlike = format!("it matches names such as {}; name another layout or folder", platform.example);
                sorter.finish(platform.name, &remedy, &unlike)
            }
        }
    }
}

/// What names in the folder of a student mean, if a single problem is judged.
#[derive(Debug, Clone, Copy, Default)]
struct MeantProblems {
    /// Whether a name means the problem that is judged.
    own: bool,
    /// What has names of other problems.
    others: OtherNames,
    has_program: bool,
}

/// What in the folder of a student has names of problems that are not judged.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum OtherNames {
    #[default]
    Nothing,
    /// Files that are no programs.
    Files,
    /// Programs, or folders with one.
    Programs,
}

impl MeantProblems {
    /// For each folder so deep in a tree.
    fn by_folder(tree: &Tree, names: &ProblemNames, intake: &Intake<'_>, depth: usize) -> BTreeMap<PathBuf, Self> {
        let mut found: BTreeMap<PathBuf, Self> = BTreeMap::new();
        let is_program = |item: &TreeItem| !item.is_dir && intake.is_source(&item.path);
        let programs: Vec<&TreeItem> = tree.items.iter().filter(|item| is_program(item)).collect();
        let with_programs: BTreeSet<&Path> = programs.iter().flat_map(|item| item.below.ancestors()).collect();
        for item in tree.items.iter().filter(|item| item.below.iter().count() > depth) {
            let folder = found.entry(item.below.iter().take(depth).collect()).or_default();
            let is_program = with_programs.contains(&*item.below);
            folder.has_program |= is_program;
            let name = item.below.file_name().unwrap_or_default().to_string_lossy();
            let without_endings = Path::new(name.split('.').next().unwrap_or_default());
            for id in [&*item.below, without_endings].into_iter().filter_map(|name| names.of_name(name).id()) {
                match (names.is_asked_for(id), is_program, item.is_dir) {
                    (true, ..) => folder.own = true,
                    (false, true, _) => folder.others = OtherNames::Programs,
                    (false, false, false) => folder.others = folder.others.max(OtherNames::Files),
                    (false, false, true) => {}
                }
            }
        }
        found
    }

    /// Whether its files are for other problems, too, or only for them. Beside a program, other files are data.
    fn has_others(self) -> bool {
        match self.others {
            OtherNames::Nothing => false,
            OtherNames::Files => !self.has_program,
            OtherNames::Programs => true,
        }
    }
}

/// Whether folders are of several exercises by the names of files: of the students who name any exercise, at least half name the
/// one that is judged and others, or more than half name others. Then the names say what is submitted for it, and a file with
/// another name may be for any.
fn names_say(folders: impl Iterator<Item = MeantProblems>) -> bool {
    let meant: Vec<MeantProblems> = folders.filter(|meant| meant.own || meant.has_others()).collect();
    let others = meant.iter().filter(|meant| meant.has_others());
    let several = others.clone().filter(|meant| meant.own).count();
    several > 0 && 2 * several >= meant.len() || 2 * others.count() > meant.len()
}

/// The name of the exercise whose folder this is in the folder of a student; none if it is another one.
fn exercise_of(part: &ExportPart, path: &Path) -> Option<PathBuf> {
    let is_whole = part.said.contains_key(path) && !part.said.contains_key(path.parent()?);
    path.file_name().filter(|_| is_whole && path.components().count() > 1).map(PathBuf::from)
}

/// The names of platforms.
fn names() -> impl Iterator<Item = &'static str> {
    PLATFORMS.iter().map(|platform| platform.name)
}

/// The state while submissions are collected from a tree.
struct Sorter<'s, 'a> {
    intake: &'s mut Intake<'a>,
    tree: Rc<Tree>,
    shown: &'s Path,
    names: &'s ProblemNames,
    /// The part of an export that the tree is.
    part: Option<&'s ExportPart>,
    taken: Vec<FoundSubmission>,
    /// Files that do not match the layout.
    strange: Vec<PathBuf>,
    /// The reading of each item of the tree.
    read: Vec<Option<Reading>>,
    /// A folder that may be that of several students.
    of_several: Option<PathBuf>,
    /// Whether each folder of a student is known, as in an export.
    knows_students: bool,
    /// Whether the export has a folder for each of several exercises, whose name then counts and not those of files.
    has_exercises: bool,
}

impl<'s, 'a> Sorter<'s, 'a> {
    fn new(
        intake: &'s mut Intake<'a>,
        tree: Rc<Tree>,
        shown: &'s Path,
        names: &'s ProblemNames,
        part: Option<&'s ExportPart>,
    ) -> Self {
        Self {
            intake,
            tree,
            shown,
            names,
            part,
            taken: Vec::new(),
            strange: Vec::new(),
            read: Vec::new(),
            of_several: None,
            knows_students: part.is_some(),
            has_exercises: false,
        }
    }

    /// Takes everything that the template matches.
    fn take(&mut self, template: &PathTemplate) {
        self.by_template(template);
        self.unopened_by(template);
        self.ignored_by(template);
        self.empty_by(template);
        tell_unused(self.intake, &self.tree, &self.taken);
    }

    /// Takes what students submitted, each in a folder that the template matches. If a single problem is judged, such a folder is
    /// its program, unless names in it mean other problems: then they say what is submitted, as for several problems.
    fn students(&mut self, by_problem: bool, folders: &PathTemplate) {
        let whole = Rc::clone(&self.tree);
        let depth = folders.depth.unwrap_or(1);
        let meant =
            if by_problem { BTreeMap::new() } else { MeantProblems::by_folder(&whole, self.names, self.intake, depth) };
        let names_decide = names_say(meant.values().copied());
        let says = |dir: &Path| by_problem || meant.get(dir).is_some_and(|meant| names_decide || meant.has_others());
        if by_problem || meant.values().any(|meant| meant.has_others()) {
            let files = format!("{}/{{problem}}.*", folders.text);
            self.tree = Rc::new(whole.below_folders(depth, says));
            self.knows_students = true;
            self.take(&PathTemplate::new(&files).ok().flatten().expect("it is a layout in a layout"));
            self.knows_students = self.part.is_some();
            self.tree = Rc::new(whole.below_folders(depth, |dir| !says(dir)));
        }
        self.take(folders);
        self.tree = whole;
    }

    /// Takes each file or directory that the template matches. Everything inside such a directory belongs to it.
    fn by_template(&mut self, template: &PathTemplate) {
        let tree = Rc::clone(&self.tree);
        let names = self.names;
        let exact = |item: &TreeItem| {
            let whole = template.read(&item.below, names);
            // An archive may match as a folder, without its ending, or as a file.
            let packed = || item.archive.as_deref().and_then(|archive| template.read(archive, names));
            whole.filter(Reading::is_submission).or_else(packed).or_else(|| template.read(&item.below, names))
        };
        self.read = tree.items.iter().map(exact).collect();
        let is_read = |read: &Option<Reading>| read.as_ref().is_some_and(Reading::is_submission);
        // If everything is in the folders of one folder and nothing matches, that may be the folder of the class or of a
        // student.
        let mut top = tree.inside(Path::new(""));
        let only = top.next().filter(|item| item.is_dir && top.next().is_none());
        let is_class = |dir: &TreeItem| tree.inside(&dir.below).all(|item| item.is_dir && item.archive.is_none());
        if !self.knows_students && only.is_some_and(is_class) && !self.read.iter().any(is_read) {
            let files = tree.items.iter().filter(|item| !item.is_dir || tree.refusal(&item.below).is_some());
            self.strange.extend(files.map(|item| item.below.clone()));
            return;
        }
        let is_exact = self.read.iter().any(is_read);
        for (item, read) in tree.items.iter().zip(&mut self.read) {
            if !is_read(read) {
                let forgiving = template.read_between(&item.below, names);
                *read = forgiving.or_else(|| read.take());
            }
        }
        self.of_several = self.folder_of_several().filter(|_| !self.knows_students && !is_exact);
        if self.of_several.is_some() {
            let files = tree.items.iter().filter(|item| !item.is_dir);
            self.strange.extend(files.map(|item| item.below.clone()));
            return;
        }
        let mut inside: Option<&Path> = None;
        let mut documents = Vec::new();
        for (at, item) in tree.items.iter().enumerate() {
            if inside.is_some_and(|dir| item.below.starts_with(dir)) {
                continue;
            }
            let read = if item.is_dir { self.read_of_folder(template, at) } else { self.read[at].clone() };
            let is_submission = read.as_ref().is_some_and(Reading::is_submission);
            match read {
                _ if !item.is_dir && !is_submission && is_document(&item.below) => documents.push(item),
                Some(read) => {
                    inside = item.is_dir.then_some(&*item.below);
                    if read.is_inexact || read.skips_folders && self.may_skip_wrongly(item) {
                        let meant = match &read.aim {
                            Aim::Problem(problem) => problem,
                            _ => &read.student,
                        };
                        let exercise = self.part.and_then(|part| exercise_of(part, &item.below));
                        let place = exercise.unwrap_or_else(|| self.place(item.name()));
                        self.intake.forgiven(&self.shown.join(place), meant);
                    }
                    self.submission(read.student, read.aim, read.attempt, item);
                }
                None if item.is_dir => {}
                None => self.outside(template, item),
            }
        }
        self.with_files_beside(template);
        // A README is not a submission, but its author has a row.
        let known: BTreeSet<String> = self.taken.iter().map(|taken| taken.student.clone()).collect();
        for item in documents {
            let student = item.below.parent().and_then(|dir| template.student_of(dir));
            if student.is_some_and(|student| known.contains(&student)) {
                self.strange.push(item.below.clone());
            } else {
                self.outside(template, item);
            }
        }
    }

    /// Whether folders above a file that is read without them may mean something else. If the folder of the student is known, only
    /// the name of a problem may.
    fn may_skip_wrongly(&self, item: &TreeItem) -> bool {
        let mut folders = item.below.parent().into_iter().flat_map(Path::components).skip(1);
        let means_problem = |name: &OsStr| !matches!(self.names.meant(&name.to_string_lossy()), NamedProblem::None);
        !self.knows_students || folders.any(|folder| means_problem(folder.as_os_str()))
    }

    /// A folder whose folders have submissions of one student for one problem, if they are read forgivingly: it may be a
    /// group, and the folders in it the students.
    fn folder_of_several(&self) -> Option<PathBuf> {
        let mut folders: BTreeMap<(&str, &Aim, &Path), &Path> = BTreeMap::new();
        self.tree.items.iter().zip(&self.read).find_map(|(item, read)| {
            let read = read.as_ref().filter(|read| !item.is_dir && read.is_submission())?;
            let mut above = item.below.ancestors().skip(1).filter(|dir| !dir.as_os_str().is_empty());
            let inner = above.next()?;
            let outer = above.next()?;
            let first = *folders.entry((&read.student, &read.aim, outer)).or_insert(inner);
            (first != inner).then(|| outer.to_owned())
        })
    }

    /// Adds to each submitted file the files beside it that it uses. They are not submissions of their own, unless they
    /// are named like a problem.
    fn with_files_beside(&mut self, template: &PathTemplate) {
        // Files beside each other may be of several authors. An ignored one may be the solution of the teacher.
        if template.depth.is_none_or(|depth| template.student_at + 1 == depth) {
            return;
        }
        let tree = Rc::clone(&self.tree);
        let mut used: BTreeSet<PathBuf> = BTreeSet::new();
        // The folder of a submitted file; a file at the top has no author.
        let folder_of = |taken: &FoundSubmission| match &taken.files {
            SubmittedFiles::Item(_, item) if !item.is_dir && matches!(taken.aim, Aim::Problem(_) | Aim::Unsaid) => {
                item.below.parent().filter(|dir| !dir.as_os_str().is_empty()).map(Path::to_owned)
            }
            _ => None,
        };
        let mut folders: BTreeMap<PathBuf, Vec<&TreeItem>> =
            self.taken.iter().filter_map(folder_of).map(|dir| (dir, Vec::new())).collect();
        for item in tree.items.iter().filter(|item| !item.is_dir).chain(&tree.aside) {
            for dir in item.below.ancestors().skip(1) {
                if let Some(below) = folders.get_mut(dir) {
                    below.push(item);
                }
            }
        }
        for taken in &mut self.taken {
            let Some(dir) = folder_of(taken) else { continue };
            let SubmittedFiles::Item(_, item) = &taken.files else { continue };
            let is_unsaid = taken.aim == Aim::Unsaid;
            let is_other = |path: &Path| is_unsaid || self.names.of_name(path).id().is_some();
            if let Some(several) = several_files::beside(self.intake, &folders[&dir], item, &is_other) {
                used.extend(several.files.iter().map(|file| dir.join(file)).filter(|file| *file != item.below));
                taken.files = SubmittedFiles::Several(Rc::clone(&tree), item.clone(), several);
            }
        }
        self.strange.retain(|below| !used.contains(below));
        self.taken.retain(|taken| match &taken.files {
            SubmittedFiles::Item(_, item) => {
                matches!(taken.aim, Aim::Problem(_)) || item.is_dir || !used.contains(&item.below)
            }
            _ => true,
        });
    }

    /// Reads a folder or an archive as a whole; none if its content says more.
    fn read_of_folder(&self, template: &PathTemplate, at: usize) -> Option<Reading> {
        let item = &self.tree.items[at];
        let read = self.read[at].clone();
        let is_exact = read.as_ref().is_some_and(|read| read.is_submission() && !read.forgiven);
        // A folder of a student may have files with names of problems, and so may an archive with the name of one.
        if is_exact && !self.packs_several(at) {
            return read;
        }
        let within = self.tree.items[at + 1..].iter().zip(&self.read[at + 1..]);
        let mut within =
            within.take_while(|(other, _)| other.below.starts_with(&item.below)).filter_map(|(_, read)| {
                read.as_ref().filter(|read| read.is_submission()).map(|read| (&read.student, &read.aim))
            });
        let forgiving = read.clone().filter(Reading::is_submission);
        if let Some(folder) = forgiving.or_else(|| template.read_folder(&item.below, self.names)) {
            let is_exercise =
                self.has_exercises && self.part.is_some_and(|part| exercise_of(part, &item.below).is_some());
            // Files for other problems are in it.
            let is_whole = is_exercise || within.all(|inside| inside == (&folder.student, &folder.aim));
            return is_whole.then_some(folder);
        }
        // Of an archive that cannot be opened, the content is unknown; see `unopened_by`.
        let says_more = within.next().is_some() || self.names_problems_inside(template, at);
        read.filter(|_| !says_more && self.tree.refusal(&item.below).is_none())
    }

    /// Whether this is an archive with the name of a problem, in which are files for others too.
    fn packs_several(&self, at: usize) -> bool {
        let item = &self.tree.items[at];
        let aim = |read: &Option<Reading>| read.as_ref().map(|read| read.aim.clone());
        let inside = self.tree.items[at + 1..].iter().zip(&self.read[at + 1..]);
        let mut inside = inside.take_while(|(other, _)| other.below.starts_with(&item.below));
        let own = aim(&self.read[at]);
        let is_other = |aim: &Option<Aim>| matches!(aim, Some(Aim::Problem(_))) && *aim != own;
        let is_source = |item: &TreeItem| !item.is_dir && self.intake.is_source(&item.below);
        let has_problem = item.archive.is_some() && matches!(own, Some(Aim::Problem(_)));
        has_problem && inside.any(|(other, read)| is_source(other) && is_other(&aim(read)))
    }

    /// Whether folders inside a folder or an archive have names of problems: `sums/main.py` in `ann.zip`.
    fn names_problems_inside(&self, template: &PathTemplate, at: usize) -> bool {
        let dir = &self.tree.items[at].below;
        let inside = self.tree.items[at + 1..].iter().take_while(|item| item.below.starts_with(dir));
        inside.filter(|item| item.is_dir).any(|item| template.read_folder(&item.below, self.names).is_some())
    }

    /// The option that says which problem the first program is for that does not match: by the folder of the exercise, by another
    /// folder of the student if it holds only this program, or by the file.
    fn name_to_state(&self) -> Option<String> {
        let mut strange = self.strange.iter().filter(|path| path.extension().is_some() && !is_document(path));
        let path = strange.find(|path| !cannot_be_program(path))?;
        let sources = || self.tree.items.iter().filter(|item| !item.is_dir && self.intake.is_source(&item.below));
        // A folder with several programs is read only if one of them is called `main` and none is for another problem.
        let is_one = |dir: &&Path| {
            let mut inside = sources().filter(|item| item.below.starts_with(dir)).peekable();
            let has_main = sources().any(|item| item.below.parent() == Some(dir) && is_main(&item.below));
            let count = inside.clone().count();
            inside.peek().is_some() && (count == 1 || has_main) && inside.all(|item| self.strange.contains(&item.below))
        };
        let mut folders: Vec<&Path> = path.ancestors().skip(1).filter(|dir| dir.components().count() > 1).collect();
        folders.reverse();
        let folder = if self.has_exercises { folders.first().copied() } else { folders.into_iter().find(is_one) };
        let name = text_of(folder.unwrap_or(path).file_name()?.as_encoded_bytes());
        Some(exercise_option(&name, self.names.likely()))
    }

    /// Keeps a row for the student of a file that does not match.
    fn outside(&mut self, template: &PathTemplate, item: &TreeItem) {
        self.strange.push(item.below.clone());
        if let Some(student) = item.below.parent().and_then(|dir| template.student_of(dir)) {
            self.submission(student, Aim::Outside, None, item);
        }
    }

    fn submission(&mut self, student: String, aim: Aim, attempt: Option<u32>, item: &TreeItem) {
        let files = SubmittedFiles::Item(Rc::clone(&self.tree), item.clone());
        let mut taken = self.taken(student, aim, item.name(), files);
        if taken.author == Author::Named(None) {
            taken.author = Author::Named(attempt);
        }
        self.taken.push(taken);
    }

    /// A submission at a path below the named one.
    fn taken(&self, student: String, aim: Aim, below: &Path, files: SubmittedFiles) -> FoundSubmission {
        let said = self.part.and_then(|part| part.said(below));
        let author = said.map_or(Author::Named(None), |said| Author::Exported(Rc::new(said.clone())));
        let members = match &files {
            SubmittedFiles::Refused(_) => self.tree.members_of(below),
            known => known.members(),
        };
        FoundSubmission { student, author, aim, place: self.shown.join(self.place(below)), files, members }
    }

    /// Where a path of the tree is below the named path.
    fn place(&self, below: &Path) -> PathBuf {
        self.part.map_or_else(|| below.to_owned(), |part| part.place(below))
    }

    /// Takes what could not be opened: links, and refused directories and archives inside which the template would
    /// match. Their students follow from the beginning of the template. If several beginnings match, as with `**`, the
    /// longest that names a known problem or none counts.
    fn unopened_by(&mut self, template: &PathTemplate) {
        let is_in = |taken: &FoundSubmission, path: &Path| match &taken.files {
            SubmittedFiles::Item(_, item) | SubmittedFiles::Several(_, item, _) => path.starts_with(&item.below),
            SubmittedFiles::Files(_) | SubmittedFiles::Refused(_) | SubmittedFiles::Nothing(..) => false,
        };
        let tree = Rc::clone(&self.tree);
        let refused = tree.refused().map(|(item, why)| (&*item.below, item.name(), why));
        let links = tree.unopened.iter().map(|path| (&**path, &**path, Why::Link));
        for (below, name, why) in refused.chain(links) {
            if self.taken.iter().any(|taken| is_in(taken, below)) {
                continue;
            }
            let aim_of = |problem: Option<String>| {
                let Some(problem) = problem else { return Some(Aim::Unsaid) };
                self.names.meant(&problem).id().map(|id| Aim::Problem(id.to_owned()))
            };
            let read = |template: &Template| matched(template, below).or_else(|| matched(template, name));
            let read = template.beginnings.iter().filter_map(read);
            let read: Vec<(String, Option<Aim>)> = read.map(|read| (read.student, aim_of(read.problem))).collect();
            let known = read.iter().find(|(_, aim)| aim.is_some()).or(read.first()).cloned();
            if let Some((student, aim)) = known.or_else(|| Some((template.student_of(below)?, None))) {
                // An unknown name may be for any problem.
                let aim = aim.unwrap_or(Aim::Unsaid);
                let taken = self.taken(student, aim, name, SubmittedFiles::Refused(why));
                self.taken.push(taken);
            }
        }
    }

    /// Keeps a row for each student who submitted nothing but ignored files.
    fn ignored_by(&mut self, template: &PathTemplate) {
        let tree = Rc::clone(&self.tree);
        let files = tree.items.iter().filter(|item| !item.is_dir);
        let with_files: BTreeSet<&Path> = files.flat_map(|item| item.below.ancestors()).collect();
        let mut known: BTreeSet<String> = self.taken.iter().map(|taken| taken.student.clone()).collect();
        let dirs = tree.ignored.iter().filter_map(|path| path.parent());
        for dir in dirs.filter(|dir| !with_files.contains(dir)) {
            let student = template.student_of(dir).filter(|student| known.insert(student.clone()));
            let Some(student) = student else { continue };
            let item = TreeItem { below: dir.to_owned(), path: PathBuf::new(), is_dir: true, archive: None };
            let files = SubmittedFiles::Nothing(Rc::clone(&tree), item, Why::NoProgram);
            let taken = self.taken(student, Aim::Unsaid, dir, files);
            self.taken.push(taken);
        }
        // `.bob_sum.py` in a layout whose files name the students.
        for path in &tree.ignored {
            let name = path.file_name().map(OsStr::to_string_lossy).unwrap_or_default();
            let seen = path.with_file_name(name.trim_start_matches("._").trim_start_matches('.'));
            // `.DS_Store` belongs to no student.
            let read =
                template.read(&seen, self.names).filter(|read| read.is_submission() && self.intake.is_source(&seen));
            let Some(read) = read.filter(|read| known.insert(read.student.clone())) else { continue };
            let item = TreeItem { below: path.clone(), path: PathBuf::new(), is_dir: false, archive: None };
            let files = SubmittedFiles::Nothing(Rc::clone(&tree), item, Why::NoProgram);
            let taken = self.taken(read.student, read.aim, path, files);
            self.taken.push(taken);
        }
    }

    /// Keeps a row for each student whose folder is empty.
    fn empty_by(&mut self, template: &PathTemplate) {
        let tree = Rc::clone(&self.tree);
        let mut known: BTreeSet<String> = self.taken.iter().map(|taken| taken.student.clone()).collect();
        let with_files = tree.with_files();
        let is_empty =
            |item: &&TreeItem| item.is_dir && !with_files.contains(&*item.below) && tree.refusal(&item.below).is_none();
        for item in tree.items.iter().filter(is_empty) {
            let student = template.student_of(&item.below).filter(|student| known.insert(student.clone()));
            let Some(student) = student else { continue };
            let files = SubmittedFiles::Nothing(Rc::clone(&tree), item.clone(), Why::Empty);
            let taken = self.taken(student, Aim::Unsaid, item.name(), files);
            if taken.said().is_none_or(|said| !said.is_untouched) {
                self.intake.empty(item, &taken.place);
            }
            self.taken.push(taken);
        }
    }

    /// Keeps a row for each student who submitted only text of an online form, which is not a program.
    fn texts(&mut self) {
        let Some(part) = self.part else { return };
        for item in &part.texts {
            let student = item.below.components().next().map(|name| text_of(name.as_os_str().as_encoded_bytes()));
            let files = SubmittedFiles::Nothing(Rc::clone(&self.tree), item.clone(), Why::NoFile);
            self.keep(self.taken(student.unwrap_or_default(), Aim::Unsaid, &item.below, files));
        }
    }

    /// Takes what cannot be judged, unless the student has submitted something else.
    fn keep(&mut self, taken: FoundSubmission) {
        if self.taken.iter().all(|known| known.student != taken.student) {
            self.taken.push(taken);
        }
    }

    /// The submissions. Reports what does not match the layout, with this remedy, or with the other if nothing matches.
    fn finish(self, name: &str, remedy: &str, unlike: &str) -> Vec<FoundSubmission> {
        let Self { intake, shown, taken, strange, tree, of_several, .. } = self;
        if !strange.is_empty() {
            let message = format!("outside of the layout `{name}`: {}", listed(&strange));
            intake.warning(shown, message, remedy);
            intake.outside.extend(strange.iter().cloned());
        }
        if taken.is_empty() && strange.is_empty() && intake.found.is_empty() {
            intake.error(shown, format!("contains nothing that the layout `{name}` can match"), "name another path");
        } else if taken.is_empty() && !strange.is_empty() {
            let mut top = tree.inside(Path::new(""));
            let only = top.next().filter(|item| item.is_dir && top.next().is_none());
            if let Some(folder) = of_several {
                let folder = listed(&[folder]);
                let message = format!("the folders in {folder} may be students, or all of one student; none is judged");
                let remedy = format!("begin the layout with `*/` (`*/{name}`) if they are students");
                intake.error(shown, message, &remedy);
                return taken;
            }
            let remedy = only.map_or_else(
                || unlike.to_owned(),
                |only| {
                    format!(
                        "everything is in the folder {}: begin the layout with `*/`",
                        listed(std::slice::from_ref(&only.below))
                    )
                },
            );
            let remedy = remedy.as_str();
            intake.error(shown, format!("nothing matches the layout `{name}`"), remedy);
        }
        taken
    }
}

/// Reports the lists of authors without a submission.
fn tell_unused(intake: &mut Intake<'_>, tree: &Tree, taken: &[FoundSubmission]) {
    let is_used = |file: &Rc<MembersFile>| {
        taken.iter().flat_map(|taken| &taken.members).any(|used| Rc::ptr_eq(used, file)) || file.words.is_empty()
    };
    for file in tree.members.iter().filter(|file| !is_used(file)) {
        let message = "lists authors, and no submission is beside it, so the others have none";
        intake.error(&file.shown, message, "ask for the submission, or give points in the file of overrides");
    }
}

/// Decides between the readings of paths by the roster, as far as it can.
pub(crate) fn settle(taken: &mut [FoundSubmission], roster: &[RosterStudent]) {
    for taken in taken {
        let Aim::Several(readings) = &taken.aim else { continue };
        let authors: Vec<&str> = readings.iter().map(|(student, _)| &**student).collect();
        if let [only] = roster::fitting(roster, &authors)[..] {
            let (student, problem) = readings[only].clone();
            taken.student = student;
            taken.aim = Aim::Problem(problem);
        }
    }
}

/// A folder without any program. Reports tell its author what grader received.
fn nothing(tree: Rc<Tree>, shown: &Path) -> FoundSubmission {
    let whole = TreeItem { below: PathBuf::new(), path: PathBuf::new(), is_dir: true, archive: None };
    let why = match (tree.refusal(Path::new("")), &tree.unopened[..]) {
        (Some(why), _) => why,
        (None, [_, ..]) if tree.items.iter().all(|item| item.is_dir) => Why::Link,
        (None, _) => Why::NoProgram,
    };
    FoundSubmission::of_path(shown, SubmittedFiles::Nothing(tree, whole, why))
}

/// Takes the programs of a folder without a layout: one program if the folder looks like one, otherwise each file and
/// folder in it.
pub(crate) fn many(
    intake: &mut Intake<'_>,
    tree: Rc<Tree>,
    shown: &Path,
    problem: Option<(&ProblemNames, &str)>,
) -> Vec<FoundSubmission> {
    let top = tree.first_of_several(Path::new(""));
    let inside: Vec<TreeItem> = tree.inside(&top).cloned().collect();
    if inside.is_empty() {
        if intake.found.is_empty() {
            let remedy = "name a program, or a folder or archive of programs";
            intake.error(shown, "is empty: it contains no program", remedy);
        }
        return vec![nothing(tree, shown)];
    }
    if intake.is_one_program(&tree, &top) {
        let item = tree.items.iter().find(|item| item.below == top).cloned();
        let root = tree.items.iter().find(|item| item.below.parent() == Some(&top)).and_then(|item| item.path.parent());
        let path = item.map(|item| item.path).or_else(|| root.map(Path::to_owned)).unwrap_or_default();
        let whole = TreeItem { below: top, path, is_dir: true, archive: None };
        return vec![FoundSubmission::of_path(shown, SubmittedFiles::Item(tree, whole))];
    }
    let mut taken = Vec::new();
    let mut ignored = Vec::new();
    let files: Vec<&TreeItem> = inside.iter().filter(|item| !item.is_dir).collect();
    let dir = files.first().and_then(|item| item.path.parent()).unwrap_or(Path::new("")).to_owned();
    let names: Vec<PathBuf> =
        files.iter().filter_map(|item| item.path.strip_prefix(&dir).ok().map(Path::to_owned)).collect();
    let grouped = several_files::in_folder(intake, &dir, &names, problem);
    for item in &inside {
        let is = |file: &PathBuf| dir.join(file) == item.path;
        if let Some(several) = grouped.iter().find(|several| is(&several.entry)) {
            let files = SubmittedFiles::Several(Rc::clone(&tree), item.clone(), several.clone());
            taken.push(FoundSubmission::of_path(&shown.join(&item.below), files));
            continue;
        }
        if grouped.iter().any(|several| several.files.iter().any(is)) {
            continue;
        }
        let wanted = if item.is_dir {
            tree.refusal(&item.below).is_some() || intake.holds_source(&tree, &item.below)
        } else {
            intake.may_be_source(&item.path)
        };
        if !wanted {
            ignored.push(item.below.clone());
            continue;
        }
        let files = SubmittedFiles::Item(Rc::clone(&tree), item.clone());
        taken.push(FoundSubmission::of_path(&shown.join(&item.below), files));
    }
    if !ignored.is_empty() {
        let mut files = inside.iter().filter(|item| !item.is_dir && ignored.contains(&item.below));
        let why = files.find_map(|item| intake.why_no_source(&item.path));
        let why = why.map(|why| format!(" ({why})")).unwrap_or_default();
        let message = format!("no source file of a known language: {}{why}", listed(&ignored));
        intake.warning(shown, message, "remove them, or name their language: --lang; grader does not judge them");
    }
    tell_unused(intake, &tree, &taken);
    if taken.is_empty() {
        taken.push(nothing(tree, shown));
    }
    taken
}
