//! Reads from build files what they build: the name of the program whose source starts it. Pure.

use std::path::Path;

/// The question to a build file.
pub(super) struct Question<'a> {
    /// The text of the build file.
    pub(super) text: &'a str,
    /// The source that starts, relative to the directory of the file.
    pub(super) source: &'a Path,
}

impl Question<'_> {
    fn stem(&self) -> String {
        self.source.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    fn file(&self) -> String {
        self.source.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    fn ending(&self) -> String {
        self.source.extension().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Whether the file names the source, or all files with its ending.
    fn is_named(&self) -> bool {
        let all = [format!("*.{}", self.ending()), format!("%.{}", self.ending())];
        has_word(self.text, &self.file()) || all.iter().any(|all| self.text.contains(all))
    }
}

/// Whether a text has a word that no other characters of a name surround.
fn has_word(text: &str, word: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let mut found = text.match_indices(word);
    !word.is_empty()
        && found.any(|(at, _)| {
            !text[..at].ends_with(is_name) && !text[at + word.len()..].starts_with(|c: char| is_name(c) || c == '.')
        })
}

/// The bin target of a source (The Cargo Book, "Cargo Targets", "Target auto-discovery").
pub(super) fn of_cargo(question: &Question<'_>) -> Option<String> {
    // Cargo itself reports what is wrong with its file.
    let manifest: toml::Table = question.text.parse().ok()?;
    let package = manifest.get("package")?.as_table()?;
    let text = |table: &toml::Table, key: &str| table.get(key).and_then(toml::Value::as_str).map(str::to_owned);
    let bins =
        manifest.get("bin").and_then(toml::Value::as_array).into_iter().flatten().filter_map(toml::Value::as_table);
    let is_path = |bin: &&toml::Table| text(bin, "path").is_some_and(|path| Path::new(&path) == question.source);
    if let Some(name) = bins.clone().find(is_path).and_then(|bin| text(bin, "name")) {
        return Some(name);
    }
    let parts: Vec<&str> = question.source.iter().filter_map(|part| part.to_str()).collect();
    match parts[..] {
        ["src", "main.rs"] => text(package, "name"),
        ["src", "bin", _] => Some(question.stem()),
        ["src", "bin", name, "main.rs"] => Some(name.to_owned()),
        _ => None,
    }
}

/// Any program is built, by its own name.
#[expect(clippy::unnecessary_wraps, reason = "the functions of the table have one type")]
pub(super) fn of_stem(question: &Question<'_>) -> Option<String> {
    Some(question.stem())
}

/// The target of `CMakeLists.txt` with a source: the one that `add_executable` names it for, or the one named like it.
pub(super) fn of_cmake(question: &Question<'_>) -> Option<String> {
    let file = question.file();
    let stem = question.stem();
    let calls = question.text.match_indices("add_executable").filter_map(|(at, name)| {
        let call = question.text[at + name.len()..].trim_start().strip_prefix('(')?;
        let words: Vec<&str> = call.split_once(')')?.0.split_whitespace().collect();
        Some(words)
    });
    let has_file =
        |word: &&str| Path::new(word.trim_matches('"')).file_name().is_some_and(|name| name == file.as_str());
    let named = calls.clone().find(|words| words.iter().any(has_file));
    let target = named.and_then(|words| words.first().map(|target| (*target).to_owned()));
    target.filter(|target| !target.contains('$')).or_else(|| question.is_named().then_some(stem))
}

/// Words, one of which every recipe that compiles contains.
const COMPILERS: &[&str] = &["gcc", "g++", "clang", "gfortran", "fpc", "CC", "CXX", "$<", "$^", "\tcc "];

/// The target of `make` for a source: its stem, or the default one (an empty name). None if the file does not name it.
pub(super) fn of_make(question: &Question<'_>) -> Option<String> {
    let stem = question.stem();
    // `name:` and `a b: c`, but not `name := value`.
    let is_rule = |line: &&str| {
        !line.starts_with(['\t', ' ', '#', '.'])
            && line.split_once(':').is_some_and(|(_, rest)| !rest.starts_with(['=', ':']))
    };
    let targets =
        || question.text.lines().filter(is_rule).filter_map(|line| line.split_once(':')).map(|(targets, _)| targets);
    let has = |wanted: &str| targets().any(|targets| targets.split_whitespace().any(|target| target == wanted));
    if has(&stem) || (has("%") && question.is_named()) {
        return Some(stem);
    }
    let has_rules = targets().next().is_some();
    // A file that makes a program of another name makes none for this source.
    let words = || question.text.split_whitespace();
    let mut outputs = words().zip(words().skip(1)).filter(|(option, _)| *option == "-o").map(|(_, output)| output);
    let is_its = |output: &str| {
        let name = Path::new(output).file_name().unwrap_or_default().to_string_lossy();
        output.contains('$') || [&*stem, &format!("{stem}.out"), "a.out", "main"].contains(&&*name)
    };
    if words().any(|word| word == "-o") && !outputs.any(is_its) {
        return None;
    }
    // A file that only runs programs builds none.
    let compiles = COMPILERS.iter().any(|compiler| question.text.contains(compiler));
    match question.is_named() || has_word(question.text, &stem) {
        true if has_rules => compiles.then(String::new),
        // Variables alone change what the built-in rules do.
        _ if !has_rules => Some(stem),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(of: fn(&Question<'_>) -> Option<String>, text: &str, source: &str) -> Option<String> {
        of(&Question { text, source: Path::new(source) })
    }

    #[test]
    fn bins_of_cargo() {
        let text = "[package]\nname = \"aoc\"\n[[bin]]\nname = \"x\"\npath = \"days/x.rs\"\n";
        for (source, target) in [
            ("src/main.rs", Some("aoc")),
            ("src/bin/01.rs", Some("01")),
            ("src/bin/02/main.rs", Some("02")),
            ("days/x.rs", Some("x")),
            ("src/lib.rs", None),
            ("a.rs", None),
        ] {
            assert_eq!(ask(of_cargo, text, source).as_deref(), target, "{source}");
        }
        assert_eq!(ask(of_cargo, "[workspace]\n", "src/main.rs"), None);
    }

    #[test]
    fn targets_of_make() {
        for (text, target) in [
            ("CXXFLAGS = -O2\n", Some("a")),
            ("all: a b\na: a.cpp\n\tg++ -o a a.cpp\n", Some("a")),
            ("%: %.cpp\n\tg++ -o $@ $<\n", Some("a")),
            ("bin/%: %.cpp\n\tg++ -o $@ $<\n", Some("")),
            ("bin/a: a.cpp lib.cpp\n\tg++ -o bin/a $^\n", Some("")),
            ("all:\n\tg++ a.cpp\n", Some("")),
            ("prog: a.cpp lib.cpp\n\tg++ -o prog $^\n", None),
            ("run:\n\tg++ -o /tmp/x a.cpp\n", None),
            ("test:\n\tgrader run\n", None),
            ("b: b.cpp\n\tg++ -o b data.cpp\n", None),
        ] {
            assert_eq!(ask(of_make, text, "a.cpp").as_deref(), target, "{text}");
        }
    }

    #[test]
    fn targets_of_cmake() {
        for (text, target) in [
            ("add_executable(prog\n  src/a.cpp lib.cpp)", Some("prog")),
            ("file(GLOB all *.cpp)\nforeach(f ${all})\nadd_executable(${n} ${f})\n", Some("a")),
            ("add_executable(b b.cpp)", None),
        ] {
            assert_eq!(ask(of_cmake, text, "src/a.cpp").as_deref(), target, "{text}");
        }
    }
}
