//! Reads tasks in the format `italy_yaml` of CMS (<https://github.com/cms-dev/cms>) and task-maker
//! (<https://github.com/olimpiadi-informatica/task-maker-rust>): `task.yaml` with `gen/`, `sol/`, `check/`, `input/` and
//! `output/`, in the meaning of CMS' importer (`cmscontrib/loaders/italy_yaml.py`).
//!
//! Its files:
//!
//! - `description`: reads `task.yaml`
//! - `test_list`, `gen_file`, `cases_file`: read the tests and subtasks from `gen/GEN` and `gen/cases.gen`
//! - `subtasks`: the subtasks with their points, by `task.yaml` or one of these lists
//! - `cases`: the tests, and the recipes for files that the task does not have
//! - `programs`: the checker, the validator, the generators and the graders
//! - `solutions`: the solutions, with what their comments `@check-…` expect
//!
//! Such a task always has points. This module runs no program.

mod cases;
mod cases_file;
mod description;
mod gen_file;
mod programs;
mod solutions;
mod subtasks;
mod test_list;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::document::{is_there, small_text};
use crate::reader::Reader;
use cases::TaskCases;
use description::Description;
use grader_model::problem::{LimitOptions, PackageLayout, Problem, ProblemKind, Reference, Scoring, Submission};
use solutions::OFFICIAL;

/// The file that describes a task.
pub const FILE: &str = "task.yaml";
/// The file from which task-maker makes that one.
const ORIGINAL: &str = "task.yaml.orig";
/// Parts of a task beside that file, one of which must exist.
const PARTS: [&str; 4] = ["gen", "sol", "input", "att"];
/// The beginnings of lines, one of which a description has.
const LINES: [&str; 4] = ["name:", "nome_breve:", "title:", "nome:"];
/// How much of a file is read to recognise it, in bytes.
const RECOGNISED: u64 = 64 << 10;
/// The directory of solutions and graders.
const SOLUTIONS: &str = "sol";
/// The directories of statements.
pub const STATEMENTS: [&str; 2] = ["statement", "testo"];
/// The directory with the files for contestants.
pub const ATTACHMENTS: &str = "att";

/// Whether a file of this name may describe a task.
pub fn is_description(name: &Path) -> bool {
    [FILE, ORIGINAL].iter().any(|file| name == Path::new(file))
}

/// Whether a directory has a task of this format. Other tools have files of this name too.
pub fn is_task(dir: &Path) -> bool {
    let begins = |line: &str| LINES.iter().any(|start| line.starts_with(start));
    let described = |file: &str| small_text(&dir.join(file), RECOGNISED).is_some_and(|text| text.lines().any(begins));
    PARTS.iter().any(|part| dir.join(part).is_dir()) && (described(FILE) || described(ORIGINAL))
}

/// Reads the task in the reader's directory; none if its description cannot be parsed.
pub fn read(reader: &Reader<'_>) -> Option<Problem> {
    let description = description::read(reader)?;
    Some(Task { reader, description }.problem())
}

/// A task that is being read.
struct Task<'a> {
    reader: &'a Reader<'a>,
    description: Description,
}

impl Task<'_> {
    fn problem(&self) -> Problem {
        let reader = self.reader;
        self.refuse_unsupported();
        let subtasks = self.subtasks();
        let is_output_only = self.description.is_output_only;
        // In an output-only task, the programs only make outputs, so they are not submissions.
        let submissions = if is_output_only { Vec::new() } else { self.solutions(&subtasks) };
        let is_official = |submission: &Submission| {
            let stem = Path::new(submission.id.as_str()).file_stem().and_then(|stem| stem.to_str());
            stem.is_some_and(|stem| OFFICIAL.contains(&stem))
        };
        let reference = submissions.iter().position(is_official).map(Reference::Chosen);
        let TaskCases { groups, recipes } = self.cases(&subtasks, reference.is_some());
        let scoring = (!groups.is_empty()).then(|| Scoring::Points(Arc::new(subtasks::score_tree(&subtasks))));
        Problem {
            kind: if is_output_only { ProblemKind::SubmitAnswer } else { ProblemKind::PassFail },
            title: self.description.title.clone().unwrap_or_else(|| reader.id.to_string()),
            limits: LimitOptions {
                time: self.description.time_limit,
                memory: self.description.memory_limit,
                ..LimitOptions::default()
            },
            input_validators: self.validator(&subtasks).into_iter().collect(),
            output_validators: self.checker().into_iter().collect(),
            checker: programs::comparison(),
            groups,
            submissions,
            reference,
            scoring,
            additions: self.graders(),
            recipes,
            documents: self.documents(),
            ..Problem::empty(reader.id.clone(), reader.dir.clone(), PackageLayout::ItalyYaml)
        }
    }

    /// Reports kinds of tasks that grader does not judge.
    fn refuse_unsupported(&self) {
        for (stem, kind) in [("manager", "Communication"), ("controller", "interactive")] {
            let program = self.stems_in(&programs::CHECKS, &[stem]).into_iter().next();
            if let Some(program) = program {
                let message = format!("a {stem}: grader does not judge {kind} tasks of CMS and task-maker");
                self.reader.error(&program, message, "judge it with CMS or task-maker");
            }
        }
    }

    /// The statements in PDF, and the files for contestants.
    fn documents(&self) -> Vec<PathBuf> {
        let files = |folder: &str| {
            let listed = self.reader.list(&self.reader.dir.join(folder)).into_iter();
            listed.filter(|entry| !entry.is_dir).map(|entry| entry.path).collect::<Vec<_>>()
        };
        let is_shown = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "pdf");
        let statements = STATEMENTS.iter().flat_map(|folder| files(folder)).filter(is_shown);
        statements.chain(files(ATTACHMENTS)).collect()
    }

    /// A path in the task's directory, if something is there.
    fn there(&self, path: &str) -> Option<PathBuf> {
        Some(self.reader.dir.join(path)).filter(|path| is_there(path))
    }
}

#[cfg(test)]
mod tests;
