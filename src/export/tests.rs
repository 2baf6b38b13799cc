//! Round trips: an export that is read back is the same [`Problem`].

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Subject, Target};
use crate::discover::{Search, discover_in};
use crate::problem::{
    Checker, Expectation, LimitOptions, PackageLayout, Problem, ProblemId, Program, Reference, Rule, Scoring, TestGroup,
};

fn read(dir: &Path) -> Arc<Problem> {
    let is_source = |path: &Path| {
        path.extension().is_some_and(|ending| ["py", "cpp", "rs", "java", "c"].iter().any(|known| ending == *known))
    };
    let nowhere = dir.join("no testcases");
    let search = Search {
        roots: &[],
        testcases: &nowhere,
        is_source: &is_source,
        derive: &crate::package::reader::derive_nothing,
        top: None,
        testset: None,
    };
    let found = discover_in(&search, dir);
    let [problem] = &found.problems[..] else { panic!("{}: {:?}", dir.display(), found.diagnostics) };
    Arc::clone(problem)
}

use crate::verdict::{Verdict, VerdictSet};

/// Its rules, language, entry point and files.
type ExportedSubmission = (Vec<Rule>, Option<String>, Option<String>, Vec<PathBuf>);

/// The parts of a problem that an export must keep: all but the place, and limits that the export makes explicit.
#[derive(Debug, PartialEq)]
struct ExportedProblem {
    title: String,
    kind: &'static str,
    passes: u32,
    groups: Vec<TestGroup>,
    submissions: BTreeMap<String, ExportedSubmission>,
    reference: Option<String>,
    scoring: Option<Scoring>,
    constants: Vec<(String, String)>,
    include: Vec<(String, Vec<PathBuf>)>,
    input_validators: usize,
    output_validators: usize,
    is_static: bool,
    flags: Vec<String>,
}

fn kept(problem: &Problem) -> ExportedProblem {
    let problem = Problem { limits: LimitOptions::default(), ..problem.clone() };
    let root = problem.dir.clone();
    let problem = problem.moved(&|path| path.strip_prefix(&root).map_or_else(|_| path.to_owned(), Path::to_owned));
    let default = match problem.checker {
        crate::problem::OwnChecker::Stated(checker) | crate::problem::OwnChecker::Usual(checker) => checker,
    };
    let group = |group: &TestGroup| {
        // A comparison of the problem is that of its groups.
        let checker = Some(group.checker.unwrap_or(default)).filter(|checker| *checker != Checker::default());
        TestGroup { checker, ..group.clone() }
    };
    // In 2025-09, the name of this folder says nothing.
    let current = |path: &str| path.replace("partially_accepted/", "rejected/");
    let files = |program: &Program| {
        program.files().iter().map(|file| PathBuf::from(current(&file.to_string_lossy()))).collect::<Vec<_>>()
    };
    let reference = problem.reference().map(|reference| reference.id.to_string());
    let all = VerdictSet::of(&Verdict::ALL);
    // All rules must hold, in whatever order.
    let expectation = |expectation: &Expectation| {
        let mut rules = Vec::new();
        for rule in &expectation.rules {
            // A rule may say verdicts and points, or two rules may.
            if rule.score.is_some() && rule.cases.is_none() && (rule.permitted != all || !rule.required.is_empty()) {
                rules.push(Rule { score: rule.score, ..Rule::of_verdicts(None, all, VerdictSet::default()) });
                rules.push(Rule { score: None, ..rule.clone() });
            } else {
                rules.push(rule.clone());
            }
        }
        rules.sort_by_key(|rule| format!("{rule:?}"));
        rules
    };
    ExportedProblem {
        title: problem.title.clone(),
        kind: problem.kind.name(),
        passes: problem.passes,
        groups: problem.groups.iter().map(group).collect(),
        submissions: problem
            .submissions
            .iter()
            .map(|one| {
                let said =
                    (expectation(&one.expectation), one.language.clone(), one.entry_point.clone(), files(&one.program));
                (current(one.id.as_str()), said)
            })
            .collect(),
        reference: reference.filter(|_| matches!(problem.reference, Some(Reference::Chosen(_)))),
        scoring: problem.scoring.clone(),
        constants: problem
            .additions
            .constants
            .iter()
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect(),
        include: problem
            .additions
            .include
            .iter()
            .map(|(language, files)| (language.clone(), files.files.clone()))
            .collect(),
        input_validators: problem.input_validators.len(),
        output_validators: problem.output_validators.len(),
        is_static: problem.static_validator.is_some(),
        flags: problem.validator_flags.clone(),
    }
}

/// Exports a problem and reads it back.
fn again(problem: &Problem, target: &str) -> (tempfile::TempDir, Arc<Problem>) {
    let target = Target::named(target).unwrap();
    let workspace = crate::workspace::testing::Folder::new(&[]).workspace();
    let subject = Subject::new(&workspace.settings, problem, &problem.dir.join("data"), false).unwrap();
    let draft = target.draft(&subject).unwrap();
    assert_eq!(draft.losses(), [], "{}", problem.id);
    let temp = tempfile::tempdir().unwrap();
    let to = temp.path().join(problem.id.as_str());
    draft.write_directory(&to).unwrap();
    let read = read(&to);
    (temp, read)
}

/// The packages of this version of the format.
fn packages(is_it: impl Fn(&str) -> bool) -> Vec<Arc<Problem>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/packages");
    let mut found = Vec::new();
    for entry in fs::read_dir(root).unwrap() {
        let dir = entry.unwrap().path();
        let text = fs::read_to_string(dir.join("problem.yaml")).unwrap_or_default();
        if is_it(&text) && !dir.ends_with("newanswerspacked") {
            found.push(read(&dir));
        }
    }
    found
}

#[test]
fn packages_of_2025_09_are_the_same_afterwards() {
    let all = packages(|text| text.contains("2025-09"));
    assert!(all.len() >= 15, "only {} packages", all.len());
    for problem in all {
        let (_temp, read) = again(&problem, "icpc-2025-09");
        assert_eq!(read.layout, PackageLayout::Icpc);
        let (mut was, is) = (kept(&problem), kept(&read));
        // The export states it.
        was.reference = was.reference.or(is.reference.clone());
        assert_eq!(is, was, "{}", problem.id);
    }
}

#[test]
fn legacy_packages_are_the_same_afterwards() {
    let is_legacy = |text: &str| !text.contains("2025-09") && !text.contains("2023-07") && text.contains("name");
    let several = ["legacyvalidators", "legacyvalidatorscpp", "legacysum"];
    let all = packages(is_legacy).into_iter().filter(|problem| !several.contains(&problem.id.as_str()));
    let mut tried = Vec::new();
    for problem in all {
        let (_temp, read) = again(&problem, "icpc-legacy");
        let (was, is) = (kept(&problem), kept(&read));
        assert_eq!((&is.groups, &is.scoring, &is.kind), (&was.groups, &was.scoring, &was.kind), "{}", problem.id);
        let labels = |kept: &ExportedProblem| {
            kept.submissions.iter().map(|(id, said)| (id.clone(), said.0.clone())).collect::<Vec<_>>()
        };
        assert_eq!(labels(&is), labels(&was), "{}", problem.id);
        tried.push(problem.id.clone());
    }
    assert!(tried.contains(&ProblemId::from("legacypoints")) && tried.len() >= 8, "{tried:?}");
}
