//! Findings about the machine and the store.

use std::path::Path;

use crate::compile::testlib::GET_ORIGINAL;
use crate::diagnostic::{Diagnostic, Severity};
use crate::protocol::TESTLIB;
use crate::sandbox::ControlGroups;
use crate::store;

/// Words a notice of the store, which is a typed cause and not yet a finding: the store knows no remedies. Problems that
/// repair themselves have none.
pub(crate) fn store_notice(found: &store::Notice) -> Diagnostic {
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
    Diagnostic::new(Severity::Info, found.to_string()).remedy(remedy)
}

/// Creates a notice about this machine that a person can act on. It does not mean that the run failed.
pub(crate) fn machine_notice(message: String) -> Diagnostic {
    Diagnostic::new(Severity::Info, message).remedy("run `grader doctor`: it shows how to fix this")
}

/// Reports that control groups lack a feature. Shows only the first reason.
pub(crate) fn groups_notice(groups: &[ControlGroups]) -> Option<Diagnostic> {
    let sampled = groups.iter().find(|groups| !groups.count_memory());
    let lacking = sampled.or_else(|| groups.iter().find(|groups| !groups.missing.is_empty()))?;
    let reason = lacking.missing.first()?;
    let head = if sampled.is_some() { "memory is sampled every 10 ms and not limited by the kernel; " } else { "" };
    Some(machine_notice(format!("{head}control groups lack {reason}")))
}

/// Reports that programs were built with grader's own header of testlib.
pub(crate) fn own_testlib() -> Diagnostic {
    let message = format!("no {TESTLIB} was found, so grader used its own");
    Diagnostic::new(Severity::Info, message).remedy(GET_ORIGINAL)
}

/// A finding in one line, without a remedy.
pub(crate) fn line_of(found: &Diagnostic) -> String {
    let path = found.path.as_deref().unwrap_or(Path::new(""));
    format!("{}: {}", path.display(), found.clone().placed_in_words().message)
}
