//! Makes one program of several files: the file that starts, or what unit tests use, and what it imports or includes.

use std::fs;
use std::path::{Path, PathBuf};

use super::names::ProblemNames;
use super::notebook::{self, NOTEBOOK};
use super::reader::{Intake, listed, may_be_source};
use super::tree::TreeItem;
use super::unjudged::Why;
use crate::language::Languages;
use crate::problem::{Problem, Program};
use crate::program_files::{
    LARGEST, ModuleSystem, ProgramFile, ProgramFiles, StartFile, is_main, is_same_language, module_system,
};

/// The most files of a folder that are searched for imports. A larger folder is that of a class.
const MOST: usize = 200;

/// Some files of one directory that are one program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Several {
    /// The file that starts.
    pub(crate) entry: PathBuf,
    /// All files, with the one that starts.
    pub(crate) files: Vec<PathBuf>,
    /// Sources beside them that belong to other programs.
    pub(crate) others: Vec<PathBuf>,
    /// Why this program counts and none of the others, if dates decide.
    pub(crate) by_date: Option<&'static str>,
}

impl Several {
    /// The file that starts, in messages.
    pub(crate) fn entry_with_reason(&self) -> String {
        let entry = listed(std::slice::from_ref(&self.entry));
        self.by_date.map_or(entry.clone(), |why| format!("{entry}, {why},"))
    }

    /// The remark for the author.
    pub(crate) fn remark(&self) -> String {
        let uses: Vec<PathBuf> = self.files.iter().filter(|file| **file != self.entry).cloned().collect();
        let entry = self.entry_with_reason();
        let others =
            if self.others.is_empty() { String::new() } else { format!("; not part of it: {}", listed(&self.others)) };
        match &uses[..] {
            [] => format!("ran {entry}{others}"),
            uses => format!("ran {entry} with {}{others}", listed(uses)),
        }
    }
}

/// Which languages files may be in: the one that the user named, or any.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sources<'l> {
    pub(crate) languages: &'l Languages,
    pub(crate) wanted: Option<&'l str>,
}

impl<'l> Sources<'l> {
    fn of(intake: &Intake<'l>) -> Self {
        Self { languages: intake.languages, wanted: intake.wanted }
    }

    /// Whether a file may be the program.
    fn may_start(&self, path: &Path) -> bool {
        let wanted = self.wanted.and_then(|wanted| self.languages.get(wanted));
        may_be_source(self.languages, path) && wanted.is_none_or(|row| row.has_source(path))
    }
}

/// Reads the files below a directory; their paths are relative to it.
fn read(sources: Sources<'_>, dir: &Path, files: &[PathBuf]) -> Vec<ProgramFile> {
    let read = |file: &PathBuf| {
        let path = dir.join(file);
        let is_small = fs::symlink_metadata(&path).is_ok_and(|found| found.is_file() && found.len() <= LARGEST);
        let is_notebook = file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(NOTEBOOK));
        // The build reports a file that cannot be read.
        let bytes = if is_small { fs::read(&path).unwrap_or_default() } else { Vec::new() };
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if is_notebook {
            // A notebook that cannot be read is reported when it is converted.
            let text = notebook::convert(&bytes).map(|converted| converted.source).unwrap_or_default();
            return ProgramFile { path: file.with_extension("py"), text, is_source: true };
        }
        ProgramFile { path: file.clone(), text, is_source: sources.may_start(&path) }
    };
    files.iter().map(read).collect()
}

/// Whether a file has the name of the problem.
fn is_named(names: &ProblemNames, problem: &str, path: &Path) -> bool {
    names.of_name(path).id() == Some(problem)
}

/// The files of the program that starts with a file: what `root` reaches (that file, or unit tests), and data. Sources of other
/// languages, tests and other programs are left out.
fn program_of(found: &ProgramFiles, files: &[PathBuf], is_source: &[bool], entry: usize, root: usize) -> Several {
    let reached = found.whole_program(root);
    let kind = module_system(found.path(entry));
    let is_dynamic = reached.iter().any(|at| *at < files.len() && found.loads_dynamically(*at));
    let belongs = |at: &usize| {
        let is_kin = || is_same_language(found.path(*at), found.path(entry));
        reached.contains(at)
            || !is_source[*at]
            || match kind {
                Some(ModuleSystem::C | ModuleSystem::Compiled) => false,
                // Their compilers leave out what is not imported.
                Some(ModuleSystem::Followed | ModuleSystem::Rust) | None => is_kin(),
                Some(ModuleSystem::Python | ModuleSystem::Script) => is_dynamic && is_kin(),
            }
    };
    let (own, others): (Vec<usize>, Vec<usize>) = (0..files.len()).partition(belongs);
    let path = |at: usize| files[at].clone();
    Several {
        entry: path(entry),
        files: own.into_iter().map(path).collect(),
        others: others.into_iter().map(path).collect(),
        by_date: None,
    }
}

/// The file of unit tests, as a source that uses others.
fn source_of(tests: &Path) -> Option<ProgramFile> {
    // The problem was read from this file; its errors were reported then.
    let text = fs::read_to_string(tests).unwrap_or_default();
    Some(ProgramFile { path: PathBuf::from(tests.file_name()?), text, is_source: true })
}

/// The program that unit tests use. None if they name none of the files.
fn used_by(tests: &Path, sources: Sources<'_>, dir: &Path, files: &[PathBuf], is_source: &[bool]) -> Option<Several> {
    let tests = source_of(tests)?;
    let is_word = |word: &str| tests.text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|other| other == word);
    let is_named = |at: &usize| files[*at].file_stem().and_then(|stem| stem.to_str()).is_some_and(is_word);
    let named: Vec<usize> = (0..files.len()).filter(|at| is_source[*at] && is_named(at)).collect();
    let root = files.len();
    let mut all = read(sources, dir, files);
    all.push(tests);
    let found = ProgramFiles::new(all);
    match (found.uses(root).into_iter().find(|at| is_source[*at]), &named[..]) {
        (Some(entry), _) => Some(program_of(&found, files, is_source, entry, root)),
        // A crate of Rust has the name of its file.
        (None, [only]) => Some(program_of(&found, files, is_source, *only, *only)),
        (None, _) => None,
    }
}

/// Whether unit tests use a file if it has this name.
pub(super) fn use_file(intake: &Intake<'_>, tests: &Path, file: &Path, name: &Path) -> bool {
    let (Some(dir), Some(own), Some(tests)) = (file.parent(), file.file_name(), source_of(tests)) else { return false };
    let mut all = read(Sources::of(intake), dir, &[PathBuf::from(own)]);
    for own in &mut all {
        name.clone_into(&mut own.path);
    }
    all.push(tests);
    all[0].is_source && ProgramFiles::new(all).uses(1).contains(&0)
}

/// The program among several files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum MainFile {
    /// All files belong to it, and its language decides which one starts.
    All,
    /// These files.
    Some(Several),
    /// Several files may start, and nothing says which one does.
    Unclear(Vec<PathBuf>),
}

/// Chooses the program in a directory. `is_named`: whether a file has the name of the problem; `tests`: its unit tests, whose
/// imports decide if the program would be without what they use.
pub(crate) fn choose(
    sources: Sources<'_>,
    dir: &Path,
    files: &[PathBuf],
    is_named: &dyn Fn(&Path) -> bool,
    tests: Option<&Path>,
) -> MainFile {
    let is_source: Vec<bool> = files.iter().map(|file| sources.may_start(&dir.join(file))).collect();
    let markers = sources.languages.iter().filter_map(|row| Some(row.project.as_ref()?.marker.as_str()));
    let has_own_build =
        ["build", "run", "__main__.py"].into_iter().chain(markers).any(|own| files.contains(&own.into()));
    if has_own_build || is_source.iter().filter(|source| **source).count() < 2 || files.len() > MOST {
        return MainFile::All;
    }
    let all = read(sources, dir, files);
    let is_blank = |at: usize| all[at].text.trim().is_empty();
    let named: Vec<usize> = (0..all.len()).filter(|at| all[*at].is_source && is_named(&all[*at].path)).collect();
    // Nothing else counts instead of an empty file, as where names say the problem.
    let empty = named.first().copied().filter(|at| named.len() == 1 && is_blank(*at));
    let found = ProgramFiles::new(all);
    let program = |entry: usize| MainFile::Some(program_of(&found, files, &is_source, entry, entry));
    let chosen = match empty.map_or_else(|| found.entry(is_named), StartFile::One) {
        StartFile::One(entry) => program(entry),
        // A Java program may have a `main` in each class.
        StartFile::Unclear(several)
            if several.iter().all(|at| found.path(*at).extension().is_some_and(|end| end == "java")) =>
        {
            several.first().map_or(MainFile::All, |first| program(*first))
        }
        StartFile::Unclear(several) => MainFile::Unclear(several.into_iter().map(|at| files[at].clone()).collect()),
    };
    let used = tests.and_then(|tests| used_by(tests, sources, dir, files, &is_source));
    let holds = |used: &Several| match &chosen {
        MainFile::All => true,
        MainFile::Some(several) => used.files.iter().all(|file| several.files.contains(file)),
        MainFile::Unclear(_) => false,
    };
    used.filter(|used| !holds(used)).map_or(chosen, MainFile::Some)
}

/// Chooses the program in a submitted directory. None if all files belong to it.
///
/// # Errors
/// Several files may be the program, and a message lists them.
pub(crate) fn in_directory(
    intake: &mut Intake<'_>,
    program: &Program,
    problem: (&ProblemNames, &Problem),
    name: &Path,
) -> Result<Option<Several>, Why> {
    let Program::Directory { path: dir, files } = program else { return Ok(None) };
    let id = problem.1.id.as_str();
    let tests = problem.1.unit_tests();
    let sources = Sources::of(intake);
    let is_named = |path: &Path| is_named(problem.0, id, path);
    match choose(sources, dir, files, &is_named, tests) {
        MainFile::All => Ok(None),
        MainFile::Some(several) => Ok(Some(several)),
        MainFile::Unclear(paths) => {
            // Of `mean/main.py` and `stats/main.py`, one is for another problem.
            let meant = |path: &Path| problem.0.of_file(path).id();
            let own: Vec<&PathBuf> = paths.iter().filter(|path| meant(path) == Some(id)).collect();
            let is_possible = |path: &&PathBuf| meant(path).is_none_or(|meant| meant == id);
            let possible = if own.is_empty() { paths.iter().filter(is_possible).collect() } else { own };
            if let [only] = possible[..]
                && let MainFile::Some(several) = choose(sources, dir, files, &|path| path == only, tests)
            {
                return Ok(Some(several));
            }
            // `sum.py` and `sum (1).py`: copies count once, and dates may say which one is newer.
            let of_problem = paths.iter().all(|path| is_named(path));
            let places: Vec<PathBuf> = paths.iter().map(|path| dir.join(path)).collect();
            let chosen = match intake.by_date(&places).filter(|_| of_problem) {
                Some((at, why)) => Some((at, Some(why))),
                None => (of_problem && are_copies(&places)).then_some((0, None)),
            };
            if let Some((at, by_date)) = chosen
                && let MainFile::Some(several) = choose(sources, dir, files, &|path| path == paths[at], tests)
            {
                return Ok(Some(Several { by_date, ..several }));
            }
            let (message, remedy) = if of_problem {
                let message = format!("contains several programs for `{id}`: {}", listed(&paths));
                (message, "ask which one counts, and keep that one: none is judged".to_owned())
            } else {
                let message = format!("contains several programs: {}; nothing says which one starts", listed(&paths));
                (message, format!("submit one, or name it like the problem, `{id}`, or `main`"))
            };
            intake.error(name, message, &remedy);
            Err(Why::Ambiguous)
        }
    }
}

/// Whether small files have the same content. A file that cannot be read is not a copy.
fn are_copies(files: &[PathBuf]) -> bool {
    let is_small = |file: &PathBuf| fs::metadata(file).is_ok_and(|found| found.len() <= LARGEST);
    let mut texts = files.iter().filter(|file| is_small(file)).map(|file| fs::read(file).ok());
    let first = texts.next().flatten();
    first.is_some() && files.iter().all(is_small) && texts.all(|text| text == first)
}

/// The program of a submitted file: the file with those beside it that it uses. A library is part of the program that uses it,
/// unless that is a submission of its own (`is_other`). `below` are files in its folder and below; all of them must be of the same
/// author.
pub(crate) fn beside(
    intake: &Intake<'_>,
    below: &[&TreeItem],
    item: &TreeItem,
    is_other: &dyn Fn(&Path) -> bool,
) -> Option<Several> {
    let dir = item.path.parent()?;
    let files = below.iter().filter_map(|other| Some(other.path.strip_prefix(dir).ok()?.to_owned()));
    let files: Vec<PathBuf> = files.collect();
    let own = files.iter().position(|file| dir.join(file) == item.path)?;
    if !(2..=MOST).contains(&files.len()) {
        return None;
    }
    let found = ProgramFiles::new(read(Sources::of(intake), dir, &files));
    let uses_it = |start: &usize| found.whole_program(*start).contains(&own) && !is_other(found.path(*start));
    let entry = match found.entry(&|path| path == files[own]) {
        StartFile::One(start) if !found.can_start(own) && uses_it(&start) => start,
        _ => own,
    };
    let used = found.whole_program(entry);
    let entry = files[entry].clone();
    let files: Vec<PathBuf> = used.iter().map(|at| files[*at].clone()).collect();
    (files.len() > 1).then_some(Several { entry, files, others: Vec::new(), by_date: None })
}

/// A program in a directory with the ignored files there that it uses.
fn with_ignored(intake: &Intake<'_>, dir: &Path, ignored: &[TreeItem], several: Several) -> Several {
    let beside = ignored.iter().filter_map(|item| Some(item.path.strip_prefix(dir).ok()?.to_owned()));
    let own = several.files.len();
    let files: Vec<PathBuf> = several.files.iter().cloned().chain(beside).collect();
    let entry = files.iter().position(|file| *file == several.entry);
    let Some(entry) = entry.filter(|_| (own + 1..=MOST).contains(&files.len())) else { return several };
    let used = ProgramFiles::new(read(Sources::of(intake), dir, &files)).whole_program(entry);
    let files = files.into_iter().enumerate().filter(|(at, _)| *at < own || used.contains(at));
    Several { files: files.map(|(_, file)| file).collect(), ..several }
}

/// The same for a whole program. None if all of its files belong to it, and it uses no ignored file.
pub(crate) fn whole_with_ignored(
    intake: &Intake<'_>,
    program: &Program,
    ignored: &[TreeItem],
    chosen: Option<Several>,
) -> Option<Several> {
    let Some((dir, files)) = program.parts().filter(|_| !ignored.is_empty()) else { return chosen };
    let is_chosen = chosen.is_some();
    let several = chosen.or_else(|| {
        let mut sources = files.iter().filter(|file| intake.may_be_source(&dir.join(file)));
        let entry = sources.next().filter(|_| sources.next().is_none())?.clone();
        Some(Several { entry, files: files.clone(), others: Vec::new(), by_date: None })
    })?;
    let several = with_ignored(intake, &dir, ignored, several);
    (is_chosen || several.files.len() > files.len()).then_some(several)
}

/// Groups the files directly in a folder without a layout. Returns the programs of several files; each file of them,
/// but for the one that starts, is not a submission of its own.
pub(crate) fn in_folder(
    intake: &Intake<'_>,
    dir: &Path,
    files: &[PathBuf],
    problem: Option<(&ProblemNames, &str)>,
) -> Vec<Several> {
    if !(2..=MOST).contains(&files.len()) {
        return Vec::new();
    }
    let found = ProgramFiles::new(read(Sources::of(intake), dir, files));
    let is_wanted = |path: &Path| is_main(path) || problem.is_some_and(|(names, id)| is_named(names, id, path));
    let path = |at: usize| files[at].clone();
    let several = |(entry, own): (usize, Vec<usize>)| Several {
        entry: path(entry),
        files: own.into_iter().map(path).collect(),
        others: Vec::new(),
        by_date: None,
    };
    found.programs(&is_wanted).into_iter().map(several).collect()
}
