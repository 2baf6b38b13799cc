//! Syntax trees: parsing within limits, the parents of nodes, and the digest of a program.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::thread;

use sha2::{Digest, Sha256};
use tree_sitter::{Language, Node, ParseOptions, Parser, Tree};

use crate::limits::{
    FEWEST_PARSER_REPORTS, LEAST_STACK_BYTES, MOST_ANGLES, MOST_LEVELS, MOST_OPEN_COMMENTS, MOST_SOURCE_BYTES,
    PARSER_REPORTS_PER_KIB, STACK_BYTES_PER_SOURCE_BYTE,
};
use crate::{Error, Grammar};

/// The parser's tables of a language.
pub(crate) fn language(grammar: Grammar) -> Language {
    match grammar {
        Grammar::C => tree_sitter_c::LANGUAGE.into(),
        Grammar::Cpp => tree_sitter_cpp::LANGUAGE.into(),
        Grammar::Python => tree_sitter_python::LANGUAGE.into(),
        Grammar::Java => tree_sitter_java::LANGUAGE.into(),
        Grammar::Rust => tree_sitter_rust::LANGUAGE.into(),
        Grammar::Go => tree_sitter_go::LANGUAGE.into(),
        Grammar::Kotlin => tree_sitter_kotlin_ng::LANGUAGE.into(),
        Grammar::JavaScript => tree_sitter_javascript::LANGUAGE.into(),
    }
}

/// Parses a source. The effort is counted in steps of the parser, not in seconds, so that the same source always fares
/// the same.
pub(crate) fn parse(grammar: Grammar, source: &str) -> Result<Tree, Error> {
    if source.len() > MOST_SOURCE_BYTES {
        return Err(Error::TooLong { bytes: source.len() });
    }
    let has_type_arguments = matches!(grammar, Grammar::Cpp | Grammar::Java | Grammar::Kotlin | Grammar::Rust);
    let mut statements = source.split([';', '{', '}']);
    if has_type_arguments && statements.any(|statement| statement.matches('<').count() > MOST_ANGLES) {
        return Err(Error::TooComplex { grammar });
    }
    // Each comment without an end is looked for up to the end of the source.
    if source.rsplit("*/").next().is_some_and(|rest| rest.matches("/*").count() > MOST_OPEN_COMMENTS) {
        return Err(Error::TooComplex { grammar });
    }
    // The stack of the caller may be small, and an overflow would end the process.
    let stack = LEAST_STACK_BYTES + STACK_BYTES_PER_SOURCE_BYTE * source.len();
    thread::scope(|scope| {
        let parser = thread::Builder::new().name("parser".to_owned()).stack_size(stack);
        let parser = parser.spawn_scoped(scope, || parse_here(grammar, source));
        let tree = parser.map_err(|error| Error::NoThread { kind: error.kind() })?;
        tree.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Parses a source on the stack of this thread.
fn parse_here(grammar: Grammar, source: &str) -> Result<Tree, Error> {
    let mut parser = Parser::new();
    parser.set_language(&language(grammar)).expect("the tests parse with every grammar");
    let mut left = FEWEST_PARSER_REPORTS + PARSER_REPORTS_PER_KIB * source.len() / 1024;
    let mut progress = |_: &tree_sitter::ParseState| {
        left = left.saturating_sub(1);
        if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    let mut read = |at: usize, _| &source.as_bytes()[at.min(source.len())..];
    parser.parse_with_options(&mut read, None, Some(options)).ok_or(Error::TooComplex { grammar })
}

/// Visits every node in the order of the source, without recursion. `enter` says whether the node counts; if not, its
/// children are skipped too. `leave` is called after the children of a node that counts.
fn walk<'tree>(tree: &'tree Tree, visitor: &mut impl Visitor<'tree>) {
    let mut cursor = tree.walk();
    loop {
        if visitor.enter(cursor.node()) {
            if cursor.goto_first_child() {
                continue;
            }
            visitor.leave(cursor.node());
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
            visitor.leave(cursor.node());
        }
    }
}

/// See [`walk`].
trait Visitor<'tree> {
    fn enter(&mut self, node: Node<'tree>) -> bool;
    fn leave(&mut self, node: Node<'tree>);
}

/// The surroundings of each node. tree-sitter finds the parent of a node from the root, which takes long in deep trees.
pub(crate) struct Surroundings<'tree> {
    nodes: HashMap<usize, NodePlace<'tree>>,
}

/// Where a node stands.
struct NodePlace<'tree> {
    node: Node<'tree>,
    parent: Option<usize>,
    in_error: bool,
}

impl<'tree> Surroundings<'tree> {
    pub(crate) fn new(tree: &'tree Tree) -> Self {
        let mut visitor = Ancestry { nodes: HashMap::new(), open: Vec::new() };
        walk(tree, &mut visitor);
        Self { nodes: visitor.nodes }
    }

    /// Whether the parser could make no sense of the node, of a part of it or of what it belongs to.
    pub(crate) fn has_error(&self, node: Node<'tree>) -> bool {
        node.has_error() || self.nodes.get(&node.id()).is_none_or(|place| place.in_error)
    }

    /// The nodes that a node is part of, from the inside.
    pub(crate) fn ancestors(&self, node: Node<'tree>) -> impl Iterator<Item = Node<'tree>> {
        let parent = |id: usize| self.nodes.get(&id).and_then(|place| place.parent);
        std::iter::successors(parent(node.id()), move |id| parent(*id))
            .filter_map(|id| self.nodes.get(&id).map(|place| place.node))
            .take(MOST_LEVELS)
    }
}

/// Notes the parent of every node.
struct Ancestry<'tree> {
    nodes: HashMap<usize, NodePlace<'tree>>,
    /// The nodes that have been entered and not been left, and whether they are in an error.
    open: Vec<(usize, bool)>,
}

impl<'tree> Visitor<'tree> for Ancestry<'tree> {
    fn enter(&mut self, node: Node<'tree>) -> bool {
        let above = self.open.last().copied();
        let in_error = node.is_error() || node.is_missing() || above.is_some_and(|(_, in_error)| in_error);
        self.nodes.insert(node.id(), NodePlace { node, parent: above.map(|(id, _)| id), in_error });
        self.open.push((node.id(), in_error));
        true
    }

    fn leave(&mut self, _: Node<'tree>) {
        self.open.pop();
    }
}

/// See [`crate::normalised`].
pub(crate) fn digest(tree: &Tree, source: &str) -> Option<String> {
    if tree.root_node().has_error() {
        return None;
    }
    let mut visitor = Digester { source, end: 0, open: Vec::new(), digest: Sha256::new() };
    walk(tree, &mut visitor);
    Some(visitor.digest.finalize().iter().fold(String::new(), |text, byte| format!("{text}{byte:02x}")))
}

/// Feeds a digest with the structure of a tree and the text of its tokens.
struct Digester<'a> {
    source: &'a str,
    /// The end of the text that has been digested or left out.
    end: usize,
    /// For each node that has been entered and not been left: whether white space between its parts belongs to it.
    open: Vec<bool>,
    digest: Sha256,
}

impl Digester<'_> {
    /// The text between two nodes. It is white space, or the text of a string that has no node of its own.
    fn gap(&mut self, end: usize) {
        let text = self.source.get(self.end..end).unwrap_or_default();
        if self.open.last() == Some(&true) || !text.trim().is_empty() {
            self.token(text);
        }
        self.end = self.end.max(end);
    }

    fn token(&mut self, text: &str) {
        self.digest.update(text.len().to_le_bytes());
        self.digest.update(text);
    }
}

impl<'tree> Visitor<'tree> for Digester<'_> {
    fn enter(&mut self, node: Node<'tree>) -> bool {
        self.gap(node.start_byte());
        if node.is_extra() && node.kind().contains("comment") {
            self.end = node.end_byte();
            return false;
        }
        self.digest.update([b'(']);
        self.digest.update(node.kind_id().to_le_bytes());
        self.open.push(node.kind().contains("string"));
        if node.child_count() == 0 {
            self.token(&self.source[node.byte_range()]);
            self.end = node.end_byte();
        }
        true
    }

    fn leave(&mut self, node: Node<'tree>) {
        self.gap(node.end_byte());
        self.open.pop();
        self.digest.update([b')']);
    }
}
