//! Output files, and the cases that they belong to by their names.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

use crate::problem::TestId;

/// Endings that an output may have.
const ENDINGS: [&str; 2] = ["out", "ans"];

/// The cases of a problem by name.
#[derive(Debug, Default)]
pub struct Names<'t> {
    whole: HashSet<&'t str>,
    bases: HashMap<&'t str, Vec<&'t TestId>>,
}

/// Which case a name means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meant {
    /// This one.
    One(TestId),
    /// One of these.
    Several(Vec<String>),
    /// None.
    None,
}

impl<'t> Names<'t> {
    /// Of these cases.
    pub fn new(tests: &'t [TestId]) -> Self {
        let mut names = Self::default();
        for test in tests {
            let name = test.as_str();
            names.whole.insert(name);
            names.bases.entry(name.rsplit('/').next().unwrap_or(name)).or_default().push(test);
        }
        names
    }

    /// The case that a file of this name is the output of. Its ending may be left out or not: a case may itself be
    /// called `1.out`.
    pub fn of_file(&self, name: &str) -> Meant {
        let bare = ENDINGS.iter().find_map(|ending| name.strip_suffix(ending)?.strip_suffix('.'));
        let tried = [Some(name), bare].into_iter().flatten().map(|name| self.of_name(name));
        tried.into_iter().find(|meant| *meant != Meant::None).unwrap_or(Meant::None)
    }

    /// The case of this name, or of the longest end of it; else the only one whose base name it ends in.
    pub fn of_name(&self, name: &str) -> Meant {
        let ends = name.match_indices('/').map(|(at, _)| &name[at + 1..]);
        if let Some(whole) = [name].into_iter().chain(ends).find(|end| self.whole.contains(end)) {
            return Meant::One(whole.into());
        }
        let base = name.rsplit('/').next().unwrap_or(name);
        match self.bases.get(base).map(Vec::as_slice) {
            None | Some([]) => Meant::None,
            Some([one]) => Meant::One((*one).clone()),
            Some(several) => Meant::Several(several.iter().map(ToString::to_string).collect()),
        }
    }
}

/// A file that may be an output.
#[derive(Debug, Clone)]
pub struct OutputFile {
    /// What tells its case.
    pub name: PathBuf,
    /// Where it is.
    pub path: PathBuf,
    /// Its path for people.
    pub shown: PathBuf,
}

/// Files with their cases.
#[derive(Debug, Default)]
pub struct Paired {
    /// One for each case that has one.
    pub files: BTreeMap<TestId, PathBuf>,
    /// Those of no case, for people.
    pub strange: Vec<PathBuf>,
    /// Those whose case is not clear: the file for people, what is wrong, and what to do. None of them counts.
    pub unclear: Vec<(PathBuf, String, String)>,
}

/// Pairs files with cases. Two files for one case, and a name that several cases have, are not clear.
pub fn pair(files: Vec<OutputFile>, meant: impl Fn(&Path) -> Meant) -> Paired {
    let mut paired = Paired::default();
    let mut candidates: BTreeMap<TestId, Vec<OutputFile>> = BTreeMap::new();
    for file in files {
        match meant(&file.name) {
            Meant::One(test) => candidates.entry(test).or_default().push(file),
            Meant::Several(tests) => {
                let remedy = format!("put it into a folder of the group: {}.out", tests[0]);
                paired.unclear.push((file.shown, format!("could be {}", tests.join(" or ")), remedy));
            }
            Meant::None => paired.strange.push(file.shown),
        }
    }
    for (test, mut candidates) in candidates {
        if let [first, _, ..] = &candidates[..] {
            let names: Vec<String> = candidates.iter().map(|file| file.shown.display().to_string()).collect();
            let message = format!("{} files for {test}: {}", names.len(), names.join(", "));
            paired.unclear.push((first.shown.clone(), message, "keep one; none is judged".to_owned()));
        } else if let Some(file) = candidates.pop() {
            paired.files.insert(test, file.path);
        }
    }
    paired
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_paired_by_the_longest_end_of_its_name() {
        let tests: Vec<TestId> = ["sample/1", "secret/1", "secret/a/2", "secret/2.out"].map(TestId::from).to_vec();
        let names = Names::new(&tests);
        let one = |name: &str| Meant::One(name.into());
        for (file, expect) in [
            ("sample/1.out", one("sample/1")),
            ("mine/secret/1.ans", one("secret/1")),
            ("1", Meant::Several(vec!["sample/1".to_owned(), "secret/1".to_owned()])),
            ("2", one("secret/a/2")),
            ("2.out", one("secret/2.out")),
            ("2.out.out", one("secret/2.out")),
            ("3.out", Meant::None),
            ("1out", Meant::None),
        ] {
            assert_eq!(names.of_file(file), expect, "{file}");
        }
    }
}
