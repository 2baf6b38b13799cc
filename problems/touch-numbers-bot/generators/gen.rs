//! Generator: prints one case. The same arguments give the same bytes.
//!
//! ```text
//! gen game --start 1111 …             the game named: the two hands of the bot, then those of the judge
//! gen value --is win|draw …           a random start of this value for the bot
//! gen settled --plies 17 …            a random start that the bot wins in exactly so many plies
//! gen tight …                         a random drawn start in which all moves of the bot but one lose
//! gen any --seed 1                    one of the last three, with any side and style
//! ```
//!
//! All but the last take `--side first|second --style best|random|mixed --seed 1`; the seed serves both the choice of
//! the start and the judge.

use std::io::{self, Write};
use std::process::ExitCode;

const STATES: usize = 10_000;
/// The judge takes seeds below this number.
const SEEDS: u64 = 1_000_000_000;

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

    /// A number below `bound`; the bias is far too small to matter here.
    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}

fn digits(state: usize) -> [usize; 4] {
    [state / 1000, state / 100 % 10, state / 10 % 10, state % 10]
}

fn live(state: usize) -> bool {
    let [a, b, c, d] = digits(state);
    a + b > 0 && c + d > 0
}

/// The positions after each legal move.
fn next(state: usize) -> Vec<usize> {
    let [a, b, c, d] = digits(state);
    let mut next = Vec::with_capacity(4);
    for (mine, other, left) in [(a, b, true), (b, a, false)] {
        for touched in [c, d] {
            if mine != 0 && touched != 0 {
                let sum = (mine + touched) % 10;
                let own = if left { sum * 10 + other } else { other * 10 + sum };
                next.push(c * 1000 + d * 100 + own);
            }
        }
    }
    next
}

/// 1: the player to move wins, -1: loses, 0: neither; and the plies it takes.
fn solve() -> Vec<(i8, u32)> {
    let mut value = vec![(0, 0); STATES];
    for state in (100..STATES).step_by(100) {
        value[state] = (-1, 0);
    }
    for plies in 1.. {
        let before = value.clone();
        for state in (0..STATES).filter(|&state| live(state) && before[state].0 == 0) {
            let worst = next(state).iter().map(|&s| before[s].0).min();
            value[state] = match worst {
                Some(-1) => (1, plies),
                Some(1) => (-1, plies),
                _ => continue,
            };
        }
        if value == before {
            break;
        }
    }
    value
}

struct Options(Vec<String>);

impl Options {
    fn text(&self, key: &str) -> Result<&str, String> {
        let flag = format!("--{key}");
        self.0
            .iter()
            .position(|arg| *arg == flag)
            .and_then(|i| self.0.get(i + 1))
            .map(String::as_str)
            .ok_or_else(|| format!("{flag} is missing"))
    }

    fn number(&self, key: &str) -> Result<u64, String> {
        self.text(key)?.parse().map_err(|_| format!("--{key} is not a number"))
    }
}

fn position(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(state) if text.len() == 4 && live(state) => Ok(state),
        _ => Err(format!("{text} is not a position")),
    }
}

/// The starts, bot's hands first, for which `fits` holds of the position of whoever moves first.
fn starts(bot_first: bool, fits: impl Fn(usize) -> bool) -> Vec<usize> {
    let swapped = |state: usize| state % 100 * 100 + state / 100;
    (0..STATES).filter(|&s| live(s) && fits(if bot_first { s } else { swapped(s) })).collect()
}

/// Words for `generate` that the seed chooses. Games that the bot wins are short, so they come more often.
fn any(seed: u64) -> Vec<String> {
    let mut random = Random(seed);
    let side = random.below(2);
    // The bot makes the last move of a game that it wins.
    let plies = 2 * (1 + random.below(8)) - usize::from(side == 0);
    let kind = [format!("settled --plies {plies}"), "value --is win".into(), "value --is draw".into(), "tight".into()];
    let kind = &kind[[0, 0, 1, 1, 2, 3][random.below(6)]];
    let (side, style) = (["first", "second"][side], ["best", "random", "mixed"][random.below(3)]);
    let line = format!("{kind} --side {side} --style {style} --seed {seed}");
    line.split(' ').map(String::from).collect()
}

fn generate(kind: &str, options: &Options) -> Result<String, String> {
    if kind == "any" {
        let words = any(options.number("seed")?);
        return generate(&words[0], &Options(words[1..].to_vec()));
    }
    let side = options.text("side")?;
    let style = options.text("style")?;
    let seed = options.number("seed")?;
    let bot_first = side == "first";
    // A score for the player who moves first, turned into one for the bot.
    let for_bot = |score: i8| if bot_first { score } else { -score };

    let value = solve();
    let choice = match kind {
        "game" => vec![position(options.text("start")?)?],
        "value" => {
            let wanted = match options.text("is")? {
                "win" => 1,
                "draw" => 0,
                other => return Err(format!("there is no value {other} to start from")),
            };
            starts(bot_first, |s| for_bot(value[s].0) == wanted)
        }
        "settled" => {
            let plies = options.number("plies")? as u32;
            starts(bot_first, |s| for_bot(value[s].0) == 1 && value[s].1 == plies)
        }
        "tight" => starts(bot_first, |s| {
            let next = next(s);
            let drawn = next.iter().filter(|&&n| value[n].0 == 0).count();
            value[s].0 == 0 && next.len() > 2 && drawn == 1
        }),
        other => return Err(format!("there is no kind {other}")),
    };
    if choice.is_empty() {
        return Err("there is no such start".into());
    }
    let [a, b, c, d] = digits(choice[Random(seed).below(choice.len())]);
    Ok(format!("start {a} {b} {c} {d}\nside {side}\nstyle {style}\nseed {}\n", seed % SEEDS))
}

fn run() -> Result<(), String> {
    let mut args = std::env::args().skip(1);
    let kind = args.next().ok_or("usage: gen <kind> [--key value]…")?;
    let case = generate(&kind, &Options(args.collect()))?;
    io::stdout().write_all(case.as_bytes()).map_err(|error| error.to_string())
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
