//! Finds nearly identical programs among the submissions of one problem, as a hint for a person and never a verdict.
//!
//! The method is winnowing: S. Schleimer, D. Wilkerson, A. Aiken, "Winnowing: Local Algorithms for Document
//! Fingerprinting", SIGMOD 2003. A program becomes a sequence of tokens, so names, layout and comments do not matter.
//! Hashes of some runs of 15 tokens are its fingerprints. Two programs are as similar as the share of the fingerprints
//! that they have in common. A common run of 18 tokens is always found, and one of fewer than 15 tokens never.
//!
//! Code without an author of its own does not count: that of given skeletons, and that of many authors. So variants of one
//! program vanish if more than a fifth of a class hands them in; `Similarities::too_common` counts them. Equal programs count
//! only once, so even a large set of copies stays visible.

mod cluster;
mod fingerprint;
mod pair;
mod token;

#[cfg(test)]
mod tests;

use std::cmp::Reverse;

use cluster::Cluster;
use fingerprint::Mark;
use token::Token;

/// Programs with fewer fingerprints are not compared. Below about 65 tokens, honest solutions are often equal.
const FEWEST: usize = 20;

/// The largest number of ranges of lines that a pair shows of each program.
const MOST_RANGES: usize = 5;

/// A program is one submission of the problem.
#[derive(Debug, Clone)]
pub(crate) struct Program<'a> {
    /// Who wrote it. Programs of the same author are never reported as similar.
    pub author: usize,
    /// The name and the text of each of its files. The ending of a name decides the language.
    pub files: Vec<(&'a str, &'a [u8])>,
}

/// These options say which pairs to report.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Options {
    /// The smallest share of a reported pair, from 0 to 1.
    pub threshold: f64,
    /// The number of reported pairs at most.
    pub most: usize,
}

/// This is what a search finds. Programs are positions in the given list.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Similarities<'a> {
    /// Programs of several authors that are equal token by token, the largest set first.
    pub identical: Vec<Vec<usize>>,
    /// The most similar pairs, the best first. Each set of equal programs takes part once.
    pub pairs: Vec<Pair<'a>>,
    /// The number of further pairs that reach the threshold.
    pub more_pairs: usize,
    /// The number of programs that are too short to compare. The code of the skeletons does not count.
    pub too_short: usize,
    /// The number of longer programs that consist almost only of code that many authors wrote alike.
    pub too_common: usize,
}

/// A pair is two similar programs of different authors.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Pair<'a> {
    /// The first program.
    pub left: usize,
    /// The second program. Its position is the greater one.
    pub right: usize,
    /// The shared fingerprints, as a share of those of the program with fewer of them.
    pub share: f64,
    /// The number of shared fingerprints.
    pub shared: usize,
    /// The longest ranges of shared lines in the first program.
    pub left_lines: Vec<Lines<'a>>,
    /// The longest ranges of shared lines in the second program.
    pub right_lines: Vec<Lines<'a>>,
}

/// This is a range of lines in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Lines<'a> {
    /// The name of the file.
    pub file: &'a str,
    /// The number of the first line. The first line of a file is 1.
    pub first: usize,
    /// The number of the last line, which belongs to the range.
    pub last: usize,
}

/// Finds the similar programs among the submissions of one problem. The skeletons are the files that all were given, as
/// names and texts.
pub(crate) fn similar<'a>(
    programs: &[Program<'a>],
    skeletons: &[(&str, &[u8])],
    options: &Options,
) -> Similarities<'a> {
    let mut clusters = cluster::clusters(programs, &skeleton(skeletons));
    let too_short = members_of_small(&clusters);
    let identical = identical(&clusters, programs);
    // Short programs also show which code is common.
    let common = cluster::common(&clusters, programs);
    clusters.retain(|cluster| cluster.prints.len() >= FEWEST);
    for cluster in &mut clusters {
        cluster.forget(&common);
    }
    let too_common = members_of_small(&clusters);
    clusters.retain(|cluster| cluster.prints.len() >= FEWEST);
    let (best, more_pairs) = pair::best(&clusters, programs, options);
    let pairs = best.into_iter().map(|pair| with_lines(pair, &clusters, programs)).collect();
    Similarities { identical, pairs, more_pairs, too_short, too_common }
}

/// Reads the tokens of every file of a program.
fn read<'a>(program: &Program<'a>) -> Vec<(&'a str, Vec<Token>)> {
    let mut left = token::MOST;
    let mut files = Vec::new();
    for (name, text) in &program.files {
        let tokens = token::tokens(name, text, left);
        left -= tokens.len();
        files.push((*name, tokens));
    }
    files
}

/// Hashes all runs of the skeletons and sorts them. At the edge of given code, a program may choose any of them.
fn skeleton(files: &[(&str, &[u8])]) -> Vec<u64> {
    let all = files.iter().flat_map(|(name, text)| fingerprint::hashes(&token::tokens(name, text, token::MOST)));
    let mut hashes: Vec<u64> = all.collect();
    hashes.sort_unstable();
    hashes.dedup();
    hashes
}

/// Counts the programs with too few fingerprints.
fn members_of_small(clusters: &[Cluster]) -> usize {
    clusters.iter().filter(|cluster| cluster.prints.len() < FEWEST).map(|cluster| cluster.members.len()).sum()
}

/// Lists the sets of equal programs of several authors, the largest first.
fn identical(clusters: &[Cluster], programs: &[Program<'_>]) -> Vec<Vec<usize>> {
    let has_several = |cluster: &&Cluster| {
        let author = |at: &usize| programs[*at].author;
        cluster.members.iter().any(|at| author(at) != author(&cluster.members[0]))
    };
    let long = clusters.iter().filter(|cluster| cluster.prints.len() >= FEWEST);
    let mut sets: Vec<Vec<usize>> = long.filter(has_several).map(|cluster| cluster.members.clone()).collect();
    sets.sort_by_key(|set| Reverse(set.len()));
    sets
}

/// Adds the lines that two programs share.
fn with_lines<'a>(found: pair::Match, clusters: &[Cluster], programs: &[Program<'a>]) -> Pair<'a> {
    let pair::Match { left, right, share, shared, clusters: (one, other) } = found;
    let of_other = &clusters[other].prints;
    let prints: Vec<u64> =
        clusters[one].prints.iter().copied().filter(|print| of_other.binary_search(print).is_ok()).collect();
    let left_lines = lines(&programs[left], &prints);
    let right_lines = lines(&programs[right], &prints);
    Pair { left, right, share, shared, left_lines, right_lines }
}

/// Finds the longest ranges of lines with any of the sorted fingerprints, in the order of the text.
fn lines<'a>(program: &Program<'a>, prints: &[u64]) -> Vec<Lines<'a>> {
    let mut ranges = Vec::new();
    for (file, tokens) in read(program) {
        let marks = fingerprint::marks(&tokens).into_iter().filter(|mark| prints.binary_search(&mark.hash).is_ok());
        ranges.extend(merged(file, marks));
    }
    let mut order: Vec<usize> = (0..ranges.len()).collect();
    order.sort_by_key(|at| Reverse(ranges[*at].last - ranges[*at].first));
    order.truncate(MOST_RANGES);
    order.sort_unstable();
    order.into_iter().map(|at| ranges[at]).collect()
}

/// Joins marks to ranges with at least one line between them. The marks are in the order of the text.
fn merged(file: &str, marks: impl Iterator<Item = Mark>) -> Vec<Lines<'_>> {
    let mut ranges: Vec<Lines> = Vec::new();
    for Mark { first, last, .. } in marks {
        match ranges.last_mut() {
            Some(range) if first <= range.last + 1 => range.last = range.last.max(last),
            _ => ranges.push(Lines { file, first, last }),
        }
    }
    ranges
}
