//! The jobs of a stream, one for each request. Their results return to the stream unchanged.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError};

use anyhow::Result;

use super::follower::Work;
use super::pack::{Conditions, Content, Contents, INLINE, pack_of};
use super::wire::{Blob, FailureFile, Line, Outcome, Task, short};
use crate::diagnostic::{Diagnostic, Severity};
use crate::event::TestIndex;
use crate::plan::PlannedProblem;
use crate::problem::Problem;
use crate::store::{Digest, Key, Store};
use crate::workspace::Workspace;
use crate::workspace::elsewhere::{Errand, Errands, Reply};

/// A request on its way.
struct SentRequest {
    key: Key,
    pack: Blob,
    line: Vec<u8>,
    /// The line as a blob, if it is too long for a message.
    blob: Option<Blob>,
}

/// The requests of one stream.
pub(super) struct Requests<'a> {
    workspace: &'a Workspace,
    all_tests: bool,
    errands: &'a dyn Errands,
    coming: Receiver<Errand>,
    is_complete: bool,
    store: Store,
    /// The problems of requests so far, each with the pack that its jobs share.
    packs: Vec<(Arc<Problem>, Blob)>,
    sent: HashMap<String, SentRequest>,
}

impl<'a> Requests<'a> {
    pub(super) fn new(
        workspace: &'a Workspace,
        all_tests: bool,
        errands: &'a dyn Errands,
        coming: Receiver<Errand>,
    ) -> Self {
        let (store, _) = Store::open(&workspace.settings.store_dir());
        Self {
            workspace,
            all_tests,
            errands,
            coming,
            is_complete: false,
            store,
            packs: Vec::new(),
            sent: HashMap::new(),
        }
    }

    fn pack(&mut self, planned: &PlannedProblem, contents: &mut Contents) -> Result<Blob> {
        if let Some((_, pack)) = self.packs.iter().find(|(known, _)| Arc::ptr_eq(known, &planned.problem)) {
            return Ok(*pack);
        }
        let all_tests = self.all_tests;
        let settings = &self.workspace.settings;
        let settings = Conditions { settings, language: None, all_tests, wants_looks: false };
        let pack = pack_of(planned, &settings, &self.store, contents)?;
        self.packs.push((Arc::clone(&planned.problem), pack));
        Ok(pack)
    }
}

impl Work for Requests<'_> {
    fn more(&mut self, contents: &mut Contents) -> Result<Vec<String>> {
        let mut names = Vec::new();
        loop {
            let Errand { key, problem, line } = match self.coming.try_recv() {
                Ok(errand) => errand,
                Err(TryRecvError::Empty) => return Ok(names),
                Err(TryRecvError::Disconnected) => {
                    self.is_complete = true;
                    return Ok(names);
                }
            };
            let pack = match self.pack(&problem, contents) {
                Ok(pack) => pack,
                Err(error) => {
                    let why = format!("the problem cannot be sent: {error:#}");
                    self.errands.answer(key, Reply::Failed(why));
                    continue;
                }
            };
            let name = Key::of("remote request v1").field("request", key.as_bytes());
            let name = short(&name.field("pack", pack.digest.as_bytes()).finish(), 32);
            self.sent.insert(name.clone(), SentRequest { key, pack, line, blob: None });
            names.push(name);
        }
    }

    fn is_complete(&self) -> bool {
        self.is_complete
    }

    fn task(&mut self, name: &str, contents: &mut Contents) -> Result<(Blob, Task)> {
        let sent = self.sent.get_mut(name).ok_or_else(|| anyhow::anyhow!("nobody asked for it"))?;
        let line = if (sent.line.len() as u64) <= INLINE {
            Line::Here(sent.line.clone())
        } else {
            let blob = Blob { digest: Digest::of_bytes(&sent.line), size: sent.line.len() as u64 };
            contents.insert(blob, Content::Bytes(sent.line.clone()));
            sent.blob = Some(blob);
            Line::Blob(blob)
        };
        Ok((sent.pack, Task::Request(line)))
    }

    fn receive(&mut self, name: &str, outcome: Outcome, _: &[FailureFile]) -> Option<Blob> {
        let sent = self.sent.remove(name)?;
        let reply = match outcome {
            Outcome::Answer(text) => Reply::Said(text),
            Outcome::Failed(why) => Reply::Failed(why),
            Outcome::Known(_) => Reply::Failed("its result belongs to another kind of job".to_owned()),
        };
        self.errands.answer(sent.key, reply);
        sent.blob
    }

    fn has_begun(&self, _: &str, _: TestIndex) {}

    fn title(&self, name: &str) -> String {
        format!("request {name}")
    }

    fn warn(&self, message: String) {
        self.workspace.tell(&Diagnostic::new(Severity::Warning, message));
    }
}
