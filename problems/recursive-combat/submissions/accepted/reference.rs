//! Recursive Combat: the winner's score.
//!
//! Only the decks of the first game are asked for; of every other game nothing but its winner matters. Two facts
//! about such a game make it cheap:
//!
//! * Its highest card is never lost. Values are distinct and positive, so the highest is at least the number of cards
//!   in play; nobody ever has that many cards left below it, the round is decided by value, and the card wins it. If
//!   player 1 holds it, player 1 cannot lose: the game ends well or it repeats, and a repetition is player 1's as well.
//! * If player 2 holds it, every repeating stretch of rounds brings it to the top of the deck again. It is enough to
//!   compare the configurations at those rounds. The repetition is noticed a few rounds late, which changes no winner.

use std::io::Read;

/// A ring of cards. Positions are bytes, so they wrap by themselves and need no bounds check; each card is also kept
/// 256 places further on, so that the deck is one slice wherever it starts.
#[derive(Clone)]
struct Deck {
    cards: [u8; 512],
    top: u8,
    end: u8,
}

impl Deck {
    const EMPTY: Deck = Deck { cards: [0; 512], top: 0, end: 0 };

    fn set(&mut self, cards: &[u8]) {
        self.cards[..cards.len()].copy_from_slice(cards);
        self.cards[256..256 + cards.len()].copy_from_slice(cards);
        self.top = 0;
        self.end = cards.len() as u8;
    }

    fn len(&self) -> usize {
        usize::from(self.end.wrapping_sub(self.top))
    }

    fn as_slice(&self) -> &[u8] {
        &self.cards[usize::from(self.top)..][..self.len()]
    }

    fn top(&self) -> u8 {
        self.cards[usize::from(self.top)]
    }

    fn drop_top(&mut self) {
        self.top = self.top.wrapping_add(1);
    }

    fn put(&mut self, card: u8) {
        self.cards[usize::from(self.end)] = card;
        self.cards[usize::from(self.end) + 256] = card;
        self.end = self.end.wrapping_add(1);
    }
}

/// The configurations a game has had: an open hash table over states of equal size that lie one after the other.
#[derive(Default)]
struct History {
    states: Vec<u8>,
    /// Per slot: the number of the state plus one in the low half, the upper half of its hash in the high half.
    slots: Vec<u64>,
    count: usize,
}

impl History {
    fn clear(&mut self) {
        self.states.clear();
        // A short game must not pay for a long one before it.
        self.slots.clear();
        self.slots.resize(16, 0);
        self.count = 0;
    }

    /// Whether the configuration was new.
    fn insert(&mut self, decks: &[Deck; 2]) -> bool {
        let start = self.states.len();
        // All cards of a game are always in play, so the first length tells the second.
        self.states.push(decks[0].len() as u8);
        self.states.extend_from_slice(decks[0].as_slice());
        self.states.extend_from_slice(decks[1].as_slice());
        let (known, state) = self.states.split_at(start);
        let hash = hash(state);
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        while self.slots[slot] != 0 {
            let entry = self.slots[slot];
            let at = (entry as u32 as usize - 1) * state.len();
            if entry >> 32 == hash >> 32 && known[at..at + state.len()] == *state {
                return false;
            }
            slot = (slot + 1) & mask;
        }
        self.count += 1;
        self.slots[slot] = (hash >> 32) << 32 | self.count as u64;
        if self.count * 2 > self.slots.len() {
            self.grow(self.states.len() / self.count);
        }
        true
    }

    fn grow(&mut self, size: usize) {
        let mask = self.slots.len() * 4 - 1;
        self.slots.clear();
        self.slots.resize(mask + 1, 0);
        for (number, state) in self.states.chunks_exact(size).enumerate() {
            let hash = hash(state);
            let mut slot = hash as usize & mask;
            while self.slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = (hash >> 32) << 32 | (number as u64 + 1);
        }
    }
}

/// Eight cards at a time; the product is folded, so that its low bits depend on all of them.
fn hash(state: &[u8]) -> u64 {
    let mut words = state.chunks_exact(8);
    let mut hash = state.len() as u64;
    let mut mix = |word: u64| {
        let product = u128::from(hash ^ word ^ 0x9e37_79b9_7f4a_7c15) * 0xd6e8_feb8_6659_fd93_u128;
        hash = (product ^ (product >> 64)) as u64;
    };
    for word in &mut words {
        mix(u64::from_le_bytes(word.try_into().unwrap()));
    }
    let mut last = [0; 8];
    last[..words.remainder().len()].copy_from_slice(words.remainder());
    mix(u64::from_le_bytes(last));
    hash
}

/// What one level of recursion needs; kept from game to game.
struct Level {
    decks: [Deck; 2],
    history: History,
}

struct Table {
    levels: Vec<Level>,
}

impl Table {
    fn level(&mut self, depth: usize) -> &mut Level {
        if depth == self.levels.len() {
            self.levels.push(Level { decks: [Deck::EMPTY, Deck::EMPTY], history: History::default() });
        }
        &mut self.levels[depth]
    }

    /// Plays the game laid out at `depth` to its end: the winner, 0 or 1. Its last decks stay there.
    ///
    /// `watched` is a card that player 2 never loses: only the rounds it opens are looked up in the history.
    fn play(&mut self, depth: usize, watched: Option<u8>) -> usize {
        self.levels[depth].history.clear();
        loop {
            let Level { decks, history } = &mut self.levels[depth];
            if decks[0].len() == 0 {
                return 1;
            }
            if decks[1].len() == 0 {
                return 0;
            }
            let (one, two) = (decks[0].top(), decks[1].top());
            if watched.is_none_or(|card| card == two) && !history.insert(decks) {
                return 0;
            }
            decks[0].drop_top();
            decks[1].drop_top();
            let player_1_wins = if decks[0].len() >= usize::from(one) && decks[1].len() >= usize::from(two) {
                self.play_sub_game(depth, [one, two].map(usize::from)) == 0
            } else {
                one > two
            };
            // No branch on the winner: nothing can predict it.
            let (winner, won, lost) = if player_1_wins { (0, one, two) } else { (1, two, one) };
            let deck = &mut self.levels[depth].decks[winner];
            deck.put(won);
            deck.put(lost);
        }
    }

    /// The winner of the sub-game on copies of the next cards of the decks at `depth`.
    fn play_sub_game(&mut self, depth: usize, sizes: [usize; 2]) -> usize {
        let decks = &self.levels[depth].decks;
        let copies = [0, 1].map(|player| &decks[player].as_slice()[..sizes[player]]);
        let highest = copies.map(|cards| *cards.iter().max().unwrap());
        if highest[0] > highest[1] {
            return 0;
        }
        self.level(depth + 1);
        let (above, below) = self.levels.split_at_mut(depth + 1);
        for (player, size) in sizes.into_iter().enumerate() {
            below[0].decks[player].set(&above[depth].decks[player].as_slice()[..size]);
        }
        self.play(depth + 1, Some(highest[1]))
    }
}

fn read_decks() -> [Vec<u64>; 2] {
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
    let input = read_decks();
    // A card as high as the number of cards never starts a sub-game; only its rank counts. So every card fits a byte:
    // low ones as they are, high ones renumbered in order.
    let mut values = input.concat();
    values.sort_unstable();
    let total = values.len() as u64;
    let low = values.partition_point(|&value| value < total);
    let mut value_of = [0; 256];
    let mut code = |value: u64| {
        let code = if value < total { value } else { total + (values.binary_search(&value).unwrap() - low) as u64 };
        value_of[code as usize] = value;
        code as u8
    };
    let decks = [0, 1].map(|player: usize| input[player].iter().map(|&value| code(value)).collect::<Vec<_>>());

    let mut table = Table { levels: Vec::new() };
    let first = table.level(0);
    first.decks[0].set(&decks[0]);
    first.decks[1].set(&decks[1]);
    let winner = table.play(0, None);
    let deck = table.levels[0].decks[winner].as_slice();
    let score: u64 = deck.iter().rev().zip(1..).map(|(&card, factor)| value_of[usize::from(card)] * factor).sum();
    println!("{score}");
}
