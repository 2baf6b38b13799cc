//! Recognises a program that has the ending of another language or none, and one in another encoding, by its text.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::sync::LazyLock;

use regex::{Regex, bytes};

use super::members::may_list_authors;
use crate::compile::beginning;
use crate::program_files::LARGEST;

/// A language that is recognised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct KnownLanguage {
    /// Its name.
    pub(super) name: &'static str,
    /// The ending of its programs.
    pub(super) ending: &'static str,
}

/// A language, and two forms of its programs: the beginning after comments, and text that they contain.
type Form = (KnownLanguage, Regex, Regex);

static FORMS: LazyLock<[Form; 3]> = LazyLock::new(|| {
    let comments = r"\A\u{feff}?(?:\s+|//.*|/\*(?s:.*?)\*/)*";
    [
        ("C++", "cpp", r#"#include\s*[<"]"#, r"std::|using namespace|<iostream>|<bits/|<vector>|<string>"),
        ("C", "c", r#"#include\s*[<"]"#, r"\bmain\s*\("),
        (
            "Java",
            "java",
            r"(?:import\s+[\w.*]+;|package\s+[\w.]+;|(?:public\s+|final\s+)*class\s)",
            r"\bstatic\s+void\s+main\b",
        ),
    ]
    .map(|(name, ending, beginning, content)| {
        let form = |form: &str| Regex::new(form).expect("the forms of programs are valid");
        (KnownLanguage { name, ending }, form(&format!("{comments}{beginning}")), form(content))
    })
});

/// The endings of files that hold something else if their text is one of [`FORMS`].
const ENDINGS: [&str; 6] = ["txt", "py", "js", "rb", "sh", "java"];

/// The language of a file that its ending does not say; none if it is not recognised.
pub(super) fn other_language(path: &Path) -> Option<KnownLanguage> {
    let ending = path.extension()?.to_str()?.to_ascii_lowercase();
    if !ENDINGS.contains(&&*ending) {
        return None;
    }
    let text = beginning(path)?;
    let is_it = |(_, beginning, content): &&Form| beginning.is_match(&text) && content.is_match(&text);
    FORMS.iter().find(is_it).map(|(language, ..)| *language).filter(|language| language.ending != ending)
}

/// The fewest words of a text in sentences. Shorter files may be programs: `puts gets`.
const WORDS: usize = 4;

/// What programs have and notes in words have not: signs, calls, and statements of languages without either.
static CODE: LazyLock<Regex> = LazyLock::new(|| {
    // A line of Lisp begins with a bracket, and a program in COBOL with its first division.
    let form = r"(?m)[=;{}\[\]<>$|\\#]|\w\(|DIVISION\.|^\s*\(|^\s*(?:puts|print|echo|read|import|from|def|class|while|for|if)\b";
    Regex::new(form).expect("the form of code is valid")
});

/// Numbers and times, as in outputs and in data.
static NUMBERS: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\A[\d\s.,:;+-]+\z").expect("it is a valid pattern"));

/// Whether a file without an ending, or with that of texts, is empty or has only words or numbers and so cannot be a program. What
/// may be a list of authors is not for us to pass over.
pub(super) fn is_prose(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if path.extension().is_some_and(|ending| !ending.eq_ignore_ascii_case("txt")) || may_list_authors(&name) {
        return false;
    }
    let Ok(mut file) = File::open(path) else { return false };
    let mut content = Vec::new();
    // The rest of a longer file may be anything.
    let is_whole = file.by_ref().take(LARGEST).read_to_end(&mut content).is_ok() && (content.len() as u64) < LARGEST;
    let Some(text) = String::from_utf8(content).ok().filter(|_| is_whole) else { return false };
    let has_words = || text.split_whitespace().count() >= WORDS && !CODE.is_match(&text);
    text.trim().is_empty() || NUMBERS.is_match(&text) || has_words()
}

/// The encoding of a program that is not UTF-8; none if it is, or states its own as Python allows.
pub(super) fn other_encoding(path: &Path) -> Option<&'static str> {
    let mut content = Vec::new();
    // The build reports a file that cannot be read.
    File::open(path).and_then(|file| file.take(LARGEST).read_to_end(&mut content)).ok()?;
    let is_utf16 = content.starts_with(&[0xff, 0xfe]) || content.starts_with(&[0xfe, 0xff]);
    // Without a mark, every other byte of English text is zero.
    let is_utf16 = is_utf16 || content.len() > 1 && (content[0] == 0) != (content[1] == 0);
    let states_its_own = || content.split(|byte| *byte == b'\n').take(2).any(|line| CODING.is_match(line));
    let is_text = |error: &std::str::Utf8Error| error.error_len().is_some() && !content.contains(&0);
    match std::str::from_utf8(&content) {
        _ if is_utf16 => Some("UTF-16"),
        Err(error) if is_text(&error) && !states_its_own() => Some("Latin-1 or the like"),
        Ok(_) | Err(_) => None,
    }
}

/// The line with which a Python program states its encoding.
static CODING: LazyLock<bytes::Regex> =
    LazyLock::new(|| bytes::Regex::new(r"^[ \t\f]*#.*coding[:=]").expect("it is a valid pattern"));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_words_are_no_program() {
        let dir = tempfile::tempdir().unwrap();
        for (name, text, expect) in [
            ("notes.txt", "I worked with Bo on this (a little).\n", true),
            ("notes", "This is my second version.", true),
            ("empty.txt", "\n", true),
            ("a.txt", "print(input() + 'a b c d')\n", false),
            ("b.txt", "puts gets\n", false),
            ("c.txt", "print 'what do you mean'\n", false),
            ("d.txt", "read a b\necho $((a - b))\n", false),
            ("e.txt", "main = interact id -- this is Haskell\n", false),
            ("f.py", "I worked with Bo on this.\n", false),
            ("g.txt", "for me this was hard to do\n", false),
            ("h.txt", "(display (+ (read) (read)))\n", false),
            ("i.txt", "IDENTIFICATION DIVISION.\nPROGRAM-ID. MEAN.\n", false),
            ("j", "#!/bin/sh\nwc -l and more\n", false),
            ("k.txt", "3\n20260131101500000\n", true),
            ("members.txt", "Ann Lee\nBo Fox\n", false),
        ] {
            let path = dir.path().join(name);
            std::fs::write(&path, text).unwrap();
            assert_eq!(is_prose(&path), expect, "{name}");
        }
    }

    #[test]
    fn programs_are_recognised_by_their_text() {
        let dir = tempfile::tempdir().unwrap();
        for (name, text, expect) in [
            ("a.py", "/* Sums.\n */\n#include <stdio.h>\nint main() {}\n", Some("c")),
            ("a.txt", "// x\r\n#include <iostream>\r\nint main() { std::cin; }\r\n", Some("cpp")),
            ("b.py", "import java.util.*;\nclass B { public static void main(String[] a) {} }\n", Some("java")),
            ("B.java", "import java.util.*;\nclass B { public static void main(String[] a) {} }\n", None),
            ("c.py", "# include <the> main()\nprint('#include <stdio.h> main()')\n", None),
            ("d.py", "import sys\nprint(sum(map(int, sys.stdin.read().split())))\n", None),
            ("e.txt", "Dear teacher,\n#include <stdio.h> does not work, main() is missing.\n", None),
            ("f.c", "#include <stdio.h>\nint main() {}\n", None),
        ] {
            let path = dir.path().join(name);
            std::fs::write(&path, text).unwrap();
            assert_eq!(other_language(&path).map(|language| language.ending), expect, "{name}");
        }
    }
}
