//! Lists the mutants of a program, each as the lines that it changes. Without a file: the operators of every language.
//!
//! ```sh
//! cargo run -p grader-mutants --example mutants cpp solution.cpp
//! ```
//!
//! With a directory as a third argument, it also writes each mutant to a file there, named by its number and operator.

#![expect(clippy::print_stdout, reason = "the list is what the program is for")]

use std::error::Error;
use std::ffi::OsString;
use std::path::Path;

use grader_mutants::{Grammar, Mutant, mutants, operators};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    match arguments.as_slice() {
        [] => list_operators(),
        [language, file] => list(language, file.as_ref(), None)?,
        [language, file, directory] => list(language, file.as_ref(), Some(directory.as_ref()))?,
        _ => return Err("usage: mutants [LANGUAGE FILE [DIRECTORY]]".into()),
    }
    Ok(())
}

fn list_operators() {
    for grammar in Grammar::ALL {
        println!("{}", grammar.name());
        for operator in operators(grammar) {
            println!("  {:20} {}", operator.name(), operator.explanation());
        }
    }
}

fn list(language: &OsString, file: &Path, directory: Option<&Path>) -> Result<(), Box<dyn Error>> {
    let grammar = language.to_str().and_then(Grammar::of).ok_or("there is no grammar of this language")?;
    let source = std::fs::read_to_string(file)?;
    for (number, mutant) in mutants(grammar, &source)?.iter().enumerate() {
        show(mutant, &source);
        if let Some(directory) = directory {
            let ending = file.extension().unwrap_or_default().to_string_lossy();
            let name = format!("{number:05}-{}.{ending}", mutant.operator);
            std::fs::write(directory.join(name), mutant.apply(&source))?;
        }
    }
    Ok(())
}

/// The lines of a mutant that differ from the original.
fn show(mutant: &Mutant, source: &str) {
    println!("{}:{} {}", mutant.line, mutant.operator, mutant.explanation);
    let start = source[..mutant.span.start].rfind('\n').map_or(0, |at| at + 1);
    let end = source[mutant.span.end..].find('\n').map_or(source.len(), |at| mutant.span.end + at);
    let text = mutant.apply(source);
    let changed = &text[start..text.len() - (source.len() - end)];
    source[start..end].lines().for_each(|line| println!("- {line}"));
    changed.lines().for_each(|line| println!("+ {line}"));
}
