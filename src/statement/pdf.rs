//! Prints pages through a program of this machine, with a time limit: a browser without its cache and settings, or pandoc with
//! Typst or TeX.

use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::limits::{Bytes, Limits, Overflow};
use crate::sandbox::{Exit, Isolation, Place, Request, Sandbox as _, SandboxError, Side, Sink, Slot};

/// The browsers that print, by the names of their programs.
pub(crate) const BROWSERS: [&str; 6] =
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge"];

/// The programs through which pandoc prints. Typst takes each letter from a font that has it; TeX has one font for the text.
const ENGINES: [&str; 3] = ["typst", "xelatex", "lualatex"];
/// The exit status of pandoc when it does not know an option, such as an engine that is younger ("Exit codes" in `pandoc(1)`).
const UNKNOWN_OPTION: i32 = 6;

/// How long a program may take to print.
const TIME: Duration = Duration::from_secs(60);
/// The most bytes of what it says that are kept.
const MOST_SAID: usize = 4000;

/// How pages are printed.
#[derive(Debug, Clone)]
pub(crate) enum PrintMeans {
    /// A browser, which shows the page itself.
    Browser(PathBuf),
    /// Pandoc, which translates the page for an engine.
    Pandoc { pandoc: PathBuf, engine: &'static str },
}

impl fmt::Display for PrintMeans {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Browser(browser) => write!(to, "{}", browser.display()),
            Self::Pandoc { pandoc, engine } => write!(to, "{} with {engine}", pandoc.display()),
        }
    }
}

/// Why a page is not printed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PrintError {
    /// No program is installed that prints.
    #[error(
        "no program is installed that prints for grader: {}; or pandoc with {}\n  → install chromium (Debian, Ubuntu: apt install \
         chromium), or leave out --pdf and print the page from any browser: the PDF is the same",
        BROWSERS.join(", "),
        ENGINES.join(", ")
    )]
    NoPrinter,
    /// A file of the work cannot be written or read.
    #[error("cannot print: {0}")]
    File(#[from] io::Error),
    /// The program cannot be started.
    #[error("cannot start {means}: {error}")]
    Start { means: PrintMeans, error: SandboxError },
    /// It did not end in time.
    #[error("{} did not print within {} s", .0, TIME.as_secs())]
    Slow(PrintMeans),
    /// It printed nothing.
    #[error("{means} failed with {}: {said}", match exit {
        Exit::Code(code) => format!("status {code}"),
        Exit::Signal(signal) => format!("signal {signal}"),
    })]
    Failed { means: PrintMeans, exit: Exit, said: String },
}

impl PrintError {
    /// Whether an older pandoc does not know the engine.
    fn is_for_another_engine(&self) -> bool {
        matches!(self, Self::Failed { means: PrintMeans::Pandoc { .. }, exit: Exit::Code(UNKNOWN_OPTION), .. })
    }
}

/// The programs of this machine that print.
pub(crate) struct Printer<'a> {
    /// The best first; at least one.
    means: Vec<PrintMeans>,
    /// This program, which starts the others in another role.
    grader: &'a Path,
    /// The value of `PATH` for them.
    path: OsString,
}

impl<'a> Printer<'a> {
    /// The first browser that `find` finds; without a browser, pandoc and its engines.
    ///
    /// # Errors
    /// Neither a browser nor pandoc with an engine was found.
    pub(crate) fn new(
        grader: &'a Path,
        path: OsString,
        find: impl Fn(&str) -> Option<PathBuf>,
    ) -> Result<Self, PrintError> {
        let browser = BROWSERS.into_iter().find_map(&find).map(PrintMeans::Browser);
        let through_pandoc = |pandoc: PathBuf| {
            let engines = ENGINES.into_iter().filter(|engine| find(engine).is_some());
            engines.map(|engine| PrintMeans::Pandoc { pandoc: pandoc.clone(), engine }).collect()
        };
        let means: Vec<PrintMeans> = match browser {
            Some(browser) => vec![browser],
            None => find("pandoc").map(through_pandoc).unwrap_or_default(),
        };
        if means.is_empty() { Err(PrintError::NoPrinter) } else { Ok(Self { means, grader, path }) }
    }

    /// The page as PDF, and how it was printed.
    ///
    /// # Errors
    /// The program cannot be started, is too slow, or fails.
    pub(crate) fn print(&self, html: &str) -> Result<(Vec<u8>, &PrintMeans), PrintError> {
        let mut printed = Err(PrintError::NoPrinter);
        for means in &self.means {
            printed = self.print_through(means, html).map(|pdf| (pdf, means));
            if !printed.as_ref().is_err_and(PrintError::is_for_another_engine) {
                break;
            }
        }
        printed
    }

    fn print_through(&self, means: &PrintMeans, html: &str) -> Result<Vec<u8>, PrintError> {
        let scratch = tempfile::tempdir()?;
        let dir = scratch.path().join("print");
        fs::create_dir(&dir)?;
        let [page, pdf] = ["page.html", "page.pdf"].map(|name| dir.join(name));
        let argv = match means {
            PrintMeans::Browser(browser) => {
                fs::write(&page, html)?;
                browser_arguments(browser, &dir, &page, &pdf)
            }
            PrintMeans::Pandoc { pandoc, engine } => {
                fs::write(&page, for_pandoc(html))?;
                pandoc_arguments(pandoc, engine, &page, &pdf)
            }
        };
        let failed = |error| PrintError::Start { means: means.clone(), error };
        let mut slot = Slot::new(self.grader, &scratch.path().join("slot"), Isolation::None).map_err(failed)?;
        let mut said = ErrorTail::default();
        let nothing = fs::File::open("/dev/null")?;
        let outcome = slot.run(Side::Submission, &self.request(argv, &dir), nothing, &mut said).map_err(failed)?;
        match fs::read(&pdf) {
            Ok(bytes) if outcome.exit == Exit::Code(0) && outcome.killed.is_none() => Ok(bytes),
            _ if outcome.usage.wall >= TIME => Err(PrintError::Slow(means.clone())),
            _ => Err(PrintError::Failed { means: means.clone(), exit: outcome.exit, said: said.reason() }),
        }
    }

    fn request(&self, argv: Vec<OsString>, dir: &Path) -> Request {
        let limits = Limits {
            cpu: 4 * TIME,
            wall: TIME,
            memory: Bytes::mib(8192),
            output: Bytes::mib(256),
            overflow: Overflow::Kill,
            processes: 4096,
        };
        let env = vec![("HOME".into(), dir.into()), ("PATH".into(), self.path.clone())];
        Request { argv, env, place: Place::Host(dir.to_owned()), limits, core: None }
    }
}

/// An option with a path.
fn with(option: &str, path: &Path) -> OsString {
    let mut argument = OsString::from(option);
    argument.push(path);
    argument
}

fn browser_arguments(browser: &Path, dir: &Path, page: &Path, pdf: &Path) -> Vec<OsString> {
    let mut argv = vec![browser.into(), with("--user-data-dir=", &dir.join("profile"))];
    // The page asks for nothing. These keep the browser itself from asking.
    argv.extend(
        [
            "--headless=new",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-extensions",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--no-first-run",
            "--host-resolver-rules=MAP * ~NOTFOUND",
            "--no-pdf-header-footer",
        ]
        .map(OsString::from),
    );
    // Its own sandbox does not work for root.
    argv.extend(rustix::process::geteuid().is_root().then(|| OsString::from("--no-sandbox")));
    argv.extend([with("--print-to-pdf=", pdf), with("file://", page)]);
    argv
}

fn pandoc_arguments(pandoc: &Path, engine: &str, page: &Path, pdf: &Path) -> Vec<OsString> {
    let mut argv = vec![pandoc.into()];
    // Pandoc itself reads no other file. It only warns about letters that the font lacks, and leaves them out.
    argv.extend(["--sandbox", "--fail-if-warnings", "--variable=papersize:a4"].map(OsString::from));
    argv.extend([format!("--pdf-engine={engine}").into(), page.into(), with("--output=", pdf)]);
    argv
}

/// The page without its title, which pandoc would print above the heading, and without its language: TeX fails if it lacks the
/// rules for hyphens.
fn for_pandoc(html: &str) -> String {
    let title = html.split_once("<title>").and_then(|(before, rest)| Some((before, rest.split_once("</title>")?.1)));
    let html = title.map_or_else(|| html.to_owned(), |(before, after)| format!("{before}{after}"));
    let language = html.split_once("<html lang=\"").and_then(|(before, rest)| Some((before, rest.split_once('"')?.1)));
    language.map_or_else(|| html.clone(), |(before, after)| format!("{before}<html{after}"))
}

/// The end of what a program says on standard error.
#[derive(Default)]
struct ErrorTail(Vec<u8>);

impl ErrorTail {
    /// The error of TeX, pandoc or Typst, whose line begins so, or the last line with text.
    fn reason(&self) -> String {
        let said = String::from_utf8_lossy(&self.0);
        let is_error = |line: &&str| ["! ", "[WARNING]", "error:"].iter().any(|begin| line.starts_with(begin));
        let last = || said.lines().rfind(|line| !line.trim().is_empty());
        said.lines().find(is_error).or_else(last).unwrap_or_default().to_owned()
    }
}

impl Sink for ErrorTail {
    fn stdout(&mut self, _: &[u8]) {}

    fn stderr(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
        let more = self.0.len().saturating_sub(MOST_SAID);
        self.0.drain(..more);
    }
}
