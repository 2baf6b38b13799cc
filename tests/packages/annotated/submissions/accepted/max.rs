//! The larger of two numbers.

use std::io;

fn main() {
    let mut line = String::new();
    io::stdin().read_line(&mut line).unwrap();
    let numbers = line.split_whitespace().map(|word| word.parse::<i32>().unwrap());
    println!("{}", numbers.max().unwrap());
}
