//! The standard checkers of testlib by name: built in, without a compiler and without `testlib.h`.

use macro_rules_attribute::apply;

use crate::cli::workspace::Workspace;

/// The problem `echo`, whose answer is this, with a submission for each output.
fn printed(settings: &str, answer: &str, outputs: &[(&str, &str)]) -> Workspace {
    let workspace = Workspace::new();
    let mut problem = workspace.problem("echo").toml(settings).case("sample/1", "", answer);
    for (path, output) in outputs {
        problem = problem.submission(path, &format!("printf '{output}'\n"));
    }
    workspace
}

#[apply(cli_test)]
fn a_problem_names_its_checker() {
    let outputs =
        [("accepted/same.sh", "1 2\\r\\n"), ("wrong_answer/plus.sh", "1 +2"), ("wrong_answer/more.sh", "1 2 3")];
    let workspace = printed("checker = \"ncmp\"\n", "1 2\n", &outputs);
    let run = workspace.run(&[]);
    run.status(0).ends("accepted/same.sh", "AC", "met");
    let not_an_integer = "wrong output format: line 1, column 3: expected `2`, got `+2` (not an integer of 64 bits";
    run.judged("wrong_answer/plus.sh", "sample/1", "WA", not_an_integer);
    run.judged("wrong_answer/more.sh", "sample/1", "WA", "line 1, column 5: `3` after the end of the answer");
    // With another checker, the stored output is judged anew.
    workspace.run(&["--checker", "wcmp"]).status(0).judged(
        "wrong_answer/plus.sh",
        "sample/1",
        "WA",
        "line 1, column 3: expected `2`, got `+2`",
    );
    let listed = workspace.grader(&["list", "-v"]);
    listed.status(0).shows("checker ncmp of testlib, built in: Integers of 64 bits.");
}

#[apply(cli_test)]
fn a_number_that_is_lacking_is_named_without_a_place() {
    let workspace =
        printed("checker = \"uncmp\"\n", "3 1 2\n", &[("accepted/any.sh", "1 2 3"), ("wrong_answer/two.sh", "1 2 2")]);
    let run = workspace.run(&[]);
    run.status(0).judged("wrong_answer/two.sh", "sample/1", "WA", "2 is there 2 times, expected once");
}

#[apply(cli_test)]
fn an_answer_that_the_checker_cannot_read_is_a_judge_error() {
    let workspace = printed("checker = \"yesno\"\n", "maybe\n", &[("accepted/yes.sh", "YES")]);
    workspace.problem("echo").submission("run_time_error/no.sh", "echo NO\nexit 1\n");
    let run = workspace.run(&[]);
    run.status(3).ends("accepted/yes.sh", "-", "judge_error");
    run.shows("yesno: line 1, column 1 of the answer: expected `YES` or `NO`, found `maybe`");
    // The facts decide without the answer.
    run.ends("run_time_error/no.sh", "RTE", "met");
}

#[apply(cli_test)]
fn grader_toml_names_the_usual_checker() {
    let workspace = printed("", "0.5\n", &[("accepted/near.sh", "5.0000001e-1")]);
    workspace.run(&[]).status(1);
    workspace.file("grader.toml", "checker = \"rcmp6\"\n").run(&[]).status(0).ends("accepted/near.sh", "AC", "met");
    workspace.grader(&["config"]).status(0).shows("checker = \"rcmp6\"");
}

#[apply(cli_test)]
fn an_unknown_name_is_an_error_with_the_nearest_one() {
    let workspace = printed("", "1\n", &[("accepted/one.sh", "1")]);
    workspace.run(&["--checker", "wcpm"]).status(2).says("unknown checker word `wcpm`; did you mean `wcmp`?");
    workspace.run(&["--checker", "wcmp case_sensitive"]).status(2).says("`wcmp` has its own rules");
    workspace.problem("echo").toml("checker = \"rcmp_6\"\n");
    workspace.run(&[]).status(2).says("did you mean `rcmp6`?");
}

#[apply(cli_test)]
fn flags_of_the_package_format_are_no_names_of_checkers() {
    let workspace = printed("", "1\n", &[("accepted/one.sh", "1")]);
    workspace.file("testcases/echo/secret/test_group.toml", "output_validator_args = \"wcmp\"\n");
    workspace.problem("echo").case("secret/1", "", "1\n");
    workspace.run(&[]).status(2).says("`wcmp` is no flag of the default output validator");
}

#[apply(cli_test)]
fn a_checker_may_give_points() {
    let outputs = [("accepted/far.sh", "1"), ("wrong_answer/same.sh", "3"), ("wrong_answer/word.sh", "x")];
    let workspace = printed("checker = \"pointscmp\"\n", "3\n", &outputs);
    let run = workspace.run(&[]);
    run.status(3).shows("pointscmp: gives points, but the problem has none");
    let points = "type = \"scoring\"\n";
    workspace.problem("echo").toml(&format!("checker = \"pointscmp\"\n{points}")).case("secret/1", "", "101\n");
    let run = workspace.run(&[]);
    run.status(0).ends("accepted/far.sh", "AC", "met");
    run.judged("wrong_answer/same.sh", "sample/1", "WA", "points 0 ja=3.0000 pa=3.0000");
    run.judged("wrong_answer/word.sh", "sample/1", "WA", "wrong output format");
    assert_eq!(run.test("accepted/far.sh", "secret/1")["score"], 100.0);
    let run = workspace.run(&["--checker", "pointsinfo"]);
    run.status(3).shows("pointsinfo: gives no number of points (`points_info=pa=1.000000,ja=3.000000 d=2.000000`)");
}
