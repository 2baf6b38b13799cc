//! Collects the files of a program of the judge, and says which languages the tools of a target run.

use std::path::{Path, PathBuf};

use super::ExportError;
use super::draft::Draft;
use super::listing::{read, unicode};
use super::subject::Subject;
use crate::problem::{Problem, Program};
use crate::protocol::{TESTLIB, includes_testlib};

/// How scripts begin that build a program.
pub(super) const BUILD: &str = "#!/bin/sh\nset -e\ncd \"$(dirname \"$0\")\"\n";

/// The languages in which the tools of a target run programs of the judge.
#[derive(Debug, Clone, Copy)]
pub(super) struct JudgeLanguages {
    /// The endings of their sources; empty if the target limits nothing.
    pub(super) endings: &'static [&'static str],
    /// Why another language is a loss.
    pub(super) reason: &'static str,
    /// Whether they run programs with scripts `build` and `run`, so that a script makes Rust and shell usable.
    pub(super) scripts: bool,
}

impl JudgeLanguages {
    /// Every language.
    pub(super) const ANY: Self = Self { endings: &[], reason: "", scripts: false };

    /// The script with which the tools can run the program: its name and its text. None if they need none. Reports a
    /// language that they cannot run.
    pub(super) fn script(
        self,
        problem: &Problem,
        draft: &mut Draft,
        program: &Program,
    ) -> Result<Option<(&'static str, String)>, ExportError> {
        let files = program.files();
        let has = |endings: &[&str]| {
            files.iter().any(|file| file.extension().is_some_and(|ending| endings.iter().any(|known| ending == *known)))
        };
        if self.endings.is_empty() || has(self.endings) || matches!(program, Program::Scripts { .. }) {
            return Ok(None);
        }
        let is_main = |file: &&PathBuf| files.len() == 1 || file.file_stem().is_some_and(|stem| stem == "main");
        let main = files.iter().find(is_main).and_then(|main| main.file_name()).map(Path::new);
        let quoted = main.map(unicode).transpose()?.and_then(|main| shlex::try_quote(main).ok());
        match quoted.filter(|_| self.scripts) {
            Some(main) if has(&["rs"]) => {
                draft.miss("rustc on the judge machines", format!("they build {}", problem.name_of(program)));
                Ok(Some(("build", format!("{BUILD}rustc --edition 2021 -O -o run {main}\n"))))
            }
            Some(main) if has(&["sh"]) => {
                Ok(Some(("run", format!("#!/bin/sh\nexec sh \"$(dirname \"$0\")\"/{main} \"$@\"\n"))))
            }
            _ => {
                draft.lose(problem.name_of(program), self.reason);
                Ok(None)
            }
        }
    }
}

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
        files.extend(testlib_header(subject, draft).map(|header| (main.with_file_name(TESTLIB), header)));
    }
    JudgeFiles { files, main }
}

/// The header `testlib.h` for programs that do not bring it. Reports that it is grader's own. None if grader itself
/// compiles them.
pub(super) fn testlib_header(subject: &Subject<'_>, draft: &mut Draft) -> Option<PathBuf> {
    subject.testlib_header().or_else(|| {
        let own = subject.own_header.clone()?;
        draft.miss(
            format!("the original {TESTLIB}"),
            "it is not on this machine, so grader's own header takes its place",
        );
        Some(own)
    })
}

/// A grammar is one file too.
fn grammar_parts(program: &Program) -> Option<(PathBuf, Vec<PathBuf>)> {
    let Program::Grammar(path) = program else { return None };
    Some((path.parent()?.to_owned(), vec![path.file_name()?.into()]))
}

fn wants_testlib(file: &Path) -> bool {
    // A file that cannot be read is reported when it is copied.
    read(file).is_ok_and(|text| includes_testlib(&String::from_utf8_lossy(&text)))
}
