//! Input visualiser: `visualize INPUT ANSWER` counts the universes turn by turn, compares the end with the answer, and
//! writes the counts to `testcase.json` for `page/page.js`.
//!
//! The players never touch each other: the universes in which player 1 is here and player 2 is there are as many as
//! player 1's rolls alone make, times those that player 2's rolls alone make. So each player's counts are enough.

use std::fmt::{Display, Write as _};
use std::process::ExitCode;
use std::{env, fs};

const TRACK: usize = 10;
const GOAL: usize = 21;
const FACES: [usize; 3] = [1, 2, 3];
const LEAST: usize = 3 * FACES[0];
const MOST: usize = 3 * FACES[2];

/// The universes of one player by score and place (places counted from 0), as far as the goal is not reached.
type Spread = [[u128; TRACK]; GOAL];

/// How often three rolls sum to 3, 4, … 9.
fn ways() -> [u128; MOST - LEAST + 1] {
    let mut ways = [0; MOST - LEAST + 1];
    for first in FACES {
        for second in FACES {
            for third in FACES {
                ways[first + second + third - LEAST] += 1;
            }
        }
    }
    ways
}

/// What one player's rolls alone make, by the number of turns this player took.
struct Player {
    spreads: Vec<Spread>,
    /// How many universes a spread has, and how many reach the goal in just this turn.
    short: Vec<u128>,
    arrive: Vec<u128>,
}

impl Player {
    fn follow(start: usize) -> Player {
        let mut spread = [[0; TRACK]; GOAL];
        spread[0][start - 1] = 1;
        let mut player = Player { spreads: vec![spread], short: vec![1], arrive: vec![0] };
        while player.short.last() != Some(&0) {
            let (mut next, mut arrive) = ([[0; TRACK]; GOAL], 0);
            for (score, places) in spread.iter().enumerate() {
                for (place, &count) in places.iter().enumerate().filter(|(_, &count)| count > 0) {
                    for (sum, ways) in (LEAST..).zip(ways()) {
                        let place = (place + sum) % TRACK;
                        match next.get_mut(score + place + 1) {
                            Some(places) => places[place] += count * ways,
                            None => arrive += count * ways,
                        }
                    }
                }
            }
            spread = next;
            player.short.push(spread.iter().flatten().sum());
            player.arrive.push(arrive);
            player.spreads.push(spread);
        }
        player
    }

    /// For each number of turns the places that occur: `[score,place,"universes"]`.
    fn json(&self) -> String {
        let spread = |spread: &Spread| {
            let mut cells = Vec::new();
            for (score, places) in spread.iter().enumerate() {
                for (place, count) in (1..).zip(places).filter(|(_, &count)| count > 0) {
                    cells.push(format!("[{score},{place},\"{count}\"]"));
                }
            }
            format!("[{}]", cells.join(","))
        };
        let spreads: Vec<String> = self.spreads.iter().map(spread).collect();
        format!("{{\"short\":{},\"spreads\":[{}]}}", texts(&self.short), spreads.join(","))
    }
}

/// Numbers that JSON readers would round, as texts.
fn texts<T: Display>(numbers: &[T]) -> String {
    let texts: Vec<String> = numbers.iter().map(|number| format!("\"{number}\"")).collect();
    format!("[{}]", texts.join(","))
}

/// One turn in all universes: in `won` of them the mover reaches the goal, in `on` the game goes on.
struct Turn {
    won: u128,
    on: u128,
}

fn play(players: &[Player; 2]) -> Result<Vec<Turn>, String> {
    let mut turns: Vec<Turn> = Vec::new();
    let mut before = 1;
    while before > 0 {
        let mover = turns.len() % 2;
        let taken = turns.len() / 2 + 1;
        // Player 2 has taken as many turns as player 1 before, or one less.
        let other = &players[1 - mover].short[taken - 1 + mover];
        let turn = Turn { won: players[mover].arrive[taken] * other, on: players[mover].short[taken] * other };
        if turn.won + turn.on != before * ways().iter().sum::<u128>() {
            return Err(format!("turn {}: universes were lost", turns.len() + 1));
        }
        before = turn.on;
        turns.push(turn);
    }
    Ok(turns)
}

fn starts(input: &str) -> Option<[usize; 2]> {
    let mut lines = input.lines();
    let mut starts = [0; 2];
    for (number, start) in (1..).zip(&mut starts) {
        let place = lines.next()?.strip_prefix(&format!("Player {number} starting position: "))?;
        *start = place.parse().ok().filter(|place| (1..=TRACK).contains(place))?;
    }
    lines.next().is_none().then_some(starts)
}

fn run() -> Result<(), String> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [input, answer, ..] = arguments.as_slice() else {
        return Err("usage: visualize INPUT ANSWER".into());
    };
    let read = |path: &String| fs::read_to_string(path).map_err(|error| format!("cannot read {path}: {error}"));
    let (input, answer) = (read(input)?, read(answer)?);
    let starts = starts(&input).ok_or("the input is not two starting positions from 1 to 10")?;
    let players = starts.map(Player::follow);
    let turns = play(&players)?;
    let mut wins = [0; 2];
    for (number, turn) in turns.iter().enumerate() {
        wins[number % 2] += turn.won;
    }
    let most = wins[0].max(wins[1]);
    if answer.trim() != most.to_string() {
        return Err(format!("the answer is `{}`, but the better player wins in {most} universes", answer.trim()));
    }

    let mut json = format!("{{\"starts\":{starts:?},\"goal\":{GOAL},\"least\":{LEAST},\"ways\":{:?}", ways());
    let (won, on): (Vec<_>, Vec<_>) = turns.iter().map(|turn| (turn.won, turn.on)).unzip();
    let _ = write!(json, ",\"won\":{},\"on\":{},\"wins\":{}", texts(&won), texts(&on), texts(&wins)); // never fails
    let _ = writeln!(json, ",\"players\":[{},{}]}}", players[0].json(), players[1].json());
    fs::write("testcase.json", json).map_err(|error| format!("cannot write testcase.json: {error}"))
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("visualize: {message}");
            ExitCode::FAILURE
        }
    }
}
