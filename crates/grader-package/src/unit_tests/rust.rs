//! Unit tests in Rust: functions `#[test]`, as in the folder `tests/` of a crate. rustc's own runner runs them in the process of
//! the solution, which is held to safe code without files, processes and threads ([`refusal`]). That process never has the word
//! of the report: `driver/units/run.sh`, which starts it, has it.

use std::collections::BTreeSet;
use std::path::Path;

use super::{FOLDER, Named, Programs, Runner, TestFiles, Unfit, UnitTest, UnknownTest, points_at};
use crate::driver;
use words::{CRATES, Piece, Word, words};

mod refusal;
mod words;

pub(super) const ROW: Runner = Runner {
    code: "rust",
    language: "Rust",
    endings: &["rs"],
    is_name: |name| name.strip_suffix(".rs").is_some_and(driver::is_identifier),
    tests_in,
    programs,
    refusal: |files, _| refusal::refusal(files),
    example: "#[test] fn mean_of_two() { … }",
    library: "",
};

/// A module that is open.
struct Module<'t> {
    name: &'t str,
    /// The brackets that are open inside it.
    depth: usize,
}

/// The tests of a file, in its order: `mean_of_two`, or `empty.panics` in `mod empty`.
fn tests_in(text: &str) -> Result<Vec<UnitTest>, UnknownTest> {
    let lines: Vec<&str> = text.lines().collect();
    let pieces = words(text).map_err(|line| UnknownTest { line })?;
    let mut open: Vec<Module<'_>> = Vec::new();
    let mut tests: Vec<UnitTest> = Vec::new();
    let mut depth = 0_usize;
    let mut is_test = false;
    for (at, piece) in pieces.iter().enumerate() {
        match &piece.word {
            Word::Open(_) => depth += 1,
            Word::Close(_) => {
                depth = depth.saturating_sub(1);
                open.retain(|module| module.depth <= depth);
            }
            Word::Name(name) if name == "test" => {
                let is_open = at > 1 && pieces[at - 1].is_open('[') && pieces[at - 2].is_sign('#');
                is_test |= is_open && pieces.get(at + 1).is_some_and(|next| next.is_close(']'));
            }
            Word::Name(keyword) => match pieces.get(at + 1).and_then(Piece::name) {
                Some(name) if keyword == "mod" => open.push(Module { name, depth: depth + 1 }),
                Some(name) if keyword == "fn" && std::mem::take(&mut is_test) => {
                    let path: Vec<&str> = open.iter().map(|module| module.name).chain([name]).collect();
                    let line = pieces[at + 1].line;
                    let input = path.join("::");
                    if tests.iter().any(|test| test.input == input) {
                        return Err(UnknownTest { line });
                    }
                    let points = points_at(&lines, line, &tests);
                    tests.push(UnitTest::new(path.join("."), input, points));
                }
                _ => {}
            },
            _ => {}
        }
    }
    Ok(tests)
}

/// The crate of the solution: the only one that the tests use beside Rust's own.
fn solution_of(pieces: &[Piece]) -> Result<String, Unfit> {
    let is_other = |name: &&str| {
        let is_ours = CRATES.contains(name) || ["crate", "self", "super"].contains(name);
        !is_ours && name.starts_with(|c: char| c.is_lowercase() || c == '_')
    };
    let name_at = |at: usize| pieces.get(at).and_then(Piece::name);
    let after = |keyword: &'static str| {
        let at = (0..pieces.len()).filter(move |at| name_at(*at) == Some(keyword));
        at.filter_map(move |at| (at + 1..at + 4).find(|at| !pieces.get(*at).is_some_and(|one| one.is_sign(':'))))
    };
    let linked = (1..pieces.len()).filter(|at| name_at(at - 1) == Some("extern")).map(|at| at + 1);
    let modules: BTreeSet<&str> = after("mod").filter_map(name_at).collect();
    let mut used: BTreeSet<&str> = after("use").chain(linked).filter_map(name_at).collect();
    if !used.iter().any(|name| is_other(name) && !modules.contains(name)) {
        // Paths without an import: `stats::mean(…)`.
        let is_root = |at: &usize| {
            let is_path = pieces.get(at + 1).is_some_and(|one| one.is_sign(':'))
                && pieces.get(at + 2).is_some_and(|one| one.is_sign(':'));
            is_path && !(*at > 0 && pieces[at - 1].is_sign(':'))
        };
        let imported: BTreeSet<&str> = after("use")
            .flat_map(|at| pieces[at..].iter().take_while(|one| !one.is_sign(';')).filter_map(Piece::name))
            .collect();
        let roots = (0..pieces.len()).filter(is_root).filter_map(name_at);
        used.extend(roots.filter(|name| !imported.contains(name) && !words::PRELUDE.contains(name)));
    }
    let others: Vec<&str> = used.into_iter().filter(|name| is_other(name) && !modules.contains(name)).collect();
    match &others[..] {
        [one] => Ok((*one).to_owned()),
        [] => Err(Unfit {
            message: "the tests use nothing of the solution's crate".to_owned(),
            remedy: "import it, as in a crate's folder tests/: use stats::mean;",
        }),
        several => Err(Unfit {
            message: format!("the tests use the crates {}, and only that of the solution is there", several.join(", ")),
            remedy: "import only `std` and the solution",
        }),
    }
}

fn programs(files: &TestFiles<'_>) -> Result<Programs, Unfit> {
    let own = (files.name, files.text.as_bytes());
    let all = [own].into_iter().chain(files.beside.iter().map(|(name, bytes)| (&**name, &**bytes)));
    let mut pieces = Vec::new();
    let mut beside: Vec<Named> = Vec::new();
    for (name, bytes) in all {
        if Path::new(name).extension().is_some_and(|ending| ending == "rs") {
            pieces.extend(words(&String::from_utf8_lossy(bytes)).map_err(|line| Unfit {
                message: format!("{name}, line {line}: a bracket, a text or a comment without its end"),
                remedy: "write what rustc compiles",
            })?);
        }
        beside.push((format!("{FOLDER}/tests/{name}"), bytes.to_vec()));
    }
    let solution = solution_of(&pieces)?;
    for &(name, text) in driver::UNITS_IN_RUST {
        let filled = text.replace("@CRATE@", &solution).replace("@TESTS@", files.name);
        beside.push((format!("{FOLDER}/{name}"), filled.into_bytes()));
    }
    Ok(Programs { judge: driver::judging_units(), beside })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_gives_points_to_one_test() {
        let text = "// points: 5\n#[test] fn a() {}\n#[test] fn b() {} // points: 4\n#[test] fn c() {}\n";
        let points: Vec<f64> = tests_in(text).unwrap().iter().map(|test| test.points).collect();
        assert_eq!(points, [5.0, 4.0, 1.0]);
    }

    #[test]
    fn tests_have_attributes() {
        let text = r##"use stats::mean;
// #[test] fn in_comment() {}
// points: 3
#[test]
#[should_panic(expected = "empty")]
fn mean_of_nothing() { mean(&[]); }
const TEXT: &str = r#"#[test] fn in_text() {}"#;
fn helper() { if true { #[cfg(test)] fn inner() {} } }
mod empty {
    mod deep { #[test] pub fn one() -> Result<(), String> { Ok(()) } }
    use super::*;
    #[test] fn two() {} // points: 2.5
}
#[test]
fn two() {}
"##;
        let found = tests_in(text).unwrap();
        let found: Vec<(&str, &str, f64)> = found.iter().map(|one| (&*one.name, &*one.input, one.points)).collect();
        let expected = [
            ("mean_of_nothing", "mean_of_nothing", 3.0),
            ("empty.deep.one", "empty::deep::one", 1.0),
            ("empty.two", "empty::two", 2.5),
            ("two", "two", 1.0),
        ];
        assert_eq!(found, expected);
        assert_eq!(tests_in("#[test] fn a() {}\n#[test] fn a() {}"), Err(UnknownTest { line: 2 }));
    }

    #[test]
    fn the_crate_of_the_solution_is_the_only_other_one() {
        let solution = |text: &str| solution_of(&words(text).unwrap()).map_err(|unfit| unfit.message);
        assert_eq!(
            solution("use stats::{mean, Stack};\nuse std::fmt;\nmod common;\nuse common::f;"),
            Ok("stats".to_owned())
        );
        assert_eq!(solution("use ::my_stats::*;"), Ok("my_stats".to_owned()));
        assert_eq!(solution("extern crate stats;\nuse stats::*;"), Ok("stats".to_owned()));
        assert_eq!(
            solution("use std::fmt;\nfn a() { stats::mean(fmt::x, f64::MAX, crate::y) }"),
            Ok("stats".to_owned())
        );
        assert!(solution("use proptest::prelude::*;\nuse stats::mean;").unwrap_err().contains("proptest, stats"));
        assert!(solution("fn a() { let x: i32 = i32::MAX; }").unwrap_err().contains("nothing"));
    }
}
