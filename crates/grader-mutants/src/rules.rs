//! The rules of a language as one query, so that one pass over a tree finds the places of all operators.

use std::sync::OnceLock;

use regex::Regex;
use tree_sitter::Query;

use crate::operators::{self, Operator, Rule, serves};
use crate::{Grammar, tree};

/// The compiled rules of a language.
pub(crate) struct Rules {
    pub(crate) query: Query,
    /// The nodes that no operator may touch.
    pub(crate) frozen: Query,
    /// The number of the capture `@at`.
    pub(crate) at: u32,
    /// For each pattern of the query.
    pub(crate) patterns: Vec<Pattern>,
}

/// The rule that a pattern of the query is part of.
#[derive(Clone)]
pub(crate) struct Pattern {
    /// The place of the operator in its family.
    pub(crate) priority: usize,
    pub(crate) operator: &'static Operator,
    pub(crate) rule: &'static Rule,
    pub(crate) find: Option<Regex>,
}

impl Rules {
    /// The rules of a language, compiled when they are first needed.
    pub(crate) fn of(grammar: Grammar) -> &'static Self {
        static RULES: [OnceLock<Rules>; Grammar::ALL.len()] = [const { OnceLock::new() }; Grammar::ALL.len()];
        RULES[grammar as usize].get_or_init(|| compile(grammar))
    }
}

fn compile(grammar: Grammar) -> Rules {
    let family = operators::family(grammar);
    let mut text = String::new();
    let mut starts = Vec::new();
    for (priority, operator) in family.operators.iter().enumerate() {
        for rule in operator.rules.iter().filter(|rule| serves(&rule.only, grammar)) {
            let find = rule.find.as_ref().map(|find| Regex::new(find).expect("a test compiles every rule"));
            starts.push((text.len(), Pattern { priority, operator, rule, find }));
            text += &rule.query;
            text.push('\n');
        }
    }
    let query = query(grammar, &text);
    let rule_of = |pattern: usize| {
        let start = query.start_byte_for_pattern(pattern);
        starts[starts.partition_point(|(begin, _)| *begin <= start) - 1].1.clone()
    };
    let patterns = (0..query.pattern_count()).map(rule_of).collect();
    let frozen = family.frozen.iter().filter(|frozen| serves(&frozen.only, grammar));
    let frozen: Vec<&str> = frozen.map(|frozen| frozen.query.as_str()).collect();
    let at = query.capture_index_for_name("at").expect("every rule has @at");
    Rules { frozen: self::query(grammar, &frozen.join("\n")), query, at, patterns }
}

fn query(grammar: Grammar, text: &str) -> Query {
    Query::new(&tree::language(grammar), text)
        .unwrap_or_else(|error| panic!("a rule of {} does not compile: {error}", grammar.name()))
}
