//! Packages of each version, read from directories.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use super::*;
use grader_model::problem::{Program, Submission};

/// The package of these files, and the findings about it.
fn package(files: &[(&str, &str)]) -> (Problem, Vec<String>) {
    let temp = tempfile::tempdir().unwrap();
    let dir = temp.path().canonicalize().unwrap().join("p");
    for (name, text) in files {
        let path = dir.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let is_source = |path: &Path| path.extension().is_some_and(|extension| extension == "py");
    let mut reader = Reader::new("p".into(), &dir, &dir.join("none"), &is_source);
    reader.foreign = true;
    let problem = read(&mut reader, &dir.join("none"));
    let prefix = format!("{}/", dir.display());
    let told = reader.take_found().into_iter().map(|found| {
        let severity = if found.is_error() { "E" } else { "W" };
        format!("{severity} {}", found.to_string().replace(&prefix, ""))
    });
    (problem, told.collect())
}

const CASE: [(&str, &str); 3] =
    [("data/secret/1.in", ""), ("data/secret/1.ans", ""), ("submissions/accepted/a.py", "")];

fn with<'a>(files: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    [&CASE[..], files].concat()
}

#[test]
fn limits_follow_the_version() {
    let limits = |files: &[(&str, &str)]| {
        let (problem, told) = package(&with(files));
        (problem.limits.time.map(|time| time.as_millis()), problem.limits.memory.map(|memory| memory.0 >> 20), told)
    };
    let none: Vec<String> = Vec::new();
    let current = "problem_format_version: 2025-09\nname: P\nlimits: {time_limit: 1.5}\n";
    assert_eq!(limits(&[("problem.yaml", current)]), (Some(1500), None, none.clone()));
    let legacy = [("problem.yaml", "name: P\nlimits: {memory: 512}\n"), (".timelimit", "3\n")];
    assert_eq!(limits(&legacy), (Some(3000), Some(512), none.clone()));
    let ini = [("problem.yaml", ""), ("domjudge-problem.ini", "short-name = A\ntimelimit='2.5'\n")];
    assert_eq!(limits(&ini), (Some(2500), None, none));
    // As PHP reads them.
    for (line, time) in
        [("timelimit = 2 ; two", 2000), ("timelimit = \"3\"; three", 3000), ("timelimit=2\ntimelimit=4", 4000)]
    {
        let (found, _, told) = limits(&[("problem.yaml", ""), ("domjudge-problem.ini", line)]);
        assert_eq!((found, told), (Some(time), Vec::new()), "{line}");
    }
    let (time, _, told) = limits(&[("problem.yaml", ""), ("domjudge-problem.ini", "timelimit: 2 ; two")]);
    assert_eq!(time, None);
    assert_eq!(told, ["W domjudge-problem.ini: `timelimit: 2` has no `=`, so DOMjudge ignores it"]);
    let (time, _, told) = limits(&[("problem.yaml", "name: P\n"), (".timelimit", "soon")]);
    assert_eq!(time, None);
    assert_eq!(told[0], "E .timelimit: expected a time limit in seconds, found \"soon\"");
    let (_, _, told) = limits(&[("problem.yaml", current), (".timelimit", "1")]);
    assert_eq!(
        told,
        ["W .timelimit: states a time limit of 1 s, but problem.yaml states 1.5 s; grader uses the latter"]
    );
    let (_, _, told) = limits(&[("problem.yaml", "problem_format_version: 2024\n"), (".timelimit", "1")]);
    assert!(told[0].contains("`problem_format_version`"), "{told:?}");
}

#[test]
fn the_judge_and_the_way_to_a_limit_follow_the_version() {
    use grader_model::problem::Distances;
    use grader_model::ruleset::Ruleset;
    let read = |files: &[(&str, &str)]| {
        let (problem, told) = package(&with(files));
        let Distances { ac_to_time_limit, time_limit_to_tle, resolution, accepted_only } = problem.distances;
        let distances = (ac_to_time_limit, time_limit_to_tle, resolution, accepted_only);
        (problem.judged_as, (problem.timing.is_some(), distances), told)
    };
    let second = Duration::from_secs(1);
    let none = Vec::<String>::new();
    let current = "problem_format_version: 2025-09\n";
    assert_eq!(
        read(&[("problem.yaml", current)]),
        (Some(Ruleset::Icpc), (true, (2.0, 1.5, second, false)), none.clone())
    );
    let stated = format!("{current}limits: {{time_multipliers: {{time_limit_to_tle: 3}}, time_resolution: 0.5}}\n");
    let half = Duration::from_millis(500);
    assert_eq!(read(&[("problem.yaml", &stated)]).1, (true, (2.0, 3.0, half, false)));
    let legacy = ("problem.yaml", "limits: {time_safety_margin: 4}\n");
    assert_eq!(read(&[legacy]), (Some(Ruleset::Kattis), (true, (5.0, 4.0, second, true)), none.clone()));
    // A stated limit has distances too.
    assert_eq!(read(&[legacy, (".timelimit", "1")]).1, (false, (5.0, 4.0, second, true)));
    let ini = ("domjudge-problem.ini", "timelimit=1\n");
    assert_eq!(
        read(&[("problem.yaml", current), ini]),
        (Some(Ruleset::Domjudge), (false, (2.0, 1.5, second, false)), none)
    );
    let (_, _, told) = read(&[("problem.yaml", &format!("{current}limits: {{time_resolution: 0}}\n"))]);
    assert!(told[0].contains("`limits.time_resolution`: expected seconds"), "{told:?}");
}

#[test]
fn directories_mean_what_the_version_says() {
    let slow = ("submissions/time_limit_exceeded/s.py", "");
    let crash = ("submissions/run_time_error/r.py", "");
    let summary = |version: &str| {
        let yaml = format!("problem_format_version: {version}\nlimits: {{time_limit: 1}}\n");
        let (problem, told) = package(&with(&[("problem.yaml", &yaml), slow, crash]));
        assert_eq!(told, [""; 0]);
        let rule = |submission: &Submission| submission.expectation.rules[0].permitted.to_string();
        problem.submissions.iter().map(|found| (found.id.to_string(), rule(found))).collect::<BTreeMap<_, _>>()
    };
    assert_eq!(summary("legacy")["time_limit_exceeded/s.py"], "AC or WA or TLE");
    assert_eq!(summary("legacy")["run_time_error/r.py"], "AC or WA or TLE or MLE or OLE or RTE");
    assert_eq!(summary("2025-09")["time_limit_exceeded/s.py"], "AC or TLE");
}

#[test]
fn arguments_are_inherited_as_the_version_says() {
    let legacy = [
        ("problem.yaml", "validation: custom\nvalidator_flags: a b\n"),
        (".timelimit", "1"),
        ("output_validators/v.py", ""),
        ("data/secret/testdata.yaml", "output_validator_flags: c\ninput_validator_flags: --n 3\n"),
        ("data/secret/deep/2.in", ""),
        ("data/secret/deep/2.ans", ""),
    ];
    let (problem, told) = package(&with(&legacy));
    assert_eq!(told, [""; 0]);
    for group in &problem.groups {
        assert_eq!(group.arguments.output_validator, ["a", "b", "c"], "{}", group.name);
        assert_eq!(group.arguments.input_validators, ["--n", "3"], "{}", group.name);
    }
    let current = [
        ("problem.yaml", "problem_format_version: 2025-09\nlimits: {time_limit: 1}\n"),
        ("output_validator/v.py", ""),
        ("data/secret/test_group.yaml", "output_validator_args: [x]\ninput_validator_args: {iv: [y]}\n"),
        ("data/secret/2.in", ""),
        ("data/secret/2.ans", ""),
        ("data/secret/2.yaml", "output_validator_args: [z, 1]\nargs: [s]\n"),
    ];
    let (problem, told) = package(&with(&current));
    assert_eq!(told, [""; 0]);
    let group = &problem.groups[0];
    let arguments = |name: &str| problem.setting_for(&group.dir.join(name)).unwrap().arguments;
    assert_eq!(arguments("1.in").output_validator, ["x"]);
    let second = arguments("2.in");
    assert_eq!(
        (&second.output_validator[..], &second.submission[..]),
        (&["z".into(), "1".into()][..], &["s".into()][..])
    );
    assert_eq!(second.of_validator(&Program::File("input_validators/iv.py".into())), ["y", "s"]);
    assert_eq!(second.of_validator(&Program::File("input_validators/other.py".into())), ["s"]);
}

#[test]
fn what_is_not_supported_is_an_error_that_names_the_file() {
    let told = |yaml: &str, files: &[(&str, &str)]| {
        let yaml = format!("{yaml}\nlimits: {{time_limit: 1}}\n");
        let all = [&with(files)[..], &[("problem.yaml", &*yaml)]].concat();
        package(&all).1.into_iter().filter(|found| found.starts_with('E')).collect::<Vec<_>>()
    };
    assert_eq!(told("type: scoring", &[]), [""; 0]);
    assert!(told("validation: custom multi-pass", &[])[0].contains("no output validator"));
    assert!(told("type: [submit-answer, interactive]", &[])[0].starts_with("E problem.yaml:1:"));
    let own = told("", &[("data/secret/testdata.yaml", "grading: custom\n")]);
    assert!(own[0].starts_with("E graders: `grading: custom` in a pass-fail problem"), "{own:?}");
    assert!(told("validation: custom", &[])[0].contains("no output validator"));
}

#[test]
fn types_and_passes_follow_the_version() {
    let read = |yaml: &str| {
        let (problem, told) = package(&with(&[
            ("problem.yaml", yaml),
            (".timelimit", "1"),
            (if yaml.contains("2025") { "output_validator/v.py" } else { "output_validators/v.py" }, ""),
        ]));
        (problem.kind, problem.passes, told)
    };
    let none: Vec<String> = Vec::new();
    for (yaml, kind, passes) in [
        ("validation: custom\n", ProblemKind::PassFail, 1),
        ("validation: custom multi-pass\n", ProblemKind::MultiPass, 2),
        (
            "validation: custom interactive multi-pass\nlimits: {validation_passes: 7}\n",
            ProblemKind::InteractiveMultiPass,
            7,
        ),
        ("problem_format_version: 2025-09\ntype: multi-pass\n", ProblemKind::MultiPass, 2),
        ("problem_format_version: 2025-09\ntype: [multi-pass, interactive]\n", ProblemKind::InteractiveMultiPass, 2),
    ] {
        assert_eq!(read(yaml), (kind, passes, none.clone()), "{yaml}");
    }
    let (_, passes, told) = read("problem_format_version: 2025-09\nlimits: {validation_passes: 3}\n");
    assert_eq!((passes, told.len()), (1, 1), "{told:?}");
    assert!(told[0].starts_with("W problem.yaml:2:"), "{told:?}");
}

#[test]
fn untidy_packages_are_warned_about() {
    let files = [
        ("problem.yaml", "name: {en: Title}\nodd: 1\nlimits: {time_limit: 1}\n"),
        ("data/secret/2.in.disabled", ""),
        ("data/secret/3.ans", ""),
        ("submissions/wrng_answer/w.py", ""),
        ("submissions/accepted/old.py.disabled", ""),
        ("submissions/accepted/older.disabled/a.py", ""),
        ("submissions/mixed/m.py", "# @EXPECTED_RESULTS@: CHECK-MANUALLY"),
        ("submissions/wrong_answer/c.py", "# @EXPECTED_RESULTS@: TIMELIMIT\n"),
        ("submissions/wrong_answer/d.py", "# @EXPECTED_RESULTS@: WRONG-ANSWER, TIMELIMIT\n"),
        ("data/sample/1.interaction", ""),
        ("input_validators/grammar.viva", ""),
    ];
    let (problem, told) = package(&with(&files));
    assert_eq!((problem.title.as_str(), problem.limits.time), ("Title", Some(Duration::from_secs(1))));
    let expect = [
        "W problem.yaml:2:1: unknown key `odd`",
        "E data/secret/3.ans: answer without an input 3.in; add the input or remove the answer",
        "W data/secret/2.in.disabled: not part of a test case; ignored",
        "W submissions/accepted/old.py.disabled: disabled and 1 more; ignored",
        "W submissions/mixed/m.py:1:3: @EXPECTED_RESULTS@: unknown verdict `CHECK-MANUALLY`; known are AC, WA, TLE, MLE, \
         OLE, RTE, CE and their long names",
        "W submissions/mixed: grader expects no verdict of submissions in a directory of this name; write the \
         expectations in submissions.yaml",
        "W submissions/wrng_answer: grader expects no verdict of submissions in a directory of this name; did \
         you mean `wrong_answer`?",
        "W submissions/wrong_answer/c.py: @EXPECTED_RESULTS@ says TLE, but wrong_answer/ says WA; the directory counts; \
         move the submission, or remove the annotation",
        "W input_validators/grammar.viva: grader does not run viva, so this validator checks nothing",
    ];
    assert_eq!(told, expect);
}
