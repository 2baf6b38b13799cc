//! Crashes: the row has room for eight cards, but nine different ones may lie in it.

use std::collections::{HashSet, VecDeque};
use std::io::{self, Read};

fn main() {
    let mut input = String::new();
    io::stdin().read_to_string(&mut input).expect("the input is text");
    let mut hands: Vec<VecDeque<u8>> =
        input.lines().map(|line| line.bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0').collect()).collect();
    let mut row = [0u8; 8];
    let mut length = 0;
    let mut seen = HashSet::new();
    let mut turn = 0;
    while seen.insert((turn, hands.clone(), row[..length].to_vec())) {
        let hand = &mut hands[turn];
        let Some(card) = hand.pop_front() else { return };
        if let Some(at) = row[..length].iter().position(|&other| other == card) {
            hand.push_back(card);
            hand.extend(row[at..length].iter().rev());
            length = at;
        } else {
            row[length] = card;
            length += 1;
        }
        let over = hand.is_empty();
        turn = 1 - turn;
        if over {
            let name = ["小哼", "小哈"][turn];
            let list = |cards: &mut dyn Iterator<Item = &u8>| cards.map(|card| format!(" {card}")).collect::<String>();
            println!("{name}win");
            println!("{name}当前手中的牌是{}", list(&mut hands[turn].iter()));
            println!("桌上的牌是{}", list(&mut row[..length].iter()));
            return;
        }
    }
    println!("平局");
}
