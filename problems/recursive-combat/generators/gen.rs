//! Prints one case of Recursive Combat on the standard output; the same arguments always print the same one.
//!
//!     gen random --n1 25 --n2 25 --seed 1 [--max 50]     shuffled cards from 1..=max, by default as many as there are
//!     gen sorted --n1 25 --n2 25 --seed 1                both decks ascending
//!     gen cards --one 9,2,6 --two 5,8                    exactly these cards

use std::collections::HashMap;

/// SplitMix64: small, and the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    /// `count` distinct numbers from 1 to `max` in random order.
    fn cards(&mut self, count: usize, max: usize) -> Vec<u32> {
        assert!(count <= max, "--max is below the number of cards");
        let mut cards: Vec<u32> = (1..=max as u32).collect();
        for done in 0..count {
            let other = done + self.below(max - done);
            cards.swap(done, other);
        }
        cards.truncate(count);
        cards
    }
}

struct Options(HashMap<String, String>);

impl Options {
    fn number(&self, name: &str) -> usize {
        self.optional(name).unwrap_or_else(|| panic!("--{name} is missing"))
    }

    fn optional(&self, name: &str) -> Option<usize> {
        self.0.get(name).map(|text| text.parse().unwrap_or_else(|_| panic!("--{name} is not a number")))
    }

    fn cards(&self, name: &str) -> Vec<u32> {
        let text = self.0.get(name).unwrap_or_else(|| panic!("--{name} is missing"));
        text.split(',').map(|card| card.parse().expect("a card is not a number")).collect()
    }
}

fn deal(options: &Options) -> [Vec<u32>; 2] {
    let (n1, n2) = (options.number("n1"), options.number("n2"));
    let max = options.optional("max").unwrap_or(n1 + n2);
    let mut one = Random(options.number("seed") as u64).cards(n1 + n2, max);
    let two = one.split_off(n1);
    [one, two]
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let kind = arguments.next().expect("usage: gen <kind> [--key value]…");
    let mut options = Options(HashMap::new());
    while let Some(key) = arguments.next() {
        let name = key.strip_prefix("--").expect("expected --key").to_owned();
        options.0.insert(name, arguments.next().expect("expected a value"));
    }
    let [one, two] = match kind.as_str() {
        "random" => deal(&options),
        "sorted" => deal(&options).map(|mut cards| {
            cards.sort_unstable();
            cards
        }),
        "cards" => [options.cards("one"), options.cards("two")],
        _ => panic!("unknown kind {kind}"),
    };
    let lines = |cards: Vec<u32>| cards.iter().map(|card| format!("{card}\n")).collect::<String>();
    print!("Player 1:\n{}\nPlayer 2:\n{}", lines(one), lines(two));
}
