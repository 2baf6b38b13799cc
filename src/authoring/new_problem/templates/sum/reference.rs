//! The model solution: adds up one by one.

use std::io;

fn main() {
    let mut line = String::new();
    io::stdin().read_line(&mut line).unwrap();
    let n: u64 = line.trim().parse().unwrap();
    println!("{}", (1..=n).sum::<u64>());
}
