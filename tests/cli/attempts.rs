//! Attempts and lateness: which submission counts, when it was submitted, and what that costs.

use macro_rules_attribute::apply;

use crate::cli::class_exports::{WRONG, course, dated};
use crate::cli::classes::gradebook;
use crate::cli::workspace::SUM;

#[apply(cli_test)]
fn the_last_attempt_counts_unless_another_is_asked_for() {
    let workspace = course();
    for (day, text) in [(29, WRONG), (30, SUM), (31, WRONG)] {
        workspace.file(format!("bb/gaps_alee_attempt_2026-01-{day}-10-15-00_gaps.sh"), text);
    }
    workspace.file("bb/gaps_bfox_attempt_2026-01-31-10-15-00_gaps.sh", SUM);
    for (which, expect) in [("last", "0,0,WA,3"), ("first", "0,0,WA,1"), ("best", "1,1,AC,2")] {
        let (run, rows) = gradebook(&workspace, &["bb", "--attempts", which]);
        assert_eq!(rows[1..], [format!("alee,{expect}"), "bfox,1,1,AC,".to_owned()], "{which}: {}", run.all());
    }
    let judge = |args: &[&str]| workspace.grader(&[&["judge", "bb", "--exit-zero"], args].concat());
    judge(&[]).status(0).shows("#3");
    // The same from the configuration.
    workspace.file("grader.toml", "[judge]\nattempts = \"best\"\n");
    judge(&[]).status(0).shows("#2");
    workspace.file("grader.toml", "[judge]\nattempts = \"worst\"\n");
    judge(&[]).status(2).says("`last` or `best` or `first`");
}

/// The time of the best attempt is shown beside its lateness, not that of the last.
#[apply(cli_test)]
fn the_time_of_the_attempt_that_counts_is_shown() {
    let workspace = course();
    for (day, text) in [("01-31", SUM), ("02-03", SUM), ("02-04", WRONG)] {
        let differs = format!("{text}# {day}\n");
        workspace.file(format!("bb/gaps_alee_attempt_2026-{day}-10-15-00_gaps.sh"), differs);
    }
    let rule = ["--deadline", "2026-01-31T23:59", "--late", "40 % a day"];
    for (which, expect) in [
        ("best", ",1,2026-01-31T10:15:00,0,"),
        ("last", ",3,2026-02-04T10:15:00,"),
        ("first", ",1,2026-01-31T10:15:00,0,"),
    ] {
        let args = ["judge", "bb", "--exit-zero", "--attempts", which, "--report", "gradebook=-"];
        let run = workspace.grader(&[&args[..], &rule].concat());
        assert!(run.stdout.contains(expect), "{which}: {}", run.all());
    }
}

/// A copy has no result of its own, but the cell still says which attempt counts.
#[apply(cli_test)]
fn the_cell_says_the_attempt_if_two_are_the_same() {
    let workspace = course();
    for day in ["01-31", "02-03"] {
        workspace.file(format!("bb/gaps_alee_attempt_2026-{day}-10-15-00_gaps.sh"), SUM);
    }
    for (which, number) in [("best", "#1"), ("first", "#1"), ("last", "#2")] {
        let args = ["judge", "bb", "--attempts", which, "--out", which];
        let run = workspace.grader(&args);
        assert!(
            run.stdout.lines().any(|line| line.starts_with("alee") && line.contains(number)),
            "{which}: {}",
            run.all()
        );
        assert!(workspace.path(format!("{which}/students/alee/gaps.txt")).exists(), "{which}");
    }
}

#[apply(cli_test)]
fn lateness_costs_what_the_rule_says() {
    let workspace = course();
    let at = |student: &str, time: &str| {
        workspace.file(format!("bb/gaps_{student}_attempt_2026-{time}_gaps.sh"), SUM);
    };
    at("ann", "01-31-10-00-00");
    at("bob", "02-01-10-00-01");
    at("cy", "02-09-10-00-00");
    at("dee", "02-01-10-00-01");
    workspace.file("roster.csv", "id,extension\nann,\nbob,\ncy,\ndee,2 days\neve,\n");
    let args = ["--deadline", "2026-01-31T12:00", "--late", "10 % a day, at most 50 %", "--roster", "roster.csv"];
    let (run, rows) = gradebook(&workspace, &[&["-p", "gaps", "bb"], &args[..]].concat());
    let expect = [
        "ann,1,1,AC,2026-01-31T10:00:00,0",
        "bob,0.9,0.9,AC,2026-02-01T10:00:01,1321",
        "cy,0.5,0.5,AC,2026-02-09T10:00:00,12840",
        "dee,1,1,AC,2026-02-01T10:00:01,0",
        "eve,,0,,,",
    ];
    assert_eq!(rows.get(1..).unwrap_or_default(), expect, "{}", run.all());
    run.says("are of the time zone").shows("late");
    // Another rule runs nothing again.
    let (run, rows) =
        gradebook(&workspace, &["-p", "gaps", "bb", "--deadline", "2026-01-31T12:00", "--late", "25 % a day"]);
    assert_eq!(rows[2], "bob,0.75,0.75,AC,2026-02-01T10:00:01,1321");
    run.says("4 from an earlier run");
    let run = workspace.grader(&["judge", "-p", "gaps", "bb", "--late", "much"]);
    run.status(2).says("10 % a day, at most 50 %");
}

pub(crate) const RULE: [&str; 4] = ["--deadline", "2026-01-31T12:00", "--late", "10 % a day, at most 50 %"];

#[apply(cli_test)]
fn lateness_without_a_time_is_not_guessed() {
    let workspace = course();
    workspace.file("c/leeann_LATE_11_900_gaps.sh", SUM).file("c/foxbo_12_901_gaps.sh", SUM);
    let (run, rows) = gradebook(&workspace, &[&["-p", "gaps", "c"], &RULE[..]].concat());
    assert_eq!(rows[1..], ["foxbo_12,1,1,AC,0", "leeann_11,,,late: time unknown,unknown"], "{}", run.all());
    run.says("does not say by how much, so `10 % a day, at most 50 %` cannot be computed: leeann_11");
    run.says("or the points with --overrides").says("those without the mark count as in time");
    workspace.grader(&[&["judge", "-p", "gaps", "c"], &RULE[..]].concat()).status(2);
    // A rule that takes the same away for each lateness can be followed.
    let flat = ["--deadline", "2026-01-31", "--late", "20 % a day, at most 20 %"];
    let (run, rows) = gradebook(&workspace, &[&["-p", "gaps", "c"], &flat[..]].concat());
    assert_eq!(rows[2], "leeann_11,0.8,0.8,AC,unknown", "{}", run.all());
    let text = workspace.read("results/students/leeann_11/all exercises.txt");
    assert!(text.contains("accepted, late by an unknown time (20 % a day, at most 20 %), 0.8 of 1 points"), "{text}");
    // So can a decision, and a time says more than the mark. An addition to an unknown number is no decision.
    workspace.file("changes.csv", "id,problem,points,reason\nleeann_11,gaps,0.7,by mail\n");
    let (run, rows) = gradebook(&workspace, &[&["-p", "gaps", "c", "--overrides", "changes.csv"], &RULE[..]].concat());
    assert!(rows[2].starts_with("leeann_11,0.7,0.7,") && !run.all().contains("cannot be computed"), "{}", run.all());
    workspace.file("changes.csv", "id,problem,points,reason\nleeann_11,gaps,+0.1,style\n");
    let (run, rows) = gradebook(&workspace, &[&["-p", "gaps", "c", "--overrides", "changes.csv"], &RULE[..]].concat());
    assert!(rows[2].starts_with("leeann_11,,,late: time unknown"), "{}", run.all());
    workspace.file("roster.csv", "id,submitted\n11,2026-02-01T12:01\n12,\n");
    let (run, rows) = gradebook(&workspace, &[&["-p", "gaps", "c", "--roster", "roster.csv"], &RULE[..]].concat());
    assert!(rows[2].starts_with("leeann_11,0.8,0.8,AC,2026-02-01T12:01,1441"), "{rows:?}{}", run.all());
    // Without a deadline, the table says it.
    let run = workspace.grader(&["judge", "-p", "gaps", "c"]);
    assert!(!run.status(0).shows("late").all().contains("minutes"), "{}", run.all());
}

#[apply(cli_test)]
fn each_file_of_several_exercises_has_its_own_mark() {
    let workspace = course();
    workspace.file("c/leeann_LATE_11_900_gaps.sh", SUM).file("c/leeann_11_901_pairs.sh", SUM);
    let flat = ["--deadline", "2026-01-31", "--late", "20 % a day, at most 20 %"];
    let (run, rows) = gradebook(&workspace, &[&["c"], &flat[..]].concat());
    assert!(rows[1].starts_with("leeann_11,0.8,"), "{rows:?}{}", run.all());
}

#[apply(cli_test)]
fn times_of_ilias_are_those_of_its_files() {
    let workspace = course();
    for (person, time) in [("Lee_Ann_alee_11", "20260131101500"), ("Fox_Bo_bfox_12", "20260201101500")] {
        workspace.file(format!("Course/HW/Submissions/{person}/20260130090000_gaps.sh"), WRONG);
        workspace.file(format!("Course/HW/Submissions/{person}/{time}_gaps.sh"), SUM);
    }
    let (run, rows) = gradebook(&workspace, &[&["-p", "gaps", "Course", "--layout", "ilias"], &RULE[..]].concat());
    assert_eq!(
        rows[1..],
        ["Ann Lee_alee,1,1,AC,2,2026-01-31T10:15:00,0", "Bo Fox_bfox,0.9,0.9,AC,2,2026-02-01T10:15:00,1335"],
        "{}",
        run.all()
    );
}

#[apply(cli_test)]
fn layouts_number_attempts() {
    let workspace = course();
    for (attempt, text) in [("ann/2", SUM), ("ann/10", WRONG), ("bob/x", SUM)] {
        workspace.file(format!("class/{attempt}/gaps.sh"), text);
    }
    for (which, expect) in [("last", "ann,0,0,WA,10"), ("first", "ann,1,1,AC,2"), ("best", "ann,1,1,AC,2")] {
        let layout = ["class", "--layout", "{student}/{attempt}/{problem}.*", "--attempts", which];
        let (run, rows) = gradebook(&workspace, &layout);
        // What is not a number is outside of the layout.
        assert!(rows[1].starts_with(expect), "{which}: {rows:?} {}", run.all());
        run.says("outside of the layout").says("bob/x/gaps.sh");
    }
}

#[apply(cli_test)]
fn the_newest_of_two_files_counts_where_their_author_dated_them() {
    let workspace = course();
    // The second name is older for Bo. Cy's files have one date, Dee's are no archive, and Eve's are in two languages.
    workspace
        .file("class/ann.zip", dated(&[("hw/gaps.sh", WRONG, 9), ("hw/gaps (1).sh", SUM, 10)]))
        .file("class/bo.zip", dated(&[("gaps.sh", SUM, 10), ("gaps (1).sh", WRONG, 9)]))
        .file("class/cy.zip", dated(&[("gaps.sh", WRONG, 9), ("gaps (1).sh", SUM, 9)]))
        .file("class/dee/gaps.sh", WRONG)
        .file("class/dee/gaps (1).sh", SUM)
        .file("class/eve.zip", dated(&[("gaps.sh", WRONG, 9), ("gaps.py", "print(3)\n", 10)]))
        .file("class/fay.zip", dated(&[("gaps.sh", SUM, 9), ("gaps_final.sh", SUM, 10)]));
    // One exercise and several have one rule.
    for args in [&["class", "--layout", "{student}/{problem}.*"][..], &["-p", "gaps", "class", "--layout", "{student}"]]
    {
        let (run, rows) = gradebook(&workspace, args);
        let of = |student: &str| {
            let row = rows.iter().find(|row| row.starts_with(student)).unwrap_or_else(|| panic!("{}", run.all()));
            row.rsplit(',').find(|cell| cell.chars().any(char::is_alphabetic)).unwrap_or_default().to_owned()
        };
        let all = ["ann", "bo", "cy", "dee", "eve", "fay"].map(of);
        assert_eq!(all, ["AC", "AC", "ambiguous", "ambiguous", "ambiguous", "AC"], "{args:?} {}", run.all());
        run.says("gaps (1).sh, the newest by date");
        let text = workspace.read("results/students/ann/gaps.txt");
        assert!(text.contains("gaps (1).sh, the newest by date"), "{text}");
        let first = [args, &["--attempts", "first"]].concat();
        assert!(gradebook(&workspace, &first).1[1].contains("WA"));
    }
    for (time, name) in [("20260130090000", "gaps.sh"), ("20260131090000", "gaps (1).sh")] {
        let text = if name == "gaps.sh" { WRONG } else { SUM };
        workspace.file(format!("Course/HW/Submissions/Lee_Ann_alee_11/{time}_{name}"), text);
    }
    for problem in [&[][..], &["-p", "gaps"]] {
        let (run, rows) = gradebook(&workspace, &[problem, &["Course", "--layout", "ilias"]].concat());
        assert!(rows[1].starts_with("Ann Lee_alee,1,"), "{rows:?} {}", run.all());
    }
}

#[apply(cli_test)]
fn a_file_of_ilias_that_was_submitted_again_obeys_attempts() {
    let workspace = course();
    let folder = "Course/HW/Submissions/Lee_Ann_alee_11";
    workspace.file(format!("{folder}/20260130090000_gaps.sh"), SUM);
    workspace.file(format!("{folder}/20260131101500_gaps.sh"), WRONG);
    for (attempts, points, number) in [("first", "1,1,AC", "#1"), ("last", "0,0,WA", "#2"), ("best", "1,1,AC", "#1")] {
        let args = ["-p", "gaps", "Course", "--layout", "ilias", "--attempts", attempts];
        workspace.grader(&[&["judge", "--exit-zero"], &args[..]].concat()).shows(&format!("/2 {number}"));
        let (run, rows) = gradebook(&workspace, &args);
        assert!(rows[1].starts_with(&format!("Ann Lee_alee,{points}")), "{attempts}: {rows:?}\n{}", run.all());
    }
    // A file that was submitted once is no attempt more.
    workspace.file(format!("{folder}/20260130090000_wordcount.sh"), WRONG);
    let run = workspace.grader(&["judge", "Course", "--attempts", "best", "--exit-zero"]);
    run.shows("AC   2/2 #1").shows("WA     0/2  ").shows("2 problems, 3 submissions");
    let run = workspace.grader(&["judge", "Course", "--exit-zero"]);
    run.shows("WA   0/2 #2").shows("WA     0/2  ").shows("2 problems, 2 submissions");
}

#[apply(cli_test)]
fn a_deadline_of_the_course_does_not_stop_a_single_program() {
    let workspace = course();
    workspace
        .file("grader.toml", "judge.deadline = \"2026-01-31\"\njudge.late = \"10 % a day\"\n")
        .file("mine.sh", SUM);
    workspace.grader(&["judge", "gaps", "mine.sh"]).status(0).shows("AC");
    workspace.file("class/ann/gaps.sh", SUM);
    let run = workspace.grader(&["judge", "class", "--layout", "{student}/{problem}.*"]);
    run.status(2).says("needs the times of submissions").says("--deadline ''");
}

/// Of a day without a time, the beginning counts, so nobody is late on the day of the deadline.
#[apply(cli_test)]
fn a_day_without_a_time_counts_from_its_beginning() {
    let workspace = course();
    for student in ["ann", "bo", "cy", "dee"] {
        workspace.file(format!("class/{student}/gaps.sh"), SUM);
    }
    let roster = "id,submitted,extension\nann,2026-01-31,\nbo,2026-02-01,\ncy,2026-01-30,\ndee,2026-02-01,2 days\n";
    workspace.file("roster.csv", roster);
    let rule = ["--deadline", "2026-01-31T12:00", "--late", "10 % a day"];
    let class = ["-p", "gaps", "class", "--layout", "{student}/{problem}.*", "--roster", "roster.csv"];
    let (run, rows) = gradebook(&workspace, &[&class[..], &rule].concat());
    run.says("states only the day of these submissions, so the beginning of that day counts: ann, bo\n");
    let points: Vec<&str> = rows[1..].iter().map(|row| row.split(',').nth(1).unwrap_or_default()).collect();
    assert_eq!(points, ["1", "0.9", "1", "1"], "{rows:?}");
    // A deadline of a day is the end of that day, so nobody may be later.
    let (run, _) = gradebook(&workspace, &[&class[..], &["--deadline", "2026-02-01"]].concat());
    assert!(!run.all().contains("only the day"), "{}", run.all());
}

/// A platform writes the times of its own zone, which is that of the teacher's deadline and not that of this machine.
#[apply(cli_test)]
fn times_without_a_zone_are_of_that_of_the_deadline() {
    let workspace = course();
    workspace.file("bb/HW_ann_attempt_2026-02-01-02-00-00_gaps.sh", SUM);
    for (deadline, minutes, zone) in [
        ("2026-01-31T23:59[America/New_York]", "121", "America/New_York"),
        ("2026-01-31T23:59-05:00", "121", "-05"),
        ("2026-01-31T23:59[Asia/Tokyo]", "121", "Asia/Tokyo"),
    ] {
        let (run, rows) = gradebook(&workspace, &["-p", "gaps", "bb", "--deadline", deadline, "--late", "10 % a day"]);
        assert_eq!(rows[1], format!("ann,0.9,0.9,AC,2026-02-01T02:00:00,{minutes}"), "{}", run.all());
        run.says(&format!("note: times without an offset are of the time zone {zone}\n"));
    }
}

/// Rules that mean something else are errors, and time zones have names.
#[apply(cli_test)]
fn deadlines_and_rules_are_obeyed_or_refused() {
    let workspace = course();
    workspace.file("class/ann/gaps.sh", SUM).file("roster.csv", "id,submitted\nann,2026-01-31T23:30:00Z\n");
    let class = ["-p", "gaps", "class", "--layout", "{student}/{problem}.*", "--roster", "roster.csv"];
    let judged = |deadline: &str, rule: &str| {
        gradebook(&workspace, &[&class[..], &["--deadline", deadline, "--late", rule]].concat())
    };
    for (rule, wrong) in [
        ("20 % after the first day", "`after` is not a word before the unit"),
        ("20 % every second day", "`second` is not a word before the unit"),
        (
            "20 % a weak",
            "`weak` is not a unit of time: hour, day, week; write a rule such as `10 % a day, at most 50 %`",
        ),
    ] {
        judged("2026-01-31T23:59", rule).0.status(2).says(wrong);
    }
    assert!(judged("2026-02-01T00:29[Europe/Berlin]", "20 % for each day").1[1].starts_with("ann,0.8,0.8,AC"));
    assert!(judged("2026-02-01T00:30[Europe/Berlin]", "20 % each day").1[1].starts_with("ann,1,1,AC"));
    judged("2026-02-01T00:30[Europe/Berln]", "20 % a day").0.status(2).says("write it as");
}

/// TOML has dates without quotes, and a wrong text is found where it is.
#[apply(cli_test)]
fn deadlines_in_the_configuration_are_texts() {
    let workspace = course();
    workspace.file("class/ann/gaps.sh", SUM);
    let judged = |deadline: &str| {
        workspace.file("grader.toml", format!("[judge]\ndeadline = {deadline}\n"));
        workspace.grader(&["judge", "-p", "gaps", "class", "--layout", "{student}/{problem}.*"])
    };
    for date in ["2026-01-31", "2026-01-31T23:59:00"] {
        judged(date).status(2).says("expected a time in quotes, such as \"2026-01-31T23:59\", found a date");
    }
    judged("\"31.1.\"").status(2).says("grader.toml:2: `deadline`: 31.1. is not a time");
}

/// With `best`, files of different dates are attempts, whatever their names are.
#[apply(cli_test)]
fn the_best_of_two_files_by_date_counts() {
    let workspace = course();
    let folder = "Course/HW/Submissions/Lee_Ann_alee_11";
    workspace.file(format!("{folder}/20260130101500_gaps (1).sh"), SUM);
    workspace.file(format!("{folder}/20260131101500_gaps.sh"), WRONG);
    workspace.file(format!("{folder}/20260131101500_wordcount.sh"), SUM);
    workspace.file("class/ann.zip", dated(&[("gaps.sh", WRONG, 9), ("gaps (1).sh", SUM, 8), ("wordcount.sh", SUM, 9)]));
    for args in [&["Course", "--layout", "ilias"][..], &["class", "--layout", "{student}/{problem}.*"]] {
        for (attempts, grade) in [("best", "1,1,2,AC"), ("last", "0,1,1,WA"), ("first", "1,1,2,AC")] {
            let (run, rows) = gradebook(&workspace, &[args, &["--attempts", attempts]].concat());
            let row = rows[1].split_once(',').unwrap().1;
            assert!(row.starts_with(grade), "{attempts}: {rows:?}\n{}", run.all());
        }
        let run = workspace.grader(&[&["judge", "--attempts", "best", "--exit-zero"], args].concat());
        run.shows("2/2 #1").shows("3 submissions");
    }
    // The rule is the same for one exercise.
    for args in [&["Course", "--layout", "ilias"][..], &["class", "--layout", "{student}"]] {
        for (attempts, grade) in [("best", "1,1,AC"), ("last", "0,0,WA"), ("first", "1,1,AC")] {
            let (run, rows) = gradebook(&workspace, &[args, &["-p", "gaps", "--attempts", attempts]].concat());
            let row = rows[1].split_once(',').unwrap().1;
            assert!(row.starts_with(grade), "{attempts}: {rows:?}\n{}", run.all());
        }
    }
}

/// The text of each attempt says which one counts, and what lateness takes.
#[apply(cli_test)]
fn texts_of_attempts_say_which_one_counts() {
    let workspace = course();
    for (time, text) in [("30-10-15-00", WRONG), ("31-23-59-30", SUM)] {
        workspace.file(format!("bb/gaps_alee_attempt_2026-01-{time}_gaps.sh"), text);
    }
    let args = ["judge", "-p", "gaps", "bb", "--attempts", "best", "--out", "results", "--exit-zero"];
    let rule = ["--deadline", "2026-01-31T12:00", "--late", "10 % a day"];
    // A repeated run does not say it twice.
    for _ in 0..2 {
        workspace.grader(&[&args[..], &rule].concat()).status(0);
        let folder = workspace.path("results/students/alee");
        let texts =
            std::fs::read_dir(folder).unwrap().map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap());
        let texts: Vec<String> = texts.filter(|text| text.contains("tests")).collect();
        let grades = texts.iter().map(|text| text.split("\nGrade: ").skip(1).collect::<Vec<_>>());
        let mut grades: Vec<Vec<&str>> = grades.collect();
        grades.sort();
        let late = "0.9 of 1 points: accepted, late by 12 h (10 % a day) (this attempt counts)\n";
        assert_eq!(grades, [[late], ["attempt 2 counts, not this one\n"]], "{texts:?}");
    }
}
