//! Retrograde analysis of the whole game, one suit in the bits of a word.
//!
//! The deal is fixed, so the table determines both hands. A suit on the table is empty, or a nine with 0 to 3 cards
//! below and 0 to 5 above: 25 states. The states of the first suit are the bits of a word, those of the other three
//! number the words (rows), so a row's moves in its own suit are shifts and all other moves are reads of later rows.
//! Every move leads to a higher row or a higher bit: one pass from the last row to the first solves everything.

use std::io::Read;

const SUITS: usize = 4;
const RANKS: usize = 9;
const NINE: usize = 3;
const STATES: usize = 25;
const ROWS: usize = STATES * STATES * STATES;
const UP: usize = 1; // the next state when a card is laid above (also the nine itself, from the empty state 0)
const DOWN: usize = 6; // the next state when a card is laid below
const ALICE: usize = 0;
const BOB: usize = 1;
const FULL: u32 = (1 << STATES) - 1;

/// The cards of one suit that can be laid next, as bits over the 25 states, by owner; and the states in which a
/// player has none of this suit left.
#[derive(Default)]
struct Suit {
    up: [u32; 2],
    down: [u32; 2],
    done: [u32; 2],
}

impl Suit {
    fn new(owner: &[usize; RANKS]) -> Suit {
        let mut suit = Suit::default();
        suit.up[owner[NINE]] |= 1;
        for below in 0..=3 {
            for above in 0..=5 {
                let bit = 1 << (1 + DOWN * below + above);
                if above < 5 {
                    suit.up[owner[NINE + above + 1]] |= bit;
                }
                if below < 3 {
                    suit.down[owner[NINE - below - 1]] |= bit;
                }
                for player in [ALICE, BOB] {
                    let laid = NINE - below..=NINE + above;
                    if (0..RANKS).all(|rank| owner[rank] != player || laid.contains(&rank)) {
                        suit.done[player] |= bit;
                    }
                }
            }
        }
        for player in [ALICE, BOB] {
            if !owner.contains(&player) {
                suit.done[player] |= 1; // the empty state is finished for who holds no card of the suit
            }
        }
        suit
    }
}

/// For each player to move, the states of the first suit from which Alice wins.
#[derive(Clone, Copy)]
struct Row {
    alice: u32,
    bob: u32,
}

fn alice_wins(suits: &[Suit; SUITS]) -> bool {
    let own = &suits[0];
    let mut rows = vec![Row { alice: 0, bob: 0 }; ROWS];
    for row in (0..ROWS).rev() {
        // Moves in the other suits: the best of the rows they lead to, for all bits at once.
        let (mut best_alice, mut best_bob) = (0, FULL);
        let mut can = [own.up[ALICE] | own.down[ALICE], own.up[BOB] | own.down[BOB]];
        let mut done = [own.done[ALICE], own.done[BOB]];
        let (mut rest, mut weight) = (row, 1);
        for suit in &suits[1..] {
            let state = rest % STATES;
            rest /= STATES;
            for (moves, step) in [(&suit.up, UP), (&suit.down, DOWN)] {
                if moves[ALICE] >> state & 1 == 1 {
                    best_alice |= rows[row + step * weight].bob;
                    can[ALICE] = FULL;
                } else if moves[BOB] >> state & 1 == 1 {
                    best_bob &= rows[row + step * weight].alice;
                    can[BOB] = FULL;
                }
            }
            for player in [ALICE, BOB] {
                if suit.done[player] >> state & 1 == 0 {
                    done[player] = 0;
                }
            }
            weight *= STATES;
        }
        // Moves in the first suit lead to other bits of this row. The bits with k cards still to come are right after
        // k + 1 rounds, hence ten rounds for nine cards.
        let (mut alice, mut bob) = (0, 0);
        for _ in 0..=RANKS {
            let by_alice = best_alice | (bob >> UP & own.up[ALICE]) | (bob >> DOWN & own.down[ALICE]);
            let by_bob = best_bob & (alice >> UP | !own.up[BOB]) & (alice >> DOWN | !own.down[BOB]);
            // Who cannot move passes; both cannot only when all is laid, and then `done` decides.
            alice = (by_alice & can[ALICE]) | (by_bob & !can[ALICE]);
            bob = (by_bob & can[BOB]) | (by_alice & !can[BOB]);
            alice = (alice & !done[BOB]) | done[ALICE];
            bob = (bob & !done[BOB]) | done[ALICE];
        }
        rows[row] = Row { alice, bob };
    }
    rows[0].alice & 1 == 1
}

fn main() {
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input).expect("the input is text");
    let mut owner = [[ALICE; RANKS]; SUITS];
    for card in input.split_whitespace().skip(RANKS * SUITS / 2) {
        let rank = "6789TJQKA".find(&card[..1]).expect("a rank");
        let suit = "CDSH".find(&card[1..]).expect("a suit");
        owner[suit][rank] = BOB;
    }
    println!("{}", if alice_wins(&owner.map(|suit| Suit::new(&suit))) { "Alice" } else { "Bob" });
}
