//! Gives the programs of a plain folder the inputs that they do not read from standard input, as people write who solve
//! puzzles: a file that the source names (`open("input.txt")`), a file beside the source (`__file__`, `include_str!`), or
//! the first argument.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use crate::data_files::{self, DataFile, strings};
use crate::document::small_text;
use crate::folder_cases::CaseNames;
use crate::program_files::LARGEST;
use crate::program_input;
use crate::puzzle;
use crate::puzzle_cases;
use crate::reader::Reader;
use grader_model::diagnostic::{Diagnostic, Kind};
use grader_model::problem::{
    AnswerFile, Arguments, FilePattern, HeldIn, OwnSetting, Problem, Program, Submission, TestGroup,
};

/// The most inputs of a folder that programs may read by name.
const MOST_INPUTS: usize = 100;

/// The most names that programs may put together.
const MOST_COMPOSED: usize = 200;

/// A program with what its text says about files.
struct Source {
    /// The names in it that are inputs: each as written, with the input.
    named: Vec<(PathBuf, PathBuf)>,
    /// Further inputs that it may name in a way that its text does not show.
    composed: Vec<(PathBuf, PathBuf)>,
    /// Data that it names and that is not an input: each as written, with the file.
    data: Vec<(PathBuf, PathBuf)>,
    /// The names of the files that it writes.
    written: Vec<String>,
    is_beside: bool,
    takes_argument: bool,
    /// The files that it reads and writes instead of standard input and output: `paint.in` and `paint.out`.
    redirected: Option<(PathBuf, PathBuf)>,
}

/// Prepares the cases and the programs of a folder.
pub(super) fn give(
    reader: &Reader<'_>,
    groups: &mut Vec<TestGroup>,
    submissions: Vec<Submission>,
    kind: CaseNames,
) -> Vec<Submission> {
    let inputs: Vec<PathBuf> =
        groups.iter().flat_map(|group| group.cases.iter().map(|case| group.input_of(case))).take(MOST_INPUTS).collect();
    if inputs.len() == MOST_INPUTS {
        return submissions;
    }
    let mut sources: Vec<Source> =
        submissions.iter().map(|submission| Source::read(reader, submission, &inputs, kind)).collect();
    let reads_more = |submission: &Submission| program_input::reads_what_it_gets(&text_of(submission));
    if kind == CaseNames::Puzzle || kind == CaseNames::Either && !submissions.iter().any(reads_more) {
        join_inputs(reader, groups, &mut sources);
    }
    let beside = sources.iter().any(|source| source.is_beside && !source.named.is_empty());
    if beside {
        keep_own(reader, groups, &inputs, &sources);
    }
    if kind != CaseNames::Contest {
        // A program may put the name together, as seen from its folder or one above: `"src/" + day + ".txt"`.
        let top = reader.top.unwrap_or(&reader.dir);
        let is_composed = sources.iter().any(|source| source.named.is_empty());
        let bases =
            reader.dir.ancestors().take_while(|base| *base == reader.dir || is_composed && base.starts_with(top));
        let under =
            |base: &Path| inputs.iter().filter_map(|input| Some((input.strip_prefix(base).ok()?, input))).collect();
        let under_own_path = bases.flat_map(|base| -> Vec<(&Path, &PathBuf)> { under(base) }).take(MOST_COMPOSED);
        let mut under_own_path: Vec<_> = under_own_path.map(|(name, input)| (name.to_owned(), input.clone())).collect();
        // Templates look for `inputs/01.txt`, which a clone lacks. An example stands for it.
        let stand_ins: Vec<_> =
            under_own_path.iter().filter_map(|(name, input)| Some((own_for(name)?, input.clone()))).collect();
        let is_new = |(name, _): &(PathBuf, PathBuf)| !under_own_path.iter().any(|(known, _)| known == name);
        let stand_ins: Vec<_> = stand_ins.into_iter().filter(is_new).collect();
        under_own_path.extend(stand_ins);
        for source in &mut sources {
            source.composed.clone_from(&under_own_path);
        }
    }
    for group in groups.iter_mut() {
        let redirected = sources.iter().filter_map(|source| source.redirected.as_ref());
        let written = sources.iter().flat_map(|source| &source.written).map(Path::new);
        for output in redirected.map(|(_, output)| &**output).chain(written) {
            drop_own_output(reader, group, output);
        }
        give_to(group, &sources);
    }
    let with_files = |(submission, source): (Submission, Source)| {
        // A name that is put together may be that of any input.
        let composed = if source.named.is_empty() { source.composed } else { Vec::new() };
        let files = source.named.into_iter().chain(composed).chain(source.data).map(|(_, file)| file);
        if source.is_beside { with_inputs(reader, submission, files) } else { submission }
    };
    submissions.into_iter().zip(sources).map(with_files).collect()
}

/// The place of the puzzle's own input, for an example: `data/inputs/01.txt` for `data/examples/01.txt`.
fn own_for(example: &Path) -> Option<PathBuf> {
    let folder = example.parent()?;
    let is_examples = ["examples", "example", "samples"].iter().any(|name| folder.ends_with(name));
    is_examples.then(|| folder.with_file_name("inputs").join(example.file_name().unwrap_or_default()))
}

/// Keeps one test where every program reads the same several inputs in one run, none of which is an example: the first
/// input, beside which the others lie.
fn join_inputs(reader: &Reader<'_>, groups: &mut Vec<TestGroup>, sources: &mut [Source]) {
    let of_first: BTreeSet<PathBuf> = sources.first().map(inputs_of).unwrap_or_default();
    let names: BTreeSet<_> = of_first.iter().map(|file| file.file_name()).collect();
    // `examples/01.txt` and `inputs/01.txt` are two inputs of two runs.
    if of_first.len() < 2
        || names.len() < of_first.len()
        || of_first.iter().any(|file| puzzle::is_example_file(file))
        || sources.iter().any(|source| inputs_of(source) != of_first)
    {
        return;
    }
    let Some(kept) = of_first.iter().next().cloned() else { return };
    let mut answers = Vec::new();
    let mut whole = None;
    for group in groups.iter_mut() {
        let own = group.clone();
        let cases = std::mem::take(&mut group.cases);
        let (joined, others): (Vec<_>, Vec<_>) =
            cases.into_iter().partition(|case| of_first.contains(&own.input_of(case)));
        group.cases = others;
        for case in joined {
            answers.push(own.answer_of(&case).filter(|_| case.answer != AnswerFile::Missing));
            if own.input_of(&case) == kept {
                whole = Some(TestGroup { cases: vec![case], ..own.clone() });
            }
        }
    }
    groups.retain(|group| !group.cases.is_empty());
    groups.extend(whole.map(|whole| puzzle_cases::with_all_answers(reader, whole, &answers)));
    for source in sources {
        let (own, others) = std::mem::take(&mut source.named).into_iter().partition(|(_, file)| *file == kept);
        source.named = own;
        source.data = [std::mem::take(&mut source.data), others].concat();
    }
}

/// The inputs that a source names.
fn inputs_of(source: &Source) -> BTreeSet<PathBuf> {
    source.named.iter().map(|(_, file)| file.clone()).collect()
}

/// Keeps the inputs of programs that read files beside their sources. These are the same in each test, so only the
/// puzzle's own input, or else the only one that sources name, can be one.
fn keep_own(reader: &Reader<'_>, groups: &mut Vec<TestGroup>, inputs: &[PathBuf], sources: &[Source]) {
    let is_own = |file: &&PathBuf| file.file_name().and_then(|name| name.to_str()).is_some_and(puzzle::is_own);
    let named: BTreeSet<&PathBuf> = sources.iter().flat_map(|source| &source.named).map(|(_, file)| file).collect();
    let mut kept: BTreeSet<&PathBuf> = inputs.iter().filter(is_own).collect();
    if kept.is_empty() && named.len() == 1 {
        kept = named;
    }
    let left_out: Vec<&PathBuf> = inputs.iter().filter(|input| !kept.contains(input)).collect();
    let Some(first) = left_out.first().filter(|_| !kept.is_empty()) else { return };
    let more = if left_out.len() > 1 { format!(" ({} more like this)", left_out.len() - 1) } else { String::new() };
    let message = format!("not a test, because a program here always reads the file beside its source{more}");
    reader.report(
        Diagnostic::warning(first, message)
            .kind(Kind::Ignored)
            .remedy("let the program read standard input or open the file in its working directory"),
    );
    for group in groups.iter_mut() {
        let files: Vec<bool> = group.cases.iter().map(|case| kept.contains(&group.input_of(case))).collect();
        let mut files = files.into_iter();
        group.cases.retain(|_| files.next().unwrap_or_default());
    }
    groups.retain(|group| !group.cases.is_empty());
}

/// The files that programs read as inputs although no name says so: the first data file that the source of each names, if
/// it names none of the known inputs.
pub(super) fn unknown(reader: &Reader<'_>, programs: &[Submission], known: &[PathBuf]) -> BTreeSet<PathBuf> {
    let first = |program: &Submission| {
        let text = text_of(program);
        let files: Vec<PathBuf> =
            files_of(reader, program, &text).filter(DataFile::is_input).filter_map(|file| file.path).collect();
        let is_known = |file: &PathBuf| known.iter().any(|input| input.file_name() == file.file_name());
        let reads_known = files.iter().any(is_known) || !known.is_empty() && program_input::is_standard(&text);
        let composed = dir_of(program).map(|dir| data_files::composed_in(&text, &dir)).unwrap_or_default();
        let composed: Vec<PathBuf> = composed.into_iter().filter_map(|file| file.path).collect();
        // Of several files, the first; and if that is an example or its own input, the first of the other kind.
        let first = files.first().cloned();
        let is_other = |file: &&PathBuf| {
            first.as_ref().is_some_and(|first| puzzle::is_example_file(first) != puzzle::is_example_file(file))
        };
        let other = files.iter().find(is_other).cloned();
        let first = first.map_or(composed, |first| std::iter::once(first).chain(other).collect());
        if reads_known { Vec::new() } else { first }
    };
    programs.iter().flat_map(first).collect()
}

/// The names of the data files that a program only writes.
pub(super) fn written_by(program: &Submission) -> Vec<String> {
    data_files::written_in(&text_of(program)).map(str::to_owned).collect()
}

/// Whether a program reads its input from a file that it names, as programs of contests do not.
pub(super) fn reads_by_name(reader: &Reader<'_>, program: &Submission) -> bool {
    let text = text_of(program);
    let is_of_contest = || {
        let is_redirected = || redirection(&text, &strings(&text)).is_some();
        program_input::is_standard(&text) || text.contains("freopen") || is_redirected()
    };
    files_of(reader, program, &text).any(|file| file.is_input()) && !is_of_contest()
}

/// The data files that the source of a program names: each as written, with the file.
fn data_of(reader: &Reader<'_>, program: &Submission, text: &str) -> Vec<(PathBuf, PathBuf)> {
    files_of(reader, program, text).filter_map(|file| Some((file.name, file.path?))).collect()
}

/// The data files that the source of a program names, whether they are there or not.
fn files_of(reader: &Reader<'_>, program: &Submission, text: &str) -> impl Iterator<Item = DataFile> {
    let files = dir_of(program).map(|dir| data_files::named_in(text, &dir, Some(reader.top.unwrap_or(&reader.dir))));
    files.into_iter().flatten()
}

/// The directory of a program.
fn dir_of(program: &Submission) -> Option<PathBuf> {
    match &program.program {
        Program::Directory { path, .. } => Some(path.clone()),
        _ => program.source().and_then(|source| source.parent().map(Path::to_owned)),
    }
}

/// Takes no file for an answer that the program itself writes when its author starts it in the folder.
fn drop_own_output(reader: &Reader<'_>, group: &mut TestGroup, output: &Path) {
    let written = reader.dir.join(output);
    let is_own: Vec<bool> = group.cases.iter().map(|case| group.answer_of(case).as_ref() == Some(&written)).collect();
    for (case, is_own) in group.cases.iter_mut().zip(is_own) {
        if is_own {
            case.answer = AnswerFile::Missing;
            let message = "a program here writes this file, so it is no answer";
            let found = Diagnostic::warning(&written, message).kind(Kind::Ignored);
            reader.report(found.remedy(format!("rename it to {}.ans if it is the answer", case.name)));
            if let Some(naming) = &mut group.naming {
                naming.answer = FilePattern::new("*.ans");
            }
        }
    }
}

/// Which of some inputs the source of a program names, by their positions.
pub(super) fn mentioned(submission: &Submission, inputs: &[PathBuf]) -> BTreeSet<usize> {
    if inputs.len() > MOST_INPUTS {
        return BTreeSet::new();
    }
    let text = text_of(submission);
    let names: BTreeSet<PathBuf> = strings(&text).into_iter().map(|name| without_dots(Path::new(name))).collect();
    let is_named = |input: &PathBuf| {
        // `data/day01/input.txt` is not `data/day02/input.txt`; `src/input.txt` may be that of another layout.
        let is_end = |name: &&PathBuf| !name.as_os_str().is_empty() && input.ends_with(name);
        let is_alike = |name: &&PathBuf| name.file_name() == input.file_name();
        let is_elsewhere = |name: &PathBuf| inputs.iter().any(|other| other.ends_with(name));
        names.iter().any(|name| is_end(&name)) || names.iter().filter(is_alike).any(|name| !is_elsewhere(name))
    };
    (0..inputs.len()).filter(|at| is_named(&inputs[*at])).collect()
}

/// Makes the cases those of programs that read standard input.
pub fn take_back(problem: &mut Problem) {
    for group in &mut problem.groups {
        let is_stated = has_stated_arguments(group);
        let own = group.cases.iter_mut().filter_map(|case| case.own.as_mut());
        for own in own.filter(|own| !own.by_name.is_empty()) {
            **own = OwnSetting {
                arguments: own.arguments.take().filter(|_| is_stated),
                checker: own.checker,
                files: std::mem::take(&mut own.files),
                points: own.points,
                ..OwnSetting::default()
            };
        }
    }
}

/// Whether only a document states the arguments of programs: its inputs are files of grader's own, which no program names.
fn has_stated_arguments(group: &TestGroup) -> bool {
    matches!(group.document, Some(HeldIn::Cases(_)))
}

/// Tells each case of a group which files its programs find. A program that reads `input.txt` finds there the input of
/// each case; another name, such as `example.txt`, is that file.
fn give_to(group: &mut TestGroup, sources: &[Source]) {
    let named: BTreeSet<&(PathBuf, PathBuf)> =
        sources.iter().flat_map(|source| source.named.iter().chain(&source.composed)).collect();
    let data: BTreeSet<&(PathBuf, PathBuf)> = sources.iter().flat_map(|source| &source.data).collect();
    let takes_argument = !has_stated_arguments(group) && sources.iter().any(|source| source.takes_argument);
    let redirected = sources.iter().find_map(|source| source.redirected.clone());
    if named.is_empty() && data.is_empty() && !takes_argument && redirected.is_none() {
        return;
    }
    let written: BTreeSet<&PathBuf> = sources.iter().flat_map(|source| &source.named).map(|(_, file)| file).collect();
    let is_of_example = |file: &Path| puzzle::is_example_file(file);
    // Beside an example that a source names, the other file is the puzzle's own.
    let has_example = written.iter().any(|file| is_of_example(file));
    let is_replaced = |file: &PathBuf| {
        written.len() == 1 && written.contains(file)
            || has_example && !is_of_example(file)
            || file.file_name().and_then(|name| name.to_str()).is_some_and(puzzle::is_own)
    };
    let directory = start_for(named.iter().chain(&data).map(|(name, _)| &**name));
    let own: Vec<PathBuf> = group.cases.iter().map(|case| group.input_of(case)).collect();
    // Each name with its file, unless that is the input of each case.
    let others: Vec<(PathBuf, Option<PathBuf>)> = named
        .iter()
        .map(|(name, file)| (place_of(&directory, name), Some(file.clone()).filter(|_| !is_replaced(file))))
        .collect();
    let inside = |file: &Path| file.strip_prefix(&group.dir).unwrap_or(file).to_owned();
    for (case, own) in group.cases.iter_mut().zip(own) {
        // `examples/01.txt` stands for `inputs/01.txt` on that case; an example stays what it is.
        let is_same =
            |file: &&PathBuf| file.file_name() != own.file_name() || is_of_example(file) && !is_of_example(&own);
        let mut by_name: Vec<(PathBuf, PathBuf)> = others
            .iter()
            .map(|(name, file)| (name.clone(), inside(file.as_ref().filter(is_same).unwrap_or(&own))))
            .collect();
        by_name.extend(data.iter().map(|(name, file)| (place_of(&directory, name), file.clone())));
        let setting = case.own.get_or_insert_default();
        if takes_argument && let Some(name) = own.file_name() {
            let submission = vec![name.to_string_lossy().into_owned()];
            setting.arguments = Some(Arguments { submission, ..Arguments::default() });
            by_name.push((place_of(&directory, Path::new(name)), inside(&own)));
        }
        if let Some((input, output)) = &redirected {
            by_name.push((place_of(&directory, input), inside(&own)));
            setting.output = Some(output.clone());
        }
        by_name.sort();
        by_name.dedup_by(|later, earlier| later.0 == earlier.0);
        setting.by_name = by_name;
        setting.directory.clone_from(&directory);
    }
}

/// The directory in which a program must start so that names such as `../inputs/01.txt` lead to files of its box.
fn start_for<'n>(names: impl Iterator<Item = &'n Path>) -> PathBuf {
    let levels = names.map(levels_up).max().unwrap_or_default();
    std::iter::repeat_n("src", levels).collect()
}

/// How many directories a name leads up first.
fn levels_up(name: &Path) -> usize {
    let steps = name.components().filter(|part| *part != Component::CurDir);
    steps.take_while(|part| *part == Component::ParentDir).count()
}

/// The place in the box of the file that a program in `directory` finds under a name.
fn place_of(directory: &Path, name: &Path) -> PathBuf {
    let kept = directory.components().count().saturating_sub(levels_up(name));
    directory.components().take(kept).collect::<PathBuf>().join(without_dots(name))
}

/// The program with the inputs that it finds beside its source.
fn with_inputs(reader: &Reader<'_>, submission: Submission, found: impl Iterator<Item = PathBuf>) -> Submission {
    let Some(entry) = file_that_starts(&submission) else { return submission };
    let own: Vec<PathBuf> = match &submission.program {
        Program::Directory { path, files } => files.iter().map(|file| path.join(file)).collect(),
        _ => vec![entry.clone()],
    };
    let all: BTreeSet<PathBuf> = own.into_iter().chain(found).collect();
    // The folder of the problem, or one above: `__file__` leads to `../../inputs/01.txt`.
    let Some(common) = reader.dir.ancestors().find(|dir| all.iter().all(|file| file.starts_with(dir))) else {
        return submission;
    };
    let inside = |path: &Path| path.strip_prefix(common).ok().map(Path::to_owned);
    let Some(entry) = inside(&entry) else { return submission };
    let files: Vec<PathBuf> = all.iter().filter_map(|file| inside(file)).collect();
    let program = Program::Directory { path: common.to_owned(), files };
    Submission { program, entry_point: Some(entry.to_string_lossy().into_owned()), ..submission }
}

/// The file with which a program starts; `main` among several files without a stated one.
fn file_that_starts(submission: &Submission) -> Option<PathBuf> {
    let is_main = |file: &&PathBuf| file.file_stem().is_some_and(|stem| stem == "main");
    match &submission.program {
        Program::Directory { path, files } if submission.entry_point.is_none() => {
            files.iter().find(is_main).map(|file| path.join(file))
        }
        _ => submission.source(),
    }
}

impl Source {
    /// Only the program of what may be a puzzle is searched for more than names: elsewhere, programs read standard input.
    fn read(reader: &Reader<'_>, submission: &Submission, inputs: &[PathBuf], kind: CaseNames) -> Self {
        let text = text_of(submission);
        let strings = strings(&text);
        let found = data_of(reader, submission, &text);
        let composed = dir_of(submission).map(|dir| data_files::composed_in(&text, &dir)).unwrap_or_default();
        let is_of_folder = |file: &DataFile| file.path.as_ref().is_some_and(|path| inputs.contains(path));
        let composed = composed.into_iter().filter(is_of_folder).filter(|_| kind != CaseNames::Contest);
        let mut named: Vec<(PathBuf, PathBuf)> = composed.filter_map(|file| Some((file.name, file.path?))).collect();
        for name in strings.iter().map(Path::new) {
            let plain = without_dots(name);
            if plain.as_os_str().is_empty() {
                continue;
            }
            // `../day01/input.txt` is that file, and no input of this folder.
            if found.iter().any(|(known, file)| known == name && !inputs.contains(file)) {
                continue;
            }
            let below: Vec<&PathBuf> = inputs.iter().filter(|input| input.ends_with(&plain)).collect();
            // `src/input.txt` in another folder is the same file of another layout.
            let alike = inputs.iter().filter(|input| plain.file_name() == input.file_name());
            let meant = if below.is_empty() { alike.take(1).collect() } else { below };
            named.extend(meant.into_iter().take(1).map(|input| (name.to_owned(), input.clone())));
        }
        let may_be_puzzle = kind != CaseNames::Contest;
        let takes_argument = named.is_empty() && program_input::is_argument(&text);
        // Programs of puzzles may write a file beside what they print.
        let writes = || kind != CaseNames::Puzzle || text.contains("freopen") || !program_input::prints(&text);
        let redirected = redirection(&text, &strings).filter(|_| writes());
        // A file that only the tests of a Rust source include is not an input of the program.
        let own = text.split("#[cfg(test)]").next().unwrap_or_default();
        let is_beside = may_be_puzzle && program_input::is_beside_source(own);
        // Elsewhere, judges have no such files.
        let mut data = if kind == CaseNames::Puzzle { found } else { Vec::new() };
        data.retain(|(_, file)| !inputs.contains(file));
        let written = data_files::written_in(&text).map(str::to_owned).collect();
        Self { named, composed: Vec::new(), data, written, is_beside, takes_argument, redirected }
    }
}

/// The files that a source names as its input and its output, as problems of USACO and older contests demand: two names
/// of one stem, or the usual pair.
fn redirection(text: &str, strings: &BTreeSet<&str>) -> Option<(PathBuf, PathBuf)> {
    let strings: &BTreeSet<&str> = &strings.iter().map(|name| name.strip_prefix("./").unwrap_or(name)).collect();
    let is_name = |name: &&str| !name.contains(['/', ' ', '%', '{', '\\']);
    let output_of = |input: &str| match input {
        "input.txt" => Some("output.txt".to_owned()),
        _ => Some(format!("{}.out", input.strip_suffix(".in").filter(|stem| !stem.is_empty())?)),
    };
    let mut inputs = strings.iter().copied().filter(is_name);
    let written = inputs.find_map(|input| {
        let output = output_of(input).filter(|output| strings.contains(&**output))?;
        Some((PathBuf::from(input), PathBuf::from(output)))
    });
    // `setIO("paint")` puts the names together: `s + ".in"`.
    let composed = || {
        let is_composed = strings.contains(".in") && strings.contains(".out");
        let (_, call) = text.split_once("setIO(\"").filter(|_| is_composed)?;
        let (stem, _) = call.split_once('"').filter(|(stem, _)| !stem.is_empty() && is_name(stem))?;
        Some((PathBuf::from(format!("{stem}.in")), PathBuf::from(format!("{stem}.out"))))
    };
    written.or_else(composed)
}

/// A path without `.` and `..`.
fn without_dots(name: &Path) -> PathBuf {
    name.components().filter(|part| matches!(part, Component::Normal(_))).collect()
}

/// The text of a program, without files that are very long.
pub(super) fn text_of(submission: &Submission) -> String {
    let texts = submission.program.files().into_iter().filter_map(|file| small_text(&file, LARGEST));
    texts.map(|text| text + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_instead_of_standard_input() {
        let texts = [
            "freopen(\"paint.in\", \"r\", stdin); freopen(\"paint.out\", \"w\", stdout);",
            "open('a.in'); open('b.out')",
        ];
        assert_eq!(redirection(texts[0], &strings(texts[0])), Some(("paint.in".into(), "paint.out".into())));
        assert_eq!(redirection(texts[1], &strings(texts[1])), None);
        let composed = "freopen((s + \".in\").c_str(), \"r\", stdin); freopen((s + \".out\").c_str(), \"w\", stdout);";
        assert_eq!(redirection(composed, &strings(composed)), None);
        let text = format!("{composed}\nsetIO(\"paint\");");
        assert_eq!(redirection(&text, &strings(&text)), Some(("paint.in".into(), "paint.out".into())));
    }

    #[test]
    fn names_above_the_program_are_in_the_box() {
        for (names, directory, places) in [
            (&["../inputs/01.txt"][..], "src", &["inputs/01.txt"][..]),
            (&["input.txt"], "", &["input.txt"]),
            (&["./../../a.txt", "b.txt", "../c.txt"], "src/src", &["a.txt", "src/src/b.txt", "src/c.txt"]),
        ] {
            let start = start_for(names.iter().map(Path::new));
            assert_eq!(start, Path::new(directory));
            let found: Vec<PathBuf> = names.iter().map(|name| place_of(&start, Path::new(name))).collect();
            assert_eq!(found, places.iter().map(PathBuf::from).collect::<Vec<_>>(), "{names:?}");
        }
    }
}
