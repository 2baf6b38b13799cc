//! `grader import`: makes problems of packages in other formats, and of data sets.

use std::io::{ErrorKind, Write as _};
use std::num::NonZeroUsize;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, bail};
use clap::{Args, ValueEnum};

use super::arguments::{Color, open};
use super::cases::{Page, clean, labelled};
use super::export::{ChosenProblems, losses, refuse_losses, success};
use crate::authoring::new_problem::CONFIGURATION;
use crate::cli::exit::ExitStatus;
use crate::config::{FILE_NAME, Options as Settings};
use crate::diagnostic::{Diagnostic, Severity};
use crate::export::{CURRENT, Draft, DraftPart, contest, write_directories};
use crate::import::{KeptSolutions, MadeProblem, Options, RefusedRow, Shape, import};
use crate::package::archive::is_archive_name;
use crate::package::contest::SETTINGS;
use crate::report::text::{Line, Style, quote_path};
use crate::session::archives::is_kattis_name;
use crate::session::taken_apart::count_taken_apart;
use crate::workspace::Workspace;
use crate::workspace::ending::EarlyEnd;

/// How messages call the layout that problems get.
const LAYOUT: &str = "the layout of grader";
/// The folder of a package whose files become test cases.
const DATA: &str = "data/";
/// The most problems that are listed, and the most rows that are named as errors.
const LISTED: u64 = 20;

/// Makes problems here of packages in other formats, or of the data sets with which programs are trained and measured
#[derive(Debug, Args)]
#[command(
    after_help = "Without --from, each PATH is a problem or a contest that grader reads: a folder or a package of \
    Polygon, Library Checker, Hydro, DMOJ, CMS, Kattis, DOMjudge or another archive. Each problem becomes problems/NAME and testcases/NAME, with the tests \
    that its generators make. First, grader lists what cannot be kept.\n\nWith --from, a file is JSON Lines, JSON (a list of objects) or Parquet (if grader was built with it); it may be \
    compressed (.gz). Each row becomes a problem package in the format 2025-09, with tests, limits, statement and \
    labelled solutions. grader overwrites nothing; a row that cannot be imported harms no other.\n\n\
    Exit status: 0 everything imported, 2 not everything (the errors say why)."
)]
pub(super) struct ImportArgs {
    /// The data set
    #[arg(long, value_name = "SHAPE", value_enum)]
    from: Option<From>,
    /// Problems and contests, or the files of a data set
    #[arg(required = true, value_name = "PATH")]
    files: Vec<PathBuf>,
    /// Create the problems in this folder (by default where grader.toml says, else in problems/); without --from, in the
    /// folders problems/ and testcases/ in it
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Without --from: import the problems although not everything can be kept
    #[arg(long, conflicts_with = "from")]
    lossy: bool,
    /// With --from: keep at most this many accepted and this many rejected solutions for each problem
    #[arg(long, value_name = "N", default_value_t = 10)]
    solutions: usize,
    /// With --from: stop after this many problems
    #[arg(long, value_name = "N", requires = "from")]
    first: Option<NonZeroUsize>,
    /// Choose when to use colour
    #[arg(long, value_name = "WHEN", value_enum)]
    color: Option<Color>,
}

#[expect(clippy::doc_markdown, reason = "names of data sets, which the help shows")]
#[derive(Debug, Clone, Copy, ValueEnum)]
enum From {
    /// APPS: `input_output`, `fn_name`, `solutions`
    Apps,
    /// TACO: as APPS, with limits
    Taco,
    /// CodeContests, as on Hugging Face: public, private and generated tests
    #[value(name = "codecontests")]
    CodeContests,
    /// CodeContests+: checker, validator and generator of each problem
    #[value(name = "codecontests+", alias = "codecontests-plus")]
    CodeContestsPlus,
    /// LiveCodeBench, code generation: standard input and functions, packed tests
    #[value(name = "livecodebench")]
    LiveCodeBench,
    /// HumanEval: assertions in a function `check`
    #[value(name = "humaneval")]
    HumanEval,
    /// MBPP, whole and sanitized: a list of assertions
    Mbpp,
}

impl From {
    fn shape(self) -> Shape {
        match self {
            Self::Apps => Shape::Apps,
            Self::Taco => Shape::Taco,
            Self::CodeContests => Shape::CodeContests,
            Self::CodeContestsPlus => Shape::CodeContestsPlus,
            Self::LiveCodeBench => Shape::LiveCodeBench,
            Self::HumanEval => Shape::HumanEval,
            Self::Mbpp => Shape::Mbpp,
        }
    }
}

/// The imported problems so far.
#[derive(Default)]
struct Imports {
    lines: Vec<Line>,
    first: Option<String>,
    made: u64,
    refused: u64,
    tests: usize,
    /// The programs of assertions of each problem that has some.
    assertions: Vec<Vec<String>>,
    kept: KeptSolutions,
    lacks_tests: bool,
}

/// Imports the files and returns the exit status.
pub(super) fn run(args: &ImportArgs) -> Result<ExitStatus> {
    let workspace = open(Settings { color: args.color.map(Into::into), ..Settings::default() })?;
    match args.from {
        Some(from) => import_rows(args, from, &workspace),
        None => import_problems(args, &workspace),
    }
}

/// Writes problems in the native layout.
fn import_problems(args: &ImportArgs, workspace: &Workspace) -> Result<ExitStatus> {
    let is_data = |file: &&PathBuf| {
        let path = workspace.start.join(file);
        path.is_file() && !is_archive_name(&path) && !is_kattis_name(&path)
    };
    let is_lacking =
        |file: &&PathBuf| (is_archive_name(file) || is_kattis_name(file)) && !workspace.start.join(file).exists();
    let lacking: Vec<String> = args.files.iter().filter(is_lacking).map(|file| file.display().to_string()).collect();
    if !lacking.is_empty() {
        bail!("there is no file {}\n  → correct the path", lacking.join(", "));
    }
    if let Some(file) = args.files.iter().find(is_data) {
        let shapes: Vec<String> = From::value_variants()
            .iter()
            .filter_map(|shape| Some(shape.to_possible_value()?.get_name().to_owned()))
            .collect();
        bail!(
            "{} is a file, and neither a folder nor an archive of a problem\n  → if it is a data set, say which: --from {}",
            file.display(),
            shapes.join("|")
        );
    }
    let words: Vec<String> = args.files.iter().map(|path| path.display().to_string()).collect();
    let chosen = ChosenProblems::choose(workspace, &words)?.with_references();
    let subjects = chosen.subjects(workspace, true)?;
    let drafts: Vec<Draft> = subjects
        .iter()
        .map(|subject| CURRENT.draft(subject).map_err(|error| anyhow!("{}: {error}", subject.problem.id)))
        .collect::<Result<_>>()?;
    let page = Page::new(workspace);
    let mut all = Draft::default();
    for (subject, draft) in subjects.iter().zip(&drafts) {
        all.absorb_losses(subject.problem.slug(), draft);
    }
    page.print(&losses(&all, LAYOUT))?;
    refuse_losses(&all, LAYOUT, args.lossy)?;
    let (problems, testcases) = match &args.out {
        Some(out) => (workspace.start.join(out).join("problems"), workspace.start.join(out).join("testcases")),
        None => match workspace.settings.problem_roots().into_iter().next() {
            Some(root) => (root, workspace.settings.testcases_dir()),
            None => bail!("grader.toml names no directory of problems\n  → set `problems`, or name a folder: --out"),
        },
    };
    let names: Vec<String> = subjects.iter().map(|subject| subject.problem.whole_name()).collect();
    for (at, name) in names.iter().enumerate() {
        if let Some(first) = names[..at].iter().position(|other| other.eq_ignore_ascii_case(name)) {
            let [first, second] = [first, at].map(|at| chosen.typed(&subjects[at].problem.dir));
            bail!(
                "{first} and {second} both become problems/{name}, so nothing was written\n  → rename one of them, or \
                 import it with another --out"
            );
        }
    }
    let parts: Vec<DraftPart<'_>> = names
        .iter()
        .zip(&drafts)
        .flat_map(|(name, draft)| {
            [
                DraftPart { draft, below: DATA, except: None, to: testcases.join(name) },
                DraftPart { draft, below: "", except: Some(DATA), to: problems.join(name) },
            ]
        })
        .collect();
    let list = contest::list_of(&subjects)?;
    write_directories(&parts)?;
    let first = subjects.first().map(|subject| subject.problem);
    let settings = contest::settings_of(first).filter(|_| list.is_some() || subjects.len() > 1);
    let listed = list.map(|list| write_list(&problems, &list)).transpose()?;
    let kept = settings.map(|settings| write_settings(&problems, &settings)).transpose()?;
    if let Some(out) = &args.out {
        // Another configuration above would look for the tests elsewhere.
        let file = workspace.start.join(out).join(FILE_NAME);
        if file.symlink_metadata().is_err() {
            std::fs::write(&file, CONFIGURATION).with_context(|| format!("cannot write {}", file.display()))?;
        }
    }
    let tests: usize = subjects.iter().map(|subject| subject.problem.test_count()).sum();
    let shown = problems.strip_prefix(&workspace.start).unwrap_or(&problems).display().to_string();
    let (done, rest) = success(!all.losses().is_empty());
    let mut lines = vec![made_line(done, names.len() as u64, &shown, tests).with(rest, Style::FAINT)];
    for (name, subject) in names.iter().zip(&subjects) {
        let reference = subject.problem.reference().map(|own| format!("  reference: {}", own.id)).unwrap_or_default();
        lines.push(labelled("", &clean(&format!("{name}{reference}"))));
    }
    lines.extend(listed.into_iter().flatten().chain(kept));
    if args.out.is_none() {
        lines.push(labelled("try", &format!("grader run {}", quote_path(&names[0]))));
    }
    page.print(&lines)?;
    Ok(ExitStatus::Success)
}

/// Writes the list of a contest beside its problems. An existing list stays; then the page says what to add to it.
fn write_list(problems: &Path, list: &str) -> Result<Vec<Line>> {
    if write_new(&problems.join(contest::LIST), list.as_bytes())? {
        return Ok(vec![labelled("contest", &format!("{} has order, letters and colours", contest::LIST))]);
    }
    let heading = format!("{} exists and stays; its entries for the new problems would be:", contest::LIST);
    let entries = list.lines().map(|line| labelled("", &clean(line)));
    Ok(std::iter::once(labelled("contest", &heading)).chain(entries).collect())
}

/// Writes the file with name and start of a contest beside its problems. An existing file stays.
fn write_settings(problems: &Path, from: &Path) -> Result<Line> {
    let text = std::fs::read(from).with_context(|| format!("cannot read {}", from.display()))?;
    let has = if write_new(&problems.join(SETTINGS), &text)? {
        "has the name of the contest"
    } else {
        "exists and stays; that of the contest was not kept"
    };
    Ok(labelled("contest", &format!("{SETTINGS} {has}")))
}

/// Writes a file, whole or not at all. Returns whether there was none.
fn write_new(path: &Path, text: &[u8]) -> Result<bool> {
    let failed = || format!("cannot write {}", path.display());
    let mut file = tempfile::Builder::new()
        .prefix(".grader-")
        .permissions(std::fs::Permissions::from_mode(0o644))
        .tempfile_in(path.parent().unwrap_or(Path::new(".")))
        .with_context(failed)?;
    file.write_all(text).with_context(failed)?;
    match file.persist_noclobber(path) {
        Ok(_) => Ok(true),
        Err(error) if error.error.kind() == ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error.error).with_context(failed),
    }
}

/// The first line about problems that were made.
fn made_line(begun: Line, made: u64, out: &str, tests: usize) -> Line {
    begun
        .with(&format!("made {} in ", count(made, "problem")), Style::PLAIN)
        .with(&clean(out), Style::STRONG)
        .with(&format!(", with {}", count(tests as u64, "test")), Style::FAINT)
}

/// Makes problems of the rows of data sets.
fn import_rows(args: &ImportArgs, from: From, workspace: &Workspace) -> Result<ExitStatus> {
    let out = match &args.out {
        Some(out) => workspace.start.join(out),
        None if workspace.settings.file.is_some() => {
            workspace.settings.problem_roots().into_iter().next().unwrap_or_else(|| workspace.start.clone())
        }
        None => workspace.start.join("problems"),
    };
    let options = Options {
        shape: from.shape(),
        out,
        solutions: args.solutions,
        most: args.first.map_or(usize::MAX, NonZeroUsize::get),
    };
    if options.is_out_taken() {
        bail!("{} is a file\n  → name a folder with --out", options.out.display());
    }
    let mut imports = Imports::default();
    let read = import(&args.files, &options, |result| match result {
        Ok(made) => imports.add(made),
        Err(refused) => imports.refuse(workspace, &refused),
    });
    let shown = options.out.strip_prefix(&workspace.start).unwrap_or(&options.out).display().to_string();
    let made = imports.made;
    let refused = imports.refused;
    if refused > LISTED {
        tell(workspace, format!("{} more rows were not imported", refused - LISTED));
    }
    if made > 0 {
        let judged = judged_where(workspace, &imports.assertions)?;
        Page::new(workspace).print(&imports.page(&shown, args.out.is_none(), judged))?;
    }
    read?;
    match (made, refused) {
        (0, 0) => bail!("no file has a row"),
        (_, 0) => Ok(ExitStatus::Success),
        (_, _) => Ok(ExitStatus::Usage),
    }
}

/// Where the assertions of the problems are judged; none if there are no assertions. An error means a signal.
fn judged_where(workspace: &Workspace, assertions: &[Vec<String>]) -> Result<Option<Line>> {
    if assertions.is_empty() {
        return Ok(None);
    }
    let words = match count_taken_apart(workspace, assertions) {
        Ok(apart) => {
            let inside = (assertions.len() - apart) as u64;
            let rest = if inside == 0 { String::new() } else { format!(", {inside} in the program's process") };
            format!("{} of {} by calls{rest}", apart, count(assertions.len() as u64, "problem"))
        }
        Err(error) if error.is::<EarlyEnd>() => return Err(error),
        // The problems are whole; only this figure needs a Python that runs here.
        Err(error) => format!("not known here: {}", clean(&format!("{error:#}"))),
    };
    Ok(Some(labelled("judged", &words)))
}

fn count(n: u64, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

fn tell(workspace: &Workspace, message: String) {
    workspace.tell(&Diagnostic::new(Severity::Error, message));
}

impl Imports {
    fn add(&mut self, MadeProblem { slug, tests, assertions, kept, lacks_tests }: MadeProblem) {
        self.lacks_tests |= lacks_tests;
        self.made += 1;
        self.assertions.extend(Some(assertions).filter(|assertions| !assertions.is_empty()));
        self.tests += tests;
        self.kept.accepted += kept.accepted;
        self.kept.rejected += kept.rejected;
        self.kept.left_out += kept.left_out;
        self.kept.foreign += kept.foreign;
        if self.made <= LISTED {
            let solutions = match kept {
                KeptSolutions { accepted: 0, rejected: 0, .. } => "no solutions".to_owned(),
                KeptSolutions { accepted, rejected: 0, .. } => format!("{accepted} accepted"),
                KeptSolutions { accepted, rejected, .. } => format!("{accepted} accepted, {rejected} rejected"),
            };
            self.lines.push(labelled("", &format!("{slug}  tests: {tests}, {solutions}")));
        }
        self.first.get_or_insert(slug);
    }

    fn refuse(&mut self, workspace: &Workspace, refused: &RefusedRow) {
        self.refused += 1;
        if self.refused <= LISTED {
            tell(workspace, clean(&refused.to_string()));
        }
    }

    /// The lines about the problems in `out`. `is_default`: whether that is the usual place. `note`: where assertions are
    /// judged.
    fn page(self, out: &str, is_default: bool, note: Option<Line>) -> Vec<Line> {
        let Self { mut lines, first, made, tests, kept, lacks_tests, .. } = self;
        let mut page = vec![made_line(success(false).0, made, out, tests)];
        page.append(&mut lines);
        if made > LISTED {
            page.push(labelled("", &format!("… and {} more", made - LISTED)));
        }
        page.extend(note);
        if kept.left_out > 0 {
            page.push(labelled("left out", &(count(kept.left_out as u64, "solution") + " beyond --solutions")));
        }
        if kept.foreign > 0 {
            page.push(labelled("left out", &(count(kept.foreign as u64, "solution") + " in other languages")));
        }
        if let (Some(first), true) = (first, kept.accepted > 0) {
            let word = if is_default { first } else { format!("{out}/{first}") };
            let word = quote_path(&word);
            let first = if lacks_tests { format!("grader gen {word}, then ") } else { String::new() };
            page.push(labelled("try", &format!("{first}grader run {word}")));
        }
        page
    }
}
