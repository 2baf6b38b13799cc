//! Solves the game backwards from its ends, then always plays the best move of the table.
//!
//! It is not enough to stay in won positions: moves that all keep the win may go round in a circle. So the table also
//! holds the distance from the end, and the bot heads for the fastest win (and the slowest loss).

use std::io::{self, BufRead, Write};

const STATES: usize = 10_000;
const MAX_PLIES: usize = 200;
const MOVES: [&str; 4] = ["ll", "lr", "rl", "rr"];

/// Twice the digits of one side: whoever is to move comes first.
type State = [usize; 4];

fn number(state: State) -> usize {
    state.iter().fold(0, |number, digit| number * 10 + digit)
}

/// The position after a move, seen by the player whose turn it is then.
fn after([a, b, c, d]: State, code: usize) -> Option<State> {
    let mut own = [a, b];
    let touched = [c, d][code % 2];
    let mine = &mut own[code / 2];
    if *mine == 0 || touched == 0 {
        return None;
    }
    *mine = (*mine + touched) % 10;
    Some([c, d, own[0], own[1]])
}

/// How good each position is for the player to move: positive if it is won, and more so if it is won sooner;
/// negative if it is lost; 0 if it is drawn.
fn solve() -> Vec<i32> {
    let mut score = vec![0i32; STATES];
    // How many moves of a position have not been seen to lose yet.
    let mut open = vec![0usize; STATES];
    let mut queue: Vec<State> = Vec::with_capacity(STATES);
    for (n, open) in open.iter_mut().enumerate() {
        let state = [n / 1000, n / 100 % 10, n / 10 % 10, n % 10];
        *open = (0..4).filter(|&code| after(state, code).is_some()).count();
        if state[2] + state[3] == 0 && state[0] + state[1] > 0 {
            score[n] = -1000;
            queue.push(state);
        }
    }
    let mut head = 0;
    while let Some(&state) = queue.get(head) {
        head += 1;
        let result = score[number(state)];
        let [a, b, c, d] = state;
        // Undo each move that may have led here: it has changed one of the hands `c d`.
        for (changed, touched) in [(0, a), (0, b), (1, a), (1, b)] {
            let mut before = [c, d, a, b];
            before[changed] = (before[changed] + 10 - touched) % 10;
            let n = number(before);
            if touched == 0 || before[changed] == 0 || score[n] != 0 {
                continue;
            }
            if result > 0 {
                open[n] -= 1;
                if open[n] > 0 {
                    continue;
                }
            }
            // One ply further from the end.
            score[n] = result.signum() - result;
            queue.push(before);
        }
    }
    score
}

fn best(score: &[i32], state: State) -> usize {
    (0..4).filter_map(|code| Some((score[number(after(state, code)?)], code))).min().map_or(0, |(_, code)| code)
}

fn main() -> io::Result<()> {
    let score = solve();
    let mut lines = io::stdin().lock().lines();
    let mut read = || lines.next().unwrap_or(Ok(String::new()));

    let mut my_turn = read()? == "first";
    let mut state: State = [0; 4];
    for (digit, text) in state.iter_mut().zip(read()?.split_whitespace()) {
        *digit = text.parse().unwrap_or(0);
    }
    if !my_turn {
        state.rotate_left(2);
    }
    let mut plies = 0;
    while plies < MAX_PLIES && state[2] + state[3] > 0 {
        let code = if my_turn {
            let code = best(&score, state);
            let mut output = io::stdout();
            writeln!(output, "{}", MOVES[code])?;
            output.flush()?;
            code
        } else {
            let line = read()?;
            match MOVES.iter().position(|name| *name == line) {
                Some(code) => code,
                // The judge has ended the game.
                None => return Ok(()),
            }
        };
        let Some(next) = after(state, code) else { break };
        state = next;
        my_turn = !my_turn;
        plies += 1;
    }
    // The result. There is nothing to be done about it any more.
    read()?;
    Ok(())
}
