//! Gives the programs of a plain folder the inputs that they do not read from standard input, as people write who solve
//! puzzles: a file that the source names (`open("input.txt")`), a file beside the source (`__file__`, `include_str!`), or
//! the first argument.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use crate::package::puzzle;
use crate::package::reader::Reader;
use crate::problem::{Arguments, Problem, Program, Submission, TestGroup};
use crate::program_files::LARGEST;

/// The most inputs of a folder that programs may read by name.
const MOST_INPUTS: usize = 100;

/// Words of a source that looks for files beside itself, or takes them in when it is built.
const BESIDE_SOURCE: &[&str] = &[
    "__file__",
    "include_str!",
    "include_bytes!",
    "__dirname",
    "import.meta",
    "//go:embed",
    "__DIR__",
    "__dir__",
    "$0",
];
/// Words of a source that reads its first argument.
const ARGUMENT: &[&str] = &[
    "sys.argv[1]",
    "process.argv[2]",
    "os.Args[1]",
    "args().nth(1)",
    "args().skip(1)",
    "argv[1]",
    "ARGV[0]",
    "args[0]",
    "$1",
];
/// Words of a source that reads standard input.
const STANDARD_INPUT: &[&str] = &[
    "stdin",
    "input()",
    "open(0)",
    "readline",
    "readLine",
    "cin",
    "scanf",
    "getline",
    "Console.Read",
    "readFileSync(0",
    "ARGF",
    "gets",
    "System.in",
    "read ",
    "STDIN",
];

/// A program with its text.
struct Source {
    /// The places in the folder under which it names inputs: each name as written, with the input.
    named: Vec<(PathBuf, PathBuf)>,
    is_beside: bool,
    takes_argument: bool,
    /// Whether it says nothing about its input: a library of the project reads it.
    is_silent: bool,
}

/// Prepares the cases and the programs of a folder.
pub(super) fn give(
    reader: &Reader<'_>,
    groups: &mut Vec<TestGroup>,
    submissions: Vec<Submission>,
    is_puzzle: bool,
) -> Vec<Submission> {
    let inputs: Vec<PathBuf> =
        groups.iter().flat_map(|group| group.cases.iter().map(|case| group.input_of(case))).take(MOST_INPUTS).collect();
    if inputs.len() == MOST_INPUTS {
        return submissions;
    }
    let mut sources: Vec<Source> =
        submissions.iter().map(|submission| Source::read(submission, &inputs, is_puzzle)).collect();
    if is_puzzle {
        let own = own_inputs(reader, groups);
        for source in sources.iter_mut().filter(|source| source.is_silent) {
            source.named.clone_from(&own);
        }
    }
    let beside = sources.iter().any(|source| source.is_beside && !source.named.is_empty());
    if beside {
        // What is beside the source is the same in each test, so only the puzzle's own input can be one.
        let is_own = |file: &Path| file.file_name().and_then(|name| name.to_str()).is_some_and(puzzle::is_own);
        if inputs.iter().any(|input| is_own(input)) {
            for group in groups.iter_mut() {
                let files: Vec<bool> = group.cases.iter().map(|case| is_own(&group.input_of(case))).collect();
                let mut files = files.into_iter();
                group.cases.retain(|_| files.next().unwrap_or_default());
            }
            groups.retain(|group| !group.cases.is_empty());
        }
    }
    let named: BTreeSet<(PathBuf, PathBuf)> = sources.iter().flat_map(|source| source.named.clone()).collect();
    let takes_argument = sources.iter().any(|source| source.takes_argument);
    if !named.is_empty() || takes_argument {
        for group in groups.iter_mut() {
            give_to(group, &named, takes_argument);
        }
    }
    let with_files = |(submission, source): (Submission, Source)| {
        if source.is_beside { with_inputs(reader, submission, &source.named) } else { submission }
    };
    submissions.into_iter().zip(sources).map(with_files).collect()
}

/// The inputs of a puzzle that are no examples, each under its own path in the folder.
fn own_inputs(reader: &Reader<'_>, groups: &[TestGroup]) -> Vec<(PathBuf, PathBuf)> {
    let is_own = |group: &&TestGroup| !["example", "sample"].iter().any(|name| *group.name == **name);
    let inputs = groups.iter().filter(is_own).flat_map(|group| group.cases.iter().map(|case| group.input_of(case)));
    inputs.filter_map(|input| Some((input.strip_prefix(&reader.dir).ok()?.to_owned(), input))).collect()
}

/// Makes the cases those of programs that read standard input.
pub(crate) fn take_back(problem: &mut Problem) {
    let cases = problem.groups.iter_mut().flat_map(|group| &mut group.cases);
    for case in cases.filter(|case| case.own.as_ref().is_some_and(|own| !own.by_name.is_empty())) {
        case.own = None;
    }
}

/// Tells each case of a group which files its programs find. A program that reads `input.txt` finds there the input of
/// each case; another name, such as `example.txt`, is that file.
fn give_to(group: &mut TestGroup, named: &BTreeSet<(PathBuf, PathBuf)>, takes_argument: bool) {
    let files: BTreeSet<&PathBuf> = named.iter().map(|(_, file)| file).collect();
    let is_replaced =
        |file: &Path| files.len() == 1 || file.file_name().and_then(|name| name.to_str()).is_some_and(puzzle::is_own);
    let own: Vec<PathBuf> = group.cases.iter().map(|case| group.input_of(case)).collect();
    let inside = |file: &Path| file.strip_prefix(&group.dir).ok().map(Path::to_owned);
    let own: Vec<Option<PathBuf>> = own.iter().map(|file| inside(file)).collect();
    let others: Vec<(PathBuf, Option<PathBuf>)> =
        named.iter().map(|(name, file)| (name.clone(), inside(file).filter(|_| !is_replaced(file)))).collect();
    for (case, own) in group.cases.iter_mut().zip(own) {
        let Some(own) = own else { continue };
        let mut by_name: Vec<(PathBuf, PathBuf)> =
            others.iter().map(|(name, file)| (name.clone(), file.clone().unwrap_or_else(|| own.clone()))).collect();
        let setting = case.own.get_or_insert_default();
        if takes_argument && let Some(name) = own.file_name() {
            let submission = vec![name.to_string_lossy().into_owned()];
            setting.arguments = Some(Arguments { submission, ..Arguments::default() });
            by_name.push((PathBuf::from(name), own.clone()));
        }
        by_name.sort();
        by_name.dedup();
        setting.by_name = by_name;
    }
}

/// The program with the inputs that it finds beside its source.
fn with_inputs(reader: &Reader<'_>, submission: Submission, named: &[(PathBuf, PathBuf)]) -> Submission {
    let Some(entry) = submission.source() else { return submission };
    let inside = |path: &Path| path.strip_prefix(&reader.dir).ok().map(Path::to_owned);
    let (Some(entry), inputs) = (inside(&entry), named.iter().filter_map(|(_, file)| inside(file))) else {
        return submission;
    };
    let own = match &submission.program {
        Program::Directory { path, files } => files.iter().filter_map(|file| inside(&path.join(file))).collect(),
        _ => vec![entry.clone()],
    };
    let files: BTreeSet<PathBuf> = own.into_iter().chain(inputs).collect();
    let program = Program::Directory { path: reader.dir.clone(), files: files.into_iter().collect() };
    Submission { program, entry_point: Some(entry.to_string_lossy().into_owned()), ..submission }
}

impl Source {
    /// Only the program of a puzzle is searched for more than names: elsewhere, programs read standard input.
    fn read(submission: &Submission, inputs: &[PathBuf], is_puzzle: bool) -> Self {
        let text = text_of(submission);
        let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
        let strings = strings(&text);
        let mut named = Vec::new();
        for name in strings.into_iter().map(without_dots).filter(|name| !name.as_os_str().is_empty()) {
            let below: Vec<&PathBuf> = inputs.iter().filter(|input| input.ends_with(&name)).collect();
            // `src/input.txt` in another folder is the same file of another layout.
            let alike = inputs.iter().filter(|input| name.file_name() == input.file_name());
            let meant = if below.is_empty() { alike.take(1).collect() } else { below };
            named.extend(meant.into_iter().take(1).map(|input| (name.clone(), input.clone())));
        }
        let takes_argument = is_puzzle && named.is_empty() && has(ARGUMENT) && !has(STANDARD_INPUT);
        let is_silent = named.is_empty() && !takes_argument && !has(STANDARD_INPUT);
        Self { is_beside: is_puzzle && has(BESIDE_SOURCE), takes_argument, is_silent, named }
    }
}

/// A relative path without `.` and `..`. The file cannot be above the working directory.
fn without_dots(name: &str) -> PathBuf {
    Path::new(name).components().filter(|part| matches!(part, Component::Normal(_))).collect()
}

/// The strings of a source that may be paths. Looks only for quotes, so that it needs no grammar of a language.
fn strings(text: &str) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    for line in text.lines() {
        for quote in ['"', '\'', '`'] {
            // Between any two quotes may be a string.
            let parts = line.split(quote).skip(1);
            found.extend(parts.filter(|part| !part.is_empty() && part.len() < 200 && !part.contains(['*', '\0'])));
        }
        // `//go:embed input.txt` has no quotes.
        found.extend(line.strip_prefix("//go:embed ").into_iter().flat_map(str::split_whitespace));
    }
    found
}

/// The text of a program, without files that are very long.
fn text_of(submission: &Submission) -> String {
    let files: Vec<PathBuf> = match &submission.program {
        Program::File(path) => vec![path.clone()],
        Program::Directory { path, files } => files.iter().map(|file| path.join(file)).collect(),
        _ => Vec::new(),
    };
    let small = files.iter().filter(|file| file.metadata().is_ok_and(|found| found.len() <= LARGEST));
    // Whoever builds the program reports a file that cannot be read.
    small.map(|file| String::from_utf8_lossy(&std::fs::read(file).unwrap_or_default()).into_owned() + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_of_a_source() {
        let text = "f = open('data/x.txt')\nlet t = include_str!(\"../input.txt\");\n//go:embed in.txt\n";
        let found = strings(text);
        assert!(["data/x.txt", "../input.txt", "in.txt"].iter().all(|name| found.contains(name)), "{found:?}");
        assert_eq!(without_dots("../a/./b.txt"), Path::new("a/b.txt"));
    }
}
