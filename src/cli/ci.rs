//! `grader ci`: writes the files with which CI platforms and Gradescope run grader.

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, Subcommand};

use super::arguments::{Color, open};
use super::cases::{Page, clean, labelled};
use crate::authoring::autograder::Autograder;
use crate::authoring::workflow::{Platform, Workflow};
use crate::cli::exit::ExitStatus;
use crate::cli::output::stdout;
use crate::config::Options;
use crate::language::Language;
use crate::report::text::{Line, Style, count};
use crate::session::listing;
use crate::session::select::one_problem;
use crate::workspace::Workspace;

/// Writes the files with which GitHub, GitLab, Forgejo or Gradescope runs grader
#[derive(Debug, Args)]
#[command(
    after_help = "Run this in the folder of grader.toml. The files install grader and the languages that the problems \
    use.\n\nExit status: 0 written, 2 not written (the error says why)."
)]
pub(super) struct CiArgs {
    #[command(subcommand)]
    target: Target,
}

#[derive(Debug, Subcommand)]
enum Target {
    /// Runs all submissions at each push to GitHub: .github/workflows/grader.yml
    Github(WorkflowArgs),
    /// Runs all submissions at each push to GitLab: .gitlab-ci.yml
    Gitlab(WorkflowArgs),
    /// Runs all submissions at each push to Forgejo, Codeberg or Gitea: .forgejo/workflows/grader.yml
    Forgejo(WorkflowArgs),
    /// Makes the autograder of a problem for Gradescope: a zip file
    Gradescope(GradescopeArgs),
}

#[derive(Debug, Args)]
#[command(
    after_help = "The file lies where the platform expects it, at the top of the git repository. It keeps results between \
    runs, so grader runs only what changed. grader overwrites nothing."
)]
struct WorkflowArgs {
    /// Install grader with this shell command [default: pipx install batch-grader==VERSION]
    #[arg(long, value_name = "COMMAND")]
    install: Option<String>,
    /// Print the file instead of writing it
    #[arg(long)]
    stdout: bool,
    /// Choose when to use colour
    #[arg(long, value_name = "WHEN", value_enum)]
    color: Option<Color>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Upload the file as the autograder of a programming assignment. It holds this grader, grader.toml, the \
    problem and its cases. Students see of the secret tests only the verdicts; change run_autograder in the file to show \
    more. A new file replaces an older one."
)]
struct GradescopeArgs {
    /// Problem name or folder
    problem: String,
    /// Write the file here [default: PROBLEM-autograder.zip]
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Choose when to use colour
    #[arg(long, value_name = "WHEN", value_enum)]
    color: Option<Color>,
}

/// Writes the file and returns the exit status.
pub(super) fn run(args: &CiArgs) -> Result<ExitStatus> {
    match &args.target {
        Target::Github(args) => workflow(Platform::Github, args),
        Target::Gitlab(args) => workflow(Platform::Gitlab, args),
        Target::Forgejo(args) => workflow(Platform::Forgejo, args),
        Target::Gradescope(args) => gradescope(args),
    }
}

fn opened(color: Option<Color>) -> Result<Workspace> {
    open(Options { color: color.map(Into::into), ..Options::default() })
}

fn workflow(platform: Platform, args: &WorkflowArgs) -> Result<ExitStatus> {
    let workspace = opened(args.color)?;
    let release = || format!("pipx install batch-grader=={}", env!("CARGO_PKG_VERSION"));
    let install = args.install.clone().unwrap_or_else(release);
    let languages = listing::languages(&workspace, &[])?;
    let workflow = Workflow::new(&workspace, platform, &languages, &install);
    if args.stdout {
        stdout().write_all(workflow.text.as_bytes())?;
        return Ok(ExitStatus::Success);
    }
    workflow.write()?;
    let path = workflow.path.strip_prefix(&workspace.start).unwrap_or(&workflow.path);
    Page::new(&workspace).print(&[
        written(&path.display().to_string()),
        labelled("languages", &names(&languages)),
        labelled("grader", &clean(&install)),
    ])?;
    Ok(ExitStatus::Success)
}

fn gradescope(args: &GradescopeArgs) -> Result<ExitStatus> {
    let workspace = opened(args.color)?;
    let problem = one_problem(&workspace, &args.problem)?;
    let languages = listing::languages(&workspace, std::slice::from_ref(&args.problem))?;
    let archive = Autograder::new(&workspace, &problem, &languages)?;
    let file = args.out.clone().unwrap_or_else(|| PathBuf::from(format!("{}-autograder.zip", problem.slug())));
    archive.write(&workspace.start.join(&file))?;
    let mut lines = vec![
        written(&file.display().to_string()),
        labelled("languages", &names(&languages)),
        labelled("content", &count(archive.names().count(), "file")),
    ];
    if !cfg!(target_feature = "crt-static") {
        let note = "this grader needs the C library of a system as new as this one; the released files need none";
        lines.push(labelled("note", note));
    }
    lines.push(labelled("next", "upload it as the autograder of a programming assignment"));
    Page::new(&workspace).print(&lines)?;
    Ok(ExitStatus::Success)
}

fn written(path: &str) -> Line {
    Line::new().with("✓ ", Style::GOOD).with("wrote ", Style::PLAIN).with(&clean(path), Style::STRONG)
}

fn names(languages: &[&Language]) -> String {
    clean(&languages.iter().map(|row| &*row.name).collect::<Vec<_>>().join(", "))
}
