//! The roles of the nodes of a grammar in an outline. `outlines/` has a file of data for each family of languages.

use std::collections::{BTreeMap, HashMap};
use std::sync::{LazyLock, OnceLock};

use serde::Deserialize;
use tree_sitter::Node;

use crate::Grammar;

/// One file for each family of languages.
const FAMILIES: &[&str] = &[
    include_str!("../../outlines/c_family.toml"),
    include_str!("../../outlines/go.toml"),
    include_str!("../../outlines/java.toml"),
    include_str!("../../outlines/javascript.toml"),
    include_str!("../../outlines/kotlin.toml"),
    include_str!("../../outlines/python.toml"),
    include_str!("../../outlines/rust.toml"),
];

/// The role of a node as a statement. Nodes without such a role are expressions whose value is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum StatementRole {
    /// It says nothing about what a program does, wherever it stands.
    Silent,
    /// `if`, with the fields `condition`, `consequence` and `alternative`.
    Condition,
    /// A choice of many.
    Switch,
    /// A loop of any kind, with the field `body`.
    Loop,
    /// A function or a type.
    Definition,
    /// Its children are the statements of one block.
    Block,
    /// It is around statements, and no step of its own.
    Wrapper,
    /// It introduces variables.
    Declaration,
    /// Its children are the step.
    Transparent,
    /// `=`, with the fields `left` and `right`.
    Assignment,
    /// Assignments with an operator, such as `+=`.
    Augmented,
    /// `++`.
    Counter,
}

/// The role of a node whose value is used. Nodes without such a role count for their children.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum ExpressionRole {
    /// A type, or another node that computes nothing.
    Silent,
    /// A string.
    Text,
    /// An operator with two operands, also an arithmetic one.
    Binary,
    /// Another operator with two operands.
    Operation,
    /// A chain of comparisons.
    Comparison,
    /// A call of a function.
    Call,
    /// A call of a constructor.
    Creation,
    /// An element of a container.
    Index,
    /// A field of a value.
    Member,
    /// A condition with two values.
    Conditional,
    /// A loop that makes a container.
    Comprehension,
    /// A container, by its elements.
    List,
    /// A function without a name.
    Lambda,
    /// A conversion, with the field `value`.
    Cast,
    /// A name of several parts.
    Name,
}

/// Other roles of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum PartRole {
    /// A number.
    Number,
    /// A place in which a counter can count.
    Place,
    /// A name.
    Identifier,
    /// Several targets or values of one assignment.
    Elements,
    /// Its printed text is that of its children.
    Group,
    /// An argument of which nothing is printed.
    Hidden,
    /// An expression in a string.
    Interpolation,
    /// The header of a loop, if it is a node.
    Clause,
    /// It is around the alternative of a condition.
    Else,
    /// A loop of a comprehension.
    Each,
    /// A condition of a comprehension.
    Filter,
    /// A variable in a declaration.
    Declarator,
}

/// The roles of the nodes of a grammar, by kind.
pub(super) struct Syntax {
    statements: HashMap<&'static str, StatementRole>,
    expressions: HashMap<&'static str, ExpressionRole>,
    parts: HashMap<&'static str, Vec<PartRole>>,
}

/// A file of `outlines/`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FamilyFile {
    grammars: Vec<Grammar>,
    statements: BTreeMap<StatementRole, Vec<String>>,
    expressions: BTreeMap<ExpressionRole, Vec<String>>,
    parts: BTreeMap<PartRole, Vec<String>>,
}

fn files() -> &'static [FamilyFile] {
    static FILES: LazyLock<Vec<FamilyFile>> = LazyLock::new(|| {
        let read = |text: &&str| toml::from_str(text).unwrap_or_else(|error| panic!("a file of outlines: {error}"));
        FAMILIES.iter().map(read).collect()
    });
    &FILES
}

/// Each kind of a table with its role.
fn kinds<R: Copy>(table: &'static BTreeMap<R, Vec<String>>) -> impl Iterator<Item = (&'static str, R)> {
    table.iter().flat_map(|(role, kinds)| kinds.iter().map(|kind| (kind.as_str(), *role)))
}

impl Syntax {
    /// The roles in a language, read when they are first needed.
    pub(super) fn of(grammar: Grammar) -> &'static Self {
        static READ: [OnceLock<Syntax>; Grammar::ALL.len()] = [const { OnceLock::new() }; Grammar::ALL.len()];
        READ[grammar as usize].get_or_init(|| {
            let file = files().iter().find(|file| file.grammars.contains(&grammar));
            let file = file.expect("a test outlines every language");
            let mut parts: HashMap<&str, Vec<PartRole>> = HashMap::new();
            for (kind, role) in kinds(&file.parts) {
                parts.entry(kind).or_default().push(role);
            }
            Self {
                statements: kinds(&file.statements).collect(),
                expressions: kinds(&file.expressions).collect(),
                parts,
            }
        })
    }

    /// The role of a node as a statement. A syntax error is a block of the statements in it.
    pub(super) fn statement(&self, node: Node<'_>) -> Option<StatementRole> {
        if node.is_error() { Some(StatementRole::Block) } else { self.statements.get(node.kind()).copied() }
    }

    /// The role of a node as an expression.
    pub(super) fn expression(&self, node: Node<'_>) -> Option<ExpressionRole> {
        if self.statements.get(node.kind()) == Some(&StatementRole::Silent) {
            return Some(ExpressionRole::Silent);
        }
        self.expressions.get(node.kind()).copied()
    }

    /// Whether a node has this role beside the others.
    pub(super) fn is(&self, node: Node<'_>, role: PartRole) -> bool {
        self.parts.get(node.kind()).is_some_and(|roles| roles.contains(&role))
    }

    /// Whether a node is a string.
    pub(super) fn is_text(&self, node: Node<'_>) -> bool {
        self.expression(node) == Some(ExpressionRole::Text)
    }

    /// The elements of a tuple without parentheses, or the node alone.
    pub(super) fn elements<'tree>(&self, node: Node<'tree>) -> Vec<Node<'tree>> {
        if self.is(node, PartRole::Elements) { children(node) } else { vec![node] }
    }

    /// Whether an expression adds a number to a name, as counters do.
    pub(super) fn is_counting(&self, node: Node<'_>) -> bool {
        let counts = |one, other| self.is(one, PartRole::Number) && self.is(other, PartRole::Place);
        self.expression(node) == Some(ExpressionRole::Binary)
            && matches!(children(node)[..], [one, other] if counts(one, other) || counts(other, one))
    }
}

pub(super) fn children(node: Node<'_>) -> Vec<Node<'_>> {
    node.named_children(&mut node.walk()).filter(|child| !child.is_extra()).collect()
}

pub(super) fn last(node: Node<'_>) -> Option<Node<'_>> {
    children(node).pop()
}

/// The first of these fields that a node has. Grammars call the same field by different names.
pub(super) fn field<'tree>(node: Node<'tree>, names: &[&str]) -> Option<Node<'tree>> {
    names.iter().find_map(|name| node.child_by_field_name(name))
}

/// The first operand of a chain of operators.
pub(super) fn leftmost(node: Node<'_>) -> Node<'_> {
    let mut node = node;
    while let Some(left) = node.child_by_field_name("left") {
        node = left;
    }
    node
}

pub(super) fn operator_of<'a>(node: Node<'_>, source: &'a str) -> &'a str {
    let operator = field(node, &["operator"]).or_else(|| node.child(1));
    operator.and_then(|operator| source.get(operator.byte_range())).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::tree;

    #[test]
    fn every_kind_is_one_of_the_grammar_and_has_one_role_of_a_table() {
        for grammar in Grammar::ALL {
            assert_eq!(files().iter().filter(|file| file.grammars.contains(&grammar)).count(), 1, "{}", grammar.name());
        }
        for file in files() {
            let all = |kind: &str| {
                file.grammars.iter().any(|grammar| tree::language(*grammar).id_for_node_kind(kind, true) != 0)
            };
            let statements: Vec<&str> = kinds(&file.statements).map(|(kind, _)| kind).collect();
            let expressions: Vec<&str> = kinds(&file.expressions).map(|(kind, _)| kind).collect();
            let parts = kinds(&file.parts).map(|(kind, _)| kind);
            for table in [&statements, &expressions] {
                assert_eq!(table.iter().collect::<BTreeSet<_>>().len(), table.len(), "{table:?}");
            }
            let unknown: Vec<&str> =
                statements.iter().chain(&expressions).copied().chain(parts).filter(|kind| !all(kind)).collect();
            assert!(unknown.is_empty(), "{:?}: {unknown:?}", file.grammars);
        }
    }
}
