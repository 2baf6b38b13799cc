//! The samples of a problem as contestants see them (package format 2025-09, "Samples").

use std::path::{Path, PathBuf};

use super::ExportError;
use super::placed::{Extras, extras_in, extras_of};
use crate::problem::{Problem, Setting, Test, TestCase, TestGroup};

/// A sample.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ShownSample {
    /// The messages between judge and submission: lines with `<` and `>`.
    Conversation(PathBuf),
    /// An input, and its answer if it is shown.
    Files {
        /// The input.
        input: PathBuf,
        /// The answer.
        answer: Option<PathBuf>,
        /// The arguments of submissions.
        arguments: Vec<String>,
        /// The files beside submissions: each name, with its file.
        beside: Vec<(PathBuf, PathBuf)>,
    },
}

/// Where contestants meet a sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// In the statement.
    Statement,
    /// In an archive.
    Download,
}

/// The sample that contestants get for a case with this answer. `extras`: the files of its group.
pub(super) fn shown(
    purpose: Purpose,
    extras: &Extras,
    group: &TestGroup,
    case: &TestCase,
    answer: Option<PathBuf>,
) -> ShownSample {
    let file = |ending: &str| {
        let extras = extras.get(&*case.name)?;
        extras.iter().find(|(own, _)| own == ending).map(|(_, file)| file.clone())
    };
    if let Some(conversation) = file(".interaction") {
        return ShownSample::Conversation(conversation);
    }
    let instead = |kind: &str| {
        let download = || file(&format!(".{kind}.download"));
        let of_statement = file(&format!(".{kind}.statement"));
        if purpose == Purpose::Download { download().or(of_statement) } else { of_statement }
    };
    let shown_answer = instead("ans").or_else(|| file(".out")).or(answer);
    let Setting { arguments, work, .. } = group.setting_of(case);
    ShownSample::Files {
        input: instead("in").unwrap_or_else(|| group.input_of(case)),
        answer: shown_answer,
        arguments: arguments.submission.clone(),
        // Only additional files of the case: its input under its own name is shown already.
        beside: work.files.into_iter().filter(|(name, _)| case.files().contains(name)).collect(),
    }
}

/// The samples that a statement shows, in their order.
///
/// # Errors
/// A directory cannot be listed.
pub(crate) fn samples(problem: &Problem) -> Result<Vec<ShownSample>, ExportError> {
    let mut found: Vec<(String, ShownSample)> = Vec::new();
    let is_led = problem.kind.is_led_by_validator();
    for group in &problem.groups {
        let cases: Vec<&TestCase> = group.cases.iter().filter(|case| Test::Case(group, case).is_sample()).collect();
        if cases.is_empty() && !group.holds_samples() {
            continue;
        }
        let extras = extras_of(problem, group)?;
        for case in cases {
            let answer = group.answer_of(case).filter(|answer| !is_led && answer.is_file());
            let shown = shown(Purpose::Statement, &extras, group, case, answer);
            // The input of a validator that leads is its secret.
            let is_secret =
                is_led && matches!(&shown, ShownSample::Files { input, .. } if *input == group.input_of(case));
            if !is_secret {
                found.push((case.name.to_string(), shown));
            }
        }
        conversations(&extras, &mut found);
    }
    // Conversations alone make no group.
    let dir = problem.dir.join("data/sample");
    if found.is_empty() && Path::is_dir(&dir) {
        conversations(&extras_in(problem, &dir)?, &mut found);
    }
    Ok(found.into_iter().map(|(_, shown)| shown).collect())
}

/// Adds the conversations that belong to no case, as legacy packages have them.
fn conversations(extras: &Extras, found: &mut Vec<(String, ShownSample)>) {
    for (name, files) in extras {
        let conversation = files.iter().find(|(ending, _)| ending == ".interaction");
        if let Some((_, file)) = conversation.filter(|_| !found.iter().any(|(known, _)| known == name)) {
            found.push((name.clone(), ShownSample::Conversation(file.clone())));
        }
    }
}
