// Mistake: a deck has room for 50 cards, but a winner may come to hold all 100: the index runs past the end.

use std::collections::HashSet;
use std::io::Read;

#[derive(Clone, PartialEq, Eq, Hash)]
struct Deck {
    cards: [usize; 50],
    count: usize,
}

impl Deck {
    fn new(cards: &[usize]) -> Deck {
        let mut deck = Deck { cards: [0; 50], count: 0 };
        for &card in cards {
            deck.put(card);
        }
        deck
    }

    fn put(&mut self, card: usize) {
        self.cards[self.count] = card;
        self.count += 1;
    }

    fn draw(&mut self) -> usize {
        self.cards.rotate_left(1);
        self.count -= 1;
        std::mem::take(&mut self.cards[49])
    }
}

/// Plays a game to its end; whether player 1 wins.
fn play(decks: &mut [Deck; 2]) -> bool {
    let mut history = HashSet::new();
    while decks[0].count > 0 && decks[1].count > 0 {
        if !history.insert(decks.clone()) {
            return true;
        }
        let cards = [decks[0].draw(), decks[1].draw()];
        let winner = if decks[0].count >= cards[0] && decks[1].count >= cards[1] {
            let mut copies = [0, 1].map(|player: usize| Deck::new(&decks[player].cards[..cards[player]]));
            usize::from(!play(&mut copies))
        } else {
            usize::from(cards[1] > cards[0])
        };
        decks[winner].put(cards[winner]);
        decks[winner].put(cards[1 - winner]);
    }
    decks[0].count > 0
}

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let (one, two) = text.split_once("\n\n").unwrap();
    let mut decks = [one, two].map(|part| {
        let cards: Vec<usize> = part.lines().skip(1).map(|line| line.parse().unwrap()).collect();
        Deck::new(&cards)
    });
    let winner = usize::from(!play(&mut decks));
    let deck = &decks[winner];
    let score: usize = (0..deck.count).map(|place| deck.cards[place] * (deck.count - place)).sum();
    println!("{score}");
}
