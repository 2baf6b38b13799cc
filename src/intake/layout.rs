//! Finds students and problems in paths, by a template or by the names that platforms use.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use thiserror::Error;

use crate::event::RosterStudent;
use crate::glob::{Part, Takes, Template, TemplateError};
use crate::intake::export::{Attempt, ExportPart, ExportedSubmission, arranged};
use crate::intake::members::MembersFile;
use crate::intake::names::{NamedProblem, ProblemNames};
use crate::intake::notebook::NOTEBOOK;
use crate::intake::platform::{PLATFORMS, Platform};
use crate::intake::reader::{Intake, Tree, TreeItem, Why, is_document, listed, text_of};
use crate::intake::roster;
use crate::intake::several_files::{self, Several};
use crate::suggest;

/// The parts of a template, in the order of their positions. The name of a student may contain the separator before the
/// problem (`ann_b_sum.py`); that of a problem seldom does.
const PARTS: [Part; 3] = parts(Takes::Least);
const STUDENT: usize = 0;
const PROBLEM: usize = 1;
const ATTEMPT: usize = 2;

const fn parts(problem: Takes) -> [Part; 3] {
    [
        Part { name: "student", takes: Takes::Most, deep: false },
        Part { name: "problem", takes: problem, deep: false },
        Part { name: "attempt", takes: Takes::Least, deep: false },
    ]
}

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

/// A submission of one student for one problem.
#[derive(Debug)]
pub(crate) struct FoundSubmission {
    /// The student; the path if it names none.
    pub(crate) student: String,
    /// How the student is known.
    pub(crate) author: Author,
    /// The problem that its path names.
    pub(crate) aim: Aim,
    /// Its path, as shown to the user.
    pub(crate) place: PathBuf,
    /// The submitted files: a program or outputs, depending on the problem.
    pub(crate) files: SubmittedFiles,
    /// The files that list its authors, the nearest last.
    pub(super) members: Vec<Rc<MembersFile>>,
}

/// How the student of a submission is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Author {
    /// Not at all: nothing but the path.
    Unknown,
    /// By a template, perhaps with the number of the attempt.
    Named(Option<u32>),
    /// By the names of an export.
    Exported(Rc<ExportedSubmission>),
}

/// The problem that the path of a submission names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Aim {
    /// The layout has no place for a problem.
    Unsaid,
    /// This problem.
    Problem(String),
    /// One of several problems, because its path can be read in several ways: each student with a problem.
    Several(Vec<(String, String)>),
    /// A name that no problem, or more than one, can have.
    Unknown(String),
    /// The layout does not match the path, and a message lists it.
    Outside,
}

/// Submitted files, which may be a program or outputs.
#[derive(Debug)]
pub(crate) enum SubmittedFiles {
    /// A file or directory of a tree.
    Item(Rc<Tree>, TreeItem),
    /// Files that the user named one by one: the path of each, and the path as typed.
    Files(Vec<(PathBuf, PathBuf)>),
    /// A file of a tree, and the files beside it that it uses.
    Several(Rc<Tree>, TreeItem, Several),
    /// It cannot be read, and an error was reported.
    Refused(Why),
    /// A directory of a tree without a program, and an error was reported.
    Nothing(Rc<Tree>, TreeItem, Why),
}

impl SubmittedFiles {
    /// The files in the tree that list its authors, the nearest last.
    fn members(&self) -> Vec<Rc<MembersFile>> {
        match self {
            Self::Item(tree, item) | Self::Several(tree, item, _) | Self::Nothing(tree, item, _) => {
                tree.members_of(&item.below)
            }
            Self::Files(_) | Self::Refused(_) => Vec::new(),
        }
    }
}

impl FoundSubmission {
    /// A submission at a path, of an unknown student.
    pub(crate) fn of_path(shown: &Path, files: SubmittedFiles) -> Self {
        let student = shown.display().to_string();
        let members = files.members();
        Self { student, author: Author::Unknown, aim: Aim::Unsaid, place: shown.to_owned(), files, members }
    }

    /// Whether the student is known.
    pub(crate) fn has_student(&self) -> bool {
        self.author != Author::Unknown
    }

    /// What the platform says about it.
    pub(crate) fn said(&self) -> Option<&ExportedSubmission> {
        match &self.author {
            Author::Exported(said) => Some(said),
            Author::Named(_) | Author::Unknown => None,
        }
    }

    /// Which of several submissions it is, and when it was submitted.
    pub(crate) fn attempt(&self) -> Attempt {
        match &self.author {
            Author::Exported(said) => said.attempt.clone(),
            Author::Named(number) => Attempt { submitted: None, number: *number },
            Author::Unknown => Attempt::default(),
        }
    }

    /// Why its content is unknown, if it is.
    pub(crate) fn refusal(&self) -> Option<Why> {
        match &self.files {
            SubmittedFiles::Item(tree, item) => tree.refusal(&item.below),
            SubmittedFiles::Files(_) | SubmittedFiles::Several(..) => None,
            SubmittedFiles::Refused(why) | SubmittedFiles::Nothing(.., why) => Some(*why),
        }
    }

    /// Its only file.
    pub(crate) fn only_file(&self) -> Option<&Path> {
        match &self.files {
            SubmittedFiles::Item(tree, item) | SubmittedFiles::Nothing(tree, item, _) => {
                let mut files = tree.items.iter().filter(|file| !file.is_dir && file.below.starts_with(&item.below));
                files.next().filter(|_| files.next().is_none()).map(|file| &*file.path)
            }
            SubmittedFiles::Files(files) => files.first().filter(|_| files.len() == 1).map(|(path, _)| &**path),
            SubmittedFiles::Several(..) | SubmittedFiles::Refused(_) => None,
        }
    }

    /// The names of the submitted files, relative to the submission.
    pub(crate) fn received(&self) -> Vec<PathBuf> {
        // As the student named it: platforms put more before it.
        let name = match &self.files {
            SubmittedFiles::Item(_, item) | SubmittedFiles::Nothing(_, item, _) => item.name().file_name(),
            SubmittedFiles::Several(..) | SubmittedFiles::Files(_) | SubmittedFiles::Refused(_) => None,
        };
        let name = name.or(self.place.file_name());
        let own = || vec![name.map_or_else(|| self.place.clone(), PathBuf::from)];
        match &self.files {
            SubmittedFiles::Item(tree, item) | SubmittedFiles::Nothing(tree, item, _)
                if item.is_dir && item.archive.is_none() =>
            {
                let files = tree.items.iter().filter(|file| !file.is_dir && file.below.starts_with(&item.below));
                let ignored = tree.ignored.iter().filter(|path| path.starts_with(&item.below));
                let name = |file: &Path| file.strip_prefix(&item.below).unwrap_or(file).to_owned();
                let files: Vec<PathBuf> = files.map(|file| name(file.name())).collect();
                if files.is_empty() { ignored.map(|path| name(path)).collect() } else { files }
            }
            SubmittedFiles::Several(.., several) => several.files.clone(),
            SubmittedFiles::Files(files) if files.len() > 1 => files.iter().map(|(_, shown)| shown.clone()).collect(),
            SubmittedFiles::Item(..)
            | SubmittedFiles::Files(_)
            | SubmittedFiles::Refused(_)
            | SubmittedFiles::Nothing(..) => own(),
        }
    }
}

impl FolderLayout {
    /// Reads the name of a platform or a template with `{student}`.
    pub(crate) fn parse(text: &str) -> Result<Self, LayoutError> {
        match Platform::parse(text) {
            Some(platform) => Ok(Self::Export(platform)),
            None if text.chars().all(char::is_alphanumeric) => Err(LayoutError::NoPlatform(text.to_owned())),
            None => Ok(Self::Template(PathTemplate::new(text)?)),
        }
    }

    /// Whether paths name the problem.
    pub(crate) fn names_problem(&self) -> bool {
        matches!(self, Self::Template(template) if template.whole.has(PROBLEM))
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
                sorter.take(template);
                sorter.finish(&template.text)
            }
            (Self::Export(platform), tree) => {
                let export = arranged(intake, &tree, platform, shown, names);
                let layout = if by_problem || export.has_exercises { "{student}/{problem}.*" } else { "{student}" };
                let template = PathTemplate::new(layout).expect("both are layouts");
                let mut taken = Vec::new();
                let mut strange = export.outside;
                for part in &export.parts {
                    let mut sorter = Sorter::new(intake, Rc::clone(&part.tree), shown, names, Some(part));
                    sorter.take(&template);
                    sorter.texts();
                    strange.extend(sorter.strange.iter().map(|path| part.place(path)));
                    taken.append(&mut sorter.taken);
                }
                let sorter = Sorter { taken, strange, ..Sorter::new(intake, Rc::default(), shown, names, None) };
                sorter.finish(platform.name)
            }
        }
    }
}

/// The names of platforms.
fn names() -> impl Iterator<Item = &'static str> {
    PLATFORMS.iter().map(|platform| platform.name)
}

/// A layout that is a glob with the student and the problem.
pub(crate) struct PathTemplate {
    /// The glob as typed.
    text: String,
    /// The glob without the `*` beside the problem, which would cut the name of the problem.
    closed: String,
    /// The same, compiled.
    whole: Template,
    /// The same for each length of the problem's name, from 1, as far as needed so far.
    by_length: RefCell<Vec<Option<Rc<Template>>>>,
    /// Whether the glob has a `*` before and after the problem.
    stars: (bool, bool),
    /// The beginnings of the glob that name a student, the longest first.
    beginnings: Vec<Template>,
    /// The number of names in a path that matches; none if it varies.
    depth: Option<usize>,
    /// The position of the name that has the student.
    student_at: usize,
}

/// The student and the problem that a path names.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Reading {
    student: String,
    aim: Aim,
    /// The number of the attempt, if the layout has one.
    attempt: Option<u32>,
    /// Whether the path does not match the layout exactly.
    forgiven: bool,
    /// Whether a message says how it was read: a name is not exact, or folders in between were left out.
    is_told: bool,
}

impl Reading {
    /// Whether it is a submission, and not a path with an unknown problem.
    fn is_submission(&self) -> bool {
        matches!(self.aim, Aim::Unsaid | Aim::Problem(_) | Aim::Several(_))
    }
}

impl PathTemplate {
    fn new(text: &str) -> Result<Self, LayoutError> {
        // The glob as typed is checked, so that an error is about what the user wrote.
        if !Template::new(text, &PARTS)?.has(STUDENT) {
            return Err(LayoutError::NoStudent);
        }
        let stars = (text.contains("*{problem}"), text.contains("{problem}*"));
        let closed = if text.contains("**") {
            text.to_owned()
        } else {
            text.replace("*{problem}", "{problem}").replace("{problem}*", "{problem}")
        };
        let names: Vec<&str> = closed.trim_end_matches('/').split('/').collect();
        // A beginning that is not a valid template names no student.
        let beginnings =
            (1..=names.len()).rev().filter_map(|count| Template::new(&names[..count].join("/"), &PARTS).ok());
        Ok(Self {
            whole: Template::new(&closed, &PARTS)?,
            by_length: RefCell::default(),
            stars,
            beginnings: beginnings.filter(|template| template.has(STUDENT)).collect(),
            depth: (!closed.contains("**")).then_some(names.len()),
            student_at: names.iter().rposition(|name| name.contains("{student}")).unwrap_or_default(),
            text: text.to_owned(),
            closed,
        })
    }

    /// What a path says, without folders in between.
    fn read(&self, path: &Path, names: &ProblemNames) -> Option<Reading> {
        let PathNames { student, problem, attempt } = matched(&self.whole, path)?;
        let read = |student, aim, forgiven| Some(Reading { student, aim, attempt, forgiven, is_told: forgiven });
        let Some(problem) = problem else { return read(student, Aim::Unsaid, false) };
        match &self.readings(path, names)[..] {
            [] => read(student, Aim::Unknown(problem), false),
            [(student, id, forgiven)] => read(student.clone(), Aim::Problem(id.clone()), *forgiven),
            several => {
                let both = several.iter().map(|(student, id, _)| (student.clone(), id.clone()));
                read(student, Aim::Several(both.collect()), false)
            }
        }
    }

    /// Every problem that a path may name, with the student of that reading, and whether its name is not exact.
    fn readings(&self, path: &Path, names: &ProblemNames) -> Vec<(String, String, bool)> {
        let longest = path.components().map(|name| name.as_os_str().len()).max().unwrap_or_default();
        let mut found: Vec<(String, String, bool)> = Vec::new();
        for length in 1..=longest {
            let said = self.with_length(length).and_then(|template| matched(&template, path));
            let Some(PathNames { student, problem: Some(problem), .. }) = said else { continue };
            let meant = match (names.meant(&problem), self.stars) {
                (NamedProblem::None, (before, after)) if before || after => names.within(&problem, before, after),
                (meant, _) => meant,
            };
            let (id, forgiven) = match meant {
                NamedProblem::Exactly(id) => (id, false),
                NamedProblem::Forgivingly(id) => (id, true),
                NamedProblem::Several | NamedProblem::None => continue,
            };
            // Of several readings with one problem, the student with the longest name counts.
            if found.iter().all(|(_, known, _)| known != id) {
                found.push((student, id.to_owned(), forgiven));
            }
        }
        found
    }

    /// The glob for names of problems with this length, from 1.
    fn with_length(&self, length: usize) -> Option<Rc<Template>> {
        let mut known = self.by_length.borrow_mut();
        while known.len() < length {
            // It differs from `whole` only in a number. If it could be too large, no path with it could be matched.
            let template = Template::new(&self.closed, &parts(Takes::Exactly(known.len() + 1)));
            known.push(template.ok().map(Rc::new));
        }
        known[length - 1].clone()
    }

    /// What a path says if some of its folders are left out: those below the folder that names the student, or above
    /// the file that does. None unless all ways to do that agree.
    fn read_between(&self, path: &Path, names: &ProblemNames) -> Option<Reading> {
        let parts: Vec<_> = path.components().collect();
        let depth = self.depth.filter(|depth| parts.len() > *depth)?;
        let surplus = parts.len() - depth;
        let places = if self.student_at + 1 == depth { 0..=self.student_at } else { self.student_at + 1..=depth - 1 };
        let mut found: Option<Reading> = None;
        for at in places {
            let shorter: PathBuf = parts[..at].iter().chain(&parts[at + surplus..]).collect();
            let Some(read) = self.read(&shorter, names).filter(Reading::is_submission) else { continue };
            if found.as_ref().is_some_and(|found| {
                (&found.student, &found.aim, found.attempt) != (&read.student, &read.aim, read.attempt)
            }) {
                return None;
            }
            found = Some(Reading { forgiven: true, is_told: true, ..read });
        }
        found
    }

    /// What a folder says that is named like a file of the layout without its ending: `ann/sum/` for `ann/sum.py`.
    fn read_folder(&self, path: &Path, names: &ProblemNames) -> Option<Reading> {
        let ending = self.text.rsplit('/').next()?.rsplit_once('.')?.1;
        let ending = if ending.contains(['*', '?', '[', '{']) { "x" } else { ending };
        let mut name = path.file_name()?.to_owned();
        name.push(format!(".{ending}"));
        let file = path.with_file_name(name);
        let read = self.read(&file, names).or_else(|| self.read_between(&file, names));
        let read = read.filter(|read| matches!(read.aim, Aim::Problem(_)))?;
        Some(Reading { forgiven: true, ..read })
    }

    /// The student whose folder is at or above a path.
    fn student_of(&self, path: &Path) -> Option<String> {
        let mut paths = path.ancestors().filter(|path| !path.as_os_str().is_empty());
        paths.find_map(|path| self.beginnings.iter().find_map(|template| Some(matched(template, path)?.student)))
    }
}

/// The student, the problem and the attempt that a path names.
struct PathNames {
    student: String,
    problem: Option<String>,
    attempt: Option<u32>,
}

/// Matches a path with a template. `.py` in the template also matches `.PY` and a notebook, but `.C` is never read as
/// `.c`.
fn matched(template: &Template, path: &Path) -> Option<PathNames> {
    let ending = path.extension().filter(|ending| *ending != "C").map(OsStr::to_ascii_lowercase);
    let is_notebook = ending.as_ref().is_some_and(|ending| ending == NOTEBOOK);
    let folded = ending.map(|ending| path.with_extension(ending));
    let parts = |path: &Path| {
        Some(
            template
                .parts(path.as_os_str().as_encoded_bytes())?
                .iter()
                .map(|part| part.map(text_of))
                .collect::<Vec<_>>(),
        )
    };
    let program = || parts(&path.with_extension("py")).filter(|_| is_notebook);
    let mut parts = parts(path).or_else(|| parts(&folded?)).or_else(program)?;
    let mut part = |at: usize| parts.get_mut(at).and_then(Option::take);
    let (student, problem) = (part(STUDENT)?, part(PROBLEM));
    let attempt = part(ATTEMPT).map(|number| number.parse()).transpose();
    // What is no number is no attempt, so the layout does not fit.
    attempt.ok().map(|attempt| PathNames { student, problem, attempt })
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
    /// What each item of the tree says.
    read: Vec<Option<Reading>>,
    /// A folder that may be that of several students.
    of_several: Option<PathBuf>,
}

impl<'s, 'a> Sorter<'s, 'a> {
    fn new(
        intake: &'s mut Intake<'a>,
        tree: Rc<Tree>,
        shown: &'s Path,
        names: &'s ProblemNames,
        part: Option<&'s ExportPart>,
    ) -> Self {
        let (taken, strange, read, of_several) = (Vec::new(), Vec::new(), Vec::new(), None);
        Self { intake, tree, shown, names, part, taken, strange, read, of_several }
    }

    /// Takes everything that the template matches.
    fn take(&mut self, template: &PathTemplate) {
        self.by_template(template);
        self.unopened_by(template);
        self.ignored_by(template);
        self.empty_by(template);
        tell_unused(self.intake, &self.tree, &self.taken);
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
        if self.part.is_none() && only.is_some_and(is_class) && !self.read.iter().any(is_read) {
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
        self.of_several = self.folder_of_several().filter(|_| self.part.is_none() && !is_exact);
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
                    if read.is_told {
                        let meant = match &read.aim {
                            Aim::Problem(problem) => problem,
                            _ => &read.student,
                        };
                        let place = self.shown.join(self.place(item.name()));
                        self.intake.forgiven(&place, meant);
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

    /// Adds to each submitted file the files beside it that it uses. They are no submissions of their own, unless they
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
            if let Some(several) = several_files::beside(self.intake, &folders[&dir], item) {
                used.extend(several.files.iter().filter(|file| **file != several.entry).map(|file| dir.join(file)));
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

    /// What a folder or an archive says as a whole; none if its content says more.
    fn read_of_folder(&self, template: &PathTemplate, at: usize) -> Option<Reading> {
        let item = &self.tree.items[at];
        let read = self.read[at].clone();
        if read.as_ref().is_some_and(|read| read.is_submission() && !read.forgiven) {
            return read;
        }
        let within = self.tree.items[at + 1..].iter().zip(&self.read[at + 1..]);
        let mut within =
            within.take_while(|(other, _)| other.below.starts_with(&item.below)).filter_map(|(_, read)| {
                read.as_ref().filter(|read| read.is_submission()).map(|read| (&read.student, &read.aim))
            });
        let forgiving = read.clone().filter(Reading::is_submission);
        if let Some(folder) = forgiving.or_else(|| template.read_folder(&item.below, self.names)) {
            // Files for other problems are in it.
            return within.all(|inside| inside == (&folder.student, &folder.aim)).then_some(folder);
        }
        // Of an archive that cannot be opened, the content is unknown; see `unopened_by`.
        let says_more = within.next().is_some() || self.names_problems_inside(template, at);
        read.filter(|_| !says_more && self.tree.refusal(&item.below).is_none())
    }

    /// Whether folders inside a folder or an archive have names of problems: `sums/main.py` in `ann.zip`.
    fn names_problems_inside(&self, template: &PathTemplate, at: usize) -> bool {
        let dir = &self.tree.items[at].below;
        let inside = self.tree.items[at + 1..].iter().take_while(|item| item.below.starts_with(dir));
        inside.filter(|item| item.is_dir).any(|item| template.read_folder(&item.below, self.names).is_some())
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
                match self.names.meant(&problem) {
                    NamedProblem::Exactly(id) | NamedProblem::Forgivingly(id) => Some(Aim::Problem(id.to_owned())),
                    NamedProblem::Several | NamedProblem::None => None,
                }
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
        let is_empty =
            |item: &&TreeItem| item.is_dir && tree.refusal(&item.below).is_none() && tree.holds_nothing(&item.below);
        for item in tree.items.iter().filter(is_empty) {
            let student = template.student_of(&item.below).filter(|student| known.insert(student.clone()));
            let Some(student) = student else { continue };
            let why = self.intake.empty(item, &self.shown.join(self.place(item.name())));
            let files = SubmittedFiles::Nothing(Rc::clone(&tree), item.clone(), why);
            let taken = self.taken(student, Aim::Unsaid, item.name(), files);
            self.taken.push(taken);
        }
    }

    /// Keeps a row for each student who submitted only text of an online form, which is no program.
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

    /// The submissions. Reports what does not match the layout.
    fn finish(self, name: &str) -> Vec<FoundSubmission> {
        let Self { intake, shown, taken, strange, tree, of_several, .. } = self;
        if !strange.is_empty() {
            let message = format!("outside of the layout `{name}`: {}", listed(&strange));
            intake.warning(shown, message, "change the layout to judge them; grader skips them now");
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
                || "change the layout: it must match the path of a file or directory below this one".to_owned(),
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
            tree.refusal(&item.below).is_some() || tree.holds_source(&item.below, intake)
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
