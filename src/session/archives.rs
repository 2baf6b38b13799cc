//! Unpacks problem packages from archives for the duration of a run.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};

use super::scratch::Scratch;
use crate::diagnostic::Diagnostic;
use crate::event::{
    BuildFinished, BuildResult, Event, Message, Standing, SubmissionFinished, SubmissionResult, TestFinished,
    TestResult, Update,
};
use crate::limits::Bytes;
use crate::making::MadeTests;
use crate::package::archive::{Archive, Bounds, archive_stem, is_archive_name};
use crate::package::contest::Contest;
use crate::plan::{Plan, PlannedSubmission};
use crate::problem::Program;

/// The files that describe a package, or a contest of packages.
const PACKAGE_FILES: [&str; 4] = ["problem.yaml", "domjudge-problem.ini", "problem.xml", "contest.xml"];

/// The directories that a person does not know: those of unpacked archives, each with the word that the person typed for
/// it, and those of made tests. Messages show the typed word and the places in the package.
#[derive(Debug, Clone, Default)]
pub(crate) struct Archives {
    archives: Vec<(PathBuf, String)>,
    made: Vec<MadeTests>,
}

impl Archives {
    /// A directory of grader with the word that a person knows for it.
    pub(crate) fn of(dir: &Path, word: &str) -> Self {
        Self { archives: vec![(dir.to_owned(), word.to_owned())], made: Vec::new() }
    }

    /// Adds the directories of made tests.
    pub(crate) fn know(&mut self, made: &[MadeTests]) {
        self.made.extend(made.iter().cloned());
    }

    /// The word that a person typed for the archive that contains this path.
    pub(crate) fn typed_for(&self, path: &Path) -> Option<&str> {
        self.archives.iter().find(|(dir, _)| path.starts_with(dir)).map(|(_, typed)| typed.as_str())
    }

    /// Shows a path inside its archive and its package, not in the directory of grader.
    pub(crate) fn shown(&self, path: &Path) -> PathBuf {
        let path = self.made.iter().find_map(|made| made.in_package(path)).unwrap_or_else(|| path.to_owned());
        let inside = |(dir, typed): &(PathBuf, String)| {
            // A path outside the archives stays unchanged.
            Some(Path::new(typed).join(path.strip_prefix(dir).ok()?).components().collect())
        };
        self.archives.iter().find_map(inside).unwrap_or_else(|| path.clone())
    }

    /// Replaces the directories in a text.
    pub(crate) fn text(&self, text: &str) -> String {
        let in_package = self.made.iter().fold(text.to_owned(), |text, made| made.text(&text));
        let replaced = |text: String, (dir, typed): &(PathBuf, String)| match dir.to_str() {
            Some(dir) => text.replace(dir, typed),
            None => text,
        };
        self.archives.iter().fold(in_package, replaced)
    }

    /// Replaces the directories in a finding, and adds the command that made its file.
    pub(crate) fn shown_finding(&self, found: Diagnostic) -> Diagnostic {
        let command = found.path.as_deref().and_then(|path| self.command_of(path));
        let by = command.map(|command| format!(" (made by `{command}`)")).unwrap_or_default();
        let path = found.path.as_deref().map(|path| self.shown(path));
        let message = match found.message.split_once('\n') {
            Some((first, rest)) => format!("{first}{by}\n{rest}"),
            None => format!("{}{by}", found.message),
        };
        Diagnostic { path, message: self.text(&message), remedy: self.text(&found.remedy), ..found }
    }

    /// The command of a generator that made the file at a path of grader.
    fn command_of(&self, path: &Path) -> Option<&str> {
        self.made.iter().find_map(|made| made.command_of(&made.in_package(path)?))
    }

    /// Replaces the directories of archives in findings.
    pub(crate) fn told(&self, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
        found.into_iter().map(|found| self.shown_finding(found)).collect()
    }

    /// Replaces the directories of archives in a message.
    pub(crate) fn shown_in(&self, mut message: Message) -> Message {
        if self.archives.is_empty() && self.made.is_empty() {
            return message;
        }
        match &mut message {
            Message::Update(Update::Notice(notice)) => {
                *notice = self.shown_finding(notice.clone());
            }
            Message::Update(
                Update::TestFinished { result: TestResult::JudgeError { message, .. }, .. }
                | Update::Built(BuildFinished { result: BuildResult::Failed { message }, .. }),
            )
            | Message::Event(
                Event::TestFinished(TestFinished { result: TestResult::JudgeError { message, .. }, .. })
                | Event::Built(BuildFinished { result: BuildResult::Failed { message }, .. })
                | Event::SubmissionFinished(SubmissionFinished {
                    result: SubmissionResult { standing: Standing::JudgeError { message }, .. },
                    ..
                }),
            ) => *message = self.text(message),
            _ => {}
        }
        message
    }
}

/// The words of a selection, with directories in place of archives.
#[derive(Default)]
pub(crate) struct UnpackedArchives {
    /// The words; an archive is replaced by its directory.
    pub(crate) words: Vec<String>,
    /// The archives among the words.
    pub(crate) archives: Archives,
    /// Holds the unpacked archives until this is dropped.
    _scratch: Option<Scratch>,
}

impl UnpackedArchives {
    /// Unpacks every archive among the words. Fails if one cannot be unpacked, or is refused.
    pub(crate) fn new(start: &Path, words: &[String]) -> Result<Self> {
        let is_package = |word: &String| is_package(&start.join(word));
        if !words.iter().any(is_package) {
            return Ok(Self { words: words.to_vec(), ..Self::default() });
        }
        let scratch = Scratch::for_programs()?;
        // An archive that is named twice is one problem, like a folder.
        let mut known: BTreeMap<PathBuf, String> = BTreeMap::new();
        let one = |(at, word): (usize, &String)| {
            if !is_package(word) {
                return Ok(word.clone());
            }
            let archive = start.join(word);
            // A path that cannot be resolved cannot be opened either. `take_out` reports that.
            let real = fs::canonicalize(&archive).unwrap_or_else(|_| archive.clone());
            if let Some(dir) = known.get(&real) {
                return Ok(dir.clone());
            }
            // The directory has the parent of the archive in its path. This distinguishes two archives with the same
            // name, like two folders.
            let parent = archive.parent().and_then(Path::file_name).unwrap_or_default();
            let dir = take_out(&archive, &scratch.path().join(at.to_string()).join(parent)).context(word.clone())?;
            known.insert(real, dir.clone());
            Ok(dir)
        };
        let dirs: Vec<String> = words.iter().enumerate().map(one).collect::<Result<_>>()?;
        let archives = dirs.iter().zip(words).filter(|(dir, word)| dir != word);
        let archives = archives.map(|(dir, word)| (PathBuf::from(dir), word.clone())).collect();
        let archives = Archives { archives, made: Vec::new() };
        Ok(Self { words: dirs, archives, _scratch: Some(scratch) })
    }
}

/// Rejects archives for commands that change problems, or look at them for longer than a run.
pub(crate) fn refuse_archives(start: &Path, words: &[String]) -> Result<()> {
    let Some(archive) = words.iter().find(|word| is_package(&start.join(word))) else { return Ok(()) };
    bail!(
        "`{archive}` is an archive: `run`, `verify`, `list`, `judge` and `check` read archives; everything else needs \
         the problem's folder\n  → unpack it, and name the folder"
    )
}

/// Whether a path looks like the archive of a package. Archives in `submissions/` count only if they contain a package.
pub(crate) fn is_package(path: &Path) -> bool {
    let is_submission = || path.ancestors().skip(1).take(2).any(|dir| dir.ends_with("submissions"));
    path.is_file()
        && (is_kattis_name(path) || is_archive_name(path))
        && (!is_submission() || is_kattis_name(path) || holds_package(path))
}

/// Whether a file has the ending of a package (`.kpp`). Such a file is never submitted as a program.
pub(crate) fn is_kattis_name(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("kpp"))
}

/// Whether an archive contains a problem package, at its top or in a top-level folder.
pub(crate) fn holds_package(path: &Path) -> bool {
    // An archive that cannot be opened holds no answers; the code that reads it as a submission reports why.
    let Ok(archive) = Archive::open(path, Bounds::default()) else { return false };
    archive.entries().iter().any(|entry| {
        let name = entry.path.file_name().unwrap_or_default();
        entry.path.components().count() <= 2 && PACKAGE_FILES.iter().any(|file| name == *file)
    })
}

/// Unpacks submissions that are archives of outputs into directories below `scratch`, which must exist as long as the
/// plan. Whether they can be unpacked was checked when they were read.
pub(crate) fn take_out_answers(plan: &mut Arc<Plan>, scratch: &Path) -> Result<()> {
    let packed =
        |submission: &PlannedSubmission| matches!(submission.submission.program, Program::PackedOutputs { .. });
    if !plan.submissions.iter().any(packed) {
        return Ok(());
    }
    for (at, submission) in Arc::make_mut(plan).submissions.iter_mut().enumerate() {
        let Program::PackedOutputs { archive, files } = &submission.submission.program else { continue };
        let dir = scratch.join(format!("answers-{at}"));
        fs::create_dir(&dir).context("cannot create a directory to unpack into")?;
        Archive::open(archive, Bounds::SUBMISSION)
            .and_then(|mut opened| opened.extract(&dir))
            .with_context(|| format!("cannot unpack {}", archive.display()))?;
        let files = files.iter().map(|(test, name)| (test.clone(), dir.join(name))).collect();
        submission.submission.program = Program::Outputs(files);
    }
    Ok(())
}

/// Unpacks an archive into a directory with its name below `into`.
fn take_out(archive: &Path, into: &Path) -> Result<String> {
    let name = archive_stem(archive).unwrap_or_else(|| archive.with_extension(""));
    let dir: PathBuf = into.join(name.file_name().unwrap_or_default());
    fs::create_dir_all(&dir).context("cannot create a directory to unpack into")?;
    let bounds = Bounds::default();
    let used =
        Archive::open(archive, bounds).and_then(|mut archive| archive.extract(&dir)).context("cannot be unpacked")?;
    take_out_problems(&dir, Bounds { total: Bytes(bounds.total.0 - used.0), ..bounds })?;
    dir.into_os_string().into_string().ok().context("its name is not UTF-8; rename it")
}

/// Unpacks the problems of a contest whose archive contains an archive for each, as `grader export` writes it: those that
/// its list names.
fn take_out_problems(dir: &Path, mut bounds: Bounds) -> Result<()> {
    let Some(contest) = Contest::read(dir) else { return Ok(()) };
    let entries = fs::read_dir(dir).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    for archive in entries.context("cannot list the contest")?.into_iter().map(|entry| entry.path()) {
        let name = archive.file_stem().unwrap_or_default();
        let folder = dir.join(name);
        let is_listed = name.to_str().is_some_and(|name| contest.place(name).is_some());
        if !is_package(&archive) || !is_listed || folder.exists() {
            continue;
        }
        let told = || format!("cannot unpack {} in it", archive.file_name().unwrap_or_default().display());
        let mut opened = Archive::open(&archive, bounds).with_context(told)?;
        let has_folder = opened.entries().iter().all(|entry| entry.path.starts_with(name));
        let used = opened.extract(if has_folder { dir } else { &folder }).with_context(told)?;
        bounds.total = Bytes(bounds.total.0 - used.0);
    }
    Ok(())
}
