//! Exports of platforms with several exercises: which exercise a file is for, and what a total then says.

use macro_rules_attribute::apply;

use crate::cli::answers::zip;
use crate::cli::class_exports::{PEOPLE, SHAPES, WRONG, additions, course, dated, expect_grades};
use crate::cli::classes::gradebook;
use crate::cli::need::Need;
use crate::cli::workspace::SUM;

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

/// Files that only describe or build a program are no submissions where files name the exercises.
#[apply(cli_test)]
fn files_of_a_template_beside_programs_hide_no_total() {
    let workspace = course();
    for (student, number) in [("alee", 11), ("bfox", 12)] {
        workspace.file(format!("HW-{number}-{student}/pom.xml"), "<project/>");
        workspace.file(format!("HW-{number}-{student}/src/gaps.sh"), SUM);
    }
    workspace.file("HW-12-bfox/report.pdf", "%PDF");
    std::fs::create_dir(workspace.path("all")).unwrap();
    for dir in ["HW-11-alee", "HW-12-bfox"] {
        std::fs::rename(workspace.path(dir), workspace.path(format!("all/{dir}"))).unwrap();
    }
    let (run, rows) = gradebook(&workspace, &["all", "--layout", "artemis"]);
    assert_eq!(rows[1..], ["alee,1,1,AC", "bfox,1,1,AC"], "{}", run.all());
    run.hides("error:").says("report.pdf: is not a program, and no problem is called `report`");
}

/// What students have beside programs is no missing submission, and an archive or a text may be one.
#[apply(cli_test)]
fn additions_beside_programs_hide_no_total() {
    let workspace = course();
    let additions = [
        "data.csv",
        "a.out",
        "log.log",
        "Makefile",
        "LICENSE",
        "requirements.txt",
        "pyproject.toml",
        "video.mp4",
        "data.dat",
        "settings.yml",
        "test_gaps.sh",
        "tests/helper.sh",
    ];
    for (at, file) in additions.iter().enumerate() {
        workspace.file(format!("class/s{at:02}/gaps.sh"), SUM).file(format!("class/s{at:02}/{file}"), "text\n");
    }
    workspace.file("class/t0/gaps.sh", SUM).file("class/t0/essay.txt", SUM);
    workspace.file("class/t1/gaps.sh", SUM).file("class/t1/WordsTest.zip", zip(&[("x.sh", SUM), ("y.sh", SUM)]));
    workspace.file("class/t2/gaps.sh", SUM).file("class/t2/wordcount.sh", SUM).file("class/t3/test_gaps.sh", SUM);
    let (run, rows) = gradebook(&workspace, &["class", "--layout", "{student}/{problem}.*"]);
    for (at, file) in additions.iter().enumerate() {
        assert_eq!(rows[at + 1], format!("s{at:02},1,,1,AC,"), "{file}\n{}", run.all());
    }
    let last: Vec<&String> = rows[additions.len() + 1..].iter().collect();
    assert!(last[0].starts_with("t0,1,,,AC") && last[1].starts_with("t1,1,,,AC"), "{rows:?}\n{}", run.all());
    assert!(last[2].starts_with("t2,1,1,2,") && last[3].starts_with("t3,,,,"), "{rows:?}\n{}", run.all());
    run.says("test_gaps.sh: is a test by its name").says("--exercise 'test_gaps.sh=PROBLEM'");
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

#[apply(cli_test)]
fn old_versions_count_only_where_nothing_else_does() {
    let workspace = course();
    workspace
        .file("class/ann/gaps.sh", SUM)
        .file("class/ann/gaps_old.sh", WRONG)
        .file("class/ann/gaps - backup.sh", WRONG)
        .file("class/bo/gaps_old.sh", SUM);
    let (run, rows) =
        gradebook(&workspace, &["class", "--layout", "{student}/{problem}.*", "--exercise", "w.sh=wordcount"]);
    assert_eq!(rows[1], "ann,1,,1,AC,", "{}", run.all());
    assert_eq!(rows[2], "bo,1,,1,AC,", "{}", run.all());
    run.says("ann/gaps_old.sh: an old version of `gaps`; not judged");
    run.says("bo/gaps_old.sh: named like an old version of `gaps`, and there is no newer one, so it counts");
}

/// If an export is of several exercises, names say what is submitted for the only one that is judged.
#[apply(cli_test)]
fn one_exercise_of_an_export_of_several() {
    let workspace = course();
    for (student, files) in [
        ("Ann Lee_11", &["gaps.sh", "wordcount.sh"][..]),
        ("Bo Fox_12", &["gaps.docx", "wordcount.sh"]),
        ("Cy Ray_13", &["Word Count (1).sh", "wordcount_old.sh"]),
        ("Dee Dux_14", &["loesung.sh"]),
        ("Eve Roe_15", &["gaps/solution.sh", "wordcount/main.sh"]),
        ("Fay Kim_16", &["gaps.txt", "word_count.sh"]),
        ("Gus Ng_17", &["gaps.sh", "wordcount.sh", "notes.sh"]),
    ] {
        for file in files {
            let text = if file.to_lowercase().starts_with("word") { WRONG } else { SUM };
            workspace.file(format!("m/{student}_assignsubmission_file_/{file}"), text);
        }
    }
    let (run, all) = gradebook(&workspace, &["m", "--missing", "zero"]);
    let (gaps, others) = (1, 4);
    let of_all: Vec<(String, String)> = all[1..]
        .iter()
        .map(|row| row.split(',').collect::<Vec<_>>())
        .filter(|row| row[others] != "missing")
        .map(|row| (row[0].to_owned(), format!("{},{}", row[gaps], row[others])))
        .collect();
    let expect = [
        ("Ann Lee_11", "1,AC"),
        ("Bo Fox_12", ",no program"),
        ("Dee Dux_14", ",no such problem"),
        ("Eve Roe_15", "1,AC"),
        ("Fay Kim_16", ",no program"),
        ("Gus Ng_17", "1,AC"),
    ];
    assert_eq!(of_all, expect.map(|(student, row)| (student.to_owned(), row.to_owned())), "{}", run.all());
    let (run, one) = gradebook(&workspace, &["m", "-p", "gaps", "--missing", "zero"]);
    let of_one: Vec<(String, String)> = one[1..]
        .iter()
        .map(|row| row.split(',').collect::<Vec<_>>())
        .map(|row| (row[0].to_owned(), format!("{},{}", row[1], row[3])))
        .collect();
    assert_eq!(of_one, of_all, "{}", run.all());
}

/// The submissions for a broken problem are not judged as those for the only other one.
#[apply(cli_test)]
fn a_broken_problem_keeps_its_column() {
    let workspace = course();
    workspace.file("problems/wordcount/problem.toml", "checker = [\n");
    workspace.file("m/Ann Lee_11_assignsubmission_file_/wordcount.sh", WRONG);
    workspace.file("m/Bo Fox_12_assignsubmission_file_/gaps.sh", SUM);
    let (run, rows) = gradebook(&workspace, &["m"]);
    assert_eq!(rows[1..], ["Ann Lee_11,,,,,not judged", "Bo Fox_12,1,,1,AC,"], "{}", run.all());
}

/// A run of one exercise finds the same programs as a run of all.
#[apply(cli_test)]
fn one_exercise_has_the_rules_of_several() {
    let workspace = course();
    let large = vec![0; 65 << 20];
    workspace
        .file("class/ann/gaps/main.sh", SUM)
        .file("class/ann/wordcount/main.sh", WRONG)
        .file("class/bo/gaps_old.sh", SUM)
        .file("class/bo/wordcount.sh", WRONG)
        .file("class/cy/gaps.sh", SUM)
        .file("class/cy/gaps.zip", zip(&[("gaps.sh", WRONG)]))
        .file("class/cy/wordcount.sh", WRONG)
        .file("class/dee/gaps.sh", SUM)
        .file("class/dee/wordcount.sh", WRONG)
        .file("class/dee/data.bin", &large)
        .file("class/eve/wordcount/main.sh", WRONG);
    let (run, rows) = gradebook(&workspace, &["class", "--layout", "{student}/{problem}.*", "--missing", "zero"]);
    let several = ["ann,1,0,1,AC,WA", "bo,1,0,1,AC,WA", "cy,1,0,1,AC,WA", "dee,1,0,1,AC,WA", "eve,0,0,0,missing,WA"];
    assert_eq!(rows[1..], several, "{}", run.all());
    run.says("class/cy/gaps.zip: is an archive beside other files; grader ignores it");
    let (run, rows) = gradebook(&workspace, &["-p", "gaps", "class", "--layout", "{student}", "--missing", "zero"]);
    assert_eq!(rows[1..], ["ann,1,1,AC", "bo,1,1,AC", "cy,1,1,AC", "dee,1,1,AC"], "{}", run.all());
    run.says("class/cy/gaps.zip: is an archive beside other files; grader ignores it");
    run.says("class/bo/gaps_old.sh: named like an old version of `gaps`, and there is no newer one, so it counts");
    run.says("named like exercises that this run does not judge: class/eve").hides("class/ann");
    workspace.file("late/dee/gaps.sh", SUM).file("late/dee/data.bin", &large);
    let (run, _) = gradebook(&workspace, &["-p", "gaps", "late", "--layout", "{student}"]);
    run.says("late/dee: 66 MiB is more than 64 MiB; grader judges it without data.bin");
    let text = workspace.read("results/students/dee/gaps.txt");
    let remark = "66 MiB is more than 64 MiB, so your program ran without data.bin. Submit only the sources";
    assert!(text.contains(remark), "{text}");
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
    workspace.file("o/CS1-Produkt-4711/Ann Lee_11_assignsubmission_file_/a.sh", SUM);
    workspace.file("o/CS1-Summe-4712/Ann Lee_11_assignsubmission_file_/a.sh", WRONG);
    let args = ["o", "--exercise", "Produkt=gaps", "--exercise", "Summe=wordcount"];
    let (run, rows) = gradebook(&workspace, &args);
    assert_eq!(rows[1..], ["Ann Lee_11,1,0,1,AC,WA"], "{}", run.all());
    run.hides("matches no file or folder");
    // Nothing says which problem it may be.
    let run = workspace.grader(&["judge", "o"]);
    run.says("--exercise 'CS1-Produkt-4711=PROBLEM'");
}

/// The note about names lists what was guessed, once, and no exact name of an export.
#[apply(cli_test)]
fn exact_names_in_exports_are_not_guesses() {
    let workspace = course();
    let file = |export: &str, exercise: &str, name: &str| {
        for student in ["Lee, Ann(alee)", "Fox, Bo(bfox)"] {
            workspace.file(format!("{export}/{exercise}/{student}/Submission attachment(s)/{name}"), SUM);
        }
    };
    file("weeks", "Week 1", "gaps.sh");
    file("weeks", "Week 2", "wordcount.sh");
    for (week, name) in [("Week 1", "gaps.sh"), ("Week 2", "wordcount.sh")] {
        workspace.file(format!("b/{week}_alee_attempt_2026-01-31-10-15-00_{name}"), SUM);
    }
    for export in ["weeks", "b"] {
        let (run, rows) = gradebook(&workspace, &[export]);
        assert!(rows[1].contains(",1,1,2,AC,AC") && !run.all().contains("not exact"), "{rows:?} {}", run.all());
    }
    // The exercise is guessed, and not what is in it.
    file("odd", "Gaps 1", "main.sh");
    file("odd", "wordcount", "main.sh");
    gradebook(&workspace, &["odd"]).0.says("1 name is not exact; grader read `Gaps 1` as gaps\n");
    // The folder of an exercise counts, whatever is in it.
    file("two", "Gaps", "main.sh");
    file("two", "wordcount", "gaps.sh");
    let (run, rows) = gradebook(&workspace, &["two"]);
    assert!(rows[1].contains(",1,1,2,AC,AC"), "{rows:?} {}", run.all());
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
    judged(&["--ignore", "z.sh", "--exercise", "w.sh=gaps"])
        .says("note: `ignore` in grader.toml: `x.sh` matches")
        .says("note: `exercises` in grader.toml: `y.sh` matches")
        .says("warning: `--ignore`: `z.sh` matches")
        .says("warning: `--exercise`: `w.sh` matches");
    judged(&[])
        .says("note: `ignore` in grader.toml: `x.sh` matches")
        .says("note: `exercises` in grader.toml: `y.sh` matches");
}

/// Arguments add to the lists of `grader.toml`: a hint that grader prints undoes no earlier one.
#[apply(cli_test)]
fn options_add_to_those_of_the_course() {
    let workspace = course();
    for (student, file) in [("ann", "mean.sh"), ("bo", "notes.sh"), ("cy", "gaps.sh")] {
        workspace.file(format!("class/{student}/{file}"), SUM).file(format!("class/{student}/lib.sh"), "");
        workspace.file(format!("class/{student}/own.sh"), "");
    }
    let toml = "[judge]\nignore = [\"lib.sh\"]\nexercises = { \"mean.sh\" = \"gaps\", \"notes.sh\" = \"wordcount\" }\n";
    workspace.file("grader.toml", toml);
    let args = ["class", "--layout", "{student}/{problem}.*", "--ignore", "own.sh", "--exercise", "Notes.sh=gaps"];
    let (run, rows) = gradebook(&workspace, &args);
    assert_eq!(rows[1..], ["ann,1,1,AC", "bo,1,1,AC", "cy,1,1,AC"], "{}", run.all());
    run.status(0);
}

/// The name of an archive says its exercise as that of a file does; what is in it may say more.
#[apply(cli_test)]
fn archives_with_names_of_exercises() {
    let workspace = course();
    let packed = zip(&[("main.sh", ". ./help.sh\n"), ("help.sh", SUM)]);
    workspace.file("m/Ann Lee_11_assignsubmission_file_/gaps.zip", packed);
    workspace.file("m/Ann Lee_11_assignsubmission_file_/wordcount.sh", WRONG);
    workspace.file("m/Bo Fox_12_assignsubmission_file_/gaps.zip", zip(&[("gaps.sh", SUM), ("wordcount.sh", WRONG)]));
    let (run, rows) = gradebook(&workspace, &["m", "-p", "gaps"]);
    assert_eq!(rows[1..], ["Ann Lee_11,1,1,AC", "Bo Fox_12,1,1,AC"], "{}", run.all());
    let (run, rows) = gradebook(&workspace, &["m"]);
    assert_eq!(rows[1..], ["Ann Lee_11,1,0,1,AC,WA", "Bo Fox_12,1,0,1,AC,WA"], "{}", run.all());
}

/// What a student submitted for another exercise, with its modules, tests and reports, is nothing for this one, and an unknown
/// program is open in both runs.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn runs_of_one_and_of_all_agree() {
    let workspace = course();
    let add = "from helper import add\nprint(add(*map(int, input().split())))\n";
    let helper = "def add(a, b):\n    return a + b\n";
    for (student, files) in [
        ("Vi_11", &[("gaps.py", add), ("helper.py", helper)][..]),
        ("Te_12", &[("gaps.sh", SUM), ("test_gaps.py", "import gaps\n")]),
        ("Un_13", &[("gaps.sh", SUM), ("helper.py", helper)]),
        ("Do_14", &[("gaps.docx", "PK")]),
        ("Re_15", &[("gaps.sh", SUM), ("report.pdf", "%PDF"), ("notes.txt", "I had a lot of fun with this one.\n")]),
        ("Bo_16", &[("gaps.sh", SUM), ("wordcount.sh", SUM)]),
        ("Ma_17", &[("main.sh", SUM)]),
        ("So_18", &[("solution.sh", WRONG), ("gaps.sh", SUM)]),
    ] {
        for (file, text) in files {
            workspace.file(format!("m/{student}_assignsubmission_file_/{file}"), text);
        }
    }
    let people = ["Vi", "Te", "Un", "Do", "Re", "Bo", "Ma", "So"];
    let list: Vec<String> = (11..).zip(people).map(|(id, name)| format!("{id},{name}")).collect();
    workspace.file("list.csv", format!("id,name\n{}\n", list.join("\n")));
    let (run, rows) = gradebook(&workspace, &["m", "--roster", "list.csv", "--missing", "blank"]);
    let all = |row: &String| row.split(',').skip(1).take(3).collect::<Vec<_>>().join(",");
    // Who submitted nothing has the id of the roster.
    let is_of = |row: &str, name: &str| {
        let id = 11 + people.iter().position(|other| *other == name).unwrap();
        row.starts_with(name) || row.starts_with(&format!("{id},"))
    };
    let of = |rows: &[String], name: &str| all(rows.iter().find(|row| is_of(row, name)).unwrap());
    for (name, grades) in [
        ("Vi", "1,,1"),
        ("Te", "1,,1"),
        ("Un", "1,,"),
        ("Do", ",,"),
        ("Re", "1,,1"),
        ("Bo", "1,1,2"),
        ("Ma", ",,"),
        ("So", "1,,"),
    ] {
        assert_eq!(of(&rows, name), grades, "{name}: {rows:#?}\n{}", run.all());
    }
    // Most students name `gaps`, so it may be the only exercise; then the folder of `Ma` is for it.
    for (problem, grades, open) in
        [("gaps", "1 1 1  1 1 1 1", &["Do"][..]), ("wordcount", "     1  ", &["Un", "Ma", "So"])]
    {
        let (run, rows) = gradebook(&workspace, &["m", "-p", problem, "--roster", "list.csv", "--missing", "blank"]);
        let found = people.map(|name| of(&rows, name).split(',').next().unwrap_or_default().to_owned());
        assert_eq!(found.join(" "), grades, "{problem}: {rows:#?}\n{}", run.all());
        let is_open = |name: &str| {
            let row = rows.iter().find(|row| is_of(row, name)).unwrap();
            row.contains("no such problem") || row.contains("no program")
        };
        assert_eq!(people.map(is_open), people.map(|name| open.contains(&name)), "{rows:#?}\n{}", run.all());
    }
}

/// A layout of whole folders has the rules of exports.
#[apply(cli_test)]
fn whole_folders_are_read_by_names_too() {
    let workspace = course();
    workspace.file("class/ann/a/gaps.sh", SUM).file("class/ann/b/wordcount.sh", SUM);
    workspace.file("class/bo/gaps.sh", SUM).file("class/bo/wordcount.sh", SUM).file("class/cy/main.sh", SUM);
    workspace.file("class/dee.sh", SUM);
    let (run, rows) = gradebook(&workspace, &["class", "-p", "gaps", "--layout", "{student}"]);
    assert_eq!(rows[1..], ["ann,1,1,AC", "bo,1,1,AC", "cy,,,no such problem", "dee.sh,1,1,AC"], "{}", run.all());
}

/// A name of an exercise in that of a folder of Moodle may have a space.
#[apply(cli_test)]
fn parts_of_names_of_exercises_are_read_forgivingly() {
    let workspace = course();
    for exercise in ["PROG1-Gaps-4711", "PROG1-Word Count-4712"] {
        workspace.file(format!("m/{exercise}/Ann Lee_11_assignsubmission_file_/a.sh"), SUM);
    }
    let (run, rows) = gradebook(&workspace, &["m"]);
    assert_eq!(rows[1..], ["Ann Lee_11,1,1,2,AC,AC"], "{}", run.all());
}

/// Who may be an unknown author is open, and not the members of a team that has submitted.
#[apply(cli_test)]
fn members_of_known_teams_are_no_unknown_authors() {
    let workspace = course();
    for team in ["Red", "Group 9"] {
        workspace.file(format!("class/{team}/gaps.sh"), SUM).file(format!("class/{team}/wordcount.sh"), SUM);
    }
    workspace.file("list.csv", "id,name,team\ncy,Cy Ray,Red\ndi,Di Po,Red\nzo,Zo No,\n");
    let args = ["class", "--layout", "{student}/{problem}.*", "--roster", "list.csv"];
    let (run, rows) = gradebook(&workspace, &args);
    for row in ["cy,1,1,2,AC,AC", "di,1,1,2,AC,AC", "zo,,,,not identified,not identified"] {
        assert!(rows.contains(&row.to_owned()), "{row}: {rows:#?}\n{}", run.all());
    }
}

/// The folder of a problem is the problem, also where paths name problems.
#[apply(cli_test)]
fn the_path_of_a_problem_is_the_problem() {
    let workspace = course();
    workspace.file("class/ann/gaps.sh", SUM);
    let (run, rows) = gradebook(&workspace, &["problems/gaps", "class", "--layout", "{student}/{problem}.*"]);
    assert_eq!(rows[1..], ["ann,1,1,AC"], "{}", run.all());
}

/// Two old versions are two submissions.
#[apply(cli_test)]
fn of_two_old_versions_none_is_chosen() {
    let workspace = course();
    for file in ["gaps_old.sh", "gaps_alt.sh"] {
        workspace.file(format!("m/Ann Lee_11_assignsubmission_file_/{file}"), format!("{SUM}# {file}\n"));
    }
    workspace.file("m/Ann Lee_11_assignsubmission_file_/wordcount.sh", SUM);
    for args in [&["m"][..], &["m", "-p", "gaps"]] {
        let (run, rows) = gradebook(&workspace, args);
        assert!(rows[1].contains("several files") || rows[1].contains("ambiguous"), "{rows:?}\n{}", run.all());
        run.says("submitted 2 for one problem");
    }
}

/// Canvas puts a number into the name of a file that is submitted again; programs import it without.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn numbers_of_canvas_are_no_part_of_names() {
    let workspace = course();
    let add = "from helper import add\nprint(add(*map(int, input().split())))\n";
    workspace.file("c/leeann_11_901_gaps-1.py", add);
    workspace.file("c/leeann_11_902_helper-2.py", "def add(a, b):\n    return a + b\n");
    workspace.file("c/foxbo_12_903_gaps.sh", SUM).file("c/foxbo_12_904_wordcount-1.sh", SUM);
    for (args, ann) in [(&["c"][..], "leeann_11,1,,1,AC,"), (&["c", "-p", "gaps"], "leeann_11,1,1,AC")] {
        let (run, rows) = gradebook(&workspace, args);
        assert!(rows.contains(&ann.to_owned()), "{rows:?}\n{}", run.all());
    }
}

/// An archive beside a program is ignored, whatever its name is.
#[apply(cli_test)]
fn archives_of_other_names_beside_programs_are_ignored() {
    let workspace = course();
    workspace.file("class/ann/gaps.sh", SUM).file("class/ann/wordcount.sh", SUM);
    workspace.file("class/ann/abgabe.zip", zip(&[("gaps.sh", WRONG)]));
    for (args, row) in [
        (&["class", "--layout", "{student}/{problem}.*"][..], "ann,1,1,2,AC,AC"),
        (&["class", "--layout", "{student}", "-p", "gaps"], "ann,1,1,AC"),
    ] {
        let (run, rows) = gradebook(&workspace, args);
        assert_eq!(rows[1..], [row], "{}", run.all());
        run.says("class/ann/abgabe.zip: is an archive beside other files; grader ignores it");
    }
}

/// A list of authors in the folder of an exercise is named, too.
#[apply(cli_test)]
fn a_list_of_authors_in_the_folder_of_an_exercise_is_named() {
    let workspace = course();
    workspace.file("class/ann/gaps/main.sh", SUM).file("class/ann/gaps/members.txt", "bo\n");
    workspace.file("class/ann/wordcount.sh", SUM);
    let run = workspace.grader(&["judge", "class", "--layout", "{student}/{problem}.*"]);
    run.says("`members.txt` may name other authors").says("--members members.txt");
}

/// The text about a missing submission goes when it comes.
#[apply(cli_test)]
fn a_late_first_submission_takes_its_old_text_away() {
    let workspace = course();
    workspace.file("m/Ann Lee_11_assignsubmission_file_/gaps.sh", SUM);
    workspace.file("list.csv", "id,name\n11,Ann Lee\n12,Bo Fox\n");
    let args = ["judge", "m", "-p", "gaps", "--roster", "list.csv", "--out", "o", "--exit-zero"];
    workspace.grader(&args).status(0);
    assert!(workspace.read("o/students/12/not judged.txt").contains("We received no"));
    workspace.file("m/Bo Fox_12_assignsubmission_file_/gaps.sh", SUM);
    workspace.grader(&args).status(0);
    assert!(workspace.path("o/students/Bo Fox_12/gaps.txt").exists());
    assert!(!workspace.path("o/students/12/not judged.txt").exists());
}

/// Files for other exercises are not submitted for this one.
#[apply(cli_test)]
fn files_for_other_exercises_are_left_out() {
    let workspace = course();
    for (student, file) in [("Ann Lee_11", "WORDCOUNT.sh"), ("Bo Fox_12", "gaps.sh"), ("Cy Ray_13", "mine.sh")] {
        workspace.file(format!("m/{student}_assignsubmission_file_/{file}"), SUM);
    }
    let (run, rows) = gradebook(&workspace, &["m", "-p", "gaps"]);
    assert_eq!(rows[1..], ["Bo Fox_12,1,1,AC", "Cy Ray_13,1,1,AC"], "{}", run.all());
    run.says("named like exercises that this run does not judge: m/Ann Lee_11_assignsubmission_file_");
}

/// The folder of an exercise counts for one exercise as for several, whatever its files are called.
#[apply(cli_test)]
fn a_folder_of_an_exercise_counts_alone_too() {
    let workspace = course();
    workspace.file("class/gaps/ann/wordcount.sh", SUM).file("class/wordcount/ann/wordcount.sh", WRONG);
    let layout = ["--layout", "{problem}/{student}"];
    let (run, rows) = gradebook(&workspace, &[&["class"], &layout[..]].concat());
    assert_eq!(rows[1..], ["ann,1,0,1,AC,WA"], "{}", run.all());
    let (run, rows) = gradebook(&workspace, &["class/gaps", "-p", "gaps", "--layout", "{student}"]);
    assert_eq!(rows[1..], ["ann,1,1,AC"], "{}", run.all());
    run.says("has the name of `wordcount`, but its folder is that of `gaps`: judged as `gaps`");
}

/// A library with the name of an exercise belongs to the program that imports it, also if there are several exercises.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn a_library_with_the_name_of_an_exercise_has_its_program() {
    let workspace = course();
    workspace.file("class/ann/gaps.py", "def add(a, b):\n    return a + b\n");
    workspace.file("class/ann/main.py", "from gaps import add\nprint(add(*map(int, input().split())))\n");
    workspace.file("class/ann/wordcount.sh", SUM);
    for args in [&["class", "--layout", "{student}/{problem}.*"][..], &["class", "-p", "gaps", "--layout", "{student}"]]
    {
        let (run, rows) = gradebook(&workspace, args);
        assert!(
            rows.len() == 2 && rows[1].starts_with("ann,1,") && rows[1].ends_with(",AC"),
            "{rows:?}\n{}",
            run.all()
        );
        run.hides("error:");
    }
}

/// If an archive cannot be read, its exercises are unknown. One error says so.
#[apply(cli_test)]
fn an_archive_that_cannot_be_read_is_one_error() {
    let workspace = course();
    workspace.file("class.zip", "PK no archive");
    let run = workspace.grader(&["judge", "class.zip"]);
    run.status(2).says("class.zip").hides("there are 2 problems");
}

/// The attempt that counts may be one that cannot be judged: then somebody must look.
#[apply(cli_test)]
fn an_attempt_that_cannot_be_judged_still_counts() {
    let workspace = course();
    workspace.file("bs/12-34 - Ann Lee - Feb 9, 2026 900 AM/gaps.sh", SUM);
    workspace.file("bs/12-34 - Ann Lee - Feb 10, 2026 900 AM/gaps.docx", "PK");
    workspace.file("bs/13-34 - Bo Fox - Feb 9, 2026 900 AM/gaps.sh", SUM);
    let (run, rows) = gradebook(&workspace, &["bs", "-p", "gaps"]);
    assert!(rows[1].starts_with("Ann Lee_12,,,no program"), "{rows:?} {}", run.all());
    run.says("attempt 2 counts and cannot be judged, so attempt 1 is not judged");
    for attempts in ["first", "best"] {
        let (run, rows) = gradebook(&workspace, &["bs", "-p", "gaps", "--attempts", attempts]);
        assert!(rows[1].starts_with("Ann Lee_12,1,1,AC"), "{rows:?} {}", run.all());
    }
}

/// Moodle numbers students anew for each assignment. If several have one name, nothing says who submitted what.
#[apply(cli_test)]
fn namesakes_with_new_numbers_get_no_totals() {
    let workspace = course();
    for (exercise, first) in [("gaps", 11), ("wordcount", 21)] {
        for (at, name) in (0..).zip(["Ann Lee", "Ann Lee", "Bo Fox"]) {
            let folder = format!("m/P-{exercise}-4/{name}_{}_assignsubmission_file_", first + at);
            workspace.file(format!("{folder}/{exercise}.sh"), SUM);
        }
    }
    let (run, rows) = gradebook(&workspace, &["m"]);
    assert_eq!(rows.len(), 6, "{rows:?}");
    assert!(
        rows[1..5].iter().all(|row| row.contains(",,")) && rows[5] == "Bo Fox,1,1,2,AC,AC",
        "{rows:?} {}",
        run.all()
    );
    run.says("several students have these names, so they get no totals: Ann Lee");
}

/// The options that messages print after a word, as a shell reads them.
fn printed<'t>(text: &'t str, option: &str) -> Vec<String> {
    let after: Vec<&'t str> = text.split(&format!("{option} ")).skip(1).collect();
    let word = |rest: &str| {
        let quote = rest.chars().next().filter(|c| ['\'', '"'].contains(c));
        let rest = rest.trim_start_matches(['\'', '"']);
        rest.split(|c| quote.map_or(c == '\n' || c == ';' || c == ',', |quote| c == quote)).next().unwrap().to_owned()
    };
    after.into_iter().map(word).collect()
}

/// What a message prints works when it is copied.
#[apply(cli_test)]
fn printed_options_name_the_exercise() {
    for (files, expect) in [
        // One program in a folder; the folder may have any depth.
        (&["HW1/solve.sh"][..], "HW1=wordcount"),
        (&["HW1/Part A/solve.sh", "HW1/Part B/helper.sh"], "Part A=wordcount"),
        // The folder has submissions for other exercises.
        (&["HW1/gaps.sh", "HW1/mean.sh"], "mean.sh=wordcount"),
        (&["src/first.sh", "src/second.sh"], "first.sh=wordcount"),
        (&["src/main.sh", "src/helper.sh"], "src=wordcount"),
        (&["gaps.sh", "it's mean.sh"], "it's mean.sh=wordcount"),
        (&["mean.v2/solve.sh", "gaps.sh"], "mean.v2=wordcount"),
        (&["gaps.sh", "-mean.sh"], "-mean.sh=wordcount"),
    ] {
        for (folder, other, layout) in [
            ("Ann Lee_11_assignsubmission_file_", "Bo Fox_12_assignsubmission_file_", "moodle"),
            ("ann", "bob", "{student}/{problem}.*"),
        ] {
            let workspace = course();
            workspace.file(format!("class/{other}/gaps.sh"), SUM);
            for file in files {
                workspace.file(format!("class/{folder}/{file}"), SUM);
            }
            let args = ["class", "--layout", layout];
            let (run, _) = gradebook(&workspace, &args);
            let text = run.stderr.replace("=PROBLEM", "=wordcount").replace("--exercise=", "--exercise ");
            let text = text.replace("'--exercise ", "--exercise '");
            let options = printed(&text, "--exercise");
            let option = options.iter().find(|option| *option == expect);
            let option = option.unwrap_or_else(|| panic!("{layout} {files:?}: {options:?}\n{}", run.all()));
            let option = format!("--exercise={option}");
            let (run, rows) = gradebook(&workspace, &[&args[..], &[&option]].concat());
            let at = rows[0].split(',').position(|heading| heading == "wordcount");
            let grade = rows[1].split(',').nth(at.unwrap_or(99));
            assert_eq!(grade, Some("1"), "{layout} {files:?} {option}\n{rows:#?}\n{}", run.all());
        }
    }
}

/// Signs of globs in the names of files are no globs in what messages print.
#[apply(cli_test)]
fn printed_options_leave_out_the_file() {
    let workspace = course();
    for file in ["gaps.sh", "wordcount.sh", "data[1].csv"] {
        workspace.file(format!("class/ann/{file}"), SUM);
    }
    let args = ["class", "--layout", "{student}/{problem}.*"];
    let (run, _) = gradebook(&workspace, &args);
    let option = printed(&run.says("is not a program").stderr, "--ignore").remove(0);
    gradebook(&workspace, &[&args[..], &["--ignore", &option]].concat()).0.hides("csv");
}

/// What people decide settles what nobody else can: for the exercise, or for the total.
#[apply(cli_test)]
fn overrides_settle_files_with_unknown_names() {
    let workspace = course();
    workspace.file("class/ann/gaps.sh", SUM).file("class/ann/mean.sh", SUM).file("class/bob/gaps.sh", SUM);
    workspace.file("class/bob/wordcount.sh", WRONG);
    let args = ["judge", "class", "--layout", "{student}/{problem}.*", "--overrides", "changes.csv"];
    let judge = |changes: &str| {
        workspace.file("changes.csv", format!("id,problem,points,reason\n{changes}"));
        let run = workspace.grader(&[&args[..], &["--report", "gradebook=grades.csv"]].concat());
        let rows: Vec<String> = workspace.read("grades.csv").lines().map(str::to_owned).collect();
        (run, rows)
    };
    let (run, rows) = judge("");
    run.status(2).says("error: class/ann/mean.sh: no problem is called `mean`");
    assert!(rows[1].starts_with("ann,1,,,AC,no such problem"), "{rows:#?}");
    let (run, rows) = judge("ann,wordcount,0.5,oral\n");
    run.status(1).says("note: class/ann/mean.sh: no problem is called `mean`").hides("needs help\n  ann");
    assert!(rows[1].starts_with("ann,1,0.5,1.5,AC,manual"), "{rows:#?}");
    judge("ann,,1.5,oral\n").0.status(1).says("leave it: the overrides state its points");
    // An appeal about another exercise says nothing about this file, and one for another student neither.
    judge("ann,gaps,0.5,appeal\n").0.status(2);
    judge("bob,wordcount,0.5,oral\n").0.status(2);
    // One message is about both.
    workspace.file("class/cy/mean.sh", SUM);
    judge("ann,wordcount,0.5,oral\n").0.status(2).says("`mean` (2 submissions)");
    judge("ann,wordcount,0.5,oral\ncy,,0,nothing shown\n").0.status(1);
}

/// A bonus for the total counts once, not in the run of each week.
#[apply(cli_test)]
fn overrides_of_the_total_wait_for_the_whole_course() {
    let workspace = course();
    workspace.file("week1/ann/gaps.sh", SUM).file("week2/ann/wordcount.sh", SUM);
    workspace.file("changes.csv", "id,problem,points,reason\nann,,+2,bonus\nann,gaps,0.5,oral\n");
    workspace.file("grader.toml", "judge.overrides = \"changes.csv\"\n");
    let layout = ["--layout", "{student}/{problem}.*"];
    let total = |args: &[&str]| {
        let (run, rows) = gradebook(&workspace, &[args, &layout].concat());
        let at = rows[0].split(',').position(|heading| heading == "total").unwrap();
        (rows[1].split(',').nth(at).unwrap().to_owned(), run)
    };
    let waits = "rows without a problem are about the total of the course, so they wait";
    let (found, run) = total(&["week1"]);
    assert_eq!(found, "0.5", "{}", run.all());
    run.says(waits).says("--overrides changes.csv");
    assert_eq!(total(&["-p", "wordcount", "week2"]).0, "1");
    // Whoever names the file for a run means this run.
    let (found, run) = total(&["week1", "--overrides", "changes.csv"]);
    assert_eq!(found, "2.5", "{}", run.all());
    run.says("rows without a problem change the total of this run");
    // A run of all exercises.
    let (found, run) = total(&["week1", "week2"]);
    assert_eq!(found, "3.5", "{}", run.all());
    run.hides("rows without a problem");
}

/// The folder or the archive of one exercise, named alone.
#[apply(cli_test)]
fn the_name_of_an_export_says_the_exercise() {
    let workspace = course();
    let path = |name: &str| format!("{name}_assignsubmission_file_/solve.sh");
    let (ann, bo) = (path("Ann Lee_11"), path("Bo Fox_12"));
    workspace.file("one.zip", zip(&[(&ann, SUM), (&bo, WRONG)]));
    for name in ["gaps.zip", "Gaps (1).zip"] {
        workspace.file(name, zip(&[(&ann, SUM), (&bo, WRONG)]));
    }
    workspace.file(format!("gaps/{ann}"), SUM).file(format!("gaps/{bo}"), WRONG);
    for name in ["gaps", "./gaps.zip", "gaps.zip", "Gaps (1).zip"] {
        let (run, rows) = gradebook(&workspace, &[name]);
        assert!(rows.len() == 3 && rows[0].contains(",gaps,total,"), "{name}: {rows:#?}\n{}", run.all());
        assert!(rows[1].contains(",1,1,AC") && rows[2].contains(",0,0,WA"), "{name}: {rows:#?}\n{}", run.all());
    }
    let (run, _) = gradebook(&workspace, &["one.zip"]);
    run.status(2).says("no problem is called `solve`");
    // The names of files say more.
    let file = ann.replace("solve", "wordcount");
    workspace.file("gaps.zip", zip(&[(&file, SUM), (&bo, WRONG)]));
    let (run, rows) = gradebook(&workspace, &["gaps.zip"]);
    assert!(rows[0].contains(",gaps,wordcount,total,") && rows[1].contains(",,1,1,"), "{rows:#?}\n{}", run.all());
}

/// Notes beside programs are no submissions for an exercise that nobody submitted; a program may be one.
#[apply(cli_test)]
fn notes_leave_no_total_open() {
    let workspace = course();
    workspace.problem("third").case("sample/1", "1 2\n", "3\n").submission("accepted/sum.sh", SUM);
    for (number, (file, text)) in [
        ("notes.txt", "I worked with Bo on this.\n"),
        ("README", "Please read this.\n"),
        ("readme.txt", "x = 1\n"),
        ("report.pdf", "%PDF"),
        ("mean.sh", SUM),
        ("mean.txt", "read a b\necho $((a + b))\n"),
    ]
    .into_iter()
    .enumerate()
    {
        let student = format!("class/s{number}");
        workspace.file(format!("{student}/gaps.sh"), SUM).file(format!("{student}/wordcount.sh"), SUM);
        workspace.file(format!("{student}/{file}"), text);
    }
    workspace.file("class/s9/notes.txt", "I worked with Bo on this.\n");
    let (run, rows) = gradebook(&workspace, &["class", "--layout", "{student}/{problem}.*"]);
    let totals: Vec<&str> = rows[1..].iter().map(|row| row.split(',').nth(3).unwrap()).collect();
    assert_eq!(totals, ["2", "2", "2", "2", "", "", ""], "{rows:#?}\n{}", run.all());
    run.says("warning: class/s0/notes.txt: is not a program, and no problem is called `notes`");
}

/// With one exercise and with several, an empty file is what was submitted for the exercise of its name.
#[apply(cli_test)]
fn an_empty_file_is_not_replaced_by_another() {
    let workspace = course();
    workspace.file("class/Ann Lee_11_assignsubmission_file_/gaps.sh", "");
    workspace.file("class/Ann Lee_11_assignsubmission_file_/old_try.sh", SUM);
    for (args, expect) in [(&["class"][..], "0,,"), (&["-p", "gaps", "class"], "0,0,")] {
        let (run, rows) = gradebook(&workspace, args);
        assert!(rows[1].starts_with(&format!("Ann Lee_11,{expect}")), "{args:?}: {rows:#?}\n{}", run.all());
        run.says("is empty");
    }
}

/// A record may be named by a relative path, too: its page has the programs.
#[apply(cli_test)]
fn a_record_is_ours_however_its_path_is_written() {
    let workspace = course();
    workspace.file("class/ann/gaps.sh", WRONG).file("class/bob/gaps.sh", SUM);
    workspace.grader(&["judge", "class", "--layout", "{student}/{problem}.*"]);
    let runs = std::fs::read_dir(workspace.path(".grader/runs")).unwrap();
    let mut names = runs.map(|file| file.unwrap().file_name().into_string().unwrap());
    let path = format!(".grader/runs/{}", names.find(|name| name.contains(".jsonl")).unwrap());
    for (run, page) in [("last", "a.html"), (&path, "b.html")] {
        workspace.grader(&["report", run, "--report", &format!("html={page}")]).status(0);
        assert!(workspace.read(page).contains("echo $((a - b))"), "{run}");
    }
    // A copy may be from anywhere, and name any file.
    std::fs::copy(workspace.path(&path), workspace.path("copy.jsonl")).unwrap();
    workspace.grader(&["report", "copy.jsonl", "--report", "html=c.html"]).status(0);
    assert!(!workspace.read("c.html").contains("echo $((a - b))"));
}
