use std::io::stdin;

fn main() {
    let mut line = String::new();
    stdin().read_line(&mut line).unwrap();
    println!("{:.12}", line.trim().parse::<f64>().unwrap().sqrt());
}
