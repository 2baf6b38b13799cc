//! A new case before it is added: its files, in their final form, and the settings of its group.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::authoring::case_editor::{CaseEditor, CasePlace};
use crate::authoring::refusals::Refusals;
use crate::event::Severity;
use crate::package::document::{Document, Syntax};
use crate::problem::{CaseInput, TestCase, TestGroup};

/// A new case before it is added.
#[derive(Debug)]
pub(crate) struct Draft {
    /// Its source, as messages name it.
    pub(crate) source: String,
    /// The input, staged.
    pub(crate) input: PathBuf,
    /// The answer that came with it, staged.
    pub(crate) given: Option<PathBuf>,
    /// What else belongs to it, staged, by ending: `yaml`, `files/table.txt`.
    pub(crate) companions: BTreeMap<String, PathBuf>,
    /// The folder of a folder that it was in.
    pub(crate) folder: String,
    /// Its name; empty until it has one.
    pub(crate) name: String,
    /// Whether it came in a folder or an archive.
    pub(crate) many: bool,
}

impl Draft {
    pub(crate) fn new(source: String, input: PathBuf) -> Self {
        let (companions, folder, name) = Default::default();
        Self { source, input, given: None, companions, folder, name, many: false }
    }

    /// Puts its files together in a directory of their own, under the names that they will have.
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

    /// Whether it brings files for the working directory of programs.
    pub(crate) fn has_files(&self) -> bool {
        self.companions.keys().any(|ending| ending.starts_with("files/"))
    }

    /// Its files and directories but the input, once they are gathered; sorted.
    pub(crate) fn gathered(&self) -> io::Result<Vec<PathBuf>> {
        let entries = fs::read_dir(self.input.parent().unwrap_or(Path::new(".")))?;
        let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
        paths.retain(|path| *path != self.input);
        paths.sort();
        Ok(paths)
    }
}

/// The group with the directory that the case is staged in, and the case with what it says and brings.
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
    let (case, found) = group_template.case(&place.name, config, &files);
    for found in found {
        let line = found.line.map(|line| format!(" line {line}:")).unwrap_or_default();
        let message = format!("{}:{line} {}", found.path.file_name().unwrap_or_default().display(), found.message);
        if found.is_error() {
            refusals.usage(&draft.source, &message, found.remedy.as_deref().unwrap_or_default());
        } else {
            refusals.notice(Severity::Warning, Some(&draft.source), &message, "");
        }
    }
    Ok((TestGroup { dir, ..group_template.group() }, case))
}

/// A case with its place.
pub(crate) struct Placed {
    pub(crate) draft: Draft,
    /// Its group, with the directory that the case is staged in.
    pub(crate) group: TestGroup,
    pub(crate) case: TestCase,
    pub(crate) place: CasePlace,
    /// The first case that is judged after it; none if it is the last of its group.
    pub(crate) before: Option<String>,
}

impl Placed {
    /// Its staged input, with the arguments and files of the case.
    pub(crate) fn input(&self) -> CaseInput<'_> {
        CaseInput { path: self.draft.input.clone(), ..self.group.case_input(&self.case) }
    }
}
