//! Decides from the text of a file whether it starts by itself or only defines things for others.

use std::path::Path;

use super::words::{Dialect, Word, words};
use super::{Family, ModuleSystem, PythonPlace, family, module_system};

/// Whether a file has code that starts by itself.
pub(super) fn has_main(path: &Path, text: &str) -> bool {
    let Some(family) = family(path) else { return true };
    match family {
        _ if has_ending(path, "rb") => ruby_runs(text),
        Family::Python => python_runs(text),
        Family::JavaScript | Family::Shell | Family::Lua => !is_script_library(path, text),
        Family::Pascal => !first_word(text).eq_ignore_ascii_case("unit"),
        Family::Haskell => text.lines().any(is_haskell_main),
        Family::Nim => true,
        Family::OCaml => ["let () =", "let _ =", ";;"].iter().any(|start| text.contains(start)),
        Family::Java if has_ending(path, "scala") && text.contains("extends App") => true,
        Family::C | Family::Java | Family::Go | Family::Rust | Family::D => defines_main(path, text),
    }
}

/// Whether a library is a program if it is started itself: it asks whether it is, or it reads the input.
pub(super) fn is_guarded(path: &Path, text: &str) -> bool {
    let signs: &[&str] = match module_system(path) {
        Some(ModuleSystem::Python) => &["__name__"],
        Some(ModuleSystem::Script) => {
            &["require.main", "__FILE__", "caller", "stdin", "STDIN", "(0", "gets", "io.read"]
        }
        _ => return false,
    };
    signs.iter().any(|sign| text.contains(sign))
}

fn has_ending(path: &Path, wanted: &str) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(wanted))
}

/// Whether `main(` stands in a text other than as a call of another's.
fn defines_main(path: &Path, text: &str) -> bool {
    let dialect = if has_ending(path, "kt") { Dialect::Kotlin } else { Dialect::Java };
    let words = words(text, dialect);
    (0..words.len()).any(|at| {
        matches!(words[at], Word::Name("main" | "Main"))
            && words.get(at + 1) == Some(&Word::Sign('('))
            && at.checked_sub(1).is_none_or(|before| words[before] != Word::Sign('.'))
    })
}

fn is_haskell_main(line: &str) -> bool {
    line.strip_prefix("main").is_some_and(|rest| rest.starts_with([' ', '=', ':']) || rest.is_empty())
}

/// The first word of a Pascal text, without comments and directives.
fn first_word(text: &str) -> &str {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    loop {
        let end = match () {
            () if rest.starts_with('{') => "}",
            () if rest.starts_with("(*") => "*)",
            () if rest.starts_with("//") => "\n",
            () => break,
        };
        rest = rest.split_once(end).map_or("", |(_, after)| after).trim_start();
    }
    rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default()
}

/// Whether a script only defines things for others.
fn is_script_library(path: &Path, text: &str) -> bool {
    let is_module = path.extension().is_some_and(|ending| ending == "pm");
    let last = text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
    is_module
        || text.contains("module.exports")
        || text.lines().any(|line| line.starts_with("export "))
        || last.starts_with("return ")
        || last.trim() == "1;"
}

/// Whether a Ruby file does something when it is loaded, beyond definitions, constants and what it loads itself. What it
/// does only if it is started itself does not count.
fn ruby_runs(text: &str) -> bool {
    const DEFINES: [&str; 12] = [
        "class ",
        "module ",
        "def ",
        "end",
        "require",
        "include ",
        "using ",
        "private",
        "attr_",
        "if __FILE__",
        "if $0",
        "if $PROGRAM_NAME",
    ];
    let is_constant = |line: &str| {
        let name = line.split_once('=').map(|(name, _)| name.trim_end());
        name.is_some_and(|name| {
            name.starts_with(char::is_uppercase) && name.chars().all(|c| c.is_alphanumeric() || c == '_')
        })
    };
    let is_top =
        |line: &&str| line.starts_with(|first: char| !first.is_whitespace() && !matches!(first, '#' | ')' | ']' | '}'));
    text.lines().filter(is_top).any(|line| !DEFINES.iter().any(|word| line.starts_with(word)) && !is_constant(line))
}

/// Whether a Python file does something when it is loaded, beyond definitions and constants.
fn python_runs(text: &str) -> bool {
    const DEFINES: [&str; 17] = [
        "import ",
        "from ",
        "def ",
        "class ",
        "async def ",
        "@",
        "\"",
        "'",
        "r\"",
        "else",
        "elif ",
        "except",
        "finally",
        "try:",
        "pass",
        "if TYPE_CHECKING",
        "sys.setrecursionlimit",
    ];
    let mut place = PythonPlace::default();
    for line in text.lines() {
        let begins = place.begins_statement();
        place.pass(line);
        let is_top = line.starts_with(|c: char| !c.is_whitespace() && !matches!(c, '#' | ')' | ']' | '}'));
        if !begins || !is_top || DEFINES.iter().any(|word| line.starts_with(word)) {
            continue;
        }
        if line.starts_with("if __name__") {
            continue;
        }
        let target = line.split_once('=').map(|(target, value)| (target.trim_end(), value));
        let is_name = |c: char| c.is_alphanumeric() || "_,.:[] ".contains(c);
        let is_constant = target.is_some_and(|(target, value)| {
            target.chars().all(is_name) && !["input", "stdin", "open("].iter().any(|word| value.contains(word))
        });
        if !is_constant {
            return true;
        }
    }
    false
}
