//! Finds directories that look like problems, by names alone.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::{Diagnostic, Search};
use crate::diagnostic::Severity;
use crate::package::data_files::{self, DataFile};
use crate::package::dmoj;
use crate::package::document::small_text;
use crate::package::foreign::Family;
use crate::package::hydro;
use crate::package::italy;
use crate::package::library_checker;
use crate::package::pairing::day_of;
use crate::package::plain::{self, SOURCE_DIR};
use crate::package::plain_cases::{self, is_case_dir};
use crate::package::polygon;
use crate::package::reader::walk_error;
use crate::package::testdata::holds_input;
use crate::problem::{PackageLayout, ProblemId};
use crate::program_files::LARGEST;

/// How deep roots are searched: `contests/silver/2019/february/<problem>`, and two more levels.
const DEEPEST: usize = 7;

/// The files that describe a problem package.
const PACKAGE_FILES: [&str; 2] = ["problem.yaml", "domjudge-problem.ini"];
/// The directories that mark a package whose data is not generated yet.
const PACKAGE_PARTS: [&str; 3] = ["problem_statement", "statement", "generators"];

/// Directories that never hold problems but may be very large.
const SKIPPED: [&str; 4] = ["target", "node_modules", "__pycache__", "__MACOSX"];

/// A directory that looks like a problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) id: ProblemId,
    pub(super) dir: PathBuf,
    pub(super) layout: PackageLayout,
    /// Whether it is a problem even if problems are below it.
    pub(super) is_sure: bool,
}

impl Candidate {
    /// The problem in a directory. None if the name of the directory cannot be the name of a problem.
    fn new(dir: &Path, kind: DirKind) -> Option<Self> {
        let DirKind::Problem { layout, is_sure } = kind else { return None };
        let name = dir.file_name()?.to_str().filter(|name| !name.contains(char::is_control))?;
        Some(Self { id: name.into(), dir: dir.to_owned(), layout, is_sure })
    }

    /// Whether a directory in it has its own cases or sources.
    fn holds_as_its_own(&self, dir: &Path) -> bool {
        let inside = dir.strip_prefix(&self.dir).ok().filter(|inside| !inside.as_os_str().is_empty());
        let is_own = |inside: &Path| is_case_dir(inside) || inside.starts_with(SOURCE_DIR);
        self.is_sure && self.layout == PackageLayout::Plain && inside.is_some_and(is_own)
    }

    /// The name of its folder.
    pub(super) fn slug(&self) -> ProblemId {
        self.dir.file_name().and_then(|name| name.to_str()).map_or_else(|| self.id.clone(), ProblemId::from)
    }
}

/// The kind of a directory, by the names in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DirKind {
    /// A problem.
    Problem {
        /// Its layout.
        layout: PackageLayout,
        /// Whether it is a problem even if problems are below it.
        is_sure: bool,
    },
    /// A problem of a tool that grader does not know.
    Foreign(Family),
    /// Something else, which may hold problems.
    Other,
}

/// The facts that the names in a directory reveal.
#[derive(Debug, Clone, Copy, Default)]
struct Look {
    /// Whether problem files describe the directory, and in which layout. A package has `problem.yaml` (or
    /// `domjudge-problem.ini` of `DOMjudge`) and `data/`. Without any data, other parts that only packages have will do
    /// instead of `data/`. Otherwise, one of `problem.toml`, `problem.yaml` and `submissions/` makes it a native
    /// problem. Without these, the `problem.xml` of Polygon makes it a package of Polygon, and the
    /// `info.toml` of Library Checker a problem of that. The `problem.yaml` of Hydro has other keys and `testdata/` beside it.
    /// The `init.yml` of DMOJ makes a problem of that, also beside `submissions/`.
    /// A `task.yaml` with the keys of CMS, beside parts of a task, is one of CMS.
    described: Option<PackageLayout>,
    /// Whether it may be a problem of another tool.
    may_be_foreign: bool,
    /// Whether it directly contains a program.
    has_source: bool,
    /// Whether it directly contains a `.in` file.
    has_input: bool,
}

/// Decides the kind of a directory.
pub(super) fn kind_of(search: &Search<'_>, dir: &Path) -> DirKind {
    let look = look(search, dir);
    if let Some(layout) = look.described {
        return DirKind::Problem { layout, is_sure: true };
    }
    if let Some(family) = look.may_be_foreign.then(|| Family::of(dir)).flatten() {
        return DirKind::Foreign(family);
    }
    let in_src = || holds_source(search, &dir.join(SOURCE_DIR));
    let has_source = look.has_source
        || in_src()
        || !plain::project_sources(dir).is_empty()
        || holds_source(search, &dir.join(SOURCE_DIR).join("bin"));
    if !has_source {
        return DirKind::Other;
    }
    let has_data = || search.cases_of(dir).is_some_and(|cases| cases.is_dir());
    let lists_input = |cases: &str| {
        // A missing or unreadable directory has no known input.
        let listing = std::fs::read_dir(dir.join(cases)).into_iter().flatten().flatten();
        listing.into_iter().any(|entry| is_input(Path::new(&entry.file_name())))
    };
    let is_sure = look.has_source && (look.has_input || ["test", "tests"].into_iter().any(lists_input) || has_data());
    let is_day = || dir.file_name().and_then(|name| name.to_str()).is_some_and(|name| day_of(name).is_some());
    if is_sure || has_data() || plain_cases::holds_cases(dir) || is_day() && reads_data(search, dir) {
        return DirKind::Problem { layout: PackageLayout::Plain, is_sure };
    }
    DirKind::Other
}

/// The most sources of a folder that are read.
const MOST_SOURCES: usize = 200;

/// The folder that the user means, as a problem; none unless its sources read data that exists.
pub(super) fn with_data(search: &Search<'_>, dir: &Path) -> Option<Candidate> {
    let kind = DirKind::Problem { layout: PackageLayout::Plain, is_sure: true };
    reads_data(search, dir).then(|| Candidate::new(dir, kind)).flatten()
}

/// The folders with such sources, from `root` downwards. Does not search inside them.
pub(super) fn with_data_below(search: &Search<'_>, root: &Path) -> Vec<Candidate> {
    let is_meant = |entry: &walkdir::DirEntry| {
        let is_hidden = entry.depth() > 0 && entry.file_name().as_encoded_bytes().starts_with(b".");
        entry.file_type().is_dir() && !is_hidden && !SKIPPED.iter().any(|skipped| entry.file_name() == *skipped)
    };
    let mut found: Vec<Candidate> = Vec::new();
    // Links are not followed, and what cannot be read has no such sources.
    let walk = WalkDir::new(root).max_depth(DEEPEST).sort_by_file_name().into_iter().filter_entry(is_meant);
    for entry in walk.flatten() {
        if !found.last().is_some_and(|last| entry.path().starts_with(&last.dir)) {
            found.extend(with_data(search, entry.path()));
        }
    }
    found
}

/// Whether a source in a folder names data that is there.
fn reads_data(search: &Search<'_>, dir: &Path) -> bool {
    sources_in(search, dir).iter().any(|source| data_named_in(search, source).iter().any(DataFile::is_input))
}

/// The sources directly in a folder and in those for sources.
pub(super) fn sources_in(search: &Search<'_>, dir: &Path) -> Vec<PathBuf> {
    let dirs = [dir.to_owned(), dir.join(SOURCE_DIR), dir.join(SOURCE_DIR).join("bin")];
    // An unreadable folder has none; reading the problem reports it.
    let entries = dirs.iter().flat_map(std::fs::read_dir).flat_map(|listing| listing.flatten().take(MOST_SOURCES));
    let mut sources: Vec<PathBuf> =
        entries.filter(|entry| is_program(search, entry)).map(|entry| entry.path()).collect();
    sources.sort();
    sources
}

/// The data files that a source names.
pub(super) fn data_named_in(search: &Search<'_>, source: &Path) -> Vec<DataFile> {
    let text = small_text(source, LARGEST).unwrap_or_default();
    let named = |dir| [data_files::named_in(&text, dir, search.top), data_files::composed_in(&text, dir)].concat();
    source.parent().map(named).unwrap_or_default()
}

/// The problem in a folder that has test cases and no solver. None for a folder that is a problem of any kind, or has
/// programs.
pub(super) fn without_solver(search: &Search<'_>, dir: &Path) -> Option<Candidate> {
    let name = dir.file_name()?;
    let is_excluded = name.as_encoded_bytes().starts_with(b".") || SKIPPED.iter().any(|skipped| name == *skipped);
    // The solvers in `src/` are found with the folder, so a folder that is not a problem has none there.
    let is_empty = !is_excluded && kind_of(search, dir) == DirKind::Other && !holds_source(search, dir);
    let kind = DirKind::Problem { layout: PackageLayout::Plain, is_sure: true };
    (is_empty && plain_cases::holds_cases(dir)).then(|| Candidate::new(dir, kind)).flatten()
}

/// Whether a program is directly in a directory. An unreadable directory has none; reading the problem reports it.
pub(super) fn holds_source(search: &Search<'_>, dir: &Path) -> bool {
    let listing = std::fs::read_dir(dir).into_iter().flatten().flatten();
    listing.into_iter().any(|entry| is_program(search, &entry))
}

fn is_program(search: &Search<'_>, entry: &std::fs::DirEntry) -> bool {
    let name = entry.file_name();
    let is_plain = !entry.file_type().is_ok_and(|kind| kind.is_dir());
    is_plain && !name.as_encoded_bytes().starts_with(b".") && (search.is_source)(Path::new(&name))
}

/// A link that leads nowhere may have been a problem. With an extension it was a file, which no problem needs.
fn no_problem(found: Diagnostic) -> Diagnostic {
    let is_dead_link = |path: &PathBuf| path.is_symlink() && !path.exists();
    if found.path.as_ref().is_some_and(|path| is_dead_link(path) && path.extension().is_some()) {
        return Diagnostic { severity: Severity::Warning, ..found };
    }
    found
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
    let mut found: Vec<Candidate> = Vec::new();
    let mut walk = WalkDir::new(root).max_depth(DEEPEST).follow_links(true).sort_by_file_name().into_iter();
    while let Some(next) = walk.next() {
        let entry = match next {
            Ok(entry) => entry,
            Err(error) => {
                diagnostics.push(no_problem(walk_error(&error, root)));
                continue;
            }
        };
        if !entry.file_type().is_dir() {
            continue;
        }
        let enter = entry.depth() < DEEPEST;
        if found.iter().rev().take(DEEPEST).any(|outer| outer.holds_as_its_own(entry.path())) {
            walk.skip_current_dir();
            continue;
        }
        match classify(search, entry.path(), entry.depth(), testcases.as_deref(), diagnostics) {
            Next::Problem(candidate) => {
                // Programs with tests may lie above folders that are problems too.
                let may_hold = !candidate.is_sure || candidate.layout == PackageLayout::Plain;
                found.push(candidate);
                if may_hold {
                    continue;
                }
            }
            Next::Skip => {}
            Next::Enter => continue,
        }
        if enter {
            walk.skip_current_dir();
        }
    }
    drop_nested(&mut found);
    warn_of_empty(search, root, &found, diagnostics);
    found
}

/// Decides between a folder that looks like a problem by the names of its files alone, and the problems below it. A
/// folder of problems may contain a script and samples. The folders of a problem's own cases are not problems.
fn drop_nested(found: &mut Vec<Candidate>) {
    let inside = |one: &Candidate, other: &Candidate| {
        let below = one.dir.strip_prefix(&other.dir).ok().filter(|below| !below.as_os_str().is_empty());
        below.map(|below| is_case_dir(below) || below.starts_with(SOURCE_DIR))
    };
    let unsure: Vec<Candidate> = found.iter().filter(|candidate| !candidate.is_sure).cloned().collect();
    let mut holders = HashSet::new();
    let mut parts = HashSet::new();
    // Problems inside come later in the walk than the folder around them.
    for outer in unsure.iter().rev() {
        let is_dropped = |candidate: &Candidate| holders.contains(&candidate.dir) || parts.contains(&candidate.dir);
        let nested = found.iter().filter(|candidate| !is_dropped(candidate));
        let (own, others): (Vec<_>, Vec<_>) = nested
            .filter_map(|candidate| Some((candidate, inside(candidate, outer)?)))
            .partition(|(_, is_own)| *is_own);
        if others.is_empty() {
            parts.extend(own.into_iter().map(|(candidate, _)| candidate.dir.clone()));
        } else {
            holders.insert(outer.dir.clone());
        }
    }
    found.retain(|candidate| !holders.contains(&candidate.dir) && !parts.contains(&candidate.dir));
    let sure: HashSet<PathBuf> = found.iter().filter(|outer| outer.is_sure).map(|outer| outer.dir.clone()).collect();
    let is_inside = |candidate: &Candidate| candidate.dir.ancestors().skip(1).any(|above| sure.contains(above));
    found.retain(|candidate| candidate.is_sure || !is_inside(candidate));
}

/// The next action of the search at a directory.
enum Next {
    Problem(Candidate),
    Skip,
    Enter,
}

fn classify(
    search: &Search<'_>,
    dir: &Path,
    depth: usize,
    testcases: Option<&Path>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Next {
    let name = dir.file_name().unwrap_or_default();
    let hidden = depth > 0 && name.as_encoded_bytes().starts_with(b".");
    if hidden || SKIPPED.iter().any(|skipped| name == *skipped) {
        return Next::Skip;
    }
    if testcases.is_some_and(|testcases| dir.ends_with(testcases.file_name().unwrap_or_default()))
        && dir.canonicalize().ok().as_deref() == testcases
    {
        return Next::Skip;
    }
    match kind_of(search, dir) {
        DirKind::Other => {
            // The walk does not enter it, so it does not report it either.
            if depth == DEEPEST
                && let Err(error) = std::fs::read_dir(dir)
            {
                diagnostics.push(Diagnostic::error(dir, format!("cannot read: {error}")));
            }
            Next::Enter
        }
        DirKind::Foreign(family) => {
            diagnostics.push(family.finding(Severity::Warning, dir));
            Next::Skip
        }
        kind @ DirKind::Problem { .. } => {
            if let Some(candidate) = Candidate::new(dir, kind) {
                return Next::Problem(candidate);
            }
            let message = "the name of this problem is not UTF-8 or contains control characters; ignored";
            diagnostics.push(Diagnostic::error(dir, message).remedy("rename it"));
            Next::Skip
        }
    }
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
        if !expected && diagnostics.iter().all(|told| !told.is_below(dir)) {
            let message = "not a problem: it has no problem.toml, no submissions/, and no solver with test cases";
            diagnostics.push(Diagnostic::warning(dir, message));
        }
    }
}

/// The problem that contains `dir`. The search upwards ends at the directory of the workspace.
pub(super) fn around(search: &Search<'_>, dir: &Path) -> Option<Candidate> {
    for ancestor in dir.ancestors() {
        let is_root = search.roots.iter().any(|root| root == ancestor) || ancestor == search.testcases;
        if ancestor != dir && is_root {
            return None;
        }
        let kind = kind_of(search, ancestor);
        let inside = dir.strip_prefix(ancestor).unwrap_or(Path::new(""));
        let is_its_own = |layout| {
            // A folder far above may contain a script and a `.in` by chance. The cases of a solver are only in these
            // places.
            layout != PackageLayout::Plain || is_case_dir(inside) || inside == Path::new(SOURCE_DIR)
        };
        if let DirKind::Problem { layout, is_sure } = kind
            && is_its_own(layout)
        {
            let candidate = Candidate::new(ancestor, kind)?;
            if ancestor != dir || layout != PackageLayout::Plain {
                return Some(candidate);
            }
            // Errors below are reported when the user searches there.
            let found = below(search, dir, &mut Vec::new());
            if is_sure && found.len() > 1 {
                return None;
            }
            if is_sure || found.contains(&candidate) {
                return Some(candidate);
            }
        }
        if ancestor != dir && ancestor.join("grader.toml").is_file() {
            return None;
        }
    }
    None
}

/// Looks at the names in a directory. A directory that cannot be listed has no names here; the walk reports it. The
/// reader of the problem reports entries that cannot be examined: their type in the listing is enough to know the
/// layout.
fn look(search: &Search<'_>, dir: &Path) -> Look {
    let mut look = Look::default();
    let mut is_described = false;
    let mut has_data = false;
    let mut is_native = false;
    let mut is_own = false;
    let mut has_package_part = false;
    let mut may_be_polygon = false;
    let mut may_be_library_checker = false;
    let mut may_be_dmoj = false;
    let mut may_be_italy = false;
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
        may_be_polygon |= path == Path::new(polygon::FILE);
        may_be_library_checker |= path == Path::new(library_checker::FILE);
        may_be_dmoj |= path == Path::new(dmoj::FILE);
        may_be_italy |= italy::is_description(path);
        look.may_be_foreign |= Family::is_marked_by(path);
        look.has_input |= is_input(path);
        look.has_source |= is_program(search, &entry);
    }
    let native = is_native.then_some(PackageLayout::Native);
    // The data may not be generated yet. A native problem would have it elsewhere.
    let lacks_data = || has_package_part && !is_own && !search.cases_of(dir).is_some_and(|cases| cases.is_dir());
    let is_package = is_described && (has_data || lacks_data());
    let of_polygon = || (may_be_polygon && polygon::is_package(dir)).then_some(PackageLayout::Polygon);
    let of_library_checker =
        || (may_be_library_checker && library_checker::is_problem(dir)).then_some(PackageLayout::LibraryChecker);
    let of_italy = || (may_be_italy && italy::is_task(dir)).then_some(PackageLayout::ItalyYaml);
    look.described = if is_described && hydro::is_problem(dir) {
        Some(PackageLayout::Hydro)
    } else if is_package {
        Some(PackageLayout::Icpc)
    } else if may_be_dmoj && !is_described && !is_own && dmoj::is_problem(dir) {
        Some(PackageLayout::Dmoj)
    } else {
        native.or_else(of_polygon).or_else(of_library_checker).or_else(of_italy)
    };
    look
}

fn is_input(name: &Path) -> bool {
    name.extension().is_some_and(|extension| extension == "in")
}

/// Whether a `.in` file is in the directory or a few levels below. Unreadable parts do not count.
pub(super) fn holds_cases(dir: &Path) -> bool {
    holds_input(dir, DEEPEST)
}
