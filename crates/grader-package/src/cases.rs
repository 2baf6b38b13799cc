//! Handles the files of test cases: chooses the name of a new case, finds the files of a case, and moves either all of
//! them or none.

mod staging;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, RenameFlags, renameat_with};
use rustix::io::Errno;

use crate::reader::is_package_name;

pub use crate::testdata::{case_of, is_group_file};
pub use staging::Staging;

/// The name of a new case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NextName {
    /// The name.
    pub name: String,
    /// The case that is judged right after it; none if it becomes the last. Cases are judged in the order of their
    /// names, so `10` comes before `2`.
    pub before: Option<String>,
}

/// Continues the numbering of a group: uses the most common prefix before the number, the same width, and the largest
/// number plus one. `first` is the name if nothing is numbered.
pub fn next_name(existing: &[&str], first: &str) -> NextName {
    let numbered: Vec<(&str, &str)> = existing.iter().filter_map(|name| number_of(name)).collect();
    let uses = |prefix: &str| numbered.iter().filter(|(other, _)| *other == prefix).count();
    let Some(prefix) = numbered.iter().map(|(prefix, _)| *prefix).max_by_key(|prefix| (uses(prefix), *prefix)) else {
        return placed(free(existing, first), existing);
    };
    let digits: Vec<&str> = numbered.iter().filter(|(other, _)| *other == prefix).map(|(_, digits)| *digits).collect();
    let widest = digits.iter().map(|digits| digits.len()).max().unwrap_or(1);
    let padded = digits.iter().any(|digits| digits.len() > 1 && digits.starts_with('0'));
    let width = if padded || digits.iter().all(|digits| digits.len() == widest) { widest } else { 1 };
    let largest = digits.iter().filter_map(|digits| digits.parse::<u64>().ok()).max().unwrap_or(0);
    let mut number = largest + 1;
    let mut name = format!("{prefix}{number:0width$}");
    while existing.contains(&&*name) {
        number += 1;
        name = format!("{prefix}{number:0width$}");
    }
    placed(name, existing)
}

/// Splits a name into the part before its first number, and the number. None if it has no number, or too long a number.
fn number_of(name: &str) -> Option<(&str, &str)> {
    let start = name.find(|c: char| c.is_ascii_digit())?;
    let digits = &name[start..];
    let digits = &digits[..digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len())];
    (digits.len() < 18).then_some((&name[..start], digits))
}

/// Returns `first`, or `first` with the lowest unused number after it.
fn free(existing: &[&str], first: &str) -> String {
    let mut names = std::iter::once(first.to_owned()).chain((2..).map(|n| format!("{first}-{n}")));
    names.find(|name| !existing.contains(&&**name)).unwrap_or_default()
}

fn placed(name: String, existing: &[&str]) -> NextName {
    let before = existing.iter().filter(|other| **other > &*name).min().map(|other| (*other).to_owned());
    NextName { name, before }
}

/// Why a case cannot have a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// The name contains a group.
    #[error("the name of a case has no `/`; name the group with `--group`")]
    Group,
    /// The package format does not allow it.
    #[error("use at most 255 letters, digits, `_`, `.` and `-`, and do not begin with `.` or `-`")]
    NotPlain,
    /// The file names of the case would be too long.
    #[error("the name is too long for the file names")]
    TooLong,
    /// The name ends like a file of a case.
    #[error("omit the ending: the name of a case has none")]
    Ending,
    /// The name is reserved for a configuration.
    #[error("`test_group` is reserved for the configuration of a group")]
    Configuration,
}

/// Checks whether a case may have this name (package format 2025-09, "Test data").
pub fn check_name(name: &str) -> Result<(), NameError> {
    if name.contains('/') {
        return Err(NameError::Group);
    }
    if !is_package_name(name) {
        return Err(NameError::NotPlain);
    }
    // The longest ending of the files of a case is `.ans.statement`.
    if name.len() > 255 - ".ans.statement".len() {
        return Err(NameError::TooLong);
    }
    if case_of(name).is_some() {
        return Err(NameError::Ending);
    }
    if name == "test_group" {
        return Err(NameError::Configuration);
    }
    Ok(())
}

/// The files in a directory, by name, that belong to a case. With `strange`, a file with an unknown extension belongs
/// to the case whose name it begins with. In a plain folder such files may be anything, such as the solver.
pub fn companions<'n>(names: &'n [String], case: &str, strange: bool) -> Vec<&'n str> {
    let cases: Vec<&str> = names.iter().filter_map(|name| name.strip_suffix(".in")).collect();
    let owner = |name: &'n str| match case_of(name) {
        Some(stem) => Some(stem),
        None if strange => {
            let begins = |case: &&&str| name.strip_prefix(**case).is_some_and(|rest| rest.starts_with('.'));
            cases.iter().filter(begins).max_by_key(|case| case.len()).copied()
        }
        None => None,
    };
    names.iter().map(String::as_str).filter(|name| owner(name) == Some(case)).collect()
}

/// The paths of a case's files in a directory. Links are not followed.
pub fn files_of(dir: &Path, case: &str, strange: bool) -> io::Result<Vec<PathBuf>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(dir)? {
        names.extend(entry?.file_name().into_string());
    }
    names.sort_unstable();
    Ok(companions(&names, case, strange).into_iter().map(|name| dir.join(name)).collect())
}

/// A file or directory cannot be created, moved or removed.
#[derive(Debug, thiserror::Error)]
#[error("{}: {}", path.display(), explain(error))]
pub struct MoveError {
    /// The path.
    pub path: PathBuf,
    /// The cause. The message contains it, so it is not reported again as a source.
    pub error: io::Error,
}

fn explain(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::AlreadyExists => "exists already; grader overwrites nothing".to_owned(),
        _ => error.to_string(),
    }
}

/// Moves each file or directory, without replacing any. If one cannot be moved, moves the earlier ones back.
///
/// Creates missing directories, and removes them again on failure.
pub fn move_all(moves: &[(PathBuf, PathBuf)]) -> Result<(), MoveError> {
    let mut made = Vec::new();
    let mut done: Vec<&(PathBuf, PathBuf)> = Vec::new();
    for pair in moves {
        let parent = pair.1.parent().unwrap_or(Path::new("."));
        let result = make_directories(parent, &mut made)
            .map_err(|error| MoveError { path: parent.to_owned(), error })
            .and_then(|()| move_one(&pair.0, &pair.1).map_err(|error| MoveError { path: pair.1.clone(), error }));
        if let Err(error) = result {
            for (from, to) in done.into_iter().rev() {
                // The first error is reported. A file that cannot be moved back stays under its new name.
                let _ = move_one(to, from);
            }
            made.iter().rev().for_each(|dir| drop(fs::remove_dir(dir)));
            return Err(error);
        }
        done.push(pair);
    }
    Ok(())
}

fn make_directories(dir: &Path, made: &mut Vec<PathBuf>) -> io::Result<()> {
    if dir.as_os_str().is_empty() || dir.is_dir() {
        return Ok(());
    }
    if let Some(parent) = dir.parent() {
        make_directories(parent, made)?;
    }
    fs::create_dir(dir)?;
    made.push(dir.to_owned());
    Ok(())
}

fn move_one(from: &Path, to: &Path) -> io::Result<()> {
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        // Some (network) file systems cannot guarantee this. Checking first leaves a short race.
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) if to.symlink_metadata().is_err() => fs::rename(from, to),
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => Err(io::ErrorKind::AlreadyExists.into()),
        other => Ok(other?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn next(existing: &[&str], name: &str, before: Option<&str>) {
        let before = before.map(str::to_owned);
        assert_eq!(next_name(existing, "01"), NextName { name: name.to_owned(), before }, "{existing:?}");
    }

    #[test]
    fn numbering_goes_on_as_it_is() {
        next(&[], "01", None);
        next(&["1", "2"], "3", None);
        next(&["01", "02"], "03", None);
        next(&["1", "2", "9"], "10", Some("2"));
        next(&["09"], "10", None);
        next(&["98", "99"], "100", Some("98"));
        next(&["001-small", "002-edge", "003-large"], "004", None);
        next(&["test1", "test2", "other7"], "test3", None);
        next(&["a", "b"], "01", Some("a"));
        next(&["01-x", "zero"], "02", Some("zero"));
        next(&["1", "02"], "03", Some("1"));
        next(&["99999999999999999999"], "01", Some("99999999999999999999"));
    }

    #[test]
    fn names_are_checked() {
        for name in ["01", "003-edge", "x.y", "_a"] {
            assert_eq!(check_name(name), Ok(()), "{name}");
        }
        for name in ["", "a/b", "../x", ".x", "-x", "a b", "é", "1.in", "1.ans", "test_group", &"x".repeat(250)] {
            assert!(check_name(name).is_err(), "{name}");
        }
    }

    #[test]
    fn companions_have_the_base_name() {
        let names = [
            "1.ans",
            "1.extra.ans",
            "1.extra.in",
            "1.extra.txt",
            "1.files",
            "1.in",
            "1.in.statement",
            "1.md",
            "1.yaml",
            "10.ans",
            "10.in",
            "1.py",
            "test_group.yaml",
        ];
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let plain = companions(&names, "1", false);
        assert_eq!(plain, ["1.ans", "1.files", "1.in", "1.in.statement", "1.yaml"]);
        let strange = companions(&names, "1", true);
        assert_eq!(strange, ["1.ans", "1.files", "1.in", "1.in.statement", "1.md", "1.yaml", "1.py"]);
        assert_eq!(companions(&names, "1.extra", true), ["1.extra.ans", "1.extra.in", "1.extra.txt"]);
    }

    #[test]
    fn all_are_moved_or_none() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::write(at("a"), "a").unwrap();
        fs::write(at("b"), "b").unwrap();
        fs::write(at("taken"), "mine").unwrap();
        let error = move_all(&[(at("a"), at("new/a")), (at("b"), at("taken"))]).unwrap_err();
        assert!(error.to_string().ends_with("taken: exists already; grader overwrites nothing"), "{error}");
        assert!(at("a").is_file() && at("b").is_file() && !at("new").exists());
        assert_eq!(fs::read_to_string(at("taken")).unwrap(), "mine");
        move_all(&[(at("a"), at("new/a")), (at("b"), at("new/b"))]).unwrap();
        assert!(at("new/a").is_file() && at("new/b").is_file() && !at("a").exists());
    }
}
