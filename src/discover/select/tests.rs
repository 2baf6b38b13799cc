//! Tests what each form of a pattern matches in a fixed set of problems.

use super::*;
use crate::problem::{AnswerFile, Expectation, PackageLayout, Program};

fn problem(id: &str, tests: &[(&str, &[&str])], submissions: &[&str]) -> Problem {
    let dir = PathBuf::from(format!("/w/problems/{id}"));
    let case = |name: &&str| TestCase::new(*name, AnswerFile::Ans);
    let group = |(name, cases): &(&str, &[&str])| TestGroup {
        cases: cases.iter().map(case).collect(),
        ..TestGroup::empty(name, format!("/w/testcases/{id}/{name}").into())
    };
    let submission = |name: &&str| Submission {
        id: (*name).into(),
        program: Program::File(dir.join("submissions").join(name)),
        language: None,
        entry_point: None,
        expectation: Expectation::accepted("accepted/"),
    };
    Problem {
        groups: tests.iter().map(group).collect(),
        submissions: submissions.iter().map(submission).collect(),
        ..Problem::empty(id.into(), dir, PackageLayout::Native)
    }
}

fn set() -> Vec<Arc<Problem>> {
    let all = [
        problem(
            "nine",
            &[("sample", &["1", "10", "2"]), ("secret", &["01-min", "02-max"])],
            &["accepted/reference.rs", "accepted/greedy.py", "wrong_answer/greedy.cpp"],
        ),
        problem("touch", &[("sample", &["1"]), ("secret/big", &["03"])], &["accepted/reference.rs"]),
        problem("touch-bot", &[("secret", &["01-min"])], &["accepted/bot.py"]),
    ];
    all.map(Arc::new).into()
}

fn request(patterns: &[&str], submissions: &[&str], tests: &[&str]) -> SelectionWords {
    let own = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    SelectionWords { patterns: own(patterns), submissions: own(submissions), tests: own(tests), base: "/w".into() }
}

/// `problem/test` and `problem:submission` for everything selected, or the errors.
fn names(request: &SelectionWords) -> Vec<String> {
    let problems = set();
    match select(&problems, request) {
        Err(errors) => errors.iter().map(ToString::to_string).collect(),
        Ok(selected) => {
            let mut names = Vec::new();
            for selected in &selected {
                let id = &selected.problem.id;
                names.extend(selected.cases().map(|(group, case)| format!("{id}/{}", group.id_of(case))));
                names.extend(selected.submissions().map(|submission| format!("{id}:{}", submission.id)));
            }
            names
        }
    }
}

/// Checks which tests a pattern matches.
fn check(pattern: &str, expect: &[&str]) {
    let mut found = names(&request(&[pattern], &[], &[]));
    found.retain(|name| !name.contains(":accepted/") && !name.contains(":wrong_answer/"));
    assert_eq!(found, expect, "{pattern}");
}

const NINE: [&str; 5] =
    ["nine/sample/1", "nine/sample/10", "nine/sample/2", "nine/secret/01-min", "nine/secret/02-max"];

#[test]
fn no_pattern_is_everything() {
    assert_eq!(names(&request(&[], &[], &[])).len(), 8 + 5);
}

#[test]
fn a_pattern_means_the_strongest_match() {
    check("nine", &NINE);
    check("nine/", &NINE);
    check("touch", &["touch/sample/1", "touch/secret/big/03"]);
    check("tou", &["touch/sample/1", "touch/secret/big/03", "touch-bot/secret/01-min"]);
    check("nine/sample/1", &["nine/sample/1"]);
    check("nine/sample", &NINE[..3]);
    check("nine/secret/0", &NINE[3..]);
    check("touch/secret", &["touch/secret/big/03"]);
}

#[test]
fn globs_match_problems_groups_and_tests() {
    check("t*", &["touch/sample/1", "touch/secret/big/03", "touch-bot/secret/01-min"]);
    check("*/sample", &["nine/sample/1", "nine/sample/10", "nine/sample/2", "touch/sample/1"]);
    check("*/secret/*-min", &["nine/secret/01-min", "touch-bot/secret/01-min"]);
    check("{nine,touch}/sample/1", &["nine/sample/1", "touch/sample/1"]);
    check("**/03", &["touch/secret/big/03"]);
}

#[test]
fn paths_mean_what_is_there() {
    check("problems/nine", &NINE);
    check("./problems/x/../nine/", &NINE);
    check("/w/problems/nine", &NINE);
    check("testcases/nine/sample", &NINE[..3]);
    check("testcases/nine/sample/10.in", &NINE[1..2]);
    check("testcases/nine/sample/10.ans", &NINE[1..2]);
    assert_eq!(names(&request(&["problems"], &[], &[])).len(), 8 + 5);
    let one = names(&request(&["problems/nine/submissions/accepted/greedy.py"], &[], &[]));
    assert_eq!(one[5..], ["nine:accepted/greedy.py"]);
    let folder = names(&request(&["problems/nine/submissions/accepted"], &[], &[]));
    assert_eq!(folder[5..], ["nine:accepted/reference.rs", "nine:accepted/greedy.py"]);
    let inside = SelectionWords { base: "/w/problems/nine/statement".into(), ..request(&["."], &[], &[]) };
    assert_eq!(names(&inside)[..5], NINE);
}

#[test]
fn a_path_that_is_not_there_means_nothing() {
    let near = |pattern: &str, near: &str| check(pattern, &[&format!("no problem or test matches `{pattern}`{near}")]);
    near("/w/problems/nine/statement", "");
    near("problems/nine/submissions/accepted/typo.rs", "");
    near(
        "problems/nine/submissions/accepted/gredy.py",
        "; did you mean `problems/nine/submissions/accepted/greedy.py`?",
    );
    near("greddy.py", "; did you mean `problems/nine/submissions/accepted/greedy.py`?");
    near("testcases/nine/sample/10.txt", "; did you mean `testcases/nine/sample/10.in`?");
    near("testcases/nine/sample/11.in", "; did you mean `testcases/nine/sample/1.in`?");
    near("./nine", "; did you mean `nine`?");
    check("", &["the empty argument names nothing"]);
    assert_eq!(names(&request(&[], &[""], &[""])).len(), 2);
}

#[test]
fn a_name_may_have_the_characters_of_a_glob() {
    let odd =
        [problem("a[1]", &[("sample", &["x*", "xy", "{b"])], &["accepted/f[1].py", "accepted/f1.py"])].map(Arc::new);
    let found = |patterns: &[&str], submissions: &[&str], tests: &[&str]| {
        let selected = select(&odd, &request(patterns, submissions, tests)).unwrap();
        let [one] = &selected[..] else { panic!("{selected:?}") };
        let tests: Vec<String> = one.cases().map(|(group, case)| group.id_of(case).to_string()).collect();
        (tests, one.submissions().map(|found| found.id.to_string()).collect::<Vec<_>>())
    };
    assert_eq!(found(&["a[1]"], &["accepted/f[1].py"], &["sample/x*"]).0, ["sample/x*"]);
    assert_eq!(
        found(&["a[1]"], &["f[1].py"], &["{b"]),
        (vec!["sample/{b".to_owned()], vec!["accepted/f[1].py".to_owned()])
    );
    assert_eq!(found(&["a[1]/sample/x*"], &[], &[]).0, ["sample/x*"]);
}

#[test]
fn nothing_matched_is_an_error_with_a_suggestion() {
    check("nien", &["no problem or test matches `nien`; did you mean `nine`?"]);
    check("nine/sampel/1", &["no problem or test matches `nine/sampel/1`; did you mean `nine/sample/1`?"]);
    check("/elsewhere", &["no problem or test matches `/elsewhere`"]);
    check("nine/zzz*", &["no problem or test matches `nine/zzz*`"]);
    check("{a", &["`{a` is not a valid glob: unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)"]);
    let all = names(&request(&["nien", "nine"], &["refrence.rs"], &["sampel"]));
    assert_eq!(all.len(), 3, "{all:#?}");
    assert_eq!(names(&request(&["nien", "tuch"], &["refrence.rs"], &[])).len(), 2);
}

#[test]
fn submissions_are_narrowed() {
    let check = |pattern: &str, expect: &[&str]| {
        let mut found = names(&request(&[], &[pattern], &[]));
        found.retain(|name| name.contains(':') || name.starts_with("no "));
        assert_eq!(found, expect, "{pattern}");
    };
    check("accepted/greedy.py", &["nine:accepted/greedy.py"]);
    check("reference.rs", &["nine:accepted/reference.rs", "touch:accepted/reference.rs"]);
    check("greedy", &["nine:accepted/greedy.py", "nine:wrong_answer/greedy.cpp"]);
    check("wrong_answer", &["nine:wrong_answer/greedy.cpp"]);
    check("*.py", &["nine:accepted/greedy.py", "touch-bot:accepted/bot.py"]);
    check("wrong_*/*", &["nine:wrong_answer/greedy.cpp"]);
    check("acc", &["no submission matches `acc`"]);
    check("accepted/bto.py", &["no submission matches `accepted/bto.py`; did you mean `accepted/bot.py`?"]);
}

#[test]
fn tests_are_narrowed() {
    let check = |pattern: &str, expect: &[&str]| {
        let mut found = names(&request(&[], &[], &[pattern]));
        found.retain(|name| !name.contains(':'));
        assert_eq!(found, expect, "{pattern}");
    };
    check("sample/1", &["nine/sample/1", "touch/sample/1"]);
    check("sample", &["nine/sample/1", "nine/sample/10", "nine/sample/2", "touch/sample/1"]);
    check("secret/0", &["nine/secret/01-min", "nine/secret/02-max", "touch-bot/secret/01-min"]);
    check("03", &["touch/secret/big/03"]);
    check("*-max", &["nine/secret/02-max"]);
    let nothing = names(&request(&["touch"], &["reference.rs"], &["secret/big", "zzz"]));
    assert_eq!(nothing, ["no test matches `zzz`"]);
    let disjoint = names(&request(&[], &["bot.py"], &["02-max"]));
    assert_eq!(disjoint, ["nothing is selected: no problem has both a selected submission and a selected test"]);
}

#[test]
fn several_patterns_add_up() {
    let mut found = names(&request(&["nine/sample/1", "nine/sample/2"], &[], &[]));
    found.retain(|name| !name.contains(':'));
    assert_eq!(found, ["nine/sample/1", "nine/sample/2"]);
}
