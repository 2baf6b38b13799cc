//! Accepts (42) a well-formed case; says what is wrong with any other (43).

use std::collections::HashMap;
use std::io::Read;
use std::process::ExitCode;

const CARDS: usize = 50;
const HIGHEST: u32 = 999;

fn main() -> ExitCode {
    let mut bytes = Vec::new();
    if let Err(error) = std::io::stdin().read_to_end(&mut bytes) {
        eprintln!("cannot read the input: {error}");
        return ExitCode::from(43);
    }
    match read_decks(&bytes) {
        Ok(decks) => {
            write_deck_bounds(&decks);
            ExitCode::from(42)
        }
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
    let sizes = decks.iter().map(|deck| deck.len() as u64).collect();
    write_bounds(&[("cards", 1, CARDS as u64, sizes), ("card", 1, u64::from(HIGHEST), cards)]);
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
            if deck.len() == CARDS {
                return Err(format!("line {number}, column 1: player {} has more than {CARDS} cards", player + 1));
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
