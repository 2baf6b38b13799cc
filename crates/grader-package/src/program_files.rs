//! Finds out which files belong together as one program: which file imports or includes which, and which one starts.
//! Reads texts that others have loaded; it recognises languages by the endings of files (`family`).

mod family;
pub mod mentions;
mod names;
mod starts;
pub mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

pub use family::{
    Dialect, FAMILY_KEYS, Family, LANGUAGES, ModuleSystem, dialect, family, is_same_language, language_name,
    languages_of, module_system,
};

/// The largest text that is searched for imports, in bytes. Callers load nothing of larger files.
pub const LARGEST: u64 = 1 << 20;

/// A file that may be part of a program.
#[derive(Debug, Clone)]
pub struct ProgramFile {
    /// Its path, relative to the same directory for all files.
    pub path: PathBuf,
    /// Its text; empty if it is too large.
    pub text: String,
    /// Whether it is a source of a known language. Headers and data are not.
    pub is_source: bool,
}

/// Files of one directory, with what each of them refers to.
#[derive(Debug)]
pub struct ProgramFiles {
    files: Vec<ProgramFile>,
    /// The files to which each file refers.
    refers: Vec<BTreeSet<usize>>,
    /// The files that define what each file uses.
    needs: Vec<BTreeSet<usize>>,
}

/// The file that starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StartFile {
    /// This one.
    One(usize),
    /// It is unclear which of these.
    Unclear(Vec<usize>),
}

/// Whether a file is a test of other files, by its name.
pub fn is_test(path: &Path) -> bool {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let lower = stem.to_ascii_lowercase();
    let of_name = lower.starts_with("test_") || ["_test", ".test", ".spec"].iter().any(|end| lower.ends_with(end));
    let of_class = ["Test", "Tests"].iter().any(|end| stem.ends_with(end));
    let dirs = path.parent().into_iter().flat_map(Path::components);
    let in_tests =
        dirs.into_iter().any(|dir| ["test", "tests", "__tests__"].iter().any(|name| dir.as_os_str() == *name));
    of_name || of_class || lower == "conftest" || in_tests
}

impl ProgramFiles {
    /// Reads what each of the files refers to.
    pub fn new(files: Vec<ProgramFile>) -> Self {
        let index = Index::of(&files);
        let refers = (0..files.len()).map(|at| index.references(&files, at)).collect();
        let needs = names::needs(&files);
        Self { files, refers, needs }
    }

    /// The path of a file.
    pub fn path(&self, at: usize) -> &Path {
        &self.files[at].path
    }

    /// The programs of several files among files that lie beside each other: the file that starts, and all files. Each
    /// other file of them is not a program of its own. A file with a main is taken only by a file that is wanted, such as
    /// one called `main`; otherwise one program would take another.
    pub fn programs(&self, is_wanted: &dyn Fn(&Path) -> bool) -> Vec<(usize, Vec<usize>)> {
        let mut grouped = Vec::new();
        let mut taken: BTreeSet<usize> = BTreeSet::new();
        for entry in (0..self.files.len()).filter(|at| self.files[*at].is_source) {
            let is_wanted = is_wanted(self.path(entry));
            // Compiled together, two mains would not be a program.
            let is_loaded =
                matches!(module_system(self.path(entry)), Some(ModuleSystem::Python | ModuleSystem::Script));
            let runs = is_wanted || self.has_main(entry);
            // A file that asks whether it is started takes only files that cannot be.
            let may_take = |at: &usize| {
                *at == entry || (is_wanted && is_loaded) || !self.has_main(*at) && (runs || !self.can_start(*at))
            };
            // Kotlin and its like say nowhere which files belong together.
            let is_compiled = module_system(self.path(entry)) == Some(ModuleSystem::Compiled) && self.has_main(entry);
            let reached = if is_compiled { self.whole_program(entry) } else { self.program(entry) };
            let own: Vec<usize> = reached.into_iter().filter(may_take).collect();
            if own.len() > 1 && (runs || self.can_start(entry)) {
                taken.extend(own.iter().filter(|at| **at != entry));
                grouped.push((entry, own));
            }
        }
        grouped.retain(|(entry, _)| !taken.contains(entry));
        grouped
    }

    /// The files of the program that starts with a file: that file, and all to which they refer.
    pub(crate) fn program(&self, entry: usize) -> BTreeSet<usize> {
        reached(entry, |at| self.refers[at].iter().copied().collect())
    }

    /// The same with the files that define the names that these use. All files must be of one author.
    pub fn whole_program(&self, entry: usize) -> BTreeSet<usize> {
        reached(entry, |at| self.uses(at).into_iter().collect())
    }

    /// The files to which a file refers, or which define names that it uses. All files must be of one author.
    pub fn uses(&self, at: usize) -> BTreeSet<usize> {
        self.refers[at].union(&self.needs[at]).copied().collect()
    }

    /// Whether a file has code that starts by itself. A library has none.
    pub fn has_main(&self, at: usize) -> bool {
        let ProgramFile { path, text, is_source } = &self.files[at];
        *is_source && starts::has_main(path, text)
    }

    /// Whether a file does something if it is loaded. A file that it loads may do so.
    fn runs(&self, at: usize) -> bool {
        let is_loading = matches!(module_system(self.path(at)), Some(ModuleSystem::Python | ModuleSystem::Script));
        self.has_main(at) || (is_loading && self.program(at).iter().any(|loaded| self.has_main(*loaded)))
    }

    /// Whether a file does something if it is started.
    pub fn can_start(&self, at: usize) -> bool {
        self.runs(at) || starts::is_guarded(self.path(at), &self.files[at].text)
    }

    /// Whether a file loads others in a way that its text does not show.
    pub fn loads_dynamically(&self, at: usize) -> bool {
        let text = &self.files[at].text;
        ["importlib", "__import__", "runpy", "exec("].iter().any(|word| text.contains(word))
    }

    /// The file that starts: the one named like the problem (`is_named`), whatever loads it; or `main`; or the only
    /// one with a main that no other file of its language loads. A test does not start if anything else can.
    pub fn entry(&self, is_named: &dyn Fn(&Path) -> bool) -> StartFile {
        let sources = || (0..self.files.len()).filter(|at| self.files[*at].is_source);
        let is_named = |at: &usize| is_named(self.path(*at));
        let others: Vec<usize> = sources().filter(|at| is_named(at) || !is_test(self.path(*at))).collect();
        let sources = if others.is_empty() { sources().collect() } else { others };
        let loads = |other: usize, at: usize| other != at && self.refers[other].contains(&at) && self.is_kin(other, at);
        let is_root = |at: &usize| !sources.iter().any(|other| loads(*other, *at));
        let starts: Vec<usize> = sources.iter().copied().filter(|at| self.can_start(*at)).collect();
        let roots: Vec<usize> = sources.iter().copied().filter(is_root).collect();
        let of = |files: &[usize], wanted: &dyn Fn(&usize) -> bool| files.iter().copied().filter(wanted).collect();
        let mut open: Vec<usize> = of(&starts, &is_root);
        let runs: Vec<usize> = of(&open, &|at| self.runs(*at));
        // A file that runs when it is loaded is not a library. Files of other languages are other candidates.
        if !runs.is_empty() && open.iter().all(|at| self.is_kin(open[0], *at)) {
            open = runs;
        }
        let ranks: [Vec<usize>; 8] = [
            of(&starts, &is_named),
            of(&starts, &|at| is_main(self.path(*at))),
            of(&roots, &|at| is_main(self.path(*at))),
            open,
            starts,
            of(&sources, &is_named),
            roots,
            sources,
        ];
        match ranks.into_iter().find(|files| !files.is_empty()) {
            Some(files) if files.len() == 1 => StartFile::One(files[0]),
            files => StartFile::Unclear(files.unwrap_or_default()),
        }
    }

    /// All files in the order in which they use each other, those that are used first. `main` is the last.
    pub fn in_order(&self, main: usize) -> Vec<usize> {
        fn visit(files: &ProgramFiles, at: usize, seen: &mut BTreeSet<usize>, order: &mut Vec<usize>) {
            if seen.insert(at) {
                files.refers[at].iter().for_each(|used| visit(files, *used, seen, order));
                order.push(at);
            }
        }
        let mut seen = BTreeSet::from([main]);
        let mut order = Vec::new();
        (0..self.files.len()).for_each(|at| visit(self, at, &mut seen, &mut order));
        order.push(main);
        order
    }

    fn is_kin(&self, one: usize, other: usize) -> bool {
        is_same_language(self.path(one), self.path(other))
    }
}

/// The files that can be reached from a file.
fn reached(entry: usize, next: impl Fn(usize) -> Vec<usize>) -> BTreeSet<usize> {
    let mut whole = BTreeSet::from([entry]);
    let mut open = vec![entry];
    while let Some(at) = open.pop() {
        open.extend(next(at).into_iter().filter(|other| whole.insert(*other)));
    }
    whole
}

/// Whether a file is called `main`.
pub fn is_main(path: &Path) -> bool {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    // Programs for Node start with `index.js`.
    let is_script =
        || path.extension().is_some_and(|ending| ["js", "mjs", "cjs", "ts"].iter().any(|known| ending == *known));
    ["main", "__main__"].iter().any(|main| stem.eq_ignore_ascii_case(main)) || stem == "index" && is_script()
}

/// The files by their names.
struct Index {
    paths: BTreeMap<PathBuf, usize>,
    /// By the last part of the path.
    names: BTreeMap<String, Vec<usize>>,
    /// By the last part without its ending.
    stems: BTreeMap<String, Vec<(PathBuf, usize)>>,
    /// The same in small letters.
    folded: BTreeMap<String, Vec<(PathBuf, usize)>>,
}

impl Index {
    fn of(files: &[ProgramFile]) -> Self {
        let mut index =
            Self { paths: BTreeMap::new(), names: BTreeMap::new(), stems: BTreeMap::new(), folded: BTreeMap::new() };
        for (at, file) in files.iter().enumerate() {
            index.paths.insert(file.path.clone(), at);
            let text = |name: Option<&std::ffi::OsStr>| name.and_then(|name| name.to_str()).map(str::to_owned);
            if let Some(name) = text(file.path.file_name()) {
                index.names.entry(name).or_default().push(at);
            }
            if let Some(stem) = text(file.path.file_stem()) {
                index.folded.entry(stem.to_ascii_lowercase()).or_default().push((file.path.clone(), at));
                index.stems.entry(stem).or_default().push((file.path.clone(), at));
            }
        }
        index
    }

    fn references(&self, files: &[ProgramFile], at: usize) -> BTreeSet<usize> {
        let ProgramFile { path, text, .. } = &files[at];
        let dir = path.parent().unwrap_or(Path::new(""));
        let system = module_system(path);
        let mut found = BTreeSet::new();
        match system {
            Some(ModuleSystem::Python) => {
                for module in &mentions::imports(text) {
                    self.module(module, dir, &mut found);
                }
            }
            Some(ModuleSystem::C) => self.includes(text, dir, &mut found),
            Some(ModuleSystem::Rust) => self.modules(text, dir, &mut found),
            Some(ModuleSystem::Script) => self.loaded(text, path, &mut found),
            Some(ModuleSystem::Compiled | ModuleSystem::Followed) => {
                let lines = text.lines().filter(|line| !is_comment(line));
                found.extend(lines.flat_map(plain_words).flat_map(|(word, _)| self.with_stem(word, path)));
            }
            None => {}
        }
        // A file that is named in full, such as data or a script.
        if system.is_some_and(|system| system != ModuleSystem::C) {
            for line in text.lines().filter(|line| !is_comment(line)) {
                let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '+');
                for name in line.split(|c| !is_part(c)).filter(|name| name.contains('.')) {
                    found.extend(self.names.get(name.trim_start_matches('.')).into_iter().flatten());
                }
            }
        }
        // The implementation of an included header.
        if system == Some(ModuleSystem::C) {
            let stems: Vec<PathBuf> = found.iter().map(|header| files[*header].path.with_extension("")).collect();
            let implements = |file: &ProgramFile| {
                file.is_source
                    && module_system(&file.path) == Some(ModuleSystem::C)
                    && stems.contains(&file.path.with_extension(""))
            };
            found.extend((0..files.len()).filter(|other| implements(&files[*other])));
        }
        found.remove(&at);
        found
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
        for included in mentions::includes(text).filter(|included| included.is_quoted) {
            let path = normal(&dir.join(included.name));
            found.extend(self.paths.get(&path).or_else(|| self.paths.get(Path::new(included.name))));
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
        // Several statements may share a line.
        for statement in text.lines().filter(|line| !is_comment(line)).flat_map(|line| line.split(';')) {
            let named = plain_words(statement).filter(|(word, _)| LOAD.contains(word)).last();
            if let Some((_, rest)) = named {
                found.extend(plain_words(rest).flat_map(|(word, _)| self.with_stem(word, path)));
            }
        }
    }

    /// The files with this stem in the language of `path`. Modules of OCaml and units of Pascal may differ in case.
    fn with_stem<'a>(&'a self, stem: &str, path: &'a Path) -> impl Iterator<Item = usize> + 'a {
        let folds = matches!(family(path), Some(Family::OCaml | Family::Pascal));
        let folded = folds.then(|| stem.to_ascii_lowercase());
        let same = folded.map_or_else(|| self.stems.get(stem), |folded| self.folded.get(&folded));
        let same = same.into_iter().flatten();
        same.filter(|(known, _)| is_same_language(known, path)).map(|(_, at)| *at)
    }
}

/// A path without `.` and, as far as possible, without `..`.
pub fn normal(path: &Path) -> PathBuf {
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

/// The words of a text, each with the text behind it.
fn plain_words(text: &str) -> impl Iterator<Item = (&str, &str)> {
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

/// The open string and brackets at the end of a line of Python. A line within them begins no statement.
#[derive(Debug, Default)]
pub struct PythonPlace {
    /// The quotes that end the open string.
    string: Option<&'static str>,
    brackets: usize,
    /// Whether the last line ends with a backslash.
    continues: bool,
}

impl PythonPlace {
    /// Whether a line here begins a statement.
    pub fn begins_statement(&self) -> bool {
        self.string.is_none() && self.brackets == 0 && !self.continues
    }

    /// Reads a line.
    pub fn pass(&mut self, line: &str) {
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
    fn names_are_followed() {
        let whole = |texts: &[(&str, &str)]| {
            let files = files(texts);
            let whole: Vec<_> = files.whole_program(0).into_iter().map(|at| texts[at].0).collect();
            whole.join(" ")
        };
        let java = [
            ("Sum.java", "class Sum { void main() { new Ring(); String s = \"Old\"; } }"),
            ("Shapes.java", "class Ring {}"),
        ];
        assert_eq!(
            whole(&[java[0], java[1], ("SumTest.java", "class SumTest { @Test void t() { new Sum(); } }")]),
            "Sum.java Shapes.java"
        );
        // Two programs with a class of the same name are not compiled together.
        assert_eq!(
            whole(&[("A.java", "class A { Node n; } class Node {}"), ("B.java", "class B {} class Node {}")]),
            "A.java"
        );
        let go = ("sum.go", "package main\nfunc main() { sort.Sort(byAge(x)) }");
        let less = ("less.go", "package main\nfunc (a byAge) Less(i, j int) bool { return true }");
        let test = ("sum_test.go", "package main\nfunc TestSum(t *testing.T) { main() }\nvar cases = []int{}");
        assert_eq!(whole(&[go, less, test]), "sum.go less.go");
        let kotlin = ("sum.kt", "fun main() { println(listOf(1).total()) }");
        let extension = ("x.kt", "fun <T> List<T>.total(): Int = 3\nclass X { fun main() {} }");
        assert_eq!(whole(&[kotlin, extension, ("t.kt", "class SumTest { @Test fun println() {} }")]), "sum.kt x.kt");
        let main = ("main.cpp", "namespace a { int half(int); }\nextern int n;\nint main() { a::half(n); }");
        let half = ("half.cpp", "#define X {\nnamespace a {\nint half(int x) { return x / 2; }\n}");
        let test = ("t.cpp", "#include <gtest/gtest.h>\nint half(int);\nTEST(Half, Works) { half(3); }");
        assert_eq!(whole(&[main, half, ("n.cpp", "int n = 3, m[4];"), test]), "main.cpp half.cpp n.cpp");
    }

    #[test]
    fn the_file_that_starts() {
        const TEST: &str = "import unittest\nfrom sum import f\nif __name__ == '__main__': unittest.main()\n";
        const RUNS: &str = "print(int(input()))\n";
        const LIBRARY: &str =
            "\"\"\"Words.\"\"\"\nimport sys\nN = 3\n\ndef f():\n    print(3)\n\nif __name__ == '__main__':\n    f()\n";
        let entry = |texts: &[(&str, &str)]| match files(texts).entry(&|path| path.starts_with("sum.py")) {
            StartFile::One(at) => texts[at].0.to_owned(),
            StartFile::Unclear(several) => several.len().to_string(),
        };
        assert_eq!(entry(&[("a.py", RUNS), ("sum.py", RUNS)]), "sum.py");
        assert_eq!(entry(&[("a.py", RUNS), ("main.py", RUNS)]), "main.py");
        assert_eq!(entry(&[("main.py", "from sum import f\nf()"), ("sum.py", LIBRARY)]), "sum.py");
        assert_eq!(entry(&[("main.py", "from sum import f\nf()"), ("sum.py", "def f(): print(3)")]), "main.py");
        for other in ["test_sum.py", "demo.py", "conftest.py", "stress.py"] {
            assert_eq!(entry(&[(other, TEST), ("sum.py", LIBRARY)]), "sum.py");
        }
        assert_eq!(entry(&[("test_a.py", "import a\na.f()"), ("a.py", RUNS)]), "a.py");
        assert_eq!(entry(&[("run.sh", "python3 a.py"), ("a.py", RUNS)]), "2");
        assert_eq!(entry(&[("run.sh", "python3 sum.py"), ("sum.py", RUNS)]), "sum.py");
        assert_eq!(entry(&[("a.pas", "unit a;"), ("b.pas", "{ program } program b;\nuses a;")]), "b.pas");
        assert_eq!(
            entry(&[
                ("A.java", "class A { B b; }"),
                ("B.java", "void main(String[] x) { A a; }"),
                ("C.java", "class C {}")
            ]),
            "B.java"
        );
        assert_eq!(
            entry(&[("a.go", "package main\nfunc f() {}"), ("b.go", "package main\nfunc main() { f() }")]),
            "b.go"
        );
        assert_eq!(entry(&[("a.py", RUNS), ("lib.py", LIBRARY)]), "a.py");
        assert_eq!(entry(&[("a.py", "import lib\n"), ("lib.py", RUNS)]), "a.py");
        assert_eq!(entry(&[("a.py", RUNS), ("b.py", RUNS)]), "2");
        assert_eq!(entry(&[("a.cpp", "int main () {}"), ("b.cpp", "int domain(int);")]), "a.cpp");
        assert_eq!(entry(&[("a.cpp", "int main() {}"), ("b.cpp", "int main(void) {}")]), "2");
    }
}
