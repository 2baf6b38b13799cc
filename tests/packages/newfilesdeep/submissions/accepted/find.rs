use std::fs::read_to_string;
use std::io::stdin;

fn main() {
    let mut line = String::new();
    stdin().read_line(&mut line).unwrap();
    let words = read_to_string("lists/de/words.txt").unwrap();
    println!("{}", if words.split_whitespace().any(|word| word == line.trim()) { "yes" } else { "no" });
}
