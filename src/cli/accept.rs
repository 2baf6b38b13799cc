//! `grader accept`: updates answers with the reference's output, after the user has reviewed each change.

use std::io;
use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use clap::Args;
use console::{Key, Term};

use super::arguments::{HandArgs, LookArgs, ReferenceArgs, open};
use super::cases::{Page, Sides, clean};
use crate::authoring::case_editor::{CaseEditor, CasePlace};
use crate::authoring::programs::{Answered, Judges, Solver, rejection_words};
use crate::authoring::reference::remedy;
use crate::cli::confirm::can_ask;
use crate::cli::exit::ExitStatus;
use crate::engine::bench::{Assessment, Bench};
use crate::event::Severity;
use crate::package::cases::{Staging, move_all};
use crate::problem::{AnswerFile, CaseInput, Checker, ProblemKind, TestGroup};
use crate::report::text::{Line, Style, quote};
use crate::session::slot::by_hand;
use crate::workspace::ending::{Ended, no_submission, not_judged};

/// Updates answers after a change of the reference, case by case
#[derive(Debug, Args)]
#[command(after_help = "On a terminal, grader shows each answer that would change, and one key decides: a accept, r \
    reject, s skip (leave it for later), A accept all, q quit. If the checker accepts the old answer, that answer stays. grader creates \
    missing answers.\n\nExit status: 0 every answer agrees with the reference, 1 some are not, or the reference fails on a \
    case, 2 usage, configuration or problem error, 3 a judge is broken, 129/130/143 interrupted.")]
pub(super) struct AcceptArgs {
    /// Problem name or folder
    problem: String,
    /// Update only these tests: a name, a group, a prefix or a glob
    tests: Vec<String>,
    /// Accept every change without asking
    #[arg(short, long)]
    yes: bool,
    #[command(flatten, next_help_heading = "Execution options")]
    reference: ReferenceArgs,
    #[command(flatten, next_help_heading = "Execution options")]
    how: HandArgs,
    #[command(flatten, next_help_heading = "Display options")]
    look: LookArgs,
}

/// An answer that would change.
struct Change {
    place: CasePlace,
    checker: Checker,
    /// The new output of the reference, in a staging file.
    new: PathBuf,
    /// The current answer with the judge's assessment about the new one; none if the answer is missing.
    old: Option<(PathBuf, Assessment)>,
}

/// The results of comparing all cases.
#[derive(Default)]
struct Looked {
    changes: Vec<Change>,
    /// The number of answers that stay, and how many of them differ in bytes from the new output.
    same: usize,
    spelt: usize,
    /// The number of cases on which the reference fails.
    failed: usize,
    /// The word for the reference in messages.
    word: &'static str,
}

/// The user's decision about one change.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Choice {
    Accept,
    AcceptAll,
    Reject,
    Skip,
    Quit,
}

/// Compares answers, asks, rewrites them, and returns the exit status.
pub(super) fn run(args: &AcceptArgs) -> Result<ExitStatus> {
    let workspace = open(args.look.add_to(args.how.options()))?;
    let language = args.how.language.language(&workspace.languages)?;
    let editor = CaseEditor::open(&workspace, &args.problem)?
        .by_reference(args.reference.reference.as_deref())?
        .judged_by(args.how.checker.output_validator(&workspace.start)?)?;
    let page = Page::new(&workspace);
    let kind = editor.problem.kind;
    if kind.is_led_by_validator() || kind == ProblemKind::SubmitAnswer {
        bail!("{} is of type {}: programs do not print its answers", editor.problem.id, kind.name());
    }
    let tests = editor.meant(&workspace, &args.tests)?;
    if tests.is_empty() {
        bail!("{} has no test case\n  → add some: grader add {}", editor.problem.id, editor.problem.id);
    }
    let editor = editor.timed(&workspace)?;
    let staging = Staging::new(&editor.data).context("cannot write answers")?;
    by_hand(&workspace, [&*editor.problem.dir], |bench| {
        let looked = look(bench, &editor, &page, &tests, language.as_deref(), &staging)?;
        decide(args, &page, &looked)
    })
}

/// Runs the reference on every case and collects the changes.
fn look(
    bench: &mut Bench<'_>,
    editor: &CaseEditor,
    page: &Page,
    tests: &[(TestGroup, CasePlace)],
    language: Option<&str>,
    staging: &Staging,
) -> Result<Looked> {
    let problem = &editor.problem;
    let Some(reference) = problem.reference.map(|at| &problem.submissions[at]) else {
        bail!("{} has no {} to make answers with\n  → {}", problem.id, problem.reference_word(), remedy(problem));
    };
    let judges = Judges::build(bench, problem)?;
    let solver = Solver::build_own(bench, problem, reference, language).map_err(no_submission)?;
    let mut looked = Looked { word: problem.reference_word(), ..Looked::default() };
    for (n, (group, place)) in tests.iter().enumerate() {
        let new = staging.path(&format!("answer-{n}"));
        let case = group.cases.iter().find(|case| *case.name == *place.name);
        let setting = case.map_or_else(|| group.setting(), |case| group.setting_of(case));
        let input = CaseInput { group, setting, path: place.file("in") };
        match judges.answer(bench, &solver, &input).map_err(not_judged)? {
            Answered::Output { output, .. } => output.save(&new)?,
            Answered::Fails(rejection) => {
                let word = looked.word;
                let message = format!("the {word} {} fails on it: {}", solver.name, rejection_words(&rejection));
                let remedy = format!("fix the {word}: the answer stays unchanged");
                page.notice(Severity::Error, Some(&place.id()), &message, &remedy);
                looked.failed += 1;
                continue;
            }
        }
        let checker = bench.resources.checker_for(problem, input.setting.checker);
        let old = match case.filter(|case| case.answer != AnswerFile::Missing).and_then(|case| group.answer_of(case)) {
            None => None,
            Some(old) => {
                let found = judges.check(bench, &input, &old, &new, Some(&solver)).map_err(not_judged)?;
                if found.rejection.is_none() {
                    looked.same += 1;
                    // The judge has already compared both files, so a read error here affects only this count.
                    looked.spelt += usize::from(std::fs::read(&old).ok() != std::fs::read(&new).ok());
                    continue;
                }
                Some((old, found))
            }
        };
        looked.changes.push(Change { place: place.clone(), checker, new, old });
    }
    Ok(looked)
}

/// Shows each change, asks for a decision, and writes accepted answers.
fn decide(args: &AcceptArgs, page: &Page, looked: &Looked) -> Result<ExitStatus> {
    let can_ask = can_ask();
    let mut all = args.yes;
    let mut written = 0;
    let mut left = Vec::new();
    for (n, change) in looked.changes.iter().enumerate() {
        page.print(&lines(page, change, looked.word, n + 1, looked.changes.len()))?;
        let decision = match (all, can_ask) {
            (true, _) => Choice::Accept,
            (false, true) => ask()?,
            (false, false) => Choice::Skip,
        };
        all = all || decision == Choice::AcceptAll;
        match decision {
            Choice::Accept | Choice::AcceptAll => {
                write(change)?;
                written += 1;
                let text = format!("  wrote the answer of {}", clean(&change.place.id()));
                page.print(&[Line::new().with(&text, Style::GOOD)])?;
            }
            Choice::Reject => left.push((change, "rejected")),
            Choice::Skip => left.push((change, "skipped")),
            Choice::Quit => {
                left.extend(looked.changes[n..].iter().map(|change| (change, "not decided")));
                break;
            }
        }
    }
    let mut lines = vec![summary(looked, written, &left)];
    if !can_ask && !args.yes {
        for (change, _) in &left {
            let (problem, test) = (quote(&args.problem), quote(&change.place.id()));
            lines.push(Line::from(format!("  grader accept {problem} {test} --yes").as_str()));
        }
    }
    page.print(&lines)?;
    Ok(if left.is_empty() && looked.failed == 0 { ExitStatus::Success } else { ExitStatus::Unexpected })
}

fn lines(page: &Page, change: &Change, word: &str, n: usize, all: usize) -> Vec<Line> {
    let what = if change.old.is_some() { "another answer" } else { "no answer yet" };
    let head = Line::new().with("✗ ", Style::NOTICE).with(&clean(&change.place.id()), Style::STRONG);
    let mut lines = vec![head.with(&format!("  {what} ({n} of {all})"), Style::NOTICE)];
    lines.extend(page.file("input", &change.place.file("in")));
    match &change.old {
        None => lines.extend(page.file("new", &change.new)),
        Some((old, found)) => {
            let sides = Sides { answer: "answer", answer_file: old, output: word, output_file: &change.new };
            lines.extend(page.difference(&sides, found, change.checker));
        }
    }
    lines
}

/// Asks for a decision by one key.
fn ask() -> Result<Choice> {
    let term = Term::stderr();
    term.write_str("  a accept, r reject, s skip, A accept all, q quit? ")?;
    loop {
        let decision = match term.read_key() {
            Ok(Key::Char('a' | 'y')) => Choice::Accept,
            Ok(Key::Char('A')) => Choice::AcceptAll,
            Ok(Key::Char('r' | 'n')) => Choice::Reject,
            Ok(Key::Char('s')) => Choice::Skip,
            Ok(Key::Char('q') | Key::Escape) => Choice::Quit,
            Ok(_) => continue,
            // The terminal also raises Ctrl-C as a signal, which ends the process.
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {
                term.write_line("")?;
                return Err(Ended::Interrupted(2).into());
            }
            Err(error) => return Err(error.into()),
        };
        term.write_line("")?;
        return Ok(decision);
    }
}

/// Replaces the old answer with the new one. If the answer was missing, it must still be missing.
fn write(change: &Change) -> Result<()> {
    match &change.old {
        Some((old, _)) => std::fs::rename(&change.new, old).with_context(|| format!("cannot write {}", old.display())),
        None => Ok(move_all(&[(change.new.clone(), change.place.file("ans"))])?),
    }
}

fn summary(looked: &Looked, written: usize, left: &[(&Change, &str)]) -> Line {
    let mut parts = vec![format!("{written} written")];
    for what in ["rejected", "skipped", "not decided"] {
        let n = left.iter().filter(|(_, why)| *why == what).count();
        if n > 0 {
            parts.push(format!("{n} {what}"));
        }
    }
    parts.push(format!("{} unchanged", looked.same));
    if looked.spelt > 0 {
        parts.push(format!("{} of them written differently but equal by the checker", looked.spelt));
    }
    if looked.failed > 0 {
        parts.push(format!("{} on which the {} fails", looked.failed, looked.word));
    }
    Line::from(parts.join(", ").as_str())
}
