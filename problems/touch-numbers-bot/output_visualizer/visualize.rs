//! Output visualiser: `visualize INPUT ANSWER FEEDBACK_DIR/` reads `game.txt`, which the judge of the game wrote there,
//! and writes `judgeimage.json`.
//!
//! The game is played again by the rules and each position gets its exact value, so that the page can show the move
//! that gave something away. A record that does not follow the rules, or does not belong to the input, is refused.

use std::env;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

const STATES: usize = 10_000;
const MAX_PLIES: usize = 200;
/// So many bytes of a line of the submission are shown.
const MAX_LINE: usize = 200;
const MOVES: [&str; 4] = ["ll", "lr", "rl", "rr"];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    Draw,
    Win,
    Lose,
}

impl Value {
    fn reversed(self) -> Value {
        match self {
            Value::Draw => Value::Draw,
            Value::Win => Value::Lose,
            Value::Lose => Value::Win,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Value::Draw => "DRAW",
            Value::Win => "WIN",
            Value::Lose => "LOSE",
        }
    }
}

/// The hands of the player to move, left and right, then those of the other.
#[derive(Clone, Copy, PartialEq, Eq)]
struct State([u8; 4]);

impl State {
    fn new(number: usize) -> State {
        State([1000, 100, 10, 1].map(|place| (number / place % 10) as u8))
    }

    fn parse(text: &str) -> Option<State> {
        let digits: Option<Vec<u8>> =
            text.split(' ').map(|word| word.parse().ok().filter(|&digit| digit < 10)).collect();
        digits?.try_into().ok().map(State).filter(|state| !state.over())
    }

    fn number(self) -> usize {
        self.0.iter().fold(0, |number, &digit| number * 10 + usize::from(digit))
    }

    fn swapped(self) -> State {
        let [a, b, c, d] = self.0;
        State([c, d, a, b])
    }

    /// The position that the other player finds; `None` if the move is illegal.
    fn play(self, play: usize) -> Option<State> {
        let mut hands = self.0;
        let (mine, theirs) = (hands[play / 2], hands[2 + play % 2]);
        if mine == 0 || theirs == 0 {
            return None;
        }
        hands[play / 2] = (mine + theirs) % 10;
        Some(State(hands).swapped())
    }

    fn moves(self) -> impl Iterator<Item = (usize, State)> {
        (0..4).filter_map(move |play| Some((play, self.play(play)?)))
    }

    /// The previous move has emptied both hands of the player who made it.
    fn lost(self) -> bool {
        self.0[2..] == [0, 0]
    }

    fn over(self) -> bool {
        self.lost() || self.0[..2] == [0, 0]
    }
}

/// The value of each position for the player to move; for decided ones, also the plies to the end.
struct Table(Vec<(Value, usize)>);

impl Table {
    fn new() -> Table {
        let mut table = Table(vec![(Value::Draw, 0); STATES]);
        for lost in (100..STATES).step_by(100) {
            table.0[lost] = (Value::Lose, 0);
        }
        // Each round settles what is decided one ply earlier than the round before.
        for plies in 1.. {
            let settle = |state: State| {
                if state.over() || table.of(state) != Value::Draw {
                    return None;
                }
                if state.moves().any(|(_, next)| table.of(next) == Value::Lose) {
                    return Some((state.number(), Value::Win));
                }
                state.moves().all(|(_, next)| table.of(next) == Value::Win).then_some((state.number(), Value::Lose))
            };
            let settled: Vec<(usize, Value)> = (0..STATES).map(State::new).filter_map(settle).collect();
            if settled.is_empty() {
                break;
            }
            for (number, value) in settled {
                table.0[number] = (value, plies);
            }
        }
        table
    }

    fn of(&self, state: State) -> Value {
        self.0[state.number()].0
    }

    fn plies(&self, state: State) -> usize {
        self.0[state.number()].1
    }

    /// The moves that keep the value, a bit for each.
    fn keeping(&self, state: State) -> usize {
        let keeps = |next: State| self.of(next).reversed() == self.of(state);
        state.moves().filter(|&(_, next)| keeps(next)).fold(0, |mask, (play, _)| mask | 1 << play)
    }
}

/// How a game ended: the last line of the judge, its verdict, a word for the reason, the submission's last line.
struct End {
    result: Value,
    accepted: bool,
    why: String,
    line: Vec<u8>,
}

impl End {
    fn parse(text: &str) -> Option<End> {
        let mut words = text.split(' ');
        let result = match words.next()? {
            "WIN" => Value::Win,
            "DRAW" => Value::Draw,
            "LOSE" => Value::Lose,
            _ => return None,
        };
        let accepted = match words.next()? {
            "accepted" => true,
            "rejected" => false,
            _ => return None,
        };
        let why = words.next()?.to_string();
        let line = match words.next() {
            None | Some("-") => Vec::new(),
            Some(hex) => hex
                .as_bytes()
                .chunks(2)
                .take(MAX_LINE)
                .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
                .collect::<Option<_>>()?,
        };
        Some(End { result, accepted, why, line })
    }
}

/// A game as it was played. The states are those of the player to move.
struct Game {
    bot_first: bool,
    style: String,
    states: Vec<State>,
    moves: Vec<usize>,
    /// Nothing, if the judge was stopped before the end.
    end: Option<End>,
}

impl Game {
    fn parse(record: &str, input: &str) -> Result<Game, String> {
        // A line that was not written to its end does not count.
        let mut lines = record.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
        let mut head = |key: &str| {
            let line = lines.next().filter(|line| line.split(' ').next() == Some(key));
            let line = line.ok_or_else(|| format!("game.txt has no line `{key} …` at its place"))?;
            if !input.lines().any(|other| other == line) {
                return Err(format!("`{line}` of game.txt is not in the input"));
            }
            Ok(line[key.len()..].trim_start())
        };
        let start = State::parse(head("start")?).ok_or("game.txt does not begin with an open position")?;
        let bot_first = head("side")? == "first";
        let style = head("style")?.to_string();
        if !["best", "random", "mixed"].contains(&style.as_str()) {
            return Err("game.txt has an unknown style".into());
        }

        let first = if bot_first { start } else { start.swapped() };
        let mut game = Game { bot_first, style, states: vec![first], moves: Vec::new(), end: None };
        for line in lines {
            let ply = game.moves.len() + 1;
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            if game.end.is_some() {
                return Err("game.txt goes on after the end of the game".into());
            }
            if word == "end" {
                game.end = Some(End::parse(rest).ok_or("game.txt has an end that cannot be read")?);
                continue;
            }
            let state = game.last();
            let next = MOVES.iter().position(|&name| name == rest).and_then(|play| Some((play, state.play(play)?)));
            let right = word == if game.bots_turn() { "bot" } else { "judge" };
            let (play, next) = next
                .filter(|_| right && !state.over() && ply <= MAX_PLIES)
                .ok_or_else(|| format!("move {ply} of game.txt is against the rules"))?;
            game.moves.push(play);
            game.states.push(next);
        }
        Ok(game)
    }

    fn last(&self) -> State {
        self.states[self.moves.len()]
    }

    fn bots_turn(&self) -> bool {
        self.is_bots(self.moves.len())
    }

    fn is_bots(&self, ply: usize) -> bool {
        (ply % 2 == 0) == self.bot_first
    }

    /// What the position after so many plies is worth to the submission.
    fn value(&self, table: &Table, ply: usize) -> Value {
        let value = table.of(self.states[ply]);
        if self.is_bots(ply) {
            value
        } else {
            value.reversed()
        }
    }

    /// The first position from which the submission could have won.
    fn could_win(&self, table: &Table) -> Option<usize> {
        (0..self.moves.len()).find(|&ply| self.is_bots(ply) && self.value(table, ply) == Value::Win)
    }

    /// What the judge said must follow from the moves.
    fn check_end(&self, table: &Table) -> Result<(), String> {
        let Some(end) = &self.end else {
            return Ok(());
        };
        let (full, over) = (self.moves.len() == MAX_PLIES, self.last().over());
        let name = MOVES.iter().position(|name| name.as_bytes() == end.line);
        let (result, fits) = match end.why.as_str() {
            "finished" => (if self.bots_turn() { Value::Lose } else { Value::Win }, over),
            "limit" => (Value::Draw, full && !over),
            "malformed" => (Value::Lose, name.is_none()),
            "illegal" => (Value::Lose, name.is_some_and(|play| self.last().play(play).is_none())),
            "long" | "closed" | "unreadable" => (Value::Lose, true),
            _ => return Err("game.txt ends for an unknown reason".into()),
        };
        let asked = ["finished", "limit"].contains(&end.why.as_str()) || (self.bots_turn() && !over && !full);
        let accepted = match result {
            Value::Win => true,
            Value::Lose => false,
            Value::Draw => self.could_win(table).is_none(),
        };
        if !fits || !asked || result != end.result || accepted != end.accepted {
            return Err("the end of game.txt does not follow from its moves".into());
        }
        Ok(())
    }

    fn json(&self, table: &Table) -> String {
        let plies = 0..self.states.len();
        // The submission's hands are the first two of each position, whoever is to move.
        let own = |ply: usize| if self.is_bots(ply) { self.states[ply] } else { self.states[ply].swapped() };
        let states: String = plies.clone().map(|ply| format!("{:04}", own(ply).number())).collect();
        let values: String = plies.clone().map(|ply| &self.value(table, ply).name()[..1]).collect();
        let distances = list(plies.clone().map(|ply| table.plies(self.states[ply])));
        let keeping: String = plies.map(|ply| format!("{:x}", table.keeping(self.states[ply]))).collect();
        let moves: String = self.moves.iter().map(ToString::to_string).collect();
        let worth = |ply: usize| match self.value(table, ply) {
            Value::Lose => 0,
            Value::Draw => 1,
            Value::Win => 2,
        };
        let drops = list((0..self.moves.len()).filter(|&ply| self.is_bots(ply) && worth(ply + 1) < worth(ply)));
        let could_win = self.could_win(table).map_or("null".into(), |ply| ply.to_string());
        let end = match &self.end {
            None => "null".into(),
            Some(end) => format!(
                "{{\"result\":\"{}\",\"accepted\":{},\"why\":\"{}\",\"line\":{}}}",
                end.result.name(),
                end.accepted,
                end.why,
                list(end.line.iter().map(|&byte| usize::from(byte)))
            ),
        };
        format!(
            "{{\"botFirst\":{},\"style\":\"{}\",\"states\":\"{states}\",\"moves\":\"{moves}\",\"values\":\"{values}\",\
             \"plies\":{distances},\"keeping\":\"{keeping}\",\"drops\":{drops},\"couldWin\":{could_win},\
             \"end\":{end}}}\n",
            self.bot_first, self.style
        )
    }
}

fn list(numbers: impl Iterator<Item = usize>) -> String {
    let numbers: Vec<String> = numbers.map(|number| number.to_string()).collect();
    format!("[{}]", numbers.join(","))
}

fn run(args: &[String]) -> Result<(), String> {
    let [input, _answer, feedback, ..] = args else {
        return Err("usage: visualize input answer feedback_dir/".into());
    };
    let feedback = Path::new(feedback);
    let record = fs::read_to_string(feedback.join("game.txt")).map_err(|error| format!("game.txt: {error}"))?;
    let input = fs::read_to_string(input).map_err(|error| format!("{input}: {error}"))?;
    let game = Game::parse(&record, &input)?;
    let table = Table::new();
    game.check_end(&table)?;
    fs::write(feedback.join("judgeimage.json"), game.json(&table)).map_err(|error| format!("judgeimage.json: {error}"))
}

fn main() -> ExitCode {
    let args: Vec<String> = env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned()).collect();
    match run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
