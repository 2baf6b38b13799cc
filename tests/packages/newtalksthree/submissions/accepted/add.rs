use std::io::stdin;

fn number() -> i64 {
    let mut line = String::new();
    stdin().read_line(&mut line).unwrap();
    line.trim().parse().unwrap()
}

fn main() {
    let mut sum = number();
    loop {
        let n = number();
        if n == 0 {
            break;
        }
        sum += n;
        println!("{sum}");
    }
}
