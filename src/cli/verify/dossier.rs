//! What has been found out about one problem.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use crate::cli::arguments::Setup;
use crate::cli::notice::notice_of;
use crate::cli::session::chosen_by;
use crate::cli::unpack::Archives;
use crate::package::diagnostic::{self, Diagnostic, Kind};
use crate::package::document::{Document, read};
use crate::package::icpc;
use crate::problem::{Layout, Problem, TestGroup};
use crate::report::text::quote;
use crate::score::time_limit::Margins;
use crate::verify::kills::Use;
use crate::verify::{Code, Finding, Severity};

/// One problem, or what belongs to none.
pub(super) struct Dossier {
    /// Its name; empty for what belongs to none.
    pub(super) name: String,
    /// None where it cannot be read.
    pub(super) problem: Option<Arc<Problem>>,
    /// Where its test data is; none for a plain folder.
    pub(super) data: Option<PathBuf>,
    /// What is wrong, without what is allowed.
    pub(super) findings: Vec<Finding>,
    /// How many findings were allowed.
    pub(super) allowed: usize,
    /// What was tried with the validators.
    pub(super) tries: Vec<Tries>,
    /// What each case is good for; none where no submission was run.
    pub(super) kills: Option<Kills>,
    /// How the time limit does; none where no submission was measured.
    pub(super) margins: Option<Margins>,
    /// That other programs disturbed the times of submissions.
    pub(super) disturbance: Option<String>,
    /// The time limit and what it follows from, where the problem states none.
    pub(super) limit_from: Option<String>,
    /// Every file and directory that something was told about, also where that is allowed.
    pub(super) told: BTreeSet<PathBuf>,
    allow: Vec<Code>,
    /// Directories that stand for archives.
    archives: Archives,
}

/// What validators were tried with.
pub(super) struct Tries {
    /// Which kind.
    pub(super) kind: TryKind,
    /// How many were tried.
    pub(super) tried: usize,
    /// Those that came out otherwise than most, with the case that they were made of.
    pub(super) odd: Vec<(&'static str, String)>,
}

/// Kinds of tries, and what is odd in them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TryKind {
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
pub(super) struct Kills {
    /// The submissions that are expected to fail, or of which nothing is expected.
    pub(super) submissions: Vec<String>,
    /// The cases in plan order.
    pub(super) cases: Vec<String>,
    /// What each of them is good for.
    pub(super) uses: Vec<Use>,
    /// Which of them count: not the samples.
    pub(super) counts: Vec<bool>,
}

impl Dossier {
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
    pub(super) fn report(&mut self, finding: Finding) {
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

    /// Where the problem is, as people know it.
    pub(super) fn dir(&self) -> Option<PathBuf> {
        self.problem.as_ref().map(|problem| self.archives.shown(&problem.dir))
    }

    /// The word that chooses the problem in a command; none for those that read no archives, where it is in one.
    pub(super) fn word(&self, setup: &Setup, takes_archives: bool) -> Option<String> {
        let problem = self.problem.as_ref()?;
        let word =
            chosen_by(setup, &self.archives, &problem.id, &problem.dir).unwrap_or_else(|| problem.id.to_string());
        (takes_archives || self.archives.typed_for(&problem.dir).is_none()).then(|| quote(&word))
    }

    /// Findings of a severity.
    pub(super) fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.severity == severity).count()
    }
}

/// Whether a group is one of samples.
pub(super) fn is_sample(group: &TestGroup) -> bool {
    &*group.name == "sample" || group.name.starts_with("sample/")
}

/// One dossier for each problem, also for those that cannot be read, with what reading them has told.
pub(super) fn open(
    setup: &Setup,
    archives: &Archives,
    problems: Vec<Arc<Problem>>,
    found: &[Diagnostic],
    allow: &[Code],
) -> Vec<Dossier> {
    let mut dossiers: BTreeMap<String, Dossier> = BTreeMap::new();
    for problem in problems {
        let data = match problem.layout {
            Layout::Native => Some(setup.settings.testcases_dir().join(problem.slug())),
            Layout::Icpc => Some(problem.dir.join(icpc::DATA)),
            Layout::Plain => None,
        };
        let name = problem.id.to_string();
        let (stated, mistakes) = stated(&problem);
        let mut dossier = Dossier { data, problem: Some(problem), ..Dossier::new(name.clone(), allow, archives) };
        dossier.allow.extend(stated);
        for mistake in &mistakes {
            dossier.report(finding_of(mistake));
        }
        dossiers.insert(name, dossier);
    }
    for diagnostic in found {
        let name = diagnostic.problem.as_ref().map(ToString::to_string).unwrap_or_default();
        let dossier = dossiers.entry(name).or_insert_with_key(|name| Dossier::new(name.clone(), allow, archives));
        dossier.report(finding_of(diagnostic));
    }
    dossiers.into_values().collect()
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

/// What reading a problem has told, as a finding.
pub(super) fn finding_of(found: &Diagnostic) -> Finding {
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
