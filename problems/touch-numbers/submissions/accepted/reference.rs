//! Retrograde analysis: start from the finished games and walk the moves backwards.
//!
//! A position is settled the moment its value is known for certain, so results arrive in order of
//! their distance from the end, and whatever is never reached can be prolonged for ever: a draw.
//! Every position is settled once and every move is looked at once, some 40,000 steps in all.

use std::io::{self, Read, Write};

const STATES: usize = 10_000;
const MOVES: [&str; 4] = ["ll", "lr", "rl", "rr"];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    Draw,
    Win,
    Lose,
}

/// The four digits `a b c d`, `a b` to move, read as one number.
fn index(own: [usize; 2], other: [usize; 2]) -> usize {
    own[0] * 1000 + own[1] * 100 + other[0] * 10 + other[1]
}

fn hands(state: usize) -> ([usize; 2], [usize; 2]) {
    ([state / 1000, state / 100 % 10], [state / 10 % 10, state % 10])
}

/// The position after move `m`, seen by the player whose turn it is then.
fn after(state: usize, m: usize) -> Option<usize> {
    let (mut own, other) = hands(state);
    let (mine, theirs) = (m / 2, m % 2);
    if own[mine] == 0 || other[theirs] == 0 {
        return None;
    }
    own[mine] = (own[mine] + other[theirs]) % 10;
    Some(index(other, own))
}

struct Solution {
    value: Vec<Value>,
    best: Vec<u8>,
}

fn solve() -> Solution {
    let mut value = vec![Value::Draw; STATES];
    let mut best = vec![0u8; STATES];
    // How many moves of an open position are not yet known to lose.
    let mut open = vec![0u8; STATES];
    let mut queue = Vec::with_capacity(STATES);

    for (state, open) in open.iter_mut().enumerate() {
        let (own, other) = hands(state);
        let live = |hand: [usize; 2]| hand.iter().filter(|&&digit| digit != 0).count();
        *open = (live(own) * live(other)) as u8;
        // The previous player has just emptied both hands. (The player to move can never have.)
        if live(other) == 0 && live(own) != 0 {
            value[state] = Value::Lose;
            queue.push(state);
        }
    }

    let mut head = 0;
    while let Some(&state) = queue.get(head) {
        head += 1;
        // Undo a move: `now` are the hands of the player who made it, `touched` the other's.
        let (touched, now) = hands(state);
        for mine in 0..2 {
            for theirs in 0..2 {
                let mut before = now;
                before[mine] = (now[mine] + 10 - touched[theirs]) % 10;
                if touched[theirs] == 0 || before[mine] == 0 {
                    continue;
                }
                let earlier = index(before, touched);
                if value[earlier] != Value::Draw {
                    continue;
                }
                if value[state] == Value::Lose {
                    value[earlier] = Value::Win;
                } else {
                    open[earlier] -= 1;
                    if open[earlier] > 0 {
                        continue;
                    }
                    value[earlier] = Value::Lose;
                }
                best[earlier] = (mine * 2 + theirs) as u8;
                queue.push(earlier);
            }
        }
    }

    // What is left can always go to another position that is left.
    for state in 0..STATES {
        if value[state] == Value::Draw {
            let keeps = |&m: &usize| after(state, m).is_some_and(|next| value[next] == Value::Draw);
            best[state] = (0..4).find(keeps).unwrap_or(0) as u8;
        }
    }
    Solution { value, best }
}

fn main() -> io::Result<()> {
    let mut input = String::new();
    io::stdin().read_to_string(&mut input)?;
    let solution = solve();

    let mut output = Vec::with_capacity(input.len() + 16);
    for line in input.lines().skip(1) {
        let state =
            line.bytes().filter(u8::is_ascii_digit).fold(0, |state, digit| state * 10 + usize::from(digit - b'0'));
        output.extend_from_slice(match solution.value[state] {
            Value::Win => b"WIN ",
            Value::Draw => b"DRAW ",
            Value::Lose => b"LOSE ",
        });
        output.extend_from_slice(MOVES[usize::from(solution.best[state])].as_bytes());
        output.push(b'\n');
    }
    io::stdout().write_all(&output)
}
