//! Checks the files of a problem without running programs: missing parts, inputs that are never used, duplicates.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use crate::engine::bench::Resources;
use crate::package::testdata::VALIDATION_DIRS;
use crate::package::{library_checker, polygon};
use crate::problem::{JudgingProgram, PackageLayout, Problem, Protocol};
use crate::verify::byte_check::{ByteCheck, LARGE};
use crate::verify::problem_findings::{ProblemFindings, is_sample};
use crate::verify::{Code, Finding};

/// Runs all checks that need only files.
pub(crate) fn check(results: &mut ProblemFindings, problem: &Problem, resources: &Resources) {
    if problem.layout != PackageLayout::Plain {
        parts(results, problem);
        unreachable(results, problem);
    }
    two_answers(results, problem, resources);
    bytes(results, problem, resources);
    duplicates(results, problem, resources);
}

/// Reports cases with an `.ans` and an `.out` that differ: only one of them is the answer. An unreadable file is reported
/// with the other checks of its bytes.
fn two_answers(results: &mut ProblemFindings, problem: &Problem, resources: &Resources) {
    for (group, case) in problem.cases() {
        let [answer, other] = ["ans", "out"].map(|ending| group.dir.join(format!("{}.{ending}", case.name)));
        let digest = |path: &Path| path.is_file().then(|| resources.store.digest_file(path).ok()).flatten();
        if let (Some(one), Some(two)) = (digest(&answer), digest(&other))
            && one != two
        {
            let message = format!("differs from {}.out; grader uses the .ans", case.name);
            results.report(Finding::new(Code::TwoAnswers, message).at(&answer).remedy("remove the wrong one"));
        }
    }
}

/// Checks for the parts that a problem should have.
fn parts(results: &mut ProblemFindings, problem: &Problem) {
    let data = results.data.clone().unwrap_or_default();
    if !problem.groups.iter().any(is_sample) && !has_conversation(&data.join("sample")) {
        // `grader add` changes no package of these workshops.
        let remedy = match problem.layout {
            PackageLayout::Polygon => {
                "mark a test without points as an example on Polygon, and download the package again"
            }
            PackageLayout::LibraryChecker => "add tests called `example.in` to info.toml",
            PackageLayout::Native | PackageLayout::Plain | PackageLayout::Icpc => "add one: grader add --sample",
        };
        results.report(Finding::new(Code::NoSample, "no sample").at(data.join("sample")).remedy(remedy));
    }
    if problem.groups.iter().all(is_sample) {
        let finding =
            Finding::new(Code::NoSecretCase, "no case except samples: a program with only their answers passes");
        results.report(finding.at(data.join("secret")).remedy("add cases: grader add"));
    }
    if problem.input_validators.is_empty() {
        let dir = problem.dir.join("input_validators");
        let finding = Finding::new(Code::NoInputValidator, "no input validator that grader can run").at(dir);
        let is_testlib = |judge: &JudgingProgram| matches!(judge.protocol.get(), Protocol::Testlib(_));
        let remedy = if problem.output_judges().any(is_testlib) {
            "add a validator of testlib, or a program that exits with 42 for a valid input and with 43 for any other"
        } else {
            "add a program that exits with 42 for a valid input and with 43 for any other"
        };
        results.report(finding.remedy(remedy));
    }
    if problem.layout == PackageLayout::Polygon {
        if problem.documents.is_empty() {
            let finding =
                Finding::new(Code::NoStatement, "no statement in HTML or PDF").at(problem.dir.join(polygon::FILE));
            results.report(finding.remedy("write it on Polygon, and download the package again"));
        }
    } else if problem.layout == PackageLayout::LibraryChecker {
        if problem.documents.is_empty() {
            let finding =
                Finding::new(Code::NoStatement, "no statement").at(problem.dir.join(library_checker::STATEMENT));
            results.report(finding.remedy("write it in Markdown"));
        }
    } else if !has_statement(&problem.dir) {
        let finding = Finding::new(Code::NoStatement, "no statement").at(problem.dir.join("statement"));
        results.report(finding.remedy("add problem.en.md or problem.en.tex"));
    }
    if !problem.submissions.iter().any(|submission| submission.expectation.wants_all_accepted()) {
        let dir = problem.dir.join("submissions/accepted");
        let finding = Finding::new(Code::NoAcceptedSubmission, "no submission is expected to be accepted").at(dir);
        results.report(finding.remedy("add a solution, which shows that the problem can be solved"));
    }
}

/// Whether a sample is an `.interaction` file, which is enough in an interactive package. An unreadable directory was
/// already reported.
fn has_conversation(dir: &Path) -> bool {
    let Ok(listing) = dir.read_dir() else { return false };
    listing.flatten().any(|entry| entry.path().extension().is_some_and(|ending| ending == "interaction"))
}

/// Whether a statement exists: `statement/problem.<language>.{md,tex,pdf}`, or in the legacy format
/// `problem_statement/problem[.<language>].{tex,pdf}`. An unreadable directory counts as having none.
fn has_statement(dir: &Path) -> bool {
    let is_statement = |name: &str| {
        let parts: Vec<&str> = name.split('.').collect();
        parts[0] == "problem" && parts.len() <= 3 && ["md", "tex", "pdf"].contains(&parts[parts.len() - 1])
    };
    let listings = ["statement", "problem_statement"].iter().filter_map(|name| dir.join(name).read_dir().ok());
    let mut names = listings.flat_map(|listing| listing.flatten().map(|entry| entry.file_name()));
    names.any(|name| name.to_str().is_some_and(is_statement))
}

/// Reports inputs that no submission runs on, and files of validation data without an input.
fn unreachable(results: &mut ProblemFindings, problem: &Problem) {
    let Some(data) = results.data.clone() else { return };
    let known: BTreeSet<PathBuf> = problem.cases().map(|(group, case)| group.input_of(case)).collect();
    // Skip files that were reported when the problem was read.
    let told = results.told.clone();
    // Authors choose the names of files in `.files` directories freely.
    let is_of_case = |entry: &DirEntry| entry.path().extension().is_some_and(|ending| ending == "files");
    let is_hidden = |entry: &DirEntry| entry.file_name().as_encoded_bytes().starts_with(b".") || is_of_case(entry);
    // Unreadable directories were already reported.
    let walk = WalkDir::new(&data).min_depth(1).sort_by_file_name().into_iter();
    for entry in walk.filter_entry(|entry| entry.depth() == 0 || !is_hidden(entry)).flatten() {
        let path = entry.path();
        let Some(ending) = path.extension().and_then(|ending| ending.to_str()) else { continue };
        if entry.file_type().is_dir() || told.iter().any(|told| *told != data && path.starts_with(told)) {
            continue;
        }
        let top = path.strip_prefix(&data).ok().and_then(|below| below.components().next());
        let validates = top.is_some_and(|top| VALIDATION_DIRS.iter().any(|name| top.as_os_str() == *name));
        if validates && ["ans", "out"].contains(&ending) && !path.with_extension("in").exists() {
            let finding = Finding::new(Code::ValidationDataIncomplete, "without an input of the same name").at(path);
            results.report(finding.remedy("add the .in or remove the file"));
        } else if !validates && ending == "in" && !known.contains(path) {
            let finding = Finding::new(Code::CaseUnreachable, "an input that is not a case of the problem").at(path);
            results.report(finding.remedy("move it to sample/ or secret/, or remove it"));
        }
    }
}

/// Files with the same peculiarity, which is reported once, for the first file.
#[derive(Default)]
struct SharedFinding {
    first: BTreeMap<Code, (PathBuf, String)>,
    more: BTreeMap<Code, usize>,
}

impl SharedFinding {
    fn add(&mut self, code: Code, path: &Path, message: impl Into<String>) {
        match self.first.get(&code) {
            Some(_) => *self.more.entry(code).or_default() += 1,
            None => drop(self.first.insert(code, (path.to_owned(), message.into()))),
        }
    }

    fn report(self, results: &mut ProblemFindings) {
        for (code, (path, message)) in self.first {
            let more = match self.more.get(&code) {
                None => String::new(),
                Some(1) => "; the same in 1 more file".to_owned(),
                Some(more) => format!("; the same in {more} more files"),
            };
            results.report(Finding::new(code, format!("{message}{more}")).at(path));
        }
    }
}

/// Checks the bytes of inputs and answers.
fn bytes(results: &mut ProblemFindings, problem: &Problem, resources: &Resources) {
    let mut shared = SharedFinding::default();
    for (group, case) in problem.cases() {
        let limit = resources.limits_for(problem, group, "").kill.output;
        let answer = group.answer_of(case);
        let files = [(group.input_of(case), false)].into_iter().chain(answer.map(|answer| (answer, true)));
        for (path, is_answer) in files {
            let byte_check = match read(&path) {
                Ok(byte_check) => byte_check,
                Err(error) => {
                    results.report(Finding::new(Code::FileUnreadable, error.to_string()).at(path));
                    continue;
                }
            };
            tell(&mut shared, &byte_check, &path);
            if !is_answer && byte_check.size == 0 {
                shared.add(Code::EmptyInput, &path, "empty");
            }
            if is_answer && byte_check.size > limit.0 / 2 && !problem.kind.is_led_by_validator() {
                let message = format!("{} bytes, more than half of the output limit of {limit}", byte_check.size);
                shared.add(Code::AnswerNearOutputLimit, &path, message);
            }
        }
    }
    shared.report(results);
}

fn tell(shared: &mut SharedFinding, byte_check: &ByteCheck, path: &Path) {
    let ByteCheck { carriage_return, non_ascii, control, .. } = *byte_check;
    for (code, line, what) in [
        (Code::CarriageReturn, carriage_return, "a carriage return"),
        (Code::NonAscii, non_ascii, "not ASCII"),
        (Code::ControlCharacter, control, "a control character"),
    ] {
        if let Some(line) = line {
            shared.add(code, path, format!("line {line}: {what}"));
        }
    }
    if byte_check.lacks_final_newline() {
        shared.add(Code::NoFinalNewline, path, "no newline at the end");
    }
    if byte_check.size > LARGE {
        shared.add(Code::LargeFile, path, format!("{} MiB", byte_check.size >> 20));
    }
}

fn read(path: &Path) -> io::Result<ByteCheck> {
    let mut file = File::open(path)?;
    let mut byte_check = ByteCheck::default();
    let mut chunk = vec![0; 64 << 10];
    loop {
        match file.read(&mut chunk) {
            Ok(0) => return Ok(byte_check),
            Ok(n) => byte_check.feed(&chunk[..n]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// The names of a case's own files with digests of their contents. The input has an empty name.
type Files = Vec<(PathBuf, Vec<u8>)>;

/// Reports redundant cases: the same input, files and arguments, for the same points.
fn duplicates(results: &mut ProblemFindings, problem: &Problem, resources: &Resources) {
    let cases: Vec<_> = problem.cases().collect();
    let inputs: Vec<PathBuf> = cases.iter().map(|(group, case)| group.input_of(case)).collect();
    let mut first: BTreeMap<(Files, &[String], &str), usize> = BTreeMap::new();
    for (at, digest) in resources.store.digest_files(&inputs).into_iter().enumerate() {
        // An unreadable input was already reported by the check of bytes.
        let Ok(digest) = digest else { continue };
        let (group, case) = cases[at];
        let setting = group.setting_of(case);
        let arguments = &setting.arguments.submission;
        let points = if problem.scoring.is_some() { &*group.name } else { "" };
        let mut files = Files::new();
        let mut is_whole = true;
        for (name, from) in setting.work.files {
            match resources.store.digest_file(&from) {
                Ok(digest) => files.push((name, digest.as_bytes().to_vec())),
                Err(error) => {
                    results.report(Finding::new(Code::FileUnreadable, error.to_string()).at(&from));
                    is_whole = false;
                }
            }
        }
        if !is_whole {
            continue;
        }
        files.push((PathBuf::new(), digest.as_bytes().to_vec()));
        let key = (files, &arguments[..], points);
        match first.get(&key) {
            None => drop(first.insert(key, at)),
            Some(same) => {
                let (other, case) = cases[*same];
                let message = format!("the same input as {}", other.id_of(case));
                results
                    .report(Finding::new(Code::DuplicateInput, message).at(&inputs[at]).remedy("remove one of them"));
            }
        }
    }
}
