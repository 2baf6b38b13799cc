//! Finds nearly identical programs among the submissions of one problem, as a hint for a person and never a verdict.
//!
//! A program becomes a list of steps: its statements in a canonical form without names, literals, types and layout, in
//! which `a += b` is `a = a + b` and `for` is `while`. Two or three neighbouring steps, in any order, are a feature. Two
//! programs are as similar as the share of the steps, by their tokens, that lie in common features. The share is that of
//! the smaller program. A language without a grammar is cut into pieces of its text instead.
//!
//! Code without an author of its own does not count: that of given files, and that of many authors. So variants of one
//! program vanish if more than a fifth of a class submits them; `Similarities::too_common` counts them. Equal programs
//! count only once, so even a large set of copies stays visible.

mod cluster;
mod feature;
mod marks;
mod outline;
mod pair;
mod step;
mod token;

#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::collections::BTreeMap;

use cluster::Cluster;
use outline::Outline;

/// The share from which on two programs are worth a look: `docs/reports.md` has what it finds and what it takes for copies.
pub const DEFAULT_THRESHOLD: f64 = 0.6;

/// Programs whose steps have fewer tokens are not compared. They have about six lines, and honest ones are often equal.
const FEWEST: usize = 12;

/// Equal programs with fewer tokens of text are reported only if their bytes are the same. Below about 65 tokens, honest
/// solutions often differ in names and layout alone.
const FEWEST_OF_TEXT: usize = 65;

/// A program is compared if at least one in so many of its tokens is in code that not many authors wrote alike.
const FEWEST_OWN: usize = 4;

/// A program is one submission of the problem.
#[derive(Debug, Clone)]
pub struct Program<'a> {
    /// Its author. Programs of the same author are never reported as similar.
    pub author: usize,
    /// Whether it was submitted to an earlier course. Two such programs are never reported as similar.
    pub is_earlier: bool,
    /// The name and the text of each of its files. The ending of a name decides the language.
    pub files: Vec<(&'a str, &'a [u8])>,
}

/// These options say which pairs to report.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// The smallest share of a reported pair, from 0 to 1.
    pub threshold: f64,
    /// The number of reported pairs at most.
    pub most: usize,
}

/// This is what a search finds. Programs are positions in the given list.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Similarities<'a> {
    /// Programs of several authors that are equal token by token, or short ones byte by byte; the largest set first.
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
    /// The tokens of shared steps, as a share of those of the smaller program.
    pub share: f64,
    /// The number of tokens of the shared steps.
    pub shared: usize,
    /// The shared parts of the first and of the second program, in the order of their texts.
    pub marks: [Vec<SharedPart<'a>>; 2],
}

/// Lines of one program that belong to a part that two programs share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SharedPart<'a> {
    pub(crate) lines: Lines<'a>,
    /// The number of the part, from 0. It has the same number in both programs.
    pub part: usize,
}

/// This is a range of lines in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lines<'a> {
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
    let mut clusters = cluster::clusters(programs, &outline::given(skeletons));
    let is_long = |cluster: &Cluster| cluster.outline.size >= FEWEST;
    let too_short = members(&clusters, programs, |cluster| !is_long(cluster));
    let identical = identical(&clusters, programs, skeletons);
    // Short programs also show which code is common.
    let common = cluster::common(&clusters, programs);
    clusters.retain(is_long);
    let mut too_common = 0;
    clusters.retain_mut(|cluster| {
        let fewest = FEWEST.max(cluster.outline.size / FEWEST_OWN);
        cluster.outline.forget(&common);
        let is_kept = cluster.outline.size >= fewest;
        too_common += if is_kept { 0 } else { members(std::slice::from_ref(cluster), programs, |_| true) };
        is_kept
    });
    let (best, more_pairs) = pair::best(&clusters, programs, options);
    let pairs = best.into_iter().map(|pair| marked(pair, &clusters, programs)).collect();
    Similarities { identical, pairs, more_pairs, too_short, too_common }
}

/// Counts the programs of this course in some clusters.
fn members(clusters: &[Cluster], programs: &[Program<'_>], is_meant: impl Fn(&Cluster) -> bool) -> usize {
    let members = clusters.iter().filter(|cluster| is_meant(cluster)).flat_map(|cluster| &cluster.members);
    members.filter(|at| !programs[**at].is_earlier).count()
}

/// Lists the sets of equal programs of several authors, one of whom is in this course, the largest first.
fn identical(clusters: &[Cluster], programs: &[Program<'_>], skeletons: &[(&str, &[u8])]) -> Vec<Vec<usize>> {
    let sets = clusters.iter().flat_map(|cluster| match cluster {
        short if short.text_tokens < FEWEST_OF_TEXT => copies(&short.members, programs, skeletons),
        // A program that only repeats given code has no features left.
        long if long.outline.features.is_empty() => Vec::new(),
        long => vec![long.members.clone()],
    });
    let author = |at: &usize| programs[*at].author;
    let counts = |set: &Vec<usize>| {
        set.iter().any(|at| author(at) != author(&set[0])) && set.iter().any(|at| !programs[*at].is_earlier)
    };
    let mut sets: Vec<Vec<usize>> = sets.filter(counts).collect();
    sets.sort_by_key(|set| Reverse(set.len()));
    sets
}

/// The sets of programs with the same bytes, but for given files.
fn copies(members: &[usize], programs: &[Program<'_>], skeletons: &[(&str, &[u8])]) -> Vec<Vec<usize>> {
    let mut sets: BTreeMap<Vec<&[u8]>, Vec<usize>> = BTreeMap::new();
    for at in members {
        let texts = programs[*at].files.iter().map(|(_, text)| *text);
        let mut own: Vec<&[u8]> = texts.filter(|text| skeletons.iter().all(|(_, given)| given != text)).collect();
        own.sort_unstable();
        if !own.is_empty() {
            sets.entry(own).or_default().push(*at);
        }
    }
    sets.into_values().collect()
}

/// Marks what two programs share.
fn marked<'a>(found: pair::Match, clusters: &[Cluster], programs: &[Program<'a>]) -> Pair<'a> {
    let pair::Match { left, right, share, shared, clusters: (one, other) } = found;
    // Equal programs have one outline, but each has its own lines.
    let of_left = Outline::of(&programs[left], &[]).only(&clusters[one].outline);
    let of_right = Outline::of(&programs[right], &[]).only(&clusters[other].outline);
    let marks = marks::marks([&of_left, &of_right], [&programs[left], &programs[right]]);
    Pair { left, right, share, shared, marks }
}
