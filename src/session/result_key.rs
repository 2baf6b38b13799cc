//! Computes the keys of results. A key shows whether an earlier result still holds, and which submissions are
//! identical.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::compile::testlib;
use crate::limits::Bytes;
use crate::plan::PlannedProblem;
use crate::problem::{Additions, IncludedFiles, Program, Protocol, Test, TestId};
use crate::report::student::FeedbackLevel;
use crate::store::{Digest, Key, KeyBuilder, Store};
use crate::workspace::Workspace;

/// A file that determines a result cannot be read, so the key cannot be computed.
#[derive(Debug, Error)]
pub(crate) enum KeyError {
    /// The program has no files.
    #[error("there are no files")]
    NoFiles,
    /// A file of a program or of a problem cannot be read. The message contains the cause, so there is no `source`.
    #[error("{}: {error}", .file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// The cause.
        error: io::Error,
    },
    /// A submitted output cannot be read.
    #[error("the output for {test}: {error}")]
    Output {
        /// The test to which it belongs.
        test: TestId,
        /// The cause.
        error: io::Error,
    },
}

/// The key of a program: its content and the kind of its name. The name of a single file does not matter except for its
/// extension, unless files of the problem refer to it (`named`).
pub(crate) fn of_source(program: &Program, wanted: Option<&str>, named: bool) -> Result<Key, KeyError> {
    let key = Key::of("source v1").field("language", wanted.unwrap_or_default());
    let (dir, files) = program.parts().ok_or(KeyError::NoFiles)?;
    let content = |file: &Path| match fs::read(dir.join(file)) {
        Ok(bytes) => Ok(Digest::of_bytes(&bytes)),
        Err(error) => Err(KeyError::File { file: file.to_owned(), error }),
    };
    if let Program::File(path) = program
        && !named
    {
        let ending = path.extension().unwrap_or_default().as_encoded_bytes();
        return Ok(key.field("ending", ending).field("content", content(&files[0])?.as_bytes()).finish());
    }
    let add = |key: KeyBuilder, file: &PathBuf| {
        let content = content(file)?;
        Ok(key.field("file", file.as_os_str().as_encoded_bytes()).field("content", content.as_bytes()))
    };
    files.iter().try_fold(key, add).map(KeyBuilder::finish)
}

/// The key of outputs. Of each, only `most` bytes and one more count, because anything longer is over the limit.
pub(crate) fn of_outputs(files: &BTreeMap<TestId, PathBuf>, most: Bytes) -> Result<Key, KeyError> {
    let mut key = Key::of("outputs v1");
    for (test, path) in files {
        let content = File::open(path).and_then(|file| Digest::of_reader(file.take(most.0.saturating_add(1))));
        let content = content.map_err(|error| KeyError::Output { test: test.clone(), error })?;
        key = key.field("test", test.as_str()).field("content", content.as_bytes());
    }
    Ok(key.finish())
}

/// The key of everything in a problem that decides results for a language: its tests with limits and checkers, its
/// output validator, and the settings. Versions of compilers and the machine are not part of it.
pub(crate) fn of_problem(
    workspace: &Workspace,
    planned: &PlannedProblem,
    language: &str,
    level: FeedbackLevel,
    store: &Store,
) -> Result<Key, KeyError> {
    let problem = &planned.problem;
    let settings = &workspace.settings;
    let row = workspace.languages.get(language);
    let in_packages = row.and_then(|row| workspace.languages.in_packages(row));
    let mut key = Key::of("problem v3")
        .field("grader", env!("CARGO_PKG_VERSION"))
        .field("problem", problem.id.as_str())
        .field("judge", problem.ruleset().name())
        .value("kind", &problem.kind)
        .value("scoring", &problem.scoring)
        .value("level", &level)
        .field("repeat", settings.repeat.to_string())
        .field("passes", problem.passes.to_string())
        .value("second run", &problem.second_run)
        .value("validation", &settings.output_validation_limits(problem))
        .value("compile", &settings.compile_limits())
        .value("language", &row)
        .value("in packages", &in_packages);
    for (ordinal, name) in planned.each_test().zip(&*planned.names) {
        let Some(Test::Case(group, case)) = planned.test(ordinal) else { continue };
        let limits = settings.limits_for(problem, group, language);
        let setting = group.setting_of(case);
        key = key
            .field("test", name.as_str())
            .value("limits", &limits)
            .value("checker", &settings.checker_for(problem, setting.checker))
            .value("arguments", &setting.arguments);
        key = key.list("beside", setting.work.files.iter().map(|(name, _)| name.as_os_str().as_encoded_bytes()));
        key = key.value("sample", &planned.test(ordinal).is_some_and(Test::is_sample));
        key = key.value("directory", &(&setting.work.directory, &setting.work.output, setting.work.ignores_printed));
        if setting.work.no_stdin {
            key = key.field("standard input", "empty");
        }
    }
    for group in problem.groups.iter().filter(|group| group.static_validation.is_some()) {
        key = key.field("group", &*group.name).value("static validation", &group.static_validation);
    }
    for (name, value) in problem.additions.constants.iter() {
        key = key.field("constant", name).field("value", value);
    }
    for (code, included) in &problem.additions.include {
        let names = included.files.iter().map(|file| file.as_os_str().as_encoded_bytes());
        key = key.field("include", code).list("name", names);
    }
    for (number, judge) in planned.judges().enumerate() {
        if let Some(language) = judge.path().and_then(|path| problem.additions.languages.get(path)) {
            key = key.field("judge", number.to_string()).field("language", language);
        }
    }
    let mut files = [files_of_tests(planned), files_of_judges(planned)].concat();
    let protocols = problem.output_judges().map(|judge| settings.protocol_for(judge.protocol));
    for protocol in protocols.filter(|protocol| *protocol != Protocol::Icpc) {
        key = key.field("protocol", protocol.name());
        files.extend(testlib::in_problem(&problem.dir).or(settings.testlib_header().filter(|header| header.is_file())));
    }
    with_files(key, &files, store).map(KeyBuilder::finish)
}

/// The keys of a problem's files: those of its tests, and those of its judges with what is added to submissions.
pub(crate) fn of_files(planned: &PlannedProblem, store: &Store) -> Result<[Key; 2], KeyError> {
    let key = |files: &[PathBuf]| with_files(Key::of("files v1"), files, store).map(KeyBuilder::finish);
    Ok([key(&files_of_tests(planned))?, key(&files_of_judges(planned))?])
}

fn with_files(mut key: KeyBuilder, files: &[PathBuf], store: &Store) -> Result<KeyBuilder, KeyError> {
    for (digest, file) in store.digest_files(files).into_iter().zip(files) {
        let digest = digest.map_err(|error| KeyError::File { file: file.clone(), error })?;
        let name = file.file_name().unwrap_or_default().as_encoded_bytes();
        key = key.field("file", name).field("content", digest.as_bytes());
    }
    Ok(key)
}

fn files_of_tests(planned: &PlannedProblem) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for ordinal in planned.each_test() {
        let Some(Test::Case(group, case)) = planned.test(ordinal) else { continue };
        files.extend(group.setting_of(case).work.files.into_iter().map(|(_, from)| from));
        files.push(group.input_of(case));
        files.extend(group.answer_of(case));
    }
    files
}

fn files_of_judges(planned: &PlannedProblem) -> Vec<PathBuf> {
    let problem = &planned.problem;
    let judges =
        problem.output_judges().map(|judge| &judge.program).chain(&problem.static_validator).chain(problem.grader());
    let sources = judges
        .filter_map(Program::parts)
        .flat_map(|(dir, files)| files.iter().map(|file| dir.join(file)).collect::<Vec<_>>());
    let Additions { include, judges, headers, .. } = &problem.additions;
    let included = include.values().chain(judges).chain(headers).flat_map(IncludedFiles::files);
    sources.chain(included.map(|(_, from)| from)).collect()
}

/// The key of a program of several files of which one starts.
pub(crate) fn with_entry_point(source: Key, entry_point: Option<&str>) -> Key {
    match entry_point {
        Some(entry) => Key::of("entry v1").field("source", source.as_bytes()).field("entry", entry).finish(),
        None => source,
    }
}

/// The key of a submission with time limits of its own; without a factor it is that of the submission.
pub(crate) fn with_time_factor(source: Key, factor: f64) -> Key {
    if factor.to_bits() == 1.0_f64.to_bits() {
        return source;
    }
    Key::of("extra time v1").field("source", source.as_bytes()).field("factor", factor.to_string()).finish()
}

/// The key of a result: its problem and its submission.
pub(crate) fn of_result(problem: &Key, source: &Key) -> Key {
    Key::of("judged v2").field("problem", problem.as_bytes()).field("source", source.as_bytes()).finish()
}
