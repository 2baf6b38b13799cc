//! A program's standard input, which it can only read.
//!
//! The owner of a file can open it again for writing through `/proc/self/fd/0`, even if it was opened for reading.
//! Without a separate user, every program is the owner. So programs get a sealed copy in memory (`memfd_create(2)`,
//! "File sealing").

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;

use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, memfd_create};

/// Returns the input that a program reads in place of `file`: a copy that no process can change. Returns anything but a
/// plain file unchanged.
pub(super) fn sealed(mut file: File) -> io::Result<File> {
    if !file.metadata()?.is_file() {
        return Ok(file);
    }
    let mut copy = File::from(memfd_create("input", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?);
    io::copy(&mut file, &mut copy)?;
    fcntl_add_seals(&copy, SealFlags::WRITE | SealFlags::GROW | SealFlags::SHRINK | SealFlags::SEAL)?;
    // Opening it again starts at the beginning and gives no right to write.
    File::open(format!("/proc/self/fd/{}", copy.as_raw_fd()))
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::*;

    #[test]
    fn it_can_be_read_and_not_be_changed() {
        let original = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(original.path(), "1 2\n").unwrap();
        let mut input = sealed(File::open(original.path()).unwrap()).unwrap();
        let mut text = String::new();
        input.read_to_string(&mut text).unwrap();
        assert_eq!(text, "1 2\n");
        assert!(input.write(b"x").is_err());
        let mut again = File::options().write(true).open(format!("/proc/self/fd/{}", input.as_raw_fd())).unwrap();
        assert!(again.write(b"x").is_err());
        assert!(again.set_len(0).is_err());
        assert_eq!(std::fs::read_to_string(original.path()).unwrap(), "1 2\n");
    }
}
