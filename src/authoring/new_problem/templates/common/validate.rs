//! Exits with 42 when the input is valid, else with 43 and a message.

use std::io::{self, Read};
use std::process::exit;

fn main() {
    let mut text = String::new();
    if io::stdin().read_to_string(&mut text).is_err() {
        reject("the input is not UTF-8");
    }
    let digits = text.strip_suffix('\n').unwrap_or_else(|| reject("line 1: no newline at the end"));
    if digits.starts_with('0') || digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        reject("line 1: expected one integer without leading zeros");
    }
    match digits.parse() {
        Ok(2..=1000) => exit(42),
        _ => reject(&format!("line 1: {digits} is not between 2 and 1000")),
    }
}

fn reject(message: &str) -> ! {
    println!("{message}");
    exit(43)
}
