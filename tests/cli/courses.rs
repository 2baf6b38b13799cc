//! Courses: exports of all platforms with several exercises, attempts, lateness, teams, grades that people decide, and the
//! files that platforms take back. The forms of names are those of `--layout list`; the people are invented.

use std::collections::BTreeSet;

use macro_rules_attribute::apply;

use crate::cli::answers::zip;
use crate::cli::classes::gradebook;
use crate::cli::workspace::{SUM, Workspace};

const WRONG: &str = "read a b\necho $((a - b))\n";

/// A student: a name, a login and a number.
pub(crate) type Person = (&'static str, &'static str, u32);

const PEOPLE: [Person; 4] =
    [("Ann Lee", "alee", 11), ("Bo Fox", "bfox", 12), ("Cy Ray", "cray", 13), ("Dee Oh", "doh", 14)];

/// A platform: its name, and the path of a file of a student for an exercise, or for all of them.
pub(crate) type Shape = (&'static str, fn(Person, Option<&str>, &str) -> String);

pub(crate) const SHAPES: [Shape; 14] = [
    ("moodle", |(name, _, number), of, file| {
        format!("{}{name}_{number}_assignsubmission_file_/{file}", of.map(|of| format!("{of}/")).unwrap_or_default())
    }),
    ("moodle", |(name, _, number), of, file| {
        format!("{}{name}_{number}_assignsubmission_file_{file}", of.map(|of| format!("{of}/")).unwrap_or_default())
    }),
    ("canvas", |(_, login, number), of, file| {
        format!("{}{login}_{number}_9{number}_{file}", of.map(|of| format!("{of}/")).unwrap_or_default())
    }),
    ("ilias", |(name, login, number), of, file| {
        let (first, last) = name.split_once(' ').unwrap();
        format!("Course/{}/Submissions/{last}_{first}_{login}_{number}/20260131101500_{file}", of.unwrap_or("HW"))
    }),
    ("sakai", |(name, login, _), of, file| {
        let (first, last) = name.split_once(' ').unwrap();
        format!("{}/{last}, {first}({login})/Submission attachment(s)/{file}", of.unwrap_or("HW"))
    }),
    ("teams", |(name, ..), of, file| format!("Submitted files/{name}/{}/Version 1/{file}", of.unwrap_or("HW"))),
    ("openedx", |(_, login, _), of, file| format!("[1]Week, [1]Day, [1]{}/[1] - {login} - {file}", of.unwrap_or("HW"))),
    ("blackboard", |(_, login, _), of, file| {
        format!("{}_{login}_attempt_2026-01-31-10-15-00_{file}", of.unwrap_or("HW"))
    }),
    ("brightspace", |(name, _, number), of, file| {
        let above = of.map(|of| format!("{of}/")).unwrap_or_default();
        format!("{above}{number}-345 - {name} - Jan 31, 2026 1015 AM/{file}")
    }),
    ("brightspace", |(name, _, number), of, file| {
        let above = of.map(|of| format!("{of}/")).unwrap_or_default();
        format!("{above}{number}-345 - {name} - Jan 31, 2026 1015 AM - {file}")
    }),
    ("github", |(_, login, _), of, file| {
        let of = of.unwrap_or("hw");
        format!("{of}-submissions/{of}-{login}/{file}")
    }),
    ("google", |(name, ..), of, file| format!("{}{name} - {file}", of.map(|of| format!("{of}/")).unwrap_or_default())),
    ("artemis", |(_, login, number), of, file| format!("{}-{number}-{login}/{file}", of.unwrap_or("HW"))),
    ("gradescope", |(_, _, number), of, file| format!("{}/submission_{number}/{file}", of.unwrap_or("HW"))),
];

pub(crate) fn course() -> Workspace {
    let workspace = Workspace::new();
    for problem in ["gaps", "wordcount"] {
        let problem = workspace.problem(problem).case("sample/1", "1 2\n", "3\n").case("secret/1", "4 4\n", "8\n");
        problem.submission("accepted/sum.sh", SUM);
    }
    workspace
}

/// What platforms put beside the files of students.
pub(crate) fn additions(workspace: &Workspace, exercises: &[&str], people: &[Person]) {
    let submission = |(name, login, number): &Person| {
        format!(
            "submission_{number}:\n  :submitters:\n  - :name: {name}\n    :sid: {login}\n    :email: {login}@x.org\n  \
             :created_at: 2026-01-31 10:15:00 -08:00\n  :score: 0.0\n"
        )
    };
    let metadata: String = people.iter().map(submission).collect();
    for exercise in exercises {
        workspace.file(format!("gradescope/{exercise}/submission_metadata.yml"), &metadata);
        workspace.file(format!("sakai/{exercise}/grades.csv"), "Display ID,ID\n");
        for (name, login, _) in people {
            let (first, last) = name.split_once(' ').unwrap();
            let folder = format!("sakai/{exercise}/{last}, {first}({login})");
            workspace.file(format!("{folder}/timestamp.txt"), "20260131101500123");
            workspace.file(format!("{folder}/comments.txt"), "");
            let path = format!("blackboard/{exercise}_{login}_attempt_2026-01-31-10-15-00.txt");
            workspace.file(path, format!("Name: {name} ({login})\nAssignment: {exercise}\n"));
        }
    }
    workspace.file("brightspace/index.html", "<html>").file("openedx/submissions.csv", "key\n");
}

/// The grades of the four: both right; one wrong; one missing, under another name; no program.
fn expect_grades(workspace: &Workspace, platform: &str, expect: [&str; 4]) {
    let (run, rows) = gradebook(workspace, &[platform, "--layout", platform]);
    assert_eq!(rows.len(), 5, "{platform}: {rows:#?}\n{}", run.all());
    for ((name, login, _), grades) in PEOPLE.iter().zip(expect) {
        let (first, last) = name.split_once(' ').unwrap();
        let is_theirs = |row: &&String| {
            let of = row.split(',').next().unwrap_or_default();
            row.contains(login) || of.contains(first) && (of.contains(last) || row.contains(last))
        };
        let row = rows[1..].iter().find(is_theirs).unwrap_or_else(|| panic!("{platform}: {name}: {rows:#?}"));
        assert!(row.ends_with(grades), "{platform}: {row}, {grades}\n{}", run.all());
    }
}

#[apply(cli_test)]
fn several_exercises_in_one_export() {
    for (platform, path) in SHAPES {
        let workspace = course();
        additions(&workspace, &["HW"], &PEOPLE);
        let [ann, bo, cy, dee] = PEOPLE;
        for (person, file, text) in [
            (ann, "gaps.sh", SUM),
            (ann, "wordcount.sh", SUM),
            (bo, "gaps.sh", SUM),
            (bo, "Word Count.sh", WRONG),
            (cy, "gaps_final.sh", SUM),
            (dee, "essay.pdf", "%PDF"),
        ] {
            workspace.file(format!("{platform}/{}", path(person, None, file)), text);
        }
        let of_nobody = ",,,,no such problem,no such problem";
        expect_grades(&workspace, platform, [",1,1,2,AC,AC", ",1,0,1,AC,WA", ",1,,1,AC,", of_nobody]);
    }
}

#[apply(cli_test)]
fn an_export_for_each_exercise() {
    for (platform, path) in SHAPES {
        let workspace = course();
        additions(&workspace, &["gaps", "wordcount"], &PEOPLE);
        let [ann, bo, cy, dee] = PEOPLE;
        for (person, exercise, file, text) in [
            (ann, "gaps", "solution.sh", SUM),
            (ann, "wordcount", "main.sh", SUM),
            (bo, "gaps", "x.sh", SUM),
            (bo, "wordcount", "x.sh", WRONG),
            (cy, "gaps", "mine.sh", SUM),
            (dee, "gaps", "essay.pdf", "%PDF"),
        ] {
            workspace.file(format!("{platform}/{}", path(person, Some(exercise), file)), text);
        }
        expect_grades(&workspace, platform, [",1,1,2,AC,AC", ",1,0,1,AC,WA", ",1,,1,AC,", ",,,,no program,"]);
    }
}

#[apply(cli_test)]
fn exports_are_recognised() {
    for (platform, path) in SHAPES {
        let workspace = course();
        additions(&workspace, &["HW"], &PEOPLE);
        workspace.file(format!("{platform}/{}", path(PEOPLE[0], None, "gaps.sh")), SUM);
        let (run, rows) = gradebook(&workspace, &[platform]);
        if ["ilias", "google", "artemis"].contains(&platform) {
            continue;
        }
        // Blackboard and Gradescope have files of all four.
        assert!(
            rows.iter().any(|row| row.ends_with(",1,1,AC") || row.ends_with(",1,,1,AC,")),
            "{platform}: {rows:?}\n{}",
            run.all()
        );
    }
    let workspace = course();
    workspace.grader(&["judge", "--layout", "list"]).status(0).shows("* moodle").shows("  google").shows("Blackboard");
    workspace.file("x/a.sh", SUM);
    let run = workspace.grader(&["judge", "x", "--layout", "modle"]);
    run.status(2).says("no such layout: did you mean `moodle`?").says("blackboard");
    workspace.file("up/Ann_1_assignsubmission_file_gaps.sh", SUM);
    workspace.grader(&["judge", "up", "--layout", "Moodle"]).status(0).shows("Ann_1");
}

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

/// ILIAS says which words are the last name, and its file has them again.
#[apply(cli_test)]
fn last_names_of_several_words_go_back_to_ilias() {
    let workspace = course();
    workspace.file("Course/HW/Submissions/von der Berg_Vera_vberg_317/20260131101500_gaps.sh", SUM);
    workspace.file("Course/HW/Submissions/Lee_Ann_alee_318/20260131101500_gaps.sh", SUM);
    let args = ["judge", "gaps", "Course", "--layout", "ilias", "--report", "ilias=-"];
    let run = workspace.grader(&args);
    assert!(run.stdout.contains("vberg,von der Berg,Vera,") && run.stdout.contains("alee,Lee,Ann,"), "{}", run.all());
    workspace.file("roster.csv", "id,name\nvberg,\"Berg, Vera\"\nalee,Ann Mary Lee\n");
    let run = workspace.grader(&[&args[..], &["--roster", "roster.csv"]].concat());
    assert!(run.stdout.contains("vberg,Berg,Vera,") && run.stdout.contains("alee,Lee,Ann Mary,"), "{}", run.all());
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

const RULE: [&str; 4] = ["--deadline", "2026-01-31T12:00", "--late", "10 % a day, at most 50 %"];

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
        ["Ann Lee_alee,1,1,AC,2026-01-31T10:15:00,0", "Bo Fox_bfox,0.9,0.9,AC,2026-02-01T10:15:00,1335"],
        "{}",
        run.all()
    );
}

/// Moodle's grading worksheet, with what it has besides students and grades.
const WORKSHEET: &str = "\u{feff}Identifier,\"Full name\",\"ID number\",\"Email address\",Status,Group,Grade,\"Maximum grade\",\
    \"Grade can be changed\",\"Last modified (submission)\",\"Last modified (grade)\",\"Feedback comments\"\r\n\
    \"Participant 11\",\"Ann Lee\",990,a@x.org,\"Submitted for grading\",,,100.00,Yes,\"Saturday, 31 January 2026, 10:15 AM\",-,\r\n\
    \"Participant 12\",\"Bo Fox\",991,b@x.org,\"Submitted for grading - 2 days late\",,78.50,100.00,Yes,\"Monday, 2 February 2026, \
    1:05 PM\",\"Tuesday, 3 February 2026, 9:00 AM\",\"Hello,\n\ngood \"\"work\"\"\"\r\n\
    \"Participant 13\",\"Cy Ray\",992,c@x.org,\"No submission\",,,100.00,Yes,-,-,\r\n";

#[apply(cli_test)]
fn points_are_scaled_to_the_maximum_of_the_worksheet() {
    let workspace = course();
    for (student, exercise) in [("Ann Lee_11", "gaps"), ("Bo Fox_12", "gaps"), ("Bo Fox_12", "wordcount")] {
        workspace.file(format!("m/{student}_assignsubmission_file_{exercise}.sh"), SUM);
    }
    workspace.file("worksheet.csv", WORKSHEET);
    let args = ["judge", "m", "--exit-zero", "--roster", "worksheet.csv", "--report", "moodle=-"];
    let judge = |more: &[&str]| workspace.grader(&[&args[..], &RULE[..], more].concat());
    let run = judge(&["--out", "results"]);
    run.status(0).says("--report moodle: the total is scaled from 2 to 100 points, the maximum in the roster");
    let grades = |run: &crate::cli::run::Run| {
        let rows = run.stdout.lines().skip(1).map(|row| row.splitn(5, ',').take(4).collect::<Vec<_>>().join(","));
        rows.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>()
    };
    let expect = ["Participant 11,Ann Lee,50,100", "Participant 12,Bo Fox,70,100", "Participant 13,Cy Ray,0,100"];
    assert_eq!(grades(&run), expect, "{}", run.all());
    assert!(run.stdout.contains("gaps: AC, late by 2 d 1 h 5 min"), "{}", run.stdout);
    assert!(run.stdout.contains(",100,\"Tuesday, 3 February 2026, 9:00 AM\","), "{}", run.stdout);
    // Tables show what counts beside what the program got.
    run.says("→ 0.7 late");
    let run = judge(&["--points", "raw"]);
    assert_eq!(grades(&run)[0], "Participant 11,Ann Lee,1,2", "{}", run.all());
    assert!(!run.all().contains("scaled"), "{}", run.all());
    workspace.file("grader.toml", "[judge]\npoints = \"raw\"\n");
    assert_eq!(grades(&judge(&[]))[0], "Participant 11,Ann Lee,1,2");
    // The record has the scale.
    workspace.file("grader.toml", "");
    judge(&[]).status(0);
    assert_eq!(grades(&workspace.grader(&["report", "last", "--report", "moodle=-"])), expect);
    workspace.file("worksheet.csv", WORKSHEET.replace("Saturday, 31", "some"));
    judge(&[]).status(2).says("worksheet.csv: line 2").says("is no time");
}

#[apply(cli_test)]
fn columns_of_gradebooks_come_back_unchanged() {
    let workspace = course();
    workspace.file("c/leeann_11_900_gaps.sh", SUM).file("c/foxbo_12_902_wordcount.sh", SUM);
    let canvas = "Student,ID,SIS User ID,SIS Login ID,Section,Gaps (77),Word Count (78),Groups (9),Final Score\n\
        ,,,,,Manual Posting,,,\n    Points Possible,,,,,100,0.5,10,(read only)\n\
        \"Lee, Ann\",11,s11,alee,A,,,,\n\"Fox, Bo\",12,s12,bfox,B,,,,\n\"Ray, Cy\",13,s13,cray,B,,,,\n";
    let blackboard = "\u{feff}\"Last Name\",\"First Name\",\"Username\",\"Student ID\",\"Availability\",\"Gaps [Total Pts: 10 \
        Score] |4711\"\nLee,Ann,alee,1,Yes,\nFox,Bo,bfox,2,Yes,\n";
    let brightspace = "OrgDefinedId,Username,Last Name,First Name,Gaps Points Grade <Numeric MaxPoints:20 Weight:5>,\
        End-of-Line Indicator\n#11,alee,Lee,Ann,,#\n#12,bfox,Fox,Bo,,#\n";
    let mut files = Vec::new();
    for (form, list) in [("canvas", canvas), ("blackboard", blackboard), ("brightspace", brightspace)] {
        workspace.file("list.csv", list);
        let run =
            workspace.grader(&["judge", "c", "--exit-zero", "--roster", "list.csv", "--report", &format!("{form}=-")]);
        files.push(run.status(0).stdout.trim_start_matches('\u{feff}').to_owned());
    }
    assert_eq!(
        files[0],
        "Student,ID,SIS User ID,SIS Login ID,Section,Gaps (77),Word Count (78)\n    Points Possible,,,,,100,0.5\n\
         \"Ray, Cy\",13,s13,cray,B,,\n\"Fox, Bo\",12,s12,bfox,B,,0.5\n\"Lee, Ann\",11,s11,alee,A,100,\n"
    );
    assert_eq!(
        files[1],
        "Username,Gaps [Total Pts: 10 Score] |4711,wordcount [Total Pts: 1 Score]\nbfox,,1\nalee,10,\n"
    );
    let head =
        "OrgDefinedId,Gaps Points Grade <Numeric MaxPoints:20 Weight:5>,wordcount Points Grade,End-of-Line Indicator";
    assert_eq!(files[2], format!("{head}\n#12,,1,#\n#11,20,,#\n"));
    // The login finds students whose ids are numbers.
    workspace.file("hw-submissions/hw-alee/gaps.sh", SUM).file("list.csv", canvas);
    let run = workspace.grader(&["judge", "hw-submissions", "--roster", "list.csv", "--report", "canvas=-"]);
    assert!(run.status(0).stdout.contains("\"Lee, Ann\",11,s11,alee,A,100\n"), "{}", run.all());
}

/// A heading that fits no problem is named if a problem has no column, and otherwise belongs to something else.
#[apply(cli_test)]
fn a_column_that_fits_no_problem_is_named() {
    let workspace = course();
    workspace.file("c/leeann_11_900_gaps.sh", SUM).file("c/leeann_11_901_wordcount.sh", SUM);
    let list = "Student,ID,SIS User ID,SIS Login ID,Section,Essay (7),HW1 gaps (77),Word Count (78)\n    Points Possible,,,,,5,100,1\n\
        \"Lee, Ann\",11,s11,alee,A,,,\n";
    workspace.file("list.csv", list);
    let judge = |more: &[&str]| {
        let args = ["judge", "c", "--roster", "list.csv", "--report", "canvas=-"];
        workspace.grader(&[&args[..], more].concat())
    };
    let message = "has no column for gaps; these columns name no problem of this run: Essay (7), HW1 gaps (77)";
    judge(&[]).says(&format!("list.csv: {message}")).says("--exercise 'HW1 gaps=gaps'");
    let run = judge(&["--exercise", "HW1 gaps=gaps"]);
    assert!(
        run.status(0).stdout.starts_with("Student,ID,SIS User ID,SIS Login ID,Section,HW1 gaps (77),Word Count (78)\n")
    );
    run.hides("has no column").hides("matches no file");
}

/// Points below 0 are remarked like those above the maximum.
#[apply(cli_test)]
fn points_below_zero_are_remarked() {
    let workspace = course();
    workspace.file("m/Ann Lee_11_assignsubmission_file_gaps.sh", SUM);
    workspace.file("changes.csv", "id,problem,points,reason\nAnn Lee,gaps,-5,copied\n");
    let run = workspace.grader(&["judge", "m", "--overrides", "changes.csv", "--report", "gradebook=-"]);
    assert!(run.stdout.contains("manual: -5, was 1, below 0: copied"), "{}", run.all());
    run.says("a total below 0: Ann Lee_11");
}

#[apply(cli_test)]
fn what_people_decide_is_said_once_and_remarked_above_the_maximum() {
    let workspace = course();
    workspace.file("m/Ann Lee_11_assignsubmission_file_gaps.sh", SUM);
    workspace.file(
        "changes.csv",
        "id,problem,points,reason\nAnn Lee,wordcount,0.5,shown\nAnn Lee,gaps,+2,style\nAnn Lee,,+1,bonus\n",
    );
    let run = workspace.grader(&["judge", "m", "--overrides", "changes.csv", "--report", "moodle=-"]);
    let comment = "\"gaps: AC, manual: +2, was 1, above the maximum 1: style; wordcount: manual: 0.5: shown; manual: +1, above \
        the maximum 2: bonus\"";
    assert!(run.status(0).stdout.ends_with(&format!("Participant 11,Ann Lee,4.5,2,-,{comment}\n")), "{}", run.stdout);
    run.says("→ 3 manual").says("above the maximum of the total: Ann Lee_11; Moodle skips these rows");
    // The student reads why.
    workspace.grader(&["judge", "m", "--overrides", "changes.csv", "--out", "results"]).status(0);
    let text =
        |name: &str| std::fs::read_to_string(workspace.path(format!("results/students/Ann Lee_11/{name}"))).unwrap();
    let of_all = text("all exercises.txt");
    assert!(
        of_all.contains("gaps: accepted, manual: +2, was 1, above the maximum 1: style, 3 of 1 points"),
        "{of_all}"
    );
    assert!(of_all.contains("manual: +1, above the maximum 2: bonus"), "{of_all}");
    let grade = "\nGrade: 3 of 1 points: accepted, manual: +2, was 1, above the maximum 1: style\n";
    assert!(text("gaps.txt").ends_with(grade), "{}", text("gaps.txt"));
    // Known results get the new grade.
    workspace.file("changes.csv", "id,problem,points,reason\nAnn Lee,gaps,0,copied\n");
    workspace.grader(&["judge", "m", "--overrides", "changes.csv", "--out", "results"]).status(0);
    assert!(
        text("gaps.txt").ends_with("\nGrade: 0 of 1 points: accepted, manual: 0, was 1: copied\n"),
        "{}",
        text("gaps.txt")
    );
    assert_eq!(text("gaps.txt").matches("Grade:").count(), 1);
    workspace.grader(&["judge", "m", "--out", "results"]).status(0);
    assert!(!text("gaps.txt").contains("Grade:"), "{}", text("gaps.txt"));
}

#[apply(cli_test)]
fn a_student_is_the_same_where_texts_of_blackboard_are_missing() {
    let workspace = course();
    for (day, text) in [(29, WRONG), (30, SUM)] {
        workspace.file(format!("bb/gaps_alee_attempt_2026-01-{day}-10-15-00_gaps.sh"), text);
    }
    workspace.file("bb/gaps_alee_attempt_2026-01-29-10-15-00.txt", "Name: Ann Lee (alee)\nAssignment: gaps\n");
    let (run, rows) = gradebook(&workspace, &["bb", "-p", "gaps"]);
    assert_eq!(rows[1..], ["Ann Lee_alee,1,1,AC,2"], "{}", run.all());
}

#[apply(cli_test)]
fn logins_of_blackboard_have_underscores() {
    let workspace = course();
    let stem = "bb/HW_1_a_lee_attempt_2026-01-31-10-15-00";
    workspace.file(format!("{stem}_gaps.sh"), SUM);
    workspace.file(format!("{stem}.txt"), "Name: Ann Lee (a_lee)\nAssignment: HW 1\n");
    // The text about this one is missing.
    workspace.file("bb/HW_1_b_fox_attempt_2026-01-31-10-15-00_gaps.sh", WRONG);
    workspace.file("roster.csv", "id,name\na_lee,Ann Lee\nlee,Bruce Lee\nb_fox,Bo Fox\nfox,Cy Fox\n");
    let (run, rows) = gradebook(&workspace, &["bb", "-p", "gaps"]);
    assert_eq!(rows[1..], ["Ann Lee_a_lee,1,1,AC", "b_fox,0,0,WA"], "{}", run.all());
    let run = workspace.grader(&["judge", "bb", "-p", "gaps", "--roster", "roster.csv", "--report", "blackboard=-"]);
    let grades: BTreeSet<&str> = run.stdout.lines().skip(1).collect();
    assert_eq!(grades, BTreeSet::from(["a_lee,1", "b_fox,0", "fox,", "lee,"]), "{}", run.all());
}

#[apply(cli_test)]
fn hours_of_brightspace_have_one_digit_or_two() {
    let workspace = course();
    for (student, date, text) in [
        ("12-34 - Ann Lee", "Feb 9, 2026 900 AM", WRONG),
        ("12-34 - Ann Lee", "Feb 10, 2026 800 AM", SUM),
        ("13-34 - Bo Fox", "Feb 9, 2026 1000 AM", WRONG),
        ("13-34 - Bo Fox", "Feb 9, 2026 900 PM", SUM),
        ("14-34 - Cy Ray", "Feb 9, 2026 1200 AM", WRONG),
        ("14-34 - Cy Ray", "Feb 9, 2026 4:17 PM", SUM),
    ] {
        workspace.file(format!("bs/{student} - {date}/gaps.sh"), text);
    }
    let args = ["bs", "-p", "gaps", "--deadline", "2026-02-09T23:59", "--late", "10 % a day"];
    let (run, rows) = gradebook(&workspace, &args);
    let expect = [
        "Ann Lee_12,0.9,0.9,AC,2,2026-02-10T08:00:00,481",
        "Bo Fox_13,1,1,AC,2,2026-02-09T21:00:00,0",
        "Cy Ray_14,1,1,AC,2,2026-02-09T16:17:00,0",
    ];
    assert_eq!(rows[1..], expect, "{}", run.all());
    workspace.file("bs/15-34 - Di Roe - Feb 30, 2026 900 AM/gaps.sh", SUM);
    let run = workspace.grader(&["judge", "bs", "-p", "gaps"]);
    run.says("the times of these cannot be read, so none is known: 15-34 - Di Roe - Feb 30, 2026 900 AM");
}

#[apply(cli_test)]
fn exports_of_sakai_have_times_groups_and_no_folders() {
    let workspace = course();
    let times = [("Lee, Ann(alee)", "2026-02-03T10:58:00Z"), ("Fox, Bo(bfox)", "2026-01-31T10:58:00.123Z")];
    for (student, time) in times {
        workspace.file(format!("s/HW/{student}/Submission attachment(s)/gaps.sh"), SUM);
        workspace.file(format!("s/HW/{student}/timestamp.txt"), time);
        workspace.file(format!("flat/HW/{student}_Submission attachment(s)_gaps.sh"), SUM);
        workspace.file(format!("flat/HW/{student}_timestamp.txt"), time);
        workspace.file(format!("flat/HW/{student}_comments.txt"), "");
    }
    for export in ["s", "flat"] {
        let args = [export, "-p", "gaps", "--deadline", "2026-02-01T10:58:00Z", "--late", "10 % a day"];
        let (run, rows) = gradebook(&workspace, &args);
        assert_eq!(
            rows[1..],
            ["Ann Lee_alee,0.8,0.8,AC,2026-02-03T10:58:00Z,2880", "Bo Fox_bfox,1,1,AC,2026-01-31T10:58:00.123Z,0"],
            "{export}: {}",
            run.all()
        );
    }
    workspace.file("g/HW/Team Red (3f2a-77)/Submission attachment(s)/gaps.sh", SUM);
    workspace.file("g/HW/Team Red (3f2a-77)/members.txt", "Lee, Ann(alee); Fox, Bo(bfox)");
    workspace.file("g/HW/Team Red (3f2a-77)/timestamp.txt", "2026-01-30T10:00:00Z");
    for more in [&[][..], &["--members", "members.txt"][..]] {
        let (run, rows) = gradebook(&workspace, &[&["g", "-p", "gaps"], more].concat());
        assert_eq!(rows[1..], ["Ann Lee_alee,1,1,AC", "Bo Fox_bfox,1,1,AC"], "{}", run.all());
    }
}

#[apply(cli_test)]
fn students_of_anonymous_assignments_have_codes() {
    let workspace = course();
    workspace.file("c/anon_AB12C_907_gaps.sh", SUM).file("c/LATE_anon_XY34Z_908_gaps.sh", WRONG);
    workspace.file("c/anon_QQ1ZZ_link.html", "<html>");
    let (run, rows) = gradebook(&workspace, &["c", "-p", "gaps"]);
    for (row, expect) in rows[1..].iter().zip(["anon_AB12C,1,1,AC", "anon_QQ1ZZ,,,no file", "anon_XY34Z,0,0,WA"]) {
        assert!(row.starts_with(expect), "{row}\n{}", run.all());
    }
    assert_eq!(rows.len(), 4, "{}", run.all());
    run.says("late");
}

#[apply(cli_test)]
fn a_stray_file_does_not_hide_an_export() {
    let workspace = course();
    workspace.file("m/Ann Lee_11_assignsubmission_file_/gaps.sh", SUM);
    workspace.file("m/Bo Fox_12_assignsubmission_onlinetext_/onlinetext.html", "<p>text");
    workspace.file("m/Grades-CS1-HW1--4711.csv", "Identifier,Grade\n");
    let expect = ["Ann Lee_11,1,1,AC", "Bo Fox_12,,,no file"];
    let (run, rows) = gradebook(&workspace, &["m", "-p", "gaps"]);
    assert_eq!(rows[1..], expect, "{}", run.all());
    workspace.file("m/notes.sh", SUM);
    let (run, rows) = gradebook(&workspace, &["m", "-p", "gaps"]);
    assert_eq!(rows[1..], expect, "{}", run.all());
    run.says("outside of the layout `moodle`: notes.sh");
    workspace.file("m/a.sh", SUM).file("m/b.sh", SUM);
    workspace
        .grader(&["judge", "m", "-p", "gaps"])
        .says("some of its names are those of `moodle`")
        .says("--layout moodle");
}

#[apply(cli_test)]
fn tests_of_a_template_are_no_submissions() {
    let workspace = course();
    for login in ["alee", "bfox", "cray"] {
        workspace.file(format!("hw-submissions/hw-{login}/tests/test_gaps.sh"), WRONG);
    }
    workspace.file("hw-submissions/hw-alee/gaps.sh", SUM).file("hw-submissions/hw-bfox/essay.pdf", "%PDF");
    workspace.file("hw-submissions/hw-cray/a.zip", zip(&[("gaps.sh", SUM)]));
    for (more, expect) in [
        (&["-p", "gaps"][..], ["alee,1,1,AC", "bfox,,,no program", "cray,1,1,AC"]),
        (&[][..], ["alee,1,1,AC", "bfox,,,no such problem", "cray,1,1,AC"]),
    ] {
        let (run, rows) = gradebook(&workspace, &[&["hw-submissions"], more].concat());
        assert_eq!(rows[1..], expect, "{}", run.all());
        run.says("the same in most repositories, so tests of the template and no submissions: tests/test_gaps.sh");
    }
}

#[apply(cli_test)]
fn feedback_for_moodle_is_for_all_members() {
    let workspace = course();
    workspace.file("m/Ann Lee_11_assignsubmission_file_/gaps.sh", SUM);
    workspace.file("m/Ann Lee_11_assignsubmission_file_/members.txt", "Bo Fox\n").file("worksheet.csv", WORKSHEET);
    let args = ["judge", "m", "-p", "gaps", "--members", "members.txt", "--out", "results", "--roster"];
    workspace.grader(&[&args[..], &["worksheet.csv"]].concat()).status(0);
    let names = || {
        let zip = zip::ZipArchive::new(std::fs::File::open(workspace.path("results/moodle-feedback.zip")).unwrap());
        let names = zip.unwrap().file_names().map(|name| name.unwrap().into_owned()).collect::<BTreeSet<_>>();
        names.into_iter().collect::<Vec<_>>()
    };
    let expect = ["Ann Lee_11_assignfeedback_file_gaps.txt", "Bo Fox_12_assignfeedback_file_gaps.txt"];
    assert_eq!(names(), expect);
    workspace.file("own.csv", "id,name\nalee,Ann Lee\nbfox,Bo Fox\n");
    let run = workspace.grader(&[&args[..], &["own.csv"]].concat());
    run.says("moodle-feedback.zip lacks these, whose numbers at Moodle are unknown: bfox").says("grading worksheet");
    assert_eq!(names(), expect[..1]);
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
        // What is no number is outside of the layout.
        assert!(rows[1].starts_with(expect), "{which}: {rows:?} {}", run.all());
        run.says("outside of the layout").says("bob/x/gaps.sh");
    }
}

#[apply(cli_test)]
fn programs_saved_as_text_have_a_way_out() {
    let workspace = course();
    for (student, file) in [("ann", "gaps.sh.txt"), ("bob", "gaps.txt"), ("cy", "gaps.sh")] {
        workspace.file(format!("class/{student}/{file}"), SUM);
    }
    let (run, rows) = gradebook(&workspace, &["class", "--layout", "{student}/{problem}.*"]);
    assert!(rows[1].ends_with("no program") && rows[3] == "cy,1,1,AC", "{rows:?} {}", run.all());
    for (student, file) in [("ann", "gaps.sh.txt"), ("bob", "gaps.txt")] {
        let text = workspace.read(format!("results/students/{student}/gaps.txt"));
        let expect = format!("We received {file}. If that is your program, rename it to gaps.sh and submit it again.");
        assert!(text.contains(&expect), "{text}");
    }
    // Where students use several languages, nobody knows that of a text.
    workspace.file("class/dee/gaps.py", "print(sum(map(int, input().split())))\n");
    gradebook(&workspace, &["class", "--layout", "{student}/{problem}.*"]);
    let text = workspace.read("results/students/bob/gaps.txt");
    assert!(text.contains("rename it to gaps.py or gaps.sh and submit"), "{text}");
}

/// An archive with these files, changed at these hours of one day.
fn dated(files: &[(&str, &str, u8)]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, text, hour) in files {
        let date = zip::DateTime::from_date_and_time(2026, 1, 30, *hour, 0, 0).unwrap();
        zip.start_file(*name, zip::write::SimpleFileOptions::default().last_modified_time(date)).unwrap();
        std::io::Write::write_all(&mut zip, text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
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
fn old_versions_are_no_submissions() {
    let workspace = course();
    workspace
        .file("class/ann/gaps.sh", SUM)
        .file("class/ann/gaps_old.sh", WRONG)
        .file("class/ann/gaps - backup.sh", WRONG)
        .file("class/bo/gaps_old.sh", SUM);
    let (run, rows) =
        gradebook(&workspace, &["class", "--layout", "{student}/{problem}.*", "--exercise", "w.sh=wordcount"]);
    assert_eq!(rows[1], "ann,1,,1,AC,", "{}", run.all());
    assert!(rows[2].starts_with("bo,,,,no such problem"), "{rows:?}");
    run.says("ann/gaps_old.sh: an old version of `gaps`; not judged").says("no problem is called `gaps_old`");
}

#[apply(cli_test)]
fn a_table_says_why_a_total_is_unknown() {
    let workspace = course();
    workspace.file("class/ann/gaps.sh", SUM).file("class/ann/mystery.sh", SUM).file("class/bo/wordcount.sh", SUM);
    let run = workspace.grader(&["judge", "class", "--layout", "{student}/{problem}.*", "--exit-zero", "--out", "out"]);
    let row = run.stdout.lines().find(|line| line.starts_with("ann ")).unwrap_or_default();
    assert!(row.contains("no such problem") && row.ends_with('?'), "{}", run.all());
    assert!(workspace.read("out/students/ann/all exercises.txt").contains("wordcount: not found, ? of 1 points"));
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
fn a_packed_archive_of_a_class_is_a_class() {
    let workspace = course();
    let student = "Ann Lee_11_assignsubmission_file_/gaps.sh";
    let class = dated(&[(student, SUM, 9), ("Bo Fox_12_assignsubmission_file_/gaps.sh", WRONG, 9)]);
    workspace.file("again/class.zip", class);
    crate::cli::classes::zip(&workspace.path("again"), &workspace.path("again.zip"));
    let (run, rows) = gradebook(&workspace, &["-p", "gaps", "again.zip"]);
    assert_eq!(rows[1..], ["Ann Lee_11,1,1,AC", "Bo Fox_12,0,0,WA"], "{}", run.all());
}

#[apply(cli_test)]
fn names_of_exercises_may_have_more() {
    let workspace = course();
    let student = "Ann Lee_11_assignsubmission_file_/a.sh";
    workspace.file("m/PROG1-Gaps-4711.zip", dated(&[(student, SUM, 9)]));
    workspace.file("m/PROG1-WordCount-4712.zip", dated(&[(student, WRONG, 9)]));
    workspace.file("a/PROG-gaps-4-alee/a.sh", SUM).file("a/PROG-wordcount-5-alee/a.sh", WRONG);
    workspace.file("t/Submitted files/Ann Lee/gaps/Version 1/a.sh", SUM);
    workspace.file("t/Submitted files/Ann Lee/HW wordcount/Version 1/a.sh", WRONG);
    workspace.file("t/Working files/Ann Lee/gaps/a.sh", WRONG);
    for (args, student) in [(&["m"][..], "Ann Lee_11"), (&["a", "--layout", "artemis"], "alee"), (&["t"], "Ann Lee")] {
        let (run, rows) = gradebook(&workspace, args);
        assert_eq!(rows[1..], [format!("{student},1,0,1,AC,WA")], "{}", run.all());
        run.says("as wordcount");
    }
}

#[apply(cli_test)]
fn gradescope_names_who_has_no_name() {
    let workspace = course();
    workspace.file("export/submission_1/gaps.sh", SUM).file("export/submission_2/gaps.sh", SUM);
    let judged = |says: &str| {
        let (run, rows) = gradebook(&workspace, &["-p", "gaps", "export"]);
        run.says(says).says("submission_metadata.yml");
        rows[1..].to_vec()
    };
    assert_eq!(judged("put it from the export beside these folders").len(), 2);
    workspace.file("export/submission_metadata.yml", "x: [\n");
    assert_eq!(judged("take the unchanged file from the export").len(), 2);
    let ann = "submission_1:\n  :submitters:\n  - :name: Ann Lee\n    :sid: 11\n";
    workspace.file("export/submission_metadata.yml", ann);
    assert_eq!(
        judged("submission_2: submission_metadata.yml names no student for it"),
        ["Ann Lee_11,1,1,AC", "submission_2,1,1,AC"]
    );
}

#[apply(cli_test)]
fn text_of_an_online_form_is_no_file() {
    let workspace = course();
    workspace
        .file("m/Ann Lee_11_assignsubmission_onlinetext/onlinetext.html", "<p>read a b</p>")
        .file("m/Bo Fox_12_assignsubmission_file/gaps.sh", SUM)
        .file("c/leeann_11_text.html", "<p>read a b</p>")
        .file("c/foxbo_12_901_gaps.sh", SUM);
    for (export, student) in [("m", "Ann Lee_11"), ("c", "leeann_11")] {
        let (run, rows) = gradebook(&workspace, &["-p", "gaps", export]);
        assert!(rows.contains(&format!("{student},,,no file")), "{rows:?} {}", run.all());
        let text = workspace.read(format!("results/students/{student}/gaps.txt"));
        assert!(
            text.contains("We received no file, and judge no text of the online form. Submit a .sh file."),
            "{text}"
        );
    }
}

#[apply(cli_test)]
fn people_decide_grades() {
    let workspace = course();
    workspace.file("class/ann/gaps.sh", WRONG).file("class/bob/gaps.sh", SUM).file("class/cy/wordcount.sh", SUM);
    workspace.file(
        "changes.csv",
        "id,problem,points,reason,by\nann,gaps,0.8,appeal of 12 March,Dr Lee\nbob,wordcount,0.5,shown on paper,\n\
         bob,,+2,bonus,\ncy,wordcount,-0.25,no comments,\n",
    );
    let args = ["class", "--layout", "{student}/{problem}.*", "--overrides", "changes.csv"];
    let (run, rows) = gradebook(&workspace, &args);
    let expect = [
        "ann,0.8,,0.8,WA,,\"gaps: manual: 0.8, was 0: appeal of 12 March (Dr Lee)\"",
        "bob,1,0.5,3.5,AC,manual,",
        "cy,,0.75,0.75,,AC,",
    ];
    for (row, expect) in rows[1..].iter().zip(expect) {
        assert!(row.starts_with(&expect[..expect.len().min(18)]), "{row}, {expect}\n{}", run.all());
    }
    run.says("manual: 0.8, was 0: appeal of 12 March (Dr Lee)").says("manual: +2, above the maximum 2: bonus");
    // The record has them.
    let again = workspace.grader(&["report", "last", "--report", "gradebook=-"]);
    assert!(again.status(0).stdout.contains("appeal of 12 March"), "{}", again.stdout);
    workspace
        .file("changes.csv", "id,problem,points,reason\nzoe,gaps,1,x\nann,gasp,1,x\nann,gaps,much,x\nann,gaps,1,\n");
    let run = workspace.grader(&[&["judge"], &args[..]].concat());
    workspace.file("several.csv", "id,name\nann,Lee\nbob,Lee\ncy,Ray\n");
    workspace.file("lee.csv", "id,problem,points,reason\nLee,gaps,1,x\n");
    let several = ["class", "--layout", "{student}/{problem}.*", "--roster", "several.csv", "--overrides", "lee.csv"];
    let several = workspace.grader(&[&["judge"], &several[..]].concat());
    several.status(2).says("lee.csv: line 2").says("several students are called `Lee`");
    run.status(2).says("nobody has the id or name `zoe`").says("no problem of this run is called `gasp`");
    run.says("did you mean `gaps`?")
        .says("`much` is no number of points")
        .says("has no reason")
        .says("changes.csv: line 2");
}

#[apply(cli_test)]
fn teams_names_and_what_is_ignored() {
    let workspace = course();
    workspace.file("class/ann/mean.sh", SUM).file("class/ann/bak/gaps.sh", WRONG).file("class/red/wordcount.sh", SUM);
    workspace.file("class/bob/gaps.sh", WRONG).file("class/old/staff/students.csv", "folder,student\n");
    workspace.file("class/old/students/zed/gaps.txt", "text");
    workspace.file("roster.csv", "id,team\nann,red\nbob,red\ncy,red\n");
    let args = ["class", "--layout", "{student}/{problem}.*", "--roster", "roster.csv", "--exercise", "mean.sh=gaps"];
    let (run, rows) = gradebook(&workspace, &[&args[..], &["--ignore", "bak", "--missing", "zero"]].concat());
    // Of two programs, none is that of the others.
    let expect = ["ann,1,1,2,AC,AC", "bob,0,1,1,WA,AC", "cy,,1,,several authors,AC"];
    assert_eq!(rows[1..], expect, "{}", run.all());
    run.says("class/old: is a folder of results");
    workspace.file("class/bob/gaps.sh", SUM);
    let (run, rows) = gradebook(&workspace, &[&args[..], &["--ignore", "bak", "--missing", "zero"]].concat());
    assert_eq!(rows[3], "cy,1,1,2,AC,AC", "{}", run.all());
    let run = workspace.grader(&["judge", "class", "--layout", "{student}/{problem}.*", "--exercise", "x=y"]);
    run.status(2).says("`exercises` names problems that are not here: y");
}

#[apply(cli_test)]
fn files_that_platforms_take_back() {
    let workspace = course();
    workspace.file("m/Ann Lee_11_assignsubmission_file_gaps.sh", SUM);
    workspace.file("m/Ann Lee_11_assignsubmission_file_wordcount.sh", WRONG);
    workspace.file("m/Zoë Fox_12_assignsubmission_file_gaps.sh", SUM);
    let text = |form: &str| {
        let run = workspace.grader(&["judge", "m", "--exit-zero", "--report", &format!("{form}=-")]);
        run.status(0).stdout.clone()
    };
    let mark = "\u{feff}";
    assert_eq!(
        text("moodle"),
        format!(
            "{mark}Identifier,Full name,Grade,Maximum Grade,Last modified (grade),Feedback comments\nParticipant 11,Ann Lee,1,2,-,\
             gaps: AC; wordcount: WA\nParticipant 12,Zoë Fox,1,2,-,gaps: AC; wordcount: not submitted\n"
        )
    );
    let expect = "Student,ID,SIS User ID,SIS Login ID,Section,gaps,wordcount\n    Points Possible,,,,,1,1\n\
        Ann Lee,11,,,,1,0\nZoë Fox,12,,,,1,\n";
    assert_eq!(text("canvas"), expect);
    let expect = "Username,gaps [Total Pts: 1 Score],wordcount [Total Pts: 1 Score]\n11,1,0\n12,1,\n";
    assert_eq!(text("blackboard"), format!("{mark}{expect}"));
    let expect = "OrgDefinedId,gaps Points Grade,wordcount Points Grade,End-of-Line Indicator\n#11,1,0,#\n#12,1,,#\n";
    assert_eq!(text("brightspace"), format!("{mark}{expect}"));
    assert!(text("ilias").contains("\n1,11,Lee,Ann,,1,,gaps: AC; wordcount: WA\n"));
}

#[apply(cli_test)]
fn lists_of_platforms_are_rosters() {
    for (list, id) in [
        ("Identifier,Full name,Grade\nParticipant 11,Ann Lee,\n", "11"),
        ("Student,ID,SIS Login ID,Section\n    Points Possible,,,\n\"Lee, Ann\",11,alee,A\n", "11"),
        (
            "LastName;FirstName;ID;SIS Login ID;Section\n    Points Possible;;;;\nLee;Ann;11;alee;A\nStudent;Test;9;a0f3;A\n",
            "11",
        ),
        ("OrgDefinedId,Last Name,First Name,End-of-Line Indicator\n#11,Lee,Ann,#\n", "11"),
        ("\"Last Name\",\"First Name\",\"Username\"\nLee,Ann,alee\n", "alee"),
        // Who has no other id has the address: participants of Moodle, and the roster of Gradescope.
        ("\"First name\",\"Last name\",\"Email address\",Roles,Groups\nAnn,Lee,a@x.org,Student,A\n", "a@x.org"),
        ("Vorname,Nachname,E-Mail-Adresse,Gruppen\nAnn,Lee,a@x.org,A\n", "a@x.org"),
        ("First Name,Last Name,SID,Email,Sections\nAnn,Lee,,a@x.org,A\n", "a@x.org"),
    ] {
        let workspace = course();
        workspace.file("m/Ann Lee_11_assignsubmission_file_gaps.sh", SUM).file("roster.csv", list);
        let run = workspace.grader(&["judge", "m", "-p", "gaps", "--roster", "roster.csv", "--report", "gradebook=-"]);
        let stdout = &run.status(0).stdout;
        assert!(stdout.contains(&format!(",{id},")) && stdout.lines().count() == 2, "{list}: {}", run.all());
    }
    // The roster of GitHub Classroom says whose account it is.
    let workspace = course();
    workspace.file("hw-submissions/hw-alee/gaps.sh", SUM);
    let list = "\"identifier\",\"github_username\",\"github_id\",\"name\"\n\"Ann Lee\",\"alee\",\"1\",\"\"\n\"Bo Fox\",\"\",\"\",\"\"\n";
    workspace.file("roster.csv", list);
    let run = workspace.grader(&[
        "judge",
        "hw-submissions",
        "-p",
        "gaps",
        "--roster",
        "roster.csv",
        "--report",
        "gradebook=-",
    ]);
    let stdout = &run.status(0).stdout;
    assert!(stdout.contains("\nalee,Ann Lee,1,1,AC") && stdout.contains("\nBo Fox,Bo Fox,,0,"), "{}", run.all());
    let workspace = course();
    workspace.file("class/ann/gaps.sh", SUM);
    for (list, says) in [
        ("id,name\nann,\"Ann\nbob,Bob\n", "roster.csv: line 2, column 1: opens a quote that does not end in this line"),
        ("username,student id\nann,1\n", "two columns may mean the id: `username` and `student id`"),
        ("id,extension\nann,long\n", "`long` is no extension"),
    ] {
        workspace.file("roster.csv", list);
        let args = ["judge", "class", "--layout", "{student}/{problem}.*", "--roster", "roster.csv"];
        workspace.grader(&args).status(2).says(says);
    }
}

#[apply(cli_test)]
fn a_problem_without_submissions_keeps_its_column() {
    let workspace = course();
    workspace.file("class/ann/mean.sh", SUM).file("roster.csv", "id\nann\nbob\n").file("others/ann/wordcount.sh", SUM);
    let args =
        ["class", "--layout", "{student}/{problem}.*", "--exercise", "mean.sh=gaps", "--exercise", "words=wordcount"];
    let (run, rows) = gradebook(&workspace, &args);
    assert_eq!(rows, ["student,gaps,wordcount,total,gaps verdict,wordcount verdict", "ann,1,,1,AC,"], "{}", run.all());
    let args =
        ["-p", "gaps", "others", "--layout", "{student}/{problem}.*", "--roster", "roster.csv", "--missing", "zero"];
    let (run, rows) = gradebook(&workspace, &args);
    let is_zero = |id: &str| rows.iter().any(|row| row.starts_with(&format!("{id},0,0,")));
    assert!(is_zero("ann") && is_zero("bob"), "{rows:?}\n{}", run.all());
}

#[apply(cli_test)]
fn a_reference_that_fails_its_own_tests_is_a_warning() {
    let workspace = Workspace::new();
    let problem = workspace.problem("gaps").case("sample/1", "1 2\n", "3\n").case("secret/1", "4 4\n", "9\n");
    problem.submission("accepted/sum.sh", SUM).toml("reference = \"accepted/sum.sh\"\n");
    workspace.file("class/ann/gaps.sh", SUM);
    let args = ["judge", "class", "--layout", "{student}/{problem}.*"];
    let run = workspace.grader(&args);
    run.status(1).says("its reference accepted/sum.sh gets WA on secret/1: right submissions may be rejected too");
    workspace.file("testcases/gaps/secret/1.ans", "8\n");
    let run = workspace.grader(&args);
    assert!(!run.status(0).all().contains("its reference"), "{}", run.all());
}

#[apply(cli_test)]
fn changed_points_are_compared() {
    let workspace = course();
    workspace.file("class/ann/gaps.sh", WRONG).file("class/bob/gaps.sh", SUM);
    let judge = |more: &[&str]| {
        let args = ["judge", "class", "--layout", "{student}/{problem}.*", "--exit-zero"];
        workspace.grader(&[&args[..], more].concat()).status(0);
    };
    judge(&[]);
    workspace.file("changes.csv", "id,problem,points,reason\nann,gaps,0.8,appeal\nbob,wordcount,0.5,shown\n");
    judge(&["--overrides", "changes.csv"]);
    let run = workspace.grader(&["compare"]);
    run.status(0).shows("gaps · ann  points: 0 → 0.8").shows("wordcount · bob  points: none → 0.5");
    run.shows("2 submissions: 0 changed, 0 of them worse; points changed in 2 cells");
    // What people decide about a total is in no exercise.
    let bonus = "id,problem,points,reason\nann,gaps,0.8,appeal\nbob,wordcount,0.5,shown\nann,,+2,bonus\n";
    workspace.file("bonus.csv", bonus);
    judge(&["--overrides", "bonus.csv"]);
    let run = workspace.grader(&["compare"]);
    run.status(0).shows("  total · ann  points: 0.8 → 2.8").shows("points changed in 1 cell").hides("gaps ·");
    judge(&["--overrides", "changes.csv"]);
    // The changed verdict says it already.
    workspace.file("class/bob/gaps.sh", WRONG);
    judge(&["--overrides", "changes.csv"]);
    let run = workspace.grader(&["compare"]);
    assert!(!run.shows("AC → WA").all().contains("points:"), "{}", run.all());
}

#[apply(cli_test)]
fn archives_that_are_not_opened_are_named_with_the_way_out() {
    let workspace = course();
    for (student, file) in [("ann", "gaps.tar.xz"), ("bob", "GAPS.7Z"), ("cy", "gaps.rar")] {
        workspace.file(format!("class/{student}/{file}"), "Rar!");
    }
    let (run, rows) = gradebook(&workspace, &["class", "--layout", "{student}/{problem}.*"]);
    assert_eq!(rows[1..], ["ann,,,archive refused", "bob,,,archive refused", "cy,,,archive refused"], "{}", run.all());
    run.says("gaps.tar.xz is an archive that grader does not open").says("unpack it: tar -xf gaps.tar.xz");
    run.says("unpack it: 7z x GAPS.7Z").says("unpack it: unrar x gaps.rar");
    let text = workspace.read("results/students/cy/gaps.txt");
    assert!(text.contains("We received gaps.rar, but could not open it. Submit the files themselves."), "{text}");
    workspace.file("all.tar.xz", "x");
    let run = workspace.grader(&["judge", "-p", "gaps", "all.tar.xz"]);
    run.status(2)
        .says("all.tar.xz: is an archive that grader does not open")
        .says("judge the folder: tar -xf all.tar.xz");
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
    run.says("ann/Members.txt: nobody is called zed")
        .says("class/members.txt: lists authors, but the submissions beside");
    let text = workspace.read("results/students/bob/gaps.txt");
    assert!(text.contains("submitted by ann with its members"), "{text}");
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

#[apply(cli_test)]
fn a_file_of_ilias_that_was_submitted_again_obeys_attempts() {
    let workspace = course();
    let folder = "Course/HW/Submissions/Lee_Ann_alee_11";
    workspace.file(format!("{folder}/20260130090000_gaps.sh"), SUM);
    workspace.file(format!("{folder}/20260131101500_gaps.sh"), WRONG);
    for (attempts, points) in [("first", "1,1,AC"), ("last", "0,0,WA"), ("best", "1,1,AC")] {
        let args = ["-p", "gaps", "Course", "--layout", "ilias", "--attempts", attempts];
        let (run, rows) = gradebook(&workspace, &args);
        assert!(rows[1].starts_with(&format!("Ann Lee_alee,{points}")), "{attempts}: {rows:?}\n{}", run.all());
    }
    // A file that was submitted once is no attempt more.
    workspace.file(format!("{folder}/20260130090000_wordcount.sh"), WRONG);
    let run = workspace.grader(&["judge", "Course", "--attempts", "best", "--exit-zero"]);
    run.shows("AC   2/2 #1").shows("WA     0/2  ").shows("2 problems, 3 submissions");
}

#[apply(cli_test)]
fn moodle_numbers_students_anew_for_each_assignment() {
    let workspace = course();
    for (name, numbers) in [("Ann Lee", ["11", "21"]), ("Bo Fox", ["12", "22"])] {
        for (exercise, number) in ["P1-gaps-4711", "P1-wordcount-4712"].iter().zip(numbers) {
            let file = exercise.split('-').nth(1).unwrap();
            workspace.file(format!("all/{exercise}/{name}_{number}_assignsubmission_file_/{file}.sh"), SUM);
        }
    }
    let told = "the numbers of 2 students differ, so names decide who is who";
    let (run, rows) = gradebook(&workspace, &["all"]);
    run.says(told);
    assert_eq!(rows[1..], ["Ann Lee,1,1,2,AC,AC", "Bo Fox,1,1,2,AC,AC"], "{}", run.all());
    workspace.file("ws.csv", "Identifier,Full name\nParticipant 11,Ann Lee\nParticipant 12,Bo Fox\n");
    let (run, rows) = gradebook(&workspace, &["all", "--roster", "ws.csv"]);
    assert_eq!(rows[1..], ["Ann Lee,1,1,2,AC,AC", "Bo Fox,1,1,2,AC,AC"], "{}", run.all());
    // Two with one name keep their numbers.
    workspace.file("all/P1-gaps-4711/Ann Lee_13_assignsubmission_file_/gaps.sh", WRONG);
    let (run, rows) = gradebook(&workspace, &["all"]);
    run.says("the numbers of 1 student differ");
    let expect = ["Ann Lee_11,1,", "Ann Lee_13,0,", "Ann Lee_21,,1", "Bo Fox,1,1,2"];
    assert!(rows[1..].iter().zip(expect).all(|(row, expect)| row.starts_with(expect)), "{rows:?}");
}

#[apply(cli_test)]
fn an_exercise_without_submissions_is_named() {
    let workspace = course();
    workspace.file("class/ann/gaps.sh", SUM);
    let (run, _) = gradebook(&workspace, &["class", "--layout", "{student}/{problem}.*"]);
    run.says("nobody submitted anything for wordcount: the maximum of the total is that of the other exercises");
}

#[apply(cli_test)]
fn a_folder_of_others_gets_no_results() {
    let workspace = course();
    workspace.file("mine/students/ann/gaps.txt", "keep").file("class/ann/gaps.sh", SUM);
    let run = workspace.grader(&["judge", "class", "--layout", "{student}/{problem}.*", "--out", "mine"]);
    run.status(2).says("grader did not write the folder `students` in it").says("name a new folder");
    assert_eq!(workspace.read("mine/students/ann/gaps.txt"), "keep");
}

#[apply(cli_test)]
fn points_decided_for_all_problems_make_a_total() {
    let workspace = course();
    workspace.file("class/ann/other.sh", SUM).file("class/bob/gaps.sh", SUM).file("class/bob/wordcount.sh", SUM);
    workspace.file("changes.csv", "id,problem,points,reason\nann,gaps,0.8,oral\n");
    let args = ["class", "--layout", "{student}/{problem}.*", "--overrides", "changes.csv"];
    let (run, rows) = gradebook(&workspace, &args);
    assert!(rows[1].starts_with("ann,0.8,,,"), "{rows:?}\n{}", run.all());
    workspace.file("changes.csv", "id,problem,points,reason\nann,gaps,0.8,oral\nann,wordcount,0.1,oral\n");
    let (run, rows) = gradebook(&workspace, &args);
    assert!(rows[1].starts_with("ann,0.8,0.1,0.9,"), "{rows:?}\n{}", run.all());
}

#[apply(cli_test)]
fn staff_in_a_roster_are_no_students() {
    let workspace = course();
    workspace.file("class/ann/gaps.sh", SUM);
    workspace.file(
        "roster.csv",
        "First Name,Last Name,SID,Email,Role\nAnn,Lee,ann,a@x,Student\nX,Y,9,x@x,Instructor\nT,A,8,t@x,TA\n",
    );
    let args = ["-p", "gaps", "class", "--layout", "{student}/{problem}.*", "--roster", "roster.csv"];
    let (run, rows) = gradebook(&workspace, &args);
    assert!(rows.len() == 2 && rows[1].starts_with("ann,"), "{rows:?}\n{}", run.all());
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

/// What a student packed is read like the folder, also if the name of the archive means no problem.
#[apply(cli_test)]
fn exercises_in_folders_of_an_archive() {
    let workspace = course();
    let both = dated(&[("gaps/main.sh", SUM, 9), ("wordcount/main.sh", WRONG, 9)]);
    workspace.file("class/ann/ann.zip", both.clone()).file("class/bo/bo/gaps/main.sh", SUM);
    workspace.file("class/bo/bo/wordcount/main.sh", WRONG);
    let (run, rows) = gradebook(&workspace, &["class", "--layout", "{student}/{problem}.*"]);
    assert_eq!(rows[1..], ["ann,1,0,1,AC,WA", "bo,1,0,1,AC,WA"], "{}", run.all());
    workspace.file("moodle/Ann Lee_11_assignsubmission_file_/work.zip", both);
    let (run, rows) = gradebook(&workspace, &["moodle"]);
    assert_eq!(rows[1..], ["Ann Lee_11,1,0,1,AC,WA"], "{}", run.all());
}

/// A file of the template is no submission, and the programs that import it still do.
#[apply(cli_test)]
fn ignored_files_stay_beside_programs_that_use_them() {
    let workspace = course();
    let (helper, gaps) =
        ("def add(line):\n    return sum(map(int, line.split()))\n", "from helper import add\nprint(add(input()))\n");
    for (student, text) in [("ann", gaps), ("bo", "print(sum(map(int, input().split())))\n")] {
        let file = |path: String, text: &str| _ = workspace.file(path, text);
        file(format!("class/{student}/gaps.py"), text);
        file(format!("class/{student}/helper.py"), helper);
        file(format!("flat/{student}_gaps.py"), text);
        file(format!("moodle/{student}_11_assignsubmission_file_gaps.py"), text);
        file(format!("moodle/{student}_11_assignsubmission_file_helper.py"), helper);
        file(format!("Course/HW/Submissions/{student}_X_{student}_11/20260131101500_gaps.py"), text);
        file(format!("Course/HW/Submissions/{student}_X_{student}_11/20260131101501_helper.py"), helper);
    }
    workspace.file("flat/helper.py", helper);
    let layout = "{student}/{problem}.*";
    let (run, rows) = gradebook(&workspace, &["class", "--layout", layout]);
    assert_eq!(rows[2], "bo,1,,AC", "{}", run.all());
    run.says("no problem is called `helper`").says("if it is no submission, leave it out: --ignore helper.py");
    for args in [
        &["class", "--layout", layout][..],
        &["-p", "gaps", "class", "--layout", "{student}"],
        &["-p", "gaps", "moodle"],
        &["Course", "--layout", "ilias"],
    ] {
        let (run, rows) = gradebook(&workspace, &[args, &["--ignore", "helper.py"]].concat());
        assert_eq!(rows.len(), 3, "{args:?} {rows:?} {}", run.all());
        assert!(rows[1..].iter().all(|row| row.ends_with(",1,1,AC")), "{args:?} {rows:?} {}", run.all());
    }
    // A file beside those of several students may be the solution of the teacher.
    let (run, rows) = gradebook(&workspace, &["flat", "--layout", "{student}_{problem}.py", "--ignore", "helper.py"]);
    assert_eq!(rows[1..], ["ann,0,0,RTE", "bo,1,1,AC"], "{}", run.all());
    workspace.grader(&["judge", "gaps", "flat", "--ignore", "helper.py"]).status(1).shows("1 AC");
}

/// An option that nothing matches is a misspelling, and one in `grader.toml` may be for another week.
#[apply(cli_test)]
fn options_that_match_nothing_are_named() {
    let workspace = course();
    workspace.file("class/ann/gaps.sh", SUM).file("class/ann/helper.sh", SUM).file("class/ann/mean.sh", SUM);
    let judged =
        |more: &[&str]| gradebook(&workspace, &[&["class", "--layout", "{student}/{problem}.*"], more].concat()).0;
    judged(&["--ignore", "helpr.sh"])
        .says("`--ignore`: `helpr.sh` matches no file or folder")
        .says("did you mean `helper.sh`?");
    judged(&["--ignore", "*.class"]).says("correct it or leave it out: here are").says("helper.sh");
    judged(&["--exercise", "men.sh=wordcount"])
        .says("`--exercise`: `men.sh` matches no")
        .says("did you mean `mean.sh`?");
    let met = ["--ignore", "helper.sh", "--exercise", "mean.sh=wordcount", "--exercise", "gaps=gaps"];
    assert!(!judged(&met).all().contains("matches no file"));
    workspace.file("grader.toml", "[judge]\nignore = [\"x.sh\"]\nexercises = { \"y.sh\" = \"gaps\" }\n");
    judged(&[])
        .says("note: `ignore` in grader.toml: `x.sh` matches")
        .says("note: `exercises` in grader.toml: `y.sh` matches");
}

/// Names that only one platform uses are recognised. Where other folders have such names, a note names the platform.
#[apply(cli_test)]
fn names_that_other_folders_have_too_are_not_guessed() {
    let workspace = course();
    workspace.file("ilias/HW/Submissions/Lee_Ann_alee_11/20260131101500_gaps.sh", SUM);
    workspace.file("like/Lee_Ann_alee_11/gaps.sh", SUM).file("like/Fox_Bo_bfox_12/gaps.sh", SUM);
    workspace.file("drive/HW1/Ann Lee - gaps.sh", SUM).file("drive/HW1/Bo Fox - gaps.sh", SUM);
    workspace.file("a/HW1-42-alee/gaps.sh", SUM).file("a/HW1-43-bfox/gaps.sh", SUM);
    let (run, rows) = gradebook(&workspace, &["ilias"]);
    assert_eq!(
        rows[1..],
        ["Ann Lee_alee,1,1,2026-01-31T10:15:00,AC".replace("2026-01-31T10:15:00,", "")],
        "{}",
        run.all()
    );
    for (folder, platform) in [("like", "ilias"), ("drive", "google"), ("a", "artemis")] {
        let run = workspace.grader(&["judge", folder]);
        run.status(2).says("which other folders have too").says(&format!("say so: --layout {platform}"));
        workspace.grader(&["judge", "gaps", folder]).status(0).says(&format!("say so: --layout {platform}"));
    }
    // Most of the students are in the roster, so it is a class.
    workspace.file("a/HW1-44-cray/gaps.sh", SUM);
    workspace.file("roster.csv", "id,name\nalee,Ann Lee\nbfox,Bo Fox\ndoh,Dee Oh\n");
    workspace.file("others.csv", "id,name\nalee,Ann Lee\neorr,Eve Orr\n");
    for folder in ["like", "drive", "a"] {
        let (run, rows) = gradebook(&workspace, &[folder, "-p", "gaps", "--roster", "roster.csv"]);
        assert!(
            rows.iter().any(|row| row.ends_with(",1,1,AC") && row.to_lowercase().contains("lee")),
            "{folder}: {rows:?}\n{}",
            run.all()
        );
        let run = workspace.grader(&["judge", "-p", "gaps", folder, "--roster", "others.csv"]);
        run.says("the roster says it only if most of its students are there").hides("(--roster) says it too");
        workspace.grader(&["judge", "-p", "gaps", folder]).says("a roster of its students (--roster) says it too");
    }
    workspace.grader(&["judge", "--layout", "list"]).status(0).shows("* ilias");
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

/// The last run that judged a program counts, whatever was judged in between.
#[apply(cli_test)]
fn grades_of_earlier_runs_are_found() {
    let workspace = course();
    workspace.file("class/ann/gaps.sh", SUM).file("class/ann/wordcount.sh", SUM).file("class/bo/gaps.sh", SUM);
    let judged = |problem: &str| {
        workspace.grader(&["judge", "-p", problem, "class", "--layout", "{student}/{problem}.*", "--exit-zero"])
    };
    judged("gaps");
    judged("wordcount");
    workspace.file("class/ann/gaps.sh", WRONG);
    judged("gaps").shows("ann: no points: gaps WA, gaps: 0 points, 1 on");
    // A record that cannot be read says nothing.
    let runs = workspace.path(".grader/runs");
    for entry in std::fs::read_dir(runs).unwrap() {
        std::fs::write(entry.unwrap().path(), "x").unwrap();
    }
    assert!(!judged("gaps").stdout.contains("1 on"));
}

/// Messages about lists of people show what the list has, and what grader understands.
#[apply(cli_test)]
fn mistakes_in_lists_are_shown_with_what_there_is() {
    let workspace = course();
    workspace.file("class/Ann Lee_12/gaps.sh", SUM).file("class/Bo Fox_13/gaps.sh", WRONG);
    let judged = |option: &str, file: &str| {
        let class = ["judge", "-p", "gaps", "class", "--layout", "{student}/{problem}.*", "--exit-zero"];
        workspace.grader(&[&class[..], &[option, file]].concat())
    };
    for begin in [&b"PK\x03\x04"[..], b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"] {
        workspace.file("list.xlsx", begin);
        for option in ["--roster", "--overrides"] {
            judged(option, "list.xlsx").status(2).says("is a spreadsheet and not CSV").says("save it as `CSV UTF-8`");
        }
    }
    workspace.file("other.csv", "Nummer,Name\n12,Ann Lee\n");
    let run = judged("--roster", "other.csv");
    run.status(2).says("has no column `id`: its headings are `Nummer`, `Name`").says("call it one of id, student");
    // Headings differ in case, spaces and hyphens.
    workspace.file("german.csv", "E-Mail;Matrikel-Nr;NAME\na@x;12;Ann Lee\nb@x;13;Bo Fox\n");
    judged("--roster", "german.csv").status(0).shows("Ann Lee_12");
    workspace
        .file("changes.csv", "id,problem,points,reason\nParticipant 12,gaps,0.5,appeal\nBO FOX,gaps,0.25,appeal\n");
    workspace.file("roster.csv", "id,name\n12,Ann Lee\n13,Bo Fox\n");
    workspace.file("grader.toml", "judge.overrides = \"changes.csv\"\n");
    judged("--roster", "roster.csv").status(0).shows("manual: 0.5").shows("manual: 0.25");
    workspace.file("changes.csv", "id,problem,points,reason\nAnn Le,gaps,0.5,appeal\n");
    judged("--roster", "roster.csv").status(2).says("`Ann Le`").says("did you mean `Ann Lee`?");
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
    let told = "We received gaps_old.sh. If it counts for gaps, rename it to gaps.sh and submit it again.";
    assert!(text("dee").contains(told), "{}", text("dee"));
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
    for args in [&["class", "--layout", "{student}/{problem}.*"][..], &["t", "--layout", "teams"]] {
        gradebook(&workspace, args).0.says("--exercise 'mean.sh=gaps'");
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

/// A student whose folder is empty has a row, also if there are several exercises and no roster, and in archives.
#[apply(cli_test)]
fn students_with_an_empty_folder_have_a_row() {
    let workspace = course();
    for folder in ["class/ann", "ex/Ann Lee_11_assignsubmission_file_"] {
        workspace.file(format!("{folder}/gaps.sh"), SUM).file(format!("{folder}/wordcount.sh"), SUM);
    }
    std::fs::create_dir(workspace.path("class/eve")).unwrap();
    std::fs::create_dir(workspace.path("ex/Eve Orr_12_assignsubmission_file_")).unwrap();
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    zip.add_directory("Eve Orr_12_assignsubmission_file_", options).unwrap();
    for file in ["gaps.sh", "wordcount.sh"] {
        zip.start_file(format!("Ann Lee_11_assignsubmission_file_/{file}"), options).unwrap();
        std::io::Write::write_all(&mut zip, SUM.as_bytes()).unwrap();
    }
    workspace.file("ex.zip", zip.finish().unwrap().into_inner());
    for args in [&["class", "--layout", "{student}/{problem}.*"][..], &["ex"], &["ex.zip"]] {
        let (run, rows) = gradebook(&workspace, args);
        run.says("is an empty folder");
        assert_eq!(rows.len(), 3, "{rows:?}");
        assert!(rows[1].ends_with(",1,1,2,AC,AC") && rows[2].ends_with(",,,,empty,empty"), "{rows:?}");
    }
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

/// A comma or a quote too many moves the cells of a row, which then mean something else.
#[apply(cli_test)]
fn cells_of_lists_do_not_move() {
    let workspace = course();
    workspace.file("class/ann/gaps.sh", SUM);
    let args = ["judge", "-p", "gaps", "class", "--layout", "{student}/{problem}.*", "--roster", "roster.csv"];
    for (roster, line, told) in [
        ("id,name,team\nann,Lee, Ann,red\n", 2, "has 4 cells, and the line of headings has 3"),
        ("id,name,team\nann,\"Lee, Ann\",red\nbo,\"Bo Fox,red\n", 3, "opens a quote that does not end in this line"),
        ("id,name\r\nann,Ann\r\n\r\n\r\nann,Bo\r\n", 5, "the id `ann` is already in line 2"),
    ] {
        workspace.file("roster.csv", roster);
        workspace.grader(&args).status(2).says(&format!("roster.csv: line {line}, column 1: {told}"));
    }
    workspace.file("roster.csv", "id,name,team,,\nann,\"Lee, Ann\",red,,\nbo,5\" Fox,red,,\n");
    workspace.grader(&args).status(0).shows("Lee, Ann").shows("5\" Fox");
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
    for rule in ["20 % after the first day", "20 % every second day", "20 % flat on any day"] {
        judged("2026-01-31T23:59", rule).0.status(2).says("expected a rule such as");
    }
    assert!(judged("2026-02-01T00:29[Europe/Berlin]", "20 % for each day").1[1].starts_with("ann,0.8,0.8,AC"));
    assert!(judged("2026-02-01T00:30[Europe/Berlin]", "20 % each day").1[1].starts_with("ann,1,1,AC"));
    judged("2026-02-01T00:30[Europe/Berln]", "20 % a day").0.status(2).says("write it as");
}

/// A name of two students makes only these two unclear, and an empty folder is no student.
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
