//! Collects the files of a program of the judge.

use std::path::{Path, PathBuf};

use super::draft::Draft;
use super::subject::Subject;
use crate::problem::Program;
use crate::protocol::{TESTLIB, includes_testlib};

/// How scripts begin that build a program.
pub(super) const BUILD: &str = "#!/bin/sh\nset -e\ncd \"$(dirname \"$0\")\"\n";

/// The files of a program of the judge, with the headers that it needs.
pub(super) struct JudgeFiles {
    /// The name of each file in the export, and where it is.
    pub(super) files: Vec<(PathBuf, PathBuf)>,
    /// The file that is built or started.
    pub(super) main: PathBuf,
}

/// Collects the files of a program of the judge: its own, the headers of the problem, and testlib's if it includes that.
pub(super) fn judge_files(subject: &Subject<'_>, draft: &mut Draft, program: &Program) -> JudgeFiles {
    let (dir, own) = program.parts().or_else(|| grammar_parts(program)).unwrap_or_default();
    let mut files: Vec<(PathBuf, PathBuf)> = own.iter().map(|file| (file.clone(), dir.join(file))).collect();
    let is_main = |file: &&PathBuf| !crate::problem::is_header(file) && file.extension().is_some();
    let main = own.iter().find(is_main).or(own.first()).cloned().unwrap_or_default();
    let additions = &subject.problem.additions;
    let headers = additions.judges.iter().chain(&additions.headers);
    let is_cpp = main.extension().is_some_and(|ending| ["c", "cpp", "cc", "cxx"].iter().any(|known| ending == *known));
    for (name, from) in headers.filter(|_| is_cpp).flat_map(|headers| headers.files().map(|(n, f)| (n.to_owned(), f))) {
        if !files.iter().any(|(known, _)| *known == name) {
            files.push((name, from));
        }
    }
    let has_header = files.iter().any(|(name, _)| name.file_name().is_some_and(|name| name == TESTLIB));
    if is_cpp && !has_header && own.iter().any(|file| wants_testlib(&dir.join(file))) {
        match subject.testlib_header() {
            Some(header) => files.push((main.with_file_name(TESTLIB), header)),
            None => draft.lose(
                main.display().to_string(),
                format!("it includes {TESTLIB}, which is not there (put it beside the program)"),
            ),
        }
    }
    JudgeFiles { files, main }
}

/// A grammar is one file too.
fn grammar_parts(program: &Program) -> Option<(PathBuf, Vec<PathBuf>)> {
    let Program::Grammar(path) = program else { return None };
    Some((path.parent()?.to_owned(), vec![path.file_name()?.into()]))
}

fn wants_testlib(file: &Path) -> bool {
    // A file that cannot be read is reported when it is copied.
    std::fs::read(file).is_ok_and(|text| includes_testlib(&String::from_utf8_lossy(&text)))
}
