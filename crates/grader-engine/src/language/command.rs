//! Builds the commands that compile and run a submission, from a row of the table and the submission's files.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use super::template::{self, Piece};
use super::{BuildInput, Language, LanguageError, MainClass, mainclass, manifest, pattern};
use crate::limits::Bytes;
use crate::program_files::mentions;
use crate::program_files::{ProgramFile, ProgramFiles, StartFile, normal};

/// The most sources whose texts are searched for the one that starts.
const MOST_SEARCHED: usize = 200;

/// How to compile and run a submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commands {
    /// Files to rename before compiling, relative to the directory: `Solution.java` with `public class Main`.
    pub rename: Vec<(PathBuf, PathBuf)>,
    /// Compile steps in order, which run in the directory. The first word is a tool's name or an absolute path.
    pub compile: Vec<Vec<String>>,
    /// The run command, for any working directory. The first word is a tool's name or an absolute path.
    pub run: Vec<String>,
    /// Environment variables of compile and run, sorted by name.
    pub env: Vec<(String, String)>,
    /// The file or class to start. For a program of several files that are compiled together, the main file.
    pub entry_point: String,
    /// Which of several classes is started, in words, if nothing but their names decided.
    pub class_choice: Option<String>,
    /// The file that compiling must produce, if the run command names it.
    pub binary: Option<PathBuf>,
}

impl Commands {
    /// The programs that must be in PATH, without repetition.
    pub fn tools(&self) -> Vec<&str> {
        first_words(self.compile.iter().chain([&self.run]), |word| !word.contains('/'))
    }
}

/// The distinct first words of commands that satisfy `wanted`, in order.
pub(super) fn first_words<'a>(
    commands: impl Iterator<Item = &'a Vec<String>>,
    wanted: impl Fn(&str) -> bool,
) -> Vec<&'a str> {
    let mut words: Vec<&str> = Vec::new();
    for word in commands.filter_map(|command| command.first()) {
        if wanted(word) && !words.contains(&word.as_str()) {
            words.push(word);
        }
    }
    words
}

/// Builds the commands for `input`.
pub(super) fn commands(language: &Language, input: &BuildInput) -> Result<Commands, LanguageError> {
    let filler = Filler::new(language, input)?;
    let of_tool = language.project.as_ref().filter(|project| input.files.contains(&PathBuf::from(&project.marker)));
    let tests = language.tests_among(input.included);
    let project = tests.or(of_tool);
    let (compile, run) = project.map_or((&language.compile, &language.run), |project| (&project.compile, &project.run));
    let has_sources = if tests.is_some() { filler.own().next().is_some() } else { !filler.sources.is_empty() };
    if (project.is_none() || tests.is_some()) && !has_sources {
        return Err(no_source(language, input));
    }
    let mut steps = Vec::new();
    for step in compile {
        steps.extend(filler.step(step)?);
    }
    if project.is_none() && !language.without_main.is_empty() && !filler.shows_main() {
        steps.push(filler.command(&language.without_main, Base::Relative, None)?);
    }
    let made = |word: &&String| word.contains("{binary}") || word.contains("{crate}");
    let binary = run.iter().find(made).map(|word| filler.word(word, Base::Absolute, None)).transpose()?;
    let env = language.env.iter().map(|(name, value)| Ok((name.clone(), filler.word(value, Base::Absolute, None)?)));
    Ok(Commands {
        compile: steps,
        run: filler.command(run, Base::Absolute, None)?,
        entry_point: filler.entry_point()?,
        class_choice: filler.class_choice(),
        env: env.collect::<Result<_, _>>()?,
        binary: binary.map(PathBuf::from),
        rename: filler.rename,
    })
}

fn no_source(language: &Language, input: &BuildInput) -> LanguageError {
    let mut seen: Vec<String> = input.files.iter().take(5).map(|file| file.display().to_string()).collect();
    if input.files.len() > seen.len() {
        seen.push(format!("{} more", input.files.len() - seen.len()));
    }
    LanguageError::NoSource {
        language: language.name.clone(),
        extensions: language.extensions.join(", ."),
        seen: if seen.is_empty() { "no files at all".to_owned() } else { seen.join(", ") },
    }
}

/// The base of the paths in a command.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Base {
    /// The build directory, so that compilers print short names and their output does not depend on the location.
    Relative,
    /// The root directory, because the command runs elsewhere.
    Absolute,
}

/// Fills the templates of one language for one submission.
struct Filler<'a> {
    language: &'a Language,
    input: &'a BuildInput<'a>,
    /// The named entry point, after renaming.
    entry: Option<String>,
    dir: &'a str,
    /// Source files after renaming, the main file last.
    sources: Vec<String>,
    /// Source files that the problem includes.
    added: Vec<String>,
    rename: Vec<(PathBuf, PathBuf)>,
    /// The value of `{binary}`, as a relative path.
    binary: String,
}

impl<'a> Filler<'a> {
    fn new(language: &'a Language, input: &'a BuildInput<'a>) -> Result<Self, LanguageError> {
        let dir = utf8(input.dir)?;
        let mut rename = Vec::new();
        let is_included = |file: &PathBuf| input.included.contains(file);
        let (included, own): (Vec<PathBuf>, Vec<PathBuf>) = input.files.iter().cloned().partition(is_included);
        let mut sources = source_files(language, &own, &mut rename);
        rename_endings(language, input.files, &mut sources, &mut rename);
        // The tools of unit tests leave out the author's own tests by their names.
        if language.tests_among(input.included).is_none() {
            rename_special(language, input.files, &mut sources, &mut rename);
        }
        let added = source_names(language, &included, &mut rename);
        take_as_text(language, input, &added, &mut sources, &mut rename);
        sources.extend(added.iter().cloned());
        sources.sort();
        if language.main_class == Some(MainClass::Java) {
            rename_to_public_types(&mut sources, input, &mut rename);
        }
        // The entry point is named as in the package, before renaming.
        let entry = input.entry_point.map(|entry| {
            let renamed = rename.iter().find(|(from, _)| from == Path::new(entry)).and_then(|(_, to)| to.to_str());
            renamed.unwrap_or(entry).to_owned()
        });
        // An included driver calls the file that the author would start.
        let entry = entry.map(|entry| driver_in(language, &added).cloned().unwrap_or(entry));
        let is_entry = |source: &String| Some(source) == entry.as_ref();
        let main = sources.iter().position(is_entry).or_else(|| main_of_all(language, &sources, &added));
        let is_guess = main.is_none_or(|main| !is_entry(&sources[main]) && !is_main(language, &sources[main]));
        let mut filler = Self { language, input, entry, dir, sources, added, rename, binary: binary_name(input.files) };
        filler.put_last(main);
        filler.leave_out_included();
        let is_guess = is_guess && filler.added.is_empty();
        if (2..=MOST_SEARCHED).contains(&filler.sources.len()) && (language.ordered || is_guess) {
            filler.order(is_guess);
        }
        Ok(filler)
    }

    /// Leaves out sources that others include as text (`#include "part.cpp"`), if it is known which one starts. The
    /// compiler would see them twice.
    fn leave_out_included(&mut self) {
        if self.entry.is_none() || !(2..=MOST_SEARCHED).contains(&self.sources.len()) {
            return;
        }
        let texts: Vec<(PathBuf, String)> =
            self.sources.iter().map(|source| (PathBuf::from(source), self.text(source))).collect();
        let included: BTreeSet<PathBuf> = texts
            .iter()
            .flat_map(|(source, text)| {
                let beside = source.parent().unwrap_or(Path::new("")).to_owned();
                mentions::includes(text).filter(|one| one.is_quoted).map(move |one| normal(&beside.join(one.name)))
            })
            .collect();
        self.sources.retain(|source| Some(source) == self.entry.as_ref() || !included.contains(Path::new(source)));
    }

    fn put_last(&mut self, main: Option<usize>) {
        if let Some(main) = main {
            let main = self.sources.remove(main);
            self.sources.push(main);
        }
    }

    /// Puts the source that starts last, if its text shows which one it is and its name does not. If the language wants
    /// it, puts sources before those that use them.
    fn order(&mut self, is_guess: bool) {
        let file = |source: &String| ProgramFile { path: source.into(), text: self.text(source), is_source: true };
        let files = ProgramFiles::new(self.sources.iter().map(file).collect());
        let last = self.sources.len() - 1;
        let main = match files.entry(&|_| false) {
            StartFile::One(main) if is_guess && self.language.main_class.is_none() => main,
            _ => last,
        };
        if self.language.ordered {
            self.sources = files.in_order(main).into_iter().map(|at| self.sources[at].clone()).collect();
        } else {
            self.put_last(Some(main));
        }
    }

    /// The commands for a compile step: one, or one for each source.
    fn step(&self, words: &[String]) -> Result<Vec<Vec<String>>, LanguageError> {
        if !template::has(words, "file") {
            return Ok(vec![self.command(words, Base::Relative, None)?]);
        }
        self.sources.iter().map(|file| self.command(words, Base::Relative, Some(file))).collect()
    }

    /// Fills a command. `file` is the value of `{file}`.
    fn command(&self, words: &[String], base: Base, file: Option<&str>) -> Result<Vec<String>, LanguageError> {
        let mut filled = Vec::with_capacity(words.len());
        for (index, word) in words.iter().enumerate() {
            if word == "{files}" {
                filled.extend(self.sources.iter().map(|file| self.path(file, base)));
            } else if word == "{own}" {
                filled.extend(self.own().map(|file| self.path(file, base)));
            } else if word == "{added}" {
                let added = self.sources.iter().filter(|source| self.added.contains(source));
                filled.extend(added.map(|file| self.path(file, base)));
            } else {
                // A program without a directory would be looked up in PATH.
                let base = if index == 0 { Base::Absolute } else { base };
                filled.push(self.word(word, base, file)?);
            }
        }
        Ok(filled)
    }

    /// The sources of the author, without those that the problem includes.
    fn own(&self) -> impl Iterator<Item = &String> {
        self.sources.iter().filter(|source| !self.added.contains(source))
    }

    fn word(&self, word: &str, base: Base, file: Option<&str>) -> Result<String, LanguageError> {
        let mut text = String::new();
        // The table was checked when it was read, so no error is possible here.
        for piece in template::pieces(word).unwrap_or_default() {
            match piece {
                Piece::Text(literal) => text.push_str(literal),
                Piece::Variable(name) => text.push_str(&self.variable(name, base, file)?),
            }
        }
        Ok(text)
    }

    fn variable(&self, name: &str, base: Base, file: Option<&str>) -> Result<String, LanguageError> {
        Ok(match name {
            "path" if base == Base::Relative => ".".to_owned(),
            "path" => self.dir.to_owned(),
            "binary" => self.path(&self.binary, base),
            "file" => file.map(|file| self.path(file, base)).unwrap_or_default(),
            "mainfile" => self.path(self.main_file()?, base),
            "mainclass" => self.main_class()?,
            "Mainclass" => mainclass::capitalised(&self.main_class()?, self.language.main_class),
            "memlim" => self.memory().to_string(),
            "crate" => manifest::crate_name(self.language, self.input)?,
            // A list of files inside a word, which the check of the table rules out.
            _ => String::new(),
        })
    }

    fn path(&self, relative: &str, base: Base) -> String {
        match base {
            Base::Absolute => format!("{}/{relative}", self.dir),
            // Names such as `-o.cpp` and `@list.c` must not look like options.
            Base::Relative if !relative.starts_with(|c: char| c.is_alphanumeric() || c == '_') => {
                format!("./{relative}")
            }
            Base::Relative => relative.to_owned(),
        }
    }

    /// The main file, which is the last source. An entry point that names another file is an error.
    fn main_file(&self) -> Result<&str, LanguageError> {
        let main = self.sources.last().ok_or_else(|| no_source(self.language, self.input))?;
        match self.entry.as_deref() {
            Some(entry) if entry != main => Err(LanguageError::EntryPoint {
                entry: entry.to_owned(),
                language: self.language.name.clone(),
                files: self.sources.join(", "),
            }),
            _ => Ok(main),
        }
    }

    /// The class to start, or the main file.
    fn entry_point(&self) -> Result<String, LanguageError> {
        match self.entry.as_deref() {
            Some(named) => Ok(named.to_owned()),
            None if self.language.main_class.is_some() => self.main_class(),
            None => Ok(self.sources.last().cloned().unwrap_or_default()),
        }
    }

    /// The class to start. In a language without classes to start, the main file without its extension.
    fn main_class(&self) -> Result<String, LanguageError> {
        let Some(kind) = self.language.main_class else {
            let main = self.main_file()?;
            return Ok(main.rsplit_once('.').map_or(main, |(stem, _)| stem).to_owned());
        };
        if let Some(class) = self.driver_class() {
            return Ok(class);
        }
        match self.entry.as_deref() {
            Some(entry) if self.names_class() && mainclass::is_class_name(entry) => Ok(entry.to_owned()),
            Some(_) if self.names_class() => self.main_file().map(str::to_owned),
            _ => Ok(self.found_class(kind).class),
        }
    }

    /// The class to start, as far as the sources show.
    fn found_class(&self, kind: MainClass) -> mainclass::StartClass {
        let all =
            if self.entry.as_deref().is_some() { &self.sources[self.sources.len() - 1..] } else { &self.sources[..] };
        self.class_in(kind, all)
    }

    fn class_in(&self, kind: MainClass, files: &[String]) -> mainclass::StartClass {
        let texts: Vec<(&str, String)> = files.iter().map(|file| (file.as_str(), self.text(file))).collect();
        mainclass::find(kind, &texts)
    }

    /// The class with `main` that the problem includes. It starts instead of a class of the author.
    fn driver_class(&self) -> Option<String> {
        let kind = self.language.main_class.filter(|_| !self.added.is_empty())?;
        Some(self.class_in(kind, &self.added)).filter(|found| found.has_main).map(|found| found.class)
    }

    /// Which of several classes is started, in words, if nothing but their names decides.
    fn class_choice(&self) -> Option<String> {
        const MOST: usize = 5;
        let kind = self.language.main_class.filter(|_| self.sources.last().is_some() && !self.names_class())?;
        if self.driver_class().is_some() {
            return None;
        }
        let found = self.found_class(kind);
        let class = found.class;
        let several = found.equal.len() > 1;
        let mut others: Vec<String> = found.equal.into_iter().filter(|other| *other != class).collect();
        if others.len() > MOST {
            others.truncate(MOST);
            others.push("…".to_owned());
        }
        several.then(|| format!("several classes have a `main`: grader starts {class} and not {}", others.join(", ")))
    }

    /// Whether the entry point is a class and not a source.
    fn names_class(&self) -> bool {
        self.entry.as_deref().is_some_and(|entry| self.sources.last().is_none_or(|main| main != entry))
    }

    /// Whether a class with `main` was found in the sources, or one was named.
    fn shows_main(&self) -> bool {
        self.language
            .main_class
            .is_none_or(|kind| self.names_class() || self.driver_class().is_some() || self.found_class(kind).has_main)
    }

    /// The text of a source, read under its name before renaming.
    fn text(&self, source: &str) -> String {
        let renamed = self.rename.iter().find(|(_, to)| to == Path::new(source));
        let original = renamed.map_or(Path::new(source), |(from, _)| from);
        // Every source could be opened before. If it cannot be read now, no class is found in it, and copying it
        // reports why.
        (self.input.read)(original).unwrap_or_default()
    }

    /// Returns `{memlim}` in MiB: the limit minus the memory that the runtime itself needs, but at least half of the
    /// limit. Returns the whole limit if the runtime's own memory is added to it.
    fn memory(&self) -> u64 {
        let limit = self.input.memory.0 / Bytes::mib(1).0;
        if self.input.heap_alone && self.language.memory_beside > 0 {
            return limit.max(1);
        }
        limit.saturating_sub(self.language.memory_reserve).max(limit.div_ceil(2)).max(1)
    }
}

fn utf8(path: &Path) -> Result<&str, LanguageError> {
    path.to_str().ok_or_else(|| LanguageError::FileName { file: path.display().to_string() })
}

/// Returns the source files of the language. If no file has its extension, takes and renames the only file, or the only
/// one without an extension: the user or a `#!` line has named the language.
fn source_files(language: &Language, files: &[PathBuf], rename: &mut Vec<(PathBuf, PathBuf)>) -> Vec<String> {
    let sources = source_names(language, files, rename);
    if !sources.is_empty() {
        return sources;
    }
    let bare: Vec<&PathBuf> = files.iter().filter(|file| files.len() == 1 || file.extension().is_none()).collect();
    let ([file], Some(extension)) = (bare.as_slice(), language.extensions.first()) else { return Vec::new() };
    let long = format!("{}.{extension}", file.to_string_lossy());
    let name = if is_odd(&long) { neutral(Path::new(&long), extension) } else { long };
    rename.push(((*file).clone(), PathBuf::from(&name)));
    vec![name]
}

/// Renames files whose extension is in another case (`GAPS.Py`) to the extension that compilers know.
fn rename_endings(
    language: &Language,
    files: &[PathBuf],
    sources: &mut [String],
    rename: &mut Vec<(PathBuf, PathBuf)>,
) {
    let mut taken: HashSet<PathBuf> = files.iter().cloned().collect();
    for source in sources {
        let path = PathBuf::from(&*source);
        let Some(ending) = path.extension().and_then(|extension| language.spelling(extension)) else { continue };
        let name = path.with_extension(ending);
        // Two files that differ only in this way keep their names.
        let is_free = name != path && !taken.contains(&name);
        if let (Some(text), true) = (name.to_str(), is_free) {
            text.clone_into(source);
            taken.insert(name.clone());
            rename.push((path, name));
        }
    }
}

/// Renames files whose names mean something to the tools of the language. Renames the only source also if its name has
/// characters, or a length, with which some tools fail; other files may name one of several sources.
fn rename_special(
    language: &Language,
    files: &[PathBuf],
    sources: &mut [String],
    rename: &mut Vec<(PathBuf, PathBuf)>,
) {
    let patterns: Vec<_> = language.special_names.iter().filter_map(|text| pattern(text).ok()).collect();
    let is_only = sources.len() == 1;
    let mut taken: HashSet<PathBuf> = files.iter().cloned().collect();
    for source in sources {
        let path = PathBuf::from(&*source);
        let name = path.file_name().unwrap_or_default().as_encoded_bytes();
        let is_special = patterns.iter().any(|pattern| pattern.is_match(name));
        let ending = path.extension().and_then(|extension| language.spelling(extension));
        let Some(ending) = ending.filter(|_| is_special || (is_only && is_odd(source))) else { continue };
        let mut target = neutral(&path, ending);
        while !taken.insert(PathBuf::from(&target)) {
            target = neutral(Path::new(&target), ending);
        }
        match rename.iter_mut().find(|(_, to)| *to == path) {
            Some((_, to)) => *to = PathBuf::from(&target),
            None => rename.push((path, PathBuf::from(&target))),
        }
        *source = target;
    }
}

/// Whether some tool may fail for the name of a file. From 224 bytes on, Python cannot name its compiled file.
fn is_odd(source: &str) -> bool {
    let name = source.rsplit_once('/').map_or(source, |(_, name)| name);
    let is_plain = |c: char| c.is_alphanumeric() || "_-.+ ".contains(c);
    name.len() > 200 || !name.starts_with(|c: char| c.is_alphanumeric() || c == '_') || !name.chars().all(is_plain)
}

/// A name beside a file that means nothing to any tool: `-a.go` becomes `x_a_.go`.
fn neutral(path: &Path, ending: &str) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let plain = |c: char| if c.is_alphanumeric() { c } else { '_' };
    let mut name: String = stem.chars().take(40).map(plain).collect();
    if !name.starts_with(char::is_alphanumeric) {
        name.insert(0, 'x');
    }
    path.with_file_name(format!("{name}_.{ending}")).to_string_lossy().into_owned()
}

/// The files that have an extension of the language. A name that is not UTF-8 cannot be part of a command line, so such a
/// file is renamed.
fn source_names(language: &Language, files: &[PathBuf], rename: &mut Vec<(PathBuf, PathBuf)>) -> Vec<String> {
    let mut names = Vec::new();
    for file in files {
        let Some(ending) = file.extension().and_then(|extension| language.spelling(extension)) else { continue };
        let mut name = file.to_str().map_or_else(|| neutral(file, ending), str::to_owned);
        if file.to_str().is_none() {
            while names.contains(&name) || files.contains(&PathBuf::from(&name)) {
                name = neutral(Path::new(&name), ending);
            }
            rename.push((file.clone(), PathBuf::from(&name)));
        }
        names.push(name);
    }
    names
}

/// Renames each Java file to its public type, because the compiler otherwise rejects it.
fn rename_to_public_types(sources: &mut [String], input: &BuildInput, rename: &mut Vec<(PathBuf, PathBuf)>) {
    let mut taken: HashSet<String> = sources.iter().cloned().collect();
    for source in sources {
        // The name before an earlier rename.
        let earlier = rename.iter().position(|(_, to)| to == Path::new(source.as_str()));
        let original = earlier.map_or_else(|| PathBuf::from(&*source), |index| rename[index].0.clone());
        let Some(name) = (input.read)(&original).and_then(|text| mainclass::public_type(&text)) else { continue };
        let target = match source.rsplit_once('/') {
            Some((parent, _)) => format!("{parent}/{name}.java"),
            None => format!("{name}.java"),
        };
        // If two files need the same name, the compiler's own message is clearer.
        if taken.insert(target.clone()) {
            if let Some(index) = earlier {
                rename.remove(index);
            }
            rename.push((original, PathBuf::from(&target)));
            source.clone_from(&target);
        }
    }
}

/// The index of `{mainfile}` if some files are included: an included driver with a name for it, otherwise the main file
/// of the submission.
fn main_of_all(language: &Language, sources: &[String], added: &[String]) -> Option<usize> {
    let (drivers, own): (Vec<String>, Vec<String>) = sources.iter().cloned().partition(|source| added.contains(source));
    let driver = driver_in(language, &drivers);
    let main = driver.or_else(|| main_file(language, &own).map(|at| &own[at]));
    let main = main.or_else(|| main_file(language, &drivers).map(|at| &drivers[at]))?;
    sources.iter().position(|source| source == main)
}

/// The included file whose name marks it as the main file.
fn driver_in<'a>(language: &Language, added: &'a [String]) -> Option<&'a String> {
    main_file(language, added).map(|at| &added[at]).filter(|file| is_main(language, file))
}

/// The name by which an included driver includes the solution as text, without its ending.
const SOLUTION: &str = "solution";

/// If an included driver has the line `#include "solution.cpp"`, the source of the author with that name is not compiled by
/// itself. An only source gets it.
fn take_as_text(
    language: &Language,
    input: &BuildInput,
    added: &[String],
    sources: &mut Vec<String>,
    rename: &mut Vec<(PathBuf, PathBuf)>,
) {
    let is_solution = |name: &Path| {
        let ending = name.extension().and_then(|ending| language.spelling(ending));
        ending.is_some() && name.file_stem().is_some_and(|stem| stem == SOLUTION)
    };
    let texts = added.iter().filter_map(|source| (input.read)(Path::new(source)));
    let wanted = texts.flat_map(|text| {
        let names = mentions::includes(&text).filter(|one| one.is_quoted).map(|one| PathBuf::from(one.name));
        names.filter(|name| is_solution(name)).collect::<Vec<_>>()
    });
    let wanted: Vec<PathBuf> = wanted.collect();
    let Some(first) = wanted.first().cloned() else { return };
    if let Some(named) = sources.iter().position(|source| wanted.iter().any(|name| name == Path::new(source))) {
        sources.remove(named);
    } else if let [only] = &sources[..] {
        match rename.iter_mut().find(|(_, to)| to == Path::new(only)) {
            Some((_, to)) => *to = first,
            None => rename.push((PathBuf::from(only), first)),
        }
        sources.clear();
    }
}

/// Whether the name of a file marks it as the main file.
fn is_main(language: &Language, source: &str) -> bool {
    let name = source.rsplit_once('/').map_or(source, |(_, name)| name);
    language.main.iter().any(|main| main == source)
        || name.split_once('.').is_some_and(|(stem, _)| stem.eq_ignore_ascii_case("main"))
}

/// The index of `{mainfile}`: a preferred name, the only file, the least deep `main.*` in any case, or else the first
/// file by name.
fn main_file(language: &Language, sources: &[String]) -> Option<usize> {
    let preferred = language.main.iter().find_map(|name| sources.iter().position(|source| source == name));
    let rank = |index: &usize| {
        let source = &sources[*index];
        let is_main = is_main(language, source);
        (!is_main, source.matches('/').count() * usize::from(is_main), source)
    };
    preferred.or_else(|| (0..sources.len()).min_by_key(rank))
}

/// A name for the built program that differs from all files of the submission.
fn binary_name(files: &[PathBuf]) -> String {
    let first = |file: &PathBuf| file.components().next().map(|part| part.as_os_str().to_string_lossy().into_owned());
    let taken: HashSet<String> = files.iter().filter_map(first).collect();
    let mut name = "program".to_owned();
    while taken.iter().any(|file| file.split('.').next() == Some(&name)) {
        name.push('_');
    }
    name
}
