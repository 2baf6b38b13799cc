//! Plays the game turn by turn; it ends after some two hundred turns a player at most.

use std::io::Read;

const TRACK: u32 = 10;
const FACES: u32 = 100;
const GOAL: u32 = 1000;

fn main() {
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input).expect("the input is text");
    let mut places = input.lines().map(|line| {
        let (_, place) = line.rsplit_once(' ').expect("a place after the last space");
        place.parse::<u32>().expect("a place on the track")
    });
    let mut mover = (places.next().expect("player 1's line"), 0);
    let mut other = (places.next().expect("player 2's line"), 0);
    let mut rolls = 0;
    loop {
        for _ in 0..3 {
            mover.0 += rolls % FACES + 1;
            rolls += 1;
        }
        mover.0 = (mover.0 - 1) % TRACK + 1; // places count from 1
        mover.1 += mover.0;
        if mover.1 >= GOAL {
            println!("{}", other.1 * rolls);
            return;
        }
        std::mem::swap(&mut mover, &mut other);
    }
}
