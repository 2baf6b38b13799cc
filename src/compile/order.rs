//! Describes one build: the program, its language, and everything that goes into it.

use crate::limits::Bytes;
use crate::problem::{Additions, Constants, Layout, Problem, Program, Submission};

/// What is to be built, and what goes into it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BuildOrder<'a> {
    /// The program.
    pub program: &'a Program,
    /// The language that the user named: exactly that row of the table. If none, the language is detected.
    pub language: Option<&'a str>,
    /// The language that the package names, in the words of the format: `python3`.
    pub code: Option<&'a str>,
    /// Whether it is run as the judges of packages do.
    pub as_in_packages: bool,
    /// The file or class that it is run at, where one was named.
    pub entry_point: Option<&'a str>,
    /// What the problem puts beside it.
    pub additions: Option<&'a Additions>,
    /// The constants that are replaced in its own files.
    pub constants: Option<&'a Constants>,
    /// The memory that it will have (`{memlim}`).
    pub memory: Bytes,
    /// Whether that limit is for its heap alone, if its runtime has a heap. The runtime's own memory is then added to
    /// the limit.
    pub heap_alone: bool,
}

impl<'a> BuildOrder<'a> {
    /// A program for itself.
    pub(crate) fn new(program: &'a Program, memory: Bytes) -> Self {
        Self {
            program,
            language: None,
            code: None,
            as_in_packages: false,
            entry_point: None,
            additions: None,
            constants: None,
            memory,
            heap_alone: false,
        }
    }

    /// A submission to a problem, with what the problem includes.
    pub(crate) fn submission(problem: &'a Problem, submission: &'a Submission, memory: Bytes) -> Self {
        Self {
            code: submission.language.as_deref(),
            as_in_packages: problem.layout == Layout::Icpc,
            heap_alone: problem.ruleset().limits_heap_alone(),
            entry_point: submission.entry_point.as_deref(),
            additions: Some(&problem.additions),
            ..Self::validator(problem, &submission.program, memory)
        }
    }

    /// A validator of a problem. Constants are replaced in what belongs to the problem alone.
    pub(crate) fn validator(problem: &'a Problem, program: &'a Program, memory: Bytes) -> Self {
        let own = program.path().is_some_and(|path| path.starts_with(&problem.dir));
        Self { constants: own.then_some(&problem.additions.constants), ..Self::new(program, memory) }
    }

    /// In the language of this name, whatever the package says.
    #[must_use]
    pub(crate) fn in_language(self, language: Option<&'a str>) -> Self {
        Self { language, ..self }
    }
}
