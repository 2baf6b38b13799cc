//! Deals for Nine: `gen <kind> [--key value]...` prints one deal.
//!
//! random --seed S                a shuffled deck
//! sorted --seed S                the same, each hand in order
//! suits --alice CD               Alice holds these two suits whole
//! chequered                      the owners alternate along each suit and across the suits
//! nines --to P --seed S          P (Alice or Bob) holds the four nines, the rest at random
//! ends --to P --seed S           P holds the sixes and the aces
//! low --to P --seed S            P holds the cards below the nines
//! stuck --winner P --seed S      P wins, but would not if having no card to lay meant losing
//! slow --tries N --seed S        of N random deals the one with most tables to look at

use std::env;
use std::process::ExitCode;

const RANKS: &str = "6789TJQKA";
const SUITS: &str = "CDSH";
const NINE: usize = 3;

/// splitmix64, so that a seed means the same deal everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// The product's high half: fair enough for 36 cards, and without a division.
    fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    fn shuffle(&mut self, cards: &mut [Card]) {
        for last in (1..cards.len()).rev() {
            cards.swap(last, self.below(last + 1));
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Card {
    suit: usize,
    rank: usize,
}

/// Alice's 18 cards, then Bob's.
type Deal = Vec<Card>;

fn deck() -> Deal {
    (0..SUITS.len()).flat_map(|suit| (0..RANKS.len()).map(move |rank| Card { suit, rank })).collect()
}

fn random(random: &mut Random) -> Deal {
    let mut cards = deck();
    random.shuffle(&mut cards);
    cards
}

/// Gives the player all cards `wanted` names, and fills both hands at random.
fn giving(random: &mut Random, player: usize, wanted: impl Fn(Card) -> bool) -> Deal {
    let (mut hand, mut rest): (Deal, Deal) = deck().into_iter().partition(|&card| wanted(card));
    random.shuffle(&mut rest);
    hand.append(&mut rest.split_off(18));
    random.shuffle(&mut hand);
    let mut hands = [hand, rest];
    hands.rotate_left(player);
    hands.concat()
}

/// Plain search with memory, for choosing among deals.
struct Search {
    owner: [[usize; 9]; 4],
    stuck_loses: bool,
    laid: [(usize, usize); 4],
    left: [usize; 2],
    memo: Vec<Option<bool>>,
    seen: usize,
}

impl Search {
    fn new(deal: &[Card], stuck_loses: bool) -> Search {
        let mut owner = [[0; 9]; 4];
        for card in &deal[18..] {
            owner[card.suit][card.rank] = 1;
        }
        let memo = vec![None; 2 * 25 * 25 * 25 * 25];
        Search { owner, stuck_loses, laid: [(NINE, NINE); 4], left: [18; 2], memo, seen: 0 }
    }

    /// Whether the player to move wins.
    fn wins(&mut self, player: usize) -> bool {
        let state = |&(low, high): &(usize, usize)| if low == high { 0 } else { 1 + 6 * (3 - low) + high - 4 };
        let key = self.laid.iter().fold(0, |key, range| key * 25 + state(range)) * 2 + player;
        if let Some(known) = self.memo[key] {
            return known;
        }
        let mut next = Vec::new();
        for (suit, &(low, high)) in self.laid.iter().enumerate() {
            if high < 9 && self.owner[suit][high] == player {
                next.push((suit, (low, high + 1)));
            }
            if low < high && low > 0 && self.owner[suit][low - 1] == player {
                next.push((suit, (low - 1, high)));
            }
        }
        let mut result = next.is_empty() && !self.stuck_loses && !self.wins(1 - player);
        for (suit, range) in next {
            if result {
                break;
            }
            let before = std::mem::replace(&mut self.laid[suit], range);
            self.left[player] -= 1;
            result = self.left[player] == 0 || !self.wins(1 - player);
            self.left[player] += 1;
            self.laid[suit] = before;
        }
        self.memo[key] = Some(result);
        self.seen += 1;
        result
    }
}

fn stuck(source: &mut Random, winner: usize) -> Deal {
    loop {
        let deal = random(source);
        let alice = Search::new(&deal, false).wins(0);
        if alice == (winner == 0) && Search::new(&deal, true).wins(0) != alice {
            return deal;
        }
    }
}

fn slow(source: &mut Random, tries: usize) -> Option<Deal> {
    let seen = |deal: &Deal| {
        let mut search = Search::new(deal, false);
        search.wins(0);
        search.seen
    };
    (0..tries).map(|_| random(source)).max_by_key(seen)
}

/// The value after `--key`, if it is among the arguments.
fn option<'a>(arguments: &'a [String], key: &str) -> Option<&'a str> {
    let place = arguments.iter().position(|argument| argument.strip_prefix("--") == Some(key))?;
    arguments.get(place + 1).map(String::as_str)
}

fn number(arguments: &[String], key: &str) -> Option<u64> {
    option(arguments, key)?.parse().ok()
}

fn player(arguments: &[String], key: &str) -> Option<usize> {
    ["Alice", "Bob"].iter().position(|&name| Some(name) == option(arguments, key))
}

fn make(arguments: &[String]) -> Option<Deal> {
    let mut source = Random(number(arguments, "seed").unwrap_or(0));
    let deal = match arguments.first()?.as_str() {
        "random" => random(&mut source),
        "sorted" => {
            let mut deal = random(&mut source);
            deal[..18].sort();
            deal[18..].sort();
            deal
        }
        "suits" => {
            let suits = option(arguments, "alice")?;
            let (alice, bob): (Deal, Deal) =
                deck().into_iter().partition(|card| suits.contains(&SUITS[card.suit..=card.suit]));
            (alice.len() == 18).then(|| [alice, bob].concat())?
        }
        "chequered" => {
            let (alice, bob): (Deal, Deal) = deck().into_iter().partition(|card| (card.suit + card.rank) % 2 == 0);
            [alice, bob].concat()
        }
        "nines" => giving(&mut source, player(arguments, "to")?, |card| card.rank == NINE),
        "ends" => giving(&mut source, player(arguments, "to")?, |card| [0, 8].contains(&card.rank)),
        "low" => giving(&mut source, player(arguments, "to")?, |card| card.rank < NINE),
        "stuck" => stuck(&mut source, player(arguments, "winner")?),
        "slow" => slow(&mut source, number(arguments, "tries")? as usize)?,
        _ => return None,
    };
    Some(deal)
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let Some(deal) = make(&arguments) else {
        eprintln!("usage: gen <kind> [--key value]...; the kinds are listed at the head of the source");
        return ExitCode::from(2);
    };
    for hand in deal.chunks(18) {
        let name = |card: &Card| format!("{}{}", &RANKS[card.rank..=card.rank], &SUITS[card.suit..=card.suit]);
        println!("{}", hand.iter().map(name).collect::<Vec<_>>().join(" "));
    }
    ExitCode::SUCCESS
}
