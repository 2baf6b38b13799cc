//! Joins programs with equal tokens, and finds the code that many authors wrote alike.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::thread;

use super::outline::Outline;
use super::{Program, token};

/// Code of at most so many authors is never common. In a small class, a group of copyists is a large share.
const FEW_AUTHORS: usize = 5;

/// Code of more than one in so many authors is common. Few groups of copyists are as large; habits are.
const COMMON: usize = 5;

/// The stack of a thread that makes outlines, in bytes: as large as that of the main thread usually is.
const STACK: usize = 8 << 20;

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
    let mut found: BTreeMap<Vec<Vec<u16>>, Vec<usize>> = BTreeMap::new();
    for (at, program) in programs.iter().enumerate() {
        found.entry(kinds(program)).or_default().push(at);
    }
    let text_tokens = |kinds: Vec<Vec<u16>>| kinds.iter().map(Vec::len).sum();
    let mut found: Vec<(Vec<usize>, usize)> =
        found.into_iter().map(|(kinds, members)| (members, text_tokens(kinds))).collect();
    found.sort_unstable();
    let firsts: Vec<&Program<'_>> = found.iter().map(|(members, _)| &programs[members[0]]).collect();
    let outlines = outlines(&firsts, given);
    let cluster = |((members, text_tokens), outline)| Cluster { members, outline, text_tokens };
    found.into_iter().zip(outlines).map(cluster).collect()
}

/// The outline of each program. Parsing is most of the work, so all cores take part.
fn outlines(programs: &[&Program<'_>], given: &[u64]) -> Vec<Outline> {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let all = |part: &[&Program<'_>]| part.iter().map(|program| Outline::of(program, given)).collect::<Vec<_>>();
    thread::scope(|scope| {
        let start = |part| thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || all(part));
        let parts: Vec<_> =
            programs.chunks(programs.len().div_ceil(cores).max(1)).map(|part| (part, start(part))).collect();
        let outlines = parts.into_iter().flat_map(|(part, started)| match started {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            // The machine has no further thread, but it has this one.
            Err(_) => all(part),
        });
        outlines.collect()
    })
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
