//! Matches submitted output files with test cases.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::event::TestIndex;
use crate::glob::{Part, Takes, Template};
use crate::intake::reader::{Intake, listed, text_of};
use crate::intake::tree::Tree;
use crate::intake::unjudged::Why;
use crate::package::archive::is_archive_name;
use crate::package::outputs::{NamedCase, Names, OutputFile, PairedOutputs, pair};
use crate::plan::PlannedProblem;
use crate::problem::{Problem, ProblemKind, TestId};
use crate::report::text::quote_option;
use crate::suggest;

/// The only part of `--pattern`: the name of a case, with or without its group.
const PARTS: [Part; 1] = [Part { name: "test", takes: Takes::Most, deep: true }];

/// The most unmatched files that are compared with the names of all cases for a suggestion.
const LOOKED_AT: usize = 10;

/// A pattern of the names of output files.
pub(crate) struct Pattern {
    template: Template,
    /// The pattern as typed.
    text: String,
}

impl Pattern {
    /// Reads the value of `--pattern`.
    pub(crate) fn parse(text: Option<&str>) -> Result<Option<Self>> {
        let Some(text) = text else { return Ok(None) };
        match Template::new(text, &PARTS) {
            Err(error) => bail!("`--pattern {text}`: {error}"),
            Ok(template) if !template.has(0) => bail!("`--pattern {text}` does not say where the `{{test}}` is"),
            Ok(template) => Ok(Some(Self { template, text: text.to_owned() })),
        }
    }

    /// The argument that repeats the pattern in a command.
    pub(crate) fn again(&self) -> String {
        format!(" {}", quote_option("--pattern", &self.text))
    }
}

/// The names of a problem's cases. Static validations are left out because they have no output.
pub(crate) struct Cases {
    /// The names of the selected cases.
    pub(crate) selected: Vec<TestId>,
    all: Vec<TestId>,
}

impl Cases {
    pub(crate) fn of(planned: &PlannedProblem) -> Self {
        let is_case = |at: &TestIndex| planned.test(*at).is_some_and(|test| test.case().is_some());
        let groups = &planned.problem.groups;
        Self {
            selected: planned.each_test().filter(is_case).map(|at| planned.names[at].clone()).collect(),
            all: groups.iter().flat_map(|group| group.cases.iter().map(|case| group.id_of(case))).collect(),
        }
    }
}

/// Matches files with the cases of a problem.
pub(crate) struct Pairing<'p> {
    problem: &'p Problem,
    selected: &'p [TestId],
    /// The selected cases, by name.
    names: Names<'p>,
    /// All cases. A file of a case that is not selected is neither used nor unexpected.
    all: Names<'p>,
    pattern: Option<&'p Pattern>,
}

impl<'p> Pairing<'p> {
    pub(crate) fn new(problem: &'p Problem, cases: &'p Cases, pattern: Option<&'p Pattern>) -> Self {
        let Cases { selected, all } = cases;
        Self { problem, selected, names: Names::new(selected), all: Names::new(all), pattern }
    }

    /// Matches files that the user named one by one: a single file with the only selected case, or each by its name.
    pub(crate) fn singles(
        &self,
        intake: &mut Intake<'_>,
        files: &[(PathBuf, PathBuf)],
    ) -> Result<BTreeMap<TestId, PathBuf>, Why> {
        if let ([(path, shown)], [test]) = (files, self.selected) {
            self.warn_of_program(intake, path, shown);
            return Ok(BTreeMap::from([(test.clone(), path.clone())]));
        }
        let named = |(path, shown): &(PathBuf, PathBuf)| OutputFile {
            name: shown.clone(),
            path: path.clone(),
            shown: shown.clone(),
        };
        let (files, strange) = self.pair(intake, files.iter().map(named).collect(), None)?;
        for path in &strange {
            let (message, remedy) = self.no_case(intake, path);
            intake.error(path, message, &remedy);
        }
        if files.is_empty() || !strange.is_empty() { Err(Why::NoOutput) } else { Ok(files) }
    }

    /// Matches the files at or below a path of a tree; the empty path is the top. `shown` is that path in messages.
    pub(crate) fn below(
        &self,
        intake: &mut Intake<'_>,
        tree: &Tree,
        below: &Path,
        shown: &Path,
    ) -> Result<BTreeMap<TestId, PathBuf>, Why> {
        if let Some(why) = tree.refusal(below) {
            return Err(why);
        }
        let files = tree.items.iter().filter(|item| !item.is_dir && item.below.starts_with(below));
        let named = |item: &crate::intake::tree::TreeItem| {
            let name = item.below.strip_prefix(below).unwrap_or(&item.below);
            let itself = name.as_os_str().is_empty();
            let file_name = item.below.file_name().map(PathBuf::from).unwrap_or_default();
            OutputFile {
                name: if itself { file_name } else { name.to_owned() },
                path: item.path.clone(),
                shown: if itself { shown.to_owned() } else { shown.join(name) },
            }
        };
        let files: Vec<OutputFile> = files.map(named).collect();
        // A missing output is WA in such problems. An archive that could not be opened may contain it, so nothing is
        // judged.
        if self.missing_is_wrong() {
            let is_closed = files.iter().any(|file| is_archive_name(&file.path));
            if let Some(why) = tree.refusal_within(below).or(is_closed.then_some(Why::Refused)) {
                return Err(why);
            }
        }
        let program = files.iter().find(|file| intake.is_source(&file.path)).cloned();
        let is_single = files.iter().any(|file| file.shown == shown);
        let (files, strange) = self.pair(intake, files, self.all.only())?;
        if let (Some(program), [(_, path)]) = (&program, &files.iter().collect::<Vec<_>>()[..])
            && program.path == **path
        {
            self.warn_of_program(intake, path, &program.shown);
        }
        if !files.is_empty() {
            self.warn_of_strange(intake, shown, &strange);
            return Ok(files);
        }
        let (mut message, mut remedy) = match (&strange[..], is_single) {
            ([], false) => {
                ("contains no file".to_owned(), format!("name each output after its case: {}", self.example()))
            }
            ([only], true) => self.no_case(intake, only),
            _ => {
                let message = format!("no file in it has the name of a case of {}", self.problem.id);
                let near = strange.iter().take(LOOKED_AT).find_map(|path| self.near(path));
                (
                    message,
                    near.unwrap_or_else(|| format!("name it {}, or describe the names with --pattern", self.example())),
                )
            }
        };
        if let Some(program) = program.filter(|_| !is_single && self.missing_is_wrong()) {
            let name = listed(&[program.name]);
            message = format!("{message}; it contains a program (`{name}`), but this problem runs no programs");
            remedy = format!("submit the outputs: {}", self.example());
        }
        intake.error(shown, message, &remedy);
        Err(Why::NoOutput)
    }

    /// Pairs files with cases, and lists the files without a case. Ambiguous files are reported and do not count.
    fn pair(
        &self,
        intake: &mut Intake<'_>,
        mut files: Vec<OutputFile>,
        only: Option<TestId>,
    ) -> Result<(BTreeMap<TestId, PathBuf>, Vec<PathBuf>), Why> {
        let meant = |file: &Path| self.meant(&self.names, file);
        files.retain(|file| {
            meant(&file.name) != NamedCase::None || self.meant(&self.all, &file.name) == NamedCase::None
        });
        let PairedOutputs { files, strange, unclear } = pair(files, only, meant);
        for (path, message, remedy) in &unclear {
            intake.error(path, message.as_str(), remedy);
        }
        if !unclear.is_empty() && self.missing_is_wrong() {
            return Err(Why::Ambiguous);
        }
        Ok((files, strange))
    }

    /// The case that matches the name of a file.
    fn meant(&self, names: &Names<'_>, name: &Path) -> NamedCase {
        let name = name.as_os_str().as_encoded_bytes();
        let Some(pattern) = self.pattern else { return names.of_file(&text_of(name)) };
        match pattern.template.parts(name) {
            Some(parts) => names.of_name(&text_of(parts[0].unwrap_or_default())),
            None => NamedCase::None,
        }
    }

    /// Whether a case without a file is WA, because the file is the submission.
    fn missing_is_wrong(&self) -> bool {
        self.problem.kind == ProblemKind::SubmitAnswer
    }

    fn example(&self) -> String {
        format!("`{}.out`", self.selected.first().map_or("", TestId::as_str))
    }

    /// Suggests a correct name for a file without a case.
    fn near(&self, path: &Path) -> Option<String> {
        let near = self.names.near(&path.to_string_lossy())?;
        let ending = path.extension().and_then(|ending| ending.to_str()).filter(|_| self.pattern.is_none());
        let pattern = ending.map(|ending| format!(", or describe the names: --pattern '{{test}}.{ending}'"));
        Some(format!("did you mean `{near}.out`? Rename it{}", pattern.unwrap_or_default()))
    }

    /// Returns an error and a remedy for a file that matches no case.
    fn no_case(&self, intake: &Intake<'_>, path: &Path) -> (String, String) {
        let id = &self.problem.id;
        let example = self.example();
        let count = self.selected.len();
        if self.missing_is_wrong() && intake.is_source(path) {
            let message = format!("is a program, but {id} is of type submit-answer: students submit outputs");
            return (message, format!("submit a folder or an archive of outputs: {example}"));
        }
        let first = self.selected.first().map_or("TEST", TestId::as_str);
        let otherwise = || format!("name the case: -t {first}; or submit a folder or an archive: {example}");
        let message = format!("has the name of none of the {count} cases of {id}");
        (message, self.near(path).unwrap_or_else(otherwise))
    }

    /// Warns if the output of the only case looks like a program. Its name may be anything, but a program is hardly
    /// intended.
    fn warn_of_program(&self, intake: &mut Intake<'_>, path: &Path, shown: &Path) {
        if self.missing_is_wrong() && intake.is_source(path) {
            let id = &self.problem.id;
            let message =
                format!("looks like a program; grader judges it as an output, because {id} is of type submit-answer");
            intake.warning(shown, message, "submit the program's output: this problem runs no programs");
        }
    }

    fn warn_of_strange(&self, intake: &mut Intake<'_>, shown: &Path, strange: &[PathBuf]) {
        if strange.is_empty() {
            return;
        }
        let known = self.selected.iter().map(TestId::as_str);
        let spelt = |path: &PathBuf| suggest::did_you_mean(&path.file_stem()?.to_string_lossy(), known.clone());
        let near =
            strange.iter().take(LOOKED_AT).find_map(|path| self.near(path)).or_else(|| strange.first().and_then(spelt));
        let remedy = near.unwrap_or_else(|| "rename or remove them: grader does not judge them".to_owned());
        intake.warning(shown, format!("unexpected: {}", listed(strange)), &remedy);
    }
}
