//! The record of a run: one JSON object a line, in plan order.

use std::io::{self, Write};

use super::{Report, Reporter};
use crate::event::Event;

/// Writes recorded events as JSON lines.
pub struct Jsonl<W: Write> {
    out: W,
}

impl<W: Write> Jsonl<W> {
    /// Writes to `out`, which should be buffered.
    pub fn new(out: W) -> Self {
        Self { out }
    }
}

impl<W: Write> Reporter for Jsonl<W> {
    fn recorded(&mut self, event: &Event, _: &Report) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, event)?;
        self.out.write_all(b"\n")
    }

    fn finish(&mut self, _: &Report) -> io::Result<()> {
        self.out.flush()
    }
}
