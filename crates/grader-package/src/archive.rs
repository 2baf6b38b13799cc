//! Reads untrusted zip and tar archives. Checks the whole archive before it extracts anything, and bounds every dimension.
//!
//! An entry is refused if it would leave the directory, is a link or a device, or has the name of another entry. An
//! archive is extracted whole, or refused with a list of everything that is wrong with it. The crates `zip` and `tar` read
//! the formats; this module decides which names are harmless.

mod tar_file;

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, SystemTime};

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use zip::ZipArchive;

use grader_model::limits::Bytes;

/// The most that is extracted from an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// The number of files and directories, including directories that appear only in the names of other entries.
    pub entries: usize,
    /// The size of one file, unpacked.
    pub file: Bytes,
    /// The size of all files together, unpacked.
    pub total: Bytes,
}

impl Default for Bounds {
    /// Bounds for a problem package, far below the size that fills a disk.
    fn default() -> Self {
        Self { entries: 500_000, file: Bytes::mib(256), total: Bytes::mib(2048) }
    }
}

impl Bounds {
    /// The bounds for the submissions of a class.
    pub const CLASS: Self = Self { entries: 200_000, file: Bytes::mib(256), total: Bytes::mib(2048) };

    /// The bounds for one submission of one student.
    pub const SUBMISSION: Self = Self { entries: 5000, file: Bytes::mib(64), total: Bytes::mib(128) };
}

/// The most errors that are listed; further ones are only counted.
const TOLD: usize = 10;
/// The deepest nesting of directories.
const DEEPEST: usize = 32;
/// The longest name, in bytes (`NAME_MAX`).
const LONGEST_NAME: usize = 255;

/// Why an archive is refused.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is not an archive, or it is damaged.
    #[error("not a readable archive: {0}")]
    Format(String),
    /// It has entries that must not be extracted, each with the reason.
    #[error("{}", .0.join("; "))]
    Refused(Vec<String>),
}

impl From<zip::result::ZipError> for ArchiveError {
    fn from(error: zip::result::ZipError) -> Self {
        Self::Format(error.to_string())
    }
}

/// An archive whose entries can all be extracted safely.
pub struct Archive {
    form: Form,
    entries: Vec<ArchivedFile>,
    /// The directories, also the empty ones.
    dirs: BTreeSet<PathBuf>,
    bounds: Bounds,
}

/// The form of the archive that contains the entries.
enum Form {
    Zip(ZipArchive<BufReader<File>>),
    /// A tar archive, compressed or not, at a path. It can only be read from its beginning.
    Tar(PathBuf),
}

/// A file of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchivedFile {
    /// Its path in the archive: relative, without `.` and `..`.
    pub path: PathBuf,
    /// The size that the archive states. The bounds apply to the actual size.
    pub size: Bytes,
    /// Whether its owner may execute it.
    pub executable: bool,
    /// When it was changed last, if the archive says so. A zip archive states local time without a zone, taken as UTC.
    pub modified: Option<SystemTime>,
    index: usize,
}

/// The endings of archives that grader reads.
const ENDINGS: [&str; 4] = [".zip", ".tar", ".tar.gz", ".tgz"];

/// Whether a file has the name of an archive.
pub fn is_archive_name(path: &Path) -> bool {
    archive_stem(path).is_some()
}

/// The path without the ending of an archive; none if it has no such ending.
pub fn archive_stem(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.as_encoded_bytes();
    let has = |ending: &&&str| {
        let at = name.len().checked_sub(ending.len()).filter(|at| *at > 0);
        at.is_some_and(|at| name[at..].eq_ignore_ascii_case(ending.as_bytes()))
    };
    let ending = ENDINGS.iter().find(has)?;
    Some(path.with_file_name(OsStr::from_bytes(&name[..name.len() - ending.len()])))
}

fn is_tar_name(path: &Path) -> bool {
    is_archive_name(path) && path.extension().is_some_and(|ending| !ending.eq_ignore_ascii_case("zip"))
}

/// The command that unpacks one compressed file.
const GUNZIP: &str = "gunzip FILE";
/// The command of tar, which makes no folder itself.
const TAR: &str = "mkdir FOLDER && tar -xf FILE -C FOLDER";
/// The endings of archives that grader does not read, each with the command that unpacks them into a folder of their own.
const FOREIGN: [(&str, &str); 6] = [
    (".tar.bz2", TAR),
    (".tar.xz", TAR),
    (".tar.zst", TAR),
    (".gz", GUNZIP),
    (".7z", "7z x FILE -oFOLDER"),
    (".rar", "unrar x FILE FOLDER/"),
];

/// The command that unpacks an archive that grader does not read, with `FILE` and `FOLDER`; none if its name is not that of one.
fn foreign_unpacker(path: &Path) -> Option<&'static str> {
    if is_archive_name(path) {
        return None;
    }
    let name = path.file_name()?.to_string_lossy().to_lowercase();
    FOREIGN.iter().find(|(ending, _)| name.len() > ending.len() && name.ends_with(ending)).map(|(_, command)| *command)
}

/// Whether a file is an archive that grader does not read, by its name. A compressed file (`.gz`) is one.
pub fn is_foreign(path: &Path) -> bool {
    foreign_unpacker(path).is_some()
}

/// The path of an archive that grader does not read without its ending. A compressed file (`.gz`) is no archive.
pub fn foreign_archive(path: &Path) -> Option<PathBuf> {
    foreign_unpacker(path).filter(|command| *command != GUNZIP)?;
    let stem = path.with_extension("");
    let is_tar = stem.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("tar"));
    Some(if is_tar { stem.with_extension("") } else { stem })
}

/// The command that unpacks an archive that grader does not read. Its files come into a folder of their own, because files beside
/// it may have the same names. `quote` makes a word of a shell.
pub fn to_unpack(path: &Path, quote: impl Fn(&str) -> String) -> Option<String> {
    let folder = foreign_archive(path).unwrap_or_default();
    let [file, folder] = [path, &folder].map(|path| quote(&path.to_string_lossy()));
    Some(foreign_unpacker(path)?.replace("FOLDER", &folder).replace("FILE", &file))
}

/// Whether systems and editors create files and directories of this name on their own.
pub fn is_junk_name(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    name.starts_with(b".") || [&b"__MACOSX"[..], b"__pycache__", b"Thumbs.db"].contains(&name)
}

impl Archive {
    /// Opens an archive and checks every entry.
    pub fn open(path: &Path, bounds: Bounds) -> Result<Self, ArchiveError> {
        // Opening a named pipe would wait for its writer forever.
        if !std::fs::metadata(path)?.is_file() {
            return Err(refused("not a regular file".to_owned()));
        }
        if is_tar_name(path) {
            return Self::open_tar(path, bounds);
        }
        let mut zip = ZipArchive::new(BufReader::new(File::open(path)?))?;
        if zip.len() > bounds.entries {
            return Err(refused(format!("{} entries; grader unpacks at most {}", zip.len(), bounds.entries)));
        }
        let mut survey = Survey { bounds, ..Survey::default() };
        if zip.has_duplicate_names() {
            survey.wrong.push("two entries have the same name".to_owned());
        }
        for index in 0..zip.len() {
            let file = zip.by_index_raw(index)?;
            let is_executable = file.unix_mode().is_some_and(|mode| mode & 0o100 != 0);
            let kind = match unfit(&file) {
                Some(why) => Err(why),
                None if file.is_dir() => Ok(Kind::Directory),
                None => Ok(Kind::File { size: file.size(), is_executable, modified: modified(&file) }),
            };
            let raw = String::from_utf8_lossy(file.name_raw()).into_owned();
            let path = file.name().map_err(|_| "has an unreadable name").and_then(|name| safe_path(&name));
            survey.look_at(index, &raw, path, kind)?;
        }
        let (entries, dirs) = survey.finish()?;
        Ok(Self { form: Form::Zip(zip), entries, dirs, bounds })
    }

    fn open_tar(path: &Path, bounds: Bounds) -> Result<Self, ArchiveError> {
        let mut survey = Survey { bounds, ..Survey::default() };
        tar_file::visit(path, |index, entry| {
            if index >= bounds.entries {
                return Err(refused(format!("more entries than {}, the most that grader unpacks", bounds.entries)));
            }
            let header = entry.header();
            let is_executable = header.mode().is_ok_and(|mode| mode & 0o100 != 0);
            let kind = match tar_file::is_content(header.entry_type()) {
                Ok(false) => return Ok(()),
                Err(why) => Err(why),
                Ok(true) if header.entry_type().is_dir() => Ok(Kind::Directory),
                Ok(true) => {
                    // A time that cannot be read counts as missing.
                    let seconds = header.mtime().ok().filter(|seconds| *seconds > 0).map(Duration::from_secs);
                    let modified = seconds.and_then(|seconds| SystemTime::UNIX_EPOCH.checked_add(seconds));
                    Ok(Kind::File { size: entry.size(), is_executable, modified })
                }
            };
            let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
            // `tar -C dir .` begins with the folder itself.
            let is_top = matches!(kind, Ok(Kind::Directory)) && ["./", "."].contains(&&*name);
            if !is_top {
                survey.look_at(index, &name, safe_path(&name), kind)?;
            }
            // The next entries can be read only after this one, which may be too large.
            if survey.total > bounds.total.0 { Err(survey.over()) } else { Ok(()) }
        })?;
        let (entries, dirs) = survey.finish()?;
        Ok(Self { form: Form::Tar(path.to_owned()), entries, dirs, bounds })
    }

    /// The files, in the order of the archive.
    pub fn entries(&self) -> &[ArchivedFile] {
        &self.entries
    }

    /// Extracts everything into an empty directory that no other program writes to, and returns the number of bytes. Files
    /// keep the times that the archive states, and empty directories stay. Files written before an error stay there. The caller removes them with the
    /// directory.
    pub fn extract(&mut self, into: &Path) -> Result<Bytes, ArchiveError> {
        for dir in &self.dirs {
            fs::create_dir_all(into.join(dir))?;
        }
        let size = self.copy_all(|entry| {
            let file = File::create_new(into.join(&entry.path))?;
            if entry.executable {
                file.set_permissions(fs::Permissions::from_mode(0o755))?;
            }
            Ok(Box::new(file))
        })?;
        for entry in &self.entries {
            if let Some(modified) = entry.modified {
                File::open(into.join(&entry.path))?.set_modified(modified)?;
            }
        }
        Ok(size)
    }

    /// Reads everything and writes nothing, to check whether the archive can be extracted. Returns the number of bytes.
    pub(crate) fn test(&mut self) -> Result<Bytes, ArchiveError> {
        self.copy_all(|_| Ok(Box::new(io::sink())))
    }

    /// Copies each file to where `open` says, and returns the number of bytes.
    fn copy_all(
        &mut self,
        mut open: impl FnMut(&ArchivedFile) -> io::Result<Box<dyn io::Write>>,
    ) -> Result<Bytes, ArchiveError> {
        let Self { form, entries, bounds, .. } = self;
        let mut left = bounds.total.0;
        let mut copy = |entry: &ArchivedFile, from: &mut dyn Read| -> Result<(), ArchiveError> {
            left -= bounds.copy(entry, left, from, &mut open(entry)?)?;
            Ok(())
        };
        match form {
            Form::Zip(zip) => {
                for entry in entries {
                    copy(entry, &mut zip.by_index(entry.index)?)?;
                }
            }
            Form::Tar(path) => {
                let mut entries = entries.iter().peekable();
                tar_file::visit(path, |index, from| {
                    entries.next_if(|entry| entry.index == index).map_or(Ok(()), |entry| copy(entry, from))
                })?;
            }
        }
        Ok(Bytes(self.bounds.total.0 - left))
    }
}

impl Bounds {
    /// Copies one file out of an archive, at most `left` bytes of it, and returns the number of bytes. Does not trust the
    /// sizes that the archive states.
    fn copy(
        self,
        entry: &ArchivedFile,
        left: u64,
        from: &mut dyn Read,
        to: &mut dyn io::Write,
    ) -> Result<u64, ArchiveError> {
        let most = self.file.0.min(left);
        let mut from = from.take(most + 1);
        let copied = io::copy(&mut from, to).map_err(|error| match error.kind() {
            // Errors of the archive itself, not of the destination.
            io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::UnexpectedEof => {
                ArchiveError::Format(format!("`{}`: {error}", entry.path.display()))
            }
            _ => error.into(),
        })?;
        if copied > most {
            return Err(refused(format!("`{}` unpacks to more than {}", entry.path.display(), Bytes(most))));
        }
        Ok(copied)
    }
}

fn refused(what: String) -> ArchiveError {
    ArchiveError::Refused(vec![what])
}

/// The findings from checking all entries.
#[derive(Default)]
struct Survey {
    bounds: Bounds,
    entries: Vec<ArchivedFile>,
    names: BTreeSet<PathBuf>,
    dirs: BTreeSet<PathBuf>,
    total: u64,
    wrong: Vec<String>,
}

/// The kind of an entry.
enum Kind {
    Directory,
    File { size: u64, is_executable: bool, modified: Option<SystemTime> },
}

impl Survey {
    /// Checks an entry with this name. `path` and `kind` may say why it cannot be extracted.
    ///
    /// # Errors
    /// There are too many entries.
    fn look_at(
        &mut self,
        index: usize,
        name: &str,
        path: Result<PathBuf, &'static str>,
        kind: Result<Kind, &'static str>,
    ) -> Result<(), ArchiveError> {
        let name = shortened(name);
        match path.and_then(|path| Ok((path, kind?))) {
            Err(why) => self.wrong.push(format!("`{name}` {why}")),
            Ok((path, Kind::Directory)) => drop(self.dirs.insert(path)),
            Ok((_, Kind::File { size, .. })) if size > self.bounds.file.0 => {
                let most = self.bounds.file;
                self.total = self.total.saturating_add(size);
                self.wrong.push(format!("`{name}` unpacks to {}; grader unpacks at most {most}", Bytes(size)));
            }
            Ok((path, Kind::File { size, is_executable, modified })) => {
                self.total = self.total.saturating_add(size);
                self.dirs.extend(path.ancestors().skip(1).map(Path::to_owned));
                if self.names.insert(path.clone()) {
                    let size = Bytes(size);
                    let executable = is_executable;
                    self.entries.push(ArchivedFile { path, size, executable, modified, index });
                } else {
                    self.wrong.push(format!("two entries are called `{name}`"));
                }
            }
        }
        // One name may create many directories, so the bound on all entries applies to them too.
        if self.names.len() + self.dirs.len() > self.bounds.entries {
            let most = self.bounds.entries;
            return Err(refused(format!("more than {most} files and directories; grader unpacks at most that many")));
        }
        Ok(())
    }

    /// The error for files that are too large together.
    fn over(&self) -> ArchiveError {
        let total = Bytes(self.total);
        let most = self.bounds.total;
        let mut wrong = self.wrong.clone();
        wrong.push(format!("all files together unpack to {total}; grader unpacks at most {most}"));
        ArchiveError::Refused(wrong)
    }

    fn finish(mut self) -> Result<(Vec<ArchivedFile>, BTreeSet<PathBuf>), ArchiveError> {
        let both =
            self.names.intersection(&self.dirs).map(|path| format!("`{}` is a file and a directory", path.display()));
        self.wrong.extend(both);
        if self.total > self.bounds.total.0 {
            let total = Bytes(self.total);
            let most = self.bounds.total;
            self.wrong.push(format!("all files together unpack to {total}; grader unpacks at most {most}"));
        }
        if self.wrong.is_empty() {
            return Ok((self.entries, self.dirs));
        }
        let more = self.wrong.len().saturating_sub(TOLD);
        self.wrong.truncate(TOLD);
        if more > 0 {
            self.wrong.push(format!("and {more} more like this"));
        }
        Err(ArchiveError::Refused(self.wrong))
    }
}

/// Shortens a name for messages, because it may have 65,535 bytes.
fn shortened(name: &str) -> String {
    match name.char_indices().nth(LONGEST_NAME) {
        Some((at, _)) => format!("{}…", &name[..at]),
        None => name.to_owned(),
    }
}

/// Returns why an entry cannot be extracted, whatever its name.
fn unfit<R: Read>(file: &zip::read::ZipFile<'_, R>) -> Option<&'static str> {
    const KIND: u32 = 0o170_000;
    const REGULAR: [u32; 3] = [0, 0o100_000, 0o040_000];
    if file.is_symlink() {
        Some("is a symbolic link")
    } else if file.unix_mode().is_some_and(|mode| !REGULAR.contains(&(mode & KIND))) {
        Some("is neither a file nor a directory")
    } else if file.encrypted() {
        Some("is encrypted")
    } else {
        None
    }
}

/// When an entry was changed last; none if it does not say so.
fn modified<R: Read>(file: &zip::read::ZipFile<'_, R>) -> Option<SystemTime> {
    let at = file.last_modified()?;
    let [month, day, hour, minute, second] =
        [at.month(), at.day(), at.hour(), at.minute(), at.second()].map(|part| i8::try_from(part).ok());
    // An impossible date counts as missing.
    let at = DateTime::new(i16::try_from(at.year()).ok()?, month?, day?, hour?, minute?, second?, 0).ok()?;
    TimeZone::UTC.to_timestamp(at).ok()?.try_into().ok()
}

/// Turns the name of an entry into a path that stays below the target directory. Windows' own tools write `\`.
fn safe_path(name: &str) -> Result<PathBuf, &'static str> {
    let name = name.replace('\\', "/");
    if name.starts_with('/') || name.get(1..3) == Some(":/") {
        return Err("is an absolute path");
    }
    let mut path = PathBuf::new();
    for component in Path::new(&name).components() {
        match component {
            Component::Normal(part) if part.len() > LONGEST_NAME => return Err("has a name that is too long"),
            Component::Normal(part) if part.as_encoded_bytes().contains(&0) => {
                return Err("has a name with a NUL character");
            }
            Component::Normal(part) => path.push(part),
            Component::CurDir => {}
            _ => return Err("leaves the folder"),
        }
    }
    match path.components().count() {
        0 => Err("has no name"),
        depth if depth > DEEPEST => Err("is too deep"),
        _ => Ok(path),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use tempfile::TempDir;
    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    /// Creates an archive of these files.
    fn archive(files: &[(&str, &[u8])]) -> (TempDir, PathBuf) {
        let temp = TempDir::new().unwrap();
        let path = temp.path().join("a.zip");
        let mut zip = ZipWriter::new(File::create(&path).unwrap());
        for (name, content) in files {
            zip.start_file(*name, SimpleFileOptions::default()).unwrap();
            zip.write_all(content).unwrap();
        }
        zip.finish().unwrap();
        (temp, path)
    }

    #[test]
    fn what_may_be_executed_stays_so() {
        let temp = TempDir::new().unwrap();
        let into = TempDir::new().unwrap();
        let path = temp.path().join("a.zip");
        let mut zip = ZipWriter::new(File::create(&path).unwrap());
        for (name, mode) in [("run", 0o4775), ("text", 0o666)] {
            zip.start_file(name, SimpleFileOptions::default().unix_permissions(mode)).unwrap();
        }
        zip.finish().unwrap();
        Archive::open(&path, Bounds::default()).unwrap().extract(into.path()).unwrap();
        let mode = |name: &str| into.path().join(name).metadata().unwrap().permissions().mode();
        assert_eq!((mode("run") & 0o7777, mode("text") & 0o111), (0o755, 0));
    }

    /// The error from opening or extracting an archive.
    fn wrong(path: &Path, bounds: Bounds) -> String {
        let into = TempDir::new().unwrap();
        let refused = Archive::open(path, bounds).and_then(|mut archive| archive.extract(into.path()));
        refused.expect_err("taken out").to_string()
    }

    #[test]
    fn files_are_taken_out_where_they_belong() {
        let (_temp, path) = archive(&[("a/b.py", b"print(1)\n"), ("./c.txt", b""), ("win\\d.py", b"x")]);
        let into = TempDir::new().unwrap();
        let mut opened = Archive::open(&path, Bounds::default()).unwrap();
        assert_eq!(opened.entries().len(), 3);
        opened.extract(into.path()).unwrap();
        assert_eq!(fs::read(into.path().join("a/b.py")).unwrap(), b"print(1)\n");
        assert_eq!(fs::read(into.path().join("win/d.py")).unwrap(), b"x");
        assert_eq!(fs::metadata(into.path().join("c.txt")).unwrap().len(), 0);
    }

    #[test]
    fn nothing_leaves_the_directory() {
        for (name, why) in [
            ("../evil", "leaves the folder"),
            ("a/../../evil", "leaves the folder"),
            ("..\\evil", "leaves the folder"),
            ("/etc/passwd", "absolute"),
            ("C:\\evil", "absolute"),
            ("a\0b", "NUL"),
            (&"x/".repeat(40), "too deep"),
            (&"x".repeat(300), "too long"),
        ] {
            assert!(safe_path(name).is_err_and(|said| said.contains(why)), "{name:?}");
        }
        let (_temp, path) = archive(&[("../evil", b""), ("fine", b""), ("/abs", b"")]);
        let said = wrong(&path, Bounds::default());
        assert!(said.contains("`../evil` leaves the folder") && said.contains("`/abs` is an absolute path"), "{said}");
    }

    #[test]
    fn long_names_are_told_in_short() {
        let (_temp, path) = archive(&[(&"é".repeat(20_000), b""), ("/fine", b"")]);
        let said = wrong(&path, Bounds::default());
        assert!(said.contains("é…` has a name that is too long; `/fine`") && said.len() < 1000, "{said}");
    }

    #[test]
    fn links_are_refused() {
        let temp = TempDir::new().unwrap();
        let path = temp.path().join("a.zip");
        let mut zip = ZipWriter::new(File::create(&path).unwrap());
        zip.add_symlink("link", "/etc/passwd", SimpleFileOptions::default()).unwrap();
        zip.finish().unwrap();
        assert_eq!(wrong(&path, Bounds::default()), "`link` is a symbolic link");
    }

    #[test]
    fn two_entries_of_one_name_are_refused() {
        let (_temp, path) = archive(&[("a.py", b"1"), ("./a.py", b"2"), ("a.py/b", b"3")]);
        let said = wrong(&path, Bounds::default());
        assert!(said.contains("two entries are called `./a.py`"), "{said}");
        assert!(said.contains("`a.py` is a file and a directory"), "{said}");
    }

    #[test]
    fn a_bomb_is_refused_also_where_it_lies_about_its_size() {
        let zeros = vec![0; 1 << 20];
        let (_temp, path) = archive(&[("a", &zeros), ("b", &zeros)]);
        let bounds = Bounds { entries: 10, file: Bytes::kib(100), total: Bytes::mib(10) };
        assert!(wrong(&path, bounds).contains("`a` unpacks to 1 MiB; grader unpacks at most 100 KiB"));
        let total = Bounds { file: Bytes::mib(2), total: Bytes::mib(1), ..bounds };
        assert!(wrong(&path, total).contains("together unpack to 2 MiB; grader unpacks at most 1 MiB"));
        assert!(wrong(&path, Bounds { entries: 1, ..bounds }).contains("2 entries; grader unpacks at most 1"));
        // Makes the stated size (offset 24 of each central header) too small.
        let mut bytes = fs::read(&path).unwrap();
        for at in 0..bytes.len() - 4 {
            if bytes[at..at + 4] == *b"PK\x01\x02" {
                bytes[at + 24..at + 28].copy_from_slice(&10u32.to_le_bytes());
            }
        }
        fs::write(&path, bytes).unwrap();
        assert!(!wrong(&path, bounds).is_empty());
    }

    #[test]
    fn names_that_make_many_directories_are_bounded() {
        let (_temp, path) = archive(&[("a/b/c/d/e", b""), ("f/g/h/i/j", b"")]);
        let bounds = |entries| Bounds { entries, ..Bounds::default() };
        assert!(wrong(&path, bounds(8)).contains("more than 8 files and directories"));
        let into = TempDir::new().unwrap();
        assert!(Archive::open(&path, bounds(11)).unwrap().extract(into.path()).is_ok());
    }

    #[test]
    fn what_is_no_archive_is_refused() {
        let temp = TempDir::new().unwrap();
        let path = temp.path().join("a.zip");
        fs::write(&path, "PK no archive").unwrap();
        assert!(wrong(&path, Bounds::default()).contains("not a readable archive"));
        let (_temp, path) = archive(&[("a", b"some text that is long enough to be cut")]);
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
        assert!(wrong(&path, Bounds::default()).contains("not a readable archive"));
    }

    /// Creates a tar archive of these entries. A link leads to its content.
    fn tar(name: &str, entries: &[(&str, tar::EntryType, &[u8])]) -> (TempDir, PathBuf) {
        let temp = TempDir::new().unwrap();
        let path = temp.path().join(name);
        let file = File::create(&path).unwrap();
        let is_compressed = name.ends_with("gz");
        let level = flate2::Compression::new(if is_compressed { 6 } else { 0 });
        let to: Box<dyn io::Write> =
            if is_compressed { Box::new(flate2::write::GzEncoder::new(file, level)) } else { Box::new(file) };
        let mut archive = tar::Builder::new(to);
        for (name, kind, content) in entries {
            let mut header = tar::Header::new_gnu();
            // The library itself writes no such names.
            header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
            header.set_entry_type(*kind);
            header.set_mode(0o755);
            let is_link = kind.is_symlink() || kind.is_hard_link();
            if is_link {
                header.set_link_name(std::str::from_utf8(content).unwrap()).unwrap();
            }
            let content = if is_link { &[][..] } else { content };
            header.set_size(content.len() as u64);
            header.set_cksum();
            archive.append(&header, content).unwrap();
        }
        drop(archive.into_inner().unwrap());
        (temp, path)
    }

    #[test]
    fn tar_archives_are_read_compressed_or_not() {
        use tar::EntryType::{Directory, Regular, XGlobalHeader};
        let entries: [(&str, _, &[u8]); 5] = [
            ("pax_global_header", XGlobalHeader, b"13 comment=x\n"),
            ("./", Directory, b""),
            ("./a/", Directory, b""),
            ("./a/b.py", Regular, b"print(1)\n"),
            ("c.txt", Regular, b""),
        ];
        for name in ["a.tar", "a.tar.gz", "A.TGZ"] {
            let (temp, mut path) = tar(if name == "a.tar" { "a.tar" } else { "a.tar.gz" }, &entries);
            if name == "A.TGZ" {
                fs::rename(&path, temp.path().join(name)).unwrap();
                path = temp.path().join(name);
            }
            let into = TempDir::new().unwrap();
            let mut opened = Archive::open(&path, Bounds::default()).unwrap();
            assert_eq!((opened.entries().len(), opened.test().unwrap()), (2, Bytes(9)));
            opened.extract(into.path()).unwrap();
            assert_eq!(fs::read(into.path().join("a/b.py")).unwrap(), b"print(1)\n");
            assert_eq!(fs::metadata(into.path().join("c.txt")).unwrap().len(), 0);
        }
        // Browsers unpack the outer layer.
        let (temp, path) = tar("a.tar", &entries);
        fs::rename(path, temp.path().join("b.tar.gz")).unwrap();
        assert_eq!(Archive::open(&temp.path().join("b.tar.gz"), Bounds::default()).unwrap().entries().len(), 2);
    }

    #[test]
    fn hostile_tar_archives_are_refused() {
        use tar::EntryType::{Fifo, GNULongName, GNUSparse, Link, Regular, Symlink};
        let long = vec![b'x'; 2 << 20];
        for (name, kind, content, why) in [
            ("../evil", Regular, &b""[..], "`../evil` leaves the folder"),
            ("/etc/evil", Regular, b"", "`/etc/evil` is an absolute path"),
            ("link", Symlink, b"/etc/passwd", "`link` is a symbolic link"),
            ("hard", Link, b"/etc/passwd", "`hard` is a link to another file"),
            ("pipe", Fifo, b"", "`pipe` is neither a file nor a directory"),
            ("hole", GNUSparse, b"", "not a readable archive"),
            ("x", GNULongName, &long[..], "not a readable archive"),
        ] {
            for archive in ["a.tar", "a.tar.gz"] {
                let (_temp, path) = tar(archive, &[("a.py", Regular, b"1"), (name, kind, content)]);
                let said = wrong(&path, Bounds::default());
                assert!(said.contains(why), "{archive} {name}: {said}");
            }
        }
        let zeros = vec![0; 1 << 20];
        let (_temp, path) = tar("a.tar.gz", &[("a", Regular, &zeros), ("b", Regular, &zeros), ("a", Regular, b"")]);
        let bounds = Bounds { entries: 10, file: Bytes::mib(2), total: Bytes::mib(4) };
        assert_eq!(wrong(&path, bounds), "two entries are called `a`");
        let total = Bounds { total: Bytes::mib(1), ..bounds };
        assert!(wrong(&path, total).contains("together unpack to 2 MiB; grader unpacks at most 1 MiB"));
        assert!(wrong(&path, Bounds { file: Bytes::kib(1), ..bounds }).contains("`a` unpacks to 1 MiB"));
        assert!(wrong(&path, Bounds { entries: 2, ..bounds }).contains("more than 2 files and directories"));
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
        assert!(wrong(&path, bounds).contains("not a readable archive"));
    }
}
