//! Scripts that misbehave as partners of interactors, to test that these do not fail. Also provides junk for output
//! validators of multi-pass problems. Each partner is a shell script with a text file, and is the same each time.

use super::junk::{self, Junk};

/// The name of the partner's text file in its working directory.
pub(crate) const TEXT: &str = "text";

/// A way to misbehave.
pub(crate) struct Partner {
    /// A short description.
    pub name: &'static str,
    /// Its program for `/bin/sh`, which reads its text from the file `text`.
    pub script: &'static str,
    /// The content of its text file.
    pub text: Vec<u8>,
}

/// Prints its text and ends.
const SAY: &str = "exec cat text";
/// Prints its text, and again for each line that it receives, so that it works whichever side begins.
const ANSWER: &str = "cat text; while read -r line; do cat text || exit 0; done";
/// Prints its text endlessly and reads nothing.
const FLOOD: &str = "while cat text; do :; done";

/// The names of the junk outputs that partners print before they end.
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

/// All partners for testing an interactor.
pub(crate) fn partners() -> Vec<Partner> {
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

/// All partners for testing an output validator of a multi-pass problem.
pub(crate) fn speakers() -> Vec<Partner> {
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
