use std::io::stdin;

fn main() {
    let mut line = String::new();
    stdin().read_line(&mut line).unwrap();
    println!("{}", line.trim().chars().rev().collect::<String>());
}
