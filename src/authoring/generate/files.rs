//! Manages generated files on disk: compares and replaces them, and remembers which ones grader made.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::{Fault, Files};
use crate::package::cases::{Staging, companions};
use crate::package::document::{Document, Value};
use crate::package::generators::{ENDINGS, Shape};
use crate::store::{Digest, Key, Store};

/// The digests of files, by extension.
pub(crate) fn digests(files: &Files) -> Vec<(String, String)> {
    files.iter().map(|(ending, bytes)| (ending.clone(), Digest::of_bytes(bytes).to_string())).collect()
}

/// The differences between the generated files of a case and the disk, by extension.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    missing: Vec<String>,
    other: Vec<String>,
    same: usize,
}

impl Changes {
    pub(crate) fn is_none(&self) -> bool {
        self.missing.is_empty() && self.other.is_empty()
    }

    pub(crate) fn is_new(&self) -> bool {
        self.other.is_empty() && self.same == 0
    }

    pub(crate) fn shown(&self) -> String {
        let other = self.other.iter();
        let missing = self.missing.iter();
        let files = other.map(|ending| format!(".{ending}")).chain(missing.map(|ending| format!(".{ending} missing")));
        files.collect::<Vec<_>>().join(", ")
    }
}

/// The test data of a problem.
pub(crate) struct CaseFiles<'a> {
    /// The root directory of the test data.
    pub(crate) root: PathBuf,
    /// The directory in which files are prepared; none if nothing is written.
    pub(crate) staging: Option<Staging>,
    /// Whether the data has groups.
    pub(crate) shape: Shape,
    /// The store that remembers generated files.
    pub(crate) store: &'a Store,
    /// Whether to replace files that grader did not generate.
    pub(crate) force: bool,
}

impl CaseFiles<'_> {
    /// The digests of a case that was made from the same sources, if its files on disk are unchanged. None if a file
    /// cannot be read, so that the case is made again.
    pub(crate) fn recorded(&self, key: &Key, name: &str) -> Option<Vec<(String, String)>> {
        let recorded = self.store.outcome::<Vec<(String, String)>>(key)?.value;
        let paths: Vec<PathBuf> = recorded.iter().map(|(ending, _)| self.path(name, ending)).collect();
        if paths.is_empty() || !paths.iter().all(|path| is_plain(path)) {
            return None;
        }
        let found = self.store.digest_files(&paths);
        let same = recorded.iter().zip(found).all(|((_, digest), found)| found.is_ok_and(|f| f.to_string() == *digest));
        same.then_some(recorded)
    }

    /// Remembers the key of a case, and that grader generated its files.
    pub(crate) fn record(&self, key: Key, name: &str, files: &Files) {
        let digests = digests(files);
        for (ending, digest) in &digests {
            remember(self.store, &self.path(name, ending), digest);
        }
        self.store.put_outcome(key, &digests, None);
    }

    pub(crate) fn path(&self, name: &str, ending: &str) -> PathBuf {
        self.root.join(format!("{name}.{ending}"))
    }

    pub(crate) fn compare(&self, name: &str, files: &Files) -> Changes {
        let mut changes = Changes::default();
        for (ending, bytes) in files {
            let path = self.path(name, ending);
            if path.symlink_metadata().is_err() {
                changes.missing.push(ending.clone());
            } else if is_plain(&path) && holds(&path, bytes) {
                changes.same += 1;
            } else {
                changes.other.push(ending.clone());
            }
        }
        changes
    }

    /// Writes missing and changed files. All of them are prepared before the first one gets its name.
    pub(crate) fn write(&self, name: &str, files: &Files, changes: &Changes) -> Result<(), Fault> {
        for ending in &changes.other {
            let path = self.path(name, ending);
            if !self.may_replace(&path) {
                return Err(Fault::Foreign(in_the_way(&format!("its .{ending} on disk"))));
            }
        }
        let failed = |path: &Path, error: &io::Error| Fault::case(format!("cannot write {}: {error}", path.display()));
        let mut ready = Vec::new();
        for ending in changes.missing.iter().chain(&changes.other) {
            let path = self.path(name, ending);
            let prepared = self.prepare(&path, &files[ending]).map_err(|error| failed(&path, &error))?;
            ready.push((prepared, path));
        }
        for (prepared, path) in ready {
            fs::rename(&prepared, &path).map_err(|error| failed(&path, &error))?;
        }
        Ok(())
    }

    /// Prepares a temporary file that will be renamed to `path`.
    fn prepare(&self, path: &Path, bytes: &[u8]) -> io::Result<PathBuf> {
        let staging = self.staging.as_ref().ok_or(io::ErrorKind::ReadOnlyFilesystem)?;
        fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let file = staging.path(&name);
        fs::write(&file, bytes)?;
        Ok(file)
    }

    /// Whether a file may be replaced: grader generated it, or `force` is set. An unreadable file counts as not
    /// generated.
    fn may_replace(&self, path: &Path) -> bool {
        let made = || {
            let digest = self.store.digest_file(path).ok().filter(|_| is_plain(path))?;
            self.store.outcome::<bool>(&made_here(&digest.to_string()))
        };
        self.force || made().is_some()
    }

    /// Whether a group's file has this content, whatever its formatting.
    pub(crate) fn says(&self, path: &Path, value: &Value) -> bool {
        let path = self.root.join(path);
        if !is_plain(&path) {
            return false;
        }
        let document = Document::load(&path);
        let sound = document.found().is_empty();
        sound && document.value(&[]).is_some_and(|found| found == value || is_empty(found) && is_empty(value))
    }

    pub(crate) fn write_group(&self, path: &Path, text: &str) -> Result<(), Fault> {
        let shown = path.display().to_string();
        let path = self.root.join(path);
        if path.symlink_metadata().is_ok() && !self.may_replace(&path) {
            return Err(Fault::Foreign(in_the_way(&shown)));
        }
        let write = || fs::rename(self.prepare(&path, text.as_bytes())?, &path);
        write().map_err(|error: io::Error| Fault::case(format!("cannot write {}: {error}", path.display())))?;
        self.store.put_outcome(made_here(&Digest::of_bytes(text.as_bytes()).to_string()), &true, None);
        Ok(())
    }

    /// Files of cases below the data root that no recipe makes, sorted by name. Unreadable directories were already
    /// reported.
    pub(crate) fn unlisted(&self, wanted: &BTreeSet<PathBuf>) -> UnlistedFiles {
        let mut cases: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
        for path in self.unlisted_files(wanted) {
            cases.entry(case_path(&path)).or_default().push(path);
        }
        let mut unlisted = UnlistedFiles::default();
        for files in cases.into_values() {
            // A case that was changed by hand is hand-made as a whole.
            let was_made = self.force || files.iter().all(|file| self.was_made(file));
            (if was_made { &mut unlisted.obsolete } else { &mut unlisted.by_hand }).extend(files);
        }
        unlisted
    }

    /// Whether grader generated this file under this name. An unreadable file counts as not generated.
    fn was_made(&self, file: &Path) -> bool {
        let path = self.root.join(file);
        let digest = self.store.digest_file(&path).ok().filter(|_| is_plain(&path));
        digest.is_some_and(|digest| self.store.outcome::<bool>(&made_as(&path, &digest.to_string())).is_some())
    }

    fn unlisted_files(&self, wanted: &BTreeSet<PathBuf>) -> Vec<PathBuf> {
        // A plain folder may contain any files, so only files that belong to an input count.
        if self.shape == Shape::Flat {
            let entries = fs::read_dir(&self.root).into_iter().flatten().flatten();
            let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
            names.sort_unstable();
            let cases = names.iter().filter_map(|name| name.strip_suffix(".in"));
            let files = cases.flat_map(|case| companions(&names, case, false));
            return files.map(PathBuf::from).filter(|path| !wanted.contains(path)).collect();
        }
        let is_case = |path: &Path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let group = name == "test_group.yaml" || name == "testdata.yaml";
            !group && ENDINGS.iter().any(|ending| name.strip_suffix(ending).is_some_and(|stem| stem.ends_with('.')))
        };
        let walk = WalkDir::new(&self.root).min_depth(2).sort_by_file_name().into_iter();
        let inner = walk.filter_entry(|entry| !entry.file_name().to_string_lossy().ends_with(".files"));
        let files = inner.flatten().filter(|entry| !entry.file_type().is_dir() && is_case(entry.path()));
        let below = files.filter_map(|entry| entry.path().strip_prefix(&self.root).ok().map(Path::to_owned));
        below.filter(|path| !wanted.contains(path)).collect()
    }
}

/// The files of cases that no recipe makes.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct UnlistedFiles {
    /// Files of cases that grader generated earlier.
    pub(crate) obsolete: Vec<PathBuf>,
    /// Files of all other cases, such as those of `grader add`.
    pub(crate) by_hand: Vec<PathBuf>,
}

/// The path of a case's file without its extension, of which names of cases may have dots.
fn case_path(file: &Path) -> PathBuf {
    let text = file.to_string_lossy();
    let endings = ENDINGS.iter().filter_map(|ending| text.strip_suffix(ending)?.strip_suffix('.'));
    // `ans.statement` is longer than `statement`, so the shortest rest is the name.
    endings.min_by_key(|stem| stem.len()).map_or_else(|| file.to_owned(), PathBuf::from)
}

/// The paths of all files that a case may have.
pub(crate) fn all_of(name: &str) -> impl Iterator<Item = PathBuf> {
    ENDINGS.iter().map(move |ending| PathBuf::from(format!("{name}.{ending}")))
}

/// The text of a group's file; none if the group has no file.
pub(crate) fn group_text(value: &Value) -> Result<Option<String>, yaml_serde::Error> {
    if *value == Value::Null { Ok(None) } else { yaml_serde::to_string(value).map(Some) }
}

fn is_empty(value: &Value) -> bool {
    matches!(value, Value::Null) || matches!(value, Value::Table(entries) if entries.is_empty())
}

/// Remembers that grader generated this file with this content.
pub(crate) fn remember(store: &Store, path: &Path, digest: &str) {
    store.put_outcome(made_here(digest), &true, None);
    store.put_outcome(made_as(path, digest), &true, None);
}

fn made_here(digest: &str) -> Key {
    Key::of("generated file v1").field("digest", digest).finish()
}

/// The key under which the store remembers that grader generated a file under this name.
fn made_as(path: &Path, digest: &str) -> Key {
    Key::of("generated file at v1").field("path", path.as_os_str().as_encoded_bytes()).field("digest", digest).finish()
}

fn in_the_way(what: &str) -> String {
    format!("{what} differs, and `grader gen` did not make it")
}

/// Whether a path is a regular file, which can be compared and replaced, and not a link or directory.
fn is_plain(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|found| found.is_file())
}

/// Whether a file consists of these bytes; an unreadable file counts as different.
fn holds(path: &Path, bytes: &[u8]) -> bool {
    let length = fs::metadata(path).map(|found| found.len());
    length.is_ok_and(|length| length == bytes.len() as u64) && fs::read(path).is_ok_and(|found| found == bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct CaseFolder {
        dir: tempfile::TempDir,
        store: Store,
    }

    impl CaseFolder {
        fn new() -> Self {
            let dir = tempfile::tempdir().unwrap();
            let (store, _) = Store::open(&dir.path().join("store"));
            fs::create_dir(dir.path().join("data")).unwrap();
            Self { dir, store }
        }

        fn case_files(&self, force: bool) -> CaseFiles<'_> {
            let root = self.dir.path().join("data");
            CaseFiles {
                staging: Some(Staging::new(&root).unwrap()),
                root,
                shape: Shape::Groups,
                store: &self.store,
                force,
            }
        }
    }

    fn files(input: &str) -> Files {
        Files::from([("in".to_owned(), input.as_bytes().to_vec()), ("ans".to_owned(), b"1\n".to_vec())])
    }

    /// Makes a case as `grader gen` does.
    fn make(case_files: &CaseFiles<'_>, name: &str, input: &str) -> Result<Changes, Fault> {
        let files = files(input);
        let changes = case_files.compare(name, &files);
        case_files.write(name, &files, &changes)?;
        case_files.record(Key::of("test").field("name", name).field("input", input).finish(), name, &files);
        Ok(changes)
    }

    #[test]
    fn what_was_made_here_is_made_again_and_nothing_else_is_replaced() {
        let place = CaseFolder::new();
        let case_files = place.case_files(false);
        assert!(make(&case_files, "secret/1", "1\n").unwrap().is_new());
        assert!(make(&case_files, "secret/1", "1\n").unwrap().is_none());
        let changes = make(&case_files, "secret/1", "2\n").unwrap();
        assert_eq!((changes.is_new(), changes.shown()), (false, ".in".to_owned()));
        let input = case_files.path("secret/1", "in");
        fs::write(&input, "by hand\n").unwrap();
        assert!(matches!(make(&case_files, "secret/1", "3\n"), Err(Fault::Foreign(_))));
        assert_eq!(fs::read_to_string(&input).unwrap(), "by hand\n");
        make(&place.case_files(true), "secret/1", "3\n").unwrap();
        assert_eq!(fs::read_to_string(&input).unwrap(), "3\n");
    }

    #[test]
    fn a_link_is_not_what_was_made() {
        let place = CaseFolder::new();
        let case_files = place.case_files(false);
        make(&case_files, "secret/1", "1\n").unwrap();
        let input = case_files.path("secret/1", "in");
        let other = place.dir.path().join("other");
        fs::rename(&input, &other).unwrap();
        std::os::unix::fs::symlink(&other, &input).unwrap();
        assert_eq!(case_files.compare("secret/1", &files("1\n")).shown(), ".in");
        assert!(matches!(make(&case_files, "secret/1", "1\n"), Err(Fault::Foreign(_))));
        assert_eq!(fs::read_to_string(other).unwrap(), "1\n");
    }

    #[test]
    fn a_case_is_known_while_its_files_are_as_they_were_made() {
        let place = CaseFolder::new();
        let case_files = place.case_files(false);
        make(&case_files, "secret/1", "1\n").unwrap();
        let key = Key::of("test").field("name", "secret/1").field("input", "1\n").finish();
        assert_eq!(case_files.recorded(&key, "secret/1").unwrap().len(), 2);
        fs::write(case_files.path("secret/1", "ans"), "another\n").unwrap();
        assert_eq!(case_files.recorded(&key, "secret/1"), None);
    }

    #[test]
    fn unlisted_are_files_of_cases_alone() {
        let place = CaseFolder::new();
        let case_files = place.case_files(false);
        for name in ["secret/1", "secret/2"] {
            make(&case_files, name, "1\n").unwrap();
        }
        for other in ["secret/notes.md", "secret/test_group.yaml", "secret/2.files/x.in", "loose.in"] {
            let path = case_files.root.join(other);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let wanted = all_of("secret/1").collect();
        let of_2 = || vec![PathBuf::from("secret/2.ans"), PathBuf::from("secret/2.in")];
        assert_eq!(case_files.unlisted(&wanted), UnlistedFiles { obsolete: of_2(), by_hand: vec![] });
        // The same content under another name was not made there, and a change makes the whole case hand-made.
        let input = case_files.path("secret/2", "in");
        let answer = case_files.path("secret/2", "ans");
        fs::rename(&input, case_files.path("secret/3", "in")).unwrap();
        fs::rename(&answer, case_files.path("secret/3", "ans")).unwrap();
        make(&case_files, "secret/4", "2\n").unwrap();
        fs::write(case_files.path("secret/4", "ans"), "by hand\n").unwrap();
        let names = ["secret/3.ans", "secret/3.in", "secret/4.ans", "secret/4.in"];
        let by_hand = names.map(PathBuf::from).to_vec();
        assert_eq!(case_files.unlisted(&wanted), UnlistedFiles { obsolete: vec![], by_hand: by_hand.clone() });
        let forced = place.case_files(true).unlisted(&wanted);
        assert_eq!(forced, UnlistedFiles { obsolete: by_hand, by_hand: vec![] });
    }
}
