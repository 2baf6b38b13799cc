//! Packages as Polygon writes them: `problem.xml` with numbered tests.

use std::io;
use std::path::{Path, PathBuf};

use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};
use quick_xml::writer::Writer;

use super::description::LANGUAGES;
use super::draft::Draft;
use super::foreign::{group_points, lose_judge, unexpressed};
use super::judge_files::{JudgeFiles, judge_files, testlib_header};
use super::listing::unicode;
use super::placed::{PlacedCase, SAMPLE, place};
use super::statements::{attachments, statement_files};
use super::subject::Subject;
use super::{ArchiveLayout, ExportError, Target, programs};
use crate::package::polygon::{FILE, beyond};
use crate::problem::{
    Aggregation, Checker, Constants, JudgingProgram, PackageLayout, Problem, Program, Protocol, ScoreRange, ScoreTree,
    SecondRun, StandardChecker, Submission,
};
use crate::verdict::{Verdict, VerdictSet};

pub(super) const TARGET: Target = Target {
    name: "polygon",
    summary: "judges that read packages of Polygon",
    archive: ArchiveLayout::Top,
    shows_page: false,
    says: &["titles", "keywords", "feedback-policy"],
    labels_by_points: false,
    draft,
};

/// An element of the document.
#[derive(Debug, Default)]
struct Element {
    name: &'static str,
    attributes: Vec<(&'static str, String)>,
    text: String,
    children: Vec<Element>,
}

impl Element {
    fn new(name: &'static str) -> Self {
        Self { name, ..Self::default() }
    }

    fn with(mut self, attribute: &'static str, value: impl Into<String>) -> Self {
        self.attributes.push((attribute, value.into()));
        self
    }

    fn text(name: &'static str, text: &dyn ToString) -> Self {
        Self { text: text.to_string(), ..Self::new(name) }
    }

    fn holding(mut self, children: impl IntoIterator<Item = Self>) -> Self {
        self.children.extend(children);
        self
    }

    fn write(&self, writer: &mut Writer<Vec<u8>>) -> io::Result<()> {
        let mut start = BytesStart::new(self.name);
        for (name, value) in &self.attributes {
            start.push_attribute((*name, value.as_str()));
        }
        if self.text.is_empty() && self.children.is_empty() {
            return writer.write_event(Event::Empty(start));
        }
        writer.write_event(Event::Start(start))?;
        if !self.text.is_empty() {
            writer.write_event(Event::Text(BytesText::new(&self.text)))?;
        }
        self.children.iter().try_for_each(|child| child.write(writer))?;
        writer.write_event(Event::End(BytesEnd::new(self.name)))
    }
}

fn draft(subject: &Subject<'_>, draft: &mut Draft) -> Result<(), ExportError> {
    let problem = subject.problem;
    // Two runs, which others do not have, are Polygon's own.
    let single = Problem { second_run: None, kind: kind_without_runs(problem), ..problem.clone() };
    unexpressed(&subject.of(&single), draft, "Polygon");
    if !problem.additions.include.is_empty() {
        draft.lose("include/", "grader writes no resources for solutions");
    }
    let placed = tests(subject, draft);
    let assets = assets(subject, draft)?;
    let judging = judging(subject, draft, &placed);
    let names = subject
        .description
        .names
        .iter()
        .map(|(code, name)| Element::new("name").with("language", language(code)).with("value", name.clone()));
    let resources = resources(draft);
    attachments(subject, draft, "attachments")?;
    let statements = statements(problem, draft)?;
    let attached = draft.paths().filter(|path| path.starts_with("attachments/"));
    let attached = attached.map(|path| Element::new("file").with("path", path)).collect::<Vec<_>>();
    let attached = (!attached.is_empty()).then(|| Element::new("attachments").holding(attached));
    let tags = subject.description.words("keywords").into_iter();
    let tags = tags.map(|word| Element::new("tag").with("value", word)).collect::<Vec<_>>();
    let tags = (!tags.is_empty()).then(|| Element::new("tags").holding(tags));
    let root = Element::new("problem").with("revision", "1").with("short-name", subject.name.clone()).holding(
        [
            Element::new("names").holding(names),
            Element::new("statements").holding(statements),
            judging,
            Element::new("files").holding(std::iter::once(resources).chain(attached)),
            assets,
        ]
        .into_iter()
        .chain(tags),
    );
    let text = document(&root).map_err(|error| ExportError::Read { path: "problem.xml".into(), error })?;
    draft.text("problem.xml", text);
    for (file, from) in statement_files(problem)? {
        draft.copy(&format!("documents/statement/{file}"), &from);
        draft.miss("a statement", "Polygon has its own, in TeX; documents/ has those of the problem");
    }
    Ok(())
}

/// Copies the statements that a package of Polygon has already, and returns their elements.
fn statements(problem: &Problem, draft: &mut Draft) -> Result<Vec<Element>, ExportError> {
    if problem.layout != PackageLayout::Polygon {
        return Ok(Vec::new());
    }
    for folder in ["statement-sections", "statements"] {
        programs::folder(problem, draft, &problem.dir.join(folder), folder, &Constants::default())?;
    }
    let element = |document: &PathBuf| {
        let path = document.strip_prefix(&problem.dir).ok()?;
        let kind = if path.extension()? == "pdf" { "application/pdf" } else { "text/html" };
        let language = path.parent()?.file_name()?.to_str()?;
        let element = Element::new("statement").with("language", language).with("type", kind);
        path.starts_with("statements").then(|| element.with("path", path.to_string_lossy()))
    };
    Ok(problem.documents.iter().filter_map(element).collect())
}

fn document(root: &Element) -> io::Result<Vec<u8>> {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 4);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("utf-8"), Some("no"))))?;
    root.write(&mut writer)?;
    let mut text = writer.into_inner();
    text.push(b'\n');
    Ok(text)
}

/// The kind of the problem without a second run.
fn kind_without_runs(problem: &Problem) -> crate::problem::ProblemKind {
    use crate::problem::ProblemKind::{Interactive, InteractiveMultiPass, MultiPass, PassFail};
    match (problem.second_run, problem.kind) {
        (Some(_), MultiPass) => PassFail,
        (Some(_), InteractiveMultiPass) => Interactive,
        (_, kind) => kind,
    }
}

fn is_testlib(subject: &Subject<'_>, judge: &JudgingProgram) -> bool {
    matches!(subject.protocol(judge), Protocol::Testlib(_))
}

fn is_percent(subject: &Subject<'_>, judge: &JudgingProgram) -> bool {
    subject.protocol(judge) == Protocol::Testlib(crate::problem::PointsUnit::Percent)
}

/// Writes the files of the tests, in their order.
fn tests<'p>(subject: &Subject<'p>, draft: &mut Draft) -> Vec<PlacedCase<'p>> {
    let mut placed = place(subject, draft, 1);
    // A sample with points is one test, which the statement shows.
    let is_copy = |one: &PlacedCase<'_>| one.folder == SAMPLE && !one.group.holds_samples();
    if subject.problem.scoring.is_some() {
        placed.retain(|one| !is_copy(one));
    }
    for (number, one) in (1..).zip(&placed) {
        draft.copy(&test_path(number, placed.len()), &one.input());
        let answer = test_path(number, placed.len()) + ".a";
        match &one.answer {
            Some(from) => draft.copy(&answer, from),
            None => draft.text(&answer, ""),
        }
    }
    placed
}

fn digits(count: usize) -> usize {
    count.to_string().len().max(2)
}

fn test_path(number: usize, count: usize) -> String {
    format!("tests/{number:0width$}", width = digits(count))
}

fn judging(subject: &Subject<'_>, draft: &mut Draft, placed: &[PlacedCase<'_>]) -> Element {
    let work = placed.first().map(|one| one.setting().work).unwrap_or_default();
    let file = |path: Option<&Path>| path.and_then(Path::to_str).unwrap_or_default().to_owned();
    let groups = group_points(subject, draft, "Polygon");
    let tail = |folder: &str| folder.rsplit('/').next().unwrap_or_default().to_owned();
    let mut first_of: Vec<String> = Vec::new();
    let mut test = |one: &PlacedCase<'_>| {
        let is_sample = one.folder == SAMPLE || one.case.own.as_ref().is_some_and(|own| own.is_sample);
        let mut element = Element::new("test").with("method", "manual");
        if is_sample {
            element = element.with("sample", "true");
        }
        let Some(group) = groups.iter().flatten().find(|group| group.folder == one.folder) else { return element };
        let points = if group.aggregation == Aggregation::Sum {
            let count = placed.iter().filter(|other| other.folder == one.folder).count();
            group.points_of(one, count)
        } else if first_of.contains(&group.folder) {
            0.0
        } else {
            // Authors put the points of a group on its first test.
            first_of.push(group.folder.clone());
            group.most
        };
        element.with("group", tail(&group.folder)).with("points", points.to_string())
    };
    let tests: Vec<Element> = placed.iter().map(&mut test).collect();
    // An error of the document was reported when the problem was read.
    let stated = if subject.problem.layout == PackageLayout::Polygon {
        beyond(&subject.problem.dir.join(FILE)).unwrap_or_default().feedback
    } else {
        Vec::new()
    };
    let feedback_of = |group: &str| stated.iter().find(|(name, _)| name == group).map_or("complete", |(_, word)| word);
    let group_elements = groups.iter().flatten().map(|group| {
        let policy = if group.aggregation == Aggregation::Sum { "each-test" } else { "complete-group" };
        let element = Element::new("group").with("name", tail(&group.folder)).with("points-policy", policy);
        let element =
            element.with("points", group.most.to_string()).with("feedback-policy", feedback_of(&tail(&group.folder)));
        let needs = group.requires.iter().map(|needed| Element::new("dependency").with("group", tail(needed)));
        let needs: Vec<Element> = needs.collect();
        if needs.is_empty() { element } else { element.holding([Element::new("dependencies").holding(needs)]) }
    });
    let width = digits(placed.len());
    let mut testset = Element::new("testset").with("name", "tests").holding([
        Element::text("time-limit", &subject.time_limit().as_millis()),
        Element::text("memory-limit", &(subject.memory() << 20)),
        Element::text("test-count", &placed.len()),
        Element::text("input-path-pattern", &format!("tests/%0{width}d")),
        Element::text("answer-path-pattern", &format!("tests/%0{width}d.a")),
        Element::new("tests").holding(tests),
    ]);
    if groups.is_some() {
        testset = testset.holding([Element::new("groups").holding(group_elements)]);
    }
    let runs = if subject.problem.second_run.is_some() { "2" } else { "1" };
    let percent = subject.problem.output_validators.iter().any(|judge| is_percent(subject, judge));
    let mut judging = Element::new("judging")
        .with("input-file", file(work.files.first().map(|(name, _)| name.as_path())))
        .with("output-file", file(work.output.as_deref()))
        .with("run-count", runs);
    if percent {
        judging = judging.with("treat-points-from-checker-as-percent", "true");
    }
    judging.holding([testset])
}

/// The headers and other files beside programs.
fn resources(draft: &Draft) -> Element {
    let headers = draft.paths().filter(|path| path.starts_with("files/") && crate::problem::is_header(Path::new(path)));
    let element = |path: &str| Element::new("file").with("path", path).with("type", "h.g++");
    Element::new("resources").holding(headers.map(element))
}

fn assets(subject: &Subject<'_>, draft: &mut Draft) -> Result<Element, ExportError> {
    let problem = subject.problem;
    let mut assets = Element::new("assets");
    assets.children.push(checker(subject, draft)?);
    let talks = problem.kind.is_interactive();
    let interactor = problem.interactor.as_ref().or(problem.output_validators.first().filter(|_| talks));
    if let Some(interactor) = interactor.filter(|_| talks)
        && let Some(source) = judging_source(subject, draft, interactor)?
    {
        let runs: &[&str] = match problem.second_run {
            None => &[],
            Some(SecondRun::Plain) => &["1"],
            Some(SecondRun::Interactive) => &["1", "2"],
        };
        let mut element = Element::new("interactor").holding([source]);
        if !runs.is_empty() {
            let runs = runs.iter().map(|run| Element::text("run", run));
            element = element.holding([Element::new("runs").holding(runs)]);
        }
        assets.children.push(element);
    }
    let mut validators = Element::new("validators");
    for validator in &problem.input_validators {
        if is_testlib(subject, validator) {
            let source = judging_source(subject, draft, validator)?;
            validators.children.extend(source.map(|source| Element::new("validator").holding([source])));
        } else {
            draft.leave_out(problem.name_of(&validator.program), "Polygon runs validators of testlib");
        }
    }
    assets.children.push(validators);
    let mut solutions = Element::new("solutions");
    let main = problem.reference().map(|reference| &reference.id);
    let main = main.or_else(|| {
        let accepted = problem.submissions.iter().find(|one| one.expectation.wants_all_accepted());
        accepted.map(|one| &one.id)
    });
    for one in &problem.submissions {
        let tag = if main == Some(&one.id) { "main" } else { tag(subject, draft, one) };
        if one.expectation.rules.iter().any(|rule| rule.cases.is_some()) {
            draft.lose(format!("expectations of {} for groups", one.id), "grader writes the tag of the whole alone");
        }
        solutions.children.extend(solution(subject, draft, one, tag)?);
    }
    if main.is_none() {
        draft.miss("a main solution", "Polygon requires one");
    }
    assets.children.push(solutions);
    Ok(assets)
}

/// The checker: a standard one, that of the problem, or one that is written here.
fn checker(subject: &Subject<'_>, draft: &mut Draft) -> Result<Element, ExportError> {
    let problem = subject.problem;
    let element = Element::new("checker").with("type", "testlib");
    let std = |standard: StandardChecker| format!("std::{}.cpp", standard.name());
    let is_alone = problem.interactor.is_none() && problem.kind.is_interactive();
    // A package must have a checker. This stand-in compares words.
    let stand_in = |element: Element| element.with("name", std(StandardChecker::Wcmp));
    match problem.output_validators.first() {
        // That the interactor is lost is reported with it.
        Some(talks) if is_alone && !is_testlib(subject, talks) => return Ok(stand_in(element)),
        Some(judge) if !is_alone => {
            return Ok(match judging_source(subject, draft, judge)? {
                Some(source) => element.holding([source]),
                None => stand_in(element),
            });
        }
        Some(_) | None => {}
    }
    if problem.kind.is_interactive() {
        // The interactor has decided.
        write_testlib(subject, draft);
        draft.text("files/check.cpp", "#include \"testlib.h\"\n\nint main(int argc, char *argv[]) {\n    registerTestlibCmd(argc, argv);\n    quitf(_ok, \"accepted by the interactor\");\n}\n");
        return Ok(element.holding([source_of("files/check.cpp", "cpp.g++17")]));
    }
    let first = problem.cases().next().map(|(group, case)| group.setting_of(case));
    let compared = first.map_or(Checker::default(), |setting| subject.checker(&setting));
    let options = match compared {
        Checker::Standard(standard) => return Ok(element.with("name", std(standard))),
        Checker::Tokens(options) => options,
        Checker::Exact => {
            draft.lose("the comparison `exact`", "checkers of testlib do not see all white space");
            crate::problem::TokenOptions { case_sensitive: true, ..<_>::default() }
        }
        Checker::Contains | Checker::Regex | Checker::Unordered | Checker::Value(_) => {
            draft.lose("the comparison", "no standard checker of testlib compares so");
            crate::problem::TokenOptions::default()
        }
    };
    if options.space_change_sensitive || options.line_sensitive || options.labels {
        draft.lose("the comparison of white space", "checkers of testlib do not see all of it");
    }
    let has_tolerance = options.float_absolute.is_some() || options.float_relative.is_some();
    if options.case_sensitive && !has_tolerance {
        return Ok(element.with("name", std(StandardChecker::Wcmp)));
    }
    let number = |tolerance: Option<f64>| format!("{:e}", tolerance.unwrap_or(-1.0));
    let text = include_str!("tokens.cpp")
        .replace("@CASE@", if options.case_sensitive { "true" } else { "false" })
        .replace("@RELATIVE@", &number(options.float_relative))
        .replace("@ABSOLUTE@", &number(options.float_absolute));
    draft.text("files/check.cpp", text);
    write_testlib(subject, draft);
    Ok(element.holding([source_of("files/check.cpp", "cpp.g++17")]))
}

/// Adds the header of testlib for a checker that is written here. Polygon has it; other judges may not.
fn write_testlib(subject: &Subject<'_>, draft: &mut Draft) {
    if let Some(header) = testlib_header(subject, draft) {
        draft.copy("files/testlib.h", &header);
    }
}

fn source_of(path: &str, kind: &str) -> Element {
    Element::new("source").with("path", path).with("type", kind)
}

/// Writes a program with testlib's protocol into `files/`. Reports others.
fn judging_source(
    subject: &Subject<'_>,
    draft: &mut Draft,
    judge: &JudgingProgram,
) -> Result<Option<Element>, ExportError> {
    let problem = subject.problem;
    if !is_testlib(subject, judge) {
        lose_judge(problem, draft, judge, "Polygon runs programs with the protocol of testlib");
        return Ok(None);
    }
    let JudgeFiles { files, main } = judge_files(subject, draft, &judge.program);
    let place = |name: &Path| -> Result<String, ExportError> {
        let name = unicode(name)?;
        Ok(format!("files/{}", name.strip_prefix("files/").unwrap_or(name)))
    };
    for (name, from) in &files {
        draft.source(&place(name)?, from, &problem.additions.constants)?;
    }
    let Some(kind) = source_type(&main) else {
        lose_judge(problem, draft, judge, "grader knows no name for its language on Polygon");
        return Ok(None);
    };
    Ok(Some(source_of(&place(&main)?, kind)))
}

/// The name of the language of a solution on Polygon: that of its dialect, if it states one.
fn type_of(one: &Submission, file: &Path) -> Option<&'static str> {
    Some(match one.language.as_deref() {
        Some("cpp11") => "cpp.g++11",
        Some("cpp14") => "cpp.g++14",
        Some("cpp17") => "cpp.g++17",
        Some("cpp23") => "cpp.gcc14-64-msys2-g++23",
        Some("delphi") => "pas.dpr",
        Some("python2") => "python.2",
        _ => source_type(file)?,
    })
}

/// The name of the language of a source on Polygon.
fn source_type(file: &Path) -> Option<&'static str> {
    Some(match file.extension()?.to_str()? {
        // The dialect that grader compiles.
        "cpp" | "cc" | "cxx" => "cpp.gcc13-64-winlibs-g++20",
        "c" => "c.gcc",
        "py" => "python.3",
        "java" => "java21",
        "kt" => "kotlin17",
        "rs" => "rust.2021",
        "go" => "go",
        "pas" => "pas.fpc",
        "js" => "javascript.nodejs",
        _ => return None,
    })
}

/// The tag of a solution. Reports expectations that the tag does not express.
fn tag(subject: &Subject<'_>, draft: &mut Draft, one: &Submission) -> &'static str {
    let expectation = &one.expectation;
    if expectation.wants_all_accepted() {
        return "accepted";
    }
    let required: VerdictSet =
        expectation.rules.iter().flat_map(|rule| rule.required.iter().collect::<Vec<_>>()).collect();
    let most = subject.score_tree().and_then(ScoreTree::attainable);
    let points = expectation.rules.iter().filter(|rule| rule.cases.is_none()).find_map(|rule| rule.score);
    let tag = match (&required.iter().collect::<Vec<_>>()[..], points) {
        ([Verdict::WrongAnswer], _) => "wrong-answer",
        ([Verdict::TimeLimit], _) => "time-limit-exceeded",
        ([Verdict::MemoryLimit], _) => "memory-limit-exceeded",
        ([Verdict::TimeLimit, Verdict::MemoryLimit], _) => "time-limit-exceeded-or-memory-limit-exceeded",
        ([], Some(ScoreRange::Between(least, _))) if most.is_some_and(|most| least >= most) => "accepted",
        ([], Some(ScoreRange::Between(_, points))) if most.is_none_or(|most| points >= most) => NEVER_RUN,
        ([], None) if expectation.permits(Verdict::TimeLimit) && !expectation.permits(Verdict::WrongAnswer) => {
            "time-limit-exceeded-or-accepted"
        }
        ([], None) => NEVER_RUN,
        _ => "rejected",
    };
    if tag == NEVER_RUN {
        draft.leave_out(format!("{} of {}", expectation.summary(), one.id), "its tag is `do-not-run`");
    } else if tag == "rejected" && points.is_none() && required.iter().count() == 1
        || matches!(points, Some(ScoreRange::Partial | ScoreRange::Between(..)))
    {
        draft.leave_out(format!("{} of {}", expectation.summary(), one.id), format!("its tag is `{tag}`"));
    }
    tag
}

/// The tag of solutions that are never run.
const NEVER_RUN: &str = "do-not-run";

/// Writes a solution of one file.
fn solution(
    subject: &Subject<'_>,
    draft: &mut Draft,
    one: &Submission,
    tag: &str,
) -> Result<Option<Element>, ExportError> {
    let what = format!("submission {}", one.id);
    let Program::File(from) = &one.program else {
        draft.lose(what, "solutions are single files");
        return Ok(None);
    };
    let Some(kind) = type_of(one, from) else {
        draft.lose(what, "grader knows no name for its language on Polygon");
        return Ok(None);
    };
    let name = one.id.as_str().rsplit('/').next().unwrap_or_default();
    let mut path = format!("solutions/{name}");
    if draft.has(&path) {
        path = format!("solutions/{}", one.id.as_str().replace('/', "-"));
    }
    draft.source(&path, from, &subject.problem.additions.constants)?;
    Ok(Some(Element::new("solution").with("tag", tag).holding([source_of(&path, kind)])))
}

/// The name of a language on Polygon.
fn language(code: &str) -> &str {
    LANGUAGES.iter().find(|(_, known)| *known == code).map_or(code, |(name, _)| name)
}
