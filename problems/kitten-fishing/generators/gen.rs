//! Generator: prints one case. The same arguments give the same bytes.
//!
//! ```text
//! gen deal --cards 241256,313564      the deal named: both hands, the top card first
//! gen random --seed 1                 a random deal
//! gen pick --of 1000 --most laid --seed 1 [--result first|second|draw] [--values 9]
//! gen pick --of 1000 --least row --seed 1 …
//! ```
//!
//! `pick` looks at so many random deals of the values 1 to `--values` and prints the first one, of those with the
//! result asked for, that has the most (or the least) of: `laid`, the cards laid until the game ends or repeats;
//! `row`, the cards in the row at the end; `widest`, the cards in the row when there are most.

use std::collections::{HashSet, VecDeque};
use std::io::{self, Write};
use std::process::ExitCode;

type Hand = VecDeque<u8>;

/// Sebastiano Vigna's splitmix64: small, and the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn deal(&mut self, values: u64) -> [Hand; 2] {
        std::array::from_fn(|_| (0..6).map(|_| (self.next() % values + 1) as u8).collect())
    }
}

struct Outcome {
    result: &'static str,
    laid: usize,
    row: usize,
    widest: usize,
}

fn play(mut hands: [Hand; 2]) -> Outcome {
    let mut row: Vec<u8> = Vec::new();
    let mut seen = HashSet::new();
    let (mut turn, mut laid, mut widest) = (0, 0, 0);
    while seen.insert((turn, hands.clone(), row.clone())) {
        let Some(card) = hands[turn].pop_front() else { break };
        laid += 1;
        let at = row.iter().position(|&other| other == card);
        row.push(card);
        if let Some(at) = at {
            hands[turn].extend(row.drain(at..).rev());
        }
        widest = widest.max(row.len());
        let over = hands[turn].is_empty();
        turn = 1 - turn;
        if over {
            return Outcome { result: ["first", "second"][turn], laid, row: row.len(), widest };
        }
    }
    Outcome { result: "draw", laid, row: row.len(), widest }
}

struct Options(Vec<String>);

impl Options {
    fn text(&self, key: &str) -> Option<&str> {
        let flag = format!("--{key}");
        let at = self.0.iter().position(|arg| *arg == flag)?;
        self.0.get(at + 1).map(String::as_str)
    }

    fn number(&self, key: &str, default: Option<u64>) -> Result<u64, String> {
        match (self.text(key), default) {
            (Some(text), _) => text.parse().map_err(|_| format!("--{key} is not a number")),
            (None, Some(number)) => Ok(number),
            (None, None) => Err(format!("--{key} is missing")),
        }
    }
}

fn pick(options: &Options) -> Result<[Hand; 2], String> {
    let mut random = Random(options.number("seed", None)?);
    let values = options.number("values", Some(9))?.clamp(1, 9);
    let (sign, measure) = match (options.text("most"), options.text("least")) {
        (Some(measure), None) => (1, measure),
        (None, Some(measure)) => (-1, measure),
        _ => return Err("either --most or --least must be given".into()),
    };
    let mut best: Option<(i64, [Hand; 2])> = None;
    for _ in 0..options.number("of", None)? {
        let deal = random.deal(values);
        let outcome = play(deal.clone());
        if options.text("result").is_some_and(|result| result != outcome.result) {
            continue;
        }
        let amount = sign
            * match measure {
                "laid" => outcome.laid,
                "row" => outcome.row,
                "widest" => outcome.widest,
                other => return Err(format!("there is no measure {other}")),
            } as i64;
        if best.as_ref().is_none_or(|(most, _)| amount > *most) {
            best = Some((amount, deal));
        }
    }
    best.map(|(_, deal)| deal).ok_or_else(|| "no such deal came up".into())
}

fn generate(kind: &str, options: &Options) -> Result<[Hand; 2], String> {
    match kind {
        "deal" => {
            let cards = options.text("cards").ok_or("--cards is missing")?;
            let hands: Vec<Hand> = cards.split(',').map(|hand| hand.bytes().map(|b| b - b'0').collect()).collect();
            let complete = |hand: &Hand| hand.len() == 6 && hand.iter().all(|card| (1..=9).contains(card));
            <[Hand; 2]>::try_from(hands)
                .ok()
                .filter(|hands| hands.iter().all(complete))
                .ok_or_else(|| format!("{cards} is not a deal"))
        }
        "random" => Ok(Random(options.number("seed", None)?).deal(9)),
        "pick" => pick(options),
        other => Err(format!("there is no kind {other}")),
    }
}

fn run() -> Result<(), String> {
    let mut args = std::env::args().skip(1);
    let kind = args.next().ok_or("usage: gen <kind> [--key value]…")?;
    let deal = generate(&kind, &Options(args.collect()))?;
    for hand in deal {
        let cards: Vec<String> = hand.iter().map(u8::to_string).collect();
        writeln!(io::stdout(), "{}", cards.join(" ")).map_err(|error| error.to_string())?;
    }
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("gen: {message}");
            ExitCode::FAILURE
        }
    }
}
