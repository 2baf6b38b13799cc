//! Plays a case of Recursive Combat for its page: `visualize INPUT ANSWER` writes `testcase.json`.
//!
//! The page replays the games from codes of two bits, the first in the lowest bits, in the order of play:
//!
//! * 0, 1: player 1 or 2 wins a round by the higher card;
//! * 2: a sub-game decides the round; its codes follow;
//! * 3, then 0 or 1: a sub-game decides the round, and player 1 or 2 wins it; it is not embedded, and the next pair of
//!   `skipped` says how many rounds and games it takes together (0 0: not counted);
//! * 3, then 3: the game ends by repetition; the next number of `repeats` is the round that began with the same decks.
//!
//! The first game is always embedded. Its sub-games are as far as they fit, each with everything within it or without.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::process::ExitCode;
use std::{env, fs};

const CARDS: usize = 50;
const HIGHEST: u16 = 999;
/// How many rounds may be embedded, and how many a game is worth: its own codes and numbers.
const EMBEDDED: u32 = 600_000;
const GAME: u32 = 6;
/// After so many rounds sub-games are no longer played out: only their winners are found.
const PLAYED: usize = 4_000_000;
/// After so many rounds more it takes too long.
const SEARCHED: u64 = 400_000_000;

const BY_SUB_GAME: u8 = 2;
const ESCAPE: u8 = 3;
/// Plus the winner; only in `Play::codes`.
const BY_SEARCH: u8 = 4;

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
    let winner = play.record(&mut decks, 1)?;
    let score: u32 = decks[winner].iter().rev().zip(1..).map(|(&card, place)| u32::from(card) * place).sum();
    if answer.trim() != score.to_string() {
        return Err(format!("the score is {score}, but the answer is {:?}", answer.trim()));
    }
    let first = &play.games[0];
    let mut page = Page { left: EMBEDDED.saturating_sub(first.own), ..Page::default() };
    if first.own > EMBEDDED {
        return Err(format!("the first game takes {} rounds: too many for a page", first.own));
    }
    page.embed(&play, false);
    let json = format!(
        "{{\"recursive\":true,\"decks\":{start:?},\"score\":{score},\"rounds\":{},\"games\":{},\"levels\":{},\
         \"exact\":{},\"codes\":\"{}\",\"repeats\":[{}],\"skipped\":[{}],\"log\":null}}\n",
        first.rounds,
        first.games,
        play.levels,
        play.searched == 0,
        base64(&packed(&page.codes)),
        page.repeats.join(","),
        page.skipped.join(",")
    );
    fs::write("testcase.json", json).map_err(|error| format!("cannot write testcase.json: {error}"))
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
    if decks.iter().any(|deck| deck.is_empty() || deck.len() > CARDS) {
        return Err(format!("a deck does not have from 1 to {CARDS} cards"));
    }
    let mut all = decks.concat();
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

/// The rounds that began with each configuration of the decks of a game.
#[derive(Default)]
struct History(HashMap<Vec<u16>, u32>);

impl History {
    /// The earlier round with the same decks, if there was one.
    fn insert(&mut self, decks: &Decks, round: u32) -> Option<u32> {
        let state = decks.iter().flat_map(|deck| [0].into_iter().chain(deck.iter().copied())).collect();
        match self.0.entry(state) {
            Entry::Occupied(known) => Some(*known.get()),
            Entry::Vacant(new) => {
                new.insert(round);
                None
            }
        }
    }
}

/// The top cards, and the decks of the sub-game that they start if both players have cards enough.
fn draw(decks: &mut Decks) -> Option<([u16; 2], Option<Decks>)> {
    let cards = [*decks[0].front()?, *decks[1].front()?];
    for deck in decks.iter_mut() {
        deck.pop_front();
    }
    let enough = (0..2).all(|player| decks[player].len() >= usize::from(cards[player]));
    let copies = || [0, 1].map(|player: usize| decks[player].iter().copied().take(cards[player].into()).collect());
    Some((cards, enough.then(copies)))
}

fn take(decks: &mut Decks, cards: [u16; 2], winner: usize) {
    decks[winner].extend([cards[winner], cards[1 - winner]]);
}

struct Game {
    /// Rounds of this game alone, and with those of all games within it.
    own: u32,
    rounds: u32,
    /// This game and those within it.
    games: u32,
    winner: usize,
    repeats: Option<u32>,
    /// Whether all games within it are recorded.
    whole: bool,
}

/// Everything that is played, in the order of play: games by their starts.
#[derive(Default)]
struct Play {
    codes: Vec<u8>,
    games: Vec<Game>,
    levels: usize,
    searched: u64,
}

impl Play {
    /// Plays a game to its end and records it. Returns the winner; `decks` are then those at the end.
    fn record(&mut self, decks: &mut Decks, level: usize) -> Result<usize, String> {
        let (number, codes, searched) = (self.games.len(), self.codes.len(), self.searched);
        self.games.push(Game { own: 0, rounds: 0, games: 0, winner: 0, repeats: None, whole: true });
        self.levels = self.levels.max(level);
        let mut history = History::default();
        let mut own = 0;
        let repeats = loop {
            let seen = history.insert(decks, own + 1);
            if seen.is_some() {
                break seen;
            }
            let Some((cards, sub_game)) = draw(decks) else { break None };
            own += 1;
            let winner = match sub_game {
                None => {
                    let winner = usize::from(cards[1] > cards[0]);
                    self.codes.push(winner as u8);
                    winner
                }
                Some(mut copies) if self.codes.len() < PLAYED => {
                    self.codes.push(BY_SUB_GAME);
                    self.record(&mut copies, level + 1)?
                }
                Some(copies) => {
                    let winner = self.search(copies)?;
                    self.codes.push(BY_SEARCH + winner as u8);
                    winner
                }
            };
            take(decks, cards, winner);
        };
        let winner = if repeats.is_some() { 0 } else { usize::from(decks[0].is_empty()) };
        let (rounds, games) = (self.codes.len() - codes, self.games.len() - number);
        let whole = self.searched == searched;
        self.games[number] = Game { own, rounds: rounds as u32, games: games as u32, winner, repeats, whole };
        Ok(winner)
    }

    /// The winner of a sub-game. Its highest card is never lost, because nobody ever has so many cards left. If player 1
    /// holds it, player 1 wins, be it by repetition. If player 2 holds it, decks that come back do so also when this card
    /// is on top: the other rounds need no history.
    fn search(&mut self, mut decks: Decks) -> Result<usize, String> {
        self.searched += 1;
        let highest = decks[1].iter().max().copied();
        if decks[0].iter().max().copied() > highest {
            return Ok(0);
        }
        let mut history = History::default();
        while decks[1].front().copied() != highest || history.insert(&decks, 0).is_none() {
            let Some((cards, sub_game)) = draw(&mut decks) else { return Ok(usize::from(decks[0].is_empty())) };
            self.searched += 1;
            if self.searched > SEARCHED {
                return Err(format!("the games take more than {} rounds", PLAYED as u64 + SEARCHED));
            }
            let winner = match sub_game {
                None => usize::from(cards[1] > cards[0]),
                Some(copies) => self.search(copies)?,
            };
            take(&mut decks, cards, winner);
        }
        Ok(0)
    }
}

/// What the page gets.
#[derive(Default)]
struct Page {
    /// Rounds that may still be embedded.
    left: u32,
    codes: Vec<u8>,
    repeats: Vec<String>,
    skipped: Vec<String>,
    /// The next code and the next game of the play.
    code: usize,
    game: usize,
}

impl Page {
    /// Embeds the next game of the play, which is already paid for: with all games within it if `whole`.
    fn embed(&mut self, play: &Play, whole: bool) {
        let game = &play.games[self.game];
        self.game += 1;
        for _ in 0..game.own {
            let code = play.codes[self.code];
            self.code += 1;
            match code {
                BY_SUB_GAME => {
                    let sub_game = &play.games[self.game];
                    if whole || self.pay(sub_game.rounds, sub_game.games) {
                        self.codes.push(BY_SUB_GAME);
                        self.embed(play, true);
                    } else if self.pay(sub_game.own, 1) {
                        self.codes.push(BY_SUB_GAME);
                        self.embed(play, false);
                    } else {
                        self.codes.extend([ESCAPE, sub_game.winner as u8]);
                        let size = if sub_game.whole { (sub_game.rounds, sub_game.games) } else { (0, 0) };
                        self.skipped.push(format!("{},{}", size.0, size.1));
                        self.code += sub_game.rounds as usize;
                        self.game += sub_game.games as usize;
                    }
                }
                BY_SEARCH.. => {
                    self.codes.extend([ESCAPE, code - BY_SEARCH]);
                    self.skipped.push("0,0".to_owned());
                }
                by_card => self.codes.push(by_card),
            }
        }
        if let Some(round) = game.repeats {
            self.codes.extend([ESCAPE, ESCAPE]);
            self.repeats.push(round.to_string());
        }
    }

    /// Whether so much still fits; then it is taken from what is left.
    fn pay(&mut self, rounds: u32, games: u32) -> bool {
        let rest = self.left.checked_sub(rounds + GAME * games);
        self.left = rest.unwrap_or(self.left);
        rest.is_some()
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
