//! `grader accept`: updates answers with the reference's output, after the user has reviewed each change.

use std::io;

use anyhow::{Context as _, Result};
use clap::Args;
use console::{Key, Term};

use super::arguments::{HandArgs, LookArgs, ReferenceArgs, open};
use super::cases::{Page, Sides, clean};
use crate::authoring::accept::{Change, Changes, cases};
use crate::authoring::case_editor::{CaseEditor, Changeable};
use crate::cli::confirm::can_ask;
use crate::cli::exit::ExitStatus;
use crate::package::cases::Staging;
use crate::report::text::{Line, Style, quote};
use crate::session::authored::names_of_parts;
use crate::session::slot::by_hand;
use crate::workspace::Workspace;
use crate::workspace::ending::EarlyEnd;

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

/// The user's decision about one change.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Choice {
    Accept,
    AcceptAll,
    Reject,
    Skip,
    Quit,
}

/// Compares answers, asks, rewrites them, and returns the worst exit status.
pub(super) fn run(args: &AcceptArgs) -> Result<ExitStatus> {
    let workspace = open(args.look.add_to(args.how.options()))?.for_own_programs();
    let mut worst = ExitStatus::Success;
    for problem in names_of_parts(&workspace, &args.problem) {
        worst = worst.max(one_problem(args, &workspace, &problem)?);
    }
    Ok(worst)
}

fn one_problem(args: &AcceptArgs, workspace: &Workspace, problem: &str) -> Result<ExitStatus> {
    let language = args.how.language.language(&workspace.languages)?;
    let editor = CaseEditor::open(workspace, problem, Changeable::AnyNames)?
        .by_reference(args.reference.reference.as_deref())?
        .judged_by(args.how.checker.output_validator(&workspace.start)?)?;
    let page = Page::new(workspace);
    let tests = cases(workspace, &editor, &args.tests)?;
    let editor = editor.timed(workspace)?;
    let staging = Staging::new(&editor.data).context("cannot write answers")?;
    by_hand(workspace, [&*editor.problem.dir], |bench| {
        let found = Changes::find(workspace, bench, &editor, &tests, language.as_deref(), &staging)?;
        decide(args.yes, problem, &page, &found)
    })
}

/// Shows each change, asks for a decision, and writes accepted answers.
fn decide(accept_all: bool, problem: &str, page: &Page, found: &Changes) -> Result<ExitStatus> {
    let can_ask = can_ask();
    let mut all = accept_all;
    let mut written = 0;
    let mut left = Vec::new();
    for (n, change) in found.pending.iter().enumerate() {
        page.print(&lines(page, change, found.word, n + 1, found.pending.len()))?;
        let decision = match (all, can_ask) {
            (true, _) => Choice::Accept,
            (false, true) => ask()?,
            (false, false) => Choice::Skip,
        };
        all = all || decision == Choice::AcceptAll;
        match decision {
            Choice::Accept | Choice::AcceptAll => {
                change.write()?;
                written += 1;
                let text = format!("  wrote the answer of {}", clean(&change.place.id()));
                page.print(&[Line::new().with(&text, Style::GOOD)])?;
            }
            Choice::Reject => left.push((change, "rejected")),
            Choice::Skip => left.push((change, "skipped")),
            Choice::Quit => {
                left.extend(found.pending[n..].iter().map(|change| (change, "not decided")));
                break;
            }
        }
    }
    let mut lines = vec![summary(found, written, &left)];
    if !can_ask && !accept_all {
        for (change, _) in &left {
            let problem = quote(problem);
            let test = quote(&change.place.id());
            lines.push(Line::from(format!("  grader accept {problem} {test} --yes").as_str()));
        }
    }
    page.print(&lines)?;
    Ok(if left.is_empty() && found.failed == 0 { ExitStatus::Success } else { ExitStatus::Unexpected })
}

fn lines(page: &Page, change: &Change, word: &str, n: usize, all: usize) -> Vec<Line> {
    let what = if change.old.is_some() { "another answer" } else { "no answer yet" };
    let head = Line::new().with("✗ ", Style::NOTICE).with(&clean(&change.place.id()), Style::STRONG);
    let mut lines = vec![head.with(&format!("  {what} ({n} of {all})"), Style::NOTICE)];
    lines.extend(page.file("input", &change.place.input()));
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
                return Err(EarlyEnd::Interrupted(2).into());
            }
            Err(error) => return Err(error.into()),
        };
        term.write_line("")?;
        return Ok(decision);
    }
}

fn summary(found: &Changes, written: usize, left: &[(&Change, &str)]) -> Line {
    let mut parts = vec![format!("{written} written")];
    for what in ["rejected", "skipped", "not decided"] {
        let n = left.iter().filter(|(_, why)| *why == what).count();
        if n > 0 {
            parts.push(format!("{n} {what}"));
        }
    }
    parts.push(format!("{} unchanged", found.same));
    if found.spelt > 0 {
        parts.push(format!("{} of them written differently but equal by the checker", found.spelt));
    }
    if found.failed > 0 {
        parts.push(format!("{} on which the {} fails", found.failed, found.word));
    }
    Line::from(parts.join(", ").as_str())
}
