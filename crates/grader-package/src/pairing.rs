//! Decides by names which tests of a folder are whose: `A.cpp` has `A1.in`, `01.py` has `inputs/01.txt`, and `part1.py` has
//! the answers of the first part. Pure.
//!
//! Names decide only if they give tests to several programs. A test that no name gives to a program belongs to all.

use std::collections::BTreeSet;

use super::puzzle::{Part, take_part, words};
use grader_model::problem::Pairing;

/// Words before the number of a day.
const DAYS: &[&str] = &["day", "d", "aoc", "adv", "advent", "puzzle"];
/// Words of inputs and answers that say nothing about whose they are.
const FILES: &[&str] = &[
    "input", "inputs", "in", "output", "outputs", "out", "answer", "answers", "example", "examples", "sample",
    "samples", "test", "tests", "case", "puzzle", "real", "my",
];
/// Words before the number of an attempt: these programs solve the same problem.
const ATTEMPTS: &[&str] = &["sol", "solution", "solve", "main", "attempt", "try", "v", "version", "program", "code"];

/// The name of a program of a folder, split into words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stem {
    text: String,
    words: Vec<String>,
    /// The part of a puzzle that it solves.
    pub part: Option<Part>,
    /// The part, or the letter of the problem, that its name has.
    named: Option<Part>,
}

impl Stem {
    /// Reads the name of a program without its extension.
    pub fn new(text: &str) -> Self {
        let mut words = words(text);
        // `p001` is the number of a problem.
        let is_number = text.strip_prefix(['p', 'P']).is_some_and(|rest| rest.starts_with('0') && is_number(rest));
        let part = if is_number { None } else { take_part(&mut words).or_else(|| take_letter(&mut words)) };
        Self { text: text.to_owned(), words, part, named: part }
    }

    /// The number of a day: `01`, `day1`.
    fn day(&self) -> Option<&str> {
        let number = match &self.words[..] {
            [day, number, ..] if DAYS.contains(&&**day) => number,
            [number] => number,
            _ => return None,
        };
        is_number(number).then_some(number)
    }

    /// Whether it is called like a day in words: `day01`, `aoc2`.
    pub(crate) fn is_named_day(&self) -> bool {
        self.day().is_some() && self.words.len() > 1
    }

    /// The number of the day whose input has this name: `01`, `day1`, `input01`, `day01input`.
    fn day_of_input(&self) -> Option<&str> {
        let is_year = |word: &String| {
            word.len() == 4 && is_number(word) && self.words.iter().filter(|word| is_number(word)).count() > 1
        };
        let is_said = |word: &&String| !FILES.contains(&&***word) && !DAYS.contains(&&***word) && !is_year(word);
        match self.words.iter().filter(is_said).collect::<Vec<_>>()[..] {
            [number] if is_number(number) => Some(number),
            _ => None,
        }
    }

    /// How many characters of a test's name are the program's name. None if the test is not its own.
    fn owns(&self, test: &str) -> Option<usize> {
        // `test.py` beside `test1.in` is not meant.
        if !self.words.is_empty() && self.words.iter().all(|word| FILES.contains(&&**word)) && self.part.is_none() {
            return None;
        }
        let starts = test.strip_prefix(&*self.text).is_some_and(|rest| {
            let is_glued = |first: char| {
                first.is_alphabetic()
                    || self.text.ends_with(|last: char| last.is_ascii_digit()) && first.is_ascii_digit()
            };
            !rest.starts_with(is_glued)
        });
        // `aoc10.1` and `day18q1` are parts of what `aoc10` and `day18` belong to.
        let is_beginning = self.text.strip_prefix(test).is_some_and(|rest| {
            let is_named = test.bytes().any(|byte| byte.is_ascii_alphabetic());
            is_named
                && test.ends_with(|last: char| last.is_ascii_digit())
                && !rest.starts_with(|next: char| next.is_ascii_digit())
        });
        // `1068_weird.cpp` has `1068.in`.
        let lead = |text: &str| -> Option<(String, String)> {
            let (lead, rest) = text.split_once(['-', '_', ' ', '.'])?;
            lead.bytes().any(|byte| byte.is_ascii_digit()).then(|| (lead.to_owned(), rest.to_owned()))
        };
        let is_same_number = || {
            let Some((own, rest)) = lead(&self.text) else { return false };
            // `abc300_b` is not that of `abc300_a`.
            let is_number_or_file = |word: &String| is_number(word) || FILES.contains(&&**word);
            let of_test = lead(test).filter(|(_, rest)| words(rest).iter().all(is_number_or_file));
            let is_letter = rest.chars().count() == 1;
            own == test || !is_letter && of_test.is_some_and(|(of_test, _)| of_test == own)
        };
        let is_same_mark = || {
            let own = mark(&self.text);
            let of_test = mark(test).or_else(|| mark(&format!("input_{test}")));
            let (Some((words, own)), Some((kind, other))) = (own, of_test) else { return false };
            own == other && ATTEMPTS.contains(&&*words) && FILES.contains(&&*kind)
        };
        // `1520A.in` is not that of `1520B.py`.
        let is_same_day = || {
            let test = Self::new(test);
            let is_apart = self.named.is_some() && test.named.is_some() && self.named != test.named;
            self.day().is_some() && self.day() == test.day_of_input() && !is_apart
        };
        (starts || is_beginning || is_same_day() || is_same_number() || is_same_mark()).then_some(self.text.len())
    }
}

/// The letter at the end of a name with what is before it, both in lower case: `solutionA`, `solve_a`, `input_a`.
fn mark(text: &str) -> Option<(String, char)> {
    let letter = text.chars().last().filter(char::is_ascii_alphabetic)?;
    let before = &text[..text.len() - 1];
    let is_apart = before.ends_with(['-', '_', ' '])
        || letter.is_ascii_uppercase() && before.ends_with(|last: char| last.is_ascii_lowercase());
    let words = before.trim_end_matches(['-', '_', ' ']).to_lowercase();
    is_apart.then(|| (words, letter.to_ascii_lowercase()))
}

/// Takes the letter of a part after the number of a day: `1a`, `day01b`.
fn take_letter(words: &mut Vec<String>) -> Option<Part> {
    let (number, letter) = match &words[..] {
        [number, letter] => (number, letter),
        [day, number, letter] if ["day", "d"].contains(&&**day) => (number, letter),
        _ => return None,
    };
    let part = match &**letter {
        "a" if is_number(number) => 1,
        "b" if is_number(number) => 2,
        _ => return None,
    };
    words.pop();
    Some(part)
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

/// The name of a new test of a program in a folder where names decide: the next number, if the program owns that name.
pub fn new_name(program: &str, next: &str, taken: &[&str]) -> String {
    if Stem::new(program).owns(next).is_some() {
        return next.to_owned();
    }
    let mark = if program.ends_with(|last: char| last.is_ascii_digit()) { "-" } else { "" };
    let mut names = (1..).map(|number: u32| format!("{program}{mark}{number}"));
    names.find(|name| !taken.contains(&&**name)).unwrap_or_default()
}

/// Whether the name of a program says that it solves something: a day, a part, or all.
pub(crate) fn names_a_solution(name: &str) -> bool {
    let stem = Stem::new(name);
    stem.part.is_some() || stem.day().is_some() || names_whole(name)
}

/// Whether the name of a program says that it solves all that is asked.
pub(crate) fn names_whole(name: &str) -> bool {
    ["main", "solution", "solve"].contains(&&*name.to_lowercase())
}

/// The number of the day in a name: `1` for `day01`. `2023` is a year.
pub fn day_of(name: &str) -> Option<String> {
    Stem::new(name).day().filter(|number| number.len() < 4).map(str::to_owned)
}

/// Finds parts of a puzzle among programs called `1.py` and `2.py`, `day01a.py` and `day01b.py`: two names that differ in
/// the last word, and no third one. Such names may also be those of days, whose tests are called like them.
pub(crate) fn find_parts(programs: &mut [Stem], tests: &[&str]) {
    const LAST: [&[&str]; 2] = [&["1", "a", "one"], &["2", "b", "two"]];
    find_second_parts(programs);
    let has_own = programs.iter().any(|program| tests.iter().any(|test| program.owns(test).is_some()));
    if has_own || programs.iter().any(|program| program.part.is_some()) {
        return;
    }
    let part_of = |word: &str| (1..).zip(LAST).find(|(_, words)| words.contains(&word)).map(|(part, _)| part);
    // `visualize` beside `a` and `b` is not a third part.
    let is_mark = |last: &str| last.chars().count() == 1 || is_number(last) || part_of(last).is_some();
    let split = |program: &Stem| {
        let (last, base) = program.words.split_last()?;
        // `day01` and `day02` are two days.
        let is_day = matches!(base, [day] if ["day", "d"].contains(&&**day)) && is_number(last);
        (is_mark(last) && !is_day).then(|| (base.to_vec(), last.clone()))
    };
    let all: Vec<_> = programs.iter().filter_map(split).collect();
    for program in programs.iter_mut() {
        let Some((base, last)) = split(program) else { continue };
        let same: BTreeSet<&str> = all.iter().filter(|(other, _)| *other == base).map(|(_, last)| &**last).collect();
        let parts: BTreeSet<Option<Part>> = same.iter().map(|last| part_of(last)).collect();
        if same.len() == 2 && parts == BTreeSet::from([Some(1), Some(2)]) {
            program.part = part_of(&last);
        }
    }
}

/// Finds `day1.py` beside `day1b.py` or `day1_2.py`: the first and the second part of a day.
fn find_second_parts(programs: &mut [Stem]) {
    let base_of = |second: &Stem| match (second.part, second.words.split_last()) {
        (Some(2), _) => Some(second.words.clone()),
        (None, Some((last, base))) if last == "2" || last == "two" => Some(base.to_vec()),
        _ => None,
    };
    for second in 0..programs.len() {
        let Some(base) = base_of(&programs[second]) else { continue };
        let is_of_day = |stem: &Stem| stem.words.len() < 3 && stem.day().is_some();
        let same: Vec<usize> = (0..programs.len())
            .filter(|at| *at != second && programs[*at].words == base && is_of_day(&programs[*at]))
            .collect();
        if let [first] = same[..]
            && programs[first].part.is_none()
        {
            (programs[first].part, programs[second].part) = (Some(1), Some(2));
        }
    }
}

/// Programs that share their tests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Share {
    /// Their name in messages: that of the part, or of the first program.
    pub name: String,
    /// Their positions.
    pub programs: Vec<usize>,
    /// The positions of their tests.
    pub tests: BTreeSet<usize>,
    /// The reason for the pairing.
    pub pairing: Pairing,
}

/// Whether the programs are called like different problems of a contest: by letters, such as `A` and `B`, and no number.
pub(crate) fn are_letters(programs: &[Stem]) -> bool {
    let is_letter = |program: &Stem| program.words.last().is_some_and(|last| !is_number(last));
    are_numbered(programs) && programs.iter().all(is_letter)
}

/// Whether the programs are called like different problems: by letters, such as `A` and `B`, or by numbers, such as
/// `day01` and `day02`.
fn are_numbered(programs: &[Stem]) -> bool {
    let numbered = |program: &Stem| {
        let (last, base) = program.words.split_last()?;
        let is_letter = last.chars().count() == 1 && !is_number(last);
        let is_attempt = base.last().is_none_or(|word| ATTEMPTS.contains(&&**word));
        (is_letter || is_number(last) && !is_attempt).then(|| (base.to_vec(), last.clone()))
    };
    let all: Option<BTreeSet<_>> = programs.iter().map(numbered).collect();
    all.is_some_and(|all| all.len() > 1 && all.iter().map(|(base, _)| base).collect::<BTreeSet<_>>().len() == 1)
}

/// The programs, with `A2` as another attempt at `A` if the tests are `A1` and `A2`, and no program is called `A1`.
fn without_attempts(programs: &[Stem], tests: &[&str]) -> Vec<Stem> {
    let has = |name: &str| programs.iter().find(|program| program.text == name);
    let of = |program: &Stem| {
        let base = program.text.trim_end_matches(|c: char| c.is_ascii_digit());
        let first = format!("{base}1");
        let is_attempt = base != program.text && has(&first).is_none() && tests.contains(&&*first);
        has(base).filter(|_| is_attempt).unwrap_or(program).clone()
    };
    programs.iter().map(of).collect()
}

/// Which tests the sources of programs name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mentions {
    /// The tests whose inputs the source of each program names.
    pub of_programs: Vec<BTreeSet<usize>>,
    /// The tests that are there only because a source names them.
    pub deciding: BTreeSet<usize>,
}

/// Shares the tests out among the programs. One share if names do not distinguish the programs. `tests` are names without
/// group. `mentions` are the tests whose inputs the source of each program names: they decide if no
/// two programs name the same, unless they name the same ones.
pub(crate) fn share(programs: &[Stem], tests: &[&str], mentions: &Mentions) -> Vec<Share> {
    let Mentions { of_programs: mentions, deciding } = mentions;
    let programs = &without_attempts(programs, tests)[..];
    let mentioned: BTreeSet<&BTreeSet<usize>> = mentions.iter().filter(|tests| !tests.is_empty()).collect();
    let are_apart = mentioned.iter().flat_map(|tests| tests.iter()).count()
        == mentioned.iter().flat_map(|tests| tests.iter()).collect::<BTreeSet<_>>().len();
    let by_name = |test: &&str| -> Vec<usize> {
        let lengths: Vec<Option<usize>> = programs.iter().map(|program| program.owns(test)).collect();
        // `A_slow.py` owns `A_slow1`, which `A.py` would own too.
        let most = lengths.iter().flatten().max();
        (0..programs.len()).filter(|at| most.is_some() && lengths[*at].as_ref() == most).collect()
    };
    let is_by_source = mentioned.len() > 1 && are_apart;
    let by_source = |test: usize| {
        (0..mentions.len())
            .filter(|at| (is_by_source || deciding.contains(&test)) && mentions[*at].contains(&test))
            .collect::<Vec<_>>()
    };
    let owners: Vec<Vec<usize>> = (0..tests.len())
        .map(|test| Some(by_source(test)).filter(|owners| !owners.is_empty()).unwrap_or_else(|| by_name(&tests[test])))
        .collect();
    let own = |program: usize| -> BTreeSet<usize> {
        (0..tests.len()).filter(|test| owners[*test].contains(&program)).collect()
    };
    let sets: BTreeSet<BTreeSet<usize>> = (0..programs.len()).map(own).filter(|own| !own.is_empty()).collect();
    let are_all_owned = !tests.is_empty() && owners.iter().all(|owners| !owners.is_empty());
    let names_decide = sets.len() > 1 || !sets.is_empty() && (are_numbered(programs) || are_all_owned);
    // A solution or an attempt at it is for the only problem that is here.
    let is_for_any =
        |program: usize| sets.len() == 1 && programs[program].words.iter().any(|word| ATTEMPTS.contains(&&**word));
    // The input of a day that has no solution yet.
    let are_days = programs.iter().all(|program| program.day().is_some());
    let is_of_nobody = |test: usize| owners[test].is_empty() && are_days && Stem::new(tests[test]).is_named_day();
    // `A_slow.py` without tests of its own has those of `A.py`.
    let model = |program: usize| {
        let text = &programs[program].text;
        let models = (0..programs.len()).filter(|other| *other != program && !own(*other).is_empty());
        let nearest = models.filter_map(|other| Some((programs[other].owns(text)?, other))).max();
        nearest.filter(|_| own(program).is_empty()).map_or(program, |(_, other)| other)
    };
    let tests_of = |program: usize| -> BTreeSet<usize> {
        let program = model(program);
        let is_its = |test: &usize| {
            let is_own = owners[*test].is_empty() && !is_of_nobody(*test) || owners[*test].contains(&program);
            !names_decide || is_own || is_for_any(program)
        };
        (0..tests.len()).filter(is_its).collect()
    };
    let mut shares: Vec<(Option<Part>, Share)> = Vec::new();
    for (at, program) in programs.iter().enumerate() {
        let tests = tests_of(at);
        let same = shares.iter_mut().find(|(part, share)| *part == program.part && share.tests == tests);
        if let Some((_, share)) = same {
            share.programs.push(at);
            continue;
        }
        let pairing = if names_decide { Pairing::Names } else { Pairing::Puzzle };
        let share = Share { name: program.text.clone(), programs: vec![at], tests, pairing };
        shares.push((program.part, share));
    }
    if !names_decide {
        for (part, share) in &mut shares {
            share.name = part.map_or_else(|| share.name.clone(), |part| format!("part{part}"));
        }
    }
    shares.into_iter().map(|(_, share)| share).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `name: programs: tests` of each share.
    fn shared(programs: &[&str], tests: &[&str]) -> Vec<String> {
        let stems: Vec<Stem> = programs.iter().map(|name| Stem::new(name)).collect();
        let told = |share: &Share| {
            let programs: Vec<&str> = share.programs.iter().map(|at| programs[*at]).collect();
            let tests: Vec<&str> = share.tests.iter().map(|at| tests[*at]).collect();
            format!("{}: {}: {}", share.name, programs.join(" "), tests.join(" "))
        };
        share(&stems, tests, &Mentions::default()).iter().map(told).collect()
    }

    #[test]
    fn new_tests_are_those_of_their_program() {
        for (program, next, taken, expect) in [
            ("A", "1", &["A"][..], "A1"),
            ("A", "A2", &["A1"], "A2"),
            ("A", "3", &["1", "2", "A1"], "A2"),
            ("day01", "day02", &["day01"], "day01-1"),
        ] {
            assert_eq!(new_name(program, next, taken), expect);
        }
    }

    #[test]
    fn pairs_of_names_are_parts() {
        for (programs, tests, expect) in [
            (&["1", "2"][..], &["input"][..], &[Some(1), Some(2)][..]),
            (&["day01a", "day01b"], &["input"], &[Some(1), Some(2)]),
            (&["day1_1", "day1_2"], &["input"], &[Some(1), Some(2)]),
            (&["1", "2"], &["01", "02"], &[None, None]),
            (&["1", "2", "3"], &["input"], &[None, None, None]),
            (&["a", "2"], &["input"], &[Some(1), Some(2)]),
            (&["day01", "day02"], &["input"], &[None, None]),
            (&["puzzle1", "puzzle2", "x"], &["input"], &[Some(1), Some(2), None]),
            (&["a", "b", "visualize"], &["input"], &[Some(1), Some(2), None]),
            (&["p001", "p002", "p022"], &["input"], &[None, None, None]),
        ] {
            let mut stems: Vec<Stem> = programs.iter().map(|name| Stem::new(name)).collect();
            find_parts(&mut stems, tests);
            assert_eq!(stems.iter().map(|stem| stem.part).collect::<Vec<_>>(), expect, "{programs:?}");
        }
    }

    #[test]
    fn names_decide_if_they_tell_programs_apart() {
        for (programs, tests, expect) in [
            (&["A", "B"][..], &["A1", "A2", "B1"][..], &["A: A: A1 A2", "B: B: B1"][..]),
            (&["A", "A_slow", "B"], &["A", "B"], &["A: A A_slow: A", "B: B: B"]),
            (&["A", "B", "C"], &["A", "B"], &["A: A: A", "B: B: B", "C: C: "]),
            (&["A", "B"], &["A", "B", "sample"], &["A: A: A sample", "B: B: B sample"]),
            (&["sum", "brute"], &["sum1", "2"], &["sum: sum brute: sum1 2"]),
            (&["A", "B"], &["A1"], &["A: A: A1", "B: B: "]),
            (&["A", "A2"], &["A1", "A2"], &["A: A A2: A1 A2"]),
            (&["A", "A1", "A2"], &["A1", "A2"], &["A: A: ", "A1: A1: A1", "A2: A2: A2"]),
            (&["A", "A2", "B"], &["A1", "A2", "B1"], &["A: A A2: A1 A2", "B: B: B1"]),
            (&["A", "B"], &["1"], &["A: A B: 1"]),
            (&["two_sum", "three_sum"], &["two_sum1"], &["two_sum: two_sum: two_sum1", "three_sum: three_sum: "]),
            (&["two_sum", "solution"], &["two_sum1"], &["two_sum: two_sum solution: two_sum1"]),
            (&["main", "test"], &["test1", "test2"], &["main: main test: test1 test2"]),
            (&["solutionA", "solutionB"], &["A", "B"], &["solutionA: solutionA: A", "solutionB: solutionB: B"]),
            (
                &["solve_a", "solve_b"],
                &["input_a", "input_b"],
                &["solve_a: solve_a: input_a", "solve_b: solve_b: input_b"],
            ),
            (&["p1", "p2"], &["p1_1", "p2_1"], &["p1: p1: p1_1", "p2: p2: p2_1"]),
            (
                &["1a-theatre", "4a-watermelon"],
                &["1a", "4a"],
                &["1a-theatre: 1a-theatre: 1a", "4a-watermelon: 4a-watermelon: 4a"],
            ),
            (
                &["1068_weird", "1083_missing"],
                &["1068"],
                &["1068_weird: 1068_weird: 1068", "1083_missing: 1083_missing: "],
            ),
            (
                &["day01", "day02", "day03"],
                &["day01_example", "example02", "day02_test"],
                &["day01: day01: day01_example", "day02: day02: example02 day02_test", "day03: day03: "],
            ),
            (&["day01", "day02"], &["day01"], &["day01: day01: day01", "day02: day02: "]),
            (&["sol1", "sol2"], &["sol1"], &["sol1: sol1 sol2: sol1"]),
            (
                &["day12", "day13"],
                &["day12input", "day13input"],
                &["day12: day12: day12input", "day13: day13: day13input"],
            ),
            (&["adv07", "adv08"], &["07", "08"], &["adv07: adv07: 07", "adv08: adv08: 08"]),
            (
                &["aoc10.1", "aoc10.2", "aoc11.1"],
                &["aoc10", "aoc11"],
                &["aoc10.1: aoc10.1 aoc10.2: aoc10", "aoc11.1: aoc11.1: aoc11"],
            ),
            (&["1520A", "1520B"], &["1520A", "1520B"], &["1520A: 1520A: 1520A", "1520B: 1520B: 1520B"]),
            (&["1520A", "1520B"], &["1520A"], &["1520A: 1520A: 1520A", "1520B: 1520B: "]),
            (
                &["abc300_a", "abc300_b"],
                &["abc300_a", "abc300_b"],
                &["abc300_a: abc300_a: abc300_a", "abc300_b: abc300_b: abc300_b"],
            ),
            (&["1A", "1B", "1C"], &["1A", "1B", "1C"], &["1A: 1A: 1A", "1B: 1B: 1B", "1C: 1C: 1C"]),
            (&["day1a", "day1b"], &["day1"], &["day1a: day1a: day1", "day1b: day1b: day1"]),
            (&["sum", "brute"], &["1", "2"], &["sum: sum brute: 1 2"]),
            (&["day01", "day02"], &["input01", "input02"], &["day01: day01: input01", "day02: day02: input02"]),
            (&["01", "02", "10"], &["01", "02", "10"], &["01: 01: 01", "02: 02: 02", "10: 10: 10"]),
            (
                &["day1", "day2", "day10"],
                &["01", "02", "10"],
                &["day1: day1: 01", "day2: day2: 02", "day10: day10: 10"],
            ),
            (
                &["part1", "part2"],
                &["input", "example"],
                &["part1: part1: input example", "part2: part2: input example"],
            ),
            (
                &["day01a", "day01b", "day02a"],
                &["day01", "day02"],
                &["day01a: day01a: day01", "day01b: day01b: day01", "day02a: day02a: day02"],
            ),
            (&["part1", "part1_fast", "part2"], &["input"], &["part1: part1 part1_fast: input", "part2: part2: input"]),
            (&["solution"], &["input"], &["solution: solution: input"]),
        ] {
            assert_eq!(shared(programs, tests), expect, "{programs:?} {tests:?}");
        }
    }
}
