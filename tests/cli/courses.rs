//! Courses: teams, texts and messages for students and staff, and what stays from one run to the next.

use std::collections::BTreeSet;

use macro_rules_attribute::apply;

use crate::cli::class_exports::{WRONG, course};
use crate::cli::classes::gradebook;
use crate::cli::run::Call;
use crate::cli::workspace::{SUM, Workspace};

#[apply(cli_test)]
fn who_shares_what_cannot_be_judged_has_no_zero() {
    let workspace = course();
    workspace.file("c/ann/gaps.docx", "a text").file("c/cy/gaps.sh", SUM);
    workspace.file("roster.csv", "id,team\nann,a\nbob,a\ncy,b\ndee,b\n");
    let args = ["-p", "gaps", "c", "--layout", "{student}/{problem}.*", "--roster", "roster.csv"];
    let (run, rows) = gradebook(&workspace, &args);
    let of = |student: &str| rows.iter().find(|row| row.starts_with(student)).cloned().unwrap_or_default();
    assert!(of("ann,").starts_with("ann,,,") && of("bob,").starts_with("bob,,,"), "{rows:?}{}", run.all());
    assert!(of("dee,").starts_with("dee,1,1,"), "{rows:?}{}", run.all());
}

/// Students read about a sample what every comparison says, not only those that find a difference.
#[apply(cli_test)]
fn all_comparisons_are_explained_to_students() {
    let workspace = Workspace::new();
    for (checker, answer, output, told) in [
        ("contains", "hello", "bye", "wrong answer: the output does not contain `hello`"),
        ("regex", "h.llo", "bye", "wrong answer: nothing in the output matches `h.llo`"),
        ("unordered", "a", "b", "wrong answer: line 1: `b` is no line of the answer"),
        ("tokens", "a", "b", "wrong answer: line 1, column 1: expected `a`, got `b`"),
    ] {
        let problem = workspace.problem(checker).case("sample/1", "", answer).case("secret/1", "", answer);
        problem.toml(&format!("checker = \"{checker}\"\n"));
        workspace.file(format!("class/ann/{checker}.sh"), format!("echo {output}\n"));
        workspace.grader(&["judge", "class", "--layout", "{student}/{problem}.*", "--out", "out"]).status(1);
        let text = workspace.read(format!("out/students/ann/{checker}.txt"));
        assert!(text.contains(&format!("sample/1: {told}")) && text.ends_with("secret/1: wrong answer\n"), "{text}");
    }
}

#[apply(cli_test)]
fn what_is_too_large_says_so() {
    let workspace = course();
    workspace.file("class/ann/gaps.sh", vec![b'#'; 65 << 20]).file("class/bo/gaps.sh", SUM);
    for args in [&["class", "--layout", "{student}/{problem}.*"][..], &["-p", "gaps", "class", "--layout", "{student}"]]
    {
        let (run, rows) = gradebook(&workspace, args);
        assert!(rows[1].contains("too large"), "{rows:?}");
        run.says("65 MiB is more than 64 MiB; not judged");
        let text = workspace.read("results/students/ann/gaps.txt");
        assert!(text.contains("We received gaps.sh, which is too large."), "{text}");
    }
}

#[apply(cli_test)]
fn a_reference_that_fails_its_own_tests_is_a_warning() {
    let workspace = Workspace::new();
    let problem = workspace.problem("gaps").case("sample/1", "1 2\n", "3\n").case("secret/1", "4 4\n", "9\n");
    problem.submission("accepted/sum.sh", SUM).toml("reference = \"accepted/sum.sh\"\n");
    workspace.file("class/ann/gaps.sh", SUM);
    let args = ["judge", "class", "--layout", "{student}/{problem}.*"];
    let run = workspace.grader(&args);
    run.status(1).says("its reference accepted/sum.sh gets WA: right submissions may be rejected too");
    run.says("→ correct the test secret/1 or the reference");
    // What students get names no hidden test.
    workspace.grader(&[&args[..], &["--feedback", "none", "--report", "markdown=m.md"]].concat()).status(1);
    let text = workspace.read("m.md");
    assert!(text.contains("gets WA") && !text.contains("secret/1"), "{text}");
    workspace.file("testcases/gaps/secret/1.ans", "8\n");
    let run = workspace.grader(&args);
    assert!(!run.status(0).all().contains("its reference"), "{}", run.all());
}

#[apply(cli_test)]
fn a_report_that_cannot_be_written_keeps_nothing_else_from_being_written() {
    let workspace = course();
    workspace.file("class/ann/gaps.sh", SUM);
    let to = ["--report", "csv=/dev/full", "--report", "gradebook=grades.csv"];
    let run = workspace.grader(&[&["judge", "class", "--layout", "{student}/{problem}.*"], &to[..]].concat());
    run.status(2).says("/dev/full: the report was not written: No space left").shows("ann").shows("JUDGED");
    assert!(workspace.read("grades.csv").contains("ann,1,"), "{}", run.all());
    std::fs::remove_file(workspace.path("grades.csv")).unwrap();
    let run = workspace.grader(&[&["report", "last"], &to[..]].concat());
    run.status(2).says("/dev/full: the report was not written");
    assert!(workspace.read("grades.csv").contains("ann,1,"), "{}", run.all());
}

#[apply(cli_test)]
fn a_full_disk_behind_standard_output_is_named() {
    let workspace = course();
    for command in ["list", "run gaps", "history", "doctor"] {
        let run = Call::typed(&workspace.path(""), &format!("grader {command} > /dev/full")).run();
        run.status(2).says("error: cannot write to standard output: No space left");
    }
    let run = Call::typed(&workspace.path(""), "grader run gaps --report csv=- > /dev/full").run();
    run.status(2).says("error: cannot write the report to standard output: No space left");
}

#[apply(cli_test)]
fn texts_of_withdrawn_submissions_go() {
    let workspace = course();
    for student in ["ann", "bob", "cy"] {
        workspace.file(format!("class/{student}/gaps.sh"), SUM).file(format!("class/{student}/wordcount.sh"), WRONG);
    }
    workspace.file("late/dee/gaps.sh", SUM);
    let layout = ["--layout", "{student}/{problem}.*"];
    let judged = |more: &[&str]| gradebook(&workspace, &[&layout[..], more].concat());
    let is_there = |file: &str| workspace.path(format!("results/{file}")).is_file();
    judged(&["class"]);
    judged(&["late"]);
    std::fs::remove_file(workspace.path("class/ann/gaps.sh")).unwrap();
    std::fs::remove_dir_all(workspace.path("class/bob")).unwrap();
    // Other problems and other paths say nothing about these.
    judged(&["class", "-p", "wordcount"]);
    assert!(is_there("students/ann/gaps.txt") && is_there("students/bob/gaps.txt"));
    judged(&["class"]);
    assert!(!is_there("students/ann/gaps.txt") && !is_there("staff/ann/gaps.json"));
    assert!(!is_there("students/bob/gaps.txt") && !is_there("students/bob/all exercises.txt"));
    assert!(is_there("students/ann/wordcount.txt") && is_there("students/cy/gaps.txt"));
    assert!(is_there("students/dee/gaps.txt"));
    // The last submission of an exercise.
    for student in ["ann", "cy"] {
        std::fs::remove_file(workspace.path(format!("class/{student}/wordcount.sh"))).unwrap();
    }
    judged(&["class"]);
    assert!(!is_there("students/cy/wordcount.txt") && is_there("students/cy/gaps.txt"));
    // An empty folder is left.
    std::fs::create_dir_all(workspace.path("class/eve")).unwrap();
    for student in ["ann", "cy"] {
        std::fs::remove_dir_all(workspace.path(format!("class/{student}"))).unwrap();
    }
    judged(&["class"]);
    assert!(!is_there("students/cy/gaps.txt"));
    // In another path, they are withdrawn if the student is in the run.
    std::fs::remove_dir_all(workspace.path("late/dee")).unwrap();
    workspace.file("roster.csv", "id\nann\ncy\ndee\n");
    workspace.file("class/ann/gaps.sh", SUM);
    judged(&["class", "--roster", "roster.csv", "--ignore", "eve"]);
    assert!(!is_there("students/dee/gaps.txt") && is_there("students/ann/gaps.txt"));
}

/// A list misspells an author. It may mean any student without a submission, so none of them gets a zero.
#[apply(cli_test)]
fn a_misspelt_author_gets_no_zero() {
    let workspace = course();
    workspace.file("class/ann/gaps.sh", SUM).file("class/ann/members.txt", "Eve Row\n").file("class/cy/gaps.sh", SUM);
    workspace.file("roster.csv", "id,name\nann,Ann Lee\neve,Eve Roe\ncy,Cy Ray\n");
    let args = ["class", "-p", "gaps", "--layout", "{student}", "--roster", "roster.csv", "--members", "members.txt"];
    let (run, rows) = gradebook(&workspace, &args);
    let row = rows.iter().find(|row| row.starts_with("eve")).unwrap();
    assert!(row.starts_with("eve,,,") && row.contains("not identified"), "{rows:?} {}", run.all());
    run.says("nobody is called Eve Row (line 1)").says("until then grader gives no zeros");
}

/// A name of lists of authors that matches nothing is a typing error, unless it is for the whole course.
#[apply(cli_test)]
fn a_list_of_authors_that_is_nowhere_is_mentioned() {
    let workspace = course();
    workspace.file("class/ann/gaps.sh", SUM).file("class/ann/members.txt", "bo\n");
    let judge = |more: &[&str]| {
        workspace.grader(&[&["judge", "-p", "gaps", "class", "--layout", "{student}", "--exit-zero"], more].concat())
    };
    judge(&["--members", "membrs.txt"])
        .says("warning: `--members`: `membrs.txt` matches no file")
        .says("`members.txt`?");
    judge(&["--members", "members.txt"]).hides("matches no file");
    workspace.file("grader.toml", "[judge]\nmembers = \"team.txt\"\n");
    judge(&[]).says("`members` in grader.toml: `team.txt` matches no file").hides("warning: `members`");
}

/// A file that is called like a list of authors is no misspelt exercise, and its authors must not be overlooked.
#[apply(cli_test)]
fn a_list_of_authors_that_no_option_names_is_mentioned() {
    let workspace = course();
    workspace.file("class/ann/gaps.sh", SUM).file("class/ann/Authors.txt", "bo\n").file("class/cy/gaps.sh", SUM);
    let told = "say so: --members Authors.txt; if not, leave it out: --ignore Authors.txt";
    let judge = |args: &[&str]| workspace.grader(&[&["judge", "class", "--exit-zero"], args].concat());
    let by_name = ["--layout", "{student}/{problem}.*"];
    let run = judge(&by_name);
    run.status(2).says("error: class/ann/Authors.txt: no problem is called `Authors`").says(told);
    assert!(!run.all().contains("--exercise 'Authors"), "{}", run.all());
    let one = ["-p", "gaps", "--layout", "{student}"];
    judge(&one).status(0).says("warning: class/ann: `Authors.txt` may name other authors").says(told);
    for args in [&by_name[..], &one] {
        for more in [["--ignore", "Authors.txt"], ["--members", "authors.txt"]] {
            let run = judge(&[args, &more[..]].concat());
            assert!(!run.all().contains("say so: --members"), "{}", run.all());
        }
    }
}

#[apply(cli_test)]
fn a_file_in_the_submission_names_its_other_authors() {
    let workspace = course();
    workspace.file("class/ann/gaps.sh", SUM).file("class/ann/wordcount.sh", SUM);
    workspace.file("class/ann/Members.txt", "\u{feff}# With us:\r\nBo Fox\r\n\r\nann\nzed\ncy\n");
    workspace.file("class/cy/gaps.sh", WRONG).file("class/dee/gaps.sh", SUM).file("class/members.txt", "dee\n");
    workspace.file("roster.csv", "id,name\nann,Ann Lee\nbob,Bo Fox\ncy,Cy Ray\ndee,Dee Oh\n");
    let args = ["class", "--layout", "{student}/{problem}.*", "--roster", "roster.csv", "--members", "members.txt"];
    let (run, rows) = gradebook(&workspace, &args);
    let expect = ["ann,1,1,2,AC,AC", "bob,1,1,2,AC,AC", "cy,0,1,1,WA,AC", "dee,1,,1,AC,"];
    assert_eq!(rows[1..], expect, "{}", run.all());
    run.says("ann/Members.txt: nobody is called zed (line 5)")
        .says("class/members.txt: lists authors, but the submissions beside");
    let text = workspace.read("results/students/bob/gaps.txt");
    assert!(text.contains("submitted by ann, whose Members.txt names you"), "{text}");
    // In an export, the name of the file follows that of the student. Lateness is that of the author.
    for (file, text) in [("gaps.sh", SUM), ("members.txt", "Bo Fox\nCy Ray\n")] {
        workspace.file(format!("m/Ann Lee_11_assignsubmission_file_{file}"), text);
    }
    workspace.file("m/Dee Oh_14_assignsubmission_file_gaps.sh", SUM);
    let roster = "id,name,submitted\n11,Ann Lee,2026-02-01T13:00\n12,Bo Fox,\n13,Cy Ray,2026-01-01T00:00\n14,Dee Oh,\n15,Cy Ray,\n";
    workspace.file("late.csv", roster);
    let late =
        ["--deadline", "2026-01-31T12:00", "--late", "25 % a day", "--members", "members.txt", "--roster", "late.csv"];
    let run = workspace
        .grader(&[&["judge", "m", "-p", "gaps", "--exit-zero", "--report", "gradebook=-"], &late[..]].concat());
    // Two days have begun.
    assert!(run.stdout.contains("Bo Fox,12,,0.5,0.5,") || run.stdout.contains("Bo Fox,12,0.5,0.5,"), "{}", run.all());
    run.says("several students are called Cy Ray").says("so these count as in time: Dee Oh_14");
    workspace.grader(&["judge", "m", "-p", "gaps", "--late", "25 % a day"]).status(2).says("without a deadline");
}

/// The time that the roster states for a member is that of the team's submission.
#[apply(cli_test)]
fn a_time_of_a_member_is_that_of_the_team() {
    let workspace = course();
    workspace.file("class/red/gaps.sh", SUM).file("class/cy/gaps.sh", SUM).file("class/eve/gaps.sh", SUM);
    // `cy` submitted, and only the row of another member states the time.
    workspace.file(
        "roster.csv",
        "id,team,submitted\nann,red,2026-02-01T11:00\nbo,Red,\ncy,sea,\ndee,sea,2026-02-02T11:00\neve,,\n",
    );
    let class = ["-p", "gaps", "class", "--layout", "{student}/{problem}.*", "--roster", "roster.csv"];
    let late = ["--deadline", "2026-01-31T12:00", "--late", "10 % a day"];
    let (run, rows) = gradebook(&workspace, &[&class[..], &late].concat());
    for (student, grade) in
        [("ann", "0.9,0.9"), ("bo", "0.9,0.9"), ("cy", "0.8,0.8"), ("dee", "0.8,0.8"), ("eve", "1,1")]
    {
        assert!(rows.iter().any(|row| row.starts_with(&format!("{student},{grade},AC"))), "{rows:#?} {}", run.all());
    }
    run.says("no time of submission is known, so these count as in time: eve\n");
}

#[apply(cli_test)]
fn a_folder_of_others_gets_no_results() {
    let workspace = course();
    workspace.file("mine/students/ann/gaps.txt", "keep").file("class/ann/gaps.sh", SUM);
    let run = workspace.grader(&["judge", "class", "--layout", "{student}/{problem}.*", "--out", "mine"]);
    run.status(2).says("grader did not write the folder `students` in it").says("name a new folder");
    assert_eq!(workspace.read("mine/students/ann/gaps.txt"), "keep");
}

/// Students read what to rename, and that they submitted nothing.
#[apply(cli_test)]
fn texts_say_what_a_file_must_be_called() {
    let workspace = course();
    for (student, file) in [("ann", "gaps.sh"), ("bo", "gaps.xyz"), ("cy", "gaps.pdf"), ("dee", "gaps_old.sh")] {
        workspace.file(format!("class/{student}/{file}"), SUM);
    }
    std::fs::create_dir(workspace.path("class/eve")).unwrap();
    let args = ["-p", "gaps", "class", "--layout", "{student}"];
    gradebook(&workspace, &args).0.says("class/eve: is an empty folder");
    let text = |student: &str| workspace.read(format!("results/students/{student}/gaps.txt"));
    for (student, told) in [
        ("bo", "We received gaps.xyz. If that is your program, rename it to gaps.sh and submit it again."),
        ("cy", "We received gaps.pdf. Submit a .sh file."),
        ("eve", "You submitted nothing for gaps: the folder is empty. Submit a .sh file."),
    ] {
        assert!(text(student).contains(told), "{}", text(student));
    }
    gradebook(&workspace, &["class", "--layout", "{student}/{problem}.*"]);
    assert!(text("dee").contains("accepted"), "{}", text("dee"));
}

/// Files that systems leave behind are no programs, a hidden program needs another name.
#[apply(cli_test)]
fn texts_do_not_take_what_systems_leave_behind_for_a_program() {
    let workspace = course();
    for path in ["ann/gaps.sh", "bo/.git/config", "cy/.gaps.sh", "dee/.DS_Store", "eve/._gaps.sh", "fay/pom.xml"] {
        workspace.file(format!("class/{path}"), SUM);
    }
    gradebook(&workspace, &["-p", "gaps", "class", "--layout", "{student}"]);
    let text = |student: &str| workspace.read(format!("results/students/{student}/gaps.txt"));
    for (student, told) in [
        ("bo", "We received no program. Submit a .sh file."),
        ("cy", "We received .gaps.sh. If that is your program, rename it to gaps.sh and submit it again."),
        ("dee", "We received no program. Submit a .sh file."),
        ("eve", "We received no program. Submit a .sh file."),
        ("fay", "We received pom.xml. Submit a .sh file."),
    ] {
        assert!(text(student).contains(told), "{student}: {}", text(student));
    }
}

/// Files and folders with names of their own can be given a problem, and the message says how.
#[apply(cli_test)]
fn messages_about_unknown_names_say_how_to_name_the_problem() {
    let workspace = course();
    workspace.file("class/ann/gaps.sh", SUM).file("class/bo/mean.sh", SUM);
    workspace.file("t/Ann Lee/gaps/Version 1/x.sh", SUM).file("t/Bo Fox/HW 3/Version 1/mean.sh", SUM);
    for (args, name) in
        [(&["class", "--layout", "{student}/{problem}.*"][..], "mean.sh"), (&["t", "--layout", "teams"], "HW 3")]
    {
        gradebook(&workspace, args).0.says(&format!("--exercise '{name}=PROBLEM'"));
        let (run, rows) = gradebook(&workspace, &[args, &["--exercise", "mean.sh=gaps"]].concat());
        assert!(rows.len() == 3 && rows[1..].iter().all(|row| row.ends_with(",1,1,AC")), "{rows:?}\n{}", run.all());
    }
    // Its author reads that only the ending is missing.
    workspace
        .file("m/Ann Lee_11_assignsubmission_file_/gaps.sh", SUM)
        .file("m/Bo Fox_12_assignsubmission_file_/gaps", SUM);
    let run = workspace.grader(&["judge", "m", "--exit-zero", "--report", "moodle=-"]);
    let told = "We received gaps. If that is your program, rename it to gaps.sh and submit it again.";
    assert!(run.stdout.contains(told), "{}", run.all());
}

/// Students who cannot be told apart from others read so, and not that grader failed.
#[apply(cli_test)]
fn students_who_are_not_identified_are_sent_to_the_staff() {
    let workspace = course();
    workspace.file("class/ann/gaps.sh", SUM).file("class/zed/gaps.sh", SUM).file("roster.csv", "id\nann\nbo\n");
    gradebook(&workspace, &["-p", "gaps", "class", "--layout", "{student}", "--roster", "roster.csv"]);
    let text = workspace.read("results/students/bo/not judged.txt");
    let told = "we could not tell which submission is yours, which is not your fault; please ask the teaching staff";
    assert!(text.contains(told) && !text.contains("the judge failed"), "{text}");
}

/// What is read right needs no message, and what many students named alike needs one.
#[apply(cli_test)]
fn names_that_are_alike_are_told_once() {
    let workspace = course();
    for student in ["ann", "bo", "cy"] {
        workspace.file(format!("class/{student}/gaps/main.sh"), SUM);
    }
    let judged = || workspace.grader(&["judge", "class", "--layout", "{student}/{problem}.*"]);
    assert!(!judged().all().contains("not exact"));
    for student in ["ann", "bo", "cy"] {
        workspace.file(format!("class/{student}/wordcount_final.sh"), SUM);
    }
    judged().says("3 names are not exact; grader read `ann/wordcount_final.sh` as wordcount (and 2 more like it)\n");
}

/// Reports that do not fit a run say so. Pages without names do not show the minute.
#[apply(cli_test)]
fn reports_say_what_a_run_is_not() {
    let workspace = course();
    workspace.file("class/ann/gaps.sh", SUM).file("class/bo/gaps.sh", SUM);
    workspace.file("roster.csv", "id,submitted\nann,2026-01-31T12:05\nbo,2026-02-02T12:05\n");
    let class = ["judge", "-p", "gaps", "class", "--layout", "{student}", "--roster", "roster.csv", "--exit-zero"];
    let late = ["--deadline", "2026-01-31T12:00", "--late", "10 % a day"];
    let pages = ["--anonymous", "--report", "gradebook=-"];
    let run = workspace.grader(&[&class[..], &late, &pages].concat());
    let figures: BTreeSet<(&str, &str)> = run
        .stdout
        .lines()
        .skip(1)
        .map(|row| {
            let cells: Vec<&str> = row.split(',').collect();
            (cells[2], cells[5])
        })
        .collect();
    assert_eq!(figures, [("0.7", "4320"), ("0.9", "1440")].into(), "{}", run.stdout);
    let run = workspace.grader(&["report", "last", "--report", "gradescope=g.json"]);
    run.status(2).says("g.json: the report was not written: this report is for one student");
    assert!(!run.all().contains("free some space"), "{}", run.all());
    let run = workspace.grader(&["report", "last", "--report", "classroom50=c.json"]);
    assert!(run.all().contains("COMMIT_URL") && !run.all().contains("REVIEW_URL"), "{}", run.all());
}

/// A team may have the id of a student of another one. Its members do not get this student's submission.
#[apply(cli_test)]
fn a_team_called_like_a_student_takes_nothing() {
    let workspace = course();
    workspace.file("class/ann/gaps.sh", SUM).file("roster.csv", "id,team\nann,\nbo,ann\ncy,ann\n");
    let args = ["-p", "gaps", "class", "--layout", "{student}/{problem}.*", "--roster", "roster.csv"];
    let (run, rows) = gradebook(&workspace, &args);
    run.says("the team ann is called like a student");
    assert_eq!(rows[1..], ["ann,1,1,AC", "bo,,0,", "cy,,0,"], "{}", run.all());
}

/// A name of two students makes only these two unclear, and an empty folder is not a student.
#[apply(cli_test)]
fn what_is_unclear_is_only_what_may_be_meant() {
    let workspace = course();
    workspace.file("class/Bo Fox/gaps.sh", SUM).file("roster.csv", "id,name\nbo1,Bo Fox\nbo2,Bo Fox\ncy,Cy Ray\n");
    let class = ["-p", "gaps", "class", "--layout", "{student}/{problem}.*", "--roster", "roster.csv"];
    let (run, rows) = gradebook(&workspace, &class);
    run.says("several students or submissions have these names: Bo Fox");
    assert_eq!(rows[2..], ["bo1,,,not identified", "bo2,,,not identified", "cy,,0,"], "{}", run.all());
    std::fs::create_dir(workspace.path("nothing")).unwrap();
    workspace.grader(&["judge", "gaps", "nothing", "--roster", "roster.csv"]).status(2).says("is empty");
    // Students called like files of `--out` have folders.
    workspace.file("odd/students.csv/gaps.sh", SUM).file("odd/received.json/gaps.sh", SUM);
    let (run, rows) = gradebook(&workspace, &["odd", "--layout", "{student}/{problem}.*"]);
    assert_eq!(rows[1..], ["received.json,1,1,AC", "students.csv,1,1,AC"], "{}", run.all());
    let again = gradebook(&workspace, &["odd", "--layout", "{student}/{problem}.*"]).0;
    again.says("2 from an earlier run");
}
