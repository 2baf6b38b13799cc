//! Annotations for GitHub Actions: workflow commands on standard output that the runner shows beside the files.
//!
//! The runner obeys such commands anywhere in the log, and a compiler's message or a program's output may contain some.
//! So this reporter switches commands off while the run is shown, with a random token.
//!
//! Source: <https://docs.github.com/actions/reference/workflow-commands-for-github-actions>; the escaping is that of
//! `actions/toolkit`, `packages/core/src/command.ts`.

use std::hash::{BuildHasher as _, RandomState};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::failure::{self, Look, clean};
use crate::diagnostic::{Diagnostic, Severity};
use crate::event::{Standing, Verb};
use crate::record::{Report, Reporter, SubmissionReport};
use crate::verdict::Verdict;

/// Reporter for GitHub annotations. It comes after the terminal reporter, so that its annotations appear below.
pub struct Github<W: Write> {
    out: W,
    look: Look,
    /// The root of the repository: the runner accepts only paths below it.
    root: PathBuf,
    /// The token that switches commands on again.
    token: Option<String>,
}

impl<W: Write> Github<W> {
    /// Creates the reporter; `look` sets the style of explanations.
    pub fn new(out: W, look: Look, root: PathBuf) -> Self {
        Self { out, look, root, token: None }
    }

    fn annotate(&mut self, command: &str, properties: &[(&str, String)], message: &str) -> io::Result<()> {
        let list = properties.iter().filter(|(_, value)| !value.is_empty());
        let list: Vec<String> = list.map(|(name, value)| format!("{name}={}", property(value))).collect();
        writeln!(self.out, "::{command} {}::{}", list.join(","), data(message))
    }

    fn submission(&mut self, report: &SubmissionReport, verb: Verb, source: Option<&Path>) -> io::Result<()> {
        let (command, why) = match report.standing() {
            Some(Standing::Missed { why }) => ("error", why.to_string()),
            Some(Standing::JudgeError { message }) => ("error", format!("judge error: {message}")),
            Some(Standing::NotJudged { reason }) => ("warning", format!("not judged: {reason}")),
            Some(Standing::Interrupted) | None => ("warning", "interrupted".to_owned()),
            Some(Standing::Met) => match report.verdict() {
                Some(verdict) if verb == Verb::Judge && verdict != Verdict::Accepted => ("error", verdict.to_string()),
                _ => return Ok(()),
            },
        };
        let [problem, submission] = [report.id.problem.as_str(), report.id.submission.as_str()].map(clean);
        let test = report.failure().map(|failure| format!(" · {}", clean(failure.test.test.as_str())));
        let first = why.lines().next().unwrap_or_default();
        let title = format!("{problem} · {submission}{}: {}", test.unwrap_or_default(), clean(first));
        let lines = failure::of_submission(report, &self.look);
        let lines: Vec<String> = lines.iter().map(|line| line.plain().trim_end().to_owned()).collect();
        let message = if lines.is_empty() { clean(first) } else { lines.join("\n") };
        let file = source.map(|path| file_of(path, &self.root)).unwrap_or_default();
        self.annotate(command, &[("file", file), ("title", title)], &message)
    }

    fn notice(&mut self, notice: &Diagnostic) -> io::Result<()> {
        let command = match notice.severity {
            Severity::Info => return Ok(()),
            Severity::Warning => "warning",
            Severity::Error | Severity::JudgeError => "error",
        };
        let path = notice.path.as_deref();
        let file = path.map(|path| file_of(path, &self.root)).unwrap_or_default();
        let line = path.and_then(|_| line_of(&notice.message)).unwrap_or_default();
        let title = notice.problem.as_ref().map(|problem| clean(problem.as_str())).unwrap_or_default();
        let text = notice.message.lines().chain(notice.remedy.lines()).map(clean).collect::<Vec<_>>().join("\n");
        self.annotate(command, &[("file", file), ("line", line), ("title", title)], &text)
    }
}

impl<W: Write> Reporter for Github<W> {
    fn begin(&mut self) -> io::Result<()> {
        if self.token.is_none() {
            let token = format!("grader-{:016x}{:016x}", random(), random());
            writeln!(self.out, "::stop-commands::{token}")?;
            self.out.flush()?;
            self.token = Some(token);
        }
        Ok(())
    }

    fn finish(&mut self, report: &Report) -> io::Result<()> {
        if let Some(token) = self.token.take() {
            writeln!(self.out, "::{token}::")?;
        }
        if let Some(head) = &report.head {
            let text = format!("isolation: {}", head.isolation_with_caveat());
            self.annotate("notice", &[("title", "grader".to_owned())], &clean(&text))?;
        }
        if let Some(disturbance) = report.disturbance() {
            self.annotate("notice", &[("title", "grader".to_owned())], &disturbance)?;
        }
        let verb = report.head.as_ref().map(|head| head.verb).unwrap_or_default();
        for submission in &report.submissions {
            self.submission(submission, verb, submission.head.source.as_deref())?;
        }
        for notice in &report.notices {
            self.notice(notice)?;
        }
        self.out.flush()
    }
}

/// A random number from the seeds of the standard library's hash maps.
fn random() -> u64 {
    RandomState::new().hash_one(std::process::id())
}

/// Returns a path as the runner wants it: below the root of the repository. A path elsewhere cannot carry an
/// annotation.
fn file_of(path: &Path, root: &Path) -> String {
    let path = failure::below(path, root);
    if path.is_absolute() { String::new() } else { clean(&path.display().to_string()) }
}

/// The line number at the start of grader's own messages about a file: `line 3, column 5: …`.
fn line_of(message: &str) -> Option<String> {
    let number: String = message.strip_prefix("line ")?.chars().take_while(char::is_ascii_digit).collect();
    (!number.is_empty()).then_some(number)
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_a_command_early() {
        assert_eq!(data("100%\r\n::error::x, y"), "100%25%0D%0A::error::x, y");
        assert_eq!(property("a:b,c%0A\n"), "a%3Ab%2Cc%250A%0A");
    }

    #[test]
    fn places_are_below_the_root() {
        for (path, expect) in [("/r/a/b.py", "a/b.py"), ("/other/b.py", ""), ("a/b.py", "a/b.py"), ("/r/\n", "⏎")] {
            assert_eq!(file_of(Path::new(path), Path::new("/r")), expect);
        }
        assert_eq!(line_of("line 3, column 5: bad").as_deref(), Some("3"));
        assert_eq!(line_of("lines differ"), None);
    }
}
