//! Finds the tests of a problem whose `config.yaml` names none, by the names of their files (`packages/common/subtask.ts`).

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::{Subtask, SubtaskKind, TestFiles};
use crate::reader::Reader;

/// The directories in which files may be, beside the test data itself.
const FOLDERS: [&str; 2] = ["input", "output"];

/// A way to name the files of a test.
struct Rule {
    /// The pattern of the names of inputs.
    input: LazyLock<Regex>,
    /// The names that its answer may have.
    outputs: fn(&Captures<'_>) -> Vec<String>,
    /// The part of the name with the number of the subtask; 1 if it is not there.
    subtask: Option<usize>,
}

static RULES: [Rule; 4] = [
    Rule {
        input: LazyLock::new(|| {
            regex(r"^(([0-9A-Za-z_.-]*?)(?:([0-9]*)[-_])?([0-9]+))\.(in|IN|txt|TXT|in\.txt|IN\.TXT)$")
        }),
        outputs: |parts| {
            let stem = &parts[1];
            let endings = ["out", "OUT", "out.txt", "OUT.TXT", "ans", "ANS", "ans.txt", "ANS.TXT"];
            let names = endings.into_iter().flat_map(|ending| renamed(format!("{stem}.{ending}")));
            let by_word = stem.contains("input").then(|| format!("{stem}.txt").replace("input", "output"));
            names.chain(by_word).collect()
        },
        subtask: Some(3),
    },
    Rule {
        input: LazyLock::new(|| regex(r"^([^0-9]*)\.(in|IN)([0-9]+)$")),
        outputs: |parts| {
            let is_small = &parts[2] == "in";
            let endings = if is_small { ["ou", "out"] } else { ["OU", "OUT"] };
            endings.into_iter().flat_map(|ending| renamed(format!("{}.{ending}{}", &parts[1], &parts[3]))).collect()
        },
        subtask: None,
    },
    Rule {
        input: LazyLock::new(|| regex(r"^([^0-9]*([0-9]+)[-_][0-9]+)\.(in|IN)$")),
        outputs: |parts| answers(&parts[1]),
        subtask: Some(2),
    },
    Rule {
        input: LazyLock::new(|| regex(r"^([0-9]+[-_].*)\.(in|IN)$")),
        outputs: |parts| answers(&parts[1]),
        subtask: None,
    },
];

fn regex(text: &str) -> Regex {
    Regex::new(text).expect("the expression is valid")
}

fn renamed(name: String) -> [String; 2] {
    let other = name.replace("input", "output").replace("INPUT", "OUTPUT");
    [name, other]
}

fn answers(stem: &str) -> Vec<String> {
    ["out", "ans", "OUT", "ANS"].map(|ending| format!("{stem}.{ending}")).to_vec()
}

/// The subtasks that the files of the test data make, without points.
pub(super) fn subtasks(reader: &Reader<'_>, data: &Path) -> Vec<Subtask> {
    let mut files: Vec<String> =
        reader.list(data).into_iter().filter(|entry| !entry.is_dir).map(|entry| entry.name).collect();
    for folder in FOLDERS {
        files.extend(reader.list(&data.join(folder)).into_iter().map(|entry| format!("{folder}/{}", entry.name)));
    }
    of_files(&files)
}

fn of_files(files: &[String]) -> Vec<Subtask> {
    let known: BTreeSet<&str> = files.iter().map(String::as_str).collect();
    let mut subtasks: BTreeMap<u32, Subtask> = BTreeMap::new();
    for input in files {
        let test = RULES.iter().find_map(|rule| {
            let parts = rule.input.captures(input)?;
            let output = (rule.outputs)(&parts).into_iter().find(|name| name != input && known.contains(&**name))?;
            let stated = rule.subtask.and_then(|part| parts.get(part)).and_then(|part| part.as_str().parse().ok());
            Some((stated, output))
        });
        let Some((stated, output)) = test else { continue };
        let id = stated.unwrap_or(1);
        let kind = if stated.is_some() { SubtaskKind::Min } else { SubtaskKind::Sum };
        let files = TestFiles { input: input.clone(), output: Some(output), ..TestFiles::default() };
        subtasks.entry(id).or_insert_with(|| Subtask::empty(id, kind)).tests.push(files);
    }
    let mut subtasks: Vec<Subtask> = subtasks.into_values().collect();
    for subtask in &mut subtasks {
        subtask.tests.sort_by_cached_key(|test| by_numbers(&test.input));
    }
    subtasks
}

/// A key by which `2.in` comes before `10.in`.
fn by_numbers(name: &str) -> Vec<(u64, String)> {
    let mut parts: Vec<(u64, String)> = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let text = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        let digits = rest[text..].find(|c: char| !c.is_ascii_digit()).map_or(rest.len(), |length| text + length);
        parts.push((0, rest[..text].to_owned()));
        // A number of twenty digits counts as the largest.
        parts.push((rest[text..digits].parse().unwrap_or(u64::MAX), String::new()));
        rest = &rest[digits..];
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_make_tests() {
        let found = |files: &[&str]| -> Vec<(u32, SubtaskKind, Vec<String>)> {
            let files: Vec<String> = files.iter().map(|file| (*file).to_owned()).collect();
            let name = |test: TestFiles| format!("{} {}", test.input, test.output.unwrap_or_default());
            let named = |subtask: Subtask| (subtask.id, subtask.kind, subtask.tests.into_iter().map(name).collect());
            of_files(&files).into_iter().map(named).collect()
        };
        let sum =
            |tests: &[&str]| (1, SubtaskKind::Sum, tests.iter().map(|test| (*test).to_owned()).collect::<Vec<_>>());
        assert_eq!(
            found(&["10.in", "10.out", "2.in", "2.ans", "x.in", "config.yaml"]),
            [sum(&["2.in 2.ans", "10.in 10.out"])]
        );
        assert_eq!(found(&["input1.txt", "output1.txt"]), [sum(&["input1.txt output1.txt"])]);
        assert_eq!(found(&["a.in1", "a.ou1"]), [sum(&["a.in1 a.ou1"])]);
        let (one, two) = (vec!["sum1-1.in sum1-1.out".to_owned()], vec!["sum2-1.in sum2-1.out".to_owned()]);
        assert_eq!(
            found(&["sum1-1.in", "sum1-1.out", "sum2-1.in", "sum2-1.out"]),
            [(1, SubtaskKind::Min, one), (2, SubtaskKind::Min, two)]
        );
        assert!(found(&["1.in"]).is_empty());
    }
}
