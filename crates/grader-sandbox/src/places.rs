//! The paths that a program sees behind walls, and the errors of setting them up.

use std::io;

use super::refusal::Refusal;
use grader_model::limits::Bytes;

/// The paths of the working directory, the directory for temporary files, and the program itself.
pub(super) const BOX: &str = "/sandbox/box";
pub(super) const TEMP: &str = "/tmp";
pub(super) const PROGRAM: &str = "/program";
/// The mount point of the file system that holds the box, `/tmp` and `/dev/shm`.
pub(super) const SCRATCH: &str = "/sandbox";

/// The most that a program may write to its box.
pub const BOX_BYTES: Bytes = Bytes(1 << 30);
/// The most files and directories that a program may have in its box.
pub const BOX_FILES: u64 = 1 << 16;

/// Adds the operation that failed to an error.
pub(super) fn during(what: &'static str) -> impl Fn(io::Error) -> io::Error {
    move |error| Refusal::with_message(&error, None, format!("cannot {what}: {error}"))
}
