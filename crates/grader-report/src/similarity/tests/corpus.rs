//! Measures on `tests/similarity` how many disguised copies are found, and how many independent programs look like copies.
//!
//! `cargo test --lib similarity::tests::corpus -- --nocapture` prints the figures of `docs/reports.md`.

use std::collections::BTreeMap;
use std::path::Path;

use super::super::DEFAULT_THRESHOLD;
use super::*;

/// Exercises that were not used to choose the method, unlike the others.
const HELD_OUT: [&str; 4] = ["islands", "saddle", "weather", "words"];

/// An exercise has an original, copies of it by the kind of their disguise, and solutions that others wrote without it.
#[derive(Default)]
struct Exercise {
    name: String,
    original: Source,
    disguises: Vec<(String, Source)>,
    independent: Vec<Source>,
}

/// The name and the text of a file.
type Source = (String, Vec<u8>);

fn exercises() -> Vec<Exercise> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/similarity");
    let mut exercises: BTreeMap<String, Exercise> = BTreeMap::new();
    for entry in walkdir::WalkDir::new(root).sort_by_file_name() {
        let entry = entry.unwrap();
        if !entry.file_type().is_file() {
            continue;
        }
        let path = entry.path();
        let stem = path.file_stem().unwrap().to_str().unwrap();
        let name = path.parent().unwrap().file_name().unwrap().to_str().unwrap();
        let source = (entry.file_name().to_str().unwrap().to_owned(), std::fs::read(path).unwrap());
        let exercise = exercises.entry(name.to_owned()).or_default();
        name.clone_into(&mut exercise.name);
        match stem {
            "original" => exercise.original = source,
            _ if stem.starts_with("independent") => exercise.independent.push(source),
            kind => exercise.disguises.push((kind.to_owned(), source)),
        }
    }
    exercises.into_values().collect()
}

/// The shares of all pairs of programs of different authors.
fn shares(sources: &[&Source]) -> BTreeMap<(usize, usize), f64> {
    let files = sources.iter().map(|(name, text)| vec![(name.as_str(), text.as_slice())]);
    let programs: Vec<Program<'_>> =
        files.enumerate().map(|(author, files)| Program { author, is_earlier: false, files }).collect();
    let found = similar(&programs, &[], &Options { threshold: 0.0, most: usize::MAX });
    let mut shares: BTreeMap<_, _> = found.pairs.iter().map(|pair| ((pair.left, pair.right), pair.share)).collect();
    for set in &found.identical {
        for (at, left) in set.iter().enumerate() {
            shares.extend(set[at + 1..].iter().map(|right| ((*left, *right), 1.0)));
        }
        // One of each set takes part in the pairs.
        let others: Vec<_> = shares.iter().map(|(pair, share)| (*pair, *share)).collect();
        for ((left, right), share) in others {
            for other in set.iter().filter(|_| left == set[0] && !set.contains(&right)) {
                shares.insert((*other.min(&right), *other.max(&right)), share);
            }
        }
    }
    shares
}

/// Shares of pairs of programs.
#[derive(Default)]
struct Shares(Vec<f64>);

impl Shares {
    fn from(&self, threshold: f64) -> usize {
        self.0.iter().filter(|share| **share >= threshold).count()
    }

    fn least(&self) -> f64 {
        self.0.iter().copied().fold(1.0, f64::min)
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "the figures are what the test is for")]
fn disguised_copies_are_found_and_independent_programs_are_not() {
    let mut kinds: BTreeMap<String, Shares> = BTreeMap::new();
    let (mut copies, mut independent) = (<[Shares; 2]>::default(), <[Shares; 2]>::default());
    for exercise in exercises() {
        let held_out = usize::from(HELD_OUT.contains(&&*exercise.name));
        for (kind, disguise) in &exercise.disguises {
            let class: Vec<&Source> = [&exercise.original, disguise].into_iter().chain(&exercise.independent).collect();
            let share = shares(&class).get(&(0, 1)).copied().unwrap_or(0.0);
            kinds.entry(kind.clone()).or_default().0.push(share);
            copies[held_out].0.push(share);
        }
        let class: Vec<&Source> = [&exercise.original].into_iter().chain(&exercise.independent).collect();
        let shares = shares(&class);
        let pairs = (0..class.len()).flat_map(|right| (0..right).map(move |left| (left, right)));
        independent[held_out].0.extend(pairs.map(|pair| shares.get(&pair).copied().unwrap_or(0.0)));
    }
    println!("disguise        found  least share");
    for (kind, shares) in &kinds {
        println!("{kind:14} {:2} of {:2}  {:.2}", shares.from(DEFAULT_THRESHOLD), shares.0.len(), shares.least());
    }
    for threshold in [0.5, 0.6, 0.7, 0.8] {
        for (at, which) in ["used to choose the method", "held out"].iter().enumerate() {
            println!(
                "from {threshold} on, exercises {which}: {} of {} copies found, {} of {} pairs of independent programs",
                copies[at].from(threshold),
                copies[at].0.len(),
                independent[at].from(threshold),
                independent[at].0.len()
            );
        }
    }
    let all = |shares: &[Shares; 2]| shares.iter().map(|shares| shares.from(DEFAULT_THRESHOLD)).sum::<usize>();
    let count = copies.iter().map(|shares| shares.0.len()).sum::<usize>();
    assert!(count >= 60 && kinds.len() >= 12, "{count} disguises of {} kinds", kinds.len());
    assert!(all(&copies) * 100 >= count * 90, "{} of {count} copies are found", all(&copies));
    assert!(all(&independent) <= 2, "{} pairs of independent programs", all(&independent));
}
