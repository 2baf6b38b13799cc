//! DMOJ: `init.yml` with the test data beside it. The site itself keeps limits and statements.

use std::collections::BTreeMap;

use serde::Serialize;

use super::draft::Draft;
use super::foreign::{
    Judge, ProgramFile, TextStatements, comparison, first_judge, group_points, judge_of, lose_judge, statement_texts,
    unexpressed, without_programs,
};
use super::placed::{PlacedCase, SAMPLE, place};
use super::subject::Subject;
use super::yaml::Number;
use super::{ArchiveLayout, ExportError, Target};
use crate::problem::{Aggregation, Checker as Comparison, TokenOptions};

pub(super) const TARGET: Target = Target {
    name: "dmoj",
    summary: "DMOJ",
    archive: ArchiveLayout::Top,
    shows_page: false,
    says: &[],
    labels_by_points: false,
    draft,
};

/// `init.yml`.
#[derive(Serialize)]
struct Init {
    test_cases: Vec<Tests>,
    #[serde(skip_serializing_if = "Option::is_none")]
    checker: Option<Checker>,
    #[serde(skip_serializing_if = "Option::is_none")]
    interactive: Option<Program>,
    /// Otherwise DMOJ changes line ends.
    binary_data: bool,
    output_limit_length: u64,
}

/// A case, or a batch of cases.
#[derive(Serialize)]
struct Tests {
    #[serde(flatten)]
    case: Option<Case>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    batched: Vec<Case>,
    points: Number,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    dependencies: Vec<usize>,
}

#[derive(Serialize)]
struct Case {
    r#in: String,
    out: String,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Checker {
    /// DMOJ's own, or a function in Python.
    Named(&'static str),
    /// A program.
    Bridged { name: &'static str, args: Program },
}

#[derive(Serialize)]
struct Program {
    files: Vec<String>,
    lang: &'static str,
    r#type: &'static str,
}

/// The function of the script that DMOJ calls.
const CHECK: &str =
    "\n\ndef check(process_output, judge_output, **kwargs):\n    return same(process_output, judge_output)\n";

fn draft(subject: &Subject<'_>, draft: &mut Draft) -> Result<(), ExportError> {
    unexpressed(subject, draft, "DMOJ");
    without_programs(subject, draft, "DMOJ");
    if !subject.problem.additions.include.is_empty() {
        draft.lose("include/", "DMOJ adds no files to submissions");
    }
    let placed = place(subject, draft, 1);
    for one in &placed {
        let work = one.setting().work;
        if !work.files.is_empty() || work.output.is_some() {
            draft.lose("files of submissions", "DMOJ has the standard streams alone");
        }
        draft.copy(&one.path(".in"), &one.input());
        match &one.answer {
            Some(answer) => draft.copy(&one.path(".out"), answer),
            None => draft.text(&one.path(".out"), ""),
        }
    }
    let mut checker = None;
    let mut interactive = None;
    match judge_of(subject, draft, "DMOJ")? {
        Judge::Comparison(compared) => {
            checker = own_checker(compared).map(Checker::Named);
            if checker.is_none()
                && let Some(script) = comparison(compared, draft, "DMOJ")
            {
                draft.text("compare.py", script + CHECK);
                checker = Some(Checker::Named("compare.py"));
            }
        }
        Judge::Testlib(files) => {
            let args = program(subject, draft, files)?;
            checker = args.map(|args| Checker::Bridged { name: "bridged", args });
        }
        Judge::Interactor(files) => interactive = program(subject, draft, files)?,
        judge @ (Judge::Icpc(_) | Judge::Cms(_)) => {
            judge.lose(subject.problem, draft, "DMOJ runs checkers of testlib, and none with another protocol");
        }
        Judge::None => {}
    }
    let init = Init {
        test_cases: tests(subject, draft, &placed),
        checker,
        interactive,
        binary_data: true,
        output_limit_length: subject.output().0,
    };
    draft.yaml("init.yml", &init)?;
    let target = TextStatements {
        judge: "DMOJ",
        sample: |number, is_input| format!("## Sample {} {number}\n\n```", if is_input { "Input" } else { "Output" }),
        has_translations: false,
        pictures: None,
    };
    for (_, text) in statement_texts(subject, draft, target)? {
        draft.text("statement.md", text);
    }
    let time = subject.time_limit().as_secs_f64();
    let memory = subject.memory() << 10;
    draft.miss(format!("a time limit of {time} s and a memory limit of {memory} KiB"), "enter them on the site");
    Ok(())
}

/// The checker of DMOJ that compares so, if there is one.
fn own_checker(compared: Comparison) -> Option<&'static str> {
    let lines = TokenOptions { case_sensitive: true, line_sensitive: true, ..TokenOptions::default() };
    match compared {
        Comparison::Exact => Some("identical"),
        Comparison::Tokens(options) if options == lines => Some("standard"),
        Comparison::Unordered => Some("sorted"),
        _ => None,
    }
}

/// Writes the files of a program with testlib. Reports a language that DMOJ does not know under a name of its own here.
fn program(subject: &Subject<'_>, draft: &mut Draft, files: Vec<ProgramFile>) -> Result<Option<Program>, ExportError> {
    let Some((main, _)) = files.first() else { return Ok(None) };
    let ending = main.rsplit('.').next().unwrap_or_default();
    let lang = match ending {
        "cpp" | "cc" | "cxx" => "CPP20",
        "c" => "C",
        "py" => "PY3",
        _ => {
            if let Some(judge) = first_judge(subject.problem) {
                lose_judge(subject.problem, draft, judge, "grader knows no name for its language on DMOJ");
            }
            return Ok(None);
        }
    };
    let mut names = Vec::new();
    for (name, from) in files {
        draft.source(&name, &from, &subject.problem.additions.constants)?;
        names.push(name);
    }
    Ok(Some(Program { files: names, lang, r#type: "testlib" }))
}

fn tests(subject: &Subject<'_>, draft: &mut Draft, placed: &[PlacedCase<'_>]) -> Vec<Tests> {
    let case = |one: &PlacedCase<'_>| Case { r#in: one.path(".in"), out: one.path(".out") };
    let batch = |batched: Vec<Case>, points: f64| Tests {
        case: None,
        batched,
        points: points.into(),
        dependencies: Vec::new(),
    };
    let Some(groups) = group_points(subject, draft, "DMOJ") else {
        // The first failure of a batch ends it, and only all of it gives points.
        return vec![batch(placed.iter().map(case).collect(), 100.0)];
    };
    if placed.iter().any(|one| one.folder == SAMPLE) {
        draft.leave_out("samples", "tests without points would end the judging");
    }
    let mut tests = Vec::new();
    let mut batches: BTreeMap<String, usize> = BTreeMap::new();
    for group in groups {
        let cases: Vec<&PlacedCase<'_>> = placed.iter().filter(|one| one.folder == group.folder).collect();
        if group.aggregation == Aggregation::Sum {
            if !group.requires.is_empty() {
                draft.lose(format!("require_pass of {}", group.folder), "only batches depend on others");
            }
            for one in &cases {
                let points = group.points_of(one, cases.len());
                if points.fract() != 0.0 {
                    draft.lose(format!("points of {}", one.path("")), "DMOJ has whole points");
                }
                tests.push(Tests { case: Some(case(one)), ..batch(Vec::new(), points) });
            }
            continue;
        }
        let dependencies: Vec<usize> = group.requires.iter().filter_map(|name| batches.get(name).copied()).collect();
        if dependencies.len() < group.requires.len() {
            draft.lose(format!("require_pass of {}", group.folder), "batches depend only on earlier batches");
        }
        batches.insert(group.folder, batches.len() + 1);
        tests.push(Tests { dependencies, ..batch(cases.into_iter().map(case).collect(), group.most) });
    }
    tests
}
