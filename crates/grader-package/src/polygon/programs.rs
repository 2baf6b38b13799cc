//! Finds the programs of a package: the checker, validators, solutions with their tags, and the files beside them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::document::{Checker, Description, ExtraTag, Resource, Solution, Source, Testset, quoted};
use super::python_graders::{PYTHON, is_python};
use super::scores::ScoreNames;
use super::{CORRECT_IT, Package};
use grader_model::diagnostic::{Diagnostic, Severity, TextPosition};
use grader_model::problem::{
    self, Additions, Expectation, IncludedFiles, JudgingProgram, OwnChecker, PointsUnit, Program, Protocol, Rule,
    ScoreRange, Submission, SubmissionId,
};
use grader_model::verdict::{Verdict, VerdictSet};

use Verdict::{Accepted as AC, MemoryLimit as MLE, RunTimeError as RTE, TimeLimit as TLE, WrongAnswer as WA};

/// The directory of solutions.
const SOLUTIONS: &str = "solutions";
/// The directory of all other sources.
const FILES: &str = "files";
/// The source of the main solution's expectation.
pub(super) const MAIN: &str = "tag `main`";
/// The tag of solutions that are never run.
pub(super) const NEVER_RUN: &str = "do-not-run";
/// Every verdict of a program that runs and fails.
const FAILURES: [Verdict; 5] = [WA, TLE, MLE, RTE, Verdict::OutputLimit];

/// The tags with their permitted and required verdicts.
const TAGS: &[(&str, &[Verdict], &[Verdict])] = &[
    ("main", &[AC], &[]),
    ("accepted", &[AC], &[]),
    ("wrong-answer", &[AC, WA], &[WA]),
    // PE is WA in grader.
    ("presentation-error", &[AC, WA], &[WA]),
    ("time-limit-exceeded", &[AC, TLE], &[TLE]),
    ("time-limit-exceeded-or-accepted", &[AC, TLE], &[]),
    ("time-limit-exceeded-or-memory-limit-exceeded", &[AC, TLE, MLE], &[TLE, MLE]),
    ("memory-limit-exceeded", &[AC, MLE], &[MLE]),
    // The API of Polygon has such a tag, RE. Other readers of packages expect this word.
    ("runtime-error", &[AC, RTE], &[RTE]),
    ("rejected", &Verdict::ALL, &FAILURES),
    ("incorrect", &Verdict::ALL, &FAILURES),
    ("failed", &Verdict::ALL, &FAILURES),
];

/// The points that a tag wants in a problem with points.
fn score_of(tag: &str) -> Option<ScoreRange> {
    match tag {
        "main" | "accepted" => Some(ScoreRange::Full),
        // Codeforces calls partial points PARTIAL, which is not OK.
        "rejected" | "incorrect" | "failed" => Some(ScoreRange::Less),
        _ => None,
    }
}

/// A program that judges. Polygon runs all of them by the protocol of testlib, in every language.
fn judging(program: Program, unit: PointsUnit) -> JudgingProgram {
    JudgingProgram::stated(program, Protocol::Testlib(unit))
}

impl Package<'_> {
    /// The standard checker that judges, which is built in.
    pub(super) fn standard_checker(description: &Description) -> OwnChecker {
        let standard = description.checker.as_ref().and_then(|checker| checker.standard);
        standard.map(problem::Checker::Standard).into()
    }

    /// The program that judges outputs, unless a standard checker does. Reports a package without a checker.
    pub(super) fn checker(&self, description: &Description) -> Option<JudgingProgram> {
        let Some(Checker { place, kind, source, .. }) = &description.checker else {
            let found =
                Diagnostic::warning(self.file, "the package has no checker: grader compares outputs word by word");
            self.reader.report(found);
            return None;
        };
        if let Some(kind) = kind.as_deref().filter(|kind| *kind != "testlib") {
            let message = format!("a checker of type {} is not supported", quoted(kind));
            self.error(*place, message, "use a checker of type `testlib`");
        }
        let source = source.as_ref()?;
        let unit = if description.judging.percent { PointsUnit::Percent } else { PointsUnit::Points };
        self.program(&source.path, source.place).map(|program| judging(program, unit))
    }

    /// The program that talks to submissions. The checker then judges what it wrote.
    pub(super) fn interactor(&self, source: &Source) -> Option<JudgingProgram> {
        self.program(&source.path, source.place).map(|program| judging(program, PointsUnit::Points))
    }

    /// The programs that accept or reject inputs.
    pub(super) fn input_validators(&self, description: &Description) -> Vec<JudgingProgram> {
        let validators = description.validators.iter();
        validators
            .filter_map(|validator| self.program(&validator.source.path, validator.source.place))
            .map(|program| judging(program, PointsUnit::Points))
            .collect()
    }

    /// The files that are added to programs: headers to every program of the judge, and headers and graders to solutions.
    pub(super) fn resources(&self, resources: &[Resource]) -> Additions {
        let mut headers: Vec<PathBuf> = Vec::new();
        let mut graders: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
        let mut in_python: Vec<&Source> = Vec::new();
        for Resource { file, for_solutions } in resources {
            let header = file.kind.starts_with("h.") || problem::is_header(&file.path);
            if !header && !for_solutions || self.program(&file.path, file.place).is_none() {
                continue;
            }
            let Ok(path) = file.path.strip_prefix(FILES) else {
                self.note(Severity::Warning, file.place, format!("not added to programs: it is not in {FILES}/"));
                continue;
            };
            match (header, language_of(&file.kind)) {
                (true, _) => headers.push(path.to_owned()),
                (false, Some(language)) => graders.entry(language.to_owned()).or_default().push(path.to_owned()),
                (false, None) if is_python(file) => in_python.push(file),
                (false, None) => {
                    let message = format!("graders of type {} are not supported yet", quoted(&file.kind));
                    self.error(file.place, message, "keep solutions in C, C++, Java, Pascal or Python");
                }
            }
        }
        let dir = self.reader.dir.join(FILES);
        let included = |mut files: Vec<PathBuf>| {
            files.sort();
            files.dedup();
            IncludedFiles { dir: dir.clone(), files }
        };
        // No solution uses testlib, and its header takes a second to read.
        let for_solutions = headers.iter().filter(|header| header.as_path() != Path::new("testlib.h"));
        let for_solutions: Vec<PathBuf> = for_solutions.cloned().collect();
        if !for_solutions.is_empty() {
            graders.entry("cpp".to_owned()).or_default().extend(for_solutions);
        }
        let include = graders.into_iter().map(|(language, files)| (language, included(files)));
        let python = self.python_graders(&in_python).map(|files| (PYTHON.to_owned(), files));
        let include = include.chain(python).collect();
        let judges = (!headers.is_empty()).then(|| included(headers));
        Additions { include, judges, ..Additions::default() }
    }

    /// The languages that the types of the judging programs and generators state, by their paths.
    pub(super) fn languages(&self, description: &Description) -> BTreeMap<PathBuf, String> {
        let checker = description.checker.iter().filter_map(|checker| checker.source.as_ref());
        let interactor = description.interactor.iter().map(|interactor| &interactor.source);
        let validators = description.validators.iter().map(|validator| &validator.source);
        let generators = description.executables.iter().filter_map(|executable| executable.source.as_ref());
        let sources = checker.chain(interactor).chain(validators).chain(generators);
        sources
            .filter_map(|source| Some((self.reader.dir.join(&source.path), language_of_kind(&source.kind)?)))
            .collect()
    }

    /// The solutions: the main one first, then those that must be accepted, then the others.
    pub(super) fn submissions(
        &self,
        description: &Description,
        testset: Option<&Testset>,
        has_points: bool,
    ) -> Vec<Submission> {
        let names = testset.map(|testset| (testset, self.score_names(testset)));
        let mut submissions: Vec<Submission> = Vec::new();
        for solution in description.solutions.iter().filter(|solution| solution.tag != NEVER_RUN) {
            let Some(submission) = self.submission(solution, names.as_ref(), has_points) else { continue };
            if submissions.iter().any(|known| known.id == submission.id) {
                self.error(solution.place, format!("a second solution {}", submission.id), "remove one of them");
                continue;
            }
            submissions.push(submission);
        }
        let mains = submissions.iter().filter(|submission| submission.expectation.source == MAIN).count();
        if let (true, Some(first)) = (mains > 1, description.solutions.first()) {
            self.error(first.place, format!("{mains} main solutions"), "tag the others `accepted`");
        }
        let rank = |submission: &Submission| {
            let expectation = &submission.expectation;
            (expectation.source != MAIN, !expectation.wants_all_accepted())
        };
        submissions.sort_by_key(rank);
        submissions
    }

    fn submission(
        &self,
        solution: &Solution,
        names: Option<&(&Testset, ScoreNames)>,
        has_points: bool,
    ) -> Option<Submission> {
        let source = solution.source.as_ref()?;
        let program = self.program(&source.path, source.place)?;
        let path = source.path.strip_prefix(SOLUTIONS).unwrap_or(&source.path);
        let mut expectation = self.expectation(solution, has_points)?;
        for extra in &solution.extra_tags {
            expectation.rules.extend(self.extra_rule(extra, names?));
        }
        Some(Submission {
            id: SubmissionId::from(path.to_string_lossy().into_owned()),
            program,
            language: language_of_kind(&source.kind),
            entry_point: None,
            expectation,
        })
    }

    fn expectation(&self, solution: &Solution, has_points: bool) -> Option<Expectation> {
        let source = format!("tag `{}`", solution.tag);
        let Some((tag, permitted, required)) = TAGS.iter().find(|(tag, ..)| *tag == solution.tag) else {
            self.unknown_tag(&solution.tag, solution.place);
            return None;
        };
        let mut expectation = Expectation::simple(&source, permitted, required);
        if has_points {
            expectation.rules[0].score = score_of(tag);
        }
        // An extra tag speaks for a part of the tests, where the tag of the whole does not hold.
        if !solution.extra_tags.is_empty() {
            expectation.rules[0].permitted = VerdictSet::of(&Verdict::ALL);
        }
        Some(expectation)
    }

    /// The rule of an extra tag; none if it is about another testset.
    fn extra_rule(&self, extra: &ExtraTag, (testset, names): &(&Testset, ScoreNames)) -> Option<Rule> {
        if extra.testset.as_ref().is_some_and(|other| *other != testset.name) || extra.tag == NEVER_RUN {
            return None;
        }
        let Some((_, permitted, required)) = TAGS.iter().find(|(tag, ..)| *tag == extra.tag) else {
            self.unknown_tag(&extra.tag, extra.place);
            return None;
        };
        let cases = extra.group.as_ref().map(|group| (group, names.full(group)));
        if let Some((group, None)) = &cases {
            self.error(extra.place, format!("there is no group {}", quoted(group)), CORRECT_IT);
            return None;
        }
        let cases = cases.and_then(|(_, full)| full);
        let mut rule = Rule::of_verdicts(cases, VerdictSet::of(permitted), VerdictSet::of(required));
        if names.gives_points() {
            rule.score = score_of(&extra.tag);
        }
        Some(rule)
    }

    fn unknown_tag(&self, tag: &str, place: TextPosition) {
        let known: Vec<&str> = TAGS.iter().map(|(tag, ..)| *tag).chain([NEVER_RUN]).collect();
        self.error(place, format!("unknown tag {}; known are {}", quoted(tag), known.join(", ")), CORRECT_IT);
    }
}

/// The language or dialect of a program of this type, if its extension does not say it: `cpp.g++17`,
/// `cpp.gcc13-64-winlibs-g++20`, `pas.dpr`. The version of C++ is the number at the end.
fn language_of_kind(kind: &str) -> Option<String> {
    const BY_START: [(&str, &str); 4] =
        [("python.2", "python2"), ("python.pypy2", "python2"), ("pas.", "delphi"), ("cpp.ms2017", "cpp17")];
    const DIALECTS: [&str; 5] = ["cpp11", "cpp14", "cpp17", "cpp20", "cpp23"];
    let by_start = BY_START.iter().find(|(start, _)| kind.starts_with(start)).map(|(_, language)| *language);
    let version = kind.strip_prefix("cpp.").and_then(|tools| tools.rsplit_once("++"));
    let dialect = version.and_then(|(_, version)| DIALECTS.into_iter().find(|dialect| dialect[3..] == *version));
    by_start.or(dialect).map(str::to_owned)
}

/// The code of the language of a grader.
fn language_of(kind: &str) -> Option<&'static str> {
    const LANGUAGES: [(&str, &str); 4] = [("cpp.", "cpp"), ("c.", "c"), ("java", "java"), ("pas.", "pascal")];
    LANGUAGES.iter().find(|(start, _)| kind.starts_with(start)).map(|(_, code)| *code)
}
