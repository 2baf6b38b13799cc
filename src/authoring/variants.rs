//! Small changes of valid inputs, and parts of two put together: some of them are valid too, and lie where cases do not
//! look. Pure and deterministic.
//!
//! Only words, lines and whole numbers have a meaning here. The caller rejects what the input validators reject.

use std::collections::BTreeSet;

use super::chance::Chance;

/// Inputs that are larger are not changed: they are the tests for time.
pub(crate) const LARGEST: usize = 16 << 10;

/// An input and its name.
#[derive(Debug, Clone)]
pub(crate) struct Seed {
    pub(crate) name: String,
    pub(crate) text: String,
}

/// The inputs that are changed.
#[derive(Debug)]
pub(crate) struct Variants {
    seeds: Vec<Seed>,
    /// Numbers that appear in some input: where limits are reached.
    numbers: Vec<i64>,
}

impl Variants {
    /// None without an input to change.
    pub(crate) fn of(seeds: Vec<Seed>) -> Option<Self> {
        let seeds: Vec<Seed> = seeds.into_iter().filter(|seed| seed.text.len() <= LARGEST).collect();
        if seeds.is_empty() {
            return None;
        }
        let words = seeds.iter().flat_map(|seed| seed.text.split_ascii_whitespace());
        let known: BTreeSet<i64> = words.filter_map(|word| word.parse().ok()).collect();
        let ends = |n: usize| known.iter().take(n).chain(known.iter().rev().take(n)).copied().collect::<Vec<_>>();
        let numbers: BTreeSet<i64> = ends(8).into_iter().chain([0, 1, -1, 2]).collect();
        Some(Self { seeds, numbers: numbers.into_iter().collect() })
    }

    /// The change of this seed: the name of the input that was changed, and the result.
    pub(crate) fn make(&self, seed: u32) -> (&str, Vec<u8>) {
        let mut chance = Chance::new(seed);
        let from = &self.seeds[chance.below(self.seeds.len())];
        let mut lines: Vec<Vec<String>> = from.text.lines().map(words_of).collect();
        for _ in 0..=chance.below(3) {
            self.change(&mut lines, &mut chance);
        }
        let mut text: String = lines.iter().map(|line| line.join(" ") + "\n").collect();
        if !from.text.ends_with('\n') {
            text.pop();
        }
        (&from.name, text.into_bytes())
    }

    fn change(&self, lines: &mut Vec<Vec<String>>, chance: &mut Chance) {
        if lines.is_empty() {
            return;
        }
        let at = chance.below(lines.len());
        let word = chance.below(lines[at].len());
        let number = lines[at][word].parse::<i64>().ok();
        match (chance.below(20), number) {
            (0, Some(number)) => lines[at][word] = number.saturating_add(1).to_string(),
            (1, Some(number)) => lines[at][word] = number.saturating_sub(1).to_string(),
            (2, Some(_)) => lines[at][word] = self.numbers[chance.below(self.numbers.len())].to_string(),
            (10, Some(number)) => lines[at][word] = number.saturating_mul(2).to_string(),
            // Any number of any size: the limits of the problem are not known here.
            (11 | 12, Some(_)) => lines[at][word] = chance.number().to_string(),
            // The same value twice.
            (3, _) => {
                let other = chance.below(lines[at].len());
                lines[at][word] = lines[at][other].clone();
            }
            (4, _) => lines[at].reverse(),
            (5, _) => sort(&mut lines[at]),
            (6, _) => swap_lines(lines, at, chance),
            // One item more or less, and the count in front with it.
            (7, _) => repeat(lines, at, word, chance),
            (8, _) => remove(lines, at, word, chance),
            (13 | 14, _) => swap_between_lines(lines, (at, word), chance),
            (15, _) => {
                let same = lines[at][word].clone();
                lines[at][word..].fill(same);
            }
            (16 | 17, _) => self.take_line(lines, at, chance),
            (18, _) => self.take_word(lines, (at, word), chance),
            _ => {
                let other = chance.below(lines[at].len());
                lines[at].swap(word, other);
            }
        }
    }

    /// Puts the line of another input in this place.
    fn take_line(&self, lines: &mut [Vec<String>], at: usize, chance: &mut Chance) {
        let other = &self.seeds[chance.below(self.seeds.len())].text;
        if let Some(line) = other.lines().nth(at) {
            lines[at] = words_of(line);
        }
    }

    /// Puts the word of another input in this place.
    fn take_word(&self, lines: &mut [Vec<String>], (at, word): (usize, usize), chance: &mut Chance) {
        let other = &self.seeds[chance.below(self.seeds.len())].text;
        if let Some(other) = other.lines().nth(at).and_then(|line| line.split(' ').nth(word)) {
            other.clone_into(&mut lines[at][word]);
        }
    }
}

fn words_of(line: &str) -> Vec<String> {
    line.split(' ').map(str::to_owned).collect()
}

/// Exchanges a word with one of any line: the same items, distributed in another way.
fn swap_between_lines(lines: &mut [Vec<String>], (at, word): (usize, usize), chance: &mut Chance) {
    let line = chance.below(lines.len());
    let place = chance.below(lines[line].len());
    let [one, other] = [&lines[at][word], &lines[line][place]].map(Clone::clone);
    lines[at][word] = other;
    lines[line][place] = one;
}

fn swap_lines(lines: &mut [Vec<String>], at: usize, chance: &mut Chance) {
    let other = chance.below(lines.len());
    lines.swap(at, other);
}

fn sort(words: &mut [String]) {
    words.sort_by_key(|word| (word.parse::<i64>().ok(), word.clone()));
}

/// Repeats a word or a line of a list, and raises the number that counts its items.
fn repeat(lines: &mut Vec<Vec<String>>, at: usize, word: usize, chance: &mut Chance) {
    match list_at(lines, at, chance) {
        Some(List::Words(count)) => {
            let again = lines[at][word].clone();
            lines[at].insert(word, again);
            add(lines, count, 1);
        }
        Some(List::Lines(count)) => {
            let again = lines[at].clone();
            lines.insert(at, again);
            add(lines, count, 1);
        }
        None => {}
    }
}

/// Removes one of several words or lines of a list, and lowers the number that counts its items.
fn remove(lines: &mut Vec<Vec<String>>, at: usize, word: usize, chance: &mut Chance) {
    match list_at(lines, at, chance) {
        Some(List::Words(count)) if lines[at].len() > 1 => {
            lines[at].remove(word);
            add(lines, count, -1);
        }
        Some(List::Lines(count)) => {
            lines.remove(at);
            add(lines, count, -1);
        }
        Some(List::Words(_)) | None => {}
    }
}

/// The kind of list that a line seems to be, and the place of the number that counts its items.
enum List {
    Words((usize, usize)),
    Lines((usize, usize)),
}

/// The list that a line is or belongs to. If it may be either, chance decides.
fn list_at(lines: &[Vec<String>], at: usize, chance: &mut Chance) -> Option<List> {
    match (count_of_words(lines, at), count_of_lines(lines, at)) {
        (Some(words), Some(rest)) => Some(if chance.below(2) == 0 { List::Words(words) } else { List::Lines(rest) }),
        (Some(words), None) => Some(List::Words(words)),
        (None, rest) => rest.map(List::Lines),
    }
}

/// The nearest number in an earlier line that is the count of the lines from there on.
fn count_of_lines(lines: &[Vec<String>], at: usize) -> Option<(usize, usize)> {
    (0..at).rev().find_map(|line| {
        let rest = lines.len() - line - 1;
        let word = lines[line].iter().position(|word| word.parse() == Ok(rest))?;
        Some((line, word))
    })
}

/// The nearest number shortly before a line that is the count of its words.
fn count_of_words(lines: &[Vec<String>], at: usize) -> Option<(usize, usize)> {
    let words = lines[at].len();
    (0..at).rev().take(3).find_map(|line| {
        let word = lines[line].iter().position(|word| word.parse() == Ok(words))?;
        Some((line, word))
    })
}

fn add(lines: &mut [Vec<String>], (line, word): (usize, usize), by: i64) {
    if let Ok(number) = lines[line][word].parse::<i64>() {
        lines[line][word] = (number + by).to_string();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<Vec<String>> {
        text.lines().map(|line| line.split(' ').map(str::to_owned).collect()).collect()
    }

    #[test]
    fn counts_follow_their_items() {
        let chance = &mut Chance::new(0);
        let mut list = lines("3\n5 6 7");
        repeat(&mut list, 1, 1, chance);
        assert_eq!(list, lines("4\n5 6 6 7"));
        remove(&mut list, 1, 0, chance);
        remove(&mut list, 1, 0, chance);
        assert_eq!(list, lines("2\n6 7"));
        let mut edges = lines("7 3\n1 5\n3 4\n5 1");
        repeat(&mut edges, 1, 0, chance);
        assert_eq!(edges, lines("7 4\n1 5\n1 5\n3 4\n5 1"));
        remove(&mut edges, 3, 1, chance);
        assert_eq!(edges, lines("7 3\n1 5\n1 5\n5 1"));
        let mut one = lines("1\n5");
        for _ in 0..20 {
            let bottom = one.len() - 1;
            remove(&mut one, bottom, 0, chance);
        }
        assert!(one.iter().all(|line| !line.is_empty()), "{one:?}");
    }

    #[test]
    fn items_move_between_lines_and_lines_between_inputs() {
        let seed = |text: &str| Seed { name: String::new(), text: text.to_owned() };
        let all = Variants::of(vec![seed("a b\nc d\n"), seed("p q\nr s\n")]).unwrap();
        let made: BTreeSet<String> = (0..2000).map(|n| String::from_utf8(all.make(n).1).unwrap()).collect();
        for text in ["c b\na d\n", "a b\nr s\n", "p b\nc d\n", "a a\nc d\n", "p s\nr q\n"] {
            assert!(made.contains(text), "{text:?} is not among {made:?}");
        }
    }

    #[test]
    fn changes_are_the_same_each_time_and_different_from_each_other() {
        let seed = |name: &str, text: &str| Seed { name: name.to_owned(), text: text.to_owned() };
        let of = || Variants::of(vec![seed("1", "3\n5 6 7\n"), seed("2", "1\n1000000\n")]).unwrap();
        let made: Vec<_> = (0..500).map(|n| of().make(n).1).collect();
        assert_eq!(made, (0..500).map(|n| of().make(n).1).collect::<Vec<_>>());
        let different: BTreeSet<_> = made.iter().collect();
        assert!(different.len() > 100, "{}", different.len());
        assert!(made.iter().any(|text| text.windows(7).any(|part| part == b"1000000")), "values wander between inputs");
        assert!(Variants::of(vec![seed("large", &"1 ".repeat(LARGEST))]).is_none());
    }
}
