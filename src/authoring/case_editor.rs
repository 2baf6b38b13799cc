//! Gives access to the test cases of a problem for the commands that change them, including incomplete cases.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};

use crate::authoring::reference::with_reference;
use crate::discover::select::{SelectionWords, select};
use crate::package::cases::files_of;
use crate::package::group_template::GroupTemplate;
use crate::package::pairing;
use crate::package::programs::program_at;
use crate::package::puzzle;
use crate::package::reader::Reader;
use crate::package::rules::{Answers, Rules};
use crate::package::testdata;
use crate::problem::{AnswerFile, CaseNaming, FilePattern, HeldIn, PackageLayout, Problem, TestCase, TestGroup};
use crate::protocol::guessed;
use crate::session::authored::{data_of, folder_without_cases, one_problem_to_mend};
use crate::session::derived_limits::time_limit_of;
use crate::suggest;
use crate::workspace::Workspace;

/// The most levels of directories in test data: those of a package, which nest deeper than in a native problem.
const LEVELS: usize = 12;

/// A problem whose cases can be changed.
pub(crate) struct CaseEditor {
    /// The problem with every case that has an input, even without an answer.
    pub(crate) problem: Arc<Problem>,
    /// The directory that holds the groups; it may not exist yet.
    pub(crate) data: PathBuf,
}

/// The name and directory of a case.
#[derive(Debug, Clone)]
pub(crate) struct CasePlace {
    /// The group's name; empty for cases directly in the data directory.
    pub(crate) group: String,
    /// The directory of its files.
    pub(crate) dir: PathBuf,
    /// The base name of its files.
    pub(crate) name: String,
    /// The names of its files, if they are not `.in` with `.ans` or `.out`.
    pub(crate) naming: Option<CaseNaming>,
}

/// Which cases a command can change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Changeable {
    /// Cases with any names.
    AnyNames,
    /// Cases whose files end in `.in`, and `.ans` or `.out`.
    PackageNames,
}

/// Errors of a name that selects no single case.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NoSuchCase {
    /// No case has this name.
    #[error("no test is called `{name}`{hint}")]
    NotFound {
        /// The name.
        name: String,
        /// A suggestion of a similar name.
        hint: String,
    },
    /// Several cases have this base name.
    #[error("several tests are called `{name}`: {}; name one", .ids.join(", "))]
    Several {
        /// The name.
        name: String,
        /// The ids of all of them.
        ids: Vec<String>,
    },
}

impl CasePlace {
    fn of(group: &TestGroup, case: &TestCase) -> Self {
        let name = case.name.to_string();
        let naming = group.naming.clone();
        Self { group: group.name.to_string(), dir: group.dir.clone(), name, naming }
    }

    /// The id, such as `secret/03`, or the base name if the group is unnamed.
    pub(crate) fn id(&self) -> String {
        if self.group.is_empty() { self.name.clone() } else { format!("{}/{}", self.group, self.name) }
    }

    /// The input.
    pub(crate) fn input(&self) -> PathBuf {
        self.naming.as_ref().map_or_else(|| self.file("in"), |naming| self.dir.join(naming.input.of_case(&self.name)))
    }

    /// The answer, with this extension if there is a choice.
    pub(crate) fn answer(&self, ending: &str) -> PathBuf {
        self.naming
            .as_ref()
            .map_or_else(|| self.file(ending), |naming| self.dir.join(naming.answer.of_case(&self.name)))
    }

    /// The file of the case with this extension.
    pub(crate) fn file(&self, ending: &str) -> PathBuf {
        self.dir.join(format!("{}.{ending}", self.name))
    }
}

impl CaseEditor {
    /// Finds the problem that a word selects. Reports its errors to the listener, except missing cases and answers.
    pub(crate) fn open(workspace: &Workspace, word: &str, changeable: Changeable) -> Result<Self> {
        let (problem, data) = problem_with_data(workspace, word, changeable)?;
        let document = problem.groups.iter().find_map(|group| match &group.document {
            Some(HeldIn::Cases(document) | HeldIn::UnitTests(document)) => Some(document),
            Some(HeldIn::Answers(_)) | None => None,
        });
        if let Some(document) = document {
            bail!("the test cases of `{}` are in {}\n  → change them there", problem.id, document.display());
        }
        let is_package = problem.layout == PackageLayout::Icpc;
        if !is_package && problem.layout != PackageLayout::Native {
            return Ok(Self { problem, data });
        }
        let is_source = |path: &Path| workspace.languages.is_source(path);
        let mut reader = Reader::new(problem.id.clone(), &problem.dir, &data, &is_source);
        reader.constants = problem.additions.constants.clone();
        reader.foreign = is_package;
        let own_validator = !problem.output_validators.is_empty();
        let flags = problem.validator_flags.clone();
        let rules = Rules { own_validator, flags, legacy: is_package, ..Rules::new(Answers::Optional, LEVELS) };
        let mut groups = testdata::read_groups(&reader, &data, &rules).groups;
        for case in groups.iter_mut().flat_map(|group| &mut group.cases) {
            // A package stores its answers only in `.ans`.
            if case.answer == AnswerFile::Out {
                case.answer = AnswerFile::Missing;
            }
        }
        Ok(Self { problem: Arc::new(Problem { groups, ..Problem::clone(&problem) }), data })
    }

    /// Sets the time limit by which grader judges submissions of the problem.
    pub(crate) fn timed(self, workspace: &Workspace) -> Result<Self> {
        Ok(Self { problem: time_limit_of(workspace, &self.problem)?, ..self })
    }

    /// Uses another submission as the reference, if one is named.
    pub(crate) fn by_reference(self, named: Option<&str>) -> Result<Self> {
        Ok(Self { problem: with_reference(self.problem, named)?, ..self })
    }

    /// Replaces the output validator by another program, if one is given.
    pub(crate) fn judged_by(self, program: Option<PathBuf>) -> Result<Self> {
        let Some(program) = program else { return Ok(self) };
        let output_validator = program_at(&program).with_context(|| format!("cannot read {}", program.display()))?;
        let problem = Problem { output_validators: vec![guessed(output_validator)], ..Problem::clone(&self.problem) };
        Ok(Self { problem: Arc::new(problem), ..self })
    }

    /// Whether the problem is a plain folder with a solver.
    pub(crate) fn is_plain(&self) -> bool {
        self.problem.layout == PackageLayout::Plain
    }

    /// The group of a name, even if it does not exist yet.
    pub(crate) fn group(&self, name: &str) -> TestGroup {
        let known = self.problem.groups.iter().find(|group| &*group.name == name);
        known.cloned().unwrap_or_else(|| self.group_template(name).group())
    }

    /// The group of a name that has cases, or a directory that may hold some.
    pub(crate) fn existing_group(&self, name: &str) -> Option<TestGroup> {
        let inner = || Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
        let is_known = self.problem.groups.iter().any(|group| &*group.name == name);
        let is_there = || !self.is_plain() && !name.is_empty() && inner() && self.data.join(name).is_dir();
        (is_known || is_there()).then(|| self.group(name))
    }

    /// The names of the files of a new case in a group. None for `.in` with `.ans` or `.out`.
    ///
    /// # Errors
    /// The files of the group are called like a single case, as in `input.txt` with `output.txt`.
    pub(crate) fn naming_of_new(&self, group: &TestGroup) -> Result<Option<CaseNaming>> {
        let same = || self.problem.groups.iter().filter(|other| other.name == group.name);
        let Some(known) = same().find_map(|group| group.naming.clone()) else { return Ok(None) };
        let is_for_any = |pattern: &FilePattern| pattern.of_case("a") != pattern.of_case("b");
        // An answer in a document has a name that no other case can have.
        let all = same().filter(|group| group.document.is_none()).filter_map(|group| group.naming.clone());
        let fits = all.into_iter().find(|naming| is_for_any(&naming.input) && is_for_any(&naming.answer));
        match fits {
            Some(naming) => Ok(Some(naming)),
            // `answer.txt` belongs to `input.txt`. Another input has an answer of its own.
            None if is_for_any(&known.input) => {
                let part = self.problem.part.as_ref().and_then(|part| pairing::Stem::new(&part.name).part);
                Ok(Some(CaseNaming { answer: puzzle::new_answer(part), ..known }))
            }
            None => bail!(
                "the only case of {} is called `{}` with `{}`, so there is no name for a second one\n  → rename them: 1.in \
                 with 1.ans",
                self.problem.id,
                known.input,
                known.answer
            ),
        }
    }

    /// The names by which programs read the input of each case of a group, and the directory in which they start.
    pub(crate) fn names_of_input(&self, group: &str) -> (Vec<PathBuf>, PathBuf) {
        let first = self.problem.cases().find(|(of, _)| &*of.name == group);
        let Some((of, own, input)) = first.and_then(|(of, case)| Some((of, case.own.as_ref()?, of.input_of(case))))
        else {
            return Default::default();
        };
        let is_input = |(_, file): &&(PathBuf, PathBuf)| of.dir.join(file) == input;
        let names = own.by_name.iter().filter(is_input).map(|(name, _)| name.clone());
        (names.collect(), own.directory.clone())
    }

    /// The template for new cases of a group.
    pub(crate) fn group_template(&self, name: &str) -> GroupTemplate<'_> {
        GroupTemplate::new(&self.problem, &self.data, name)
    }

    /// The names of all named groups.
    pub(crate) fn group_names(&self) -> Vec<&str> {
        self.problem.groups.iter().map(|group| &*group.name).filter(|name| !name.is_empty()).collect()
    }

    /// The tests that patterns select: ids, base names, groups, prefixes, globs; an empty list selects all.
    pub(crate) fn meant(&self, workspace: &Workspace, tests: &[String]) -> Result<Vec<(TestGroup, CasePlace)>> {
        // Selection needs a submission, but its result does not depend on which one.
        let mut problem = Problem::clone(&self.problem);
        problem.submissions.truncate(1);
        let request =
            SelectionWords { tests: tests.to_vec(), base: workspace.start.clone(), ..SelectionWords::default() };
        if problem.submissions.is_empty() {
            bail!("{} has no submission", problem.id);
        }
        let problems = [Arc::new(problem)];
        match select(&problems, &request) {
            Ok(selected) => Ok(selected
                .iter()
                .flat_map(|selected| selected.cases().collect::<Vec<_>>())
                .map(|(group, case)| (group.clone(), CasePlace::of(group, case)))
                .collect()),
            Err(errors) => bail!("{}", errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\nerror: ")),
        }
    }

    /// The case with exactly this id, or with this base name if it is unique.
    pub(crate) fn exactly(&self, name: &str) -> Result<CasePlace, NoSuchCase> {
        let all: Vec<CasePlace> = self.places().collect();
        let mut by_id = all.iter().filter(|place| place.id() == name);
        let by_base: Vec<&CasePlace> = all.iter().filter(|place| place.name == name).collect();
        if let Some(place) = by_id.next_back() {
            return Ok(place.clone());
        }
        match by_base[..] {
            [one] => Ok(one.clone()),
            [] => {
                let ids: Vec<String> = all.iter().map(CasePlace::id).collect();
                let names = ids.iter().chain(all.iter().map(|place| &place.name)).map(String::as_str);
                Err(NoSuchCase::NotFound { hint: suggest::hint(name, names), name: name.to_owned() })
            }
            _ => {
                let ids: Vec<String> = by_base.iter().map(|place| place.id()).collect();
                Err(NoSuchCase::Several { name: name.to_owned(), ids })
            }
        }
    }

    /// All cases.
    pub(crate) fn places(&self) -> impl Iterator<Item = CasePlace> {
        self.problem.cases().map(|(group, case)| CasePlace::of(group, case))
    }

    /// The cases without an answer, each with its place.
    pub(crate) fn unanswered(&self) -> impl Iterator<Item = CasePlace> {
        let missing = self.problem.cases().filter(|(_, case)| case.answer == AnswerFile::Missing);
        missing.map(|(group, case)| CasePlace::of(group, case))
    }

    /// All files of a case.
    pub(crate) fn files(&self, place: &CasePlace) -> std::io::Result<Vec<PathBuf>> {
        files_of(&place.dir, &place.name, !self.is_plain())
    }
}

/// Finds the problem that a word selects, and the directory of its groups. A folder with a solver and no cases also
/// counts as a problem.
fn problem_with_data(workspace: &Workspace, word: &str, changeable: Changeable) -> Result<(Arc<Problem>, PathBuf)> {
    let problem = match folder_without_cases(workspace, word) {
        Some(problem) => Arc::new(problem),
        None => one_problem_to_mend(workspace, word)?,
    };
    refuse_made(&problem)?;
    let data = match changeable {
        Changeable::AnyNames => data_of(workspace, &problem),
        Changeable::PackageNames => data_to_change(workspace, &problem)?,
    };
    Ok((problem, data))
}

/// Fails for problems whose tests grader does not change: those of Polygon, Library Checker, Hydro, DMOJ and CMS.
fn refuse_made(problem: &Problem) -> Result<()> {
    let (what, remedy) = match problem.layout {
        PackageLayout::Native | PackageLayout::Plain | PackageLayout::Icpc => return Ok(()),
        PackageLayout::LibraryChecker => {
            ("a problem of Library Checker", "write generators in gen/, and name them in info.toml")
        }
        PackageLayout::Hydro => {
            ("a problem of Hydro", "change them in testdata/, or bring the problem in: grader import")
        }
        PackageLayout::Dmoj => ("a problem of DMOJ", "change them in init.yml, or bring the problem in: grader import"),
        PackageLayout::ItalyYaml => {
            ("a task of CMS", "change them in gen/GEN or input/, or bring the task in: grader import")
        }
        PackageLayout::Polygon => ("a package of Polygon", "change them on Polygon, and download the package again"),
    };
    bail!("{} is {what}, and grader does not change its tests\n  → {remedy}", problem.id)
}

/// The directory of a problem's groups. Fails if grader cannot change cases with such names.
pub(crate) fn data_to_change(workspace: &Workspace, problem: &Problem) -> Result<PathBuf> {
    refuse_made(problem)?;
    if let Some(naming) = problem.groups.iter().find_map(|group| group.naming.as_ref()) {
        let CaseNaming { input, answer } = naming;
        bail!(
            "the cases of {} are called `{input}` with `{answer}`, but grader changes only cases called `*.in`\n  \
             → rename the inputs to *.in and the answers to *.ans",
            problem.id
        );
    }
    Ok(data_of(workspace, problem))
}

/// The extension of answers: `out` in a plain folder that mostly uses it, otherwise `ans`.
pub(crate) fn answer_ending(problem: &Problem) -> &'static str {
    let count = |kind| problem.cases().filter(|(_, case)| case.answer == kind).count();
    let has_out = problem.layout == PackageLayout::Plain && count(AnswerFile::Out) > count(AnswerFile::Ans);
    if has_out { "out" } else { "ans" }
}
