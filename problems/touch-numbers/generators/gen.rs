//! Generator: prints one case. The same arguments give the same bytes.
//!
//! ```text
//! gen list --positions 1111,9015     the positions named, four digits each
//! gen repeated --position 1111 --n 9 one position, n times
//! gen all                            every position, in order
//! gen shuffled --seed 1              every position, in random order
//! gen random --n 9 --seed 1          n random positions, some perhaps twice
//! gen settled --plies 17             every position that is decided in exactly so many plies
//! gen value --is win [--n 9] --seed 1   (n) random positions of this value, none twice
//! gen tight --moves 1 --n 9 --seed 1 positions with at least 3 moves, of which only so many keep the value
//! gen zeros --n 9 --seed 1           positions in which both sides have a hand at 0
//! ```

use std::io::{self, Write};
use std::process::ExitCode;

const STATES: usize = 10_000;

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

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
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

    fn count(&self) -> Result<usize, String> {
        Ok(self.number("n")? as usize)
    }

    fn random(&self) -> Result<Random, String> {
        Ok(Random(self.number("seed")?))
    }
}

fn position(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(state) if text.len() == 4 && live(state) => Ok(state),
        _ => Err(format!("{text} is not a position")),
    }
}

fn generate(kind: &str, options: &Options) -> Result<Vec<usize>, String> {
    let every = || (0..STATES).filter(|&state| live(state));
    // A random choice of `--n` positions out of those given, or all of them.
    let choose = |mut states: Vec<usize>| {
        options.random()?.shuffle(&mut states);
        if options.text("n").is_ok() {
            states.truncate(options.count()?);
        }
        Ok::<_, String>(states)
    };
    Ok(match kind {
        "list" => options.text("positions")?.split(',').map(position).collect::<Result<_, _>>()?,
        "repeated" => vec![position(options.text("position")?)?; options.count()?],
        "all" => every().collect(),
        "shuffled" => choose(every().collect())?,
        "random" => {
            let states: Vec<usize> = every().collect();
            let mut random = options.random()?;
            (0..options.count()?).map(|_| states[random.below(states.len())]).collect()
        }
        "settled" => {
            let plies = options.number("plies")? as u32;
            let value = solve();
            every().filter(|&s| value[s].0 != 0 && value[s].1 == plies).collect()
        }
        "value" => {
            let wanted = match options.text("is")? {
                "win" => 1,
                "draw" => 0,
                "lose" => -1,
                other => return Err(format!("there is no value {other}")),
            };
            let value = solve();
            choose(every().filter(|&s| value[s].0 == wanted).collect())?
        }
        "tight" => {
            let moves = options.number("moves")? as usize;
            let value = solve();
            choose(
                every()
                    .filter(|&s| {
                        let next = next(s);
                        let keep = next.iter().filter(|&&n| value[n].0 == -value[s].0);
                        next.len() > 2 && keep.count() == moves
                    })
                    .collect(),
            )?
        }
        "zeros" => choose(
            every()
                .filter(|&s| {
                    let [a, b, c, d] = digits(s);
                    a * b == 0 && c * d == 0
                })
                .collect(),
        )?,
        other => return Err(format!("there is no kind {other}")),
    })
}

fn run() -> Result<(), String> {
    let mut args = std::env::args().skip(1);
    let kind = args.next().ok_or("usage: gen <kind> [--key value]…")?;
    let states = generate(&kind, &Options(args.collect()))?;
    let mut case = format!("{}\n", states.len());
    for state in states {
        let [a, b, c, d] = digits(state);
        case += &format!("{a} {b} {c} {d}\n");
    }
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
