//! Mistakes in the files of parts that make no run, each with a remedy.

use std::io;
use std::path::PathBuf;

use super::Shard;

/// Why the parts in a folder do not make a run.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Mistake {
    #[error("cannot read {}: {error}", .file.display())]
    Read { file: PathBuf, error: io::Error },
    #[error("cannot read the folder {}: {error}\n  → name the folder with the parts: the one that --out named", .dir.display())]
    ReadFolder { dir: PathBuf, error: io::Error },
    #[error("there is no part of a run in {}\n  → make one: grader run --shard 0/8 --out {}", .0.display(), .0.display())]
    NoParts(PathBuf),
    /// The file is not a part, or was changed.
    #[error("{}, line {line}: {cause}\n  → delete the file and run its part again", .file.display())]
    Damaged { file: PathBuf, line: usize, cause: Damage },
    #[error("{} is of schema {schema}; this grader reads schema {}\n  → use the same grader for all parts", .file.display(), super::SCHEMA)]
    Schema { file: PathBuf, schema: u32 },
    #[error("{} says that it is part {said}\n  → give the file its name back", .file.display())]
    Renamed { file: PathBuf, said: Shard },
    /// The run was cut into different numbers of parts.
    #[error("{} is one of {} parts, {} one of {}\n  → keep each run in a folder of its own", .one.display(), .of_one, .other.display(), .of_other)]
    Sizes { one: PathBuf, of_one: u32, other: PathBuf, of_other: u32 },
    #[error("{} of {of} parts are missing: {}\n  → run them: the same command with --shard {}/{of}", .missing.len(), listed(.missing), .missing.first().unwrap_or(&0))]
    Missing { of: u32, missing: Vec<u32> },
    #[error("{} is empty: grader was killed before it wrote anything\n  → run the part again", .0.display())]
    Empty(PathBuf),
    #[error(
        "part {shard} is not finished: it has {done} of {planned} submissions\n  → run it again, and it goes on: the same command with --shard {shard}"
    )]
    Unfinished { shard: Shard, done: usize, planned: usize },
    #[error("{} is a part of another run than {}: {what}\n  → run one of them again, from the same files and with the same options", .file.display(), .first.display())]
    OtherRun { file: PathBuf, first: PathBuf, what: Unlike },
    #[error("{}: {submission} is {here}, but {there} in {}", .file.display(), .other.display())]
    Disagree { file: PathBuf, other: PathBuf, submission: String, here: String, there: String },
    #[error("no part has {0}: the parts were made from different files")]
    Nobody(String),
}

/// The defect of a line of a part.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Damage {
    #[error("this is not a part of a run, which begins with `part_started`")]
    NoHead,
    #[error("damaged: {0}")]
    Json(#[from] serde_json::Error),
    #[error("damaged: it belongs to no submission of the part")]
    Stranger,
    #[error("damaged: the line is out of place")]
    Place,
}

/// The difference between two parts that belong to different runs.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unlike {
    #[error("its grader has version {0}, the other {1}")]
    Version(String, String),
    #[error("its command is `grader {0}`, that of the other `grader {1}`")]
    Command(&'static str, &'static str),
    #[error("one of them has another plan (`--plan`), or none")]
    Plan,
    #[error("its problems are {0}, those of the other {1}")]
    Problems(String, String),
    #[error("it has {0} submissions, the other {1}")]
    Submissions(usize, usize),
    #[error("submission {0} is {1}, in the other {2}")]
    Submission(usize, String, String),
    #[error("its programs ran in layer {0}, those of the other in layer {1}")]
    Isolation(String, String),
    #[error("it has {1} tests of {0}, the other {2}")]
    Tests(String, usize, usize),
    #[error("the time limit of {0} or another setting differs")]
    Settings(String),
    /// The pieces that differ, in words; none if no single one is known.
    #[error("{}", differing(.0))]
    Contents(Vec<String>),
}

/// The pieces that differ, the first few of many.
fn differing(pieces: &[String]) -> String {
    const SHOWN: usize = 5;
    if pieces.is_empty() {
        return "an option or a setting differs".to_owned();
    }
    let more = pieces.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!(", and {more} more") } else { String::new() };
    format!("these have other contents: {}{more}", pieces[..pieces.len().min(SHOWN)].join(", "))
}

/// The numbers of parts, the first few of many.
pub(super) fn listed(numbers: &[u32]) -> String {
    const SHOWN: usize = 20;
    let shown: Vec<String> = numbers.iter().take(SHOWN).map(ToString::to_string).collect();
    let more = if numbers.len() > SHOWN { ", …" } else { "" };
    format!("{}{more}", shown.join(", "))
}
