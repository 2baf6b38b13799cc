//! Combat: the winner's score, by playing the game.

use std::io::Read;

/// A ring of cards. Positions are bytes, so they wrap by themselves; 256 places are enough for 100 cards.
struct Deck {
    cards: [u16; 256],
    top: u8,
    end: u8,
}

impl Deck {
    fn new(cards: &[u16]) -> Deck {
        let mut deck = Deck { cards: [0; 256], top: 0, end: 0 };
        for &card in cards {
            deck.put(card);
        }
        deck
    }

    fn len(&self) -> u8 {
        self.end.wrapping_sub(self.top)
    }

    fn draw(&mut self) -> u16 {
        let card = self.cards[usize::from(self.top)];
        self.top = self.top.wrapping_add(1);
        card
    }

    fn put(&mut self, card: u16) {
        self.cards[usize::from(self.end)] = card;
        self.end = self.end.wrapping_add(1);
    }
}

fn read_decks() -> [Vec<u16>; 2] {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let mut decks = [Vec::new(), Vec::new()];
    let mut player = 0;
    for line in text.lines() {
        match line {
            "Player 1:" | "" => {}
            "Player 2:" => player = 1,
            card => decks[player].push(card.parse().unwrap()),
        }
    }
    decks
}

fn main() {
    let mut decks = read_decks().map(|cards| Deck::new(&cards));
    while decks[0].len() > 0 && decks[1].len() > 0 {
        let (one, two) = (decks[0].draw(), decks[1].draw());
        let winner = usize::from(two > one);
        decks[winner].put(one.max(two));
        decks[winner].put(one.min(two));
    }
    let deck = if decks[0].len() > 0 { &mut decks[0] } else { &mut decks[1] };
    let mut score = 0;
    while deck.len() > 0 {
        score += u32::from(deck.len()) * u32::from(deck.draw());
    }
    println!("{score}");
}
