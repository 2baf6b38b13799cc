//! A few of many mutants.

use std::collections::HashMap;

use sha2::{Digest, Sha256};

use crate::Mutant;

/// At most `number` of the mutants, in their order, the same ones for the same `seed`. Every operator gets its turn
/// before any gets another, and of its mutants the one on the line with the fewest chosen mutants is next.
pub fn sample(mutants: Vec<Mutant>, number: usize, seed: u64) -> Vec<Mutant> {
    if mutants.len() <= number {
        return mutants;
    }
    let mut groups = groups(&mutants, seed);
    let mut lines: HashMap<usize, usize> = HashMap::new();
    let mut chosen = vec![false; mutants.len()];
    let mut left = number;
    while left > 0 {
        for group in &mut groups {
            let next =
                group.iter().enumerate().min_by_key(|(_, index)| lines.get(&mutants[**index].line).unwrap_or(&0));
            let Some((place, index)) = next.map(|(place, index)| (place, *index)) else { continue };
            // Not `swap_remove`: the order decides between lines with equally many.
            group.remove(place);
            *lines.entry(mutants[index].line).or_default() += 1;
            chosen[index] = true;
            left -= 1;
            if left == 0 {
                break;
            }
        }
    }
    let mut chosen = chosen.into_iter();
    mutants.into_iter().filter(|_| chosen.next() == Some(true)).collect()
}

/// The places of the mutants of each operator. The seed decides the order of operators and of their mutants.
fn groups(mutants: &[Mutant], seed: u64) -> Vec<Vec<usize>> {
    let mut by_operator: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, mutant) in mutants.iter().enumerate() {
        by_operator.entry(mutant.operator).or_default().push(index);
    }
    let mut groups: Vec<(&str, Vec<usize>)> = by_operator.into_iter().collect();
    groups.sort_by_cached_key(|(operator, _)| lot(seed, operator, &[]));
    for (_, group) in &mut groups {
        group.sort_by_cached_key(|index| {
            let Mutant { operator, span, replacement, .. } = &mutants[*index];
            lot(seed, operator, &[&span.start.to_le_bytes(), &span.end.to_le_bytes(), replacement.as_bytes()])
        });
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// A number that looks random, and is the same on every machine.
fn lot(seed: u64, operator: &str, parts: &[&[u8]]) -> [u8; 32] {
    let mut digest = Sha256::new();
    digest.update(seed.to_le_bytes());
    digest.update(operator);
    for part in parts {
        digest.update(part);
    }
    digest.finalize().into()
}
