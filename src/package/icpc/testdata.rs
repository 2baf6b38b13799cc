//! `testdata.yaml`, the configuration of groups in the legacy format, inherited by the groups below.

use crate::package::diagnostic::Severity;
use crate::package::document::{Document, read};
use crate::package::metadata::GroupConfig;
use crate::package::reader::Reader;
use crate::package::testdata::Rules;

/// Keys that are applied.
const KEYS: [&str; 2] = ["output_validator_flags", "input_validator_flags"];

/// Keys about points and their order, which decide nothing in a pass-fail problem.
const POINTS: [&str; 6] = ["on_reject", "accept_score", "reject_score", "range", "grading", "grader_flags"];

/// Flags of the default grader that make something else of failures than a failure.
const LENIENT: [&str; 3] = ["always_accept", "accept_if_any_accepted", "ignore_sample"];

/// Reads the file of one directory.
pub(in crate::package) fn read(reader: &Reader<'_>, mut document: Document, rules: &Rules) -> GroupConfig {
    let config = GroupConfig::of_legacy(&mut document, rules);
    if document.get("grading", read::text).is_some_and(|grading| grading != "default") {
        document.report(&["grading"], Severity::Error, "graders of the package's own are not supported yet");
    }
    for flag in document.get("grader_flags", read::words).unwrap_or_default() {
        if LENIENT.contains(&flag.as_str()) {
            let message = format!("`{flag}` of the default grader is not supported yet");
            document.report(&["grader_flags"], Severity::Error, message);
        }
    }
    document.check_keys(&[&KEYS[..], &POINTS[..]].concat(), Severity::Warning);
    document.finish().into_iter().for_each(|found| reader.report(found));
    config
}
