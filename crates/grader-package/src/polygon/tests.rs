//! Descriptions of packages, right and wrong, and what is read from them.

use super::*;
use grader_model::problem::{
    Aggregation, AnswerRecipe, CasePoints, Checker, InputRecipe, OwnChecker, Protocol, Purpose, ScoreTree, SecondRun,
    StandardChecker, Submission, TestId,
};
use grader_model::verdict::Verdict;

/// A package: `problem.xml` with these parts, and empty files.
struct Parts<'a> {
    judging: &'a str,
    testset: &'a str,
    tests: &'a str,
    groups: &'a str,
    files: &'a str,
    assets: &'a str,
    solutions: &'a str,
    present: &'a [&'a str],
}

const CHECKER: &str =
    r#"<checker name="std::wcmp.cpp" type="testlib"><source path="files/check.cpp" type="cpp.g++17"/></checker>"#;
const MAIN: &str = r#"<solution tag="main"><source path="solutions/main.cpp" type="cpp.g++17"/></solution>"#;
const FILES: &[&str] = &["files/check.cpp", "solutions/main.cpp", "tests/01", "tests/01.a"];

impl Default for Parts<'_> {
    fn default() -> Self {
        Self {
            judging: r#"input-file="" output-file="" run-count="1""#,
            testset: "<time-limit>1500</time-limit><memory-limit>268435456</memory-limit>",
            tests: r#"<test method="manual" sample="true"/>"#,
            groups: "",
            files: "",
            assets: CHECKER,
            solutions: MAIN,
            present: FILES,
        }
    }
}

impl Parts<'_> {
    fn xml(&self) -> String {
        let Self { judging, testset, tests, groups, files, assets, solutions, .. } = self;
        format!(
            r#"<?xml version="1.0" encoding="utf-8" standalone="no"?>
<problem revision="1" short-name="sum">
<names><name language="russian" value="Сумма"/><name language="english" value="Sum"/></names>
<judging {judging}>
<testset name="tests">{testset}
<input-path-pattern>tests/%02d</input-path-pattern>
<answer-path-pattern>tests/%02d.a</answer-path-pattern>
<tests>
{tests}
</tests>{groups}</testset>
</judging>
<files>{files}</files>
<assets>{assets}
<solutions>
{solutions}
</solutions></assets>
</problem>
"#
        )
    }

    fn read(&self) -> (Option<Problem>, String) {
        read_text(&self.xml(), self.present)
    }

    /// The problem, which must have no findings.
    fn fine(&self) -> Problem {
        let (problem, found) = self.read();
        assert_eq!(found, "");
        problem.unwrap()
    }

    /// The findings, one a line.
    fn found(&self) -> String {
        self.read().1
    }
}

/// Reads a package with this description and these empty files. The findings do not name the directory.
fn read_text(xml: &str, present: &[&str]) -> (Option<Problem>, String) {
    read_bytes(xml.as_bytes(), present)
}

fn read_bytes(xml: &[u8], present: &[&str]) -> (Option<Problem>, String) {
    let temp = tempfile::tempdir().unwrap();
    let dir = temp.path().join("sum");
    for name in present {
        let path = dir.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "").unwrap();
    }
    std::fs::create_dir_all(&dir).unwrap();
    std::fs::write(dir.join(FILE), xml).unwrap();
    let reader = Reader::new("sum".into(), &dir, &dir, &|_| true);
    let problem = read(&reader);
    let below = format!("{}/", dir.display());
    let found = reader.take_found();
    let lines: Vec<String> = found.iter().map(|found| found.to_string().replace(&below, "")).collect();
    (problem, lines.join("\n"))
}

fn tests_of(problem: &Problem) -> Vec<String> {
    problem.tests().map(|test| test.id().to_string()).collect()
}

fn tree(problem: &Problem) -> &ScoreTree {
    match &problem.scoring {
        Some(Scoring::Points(tree)) => tree,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_full_package_is_read() {
    let problem = Parts::default().fine();
    assert_eq!((problem.title.as_str(), problem.layout), ("Sum", PackageLayout::Polygon));
    assert_eq!(problem.limits.time, Some(Duration::from_millis(1500)));
    assert_eq!(problem.limits.memory, Some(Bytes::mib(256)));
    assert_eq!(tests_of(&problem), ["sample/01"]);
    let (group, case) = problem.cases().next().unwrap();
    assert!(group.input_of(case).ends_with("sum/tests/01"));
    assert!(group.answer_of(case).unwrap().ends_with("sum/tests/01.a"));
    assert_eq!(group.arguments.input_validators, ["--testset", "tests"]);
    let recipe = &problem.recipes.cases[&TestId::from("sample/01")];
    assert_eq!((&recipe.input, recipe.answer), (&InputRecipe::File, AnswerRecipe::File));
    assert_eq!(problem.reference().unwrap().id.as_str(), "main.cpp");
    assert_eq!(problem.checker, OwnChecker::Stated(Checker::Standard(StandardChecker::Wcmp)));
    assert!(problem.output_validators.is_empty() && problem.scoring.is_none());
}

#[test]
fn a_standard_package_says_how_its_tests_are_made() {
    let problem = Parts {
        tests: "<test method=\"manual\" sample=\"true\"/>\n<test method=\"generated\" cmd=\"gen -n 5 'a b'\"/>\n\
                <test method=\"generated\" cmd=\"multi 1\" from-file=\"3\"/>",
        files: r#"<executables><executable><source path="files/gen.py" type="python.3"/></executable>
            <executable><binary path="files/old.exe" type="exe.win32"/></executable></executables>"#,
        present: &["files/check.cpp", "solutions/main.cpp", "tests/01", "files/gen.py"],
        ..Parts::default()
    }
    .fine();
    let recipes = &problem.recipes;
    assert_eq!(recipes.generators.keys().collect::<Vec<_>>(), ["gen"]);
    let command = |id: &str| match &recipes.cases[&TestId::from(id)].input {
        InputRecipe::Command(command) => command.clone(),
        InputRecipe::File => panic!("{id} is a file"),
    };
    let gen_command = command("secret/02");
    assert_eq!(
        (gen_command.program.as_str(), gen_command.arguments),
        ("gen", vec!["-n".into(), "5".into(), "a b".into()])
    );
    assert_eq!(command("secret/03").file.as_deref(), Some("3"));
    assert!(recipes.cases.values().all(|recipe| recipe.answer == AnswerRecipe::Reference));
    assert_eq!(recipes.cases[&TestId::from("secret/02")].line, 10);
}

#[test]
fn a_file_that_is_there_is_not_made() {
    let present = [FILES, &["tests/02", "files/gen.py"]].concat();
    let problem = Parts {
        tests: "<test method=\"manual\"/><test method=\"generated\" cmd=\"gen 1\"/>",
        present: &present,
        ..Parts::default()
    }
    .fine();
    assert_eq!(problem.recipes.cases[&TestId::from("secret/02")].input, InputRecipe::File);
}

#[test]
fn files_by_name_are_read() {
    let problem = Parts { judging: r#"input-file="sum.in" output-file="sum.out""#, ..Parts::default() }.fine();
    let (group, case) = problem.cases().next().unwrap();
    let work = group.setting_of(case).work;
    assert_eq!(work.files[0].0, Path::new("sum.in"));
    assert!(work.files[0].1.ends_with("tests/01"));
    assert_eq!(work.output.as_deref(), Some(Path::new("sum.out")));
    assert!(work.no_stdin && work.ignores_printed);
    let found = Parts { judging: r#"input-file="../sum.in""#, ..Parts::default() }.found();
    assert!(found.starts_with("problem.xml:4:1: `input-file` is \"../sum.in\", not the name of a file"), "{found}");
}

const GROUPED: &str = r#"<test method="manual" sample="true" group="0"/>
<test method="manual" group="1" points="10.5"/>
<test method="manual" group="1"/>
<test method="manual" group="2" points="20"/>
<test method="manual" group="2" points="30"/>
<test method="manual" points="5"/>"#;

#[test]
fn groups_become_a_tree_of_scores() {
    let problem = Parts {
        tests: GROUPED,
        groups: r#"<groups><group name="0" points-policy="complete-group"/>
            <group name="1" points-policy="complete-group"><dependencies><dependency group="0"/></dependencies></group>
            <group name="2" points="50" points-policy="each-test"><dependencies><dependency group="1"/></dependencies></group>
            </groups>"#,
        ..Parts::default()
    }
    .fine();
    assert_eq!(
        tests_of(&problem),
        ["secret/0/01", "secret/1/02", "secret/1/03", "secret/2/04", "secret/2/05", "secret/ungrouped/06"]
    );
    let tree = tree(&problem);
    let of = |name: &str| tree.groups.iter().position(|group| *group.name == *name).unwrap();
    let shape = |name: &str| (tree.groups[of(name)].aggregation, tree.groups[of(name)].max_score.unwrap());
    assert_eq!(shape("secret/1"), (Aggregation::PassFail, 10.5));
    assert_eq!(shape("secret/2"), (Aggregation::Sum, 50.0));
    assert_eq!(shape("secret/ungrouped"), (Aggregation::Sum, 5.0));
    assert_eq!((shape("secret").1, tree.attainable()), (65.5, Some(65.5)));
    assert_eq!(tree.groups[of("secret/2")].require_pass, [of("secret/1")]);
    let points: Vec<CasePoints> =
        problem.cases().map(|(group, case)| problem.points_of_case(group, group.setting_of(case).points)).collect();
    assert!(matches!(points[1], CasePoints::OfGroup(_)));
    assert_eq!(points[3..], [CasePoints::Bounded(20.0), CasePoints::Bounded(30.0), CasePoints::Bounded(5.0)]);
    assert_eq!(problem.groups[1].arguments.input_validators, ["--testset", "tests", "--group", "1"]);
}

#[test]
fn mistakes_in_groups_are_told() {
    let grouped = |groups: &str| Parts { tests: GROUPED, groups, ..Parts::default() }.found();
    let cycle = grouped(
        r#"<groups><group name="0"><dependencies><dependency group="2"/></dependencies></group>
<group name="1"/><group name="2"><dependencies><dependency group="0"/><dependency group="9"/></dependencies></group></groups>"#,
    );
    assert!(cycle.contains("problem.xml:15:17: group \"0\" depends on itself"), "{cycle}");
    assert!(cycle.contains("group \"2\" depends on \"9\", which does not exist"), "{cycle}");
    let sum = grouped(r#"<groups><group name="2" points="60" points-policy="each-test"/></groups>"#);
    assert!(sum.contains("group \"2\" states 60 points, but its tests have 50; grader counts 50"), "{sum}");
    let twice = grouped(r#"<groups><group name="2" points="50"/><group name="2" points="10"/></groups>"#);
    assert!(twice.contains("a second group \"2\"; remove one of them"), "{twice}");
    let policy = grouped(r#"<groups><group name="2" points-policy="min"/></groups>"#);
    assert!(policy.contains("unknown points-policy \"min\"; known are `complete-group` and `each-test`"), "{policy}");
    let points = Parts { tests: r#"<test points="-1"/>"#, ..Parts::default() }.found();
    assert!(points.contains("problem.xml:9:1: -1 points; a test or group has 0 to 1e9"), "{points}");
}

#[test]
fn tags_become_expectations() {
    let tag = |tag: &str, name: &str| {
        format!(r#"<solution tag="{tag}"><source path="solutions/{name}" type="cpp.g++17"/></solution>"#)
    };
    let tags = ["wrong-answer", "time-limit-exceeded-or-accepted", "rejected", "accepted", "main", "do-not-run"];
    let names = ["a", "b", "c", "d", "e", "f"];
    let solutions: Vec<String> = tags.iter().zip(names).map(|(t, name)| tag(t, name)).collect();
    let present: Vec<String> = names.iter().map(|name| format!("solutions/{name}")).collect();
    let present: Vec<&str> = present.iter().map(String::as_str).chain(FILES.iter().copied()).collect();
    let problem = Parts { solutions: &solutions.join("\n"), present: &present, ..Parts::default() }.fine();
    let shown = |submission: &Submission| format!("{} {}", submission.id, submission.expectation.summary());
    assert_eq!(
        problem.submissions.iter().map(shown).collect::<Vec<_>>(),
        ["e AC", "d AC", "a WA", "b AC or TLE", "c WA or TLE or MLE or OLE or RTE"]
    );
    let found =
        Parts { solutions: &(tag("great", "a") + &tag("main", "../a")), present: &present, ..Parts::default() }.found();
    assert!(found.contains("unknown tag \"great\"; known are main, accepted, "), "{found}");
    assert!(found.contains("the path \"solutions/../a\" leads out of the package"), "{found}");
}

#[test]
fn partial_points_are_a_failure_for_tags_of_any_failure() {
    let summary = |tests: &str| {
        let solutions = r#"<solution tag="rejected"><source path="solutions/main.cpp"/></solution>"#;
        let problem = Parts { tests, solutions, ..Parts::default() }.fine();
        problem.submissions[0].expectation.summary()
    };
    assert_eq!(summary(r#"<test points="30"/>"#), "WA or TLE or MLE or OLE or RTE or less than all points");
    assert_eq!(summary("<test/>"), "WA or TLE or MLE or OLE or RTE");
}

#[test]
fn types_of_solutions_choose_the_dialect() {
    for (kind, expect) in [
        ("cpp.g++11", "cpp11"),
        ("cpp.gcc13-64-winlibs-g++20", "cpp20"),
        ("cpp.clang++17-64-msys2", "none"),
        ("cpp.ms2017", "cpp17"),
        ("cpp.g++", "none"),
        ("cpp.g++98", "none"),
        ("pas.dpr", "delphi"),
        ("pas.fpc", "delphi"),
        ("python.pypy2", "python2"),
        ("python.3", "none"),
        ("java21", "none"),
    ] {
        let solutions = format!(r#"<solution tag="main"><source path="solutions/main.cpp" type="{kind}"/></solution>"#);
        let problem = Parts { solutions: &solutions, ..Parts::default() }.fine();
        assert_eq!(problem.submissions[0].language.as_deref().unwrap_or("none"), expect, "{kind}");
        let typed = format!(r#"path="files/check.cpp" type="{kind}""#);
        let assets = format!(r#"<checker type="testlib"><source {typed}/></checker>"#);
        let problem = Parts { assets: &assets, ..Parts::default() }.fine();
        let language = problem.additions.languages.get(&problem.dir.join("files/check.cpp"));
        assert_eq!(language.map_or("none", String::as_str), expect, "{kind}");
    }
}

#[test]
fn limits_that_polygon_does_not_write_are_told() {
    let found = |testset: &str| Parts { testset, ..Parts::default() }.found();
    let none = found("<time-limit>0</time-limit><memory-limit>268435456</memory-limit>");
    assert!(none.contains("problem.xml:5:1: no <time-limit>, so the default of grader counts"), "{none}");
    let tiny = found("<time-limit>1000</time-limit><memory-limit>4096</memory-limit>");
    assert!(tiny.contains("problem.xml:5:1: <memory-limit> is 4096 bytes, in which no program runs"), "{tiny}");
}

#[test]
fn a_testset_that_cannot_be_read_is_told_once() {
    let xml = Parts::default().xml().replace("tests/%02d<", "tests/%s<");
    let (_, found) = read_text(&xml, FILES);
    assert!(found.contains("<input-path-pattern> \"tests/%s\"") && found.lines().count() == 1, "{found}");
}

#[test]
fn extra_tags_are_rules_of_groups() {
    let problem = Parts {
        tests: GROUPED,
        solutions: r#"<solution tag="rejected"><source path="solutions/main.cpp"/>
            <extra-tags><extra-tag group="1" tag="accepted"/><extra-tag testset="pretests" tag="accepted"/></extra-tags></solution>"#,
        ..Parts::default()
    }
    .fine();
    let rules = &problem.submissions[0].expectation.rules;
    assert_eq!(rules.len(), 2);
    assert_eq!(rules[1].cases.as_deref(), Some("secret/1"));
    assert!(rules[1].permitted.contains(Verdict::Accepted) && !rules[1].permitted.contains(Verdict::WrongAnswer));
}

#[test]
fn headers_go_to_the_programs_of_the_judge() {
    let present = [FILES, &["files/testlib.h", "files/rand.h", "files/grader.cpp"]].concat();
    let problem = Parts {
        files: r#"<resources><file path="files/olymp.sty"/><file path="files/testlib.h" type="h.g++"/>
            <file path="files/rand.h" type="h.g++"/><file path="files/grader.cpp" type="cpp.g++17">
            <assets><asset name="solution"/></assets></file></resources>"#,
        present: &present,
        ..Parts::default()
    }
    .fine();
    let names = |files: &[PathBuf]| files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>();
    assert_eq!(names(&problem.additions.judges.unwrap().files), ["rand.h", "testlib.h"]);
    assert_eq!(names(&problem.additions.include["cpp"].files), ["grader.cpp", "rand.h"]);
}

#[test]
fn checkers_that_are_not_built_in_are_programs() {
    for name in ["", "name=\"std::points.cpp\"", "name=\"wcmp.cpp\"", "name=\"std::none.cpp\""] {
        let assets = CHECKER.replace("name=\"std::wcmp.cpp\"", name);
        let problem = Parts { assets: &assets, ..Parts::default() }.fine();
        let [checker] = &problem.output_validators[..] else { panic!("one checker") };
        assert_eq!((problem.checker, checker.protocol.get()), (OwnChecker::default(), Protocol::TESTLIB), "{name}");
        assert!(checker.path().unwrap().ends_with("files/check.cpp"));
    }
    // The built-in one needs no source.
    let assets = r#"<checker name="std::lcmp.cpp" type="testlib"/>"#;
    let problem = Parts { assets, ..Parts::default() }.fine();
    assert_eq!(problem.checker, OwnChecker::Stated(Checker::Standard(StandardChecker::Lcmp)));
}

#[test]
fn an_interactor_leaves_the_decision_to_the_checker() {
    let assets = format!(r#"{CHECKER}<interactor><source path="files/check.cpp"/></interactor>"#);
    let problem = Parts { assets: &assets, ..Parts::default() }.fine();
    assert_eq!((problem.kind, problem.output_validators.len()), (ProblemKind::Interactive, 1));
    assert_eq!(problem.interactor.unwrap().protocol.get(), Protocol::TESTLIB);
}

#[test]
fn two_runs_are_of_three_kinds() {
    let of = |judging: &str, interactor: &str| {
        let assets = format!("{CHECKER}{interactor}");
        let problem = Parts { judging, assets: &assets, ..Parts::default() }.fine();
        (problem.kind, problem.second_run, problem.passes)
    };
    let twice = r#"run-count="2""#;
    let talks = |runs: &str| format!(r#"<interactor><source path="files/check.cpp"/>{runs}</interactor>"#);
    assert_eq!(of(r#"run-count="1""#, ""), (ProblemKind::PassFail, None, 1));
    assert_eq!(of(twice, ""), (ProblemKind::MultiPass, Some(SecondRun::Plain), 2));
    let led = ProblemKind::InteractiveMultiPass;
    assert_eq!(of(twice, &talks("")), (led, Some(SecondRun::Plain), 2));
    let both = talks("<runs><run>1</run><run>2</run></runs>");
    assert_eq!(of(twice, &both), (led, Some(SecondRun::Interactive), 2));
    // Old packages have a tag instead of a number.
    let xml = Parts { judging: "", ..Parts::default() }.xml();
    let (problem, _) =
        read_text(&xml.replace("</problem>", r#"<tags><tag value="run-twice"/></tags></problem>"#), FILES);
    assert_eq!(problem.unwrap().second_run, Some(SecondRun::Plain));
}

#[test]
fn tests_of_programs_are_read() {
    let assets = r#"<checker type="testlib"><source path="files/check.cpp"/><testset><test-count>2</test-count>
        <tests><test verdict="ok"/><test verdict="crashed"/></tests></testset></checker>
        <validators><validator><source path="files/check.cpp"/><testset>
        <input-path-pattern>files/v/%03d</input-path-pattern>
        <tests><test verdict="invalid" group="2" testset="tests"/><test/></tests></testset></validator></validators>"#;
    let problem = Parts { assets, ..Parts::default() }.fine();
    let [of_validator, first, second] = &problem.validation_cases[..] else { panic!("{:?}", problem.validation_cases) };
    assert_eq!(of_validator.purpose, Purpose::InvalidInput);
    assert!(of_validator.input.ends_with("files/v/001"));
    assert_eq!(of_validator.arguments.input_validators, ["--testset", "tests", "--group", "2"]);
    assert_eq!((first.purpose, second.purpose), (Purpose::ValidOutput, Purpose::CheckerFailure));
    assert!(second.output.ends_with("files/tests/checker-tests/02.o"));
    let outside = assets.replace("files/v/%03d", "../%03d");
    let found = Parts { assets: &outside, ..Parts::default() }.found();
    assert!(found.contains("<input-path-pattern> \"../%03d\": leads out of the package"), "{found}");
}

#[test]
fn every_mistake_has_its_line() {
    let assets = format!("{CHECKER}\n{CHECKER}");
    let found = Parts {
        testset: "<time-limit>fast</time-limit><test-count>5</test-count>",
        assets: &assets,
        solutions: r#"<solution tag="main"><source path="/etc/passwd"/></solution>"#,
        ..Parts::default()
    }
    .found();
    for expect in [
        "problem.xml:14:1: a second <checker>; a problem has only one; remove one of them",
        "problem.xml:5:23: <time-limit> is \"fast\", not a whole number",
        "problem.xml:5:1: states 5 tests, but lists 1",
        "problem.xml:16:22: the path \"/etc/passwd\" leads out of the package; correct it there, or download the package again",
    ] {
        assert!(found.contains(expect), "{expect}\n{found}");
    }
}

#[test]
fn what_is_no_description_is_refused() {
    let refused = |xml: &str| {
        let (problem, found) = read_text(xml, FILES);
        assert!(problem.is_none(), "{xml}");
        found
    };
    assert!(refused("<problem><judging>").starts_with("problem.xml:1:"));
    assert!(refused("<problem>\n<judging></problem>").contains("problem.xml:2:10: not XML: "));
    let entity = "<!DOCTYPE p [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><problem><judging>&e;</judging></problem>";
    assert!(refused(entity).contains("problem.xml:1:1: has a document type, which could hide other files"));
    assert!(
        refused("<problem/>")
            .contains("problem.xml:1:1: written by another tool than Polygon, or damaged: <problem> has")
    );
    assert!(
        refused("\n<a><judging/></a>")
            .contains("problem.xml:2:1: written by another tool than Polygon, or damaged: its root is \"a\"")
    );
    let (problem, found) = read_bytes(b"<problem>\n<judging name=\"\xd1\xf3\xec\xec\xe0\"/></problem>", FILES);
    assert!(problem.is_none() && found.contains("problem.xml:2:16: not UTF-8"), "{found}");
}

#[test]
fn too_many_tests_are_refused() {
    let many = "<test/>".repeat(100_001);
    let found = Parts { tests: &many, ..Parts::default() }.found();
    assert!(found.contains("problem.xml:5:1: 100001 tests; grader judges at most 100000"), "{found}");
    let found = Parts { tests: &"<test/>".repeat(1_000_000), ..Parts::default() }.found();
    assert!(found.contains("problem.xml:5:1: more than 600000 elements and texts; remove some tests"), "{found}");
}

#[test]
fn line_ends_of_windows_and_a_mark_change_nothing() {
    let xml = format!("\u{feff}{}", Parts::default().xml()).replace('\n', "\r\n");
    let (problem, found) = read_text(&xml, FILES);
    assert_eq!((problem.unwrap().title.as_str(), found.as_str()), ("Sum", ""));
}

#[test]
fn other_testsets_are_named() {
    let xml = Parts::default().xml().replace(
        "<testset name=\"tests\">",
        "<testset name=\"pretests\"><tests><test/></tests></testset>\n<testset name=\"tests\">",
    );
    let (problem, found) = read_text(&xml, FILES);
    assert_eq!(
        found,
        "problem.xml:5:1: testset `pretests` is not judged: grader judges `tests`; to judge it: --testset pretests"
    );
    assert_eq!(tests_of(&problem.unwrap()), ["sample/01"]);
    let empty = Parts { tests: "", ..Parts::default() }.found();
    assert!(empty.contains("no tests: the package has only a statement"), "{empty}");
}

#[test]
fn a_link_does_not_lead_out_of_the_package() {
    let temp = tempfile::tempdir().unwrap();
    let dir = temp.path().join("sum");
    for name in ["files", "solutions", "tests"] {
        std::fs::create_dir_all(dir.join(name)).unwrap();
    }
    std::fs::write(temp.path().join("secret.cpp"), "").unwrap();
    std::os::unix::fs::symlink(temp.path().join("secret.cpp"), dir.join("files/check.cpp")).unwrap();
    std::fs::write(dir.join("solutions/main.cpp"), "").unwrap();
    // The source of a standard checker is not read.
    let xml = Parts::default().xml().replace("std::wcmp.cpp", "check.cpp");
    std::fs::write(dir.join(FILE), xml).unwrap();
    let reader = Reader::new("sum".into(), &dir, &dir, &|_| true);
    assert!(read(&reader).unwrap().output_validators.is_empty());
    let found = reader.take_found();
    assert!(found.iter().any(|found| found.to_string().contains("outside the problem's directory")), "{found:?}");
}

#[test]
fn a_contest_gives_letters() {
    let temp = tempfile::tempdir().unwrap();
    let file = temp.path().join("contest.xml");
    let xml = r#"<contest><problems><problem index="A" url="https://polygon.codeforces.com/x/sum"/>
        <problem index="B" url="https://polygon.codeforces.com/x/max/"/></problems></contest>"#;
    std::fs::write(&file, xml).unwrap();
    let listed = contest(&file).unwrap();
    assert_eq!(listed, [("sum".to_owned(), "A".to_owned()), ("max".to_owned(), "B".to_owned())]);
}

#[test]
fn only_files_of_polygon_are_recognised() {
    let temp = tempfile::tempdir().unwrap();
    for (xml, expect) in
        [("<problem><judging/></problem>", true), ("<problem><multiplechoice/></problem>", false), ("", false)]
    {
        std::fs::write(temp.path().join(FILE), xml).unwrap();
        assert_eq!(is_package(temp.path()), expect, "{xml}");
    }
}
