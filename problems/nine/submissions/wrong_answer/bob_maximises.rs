// Mistake: on Bob's turn, too, the move that is best for Alice is taken.
use std::io::Read;

struct Game {
    owner: [[usize; 9]; 4],
    laid: [(usize, usize); 4], // ranks low..high on the table; 3..3 when there are none
    left: [usize; 2],
    memo: Vec<Option<bool>>,
}

impl Game {
    fn key(&self, player: usize) -> usize {
        let state = |&(low, high): &(usize, usize)| if low == high { 0 } else { 1 + 6 * (3 - low) + high - 4 };
        self.laid.iter().fold(0, |key, range| key * 25 + state(range)) * 2 + player
    }

    fn alice_wins(&mut self, player: usize) -> bool {
        let key = self.key(player);
        if let Some(known) = self.memo[key] {
            return known;
        }
        let mut next = Vec::new();
        for suit in 0..4 {
            let (low, high) = self.laid[suit];
            if high < 9 && self.owner[suit][high] == player {
                next.push((suit, (low, high + 1)));
            }
            if low < high && low > 0 && self.owner[suit][low - 1] == player {
                next.push((suit, (low - 1, high)));
            }
        }
        let mut result = next.is_empty() && self.alice_wins(1 - player);
        for (suit, range) in next {
            let before = std::mem::replace(&mut self.laid[suit], range);
            self.left[player] -= 1;
            let over = self.left[player] == 0;
            result = result || if over { player == 0 } else { self.alice_wins(1 - player) };
            self.left[player] += 1;
            self.laid[suit] = before;
        }
        self.memo[key] = Some(result);
        result
    }
}

fn main() {
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input).expect("the input is text");
    let mut owner = [[0; 9]; 4];
    for card in input.split_whitespace().skip(18) {
        let rank = "6789TJQKA".find(&card[..1]).expect("a rank");
        let suit = "CDSH".find(&card[1..]).expect("a suit");
        owner[suit][rank] = 1;
    }
    let mut game = Game { owner, laid: [(3, 3); 4], left: [18, 18], memo: vec![None; 2 * 25 * 25 * 25 * 25] };
    println!("{}", if game.alice_wins(0) { "Alice" } else { "Bob" });
}
