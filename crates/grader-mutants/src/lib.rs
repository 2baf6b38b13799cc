//! The source of one program → its mutants: copies of it with one small mistake that people make.
//!
//! Test data that no mutant of an accepted submission survives is strong. This crate makes the mutants; it must not know
//! files, compilers, verdicts or how a mutant is judged.
//!
//! ```
//! use grader_mutants::{Grammar, mutants};
//!
//! let source = "for i in range(int(input())):\n    print(i * i)\n";
//! let mutants = mutants(Grammar::Python, source)?;
//! assert!(mutants.iter().any(|mutant| mutant.line == 1));
//! assert!(mutants.iter().all(|mutant| mutant.apply(source) != source));
//! # Ok::<(), grader_mutants::Error>(())
//! ```
//!
//! Operators are data. `operators/kinds.toml` names each operator and explains the mistake; one file for each family of
//! languages says how it looks there: a query of tree-sitter finds the places, and a template or a named edit
//! (`edit.rs`) says what is written instead. Every operator of every family has an example, which is its test.
//!
//! The same grammars give the steps of a program in a canonical form (`outline.rs`), to compare programs.
//!
//! Sources may be hostile. Length, effort, results and the depth of recursion are limited, and the parser has a stack of its own.

mod edit;
mod limits;
mod mutant;
mod operators;
mod outline;
mod rules;
mod sample;
mod search;
#[cfg(test)]
mod tests;
mod text_hash;
mod tree;

pub use limits::{MOST_MUTANTS, MOST_SOURCE_BYTES};
pub use mutant::Mutant;
pub use operators::{Example, Operator, version};
pub use outline::{Statement, outline};
pub use sample::sample;

/// A language with a grammar, and so with mutants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Grammar {
    /// C.
    C,
    /// C++.
    Cpp,
    /// Python 3.
    Python,
    /// Java.
    Java,
    /// Rust.
    Rust,
    /// Go.
    Go,
    /// Kotlin.
    Kotlin,
    /// JavaScript.
    JavaScript,
}

impl Grammar {
    /// All grammars.
    pub const ALL: [Self; 8] =
        [Self::C, Self::Cpp, Self::Python, Self::Java, Self::Rust, Self::Go, Self::Kotlin, Self::JavaScript];

    /// The grammar of a row of the table of languages, by the row's id. `None`: there are no mutants in this language.
    pub fn of(language_id: &str) -> Option<Self> {
        Some(match language_id {
            "c" => Self::C,
            "cpp" => Self::Cpp,
            "python3" | "pypy3" => Self::Python,
            "java" => Self::Java,
            "rust" => Self::Rust,
            "go" => Self::Go,
            "kotlin" => Self::Kotlin,
            "javascript" => Self::JavaScript,
            _ => return None,
        })
    }

    /// The name that people use, such as `C++`.
    pub fn name(self) -> &'static str {
        match self {
            Self::C => "C",
            Self::Cpp => "C++",
            Self::Python => "Python",
            Self::Java => "Java",
            Self::Rust => "Rust",
            Self::Go => "Go",
            Self::Kotlin => "Kotlin",
            Self::JavaScript => "JavaScript",
        }
    }
}

/// Why a program has no list of mutants. A program with syntax errors is not an error: the parts that parse are mutated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The source is longer than any judge accepts.
    #[error("the source has {bytes} bytes; mutants are made of programs of up to {} bytes", MOST_SOURCE_BYTES)]
    TooLong {
        /// The length of the source.
        bytes: usize,
    },
    /// The parser gave up: the source is made so that parsing takes very long.
    #[error("the {} parser gave up: the source is too ambiguous to parse in reasonable time", grammar.name())]
    TooComplex {
        /// The language that the source was read in.
        grammar: Grammar,
    },
    /// The system starts no thread to parse on.
    #[error("cannot start a thread to parse the source: {kind}")]
    NoThread {
        /// The error of the system.
        kind: std::io::ErrorKind,
    },
}

/// The mutants of a program, by place and then by operator; no two have the same text, and none has the original's.
///
/// A program with more than [`MOST_MUTANTS`] has only the first of them. Parts with syntax errors have none.
pub fn mutants(grammar: Grammar, source: &str) -> Result<Vec<Mutant>, Error> {
    search::mutants(grammar, source)
}

/// The operators of a language, in the order in which they claim a mutant that several of them would make.
pub fn operators(grammar: Grammar) -> impl Iterator<Item = &'static Operator> {
    operators::family(grammar).operators.iter().filter(move |operator| operator.serves(grammar))
}

/// A digest (SHA-256, hexadecimal) of the syntax tree without comments and white space: two sources with the same digest
/// are the same program. `None` if the source has syntax errors or cannot be parsed within the limits.
pub fn normalised(grammar: Grammar, source: &str) -> Option<String> {
    // Without a tree, programs cannot be compared, whatever the reason.
    tree::parse(grammar, source).ok().as_ref().and_then(|tree| tree::digest(tree, source))
}
