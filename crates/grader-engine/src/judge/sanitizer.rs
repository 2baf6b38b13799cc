//! Reads what sanitizers report about a program that they ended.
//!
//! The exit code decides that there is a report, and the text only describes it. A program can fake both, and then has
//! a run-time error.

use std::path::{Path, PathBuf};

use super::{Case, JudgedExecution};
use crate::compile::sanitize::EXIT;
use crate::reason::Reason;
use crate::sandbox::{Exit, Outcome};
use crate::verdict::Verdict;

/// The name of the sanitizer of undefined behaviour, as it writes it itself.
const UNDEFINED: &str = "UndefinedBehaviorSanitizer";

/// A line of a program.
struct SourceLine {
    /// The function, if the report names it.
    function: Option<String>,
    /// The file and the number of the line: `sum.cpp:12`.
    at: String,
}

/// The report of a sanitizer in one sentence: `AddressSanitizer: heap-buffer-overflow in solve (sum.cpp:12)`. None if no
/// sanitizer ended the program, or if what it printed is not kept. `files`: the names of the program's files; none for
/// a program without sanitizers.
pub(super) fn report(files: Option<&[PathBuf]>, outcome: &Outcome, stderr: &[u8]) -> Option<String> {
    let files = files.filter(|_| outcome.killed.is_none() && outcome.exit == Exit::Code(EXIT))?;
    let text = String::from_utf8_lossy(stderr);
    let mut lines = text.lines();
    let (kind, own) = lines.find_map(|line| head(files, line))?;
    // The first place is where it happened. Those that follow are callers, then who allocated the memory.
    let place = lines.find_map(|line| frame(files, line));
    let place = match (place, own) {
        (Some(place), Some(own)) if place.at != own => Some(SourceLine { function: None, at: own }),
        (None, Some(own)) => Some(SourceLine { function: None, at: own }),
        (place, _) => place,
    };
    Some(match place {
        Some(SourceLine { function: Some(function), at }) => format!("{kind} in {function} ({at})"),
        Some(SourceLine { function: None, at }) => format!("{kind} ({at})"),
        None => kind,
    })
}

/// The kind of error in the first line of a report, and the place if that line names it.
fn head(files: &[PathBuf], line: &str) -> Option<(String, Option<String>)> {
    if let Some((_, told)) = line.split_once("ERROR: AddressSanitizer: ") {
        let kind = told.split(" 0x").next().unwrap_or(told).split(" (").next().unwrap_or(told).trim_end_matches(':');
        let kind = kind.strip_suffix(" on").or_else(|| kind.strip_suffix(" on address")).unwrap_or(kind);
        return Some((format!("AddressSanitizer: {kind}"), None));
    }
    let (place, told) = line.split_once(": runtime error: ")?;
    // Addresses differ from run to run.
    let words: Vec<&str> = told.split(' ').filter(|word| !word.starts_with("0x")).collect();
    Some((format!("{UNDEFINED}: {}", words.join(" ")), line_of(files, place)))
}

/// The place in a line `#0 0x55… in solve(int) /box/sum.cpp:12`, if it is in a file of the program.
fn frame(files: &[PathBuf], line: &str) -> Option<SourceLine> {
    let (_, call) = line.trim_start().strip_prefix('#')?.split_once(" in ")?;
    let (function, place) = call.rsplit_once(' ')?;
    let name = function.split(['(', '<', '{']).next().unwrap_or_default().trim_end_matches(':');
    let function = (!name.is_empty() && !name.contains(' ')).then(|| name.to_owned());
    Some(SourceLine { function, at: line_of(files, place)? })
}

/// `sum.cpp:12` for `/box/sum.cpp:12:5`, if that is a file of the program.
fn line_of(files: &[PathBuf], place: &str) -> Option<String> {
    let mut parts = place.split(':');
    let path = Path::new(parts.next()?);
    let line = parts.next()?.parse::<u32>().ok()?;
    let file = files.iter().find(|file| path.ends_with(file))?;
    Some(format!("{}:{line}", file.display()))
}

impl JudgedExecution {
    /// The same result, if sanitizers have no part in it. Their reports are run-time errors, whatever else happened.
    /// They make programs slower and larger, so limits on time and memory decide nothing.
    #[must_use]
    pub(crate) fn under_sanitizers(mut self, case: &Case) -> Self {
        if case.sanitized.is_none() {
            return self;
        }
        let rejection = &mut self.assessment.rejection;
        if let Some(report) = report(case.sanitized.as_deref(), &self.outcome, &self.streams.stderr) {
            *rejection = Some((Verdict::RunTimeError, Reason::Sanitizer(report)));
            self.assessment.feedback.take_points();
        } else if let Some((Verdict::TimeLimit | Verdict::MemoryLimit, reason)) = rejection {
            *reason = Reason::SlowedBySanitizers;
        }
        self
    }

    /// Whether only the slowness of sanitizers ended the program, so that there is no verdict.
    pub(crate) fn is_slowed_by_sanitizers(&self) -> bool {
        self.assessment.rejection.as_ref().is_some_and(|(_, reason)| reason.is_slowed_by_sanitizers())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::judged::not_run;

    fn sentence_of(stderr: &str) -> Option<String> {
        let outcome = Outcome { exit: Exit::Code(EXIT), ..not_run(0) };
        report(Some(&["sum.cpp".into(), "lib/tree.h".into()]), &outcome, stderr.as_bytes())
    }

    #[test]
    fn the_first_place_in_the_program_counts() {
        let text = "out of the program\n==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60 at pc 0x55\n\
                    WRITE of size 4 at 0x60 thread T0\n    #0 0x55 in std::sort(int*) /usr/include/c++/12/algo.h:3\n    \
                    #1 0x55 in solve(std::vector<int, std::allocator<int> >&) /box/sum.cpp:12\n    #2 0x55 in main \
                    /box/sum.cpp:20\n";
        assert_eq!(sentence_of(text).unwrap(), "AddressSanitizer: heap-buffer-overflow in solve (sum.cpp:12)");
        let elsewhere = "==7==ERROR: AddressSanitizer: stack-overflow on address 0x7f (pc 0x55 bp 0x7f sp 0x7f T0)\n    \
                         #0 0x55 in memset (/lib/libasan.so.8+0x33)\n";
        assert_eq!(sentence_of(elsewhere).unwrap(), "AddressSanitizer: stack-overflow");
        assert_eq!(
            sentence_of("==1==ERROR: AddressSanitizer: SEGV on unknown address 0x000000 (pc 0x55)\n").unwrap(),
            "AddressSanitizer: SEGV on unknown address"
        );
        assert_eq!(
            sentence_of("==1==ERROR: AddressSanitizer: attempting double-free on 0x6020 in thread T0:\n").unwrap(),
            "AddressSanitizer: attempting double-free"
        );
    }

    #[test]
    fn undefined_behaviour_names_its_line() {
        let text = "sum.cpp:3:23: runtime error: signed integer overflow: 2147483647 + 1 cannot be represented in type \
                    'int'\n    #0 0x55 in main::{lambda(int)#1}::operator()(int) const /box/sum.cpp:3\n";
        assert_eq!(
            sentence_of(text).unwrap(),
            "UndefinedBehaviorSanitizer: signed integer overflow: 2147483647 + 1 cannot be represented in type 'int' in \
             main (sum.cpp:3)"
        );
        let header = "/usr/include/c++/12/vector.h:9:2: runtime error: load of misaligned address 0x7f01 for type 'int'\n    \
                      #0 0x55 in std::f() /usr/include/c++/12/vector.h:9\n    #1 0x55 in add /box/lib/tree.h:7\n";
        assert_eq!(
            sentence_of(header).unwrap(),
            "UndefinedBehaviorSanitizer: load of misaligned address for type 'int' in add (lib/tree.h:7)"
        );
    }

    #[test]
    fn another_exit_or_no_report_is_none() {
        let report_of = |exit| {
            let outcome = Outcome { exit, ..not_run(0) };
            report(Some(&["a.c".into()]), &outcome, b"==1==ERROR: AddressSanitizer: SEGV on unknown address 0x0 (pc")
        };
        assert!(report_of(Exit::Code(EXIT)).is_some());
        assert_eq!(report_of(Exit::Code(1)), None);
        assert_eq!(sentence_of("my own words\n"), None);
    }
}
