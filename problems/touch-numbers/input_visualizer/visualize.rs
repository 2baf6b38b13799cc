//! Input visualiser: `visualize INPUT ANSWER [booklet]` writes `testcase.json`.
//!
//! The whole game is solved by retrograde analysis, and every line of the answer file must agree with what was found.
//! The data are for one of two pages: a game against a bot that gives nothing away, or, with `booklet` or for an
//! input of all positions, the strategy to be printed.

use std::env;
use std::fs;
use std::process::ExitCode;

const STATES: usize = 10_000;
const MAX_POSITIONS: usize = 9801;
/// So many positions of the case can be chosen as a start.
const MAX_STARTS: usize = 200;
const MOVES: [&str; 4] = ["ll", "lr", "rl", "rr"];
/// The number of plies of what never ends.
const ENDLESS: u8 = u8::MAX;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    Draw,
    Win,
    Lose,
}

impl Value {
    fn parse(word: &str) -> Option<Value> {
        match word {
            "DRAW" => Some(Value::Draw),
            "WIN" => Some(Value::Win),
            "LOSE" => Some(Value::Lose),
            _ => None,
        }
    }

    fn reversed(self) -> Value {
        match self {
            Value::Draw => Value::Draw,
            Value::Win => Value::Lose,
            Value::Lose => Value::Win,
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

    fn number(self) -> usize {
        self.0.iter().fold(0, |number, &digit| number * 10 + usize::from(digit))
    }

    /// The position that the other player finds; `None` if the move is illegal.
    fn play(self, play: usize) -> Option<State> {
        let mut hands = self.0;
        let (mine, theirs) = (hands[play / 2], hands[2 + play % 2]);
        if mine == 0 || theirs == 0 {
            return None;
        }
        hands[play / 2] = (mine + theirs) % 10;
        let [a, b, c, d] = hands;
        Some(State([c, d, a, b]))
    }

    fn moves(self) -> impl Iterator<Item = (usize, State)> {
        (0..4).filter_map(move |play| Some((play, self.play(play)?)))
    }

    /// The positions from which a move leads to this one.
    fn before(self) -> impl Iterator<Item = State> {
        let [c, d, a, b] = self.0;
        (0..4).filter_map(move |play| {
            let mut hands = [a, b, c, d];
            let theirs = hands[2 + play % 2];
            hands[play / 2] = (hands[play / 2] + 10 - theirs) % 10;
            (theirs != 0 && hands[play / 2] != 0).then_some(State(hands))
        })
    }

    fn over(self) -> bool {
        self.0[..2] == [0, 0] || self.0[2..] == [0, 0]
    }

    /// Each player's smaller hand first: which hand is left and which is right changes nothing.
    fn sorted(self) -> State {
        let [a, b, c, d] = self.0;
        State([a.min(b), a.max(b), c.min(d), c.max(d)])
    }
}

/// What each position is worth to the player to move, and in how many plies the game is over.
struct Table {
    value: Vec<Value>,
    plies: Vec<u8>,
}

impl Table {
    fn new() -> Table {
        let mut table = Table { value: vec![Value::Draw; STATES], plies: vec![ENDLESS; STATES] };
        // How many moves of a position are not yet known to lose.
        let mut open: Vec<usize> = (0..STATES).map(|number| State::new(number).moves().count()).collect();
        let mut queue: Vec<State> = (100..STATES).step_by(100).map(State::new).collect();
        for lost in &queue {
            table.settle(*lost, Value::Lose, 0);
        }
        let mut head = 0;
        while let Some(&state) = queue.get(head) {
            head += 1;
            for earlier in state.before() {
                if table.of(earlier) != Value::Draw {
                    continue;
                }
                let value = if table.of(state) == Value::Lose {
                    Value::Win
                } else {
                    open[earlier.number()] -= 1;
                    if open[earlier.number()] > 0 {
                        continue;
                    }
                    Value::Lose
                };
                table.settle(earlier, value, table.plies_of(state) + 1);
                queue.push(earlier);
            }
        }
        table
    }

    fn settle(&mut self, state: State, value: Value, plies: u8) {
        self.value[state.number()] = value;
        self.plies[state.number()] = plies;
    }

    fn of(&self, state: State) -> Value {
        self.value[state.number()]
    }

    fn plies_of(&self, state: State) -> u8 {
        self.plies[state.number()]
    }

    fn keeps(&self, state: State, next: State) -> bool {
        self.of(next).reversed() == self.of(state)
    }

    /// How likely a thoughtless move from here gives something away, in quarters.
    fn pitfalls(&self, state: State) -> usize {
        let wrong = state.moves().filter(|&(_, next)| !self.keeps(state, next)).count();
        4 * wrong / state.moves().count().max(1)
    }

    /// The best moves: they keep the value, win soon, lose late, and leave the other many ways to go wrong.
    fn best(&self, state: State) -> Vec<usize> {
        let rank = |next: State| {
            let plies = i32::from(self.plies_of(next));
            let late = match self.of(next) {
                Value::Lose => -plies,
                Value::Draw => 0,
                Value::Win => plies,
            };
            (self.keeps(state, next), late, self.pitfalls(next))
        };
        let top = state.moves().map(|(_, next)| rank(next)).max();
        state.moves().filter(|&(_, next)| Some(rank(next)) == top).map(|(play, _)| play).collect()
    }

    /// A letter: `a` for no ply, `b` for one and so on; `-` for a draw. An even number of plies is a loss, an odd one a
    /// win.
    fn letter(&self, state: State) -> char {
        match self.plies_of(state) {
            ENDLESS => '-',
            plies => char::from(b'a' + plies),
        }
    }
}

/// The positions of the case.
fn positions(input: &str) -> Result<Vec<State>, String> {
    let mut lines = input.lines();
    let count: usize = lines
        .next()
        .and_then(|line| line.parse().ok())
        .filter(|count| (1..=MAX_POSITIONS).contains(count))
        .ok_or("the input does not begin with a number of positions")?;
    let positions: Vec<State> = lines
        .enumerate()
        .map(|(i, line)| {
            let digits: Option<Vec<u8>> =
                line.split(' ').map(|word| word.parse().ok().filter(|&digit| digit < 10)).collect();
            digits
                .and_then(|digits| digits.try_into().ok().map(State))
                .filter(|state| !state.over())
                .ok_or_else(|| format!("line {} of the input is not an open position", i + 2))
        })
        .collect::<Result<_, _>>()?;
    if positions.len() != count {
        return Err(format!("the input has {} positions, not {count}", positions.len()));
    }
    Ok(positions)
}

/// What was found must be what the answer says, and the moves of the answer must keep it.
fn compare(positions: &[State], answer: &str, table: &Table) -> Result<(), String> {
    if answer.lines().count() != positions.len() {
        return Err("the answer does not have a line for each position".into());
    }
    for (i, (&state, line)) in positions.iter().zip(answer.lines()).enumerate() {
        let (value, play) = line.split_once(' ').unwrap_or((line, ""));
        if Value::parse(value) != Some(table.of(state)) {
            return Err(format!("line {} of the answer says {value}: this is not the value found", i + 1));
        }
        let next = MOVES.iter().position(|&name| name == play).and_then(|play| state.play(play));
        if !next.is_some_and(|next| table.keeps(state, next)) {
            return Err(format!("line {} of the answer: the move does not keep the value", i + 1));
        }
    }
    Ok(())
}

/// The first positions of the case, each once.
fn starts(positions: &[State]) -> Vec<State> {
    let mut starts = Vec::new();
    for &state in positions {
        if starts.len() < MAX_STARTS && !starts.contains(&state) {
            starts.push(state);
        }
    }
    starts
}

/// Everything that can follow from a position, with `view` for positions that are held to be the same.
fn reachable(start: State, view: fn(State) -> State) -> Vec<State> {
    let mut seen = vec![false; STATES];
    let mut found = vec![start];
    seen[start.number()] = true;
    let mut head = 0;
    while let Some(&state) = found.get(head) {
        head += 1;
        if state.over() {
            continue;
        }
        for next in state.moves().map(|(_, next)| view(next)) {
            if !seen[next.number()] {
                seen[next.number()] = true;
                found.push(next);
            }
        }
    }
    found.retain(|state| !state.over());
    found
}

fn game(positions: &[State], table: &Table) -> String {
    let all = || (0..STATES).map(State::new);
    let values: String = all().map(|state| table.letter(state)).collect();
    let mask = |state: State| table.best(state).iter().fold(0, |mask, play| mask | 1 << play);
    let best: String =
        all().map(|state| if state.over() { "0".into() } else { format!("{:x}", mask(state)) }).collect();
    let starts: String = starts(positions).iter().map(|state| format!("{:04}", state.number())).collect();
    format!(
        "{{\"page\":\"game\",\"values\":\"{values}\",\"best\":\"{best}\",\"starts\":\"{starts}\",\"positions\":{}}}\n",
        positions.len()
    )
}

/// A group is its letter and its entries of six characters: the position, the move, and `!` if all moves that differ
/// from it give something away.
fn booklet(table: &Table) -> String {
    let start = State([1, 1, 1, 1]);
    let mut states = reachable(start, State::sorted);
    states.sort_by_key(|state| state.number());
    let entry = |state: State| {
        let play = table.best(state)[0];
        let after = |play| state.play(play).map(State::sorted);
        let others: Vec<State> = (0..4).filter_map(after).filter(|&next| Some(next) != after(play)).collect();
        let only = !others.is_empty() && others.iter().all(|&next| !table.keeps(state, next));
        format!("{:04}{play}{}", state.number(), if only { '!' } else { ' ' })
    };
    let mut letters: Vec<char> = states.iter().map(|&state| table.letter(state)).collect();
    letters.sort_unstable();
    letters.dedup();
    let groups: Vec<String> = letters
        .iter()
        .map(|&letter| {
            let entries: String =
                states.iter().filter(|&&state| table.letter(state) == letter).map(|&state| entry(state)).collect();
            format!("[\"{letter}\",\"{entries}\"]")
        })
        .collect();
    let told_apart = reachable(start, |state| state).len();
    format!("{{\"page\":\"booklet\",\"groups\":[{}],\"toldApart\":{told_apart}}}\n", groups.join(","))
}

fn run(args: &[String]) -> Result<(), String> {
    let (files, wanted) = match args {
        [input, answer] => ([input, answer], false),
        [input, answer, word] if word == "booklet" => ([input, answer], true),
        _ => return Err("usage: visualize input answer [booklet]".into()),
    };
    let [input, answer] = files.map(|file| fs::read_to_string(file).map_err(|error| format!("{file}: {error}")));
    let positions = positions(&input?)?;
    let table = Table::new();
    compare(&positions, &answer?, &table)?;

    let mut numbers: Vec<usize> = positions.iter().map(|state| state.number()).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let data = if wanted || numbers.len() == MAX_POSITIONS { booklet(&table) } else { game(&positions, &table) };
    fs::write("testcase.json", data).map_err(|error| format!("testcase.json: {error}"))
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
