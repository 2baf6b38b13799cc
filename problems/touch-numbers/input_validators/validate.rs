//! Input validator: exit code 42 for a well-formed case, 43 and one line on stderr otherwise.

use std::io::{self, Read, Write};
use std::process::ExitCode;

const MAX_POSITIONS: usize = 9801;

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

    fn space(&mut self) -> Result<(), String> {
        if self.rest.first() != Some(&b' ') {
            return self.fail(&format!("expected a space, found {}", self.found()));
        }
        self.take(1);
        Ok(())
    }

    fn digit(&mut self) -> Result<u8, String> {
        match self.rest.first() {
            Some(&byte) if byte.is_ascii_digit() => {
                self.take(1);
                Ok(byte - b'0')
            }
            _ => self.fail(&format!("expected a digit, found {}", self.found())),
        }
    }

    fn number(&mut self, max: usize) -> Result<usize, String> {
        let length = self.rest.iter().take_while(|b| b.is_ascii_digit()).count();
        if length == 0 {
            return self.fail(&format!("expected a number, found {}", self.found()));
        }
        if self.rest[0] == b'0' {
            return self.fail("the number starts with a zero; it must be at least 1");
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
    let positions = reader.number(MAX_POSITIONS)?;
    reader.newline()?;
    let mut digits = Vec::new();
    for done in 0..positions {
        if reader.rest.is_empty() {
            return reader.fail(&format!("the input ends after {done} of {positions} positions"));
        }
        let mut hands = [0; 4];
        for (i, hand) in hands.iter_mut().enumerate() {
            if i > 0 {
                reader.space()?;
            }
            *hand = reader.digit()?;
            digits.push(u64::from(*hand));
        }
        for (side, name, column) in [(&hands[..2], "player to move", 1), (&hands[2..], "opponent", 5)] {
            if side == [0, 0] {
                reader.column = column;
                return reader.fail(&format!("the {name} shows 0 0: this game is over"));
            }
        }
        reader.newline()?;
    }
    if !reader.rest.is_empty() {
        return reader.fail(&format!("expected the end of the input, found {}", reader.found()));
    }
    write_bounds(&[("positions", 1, MAX_POSITIONS as u64, vec![positions as u64]), ("hand", 0, 9, digits)]);
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
