//! gen max           the largest input
//! gen random SEED   any input

use std::env;

const LARGEST: u64 = 1000;

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["max"] => println!("{LARGEST}"),
        ["random", seed] => println!("{}", 2 + mix(seed.parse().expect("a seed")) % (LARGEST - 1)),
        _ => panic!("unknown arguments {words:?}"),
    }
}

/// One step of splitmix64: the same number everywhere for the same seed.
fn mix(seed: u64) -> u64 {
    let mut mixed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
