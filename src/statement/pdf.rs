//! Prints pages through a browser of this machine: without its cache and settings, without requests, and with a time limit.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::limits::{Bytes, Limits, Overflow};
use crate::sandbox::{Exit, Isolation, Outcome, Place, Request, Sandbox as _, SandboxError, Side, Sink, Slot};

/// The browsers that print, by the names of their programs.
pub(crate) const BROWSERS: [&str; 6] =
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge"];

/// How long a browser may take to print.
const TIME: Duration = Duration::from_secs(60);
/// The most bytes of what it says that are kept.
const MOST_SAID: usize = 4000;

/// Why a page is not printed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PrintError {
    /// No browser is installed.
    #[error(
        "no browser is installed that prints for grader: {}\n  → install chromium (Debian, Ubuntu: apt install chromium), \
         or leave out --pdf and print the page from any browser: the PDF is the same",
        BROWSERS.join(", ")
    )]
    NoBrowser,
    /// A file of the work cannot be written or read.
    #[error("cannot print: {0}")]
    File(#[from] io::Error),
    /// The browser cannot be started.
    #[error("cannot start {}: {error}", .browser.display())]
    Start { browser: PathBuf, error: SandboxError },
    /// It did not end in time.
    #[error("{} did not print within {} s", .0.display(), TIME.as_secs())]
    Slow(PathBuf),
    /// It printed nothing.
    #[error("{} failed with {how}: {said}", .browser.display())]
    Failed { browser: PathBuf, how: String, said: String },
}

/// A browser that prints.
pub(crate) struct Printer<'a> {
    browser: PathBuf,
    /// This program, which starts the browser in another role.
    grader: &'a Path,
    /// The value of `PATH` for the browser.
    path: OsString,
}

impl<'a> Printer<'a> {
    /// The first browser that `find` finds.
    ///
    /// # Errors
    /// There is none.
    pub(crate) fn new(
        grader: &'a Path,
        path: OsString,
        find: impl Fn(&str) -> Option<PathBuf>,
    ) -> Result<Self, PrintError> {
        let browser = BROWSERS.into_iter().find_map(find).ok_or(PrintError::NoBrowser)?;
        Ok(Self { browser, grader, path })
    }

    /// The page as PDF.
    ///
    /// # Errors
    /// The browser cannot be started, is too slow, or fails.
    pub(crate) fn print(&self, html: &str) -> Result<Vec<u8>, PrintError> {
        let scratch = tempfile::tempdir()?;
        let dir = scratch.path().join("print");
        fs::create_dir(&dir)?;
        let [page, pdf] = ["page.html", "page.pdf"].map(|name| dir.join(name));
        fs::write(&page, html)?;
        let failed = |error| PrintError::Start { browser: self.browser.clone(), error };
        let mut slot = Slot::new(self.grader, &scratch.path().join("slot"), Isolation::None).map_err(failed)?;
        let mut said = Said::default();
        let nothing = fs::File::open("/dev/null")?;
        let outcome =
            slot.run(Side::Submission, &self.request(&dir, &page, &pdf), nothing, &mut said).map_err(failed)?;
        match fs::read(&pdf) {
            Ok(bytes) if outcome.exit == Exit::Code(0) && outcome.killed.is_none() => Ok(bytes),
            _ => Err(self.failure(&outcome, &said)),
        }
    }

    fn request(&self, dir: &Path, page: &Path, pdf: &Path) -> Request {
        let with = |option: &str, path: &Path| {
            let mut argument = OsString::from(option);
            argument.push(path);
            argument
        };
        let mut argv = vec![self.browser.clone().into_os_string(), with("--user-data-dir=", &dir.join("profile"))];
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

    fn failure(&self, outcome: &Outcome, said: &Said) -> PrintError {
        let browser = self.browser.clone();
        if outcome.usage.wall >= TIME {
            return PrintError::Slow(browser);
        }
        let how = match outcome.exit {
            Exit::Code(code) => format!("status {code}"),
            Exit::Signal(signal) => format!("signal {signal}"),
        };
        let said = String::from_utf8_lossy(&said.0);
        PrintError::Failed { browser, how, said: said.lines().last().unwrap_or_default().to_owned() }
    }
}

/// The end of what a browser says on standard error.
#[derive(Default)]
struct Said(Vec<u8>);

impl Sink for Said {
    fn stdout(&mut self, _: &[u8]) {}

    fn stderr(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
        let more = self.0.len().saturating_sub(MOST_SAID);
        self.0.drain(..more);
    }
}
