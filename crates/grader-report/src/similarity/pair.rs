//! Finds clusters with common features by an index, measures what they share, and keeps the best pairs.

use std::cmp::Ordering;

use super::cluster::Cluster;
use super::{Options, Program};

/// A match is a pair without its lines.
#[derive(Debug, Clone, Copy)]
pub(super) struct Match {
    pub(super) left: usize,
    pub(super) right: usize,
    pub(super) share: f64,
    pub(super) shared: usize,
    /// The clusters of the two programs.
    pub(super) clusters: (usize, usize),
}

impl Match {
    /// The better pair is less.
    fn order(&self, other: &Self) -> Ordering {
        let by_share = other.share.total_cmp(&self.share).then(other.shared.cmp(&self.shared));
        by_share.then((self.left, self.right).cmp(&(other.left, other.right)))
    }
}

/// Finds the best pairs, sorted, and counts those that are left out.
pub(super) fn best(clusters: &[Cluster], programs: &[Program<'_>], options: &Options) -> (Vec<Match>, usize) {
    let mut best = Best { most: options.most, pairs: Vec::new(), more: 0 };
    related(clusters, |one, other| {
        let (left, right) = (&clusters[one].outline, &clusters[other].outline);
        let [ours, theirs] = left.shared(right);
        let shared = left.size_of(ours.concat().iter()).min(right.size_of(theirs.concat().iter()));
        let share = share(shared, left.size.min(right.size));
        if share >= options.threshold
            && let Some(pair) = members(one, other, clusters, programs)
        {
            best.add(Match { share, shared, ..pair });
        }
    });
    best.cut();
    (best.pairs, best.more)
}

/// Gives `to` every two clusters with common features.
fn related(clusters: &[Cluster], mut to: impl FnMut(usize, usize)) {
    let uses = clusters.iter().enumerate();
    let uses = uses.flat_map(|(at, cluster)| cluster.outline.features.iter().map(move |it| (it.digest, at)));
    let mut uses: Vec<(u64, usize)> = uses.collect();
    uses.sort_unstable();
    uses.dedup();
    let mut places = vec![Vec::new(); clusters.len()];
    for (place, (_, cluster)) in uses.iter().enumerate() {
        places[*cluster].push(place);
    }
    let mut is_found = vec![false; clusters.len()];
    for (one, places) in places.iter().enumerate() {
        let mut others = Vec::new();
        for place in places {
            // The uses are sorted: later ones of the same feature are those of later clusters.
            let later = uses[place + 1..].iter().take_while(|(digest, _)| *digest == uses[*place].0);
            for (_, other) in later {
                if !std::mem::replace(&mut is_found[*other], true) {
                    others.push(*other);
                }
            }
        }
        for other in others {
            is_found[other] = false;
            to(one, other);
        }
    }
}

/// Divides two numbers of tokens.
#[expect(clippy::cast_precision_loss, reason = "far fewer than 2^53 tokens")]
fn share(shared: usize, all: usize) -> f64 {
    shared as f64 / all as f64
}

/// Chooses the first programs of two clusters that have different authors.
fn members(one: usize, other: usize, clusters: &[Cluster], programs: &[Program<'_>]) -> Option<Match> {
    let ones = &clusters[one].members;
    let others = &clusters[other].members;
    let differ = |left: usize, right: usize| {
        let (left, right) = (&programs[left], &programs[right]);
        left.author != right.author && !(left.is_earlier && right.is_earlier)
    };
    let right = others.iter().find(|at| differ(ones[0], **at)).map(|at| (ones[0], *at));
    let (left, right) = right.or_else(|| ones.iter().find(|at| differ(**at, others[0])).map(|at| (*at, others[0])))?;
    let found = Match { left, right, share: 0.0, shared: 0, clusters: (one, other) };
    Some(if left < right { found } else { Match { left: right, right: left, clusters: (other, one), ..found } })
}

/// It keeps the best pairs so far, and a few more.
struct Best {
    most: usize,
    pairs: Vec<Match>,
    /// The number of pairs that were dropped.
    more: usize,
}

impl Best {
    /// Adds a pair.
    fn add(&mut self, pair: Match) {
        self.pairs.push(pair);
        // A class may have millions of pairs. Rare sorting bounds their memory.
        if self.pairs.len() / 2 > self.most.max(1 << 10) {
            self.cut();
        }
    }

    /// Sorts the pairs and drops all but the best.
    fn cut(&mut self) {
        self.pairs.sort_unstable_by(Match::order);
        self.more += self.pairs.len().saturating_sub(self.most);
        self.pairs.truncate(self.most);
    }
}
