//! Recognises the inputs and answers of puzzles by the words in their names: `input.txt`, `example2.txt`,
//! `answer_part1.txt`, as people who solve Advent of Code call them. Pure.
//!
//! An answer belongs to the input with the same remaining words: `example_answer.txt` to `example.txt`, and `answer.txt` to
//! `input.txt`. A puzzle may have two parts with different answers to the same input.

use std::collections::BTreeSet;
use std::path::Path;

use crate::program_files::family;
use grader_model::problem::{CaseNaming, FilePattern};
use grader_model::suggest;

/// Words for an input that is the puzzle's own. They say no more than that it is the input.
const OWN: &[&str] = &["input", "inputs", "puzzle", "my", "real"];
/// Words for an example.
const EXAMPLES: &[&str] = &["example", "examples", "sample", "samples"];
/// Words that may come with them.
const MORE: &[&str] = &["test", "tests", "demo", "small", "large", "day"];
/// Words for an answer.
const ANSWERS: &[&str] = &[
    "answer",
    "answers",
    "ans",
    "expected",
    "output",
    "outputs",
    "out",
    "result",
    "results",
    "solution",
    "solutions",
    "sol",
];
/// The extensions of an input. The empty one means none.
const INPUT_ENDINGS: &[&str] = &["", "txt", "in", "dat", "data", "csv", "input", "text"];
/// The extensions that make any file an answer.
const ANSWER_ENDINGS: &[&str] = &["ans", "out", "answer", "expected", "output", "sol"];

/// A part of a puzzle: the first or the second. Some puzzles have a third (Everybody Codes).
pub(crate) type Part = u8;

/// An input with the names of its files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PuzzleCase {
    /// The name of the case: that of the input without its extension.
    pub name: String,
    /// The file of the input, and of the answer, even if it does not exist yet.
    pub naming: CaseNaming,
    /// Whether it is the puzzle's own input, or the only file that programs name.
    pub is_own: bool,
    /// Whether there is an answer.
    pub is_answered: bool,
    /// Whether a part was asked for, and the answer is that of the whole puzzle. It may have a line for each part.
    pub is_of_all_parts: bool,
}

/// Where the files are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Where<'n> {
    /// Beside a program, where a file may be anything.
    Beside,
    /// In a folder for inputs. A number or the name of a day is enough there: `01.txt`.
    InputFolder,
    /// Where sources name these files, and nothing else is an input.
    Named(&'n BTreeSet<String>),
}

/// The words of a name: runs of letters, and runs of digits without leading zeros, in lower case.
pub fn words(stem: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut last = None;
    for character in stem.chars() {
        let kind = match character {
            _ if character.is_ascii_digit() => Some(true),
            _ if character.is_alphabetic() => Some(false),
            _ => None,
        };
        if kind.is_some() {
            if kind != last {
                words.push(String::new());
            }
            if let Some(word) = words.last_mut() {
                word.extend(character.to_lowercase());
            }
        }
        last = kind;
    }
    let plain = |word: String| match word.trim_start_matches('0') {
        "" if word.starts_with('0') => "0".to_owned(),
        rest if word.starts_with('0') => rest.to_owned(),
        _ => word,
    };
    words.into_iter().map(plain).collect()
}

/// The two known words of which a word consists: `testinput`. Otherwise the word itself.
fn unglued(word: String) -> Vec<String> {
    let is_known = |word: &str| [OWN, EXAMPLES, MORE, ANSWERS].iter().any(|known| known.contains(&word));
    let mut splits = word.char_indices().skip(1).map(|(at, _)| word.split_at(at));
    let both = splits.find(|(one, other)| is_known(one) && is_known(other));
    match both.filter(|_| !is_known(&word)) {
        Some((one, other)) => vec![one.to_owned(), other.to_owned()],
        None => vec![word],
    }
}

/// Takes the part out of some words: `part 1`, `part two`, `p 1`.
pub(crate) fn take_part(words: &mut Vec<String>) -> Option<Part> {
    let part_of = |word: &str| match word {
        "1" | "a" | "i" | "one" => Some(1),
        "2" | "b" | "ii" | "two" => Some(2),
        "3" | "iii" | "three" => Some(3),
        _ => None,
    };
    let glued = |word: &str| word.strip_prefix("part").and_then(part_of);
    for at in 0..words.len() {
        let next = || words.get(at + 1).and_then(|next| part_of(next));
        let (part, taken) = match &*words[at] {
            "part" | "p" => (next(), 2),
            word => (glued(word), 1),
        };
        if part.is_some() {
            words.drain(at..at + taken);
            return part;
        }
    }
    None
}

/// A file name, split into the words that say which puzzle and which part it belongs to.
pub struct PuzzleName<'f> {
    file: &'f str,
    stem: &'f str,
    ending: &'f str,
    words: Vec<String>,
    part: Option<Part>,
    is_answer: bool,
    /// Whether a word says that it is an answer, and not the ending alone.
    is_answer_by_word: bool,
}

impl<'f> PuzzleName<'f> {
    fn new(file: &'f str) -> Option<Self> {
        let (stem, ending) = file.rsplit_once('.').unwrap_or((file, ""));
        let lower = ending.to_ascii_lowercase();
        let is_answer_ending = ANSWER_ENDINGS.contains(&&*lower);
        if stem.is_empty() || !(is_answer_ending || INPUT_ENDINGS.contains(&&*lower)) {
            return None;
        }
        // `p1.part1.ans`: the part that grader added comes last.
        let (own, added) = match stem.rsplit_once('.') {
            Some((own, "part1")) => (own, Some(1)),
            Some((own, "part2")) => (own, Some(2)),
            Some((own, "part3")) => (own, Some(3)),
            _ => (stem, None),
        };
        let mut words: Vec<String> = words(own).into_iter().flat_map(unglued).collect();
        let part = take_part(&mut words);
        let part = added.or(part);
        let before = words.len();
        words.retain(|word| !ANSWERS.contains(&&**word));
        let is_answer_by_word = words.len() < before;
        let is_answer = is_answer_ending || is_answer_by_word;
        Some(Self { file, stem, ending, words, part, is_answer, is_answer_by_word })
    }

    /// Whether it is an input.
    fn is_input(&self, place: Where<'_>) -> bool {
        if let Where::Named(names) = place {
            return !self.is_answer && (names.contains(self.file) || self.is_example_of(names));
        }
        let is_number = |word: &String| word.bytes().all(|byte| byte.is_ascii_digit());
        let has = |known: &[&str]| self.words.iter().any(|word| known.contains(&&**word));
        let is_known =
            |word: &String| is_number(word) || [OWN, EXAMPLES, MORE].iter().any(|known| known.contains(&&**word));
        let is_enough = match place {
            Where::Beside => has(OWN) || has(EXAMPLES) || has(&["day"]) && self.words.iter().any(is_number),
            Where::InputFolder | Where::Named(_) => true,
        };
        !self.is_answer && !self.words.is_empty() && self.words.iter().all(is_known) && is_enough
    }

    /// Whether it is called like one of these files, and an example: `day05_test.txt` beside `day05.txt`.
    fn is_example_of(&self, names: &BTreeSet<String>) -> bool {
        let says_example = |word: &&String| EXAMPLES.contains(&&***word) || ["test", "tests"].contains(&&***word);
        let rest: Vec<&String> = self.words.iter().filter(|word| !says_example(word)).collect();
        let is_own_name = |name: &String| {
            PuzzleName::new(name)
                .is_some_and(|own| own.ending == self.ending && own.words.iter().collect::<Vec<_>>() == rest)
        };
        !rest.is_empty() && rest.len() < self.words.len() && names.iter().any(is_own_name)
    }

    /// The words by which an input and its answer find each other.
    fn core(&self) -> Vec<&str> {
        let singular = |word: &'_ str| match word {
            "examples" => "example",
            "samples" => "sample",
            _ => "",
        };
        let core = self.words.iter().map(String::as_str).filter(|word| !OWN.contains(word));
        core.map(|word| if singular(word).is_empty() { word } else { singular(word) }).collect()
    }
}

/// The files beside an input that may say that it is the input of a day.
#[derive(Default)]
struct FilesBeside<'a> {
    /// The first words, without `day`, of the names that do not name inputs or answers.
    days: BTreeSet<String>,
    /// The names of programs without their endings.
    programs: BTreeSet<&'a str>,
}

impl<'a> FilesBeside<'a> {
    fn of(files: &'a BTreeSet<String>) -> Self {
        let day = |other: &str| words(other).into_iter().find(|word| !["day", "d"].contains(&&**word));
        let others = files.iter().filter(|file| PuzzleName::new(file).is_none());
        let programs = files.iter().filter(|file| family(Path::new(file)).is_some());
        Self {
            days: others.filter_map(|other| day(other)).collect(),
            programs: programs.filter_map(|program| Some(program.rsplit_once('.')?.0)).collect(),
        }
    }

    /// `1.txt` beside `1a.py` is the input of that day. `1A.txt` is that of `1A.py`.
    fn is_of_day(&self, file: &PuzzleName<'_>) -> bool {
        let is_of_its_day = matches!(&file.words[..], [day] if self.days.contains(day));
        is_of_its_day
            || file.stem.starts_with(|first: char| first.is_ascii_digit()) && self.programs.contains(file.stem)
    }
}

/// The inputs among some files of one folder, with the answers for a part, or for the whole puzzle.
pub(crate) fn find(files: &BTreeSet<String>, place: Where<'_>, part: Option<Part>) -> Vec<PuzzleCase> {
    let named: Vec<PuzzleName<'_>> = files.iter().filter_map(|file| PuzzleName::new(file)).collect();
    let mut seen = BTreeSet::new();
    let is_named = matches!(place, Where::Named(_));
    // Beside it, sources name examples alone.
    let is_only = |file: &PuzzleName<'_>| {
        let Where::Named(all) = place else { return false };
        all.iter().filter(|name| all.len() == 1 || !is_example(name)).collect::<Vec<_>>() == [file.file]
    };
    let beside = if place == Where::Beside { FilesBeside::of(files) } else { FilesBeside::default() };
    let is_of_day = |file: &PuzzleName<'_>| {
        let may_be_input = file.is_input(Where::InputFolder) || !file.is_answer && file.ending == "txt";
        may_be_input && beside.is_of_day(file)
    };
    // `test.txt` is an input beside `input.txt`.
    let has_own = named.iter().any(|file| file.is_input(place) && file.core().is_empty());
    let is_test = |file: &PuzzleName<'_>| {
        has_own
            && !is_named
            && file.is_input(Where::InputFolder)
            && matches!(&file.words[..], [one] if MORE.contains(&&**one))
    };
    // `puzzle.txt` beside `input.txt` is the text of the puzzle.
    let is_input_by_word = |file: &PuzzleName<'_>| {
        file.is_input(place) && ["input", "inputs"].iter().any(|word| file.words.contains(&(*word).to_owned()))
    };
    let is_statement =
        |file: &PuzzleName<'_>| !is_named && file.words == ["puzzle"] && named.iter().any(is_input_by_word);
    let is_input =
        |file: &&PuzzleName<'_>| (file.is_input(place) || is_of_day(file) || is_test(file)) && !is_statement(file);
    let examples = examples_of_parts(&named, place);
    let owns = inputs_of_parts(&named, place);
    let own_part =
        |file: &PuzzleName<'_>| (1..).zip(&owns).find(|(_, core)| **core == file.core()).map(|(part, _)| part);
    let inputs = named.iter().filter(is_input).filter(|file| {
        let example = || (1..).zip(&examples).find(|(_, core)| **core == file.core()).map(|(part, _)| part);
        let of_part = file.part.or_else(example).or_else(|| own_part(file));
        // The only input is that of both parts, also if it is called `p1.txt`.
        let is_of_part = is_only(file) || of_part.is_none() || part.is_none() || of_part == part;
        // `input` beside `input.txt` would be the same case.
        is_of_part && seen.insert(file.stem)
    });
    let case = |input: &PuzzleName<'_>| {
        let number = part.map(|part| part.to_string());
        let is_only = is_only(input);
        // Whatever an only input is called, `answer.txt` is its answer.
        let is_own_of_part = part.is_some() && own_part(input) == part;
        let cores: Vec<Vec<&str>> =
            std::iter::once(input.core()).chain((is_only || is_own_of_part).then(Vec::new)).collect();
        let is_answer = |file: &&PuzzleName<'_>| {
            // `answer1.txt` is that of the first part, unless there is an `input1.txt`.
            let has_input = || named.iter().any(|other| other.is_input(place) && other.core() == file.core());
            let is_numbered = || {
                let is_it =
                    |core: &Vec<&str>| [&**core, &[number.as_deref().unwrap_or_default()]].concat() == file.core();
                file.is_answer_by_word && file.part.is_none() && cores.iter().any(is_it) && !has_input()
            };
            // `day01.ans` beside `day01.py` is that of the puzzle's own input.
            let has_name_of_program =
                || (is_only || cores.iter().any(Vec::is_empty)) && is_of_program(files, file.stem, part);
            file.is_answer
                && (cores.contains(&file.core()) || number.is_some() && is_numbered() || has_name_of_program())
        };
        // Files for this part come before files for any part.
        let of = |wanted: Option<Part>| {
            let mut found: Vec<&PuzzleName<'_>> =
                named.iter().filter(is_answer).filter(|file| file.part == wanted).collect();
            found.sort_by_key(|file| std::cmp::Reverse(file.core().len()));
            found.first().copied()
        };
        let answer = part.and_then(|part| of(Some(part))).or_else(|| of(input.part.filter(|_| part.is_none())));
        let answer = answer.or_else(|| of(None).filter(|_| is_only));
        let pattern = |file: &str| match file.split_once(input.stem) {
            Some((before, after)) => FilePattern::new(&format!("{before}*{after}")),
            None => FilePattern::new(file),
        };
        let ending = if input.ending.is_empty() { String::new() } else { format!(".{}", input.ending) };
        PuzzleCase {
            name: input.stem.to_owned(),
            naming: CaseNaming {
                input: FilePattern::new(&format!("*{ending}")),
                answer: answer.map_or_else(|| new_answer(part), |answer| pattern(answer.file)),
            },
            is_own: is_own(input.file) || is_only || is_own_of_part,
            is_answered: answer.is_some(),
            is_of_all_parts: part.is_some()
                && answer.is_some_and(|answer| {
                    let is_numbered = is_own_of_part && !answer.core().is_empty();
                    answer.part.is_none() && cores.contains(&answer.core()) && !is_numbered
                }),
        }
    };
    inputs.map(case).collect()
}

/// The file with the answer to an input for a part, or for the whole puzzle, in a folder of answers: `answers/01.txt` to
/// `inputs/01.txt`. With the part that its name says.
pub(crate) fn find_answer(
    answers: &BTreeSet<String>,
    input: &str,
    part: Option<Part>,
) -> Option<(String, Option<Part>)> {
    let input = PuzzleName::new(input)?;
    let all: Vec<PuzzleName<'_>> = answers.iter().filter_map(|file| PuzzleName::new(file)).collect();
    let of = |wanted: Option<Part>| {
        all.iter()
            .find(|file| file.part == wanted && file.core() == input.core())
            .map(|file| (file.file.to_owned(), wanted))
    };
    part.and_then(|part| of(Some(part))).or_else(|| of(None))
}

/// The answers to the puzzle's own input in a text whose lines name their parts: `part 1: 35`. Lines below a heading that is
/// about an example do not count. Empty if no line names a part.
pub(crate) fn labelled_answers(text: &str) -> Vec<(Part, &str)> {
    let mut found = Vec::new();
    let mut is_of_example = false;
    for line in text.lines() {
        let (label, value) = line.split_once([':', '=']).unwrap_or((line, ""));
        let mut words = words(label);
        let part = take_part(&mut words).filter(|_| !value.trim().is_empty());
        let has = |known: &[&str]| words.iter().any(|word| known.contains(&&**word));
        match part {
            Some(part) if !is_of_example && !has(EXAMPLES) => found.push((part, value.trim())),
            None if has(EXAMPLES) || has(&["test"]) => is_of_example = true,
            None if has(OWN) || has(ANSWERS) => is_of_example = false,
            _ => {}
        }
    }
    found
}

/// Whether an answer with this stem is that of a program with the same name, and of no other program beside it: of the only
/// one and attempts at it, or, for a part, of the program called like the part.
fn is_of_program(files: &BTreeSet<String>, stem: &str, part: Option<Part>) -> bool {
    let sources = files.iter().filter(|file| family(Path::new(file)).is_some());
    let stems: Vec<&str> = sources.filter_map(|file| Some(file.rsplit_once('.')?.0)).collect();
    let part_of = |stem: &str| match words(stem).last().map(String::as_str) {
        Some("1" | "a" | "one") => Some(1),
        Some("2" | "b" | "two") => Some(2),
        Some("3" | "c" | "three") => Some(3),
        _ => None,
    };
    let is_alone = || stems.iter().all(|other| other.starts_with(stem));
    stems.contains(&stem) && (is_alone() || part.is_some() && part_of(stem) == part)
}

/// The name that was meant, if the name of a file is a misspelling of that of an input or an answer: `exmaple3.txt`.
pub(crate) fn meant_by(file: &str) -> Option<String> {
    let named = PuzzleName::new(file)?;
    let known = || [OWN, EXAMPLES, ANSWERS].into_iter().flatten().copied().filter(|word| word.len() > 4);
    let is_known = |word: &str| [OWN, EXAMPLES, MORE, ANSWERS].iter().any(|known| known.contains(&word));
    let [word] =
        named.words.iter().filter(|word| word.bytes().any(|byte| !byte.is_ascii_digit())).collect::<Vec<_>>()[..]
    else {
        return None;
    };
    let meant = suggest::closest(word, known()).filter(|_| word.len() > 4 && !is_known(word))?;
    let at = named.stem.to_lowercase().find(&**word)?;
    let end = file.get(at + word.len()..)?;
    Some(format!("{}{meant}{end}", file.get(..at)?))
}

/// The name of a new answer for a part, or for the whole puzzle.
pub fn new_answer(part: Option<Part>) -> FilePattern {
    part.map_or_else(|| FilePattern::new("*.ans"), |part| FilePattern::new(&format!("*.part{part}.ans")))
}

/// The inputs of a puzzle that are one for each part: `input1` and `input2`, perhaps `input3`, and no other. Empty if there
/// are no such inputs.
fn inputs_of_parts<'n>(named: &'n [PuzzleName<'_>], place: Where<'_>) -> Vec<Vec<&'n str>> {
    let has_own = |file: &PuzzleName<'_>| file.words.iter().any(|word| OWN.contains(&&**word));
    let is_input = |file: &&PuzzleName<'_>| file.is_input(place) && file.part.is_none() && has_own(file);
    let mut inputs: Vec<Vec<&str>> = named.iter().filter(is_input).map(PuzzleName::core).collect();
    inputs.retain(|core| core.iter().all(|word| !EXAMPLES.contains(word) && !MORE.contains(word)));
    inputs.sort();
    inputs.dedup();
    let is_numbered = inputs == [["1"], ["2"]] || inputs == [["1"], ["2"], ["3"]];
    if is_numbered { inputs } else { Vec::new() }
}

/// The two examples that are one for each part: `example1` and `example2`, each with one answer for any part, and no other
/// example. Empty if there are no such examples.
fn examples_of_parts<'n>(named: &'n [PuzzleName<'_>], place: Where<'_>) -> Vec<Vec<&'n str>> {
    let has = |file: &PuzzleName<'_>| file.words.iter().any(|word| EXAMPLES.contains(&&**word));
    let mut examples: Vec<Vec<&str>> =
        named.iter().filter(|file| file.is_input(place) && has(file)).map(PuzzleName::core).collect();
    examples.sort();
    let is_answered = |core: &Vec<&str>| {
        let mut answers = named.iter().filter(|file| file.is_answer && file.core() == *core);
        answers.next().is_some_and(|answer| answer.part.is_none()) && answers.next().is_none()
    };
    let is_numbered = matches!(&examples[..], [one, two] if one.last() == Some(&"1") && two.last() == Some(&"2"));
    if is_numbered && examples.iter().all(is_answered) { examples } else { Vec::new() }
}

/// Whether the name of a file says that it is an answer.
pub fn names_answer(file: &str) -> bool {
    PuzzleName::new(file).is_some_and(|named| named.is_answer)
}

/// Whether the name of an input is that of an example.
pub(crate) fn is_example(file: &str) -> bool {
    let has = |named: &PuzzleName<'_>, known: &[&str]| named.words.iter().any(|word| known.contains(&&**word));
    PuzzleName::new(file).is_some_and(|named| has(&named, EXAMPLES) || has(&named, MORE) && !has(&named, &["day"]))
}

/// Whether an input is an example by its name or by that of its folder: `examples/01.txt`.
pub(crate) fn is_example_file(file: &Path) -> bool {
    let is_said = |folder: &str| words(folder).iter().any(|word| EXAMPLES.contains(&&**word));
    let folder = file.parent().and_then(Path::file_name).and_then(|name| name.to_str());
    file.file_name().and_then(|name| name.to_str()).is_some_and(is_example) || folder.is_some_and(is_said)
}

/// Whether an input is the puzzle's own, or its only one: the file that programs read by a fixed name.
pub fn is_own(file: &str) -> bool {
    PuzzleName::new(file).is_some_and(|named| match named.core()[..] {
        [] => true,
        ["day", number] => number.bytes().all(|byte| byte.is_ascii_digit()),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[&str], place: Where<'_>, part: Option<Part>) -> Vec<String> {
        let files = files.iter().map(ToString::to_string).collect();
        let told = |case: &PuzzleCase| {
            let CaseNaming { input, answer } = &case.naming;
            let answer = if case.is_answered { answer.of_case(&case.name) } else { format!("no {answer}") };
            format!("{} {answer}", input.of_case(&case.name))
        };
        find(&files, place, part).iter().map(told).collect()
    }

    #[test]
    fn names_of_puzzles() {
        for (files, expect) in [
            (&["input.txt"][..], &["input.txt no *.ans"][..]),
            (&["input", "example", "main.py", "README.md"], &["example no *.ans", "input no *.ans"]),
            (&["input.txt", "answer.txt"], &["input.txt answer.txt"]),
            (&["input.txt", "input.ans"], &["input.txt input.ans"]),
            (&["example.txt", "input.txt", "expected"], &["example.txt no *.ans", "input.txt expected"]),
            (&["example_input.txt", "example_answer.txt"], &["example_input.txt example_answer.txt"]),
            (&["input_test.txt", "output_test.txt"], &["input_test.txt output_test.txt"]),
            (
                &["example1.txt", "example2.txt", "example2.out"],
                &["example1.txt no *.ans", "example2.txt example2.out"],
            ),
            (&["notes.txt", "test.txt", "1.txt", "solution.txt"], &[]),
            (&["input.txt", "test.txt", "test.ans"], &["input.txt no *.ans", "test.txt test.ans"]),
            (&["input.txt", "day01.ans", "day01.py"], &["input.txt day01.ans"]),
            (&["input.txt", "foo.ans", "day01.py"], &["input.txt no *.ans"]),
            (&["puzzleinput.txt", "testinput"], &["puzzleinput.txt no *.ans", "testinput no *.ans"]),
            (&["testinput.txt", "testoutput.txt"], &["testinput.txt testoutput.txt"]),
        ] {
            assert_eq!(found(files, Where::Beside, None), expect, "{files:?}");
        }
        assert_eq!(
            found(&["01.txt", "02.txt", "02.ans", "x.txt"], Where::InputFolder, None),
            ["01.txt no *.ans", "02.txt 02.ans"]
        );
    }

    #[test]
    fn answers_with_labels() {
        for (text, expect) in [
            (
                "+++Example+++\npart 1: 7\npart 2: 4\n\n+++Input+++\npart 1: 35\npart 2: 20\n",
                &[(1, "35"), (2, "20")][..],
            ),
            ("Part 1 = 35\n", &[(1, "35")]),
            ("example part 1: 7\npart 1: 35\n", &[(1, "35")]),
            ("35\n20\n", &[]),
            ("a: 1\n", &[]),
        ] {
            assert_eq!(labelled_answers(text), expect, "{text}");
        }
    }

    #[test]
    fn misspelt_names() {
        for (file, expect) in [
            ("exmaple3.txt", Some("example3.txt")),
            ("anwser1.txt", Some("answer1.txt")),
            ("inptu", Some("input")),
            ("input.txt", None),
            ("notes.txt", None),
            ("test.txt", None),
            ("main.py", None),
            ("solve.txt", None),
        ] {
            assert_eq!(meant_by(file).as_deref(), expect, "{file}");
        }
    }

    #[test]
    fn each_part_has_its_answer() {
        let files = ["input.txt", "result_part1.txt", "part2.ans", "example_part2.txt", "input.part1.ans"];
        assert_eq!(found(&files, Where::Beside, Some(1)), ["input.txt input.part1.ans"]);
        assert_eq!(found(&files, Where::Beside, Some(2)), ["example_part2.txt no *.part2.ans", "input.txt part2.ans"]);
        // One example for each part.
        let files = ["example1.txt", "example1.ans", "example2.txt", "example2.ans", "input.txt"];
        let expected = ["example2.txt example2.ans", "input.txt no *.part2.ans"];
        assert_eq!(found(&files, Where::Beside, Some(2)), expected);
        let files = ["input.txt", "answer1.txt", "answer2.txt"];
        assert_eq!(found(&files, Where::Beside, Some(2)), ["input.txt answer2.txt"]);
        // One input for each part, and the answers in one file.
        let files = ["input1.txt", "input2.txt", "answers.txt", "example.txt"];
        assert_eq!(found(&files, Where::Beside, Some(2)), ["example.txt no *.part2.ans", "input2.txt answers.txt"]);
        // A number that belongs to another input is not a part.
        let files = ["example.txt", "example.part2.ans", "example2.txt", "example2.part2.ans", "example-2.ans"];
        let expected = ["example.txt example.part2.ans", "example2.txt example2.part2.ans"];
        assert_eq!(found(&files, Where::Beside, Some(2)), expected);
        let files = ["example.txt", "example2.part2.ans", "example2.txt", "example1.ans"];
        let expected = ["example.txt no *.part2.ans", "example2.txt example2.part2.ans"];
        assert_eq!(found(&files, Where::Beside, Some(2)), expected);
        let part = |name: &str| take_part(&mut words(name));
        for (name, expect) in [
            ("part1", Some(1)),
            ("Part_Two", Some(2)),
            ("day01-p2", Some(2)),
            ("partb", Some(2)),
            ("day2", None),
            ("party", None),
        ] {
            assert_eq!(part(name), expect, "{name}");
        }
    }
}
