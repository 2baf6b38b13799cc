//! Keeps the files of failed tests of the last run in
//! `.grader/last/<problem>/<submission>/<case>.{in,ans,out,err,interaction}`. If a later pass failed, `pass.in` holds
//! the input of that pass. `at-<offset>.{ans,out}` hold the text around the first difference, if the other files do not
//! reach that far.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use regex::bytes::{NoExpand, Regex};

use super::Context;
use crate::difference::Difference;
use crate::event::{SubmissionIndex, TestIndex, part_extension};
use crate::judge::compare::Capture;
use crate::judge::judged::{PassInput, Stdout};
use crate::judge::{Case, JudgedExecution};
use crate::problem::{ProblemId, SubmissionId, TestId};
use crate::store::{LastRun, MOST_COPIED};

/// Deletes the files that an earlier run kept of a submission.
pub(super) fn clear(context: &Context, submission: SubmissionIndex) {
    let of = &context.plan.submissions[submission].id;
    if let Some(last) = &context.last {
        // A file that cannot be deleted stays or is overwritten later. Neither affects the run.
        let _ = last.clear(&of.problem, &of.submission);
    }
}

/// Deletes the kept files of one test that passed its second look.
pub(super) fn clear_test(context: &Context, submission: SubmissionIndex, ordinal: TestIndex) {
    let planned = &context.plan.submissions[submission];
    let test = &context.plan.problems[planned.problem].names[ordinal];
    if let Some(last) = &context.last {
        // A failure does not affect the run, as above.
        let _ = last.clear_test(&planned.id.problem, &planned.id.submission, test);
    }
}

/// Keeps the files of one test. Returns their common path without extension, or none if they cannot be kept. A failure
/// to keep them never changes a verdict.
pub(super) fn keep(
    context: &Context,
    submission: SubmissionIndex,
    ordinal: TestIndex,
    case: &Case,
    judged: &JudgedExecution,
) -> Option<PathBuf> {
    let planned = &context.plan.submissions[submission];
    let test = &context.plan.problems[planned.problem].names[ordinal];
    let last = context.last.as_ref()?;
    keep_case(last, (&planned.id.problem, &planned.id.submission, test), case, judged)
}

/// Keeps the files of one case under a name. Returns their common path without extension, or none if they cannot be
/// kept.
pub fn keep_case(
    last: &LastRun,
    name: (&ProblemId, &SubmissionId, &TestId),
    case: &Case,
    judged: &JudgedExecution,
) -> Option<PathBuf> {
    write(last, name, case, judged).ok()
}

fn write(
    last: &LastRun,
    (problem, submission, test): (&ProblemId, &SubmissionId, &TestId),
    case: &Case,
    judged: &JudgedExecution,
) -> io::Result<PathBuf> {
    let JudgedExecution { streams, assessment, .. } = judged;
    let difference = assessment.difference.as_deref();
    let create = |extension: &str| last.create(problem, submission, test, extension);
    let copy = |extension: &str, from: &Path| last.copy(problem, submission, test, (extension, from)).map(drop);
    copy("in", &case.input)?;
    match &streams.stdin {
        None => {}
        Some(PassInput::Made(next)) => copy("pass.in", &next.input())?,
        Some(PassInput::Bytes(bytes)) => create("pass.in")?.0.write_all(bytes)?,
    }
    if let Some(answer) = &case.answer {
        copy("ans", answer)?;
        let part = difference.map(|difference| part_of_answer(answer, difference)).transpose()?;
        if let Some((start, part)) = part.flatten() {
            create(&part_extension(start, "ans"))?.0.write_all(&part)?;
        }
    }
    match &streams.stdout {
        Stdout::Capture(capture) => {
            let mut answer = case.open_answer()?;
            let mut out = io::BufWriter::new(create("out")?.0);
            capture.write_to(&mut answer, &mut out)?;
            out.flush()?;
            if let (Some(difference), Some(part)) = (difference, capture.near()) {
                let start = Capture::near_start(difference.actual.focus().offset);
                create(&part_extension(start, "out"))?.0.write_all(part)?;
            }
        }
        Stdout::File(output) => {
            let mut output = output.try_clone()?;
            output.rewind()?;
            io::copy(&mut output, &mut create("out")?.0)?;
        }
        Stdout::Bytes(output) => {
            let talked = case.problem.kind.is_interactive();
            create(if talked { "interaction" } else { "out" })?.0.write_all(output)?;
        }
        Stdout::Transcript(transcript) => create("interaction")?.0.write_all(transcript)?,
    }
    let (mut file, path) = create("err")?;
    file.write_all(&without_folder(&streams.stderr, case.folder.as_deref()))?;
    Ok(path.with_extension(""))
}

/// Messages with paths relative to the folder of the program, so that they do not reveal its place on this machine.
fn without_folder<'m>(messages: &'m [u8], folder: Option<&Path>) -> Cow<'m, [u8]> {
    let Some(folder) = folder else { return messages.into() };
    let escaped = regex::escape(&format!("{}/", folder.display()));
    // An escaped text is an expression. If it were too large for one, the messages would stay unchanged.
    Regex::new(&escaped).map_or(messages.into(), |folder| folder.replace_all(messages, NoExpand(b"")))
}

/// Returns the offset and text around the first difference; none if the copied part of the file already covers it.
fn part_of_answer(answer: &Path, difference: &Difference) -> io::Result<Option<(u64, Vec<u8>)>> {
    let at = difference.expected.focus().offset;
    let end = at + Capture::AFTER as u64;
    if end < MOST_COPIED || std::fs::metadata(answer)?.len() <= MOST_COPIED {
        return Ok(None);
    }
    let mut file = File::open(answer)?;
    let start = Capture::near_start(at);
    file.seek(SeekFrom::Start(start))?;
    let mut part = Vec::new();
    file.take((Capture::BEFORE + Capture::AFTER) as u64).read_to_end(&mut part)?;
    Ok(Some((start, part)))
}
