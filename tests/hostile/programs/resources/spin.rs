// Uses cpu time without end, in Rust.
// limits: time=0.2 wall_limit=30
// expect: TLE
// reason: > 0.3 s (limit 0.2 s)
fn main() {
    let mut word = String::new();
    std::io::stdin().read_line(&mut word).unwrap();
    if word.trim() == "next" {
        println!("ok");
        return;
    }
    let mut n = 0u64;
    loop {
        n = std::hint::black_box(n.wrapping_add(1));
    }
}
