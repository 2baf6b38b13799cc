//! validate INPUT ANSWER FEEDBACK_DIR < OUTPUT: exits with 42 when the output is right and with 43 when it is not.

use std::io::{self, Read};
use std::path::Path;
use std::process::exit;
use std::{env, fs};

fn main() {
    let arguments: Vec<String> = env::args().collect();
    let n: u32 = fs::read_to_string(&arguments[1]).unwrap().trim().parse().unwrap();
    // The output may be anything: a program that crashes here would be a judge error.
    let mut bytes = Vec::new();
    io::stdin().take(1000).read_to_end(&mut bytes).unwrap();
    let text = String::from_utf8_lossy(&bytes);
    let numbers: Vec<Option<u32>> = text.split_whitespace().map(|word| word.parse().ok()).collect();
    let [Some(a), Some(b)] = numbers[..] else {
        reject(&arguments[3], "expected two positive integers", "Print two positive integers.")
    };
    if a < 1 || b < 1 {
        reject(&arguments[3], &format!("{a} and {b} are not both positive"), "Both integers must be positive.");
    }
    if a.checked_add(b) != Some(n) {
        reject(&arguments[3], &format!("{a} + {b} is not {n}"), "The sum of your integers is not n.");
    }
    exit(42)
}

/// Secret data must not appear in the words for the team.
fn reject(feedback: &str, for_judges: &str, for_team: &str) -> ! {
    let feedback = Path::new(feedback);
    fs::write(feedback.join("judgemessage.txt"), format!("{for_judges}\n")).unwrap();
    fs::write(feedback.join("teammessage.txt"), format!("{for_team}\n")).unwrap();
    exit(43)
}
