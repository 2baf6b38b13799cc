//! Describes a new case before it is added: its staged files, and the settings of its group.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::authoring::case_editor::{CaseEditor, CasePlace};
use crate::authoring::refusal_log::Refusals;
use crate::diagnostic::Severity;

use crate::package::document::{Document, Syntax};
use crate::problem::{CaseInput, TestCase, TestGroup};

/// A new case before it is added.
#[derive(Debug)]
pub(crate) struct Draft {
    /// Its source, for messages.
    pub(crate) source: String,
    /// The staged input.
    pub(crate) input: PathBuf,
    /// The staged answer that came with it, if any.
    pub(crate) given: Option<PathBuf>,
    /// Its other staged files by extension: `yaml`, `files/table.txt`.
    pub(crate) companions: BTreeMap<String, PathBuf>,
    /// The subfolder in which it was found, relative to the added folder or archive.
    pub(crate) folder: String,
    /// Its name; empty until a name is chosen.
    pub(crate) name: String,
    /// Whether it came in a folder or an archive.
    pub(crate) many: bool,
    /// Whether it came from standard input.
    pub(crate) is_typed: bool,
}

impl Draft {
    pub(crate) fn new(source: String, input: PathBuf) -> Self {
        let (companions, folder, name) = Default::default();
        Self { source, input, given: None, companions, folder, name, many: false, is_typed: false }
    }

    /// Moves its files to a directory of its own, under their final names.
    pub(crate) fn gather(&mut self, dir: &Path, name: &str) -> io::Result<()> {
        fs::create_dir(dir)?;
        let to = |ending: &str| dir.join(format!("{name}.{ending}"));
        fs::rename(std::mem::replace(&mut self.input, to("in")), to("in"))?;
        for (ending, file) in &mut self.companions {
            let to = to(ending);
            fs::create_dir_all(to.parent().unwrap_or(dir))?;
            fs::rename(std::mem::replace(file, to.clone()), to)?;
        }
        Ok(())
    }

    /// Whether it has files for the working directory of programs.
    pub(crate) fn has_files(&self) -> bool {
        self.companions.keys().any(|ending| ending.starts_with("files/"))
    }

    /// Its files and directories except the input, sorted; call `gather` first.
    pub(crate) fn gathered(&self) -> io::Result<Vec<PathBuf>> {
        let entries = fs::read_dir(self.input.parent().unwrap_or(Path::new(".")))?;
        let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
        paths.retain(|path| *path != self.input);
        paths.sort();
        Ok(paths)
    }
}

/// The case as programs will find it, and its group with the staging directory. Reports errors in its configuration.
pub(crate) fn standing(
    editor: &CaseEditor,
    draft: &Draft,
    place: &CasePlace,
    refusals: &mut Refusals<'_>,
) -> Result<(TestGroup, TestCase)> {
    let dir = draft.input.parent().unwrap_or(Path::new(".")).to_owned();
    let config = match draft.companions.get("yaml") {
        Some(file) => {
            let text = String::from_utf8_lossy(&fs::read(file)?).into_owned();
            Some(Document::parse(Path::new(&format!("{}.yaml", place.name)), text, Syntax::Yaml))
        }
        None => None,
    };
    let files = dir.join(format!("{}.files", place.name));
    let group_template = editor.group_template(&place.group);
    let (mut case, found) = group_template.case(&place.name, config, &files);
    let (names, directory) = editor.names_of_input(&place.group);
    if let (Some(file), false) = (draft.input.file_name(), names.is_empty()) {
        let by_name = names.into_iter().map(|name| (name, PathBuf::from(file))).collect();
        let own = case.own.get_or_insert_default();
        (own.by_name, own.directory) = (by_name, directory);
    }
    for found in found {
        let line = found.place.map(|place| format!(" line {}:", place.line)).unwrap_or_default();
        let file = found.path.as_ref().and_then(|path| path.file_name()).unwrap_or_default();
        let message = format!("{}:{line} {}", file.display(), found.message);
        if found.is_error() {
            refusals.usage(&draft.source, &message, &found.remedy);
        } else {
            refusals.notice(Severity::Warning, Some(&draft.source), &message, "");
        }
    }
    Ok((TestGroup { dir, ..group_template.group() }, case))
}

/// A new case with its place in the problem.
pub(crate) struct PlacedCase {
    pub(crate) draft: Draft,
    /// Its group, with the directory in which the case is staged.
    pub(crate) group: TestGroup,
    pub(crate) case: TestCase,
    pub(crate) place: CasePlace,
    /// Whether the problem has the input already, without an answer.
    pub(crate) is_known: bool,
    /// An existing case that is judged after this automatically named one, if any.
    pub(crate) before: Option<String>,
}

impl PlacedCase {
    /// Its staged input, with the arguments and files of the case.
    pub(crate) fn input(&self) -> CaseInput<'_> {
        CaseInput { path: self.draft.input.clone(), ..self.group.case_input(&self.case) }
    }
}
