//! What judges with formats of their own have in common: one program or comparison that judges, groups with points, and a
//! statement as text.

use std::path::PathBuf;

use super::ExportError;
use super::comparison::{flags, words_of};
use super::draft::Draft;
use super::icpc::unstated_limits;
use super::judge_files::{JudgeFiles, judge_files};
use super::placed::{PlacedCase, plain, unicode};
use super::statements::{folders, problem_file, shown};
use super::subject::Subject;
use crate::problem::{Aggregation, Checker, JudgingProgram, ProblemKind, Program, Protocol, Scoring};

/// A file of a program: its name, and where it is.
pub(super) type ProgramFile = (String, PathBuf);

/// What judges outputs. The first file of a program is the one that is built; there are none if it was lost.
#[derive(Debug)]
pub(super) enum Judge {
    /// A built-in comparison.
    Comparison(Checker),
    /// A program with the protocol of the package format.
    Icpc(Vec<ProgramFile>),
    /// A checker of testlib.
    Testlib(Vec<ProgramFile>),
    /// An interactor of testlib.
    Interactor(Vec<ProgramFile>),
    /// It was reported that the judge cannot run it.
    None,
}

/// Reports what none of these judges has.
pub(super) fn unexpressed(subject: &Subject<'_>, draft: &mut Draft, judge: &str) {
    let problem = subject.problem;
    unstated_limits(problem, draft);
    let none = format!("{judge} has none");
    if problem.kind.is_multi_pass() || problem.kind == ProblemKind::SubmitAnswer {
        draft.lose(problem.kind.name(), &*none);
    }
    if problem.static_validator.is_some() {
        draft.lose("static validation", &*none);
    }
    if problem.second_run.is_some() {
        draft.lose("two runs as on Codeforces", &*none);
    }
    if let Some(Scoring::Graded(_)) = problem.scoring {
        draft.lose("graders", &*none);
    }
    for (group, case) in problem.cases() {
        let setting = group.setting_of(case);
        if !setting.arguments.submission.is_empty() {
            draft.lose("arguments of submissions", &*none);
        }
        if !setting.arguments.output_validator.is_empty() && !subject.compares() {
            draft.lose("arguments of the output validator", &*none);
        }
        if !case.files().is_empty() {
            draft.lose("files beside submissions", &*none);
        }
        if subject.compares() && subject.checker(&setting) != subject.checker(&first(subject).unwrap_or(setting)) {
            draft.lose("different comparisons for some cases", &*none);
        }
    }
    for kind in [crate::problem::VisualizerKind::Input, crate::problem::VisualizerKind::Output] {
        if problem.visualizers.of(kind).is_some() {
            draft.leave_out(format!("{}/", kind.folder()), &*none);
        }
    }
    if problem.dir.join("generators").is_dir() || !subject.generators.is_empty() {
        draft.leave_out("generators/", format!("grader writes none for {judge}"));
    }
    if !problem.validation_cases.is_empty() {
        draft.leave_out("tests of checker and validators", none);
    }
}

/// Reports the programs that judges without jury solutions do not keep.
pub(super) fn without_programs(subject: &Subject<'_>, draft: &mut Draft, judge: &str) {
    let problem = subject.problem;
    if !problem.submissions.is_empty() {
        draft.leave_out("submissions/", format!("{judge} keeps no solutions with a problem"));
    }
    if !problem.input_validators.is_empty() {
        draft.leave_out("input_validators/", format!("{judge} does not check inputs"));
    }
}

fn first<'p>(subject: &Subject<'p>) -> Option<crate::problem::Setting<'p>> {
    subject.problem.cases().next().map(|(group, case)| group.setting_of(case))
}

/// What judges the outputs of the problem. Reports what the judge cannot run.
pub(super) fn judge_of(subject: &Subject<'_>, draft: &mut Draft, judge: &str) -> Result<Judge, ExportError> {
    let problem = subject.problem;
    for other in problem.output_validators.iter().skip(1) {
        draft.lose(problem.name_of(&other.program), format!("a second output validator, and {judge} runs one"));
    }
    let is_testlib = |program: &JudgingProgram| matches!(subject.protocol(program), Protocol::Testlib(_));
    let mut files = |program: &Program| -> Result<Vec<ProgramFile>, ExportError> {
        if matches!(program, Program::Scripts { .. }) {
            draft.lose(problem.name_of(program), format!("{judge} runs no scripts that build programs"));
            return Ok(Vec::new());
        }
        let JudgeFiles { files, main } = judge_files(subject, draft, program);
        let mut named = Vec::new();
        for (name, from) in files {
            named.push((unicode(&name)?.to_owned(), from, name != main));
        }
        named.sort_by_key(|(.., is_other)| *is_other);
        Ok(named.into_iter().map(|(name, from, _)| (name, from)).collect())
    };
    let is_interactive = problem.kind.is_interactive();
    Ok(match (&problem.interactor, problem.output_validators.first()) {
        (None, None) => {
            Judge::Comparison(first(subject).map_or(Checker::default(), |setting| subject.checker(&setting)))
        }
        (Some(interactor), Some(checker)) => {
            let talks = files(&interactor.program)?;
            draft.lose(
                problem.name_of(&checker.program),
                format!("a checker after the interactor, which {judge} does not run"),
            );
            Judge::Interactor(talks)
        }
        (Some(only), None) => Judge::Interactor(files(&only.program)?),
        (None, Some(only)) if is_interactive && is_testlib(only) => Judge::Interactor(files(&only.program)?),
        (None, Some(only)) if is_interactive => {
            let why = format!("{judge} runs interactors of testlib");
            draft.lose(problem.name_of(&only.program), why);
            Judge::None
        }
        (None, Some(only)) if is_testlib(only) => Judge::Testlib(files(&only.program)?),
        (None, Some(only)) => Judge::Icpc(files(&only.program)?),
    })
}

/// A program in Python that compares as the default output validator does, without the lines that call it. Reports a
/// comparison that it cannot make.
pub(super) fn comparison(checker: Checker, draft: &mut Draft) -> Option<String> {
    let Some(flags) = flags(checker) else {
        draft.lose(
            format!("the comparison {}", words_of(checker)),
            "no flags of the default output validator compare so",
        );
        return None;
    };
    Some(include_str!("compare.py").replace("@FLAGS@", &flags.join(" ")))
}

/// A group with points.
#[derive(Debug)]
pub(super) struct PointsGroup {
    /// The folder of its cases.
    pub(super) folder: String,
    /// The most points.
    pub(super) most: f64,
    pub(super) aggregation: Aggregation,
    /// The folders of the groups that must be accepted before.
    pub(super) requires: Vec<String>,
}

impl PointsGroup {
    /// The most points of a case in a group that adds up, which has this many cases: its own, otherwise an equal share.
    pub(super) fn points_of(&self, one: &PlacedCase<'_>, cases: usize) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "nobody has 2^53 cases")]
        let cases = cases.max(1) as f64;
        one.setting().points.unwrap_or(self.most / cases)
    }
}

/// The groups of a problem with points that have cases; none if it has no points. Reports points without a bound.
pub(super) fn group_points(subject: &Subject<'_>, draft: &mut Draft, judge: &str) -> Option<Vec<PointsGroup>> {
    let Some(Scoring::Points(tree)) = &subject.problem.scoring else { return None };
    let folder = |name: &str| name.split('/').map(plain).collect::<Vec<_>>().join("/");
    let mut groups = Vec::new();
    for (at, group) in tree.groups.iter().enumerate().filter(|(at, _)| tree.counts(*at)) {
        if tree.children(at).next().is_some() {
            if group.aggregation != Aggregation::Sum {
                draft.lose(format!("points of {}", group.name), format!("{judge} adds up the points of groups"));
            }
            continue;
        }
        let Some(most) = group.max_score else {
            draft.lose(format!("points of {}", group.name), format!("{judge} needs a bound"));
            continue;
        };
        let (needed, samples): (Vec<usize>, Vec<usize>) = group.require_pass.iter().partition(|at| tree.counts(**at));
        if !samples.is_empty() {
            draft.lose(format!("require_pass of {}", group.name), format!("the samples are no group of {judge}"));
        }
        groups.push(PointsGroup {
            folder: folder(&group.name),
            most,
            aggregation: group.aggregation,
            requires: needed.iter().map(|at| folder(&tree.groups[*at].name)).collect(),
        });
    }
    Some(groups)
}

/// The statement as text: in Markdown, otherwise plain; English if there is one. Reports the others, and the files beside
/// it.
///
/// # Errors
/// It cannot be read.
pub(super) fn statement_text(
    subject: &Subject<'_>,
    draft: &mut Draft,
    judge: &str,
) -> Result<Option<Vec<u8>>, ExportError> {
    let mut found: Vec<(usize, PathBuf)> = Vec::new();
    let (mut others, mut beside) = (Vec::new(), Vec::new());
    for dir in folders(subject.problem) {
        for file in super::placed::files_below(&dir)? {
            let path = dir.join(&file);
            match problem_file(&file) {
                Some((language, ending)) => match ["md", "txt"].iter().position(|known| *known == ending) {
                    Some(rank) => found.push((2 * rank + usize::from(!matches!(language, None | Some("en"))), path)),
                    None => others.push(path),
                },
                None => beside.push(path),
            }
        }
    }
    found.sort();
    let mut found = found.into_iter().map(|(_, path)| path);
    let Some(path) = found.next() else {
        for other in others {
            draft.lose(shown(subject.problem, &other), format!("{judge} shows statements in Markdown"));
        }
        return Ok(None);
    };
    for other in found.chain(others) {
        draft.leave_out(shown(subject.problem, &other), format!("{judge} shows one statement"));
    }
    for figure in beside {
        draft.lose(shown(subject.problem, &figure), format!("{judge} gets the text of the statement alone"));
    }
    let text = std::fs::read(&path).map_err(|error| ExportError::Read { path: path.clone(), error })?;
    let replaced = subject.problem.additions.constants.replace(&text);
    Ok(Some(replaced.map_err(|error| ExportError::TooLarge { path, error })?.into_owned()))
}
