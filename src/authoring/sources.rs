//! Reads new cases from files, standard input, folders and archives into the staging directory.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::authoring::draft::Draft;
use crate::authoring::programs::keep;
use crate::authoring::refusal_log::Refusals;
use crate::limits::Bytes;
use crate::package::archive::{Archive, ArchiveError, Bounds, is_archive_name};
use crate::package::cases::{Staging, case_of, is_group_file};
use crate::report::text::{Whitespace, escape};

/// The limits of one call.
const BOUNDS: Bounds = Bounds { entries: 10_000, file: Bytes::mib(256), total: Bytes::mib(1024) };

/// Collects new cases before they have names.
pub(crate) struct Intake<'a, 'r> {
    staging: &'a Staging,
    refusals: &'a mut Refusals<'r>,
    taken: usize,
    /// The number of bytes read so far.
    total: u64,
}

/// One file of a folder or an archive that may be part of a case.
struct Piece {
    /// The path relative to the folder, with `/`.
    name: String,
    /// The path for messages.
    shown: String,
    path: PathBuf,
}

impl<'a, 'r> Intake<'a, 'r> {
    pub(crate) fn new(staging: &'a Staging, refusals: &'a mut Refusals<'r>) -> Self {
        Self { staging, refusals, taken: 0, total: 0 }
    }

    /// Reads all cases of a word: a file, a folder, an archive, or `-`.
    pub(crate) fn take(&mut self, start: &Path, word: &str) -> Vec<Draft> {
        let path = start.join(word);
        if word == "-" {
            let typed = self.one("standard input", &mut io::stdin().lock());
            return typed.map(|draft| Draft { is_typed: true, ..draft }).into_iter().collect();
        }
        if path.is_dir() {
            return self.folder(word, &path);
        }
        if is_archive_name(&path) && path.is_file() {
            return self.archive(word, &path);
        }
        match File::open(&path) {
            Ok(mut file) => self.one(word, &mut file).into_iter().collect(),
            Err(error) => {
                let remedy = if error.kind() == io::ErrorKind::NotFound {
                    "name a file, a folder or a .zip with cases; an input itself goes to standard input: \
                     `printf '1 2\\n' | grader add PROBLEM`"
                } else {
                    ""
                };
                self.refusals.usage(word, &error.to_string(), remedy);
                Vec::new()
            }
        }
    }

    fn one(&mut self, source: &str, from: &mut dyn Read) -> Option<Draft> {
        let staged = self.stage(source, from)?;
        Some(Draft::new(source.to_owned(), staged))
    }

    /// Copies an input to the staging directory.
    fn stage(&mut self, source: &str, from: &mut dyn Read) -> Option<PathBuf> {
        self.taken += 1;
        let to = self.staging.path(&format!("taken-{}", self.taken));
        let room = BOUNDS.total.0.saturating_sub(self.total).min(BOUNDS.file.0);
        match keep(from, &to, room) {
            Ok(size) => {
                self.total += size;
                Some(to)
            }
            Err(error) => {
                self.refusals.usage(source, &error.to_string(), "");
                None
            }
        }
    }

    /// Reads the cases below a folder. Hidden files are ignored, and links are not followed.
    fn folder(&mut self, word: &str, dir: &Path) -> Vec<Draft> {
        let mut pieces = Vec::new();
        let hidden =
            |entry: &walkdir::DirEntry| entry.depth() > 0 && entry.file_name().as_encoded_bytes().starts_with(b".");
        let walk = walkdir::WalkDir::new(dir).sort_by_file_name().into_iter().filter_entry(|entry| !hidden(entry));
        for entry in walk {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) => {
                    self.refusals.usage(word, &error.to_string(), "");
                    continue;
                }
            };
            let below = entry.path().strip_prefix(dir).unwrap_or(entry.path());
            let shown = format!("{}/{}", word.trim_end_matches('/'), below.display());
            let Some(name) = below.to_str() else {
                if part_of(&below.to_string_lossy()).is_some() {
                    let name = escape(below.as_os_str().as_encoded_bytes(), Whitespace::Inline);
                    let shown = format!("{}/{name}", word.trim_end_matches('/'));
                    self.refusals.usage(&shown, "its name is not UTF-8", "rename it");
                }
                continue;
            };
            if name.is_empty() {
                continue;
            }
            if below.file_name().is_some_and(is_group_file) && entry.file_type().is_file() {
                let remedy = "copy it into the group's directory, and remove it here";
                self.refusals.usage(&shown, "grader adds cases without the configuration of their group", remedy);
                continue;
            }
            if entry.file_type().is_dir() || part_of(name).is_none() && !entry.path_is_symlink() {
                continue;
            }
            if !entry.file_type().is_file() {
                self.refusals.usage(&shown, "a link or a special file; skipped", "copy the file itself");
                continue;
            }
            if pieces.len() == BOUNDS.entries {
                self.refusals.usage(word, &format!("more than {} files", BOUNDS.entries), "add it in parts");
                return Vec::new();
            }
            pieces.push(Piece { name: name.to_owned(), shown, path: entry.into_path() });
        }
        self.pair(word, &pieces)
    }

    /// Reads the cases of a ZIP archive, unpacked into the staging directory.
    fn archive(&mut self, word: &str, path: &Path) -> Vec<Draft> {
        let unpacked = self.staging.path(&format!("unpacked-{}", self.taken));
        let done = fs::create_dir(&unpacked)
            .map_err(ArchiveError::from)
            .and_then(|()| Archive::open(path, BOUNDS)?.extract(&unpacked));
        match done {
            Ok(_) => self.folder(word, &unpacked),
            Err(ArchiveError::Refused(reasons)) => {
                for reason in reasons {
                    self.refusals.usage(word, &reason, "");
                }
                Vec::new()
            }
            Err(error) => {
                self.refusals.usage(word, &error.to_string(), "");
                Vec::new()
            }
        }
    }

    /// Groups the files of a folder into cases.
    fn pair(&mut self, word: &str, pieces: &[Piece]) -> Vec<Draft> {
        let parts = || pieces.iter().filter_map(|piece| Some((part_of(&piece.name)?, piece)));
        // A file that belongs to no case, such as a picture, is not read.
        let own: BTreeSet<&str> =
            parts().filter(|((_, part), _)| DATA.contains(part)).map(|((stem, _), _)| stem).collect();
        let mut cases: BTreeMap<&str, BTreeMap<&str, PathBuf>> = BTreeMap::new();
        for ((stem, part), Piece { shown, path, .. }) in parts().filter(|((stem, _), _)| own.contains(stem)) {
            match File::open(path) {
                Ok(mut file) => {
                    if let Some(staged) = self.stage(shown, &mut file) {
                        cases.entry(stem).or_default().insert(part, staged);
                    }
                }
                Err(error) => self.refusals.usage(shown, &error.to_string(), ""),
            }
        }
        let mut drafts = Vec::new();
        for (stem, mut parts) in cases {
            let source = format!("{}: {stem}", word.trim_end_matches('/'));
            let given = match (parts.remove("ans"), parts.remove("out")) {
                (Some(ans), Some(out)) if !same(&ans, &out) => {
                    self.refusals.usage(&source, "a .ans and a different .out", "keep the right one");
                    continue;
                }
                (ans, out) => ans.or(out),
            };
            let Some(input) = parts.remove("in") else {
                self.refusals.usage(&source, "an answer without an input", "add the .in, or remove the answer");
                continue;
            };
            let (folder, name) = stem.rsplit_once('/').unwrap_or(("", stem));
            let companions = parts.into_iter().map(|(ending, file)| (ending.to_owned(), file)).collect();
            let draft = Draft {
                given,
                companions,
                folder: folder.to_owned(),
                name: name.to_owned(),
                many: true,
                ..Draft::new(source, input)
            };
            drafts.push(draft);
        }
        if drafts.is_empty() && self.refusals.are_none() {
            let remedy = "a case is a file ending in .in, with its answer in .ans or .out if there is one";
            self.refusals.usage(word, "no test case in it", remedy);
        }
        drafts
    }
}

/// The extensions that make files a case. Other files with the same base name belong to that case.
const DATA: [&str; 3] = ["in", "ans", "out"];

/// The base name, and the extension that shows which part of a case a file is: `in`, `yaml`, `files/table.txt`.
fn part_of(name: &str) -> Option<(&str, &str)> {
    let stem = match name.find(".files/") {
        Some(at) => &name[..at],
        None => case_of(name)?,
    };
    (!stem.is_empty() && !stem.ends_with('/')).then(|| (stem, &name[stem.len() + 1..]))
}

/// Cases lie in several folders whose names identify no groups.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("cases in several folders: {}", .0.join(", "))]
pub(crate) struct SeveralFolders(Vec<String>);

/// The group of each draft that came from a folder: the part of the folder's path from `sample` or `secret` on, if any.
/// Fails if several folders have no such part.
pub(crate) fn groups_of_folders(drafts: &[Draft]) -> Result<Vec<Option<String>>, SeveralFolders> {
    let group = |folder: &str| {
        let parts: Vec<&str> = folder.split('/').collect();
        let start = parts.iter().position(|part| ["sample", "secret"].contains(part))?;
        Some(parts[start..].join("/"))
    };
    let groups: Vec<Option<String>> = drafts.iter().map(|draft| group(&draft.folder)).collect();
    let unnamed: BTreeSet<&str> = drafts
        .iter()
        .zip(&groups)
        .filter(|(draft, group)| draft.many && group.is_none())
        .map(|(d, _)| &*d.folder)
        .collect();
    let all_unnamed = groups.iter().all(Option::is_none);
    match unnamed.len() {
        0 => Ok(groups),
        1 if all_unnamed => Ok(groups),
        _ => Err(SeveralFolders(unnamed.into_iter().map(str::to_owned).collect())),
    }
}

/// Whether two files have the same bytes; sizes are compared first. An unreadable file equals no other; the error is
/// reported when the file is used.
pub(crate) fn same(one: &Path, other: &Path) -> bool {
    let size = |path: &Path| fs::metadata(path).map(|meta| meta.len()).ok();
    if size(one).is_none() || size(one) != size(other) {
        return false;
    }
    let (Ok(one), Ok(other)) = (File::open(one), File::open(other)) else { return false };
    let mut one = io::BufReader::new(one);
    let mut other = io::BufReader::new(other);
    let mut chunks = [[0u8; 8192]; 2];
    loop {
        // An unreadable file counts as different.
        let Ok(read) = one.read(&mut chunks[0]) else { return false };
        if read == 0 {
            return true;
        }
        let [first, second] = &mut chunks;
        if other.read_exact(&mut second[..read]).is_err() || first[..read] != second[..read] {
            return false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(folder: &str) -> Draft {
        Draft { folder: folder.to_owned(), many: true, ..Draft::new(String::new(), PathBuf::new()) }
    }

    #[test]
    fn folders_name_groups() {
        let groups = |folders: &[&str]| groups_of_folders(&folders.iter().map(|f| draft(f)).collect::<Vec<_>>());
        let group = |name: &str| Some(name.to_owned());
        assert_eq!(groups(&["", ""]), Ok(vec![None, None]));
        assert_eq!(groups(&["x/y"]), Ok(vec![None]));
        assert_eq!(groups(&["data/sample", "data/secret/big"]), Ok(vec![group("sample"), group("secret/big")]));
        assert!(groups(&["a", "b"]).is_err());
        assert!(groups(&["", "sample"]).is_err());
    }

    #[test]
    fn parts_are_known_by_their_ending() {
        assert_eq!(part_of("a/1.in"), Some(("a/1", "in")));
        assert_eq!(part_of("1.x.out"), Some(("1.x", "out")));
        assert_eq!(part_of("a/1.in.statement"), Some(("a/1", "in.statement")));
        assert_eq!(part_of("a/1.files/b/2.in"), Some(("a/1", "files/b/2.in")));
        assert_eq!(part_of("a/.files/b"), None);
        assert_eq!(part_of(".in"), None);
        assert_eq!(part_of("a/.ans"), None);
        assert_eq!(part_of("README.md"), None);
    }
}
