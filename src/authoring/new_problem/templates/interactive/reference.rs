//! The model solution: halves what is left.

use std::io;

fn main() {
    let (mut low, mut high) = (1, 1000);
    loop {
        let guess = (low + high) / 2;
        // Standard output is flushed at each end of a line.
        println!("{guess}");
        let mut said = String::new();
        io::stdin().read_line(&mut said).unwrap();
        match said.trim() {
            "correct" => return,
            "lower" => high = guess - 1,
            _ => low = guess + 1,
        }
    }
}
