//! Builds the user's own programs with the build file that owns them, such as `Cargo.toml` or a `Makefile`, and with the
//! dependencies that lie in the user's caches.
//!
//! The nearest build file at or above a program owns it, if it builds that program. The build sees a copy of the whole
//! project, and the caches read-only. Nothing is fetched. Programs of strangers get none of this.

mod build;
mod files;
mod table;
mod target;
mod wrapper;

use std::fs;
use std::path::{Path, PathBuf};

use crate::language::{BuildInput, Language};
use crate::problem::Program;

use super::author::Desk;
use super::sources::Sources;
use super::{Build, BuildOrder, beginning};
use table::{Apart, Builder, Cache, How, PROGRAM, TAKE, TOOLS, Tool};
use wrapper::WrapperTool;

/// A build file with the program that it owns.
pub struct Project {
    tool: &'static Tool,
    /// The build file.
    marker: PathBuf,
    /// The directory whose files the build sees: that of the build file, or one above to which it refers.
    root: PathBuf,
    /// The text of the build file.
    text: String,
    /// The name of the program to build.
    target: String,
    /// The program's own files and the one that starts, relative to the root.
    own: Vec<PathBuf>,
    entry: PathBuf,
}

impl Project {
    /// The project that owns a program of the user. None if nothing does.
    pub(super) fn of(desk: &Desk, order: &BuildOrder<'_>, language: &Language, sources: &Sources<'_>) -> Option<Self> {
        // Packages are judged elsewhere too, and what a problem includes knows nothing of the user's files.
        let is_alone = order.additions.is_none_or(|additions| additions.include.is_empty());
        if order.as_in_packages || !is_alone {
            return None;
        }
        let dir = match order.program {
            Program::File(path) => path.parent()?,
            Program::Directory { path, .. } => path.as_path(),
            _ => return None,
        };
        let entry = dir.join(entry_of(order, language, sources)?);
        let top = if entry.starts_with(&desk.top) { &*desk.top } else { entry.parent()? };
        let above = || entry.ancestors().skip(1).take_while(|above| above.starts_with(top));
        let files: Vec<PathBuf> = sources.names().iter().map(|name| dir.join(name)).collect();
        TOOLS.iter().filter(|tool| tool.may_own(language)).find_map(|tool| {
            // An environment that the user has activated comes before one that lies here.
            let active = || desk.value("VIRTUAL_ENV").map(|dir| Path::new(dir).join("pyvenv.cfg"));
            if let (How::Interprets, Some(marker)) = (&tool.how, active().filter(|marker| marker.is_file())) {
                return Some(Self::interpreted(tool, marker));
            }
            let marker = above().find_map(|above| tool.markers.iter().map(|m| above.join(m)).find(|m| m.is_file()))?;
            Self::owner(tool, marker, top, &entry, &files)
        })
    }

    /// The project of an environment, which has no files of the program.
    fn interpreted(tool: &'static Tool, marker: PathBuf) -> Self {
        let root = marker.parent().unwrap_or(&marker).to_owned();
        let text = String::new();
        let target = String::new();
        let own = Vec::new();
        let entry = PathBuf::new();
        Self { tool, marker, root, text, target, own, entry }
    }

    /// The project of a build file, if it builds the program.
    fn owner(tool: &'static Tool, marker: PathBuf, top: &Path, entry: &Path, files: &[PathBuf]) -> Option<Self> {
        let dir = tool.dir_of(&marker)?.to_owned();
        // A build file that is not text builds nothing.
        let text = String::from_utf8_lossy(&fs::read(&marker).ok()?).into_owned();
        let target = match &tool.how {
            How::Builds(builder) => {
                (builder.target)(&target::Question { text: &text, source: entry.strip_prefix(&dir).ok()? })?
            }
            How::StaysInPlace => String::new(),
            How::Interprets => return Some(Self::interpreted(tool, marker)),
        };
        let root = files::root_of(&marker, &dir, &text, top);
        let inside = |path: &PathBuf| path.strip_prefix(&root).ok().map(Path::to_owned);
        let own: Vec<PathBuf> = files.iter().filter_map(inside).collect();
        let entry = entry.strip_prefix(&root).ok()?.to_owned();
        Some(Self { tool, marker, root, text, target, own, entry })
    }

    /// Whether a program that the project does not build may compile without it. A build file knows targets, and may not
    /// know this one.
    pub(super) fn may_do_without(&self, built: &Build) -> bool {
        let falls_back = matches!(&self.tool.how, How::Builds(builder) if builder.falls_back);
        falls_back && matches!(built, Build::CompileError(_) | Build::NotJudged(_))
    }

    /// Whether the build sees a file of the project, by its path relative to the root.
    fn sees(&self, inside: &Path) -> bool {
        files::is_copied(inside) && !self.is_of_another(inside)
    }

    /// Whether a file belongs to another program of the project, which this one never uses.
    fn is_of_another(&self, inside: &Path) -> bool {
        let How::Builds(builder) = &self.tool.how else { return false };
        match builder.apart {
            Apart::Nothing => false,
            Apart::EntriesOf(dir) => {
                let dir = Path::new(&self.dir()).join(dir);
                let dir = dir.strip_prefix(".").unwrap_or(&dir);
                let entry = |path: &Path| path.strip_prefix(dir).ok()?.iter().next().map(|name| dir.join(name));
                let is_program = |other: &PathBuf| {
                    other.extension().is_some_and(|end| end == "rs") || self.root.join(other).join("main.rs").is_file()
                };
                let other = entry(inside).filter(|other| !self.entry.starts_with(other) && is_program(other));
                other.is_some_and(|other| {
                    let stem = other.file_stem().unwrap_or_default().to_string_lossy();
                    !["\"", "/"].iter().any(|before| self.text.contains(&format!("{before}{stem}")))
                })
            }
            Apart::MainPackages => {
                let is_main = || {
                    beginning(&self.root.join(inside))
                        .is_some_and(|text| text.lines().any(|line| line.trim_end() == "package main"))
                };
                inside.parent() != self.entry.parent() && inside.extension().is_some_and(|end| end == "go") && is_main()
            }
        }
    }

    /// Whether the program is built with a file, given by its absolute path.
    pub fn uses(&self, path: &Path) -> bool {
        self.top().and_then(|top| path.strip_prefix(top).ok()).is_some_and(|inside| self.sees(inside))
    }

    /// The directory with the files of the project. None for an environment, whose packages tools install.
    pub fn top(&self) -> Option<&Path> {
        (!matches!(self.tool.how, How::Interprets)).then_some(&*self.root)
    }

    /// The directory of the build file, relative to the root.
    fn dir(&self) -> String {
        let dir = self.tool.dir_of(&self.marker).and_then(|dir| dir.strip_prefix(&self.root).ok());
        match dir.map(Path::to_string_lossy) {
            Some(dir) if !dir.is_empty() => dir.into_owned(),
            _ => ".".to_owned(),
        }
    }

    /// Fills a word of a step or of a place.
    fn fill(&self, word: &str) -> String {
        let text = |path: Option<&std::ffi::OsStr>| path.unwrap_or_default().to_string_lossy().into_owned();
        let beside = self.entry.parent().map(|dir| text(Some(dir.as_os_str()))).filter(|dir| !dir.is_empty());
        word.replace("{dir}", &self.dir())
            .replace("{target}", &self.target)
            .replace("{stem}", &text(self.entry.file_stem()))
            .replace("{entry}", &self.entry.to_string_lossy())
            .replace("{beside}", &beside.unwrap_or_else(|| ".".to_owned()))
    }

    /// The version of the tool that the project brings, if it is installed.
    fn wrapped(&self, builder: &Builder, desk: &Desk) -> Option<String> {
        let cache = builder.caches.first()?.dir(desk)?;
        let dir = self.tool.dir_of(&self.marker)?;
        let found = (builder.wrapped)(&WrapperTool { dir, root: &self.root, cache: &cache })?;
        found.into_os_string().into_string().ok()
    }

    /// The program's own sources in the directory of the file that starts.
    fn files_beside(&self, language: &Language) -> Vec<String> {
        let is_beside = |file: &&PathBuf| file.parent() == self.entry.parent() && language.has_source(file);
        self.own.iter().filter(is_beside).map(|file| format!("./{}", file.display())).collect()
    }

    /// The steps that build the program.
    fn steps(&self, builder: &Builder, language: &Language) -> Vec<Vec<String>> {
        let fill = |step: &&[&str]| -> Vec<String> {
            let words = step.iter().flat_map(|word| match *word {
                "{files}" => self.files_beside(language),
                word => vec![self.fill(word)],
            });
            // An empty target means the default one.
            words.filter(|word| !word.is_empty()).collect()
        };
        let mut steps: Vec<Vec<String>> = builder.steps.iter().map(fill).collect();
        if !builder.made.is_empty() {
            let places: Vec<String> = builder.made.iter().map(|place| self.fill(place)).collect();
            let shown = places.iter().map(|place| place.trim_start_matches("./")).collect::<Vec<_>>().join("`, `");
            let tool = &steps[0][0];
            let say = format!("{tool} made no program; grader expects `{shown}`");
            let words = ["/bin/sh", "-c", TAKE, "sh", &say, PROGRAM].map(str::to_owned);
            steps.push(words.into_iter().chain(places).collect());
        }
        steps
    }
}

impl Tool {
    fn may_own(&self, language: &Language) -> bool {
        let is_native = || language.run == ["{binary}"];
        if self.languages.is_empty() { is_native() } else { self.languages.contains(&language.id.as_str()) }
    }

    /// The directory that the build file is about: `x` for `x/Cargo.toml` and for `x/.venv/pyvenv.cfg`.
    fn dir_of<'p>(&self, marker: &'p Path) -> Option<&'p Path> {
        let is_meant = |name: &&&str| marker.ends_with(name);
        let depth = self.markers.iter().find(is_meant).map_or(1, |name| Path::new(name).components().count());
        marker.ancestors().nth(depth)
    }
}

impl Cache {
    /// The directory on this machine, if there is one.
    fn dir(&self, desk: &Desk) -> Option<PathBuf> {
        let value = |name: &str| desk.value(name);
        let named = value(self.variable).map(PathBuf::from);
        // The only cache whose directory another variable may move.
        let of_path =
            || value("GOPATH").filter(|_| self.variable == "GOMODCACHE").map(|dir| Path::new(dir).join("pkg/mod"));
        let usual = || value("HOME").map(|home| Path::new(home).join(self.usual));
        named.or_else(of_path).or_else(usual).filter(|dir| dir.is_absolute() && dir.is_dir())
    }

    /// The parts of the cache that builds see.
    fn shown(&self, dir: &Path) -> Vec<PathBuf> {
        let parts = self.shown.iter().map(|part| dir.join(part)).filter(|part| part.exists());
        if self.shown.is_empty() { vec![dir.to_owned()] } else { parts.collect() }
    }
}

/// The file of a program that starts, relative to the program's directory.
fn entry_of(order: &BuildOrder<'_>, language: &Language, sources: &Sources<'_>) -> Option<PathBuf> {
    let is_source = |name: &PathBuf| language.has_source(name);
    let files: Vec<PathBuf> = sources.names().into_iter().filter(is_source).collect();
    let read = |file: &Path| sources.text(file);
    let dir = Path::new("/");
    let memory = order.memory;
    let heap_alone = order.heap_alone;
    let entry_point = order.entry_point;
    let input = BuildInput { dir, files: &files, included: &[], memory, heap_alone, read: &read, entry_point };
    // Mistakes in the program are reported when it is built without its project.
    let entry = PathBuf::from(language.commands(&input).ok()?.entry_point);
    // Classes start too, and a file may be renamed.
    if files.contains(&entry) { Some(entry) } else { files.into_iter().next() }
}
