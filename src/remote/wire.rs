//! The messages between client, broker and workers. `docs/scale.md` describes them for users.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, SystemTime};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::config::RankedSettings;
use crate::diagnostic::Diagnostic;
use crate::event::{BuildResult, GraderFault, TestIndex, TestResult};
use crate::plan::PlannedTest;
use crate::problem::grading::Grade;
use crate::problem::{Problem, Submission};
use crate::sandbox::Isolation;
use crate::store::{Digest, Key};

/// The version of all messages. Workers and clients of another version are in other pools.
pub(super) const SCHEMA: u32 = 6;

/// The streams, and the subjects of each.
pub(super) mod stream {
    /// `job.<lane>.<pool>.<run>.<job>`: jobs that wait or are in work.
    pub(in crate::remote) const JOBS: &str = "JOBS";
    /// `res.<run>.<job>`: results. `res.<run>.<job>.<name>-<n>`: parts of a result that is too long for one message.
    pub(in crate::remote) const RESULTS: &str = "RES";
    /// `blob.<digest>.<n>`: contents of files, in pieces. `blob.<digest>.end`: all pieces are there.
    pub(in crate::remote) const BLOBS: &str = "BLOBS";
    /// `hb.<worker>`: the last sign of life of each worker.
    pub(in crate::remote) const WORKERS: &str = "WORKERS";
    /// `run.<run>`: the runs that are not finished.
    pub(in crate::remote) const RUNS: &str = "RUNS";
}

/// Stands for the run in complaints to every client that looks for workers.
pub(super) const HEARD_BY_ALL: &str = "workers";

/// How often a worker gives a sign of life.
pub(super) const PULSE: Duration = Duration::from_secs(2);
/// A worker without a sign of life for this long counts as gone.
pub(super) const GONE: Duration = Duration::from_secs(8);

/// A sign of life of a worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Hello {
    pub(super) schema: u32,
    pub(super) name: String,
    /// The label of its pool, which an administrator chooses.
    pub(super) label: String,
    pub(super) profile: Profile,
    pub(super) slots: usize,
    /// The cores that it may use, and the machine that has them: several workers may share one.
    pub(super) cores: usize,
    pub(super) host: String,
    /// Distinguishes processes: two workers with one name are a mistake.
    pub(super) instance: String,
    /// Notices for readers of its results.
    pub(super) notices: Vec<Diagnostic>,
    /// The time by its clock.
    pub(super) clock: SystemTime,
    /// The keys of the jobs in work that another worker has had before.
    #[serde(default)]
    pub(super) repeats: Vec<String>,
    /// Why it leaves, if it does.
    pub(super) leaves: Option<Leaving>,
}

/// Why a worker takes no more jobs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Leaving {
    /// A signal ended it.
    Ended,
    /// It found itself unfit for work, for this reason.
    Sick(String),
}

/// The properties that two workers must share, so that they give the same results in comparable times.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Profile {
    /// The version of grader.
    pub(super) version: String,
    pub(super) isolation: Isolation,
    /// Whether the kernel limits the memory of programs there; otherwise it is sampled.
    pub(super) limits_memory: bool,
    /// The kind of processor.
    pub(super) machine: String,
    /// The version of each language's tools.
    pub(super) tools: BTreeMap<String, String>,
}

impl Profile {
    /// The name of the pool of all workers with this label and profile: one word of a subject.
    pub(super) fn pool(&self, label: &str) -> String {
        let key = Key::of("pool v1")
            .field("schema", SCHEMA.to_string())
            .field("version", &self.version)
            .field("isolation", self.isolation.name())
            .field("limits memory", self.limits_memory.to_string())
            .field("machine", &self.machine)
            .list("tools", self.tools.iter().flat_map(|(language, version)| [language.clone(), version.clone()]));
        format!("{label}-{}", short(&key.finish(), 8))
    }

    /// How this differs from another profile, in words; empty if it does not.
    pub(super) fn differences(&self, other: &Self) -> Vec<String> {
        let mut differences = Vec::new();
        if self.version != other.version {
            differences.push(format!("grader {} instead of {}", self.version, other.version));
        }
        if self.isolation != other.isolation {
            differences.push(format!("isolation {} instead of {}", self.isolation.name(), other.isolation.name()));
        }
        if self.limits_memory != other.limits_memory {
            let what = if self.limits_memory { "limited by the kernel" } else { "only sampled" };
            differences.push(format!("memory is {what}"));
        }
        if self.machine != other.machine {
            differences.push(format!("processor {} instead of {}", self.machine, other.machine));
        }
        let languages = self.tools.keys().chain(other.tools.keys()).collect::<std::collections::BTreeSet<_>>();
        for language in languages {
            match (self.tools.get(language), other.tools.get(language)) {
                (Some(here), Some(there)) if here != there => {
                    differences.push(format!("{language}: {here} instead of {there}"));
                }
                (None, Some(_)) => differences.push(format!("{language} is not installed")),
                (Some(_), None) => differences.push(format!("{language} is installed")),
                _ => {}
            }
        }
        differences
    }
}

/// The first digits of a key, as part of a subject.
pub(super) fn short(key: &Key, digits: usize) -> String {
    key.to_string().chars().take(digits).collect()
}

/// Files, as they travel.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct PackedFiles {
    /// Their contents: large files alone, small ones together.
    pub(super) blobs: Vec<Blob>,
    /// The contents of small files that travel with the message.
    #[serde(with = "bytes")]
    pub(super) inline: Vec<u8>,
    pub(super) files: Vec<PackedFile>,
}

/// The name of bytes at the broker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Blob {
    pub(super) digest: Digest,
    /// In bytes.
    pub(super) size: u64,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct PackedFile {
    pub(super) path: ClientPath,
    /// The position of its blob; none if it is inline.
    pub(super) blob: Option<u32>,
    pub(super) offset: u64,
    pub(super) length: u64,
    pub(super) executable: bool,
}

/// A problem with the settings that all its jobs share. It is a blob itself, so that a worker reads it once.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Pack {
    pub(super) problem: Problem,
    pub(super) tests: Vec<PlannedTest>,
    pub(super) settings: RankedSettings,
    /// The language of every submission, if one was named.
    pub(super) language: Option<String>,
    pub(super) all_tests: bool,
    /// Whether a time over the limit needs a second look if other programs keep the machine busy.
    pub(super) wants_looks: bool,
    pub(super) files: PackedFiles,
}

/// One job.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Job {
    pub(super) schema: u32,
    pub(super) run: String,
    pub(super) key: String,
    pub(super) pack: Blob,
    pub(super) task: Task,
    /// About how many jobs of the run each slot of the pool still gets.
    pub(super) more: usize,
    /// How long a worker may be silent before others get the job.
    pub(super) lease: Duration,
}

/// The task of a job.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) enum Task {
    /// Validate the inputs of the problem.
    Inputs,
    Submission(Box<Entrant>),
    /// A request of a stream: one line.
    Request(Line),
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) enum Line {
    #[serde(with = "bytes")]
    Here(Vec<u8>),
    /// It is too long for the message of a job.
    Blob(Blob),
}

/// The submission of a job.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Entrant {
    pub(super) submission: Submission,
    pub(super) reference: bool,
    pub(super) first: Vec<TestIndex>,
    pub(super) time_factor: f64,
    pub(super) files: PackedFiles,
}

/// The result of a job.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct JobResult {
    pub(super) schema: u32,
    pub(super) worker: String,
    /// How often workers had received the job.
    pub(super) attempt: u64,
    pub(super) outcome: Outcome,
    /// The verdicts in short, to compare with another result of the same job.
    pub(super) verdicts: String,
    /// Files of failed tests that the client does not have.
    pub(super) kept: Vec<FailureFile>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) enum Outcome {
    /// The results of the submission, or of the validation of inputs.
    Known(Box<KnownSubmission>),
    /// The answer to a request, as JSON.
    Answer(String),
    /// A judge error.
    Failed(String),
}

impl Default for Outcome {
    fn default() -> Self {
        Self::Known(Box::default())
    }
}

/// A file on the machine of the client. Relative to the root, so that no receiver takes it for a file of its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "PathBuf")]
pub(super) struct ClientPath(PathBuf);

impl From<PathBuf> for ClientPath {
    fn from(path: PathBuf) -> Self {
        Self::new(&path)
    }
}

impl ClientPath {
    /// Creates it from the absolute path on the client.
    pub(super) fn new(path: &Path) -> Self {
        Self(path.components().filter(|part| matches!(part, Component::Normal(_))).collect())
    }

    /// The file of the same path below another root. The result is always below that root, even if a hostile client
    /// sent the path.
    pub(super) fn below(&self, root: &Path) -> PathBuf {
        root.join(&self.0)
    }

    /// The path in a directory of the client; none if the file is not in it.
    pub(super) fn inside(&self, dir: &Self) -> Option<&Path> {
        // A path that does not begin with the directory is not in it.
        self.0.strip_prefix(&dir.0).ok()
    }

    /// The absolute path on the client.
    pub(super) fn on_client(&self) -> PathBuf {
        self.below(Path::new("/"))
    }
}

/// A notice of a worker. Its own path is empty, because it would be a path on the worker's machine.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct KnownNotice {
    /// The file of the client to which it applies.
    pub(super) about: Option<ClientPath>,
    pub(super) notice: Diagnostic,
}

/// The results of a worker for one submission, which enter the ledger of the client. A validation of inputs has only
/// notices. Messages name files without the folders of a machine.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct KnownSubmission {
    pub(super) notices: Vec<KnownNotice>,
    /// None if the build was not announced.
    pub(super) built: Option<BuildResult>,
    pub(super) tests: Vec<KnownTest>,
    /// The answers of graders from the package, each with the position of its group.
    pub(super) grades: Vec<(usize, Result<Grade, GraderFault>)>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct KnownTest {
    /// The position of the test among the planned tests.
    pub(super) ordinal: TestIndex,
    /// Without the place of its files.
    pub(super) result: TestResult,
    /// Whether it has files, which are in `JobResult::kept`.
    pub(super) has_files: bool,
}

/// A file of a failed test.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct FailureFile {
    /// The position of the test among the planned tests.
    pub(super) ordinal: TestIndex,
    /// `out`, `err`, …
    pub(super) extension: String,
    #[serde(with = "bytes")]
    pub(super) content: Vec<u8>,
}

/// The room of the broker that is used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub(super) enum Full {
    /// One stream holds as much as it may. Workers make room in the queue of jobs.
    #[error("a stream of the broker holds as much as it may\n  → raise the limits of the stream, or {FREE}")]
    Stream,
    /// The memory that the broker may use. Signs of life of workers need it.
    #[error("the memory of the broker is full\n  → raise max_memory_store in its configuration and start it again")]
    Memory,
    /// The storage that the broker may use.
    #[error(
        "the storage of the broker is full\n  → raise max_file_store in its configuration, or make room on its disk, and \
         start it again; or {FREE}"
    )]
    Storage,
}

/// How a client makes room at the broker.
const FREE: &str = "cancel runs that nobody needs: grader attach --engine URL lists them";

/// A message of a worker to the client of a run besides results (`complain.<run>`).
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) enum Complaint {
    /// The broker stores nothing more from this worker: a result, or a sign of life (`complain.workers`).
    NoRoom { worker: String, full: Full },
    /// A blob is missing, or its content has another digest.
    Blob(Digest),
    /// A second result of a job differs from the one that is kept.
    Unstable { job: String, kept: String, other: String },
}

/// The progress of a run (`prog.<run>`): a test of a job has begun.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Progress {
    pub(super) job: String,
    pub(super) ordinal: TestIndex,
}

/// A run that is not finished (`run.<run>`).
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct RunNote {
    /// Distinguishes its jobs from those of an earlier run with the same jobs.
    pub(super) epoch: u64,
    pub(super) jobs: usize,
    /// Empty in notes of older versions.
    #[serde(default)]
    pub(super) pool: String,
    /// The command line, and where it was given.
    pub(super) words: Vec<String>,
    pub(super) start: PathBuf,
    /// The name of the machine.
    pub(super) host: String,
}

/// Encodes a message.
pub(super) fn encode<T: Serialize>(message: &T) -> Result<Vec<u8>, WireError> {
    let plain = rmp_serde::to_vec_named(message)?;
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(&plain)?;
    Ok(encoder.finish()?)
}

/// Decodes a message. Fails if it is longer than [`MOST_DECODED`] bytes.
pub(super) fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, WireError> {
    let mut plain = Vec::new();
    ZlibDecoder::new(bytes).take(MOST_DECODED).read_to_end(&mut plain)?;
    Ok(rmp_serde::from_slice(&plain)?)
}

/// The most bytes of a decoded message.
const MOST_DECODED: u64 = 1 << 30;

/// A message that cannot be encoded or decoded.
#[derive(Debug, thiserror::Error)]
pub(super) enum WireError {
    #[error("cannot write a message for workers: {0}")]
    Encode(#[from] rmp_serde::encode::Error),
    #[error("cannot read a message: {0}")]
    Decode(#[from] rmp_serde::decode::Error),
    #[error("cannot read or write a compressed message: {0}")]
    Compression(#[from] std::io::Error),
}

/// Bytes as bytes: a list of numbers would take twice the space.
pub(super) mod bytes {
    use std::fmt;

    use serde::de::{self, Visitor};
    use serde::{Deserializer, Serializer};

    #[expect(clippy::ptr_arg, reason = "serde passes the field")]
    pub(in crate::remote) fn serialize<S: Serializer>(bytes: &Vec<u8>, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(bytes)
    }

    pub(in crate::remote) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        struct Bytes;
        impl Visitor<'_> for Bytes {
            type Value = Vec<u8>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("bytes")
            }

            fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
                Ok(bytes.to_vec())
            }

            fn visit_byte_buf<E: de::Error>(self, bytes: Vec<u8>) -> Result<Vec<u8>, E> {
                Ok(bytes)
            }
        }
        deserializer.deserialize_byte_buf(Bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_path_from_elsewhere_leads_out_of_a_root() {
        let problem = ClientPath::new(Path::new("/home/u/p"));
        for (sent, below, inside) in [
            ("/home/u/p/a.py", "/tree/home/u/p/a.py", Some("a.py")),
            ("home/u/p/a.py", "/tree/home/u/p/a.py", Some("a.py")),
            ("/home/u/p/../../../../etc/passwd", "/tree/home/u/p/etc/passwd", Some("etc/passwd")),
            ("/../../etc/passwd", "/tree/etc/passwd", None),
        ] {
            let path: ClientPath = serde_json::from_value(sent.into()).unwrap();
            assert_eq!(path.below(Path::new("/tree")), Path::new(below));
            assert_eq!(path.inside(&problem), inside.map(Path::new));
        }
    }
}
