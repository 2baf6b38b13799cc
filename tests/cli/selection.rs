//! What a selection means, wherever one stands.

use crate::run::Call;
use crate::workspace::{SUM, Workspace};

listed![
    names_prefixes_globs_and_paths,
    a_misspelt_name_is_answered_with_the_near_one,
    a_folder_with_the_name_of_a_problem_is_no_error,
    every_wrong_pattern_is_told,
    a_program_of_no_problem_by_path,
    a_program_by_path_needs_one_problem,
    a_submission_by_path_means_its_problem,
    standing_in_a_folder_means_what_is_there,
    a_path_upwards_means_the_problem_that_is_there,
    nothing_to_grade_is_an_error,
    a_broken_problem_that_was_asked_for_says_why,
];

/// `problem/submission/test` of everything that was run.
fn ran(run: &crate::run::Run) -> Vec<String> {
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

fn a_folder_with_the_name_of_a_problem_is_no_error() {
    let workspace = three();
    workspace.file("dice/notes.txt", "");
    workspace.run(&["dice"]).status(0).silent();
    workspace.run(&["dice", "-t", "secert"]).status(2).says("no test matches `secert`; did you mean `secret`?");
    workspace.run(&["dice", "nope.py"]).status(2).says("`nope.py`").says("there is no such file or folder");
    workspace.grader(&["run", "-j", "two"]).status(2).says("write a number, or `auto`");
    workspace.grader(&["verify", "-j", "many"]).status(2).says("write a number, or `auto`");
    workspace.grader(&["run", "dice", "-j", "auto"]).status(0);
}

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
    check(&["dirac-a/sample", "dice/sample"], &["dice/sample/1", "dirac-a/sample/1"]);
    let dice = workspace.path("problems/dice");
    check(&[dice.to_str().unwrap()], &all_of_dice);
}

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

fn every_wrong_pattern_is_told() {
    let run = three().run(&["dcie", "dirac-q", "dirac-a"]);
    run.status(2).says("`dcie`").says("`dirac-q`");
}

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

fn a_program_by_path_needs_one_problem() {
    let workspace = three();
    workspace.file("mine/try.sh", SUM);
    workspace.run(&["mine/try.sh"]).status(2).says("3 problems are selected; name the one that the program is for");
}

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

fn nothing_to_grade_is_an_error() {
    let bare = Workspace::bare();
    bare.run(&[]).status(2).says("holds no problem").says("→");
    let empty = Workspace::new();
    empty.run(&[]).status(2).says("→");
    let missing = Workspace::bare();
    missing.file("grader.toml", "");
    missing.run(&[]).status(2).says("problems").says("→");
}

fn a_broken_problem_that_was_asked_for_says_why() {
    let workspace = three();
    workspace.problem("dice").toml("nmae = \"Dice\"\n");
    workspace.run(&["dice"]).status(2).says("unknown key `nmae`").says("did you mean `name`?");
    // Who asks for another one is not told.
    workspace.run(&["dirac-a"]).status(0).silent();
}
