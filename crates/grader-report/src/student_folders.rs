//! Names the folders and pages of students: readable, harmless in every file system and every terminal, and never
//! the same for two students, also not where case does not matter.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;

use unicode_normalization::UnicodeNormalization as _;

use crate::file_name::short_hash;

/// The most bytes of a name, without its hash.
const MOST: usize = 100;

/// The folder of each student. It is kept in a file, so that later runs use the same folders.
#[derive(Debug, Clone, Default)]
pub struct StudentFolders {
    folders: BTreeMap<String, String>,
}

/// The names of files beside the folders, which no student can have.
const OWN_FILES: [&str; 2] = ["students.csv", "received.json"];

impl StudentFolders {
    /// Gives each student a folder. `known` are those of earlier runs, which stay. A name gets a hash only if it is taken.
    pub fn new(known: Self, students: &BTreeSet<&str>) -> Self {
        let mut folders = known.folders;
        let mut taken: BTreeSet<String> = folders.values().map(|folder| folder.to_lowercase()).collect();
        taken.extend(OWN_FILES.map(str::to_owned));
        let mut claims: BTreeMap<String, usize> = BTreeMap::new();
        let new: Vec<&str> = students.iter().copied().filter(|student| !folders.contains_key(*student)).collect();
        for student in &new {
            *claims.entry(readable(student).to_lowercase()).or_default() += 1;
        }
        for student in new {
            let name = readable(student);
            let key = name.to_lowercase();
            // Of several new students with this name, the one who is really called so has it.
            let is_free = !taken.contains(&key) && (claims[&key] == 1 || name == student);
            let folder = if is_free { name } else { hashed(&name, student) };
            taken.insert(folder.to_lowercase());
            folders.insert(student.to_owned(), folder);
        }
        Self { folders }
    }

    /// The folder of a student.
    pub fn of(&self, student: &str) -> String {
        self.folders.get(student).cloned().unwrap_or_else(|| hashed(&readable(student), student))
    }

    /// Reads the file that `text` wrote. A file that is not there has no students.
    ///
    /// # Errors
    /// The file cannot be read, or is not what `text` writes.
    pub fn read(path: &Path) -> io::Result<Self> {
        let mut folders = BTreeMap::new();
        let mut reader = match csv::Reader::from_path(path) {
            Err(error) if is_missing(&error) => return Ok(Self::default()),
            reader => reader.map_err(|error| error_at(path, &error.to_string()))?,
        };
        for row in reader.deserialize() {
            let (folder, student): (String, String) = row.map_err(|error| error_at(path, &error.to_string()))?;
            // The file is edited by people, and by others than its owner.
            let plain = readable(&student);
            if folder != plain && folder != hashed(&plain, &student) {
                return Err(error_at(
                    path,
                    &format!("`{}` cannot be the name of a folder here", folder.escape_default()),
                ));
            }
            folders.insert(student, folder);
        }
        Ok(Self { folders })
    }

    /// The file: a row for each student.
    ///
    /// # Errors
    /// None that can happen in memory; the library has them.
    pub fn text(&self) -> io::Result<Vec<u8>> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(["folder", "student"])?;
        for (student, folder) in &self.folders {
            writer.write_record([folder, student])?;
        }
        writer.into_inner().map_err(|error| io::Error::other(error.to_string()))
    }
}

fn is_missing(error: &csv::Error) -> bool {
    matches!(error.kind(), csv::ErrorKind::Io(error) if error.kind() == io::ErrorKind::NotFound)
}

fn error_at(path: &Path, why: &str) -> io::Error {
    io::Error::other(format!("{}: {why}", path.display()))
}

/// The name without characters that have a meaning for file systems, terminals or spreadsheets.
fn readable(name: &str) -> String {
    let harmless = |c: char| c.is_alphanumeric() || " -_+.@=,'()".contains(c);
    let mut readable: String = name.nfc().map(|c| if harmless(c) { c } else { '_' }).collect();
    while readable.len() > MOST {
        readable.pop();
    }
    let readable = readable.trim_end_matches(['.', ' ']);
    let begins_well = readable.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    if begins_well { readable.to_owned() } else { format!("_{readable}") }
}

fn hashed(readable: &str, student: &str) -> String {
    format!("{readable}~{}", short_hash(student))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(known: StudentFolders, students: &[&str]) -> StudentFolders {
        StudentFolders::new(known, &students.iter().copied().collect())
    }

    #[test]
    fn names_stay_readable() {
        let students = ["Ann Lee_1234", "Zoë (2)", "O'Neil, Bo", "李雷"];
        let folders = named(StudentFolders::default(), &students);
        assert!(students.iter().all(|student| folders.of(student) == *student), "{folders:?}");
    }

    #[test]
    fn hostile_names_stay_in_the_folder_and_stay_different() {
        let long = "x".repeat(300);
        let students = [
            "..",
            ".",
            "",
            "a/b",
            "a_b",
            "A_B",
            "../../etc/passwd",
            "\u{1b}[2J",
            "-rf",
            &long,
            &format!("{long}y"),
            "~",
            "a\\b",
            "=cmd()",
            "a\u{202e}b",
            "a.",
            "e\u{301}",
            "é",
            "con:1",
        ];
        let folders = named(StudentFolders::default(), &students);
        let names: BTreeSet<String> = students.iter().map(|student| folders.of(student).to_lowercase()).collect();
        assert_eq!(names.len(), students.len(), "{folders:?}");
        for name in names {
            assert!(!name.contains(['/', '\\', ':']) && !name.contains(char::is_control) && name.len() < 120, "{name}");
            assert!(
                !name.starts_with(['.', '-', '=', ' ']) && !name.ends_with(['.', ' ']) && !name.is_empty(),
                "{name}"
            );
        }
        assert_eq!((folders.of("A_B"), folders.of("é")), ("A_B".to_owned(), "é".to_owned()));
    }

    #[test]
    fn a_folder_stays_that_of_its_student() {
        let first = named(StudentFolders::default(), &["a/b"]);
        assert_eq!(first.of("a/b"), "a_b");
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("students.csv");
        std::fs::write(&file, first.text().unwrap()).unwrap();
        let later = named(StudentFolders::read(&file).unwrap(), &["a_b", "A/B"]);
        assert_eq!(later.of("a/b"), "a_b");
        assert!(later.of("a_b").starts_with("a_b~") && later.of("A/B").starts_with("A_B~"));
        for bad in ["folder,student\n../x,ann\n", "folder,student\nann\n", "folder,student\n.,ann\n"] {
            std::fs::write(&file, bad).unwrap();
            assert!(StudentFolders::read(&file).is_err(), "{bad}");
        }
        assert!(StudentFolders::read(&dir.path().join("none")).unwrap().folders.is_empty());
    }
}
