//! Hydro: an archive with one folder for each problem, whose tests are described by `testdata/config.yaml`.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use serde::Serialize;

use super::comparison::flags;
use super::draft::Draft;
use super::foreign::{
    Judge, PointsGroup, TextStatements, comparison, group_points, judge_of, statement_texts, unexpressed,
    without_programs,
};
use super::listing::unicode;
use super::placed::{PlacedCase, SAMPLE, place};
use super::statements::{HYDRO_FILES, HYDRO_LINK};
use super::subject::Subject;
use super::yaml::Number;
use super::{ArchiveLayout, ExportError, Target, statements};
use crate::problem::{Aggregation, Checker, Protocol, StandardChecker};

pub(super) const TARGET: Target = Target {
    name: "hydro",
    summary: "Hydro",
    archive: ArchiveLayout::Folders,
    shows_page: false,
    says: &["keywords"],
    labels_by_points: false,
    draft,
};

/// `problem.yaml`.
#[derive(Serialize)]
struct Metadata<'a> {
    pid: &'a str,
    title: &'a str,
    tag: Vec<String>,
}

/// `testdata/config.yaml`.
#[derive(Serialize)]
struct Config {
    r#type: &'static str,
    time: String,
    memory: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    filename: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    checker_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    checker: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    interactor: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    judge_extra_files: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    user_extra_files: Vec<String>,
    subtasks: Vec<Subtask>,
}

#[derive(Serialize)]
struct Subtask {
    id: usize,
    score: Number,
    r#type: &'static str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    r#if: Vec<usize>,
    cases: Vec<Case>,
}

#[derive(Serialize)]
struct Case {
    input: String,
    output: String,
    /// The points of the case, in a subtask that adds them up.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<Number>,
}

const DATA: &str = "testdata";
/// The most tests, and their most time together, that it judges by its usual settings.
const MOST_TESTS: usize = 100;
const MOST_TIME: Duration = Duration::from_secs(60);
/// The points of a problem.
const ALL_POINTS: f64 = 100.0;

fn draft(subject: &Subject<'_>, draft: &mut Draft) -> Result<(), ExportError> {
    let problem = subject.problem;
    unexpressed(subject, draft, "Hydro");
    without_programs(subject, draft, "Hydro");
    let metadata =
        Metadata { pid: &subject.name, title: subject.description.title(), tag: subject.description.words("keywords") };
    draft.yaml("problem.yaml", &metadata)?;
    let target = TextStatements {
        judge: "Hydro",
        // It shows such blocks as samples.
        sample: |number, is_input| format!("```{}{number}", if is_input { "input" } else { "output" }),
        has_translations: true,
        pictures: Some((HYDRO_FILES, HYDRO_LINK)),
    };
    match &statement_texts(subject, draft, target)?[..] {
        [] => draft.miss("a statement", "Hydro shows problem.md, in Markdown"),
        [(_, text)] => draft.text("problem.md", text.clone()),
        // Hydro reads these if there is no `problem.md`.
        texts => {
            for (language, text) in texts {
                draft.text(&format!("problem_{language}.md"), text.clone());
            }
        }
    }
    let mut config = Config {
        r#type: "default",
        time: format!("{}ms", subject.time_limit().as_millis()),
        memory: format!("{}m", subject.memory()),
        filename: None,
        checker_type: None,
        checker: None,
        interactor: None,
        judge_extra_files: Vec::new(),
        user_extra_files: Vec::new(),
        subtasks: Vec::new(),
    };
    judges(subject, draft, &mut config)?;
    for (language, files) in &problem.additions.include {
        if language != crate::problem::DEFAULT_INCLUDE {
            draft.lose(format!("include/{language}/"), "Hydro adds the same files to submissions in all languages");
        }
        for (name, from) in files.files() {
            let name = unicode(name)?;
            draft.source(&format!("{DATA}/{name}"), &from, &problem.additions.constants)?;
            config.user_extra_files.push(name.to_owned());
        }
    }
    let placed = place(subject, draft, 1);
    config.filename = file_name(&placed, draft);
    config.subtasks = subtasks(subject, draft, &placed);
    for one in &placed {
        draft.copy(&format!("{DATA}/{}", flat(one, "in")), &one.input());
        match &one.answer {
            Some(answer) => draft.copy(&format!("{DATA}/{}", flat(one, "out")), answer),
            None => draft.text(&format!("{DATA}/{}", flat(one, "out")), ""),
        }
    }
    let tests: usize = config.subtasks.iter().map(|subtask| subtask.cases.len()).sum();
    if tests > MOST_TESTS {
        draft.miss(
            format!("fewer than {tests} tests"),
            format!("its setting testcases_max is {MOST_TESTS}, if nobody changed it"),
        );
    }
    let time = subject.time_limit().saturating_mul(u32::try_from(tests).unwrap_or(u32::MAX));
    if time > MOST_TIME {
        let why = format!("its setting total_time_limit is {}, if nobody changed it", MOST_TIME.as_secs());
        draft.miss(format!("less than {} s for all tests together", time.as_secs()), why);
    }
    draft.yaml(&format!("{DATA}/config.yaml"), &config)?;
    statements::attachments(subject, draft, HYDRO_FILES)
}

/// The name of a file of a case: Hydro has no folders there.
fn flat(one: &PlacedCase<'_>, ending: &str) -> String {
    format!("{}.{ending}", one.path("").replace('/', "-"))
}

/// The stem of the files that submissions read and write, if they do not use the standard streams.
fn file_name(placed: &[PlacedCase<'_>], draft: &mut Draft) -> Option<String> {
    let work = placed.first()?.setting().work;
    let input = work.files.first().and_then(|(name, _)| name.to_str().map(str::to_owned));
    let output = work.output.as_ref().and_then(|name| name.to_str().map(str::to_owned));
    let stem = input.as_ref().and_then(|name| name.strip_suffix(".in"));
    match (stem, &output) {
        (Some(stem), Some(output)) if *output == format!("{stem}.out") => Some(stem.to_owned()),
        _ => {
            if input.is_some() || output.is_some() {
                draft.lose("files of submissions", "Hydro knows NAME.in and NAME.out");
            }
            None
        }
    }
}

/// Writes the programs that judge.
fn judges(subject: &Subject<'_>, draft: &mut Draft, config: &mut Config) -> Result<(), ExportError> {
    let judge = judge_of(subject, draft, "Hydro")?;
    if subject.score_tree().is_some() && subject.validator_gives_points() {
        points_of_judge(subject, draft, &judge);
    }
    match judge {
        Judge::Comparison(Checker::Standard(standard)) if flags(Checker::Standard(standard)).is_none() => {
            own_checker(standard, config);
        }
        Judge::Comparison(checker) => {
            let Some(script) = comparison(checker, draft, "Hydro") else { return Ok(()) };
            let tail = "\n\nimport sys\n\nwith open(sys.argv[2], \"rb\") as answer:\n    sys.exit(42 if same(sys.stdin.buffer.read(), answer.read()) else 43)\n";
            draft.text(&format!("{DATA}/compare.py"), script + tail);
            config.checker = Some("compare.py".to_owned());
            // The protocol of the package format: input, answer and directory as arguments, exit codes 42 and 43.
            config.checker_type = Some("kattis");
        }
        Judge::Icpc(files) | Judge::Testlib(files) | Judge::Interactor(files) if files.is_empty() => {}
        Judge::Icpc(files) => {
            config.checker = add(draft, subject, &files, &mut config.judge_extra_files)?;
            config.checker_type = Some("kattis");
        }
        Judge::Testlib(files) => {
            config.checker = add(draft, subject, &files, &mut config.judge_extra_files)?;
            config.checker_type = Some("testlib");
        }
        Judge::Interactor(files) => {
            config.r#type = "interactive";
            config.interactor = add(draft, subject, &files, &mut config.judge_extra_files)?;
        }
        judge @ Judge::Cms(_) => {
            judge.lose(subject.problem, draft, "a checker by the protocol of CMS, which Hydro does not run");
        }
        Judge::None => {}
    }
    Ok(())
}

/// Names the checker of Hydro that compares as a standard one of testlib.
fn own_checker(standard: StandardChecker, config: &mut Config) {
    match standard {
        // Its usual one.
        StandardChecker::Lcmp => {}
        StandardChecker::Fcmp => config.checker_type = Some("strict"),
        // It has all of them, by their names.
        other => {
            config.checker_type = Some("testlib");
            config.checker = Some(other.name().to_owned());
        }
    }
}

/// Reports points of a judging program that Hydro converts or ignores.
fn points_of_judge(subject: &Subject<'_>, draft: &mut Draft, judge: &Judge) {
    let programs = subject.problem.output_validators.iter().chain(&subject.problem.interactor);
    let mut protocols = programs.map(|program| subject.protocol(program));
    let why = match judge {
        Judge::Icpc(_) => "Hydro gives an accepted test all of its points",
        Judge::Testlib(_) | Judge::Interactor(_) if protocols.any(|own| own == Protocol::TESTLIB) => {
            "Hydro takes them for a share of the points of the test"
        }
        Judge::Testlib(_) | Judge::Interactor(_) | Judge::Comparison(_) | Judge::Cms(_) | Judge::None => return,
    };
    draft.lose("points of the output validator", why);
}

/// Writes the files of a program, the first of which is built. Returns its name.
fn add(
    draft: &mut Draft,
    subject: &Subject<'_>,
    files: &[super::foreign::ProgramFile],
    extra: &mut Vec<String>,
) -> Result<Option<String>, ExportError> {
    let mut main = None;
    for (name, from) in files {
        let name = Path::new(name).file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        draft.source(&format!("{DATA}/{name}"), from, &subject.problem.additions.constants)?;
        match main {
            None => main = Some(name),
            // Hydro has its own.
            Some(_) if name == crate::protocol::TESTLIB => {}
            Some(_) => extra.push(name),
        }
    }
    Ok(main)
}

fn subtasks(subject: &Subject<'_>, draft: &mut Draft, placed: &[PlacedCase<'_>]) -> Vec<Subtask> {
    let case = |one: &PlacedCase<'_>| Case { input: flat(one, "in"), output: flat(one, "out"), score: None };
    let Some(groups) = group_points(subject, draft, "Hydro") else {
        // Every case must be accepted.
        let cases = placed.iter().map(case).collect();
        return vec![Subtask { id: 1, score: Number::Whole(100), r#type: "min", r#if: Vec::new(), cases }];
    };
    let cases_of = |group: &PointsGroup| {
        let cases: Vec<&PlacedCase<'_>> = placed.iter().filter(|one| one.folder == group.folder).collect();
        let adds = group.aggregation == Aggregation::Sum;
        let score = |one: &PlacedCase<'_>| adds.then(|| group.points_of(one, cases.len()).into());
        cases.iter().map(|one| Case { score: score(one), ..case(one) }).collect()
    };
    let names: BTreeMap<&str, usize> = (1..).zip(&groups).map(|(id, group)| (group.folder.as_str(), id)).collect();
    let mut subtasks: Vec<Subtask> = (1..)
        .zip(&groups)
        .map(|(id, group)| Subtask {
            id,
            score: group.most.into(),
            r#type: if group.aggregation == Aggregation::Sum { "sum" } else { "min" },
            r#if: group.requires.iter().filter_map(|name| names.get(name.as_str()).copied()).collect(),
            cases: cases_of(group),
        })
        .collect();
    let samples: Vec<Case> = placed.iter().filter(|one| one.folder == SAMPLE).map(case).collect();
    // Hydro gives subtasks without points the rest of 100 points.
    let is_whole = groups.iter().map(|group| group.most).sum::<f64>() >= ALL_POINTS;
    for group in groups.iter().filter(|group| group.most == 0.0 && !is_whole) {
        draft.lose(format!("no points of {}", group.folder), "Hydro gives it those that the others leave of 100");
    }
    if !samples.is_empty() && !is_whole {
        draft.leave_out("tests of the samples", "Hydro would give them the points that the others leave of 100");
    } else if !samples.is_empty() {
        let id = groups.len() + 1;
        subtasks.push(Subtask { id, score: Number::Whole(0), r#type: "min", r#if: Vec::new(), cases: samples });
    }
    subtasks
}
