//! Input visualiser: `visualize INPUT ANSWER [--turns N]` plays the game, compares its end with the answer, and writes
//! the turns to `testcase.json` for `page/page.js`: for an endless game up to the first position that comes again, else
//! to the end. At most N turns are written; the page says if some are missing.

use std::process::ExitCode;
use std::{env, fs};

const NAMES: [&str; 2] = ["小哼", "小哈"];
const CARDS: usize = 6;
/// Two bytes a turn. The longest game among millions of deals has 377 turns.
const MOST_TURNS: u64 = 4_000;

#[derive(Clone, PartialEq, Eq)]
struct Game {
    /// Cards from top to bottom.
    hands: [Vec<u8>; 2],
    row: Vec<u8>,
    turn: usize,
}

struct Turn {
    card: u8,
    /// How many cards go to the hand's bottom, the one just laid among them.
    taken: usize,
    over: bool,
}

impl Game {
    fn step(&mut self) -> Turn {
        let hand = &mut self.hands[self.turn];
        let card = hand.remove(0);
        let same = self.row.iter().position(|&other| other == card);
        self.row.push(card);
        let taken = same.map_or(0, |same| self.row.len() - same);
        hand.extend(self.row.drain(self.row.len() - taken..).rev());
        let over = hand.is_empty();
        self.turn = 1 - self.turn;
        Turn { card, taken, over }
    }
}

enum End {
    /// The game is over after so many turns.
    Won { winner: usize, laid: u64, last: Game },
    /// The position after `from` turns comes again after `length` more, for the first time.
    Repeats { from: u64, length: u64 },
}

/// Brent's method: it remembers one position only, and moves it forward at powers of two.
fn play(deal: &Game) -> End {
    let (mut game, mut kept) = (deal.clone(), deal.clone());
    let (mut laid, mut length, mut power) = (0, 0, 1);
    loop {
        let turn = game.step();
        laid += 1;
        length += 1;
        if turn.over {
            return End::Won { winner: game.turn, laid, last: game };
        }
        if game == kept {
            break;
        }
        if length == power {
            kept = game.clone();
            length = 0;
            power *= 2;
        }
    }
    // Two games at this distance first agree where the repetition begins.
    let (mut behind, mut ahead) = (deal.clone(), deal.clone());
    for _ in 0..length {
        ahead.step();
    }
    let mut from = 0;
    while behind != ahead {
        behind.step();
        ahead.step();
        from += 1;
    }
    End::Repeats { from, length }
}

fn deal(input: &str) -> Option<Game> {
    let mut lines = input.lines();
    let mut hand = || -> Option<Vec<u8>> {
        let cards: Option<Vec<u8>> = lines.next()?.split(' ').map(|card| card.parse().ok()).collect();
        cards.filter(|cards| cards.len() == CARDS && cards.iter().all(|card| (1..=9).contains(card)))
    };
    let hands = [hand()?, hand()?];
    lines.next().is_none().then_some(Game { hands, row: Vec::new(), turn: 0 })
}

fn spaced(text: &str, cards: &[u8]) -> String {
    cards.iter().fold(text.to_string(), |line, card| format!("{line} {card}"))
}

/// What a submission has to print.
fn output(end: &End) -> String {
    match end {
        End::Repeats { .. } => "平局\n".to_string(),
        End::Won { winner, last, .. } => {
            let name = NAMES[*winner];
            let hand = spaced(&format!("{name}当前手中的牌是"), &last.hands[*winner]);
            let row = spaced("桌上的牌是", &last.row);
            format!("{name}win\n{hand}\n{row}\n")
        }
    }
}

fn digits(cards: &[u8]) -> String {
    cards.iter().map(|card| char::from(b'0' + card)).collect()
}

/// A turn is two characters: the card, and how many are taken (`a` is 10).
fn json(deal: &Game, end: &End, most: u64) -> String {
    let [first, second] = &deal.hands;
    let (laid, end) = match *end {
        End::Won { winner, laid, ref last } => {
            let (hand, row) = (digits(&last.hands[winner]), digits(&last.row));
            (laid, format!("\"winner\":{winner},\"hand\":\"{hand}\",\"row\":\"{row}\""))
        }
        End::Repeats { from, length } => (from + length, format!("\"from\":{from},\"length\":{length}")),
    };
    let mut game = deal.clone();
    let mut turns = String::new();
    for _ in 0..laid.min(most) {
        let Turn { card, taken, .. } = game.step();
        turns.push(char::from(b'0' + card));
        turns.push(char::from_digit(taken as u32, 36).expect("twelve cards at most"));
    }
    let (first, second) = (digits(first), digits(second));
    format!("{{\"hands\":[\"{first}\",\"{second}\"],\"laid\":{laid},{end},\"turns\":\"{turns}\"}}\n")
}

fn run() -> Result<(), String> {
    let usage = "usage: visualize INPUT ANSWER [--turns N]";
    let arguments: Vec<String> = env::args().skip(1).collect();
    let (paths, most) = match arguments.as_slice() {
        [input, answer] => ([input, answer], MOST_TURNS),
        [input, answer, flag, most] if flag == "--turns" => {
            ([input, answer], most.parse().map_err(|_| format!("{most} is not a number of turns"))?)
        }
        _ => return Err(usage.into()),
    };
    let read = |path: &String| fs::read_to_string(path).map_err(|error| format!("cannot read {path}: {error}"));
    let (input, answer) = (read(paths[0])?, read(paths[1])?);
    let deal = deal(&input).ok_or("the input is not two lines of six cards from 1 to 9")?;
    let end = play(&deal);
    let output = output(&end);
    if answer != output {
        return Err(format!("the answer is {answer:?}, but this game ends with {output:?}"));
    }
    fs::write("testcase.json", json(&deal, &end, most)).map_err(|error| format!("cannot write testcase.json: {error}"))
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
