//! A secret of this store, from which pseudonyms are computed.

use std::fs::{self, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

use super::layout::{ensure_dir, open_plain};

/// The file's name in the store.
const FILE: &str = "pseudonyms.key";

/// Returns the secret of the store at `dir`, and makes one if it is missing. Other users cannot read the file.
///
/// # Errors
/// The file cannot be read or written, or is damaged.
pub fn secret(dir: &Path) -> io::Result<[u8; 32]> {
    let path = dir.join(FILE);
    let told = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    match read(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        secret => return secret.map_err(told),
    }
    ensure_dir(dir).and_then(|()| make(dir, &path)).map_err(told)?;
    // Another process may have made it meanwhile.
    read(&path).map_err(told)
}

fn read(path: &Path) -> io::Result<[u8; 32]> {
    let mut bytes = Vec::new();
    open_plain(path, OpenOptions::new().read(true))?.take(64).read_to_end(&mut bytes)?;
    let damaged = "the secret of the pseudonyms is damaged\n  → remove the file; students get other pseudonyms then";
    bytes.try_into().map_err(|_| io::Error::new(io::ErrorKind::InvalidData, damaged))
}

fn make(dir: &Path, path: &Path) -> io::Result<()> {
    let mut secret = [0; 32];
    getrandom::fill(&mut secret)?;
    let mut file = tempfile::Builder::new().prefix(".secret-").tempfile_in(dir)?;
    file.write_all(&secret)?;
    match file.persist_noclobber(path) {
        Err(error) if error.error.kind() != io::ErrorKind::AlreadyExists => Err(error.error),
        _ => fs::metadata(path).map(drop),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    #[test]
    fn a_secret_is_made_once_and_is_private() {
        let temp = tempfile::tempdir().unwrap();
        let dir = temp.path().join(".grader");
        let first = secret(&dir).unwrap();
        assert_eq!(secret(&dir).unwrap(), first);
        assert_ne!(secret(&temp.path().join("other")).unwrap(), first);
        assert_eq!(fs::metadata(dir.join(FILE)).unwrap().permissions().mode() & 0o077, 0);
        fs::write(dir.join(FILE), "short").unwrap();
        assert!(secret(&dir).unwrap_err().to_string().contains("damaged"));
        fs::remove_file(dir.join(FILE)).unwrap();
        symlink("/etc/hostname", dir.join(FILE)).unwrap();
        assert!(secret(&dir).is_err());
    }
}
