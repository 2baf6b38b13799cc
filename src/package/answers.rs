//! Submissions of a submit-answer problem (package format 2025-09, "Type"): the answers to its cases, no program.
//!
//! The format does not say how they are kept. Here a submission is a directory of output files that are called like
//! their cases, or a single file.

use std::path::Path;

use crate::package::archive::is_archive_name;
use crate::package::diagnostic::Kind;
use crate::package::outputs::{Names, OutputFile, Paired, pair};
use crate::package::reader::{Listed, Reader, TOLD};
use crate::package::submissions::{self, Submissions};
use crate::problem::{Program, TestGroup, TestId};

/// Reads `submissions/` below the problem's directory.
pub fn read(reader: &Reader<'_>, root: &Path, groups: &[TestGroup]) -> Submissions {
    let tests: Vec<TestId> = groups.iter().flat_map(|group| group.cases.iter().map(|case| group.id_of(case))).collect();
    let names = Names::new(&tests);
    submissions::read(reader, root, &|listed| answers_of(reader, listed, &tests, &names))
}

/// The answers in a file or directory; none, and said why, where there are none.
fn answers_of(reader: &Reader<'_>, listed: &Listed, tests: &[TestId], names: &Names<'_>) -> Option<Program> {
    if !listed.is_dir && is_archive_name(&listed.path) {
        let remedy = "unpack it into a directory of its name; `grader judge` takes archives as they are";
        reader.error(&listed.path, "an archive is no submission in submissions/", remedy);
        return None;
    }
    if let ([only], false) = (tests, listed.is_dir) {
        return Some(Program::Outputs([(only.clone(), listed.path.clone())].into()));
    }
    let below = if listed.is_dir { reader.files_below(&listed.path) } else { vec!["".into()] };
    let file = |name: std::path::PathBuf| {
        let path = if listed.is_dir { listed.path.join(&name) } else { listed.path.clone() };
        let name = if listed.is_dir { name } else { listed.name.clone().into() };
        OutputFile { name, shown: path.clone(), path }
    };
    let files = below.into_iter().map(file).collect();
    let Paired { files, strange, unclear } = pair(files, |name| names.of_file(&name.to_string_lossy()));
    for (path, message, remedy) in &unclear {
        reader.error(path, message.as_str(), remedy);
    }
    let example = tests.first().map_or("", TestId::as_str);
    if files.is_empty() && unclear.is_empty() {
        let message = "no answer to any case: nothing in it is called like one";
        reader.error(&listed.path, message, &format!("call it `{example}.out`"));
        return None;
    }
    for path in strange.iter().take(TOLD) {
        reader.warning(Kind::Ignored, path, format!("called like no case (such as `{example}.out`); ignored"));
    }
    (!files.is_empty()).then_some(Program::Outputs(files))
}
