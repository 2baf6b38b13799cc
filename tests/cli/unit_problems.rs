//! Problems with unit tests (`entry.tests`), and what the tests of every runner assert of them.

use std::collections::BTreeSet;

use crate::cli::run::{Call, Run};
use crate::cli::workspace::Workspace;

/// The problem `units` with this file of tests.
pub(crate) fn units(name: &str, tests: &str) -> Workspace {
    let workspace = Workspace::new();
    workspace.problem("units").toml(&format!("entry.tests = \"tests/{name}\"\nlimits.time_limit = 20\n"));
    workspace.file(format!("problems/units/tests/{name}"), tests);
    workspace
}

/// Asserts that the problem `units` with these tests is an error that says this.
#[track_caller]
pub(crate) fn refused(name: &str, tests: &str, told: &str) {
    units(name, tests).run(&[]).status(2).says(told);
}

/// Asserts that these tricks get nothing: each test is judged, and none is passed. `accepted`: the honest solution.
#[track_caller]
pub(crate) fn get_nothing(run: &Run, accepted: &str, tricks: usize) {
    run.ends(accepted, "AC", "met");
    let mut tried = BTreeSet::new();
    let (honest, others): (Vec<_>, Vec<_>) =
        run.of("test_finished").partition(|event| event["of"]["submission"] == accepted);
    for finished in &others {
        assert_eq!(finished["result"]["result"], "judged", "{finished}");
        assert_ne!(finished["result"]["verdict"], "AC", "{finished}");
        tried.insert(finished["of"]["submission"].to_string());
    }
    assert_eq!(others.len(), tried.len() * honest.len(), "{}", run.stdout);
    let refused = run.of("submission_finished").filter(|event| event["verdict"] == "CE").count();
    assert_eq!(tried.len() + refused, tricks, "{}", run.stdout);
}

/// A class that was judged in the problem `units`.
pub(crate) struct JudgedClass {
    grades: String,
    /// The document for Gradescope.
    pub(crate) feedback: String,
}

impl JudgedClass {
    /// Judges the folder `students`.
    #[track_caller]
    pub(crate) fn of(workspace: &Workspace, status: i32) -> (Self, Run) {
        let judge =
            ["judge", "students", "--problem", "units", "--report", "csv=grades.csv", "--report", "gradescope=g.json"];
        let run = workspace.grader(&judge);
        run.status(status);
        (Self { grades: workspace.read("grades.csv"), feedback: workspace.read("g.json") }, run)
    }

    /// Asserts the points of students.
    #[track_caller]
    pub(crate) fn points(&self, students: &[(&str, f64)]) {
        let points = |student: &str| -> f64 {
            let lines = self.grades.lines().filter(|line| line.contains(&format!("/{student}")));
            lines.filter_map(|line| line.split(',').nth(5)?.parse::<f64>().ok()).sum()
        };
        let found: Vec<(&str, f64)> = students.iter().map(|(student, _)| (*student, points(student))).collect();
        assert_eq!(found, students, "{}", self.grades);
    }
}

/// A call on a machine where these folders are empty.
pub(crate) fn without(call: Call, folders: &[&str]) -> Call {
    let hide =
        "for folder in $FOLDERS; do [ ! -d $folder ] || mount -t tmpfs none $folder || exit; done; exec \"$0\" \"$@\"";
    let call = call.env("FOLDERS", folders.join(" "));
    call.behind(&["unshare", "--mount", "--propagation", "private", "sh", "-c", hide])
}
