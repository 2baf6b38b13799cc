//! Tests of submissions by students, up to the run that judges them.

use crate::intake::programs::{self, Judging, Request};
use crate::limits::Bytes;
use crate::package::archive::Bounds;
use crate::workspace::testing::Folder;

const SUM: [(&str, &str); 3] =
    [("sum/sum.py", "print(sum(map(int, input().split())))\n"), ("sum/1.in", "1 2\n"), ("sum/1.ans", "3\n")];

fn class(files: &[(&str, &str)]) -> Folder {
    Folder::new(&[&SUM[..], files].concat())
}

fn request(words: &[&str]) -> Request {
    Request { words: words.iter().map(|word| (*word).to_owned()).collect(), ..Request::default() }
}

/// The student and name of each submission, in plan order.
fn submissions(judging: &Judging) -> Vec<(Option<String>, String)> {
    let submissions = &judging.session.plan().submissions;
    let of = |(submission, from): (&crate::plan::PlannedSubmission, &crate::session::Authorship)| {
        (from.student.clone(), submission.id.submission.to_string())
    };
    submissions.iter().zip(&judging.session.submitted).map(of).collect()
}

#[test]
fn each_file_of_a_folder_is_a_program() {
    let folder =
        class(&[("hand-in/ada.py", "print(3)\n"), ("hand-in/bob.py", "print(4)\n"), ("hand-in/notes.txt", "hi\n")]);
    let judging = programs::prepare(folder.workspace(), &request(&["sum", "hand-in"])).unwrap();
    assert!(!judging.class);
    let names = ["hand-in/ada.py", "hand-in/bob.py"].map(|name| (None, name.to_owned()));
    assert_eq!(submissions(&judging), names);
    assert!(
        judging.session.found.iter().any(|found| found.message.contains("notes.txt")),
        "{:?}",
        judging.session.found
    );
}

#[test]
fn a_layout_names_students_and_problems() {
    let folder =
        class(&[("all/ada/sum.py", "print(3)\n"), ("all/bob/sum.py", "print(4)\n"), ("all/cy/gcd.py", "print(4)\n")]);
    let layout = Some("{student}/{problem}.py".to_owned());
    let judging = programs::prepare(folder.workspace(), &Request { layout, ..request(&["all"]) }).unwrap();
    assert!(judging.class);
    let students: Vec<_> = submissions(&judging).into_iter().map(|(student, _)| student.unwrap()).collect();
    assert_eq!(students, ["ada", "bob"]);
    let left_out: Vec<_> = judging.session.left_out.iter().map(|out| (&*out.student, &*out.why)).collect();
    assert_eq!(left_out, [("cy", "no such problem")]);
}

#[test]
fn identical_programs_run_once() {
    let folder =
        class(&[("hand-in/ada.py", "print(3)\n"), ("hand-in/bob.py", "print(3)\n"), ("hand-in/cy.py", "print(4)\n")]);
    let judging = programs::prepare(folder.workspace(), &request(&["sum", "hand-in"])).unwrap();
    let work = judging.session.work.as_ref().unwrap();
    assert_eq!(work.stands_for, [vec![0, 1], vec![2]]);
    assert_eq!(judging.identical.len(), 1);
    assert_eq!(judging.identical[0].students, ["hand-in/ada.py", "hand-in/bob.py"]);
}

#[test]
fn a_folder_with_a_main_is_one_program() {
    let folder = class(&[("mine/main.py", "import helper\n"), ("mine/helper.py", "print(3)\n")]);
    let judging = programs::prepare(folder.workspace(), &request(&["sum", "mine"])).unwrap();
    assert_eq!(submissions(&judging), [(None, "mine".to_owned())]);
}

#[test]
fn what_is_not_there_is_named() {
    let folder = class(&[("ada.py", "print(3)\n")]);
    let error = |words: &[&str]| programs::prepare(folder.workspace(), &request(words)).err().unwrap();
    assert_eq!(
        error(&["sum", "adda.py"]).to_string(),
        "no such file or directory: `adda.py`\n  → did you mean `ada.py`?"
    );
    let nothing = class(&[("hand-in/notes.bin", "\0")]);
    let judging = programs::prepare(nothing.workspace(), &request(&["sum", "hand-in"])).unwrap();
    assert_eq!(submissions(&judging), [], "who submitted it is in the reports all the same");
    let empty = class(&[]);
    std::fs::create_dir(empty.path("hand-in")).unwrap();
    let judging = programs::prepare(empty.workspace(), &request(&["sum", "hand-in"])).unwrap();
    assert_eq!(submissions(&judging), []);
}

/// The table of bounds in docs/judging.md has the figures of the code.
#[test]
fn the_page_about_judging_states_the_bounds() {
    let page = include_str!("../../docs/judging.md");
    let thousands = |count: usize| format!("{},{:03}", count / 1000, count % 1000);
    let row = |name: &str, bounds: Bounds| {
        let size = |bytes: Bytes| {
            if bytes.0 < 1 << 30 { format!("{} MiB", bytes.0 >> 20) } else { format!("{} GiB", bytes.0 >> 30) }
        };
        format!("| {name} | {} | {} | {} |", size(bounds.file), size(bounds.total), thousands(bounds.entries))
    };
    for (name, bounds) in [("archive", Bounds::CLASS), ("archive inside an archive", Bounds::SUBMISSION)] {
        let row = row(name, bounds);
        assert!(page.contains(&row), "docs/judging.md has no row `{row}`");
    }
    let folder = format!("at most {} files and folders in all", thousands(Bounds::CLASS.entries));
    assert!(page.contains(&folder), "docs/judging.md does not say `{folder}`");
}
