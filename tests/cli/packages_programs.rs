//! Files of packages that change what programs are and see: case files, included files, constants, scripts, entry points.

use std::fs::{Permissions, set_permissions};
use std::os::unix::fs::{PermissionsExt, symlink};

use macro_rules_attribute::apply;

use crate::cli::need::Need;
use crate::cli::packages::{CURRENT, LEGACY, SUMS, package};
use crate::cli::workspace::{SUM, Workspace};

/// A case without input, whose answer is this.
fn says(answer: &str) -> [(&str, &str); 3] {
    [("problem.yaml", CURRENT), ("data/secret/1.in", ""), ("data/secret/1.ans", answer)]
}

fn executable(workspace: &Workspace, file: &str) {
    set_permissions(workspace.path(file), Permissions::from_mode(0o755)).unwrap();
}

#[apply(cli_test)]
fn files_of_a_case_lie_in_the_working_directory() {
    let files = [
        ("data/secret/1.files/text", "one\n"),
        ("data/secret/1.files/deep/er", "two\n"),
        ("data/secret/2.in", ""),
        ("data/secret/2.ans", "none\n"),
        ("submissions/accepted/cat.sh", "cat text deep/er 2> /dev/null || echo none\n"),
        ("submissions/accepted/own/cat.sh", "cat own\ncat text deep/er 2> /dev/null || echo none\n"),
        ("submissions/accepted/own/own", ""),
    ];
    let run = package(&[&says("one two\n")[..], &files].concat()).run(&[]);
    run.status(0).ends("accepted/cat.sh", "AC", "met").ends("accepted/own", "AC", "met");
}

#[apply(cli_test)]
fn files_of_a_case_lie_over_included_ones() {
    let files = [
        ("include/default/text", "included\n"),
        ("data/secret/1.files/text", "of the case\n"),
        ("data/secret/2.in", ""),
        ("data/secret/2.ans", "included\n"),
        ("submissions/accepted/cat.sh", "cat text\n"),
    ];
    let run = package(&[&says("of the case\n")[..], &files].concat()).run(&[]);
    run.status(0).ends("accepted/cat.sh", "AC", "met");
}

#[apply(cli_test)]
fn changed_files_of_a_case_are_judged_anew() {
    let files = [("data/secret/1.files/text", "one\n"), ("submissions/accepted/cat.sh", "cat text\n")];
    let workspace = package(&[&says("one\n")[..], &files].concat());
    assert_eq!(workspace.run(&[]).status(0).measured_and_cached(), (1, 0));
    assert_eq!(workspace.run(&[]).status(0).measured_and_cached(), (0, 1));
    workspace.file("problems/p/data/secret/1.files/text", "two\n");
    workspace.run(&[]).status(1).ends("accepted/cat.sh", "WA", "missed");
}

#[apply(cli_test)]
fn files_of_a_case_reach_problems_of_our_own_and_input_validators() {
    let workspace = Workspace::new();
    workspace.problem("p").case("secret/1", "\n", "one\n").submission("accepted/cat.sh", "cat text\n");
    workspace.file("testcases/p/secret/1.files/text", "one\n");
    workspace.file("problems/p/input_validators/v.sh", "grep -q one text && exit 42\nexit 43\n");
    let run = workspace.run(&[]);
    run.status(0).ends("accepted/cat.sh", "AC", "met");
    assert!(!run.all().contains("rejected"), "{}", run.all());
    workspace.file("problems/p/input_validators/w.sh", "grep -q two text && exit 42\nexit 43\n");
    workspace.run(&[]).says("rejected by").says("w.sh");
}

#[apply(cli_test)]
fn files_of_a_case_that_lead_out_or_collide_are_refused() {
    let files = [("data/secret/1.files/text", "one\n"), ("submissions/accepted/cat.sh", "cat text\n")];
    let workspace = package(&[&says("one\n")[..], &files].concat());
    workspace.file("outside", "secret");
    symlink(workspace.path("outside"), workspace.path("problems/p/data/secret/1.files/link")).unwrap();
    workspace.run(&[]).status(2).says("1.files/link").says("leaves the problem");
    let validator = [("input_validators/v/v.sh", "exit 42\n"), ("input_validators/v/text", "x")];
    let run = package(&[&says("one\n")[..], &files, &validator].concat()).run(&[]);
    run.status(2).says("1.files/text").says("input_validators/v");
}

#[apply(cli_test)]
fn included_files_are_built_with_submissions() {
    let files = [
        ("include/shell/lib.sh", "answer() { cat \"$(dirname \"$0\")/value\"; }\n"),
        ("include/default/value", "three\n"),
        ("submissions/accepted/a.sh", ". \"$(dirname \"$0\")/lib.sh\"\nanswer\n"),
    ];
    for yaml in [CURRENT, LEGACY] {
        let version = [("problem.yaml", yaml), (".timelimit", "1")];
        let run = package(&[&says("three\n")[..], &files, &version].concat()).run(&[]);
        run.status(0).ends("accepted/a.sh", "AC", "met");
    }
}

#[apply(cli_test)]
fn an_included_driver_is_run() {
    let files = [
        ("include/bash/main.sh", "here=$(dirname \"$0\")\n. \"$here\"/helper.sh\n. \"$here\"/solve.sh\nsolve $(two)\n"),
        ("include/bash/helper.sh", "two() { echo 2; }\n"),
        ("submissions/accepted/solve.sh", "solve() { echo $(($1 + 1)); }\n"),
    ];
    package(&[&says("3\n")[..], &files].concat()).run(&[]).status(0).ends("accepted/solve.sh", "AC", "met");
    // Without a driver, the submission's own file is run, whatever it is called.
    let files = [("include/bash/helper.sh", "echo 4\n"), ("submissions/accepted/z.sh", "echo 3\n")];
    package(&[&says("3\n")[..], &files].concat()).run(&[]).status(0).ends("accepted/z.sh", "AC", "met");
}

#[apply(cli_test)]
fn included_files_of_other_languages_are_left_out() {
    let files = [
        ("include/cpp/main.sh", "echo wrong\n"),
        ("include/bsah/x.sh", ""),
        ("include/loose.sh", ""),
        ("submissions/accepted/a.sh", "ls \"$(dirname \"$0\")\"\n"),
    ];
    let run = package(&[&says("a.sh\n")[..], &files].concat()).run(&[]);
    run.status(0).ends("accepted/a.sh", "AC", "met").says("no language is called `bsah`").says("did you mean `bash`?");
    run.says("include/loose.sh: not in a directory of a language");
}

#[apply(cli_test)]
fn an_included_file_replaces_one_of_the_submission_and_says_so() {
    let files = [
        ("include/default/lib.sh", "echo 4\n"),
        ("include/bash/lib.sh", "echo 3\n"),
        ("submissions/accepted/a/main.sh", ". \"$(dirname \"$0\")/lib.sh\"\n"),
        ("submissions/accepted/a/lib.sh", "echo 5\n"),
    ];
    let run = package(&[&says("3\n")[..], &files].concat()).run(&[]);
    run.status(0).ends("accepted/a", "AC", "met").says("lib.sh: replaced by the file of this name in include/");
}

#[apply(cli_test)]
fn included_files_reach_programs_that_are_handed_in() {
    let files = [("include/bash/main.sh", ". \"$(dirname \"$0\")\"/solve.sh\nsolve\n")];
    let workspace =
        package(&[&says("3\n")[..], &files, &[("submissions/accepted/solve.sh", "solve() { echo 3; }\n")]].concat());
    workspace.file("solve.sh", "solve() { echo 4; }\n");
    workspace.run(&["p", "solve.sh"]).status(1).ends("solve.sh", "WA", "missed");
    // One content under two names: the driver knows one of them.
    for name in ["solve.sh", "other.sh"] {
        workspace.file(format!("in/{name}"), "solve() { echo 3; }\n");
    }
    let run = workspace.grader(&["judge", "p", "in/solve.sh", "in/other.sh"]);
    assert!(run.all().contains("AC") && run.all().contains("RTE"), "{}", run.all());
}

#[apply(cli_test)]
fn changed_included_files_are_judged_anew() {
    let files =
        [("include/bash/lib.sh", "echo 3\n"), ("submissions/accepted/a.sh", ". \"$(dirname \"$0\")/lib.sh\"\n")];
    let workspace = package(&[&says("3\n")[..], &files].concat());
    workspace.run(&[]).status(0);
    workspace.file("problems/p/include/bash/lib.sh", "echo 4\n");
    workspace.run(&[]).status(1).ends("accepted/a.sh", "WA", "missed");
}

const CONSTANTS: &str = "problem_format_version: 2025-09\nlimits: {time_limit: 1}\n\
    constants:\n  n: 3\n  e: {value: 1e-9, tex: '10^{-9}'}\n";

#[apply(cli_test)]
fn constants_are_replaced_where_the_format_says() {
    let files = [
        ("problem.yaml", CONSTANTS),
        ("data/secret/test_group.yaml", "args: ['{{n}}', '{{n.value}}', '{{m}}']\n"),
        ("include/bash/lib.sh", "echo {{n}}\n"),
        ("submissions/accepted/a.sh", ". \"$(dirname \"$0\")/lib.sh\"\necho $* {{e}} '{{e.tex}} {{e.other}}'\n"),
        ("input_validators/v.sh", "[ {{n}} = 3 ] && exit 42\nexit 43\n"),
        ("output_validator/v.sh", "[ {{n}} = 3 ] && cmp - $2 && exit 42\nexit 43\n"),
    ];
    let run = package(&[&says("3\n3 3 {{m}} 1e-9 10^{-9} {{e.other}}\n")[..], &files].concat()).run(&[]);
    run.status(0).ends("accepted/a.sh", "AC", "met");
    assert!(!run.all().contains("rejected"), "{}", run.all());
}

#[apply(cli_test)]
fn constants_leave_foreign_programs_and_data_alone() {
    let files = [
        ("problem.yaml", CONSTANTS),
        ("data/secret/1.in", "{{n}}\n"),
        ("data/secret/1.ans", "{{n}}\n"),
        ("submissions/accepted/cat.sh", "cat\n"),
    ];
    let workspace = package(&files);
    workspace.run(&[]).status(0).ends("accepted/cat.sh", "AC", "met");
    workspace.file("own.sh", "echo '{{n}}'\n");
    workspace.run(&["p", "own.sh"]).status(0).ends("own.sh", "AC", "met");
    workspace.file("problems/p/problem.yaml", CONSTANTS.replace("n: 3", "n: 4"));
    workspace.file("problems/p/submissions/accepted/cat.sh", "echo '{{n}}'\n");
    workspace.run(&[]).status(1).ends("accepted/cat.sh", "WA", "missed").shows("4");
}

#[apply(cli_test)]
fn constants_that_are_none_are_refused() {
    let yaml = "problem_format_version: 2025-09\nconstants: {1n: 5, k: {tex: a}, l: [1]}\n";
    let run = package(&[SUMS, &[("problem.yaml", yaml)]].concat()).run(&[]);
    run.status(2)
        .says("problem.yaml: line 2")
        .says("`1n` is not a valid name")
        .says("`k` needs a `value`")
        .says("`l` must be");
}

/// Accepts the answer alone.
const COMPARE: &str = "cmp - \"$2\" && exit 42\nexit 43\n";

#[apply(cli_test)]
fn a_validator_is_what_its_scripts_make() {
    let legacy = [
        ("problem.yaml", "validation: custom\n"),
        (".timelimit", "1"),
        ("output_validators/v/build", "#!/bin/sh\n{ echo '#!/bin/sh'; cat part; } > run\nchmod +x run\n"),
        ("output_validators/v/part", COMPARE),
    ];
    let workspace = package(&[SUMS, &legacy].concat());
    executable(&workspace, "problems/p/output_validators/v/build");
    let run = workspace.run(&[]);
    run.status(0).ends("accepted/sum.sh", "AC", "met").ends("wrong_answer/three.sh", "WA", "met");
    // Without a first line `#!`, and without anything to build.
    let current = [
        ("problem.yaml", CURRENT),
        ("output_validator/run", ". \"$(dirname \"$0\")/part\"\n"),
        ("output_validator/part", COMPARE),
    ];
    let workspace = package(&[SUMS, &current].concat());
    workspace.run(&[]).status(3).says("`run` is not executable");
    executable(&workspace, "problems/p/output_validator/run");
    workspace.run(&[]).status(0).ends("wrong_answer/three.sh", "WA", "met");
}

#[apply(cli_test)]
fn scripts_that_make_nothing_are_our_error() {
    for (build, says) in [("true\n", "no `run` after the build"), ("echo some words\nexit 1\n", "some words")] {
        let files = [("problem.yaml", CURRENT), ("output_validator/build", build)];
        let workspace = package(&[SUMS, &files].concat());
        executable(&workspace, "problems/p/output_validator/build");
        workspace.run(&[]).status(3).says(says).says("does not compile");
    }
    // A tool that is not there is no fault of the script.
    let files = [("problem.yaml", CURRENT), ("output_validator/build", "no-such-tool\n")];
    let workspace = package(&[SUMS, &files].concat());
    executable(&workspace, "problems/p/output_validator/build");
    workspace.run(&[]).status(2).says("cannot be run: ").says("no-such-tool");
}

#[apply(cli_test)]
fn a_submission_with_an_executable_build_is_built_by_it() {
    let script = "#!/bin/sh\necho 'read a b; echo $((a + b))' > run\nchmod +x run\n";
    let files = [
        ("problem.yaml", CURRENT),
        ("submissions/accepted/own/build", script),
        ("submissions/accepted/own/x.sh", "exit 1\n"),
    ];
    let workspace = package(&[SUMS, &files].concat());
    executable(&workspace, "problems/p/submissions/accepted/own/build");
    workspace.run(&[]).status(0).ends("accepted/own", "AC", "met");
    set_permissions(workspace.path("problems/p/submissions/accepted/own/build"), Permissions::from_mode(0o644))
        .unwrap();
    workspace.run(&[]).status(1).ends("accepted/own", "RTE", "missed");
}

#[apply(cli_test)]
fn a_compiler_that_is_killed_from_outside_is_no_compile_error() {
    let files = [("problem.yaml", CURRENT), ("submissions/accepted/own/build", "#!/bin/sh\nkill -9 $$\n")];
    let workspace = package(&[SUMS, &files].concat());
    executable(&workspace, "problems/p/submissions/accepted/own/build");
    workspace.run(&[]).status(3).ends("accepted/sum.sh", "AC", "met").shows("was killed in both builds");
}

#[apply(cli_test)]
fn the_entry_point_is_what_submissions_yaml_says() {
    let files = [
        ("problem.yaml", CURRENT),
        ("submissions/accepted/two/a.sh", "echo wrong\n"),
        ("submissions/accepted/two/b.sh", SUM),
        ("submissions/submissions.yaml", "accepted/two: {entrypoint: b.sh}\n"),
    ];
    let workspace = package(&[SUMS, &files].concat());
    workspace.run(&[]).status(0).ends("accepted/two", "AC", "met");
    workspace.file("problems/p/submissions/submissions.yaml", "accepted/two: {entrypoint: c.sh}\n");
    workspace.run(&[]).status(3).shows("entry point `c.sh`").shows("there are b.sh, a.sh");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn the_main_file_of_a_python_program() {
    let helper = ("a.py", "print('wrong')\n");
    for (main, other) in [("__main__.py", "main.py"), ("main.py", "z.py"), ("main.py", "b.py")] {
        let dir = |name: &str| format!("submissions/accepted/p/{name}");
        let sum = "print(sum(map(int, input().split())))\n";
        let paths = [dir(main), dir(other), dir(helper.0)];
        let files =
            [(&*paths[0], sum), (&*paths[1], "print('wrong')\n"), (&*paths[2], helper.1), ("problem.yaml", CURRENT)];
        package(&[SUMS, &files].concat()).run(&["-s", "p"]).status(0).ends("accepted/p", "AC", "met");
    }
}

#[apply(cli_test)]
#[needs(&[Need::Tool("javac")])]
fn a_public_class_may_have_another_name_than_its_file() {
    let source = "// @EXPECTED_RESULTS@: CORRECT\npublic class Other {\n  public static void main(String[] a) {\n    \
        System.out.println(new java.util.Scanner(System.in).useDelimiter(\"\\\\s+\").tokens().mapToInt(Integer::parseInt).sum());\n  }\n}\n";
    let files = [("problem.yaml", CURRENT), ("submissions/mixed/sum-correct.java", source)];
    package(&[&SUMS[..2], &files].concat()).run(&[]).status(0).ends("mixed/sum-correct.java", "AC", "met");
}

#[apply(cli_test)]
fn a_compiler_that_makes_nothing_is_a_compile_error() {
    let workspace =
        package(&[SUMS, &[("problem.yaml", CURRENT), ("submissions/accepted/unit.unit", "unit;")]].concat());
    workspace.file("grader.toml", "[language.unit]\nextensions = ['unit']\ncompile = ['true']\nrun = ['{binary}']\n");
    let run = workspace.run(&[]);
    run.status(1).ends("accepted/unit.unit", "CE", "missed").shows("created no program");
}
