//! Finds the files of the user's own programs that lie in other folders, where a language finds files by their places:
//! `require_relative "../lib/x"`, a package of Java beside the program's own, or `from ..lib import x` in a package of Python. The program is then all these files, at
//! their places below a common folder.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::problem::Program;
use crate::program_files::mentions;
use crate::program_files::{ProgramFile, ProgramFiles, is_same_language, normal};

use super::author::Desk;
use super::libraries::{MOST_FOUND, is_inside, text_of};
use super::{BuildOrder, Sources};

/// The languages whose programs may be spread, by the endings of their files.
const LOADED: &[&str] = &["js", "mjs", "cjs", "ts", "rb", "php", "lua", "rs"];
const IMPORTED: &[&str] = &["java", "kt"];

/// A program whose files lie in several folders.
pub(super) struct SpreadProgram {
    /// All its files, below a common folder.
    pub(super) program: Program,
    /// The file that starts, relative to that folder.
    pub(super) entry: String,
    /// The files that are not in the program's own folder.
    pub(super) others: BTreeSet<PathBuf>,
}

impl SpreadProgram {
    /// The files of a program, if some of them lie elsewhere. None above the top belongs to it.
    pub(super) fn of(desk: &Desk, order: &BuildOrder<'_>, sources: &Sources<'_>) -> Option<Self> {
        if order.as_in_packages {
            return None;
        }
        let names = sources.names();
        let own: BTreeSet<PathBuf> = names.iter().filter_map(|name| Some(sources.place(name)?.to_owned())).collect();
        let stated = order.entry_point.map(Path::new).filter(|entry| names.iter().any(|name| name == entry));
        let entry = stated.or_else(|| Some(names.first()?).filter(|_| names.len() == 1).map(PathBuf::as_path))?;
        let start = sources.place(entry)?.to_owned();
        if !start.starts_with(&desk.top) {
            return None;
        }
        let ending = start.extension()?.to_str()?;
        let mut package = None;
        let others = match ending {
            "py" => {
                let (root, files) = python_package(&desk.top, &start)?;
                package = Some(root);
                files.difference(&own).cloned().collect()
            }
            _ if LOADED.contains(&ending) => loaded(&desk.top, &own),
            _ if IMPORTED.contains(&ending) => imported(&desk.top, &start, &own),
            _ => return None,
        };
        if others.is_empty() && package.is_none() {
            return None;
        }
        let all: BTreeSet<&PathBuf> = own.iter().chain(&others).chain(&package).collect();
        let common = start.ancestors().find(|dir| all.iter().all(|file| file.starts_with(dir)))?.to_owned();
        let all = own.iter().chain(&others);
        let inside = |file: &Path| file.strip_prefix(&common).ok().map(Path::to_owned);
        let entry = inside(&start)?.to_str()?.to_owned();
        let files = all.filter_map(|file| inside(file)).collect::<BTreeSet<_>>().into_iter().collect();
        Some(Self { program: Program::Directory { path: common, files }, entry, others })
    }
}

/// The files that scripts load, and those that these load.
fn loaded(top: &Path, own: &BTreeSet<PathBuf>) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    let mut open: Vec<PathBuf> = own.iter().cloned().collect();
    while let Some(file) = open.pop() {
        for name in mentions::loads(&text_of(&file)) {
            let place = place_of(top, &file, name).filter(|place| !own.contains(place));
            if let Some(place) = place
                && found.len() < MOST_FOUND
                && found.insert(place.clone())
            {
                open.push(place);
            }
        }
    }
    found
}

/// The files of the package of Python to which a program with relative imports belongs (`from ..lib import x`), and the
/// folder above the package. None if the program imports nothing in this way.
fn python_package(top: &Path, start: &Path) -> Option<(PathBuf, BTreeSet<PathBuf>)> {
    let mut found = BTreeSet::from([start.to_owned()]);
    let mut open = vec![start.to_owned()];
    let mut package = None;
    while let Some(file) = open.pop() {
        for (levels, module) in mentions::relative_imports(&text_of(&file)) {
            let Some(base) = file.ancestors().nth(levels).filter(|base| base.starts_with(top)) else { continue };
            package = package.into_iter().chain([base.to_owned()]).min_by_key(|base| base.components().count());
            let mut path = base.to_owned();
            let mut places = vec![base.join("__init__.py")];
            for part in module.split('.').filter(|part| !part.is_empty()) {
                path.push(part);
                places.extend([path.with_extension("py"), path.join("__init__.py")]);
            }
            for place in places {
                if place.is_file() && is_inside(top, &place) && found.len() < MOST_FOUND && found.insert(place.clone())
                {
                    open.push(place);
                }
            }
        }
    }
    let root = package?.parent()?.to_owned();
    Some((root, found))
}

/// The file that a script loads by a name.
fn place_of(top: &Path, file: &Path, name: &str) -> Option<PathBuf> {
    let dir = file.parent()?;
    let ending = file.extension()?.to_str()?;
    let (name, is_searched) = match ending {
        "lua" => (name.replace('.', "/"), true),
        // `__DIR__ . "/../x.php"`, `dirname(__DIR__) . "/lib/x.php"`.
        "php" => (name.trim_start_matches('/').to_owned(), true),
        // Other names in JavaScript are those of installed modules.
        "js" | "mjs" | "cjs" | "ts" => (Some(name).filter(|name| name.starts_with('.'))?.to_owned(), false),
        _ => (name.to_owned(), false),
    };
    let bases = dir.ancestors().take_while(|base| base.starts_with(top)).take(if is_searched { usize::MAX } else { 1 });
    let forms = [name.clone(), format!("{name}.{ending}"), format!("{name}/index.{ending}")];
    let mut places = bases.flat_map(|base| forms.iter().map(|form| normal(&base.join(form))));
    places.find(|place| place.is_file() && is_same_language(place, file) && is_inside(top, place))
}

/// The files with the names that a program imports from other packages, and that these use.
fn imported(top: &Path, start: &Path, own: &BTreeSet<PathBuf>) -> BTreeSet<PathBuf> {
    let mut texts: BTreeMap<PathBuf, String> = own.iter().map(|file| (file.clone(), text_of(file))).collect();
    let mut open: Vec<PathBuf> = own.iter().cloned().collect();
    let mut seen: BTreeSet<PathBuf> = BTreeSet::new();
    while let Some(file) = open.pop() {
        for dir in folders_of(top, &file, &texts[&file]).into_iter().filter(|dir| seen.insert(dir.clone())) {
            // A folder that cannot be listed has no such files.
            let listing = fs::read_dir(&dir).into_iter().flatten().flatten().take(MOST_FOUND);
            let mut files: Vec<PathBuf> = listing.map(|entry| entry.path()).collect();
            files.retain(|path| path.extension() == start.extension() && path.is_file() && is_inside(top, path));
            files.sort();
            for path in files {
                if texts.len() < MOST_FOUND && !texts.contains_key(&path) {
                    texts.insert(path.clone(), text_of(&path));
                    open.push(path);
                }
            }
        }
    }
    let relative = |path: &Path| path.strip_prefix(top).unwrap_or(path).to_owned();
    let listed = |texts: &BTreeMap<PathBuf, String>| {
        let file = |(path, text): (&PathBuf, &String)| ProgramFile {
            path: relative(path),
            text: text.clone(),
            is_source: true,
        };
        ProgramFiles::new(texts.iter().map(file).collect())
    };
    // Other programs are not libraries.
    let all = listed(&texts);
    let mut at = 0..;
    texts.retain(|path, _| at.next().is_none_or(|at| own.contains(path) || !all.has_main(at)));
    let files = listed(&texts);
    let Some(entry) = texts.keys().position(|path| path == start) else { return BTreeSet::new() };
    let paths: Vec<&PathBuf> = texts.keys().collect();
    files.whole_program(entry).into_iter().map(|at| paths[at].clone()).filter(|path| !own.contains(path)).collect()
}

/// The folders in which the imports of a file may be: those of the packages, below each folder above the file, and in
/// Kotlin, which does not tie packages to folders, these folders themselves.
fn folders_of(top: &Path, file: &Path, text: &str) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = file.parent().map(Path::to_owned).into_iter().collect();
    let is_kotlin = file.extension().is_some_and(|ending| ending == "kt");
    for base in file.ancestors().skip(1).take_while(|base| base.starts_with(top)) {
        folders.extend(Some(base.to_owned()).filter(|_| is_kotlin));
        for package in mentions::packages(text) {
            let parts: Vec<&str> = package.split('.').collect();
            folders.extend((1..=parts.len()).map(|count| base.join(parts[..count].join("/"))));
        }
    }
    folders.retain(|folder| folder.is_dir());
    folders
}
