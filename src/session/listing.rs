//! Lists problems with their limits, groups, cases and submissions.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::Result;
use serde::Serialize;

use super::archives::UnpackedArchives;
use super::select::{Choice, ChosenPlan, Programs, choose};
use crate::compile::language_of;
use crate::diagnostic::Diagnostic;
use crate::language::Language;
use crate::plan::PlannedProblem;
use crate::problem::{
    Checker, Helper, HelperRole, Label, PackageLayout, Pairing, Problem, ProblemKind, Program, Scoring,
    StandardChecker, Submission, TestGroup,
};
use crate::workspace::Workspace;
use crate::workspace::ending::EarlyEnd;

/// The selected problems.
pub(crate) struct Listing {
    pub(crate) problems: Vec<ProblemEntry>,
    /// Diagnostics about the settings and the problems.
    pub(crate) found: Vec<Diagnostic>,
}

/// A problem in the list.
#[derive(Serialize)]
pub(crate) struct ProblemEntry {
    pub(crate) problem: String,
    pub(crate) title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) label: Option<Label>,
    pub(crate) dir: PathBuf,
    pub(crate) layout: PackageLayout,
    #[serde(rename = "type")]
    pub(crate) kind: ProblemKind,
    pub(crate) limits: LimitsEntry,
    /// How it got its tests, if its directory holds several problems.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) pairing: Option<Pairing>,
    pub(crate) groups: Vec<GroupEntry>,
    pub(crate) submissions: Vec<SubmissionEntry>,
    /// Programs that are not submissions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) helpers: Vec<HelperEntry>,
    /// The standard checker of testlib that judges it, if one does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) checker: Option<StandardChecker>,
    /// Statements and attachments that the package names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) documents: Vec<PathBuf>,
    /// The names of its lists of tests, the judged one first, if the layout has several lists.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) testsets: Vec<String>,
}

/// A generator or a brute force in a plain folder.
#[derive(Serialize)]
pub(crate) struct HelperEntry {
    pub(crate) program: String,
    pub(crate) role: HelperRole,
    pub(crate) path: Option<PathBuf>,
}

#[derive(Serialize, PartialEq, Clone)]
pub(crate) struct LimitsEntry {
    /// In seconds; none if the limit is derived from the submissions.
    pub(crate) time_limit: Option<f64>,
    pub(crate) memory: u64,
    pub(crate) output: u64,
}

#[derive(Serialize)]
pub(crate) struct GroupEntry {
    pub(crate) group: String,
    pub(crate) limits: LimitsEntry,
    /// None if the group gives no points itself: in pass-fail problems, in `sample`, and beside groups that give them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) points: Option<PointsEntry>,
    pub(crate) cases: Vec<CaseEntry>,
}

/// The points of a group.
#[derive(Serialize, Clone, Copy)]
pub(crate) struct PointsEntry {
    /// The most points; none if they are unbounded.
    pub(crate) max_score: Option<f64>,
}

#[derive(Serialize)]
pub(crate) struct CaseEntry {
    pub(crate) case: String,
    /// None for the static validation of a group.
    pub(crate) input: Option<PathBuf>,
    pub(crate) answer: Option<PathBuf>,
    /// The document of which grader makes the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) answer_in: Option<PathBuf>,
}

#[derive(Serialize)]
pub(crate) struct SubmissionEntry {
    pub(crate) submission: String,
    pub(crate) path: Option<PathBuf>,
    /// None if the language cannot be determined; `problem` has the reason.
    pub(crate) language: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) problem: Option<String>,
    pub(crate) expected: String,
    pub(crate) reference: bool,
    /// In seconds, with the factor of its language; none if the limit is derived from the submissions.
    pub(crate) time_limit: Option<f64>,
}

impl GroupEntry {
    /// The number of cases with an input.
    pub(crate) fn cases_with_input(&self) -> usize {
        self.cases.iter().filter(|case| case.input.is_some()).count()
    }
}

impl Listing {
    /// Reads the selected problems, with the selected submissions and tests. Empty lists select everything.
    pub(crate) fn of(
        workspace: &Workspace,
        selection: &[String],
        submissions: &[String],
        tests: &[String],
    ) -> Result<Self> {
        // The temporary directories must last until everything is read.
        let unpacked = UnpackedArchives::new(&workspace.start, selection)?;
        let choice = Choice { submissions, tests, ..Choice::problems(workspace, &unpacked.words, Programs::List) };
        let ChosenPlan { plan, found } = choose(workspace, &choice)?;
        let found = [workspace.settings.warnings.clone(), unpacked.archives.told(found)].concat();
        let problems = plan.problems.iter().map(|planned| ProblemEntry {
            submissions: plan.submissions[planned.submissions.clone()]
                .iter()
                .map(|submission| {
                    let entry =
                        submission_entry(workspace, &planned.problem, &submission.submission, submission.reference);
                    SubmissionEntry { path: entry.path.map(|path| unpacked.archives.shown(&path)), ..entry }
                })
                .collect(),
            ..problem_entry(workspace, planned, &unpacked)
        });
        Ok(Self { problems: problems.collect(), found })
    }
}

/// The languages of the selected problems: those of their submissions, and of the programs that judge. In packages also
/// those that judges of packages use instead.
///
/// # Errors
/// No problem is selected that can be read; the listener knows why.
pub(crate) fn languages<'w>(workspace: &'w Workspace, selection: &[String]) -> Result<Vec<&'w Language>> {
    let all = &workspace.languages;
    let choice = Choice::problems(workspace, selection, Programs::List);
    let ChosenPlan { plan, found } = choose(workspace, &choice)?;
    workspace.tell_found(&found);
    if plan.problems.is_empty() {
        return Err(EarlyEnd::Refused.into());
    }
    let of = |program: &Program, code: Option<&str>, entry: Option<&str>| language_of(all, program, code, entry).ok();
    let mut languages = BTreeMap::new();
    for planned in &plan.problems {
        // A program in no known language is reported when it is built.
        let judges = planned.judges().filter_map(|program| of(program, None, None));
        let submissions = plan.submissions[planned.submissions.clone()].iter().filter_map(|planned| {
            let Submission { program, language, entry_point, .. } = &planned.submission;
            of(program, language.as_deref(), entry_point.as_deref())
        });
        for row in judges.chain(submissions) {
            let instead = all.in_packages(row).filter(|_| planned.problem.layout == PackageLayout::Icpc);
            languages.extend([Some(row), instead].into_iter().flatten().map(|row| (&row.id, row)));
        }
    }
    Ok(languages.into_values().collect())
}

fn problem_entry(workspace: &Workspace, planned: &PlannedProblem, unpacked: &UnpackedArchives) -> ProblemEntry {
    let problem = &planned.problem;
    let shown = |path: PathBuf| unpacked.archives.shown(&path);
    let mut groups: Vec<GroupEntry> = Vec::new();
    for ordinal in planned.each_test() {
        let Some(test) = planned.test(ordinal) else { continue };
        let group = test.group();
        let case = test.case();
        let answer = case.and_then(|(group, case)| group.answer_of(case));
        let entry = CaseEntry {
            case: test.name().to_owned(),
            input: case.map(|(group, case)| shown(group.input_of(case))),
            answer_in: answer.as_ref().and(group.document_of_answers()).map(|document| shown(document.to_owned())),
            answer: answer.map(shown),
        };
        match groups.last_mut() {
            Some(last) if last.group == *group.name => last.cases.push(entry),
            _ => {
                let limits = limits_entry(workspace, problem, group);
                let points = points_of(problem, &group.name);
                groups.push(GroupEntry { group: group.name.to_string(), limits, points, cases: vec![entry] });
            }
        }
    }
    let limits = groups.first().map(|group| group.limits.clone());
    let general = &workspace.settings;
    ProblemEntry {
        problem: problem.id.to_string(),
        title: problem.title.clone(),
        label: problem.label.clone(),
        dir: unpacked.archives.shown(&problem.dir),
        layout: problem.layout,
        documents: problem.documents.iter().map(|document| unpacked.archives.shown(document)).collect(),
        testsets: problem.testsets.clone(),
        kind: problem.kind,
        limits: limits.unwrap_or(LimitsEntry {
            time_limit: Some(general.time_limit.as_secs_f64()),
            memory: general.memory.0,
            output: general.output.0,
        }),
        pairing: problem.part.as_ref().map(|part| part.pairing),
        groups,
        checker: standard_checker(workspace, problem),
        submissions: Vec::new(),
        helpers: problem.helpers.iter().map(|helper| helper_entry(helper, &shown)).collect(),
    }
}

/// The standard checker that judges outputs, unless a program does.
fn standard_checker(workspace: &Workspace, problem: &Problem) -> Option<StandardChecker> {
    let judges = problem.output_judges().next().is_none();
    match workspace.settings.checker_for(problem, None) {
        Checker::Standard(checker) if judges => Some(checker),
        _ => None,
    }
}

fn helper_entry(Helper { role, program }: &Helper, shown: &dyn Fn(PathBuf) -> PathBuf) -> HelperEntry {
    HelperEntry { program: program.id.to_string(), role: *role, path: program.source().map(shown) }
}

/// The points of the group with this name. A directory inside a group has none of its own.
fn points_of(problem: &Problem, name: &str) -> Option<PointsEntry> {
    let max_score = match problem.scoring.as_ref()? {
        Scoring::Points(tree) => {
            let own = tree.groups.iter().find(|group| *group.name == *name && *name != *"sample")?;
            own.max_score
        }
        Scoring::Graded(grading) => {
            grading.points?;
            let (_, most) = grading.groups.iter().find(|group| *group.name == *name)?.range;
            // Without a stated range the points follow from the cases.
            Some(most).filter(|most| most.is_finite())?.into()
        }
    };
    Some(PointsEntry { max_score })
}

/// The limits of a group, without any language's factor.
fn limits_entry(workspace: &Workspace, problem: &Problem, group: &TestGroup) -> LimitsEntry {
    let limits = workspace.settings.limits_for(problem, group, "");
    let known = workspace.settings.knows_time_limit(problem, group);
    LimitsEntry {
        time_limit: known.then_some(limits.time.as_secs_f64()),
        memory: limits.kill.memory.0,
        output: limits.kill.output.0,
    }
}

fn submission_entry(
    workspace: &Workspace,
    problem: &Problem,
    submission: &Submission,
    reference: bool,
) -> SubmissionEntry {
    let detected = match &submission.program {
        Program::Command(_) => Ok("command".to_owned()),
        Program::Scripts { .. } => Ok("scripts".to_owned()),
        Program::Outputs(_) | Program::PackedOutputs { .. } => Ok("outputs".to_owned()),
        program => {
            let Submission { language, entry_point, .. } = submission;
            let found = language_of(&workspace.languages, program, language.as_deref(), entry_point.as_deref());
            found.map(|found| found.id.clone())
        }
    };
    let language = detected.as_deref().unwrap_or_default();
    let first = problem.groups.first();
    let limits = first.map(|group| workspace.settings.limits_for(problem, group, language));
    let known = first.is_none_or(|group| workspace.settings.knows_time_limit(problem, group));
    SubmissionEntry {
        submission: submission.id.to_string(),
        path: submission.source(),
        expected: submission.expectation.summary(),
        reference,
        time_limit: known.then(|| limits.map_or(workspace.settings.time_limit, |limits| limits.time).as_secs_f64()),
        problem: detected.as_ref().err().map(ToString::to_string),
        language: detected.ok(),
    }
}
