//! The search for mutants: one pass over the syntax tree with the query of all operators.

use std::collections::HashSet;
use std::ops::Range;

use tree_sitter::{Node, Query, QueryCursor, QueryMatch, StreamingIterator as _, Tree};

use crate::edit::{Change, RuleMatch};
use crate::limits::{MOST_DEPTH, MOST_MUTANTS, MOST_TESTED_BYTES, MOST_UNFINISHED_MATCHES};
use crate::operators::Rule;
use crate::rules::{Pattern, Rules};
use crate::text_hash::TextHash;
use crate::tree::Surroundings;
use crate::{Error, Grammar, Mutant, tree};

/// See [`crate::mutants`].
pub(crate) fn mutants(grammar: Grammar, source: &str) -> Result<Vec<Mutant>, Error> {
    let tree = tree::parse(grammar, source)?;
    // Nothing parses, and a flat tree of all tokens takes the query very long.
    if tree.root_node().is_error() {
        return Ok(Vec::new());
    }
    let candidates = candidates(Rules::of(grammar), &tree, source);
    Ok(finish(candidates, source))
}

/// The mutants that an operator makes, also those that [`crate::mutants`] gives to another.
#[cfg(test)]
pub(crate) fn by_operator(grammar: Grammar, source: &str, operator: &str) -> Result<Vec<Mutant>, Error> {
    let tree = tree::parse(grammar, source)?;
    let mut candidates = candidates(Rules::of(grammar), &tree, source);
    candidates.retain(|candidate| candidate.pattern.operator.name() == operator);
    Ok(finish(candidates, source))
}

/// Whether a rule makes a mutant of a source.
#[cfg(test)]
pub(crate) fn rule_matches(grammar: Grammar, source: &str, rule: &Rule) -> bool {
    let tree = tree::parse(grammar, source).expect("examples are short");
    let (single, everywhere) = parts(Rules::of(grammar), &tree, source);
    single.iter().chain(&everywhere).any(|candidate| std::ptr::eq(candidate.pattern.rule, rule))
}

/// A mutant before its text is known to be new.
struct Candidate {
    pattern: &'static Pattern,
    change: Change,
}

fn candidates(rules: &'static Rules, tree: &Tree, source: &str) -> Vec<Candidate> {
    let (mut single, everywhere) = parts(rules, tree, source);
    single.extend(merged(everywhere, source));
    single
}

/// The results of the rules: mutants, and the parts of mutants that change a program everywhere at once.
fn parts(rules: &'static Rules, tree: &Tree, source: &str) -> (Vec<Candidate>, Vec<Candidate>) {
    let surroundings = Surroundings::new(tree);
    let frozen = frozen(&rules.frozen, tree, source);
    let mut single = Vec::new();
    let mut everywhere = Vec::new();
    each_match(&rules.query, tree, source, |found| {
        let pattern = &rules.patterns[found.pattern_index];
        let at = || found.nodes_for_capture_index(rules.at);
        let wrong = found.captures.iter().any(|capture| surroundings.has_error(capture.node));
        if wrong || !at().all(|node| fits(pattern.rule, node, &surroundings)) {
            return true;
        }
        let name = |index: u32| rules.query.capture_names()[index as usize];
        let captures = found.captures.iter().map(|capture| (name(capture.index), capture.node)).collect();
        let changes = RuleMatch { source, captures }.changes(pattern).into_iter();
        let allowed = changes.filter(|change| !touches(&frozen, &change.span));
        let list = if pattern.rule.everywhere { &mut everywhere } else { &mut single };
        list.extend(allowed.map(|change| Candidate { pattern, change }));
        single.len() < 2 * MOST_MUTANTS && everywhere.len() < 2 * MOST_MUTANTS
    });
    (single, everywhere)
}

/// Calls `visit` for the matches of a query, until it returns `false`.
fn each_match<'tree>(
    query: &Query,
    tree: &'tree Tree,
    source: &str,
    mut visit: impl FnMut(&QueryMatch<'_, 'tree>) -> bool,
) {
    let mut cursor = QueryCursor::new();
    cursor.set_match_limit(MOST_UNFINISHED_MATCHES);
    cursor.set_max_start_depth(Some(MOST_DEPTH));
    let tested = |node: Node| {
        let text = &source.as_bytes()[node.byte_range()];
        std::iter::once(&text[..text.len().min(MOST_TESTED_BYTES)])
    };
    let mut matches = cursor.matches(query, tree.root_node(), tested);
    while let Some(found) = matches.next() {
        if !visit(found) {
            return;
        }
    }
}

/// Whether a place has the surroundings that its rule demands.
fn fits<'tree>(rule: &Rule, node: Node<'tree>, surroundings: &Surroundings<'tree>) -> bool {
    if rule.inside.is_empty() && rule.outside.is_empty() {
        return true;
    }
    let is = |kinds: &[String], node: &Node| kinds.iter().any(|kind| kind == node.kind());
    let mut near = surroundings.ancestors(node).take_while(|node| !is(&rule.until, node));
    let first = near.find(|node| is(&rule.inside, node) || is(&rule.outside, node));
    first.map_or(rule.inside.is_empty(), |node| is(&rule.inside, &node))
}

/// The parts of the source that no operator may touch, in their order and without overlaps.
fn frozen(query: &Query, tree: &Tree, source: &str) -> Vec<Range<usize>> {
    let mut spans = Vec::new();
    let wanted = query.capture_index_for_name("frozen");
    each_match(query, tree, source, |found| {
        let frozen = wanted.into_iter().flat_map(|index| found.nodes_for_capture_index(index));
        spans.extend(frozen.map(|node| node.byte_range()));
        true
    });
    spans.sort_by_key(|span| (span.start, span.end));
    spans.dedup_by(|next, kept| {
        let overlaps = next.start <= kept.end;
        kept.end = if overlaps { kept.end.max(next.end) } else { kept.end };
        overlaps
    });
    spans
}

/// Whether a change is in a frozen part, or takes a piece of one. It may remove a statement with frozen parts in it.
fn touches(frozen: &[Range<usize>], span: &Range<usize>) -> bool {
    let end = span.end.max(span.start + 1);
    let next = frozen.partition_point(|frozen| frozen.end <= span.start);
    let met = frozen[next..].iter().take_while(|frozen| frozen.start < end).take(2);
    met.into_iter().any(|frozen| span.start >= frozen.start || frozen.end > end || (frozen.start..frozen.end) == *span)
}

/// One change for each operator that changes a program everywhere at once.
fn merged(mut parts: Vec<Candidate>, source: &str) -> Vec<Candidate> {
    parts.sort_by_key(|part| (part.pattern.priority, part.change.span.start, part.change.span.end));
    let mut merged: Vec<Candidate> = Vec::new();
    for part in parts {
        match merged.last_mut().filter(|last| last.pattern.priority == part.pattern.priority) {
            None => merged.push(part),
            Some(last) if part.change.span.start < last.change.span.end => {}
            Some(last) => {
                last.change.text += &source[last.change.span.end..part.change.span.start];
                last.change.text += &part.change.text;
                last.change.span.end = part.change.span.end;
            }
        }
    }
    merged
}

/// Leaves out texts that have been there, or are the original, and puts the rest in order.
fn finish(mut candidates: Vec<Candidate>, source: &str) -> Vec<Mutant> {
    let hash = TextHash::new(source);
    let mut seen = HashSet::from([hash.whole()]);
    // The first operator of the table gets the mutant.
    let place = |candidate: &Candidate| (candidate.change.span.start, candidate.change.span.end);
    candidates.sort_by_key(|candidate| (candidate.pattern.priority, place(candidate)));
    candidates.retain(|candidate| seen.insert(hash.replaced(&candidate.change.span, &candidate.change.text)));
    candidates.sort_by_key(|candidate| (place(candidate), candidate.pattern.priority));
    candidates.truncate(MOST_MUTANTS);
    let mut line = 1;
    let mut counted = 0;
    let mutant = |candidate: Candidate| {
        let Candidate { pattern, change: Change { span, text } } = candidate;
        line += source[counted..span.start].matches('\n').count();
        counted = span.start;
        let operator = pattern.operator;
        Mutant {
            operator: operator.name(),
            explanation: operator.explanation(),
            span,
            replacement: text,
            line,
            slow: operator.is_slow(),
        }
    };
    candidates.into_iter().map(mutant).collect()
}
