//! Packages of Polygon: as they are, with inputs and answers that are made, and broken ones.

use std::io::Write as _;
use std::os::unix::ffi::OsStrExt as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use macro_rules_attribute::apply;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::cli::need::Need;
use crate::cli::run::Call;
use crate::cli::workspace::Workspace;

/// Equal files, by the protocol of testlib: input, output, answer.
const CHECK: &str = "cmp -s \"$2\" \"$3\" && exit 0\necho 'wrong answer differs' >&2\nexit 1\n";
const SUM: &str = "read a b\necho $((a + b))\n";
/// Prints its arguments.
const GEN: &str = "echo \"$1 $2\"\n";

/// Parts of a description.
struct Xml<'a> {
    judging: &'a str,
    tests: &'a str,
    executables: &'a [&'a str],
    solutions: &'a [(&'a str, &'a str)],
}

const SOLUTIONS: &[(&str, &str)] = &[("main", "main.sh"), ("wrong-answer", "three.sh")];

impl Default for Xml<'_> {
    fn default() -> Self {
        let judging = r#"input-file="" output-file="" run-count="1""#;
        Self { judging, tests: "", executables: &["gen.sh"], solutions: SOLUTIONS }
    }
}

impl Xml<'_> {
    fn text(&self) -> String {
        let executable = |name: &&str| format!("<executable><source path=\"files/{name}\"/></executable>\n");
        let solution = |(tag, name): &(&str, &str)| {
            format!("<solution tag=\"{tag}\"><source path=\"solutions/{name}\"/></solution>\n")
        };
        format!(
            "<?xml version=\"1.0\" encoding=\"utf-8\" standalone=\"no\"?>\n<problem short-name=\"sum\">\n\
             <names><name language=\"english\" value=\"Sum\"/></names>\n\
             <judging {}>\n<testset name=\"tests\"><time-limit>1000</time-limit>\
             <memory-limit>268435456</memory-limit>\n<input-path-pattern>tests/%02d</input-path-pattern>\n\
             <answer-path-pattern>tests/%02d.a</answer-path-pattern>\n<tests>\n{}</tests></testset></judging>\n\
             <files><executables>{}</executables></files>\n<assets><checker type=\"testlib\">\
             <source path=\"files/check.sh\"/></checker>\n<solutions>{}</solutions></assets></problem>\n",
            self.judging,
            self.tests,
            self.executables.iter().map(executable).collect::<String>(),
            self.solutions.iter().map(solution).collect::<String>(),
        )
    }
}

/// Adds a package with this description, the programs that every package has, and these files.
fn add(workspace: &Workspace, dir: &str, xml: &str, files: &[(&str, &str)]) {
    let programs = [
        ("files/check.sh", CHECK),
        ("files/gen.sh", GEN),
        ("solutions/main.sh", SUM),
        ("solutions/three.sh", "echo 3\n"),
    ];
    for (name, text) in programs.iter().chain(files) {
        workspace.file(format!("{dir}/{name}"), text);
    }
    workspace.file(format!("{dir}/problem.xml"), xml);
}

fn package(xml: &Xml<'_>, files: &[(&str, &str)]) -> Workspace {
    let workspace = Workspace::bare();
    add(&workspace, "sum", &xml.text(), files);
    workspace
}

const MANUAL: &str = "<test method=\"manual\" sample=\"true\"/>\n<test method=\"manual\"/>\n";
const FILES: &[(&str, &str)] =
    &[("tests/01", "1 2\n"), ("tests/01.a", "3\n"), ("tests/02", "2 2\n"), ("tests/02.a", "4\n")];
const GENERATED: &str = "<test method=\"manual\" sample=\"true\"/>\n<test cmd=\"gen 2 2\" method=\"generated\"/>\n\
                         <test cmd=\"gen 10 20\" method=\"generated\"/>\n";

#[apply(cli_test)]
fn a_full_package_is_judged_as_tagged() {
    let workspace = package(&Xml { tests: MANUAL, ..Xml::default() }, FILES);
    let run = workspace.run(&["sum"]);
    run.status(0).ends("main.sh", "AC", "met").ends("three.sh", "WA", "met");
    run.judged("three.sh", "sample/01", "AC", "").hides("made");
}

#[apply(cli_test)]
fn a_standard_checker_needs_neither_its_source_nor_testlib() {
    let standard = |name: &str| {
        let xml = Xml { tests: MANUAL, ..Xml::default() }.text();
        let checker = format!("<checker name=\"{name}\" type=\"testlib\"><source path=\"files/none.cpp\"/>");
        xml.replace("<checker type=\"testlib\"><source path=\"files/check.sh\"/>", &checker)
    };
    let workspace = Workspace::bare();
    add(&workspace, "sum", &standard("std::icmp.cpp"), FILES);
    workspace.file("sum/solutions/three.sh", "echo 03\n");
    let run = workspace.run(&["sum"]);
    run.status(0).ends("main.sh", "AC", "met").ends("three.sh", "WA", "met");
    run.judged("three.sh", "sample/01", "WA", "wrong output format: line 1, column 1: expected `3`, got `03`");
    workspace.grader(&["list", "-v", "sum"]).status(0).shows("checker icmp of testlib, built in");
    // A program can still be asked for.
    workspace.file("lax.sh", "exit 42\n");
    workspace.run(&["sum", "--checker", "lax.sh"]).ends("three.sh", "AC", "missed");
    // Another name is a program, which is not there.
    add(&workspace, "sum", &standard("std::other.cpp"), FILES);
    workspace.run(&["sum"]).status(2).says("none.cpp");
}

#[apply(cli_test)]
fn missing_inputs_and_answers_are_made_once() {
    let workspace = package(&Xml { tests: GENERATED, ..Xml::default() }, &[("tests/01", "1 2\n")]);
    let run = workspace.run(&["sum"]);
    run.status(0).ends("main.sh", "AC", "met").ends("three.sh", "WA", "met");
    run.says("sum: made 2 inputs and 3 answers by its own programs");
    run.judged("main.sh", "secret/03", "AC", "");
    let again = workspace.run(&["sum"]);
    again.status(0);
    assert!(!again.all().contains("made 2 inputs"), "{}", again.all());
    // Nothing is written into the package.
    let names = std::fs::read_dir(workspace.path("sum/tests")).unwrap().count();
    assert_eq!(names, 1);
    // A change of a generator makes what it makes anew, and nothing else.
    workspace.file("sum/files/gen.sh", "echo \"$2 $1\"\n");
    workspace.run(&["sum"]).status(0).says("made 2 inputs and 1 answer by its own programs");
}

#[apply(cli_test)]
fn every_command_that_judges_makes_the_files() {
    let standard = || package(&Xml { tests: GENERATED, ..Xml::default() }, &[("tests/01", "1 2\n")]);
    let made = "made 2 inputs and 3 answers by its own programs";
    let workspace = standard();
    workspace.grader(&["verify", "sum", "--data-only"]).says(made).hides("No such file");
    let workspace = standard();
    workspace.file("mine.sh", SUM);
    let judged = Call::recorded(&workspace.path(""), &["judge", "sum", "mine.sh"]).run();
    judged.status(0).says(made).judged("mine.sh", "secret/03", "AC", "");
    let workspace = standard();
    workspace.file("outputs/03.out", "30\n");
    let call = ["judge", "sum", "--outputs", "outputs", "-t", "secret/03"];
    let judged = Call::recorded(&workspace.path(""), &call).run();
    judged.status(0).says("made 1 input and 1 answer").judged("outputs", "secret/03", "AC", "");
    let workspace = standard();
    let request = format!("{{\"id\": 1, \"problem\": \"sum\", \"language\": \"shell\", \"source\": {SUM:?}}}\n");
    let stream = Call::any(&workspace.path(""), &["judge", "--stream"]).input(&request).run();
    stream.shows("\"verdict\":\"AC\"");
}

#[apply(cli_test)]
fn only_the_selected_tests_are_made() {
    let workspace = package(&Xml { tests: GENERATED, ..Xml::default() }, &[("tests/01", "1 2\n")]);
    workspace.run(&["sum", "-t", "secret/02"]).status(0).says("made 1 input and 1 answer");
}

#[apply(cli_test)]
fn a_test_that_cannot_be_made_leaves_the_others() {
    let tests = "<test method=\"manual\" sample=\"true\"/>\n<test cmd=\"gem 1 1\" method=\"generated\"/>\n\
                 <test cmd=\"wine old.exe 1\" method=\"generated\"/>\n<test cmd=\"fail 1\" method=\"generated\"/>\n\
                 <test cmd=\"clock 1\" method=\"generated\"/>\n<test cmd=\"gen no number\" method=\"generated\"/>\n\
                 <test method=\"manual\"/>\n<test cmd=\"gen 1 | sort\" method=\"generated\"/>\n";
    let executables = &["gen.sh", "fail.sh", "clock.sh"];
    let main = "read a b\ncase $a in no) exit 1;; esac\necho $((a + b))\n";
    let files = &[
        ("tests/01", "1 2\n"),
        ("files/fail.sh", "echo oops >&2\nexit 1\n"),
        ("files/clock.sh", "head -c 16 /dev/urandom | od -A n -t x1\n"),
        ("solutions/main.sh", main),
    ];
    let solutions = &[("main", "main.sh")];
    let workspace = package(&Xml { tests, executables, solutions, ..Xml::default() }, files);
    let run = workspace.run(&["sum"]);
    run.judged("main.sh", "sample/01", "AC", "");
    for message in [
        "line 10, column 1: test secret/02 (`gem 1 1`) is not judged: the package has no program `gem`; did you mean `gen`?",
        "test secret/03 (`wine old.exe 1`) is not judged: the command needs Windows: `wine`",
        "test secret/04 (`fail 1`) is not judged: the generator fails: ",
        "oops",
        "test secret/05 (`clock 1`) is not judged: the generator prints a different input each time",
        "test secret/06 (`gen no number`) is not judged: the main solution fails: RTE",
        "test secret/07 is not judged: the package has no tests/07, and does not say how to make it",
        "test secret/08 (`gen 1 | sort`) is not judged: the command needs a shell (`|`)",
    ] {
        run.says(message);
    }
    assert_eq!(run.tests("test_finished", "main.sh"), ["sample/01"]);
    run.status(2);
}

#[apply(cli_test)]
fn a_generator_may_write_several_tests() {
    let tests = "<test cmd=\"many 5\" from-file=\"1\" method=\"generated\"/>\n\
                 <test cmd=\"many 5\" from-file=\"2\" method=\"generated\"/>\n\
                 <test cmd=\"many 5\" from-file=\"7\" method=\"generated\"/>\n";
    let many = "for i in 1 2 3; do echo \"$i $1\" > 0$i; done\n";
    let solutions = &[("main", "main.sh")];
    let xml = Xml { tests, executables: &["many.sh"], solutions, ..Xml::default() };
    let workspace = package(&xml, &[("files/many.sh", many)]);
    let run = workspace.run(&["sum"]);
    run.judged("main.sh", "secret/01", "AC", "").judged("main.sh", "secret/02", "AC", "");
    run.says("made 2 inputs and 2 answers").says("the generator writes no file `7`").status(2);
}

#[apply(cli_test)]
fn line_ends_of_windows_are_judged_as_those_of_linux() {
    let files = &[("tests/01", "1 2\r\n"), ("tests/01.a", "3\r\n"), ("tests/02", "2 2\n"), ("tests/02.a", "4\n")];
    let main = "IFS= read -r line\ncase $line in *\r*) echo windows;; *) set -- $line; echo $(($1 + $2));; esac\n";
    let files = [&files[..], &[("solutions/main.sh", main)]].concat();
    let workspace = package(&Xml { tests: MANUAL, ..Xml::default() }, &files);
    let run = workspace.run(&["sum"]);
    run.status(0)
        .ends("main.sh", "AC", "met")
        .says("sum: 2 files with line ends of Windows, judged with those of Linux");
    assert_eq!(workspace.read("sum/tests/01"), "1 2\r\n");
}

#[apply(cli_test)]
fn files_are_read_and_written_by_name() {
    let judging = r#"input-file="sum.in" output-file="sum.out""#;
    let by_name = "read a b < sum.in\necho $((a + b)) > sum.out\necho noise\n";
    let xml = Xml { judging, tests: GENERATED, solutions: &[("main", "main.sh")], ..Xml::default() };
    let workspace = package(&xml, &[("tests/01", "1 2\n"), ("solutions/main.sh", by_name)]);
    workspace.run(&["sum"]).status(0).ends("main.sh", "AC", "met").says("made 2 inputs and 3 answers");
}

#[apply(cli_test)]
fn points_of_groups_and_tests_are_added_up() {
    let tests = "<test method=\"manual\" sample=\"true\" group=\"0\"/>\n\
                 <test method=\"manual\" group=\"1\" points=\"10\"/>\n<test method=\"manual\" group=\"1\" points=\"30\"/>\n\
                 <test method=\"manual\" group=\"2\" points=\"60\"/>\n";
    let groups = "</tests><groups><group name=\"0\" points-policy=\"complete-group\"/>\n\
                  <group name=\"1\" points-policy=\"each-test\"><dependencies><dependency group=\"0\"/></dependencies></group>\n\
                  <group name=\"2\" points-policy=\"complete-group\"/></groups>";
    let xml = Xml { tests, ..Xml::default() }.text().replacen("</tests>", groups, 1);
    let workspace = Workspace::bare();
    let third = [("tests/03", "1 1\n"), ("tests/03.a", "2\n"), ("tests/04", "0 3\n"), ("tests/04.a", "3\n")];
    add(&workspace, "sum", &xml, &[FILES, &third].concat());
    let run = workspace.run(&["sum", "--all-tests"]);
    run.status(0).ends("main.sh", "AC", "met").ends("three.sh", "WA", "met");
    assert_eq!(run.end("main.sh")["score"], 100.0);
    assert_eq!(run.end("three.sh")["score"], 60.0);
    assert_eq!(run.test("main.sh", "secret/1/03")["score"], 30.0);
}

#[apply(cli_test)]
fn partial_points_in_a_complete_group_are_none() {
    let tests = "<test method=\"manual\" group=\"1\" points=\"40\"/>\n<test method=\"manual\" group=\"1\"/>\n\
                 <test method=\"manual\" group=\"2\" points=\"60\"/>\n";
    let groups = "</tests><groups><group name=\"1\" points-policy=\"complete-group\"/>\n<group name=\"2\" \
                  points-policy=\"each-test\"><dependencies><dependency group=\"1\"/></dependencies></group></groups>";
    let solutions: &[(&str, &str)] = &[("main", "main.sh"), ("rejected", "three.sh")];
    let xml = Xml { tests, solutions, ..Xml::default() }.text().replacen("</tests>", groups, 1);
    // All points for the right output, and some for another.
    let check = "if cmp -s \"$2\" \"$3\"; then echo 'points 60' >&2; else echo 'points 5' >&2; fi\nexit 7\n";
    let workspace = Workspace::bare();
    let files = [("files/check.sh", check), ("tests/03", "1 2\n"), ("tests/03.a", "3\n")];
    add(&workspace, "sum", &xml, &[FILES, &files].concat());
    let run = workspace.run(&["sum", "--all-tests"]);
    run.status(0).ends("main.sh", "AC", "met").ends("three.sh", "AC", "met");
    assert_eq!(run.end("main.sh")["score"], 100.0);
    // Its second output has 5 points, so group 1 gives none, and neither does group 2, which depends on it.
    assert_eq!(run.end("three.sh")["score"], 0.0);
    let percent = xml.replacen("run-count=\"1\"", "run-count=\"1\" treat-points-from-checker-as-percent=\"true\"", 1);
    workspace.file("sum/problem.xml", &percent).file("sum/files/check.sh", check.replace("60", "100"));
    let run = workspace.run(&["sum", "--all-tests"]);
    assert_eq!((&run.end("main.sh")["score"], &run.end("three.sh")["score"]), (&100.0.into(), &0.0.into()));
}

#[apply(cli_test)]
#[needs(&[Need::Tool("g++")])]
fn types_choose_the_dialect_of_checkers_validators_and_generators() {
    let own = "#include <cstdio>\nstatic_assert(__cplusplus == 201402L, \"\");\nint main() { puts(\"1 2\"); }\n";
    let typed = |name: &str| format!("<source path=\"files/{name}.cpp\" type=\"cpp.g++14\"/>");
    let validator = format!("</checker>\n<validators><validator>{}</validator></validators>", typed("val"));
    let tests = "<test method=\"manual\" sample=\"true\"/>\n<test method=\"generated\" cmd=\"gen\"/>\n";
    let xml = Xml { tests, executables: &["gen.cpp"], solutions: &[("main", "main.sh")], ..Xml::default() }.text();
    let xml = xml.replacen("<source path=\"files/gen.cpp\"/>", &typed("gen"), 1);
    let xml =
        xml.replacen("<source path=\"files/check.sh\"/>", &typed("check"), 1).replacen("</checker>", &validator, 1);
    let workspace = Workspace::bare();
    let files = [("tests/01", "1 2\n"), ("files/gen.cpp", own), ("files/check.cpp", own), ("files/val.cpp", own)];
    add(&workspace, "sum", &xml, &files);
    workspace.run(&["sum"]).status(0).ends("main.sh", "AC", "met").says("made 1 input and 1 answer");
    workspace.grader(&["verify", "sum", "--data-only"]).hides("static_assert").hides("judge error");
}

#[apply(cli_test)]
fn a_package_with_a_scorer_has_verdicts_and_no_points() {
    let tests = "<test method=\"manual\" sample=\"true\"/>\n<test method=\"manual\" points=\"100\"/>\n";
    let scorer = "</checker>\n<scorer><source path=\"files/scorer.cpp\"/></scorer>";
    let xml = Xml { tests, ..Xml::default() }.text().replacen("</checker>", scorer, 1);
    let workspace = Workspace::bare();
    add(&workspace, "sum", &xml, FILES);
    workspace.file("students/four.sh", "echo 4\n");
    let commands: [&[&str]; 6] = [
        &["run", "sum"],
        &["report", "last"],
        &["list", "-v", "sum"],
        &["judge", "sum", "students", "--report", "markdown=m.md"],
        &["verify", "sum"],
        &["time-limit", "sum"],
    ];
    for command in commands {
        let said = workspace.grader(command).all();
        assert!(said.contains("the scorer decides the points, and grader does not run it"), "{said}");
        assert!(!said.contains("100 points") && !said.contains("of 100"), "{said}");
    }
    let text = workspace.read("m.md");
    assert!(text.contains("the scorer decides the points") && !text.contains("of 100"), "{text}");
    let run = workspace.run(&["sum"]);
    run.status(0).ends("main.sh", "AC", "met").ends("three.sh", "WA", "met");
    // What the checker gives has no meaning without the scorer.
    workspace.file("sum/files/check.sh", "echo 'points 5' >&2\nexit 7\n");
    workspace.run(&["sum"]).status(3).shows("give its tests points on Polygon (without a scorer)");
}

#[apply(cli_test)]
fn samples_with_points_are_samples() {
    let tests = "<test method=\"manual\" sample=\"true\" group=\"0\" points=\"10\"/>\n\
                 <test method=\"manual\" group=\"0\" points=\"90\"/>\n";
    let workspace = package(&Xml { tests, ..Xml::default() }, FILES);
    workspace.grader(&["verify", "sum", "--data-only"]).hides("no-sample").hides("no-secret-case");
    // A student reads the input of the sample, and of no other test.
    workspace.file("students/four.sh", "echo 4\n").file("students/three.sh", "echo 3\n");
    workspace.grader(&["judge", "sum", "students", "--report", "markdown=m.md"]).status(1);
    let text = workspace.read("m.md");
    assert!(text.contains("secret/0/01") && text.contains("1 2") && text.contains("secret/0/02"), "{text}");
    assert!(!text.contains("2 2"), "{text}");
}

#[apply(cli_test)]
fn advice_fits_the_package() {
    let only = |tests, files: &[(&str, &str)]| package(&Xml { tests, ..Xml::default() }, &[FILES, files].concat());
    let run = only("<test method=\"manual\"/>\n", &[]).grader(&["verify", "sum", "--data-only"]);
    run.shows("no-sample: sum/problem.xml").shows("mark a test to be shown in the statement on Polygon");
    run.shows("no-input-validator: sum/problem.xml").shows("add a validator on Polygon").hides("grader add");
    let run = only("<test method=\"manual\" sample=\"true\"/>\n", &[]).grader(&["verify", "sum", "--data-only"]);
    run.shows("no-secret-case: sum/problem.xml").shows("add tests on Polygon").hides("grader add");
    let scores = [("files/check.sh", "echo 'points 5' >&2\nexit 7\n")];
    let run = only(MANUAL, &scores).run(&["sum"]);
    run.status(3).shows("gives points, but the problem has none; give its tests points on Polygon").hides("scoring");
}

fn zipped(workspace: &Workspace, dir: &str, name: &str) {
    let mut zip = ZipWriter::new(std::fs::File::create(workspace.path(name)).unwrap());
    let root = workspace.path(dir);
    for entry in walkdir::WalkDir::new(&root).into_iter().flatten().filter(|entry| entry.file_type().is_file()) {
        let path = entry.path().strip_prefix(&root).unwrap().to_str().unwrap();
        zip.start_file(path, SimpleFileOptions::default()).unwrap();
        zip.write_all(&std::fs::read(entry.path()).unwrap()).unwrap();
    }
    zip.finish().unwrap();
}

#[apply(cli_test)]
fn an_archive_is_judged() {
    let workspace = package(&Xml { tests: GENERATED, ..Xml::default() }, &[("tests/01", "1 2\n")]);
    zipped(&workspace, "sum", "sum-7$linux.zip");
    workspace.run(&["sum-7$linux.zip"]).status(0).ends("main.sh", "AC", "met").says("made 2 inputs and 3 answers");
}

#[apply(cli_test)]
fn a_contest_gives_its_problems_letters() {
    let workspace = Workspace::bare();
    let xml = Xml { tests: MANUAL, ..Xml::default() }.text();
    add(&workspace, "contest/problems/sum", &xml, FILES);
    add(&workspace, "contest/problems/more", &xml, FILES);
    let contest = "<contest><problems><problem index=\"A\" url=\"https://polygon.codeforces.com/p1/me/sum\"/>\n\
                   <problem index=\"B\" url=\"https://polygon.codeforces.com/p2/me/more\"/></problems></contest>";
    workspace.file("contest/contest.xml", contest);
    zipped(&workspace, "contest", "contest.zip");
    for word in ["contest", "contest.zip"] {
        let run = workspace.run(&[word]);
        run.status(0);
        let heads: Vec<_> = run.of("run_started").flat_map(|head| head["problems"].as_array().unwrap()).collect();
        let labels: Vec<_> = heads.iter().map(|head| (&head["problem"], &head["label"])).collect();
        assert_eq!(labels, [(&"sum".into(), &"A".into()), (&"more".into(), &"B".into())], "{word}");
    }
}

#[apply(cli_test)]
fn a_broken_description_is_an_error_with_its_line() {
    let workspace = package(&Xml { tests: MANUAL, ..Xml::default() }, FILES);
    add(&workspace, "cut", "<problem>\n<judging>\n</problem>\n", &[]);
    let entity = "<!DOCTYPE p [<!ENTITY e SYSTEM \"file:///etc/passwd\">]>\n<problem><judging>&e;</judging></problem>";
    add(&workspace, "entity", entity, &[]);
    let outside = Xml { tests: MANUAL, ..Xml::default() }.text().replace("files/check.sh", "../other/check.sh");
    add(&workspace, "outside", &outside, FILES);
    let run = workspace.run(&[]);
    run.ends("main.sh", "AC", "met");
    run.says("cut/problem.xml: line 3, column 1: not XML: ").says("correct it there, or download the package again");
    run.says("entity/problem.xml: line 1, column 1: has a document type, which could hide other files");
    run.says("outside/problem.xml: line 14, column 33: the path \"../other/check.sh\" leads out of the package");
    run.status(2);
}

#[apply(cli_test)]
fn a_problem_xml_that_is_no_package_is_an_error_with_its_line() {
    let utf16: Vec<u8> = "<problem><judging/></problem>".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let texts: [(&[u8], &str); 6] = [
        (b"", "line 1, column 1: not XML: "),
        (b"Not found\n", "line 1, column 1: not XML: "),
        (b"\n<html>\n<body></p></html>\n", "line 3, column 7: not XML: "),
        (
            b"<?xml version=\"1.0\"?>\n<project/>\n",
            "line 2, column 1: written by another tool than Polygon, or damaged",
        ),
        (b"<problem>\n<judging>\n<testset>\n", "line 3, column 10: not XML: "),
        (&[b"\xff\xfe", &utf16[..]].concat(), "line 1, column 1: not UTF-8"),
    ];
    for (text, message) in texts {
        let workspace = Workspace::bare();
        add(&workspace, "sum", "", FILES);
        workspace.file("sum/problem.xml", text);
        workspace.run(&["sum"]).status(2).says(&format!("sum/problem.xml: {message}"));
    }
}

#[apply(cli_test)]
fn a_description_outside_of_the_package_is_not_read() {
    let workspace = Workspace::bare();
    let xml = Xml { tests: MANUAL, ..Xml::default() }.text();
    add(&workspace, "sum", &xml, FILES);
    workspace.file("elsewhere.xml", &xml);
    std::fs::remove_file(workspace.path("sum/problem.xml")).unwrap();
    std::os::unix::fs::symlink("../elsewhere.xml", workspace.path("sum/problem.xml")).unwrap();
    workspace.run(&["sum"]).status(2).says("sum/problem.xml: a link that leads out of the package");
}

#[apply(cli_test)]
fn a_test_outside_of_the_package_is_not_read() {
    let workspace = package(&Xml { tests: MANUAL, ..Xml::default() }, FILES);
    workspace.file("elsewhere", "1 1\n");
    std::fs::remove_file(workspace.path("sum/tests/02")).unwrap();
    std::os::unix::fs::symlink("../../elsewhere", workspace.path("sum/tests/02")).unwrap();
    let run = workspace.run(&["sum"]);
    run.status(2).says("test secret/02 is not judged: tests/02 is a link that leaves the package");
    run.judged("main.sh", "sample/01", "AC", "");
}

#[apply(cli_test)]
fn a_statement_outside_of_the_package_is_not_copied() {
    let workspace = package(&Xml { tests: MANUAL, ..Xml::default() }, FILES);
    workspace.file("elsewhere.tex", "private").file("sum/statement-sections/english/name.tex", "Sum");
    let link = workspace.path("sum/statement-sections/english/legend.tex");
    std::os::unix::fs::symlink("../../../elsewhere.tex", link).unwrap();
    for command in [&["import", "sum", "--out", "in"][..], &["export", "sum", "--for", "polygon", "--out", "out"]] {
        workspace.grader(command).status(2).says("legend.tex is a link that leads out of the package");
    }
    assert!(!workspace.path("in").exists() && !workspace.path("out").exists());
}

#[apply(cli_test)]
fn a_statement_that_is_a_pipe_is_not_waited_for() {
    let workspace = package(&Xml { tests: MANUAL, ..Xml::default() }, FILES);
    workspace.file("sum/statement-sections/english/name.tex", "Sum");
    workspace.pipe("sum/statement-sections/english/legend.tex");
    workspace.grader(&["import", "sum", "--out", "in"]).status(2).says("legend.tex is neither a file nor a directory");
    assert!(!workspace.path("in").exists());
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn the_name_of_a_checker_is_no_command() {
    let name = "files/check $(touch injected) 'it'.py";
    let xml = Xml { tests: MANUAL, ..Xml::default() }.text().replace("files/check.sh", name);
    let checker =
        "import sys\none, two = (open(name).read().split() for name in sys.argv[2:4])\nsys.exit(one != two)\n";
    let workspace = Workspace::bare();
    add(&workspace, "sum", &xml, &[FILES, &[(name, checker)]].concat());
    let export = |more: &[&str]| {
        let words = ["export", "sum", "--force", "--for", "icpc-legacy", "-o", "out"];
        workspace.grader(&[&words[..], more].concat())
    };
    // Readers of the format ignore such a name, and the checker would be missing.
    export(&[]).status(2).shows("✗ check $(touch injected) 'it'.py: the format allows only letters");
    export(&["--lossy"]).status(0);
    let script = workspace.read("out/sum/output_validators/validate/run");
    assert!(script.contains("\"$here\"/'check $(touch injected) '"), "{script}");
}

#[apply(cli_test)]
fn statements_in_every_language_are_imported_or_named() {
    let workspace = package(&Xml { tests: MANUAL, ..Xml::default() }, FILES);
    for language in ["english", "indonesian", "klingon"] {
        workspace.file(format!("sum/statement-sections/{language}/legend.tex"), "Add.\n");
    }
    let lossy = workspace.grader(&["import", "sum", "--out", "in", "--lossy"]);
    lossy.status(0).shows("statement-sections/klingon/: grader does not know the code of this language");
    for language in ["en", "id"] {
        assert!(workspace.path(format!("in/problems/sum/statement/problem.{language}.tex")).exists(), "{language}");
    }
    workspace.grader(&["import", "sum", "--out", "again"]).status(2).says("so nothing was written");
}

#[apply(cli_test)]
fn names_in_another_encoding_are_said() {
    let xml = Xml { tests: MANUAL, ..Xml::default() }.text().replace("main.sh", "решение.sh");
    let workspace = Workspace::bare();
    add(&workspace, "sum", &xml, FILES);
    let name = std::ffi::OsStr::from_bytes(b"\xf0\xe5\xf8\xe5\xed\xe8\xe5.sh");
    std::fs::rename(workspace.path("sum/solutions/main.sh"), workspace.path("sum/solutions").join(name)).unwrap();
    let run = workspace.run(&["sum"]);
    run.status(2).says("there is no solutions/решение.sh").says("write the archive again with names in UTF-8");
}

#[apply(cli_test)]
fn an_interactor_writes_what_the_checker_judges() {
    let xml = Xml { tests: MANUAL, ..Xml::default() }.text();
    let xml = xml.replace("</checker>", "</checker><interactor><source path=\"files/talk.sh\"/></interactor>");
    let workspace = Workspace::bare();
    // It gives the numbers, and writes what the solution says.
    let talk = "cat \"$1\"\nread answer\necho $answer > \"$2\"\n";
    add(&workspace, "sum", &xml, &[FILES, &[("files/talk.sh", talk)]].concat());
    workspace.run(&["sum"]).status(0).ends("main.sh", "AC", "met").ends("three.sh", "WA", "met");
}

#[apply(cli_test)]
fn what_is_not_supported_is_said() {
    let xml = Xml { judging: r#"run-count="3""#, tests: MANUAL, ..Xml::default() };
    let run = package(&xml, FILES).run(&["sum"]);
    run.status(2).says("3 runs on each test (`run-count`); grader runs one or two");
    let xml = Xml { judging: r#"run-count="2""#, tests: MANUAL, ..Xml::default() }.text();
    let runs = "</checker><interactor><source path=\"files/talk.sh\"/><runs><run>2</run></runs></interactor>";
    let workspace = Workspace::bare();
    add(&workspace, "sum", &xml.replace("</checker>", runs), &[FILES, &[("files/talk.sh", "")]].concat());
    workspace.run(&["sum"]).status(2).says("an interactor that talks in the runs 2; grader knows the first, and both");
}

/// A package whose validator accepts numbers that are not negative, and whose checker fails on the answer `broken`. `of_validator`
/// and `of_checker` are the verdicts of the tests 01, 02, … of both programs.
fn with_own_tests(of_validator: &[&str], of_checker: &[&str]) -> Workspace {
    let listed = |verdicts: &[&str], kind: &str| {
        let tests: Vec<String> = verdicts.iter().map(|verdict| format!("<test verdict=\"{verdict}\"/>\n")).collect();
        format!(
            "<testset><test-count>{}</test-count><input-path-pattern>files/tests/{kind}-tests/%02d</input-path-pattern>\n\
             <tests>\n{}</tests></testset>",
            verdicts.len(),
            tests.concat(),
        )
    };
    let validators = format!(
        "{}</checker><validators><validator><source path=\"files/validate.sh\"/>{}</validator></validators>",
        listed(of_checker, "checker"),
        listed(of_validator, "validator"),
    );
    let xml = Xml { tests: MANUAL, ..Xml::default() }.text().replace("</checker>", &validators);
    let workspace = Workspace::bare();
    let validate = "read a b\n[ \"$a\" -ge 0 ] && exit 0\necho 'FAIL negative' >&2\nexit 3\n";
    let check = format!("case $(cat \"$3\") in broken) exit 3;; esac\n{CHECK}");
    let own = [
        ("files/validate.sh", validate),
        ("files/check.sh", &check),
        ("files/tests/validator-tests/01", "1 2\n"),
        ("files/tests/validator-tests/02", "-1 2\r\n"),
        ("files/tests/checker-tests/01", "no input\n"),
        ("files/tests/checker-tests/01.o", "3\n"),
        ("files/tests/checker-tests/01.a", "3\r\n"),
        ("files/tests/checker-tests/02", "1 2\n"),
        ("files/tests/checker-tests/02.o", "4\n"),
        ("files/tests/checker-tests/02.a", "3\n"),
        ("files/tests/checker-tests/03", "1 2\n"),
        ("files/tests/checker-tests/03.o", "4\n"),
        ("files/tests/checker-tests/03.a", "broken\n"),
    ];
    add(&workspace, "sum", &xml, &[FILES, &own].concat());
    workspace
}

#[apply(cli_test)]
fn tests_of_the_checker_and_of_validators_hold() {
    let workspace = with_own_tests(&["valid", "INVALID"], &["ok", "wrong-answer", "crashed"]);
    let run = workspace.grader(&["verify", "sum", "--data-only"]);
    run.status(0).shows("5 of 5 tests of validators have the required result");
    let presentation = with_own_tests(&[], &["OK", "PRESENTATION_ERROR"]);
    presentation.grader(&["verify", "sum", "--data-only"]).status(0).shows("2 of 2 tests of validators");
    // Nothing of this concerns judging.
    workspace.run(&["sum"]).status(0).ends("main.sh", "AC", "met");
}

#[apply(cli_test)]
fn tests_of_the_checker_and_of_validators_that_do_not_hold_are_findings() {
    let workspace = with_own_tests(&["invalid", "valid"], &["wrong-answer", "ok", "ok"]);
    let run = workspace.grader(&["verify", "sum", "--data-only"]);
    run.status(3).shows("0 of 5 tests of validators have the required result");
    run.shows("invalid-input-accepted: sum/files/tests/validator-tests/01: files/validate.sh accepts it");
    run.shows("valid-input-rejected: sum/files/tests/validator-tests/02: should be valid, but is rejected by files/validate.sh");
    run.shows("invalid-output-accepted: sum/files/tests/checker-tests/01.o: accepted, but it should be rejected");
    run.shows(
        "valid-output-rejected: sum/files/tests/checker-tests/02.o: rejected, but it should be accepted: differs",
    );
    run.shows("validator-broken: sum/files/tests/checker-tests/03.o: ");
    let crash = with_own_tests(&[], &["crashed"]);
    let run = crash.grader(&["verify", "sum", "--data-only"]);
    run.status(1).shows("checker-failure-missed: sum/files/tests/checker-tests/01.o: the checker gives a verdict");
    let unknown = with_own_tests(&["perhaps"], &[]);
    unknown.grader(&["verify", "sum", "--data-only"]).shows("unknown verdict \"perhaps\"; known are valid, invalid");
    let missing = with_own_tests(&["valid", "invalid", "valid"], &[]);
    let run = missing.grader(&["verify", "sum", "--data-only"]);
    run.status(1).shows("validation-data-incomplete: sum/files/tests/validator-tests/03: ");
}

#[apply(cli_test)]
fn an_interactive_problem_has_tests_of_its_checker() {
    let tests = "<testset><tests><test verdict=\"ok\"/></tests></testset></checker>\
                 <interactor><source path=\"files/talk.sh\"/></interactor>";
    let xml = Xml { tests: MANUAL, ..Xml::default() }.text().replace("</checker>", tests);
    let own = [
        ("files/talk.sh", "cat \"$1\"\nread answer\necho $answer > \"$2\"\n"),
        ("files/tests/checker-tests/01", "1 2\n"),
        ("files/tests/checker-tests/01.o", "3\n"),
        ("files/tests/checker-tests/01.a", "3\n"),
    ];
    let workspace = Workspace::bare();
    add(&workspace, "sum", &xml, &[FILES, &own].concat());
    workspace.grader(&["verify", "sum", "--data-only"]).shows("1 of 1 tests of validators");
}

#[apply(cli_test)]
fn a_testset_is_chosen_by_name() {
    let pretests = "<testset name=\"pretests\"><time-limit>2000</time-limit>\
                    <input-path-pattern>pre/%02d</input-path-pattern><answer-path-pattern>pre/%02d.a</answer-path-pattern>\
                    <tests><test method=\"manual\"/></tests></testset></judging>";
    let xml = Xml { tests: MANUAL, ..Xml::default() }.text().replace("</judging>", pretests);
    let workspace = Workspace::bare();
    add(&workspace, "sum", &xml, &[FILES, &[("pre/01", "5 5\n"), ("pre/01.a", "10\n")]].concat());
    let default = workspace.run(&["sum"]);
    default.status(0).judged("main.sh", "secret/02", "AC", "");
    default.says("testset `pretests` is not judged: grader judges `tests`").says("to judge it: --testset pretests");
    let run = workspace.run(&["sum", "--testset", "pretests"]);
    run.status(0).judged("main.sh", "secret/01", "AC", "");
    assert!(!run.stderr.contains("is not judged"), "{}", run.all());
    let list = workspace.grader(&["list", "-v", "sum", "--testset", "pretests"]);
    list.status(0).shows("testset pretests; others: tests (--testset NAME)").shows("2 s");
    workspace.grader(&["verify", "sum", "--data-only", "--testset", "pretests"]).shows("1 case");
    workspace.grader(&["time-limit", "sum", "-s", "main.sh", "--testset", "pretests"]).shows("2 s");
    workspace.grader(&["plan", "sum", "--out", "plan.json", "--testset", "pretests"]).status(0);
    workspace.file("outputs/01", "10\n");
    let check = ["check", "sum", "outputs", "--pattern", "{test}", "--testset", "pretests"];
    workspace.grader(&check).status(0).shows("1 AC · 1 result");
    let wrong = workspace.run(&["sum", "--testset", "pretest"]);
    wrong.status(2).says("there is no testset \"pretest\"; the package has tests, pretests; did you mean `pretests`?");
    workspace.file("grader.toml", "testset = \"pretests\"\n");
    workspace.run(&["sum"]).status(0).judged("main.sh", "secret/01", "AC", "");
}

/// Encodes a number as its double, and decodes it. The word before says which of both.
const ENCODE: &str = "read word n\nif [ $word = encode ]; then echo $((2 * n)); else echo $((n / 2)); fi\n";
/// Never encodes.
const IDENTITY: &str = "read word n\necho $n\n";
const TWICE: &[(&str, &str)] = &[
    ("tests/01", "encode 7\n"),
    ("tests/01.a", "7\n"),
    ("tests/02", "encode 1\n"),
    ("tests/02.a", "1\n"),
    ("solutions/main.sh", ENCODE),
    ("solutions/three.sh", IDENTITY),
];

#[apply(cli_test)]
fn a_checker_makes_the_input_of_the_second_run() {
    let xml = Xml { judging: r#"run-count="2""#, tests: MANUAL, ..Xml::default() };
    // In the first run it asks for an even number, and prints the input of the second.
    let check = "read word n < \"$1\"\nread out < \"$2\"\nread answer < \"$3\"\n\
                 if [ $word = encode ]; then\n\
                 [ $((out % 2)) = 0 ] || { echo \"wrong answer $out is odd\" >&2; exit 1; }\n\
                 echo decode $out; exit 0; fi\n\
                 [ $out = $answer ] && exit 0\necho \"wrong answer decoded as $out\" >&2\nexit 1\n";
    let half = "read word n\nif [ $word = encode ]; then echo $((2 * n)); else echo $n; fi\n";
    let solutions = &[("main", "main.sh"), ("wrong-answer", "three.sh"), ("wrong-answer", "half.sh")];
    let files = [TWICE, &[("files/check.sh", check), ("solutions/half.sh", half)]].concat();
    let workspace = package(&Xml { solutions, ..xml }, &files);
    let run = workspace.run(&["sum", "-a"]);
    run.status(0).ends("main.sh", "AC", "met").ends("three.sh", "WA", "met").ends("half.sh", "WA", "met");
    run.judged("three.sh", "sample/01", "WA", "7 is odd").judged("half.sh", "sample/01", "WA", "pass 2: decoded as 14");
    // The same from the store.
    workspace.run(&["sum", "-a"]).status(0).judged("half.sh", "sample/01", "WA", "decoded as 14");
    // A file by name holds the input of the run.
    let by_name = "read word n < in.txt\nif [ $word = encode ]; then echo $((2 * n)); else echo $((n / 2)); fi\n";
    let judging = r#"run-count="2" input-file="in.txt""#;
    let xml = Xml { judging, tests: MANUAL, solutions: &[("main", "main.sh")], ..Xml::default() };
    let files = [&files[..], &[("solutions/main.sh", by_name)]].concat();
    package(&xml, &files).run(&["sum"]).status(0).ends("main.sh", "AC", "met");
}

#[apply(cli_test)]
fn an_interactor_makes_the_input_of_the_second_run() {
    let xml = Xml { judging: r#"run-count="2""#, tests: MANUAL, ..Xml::default() }.text();
    // It gives the input, and makes the input of the second run of what it hears.
    let talk = "cat \"$1\"\nread out\n[ $((out % 2)) = 0 ] || { echo \"wrong answer odd\" >&2; exit 1; }\n\
                echo decode $out > \"$2\"\n";
    let check = "read word n < \"$1\"\n[ $word = decode ] || exit 3\ncmp -s \"$2\" \"$3\" && exit 0\n\
                 echo 'wrong answer differs' >&2\nexit 1\n";
    let with = |runs: &str, talk: &str| {
        let interactor = format!("</checker><interactor><source path=\"files/talk.sh\"/>{runs}</interactor>");
        let workspace = Workspace::bare();
        let files = [TWICE, &[("files/check.sh", check), ("files/talk.sh", talk)]].concat();
        add(&workspace, "sum", &xml.replace("</checker>", &interactor), &files);
        workspace
    };
    let once = with("", talk).run(&["sum"]);
    once.status(0).ends("main.sh", "AC", "met").ends("three.sh", "WA", "met");
    once.judged("three.sh", "sample/01", "WA", "odd");
    // In both runs: what it writes in the second is judged.
    let both = "read word n < \"$1\"\ncat \"$1\"\nread out\n\
                case $word in encode) echo decode $out > \"$2\";; *) echo $out > \"$2\";; esac\n";
    let twice = with("<runs><run>1</run><run>2</run></runs>", both).run(&["sum"]);
    twice.status(1).ends("main.sh", "AC", "met");
    // The identity decodes what it has encoded, and nobody minds here.
    twice.ends("three.sh", "AC", "missed");
}

#[apply(cli_test)]
fn an_answer_for_two_runs_is_not_made() {
    let xml = Xml { judging: r#"run-count="2""#, tests: MANUAL, solutions: &[("main", "main.sh")], ..Xml::default() };
    let run = package(&xml, &[("tests/01", "1 2\n"), ("tests/02", "1 2\n")]).run(&["sum"]);
    run.status(2).says("the package has no answer, and Polygon does not say how to make one for two runs");
}

#[apply(cli_test)]
fn the_answer_of_a_conversation_is_what_the_interactor_writes() {
    let xml = Xml { tests: GENERATED, ..Xml::default() }.text();
    let xml = xml.replace("</checker>", "</checker><interactor><source path=\"files/talk.sh\"/></interactor>");
    let talk = "cat \"$1\"\nread answer\necho $answer > \"$2\"\n";
    let workspace = Workspace::bare();
    add(&workspace, "sum", &xml, &[("tests/01", "1 2\n"), ("files/talk.sh", talk)]);
    let run = workspace.run(&["sum"]);
    run.status(0).ends("main.sh", "AC", "met").ends("three.sh", "WA", "met");
    run.says("made 2 inputs and 3 answers by its own programs");
    // An interactor that rejects the main solution makes no answer.
    workspace.file("sum/files/talk.sh", "cat \"$1\"\nread answer\necho 'wrong answer never' >&2\nexit 1\n");
    let run = workspace.run(&["sum"]);
    run.status(2).says("the main solution fails with the interactor: WA, never");
}

#[apply(cli_test)]
fn a_grader_in_python_starts_in_place_of_the_solution() {
    let resources = "<files><resources><file path=\"files/grader.py\" type=\"python.3\">\
                     <stages><stage name=\"compile\"/></stages><assets><asset name=\"solution\"/></assets></file>\
                     <file path=\"files/more.py\" type=\"python.3\"><assets><asset name=\"solution\"/></assets></file>\
                     </resources>";
    let solutions = &[("main", "main.py"), ("wrong-answer", "product.py")];
    let xml = Xml { tests: MANUAL, solutions, ..Xml::default() }.text().replace("<files>", resources);
    let own = [
        ("files/grader.py", "import solution\nprint(solution.total(*map(int, input().split())))\n"),
        ("files/more.py", "def zero():\n    return 0\n"),
        ("solutions/main.py", "from more import zero\n\n\ndef total(a, b):\n    return a + b + zero()\n"),
        ("solutions/product.py", "def total(a, b):\n    return a * b\n"),
    ];
    let workspace = Workspace::bare();
    add(&workspace, "sum", &xml, &[FILES, &own].concat());
    workspace.run(&["sum"]).status(0).ends("main.py", "AC", "met").ends("product.py", "WA", "met");
    // A student's program has any name.
    workspace.file("mine.py", "def total(a, b):\n    return b + a\n");
    let judged = Call::recorded(&workspace.path(""), &["judge", "sum", "mine.py"]).run();
    judged.status(0).judged("mine.py", "secret/02", "AC", "");
    workspace.file("sum/files/grader.py", "print(1)\n");
    workspace.file("sum/problem.xml", xml.replace("grader.py", "start.py"));
    workspace.file("sum/files/start.py", "print(1)\n");
    workspace.run(&["sum"]).status(2).says("no grader in Python can be started");
}

#[apply(cli_test)]
fn findings_about_made_files_name_the_package_and_the_command() {
    let validators = "</checker><validators><validator><source path=\"files/validate.sh\"/></validator></validators>";
    let xml = Xml { tests: GENERATED, ..Xml::default() }.text().replace("</checker>", validators);
    let validate = "read a b\n[ $a -lt 5 ] && exit 0\necho 'FAIL too large' >&2\nexit 3\n";
    let workspace = Workspace::bare();
    add(&workspace, "sum", &xml, &[("tests/01", "1 2\n"), ("files/validate.sh", validate)]);
    let run = workspace.grader(&["verify", "sum", "--data-only"]);
    run.status(1).shows("input-rejected: sum/tests/03: ").shows("(made by `gen 10 20`)").hides(".grader");
    zipped(&workspace, "sum", "sum.zip");
    let run = workspace.grader(&["verify", "sum.zip", "--data-only"]);
    run.status(1).shows("input-rejected: sum.zip/tests/03: ").hides(".grader");
}

#[apply(cli_test)]
fn its_statements_are_listed_and_its_tests_stay_as_they_are() {
    let statements = "</names><statements><statement language=\"english\" type=\"application/pdf\" \
                      path=\"statements/.pdf/english/problem.pdf\"/><statement type=\"application/x-tex\" \
                      path=\"statements/english/problem.tex\"/></statements>";
    let xml = Xml { tests: MANUAL, ..Xml::default() }.text().replace("</names>", statements);
    let workspace = Workspace::bare();
    let files = [FILES, &[("statements/.pdf/english/problem.pdf", "%PDF"), ("statements/english/problem.tex", "")]];
    add(&workspace, "sum", &xml, &files.concat());
    workspace
        .grader(&["list", "-v", "sum"])
        .status(0)
        .shows("statements/.pdf/english/problem.pdf")
        .hides("problem.tex");
    let refused = Call::any(&workspace.path(""), &["add", "sum"]).input("5 6\n").run();
    refused.says("sum is a package of Polygon, and grader does not change its tests");
}

#[apply(cli_test)]
fn the_judge_is_codeforces_and_others_are_asked_too() {
    let solutions = &[("main", "main.sh"), ("time-limit-exceeded", "flood.sh")];
    let files = [FILES, &[("solutions/flood.sh", "exec yes\n")]].concat();
    let workspace = package(&Xml { tests: MANUAL, solutions, ..Xml::default() }, &files);
    let run = workspace.run(&["--as", "all", "sum"]);
    run.status(0).shows("icpc   kattis  domjudge  codeforces").shows("RTE    TLE     TLE       TL");
    workspace.run(&["--as", "icpc", "sum"]).status(1).ends("flood.sh", "OLE", "missed");
}

#[apply(cli_test)]
fn solutions_are_compiled_in_the_dialect_of_their_type() {
    let workspace = package(
        &Xml {
            tests: MANUAL,
            solutions: &[("main", "main.sh"), ("accepted", "old.cpp"), ("accepted", "new.cpp")],
            ..Xml::default()
        },
        FILES,
    );
    // `bool++` is no C++17, and only Codeforces reads standard input here.
    let old = "#include <cstdio>\nbool seen;\nint main() {\n#ifndef ONLINE_JUDGE\nfreopen(\"none.txt\", \"r\", stdin);\n#endif\n\
               int a, b;\nseen++;\nscanf(\"%d%d\", &a, &b);\nprintf(\"%d\\n\", a + b);\n}\n";
    workspace.file("sum/solutions/old.cpp", old);
    workspace.file("sum/solutions/new.cpp", old);
    let xml = std::fs::read_to_string(workspace.path("sum/problem.xml")).unwrap();
    let xml = xml.replace("old.cpp\"", "old.cpp\" type=\"cpp.g++14\"");
    workspace.file("sum/problem.xml", xml.replace("new.cpp\"", "new.cpp\" type=\"cpp.gcc13-64-winlibs-g++20\""));
    workspace.run(&["-v"]).status(1).shows("✓ old.cpp").shows("✗ new.cpp").shows("expected AC, got CE");
}

#[apply(cli_test)]
fn a_checker_by_its_file_and_a_generator_by_its_name_are_those_of_the_package() {
    let workspace = package(&Xml { tests: MANUAL, ..Xml::default() }, FILES);
    workspace.run(&["--checker", "sum/files/check.sh"]).status(0).shows("2 as expected");
    // It always prints 3, and 1 + seed is another sum.
    workspace.grader(&["stress", "sum", "three.sh", "--gen", "gen 1 {seed}", "--count", "30"]).status(1).shows("WA");
    let unknown = workspace.grader(&["stress", "sum", "three.sh", "--gen", "other {seed}"]);
    unknown.status(2).says("there is no generator `other`").says("problem.xml: gen");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn an_import_brings_statements_and_generators() {
    let xml = Xml { tests: GENERATED, ..Xml::default() }.text().replace("files/check.sh", "files/check.py");
    let checker =
        "import sys\none, two = (open(name).read().split() for name in sys.argv[2:4])\nsys.exit(one != two)\n";
    let workspace = Workspace::bare();
    let part = |language: &str, name: &str, text: &str| {
        workspace.file(format!("sum/statement-sections/{language}/{name}"), text);
    };
    part("english", "name.tex", "Sum");
    part("english", "legend.tex", "Add \\textbf{two} numbers.\n");
    part("english", "input.tex", "Two numbers.");
    part("english", "output.tex", "");
    part("english", "notes.tex", "\\includegraphics{pixel.png}\n");
    part("english", "tutorial.tex", "Add them.\n");
    part("english", "example.01", "1 2\n");
    part("russian", "legend.tex", "Сложите числа.\n");
    part("russian", "input.tex", "Два числа.\n");
    let pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
    workspace.file("sum/statement-sections/english/pixel.png", STANDARD.decode(pixel).unwrap());
    workspace.file("sum/statements/german/problem.tex", "\\begin{problem}{Summe}\\end{problem}\n");
    add(&workspace, "sum", &xml, &[("tests/01", "1 2\n"), ("files/check.py", checker)]);
    let run = workspace.grader(&["import", "sum", "--out", "in"]);
    run.status(0).shows("statements/german/problem.tex: grader reads the parts").shows("english/tutorial.tex: no part");
    run.shows("the commands of generators: the tests that they made are kept");
    let read = |name: &str| workspace.read(format!("in/problems/sum/{name}"));
    assert_eq!(
        read("statement/problem.en.tex"),
        "\\problemname{Sum}\n\nAdd \\textbf{two} numbers.\n\n\\section*{Input}\nTwo numbers.\n\n\\section*{Notes}\n\\includegraphics{pixel.png}\n\n"
    );
    assert_eq!(read("statement/problem.ru.tex"), "Сложите числа.\n\n\\section*{Входные данные}\nДва числа.\n\n");
    assert_eq!(read("generators/gen.sh"), GEN);
    let page = Call::any(&workspace.path("in"), &["statement", "sum"]).run();
    page.status(0);
    let page = workspace.read("in/sum.en.html");
    assert!(page.contains("Add <strong>two</strong> numbers.") && page.contains("data:image/png;base64,"), "{page}");
    Call::any(&workspace.path("in"), &["run", "sum"]).run().status(0);
}

#[apply(cli_test)]
fn tags_are_keywords() {
    let tags = "<tags><tag value=\"math\"/><tag value=\"easy\"/></tags></problem>";
    let xml = Xml { tests: MANUAL, ..Xml::default() }.text().replace("</problem>", tags);
    let workspace = Workspace::bare();
    add(&workspace, "sum", &xml, FILES);
    workspace.grader(&["import", "sum", "--lossy", "--out", "in"]).status(0);
    let yaml = workspace.read("in/problems/sum/problem.yaml");
    assert!(yaml.contains("keywords:\n- math\n- easy\n"), "{yaml}");
    let export =
        Call::any(&workspace.path("in"), &["export", "sum", "--force", "--lossy", "--for", "polygon", "-o", "out"]);
    export.run().status(0);
    let xml = workspace.read("in/out/sum/problem.xml");
    assert!(xml.contains("<tag value=\"math\"/>"), "{xml}");
}
