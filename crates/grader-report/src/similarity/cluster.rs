//! Joins programs with equal tokens, and finds the code that many authors wrote alike.

use std::collections::BTreeMap;

use super::outline::Outline;
use super::{Program, token};

/// Code of at most so many authors is never common. In a small class, a group of copyists is a large share.
const FEW_AUTHORS: usize = 5;

/// Code of more than one in so many authors is common. Few groups of copyists are as large; habits are.
const COMMON: usize = 5;

/// A cluster holds all programs that are equal token by token.
#[derive(Debug)]
pub(super) struct Cluster {
    /// Their positions, ascending.
    pub(super) members: Vec<usize>,
    pub(super) outline: Outline,
    /// The number of tokens of the text of each.
    pub(super) text_tokens: usize,
}

/// Joins equal programs, in the order of their first members. The digests of given code are sorted.
pub(super) fn clusters(programs: &[Program<'_>], given: &[u64]) -> Vec<Cluster> {
    // The keys are the tokens themselves: a collision of hashes must not make anyone look like a copyist.
    let mut found: BTreeMap<Vec<Vec<u16>>, Cluster> = BTreeMap::new();
    for (at, program) in programs.iter().enumerate() {
        let kinds = kinds(program);
        let text_tokens = kinds.iter().map(Vec::len).sum();
        let cluster = found.entry(kinds).or_insert_with(|| Cluster {
            members: Vec::new(),
            outline: Outline::of(program, given),
            text_tokens,
        });
        cluster.members.push(at);
    }
    let mut clusters: Vec<Cluster> = found.into_values().collect();
    clusters.sort_unstable_by_key(|cluster| cluster.members[0]);
    clusters
}

/// The kinds of all tokens of each file of a program, in an order that does not depend on the names of the files.
fn kinds(program: &Program<'_>) -> Vec<Vec<u16>> {
    let mut left = token::MOST;
    let mut all = Vec::new();
    for (name, text) in &program.files {
        let kinds: Vec<u16> = token::tokens(name, text, left).into_iter().map(|token| token.kind).collect();
        left -= kinds.len();
        if !kinds.is_empty() {
            all.push(kinds);
        }
    }
    all.sort_unstable();
    all
}

/// Finds the digests of features that are common, sorted. A cluster counts for one author only: neither a large set of
/// copies nor many attempts of one author make code common.
pub(super) fn common(clusters: &[Cluster], programs: &[Program<'_>]) -> Vec<u64> {
    let author = |cluster: &Cluster| cluster.members.iter().map(|at| programs[*at].author).fold(usize::MAX, usize::min);
    let authors: Vec<usize> = clusters.iter().map(author).collect();
    let few = FEW_AUTHORS.max(distinct(authors.clone()) / COMMON);
    let uses = clusters
        .iter()
        .zip(authors)
        .flat_map(|(cluster, author)| cluster.outline.digests().into_iter().map(move |digest| (digest, author)));
    let mut uses: Vec<(u64, usize)> = uses.collect();
    uses.sort_unstable();
    uses.dedup();
    uses.chunk_by(|one, next| one.0 == next.0).filter(|same| same.len() > few).map(|same| same[0].0).collect()
}

/// Counts different authors.
fn distinct(mut authors: Vec<usize>) -> usize {
    authors.sort_unstable();
    authors.dedup();
    authors.len()
}
