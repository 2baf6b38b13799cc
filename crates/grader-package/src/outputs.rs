//! Matches output files with cases by their names.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

use crate::archive::is_archive_name;
use grader_model::problem::TestId;

/// The most files for one case that a message lists.
const TOLD: usize = 5;
/// The extensions that an output may have.
const ENDINGS: [&str; 2] = ["out", "ans"];

/// The cases of a problem, by name.
#[derive(Debug, Default)]
pub struct Names<'t> {
    whole: HashSet<&'t str>,
    bases: HashMap<&'t str, Vec<&'t TestId>>,
}

/// The case that a name refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NamedCase {
    /// This case.
    One(TestId),
    /// One of these cases.
    Several(Vec<String>),
    /// No case.
    None,
}

impl<'t> Names<'t> {
    /// Creates the names of these cases.
    pub fn new(tests: &'t [TestId]) -> Self {
        let mut names = Self::default();
        for test in tests {
            let name = test.as_str();
            names.whole.insert(name);
            names.bases.entry(name.rsplit('/').next().unwrap_or(name)).or_default().push(test);
        }
        names
    }

    /// Returns the case that a file of this name is the output of. The name may include its ending or not, because a
    /// case may itself be called `1.out`.
    pub fn of_file(&self, name: &str) -> NamedCase {
        let bare = ENDINGS.iter().find_map(|ending| name.strip_suffix(ending)?.strip_suffix('.'));
        let tried = [Some(name), bare].into_iter().flatten().map(|name| self.of_name(name));
        tried.into_iter().find(|meant| *meant != NamedCase::None).unwrap_or(NamedCase::None)
    }

    /// Finds the case with this name, or with its longest possible ending. Otherwise finds the only case with the same
    /// base name.
    pub fn of_name(&self, name: &str) -> NamedCase {
        let ends = name.match_indices('/').map(|(at, _)| &name[at + 1..]);
        if let Some(whole) = [name].into_iter().chain(ends).find(|end| self.whole.contains(end)) {
            return NamedCase::One(whole.into());
        }
        let base = name.rsplit('/').next().unwrap_or(name);
        match self.bases.get(base).map(Vec::as_slice) {
            None | Some([]) => NamedCase::None,
            Some([one]) => NamedCase::One((*one).clone()),
            Some(several) => NamedCase::Several(several.iter().map(ToString::to_string).collect()),
        }
    }

    /// The only case, if there is exactly one.
    pub fn only(&self) -> Option<TestId> {
        let mut all = self.whole.iter();
        all.next().filter(|_| all.next().is_none()).map(|only| TestId::from(*only))
    }

    /// Returns the case whose name is close to that of a file without a case: with other endings, or in another case of
    /// letters.
    pub fn near(&self, name: &str) -> Option<&'t str> {
        let short = strip_ending(name).map(|short| [Some(short), strip_ending(short)]);
        let tried = [Some(name)].into_iter().chain(short.into_iter().flatten()).flatten();
        tried.into_iter().find_map(|name| {
            let fits = |wanted: &str, whole: bool| {
                let name = if whole { name } else { base_of(name) };
                let at = name.len().checked_sub(wanted.len());
                let end = at.and_then(|at| Some((at, name.get(at..)?)));
                end.is_some_and(|(at, end)| {
                    end.eq_ignore_ascii_case(wanted) && (at == 0 || name.as_bytes()[at - 1] == b'/')
                })
            };
            let mut whole = self.whole.iter().filter(|test| fits(test, true));
            let mut bases = self.whole.iter().filter(|test| fits(base_of(test), false));
            let one = |all: &mut dyn Iterator<Item = &&'t str>| all.next().filter(|_| all.next().is_none()).copied();
            one(&mut whole).or_else(|| one(&mut bases))
        })
    }
}

fn base_of(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

fn strip_ending(name: &str) -> Option<&str> {
    name.rsplit_once('.').filter(|(short, ending)| !short.is_empty() && !ending.contains('/')).map(|(short, _)| short)
}

/// A file that may be an output.
#[derive(Debug, Clone)]
pub struct OutputFile {
    /// The name that identifies its case.
    pub name: PathBuf,
    /// Its path.
    pub path: PathBuf,
    /// Its path in messages.
    pub shown: PathBuf,
}

/// Files matched with cases.
#[derive(Debug, Default)]
pub struct PairedOutputs {
    /// One file for each case that has one.
    pub files: BTreeMap<TestId, PathBuf>,
    /// Files that match no case, as shown in messages.
    pub strange: Vec<PathBuf>,
    /// Files that may match several cases, each as shown in messages, with a message and a remedy. None of them counts.
    pub unclear: Vec<(PathBuf, String, String)>,
}

/// Matches files with cases. Two files for one case, and a name of several cases, are unclear. A single file is the
/// output of the `only` case, whatever its name.
pub fn pair(files: Vec<OutputFile>, only: Option<TestId>, meant: impl Fn(&Path) -> NamedCase) -> PairedOutputs {
    let mut paired = PairedOutputs::default();
    if let (Some(only), [file]) = (only, &files[..])
        && !is_archive_name(&file.path)
    {
        paired.files.insert(only, file.path.clone());
        return paired;
    }
    let mut candidates: BTreeMap<TestId, Vec<OutputFile>> = BTreeMap::new();
    for file in files {
        match meant(&file.name) {
            NamedCase::One(test) => candidates.entry(test).or_default().push(file),
            NamedCase::Several(tests) => {
                let remedy = format!("move it into a folder of the group: {}.out", tests[0]);
                paired.unclear.push((file.shown, format!("could be {}", tests.join(" or ")), remedy));
            }
            NamedCase::None => paired.strange.push(file.shown),
        }
    }
    for (test, mut candidates) in candidates {
        if let [first, _, ..] = &candidates[..] {
            let on_one_line = |path: &Path| path.display().to_string().replace(char::is_control, "\u{fffd}");
            let names: Vec<String> = candidates.iter().map(|file| on_one_line(&file.shown)).collect();
            let more = if names.len() > TOLD { ", …" } else { "" };
            let some = names.iter().take(TOLD).map(String::as_str).collect::<Vec<_>>().join(", ");
            let message = format!("{} files for {test}: {some}{more}", names.len());
            paired.unclear.push((first.shown.clone(), message, "keep one; grader judges none of them".to_owned()));
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
    fn what_is_nearly_called_like_a_case() {
        let tests: Vec<TestId> = ["sample/1", "secret/1", "secret/a/Two", "secret/2.out"].map(TestId::from).to_vec();
        let names = Names::new(&tests);
        for (file, expect) in [
            ("Sample/1.OUT", Some("sample/1")),
            ("x/secret/1.txt", Some("secret/1")),
            ("secret/1.out.txt", Some("secret/1")),
            ("two.out", Some("secret/a/Two")),
            ("1.txt", None),
            ("xsample/1.txt", None),
            ("ésample", None),
            ("main.py", None),
            ("", None),
        ] {
            assert_eq!(names.near(file), expect, "{file}");
        }
    }

    #[test]
    fn a_file_is_paired_by_the_longest_end_of_its_name() {
        let tests: Vec<TestId> = ["sample/1", "secret/1", "secret/a/2", "secret/2.out"].map(TestId::from).to_vec();
        let names = Names::new(&tests);
        let one = |name: &str| NamedCase::One(name.into());
        for (file, expect) in [
            ("sample/1.out", one("sample/1")),
            ("mine/secret/1.ans", one("secret/1")),
            ("1", NamedCase::Several(vec!["sample/1".to_owned(), "secret/1".to_owned()])),
            ("2", one("secret/a/2")),
            ("2.out", one("secret/2.out")),
            ("2.out.out", one("secret/2.out")),
            ("3.out", NamedCase::None),
            ("1out", NamedCase::None),
        ] {
            assert_eq!(names.of_file(file), expect, "{file}");
        }
    }
}
