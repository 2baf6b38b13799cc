//! Finds programs that need not solve a problem to be right: they print a constant, or their input.
//!
//! [`CaseFacts`] are the facts of one case, so that no more than one case is in memory; [`guesses`] adds them up.

use std::collections::BTreeMap;
use std::fmt;

/// The fewest cases about which anything is said: two answers are often equal by chance.
const LEAST_CASES: usize = 3;

/// A guess is reported if it is right on more than this part of the cases: 2 of 3. With half, every problem with answers
/// YES and NO would be reported.
const PART: (usize, usize) = (2, 3);

/// The most bytes of an answer that may be a constant.
const MOST_BYTES: usize = 4096;

/// The most characters of an answer in a message.
const SHOWN: usize = 40;

/// How answers are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Comparison {
    /// Every byte counts.
    pub(crate) exact: bool,
    /// Upper and lower case are the same.
    pub(crate) ignores_case: bool,
}

impl Comparison {
    /// The words that are compared.
    fn words(self, text: &[u8]) -> Vec<Vec<u8>> {
        if self.exact {
            return vec![text.to_vec()];
        }
        let words = text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        words.map(|word| if self.ignores_case { word.to_ascii_lowercase() } else { word.to_vec() }).collect()
    }
}

/// The facts of one case about guesses.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is one guess, right or not")]
pub(crate) struct CaseFacts {
    /// The name of its group.
    group: String,
    /// Its answer in the form that is compared; none if it is long.
    answer: Option<Vec<u8>>,
    is_input: bool,
    is_input_without_first: bool,
    is_permutation: bool,
    is_permutation_without_first: bool,
}

impl CaseFacts {
    /// A case whose files are too large: no guess is right on it.
    pub(crate) fn unknown(group: &str) -> Self {
        Self { group: group.to_owned(), ..Self::default() }
    }

    /// The facts of a case with this input and this answer.
    pub(crate) fn of(group: &str, input: &[u8], answer: &[u8], comparison: Comparison) -> Self {
        let (mut input, mut answer) = (comparison.words(input), comparison.words(answer));
        let joined = answer.join(&b' ');
        let rest = input.get(1..).unwrap_or_default();
        let is_input = input == answer;
        let is_input_without_first = !answer.is_empty() && rest == answer;
        let mut rest = rest.to_vec();
        for words in [&mut input, &mut rest, &mut answer] {
            words.sort_unstable();
        }
        let is_list = answer.len() > 1;
        Self {
            group: group.to_owned(),
            answer: (joined.len() <= MOST_BYTES).then_some(joined),
            is_input,
            is_input_without_first,
            is_permutation: is_list && input == answer,
            is_permutation_without_first: is_list && rest == answer,
        }
    }
}

/// A way to be right without solving the problem. Displayed as a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Guess {
    /// All answers of a group, or of all cases, are the same.
    Same { group: Option<String>, cases: usize, answer: Vec<u8> },
    /// A constant is right on many cases.
    Constant { answer: Vec<u8>, right: usize, cases: usize },
    /// The input is right on many cases, perhaps without its first word.
    Input { without_first: bool, right: usize, cases: usize },
    /// Every answer has the words of its input in some order.
    Permutation { without_first: bool, cases: usize },
}

impl fmt::Display for Guess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first = |without: &bool| if *without { " without its first word" } else { "" };
        match self {
            Self::Same { group: Some(group), cases, answer } => {
                write!(f, "all {cases} answers of {group} are {}", shown(answer))
            }
            Self::Same { group: None, cases, answer } => {
                write!(f, "all {cases} answers of secret cases are {}", shown(answer))
            }
            Self::Constant { answer, right, cases } => {
                write!(f, "a program that always prints {} is right on {right} of {cases} secret cases", shown(answer))
            }
            Self::Input { without_first, right, cases } => {
                let first = first(without_first);
                write!(f, "a program that prints its input{first} is right on {right} of {cases} secret cases")
            }
            Self::Permutation { without_first, cases } => {
                let first = first(without_first);
                write!(f, "each answer of {cases} secret cases has the words of its input{first}, in some order")
            }
        }
    }
}

fn shown(answer: &[u8]) -> String {
    let text = String::from_utf8_lossy(answer);
    let text = text.trim_end();
    if text.is_empty() {
        return "empty".to_owned();
    }
    let beginning: String = text.chars().take(SHOWN).collect();
    if beginning.len() < text.len() { format!("`{beginning}…`") } else { format!("`{beginning}`") }
}

/// The guesses that are right on all or many of these cases.
pub(crate) fn guesses(facts: &[CaseFacts]) -> Vec<Guess> {
    let all = facts.len();
    let mut found = Vec::new();
    if all < LEAST_CASES {
        return found;
    }
    let is_frequent = |right: usize| right >= LEAST_CASES && right * PART.1 > all * PART.0;
    if let Some((answer, right)) = most_frequent(facts.iter()) {
        if right == all {
            found.push(Guess::Same { group: None, cases: all, answer });
        } else {
            found.extend(of_groups(facts));
            if is_frequent(right) {
                found.push(Guess::Constant { answer, right, cases: all });
            }
        }
    }
    let count = |holds: fn(&CaseFacts) -> bool| facts.iter().filter(|fact| holds(fact)).count();
    // The first word is often the length of a list.
    let plain = count(|fact| fact.is_input);
    let rest = count(|fact| fact.is_input_without_first);
    let (without_first, right) = if rest > plain { (true, rest) } else { (false, plain) };
    if is_frequent(right) {
        found.push(Guess::Input { without_first, right, cases: all });
    } else if count(|fact| fact.is_permutation) == all {
        found.push(Guess::Permutation { without_first: false, cases: all });
    } else if count(|fact| fact.is_permutation_without_first) == all {
        found.push(Guess::Permutation { without_first: true, cases: all });
    }
    found
}

/// The most frequent answer with its number; ties go to the first in order of bytes. None if all answers are long.
fn most_frequent<'f>(facts: impl Iterator<Item = &'f CaseFacts>) -> Option<(Vec<u8>, usize)> {
    let mut counts = BTreeMap::<&[u8], usize>::new();
    for answer in facts.filter_map(|fact| fact.answer.as_deref()) {
        *counts.entry(answer).or_default() += 1;
    }
    let most = counts.into_iter().rev().max_by_key(|(_, count)| *count);
    most.map(|(answer, count)| (answer.to_vec(), count))
}

/// The groups whose answers are all the same.
fn of_groups(facts: &[CaseFacts]) -> Vec<Guess> {
    let mut groups = BTreeMap::<&str, Vec<&CaseFacts>>::new();
    for fact in facts {
        groups.entry(&fact.group).or_default().push(fact);
    }
    let same = groups.into_iter().filter_map(|(name, facts)| {
        let (answer, right) = most_frequent(facts.iter().copied())?;
        let is_same = right == facts.len() && right >= LEAST_CASES;
        is_same.then(|| Guess::Same { group: Some(name.to_owned()), cases: right, answer })
    });
    same.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: Comparison = Comparison { exact: false, ignores_case: true };

    fn messages(cases: &[(&str, &str, &str)], comparison: Comparison) -> Vec<String> {
        let facts = |(group, input, answer): &(&str, &str, &str)| {
            CaseFacts::of(group, input.as_bytes(), answer.as_bytes(), comparison)
        };
        guesses(&cases.iter().map(facts).collect::<Vec<_>>()).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_constant_may_be_right() {
        let cases = [("a", "1", "YES\n"), ("a", "2", "yes"), ("b", "3", " Yes"), ("b", "4", "no")];
        assert_eq!(messages(&cases, WORDS), ["a program that always prints `yes` is right on 3 of 4 secret cases"]);
        assert_eq!(messages(&cases[..3], WORDS), ["all 3 answers of secret cases are `yes`"]);
        assert!(messages(&cases[..2], WORDS).is_empty(), "too few cases");
        // Exactly two of three are not more than that.
        assert!(messages(&cases[1..], WORDS).is_empty());
        assert!(messages(&cases, Comparison { exact: true, ignores_case: false }).is_empty());
        let other = [("a", "1", "1"), ("b", "2", "7"), ("b", "3", "7"), ("b", "4", "7"), ("c", "5", "2")];
        assert_eq!(messages(&other, WORDS), ["all 3 answers of b are `7`"]);
    }

    #[test]
    fn the_input_may_be_right() {
        let cases = [("", "1 2", "1 2"), ("", "3 4", "3\n4"), ("", "5", "5")];
        assert_eq!(messages(&cases, WORDS), ["a program that prints its input is right on 3 of 3 secret cases"]);
        let cases = [("", "2\n1 2", "1 2"), ("", "2\n3 4", "3 4"), ("", "1\n5", "5")];
        let first = "a program that prints its input without its first word is right on 3 of 3 secret cases";
        assert_eq!(messages(&cases, WORDS), [first]);
        let cases = [("", "2 1", "1 2"), ("", "4 3", "3 4"), ("", "6 7", "6 7")];
        assert_eq!(
            messages(&cases, WORDS),
            ["each answer of 3 secret cases has the words of its input, in some order"]
        );
        let cases = [("", "2 2 1", "1 2"), ("", "2 4 3", "3 4"), ("", "3 7 8 6", "6 7 8")];
        let first = "each answer of 3 secret cases has the words of its input without its first word, in some order";
        assert_eq!(messages(&cases, WORDS), [first]);
        let cases = [("", "2 1", "1 2"), ("", "4 3", "3 4"), ("", "6 7", "7")];
        assert!(messages(&cases, WORDS).is_empty());
    }

    #[test]
    fn large_cases_are_right_for_no_guess() {
        let known = CaseFacts::of("", b"1", b"7", WORDS);
        let found = guesses(&[known.clone(), known.clone(), known, CaseFacts::unknown("")]);
        assert_eq!(found.iter().map(ToString::to_string).collect::<Vec<_>>().len(), 1, "{found:?}");
        assert!(guesses(&vec![CaseFacts::unknown(""); 5]).is_empty());
        let long = CaseFacts::of("", b"1", "x".repeat(MOST_BYTES + 1).as_bytes(), WORDS);
        assert!(guesses(&vec![long; 5]).is_empty());
        assert!(shown("x".repeat(500).as_bytes()).ends_with("x…`"));
    }
}
