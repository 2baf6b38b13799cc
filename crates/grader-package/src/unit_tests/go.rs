//! Unit tests in Go: functions of the package `testing`. They run in the process of the solution, which imports only packages that
//! keep it from the report: Go is safe for memory, so a solution without files, processes, `reflect` and `unsafe` cannot reach what
//! the runner holds.

use std::path::Path;

use super::{FOLDER, Named, Programs, Runner, TestFiles, Unfit, UnitTest, UnknownTest, line_of, points_at};
use crate::driver;

pub(super) const ROW: Runner = Runner {
    code: "go",
    language: "Go",
    endings: &["go"],
    is_name: |name| name.ends_with("_test.go"),
    tests_in,
    programs,
    refusal: |files, _| refusal(files),
    example: "func TestMean(t *testing.T) { … }",
    library: "testing",
};

/// The module of the solution, if its tests are in the package of the solution and need no path.
const MODULE: &str = "solution.invalid/solution";
/// The version of the language, unless the teacher's go.mod states one. The oldest with type parameters.
const VERSION: &str = "1.18";

/// The packages that a solution may import: they open no file, start no process, and give no pointer that is not safe.
const IMPORTS: &[&str] = &[
    "bufio",
    "bytes",
    "cmp",
    "container/heap",
    "container/list",
    "container/ring",
    "context",
    "crypto/md5",
    "crypto/sha1",
    "crypto/sha256",
    "crypto/sha512",
    "encoding/base32",
    "encoding/base64",
    "encoding/binary",
    "encoding/csv",
    "encoding/hex",
    "encoding/json",
    "encoding/xml",
    "errors",
    "fmt",
    "hash",
    "hash/adler32",
    "hash/crc32",
    "hash/crc64",
    "hash/fnv",
    "hash/maphash",
    "html",
    "io",
    "iter",
    "log",
    "maps",
    "math",
    "math/big",
    "math/bits",
    "math/cmplx",
    "math/rand",
    "math/rand/v2",
    "path",
    "regexp",
    "slices",
    "sort",
    "strconv",
    "strings",
    "sync",
    "sync/atomic",
    "text/tabwriter",
    "time",
    "unicode",
    "unicode/utf16",
    "unicode/utf8",
];

/// The endings of files that `go build` compiles or links beside those in Go.
const FOREIGN: &[&str] =
    &["c", "cc", "cpp", "cxx", "f", "f90", "for", "h", "hh", "hpp", "hxx", "m", "s", "swig", "swigcxx", "sx", "syso"];

/// The package and the imports at the beginning of a file.
struct Header<'t> {
    package: &'t str,
    /// The paths of the imports.
    imports: Vec<&'t str>,
}

/// The words of the beginning of a file in Go.
struct Words<'t> {
    rest: &'t str,
}

impl<'t> Iterator for Words<'t> {
    type Item = &'t str;

    /// A name, a text with its quotes, a sign, or a line end. A text with escapes or without an end is a sign, its quote.
    fn next(&mut self) -> Option<&'t str> {
        loop {
            self.rest = self.rest.trim_start_matches([' ', '\t', '\r']);
            if self.rest.starts_with("//") {
                self.rest = &self.rest[self.rest.find('\n').unwrap_or(self.rest.len())..];
            } else if let Some(comment) = self.rest.strip_prefix("/*") {
                self.rest = comment.split_once("*/")?.1;
            } else {
                break;
            }
        }
        let first = self.rest.chars().next()?;
        let is_part = |c: char| c == '_' || c.is_alphanumeric();
        let length = if is_part(first) {
            self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len())
        } else if first == '"' || first == '`' {
            let end = self.rest[1..].find([first, '\n', '\\']).filter(|at| self.rest[at + 1..].starts_with(first));
            end.map_or(1, |end| end + 2)
        } else {
            first.len_utf8()
        };
        let (word, rest) = self.rest.split_at(length);
        self.rest = rest;
        Some(word)
    }
}

/// Reads the package and the imports, which come before everything else in a file in Go. None if this does not look like such
/// a file.
fn header(text: &str) -> Option<Header<'_>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut words = Words { rest: text }.filter(|word| !matches!(*word, "\n" | ";")).peekable();
    let package = words.next().filter(|word| *word == "package").and_then(|_| words.next())?;
    let mut imports = Vec::new();
    while words.next_if_eq(&"import").is_some() {
        let is_list = words.next_if_eq(&"(").is_some();
        while words.peek().is_some_and(|word| !is_list || *word != ")") {
            let path = words.next().filter(|word| word.starts_with(['"', '`'])).or_else(|| words.next())?;
            imports.push(path.strip_prefix(['"', '`'])?.strip_suffix(['"', '`'])?);
            if !is_list {
                break;
            }
        }
        if is_list {
            words.next_if_eq(&")")?;
        }
    }
    // Whatever comes next has to be known, or an import might hide behind it.
    let is_known = |word: &&str| matches!(*word, "func" | "type" | "var" | "const");
    (words.peek().is_some_and(is_known) || words.next().is_none()).then_some(Header { package, imports })
}

/// Why a solution cannot be in the process of the tests.
fn refusal(files: &[(&Path, String)]) -> Option<String> {
    let is_go = |name: &Path| name.extension().is_some_and(|ending| ending == "go") && name.components().count() == 1;
    let mut own =
        files.iter().filter(|(name, _)| is_go(name) && !name.to_string_lossy().ends_with("_test.go")).peekable();
    if let Some((name, _)) = own.peek().copied()
        && own.all(|(_, text)| header(text).is_some_and(|header| header.package == "main"))
    {
        let why = "says `package main`, which is a program: tests import a package. Name it as the exercise says, and leave out `main`";
        return Some(format!("{}: {why}", name.display()));
    }
    files.iter().find_map(|(name, text)| {
        let ending = name.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        let is_at_top = name.parent().is_none_or(|dir| dir.as_os_str().is_empty());
        let refused = |why: &str| Some(format!("{}: {why}", name.display()));
        if FOREIGN.contains(&&*ending) || name.starts_with("vendor") || *name == Path::new("go.work") {
            return refused("a solution in Go has only files in Go here");
        }
        // `go build` leaves out the tests of the solution, and packages that nothing imports.
        if !is_at_top || !matches!(&*ending, "go" | "") || name.to_string_lossy().ends_with("_test.go") {
            return None;
        }
        let Some(header) = header(text) else { return refused("no file in Go: it begins with no package and imports") };
        let other = header.imports.iter().find(|import| !IMPORTS.contains(import))?;
        refused(&format!("imports `{other}`; the solution of unit tests imports only {}", IMPORTS.join(", ")))
    })
}

/// The tests of a file, in its order: the functions `TestMean(t *testing.T)`.
fn tests_in(text: &str) -> Result<Vec<UnitTest>, UnknownTest> {
    let lines: Vec<&str> = text.lines().collect();
    let mut tests: Vec<UnitTest> = Vec::new();
    for line in &lines {
        let Some((name, rest)) = line.strip_prefix("func ").and_then(|rest| rest.split_once('(')) else { continue };
        let is_test = name.strip_prefix("Test").is_some_and(|rest| !rest.starts_with(char::is_lowercase));
        if !is_test || !driver::is_identifier(name) || !rest.contains("*testing.T)") {
            continue;
        }
        let at = line_of(text, line);
        if tests.iter().any(|test| test.name == name) {
            return Err(UnknownTest { line: at });
        }
        let points = points_at(&lines, at, &tests);
        tests.push(UnitTest::new(name.to_owned(), name.to_owned(), points));
    }
    Ok(tests)
}

/// The files of a module whose main package runs a test. Those of the teacher become a package of their own beside that of the
/// solution, so that neither sees what the other keeps to itself.
fn programs(files: &TestFiles<'_>) -> Result<Programs, Unfit> {
    let unfit = |message: String, remedy| Err(Unfit { message, remedy });
    let Some(own) = header(files.text) else {
        return unfit("the file begins with no package and imports".to_owned(), "write `package stats_test`");
    };
    let package = own.package.strip_suffix("_test").unwrap_or(own.package);
    let is_outside = own.package != package;
    let named = own.imports.iter().copied().find(|path| path.rsplit('/').next() == Some(package) && is_outside);
    let module = match named {
        Some(module) => module,
        None if is_outside => {
            let message = format!("the tests in `{}` import no package `{package}`", own.package);
            return unfit(message, "import it by the path of its module: import \"example.com/stats\"");
        }
        None => MODULE,
    };
    if files.text.contains("func TestMain(") {
        return unfit("`TestMain` is not called: each test runs alone".to_owned(), "set up in the tests");
    }
    let mut beside: Vec<Named> = Vec::new();
    let mut version = VERSION;
    let own = (files.name, files.text.as_bytes());
    for (name, bytes) in [own].into_iter().chain(files.beside.iter().map(|(name, bytes)| (&**name, &**bytes))) {
        let text = std::str::from_utf8(bytes).unwrap_or_default();
        if name == "go.mod" {
            version = text.lines().find_map(|line| line.strip_prefix("go ")).map_or(version, str::trim);
        } else if Path::new(name).extension().is_some_and(|ending| ending == "go") && !name.contains('/') {
            let Some(header) = header(text) else {
                return unfit(format!("{name} begins with no package and imports"), "write `package stats_test`");
            };
            if let Some(other) = header.imports.iter().find(|path| path.contains('.') && **path != module) {
                return unfit(format!("{name} imports `{other}`"), "import only Go's own packages and the solution");
            }
            beside.push((format!("{FOLDER}/tests/{}", name.replace("_test.go", ".go")), moved(name, text, &header)));
        } else if name != "go.sum" {
            beside.push((format!("{FOLDER}/tests/{name}"), bytes.to_vec()));
        }
    }
    let filled = |text: &str| {
        let all: Vec<String> = files.tests.iter().map(|test| format!("{0:?}: tests.{0},", test.name)).collect();
        text.replace("@MODULE@", module)
            .replace("@PACKAGE@", package)
            .replace("@TESTS@", &all.join("\n\t"))
            .into_bytes()
    };
    beside.push(("go.mod".to_owned(), format!("module {module}\n\ngo {version}\n").into_bytes()));
    for &(name, text) in driver::UNITS_IN_GO {
        beside.push((name.to_owned(), filled(text)));
    }
    Ok(Programs { judge: driver::judging_units(), beside })
}

/// A file of the teacher in the package of the tests, with its own line numbers. A file in the package of the solution imports it.
fn moved(name: &str, text: &str, header: &Header<'_>) -> Vec<u8> {
    let is_outside = header.package.ends_with("_test");
    let start = header.package.as_ptr() as usize - text.as_ptr() as usize;
    let (before, after) = (&text[..start], &text[start + header.package.len()..]);
    let (import, used) = if is_outside { ("", "") } else { ("; import . \"@MODULE@\"", "\nvar _ GraderUnits\n") };
    let moved = format!("//line {name}:1\n{before}tests{import}{after}{used}");
    moved.replace("@MODULE@", MODULE).into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_functions_of_testing() {
        let text = "package stats_test\n\n// points: 3\nfunc TestMean(t *testing.T) {\n}\nfunc Testing(t *testing.T) {}\nfunc Test_x(t *testing.T) { // points: 2.5\n}\nfunc TestMain(m *testing.M) {}\nfunc BenchmarkMean(b *testing.B) {}\n\tfunc TestInside(t *testing.T)\n";
        let found: Vec<(String, f64)> =
            tests_in(text).unwrap().into_iter().map(|test| (test.name, test.points)).collect();
        assert_eq!(found, [("TestMean".to_owned(), 3.0), ("Test_x".to_owned(), 2.5)]);
    }

    #[test]
    fn imports_cannot_hide() {
        let refused = |text: &str| refusal(&[(Path::new("a.go"), text.to_owned())]).is_some();
        for text in [
            "package a\n",
            "\u{feff}// c\npackage a; import \"fmt\"; import (s \"sort\"\n_ `strings`; . \"math\")\nfunc F() {}",
            "package /* x */ a /* import \"os\" */\nimport ()\n// import \"os\"\nvar text = `\nimport \"os\"\n`\n",
        ] {
            assert!(!refused(text), "{text}");
        }
        for text in [
            "package a\nimport \"os\"\n",
            "package a;import/**/_/**/\"unsafe\"",
            "package a\nimport (\"fmt\"; x `os`)\n",
            "package a\nimport \"fmt\" /* \n */ import \"os\"\n",
            "package a\nimport \"o\\x73\"\n",
            "package a\nimport \"C\"\n",
            "package a\nimport \"fmt\"\n@\nimport \"os\"\n",
            "import \"fmt\"\n",
        ] {
            assert!(refused(text), "{text}");
        }
        assert!(refusal(&[(Path::new("a.s"), String::new())]).is_some());
        assert_eq!(refusal(&[(Path::new("a_test.go"), "package a\nimport \"os\"".to_owned())]), None);
    }
}
