//! Finds problems: decides which directories are problems, and of which layout. Reports every error, and a broken
//! problem does not hide a healthy one.
//!
//! Its files:
//!
//! - `candidates`: which directories may be problems
//! - `select`: the problems, submissions and tests that words name
//! - `empty`: why no problem was found

mod candidates;
mod empty;
mod names;
pub(crate) mod select;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::diagnostic::Severity;
use crate::package::contest::Contest;
use crate::package::reader::{Derive, IsSource, Reader, is_package_name};
use crate::package::{dmoj, hydro, icpc, italy, library_checker, native, plain, polygon};
use crate::problem::{Label, PackageLayout, Problem, ProblemId};

use candidates::Candidate;

pub(crate) use empty::RUN_A_PROGRAM;

pub(crate) use crate::diagnostic::{Diagnostic, Kind};

/// The directories to search.
#[derive(Clone, Copy)]
pub(crate) struct Search<'a> {
    /// The directories that hold problems, as absolute paths.
    pub roots: &'a [PathBuf],
    /// The directory with the test cases of native problems, as an absolute path.
    pub testcases: &'a Path,
    /// Tells by the name of a file whether it is a program.
    pub is_source: &'a IsSource<'a>,
    /// Keeps the files that a reader makes from a document.
    pub derive: &'a Derive<'a>,
    /// The directory above which no file belongs to a program. None: its own folder.
    pub top: Option<&'a Path>,
    /// The testset that is judged in packages with several. None: that of the package.
    pub testset: Option<&'a str>,
}

impl Search<'_> {
    /// The directory with the test cases of a native problem. Problems outside of the workspace, such as those of
    /// archives, have none there, and neither have copies of a problem elsewhere in it, such as exports.
    fn cases_of(&self, dir: &Path) -> Option<PathBuf> {
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let holds = |base: &Path| dir.starts_with(base) || real(dir).starts_with(real(base));
        let name = dir.file_name()?;
        let is_in_roots = self.roots.iter().any(|root| holds(root));
        let is_copy = || self.roots.iter().any(|root| root.join(name).is_dir());
        let is_inside = is_in_roots || self.top.is_none_or(holds) && !is_copy();
        is_inside.then_some(self.testcases.join(name))
    }
}

/// The result of a search.
#[derive(Debug, Default)]
pub(crate) struct Discovery {
    /// The problems without errors, in the order of their contest, then by name.
    pub problems: Vec<Arc<Problem>>,
    /// The problems whose only errors concern their test cases, without the incomplete cases.
    pub unfinished: Vec<Arc<Problem>>,
    /// Errors and warnings, including those about problems that are left out.
    pub diagnostics: Vec<Diagnostic>,
}

impl Discovery {
    /// Whether no problem was found, not even a broken one.
    pub(crate) fn is_nothing(&self) -> bool {
        self.problems.is_empty() && self.diagnostics.iter().all(|found| found.problem.is_none())
    }
}

/// Finds every problem below the roots, and test cases without a problem.
pub(crate) fn discover(search: &Search<'_>) -> Discovery {
    let mut diagnostics = Vec::new();
    let mut found = Vec::new();
    for root in search.roots {
        let below = candidates::below(search, root, &mut diagnostics);
        if below.is_empty() && root.is_dir() {
            diagnostics.push(
                Diagnostic::warning(root, "contains no problem").remedy("add a problem, or name another directory"),
            );
        }
        found.extend(below);
    }
    diagnostics.extend(orphans(search, &found));
    read_all(search, found, diagnostics)
}

/// The names and directories of all problems below the roots, or else around or below `start`. Reads no problem, so it is
/// fast and reports nothing: for completions.
pub(crate) fn named_below(search: &Search<'_>, start: &Path) -> Vec<(ProblemId, PathBuf)> {
    let mut unheard = Vec::new();
    let mut found: Vec<Candidate> =
        search.roots.iter().flat_map(|root| candidates::below(search, root, &mut unheard)).collect();
    if found.is_empty() {
        found.extend(candidates::around(search, start));
    }
    if found.is_empty() && start.is_dir() {
        found = candidates::below(search, start, &mut unheard);
    }
    names::distinguish(&mut found);
    found.into_iter().map(|candidate| (candidate.id, candidate.dir)).collect()
}

/// Whether a directory looks like a problem.
pub(crate) fn is_problem(search: &Search<'_>, dir: &Path) -> bool {
    matches!(candidates::kind_of(search, dir), candidates::DirKind::Problem { .. })
        || candidates::with_data(search, dir).is_some()
}

/// Finds the problem that contains `dir`, or whose test cases are in it; otherwise every problem below `dir`.
pub(crate) fn discover_in(search: &Search<'_>, dir: &Path) -> Discovery {
    if let Some(candidate) = candidates::around(search, dir) {
        return read_all(search, named_as_in_roots(search, vec![candidate]), Vec::new());
    }
    let cases_of = dir.strip_prefix(search.testcases).ok().and_then(|below| below.components().next());
    if let Some(slug) = cases_of.and_then(|slug| slug.as_os_str().to_str()) {
        let mut all = discover(search);
        all.problems.retain(|problem| problem.slug() == slug);
        let is_it = |id: &ProblemId| id.as_str().rsplit('/').next() == Some(slug);
        let about = |found: &Diagnostic| found.problem.as_ref().is_none_or(is_it);
        all.diagnostics.retain(about);
        return all;
    }
    let mut diagnostics = Vec::new();
    let mut found = candidates::below(search, dir, &mut diagnostics);
    if found.is_empty() && diagnostics.is_empty() {
        found.extend(candidates::with_data_below(search, dir));
    }
    diagnostics.extend(empty::folders_without_input(search, dir, &found));
    diagnostics.extend(empty::programs_above(search, dir, &found));
    if found.is_empty() && dir.is_dir() {
        if diagnostics.is_empty() {
            diagnostics.push(empty::explain(search, dir));
        }
        // Nothing else can be judged here, so these are the reason.
        for found in &mut diagnostics {
            found.severity = Severity::Error;
        }
    }
    read_all(search, named_as_in_roots(search, found), diagnostics)
}

/// Reads a folder that has test cases and no solver as a problem. Without such cases, reads the folders directly below
/// it. Commands that bring their own programs need no more than cases.
pub(crate) fn cases_alone(search: &Search<'_>, dir: &Path, below: Below) -> Discovery {
    let mut found: Vec<Candidate> = candidates::without_solver(search, dir).into_iter().collect();
    if found.is_empty() && below == Below::Searched {
        // An unreadable folder has no problems. The search for problems has reported it.
        let listing = std::fs::read_dir(dir).into_iter().flatten().flatten();
        let mut dirs: Vec<PathBuf> = listing.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
        dirs.sort();
        found = dirs.iter().filter_map(|dir| candidates::without_solver(search, dir)).collect();
    }
    read_all(search, found, Vec::new())
}

/// Whether the folders directly below a folder count too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Below {
    /// They count if the folder itself has no cases.
    Searched,
    /// They do not count.
    Ignored,
}

/// Renames candidates to their names among all problems below the roots. A problem then has the same name from every
/// directory.
fn named_as_in_roots(search: &Search<'_>, mut found: Vec<Candidate>) -> Vec<Candidate> {
    if !found.iter().any(|candidate| search.roots.iter().any(|root| candidate.dir.starts_with(root))) {
        return found;
    }
    // Errors elsewhere are reported when the user searches there.
    let mut unheard = Vec::new();
    let roots = search.roots.iter().filter(|root| root.is_dir());
    let mut all: Vec<Candidate> = roots.flat_map(|root| candidates::below(search, root, &mut unheard)).collect();
    names::distinguish(&mut all);
    for candidate in &mut found {
        if let Some(known) = all.iter().find(|known| known.dir == candidate.dir) {
            candidate.id = known.id.clone();
        }
    }
    found
}

/// Reads the candidates and keeps the problems without errors.
fn read_all(search: &Search<'_>, mut found: Vec<Candidate>, mut diagnostics: Vec<Diagnostic>) -> Discovery {
    let mut listed = BTreeSet::new();
    found.retain(|candidate| listed.insert(candidate.dir.clone()));
    // Longer names exist because of problems that are not among these, so they are kept.
    if found.iter().all(|candidate| candidate.id == candidate.slug()) {
        names::distinguish(&mut found);
    }
    diagnostics.extend(clashes(&found));
    // Native problems of one name share a folder of test cases.
    let mut native: BTreeMap<ProblemId, Vec<&Candidate>> = BTreeMap::new();
    for candidate in found.iter().filter(|candidate| candidate.layout == PackageLayout::Native) {
        native.entry(candidate.slug()).or_default().push(candidate);
    }
    let mut problems = Vec::new();
    for candidate in &found {
        // In a directory that can be listed but not searched, every file would cause a message of its own.
        if let Err(error) = candidate.dir.join(".").metadata() {
            let found = Diagnostic::error(&candidate.dir, format!("cannot read: {error}")).of(&candidate.id);
            diagnostics.push(found.remedy("make it searchable: chmod u+x"));
            continue;
        }
        let slug = candidate.slug();
        let data = search.cases_of(&candidate.dir).unwrap_or_else(|| candidate.dir.join("testcases"));
        let mut reader = Reader::new(candidate.id.clone(), &candidate.dir, &data, search.is_source);
        reader.derive = search.derive;
        reader.testset = search.testset;
        reader.top = search.top;
        let same_name = native.get(&slug).filter(|_| candidate.layout == PackageLayout::Native);
        if let Some(other) = same_name.and_then(|alike| alike.iter().find(|other| other.dir != candidate.dir))
            && data.is_dir()
        {
            let message = format!("takes its test cases from {}, as {} does", data.display(), other.dir.display());
            let found = Diagnostic::warning(&candidate.dir, message);
            reader.report(found.remedy("rename one if they are not the same problem"));
        }
        let has_package_name = matches!(candidate.layout, PackageLayout::Native | PackageLayout::Icpc);
        if has_package_name && !is_package_name(slug.as_str()) {
            reader.warning(
                Kind::StrangeName,
                &candidate.dir,
                "a package may not have this name; to export the problem, rename its folder with letters, digits, `_`, `.` and `-`",
            );
        }
        let read = match candidate.layout {
            PackageLayout::Native => vec![native::read(&mut reader, &data)],
            PackageLayout::Icpc => {
                reader.foreign = true;
                vec![icpc::read(&mut reader, &data)]
            }
            PackageLayout::Polygon => polygon::read(&reader).into_iter().collect(),
            PackageLayout::LibraryChecker => {
                reader.package_names = false;
                library_checker::read(&reader).into_iter().collect()
            }
            PackageLayout::Hydro => {
                reader.foreign = true;
                reader.package_names = false;
                vec![hydro::read(&reader)]
            }
            PackageLayout::Dmoj => {
                reader.foreign = true;
                reader.package_names = false;
                vec![dmoj::read(&reader)]
            }
            PackageLayout::ItalyYaml => {
                reader.package_names = false;
                italy::read(&reader).into_iter().collect()
            }
            PackageLayout::Plain => {
                reader.package_names = false;
                plain::read(&reader, &data)
            }
        };
        problems.extend(read.into_iter().map(|problem| (&candidate.id, problem)));
        diagnostics.extend(reader.take_found());
    }
    let with_errors = |meant: &dyn Fn(&Diagnostic) -> bool| -> BTreeSet<ProblemId> {
        let errors = diagnostics.iter().filter(|found| found.is_error() && meant(found));
        errors.filter_map(|found| found.problem.clone()).collect()
    };
    let broken = with_errors(&|_| true);
    let hopeless = with_errors(&|found| !found.unfinished);
    let contests = Contests::around(&found);
    diagnostics.extend(contests.0.values().flatten().flat_map(|contest| contest.found.iter().cloned()));
    for (_, problem) in &mut problems {
        problem.label = contests.label_of(problem);
    }
    problems.sort_by_cached_key(|(_, problem)| (contests.place_of(problem), problem.id.clone()));
    // Findings are about the folder, which may hold several problems.
    let (mut unfinished, problems): (Vec<_>, Vec<_>) = problems.into_iter().partition(|(id, _)| broken.contains(id));
    unfinished.retain(|(id, _)| !hopeless.contains(id));
    let shared =
        |problems: Vec<(&ProblemId, Problem)>| problems.into_iter().map(|(_, problem)| Arc::new(problem)).collect();
    Discovery { problems: shared(problems), unfinished: shared(unfinished), diagnostics }
}

/// The contests of the problems, by directory.
struct Contests(BTreeMap<PathBuf, Option<Contest>>);

impl Contests {
    fn around(found: &[Candidate]) -> Self {
        let dirs: BTreeSet<&Path> = found.iter().filter_map(|candidate| candidate.dir.parent()).collect();
        Self(dirs.into_iter().map(|dir| (dir.to_owned(), Contest::read(dir))).collect())
    }

    fn find(&self, problem: &Problem) -> Option<(&Path, usize, Option<&Label>)> {
        let (dir, contest) = self.0.get_key_value(problem.dir.parent()?)?;
        let (position, label) = contest.as_ref()?.place(problem.slug())?;
        Some((dir, position, label))
    }

    fn label_of(&self, problem: &Problem) -> Option<Label> {
        self.find(problem)?.2.cloned()
    }

    /// The sort key of problems: those in a contest first, in its order; all others by name.
    fn place_of(&self, problem: &Problem) -> (bool, Option<(PathBuf, usize)>) {
        let place = self.find(problem).map(|(dir, position, _)| (dir.to_owned(), position));
        (place.is_none(), place)
    }
}

/// Reports problems that were found in two places.
fn clashes(found: &[Candidate]) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let mut places: HashMap<PathBuf, &Candidate> = HashMap::new();
    for candidate in found {
        // A path that cannot be resolved stays unchanged; reading it reports why.
        let place = candidate.dir.canonicalize().unwrap_or_else(|_| candidate.dir.clone());
        if let Some(first) = places.get(&place) {
            let message = format!("is the same problem as {}", first.dir.display());
            let remedy = "remove the link or one of the roots";
            diagnostics.push(Diagnostic::error(&candidate.dir, &*message).remedy(remedy).of(&candidate.id));
            // The other name is broken too, because it is unclear which of the two is meant.
            if first.id != candidate.id {
                let message = format!("is the same problem as {}", candidate.dir.display());
                diagnostics.push(Diagnostic::error(&first.dir, message).remedy(remedy).of(&first.id));
            }
            continue;
        }
        places.insert(place, candidate);
    }
    diagnostics
}

/// Reports test cases whose problem does not exist.
fn orphans(search: &Search<'_>, found: &[Candidate]) -> Vec<Diagnostic> {
    let slugs: Vec<ProblemId> = found.iter().map(Candidate::slug).collect();
    let known: BTreeSet<&str> = slugs.iter().map(ProblemId::as_str).collect();
    let listing = match std::fs::read_dir(search.testcases) {
        Ok(listing) => listing,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Vec::new(),
        Err(error) => return vec![Diagnostic::warning(search.testcases, format!("cannot read: {error}"))],
    };
    // An unreadable entry belongs to a problem that then lacks its cases, or to none.
    let mut dirs: Vec<PathBuf> = listing.flatten().map(|entry| entry.path()).collect();
    dirs.sort();
    let orphan = |dir: &PathBuf| {
        let name = dir.file_name()?.to_string_lossy().into_owned();
        let root = search.roots.first()?;
        if known.contains(&*name) || name.starts_with('.') || !candidates::holds_cases(dir) {
            return None;
        }
        let message = format!("test cases without a problem {}", root.join(&name).display());
        let near = crate::suggest::did_you_mean(&name, known.iter().copied());
        let remedy = near.unwrap_or_else(|| "add the problem or remove the cases".to_owned());
        Some(Diagnostic::error(dir, message).remedy(remedy))
    };
    dirs.iter().filter_map(orphan).collect()
}

#[cfg(test)]
mod tests;
