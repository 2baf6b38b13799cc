//! Input visualiser: `visualize INPUT ANSWER` plays the game, compares its result with the answer, and writes the turns
//! to `testcase.json` for `page/page.js`.

use std::fmt::Write as _;
use std::process::ExitCode;
use std::{env, fs};

const TRACK: u32 = 10;
const FACES: u32 = 100;
const GOAL: u32 = 1000;

struct Turn {
    rolls: [u32; 3],
    /// Where the pawn comes to rest, and the score after that.
    place: u32,
    score: u32,
}

struct Game {
    starts: [u32; 2],
    /// The players take turns, player 1 first.
    turns: Vec<Turn>,
    /// The score of the player who lost.
    lost_with: u32,
}

fn play(starts: [u32; 2]) -> Game {
    let mut players = starts.map(|place| (place, 0));
    let mut turns: Vec<Turn> = Vec::new();
    let mut rolls = (1..=FACES).cycle();
    loop {
        let mover = turns.len() % 2;
        let rolls = [(); 3].map(|()| rolls.next().expect("the die never stops"));
        let (place, score) = &mut players[mover];
        *place = (*place + rolls.iter().sum::<u32>() - 1) % TRACK + 1; // places count from 1
        *score += *place;
        turns.push(Turn { rolls, place: *place, score: *score });
        if *score >= GOAL {
            return Game { starts, turns, lost_with: players[1 - mover].1 };
        }
    }
}

impl Game {
    fn rolls(&self) -> usize {
        3 * self.turns.len()
    }

    fn product(&self) -> usize {
        self.lost_with as usize * self.rolls()
    }

    fn json(&self) -> String {
        let (starts, rolls, product) = (self.starts, self.rolls(), self.product());
        let mut json = format!(
            "{{\"starts\":{starts:?},\"goal\":{GOAL},\"lostWith\":{},\"rolls\":{rolls},\"product\":{product},\
             \"turns\":[",
            self.lost_with
        );
        for (number, Turn { rolls: [a, b, c], place, score }) in self.turns.iter().enumerate() {
            let comma = if number > 0 { "," } else { "" };
            let _ = write!(json, "{comma}[{a},{b},{c},{place},{score}]"); // a String takes everything
        }
        json + "]}\n"
    }
}

fn starts(input: &str) -> Option<[u32; 2]> {
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
    let game = play(starts(&input).ok_or("the input is not two starting positions from 1 to 10")?);
    let product = game.product();
    if answer.trim() != product.to_string() {
        return Err(format!("the answer is `{}`, but this game ends with {product}", answer.trim()));
    }
    fs::write("testcase.json", game.json()).map_err(|error| format!("cannot write testcase.json: {error}"))
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
