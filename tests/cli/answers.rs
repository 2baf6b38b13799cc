//! Problems where a submission is the answers to the cases: nothing is run.

use std::io::{Cursor, Write as _};

use macro_rules_attribute::apply;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::cli::need::Need;
use crate::cli::run::Call;
use crate::cli::workspace::Workspace;

pub(crate) const YAML: &str =
    "problem_format_version: 2025-09\nname: {en: Sums}\ntype: submit-answer\nlimits: {time_limit: 1}\n";

/// Three cases in two groups, and more files.
pub(crate) fn sums(files: &[(&str, &str)]) -> Workspace {
    let workspace = Workspace::new();
    let own = [
        ("problem.yaml", YAML),
        ("data/sample/1.in", "1 2\n"),
        ("data/sample/1.ans", "3\n"),
        ("data/secret/01.in", "2 2\n"),
        ("data/secret/01.ans", "4\n"),
        ("data/secret/02.in", "5 5\n"),
        ("data/secret/02.ans", "10\n"),
    ];
    for (name, text) in own.iter().chain(files) {
        workspace.file(format!("problems/p/{name}"), text);
    }
    workspace
}

/// An archive of these files.
pub(crate) fn zip(files: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in files {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// The archive with the bytes of each field of its directory at this offset replaced: what it says, not what it holds.
pub(crate) fn lying(mut zip: Vec<u8>, offset: usize, bytes: &[u8]) -> Vec<u8> {
    for at in 0..zip.len() - 4 {
        if zip[at..at + 4] == *b"PK\x01\x02" {
            zip[at + offset..at + offset + bytes.len()].copy_from_slice(bytes);
        }
    }
    zip
}

/// Where an archive says how large a file is unpacked.
pub(crate) const SIZE: usize = 24;

/// All answers, by several ways of naming them.
pub(crate) const RIGHT: &[(&str, &str)] = &[
    ("submissions/accepted/all/sample/1.out", "3\n"),
    ("submissions/accepted/all/secret/01.ans", "4\n"),
    ("submissions/accepted/all/02", "10\n"),
];

#[apply(cli_test)]
fn directories_of_answers_are_judged_as_labelled() {
    let wrong = [
        ("submissions/wrong_answer/off/1.out", "3\n"),
        ("submissions/wrong_answer/off/01.out", "5\n"),
        ("submissions/wrong_answer/off/02.out", "10\n"),
        ("submissions/submissions.yaml", "wrong_answer/off:\n  secret/02:\n    permitted: [AC]\n"),
    ];
    let workspace = sums(&[RIGHT, &wrong].concat());
    let run = workspace.run(&["--all-tests"]);
    run.status(0).silent().ends("accepted/all", "AC", "met").ends("wrong_answer/off", "WA", "met");
    run.judged("wrong_answer/off", "secret/01", "WA", "expected `4`, got `5`").judged(
        "wrong_answer/off",
        "secret/02",
        "AC",
        "",
    );
    // The same is said of what is kept from before, and after a change.
    workspace.run(&[]).status(0);
    workspace.file("problems/p/submissions/accepted/all/02", "11\n");
    workspace
        .run(&[])
        .status(1)
        .judged("accepted/all", "secret/02", "WA", "expected `10`, got `11`")
        .shows("expected `10`, got `11`");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn an_output_validator_judges_answers() {
    let validator = "import sys\ntotal = sum(map(int, open(sys.argv[1]).read().split()))\nanswer = sys.stdin.read().split()\n\
                     if answer == [str(total)]: sys.exit(42)\nopen(sys.argv[3] + 'judgemessage.txt', 'w').write(f'not {total}\\n')\nsys.exit(43)\n";
    let wrong = [
        ("output_validator/v.py", validator),
        ("submissions/wrong_answer/off/sample/1.out", "3\n"),
        ("submissions/wrong_answer/off/secret/01.out", "5\n"),
    ];
    let run = sums(&[RIGHT, &wrong].concat()).run(&[]);
    run.status(0).ends("accepted/all", "AC", "met").judged("wrong_answer/off", "secret/01", "WA", "not 4");
    let broken = [("output_validator/v.py", "import sys\nsys.exit(1)\n")];
    sums(&[RIGHT, &broken].concat()).run(&[]).status(3).ends("accepted/all", "-", "judge_error");
}

#[apply(cli_test)]
fn a_single_case_is_answered_by_a_single_file() {
    let workspace = Workspace::new();
    for (name, text) in [
        ("problem.yaml", YAML),
        ("data/secret/only.in", "1 2\n"),
        ("data/secret/only.ans", "3\n"),
        ("submissions/accepted/anything.txt", "3\n"),
        ("submissions/accepted/folder/only.out", "3\n"),
        ("submissions/wrong_answer/other.py", "print(3)\n"),
    ] {
        workspace.file(format!("problems/p/{name}"), text);
    }
    let run = workspace.run(&[]);
    run.status(0).ends("accepted/anything.txt", "AC", "met").ends("accepted/folder", "AC", "met");
    run.ends("wrong_answer/other.py", "WA", "met");
}

#[apply(cli_test)]
fn native_problems_are_answered_too() {
    let workspace = Workspace::with_sum();
    std::fs::remove_dir_all(workspace.path("problems/sum/submissions")).unwrap();
    workspace
        .problem("sum")
        .toml("type = \"submit-answer\"\n")
        .submission("accepted/mine/1.out", "3\n")
        .submission("accepted/mine/01.out", "4\n")
        .submission("accepted/mine/02.out", "15\n")
        .submission("accepted/mine/03.out", "0\n")
        .submission("wrong_answer/swapped/1.out", "4\n")
        .submission("wrong_answer/swapped/01.out", "3\n");
    let run = workspace.run(&[]);
    run.status(0).silent().ends("accepted/mine", "AC", "met").ends("wrong_answer/swapped", "WA", "met");
    workspace.grader(&["list"]).status(0).shows("submit-answer");
}

#[apply(cli_test)]
fn points_for_those_that_are_answered() {
    let yaml = YAML.replace("submit-answer", "[submit-answer, scoring]");
    let part = [
        ("problem.yaml", &*yaml),
        ("submissions/partially_accepted/one/01.out", "4\n"),
        ("submissions/partially_accepted/one/1.out", "3\n"),
    ];
    let run = sums(&[RIGHT, &part].concat()).run(&["--all-tests"]);
    run.status(0).ends("accepted/all", "AC", "met").ends("partially_accepted/one", "WA", "met").shows("50");
}

#[apply(cli_test)]
fn an_answer_that_is_missing_is_wrong() {
    let part = [("submissions/accepted/part/1.out", "3\n"), ("submissions/accepted/part/01.out", "4\n")];
    let run = sums(&part).run(&[]);
    run.status(1).ends("accepted/part", "WA", "missed").judged(
        "accepted/part",
        "secret/02",
        "WA",
        "no answer was handed in",
    );
    run.judged("accepted/part", "secret/01", "AC", "").shows("no answer was handed in");
}

#[apply(cli_test)]
fn programs_are_not_run() {
    let program = [("submissions/accepted/sum.sh", "read a b\necho $((a + b))\n")];
    let run = sums(&[RIGHT, &program].concat()).run(&[]);
    run.status(2).says("sum.sh: a program, and no answer to any case").says("name it `sample/1.out`");
    let workspace = sums(RIGHT);
    workspace.file("mine.sh", "read a b\necho $((a + b))\n");
    workspace.run(&["p", "mine.sh"]).status(2).says("it runs no programs").says("grader judge p PATH");
    workspace.run(&["p", "-c", "cat"]).status(2).says("it runs no programs");
}

#[apply(cli_test)]
fn names_that_are_not_clear_are_refused() {
    let twice = [("submissions/accepted/all/secret/02.out", "10\n")];
    sums(&[RIGHT, &twice].concat()).run(&[]).status(2).says("2 files for secret/02").says("keep one");
    let both =
        [("data/sample/01.in", "1 1\n"), ("data/sample/01.ans", "2\n"), ("submissions/accepted/x/01.out", "2\n")];
    sums(&both).run(&[]).status(2).says("x/01.out").says("could be sample/01 or secret/01");
    let strange = [("submissions/accepted/all/notes.txt", "hello\n")];
    sums(&[RIGHT, &strange].concat()).run(&[]).status(0).says("notes.txt").says("has the name of no case");
}

#[apply(cli_test)]
fn links_in_submissions() {
    let workspace = sums(RIGHT);
    let answer = workspace.path("problems/p/submissions/accepted/all/02");
    std::fs::remove_file(&answer).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", &answer).unwrap();
    let run = workspace.run(&[]);
    run.status(2).says("symbolic link leaves the problem");
    assert!(!run.all().contains("root:"), "{}", run.all());
}

#[apply(cli_test)]
fn archives_are_judged_as_labelled() {
    let workspace =
        sums(&[("submissions/submissions.yaml", "wrong_answer/off.zip:\n  sample/1:\n    permitted: [AC]\n")]);
    // As people pack: with a folder around it, and what their system leaves in it.
    let right = [
        ("answers/sample/1.out", "3\n"),
        ("answers/secret/01.ans", "4\n"),
        ("answers/02", "10\n"),
        ("__MACOSX/answers/._02", "x"),
        ("answers/.DS_Store", "x"),
    ];
    workspace.file("problems/p/submissions/accepted/all.zip", zip(&right));
    workspace.file("problems/p/submissions/wrong_answer/off.zip", zip(&[("1.out", "3\n"), ("01.out", "5\n")]));
    std::fs::create_dir(workspace.path("tmp")).unwrap();
    let run = workspace.call(&["--all-tests"]).env("TMPDIR", workspace.path("tmp")).run();
    run.status(0).silent().ends("accepted/all.zip", "AC", "met").ends("wrong_answer/off.zip", "WA", "met");
    run.judged("wrong_answer/off.zip", "sample/1", "AC", "");
    run.judged("wrong_answer/off.zip", "secret/01", "WA", "expected `4`, got `5`");
    run.judged("wrong_answer/off.zip", "secret/02", "WA", "no answer was handed in");
    assert_eq!(std::fs::read_dir(workspace.path("tmp")).unwrap().count(), 0);
    workspace.grader(&["list", "-v"]).status(0).shows("accepted/all.zip").shows("outputs").hides("no sources");
    for words in [&["p", "-s", "accepted/all.zip"][..], &["problems/p/submissions/accepted/all.zip"]] {
        workspace.run(words).status(0).ends("accepted/all.zip", "AC", "met");
    }
    // What is wrong of it is found by `verify` too, and a change is judged anew.
    workspace.grader(&["verify", "p"]).status(0);
    workspace.file("problems/p/submissions/accepted/all.zip", zip(&[("1", "3\n"), ("01", "4\n"), ("02", "11\n")]));
    workspace.run(&[]).status(1).judged("accepted/all.zip", "secret/02", "WA", "expected `10`, got `11`");
    let run = workspace.grader(&["verify", "p"]);
    run.status(1).shows("accepted/all.zip").shows("grader run p -s accepted/all.zip");
    // A package that is an archive itself.
    let mut files: Vec<(&str, String)> = Vec::new();
    for name in ["problem.yaml", "data/sample/1.in", "data/sample/1.ans"] {
        files.push((name, workspace.read(format!("problems/p/{name}"))));
    }
    let mut package = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in &files {
        package.start_file(*name, SimpleFileOptions::default()).unwrap();
        package.write_all(text.as_bytes()).unwrap();
    }
    package.start_file("submissions/accepted/a.zip", SimpleFileOptions::default()).unwrap();
    package.write_all(&zip(&[("whatever.txt", "3\n")])).unwrap();
    workspace.file("q.zip", package.finish().unwrap().into_inner());
    workspace.run(&["q.zip"]).status(0).ends("accepted/a.zip", "AC", "met");
}

#[apply(cli_test)]
fn archives_that_are_refused_are_told_all_at_once() {
    let workspace = sums(RIGHT);
    let fine = zip(&[("sample/1.out", "3\n"), ("secret/01.out", "4\n")]);
    let three = zip(&[("1", "3\n"), ("01", "4\n"), ("02", "10\n")]);
    let mut link = ZipWriter::new(Cursor::new(Vec::new()));
    link.add_symlink("1.out", "/etc/passwd", SimpleFileOptions::default()).unwrap();
    let mut damaged = fine.clone();
    // The first byte of the first file's content, behind its header and name.
    damaged[30 + "sample/1.out".len()] ^= 1;
    let bad = [
        ("text", b"no archive".to_vec(), "not a readable archive"),
        ("cut", fine[..fine.len() / 2].to_vec(), "not a readable archive"),
        ("damaged", damaged, "not a readable archive: `sample/1.out`"),
        (
            "bomb",
            lying(fine.clone(), SIZE, &(65_u32 << 20).to_le_bytes()),
            "unpacks to 65 MiB; grader unpacks at most 64 MiB",
        ),
        (
            "large",
            lying(three, SIZE, &(60_u32 << 20).to_le_bytes()),
            "together unpack to 180 MiB; grader unpacks at most 128 MiB",
        ),
        ("leaves", zip(&[("../../1.out", "3\n")]), "leaves the folder"),
        ("absolute", zip(&[("/tmp/1.out", "3\n")]), "is an absolute path"),
        ("link", link.finish().unwrap().into_inner(), "is a symbolic link"),
        ("twice", zip(&[("1.out", "3\n"), ("./1.out", "4\n")]), "two entries are called `./1.out`"),
        ("clash", zip(&[("1.out", "3\n"), ("sample/1.out", "3\n")]), "2 files for sample/1"),
        ("empty", zip(&[]), "no answer to any case"),
        ("nested", zip(&[("all.zip", "PK")]), "no answer to any case"),
        ("program", zip(&[("main.py", "print(3)\n")]), "a program, and no answer to any case"),
    ];
    for (name, bytes, _) in &bad {
        workspace.file(format!("problems/p/submissions/accepted/{name}.zip"), bytes);
    }
    let run = workspace.run(&[]);
    run.status(2);
    for (name, _, told) in &bad {
        run.says(&format!("accepted/{name}.zip")).says(told);
    }
    run.says("pack it again, or put the files into a directory");
    // Nothing is judged of a problem with errors, and the others are.
    workspace.sum("sum");
    workspace.run(&[]).status(2).ends("accepted/sum.sh", "AC", "met");
}

#[apply(cli_test)]
fn names_that_are_nearly_right_are_told() {
    let near = [
        ("submissions/wrong_answer/near/Sample/1.OUT", "3\n"),
        ("submissions/wrong_answer/near/01.out.txt", "4\n"),
        ("submissions/wrong_answer/near/02.out", "10\n"),
        ("submissions/wrong_answer/near/99.out", "10\n"),
    ];
    let run = sums(&[RIGHT, &near].concat()).run(&["--all-tests"]);
    run.status(0).says("did you mean `sample/1.out`?").says("did you mean `secret/01.out`?");
    run.says("99.out: has the name of no case").judged("wrong_answer/near", "secret/02", "AC", "");
    run.judged("wrong_answer/near", "sample/1", "WA", "no answer was handed in");
}

#[apply(cli_test)]
fn an_answer_over_the_limit() {
    let workspace = sums(RIGHT);
    workspace.file("problems/p/submissions/run_time_error/big/1.out", vec![b'3'; 9 << 20]);
    let run = workspace.run(&[]);
    run.status(0).judged("run_time_error/big", "sample/1", "OLE", "more than 8 MiB of output");
}

#[apply(cli_test)]
fn what_is_handed_in_is_answers() {
    let workspace = sums(RIGHT);
    workspace
        .file("ann/1.out", "3\n")
        .file("ann/01.out", "4\n")
        .file("ann/02.out", "10\n")
        .file("ann/main.py", "print(3)\n");
    workspace.file("bob/1.out", "3\n").file("bob/01.out", "9\n");
    workspace.file("eve.zip", zip(&[("sample/1.txt", "3\n"), ("secret/01.txt", "4\n"), ("secret/02.txt", "10\n")]));
    let judge = |args: &[&str]| Call::recorded(&workspace.path(""), &[&["judge"], args].concat()).run();
    let run = judge(&["p", "ann", "bob"]);
    run.status(1).ends("ann", "AC", "met").says("unexpected: ann/main.py");
    // Nothing is run, so that the limits of programs say nothing.
    run.shows("p  3 tests\n").hides("MiB");
    run.judged("bob", "secret/01", "WA", "expected `4`, got `9`").judged(
        "bob",
        "secret/02",
        "WA",
        "no answer was handed in",
    );
    judge(&["p", "eve.zip", "--pattern", "{test}.txt"]).status(0).ends("eve.zip", "AC", "met");
    judge(&["p", "ann/01.out", "-t", "secret/01"]).status(0).ends("ann/01.out", "AC", "met");
    workspace.grader(&["check", "p", "ann"]).status(0);
}

#[apply(cli_test)]
fn commands_that_run_programs_say_so() {
    let workspace = sums(RIGHT);
    workspace.grader(&["time-limit", "p"]).status(2).says("it runs no programs");
    workspace.grader(&["accept", "p"]).status(2).says("submit-answer");
    workspace.grader(&["stress", "p", "all", "--gen", "gen {seed}"]).status(2).says("p ");
}
