//! Finds which file defines the names that another file uses, in languages whose sources are compiled together without
//! saying which. Reads words and braces; it parses no language.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::words::{Dialect, Word, words};
use super::{ModuleSystem, ProgramFile, is_same_language, module_system};

/// The names of one file.
#[derive(Default)]
pub(super) struct Names {
    /// The names that it defines for other files.
    defines: BTreeSet<String>,
    /// The names that it mentions and does not define itself.
    uses: BTreeSet<String>,
}

/// The files that define what each file uses. A file of C or C++ with a `main` is needed by none.
pub(super) fn needs(files: &[ProgramFile]) -> Vec<BTreeSet<usize>> {
    let names: Vec<Names> = files.iter().map(Names::of).collect();
    let mut definers: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, names) in names.iter().enumerate() {
        names.defines.iter().for_each(|name| definers.entry(name).or_default().push(at));
    }
    let needed = |user: usize| {
        let found = names[user].uses.iter().flat_map(|name| definers.get(name.as_str()).into_iter().flatten());
        found
            .copied()
            .filter(|other| *other != user && is_same_language(&files[user].path, &files[*other].path))
            .collect()
    };
    (0..files.len()).map(needed).collect()
}

impl Names {
    fn of(file: &ProgramFile) -> Self {
        let ProgramFile { path, text, .. } = file;
        let find: fn(&[Word<'_>]) -> BTreeSet<String> = match module_system(path) {
            Some(ModuleSystem::C) => declared,
            Some(ModuleSystem::Compiled) => by_keyword,
            _ => return Self::default(),
        };
        let without_directives: String;
        let (text, dialect) = match module_system(path) {
            Some(ModuleSystem::C) => {
                without_directives = text
                    .lines()
                    .filter(|line| !line.trim_start().starts_with('#'))
                    .fold(String::new(), |all, line| all + line + "\n");
                (&without_directives, Dialect::Java)
            }
            _ if is_kotlin(path) => (text, Dialect::Kotlin),
            _ => (text, Dialect::Java),
        };
        let words = words(text, dialect);
        let mut defines = find(&words);
        let is_partial = words.contains(&Word::Name("partial"));
        let is_other = |name: &&str| is_partial || !defines.contains(*name);
        let uses = words.iter().filter_map(Word::name).filter(is_other).map(str::to_owned).collect();
        defines.retain(|name| !["main", "Main", "init"].contains(&name.as_str()));
        // The linker takes one `main` only.
        if module_system(path) == Some(ModuleSystem::C) && super::starts::has_main(path, text) {
            defines.clear();
        }
        Self { defines, uses }
    }
}

fn is_kotlin(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("kt"))
}

/// Calls `each` with every statement outside of all braces; those of namespaces do not count.
fn top_level<'t>(words: &[Word<'t>], mut each: impl FnMut(&[Word<'t>], bool)) {
    let mut depth = 0_usize;
    let mut statement: Vec<Word<'t>> = Vec::new();
    for word in words {
        match word {
            Word::Sign('{') if depth == 0 => {
                let is_space = statement.contains(&Word::Name("namespace"))
                    || matches!(statement[..], [Word::Name("extern"), Word::Text(_)]);
                if !is_space {
                    each(&statement, true);
                    depth = 1;
                }
                statement.clear();
            }
            Word::Sign('{') => depth += 1,
            Word::Sign('}') => {
                depth = depth.saturating_sub(1);
                statement.clear();
            }
            Word::Sign(';') if depth == 0 => {
                each(&statement, false);
                statement.clear();
            }
            word if depth == 0 => statement.push(*word),
            _ => {}
        }
    }
    each(&statement, false);
}

/// The names that a C or C++ source defines: functions with a body, and variables. A prototype defines nothing.
fn declared(words: &[Word<'_>]) -> BTreeSet<String> {
    let mut defined = BTreeSet::new();
    top_level(words, |statement, has_body| {
        let equals = statement.iter().position(|word| *word == Word::Sign('=')).unwrap_or(statement.len());
        let bracket = statement[..equals].iter().position(|word| *word == Word::Sign('('));
        match (bracket, statement.first()) {
            (Some(at), _) if has_body => {
                defined.extend(at.checked_sub(1).and_then(|before| statement[before].name()).map(str::to_owned));
            }
            (Some(_), _)
            | (None, Some(Word::Name("extern" | "using" | "typedef" | "static" | "const" | "constexpr"))) => {}
            (None, _) => {
                let ends =
                    |at: usize| statement.get(at + 1).is_none_or(|next| matches!(next, Word::Sign('=' | '[' | ',')));
                let names = (0..statement.len()).filter(|at| ends(*at)).filter_map(|at| statement[at].name());
                defined.extend(names.map(str::to_owned));
            }
        }
    });
    defined
}

/// The names that a source in another language defines: those after its keywords.
fn by_keyword(words: &[Word<'_>]) -> BTreeSet<String> {
    const TYPES: [&str; 10] =
        ["class", "interface", "enum", "record", "struct", "object", "trait", "protocol", "typealias", "delegate"];
    const OTHERS: [&str; 9] = ["func", "fun", "def", "val", "var", "let", "const", "type", "extension"];
    let mut defined = BTreeSet::new();
    top_level(words, |statement, _| {
        for (at, word) in statement.iter().enumerate() {
            let Word::Name(keyword) = word else { continue };
            let after = &statement[at + 1..];
            if TYPES.contains(keyword) {
                defined.extend(after.first().and_then(Word::name).map(str::to_owned));
            } else if OTHERS.contains(keyword) {
                defined.extend(named(after, *keyword == "func").into_iter().map(str::to_owned));
            }
        }
    });
    defined
}

/// The names that follow a keyword: `a`, `a, b`, `Type.name`, after type parameters, in a group in brackets, or after the
/// receiver of a function of Go.
fn named<'t>(after: &[Word<'t>], is_function: bool) -> Vec<&'t str> {
    let mut names = Vec::new();
    let mut rest = after;
    if rest.first() == Some(&Word::Sign('(')) {
        let end = rest.iter().position(|word| *word == Word::Sign(')')).unwrap_or(rest.len());
        let inside = &rest[1..(end + 1).min(rest.len())];
        let ends = |at: &usize| matches!(inside.get(at + 1), Some(Word::Sign('=' | ')' | ',')));
        names.extend((0..inside.len()).filter(ends).filter_map(|at| inside[at].name()));
        if !is_function {
            return names;
        }
        rest = rest.get(end + 1..).unwrap_or_default();
    }
    let mut depth = 0_usize;
    let mut may_follow = true;
    for word in rest {
        match word {
            Word::Sign('<') => depth += 1,
            Word::Sign('>') => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            Word::Name(name) if may_follow => {
                names.push(*name);
                may_follow = false;
            }
            Word::Sign('.' | ',' | '?') => may_follow = true,
            _ => break,
        }
    }
    names
}
