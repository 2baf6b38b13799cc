//! `grader statement`: writes statements as pages.

mod constraints;

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result, anyhow, bail};
use clap::Args;

use super::arguments::{Color, open};
use super::cases::{Page, clean};
use crate::cli::exit::ExitStatus;
use crate::config::Options;
use crate::diagnostic::{Diagnostic, Severity};
use crate::discover::select::begun_by;
use crate::export::{PageContent, StatementPage, WriteError, contest, has_memory_limit, limits_of};
use crate::package::cases::{Staging, move_all};
use crate::package::contest::Contest;
use crate::problem::Problem;
use crate::report::text::{Line, Style};
use crate::session::archives::UnpackedArchives;
use crate::session::authored::choose_incomplete;
use crate::session::derived_limits::lacks_time_limit;
use crate::session::select::{Choice, ChosenPlan, Programs};
use crate::statement::page::{self, Facts};
use crate::statement::pdf::{PrintMeans, Printer};
use crate::statement::{Statement, StatementFile, cover_of, files_of, main_file, missing, read};
use crate::view::SidePage;
use crate::workspace::Workspace;
use crate::workspace::ending::EarlyEnd;

/// Writes the statement of a problem as a page, or the booklet of a contest
#[derive(Debug, Args)]
#[command(
    after_help = "grader reads statements in Markdown and TeX (statement/problem.en.md, problem_statement/problem.tex), and \
    sets in the samples, pictures and constants. A page needs no network and runs no script. The browser prints it on A4. \
    Several problems become a booklet with a title page, in the order of the contest. Existing files are never \
    overwritten. docs/statement.md says which commands of TeX grader knows.\n\n\
    Exit status: 0 written, 2 a statement is missing or has errors, or a file exists, 3 grader itself failed."
)]
pub(super) struct StatementArgs {
    /// Problems, globs, paths, or problem packages as `.zip` or `.kpp`; several problems are a contest
    #[arg(required = true)]
    selection: Vec<String>,
    /// Write this file (`.html` or `.pdf`), or files into this directory [default: NAME.LANGUAGE.html here]
    #[arg(short, long, value_name = "PATH")]
    out: Option<PathBuf>,
    /// Print the pages as PDF, through a Chromium of this machine, or through pandoc with Typst or TeX
    #[arg(long)]
    pdf: bool,
    /// Write the statement in this language, such as `en` [default: all languages]
    #[arg(long, value_name = "LANGUAGE")]
    language: Option<String>,
    /// Show setters the bounds that the statement says, that validators declare and that cases reach, and write nothing
    #[arg(long, conflicts_with_all = ["out", "pdf", "language"])]
    constraints: bool,
    /// Choose when to use colour
    #[arg(long, value_name = "WHEN", value_enum)]
    color: Option<Color>,
}

/// Writes the statements and returns the exit status.
pub(super) fn run(args: &StatementArgs) -> Result<ExitStatus> {
    let workspace = open(Options { color: args.color.map(Into::into), ..Options::default() })?;
    let unpacked = UnpackedArchives::new(&workspace.start, &args.selection)?;
    let choice = Choice::problems(&workspace, &unpacked.words, Programs::Refused);
    let ChosenPlan { plan, found } = choose_incomplete(&workspace, &choice)?;
    let mut problems: Vec<Arc<Problem>> = plan.problems.iter().map(|planned| Arc::clone(&planned.problem)).collect();
    let contest = contest_of(&problems);
    // By default, problems without tests come last.
    problems.sort_by_key(|problem| contest.place(problem.slug()).map_or(usize::MAX, |(at, _)| at));
    // Only what prevents reading a problem matters here.
    let errors: Vec<Diagnostic> = unpacked.archives.told(found).into_iter().filter(Diagnostic::is_error).collect();
    workspace.tell_found(&errors);
    workspace.tell_found(&begun_by(&args.selection, &problems));
    if !errors.is_empty() {
        return Err(EarlyEnd::Refused.into());
    }
    if problems.is_empty() {
        bail!(
            "no problem with a test or a submission was found\n  → add one of them: grader add, or a program in submissions/accepted/"
        );
    }
    if problems.len() > 1 {
        // Errors of the list are among those above.
        let warnings = contest.found.iter().filter(|found| !found.is_error()).cloned().collect();
        workspace.tell_found(&unpacked.archives.told(warnings));
        contest::different_labels(problems.iter().map(|problem| &**problem))?;
    }
    if args.constraints {
        return constraints::show(&workspace, unpacked.archives, problems);
    }
    let form = Form::of(&workspace.start, args.out.as_deref(), args.pdf)?;
    let pages = pages(&workspace, &unpacked, &problems, args.language.as_deref())?;
    let out = Out::new(&workspace.start, args.out.as_deref(), form, &pages)?;
    let texts = match form {
        Form::Pdf => printed(&workspace, &pages)?,
        Form::Html => pages.into_iter().map(|page| page.html.into()).collect(),
    };
    let written = out.write(&texts)?;
    let page = Page::new(&workspace);
    for path in written {
        let shown = path.strip_prefix(&workspace.start).unwrap_or(&path).display().to_string();
        page.print(&[Line::new()
            .with("✓ ", Style::GOOD)
            .with("wrote ", Style::PLAIN)
            .with(&clean(&shown), Style::STRONG)])?;
    }
    Ok(ExitStatus::Success)
}

/// The pages as PDF.
fn printed(workspace: &Workspace, pages: &[FinishedPage]) -> Result<Vec<Vec<u8>>> {
    let tools = workspace.tools();
    let printer = Printer::new(workspace.grader(), tools.path_variable(), |name| tools.in_path(name))?;
    let files: Vec<(Vec<u8>, &PrintMeans)> =
        pages.iter().map(|page| printer.print(&page.html)).collect::<Result<_, _>>()?;
    if let Some((_, means)) = files.iter().find(|(_, means)| matches!(means, PrintMeans::Pandoc { .. })) {
        let message =
            format!("printed by {means}, which translates the page: compare formulas, tables and pictures with it");
        let remedy = "install chromium: grader then prints the page itself";
        workspace.tell_found(&[Diagnostic::new(Severity::Warning, message).remedy(remedy)]);
    }
    Ok(files.into_iter().map(|(pdf, _)| pdf).collect())
}

/// A page that is ready to be written.
struct FinishedPage {
    /// Its name without an ending.
    stem: String,
    html: String,
}

/// The pages of the problems: one for each language.
fn pages(
    workspace: &Workspace,
    unpacked: &UnpackedArchives,
    problems: &[Arc<Problem>],
    language: Option<&str>,
) -> Result<Vec<FinishedPage>> {
    let mut found = Vec::new();
    let files = chosen_files(problems, language, &mut found);
    let mut pages = Vec::new();
    let name = match problems {
        [problem] => problem.slug().to_owned(),
        several => contest::name_of(several.first().map(|problem| &**problem)),
    };
    let facts = facts(workspace, problems);
    for (language, files) in &files {
        let mut statements: Vec<(Statement, Facts)> = Vec::new();
        for ((problem, file), facts) in problems.iter().zip(files).zip(&facts) {
            let (statement, own) = read(problem, file);
            found.extend(own.into_iter().map(|found| found.of(&problem.id)));
            statements.extend(statement.map(|statement| (statement, facts.clone())));
        }
        let dir = problems.first().and_then(|problem| problem.dir.parent());
        let cover = (problems.len() > 1).then(|| cover_of(dir, name.clone()));
        let html = page::of(&statements, cover.as_ref())?;
        pages.push(FinishedPage { stem: format!("{name}.{language}"), html });
    }
    let found = unpacked.archives.told(found);
    workspace.tell_found(&found);
    if found.iter().any(Diagnostic::is_error) { Err(EarlyEnd::Refused.into()) } else { Ok(pages) }
}

/// The statement of each problem, by the languages that all problems have.
fn chosen_files(
    problems: &[Arc<Problem>],
    language: Option<&str>,
    found: &mut Vec<Diagnostic>,
) -> Vec<(String, Vec<StatementFile>)> {
    let mut of_problems: Vec<Vec<StatementFile>> = Vec::new();
    for problem in problems {
        match files_of(problem) {
            Ok(files) => {
                if !files.iter().any(|file| language.is_none_or(|language| file.language == language)) {
                    found.push(missing(problem, language, &files));
                }
                of_problems.push(files);
            }
            Err(error) => found.push(error.of(&problem.id)),
        }
    }
    let all: BTreeSet<&str> = of_problems.iter().flatten().map(|file| &*file.language).collect();
    let wanted = all.into_iter().filter(|own| language.is_none_or(|language| language == *own));
    let of_language = |language: &str| -> Option<Vec<StatementFile>> {
        let find = |files: &Vec<StatementFile>| files.iter().find(|file| file.language == language).cloned();
        of_problems.iter().map(find).collect()
    };
    let chosen: Vec<(String, Vec<StatementFile>)> =
        wanted.filter_map(|language| Some((language.to_owned(), of_language(language)?))).collect();
    if chosen.is_empty() && found.is_empty() {
        let message = "the problems have no language in common";
        let remedy = "add statements, or write the problems one by one";
        found.push(Diagnostic::new(Severity::Error, message).remedy(remedy));
    } else if found.is_empty() && language.is_none() {
        found.extend(left_out(problems, &of_problems, &chosen));
    }
    chosen
}

/// Warnings about the languages in which some problems have statements, and others have none.
fn left_out(
    problems: &[Arc<Problem>],
    of_problems: &[Vec<StatementFile>],
    chosen: &[(String, Vec<StatementFile>)],
) -> Vec<Diagnostic> {
    let all: BTreeSet<&str> = of_problems.iter().flatten().map(|file| &*file.language).collect();
    let lacks = |language: &str| -> Vec<&str> {
        let pairs = problems.iter().zip(of_problems);
        let without = pairs.filter(|(_, files)| !files.iter().any(|file| file.language == language));
        without.map(|(problem, _)| problem.id.as_str()).collect()
    };
    let others = all.into_iter().filter(|language| !chosen.iter().any(|(known, _)| known == language));
    let warning = |language: &str| {
        let message = format!("no booklet in `{language}`: {} have no statement in it", lacks(language).join(", "));
        Diagnostic::new(Severity::Warning, message).remedy("add these statements, or write the problems one by one")
    };
    others.map(warning).collect()
}

/// The contest that the problems belong to.
fn contest_of(problems: &[Arc<Problem>]) -> Contest {
    let dir = problems.first().and_then(|problem| problem.dir.parent());
    dir.and_then(Contest::read).unwrap_or_default()
}

/// The facts about the problems that pages show beside their statements.
fn facts(workspace: &Workspace, problems: &[Arc<Problem>]) -> Vec<Facts> {
    let labels = contest::labels(problems.iter().map(|problem| &**problem));
    let contest = contest_of(problems);
    let of = |(problem, label): (&Arc<Problem>, String)| {
        let (time, limits) = limits_of(&workspace.settings, problem);
        Facts {
            label: (problems.len() > 1 || problem.label.is_some()).then_some(label),
            colour: contest.colour(problem.slug()).map(str::to_owned),
            time: (!lacks_time_limit(workspace, problem)).then_some(time),
            memory: has_memory_limit(problem).then_some(limits.memory),
        }
    };
    problems.iter().zip(labels).map(of).collect()
}

/// The page of the main statement of each problem, for judges that show HTML; none for a problem without a statement.
pub(super) fn statement_pages(workspace: &Workspace, problems: &[Arc<Problem>]) -> Result<Vec<Option<StatementPage>>> {
    let mut pages = Vec::new();
    for (problem, facts) in problems.iter().zip(facts(workspace, problems)) {
        let files = files_of(problem).map_err(|found| anyhow!("{found}"))?;
        let page = main_file(&files).map(|file| -> Result<StatementPage> {
            let content = match read(problem, file) {
                (Some(statement), _) => PageContent::Html(page::of(&[(statement, facts)], None)?),
                (None, found) => {
                    let errors = found.into_iter().filter(Diagnostic::is_error).map(|found| found.message);
                    PageContent::Unreadable(errors.collect::<Vec<_>>().join("; "))
                }
            };
            Ok(StatementPage { from: file.path.clone(), content })
        });
        pages.push(page.transpose()?);
    }
    Ok(pages)
}

/// A page with the current statement of each problem, in English if there is one. None if no problem has a statement.
pub(super) fn side_page(
    workspace: &Workspace,
    problems: Vec<Arc<Problem>>,
) -> Option<impl Fn() -> io::Result<SidePage> + Send + Sync + use<>> {
    // A folder that cannot be listed is an error of the page.
    problems.iter().any(|problem| files_of(problem).map_or(true, |files| !files.is_empty())).then_some(())?;
    let facts = facts(workspace, &problems);
    Some(move || {
        let mut errors = Vec::new();
        let mut statements = Vec::new();
        for (problem, facts) in problems.iter().zip(&facts) {
            let (statement, found) = match files_of(problem) {
                Ok(files) => main_file(&files).map_or((None, Vec::new()), |file| read(problem, file)),
                Err(found) => (None, vec![found]),
            };
            statements.extend(statement.map(|statement| (statement, facts.clone())));
            errors.extend(found.into_iter().filter(Diagnostic::is_error).map(|found| found.to_string()));
        }
        if !errors.is_empty() {
            return Err(io::Error::other(errors.join("\n")));
        }
        let text = page::of(&statements, None).map_err(io::Error::other)?;
        Ok(SidePage { policy: page::policy(), text })
    })
}

/// The form of the pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Html,
    Pdf,
}

impl Form {
    /// The form that `--pdf` or the name of the file demands.
    fn of(start: &Path, out: Option<&Path>, pdf: bool) -> Result<Self> {
        match out.and_then(|out| file_ending(start, out)) {
            None if pdf => Ok(Self::Pdf),
            None => Ok(Self::Html),
            Some("pdf") => Ok(Self::Pdf),
            Some("html") if !pdf => Ok(Self::Html),
            Some("html") => {
                bail!("--pdf writes no HTML\n  → name a file that ends with .pdf, or leave out --pdf")
            }
            Some(other) => bail!(
                "grader writes no `.{other}` files\n  → name a file that ends with .html or .pdf, or a directory; a new \
                 directory with a dot in its name ends with /"
            ),
        }
    }

    const fn ending(self) -> &'static str {
        match self {
            Self::Html => "html",
            Self::Pdf => "pdf",
        }
    }
}

/// The ending of the file that `-o` names; none if it names a directory.
fn file_ending<'p>(start: &Path, out: &'p Path) -> Option<&'p str> {
    let is_dir = out.as_os_str().as_encoded_bytes().ends_with(b"/") || start.join(out).is_dir();
    if is_dir { None } else { out.extension()?.to_str() }
}

/// The files to write, one for each page.
struct Out(Vec<PathBuf>);

impl Out {
    fn new(start: &Path, out: Option<&Path>, form: Form, pages: &[FinishedPage]) -> Result<Self> {
        let is_file = out.is_some_and(|out| file_ending(start, out).is_some());
        let ending = form.ending();
        let out = out.map(|out| start.join(out));
        let paths: Vec<PathBuf> = match (out, pages) {
            (Some(file), [_]) if is_file => vec![file],
            (Some(file), _) if is_file => {
                bail!(
                    "{} is one file, but there are {} pages\n  → name a directory, or choose one with --language",
                    file.display(),
                    pages.len()
                )
            }
            (dir, _) => {
                let dir = dir.unwrap_or_else(|| start.to_owned());
                pages.iter().map(|page| dir.join(format!("{}.{ending}", page.stem))).collect()
            }
        };
        let mut folded = BTreeSet::new();
        for path in &paths {
            if path.symlink_metadata().is_ok() {
                bail!(
                    "{} exists already; grader overwrites nothing\n  → name another place with -o, or remove it",
                    path.display()
                );
            }
            if !folded.insert(path.to_string_lossy().to_lowercase()) {
                bail!(
                    "two files would be called {}, but for the case of letters\n  → choose one with --language",
                    path.display()
                );
            }
        }
        Ok(Self(paths))
    }

    /// Writes all of them, or none.
    fn write(self, texts: &[Vec<u8>]) -> Result<Vec<PathBuf>> {
        let Some(first) = self.0.first() else { return Ok(Vec::new()) };
        let staging = Staging::new(first.parent().unwrap_or(Path::new("."))).context("cannot write the statement")?;
        let mut moves = Vec::new();
        for (number, (path, text)) in self.0.iter().zip(texts).enumerate() {
            let near = staging.path(&number.to_string());
            fs::write(&near, text).map_err(|error| WriteError::Write { path: path.clone(), error })?;
            moves.push((near, path.clone()));
        }
        move_all(&moves).context("cannot write the statement")?;
        Ok(self.0)
    }
}
