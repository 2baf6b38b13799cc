//! Exports of platforms: how they are recognised and read, and whose submissions they are. The forms of names are those of
//! `--layout list`; the people are invented. Exports of several exercises are in `exercises`.

use std::collections::BTreeSet;

use macro_rules_attribute::apply;

use crate::cli::answers::zip;
use crate::cli::classes::gradebook;
use crate::cli::workspace::{SUM, Workspace};

pub(crate) const WRONG: &str = "read a b\necho $((a - b))\n";

/// A student: a name, a login and a number.
pub(crate) type Person = (&'static str, &'static str, u32);

pub(crate) const PEOPLE: [Person; 4] =
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
pub(crate) fn expect_grades(workspace: &Workspace, platform: &str, expect: [&str; 4]) {
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

/// An archive with these files, changed at these hours of one day.
pub(crate) fn dated(files: &[(&str, &str, u8)]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, text, hour) in files {
        let date = zip::DateTime::from_date_and_time(2026, 1, 30, *hour, 0, 0).unwrap();
        zip.start_file(*name, zip::write::SimpleFileOptions::default().last_modified_time(date)).unwrap();
        std::io::Write::write_all(&mut zip, text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
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
    let run = workspace.grader(&["judge", "x", "--layout", "github"]);
    run.status(2).says("it matches names such as hw1-submissions/hw1-ann/sum.py");
    // What people decide about a student of that folder hides nothing.
    workspace.file("changes.csv", "id,problem,points,reason\nann,gaps,1,oral\n");
    let run = workspace.grader(&["judge", "x", "--layout", "github", "--overrides", "changes.csv"]);
    run.status(2).says("it matches names such as hw1-submissions").says("nobody has the id or name `ann`");
    let run = workspace.grader(&["judge", "x", "--layout", "modle"]);
    run.status(2).says("no such layout: did you mean `moodle`?").says("blackboard");
    workspace.file("up/Ann_1_assignsubmission_file_gaps.sh", SUM);
    workspace.grader(&["judge", "up", "--layout", "Moodle"]).status(0).shows("Ann_1");
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
    // Without any text, the roster says where a login begins.
    std::fs::remove_file(workspace.path(format!("{stem}.txt"))).unwrap();
    workspace.file("roster.csv", "id,name\na_lee,Ann Lee\nb_fox,Bo Fox\nfox_2,Cy Fox\n");
    let run = workspace.grader(&["judge", "bb", "-p", "gaps", "--roster", "roster.csv", "--report", "blackboard=-"]);
    let grades: BTreeSet<&str> = run.stdout.lines().skip(1).collect();
    assert_eq!(grades, BTreeSet::from(["a_lee,1", "b_fox,0", "fox_2,"]), "{}", run.all());
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

/// Sakai's export has a folder for each student of the course.
#[apply(cli_test)]
fn an_empty_folder_of_sakai_is_nothing_submitted() {
    let workspace = course();
    let folder = |student: &str| format!("s/HW/{student}/Submission attachment(s)");
    workspace.file(format!("{}/gaps.sh", folder("Lee, Ann(alee)")), SUM);
    for student in ["Fox, Bo(bfox)", "Oh, Dee(doh)", "Ray, Cy(cray)", "Zan, Eve(ezan)"] {
        std::fs::create_dir_all(workspace.path(folder(student))).unwrap();
    }
    // A time says that something was submitted, and a text is something.
    workspace.file("s/HW/Oh, Dee(doh)/timestamp.txt", "2026-01-31T10:58:00Z");
    workspace.file("s/HW/Ray, Cy(cray)/Ray, Cy(cray)_submissionText.html", "<p>read a b</p>");
    workspace.file("s/HW/Zan, Eve(ezan)/Zan, Eve(ezan)_submissionText.html", "");
    let (run, rows) = gradebook(&workspace, &["s", "-p", "gaps"]);
    let expect =
        ["Ann Lee_alee,1,1,AC", "Bo Fox_bfox,,0,", "Cy Ray_cray,,,no file", "Dee Oh_doh,,,empty", "Eve Zan_ezan,,0,"];
    for (row, expect) in rows[1..].iter().zip(expect) {
        assert!(row.starts_with(expect), "{rows:?} {}", run.all());
    }
    assert_eq!(rows.len(), 6, "{}", run.all());
    run.says("Oh, Dee(doh)/Submission attachment(s): is an empty folder").hides("Fox, Bo(bfox)");
}

/// In an anonymous assignment of Moodle, the folders have no names, and its worksheet may have them.
#[apply(cli_test)]
fn a_hidden_name_contradicts_no_roster() {
    let workspace = course();
    workspace.file("m/Participant 11_11_assignsubmission_file_/gaps.sh", SUM);
    workspace.file("m/Teilnehmerin 12_12_assignsubmission_file_/gaps.sh", WRONG);
    workspace.file("list.csv", "Identifier,Full name,Grade\nParticipant 11,Ann Lee,\nParticipant 12,Bo Fox,\n");
    let (run, rows) = gradebook(&workspace, &["m", "-p", "gaps", "--roster", "list.csv"]);
    let expect = ["Participant 11_11,1,1,AC", "Teilnehmerin 12_12,0,0,WA"];
    assert_eq!(rows[1..], expect, "{}", run.all());
    run.hides("contradict").says("Teilnehmerin 12_12 (Bo Fox)");
}

/// Somebody has taken the files out of the folders of versions; another student took the files back.
#[apply(cli_test)]
fn teams_may_have_no_versions() {
    let workspace = course();
    workspace.file("c/Submitted files/Ann Lee/gaps/gaps.sh", SUM);
    workspace.file("c/Submitted files/Bo Fox/gaps/Version 2/gaps.sh", WRONG);
    std::fs::create_dir_all(workspace.path("c/Submitted files/Cy Ray/gaps")).unwrap();
    for path in ["c", "c/Submitted files"] {
        let (run, rows) = gradebook(&workspace, &[path, "-p", "gaps"]);
        assert_eq!(rows[1..], ["Ann Lee,1,1,AC", "Bo Fox,0,0,WA", "Cy Ray,,,empty"], "{}", run.all());
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
    // The name of the export is that of the exercise.
    workspace.file("y/gaps/Ann Lee_11_assignsubmission_file_/gaps.sh", SUM);
    workspace.file("y/gaps/Bo Fox_12_assignsubmission_onlinetext_/onlinetext.html", "<p>text");
    let (run, rows) = gradebook(&workspace, &["y/gaps"]);
    assert_eq!(rows[1..], expect, "{}", run.all());
    // So do the names of exports that have it in them, unless files name others.
    let other = ["Cy Ray_13_assignsubmission_file_/solution.sh", "Cy Ray_13_assignsubmission_file_/wordcount.sh"];
    for (name, course) in [("solution.sh", "PROG1-Gaps-4711"), ("gaps.sh", "PROG1-Wordcount and Gaps-4712")] {
        workspace.file(format!("y/{course}/Ann Lee_11_assignsubmission_file_/{name}"), SUM);
    }
    workspace.file(format!("y/PROG1-Wordcount-4713/{}", other[0]), SUM);
    workspace.file(format!("y/Week-Gaps-4714/{}", other[1]), SUM);
    for (course, row) in [
        ("PROG1-Gaps-4711", "Ann Lee_11,1,1,AC"),
        ("PROG1-Wordcount and Gaps-4712", "Ann Lee_11,1,1,AC"),
        ("PROG1-Wordcount-4713", "Cy Ray_13,1,1,AC"),
        ("Week-Gaps-4714", "Cy Ray_13,1,1,AC"),
    ] {
        let (run, rows) = gradebook(&workspace, &[&format!("y/{course}")]);
        let heading = if course.contains("4713") || course.contains("4714") { "wordcount" } else { "gaps" };
        assert_eq!(rows, [format!("student,{heading},total,{heading} verdict"), row.to_owned()], "{}", run.all());
    }
    workspace.file("m/notes.sh", SUM);
    let (run, rows) = gradebook(&workspace, &["m", "-p", "gaps"]);
    assert_eq!(rows[1..], expect, "{}", run.all());
    run.says("m: no student in these names as `moodle` writes them: notes.sh");
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
        run.says("the same in most repositories, so files of the template and no submissions: tests/test_gaps.sh");
    }
}

/// A repository with nothing but the template is no submission, and nobody must look at it.
#[apply(cli_test)]
fn a_repository_without_own_files_is_nothing_submitted() {
    let workspace = course();
    for login in ["alee", "bfox", "cray", "doh"] {
        for file in ["README.md", ".gitignore", "tests/test_gaps.sh"] {
            workspace.file(format!("hw-submissions/hw-{login}/{file}"), "echo of the template\n");
        }
    }
    workspace.file("hw-submissions/hw-alee/gaps.sh", SUM).file("hw-submissions/hw-bfox/gaps.sh", WRONG);
    // Somebody must look at a hidden program.
    workspace.file("hw-submissions/hw-doh/.gaps.sh", SUM);
    let (run, rows) = gradebook(&workspace, &["hw-submissions", "--missing", "zero"]);
    assert_eq!(rows[1..3], ["alee,1,1,AC", "bfox,0,0,WA"], "{}", run.all());
    assert!(rows[3].starts_with("cray,0,0,") && rows[4].starts_with("doh,,,no program"), "{rows:?} {}", run.all());
    workspace.file("roster.csv", "identifier,github_username,github_id,name\nAnn,alee,1,\nCy,cray,3,\n");
    let args = ["hw-submissions", "--roster", "roster.csv", "--ignore", "hw-bfox", "--ignore", "hw-doh"];
    let (run, rows) = gradebook(&workspace, &args);
    assert_eq!(rows[1..], ["Cy,,0,", "alee,1,1,AC"], "{}", run.all());
    // A helper of the template, which one student changed, and a repository without any file.
    for login in ["alee", "bfox", "cray", "doh", "eve"] {
        workspace.file(format!("hw-submissions/hw-{login}/lib.sh"), format!("# {login}\n"));
    }
    std::fs::create_dir(workspace.path("hw-submissions/hw-fay")).unwrap();
    let (run, rows) = gradebook(&workspace, &["hw-submissions", "--ignore", "lib.sh"]);
    for (row, student) in rows[5..].iter().zip(["eve", "fay"]) {
        assert!(row.starts_with(&format!("{student},,0,")), "{rows:?} {}", run.all());
    }
    run.hides("hw-fay: is an empty folder");
}

#[apply(cli_test)]
fn a_name_of_no_student_is_an_error() {
    let workspace = course();
    for name in ["11-3 - Ann Lee - Jan 31, 2026 1015 AM - gaps.sh", "12-3 - Bo Fox - 31 January, 2026 215 PM - gaps.sh"]
    {
        workspace.file(format!("all/{name}"), SUM);
    }
    workspace.file("all/13 - Cy Ray - yesterday - gaps.sh", SUM);
    let run = workspace.grader(&["judge", "all", "-p", "gaps", "--layout", "brightspace", "--report", "gradebook=-"]);
    run.status(2)
        .says("all: no student in these names as `brightspace` writes them: 13 - Cy Ray - yesterday - gaps.sh");
    assert!(run.stdout.contains("2026-01-31T14:15:00") || run.stdout.contains("Bo Fox"), "{}", run.all());
}

/// `--lang` makes a program of a text, and not of a report.
#[apply(cli_test)]
fn the_language_of_all_makes_no_program_of_a_report() {
    let workspace = course();
    workspace.file("class/ann/gaps.docx", SUM).file("class/bob/gaps.txt", SUM).file("class/cy/gaps.sh", SUM);
    for args in [&["class", "--layout", "{student}/{problem}.*"][..], &["-p", "gaps", "class", "--layout", "{student}"]]
    {
        let (run, rows) = gradebook(&workspace, &[args, &["--lang", "shell"]].concat());
        assert_eq!(rows[1..], ["ann,,,no program", "bob,1,1,AC", "cy,1,1,AC"], "{}", run.all());
        run.says("is not a program: no known language has .docx").says("name the file itself");
    }
    workspace.grader(&["judge", "-p", "gaps", "class/ann/gaps.docx", "--lang", "shell"]).status(0).shows("AC");
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
    run.status(2).says("`--exercise` or `exercises` names problems that are not here: y");
}

#[apply(cli_test)]
fn archives_that_are_not_opened_are_named_with_the_way_out() {
    let workspace = course();
    for (student, file) in [("ann", "gaps.tar.xz"), ("bob", "GAPS.7Z"), ("cy", "gaps.rar")] {
        workspace.file(format!("class/{student}/{file}"), "Rar!");
    }
    let (run, rows) = gradebook(&workspace, &["class", "--layout", "{student}/{problem}.*"]);
    assert_eq!(rows[1..], ["ann,,,archive refused", "bob,,,archive refused", "cy,,,archive refused"], "{}", run.all());
    run.says("class/ann/gaps.tar.xz: is an archive that grader does not open");
    run.says("remove the archive: mkdir gaps && tar -xf gaps.tar.xz -C gaps");
    run.says("remove the archive: 7z x GAPS.7Z -oGAPS").says("remove the archive: unrar x gaps.rar gaps/");
    let text = workspace.read("results/students/cy/gaps.txt");
    assert!(text.contains("We received gaps.rar, but could not open it. Submit the files themselves."), "{text}");
    // Each is a student's.
    workspace.file("packed/ann.zip", zip(&[("gaps.sh", SUM)])).file("packed/bob.7z", "x").file("packed/cy.tar.xz", "x");
    for args in [&["packed"][..], &["packed", "--layout", "{student}/{problem}.*"], &["packed", "-p", "gaps"]] {
        let (run, rows) = gradebook(&workspace, args);
        assert_eq!(rows[1..], ["ann,1,1,AC", "bob,,,archive refused", "cy,,,archive refused"], "{}", run.all());
    }
    workspace.file("all.tar.xz", "x");
    let run = workspace.grader(&["judge", "-p", "gaps", "all.tar.xz"]);
    run.status(2)
        .says("all.tar.xz: is an archive that grader does not open")
        .says("judge the folder: mkdir all && tar -xf all.tar.xz -C all");
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
    assert_eq!(rows[2], "bo,1,,AC,total: no such problem", "{}", run.all());
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
    workspace.file("like/Ray_Cy_cray_13/gaps.sh", SUM).file("drive/HW1/Cy Ray - gaps.sh", SUM);
    workspace.file("roster.csv", "id,name\nalee,Ann Lee\nbfox,Bo Fox\ndoh,Dee Oh\n");
    workspace.file("others.csv", "id,name\nalee,Ann Lee\neorr,Eve Orr\n");
    for folder in ["like", "drive"] {
        let (run, rows) = gradebook(&workspace, &[folder, "-p", "gaps", "--roster", "roster.csv"]);
        assert!(
            rows.iter().any(|row| row.ends_with(",1,1,AC") && row.to_lowercase().contains("lee")),
            "{folder}: {rows:?}\n{}",
            run.all()
        );
        let run = workspace.grader(&["judge", "-p", "gaps", folder, "--roster", "others.csv"]);
        run.says("the roster has only ").hides("(--roster) says it too");
        workspace.grader(&["judge", "-p", "gaps", folder]).says("a roster of its students (--roster) says it too");
    }
    // Three different numbers before three logins are those of Artemis.
    let (run, rows) = gradebook(&workspace, &["a", "-p", "gaps", "--roster", "roster.csv"]);
    assert_eq!(rows[1..3], ["alee,1,1,AC", "bfox,1,1,AC"].map(str::to_owned), "{}", run.all());
    workspace.file("a/HW1-44-cray/gaps.sh", SUM);
    let (run, rows) = gradebook(&workspace, &["a", "-p", "gaps"]);
    assert_eq!(rows[1..], ["alee,1,1,AC", "bfox,1,1,AC", "cray,1,1,AC"], "{}", run.all());
    workspace.file("weeks/HW-10-ann/gaps.sh", SUM).file("weeks/HW-11-ann/gaps.sh", SUM);
    workspace.file("weeks/HW-12-ann/gaps.sh", SUM);
    workspace.grader(&["judge", "weeks"]).status(2).says("say so: --layout artemis");
    workspace.grader(&["judge", "--layout", "list"]).status(0).shows("* ilias");
}

/// Artemis writes `-` before a login, which may have one itself: the roster knows.
#[apply(cli_test)]
fn logins_of_artemis_may_have_a_dash() {
    let workspace = course();
    workspace.file("a/HW-1-ann-lee-1/gaps.sh", WRONG).file("a/HW-1-ann-lee-2/gaps.sh", SUM);
    workspace.file("a/HW-1-bfox-1/gaps.sh", WRONG);
    workspace.file("list.csv", "id,name\nann-lee,Ann Lee\nbfox,Bo Fox\n");
    let (run, rows) = gradebook(&workspace, &["-p", "gaps", "a", "--layout", "artemis", "--roster", "list.csv"]);
    let starts = rows[1..].iter().zip(["ann-lee,1,1,AC", "bfox,0,0,WA"]);
    assert!(rows.len() == 3 && starts.clone().all(|(row, start)| row.starts_with(start)), "{rows:#?}\n{}", run.all());
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

/// A report after the program makes nobody late, with one exercise and with several.
#[apply(cli_test)]
fn what_is_no_program_makes_nobody_late() {
    let workspace = course();
    let folder = |student: &str| format!("il/Exercise/HW/Submissions/{student}");
    workspace.file(format!("{}/20260131101500_gaps.sh", folder("Lee_Ann_alee_331")), SUM);
    workspace.file(format!("{}/20260202101500_report.pdf", folder("Lee_Ann_alee_331")), "%PDF");
    workspace.file(format!("{}/20260202101500_gaps.sh", folder("Fox_Bo_bfox_332")), SUM);
    for more in [&[][..], &["-p", "gaps"]] {
        let args = ["il", "--deadline", "2026-01-31T23:00", "--late", "50 % a day"];
        let (run, rows) = gradebook(&workspace, &[&args[..], more].concat());
        assert!(rows[1].starts_with("Ann Lee_alee,1,1,"), "{rows:?} {}", run.all());
        assert!(rows[2].starts_with("Bo Fox_bfox,0,0,"), "{rows:?} {}", run.all());
    }
}

/// Our own pages in an export are no submissions.
#[apply(cli_test)]
fn pages_of_students_in_an_export_are_ignored() {
    let workspace = course();
    for student in ["Ann Lee_11", "Bo Fox_12"] {
        workspace.file(format!("m/{student}_assignsubmission_file_/gaps.sh"), SUM);
    }
    for _ in 0..2 {
        let run = workspace.grader(&["judge", "m", "-p", "gaps", "--report", "html=m/page.html"]);
        run.status(0).shows("Ann Lee_11").hides("most are not");
    }
}

/// Gradescope's file names submissions whose folders are not there.
#[apply(cli_test)]
fn missing_folders_of_gradescope_are_named() {
    let workspace = course();
    workspace.file("g/submission_1/gaps.sh", SUM);
    let of = |number: u32, name: &str| {
        format!("submission_{number}:\n  :submitters:\n  - :name: {name}\n    :sid: '{number}'\n")
    };
    workspace.file("g/submission_metadata.yml", of(1, "Ann Lee") + &of(2, "Bo Fox"));
    let (run, rows) = gradebook(&workspace, &["g", "-p", "gaps"]);
    assert_eq!(rows[1..], ["Ann Lee_1,1,1,AC"], "{}", run.all());
    run.says("submission_metadata.yml names submissions that are not here: submission_2");
}

/// A text of Blackboard about an attempt may state the time zone, which the name does not.
#[apply(cli_test)]
fn blackboard_states_the_zone_of_its_times() {
    let workspace = course();
    for (name, login, zone) in [("Ann Lee", "alee", "CET"), ("Bo Fox", "bfox", "CST"), ("Cy Ray", "cray", "EST")] {
        let stem = format!("b/gaps_{login}_attempt_2026-01-31-10-15-00");
        let date = format!("Date Submitted: Saturday, January 31, 2026 10:15:00 AM {zone}");
        workspace.file(format!("{stem}.txt"), format!("Name: {name} ({login})\nAssignment: gaps\n{date}\n"));
        workspace.file(format!("{stem}_gaps.sh"), SUM);
    }
    let (run, rows) = gradebook(&workspace, &["-p", "gaps", "b", "--deadline", "2026-01-31T09:30+00:00"]);
    assert!(rows[1].contains(",2026-01-31T10:15:00+01:00,0"), "{rows:#?}\n{}", run.all());
    // `CST` is the abbreviation of several zones.
    assert!(rows[2].contains(",2026-01-31T10:15:00,45"), "{rows:#?}\n{}", run.all());
    assert!(rows[3].contains(",2026-01-31T10:15:00-05:00,"), "{rows:#?}\n{}", run.all());
}

/// The files of a team of ILIAS may lie in its folder.
#[apply(cli_test)]
fn files_in_the_folder_of_a_team_are_those_of_its_members() {
    let workspace = course();
    workspace.file("Exercise/gaps/Submissions/Team_12/20260131101500_gaps.sh", SUM);
    workspace.file("list.csv", "id,name,team\nalee,Ann Lee,Team_12\nbfox,Bo Fox,Team_12\ncray,Cy Ray,\n");
    let (run, rows) = gradebook(&workspace, &["-p", "gaps", "Exercise", "--layout", "ilias", "--roster", "list.csv"]);
    let starts = rows[1..].iter().zip(["alee,1,1,AC", "bfox,1,1,AC", "cray,,0,"]);
    // Teams in the roster say that it is one.
    workspace.file("Exercise/gaps/Submissions/Team_13/20260131101500_gaps.sh", SUM);
    workspace.file("both.csv", "id,name,team\nalee,Ann Lee,Team_12\nbfox,Bo Fox,Team_12\ncray,Cy Ray,Team_13\n");
    workspace.grader(&["judge", "-p", "gaps", "Exercise", "--roster", "both.csv"]).status(0).shows("cray");
    assert!(rows.len() == 4 && starts.clone().all(|(row, start)| row.starts_with(start)), "{rows:#?}\n{}", run.all());
}

/// ILIAS writes `_` before a login, which may have one itself.
#[apply(cli_test)]
fn a_login_of_ilias_may_have_underscores() {
    let workspace = course();
    workspace.file("Exercise/gaps/Submissions/Fox_Bo_b_fox_332/20260131101500_gaps.sh", SUM);
    workspace.file("Exercise/gaps/Submissions/Lee_Ann Mary_alee_331/20260131101500_gaps.sh", SUM);
    workspace.file("list.csv", "id,name\nalee,Ann Mary Lee\nb_fox,Bo Fox\n");
    let (run, rows) = gradebook(&workspace, &["-p", "gaps", "Exercise", "--layout", "ilias", "--roster", "list.csv"]);
    let starts = rows[1..].iter().zip(["Ann Mary Lee_alee,1,1,AC", "Bo Fox_b_fox,1,1,AC"]);
    assert!(rows.len() == 3 && starts.clone().all(|(row, start)| row.starts_with(start)), "{rows:#?}\n{}", run.all());
}

/// Data beside programs is no missing program, and a file that may list authors is not passed over.
#[apply(cli_test)]
fn data_beside_programs_leaves_totals() {
    let workspace = course();
    for name in ["data.bin", "1.in", "output.txt", "timestamp.txt"] {
        workspace.file(format!("c/ann/{name}"), "20260131101500000\n");
    }
    workspace.file("c/ann/gaps.sh", SUM).file("c/bo/gaps.sh", SUM).file("c/bo/members.txt", "bo\nAnn Lee\n");
    let (run, rows) = gradebook(&workspace, &["c", "--layout", "{student}/{problem}.*"]);
    assert_eq!(rows[1..], ["ann,1,1,AC,", "bo,1,,AC,total: no such problem"], "{}", run.all());
    run.says("say so: --members members.txt");
}

/// A file belongs to the exercise of its folder. If it has the name of another exercise, a warning says so.
#[apply(cli_test)]
fn a_file_named_for_another_exercise_is_told() {
    let workspace = course();
    workspace.file("c/gaps/ann.sh", SUM).file("c/gaps/bo/wordcount.sh", SUM).file("c/wordcount/bo/wordcount.sh", SUM);
    let run = workspace.grader(&["judge", "c", "--layout", "{problem}/{student}"]);
    run.says("has the name of `wordcount`, but its folder is that of `gaps`: judged as `gaps`");
    assert_eq!(run.stderr.matches("has the name of").count(), 1, "{}", run.all());
}
