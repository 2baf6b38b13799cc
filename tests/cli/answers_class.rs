//! What classes hand in for submit-answer problems: folders, archives and single files of outputs, beside programs for others.

use macro_rules_attribute::apply;

use crate::cli::answers::{RIGHT, SIZE, lying, sums, zip};
use crate::cli::run::{Call, Run};
use crate::cli::workspace::{SUM, Workspace};

#[track_caller]
fn judge(workspace: &Workspace, args: &[&str]) -> Run {
    Call::recorded(&workspace.path(""), &[&["judge"], args].concat()).run()
}

/// The row of a student, its words joined by one space.
#[track_caller]
fn row(run: &Run, student: &str) -> String {
    let line = run.stdout.lines().find(|line| line.starts_with(student));
    let line = line.unwrap_or_else(|| panic!("no row of {student}; {}", run.all()));
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

const ALL: &[(&str, &str)] = &[("sample/1.out", "3\n"), ("secret/01.out", "4\n"), ("secret/02.out", "10\n")];

/// `p` of type submit-answer, with what is handed in for it.
fn handed_in(files: &[(&str, &str)]) -> Workspace {
    let workspace = sums(RIGHT);
    for (name, text) in files {
        workspace.file(name, text);
    }
    workspace
}

#[apply(cli_test)]
fn a_class_hands_in_folders_and_archives() {
    let files = [
        ("class/ann/p/1.out", "3\n"),
        ("class/ann/p/01.out", "4\n"),
        ("class/ann/p/02.out", "10\n"),
        ("class/bob/p/deeper/1.out", "3\n"),
        ("class/bob/p/deeper/02.out", "11\n"),
    ];
    let workspace = handed_in(&files);
    workspace.file("class/eve/p.zip", zip(ALL)).file("class/dan/p/all.zip", zip(ALL));
    let run = judge(&workspace, &["class", "--layout", "{student}/{problem}"]);
    run.status(1).silent();
    for (student, told) in [("ann", "AC 3/3"), ("bob", "WA 1/3"), ("dan", "AC 3/3"), ("eve", "AC 3/3")] {
        assert!(row(&run, student).contains(told), "{}", run.all());
    }
    run.judged("bob/p", "secret/01", "WA", "no answer was handed in");
    run.judged("bob/p", "secret/02", "WA", "expected `10`, got `11`");
    judge(&workspace, &["class", "--layout", "{student}/{problem}", "-v"]).shows("grader judge p class/bob/p");
    workspace.grader(&["judge", "p", "class/bob/p"]).status(1);
    // Without a problem in the layout.
    workspace.file("flat/ann.zip", zip(ALL)).file("flat/bob/1.out", "4\n");
    let run = judge(&workspace, &["p", "flat", "--layout", "{student}"]);
    run.status(1);
    assert!(row(&run, "ann").contains("AC 3/3") && row(&run, "bob").contains("WA 0/3"), "{}", run.all());
}

#[apply(cli_test)]
fn programs_and_outputs_under_one_layout() {
    let workspace = handed_in(&[]);
    workspace.sum("sum");
    workspace.file("class/ann/sum.sh", SUM).file("class/ann/p.zip", zip(ALL));
    workspace.file("class/bob/sum.sh", "echo 0\n").file("class/bob/p.py", "print(3)\n");
    let run = judge(&workspace, &["class", "--layout", "{student}/{problem}.*"]);
    run.status(2).says("class/bob/p.py: is a program, but p is of type submit-answer").says("students submit outputs");
    assert_eq!(row(&run, "ann").matches("AC").count(), 2, "{}", run.all());
    assert!(row(&run, "bob").contains("no output") && row(&run, "bob").contains("WA"), "{}", run.all());
    // Outputs for a problem where programs are.
    workspace.file("class/eve/sum.zip", zip(ALL));
    let run = judge(&workspace, &["class", "--layout", "{student}/{problem}.*"]);
    run.status(2).says("class/eve/sum.zip: is not a program");
    assert!(row(&run, "eve").contains("no program"), "{}", run.all());
    // Folders of both.
    workspace.file("dirs/ann/sum/main.sh", SUM).file("dirs/ann/P/1.out", "3\n");
    let run = judge(&workspace, &["dirs", "--layout", "{student}/{problem}"]);
    run.status(1).ends("ann/sum", "AC", "met");
    run.judged("ann/P", "secret/01", "WA", "no answer was handed in");
}

#[apply(cli_test)]
fn archives_within_the_archive_of_a_class() {
    let workspace = handed_in(&[]);
    workspace.sum("sum");
    let outer = |files: &[(&str, Vec<u8>)]| {
        let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        for (name, bytes) in files {
            zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
            std::io::Write::write_all(&mut zip, bytes).unwrap();
        }
        zip.finish().unwrap().into_inner()
    };
    let bomb = lying(zip(ALL), SIZE, &(65_u32 << 20).to_le_bytes());
    let files = [("ann/p.zip", zip(ALL)), ("ann/sum.sh", SUM.into()), ("bob/p.zip", bomb), ("cy/p.zip", b"x".to_vec())];
    workspace.file("class.zip", outer(&files));
    let run = judge(&workspace, &["class.zip", "--layout", "{student}/{problem}.*"]);
    run.status(2)
        .says("class.zip/bob/p.zip: ")
        .says("unpacks to 65 MiB")
        .says("class.zip/cy/p.zip: not a readable archive");
    assert_eq!(row(&run, "ann").matches("AC").count(), 2, "{}", run.all());
    assert!(row(&run, "bob").contains("archive refused") && row(&run, "cy").contains("archive refused"));
    // One whose problem does not exist, and one of everything that a student has.
    workspace.file("odd/ann/q.zip", zip(ALL)).file("odd/bob.zip", outer(&[("p.zip", zip(ALL))]));
    let run = judge(&workspace, &["odd", "--layout", "{student}/{problem}.*"]);
    run.status(2).says("odd/ann/q.zip: no problem is called `q`").ends("bob/p.zip", "AC", "met");
    // An archive for each student, with one for each problem in it.
    workspace.file("each/ann.zip", outer(&[("p.zip", zip(ALL))]));
    judge(&workspace, &["each", "--layout", "{student}/{problem}.*"]).status(0).ends("ann/p.zip", "AC", "met");
    workspace.file("deep.zip", outer(&[("ann.zip", outer(&[("p.zip", zip(ALL))]))]));
    judge(&workspace, &["deep.zip", "--layout", "{student}/{problem}.*"]).status(0).ends("ann/p.zip", "AC", "met");
    let packed = outer(&[("p.zip", outer(&[("p.zip", zip(ALL))]))]);
    workspace.file("deep.zip", outer(&[("ann.zip", outer(&[("p.zip", packed)]))]));
    let run = judge(&workspace, &["deep.zip", "--layout", "{student}/{problem}.*"]);
    run.status(2).says("deep.zip/ann/p/p/p.zip: an archive in 4 others; not opened");
    assert!(row(&run, "ann").contains("archive refused"), "{}", run.all());
}

#[apply(cli_test)]
fn exports_of_platforms_hold_outputs() {
    let workspace = handed_in(&[]);
    let all: Vec<(String, &str)> = ALL.iter().map(|(name, text)| (name.replace('/', "_"), *text)).collect();
    assert_eq!(all[0].0, "sample_1.out");
    workspace.file("moodle/Ann Lee_11_assignsubmission_file_/p.zip", zip(ALL));
    for (name, text) in [("1.out", "3\n"), ("01.out", "4\n"), ("02.out", "10\n")] {
        workspace.file(format!("moodle/Bo Smith_12_assignsubmission_file_{name}"), text);
    }
    let run = judge(&workspace, &["p", "moodle"]);
    run.status(0);
    assert!(row(&run, "Ann Lee_11").contains("AC 3/3") && row(&run, "Bo Smith_12").contains("AC 3/3"), "{}", run.all());
}

#[apply(cli_test)]
fn a_single_file_for_a_single_case() {
    let workspace = Workspace::new();
    for (name, text) in
        [("problem.yaml", crate::cli::answers::YAML), ("data/secret/only.in", "1 2\n"), ("data/secret/only.ans", "3\n")]
    {
        workspace.file(format!("problems/p/{name}"), text);
    }
    workspace.file("class/ann/p.txt", "3\n").file("class/bob/p.txt", "4\n").file("class/cy/p.py", "print(3)\n");
    workspace.file("class/dan/p.zip", zip(&[("folder/result.txt", "3\n")])).file("class/eve/p.txt", "");
    let run = judge(&workspace, &["class", "--layout", "{student}/{problem}.*"]);
    run.status(1).ends("ann/p.txt", "AC", "met").ends("dan/p.zip", "AC", "met");
    run.judged("bob/p.txt", "secret/only", "WA", "expected `3`, got `4`");
    run.judged("eve/p.txt", "secret/only", "WA", "");
    run.judged("cy/p.py", "secret/only", "WA", "").says("class/cy/p.py: looks like a program").says("as an output");
}

#[apply(cli_test)]
fn results_are_kept_and_the_same_is_judged_once() {
    let files = [("class/ann/p/1.out", "3\n"), ("class/ann/p/01.out", "4\n"), ("class/ann/p/02.out", "11\n")];
    let workspace = handed_in(&files);
    workspace.file("class/bob/p.zip", zip(&[("1", "3\n"), ("01", "4\n"), ("02", "11\n")]));
    let args = ["class", "--layout", "{student}/{problem}", "--out", "results", "--feedback", "all"];
    let run = judge(&workspace, &args);
    run.status(1).shows("p: 2 identical: ann, bob");
    assert!(workspace.read("results/students/ann/p.txt").contains("expected `10`, got `11`"));
    assert!(workspace.read("results/staff/bob/p.json").contains("\"accepted\": 2"));
    judge(&workspace, &args).status(1).shows("2 from an earlier run");
    // What changes is judged again, alone.
    workspace.file("class/ann/p/02.out", "10\n");
    let run = judge(&workspace, &args);
    run.status(1).shows("1 from an earlier run");
    assert!(row(&run, "ann").contains("AC 3/3") && row(&run, "bob").contains("WA 2/3"), "{}", run.all());
    // One submission, with results.
    judge(&workspace, &["p", "class/ann/p", "--out", "one"]).status(0);
    assert!(workspace.path("one").is_dir());
}

#[apply(cli_test)]
fn students_are_told_what_they_did_not_hand_in() {
    let workspace = handed_in(&[("class/ann/p/1.out", "3\n"), ("class/ann/p/01.out", "5\n")]);
    judge(&workspace, &["class", "--layout", "{student}/{problem}", "--out", "out"]).status(1);
    let text = workspace.read("out/students/ann/p.txt");
    assert!(text.contains("secret/01: wrong answer\nsecret/02: wrong answer: no answer was handed in\n"), "{text}");
}

#[apply(cli_test)]
fn what_is_no_output_is_told_and_stops_nobody() {
    let files = [
        ("class/ann/p/1.out", "3\n"),
        ("class/ann/p/sample/1.ans", "3\n"),
        ("class/bob/p/main.py", "print(3)\n"),
        ("class/cy/p/99.out", "3\n"),
        ("class/dan/p.out", "3\n"),
        ("class/eve/p/1.out", "3\n"),
        ("class/eve/p/01.out", ""),
        ("class/fay/p/1.out", "3\n"),
        ("class/fay/p.zip", "x"),
    ];
    let workspace = handed_in(&files);
    std::fs::create_dir_all(workspace.path("class/gus/p")).unwrap();
    let args = ["class", "--layout", "{student}/{problem}{,.*}", "--report", "gradebook=grades.csv"];
    let run = judge(&workspace, &args);
    run.status(2).says("2 files for sample/1: class/ann/p/1.out, class/ann/p/sample/1.ans").says("keep one");
    run.says("class/bob/p: no file in it has the name of a case of p; it contains a program (`main.py`)");
    run.says("class/cy/p: no file in it has the name of a case of p").says("`sample/1.out`");
    run.says("class/dan/p.out: has the name of none of the 3 cases of p").says("submit a folder or an archive");
    run.says("class/gus/p: contains no file").says("class/fay/p.zip: is beside a directory of the same name");
    for (student, told) in
        [("ann", "ambiguous"), ("bob", "no output"), ("cy", "no output"), ("dan", "no output"), ("gus", "no output")]
    {
        assert!(row(&run, student).contains(told), "{student}: {}", run.all());
        assert!(workspace.read("grades.csv").contains(&format!("\n{student},,,{told}")), "{}", run.all());
    }
    run.judged("eve/p", "secret/01", "WA", "").judged("eve/p", "sample/1", "AC", "");
}

#[apply(cli_test)]
fn several_students_without_a_layout() {
    let workspace = handed_in(&[("class/ann/1.out", "3\n"), ("class/bob/1.out", "3\n")]);
    let run = judge(&workspace, &["p", "class"]);
    run.status(2).says("2 files for sample/1: class/ann/1.out, class/bob/1.out");
    run.says("class: grader took all of it as one submission").says("--layout '{student}'");
    judge(&workspace, &["p", "class", "--layout", "{student}"]).status(1).ends("ann/ann", "WA", "met");
}

#[apply(cli_test)]
fn names_that_are_nearly_right() {
    let files = [
        ("class/ann/p/sample/1.txt", "3\n"),
        ("class/ann/p/secret/01.txt", "4\n"),
        ("class/ann/p/secret/02.txt", "10\n"),
        ("class/bob/p/1.OUT", "3\n"),
        ("class/bob/p/01.out", "4\n"),
    ];
    let workspace = handed_in(&files);
    let layout = ["class", "--layout", "{student}/{problem}"];
    let run = judge(&workspace, &layout);
    run.status(2).says("class/ann/p: no file in it has the name of a case of p");
    run.says("did you mean `sample/1.out`? Rename it, or describe the names: --pattern '{test}.txt'");
    run.says("class/bob/p: unexpected: class/bob/p/1.OUT");
    run.judged("bob/p", "sample/1", "WA", "no answer was handed in").judged("bob/p", "secret/01", "AC", "");
    let run = judge(&workspace, &[&layout[..], &["--pattern", "{test}.txt"]].concat());
    run.status(2).ends("ann/p", "AC", "met");
    run.says("class/bob/p: no file in it has the name of a case of p");
    // A pattern is about outputs.
    workspace.sum("sum");
    workspace.grader(&["judge", "sum", "class", "--pattern", "{test}.txt"]).status(2).says("--layout");
}

#[apply(cli_test)]
fn files_that_are_named_one_by_one() {
    let workspace = handed_in(&[("1.out", "3\n"), ("01.out", "4\n"), ("02.out", "11\n"), ("x.out", "3\n")]);
    let run = judge(&workspace, &["p", "1.out", "01.out", "02.out"]);
    run.status(1).judged("3 files", "secret/02", "WA", "expected `10`, got `11`");
    run.shows("grader judge p 1.out 01.out 02.out");
    let run = judge(&workspace, &["p", "1.out", "x.out"]);
    run.status(2).says("x.out: has the name of none of the 3 cases of p");
    judge(&workspace, &["p", "x.out", "-t", "sample/1"]).status(0).ends("x.out", "AC", "met");
}

#[apply(cli_test)]
fn links_and_names_that_are_no_text() {
    use std::os::unix::ffi::OsStrExt as _;
    let workspace = handed_in(&[("class/ann/p/1.out", "3\n"), ("class/bob/p/1.out", "3\n")]);
    std::os::unix::fs::symlink("/etc/passwd", workspace.path("class/ann/p/01.out")).unwrap();
    let strange = std::ffi::OsStr::from_bytes(b"0\xff1.out");
    std::fs::write(workspace.path("class/bob/p").join(strange), "4\n").unwrap();
    let run = judge(&workspace, &["class", "--layout", "{student}/{problem}"]);
    run.status(1)
        .says("class/ann/p/01.out: is a symbolic link, which grader does not follow")
        .says("class/bob/p: unexpected: ");
    run.judged("ann/p", "secret/01", "WA", "no answer was handed in");
    assert!(!run.all().contains("root:"), "{}", run.all());
    // A name in an archive that says it is UTF-8 and is not.
    let mut bytes = zip(&[("sample/1é.out", "3\n")]);
    while let Some(at) = bytes.windows(2).position(|two| two == "é".as_bytes()) {
        bytes[at..at + 2].copy_from_slice(b"\xff\xfe");
    }
    workspace.file("class/cy/p.zip", bytes);
    let run = judge(&workspace, &["class", "--layout", "{student}/{problem}"]);
    run.status(2).says("class/cy/p.zip: no file in it has the name of a case of p");
    assert!(row(&run, "cy").contains("no output"), "{}", run.all());
}

#[apply(cli_test)]
fn some_tests_of_many() {
    let workspace = handed_in(&[("ann/sample/1.out", "3\n"), ("ann/02.out", "10\n"), ("bob/notes.txt", "10\n")]);
    // Answers of cases that were not asked for are no surprise.
    judge(&workspace, &["p", "ann", "-t", "secret/02"]).status(0).silent().ends("ann", "AC", "met");
    workspace.grader(&["check", "p", "ann", "-t", "secret/02"]).status(0).silent();
    judge(&workspace, &["p", "bob", "-t", "secret/02"])
        .status(2)
        .says("bob: no file in it has the name of a case of p");
}

#[apply(cli_test)]
fn an_archive_among_outputs_that_cannot_be_read() {
    // What is missing might be in it, so that nothing is said about it.
    let workspace =
        handed_in(&[("class/ann/p/1.out", "3\n"), ("class/ann/p/rest.zip", "x"), ("class/bob/p/1.out", "3\n")]);
    let run = judge(&workspace, &["class", "--layout", "{student}/{problem}"]);
    run.status(2).says("class/ann/p/rest.zip: not a readable archive").ends("bob/p", "WA", "met");
    assert!(row(&run, "ann").contains("archive refused"), "{}", run.all());
}

#[apply(cli_test)]
fn a_signal_while_archives_are_opened_leaves_nothing() {
    let workspace = handed_in(&[]);
    let long = "0".repeat(60 << 20);
    let packed = zip(&[("sample/1.out", &long)]);
    for n in 0..12 {
        workspace.file(format!("class/s{n}.zip"), &packed);
    }
    workspace.file("tmp/here", "");
    let scratch = || workspace.path("tmp").read_dir().unwrap().count() - 1;
    let call = Call::any(&workspace.path(""), &["judge", "p", "class", "--layout", "{student}"]);
    let mut call = call.env("TMPDIR", workspace.path("tmp"));
    let child = call.start();
    let begun = std::time::Instant::now();
    while scratch() == 0 {
        assert!(begun.elapsed().as_secs() < 200, "nothing was unpacked");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    rustix::process::kill_process(rustix::process::Pid::from_child(&child), rustix::process::Signal::TERM).unwrap();
    call.wait(child).status(143);
    assert_eq!(scratch(), 0);
}
