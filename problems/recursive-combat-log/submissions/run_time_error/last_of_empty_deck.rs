// Mistake: writes the last card of a deck by its index, also of an empty deck, whose last index is below zero.

use std::collections::{HashSet, VecDeque};
use std::fmt::{Display, Write as _};
use std::io::{Read, Write as _};

type Deck = VecDeque<u32>;

#[derive(Default)]
struct Log {
    text: String,
    /// Games started so far: the number of the newest one.
    games: u32,
}

/// A deck as the log shows it.
struct Shown<'a>(&'a Deck);

impl Display for Shown<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter) -> std::fmt::Result {
        let cards: Vec<u32> = self.0.iter().copied().collect();
        let last = cards.len() - 1;
        for card in &cards[..last] {
            write!(out, "{card}, ")?;
        }
        write!(out, "{}", cards[last])?;
        Ok(())
    }
}

/// Appends a line; writing to a `String` cannot fail.
macro_rules! line {
    ($log:expr, $($form:tt)*) => { writeln!($log.text, $($form)*).unwrap() };
}

impl Log {
    fn decks(&mut self, decks: &[Deck; 2]) {
        for (player, deck) in (1..).zip(decks) {
            line!(self, "Player {player}'s deck: {}", Shown(deck));
        }
    }

    /// Plays a game and logs it; the index of its winner.
    fn play(&mut self, decks: &mut [Deck; 2]) -> usize {
        self.games += 1;
        let game = self.games;
        line!(self, "=== Game {game} ===");
        let mut history = HashSet::new();
        let mut round = 0;
        // A repetition ends the game before its round gets a heading.
        while decks.iter().all(|deck| !deck.is_empty()) && history.insert(decks.clone()) {
            round += 1;
            line!(self, "\n-- Round {round} (Game {game}) --");
            self.decks(decks);
            let cards = decks.each_mut().map(|deck| deck.pop_front().unwrap());
            for (player, card) in (1..).zip(cards) {
                line!(self, "Player {player} plays: {card}");
            }
            let mut copies = [0, 1].map(|player: usize| {
                let count = cards[player] as usize;
                (decks[player].len() >= count).then(|| decks[player].iter().take(count).copied().collect())
            });
            let winner = if let [Some(one), Some(two)] = &mut copies {
                line!(self, "Playing a sub-game to determine the winner...\n");
                let winner = self.play(&mut [std::mem::take(one), std::mem::take(two)]);
                line!(self, "\n...anyway, back to game {game}.");
                winner
            } else {
                usize::from(cards[1] > cards[0])
            };
            line!(self, "Player {} wins round {round} of game {game}!", winner + 1);
            decks[winner].extend([cards[winner], cards[1 - winner]]);
        }
        let winner = usize::from(decks[0].is_empty());
        line!(self, "The winner of game {game} is player {}!", winner + 1);
        winner
    }
}

fn read_decks() -> [Deck; 2] {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let mut decks = [Deck::new(), Deck::new()];
    let mut player = 0;
    for line in text.lines() {
        match line {
            "Player 1:" | "" => {}
            "Player 2:" => player = 1,
            card => decks[player].push_back(card.parse().unwrap()),
        }
    }
    decks
}

fn main() {
    let mut decks = read_decks();
    let mut log = Log::default();
    log.play(&mut decks);
    line!(log, "\n\n== Post-game results ==");
    log.decks(&decks);
    std::io::stdout().write_all(log.text.as_bytes()).unwrap();
}
