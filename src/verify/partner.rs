//! What nobody would do in a conversation, to see whether an interactor survives it; and junk for output validators that
//! are asked pass by pass. Each partner is a script of the shell with a text beside it, the same each time.

use super::junk::{self, Junk};

/// What the text of a partner is called in its working directory.
pub const TEXT: &str = "text";

/// One way to behave.
pub struct Partner {
    /// In a few words.
    pub name: &'static str,
    /// What it does, for `/bin/sh`; it finds its text in the file `text`.
    pub script: &'static str,
    /// What it says.
    pub text: Vec<u8>,
}

/// Says its text, and ends.
const SAY: &str = "exec cat text";
/// Says its text, and again for each line that it is told: whoever is to begin, the conversation goes on.
const ANSWER: &str = "cat text; while read -r line; do cat text || exit 0; done";
/// Says its text again and again, whatever it is told.
const FLOOD: &str = "while cat text; do :; done";

/// Texts that are said before the end, by their names among the junk.
const SAID: [&str; 14] = [
    "one newline",
    "no final newline",
    "-1",
    "2^63",
    "1e400",
    "NaN",
    "a word",
    "a count without its list",
    "NULs",
    "bytes that are not UTF-8",
    "a format string",
    "random bytes",
    "a huge number",
    "a very long word",
];

/// Everything that an interactor is tried with.
pub fn partners() -> Vec<Partner> {
    let behaves = |name, script, text: &[u8]| Partner { name, script, text: text.to_vec() };
    let mut all = vec![
        behaves("says nothing and ends", "exit 0", b""),
        behaves("says nothing and listens", "exec cat > /dev/null", b""),
        behaves("says nothing and sleeps", "exec sleep 600", b""),
        behaves("closes its output and listens", "exec >&-; while read -r line; do :; done", b""),
        behaves("closes both ends and sleeps", "exec <&- >&-; exec sleep 600", b""),
        behaves("closes its input and goes on", "exec <&-; exec cat text", b"1\n1\n1\n1\n"),
        behaves("answers each line with 1", ANSWER, b"1\n"),
        behaves("answers each line with -1", ANSWER, b"-1\n"),
        behaves("answers each line with a huge number", ANSWER, &[&b"9".repeat(30)[..], b"\n"].concat()),
        behaves("answers each line with a word", ANSWER, b"a\n"),
        behaves("answers each line with an empty line", ANSWER, b"\n"),
        behaves("says lines without end", FLOOD, &b"1\n".repeat(50_000)),
        behaves("says one line without end", FLOOD, &b"1".repeat(100_000)),
    ];
    let said = junk::outputs().into_iter().filter(|junk| SAID.contains(&junk.name));
    all.extend(said.map(|Junk { name, bytes }| Partner { name, script: SAY, text: bytes }));
    all
}

/// Everything that an output validator is tried with that makes passes of outputs.
pub fn speakers() -> Vec<Partner> {
    junk::outputs().into_iter().map(|Junk { name, bytes }| Partner { name, script: SAY, text: bytes }).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn partners_are_named_once_and_all_junk_that_is_meant_is_there() {
        let all = partners();
        let names: BTreeSet<&str> = all.iter().map(|partner| partner.name).collect();
        assert_eq!(names.len(), all.len());
        assert!(SAID.iter().all(|name| names.contains(name)));
        assert_eq!(speakers().len(), junk::outputs().len());
    }
}
