//! What a selection means, wherever one stands.

use macro_rules_attribute::apply;

use crate::cli::run::Call;
use crate::cli::workspace::{SUM, Workspace};

/// `problem/submission/test` of everything that was run.
fn ran(run: &crate::cli::run::Run) -> Vec<String> {
    let name = |event: &serde_json::Value| {
        let of = &event["of"];
        format!("{}/{}", of["problem"].as_str().unwrap(), event["test"].as_str().unwrap())
    };
    run.of("test_finished").map(name).collect()
}

fn three() -> Workspace {
    let workspace = Workspace::new();
    for slug in ["dice", "dirac-a", "dirac-b"] {
        workspace
            .problem(slug)
            .case("sample/1", "1 2\n", "3\n")
            .case("secret/01", "2 2\n", "4\n")
            .case("secret/10", "10 5\n", "15\n")
            .submission("accepted/sum.sh", SUM);
    }
    workspace
}

#[apply(cli_test)]
fn a_folder_with_the_name_of_a_problem_is_no_error() {
    let workspace = three();
    workspace.file("dice/notes.txt", "");
    workspace.run(&["dice"]).status(0).silent();
    workspace.file("testcases/dice/secret/g7/1.in", "1 2\n").file("testcases/dice/secret/g7/1.ans", "3\n");
    workspace.run(&["dice", "-t", "g7"]).status(2).says("no test matches `g7`; did you mean `secret/g7`?");
    workspace.run(&["dice", "-t", "secert"]).status(2).says("no test matches `secert`; did you mean `secret`?");
    workspace.run(&["dice", "nope.py"]).status(2).says("`nope.py`").says("there is no such file or folder");
    workspace.grader(&["run", "-j", "two"]).status(2).says("write a number that is at least 1, or `auto`");
    workspace.grader(&["verify", "-j", "many"]).status(2).says("write a number that is at least 1, or `auto`");
    workspace.grader(&["run", "dice", "-j", "auto"]).status(0);
}

#[apply(cli_test)]
fn names_prefixes_globs_and_paths() {
    let workspace = three();
    let check = |args: &[&str], expect: &[&str]| {
        let run = workspace.run(args);
        run.status(0);
        assert_eq!(ran(&run), expect, "{args:?}");
    };
    let all_of_dice = ["dice/sample/1", "dice/secret/01", "dice/secret/10"];
    check(&["dice"], &all_of_dice);
    check(&["dice/"], &all_of_dice);
    check(&["problems/dice"], &all_of_dice);
    check(&["./problems/dice/"], &all_of_dice);
    check(&["testcases/dice"], &all_of_dice);
    check(&["dice/sample/1"], &["dice/sample/1"]);
    check(&["dice/secret"], &["dice/secret/01", "dice/secret/10"]);
    check(&["dice/secret/1"], &["dice/secret/10"]);
    check(&["dice/secret/*0"], &["dice/secret/10"]);
    check(&["testcases/dice/secret/01.in"], &["dice/secret/01"]);
    check(&["testcases/dice/secret/01.ans"], &["dice/secret/01"]);
    check(&["testcases/dice/sample"], &["dice/sample/1"]);
    check(&["dirac-*", "-t", "sample"], &["dirac-a/sample/1", "dirac-b/sample/1"]);
    check(&["dirac", "-t", "sample"], &["dirac-a/sample/1", "dirac-b/sample/1"]);
    check(&["dirac-a/sample", "dice/sample"], &["dirac-a/sample/1", "dice/sample/1"]);
    let dice = workspace.path("problems/dice");
    check(&[dice.to_str().unwrap()], &all_of_dice);
}

#[apply(cli_test)]
fn a_misspelt_name_is_answered_with_the_near_one() {
    let workspace = three();
    let check = |args: &[&str], text: &str| {
        workspace.run(args).status(2).says(text);
    };
    check(&["dcie"], "no problem or test matches `dcie`; did you mean `dice`?");
    check(&["dice/secrte/01"], "did you mean `dice/secret/01`?");
    check(&["dice", "-s", "smu.sh"], "no submission matches `smu.sh`; did you mean `sum.sh`?");
    check(&["dice", "-t", "secret/1O"], "no test matches `secret/1O`; did you mean `secret/10`?");
    check(&["something-else-entirely"], "no problem or test matches `something-else-entirely`");
}

#[apply(cli_test)]
fn every_wrong_pattern_is_told() {
    let run = three().run(&["dcie", "dirac-q", "dirac-a"]);
    run.status(2).says("`dcie`").says("`dirac-q`");
}

#[apply(cli_test)]
fn a_program_of_no_problem_by_path() {
    let workspace = three();
    workspace.file("mine/try.sh", SUM).file("mine/wrong.sh", "echo 3\n");
    let run = workspace.run(&["dice", "mine/try.sh"]);
    run.status(0).ends("mine/try.sh", "AC", "met");
    assert_eq!(run.of("submission_finished").count(), 1);
    workspace.run(&["dice", "-s", "mine/wrong.sh"]).status(1).shows("expected AC, got WA").shows("-s mine/wrong.sh");
    workspace.run(&["dice", "mine/missing.sh"]).status(2).says("mine/missing.sh");
    workspace.run(&["dice", "-s", "mine/missing.sh"]).status(2).says("mine/missing.sh");
}

#[apply(cli_test)]
fn a_program_by_path_needs_one_problem() {
    let workspace = three();
    workspace.file("mine/try.sh", SUM);
    workspace
        .run(&["mine/try.sh"])
        .status(2)
        .says("3 problems are selected: ")
        .says("\n  → name the problem of the program");
}

#[apply(cli_test)]
fn a_submission_by_path_means_its_problem() {
    let workspace = three();
    workspace.problem("dice").submission("wrong_answer/three.sh", "echo 3\n");
    let path = "problems/dice/submissions/wrong_answer/three.sh";
    for words in [&[path][..], &["dice", path], &["dice", "-s", path], &["-s", path]] {
        let run = workspace.run(words);
        run.status(0).ends("wrong_answer/three.sh", "WA", "met");
        assert_eq!(run.of("submission_finished").count(), 1, "{words:?} {}", run.all());
    }
}

#[apply(cli_test)]
fn standing_in_a_folder_means_what_is_there() {
    let workspace = three();
    let check = |dir: &str, problems: &[&str]| {
        let run = workspace.call(&["-t", "sample"]).dir(workspace.path(dir)).run();
        run.status(0);
        let expect: Vec<String> = problems.iter().map(|problem| format!("{problem}/sample/1")).collect();
        assert_eq!(ran(&run), expect, "in {dir}");
    };
    check(".", &["dice", "dirac-a", "dirac-b"]);
    check("problems", &["dice", "dirac-a", "dirac-b"]);
    check("problems/dice", &["dice"]);
    check("problems/dice/submissions/accepted", &["dice"]);
    check("testcases/dirac-b", &["dirac-b"]);
    check("testcases/dirac-b/secret", &["dirac-b"]);
    // The store is the workspace's, wherever one stands.
    assert!(workspace.path(".grader").is_dir() && !workspace.path("problems/dice/.grader").exists());
}

#[apply(cli_test)]
fn a_path_upwards_means_the_problem_that_is_there() {
    let workspace = Workspace::with_sum();
    let inside = workspace.path("problems/sum/submissions");
    for word in ["..", "../../sum", "../submissions/.."] {
        Call::any(&inside, &["run", word]).run().status(0).shows("sum  ").silent();
    }
    // Without its name, the cases of all problems would have been its own.
    Call::any(&inside, &["add", ".."]).input("20 30\n").run().status(0).shows("added secret/04");
    assert!(workspace.path("testcases/sum/secret/04.in").is_file());
    assert!(!workspace.path("testcases/secret").exists());
}

#[apply(cli_test)]
fn nothing_to_grade_is_an_error() {
    let bare = Workspace::bare();
    bare.run(&[]).status(2).says("contains no problem").says("→");
    let empty = Workspace::new();
    empty.run(&[]).status(2).says("→");
    let missing = Workspace::bare();
    missing.file("grader.toml", "");
    missing.run(&[]).status(2).says("problems").says("→");
}

#[apply(cli_test)]
fn a_broken_problem_that_was_asked_for_says_why() {
    let workspace = three();
    workspace.problem("dice").toml("nmae = \"Dice\"\n");
    workspace.run(&["dice"]).status(2).says("unknown key `nmae`").says("did you mean `name`?");
    // Who asks for another one is not told.
    workspace.run(&["dirac-a"]).status(0).silent();
}

/// A folder with two solvers and two cases, and files that are neither.
fn plain() -> Workspace {
    let workspace = Workspace::bare();
    workspace.file("main.sh", SUM).file("other.sh", SUM).file("notes.txt", "").file("sub/x.txt", "");
    workspace.file("01.in", "1 2\n").file("01.ans", "3\n").file("02.in", "2 2\n").file("02.ans", "4\n");
    workspace.file("a.out", format!("#!/bin/sh\n{SUM}"));
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(workspace.path("a.out"), executable).unwrap();
    workspace
}

/// Each of the words is refused, and nothing is run.
#[track_caller]
fn refused(workspace: &Workspace, dir: &str, words: &[&str]) {
    for word in words {
        for args in [&[*word][..], &["-s", word], &["-t", word], &["main.sh", word], &[word, "main.sh"]] {
            let run = workspace.call(args).dir(workspace.path(dir)).run();
            assert!(run.events.is_empty() && run.stdout.is_empty(), "{args:?} in `{dir}`: {}", run.all());
            run.status(2).says("error: ");
        }
    }
}

#[apply(cli_test)]
fn a_word_that_names_nothing_selects_nothing_in_a_plain_folder() {
    let workspace = plain();
    refused(
        &workspace,
        ".",
        &["mian.sh", "py/9", "03.in", "01.foo", "main.py", "*.rs", "", "xyz", "./nope", "no/", "sub"],
    );
    workspace.run(&["mian.sh"]).status(2).says("no problem or test matches `mian.sh`; did you mean `main.sh`?");
    workspace.run(&["mian"]).status(2).says("did you mean `main.sh`?");
    workspace.run(&["03.in"]).status(2).says("did you mean `01.in`?");
    workspace.run(&[""]).status(2).says("the empty argument names nothing");
    let run = workspace.run(&["main.sh"]);
    run.status(0).ends("main.sh", "AC", "met");
    assert_eq!(run.of("submission_finished").count(), 1);
    for all in [".", "./"] {
        assert_eq!(workspace.run(&[all]).of("submission_finished").count(), 2, "{all}");
    }
    for one in ["01", "01.in", "01.ans", "./01.in"] {
        assert_eq!(ran(&workspace.run(&[one])).iter().filter(|name| name.ends_with("/01")).count(), 2, "{one}");
        assert_eq!(ran(&workspace.run(&[one])).len(), 2, "{one}");
    }
}

#[apply(cli_test)]
fn a_word_that_names_nothing_selects_nothing_in_a_problem() {
    let workspace = three();
    workspace.problem("dice").file("statement/problem.tex", "");
    workspace.file("problems/dice/submissions/wrong_answer/README.md", "").file("other/notes.md", "");
    for dir in [".", "problems", "problems/dice", "problems/dice/submissions", "testcases/dice", "other"] {
        refused(
            &workspace,
            dir,
            &["smu.sh", "py/9", "typo.rs", "*.rs", "", "submissions/accepted/typo.rs", "sample/9.in"],
        );
    }
    let typo = "problems/dice/submissions/accepted/typo.rs";
    let nowhere = ["problems/dice/typo", "problems/dice/statement", "problems/dice/submissions/wrong_answer"];
    refused(&workspace, ".", &[&[typo, "testcases/dice/sample/9.in", "./dice"][..], &nowhere].concat());
    workspace.run(&["problems/dice/submissions/accepted/smu.sh"]).status(2).says("accepted/sum.sh`?");
    let inside = |word: &str| workspace.call(&[word]).dir(workspace.path("problems/dice")).run();
    inside("smu.sh").status(2).says("did you mean `submissions/accepted/sum.sh`?");
    inside("sample/1").status(2).says("did you mean `dice/sample/1`?");
    inside("accepted").status(2).says("did you mean `dice -s accepted`?");
    inside("statement").status(2).says("contains no problem, submission or test");
}

#[apply(cli_test)]
fn every_command_refuses_what_names_nothing() {
    let workspace = three();
    workspace.problem("dice").submission("wrong_answer/three.sh", "echo 3\n");
    workspace.run(&["dice"]).status(0);
    let runs = || std::fs::read_dir(workspace.path(".grader/runs")).unwrap().count();
    let before = runs();
    let check = |args: &[&str], text: &str| {
        for dir in [".", "problems/dice"] {
            Call::any(&workspace.path(dir), args).run().status(2).says(text);
        }
    };
    for command in ["run", "watch", "list", "verify", "time-limit", "gen", "judge", "accept"] {
        check(&[command, "dcie"], "dcie");
        check(&[command, "smu.sh"], "smu.sh");
        check(&[command, ""], "");
    }
    for [command, more] in
        [["add", "-"], ["check", "x.out"], ["stress", "three.sh"], ["remove", "sample/1"], ["accept", "1"]]
    {
        check(&[command, "dcie", more], "dcie");
        check(&[command, "", more], "");
    }
    check(&["stress", "dice", "tree.sh", "--gen", "gen {seed}"], "did you mean `three.sh`?");
    check(&["remove", "dice", "sample/9"], "sample/9");
    check(&["remove", "dice", ""], "");
    check(&["rename", "dice", "sample/9", "sample/2"], "sample/9");
    check(&["accept", "dice", "sample/9"], "sample/9");
    check(&["accept", "dice", ""], "the empty argument");
    check(&["list", "dice", "-s", "smu.sh"], "did you mean `sum.sh`?");
    check(&["list", "dice", "-t", ""], "the empty argument names nothing");
    check(&["history", "dcie"], "did you mean `dice`?");
    check(&["history", "dice", "dcie"], "did you mean `dice`?");
    check(&["rerun", "nope"], "no run is called `nope`");
    workspace.file("one.out", "3\n").file("try.sh", SUM);
    let dir = workspace.path(".");
    Call::any(&dir, &["check", "dice", "oen.out"]).run().status(2).says("did you mean `one.out`?");
    Call::any(&dir, &["judge", "dice", "tyr.sh"]).run().status(2).says("did you mean `try.sh`?");
    Call::any(&dir, &["judge", "-p", "dcie", "try.sh"]).run().status(2).says("did you mean `dice`?");
    Call::any(&dir, &["judge", "dice", "try.sh", "-t", "sample/9"]).run().status(2).says("sample/9");
    for command in ["verify", "time-limit", "gen"] {
        Call::any(&dir, &[command, "try.sh"]).run().status(2).says("`try.sh` is a file, not a problem");
    }
    assert_eq!(runs(), before, "something was run");
    assert!(workspace.path("testcases/dice/sample/1.in").exists());
}

#[apply(cli_test)]
fn a_file_that_is_no_program_is_refused_by_name() {
    let workspace = plain();
    for args in [&["notes.txt"][..], &["-s", "notes.txt"], &["main.sh", "./notes.txt"], &["-s", "sub/"]] {
        workspace.run(args).status(2).says("grader cannot run `").says("`: no known language has .txt").says("--lang");
    }
    workspace.run(&["notes.txt", "--lang", "sh"]).status(1);
    // What was compiled by hand is run as a command, as the error says.
    for word in ["a.out", "./a.out"] {
        let run = workspace.run(&[word]);
        run.status(2)
            .says(&format!("grader cannot run `{word}`"))
            .says("run it as a command, because it is executable: -c ./a.out");
    }
    let run = workspace.run(&["-c", "./a.out"]);
    run.status(0).ends("command", "AC", "met");
    // Beside `a.in` it is that case's answer.
    workspace.file("a.in", "20 3\n").file("a.out", "23\n");
    assert_eq!(ran(&workspace.run(&["a.out"])).len(), 2);
}

#[apply(cli_test)]
fn a_folder_of_submissions_means_those_in_it() {
    let workspace = three();
    workspace.problem("dice").submission("wrong_answer/three.sh", "echo 3\n");
    let one = |dir: &str, word: &str, of: &str| {
        let run = workspace.call(&[word]).dir(workspace.path(dir)).run();
        run.status(0);
        let name = |event: &serde_json::Value| event["submission"].as_str().unwrap().to_owned();
        assert_eq!(run.of("submission_finished").map(name).collect::<Vec<_>>(), [of], "{word} in {dir}");
    };
    one(".", "problems/dice/submissions/wrong_answer", "wrong_answer/three.sh");
    one("problems/dice", "submissions/accepted/", "accepted/sum.sh");
    one("problems/dice/submissions/wrong_answer", ".", "wrong_answer/three.sh");
    let all = workspace.call(&[".."]).dir(workspace.path("problems/dice/submissions/accepted")).run();
    assert_eq!(all.of("submission_finished").count(), 2);
}

#[apply(cli_test)]
fn a_test_by_its_path_wherever_one_stands() {
    let workspace = three();
    for (dir, word) in [
        ("problems/dice", "../../testcases/dice/sample/1.in"),
        ("testcases/dice/sample", "1.in"),
        ("testcases/dice/sample", "1.ans"),
        ("testcases/dice", "sample/1"),
        ("testcases/dice/sample", "."),
        ("problems", "../testcases/dice/sample"),
    ] {
        let run = workspace.call(&[word]).dir(workspace.path(dir)).run();
        run.status(0);
        assert_eq!(ran(&run), ["dice/sample/1"], "{word} in {dir}");
    }
}

/// A submission of a problem and a program from elsewhere are both run if both are named.
#[apply(cli_test)]
fn own_and_other_programs_are_named_together() {
    let workspace = Workspace::with_sum();
    workspace.file("zero.sh", "echo 0\n");
    let run = workspace.run(&["sum", "problems/sum/submissions/accepted/sum.sh", "zero.sh"]);
    run.status(1).ends("accepted/sum.sh", "AC", "met").ends("zero.sh", "WA", "missed");
    let run = workspace.run(&["sum", "zero.sh"]);
    assert_eq!(run.status(1).of("submission_finished").count(), 1);
}

#[apply(cli_test)]
fn a_problem_outside_of_the_workspace_has_its_own_cases() {
    let here = three();
    let there = Workspace::bare();
    there
        .file("dice/problem.yaml", "name: Dice\n")
        .file("dice/data/secret/1.in", "7 8\n")
        .file("dice/data/secret/1.ans", "15\n")
        .file("dice/submissions/accepted/sum.sh", SUM);
    let run = here.run(&[there.path("dice").to_str().unwrap()]);
    let ran = ran(run.status(0));
    assert!(ran.len() == 1 && ran[0].ends_with("/dice/secret/1"), "{ran:?}");
}
