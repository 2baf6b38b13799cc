//! 63 students in 13 shapes of exports, each with what a fair person would give. The forms of names are those of
//! `--layout list`; the people are invented.

use std::path::Path;

use macro_rules_attribute::apply;

use crate::cli::answers::zip;
use crate::cli::class_exports::{Person, SHAPES, Shape, additions, course};
use crate::cli::classes::gradebook;
use crate::cli::workspace::{SUM, Workspace};

const WRONG: &str = "read a b\necho $((a - b))\n";

/// The problems of the course.
const PROBLEMS: [&str; 2] = ["gaps", "wordcount"];

/// What a fair person gives: points, nothing for what was not submitted, or a look at it.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Fair {
    Points(u32),
    Missing,
    Look,
}
use Fair::{Look, Missing, Points};

/// What somebody submits: the problem, the name and the content of each file; and what is fair in each problem.
type Case = (&'static [(usize, &'static str, &'static str)], [Fair; 2]);

/// Files whose name ends with `.zip` contain their content under this name.
const IN_ZIP: [&str; 2] = ["gaps.sh", "src/wordcount.sh"];

const CASES: [Case; 13] = [
    (&[(0, "gaps.sh", SUM), (1, "wordcount.sh", SUM)], [Points(1), Points(1)]),
    (&[(0, "gaps.sh", SUM), (1, "wordcount.sh", WRONG)], [Points(1), Points(0)]),
    (&[(0, "gaps.sh", SUM)], [Points(1), Missing]),
    // No program, and perhaps the wrong file: the student hears of it, and the total stays empty.
    (&[(0, "gaps.pdf", "%PDF")], [Look, Missing]),
    (&[(0, "gaps.sh.txt", SUM), (1, "wordcount.sh", SUM)], [Look, Points(1)]),
    // Names that people give their files.
    (&[(0, "gaps_final.sh", SUM), (1, "Word Count.sh", SUM)], [Points(1), Points(1)]),
    (&[(0, "GAPS.SH", SUM), (1, "wordcount (1).sh", SUM)], [Points(1), Points(1)]),
    (&[(0, "gaps.zip", SUM), (1, "wordcount.zip", SUM)], [Points(1), Points(1)]),
    // Programs that fail.
    (&[(0, "gaps.sh", "exit 3\n"), (1, "wordcount.sh", SUM)], [Points(0), Points(1)]),
    (&[(0, "gaps.sh", "echo Enter two numbers:\nread a b\necho $((a + b))\n")], [Points(0), Missing]),
    (&[(0, "gaps.sh", "read a b\necho 3\n"), (1, "wordcount.sh", SUM)], [Points(0), Points(1)]),
    // What lies beside a program.
    (&[(0, "gaps.sh", SUM), (0, "README.md", "my work"), (1, "wordcount.sh", SUM)], [Points(1), Points(1)]),
    (&[(0, "gaps.sh", SUM), (0, ".DS_Store", "junk"), (1, "wordcount.sh", WRONG)], [Points(1), Points(0)]),
];

/// The 13 shapes, each with its students: 63 in all.
fn shapes() -> Vec<(Shape, Vec<(Person, Case)>)> {
    const FIRST: [&str; 9] = ["Ann", "Bo", "Cy", "Dee", "Eve", "Finn", "Gus", "Hal", "Ida"];
    const LAST: [&str; 7] = ["Lee", "Fox", "Ray", "Oh", "Berg", "Moss", "Quist"];
    // Brightspace has two forms, and one of them suffices here.
    let shapes = SHAPES.iter().enumerate().filter(|(at, _)| *at != 9).map(|(_, shape)| *shape);
    let mut everybody = (0..63).map(|n| {
        let (first, last) = (FIRST[n % 9], LAST[n / 9]);
        let login = format!("{}{}", &first[..1], last).to_lowercase() + &n.to_string();
        let person = (&*format!("{first} {last}").leak(), &*login.leak(), 100 + u32::try_from(n).unwrap());
        (person, CASES[n % CASES.len()])
    });
    let size = |at: usize| if at < 11 { 5 } else { 4 };
    shapes.enumerate().map(|(at, shape)| (shape, everybody.by_ref().take(size(at)).collect())).collect()
}

/// How the exercises lie in an export.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Exercises {
    One,
    Together,
    FolderForEach,
}

fn export(workspace: &Workspace, (platform, path): Shape, students: &[(Person, Case)], exercises: Exercises) {
    let names: &[&str] = if exercises == Exercises::FolderForEach { &PROBLEMS } else { &["HW"] };
    additions(workspace, names, &students.iter().map(|(person, _)| *person).collect::<Vec<_>>());
    for (person, (files, _)) in students {
        for (problem, name, content) in *files {
            let of = (exercises == Exercises::FolderForEach).then_some(PROBLEMS[*problem]);
            if exercises == Exercises::One && *problem > 0 {
                continue;
            }
            let place = format!("{platform}/{}", path(*person, of, name));
            if Path::new(name).extension().is_some_and(|ending| ending == "zip") {
                workspace.file(place, zip(&[(IN_ZIP[*problem], content)]));
            } else {
                workspace.file(place, content);
            }
        }
    }
}

/// The total that is fair; empty where somebody has to look.
fn fair_total(fair: &[Fair]) -> String {
    let points = fair.iter().map(|fair| match fair {
        Points(points) => Some(*points),
        Missing => Some(0),
        Look => None,
    });
    points.sum::<Option<u32>>().map(|total| total.to_string()).unwrap_or_default()
}

/// Compares every row with what is fair. All 63 are; a grade other than the fair one would be worse than an empty one.
fn compare(exercises: Exercises) {
    let (mut fair, mut students_in_all) = (0, 0);
    let mut others = Vec::new();
    for (shape, students) in shapes() {
        let platform = shape.0;
        let workspace = course();
        export(&workspace, shape, &students, exercises);
        let layout = [platform, "--layout", platform];
        let args: &[&str] = if exercises == Exercises::One { &["-p", "gaps"] } else { &[] };
        let (run, rows) = gradebook(&workspace, &[args, &layout[..]].concat());
        let of_run = if exercises == Exercises::One { 1 } else { 2 };
        // Nobody is missing, and nobody is there twice or was never there.
        assert_eq!(rows.len(), students.len() + 1, "{platform}: {rows:#?}\n{}", run.all());
        students_in_all += students.len();
        for ((name, login, number), (_, expected)) in students {
            let (first, last) = name.split_once(' ').unwrap();
            let is_theirs = |row: &&String| {
                let of = row.split(',').next().unwrap_or_default();
                of.contains(login) || of.contains(&number.to_string()) || of.contains(first) && of.contains(last)
            };
            let row = rows[1..].iter().find(is_theirs).unwrap_or_else(|| panic!("{platform}: {name}: {rows:#?}"));
            let cells: Vec<&str> = row.split(',').collect();
            let expect = fair_total(&expected[..of_run]);
            let total = cells[1 + of_run];
            // An empty total makes somebody look, which is no wrong grade.
            assert!(total == expect || total.is_empty(), "{platform}: {row}, {expected:?}\n{}", run.all());
            if total == expect {
                fair += 1;
            } else {
                others.push(format!("{platform}: {row}, {expected:?}"));
            }
        }
    }
    assert_eq!(students_in_all, 63);
    assert_eq!(fair, 63, "{exercises:?}: {fair} of 63 are fair; these are not: {others:#?}");
}

#[apply(cli_test)]
fn exports_of_one_exercise() {
    compare(Exercises::One);
}

#[apply(cli_test)]
fn exports_of_several_exercises() {
    compare(Exercises::Together);
}

#[apply(cli_test)]
fn exports_with_a_folder_for_each_exercise() {
    compare(Exercises::FolderForEach);
}
