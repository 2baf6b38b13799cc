//! Slow: looks 18 plies ahead, one more than the longest forced win takes, without remembering any position.

use std::io::{self, Read};

const DEPTH: u32 = 18;

type Hands = [u8; 2];

/// 1: the player to move wins within `depth` plies, -1: loses, 0: neither.
fn search(own: Hands, other: Hands, depth: u32) -> (i8, usize) {
    if own == [0, 0] {
        return (1, 0);
    }
    if other == [0, 0] {
        return (-1, 0);
    }
    if depth == 0 {
        return (0, 0);
    }
    let mut best = (-2, 0);
    for (number, (mine, theirs)) in [(0, 0), (0, 1), (1, 0), (1, 1)].into_iter().enumerate() {
        if own[mine] == 0 || other[theirs] == 0 {
            continue;
        }
        let mut next = own;
        next[mine] = (own[mine] + other[theirs]) % 10;
        let value = -search(other, next, depth - 1).0;
        if value > best.0 {
            best = (value, number);
            if value == 1 {
                break;
            }
        }
    }
    best
}

fn main() {
    let mut input = String::new();
    io::stdin().read_to_string(&mut input).expect("the input is text");
    for line in input.lines().skip(1) {
        let hand: Vec<u8> = line.split_whitespace().map(|digit| digit.parse().expect("a digit")).collect();
        let (own, other) = ([hand[0], hand[1]], [hand[2], hand[3]]);
        // Deepen step by step, so that a short forced result is found soon.
        let (value, best) = (1..=DEPTH)
            .map(|depth| search(own, other, depth))
            .find(|&(value, _)| value != 0)
            .unwrap_or_else(|| search(own, other, DEPTH));
        let value = ["LOSE", "DRAW", "WIN"][(value + 1) as usize];
        println!("{value} {}", ["ll", "lr", "rl", "rr"][best]);
    }
}
