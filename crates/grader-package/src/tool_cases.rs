//! Finds test cases where editors and other tools put them: files with the name of their program (`a_input0.txt`), hidden
//! files (`.in_0.txt`), and documents that hold all cases ([`case_document`]).

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::case_document;
use crate::folder_cases::FolderCases;
use crate::reader::Reader;
use grader_model::problem::{AnswerFile, CaseNaming, FilePattern, TestCase, TestGroup};

/// The names of an input and its answer: `{}` stands for the name of the program, if the name contains it, and `*` for a
/// number.
const FILES: &[(&str, &str)] = &[
    ("{}_input*.txt", "{}_output*.txt"),
    ("{}.in*", "{}.out*"),
    (".in_*.txt", ".out_*.txt"),
    (".in_*.txt", ".ans_*.txt"),
];

/// The most files of a folder that are looked at.
const MOST: usize = 10_000;

/// Whether a folder has such test cases, as the names of its files and the beginnings of its documents show.
pub(crate) fn are_in(dir: &Path) -> bool {
    let files = names_in(dir);
    FILES.iter().any(|row| !found_by(*row, &files).is_empty()) || case_document::is_in(dir)
}

/// The test cases of the folder of a reader.
pub(super) fn read(reader: &Reader<'_>) -> FolderCases {
    let files = names_in(&reader.dir);
    let fit = FILES.iter().map(|row| (row, found_by(*row, &files))).find(|(_, found)| !found.is_empty());
    let Some(((input, answer), found)) = fit else { return case_document::read(reader) };
    let group = |(program, numbers): (&str, Vec<&str>)| {
        let pattern = |text: &str| FilePattern::new(&text.replace("{}", program));
        let naming = CaseNaming { input: pattern(input), answer: pattern(answer) };
        let case = |number: &str| {
            let is_answered = files.contains(&naming.answer.of_case(number));
            TestCase::new(number, if is_answered { AnswerFile::Named } else { AnswerFile::Missing })
        };
        let cases = numbers.into_iter().map(case).collect();
        TestGroup { naming: Some(naming), cases, ..TestGroup::empty(program, reader.dir.clone()) }
    };
    let groups: Vec<TestGroup> = found.into_iter().map(group).collect();
    let of_programs = groups.iter().filter(|group| !group.name.is_empty()).map(|group| group.name.clone()).collect();
    FolderCases { groups, of_programs, ..FolderCases::default() }
}

/// The programs that have inputs by a row of the table, with the numbers of these. The name is empty if the row has none.
fn found_by<'f>((input, answer): (&str, &str), files: &'f BTreeSet<String>) -> BTreeMap<&'f str, Vec<&'f str>> {
    let mut found: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let (before, after) = input.split_once('*').unwrap_or((input, ""));
    let of_program = before.strip_prefix("{}");
    for file in files {
        let Some(rest) = file.strip_suffix(after) else { continue };
        let parts = match of_program {
            Some(middle) => rest.rsplit_once(middle),
            None => rest.strip_prefix(before).map(|number| ("", number)),
        };
        let Some((program, number)) = parts else { continue };
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        // `readme.in1` beside no program `readme` is something else.
        let has_program = of_program.is_none() || files.iter().any(|other| is_source_of(other, program));
        if is_number && has_program {
            found.entry(program).or_default().push(number);
        }
    }
    let answer_of = |program: &str, number: &str| answer.replace("{}", program).replace('*', number);
    found.retain(|program, numbers| numbers.iter().any(|number| files.contains(&answer_of(program, number))));
    found
}

/// Whether a file may be the source of the program of this name: `a.cpp` of `a`.
fn is_source_of(file: &str, program: &str) -> bool {
    let ending = file.strip_prefix(program).and_then(|rest| rest.strip_prefix('.'));
    !program.is_empty()
        && ending.is_some_and(|ending| {
            ending.starts_with(|first: char| first.is_ascii_alphabetic()) && !ending.starts_with("in")
        })
}

/// The names of the plain files in a folder, hidden ones too. An unreadable folder has none; its reader reports that.
fn names_in(dir: &Path) -> BTreeSet<String> {
    let listing = std::fs::read_dir(dir).into_iter().flatten().flatten().take(MOST);
    let files = listing.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    files.filter_map(|entry| entry.file_name().into_string().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_tools() {
        let found = |files: &[&str]| {
            let files: BTreeSet<String> = files.iter().map(ToString::to_string).collect();
            let told = |row: &(&str, &str)| {
                let found = found_by(*row, &files);
                found.iter().map(|(program, numbers)| format!("{program}: {}", numbers.join(" "))).collect::<Vec<_>>()
            };
            FILES.iter().map(told).find(|found| !found.is_empty()).unwrap_or_default()
        };
        let a = ["task-A.cpp", "task-A_input0.txt", "task-A_output0.txt", "task-A_input1.txt"];
        assert_eq!(found(&a), ["task-A: 0 1"]);
        assert_eq!(found(&["a.py", "b.py", "a.in1", "a.out1", "b.in1", "b.out1"]), ["a: 1", "b: 1"]);
        assert_eq!(found(&["a.py", ".in_0.txt", ".out_0.txt"]), [": 0"]);
        for none in [&["x_input0.txt", "x_output0.txt"][..], &["a.py", "a_input0.txt"], &["a.py", "a.in", "a.out"]] {
            assert!(found(none).is_empty(), "{none:?}");
        }
    }
}
