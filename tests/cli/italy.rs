//! Tasks of CMS and task-maker in the format `italy_yaml`.

use macro_rules_attribute::apply;

use serde_json::Value;

use crate::cli::need::Need;
use crate::cli::workspace::{SUM, Workspace};

/// A task with the program that adds as its official solution.
fn task(yaml: &str, files: &[(&str, &str)]) -> Workspace {
    let workspace = Workspace::bare();
    let head = "name: sum\ntitle: The Sum\ntime_limit: 1\nmemory_limit: 128\n";
    workspace.file("sum/task.yaml", format!("{head}{yaml}")).file("sum/sol/solution.sh", SUM);
    for (name, text) in files {
        workspace.file(format!("sum/{name}"), *text);
    }
    workspace
}

/// Standard streams.
const STREAMS: &str = "infile: ''\noutfile: ''\n";

const FILES: &[(&str, &str)] = &[
    ("input/input0.txt", "1 2\n"),
    ("output/output0.txt", "3\n"),
    ("input/input1.txt", "2 2\n"),
    ("output/output1.txt", "4\n"),
    ("input/input2.txt", "0 1\n"),
    ("output/output2.txt", "1\n"),
];

/// A wrong program, which is right for the first test.
const THREE: &str = "echo 3\n";

#[apply(cli_test)]
fn tests_without_subtasks_share_the_points() {
    let workspace = task(STREAMS, FILES);
    workspace.file("three.sh", THREE);
    workspace.run(&["sum"]).status(0).shows("PASS  1 as expected");
    workspace.grader(&["judge", "sum", "three.sh", "--color", "never"]).status(1).shows("33.3");
    workspace.grader(&["list", "sum", "-v"]).status(0).shows("The Sum").shows("1 s").shows("128");
    // `n_input` may leave out the last ones.
    let workspace = task(&format!("{STREAMS}n_input: 2\ntotal_value: 50\n"), FILES);
    workspace.file("three.sh", THREE);
    workspace.grader(&["judge", "sum", "three.sh", "--color", "never"]).status(1).shows("25");
}

#[apply(cli_test)]
fn subtasks_and_what_solutions_get_in_them() {
    let list = "#ST: 0\n#STNAME: samples\n#COPY: att/sample.txt\n#ST: 40\n#STNAME: small\n#COPY: a.txt\n#COPY: b.txt\n\
                # ST: 60\n#STNAME: large\n1 # generated\n2\n";
    let files = [
        ("gen/GEN", list),
        ("gen/generator.sh", "echo $1 0\n"),
        ("att/sample.txt", "1 2\n"),
        ("a.txt", "1 2\n"),
        ("b.txt", "3 0\n"),
        ("sol/three.sh", "echo 3\n# @check-accepted: samples small\n# @check-wrong-answer: l*\n"),
        ("sol/ends.sh", "exit 1\n# @check-runtime-error: *\n"),
        ("sol/wrong.sh", "# @check-accepted: *\necho 3\n"),
    ];
    let workspace = task(STREAMS, &files);
    let run = workspace.run(&["sum"]);
    run.status(1).ends("three.sh", "WA", "met").ends("ends.sh", "RTE", "met").ends("solution.sh", "AC", "met");
    run.ends("wrong.sh", "WA", "missed").shows("40");
    run.says("gen/GEN: line 8").says("CMS reads a mark here, and task-maker a comment");
    workspace.grader(&["list", "sum", "-v"]).status(0).shows("secret/2-small").shows("secret/3-large");
    // Nothing was written into the task.
    assert!(!workspace.path("sum/input").exists() && !workspace.path("sum/output").exists());
}

#[apply(cli_test)]
fn task_yaml_may_state_the_points_of_tests() {
    let score = |kind: &str, parameters: &str| {
        let yaml = format!("{STREAMS}n_input: 3\nscore_type: {kind}\nscore_type_parameters: {parameters}\n");
        let workspace = task(&yaml, FILES);
        workspace.file("three.sh", THREE);
        workspace
    };
    let judge = |workspace: &Workspace| workspace.grader(&["judge", "sum", "three.sh", "--color", "never"]);
    judge(&score("GroupMin", "[[30, 1], [70, 2]]")).status(1).shows("30 of 100");
    judge(&score("GroupMin", "[[30, '000'], [60, '00[01]'], [10, '.*']]")).status(1).shows("30 of 100");
    judge(&score("GroupMul", "[{max_score: 20, testcases: ['000']}, {max_score: 80, testcases: ['001', '002']}]"))
        .shows("20 of 100");
    judge(&score("Sum", "7.5")).shows("7.5 of 22.5");
    let run = score("GroupThreshold", "[[30, 1, 5]]").run(&["sum"]);
    run.status(2).says("`score_type`").says("`GroupMin`");
    score("GroupMin", "[[30, 1], [70, 3]]").run(&["sum"]).status(2).says("have 4 tests together, and the task has 3");
}

#[apply(cli_test)]
fn checkers_give_shares_of_the_points() {
    let checker = "[ \"$(cat $2)\" = \"$(cat $3)\" ] && echo 1.0 || echo 0.5\n";
    let list = "#ST: 100\n#STNAME: all\n#COPY: input/input0.txt\n#COPY: input/input1.txt\n";
    let files = [&FILES[..4], &[("gen/GEN", list), ("cor/correttore.sh", checker)]].concat();
    let workspace = task(STREAMS, &files);
    workspace.file("sum/sol/three.sh", "echo 3\n# @check-partial-score: all\n");
    let run = workspace.run(&["sum"]);
    run.status(0).ends("three.sh", "AC", "met").shows("50 of 100");
    let told = |found: &Value| {
        found["message"].as_str().is_some_and(|text| text.contains("in task-maker each test has a share"))
    };
    assert!(run.findings().any(told));
    // CMS runs what is built; grader builds it.
    let workspace = task(STREAMS, &[&FILES[..4], &[("check/checker", "\u{7f}ELF")]].concat());
    workspace.run(&["sum"]).status(2).says("check/checker").says("grader builds checkers from their source");
}

#[apply(cli_test)]
fn submissions_read_and_write_files_unless_the_task_says_otherwise() {
    let workspace = task("", FILES);
    workspace.file("sum/sol/solution.sh", "read a b < input.txt\necho $((a + b)) > output.txt\n");
    workspace.file("sum/sol/printed.sh", SUM);
    workspace.run(&["sum"]).status(0).ends("solution.sh", "AC", "met").ends("printed.sh", "WA", "met");
    let workspace = task("outfile: ''\ninfile: in\n", &FILES[..2]);
    workspace.file("sum/sol/solution.sh", "read a b < in\necho $((a + b))\n");
    workspace.run(&["sum"]).status(0).shows("PASS  1 as expected");
    workspace.grader(&["export", "sum", "--for", "italy-yaml", "-o", "out", "--force"]).status(0);
    workspace.run(&["out/sum"]).status(0).ends("solution.sh", "AC", "met");
    assert!(!workspace.path("out/sum/check").exists());
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn missing_files_are_made_and_inputs_validated() {
    let list = "#ST: 100\n1 2\n3 4\n";
    let valid = "import sys\nfrom limits import MOST\na, b = map(int, open(sys.argv[1]).read().split())\n\
                 assert sys.argv[2] == '1'\nassert a + b <= MOST\n";
    let files = [
        ("gen/GEN", list),
        ("gen/generatore.py", "import sys\nprint(*sys.argv[1:])\n"),
        ("gen/valida.py", valid),
        ("gen/limits.py", "MOST = 5\n"),
    ];
    let workspace = task("", &files);
    workspace.file("sum/sol/solution.sh", "read a b < input.txt\necho $((a + b)) > output.txt\n");
    let run = workspace.run(&["sum"]);
    run.status(2).shows("1 as expected").says("made 2 inputs and 2 answers by its own programs");
    run.says("input1.txt: rejected by gen").says("AssertionError").hides("input0.txt: rejected");
}

#[apply(cli_test)]
fn cases_of_task_maker_have_generators_by_name() {
    let list = ": GEN small gen/small.sh N\n: GEN large gen/large.sh\n: VAL all gen/val.sh $INPUT $ST_NUM $ST_NAME\n\
                : SUBTASK 30 few\n1\n: SUBTASK 70 many\n: RUN large 5 '6'\n: GEN large\n7 8\n";
    let files = [
        ("gen/cases.gen", list),
        ("gen/GEN", "#ST: 100\nlarge 1 2\n"),
        ("gen/small.sh", "echo $1 0\n"),
        ("gen/large.sh", "echo $1$2 0\n"),
        ("gen/val.sh", "read a b < $1\n[ $2 = 0 ] && [ $3 = few ] || [ $a -lt 70 ]\n"),
        (
            "sol/some.sh",
            "read a b\n[ $a -lt 70 ] && echo $a || echo none\n# @check-accepted: few\n# @check-wrong-answer: many\n",
        ),
    ];
    let workspace = task(STREAMS, &files);
    let run = workspace.run(&["sum"]);
    run.status(2).ends("some.sh", "WA", "met").shows("30 of 100");
    run.says("input2.txt: rejected by gen/val.sh").hides("input1.txt: rejected").hides("input0.txt: rejected");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("g++"), Need::Tool("python3")])]
fn graders_are_built_with_solutions() {
    let grader = "#include <cstdio>\n#include \"sum.h\"\nint main() {\n#ifdef EVAL\n  int a, b;\n  scanf(\"%d%d\", &a, &b);\n\
                  printf(\"%d\\n\", sum(a, b));\n#endif\n}\n";
    let in_python = "from sum import sum_of\nprint(sum_of(*map(int, input().split())))\n";
    let files = [
        ("sol/grader.cpp", grader),
        ("sol/sum.h", "int sum(int a, int b);\n"),
        ("sol/solution.cpp", "#include \"sum.h\"\nint sum(int a, int b) { return a + b; }\n"),
        ("sol/grader.py", in_python),
        ("sol/slow.py", "# @check-accepted: *\ndef sum_of(a, b):\n    return a + b\n"),
    ];
    let workspace = task(STREAMS, &[FILES, &files].concat());
    std::fs::remove_file(workspace.path("sum/sol/solution.sh")).unwrap();
    let run = workspace.run(&["sum"]);
    run.status(0).ends("solution.cpp", "AC", "met").ends("slow.py", "AC", "met").hides("grader.cpp");
}

#[apply(cli_test)]
fn outputs_are_submitted_with_the_names_of_cms() {
    let workspace = task("output_only: true\nn_input: 2\n", FILES);
    workspace.file("one/output_000.txt", "3\n").file("one/output_001.txt", "5\n");
    let judge = workspace.grader(&["judge", "sum", "one", "--color", "never"]);
    judge.status(1).shows("50").shows("output_001.txt");
}

#[apply(cli_test)]
fn what_grader_does_not_judge_is_an_error_with_its_line() {
    let run = task("n_input: 3\ninfile: ../a\n", &[("gen/GEN", "1\n")]).run(&["sum"]);
    run.status(2).says("task.yaml").says("`n_input` is 3, and gen/GEN lists 1 tests");
    run.says("`infile`: must be the name of a file without directories");
    run.says("gen/GEN: line 1").says("there is no generator");
    let run = task(STREAMS, &[FILES, &[("check/manager.cpp", "")]].concat()).run(&["sum"]);
    run.status(2).says("check/manager.cpp: a manager: grader does not judge Communication tasks");
    let run = task(STREAMS, &[("gen/GEN", "#ST: 50\n#COPY: missing.txt\n#ST: 50\n")]).run(&["sum"]);
    run.status(2).says("line 2").says("there is no missing.txt").says("subtask 2 has points and no tests");
    let workspace = task(STREAMS, &FILES[..1]);
    std::fs::rename(workspace.path("sum/sol/solution.sh"), workspace.path("sum/sol/other.sh")).unwrap();
    workspace.run(&["sum"]).status(2).says("output/output0.txt: there is no such file, and no official solution");
    let run = task(STREAMS, &[("gen/cases.gen", ": SUBTASK 100\n: GEN a gen/a.sh\n1\n: MAKE b\n")]).run(&["sum"]);
    run.status(2)
        .says("gen/cases.gen: line 2")
        .says("there is no gen/a.sh")
        .says("line 4")
        .says("unknown command `MAKE`");
    // Tests are those of its files.
    let workspace = task(STREAMS, FILES);
    workspace.file("new.in", "3 4\n");
    workspace.grader(&["add", "sum", "new.in"]).status(2).says("change them in gen/GEN or input/");
    // Other tools have files of this name too.
    let workspace = Workspace::bare();
    workspace.file("other/task.yaml", "apiVersion: tekton.dev/v1\nkind: Task\n").file("other/gen/x", "");
    workspace.run(&["other"]).status(2).hides("CMS");
}

#[apply(cli_test)]
fn a_named_pipe_is_no_test() {
    let workspace = task(STREAMS, &FILES[2..]);
    workspace.file("sum/output/output0.txt", "3\n").pipe("sum/input/input0.txt");
    workspace.run(&["sum"]).status(2).says("input/input0.txt is neither a file nor a directory");
}
