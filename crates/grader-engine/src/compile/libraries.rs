//! Finds the libraries of a program that lie outside its own folder: the folders that `grader.toml` names, and, for the
//! user's own programs, the files to which `#include` and `import` lead.
//!
//! A compiler sees these files read-only at their own paths. Modules that a running program loads are copied beside it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::language::Language;
use crate::problem::Program;
use crate::program_files::mentions::{self, IncludedHeader};
use crate::program_files::{LARGEST, ModuleSystem, module_system, normal};
use crate::protocol::TESTLIB;

use super::author::{Author, Desk};
use super::{BuildOrder, Commands, CommandsIn, Recipe};

/// The most files that a program takes from elsewhere, and the most files of the folders that `grader.toml` names.
pub(super) const MOST_FOUND: usize = 200;
const MOST_LISTED: usize = 20_000;

/// Folders in which libraries usually lie, in that of the program or above.
const USUAL: [&str; 5] = ["", "lib", "include", "library", "ac-library"];

/// Beginnings of headers that are always those of the system.
const SYSTEM: [&str; 5] = ["bits/", "ext/", "sys/", "experimental/", "pb_ds/"];

/// Modules of the standard library whose names people also give to solutions. A solution in a folder above is not meant.
const STANDARD: &[&str] = &[
    "abc",
    "array",
    "ast",
    "bisect",
    "builtins",
    "calendar",
    "cmath",
    "cmd",
    "code",
    "collections",
    "contextlib",
    "copy",
    "csv",
    "dataclasses",
    "datetime",
    "decimal",
    "dis",
    "enum",
    "fractions",
    "functools",
    "gc",
    "glob",
    "graphlib",
    "hashlib",
    "heapq",
    "inspect",
    "io",
    "itertools",
    "json",
    "logging",
    "math",
    "numbers",
    "operator",
    "os",
    "pathlib",
    "pprint",
    "queue",
    "random",
    "re",
    "sched",
    "secrets",
    "select",
    "signal",
    "site",
    "socket",
    "stat",
    "statistics",
    "string",
    "struct",
    "subprocess",
    "sys",
    "test",
    "textwrap",
    "threading",
    "time",
    "timeit",
    "token",
    "trace",
    "turtle",
    "types",
    "typing",
    "uuid",
    "warnings",
    "zlib",
];

/// The directory of the build into which found modules are copied and headers are written.
const COPIES: &str = "grader-library";
/// The option for folders of headers by which compilers of C and C++ are known.
const C_OPTION: &str = "-I";

/// The libraries of one program.
#[derive(Debug, Clone, Default)]
pub struct Libraries {
    /// The folders that `grader.toml` names.
    named: Vec<PathBuf>,
    /// The files to which the program leads.
    found: BTreeSet<PathBuf>,
    /// The folders in which tools search for them.
    folders: Vec<PathBuf>,
    /// The folders in which compilers search for headers in quotes.
    quoted: Vec<PathBuf>,
    /// The folders in which compilers search last.
    last: Vec<PathBuf>,
    /// The text of grader's own header of testlib, which compilers find after all others.
    own_header: Option<&'static str>,
    /// Implementations of headers, which are compiled with the program.
    sources: BTreeSet<PathBuf>,
    /// The macros that the problem defines, for compilers of C and C++.
    macros: Vec<String>,
    /// The name under which Python starts a module of a package.
    module: Option<String>,
    /// Whether they are modules, which a running program loads. The compiler gets other libraries as options.
    are_modules: bool,
}

/// A header that a program gets from elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Header {
    /// A file of the problem, of the user or of the system.
    File(PathBuf),
    /// grader's own header of testlib, with its text.
    Own(&'static str),
}

/// A folder that `grader.toml` names and that is not there.
#[derive(Debug, thiserror::Error)]
#[error("the library folder {} of {language} is not there: correct `include` in [language.{id}]", .folder.display())]
pub(super) struct NoFolder {
    folder: PathBuf,
    language: String,
    id: String,
}

impl Libraries {
    /// The libraries of a program with these files, as its folder calls them.
    pub(super) fn of(
        author: &Author,
        order: &BuildOrder<'_>,
        language: &Language,
        names: &[PathBuf],
    ) -> Result<Self, NoFolder> {
        let mut libraries = match author {
            Author::User(desk) if !order.as_in_packages => found_for(desk, order, language, names).unwrap_or_default(),
            Author::User(_) | Author::Stranger => Self::default(),
        };
        libraries.are_modules = !language.library.starts_with('-');
        if let Some(additions) = order.additions.filter(|_| language.library == C_OPTION) {
            libraries.macros = additions.macros.iter().map(|name| format!("-D{name}")).collect();
        }
        libraries.module = matches!(author, Author::User(_)).then(|| module_of(order)).flatten();
        for shared in order.headers.iter().filter(|_| !libraries.are_modules) {
            libraries.found.extend(shared.files().map(|(_, from)| from));
            add(&mut libraries.folders, shared.dir.clone());
        }
        for folder in &language.include {
            if !folder.is_dir() {
                let (language, id) = (language.name.clone(), language.id.clone());
                return Err(NoFolder { folder: folder.clone(), language, id });
            }
            libraries.named.push(folder.clone());
        }
        Ok(libraries)
    }

    /// Adds a header that is found after all others of its name.
    pub(super) fn add_header(&mut self, header: Option<Header>) {
        match header {
            Some(Header::File(path)) => {
                self.last.extend(path.parent().map(Path::to_owned));
                self.found.insert(path);
            }
            Some(Header::Own(text)) => self.own_header = Some(text),
            None => {}
        }
    }

    /// The files that are written into the directory of the build: their names there, and their texts.
    pub(super) fn texts(&self) -> impl Iterator<Item = (PathBuf, &'static str)> {
        self.own_header.iter().map(|text| (Path::new(COPIES).join(TESTLIB), *text))
    }

    /// The same with files of the program that lie elsewhere.
    pub(super) fn with(mut self, others: BTreeSet<PathBuf>) -> Self {
        self.found.extend(others);
        self
    }

    /// Whether the program is built with a file.
    pub fn uses(&self, path: &Path) -> bool {
        self.places().any(|place| path.starts_with(place))
    }

    /// The files and folders outside the program.
    pub fn places(&self) -> impl Iterator<Item = &Path> {
        self.named.iter().chain(&self.found).map(PathBuf::as_path)
    }

    /// Every file, sorted within each place.
    pub(super) fn files(&self) -> Vec<PathBuf> {
        let below = |place: &Path| walkdir::WalkDir::new(place).sort_by_file_name().into_iter().take(MOST_LISTED);
        // A file that cannot be read is reported by the compiler that needs it.
        let files = self.places().flat_map(below).flatten().filter(|entry| entry.file_type().is_file());
        files.map(walkdir::DirEntry::into_path).collect()
    }

    /// The files that are copied into the directory of the build: their names there, and their paths. An interpreter
    /// lists the folders of modules, and in place they would show everything that lies there.
    pub(super) fn copies(&self) -> impl Iterator<Item = (PathBuf, &Path)> {
        let folders = self.folders.iter().enumerate().filter(|_| self.are_modules);
        folders.flat_map(|(number, folder)| {
            let name = move |file: &Path| Some(copy_of(number).join(file.strip_prefix(folder).ok()?));
            self.found.iter().filter_map(move |file| Some((name(file)?, file.as_path())))
        })
    }

    /// Adds the libraries to a recipe.
    pub(super) fn add_to<'a>(&'a self, mut recipe: Recipe<'a>, language: &'a Language) -> Recipe<'a> {
        recipe.tools.shown.extend(self.named.iter().cloned());
        if !self.are_modules {
            recipe.tools.shown.extend(self.found.iter().cloned());
        }
        let inner = recipe.commands;
        let commands: CommandsIn<'a> = Box::new(move |dir| Ok(self.tell(inner(dir)?, language, dir)));
        Recipe { commands, ..recipe }
    }

    /// Tells the commands of a program in `dir` where its libraries are.
    fn tell(&self, mut commands: Commands, language: &Language, dir: &Path) -> Commands {
        let text = |path: &Path| path.to_string_lossy().into_owned();
        if self.are_modules {
            let own = self.module.iter().map(|_| dir.to_owned());
            if let Some(module) = &self.module
                && let Some(at) = commands.run.iter().position(|word| word.strip_suffix(".py").is_some())
            {
                commands.run.splice(at..=at, ["-m".to_owned(), module.clone()]);
            }
            let copies = own.chain((0..self.folders.len()).map(|number| dir.join(copy_of(number))));
            let folders: Vec<String> = copies.chain(self.named.iter().cloned()).map(|folder| text(&folder)).collect();
            if !folders.is_empty() {
                commands.env.push((language.library.clone(), folders.join(":")));
                commands.env.sort();
            }
            return commands;
        }
        let quoted = self.quoted.iter().flat_map(|folder| ["-iquote".to_owned(), text(folder)]);
        let folders = self.folders.iter().chain(&self.named);
        let options = folders.flat_map(|folder| [language.library.clone(), text(folder)]);
        let own = self.own_header.iter().map(|_| dir.join(COPIES));
        let last = self.last.iter().cloned().chain(own).flat_map(|folder| ["-idirafter".to_owned(), text(&folder)]);
        let macros = self.macros.iter().cloned();
        let words: Vec<String> = macros
            .chain(quoted)
            .chain(options)
            .chain(last)
            .chain(self.sources.iter().map(|source| text(source)))
            .collect();
        for step in commands.compile.iter_mut().filter(|step| !step.is_empty()) {
            step.splice(1..1, words.clone());
        }
        commands
    }
}

/// The name of the module that starts, if it imports others from its own package.
fn module_of(order: &BuildOrder<'_>) -> Option<String> {
    let entry = order.entry_point?;
    let Program::Directory { path, .. } = order.program else { return None };
    let name = entry.strip_suffix(".py").filter(|name| name.contains('/'))?;
    let is_of_package = !mentions::relative_imports(&text_of(&path.join(entry))).is_empty();
    is_of_package.then(|| name.replace('/', "."))
}

/// The directory of the build with the modules of a folder.
fn copy_of(number: usize) -> PathBuf {
    Path::new(COPIES).join(number.to_string())
}

/// Follows the includes and imports of a program of the user to files elsewhere, not above the top.
fn found_for(desk: &Desk, order: &BuildOrder<'_>, language: &Language, names: &[PathBuf]) -> Option<Libraries> {
    let dir = match order.program {
        Program::File(path) => path.parent()?,
        Program::Directory { path, .. } => path.as_path(),
        _ => return None,
    };
    let is_meant = !language.library.is_empty() && dir.starts_with(&desk.top);
    let own: Vec<PathBuf> = names.iter().map(|name| dir.join(name)).collect();
    is_meant.then(|| Search { top: &desk.top, dir, own, found: Libraries::default() }.run(language))
}

/// The search for the libraries of one program.
struct Search<'a> {
    top: &'a Path,
    dir: &'a Path,
    own: Vec<PathBuf>,
    found: Libraries,
}

impl Search<'_> {
    fn run(mut self, language: &Language) -> Libraries {
        let mut open = self.own.clone();
        while let Some(file) = open.pop() {
            let before = self.found.found.clone();
            // Headers such as `atcoder/dsu` have no ending.
            let is_header = || file.extension().is_none() && language.library.starts_with('-');
            match module_system(&file) {
                Some(ModuleSystem::C) => self.follow_includes(&file, language),
                Some(ModuleSystem::Python) => self.follow_imports(&file),
                None if is_header() => self.follow_includes(&file, language),
                _ => {}
            }
            open.extend(self.found.found.difference(&before).cloned());
        }
        self.found
    }

    fn follow_includes(&mut self, file: &Path, language: &Language) {
        for IncludedHeader { name, is_quoted } in mentions::includes(&text_of(file)) {
            // Other headers in angle brackets are those of the system, whatever lies here.
            if !is_quoted && (!name.contains('/') || SYSTEM.iter().any(|dir| name.starts_with(dir))) {
                continue;
            }
            // Data is not a library: a complaint of the compiler would show an answer.
            let is_code = module_system(Path::new(name)) == Some(ModuleSystem::C);
            let is_bare = || !is_quoted && Path::new(name).extension().is_none();
            if Path::new(name).is_absolute() || !(is_code || is_bare()) {
                continue;
            }
            let beside = file.parent().filter(|_| is_quoted).map(Path::to_owned);
            let header = |base: &Path| Some(base.join(name)).filter(|header| header.is_file());
            let Some((folder, header)) = self.find(beside, file, header) else { continue };
            if self.is_own(&header) {
                continue;
            }
            self.take(&header);
            // The program's own files are copied, so that what lies beside them is beside them no more.
            if Some(&*folder) != file.parent() || self.is_own(file) {
                let folders = if is_quoted { &mut self.found.quoted } else { &mut self.found.folders };
                add(folders, folder);
                // `../x.h` leads through the folder of the file, which is there if a file in it is.
                self.found.found.insert(file.to_owned());
            }
            let implementations = ["cpp", "cc", "cxx", "c"].map(|ending| header.with_extension(ending));
            for source in implementations.into_iter().filter(|source| language.has_source(source) && source.is_file()) {
                if !self.is_own(&source) {
                    self.take(&source);
                    self.found.sources.insert(source);
                }
            }
        }
    }

    fn follow_imports(&mut self, file: &Path) {
        for module in mentions::imports(&text_of(file)) {
            let parts: Vec<&str> = module.split('.').filter(|part| !part.is_empty()).collect();
            let Some(first) = parts.first().filter(|first| !STANDARD.contains(first)) else { continue };
            let top = |base: &Path| {
                [base.join(format!("{first}.py")), base.join(first).join("__init__.py"), base.join(first)]
                    .into_iter()
                    .find(|path| path.exists() && (path.is_file() || has_module(path, &parts)))
            };
            let Some((folder, _)) = self.find(file.parent().map(Path::to_owned), file, top) else { continue };
            let mut path = folder.clone();
            for part in parts {
                path.push(part);
                for file in [path.with_extension("py"), path.join("__init__.py")] {
                    if file.is_file() && self.is_inside(&file) && !self.is_own(&file) {
                        self.take(&file);
                        add(&mut self.found.folders, folder.clone());
                    }
                }
            }
        }
    }

    /// The first folder in which a file is found, and the file: first beside, then in the usual folders of the program's
    /// folder and of those above.
    fn find(
        &self,
        beside: Option<PathBuf>,
        file: &Path,
        place: impl Fn(&Path) -> Option<PathBuf>,
    ) -> Option<(PathBuf, PathBuf)> {
        let above =
            file.parent()?.ancestors().chain(self.dir.ancestors()).take_while(|above| above.starts_with(self.top));
        let usual = above.flat_map(|above| USUAL.iter().map(|name| above.join(name)));
        let mut folders = beside.into_iter().chain(usual);
        folders.find_map(|folder| {
            let found = normal(&place(&folder)?);
            self.is_inside(&found).then(|| (normal(&folder), found))
        })
    }

    fn is_inside(&self, path: &Path) -> bool {
        is_inside(self.top, path)
    }

    fn is_own(&self, file: &Path) -> bool {
        self.own.iter().any(|own| own == file)
    }

    fn take(&mut self, file: &Path) {
        if self.found.found.len() < MOST_FOUND {
            self.found.found.insert(file.to_owned());
        }
    }
}

/// Whether a path leads to something below the top, also through links.
pub(super) fn is_inside(top: &Path, path: &Path) -> bool {
    // A path that cannot be resolved does not exist.
    let real = |path: &Path| fs::canonicalize(path).ok();
    let is_real = || real(path).zip(real(top)).is_some_and(|(path, top)| path.starts_with(top));
    path.starts_with(top) && is_real()
}

/// Adds a folder, unless it is there.
fn add(folders: &mut Vec<PathBuf>, folder: PathBuf) {
    if !folders.contains(&folder) {
        folders.push(folder);
    }
}

/// Whether a folder without `__init__.py` has the module that is imported from it.
fn has_module(package: &Path, parts: &[&str]) -> bool {
    parts.get(1).is_some_and(|part| package.join(format!("{part}.py")).is_file() || package.join(part).is_dir())
}

/// The text of a file; empty if it is large. A file that cannot be read is reported when it is compiled.
pub(super) fn text_of(file: &Path) -> String {
    let is_small = fs::metadata(file).is_ok_and(|found| found.is_file() && found.len() <= LARGEST);
    let bytes = if is_small { fs::read(file).unwrap_or_default() } else { Vec::new() };
    String::from_utf8_lossy(&bytes).into_owned()
}
