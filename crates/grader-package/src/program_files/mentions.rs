//! Reads which headers a text in C includes, and which modules a text in Python imports.

use super::{PythonPlace, plain_words};

/// A header, as a text includes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IncludedHeader<'a> {
    /// The name as written.
    pub name: &'a str,
    /// Whether it stands in quotes, and so may lie beside the including file.
    pub is_quoted: bool,
}

/// The headers that a text includes.
pub fn includes(text: &str) -> impl Iterator<Item = IncludedHeader<'_>> {
    text.lines().filter_map(|line| {
        let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?.trim_start();
        let (is_quoted, end) = match rest.chars().next()? {
            '"' => (true, '"'),
            '<' => (false, '>'),
            _ => return None,
        };
        Some(IncludedHeader { name: rest[1..].split(end).next()?, is_quoted })
    })
}

/// The names of files that a script loads: the strings in lines that load something.
pub fn loads(text: &str) -> impl Iterator<Item = &str> {
    const LOAD: [&str; 8] =
        ["require", "require_once", "require_relative", "include", "include_once", "import", "from", "load"];
    // `#[path = "../util.rs"]` of Rust.
    let is_path = |line: &str| line.trim_start().starts_with("#[path");
    let is_loading = move |line: &&str| is_path(line) || plain_words(line).any(|(word, _)| LOAD.contains(&word));
    text.lines().filter(is_loading).flat_map(|line| {
        let strings = ['"', '\''].into_iter().flat_map(|quote| line.split(quote).skip(1).step_by(2));
        strings.filter(|name| !name.is_empty() && !name.contains(['*', '\0', '\\']))
    })
}

/// The packages from which a text in Java or Kotlin imports, and the imported names with theirs.
pub fn packages(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let rest = line.trim_start().strip_prefix("import ")?.trim_start();
        let rest = rest.strip_prefix("static ").unwrap_or(rest).trim();
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).unwrap_or(rest.len());
        Some(rest[..end].trim_end_matches('.')).filter(|name| !name.is_empty())
    })
}

/// The modules that a text imports, with dots between their parts. A name that is imported from a module may be a module
/// too. Leading dots are left out.
pub fn imports(text: &str) -> Vec<String> {
    let mut place = PythonPlace::default();
    let mut found = Vec::new();
    for line in text.lines() {
        let begins = place.begins_statement();
        place.pass(line);
        if begins {
            // Several statements may share a line, as in `try: import helper`.
            line.trim_start().split([';', ':']).for_each(|statement| imported(statement.trim_start(), &mut found));
        }
    }
    found
}

/// The modules that a statement imports.
fn imported(statement: &str, found: &mut Vec<String>) {
    let first = |words: &str| words.split_whitespace().next().unwrap_or_default().to_owned();
    if let Some(modules) = statement.strip_prefix("import ") {
        found.extend(modules.split(',').map(first));
    } else if let Some((module, names)) = statement.strip_prefix("from ").and_then(|rest| rest.split_once(" import")) {
        let module = module.trim().trim_start_matches('.');
        found.push(module.to_owned());
        let separator = if module.is_empty() { "" } else { "." };
        let names = names.trim_matches(|c| "() \t\\".contains(c)).split(',');
        found.extend(names.map(|name| format!("{module}{separator}{}", first(name))));
    }
}

/// The modules that a text in Python imports from its own package, each with the number of leading dots: `from ..a import b`
/// is `a` and `a.b` with two.
pub fn relative_imports(text: &str) -> Vec<(usize, String)> {
    let mut place = PythonPlace::default();
    let mut found = Vec::new();
    for line in text.lines() {
        let begins = place.begins_statement();
        place.pass(line);
        let statement = line.trim_start().strip_prefix("from ").map(str::trim_start).filter(|_| begins);
        let Some(relative) = statement.filter(|rest| rest.starts_with('.')) else { continue };
        let levels = relative.bytes().take_while(|byte| *byte == b'.').count();
        let mut modules = Vec::new();
        imported(&format!("from {}", &relative[levels..]), &mut modules);
        found.extend(modules.into_iter().map(|module| (levels, module)));
    }
    found
}
