//! Classes as they come: untidy names, exports of platforms, rosters, notebooks, programs of several files. Each row is
//! compared with what a fair person would say.

use std::collections::BTreeMap;
use std::os::unix::fs::symlink;
use std::path::Path;

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::cli::need::Need;
use crate::cli::run::{Call, Run};
use crate::cli::workspace::{SUM, Workspace};

const WRONG: &str = "read a b\necho $((a - b))\n";

/// The problems `gaps` and `wordcount`, both about a sum.
fn class() -> Workspace {
    let workspace = Workspace::new();
    for problem in ["gaps", "wordcount"] {
        let problem = workspace.problem(problem).case("sample/1", "1 2\n", "3\n").case("secret/1", "4 4\n", "8\n");
        problem.submission("accepted/sum.sh", SUM);
    }
    workspace
}

/// Runs `grader judge`, and returns the rows of the gradebook without what it says about the run and about persons.
pub(crate) fn gradebook(workspace: &Workspace, args: &[&str]) -> (Run, Vec<String>) {
    let args = [&["judge"], args, &["--exit-zero", "--report", "gradebook=-", "--out", "results"]].concat();
    let run = workspace.grader(&args);
    let rows = of_columns(&run.stdout, |heading| !["name", "id", "group", "grading", "isolation"].contains(&heading));
    (run, rows)
}

/// Some columns of a gradebook, separated by commas.
fn of_columns(gradebook: &str, wanted: impl Fn(&str) -> bool) -> Vec<String> {
    let head: Vec<&str> = gradebook.lines().next().unwrap_or_default().split(',').collect();
    let row = |line: &str| {
        let cells = line.split(',').zip(&head).filter(|(_, heading)| wanted(heading)).map(|(cell, _)| cell);
        cells.collect::<Vec<_>>().join(",")
    };
    gradebook.lines().map(row).collect()
}

/// Who is who in a gradebook.
fn persons(gradebook: &str) -> Vec<String> {
    of_columns(gradebook, |heading| ["student", "name", "id", "group"].contains(&heading))
}

/// The files of an archive.
fn unzipped(archive: &Path) -> BTreeMap<String, String> {
    let mut archive = zip::ZipArchive::new(std::fs::File::open(archive).unwrap()).unwrap();
    let count = archive.len();
    let file = |at: usize| {
        let file = archive.by_index(at).unwrap();
        (file.name().unwrap().into_owned(), std::io::read_to_string(file).unwrap())
    };
    (0..count).map(file).collect()
}

#[expect(clippy::disallowed_methods, reason = "a tool that makes what is tested")]
pub(crate) fn zip(dir: &Path, archive: &Path) {
    let done = std::process::Command::new("zip").args(["-q", "-r"]).arg(archive).arg(".").current_dir(dir).status();
    assert!(done.unwrap().success());
}

/// What one student submitted, and the row: gaps, wordcount, total, and both verdicts.
type Student = (&'static str, &'static [(&'static str, &'static str)], &'static str);

const UNTIDY: [Student; 27] = [
    ("tidy", &[("gaps.sh", SUM), ("wordcount.sh", SUM)], "1,1,2,AC,AC"),
    ("wrong", &[("gaps.sh", WRONG), ("wordcount.sh", SUM)], "0,1,1,WA,AC"),
    ("half", &[("gaps.sh", SUM)], "1,,1,AC,"),
    ("shouting", &[("GAPS.SH", SUM), ("WordCount.sh", SUM)], "1,1,2,AC,AC"),
    ("spaces", &[("Gaps .sh", SUM), ("word count.sh", SUM)], "1,1,2,AC,AC"),
    ("final", &[("gaps_final.sh", SUM), ("wordcount-FINAL (2).sh", SUM)], "1,1,2,AC,AC"),
    ("browser", &[("gaps (1).sh", SUM)], "1,,1,AC,"),
    ("versions", &[("gaps2.sh", SUM), ("wordcount_v3.sh", SUM)], "1,1,2,AC,AC"),
    ("double", &[("gaps.sh", SUM), ("gaps (1).sh", SUM)], "1,,1,AC,"),
    ("undecided", &[("gaps.sh", WRONG), ("gaps_final.sh", SUM)], ",,,ambiguous,"),
    ("languages", &[("gaps.sh", SUM), ("gaps.py", "print(3)\n"), ("wordcount.sh", SUM)], ",1,,ambiguous,AC"),
    ("folder", &[("HW1/gaps.sh", SUM), ("HW1/wordcount.sh", WRONG)], "1,0,1,AC,WA"),
    ("deep", &[("a/b/c/gaps.sh", SUM), ("wordcount.sh", SUM)], "1,1,2,AC,AC"),
    ("folders", &[("gaps/main.sh", SUM), ("wordcount/solve.sh", SUM)], "1,1,2,AC,AC"),
    ("twofolders", &[("HW1/gaps.sh", WRONG), ("HW2/gaps.sh", SUM)], ",,,ambiguous,"),
    ("word", &[("gaps.sh", SUM), ("wordcount.docx", "PK")], "1,,,AC,no program"),
    ("onlyword", &[("homework.docx", "PK")], ",,,no such problem,no such problem"),
    ("mystery", &[("gaps.sh", SUM), ("program.sh", SUM)], "1,,,AC,no such problem"),
    ("extra", &[("gaps.sh", SUM), ("wordcount.sh", SUM), ("old.sh", WRONG)], "1,1,2,AC,AC"),
    ("readme", &[("gaps.sh", SUM), ("README.md", "mine")], "1,,1,AC,"),
    ("onlyreadme", &[("README.md", "mine")], ",,,no such problem,no such problem"),
    ("notes", &[("deep/notes.txt", "x")], ",,,no such problem,no such problem"),
    ("helper", &[("gaps.sh", ". \"${0%/*}/add.sh\"\n"), ("add.sh", SUM)], "1,,1,AC,"),
    ("beside", &[("gaps.sh", SUM), ("gaps.txt", "notes about it")], "1,,1,AC,"),
    ("textfile", &[("gaps.sh.txt", SUM)], ",,,no program,"),
    ("wrapped", &[("abgabe/src/Gaps.sh", SUM), ("abgabe/src/wordcount.sh", SUM)], "1,1,2,AC,AC"),
    ("mac", &[("__MACOSX/gaps.sh", "x"), ("gaps.sh", SUM)], "1,,1,AC,"),
];

#[apply(cli_test)]
#[needs(&[Need::Tool("zip")])]
fn an_untidy_class() {
    let workspace = class();
    for (student, files, _) in UNTIDY {
        for (name, text) in files {
            let dir = if student == "wrapped" { "packed" } else { "class" };
            workspace.file(format!("{dir}/{student}/{name}"), text);
        }
    }
    // Three more: an archive, links alone, and a link in place of a folder.
    std::fs::create_dir_all(workspace.path("class/wrapped")).unwrap();
    zip(&workspace.path("packed/wrapped/abgabe"), &workspace.path("class/wrapped/abgabe.zip"));
    std::fs::create_dir(workspace.path("class/link")).unwrap();
    symlink("/etc/passwd", workspace.path("class/link/gaps.sh")).unwrap();
    symlink("/etc", workspace.path("class/linked")).unwrap();
    workspace.file("class/broken/gaps.zip", "no archive");
    let expected: Vec<(&str, &str)> = UNTIDY
        .iter()
        .map(|(student, _, row)| (*student, *row))
        .chain([("link", ",,,link,"), ("linked", ",,,link,link"), ("broken", ",,,archive refused,")])
        .collect();
    let (run, rows) = gradebook(&workspace, &["class", "--layout", "{student}/{problem}.*"]);
    run.status(2);
    assert_eq!(rows.len(), 31, "{rows:#?}");
    for (student, row) in expected {
        assert!(rows.contains(&format!("{student},{row}")), "{student},{row}\n{rows:#?}\n{}", run.stderr);
        // Each has a text.
        assert!(std::fs::read_dir(workspace.path(format!("results/students/{student}"))).unwrap().next().is_some());
    }
    // The notice is one, and what stays unclear is listed.
    assert_eq!(run.stderr.matches("names are not exact").count(), 1, "{}", run.stderr);
    run.says("`spaces/word count.sh` as wordcount").says("no problem is called `program`");
    run.says("`undecided` submitted 2 for one problem: class/undecided/gaps.sh, class/undecided/gaps_final.sh");
    let text = |path: &str| workspace.read(format!("results/students/{path}"));
    assert!(text("word/wordcount.txt").contains("We received wordcount.docx. Submit a .sh file."));
    let told = "We received homework.docx. Submit a .sh file with the name gaps.sh or wordcount.sh.";
    assert!(text("onlyword/not judged.txt").contains(told));
    assert!(text("undecided/gaps.txt").contains("gaps.sh, gaps_final.sh. Submit only one."));
    assert!(text("link/gaps.txt").contains("Submit the file itself."));
    assert!(text("helper/gaps.txt").contains("note: ran gaps.sh with add.sh"));
    assert!(!workspace.path("results/students/readme/not judged.txt").exists());
    // The same by a layout with stars.
    let (_, starred) = gradebook(&workspace, &["class", "--layout", "{student}/{problem}*.*"]);
    assert_eq!(starred, rows);
}

#[apply(cli_test)]
fn a_star_beside_the_problem_does_not_cut_its_name() {
    let workspace = class();
    workspace.sum("g");
    workspace.file("class/ann/gaps_ann.sh", SUM).file("class/bob/g_bob.sh", SUM).file("class/cy/gapless.sh", SUM);
    let (run, rows) = gradebook(&workspace, &["class", "--layout", "{student}/{problem}*.*"]);
    run.status(2).hides("-0");
    assert_eq!(rows[1..], ["ann,,1,1,,AC", "bob,1,,1,AC,", "cy,,,,no such problem,no such problem"], "{}", run.all());
    run.says("no problem is called `gapless`");
    let (_, rows) = gradebook(&workspace, &["class", "--layout", "{student}/*{problem}*.sh"]);
    assert_eq!(rows[1..], ["ann,,1,1,,AC", "bob,1,,1,AC,", "cy,,,,no such problem,no such problem"]);
}

#[apply(cli_test)]
fn a_folder_around_the_class_is_not_guessed() {
    let workspace = class();
    workspace.file("all/class/ann/gaps.sh", SUM).file("all/class/bob/gaps.sh", SUM);
    let run = workspace.grader(&["judge", "all", "--layout", "{student}/{problem}.*"]);
    run.status(2).says("nothing matches the layout").says("begin the layout with `*/`");
    let (run, rows) = gradebook(&workspace, &["all", "--layout", "*/{student}/{problem}.*"]);
    run.status(0);
    assert_eq!(rows[1..], ["ann,1,1,AC", "bob,1,1,AC"]);
    // The student in the name of the file: folders around it do not matter.
    workspace.file("flat/ann_gaps.sh", SUM).file("flat/late/bob_gaps.sh", SUM);
    workspace.file("flat/cy_gaps.sh", ". \"${0%/*}/ann_gaps.sh\"\n");
    let (run, rows) = gradebook(&workspace, &["flat", "--layout", "{student}_{problem}.sh"]);
    // Nobody's program takes the file of somebody else.
    run.says("`late/bob_gaps.sh` as gaps");
    assert_eq!(rows[1..], ["ann,1,1,AC", "bob,1,1,AC", "cy,0,0,RTE"]);
}

#[apply(cli_test)]
fn files_for_another_problem_are_no_misspellings() {
    let workspace = class();
    workspace.file("class/ann/gaps.sh", SUM).file("class/ann/wordcount.sh", WRONG).file("class/bob/wordcount.sh", SUM);
    workspace.file("class/cy/gasp.sh", SUM);
    let (_, rows) = gradebook(&workspace, &["-p", "gaps", "class", "--layout", "{student}/{problem}.*"]);
    assert_eq!(rows[1..], ["ann,1,1,AC", "cy,,,no such problem"]);
}

#[apply(cli_test)]
#[needs(&[Need::Tool("zip")])]
fn an_export_of_moodle() {
    let workspace = class();
    let file = |student: &str, name: &str, text: &str| {
        workspace.file(format!("moodle/{student}_assignsubmission_file_/{name}"), text);
    };
    file("Ann Lee_11", "gaps.sh", SUM);
    file("Ann Lee_12", "my solution.sh", WRONG);
    file("Bo Fox_13", "gaps.docx", "PK");
    file("Cy Ray_14", "gaps.sh", ". \"${0%/*}/lib.sh\"\n");
    file("Cy Ray_14", "lib.sh", SUM);
    file("Dee Oh_15", "gaps.sh", SUM);
    file("Dee Oh_15", "old.sh", WRONG);
    file("Eve Ng_16", "one.sh", SUM);
    file("Eve Ng_16", "two.sh", WRONG);
    file("Fay Wu_17", "src/gaps.sh", SUM);
    workspace.file("moodle/Gil Po_18_assignsubmission_onlinetext_/onlinetext.html", "<p>read a b");
    file("Hal Xu_19", "gaps.sh", SUM);
    workspace.file("moodle/Hal Xu_19_assignsubmission_onlinetext_/onlinetext.html", "<p>please look at it");
    zip(&workspace.path("moodle"), &workspace.path("moodle.zip"));
    let expect = [
        "Ann Lee_11,1,1,AC",
        "Ann Lee_12,0,0,WA",
        "Bo Fox_13,,,no program",
        "Cy Ray_14,1,1,AC",
        "Dee Oh_15,1,1,AC",
        "Eve Ng_16,,,ambiguous",
        "Fay Wu_17,1,1,AC",
        "Gil Po_18,,,no file",
        "Hal Xu_19,1,1,AC",
    ];
    for path in ["moodle", "moodle.zip"] {
        let (run, rows) = gradebook(&workspace, &["gaps", path]);
        assert_eq!(rows[1..], expect, "{}", run.all());
        run.says("contains several programs: one.sh, two.sh").says("grader judges gaps.sh and not old.sh");
        assert_eq!(persons(&run.stdout)[..2], ["student,name,id", "Ann Lee_11,Ann Lee,11"]);
        run.says("feedback for Moodle: results/moodle-feedback.zip");
        // What Moodle takes back: a file for each student, found by the number.
        let feedback = unzipped(&workspace.path("results/moodle-feedback.zip"));
        let names: Vec<&str> = feedback.keys().map(String::as_str).collect();
        let expect = [
            "Ann Lee_11",
            "Ann Lee_12",
            "Bo Fox_13",
            "Cy Ray_14",
            "Dee Oh_15",
            "Eve Ng_16",
            "Fay Wu_17",
            "Gil Po_18",
            "Hal Xu_19",
        ];
        assert_eq!(names, expect.map(|student| format!("{student}_assignfeedback_file_gaps.txt")));
        for (name, text) in &feedback {
            let student = name.strip_suffix("_assignfeedback_file_gaps.txt").unwrap();
            assert_eq!(*text, workspace.read(format!("results/students/{student}/gaps.txt")));
        }
    }
    // Another assignment with the same folder: its texts only.
    let other = workspace.path("other/Ann Lee_11_assignsubmission_file_/solution.sh");
    std::fs::create_dir_all(other.parent().unwrap()).unwrap();
    std::fs::write(&other, SUM).unwrap();
    gradebook(&workspace, &["wordcount", "other"]);
    let feedback = unzipped(&workspace.path("results/moodle-feedback.zip"));
    assert_eq!(feedback.into_keys().collect::<Vec<_>>(), ["Ann Lee_11_assignfeedback_file_wordcount.txt"]);
}

#[apply(cli_test)]
fn an_archive_of_a_class_has_a_bound() {
    let workspace = class();
    let empty = |count: usize| {
        let mut zip = zip::ZipWriter::new(std::fs::File::create(workspace.path("class.zip")).unwrap());
        let stored = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
        for number in 0..count {
            zip.start_file(format!("{number}"), stored).unwrap();
        }
        zip.finish().unwrap();
    };
    let judge = || workspace.grader(&["judge", "class.zip", "--layout", "{student}/{problem}.*"]);
    // The bound that docs/judging.md states.
    empty(200_001);
    judge().status(2).says("class.zip").says("200001 entries; grader unpacks at most 200000");
    empty(1000);
    judge().status(2).hides("grader unpacks at most").says("outside of the layout");
}

#[apply(cli_test)]
fn an_export_of_canvas() {
    let workspace = class();
    workspace
        .file("canvas/leeann_11_900_gaps.sh", SUM)
        .file("canvas/foxbo_LATE_12_901_gaps-1.sh", WRONG)
        .file("canvas/rayc_13_902_gaps.sh", ". \"${0%/*}/lib.sh\"\n")
        .file("canvas/rayc_13_903_lib.sh", SUM)
        .file("canvas/ohdee_14_904_essay.pdf", "%PDF")
        .file("canvas/ngeve_15_905_one.sh", SUM)
        .file("canvas/ngeve_15_906_two.sh", WRONG);
    let (run, rows) = gradebook(&workspace, &["gaps", "canvas"]);
    let expect =
        ["foxbo_12,0,0,WA", "leeann_11,1,1,AC", "ngeve_15,,,ambiguous", "ohdee_14,,,no program", "rayc_13,1,1,AC"];
    assert_eq!(rows[1..], expect, "{}", run.all());
    assert!(workspace.read("results/students/ohdee_14/gaps.txt").contains("We received essay.pdf."), "{}", run.all());
    assert_eq!(persons(&run.stdout)[..2], ["student,name,id", "foxbo_12,foxbo,12"]);
    assert!(!workspace.path("results/moodle-feedback.zip").exists());
}

#[apply(cli_test)]
#[needs(&[Need::Tool("zip")])]
fn an_export_of_ilias() {
    let workspace = class();
    let file = |student: &str, name: &str, text: &str| {
        workspace.file(format!("ilias/Exercise_7/Submissions/{student}/{name}"), text);
    };
    file("Lee_Ann_lee_331", "20260101120000_gaps.sh", SUM);
    file("Fox_Bo_fox_332", "gaps.odt", "PK");
    file("Ray_Cy_ray_333", "gaps.sh", ". \"${0%/*}/lib.sh\"\n");
    file("Ray_Cy_ray_333", "lib.sh", SUM);
    file("Oh_Dee_oh_334", "a.sh", SUM);
    file("Oh_Dee_oh_334", "b.sh", WRONG);
    zip(&workspace.path("ilias"), &workspace.path("ilias.zip"));
    workspace.file("roster.csv", "id,name\nlee,Ann Lee\nfox,Bo Fox\nray,Cy Ray\noh,Dee Oh\nwu,Fay Wu\n");
    let args = ["gaps", "ilias.zip", "--layout", "ilias", "--roster", "roster.csv"];
    let (run, rows) = gradebook(&workspace, &args);
    let expect =
        ["Ann Lee_lee,1,1,AC", "Bo Fox_fox,,,no program", "Cy Ray_ray,1,1,AC", "Dee Oh_oh,,,ambiguous", "wu,,0,"];
    assert_eq!(rows[1..], expect, "{}", run.all());
    let known = persons(&run.stdout);
    assert_eq!((&*known[1], &*known[5]), ("Ann Lee_lee,Ann Lee,lee", "wu,Fay Wu,wu"));
    let (run, _) = gradebook(&workspace, &["gaps", "ilias.zip", "--layout", "ilias"]);
    assert_eq!(persons(&run.stdout)[1], "Ann Lee_lee,Ann Lee,lee");
}

#[apply(cli_test)]
fn a_roster_adds_students_and_time() {
    let workspace = class();
    for student in ["Ann", "bob", "cy"] {
        workspace.file(format!("class/{student}/gaps.sh"), SUM);
    }
    let roster = "\u{feff}ID;Name;Group;Extra time;Submitted\nann;Ann Lee;a;50%;2026-01-31T23:59:00+01:00\nbob;;;;\n\
        cy;;;1,5;\ndee;Dee;b;;\n";
    workspace.file("roster.csv", roster);
    let args = ["judge", "class", "--layout", "{student}/{problem}.*", "--roster", "roster.csv", "--out", "results"];
    let reports = ["--report", "gradebook=g.csv", "--report", "csv=r.csv", "--report", "junit=j.xml"];
    let run =
        Call::recorded(&workspace.path(""), &[&args[..], &reports, &["--report", "markdown=m.md"]].concat()).run();
    run.status(0).shows("dee").shows("JUDGED  4 students");
    let gradebook = workspace.read("g.csv");
    assert!(gradebook.contains("\nAnn,Ann Lee,ann,a,1,1,AC,"), "{gradebook}");
    assert!(gradebook.contains("\ndee,Dee,dee,b,,0,,"), "{gradebook}");
    assert!(workspace.read("r.csv").contains(",,dee,,not submitted,"));
    assert!(workspace.read("j.xml").contains("<testcase name=\"dee\" classname=\"grader.not submitted\">"));
    assert!(workspace.read("m.md").contains("| `dee` |"), "{}", workspace.read("m.md"));
    assert!(workspace.read("results/students/dee/not judged.txt").contains("We received no submission."));
    // Extra time multiplies the time limit, also of what is identical.
    let limit = |student: &str| {
        let is_of = |event: &&Value| event["of"]["submission"] == format!("{student}/gaps.sh");
        run.of("built").find(is_of).unwrap()["result"]["time_limit"].as_f64().unwrap()
    };
    assert_eq!((limit("Ann"), limit("bob"), limit("cy")), (3.0, 2.0, 3.0), "{}", run.all());
    run.shows("3 identical: Ann (Ann Lee), bob, cy");
    let roster = &run.events[0]["roster"];
    assert_eq!(roster[0]["student"], "Ann");
    assert_eq!((&roster[0]["id"], &roster[0]["submitted"]), (&json!("ann"), &json!("2026-01-31T23:59:00+01:00")));
    // Other time limits, another result.
    workspace.file("roster.csv", "id,extra_time\nAnn,\nbob,\ncy,1.5\ndee,\n");
    workspace.grader(&args).status(0).shows("2 from an earlier run");
}

#[apply(cli_test)]
fn lateness_needs_a_deadline_and_times() {
    let workspace = class();
    workspace.file("class/ann/gaps.sh", SUM).file("class/bob/gaps.sh", SUM).file("class/cy/gaps.sh", SUM);
    let roster = "id,submitted\nann,2026-01-31T23:59:00+01:00\nbob,2026-02-01T01:00:01+01:00\ncy,\ndee,\n";
    workspace.file("roster.csv", roster).file("plain.csv", "id\nann\nbob\ncy\n");
    let judge = |args: &[&str]| {
        let common = ["judge", "class", "--layout", "{student}/{problem}.*", "--report", "gradebook=-"];
        workspace.grader(&[&common[..], args].concat())
    };
    let run = judge(&["--roster", "roster.csv", "--deadline", "2026-01-31T23:59:00Z"]);
    let late = of_columns(&run.status(0).stdout, |heading| ["student", "submitted", "minutes late"].contains(&heading));
    let expect = [
        "student,submitted,minutes late",
        "ann,2026-01-31T23:59:00+01:00,0",
        "bob,2026-02-01T01:00:01+01:00,2",
        "cy,,",
        "dee,,",
    ];
    assert_eq!(late, expect);
    // The grade is what it was: what late means for it is the teacher's decision.
    assert_eq!(of_columns(&run.stdout, |heading| heading == "total"), ["total", "1", "1", "1", "0"]);
    // A stored run says the same.
    let again = workspace.grader(&["report", "last", "--report", "gradebook=-"]);
    assert_eq!(again.status(0).stdout, run.stdout);
    let none = judge(&["--roster", "roster.csv"]);
    assert!(!none.status(0).stdout.lines().next().unwrap().contains("late"), "{}", none.all());
    let run = judge(&["--roster", "plain.csv", "--deadline", "2026-01-31"]);
    run.status(2).says("neither the export nor a roster states any").says("a column `submitted`").hides("JUDGED");
    run.says("times without an offset, are of the time zone");
    judge(&["--roster", "roster.csv", "--deadline", "tomorrow"]).status(2).says("tomorrow is not a time");
}

#[apply(cli_test)]
fn nobody_gets_a_zero_who_may_have_submitted() {
    let workspace = class();
    workspace.file("class/Bobby/gaps.sh", SUM).file("class/ann/gaps.sh", SUM);
    workspace.file("roster.csv", "id,name\nann,Ann Lee\nb7,Robert Fox\ncy,Cy\n");
    let args = ["class", "--layout", "{student}/{problem}.*", "--roster", "roster.csv"];
    let (run, rows) = gradebook(&workspace, &args);
    run.status(2).says("roster.csv: not in it: Bobby");
    assert_eq!(rows[1..], ["Bobby,1,1,AC", "ann,1,1,AC", "b7,,,not identified", "cy,,,not identified"]);
    // Known by name, all are known.
    workspace.file("roster.csv", "id,name\nann,Ann Lee\nb7,Bobby\ncy,Cy\n");
    let (run, rows) = gradebook(&workspace, &args);
    run.status(0);
    assert_eq!(rows[1..], ["Bobby,1,1,AC", "ann,1,1,AC", "cy,,0,"]);
    // Two of the same name are not told apart.
    workspace.file("roster.csv", "id,name\nann,Ann Lee\nb7,Bobby\nb8,Bobby\n");
    let (run, rows) = gradebook(&workspace, &args);
    run.status(2).says("have these names: Bobby");
    assert_eq!(rows[1..], ["Bobby,1,1,AC", "ann,1,1,AC", "b7,,,not identified", "b8,,,not identified"]);
}

#[apply(cli_test)]
fn mistakes_in_a_roster() {
    let workspace = class();
    workspace.file("class/ann/gaps.sh", SUM);
    workspace.file("roster.csv", "id,extra_time,submitted\nann,50,\n,1.5,\nann,,\nbob,,soon\n");
    let with = |file: &str| {
        let args = ["judge", "class", "--layout", "{student}/{problem}.*", "--roster", file];
        workspace.grader(&args)
    };
    let run = with("roster.csv");
    run.status(2).hides("JUDGED");
    run.says("roster.csv: line 2").says("extra time `50` is no factor between 1 and 10").says("write 1.5 or 50%");
    run.says("line 3").says("has no id").says("line 4").says("the id `ann` is already in line 2");
    run.says("line 5").says("`soon` is not a time");
    with("none.csv").status(2).says("none.csv");
    workspace.file("latin.csv", b"id,name\nann,\xc4nne\n");
    with("latin.csv").status(2).says("is not UTF-8").says("line 2");
    workspace.file("other.csv", "name,points\nann,3\n");
    with("other.csv").status(2).says("has no column `id`");
}

#[apply(cli_test)]
fn texts_follow_what_was_submitted_last() {
    let workspace = class();
    let args = ["-p", "gaps", "class", "--layout", "{student}/{problem}.*"];
    let text = || workspace.read("results/students/ann/gaps.txt");
    workspace.file("class/ann/gaps.sh", SUM);
    gradebook(&workspace, &args);
    assert!(text().starts_with("gaps: accepted"));
    workspace.file("class/ann/gaps_final.sh", WRONG);
    gradebook(&workspace, &args);
    assert!(text().starts_with("gaps: not judged") && !workspace.path("results/staff/ann/gaps.json").exists());
    std::fs::remove_file(workspace.path("class/ann/gaps_final.sh")).unwrap();
    gradebook(&workspace, &args);
    assert!(text().starts_with("gaps: accepted"));
    std::fs::rename(workspace.path("class/ann/gaps.sh"), workspace.path("class/ann/odd.sh")).unwrap();
    gradebook(&workspace, &args);
    let unmatched = workspace.path("results/students/ann/not judged.txt");
    assert!(unmatched.exists());
    std::fs::rename(workspace.path("class/ann/odd.sh"), workspace.path("class/ann/gaps.sh")).unwrap();
    gradebook(&workspace, &args);
    assert!(!unmatched.exists());
}

fn notebook(cells: &[&str]) -> String {
    let cells: Vec<Value> = cells.iter().map(|text| json!({"cell_type": "code", "source": text})).collect();
    json!({"nbformat": 4, "metadata": {"language_info": {"name": "python"}}, "cells": cells}).to_string()
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn notebooks_are_programs() {
    let workspace = class();
    let cells = ["%matplotlib inline\nimport helper", "!pip install numpy\nprint(helper.add())"];
    let r = json!({"metadata": {"language_info": {"name": "R"}}, "cells": []}).to_string();
    workspace
        .file("class/ann/gaps.ipynb", notebook(&cells))
        .file("class/ann/helper.py", "def add():\n    return sum(map(int, input().split()))\n")
        .file("class/bob/gaps.ipynb", "{")
        .file("class/cy/gaps.ipynb", r)
        .file("class/dee/gaps.ipynb", notebook(&["print(3)"]))
        .file("class/dee/gaps.py", "print(8)\n");
    let (run, rows) = gradebook(&workspace, &["class", "--layout", "{student}/{problem}.py"]);
    run.status(2).says("dropped, because only Jupyter understands it: `%matplotlib inline`, `!pip install numpy`");
    run.says("is not a readable notebook").says("is a notebook for R, not for Python");
    let expect = ["ann,1,1,AC", "bob,,,no program", "cy,,,no program", "dee,,,ambiguous"];
    assert_eq!(rows[1..], expect, "{}", run.all());
    let text = workspace.read("results/students/ann/gaps.txt");
    assert!(text.contains("note: ran gaps.ipynb with helper.py") && text.contains("`!pip install numpy`"), "{text}");
    assert!(workspace.read("results/students/cy/gaps.txt").contains("We received gaps.ipynb. Submit a .py file."));
}

#[apply(cli_test)]
fn several_files_are_one_program() {
    let workspace = class();
    let loads = |name: &str| format!(". \"${{0%/*}}/{name}\"\n");
    workspace.file("one/gaps.sh", loads("lib.sh")).file("one/lib.sh", SUM);
    workspace.file("two/a.sh", SUM).file("two/b.sh", WRONG);
    // One program must not take another, which may be of somebody else.
    workspace.file("thief/ann.sh", SUM).file("thief/bob.sh", loads("ann.sh"));
    let judge = |dir: &str| Call::recorded(&workspace.path(""), &["judge", "gaps", dir]).run();
    judge("one").status(0).ends("one/gaps.sh", "AC", "met").shows("1 AC");
    judge("two").status(1).ends("two/a.sh", "AC", "met").ends("two/b.sh", "WA", "met");
    judge("thief").status(1).ends("thief/ann.sh", "AC", "met").ends("thief/bob.sh", "RTE", "met");
    // The folder of a student.
    workspace.file("class/ann/solve.sh", loads("lib.sh")).file("class/ann/lib.sh", SUM);
    workspace.file("class/bob/gaps.sh", SUM).file("class/bob/try.sh", WRONG);
    let run = Call::recorded(&workspace.path(""), &["judge", "gaps", "class", "--layout", "{student}"]).run();
    run.status(0).says("grader judges gaps.sh and not try.sh");
    run.ends("ann/ann/solve.sh", "AC", "met").ends("bob/bob/gaps.sh", "AC", "met");
}

#[apply(cli_test)]
fn a_solver_of_several_files() {
    let workspace = Workspace::bare();
    workspace.file("1.in", "1 2\n").file("1.ans", "3\n");
    workspace.file("main.sh", ". \"${0%/*}/lib.sh\"\n").file("lib.sh", SUM).file("other.sh", SUM);
    let run = workspace.run(&[]);
    run.status(0).ends("main.sh", "AC", "met").ends("other.sh", "AC", "met").hides("lib.sh");
    workspace.run(&["main.sh"]).status(0).ends("main.sh", "AC", "met").hides("other.sh");
    workspace.run(&["-s", "main.sh"]).status(0).ends("main.sh", "AC", "met");
}

#[apply(cli_test)]
fn the_script_for_gradescope() {
    let workspace = class();
    let script = include_str!("../../src/authoring/autograder/run_autograder");
    std::os::unix::fs::symlink(".", workspace.path("source")).unwrap();
    for folder in ["problems/wordcount", "testcases/wordcount"] {
        std::fs::remove_dir_all(workspace.path(folder)).unwrap();
    }
    std::fs::create_dir(workspace.path("results")).unwrap();
    let grade = |files: &[(&str, &str)]| -> Option<Value> {
        let dir = workspace.path("submission");
        // There is none the first time.
        let _ = std::fs::remove_dir_all(&dir);
        std::fs::create_dir(&dir).unwrap();
        for (name, text) in files {
            workspace.file(format!("submission/{name}"), text);
        }
        // There is none the first time.
        let _ = std::fs::remove_file(workspace.path("results/results.json"));
        let run = Call::typed(&workspace.path(""), script).env("AUTOGRADER", workspace.path("")).run();
        let results = std::fs::read_to_string(workspace.path("results/results.json")).ok();
        run.status(i32::from(results.is_none()));
        results.map(|text| serde_json::from_str(&text).unwrap())
    };
    let loads = ". \"${0%/*}/lib.sh\"\n";
    assert_eq!(grade(&[("gaps.sh", loads), ("lib.sh", SUM)]).unwrap()["score"], 1.0);
    assert_eq!(grade(&[("gaps.sh", WRONG)]).unwrap()["score"], 0.0);
    let received = |files: &[(&str, &str)]| grade(files).unwrap()["tests"][0]["output"].as_str().unwrap().to_owned();
    assert!(received(&[("gaps.docx", "PK")]).starts_with("We received gaps.docx. Submit a"));
    assert!(received(&[]).starts_with("We received no file. Submit a"));
    // What only the staff can mend makes Gradescope tell them.
    workspace.file("problems/gaps/output_validator/validate.sh", "exit 1\n");
    assert!(grade(&[("gaps.sh", SUM)]).is_none());
}

#[apply(cli_test)]
fn names_and_groups_of_the_roster_are_shown_everywhere() {
    let workspace = class();
    workspace.file("class/a7/gaps.sh", WRONG).file("class/b8/gaps.sh", WRONG);
    workspace.file("roster.csv", "id,name,group\na7,Ann <Lee>,Mon\nb8,Bo Fox,Tue\nc9,Cy Ray,Tue\n");
    let args = ["judge", "class", "--layout", "{student}/{problem}.*", "--roster", "roster.csv", "--exit-zero"];
    let run = workspace.grader(&[&args[..], &["--report", "html=page.html"]].concat());
    run.status(0)
        .shows("student  name       group  gaps")
        .shows("a7       Ann <Lee>  Mon    WA")
        .shows("c9       Cy Ray     Tue");
    let rows = |page: &str| {
        ["Ann &#60;Lee&#62;", "Mon", "Bo Fox", "Tue"]
            .iter()
            .all(|known| page.contains(&format!("<td class=\"person\">{known}</td>")))
    };
    assert!(rows(&workspace.read("page.html")), "{}", workspace.read("page.html"));
    assert!(workspace.read("page.html").contains("a7 (Ann &#60;Lee&#62;), b8 (Bo Fox)"));
    assert!(workspace.read("page-students/a7.html").contains("<p>Ann &#60;Lee&#62; · group Mon</p>"));
    assert!(workspace.read("page-students/c9.html").contains("<p>Cy Ray · group Tue</p>"));
    // A stored run shows them too, and one of a version without names and groups is still shown.
    let stored = workspace.grader(&["report", "last"]);
    stored.status(0).shows("a7       Ann <Lee>  Mon    WA");
    workspace.grader(&["report", "last", "--report", "html=page.html"]);
    assert!(rows(&workspace.read("page.html")));
    workspace.grader(&["report", "last", "--report", "jsonl=old.jsonl"]);
    let old = workspace.read("old.jsonl");
    let old =
        old.replace(",\"name\":\"Bo Fox\",\"group\":\"Tue\"", "").replace(",\"name\":\"Cy Ray\",\"group\":\"Tue\"", "");
    workspace.file("old.jsonl", old.replace(",\"name\":\"Ann <Lee>\",\"group\":\"Mon\"", ""));
    workspace.grader(&["report", "old.jsonl"]).status(0).shows("student  gaps").hides("group").hides("Bo Fox");
}

#[apply(cli_test)]
fn feedback_lists_what_was_not_submitted_and_the_total() {
    let workspace = class();
    workspace.file("class/ann/gaps.sh", SUM).file("class/bob/gaps.sh", WRONG).file("class/bob/wordcount.docx", "PK");
    workspace.file("class/dee/wordcount.sh", SUM).file("roster.csv", "id\nann\nbob\ncy\ndee\n");
    let args = ["class", "--layout", "{student}/{problem}.*", "--roster", "roster.csv"];
    gradebook(&workspace, &args);
    let text = |student: &str| workspace.read(format!("results/students/{student}/all exercises.txt"));
    let of_ann = "gaps: accepted, 1 of 1 points\nwordcount: not submitted, 0 of 1 points\n\ntotal: 1 of 2\n";
    assert_eq!(text("ann"), of_ann);
    // What is not known yet is no zero.
    assert_eq!(
        text("bob"),
        "gaps: wrong answer, 0 of 1 points\nwordcount: no program, ? of 1 points\n\ntotal: ? of 2\n"
    );
    assert!(text("cy").ends_with("total: 0 of 2\n"), "{}", text("cy"));
    workspace.file("class/ann/wordcount.sh", SUM);
    gradebook(&workspace, &args);
    assert!(text("ann").ends_with("total: 2 of 2\n"), "{}", text("ann"));
}

#[apply(cli_test)]
fn a_sample_that_fails_with_all_points_is_a_notice() {
    let workspace = Workspace::new();
    let problem = workspace.problem("sum").case("sample/1", "1 2\n", "3\n").case("secret/1/1", "4 4\n", "8\n");
    problem.toml("type = \"scoring\"\n").submission("accepted/sum.sh", SUM);
    workspace.file("testcases/sum/secret/1/test_group.yaml", "max_score: 100\n");
    let special = "read a b\n[ $a = 1 ] && echo 4 || echo $((a + b))\n";
    workspace.file("class/ann/sum.sh", special).file("class/bob/sum.sh", SUM).file("class/cy/sum.sh", WRONG);
    let args = ["class", "--layout", "{student}/{problem}.*"];
    let (_, rows) = gradebook(&workspace, &args);
    assert_eq!(rows[1..], ["ann,100,100,WA", "bob,100,100,AC", "cy,0,0,WA"]);
    let has =
        |student: &str| workspace.read(format!("results/students/{student}/sum.txt")).contains("but a sample fails");
    assert!(has("ann") && !has("bob") && !has("cy"));
}

#[apply(cli_test)]
fn the_terminal_names_who_needs_help() {
    let workspace = Workspace::new();
    let problem = workspace.problem("sum").case("sample/1", "1 2\n", "3\n").case("secret/1", "4 4\n", "8\n");
    problem.case("secret/2", "5 4\n", "9\n").submission("accepted/sum.sh", SUM);
    let stuck = "read a b\n[ $a = 5 ] && echo 5 || echo $((a + b))\n";
    workspace.file("class/ann/sum.sh", SUM).file("class/bob/sum.sh", SUM).file("class/cy/sum.sh", stuck);
    workspace
        .file("class/dee/sum.sh", WRONG)
        .file("roster.csv", "id,name\nann,\nbob,\ncy,Cy Ray\ndee,\neve,Eve Po\nfay,\n");
    let args = ["judge", "class", "--layout", "{student}/{problem}.*", "--roster", "roster.csv", "--exit-zero"];
    let run = workspace.grader(&args);
    let of_cy = "  cy (Cy Ray): no points: sum WA, sum: only secret/2 fails\n";
    run.status(0)
        .shows(&format!("\nneeds help\n{of_cy}  dee: no points: sum WA\n  nothing submitted: eve (Eve Po), fay\n"));
    // Worse than in the last run.
    workspace.file("class/bob/sum.sh", WRONG);
    let run = workspace.grader(&args);
    run.status(0).shows("  bob: no points: sum WA, sum: 0 points, 1 on ");
    let shown = |run: &Run| {
        run.stdout.split("needs help\n").nth(1).map(|list| list.split("\n\n").next().unwrap().trim_end().to_owned())
    };
    // A stored run says the same.
    assert_eq!(shown(&workspace.grader(&["report", "last"])), shown(&run), "{}", run.all());
    workspace.grader(&[&args[..], &["-q"]].concat()).status(0).hides("needs help");
    // A long list is cut.
    for n in 0..12 {
        workspace.file(format!("class/x{n}/sum.sh"), format!("{WRONG}# {n}\n"));
    }
    let run = workspace.grader(&["judge", "class", "--layout", "{student}/{problem}.*", "--exit-zero"]);
    run.shows("\n  5 more students (-v)\n").hides("  x9: ");
    workspace
        .grader(&["judge", "class", "--layout", "{student}/{problem}.*", "--exit-zero", "-v"])
        .shows("  x9: no points");
}
