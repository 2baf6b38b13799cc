//! Folders without any configuration.

use macro_rules_attribute::apply;

use crate::cli::workspace::{SUM, Workspace};

#[apply(cli_test)]
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

#[apply(cli_test)]
fn out_files_are_answers() {
    let workspace = Workspace::bare();
    workspace.file("main.sh", SUM).file("1.in", "1 2\n").file("1.out", "3\n");
    workspace.run(&[]).status(0).judged("main.sh", "1", "AC", "");
}

#[apply(cli_test)]
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

#[apply(cli_test)]
fn cases_in_testcases_of_the_name() {
    let workspace = Workspace::bare();
    workspace
        .file("grader.toml", "")
        .file("problems/sum/solution.sh", SUM)
        .file("testcases/sum/1.in", "1 2\n")
        .file("testcases/sum/1.ans", "3\n");
    workspace.run(&[]).status(0).ends("solution.sh", "AC", "met");
}

#[apply(cli_test)]
fn an_input_without_an_answer_is_shown_and_not_judged() {
    let workspace = Workspace::bare();
    workspace.file("main.sh", SUM).file("1.in", "1 2\n").file("1.ans", "3\n").file("try.in", "20 22\n");
    let run = workspace.run(&[]);
    run.status(0).ends("main.sh", "AC", "met");
    assert_eq!(run.test("main.sh", "try")["reason"], "no answer, not judged");
    run.shows("try").shows("42");
    workspace.run(&["-t", "try"]).status(0).ends("main.sh", "-", "not_judged").shows("42");
    // From the store it is shown as well.
    workspace.run(&["-t", "try"]).status(0).shows("42");
    // A crash needs no answer to be seen.
    workspace.file("main.sh", "exit 4\n");
    workspace.run(&["-t", "try"]).status(1).ends("main.sh", "RTE", "missed");
}

#[apply(cli_test)]
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

#[apply(cli_test)]
fn a_workspace_without_grader_toml() {
    let workspace = Workspace::with_sum();
    std::fs::remove_file(workspace.path("grader.toml")).unwrap();
    workspace.run(&[]).status(0).ends("accepted/sum.sh", "AC", "met");
}

#[apply(cli_test)]
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

#[apply(cli_test)]
fn a_folder_of_cases_is_no_second_place() {
    let workspace = Workspace::bare();
    workspace.file("a.sh", SUM).file("testcases/a/1.in", "1 2\n").file("testcases/a/1.ans", "3\n");
    for cases in ["testcases/a", "testcases/a/", "./testcases/a"] {
        let run = workspace.run(&[cases, "a.sh"]);
        run.status(0).ends("a.sh", "AC", "met");
        assert_eq!(run.tests("test_finished", "a.sh"), ["1"], "{cases}");
    }
}

#[apply(cli_test)]
fn cases_have_the_names_that_people_use() {
    // Each folder, the files of its first case, and the name of that case.
    let folders = [
        ("numbered", ["input1.txt", "output1.txt"], "1"),
        ("halves", ["in/1.txt", "out/1.txt"], "1"),
        ("timus", ["tests/01", "tests/01.a"], "01"),
        ("icpc", ["a.dat", "a.ans"], "a"),
        ("hackerrank", ["input/input00.txt", "output/output00.txt"], "00"),
        ("samples", ["samples/1.in", "samples/1.out"], "sample/1"),
        ("expected", ["1.in", "1.expected"], "1"),
        ("package", ["data/sample/1.in", "data/sample/1.ans"], "sample/1"),
        ("secret", ["data/secret/g1/1.in", "data/secret/g1/1.ans"], "secret/g1/1"),
        ("bare", ["in1", "out1"], "1"),
        ("folders", ["tests/1/input.txt", "tests/1/output.txt"], "1"),
        ("single", ["input.txt", "output.txt"], "1"),
    ];
    let workspace = Workspace::bare();
    for (folder, [input, answer], _) in &folders {
        workspace.file(format!("{folder}/main.sh"), SUM);
        workspace.file(format!("{folder}/{input}"), "1 2\n").file(format!("{folder}/{answer}"), "3\n");
    }
    workspace.file("source/src/main.sh", SUM).file("source/1.in", "1 2\n").file("source/1.ans", "3\n");
    let run = workspace.run(&[]);
    run.status(0).shows(&format!("{} as expected", folders.len() + 1)).ends("src/main.sh", "AC", "met");
    for (folder, _, test) in folders {
        let is_it = |event: &&serde_json::Value| event["of"]["problem"] == folder;
        let tests: Vec<_> = run.of("test_finished").filter(is_it).map(|event| event["test"].clone()).collect();
        assert_eq!(tests, [test], "{folder}");
    }
    // The folders of the cases, and the cases themselves, are names of the problem too.
    for (dir, word) in
        [("halves/in", "."), ("numbered", "input1.txt"), ("halves", "out"), ("hackerrank", "input/input00.txt")]
    {
        workspace.call(&[word]).dir(workspace.path(dir)).run().status(0).ends("main.sh", "AC", "met");
    }
}

#[apply(cli_test)]
fn of_several_names_the_most_pairs_count() {
    let workspace = Workspace::bare();
    workspace.file("main.sh", SUM).file("input1.txt", "1 2\n").file("output1.txt", "3\n");
    for name in ["a", "b"] {
        workspace.file(format!("{name}.dat"), "2 2\n").file(format!("{name}.ans"), "4\n");
    }
    let run = workspace.run(&[]);
    run.status(0).says("cases called `*.dat` with `*.ans`, and ignores 1 case called `input*.txt` with `output*.txt`");
    assert_eq!(run.tests("test_finished", "main.sh"), ["a", "b"]);
    // The names of packages come before all others.
    let workspace = Workspace::bare();
    workspace.file("main.sh", SUM).file("1.in", "5 5\n").file("1.out", "10\n");
    for name in ["1", "2"] {
        workspace.file(format!("input{name}.txt"), "1 2\n").file(format!("output{name}.txt"), "3\n");
    }
    let run = workspace.run(&[]);
    run.status(0).says("cases called `*.in`, and ignores 2 cases called `input*.txt`");
    assert_eq!(run.tests("test_finished", "main.sh"), ["1"]);
}

#[apply(cli_test)]
fn halves_of_cases_are_reported() {
    let workspace = Workspace::bare();
    workspace.file("main.sh", SUM).file("input1.txt", "1 2\n").file("output1.txt", "3\n");
    workspace.file("input2.txt", "20 22\n").file("output3.txt", "3\n").file("input4.txt/x", "");
    let run = workspace.run(&[]);
    run.status(0).ends("main.sh", "AC", "met").shows("42");
    run.says("input2.txt: input without an answer output2.txt; its output is shown, not judged");
    run.says("output3.txt: answer without an input input3.txt; ignored");
    run.says("input4.txt: a directory, but inputs and answers must be files");
    assert_eq!(run.test("main.sh", "2")["reason"], "no answer, not judged");
    // A link out of the folder brings nothing in.
    std::os::unix::fs::symlink("/etc/passwd", workspace.path("input3.txt")).unwrap();
    workspace.run(&[]).status(2).says("input3.txt: the symbolic link leaves the problem");
}

#[apply(cli_test)]
fn a_folder_that_fits_nothing_says_what_it_has() {
    let workspace = Workspace::bare();
    workspace.file("main.sh", SUM).file("notes.txt", "").file("old/x", "");
    let run = workspace.run(&[]);
    run.status(2)
        .says("it has a solver, but no test cases; it contains main.sh, notes.txt, old/")
        .says("input1.txt with output1.txt");
    std::fs::remove_file(workspace.path("main.sh")).unwrap();
    workspace.run(&[]).status(2).says("contains no problem; it contains notes.txt, old/");
    // Answers of other inputs make no case.
    workspace.file("main.sh", SUM).file("in/1.txt", "").file("out/2.txt", "");
    workspace.run(&[]).status(2).says("no test cases");
    workspace.file("day.txt", "").run(&[]).status(2).says("if day.txt is the input, call it input.txt");
}

#[apply(cli_test)]
fn a_script_beside_samples_does_not_hide_problems() {
    let workspace = Workspace::bare();
    workspace.file("all.sh", "exit 1\n").file("samples/1.in", "").file("samples/1.ans", "");
    for dir in ["a", "b"] {
        workspace
            .file(format!("{dir}/main.sh"), SUM)
            .file(format!("{dir}/in1"), "1 2\n")
            .file(format!("{dir}/out1"), "3\n");
    }
    // A generator beside cases is not a problem either.
    workspace.file("b/tests/make.sh", "exit 1\n").file("b/tests/01", "1 2\n").file("b/tests/01.a", "3\n");
    std::fs::remove_file(workspace.path("b/in1")).unwrap();
    workspace.run(&[]).status(0).shows("2 as expected");
}

#[apply(cli_test)]
fn programs_from_elsewhere_need_only_cases() {
    let workspace = Workspace::bare();
    workspace.file("x.sh", SUM).file("sum/in1", "1 2\n").file("sum/out1", "3\n");
    workspace.file("sum/add", "read a b; echo $((a + b))\n").file("two/in1", "1 2\n").file("two/out1", "3\n");
    let inside = |args: &[&str]| workspace.call(args).dir(workspace.path("sum")).run();
    inside(&["-c", "sh ./add"]).status(0).ends("command", "AC", "met");
    inside(&["../x.sh"]).status(0).ends("../x.sh", "AC", "met");
    inside(&["-s", "../x.sh"]).status(0).ends("../x.sh", "AC", "met");
    inside(&[]).status(2).says("it has test cases, but no solver").says("grader run -c COMMAND");
    workspace.run(&["sum", "x.sh"]).status(0).ends("x.sh", "AC", "met");
    workspace.run(&["x.sh"]).status(2).says("2 problems are selected");
    // The pattern of a layout finds problems that have only cases.
    workspace.file("class/ann/sum.sh", SUM).file("class/ann/two.sh", SUM).file("class/bob/sum.sh", "echo 4\n");
    let judged = workspace.grader(&["judge", "class", "--layout", "{student}/{problem}.*"]);
    judged.status(1).shows("2 students, 2 problems: 2 of 3 submissions accepted");
}

#[apply(cli_test)]
fn a_configuration_in_a_plain_folder() {
    let workspace = Workspace::bare();
    workspace.file("grader.toml", "[limits]\ntime_limit = 1\n").file("main.sh", SUM);
    workspace.file("tests/in1", "1 2\n").file("tests/out1", "3\n");
    workspace.run(&[]).status(0).ends("main.sh", "AC", "met").shows("1 s");
    workspace.call(&[]).dir(workspace.path("tests")).run().status(0).ends("main.sh", "AC", "met");
    std::fs::remove_file(workspace.path("main.sh")).unwrap();
    workspace.run(&["-c", "read a b; echo $((a + b))"]).status(0).ends("command", "AC", "met");
    // A description changes what it states and nothing else.
    let described = Workspace::bare();
    described.file("problem.toml", "name = \"Sum\"\nlimits.time_limit = 1\n").file("in1", "1 2\n").file("out1", "3\n");
    described.run(&[]).status(2).says("has test cases, but no solver");
    described.run(&["-c", "read a b; echo $((a + b))"]).status(0).ends("command", "AC", "met");
    described.file("main.sh", SUM).file("other.sh", SUM);
    let run = described.run(&[]);
    run.status(0).shows("2 as expected").shows("1 s").hides("reference").hides("margins");
}

#[apply(cli_test)]
fn solvers_are_no_reference() {
    let workspace = Workspace::bare();
    workspace.file("main.sh", "echo 4\n").file("1.in", "1 2\n").file("1.ans", "3\n");
    workspace.run(&[]).status(1).hides("reference").hides("margin");
    workspace.grader(&["list", "-v"]).status(0).hides("reference").hides("margin");
    workspace.file("1.ans", "4\n").run(&[]).status(0).hides("reference").hides("margin");
    workspace.grader(&["verify"]).hides("reference").hides("margin");
    workspace.file("main.sh", "exit 1\n");
    workspace.grader(&["accept", "."]).says("the solver main.sh fails on it").hides("reference");
}

#[apply(cli_test)]
fn problems_of_other_tools_are_named() {
    let workspace = Workspace::bare();
    workspace.file("polygon/problem.xml", "<problem/>").file("polygon/tests/01", "1").file("polygon/tests/01.a", "1");
    workspace.file("tps/problem.json", "{}").file("tps/gen/data", "");
    let families = [
        ("polygon", "problem.xml: line 1, column 1: written by another tool than Polygon, or damaged"),
        ("tps", "problem.json: a tps task, not supported yet"),
    ];
    let all = workspace.run(&[]);
    all.status(2);
    for (dir, message) in families {
        all.says(message);
        workspace.run(&[dir]).status(2).says(message).hides("no problem");
    }
    workspace.run(&["tps", "-c", "cat"]).status(2).says("a tps task");
    // Beside problems that grader knows, they are warnings.
    workspace.file("own/main.sh", SUM).file("own/1.in", "1 2\n").file("own/1.ans", "3\n");
    workspace.run(&[]).status(0).says("warning").says("another tool than Polygon").shows("1 as expected");
}

#[apply(cli_test)]
fn cases_with_other_names_keep_their_names() {
    let workspace = Workspace::bare();
    workspace.file("main.sh", SUM).file("input1.txt", "1 2\n").file("output1.txt", "3\n").file("new", "3 4\n");
    workspace.grader(&["add", ".", "--answer", "7", "new"]).status(0);
    assert_eq!((&*workspace.read("input2.txt"), &*workspace.read("output2.txt")), ("3 4\n", "7\n"));
    let refused = workspace.grader(&["remove", ".", "1"]);
    refused.status(2).says("called `input*.txt` with `output*.txt`").says("rename the inputs to *.in");
}

/// A folder whose program prints `YES` for the answer `Yes`.
fn loud() -> Workspace {
    let workspace = Workspace::bare();
    workspace.file("main.sh", "echo YES\n").file("1.in", "1\n").file("1.ans", "Yes\n");
    workspace
}

#[apply(cli_test)]
fn letters_are_compared_with_case() {
    let workspace = loud();
    let run = workspace.run(&[]);
    run.status(1).judged("main.sh", "1", "WA", "only upper and lower case").shows("would be AC if case were ignored");
    // White space still means nothing.
    workspace.file("1.ans", "\n YES\n\n").run(&[]).status(0).ends("main.sh", "AC", "met");
    workspace.file("1.ans", "Yes\n");
    for lax in ["tokens", "float=1e-6"] {
        workspace.run(&["--checker", lax]).status(0).ends("main.sh", "AC", "met");
    }
    workspace.file("grader.toml", "checker = 'tokens'\n").run(&[]).status(0).ends("main.sh", "AC", "met");
    workspace.file("grader.toml", "").file("test_group.yaml", "").run(&[]).status(1).ends("main.sh", "WA", "missed");
    // A folder that describes itself is a native problem.
    workspace.file("problem.toml", "").run(&[]).status(0).ends("main.sh", "AC", "met");
}

#[apply(cli_test)]
fn no_stored_verdict_survives_another_checker() {
    let workspace = loud();
    workspace.run(&["--checker", "tokens"]).status(0).ends("main.sh", "AC", "met");
    workspace.run(&[]).status(1).ends("main.sh", "WA", "missed");
    workspace.run(&["--checker", "tokens"]).status(0).ends("main.sh", "AC", "met");
}
