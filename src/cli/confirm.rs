//! Asks before something is removed.

use std::io::{self, IsTerminal as _};

use anyhow::Result;
use console::{Key, Term};

/// Whether a user can answer a question: standard input and standard error are terminals.
pub(super) fn can_ask() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Asks a question on the terminal and waits for `y` or `n`.
///
/// # Errors
/// The terminal cannot be read or written.
pub(super) fn confirmed(question: &str) -> Result<bool> {
    let term = Term::stderr();
    term.write_str(&format!("{question} y/n "))?;
    loop {
        let answer = match term.read_key() {
            Ok(Key::Char('y' | 'Y')) => true,
            Ok(Key::Char('n' | 'N' | 'q') | Key::Escape | Key::Enter) => false,
            Ok(_) => continue,
            Err(error) => return Err(error.into()),
        };
        term.write_line(if answer { "yes" } else { "no" })?;
        return Ok(answer);
    }
}
