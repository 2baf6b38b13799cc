//! Finds the names and ids of students in texts, and replaces them.

use std::collections::{BTreeMap, BTreeSet};

use regex::{Regex, RegexBuilder, escape};
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// The replacement for a part of a name, which several students may share.
const PART: &str = "[name]";
/// The same within an identifier of a program.
const PART_OF_IDENTIFIER: &str = "name";
/// The fewest letters of an id, and of a part of a name, that are replaced in texts. Shorter ones are in too many words.
const FEWEST: usize = 3;
/// The fewest digits of an id that are replaced in texts: shorter numbers are in most outputs.
const FEWEST_DIGITS: usize = 4;
/// The most bytes of the automaton, enough for some thousand students.
const MOST: usize = 1 << 28;

/// The names and ids of students, with what replaces them.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// By the name without separators, in small letters.
    known: BTreeMap<String, String>,
    patterns: Vec<String>,
    found: Option<Regex>,
}

impl Names {
    /// Adds what a student is called as a whole: an id, a name. Case does not matter, nor do accents, separators and the
    /// order of two names.
    pub(super) fn add(&mut self, name: &str, pseudonym: &str) {
        for spelling in spellings(name) {
            self.add_spelling(&spelling, pseudonym);
        }
    }

    fn add_spelling(&mut self, name: &str, pseudonym: &str) {
        let words: Vec<&str> = name.split(is_separator).filter(|word| !word.is_empty()).collect();
        let all = words.concat();
        let is_number = all.bytes().all(|byte| byte.is_ascii_digit());
        if all.chars().count() < if is_number { FEWEST_DIGITS } else { FEWEST } {
            return;
        }
        // An id of many words is not a name whose parts may come in another order.
        for at in 0..if words.len() > 4 { 1 } else { words.len() } {
            let turned = [&words[at..], &words[..at]].concat();
            self.known.entry(folded(&turned.concat())).or_insert_with(|| pseudonym.to_owned());
            let escaped: Vec<String> = turned.iter().map(|word| escape(word)).collect();
            self.patterns.push(format!("(?i:{})", escaped.join(r"[\s_.,'’\\-]*")));
        }
        for word in words.iter().filter(|word| word.chars().count() >= FEWEST && word.chars().any(char::is_alphabetic))
        {
            self.known.entry(folded(word)).or_insert_with(|| PART.to_owned());
            // In small letters, `max` and `will` are not names.
            self.patterns.push(escape(word));
            self.patterns.push(escape(&word.to_uppercase()));
        }
    }

    /// Prepares `replaced`, after all names were added.
    pub(super) fn finish(&mut self) -> Result<(), regex::Error> {
        // Of two names that begin at one place, the longer one is meant.
        self.patterns.sort_by_key(|pattern| std::cmp::Reverse(pattern.len()));
        self.patterns.dedup();
        let pattern = self.patterns.join("|");
        self.found =
            if pattern.is_empty() { None } else { Some(RegexBuilder::new(&pattern).size_limit(MOST).build()?) };
        Ok(())
    }

    /// Returns the text with pseudonyms. A name inside of a longer word stays, but not one beside a number or, as a whole, in
    /// `SumAnnLee`.
    pub(super) fn replaced(&self, text: &str) -> String {
        let mut replaced = String::with_capacity(text.len());
        let mut copied = 0;
        let mut from = 0;
        while let Some(found) = self.found.as_ref().and_then(|names| names.find_at(text, from)) {
            let replacement = self.known.get(&folded(found.as_str())).map_or(PART, |known| known);
            let is_inside = [found.start(), found.end()].into_iter().any(|at| continues(text, at, replacement != PART));
            if is_inside {
                from = found.start() + text[found.start()..].chars().next().map_or(1, char::len_utf8);
                continue;
            }
            let is_of_identifier = |letter: char| letter.is_alphanumeric() || letter == '_';
            let is_in_identifier =
                text[..found.start()].ends_with(is_of_identifier) || text[found.end()..].starts_with(is_of_identifier);
            let replacement = if replacement == PART && is_in_identifier { PART_OF_IDENTIFIER } else { replacement };
            replaced.push_str(&text[copied..found.start()]);
            replaced.push_str(replacement);
            // `P1` before a 2 is not the pseudonym `P12`.
            if text[found.end()..].starts_with(|next: char| next.is_ascii_digit()) {
                replaced.push('_');
            }
            (copied, from) = (found.end(), found.end());
        }
        replaced + &text[copied..]
    }
}

/// Whether the text has one word or number around the byte position `at`. `is_whole`: the found name is more than a part of a
/// name.
fn continues(text: &str, at: usize, is_whole: bool) -> bool {
    let (Some(before), Some(after)) = (text[..at].chars().next_back(), text[at..].chars().next()) else { return false };
    let are_alike =
        before.is_alphanumeric() && after.is_alphanumeric() && before.is_alphabetic() == after.is_alphabetic();
    // `Math.getMax` is not about Max.
    let is_camel = is_whole && before.is_lowercase() && after.is_uppercase();
    are_alike && !is_camel
}

/// The spellings of a name: composed, decomposed, without accents, and with `ae` for `ä` as in German.
fn spellings(name: &str) -> BTreeSet<String> {
    let plain = |name: &str| name.nfd().filter(|letter| !is_combining_mark(*letter)).collect::<String>();
    let german = name.nfc().map(|letter| match letter {
        'ä' => "ae".to_owned(),
        'ö' => "oe".to_owned(),
        'ü' => "ue".to_owned(),
        'Ä' => "Ae".to_owned(),
        'Ö' => "Oe".to_owned(),
        'Ü' => "Ue".to_owned(),
        'ß' => "ss".to_owned(),
        other => other.to_string(),
    });
    let german: String = german.collect();
    [name.nfc().collect(), name.nfd().collect(), plain(name), plain(&german)].into()
}

fn is_separator(letter: char) -> bool {
    letter.is_whitespace() || "_.,-'’".contains(letter)
}

fn folded(name: &str) -> String {
    name.chars().filter(|letter| !is_separator(*letter) && *letter != '\\').flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_in_all_their_forms() {
        let mut names = Names::default();
        names.add("Ann Lee", "P1");
        names.add("s1000", "P1");
        names.add("Max Keller", "P2");
        names.add("bob", "P5");
        names.add("7", "P2");
        names.add("Weiß, Zoë", "P3");
        names.add("Quin O'Neil", "P4");
        names.finish().unwrap();
        for (text, expected) in [
            ("by Ann Lee.", "by P1."),
            ("annlee_gaps.py", "P1_gaps.py"),
            ("Lee, Ann", "P1"),
            ("class LEE_ANN:", "class P1:"),
            ("S1000/sum.py:3", "P1/sum.py:3"),
            ("Ann and Lee", "[name] and [name]"),
            ("Annual s10001", "Annual s10001"),
            ("print(max(a, b)) # Max, max keller", "print(max(a, b)) # [name], P2"),
            ("Bob and bobby", "P5 and bobby"),
            ("7", "7"),
            ("zoë weiß", "P3"),
            ("Zoe and zoeweiss, ZOE WEISS, Zoe\u{308} Weiß", "[name] and P3, P3, P3"),
            ("AnnLee2 s1000x class SumAnnLee: AnnLeeSum", "P1_2 P1x class SumP1: P1Sum"),
            ("getMax() Max2", "getMax() name_2"),
            ("author_bob = Keller_ = by_Lee", "author_P5 = name_ = by_name"),
            ("quin_oneil and Quin O’Neil", "P4 and P4"),
            ("", ""),
        ] {
            assert_eq!(names.replaced(text), expected, "{text}");
        }
        let mut none = Names::default();
        none.finish().unwrap();
        assert_eq!(none.replaced("Ann"), "Ann");
    }
}
