//! Shows which wrong submissions fail on new cases.

use std::sync::Arc;

use anyhow::Result;

use super::{LISTED, SHOWN};
use crate::authoring::add::AddedCases;
use crate::authoring::case_editor::CaseEditor;
use crate::authoring::draft::PlacedCase;
use crate::cli::cases::{Page, clean, labelled};
use crate::cli::exit::ExitStatus;
use crate::diagnostic::Severity;
use crate::event::{Standing, Verb};
use crate::plan::Plan;
use crate::problem::{AnswerFile, Expectation, Problem, Submission, TestCase, TestGroup, Timing};
use crate::record::{Report, TestSummary};
use crate::report::text::{Line, Style};
use crate::session::derived_limits::time_limit_of;
use crate::session::{Role, RunEnd, Session};
use crate::verdict::Verdict;
use crate::workspace::Workspace;

/// Runs the submissions that should fail on the new cases alone, and shows which of them fail.
pub(crate) fn tell(
    workspace: &Workspace,
    AddedCases { editor, placed, .. }: &AddedCases,
    language: Option<String>,
    page: &Page,
) -> Result<ExitStatus> {
    let is_program = |submission: &&Submission| !submission.program.is_outputs();
    let wrong: Vec<(Submission, bool)> = editor
        .problem
        .submissions
        .iter()
        .filter(is_program)
        .filter(|submission| !submission.expectation.wants_all_accepted())
        // Anything is expected: a wrong submission may be right on a single case.
        .map(|submission| {
            let expectation = Expectation::open("a new case");
            (Submission { expectation, ..submission.clone() }, false)
        })
        .collect();
    if wrong.is_empty() {
        page.print(&[labelled("kills", "none: there is no wrong submission")])?;
        return Ok(ExitStatus::Success);
    }
    let (mut problem, positions) = with_new(editor, placed);
    // A limit derived from the submissions also depends on the new cases.
    problem.timing = problem.timing.map(|_| Timing::default());
    let problem = time_limit_of(workspace, &Arc::new(problem))?;
    let mut plan = Plan { all_tests: true, ..Plan::default() };
    plan.add(problem, |position| positions.contains(&position), wrong);
    let order: Vec<String> = plan.problems[0].names.iter().map(ToString::to_string).collect();
    let workspace = workspace.clone();
    let found = Vec::new();
    let session = Session::new(workspace, Role::Inner(Verb::Judge), language, found, plan);
    let RunEnd { report, signal } = session.conduct(Vec::new())?;
    if let Some(signal) = signal {
        let message = "the cases are written; interrupted before grader knew which submissions they kill";
        page.notice(Severity::Info, None, message, "");
        return Ok(ExitStatus::Interrupted(signal));
    }
    page.print(&lines(&report, &order))?;
    Ok(untold(&report, page))
}

/// The problem with the new cases included, and the positions of their tests.
fn with_new(editor: &CaseEditor, placed: &[PlacedCase]) -> (Problem, Vec<usize>) {
    let mut problem = Problem::clone(&editor.problem);
    for new in placed {
        let has_ans = new.place.file("ans").is_file();
        let answer = match &new.place.naming {
            Some(_) => AnswerFile::Named,
            None if has_ans => AnswerFile::Ans,
            None => AnswerFile::Out,
        };
        let case = TestCase { answer, ..new.case.clone() };
        let is_its = |group: &&mut TestGroup| *group.name == *new.place.group && group.naming == new.place.naming;
        if let Some(group) = problem.groups.iter_mut().find(is_its) {
            group.cases.push(case);
        } else {
            let dir = new.place.dir.clone();
            let naming = new.place.naming.clone();
            problem.groups.push(TestGroup { dir, naming, cases: vec![case], ..new.group.clone() });
        }
    }
    let ids: Vec<String> = placed.iter().map(|new| new.place.id()).collect();
    let tests = problem.tests().enumerate();
    let positions = tests.filter(|(_, test)| ids.iter().any(|id| id == test.id().as_str())).map(|(at, _)| at);
    let positions = positions.collect();
    (problem, positions)
}

/// For few cases: the submissions that fail on each. For many: the number of failures of each submission, and the cases
/// on which none fails.
fn lines(report: &Report, order: &[String]) -> Vec<Line> {
    let deaths = |at: usize| {
        let run_deaths = report
            .submissions
            .iter()
            .filter_map(move |submission| Some((submission, death(submission.tests.get(at)?)?)));
        run_deaths
            .map(|(submission, how)| format!("{} ({how})", submission.id.submission))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let killed: Vec<String> = (0..order.len()).map(deaths).collect();
    if order.len() <= SHOWN {
        let lines = order.iter().zip(&killed).map(|(test, killed)| {
            let (text, style) = if killed.is_empty() {
                ("none: no wrong submission fails on it", Style::NOTICE)
            } else {
                (&**killed, Style::PLAIN)
            };
            let of = if order.len() > 1 { format!("{test}: ") } else { String::new() };
            labelled("kills", "").with(&clean(&format!("{of}{text}")), style)
        });
        return lines.collect();
    }
    let mut lines: Vec<Line> = Vec::new();
    for submission in &report.submissions {
        let deaths = submission.tests.iter().filter(|test| death(test).is_some()).count();
        lines.push(labelled(
            "kills",
            &clean(&format!("{} on {deaths} of {} cases", submission.id.submission, order.len())),
        ));
    }
    let idle: Vec<&str> = order.iter().zip(&killed).filter(|(_, by)| by.is_empty()).map(|(test, _)| &**test).collect();
    if !idle.is_empty() {
        let more = if idle.len() > LISTED { format!(" and {} more", idle.len() - LISTED) } else { String::new() };
        let text = format!("none with {}{more}", idle[..idle.len().min(LISTED)].join(", "));
        lines.push(labelled("kills", "").with(&clean(&text), Style::NOTICE));
    }
    lines
}

/// The failure as `WA` or `TLE 2.1 s`; none for a test that was accepted or not judged.
fn death(test: &TestSummary) -> Option<String> {
    match test.verdict? {
        Verdict::Accepted => None,
        Verdict::TimeLimit => {
            let more = if test.killed { "> " } else { "" };
            Some(format!("TLE {more}{:.1} s", test.cpu().as_secs_f64()))
        }
        verdict => Some(verdict.to_string()),
    }
}

/// Reports submissions that could not be run.
fn untold(report: &Report, page: &Page) -> ExitStatus {
    let mut status = ExitStatus::Success;
    for submission in &report.submissions {
        let (severity, reason) = match submission.standing() {
            Some(Standing::NotJudged { reason }) => (Severity::Info, reason),
            Some(Standing::JudgeError { message }) => {
                status = ExitStatus::JudgeError;
                (Severity::JudgeError, message)
            }
            _ => continue,
        };
        page.notice(severity, Some(submission.id.submission.as_str()), reason, "");
    }
    status
}
