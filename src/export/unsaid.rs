//! Reports the keys and files that a draft leaves out. One place serves all targets, so that no loss stays unreported.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::draft::Draft;
use super::listing::{are_equal, files_below, read};
use super::placed::{extras_of, settings_file};
use super::statements::{attachment_files, shown};
use super::subject::Subject;
use super::{ExportError, Target, italy};
use crate::package::document::{Document, small_text};
use crate::package::polygon;
use crate::problem::{PackageLayout, Problem, Submission, Test, TestGroup};
use crate::program_files::LARGEST;

/// Folders that no target needs, but that authors write.
const FOLDERS: [&str; 2] = ["solution", "answer_validators"];

/// The files of a sample that contestants see in place of its input and answer.
const SHOWN: [&str; 5] = [".interaction", ".in.statement", ".ans.statement", ".in.download", ".ans.download"];

/// Reports the keys and files of a problem that its draft has nowhere.
///
/// # Errors
/// A directory cannot be listed.
pub(super) fn report(subject: &Subject<'_>, target: &Target, draft: &mut Draft) -> Result<(), ExportError> {
    let why = format!("{} has no place for it", target.name);
    for key in subject.description.stated_keys().filter(|key| !target.says.contains(key)) {
        draft.leave_out(key, &*why);
    }
    let written = draft.sources();
    if attachment_files(subject.problem)?.iter().any(|(_, from)| !written.contains(from)) {
        draft.lose("attachments/", &*why);
    }
    for folder in FOLDERS {
        let dir = subject.problem.dir.join(folder);
        if files_below(subject.problem, &dir)?.iter().any(|file| !written.contains(&dir.join(file))) {
            draft.leave_out(format!("{folder}/"), &*why);
        }
    }
    for group in &subject.problem.groups {
        beside_cases(subject.problem, group, target, draft, &written)?;
        of_group(group, target, draft);
    }
    if subject.problem.layout == PackageLayout::Polygon {
        of_polygon(subject, target, draft);
    }
    if target.name != italy::TARGET.name {
        macros(subject, draft);
    }
    acting(subject, draft)?;
    Ok(())
}

/// Reports pages and pictures of the problem that would run scripts in the browsers of contestants.
fn acting(subject: &Subject<'_>, draft: &mut Draft) -> Result<(), ExportError> {
    let ends = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "svg" || ending == "html");
    let is_shown = |path: &PathBuf| path.starts_with(&subject.problem.dir) && ends(path);
    for file in draft.sources().into_iter().filter(is_shown) {
        if acts(&file)? {
            let why = "it has a script, which would run in the browsers of contestants";
            draft.miss(format!("a look at {}", shown(subject.problem, &file)), why);
        }
    }
    Ok(())
}

/// Whether a page or a picture has a script, or looks like it: an element, the address of a link, or an attribute such as `onload`.
fn acts(page: &Path) -> Result<bool, ExportError> {
    let bytes = read(page).map_err(|error| ExportError::Read { path: page.to_owned(), error })?;
    let text = String::from_utf8_lossy(&bytes).to_ascii_lowercase();
    let has_handler = text.split(['<', '>']).flat_map(|tag| tag.split([' ', '\t', '\n', '/', '"', '\''])).any(|word| {
        word.strip_prefix("on")
            .and_then(|rest| rest.split_once('='))
            .is_some_and(|(name, _)| !name.is_empty() && name.trim_end().bytes().all(|byte| byte.is_ascii_lowercase()))
    });
    Ok(has_handler || ["<script", "javascript:", "<iframe"].iter().any(|mark| text.contains(mark)))
}

/// Parts of packages that targets write, or report by themselves.
const PARTS: [&str; 20] = [
    "answer_validators",
    "attachments",
    "data",
    "domjudge-problem.ini",
    "generators",
    "graders",
    "include",
    "input_format_validators",
    "input_validators",
    "input_visualizer",
    "output_validator",
    "output_validators",
    "output_visualizer",
    "problem.toml",
    "problem.yaml",
    "problem_statement",
    "solution",
    "statement",
    "static_validator",
    "submissions",
];

/// Reports the files and folders of a problem that do not belong to a package, such as a licence and notes. Reports them in
/// one line, without a look into the folders.
///
/// # Errors
/// The directory of the problem cannot be listed.
pub(super) fn report_others(subject: &Subject<'_>, target: &Target, draft: &mut Draft) -> Result<(), ExportError> {
    let problem = subject.problem;
    if !matches!(problem.layout, PackageLayout::Native | PackageLayout::Icpc) {
        return Ok(());
    }
    let written = draft.sources();
    let failed = |error| ExportError::Read { path: problem.dir.clone(), error };
    let mut others = Vec::new();
    for entry in fs::read_dir(&problem.dir).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        let names_it = |what: &str| what.split([' ', '/', ',']).any(|word| word == name);
        let is_listed = || draft.losses().iter().chain(draft.left_out()).any(|loss| names_it(&loss.what));
        let is_part = PARTS.contains(&name)
            || written.iter().any(|from| from.starts_with(&path))
            || problem.groups.iter().any(|group| group.dir.starts_with(&path))
            || is_listed();
        // Hidden files and those that tools make are not meant for readers.
        if !is_part && !name.starts_with('.') && name != "__pycache__" {
            others.push(if path.is_dir() { format!("{name}/") } else { name.to_owned() });
        }
    }
    others.sort();
    if !others.is_empty() {
        draft.leave_out(others.join(", "), format!("no part of a problem in {}", target.name));
    }
    Ok(())
}

/// Reports the macros of CMS that submissions name: other judges do not define them.
fn macros(subject: &Subject<'_>, draft: &mut Draft) {
    let sources = || subject.problem.submissions.iter().filter_map(Submission::source);
    let texts: Vec<String> = sources().filter_map(|source| small_text(&source, LARGEST)).collect();
    for name in &subject.problem.additions.macros {
        if texts.iter().any(|text| text.contains(name.as_str())) {
            draft.lose(format!("the macro {name}"), "only CMS and task-maker define it, and submissions name it");
        }
    }
}

/// Reports the files beside the cases of a group.
fn beside_cases(
    problem: &Problem,
    group: &TestGroup,
    target: &Target,
    draft: &mut Draft,
    written: &BTreeSet<PathBuf>,
) -> Result<(), ExportError> {
    let shows_samples = target.shows_page && draft.paths().any(|path| path.starts_with("problem_statement/problem."));
    for (name, files) in extras_of(problem, group)? {
        // Conversations in `sample` need no case. Other files are part of no case either.
        let case = group.cases.iter().find(|case| *case.name == *name);
        if case.is_none() && !group.holds_samples() {
            continue;
        }
        let is_sample = case.is_none_or(|case| Test::Case(group, case).is_sample());
        // A file that equals the input or answer of the case needs no report.
        let is_case = |ending: &str, from: &Path| {
            let own = case.and_then(|case| match ending {
                ".in.statement" | ".in.download" => Some(group.input_of(case)),
                ".ans.statement" | ".ans.download" => group.answer_of(case),
                _ => None,
            });
            // Copying a file that cannot be read reports it.
            own.is_some_and(|own| are_equal(from, &own).unwrap_or(false))
        };
        for (ending, from) in files.into_iter().filter(|(_, from)| !written.contains(from)) {
            if is_case(&ending, &from) {
                continue;
            }
            let above = if group.name.is_empty() { "" } else { "/" };
            let what = format!("{}{above}{name}{ending}", group.name);
            let is_shown = is_sample && SHOWN.contains(&&*ending);
            if ending == ".out" || is_shown && shows_samples && !ending.ends_with(".download") {
                // An answer under another name, or in the statement already.
                continue;
            }
            if is_shown {
                draft.lose(
                    what,
                    format!("contestants would see the files of the case: {} knows no others", target.name),
                );
            } else {
                draft.leave_out(what, format!("{} has no place for it", target.name));
            }
        }
    }
    Ok(())
}

/// Reports the keys of a group and of its cases that are for people.
fn of_group(group: &TestGroup, target: &Target, draft: &mut Draft) {
    let mut report = |file: Option<PathBuf>, of: String| {
        let Some(document) = file.filter(|file| file.is_file()).map(|file| Document::load(&file)) else { return };
        for key in ["hint", "description", "full_feedback"] {
            if document.value(&[key]).is_some() && !target.says.contains(&key) {
                draft.leave_out(format!("{key} of {of}"), format!("{} has no place for it", target.name));
            }
        }
    };
    report(Some(group.dir.join(super::icpc::GROUP_FILE)), group.name.to_string());
    for case in &group.cases {
        report(settings_file(group, case), group.id_of(case).to_string());
    }
}

/// Reports the parts of a Polygon package that grader does not keep in a problem.
fn of_polygon(subject: &Subject<'_>, target: &Target, draft: &mut Draft) {
    // An error of the document was reported when the problem was read.
    let Ok(beyond) = polygon::beyond(&subject.problem.dir.join(polygon::FILE)) else { return };
    let judged = subject.problem.testsets.first();
    for testset in beyond.testsets.iter().filter(|name| Some(*name) != judged) {
        draft.leave_out(format!("testset {testset}"), "grader writes one testset: choose it with --testset");
    }
    for solution in &beyond.never_run {
        draft.leave_out(solution.as_str(), "its tag is `do-not-run`");
    }
    // The usual policy needs no word.
    let is_usual = |(_, policy): &(String, String)| policy == "complete";
    if !beyond.feedback.iter().all(is_usual) && !target.says.contains(&"feedback-policy") {
        draft.leave_out("feedback-policy of groups", format!("{} has no place for it", target.name));
    }
}
