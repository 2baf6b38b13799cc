//! Shrinks a failing input: removes lines and words, adjusts counts and simplifies values, as long as it still fails.
//! Pure: the caller decides what counts as failing.
//!
//! Only white space and whole numbers have a meaning here. The caller also rejects candidates that are not valid
//! inputs.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::ops::ControlFlow::{self, Break, Continue};

/// The most lines that are removed together as a group, such as one case of many.
const GROUP: usize = 8;
/// Groups are removed only from texts with at most this many lines.
const GROUPED: usize = 80;
/// The most numbers that are tried as the count of removed items.
const COUNTS: usize = 12;

/// Returns a smaller input that still fails, or the input itself. `attempt` returns whether a candidate fails, or
/// `Break` to stop with the best so far. It gets each candidate once, and only smaller ones. `input` must fail.
///
/// Smaller means fewer words and lines, then fewer bytes, then earlier in byte order.
pub(crate) fn shrink(input: &[u8], attempt: impl FnMut(&[u8]) -> ControlFlow<(), bool>) -> Vec<u8> {
    let best = Text::parse(input);
    let mut shrinker = Shrinker {
        size: best.size(),
        best,
        attempt,
        tried: HashSet::new(),
        hasher: RandomState::new(),
        count: None,
        stopped: false,
    };
    loop {
        let before = shrinker.size.clone();
        shrinker.lines();
        shrinker.columns();
        shrinker.words();
        shrinker.values();
        shrinker.spaces();
        if shrinker.size == before {
            shrinker.groups();
        }
        if shrinker.stopped || shrinker.size == before {
            return shrinker.best.render();
        }
    }
}

/// A word with the white space before it.
#[derive(Clone)]
struct Token {
    space: Vec<u8>,
    word: Vec<u8>,
}

impl Token {
    /// The value of a whole number in its usual spelling.
    fn number(&self) -> Option<i64> {
        let number: i64 = std::str::from_utf8(&self.word).ok()?.parse().ok()?;
        (number.to_string().as_bytes() == self.word).then_some(number)
    }
}

/// A line without its newline.
#[derive(Clone, Default)]
struct TextLine {
    tokens: Vec<Token>,
    /// White space after the last word.
    tail: Vec<u8>,
}

impl TextLine {
    fn parse(line: &[u8]) -> Self {
        let mut parsed = Self::default();
        let mut rest = line;
        loop {
            let space = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            let word = rest[space..].iter().take_while(|byte| !byte.is_ascii_whitespace()).count();
            if word == 0 {
                parsed.tail = rest.to_vec();
                return parsed;
            }
            let (token, behind) = rest.split_at(space + word);
            parsed.tokens.push(Token { space: token[..space].to_vec(), word: token[space..].to_vec() });
            rest = behind;
        }
    }

    /// Removes words; the white space before the first of them stays.
    fn remove(&mut self, start: usize, count: usize) {
        let end = (start + count).min(self.tokens.len());
        let space = self.tokens.get(start).map(|token| token.space.clone());
        self.tokens.drain(start..end);
        if let (Some(token), Some(space)) = (self.tokens.get_mut(start), space) {
            token.space = space;
        }
    }
}

/// The size of a text: words and lines, bytes, and the bytes themselves.
type Size = (usize, usize, Vec<u8>);

#[derive(Clone)]
struct Text {
    lines: Vec<TextLine>,
    ends_with_newline: bool,
}

impl Text {
    fn parse(input: &[u8]) -> Self {
        let ends_with_newline = input.ends_with(b"\n");
        let body = if ends_with_newline { &input[..input.len() - 1] } else { input };
        Self { lines: body.split(|byte| *byte == b'\n').map(TextLine::parse).collect(), ends_with_newline }
    }

    fn render(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (at, line) in self.lines.iter().enumerate() {
            if at > 0 {
                bytes.push(b'\n');
            }
            for token in &line.tokens {
                bytes.extend_from_slice(&token.space);
                bytes.extend_from_slice(&token.word);
            }
            bytes.extend_from_slice(&line.tail);
        }
        if self.ends_with_newline && !self.lines.is_empty() {
            bytes.push(b'\n');
        }
        bytes
    }

    fn size(&self) -> Size {
        let words: usize = self.lines.iter().map(|line| line.tokens.len() + 1).sum();
        let bytes = self.render();
        (words, bytes.len(), bytes)
    }

    fn number(&self, (line, token): (usize, usize)) -> Option<i64> {
        self.lines.get(line)?.tokens.get(token)?.number()
    }

    fn set(&mut self, (line, token): (usize, usize), word: Vec<u8>) {
        if let Some(token) = self.lines.get_mut(line).and_then(|line| line.tokens.get_mut(token)) {
            token.word = word;
        }
    }

    /// Numbers that may count the items on `line` and after it: those of the first line, those of the three lines
    /// before, and the first word of the line itself.
    fn counts(&self, line: usize) -> Vec<(usize, usize)> {
        let own = std::iter::once((line, 0));
        let before = (1..=3).filter_map(|back| line.checked_sub(back));
        let lines = std::iter::once(0).filter(|first| *first < line).chain(before);
        let all = lines.flat_map(|at| (0..self.lines[at].tokens.len()).map(move |token| (at, token)));
        let mut counts: Vec<(usize, usize)> = Vec::new();
        for place in all.chain(own) {
            if counts.len() < COUNTS && !counts.contains(&place) && self.number(place).is_some_and(|number| number > 0)
            {
                counts.push(place);
            }
        }
        counts
    }
}

struct Shrinker<F> {
    best: Text,
    size: Size,
    attempt: F,
    tried: HashSet<u64>,
    hasher: RandomState,
    /// The place of the last adjusted count that worked.
    count: Option<(usize, usize)>,
    stopped: bool,
}

impl<F: FnMut(&[u8]) -> ControlFlow<(), bool>> Shrinker<F> {
    /// Accepts a candidate if it is smaller and fails.
    fn take(&mut self, candidate: Text) -> bool {
        if self.stopped {
            return false;
        }
        let size = candidate.size();
        if size >= self.size || !self.tried.insert(self.hasher.hash_one(&size.2)) {
            return false;
        }
        match (self.attempt)(&size.2) {
            Continue(true) => {
                self.best = candidate;
                self.size = size;
                true
            }
            Continue(false) => false,
            Break(()) => {
                self.stopped = true;
                false
            }
        }
    }

    /// Accepts a candidate unchanged, or with one of the numbers around `line` reduced by the number of removed items.
    fn take_counted(&mut self, candidate: &Text, line: usize, removed: usize) -> bool {
        if self.take(candidate.clone()) {
            return true;
        }
        let mut counts = candidate.counts(line.min(candidate.lines.len().saturating_sub(1)));
        if let Some(at) = self.count.and_then(|right| counts.iter().position(|count| *count == right)) {
            counts[..=at].rotate_right(1);
        }
        let amounts = if removed == 1 { vec![1] } else { vec![removed, 1] };
        for amount in amounts {
            let Ok(amount) = i64::try_from(amount) else { continue };
            for place in &counts {
                let Some(less) = candidate.number(*place).and_then(|number| number.checked_sub(amount)) else {
                    continue;
                };
                if less < 0 || self.stopped {
                    continue;
                }
                let mut counted = candidate.clone();
                counted.set(*place, less.to_string().into_bytes());
                if self.take(counted) {
                    self.count = Some(*place);
                    return true;
                }
            }
        }
        false
    }

    /// Removes halves, quarters, … of `length` items. `remove` builds a candidate and accepts it if possible. `length`
    /// is evaluated again after each removal.
    fn in_chunks(&mut self, length: impl Fn(&Text) -> usize, mut remove: impl FnMut(&mut Self, usize, usize) -> bool) {
        let mut chunk = length(&self.best);
        while chunk > 0 && !self.stopped {
            // From the end, because earlier items are needed more often.
            let mut end = length(&self.best);
            while end > 0 && !self.stopped {
                let start = end.saturating_sub(chunk);
                remove(self, start, end - start);
                end = start.min(length(&self.best));
            }
            chunk /= 2;
        }
    }

    fn lines(&mut self) {
        self.in_chunks(
            |text| text.lines.len(),
            |shrinker, start, count| {
                let mut candidate = shrinker.best.clone();
                candidate.lines.drain(start..start + count);
                !candidate.lines.is_empty() && shrinker.take_counted(&candidate, start, count)
            },
        );
    }

    /// Removes a few neighbouring lines at any place, because halves and quarters rarely match lines that belong
    /// together.
    fn groups(&mut self) {
        for count in (2..=GROUP).rev() {
            let mut start = self.best.lines.len().saturating_sub(count);
            while self.best.lines.len() > count && self.best.lines.len() <= GROUPED && !self.stopped {
                let mut candidate = self.best.clone();
                candidate.lines.drain(start..(start + count).min(candidate.lines.len()));
                self.take_counted(&candidate, start, count);
                if start == 0 {
                    break;
                }
                start = (start - 1).min(self.best.lines.len().saturating_sub(count));
            }
        }
    }

    /// Reduces white space to single spaces between words, and none elsewhere.
    fn spaces(&mut self) {
        for line in 0..self.best.lines.len() {
            for token in 0..self.best.lines[line].tokens.len() {
                let plain: &[u8] = if token == 0 { b"" } else { b" " };
                if self.best.lines[line].tokens[token].space != plain {
                    let mut candidate = self.best.clone();
                    candidate.lines[line].tokens[token].space = plain.to_vec();
                    self.take(candidate);
                }
            }
            if !self.best.lines[line].tail.is_empty() {
                let mut candidate = self.best.clone();
                candidate.lines[line].tail.clear();
                self.take(candidate);
            }
        }
    }

    /// Removes the same columns from neighbouring lines with equally many words, such as arrays of one length or grids.
    fn columns(&mut self) {
        let mut first = 0;
        while first < self.best.lines.len() && !self.stopped {
            let width = |text: &Text, line: usize| text.lines.get(line).map_or(0, |line| line.tokens.len());
            let wide = width(&self.best, first);
            let mut last = first + 1;
            while last < self.best.lines.len() && width(&self.best, last) == wide {
                last += 1;
            }
            if last - first > 1 && wide > 1 {
                self.in_chunks(
                    |text| width(text, first),
                    |shrinker, start, count| {
                        let mut candidate = shrinker.best.clone();
                        candidate.lines[first..last].iter_mut().for_each(|line| line.remove(start, count));
                        shrinker.take_counted(&candidate, first, count)
                    },
                );
            }
            first = last;
        }
    }

    fn words(&mut self) {
        for line in 0..self.best.lines.len() {
            self.in_chunks(
                |text| text.lines[line].tokens.len(),
                |shrinker, start, count| {
                    let mut candidate = shrinker.best.clone();
                    candidate.lines[line].remove(start, count);
                    if shrinker.take_counted(&candidate, line, count) {
                        return true;
                    }
                    count == 1 && shrinker.without_gap(candidate, line, start)
                },
            );
        }
    }

    /// After a number was removed from a permutation, decrements all larger ones.
    fn without_gap(&mut self, mut candidate: Text, line: usize, removed: usize) -> bool {
        let Some(gone) = self.best.number((line, removed)) else { return false };
        for token in 0..candidate.lines[line].tokens.len() {
            if let Some(number) = candidate.number((line, token)).filter(|number| *number > gone) {
                candidate.set((line, token), (number - 1).to_string().into_bytes());
            }
        }
        self.take_counted(&candidate, line, 1)
    }

    /// Simplifies every word.
    fn values(&mut self) {
        for line in 0..self.best.lines.len() {
            for token in 0..self.best.lines[line].tokens.len() {
                if self.stopped {
                    return;
                }
                self.number((line, token));
                self.letters((line, token));
            }
        }
    }

    fn replace(&mut self, place: (usize, usize), word: Vec<u8>) -> bool {
        let mut candidate = self.best.clone();
        candidate.set(place, word);
        self.take(candidate)
    }

    /// Moves a whole number closer to zero.
    fn number(&mut self, place: (usize, usize)) {
        let Some(number) = self.best.number(place) else { return };
        for simple in [0, 1, number.checked_abs().unwrap_or(0)] {
            if self.replace(place, simple.to_string().into_bytes()) {
                break;
            }
        }
        let Some(mut number) = self.best.number(place) else { return };
        let mut step = number / 2;
        while step != 0 && !self.stopped {
            if self.replace(place, (number - step).to_string().into_bytes()) {
                number -= step;
                step = step.signum() * step.abs().min(number.abs() / 2);
            } else {
                step /= 2;
            }
        }
    }

    /// Removes letters of a word, and replaces the others by the first of their kind.
    fn letters(&mut self, place: (usize, usize)) {
        let word = |text: &Text| text.lines[place.0].tokens[place.1].word.clone();
        self.in_chunks(
            |text| word(text).len(),
            |shrinker, start, count| {
                let mut shorter = word(&shrinker.best);
                let was_number = shrinker.best.number(place).is_some();
                shorter.drain(start..start + count);
                let mut candidate = shrinker.best.clone();
                candidate.set(place, shorter.clone());
                let padded = was_number && candidate.number(place).is_none();
                !shorter.is_empty() && !padded && shrinker.take_counted(&candidate, place.0, count)
            },
        );
        if self.best.number(place).is_some() {
            return;
        }
        for at in 0..word(&self.best).len() {
            let mut simpler = word(&self.best);
            let Some(byte) = simpler.get_mut(at) else { return };
            *byte = match byte {
                b'0'..=b'9' => b'0',
                b'A'..=b'Z' => b'A',
                b'a'..=b'z' => b'a',
                _ => continue,
            };
            self.replace(place, simpler);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Shrinks while `fails` holds, and returns how often it was called.
    fn shrunk(input: &str, fails: impl Fn(&str) -> bool) -> (String, usize) {
        assert!(fails(input), "{input:?}");
        let mut asked = 0;
        let small = shrink(input.as_bytes(), |candidate| {
            asked += 1;
            Continue(std::str::from_utf8(candidate).is_ok_and(&fails))
        });
        (String::from_utf8(small).unwrap(), asked)
    }

    fn numbers(line: Option<&str>) -> Option<Vec<i64>> {
        line?.split(' ').map(|word| word.parse().ok()).collect()
    }

    fn count<T>(items: &[T]) -> i64 {
        i64::try_from(items.len()).unwrap()
    }

    #[test]
    fn what_does_not_matter_goes() {
        for (input, small) in [
            ("1 5 7 9\n3 4\n", "7\n"),
            ("1 5 7 9\n3 4", "7"),
            ("abc 17 7x\n", "7\n"),
            ("hello\nx 4732\n\n\n", "7\n"),
            ("7", "7"),
        ] {
            assert_eq!(shrunk(input, |text| text.contains('7')).0, small, "{input:?}");
        }
        assert_eq!(shrunk("x y z\n", |_| true).0, "\n");
        assert_eq!(shrunk("", |_| true).0, "");
    }

    #[test]
    fn numbers_come_near_to_zero() {
        let over = |text: &str| text.trim().parse::<i64>().is_ok_and(|number| number > 41);
        assert_eq!(shrunk("918273645\n", over).0, "42\n");
        let under = |text: &str| text.trim().parse::<i64>().is_ok_and(|number| number < -41);
        assert_eq!(shrunk("-918273645\n", under).0, "-42\n");
        let two = |text: &str| numbers(Some(text.trim())).is_some_and(|n| n.len() == 2 && n[0] > n[1]);
        assert_eq!(shrunk("700 -350\n", two).0, "0 -1\n");
        assert_eq!(shrunk(&format!("{}\n", i64::MIN), |text| text.trim().parse::<i64>().is_ok()).0, "0\n");
    }

    /// An `n`, then `n` numbers, one of which is above 5.
    fn counted(text: &str) -> bool {
        let mut lines = text.strip_suffix('\n').unwrap_or("x").split('\n');
        let (Some(n), Some(all)) = (numbers(lines.next()), numbers(lines.next())) else { return false };
        n.len() == 1
            && n[0] > 0
            && n[0] == count(&all)
            && all.iter().any(|number| *number > 5)
            && lines.next().is_none()
    }

    #[test]
    fn counts_are_adjusted() {
        assert_eq!(shrunk("6\n3 1 4 15 9 2\n", counted).0, "1\n6\n");
        // A number of lines, each with a number of words.
        let grid = |text: &str| {
            let mut lines = text.strip_suffix('\n').unwrap_or("x").split('\n');
            let Some(size) = numbers(lines.next()) else { return false };
            let rows: Option<Vec<Vec<i64>>> = lines.map(|line| numbers(Some(line))).collect();
            let Some(rows) = rows else { return false };
            let fits = size.len() == 2
                && count(&rows) == size[0]
                && size[0] > 0
                && rows.iter().all(|row| count(row) == size[1]);
            fits && rows.iter().flatten().any(|cell| *cell == 8)
        };
        assert_eq!(shrunk("3 4\n1 2 3 4\n5 6 7 8\n9 1 2 3\n", grid).0, "1 1\n8\n");
        // A word and its length.
        let word = |text: &str| {
            let Some((n, word)) = text.trim_end().split_once('\n') else { return false };
            n.parse() == Ok(word.len()) && word.contains('x') && word.bytes().all(|byte| byte.is_ascii_lowercase())
        };
        assert_eq!(shrunk("7\nabcxdef\n", word).0, "1\nx\n");
        // Cases of two lines each.
        let cases = |text: &str| {
            let lines: Vec<&str> = text.strip_suffix('\n').unwrap_or("x").split('\n').collect();
            let Ok(cases) = lines[0].parse::<usize>() else { return false };
            let fits = cases > 0 && lines.len() == 2 * cases + 1;
            let sound = |case: &[&str]| {
                let all = numbers(Some(case[1]));
                all.is_some_and(|all| numbers(Some(case[0])) == Some(vec![count(&all)]))
            };
            fits && lines[1..].chunks(2).all(sound) && text.contains('9')
        };
        assert_eq!(shrunk("3\n1\n1\n2\n1 9\n1\n1\n", cases).0, "1\n1\n9\n");
        // Each number from 1 once.
        let permutation = |text: &str| {
            let mut lines = text.strip_suffix('\n').unwrap_or("x").split('\n');
            let (Some(n), Some(mut all)) = (numbers(lines.next()), numbers(lines.next())) else { return false };
            let unsorted = !all.is_sorted();
            all.sort_unstable();
            n == [count(&all)] && all.iter().copied().eq(1..=n[0]) && unsorted
        };
        assert_eq!(shrunk("6\n1 6 3 4 2 5\n", permutation).0, "2\n2 1\n");
    }

    #[test]
    fn words_become_plain() {
        let word = |text: &str| text.trim().len() >= 3 && text.trim().bytes().all(|byte| byte.is_ascii_alphabetic());
        assert_eq!(shrunk("wOrld\n", word).0.to_lowercase(), "aaa\n");
    }

    #[test]
    fn white_space_that_matters_stays() {
        let spaced = |text: &str| text.contains("\t7") && text.starts_with("  ");
        assert_eq!(shrunk("  x\t7 4\n", spaced).0, "  x\t7\n".replace('x', "a"));
    }

    #[test]
    fn an_end_that_is_asked_for_comes_at_once() {
        let mut asked = 0;
        let input = "1 2 3 4 5 6 7 8 9\n".repeat(100);
        let small = shrink(input.as_bytes(), |_| {
            asked += 1;
            if asked == 3 { Break(()) } else { Continue(true) }
        });
        assert!(asked == 3 && small.len() < input.len());
    }

    proptest! {
        #[test]
        fn it_ends_with_something_that_fails(
            input in "([0-9a-c-]{0,4}[ \n]){0,20}[0-9a-c\n]{0,3}", needle in "[0-9a-c]{1,2}"
        ) {
            // Numbers shrink only by value: `100` does not become `00`.
            prop_assume!(input.contains(&needle) && !(needle.len() == 2 && needle.starts_with('0')));
            let (small, asked) = shrunk(&input, |text| text.contains(&needle));
            prop_assert!(small.contains(&needle) && small.len() <= input.len());
            prop_assert_eq!(small.trim(), needle.as_str());
            prop_assert!(asked < 5_000, "{}", asked);
        }

        #[test]
        fn any_bytes_will_do(input in proptest::collection::vec(any::<u8>(), 1..60), at: proptest::sample::Index) {
            let byte = *at.get(&input);
            let small = shrink(&input, |candidate| Continue(candidate.contains(&byte)));
            prop_assert!(small.contains(&byte) && small.len() <= input.len());
            // Shrinking the result again changes nothing.
            let again = shrink(&small, |candidate| Continue(candidate.contains(&byte)));
            prop_assert_eq!(again, small);
        }
    }
}
