//! Plays a case of Crab Combat for its page: `visualize INPUT ANSWER` writes `testcase.json`.
//!
//! The page replays the game from the winners of its rounds. `codes` holds them, two bits a round (0: player 1, 1: player
//! 2), the first round in the lowest bits: the form that the pages of Recursive Combat read too.

use std::collections::VecDeque;
use std::process::ExitCode;
use std::{env, fs};

const CARDS: usize = 50;
const HIGHEST: u16 = 999;
const ROUNDS: usize = 100_000;

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
    let (winners, decks) = play(&start)?;
    let winner = usize::from(decks[0].is_empty());
    let score: u32 = decks[winner].iter().rev().zip(1..).map(|(&card, place)| u32::from(card) * place).sum();
    if answer.trim() != score.to_string() {
        return Err(format!("the score is {score}, but the answer is {:?}", answer.trim()));
    }
    let rounds = winners.len();
    let json = format!(
        "{{\"recursive\":false,\"decks\":{start:?},\"score\":{score},\"rounds\":{rounds},\"games\":1,\"levels\":1,\
         \"exact\":true,\"codes\":\"{}\",\"repeats\":[],\"skipped\":[],\"log\":null}}\n",
        base64(&packed(&winners))
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

/// The winners of all rounds, and the decks at the end.
fn play(start: &[Vec<u16>; 2]) -> Result<(Vec<u8>, [VecDeque<u16>; 2]), String> {
    let mut decks = start.clone().map(VecDeque::from);
    let mut winners = Vec::new();
    while let (Some(&one), Some(&two)) = (decks[0].front(), decks[1].front()) {
        if winners.len() == ROUNDS {
            return Err(format!("the game does not end within {ROUNDS} rounds"));
        }
        for deck in &mut decks {
            deck.pop_front();
        }
        let winner = usize::from(two > one);
        decks[winner].extend([one.max(two), one.min(two)]);
        winners.push(winner as u8);
    }
    Ok((winners, decks))
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
