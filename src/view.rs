//! Shows the page of a run in a browser on this machine, also while the run goes on.

mod server;

use std::io;
use std::sync::Arc;

use percent_encoding::percent_decode_str;

use crate::record::Reporter;
use crate::report::html::live::{Live, LivePage};
use crate::report::html::{Background, HtmlOptions, STUDENTS, live_policy};
use server::{Content, Document, Format, Server};

pub(crate) use server::StartError;

/// A page that browsers on this machine can read until this is dropped.
pub(crate) struct View {
    page: LivePage,
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
        let server = Server::start(Arc::new(Pages(page.clone())), port)?;
        Ok(Self { page, options, server: Arc::new(server) })
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

/// The documents that the server hands out: the page, and those of students.
struct Pages(LivePage);

impl Content for Pages {
    fn document(&self, path: &str) -> Option<Document> {
        let bytes = if path.is_empty() {
            self.0.page()
        } else {
            let name = path.strip_prefix(STUDENTS)?.strip_prefix('/')?;
            // A name that is not UTF-8 belongs to no student.
            self.0.student_page(&percent_decode_str(name).decode_utf8().ok()?)?
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
        self.0.changes(since)
    }
}

fn failed(error: &io::Error) -> Document {
    Document { format: Format::Text, policy: None, text: format!("grader cannot make this page: {error}\n") }
}
