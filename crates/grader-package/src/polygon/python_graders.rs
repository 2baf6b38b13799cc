//! Graders in Python: one of the files is started in place of the solution, and imports it as the module `solution`.
//!
//! Source: <https://codeforces.com/blog/entry/100519>. Polygon starts a file with a certain name. grader takes `grader.py`,
//! and otherwise the only file that imports `solution`.

use std::path::{Path, PathBuf};

use super::Package;
use super::document::Source;
use crate::document::small_text;
use crate::driver::{self, DRIVER};
use crate::program_files::LARGEST;
use grader_model::diagnostic::Diagnostic;
use grader_model::problem::IncludedFiles;

/// The code of the language.
pub(super) const PYTHON: &str = "python3";
/// The usual name of the file that is started.
const GRADER: &str = "grader.py";

/// Whether a resource is a program or a module in Python.
pub(super) fn is_python(file: &Source) -> bool {
    file.kind.starts_with("python") || file.path.extension().is_some_and(|ending| ending == "py")
}

impl Package<'_> {
    /// The files beside solutions in Python: the graders with a program that starts one of them. Reports files of which none
    /// can be started.
    pub(super) fn python_graders(&self, graders: &[&Source]) -> Option<IncludedFiles> {
        let first = graders.first()?;
        let mut files: Vec<(String, String)> = Vec::new();
        for grader in graders {
            let text = small_text(&self.reader.dir.join(&grader.path), LARGEST);
            let name = grader.path.file_name().and_then(|name| name.to_str());
            let (Some(name), Some(text)) = (name, text) else {
                self.error(grader.place, "a grader that is not a text in UTF-8", "save it as UTF-8");
                return None;
            };
            files.push((name.to_owned(), text));
        }
        let Some(start) = started(&files) else {
            let message = "no grader in Python can be started: none is called `grader.py`, or is the only one that imports \
                           `solution`";
            self.error(first.place, message, "name the file that calls the solution `grader.py`");
            return None;
        };
        let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
        let beside = driver::starting(start, &names, &["solution"]);
        let all = files.iter().cloned().chain([(DRIVER.to_owned(), beside)]);
        let all: Vec<(String, Vec<u8>)> = all.map(|(name, text)| (name, text.into_bytes())).collect();
        match (self.reader.derive)(&all) {
            Ok(dir) => {
                let mut files: Vec<PathBuf> = all.iter().map(|(name, _)| PathBuf::from(name)).collect();
                files.sort();
                files.dedup();
                Some(IncludedFiles { dir, files })
            }
            Err(error) => {
                let message = format!("cannot write the program that starts {start}: {error}");
                self.reader.report(Diagnostic::error(Path::new(self.file), message).remedy("make the folder writable"));
                None
            }
        }
    }
}

/// The name of the file that is started.
fn started(files: &[(String, String)]) -> Option<&str> {
    let named = files.iter().find(|(name, _)| name == GRADER);
    let mut importing = files.iter().filter(|(_, text)| imports_solution(text));
    let only = importing.next().filter(|_| importing.next().is_none());
    named.or(only).map(|(name, _)| name.as_str())
}

fn imports_solution(text: &str) -> bool {
    let words = |line: &str| line.split([' ', '\t', ',', ';']).map(str::to_owned).collect::<Vec<_>>();
    text.lines().map(|line| words(line.trim())).any(|words| match words.first().map(String::as_str) {
        Some("import") => words[1..].iter().any(|word| word == "solution"),
        Some("from") => words.get(1).is_some_and(|word| word == "solution"),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_that_imports_the_solution_is_started() {
        let file = |name: &str, text: &str| (name.to_owned(), text.to_owned());
        let of = |files: &[(String, String)]| started(files).map(str::to_owned);
        assert_eq!(of(&[file("a.py", "import os, solution\n"), file("b.py", "x = 1\n")]), Some("a.py".to_owned()));
        assert_eq!(
            of(&[file("a.py", "  from solution import f\n"), file("grader.py", "")]),
            Some("grader.py".to_owned())
        );
        assert_eq!(of(&[file("a.py", "import solution"), file("b.py", "import solution")]), None);
        assert_eq!(of(&[file("a.py", "import solutions\n")]), None);
    }
}
