//! Interactor: `validate input answer feedback_dir/`, the bot's output on stdin, the bot's input on stdout.
//!
//! Exit code 42 accepts, 43 rejects; 1 means that the case itself could not be read. The reason, and all moves of the
//! game, go to `judgemessage.txt`. Whatever the bot does, writes or fails to write, the result is one of the first two:
//! a bot that is gone shows as the end of its output, and writing to it may fail without consequence.
//!
//! `game.txt` is the game as the visualiser reads it. Every line is written at once, so that it is there even if the
//! judge is stopped:
//!
//! ```text
//! start 2 3 4 1                    the case, as in the input
//! side second
//! style random
//! judge rr                         one line for each move
//! bot ll
//! end LOSE rejected malformed 786c the last line for the bot, the verdict, why, the bot's last line in hexadecimal
//! ```
//!
//! Why is one of `finished`, `limit` (so many moves are enough), `malformed`, `illegal`, `long`, `closed`, `unreadable`;
//! for the last five the bot's line follows, or `-` if it is empty.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::process::ExitCode;

const STATES: usize = 10_000;
/// The game is drawn after so many moves of both sides together.
const MAX_PLIES: usize = 200;
/// From this ply on the judge plays its best, so that a bot is given no win it has no time for.
const LAST_WEAK_PLY: usize = MAX_PLIES - 20;
/// A move has two letters. Anything much longer is not read to its end.
const MAX_LINE: usize = 64;

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
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Value::Draw => "DRAW",
            Value::Win => "WIN",
            Value::Lose => "LOSE",
        })
    }
}

/// One's own hand and the hand it touches; 0 is left, 1 is right.
#[derive(Clone, Copy)]
struct Move {
    mine: usize,
    theirs: usize,
}

const MOVES: [Move; 4] = [
    Move { mine: 0, theirs: 0 },
    Move { mine: 0, theirs: 1 },
    Move { mine: 1, theirs: 0 },
    Move { mine: 1, theirs: 1 },
];

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let letter = |hand: usize| ['l', 'r'][hand];
        write!(f, "{}{}", letter(self.mine), letter(self.theirs))
    }
}

/// The hands of the player to move, then those of the other.
#[derive(Clone, Copy)]
struct State([u8; 4]);

impl State {
    fn new(number: usize) -> State {
        State([1000, 100, 10, 1].map(|place| (number / place % 10) as u8))
    }

    fn number(self) -> usize {
        self.0.iter().fold(0, |number, &digit| number * 10 + usize::from(digit))
    }

    fn swapped(self) -> State {
        let [a, b, c, d] = self.0;
        State([c, d, a, b])
    }

    /// The position seen by the other player, whose turn it is next; `None` if the move is illegal.
    fn play(self, play: Move) -> Option<State> {
        let mut hands = self.0;
        let (mine, theirs) = (hands[play.mine], hands[2 + play.theirs]);
        if mine == 0 || theirs == 0 {
            return None;
        }
        hands[play.mine] = (mine + theirs) % 10;
        Some(State(hands).swapped())
    }

    fn moves(self) -> impl Iterator<Item = (Move, State)> {
        MOVES.into_iter().filter_map(move |play| Some((play, self.play(play)?)))
    }

    /// The previous move has emptied both hands of the player who made it.
    fn lost(self) -> bool {
        self.0[2..] == [0, 0]
    }

    fn over(self) -> bool {
        self.lost() || self.0[..2] == [0, 0]
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let [a, b, c, d] = self.0;
        write!(f, "{a} {b} {c} {d}")
    }
}

/// What each position is worth to the player to move, and in how many plies.
struct Table {
    value: Vec<Value>,
    plies: Vec<usize>,
}

impl Table {
    fn new() -> Table {
        let mut table = Table { value: vec![Value::Draw; STATES], plies: vec![0; STATES] };
        for (number, value) in table.value.iter_mut().enumerate() {
            let state = State::new(number);
            if state.over() {
                *value = if state.lost() { Value::Lose } else { Value::Win };
            }
        }
        // Each round settles what is decided one ply earlier than the round before.
        for plies in 1.. {
            let settled: Vec<(usize, Value)> = (0..STATES)
                .map(State::new)
                .filter(|&state| !state.over() && table.of(state) == Value::Draw)
                .filter_map(|state| {
                    let mut lost = true;
                    for (_, next) in state.moves() {
                        match table.of(next) {
                            Value::Lose => return Some((state.number(), Value::Win)),
                            Value::Draw => lost = false,
                            Value::Win => {}
                        }
                    }
                    lost.then_some((state.number(), Value::Lose))
                })
                .collect();
            if settled.is_empty() {
                break;
            }
            for (number, value) in settled {
                table.value[number] = value;
                table.plies[number] = plies;
            }
        }
        table
    }

    fn of(&self, state: State) -> Value {
        self.value[state.number()]
    }

    /// The moves that keep the value: of those that win the fastest, of those that lose the slowest.
    fn best(&self, state: State) -> Vec<(Move, State)> {
        let rank = |next: State| {
            let plies = self.plies[next.number()] as i64;
            match self.of(next) {
                Value::Lose => 1000 - plies,
                Value::Draw => 0,
                Value::Win => plies - 1000,
            }
        };
        let top = state.moves().map(|(_, next)| rank(next)).max();
        state.moves().filter(|&(_, next)| Some(rank(next)) == top).collect()
    }
}

/// Sebastiano Vigna's splitmix64: small, and the same everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }
}

#[derive(Clone, Copy)]
enum Style {
    Best,
    Random,
    Mixed,
}

impl fmt::Display for Style {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Style::Best => "best",
            Style::Random => "random",
            Style::Mixed => "mixed",
        })
    }
}

struct Case {
    /// The hands of the bot, then those of the judge.
    start: State,
    bot_first: bool,
    style: Style,
    seed: u64,
}

impl Case {
    fn side(&self) -> &'static str {
        if self.bot_first {
            "first"
        } else {
            "second"
        }
    }

    fn parse(text: &str) -> Result<Case, String> {
        let value = |key: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' '));
            line.map(str::trim_end).ok_or_else(|| format!("the input has no line `{key} …`"))
        };
        let digits: Vec<u8> = value("start")?
            .split(' ')
            .map(|digit| digit.parse().ok().filter(|&digit| digit < 10))
            .collect::<Option<_>>()
            .ok_or("the start is not made of digits")?;
        let start = State(digits.try_into().map_err(|_| "the start does not have four digits")?);
        if start.over() {
            return Err("the game is over at the start".into());
        }
        let bot_first = match value("side")? {
            "first" => true,
            "second" => false,
            other => return Err(format!("there is no side {other}")),
        };
        let style = match value("style")? {
            "best" => Style::Best,
            "random" => Style::Random,
            "mixed" => Style::Mixed,
            other => return Err(format!("there is no style {other}")),
        };
        let seed = value("seed")?.parse().map_err(|_| "the seed is not a number")?;
        Ok(Case { start, bot_first, style, seed })
    }
}

/// How the game ended: the last line for the bot, the verdict on it and its reason.
struct End {
    result: Value,
    accepted: bool,
    /// A word for the visualiser, and for a faulty move the line it came in.
    why: String,
    reason: String,
}

impl End {
    fn reject(result: Value, why: impl Into<String>, reason: String) -> End {
        End { result, accepted: false, why: why.into(), reason }
    }

    fn accept(result: Value, why: impl Into<String>, reason: String) -> End {
        End { result, accepted: true, why: why.into(), reason }
    }
}

/// Why a move is wrong: the kind of mistake, the line that was sent, and a sentence for the judges.
struct Fault {
    word: &'static str,
    line: Vec<u8>,
    reason: String,
}

impl Fault {
    fn why(&self) -> String {
        let hex: String = self.line.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("{} {}", self.word, if hex.is_empty() { "-" } else { &hex })
    }
}

/// `game.txt`, or nothing where there is no room for it.
struct Record(Option<File>);

impl Record {
    fn line(&mut self, line: &str) {
        if let Some(file) = &mut self.0 {
            let _ = file.write_all(format!("{line}\n").as_bytes());
        }
    }
}

/// A line of the bot, fit to be shown.
fn quote(line: &[u8]) -> String {
    format!("`{}`", line.escape_ascii())
}

/// The bot at the other end of the pipes.
struct Bot<R, W> {
    output: R,
    input: W,
}

impl<R: BufRead, W: Write> Bot<R, W> {
    /// A bot that does not listen any more will be noticed when it has to move.
    fn send(&mut self, line: &str) {
        let _ = self.input.write_all(format!("{line}\n").as_bytes()).and_then(|()| self.input.flush());
    }

    /// The next line, without its line feed, or what is wrong with it.
    fn receive(&mut self) -> Result<Vec<u8>, Fault> {
        let mut line = Vec::new();
        loop {
            let buffer = match self.output.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    let reason = format!("the bot's output cannot be read: {error}");
                    return Err(Fault { word: "unreadable", line, reason });
                }
            };
            let Some(&byte) = buffer.first() else {
                let reason = if line.is_empty() {
                    "the bot's output ended, expected a move".into()
                } else {
                    format!("the bot's output ended within the line {}", quote(&line))
                };
                return Err(Fault { word: "closed", line, reason });
            };
            self.output.consume(1);
            if byte == b'\n' {
                return Ok(line);
            }
            if line.len() == MAX_LINE {
                let reason = format!("the bot sent a line of more than {MAX_LINE} bytes: {}", quote(&line));
                return Err(Fault { word: "long", line, reason });
            }
            line.push(byte);
        }
    }

    fn receive_move(&mut self) -> Result<Move, Fault> {
        let line = self.receive()?;
        let hand = |letter: u8| b"lr".iter().position(|&l| l == letter);
        match line[..] {
            [own, other] => hand(own).zip(hand(other)),
            _ => None,
        }
        .map(|(mine, theirs)| Move { mine, theirs })
        .ok_or_else(|| {
            let reason = format!("the bot sent {}, expected ll, lr, rl or rr", quote(&line));
            Fault { word: "malformed", line, reason }
        })
    }
}

struct Game<'a, R, W> {
    case: &'a Case,
    table: Table,
    random: Random,
    bot: &'a mut Bot<R, W>,
    moves: Vec<Move>,
    record: Record,
}

impl<R: BufRead, W: Write> Game<'_, R, W> {
    fn judge_move(&mut self, state: State) -> (Move, State) {
        let weak = self.moves.len() < LAST_WEAK_PLY
            && match self.case.style {
                Style::Best => false,
                Style::Random => true,
                Style::Mixed => self.random.below(2) == 0,
            };
        let choice = if weak { state.moves().collect() } else { self.table.best(state) };
        choice[self.random.below(choice.len())]
    }

    fn play(&mut self) -> End {
        self.record.line(&format!("start {}", self.case.start));
        self.record.line(&format!("side {}", self.case.side()));
        self.record.line(&format!("style {}", self.case.style));
        self.bot.send(self.case.side());
        self.bot.send(&self.case.start.to_string());

        let mut bots_turn = self.case.bot_first;
        let mut state = if bots_turn { self.case.start } else { self.case.start.swapped() };
        // The first time the bot could have won, and the first move that gave something away.
        let mut could_win = None;
        let mut slip = String::new();
        while self.moves.len() < MAX_PLIES {
            let ply = self.moves.len() + 1;
            let (play, next) = if bots_turn {
                let play = match self.bot.receive_move() {
                    Ok(play) => play,
                    Err(fault) => {
                        return End::reject(Value::Lose, fault.why(), format!("move {ply}: {}", fault.reason));
                    }
                };
                let Some(next) = state.play(play) else {
                    let reason = format!("move {ply}: {play} is illegal at {state}, one of its hands shows 0");
                    let line = play.to_string().into_bytes();
                    let fault = Fault { word: "illegal", line, reason };
                    return End::reject(Value::Lose, fault.why(), fault.reason);
                };
                let (before, after) = (self.table.of(state), self.table.of(next).reversed());
                if before == Value::Win && could_win.is_none() {
                    could_win = Some(format!("move {ply}, at {state}"));
                }
                if before != after && slip.is_empty() {
                    slip = format!("; its move {ply}, {play} at {state}, turned {before} into {after}");
                }
                (play, next)
            } else {
                let (play, next) = self.judge_move(state);
                self.bot.send(&play.to_string());
                (play, next)
            };
            self.moves.push(play);
            self.record.line(&format!("{} {play}", if bots_turn { "bot" } else { "judge" }));
            state = next;
            if state.lost() {
                return if bots_turn {
                    End::accept(Value::Win, "finished", format!("the bot won with move {ply}"))
                } else {
                    End::reject(Value::Lose, "finished", format!("the bot lost with move {ply}{slip}"))
                };
            }
            bots_turn = !bots_turn;
        }
        match could_win {
            None => End::accept(Value::Draw, "limit", format!("drawn after {MAX_PLIES} moves")),
            Some(place) => {
                let reason = format!("drawn after {MAX_PLIES} moves, but the bot could have won ({place}){slip}");
                End::reject(Value::Draw, "limit", reason)
            }
        }
    }
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned()).collect();
    let case = match args.first() {
        None => Err("usage: validate input answer feedback_dir/".into()),
        Some(input) => fs::read_to_string(input)
            .map_err(|error| error.to_string())
            .and_then(|text| Case::parse(&text))
            .map_err(|error| format!("{input}: {error}")),
    };
    let case = match case {
        Ok(case) => case,
        Err(message) => {
            let _ = writeln!(io::stderr(), "{message}");
            return ExitCode::from(1);
        }
    };

    let mut bot = Bot { output: io::stdin().lock(), input: io::stdout().lock() };
    let random = Random(case.seed);
    let record = Record(args.get(2).and_then(|feedback| File::create(Path::new(feedback).join("game.txt")).ok()));
    let mut game = Game { case: &case, table: Table::new(), random, bot: &mut bot, moves: Vec::new(), record };
    let end = game.play();
    let verdict = if end.accepted { "accepted" } else { "rejected" };
    game.record.line(&format!("end {} {verdict} {}", end.result, end.why));

    // The message comes first: whoever sees the last line may well be in a hurry to clear up.
    let moves = game.moves.iter().fold(String::from("moves:"), |line, play| format!("{line} {play}"));
    let message = format!("{}\n{moves}\n", end.reason);
    if let Some(feedback) = args.get(2) {
        let _ = fs::write(Path::new(feedback).join("judgemessage.txt"), &message);
    }
    let _ = io::stderr().write_all(message.as_bytes());
    bot.send(&end.result.to_string());
    ExitCode::from(if end.accepted { 42 } else { 43 })
}
