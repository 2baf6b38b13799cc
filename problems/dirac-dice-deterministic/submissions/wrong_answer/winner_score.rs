// Mistake: multiplies the winner's score, not the loser's.
fn main() {
    let mut place = [0u32; 2];
    for start in &mut place {
        let mut line = String::new();
        std::io::stdin().read_line(&mut line).expect("a line");
        *start = line.trim_end().rsplit(' ').next().and_then(|text| text.parse().ok()).expect("a place");
    }
    let mut score = [0, 0];
    let mut rolls = 0;
    let mut player = 1;
    while score[player] < 1000 {
        player = 1 - player;
        for _ in 0..3 {
            place[player] += rolls % 100 + 1;
            rolls += 1;
        }
        place[player] = (place[player] - 1) % 10 + 1;
        score[player] += place[player];
    }
    println!("{}", score[player] * rolls);
}
