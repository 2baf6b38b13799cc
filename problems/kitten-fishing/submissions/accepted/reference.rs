//! Plays the game on hands packed into machine words, with Brent's cycle detection for the draws.
//!
//! Twelve cards of four bits fit into a 64-bit word, so laying a card is a shift, catching is a few
//! more, and the whole game is a small value that can be copied and compared. Brent's method needs
//! no memory of past positions: it keeps one of them and moves it forward at powers of two.

use std::io::{self, Read, Write};

const NAMES: [&str; 2] = ["小哼", "小哈"];

/// Cards in order; the next one to leave is in the lowest four bits.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Cards {
    bits: u64,
    count: u32,
}

impl Cards {
    fn push_back(&mut self, card: u64) {
        self.bits |= card << (4 * self.count);
        self.count += 1;
    }

    fn push_front(&mut self, card: u64) {
        self.bits = self.bits << 4 | card;
        self.count += 1;
    }

    fn pop_front(&mut self) -> u64 {
        let card = self.bits & 15;
        self.bits >>= 4;
        self.count -= 1;
        card
    }

    fn front_to_back(self) -> impl DoubleEndedIterator<Item = u64> {
        (0..self.count).map(move |i| self.bits >> (4 * i) & 15)
    }
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Game {
    hands: [Cards; 2],
    /// The end of the row is the front: there it grows and shrinks.
    row: Cards,
    /// Bit `v` is set if the value `v` lies in the row.
    in_row: u32,
    turn: usize,
}

impl Game {
    /// One turn. Returns the winner if it ends the game.
    fn step(&mut self) -> Option<usize> {
        let hand = &mut self.hands[self.turn];
        let card = hand.pop_front();
        let known = self.in_row & 1 << card != 0;
        if known {
            hand.push_back(card);
            loop {
                let caught = self.row.pop_front();
                self.in_row ^= 1 << caught;
                hand.push_back(caught);
                if caught == card {
                    break;
                }
            }
        } else {
            self.row.push_front(card);
            self.in_row |= 1 << card;
        }
        let empty = hand.count == 0;
        self.turn ^= 1;
        empty.then_some(self.turn)
    }

    /// Plays to the end. `None` is a draw.
    fn play(&mut self) -> Option<usize> {
        let (mut kept, mut steps, mut power) = (*self, 0u64, 1u64);
        loop {
            if let Some(winner) = self.step() {
                return Some(winner);
            }
            if *self == kept {
                return None;
            }
            steps += 1;
            if steps == power {
                kept = *self;
                steps = 0;
                power *= 2;
            }
        }
    }
}

fn list(text: &str, cards: impl Iterator<Item = u64>) -> String {
    cards.fold(text.to_string(), |line, card| format!("{line} {card}"))
}

fn main() -> io::Result<()> {
    let mut input = String::new();
    io::stdin().read_to_string(&mut input)?;
    let mut game = Game::default();
    for (hand, line) in game.hands.iter_mut().zip(input.lines()) {
        for card in line.bytes().filter(u8::is_ascii_digit) {
            hand.push_back(u64::from(card - b'0'));
        }
    }
    let output = match game.play() {
        None => "平局\n".to_string(),
        Some(winner) => {
            let name = NAMES[winner];
            let hand = list(&format!("{name}当前手中的牌是"), game.hands[winner].front_to_back());
            let row = list("桌上的牌是", game.row.front_to_back().rev());
            format!("{name}win\n{hand}\n{row}\n")
        }
    };
    io::stdout().write_all(output.as_bytes())
}
