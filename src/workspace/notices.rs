//! Converts diagnostics, and findings about the machine and the store, into notices.

use crate::event::{Notice, Severity};
use crate::package::diagnostic::{self, Diagnostic};
use crate::sandbox::ControlGroups;
use crate::store;

/// Converts a finding about a file, including its position.
pub(crate) fn notice_of(found: &Diagnostic) -> Notice {
    let place = match (found.line, found.column) {
        (Some(line), Some(column)) => format!("line {line}, column {column}: "),
        (Some(line), None) => format!("line {line}: "),
        _ => String::new(),
    };
    Notice {
        severity: match found.severity {
            diagnostic::Severity::Warning => Severity::Warning,
            diagnostic::Severity::Error => Severity::Error,
            diagnostic::Severity::JudgeError => Severity::JudgeError,
        },
        problem: found.problem.clone(),
        path: Some(found.path.clone()),
        message: format!("{place}{}", found.message),
        remedy: found.remedy.clone().unwrap_or_default(),
    }
}

/// Converts a notice of the store. Problems that repair themselves have no remedy.
pub(crate) fn store_notice(found: &store::Notice) -> Notice {
    let remedy = match found {
        store::Notice::Disabled { .. } => {
            "make it writable: nothing was saved, so `grader rerun` and `grader report` cannot use this run"
        }
        store::Notice::WritingStopped { .. } | store::Notice::RecordIncomplete { .. } => {
            "make it writable: the next run cannot use the results of this one"
        }
        store::Notice::BuildNotKept { .. } => "free some space there: the next run builds them again",
        store::Notice::IndexRebuilt { .. } | store::Notice::IndexDamaged { .. } => "",
    };
    let (message, remedy) = (found.to_string(), remedy.to_owned());
    Notice { severity: Severity::Info, problem: None, path: None, message, remedy }
}

/// Creates a notice about this machine that a person can act on. It does not mean that the run failed.
pub(crate) fn machine_notice(message: String) -> Notice {
    let remedy = "run `grader doctor`: it shows how to fix this".to_owned();
    Notice { severity: Severity::Info, problem: None, path: None, message, remedy }
}

/// Reports that control groups lack a feature. Shows only the first reason.
pub(crate) fn groups_notice(groups: &[ControlGroups]) -> Option<Notice> {
    let sampled = groups.iter().find(|groups| !groups.count_memory());
    let lacking = sampled.or_else(|| groups.iter().find(|groups| !groups.missing.is_empty()))?;
    let reason = lacking.missing.first()?;
    let head = if sampled.is_some() { "memory is sampled every 10 ms and not limited by the kernel; " } else { "" };
    Some(machine_notice(format!("{head}control groups lack {reason}")))
}

/// A finding in one line, without a remedy.
pub(crate) fn line_of(found: &Diagnostic) -> String {
    format!("{}: {}", found.path.display(), notice_of(found).message)
}
