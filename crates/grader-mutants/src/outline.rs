//! Statements of a program in a canonical form, which survives the disguises of a copy.
//!
//! Names, literals, types, layout and comments give no token. One form stands for all ways to write the same step:
//! `a += b` and `a = b + a`, `for` and `while`, a comprehension and its loop, a conditional expression and its `if`, an
//! inverted condition, a formatted string and its parts. So the form is coarse: it compares programs and means nothing.

mod names;
mod syntax;

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use tree_sitter::Node;

use crate::limits::MOST_OUTLINED_BYTES;
use crate::{Error, Grammar, tree};
use names::{is_conversion, is_length, is_print, is_read};
use syntax::{ExpressionRole, PartRole, StatementRole, Syntax, children, field, last, leftmost, operator_of};

/// How deep a node may lie to be read. The functions of this module recurse; programs of people stay far below.
const MOST_DEPTH: usize = 60;

/// Most tokens of one statement. Tables of constants are longer and say no more.
const MOST_TOKENS: usize = 60;

/// A token of a canonical form. Equal tokens are the same to every comparison.
type Token = u32;

/// Any variable, literal or simple element.
const VALUE: Token = 0;
const LOOP: Token = 1;
const IF: Token = 2;
const PRINT: Token = 3;
const READ: Token = 4;
const APPEND: Token = 5;
const LENGTH: Token = 6;
const CALL: Token = 7;
const COMPARE: Token = 8;
const EQUAL: Token = 9;
const BOTH: Token = 10;
const ADD: Token = 11;
const MULTIPLY: Token = 12;
const LIST: Token = 13;
const INDEX: Token = 14;
const LAMBDA: Token = 15;
/// The first token of other operators and of names of libraries.
const OTHERS: Token = 16;

/// A statement, or the head of a loop or condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Statement {
    /// A digest of its canonical form.
    pub form: u64,
    /// The number of tokens of its canonical form.
    pub tokens: usize,
    /// Its first and its last line, from 1. A head has only its own lines.
    pub lines: (usize, usize),
    /// The block that it belongs to. Blocks of one program have different numbers.
    pub block: usize,
    /// The head that its block belongs to, as a position in the list of statements.
    pub head: Option<usize>,
}

/// The statements of a source in the order of the text, without those that say nothing, such as `i = 0` and `i += 1`.
pub fn outline(grammar: Grammar, source: &str) -> Result<Vec<Statement>, Error> {
    if source.len() > MOST_OUTLINED_BYTES {
        return Err(Error::TooLong { bytes: source.len() });
    }
    let tree = tree::parse(grammar, source)?;
    let mut outliner = Outliner {
        source,
        syntax: Syntax::of(grammar),
        own: HashSet::new(),
        statements: Vec::new(),
        blocks: 0,
        pending: Vec::new(),
    };
    outliner.find_own(tree.root_node());
    outliner.block(tree.root_node(), None, 0);
    Ok(outliner.statements)
}

/// Where a statement stands.
#[derive(Clone, Copy)]
struct StatementPlace {
    block: usize,
    head: Option<usize>,
    depth: usize,
}

/// A part of an expression that is written as statements of its own, before its statement.
#[derive(Clone, Copy)]
enum Part<'tree> {
    /// A comprehension, and what its elements are used for.
    Comprehension(Node<'tree>, Token),
    Conditional(Node<'tree>),
}

struct Outliner<'tree, 'a> {
    source: &'a str,
    syntax: &'static Syntax,
    /// Names that the program defines. All other names of functions are those of libraries.
    own: HashSet<&'a str>,
    statements: Vec<Statement>,
    blocks: usize,
    pending: Vec<Part<'tree>>,
}

impl<'tree, 'a> Outliner<'tree, 'a> {
    fn text(&self, node: Node<'tree>) -> &'a str {
        self.source.get(node.byte_range()).unwrap_or_default()
    }

    /// Collects the names that definitions introduce.
    fn find_own(&mut self, root: Node<'tree>) {
        let mut cursor = root.walk();
        // Whether each of the nodes around is a call, which names a function and defines none. tree-sitter finds parents
        // from the root.
        let mut around = Vec::new();
        loop {
            let node = cursor.node();
            if matches!(cursor.field_name(), Some("name" | "declarator" | "left" | "pattern"))
                && self.is_identifier(node)
                && around.last() != Some(&true)
            {
                self.own.insert(self.text(node));
            }
            if cursor.goto_first_child() {
                around.push(self.syntax.expression(node) == Some(ExpressionRole::Call));
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return;
                }
                around.pop();
            }
        }
    }

    /// Reads the statements of a new block. A body may also be one statement.
    fn block(&mut self, node: Node<'tree>, head: Option<usize>, depth: usize) {
        self.blocks += 1;
        let place = StatementPlace { block: self.blocks, head, depth };
        if self.syntax.statement(node) == Some(StatementRole::Block) {
            self.all(node, place);
        } else {
            self.statement(node, place);
        }
    }

    fn all(&mut self, node: Node<'tree>, place: StatementPlace) {
        for child in children(node) {
            self.statement(child, place);
        }
    }

    fn statement(&mut self, node: Node<'tree>, place: StatementPlace) {
        let place = StatementPlace { depth: place.depth + 1, ..place };
        if place.depth > MOST_DEPTH {
            return;
        }
        let body = |of: Node<'tree>| of.child_by_field_name("body");
        match self.syntax.statement(node) {
            Some(StatementRole::Silent) => {}
            Some(StatementRole::Condition) => self.condition(node, place),
            Some(StatementRole::Switch) => {
                let head = self.head(IF, field(node, &["condition", "value", "subject"]), node, place);
                if let Some(body) = body(node) {
                    self.block(body, Some(head), place.depth);
                }
            }
            Some(StatementRole::Loop) => self.iteration(node, place),
            Some(StatementRole::Definition) => {
                // A nested definition is a block of its own.
                if let Some(body) = body(node) {
                    self.block(body, None, place.depth);
                } else {
                    self.all(node, place);
                }
            }
            Some(StatementRole::Block | StatementRole::Wrapper) => self.all(node, place),
            Some(StatementRole::Declaration) => self.declaration(node, place),
            _ => self.simple(node, place),
        }
    }

    fn condition(&mut self, node: Node<'tree>, place: StatementPlace) {
        let head = self.head(IF, field(node, &["condition"]), node, place);
        if let Some(body) = field(node, &["consequence"]) {
            self.block(body, Some(head), place.depth);
        }
        let mut cursor = node.walk();
        let others: Vec<Node<'tree>> = node.children_by_field_name("alternative", &mut cursor).collect();
        for other in others {
            let inner = if self.syntax.is(other, PartRole::Else) { last(other).unwrap_or(other) } else { other };
            if self.syntax.statement(inner) == Some(StatementRole::Condition) {
                self.statement(inner, place);
            } else {
                self.block(inner, Some(head), place.depth);
            }
        }
    }

    /// Every loop has the same head. What a header does besides stands before the loop or at the end of its body.
    fn iteration(&mut self, node: Node<'tree>, place: StatementPlace) {
        let clause = children(node).into_iter().find(|child| self.syntax.is(*child, PartRole::Clause)).unwrap_or(node);
        for name in ["initializer", "init"] {
            if let Some(start) = clause.child_by_field_name(name) {
                self.statement(start, place);
            }
        }
        let head = self.push(&[LOOP, VALUE], node, place);
        if let Some(body) = node.child_by_field_name("body") {
            self.block(body, Some(head), place.depth);
        }
    }

    /// One declaration for each variable; those without a value say nothing.
    fn declaration(&mut self, node: Node<'tree>, place: StatementPlace) {
        if let Some(value) = node.child_by_field_name("value").or_else(|| node.child_by_field_name("right")) {
            return self.value(value, None, place);
        }
        for child in children(node) {
            if self.syntax.is(child, PartRole::Declarator) {
                if let Some(value) = child.child_by_field_name("value") {
                    self.value(value, None, place);
                }
            } else if matches!(self.syntax.statement(child), Some(StatementRole::Block | StatementRole::Definition)) {
                self.statement(child, place);
            }
        }
    }

    fn simple(&mut self, node: Node<'tree>, place: StatementPlace) {
        let place = StatementPlace { depth: place.depth + 1, ..place };
        if place.depth > MOST_DEPTH {
            return;
        }
        match self.syntax.statement(node) {
            Some(StatementRole::Transparent) => {
                for child in children(node) {
                    self.simple(child, place);
                }
            }
            Some(StatementRole::Assignment | StatementRole::Augmented) => self.assignment(node, place),
            Some(StatementRole::Counter) => {}
            _ => self.value(node, None, place),
        }
    }

    fn assignment(&mut self, node: Node<'tree>, place: StatementPlace) {
        let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right")) else {
            return;
        };
        let operator = field(node, &["operator"]).map_or("", |operator| self.text(operator));
        if operator.len() > 1 && operator != ":=" {
            let operator = operator.trim_end_matches('=');
            // A counter.
            if !(self.syntax.is(right, PartRole::Number) && matches!(operator, "+" | "-")) {
                let sides = vec![self.expression(left, place.depth), self.expression(right, place.depth)];
                let tokens = binary(operator, sides);
                self.flush(place);
                self.push_unless_trivial(&tokens, node, place);
            }
            return;
        }
        let (lefts, rights) = (self.syntax.elements(left), self.syntax.elements(right));
        if lefts.len() == rights.len() {
            for (left, right) in lefts.into_iter().zip(rights) {
                if self.syntax.statement(right) == Some(StatementRole::Assignment) {
                    self.simple(right, place);
                } else {
                    self.value(right, Some(left), place);
                }
            }
        } else {
            self.value(right, None, place);
        }
    }

    /// A statement that computes a value, and a target if that is more than a name.
    fn value(&mut self, node: Node<'tree>, target: Option<Node<'tree>>, place: StatementPlace) {
        if self.syntax.is_counting(node) {
            return;
        }
        let mut tokens = self.expression(node, place.depth);
        let target = target.map(|target| self.expression(target, place.depth)).unwrap_or_default();
        if target.len() > 1 {
            tokens.extend(target);
        }
        self.flush(place);
        self.push_unless_trivial(&tokens, node, place);
    }

    /// Writes the parts of an expression that are statements of their own.
    fn flush(&mut self, place: StatementPlace) {
        let place = StatementPlace { depth: place.depth + 1, ..place };
        for part in std::mem::take(&mut self.pending) {
            if place.depth > MOST_DEPTH {
                return;
            }
            match part {
                Part::Comprehension(node, used_for) => self.comprehension(node, used_for, place),
                Part::Conditional(node) => {
                    let parts = children(node);
                    // Python writes the condition in the middle.
                    let (condition, branches) = match (node.child_by_field_name("condition"), &parts[..]) {
                        (Some(condition), [_, one, other]) => (condition, [*one, *other]),
                        (None, [one, condition, other]) => (*condition, [*one, *other]),
                        _ => continue,
                    };
                    let head = self.head(IF, Some(condition), condition, place);
                    for branch in branches {
                        let inside = self.inside(head, place);
                        self.simple(branch, inside);
                    }
                }
            }
        }
    }

    fn comprehension(&mut self, node: Node<'tree>, used_for: Token, place: StatementPlace) {
        let mut at = place;
        for child in children(node) {
            if self.syntax.is(child, PartRole::Each) {
                let head = self.push(&[LOOP, VALUE], child, at);
                at = self.inside(head, at);
            } else if self.syntax.is(child, PartRole::Filter) {
                let head = self.head(IF, last(child), child, at);
                at = self.inside(head, at);
            }
        }
        if let Some(element) = node.child_by_field_name("body") {
            let mut tokens = vec![used_for];
            if used_for == ADD {
                tokens.push(VALUE);
            }
            tokens.extend(self.expression(element, place.depth));
            self.flush(at);
            self.push_unless_trivial(&tokens, element, at);
        }
    }

    /// A new block of a head.
    fn inside(&mut self, head: usize, place: StatementPlace) -> StatementPlace {
        self.blocks += 1;
        StatementPlace { block: self.blocks, head: Some(head), ..place }
    }

    /// Writes the head of a block, and returns its position.
    fn head(&mut self, kind: Token, condition: Option<Node<'tree>>, node: Node<'tree>, place: StatementPlace) -> usize {
        let mut tokens = vec![kind];
        tokens.extend(condition.map(|condition| self.expression(condition, place.depth)).unwrap_or_default());
        self.flush(place);
        self.push(&tokens, condition.unwrap_or(node), place)
    }

    fn push_unless_trivial(&mut self, tokens: &[Token], node: Node<'tree>, place: StatementPlace) {
        if tokens.len() > 1 {
            self.push(tokens, node, place);
        }
    }

    fn push(&mut self, tokens: &[Token], node: Node<'tree>, place: StatementPlace) -> usize {
        let mut form = DefaultHasher::new();
        tokens.hash(&mut form);
        let first = node.start_position().row + 1;
        // The head of a loop is its first line.
        let last = if tokens[0] == LOOP { first } else { node.end_position().row + 1 };
        let block = place.block;
        let head = place.head;
        self.statements.push(Statement {
            form: form.finish(),
            tokens: tokens.len(),
            lines: (first, last),
            block,
            head,
        });
        self.statements.len() - 1
    }

    /// The tokens of an expression: operators before their operands.
    fn expression(&mut self, node: Node<'tree>, depth: usize) -> Vec<Token> {
        let depth = depth + 1;
        if depth > MOST_DEPTH {
            return vec![VALUE];
        }
        let mut tokens = match self.syntax.expression(node) {
            Some(ExpressionRole::Silent) => Vec::new(),
            Some(ExpressionRole::Text) => self.parts_of_string(node, depth),
            Some(ExpressionRole::Binary | ExpressionRole::Operation) => self.operation(node, depth),
            Some(ExpressionRole::Comparison) => self.comparison(node, depth),
            Some(ExpressionRole::Call) => self.call(node, depth),
            Some(ExpressionRole::Creation) => {
                let arguments = node.child_by_field_name("arguments").map(children).unwrap_or_default();
                let arguments: Vec<Token> = self.concat(arguments, depth);
                if arguments.is_empty() { vec![LIST] } else { [vec![CALL], arguments].concat() }
            }
            Some(ExpressionRole::Index) => {
                let index = self.concat(children(node).into_iter().skip(1), depth);
                if index.iter().any(|token| *token != VALUE) { [vec![INDEX], index].concat() } else { vec![VALUE] }
            }
            Some(ExpressionRole::Member) => {
                let name = field(node, &["attribute", "field", "property"]).map_or("", |name| self.text(name));
                if is_length(name) { vec![LENGTH] } else { vec![VALUE] }
            }
            Some(ExpressionRole::Conditional) => {
                self.pending.push(Part::Conditional(node));
                vec![VALUE]
            }
            Some(ExpressionRole::Comprehension) => {
                self.pending.push(Part::Comprehension(node, APPEND));
                vec![VALUE]
            }
            Some(ExpressionRole::List) => {
                let inner = self.concat(children(node), depth);
                [vec![LIST], inner].concat()
            }
            Some(ExpressionRole::Lambda) => {
                let inner = field(node, &["body"]).map(|body| self.expression(body, depth)).unwrap_or_default();
                [vec![LAMBDA], inner].concat()
            }
            Some(ExpressionRole::Cast) => {
                field(node, &["value"]).map_or_else(|| vec![VALUE], |value| self.expression(value, depth))
            }
            Some(ExpressionRole::Name) => vec![VALUE],
            None if self.is_identifier(node) && self.text(node) == "endl" => Vec::new(),
            None if node.named_child_count() == 0 => vec![VALUE],
            None => self.concat(children(node), depth),
        };
        tokens.truncate(MOST_TOKENS);
        tokens
    }

    fn concat(&mut self, nodes: impl IntoIterator<Item = Node<'tree>>, depth: usize) -> Vec<Token> {
        let mut tokens = Vec::new();
        for node in nodes {
            if tokens.len() >= MOST_TOKENS {
                break;
            }
            tokens.extend(self.expression(node, depth));
        }
        tokens
    }

    /// A string counts for the expressions in it.
    fn parts_of_string(&mut self, node: Node<'tree>, depth: usize) -> Vec<Token> {
        let parts = children(node).into_iter().filter(|part| self.syntax.is(*part, PartRole::Interpolation));
        let parts: Vec<Node<'tree>> = parts.flat_map(|part| children(part).into_iter().take(1)).collect();
        if parts.is_empty() { vec![VALUE] } else { self.concat(parts, depth) }
    }

    fn operation(&mut self, node: Node<'tree>, depth: usize) -> Vec<Token> {
        let parts = children(node);
        let left = field(node, &["left"]).or(parts.first().copied());
        let right = field(node, &["right"]).or(parts.last().copied());
        let (Some(left), Some(right)) = (left, right) else { return vec![VALUE] };
        let operator = field(node, &["operator"]).or_else(|| node.child(1)).map_or("", |operator| self.text(operator));
        if matches!(operator, "<<" | ">>") {
            let first = leftmost(left);
            let stream = self.text(first);
            let name = stream.rsplit("::").next().unwrap_or_default();
            if let Some(token) = match name {
                "cout" | "cerr" => Some(PRINT),
                "cin" => Some(READ),
                _ => None,
            } {
                let mut tokens = vec![token];
                self.streamed(node, first, &mut tokens, depth);
                return tokens;
            }
        }
        if self.syntax.is_text(left) || self.syntax.is_text(right) {
            let mut tokens = Vec::new();
            self.shown(node, &mut tokens, depth);
            return if tokens.is_empty() { vec![VALUE] } else { tokens };
        }
        let sides = vec![self.expression(left, depth), self.expression(right, depth)];
        binary(operator, sides)
    }

    /// The operands of a chain such as `cout << a << b`.
    fn streamed(&mut self, node: Node<'tree>, stream: Node<'tree>, tokens: &mut Vec<Token>, depth: usize) {
        let mut operands = Vec::new();
        let mut at = node;
        while at.id() != stream.id() {
            let (Some(left), Some(right)) = (at.child_by_field_name("left"), at.child_by_field_name("right")) else {
                break;
            };
            operands.push(right);
            at = left;
        }
        for operand in operands.into_iter().rev().take(MOST_TOKENS) {
            self.shown(operand, tokens, depth);
        }
    }

    /// The parts of a printed expression, without texts and ways to join them.
    fn shown(&mut self, node: Node<'tree>, tokens: &mut Vec<Token>, depth: usize) {
        let depth = depth + 1;
        if depth > MOST_DEPTH || tokens.len() > MOST_TOKENS {
            return;
        }
        let is_joined = |node| !matches!(operator_of(node, self.source), "*" | "/" | "//" | "-");
        match self.syntax.expression(node) {
            Some(ExpressionRole::Text) => {
                let parts = children(node).into_iter().filter(|part| self.syntax.is(*part, PartRole::Interpolation));
                for part in parts.filter_map(|part| children(part).first().copied()).collect::<Vec<_>>() {
                    self.shown(part, tokens, depth);
                }
            }
            _ if self.syntax.is(node, PartRole::Hidden) => {}
            Some(ExpressionRole::Binary) if is_joined(node) => self.all_shown(node, tokens, depth),
            _ if self.syntax.is(node, PartRole::Group) => self.all_shown(node, tokens, depth),
            Some(ExpressionRole::Call) if is_conversion(self.name_of_call(node).0) => {
                let (syntax, (_, receiver, arguments)) = (self.syntax, self.name_of_call(node));
                for part in receiver.into_iter().filter(|it| !syntax.is(*it, PartRole::Identifier)).chain(arguments) {
                    self.shown(part, tokens, depth);
                }
            }
            _ => tokens.extend(self.expression(node, depth)),
        }
    }

    fn all_shown(&mut self, node: Node<'tree>, tokens: &mut Vec<Token>, depth: usize) {
        for part in children(node) {
            self.shown(part, tokens, depth);
        }
    }

    fn is_identifier(&self, node: Node<'tree>) -> bool {
        self.syntax.is(node, PartRole::Identifier)
    }

    /// `a < b < c` is two comparisons.
    fn comparison(&mut self, node: Node<'tree>, depth: usize) -> Vec<Token> {
        let operands: Vec<Node<'tree>> = children(node);
        let mut cursor = node.walk();
        let operators: Vec<&str> =
            node.children_by_field_name("operators", &mut cursor).map(|operator| self.text(operator)).collect();
        let mut parts = Vec::new();
        for (pair, operator) in operands.windows(2).zip(operators) {
            let sides = pair.iter().map(|side| self.expression(*side, depth)).collect();
            parts.push(binary(operator, sides));
        }
        let mut tokens = vec![BOTH; parts.len().saturating_sub(1)];
        parts.sort();
        tokens.extend(parts.into_iter().flatten());
        tokens
    }

    /// The name, the receiver and the arguments of a call.
    fn name_of_call(&self, node: Node<'tree>) -> (&'a str, Option<Node<'tree>>, Vec<Node<'tree>>) {
        let function = field(node, &["function", "name"]).or_else(|| node.named_child(0));
        let arguments = node.child_by_field_name("arguments");
        let arguments = arguments.map(|it| match self.syntax.expression(it) {
            Some(ExpressionRole::Comprehension) => vec![it],
            _ => children(it),
        });
        let receiver = node.child_by_field_name("object");
        let receiver = receiver
            .or_else(|| function.and_then(|function| field(function, &["object", "argument", "operand", "value"])));
        let name =
            function.map(|function| field(function, &["attribute", "field", "property", "name"]).unwrap_or(function));
        (name.map_or("", |name| self.text(name)), receiver, arguments.unwrap_or_default())
    }

    fn call(&mut self, node: Node<'tree>, depth: usize) -> Vec<Token> {
        let (name, receiver, arguments) = self.name_of_call(node);
        let name = name.rsplit("::").next().unwrap_or_default();
        if is_print(name) {
            let mut tokens = vec![PRINT];
            for argument in arguments {
                self.shown(argument, &mut tokens, depth);
            }
            return tokens;
        }
        if name == "format" {
            let mut tokens = Vec::new();
            let receiver = receiver.filter(|receiver| !self.is_identifier(*receiver));
            for part in receiver.into_iter().chain(arguments) {
                self.shown(part, &mut tokens, depth);
            }
            return if tokens.is_empty() { vec![VALUE] } else { tokens };
        }
        let mut inner = receiver.map(|receiver| self.expression(receiver, depth)).unwrap_or_default();
        if inner == [VALUE] {
            inner.clear();
        }
        let is_sum = name == "sum";
        for argument in arguments {
            let before = self.pending.len();
            inner.extend(self.expression(argument, depth));
            if let (true, Some(Part::Comprehension(_, used_for))) = (is_sum, self.pending.get_mut(before)) {
                *used_for = ADD;
            }
        }
        let function = match name {
            _ if is_conversion(name) => return if inner.is_empty() { vec![VALUE] } else { inner },
            _ if is_length(name) => {
                inner.retain(|token| *token != VALUE);
                LENGTH
            }
            _ if is_read(name) => READ,
            "append" | "push_back" | "emplace_back" | "add" | "push" | "insert" | "emplace" => APPEND,
            _ if self.own.contains(name) => CALL,
            _ => other(name),
        };
        [vec![function], inner].concat()
    }
}

/// The tokens of an operator and its operands. The order of operands says nothing where it does not matter.
fn binary(operator: &str, mut sides: Vec<Vec<Token>>) -> Vec<Token> {
    let token = match operator {
        "<" | ">" | "<=" | ">=" => COMPARE,
        "==" | "!=" | "is" | "is not" | "===" | "!==" => EQUAL,
        "and" | "or" | "&&" | "||" => BOTH,
        "+" => ADD,
        "*" => MULTIPLY,
        "not in" => other("in"),
        _ => other(operator),
    };
    if matches!(token, COMPARE | EQUAL | BOTH | ADD | MULTIPLY) {
        sides.sort();
    }
    let mut tokens = vec![token];
    tokens.extend(sides.into_iter().flatten());
    tokens
}

/// The token of a name or operator that has none of its own.
fn other(name: &str) -> Token {
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    u32::try_from(hasher.finish() >> 32).unwrap_or(OTHERS).max(OTHERS)
}
