//! Reads `gen/GEN`: a line for each test, and marks that begin subtasks. Where CMS and task-maker read a line differently,
//! grader follows CMS and warns.

use std::path::Path;

use super::test_list::{GENERATOR, ListedSubtask, ListedTest, MOST_TESTS, Remark, Source, TestList};
use crate::generators::is_inner;
use grader_model::diagnostic::Severity;

/// The path of the file.
pub(super) const PATH: &str = "gen/GEN";

/// A comment with a meaning for CMS.
#[derive(Clone, Copy)]
enum Annotation<'t> {
    Subtask(&'t str),
    Name(&'t str),
    Requires(&'t str),
    Copy(&'t str),
}

fn mark(comment: &str) -> Option<Annotation<'_>> {
    let word = comment.trim();
    let after = |start: &str| word.strip_prefix(start).map(str::trim);
    after("ST:").map(Annotation::Subtask).or_else(|| after("COPY:").map(Annotation::Copy)).or_else(|| {
        // Only task-maker reads these, without a blank before.
        let own = |start: &str| comment.strip_prefix(start).map(str::trim);
        own("STNAME:").map(Annotation::Name).or_else(|| own("STDEP:").map(Annotation::Requires))
    })
}

/// Reads the file.
pub(super) fn parse(text: &str) -> (TestList, Vec<Remark>) {
    let mut read = TestList::default();
    let mut remarks = Vec::new();
    // One warning is enough.
    let mut has_blank = false;
    for (line, content) in (1..).zip(text.lines()) {
        let (command, comment) = content.trim().split_once('#').unwrap_or((content.trim(), ""));
        let marked = mark(comment);
        if read.tests.len() == MOST_TESTS {
            remarks.push(Remark::error(line, format!("more than {MOST_TESTS} tests, which grader does not make"), ""));
            break;
        }
        if !command.trim().is_empty() {
            if matches!(marked, Some(Annotation::Subtask(_) | Annotation::Copy(_))) {
                let message = "a command and a mark in one line, which CMS refuses".to_owned();
                remarks.push(Remark::error(line, message, "write the mark in a line of its own"));
            }
            let arguments = command.split_whitespace().map(str::to_owned).collect();
            read.add(ListedTest { source: Source::Generator { program: GENERATOR.to_owned(), arguments }, line });
            continue;
        }
        if !has_blank
            && matches!(marked, Some(Annotation::Subtask(_) | Annotation::Copy(_)))
            && comment.starts_with([' ', '\t'])
        {
            has_blank = true;
            let message = "CMS reads a mark here, and task-maker a comment".to_owned();
            let remedy = "write such marks without a blank after `#`, as in `#ST: 10`";
            remarks.push(Remark { severity: Severity::Warning, line, message, remedy });
        }
        remarks.extend(marked.and_then(|marked| apply(&mut read, marked, line)));
    }
    (read, remarks)
}

/// Applies a mark. Returns its error, if it has one.
fn apply(read: &mut TestList, mark: Annotation<'_>, line: u32) -> Option<Remark> {
    let error = |message, remedy| Some(Remark::error(line, message, remedy));
    match mark {
        Annotation::Copy(path) => {
            if !is_inner(Path::new(path)) {
                let message = format!("`{path}` is not a path inside the task's directory");
                return error(message, "name the file from the task's directory");
            }
            read.add(ListedTest { source: Source::Copy(path.into()), line });
            None
        }
        Annotation::Subtask(stated) => {
            let points = stated.parse().ok().filter(|points| (0.0..=1e9).contains(points));
            let has_tests_before = read.subtasks.is_empty() && !read.tests.is_empty();
            let is_whole = points.is_none_or(|points: f64| points.fract() == 0.0);
            read.subtasks.push(ListedSubtask {
                points: points.unwrap_or_default(),
                name: None,
                validator: None,
                requires: Vec::new(),
                tests: 0,
                line,
            });
            if points.is_none() {
                return error(format!("`{stated}` are no points"), "write it as in `#ST: 10`");
            }
            if has_tests_before {
                let message = "tests before the first subtask, which CMS refuses".to_owned();
                return error(message, "begin a subtask before them: `#ST: 0`");
            }
            let message = "CMS takes whole points only".to_owned();
            let warning = Remark { severity: Severity::Warning, line, message, remedy: "use whole points" };
            Some(warning).filter(|_| !is_whole)
        }
        Annotation::Name(name) => {
            if let Some(last) = read.subtasks.last_mut() {
                last.name = Some(name.to_owned());
            }
            None
        }
        Annotation::Requires(names) => {
            if let Some(last) = read.subtasks.last_mut() {
                last.requires.extend(names.split_whitespace().map(str::to_owned));
            }
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_in_cms() {
        let text =
            "# N M\n#ST: 0\n#STNAME: samples\n#COPY: gen/a.txt\n\n# ST: 100\n 10 20 # small\n#STDEP: samples *\n1\n";
        let (read, remarks) = parse(text);
        let generated = |words: &[&str]| Source::Generator {
            program: GENERATOR.to_owned(),
            arguments: words.iter().map(|word| (*word).to_owned()).collect(),
        };
        let sources: Vec<(Source, u32)> = read.tests.into_iter().map(|test| (test.source, test.line)).collect();
        let copy = Source::Copy("gen/a.txt".into());
        assert_eq!(sources, [(copy, 4), (generated(&["10", "20"]), 7), (generated(&["1"]), 9)]);
        let subtasks: Vec<_> =
            read.subtasks.iter().map(|it| (it.points, it.name.as_deref(), it.requires.len(), it.tests)).collect();
        assert_eq!(subtasks, [(0.0, Some("samples"), 0, 1), (100.0, None, 2, 2)]);
        let told: Vec<(Severity, u32)> = remarks.iter().map(|remark| (remark.severity, remark.line)).collect();
        assert_eq!(told, [(Severity::Warning, 6)]);
    }

    #[test]
    fn mistakes_have_their_lines() {
        let errors = |text: &str| -> Vec<u32> {
            parse(text).1.iter().filter(|found| found.severity == Severity::Error).map(|found| found.line).collect()
        };
        assert_eq!(errors("1\n#ST: 100\n2\n"), [2]);
        assert_eq!(errors("#ST: all\n#COPY: ../a\n1 #COPY: b\n"), [1, 2, 3]);
        assert!(errors("").is_empty());
    }
}
