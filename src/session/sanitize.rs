//! Narrows a plan to submissions in languages that have sanitizers. Unless the user names others, only those that should be
//! accepted stay.

use std::collections::BTreeSet;

use anyhow::{Result, bail};

use crate::compile::language_of;
use crate::plan::{Plan, PlannedSubmission};
use crate::problem::{Program, Submission};
use crate::report::text::count;
use crate::workspace::Workspace;

/// The submissions of a plan that run under sanitizers.
pub(crate) struct Sanitizable {
    /// The plan without the others.
    pub(crate) plan: Plan,
    /// The number of submissions that were left out because their language has no sanitizers.
    pub(crate) left_out: usize,
    /// The languages of those that are left out.
    languages: BTreeSet<String>,
}

impl Sanitizable {
    /// Narrows a plan. `named`: whether the user chose the submissions, so that also those run that should fail.
    /// `language` is that of `--lang`.
    pub(crate) fn of(workspace: &Workspace, whole: &Plan, named: bool, language: Option<&str>) -> Self {
        let plan = Plan { problems: Vec::new(), submissions: Vec::new(), ..*whole };
        let mut narrowed = Self { plan, left_out: 0, languages: BTreeSet::new() };
        let wanted = |submission: &&PlannedSubmission| named || submission.submission.expectation.wants_all_accepted();
        for (at, planned) in whole.each_problem() {
            let mut kept = Vec::new();
            for submission in whole.submissions[planned.submissions.clone()].iter().filter(wanted) {
                match without_sanitizers(workspace, &submission.submission, language) {
                    None => kept.push(submission.id.index),
                    Some(language) => {
                        narrowed.left_out += 1;
                        narrowed.languages.insert(language);
                    }
                }
            }
            if !kept.is_empty() {
                narrowed.plan.add_part(whole, at, &kept, |_| true);
            }
        }
        narrowed
    }

    /// How many submissions are left out, and why; none if all are built.
    pub(crate) fn remark(&self) -> Option<String> {
        let names: Vec<&str> = self.languages.iter().map(String::as_str).collect();
        let verb = if self.left_out == 1 { "is" } else { "are" };
        let words = || {
            let left_out = count(self.left_out, "submission");
            format!("{left_out} {verb} left out: no sanitizers for {}", names.join(", "))
        };
        (self.left_out > 0).then(words)
    }

    /// The plan, and what its figures must not be taken for.
    ///
    /// # Errors
    /// No submission is left.
    pub(super) fn ready(self) -> Result<(Plan, String)> {
        let remark = self.remark();
        if self.plan.submissions.is_empty() {
            let why = remark.unwrap_or_else(|| "no submission should be accepted".to_owned());
            bail!("nothing runs under sanitizers; {why}\n  → name submissions in C or C++: -s NAME");
        }
        let remark = remark.map(|remark| format!("; {remark}")).unwrap_or_default();
        Ok((self.plan, format!("under sanitizers: times and memory are not those of the programs{remark}")))
    }
}

/// The language of a submission, if it has no sanitizers. A program in an unknown language gets its own message when it
/// is built.
fn without_sanitizers(workspace: &Workspace, submission: &Submission, wanted: Option<&str>) -> Option<String> {
    let Submission { program, language, entry_point, .. } = submission;
    match program {
        Program::Outputs(_) | Program::PackedOutputs { .. } => return Some("outputs".to_owned()),
        Program::Scripts { .. } => return Some("build scripts".to_owned()),
        _ => {}
    }
    let languages = &workspace.languages;
    let detected = || language_of(languages, program, language.as_deref(), entry_point.as_deref()).ok();
    let language = wanted.and_then(|wanted| languages.get(wanted)).or_else(detected)?;
    language.sanitize.is_empty().then(|| language.name.clone())
}
