//! Recognises the test cases in a folder by the names of the files, where they are not `.in` with `.ans` or `.out`.
//! One table lists the names that people and judges use.
//!
//! If several rows of the table fit, the row with the most pairs counts, and the first of them if that is not one. An
//! answer belongs only to the input with the same name of the case. So a file may stay unused, but a wrong pair cannot
//! happen.

use std::collections::{BTreeSet, HashSet};
use std::path::Path;

use grader_model::problem::{CaseNaming, FilePattern};

/// The names of an input and its answer. `*` stands for the name of the case, and `#` for a name that begins with a
/// digit and has only letters, digits, `_` and `-`.
const FILES: &[(&str, &str)] = &[
    ("*.in", "*.ans"),
    ("*.in", "*.out"),
    ("*.in", "*.expected"),
    ("*.inp", "*.outp"),
    ("*.inp", "*.out"),
    ("*.inp", "*.ans"),
    ("*.in", "*.a"),
    ("*.in", "*.answer"),
    ("*.in", "*.output"),
    ("*.in", "*.sol"),
    ("*.in", "*.want"),
    ("*.dat", "*.ans"),
    ("*.dat", "*.out"),
    ("*.dat", "*.sol"),
    ("*.inp", "*.out"),
    ("*.inp", "*.ans"),
    ("*.input", "*.output"),
    ("*.input", "*.answer"),
    ("*.input", "*.expected"),
    ("*.in.txt", "*.out.txt"),
    ("*.in.txt", "*.ans.txt"),
    ("*.input.txt", "*.output.txt"),
    ("*_in.txt", "*_out.txt"),
    ("*-in.txt", "*-out.txt"),
    ("*_input.txt", "*_output.txt"),
    ("*-input.txt", "*-output.txt"),
    ("input_*.txt", "output_*.txt"),
    ("input-*.txt", "output-*.txt"),
    ("input*.txt", "output*.txt"),
    ("input*.txt", "answer*.txt"),
    ("input*.txt", "expected*.txt"),
    ("input_*.txt", "expected_output_*.txt"),
    ("input*.in", "output*.out"),
    ("in_*.txt", "out_*.txt"),
    ("in#.txt", "out#.txt"),
    ("in#.txt", "ans#.txt"),
    ("input#", "output#"),
    ("in#", "out#"),
    ("input.#", "output.#"),
    ("in.#", "out.#"),
    ("I.#", "O.#"),
    ("*.txt", "*.ans"),
    ("*.txt", "*.out"),
    ("*.txt", "*.expected"),
    ("*.txt", "*.a"),
    ("#", "#.a"),
    ("#", "#.ans"),
    ("#", "#.out"),
    ("#", "#.expected"),
    ("input.txt", "output.txt"),
    ("input.txt", "answer.txt"),
    ("input.txt", "expected.txt"),
    ("in.txt", "out.txt"),
    ("input", "output"),
    ("in", "out"),
];

/// Files of the same name in two folders.
const SAME: &[(&str, &str)] = &[("*.txt", "*.txt"), ("*.in", "*.in"), ("*", "*")];

/// Folders of inputs, each with the folders of answers that may be beside it.
const FOLDERS: &[(&[&str], &[&str])] = &[
    (
        &["in", "input", "inputs"],
        &["out", "output", "outputs", "ans", "answer", "answers", "expected", "expected_output", "want"],
    ),
    (&["test", "tests"], &["ans", "answers", "expected", "want"]),
];

/// One folder for each case. Elsewhere than in a folder for cases, only if the folder is called like one: `test_1`.
const CASE_FOLDERS: &[(&str, &str)] = &[
    ("*/input.txt", "*/output.txt"),
    ("*/input.txt", "*/answer.txt"),
    ("*/input.txt", "*/expected.txt"),
    ("*/in.txt", "*/out.txt"),
    ("*/input", "*/output"),
    ("*/in", "*/out"),
    ("*/stdin", "*/stdout"),
];

/// The names that a message gives as examples.
pub const EXAMPLES: &str = "1.in with 1.ans or 1.out, input1.txt with output1.txt, in/1.txt with out/1.txt, \
                                   1.dat with 1.ans, 01 with 01.a";

/// The name of the only case if the name of its file does not contain one, as in `input.txt`.
const ONLY: &str = "1";

/// The most entries of a folder that are looked at. Only unreadable amounts of test data have more.
const MOST: usize = 1_000_000;

/// Which files of a folder are its test cases.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fit {
    /// The names of the package format: `.in` with `.ans` or `.out`, or `.in` alone.
    Package {
        /// Other files that look like cases.
        also: Vec<Row>,
    },
    /// Other names.
    Named(NamedCases),
    /// No test case.
    None,
}

/// A naming with the number of its pairs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The naming.
    pub naming: CaseNaming,
    /// The number of inputs with an answer.
    pub pairs: usize,
}

/// Test cases with other names than those of the package format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedCases {
    /// The naming.
    pub naming: CaseNaming,
    /// The names of the cases with an answer, sorted.
    pub answered: Vec<String>,
    /// The names of the cases without an answer, sorted.
    pub unanswered: Vec<String>,
    /// Whether a file without an answer need not be an input, because its name is too common.
    pub is_common: bool,
    /// The names of the answers without an input, sorted.
    pub unused: Vec<String>,
    /// Other files that look like cases.
    pub also: Vec<Row>,
}

/// Which folders may hold a case each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaseFolders {
    /// Any folder.
    Any,
    /// Folders called `test_1`, `case2`, `sample-3`.
    Numbered,
}

/// The words before the number in the name of a folder that holds one case.
const CASE_WORDS: &[&str] = &["test", "case", "testcase", "sample", "example", "tc"];

impl CaseFolders {
    /// Whether a folder of this name may hold a case.
    fn allows(self, name: &str) -> bool {
        let word = name.trim_end_matches(|last: char| last.is_ascii_digit());
        let is_numbered =
            || word.len() < name.len() && CASE_WORDS.contains(&&*word.trim_end_matches(['_', '-']).to_lowercase());
        self == Self::Any || is_numbered()
    }

    /// Whether a folder of this name may hold a case, or the inputs or the answers of all cases. `beside`: the names in the
    /// same folder.
    pub(crate) fn may_hold(self, name: &str, beside: &BTreeSet<String>) -> bool {
        let is_half = |(inputs, answers): (&str, &str)| {
            name == inputs && beside.contains(answers) || name == answers && beside.contains(inputs)
        };
        self.allows(name) || folder_pairs().any(is_half)
    }
}

/// One row of the table, for one folder or a pair of folders.
struct Candidate {
    naming: CaseNaming,
    is_numbered: bool,
    is_common: bool,
    /// Whether each case has a folder of its own.
    is_folder: bool,
}

impl Candidate {
    fn new((input, answer): (&str, &str)) -> Self {
        let pattern = |text: &str| FilePattern::new(&text.replace('#', "*"));
        let naming = CaseNaming { input: pattern(input), answer: pattern(answer) };
        Self {
            naming,
            is_numbered: input.contains('#'),
            is_common: ["#", "*.txt"].contains(&input),
            is_folder: input.starts_with("*/"),
        }
    }

    /// The name of the case in a file name, if the file belongs to this row.
    fn case_of<'f>(&self, pattern: &FilePattern, file: &'f str) -> Option<&'f str> {
        let name = pattern.case_of(file)?;
        let is_number = || {
            name.starts_with(|first: char| first.is_ascii_digit())
                && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
        };
        (!self.is_numbered || is_number()).then_some(name)
    }

    fn cases<'f>(&self, pattern: &FilePattern, files: &'f BTreeSet<String>) -> BTreeSet<&'f str> {
        files.iter().filter_map(|file| self.case_of(pattern, file)).collect()
    }
}

/// Every row that can fit these files.
fn candidates(files: &BTreeSet<String>, case_folders: CaseFolders) -> Vec<Candidate> {
    let folders: HashSet<&str> = files.iter().filter_map(|file| Some(file.split_once('/')?.0)).collect();
    let mut all: Vec<Candidate> = FILES.iter().copied().map(Candidate::new).collect();
    for (inputs, answers) in
        folder_pairs().filter(|(inputs, answers)| folders.contains(inputs) && folders.contains(answers))
    {
        for (input, answer) in SAME.iter().chain(FILES) {
            let row = (&*format!("{inputs}/{input}"), &*format!("{answers}/{answer}"));
            all.push(Candidate::new(row));
        }
    }
    if folders.iter().any(|folder| case_folders.allows(folder)) {
        all.extend(CASE_FOLDERS.iter().copied().map(Candidate::new));
    }
    all
}

/// Decides which of these files are test cases. The files are paths below a folder, with `/`.
pub(crate) fn fit(files: &BTreeSet<String>, case_folders: CaseFolders) -> Fit {
    struct Fitting<'f> {
        row: Candidate,
        names: BTreeSet<&'f str>,
    }
    let mut fitting: Vec<Fitting<'_>> = Vec::new();
    for row in candidates(files, case_folders) {
        let mut names = row.cases(&row.naming.input, files);
        names.retain(|name| files.contains(&row.naming.answer.of_case(name)));
        if row.is_folder {
            names.retain(|name| case_folders.allows(name));
        }
        if !names.is_empty() {
            fitting.push(Fitting { row, names });
        }
    }
    let package: Vec<CaseNaming> = FILES[..2].iter().map(|row| Candidate::new(*row).naming).collect();
    let is_package = |fitting: &Fitting<'_>| package.contains(&fitting.row.naming);
    // A stable sort keeps the order of the table among equals.
    fitting.sort_by_key(|fitting| (!is_package(fitting), std::cmp::Reverse(fitting.names.len())));
    let pairs_of = |fitting: &Fitting<'_>| -> Vec<(String, String)> {
        let CaseNaming { input, answer } = &fitting.row.naming;
        fitting.names.iter().map(|name| (input.of_case(name), answer.of_case(name))).collect()
    };
    let mut taken: HashSet<(String, String)> = HashSet::new();
    let mut also = Vec::new();
    for (at, fitting) in fitting.iter().enumerate() {
        let pairs = pairs_of(fitting);
        if at > 0 && !is_package(fitting) && pairs.iter().any(|pair| !taken.contains(pair)) {
            also.push(Row { naming: fitting.row.naming.clone(), pairs: pairs.len() });
        }
        taken.extend(pairs);
    }
    let Some(first) = fitting.into_iter().next() else {
        let has_input = files.iter().any(|file| package[0].input.case_of(file).is_some());
        return if has_input { Fit::Package { also } } else { Fit::None };
    };
    if is_package(&first) {
        return Fit::Package { also };
    }
    let Fitting { row, names } = first;
    let inputs = row.cases(&row.naming.input, files);
    let answers = row.cases(&row.naming.answer, files);
    let owned = |name: &str| if name.is_empty() { ONLY.to_owned() } else { name.to_owned() };
    let unanswered = inputs.difference(&names).copied().map(owned).collect();
    // Compilers create `a.out`.
    let unused = answers.difference(&inputs).filter(|name| row.naming.answer.of_case(name) != "a.out");
    let unused = unused.copied().map(owned).collect();
    let answered = names.into_iter().map(owned).collect();
    Fit::Named(NamedCases { naming: row.naming, answered, unanswered, is_common: row.is_common, unused, also })
}

/// Decides by the names in a folder which files are test cases.
pub fn fit_in(dir: &Path, case_folders: CaseFolders) -> Fit {
    fit(&files_in(dir, case_folders), case_folders)
}

/// The paths of the files in a folder that are inputs of test cases by their names.
pub(crate) fn inputs_in(dir: &Path, case_folders: CaseFolders) -> Vec<String> {
    let files = files_in(dir, case_folders);
    match fit(&files, case_folders) {
        Fit::Package { .. } => {
            let is_input = |file: &String| Path::new(file).extension().is_some_and(|ending| ending == "in");
            files.into_iter().filter(is_input).collect()
        }
        Fit::Named(named) => named.answered.iter().map(|name| named.naming.input.of_case(name)).collect(),
        Fit::None => Vec::new(),
    }
}

/// A folder of inputs and a folder of answers beside it.
fn folder_pairs() -> impl Iterator<Item = (&'static str, &'static str)> {
    let pairs = |(inputs, answers): &'static (&[&str], &[&str])| {
        inputs.iter().flat_map(|input| answers.iter().map(|answer| (*input, *answer)))
    };
    FOLDERS.iter().flat_map(pairs)
}

/// Whether a folder of this name directly in a folder of cases may hold inputs or answers.
pub(crate) fn is_half(name: &str) -> bool {
    folder_pairs().any(|(inputs, answers)| [inputs, answers].contains(&name))
}

/// The folders beside a folder of inputs that may hold the answers to puzzles. Programs write the others themselves.
pub(crate) fn answer_folders(inputs: &str) -> impl Iterator<Item = &'static str> {
    let found = FOLDERS.iter().filter(move |(known, _)| known.contains(&inputs)).flat_map(|(_, answers)| *answers);
    found.copied().filter(|answers| !answers.starts_with("out"))
}

/// The names of the files directly in a folder.
pub(crate) fn names_in(dir: &Path) -> BTreeSet<String> {
    FolderListing::of(dir).files
}

/// The names of the folders directly in a folder.
pub(crate) fn folders_in(dir: &Path) -> BTreeSet<String> {
    FolderListing::of(dir).folders
}

/// The visible entries directly in a folder. An unreadable folder is empty: the reader of the problem reports it.
#[derive(Default)]
struct FolderListing {
    files: BTreeSet<String>,
    folders: BTreeSet<String>,
}

impl FolderListing {
    fn of(dir: &Path) -> Self {
        let mut listed = Self::default();
        for entry in entries(dir) {
            let Some(name) = visible_name(&entry) else { continue };
            // Only a link must be followed. One that leads nowhere is neither a file nor a directory.
            let kind = entry.file_type().and_then(|kind| {
                if kind.is_symlink() { entry.path().metadata().map(|target| target.file_type()) } else { Ok(kind) }
            });
            match kind {
                Ok(kind) if kind.is_file() => listed.files.insert(name),
                Ok(kind) if kind.is_dir() => listed.folders.insert(name),
                _ => false,
            };
        }
        listed
    }
}

fn entries(dir: &Path) -> impl Iterator<Item = std::fs::DirEntry> + use<> {
    std::fs::read_dir(dir).into_iter().flatten().flatten().take(MOST)
}

fn visible_name(entry: &std::fs::DirEntry) -> Option<String> {
    entry.file_name().into_string().ok().filter(|name| !name.starts_with('.'))
}

/// The paths of the files in a folder, one level deep, as the names alone show.
fn files_in(dir: &Path, case_folders: CaseFolders) -> BTreeSet<String> {
    let FolderListing { mut files, folders } = FolderListing::of(dir);
    for name in folders.iter().filter(|name| case_folders.may_hold(name, &folders)) {
        let folder = dir.join(name);
        let inner = entries(&folder).filter(|inner| !inner.file_type().is_ok_and(|kind| kind.is_dir()));
        files.extend(inner.filter_map(|inner| Some(format!("{name}/{}", visible_name(&inner)?))));
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit_of(files: &[&str]) -> Fit {
        fit(&files.iter().map(ToString::to_string).collect(), CaseFolders::Any)
    }

    #[track_caller]
    fn named(files: &[&str], naming: &str, cases: &[&str]) -> NamedCases {
        let Fit::Named(found) = fit_of(files) else { panic!("{files:?}: {:?}", fit_of(files)) };
        assert_eq!(format!("{} {}", found.naming.input, found.naming.answer), naming, "{files:?}");
        assert_eq!(found.answered, cases, "{files:?}");
        found
    }

    #[test]
    fn the_names_of_the_world() {
        for (files, naming, cases) in [
            (&["input1.txt", "output1.txt"][..], "input*.txt output*.txt", &["1"][..]),
            (&["in/1.txt", "out/1.txt"], "in/*.txt out/*.txt", &["1"]),
            (&["in/1.in", "out/1.out"], "in/*.in out/*.out", &["1"]),
            (&["in/a", "out/a"], "in/* out/*", &["a"]),
            (&["01", "01.a", "02", "02.a"], "* *.a", &["01", "02"]),
            (&["a.dat", "a.ans"], "*.dat *.ans", &["a"]),
            (&["input/input00.txt", "output/output00.txt"], "input/input*.txt output/output*.txt", &["00"]),
            (&["1.in", "1.expected"], "*.in *.expected", &["1"]),
            (&["in1", "out1"], "in* out*", &["1"]),
            (&["1/input.txt", "1/output.txt"], "*/input.txt */output.txt", &["1"]),
            (&["input.txt", "output.txt"], "input.txt output.txt", &["1"]),
            (&["input1.in", "output1.out"], "input*.in output*.out", &["1"]),
        ] {
            named(files, naming, cases);
        }
    }

    #[test]
    fn names_of_packages_come_first() {
        assert_eq!(fit_of(&["1.in", "1.ans", "2.in", "2.out"]), Fit::Package { also: Vec::new() });
        assert_eq!(fit_of(&["1.in", "a.txt"]), Fit::Package { also: Vec::new() });
        let Fit::Package { also } = fit_of(&["1.in", "1.ans", "input2.txt", "output2.txt"]) else {
            panic!("no package")
        };
        assert_eq!(also.len(), 1);
    }

    #[test]
    fn the_most_pairs_count_and_the_others_are_listed() {
        let found = named(&["a.dat", "a.ans", "in1", "out1", "in2", "out2"], "in* out*", &["1", "2"]);
        assert_eq!(found.also.iter().map(|row| row.naming.input.to_string()).collect::<Vec<_>>(), ["*.dat"]);
        let found = named(&["a.dat", "a.ans", "in1", "out1"], "*.dat *.ans", &["a"]);
        assert_eq!(found.also.len(), 1);
    }

    #[test]
    fn an_answer_is_never_paired_with_another_input() {
        for files in [
            &["input1.txt", "output2.txt"][..],
            &["in/1.txt", "out/01.txt"],
            &["notes", "notes.a"],
            &["main.py", "a.out"],
            &["1.txt", "2.txt", "README.md"],
            &["index", "outdex"],
            &["output1.txt", "output2.txt"],
            &[],
        ] {
            assert_eq!(fit_of(files), Fit::None, "{files:?}");
        }
        let found =
            named(&["input1.txt", "output1.txt", "input2.txt", "output3.txt"], "input*.txt output*.txt", &["1"]);
        assert_eq!((&found.unanswered[..], &found.unused[..]), (&["2".to_owned()][..], &["3".to_owned()][..]));
        // The same case by another name is not another case.
        assert_eq!(named(&["input_1.txt", "output_1.txt"], "input_*.txt output_*.txt", &["1"]).also, []);
    }

    proptest::proptest! {
        #[test]
        fn every_file_belongs_to_one_case_at_most(files in proptest::collection::btree_set("(in|out|input|[12])[./]?[12]?(.txt|.a|.in|)", 0..24)) {
            if let Fit::Named(found) = fit(&files, CaseFolders::Any) {
                let mut used = BTreeSet::new();
                for name in &found.answered {
                    let input = found.naming.input.of_case(name);
                    let answer = found.naming.answer.of_case(name);
                    proptest::prop_assert!(files.contains(&input) && files.contains(&answer));
                    proptest::prop_assert!(used.insert(input) && used.insert(answer));
                }
            }
        }
    }
}
