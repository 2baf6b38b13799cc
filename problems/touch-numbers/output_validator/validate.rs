//! Output validator: `validate input answer feedback_dir/ < team_output`.
//!
//! Exit code 42 accepts, 43 rejects with a reason in `judgemessage.txt`; 1 means that the case
//! itself could not be read. The game is small enough to be solved here, so the answer file is
//! not needed: a value is checked against the rules, and a move by where it leads.
//! Blanks and the case of letters do not matter.

use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::ExitCode;

const STATES: usize = 10_000;
/// Far more than the longest sensible output, so that junk cannot fill the memory.
const MAX_OUTPUT: u64 = 8 << 20;
/// How much of a wrong word is quoted.
const MAX_QUOTE: usize = 30;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    Draw,
    Win,
    Lose,
}

impl Value {
    fn name(self) -> &'static str {
        match self {
            Value::Draw => "DRAW",
            Value::Win => "WIN",
            Value::Lose => "LOSE",
        }
    }

    fn parse(word: &[u8]) -> Option<Value> {
        [Value::Draw, Value::Win, Value::Lose]
            .into_iter()
            .find(|value| word.eq_ignore_ascii_case(value.name().as_bytes()))
    }

    /// The same value, seen from the other side.
    fn reversed(self) -> Value {
        match self {
            Value::Draw => Value::Draw,
            Value::Win => Value::Lose,
            Value::Lose => Value::Win,
        }
    }
}

/// The four digits of a position: the player to move, then the opponent.
#[derive(Clone, Copy)]
struct State([u8; 4]);

impl State {
    fn new(number: usize) -> State {
        State([1000, 100, 10, 1].map(|place| (number / place % 10) as u8))
    }

    fn number(self) -> usize {
        self.0.iter().fold(0, |number, &digit| number * 10 + usize::from(digit))
    }

    /// Touches the opponent's hand `theirs` with the own hand `mine`.
    fn play(self, mine: usize, theirs: usize) -> Option<State> {
        let mut own = [self.0[0], self.0[1]];
        let other = [self.0[2], self.0[3]];
        if own[mine] == 0 || other[theirs] == 0 {
            return None;
        }
        own[mine] = (own[mine] + other[theirs]) % 10;
        Some(State([other[0], other[1], own[0], own[1]]))
    }

    fn next(self) -> impl Iterator<Item = State> {
        (0..4).filter_map(move |code| self.play(code / 2, code % 2))
    }

    fn over(self) -> bool {
        self.0[..2] == [0, 0] || self.0[2..] == [0, 0]
    }
}

/// Sweeps over the open positions until no more of them can be settled.
fn solve() -> Vec<Value> {
    let mut value = vec![Value::Draw; STATES];
    let mut open = Vec::with_capacity(STATES);
    for (number, value) in value.iter_mut().enumerate() {
        let state = State::new(number);
        if !state.over() {
            open.push(state);
        } else if state.0[2..] == [0, 0] {
            *value = Value::Lose;
        } else {
            *value = Value::Win;
        }
    }
    loop {
        let before = open.len();
        open.retain(|&state| {
            let result = if state.next().any(|s| value[s.number()] == Value::Lose) {
                Value::Win
            } else if state.next().all(|s| value[s.number()] == Value::Win) {
                Value::Lose
            } else {
                return true;
            };
            value[state.number()] = result;
            false
        });
        if open.len() == before {
            return value;
        }
    }
}

/// The positions of the case, or why they cannot be read.
fn positions(input: &str) -> Result<Vec<State>, String> {
    let mut numbers = input.split_ascii_whitespace().map(str::parse::<usize>);
    let mut number = |what: &str| match numbers.next() {
        Some(Ok(number)) => Ok(number),
        _ => Err(format!("the input has no {what}")),
    };
    let count = number("number of positions")?;
    let mut positions = Vec::new();
    for i in 1..=count {
        let mut hands = [0; 4];
        for hand in &mut hands {
            *hand = match number(&format!("complete position {i}"))? {
                digit @ 0..=9 => digit as u8,
                digit => return Err(format!("position {i} of the input has the hand {digit}")),
            };
        }
        let state = State(hands);
        if state.over() {
            return Err(format!("position {i} of the input is over already"));
        }
        positions.push(state);
    }
    Ok(positions)
}

/// A word of the output, fit to be shown.
fn quote(word: &[u8]) -> String {
    let cut = &word[..word.len().min(MAX_QUOTE)];
    let dots = if cut.len() < word.len() { "…" } else { "" };
    format!("`{}{dots}`", cut.escape_ascii())
}

/// Every mistake names the position and the line of the output it stands on.
fn check(positions: &[State], value: &[Value], output: &[u8]) -> Result<(), String> {
    let mut words = output.split(|&byte| byte == b'\n').enumerate().flat_map(|(i, line)| {
        line.split(|byte| b" \t\r\x0b\x0c".contains(byte))
            .filter(|word| !word.is_empty())
            .map(move |word| (i + 1, word))
    });
    let total = positions.len();
    for (i, &state) in positions.iter().enumerate() {
        let [a, b, c, d] = state.0;
        let here = format!("position {} of {total} ({a} {b} {c} {d})", i + 1);
        let mut word = |what: &str| words.next().ok_or_else(|| format!("{here}: the output ends before its {what}"));

        let right = value[state.number()];
        let (line, given) = word("value")?;
        match Value::parse(given) {
            Some(given) if given == right => {}
            Some(given) => {
                let (given, right) = (given.name(), right.name());
                return Err(format!("line {line}, {here}: the value is {right}, not {given}"));
            }
            None => {
                let given = quote(given);
                return Err(format!("line {line}, {here}: expected WIN, DRAW or LOSE, found {given}"));
            }
        }

        let (line, given) = word("move")?;
        let hand = |letter: &u8| b"lr".iter().position(|l| *l == letter.to_ascii_lowercase());
        let (mine, theirs) = match given {
            [own, other] => (hand(own), hand(other)),
            _ => (None, None),
        };
        let (Some(mine), Some(theirs)) = (mine, theirs) else {
            let given = quote(given);
            return Err(format!("line {line}, {here}: expected a move (ll, lr, rl or rr), found {given}"));
        };
        let given = quote(given);
        let Some(next) = state.play(mine, theirs) else {
            return Err(format!("line {line}, {here}: the move {given} is illegal, one of its hands shows 0"));
        };
        let kept = value[next.number()].reversed();
        if kept != right {
            let (kept, right) = (kept.name(), right.name());
            return Err(format!("line {line}, {here}: the move {given} turns {right} into {kept}"));
        }
    }
    match words.next() {
        None => Ok(()),
        Some((line, word)) => Err(format!("line {line}: {} stands after the last answer", quote(word))),
    }
}

fn run(args: &[String]) -> Result<Result<(), String>, String> {
    let [input, _answer, ..] = args else {
        return Err("usage: validate input answer feedback_dir/ < team_output".into());
    };
    let text = fs::read_to_string(input).map_err(|error| format!("{input}: {error}"))?;
    let positions = positions(&text)?;
    let mut output = Vec::new();
    io::stdin()
        .take(MAX_OUTPUT + 1)
        .read_to_end(&mut output)
        .map_err(|error| format!("cannot read the output: {error}"))?;
    if output.len() as u64 > MAX_OUTPUT {
        return Ok(Err(format!("the output is longer than {MAX_OUTPUT} bytes")));
    }
    Ok(check(&positions, &solve(), &output))
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned()).collect();
    match run(&args) {
        Ok(Ok(())) => ExitCode::from(42),
        Ok(Err(message)) => {
            // The verdict stands even where there is no room for its reason.
            if let Some(feedback) = args.get(2) {
                let file = Path::new(feedback).join("judgemessage.txt");
                let _ = fs::write(file, format!("{message}\n"));
            }
            let _ = writeln!(io::stderr(), "{message}");
            ExitCode::from(43)
        }
        Err(message) => {
            let _ = writeln!(io::stderr(), "{message}");
            ExitCode::from(1)
        }
    }
}
