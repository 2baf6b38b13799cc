//! Accepts exactly two lines, `Player 1 starting position: A` and `Player 2 starting position: B`, with A and B from
//! 1 to 10.

use std::io::Read;
use std::process::ExitCode;

fn check_line(line: &[u8], number: usize) -> Result<(), String> {
    let prefix = format!("Player {number} starting position: ");
    let common = line.iter().zip(prefix.as_bytes()).take_while(|(found, wanted)| found == wanted).count();
    if common < prefix.len() {
        return Err(format!("line {number}, column {}: the line must start with \"{prefix}\"", common + 1));
    }
    let place = &line[prefix.len()..];
    if !matches!(place, [b'1'..=b'9'] | b"10") {
        let found = place.escape_ascii();
        return Err(format!("line {number}, column {}: expected a place from 1 to 10, found \"{found}\"", common + 1));
    }
    Ok(())
}

fn check(input: &[u8]) -> Result<(), String> {
    let mut rest = input;
    for number in 1..=2 {
        let Some(end) = rest.iter().position(|&byte| byte == b'\n') else {
            let column = rest.len() + 1;
            return Err(format!("line {number}, column {column}: the line must end with a line feed"));
        };
        check_line(&rest[..end], number)?;
        rest = &rest[end + 1..];
    }
    if !rest.is_empty() {
        return Err("line 3, column 1: expected the end of the input after two lines".to_string());
    }
    Ok(())
}

fn main() -> ExitCode {
    let mut input = Vec::new();
    if let Err(error) = std::io::stdin().read_to_end(&mut input) {
        eprintln!("cannot read the input: {error}");
        return ExitCode::from(1);
    }
    match check(&input) {
        Ok(()) => ExitCode::from(42),
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(43)
        }
    }
}
