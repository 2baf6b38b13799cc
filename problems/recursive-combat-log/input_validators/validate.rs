//! Accepts (42) a well-formed case whose log is not too long; says what is wrong with any other (43).

use std::collections::{HashMap, HashSet};
use std::io::Read;
use std::process::ExitCode;

/// Of both players together.
const CARDS: usize = 10;
const HIGHEST: u32 = 999;
const LOG_BYTES: usize = 1 << 20;

fn main() -> ExitCode {
    let mut bytes = Vec::new();
    if let Err(error) = std::io::stdin().read_to_end(&mut bytes) {
        eprintln!("cannot read the input: {error}");
        return ExitCode::from(43);
    }
    match read_decks(&bytes).inspect(write_deck_bounds).and_then(check_log) {
        Ok(()) => ExitCode::from(42),
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(43)
        }
    }
}

/// The name of a variable, its bounds and its values.
type Variable<'a> = (&'a str, u64, u64, Vec<u64>);

/// With `--constraints_file FILE`, writes which of the bounds the values reach, for `grader verify`.
fn write_bounds(variables: &[Variable]) {
    let Some(file) = std::env::args().skip_while(|word| word != "--constraints_file").nth(1) else { return };
    let line = |(name, min, max, values): &Variable| {
        let (Some(least), Some(most)) = (values.iter().min(), values.iter().max()) else { return String::new() };
        format!("{name} {name} {} {} {least} {most} {min} {max}\n", u8::from(least == min), u8::from(most == max))
    };
    // The file decides nothing, so a failure to write it must not change the verdict.
    let _ = std::fs::write(file, variables.iter().map(line).collect::<String>());
}

/// The numbers of cards, and the cards, as variables.
fn write_deck_bounds(decks: &[Vec<u32>; 2]) {
    let cards = decks.iter().flatten().map(|&card| u64::from(card)).collect();
    let sizes = vec![decks.iter().map(|deck| deck.len() as u64).sum()];
    write_bounds(&[("cards", 2, CARDS as u64, sizes), ("card", 1, u64::from(HIGHEST), cards)]);
}

/// Both decks, top first, if every byte is where it belongs.
fn read_decks(bytes: &[u8]) -> Result<[Vec<u32>; 2], String> {
    if bytes.last() != Some(&b'\n') {
        return Err(format!("line {}: no newline at the end", bytes.split(|&byte| byte == b'\n').count()));
    }
    let mut lines = bytes[..bytes.len() - 1].split(|&byte| byte == b'\n').zip(1..);
    let mut decks = [Vec::new(), Vec::new()];
    let mut known = HashMap::new();
    let mut last = 0;
    for (player, deck) in decks.iter_mut().enumerate() {
        let title = format!("Player {}:", player + 1);
        match lines.next() {
            Some((line, _)) if line == title.as_bytes() => {}
            Some((line, number)) => return Err(wrong_line(line, number, &title)),
            None => return Err(format!("line {}, column 1: expected `{title}`, found the end", last + 1)),
        }
        last += 1;
        let mut closed = false;
        for (line, number) in lines.by_ref() {
            last = number;
            if line.is_empty() && player == 0 {
                closed = true;
                break;
            }
            let card = read_card(line).map_err(|(column, why)| format!("line {number}, column {column}: {why}"))?;
            if let Some(other) = known.insert(card, number) {
                return Err(format!("line {number}, column 1: card {card} is already on line {other}"));
            }
            if known.len() > CARDS {
                return Err(format!("line {number}, column 1: more than {CARDS} cards"));
            }
            deck.push(card);
        }
        if deck.is_empty() {
            return Err(format!("line {last}: player {} has no cards", player + 1));
        }
        if player == 0 && !closed {
            return Err(format!("line {}: no empty line after the cards of player 1", last + 1));
        }
    }
    Ok(decks)
}

fn wrong_line(line: &[u8], number: usize, expected: &str) -> String {
    let column = line.iter().zip(expected.as_bytes()).take_while(|(one, two)| one == two).count() + 1;
    format!("line {number}, column {column}: expected `{expected}`, found {:?}", String::from_utf8_lossy(line))
}

fn read_card(line: &[u8]) -> Result<u32, (usize, String)> {
    if let Some(column) = line.iter().position(|byte| !byte.is_ascii_digit()) {
        return Err((column + 1, format!("{:?} is not a digit", char::from(line[column]))));
    }
    match line {
        [] => Err((1, "an empty line, expected a card".to_owned())),
        [b'0', ..] => Err((1, "a card starts with 0".to_owned())),
        _ if line.len() > 3 => Err((4, format!("a card is above {HIGHEST}"))),
        _ => Ok(line.iter().fold(0, |value, digit| value * 10 + u32::from(digit - b'0'))),
    }
}

/// How long the log of the games played so far is.
#[derive(Default)]
struct Log {
    bytes: usize,
    games: usize,
}

fn digits(number: usize) -> usize {
    number.to_string().len()
}

/// The two lines with the decks.
fn deck_lines(decks: &[Vec<u32>; 2]) -> usize {
    let cards = |deck: &Vec<u32>| deck.iter().map(|&card| digits(card as usize) + 2).sum::<usize>();
    decks.iter().map(|deck| "Player 1's deck: \n".len() + cards(deck).saturating_sub(2)).sum()
}

impl Log {
    /// The index of the winner; `None` as soon as the log is too long.
    fn play(&mut self, mut decks: [Vec<u32>; 2]) -> Option<(usize, [Vec<u32>; 2])> {
        self.games += 1;
        let game = digits(self.games);
        self.bytes += "=== Game  ===\n".len() + game;
        let mut history = HashSet::new();
        let mut round = 0;
        while decks.iter().all(|deck| !deck.is_empty()) && history.insert(decks.clone()) {
            round += 1;
            self.bytes += "\n-- Round  (Game ) --\n".len() + digits(round) + game + deck_lines(&decks);
            let cards = [0, 1].map(|player: usize| decks[player].remove(0));
            self.bytes += cards.map(|card| "Player 1 plays: \n".len() + digits(card as usize)).iter().sum::<usize>();
            let sizes = cards.map(|card| card as usize);
            let winner = if (0..2).all(|player| decks[player].len() >= sizes[player]) {
                self.bytes += "Playing a sub-game to determine the winner...\n\n".len();
                let (winner, _) = self.play([0, 1].map(|player: usize| decks[player][..sizes[player]].to_vec()))?;
                self.bytes += "\n...anyway, back to game .\n".len() + game;
                winner
            } else {
                usize::from(cards[1] > cards[0])
            };
            self.bytes += "Player 1 wins round  of game !\n".len() + digits(round) + game;
            decks[winner].extend([cards[winner], cards[1 - winner]]);
            if self.bytes > LOG_BYTES {
                return None;
            }
        }
        self.bytes += "The winner of game  is player 1!\n".len() + game;
        Some((usize::from(decks[0].is_empty()), decks))
    }
}

fn check_log(decks: [Vec<u32>; 2]) -> Result<(), String> {
    let mut log = Log::default();
    if let Some((_, decks)) = log.play(decks) {
        log.bytes += "\n\n== Post-game results ==\n".len() + deck_lines(&decks);
        if log.bytes <= LOG_BYTES {
            return Ok(());
        }
    }
    Err(format!("line 1: the log of this game is longer than {LOG_BYTES} bytes"))
}
