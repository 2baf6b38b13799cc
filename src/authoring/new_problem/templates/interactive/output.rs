//! talk INPUT ANSWER FEEDBACK_DIR: talks to the submission by standard input and output; exits with 42 when it is right
//! and with 43 when it is not.

use std::io::{self, BufRead, Read, Write};
use std::path::Path;
use std::process::exit;
use std::{env, fs};

const GUESSES: u32 = 10;

fn main() {
    let arguments: Vec<String> = env::args().collect();
    let n: u32 = fs::read_to_string(&arguments[1]).unwrap().trim().parse().unwrap();
    for number in 1..=GUESSES {
        // The submission may write anything: a program that crashes here would be a judge error.
        let mut line = Vec::new();
        io::stdin().lock().take(100).read_until(b'\n', &mut line).unwrap();
        let guess = String::from_utf8_lossy(&line).trim().parse::<u32>();
        let Ok(guess) = guess else {
            let for_judges = format!("guess {number} is not an integer");
            reject(&arguments[3], &for_judges, "Each guess must be one integer on a line of its own.")
        };
        let said = if guess == n { "correct" } else if n < guess { "lower" } else { "higher" };
        if writeln!(io::stdout(), "{said}").is_err() {
            let for_team = "Your program ended before it read the reply.";
            reject(&arguments[3], "the submission has ended without listening", for_team);
        }
        if guess == n {
            exit(42);
        }
    }
    let for_team = format!("Your program needs more than {GUESSES} guesses.");
    reject(&arguments[3], &format!("{GUESSES} guesses were not enough"), &for_team)
}

/// Secret data must not appear in the words for the team.
fn reject(feedback: &str, for_judges: &str, for_team: &str) -> ! {
    let feedback = Path::new(feedback);
    fs::write(feedback.join("judgemessage.txt"), format!("{for_judges}\n")).unwrap();
    fs::write(feedback.join("teammessage.txt"), format!("{for_team}\n")).unwrap();
    exit(43)
}
