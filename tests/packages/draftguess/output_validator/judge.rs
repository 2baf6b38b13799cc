//! Tells whether a guess is lower, higher or correct; seven guesses are enough for 100 numbers.

use std::env::args;
use std::fs::read_to_string;
use std::io::stdin;
use std::process::exit;

fn main() {
    let secret: u32 = read_to_string(args().nth(1).unwrap()).unwrap().trim().parse().unwrap();
    for _ in 0..7 {
        let mut line = String::new();
        stdin().read_line(&mut line).unwrap();
        let Ok(guess) = line.trim().parse::<u32>() else { exit(43) };
        if guess == secret {
            println!("correct");
            exit(42);
        }
        println!("{}", if secret < guess { "lower" } else { "higher" });
    }
    exit(43);
}
