//! Where things are for a program behind walls, and what failed while that was made.

use std::io;

use super::refusal::Refusal;

/// Where a program finds its working directory, a directory for temporary files, and itself.
pub(super) const BOX: &str = "/sandbox/box";
pub(super) const TEMP: &str = "/tmp";
pub(super) const PROGRAM: &str = "/program";
/// Where the file system of the box, of `/tmp` and of `/dev/shm` is.
pub(super) const SCRATCH: &str = "/sandbox";

/// Says of an error what could not be done.
pub(super) fn during(what: &'static str) -> impl Fn(io::Error) -> io::Error {
    move |error| Refusal::told(&error, None, format!("cannot {what}: {error}"))
}
