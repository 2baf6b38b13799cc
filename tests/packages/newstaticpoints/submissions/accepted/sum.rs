use std::io;
fn main() {
    let text = io::read_to_string(io::stdin()).unwrap();
    let sum: i32 = text.split_whitespace().skip(1).map(|a| a.parse::<i32>().unwrap()).sum();
    println!("{sum}");
}
