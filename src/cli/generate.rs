//! `grader gen`: makes the test cases that `generators/generators.yaml` lists.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;

use super::arguments::{AloneArgs, Color, ReferenceArgs, open, paint};
use super::confirm::{can_ask, confirmed};
use super::exit::{ExitStatus, for_each};
use super::output::clean;
use crate::authoring::generate::{Counts, GeneratedDifference, Scope, make};
use crate::cli::output::stdout;
use crate::config::Options;
use crate::diagnostic::{Diagnostic, Severity};

use crate::package::generators::FILE;
use crate::problem::Problem;
use crate::report::text::{Line, Paint, Style, quote_option, quote_path};
use crate::session::authored::{GeneratedProblem, choose_generated, older_form};
use crate::workspace::Workspace;

/// Generates the test cases listed in generators/generators.yaml
#[derive(Debug, Args)]
#[command(
    name = "gen",
    visible_alias = "generate",
    after_help = "Selections work as for `grader run`, with the cases that the file lists: a problem, a test, a prefix, \
    a glob or a path. The file uses the format of BAPCtools; docs/generators.md lists the supported keys. Cases that \
    it does not list stay unchanged.\n\nExit status: 0 everything is generated, 1 with --check: some files differ from \
    the generated ones, or the removal was not confirmed, 2 usage or problem error, a generator fails or a validator rejects, 3 a validator is broken, \
    129/130/143 interrupted."
)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(super) struct GenerateArgs {
    /// Problems, tests, globs or paths; also one problem and then its tests
    selection: Vec<String>,
    /// Generate only these cases: a name, else a group, else a prefix; or a glob (repeatable)
    #[arg(short, long, value_name = "TEST")]
    test: Vec<String>,
    /// Write nothing; fail if the files on disk differ from the generated ones
    #[arg(long)]
    check: bool,
    /// Also remove generated cases that the file does not list any more, after asking; with --check, fail if there are
    /// any; hand-made cases stay
    #[arg(long, conflicts_with = "test")]
    clean: bool,
    /// Remove without asking
    #[arg(short, long, requires = "clean")]
    yes: bool,
    /// Also replace files that were changed by hand; otherwise they stay, and grader reports them as errors; with --clean, also remove hand-made cases
    #[arg(long)]
    force: bool,
    /// Choose when to use colour
    #[arg(long, value_name = "WHEN", value_enum)]
    color: Option<Color>,
    #[command(flatten, next_help_heading = "Execution options")]
    reference: ReferenceArgs,
    #[command(flatten, next_help_heading = "Execution options")]
    alone: AloneArgs,
}

/// Generates the cases and returns the exit status.
pub(super) fn run(args: &GenerateArgs) -> Result<ExitStatus> {
    let workspace = open(Options { color: args.color.map(Into::into), ..args.alone.options() })?;
    let (problems, tests) = match older_form(&workspace, &args.selection) {
        Some((problem, tests)) => (vec![problem.clone()], [&args.test, tests].concat()),
        None => (args.selection.clone(), args.test.clone()),
    };
    let (generated, found) = choose_generated(&workspace, &problems, &tests)?;
    workspace.tell_found(&found);
    let is_refused = generated.is_empty() || found.iter().any(Diagnostic::is_error);
    let refused = if is_refused { ExitStatus::Usage } else { ExitStatus::Success };
    Ok(for_each(generated, |one| generate(args, &workspace, one))?.max(refused))
}

/// Generates the cases of one problem.
fn generate(args: &GenerateArgs, workspace: &Workspace, generated: GeneratedProblem) -> Result<ExitStatus> {
    let GenerateArgs { check, clean, force, .. } = args;
    let reference = args.reference.reference.as_deref();
    let scope = Scope { reference, check: *check, clean: *clean, force: *force };
    let paint = paint(workspace);
    let listener = workspace.listener();
    let tell = |what, name: &str, how: &str| {
        let line = line(*check, what, name, how);
        let mut printed = Ok(());
        listener.aside(&mut || printed = writeln!(stdout(), "{}", line.render(paint)));
        Ok(printed?)
    };
    let mut refused = false;
    let may_remove = |files: &[PathBuf]| {
        let answer = if args.yes { Ok(true) } else { may_remove(workspace, args, files) };
        refused = !matches!(answer, Ok(true));
        answer
    };
    let (problem, counts) = make(workspace, generated, &scope, tell, may_remove)?;
    let status = summary(args, &problem, counts, paint)?;
    Ok(if refused && status == ExitStatus::Success { ExitStatus::Unexpected } else { status })
}

/// The typed words that select problems and cases, with a space before each.
fn again(args: &GenerateArgs) -> String {
    let tests = args.test.iter().map(|test| quote_option("--test", test));
    let words = args.selection.iter().map(|word| quote_path(word)).chain(tests);
    words.flat_map(|word| [" ".to_owned(), clean(&word)]).collect()
}

/// Shows the files that `--clean` would remove, and asks. Without a terminal the answer is no.
fn may_remove(workspace: &Workspace, args: &GenerateArgs, files: &[PathBuf]) -> Result<bool> {
    let names: Vec<String> = files.iter().map(|file| clean(&file.display().to_string())).collect();
    let (these, are) = if files.len() == 1 { ("this file", "is") } else { ("these files", "are") };
    let message = format!("{these} {are} not listed in {FILE}:\n  {}", names.join("\n  "));
    if can_ask() {
        let mut answer = Ok(false);
        workspace.listener().aside(&mut || answer = confirmed(&format!("{message}\nremove {these}?")));
        return answer;
    }
    let force = if args.force { " --force" } else { "" };
    let remedy = format!("list the cases, or remove them: grader gen --clean{force} --yes{}", again(args));
    let message = format!("nothing was removed: grader cannot ask without a terminal; {message}");
    workspace.tell(&Diagnostic::new(Severity::Error, message).remedy(remedy));
    Ok(false)
}

/// The line for a case or a file that differs from the generated one.
fn line(check: bool, what: GeneratedDifference, name: &str, how: &str) -> Line {
    let (mark, style, what) = match (check, what) {
        (true, GeneratedDifference::New) => ("✗ ", Style::BAD, "missing"),
        (true, GeneratedDifference::Changed) => ("✗ ", Style::BAD, "differs"),
        (true, GeneratedDifference::Unlisted) => ("✗ ", Style::BAD, "unlisted"),
        (false, GeneratedDifference::Unlisted) => ("- ", Style::NOTICE, "removed"),
        (false, GeneratedDifference::Changed) => ("~ ", Style::NOTICE, "changed"),
        (false, GeneratedDifference::New) => ("+ ", Style::GOOD, "new"),
    };
    let line = Line::new().with(mark, style).with(&format!("{what:8} "), style).with(&clean(name), Style::PLAIN);
    let how = if how.is_empty() { String::new() } else { format!("  {}", clean(how)) };
    line.with(&how, Style::FAINT)
}

fn summary(args: &GenerateArgs, problem: &Problem, counts: Counts, paint: Paint) -> Result<ExitStatus> {
    let Counts { new, changed, same, failed, removed, obsolete, by_hand, broken } = counts;
    let bad = if args.check { new + changed + removed } else { 0 };
    let counts: Vec<String> = [
        (same, "unchanged"),
        (new, if args.check { "missing" } else { "new" }),
        (changed, if args.check { "differ" } else { "changed" }),
        (removed, if args.check { "files without a generator" } else { "files removed" }),
        (failed, "failed"),
    ]
    .iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, what)| format!("{count} {what}"))
    .collect();
    let good = bad + failed == 0;
    let (mark, style) = if good { ("✓ ", Style::GOOD) } else { ("✗ ", Style::BAD) };
    let mut line = Line::new().with(mark, style).with(&clean(problem.id.as_str()), Style::STRONG);
    line.push(&format!(": {}", counts.join(", ")), Style::PLAIN);
    if obsolete > 0 {
        let files = if obsolete == 1 { "file is" } else { "files are" };
        line.push(&format!(" · {obsolete} {files} not listed any more (--clean removes)"), Style::FAINT);
    }
    if by_hand > 0 {
        let files = if by_hand == 1 { "file is" } else { "files are" };
        line.push(&format!(" · {by_hand} {files} not listed: made by hand, kept"), Style::FAINT);
    }
    writeln!(stdout(), "{}", line.render(paint))?;
    if bad > 0 {
        let (what, flags) = match (new + changed, removed) {
            (_, 0) => ("generate", ""),
            (0, _) if args.force => ("list them in generators.yaml, or remove", " --clean --force"),
            (0, _) => ("list them in generators.yaml, or remove", " --clean"),
            _ if args.force => ("generate and remove", " --clean --force"),
            _ => ("generate and remove", " --clean"),
        };
        let remedy = format!("  → {what} them: grader gen{flags}{}", again(args));
        writeln!(stdout(), "{}", Line::new().with(&remedy, Style::FAINT).render(paint))?;
    }
    Ok(match (broken, failed, bad) {
        (true, ..) => ExitStatus::JudgeError,
        (_, 1.., _) => ExitStatus::Usage,
        (.., 1..) => ExitStatus::Unexpected,
        _ => ExitStatus::Success,
    })
}
