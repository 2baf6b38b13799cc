//! Rosters and grades: lists of platforms, grades that people decide, and the files that platforms take back.

use std::collections::BTreeSet;

use macro_rules_attribute::apply;

use crate::cli::attempts::RULE;
use crate::cli::class_exports::{WRONG, course};
use crate::cli::classes::gradebook;
use crate::cli::run::Call;
use crate::cli::workspace::SUM;

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
    judge(&[]).status(2).says("worksheet.csv: line 2").says("is not a time");
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
    workspace.file("list.csv", list.replace("Essay (7)", "gaps (7)").replace("HW1 gaps", "Gaps"));
    let run = judge(&[]);
    run.says("list.csv: several columns may be for `gaps`: gaps (7), Gaps (77)");
    run.says("the file for canvas has gaps (7); if it is another, delete the others from this list");
}

/// A student whom Canvas excuses gets no zero there.
#[apply(cli_test)]
fn who_is_excused_stays_excused() {
    let workspace = course();
    workspace.file("c/leeann_11_900_gaps.sh", SUM).file("c/foxbo_12_902_gaps.sh", SUM);
    let list = "Student,ID,SIS User ID,SIS Login ID,Section,Gaps (77)\n    Points Possible,,,,,100\n\
        \"Lee, Ann\",11,s11,alee,A,\n\"Fox, Bo\",12,s12,bfox,A,EX\n\"Ray, Cy\",13,s13,cray,B,EX\n";
    workspace.file("list.csv", list);
    let args = [
        "judge",
        "c",
        "-p",
        "gaps",
        "--exit-zero",
        "--missing",
        "zero",
        "--roster",
        "list.csv",
        "--report",
        "canvas=-",
    ];
    let file = workspace.grader(&args).stdout;
    // What somebody submitted counts.
    assert!(file.contains("13,s13,cray,B,EX\n") && file.contains("12,s12,bfox,A,100\n"), "{file}");
    // Nobody asks an excused student for a submission.
    let list = "Student,ID,SIS User ID,SIS Login ID,Section,Gaps (77),Wordcount (78)\n    Points Possible,,,,,100,100\n\
        \"Lee, Ann\",11,,alee,A,,\n\"Fox, Bo\",12,,bfox,A,EX,\n\"Ray, Cy\",13,,cray,B,EX,EX\n\"Oh, Dee\",14,,doh,B,EX,\n";
    workspace.file("list.csv", list);
    for missing in ["zero", "blank"] {
        let args = ["judge", "c", "--exit-zero", "--roster", "list.csv", "--exercise", "wordcount=wordcount"];
        let run = workspace.grader(&[&args[..], &["--out", "results", "--missing", missing]].concat());
        run.shows("nothing submitted: 14 (Oh, Dee)\n");
        let text = workspace.read("results/students/14/all exercises.txt");
        let excused = workspace.read("results/students/13/all exercises.txt");
        assert!(excused.contains("total: –"), "{excused}");
        // Ann, Bo, Cy and Dee: the exercise is part of neither total nor average.
        let grades = workspace.grader(&[&args[..], &["--missing", missing, "--report", "gradebook=-"]].concat());
        let row = grades.stdout.lines().find(|row| row.starts_with("13,")).unwrap();
        assert!(row.contains(",,,,excused,excused,"), "{row}");
        assert!(grades.stderr.contains("excused"), "{}", grades.all());
        assert!(text.contains("gaps: excused, –") && text.contains("wordcount: not submitted"), "{text}");
    }
}

/// Without a submission, an existing grade of Moodle stays, unless a missing submission is a zero.
#[apply(cli_test)]
fn grades_of_moodle_stay_without_a_submission() {
    let workspace = course();
    workspace.file("m/Ann Lee_11_assignsubmission_file_gaps.sh", SUM);
    workspace.file(
        "list.csv",
        "Identifier,Full name,Grade,Maximum Grade,Last modified (grade)\nParticipant 11,Ann Lee,40.00,100.00,-\n\
         Participant 12,Bo Fox,55.50,100.00,-\nParticipant 13,Cy Ray,,100.00,-\n",
    );
    for (missing, expect) in [("blank", ["55.50", "0", "100"]), ("zero", ["0", "0", "100"])] {
        let args = ["judge", "m", "-p", "gaps", "--roster", "list.csv", "--missing", missing, "--report", "moodle=-"];
        let run = workspace.grader(&args);
        let grades: Vec<&str> = run.stdout.lines().skip(1).map(|row| row.split(',').nth(2).unwrap()).collect();
        assert_eq!(grades, expect, "{missing}\n{}", run.all());
        assert_eq!(run.stderr.contains("the grade in the worksheet stays"), missing == "blank", "{}", run.all());
    }
}

/// A list of Brightspace may have user names only.
#[apply(cli_test)]
fn brightspace_finds_students_by_what_its_list_has() {
    let workspace = course();
    workspace.file("c/alee/gaps.sh", SUM);
    for (heading, expect) in [("Username", "Username,"), ("OrgDefinedId", "OrgDefinedId,")] {
        let list = format!("{heading},gaps Points Grade <Numeric MaxPoints:10>,End-of-Line Indicator\n#alee,,#\n");
        workspace.file("list.csv", list);
        let args = ["judge", "c", "-p", "gaps", "--layout", "{student}/{problem}.*", "--roster", "list.csv"];
        let run = workspace.grader(&[&args[..], &["--report", "brightspace=-"]].concat());
        let file = run.stdout.trim_start_matches('\u{feff}');
        assert!(file.starts_with(expect) && file.contains("#alee,10,#"), "{heading}: {}", run.all());
    }
}

/// Of several columns of an exercise, the file has the first, and one line says how points are scaled.
#[apply(cli_test)]
fn doubled_columns_are_scaled_once() {
    let workspace = course();
    workspace.file("c/leeann_11_900_gaps.sh", SUM);
    workspace.file("list.csv", "Student,ID,Gaps (77),Gaps (78)\n    Points Possible,,10,20\n\"Lee, Ann\",11,,\n");
    let args = ["judge", "c", "-p", "gaps", "--roster", "list.csv", "--report", "canvas=-"];
    let run = workspace.grader(&args);
    assert_eq!(run.stderr.matches("is scaled from 1 to 10 points").count(), 1, "{}", run.all());
    run.hides("to 20 points");
}

/// The numbers of participants are those of the export where the list of participants has other ids.
#[apply(cli_test)]
fn ids_of_a_list_of_participants_are_no_numbers_of_moodle() {
    let workspace = course();
    workspace.file("m/Ann Lee_31_assignsubmission_file_gaps.sh", SUM);
    workspace.file("m/Bo Fox_32_assignsubmission_file_gaps.sh", SUM);
    workspace.file("list.csv", "First name,Surname,ID number\nAnn,Lee,4711\nBo,Fox,4712\nCy,Ray,4713\n");
    let args = ["judge", "m", "-p", "gaps", "--roster", "list.csv", "--report", "moodle=-"];
    let run = workspace.grader(&args);
    let people: Vec<&str> = run.stdout.lines().skip(1).map(|row| row.split(',').next().unwrap()).collect();
    // Nobody knows the number of Cy.
    assert_eq!(people, ["Participant 31", "Participant 32"], "{}", run.all());
    run.says("files for Moodle lack these, whose numbers at Moodle are unknown: 4713");
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
    let comment = "\"gaps: AC, manual: +2, was 1, above the maximum 1: style; wordcount: manual: 0.5: shown; manual: +1, was 3.5, \
        above the maximum 2: bonus\"";
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
    assert!(of_all.contains("manual: +1, was 3.5, above the maximum 2: bonus"), "{of_all}");
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
    run.says("files for Moodle lack these, whose numbers at Moodle are unknown: bfox").says("grading worksheet");
    assert_eq!(names(), expect[..1]);
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
    run.says("manual: 0.8, was 0: appeal of 12 March (Dr Lee)").says("manual: +2, was 1.5, above the maximum 2: bonus");
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
    run.status(2).says("nobody has the id or name `zoe`").says("no problem is called `gasp`");
    run.says("did you mean `gaps`?")
        .says("`much` is not a number of points")
        .says("has no reason")
        .says("changes.csv: line 2");
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
        ("user id,Student ID\nann,1\n", "two columns may mean the id: `user id` and `Student ID`"),
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
    // Nothing is expected of students, but only AC is good.
    run.status(1).shows("1 changed, 1 of them worse");
    assert!(!run.shows("AC → WA").all().contains("points:"), "{}", run.all());
}

/// Withdrawing something must not raise the grade of others.
#[apply(cli_test)]
fn an_exercise_of_an_earlier_run_keeps_its_column() {
    let workspace = course();
    workspace.file("class/ann/gaps.sh", SUM).file("class/bo/gaps.sh", SUM).file("class/bo/wordcount.sh", SUM);
    let layout = ["--layout", "{student}/{problem}.*"];
    gradebook(&workspace, &[&["class"], &layout[..]].concat());
    std::fs::remove_file(workspace.path("class/bo/wordcount.sh")).unwrap();
    for _ in 0..2 {
        let (run, rows) = gradebook(&workspace, &[&["class"], &layout[..]].concat());
        let expect = ["student,gaps,wordcount,total,gaps verdict,wordcount verdict", "ann,1,,1,AC,", "bo,1,,1,AC,"];
        assert_eq!(rows, expect, "{}", run.all());
        run.hides("nobody submitted anything for wordcount");
        let text = workspace.read("results/students/bo/all exercises.txt");
        assert!(text.contains("wordcount") && text.contains("total: 1 of 2"), "{text}");
    }
    // Another class says nothing about this one.
    workspace.file("others/cy/gaps.sh", SUM);
    let (run, rows) = gradebook(&workspace, &[&["others"], &layout[..]].concat());
    assert_eq!(rows[0], "student,gaps,total,gaps verdict", "{}", run.all());
}

/// What a student submits for no exercise is no reason to count the others.
#[apply(cli_test)]
fn text_of_one_student_changes_no_grade_of_others() {
    let workspace = course();
    workspace.file("m/Ann Lee_11_assignsubmission_file_/gaps.sh", SUM);
    workspace.file("m/Bo Fox_12_assignsubmission_onlinetext_/onlinetext.html", "<p>done</p>");
    let (run, rows) = gradebook(&workspace, &["m"]);
    let expect = ["student,gaps,total,gaps verdict", "Ann Lee_11,1,1,AC", "Bo Fox_12,,,no file"];
    assert_eq!(rows, expect, "{}", run.all());
    // If nothing can be judged, every exercise may be meant.
    std::fs::remove_dir_all(workspace.path("results")).unwrap();
    std::fs::remove_dir_all(workspace.path("m/Ann Lee_11_assignsubmission_file_")).unwrap();
    let (run, rows) = gradebook(&workspace, &["m"]);
    assert!(rows[0].starts_with("student,gaps,wordcount,total"), "{rows:?} {}", run.all());
}

#[apply(cli_test)]
fn a_column_that_may_be_the_problem_is_asked_for() {
    let workspace = course();
    workspace.file("class/ann/gaps.sh", SUM);
    let judge = |changes: &str| {
        workspace.file("changes.csv", changes);
        let args = ["judge", "class", "--layout", "{student}/{problem}.*", "--overrides", "changes.csv"];
        workspace.grader(&args)
    };
    judge("id;task;points;reason\nann;gaps;5;x\n")
        .status(2)
        .says("has no column `problem`, and grader does not know `task`");
    judge("id;problem;name;points;reason\nann;gaps;Ann Lee;5;x\n").status(0);
    judge("id,points,reason\nann,5,x\n").status(0);
    judge("id,problem,points,reason\nann,GAPS,5,x\n").status(0).shows("gaps: manual: 5");
}

/// One file of overrides is for all exercises of a course.
#[apply(cli_test)]
fn overrides_for_other_exercises_wait() {
    let workspace = course();
    workspace.file("class/ann/gaps.sh", SUM).file("changes.csv", "id,problem,points,reason\n");
    let judge = |changes: &str| {
        workspace.file("changes.csv", format!("id,problem,points,reason\n{changes}"));
        gradebook(&workspace, &["-p", "gaps", "class", "--layout", "{student}/{problem}.*"])
    };
    workspace.file("grader.toml", "judge.overrides = \"changes.csv\"\n");
    // Bob submitted only the other exercise.
    let (run, rows) = judge("ann,gaps,0.5,oral\nann,WordCount,0.2,oral\nbob,wordcount,0.3,oral\n");
    assert!(rows.len() == 2 && rows[1].starts_with("ann,0.5,0.5,"), "{rows:?}\n{}", run.all());
    let told = "note: changes.csv: overrides for wordcount, which this run does not judge, wait for a run that does";
    assert_eq!(run.status(0).stderr.matches(told).count(), 1, "{}", run.all());
    let (run, _) = judge("ann,essay,0.2,oral\n");
    run.status(2).says("no problem is called `essay`").says("name one of gaps, wordcount");
    // A folder of one exercise knows the others, too.
    workspace.file("changes.csv", "id,problem,points,reason\nann,wordcount,0.2,oral\n");
    let args = ["judge", "../../class", "--layout", "{student}/{problem}.*"];
    Call::any(&workspace.path("problems/gaps"), &args).run().status(0).says("overrides for wordcount");
}

#[apply(cli_test)]
fn an_exercise_without_submissions_is_named() {
    let workspace = course();
    workspace.file("class/ann/gaps.sh", SUM);
    let (run, _) = gradebook(&workspace, &["class", "--layout", "{student}/{problem}.*"]);
    run.says("nobody submitted anything for wordcount: the maximum of the total is that of the other exercises");
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
    for list in [
        "id,Name,Rolle\nann,Ann Lee,Kursmitglied\nx,X,Kurstutor\ny,Y,Kursadministrator\n",
        "id,name,role\nann,Ann Lee,student\nx,X,teacher\n",
    ] {
        workspace.file("roster.csv", list);
        let (run, rows) = gradebook(&workspace, &args);
        assert!(rows.len() == 2 && rows[1].starts_with("ann,"), "{rows:?}\n{}", run.all());
    }
}

/// What people decide is in every report that has grades, with the reason, and so is lateness.
#[apply(cli_test)]
fn changed_grades_are_in_every_report() {
    let workspace = course();
    workspace
        .file("one/ann/gaps.sh", WRONG)
        .file("changes.csv", "id,problem,points,reason\nann,gaps,0.8,appeal\nbob,gaps,+1,oral\n");
    workspace.file("roster.csv", "id,submitted\nann,2026-02-01T10:00\nbob,\n");
    let kinds = ["gradescope=g.json", "classroom50=c.json", "artemis=artemis", "markdown=m.md"];
    let reports: Vec<&str> = kinds.iter().flat_map(|kind| ["--report", kind]).collect();
    let args =
        ["judge", "-p", "gaps", "one", "--layout", "{student}/{problem}.*", "--roster", "roster.csv", "--exit-zero"];
    let rules = ["--deadline", "2026-01-31T23:59", "--late", "10 % a day", "--overrides", "changes.csv"];
    let call = Call::any(workspace.path("").as_path(), &[&args[..], &rules, &reports].concat());
    let variables = ["CLASSROOM", "ASSIGNMENT", "OWNER", "SUBMISSION_TAG", "COMMIT_URL", "RELEASE_URL"];
    variables.iter().fold(call, |call, name| call.env(name, "x")).run().status(0);
    let note = "gaps: manual: 0.8, was 0: appeal";
    let json = |file: &str| serde_json::from_str::<serde_json::Value>(&workspace.read(file)).unwrap();
    let gradescope = json("g.json");
    assert_eq!(gradescope["score"].as_f64(), Some(0.8), "the rows of others change nothing: {gradescope}");
    let output = gradescope["output"].as_str().unwrap();
    assert!(output.contains(note) && output.contains("(10 % a day): 0 of 0 points count"), "{output}");
    let classroom = json("c.json");
    assert_eq!(classroom["score"].as_u64(), Some(80));
    assert!(classroom["tests"][0]["output"].as_str().unwrap().contains(note), "{classroom}");
    let artemis = json("artemis/1.json");
    assert!(artemis["name"] == "note" && artemis["message"].as_str().unwrap().contains(note), "{artemis}");
    let markdown = workspace.read("m.md");
    for part in [
        "| 0.8 of 1, late by 10 h 1 min |",
        "- `ann`: `gaps: manual: 0.8, was 0: appeal`",
        "- `bob`: `gaps: manual: +1: oral`",
    ] {
        assert!(markdown.contains(part), "{part}: {markdown}");
    }
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
    // The same run once more says it again.
    workspace.file("class/cy/gaps.docx", "text");
    judged("gaps").shows("ann: no points: gaps WA, gaps: 0 points, 1 on").shows("cy: gaps: no program");
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
