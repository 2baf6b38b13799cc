use std::io::{Read, stdin};

fn main() {
    let mut text = String::new();
    stdin().read_to_string(&mut text).unwrap();
    let word = text.split_whitespace().nth(1).unwrap();
    println!("{}", word.bytes().map(|c| char::from((c - b'a' + 13) % 26 + b'a')).collect::<String>());
}
