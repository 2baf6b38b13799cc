//! Layouts of classes that leave a choice: which student and problem a path means, and who has a row.

use macro_rules_attribute::apply;

use crate::cli::answers::zip;
use crate::cli::run::Run;
use crate::cli::workspace::{SUM, Workspace};

const WRONG: &str = "echo 0\n";

fn with_problems(slugs: &[&'static str]) -> Workspace {
    let workspace = Workspace::new();
    for slug in slugs {
        workspace.problem(slug).case("secret/1", "1 2\n", "3\n").submission("accepted/sum.sh", SUM);
    }
    workspace
}

/// Judges the class, and returns each student with the verdicts and remarks in the record.
fn judged(workspace: &Workspace, layout: &str, more: &[&str]) -> (Run, Vec<String>) {
    let args = ["judge", "class", "--layout", layout, "--exit-zero", "--report", "gradebook=-"];
    let run = workspace.grader(&[&args[..], more].concat());
    let head: Vec<&str> = run.stdout.lines().next().unwrap_or_default().split(',').collect();
    let row = |line: &str| {
        let cells = line.split(',').zip(&head);
        let wanted = cells.filter(|(_, head)| !["name", "id", "group", "grading", "isolation"].contains(*head));
        wanted.map(|(cell, _)| cell).collect::<Vec<_>>().join(",")
    };
    let rows = run.stdout.lines().skip(1).map(row).collect();
    (run, rows)
}

#[apply(cli_test)]
fn a_path_with_two_readings_is_read_by_the_roster() {
    let workspace = with_problems(&["word_count", "count", "t_count"]);
    workspace.file("class/ann_word_count.sh", SUM).file("class/bob_word_count.sh", WRONG);
    workspace.file("class/lee_word_count.sh", SUM);
    workspace.file("roster.csv", "id\nann\nbob_word\nlee\nlee_word\n");
    let (run, rows) = judged(&workspace, "{student}_{problem}.sh", &["--roster", "roster.csv"]);
    run.says("lee_word_count.sh").says("`count` of `lee_word`, `word_count` of `lee`");
    let row = |student: &str| rows.iter().find(|row| row.starts_with(&format!("{student},"))).unwrap().clone();
    assert!(row("ann").contains("AC") && !row("ann").contains("WA"), "{rows:?}");
    assert!(row("bob_word").contains("WA") && !row("bob_word").contains("AC"), "{rows:?}");
    for unclear in ["lee", "lee_word"] {
        assert!(row(unclear).contains("ambiguous"), "{rows:?}");
    }
    assert!(!run.all().contains("ann_word,"), "{}", run.all());
}

#[apply(cli_test)]
fn a_path_with_two_readings_is_ambiguous_without_a_roster() {
    let workspace = with_problems(&["word_count", "count"]);
    workspace.file("class/ann_word_count.sh", SUM).file("class/ann_b_count.sh", SUM);
    let (run, rows) = judged(&workspace, "{student}_{problem}.sh", &[]);
    run.says("can be read in several ways").says("--roster");
    // Only one reading names a problem.
    assert!(rows.iter().any(|row| row.starts_with("ann_b,") && row.contains("AC")), "{rows:?}");
    assert!(rows.iter().any(|row| row.starts_with("ann,") && row.contains("ambiguous")), "{rows:?}");
    assert!(rows.iter().any(|row| row.starts_with("ann_word,") && row.contains("ambiguous")), "{rows:?}");
}

#[apply(cli_test)]
fn ignored_files_alone_are_no_program() {
    for (layout, right, ignored) in [
        ("{student}/{problem}.*", "class/ann/sum.sh", "class/bob/.sum.sh"),
        ("{student}/{problem}.*", "class/ann/sum.sh", "class/bob/__MACOSX/sum.sh"),
        ("{student}/{problem}/*", "class/ann/sum/a.sh", "class/bob/sum/Thumbs.db"),
        ("*/{student}/{problem}.*", "class/a/ann/sum.sh", "class/a/bob/.DS_Store"),
        ("{student}", "class/ann/sum.sh", "class/bob/.sum.sh"),
        ("{student}_{problem}.sh", "class/ann_sum.sh", "class/.bob_sum.sh"),
        ("{student}_{problem}.sh", "class/ann_sum.sh", "class/._bob_sum.sh"),
        ("{problem}/{student}.*", "class/sum/ann.sh", "class/sum/.bob.sh"),
        ("moodle", "class/ann_1_assignsubmission_file_/sum.sh", "class/bob_2_assignsubmission_file_/.sum.sh"),
        ("moodle", "class/ann_1_assignsubmission_file_sum.sh", "class/bob_2_assignsubmission_file_.sum.sh"),
        ("canvas", "class/ann_1_7_sum.sh", "class/bob_2_8_.sum.sh"),
        ("ilias", "class/Lee_Ann_ann_1/sum.sh", "class/Fox_Bob_bob_2/.sum.sh"),
    ] {
        for layout in ["{student}", "{student}.*", "{student}_{problem}.*"] {
            let workspace = with_problems(&["sum"]);
            workspace.file("class/ann_sum.sh", SUM).file("class/.DS_Store", "x").file("class/Thumbs.db", "x");
            let (_, rows) = judged(&workspace, layout, &["-p", "sum"]);
            assert_eq!(rows.len(), 1, "{layout}: {rows:?}");
        }
        let workspace = with_problems(&["sum"]);
        workspace.file(right, SUM).file(ignored, SUM);
        let word = if layout.contains("{problem}") { &[][..] } else { &["-p", "sum"] };
        no_program_of_bob(&workspace, layout, word);
    }
    let workspace = with_problems(&["sum"]);
    workspace.file("class/ann/sum.sh", SUM).file("class/bob.zip", zip(&[(".sum.sh", SUM)]));
    no_program_of_bob(&workspace, "{student}/{problem}.*", &[]);
}

/// Bob has a row without points that says why, and Ann is judged.
fn no_program_of_bob(workspace: &Workspace, layout: &str, more: &[&str]) {
    let (run, rows) = judged(workspace, layout, more);
    let row = |student: &str| {
        rows.iter().find(|row| row.to_lowercase().contains(student)).unwrap_or_else(|| {
            panic!("{layout}: {}", run.all());
        })
    };
    assert!(row("bob").contains("no program") && !row("bob").contains(",0,"), "{layout}: {rows:?}\n{}", run.all());
    assert!(row("ann").contains("AC"), "{layout}: {rows:?}");
    assert_eq!(rows.len(), 2, "{layout}: {rows:?}");
}

#[apply(cli_test)]
fn ignored_files_beside_others_change_nothing() {
    let workspace = with_problems(&["sum", "gaps"]);
    workspace.file("class/ann/sum.sh", SUM).file("class/ann/.DS_Store", "").file("class/.DS_Store", "");
    workspace.file("class/Thumbs.db", "").file("class/ann/.git/config", "");
    workspace.file("roster.csv", "id\nann\ncy\n");
    for layout in ["{student}/{problem}.*", "**/{student}/{problem}.sh"] {
        let (run, rows) = judged(&workspace, layout, &["--roster", "roster.csv"]);
        run.status(0);
        assert_eq!(rows.len(), 2, "{rows:?}");
        assert!(!rows.concat().contains("no program"), "{rows:?}");
    }
}
