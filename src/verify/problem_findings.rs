//! Collects the findings about one problem.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

use crate::diagnostic::{Diagnostic, Kind, Severity};
use crate::package::document::{Document, read};
use crate::package::icpc;
use crate::problem::{PackageLayout, Problem};
use crate::report::text::quote;
use crate::score::kills::{Independence, Subset, Use, independence, subset};
use crate::score::time_limit::Margins;
use crate::session::archives::Archives;
use crate::session::chosen_by;
use crate::strength::Strength;
use crate::strength::bounds::ValidatorBounds;
use crate::verify::{Code, Finding};
use crate::workspace::Workspace;

/// The findings about one problem, or those that belong to no problem.
pub(crate) struct ProblemFindings {
    /// The problem's name; empty for findings that belong to no problem.
    pub(crate) name: String,
    /// The problem; none if it cannot be read.
    pub(crate) problem: Option<Arc<Problem>>,
    /// The directory of its test data; none for a plain folder.
    pub(crate) data: Option<PathBuf>,
    /// The findings that are not allowed.
    pub(crate) findings: Vec<Finding>,
    /// The number of allowed findings.
    pub(crate) allowed: usize,
    /// The results of the robustness tests of validators.
    pub(crate) tries: Vec<Tries>,
    /// The bounds that the cases reach, by each input validator that reports them.
    pub(crate) reached: Vec<ValidatorBounds>,
    /// The files of accepted submissions whose executed lines are known.
    pub(crate) covered: Vec<CoveredFile>,
    /// The submissions that each case kills; none if no submission ran.
    pub(crate) kills: Option<Kills>,
    /// The result of `grader strength`; none if it was not requested.
    pub(crate) strength: Option<Strength>,
    /// The margins of the time limit; none if no submission was measured.
    pub(crate) margins: Option<Margins>,
    /// A warning that other programs disturbed the measured times.
    pub(crate) disturbance: Option<String>,
    /// The derived time limit and how it was derived, if the problem states none.
    pub(crate) limit_from: Option<String>,
    /// Every file and directory that has a finding, also an allowed one.
    pub(crate) with_finding: BTreeSet<PathBuf>,
    allow: Vec<Code>,
    /// Directories that stand for archives.
    archives: Archives,
}

/// A file of an accepted submission.
#[derive(Debug, Serialize)]
pub(crate) struct CoveredFile {
    pub(crate) submission: String,
    pub(crate) file: PathBuf,
    /// The number of its lines that can be executed.
    pub(crate) lines: usize,
    /// The number of those that some case executes.
    pub(crate) executed: usize,
    /// The lines that no case executes, such as `3, 7-9`; empty if all are executed.
    pub(crate) missing: String,
}

/// The results of one kind of robustness test.
pub(crate) struct Tries {
    /// The kind of test.
    pub(crate) kind: TryKind,
    /// The number of variants that were tried.
    pub(crate) tried: usize,
    /// The variants with a surprising result, each with the case from which it was made.
    pub(crate) odd: Vec<(&'static str, String)>,
}

/// The kinds of robustness tests, each with its surprising results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TryKind {
    /// The validation data of the problem. Surprising: the result is not the required one.
    OwnTests,
    /// Corrupted inputs. Surprising: no input validator rejects it.
    Inputs,
    /// Corrupted outputs. Surprising: the output validator accepts it.
    Outputs,
    /// Accepted outputs with changed white space or case. Surprising: the output validator rejects it.
    Layout,
    /// Junk outputs. Surprising: the output validator fails on it.
    Junk,
    /// Misbehaving partners. Surprising: the interactor fails on it.
    Partners,
}

/// The submissions that each case kills.
pub(crate) struct Kills {
    /// The submissions that should fail or have no expectation, and were run.
    pub(crate) submissions: Vec<String>,
    /// The cases in plan order.
    pub(crate) cases: Vec<String>,
    /// The use of each case.
    pub(crate) uses: Vec<Use>,
    /// Whether each case counts; samples do not.
    pub(crate) counts: Vec<bool>,
    /// The time of all submissions together on each case.
    pub(crate) times: Vec<Duration>,
}

impl Kills {
    /// The smallest known subset of the cases that count with the same kills.
    pub(crate) fn subset(&self) -> Subset {
        subset(&self.uses, |case| self.counts[case])
    }

    /// How many different mistakes the submissions make.
    pub(crate) fn independence(&self) -> Independence {
        independence(&self.uses, self.submissions.len(), |case| self.counts[case])
    }

    /// The time of all submissions on the cases that count, and the part of it that a subset of them takes.
    pub(crate) fn times(&self, subset: &Subset) -> (Duration, Duration) {
        let counting = self.times.iter().zip(&self.counts).filter(|(_, counts)| **counts);
        (counting.map(|(time, _)| *time).sum(), subset.cases.iter().map(|case| self.times[*case]).sum())
    }
}

impl ProblemFindings {
    fn new(name: String, allow: &[Code], archives: &Archives) -> Self {
        Self {
            name,
            problem: None,
            data: None,
            findings: Vec::new(),
            allowed: 0,
            tries: Vec::new(),
            reached: Vec::new(),
            covered: Vec::new(),
            kills: None,
            strength: None,
            margins: None,
            limit_from: None,
            disturbance: None,
            with_finding: BTreeSet::new(),
            allow: allow.to_vec(),
            archives: archives.clone(),
        }
    }

    /// Adds a finding, unless it is allowed.
    pub(crate) fn report(&mut self, finding: Finding) {
        self.with_finding.extend(finding.found.path.clone());
        if self.allow.contains(&finding.code) {
            self.allowed += 1;
        } else {
            self.findings.push(Finding { found: self.archives.shown_finding(finding.found), ..finding });
        }
    }

    /// The directory of the problem as shown to users.
    pub(crate) fn dir(&self) -> Option<PathBuf> {
        self.problem.as_ref().map(|problem| self.archives.shown(&problem.dir))
    }

    /// The word that selects the problem in a command; none if the problem is in an archive and the command accepts
    /// none.
    pub(crate) fn word(&self, workspace: &Workspace, takes_archives: bool) -> Option<String> {
        let problem = self.problem.as_ref()?;
        let word =
            chosen_by(workspace, &self.archives, &problem.id, &problem.dir).unwrap_or_else(|| problem.id.to_string());
        (takes_archives || self.archives.typed_for(&problem.dir).is_none()).then(|| quote(&word))
    }

    /// The number of findings of a severity.
    pub(crate) fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.found.severity == severity).count()
    }
}

/// Creates the findings of each problem, even unreadable ones, with the diagnostics from reading it.
pub(crate) fn open(
    workspace: &Workspace,
    archives: &Archives,
    problems: Vec<Arc<Problem>>,
    found: &[Diagnostic],
    allow: &[Code],
) -> Vec<ProblemFindings> {
    let mut all_results: BTreeMap<String, ProblemFindings> = BTreeMap::new();
    for problem in problems {
        let data = match problem.layout {
            PackageLayout::Native => Some(workspace.settings.testcases_dir().join(problem.slug())),
            PackageLayout::Icpc => Some(problem.dir.join(icpc::DATA)),
            // Its tests have no directory of their own that other files must not be in.
            PackageLayout::Plain
            | PackageLayout::Polygon
            | PackageLayout::LibraryChecker
            | PackageLayout::Hydro
            | PackageLayout::Dmoj
            | PackageLayout::ItalyYaml => None,
        };
        let name = problem.id.to_string();
        let (stated, mistakes) = stated(&problem);
        let mut results =
            ProblemFindings { data, problem: Some(problem), ..ProblemFindings::new(name.clone(), allow, archives) };
        results.allow.extend(stated);
        for mistake in &mistakes {
            results.report(finding_of(mistake));
        }
        all_results.insert(name, results);
    }
    for diagnostic in found {
        let name = diagnostic.problem.as_ref().map(ToString::to_string).unwrap_or_default();
        let results =
            all_results.entry(name).or_insert_with_key(|name| ProblemFindings::new(name.clone(), allow, archives));
        results.report(finding_of(diagnostic));
    }
    all_results.into_values().collect()
}

/// The codes that the problem itself allows, and diagnostics about that setting.
fn stated(problem: &Problem) -> (Vec<Code>, Vec<Diagnostic>) {
    let files = ["problem.toml", "problem.yaml"].map(|name| problem.dir.join(name));
    let Some(file) = files.iter().find(|file| file.is_file()) else { return <_>::default() };
    let mut document = Document::load(file);
    let code = |text: &String| text.parse::<Code>().map_err(|error| read::Unfit::rule(error.to_string()));
    let allowed = document.get("verify.allow", |value| read::texts(value)?.iter().map(code).collect());
    (allowed.unwrap_or_default(), document.finish())
}

/// Turns a diagnostic about a problem into a finding.
pub(crate) fn finding_of(found: &Diagnostic) -> Finding {
    let code = match found.severity {
        Severity::Info | Severity::Warning => match found.kind {
            Kind::Other => Code::ProblemUntidy,
            Kind::UnknownKey => Code::KeyIgnored,
            Kind::StrangeName => Code::NameIgnored,
            Kind::Ignored => Code::FileIgnored,
            Kind::NotUsed => Code::NotUsed,
            Kind::NotChecked => Code::NotChecked,
            Kind::NothingExpected => Code::NothingExpected,
            Kind::Annotation => Code::AnnotationIgnored,
            Kind::NoMatch => Code::PatternUnmatched,
            Kind::StrangeGroup => Code::GroupUnusual,
            Kind::Deprecated => Code::NameDeprecated,
        },
        Severity::Error if found.unfinished => Code::CaseIncomplete,
        Severity::Error => Code::ProblemInvalid,
        Severity::JudgeError => Code::JudgeError,
    };
    // The heading names the problem.
    Finding::of(code, found.clone())
}
