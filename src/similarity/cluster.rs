//! Joins programs with equal tokens, and finds the code that many authors wrote alike.

use std::collections::BTreeMap;

use super::{Program, fingerprint, read};

/// Code of at most so many authors is never common. In a small class, a group of copyists is a large share.
const FEW_AUTHORS: usize = 5;

/// Code of more than one in so many authors is common. Few groups of copyists are as large; habits are.
const COMMON: usize = 5;

/// A cluster holds all programs that are equal token by token.
#[derive(Debug)]
pub(super) struct Cluster {
    /// Their positions, ascending.
    pub(super) members: Vec<usize>,
    /// Their fingerprints, sorted and without repetition.
    pub(super) prints: Vec<u64>,
}

impl Cluster {
    /// Drops some fingerprints, which are sorted.
    pub(super) fn forget(&mut self, prints: &[u64]) {
        self.prints.retain(|print| prints.binary_search(print).is_err());
    }
}

/// Joins equal programs, in the order of their first members. The sorted hashes of the skeleton are no fingerprints.
pub(super) fn clusters(programs: &[Program<'_>], skeleton: &[u64]) -> Vec<Cluster> {
    // The keys are the tokens themselves: a collision of hashes must not make anyone look like a copyist.
    let mut found: BTreeMap<Vec<Vec<u16>>, Cluster> = BTreeMap::new();
    for (at, program) in programs.iter().enumerate() {
        let files = read(program);
        let kinds = files.iter().map(|(_, tokens)| tokens.iter().map(|token| token.kind).collect());
        let mut key: Vec<Vec<u16>> = kinds.filter(|kinds: &Vec<u16>| !kinds.is_empty()).collect();
        key.sort_unstable();
        let cluster = found.entry(key).or_insert_with(|| {
            let marks = files.iter().flat_map(|(_, tokens)| fingerprint::marks(tokens));
            let mut prints: Vec<u64> = marks.map(|mark| mark.hash).collect();
            prints.sort_unstable();
            prints.dedup();
            let mut cluster = Cluster { members: Vec::new(), prints };
            cluster.forget(skeleton);
            cluster
        });
        cluster.members.push(at);
    }
    let mut clusters: Vec<Cluster> = found.into_values().collect();
    clusters.sort_unstable_by_key(|cluster| cluster.members[0]);
    clusters
}

/// Finds the fingerprints that are common, sorted. A cluster counts for one author only: neither a large set of copies
/// nor many attempts of one author make code common.
pub(super) fn common(clusters: &[Cluster], programs: &[Program<'_>]) -> Vec<u64> {
    let author = |cluster: &Cluster| cluster.members.iter().map(|at| programs[*at].author).fold(usize::MAX, usize::min);
    let authors: Vec<usize> = clusters.iter().map(author).collect();
    let few = FEW_AUTHORS.max(distinct(authors.clone()) / COMMON);
    let uses =
        clusters.iter().zip(authors).flat_map(|(cluster, author)| cluster.prints.iter().map(move |it| (*it, author)));
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
