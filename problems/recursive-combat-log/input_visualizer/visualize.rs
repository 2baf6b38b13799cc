//! Plays a case of Recursive Combat for its page, with its log: `visualize INPUT ANSWER` writes `testcase.json`.
//!
//! The page replays the games from codes of two bits, the first in the lowest bits, in the order of play:
//!
//! * 0, 1: player 1 or 2 wins a round by the higher card;
//! * 2: a sub-game decides the round; its codes follow;
//! * 3, then 3: the game ends by repetition; the next number of `repeats` is the round that began with the same decks.

use std::collections::{HashMap, VecDeque};
use std::fmt::{Display, Formatter, Write as _};
use std::process::ExitCode;
use std::{env, fs};

/// Of both players together.
const CARDS: usize = 10;
const HIGHEST: u16 = 999;
const LOG_BYTES: usize = 1 << 20;
/// How much of the log may be embedded.
const EMBEDDED_BYTES: usize = 200 << 10;

const BY_SUB_GAME: u8 = 2;
const BY_REPETITION: [u8; 2] = [3, 3];

type Decks = [VecDeque<u16>; 2];

fn main() -> ExitCode {
    match visualize() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn visualize() -> Result<(), String> {
    let (input, answer) = (argument(1)?, argument(2)?);
    let start = read_decks(&input)?;
    let mut decks = start.clone().map(VecDeque::from);
    let mut play = Play::default();
    play.play(&mut decks, 1)?;
    play.log.push_str("\n\n== Post-game results ==\n");
    play.log_decks(&decks);
    if let Some(number) = differing_line(&play.log, &answer) {
        return Err(format!("line {number} of the answer is not that of the log"));
    }
    let mut bytes = 0;
    let lines: Vec<_> = play.log.lines().map(|line| format!("\"{line}\"")).collect();
    let shown = lines.iter().take_while(|line| {
        bytes += line.len();
        bytes <= EMBEDDED_BYTES
    });
    let json = format!(
        "{{\"recursive\":true,\"decks\":{start:?},\"score\":null,\"rounds\":{},\"games\":{},\"levels\":{},\
         \"exact\":true,\"codes\":\"{}\",\"repeats\":[{}],\"skipped\":[],\
         \"log\":{{\"count\":{},\"lines\":[{}]}}}}\n",
        play.rounds,
        play.games,
        play.levels,
        base64(&packed(&play.codes)),
        play.repeats.join(","),
        lines.len(),
        shown.map(String::as_str).collect::<Vec<_>>().join(",")
    );
    fs::write("testcase.json", json).map_err(|error| format!("cannot write testcase.json: {error}"))
}

/// The first line in which two texts differ, if they do.
fn differing_line(one: &str, two: &str) -> Option<usize> {
    let same = one.split('\n').zip(two.split('\n')).take_while(|(one, two)| one == two).count();
    (one != two).then_some(same + 1)
}

/// The text of the file that an argument names.
fn argument(number: usize) -> Result<String, String> {
    let file = env::args_os().nth(number).ok_or("usage: visualize INPUT ANSWER")?;
    fs::read_to_string(&file).map_err(|error| format!("cannot read {}: {error}", file.to_string_lossy()))
}

/// Both decks, top first.
fn read_decks(text: &str) -> Result<[Vec<u16>; 2], String> {
    let (one, two) = text
        .strip_prefix("Player 1:\n")
        .and_then(|rest| rest.split_once("\n\nPlayer 2:\n"))
        .ok_or("the input is not `Player 1:`, cards, an empty line, `Player 2:`, cards")?;
    let cards = |lines: &str| lines.lines().map(read_card).collect::<Result<Vec<_>, _>>();
    let decks = [cards(one)?, cards(two)?];
    let mut all = decks.concat();
    if decks.iter().any(Vec::is_empty) || all.len() > CARDS {
        return Err(format!("a deck is empty, or there are more than {CARDS} cards"));
    }
    all.sort_unstable();
    match all.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(format!("card {} is there twice", pair[0])),
        None => Ok(decks),
    }
}

fn read_card(line: &str) -> Result<u16, String> {
    let card = line.parse().ok().filter(|card| (1..=HIGHEST).contains(card));
    card.ok_or_else(|| format!("{line:?} is not a card"))
}

/// What is played, in the order of play, and its log.
#[derive(Default)]
struct Play {
    codes: Vec<u8>,
    repeats: Vec<String>,
    rounds: u32,
    games: u32,
    levels: u32,
    log: String,
}

/// A deck as the log shows it.
struct Shown<'a>(&'a VecDeque<u16>);

impl Display for Shown<'_> {
    fn fmt(&self, out: &mut Formatter) -> std::fmt::Result {
        let mut separator = "";
        for card in self.0 {
            write!(out, "{separator}{card}")?;
            separator = ", ";
        }
        Ok(())
    }
}

/// Appends a line; writing to a `String` cannot fail.
macro_rules! line {
    ($play:expr, $($form:tt)*) => { writeln!($play.log, $($form)*).unwrap() };
}

impl Play {
    fn log_decks(&mut self, decks: &Decks) {
        for (player, deck) in (1..).zip(decks) {
            line!(self, "Player {player}'s deck: {}", Shown(deck));
        }
    }

    /// Plays a game to its end. Returns the winner; `decks` are then those at the end.
    fn play(&mut self, decks: &mut Decks, level: u32) -> Result<usize, String> {
        self.games += 1;
        self.levels = self.levels.max(level);
        let game = self.games;
        line!(self, "=== Game {game} ===");
        let mut history = HashMap::new();
        let mut round = 0;
        while let (Some(&one), Some(&two)) = (decks[0].front(), decks[1].front()) {
            if let Some(seen) = history.insert(decks.clone(), round + 1) {
                self.codes.extend(BY_REPETITION);
                self.repeats.push(seen.to_string());
                break;
            }
            round += 1;
            self.rounds += 1;
            line!(self, "\n-- Round {round} (Game {game}) --");
            self.log_decks(decks);
            let cards = [one, two];
            for (player, deck) in decks.iter_mut().enumerate() {
                deck.pop_front();
                line!(self, "Player {} plays: {}", player + 1, cards[player]);
            }
            let sizes = cards.map(usize::from);
            let winner = if (0..2).all(|player| decks[player].len() >= sizes[player]) {
                self.codes.push(BY_SUB_GAME);
                line!(self, "Playing a sub-game to determine the winner...\n");
                let mut copies =
                    [0, 1].map(|player: usize| decks[player].iter().copied().take(sizes[player]).collect());
                let winner = self.play(&mut copies, level + 1)?;
                line!(self, "\n...anyway, back to game {game}.");
                winner
            } else {
                let winner = usize::from(two > one);
                self.codes.push(winner as u8);
                winner
            };
            line!(self, "Player {} wins round {round} of game {game}!", winner + 1);
            decks[winner].extend([cards[winner], cards[1 - winner]]);
            if self.log.len() > LOG_BYTES {
                return Err(format!("the log is longer than {LOG_BYTES} bytes"));
            }
        }
        let winner = usize::from(decks[0].is_empty());
        line!(self, "The winner of game {game} is player {}!", winner + 1);
        Ok(winner)
    }
}

/// Four codes of two bits a byte, the first in the lowest bits.
fn packed(codes: &[u8]) -> Vec<u8> {
    codes.chunks(4).map(|four| four.iter().rev().fold(0, |byte, code| byte << 2 | code)).collect()
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let bits = (0..3).fold(0, |bits, at| bits << 8 | three.get(at).map_or(0, |&byte| usize::from(byte)));
        for at in 0..4 {
            text.push(if at <= three.len() { char::from(DIGITS[bits >> (18 - 6 * at) & 63]) } else { '=' });
        }
    }
    text
}
