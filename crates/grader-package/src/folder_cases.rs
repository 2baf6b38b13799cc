//! The test cases of a plain folder, with the data that assigns them to programs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::pairing;
use grader_model::problem::{Program, TestCase, TestGroup};

/// The kind of problem that the names of the cases of a folder indicate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum CaseNames {
    /// They are those of a contest: programs read standard input.
    #[default]
    Contest,
    /// They may be those of a contest or of a puzzle: `input.txt` with `output.txt`. Programs may name such files.
    Either,
    /// They are inputs of a puzzle, which may have two parts.
    Puzzle,
}

/// The cases of a folder.
#[derive(Debug, Clone, Default)]
pub(crate) struct FolderCases {
    /// The groups.
    pub groups: Vec<TestGroup>,
    /// The kind of problem that their names indicate.
    pub names: CaseNames,
    /// Whether names say that they are those of a puzzle all the same: `aoc2.py` with `aoc2.in`.
    pub is_of_days: bool,
    /// The inputs that count because sources name them.
    pub named: BTreeSet<PathBuf>,
    /// The names of files that the programs write.
    pub written: BTreeSet<String>,
    /// The names of the groups that are those of programs.
    pub of_programs: BTreeSet<Arc<str>>,
    /// The programs that judge outputs in place of the checker, by group.
    pub output_validators: BTreeMap<Arc<str>, Program>,
}

impl FolderCases {
    /// No cases yet, but inputs that sources name.
    pub(crate) fn naming(named: BTreeSet<PathBuf>) -> Self {
        Self { named, ..Self::default() }
    }

    /// The name in each case that may be that of its program: of its group if it has the name of a program, of its
    /// directory if that is called like a day and is not `dir`, else its own.
    pub(crate) fn owners(&self, dir: &Path) -> impl Iterator<Item = String> {
        let owner = move |group: &TestGroup, case: &TestCase| {
            let of_day = group.dir.file_name().and_then(|name| name.to_str()).filter(|_| group.dir != dir);
            match of_day.filter(|name| pairing::day_of(name).is_some()) {
                _ if self.of_programs.contains(&group.name) => group.name.to_string(),
                Some(day) => day.to_owned(),
                None => case.name.to_string(),
            }
        };
        self.groups.iter().flat_map(move |group| group.cases.iter().map(move |case| owner(group, case)))
    }

    /// The inputs, in the same order.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = PathBuf> {
        self.groups.iter().flat_map(|group| group.cases.iter().map(|case| group.input_of(case)))
    }

    /// Each case by its group and its input, in the same order.
    pub(crate) fn keys(&self) -> impl Iterator<Item = CaseKey> {
        self.groups.iter().flat_map(|group| group.cases.iter().map(|case| key(group, case)))
    }

    /// Keeps some cases.
    pub(crate) fn only(mut self, kept: &BTreeSet<&CaseKey>) -> Self {
        for group in &mut self.groups {
            let whole = group.clone();
            let cases = std::mem::take(&mut group.cases);
            group.cases = cases.into_iter().filter(|case| kept.contains(&key(&whole, case))).collect();
        }
        self.groups.retain(|group| !group.cases.is_empty());
        self
    }
}

/// The identity of a case in a folder: its group and its input.
pub(crate) type CaseKey = (Arc<str>, PathBuf);

fn key(group: &TestGroup, case: &TestCase) -> CaseKey {
    (group.name.clone(), group.input_of(case))
}
