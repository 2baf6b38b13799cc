//! Input validator: exit code 42 for a well-formed case, 43 and one line on stderr otherwise.
//!
//! ```text
//! start 1 1 1 1      the bot's two hands, then the judge's; neither is 0 0
//! side first         first or second: whether the bot moves first
//! style best         best, random or mixed: how the judge plays
//! seed 1             0 to 999999999: what the judge's choices depend on
//! ```
//!
//! The judge must not be able to force a win from the start.

use std::io::{self, Read, Write};
use std::process::ExitCode;

const MAX_SEED: usize = 999_999_999;

/// The input still to be read, and where it starts.
struct Reader<'a> {
    rest: &'a [u8],
    line: usize,
    column: usize,
}

impl Reader<'_> {
    fn fail<T>(&self, what: &str) -> Result<T, String> {
        Err(format!("line {}, column {}: {what}", self.line, self.column))
    }

    fn found(&self) -> String {
        match self.rest.first() {
            None => "the end of the input".into(),
            Some(b'\n') => "the end of the line".into(),
            Some(&byte @ b' '..=b'~') => format!("`{}`", byte as char),
            Some(byte) => format!("byte 0x{byte:02x}"),
        }
    }

    fn take(&mut self, count: usize) {
        self.rest = &self.rest[count..];
        self.column += count;
    }

    fn newline(&mut self) -> Result<(), String> {
        if self.rest.first() != Some(&b'\n') {
            return self.fail(&format!("expected a line feed, found {}", self.found()));
        }
        self.rest = &self.rest[1..];
        self.line += 1;
        self.column = 1;
        Ok(())
    }

    fn text(&mut self, text: &str) -> Result<(), String> {
        if !self.rest.starts_with(text.as_bytes()) {
            return self.fail(&format!("expected `{text}`, found {}", self.found()));
        }
        self.take(text.len());
        Ok(())
    }

    /// One of the words, and the end of the line.
    fn choice<T: Copy>(&mut self, choice: &[(&str, T)]) -> Result<T, String> {
        let length = self.rest.iter().take_while(|&&byte| byte != b'\n').count();
        let word = &self.rest[..length];
        let Some(&(_, value)) = choice.iter().find(|(name, _)| name.as_bytes() == word) else {
            let names: Vec<&str> = choice.iter().map(|(name, _)| *name).collect();
            return self.fail(&format!("the rest of the line is none of: {}", names.join(", ")));
        };
        self.take(length);
        self.newline()?;
        Ok(value)
    }

    fn digit(&mut self) -> Result<usize, String> {
        match self.rest.first() {
            Some(&byte) if byte.is_ascii_digit() => {
                self.take(1);
                Ok(usize::from(byte - b'0'))
            }
            _ => self.fail(&format!("expected a digit, found {}", self.found())),
        }
    }

    fn number(&mut self, max: usize) -> Result<usize, String> {
        let length = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if length == 0 {
            return self.fail(&format!("expected a number, found {}", self.found()));
        }
        if length > 1 && self.rest[0] == b'0' {
            return self.fail("the number has a leading zero");
        }
        let number = self.rest[..length]
            .iter()
            .fold(0usize, |sum, digit| sum.saturating_mul(10).saturating_add(usize::from(digit - b'0')));
        if number > max {
            return self.fail(&format!("the number is above {max}"));
        }
        self.take(length);
        Ok(number)
    }
}

/// The positions after each legal move; the player to move comes first in each.
fn next([a, b, c, d]: [usize; 4]) -> impl Iterator<Item = [usize; 4]> {
    [(0, c), (0, d), (1, c), (1, d)].into_iter().filter_map(move |(hand, touched)| {
        let mut own = [a, b];
        if own[hand] == 0 || touched == 0 {
            return None;
        }
        own[hand] = (own[hand] + touched) % 10;
        Some([c, d, own[0], own[1]])
    })
}

/// 1 if the player to move can force a win, -1 if the opponent can, 0 otherwise.
fn value(state: [usize; 4]) -> i8 {
    let number = |state: [usize; 4]| state.iter().fold(0, |number, digit| number * 10 + digit);
    let mut value = vec![0i8; 10_000];
    for lost in (100..10_000).step_by(100) {
        value[lost] = -1;
    }
    let mut changed = true;
    while changed {
        changed = false;
        for n in 0..10_000 {
            let state = [n / 1000, n / 100 % 10, n / 10 % 10, n % 10];
            if value[n] == 0 {
                let worst = next(state).map(|s| value[number(s)]).min().unwrap_or(0);
                value[n] = -worst;
                changed |= worst != 0;
            }
        }
    }
    value[number(state)]
}

/// The name of a variable, its bounds and its values.
type Variable<'a> = (&'a str, u64, u64, Vec<u64>);

/// With `--constraints_file FILE`, writes which of the bounds the values reach, for `grader verify`.
fn write_bounds(variables: &[Variable]) {
    let Some(file) = std::env::args().skip_while(|word| word != "--constraints_file").nth(1) else { return };
    let line = |(name, min, max, values): &Variable| {
        let (Some(least), Some(most)) = (values.iter().min(), values.iter().max()) else { return String::new() };
        format!("{name} {name} {} {} {least} {most} {min} {max}\n", u8::from(least == min), u8::from(most == max))
    };
    // The file decides nothing, so a failure to write it must not change the verdict.
    let _ = std::fs::write(file, variables.iter().map(line).collect::<String>());
}

fn check(input: &[u8]) -> Result<(), String> {
    let mut reader = Reader { rest: input, line: 1, column: 1 };
    reader.text("start")?;
    let mut hands = [0; 4];
    for hand in &mut hands {
        reader.text(" ")?;
        *hand = reader.digit()?;
    }
    for (side, name, column) in [(&hands[..2], "bot", 7), (&hands[2..], "judge", 11)] {
        if side == [0, 0] {
            reader.column = column;
            return reader.fail(&format!("the {name} shows 0 0: this game is over"));
        }
    }
    reader.newline()?;
    reader.text("side ")?;
    let bot_first = reader.choice(&[("first", true), ("second", false)])?;
    let [a, b, c, d] = hands;
    if (bot_first && value(hands) < 0) || (!bot_first && value([c, d, a, b]) > 0) {
        (reader.line, reader.column) = (1, 7);
        return reader.fail("the judge can force a win from this start");
    }
    reader.text("style ")?;
    reader.choice(&[("best", ()), ("random", ()), ("mixed", ())])?;
    reader.text("seed ")?;
    reader.number(MAX_SEED)?;
    reader.newline()?;
    if !reader.rest.is_empty() {
        return reader.fail(&format!("expected the end of the input, found {}", reader.found()));
    }
    let hands = hands.iter().map(|&hand| hand as u64).collect();
    // No case has to reach the bounds of the seed: all seeds are alike.
    write_bounds(&[("hand", 0, 9, hands)]);
    Ok(())
}

fn main() -> ExitCode {
    let mut input = Vec::new();
    let result = match io::stdin().read_to_end(&mut input) {
        Ok(_) => check(&input),
        Err(error) => Err(format!("cannot read the input: {error}")),
    };
    match result {
        Ok(()) => ExitCode::from(42),
        Err(message) => {
            // Nobody listening on stderr must not change the verdict.
            let _ = writeln!(io::stderr(), "{message}");
            ExitCode::from(43)
        }
    }
}
