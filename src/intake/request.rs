//! What to judge: the words of the user, and which of them is the problem.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use super::layout::FolderLayout;
use super::{Problems, find_problems};
use crate::plan::PlannedProblem;
use crate::report::failure::Look;
use crate::report::student::FeedbackLevel;
use crate::session::archives::{holds_package, is_kattis_name, is_package};
use crate::session::select::near_file;
use crate::workspace::Workspace;

/// Which submissions to judge, and how.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The problem, if it was named separately from the submissions.
    pub problem: Option<String>,
    /// The submissions. The problem comes first, unless it was named separately.
    pub words: Vec<String>,
    /// The layout of the paths: a glob with the student and the problem, or the name of a platform.
    pub layout: Option<String>,
    /// The roster of the class, a CSV file.
    pub roster: Option<PathBuf>,
    /// Only these tests.
    pub tests: Vec<String>,
    /// The pattern of the names of output files.
    pub pattern: Option<String>,
    /// A program that judges instead of the problem's own output validator.
    pub output_validator: Option<PathBuf>,
    /// The language of every submission.
    pub language: Option<String>,
    /// The folder for the result of each submission.
    pub out: Option<PathBuf>,
    /// How much students see in that folder.
    pub feedback: FeedbackLevel,
    /// How failures are shown in that folder.
    pub look: Look,
    /// Whether the requested report covers only one student.
    pub for_one_student: bool,
    /// The options that determine results.
    pub options: Vec<String>,
}

impl Request {
    /// The problems that a word names, or all problems.
    pub(super) fn problems(&self, workspace: &Workspace, word: Option<&str>, tests: &[String]) -> Result<Problems> {
        find_problems(workspace, word, tests, self.output_validator.as_deref())
    }

    /// The path that the user named for a submission at a place, from the root; none if it was several files.
    pub(super) fn named_path(&self, workspace: &Workspace, place: &Path) -> Option<PathBuf> {
        let named = self.words.iter().map(Path::new).filter(|path| place.starts_with(path));
        let longest = named.max_by_key(|path| path.components().count())?;
        Some(workspace.start.join(longest).components().collect())
    }

    /// Splits the words into the problem, if one is named, and the paths.
    pub(super) fn split_words(
        &self,
        workspace: &Workspace,
        layout: Option<&FolderLayout>,
    ) -> Result<(Option<String>, Vec<PathBuf>)> {
        let exists = |word: &String| !word.is_empty() && workspace.start.join(word).exists();
        let (word, paths) = match (&self.problem, &self.words[..]) {
            (Some(problem), words) => (Some(problem.clone()), words),
            (None, [first, rest @ ..]) if !rest.is_empty() && self.is_problem(workspace, layout, first)? => {
                (Some(first.clone()), rest)
            }
            (None, words) => (None, words),
        };
        // An inaccessible path is not missing.
        for path in paths {
            if let Err(error) = workspace.start.join(path).metadata()
                && error.kind() != std::io::ErrorKind::NotFound
            {
                bail!("{path}: {error}\n  → make it readable");
            }
        }
        let missing: Vec<String> = paths.iter().filter(|path| !exists(path)).map(|path| format!("`{path}`")).collect();
        if missing.is_empty() && !paths.is_empty() {
            return Ok((word, paths.iter().map(PathBuf::from).collect()));
        }
        // This search only improves the message: if it fails, the path is still missing.
        if let [only] = paths
            && self.problems(workspace, Some(only), &[]).is_ok_and(|found| !found.plan.problems.is_empty())
        {
            bail!(
                "`{only}` is a problem, and nothing to judge is named\n  → name a program, a folder or an archive: grader \
                 judge {only} PATH"
            );
        }
        let near = paths.iter().find_map(|path| near_file(&workspace.start, path));
        let remedy = near.map_or_else(
            || "name a problem, a program, a folder or an archive; `grader list` lists the problems".to_owned(),
            |near| format!("did you mean `{near}`?"),
        );
        bail!("no such file or directory: {}\n  → {remedy}", missing.join(", "))
    }

    /// Whether the first of several words names a problem and not a submission.
    fn is_problem(&self, workspace: &Workspace, layout: Option<&FolderLayout>, word: &str) -> Result<bool> {
        let path = workspace.start.join(word);
        if path.exists() && layout.is_some_and(FolderLayout::names_problem) {
            return self.is_called(workspace, word, &path);
        }
        if is_kattis_name(&path) {
            return Ok(true);
        }
        if path.is_file() {
            return if is_package(&path) && holds_package(&path) { self.is_meant(workspace, word) } else { Ok(false) };
        }
        // If problems cannot be searched, the search for the problem reports it.
        // A word that is neither a path nor a problem counts as a problem too. The search for it then fails with a
        // suggestion.
        let is_one = |found: Problems| match &*found.plan.problems {
            [_] => true,
            // A broken problem is reported as such, not taken for a submission.
            [] => found.found.iter().any(|found| found.is_error() && found.problem.is_some()),
            several => are_of_one_folder(several),
        };
        Ok(!path.exists() || self.problems(workspace, Some(word), &[]).is_ok_and(is_one))
    }

    /// Whether the path with the name of a problem is that problem. Fails if it is something else, because both readings
    /// are possible.
    fn is_called(&self, workspace: &Workspace, word: &str, path: &Path) -> Result<bool> {
        // Then it is not a known problem. The search that follows fails for the same reason and reports it.
        let Ok(found) = self.problems(workspace, Some(word), &[]) else { return Ok(false) };
        let is_here = |dir: &Path| dir.starts_with(path);
        let is_itself = match &*found.plan.problems {
            [one] if one.problem.id.as_str() == word || path.components().eq(one.problem.dir.components()) => {
                is_here(&one.problem.dir)
            }
            several @ [_, _, ..] if are_of_one_folder(several) => is_here(&several[0].problem.dir),
            [] if found.errors_of(word).next().is_some() => found.errors_of(word).any(|found| found.is_below(path)),
            _ => return Ok(false),
        };
        if !is_itself {
            let what = if path.is_dir() { "a folder" } else { "a file" };
            bail!(
                "`{word}` is a problem, and {what} here has the same name\n  → write --problem {word} for the problem, \
                 ./{word} for the submission"
            );
        }
        Ok(true)
    }

    /// Whether an archive that contains a problem package is the problem. A student may submit such an archive, so it is an
    /// error if another problem is available.
    fn is_meant(&self, workspace: &Workspace, word: &str) -> Result<bool> {
        match self.problems(workspace, None, &[]) {
            Ok(found) if !found.plan.problems.is_empty() => {
                let other = &found.plan.problems[0].problem.id;
                bail!(
                    "`{word}` contains a problem package: it can be the problem or a submission\n  → name the problem: \
                     --problem {word} or --problem {other}"
                )
            }
            _ => Ok(true),
        }
    }
}

/// Whether these are the problems of one folder, which has the tests of several programs. The folder means all of them.
fn are_of_one_folder(problems: &[PlannedProblem]) -> bool {
    let Some(first) = problems.first() else { return false };
    problems.iter().all(|one| one.problem.part.is_some() && one.problem.dir == first.problem.dir)
}
