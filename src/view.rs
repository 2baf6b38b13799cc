//! Shows the page of a run in a browser on this machine, also while the run goes on.

mod server;

use std::io;
use std::sync::{Arc, OnceLock};

use percent_encoding::percent_decode_str;

use crate::record::Reporter;
use crate::report::html::live::{Live, LivePage};
use crate::report::html::{Background, HtmlOptions, STUDENTS, live_policy};
use server::{Content, Document, Format, Server};

pub(crate) use server::StartError;

/// The place of the page of statements, below the address.
const STATEMENT: &str = "statement";

/// A page with its policy.
#[derive(Debug)]
pub(crate) struct SidePage {
    /// The `Content-Security-Policy`.
    pub(crate) policy: String,
    /// HTML.
    pub(crate) text: String,
}

/// Makes the page of statements anew for each request.
type Statement = Box<dyn Fn() -> io::Result<SidePage> + Send + Sync>;

/// A page that browsers on this machine can read until this is dropped.
pub(crate) struct View {
    page: LivePage,
    statement: Arc<OnceLock<Statement>>,
    options: HtmlOptions,
    server: Arc<Server>,
}

impl View {
    /// Serves the page, which is empty until a reporter fills it. `port`: any free one if none.
    ///
    /// # Errors
    /// The port is taken, or the system refuses.
    pub(crate) fn open(options: HtmlOptions, port: Option<u16>) -> Result<Self, StartError> {
        let page = LivePage::new(options);
        let statement = Arc::new(OnceLock::new());
        let pages = Pages { run: page.clone(), statement: Arc::clone(&statement) };
        let server = Server::start(Arc::new(pages), port)?;
        Ok(Self { page, statement, options, server: Arc::new(server) })
    }

    /// Serves the page of statements, too, and returns its address. Only the first call counts.
    pub(crate) fn show_statement(&self, make: impl Fn() -> io::Result<SidePage> + Send + Sync + 'static) -> String {
        self.statement.get_or_init(|| Box::new(make));
        format!("{}{STATEMENT}", self.server.address())
    }

    /// The address of the page. Every program on this machine that knows it can read the page.
    pub(crate) fn address(&self) -> String {
        self.server.address()
    }

    /// A reporter that shows its run on the page, in place of an earlier one.
    pub(crate) fn reporter(&self, background: Background) -> Box<dyn Reporter> {
        let server = Arc::clone(&self.server);
        Box::new(Live::new(self.page.clone(), self.options, background, move || server.changed()))
    }
}

/// The documents of the server: the page, the pages of students, and the statements.
struct Pages {
    run: LivePage,
    statement: Arc<OnceLock<Statement>>,
}

impl Content for Pages {
    fn document(&self, path: &str) -> Option<Document> {
        if path == STATEMENT {
            let make = self.statement.get()?;
            return Some(match make() {
                Ok(SidePage { policy, text }) => Document { format: Format::Html, policy: Some(policy), text },
                Err(error) => failed(&error),
            });
        }
        let bytes = if path.is_empty() {
            self.run.page()
        } else {
            let name = path.strip_prefix(STUDENTS)?.strip_prefix('/')?;
            // A name that is not UTF-8 belongs to no student.
            self.run.student_page(&percent_decode_str(name).decode_utf8().ok()?)?
        };
        Some(match bytes {
            Ok(bytes) => Document {
                format: Format::Html,
                policy: Some(live_policy()),
                // Pages are UTF-8.
                text: String::from_utf8_lossy(&bytes).into_owned(),
            },
            Err(error) => failed(&error),
        })
    }

    fn changes(&self, since: u64) -> Option<String> {
        self.run.changes(since)
    }
}

fn failed(error: &io::Error) -> Document {
    Document { format: Format::Text, policy: None, text: format!("grader cannot make this page: {error}\n") }
}
