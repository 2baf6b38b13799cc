//! The programs that judge, and the protocols by which they are run.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::Program;

/// How a judging program is called, and how it gives its decision: its arguments, its exit codes and its messages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Protocol {
    /// Output and input validators of the ICPC problem package format: exit codes 42 and 43, a feedback directory.
    #[default]
    Icpc,
    /// Grammars of checktestdata: exit codes 0 and 1.
    Checktestdata,
    /// Checkers, validators and interactors of testlib with its own exit codes: 0 to 4, 7 and 8.
    Testlib(PointsUnit),
    /// Checkers of CMS: exit code 0, and the share of the points on standard output.
    Cms,
    /// Checkers and interactors of DMOJ: exit codes 0 and 1.
    Dmoj(DmojType),
}

/// The types of DMOJ's programs that are not those of testlib.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DmojType {
    /// No points.
    #[default]
    Default,
    /// Exit code 7 comes with a share of the points on standard error: `partial 3/4`. 2 is a presentation error.
    Coci,
}

/// The meaning of the points of a testlib checker. testlib leaves that to the judge.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PointsUnit {
    /// Points of the test case.
    #[default]
    Points,
    /// The share of the points of the test case, from 0 to 100.
    Percent,
}

impl Protocol {
    /// testlib whose points are points of the test case.
    pub const TESTLIB: Self = Self::Testlib(PointsUnit::Points);

    /// The protocols that a problem or a configuration can choose, with their words. A grammar always has its own.
    pub const WORDS: &[(&str, Self)] = &[
        ("icpc", Self::Icpc),
        ("testlib", Self::TESTLIB),
        ("testlib-percent", Self::Testlib(PointsUnit::Percent)),
        ("cms", Self::Cms),
        ("dmoj", Self::Dmoj(DmojType::Default)),
        ("dmoj-coci", Self::Dmoj(DmojType::Coci)),
    ];

    /// The name for messages and caches.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Icpc => "icpc",
            Self::Checktestdata => "checktestdata",
            Self::Testlib(PointsUnit::Points) => "testlib",
            Self::Testlib(PointsUnit::Percent) => "testlib-percent",
            Self::Cms => "cms",
            Self::Dmoj(DmojType::Default) => "dmoj",
            Self::Dmoj(DmojType::Coci) => "dmoj-coci",
        }
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The protocol of a program, and whether the problem itself states it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OwnProtocol {
    /// The problem, or the family of its package, states it. Only arguments and environment take precedence.
    Stated(Protocol),
    /// It follows from the source of the program. The configuration file takes precedence too.
    Guessed(Protocol),
}

impl OwnProtocol {
    /// The protocol, stated or guessed.
    pub const fn get(self) -> Protocol {
        match self {
            Self::Stated(protocol) | Self::Guessed(protocol) => protocol,
        }
    }
}

impl Default for OwnProtocol {
    fn default() -> Self {
        Self::Guessed(Protocol::default())
    }
}

/// A program that judges inputs or outputs, with the protocol by which it is run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JudgingProgram {
    /// The program.
    pub program: Program,
    /// Its protocol.
    pub protocol: OwnProtocol,
}

impl JudgingProgram {
    /// A program whose package, or whose author, says by which protocol it is run. A grammar has its own protocol.
    pub fn stated(program: Program, protocol: Protocol) -> Self {
        let protocol = if matches!(program, Program::Grammar(_)) { Protocol::Checktestdata } else { protocol };
        Self { program, protocol: OwnProtocol::Stated(protocol) }
    }

    /// A program whose source suggests a protocol. The protocol of a grammar is certain.
    pub fn guessed(program: Program, protocol: Protocol) -> Self {
        if matches!(program, Program::Grammar(_)) {
            return Self::stated(program, protocol);
        }
        Self { program, protocol: OwnProtocol::Guessed(protocol) }
    }

    /// Its file or directory; see [`Program::path`].
    pub fn path(&self) -> Option<&Path> {
        self.program.path()
    }

    /// The program with its files in other places.
    #[must_use]
    pub fn moved(self, to: &dyn Fn(&Path) -> PathBuf) -> Self {
        Self { program: self.program.moved(to), ..self }
    }
}
