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
        let Ok(guess) = guess else { reject(&arguments[3], &format!("guess {number} is not an integer")) };
        let said = if guess == n { "correct" } else if n < guess { "lower" } else { "higher" };
        if writeln!(io::stdout(), "{said}").is_err() {
            reject(&arguments[3], "the submission has ended without listening");
        }
        if guess == n {
            exit(42);
        }
    }
    reject(&arguments[3], &format!("{GUESSES} guesses were not enough"))
}

fn reject(feedback: &str, message: &str) -> ! {
    fs::write(Path::new(feedback).join("judgemessage.txt"), format!("{message}\n")).unwrap();
    exit(43)
}
