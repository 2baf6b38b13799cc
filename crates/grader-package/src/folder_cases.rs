//! The test cases of a plain folder, with what decides whose they are.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use grader_model::problem::{Program, TestCase, TestGroup};

/// What the names of the cases of a folder say.
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
    /// What their names say.
    pub names: CaseNames,
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

    /// The name in each case that may be that of its program: of its group if it has the name of a program, else its own.
    pub(crate) fn owners(&self) -> impl Iterator<Item = &str> {
        self.groups.iter().flat_map(|group| group.cases.iter().map(|case| self.owner_of(group, case)))
    }

    /// The inputs, in the same order.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = PathBuf> {
        self.groups.iter().flat_map(|group| group.cases.iter().map(|case| group.input_of(case)))
    }

    fn owner_of<'a>(&self, group: &'a TestGroup, case: &'a TestCase) -> &'a str {
        if self.of_programs.contains(&group.name) { &group.name } else { &case.name }
    }

    /// Keeps the cases with these names of programs.
    pub(crate) fn owned_by(mut self, owners: &BTreeSet<&str>) -> Self {
        let mut groups = std::mem::take(&mut self.groups);
        for group in &mut groups {
            let kept: Vec<bool> = group.cases.iter().map(|case| owners.contains(self.owner_of(group, case))).collect();
            let mut kept = kept.into_iter();
            group.cases.retain(|_| kept.next().unwrap_or_default());
        }
        self.groups = groups;
        self.groups.retain(|group| !group.cases.is_empty());
        self
    }
}
