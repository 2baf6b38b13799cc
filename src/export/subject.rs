//! The exported problem, with the limits and comparisons that grader applies to it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::description::Description;
use super::{ExportError, listing};
use crate::config::Settings;
use crate::limits::{Bytes, Limits};
use crate::problem::{Checker, HeldIn, PackageLayout, Problem, Program, ScoreTree, Scoring, Setting, TestGroup};
use crate::protocol::TESTLIB;

/// Texts in the sources of judging programs that give points: files of the package format, and words of testlib.
const WAYS_TO_GIVE_POINTS: [&[u8]; 6] =
    [b"score.txt", b"score_multiplier", b"quitp", b"quitf(_points", b"_pc(", b"_partially"];

/// A problem whose every test has its files.
pub(crate) struct Subject<'a> {
    /// The problem.
    pub(crate) problem: &'a Problem,
    /// The descriptive information of its package.
    pub(super) description: Description,
    /// The directory with its test data, as the author sees it.
    pub(super) data: PathBuf,
    /// Its name in the export: lower-case letters and digits.
    pub(crate) name: String,
    /// Whether the generators are exported too.
    pub(super) with_generators: bool,
    /// The generators outside of `generators/`, by the names that the package gives them.
    pub(crate) generators: BTreeMap<String, Program>,
    /// The page of its main statement, for targets that show HTML.
    pub(crate) page: Option<StatementPage>,
    /// The titles that its statements have themselves, by language.
    pub(crate) titles: BTreeMap<String, String>,
    /// The points that submissions got in a run, by their ids, for targets that label by points.
    pub(crate) earned: BTreeMap<String, f64>,
    /// The comparison that `problem.yaml` states in the words of grader.
    pub(super) stated_checker: Option<Checker>,
    /// The protocol of all validators that it states in the words of grader.
    pub(super) stated_protocol: Option<crate::problem::Protocol>,
    /// A copy of grader's own `testlib.h`, for judges; none if grader itself reads the export.
    pub(crate) own_header: Option<PathBuf>,
    settings: Settings,
}

/// A statement in Markdown or TeX as a page, which the command line makes.
#[derive(Debug, Clone)]
pub(crate) struct StatementPage {
    /// Its file.
    pub(crate) from: PathBuf,
    /// The page.
    pub(crate) content: PageContent,
}

/// The content of a page, or the errors that prevent it.
#[derive(Debug, Clone)]
pub(crate) enum PageContent {
    /// HTML with everything in it that it shows.
    Html(String),
    /// The errors of the statement, in one line.
    Unreadable(String),
}

impl<'a> Subject<'a> {
    /// Prepares a problem for its export. `data`: the directory with its test data.
    ///
    /// # Errors
    /// It has no tests, or no name that other judges accept.
    pub(crate) fn new(
        settings: &Settings,
        problem: &'a Problem,
        data: &Path,
        with_generators: bool,
    ) -> Result<Self, ExportError> {
        if problem.test_count() == 0 {
            return Err(ExportError::NoTests);
        }
        Ok(Self {
            name: short_name(&problem.whole_name())?,
            description: Description::of(problem),
            data: data.to_owned(),
            problem,
            with_generators,
            generators: BTreeMap::new(),
            page: None,
            titles: BTreeMap::new(),
            earned: BTreeMap::new(),
            stated_checker: None,
            stated_protocol: None,
            own_header: None,
            settings: settings.clone(),
        })
    }

    /// The same for a problem that differs a little.
    pub(super) fn of<'b>(&self, problem: &'b Problem) -> Subject<'b> {
        Subject {
            problem,
            description: Description::of(problem),
            data: self.data.clone(),
            name: self.name.clone(),
            with_generators: self.with_generators,
            generators: self.generators.clone(),
            page: self.page.clone(),
            titles: self.titles.clone(),
            earned: self.earned.clone(),
            stated_checker: self.stated_checker,
            stated_protocol: self.stated_protocol,
            own_header: self.own_header.clone(),
            settings: self.settings.clone(),
        }
    }

    /// The limits of submissions on tests whose group states none.
    fn limits(&self) -> (Duration, Limits) {
        limits_of(&self.settings, self.problem)
    }

    /// The time limit.
    pub(super) fn time_limit(&self) -> Duration {
        self.limits().0
    }

    /// The memory limit in MiB, rounded up.
    pub(super) fn memory(&self) -> u64 {
        mebibytes(self.limits().1.memory)
    }

    /// The memory limit in MiB if the problem states one, or if it has the limit of grader.
    pub(super) fn stated_memory(&self) -> Option<u64> {
        has_memory_limit(self.problem).then(|| self.memory())
    }

    /// The output limit in MiB, as for memory.
    pub(super) fn stated_output(&self) -> Option<u64> {
        let is_known = self.problem.limits.output.is_some() || self.problem.judged_as.is_none();
        is_known.then(|| mebibytes(self.limits().1.output))
    }

    /// The output limit.
    pub(super) fn output(&self) -> Bytes {
        self.limits().1.output
    }

    /// The built-in comparison on a case or in a group.
    pub(super) fn checker(&self, setting: &Setting<'_>) -> Checker {
        self.settings.checker_for(self.problem, setting.checker)
    }

    /// The protocol of a judging program.
    pub(super) fn protocol(&self, program: &crate::problem::JudgingProgram) -> crate::problem::Protocol {
        self.settings.protocol_for(program.protocol)
    }

    /// The header `testlib.h` for programs that do not bring it; none if this machine lacks it.
    pub(super) fn testlib_header(&self) -> Option<PathBuf> {
        let stated = self.settings.testlib_header();
        crate::compile::testlib::in_problem(&self.problem.dir)
            // A wrong setting is an error of every run, so here it only means that there is no header.
            .or_else(|| crate::compile::testlib::of_all_problems(stated.as_deref()).ok().flatten())
    }

    /// The groups with points by the rules of 2025-09; none if there are no points, or if graders give them.
    pub(super) fn score_tree(&self) -> Option<&'a ScoreTree> {
        match &self.problem.scoring {
            Some(Scoring::Points(tree)) => Some(&**tree),
            Some(Scoring::Graded(_)) | None => None,
        }
    }

    /// Whether a program that judges outputs can give points: its sources name one of the ways to do so.
    pub(super) fn validator_gives_points(&self) -> bool {
        self.validator_names(&WAYS_TO_GIVE_POINTS)
    }

    /// Whether a program that judges outputs can set the points themselves, which only groups without bounds permit.
    pub(super) fn validator_sets_points(&self) -> bool {
        self.validator_names(&WAYS_TO_GIVE_POINTS[..1])
    }

    /// Whether a source of the programs that judge outputs contains one of these words. A file that cannot be read
    /// contains none: copying it reports the error.
    fn validator_names(&self, words: &[&[u8]]) -> bool {
        let programs = self.problem.output_validators.iter().chain(&self.problem.interactor);
        let files = programs.flat_map(|judge| judge.program.files()).filter(|file| !file.ends_with(TESTLIB));
        let says = |text: &[u8]| words.iter().any(|word| text.windows(word.len()).any(|part| part == *word));
        files.into_iter().any(|file| listing::read(&file).is_ok_and(|text| says(&text)))
    }

    /// Whether a built-in comparison judges.
    pub(super) fn compares(&self) -> bool {
        self.problem.output_validators.is_empty() && self.problem.interactor.is_none()
    }
}

/// The time limit and the other limits of submissions on tests whose group states none, on the machine of the judge.
pub(crate) fn limits_of(settings: &Settings, problem: &Problem) -> (Duration, Limits) {
    let nowhere = TestGroup::empty("", PathBuf::new());
    // Times that the author states are meant for the judge's machine, not for this one.
    let mut settings = settings.clone();
    settings.time_factor = 1.0;
    let limits = settings.limits_for(problem, only_group(problem).unwrap_or(&nowhere), "");
    (limits.time, limits.kill)
}

/// The only group of a plain folder, if a document holds it. Its name is that of a program, and other judges know no such group:
/// its cases are the secret ones, and its limits are those of the problem.
pub(super) fn only_group(problem: &Problem) -> Option<&TestGroup> {
    let [group] = &problem.groups[..] else { return None };
    let is_held = matches!(group.document, Some(HeldIn::Cases(_))) && problem.layout == PackageLayout::Plain;
    (is_held && !group.holds_samples()).then_some(group)
}

/// Whether the memory limit of a problem is known: it states one, or it has that of grader.
pub(crate) fn has_memory_limit(problem: &Problem) -> bool {
    problem.limits.memory.is_some() || problem.judged_as.is_none()
}

/// A size in MiB, rounded up.
pub(super) fn mebibytes(size: Bytes) -> u64 {
    size.0.div_ceil(1 << 20)
}

/// The name with which judges know a problem: lower-case letters and digits.
fn short_name(slug: &str) -> Result<String, ExportError> {
    let name: String = slug.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    if name.is_empty() { Err(ExportError::NoName(slug.to_owned())) } else { Ok(name) }
}
