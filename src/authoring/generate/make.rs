//! Makes the files of a case from its recipe, in this order: generator, copies, texts, validators, solution.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result};

use super::{Fault, Files};
use crate::authoring::reference::remedy;
use crate::compile::{Artifact, BuildOrder};
use crate::engine::bench::Bench;
use crate::judge::{self, Response};
use crate::making::program::{self, BuildOutcome, build, execute, read_output, run_generator, said};
use crate::package::document::{Document, Syntax, is_there};
use crate::package::generators::{Command, ENDINGS, Generators, Recipe, Solution};
use crate::package::group_template::GroupTemplate;
use crate::problem::{Arguments, Expectation, Problem, Submission};
use crate::store::{Key, KeyBuilder};
use crate::verify::validators::InputValidator;

/// The largest file in bytes that can be copied into a case.
const MOST_COPIED: u64 = 256 << 20;

impl From<program::Fault> for Fault {
    fn from(fault: program::Fault) -> Self {
        match fault {
            program::Fault::Package { message, remedy } => Self::Case { message, remedy },
            program::Fault::Broken(message) => Self::Broken(message),
            program::Fault::Cancelled => Self::Cancelled,
        }
    }
}

impl From<judge::Fault> for Fault {
    fn from(fault: judge::Fault) -> Self {
        program::Fault::from(fault).into()
    }
}

/// The arguments and files that programs find on a case.
struct CaseContext {
    arguments: Arguments,
    /// The files of `CASE.files/`: each name in the working directory with the file's path.
    files: Vec<(PathBuf, PathBuf)>,
}

impl CaseContext {
    /// The arguments of the solution.
    fn solution(&self) -> &[String] {
        &self.arguments.submission
    }
}

/// Makes cases one after the other.
pub(crate) struct Maker<'a> {
    problem: &'a Problem,
    /// The data root.
    root: PathBuf,
    generators: &'a Generators,
    validators: Vec<InputValidator>,
    groups: BTreeMap<String, GroupTemplate<'a>>,
    programs: BTreeMap<String, BuildOutcome>,
    solutions: BTreeMap<PathBuf, BuildOutcome>,
    scratch: tempfile::NamedTempFile,
}

impl<'a> Maker<'a> {
    pub(crate) fn new(
        problem: &'a Problem,
        root: &Path,
        generators: &'a Generators,
        validators: Vec<InputValidator>,
    ) -> Result<Self> {
        let scratch = tempfile::NamedTempFile::new().context("cannot create a temporary file")?;
        Ok(Self {
            problem,
            root: root.to_owned(),
            generators,
            validators,
            groups: BTreeMap::new(),
            programs: BTreeMap::new(),
            solutions: BTreeMap::new(),
            scratch,
        })
    }

    /// The cache key of a case, from everything that determines its files.
    pub(crate) fn key(&mut self, bench: &mut Bench<'_>, recipe: &Recipe) -> Result<Key, Fault> {
        let mut key = Key::of("generated case v1").field("group", recipe.root());
        key = key.field("interactive", if self.is_led() { "1" } else { "0" });
        if let Some(command) = &recipe.command {
            let generator = self.generator(bench, &command.program)?;
            key = key.field("generator", generator.key.as_bytes()).list("argument", command.arguments(command.seed));
            key = key.field("retries", if command.is_random() { recipe.retries } else { 1 }.to_string());
        }
        for (ending, path) in self.copies(recipe)? {
            let digest = bench.resources.store.digest_file(&path).map_err(|error| unreadable(&path, &error))?;
            key = key.field("copy", ending).field("content", digest.as_bytes());
        }
        for (ending, text) in &recipe.texts {
            key = key.field("text", ending).field("content", text);
        }
        for (ending, pattern) in &recipe.matches {
            key = key.field("match", ending).field("pattern", pattern.as_str());
        }
        let standing = self.standing(recipe, None)?;
        if self.may_be_answered(recipe) {
            if recipe.solution == Solution::Nothing {
                key = key.field("solution", "none");
            } else {
                let solution = self.solution(bench, recipe)?.key;
                key = key.field("solution", solution.as_bytes()).list("argument", standing.solution());
            }
        }
        for (name, path) in &standing.files {
            let digest = bench.resources.store.digest_file(path).map_err(|error| unreadable(path, &error))?;
            key = key.field("file", name.as_os_str().as_encoded_bytes()).field("content", digest.as_bytes());
        }
        let add = |key: KeyBuilder, validator: &InputValidator| {
            let arguments = validator.arguments(Some(&standing.arguments));
            key.field("validator", validator.key().as_bytes()).list("argument", arguments)
        };
        Ok(self.validators.iter().fold(key, add).finish())
    }

    /// Whether the output validator runs submissions (interactive or multi-pass), so that answers need no content.
    fn is_led(&self) -> bool {
        self.problem.kind.is_led_by_validator()
    }

    /// Whether an answer may have to be computed.
    fn may_be_answered(&self, recipe: &Recipe) -> bool {
        let given = recipe.texts.iter().any(|(ending, _)| ending == "ans");
        wants_answer(recipe) && !given && !self.is_led()
    }

    /// Makes all files of a case in memory and checks them.
    pub(crate) fn make(&mut self, bench: &mut Bench<'_>, recipe: &Recipe) -> Result<Files, Fault> {
        let mut files = match &recipe.command {
            Some(command) => self.generate(bench, command, recipe.retries)?,
            None => Files::new(),
        };
        let copies = self.copies(recipe)?;
        for (ending, path) in &copies {
            files.insert((*ending).to_owned(), read_copy(path).map_err(|error| unreadable(path, &error))?);
        }
        for (ending, text) in &recipe.texts {
            files.insert(ending.clone(), text.clone().into_bytes());
        }
        if !files.contains_key("in") && !files.contains_key("in.statement") {
            return Err(Fault::with("nothing generates its input", "write `generate`, `copy` or `in`"));
        }
        if files.contains_key("in") {
            self.write_scratch(&files["in"])?;
            let standing = self.standing(recipe, files.get("yaml").map(Vec::as_slice))?;
            if recipe.root() != "invalid_input" {
                self.validate(bench, &standing)?;
            }
            self.answer(bench, recipe, &standing, &mut files)?;
        }
        matches(recipe, &files)?;
        Ok(files)
    }

    fn write_scratch(&mut self, input: &[u8]) -> Result<(), Fault> {
        let file = self.scratch.as_file_mut();
        let write = || -> std::io::Result<()> {
            file.set_len(0)?;
            file.rewind()?;
            file.write_all(input)
        };
        let mut write = write;
        write().map_err(|error| Fault::Broken(format!("cannot write a temporary file: {error}")))
    }

    /// The arguments and files of a case. `made` is the generated `.yaml`; without it, the one on disk is used.
    fn standing(&mut self, recipe: &Recipe, made: Option<&[u8]>) -> Result<CaseContext, Fault> {
        let (group, base) = recipe.name.rsplit_once('/').unwrap_or(("", &recipe.name));
        let group_template =
            self.groups.entry(group.to_owned()).or_insert_with(|| GroupTemplate::new(self.problem, &self.root, group));
        let at = |ending: &str| self.root.join(format!("{}.{ending}", recipe.name));
        let config = match made {
            Some(bytes) => {
                let text = String::from_utf8(bytes.to_vec());
                let text = text.map_err(|_| Fault::case("its .yaml is not UTF-8 text"))?;
                Some(Document::parse(&at("yaml"), text, Syntax::Yaml))
            }
            None => Some(at("yaml")).filter(|path| is_there(path)).map(|path| Document::load(&path)),
        };
        let (case, found) = group_template.case(base, config, &at("files"));
        let wrong: Vec<String> =
            found.iter().filter(|found| found.is_error()).map(|found| found.message.clone()).collect();
        if !wrong.is_empty() {
            return Err(Fault::case(wrong.join("\n")));
        }
        let group = group_template.group();
        let setting = group.setting_of(&case);
        Ok(CaseContext { arguments: setting.arguments.clone(), files: setting.work.files })
    }

    fn validate(&mut self, bench: &mut Bench<'_>, standing: &CaseContext) -> Result<(), Fault> {
        for validator in &self.validators {
            match validator.check(bench, Some(&standing.arguments), &standing.files, self.scratch.path())? {
                Response::Accepts => {}
                Response::Rejects(words) => {
                    return Err(Fault::with(words, "fix the generator or the validator; grader writes nothing"));
                }
            }
        }
        Ok(())
    }

    /// Computes the answer if the case needs one and has none yet.
    fn answer(
        &mut self,
        bench: &mut Bench<'_>,
        recipe: &Recipe,
        standing: &CaseContext,
        files: &mut Files,
    ) -> Result<(), Fault> {
        // In plain folders, `.out` is an answer.
        let is_answered = files.contains_key("ans") || recipe.root().is_empty() && files.contains_key("out");
        if is_answered || !wants_answer(recipe) {
            return Ok(());
        }
        if self.is_led() {
            // The output validator does not need it, but a case must have an answer file.
            files.insert("ans".to_owned(), Vec::new());
            return Ok(());
        }
        if recipe.solution == Solution::Nothing {
            return Err(Fault::with("no answer", "write `ans`, or name a `solution`"));
        }
        let solution = self.solution(bench, recipe)?;
        let input = self.scratch.reopen().map_err(|error| Fault::Broken(error.to_string()))?;
        let printed = execute(bench, &solution, standing.solution(), &standing.files, &input)?;
        if let Some((verdict, reason)) = &printed.rejection {
            let message = format!("the solution fails on it: {verdict}, {reason}{}", said(&printed.stderr));
            return Err(Fault::case(message));
        }
        files.insert("ans".to_owned(), read_output(printed.output)?);
        Ok(())
    }

    /// Runs a generator, with other seeds if it fails. Then runs it again, because the result must be reproducible.
    fn generate(&mut self, bench: &mut Bench<'_>, command: &Command, retries: u32) -> Result<Files, Fault> {
        let generator = self.generator(bench, &command.program)?;
        let tries = if command.is_random() { retries } else { 1 };
        let mut seed = command.seed;
        for more in (0..tries).rev() {
            match generate(bench, &generator, &command.arguments(seed)) {
                Ok(files) => {
                    if generate(bench, &generator, &command.arguments(seed))? == files {
                        return Ok(files);
                    }
                    let remedy = "derive its random numbers only from {seed} in its arguments";
                    return Err(Fault::with("the generator prints a different input each time", remedy));
                }
                Err(Fault::Case { .. }) if more > 0 => seed = (seed + 1) & 0x7fff_ffff,
                Err(fault) => return Err(fault),
            }
        }
        Err(Fault::case("the generator was not run"))
    }

    fn generator(&mut self, bench: &mut Bench<'_>, name: &str) -> Result<Arc<Artifact>, Fault> {
        if let Some(built) = self.programs.get(name) {
            return Ok(built.clone()?);
        }
        let built = build_generator(bench, self.generators, name);
        self.programs.insert(name.to_owned(), built.clone());
        Ok(built?)
    }

    /// The program in `solution:`, otherwise the reference.
    fn solution(&mut self, bench: &mut Bench<'_>, recipe: &Recipe) -> Result<Arc<Artifact>, Fault> {
        let submissions = &self.problem.submissions;
        let (name, submission) = if let Solution::Program(path) = &recipe.solution {
            let program = self.generators.solution(path).map_err(|error| Fault::case(crate::error_chain(&error)))?;
            let known = submissions.iter().find(|own| own.program.path() == program.path()).cloned();
            let (language, entry_point) = known.map(|own| (own.language, own.entry_point)).unwrap_or_default();
            let id = path.to_string_lossy().into_owned().into();
            let expectation = Expectation::open("generators.yaml");
            (path.clone(), Submission { id, program, language, entry_point, expectation })
        } else {
            let Some(reference) = self.problem.reference() else {
                let remedy = format!("name a `solution` in generators.yaml, or {}", remedy(self.problem));
                return Err(Fault::with("nothing computes its answer", &remedy));
            };
            (PathBuf::new(), reference.clone())
        };
        if let Some(built) = self.solutions.get(&name) {
            return Ok(built.clone()?);
        }
        let memory = bench.resources.validation_limits().kill.memory;
        let built = build(bench, "the solution", &BuildOrder::submission(self.problem, &submission, memory));
        self.solutions.insert(name, built.clone());
        Ok(built?)
    }

    /// The files of a `copy`, or of a listed case without a recipe, by extension. Links must not lead out of
    /// `generators/` or the data.
    fn copies(&self, recipe: &Recipe) -> Result<Vec<(&'static str, PathBuf)>, Fault> {
        if let Some(name) = &recipe.mentioned {
            let remedy = "write `generate`, `copy` or `in`, or remove it from the list";
            let missing = || Fault::with(format!("nothing says how to make it, and there is no {name}.in"), remedy);
            let found =
                if self.root.is_dir() { found_in(&self.root, Path::new(name), "the data")? } else { Vec::new() };
            return if found.iter().any(|(ending, _)| *ending == "in") { Ok(found) } else { Err(missing()) };
        }
        let Some(stem) = &recipe.copy else { return Ok(Vec::new()) };
        let found = found_in(&self.problem.dir.join("generators"), stem, "generators/")?;
        if found.is_empty() {
            let message = format!("`copy`: there is no generators/{}.in", stem.display());
            return Err(Fault::case(message));
        }
        Ok(found)
    }
}

/// The files of a case in a directory, by extension.
fn found_in(dir: &Path, stem: &Path, what: &str) -> Result<Vec<(&'static str, PathBuf)>, Fault> {
    let inside = dir.canonicalize().map_err(|error| unreadable(dir, &error))?;
    let mut found = Vec::new();
    for ending in ENDINGS {
        let path = dir.join(format!("{}.{ending}", stem.display()));
        if !is_there(&path) {
            continue;
        }
        let target = path.canonicalize().map_err(|error| unreadable(&path, &error))?;
        if !target.starts_with(&inside) || !target.is_file() {
            return Err(Fault::case(format!("{} is not a file in {what}", path.display())));
        }
        found.push((ending, target));
    }
    Ok(found)
}

/// Whether cases of this group have an answer.
fn wants_answer(recipe: &Recipe) -> bool {
    !["invalid_input", "invalid_answer", "invalid_output", "valid_output"].contains(&recipe.root())
}

/// Builds the generator with this name.
pub(crate) fn build_generator(bench: &mut Bench<'_>, generators: &Generators, name: &str) -> BuildOutcome {
    let found = generators.program(name).map_err(|error| program::Fault::package(crate::error_chain(&error)))?;
    let memory = bench.resources.validation_limits().kill.memory;
    let entry_point = found.entry_point.as_deref();
    let problem = Some(generators.dir());
    let order = BuildOrder { entry_point, problem, ..BuildOrder::new(&found.program, memory) };
    build(bench, &format!("generator {name}"), &order)
}

/// Runs a generator. The result is the files `testcase.<ending>` that it creates; its output is the input if it creates
/// none.
pub(crate) fn generate(bench: &mut Bench<'_>, generator: &Artifact, arguments: &[String]) -> Result<Files, Fault> {
    let printed = run_generator(bench, generator, arguments)?;
    let cap = bench.resources.validation_limits().kill.output.0;
    let mut files = Files::new();
    for ending in ENDINGS {
        let name = format!("testcase.{ending}");
        let read = printed.workdir.read(Path::new(&name), cap + 1);
        let read = read.map_err(|error| Fault::case(format!("{name} of the generator cannot be read: {error}")))?;
        let Some(bytes) = read else { continue };
        if bytes.len() as u64 > cap {
            return Err(Fault::case(format!("the generator wrote more than {cap} bytes to {name}")));
        }
        files.insert(ending.to_owned(), bytes);
    }
    let output = read_output(printed.output)?;
    if !files.contains_key("in") {
        if output.is_empty() {
            let remedy = "print the input, or write it to testcase.in";
            return Err(Fault::with(format!("the generator prints nothing{}", said(&printed.stderr)), remedy));
        }
        files.insert("in".to_owned(), output);
    } else if !output.is_empty() {
        let remedy = "print the input or write testcase.in, not both";
        return Err(Fault::with("the generator writes testcase.in and also prints something", remedy));
    }
    Ok(files)
}

fn unreadable(path: &Path, error: &std::io::Error) -> Fault {
    Fault::case(format!("{}: {error}", path.display()))
}

fn read_copy(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MOST_COPIED + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_COPIED { Err(std::io::ErrorKind::FileTooLarge.into()) } else { Ok(bytes) }
}

/// Checks that the files match the patterns of `match`.
fn matches(recipe: &Recipe, files: &Files) -> Result<(), Fault> {
    for (ending, pattern) in &recipe.matches {
        let text = files.get(ending).map(|bytes| String::from_utf8_lossy(bytes)).unwrap_or_default();
        if !pattern.is_match(&text) {
            return Err(Fault::with(
                format!(".{ending} does not match `{pattern}`"),
                "fix the generator or the pattern; grader writes nothing",
            ));
        }
    }
    Ok(())
}
