//! Starts of a game of Dirac dice: `gen <kind> [--key value]...` prints one start.
//!
//! start --p1 A --p2 B     the two places, 1 to 10
//! random --seed S         two places at random

use std::env;
use std::process::ExitCode;

const TRACK: u64 = 10;

/// splitmix64, so that a seed means the same start everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

/// The number after `--key`, if it is among the arguments.
fn number(arguments: &[String], key: &str) -> Option<u64> {
    let place = arguments.iter().position(|argument| argument.strip_prefix("--") == Some(key))?;
    arguments.get(place + 1)?.parse().ok()
}

fn make(arguments: &[String]) -> Option<[u64; 2]> {
    let start = match arguments.first()?.as_str() {
        "start" => [number(arguments, "p1")?, number(arguments, "p2")?],
        "random" => {
            let mut random = Random(number(arguments, "seed")?);
            [random.next() % TRACK + 1, random.next() % TRACK + 1]
        }
        _ => return None,
    };
    start.iter().all(|place| (1..=TRACK).contains(place)).then_some(start)
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let Some(start) = make(&arguments) else {
        eprintln!("usage: gen start --p1 A --p2 B | gen random --seed S, with A and B from 1 to 10");
        return ExitCode::from(2);
    };
    for (player, place) in (1..).zip(start) {
        println!("Player {player} starting position: {place}");
    }
    ExitCode::SUCCESS
}
