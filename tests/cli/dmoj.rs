//! Problems of DMOJ, as its judge understands them.

use std::fs::File;
use std::io::Write as _;

use macro_rules_attribute::apply;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::cli::run::Run;
use crate::cli::workspace::{SUM, Workspace};

/// A problem with this `init.yml`, and files beside it.
fn problem(init: &str, files: &[(&str, &str)]) -> Workspace {
    let workspace = Workspace::bare();
    workspace.file("sum/init.yml", init).file("sum.sh", SUM);
    for (name, text) in files {
        workspace.file(format!("sum/{name}"), *text);
    }
    workspace
}

/// Puts files into an archive of the problem.
fn pack(workspace: &Workspace, name: &str, files: &[(&str, &str)]) {
    let mut zip = ZipWriter::new(File::create(workspace.path(format!("sum/{name}"))).unwrap());
    for (name, text) in files {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap();
}

fn judge(workspace: &Workspace, program: &str) -> Run {
    workspace.grader(&["judge", "sum", program, "--color", "never"])
}

const FILES: &[(&str, &str)] =
    &[("1.in", "1 2\n"), ("1.out", "3\n"), ("2.in", "2 2\n"), ("2.out", "4\n"), ("3.in", "1 0\n"), ("3.out", "1\n")];

/// A wrong program, which adds to 3 only.
const THREE: &str = "echo 3\n";

#[apply(cli_test)]
fn cases_and_batches_have_points() {
    let init = "points: 5\n\
                test_cases:\n\
                - {in: 1.in, out: 1.out}\n\
                - {in: 2.in, out: 2.out, points: 10}\n\
                - batched:\n  - {in: 1.in, out: 1.out}\n  points: 20\n\
                - batched:\n  - {in: 1.in, out: 1.out}\n  - {in: 3.in, out: 3.out}\n  points: 30\n\
                - batched:\n  - {in: 1.in}\n  out: 1.out\n  points: 40\n  dependencies: [1, 2]\n";
    let workspace = problem(init, FILES);
    workspace.file("three.sh", THREE);
    judge(&workspace, "sum.sh").status(0).shows("105");
    // A batch gives all its points or none, and the last one depends on one that fails.
    judge(&workspace, "three.sh").status(1).shows("25 of 105");
    workspace.grader(&["list", "sum", "-v"]).status(0).shows("batch-3").says("DMOJ keeps the limits");
}

#[apply(cli_test)]
fn a_failure_without_points_ends_the_judging() {
    let init = "pretest_test_cases:\n- {in: 1.in, out: 1.out, points: 7}\n\
                test_cases:\n- {in: 1.in, out: 1.out, points: 10}\n- {in: 2.in, out: 2.out, points: 0}\n\
                - {in: 1.in, out: 1.out, points: 20}\n";
    let workspace = problem(init, FILES);
    workspace.file("three.sh", THREE).file("one.sh", "echo 1\n");
    judge(&workspace, "sum.sh").status(0).shows("30");
    judge(&workspace, "three.sh").status(1).shows("10 of 30");
    judge(&workspace, "one.sh").status(1).shows("0 of 30");
}

#[apply(cli_test)]
fn one_batch_is_a_problem_without_points() {
    let init = "test_cases:\n- batched:\n  - {in: sample.in, out: 1.out}\n  - {in: 2.in, out: 2.out}\n  points: 100\n";
    let workspace = problem(init, &[FILES, &[("sample.in", "1 2\n"), ("submissions/accepted/sum.sh", SUM)]].concat());
    workspace.file("sum/submissions/wrong_answer/three.sh", THREE).file("sum/statement.md", "# Sum\n\nAdd.\n");
    let run = workspace.run(&["sum"]);
    run.status(0).shows("PASS  2 as expected").hides("points");
    run.judged("accepted/sum.sh", "sample/sample", "AC", "");
    workspace.grader(&["statement", "sum"]).status(0);
    workspace.grader(&["import", "sum", "--out", "in"]).status(0).shows("✓ made 1 problem");
    assert!(workspace.read("in/problems/sum/problem.yaml").contains("case_sensitive line_sensitive"));
    assert_eq!(workspace.read("in/problems/sum/statement/problem.en.md"), "# Sum\n\nAdd.\n");
    // Its tests are not those of grader.
    workspace.grader(&["add", "sum", "sum/2.in"]).status(2).says("change them in init.yml");
}

#[apply(cli_test)]
fn tests_come_from_an_archive() {
    let data = [("aplusb.1.in", "1 2\r\n"), ("aplusb.1.out", "3"), ("aplusb.2.in", "2 2"), ("aplusb.2.out", "4")];
    // The files in the folder come first.
    let workspace = problem("archive: data.zip\npoints: 50\n", &[("aplusb.2.out", "5\n")]);
    pack(&workspace, "data.zip", &data);
    workspace.file("cat.sh", "od -c | head -1\n");
    judge(&workspace, "sum.sh").status(1).shows("50 of 100");
    let listed = "archive: data.zip\ntest_cases:\n- {in: aplusb.1.in, out: answer}\n";
    let workspace = problem(listed, &[("answer", "0000000   1       2  \\n\n")]);
    pack(&workspace, "data.zip", &data);
    workspace.file("cat.sh", "od -c | head -1\n");
    judge(&workspace, "cat.sh").status(0);
    workspace.file("sum/init.yml", format!("binary_data: yes\n{listed}"));
    judge(&workspace, "cat.sh").status(1);
    let by_pattern = "archive: data.zip\ntest_cases:\n  input_format: '(?P<batch>\\w+)\\.(?P<case>\\d+)\\.in'\n  \
                      output_format: '(?P<batch>\\w+)\\.(?P<case>\\d+)\\.out'\n  case_points: [9]\n";
    workspace.file("sum/init.yml", by_pattern);
    judge(&workspace, "sum.sh").status(0).hides("points");
    pack(&workspace, "data.zip", &[("../evil", ""), ("1.in", "")]);
    workspace.run(&["sum"]).status(2).says("init.yml: line 1").says("`../evil` leaves the folder");
}

/// The verdict of a program that prints `output`, where the answer has these lines.
fn printed(init: &str, answer: &str, output: &str) -> Run {
    let init = format!("{init}\ntest_cases: [{{in: 1.in, out: answer, points: 8}}]\n");
    let workspace = problem(&init, &[("1.in", "1\n"), ("answer", answer), ("output", output)]);
    workspace.file("print.sh", format!("printf '%b' '{}'\n", output.replace('\n', "\\n")));
    judge(&workspace, "print.sh")
}

#[apply(cli_test)]
fn its_own_checkers_compare() {
    for (checker, answer, output, accepted) in [
        ("", "1 2\n3\n", "\n 1  2\n\n3", true),
        ("", "1 2\n3\n", "1\n2\n3\n", false),
        ("checker: identical", "1\n", "1", false),
        ("checker: {name: floats, args: {precision: 2}}", "1.0 x\n", "1.001 x\n", true),
        ("checker: {name: floats, args: {precision: 2}}", "1.0\n2\n", "1.0 2\n", false),
        ("checker: {name: floats, args: {precision: 2, error_mode: relative}}", "100\n", "100.5\n", true),
        ("checker: floatsabs", "100\n", "100.00005\n", false),
        ("checker: sorted", "a b\nc\n", "c\na  b\n", true),
        ("checker: sorted", "a b\nc\n", "c\nb a\n", false),
        ("checker: {name: sorted, args: {split_on: whitespace}}", "a b\nc\n", "c b\na\n", true),
        ("checker: unordered", "a b\nc\n", "c b\na\n", true),
        ("checker: easy", "a b\nc\n", "CBA\n", true),
        ("checker: easy", "a b\nc\n", "CBAA\n", false),
        ("checker: rstripped", "a\nb\n", "a  \nb \n", true),
        ("checker: rstripped", "a\nb\n", " a\nb\n", false),
    ] {
        printed(checker, answer, output).status(i32::from(!accepted));
    }
    printed("checker: linecount", "a\nb\nc\nd\n", "a\nx\nc\nd\n").status(0).shows("6 of 8");
    let matches = "checker: {name: linematches, args: {point_distribution: [3, 1]}}";
    printed(matches, "a\nb\n", "x\nb\n").status(0).shows("2 of 8");
    printed(matches, "a\n", "a\n").status(3).shows("point_distribution");
}

#[apply(cli_test)]
fn checkers_in_python_run() {
    let half = "from dmoj.result import CheckerResult\n\ndef check(process_output, judge_output, point_value, judge_input, \
                **kwargs):\n    if process_output.split() == judge_input.split():\n        \
                return CheckerResult(True, point_value / 2, 'only copied')\n    return process_output == judge_output\n";
    let workspace = problem(
        "checker: half.py\ntest_cases: [{in: 1.in, out: 1.out, points: 8}]\n",
        &[FILES, &[("half.py", half)]].concat(),
    );
    workspace.file("cat.sh", "cat\n").file("three.sh", THREE).file("four.sh", "echo 4\n");
    judge(&workspace, "three.sh").status(0).shows("8");
    judge(&workspace, "cat.sh").status(0).shows("4 of 8");
    judge(&workspace, "four.sh").status(1).shows("0 of 8");
    // A broken checker is no wrong answer.
    workspace.file("sum/half.py", "def check(process_output, judge_output, **kwargs):\n    return kwargs['case']\n");
    judge(&workspace, "three.sh").status(3).shows("half.py: exit code 1").shows("KeyError");
    workspace.file("sum/half.py", "def check(output, answer, **kwargs):\n    return output.decode() == 'x'\n");
    workspace.file("bytes.sh", "printf '\\377'\n");
    judge(&workspace, "bytes.sh").status(1).shows("the output is not UTF-8");
}

#[apply(cli_test)]
fn programs_of_testlib_judge_and_talk() {
    let check = "read answer < \"$3\"\nread output < \"$2\"\nif [ \"$output\" = \"$answer\" ]; then exit 0; fi\n\
                 if [ \"$output\" = 1 ]; then echo 'points 2' >&2; exit 7; fi\nexit 1\n";
    let init = "checker: {name: bridged, args: {files: check.sh, type: testlib, feedback: true}}\n\
                test_cases: [{in: 1.in, out: 1.out, points: 8}]\n";
    let workspace = problem(init, &[FILES, &[("check.sh", check)]].concat());
    workspace.file("one.sh", "echo 1\n").file("three.sh", THREE).file("four.sh", "echo 4\n");
    judge(&workspace, "three.sh").status(0).shows("8");
    judge(&workspace, "one.sh").status(0).shows("2 of 8");
    judge(&workspace, "four.sh").status(1).shows("0 of 8");
    let talk = "read a b < \"$1\"\necho $a $b\nread sum\nif [ \"$sum\" = 3 ]; then exit 0; fi\nexit 1\n";
    let init = "interactive: {files: talk.sh, type: testlib}\ntest_cases:\n- batched: [{in: 1.in}]\n  points: 1\n";
    let workspace = problem(init, &[FILES, &[("talk.sh", talk)]].concat());
    workspace.file("four.sh", "read a b\necho 4\n");
    judge(&workspace, "sum.sh").status(0);
    judge(&workspace, "four.sh").status(1).shows("WA");
}

#[apply(cli_test)]
fn programs_of_other_types_have_their_own_codes() {
    let check = "read answer < \"$3\"\nread output < \"$2\"\ncase $output in\n$answer) echo well done; exit 0 ;;\n\
                 1) echo 'partial 1/4' >&2; exit 7 ;;\n4) echo no sum; exit 1 ;;\nesac\nexit 2\n";
    let of_type = |kind: &str| {
        let init = format!(
            "checker: {{name: bridged, args: {{files: check.sh{kind}}}}}\ntest_cases: [{{in: 1.in, out: 1.out, points: 8}}]\n"
        );
        let workspace = problem(&init, &[FILES, &[("check.sh", check)]].concat());
        workspace.file("one.sh", "echo 1\n").file("four.sh", "echo 4\n").file("five.sh", "echo 5\n");
        workspace
    };
    let workspace = of_type("");
    judge(&workspace, "sum.sh").status(0).shows("8");
    judge(&workspace, "four.sh").status(1).shows("no sum");
    // A code that means nothing is no wrong answer.
    judge(&workspace, "five.sh").status(3).shows("exit code 2 instead of 0 (accept) or 1 (reject)");
    judge(&workspace, "one.sh").status(3).shows("exit code 7");
    let workspace = of_type(", type: coci");
    judge(&workspace, "one.sh").status(0).shows("2 of 8");
    judge(&workspace, "five.sh").status(1).shows("0 of 8");
    let talk = "[ $# = 2 ] || exit 3\nread a b < \"$1\"\necho $a $b\nread sum\nread answer < \"$2\"\n[ \"$sum\" = \"$answer\" ] || exit 1\n";
    let init = "interactive: {files: talk.sh}\ntest_cases:\n- batched: [{in: 1.in, out: 1.out}]\n";
    let workspace = problem(init, &[FILES, &[("talk.sh", talk)]].concat());
    workspace.file("four.sh", "read a b\necho 4\n");
    judge(&workspace, "sum.sh").status(0);
    judge(&workspace, "four.sh").status(1).shows("WA");
}

#[apply(cli_test)]
fn generators_print_inputs_and_answers() {
    let generator = "echo $1 $2\necho $(($1 + $2)) >&2\n";
    let init = "generator: gen.sh\ntest_cases:\n- {generator_args: [1, 2], points: 5}\n- {generator_args: [2, 2], points: 5}\n\
                - {in: 3.in, out: 3.out, points: 5}\n- {generator_args: [7, '8'], out: 1.out, points: 1}\n";
    let workspace = problem(init, &[FILES, &[("gen.sh", generator)]].concat());
    workspace.file("three.sh", THREE);
    judge(&workspace, "sum.sh").status(1).shows("15 of 16").says("made 3 inputs and 2 answers");
    judge(&workspace, "three.sh").status(1).shows("6 of 16");
    workspace.file("sum/gen.sh", "echo $1\nexit 1\n");
    judge(&workspace, "sum.sh").status(2).says("line 3, column 1").says("the generator fails");
    workspace.file("sum/init.yml", "generator: {source: gen.sh, flags: [-DX]}\ntest_cases: [{}]\n");
    workspace.run(&["sum"]).status(2).says("line 1, column 29: `flags`");
}

#[apply(cli_test)]
fn what_grader_does_not_do_is_an_error_with_its_line() {
    let init = "signature_grader: {entry: a.c, header: a.h}\n\
                checker: {name: bridged, args: {files: check.cpp, type: peg, flags: [-DX]}}\n\
                hints: [nobigmath]\n\
                test_cases++: '[]'\n\
                test_cases:\n\
                - {in: ../1.in, out: 1.out, points: many}\n\
                - batched: [{in: 1.in, out: 1.out}]\n  dependencies: [1]\n";
    let run = problem(init, FILES).run(&["sum"]);
    run.status(2).says("init.yml: line 1, column 1: `signature_grader`: grader does not read it");
    run.says("`checker.args.type`: expected `default` or `coci` or `testlib`").says("`flags`");
    run.says("line 3, column 1: `hints` is not applied").says("grader runs no Python in init.yml");
    run.says("must be a path inside the problem").says("line 6, column 29: `test_cases.0.points`");
    run.says("must be numbers of batches before this one");
    let run = problem("checker: standrad\ntest_cases: [{in: 4.in, out: 1.out}]\n", FILES).run(&["sum"]);
    run.status(2).says("line 1, column 1: DMOJ has no checker `standrad`; did you mean `standard`?");
    run.says("init.yml: line 2").says("there is no 4.in").says("add the file, or correct its name");
    // An answer that nothing names is empty, and then every output is wrong.
    let run = problem("test_cases:\n- {in: 1.in, points: 5}\n- {in: 2.in}\n", FILES).run(&["sum"]);
    run.says(
        "init.yml: line 2, column 3: this test has no `out`, so its answer is empty; the same is true of 1 more test",
    );
    run.says("add `out` with the file of its answer, such as {in: 1.in, out: 1.out}");
    let run = problem("test_cases:\n- 1.in\n", FILES).run(&["sum"]);
    run.status(2).says("line 2, column 3: `test_cases.0`: expected a test such as {in: 1.in, out: 1.out}");
    let run = problem("generator: gen.sh\ntest_cases:\n- {in: 1.in}\n", &[FILES, &[("gen.sh", "echo 1\n")]].concat());
    let run = run.run(&["sum"]);
    run.status(2).says("line 3, column 3: a test with `in` and without `out` beside a generator");
    run.says("add `out` with the file of its answer, or remove `in`");
    problem("custom_judge: judge.py\ntest_cases: [{points: 1}]\n", &[]).run(&["sum"]).status(2).says("`custom_judge`");
    problem("test_cases: []\n", &[]).run(&["sum"]).status(2).says("no tests");
    problem("test_cases: {}\n", &[]).run(&["sum"]).status(2).says("a problem with an `archive`");
    // Another tool has files of this name, too.
    problem("- name: install\n  points: x\n", &[]).run(&["sum"]).status(2).says("no problem");
}

#[apply(cli_test)]
fn files_that_never_end_are_refused() {
    let workspace = problem("test_cases: [{in: a.in, out: 1.out}]\n", FILES);
    workspace.pipe("sum/a.in").run(&["sum"]).status(2).says("init.yml: line 1").says("there is no a.in");
    let workspace = problem("archive: x.zip\ntest_cases: [{in: 1.in, out: 1.out}]\n", FILES);
    workspace.pipe("sum/x.zip").run(&["sum"]).status(2).says("x.zip is neither a file nor a directory");
    let checked = "checker: c.py\ntest_cases: [{in: 1.in, out: 1.out}]\n";
    let workspace = problem(checked, FILES);
    workspace.pipe("sum/c.py").run(&["sum"]).status(2).says("line 1").says("c.py is neither a file nor a directory");
    let workspace = problem(checked, FILES);
    workspace.file("sum/c.py", vec![b'#'; (1 << 20) + 1]);
    workspace.run(&["sum"]).status(2).says("init.yml: line 1").says("is larger than 1 MiB");
}
