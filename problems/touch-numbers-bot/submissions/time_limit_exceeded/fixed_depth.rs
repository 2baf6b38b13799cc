//! Slow: looks 18 plies ahead, one more than the longest forced win takes, without remembering any position.

use std::io::{self, BufRead, Write};

const MAX_PLIES: usize = 200;
const MOVES: [&str; 4] = ["ll", "lr", "rl", "rr"];
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

fn main() -> io::Result<()> {
    let mut lines = io::stdin().lock().lines();
    let mut read = || lines.next().unwrap_or(Ok(String::new()));
    let mut my_turn = read()? == "first";
    let hands: Vec<u8> = read()?.split_whitespace().map(|digit| digit.parse().expect("a digit")).collect();
    let (me, judge) = ([hands[0], hands[1]], [hands[2], hands[3]]);
    let (mut own, mut other) = if my_turn { (me, judge) } else { (judge, me) };
    let mut plies = 0;
    while plies < MAX_PLIES && other != [0, 0] {
        let code = if my_turn {
            // Deepen step by step, so that the fastest win is found first.
            let (_, code) = (1..=DEPTH)
                .map(|depth| search(own, other, depth))
                .find(|&(value, _)| value > 0)
                .unwrap_or_else(|| search(own, other, DEPTH));
            println!("{}", MOVES[code]);
            io::stdout().flush()?;
            code
        } else {
            let line = read()?;
            match MOVES.iter().position(|name| *name == line) {
                Some(code) => code,
                None => return Ok(()),
            }
        };
        own[code / 2] = (own[code / 2] + other[code % 2]) % 10;
        (own, other) = (other, own);
        my_turn = !my_turn;
        plies += 1;
    }
    read()?;
    Ok(())
}
