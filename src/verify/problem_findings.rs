//! The findings about one problem.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use crate::package::diagnostic::{self, Diagnostic, Kind};
use crate::package::document::{Document, read};
use crate::package::icpc;
use crate::problem::{Layout, Problem, TestGroup};
use crate::report::text::quote;
use crate::score::time_limit::Margins;
use crate::session::archives::Archives;
use crate::session::chosen_by;
use crate::verify::kills::Use;
use crate::verify::{Code, Finding, Severity};
use crate::workspace::Workspace;
use crate::workspace::notices::notice_of;

/// One problem, or what belongs to none.
pub struct ProblemFindings {
    /// Its name; empty for what belongs to none.
    pub(crate) name: String,
    /// The problem; none if it cannot be read.
    pub(crate) problem: Option<Arc<Problem>>,
    /// The directory of its test data; none for a plain folder.
    pub(crate) data: Option<PathBuf>,
    /// The findings that are not allowed.
    pub(crate) findings: Vec<Finding>,
    /// How many findings were allowed.
    pub(crate) allowed: usize,
    /// The tries with validators.
    pub(crate) tries: Vec<Tries>,
    /// What each case is good for; none if no submission ran.
    pub(crate) kills: Option<Kills>,
    /// The margins of the time limit; none if no submission was measured.
    pub(crate) margins: Option<Margins>,
    /// That other programs disturbed the times of submissions.
    pub(crate) disturbance: Option<String>,
    /// The time limit and what it follows from, where the problem states none.
    pub(crate) limit_from: Option<String>,
    /// Every file and directory that has a finding, also an allowed one.
    pub(crate) told: BTreeSet<PathBuf>,
    allow: Vec<Code>,
    /// Directories that stand for archives.
    archives: Archives,
}

/// What validators were tried with.
pub struct Tries {
    /// Which kind.
    pub(crate) kind: TryKind,
    /// How many were tried.
    pub(crate) tried: usize,
    /// Those that came out otherwise than most, with the case that they were made of.
    pub(crate) odd: Vec<(&'static str, String)>,
}

/// Kinds of tries, and what is odd in them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TryKind {
    /// Corrupted inputs; odd are those that no input validator rejects.
    Inputs,
    /// Corrupted outputs; odd are those that the output validator accepts.
    Outputs,
    /// White space and case of accepted outputs changed; odd are those that the output validator rejects.
    Layout,
    /// Junk as output; odd are those that the output validator fails on.
    Junk,
    /// Partners that misbehave; odd are those that the interactor fails on.
    Partners,
}

/// Which submissions each case kills.
pub struct Kills {
    /// The submissions that are expected to fail, or of which nothing is expected.
    pub(crate) submissions: Vec<String>,
    /// The cases in plan order.
    pub(crate) cases: Vec<String>,
    /// What each of them is good for.
    pub(crate) uses: Vec<Use>,
    /// Which of them count: not the samples.
    pub(crate) counts: Vec<bool>,
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
            kills: None,
            margins: None,
            limit_from: None,
            disturbance: None,
            told: BTreeSet::new(),
            allow: allow.to_vec(),
            archives: archives.clone(),
        }
    }

    /// Adds a finding, unless it is allowed.
    pub(crate) fn report(&mut self, finding: Finding) {
        self.told.extend(finding.path.clone());
        if self.allow.contains(&finding.code) {
            self.allowed += 1;
        } else {
            let Finding { code, severity, path, message, remedy } = finding;
            let path = path.map(|path| self.archives.shown(&path));
            let (message, remedy) = (self.archives.text(&message), self.archives.text(&remedy));
            self.findings.push(Finding { code, severity, path, message, remedy });
        }
    }

    /// The directory of the problem, as people know it.
    pub(crate) fn dir(&self) -> Option<PathBuf> {
        self.problem.as_ref().map(|problem| self.archives.shown(&problem.dir))
    }

    /// The word that chooses the problem in a command; none if the problem is in an archive and the command reads none.
    pub(crate) fn word(&self, workspace: &Workspace, takes_archives: bool) -> Option<String> {
        let problem = self.problem.as_ref()?;
        let word =
            chosen_by(workspace, &self.archives, &problem.id, &problem.dir).unwrap_or_else(|| problem.id.to_string());
        (takes_archives || self.archives.typed_for(&problem.dir).is_none()).then(|| quote(&word))
    }

    /// Findings of a severity.
    pub(crate) fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.severity == severity).count()
    }
}

/// Whether a group is one of samples.
pub(crate) fn is_sample(group: &TestGroup) -> bool {
    &*group.name == "sample" || group.name.starts_with("sample/")
}

/// One results for each problem, also for those that cannot be read, with what reading them has told.
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
            Layout::Native => Some(workspace.settings.testcases_dir().join(problem.slug())),
            Layout::Icpc => Some(problem.dir.join(icpc::DATA)),
            Layout::Plain => None,
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

/// The codes that the problem itself allows, and what is wrong with that.
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
        diagnostic::Severity::Warning => match found.kind {
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
        diagnostic::Severity::Error if found.unfinished => Code::CaseIncomplete,
        diagnostic::Severity::Error => Code::ProblemInvalid,
    };
    let notice = notice_of(found);
    Finding::new(code, notice.message).at(&found.path).remedy(notice.remedy)
}
