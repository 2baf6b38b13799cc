//! Folders without any configuration.

use crate::cli::workspace::{SUM, Workspace};

listed![
    a_solver_beside_its_cases,
    out_files_are_answers,
    cases_in_a_test_folder_as_oj_keeps_them,
    cases_in_testcases_of_the_name,
    an_input_without_an_answer_is_shown_and_not_judged,
    several_folders_below_one,
    a_workspace_without_grader_toml,
    cases_in_two_places_are_an_error,
];

fn a_solver_beside_its_cases() {
    let workspace = Workspace::bare();
    workspace
        .file("main.py", "print(sum(map(int, input().split())))\n")
        .file("1.in", "1 2\n")
        .file("1.ans", "3\n")
        .file("2.in", "2 2\n")
        .file("2.ans", "5\n");
    let run = workspace.run(&[]);
    run.status(1).judged("main.py", "1", "AC", "").judged("main.py", "2", "WA", "expected `5`, got `4`");
}

fn out_files_are_answers() {
    let workspace = Workspace::bare();
    workspace.file("main.sh", SUM).file("1.in", "1 2\n").file("1.out", "3\n");
    workspace.run(&[]).status(0).judged("main.sh", "1", "AC", "");
}

fn cases_in_a_test_folder_as_oj_keeps_them() {
    let workspace = Workspace::bare();
    workspace
        .file("abc/main.sh", SUM)
        .file("abc/test/sample-1.in", "1 2\n")
        .file("abc/test/sample-1.out", "3\n")
        .file("abc/test/sample-2.in", "2 2\n")
        .file("abc/test/sample-2.out", "4\n");
    for dir in ["abc", "abc/test"] {
        let run = workspace.call(&[]).dir(workspace.path(dir)).run();
        run.status(0).ends("main.sh", "AC", "met");
        assert_eq!(run.tests("test_finished", "main.sh"), ["sample-1", "sample-2"], "in {dir}");
    }
    workspace.run(&["abc"]).status(0).ends("main.sh", "AC", "met");
}

fn cases_in_testcases_of_the_name() {
    let workspace = Workspace::bare();
    workspace
        .file("grader.toml", "")
        .file("problems/sum/solution.sh", SUM)
        .file("testcases/sum/1.in", "1 2\n")
        .file("testcases/sum/1.ans", "3\n");
    workspace.run(&[]).status(0).ends("solution.sh", "AC", "met");
}

fn an_input_without_an_answer_is_shown_and_not_judged() {
    let workspace = Workspace::bare();
    workspace.file("main.sh", SUM).file("1.in", "1 2\n").file("1.ans", "3\n").file("try.in", "20 22\n");
    let run = workspace.run(&[]);
    run.status(0).ends("main.sh", "AC", "met");
    assert_eq!(run.test("main.sh", "try")["reason"], "no answer, not judged");
    run.shows("try").shows("42");
    workspace.run(&["-t", "try"]).status(2).ends("main.sh", "-", "not_judged").shows("42");
    // From the store it is shown as well.
    workspace.run(&["-t", "try"]).status(2).shows("42");
    // A crash needs no answer to be seen.
    workspace.file("main.sh", "exit 4\n");
    workspace.run(&["-t", "try"]).status(1).ends("main.sh", "RTE", "missed");
}

fn several_folders_below_one() {
    let workspace = Workspace::bare();
    for dir in ["a", "b", "deep/c"] {
        workspace
            .file(format!("{dir}/main.sh"), SUM)
            .file(format!("{dir}/1.in"), "1 2\n")
            .file(format!("{dir}/1.ans"), "3\n");
    }
    let run = workspace.run(&[]);
    run.status(0).shows("3 as expected");
}

fn a_workspace_without_grader_toml() {
    let workspace = Workspace::with_sum();
    std::fs::remove_file(workspace.path("grader.toml")).unwrap();
    workspace.run(&[]).status(0).ends("accepted/sum.sh", "AC", "met");
}

fn cases_in_two_places_are_an_error() {
    let workspace = Workspace::bare();
    workspace
        .file("main.sh", SUM)
        .file("1.in", "1 2\n")
        .file("1.ans", "3\n")
        .file("test/1.in", "1 2\n")
        .file("test/1.out", "3\n");
    workspace.run(&[]).status(2).says("keep the cases in one place");
}
