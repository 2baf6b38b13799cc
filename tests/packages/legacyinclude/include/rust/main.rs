mod square;

use std::io::stdin;

fn main() {
    let mut line = String::new();
    stdin().read_line(&mut line).unwrap();
    println!("{}", square::square(line.trim().parse().unwrap()));
}
