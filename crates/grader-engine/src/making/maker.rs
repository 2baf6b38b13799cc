//! Makes or finds the files of one test after the other.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::Digest as _;

use super::program::{BuildOutcome, Fault, build, execute_with, read_output, run_generator, said};
use super::{Counts, text};
use crate::compile::BuildOrder;
use crate::engine::bench::{Bench, Execution};
use crate::package::document::stays_in;
use crate::problem::{
    AnswerRecipe, CaseInput, GeneratorCommand, InputRecipe, Problem, Recipe, Sha256, TestCase, TestGroup, TestId,
    WorkFiles,
};
use crate::store::{Artifact, Key, KeyBuilder};
use crate::suggest;

/// The name of the file in a directory of the store that holds one input or answer.
const CONTENT: &str = "content";
/// The largest file of a package whose line ends are changed, in bytes.
const MOST_CONVERTED: u64 = 256 << 20;
/// Words by which a command needs a shell.
const SHELL_WORDS: [&str; 6] = ["|", ">", "<", "&&", ";", ">>"];

/// An input or answer.
pub(super) struct CaseFile {
    /// Its path in the package, whether the package has it or not.
    pub(super) place: PathBuf,
    /// The file with its content.
    pub(super) content: PathBuf,
    /// Whether grader made it, so that no other program changes it.
    pub(super) is_ours: bool,
    /// Keeps the content, if it is not in the store.
    _kept: Option<Artifact<()>>,
}

impl CaseFile {
    fn of_package(path: PathBuf) -> Self {
        Self { content: path.clone(), place: path, is_ours: false, _kept: None }
    }

    fn made(place: PathBuf, kept: Artifact<()>) -> Self {
        Self { place, content: kept.dir.join(CONTENT), is_ours: true, _kept: Some(kept) }
    }
}

/// The files that a command left, by name.
type MadeFiles = BTreeMap<String, Vec<u8>>;

/// Makes the files of the tests of a problem.
pub(super) struct Maker<'a> {
    problem: &'a Arc<Problem>,
    generators: BTreeMap<String, BuildOutcome>,
    reference: Option<BuildOutcome>,
    interactor: Option<BuildOutcome>,
    /// The generators that printed the same twice.
    deterministic: BTreeSet<String>,
    /// The results of commands that write several inputs.
    written: BTreeMap<String, Result<Arc<MadeFiles>, Fault>>,
    counts: Counts,
}

impl<'a> Maker<'a> {
    pub(super) fn new(problem: &'a Arc<Problem>) -> Self {
        Self {
            problem,
            generators: BTreeMap::new(),
            reference: None,
            interactor: None,
            deterministic: BTreeSet::new(),
            written: BTreeMap::new(),
            counts: Counts::default(),
        }
    }

    pub(super) fn counts(&self) -> Counts {
        self.counts
    }

    /// The files of a test: its input, and its answer.
    pub(super) fn files(
        &mut self,
        bench: &mut Bench<'_>,
        id: &TestId,
        group: &TestGroup,
        case: &TestCase,
    ) -> Result<Vec<CaseFile>, Fault> {
        let Some(recipe) = self.problem.recipes.cases.get(id) else { return Ok(Vec::new()) };
        let input = self.input(bench, recipe, group.input_of(case))?;
        let Some(place) = group.answer_of(case) else { return Ok(vec![input]) };
        let answer = match recipe.answer {
            AnswerRecipe::File => self.of_package(bench, place)?,
            AnswerRecipe::Reference => self.answer(bench, (group, case), &input, (place, recipe.checksums.answer))?,
            AnswerRecipe::StandardError => self.answer_of_generator(bench, &recipe.input, place)?,
        };
        Ok(vec![input, answer])
    }

    fn input(&mut self, bench: &mut Bench<'_>, recipe: &Recipe, place: PathBuf) -> Result<CaseFile, Fault> {
        match &recipe.input {
            InputRecipe::File => {
                let file = self.of_package(bench, place)?;
                if recipe.checksums.input.is_some() {
                    let unreadable = |error| Fault::Broken(format!("cannot read an input: {error}"));
                    let text = fs::read(&file.content).map_err(unreadable)?;
                    self.prove(&text, recipe.checksums.input, "the input")?;
                }
                Ok(file)
            }
            InputRecipe::Command(command) => self.generated(bench, command, (place, recipe.checksums.input)),
        }
    }

    /// Fails if a file is not the one whose checksum the package states.
    fn prove(&self, content: &[u8], stated: Option<Sha256>, what: &str) -> Result<(), Fault> {
        let (Some(stated), Some(document)) = (stated, &self.problem.recipes.checksums) else { return Ok(()) };
        if Sha256::from(<[u8; 32]>::from(sha2::Sha256::digest(content))) == stated {
            return Ok(());
        }
        let name = document.file_name().unwrap_or_default().display();
        let message = format!("{what} is not the one whose checksum {name} states");
        let remedy = format!("correct the program that prints it, or bring {name} up to date");
        Err(Fault::with(message, &remedy))
    }

    /// A file of the package, with line ends of Linux.
    fn of_package(&mut self, bench: &mut Bench<'_>, path: PathBuf) -> Result<CaseFile, Fault> {
        let name = path.strip_prefix(&self.problem.dir).unwrap_or(&path).display().to_string();
        if !path.is_file() {
            let message = format!("the package has no {name}, and does not say how to make it");
            return Err(Fault::with(message, "download the package again"));
        }
        let unreadable = |error: std::io::Error| Fault::package(format!("cannot read {name}: {error}"));
        if !stays_in(&self.problem.dir, &path).map_err(unreadable)? {
            return Err(Fault::with(format!("{name} is a link that leaves the package"), "copy the file instead"));
        }
        if !self.problem.recipes.converts_line_ends || !text::is_windows(&path) {
            return Ok(CaseFile::of_package(path));
        }
        self.counts.converted += 1;
        let digest = bench.resources.store.digest_file(&path).map_err(unreadable)?;
        let key = Key::of("text with line ends of Linux v1").field("content", digest.as_bytes()).finish();
        let converted = || {
            let mut text = Vec::new();
            File::open(&path)
                .and_then(|file| file.take(MOST_CONVERTED + 1).read_to_end(&mut text))
                .map_err(unreadable)?;
            if text.len() as u64 > MOST_CONVERTED {
                return Err(Fault::package(format!("{name} is larger than {} MiB", MOST_CONVERTED >> 20)));
            }
            Ok(text::to_unix(&text))
        };
        let (kept, _) = kept(bench, key, |_| converted())?;
        Ok(CaseFile::made(path.clone(), kept))
    }

    /// The input that a command makes.
    fn generated(
        &mut self,
        bench: &mut Bench<'_>,
        command: &GeneratorCommand,
        (place, stated): (PathBuf, Option<Sha256>),
    ) -> Result<CaseFile, Fault> {
        let generator = self.generator(bench, command)?;
        let mut key = Key::of("made input v1").field("generator", generator.key.as_bytes());
        key = key.list("argument", &command.arguments).field("file", command.file.as_deref().unwrap_or_default());
        let (kept, is_new) = kept(bench, proven(key, stated).finish(), |bench| {
            let input = match &command.file {
                Some(file) => self.written_input(bench, command, &generator, file),
                None => self.printed_input(bench, command, &generator),
            }?;
            self.prove(&input, stated, "the made input")?;
            Ok(input)
        })?;
        self.counts.inputs += usize::from(is_new);
        Ok(CaseFile::made(place, kept))
    }

    fn generator(&mut self, bench: &mut Bench<'_>, command: &GeneratorCommand) -> BuildOutcome {
        let name = program_name(&command.program);
        if let Some(built) = self.generators.get(name) {
            return built.clone();
        }
        let built = match self.problem.recipes.generators.get(name) {
            Some(program) => {
                let memory = bench.resources.validation_limits().kill.memory;
                build(bench, &format!("generator {name}"), &BuildOrder::validator(self.problem, program, memory))
            }
            None => Err(self.unknown(command)),
        };
        self.generators.insert(name.to_owned(), built.clone());
        built
    }

    /// Why a command names no generator.
    fn unknown(&self, command: &GeneratorCommand) -> Fault {
        let GeneratorCommand { program, .. } = command;
        if program == "wine" || has_exe(program) {
            let message = format!("the command needs Windows: `{program}`");
            return Fault::with(message, "name a program of the package that has a source");
        }
        let known = self.problem.recipes.generators.keys().map(String::as_str);
        let message = format!("the package has no program `{program}`{}", suggest::hint(program, known));
        Fault::with(message, "add its source, or download the full package")
    }

    /// Runs a generator and returns its output. The first time, runs it twice: both outputs must be equal.
    fn printed_input(
        &mut self,
        bench: &mut Bench<'_>,
        command: &GeneratorCommand,
        generator: &crate::compile::Artifact,
    ) -> Result<Vec<u8>, Fault> {
        if let Some(word) = command.arguments.iter().find(|word| SHELL_WORDS.contains(&word.as_str())) {
            let message = format!("the command needs a shell (`{word}`); grader runs one program with its arguments");
            return Err(Fault::with(message, "let the generator do the whole work"));
        }
        let mut print = || {
            let printed = run_generator(bench, generator, &command.arguments)?;
            let stderr = printed.stderr.clone();
            let bytes = read_output(printed.output)?;
            if bytes.is_empty() {
                return Err(Fault::package(format!("the generator prints nothing{}", said(&stderr))));
            }
            Ok(bytes)
        };
        let bytes = print()?;
        let name = program_name(&command.program);
        if !self.deterministic.contains(name) {
            if print()? != bytes {
                return Err(Fault::with(
                    "the generator prints a different input each time",
                    "derive its random numbers only from its arguments",
                ));
            }
            self.deterministic.insert(name.to_owned());
        }
        Ok(bytes)
    }

    /// A file that a generator writes. Its command runs once for all of its files.
    fn written_input(
        &mut self,
        bench: &mut Bench<'_>,
        command: &GeneratorCommand,
        generator: &crate::compile::Artifact,
        file: &str,
    ) -> Result<Vec<u8>, Fault> {
        if let Some(written) = self.written.get(&command.text) {
            return find(written.as_ref().map_err(Clone::clone)?, file);
        }
        let wanted: BTreeSet<&str> = self.files_of(command).collect();
        let written = run_generator(bench, generator, &command.arguments).and_then(|printed| {
            let cap = bench.resources.validation_limits().kill.output.0;
            let mut written = MadeFiles::new();
            for name in wanted.iter().flat_map(|file| spellings(file)) {
                let read = printed.workdir.read(Path::new(&name), cap + 1);
                let read = read.map_err(|error| Fault::package(format!("its file {name} cannot be read: {error}")))?;
                if read.as_ref().is_some_and(|bytes| bytes.len() as u64 > cap) {
                    return Err(Fault::package(format!("the generator wrote more than {cap} bytes to {name}")));
                }
                written.extend(read.map(|bytes| (name, bytes)));
            }
            Ok(Arc::new(written))
        });
        let found = written.as_ref().map_err(Clone::clone).and_then(|written| find(written, file));
        self.written.insert(command.text.clone(), written);
        found
    }

    /// The files that a command writes, of all tests.
    fn files_of<'c>(&'c self, command: &'c GeneratorCommand) -> impl Iterator<Item = &'c str> {
        self.problem.recipes.cases.values().filter_map(|recipe| match &recipe.input {
            InputRecipe::Command(other) if other.text == command.text => other.file.as_deref(),
            _ => None,
        })
    }

    /// The answer that the generator of the input prints on standard error, as on DMOJ.
    fn answer_of_generator(
        &mut self,
        bench: &mut Bench<'_>,
        input: &InputRecipe,
        place: PathBuf,
    ) -> Result<CaseFile, Fault> {
        let InputRecipe::Command(command) = input else {
            return Err(Fault::package("no generator makes the input, so none prints the answer"));
        };
        let generator = self.generator(bench, command)?;
        let key = Key::of("made answer on standard error v1").field("generator", generator.key.as_bytes());
        let (kept, is_new) = kept(bench, key.list("argument", &command.arguments).finish(), |bench| {
            let said = run_generator(bench, &generator, &command.arguments)?.stderr;
            if said.len() < Execution::MOST_STDERR {
                return Ok(said);
            }
            let message =
                format!("the generator prints more than {} KiB on standard error", Execution::MOST_STDERR >> 10);
            Err(Fault::with(message, "write the answer to a file"))
        })?;
        self.counts.answers += usize::from(is_new);
        Ok(CaseFile::made(place, kept))
    }

    /// The answer that the reference prints.
    fn answer(
        &mut self,
        bench: &mut Bench<'_>,
        (group, case): (&TestGroup, &TestCase),
        input: &CaseFile,
        (place, stated): (PathBuf, Option<Sha256>),
    ) -> Result<CaseFile, Fault> {
        if self.problem.kind.is_multi_pass() {
            let message = "the package has no answer, and Polygon does not say how to make one for two runs";
            return Err(Fault::with(message, "download the full package"));
        }
        let reference = self.reference(bench)?;
        if self.problem.kind.is_interactive() {
            return self.answer_of_conversation(bench, &reference, (group, case), input, (place, stated));
        }
        let setting = group.setting_of(case);
        let by_name = setting.work.files.into_iter().map(|(name, _)| (name, input.content.clone()));
        let work = WorkFiles { files: by_name.collect(), ..setting.work };
        let broken = |error: std::io::Error| Fault::Broken(format!("cannot read an input: {error}"));
        let digest = bench.resources.store.digest_file(&input.content).map_err(broken)?;
        let mut key = Key::of("made answer v1").field("solution", reference.key.as_bytes());
        key = key.field("input", digest.as_bytes()).value("files", &named(&work)).value("output", &work.output);
        let (kept, is_new) = kept(bench, proven(key, stated).finish(), |bench| {
            let from = File::open(&input.content).map_err(broken)?;
            let printed = execute_with(bench, &reference, &setting.arguments.submission, &work, &from)?;
            if let Some((verdict, reason)) = &printed.rejection {
                let words = said(&printed.stderr);
                return Err(Fault::package(format!("the main solution fails: {verdict}, {reason}{words}")));
            }
            let answer = read_output(printed.output)?;
            self.prove(&answer, stated, "the answer that the main solution prints")?;
            Ok(answer)
        })?;
        self.counts.answers += usize::from(is_new);
        Ok(CaseFile::made(place, kept))
    }

    /// The answer in an interactive problem: the text that the interactor writes for the checker when it talks to the
    /// reference. The scripts of Polygon make it in the same way.
    fn answer_of_conversation(
        &mut self,
        bench: &mut Bench<'_>,
        reference: &crate::compile::Artifact,
        (group, case): (&TestGroup, &TestCase),
        input: &CaseFile,
        (place, stated): (PathBuf, Option<Sha256>),
    ) -> Result<CaseFile, Fault> {
        let interactor = self.interactor(bench)?;
        let broken = |error: std::io::Error| Fault::Broken(format!("cannot read an input: {error}"));
        let digest = bench.resources.store.digest_file(&input.content).map_err(broken)?;
        let key = Key::of("made answer of a conversation v1").field("solution", reference.key.as_bytes());
        let key = key.field("interactor", interactor.key.as_bytes()).field("input", digest.as_bytes());
        let of_case = CaseInput { path: input.content.clone(), ..group.case_input(case) };
        let mut of_case = bench.resources.case_of_output(self.problem, of_case, None);
        of_case.limits = bench.resources.validation_limits();
        let (kept, is_new) = kept(bench, proven(key, stated).finish(), |bench| {
            let wrote = bench.runner(None).tout(&of_case, reference, &interactor)?;
            let tout = wrote.map_err(|(verdict, reason)| {
                Fault::package(format!("the main solution fails with the interactor: {verdict}, {reason}"))
            })?;
            read_output(tout)
        })?;
        self.counts.answers += usize::from(is_new);
        Ok(CaseFile::made(place, kept))
    }

    fn interactor(&mut self, bench: &mut Bench<'_>) -> BuildOutcome {
        if let Some(built) = &self.interactor {
            return built.clone();
        }
        let built = match &self.problem.interactor {
            Some(judge) => {
                let memory = bench.resources.output_validation_limits(self.problem).kill.memory;
                build(bench, "the interactor", &BuildOrder::judge(self.problem, judge, memory))
            }
            None => Err(Fault::with("the package has no answer, and no interactor", "download the full package")),
        };
        self.interactor = Some(built.clone());
        built
    }

    fn reference(&mut self, bench: &mut Bench<'_>) -> BuildOutcome {
        if let Some(built) = &self.reference {
            return built.clone();
        }
        let built = if let Some(submission) = self.problem.reference() {
            let memory = bench.resources.validation_limits().kill.memory;
            build(bench, "the main solution", &BuildOrder::submission(self.problem, submission, memory))
        } else {
            let message = "the package has no answer, and no main solution that prints one";
            Err(Fault::with(message, "tag a solution `main`"))
        };
        self.reference = Some(built.clone());
        built
    }
}

/// The names that a program finds in its working directory.
fn named(work: &WorkFiles) -> Vec<&Path> {
    work.files.iter().map(|(name, _)| name.as_path()).collect()
}

/// Adds a stated checksum to a key: only a file that has it is kept under such a key.
fn proven(key: KeyBuilder, stated: Option<Sha256>) -> KeyBuilder {
    match stated {
        Some(stated) => key.field("sha256", stated.to_string()),
        None => key,
    }
}

/// The content of this key: from the store, or made and kept. Also returns whether it was made.
fn kept(
    bench: &mut Bench<'_>,
    key: Key,
    make: impl FnOnce(&mut Bench<'_>) -> Result<Vec<u8>, Fault>,
) -> Result<(Artifact<()>, bool), Fault> {
    let resources = bench.resources;
    if let Some(known) = resources.store.artifact(&key).filter(|_| resources.settings.cache) {
        return Ok((known, false));
    }
    let bytes = make(bench)?;
    let broken = |error: std::io::Error| Fault::Broken(format!("cannot keep a file: {error}"));
    let builder = resources.store.build_artifact(key).map_err(broken)?;
    match fs::write(builder.dir().join(CONTENT), &bytes) {
        Ok(()) => Ok((builder.commit(()), true)),
        Err(error) => {
            let builder = builder.elsewhere(&error).map_err(broken)?;
            fs::write(builder.dir().join(CONTENT), &bytes).map_err(broken)?;
            Ok((builder.commit(()), true))
        }
    }
}

/// The file of this name, or of this number with leading zeros.
fn find(written: &MadeFiles, file: &str) -> Result<Vec<u8>, Fault> {
    let found = spellings(file).into_iter().find_map(|name| written.get(&name));
    found.cloned().ok_or_else(|| Fault::package(format!("the generator writes no file `{file}`")))
}

/// The names of a file, as Polygon searches it: `1`, `01` and `001`.
fn spellings(file: &str) -> Vec<String> {
    let is_number = file.chars().all(|c| c.is_ascii_digit());
    let padded = if is_number { &["0", "00"][..] } else { &[] };
    std::iter::once(file.to_owned()).chain(padded.iter().map(|zeros| format!("{zeros}{file}"))).collect()
}

/// The name of a program without the ending of Windows.
fn program_name(word: &str) -> &str {
    if has_exe(word) { &word[..word.len() - EXE.len()] } else { word }
}

const EXE: &str = ".exe";

fn has_exe(word: &str) -> bool {
    word.len() > EXE.len()
        && word.is_char_boundary(word.len() - EXE.len())
        && word[word.len() - EXE.len()..].eq_ignore_ascii_case(EXE)
}
