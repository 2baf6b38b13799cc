//! Describes one build: the program, its language, and everything that goes into it.

use std::path::Path;

use crate::limits::Bytes;
use crate::problem::{
    Additions, Constants, IncludedFiles, JudgingProgram, OwnProtocol, PackageLayout, Problem, Program, Submission,
};

/// A program to build, and everything that goes into the build.
#[derive(Debug, Clone, Copy)]
pub struct BuildOrder<'a> {
    /// The program.
    pub program: &'a Program,
    /// The language that the user named: exactly that row of the table. If none, the language is detected.
    pub language: Option<&'a str>,
    /// The language that the package names, in the words of the format: `python3`.
    pub code: Option<&'a str>,
    /// Whether it runs as the judges of packages run it.
    pub as_in_packages: bool,
    /// The file or class to start, if one was named.
    pub entry_point: Option<&'a str>,
    /// The files that the problem includes, and its constants.
    pub additions: Option<&'a Additions>,
    /// The files that the problem adds to every program of the judge.
    pub beside: Option<&'a IncludedFiles>,
    /// The folders in which its compiler searches for headers of the problem.
    pub headers: &'a [IncludedFiles],
    /// The constants that are replaced in the program's own files.
    pub constants: Option<&'a Constants>,
    /// The memory limit of the program (`{memlim}`).
    pub memory: Bytes,
    /// Whether that limit is for its heap alone, if its runtime has a heap. The runtime's own memory is then added to
    /// the limit.
    pub heap_alone: bool,
    /// The directory of the problem that the program belongs to and that may hold its headers; none for a submission.
    pub problem: Option<&'a Path>,
    /// The protocol of a program that judges inputs or outputs; none for any other program.
    pub protocol: Option<OwnProtocol>,
    /// Whether it records which of its lines it executes.
    pub covered: bool,
}

impl<'a> BuildOrder<'a> {
    /// Creates the order of a program without additions.
    pub fn new(program: &'a Program, memory: Bytes) -> Self {
        Self {
            program,
            language: None,
            code: None,
            as_in_packages: false,
            entry_point: None,
            additions: None,
            beside: None,
            headers: &[],
            constants: None,
            memory,
            heap_alone: false,
            problem: None,
            protocol: None,
            covered: false,
        }
    }

    /// Creates the order of a submission, with the additions of the problem.
    pub fn submission(problem: &'a Problem, submission: &'a Submission, memory: Bytes) -> Self {
        Self {
            code: submission.language.as_deref(),
            as_in_packages: problem.layout == PackageLayout::Icpc,
            heap_alone: problem.ruleset().limits_heap_alone(),
            entry_point: submission.entry_point.as_deref(),
            additions: Some(&problem.additions),
            beside: None,
            problem: None,
            ..Self::validator(problem, &submission.program, memory)
        }
    }

    /// Creates the order of a program of the problem, in the language that its package states. Constants are replaced only in files that belong to the problem.
    pub fn validator(problem: &'a Problem, program: &'a Program, memory: Bytes) -> Self {
        let own = program.path().is_some_and(|path| path.starts_with(&problem.dir));
        let beside = problem.additions.judges.as_ref().filter(|_| own);
        let constants = own.then_some(&problem.additions.constants);
        let headers = if own { &problem.additions.headers[..] } else { &[] };
        let code = program.path().and_then(|path| problem.additions.languages.get(path)).map(String::as_str);
        Self { code, beside, headers, constants, problem: Some(&problem.dir), ..Self::new(program, memory) }
    }

    /// Creates the order of a program that judges inputs or outputs.
    pub fn judge(problem: &'a Problem, judge: &'a JudgingProgram, memory: Bytes) -> Self {
        Self { protocol: Some(judge.protocol), ..Self::validator(problem, &judge.program, memory) }
    }

    /// Whether it is a program that is judged. Only such a program gets the files of the problem.
    pub fn is_submission(&self) -> bool {
        self.additions.is_some()
    }

    /// Sets the language, regardless of what the package says.
    #[must_use]
    pub fn in_language(self, language: Option<&'a str>) -> Self {
        Self { language, ..self }
    }
}
