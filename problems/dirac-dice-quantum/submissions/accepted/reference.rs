//! The players never touch each other, so each is followed alone: how many ways there are for it to reach the goal in
//! its n-th turn, and how many to be still short of it after n turns. Player 1 wins in its n-th turn in as many
//! universes as it gets there then, times those in which player 2 is short after n - 1 turns; and player 2 likewise.

use std::io::Read;

const TRACK: usize = 10;
const GOAL: usize = 21;
const TURNS: usize = GOAL; // a turn scores at least one
/// How often three rolls of 1, 2 or 3 sum to 3, 4, ... 9.
const WAYS: [u64; 7] = [1, 3, 6, 7, 6, 3, 1];

/// The universes one player's rolls alone make, by the number of its turns.
struct Player {
    arrives: [u64; TURNS + 1],
    short: [u64; TURNS + 1],
}

impl Player {
    fn follow(start: usize) -> Player {
        let mut player = Player { arrives: [0; TURNS + 1], short: [0; TURNS + 1] };
        let mut universes = [[0; TRACK]; GOAL]; // by score and place, places counted from 0
        universes[0][start - 1] = 1;
        player.short[0] = 1;
        for turn in 1..=TURNS {
            let mut next = [[0; TRACK]; GOAL];
            for (score, places) in universes.iter().enumerate() {
                for (place, &count) in places.iter().enumerate().filter(|(_, &count)| count > 0) {
                    for (sum, ways) in (3..).zip(WAYS) {
                        let place = (place + sum) % TRACK;
                        let score = score + place + 1;
                        if score >= GOAL {
                            player.arrives[turn] += count * ways;
                        } else {
                            next[score][place] += count * ways;
                            player.short[turn] += count * ways;
                        }
                    }
                }
            }
            universes = next;
        }
        player
    }
}

fn main() {
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input).expect("the input is text");
    let mut players = input.lines().map(|line| {
        let (_, place) = line.rsplit_once(' ').expect("a place after the last space");
        Player::follow(place.parse().expect("a place on the track"))
    });
    let first = players.next().expect("player 1's line");
    let second = players.next().expect("player 2's line");
    let first_wins: u64 = (1..=TURNS).map(|turn| first.arrives[turn] * second.short[turn - 1]).sum();
    let second_wins: u64 = (1..=TURNS).map(|turn| second.arrives[turn] * first.short[turn]).sum();
    println!("{}", first_wins.max(second_wins));
}
