//! A submission as it was found: its student, the problem that its path names, and its files.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::export::{Attempt, ExportedSubmission};
use super::members::MembersFile;
use super::several_files::Several;
use super::tree::{Tree, TreeItem};
use super::unjudged::Why;

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
    pub(super) fn members(&self) -> Vec<Rc<MembersFile>> {
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

    /// The platform's data about it, if any.
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

    /// Where it is below the folder of its student: for a file, the folder of the file. Empty if no folder has the name of
    /// the student.
    pub(crate) fn below_student(&self) -> PathBuf {
        let item = match &self.files {
            SubmittedFiles::Item(_, item) | SubmittedFiles::Nothing(_, item, _) => item,
            SubmittedFiles::Several(..) | SubmittedFiles::Files(_) | SubmittedFiles::Refused(_) => {
                return PathBuf::new();
            }
        };
        let dir = if item.is_dir { Some(&*item.below) } else { item.below.parent() };
        let mut parts = dir.into_iter().flat_map(Path::iter);
        // Folders above the student say nothing about the file.
        if parts.any(|part| part.to_str() == Some(&*self.student)) { parts.collect() } else { PathBuf::new() }
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
