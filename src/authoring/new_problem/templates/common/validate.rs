//! Exits with 42 when the input is valid, else with 43 and a message.

use std::fs::OpenOptions;
use std::io::{self, Read, Write};
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
    let n = digits.parse().unwrap_or_else(|_| reject("line 1: too many digits"));
    check_bounds("n", [n, n], [2, 1000]);
    exit(42);
}

/// Rejects values outside of their bounds. Writes the bounds if `grader verify` wants them.
fn check_bounds(name: &str, [smallest, largest]: [i64; 2], [low, high]: [i64; 2]) {
    if smallest < low || largest > high {
        reject(&format!("{name} is not between {low} and {high}"));
    }
    let Some(file) = std::env::args().skip_while(|word| word != "--constraints_file").nth(1) else { return };
    let reached = [smallest == low, largest == high].map(u8::from);
    let line = format!("{name} {name} {} {} {smallest} {largest} {low} {high}\n", reached[0], reached[1]);
    // The file decides nothing, so a failure to write it must not change the verdict.
    let _ =
        OpenOptions::new().create(true).append(true).open(file).and_then(|mut file| file.write_all(line.as_bytes()));
}

fn reject(message: &str) -> ! {
    println!("{message}");
    exit(43)
}
