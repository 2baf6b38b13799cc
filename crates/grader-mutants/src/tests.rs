//! Tests of every operator on every language, and of hostile sources.

use std::collections::BTreeSet;

use tree_sitter::Tree;

use crate::*;

/// The texts that one operator makes of a snippet, in their order.
fn by_operator(grammar: Grammar, operator: &str, source: &str) -> Vec<String> {
    let mutants = search::by_operator(grammar, source, operator).unwrap();
    mutants.iter().map(|mutant| mutant.apply(source)).collect()
}

fn tree(grammar: Grammar, source: &str) -> Tree {
    tree::parse(grammar, source).unwrap()
}

#[test]
fn every_operator_makes_exactly_the_mutants_of_its_examples() {
    let mut wrong = Vec::new();
    for grammar in Grammar::ALL {
        for operator in operators(grammar) {
            let name = operator.name();
            let mut made = 0;
            for Example { before, after, .. } in operator.examples(grammar) {
                let mutants = by_operator(grammar, name, before);
                made += mutants.len();
                if mutants.iter().collect::<BTreeSet<_>>() != after.iter().collect() {
                    wrong.push(format!("{} {name}: {before:?} → {mutants:#?}, not {after:#?}", grammar.name()));
                }
                for text in std::iter::once(before).chain(&mutants) {
                    if tree(grammar, text).root_node().has_error() {
                        wrong.push(format!("{} {name}: does not parse: {text:?}", grammar.name()));
                    }
                }
            }
            if made == 0 {
                wrong.push(format!("{} {name}: no example has a mutant", grammar.name()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
