//! The language of a file, by the ending of its name, and the family of languages to which it belongs.
//!
//! The language table (`languages.toml`) is data. Commands and detection are the program's; what is here needs only two of
//! its columns, and the ending of a file.

use std::path::Path;
use std::sync::LazyLock;

use serde::Deserialize;

/// The built-in table of languages. Its head describes the keys.
pub static LANGUAGES: LazyLock<toml::Table> =
    LazyLock::new(|| include_str!("../languages.toml").parse().expect("the embedded table is TOML"));

/// The name of a dialect of a language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// The one that the commands of the language use by default: `cpp20`.
    Usual,
    /// Another one: `cpp17`.
    Other,
}

/// The dialect of this name; none if no language has one.
pub fn dialect(name: &str) -> Option<Dialect> {
    let words = |row: &'static toml::Value| Some((row, row.get("dialects")?.get(name)?.as_array()?));
    let (row, words) = LANGUAGES.values().find_map(words)?;
    let compile = row.get("compile").and_then(toml::Value::as_array);
    let is_usual = compile.is_some_and(|compile| words.iter().all(|word| compile.contains(word)));
    Some(if is_usual { Dialect::Usual } else { Dialect::Other })
}

/// The keys of a row that only this module reads. `grader.toml` cannot set them.
pub const FAMILY_KEYS: [&str; 2] = ["family", "companions"];

/// Languages whose sources are written alike and refer to each other alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Family {
    /// C and C++.
    C,
    /// Java and others that are compiled together, with strings in three quotes.
    Java,
    /// Like Java, with strings in backticks.
    Go,
    /// JavaScript and scripts with the same comments.
    JavaScript,
    /// Scripts whose comments begin with `#`.
    Shell,
    /// Lua.
    Lua,
    /// Python.
    Python,
    /// Rust.
    Rust,
    /// D and others with comments of C whose compiler finds the imported modules itself.
    D,
    /// Haskell.
    Haskell,
    /// Nim.
    Nim,
    /// OCaml.
    OCaml,
    /// Pascal.
    Pascal,
}

/// How sources refer to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModuleSystem {
    /// Modules are files, and top-level code runs.
    Python,
    /// `#include "…"`; all sources are compiled together.
    C,
    /// `mod name;`.
    Rust,
    /// Scripts that load others by name.
    Script,
    /// Sources are compiled together and use each other's names.
    Compiled,
    /// The compiler finds the imported modules itself.
    Followed,
}

impl Family {
    /// How its sources refer to each other.
    pub fn module_system(self) -> ModuleSystem {
        match self {
            Self::C => ModuleSystem::C,
            Self::Java | Self::Go | Self::OCaml => ModuleSystem::Compiled,
            Self::JavaScript | Self::Shell | Self::Lua => ModuleSystem::Script,
            Self::Python => ModuleSystem::Python,
            Self::Rust => ModuleSystem::Rust,
            Self::D | Self::Haskell | Self::Nim | Self::Pascal => ModuleSystem::Followed,
        }
    }
}

/// The columns of a row that say which files belong to its language.
#[derive(Deserialize)]
struct Row {
    extensions: Vec<String>,
    /// Endings of headers and modules, which are not sources by themselves.
    #[serde(default)]
    companions: Vec<String>,
    family: Family,
}

/// A language with all endings of its files, in small letters.
struct Kin {
    family: Family,
    endings: Vec<String>,
}

/// Rows of one family that share an ending are one language, such as C and C++, which share headers.
static KIN: LazyLock<Vec<Kin>> = LazyLock::new(|| {
    let mut all: Vec<Kin> = Vec::new();
    for row in LANGUAGES.values() {
        let Row { extensions, companions, family } = row.clone().try_into().expect("the embedded table is well-formed");
        let endings: Vec<String> =
            extensions.iter().chain(&companions).map(|ending| ending.to_ascii_lowercase()).collect();
        let is_kin = |kin: &&mut Kin| kin.family == family && kin.endings.iter().any(|ending| endings.contains(ending));
        match all.iter_mut().find(is_kin) {
            Some(kin) => kin.endings.extend(endings),
            None => all.push(Kin { family, endings }),
        }
    }
    all
});

/// The id of each row, with the endings of its sources, headers and modules.
static ENDINGS: LazyLock<Vec<(&'static str, Vec<String>)>> = LazyLock::new(|| {
    let endings = |(id, row): (&'static String, &toml::Value)| {
        let Row { extensions, companions, .. } = row.clone().try_into().expect("the embedded table is well-formed");
        (id.as_str(), [extensions, companions].concat())
    };
    LANGUAGES.iter().map(endings).collect()
});

/// The ids of the rows whose files have this ending. Rows that have it in these letters outrank others: `.C` is C++ and
/// `.c` is C.
pub fn languages_of(path: &Path) -> Vec<&'static str> {
    let Some(ending) = path.extension().and_then(|ending| ending.to_str()) else { return Vec::new() };
    let rows = |is_same: &dyn Fn(&str) -> bool| -> Vec<&'static str> {
        let fits = |row: &&(&str, Vec<String>)| row.1.iter().any(|known| is_same(known));
        ENDINGS.iter().filter(fits).map(|(id, _)| *id).collect()
    };
    let exact = rows(&|known| known == ending);
    if exact.is_empty() { rows(&|known| known.eq_ignore_ascii_case(ending)) } else { exact }
}

/// The name of the first language whose files have the ending of this one.
pub fn language_name(path: &Path) -> Option<&'static str> {
    let id = *languages_of(path).first()?;
    LANGUAGES[id].get("name").map_or(Some(id), toml::Value::as_str)
}

/// The position in [`KIN`] of the language of a file.
fn kin(path: &Path) -> Option<usize> {
    let ending = path.extension()?.to_str()?.to_ascii_lowercase();
    KIN.iter().position(|kin| kin.endings.contains(&ending))
}

/// The family of a file. None: the built-in table does not know its ending.
pub fn family(path: &Path) -> Option<Family> {
    Some(KIN[kin(path)?].family)
}

/// How a file refers to others.
pub fn module_system(path: &Path) -> Option<ModuleSystem> {
    family(path).map(Family::module_system)
}

/// Whether files of these names are of one language.
pub fn is_same_language(one: &Path, other: &Path) -> bool {
    match (kin(one), kin(other)) {
        (None, None) => one.extension() == other.extension(),
        (one, other) => one == other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_letters_of_an_ending_count_where_rows_differ_in_them() {
        for (file, rows) in [
            ("a.c", &["c"][..]),
            ("a.C", &["cpp"]),
            ("a.CPP", &["cpp"]),
            ("a.h", &["c", "cpp"]),
            ("a.hh", &["cpp"]),
            ("a.py", &["pypy3", "python3"]),
            ("a.txt", &[]),
            ("a", &[]),
        ] {
            assert_eq!(languages_of(Path::new(file)), rows, "{file}");
        }
    }

    #[test]
    fn rows_that_share_an_ending_are_one_language() {
        for (one, other, same) in [
            ("a.c", "b.CPP", true),
            ("a.cc", "b.hpp", true),
            ("a.pl", "B.pm", true),
            ("a.js", "b.ts", false),
            ("a.java", "b.kt", false),
            ("a.lpr", "b.pas", true),
            ("a.txt", "b.txt", true),
            ("a.txt", "b.c", false),
        ] {
            assert_eq!(is_same_language(Path::new(one), Path::new(other)), same, "{one} and {other}");
        }
        // An ending belongs to one family only.
        for kin in KIN.iter() {
            for ending in &kin.endings {
                assert_eq!(family(Path::new(&format!("a.{ending}"))), Some(kin.family), "{ending}");
            }
        }
    }
}
