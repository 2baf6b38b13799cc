//! The last line.

use std::io::{self, BufRead};

fn main() {
    println!("{}", io::stdin().lock().lines().last().unwrap().unwrap());
}
