//! The files of what failed in the last run: `.grader/last/<problem>/<submission>/<case>.{in,ans,out,err,interaction}`.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use super::Context;
use super::workbench::Case;
use crate::judge::compare::Capture;
use crate::problem::{ProblemId, ProblemKind, SubmissionId, TestId};
use crate::store::LastRun;

/// What of a run can be kept.
pub(super) enum Kept {
    /// What the comparator kept of the output.
    Capture {
        /// The output.
        capture: Capture,
        /// Standard error, bounded.
        stderr: Vec<u8>,
    },
    /// The output in a file.
    File {
        /// Anonymous.
        output: File,
        /// Standard error, bounded.
        stderr: Vec<u8>,
    },
    /// The output itself, from the store.
    Bytes {
        /// The output, or the transcript of a conversation.
        output: Vec<u8>,
        /// Standard error, bounded.
        stderr: Vec<u8>,
    },
    /// A conversation.
    Talk {
        /// Who said what when.
        transcript: Vec<u8>,
        /// Standard error, bounded.
        stderr: Vec<u8>,
    },
}

impl Kept {
    /// The output, if all of it is known and no longer than `cap`, and the standard error stream.
    pub(super) fn read(&self, case: &Case, cap: u64) -> (Option<Vec<u8>>, &[u8]) {
        match self {
            Self::Capture { capture, stderr } => {
                let fits = !capture.truncated() && capture.total() <= cap;
                let mut bytes = Vec::new();
                let read = || -> io::Result<()> { capture.write_to(&mut answer_of(case)?, &mut bytes) };
                let whole = fits.then(read).is_some_and(|read| read.is_ok());
                (whole.then_some(bytes), stderr)
            }
            Self::File { output, stderr } => {
                let read = || -> io::Result<Option<Vec<u8>>> {
                    let mut file = output.try_clone()?;
                    if file.metadata()?.len() > cap {
                        return Ok(None);
                    }
                    let mut bytes = Vec::new();
                    file.rewind()?;
                    file.read_to_end(&mut bytes)?;
                    Ok(Some(bytes))
                };
                (read().ok().flatten(), stderr)
            }
            Self::Bytes { output, stderr } => (Some(output.clone()), stderr),
            Self::Talk { transcript, stderr } => ((transcript.len() as u64 <= cap).then(|| transcript.clone()), stderr),
        }
    }
}

fn answer_of(case: &Case) -> io::Result<Box<dyn Read>> {
    Ok(match &case.answer {
        Some(path) => Box::new(File::open(path)?),
        None => Box::new(io::empty()),
    })
}

/// The largest file that is copied rather than pointed to.
const COPY_CAP: u64 = 64 << 20;

/// Forgets what an earlier run kept of a submission.
pub(super) fn clear(context: &Context, run: usize) {
    let of = &context.plan.runs[run].run;
    if let Some(last) = &context.last {
        // What cannot be cleared is overwritten or stale; either way it is no concern of the run.
        let _ = last.clear(&of.problem, &of.submission);
    }
}

/// Keeps the files of one test; their common stem, or none when they cannot be kept: that is never a verdict's concern.
pub(super) fn keep(context: &Context, run: usize, ordinal: usize, case: &Case, kept: &Kept) -> Option<PathBuf> {
    let planned = &context.plan.runs[run];
    let test = &context.plan.problems[planned.problem].names[ordinal];
    let last = context.last.as_ref()?;
    write(last, (&planned.run.problem, &planned.run.submission, test), case, kept).ok()
}

/// Keeps the files of one case under a name.
pub(super) fn write(
    last: &LastRun,
    (problem, submission, test): (&ProblemId, &SubmissionId, &TestId),
    case: &Case,
    kept: &Kept,
) -> io::Result<PathBuf> {
    let create = |extension: &str| last.create(problem, submission, test, extension);
    copy(&case.input, create("in")?.0)?;
    if let Some(answer) = &case.answer {
        copy(answer, create("ans")?.0)?;
    }
    let stderr = match kept {
        Kept::Capture { capture, stderr } => {
            let mut answer = answer_of(case)?;
            let mut out = io::BufWriter::new(create("out")?.0);
            capture.write_to(&mut answer, &mut out)?;
            out.flush()?;
            stderr
        }
        Kept::File { output, stderr } => {
            let mut output = output.try_clone()?;
            output.rewind()?;
            io::copy(&mut output, &mut create("out")?.0)?;
            stderr
        }
        Kept::Bytes { output, stderr } => {
            let talked = case.problem.kind == ProblemKind::Interactive;
            create(if talked { "interaction" } else { "out" })?.0.write_all(output)?;
            stderr
        }
        Kept::Talk { transcript, stderr } => {
            create("interaction")?.0.write_all(transcript)?;
            stderr
        }
    };
    let (mut file, path) = create("err")?;
    file.write_all(stderr)?;
    Ok(path.with_extension(""))
}

/// The head of a file: a gigabyte of input is not copied for every failure.
fn copy(from: &Path, mut to: File) -> io::Result<()> {
    let mut from = File::open(from)?.take(COPY_CAP);
    io::copy(&mut from, &mut to).map(drop)
}
