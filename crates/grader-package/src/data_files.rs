//! Finds the data files that the source of a program names: `open("../inputs/01.txt")`, `words.txt`. A source is not
//! parsed: a data file is a string that is its path.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;

use crate::naming;
use crate::patterns::compiled;
use crate::program_files::normal;
use crate::program_input;
use crate::puzzle;

/// The extensions of data. The empty one means none.
const ENDINGS: &[&str] = &["txt", "in", "dat", "data", "csv", "input", "text", ""];

/// Stems of files that are not data.
const NO_DATA: &[&str] = &[
    "readme",
    "license",
    "makefile",
    "requirements",
    "dockerfile",
    "procfile",
    "cmakelists",
    "notes",
    "gradlew",
    "mvnw",
    "justfile",
    "gemfile",
    "rakefile",
];

/// Stems of files that programs read besides their input.
const NO_INPUT: &[&str] = &[
    "session",
    "token",
    "cookie",
    "cookies",
    "secret",
    "secrets",
    "password",
    "passwords",
    "credentials",
    "config",
    "log",
    "logs",
    "todo",
    "changelog",
    "settings",
];

/// The most folders that a source names in which its data may be.
const MOST_FOLDERS: usize = 20;

/// The text after the name of a file that a program writes, without the quote and the spaces.
const WRITTEN_AFTER: &[&str] = &[",\"w", ",'w", ",\"a", ",'a", ",mode=\"w", ",mode='w", ").write_text"];
/// The text before the name of such a file.
const WRITTEN_BEFORE: &[&str] =
    &["ofstream", "File::create(", "writeFile", "FileWriter(", "WriteFile(", "os.Create(", "PrintWriter("];

/// A data file that a source names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataFile {
    /// The name as written.
    pub name: PathBuf,
    /// The file. None if it is not there.
    pub path: Option<PathBuf>,
}

/// Whether the name of a file may be that of data.
pub fn names_data(name: &str) -> bool {
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    let ending = &*ending.to_ascii_lowercase();
    let is_known = ENDINGS.contains(&ending) || ["out", "ans"].contains(&ending);
    is_known && !name.starts_with('.') && !NO_DATA.contains(&&*stem.to_lowercase())
}

impl DataFile {
    /// Whether it is there and may be the input of the program.
    pub fn is_input(&self) -> bool {
        let stem = self.name.file_stem().map(|stem| stem.to_string_lossy().to_lowercase());
        self.path.is_some() && !stem.is_some_and(|stem| NO_INPUT.contains(&&*stem))
    }
}

/// The data files that a source in `dir` reads, in the order of its text. They are looked up there and in the folders
/// above, not above `top`; without a top, only in `dir`. Answers and what a program writes do not count.
pub fn named_in(text: &str, dir: &Path, top: Option<&Path>) -> Vec<DataFile> {
    let top = top.filter(|top| dir.starts_with(top)).unwrap_or(dir);
    let may_be_read = |name: &&str| {
        let file = Path::new(name).file_name().and_then(|file| file.to_str()).unwrap_or_default();
        let is_path = !name.contains(|c: char| " {}%$\\<>:|()\t".contains(c)) && !name.ends_with('/');
        is_path && names_data(file) && !puzzle::names_answer(file) && is_read(text, name)
    };
    let strings = strings(text);
    let mut names: Vec<&str> = strings.iter().copied().filter(may_be_read).collect();
    names.sort_by_key(|name| text.find(name));
    let bases: Vec<&Path> = dir.ancestors().take_while(|base| base.starts_with(top)).collect();
    // `Path(__file__).parent.parent / "inputs" / "01.txt"`.
    let is_folder = |folder: &&Path| folder.is_relative() && !folder.starts_with("..");
    let folders: Vec<PathBuf> = bases
        .iter()
        .flat_map(|base| strings.iter().map(Path::new).filter(is_folder).map(|folder| normal(&base.join(folder))))
        .filter(|folder| folder != dir && folder.is_dir())
        .take(MOST_FOLDERS)
        .collect();
    let found = names.into_iter().filter_map(|name| {
        let places = bases.iter().copied().chain(folders.iter().map(PathBuf::as_path));
        let path = places.into_iter().find_map(|base| at(base, name, top));
        // A word without an ending is the name of a file only if there is one.
        let is_name = || Path::new(name).extension().is_some() && !Path::new(name).is_absolute();
        (path.is_some() || is_name()).then(|| DataFile { name: name.into(), path })
    });
    found.collect()
}

/// A name in a string with one piece that changes: `input{n}.txt`, `input%d.txt`, `input${n}.txt`.
static HOLE: LazyLock<Option<Regex>> =
    LazyLock::new(|| compiled(r"^(?P<before>[\w./-]+?)(?:[$#]?\{[^{}]*\}|%0?\d*[dsv])(?P<after>[\w.-]*\.\w+)$"));
/// Such a name in two strings: `"input" + str(n) + ".txt"`.
static GLUED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let joint = r"\s*(?:\+{1,2}|\.{1,2}|<>)\s*";
    compiled(&format!(
        r#"["'`](?P<before>[\w./-]*\w)["'`]{joint}[^"'`\n]{{1,40}}?{joint}["'`](?P<after>[\w.-]*\.\w+)["'`]"#
    ))
});

/// Words before the number of a day. A program reads the input of its own day only.
const DAYS: &[&str] = &["day", "d", "aoc"];

/// The data files in `dir` whose names a source puts together around one piece that changes: `input1.txt` to `input3.txt`
/// for `f"input{n}.txt"`, in order. None if the program gets the piece as an argument or from standard input.
pub fn composed_in(text: &str, dir: &Path) -> Vec<DataFile> {
    if program_input::reads_what_it_gets(text) {
        return Vec::new();
    }
    let holes = strings(text).into_iter().filter_map(|name| HOLE.as_ref()?.captures(name));
    let glued = GLUED.as_ref().into_iter().flat_map(|glued| glued.captures_iter(text));
    let mut found = BTreeSet::new();
    for name in holes.chain(glued) {
        let before = &name["before"];
        let after = &name["after"];
        let (folder, prefix) = before.rsplit_once('/').map_or(("", before), |(folder, prefix)| (folder, prefix));
        let is_of_days = puzzle::words(prefix).last().is_none_or(|word| DAYS.contains(&&**word));
        if is_of_days || !prefix.contains(char::is_alphabetic) {
            continue;
        }
        let is_meant = |file: &str| {
            let piece = file.strip_prefix(prefix).and_then(|rest| rest.strip_suffix(after));
            let is_piece = |piece: &str| !piece.is_empty() && piece.chars().all(char::is_alphanumeric);
            piece.is_some_and(is_piece) && names_data(file) && !puzzle::names_answer(file)
        };
        let files = naming::names_in(&normal(&dir.join(folder)));
        let meant: Vec<PathBuf> =
            files.iter().filter(|file| is_meant(file)).map(|file| Path::new(folder).join(file)).collect();
        if meant.len() > 1 {
            found.extend(meant);
        }
    }
    found.into_iter().map(|name| DataFile { path: Some(normal(&dir.join(&name))), name }).collect()
}

/// The names of the data files that a source only writes.
pub(super) fn written_in(text: &str) -> impl Iterator<Item = &str> {
    let is_written = |name: &&str| Path::new(name).extension().is_some() && !is_read(text, name);
    strings(text).into_iter().filter(is_written).filter_map(|name| Path::new(name).file_name()?.to_str())
}

/// The file with a relative name in `base`, unless it is hidden or not below `top`.
fn at(base: &Path, name: &str, top: &Path) -> Option<PathBuf> {
    let is_plain = |part| match part {
        Component::Normal(name) => !name.as_encoded_bytes().starts_with(b"."),
        Component::CurDir | Component::ParentDir => true,
        Component::RootDir | Component::Prefix(_) => false,
    };
    let path = normal(&base.join(name));
    let is_meant = Path::new(name).components().all(is_plain) && path.starts_with(top) && path.is_file();
    // A link may lead elsewhere. A target that cannot be resolved does not exist.
    let inside = || path.canonicalize().ok()?.starts_with(top.canonicalize().ok()?).then_some(());
    (is_meant && inside().is_some()).then_some(path)
}

/// Whether a source reads the file with a name at least once, as far as the words around the name show.
fn is_read(text: &str, name: &str) -> bool {
    let mut places = text.match_indices(name).filter(|(at, _)| {
        // Not the end of another name.
        !text[..*at].ends_with(|before: char| before.is_alphanumeric() || "/._-".contains(before))
    });
    places.any(|(at, _)| {
        let after: String =
            text[at + name.len()..].chars().skip(1).filter(|c| !c.is_whitespace()).take(WORDS_AROUND).collect();
        let before: String = text[..at].chars().rev().take(WORDS_AROUND).collect();
        let before: String = before.chars().rev().collect();
        !WRITTEN_AFTER.iter().any(|word| after.starts_with(word))
            && !WRITTEN_BEFORE.iter().any(|word| before.contains(word))
    })
}

/// How many characters around a name say what is done with the file.
const WORDS_AROUND: usize = 24;

/// The strings of a source that may be paths. Looks only for quotes, so that it needs no grammar of a language.
pub(super) fn strings(text: &str) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    for line in text.lines() {
        for quote in ['"', '\'', '`'] {
            // Between any two quotes may be a string.
            let parts = line.split(quote).skip(1);
            found.extend(parts.filter(|part| !part.is_empty() && part.len() < 200 && !part.contains(['*', '\0'])));
        }
        // `//go:embed input.txt` has no quotes.
        found.extend(line.strip_prefix("//go:embed ").into_iter().flat_map(str::split_whitespace));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_of_a_source() {
        let text = "f = open('data/x.txt')\nlet t = include_str!(\"../input.txt\");\n//go:embed in.txt\n";
        let found = strings(text);
        assert!(["data/x.txt", "../input.txt", "in.txt"].iter().all(|name| found.contains(name)), "{found:?}");
    }

    #[test]
    fn names_that_sources_put_together() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["input1.txt", "input2.txt", "input2.ans", "day01.txt", "day02.txt", "in/q_p1.txt", "in/q_p2.txt"] {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        for (text, expect) in [
            ("open(f'input{n}.txt')", &["input1.txt", "input2.txt"][..]),
            ("open('input%d.txt' % n)", &["input1.txt", "input2.txt"]),
            ("open('input' + str(n) + '.txt')", &["input1.txt", "input2.txt"]),
            ("fs.readFileSync(`in/q_p${n}.txt`)", &["in/q_p1.txt", "in/q_p2.txt"]),
            ("open(f'input{sys.argv[1]}.txt')", &[]),
            ("n = input()\nopen(f'input{n}.txt')", &[]),
            ("open(f'day{n:02}.txt')", &[]),
            ("open(f'{n:02}.txt')", &[]),
            ("open(f'input{n}1.txt')", &[]),
        ] {
            let found: Vec<PathBuf> = composed_in(text, dir.path()).into_iter().map(|file| file.name).collect();
            assert_eq!(found, expect.iter().map(PathBuf::from).collect::<Vec<_>>(), "{text}");
        }
    }

    #[test]
    fn data_that_sources_read() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        for (name, text) in [("2023/day01/x.py", ""), ("in/01.txt", ""), ("2023/data", ""), (".hidden/a.txt", "")] {
            std::fs::create_dir_all(at(name).parent().unwrap()).unwrap();
            std::fs::write(at(name), text).unwrap();
        }
        std::os::unix::fs::symlink("/etc/passwd", at("passwd.txt")).unwrap();
        let found = |text: &str, top: Option<&Path>| -> Vec<String> {
            let shown = |file: DataFile| match file.path {
                Some(path) => path.strip_prefix(dir.path()).unwrap().display().to_string(),
                None => format!("no {}", file.name.display()),
            };
            named_in(text, &at("2023/day01"), top).into_iter().map(shown).collect()
        };
        for (text, expect) in [
            ("open('../../in/01.txt')", &["in/01.txt"][..]),
            ("open(\"in/01.txt\").read()", &["in/01.txt"]),
            ("open('../data')", &["2023/data"]),
            ("open('b.txt'); open('../../in/01.txt')", &["no b.txt", "in/01.txt"]),
            ("open('../../.hidden/a.txt')", &["no ../../.hidden/a.txt"]),
            ("open('../../passwd.txt')", &["no ../../passwd.txt"]),
            ("open('../../../x.txt'); open('/etc/passwd')", &["no ../../../x.txt"]),
            ("open('../../in/01.txt', 'w')", &[]),
            ("std::ofstream out(\"../../in/01.txt\");", &[]),
            ("x = '../../in/01.txt'\nopen(x)\nopen('../../in/01.txt', \"w\")", &["in/01.txt"]),
            ("open('answer.txt'); print('a text with words.txt')", &[]),
        ] {
            assert_eq!(found(text, Some(dir.path())), expect, "{text}");
        }
        assert_eq!(found("open('../data'); open('../x.txt')", None), ["no ../x.txt"]);
    }
}
