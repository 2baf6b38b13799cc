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
    related(clusters, options.threshold, |one, other| {
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

/// Gives `to` every two clusters that may share so much. Two honest programs often have a feature in common, so most pairs
/// end here: the steps of the common features, counted once for each feature, are too few.
fn related(clusters: &[Cluster], threshold: f64, mut to: impl FnMut(usize, usize)) {
    let uses = clusters.iter().enumerate().flat_map(|(cluster, Cluster { outline, .. })| {
        let features = outline.by_digest();
        features.map(move |same| Use { digest: same[0].digest, cluster, tokens: outline.size_of(same) })
    });
    let mut uses: Vec<Use> = uses.collect();
    uses.sort_unstable_by_key(|it| (it.digest, it.cluster));
    let mut places = vec![Vec::new(); clusters.len()];
    for (place, it) in uses.iter().enumerate() {
        places[it.cluster].push(place);
    }
    let mut common_tokens = vec![0; clusters.len()];
    for (one, places) in places.iter().enumerate() {
        let mut others = Vec::new();
        for place in places {
            let Use { digest, tokens, .. } = uses[*place];
            // The uses are sorted: later ones of the same feature are those of later clusters.
            for later in uses[place + 1..].iter().take_while(|later| later.digest == digest) {
                // A feature has tokens.
                if common_tokens[later.cluster] == 0 {
                    others.push(later.cluster);
                }
                common_tokens[later.cluster] += tokens;
            }
        }
        for other in others {
            let most = std::mem::take(&mut common_tokens[other]);
            if share(most, clusters[one].outline.size.min(clusters[other].outline.size)) >= threshold {
                to(one, other);
            }
        }
    }
}

/// A feature of a cluster.
struct Use {
    digest: u64,
    cluster: usize,
    /// The number of tokens of the steps that have it.
    tokens: usize,
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
