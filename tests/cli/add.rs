//! `grader add`: what is written, what is refused, and that nothing is ever half-written.

use std::io::Write as _;
use std::path::Path;

use macro_rules_attribute::apply;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::cli::need::Need;
use crate::cli::packages;
use crate::cli::run::{Call, Run};
use crate::cli::workspace::{SUM, Workspace};

const GREEDY: &str = "read a b\necho $((a > 0 ? a + b : b))\n";

/// Runs `grader add` with something on standard input.
#[track_caller]
fn add(workspace: &Workspace, input: &str, args: &[&str]) -> Run {
    Call::any(&workspace.path(""), &[&["add"], args].concat()).input(input).run()
}

/// The files of the test cases, below `testcases/`.
fn files(workspace: &Workspace) -> Vec<String> {
    let root = workspace.path("testcases");
    let walk = walkdir::WalkDir::new(&root).sort_by_file_name().into_iter().flatten();
    let files = walk.filter(|entry| !entry.file_type().is_dir());
    files.map(|entry| entry.path().strip_prefix(&root).unwrap().to_str().unwrap().to_owned()).collect()
}

/// Asserts that an attempt fails like this and leaves no trace.
#[track_caller]
fn refused(workspace: &Workspace, input: &str, args: &[&str], status: i32, says: &[&str]) -> Run {
    let before = files(workspace);
    let run = add(workspace, input, args);
    run.status(status);
    for text in says {
        run.says(text);
    }
    assert_eq!(files(workspace), before, "{}", run.all());
    run
}

fn zip(path: &Path, files: &[(&str, &[u8])]) {
    let mut zip = ZipWriter::new(std::fs::File::create(path).unwrap());
    for (name, bytes) in files {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap();
}

#[apply(cli_test)]
fn a_case_continues_the_numbering_and_tells_what_it_kills() {
    let workspace = Workspace::with_sum();
    workspace
        .problem("sum")
        .submission("wrong_answer/greedy.sh", GREEDY)
        .submission("wrong_answer/three.sh", "echo 3\n")
        .submission("time_limit_exceeded/slow.sh", "read a b\n[ $a = 1 ] || while :; do :; done\necho 3\n")
        .toml("[limits]\ntime_limit = 0.2\n");
    let run = add(&workspace, "-3 6\n", &["sum"]);
    run.status(0).silent().shows("added secret/04").shows("input     -3 6").shows("answer    3");
    run.shows("by        accepted/sum.sh in").shows("wrong_answer/greedy.sh (WA)").hides("three.sh (WA)");
    run.shows("time_limit_exceeded/slow.sh (TLE");
    assert_eq!(workspace.read("testcases/sum/secret/04.in"), "-3 6\n");
    assert_eq!(workspace.read("testcases/sum/secret/04.ans"), "3\n");
    let run = add(&workspace, "1 2 \n", &["sum"]);
    run.status(0).shows("added secret/05").shows("none: no wrong submission fails on it");
    workspace.run(&["-s", "sum.sh"]).status(0).ends("accepted/sum.sh", "AC", "met");
}

#[apply(cli_test)]
fn several_files_are_numbered_in_order() {
    let workspace = Workspace::with_sum();
    workspace.file("b", "8 8\n").file("a", "9 9\n");
    add(&workspace, "", &["sum", "b", "a"]).status(0).shows("none: there is no wrong submission");
    assert_eq!(workspace.read("testcases/sum/secret/04.ans"), "16\n");
    assert_eq!(workspace.read("testcases/sum/secret/05.ans"), "18\n");
}

#[apply(cli_test)]
fn a_sample_a_name_and_a_note() {
    let workspace = Workspace::with_sum();
    add(&workspace, "4 4\n", &["sum", "--sample"]).status(0).shows("added sample/2");
    let args = ["sum", "--name", "10-edge", "--note", "both: large\n# no comment"];
    add(&workspace, "5 5\n", &args).status(0).shows("added secret/10-edge");
    assert!(workspace.read("testcases/sum/secret/10-edge.yaml").contains("both: large"));
    workspace.run(&[]).status(0).silent();
    for n in 1..8 {
        workspace.problem("sum").case(&format!("sample/{}", n + 2), &format!("{n} 70\n"), "0\n");
    }
    // The next name is 10, which is before 2.
    add(&workspace, "6 6\n", &["sum", "--sample"]).status(0).shows("added sample/10").shows("judged    before 2");
}

#[apply(cli_test)]
fn the_first_case_of_a_problem() {
    let workspace = Workspace::new();
    workspace.problem("sum").submission("accepted/sum.sh", SUM);
    add(&workspace, "1 1\n", &["sum", "--sample"]).status(0).shows("added sample/1");
    add(&workspace, "2 2\n", &["sum"]).status(0).shows("added secret/01");
    workspace.run(&[]).status(0).silent();
}

#[apply(cli_test)]
fn the_first_case_of_a_plain_folder() {
    let workspace = Workspace::bare();
    workspace.file("p/solve.sh", SUM);
    let run = Call::any(&workspace.path("p"), &["add", ".", "--answer", "11"]).input("5 6\n").run();
    run.status(0).silent().shows("added 1").shows("agree     solve.sh");
    assert_eq!(workspace.read("p/1.ans"), "11\n");
    Call::new(&workspace.path("p"), &[]).run().status(0);
}

#[apply(cli_test)]
fn many_cases_are_told_in_short() {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").submission("wrong_answer/greedy.sh", GREEDY);
    for n in 0..40 {
        workspace.file(format!("new/x{n:02}.in"), format!("{} 1\n", n - 1));
    }
    let run = add(&workspace, "", &["sum", "new"]);
    run.status(0).shows("added secret/x07").shows("40 cases in all").hides("answer  ");
    run.shows("wrong_answer/greedy.sh on 1 of 40 cases").shows("none with secret/x01, ").shows("and 9 more");
}

#[apply(cli_test)]
fn another_checker_decides() {
    let workspace = Workspace::with_sum();
    workspace.file("check.sh", "exit 43\n");
    refused(&workspace, "5 6\n", &["sum", "--checker", "check.sh"], 1, &["the output validator rejects"]);
    add(&workspace, "5 6\n", &["sum", "--answer", "11.01", "--checker", "float=0.1"]).status(0);
}

#[apply(cli_test)]
fn an_interrupt_writes_nothing() {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").submission("accepted/sum.sh", "sleep 60\n");
    workspace.file("grader.toml", "limits.wall_limit = 60\n");
    let before = files(&workspace);
    let mut call = Call::any(&workspace.path(""), &["add", "sum"]).input("5 6\n");
    let child = call.start();
    // Long enough for it to be building or running; whenever it comes, nothing may be left.
    std::thread::sleep(std::time::Duration::from_millis(1500));
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    call.wait(child).status(130);
    assert_eq!(files(&workspace), before);
    let left = std::fs::read_dir(workspace.path("testcases/sum")).unwrap().count();
    assert_eq!(left, 2, "only sample and secret");
}

#[apply(cli_test)]
fn an_interrupt_while_reading_leaves_nothing() {
    let workspace = Workspace::with_sum();
    // As a terminal at which nobody types.
    workspace.pipe("pipe");
    let mut call = Call::any(&workspace.path(""), &["add", "sum", "pipe"]);
    let child = call.start();
    let staged = || std::fs::read_dir(workspace.path("testcases/sum")).unwrap().count() > 2;
    while !staged() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    std::thread::sleep(std::time::Duration::from_millis(300));
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    call.wait(child).status(130);
    assert!(!staged());
}

#[apply(cli_test)]
fn what_a_killed_grader_left_is_removed() {
    let workspace = Workspace::with_sum();
    let hidden = || {
        let all = walkdir::WalkDir::new(workspace.path("testcases")).into_iter().flatten();
        let names = all.map(|entry| entry.file_name().to_string_lossy().into_owned());
        names.filter(|name| name.starts_with(".grader-")).collect::<Vec<_>>()
    };
    // Waiting for its input.
    let start = || {
        let before = hidden();
        let mut call = Call::any(&workspace.path(""), &["add", "sum"]);
        let child = call.piped();
        while hidden().iter().all(|name| before.contains(name)) {
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        (call, child)
    };
    let end = |call: Call, child: std::process::Child, signal| {
        rustix::process::kill_process(rustix::process::Pid::from_child(&child), signal).unwrap();
        call.wait(child);
    };
    let (call, child) = start();
    end(call, child, rustix::process::Signal::KILL);
    let (living, its_child) = start();
    // That of the dead one went, that of the living one stays.
    assert_eq!(hidden().len(), 1);
    add(&workspace, "7 3\n", &["sum"]).status(0);
    assert_eq!(hidden().len(), 1);
    end(living, its_child, rustix::process::Signal::KILL);
    workspace.problem("sum").file("generators/generators.yaml", "data: {secret: {data: {g: {in: 8 8}}}}\n");
    workspace.grader(&["gen", "sum"]).status(0);
    assert_eq!(hidden(), [""; 0]);
}

#[apply(cli_test)]
#[needs(&[Need::Mount])]
fn a_full_disk_writes_nothing() {
    let workspace = Workspace::with_sum();
    let dir = workspace.path("testcases/sum");
    std::fs::remove_dir_all(&dir).unwrap();
    std::fs::create_dir(&dir).unwrap();
    assert!(crate::cli::need::mount_tmpfs(&dir, "64k"));
    workspace.problem("sum").submission("accepted/sum.sh", "head -c 200000 /dev/zero | tr '\\0' 1\n");
    let run = add(&workspace, "5 6\n", &["sum"]);
    let left = files(&workspace);
    crate::cli::need::unmount(&dir);
    run.status(2).says("No space left");
    assert_eq!(left, Vec::<String>::new(), "{}", run.all());
}

#[apply(cli_test)]
fn a_plain_folder_without_a_reference_takes_the_answer() {
    let workspace = Workspace::bare();
    workspace.file("sum/one.sh", SUM).file("sum/two.sh", SUM).file("sum/1.in", "1 1\n").file("sum/1.out", "2\n");
    let run = Call::any(&workspace.path("sum"), &["add", ".", "--answer", "306"]).input("300 6\n").run();
    run.status(0).shows("added 2").shows("by        the given answer").shows("agree     one.sh, two.sh");
    assert_eq!(workspace.read("sum/2.out"), "306\n");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn a_plain_folder_keeps_the_answer_whatever_programs_print() {
    let workspace = Workspace::bare();
    workspace.file("sum/one.sh", SUM).file("sum/two.sh", "exit 3\n");
    let call = |more: &[&str]| Call::any(&workspace.path("sum"), &[&["add", "."], more].concat()).input("5 6\n").run();
    let run = call(&["--answer", "1"]);
    run.status(0).shows("the given answer and one.sh differ").shows("expected `1`, got `11`").shows("two.sh: RTE");
    run.shows("added 1").hides("agree");
    assert_eq!(workspace.read("sum/1.ans"), "1\n");
    // A program that does not compile has no answer either.
    std::fs::remove_file(workspace.path("sum/1.in")).unwrap();
    workspace.file("sum/two.py", "print(\n");
    std::fs::remove_file(workspace.path("sum/one.sh")).unwrap();
    std::fs::remove_file(workspace.path("sum/1.ans")).unwrap();
    call(&["--answer", "2"]).status(0).says("two.py").shows("added 1");
    std::fs::remove_file(workspace.path("sum/1.in")).unwrap();
    std::fs::remove_file(workspace.path("sum/1.ans")).unwrap();
    workspace.file("sum/one.sh", SUM);
    // Only what is asked for decides otherwise.
    let run = call(&["--answer", "1", "--accept", "reference"]);
    run.status(2).says("no program here is known to be right").says("--reference one.sh");
    let run = call(&["--answer", "1", "--accept", "reference", "--reference", "one.sh"]);
    run.status(0).shows("by        one.sh");
    assert_eq!(workspace.read("sum/1.ans"), "11\n");
}

#[apply(cli_test)]
fn a_program_is_not_its_own_truth() {
    let workspace = Workspace::bare();
    workspace.file("sum/one.sh", SUM).file("sum/1.in", "1 1\n").file("sum/1.ans", "2\n");
    let call = |input: &str, more: &[&str]| {
        Call::any(&workspace.path("sum"), &[&["add", "."], more].concat()).input(input).run()
    };
    let run = call("5 6\n", &[]);
    run.status(2)
        .says("a program is not its own truth")
        .says("--answer")
        .says("grader accept")
        .says("--reference one.sh");
    assert!(!workspace.path("sum/2.in").exists());
    // What is said to do works.
    call("5 6\n", &["--reference", "one.sh"]).status(0).shows("by        one.sh");
    assert_eq!(workspace.read("sum/2.ans"), "11\n");
    workspace.file("sum/3.in", "7 7\n");
    Call::any(&workspace.path("sum"), &["accept", ".", "3", "--yes"]).run().status(0);
    assert_eq!(workspace.read("sum/3.ans"), "14\n");
}

#[apply(cli_test)]
fn a_blank_line_is_no_input() {
    let workspace = Workspace::bare();
    workspace.file("sum/one.sh", "echo 0\n");
    for more in [&["add", "."][..], &["add", ".", "--answer", "0"]] {
        Call::any(&workspace.path("sum"), more).input("\n").run().status(1).says("the input is empty");
    }
    assert!(!workspace.path("sum/1.in").exists());
    // Somebody who means it has a file.
    workspace.file("blank", "\n");
    Call::any(&workspace.path("sum"), &["add", ".", "../blank", "--answer", "0"]).run().status(0).shows("added 1");
}

#[apply(cli_test)]
fn a_given_answer_is_checked() {
    let workspace = Workspace::with_sum();
    add(&workspace, "7 7\n", &["sum", "--answer", "14"]).status(0).silent().shows("added secret/04");
    let run = refused(&workspace, "8 7\n", &["sum", "--answer", "14"], 1, &["the given answer does not agree"]);
    run.shows("expected `15`, got `14`").shows("the given answer").says("--accept answer");
    add(&workspace, "8 7\n", &["sum", "--answer", "14", "--accept", "answer"])
        .status(0)
        .shows("the reference disagrees");
    assert_eq!(workspace.read("testcases/sum/secret/05.ans"), "14\n");
    add(&workspace, "9 7\n", &["sum", "--answer", "14", "--accept", "reference"]).status(0);
    assert_eq!(workspace.read("testcases/sum/secret/06.ans"), "16\n");
}

#[apply(cli_test)]
fn an_answer_may_be_a_file() {
    let workspace = Workspace::with_sum();
    workspace.file("mine.txt", "14\n");
    add(&workspace, "7 7\n", &["sum", "--answer", "mine.txt"]).status(0).shows("added secret/04");
    refused(&workspace, "7 8\n", &["sum", "--answer", "yours.txt"], 2, &["there is no such file"]);
}

#[apply(cli_test)]
fn accepted_submissions_that_differ_are_shown() {
    let workspace = Workspace::with_sum();
    let small = "read a b\n[ $a -lt 100 ] && echo $((a + b)) || echo 7\n";
    workspace.problem("sum").submission("accepted/small.sh", small).toml("reference = \"sum.sh\"\n");
    let run = refused(&workspace, "100 5\n", &["sum"], 1, &["accepted/small.sh does not agree with accepted/sum.sh"]);
    run.shows("accepted/sum.sh and accepted/small.sh differ").shows("expected `105`, got `7`");
    run.says("grader add sum --accept reference");
    add(&workspace, "100 5\n", &["sum", "--accept", "reference"]).status(0);
    assert_eq!(workspace.read("testcases/sum/secret/04.ans"), "105\n");
}

#[apply(cli_test)]
fn an_accepted_submission_that_fails_is_shown() {
    let workspace = Workspace::with_sum();
    let crashes = "read a b\n[ $a -lt 100 ] || exit 5\necho $((a + b))\n";
    workspace.problem("sum").submission("accepted/crashes.sh", crashes).toml("reference = \"sum.sh\"\n");
    let run = refused(&workspace, "100 5\n", &["sum"], 1, &["accepted/crashes.sh does not agree"]);
    run.shows("accepted/crashes.sh: RTE: exit code 5");
}

#[apply(cli_test)]
fn an_output_validator_judges_the_answers() {
    let workspace = Workspace::with_sum();
    // Any number of the same parity is right.
    let validator = "read answer < $2\nread output\n[ $((answer % 2)) = $((output % 2)) ] && exit 42\necho parity > $3/judgemessage.txt\nexit 43\n";
    workspace
        .problem("sum")
        .file("output_validator/validate.sh", validator)
        .submission("accepted/other.sh", "read a b\necho $((a + b + 2))\n")
        .toml("reference = \"sum.sh\"\n");
    add(&workspace, "3 3\n", &["sum"]).status(0).shows("answer    6").shows("agree     accepted/other.sh");
    add(&workspace, "3 4\n", &["sum", "--answer", "9"]).status(0);
    assert_eq!(workspace.read("testcases/sum/secret/05.ans"), "7\n");
    let run = refused(&workspace, "3 5\n", &["sum", "--answer", "9"], 1, &["the given answer does not agree"]);
    run.shows("parity");
    workspace.problem("sum").file("output_validator/validate.sh", "exit 43\n");
    refused(&workspace, "3 5\n", &["sum"], 1, &["the output validator rejects what accepted/sum.sh prints"]);
    workspace.problem("sum").file("output_validator/validate.sh", "exit 7\n");
    refused(&workspace, "3 5\n", &["sum"], 3, &["judge error", "exit code 7"]);
}

#[apply(cli_test)]
fn an_interactive_case_is_tried() {
    let workspace = Workspace::new();
    let echo = "read n < $1\necho $n\nread said\n[ \"$said\" = $((n + 1)) ] && exit 42\nexit 43\n";
    workspace
        .problem("next")
        .toml("type = \"interactive\"\n")
        .file("output_validator/talk.sh", echo)
        .submission("accepted/next.sh", "read n\n[ $n = 13 ] || n=$((n + 1))\necho $n\n")
        .submission("wrong_answer/same.sh", "read n\necho $n\n")
        .case("secret/01", "1\n", "");
    let run = add(&workspace, "7\n", &["next"]);
    run.status(0).shows("added secret/02").shows("the output validator accepts accepted/next.sh");
    run.shows("wrong_answer/same.sh (WA)").hides("answer  ");
    assert_eq!(workspace.read("testcases/next/secret/02.ans"), "");
    refused(&workspace, "13\n", &["next"], 1, &["the reference accepted/next.sh is not accepted"]);
}

#[apply(cli_test)]
fn a_folder_adds_pairs() {
    let workspace = Workspace::with_sum();
    workspace.file("new/a.in", "20 1\n").file("new/a.out", "21\n").file("new/b.in", "20 2\n").file("new/README.md", "");
    workspace.file("new/.hidden.in", "");
    let run = add(&workspace, "", &["sum", "new"]);
    run.status(0).shows("added secret/a").shows("added secret/b");
    assert_eq!(workspace.read("testcases/sum/secret/b.ans"), "22\n");
    assert_eq!(files(&workspace).len(), 12);
}

#[apply(cli_test)]
fn a_folder_may_hold_groups() {
    let workspace = Workspace::with_sum();
    workspace.file("new/data/sample/2.in", "20 1\n").file("new/data/secret/large/1.in", "20 2\n");
    let run = add(&workspace, "", &["sum", "new"]);
    run.status(0).shows("added sample/2").shows("added secret/large/1");
    workspace.file("two/a/1.in", "30 1\n").file("two/b/1.in", "30 2\n");
    refused(&workspace, "", &["sum", "two"], 2, &["cases in several folders: a, b", "sample"]);
}

#[apply(cli_test)]
fn what_belongs_to_a_case_comes_along() {
    let workspace = Workspace::with_sum();
    let more = "read a b\necho $((a + b + `cat more 2>/dev/null || echo 0` + ${1:-0}))\n";
    workspace
        .problem("sum")
        .submission("accepted/sum.sh", more)
        .submission("wrong_answer/no_files.sh", SUM)
        .file("input_validators/check.sh", "[ \"$1\" != 7 ] || [ -f more ] && exit 42\necho no file >&2\nexit 43\n");
    workspace
        .file("new/a.in", "20 1\n")
        .file("new/a.yaml", "args: ['7']\ndescription: with a file\n")
        .file("new/a.files/more", "100\n")
        .file("new/a.files/deep/x.in", "no case\n")
        .file("new/b.in", "20 2\n")
        .file("new/picture.png", "no part of a case");
    let run = add(&workspace, "", &["sum", "new"]);
    run.status(0)
        .shows("added secret/a")
        .shows("with      .files/deep/x.in, .files/more, .yaml")
        .shows("added secret/b");
    assert_eq!(workspace.read("testcases/sum/secret/a.ans"), "128\n");
    assert_eq!(workspace.read("testcases/sum/secret/a.files/deep/x.in"), "no case\n");
    assert_eq!(workspace.read("testcases/sum/secret/b.ans"), "22\n");
    run.shows("secret/a: wrong_answer/no_files.sh (WA)");
    workspace.run(&["-t", "secret/a", "-t", "secret/b"]).status(0);
    // The validator is asked as it will be, and what cannot hold is refused.
    workspace.file("bad/c.in", "20 3\n").file("bad/c.yaml", "args: ['7']\n");
    refused(&workspace, "", &["sum", "bad"], 1, &["bad: c: rejected by", "no file"]);
    refused(&workspace, "", &["sum", "bad", "--note", "x"], 2, &["c.yaml already", "`description`"]);
    workspace.file("bad/c.yaml", "\nargs: {a: b}\n").file("bad/test_group.yaml", "args: ['7']\n");
    refused(
        &workspace,
        "",
        &["sum", "bad"],
        2,
        &["c.yaml: line 2: ", "bad/test_group.yaml: grader adds cases without the configuration of their group"],
    );
}

#[apply(cli_test)]
fn a_folder_is_added_whole_or_not_at_all() {
    let workspace = Workspace::with_sum();
    workspace.file("new/04.in", "20 1\n").file("new/05.in", "20 2\n").file("new/05.ans", "23\n");
    let run = refused(&workspace, "", &["sum", "new"], 1, &["new: 05: the given answer does not agree"]);
    run.shows("expected `22`, got `23`");
    workspace.file("new/03.in", "20 3\n").file("new/06.ans", "23\n");
    refused(
        &workspace,
        "",
        &["sum", "new"],
        2,
        &["a test secret/03 exists already", "new: 06: an answer without an input"],
    );
}

#[apply(cli_test)]
fn a_zip_adds_pairs() {
    let workspace = Workspace::with_sum();
    let cases: [(&str, &[u8]); 3] = [("x/a.in", b"20 1\n"), ("x/a.ans", b"21\n"), ("x/b.in", b"20 2\n")];
    zip(&workspace.path("new.zip"), &cases);
    add(&workspace, "", &["sum", "new.zip"]).status(0).shows("added secret/a").shows("added secret/b");
    assert_eq!(workspace.read("testcases/sum/secret/b.ans"), "22\n");
}

#[apply(cli_test)]
fn a_zip_that_leaves_the_folder() {
    let workspace = Workspace::with_sum();
    for name in ["../../evil.in", "/tmp/evil.in", "a/../../evil.in", "..\\evil.in"] {
        zip(&workspace.path("new.zip"), &[("fine.in", b"20 1\n"), (name, b"1 1\n")]);
        refused(&workspace, "", &["sum", "new.zip"], 2, &["new.zip", "evil.in", "nothing was written"]);
    }
    assert!(!workspace.path("evil.in").exists());
}

#[apply(cli_test)]
fn a_zip_bomb() {
    let workspace = Workspace::with_sum();
    let mut zip = ZipWriter::new(std::fs::File::create(workspace.path("bomb.zip")).unwrap());
    zip.start_file("1.in", SimpleFileOptions::default()).unwrap();
    let zeros = vec![0; 1 << 20];
    (0..300).for_each(|_| zip.write_all(&zeros).unwrap());
    zip.finish().unwrap();
    let run = refused(&workspace, "", &["sum", "bomb.zip"], 2, &["1.in", "unpacks to"]);
    assert!(run.peak < 100 * 1024, "{} KiB", run.peak);
}

#[apply(cli_test)]
fn a_zip_that_is_none() {
    let workspace = Workspace::with_sum();
    workspace.file("no.zip", "hello\n");
    refused(&workspace, "", &["sum", "no.zip"], 2, &["no.zip", "not a readable archive"]);
}

#[apply(cli_test)]
fn a_link_in_a_folder_is_not_followed() {
    let workspace = Workspace::with_sum();
    workspace.file("new/a.in", "20 1\n");
    std::os::unix::fs::symlink("/etc/passwd", workspace.path("new/b.in")).unwrap();
    refused(&workspace, "", &["sum", "new"], 2, &["new/b.in: a link or a special file; skipped"]);
}

#[apply(cli_test)]
fn a_folder_without_cases() {
    let workspace = Workspace::with_sum();
    workspace.file("new/a.txt", "20 1\n");
    refused(&workspace, "", &["sum", "new"], 2, &["new: no test case in it", ".in"]);
}

#[apply(cli_test)]
fn a_duplicate_names_the_case() {
    let workspace = Workspace::with_sum();
    refused(&workspace, "10 5\n", &["sum"], 1, &["standard input: the same input as the test secret/02"]);
    refused(&workspace, "1 2\n", &["sum", "--name", "x"], 1, &["the same input as the test sample/1"]);
}

#[apply(cli_test)]
fn two_new_cases_with_one_input() {
    let workspace = Workspace::with_sum();
    workspace.file("a", "9 9\n").file("b", "9 9\n");
    refused(&workspace, "", &["sum", "a", "b"], 1, &["b: the same input as a"]);
}

#[apply(cli_test)]
fn a_name_that_exists() {
    let workspace = Workspace::with_sum();
    refused(&workspace, "9 9\n", &["sum", "--name", "02"], 2, &["a test secret/02 exists already", "--name"]);
}

#[apply(cli_test)]
fn a_bad_name() {
    let workspace = Workspace::with_sum();
    for name in ["../x", "a b", ".x", "x.in", "", "secret/x"] {
        refused(&workspace, "9 9\n", &["sum", "--name", name], 2, &["--name"]);
    }
    assert!(!workspace.path("testcases/sum/x.in").exists());
}

#[apply(cli_test)]
fn an_unknown_group() {
    let workspace = Workspace::with_sum();
    let says = ["no group is called `secrte`", "did you mean `secret`?", "--new-group"];
    refused(&workspace, "9 9\n", &["sum", "--group", "secrte"], 2, &says);
    for group in ["../x", "etc", "sample/x", "secret/a/b"] {
        let args = ["sum", "--group", group, "--new-group"];
        refused(&workspace, "9 9\n", &args, 2, &["cannot be the name of a group", "`secret/NAME`"]);
    }
    add(&workspace, "9 9\n", &["sum", "--group", "secret/big", "--new-group"]).status(0).shows("added secret/big/01");
}

#[apply(cli_test)]
fn a_rejected_input() {
    let workspace = Workspace::with_sum();
    let validator = "read a b\n[ $a -gt 0 ] && exit 42\necho \"line 1: $a is not positive\"\nexit 43\n";
    workspace.problem("sum").file("input_validators/check.sh", validator);
    let says = ["rejected by input_validators/check.sh: line 1: -7 is not positive", "nothing was written"];
    refused(&workspace, "-7 3\n", &["sum"], 1, &says);
    add(&workspace, "7 3\n", &["sum"]).status(0);
}

#[apply(cli_test)]
fn a_broken_validator_is_a_judge_error() {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").file("input_validators/check.sh", "exit 9\n");
    refused(&workspace, "7 3\n", &["sum"], 3, &["judge error", "check.sh", "exit code 9"]);
}

#[apply(cli_test)]
fn a_reference_that_fails() {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").submission("accepted/sum.sh", "read a b\n[ $a -lt 100 ] || exit 3\necho $((a + b))\n");
    refused(&workspace, "100 3\n", &["sum"], 1, &["the reference accepted/sum.sh fails on it: RTE: exit code 3"]);
    workspace
        .problem("sum")
        .file("submissions/accepted/sum.sh", "if\n")
        .file("submissions/accepted/sum.rs", "fn main( {}");
    workspace.problem("sum").toml("reference = \"sum.rs\"\n");
    refused(&workspace, "100 3\n", &["sum"], 2, &["sum.rs does not compile"]);
}

#[apply(cli_test)]
fn a_reference_that_is_too_slow() {
    let workspace = Workspace::with_sum();
    workspace
        .problem("sum")
        .submission("accepted/sum.sh", "while :; do :; done\n")
        .toml("[limits]\ntime_limit = 0.1\n");
    refused(&workspace, "100 3\n", &["sum"], 1, &["the reference accepted/sum.sh fails on it: TLE"]);
}

#[apply(cli_test)]
fn no_reference_and_no_answer() {
    let workspace = Workspace::bare();
    workspace.file("sum/one.sh", SUM).file("sum/two.sh", SUM).file("sum/1.in", "1 1\n");
    let run = Call::any(&workspace.path("sum"), &["add", "."]).input("5 6\n").run();
    run.status(2).says("no answer, and a program is not its own truth").says("--answer");
}

#[apply(cli_test)]
fn an_empty_input() {
    let workspace = Workspace::with_sum();
    refused(&workspace, "", &["sum"], 1, &["standard input: the input is empty"]);
}

#[apply(cli_test)]
fn a_file_that_is_not_there() {
    let workspace = Workspace::with_sum();
    workspace.file("there", "6 6\n");
    refused(&workspace, "", &["sum", "nope", "there", "neither"], 2, &["nope: No such file", "neither: No such file"]);
    refused(&workspace, "", &["smu", "there"], 2, &["did you mean `sum`?"]);
}

#[apply(cli_test)]
#[needs(&[Need::NoRoot])]
fn a_directory_that_cannot_be_written() {
    use std::os::unix::fs::PermissionsExt as _;
    let workspace = Workspace::with_sum();
    let dir = workspace.path("testcases/sum");
    std::fs::set_permissions(&dir, std::fs::Permissions::from_mode(0o555)).unwrap();
    let run = add(&workspace, "9 9\n", &["sum"]);
    std::fs::set_permissions(&dir, std::fs::Permissions::from_mode(0o755)).unwrap();
    run.status(2).says("cannot write test cases").says("ermission denied");
    assert_eq!(run.stderr.matches("ermission denied").count(), 1, "told once: {}", run.all());
}

#[apply(cli_test)]
fn an_answer_that_is_there_already_is_not_overwritten() {
    let workspace = Workspace::with_sum();
    workspace.file("testcases/sum/secret/x.ans", "mine\n");
    refused(&workspace, "9 9\n", &["sum", "--name", "x"], 2, &["x.ans"]);
    assert_eq!(workspace.read("testcases/sum/secret/x.ans"), "mine\n");
}

#[apply(cli_test)]
fn hostile_words_of_a_validator_are_escaped() {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").file("input_validators/check.sh", "printf '\\033[2Jgone'\nexit 43\n");
    let run = refused(&workspace, "9 9\n", &["sum"], 1, &["gone"]);
    assert!(!run.stderr.contains('\x1b'), "{}", run.all());
}

/// Two accepted submissions of a package, of which neither is marked; one of them is wrong.
#[apply(cli_test)]
fn the_reference_can_be_chosen_for_one_call() {
    let package = packages::package(&[
        ("problem.yaml", packages::CURRENT),
        ("data/secret/1.in", "1 2\n"),
        ("data/secret/1.ans", "3\n"),
        ("submissions/accepted/less.sh", "read a b\necho $((a - b))\n"),
        ("submissions/accepted/sum.sh", SUM),
        ("generators/two.sh", "echo $1 $2\n"),
        ("generators/generators.yaml", "data:\n  secret:\n    data:\n      made: two.sh 4 {seed}\n"),
    ]);
    package.file("9.in", "5 6\n");
    let choose = "choose one of accepted/less.sh, accepted/sum.sh for this call: --reference accepted/less.sh";
    let mark = "`accepted/less.sh: {model_solution: true}` in submissions/submissions.yaml";
    let calls: [&[&str]; 4] =
        [&["add", "p", "9.in"], &["accept", "p", "--yes"], &["gen", "p"], &["stress", "p", "less.sh", "--count", "3"]];
    for words in calls {
        package.grader(words).status(2).says(choose).says(mark);
    }
    let with = |words: &[&str], reference: &str| package.grader(&[words, &["--reference", reference]].concat());
    with(calls[0], "accepted/sum.sh").status(1).says("accepted/less.sh");
    with(&["add", "p", "9.in", "--accept", "reference"], "sum.sh").status(0).shows("by        accepted/sum.sh");
    assert_eq!(package.read("problems/p/data/secret/2.ans"), "11\n");
    with(calls[2], "submissions/accepted/sum.sh").status(0).shows("new      secret/made");
    with(calls[3], "sum.sh").status(1).shows("WA").shows("--reference sum.sh");
    with(calls[1], "less.sh").status(0).shows("3 written");
    assert_eq!(package.read("problems/p/data/secret/2.ans"), "-1\n");
    with(calls[0], "sum.py").status(2).says("`--reference`: no submission `sum.py`").says("did you mean");
}
