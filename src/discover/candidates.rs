//! Finds directories that look like problems, by names alone.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::{Diagnostic, Search, layout_of};
use crate::package::plain::CASE_DIRS;
use crate::package::reader::walk_error;
use crate::problem::{Layout, ProblemId};

/// How deep roots are searched: `problems/<course>/<week>/<problem>` and one more level.
const DEEPEST: usize = 4;

/// The files that describe a problem package.
const PACKAGE_FILES: [&str; 2] = ["problem.yaml", "domjudge-problem.ini"];
/// The directories that mark a package whose data is not generated yet.
const PACKAGE_PARTS: [&str; 3] = ["problem_statement", "statement", "generators"];

/// Directories that never hold problems but may be very large.
const SKIPPED: [&str; 3] = ["target", "node_modules", "__pycache__"];

/// A directory that looks like a problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) id: ProblemId,
    pub(super) dir: PathBuf,
    pub(super) layout: Layout,
}

impl Candidate {
    /// The name of its folder.
    pub(super) fn slug(&self) -> ProblemId {
        self.dir.file_name().and_then(|name| name.to_str()).map_or_else(|| self.id.clone(), ProblemId::from)
    }
}

/// What the names in a directory reveal.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Look {
    /// Whether problem files describe the directory, and in which layout. A package has `problem.yaml` (or
    /// `domjudge-problem.ini` of `DOMjudge`) and `data/`. Without any data, other parts that only packages have will do
    /// instead of `data/`. Otherwise, one of `problem.toml`, `problem.yaml` and `submissions/` makes it a native
    /// problem.
    pub(super) described: Option<Layout>,
    /// Whether it directly contains a program.
    pub(super) has_source: bool,
    /// Whether it contains a `.in` file in a place for plain folders.
    pub(super) has_cases: bool,
}

/// Finds everything below `root` that looks like a problem, including `root`. Does not search inside problems.
pub(super) fn below(search: &Search<'_>, root: &Path, diagnostics: &mut Vec<Diagnostic>) -> Vec<Candidate> {
    if !root.is_dir() {
        let remedy = "create it, or set `problems` in grader.toml";
        diagnostics.push(Diagnostic::error(root, "no such directory of problems").remedy(remedy));
        return Vec::new();
    }
    // A path that cannot be resolved, such as one that does not exist, equals no directory below.
    let testcases = search.testcases.canonicalize().ok();
    let mut found = Vec::new();
    let mut walk = WalkDir::new(root).max_depth(DEEPEST).follow_links(true).sort_by_file_name().into_iter();
    while let Some(next) = walk.next() {
        let entry = match next {
            Ok(entry) => entry,
            Err(error) => {
                diagnostics.push(walk_error(&error, root));
                continue;
            }
        };
        if !entry.file_type().is_dir() {
            continue;
        }
        let enter = entry.depth() < DEEPEST;
        match classify(search, entry.path(), entry.depth(), testcases.as_deref(), diagnostics) {
            DirKind::Problem(candidate) => found.push(candidate),
            DirKind::Uninteresting => {}
            DirKind::MayHoldProblems => continue,
        }
        if enter {
            walk.skip_current_dir();
        }
    }
    warn_of_empty(search, root, &found, diagnostics);
    found
}

/// The judgement on a directory during the search.
enum DirKind {
    Problem(Candidate),
    Uninteresting,
    MayHoldProblems,
}

fn classify(
    search: &Search<'_>,
    dir: &Path,
    depth: usize,
    testcases: Option<&Path>,
    diagnostics: &mut Vec<Diagnostic>,
) -> DirKind {
    let name = dir.file_name().unwrap_or_default();
    let hidden = depth > 0 && name.as_encoded_bytes().starts_with(b".");
    if hidden || SKIPPED.iter().any(|skipped| name == *skipped) {
        return DirKind::Uninteresting;
    }
    if testcases.is_some_and(|testcases| dir.ends_with(testcases.file_name().unwrap_or_default()))
        && dir.canonicalize().ok().as_deref() == testcases
    {
        return DirKind::Uninteresting;
    }
    let Some(layout) = layout_of(search, look(search, dir), dir) else {
        // The walk does not enter it, so it does not report it either.
        if depth == DEEPEST
            && let Err(error) = std::fs::read_dir(dir)
        {
            diagnostics.push(Diagnostic::error(dir, format!("cannot read: {error}")));
        }
        return DirKind::MayHoldProblems;
    };
    if let Some(name) = name.to_str().filter(|name| !name.contains(char::is_control)) {
        return DirKind::Problem(Candidate { id: name.into(), dir: dir.to_owned(), layout });
    }
    let message = "the name of this problem is not UTF-8 or contains control characters; ignored";
    diagnostics.push(Diagnostic::error(dir, message).remedy("rename it"));
    DirKind::Uninteresting
}

/// Reports the directories straight below a root that contain no problem: most likely the author meant one to be a
/// problem.
fn warn_of_empty(search: &Search<'_>, root: &Path, found: &[Candidate], diagnostics: &mut Vec<Diagnostic>) {
    let is_root = search.roots.iter().any(|known| known == root);
    if !is_root || found.is_empty() {
        return;
    }
    // There may be thousands of problems: each directory is looked up instead of compared with all of them.
    let dirs: HashSet<&Path> = found.iter().map(|candidate| candidate.dir.as_path()).collect();
    let holders: HashSet<&Path> = dirs.iter().flat_map(|dir| dir.ancestors()).collect();
    // The walk has already reported entries that cannot be read.
    let walk = WalkDir::new(root).min_depth(1).max_depth(1).sort_by_file_name();
    for entry in walk.into_iter().flatten().filter(|entry| entry.file_type().is_dir()) {
        let dir = entry.path();
        let name = entry.file_name();
        let expected = name.as_encoded_bytes().starts_with(b".")
            || SKIPPED.iter().any(|skipped| name == *skipped)
            || dir == search.testcases
            || holders.contains(dir)
            || dir.ancestors().any(|above| dirs.contains(above));
        if !expected && diagnostics.iter().all(|told| told.path != dir) {
            let message = "not a problem: it has no problem.toml, no submissions/, and no solver with .in files";
            diagnostics.push(Diagnostic::warning(dir, message));
        }
    }
}

/// The problem that contains `dir`. The search upwards ends at the directory of the workspace.
pub(super) fn around(search: &Search<'_>, dir: &Path) -> Option<Candidate> {
    for ancestor in dir.ancestors() {
        let is_root = search.roots.iter().any(|root| root == ancestor) || ancestor == search.testcases;
        if ancestor != dir && (is_root || ancestor.join("grader.toml").is_file()) {
            return None;
        }
        let layout = layout_of(search, look(search, ancestor), ancestor);
        let inside = dir.strip_prefix(ancestor).unwrap_or(Path::new(""));
        // A folder far above may contain a script and a `.in` by chance. The cases of a solver are only in these
        // places.
        let plausible = layout != Some(Layout::Plain) || CASE_DIRS.iter().any(|cases| inside == Path::new(cases));
        if let (Some(layout), true) = (layout, plausible) {
            let id = ancestor.file_name()?.to_str()?.into();
            return Some(Candidate { id, dir: ancestor.to_owned(), layout });
        }
    }
    None
}

/// Looks at the names in a directory. A directory that cannot be listed has no names here; the walk reports it. The
/// reader of the problem reports entries that cannot be examined: their type in the listing is enough to know the
/// layout.
pub(super) fn look(search: &Search<'_>, dir: &Path) -> Look {
    let mut look = Look::default();
    let (mut is_described, mut has_data, mut is_native) = (false, false, false);
    let (mut is_own, mut has_package_part) = (false, false);
    let Ok(listing) = std::fs::read_dir(dir) else { return look };
    for entry in listing.flatten() {
        let name = entry.file_name();
        let path = Path::new(&name);
        // Only a link must be followed. One that leads nowhere is not a directory.
        let is_dir = || entry.file_type().is_ok_and(|kind| kind.is_dir() || kind.is_symlink() && entry.path().is_dir());
        is_native |= path == Path::new("problem.toml") || path == Path::new("problem.yaml");
        is_native |= path == Path::new("submissions") && is_dir();
        is_own |= path == Path::new("problem.toml");
        has_package_part |= PACKAGE_PARTS.iter().any(|part| path == Path::new(part)) && is_dir();
        is_described |= PACKAGE_FILES.iter().any(|file| path == Path::new(file));
        has_data |= path == Path::new("data") && is_dir();
        look.has_cases |= is_input(path);
        let is_plain = !entry.file_type().is_ok_and(|kind| kind.is_dir());
        look.has_source |= is_plain && !name.as_encoded_bytes().starts_with(b".") && (search.is_source)(path);
    }
    let native = is_native.then_some(Layout::Native);
    // The data may not be generated yet. A native problem would have it elsewhere.
    let lacks_data =
        || has_package_part && !is_own && !dir.file_name().is_some_and(|name| search.testcases.join(name).is_dir());
    let is_package = is_described && (has_data || lacks_data());
    look.described = if is_package { Some(Layout::Icpc) } else { native };
    let lists_input = |cases: &&str| {
        // A missing or unreadable directory has no known input.
        let listing = std::fs::read_dir(dir.join(cases)).into_iter().flatten().flatten();
        listing.into_iter().any(|entry| is_input(Path::new(&entry.file_name())))
    };
    if look.has_source && !look.has_cases {
        look.has_cases = CASE_DIRS.iter().filter(|cases| !cases.is_empty()).any(lists_input);
    }
    look
}

fn is_input(name: &Path) -> bool {
    name.extension().is_some_and(|extension| extension == "in")
}

/// Whether a `.in` file is in the directory or a few levels below. Unreadable parts do not count.
pub(super) fn holds_cases(dir: &Path) -> bool {
    WalkDir::new(dir).max_depth(DEEPEST).into_iter().flatten().any(|entry| is_input(entry.path()))
}
