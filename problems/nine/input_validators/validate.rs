//! Accepts exactly two lines of 18 cards each, separated by single spaces, that together are the whole deck.

use std::io::Read;
use std::process::ExitCode;

const RANKS: &[u8] = b"6789TJQKA";
const SUITS: &[u8] = b"CDSH";
const HAND: usize = 18;

/// Where each card was first seen, to name both places when it comes again.
type Seen = [[Option<(usize, usize)>; 9]; 4];

fn check_line(line: &[u8], number: usize, seen: &mut Seen) -> Result<(), String> {
    let mut column = 1;
    for (index, card) in line.split(|&byte| byte == b' ').enumerate() {
        let place = format!("line {number}, column {column}");
        let shown = card.escape_ascii();
        if index == HAND {
            return Err(format!("{place}: more than {HAND} cards in a hand"));
        }
        if card.is_empty() {
            return Err(format!("{place}: expected a card after a single space"));
        }
        let [rank, suit] = card else {
            return Err(format!("{place}: a card has a rank and a suit, found \"{shown}\""));
        };
        let Some(rank) = RANKS.iter().position(|known| known == rank) else {
            return Err(format!("{place}: \"{shown}\" does not start with one of 6789TJQKA"));
        };
        let Some(suit) = SUITS.iter().position(|known| known == suit) else {
            return Err(format!("{place}: \"{shown}\" does not end with one of CDSH"));
        };
        if let Some((line, column)) = seen[suit][rank].replace((number, column)) {
            return Err(format!("{place}: {shown} is already at line {line}, column {column}"));
        }
        column += card.len() + 1;
    }
    let count = line.split(|&byte| byte == b' ').count();
    if count < HAND {
        return Err(format!("line {number}, column {}: expected {HAND} cards, found {count}", line.len() + 1));
    }
    Ok(())
}

fn check(input: &[u8]) -> Result<(), String> {
    let mut seen = Seen::default();
    let mut rest = input;
    for number in 1..=2 {
        let Some(end) = rest.iter().position(|&byte| byte == b'\n') else {
            let column = rest.len() + 1;
            return Err(format!("line {number}, column {column}: the line must end with a line feed"));
        };
        check_line(&rest[..end], number, &mut seen)?;
        rest = &rest[end + 1..];
    }
    if !rest.is_empty() {
        return Err("line 3, column 1: expected the end of the input after two lines".to_string());
    }
    Ok(())
}

fn main() -> ExitCode {
    let mut input = Vec::new();
    if let Err(error) = std::io::stdin().read_to_end(&mut input) {
        eprintln!("cannot read the input: {error}");
        return ExitCode::from(1);
    }
    match check(&input) {
        Ok(()) => ExitCode::from(42),
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(43)
        }
    }
}
