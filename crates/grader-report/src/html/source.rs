//! The program of a student on a page, with the lines that its failures name.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

use super::super::failure::clean;
use super::super::file_diff::{read, with};
use crate::event::{BuildResult, TestFinished, TestResult};
use crate::record::SubmissionReport;

/// The most bytes of a program that a page shows.
const MOST_BYTES: u64 = 64 * 1024;
/// The most bytes of standard error in which places are looked for.
const WINDOW: u64 = 64 * 1024;
/// The number of a line after the name of a file: `sum.cpp:3:1`, `File "sum.py", line 3`, `at Sum.main(Sum.java:3)`.
static LINE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r#"(:|", line )(\d+)"#).expect("it is a valid pattern"));

/// The text of a program that is one file.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) name: String,
    pub(super) lines: Vec<SourceLine>,
    /// The name of its file, as messages write it.
    file: String,
}

/// A line of a program.
#[derive(Debug)]
pub(super) struct SourceLine {
    pub(super) text: String,
    /// The failures at this line: tests, or `compile error`.
    pub(super) failed: Vec<String>,
}

impl Source {
    /// Reads a program. None if it is not one regular file of text: a folder may have files of others.
    pub(super) fn read(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?;
        let is_small = |meta: &fs::Metadata| meta.is_file() && meta.len() <= MOST_BYTES;
        // A file that cannot be read is not shown: it may have been deleted meanwhile.
        fs::symlink_metadata(path).ok().filter(is_small)?;
        let bytes = read(path, 0, MOST_BYTES).ok().filter(|bytes| !bytes.contains(&0))?;
        let text = String::from_utf8_lossy(&bytes);
        let line = |text: &str| SourceLine { text: clean(text), failed: Vec::new() };
        Some(Self { name: clean(name), lines: text.lines().map(line).collect(), file: name.to_owned() })
    }

    /// Marks the line that a compile error names. Returns the number of the line.
    pub(super) fn mark_compile_error(&mut self, submission: &SubmissionReport) -> Option<usize> {
        let Some(BuildResult::CompileError { message }) = &submission.built else { return None };
        self.mark("compile error", message)
    }

    /// Marks the line that the standard error of a failed test names. Returns the number of the line.
    pub(super) fn mark_test(&mut self, test: &TestFinished) -> Option<usize> {
        let TestResult::Judged(judgement) = &test.result else { return None };
        // The file was not kept, or is gone.
        let bytes = read(&with(judgement.files.as_deref()?, "err"), 0, WINDOW).ok()?;
        self.mark(&clean(test.test.test.as_str()), &String::from_utf8_lossy(&bytes))
    }

    fn mark(&mut self, what: &str, message: &str) -> Option<usize> {
        let number = place(&self.file, message)?;
        let line = self.lines.get_mut(number.checked_sub(1)?)?;
        line.failed.push(what.to_owned());
        Some(number)
    }
}

/// The number of the line that a message is about. The last call of a traceback in Python is the innermost; compilers and
/// other languages begin with the place, and warnings may come before the first error.
fn place(file: &str, message: &str) -> Option<usize> {
    let is_its = |found: &regex::Captures<'_>| {
        let before = found.get(0).and_then(|all| message[..all.start()].strip_suffix(file));
        // `data.csv:3` is not about `csv`.
        before.is_some_and(|before| !before.ends_with(|c: char| c.is_alphanumeric() || "_.-".contains(c)))
    };
    let all: Vec<_> = LINE.captures_iter(message).filter(is_its).collect();
    let number = |found: &regex::Captures<'_>| found[2].parse().ok();
    if let Some(last) = all.iter().rfind(|found| &found[1] != ":") {
        return number(last);
    }
    let error = message.find("error").map_or(0, |at| message[..at].rfind('\n').map_or(0, |end| end + 1));
    let after = all.iter().find(|found| found.get(2).is_some_and(|found| found.start() >= error));
    number(after.or(all.first())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_compilers_and_tracebacks_are_found() {
        let dir = tempfile::tempdir().unwrap();
        let line = |name: &str, message: &str| {
            let path = dir.path().join(name);
            fs::write(&path, "1\n2\n3\n4\n5\n").unwrap();
            Source::read(&path).unwrap().mark("x", message)
        };
        let cpp = "a.cpp:1:2: warning: unused\na.cpp: In function 'int main()':\na.cpp:4:21: error: expected ';'\n";
        assert_eq!(line("a.cpp", cpp), Some(4));
        let rust = "warning: unused\n --> c.rs:1:2\n\nerror[E0425]: cannot find value\n --> c.rs:3:5\n";
        assert_eq!(line("c.rs", rust), Some(3));
        assert_eq!(line("c.rs", "thread 'main' (7) panicked at c.rs:3:21:\nindex out of bounds"), Some(3));
        let java =
            "Exception in thread \"main\"\n\tat java.base/x.F.g(F.java:9)\n\tat B.f(B.java:3)\n\tat B.main(B.java:5)\n";
        assert_eq!(line("B.java", java), Some(3));
        let python = "Traceback:\n  File \"/x/d e.py\", line 4, in <module>\n  File \"/x/d e.py\", line 2, in f\n  \
            File \"/usr/lib/json.py\", line 5, in loads\nZeroDivisionError";
        assert_eq!(line("d e.py", python), Some(2));
        assert_eq!(line("g.js", "/x/g.js:2\n  return\nTypeError: x\n  at f (/x/g.js:2:20)\n"), Some(2));
        for other in
            ["", "a.cpp:7:1: error", "aa.cpp:3:1: error", "a.cpp:0: error", "a.cpp:99999999999999999999999: error"]
        {
            assert_eq!(line("a.cpp", other), None, "{other}");
        }
    }

    #[test]
    fn only_a_regular_file_of_text_is_shown() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("a.py"), "print(1)\n").unwrap();
        fs::write(dir.path().join("bytes"), [0, 1]).unwrap();
        std::os::unix::fs::symlink("a.py", dir.path().join("link.py")).unwrap();
        assert!(Source::read(&dir.path().join("a.py")).is_some());
        for other in ["bytes", "link.py", "none.py", "."] {
            assert!(Source::read(&dir.path().join(other)).is_none(), "{other}");
        }
    }
}
