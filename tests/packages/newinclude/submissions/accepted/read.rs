use std::fs::read_to_string;
use std::io::stdin;

fn main() {
    let mut line = String::new();
    stdin().read_line(&mut line).unwrap();
    let squares = read_to_string("squares.txt").unwrap();
    println!("{}", squares.split_whitespace().nth(line.trim().parse().unwrap()).unwrap());
}
