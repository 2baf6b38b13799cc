//! Wrong: one by one needs too many guesses.

use std::io;

fn main() {
    for guess in 1.. {
        println!("{guess}");
        let mut said = String::new();
        io::stdin().read_line(&mut said).unwrap();
        if said.trim() == "correct" || said.is_empty() {
            return;
        }
    }
}
