//! Finds the interpreter of Python behind a name in `PATH`, the files that it needs to see, and the packages installed
//! for it.
//!
//! Only the interpreter itself knows these. A virtual environment is recognised by the name used to start it, version
//! managers put scripts in its place, and packages may lie anywhere. The interpreter is asked once. It is asked again
//! when a file that decides its answer has changed.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};

use crate::store::{Key, KeyBuilder};

/// What tells that a directory is a virtual environment (PEP 405); it names the interpreter that the environment is made of.
pub(super) const MARKER: &str = "pyvenv.cfg";

/// What an interpreter prints about itself, a path on each line; an empty line where it has none. Packages that are
/// installed as links to their sources may be known to no path, but to a finder of setuptools.
pub(super) const QUESTION: &str = "\
import sys, site
own = site.ENABLE_USER_SITE
print(sys.executable, sys.prefix, sys.base_prefix, sep='\\n')
print(site.getuserbase() if own else '', site.getusersitepackages() if own else '', sep='\\n')
finders = [m for name, m in sorted(sys.modules.items()) if name.startswith('__editable__')]
for path in sys.path + [to for m in finders for to in getattr(m, 'MAPPING', {}).values()]: print(path)
";

/// No more files of a package's sources are looked at for changes.
const MOST_FILES: usize = 10_000;

/// What an interpreter says about itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Interpreter {
    /// The program, by the name that makes it what it is.
    pub(super) executable: PathBuf,
    /// The virtual environment, or where the interpreter itself is installed.
    prefix: PathBuf,
    /// Where the interpreter itself is installed.
    base: PathBuf,
    /// Where the user's own packages are, and what they are found by, unless they are not to be used.
    user: Option<UserSite>,
    /// Where modules are looked for; also files and directories that are not there.
    paths: Vec<PathBuf>,
}

/// Packages that a user has installed outside of any environment (PEP 370).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct UserSite {
    base: PathBuf,
    packages: PathBuf,
}

impl Interpreter {
    /// Reads its answer; none for anything else.
    pub(super) fn read(answer: &str) -> Option<Self> {
        let mut lines = answer.lines();
        let mut path = || lines.next().map(PathBuf::from);
        let (executable, prefix, base) = (path()?, path()?, path()?);
        let (user_base, packages) = (path()?, path()?);
        let user =
            (user_base.is_absolute() && packages.is_absolute()).then_some(UserSite { base: user_base, packages });
        let paths = lines.map(PathBuf::from).filter(|path| path.is_absolute()).collect();
        [&executable, &prefix, &base].iter().all(|path| path.is_absolute()).then_some(())?;
        Some(Self { executable, prefix, base, user, paths })
    }

    /// The directories that belong to it as a whole: the environment, and the interpreter that this is made of.
    pub(super) fn prefixes(&self) -> BTreeSet<&Path> {
        BTreeSet::from([&*self.prefix, &*self.base])
    }

    /// Everything that modules are looked for in.
    pub(super) fn places(&self) -> impl Iterator<Item = &Path> {
        self.paths.iter().map(PathBuf::as_path)
    }

    /// What the environment of a program must hold for it to find the user's own packages, whose home is another one in a
    /// box; none where there are no such packages.
    pub(super) fn variables(&self) -> Option<(&'static str, &Path)> {
        let user = self.user.as_ref().filter(|user| self.paths.contains(&user.packages))?;
        Some(("PYTHONUSERBASE", &user.base))
    }

    /// Returns a key for everything installed for the interpreter. The key changes when a package is added, removed or
    /// replaced by another version, and when the user edits a module of their own. Does not read files.
    pub(super) fn fingerprint(&self) -> Key {
        let key = Key::of("python v1").field("prefix", self.prefix.as_os_str().as_encoded_bytes());
        let key = stamp(key, &self.prefix.join(MARKER));
        let user = self.user.iter().map(|user| &user.packages).filter(|packages| !self.paths.contains(packages));
        self.paths.iter().chain(user).fold(key, |key, place| self.stamp_place(key, place)).finish()
    }

    fn stamp_place(&self, key: KeyBuilder, place: &Path) -> KeyBuilder {
        let key = key.field("place", place.as_os_str().as_encoded_bytes());
        let is_of_packages = ["site-packages", "dist-packages"].iter().any(|name| place.ends_with(name));
        if is_of_packages {
            installed(place).into_iter().fold(key, |key, entry| stamp(key, &entry))
        } else if self.prefixes().iter().any(|prefix| place.starts_with(prefix)) {
            // The standard library changes with the interpreter's version.
            stamp(key, place)
        } else {
            sources(place).iter().fold(key, |key, file| stamp(key, file))
        }
    }
}

/// What lies directly in a directory of packages, sorted: each package with its version (`numpy-1.26.4.dist-info`), paths to
/// others (`*.pth`), and single modules.
fn installed(place: &Path) -> BTreeSet<PathBuf> {
    let entries = fs::read_dir(place).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(|path| !path.ends_with("__pycache__")).collect()
}

/// The modules below a directory that somebody works in, or the one file, sorted.
fn sources(place: &Path) -> BTreeSet<PathBuf> {
    let is_source = |path: &Path| path.extension().is_some_and(|extension| extension == "py" || extension == "so");
    let files = walkdir::WalkDir::new(place).sort_by_file_name().into_iter().filter_map(Result::ok).take(MOST_FILES);
    files.map(walkdir::DirEntry::into_path).filter(|path| is_source(path)).collect()
}

/// Adds a file's name, size and time of change, or that it is not there. Of a directory the time counts only where it is the
/// record of an installation, which is made anew each time: any other changes when a module in it is first used.
fn stamp(key: KeyBuilder, path: &Path) -> KeyBuilder {
    let key = key.field("entry", path.as_os_str().as_encoded_bytes());
    let Ok(meta) = fs::metadata(path) else { return key.field("missing", "") };
    let is_record = ["dist-info", "egg-info"].iter().any(|end| path.extension().is_some_and(|have| have == *end));
    if meta.is_dir() && !is_record {
        return key;
    }
    let size = if meta.is_dir() { 0 } else { meta.len() };
    // A time before 1970, or none at all, counts as 0: size and path still tell files apart.
    let changed = meta.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
    key.field("size", size.to_le_bytes()).field("changed", changed.as_nanos().to_le_bytes())
}
