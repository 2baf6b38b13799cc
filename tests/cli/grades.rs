//! Grades that could be wrong without a word, and messages that could leave a student or an instructor without a way out.

use std::collections::BTreeSet;
use std::path::Path;

use macro_rules_attribute::apply;

use crate::cli::answers;
use crate::cli::class_exports::course;
use crate::cli::classes::{gradebook, zip};
use crate::cli::need::Need;
use crate::cli::run::Call;
use crate::cli::workspace::{SUM, Workspace};

const WRONG: &str = "read a b\necho $((a - b))\n";
const FOLDERS: [&str; 2] = ["--layout", "{student}/{problem}.*"];

/// An export of Moodle in which the students have these numbers. All are right in `gaps`.
fn moodle(students: &[u32]) -> Workspace {
    let workspace = course();
    for number in students {
        let name = ["A", "B", "C"][*number as usize - 1];
        workspace.file(format!("m/{name}_{number}_assignsubmission_file_gaps.sh"), SUM);
    }
    workspace
}

/// The rows of Moodle's grades: the identifier, the grade and the maximum.
fn grades(stdout: &str) -> Vec<String> {
    let cells = |row: &str| row.split(',').map(str::to_owned).collect::<Vec<_>>();
    let rows = stdout.lines().skip(1).map(cells);
    let mut rows: Vec<String> = rows.map(|row| [&*row[0], &row[2], &row[3]].join(",")).collect();
    rows.sort();
    rows
}

#[apply(cli_test)]
fn each_row_of_a_worksheet_has_its_own_maximum() {
    let workspace = moodle(&[1, 2]);
    let sheet = "Identifier,Full name,Grade,Maximum Grade\nParticipant 1,A,,100.00\nParticipant 2,B,,\"10,00\"\nParticipant 3,C,,50\n";
    workspace.file("sheet.csv", sheet);
    let args = ["judge", "m", "-p", "gaps", "--exit-zero", "--roster", "sheet.csv", "--report", "moodle=-"];
    let run = workspace.grader(&args);
    assert_eq!(grades(&run.stdout), ["Participant 1,100,100", "Participant 2,10,10", "Participant 3,0,50"]);
    run.status(0).says("the total is scaled to the maximum of each student in the roster");
    // The record has them.
    let again = workspace.grader(&["report", "last", "--report", "moodle=-"]);
    assert_eq!(grades(&again.stdout), grades(&run.stdout));
    let raw = workspace.grader(&[&args[..], &["--points", "raw"]].concat());
    assert_eq!(grades(&raw.stdout), ["Participant 1,1,1", "Participant 2,1,1", "Participant 3,0,1"], "{}", raw.all());
}

#[apply(cli_test)]
fn a_scale_of_moodle_is_no_maximum() {
    let workspace = moodle(&[1, 2]);
    let args = ["judge", "m", "-p", "gaps", "--exit-zero", "--roster", "sheet.csv", "--report", "moodle=-"];
    for (sheet, expect) in [
        (
            "Identifier,Full name,Grade,Maximum Grade\nParticipant 1,A,,\"Fail,Pass\"\nParticipant 2,B,,10\nParticipant 3,C,,\"Fail,Pass\"\n",
            "`Maximum Grade` says `Fail,Pass`, which is not a number of points (lines 2, 4)",
        ),
        (
            "Identifier,Full name,Grade,Scale\nParticipant 1,A,,\"Fail,Pass\"\nParticipant 2,B,,\"Fail,Pass\"\n",
            "`Scale` says `Fail,Pass`, which is not a number of points (lines 2, 3)",
        ),
        (
            "Identifier,Full name,Grade,Maximum Grade\nParticipant 1,A,,10\nParticipant 2,B,,\n",
            "line 3, column 1: `Maximum Grade` says nothing, which is not a number of points",
        ),
    ] {
        workspace.file("sheet.csv", sheet);
        workspace.grader(&args).status(2).says("sheet.csv: line ").says(expect).says("--points raw");
        workspace.grader(&[&args[..], &["--points", "raw"]].concat()).status(0);
    }
}

/// A worksheet whose maximum has a heading that grader does not know would give unscaled points.
#[apply(cli_test)]
fn a_worksheet_without_a_maximum_is_mentioned() {
    let workspace = moodle(&[1]);
    let args = ["judge", "m", "-p", "gaps", "--exit-zero", "--roster", "sheet.csv", "--report", "moodle=-"];
    let german = WORKSHEETS[0].1.replace("Bestwertung", "Höchstwert");
    for (head, row, heading) in [
        ("Identifier,Full name,Grade,Best grade", "Participant 1,A,,100", "Maximum Grade"),
        (&german, "Teilnehmer/in1,A,,,,,\"100,00\",x,-,-,", "Bestwertung"),
    ] {
        workspace.file("sheet.csv", format!("{head}\n{row}\n"));
        let told = format!("has no column `{heading}`, so points are not scaled");
        let run = workspace.grader(&args);
        run.status(0).says("warning: sheet.csv: line 1").says(&told).says(&format!("most points `{heading}`"));
        let raw = workspace.grader(&[&args[..], &["--points", "raw"]].concat());
        assert!(!raw.status(0).all().contains("are not scaled to"), "{}", raw.all());
    }
    // A list without grades is no worksheet.
    workspace.file("sheet.csv", "Identifier,Full name\nParticipant 1,A\n");
    let run = workspace.grader(&args);
    assert!(!run.status(0).all().contains("are not scaled to"), "{}", run.all());
}

#[apply(cli_test)]
fn an_exercise_that_nobody_could_submit_belongs_to_the_total() {
    let workspace = moodle(&[1]);
    workspace.file("m/A_1_assignsubmission_file_wordcount.docx", "a text");
    workspace
        .file("sheet.csv", "Identifier,Full name,Grade,Maximum Grade\nParticipant 1,A,,100\nParticipant 2,B,,100\n");
    workspace.file("changes.csv", "id,problem,points,reason\n1,wordcount,0.5,shown\n");
    let args = ["judge", "m", "--exit-zero", "--roster", "sheet.csv", "--report", "moodle=-"];
    let run = workspace.grader(&args);
    assert_eq!(grades(&run.stdout), ["Participant 1,,100", "Participant 2,0,100"], "{}", run.all());
    let run = workspace.grader(&[&args[..], &["--overrides", "changes.csv"]].concat());
    // 1 of 1 and 0.5 of 1.
    assert!(!run.all().contains("nobody submitted anything"), "{}", run.all());
    assert_eq!(grades(&run.stdout), ["Participant 1,75,100", "Participant 2,0,100"], "{}", run.all());
}

#[apply(cli_test)]
fn an_exercise_without_submissions_is_named_where_the_total_is_scaled() {
    let workspace = moodle(&[1]);
    workspace.file("sheet.csv", "Identifier,Full name,Grade,Maximum Grade\nParticipant 1,A,,100\n");
    let args = ["judge", "m", "--exit-zero", "--roster", "sheet.csv", "--report", "moodle=-"];
    let run = workspace.grader(&args);
    assert_eq!(grades(&run.stdout), ["Participant 1,100,100"]);
    run.says("nobody submitted anything for wordcount").says("--exercise 'wordcount=wordcount'");
    let run = workspace.grader(&[&args[..], &["--exercise", "wordcount=wordcount"]].concat());
    assert_eq!(grades(&run.stdout), ["Participant 1,50,100"], "{}", run.all());
    assert!(!run.all().contains("nobody submitted anything"), "{}", run.all());
}

#[apply(cli_test)]
fn two_authors_of_one_member_are_an_error() {
    let workspace = course();
    workspace.file("class/ann/gaps.sh", SUM).file("class/ann/members.txt", "# With me:\ncy\ndee\n");
    workspace.file("class/bob/gaps.sh", WRONG).file("class/bob/members.txt", "cy\n");
    workspace.file("roster.csv", "id\nann\nbob\ncy\ndee\n");
    let args = [&["-p", "gaps", "class", "--members", "members.txt", "--roster", "roster.csv"][..], &FOLDERS].concat();
    let (run, rows) = gradebook(&workspace, &args);
    assert_eq!(rows[1..], ["ann,1,1,AC", "bob,0,0,WA", "cy,,,several authors", "dee,1,1,AC"], "{}", run.all());
    run.status(2).says("`cy` is an author of different submissions for gaps: line 2 of class/ann/members.txt, line 1 of class/bob/members.txt");
    let text = workspace.read("results/students/cy/gaps.txt");
    assert!(text.contains("Tell the staff which one is yours."), "{text}");
    // The same program is the same grade.
    workspace.file("class/bob/gaps.sh", SUM);
    let (run, rows) = gradebook(&workspace, &args);
    assert_eq!(rows[3], "cy,1,1,AC", "{}", run.all());
    // What is submitted alone counts first.
    workspace.file("class/bob/gaps.sh", WRONG).file("class/cy/gaps.sh", SUM);
    let (run, rows) = gradebook(&workspace, &args);
    assert_eq!(rows[3], "cy,1,1,AC", "{}", run.status(0).all());
}

/// What people decided needs nobody to look at it again.
#[apply(cli_test)]
fn an_override_settles_what_could_not_be_judged() {
    let workspace = course();
    workspace.file("class/ann/gaps.sh", SUM).file("class/bob/gaps.sh", SUM).file("class/bob/gaps_final.sh", WRONG);
    workspace.file("class/cy/gaps.zip", "no archive").file("class/dee/gaps.docx", "a text");
    workspace.file("class/fay/gaps.sh", WRONG).file("class/fay/members.txt", "eve\n");
    workspace.file("class/ann/members.txt", "eve\n").file("roster.csv", "id\nann\nbob\ncy\ndee\neve\nfay\n");
    let args = [&["-p", "gaps", "class", "--members", "members.txt", "--roster", "roster.csv"][..], &FOLDERS].concat();
    let judged = |students: &[&str]| {
        let rows: Vec<String> = students.iter().map(|student| format!("{student},gaps,0.5,oral\n")).collect();
        workspace.file("changes.csv", format!("id,problem,points,reason\n{}", rows.concat()));
        gradebook(&workspace, &[&args[..], &["--overrides", "changes.csv"]].concat()).0
    };
    let run = judged(&["bob", "cy", "dee", "eve"]);
    run.status(0).says("note: class/ann/gaps.sh: `eve` is an author of different submissions for gaps");
    run.says("note: class/bob/gaps.sh: `bob` submitted 2 for one problem").says("note: class/cy/gaps.zip: ");
    assert!(!run.all().contains("error: "), "{}", run.all());
    // Each of the others is still open.
    for left in ["bob", "cy", "dee", "eve"] {
        let others: Vec<&str> = ["bob", "cy", "dee", "eve"].into_iter().filter(|student| *student != left).collect();
        let run = judged(&others);
        run.status(2);
        assert_eq!(run.all().contains("error: "), left != "dee", "{left}: {}", run.all());
    }
}

#[apply(cli_test)]
fn two_programs_of_one_team_are_an_error_for_the_others() {
    let workspace = course();
    workspace.file("class/ann/gaps.sh", SUM).file("class/bob/gaps.sh", WRONG);
    workspace.file("roster.csv", "id,team\nann,red\nbob,Red\ncy,RED\n");
    let args = [&["-p", "gaps", "class", "--roster", "roster.csv"][..], &FOLDERS].concat();
    let (run, rows) = gradebook(&workspace, &args);
    assert_eq!(rows[1..], ["ann,1,1,AC", "bob,0,0,WA", "cy,,,several authors"], "{}", run.all());
    run.status(2).says("`cy` is an author of different submissions for gaps: ann of team red, bob of team red");
}

#[apply(cli_test)]
fn members_of_what_cannot_be_judged_have_no_zero() {
    let workspace = course();
    workspace.file("class/ann/gaps.docx", "a text").file("class/ann/members.txt", "bob\n");
    workspace
        .file("class/cy/gaps.sh", SUM)
        .file("class/dee/members.txt", "bob\n")
        .file("roster.csv", "id\nann\nbob\ncy\ndee\n");
    let args = [&["-p", "gaps", "class", "--members", "members.txt", "--roster", "roster.csv"][..], &FOLDERS].concat();
    let (run, rows) = gradebook(&workspace, &args);
    assert_eq!(rows[1..], ["ann,,,no program", "bob,,,no program", "cy,1,1,AC", "dee,,0,"], "{}", run.all());
    run.status(2).says("class/dee/members.txt: lists authors, and no submission is beside it");
    // In an export without folders, the files of all lie side by side.
    for (student, file, text) in
        [("Ann_1", "gaps.docx", "x"), ("Ann_1", "members.txt", "Bo\n"), ("Cy_3", "gaps.sh", SUM)]
    {
        workspace.file(format!("m/{student}_assignsubmission_file_{file}"), text);
    }
    workspace.file("roster.csv", "id,name\n1,Ann\n2,Bo\n3,Cy\n");
    let (run, rows) = gradebook(&workspace, &["-p", "gaps", "m", "--members", "members.txt", "--roster", "roster.csv"]);
    assert_eq!(rows[1..], ["2,,,no program", "Ann_1,,,no program", "Cy_3,1,1,AC"], "{}", run.all());
}

#[apply(cli_test)]
fn two_grades_of_one_cell_are_an_error() {
    let workspace = course();
    workspace.file("class/ann/gaps.sh", SUM);
    let changes = "id,problem,points,reason\nann,gaps,+2,style\nann,gaps,0.5,appeal\n";
    workspace.file("changes.csv", changes);
    let args = [&["-p", "gaps", "class", "--overrides", "changes.csv"][..], &FOLDERS].concat();
    // What is added counts in any order.
    let (run, rows) = gradebook(&workspace, &args);
    assert!(rows[1].starts_with("ann,2.5,2.5,"), "{rows:?} {}", run.all());
    workspace.file("changes.csv", format!("{changes}ann,,3,all\nAnn,gaps,0.7,appeal\nANN,,4,all\n"));
    let run = workspace.grader(&[&["judge"], &args[..]].concat());
    run.status(2).says("changes.csv: line 5").says("line 3 already states the points of `Ann` in gaps");
    run.says("changes.csv: line 6").says("line 4 already states the points of `ANN` in the total");
}

#[apply(cli_test)]
fn one_maximum_for_classroom_50_and_one_rounding() {
    let workspace = Workspace::new();
    let problem = workspace.problem("gaps").case("sample/1", "1 2\n", "3\n").case("secret/1", "4 4\n", "8\n");
    problem.case("secret/2", "4 -4\n", "0\n").submission("accepted/sum.sh", SUM);
    workspace.file("grader.toml", "partial = true\nweights = { gaps = 7 }\n");
    workspace
        .file("none/gaps.txt", "text")
        .file("right/gaps.sh", SUM)
        .file("part/gaps.sh", "read a b\necho $((a - b < 0 ? 3 : 8))\n");
    let variables = ["CLASSROOM", "ASSIGNMENT", "OWNER", "SUBMISSION_TAG", "COMMIT_URL", "RELEASE_URL"];
    let judged = |student: &str, more: &[&str]| -> [serde_json::Value; 2] {
        let args = [
            "judge",
            "gaps",
            student,
            "--exit-zero",
            "--report",
            "classroom50=c.json",
            "--report",
            "gradescope=g.json",
        ];
        let call = Call::any(workspace.path("").as_path(), &[&args[..], more].concat());
        let run = variables.iter().fold(call, |call, name| call.env(name, "x")).run();
        ["c.json", "g.json"].map(|file| {
            serde_json::from_str(&workspace.read(file)).unwrap_or_else(|error| panic!("{error}: {}", run.all()))
        })
    };
    for (student, points, hundredths) in [("right", 7.0, 700), ("part", 4.67, 467), ("none", 0.0, 0)] {
        let [classroom, gradescope] = judged(student, &[]);
        assert_eq!((&classroom["score"], &classroom["max-score"]), (&hundredths.into(), &700.into()), "{student}");
        assert_eq!(gradescope["score"].as_f64(), Some(points), "{student}");
    }
    // The terminal says the same.
    workspace.grader(&["judge", "part", "-p", "gaps", "--layout", "{student}", "--exit-zero"]).shows("4.67");
}

#[expect(clippy::disallowed_methods, reason = "a tool that makes what is tested")]
fn tar(dir: &Path, archive: &Path) {
    let done = std::process::Command::new("tar").arg("-czf").arg(archive).arg(".").current_dir(dir).status();
    assert!(done.unwrap().success());
}

#[apply(cli_test)]
#[needs(&[Need::Tool("tar")])]
fn tar_archives_are_read_like_zips() {
    let workspace = course();
    workspace.file("one/src/gaps.sh", SUM).file("one/._gaps.sh", "x").file("class/bob/gaps.sh", WRONG);
    std::fs::create_dir_all(workspace.path("class/ann")).unwrap();
    tar(&workspace.path("one"), &workspace.path("class/ann/gaps.tar.gz"));
    workspace.file("class/cy/gaps.tgz", "no archive");
    std::os::unix::fs::symlink("/etc/passwd", workspace.path("one/link.sh")).unwrap();
    std::fs::create_dir_all(workspace.path("class/dee")).unwrap();
    tar(&workspace.path("one"), &workspace.path("class/dee/gaps.tar.gz"));
    let args = [&["-p", "gaps", "class"][..], &FOLDERS].concat();
    let (run, rows) = gradebook(&workspace, &args);
    let expect = ["ann,1,1,AC", "bob,0,0,WA", "cy,,,archive refused", "dee,,,archive refused"];
    assert_eq!(rows[1..], expect, "{}", run.all());
    run.status(2).says("class/cy/gaps.tgz: not a readable archive").says("link.sh` is a symbolic link");
    // So is the archive of a whole class.
    tar(&workspace.path("class"), &workspace.path("all.tar.gz"));
    let (run, rows) = gradebook(&workspace, &[&["-p", "gaps", "all.tar.gz"][..], &FOLDERS].concat());
    assert_eq!(rows[1..], expect, "{}", run.all());
}

#[apply(cli_test)]
fn a_gradebook_in_utf_16_is_a_roster() {
    let workspace = course();
    workspace.file("class/alee/gaps.sh", SUM);
    let text = "\u{feff}\"Last Name\"\t\"First Name\"\t\"Username\"\t\"Availability\"\t\"gaps [Total Pts: 10 Score] |4711\"\r\n\
        \"Lée\"\t\"Ann\"\t\"alee\"\t\"Yes\"\t\"\"\r\n\"Fox\"\t\"Bo\"\t\"bfox\"\t\"Yes\"\t\"\"\r\n";
    let args = [
        &["judge", "class", "-p", "gaps", "--exit-zero", "--roster", "list.xls", "--report", "blackboard=-"][..],
        &FOLDERS,
    ];
    for unit in [u16::to_le_bytes as fn(u16) -> [u8; 2], u16::to_be_bytes] {
        let bytes: Vec<u8> = text.encode_utf16().flat_map(unit).collect();
        std::fs::write(workspace.path("list.xls"), &bytes).unwrap();
        let run = workspace.grader(&args.concat());
        let stdout = run.status(0).stdout.trim_start_matches('\u{feff}');
        assert_eq!(stdout, "Username,gaps [Total Pts: 10 Score] |4711\nalee,10\nbfox,\n");
        run.says("alee");
        std::fs::write(workspace.path("list.xls"), &bytes[..bytes.len() - 1]).unwrap();
        workspace.grader(&args.concat()).status(2).says("list.xls: line 1").says("is not UTF-16");
    }
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn a_program_with_the_ending_of_another_language_says_so() {
    let workspace = course();
    let c = "#include <stdio.h>\nint main() { int a, b; scanf(\"%d%d\", &a, &b); printf(\"%d\\n\", a + b); }\n";
    workspace.file("class/ann/gaps.py", c).file("class/bob/gaps.txt", c).file("class/cy/gaps.sh", SUM);
    let (run, rows) = gradebook(&workspace, &[&["-p", "gaps", "class"][..], &FOLDERS].concat());
    assert_eq!(rows[1..], ["ann,0,0,CE", "bob,,,no program", "cy,1,1,AC"], "{}", run.all());
    run.says("class/ann/gaps.py: gaps.py looks like a program in C");
    let text = workspace.read("results/students/ann/gaps.txt");
    assert!(text.contains("If it is one, rename it to gaps.c and submit it again"), "{text}");
    let text = workspace.read("results/students/bob/gaps.txt");
    assert!(text.contains("If that is your program, rename it to gaps.c and submit it again."), "{text}");
}

#[apply(cli_test)]
fn feedback_comments_say_what_a_wrong_name_needs() {
    let workspace = moodle(&[1]);
    workspace
        .file("m/Bo_2_assignsubmission_file_solution.sh", SUM)
        .file("m/Cy_3_assignsubmission_file_gaps.docx", "text");
    let run = workspace.grader(&["judge", "m", "--exit-zero", "--report", "moodle=-"]);
    let of =
        |id: &str| run.stdout.lines().find(|row| row.starts_with(&format!("Participant {id},"))).unwrap_or_default();
    assert!(
        of("2").contains("We received solution.sh, which names no problem. Name your file gaps.sh or wordcount.sh."),
        "{}",
        run.all()
    );
    assert!(of("3").contains("gaps: no program, We received gaps.docx. Submit a .sh file."), "{}", run.all());
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn a_language_without_a_driver_is_said_to_the_student() {
    let workspace = Workspace::new();
    let problem = workspace.problem("add").toml("entry.function = \"add\"\n");
    problem.case("secret/1", "[1, 2]\n", "3\n").submission("accepted/add.py", "def add(a, b):\n    return a + b\n");
    workspace.file("class/ann/add.sh", "echo 3\n").file("class/bob/add.py", "def add(a, b):\n    return a + b\n");
    let (run, rows) = gradebook(&workspace, &[&["-p", "add", "class"][..], &FOLDERS].concat());
    assert_eq!(rows[1..], ["ann,,,not judged", "bob,1,1,AC"], "{}", run.all());
    let text = workspace.read("results/students/ann/add.txt");
    assert!(text.contains("Submit a program in one of these languages: ") && text.contains("Python"), "{text}");
    assert!(!text.contains("the judge failed"), "{text}");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn paths_of_this_machine_are_no_feedback() {
    let workspace = course();
    workspace.file("class/ann/gaps.py", "def f():\n    return 1 / 0\nf()\n");
    let args =
        ["-p", "gaps", "class", "--layout", "{student}/{problem}.*", "--report", "html=page.html", "--isolation"];
    for isolation in ["none", "weak"] {
        let (run, _) = gradebook(&workspace, &[&args[..], &[isolation]].concat());
        let text = workspace.read("results/students/ann/gaps.txt");
        let page = workspace.read("page-students/ann.html");
        assert!(text.contains("File \"gaps.py\", line 2, in f"), "{isolation}: {text}{}", run.all());
        for text in [text, page] {
            assert!(
                !text.contains("/gaps.py") && !text.contains("/tmp/") && !text.contains(".grader"),
                "{isolation}: {text}"
            );
        }
    }
}

#[apply(cli_test)]
#[needs(&[Need::Tool("zip")])]
fn archives_of_students_need_no_layout() {
    let workspace = course();
    for (student, file, text) in [("ann", "gaps.sh", SUM), ("ann", "wordcount.sh", SUM), ("bo", "src/gaps.sh", WRONG)] {
        workspace.file(format!("{student}/{file}"), text);
    }
    std::fs::create_dir(workspace.path("all")).unwrap();
    for student in ["ann", "bo"] {
        zip(&workspace.path(student), &workspace.path(format!("all/{student}.zip")));
    }
    zip(&workspace.path("all"), &workspace.path("all.zip"));
    for path in ["all", "all.zip"] {
        let (run, rows) = gradebook(&workspace, &[path]);
        assert_eq!(rows[1..], ["ann,1,1,2,AC,AC", "bo,0,,0,WA,"], "{}", run.all());
        run.status(0)
            .says("contains only archives; grader reads each as that of a student: --layout '{student}/{problem}.*'");
        let (run, rows) = gradebook(&workspace, &["-p", "gaps", path]);
        assert_eq!(rows[1..], ["ann,1,1,AC", "bo,0,0,WA"], "{}", run.all());
    }
    // Archives of problems are no students.
    zip(&workspace.path("ann"), &workspace.path("all/gaps.zip"));
    assert!(!workspace.grader(&["judge", "-p", "gaps", "all"]).all().contains("contains only archives"));
}

#[apply(cli_test)]
fn groups_are_no_students() {
    let workspace = course();
    for (path, text) in [("Group 1/ann", SUM), ("Group 1/bob", WRONG), ("Group 2/cy", SUM)] {
        workspace.file(format!("class/{path}/gaps.sh"), text);
    }
    let run = workspace.grader(&[&["judge", "-p", "gaps", "class"], &FOLDERS[..]].concat());
    run.status(2)
        .says("the folders in Group 1 may be students, or all of one student")
        .says("`*/{student}/{problem}.*`");
    let (run, rows) = gradebook(&workspace, &["-p", "gaps", "class", "--layout", "*/{student}/{problem}.*"]);
    assert_eq!(rows[1..], ["ann,1,1,AC", "bob,0,0,WA", "cy,1,1,AC"], "{}", run.status(0).all());
}

#[apply(cli_test)]
fn what_is_empty_is_said() {
    let workspace = course();
    let empty = [&b"PK\x05\x06"[..], &[0; 18]].concat();
    workspace.file("class/ann/gaps.zip", empty).file("class/bob/gaps.sh", "").file("class/cy/gaps.sh", SUM);
    let (run, rows) = gradebook(&workspace, &[&["-p", "gaps", "class"], &FOLDERS[..]].concat());
    assert_eq!(rows[1..], ["ann,,,empty", "bob,0,0,WA", "cy,1,1,AC"], "{}", run.all());
    run.status(2).says("class/ann/gaps.zip: is an empty archive").says("class/bob/gaps.sh: is empty");
    let text = workspace.read("results/students/ann/gaps.txt");
    assert!(text.contains("We received gaps.zip, which is empty."), "{text}");
    assert!(workspace.read("results/students/bob/gaps.txt").contains("the file is empty."));
}

#[apply(cli_test)]
fn lost_zeros_of_ids_are_named() {
    let workspace = course();
    workspace.file("class/007/gaps.sh", SUM).file("class/0042/gaps.sh", WRONG).file("roster.csv", "id\n7\n42\n");
    let args = [&["-p", "gaps", "class", "--roster", "roster.csv"][..], &FOLDERS].concat();
    let (run, _) = gradebook(&workspace, &args);
    run.status(2).says("not in it: 0042, 007").says("spreadsheets remove zeros at the beginning");
    workspace.file("roster.csv", "\u{feff}id;name\r\n007;Ann O\u{2019}Neil\r\n0042;Zoe\u{308}\r\n7;Bo\r\n");
    let (run, rows) = gradebook(&workspace, &args);
    assert_eq!(rows[1..], ["0042,0,0,WA", "007,1,1,AC", "7,,0,"], "{}", run.status(0).all());
}

#[apply(cli_test)]
fn an_id_and_a_name_that_contradict_each_other_give_no_grade() {
    let workspace = course();
    workspace.file("m/Ann Lee_12_assignsubmission_file_/gaps.sh", SUM);
    workspace.file("m/Bo Fox_11_assignsubmission_file_/gaps.sh", WRONG);
    workspace.file("m/Liz Ray_13_assignsubmission_file_/gaps.sh", SUM);
    workspace.file("roster.csv", "id,name\n11,Ann Lee\n12,Bo Fox\n13,Elizabeth Ray\n");
    workspace
        .file("c/leeann_12_901_gaps.sh", SUM)
        .file("c/foxbo_11_902_gaps.sh", WRONG)
        .file("c/rayliz_13_903_gaps.sh", SUM);
    for (export, [ann, bo]) in [("m", ["Ann Lee_12", "Bo Fox_11"]), ("c", ["leeann_12", "foxbo_11"])] {
        let args = ["judge", export, "-p", "gaps", "--roster", "roster.csv", "--report", "blackboard=-"];
        let run = workspace.grader(&args);
        run.status(2).says("ids and names contradict each other").says(&format!("{ann} (12 is Bo Fox)"));
        // Neither the students of the roster nor these numbers have the points.
        let rows: BTreeSet<String> = run.stdout.lines().skip(1).map(str::to_owned).collect();
        let expect = [format!("{ann},1"), format!("{bo},0"), "11,".into(), "12,".into(), "13,1".into()];
        assert_eq!(rows, BTreeSet::from(expect), "{}", run.all());
    }
}

#[apply(cli_test)]
fn an_archive_beside_a_document_is_the_program() {
    let workspace = course();
    let program = answers::zip(&[("gaps.sh", SUM)]);
    workspace.file("m/Ann Lee_1_assignsubmission_file_/a.zip", &program);
    workspace.file("m/Ann Lee_1_assignsubmission_file_/README.txt", "Read me");
    workspace.file("m/Bo Fox_2_assignsubmission_file_/a.zip", &program);
    workspace.file("m/Bo Fox_2_assignsubmission_file_/report.pdf", "%PDF");
    workspace.file("m/Cy Ray_3_assignsubmission_file_/a.zip", &program);
    workspace.file("m/Cy Ray_3_assignsubmission_file_/gaps.sh", WRONG);
    let (run, rows) = gradebook(&workspace, &["m", "-p", "gaps"]);
    assert_eq!(rows[1..], ["Ann Lee_1,1,1,AC", "Bo Fox_2,1,1,AC", "Cy Ray_3,0,0,WA"], "{}", run.all());
    run.says("Cy Ray_3_assignsubmission_file_: contains an archive beside other files; grader ignores the archive");
}

#[apply(cli_test)]
fn times_of_the_export_count_before_those_of_the_roster() {
    let workspace = course();
    workspace.file("b/gaps_alee_attempt_2026-01-31-10-15-00_gaps.sh", SUM);
    workspace.file("roster.csv", "id,name,submitted\nalee,Ann Lee,2026-02-03T10:00\n");
    let args = ["judge", "b", "-p", "gaps", "--roster", "roster.csv", "--deadline", "2026-01-31T23:59"];
    let run = workspace.grader(&[&args[..], &["--report", "gradebook=-"]].concat());
    run.says("the roster states other times than the export; those of the export count: alee").says("`extension`");
    assert!(run.stdout.contains(",2026-01-31T10:15:00,0,"), "{}", run.stdout);
}

#[apply(cli_test)]
fn names_are_found_in_any_order_of_their_words() {
    let workspace = course();
    workspace
        .file("c/leeann_11_901_gaps.sh", SUM)
        .file("changes.csv", "id,problem,points,reason\nCy Ray,gaps,1,oral\n");
    workspace.file(
        "canvas.csv",
        "Student,ID,SIS User ID,SIS Login ID,Section,gaps (77)\n    Points Possible,,,,,10\n\"Lee, Ann\",11,,alee,A,\n\
         \"Ray, Cy\",13,,cray,A,\n\"Student, Test\",99,,5f2a,A,\n",
    );
    let args = ["judge", "c", "-p", "gaps", "--roster", "canvas.csv", "--overrides", "changes.csv"];
    let run = workspace.grader(&[&args[..], &["--report", "canvas=-"]].concat());
    run.status(0);
    let rows: BTreeSet<&str> = run.stdout.lines().skip(2).collect();
    let expect = ["\"Lee, Ann\",11,,alee,A,10", "\"Ray, Cy\",13,,cray,A,10"];
    assert_eq!(rows, BTreeSet::from(expect), "{}", run.all());
    // Without a roster, too.
    workspace.file("class/Ann Lee/gaps.sh", SUM);
    for name in ["Lee Ann", "\"Lee, Ann\""] {
        workspace.file("changes.csv", format!("id,problem,points,reason\n{name},gaps,0.5,oral\n"));
        let (run, rows) =
            gradebook(&workspace, &[&["-p", "gaps", "class", "--overrides", "changes.csv"][..], &FOLDERS].concat());
        assert!(rows[1].starts_with("Ann Lee,0.5,0.5,AC"), "{rows:?} {}", run.all());
    }
}

#[apply(cli_test)]
fn other_encodings_than_utf_8_are_named() {
    let workspace = course();
    let utf16: Vec<u8> = "\u{feff}print(1)\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    workspace.file("class/ann/gaps.py", utf16).file("class/bo/gaps.py", b"# M\xfcller\nprint(1)\n");
    workspace.file("class/cy/gaps.py", b"# -*- coding: latin-1 -*-\n# M\xfcller\nprint(1)\n");
    let run = workspace.grader(&["judge", "class", "--layout", "{student}/{problem}.*", "--out", "results"]);
    run.says("class/ann/gaps.py: gaps.py is saved as UTF-16").says("class/bo/gaps.py: gaps.py is saved as Latin-1");
    assert!(!run.all().contains("class/cy"), "{}", run.all());
    let text = std::fs::read_to_string(workspace.path("results/students/ann/gaps.txt")).unwrap();
    assert!(text.contains("note: gaps.py is saved as UTF-16") && text.contains("Save it as UTF-8"), "{text}");
}

/// Moodle's grading worksheet in German, French and Spanish: the text before the number of a participant, the headings, the
/// times of two submissions, and the maximum.
const WORKSHEETS: [(&str, &str, [&str; 2], &str); 3] = [
    (
        "Teilnehmer/in",
        "ID,\"Vollständiger Name\",E-Mail-Adresse,Status,Gruppe,Bewertung,Bestwertung,\"Bewertung kann geändert \
         werden\",\"Zuletzt geändert (Abgabe)\",\"Zuletzt geändert (Bewertung)\",\"Feedback als Kommentar\"",
        ["Samstag, 31. Januar 2026, 10:15", "Montag, 2. Februar 2026, 13:05"],
        "30,00",
    ),
    (
        "Participant",
        "Identifiant,\"Nom complet\",\"Adresse de courriel\",Statut,Groupe,Note,\"Note maximale\",\"La note peut être \
         modifiée\",\"Dernière modification (travail remis)\",\"Dernière modification (note)\",\"Feedback par commentaires\"",
        ["samedi 31 janvier 2026, 10:15", "lundi 2 février 2026, 13:05"],
        "30,00",
    ),
    (
        "Participante ",
        "Identificador,\"Nombre completo\",\"Dirección de correo\",Estado,Grupo,Calificación,\"Calificación máxima\",\"La \
         calificación puede ser cambiada\",\"Última modificación (entrega)\",\"Última modificación (calificación)\",\
         \"Comentarios de retroalimentación\"",
        ["sábado, 31 de enero de 2026, 10:15", "lunes, 2 de febrero de 2026, 13:05"],
        "30.00",
    ),
];

#[apply(cli_test)]
fn worksheets_in_other_languages_come_back_in_their_language() {
    for (participant, headings, times, most) in WORKSHEETS {
        let workspace = moodle(&[1, 2]);
        let row = |number: u32, name: &str, time: &str| {
            format!(
                "{participant}{number},{name},x@x.org,x,G{number},\"12,50\",\"{most}\",x,\"{time}\",\"{time}\",\r\n"
            )
        };
        let rows = [row(1, "A", times[0]), row(2, "B", times[1]), row(3, "C", "-")].concat();
        // Without the old grade, only the maximum says how numbers are written.
        let rows = rows.replace("\"12,50\"", "");
        workspace.file("sheet.csv", format!("\u{feff}{headings}\r\n{rows}"));
        let late = ["--deadline", "2026-01-31", "--late", "25 % a day"];
        let args = ["judge", "m", "-p", "gaps", "--exit-zero", "--roster", "sheet.csv", "--report", "moodle=-"];
        let run = workspace.grader(&[&args[..], &late].concat());
        run.status(0).says("the total is scaled from 1 to 30 points").says("G2");
        let file = csv_rows(&run.stdout);
        let all: Vec<String> = headings.split(',').map(|heading| heading.trim_matches('"').to_owned()).collect();
        assert_eq!(file[0], [0, 1, 5, 6, 9, 10].map(|at| all[at].clone()), "{}", run.all());
        let of = |number: u32| file.iter().find(|row| row[0] == format!("{participant}{number}")).unwrap();
        // Two days have begun.
        assert_eq!(of(2)[1..5], ["B", "15", "30", times[1]], "{}", run.all());
        assert_eq!(of(1)[1..5], ["A", "30", "30", times[0]], "{}", run.all());
        assert_eq!(of(3)[1..3], ["C", "0"], "{}", run.all());
        // Numbers have the comma of the list.
        let run = workspace.grader(&[&args[..], &["--deadline", "2026-01-31", "--late", "11 % a day"]].concat());
        let points = if most.contains(',') { "23,4" } else { "23.4" };
        assert!(csv_rows(&run.stdout).iter().any(|row| row[2] == points), "{}", run.all());
        // The record has them, too.
        let again = workspace.grader(&["report", "last", "--report", "moodle=-"]);
        assert_eq!(again.stdout, run.stdout);
    }
    // A wrong time has its line in every language.
    let workspace = moodle(&[1]);
    let (participant, headings, ..) = WORKSHEETS[0];
    workspace.file("sheet.csv", format!("{headings}\n{participant}1,A,,,,,\"30,00\",x,\"31. Februar\",-,\n"));
    let args = ["judge", "m", "-p", "gaps", "--exit-zero", "--roster", "sheet.csv"];
    workspace.grader(&args).status(2).says("sheet.csv: line 2").says("`31. Februar` is not a time");
    // Whoever is not in the list has an identifier like the others.
    workspace.file("sheet.csv", format!("{headings}\n{participant}2,B,,,,,\"30,00\",x,-,-,\n"));
    let run = workspace.grader(&[&args[..], &["--report", "moodle=-"]].concat());
    assert!(run.stdout.contains("Teilnehmer/in1,A,"), "{}", run.all());
    // A scale has words in every language.
    let scale = headings.replace("Bestwertung", "Skala");
    workspace.file("sheet.csv", format!("{scale}\n{participant}1,A,,,,,\"nein, ja\",x,-,-,\n"));
    workspace.grader(&args).status(2).says("`Skala` says `nein, ja`, which is not a number of points");
}

fn csv_rows(text: &str) -> Vec<Vec<String>> {
    let text = text.trim_start_matches('\u{feff}');
    let rows = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes()).into_records();
    rows.map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
}

#[apply(cli_test)]
fn a_platform_is_named_only_for_its_own_class() {
    let workspace = course();
    workspace.file("class/ann/gaps.sh", SUM).file("changes.csv", "id,problem,points,reason\nann,,+1,bonus\n");
    let args = [&["judge", "class", "-p", "gaps", "--overrides", "changes.csv"][..], &FOLDERS].concat();
    let judge = |more: &[&str]| workspace.grader(&[&args[..], more].concat());
    let run = judge(&[]);
    run.status(0).shows("above the maximum of the total: ann\n").hides("Moodle").hides("Canvas").hides("Blackboard");
    judge(&["--report", "moodle=m.csv"]).shows("above the maximum of the total: ann; Moodle skips these rows");
    let run = judge(&["--report", "canvas=c.csv"]);
    run.shows("the file for Canvas has no total, so it lacks what the overrides say of totals").hides("Moodle");
    // The list of a platform says which one it is.
    workspace.file(
        "roster.csv",
        "Student,ID,SIS Login ID,Section,gaps (7)\n    Points Possible,,,,10\n\"Lee, Ann\",1,ann,A,\n",
    );
    judge(&["--roster", "roster.csv"]).shows("the file for Canvas has no total").hides("Moodle");
}

#[apply(cli_test)]
fn comments_say_what_was_not_submitted() {
    let workspace = moodle(&[1]);
    workspace.file("sheet.csv", "Identifier,Full name,Grade,Maximum Grade\nParticipant 1,A,,10\nParticipant 2,B,,10\n");
    let args =
        ["judge", "m", "--exit-zero", "--roster", "sheet.csv", "--exercise", "x=wordcount", "--report", "moodle=-"];
    for missing in ["blank", "zero"] {
        let run = workspace.grader(&[&args[..], &["--missing", missing]].concat());
        let rows = csv_rows(&run.stdout);
        let comment = |identifier: &str| rows.iter().find(|row| row[0] == identifier).unwrap()[5].clone();
        assert_eq!(comment("Participant 1"), "gaps: AC; wordcount: not submitted", "{}", run.all());
        assert_eq!(comment("Participant 2"), "gaps: not submitted; wordcount: not submitted", "{}", run.all());
    }
}

#[apply(cli_test)]
fn teams_of_platforms_are_teams_of_the_roster() {
    for (platform, files) in [
        (
            "blackboard",
            ["gaps_Red Team_attempt_2026-01-31-10-15-00_gaps.sh", "gaps_Sea 2_attempt_2026-01-31-10-15-00_gaps.sh"],
        ),
        ("teams", ["Submitted files/Red Team/gaps/Version 1/gaps.sh", "Submitted files/Sea 2/gaps/Version 1/gaps.sh"]),
        // The number is that of a member, as in group assignments.
        ("canvas", ["redteam_11_900_gaps.sh", "sea2_13_901_gaps.sh"]),
        (
            "brightspace",
            ["55-3 - Red Team - Jan 31, 2026 1015 AM/gaps.sh", "56-3 - Sea 2 - Jan 31, 2026 1015 AM/gaps.sh"],
        ),
        ("github", ["hw-submissions/hw-red-team/gaps.sh", "hw-submissions/hw-sea-2/gaps.sh"]),
        ("artemis", ["gaps-1-redteam/gaps.sh", "gaps-1-sea2/gaps.sh"]),
    ] {
        let workspace = course();
        workspace.file(format!("x/{}", files[0]), SUM).file(format!("x/{}", files[1]), WRONG);
        workspace
            .file("roster.csv", "id,name,team\n11,Ann Lee,Red Team\n12,Bo Fox,Red Team\n13,Cy Ray,Sea 2\n14,Dee Oh,\n");
        let args = ["x", "-p", "gaps", "--layout", platform, "--roster", "roster.csv"];
        let (run, rows) = gradebook(&workspace, &args);
        // A team is not a student, and nobody is left without its grade.
        let of = |id: &str| rows.iter().find(|row| row.starts_with(&format!("{id},"))).cloned().unwrap_or_default();
        assert_eq!(rows.len(), 5, "{platform}: {rows:#?}\n{}", run.status(0).all());
        for (id, expect) in [("11", "1,1,AC"), ("12", "1,1,AC"), ("13", "0,0,WA"), ("14", ",0,")] {
            assert!(of(id).contains(expect), "{platform}: {rows:#?}\n{}", run.all());
        }
        let text = workspace.read("results/students/11/gaps.txt");
        assert!(text.contains("note: submitted for team Red Team\n"), "{text}");
    }
    // A name that may be that of several teams is of none, and who is called like a team stays a student.
    let workspace = course();
    workspace.file("x/redteam_55_900_gaps.sh", SUM).file("x/annlee_11_901_gaps.sh", SUM);
    workspace.file(
        "roster.csv",
        "id,name,team\n11,Lee Ann,Ann Lee\n12,Bo Fox,Red Team\n13,Cy Ray,red-team\n14,Dee Oh,Ann Lee\n",
    );
    let (run, rows) = gradebook(&workspace, &["x", "-p", "gaps", "--layout", "canvas", "--roster", "roster.csv"]);
    run.status(2).says("not in it: redteam_55");
    assert!(rows.iter().any(|row| row.starts_with("12,,,not identified")), "{rows:#?}\n{}", run.all());
    // The total is open until somebody says whose the other file is.
    assert!(rows.iter().any(|row| row.starts_with("14,1,,AC")), "{rows:#?}\n{}", run.all());
}

#[apply(cli_test)]
fn what_lies_outside_of_the_layout_is_no_zero() {
    let workspace = moodle(&[1, 2]);
    let sheet = "Identifier,Full name,Grade,Maximum Grade\nParticipant 1,A,,10\nParticipant 2,B,,10\nParticipant 3,Cy Ray,,10\n\
        Participant 4004,Dee Oh,,10\nParticipant 5,Eve Po,,10\n";
    workspace.file("sheet.csv", sheet).file("m/Ray, Cy/gaps.sh", SUM).file("m/mail/4004 gaps.sh", SUM);
    workspace.file("m/notes 5.sh", SUM);
    let layout = ["--layout", "moodle", "--roster", "sheet.csv", "--report", "moodle=-"];
    let args = [&["judge", "m", "-p", "gaps", "--exit-zero"], &layout[..]].concat();
    let run = workspace.grader(&args);
    let expect = [
        "Participant 1,10,10",
        "Participant 2,10,10",
        "Participant 3,,10",
        "Participant 4004,,10",
        "Participant 5,0,10",
    ];
    assert_eq!(grades(&run.stdout), expect, "{}", run.all());
    run.status(2).says("with names of students, who therefore get no zeros: Ray, Cy/gaps.sh, mail/4004 gaps.sh");
    run.says("outside the layout");
    let run = workspace.grader(&[&args[..], &["--ignore", "Ray, Cy", "--ignore", "mail"]].concat());
    assert_eq!(grades(&run.stdout)[2..4], ["Participant 3,0,10", "Participant 4004,0,10"], "{}", run.all());
    // If nothing fits, nobody has a zero.
    workspace.file("other/Team_55/gaps.sh", SUM);
    let args =
        ["judge", "other", "-p", "gaps", "--layout", "moodle", "--roster", "sheet.csv", "--report", "moodle=m.csv"];
    workspace.grader(&args).status(2).says("nothing matches the layout `moodle`");
    assert!(!workspace.path("m.csv").exists());
}
