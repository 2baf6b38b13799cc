// Mistake: looks at the scores only when both players have moved, so player 2 still splits universes that are decided.
use std::collections::HashMap;

const WAYS: [(usize, u64); 7] = [(3, 1), (4, 3), (5, 6), (6, 7), (7, 6), (8, 3), (9, 1)];

type State = [usize; 4]; // place and score of player 1, of player 2

fn round(state: State, memo: &mut HashMap<State, [u64; 2]>) -> [u64; 2] {
    if let Some(&known) = memo.get(&state) {
        return known;
    }
    let [place1, score1, place2, score2] = state;
    let mut wins = [0, 0];
    for (sum1, ways1) in WAYS {
        let place1 = (place1 + sum1 - 1) % 10 + 1;
        let score1 = score1 + place1;
        for (sum2, ways2) in WAYS {
            let place2 = (place2 + sum2 - 1) % 10 + 1;
            let score2 = score2 + place2;
            let after = if score1 >= 21 {
                [1, 0]
            } else if score2 >= 21 {
                [0, 1]
            } else {
                round([place1, score1, place2, score2], memo)
            };
            wins[0] += ways1 * ways2 * after[0];
            wins[1] += ways1 * ways2 * after[1];
        }
    }
    memo.insert(state, wins);
    wins
}

fn main() {
    let mut start = [0; 2];
    for place in &mut start {
        let mut line = String::new();
        std::io::stdin().read_line(&mut line).expect("a line");
        *place = line.trim_end().rsplit(' ').next().and_then(|text| text.parse().ok()).expect("a place");
    }
    let wins = round([start[0], 0, start[1], 0], &mut HashMap::new());
    println!("{}", wins[0].max(wins[1]));
}
