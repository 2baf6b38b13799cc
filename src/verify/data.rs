//! Checks the files of a problem without running programs: missing parts, inputs that are never used, duplicates.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use crate::engine::bench::Resources;
use crate::package::testdata::VALIDATION_DIRS;
use crate::package::{dmoj, hydro, italy, library_checker, polygon};
use crate::problem::{JudgingProgram, PackageLayout, Problem, Protocol, Test};
use crate::statement::{self, files_of};
use crate::verify::byte_check::{ByteCheck, LARGE};
use crate::verify::problem_findings::ProblemFindings;
use crate::verify::{Code, Finding};

/// Runs all checks that need only files.
pub(crate) fn check(results: &mut ProblemFindings, problem: &Problem, resources: &Resources) {
    if problem.layout != PackageLayout::Plain {
        parts(results, problem);
        unreachable(results, problem);
    }
    statements(results, problem);
    two_answers(results, problem, resources);
    bytes(results, problem, resources);
    duplicates(results, problem, resources);
}

/// Reports what `grader statement` finds.
fn statements(results: &mut ProblemFindings, problem: &Problem) {
    for found in statement::findings(problem) {
        let code = if found.is_error() { Code::StatementInvalid } else { Code::StatementUntidy };
        results.report(Finding::of(code, found));
    }
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

/// Where a problem has the parts that it should have, and how its author adds them.
struct Parts {
    /// The description of the package, in which all parts are stated; none if each has a place of its own.
    description: Option<&'static str>,
    sample: &'static str,
    secret_case: &'static str,
    input_validator: &'static str,
    accepted_submission: &'static str,
}

impl Parts {
    fn of(layout: PackageLayout) -> Self {
        match layout {
            PackageLayout::Polygon => Self {
                description: Some(polygon::FILE),
                sample: "mark a test to be shown in the statement on Polygon, and download the package again",
                secret_case: "add tests on Polygon, and download the package again",
                input_validator: "add a validator on Polygon, and download the package again",
                accepted_submission: "tag a solution `main` on Polygon, and download the package again",
            },
            PackageLayout::LibraryChecker => Self {
                description: Some(library_checker::FILE),
                sample: "add tests called `example.in` to info.toml",
                secret_case: "add generators in gen/ to info.toml",
                input_validator: "add verifier.cpp",
                accepted_submission: "add a solution, which shows that the problem can be solved",
            },
            PackageLayout::Hydro => Self {
                description: Some(hydro::FILE),
                sample: "call a test `sample1.in`",
                secret_case: "add tests to testdata/",
                input_validator: "import the problem, and add a program that exits with 42 for a valid input and with 43 for any other",
                accepted_submission: "add a solution to std/",
            },
            PackageLayout::Dmoj => Self {
                description: Some(dmoj::FILE),
                sample: "call the input of a test `sample/1.in`",
                secret_case: "add tests to init.yml",
                input_validator: "import the problem, and add a program that exits with 42 for a valid input and with 43 for any other",
                accepted_submission: "add a solution to submissions/accepted/",
            },
            PackageLayout::ItalyYaml => Self {
                description: Some(italy::FILE),
                sample: "begin gen/GEN with a subtask without points: `#ST: 0`",
                secret_case: "add tests to gen/GEN",
                input_validator: "add gen/validator.*, which gets the input and the number of the subtask as arguments",
                accepted_submission: "add the official solution, sol/solution.*",
            },
            PackageLayout::Native | PackageLayout::Plain | PackageLayout::Icpc => Self {
                description: None,
                sample: "add one: grader add --sample",
                secret_case: "add cases: grader add",
                input_validator: "add a program that exits with 42 for a valid input and with 43 for any other",
                accepted_submission: "add a solution, which shows that the problem can be solved",
            },
        }
    }

    /// Where a part is missing.
    fn place(&self, problem: &Problem, usual: PathBuf) -> PathBuf {
        self.description.map_or(usual, |file| problem.dir.join(file))
    }
}

/// Checks for the parts that a problem should have.
fn parts(results: &mut ProblemFindings, problem: &Problem) {
    let parts = Parts::of(problem.layout);
    let data = results.data.clone().unwrap_or_default();
    // Unit tests have no inputs, and the statement shows none of them.
    let has_inputs = problem.unit_tests().is_none();
    let has_sample = problem.tests().any(Test::is_sample)
        || results.data.as_ref().is_some_and(|data| has_conversation(&data.join("sample")));
    if has_inputs && !has_sample {
        let finding = Finding::new(Code::NoSample, "no sample").at(parts.place(problem, data.join("sample")));
        results.report(finding.remedy(parts.sample));
    }
    if problem.tests().all(Test::is_sample) {
        let finding =
            Finding::new(Code::NoSecretCase, "no case except samples: a program with only their answers passes");
        let finding = finding.at(parts.place(problem, data.join("secret")));
        results.report(finding.remedy(parts.secret_case));
    }
    if has_inputs && problem.input_validators.is_empty() {
        let finding = Finding::new(Code::NoInputValidator, "no input validator that grader can run");
        let finding = finding.at(parts.place(problem, problem.dir.join("input_validators")));
        let is_testlib = |judge: &JudgingProgram| matches!(judge.protocol.get(), Protocol::Testlib(_));
        let may_use_testlib = parts.description.is_none() && problem.output_judges().any(is_testlib);
        let remedy = if may_use_testlib {
            "add a validator of testlib, or a program that exits with 42 for a valid input and with 43 for any other"
        } else {
            parts.input_validator
        };
        results.report(finding.remedy(remedy));
    }
    if !has_statement(problem) {
        let (message, place, remedy) = match problem.layout {
            PackageLayout::Polygon => {
                let remedy = "write it on Polygon, and download the package again";
                ("no statement in HTML or PDF", polygon::FILE, remedy)
            }
            PackageLayout::LibraryChecker => ("no statement", library_checker::STATEMENT, "write it in Markdown"),
            PackageLayout::Hydro => ("no statement", "problem.md", "write it in Markdown"),
            PackageLayout::Dmoj => ("no statement", dmoj::STATEMENT, "write it in Markdown"),
            PackageLayout::ItalyYaml => ("no statement", italy::STATEMENTS[0], "add statement.pdf or english.md"),
            PackageLayout::Native | PackageLayout::Plain | PackageLayout::Icpc => {
                ("no statement", "statement", "add problem.en.md or problem.en.tex")
            }
        };
        results.report(Finding::new(Code::NoStatement, message).at(problem.dir.join(place)).remedy(remedy));
    }
    if !problem.submissions.iter().any(|submission| submission.expectation.wants_all_accepted()) {
        let place = parts.place(problem, problem.dir.join("submissions/accepted"));
        let finding = Finding::new(Code::NoAcceptedSubmission, "no submission is expected to be accepted").at(place);
        results.report(finding.remedy(parts.accepted_submission));
    }
}

/// Whether a sample is an `.interaction` file, which is enough in an interactive package. An unreadable directory was
/// already reported.
fn has_conversation(dir: &Path) -> bool {
    let Ok(listing) = dir.read_dir() else { return false };
    listing.flatten().any(|entry| entry.path().extension().is_some_and(|ending| ending == "interaction"))
}

/// Whether a statement exists: one that the description of the package names, `statement/problem.<language>.{md,tex,pdf}`, or in the legacy format
/// `problem_statement/problem[.<language>].{tex,pdf}`. An unreadable directory counts as having none.
fn has_statement(problem: &Problem) -> bool {
    if Parts::of(problem.layout).description.is_some() {
        // Errors of statements are findings of their own.
        return !problem.documents.is_empty() || files_of(problem).is_ok_and(|files| !files.is_empty());
    }
    let is_statement = |name: &str| {
        let parts: Vec<&str> = name.split('.').collect();
        parts[0] == "problem" && parts.len() <= 3 && ["md", "tex", "pdf"].contains(&parts[parts.len() - 1])
    };
    let listings = ["statement", "problem_statement"].iter().filter_map(|name| problem.dir.join(name).read_dir().ok());
    let mut names = listings.flat_map(|listing| listing.flatten().map(|entry| entry.file_name()));
    names.any(|name| name.to_str().is_some_and(is_statement))
}

/// Reports inputs that no submission runs on, and files of validation data without an input.
fn unreachable(results: &mut ProblemFindings, problem: &Problem) {
    let Some(data) = results.data.clone() else { return };
    let known: BTreeSet<PathBuf> = problem.cases().map(|(group, case)| group.input_of(case)).collect();
    // Skip files that were reported when the problem was read.
    let with_finding = results.with_finding.clone();
    // Authors choose the names of files in `.files` directories freely.
    let is_of_case = |entry: &DirEntry| entry.path().extension().is_some_and(|ending| ending == "files");
    let is_hidden = |entry: &DirEntry| entry.file_name().as_encoded_bytes().starts_with(b".") || is_of_case(entry);
    // Unreadable directories were already reported.
    let walk = WalkDir::new(&data).min_depth(1).sort_by_file_name().into_iter();
    for entry in walk.filter_entry(|entry| entry.depth() == 0 || !is_hidden(entry)).flatten() {
        let path = entry.path();
        let Some(ending) = path.extension().and_then(|ending| ending.to_str()) else { continue };
        if entry.file_type().is_dir() || with_finding.iter().any(|other| *other != data && path.starts_with(other)) {
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
