//! Any line of the input.

use std::io::Read;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let input = std::fs::read_to_string(&arguments[1]).expect("the input is text");
    let mut output = Vec::new();
    std::io::stdin().read_to_end(&mut output).expect("the output can be read");
    let output = String::from_utf8_lossy(&output);
    let found = input.lines().any(|line| line == output.trim_end());
    std::process::exit(if found { 42 } else { 43 });
}
