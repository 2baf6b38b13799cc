//! Reports why cases are not added.

use anyhow::Result;

use crate::diagnostic::{Diagnostic, Severity};
use crate::workspace::Workspace;
use crate::workspace::ending::EarlyEnd;

/// Collects refusals of new cases, and reports each one to the listener at once.
pub(crate) struct Refusals<'a> {
    workspace: &'a Workspace,
    ended: Option<EarlyEnd>,
}

impl<'a> Refusals<'a> {
    pub(crate) fn new(workspace: &'a Workspace) -> Self {
        Self { workspace, ended: None }
    }

    pub(crate) fn are_none(&self) -> bool {
        self.ended.is_none()
    }

    /// Reports a message about a source that refuses nothing.
    pub(crate) fn notice(&self, severity: Severity, about: Option<&str>, message: &str, remedy: &str) {
        self.workspace.tell(&Diagnostic::new(severity, message).about_any(about).remedy(remedy));
    }

    /// Refuses because the request or a file is invalid.
    pub(crate) fn usage(&mut self, source: &str, message: &str, remedy: &str) {
        self.notice(Severity::Error, Some(source), message, remedy);
        self.ended = Some(EarlyEnd::Refused);
    }

    /// Refuses a case that cannot be added.
    pub(crate) fn case(&mut self, source: &str, message: &str, remedy: &str) {
        self.notice(Severity::Error, Some(source), message, remedy);
        self.ended.get_or_insert(EarlyEnd::Unexpected);
    }

    /// Fails if anything was refused.
    pub(crate) fn settle(&self) -> Result<()> {
        let Some(ended) = self.ended else { return Ok(()) };
        self.notice(Severity::Info, None, "nothing was written", "");
        Err(ended.into())
    }
}
