//! Findings that depend on files alone.

use std::path::Path;
use std::sync::Arc;

use super::problem_findings::ProblemFindings;
use super::{Code, data, find, problem_findings};
use crate::sandbox::Isolation;
use crate::session::archives::Archives;
use crate::store::Store;
use crate::workspace::testing::Folder;

/// The findings about the only problem of a folder, from its files alone.
fn findings(folder: &Folder, allow: &[Code]) -> ProblemFindings {
    let workspace = folder.workspace();
    let (problems, found) = find(&workspace, &[]).unwrap();
    assert_eq!(problems.len(), 1, "{found:?}");
    let problem = Arc::clone(&problems[0]);
    let mut results = problem_findings::open(&workspace, &Archives::default(), problems, &found, allow).remove(0);
    let (store, _) = Store::open(&folder.path(".grader"));
    data::check(&mut results, &problem, &workspace.resources(store, Isolation::None));
    results
}

fn codes(results: &ProblemFindings) -> Vec<(Code, Option<&Path>)> {
    results.findings.iter().map(|finding| (finding.code, finding.found.path.as_deref())).collect()
}

const PLAIN: [(&str, &str); 5] = [
    ("echo/echo.py", "print(input())\n"),
    ("echo/1.in", "1\n"),
    ("echo/1.ans", "1\n"),
    ("echo/2.in", "2\n"),
    ("echo/2.ans", "2\n"),
];

#[test]
fn sound_data_has_no_findings() {
    let found = findings(&Folder::new(&PLAIN), &[]);
    assert_eq!((codes(&found), found.allowed), (Vec::new(), 0));
}

#[test]
fn an_input_that_is_there_twice_is_found_once_and_may_be_allowed() {
    let folder = Folder::new(&[&PLAIN[..], &[("echo/3.in", "1\n"), ("echo/3.ans", "1\n")]].concat());
    let found = findings(&folder, &[]);
    let path = folder.path("echo/3.in");
    assert_eq!(codes(&found), [(Code::DuplicateInput, Some(&*path))]);
    let allowed = findings(&folder, &[Code::DuplicateInput]);
    assert_eq!((codes(&allowed), allowed.allowed), (Vec::new(), 1));
    assert!(allowed.with_finding.contains(&path), "a finding that is allowed still speaks for its file");
}

#[test]
fn a_package_says_what_it_lacks() {
    let folder = Folder::new(&[
        ("p/problem.yaml", "problem_format_version: 2023-07-draft\nname: p\nlimits: {time_limit: 1}\n"),
        ("p/data/secret/1.in", "1\n"),
        ("p/data/secret/1.ans", "1\n"),
    ]);
    let found = findings(&folder, &[]);
    let lacks = [Code::NoSample, Code::NoInputValidator, Code::NoStatement, Code::NoAcceptedSubmission];
    for code in lacks {
        assert!(codes(&found).iter().any(|(found, _)| *found == code), "{code:?}: {:?}", codes(&found));
    }
    assert!(!codes(&found).iter().any(|(found, _)| *found == Code::NoSecretCase), "it has one");
}

#[test]
fn a_problem_may_allow_codes_for_itself() {
    let folder = Folder::new(&[
        (
            "p/problem.yaml",
            "problem_format_version: 2023-07-draft\nname: p\nlimits: {time_limit: 1}\nverify: {allow: [no-statement]}\n",
        ),
        ("p/data/secret/1.in", "1\n"),
        ("p/data/secret/1.ans", "1\n"),
    ]);
    let found = findings(&folder, &[]);
    assert!(!codes(&found).iter().any(|(code, _)| *code == Code::NoStatement), "{:?}", codes(&found));
    assert_eq!(found.allowed, 1);
}
