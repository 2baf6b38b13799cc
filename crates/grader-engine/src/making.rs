//! Makes the inputs and answers that a package leaves to its own programs: generators print inputs, and the reference
//! prints answers. Everything is kept in the store by content, and nothing is written into the package.
//!
//! Its files:
//!
//! - `program`: builds and runs generators and solutions, also for new test cases
//! - `text`: line ends of Windows
//! - `maker`: the files of one test

mod maker;
pub mod program;
pub mod text;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::engine::bench::Bench;
use crate::package::document::stays_in;
use crate::problem::{AnswerRecipe, InputRecipe, Problem, Recipes, TestCase, TestGroup, TestId};
use crate::store::{Artifact, Key};
use maker::{CaseFile, Maker};
use program::Fault;

/// A problem with the files of its tests.
pub struct CompletedProblem {
    /// The problem, whose groups point at the files.
    pub problem: Arc<Problem>,
    /// The numbers of files.
    pub counts: Counts,
    /// The tests without files.
    pub failed: Vec<FailedTest>,
    /// The directory of the files; none if those of the package are complete.
    pub made: Option<MadeTests>,
}

/// The directory with the files of a problem's tests, valid as long as this lives. Its paths are those of the package, which
/// findings name.
#[derive(Debug, Clone)]
pub struct MadeTests {
    /// The directory.
    dir: PathBuf,
    /// The directory of the package.
    package: PathBuf,
    /// The commands of generators, by the path of the input in the package.
    commands: Arc<BTreeMap<PathBuf, String>>,
    /// Keeps the files, if they are not in the store.
    _kept: Option<Artifact<()>>,
}

impl MadeTests {
    /// The place in the package of a file in the directory; none for other paths.
    pub fn in_package(&self, path: &Path) -> Option<PathBuf> {
        // The directory itself stands for nothing that a person could open.
        let below = path.strip_prefix(&self.dir).ok().filter(|below| !below.as_os_str().is_empty())?;
        Some(self.package.join(below))
    }

    /// The command that makes the input at this path in the package.
    pub fn command_of(&self, path: &Path) -> Option<&str> {
        self.commands.get(path).map(String::as_str)
    }

    /// The text with the places in the package.
    pub fn text(&self, text: &str) -> String {
        match (self.dir.to_str(), self.package.to_str()) {
            (Some(dir), Some(package)) => text.replace(dir, package),
            // Such a path is not in a text.
            _ => text.to_owned(),
        }
    }
}

/// How many files were made, and how many were changed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Inputs that generators printed just now.
    pub inputs: usize,
    /// Answers that the reference printed just now.
    pub answers: usize,
    /// Inputs and answers of the package whose line ends were those of Windows.
    pub converted: usize,
}

/// A test whose files could not be made.
#[derive(Debug)]
pub struct FailedTest {
    /// The test.
    pub id: TestId,
    /// The line that states it.
    pub line: u32,
    /// Its command, if it has one.
    pub command: Option<String>,
    /// The reason.
    pub fault: Fault,
}

/// Whether some of these tests lack a file, or have one with line ends of Windows or outside of the package.
pub fn is_needed(problem: &Problem, tests: &BTreeSet<&TestId>) -> bool {
    let Recipes { cases, converts_line_ends, .. } = &problem.recipes;
    let is_usable = |file: PathBuf| {
        let stays = || stays_in(&problem.dir, &file).is_ok_and(|stays| stays);
        file.is_file() && stays() && !(*converts_line_ends && text::is_windows(&file))
    };
    selected(problem, tests).any(|(id, group, case)| {
        let Some(recipe) = cases.get(&id) else { return false };
        let is_whole = recipe.input == InputRecipe::File && recipe.answer == AnswerRecipe::File;
        let files = [Some(group.input_of(case)), group.answer_of(case)];
        !is_whole || !files.into_iter().flatten().all(is_usable)
    })
}

/// Makes the files of these tests. Calls `begins` before each.
///
/// # Errors
/// The work was cancelled, or the files cannot be kept anywhere.
pub fn complete(
    bench: &mut Bench<'_>,
    problem: &Arc<Problem>,
    tests: &BTreeSet<&TestId>,
    mut begins: impl FnMut(&TestId),
) -> Result<CompletedProblem, Fault> {
    let mut maker = Maker::new(problem);
    let (mut files, mut failed): (Vec<CaseFile>, _) = (Vec::new(), Vec::new());
    // A test of several subtasks is a case of each.
    let mut places = BTreeSet::new();
    for (id, group, case) in selected(problem, tests) {
        begins(&id);
        match maker.files(bench, &id, group, case) {
            Ok(made) => files.extend(made.into_iter().filter(|file| places.insert(file.place.clone()))),
            Err(Fault::Cancelled) => return Err(Fault::Cancelled),
            Err(fault) => {
                let recipe = problem.recipes.cases.get(&id);
                let command = recipe.and_then(|recipe| match &recipe.input {
                    InputRecipe::Command(command) => Some(command.text.clone()),
                    InputRecipe::File => None,
                });
                failed.push(FailedTest { id, line: recipe.map_or(0, |recipe| recipe.line), command, fault });
            }
        }
    }
    let root = root_of(problem);
    let dir = keep_together(bench, &root, &files)
        .map_err(|error| Fault::Broken(format!("cannot keep the files of the tests: {error}")))?;
    let moved = |group: &TestGroup| {
        let below = group.dir.strip_prefix(&root).unwrap_or(Path::new(""));
        TestGroup { dir: dir.dir.join(below), ..group.clone() }
    };
    let groups = problem.groups.iter().map(moved).collect();
    let commands = Arc::new(commands(problem));
    let completed = Problem { groups, recipes: problem.recipes.clone().used(), ..Problem::clone(problem) };
    let place = dir.dir.clone();
    let kept = (!dir.is_cached()).then_some(dir);
    let made = MadeTests { dir: place, package: root, commands, _kept: kept };
    Ok(CompletedProblem { problem: Arc::new(completed), counts: maker.counts(), failed, made: Some(made) })
}

/// The commands of generators, by the path of the input in the package.
fn commands(problem: &Problem) -> BTreeMap<PathBuf, String> {
    let command_of =
        |(group, case): (&TestGroup, &TestCase)| match &problem.recipes.cases.get(&group.id_of(case))?.input {
            InputRecipe::Command(command) => Some((group.input_of(case), command.text.clone())),
            InputRecipe::File => None,
        };
    problem.cases().filter_map(command_of).collect()
}

/// These tests with their groups, in plan order.
fn selected<'p>(
    problem: &'p Problem,
    tests: &BTreeSet<&TestId>,
) -> impl Iterator<Item = (TestId, &'p TestGroup, &'p TestCase)> {
    let chosen = problem.tests().map(|test| (test.id(), test)).filter(|(id, _)| tests.contains(id));
    chosen.filter_map(|(id, test)| test.case().map(|(group, case)| (id, group, case)))
}

/// The directory to which the paths of tests are relative.
fn root_of(problem: &Problem) -> PathBuf {
    problem.dir.clone()
}

/// Puts the files of all tests into one directory of the store, under their paths in the package.
fn keep_together(bench: &Bench<'_>, root: &Path, files: &[CaseFile]) -> io::Result<Artifact<()>> {
    let store = &bench.resources.store;
    let inner = |file: &CaseFile| file.place.strip_prefix(root).map(Path::to_owned).map_err(io::Error::other);
    let mut key = Key::of("files of tests v1");
    for (file, digest) in files.iter().zip(store.digest_files(&paths_of(files))) {
        key = key.field("path", inner(file)?.as_os_str().as_encoded_bytes()).field("content", digest?.as_bytes());
    }
    let key = key.finish();
    if let Some(known) = store.artifact(&key) {
        return Ok(known);
    }
    let builder = store.build_artifact(key)?;
    match put_all(builder.dir(), files, &inner) {
        Ok(()) => Ok(builder.commit(())),
        Err(error) => {
            let builder = builder.elsewhere(&error)?;
            put_all(builder.dir(), files, &inner)?;
            Ok(builder.commit(()))
        }
    }
}

fn paths_of(files: &[CaseFile]) -> Vec<&Path> {
    files.iter().map(|file| file.content.as_path()).collect()
}

fn put_all(dir: &Path, files: &[CaseFile], inner: &dyn Fn(&CaseFile) -> io::Result<PathBuf>) -> io::Result<()> {
    for file in files {
        let place = dir.join(inner(file)?);
        if let Some(parent) = place.parent() {
            fs::create_dir_all(parent)?;
        }
        // A file of the package is copied, because its author may change it in place.
        let linked = file.is_ours && fs::hard_link(&file.content, &place).is_ok();
        if !linked {
            fs::copy(&file.content, &place)?;
        }
    }
    Ok(())
}
