//! Finds out which files belong together as one program: which file imports or includes which, and which one starts.
//! Reads texts that others have loaded; it recognises languages by the endings of files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

/// The largest text that is searched for imports, in bytes. Callers load nothing of larger files.
pub(crate) const LARGEST: u64 = 1 << 20;

/// A file that may be part of a program.
#[derive(Debug, Clone)]
pub(crate) struct ProgramFile {
    /// Its path, relative to the same directory for all files.
    pub(crate) path: PathBuf,
    /// Its text; empty if it is too large.
    pub(crate) text: String,
    /// Whether it is a source of a known language. Headers and data are not.
    pub(crate) is_source: bool,
}

/// Files of one directory, with what each of them refers to.
#[derive(Debug)]
pub(crate) struct ProgramFiles {
    files: Vec<ProgramFile>,
    /// The files to which each file refers.
    refers: Vec<BTreeSet<usize>>,
}

/// The file that starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Entry {
    /// This one.
    One(usize),
    /// Nobody can tell which of these.
    Unclear(Vec<usize>),
}

/// How the languages of a family refer to files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    /// Modules are files, and top-level code runs.
    Python,
    /// `#include "…"`; all sources are compiled together.
    C,
    /// `mod name;`.
    Rust,
    /// Scripts that load others by name.
    Script,
    /// Languages whose sources are compiled together and use each other's names.
    Compiled,
}

/// The family of a file, by its ending.
pub(crate) fn family(path: &Path) -> Option<Family> {
    let ending = path.extension()?.to_str()?;
    let lower = ending.to_ascii_lowercase();
    Some(match &*lower {
        "py" | "py3" => Family::Python,
        "c" | "cc" | "cpp" | "cxx" | "c++" | "h" | "hh" | "hpp" | "hxx" | "h++" | "inc" | "inl" | "ipp" | "tpp" => {
            Family::C
        }
        "rs" => Family::Rust,
        "js" | "mjs" | "cjs" | "ts" | "rb" | "lua" | "pl" | "pm" | "php" | "sh" | "bash" => Family::Script,
        "java" | "kt" | "cs" | "scala" | "go" | "hs" | "swift" | "d" | "ml" | "pas" | "dart" | "nim" => {
            Family::Compiled
        }
        _ => return None,
    })
}

impl ProgramFiles {
    pub(crate) fn new(files: Vec<ProgramFile>) -> Self {
        let index = Index::of(&files);
        let refers = (0..files.len()).map(|at| index.references(&files, at)).collect();
        Self { files, refers }
    }

    /// The path of a file.
    pub(crate) fn path(&self, at: usize) -> &Path {
        &self.files[at].path
    }

    /// The programs of several files among files that lie beside each other: the file that starts, and all files. Each
    /// other file of them is no program of its own. A file with a main is taken only by a file that is wanted, such as
    /// one called `main`; otherwise one program would take another.
    pub(crate) fn programs(&self, is_wanted: &dyn Fn(&Path) -> bool) -> Vec<(usize, Vec<usize>)> {
        let mut grouped = Vec::new();
        let mut taken: BTreeSet<usize> = BTreeSet::new();
        for entry in (0..self.files.len()).filter(|at| self.files[*at].is_source) {
            let is_wanted = is_wanted(self.path(entry));
            // Compiled together, two mains would not be a program.
            let is_loaded = matches!(family(self.path(entry)), Some(Family::Python | Family::Script));
            let may_take = |at: &usize| *at == entry || (is_wanted && is_loaded) || !self.has_main(*at);
            let own: Vec<usize> = self.program(entry).into_iter().filter(may_take).collect();
            if own.len() > 1 && (is_wanted || self.has_main(entry)) {
                taken.extend(own.iter().filter(|at| **at != entry));
                grouped.push((entry, own));
            }
        }
        grouped.retain(|(entry, _)| !taken.contains(entry));
        grouped
    }

    /// The files of the program that starts with a file: that file, and all to which they refer.
    pub(crate) fn program(&self, entry: usize) -> BTreeSet<usize> {
        let (mut whole, mut next) = (BTreeSet::from([entry]), vec![entry]);
        while let Some(at) = next.pop() {
            next.extend(self.refers[at].iter().filter(|other| whole.insert(**other)));
        }
        whole
    }

    /// Whether a file has code that starts by itself. A library has none.
    pub(crate) fn has_main(&self, at: usize) -> bool {
        let ProgramFile { path, text, is_source } = &self.files[at];
        if !is_source {
            return false;
        }
        match family(path) {
            Some(Family::Python) => python_runs(text),
            Some(Family::C) => words(text).any(|(word, rest)| word == "main" && rest.trim_start().starts_with('(')),
            Some(Family::Rust) => text.contains("fn main"),
            Some(Family::Script) => !is_script_library(path, text),
            Some(Family::Compiled) => words(text).any(|(word, _)| word.eq_ignore_ascii_case("main")),
            None => true,
        }
    }

    /// Whether a file loads others in a way that its text does not show.
    pub(crate) fn loads_dynamically(&self, at: usize) -> bool {
        let text = &self.files[at].text;
        ["importlib", "__import__", "runpy", "exec("].iter().any(|word| text.contains(word))
    }

    /// The file that starts: the one named like the problem (`is_named`), or `main`, or the only one with a main. A
    /// file that others load does not start.
    pub(crate) fn entry(&self, is_named: &dyn Fn(&Path) -> bool) -> Entry {
        let sources: Vec<usize> = (0..self.files.len()).filter(|at| self.files[*at].is_source).collect();
        let is_loaded = |at: &usize| sources.iter().any(|other| other != at && self.refers[*other].contains(at));
        let roots: Vec<usize> = sources.iter().copied().filter(|at| !is_loaded(at)).collect();
        let roots = if roots.is_empty() { sources } else { roots };
        let chosen =
            |wanted: &dyn Fn(usize) -> bool| roots.iter().copied().filter(|at| wanted(*at)).collect::<Vec<_>>();
        for wanted in [&(|at| is_named(self.path(at))) as &dyn Fn(usize) -> bool, &|at| is_main(self.path(at)), &|at| {
            self.has_main(at)
        }] {
            match chosen(wanted)[..] {
                [] => {}
                [one] => return Entry::One(one),
                [..] => return Entry::Unclear(chosen(wanted)),
            }
        }
        match roots[..] {
            [one] => Entry::One(one),
            _ => Entry::Unclear(roots),
        }
    }
}

/// Whether a file is called `main`.
pub(crate) fn is_main(path: &Path) -> bool {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    ["main", "__main__"].iter().any(|main| stem.eq_ignore_ascii_case(main))
}

/// The files by their names.
struct Index {
    paths: BTreeMap<PathBuf, usize>,
    /// By the last part of the path.
    names: BTreeMap<String, Vec<usize>>,
    /// By the last part without its ending.
    stems: BTreeMap<String, Vec<(PathBuf, usize)>>,
}

impl Index {
    fn of(files: &[ProgramFile]) -> Self {
        let mut index = Self { paths: BTreeMap::new(), names: BTreeMap::new(), stems: BTreeMap::new() };
        for (at, file) in files.iter().enumerate() {
            index.paths.insert(file.path.clone(), at);
            let text = |name: Option<&std::ffi::OsStr>| name.and_then(|name| name.to_str()).map(str::to_owned);
            if let Some(name) = text(file.path.file_name()) {
                index.names.entry(name).or_default().push(at);
            }
            if let Some(stem) = text(file.path.file_stem()) {
                index.stems.entry(stem).or_default().push((file.path.clone(), at));
            }
        }
        index
    }

    fn references(&self, files: &[ProgramFile], at: usize) -> BTreeSet<usize> {
        let ProgramFile { path, text, .. } = &files[at];
        let dir = path.parent().unwrap_or(Path::new(""));
        let family = family(path);
        let mut found = BTreeSet::new();
        match family {
            Some(Family::Python) => self.python(text, dir, &mut found),
            Some(Family::C) => self.includes(text, dir, &mut found),
            Some(Family::Rust) => self.modules(text, dir, &mut found),
            Some(Family::Script) => self.loaded(text, path, &mut found),
            Some(Family::Compiled) => {
                let lines = text.lines().filter(|line| !is_comment(line));
                found.extend(lines.flat_map(words).flat_map(|(word, _)| self.with_stem(word, path)));
            }
            None => {}
        }
        // A file that is named in full, such as data or a script.
        if family.is_some_and(|family| family != Family::C) {
            for line in text.lines().filter(|line| !is_comment(line)) {
                let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '+');
                for name in line.split(|c| !is_part(c)).filter(|name| name.contains('.')) {
                    found.extend(self.names.get(name.trim_start_matches('.')).into_iter().flatten());
                }
            }
        }
        // The implementation of an included header.
        if family == Some(Family::C) {
            let stems: Vec<PathBuf> = found.iter().map(|header| files[*header].path.with_extension("")).collect();
            let implements = |file: &ProgramFile| {
                file.is_source
                    && self::family(&file.path) == Some(Family::C)
                    && stems.contains(&file.path.with_extension(""))
            };
            found.extend((0..files.len()).filter(|other| implements(&files[*other])));
        }
        found.remove(&at);
        found
    }

    fn python(&self, text: &str, dir: &Path, found: &mut BTreeSet<usize>) {
        let mut place = PythonPlace::default();
        for line in text.lines() {
            let begins = place.begins_statement();
            place.pass(line);
            let line = line.trim_start();
            if !begins {
                continue;
            }
            // Several statements may share a line, as in `try: import helper`.
            for statement in line.split([';', ':']).map(str::trim_start) {
                if let Some(modules) = statement.strip_prefix("import ") {
                    for module in modules.split(',') {
                        self.module(module.split_whitespace().next().unwrap_or_default(), dir, found);
                    }
                } else if let Some((module, names)) =
                    statement.strip_prefix("from ").and_then(|rest| rest.split_once(" import"))
                {
                    let module = module.trim().trim_start_matches('.');
                    self.module(module, dir, found);
                    for name in names.trim_matches(|c| "() \t\\".contains(c)).split(',') {
                        let name = name.split_whitespace().next().unwrap_or_default();
                        let separator = if module.is_empty() { "" } else { "." };
                        self.module(&format!("{module}{separator}{name}"), dir, found);
                    }
                }
            }
        }
    }

    /// Adds the files of a Python module: `pkg.part` is `pkg/part.py`, and `pkg/__init__.py` runs before.
    fn module(&self, module: &str, dir: &Path, found: &mut BTreeSet<usize>) {
        if module.is_empty() {
            return;
        }
        for base in [dir, Path::new("")] {
            let mut path = base.to_owned();
            for part in module.split('.') {
                path.push(part);
                let mut file = path.clone().into_os_string();
                file.push(".py");
                let files = [PathBuf::from(file), path.join("__init__.py")];
                found.extend(files.iter().filter_map(|file| self.paths.get(file)));
            }
        }
    }

    fn includes(&self, text: &str, dir: &Path, found: &mut BTreeSet<usize>) {
        for line in text.lines() {
            let Some(rest) = line.trim_start().strip_prefix('#') else { continue };
            let Some(rest) = rest.trim_start().strip_prefix("include") else { continue };
            let Some(name) = rest.trim_start().strip_prefix('"').and_then(|rest| rest.split('"').next()) else {
                continue;
            };
            let path = normal(&dir.join(name));
            found.extend(self.paths.get(&path).or_else(|| self.paths.get(Path::new(name))));
        }
    }

    fn modules(&self, text: &str, dir: &Path, found: &mut BTreeSet<usize>) {
        for line in text.lines() {
            let line = line.trim_start();
            let rest = line.strip_prefix("pub mod ").or_else(|| line.strip_prefix("mod "));
            let Some(name) = rest.and_then(|rest| rest.split_once(';')).map(|(name, _)| name.trim()) else { continue };
            let files = [dir.join(format!("{name}.rs")), dir.join(name).join("mod.rs")];
            found.extend(files.iter().filter_map(|file| self.paths.get(file)));
        }
    }

    /// Adds the files that a script loads by their names without ending.
    fn loaded(&self, text: &str, path: &Path, found: &mut BTreeSet<usize>) {
        const LOAD: [&str; 8] = ["require", "require_relative", "import", "from", "use", "load", "dofile", "include"];
        for line in text.lines().filter(|line| !is_comment(line)) {
            let named = words(line).filter(|(word, _)| LOAD.contains(word)).last();
            if let Some((_, rest)) = named {
                found.extend(words(rest).flat_map(|(word, _)| self.with_stem(word, path)));
            }
        }
    }

    /// The files with this stem and the ending of `path`.
    fn with_stem<'a>(&'a self, stem: &str, path: &'a Path) -> impl Iterator<Item = usize> + 'a {
        let same = self.stems.get(stem).into_iter().flatten();
        same.filter(|(known, _)| known.extension() == path.extension()).map(|(_, at)| *at)
    }
}

/// A path without `.` and, as far as possible, without `..`.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(normal.pop()),
            part => normal.push(part),
        }
    }
    normal
}

/// The words of a text, each with what follows it.
fn words(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = &rest[rest.find(is_part)?..];
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        rest = after;
        Some((word, after))
    })
}

fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    ["#", "//", "--", "*", "/*"].iter().any(|mark| line.starts_with(mark))
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

/// What is open at the end of a line of Python: a line within a string or within brackets begins no statement.
#[derive(Debug, Default)]
pub(crate) struct PythonPlace {
    /// The quotes that end the open string.
    string: Option<&'static str>,
    brackets: usize,
    /// Whether the last line ends with a backslash.
    continues: bool,
}

impl PythonPlace {
    /// Whether a line here begins a statement.
    pub(crate) fn begins_statement(&self) -> bool {
        self.string.is_none() && self.brackets == 0 && !self.continues
    }

    /// Reads a line.
    pub(crate) fn pass(&mut self, line: &str) {
        let mut rest = line;
        self.continues = false;
        while let Some(c) = rest.chars().next() {
            if let Some(end) = self.string {
                if c == '\\' {
                    let skipped = rest.chars().take(2).map(char::len_utf8).sum();
                    // A string of one line goes on after a backslash at its end.
                    self.continues = skipped == rest.len();
                    rest = &rest[skipped..];
                } else if rest.starts_with(end) {
                    self.string = None;
                    rest = &rest[end.len()..];
                } else {
                    rest = &rest[c.len_utf8()..];
                }
                continue;
            }
            let opened = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|quotes| rest.starts_with(quotes));
            match c {
                _ if opened.is_some() => {
                    self.string = opened;
                    rest = &rest[opened.map_or(1, str::len)..];
                    continue;
                }
                '#' => break,
                '(' | '[' | '{' => self.brackets += 1,
                ')' | ']' | '}' => self.brackets = self.brackets.saturating_sub(1),
                '\\' if rest.trim_end() == "\\" => self.continues = true,
                _ => {}
            }
            rest = &rest[c.len_utf8()..];
        }
        if self.string.is_some_and(|quotes| quotes.len() == 1) && !self.continues {
            self.string = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(texts: &[(&str, &str)]) -> ProgramFiles {
        let file = |(path, text): &(&str, &str)| {
            let is_source = !["h", "txt"].iter().any(|ending| path.ends_with(&format!(".{ending}")));
            ProgramFile { path: path.into(), text: (*text).to_owned(), is_source }
        };
        ProgramFiles::new(texts.iter().map(file).collect())
    }

    /// The names of the files of the program that starts with the first file.
    fn program(texts: &[(&str, &str)]) -> Vec<String> {
        let files = files(texts);
        files.program(0).into_iter().map(|at| files.path(at).display().to_string()).collect()
    }

    #[test]
    fn imports_and_includes_are_followed() {
        for (texts, expect) in [
            (&[("a.py", "import sys, b\n"), ("b.py", "from c import x\n"), ("c.py", ""), ("d.py", "")][..], 3),
            (
                &[("a.py", "try: from .pkg import part\nexcept E: pass"), ("pkg/__init__.py", ""), ("pkg/part.py", "")],
                3,
            ),
            (&[("a.py", "s = \"\"\"\nimport b\n\"\"\"\n# see b.py\n"), ("b.py", "")], 1),
            (&[("a.py", "open('words.txt')"), ("words.txt", "")], 2),
            (&[("m.cpp", "#include \"lib.h\"\n#include <x.h>"), ("lib.h", ""), ("lib.cpp", ""), ("x.h", "")], 3),
            (&[("m.cpp", "# include \"./inc/../lib.h\""), ("lib.h", "#include \"y.h\""), ("y.h", "")], 3),
            (&[("m.rs", "mod b;\nmod c { }"), ("b.rs", ""), ("c.rs", "")], 2),
            (&[("m.sh", ". \"${0%/*}/add.sh\""), ("add.sh", ""), ("sub.sh", "")], 2),
            (&[("m.js", "const x = require('./lib')"), ("lib.js", ""), ("x.js", "")], 2),
            (&[("Main.java", "new Helper()"), ("Helper.java", ""), ("Other.java", "")], 2),
        ] {
            assert_eq!(program(texts).len(), expect, "{texts:?}");
        }
    }

    #[test]
    fn the_file_that_starts() {
        const RUNS: &str = "print(int(input()))\n";
        const LIBRARY: &str =
            "\"\"\"Words.\"\"\"\nimport sys\nN = 3\n\ndef f():\n    print(3)\n\nif __name__ == '__main__':\n    f()\n";
        let entry = |texts: &[(&str, &str)]| match files(texts).entry(&|path| path.starts_with("sum.py")) {
            Entry::One(at) => texts[at].0.to_owned(),
            Entry::Unclear(several) => several.len().to_string(),
        };
        assert_eq!(entry(&[("a.py", RUNS), ("sum.py", RUNS)]), "sum.py");
        assert_eq!(entry(&[("a.py", RUNS), ("main.py", RUNS)]), "main.py");
        assert_eq!(entry(&[("main.py", "from sum import f\nf()"), ("sum.py", LIBRARY)]), "main.py");
        assert_eq!(entry(&[("a.py", RUNS), ("lib.py", LIBRARY)]), "a.py");
        assert_eq!(entry(&[("a.py", "import lib\n"), ("lib.py", RUNS)]), "a.py");
        assert_eq!(entry(&[("a.py", RUNS), ("b.py", RUNS)]), "2");
        assert_eq!(entry(&[("a.cpp", "int main () {}"), ("b.cpp", "int domain(int);")]), "a.cpp");
        assert_eq!(entry(&[("a.cpp", "int main() {}"), ("b.cpp", "int main(void) {}")]), "2");
    }
}
