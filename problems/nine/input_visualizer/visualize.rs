//! Who wins at every position of a deal, one bit each, for the page. `visualize INPUT ANSWER` writes `testcase.json`.
//!
//! The deal is fixed, so the table determines both hands: a suit is empty (0), or has its nine and some cards below and
//! above it (1 + 6 * below + above). The four suits are the digits of a table's number to the base 25, clubs first.
//! Laying the nine or a card above adds 1 to a digit, a card below adds 6: every card leads to a higher number.

use std::process::ExitCode;
use std::{env, fs};

const RANKS: &str = "6789TJQKA";
const SUITS: &str = "CDSH";
const NINE: usize = 3;
const STATES: usize = 25;
const TABLES: usize = STATES * STATES * STATES * STATES;
const UP: usize = 1;
const DOWN: usize = 6;
const PLAYERS: [&str; 2] = ["Alice", "Bob"];

/// For each suit and each of its states what can be laid next, as (owner, what it adds to the digit), and how many
/// cards each player still holds.
struct Suit {
    next: Vec<Vec<(usize, usize)>>,
    left: Vec<[usize; 2]>,
}

impl Suit {
    fn new(owner: &[usize; 9]) -> Suit {
        let count = |laid: &dyn Fn(usize) -> bool, player| (0..9).filter(|&r| !laid(r) && owner[r] == player).count();
        let mut suit =
            Suit { next: vec![vec![(owner[NINE], UP)]], left: vec![[0, 1].map(|player| count(&|_| false, player))] };
        for (below, above) in (0..=3).flat_map(|below| (0..=5).map(move |above| (below, above))) {
            let mut next = Vec::new();
            if above < 5 {
                next.push((owner[NINE + above + 1], UP));
            }
            if below < 3 {
                next.push((owner[NINE - below - 1], DOWN));
            }
            suit.next.push(next);
            let laid = |rank: usize| (NINE - below..=NINE + above).contains(&rank);
            suit.left.push([0, 1].map(|player| count(&laid, player)));
        }
        suit
    }
}

struct Deal {
    suits: Vec<Suit>,
}

impl Deal {
    /// The tables that a player can make by laying a card.
    fn moves(&self, table: usize, player: usize) -> Vec<usize> {
        let (mut found, mut rest, mut weight) = (Vec::new(), table, 1);
        for suit in &self.suits {
            let next = &suit.next[rest % STATES];
            found.extend(next.iter().filter(|&&(owner, _)| owner == player).map(|(_, adds)| table + adds * weight));
            rest /= STATES;
            weight *= STATES;
        }
        found
    }

    /// The player who has laid everything, if there is one. Both have only at the very end, which no game reaches.
    fn finished(&self, table: usize) -> Option<usize> {
        let mut left = [0, 0];
        let mut rest = table;
        for suit in &self.suits {
            for player in [0, 1] {
                left[player] += suit.left[rest % STATES][player];
            }
            rest /= STATES;
        }
        left.iter().position(|&cards| cards == 0)
    }

    /// Whether Alice wins, at 2 * table + mover.
    fn solve(&self) -> Vec<bool> {
        let mut alice = vec![false; 2 * TABLES];
        for table in (0..TABLES).rev() {
            if let Some(player) = self.finished(table) {
                alice[2 * table..2 * table + 2].fill(player == 0);
                continue;
            }
            let moves = [0, 1].map(|player| self.moves(table, player));
            for player in [0, 1] {
                // Who can lay nothing passes; then the other one can.
                let mover = if moves[player].is_empty() { 1 - player } else { player };
                let mut values = moves[mover].iter().map(|&to| alice[2 * to + 1 - mover]);
                alice[2 * table + player] = if mover == 0 { values.any(|won| won) } else { values.all(|won| won) };
            }
        }
        alice
    }

    /// How many positions with a card to lay can come up, and in how many of them Alice wins.
    fn reachable(&self, alice: &[bool]) -> [usize; 2] {
        let mut seen = vec![false; 2 * TABLES];
        seen[0] = true;
        let mut counts = [0, 0];
        for table in 0..TABLES {
            if !(seen[2 * table] || seen[2 * table + 1]) || self.finished(table).is_some() {
                continue;
            }
            let moves = [0, 1].map(|player| self.moves(table, player));
            for player in [0, 1] {
                if moves[player].is_empty() && seen[2 * table + player] {
                    seen[2 * table + 1 - player] = true;
                }
            }
            for player in [0, 1] {
                if seen[2 * table + player] && !moves[player].is_empty() {
                    counts[0] += 1;
                    counts[1] += usize::from(alice[2 * table + player]);
                    for to in &moves[player] {
                        seen[2 * to + 1 - player] = true;
                    }
                }
            }
        }
        counts
    }
}

fn read_deal(input: &str) -> Result<Deal, String> {
    let mut owner = [[None; 9]; 4];
    let lines: Vec<&str> = input.lines().collect();
    if lines.len() != 2 {
        return Err(format!("expected two lines of cards, found {}", lines.len()));
    }
    for (player, line) in lines.iter().enumerate() {
        let cards: Vec<&str> = line.split_whitespace().collect();
        if cards.len() != 18 {
            return Err(format!("{} has {} cards instead of 18", PLAYERS[player], cards.len()));
        }
        for card in cards {
            let mut letters = card.chars();
            let place = |letter: Option<char>, known: &str| letter.and_then(|letter| known.find(letter));
            let (rank, suit) = (place(letters.next(), RANKS), place(letters.next(), SUITS));
            let (Some(rank), Some(suit), None) = (rank, suit, letters.next()) else {
                return Err(format!("{card:?} is not a card"));
            };
            if owner[suit][rank].replace(player).is_some() {
                return Err(format!("{card} occurs twice"));
            }
        }
    }
    // 36 different cards are the whole deck.
    let suits = owner.iter().map(|suit| Suit::new(&suit.map(|player| player.expect("every card is dealt"))));
    Ok(Deal { suits: suits.collect() })
}

fn base64(bits: &[bool]) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let byte = |bits: &[bool]| bits.iter().enumerate().fold(0, |byte, (place, &bit)| byte | u32::from(bit) << place);
    let bytes: Vec<u32> = bits.chunks(8).map(byte).collect();
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let joined = (0..3).fold(0, |sum, place| sum << 8 | group.get(place).copied().unwrap_or(0));
        for place in 0..4 {
            let letter = LETTERS[(joined >> (18 - 6 * place) & 63) as usize];
            text.push(if place > group.len() { '=' } else { char::from(letter) });
        }
    }
    text
}

fn run() -> Result<(), String> {
    let paths: Vec<String> = env::args().skip(1).collect();
    let [input, answer, ..] = &paths[..] else {
        return Err("usage: visualize INPUT ANSWER".to_string());
    };
    let read = |path: &String| fs::read_to_string(path).map_err(|error| format!("cannot read {path}: {error}"));
    let (input, answer) = (read(input)?, read(answer)?);
    let deal = read_deal(&input)?;
    let alice = deal.solve();
    let winner = PLAYERS[usize::from(!alice[0])];
    if answer.trim() != winner {
        return Err(format!("{winner} wins this deal, but the answer file says {:?}", answer.trim()));
    }
    let [positions, of_alice] = deal.reachable(&alice);
    let hands: Vec<String> =
        input.lines().map(|line| format!("\"{}\"", line.split_whitespace().collect::<Vec<_>>().join(" "))).collect();
    let json = format!(
        "{{\"hands\":[{}],\"positions\":{positions},\"of_alice\":{of_alice},\"alice\":\"{}\"}}\n",
        hands.join(","),
        base64(&alice)
    );
    fs::write("testcase.json", json).map_err(|error| format!("cannot write testcase.json: {error}"))
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
