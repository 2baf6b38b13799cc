//! `grader new`: every skeleton passes as it is.

use macro_rules_attribute::apply;

use crate::cli::need::Need;
use crate::cli::run::Call;
use crate::cli::testlib::HEADER;
use crate::cli::workspace::Workspace;

/// Every kind of problem, made with these options.
fn skeletons(workspace: &Workspace, options: &[&str]) {
    let kinds: [(&str, &[&str]); 3] =
        [("plain", &[]), ("checked", &["--output-validator"]), ("talk", &["--interactive"])];
    for (name, flags) in kinds {
        let made = workspace.grader(&[&["new", name], options, flags].concat());
        made.status(0).silent().shows(&format!("grader run {name}"));
        // The fonts of TeX lack other characters, and formulas need none.
        let statement = workspace.read(format!("problems/{name}/statement/problem.en.md"));
        assert!(statement.is_ascii(), "{statement}");
    }
    let run = workspace.run(&["--strict"]);
    run.status(0).silent();
    let ends = run.of("submission_finished").map(|end| end["standing"]["standing"].as_str().unwrap_or_default());
    assert_eq!(ends.collect::<Vec<_>>(), ["met"; 6], "{}", run.all());
    let all = workspace.run(&["--all-tests", "--strict", "plain"]);
    all.status(0);
    // The skeletons pass what they are made for.
    workspace.grader(&["verify", "--strict"]).status(0).shows("3 problems: 0 errors, 0 warnings");
    for (name, _) in kinds {
        workspace.grader(&["gen", "--check", "--clean", name]).status(0).shows("3 unchanged");
        workspace
            .grader(&["stress", name, "--wrong", "--count", "12", "--seed", "1"])
            .status(0)
            .shows("1 of 1 wrong submission found");
    }
}

/// The skeletons in one language.
fn skeletons_in(lang: &str) {
    let workspace = Workspace::new();
    skeletons(&workspace, &["--lang", lang]);
    // The team reads words that quote no secret data.
    for (name, wrong) in [("checked", "The sum of your integers is not n."), ("talk", "needs more than 10 guesses.")] {
        let submissions = workspace.path(format!("problems/{name}/submissions/wrong_answer"));
        let judged = ["judge", submissions.to_str().unwrap(), "--problem", name, "--report", "gradescope=g.json"];
        workspace.grader(&judged).status(1);
        assert!(workspace.read("g.json").contains(wrong), "{}", workspace.read("g.json"));
    }
}

#[apply(cli_test)]
#[needs(&[Need::Tool("rustc")])]
fn rust_skeletons_pass() {
    skeletons_in("rust");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn python_skeletons_pass() {
    skeletons_in("python");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("g++")])]
fn cpp_skeletons_pass() {
    skeletons_in("cpp");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("g++")])]
fn testlib_skeletons_pass() {
    let workspace = Workspace::new();
    workspace.file("testlib.h", HEADER).file("grader.toml", "testlib = \"testlib.h\"\n");
    skeletons(&workspace, &["--testlib"]);
    assert!(workspace.read("problems/talk/interactor/interact.cpp").contains("registerInteraction"));
}

#[apply(cli_test)]
fn testlib_is_for_cpp() {
    let workspace = Workspace::new();
    workspace.grader(&["new", "sum", "--testlib", "--lang", "python"]).status(2).says("testlib is a library of C++");
}

#[apply(cli_test)]
fn the_skeleton_is_made_where_the_configuration_says() {
    let workspace = Workspace::bare();
    workspace
        .file("grader.toml", "problems = [\"a\", \"b\"]\ntestcases = \"data\"\n")
        .file("sub/x", "")
        .file("b/x", "");
    let run = Call::any(&workspace.path("sub"), &["new", "two-sums"]).run();
    run.status(0).silent();
    assert!(workspace.read("a/two-sums/problem.toml").contains("\"Two sums\""));
    assert_eq!(workspace.read("data/two-sums/secret/01.in"), "1000\n");
    let entries = std::fs::read_dir(workspace.path("a")).unwrap().count();
    assert_eq!(entries, 1, "nothing else is left");
}

#[apply(cli_test)]
fn without_a_configuration_one_is_made() {
    let workspace = Workspace::bare();
    workspace.grader(&["new", "first"]).status(0).shows("grader.toml").silent();
    assert!(workspace.read("grader.toml").contains("problems = [\"problems\"]"));
    assert!(workspace.path("problems/first/submissions/accepted/reference.rs").is_file());
    workspace.grader(&["new", "second"]).status(0).hides("grader.toml");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn a_case_can_be_added_at_once() {
    let workspace = Workspace::new();
    workspace.grader(&["new", "sum", "--lang", "python"]).status(0);
    let run = Call::any(&workspace.path(""), &["add", "sum"]).input("9\n").run();
    run.status(0).silent().shows("added secret/03").shows("answer    45").shows("wrong_answer/off_by_half.py (WA)");
    let run = Call::any(&workspace.path(""), &["add", "sum"]).input("09\n").run();
    run.status(1).says("line 1: expected one integer without leading zeros");
    workspace.grader(&["accept", "sum"]).status(0).shows("4 unchanged");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn the_validator_and_the_generator_agree() {
    let workspace = Workspace::new();
    workspace.grader(&["new", "sum", "--lang", "python"]).status(0);
    for arguments in ["max", "random 5", "random 123456789"] {
        let script = format!("python3 problems/sum/generators/gen.py {arguments} > made.in");
        Call::program(&workspace.path(""), "sh", &["-c", &script]).run().status(0);
        workspace.grader(&["verify", "sum", "--input", "made.in"]).status(0);
    }
    assert!(workspace.read("problems/sum/generators/generators.yaml").contains("gen random {seed}"));
}

#[apply(cli_test)]
fn an_interactive_problem_has_its_validator_anyway() {
    let workspace = Workspace::new();
    let files = |name: &str, flags: &[&str]| {
        workspace.grader(&[&["new", name, "--lang", "python"], flags].concat()).status(0);
        let dir = workspace.path("problems").join(name);
        let entries = walkdir::WalkDir::new(&dir).sort_by_file_name().into_iter().map(Result::unwrap);
        let files =
            entries.filter(|entry| entry.path().is_file() && entry.path().extension().is_some_and(|it| it == "py"));
        let content = |path: &std::path::Path| std::fs::read_to_string(path).unwrap();
        files.map(|file| (file.path().strip_prefix(&dir).unwrap().to_owned(), content(file.path()))).collect::<Vec<_>>()
    };
    let made = files("talk", &["--interactive"]);
    assert!(made.len() > 3, "{made:?}");
    assert_eq!(files("talk-2", &["--interactive", "--checker"]), made);
}

#[apply(cli_test)]
fn names_that_exist_are_refused() {
    let workspace = Workspace::with_sum();
    workspace.grader(&["new", "sum"]).status(2).says("problems/sum exists already; grader overwrites nothing");
    workspace.file("testcases/other/1.in", "");
    workspace.grader(&["new", "other"]).status(2).says("testcases/other exists already");
    workspace.file("problems/week/deep/submissions/accepted/x.sh", "");
    workspace.grader(&["new", "deep"]).status(2).says("a problem `deep` exists already");
    assert!(!workspace.path("problems/other").exists() && !workspace.path("problems/deep").exists());
}

#[apply(cli_test)]
fn bad_names_are_refused() {
    let workspace = Workspace::new();
    for name in ["Sum", "a_b", "../x", "a/b", "", "x\u{1b}[2J"] {
        let run = workspace.grader(&["new", "--", name]);
        run.status(2).says("cannot be the name of a problem").says("lower-case letters, digits and `-`");
        assert!(!run.stderr.contains('\u{1b}'));
    }
    assert_eq!(std::fs::read_dir(workspace.path("problems")).unwrap().count(), 0);
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3"), Need::Tool("node"), Need::Tool("javac"), Need::Tool("g++")])]
fn the_skeletons_of_functions_pass_in_other_languages() {
    let workspace = Workspace::new();
    for lang in ["javascript", "java", "cpp"] {
        workspace.grader(&["new", lang, "--function", "addUp", "--language", lang]).status(0).silent();
    }
    let run = workspace.run(&["--all-tests", "--strict"]);
    run.status(0).silent();
    let ends = run.of("submission_finished").map(|end| end["standing"]["standing"].as_str().unwrap_or_default());
    assert_eq!(ends.collect::<Vec<_>>(), ["met"; 6], "{}", run.all());
    workspace.grader(&["verify", "--strict"]).status(0).shows("3 problems: 0 errors, 0 warnings");
    workspace.grader(&["gen", "--check", "--clean", "java"]).status(0).shows("3 unchanged");
}

/// The skeleton of a function passes what the others pass, and tells a class what a function returned.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn the_skeleton_of_a_function_passes() {
    let workspace = Workspace::new();
    workspace.grader(&["new", "add-up", "--function", "add_up"]).status(0).silent().shows("grader run add-up");
    let run = workspace.run(&["--all-tests", "--strict"]);
    run.status(0).ends("accepted/reference.py", "AC", "met").ends("wrong_answer/off_by_half.py", "WA", "met");
    run.judged("wrong_answer/off_by_half.py", "sample/1", "WA", "expected 28, got 24");
    workspace.grader(&["verify", "--strict"]).status(0).shows("1 problem: 0 errors, 0 warnings");
    workspace.grader(&["gen", "--check", "--clean", "add-up"]).status(0).shows("3 unchanged");
    let stress = ["stress", "add-up", "--wrong", "--count", "12", "--seed", "1"];
    workspace.grader(&stress).status(0).shows("1 of 1 wrong submission found");
    for (options, told) in [
        (&["--function", "a-b"][..], "`a-b` cannot be the name of a function"),
        (&["--function", "f", "--lang", "rust"], "grader calls functions in Python, JavaScript, Java and C++"),
        (&["--lang", "java"], "grader writes programs of the judge in Rust, Python and C++"),
        (&["--function", "f", "--interactive"], "cannot be used with"),
    ] {
        workspace.grader(&[&["new", "other"], options].concat()).status(2).says(told);
    }
}

/// The skeletons of unit tests in these languages pass, and their wrong submission fails.
fn unit_tests_pass_in(langs: &[&str]) {
    let workspace = Workspace::new();
    for lang in langs {
        workspace.grader(&["new", lang, "--unit-tests", "--lang", lang]).status(0).silent();
    }
    let run = workspace.run(&["--all-tests", "--strict"]);
    run.status(0).silent();
    let ends = run.of("submission_finished").map(|end| end["verdict"].as_str().unwrap_or_default());
    assert_eq!(ends.collect::<Vec<_>>(), ["AC", "WA"].repeat(langs.len()), "{}", run.all());
    assert_eq!(run.of("test_finished").count(), 4 * langs.len(), "{}", run.all());
    assert!(!workspace.path("testcases").join(langs[0]).exists());
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3"), Need::Tool("node"), Need::Tool("go")])]
fn the_skeletons_of_unit_tests_pass() {
    unit_tests_pass_in(&["python", "javascript", "go"]);
}

#[apply(cli_test)]
#[needs(&[Need::Tool("javac"), Need::File("/usr/share/java/junit-platform-launcher.jar")])]
fn the_skeleton_of_unit_tests_in_java_passes() {
    unit_tests_pass_in(&["java"]);
}

#[apply(cli_test)]
#[needs(&[Need::Tool("rustc")])]
fn the_skeleton_of_unit_tests_in_rust_passes() {
    unit_tests_pass_in(&["rust"]);
}

#[apply(cli_test)]
#[needs(&[Need::Tool("g++"), Need::File("/usr/include/gtest/gtest.h")])]
fn the_skeleton_of_unit_tests_in_cpp_passes() {
    unit_tests_pass_in(&["cpp"]);
}

/// A class is judged by the skeleton, whatever the students call their files.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn a_class_is_judged_by_new_unit_tests() {
    let workspace = Workspace::new();
    workspace.grader(&["new", "week-1", "--unit-tests"]).status(0).shows("tests/test_sums.py");
    workspace.file("class/ann/sums.py", "def sum_to(n):\n    return n * (n + 1) // 2\n");
    workspace.file("class/bob/mine.py", "def sum_to(n):\n    return 28\n");
    let judged = ["judge", "class", "--layout", "{student}/*", "-p", "week-1", "--report", "gradebook=g.csv"];
    workspace.grader(&judged).status(1);
    let grades = workspace.read("g.csv");
    assert!(grades.contains("\nann,3,") && grades.contains("\nbob,1,"), "{grades}");
}
