use std::io::{Read, stdin};

fn main() {
    let mut text = String::new();
    stdin().read_to_string(&mut text).unwrap();
    let mut all: Vec<i32> = text.split_whitespace().map(|word| word.parse().unwrap()).collect();
    all.sort();
    println!("{}", all.iter().map(i32::to_string).collect::<Vec<_>>().join(" "));
}
