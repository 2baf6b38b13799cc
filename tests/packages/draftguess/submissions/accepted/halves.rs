use std::io::stdin;

fn main() {
    let (mut low, mut high) = (1, 100);
    loop {
        let guess = (low + high) / 2;
        println!("{guess}");
        let mut answer = String::new();
        stdin().read_line(&mut answer).unwrap();
        match answer.trim() {
            "lower" => high = guess - 1,
            "higher" => low = guess + 1,
            _ => break,
        }
    }
}
