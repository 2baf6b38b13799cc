//! Wrong where n is even.

use std::io;

fn main() {
    let mut line = String::new();
    io::stdin().read_line(&mut line).unwrap();
    let n: u64 = line.trim().parse().unwrap();
    println!("{} {}", (n - 1) / 2, (n + 1) / 2);
}
