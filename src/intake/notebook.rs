//! Reads Jupyter notebooks: the code cells are one Python program. Lines that only Jupyter understands are dropped and listed.

use serde::Deserialize;

use crate::program_files::PythonPlace;

/// The extension of notebooks.
pub(crate) const NOTEBOOK: &str = "ipynb";

/// A notebook as a Python program.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ConvertedNotebook {
    /// The source of the program.
    pub(crate) source: String,
    /// The dropped lines, in order: magics, shell commands and requests for help.
    pub(crate) dropped: Vec<String>,
}

/// Why a notebook is not a program.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotebookError {
    /// It is not a notebook of a known version.
    #[error("is not a readable notebook: {0}")]
    Unreadable(#[from] serde_json::Error),
    /// It is written for another kernel than Python.
    #[error("is a notebook for {0}, not for Python")]
    OtherLanguage(String),
    /// It has no code cell with content.
    #[error("is a notebook without code")]
    NoCode,
}

/// The parts of the format (nbformat 3 and 4) that matter here.
#[derive(Deserialize)]
struct Notebook {
    #[serde(default)]
    metadata: Metadata,
    #[serde(default)]
    cells: Vec<Cell>,
    /// Version 3 keeps the cells here.
    #[serde(default)]
    worksheets: Vec<Worksheet>,
}

#[derive(Deserialize)]
struct Worksheet {
    #[serde(default)]
    cells: Vec<Cell>,
}

#[derive(Default, Deserialize)]
struct Metadata {
    #[serde(default)]
    kernelspec: Kernel,
    #[serde(default)]
    language_info: LanguageInfo,
}

#[derive(Default, Deserialize)]
struct Kernel {
    #[serde(default)]
    language: Option<String>,
}

#[derive(Default, Deserialize)]
struct LanguageInfo {
    #[serde(default)]
    name: Option<String>,
}

#[derive(Deserialize)]
struct Cell {
    #[serde(default)]
    cell_type: String,
    #[serde(default, alias = "input")]
    source: Text,
}

/// The text of a cell: one string, or its lines.
#[derive(Deserialize)]
#[serde(untagged)]
enum Text {
    Whole(String),
    Lines(Vec<String>),
}

impl Default for Text {
    fn default() -> Self {
        Self::Lines(Vec::new())
    }
}

impl Text {
    fn joined(self) -> String {
        match self {
            Self::Whole(text) => text,
            Self::Lines(lines) => lines.concat(),
        }
    }
}

/// Cell magics whose cell is still Python; the line of the magic alone is dropped.
const PYTHON_CELLS: [&str; 6] = ["time", "timeit", "capture", "prun", "python", "python3"];

/// Reads a notebook.
pub(crate) fn convert(bytes: &[u8]) -> Result<ConvertedNotebook, NotebookError> {
    let notebook: Notebook = serde_json::from_slice(bytes)?;
    let Metadata { kernelspec, language_info } = notebook.metadata;
    if let Some(language) = language_info.name.or(kernelspec.language)
        && !["python", "python3", "ipython", "pypy"].iter().any(|python| language.eq_ignore_ascii_case(python))
    {
        return Err(NotebookError::OtherLanguage(language));
    }
    let mut converted = ConvertedNotebook { source: String::new(), dropped: Vec::new() };
    let mut futures = String::new();
    let cells = notebook.cells.into_iter().chain(notebook.worksheets.into_iter().flat_map(|sheet| sheet.cells));
    for cell in cells.filter(|cell| cell.cell_type == "code") {
        converted.add_cell(&cell.source.joined(), &mut futures);
    }
    // Jupyter compiles each cell alone; in a program they must come first.
    converted.source.insert_str(0, &futures);
    if converted.source.trim().is_empty() {
        return Err(NotebookError::NoCode);
    }
    Ok(converted)
}

impl ConvertedNotebook {
    /// Adds the code of a cell, and to `futures` its statements `from __future__ import`.
    fn add_cell(&mut self, text: &str, futures: &mut String) {
        let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        if let Some(magic) = first.trim_start().strip_prefix("%%") {
            let name = magic.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
            if !PYTHON_CELLS.contains(&name) {
                self.dropped.extend(text.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned));
                return;
            }
        }
        let mut place = PythonPlace::default();
        let mut in_future = false;
        for line in text.lines() {
            if place.begins_statement() {
                in_future = line.starts_with("from __future__ ");
            }
            if place.begins_statement() && is_magic(line) {
                self.dropped.push(line.trim().to_owned());
                // A block needs a statement.
                let indent = &line[..line.len() - line.trim_start().len()];
                self.source += indent;
                self.source += "pass\n";
                continue;
            }
            place.pass(line);
            let target = if in_future { &mut *futures } else { &mut self.source };
            target.push_str(line);
            target.push('\n');
        }
    }
}

/// Whether a line at the beginning of a statement is for Jupyter and no Python.
fn is_magic(line: &str) -> bool {
    let line = line.trim();
    if line.starts_with(['%', '!', '?']) {
        return true;
    }
    // `files = !ls` and `t = %timeit f()`.
    if let Some((target, value)) = line.split_once('=') {
        let is_target = target.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ',' | ' ' | '.'));
        let value = value.trim_start();
        if is_target && (value.starts_with('%') || value.starts_with('!')) {
            return true;
        }
    }
    // `print?` and `print??`.
    let asked = line.trim_end_matches('?');
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    asked.len() < line.len() && !asked.is_empty() && asked.chars().all(is_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notebook(cells: &[&str]) -> Vec<u8> {
        let cells: Vec<_> = cells.iter().map(|text| serde_json::json!({"cell_type": "code", "source": text})).collect();
        serde_json::json!({"nbformat": 4, "cells": cells}).to_string().into_bytes()
    }

    #[test]
    fn code_cells_are_one_program_without_magics() {
        let text = r#"{"metadata": {"kernelspec": {"language": "python"}, "language_info": {"name": "python"}}, "cells": [
            {"cell_type": "markdown", "source": ["print('no')\n"]},
            {"cell_type": "code", "source": ["%matplotlib inline\n", "import sys\n", "if True:\n", "    !ls"], "outputs": []},
            {"cell_type": "code", "source": "%%bash\necho hi"},
            {"cell_type": "code", "source": "%%time\nx = !ls\nprint?\nprint('%d' % 3)"}]}"#;
        let converted = convert(text.as_bytes()).unwrap();
        assert_eq!(converted.source, "pass\nimport sys\nif True:\n    pass\npass\npass\npass\nprint('%d' % 3)\n");
        assert_eq!(
            converted.dropped,
            ["%matplotlib inline", "!ls", "%%bash", "echo hi", "%%time", "x = !ls", "print?"]
        );
    }

    #[test]
    fn imports_from_the_future_come_first() {
        let cells = [
            "print(1)",
            "\"\"\"\nfrom __future__ import no\n\"\"\"\nfrom __future__ import (\n  division)\nprint(3/2)",
        ];
        let converted = convert(&notebook(&cells)).unwrap();
        let expect =
            "from __future__ import (\n  division)\nprint(1)\n\"\"\"\nfrom __future__ import no\n\"\"\"\nprint(3/2)\n";
        assert_eq!(converted.source, expect);
    }

    #[test]
    fn percent_signs_of_python_stay() {
        let program =
            "s = '''\n%d\n'''\nx = (7\n  % 4)\ny = 7 \\\n  % 4\nprint(\"'\", '#')  # it's (\nz = \"a\\\n%b\"\n";
        let converted = convert(&notebook(&[program])).unwrap();
        assert_eq!((converted.source.as_str(), converted.dropped.len()), (program, 0));
    }

    #[test]
    fn what_is_no_program_is_refused() {
        assert!(matches!(convert(b"print(3)"), Err(NotebookError::Unreadable(_))));
        assert!(matches!(convert(&notebook(&["  \n"])), Err(NotebookError::NoCode)));
        let r = br#"{"metadata": {"language_info": {"name": "R"}}, "cells": []}"#;
        assert!(matches!(convert(r), Err(NotebookError::OtherLanguage(_))));
        let old = br#"{"worksheets": [{"cells": [{"cell_type": "code", "input": ["print(3)"]}]}]}"#;
        assert_eq!(convert(old).unwrap().source, "print(3)\n");
        assert!(convert("[".repeat(100_000).as_bytes()).is_err());
    }
}
