//! Parses the command of a case: a generator's name, its arguments, and the seed that follows from them.

use sha2::{Digest, Sha512};

use grader_model::suggest;

/// A generator with its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// The command as written, with `{count}` replaced.
    pub text: String,
    /// The name of the generator.
    pub program: String,
    /// The arguments, with `{seed}` and `{name}` not yet replaced.
    words: Vec<String>,
    /// The value of `{seed}`, below 2³¹.
    pub seed: u32,
}

/// Why a command is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// The command is empty.
    #[error("an empty command; write the name of a generator and its arguments")]
    Empty,
    /// A quotation mark is not closed.
    #[error("a quotation mark is not closed")]
    Quotes,
    /// There are two seeds.
    #[error("`{{seed}}` may appear at most once")]
    Seeds,
    /// It contains a constant, `{{constant}}`.
    #[error("constants (`{{{{…}}}}`) are not supported; write the value")]
    Constant,
    /// A placeholder is misspelt: `{sed:1}`, `{seed:x}`, `{seed:1`.
    #[error("`{found}` is not a placeholder; {remedy}")]
    Placeholder {
        /// The placeholder as written.
        found: String,
        /// The correct form.
        remedy: String,
    },
}

/// The placeholders of a command.
const PLACEHOLDERS: [&str; 3] = ["seed", "name", "count"];

impl Command {
    /// Parses a command. `salt` comes before the command in the text that determines the seed.
    ///
    /// The seed is that of BAPCtools: the SHA-512 of salt and command, as a number modulo 2³¹.
    pub fn parse(text: &str, salt: &str) -> Result<Self, CommandError> {
        let text = text.trim();
        if text.contains("{{") {
            return Err(CommandError::Constant);
        }
        if let Some((found, meant)) = mistyped(text) {
            let known = "known are `{seed}`, `{seed:2}`, `{name}` and, with `count`, `{count}`";
            let meant = meant.map(|meant| format!("did you mean `{{{meant}}}`? ")).unwrap_or_default();
            return Err(CommandError::Placeholder { found, remedy: format!("{meant}{known}") });
        }
        let mut words = shlex::split(text).ok_or(CommandError::Quotes)?;
        if words.is_empty() {
            return Err(CommandError::Empty);
        }
        let program = words.remove(0);
        if words.iter().map(|word| seeds(word).count()).sum::<usize>() > 1 {
            return Err(CommandError::Seeds);
        }
        let seed = seed_of(&format!("{salt}{text}"));
        Ok(Self { text: text.to_owned(), program, words, seed })
    }

    /// Whether its arguments contain a seed.
    pub fn is_random(&self) -> bool {
        self.words.iter().any(|word| seeds(word).next().is_some())
    }

    /// The arguments with this seed. `{name}` is always `testcase`, whatever the name of the case.
    pub fn arguments(&self, seed: u32) -> Vec<String> {
        self.words.iter().map(|word| with_seed(&word.replace("{name}", "testcase"), seed)).collect()
    }

    /// The command line as a person would type it.
    pub fn shown(&self, seed: u32) -> String {
        let words = std::iter::once(self.program.clone()).chain(self.arguments(seed));
        words.collect::<Vec<_>>().join(" ")
    }

    /// The arguments that are whole numbers, by position. Shrinking may make them smaller.
    pub fn numbers(&self) -> impl Iterator<Item = (usize, i64)> {
        self.words.iter().enumerate().filter_map(|(at, word)| Some((at, word.parse().ok()?)))
    }

    /// The arguments as written: with `{seed}` and `{name}`.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// Returns the command with another argument at a position.
    #[must_use]
    pub fn with_word(&self, at: usize, word: &str) -> Self {
        let mut changed = self.clone();
        word.clone_into(&mut changed.words[at]);
        let words = std::iter::once(&changed.program).chain(&changed.words);
        changed.text = words.cloned().collect::<Vec<_>>().join(" ");
        changed
    }
}

/// The low 31 bits of the text's SHA-512.
fn seed_of(text: &str) -> u32 {
    let digest = Sha512::digest(text.as_bytes());
    let last = digest.iter().rev().take(4).rev();
    last.fold(0_u32, |number, byte| number << 8 | u32::from(*byte)) & 0x7fff_ffff
}

/// The positions of `{seed}` and `{seed:12}` in a word.
fn seeds(word: &str) -> impl Iterator<Item = std::ops::Range<usize>> {
    word.match_indices("{seed").filter_map(|(start, open)| {
        let inner = &word[start + open.len()..];
        let (suffix, _) = inner.split_once('}')?;
        let digits = |suffix: &str| !suffix.is_empty() && suffix.bytes().all(|byte| byte.is_ascii_digit());
        let is_seed = suffix.is_empty() || suffix.strip_prefix(':').is_some_and(digits);
        is_seed.then(|| start..start + open.len() + suffix.len() + 1)
    })
}

/// The first misspelt placeholder in braces, with the most similar name. Other braces are for the generator.
fn mistyped(text: &str) -> Option<(String, Option<&'static str>)> {
    text.match_indices('{').find_map(|(start, _)| {
        let rest = &text[start + 1..];
        let name = &rest[..rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len())];
        let behind = &rest[name.len()..];
        let suffix = behind.strip_prefix(':').map(|rest| {
            &rest[..rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '-').unwrap_or(rest.len())]
        });
        let written = &rest[..name.len() + suffix.map_or(0, |suffix| suffix.len() + 1)];
        let closed = rest[written.len()..].starts_with('}');
        let meant = PLACEHOLDERS.into_iter().find(|known| *known == name);
        let near = meant.or_else(|| suggest::closest(name, PLACEHOLDERS));
        let right = match (meant, suffix) {
            (Some(_), None) => closed,
            (Some("seed"), Some(number)) => {
                closed && !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
            }
            // Text unlike any placeholder may have a meaning for the generator.
            (None, _) => near.is_none(),
            (Some(_), Some(_)) => false,
        };
        (!right).then(|| (format!("{{{written}{}", if closed { "}" } else { "" }), near))
    })
}

fn with_seed(word: &str, seed: u32) -> String {
    let mut filled = word.to_owned();
    if let Some(range) = seeds(word).next() {
        filled.replace_range(range, &seed.to_string());
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_those_of_bapctools() {
        // int(hashlib.sha512((salt + command).encode()).hexdigest(), 16) % 2**31
        for (salt, command, seed) in [
            ("", "graph {seed}", SEEDS[0]),
            ("abcd", "graph {seed}", SEEDS[1]),
            ("", "  graph {seed:2}\n", SEEDS[2]),
            ("abcd:1", "graph {seed:3} 2", SEEDS[3]),
        ] {
            assert_eq!(Command::parse(command, salt).unwrap().seed, seed, "{salt:?} {command:?}");
        }
    }

    const SEEDS: [u32; 4] = [145_309_074, 611_036_640, 360_674_123, 1_564_012_247];

    #[test]
    fn arguments_are_filled_in() {
        let command = Command::parse("gen --n 12 'a b' s={seed:7} {name}.in", "").unwrap();
        assert!(command.is_random());
        assert_eq!(command.program, "gen");
        assert_eq!(command.arguments(5), ["--n", "12", "a b", "s=5", "testcase.in"]);
        assert_eq!(command.numbers().collect::<Vec<_>>(), [(1, 12)]);
        assert_eq!(command.with_word(1, "3").arguments(5)[1], "3");
    }

    #[test]
    fn mistyped_placeholders_are_refused() {
        for (text, found, near) in [
            ("gen {seed:1", "{seed:1", "did you mean `{seed}`? "),
            ("gen {seed", "{seed", "did you mean `{seed}`? "),
            ("gen {sed:1}", "{sed:1}", "did you mean `{seed}`? "),
            ("gen {seed:}", "{seed:}", "did you mean `{seed}`? "),
            ("gen {seed:x}", "{seed:x}", "did you mean `{seed}`? "),
            ("gen n={seeds}", "{seeds}", "did you mean `{seed}`? "),
            ("gen {Seed}", "{Seed}", "did you mean `{seed}`? "),
            ("gen {coutn}", "{coutn}", "did you mean `{count}`? "),
            ("gen {name:1}", "{name:1}", "did you mean `{name}`? "),
        ] {
            let error = Command::parse(text, "").unwrap_err().to_string();
            let says = format!("`{found}` is not a placeholder; {near}known are ");
            assert!(error.starts_with(&says), "{text}: {error}");
        }
        for text in ["gen '{\"n\": 3}' {seed}", "gen {1,2}", "gen {}", "gen }{", "gen {tree} {seed:007}"] {
            assert!(Command::parse(text, "").is_ok(), "{text}");
        }
    }

    #[test]
    fn bad_commands_are_refused() {
        for (text, error) in [
            (" ", CommandError::Empty),
            ("gen 'a", CommandError::Quotes),
            ("gen {seed} {seed:2}", CommandError::Seeds),
            ("gen {{n}}", CommandError::Constant),
        ] {
            assert_eq!(Command::parse(text, ""), Err(error), "{text}");
        }
    }
}
