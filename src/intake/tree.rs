//! The files and folders below a path that the user named.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::members::MembersFile;
use super::unjudged::Why;

/// A file or directory below the path.
#[derive(Debug, Clone)]
pub(crate) struct TreeItem {
    /// Its path below the root. The content of an archive is below the archive's name without the extension.
    pub(crate) below: PathBuf,
    /// Its path on disk.
    pub(crate) path: PathBuf,
    pub(crate) is_dir: bool,
    /// For the content of an archive: the path of the archive below the root.
    pub(crate) archive: Option<PathBuf>,
}

impl TreeItem {
    /// Its name below the root; for an archive, with the extension.
    pub(crate) fn name(&self) -> &Path {
        self.archive.as_deref().unwrap_or(&self.below)
    }
}

/// All files and directories below a path. Each directory comes before its content.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tree {
    pub(crate) items: Vec<TreeItem>,
    /// Refused directories and archives: unreadable, or not opened. They are among the items, without content.
    pub(super) refused: BTreeMap<PathBuf, Why>,
    /// Why the whole tree is empty, if it was refused.
    pub(super) whole: Option<Why>,
    /// Links, pipes and devices. They are not among the items, because nothing may open them.
    pub(crate) unopened: Vec<PathBuf>,
    /// Files and directories that systems and editors leave behind, and those that the user ignores. They are not among
    /// the items.
    pub(crate) ignored: Vec<PathBuf>,
    /// The files among them that are those of the template of an assignment, the same for all students.
    pub(super) template: BTreeSet<PathBuf>,
    /// The files among them that the user ignores. They are not submissions, but programs beside them may use them.
    pub(super) aside: Vec<TreeItem>,
    /// The files that list the authors of submissions. They are not among the items.
    pub(super) members: Vec<Rc<MembersFile>>,
}

/// The position of each item of a tree, by its name.
pub(super) type Positions<'t> = BTreeMap<&'t Path, usize>;

impl Tree {
    /// The entries of a directory of the tree; the empty path is the top.
    pub(crate) fn inside<'t>(&'t self, dir: &'t Path) -> impl Iterator<Item = &'t TreeItem> {
        self.items.iter().filter(move |item| item.below.parent() == Some(dir))
    }

    /// The part of the tree at, above and below these folders, all so deep in it.
    pub(super) fn below_folders(&self, depth: usize, is_kept: impl Fn(&Path) -> bool) -> Self {
        let keeps = |path: &Path| {
            let folder: PathBuf = path.iter().take(depth).collect();
            is_kept(&folder)
        };
        let paths = |paths: &[PathBuf]| paths.iter().filter(|path| keeps(path)).cloned().collect();
        let items = |items: &[TreeItem]| items.iter().filter(|item| keeps(&item.below)).cloned().collect();
        Self {
            items: items(&self.items),
            refused: self
                .refused
                .iter()
                .filter(|(path, _)| keeps(path))
                .map(|(path, why)| (path.clone(), *why))
                .collect(),
            whole: self.whole,
            unopened: paths(&self.unopened),
            ignored: paths(&self.ignored),
            template: self.template.iter().filter(|path| keeps(path)).cloned().collect(),
            aside: items(&self.aside),
            members: self.members.iter().filter(|file| keeps(&file.below)).cloned().collect(),
        }
    }

    /// Follows directories that contain nothing but another directory. Returns the last of them.
    pub(crate) fn first_of_several(&self, dir: &Path) -> PathBuf {
        let mut top = dir.to_owned();
        while let Some(only) = self.only_dir(&top) {
            top = only;
        }
        top
    }

    /// The only entry of a directory, if that is a directory.
    fn only_dir(&self, dir: &Path) -> Option<PathBuf> {
        let mut inside = self.inside(dir);
        let only = inside.next().filter(|item| item.is_dir)?;
        inside.next().is_none().then(|| only.below.clone())
    }

    /// The files that list the authors of what is at a path: those in the folders above it and in itself, the nearest last.
    pub(super) fn members_of(&self, below: &Path) -> Vec<Rc<MembersFile>> {
        let is_beside = |file: &&Rc<MembersFile>| {
            let dir = file.below.parent().unwrap_or(Path::new(""));
            below.starts_with(dir) || dir.starts_with(below)
        };
        let mut files: Vec<Rc<MembersFile>> = self.members.iter().filter(is_beside).cloned().collect();
        files.sort_by_key(|file| file.below.components().count());
        files
    }

    /// Why the content of a directory is unknown: it was refused, or everything in it was.
    pub(crate) fn refusal(&self, dir: &Path) -> Option<Why> {
        if self.whole.is_some() {
            return self.whole;
        }
        let mut inside = self.items.iter().filter(|item| item.below.starts_with(dir)).peekable();
        let of_refused =
            |item: &TreeItem| item.is_dir && self.refused.keys().any(|refused| refused.starts_with(&item.below));
        let whole = !self.refused.is_empty() && inside.peek().is_some() && inside.all(of_refused);
        self.refused.iter().find(|(refused, _)| whole && refused.starts_with(dir)).map(|(_, why)| *why)
    }

    /// Why part of a directory is unknown, if anything in it was refused.
    pub(crate) fn refusal_within(&self, dir: &Path) -> Option<Why> {
        let mut within = self.refused.iter().filter(|(refused, _)| refused.starts_with(dir));
        self.whole.or_else(|| within.next().map(|(_, why)| *why))
    }

    /// Whether a directory contains nothing but links, pipes and devices, which grader does not open.
    pub(crate) fn holds_only_links(&self, dir: &Path) -> bool {
        let has_file = self.items.iter().any(|item| !item.is_dir && item.below.starts_with(dir));
        !has_file && self.unopened.iter().any(|path| path.starts_with(dir))
    }

    /// The directories that contain any file, directly or below.
    pub(super) fn with_files(&self) -> BTreeSet<&Path> {
        let files = self.items.iter().filter(|item| !item.is_dir).map(|item| &*item.below);
        let others = self.unopened.iter().chain(&self.ignored).map(PathBuf::as_path);
        let all = files.chain(others).chain(self.members.iter().map(|file| &*file.below));
        all.flat_map(Path::ancestors).collect()
    }

    /// Whether a directory contains no file at all.
    pub(super) fn holds_nothing(&self, dir: &Path) -> bool {
        let is_inside = |path: &Path| path.starts_with(dir);
        !self.items.iter().any(|item| !item.is_dir && is_inside(&item.below))
            && !self.unopened.iter().chain(&self.ignored).any(|path| is_inside(path))
            && !self.members.iter().any(|file| is_inside(&file.below))
    }

    /// The refused items, each with the reason.
    pub(crate) fn refused(&self) -> impl Iterator<Item = (&TreeItem, Why)> {
        self.items.iter().filter_map(|item| Some((item, *self.refused.get(&item.below)?)))
    }
}
