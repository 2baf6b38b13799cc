//! Reads the steps of a program: its statements in canonical form, or pieces of its text if its language has no grammar.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::Path;

use grader_mutants::{Grammar, Statement, outline};

use super::token::{self, Token};
use crate::program_files::languages_of;

/// A piece of text ends after about so many tokens. Their own values decide where, so pieces of equal code are equal.
const PIECE: u64 = 5;

/// A piece of text has at most so many tokens.
const MOST_TOKENS: usize = 20;

/// Most steps that are read of one program. A hostile program cannot hold up a class.
pub(super) const MOST: usize = 20_000;

/// Reads the steps of a file, at most so many.
pub(super) fn steps(name: &str, text: &[u8], most: usize) -> Vec<Statement> {
    let outlined = grammar_of(Path::new(name)).and_then(|grammar| {
        // Without a tree, for whatever reason, the text itself is compared.
        outline(grammar, &String::from_utf8_lossy(text)).ok()
    });
    let mut steps = match outlined {
        Some(steps) if !steps.is_empty() => steps,
        _ => pieces(&token::tokens(name, text, token::MOST)),
    };
    steps.truncate(most);
    steps
}

/// The grammar of a file. Headers belong to C and to C++; C++ reads both.
fn grammar_of(file: &Path) -> Option<Grammar> {
    languages_of(file).into_iter().filter_map(Grammar::of).max()
}

/// Cuts a text into pieces.
fn pieces(tokens: &[Token]) -> Vec<Statement> {
    let digest = |tokens: &[Token]| {
        let mut hasher = DefaultHasher::new();
        for token in tokens {
            token.kind.hash(&mut hasher);
        }
        hasher.finish()
    };
    let mut pieces = Vec::new();
    let mut start = 0;
    for end in 1..=tokens.len() {
        let ends = digest(&tokens[end.saturating_sub(3).max(start)..end]).is_multiple_of(PIECE);
        if ends || end - start == MOST_TOKENS || end == tokens.len() {
            let piece = &tokens[start..end];
            let lines = (piece[0].line, piece[piece.len() - 1].line);
            pieces.push(Statement { form: digest(piece), tokens: piece.len(), lines, block: 0, head: None });
            start = end;
        }
    }
    pieces
}
