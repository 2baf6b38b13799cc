//! Places the cases of a problem into `sample` and `secret`, where every format that others read has them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::listing::is_file_of;
use super::subject::{Subject, only_group};
use super::{Draft, ExportError};
use crate::package::cases::case_of;
use crate::problem::{Problem, Setting, Test, TestCase, TestGroup};

/// The directory of the samples.
pub(super) const SAMPLE: &str = "sample";
/// The directory of the other cases.
pub(super) const SECRET: &str = "secret";

/// A case with its place below the test data.
#[derive(Debug, Clone)]
pub(super) struct PlacedCase<'p> {
    /// The directory: `sample`, `secret/small`.
    pub(super) folder: String,
    /// The name of the case there.
    pub(super) name: String,
    pub(super) group: &'p TestGroup,
    pub(super) case: &'p TestCase,
    /// The answer; none if the validator leads and needs none.
    pub(super) answer: Option<PathBuf>,
}

impl<'p> PlacedCase<'p> {
    /// The path of a file of the case below the test data.
    pub(super) fn path(&self, ending: &str) -> String {
        format!("{}/{}{ending}", self.folder, self.name)
    }

    /// The input file.
    pub(super) fn input(&self) -> PathBuf {
        self.group.input_of(self.case)
    }

    /// The arguments, checker and files of programs on the case.
    pub(super) fn setting(&self) -> Setting<'p> {
        self.group.setting_of(self.case)
    }
}

/// Places every case that has an answer, and reports the others. `deepest`: how many levels of folders the target has
/// below `secret`.
pub(super) fn place<'p>(subject: &Subject<'p>, draft: &mut Draft, deepest: usize) -> Vec<PlacedCase<'p>> {
    let problem = subject.problem;
    let mut taken = BTreeSet::new();
    let mut placed = Vec::new();
    for (group, case) in problem.cases() {
        let answer = group.answer_of(case).filter(|answer| answer.is_file());
        if answer.is_none() && !problem.kind.is_led_by_validator() {
            draft.lose(format!("case {}", group.id_of(case)), "it has no answer (make one: grader accept)");
            continue;
        }
        let is_sample = Test::Case(group, case).is_sample();
        let folder = match only_group(problem) {
            Some(_) => (SECRET.to_owned(), String::new()),
            None => folder_of(group, is_sample && problem.scoring.is_none(), deepest),
        };
        let mut put = |folder: String, inner: &str| {
            let name = free(&mut taken, &folder, &format!("{inner}{}", plain(&case.name)));
            placed.push(PlacedCase { folder, name, group, case, answer: answer.clone() });
        };
        // A sample with points counts where it is, and the statement shows a copy.
        if is_sample && folder.0 != SAMPLE {
            put(SAMPLE.to_owned(), "");
        }
        put(folder.0, &folder.1);
    }
    placed.sort_by_key(|one| one.folder != SAMPLE);
    placed
}

/// The folder of a case, and what its name begins with there because the target has fewer levels.
fn folder_of(group: &TestGroup, is_sample: bool, deepest: usize) -> (String, String) {
    let mut parts: Vec<String> = group.name.split('/').filter(|part| !part.is_empty()).map(plain).collect();
    let top = if is_sample || group.holds_samples() { SAMPLE } else { SECRET };
    if parts.first().is_some_and(|first| first == SAMPLE || first == SECRET) {
        parts.remove(0);
    }
    let deepest = if top == SAMPLE { 0 } else { deepest };
    let inner: String = parts.iter().skip(deepest).flat_map(|part| [part, "-"]).collect();
    parts.truncate(deepest);
    ([&[top.to_owned()], &parts[..]].concat().join("/"), inner)
}

/// A name with only the characters that the package formats allow.
pub(super) fn plain(name: &str) -> String {
    let is_fit = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    let fit: String = name.chars().map(|c| if is_fit(c) { c } else { '_' }).collect();
    let begins = fit.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
    if begins { fit } else { format!("_{fit}") }
}

/// Reports the name of a file of a program that readers of the package formats ignore.
pub(super) fn report_name(draft: &mut Draft, name: &str) {
    if !name.split('/').all(|part| plain(part) == part) {
        draft.lose(name, "the format allows only letters, digits, `_`, `.` and `-` in names");
    }
}

/// The name, or the name with a number if the folder has it already. A name that differs by the case of letters is
/// another: [`Draft::check_names`] refuses both.
fn free(taken: &mut BTreeSet<String>, folder: &str, name: &str) -> String {
    let mut names = std::iter::once(name.to_owned()).chain((2u32..).map(|number| format!("{name}-{number}")));
    let mut is_free = |name: &String| taken.insert(format!("{folder}/{name}"));
    names.find(|name| is_free(name)).unwrap_or_default()
}

/// The files of cases for statements and people, such as pictures: those in the directory of a group, by the name of
/// their case, with their endings.
pub(super) type Extras = BTreeMap<String, Vec<(String, PathBuf)>>;

/// The endings that an export writes itself.
const WRITTEN: [&str; 4] = [".in", ".ans", ".yaml", ".files"];

/// Reads the directory of a group.
///
/// # Errors
/// It cannot be listed, or a link in it leads out of the problem.
pub(super) fn extras_of(problem: &Problem, group: &TestGroup) -> Result<Extras, ExportError> {
    let has_own_names = group.naming.is_some() || group.document.is_some();
    if has_own_names { Ok(Extras::new()) } else { extras_in(problem, &group.dir) }
}

/// Reads a directory of cases.
///
/// # Errors
/// It cannot be listed, or a link in it leads out of the problem.
pub(super) fn extras_in(problem: &Problem, dir: &Path) -> Result<Extras, ExportError> {
    let mut extras = Extras::new();
    let failed = |error| ExportError::Read { path: dir.to_owned(), error };
    for entry in fs::read_dir(dir).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        let Some(case) = case_of(name) else { continue };
        let ending = &name[case.len()..];
        if !WRITTEN.contains(&ending) && is_file_of(problem, &path)? {
            extras.entry(case.to_owned()).or_default().push((ending.to_owned(), path.clone()));
        }
    }
    for files in extras.values_mut() {
        files.sort();
    }
    Ok(extras)
}

/// The file of a case for its settings.
pub(super) fn settings_file(group: &TestGroup, case: &TestCase) -> Option<PathBuf> {
    let file = group.dir.join(format!("{}.yaml", case.name));
    (group.naming.is_none() && file.is_file()).then_some(file)
}
