//! The operators, read from their files: names and explanations, and for each family of languages rules and examples.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::LazyLock;

use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::Grammar;

const KINDS: &str = include_str!("../operators/kinds.toml");

/// One file for each family of languages.
const FAMILIES: &[&str] = &[
    include_str!("../operators/c_family.toml"),
    include_str!("../operators/go.toml"),
    include_str!("../operators/java.toml"),
    include_str!("../operators/javascript.toml"),
    include_str!("../operators/kotlin.toml"),
    include_str!("../operators/python.toml"),
    include_str!("../operators/rust.toml"),
];

/// The rules depend on these too.
const GRAMMARS: &str = include_str!("../Cargo.toml");

/// A kind of mistake, in one family of languages.
#[derive(Debug)]
pub struct Operator {
    kind: Kind,
    pub(crate) rules: Vec<Rule>,
    examples: Vec<Example>,
}

impl Operator {
    /// Its name, such as `boundary`.
    pub fn name(&self) -> &str {
        &self.kind.name
    }

    /// One sentence: the mistake that it stands for.
    pub fn explanation(&self) -> &str {
        &self.kind.explanation
    }

    /// Whether its mutants are meant to be slower than the original, and to print the same.
    pub fn is_slow(&self) -> bool {
        self.kind.slow
    }

    /// Its examples in a language.
    pub fn examples(&self, grammar: Grammar) -> impl Iterator<Item = &Example> {
        self.examples.iter().filter(move |example| serves(&example.only, grammar))
    }

    pub(crate) fn serves(&self, grammar: Grammar) -> bool {
        self.rules.iter().any(|rule| serves(&rule.only, grammar))
    }
}

/// A snippet and all that the operator makes of it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Example {
    /// The snippet.
    pub before: String,
    /// Its mutants, in their order.
    pub after: Vec<String>,
    /// The languages of the family that it is in; empty: all.
    #[serde(default)]
    only: Vec<Grammar>,
}

/// A line of `kinds.toml`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kind {
    name: String,
    explanation: String,
    #[serde(default)]
    slow: bool,
}

/// Where an operator changes a program, and how. `operators/kinds.toml` describes the keys.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rule {
    pub(crate) query: String,
    #[serde(default)]
    pub(crate) only: Vec<Grammar>,
    #[serde(default)]
    pub(crate) replace: Vec<String>,
    #[serde(default)]
    pub(crate) map: BTreeMap<String, String>,
    #[serde(default)]
    pub(crate) find: Option<String>,
    #[serde(default)]
    pub(crate) edit: Option<Edit>,
    #[serde(default)]
    pub(crate) everywhere: bool,
    #[serde(default)]
    pub(crate) inside: Vec<String>,
    #[serde(default)]
    pub(crate) outside: Vec<String>,
    #[serde(default)]
    pub(crate) until: Vec<String>,
}

/// An edit with a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Edit {
    /// The integer `@at` becomes one more, and one less.
    Step,
    /// `@a` and `@b` change places.
    Swap,
    /// The statement `@at` moves from the body of `@loop` to the line before it.
    Hoist,
}

/// The operators of a family of languages, in the order of `kinds.toml`.
#[derive(Debug)]
pub(crate) struct Family {
    grammars: Vec<Grammar>,
    /// Queries for the code that operators must not change: `@frozen`.
    pub(crate) frozen: Vec<FrozenQuery>,
    pub(crate) operators: Vec<Operator>,
}

/// A query for code that operators must not change.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FrozenQuery {
    pub(crate) query: String,
    #[serde(default)]
    pub(crate) only: Vec<Grammar>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KindsFile {
    operators: Vec<Kind>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FamilyFile {
    grammars: Vec<Grammar>,
    frozen: Vec<FrozenQuery>,
    operators: Vec<OperatorEntry>,
}

/// An operator in the file of a family.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OperatorEntry {
    name: String,
    rules: Vec<Rule>,
    examples: Vec<Example>,
}

/// Whether something that is only for some languages is for this one; an empty list means all.
pub(crate) fn serves(only: &[Grammar], grammar: Grammar) -> bool {
    only.is_empty() || only.contains(&grammar)
}

/// The family of a language.
pub(crate) fn family(grammar: Grammar) -> &'static Family {
    static READ: LazyLock<Vec<Family>> = LazyLock::new(|| {
        let kinds: KindsFile = toml::from_str(KINDS).expect("a test reads the file");
        FAMILIES.iter().map(|text| read(&kinds.operators, text)).collect()
    });
    READ.iter().find(|family| family.grammars.contains(&grammar)).expect("a test asks for every language")
}

fn read(kinds: &[Kind], text: &str) -> Family {
    let file: FamilyFile = toml::from_str(text).unwrap_or_else(|error| panic!("a file of operators: {error}"));
    let place = |entry: &OperatorEntry| kinds.iter().position(|kind| kind.name == entry.name);
    let mut operators: Vec<(usize, OperatorEntry)> = Vec::new();
    for entry in file.operators {
        operators.push((place(&entry).unwrap_or_else(|| panic!("kinds.toml explains {}", entry.name)), entry));
    }
    operators.sort_by_key(|(place, _)| *place);
    let operator = |(place, entry): (usize, OperatorEntry)| Operator {
        kind: kinds[place].clone(),
        rules: entry.rules,
        examples: entry.examples,
    };
    Family { grammars: file.grammars, frozen: file.frozen, operators: operators.into_iter().map(operator).collect() }
}

/// A short text that changes with the operators and the grammars: with another version, mutants may be others.
pub fn version() -> &'static str {
    static VERSION: LazyLock<String> = LazyLock::new(|| {
        let mut digest = Sha256::new();
        for text in [KINDS, GRAMMARS].iter().chain(FAMILIES) {
            digest.update(text.len().to_le_bytes());
            digest.update(text);
        }
        digest.finalize().iter().take(8).fold(String::new(), |mut text, byte| {
            write!(text, "{byte:02x}").expect("a string takes everything");
            text
        })
    });
    &VERSION
}
