//! `grader add`: adds test cases, with answers from the reference.

mod kills;

use anyhow::Result;
use clap::Args;

use super::arguments::{HandArgs, LookArgs, ReferenceArgs, open};
use super::cases::{Page, Sides, clean, labelled};
use super::exit::ExitStatus;
use crate::authoring::add::{AddRequest, AddedCases, add};
use crate::authoring::answers::{self, Disagreement};
use crate::authoring::case_editor::{CaseEditor, Changeable, answer_ending};
use crate::report::text::{Line, Style, quote};

/// The most new cases that are shown with their contents.
const SHOWN: usize = 4;
/// The most new cases that are listed by name.
const LISTED: usize = 30;

/// Adds test cases: validates the input, computes the answer, and shows which wrong submissions fail
#[derive(Debug, Args)]
#[command(
    after_help = "Without --name, cases continue the numbering of their group; cases of a folder or a .zip keep \
    their names. grader overwrites nothing. It adds all cases or none.\n\nExit status: 0 added, 1 the case was \
    refused (a duplicate, rejected by a validator, answered differently), 2 usage, configuration or problem error, 3 \
    a validator is broken, 129/130/143 interrupted."
)]
pub(super) struct AddArgs {
    /// Problem name or folder
    problem: String,
    /// Inputs: files, folders or .zip archives with .in and .ans files, or `-` for standard input
    #[arg(value_name = "FILE")]
    files: Vec<String>,
    /// Give the answer (a file or the text itself); unless --accept decides, it must agree with the reference; in a plain folder it stays
    #[arg(long, value_name = "FILE|TEXT")]
    answer: Option<String>,
    /// Name the case (only for a single case)
    #[arg(long)]
    name: Option<String>,
    /// Add to this group, such as `secret/large` [default: secret]
    #[arg(long)]
    group: Option<String>,
    /// Create the group of --group if it does not exist
    #[arg(long, requires = "group")]
    new_group: bool,
    /// Add to the samples
    #[arg(long, conflicts_with = "group")]
    sample: bool,
    /// Describe the case; stored as its `description`
    #[arg(long, value_name = "TEXT")]
    note: Option<String>,
    /// Decide which answer to keep if --answer and the reference differ
    #[arg(long, value_name = "WHICH", value_enum)]
    accept: Option<Accept>,
    #[command(flatten, next_help_heading = "Execution options")]
    reference: ReferenceArgs,
    #[command(flatten, next_help_heading = "Execution options")]
    how: HandArgs,
    #[command(flatten, next_help_heading = "Display options")]
    look: LookArgs,
}

/// Value of `--accept`: the side whose answer is right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Accept {
    /// The output of the reference
    Reference,
    /// The answer that you gave
    Answer,
}

impl From<Accept> for answers::Accept {
    fn from(accept: Accept) -> Self {
        match accept {
            Accept::Reference => Self::Reference,
            Accept::Answer => Self::Answer,
        }
    }
}

/// Adds the cases and returns the exit status.
pub(super) fn run(args: &AddArgs) -> Result<ExitStatus> {
    let workspace = open(args.look.add_to(args.how.options()))?.for_own_programs();
    let language = args.how.language.language(&workspace.languages)?;
    let output_validator = args.how.checker.output_validator(&workspace.start)?;
    let editor = CaseEditor::open(&workspace, &args.problem, Changeable::AnyNames)?
        .by_reference(args.reference.reference.as_deref())?
        .judged_by(output_validator)?;
    let page = Page::new(&workspace);
    let request = AddRequest {
        files: args.files.clone(),
        answer: args.answer.clone(),
        name: args.name.clone(),
        group: args.group.clone(),
        new_group: args.new_group,
        sample: args.sample,
        note: args.note.clone(),
        accept: args.accept.map(Into::into),
        command: command(),
    };
    let mut differ = |found: &Disagreement<'_>| page.print(&disagreement(&page, found));
    let added = add(&workspace, editor, &request, language.as_deref(), &mut differ)?;
    show(&page, &added)?;
    kills::tell(&workspace, &added, language, &page)
}

/// The input, the answer and the programs that disagree with it.
fn disagreement(page: &Page, found: &Disagreement<'_>) -> Vec<Line> {
    let mut lines = page.file("input", found.input);
    lines.extend(page.file("answer", found.answer));
    for dissent in found.dissents {
        let head = format!("{} and {} differ", found.says, dissent.who);
        lines.push(Line::new().with("✗ ", Style::BAD).with(&clean(&head), Style::STRONG));
        match &dissent.output {
            Some((output, assessment)) => {
                let answer = found.says;
                let output_name = dissent.who.as_str();
                let sides = Sides { answer, answer_file: found.answer, output: output_name, output_file: output };
                lines.extend(page.difference(&sides, assessment, found.checker));
            }
            None => lines.push(Line::from(format!("  {}: {}", clean(&dissent.who), dissent.why).as_str())),
        }
    }
    lines
}

/// Shows the new cases.
fn show(page: &Page, AddedCases { editor, placed, answers }: &AddedCases) -> Result<()> {
    let mut lines = Vec::new();
    let brief = placed.len() > SHOWN;
    for (new, answer) in placed.iter().zip(answers).take(LISTED) {
        let id = clean(&new.place.id());
        let what = if new.is_known { "added the answer of " } else { "added " };
        lines.push(Line::new().with("✓ ", Style::GOOD).with(what, Style::PLAIN).with(&id, Style::STRONG));
        if brief {
            continue;
        }
        lines.extend(page.file("input", &new.place.input()));
        if answer.shown {
            lines.extend(page.file("answer", &new.place.answer(answer_ending(&editor.problem))));
        }
        if !new.draft.companions.is_empty() {
            let endings: Vec<String> = new.draft.companions.keys().map(|ending| format!(".{ending}")).collect();
            lines.push(labelled("with", &clean(&endings.join(", "))));
        }
        lines.push(labelled("by", &clean(&answer.by)));
        if !answer.agreeing.is_empty() {
            lines.push(labelled("agree", &clean(&answer.agreeing.join(", "))));
        }
        if let Some(before) = &new.before {
            let text = format!("before {before}: tests are judged in the order of their names as text");
            lines.push(labelled("judged", &clean(&text)));
        }
    }
    if placed.len() > LISTED {
        lines.push(Line::from(format!("… {} cases in all", placed.len()).as_str()));
    }
    page.print(&lines)?;
    Ok(())
}

/// The command line as typed.
fn command() -> String {
    let words: Vec<String> = std::env::args_os().skip(1).map(|word| quote(&word.to_string_lossy())).collect();
    format!("grader {}", words.join(" "))
}
