//! The program that uses cpu time in various ways.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use grader::limits::Limits;
use grader::sandbox::{Outcome, Sandbox, Slot};

use crate::{Printed, command, run};

const SOURCE: &str = include_str!("burn.c");

/// The program, compiled.
pub(crate) struct Burn {
    dir: PathBuf,
}

impl Burn {
    pub(crate) fn compile(scratch: &Path) -> io::Result<Self> {
        let dir = scratch.join("program");
        let source = scratch.join("burn.c");
        fs::create_dir_all(&dir)?;
        fs::write(&source, SOURCE)?;
        let mut cc = command("cc");
        let built = cc.args(["-O2", "-static", "-pthread", "-o"]).arg(dir.join("burn")).arg(source).status()?;
        if built.success() { Ok(Self { dir }) } else { Err(io::Error::other("cc failed")) }
    }

    /// Runs it: `time` in each of what `kind` names. Its facts, and what it printed.
    pub(crate) fn run(
        &self,
        slot: &mut Slot,
        kind: &str,
        time: Duration,
        limits: Limits,
    ) -> io::Result<(Outcome, String)> {
        let program = slot.program_dir(&self.dir).join("burn");
        let ms = time.as_millis().to_string();
        let mut printed = Printed::default();
        let argv = [&*program.to_string_lossy(), kind, &ms];
        let outcome = run(slot, &argv, Some(self.dir.clone()), limits, &mut printed)?;
        Ok((outcome, String::from_utf8_lossy(&printed.0).into_owned()))
    }
}
