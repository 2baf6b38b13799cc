//! Accepts exactly two lines, `Player 1 starting position: A` and `Player 2 starting position: B`, with A and B from
//! 1 to 10.

use std::io::Read;
use std::process::ExitCode;

fn check_line(line: &[u8], number: usize) -> Result<u64, String> {
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
    Ok(place.iter().fold(0, |value, digit| value * 10 + u64::from(digit - b'0')))
}

fn check(input: &[u8]) -> Result<Vec<u64>, String> {
    let mut rest = input;
    let mut places = Vec::new();
    for number in 1..=2 {
        let Some(end) = rest.iter().position(|&byte| byte == b'\n') else {
            let column = rest.len() + 1;
            return Err(format!("line {number}, column {column}: the line must end with a line feed"));
        };
        places.push(check_line(&rest[..end], number)?);
        rest = &rest[end + 1..];
    }
    if !rest.is_empty() {
        return Err("line 3, column 1: expected the end of the input after two lines".to_string());
    }
    Ok(places)
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

fn main() -> ExitCode {
    let mut input = Vec::new();
    if let Err(error) = std::io::stdin().read_to_end(&mut input) {
        eprintln!("cannot read the input: {error}");
        return ExitCode::from(1);
    }
    match check(&input) {
        Ok(places) => {
            write_bounds(&[("start", 1, 10, places)]);
            ExitCode::from(42)
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(43)
        }
    }
}
