use std::io::stdin;

fn main() {
    let mut line = String::new();
    stdin().read_line(&mut line).unwrap();
    let n: u32 = line.trim().parse().unwrap();
    println!("{}", (2..n).find(|d| n % d == 0).unwrap());
}
