//! The commands that a run prints to repeat a failure: each is run as it is printed, by a shell, where the first was run.

use std::path::Path;

use macro_rules_attribute::apply;
use serde_json::Value;

use crate::cli::run::{Call, Run};
use crate::cli::workspace::{SUM, Workspace};

/// Wrong on everything.
const WRONG: &str = "echo nothing\n";

/// Problem, submission, test and verdict of everything that was judged.
fn judged(run: &Run) -> Vec<[String; 3]> {
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let one = |event: &Value| [&event["of"]["submission"], &event["test"], &event["result"]["verdict"]].map(text);
    run.of("test_finished").map(one).collect()
}

/// Runs each `again` command that a failing run has printed, and expects just the test that failed, with its verdict.
#[track_caller]
fn repeats(run: &Run, dir: &Path, expected: usize) {
    run.status(1);
    let failed = judged(run);
    let lines: Vec<&str> = run.stdout.lines().filter_map(|line| line.strip_prefix("  again    ")).collect();
    assert_eq!(lines.len(), expected, "{}", run.all());
    for line in lines {
        let again = Call::typed(dir, line).run();
        let repeated = judged(&again);
        let [[submission, test, verdict]] = &repeated[..] else { panic!("{line}\n{}", again.all()) };
        let same = |[before, on, was]: &[String; 3]| {
            let (before, after) = (before.trim_start_matches("./"), submission.trim_start_matches("./"));
            // Of what was handed in the name is the path, behind the student where one is known.
            (before == after || after.ends_with(before.rsplit('/').next().unwrap())) && on == test && was == verdict
        };
        assert!(failed.iter().any(same), "{line}\n{failed:?}\n{}", again.all());
        again.status(1);
    }
}

#[apply(cli_test)]
fn of_names_that_a_shell_would_take_apart() {
    let workspace = Workspace::new();
    for slug in ["two words", "it's", "-dash", "a[1]", "$HOME", "ünï"] {
        let problem = workspace.problem(slug).case("sample/1", "1 2\n", "3\n").submission("accepted/ok.sh", SUM);
        problem.submission("accepted/bad.sh", WRONG).toml("reference = \"accepted/ok.sh\"\n");
    }
    repeats(&workspace.run(&["-v"]), &workspace.path("."), 6);
    // Only plain folders may have submissions and tests of any name. Each submission fails on the test of its name.
    let workspace = Workspace::bare();
    let names = ["-s", "a b", "x*", "xy", "[a]", "a", "it's", "{b", "$(x)", "\"q\"", "-"];
    for name in names {
        workspace.file(format!("{name}.in"), format!("{name}\n")).file(format!("{name}.ans"), format!("{name}\n"));
        let quoted = name.replace('\'', "'\\''");
        let script = format!("read -r x\nif [ \"$x\" = '{quoted}' ]; then echo no; else echo \"$x\"; fi\n");
        workspace.file(format!("{name}.sh"), script);
    }
    repeats(&workspace.run(&["-v"]), &workspace.path("."), names.len());
}

#[apply(cli_test)]
fn of_plain_folders() {
    let workspace = Workspace::bare();
    for dir in ["my sums", "-x", "deep/er/one", "top"] {
        workspace.file(format!("{dir}/main.sh"), WRONG);
        workspace.file(format!("{dir}/01.in"), "1 2\n").file(format!("{dir}/01.ans"), "3\n");
        workspace.file(format!("{dir}/02.in"), "2 2\n").file(format!("{dir}/02.ans"), "nothing\n");
        let inside = workspace.path(dir);
        repeats(&Call::new(&inside, &[]).run(), &inside, 1);
        repeats(&Call::new(&inside, &["main.sh"]).run(), &inside, 1);
        let above = workspace.path(".");
        repeats(&Call::new(&above, &[&format!("./{dir}")]).run(), &above, 1);
    }
    let above = workspace.path(".");
    repeats(&Call::new(&above, &["-v"]).run(), &above, 4);
    // A folder that is itself a problem, with one in it.
    workspace.file("top/inner/main.sh", WRONG).file("top/inner/01.in", "1 2\n").file("top/inner/01.ans", "3\n");
    let top = workspace.path("top");
    repeats(&Call::new(&top, &["inner"]).run(), &top, 1);
}

#[apply(cli_test)]
fn of_packages_and_archives() {
    let packages = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/packages");
    let workspace = Workspace::bare();
    std::fs::create_dir_all(workspace.path("set")).unwrap();
    let wrong = "a, b = map(int, input().split())\nprint(a * b + 1)\n";
    for dir in ["pkg one", "set/newsum"] {
        for entry in walkdir::WalkDir::new(packages.join("newsum")).into_iter().map(Result::unwrap) {
            // Each place has a store of its own: one program, which needs no compiler, and the wrong one are enough.
            let is_submission = entry.path().components().any(|part| part.as_os_str() == "submissions");
            let is_wanted = !is_submission || entry.path().ends_with("accepted/sum.py");
            if entry.file_type().is_file() && is_wanted {
                let below = entry.path().strip_prefix(packages.join("newsum")).unwrap();
                workspace.file(Path::new(dir).join(below), std::fs::read(entry.path()).unwrap());
            }
        }
        workspace.file(format!("{dir}/submissions/accepted/bad_one.py"), wrong);
        let above = workspace.path(".");
        let inside = workspace.path(dir);
        repeats(&Call::new(&above, &[dir]).run(), &above, 1);
        repeats(&Call::new(&inside, &[]).run(), &inside, 1);
        let deep = inside.join("submissions/accepted");
        repeats(&Call::new(&deep, &[]).run(), &deep, 1);
        let beside = workspace.path("set");
        repeats(&Call::new(&beside, &[inside.to_str().unwrap()]).run(), &beside, 1);
    }
    let zip = zipped(&workspace.path("set/newsum"));
    std::fs::create_dir_all(workspace.path("away")).unwrap();
    std::fs::write(workspace.path("away/my package.zip"), zip).unwrap();
    let away = workspace.path("away");
    repeats(&Call::new(&away, &["my package.zip"]).run(), &away, 1);
}

/// A zip archive of everything in a directory.
fn zipped(dir: &Path) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for entry in walkdir::WalkDir::new(dir).sort_by_file_name().into_iter().map(Result::unwrap) {
        if entry.file_type().is_file() {
            let name = entry.path().strip_prefix(dir).unwrap().to_str().unwrap().to_owned();
            zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
            std::io::Write::write_all(&mut zip, &std::fs::read(entry.path()).unwrap()).unwrap();
        }
    }
    zip.finish().unwrap().into_inner()
}

#[apply(cli_test)]
fn of_programs_from_elsewhere_and_commands() {
    let workspace = Workspace::with_sum();
    let here = workspace.path(".");
    workspace.file("mine/it's.sh", WRONG).file("-wrong.sh", WRONG);
    repeats(&workspace.run(&["sum", "mine/it's.sh"]), &here, 1);
    repeats(&workspace.run(&["sum", "-s", "mine/it's.sh"]), &here, 1);
    repeats(&workspace.run(&["sum", "-s=-wrong.sh"]), &here, 1);
    repeats(&workspace.run(&["sum", "-c", "read a b; echo \"it's\" $((a - b))"]), &here, 1);
    repeats(&workspace.run(&["sum", "-c=-nosuch 'x y'"]), &here, 1);
    // A program that is called like a submission of the problem.
    let workspace = Workspace::bare();
    workspace.file("p/main.sh", SUM).file("p/01.in", "1 2\n").file("p/01.ans", "3\n").file("main.sh", WRONG);
    let here = workspace.path(".");
    let run = workspace.run(&["p", "main.sh"]);
    run.shows("-s ./main.sh");
    repeats(&run, &here, 1);
    workspace.run(&["p", "-s", "main.sh"]).status(0).ends("main.sh", "AC", "met");
    Call::recorded(&here, &["rerun"]).run();
}

#[apply(cli_test)]
fn of_what_was_handed_in() {
    let workspace = Workspace::with_sum();
    workspace.sum("other");
    let here = workspace.path(".");
    let judge = |args: &[&str]| Call::recorded(&here, &[&["judge", "-v", "-t", "sample"], args].concat()).run();
    workspace.file("wrong one.sh", WRONG).file("-dash.sh", WRONG);
    repeats(&judge(&["sum", "wrong one.sh"]), &here, 1);
    repeats(&judge(&["sum", "./-dash.sh"]), &here, 1);
    repeats(&judge(&["-p", "sum", "./-dash.sh"]), &here, 1);
    // Files, folders of one program, and a folder of two that make one only with the layout.
    workspace.file("files/cid/other.sh", WRONG).file("files/d'e/sum.SH", WRONG);
    repeats(&judge(&["files", "--layout", "{student}/{problem}.sh"]), &here, 2);
    workspace.file("class/ann lee/sum/main.sh", WRONG).file("class/ann lee/sum/more.sh", "");
    workspace.file("class/bob/sum/a.sh", WRONG);
    repeats(&judge(&["class", "--layout", "{student}/{problem}"]), &here, 2);
    workspace.file("two/eve/sum/a.sh", WRONG).file("two/eve/sum/b.sh", WRONG);
    judge(&["two", "--layout", "{student}/{problem}"]).status(2).says("contains several programs");
    // Moodle's prefixes: a student's only file, and several.
    workspace.file("moodle/Ann Lee_1_assignsubmission_file_sum.sh", WRONG);
    repeats(&judge(&["sum", "moodle"]), &here, 1);
    workspace.file("moodle/Bob_2_assignsubmission_file_a.sh", WRONG);
    workspace.file("moodle/Bob_2_assignsubmission_file_b.sh", WRONG);
    judge(&["sum", "moodle"]).status(2).says("contains several programs: a.sh, b.sh");
    // What was in an archive cannot be named alone.
    std::fs::write(workspace.path("class.zip"), zipped(&workspace.path("class"))).unwrap();
    repeats(&judge(&["class.zip", "--layout", "{student}/{problem}"]), &here, 0);
}

#[apply(cli_test)]
fn of_outputs() {
    let workspace = Workspace::with_sum();
    let here = workspace.path(".");
    for test in ["sample/1", "secret/01", "secret/02", "secret/03"] {
        workspace.file(format!("my outs/{test}.out"), "3\n").file(format!("txt/{test}.txt"), "3\n");
    }
    let check = |args: &[&str]| Call::recorded(&here, &[&["check", "sum"], args].concat()).run();
    repeats(&check(&["my outs"]), &here, 1);
    repeats(&check(&["txt", "--pattern", "{test}.txt"]), &here, 1);
    repeats(&check(&["my outs/secret/01.out", "-t", "secret/01"]), &here, 1);
    workspace.file("-01.out", "5\n");
    repeats(&check(&["./-01.out", "-t", "secret/01"]), &here, 1);
    let run = Call::recorded(&here, &["check", "sum", "-t", "secret/01", "-"]).input("5\n").run();
    repeats(&run, &here, 0);
}

#[apply(cli_test)]
fn with_the_options_that_decide() {
    let workspace = Workspace::new();
    let here = workspace.path(".");
    let problem = workspace.problem("real").case("sample/1", "1\n", "1.0\n").toml("reference = \"accepted/a.sh\"\n");
    problem.submission("accepted/a.sh", "echo 1.0000001\n");
    problem.submission("accepted/slow.sh", "i=0\nwhile [ $i -lt 200000 ]; do i=$((i+1)); done\necho 1.0\n");
    workspace.file("check me.sh", "exit 43\n");
    for options in [
        &["--checker", "exact"][..],
        &["--checker", "check me.sh", "--as", "kattis"],
        &["--checker", "float=1e-9", "--repeat", "2"],
        &["--checker", "float=1e-9", "--isolation", "none"],
    ] {
        repeats(&workspace.run(&[&["real", "-s", "a"], options].concat()), &here, 1);
    }
    repeats(&workspace.run(&["real", "-s", "slow", "--time-limit", "0.05", "--time-factor", "1.5"]), &here, 1);
    workspace.file("text", WRONG);
    repeats(&workspace.run(&["real", "-s", "./text", "--lang", "sh"]), &here, 1);
    let judge = Call::recorded(&here, &["judge", "real", "text", "--lang", "sh", "--time-limit", "5s"]).run();
    repeats(&judge, &here, 1);
}

#[apply(cli_test)]
fn where_something_else_has_the_name() {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").submission("accepted/bad.sh", WRONG).toml("reference = \"accepted/sum.sh\"\n");
    workspace.sum("other").submission("accepted/bad.sh", SUM).toml("reference = \"accepted/sum.sh\"\n");
    // A program that was built from it, a folder, and a file that is called like the submission.
    for (dir, file) in [("built", "built/sum"), ("folder", "folder/sum/x.txt"), ("named", "named/accepted/bad.sh")] {
        workspace.file(file, SUM);
        let dir = workspace.path(dir);
        repeats(&Call::new(&dir, &[workspace.path("problems/sum").to_str().unwrap()]).run(), &dir, 1);
    }
    // The same name is a submission of the problem where one stands.
    let inside = workspace.path("problems/other/submissions");
    repeats(&Call::new(&inside, &["sum"]).run(), &inside, 1);
}

#[apply(cli_test)]
fn of_a_rerun_and_from_any_folder() {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").submission("accepted/bad.sh", WRONG).toml("reference = \"accepted/sum.sh\"\n");
    for dir in [".", "problems", "problems/sum", "problems/sum/submissions/accepted", "testcases/sum/secret"] {
        let dir = workspace.path(dir);
        repeats(&Call::new(&dir, &["sum"]).run(), &dir, 1);
        Call::any(&dir, &["rerun"]).run().status(1).shows("again    grader run sum -s accepted/bad.sh -t sample/1");
    }
}

#[apply(cli_test)]
fn of_a_difference_that_was_found() {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").submission("wrong_answer/bad.sh", "read a b\necho $((a - b))\n");
    workspace.file("problems/sum/generators/gen.sh", "echo 1 $1\n");
    let here = workspace.path("problems/sum");
    let path = "../sum";
    let run = Call::any(&here, &["stress", path, "bad.sh", "--gen", "gen.sh {seed}", "--seed", "3"]).run();
    run.status(1);
    let line = run.stdout.lines().find_map(|line| line.strip_prefix("  again    ")).unwrap();
    Call::typed(&here, line).run().status(1).shows("again    ");
    let add = run.stdout.lines().find_map(|line| line.strip_prefix("  add it   ")).unwrap();
    Call::typed(&here, add).run().status(0).shows("added");
}

/// `problem` of every submission that was run, in order.
fn problems(run: &Run) -> Vec<String> {
    run.of("submission_finished").map(|event| event["problem"].as_str().unwrap().to_owned()).collect()
}

#[apply(cli_test)]
fn of_problems_of_one_name() {
    let workspace = Workspace::bare();
    workspace.file("grader.toml", "problems = [\"roota\", \"rootb\"]\n");
    for root in ["roota", "rootb"] {
        workspace.file(format!("{root}/nine/submissions/accepted/bad.sh"), format!("echo {root}\n"));
        workspace.file(format!("{root}/nine/problem.toml"), "reference = \"accepted/bad.sh\"\n");
    }
    workspace.file("roota/one/submissions/accepted/sum.sh", SUM);
    for slug in ["nine", "one"] {
        workspace.file(format!("testcases/{slug}/sample/1.in"), "1 2\n");
        workspace.file(format!("testcases/{slug}/sample/1.ans"), "3\n");
    }
    let here = workspace.path(".");
    let run = workspace.run(&[]);
    assert_eq!(problems(&run), ["one", "roota/nine", "rootb/nine"]);
    run.says("takes its test cases from").shows("grader run rootb/nine -s accepted/bad.sh -t sample/1");
    repeats(&run, &here, 2);
    // Each has files of its own.
    workspace.run(&[]);
    for root in ["roota", "rootb"] {
        let failed = run.of("test_finished").find(|event| event["of"]["problem"] == format!("{root}/nine")).unwrap();
        let stem = failed["result"]["files"].as_str().unwrap();
        assert_eq!(workspace.read(format!("{stem}.out")), format!("{root}\n"));
    }
    workspace.grader(&["history", "rootb/nine"]).status(0).shows("3 problems");
    // The same names wherever one stands, and however it is said.
    for (dir, words, expected) in [
        (".", &["nine"][..], &["roota/nine", "rootb/nine"][..]),
        (".", &["nine/sample/1"], &["roota/nine", "rootb/nine"]),
        (".", &["rootb/nine"], &["rootb/nine"]),
        (".", &["rootb"], &["rootb/nine"]),
        ("rootb/nine", &[], &["rootb/nine"]),
        ("rootb/nine/submissions", &["."], &["rootb/nine"]),
        ("roota", &["nine"], &["roota/nine"]),
        ("rootb", &["../roota/nine", "nine"], &["roota/nine", "rootb/nine"]),
        ("rootb", &["one"], &["one"]),
        ("testcases/nine", &[], &["roota/nine", "rootb/nine"]),
    ] {
        let dir = workspace.path(dir);
        let run = Call::new(&dir, words).run();
        assert_eq!(problems(&run), expected, "{words:?} in {}", dir.display());
        if words != ["one"] {
            repeats(&run, &dir, expected.len());
        }
    }
    workspace.grader(&["time-limit", "nine"]).status(1).shows("roota/nine  limit").shows("rootb/nine  limit");
    workspace.grader(&["add", "nine", "-"]).status(2).says("`nine` matches 2 problems");
    workspace.call(&["roota/nine"]).run();
    let rerun = workspace.grader(&["rerun"]);
    rerun.status(1).shows("roota/nine · accepted/bad.sh").hides("rootb/nine");
    // What students call it is the problem that is asked for.
    workspace.file("class/ann/nine.sh", WRONG);
    let args = ["judge", "-v", "-p", "rootb/nine", "class", "--layout", "{student}/{problem}.sh"];
    repeats(&Call::recorded(&here, &args).run(), &here, 1);
    Call::any(&here, &["judge", "class", "--layout", "{student}/{problem}.sh"]).run().status(2).says("`nine`");
}

#[apply(cli_test)]
fn of_folders_and_archives_of_one_name() {
    let workspace = Workspace::bare();
    for dir in ["x/sum", "y/sum"] {
        workspace.file(format!("{dir}/main.sh"), format!("echo {dir}\n"));
        workspace.file(format!("{dir}/01.in"), "1 2\n").file(format!("{dir}/01.ans"), "3\n");
    }
    let here = workspace.path(".");
    for words in [&["x/sum", "y/sum"][..], &["x", "y"], &[]] {
        let run = workspace.run(words);
        assert_eq!(problems(&run), ["x/sum", "y/sum"], "{words:?}");
        repeats(&run, &here, 2);
        let kept = run.of("test_finished").map(|event| event["result"]["files"].as_str().unwrap());
        let outputs: Vec<String> = kept.map(|stem| workspace.read(format!("{stem}.out"))).collect();
        // Each was written again by its command.
        assert_eq!(outputs.iter().filter(|output| output.ends_with("/sum\n")).count(), 2);
    }
    for at in ["x", "y"] {
        let packed = Workspace::bare();
        packed.file("problem.yaml", "name: s\n").file("data/secret/1.in", "1 2\n").file("data/secret/1.ans", "3\n");
        packed.file("submissions/accepted/bad.py", format!("print('{at}')\n"));
        std::fs::write(workspace.path(format!("{at}/pack.zip")), zipped(&packed.path("."))).unwrap();
    }
    let run = workspace.run(&["x/pack.zip", "y/pack.zip", "--time-limit", "5s"]);
    assert_eq!(problems(&run), ["x/pack", "y/pack"]);
    repeats(&run, &here, 2);
}
