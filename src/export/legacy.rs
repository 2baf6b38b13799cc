//! The older versions of the problem package format, as Kattis and DOMjudge read them.
//!
//! All of them have `testdata.yaml` and folders that say the expected verdict. Kattis' tools read the rest as in the draft
//! 2023-07, which is nearly 2025-09.

mod points;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::comparison::output_flags;
use super::description::{LANGUAGES, SHOW_GROUPS};
use super::draft::Draft;
use super::icpc;
use super::judge_files::JudgeLanguages;
use super::labels::{self, LegacyLabels};
use super::listing::{files_below, unicode};
use super::placed::{Extras, PlacedCase, extras_of, place, settings_file};
use super::statements::{self, problem_file};
use super::subject::{PageContent, Subject};
use super::yaml::Number;
use super::{ArchiveLayout, ExportError, Target, point_groups, programs};
use crate::package::document::{Document, Value};
use crate::package::testdata::VALIDATION_DIRS;
use crate::problem::{Arguments, Constants, DEFAULT_INCLUDE, Problem, ProblemKind, Program, Setting};

/// The metadata that the legacy version has a place for; the titles first.
const SAYS: [&str; 13] = [
    "titles",
    "uuid",
    "authors",
    "source",
    "license",
    "rights_owner",
    "keywords",
    "limits.code",
    "limits.compilation_time",
    "limits.compilation_memory",
    SHOW_GROUPS,
    "hint",
    "description",
];

pub(super) const ICPC: Target = Target {
    name: "icpc-legacy",
    summary: "the legacy version of the problem package format",
    archive: ArchiveLayout::Folder,
    shows_page: false,
    says: &SAYS,
    labels_by_points: true,
    draft: |subject, out| draft(subject, out, Dialect::Icpc),
};

pub(super) const DOMJUDGE: Target = Target {
    name: "domjudge",
    summary: "DOMjudge",
    archive: ArchiveLayout::Top,
    shows_page: true,
    // It has one title.
    says: SAYS.split_at(1).1,
    labels_by_points: true,
    draft: |subject, out| draft(subject, out, Dialect::Domjudge),
};

pub(super) const KATTIS: Target = Target {
    name: "kattis",
    summary: "Kattis, as `verifyproblem` reads it (version 2023-07)",
    archive: ArchiveLayout::Folder,
    shows_page: false,
    says: &[
        "uuid",
        "version",
        "credits",
        "authors",
        "titles",
        "source",
        "license",
        "rights_owner",
        "embargo_until",
        "keywords",
        "languages",
        "allow_file_writing",
        "limits.code",
        "limits.compilation_time",
        "limits.compilation_memory",
        "hint",
        "description",
    ],
    labels_by_points: true,
    draft: |subject, out| draft(subject, out, Dialect::Kattis),
};

/// The dialect of the legacy format that the package is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Dialect {
    Icpc,
    Domjudge,
    Kattis,
}

/// `problem.yaml` of the legacy version.
#[derive(Debug, Serialize)]
struct Metadata {
    problem_format_version: &'static str,
    r#type: &'static str,
    name: Names,
    uuid: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    license: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rights_owner: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    keywords: Option<String>,
    validation: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    validator_flags: Option<String>,
    limits: Limits,
    #[serde(skip_serializing_if = "Option::is_none")]
    grading: Option<BTreeMap<&'static str, Value>>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Names {
    One(String),
    ByLanguage(BTreeMap<String, String>),
}

#[derive(Debug, Serialize)]
struct Limits {
    #[serde(skip_serializing_if = "Option::is_none")]
    time_limit: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time_multiplier: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time_safety_margin: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    validation_time: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    validation_memory: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    validation_output: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    validation_passes: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    compilation_time: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    compilation_memory: Option<Value>,
}

/// `testdata.yaml`. Folders below inherit every value.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
struct GroupKeys {
    #[serde(skip_serializing_if = "Option::is_none")]
    on_reject: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    grading: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    grader_flags: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    accept_score: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reject_score: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_validator_flags: Option<OfInput>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_validator_flags: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
enum OfInput {
    All(String),
    Named(BTreeMap<String, String>),
}

impl GroupKeys {
    /// The keys that differ from those above.
    fn changes(&self, above: &Self) -> Self {
        fn change<T: PartialEq + Clone>(own: Option<&T>, above: Option<&T>, reset: impl FnOnce() -> T) -> Option<T> {
            if own == above { None } else { Some(own.cloned().unwrap_or_else(reset)) }
        }
        let words = |own: &Option<String>, above: &Option<String>| change(own.as_ref(), above.as_ref(), String::new);
        Self {
            on_reject: change(self.on_reject.as_ref(), above.on_reject.as_ref(), || "break"),
            grading: change(self.grading.as_ref(), above.grading.as_ref(), || "default"),
            grader_flags: words(&self.grader_flags, &above.grader_flags),
            accept_score: change(self.accept_score.as_ref(), above.accept_score.as_ref(), || Number::Whole(1)),
            reject_score: change(self.reject_score.as_ref(), above.reject_score.as_ref(), || Number::Whole(0)),
            range: change(self.range.as_ref(), above.range.as_ref(), || "-inf +inf".to_owned()),
            input_validator_flags: change(
                self.input_validator_flags.as_ref(),
                above.input_validator_flags.as_ref(),
                || OfInput::All(String::new()),
            ),
            output_validator_flags: words(&self.output_validator_flags, &above.output_validator_flags),
        }
    }

    /// Takes missing keys from `others`, for DOMjudge: its folders inherit nothing, and its ranges
    /// have two numbers.
    fn or(self, others: Self) -> Self {
        Self {
            on_reject: self.on_reject.or(others.on_reject),
            grading: self.grading.or(others.grading),
            grader_flags: self.grader_flags.or(others.grader_flags),
            accept_score: self.accept_score.or(others.accept_score),
            reject_score: self.reject_score.or(others.reject_score),
            range: self.range.or(others.range).filter(|range| !range.contains("inf")),
            input_validator_flags: self.input_validator_flags.or(others.input_validator_flags),
            output_validator_flags: self.output_validator_flags.or(others.output_validator_flags),
        }
    }
}

fn draft(subject: &Subject<'_>, draft: &mut Draft, dialect: Dialect) -> Result<(), ExportError> {
    let divided = point_groups::divided(subject.problem);
    let subject = &subject.of(divided.as_ref().unwrap_or(subject.problem));
    let problem = subject.problem;
    let replaced = &problem.additions.constants;
    // The draft 2023-07 has constants too, but its reader does not replace them.
    icpc::unstated_limits(problem, draft);
    kinds(problem, draft, dialect);
    let common = test_data(subject, draft, dialect)?;
    validation_data(subject, draft, dialect)?;
    programs::input_validators(subject, draft, JudgeLanguages::ANY, replaced)?;
    let (judge, languages) = match dialect {
        Dialect::Icpc => ("output_validators/validate", JudgeLanguages::ANY),
        Dialect::Domjudge => ("output_validators/validate", OF_DOMJUDGE),
        Dialect::Kattis => ("output_validator/validate", OF_KATTIS),
    };
    programs::output_validators(subject, draft, judge, languages, replaced)?;
    if problem.static_validator.is_some() {
        draft.lose("static validation", "the format has none");
    }
    if dialect == Dialect::Kattis {
        programs::visualizers(subject, draft, replaced)?;
    } else {
        for kind in [crate::problem::VisualizerKind::Input, crate::problem::VisualizerKind::Output] {
            if problem.visualizers.of(kind).is_some() {
                draft.leave_out(format!("{}/", kind.folder()), "the format has no visualisers");
            }
        }
    }
    includes(subject, draft, dialect)?;
    labels::legacy(subject, draft, LegacyLabels { annotations: dialect != Dialect::Kattis }, replaced)?;
    statement(subject, draft, dialect)?;
    match dialect {
        Dialect::Kattis => {
            let name = statements::titles(subject, draft, "statement");
            let metadata = icpc::Metadata { name, constants: None, ..icpc::metadata(subject, "2023-07") };
            draft.yaml("problem.yaml", &metadata)?;
        }
        Dialect::Icpc => {
            let titles = statements::titles(subject, draft, "problem_statement");
            // A name without a language is English.
            let is_english = titles.len() == 1 && titles.contains_key("en");
            let name = if is_english { Names::One(titles["en"].clone()) } else { Names::ByLanguage(titles) };
            draft.yaml("problem.yaml", &Metadata { name, ..metadata(subject, dialect, common) })?;
        }
        Dialect::Domjudge => draft.yaml("problem.yaml", &metadata(subject, dialect, common))?,
    }
    if dialect != Dialect::Domjudge && problem.input_validators.is_empty() {
        draft.miss("an input validator", "the format requires one");
    }
    statements::attachments(subject, draft, "attachments")?;
    times(subject, draft, dialect);
    icpc::generators(subject, draft)
}

/// Reports types of problems that the reader does not have.
fn kinds(problem: &Problem, draft: &mut Draft, dialect: Dialect) {
    let why = match dialect {
        Dialect::Icpc => "the legacy version has no such problems",
        Dialect::Domjudge => "DOMjudge has no such problems",
        Dialect::Kattis => "the tools of Kattis have no such problems",
    };
    if problem.kind == ProblemKind::SubmitAnswer || dialect == Dialect::Icpc && problem.kind.is_multi_pass() {
        draft.lose(problem.kind.name(), why);
    }
}

/// Writes the time limit where the reader looks for it.
fn times(subject: &Subject<'_>, draft: &mut Draft, dialect: Dialect) {
    let limit = subject.time_limit().as_secs_f64();
    match dialect {
        Dialect::Icpc => draft.text(".timelimit", format!("{limit}\n")),
        Dialect::Domjudge => {
            draft.text("domjudge-problem.ini", format!("short-name = {}\ntimelimit = {limit}\n", subject.name));
        }
        Dialect::Kattis => {
            if limit.fract() != 0.0 {
                draft.miss("a time limit of whole seconds", format!("Kattis has no limit of {limit} s"));
            }
        }
    }
}

/// The languages of output validators (`problemtools/checks/validators.py`).
const OF_KATTIS: JudgeLanguages = JudgeLanguages {
    endings: &["c", "cc", "cpp", "cxx", "c++", "C", "py"],
    reason: "Kattis runs output validators in C, C++ and Python",
    scripts: false,
};

/// The languages of output validators for which DOMjudge makes a build script (`judge/judgedaemon.main.php`).
const OF_DOMJUDGE: JudgeLanguages = JudgeLanguages {
    endings: &["c", "cpp", "C", "cc", "java", "py", "py3"],
    reason: "DOMjudge builds validators in C, C++, Java and Python, or with a `build` script",
    scripts: true,
};

fn includes(subject: &Subject<'_>, draft: &mut Draft, dialect: Dialect) -> Result<(), ExportError> {
    let include = &subject.problem.additions.include;
    if dialect == Dialect::Domjudge && !include.is_empty() {
        draft.lose("include/", "DOMjudge adds no files to submissions");
        return Ok(());
    }
    if dialect == Dialect::Icpc && include.contains_key(DEFAULT_INCLUDE) {
        draft.lose("include/default/", "the legacy version has files only for single languages");
    }
    programs::includes(subject, draft, &subject.problem.additions.constants)
}

fn statement(subject: &Subject<'_>, draft: &mut Draft, dialect: Dialect) -> Result<(), ExportError> {
    let constants = &subject.problem.additions.constants;
    let written = match dialect {
        Dialect::Icpc => statements::statements(subject, draft, "problem_statement", &["tex", "pdf", "md"], constants)?,
        Dialect::Kattis => {
            let written = statements::statements(subject, draft, "statement", &["tex", "md"], constants)?;
            svg_pictures(draft);
            written
        }
        Dialect::Domjudge => domjudge_statement(subject, draft)?,
    };
    if dialect == Dialect::Icpc && statements::is_only_markdown(draft, "problem_statement") {
        draft.miss("a statement in TeX or PDF", "the legacy version has no Markdown");
    }
    if written == 0 && dialect != Dialect::Domjudge {
        draft.miss("a statement", "the format requires one");
    }
    Ok(())
}

/// Reports pictures in SVG beside statements: `problem2html` of Kattis' tools refuses them.
fn svg_pictures(draft: &mut Draft) {
    let is_svg = |path: &&str| path.starts_with("statement/") && path.to_ascii_lowercase().ends_with(".svg");
    let pictures: Vec<String> = draft.paths().filter(is_svg).map(str::to_owned).collect();
    for picture in pictures {
        draft.miss(format!("{picture} as PNG or JPEG"), "the tools of Kattis show no SVG");
    }
}

/// A file with a statement.
struct StatementFile {
    language: String,
    ending: String,
    path: PathBuf,
}

/// All statements of a problem.
fn statement_files(problem: &Problem) -> Result<Vec<StatementFile>, ExportError> {
    let mut found = Vec::new();
    for (file, path) in statements::statement_files(problem)? {
        if let Some((language, ending)) = problem_file(&file) {
            let language = language.unwrap_or("en").to_owned();
            found.push(StatementFile { language, ending: ending.to_owned(), path });
        }
    }
    for document in &problem.documents {
        let text = |part: Option<&std::ffi::OsStr>| part.and_then(|part| part.to_str()).unwrap_or_default().to_owned();
        let folder = text(document.parent().and_then(Path::file_name));
        let code = LANGUAGES.iter().find(|(name, _)| *name == folder).map_or("en", |(_, code)| code);
        if text(document.file_stem()) == "problem" {
            let ending = text(document.extension());
            found.push(StatementFile { language: code.to_owned(), ending, path: document.clone() });
        }
    }
    Ok(found)
}

/// Writes the one statement that DOMjudge shows, in English if there is one: PDF or HTML, otherwise the page of grader,
/// otherwise text.
fn domjudge_statement(subject: &Subject<'_>, draft: &mut Draft) -> Result<usize, ExportError> {
    let problem = subject.problem;
    let found = statement_files(problem)?;
    let shown = |path: &Path| statements::shown(problem, path);
    let page = subject.page.as_ref();
    let rank = |file: &StatementFile| match &*file.ending {
        "pdf" => Some(0),
        "html" => Some(1),
        "txt" => Some(3),
        _ => page.filter(|page| page.from == file.path && matches!(page.content, PageContent::Html(_))).map(|_| 2),
    };
    let ranked = found.iter().filter_map(|file| Some(((file.language != "en", rank(file)?), file)));
    let Some((_, best)) = ranked.min_by_key(|(rank, _)| *rank) else {
        for file in &found {
            let why = match page.filter(|page| page.from == file.path).map(|page| &page.content) {
                Some(PageContent::Unreadable(errors)) => errors,
                Some(PageContent::Html(_)) | None => "DOMjudge shows PDF, HTML and text",
            };
            draft.lose(shown(&file.path), why);
        }
        return Ok(found.len());
    };
    match page.filter(|page| page.from == best.path).map(|page| &page.content) {
        Some(PageContent::Html(html)) => {
            draft.text("problem_statement/problem.html", html.clone());
            // DOMjudge ignores the text itself, but people who import the package need it.
            let constants = &problem.additions.constants;
            statements::statements(subject, draft, "problem_statement", &["tex", "md"], constants)?;
        }
        Some(PageContent::Unreadable(_)) | None => {
            let is_text = best.ending == "txt";
            let constants = if is_text { problem.additions.constants.clone() } else { Constants::default() };
            draft.source(&format!("problem_statement/problem.{}", best.ending), &best.path, &constants)?;
        }
    }
    // Another form of the same text is not missed.
    for other in found.iter().filter(|other| other.language != best.language) {
        draft.leave_out(shown(&other.path), "DOMjudge shows one statement");
    }
    Ok(1)
}

/// `common`: the flags of the default output validator on all cases.
fn metadata(subject: &Subject<'_>, dialect: Dialect, common: Option<String>) -> Metadata {
    let problem = subject.problem;
    let description = &subject.description;
    let is_domjudge = dialect == Dialect::Domjudge;
    let near = |value: f64, usual: f64| (value - usual).abs() < 1e-9;
    // A value that the author states stays, also if it is the usual one.
    let unless = |value: f64, usual: f64| (description.states_distances || !near(value, usual)).then_some(value);
    let of_new = icpc::limits(subject);
    let mut validation = if problem.output_validators.is_empty() && problem.interactor.is_none() {
        "default".to_owned()
    } else {
        "custom".to_owned()
    };
    if problem.kind.is_interactive() {
        validation += " interactive";
    }
    if problem.kind.is_multi_pass() && is_domjudge {
        validation += " multi-pass";
    }
    if points::by_validator(subject.problem) {
        validation += " score";
    }
    let keywords: Vec<String> = description.words("keywords").iter().map(|word| word.replace(' ', "-")).collect();
    let objective = points::objective(problem).map(|word| ("objective", Value::Text(word.to_owned())));
    let show_groups = description.value(SHOW_GROUPS).map(|value| ("show_test_data_groups", value.clone()));
    let grading: BTreeMap<&str, Value> = objective.into_iter().chain(show_groups).collect();
    Metadata {
        problem_format_version: "legacy",
        r#type: if problem.scoring.as_ref().is_some_and(points::gives_points) { "scoring" } else { "pass-fail" },
        name: Names::One(description.title().to_owned()),
        uuid: description.uuid.clone(),
        author: (!description.authors.is_empty()).then(|| description.authors.join(", ")),
        source: description.source.as_ref().map(|source| source.name.clone()),
        source_url: description.source.as_ref().and_then(|source| source.url.clone()),
        license: description.text("license"),
        rights_owner: description.text("rights_owner"),
        keywords: (!keywords.is_empty()).then(|| keywords.join(" ")),
        validation,
        validator_flags: common.filter(|flags| !flags.is_empty()),
        limits: Limits {
            time_limit: is_domjudge.then_some(of_new.time_limit),
            time_multiplier: unless(problem.distances.ac_to_time_limit, 5.0),
            time_safety_margin: unless(problem.distances.time_limit_to_tle, 2.0),
            memory: of_new.memory,
            output: of_new.output,
            validation_time: of_new.validation_time,
            validation_memory: of_new.validation_memory,
            validation_output: of_new.validation_output,
            validation_passes: of_new.validation_passes.filter(|_| is_domjudge),
            code: of_new.code,
            compilation_time: of_new.compilation_time,
            compilation_memory: of_new.compilation_memory,
        },
        grading: (!grading.is_empty()).then_some(grading),
    }
}

/// Writes the cases with `testdata.yaml`. Returns the flags of the output validator if they are the same on all cases and
/// belong into `problem.yaml`.
fn test_data(subject: &Subject<'_>, draft: &mut Draft, dialect: Dialect) -> Result<Option<String>, ExportError> {
    let placed = place(subject, draft, 12);
    let mut folders: BTreeMap<String, GroupKeys> = BTreeMap::new();
    for one in &placed {
        if !folders.contains_key(&one.folder) {
            let keys = argument_keys(subject, draft, &one.group.setting(), dialect);
            folders.insert(one.folder.clone(), keys);
        }
        let own = argument_keys(subject, draft, &one.setting(), dialect);
        if own != folders[&one.folder] {
            draft.lose(format!("arguments on {}", one.path("")), "all cases of a group have the same flags");
        }
    }
    let mut flags = folders.values().map(|keys| keys.output_validator_flags.clone().unwrap_or_default());
    let first = flags.next().unwrap_or_default();
    let is_common = flags.all(|flags| flags == first);
    let mut root = GroupKeys::default();
    let in_metadata = is_common && dialect != Dialect::Kattis;
    if is_common {
        if dialect == Dialect::Kattis {
            root.output_validator_flags = Some(first.clone()).filter(|flags| !flags.is_empty());
        }
        for keys in folders.values_mut() {
            keys.output_validator_flags.clone_from(&root.output_validator_flags);
        }
    }
    folders.insert(String::new(), root);
    points::add(subject, draft, dialect, &mut folders)?;
    write_groups(draft, &folders, dialect)?;
    icpc::conversations(subject, draft)?;
    let mut extras: BTreeMap<PathBuf, Extras> = BTreeMap::new();
    for one in &placed {
        if !extras.contains_key(&one.group.dir) {
            extras.insert(one.group.dir.clone(), extras_of(subject.problem, one.group)?);
        }
        let others = extras.get(&one.group.dir).and_then(|extras| extras.get(&*one.case.name));
        case(draft, one, others.map(Vec::as_slice).unwrap_or_default());
    }
    Ok(in_metadata.then_some(first))
}

/// Writes `testdata.yaml` into every folder whose values differ from those above it.
fn write_groups(draft: &mut Draft, folders: &BTreeMap<String, GroupKeys>, dialect: Dialect) -> Result<(), ExportError> {
    for (folder, keys) in folders {
        let above = if folder.is_empty() {
            GroupKeys::default()
        } else {
            // The nearest folder above with values of its own.
            let mut name = folder.as_str();
            loop {
                name = name.rsplit_once('/').map_or("", |(above, _)| above);
                if let Some(keys) = folders.get(name) {
                    break keys.clone();
                }
            }
        };
        let changes = keys.changes(&above);
        let keys = if dialect == Dialect::Domjudge { keys.clone().or(changes) } else { changes };
        if keys != GroupKeys::default() {
            let name = if folder.is_empty() {
                "data/testdata.yaml".to_owned()
            } else {
                format!("data/{folder}/testdata.yaml")
            };
            draft.yaml(&name, &keys)?;
        }
    }
    Ok(())
}

/// The flags of validators on a case or in a group.
fn argument_keys(subject: &Subject<'_>, draft: &mut Draft, setting: &Setting<'_>, dialect: Dialect) -> GroupKeys {
    let Arguments { submission, input_validators, of_input_validator, .. } = setting.arguments;
    if !submission.is_empty() {
        draft.lose("arguments of submissions", "the format has none");
    }
    let of_output = output_flags(subject, draft, setting);
    let mut joined = |words: &[String]| {
        if words.iter().any(|word| word.is_empty() || word.contains(char::is_whitespace)) {
            draft.lose("arguments with blanks", "the format separates flags by blanks");
        }
        words.join(" ")
    };
    let input_validator_flags = if of_input_validator.is_empty() {
        (!input_validators.is_empty()).then(|| OfInput::All(joined(input_validators)))
    } else {
        let named = of_input_validator.iter().map(|(name, words)| (name.clone(), joined(words))).collect();
        Some(OfInput::Named(named))
    };
    let output_validator_flags = (!of_output.is_empty()).then(|| joined(&of_output));
    if dialect != Dialect::Icpc && matches!(input_validator_flags, Some(OfInput::Named(_))) {
        draft.lose("arguments of single input validators", "all input validators get the same flags");
        return GroupKeys { output_validator_flags, ..GroupKeys::default() };
    }
    GroupKeys { input_validator_flags, output_validator_flags, ..GroupKeys::default() }
}

/// Writes the files of a case.
fn case(draft: &mut Draft, one: &PlacedCase<'_>, extras: &[(String, PathBuf)]) {
    let work = one.setting().work;
    draft.copy(&format!("data/{}", one.path(".in")), &one.input());
    match &one.answer {
        Some(answer) => draft.copy(&format!("data/{}", one.path(".ans")), answer),
        None => draft.text(&format!("data/{}", one.path(".ans")), ""),
    }
    if !work.files.is_empty() {
        draft.lose("files beside submissions", "submissions read only standard input");
    }
    if let Some(output) = &work.output {
        draft.lose(format!("output file {}", output.display()), "submissions print their output");
    }
    if let Some(file) = settings_file(one.group, one.case) {
        let document = Document::load(&file);
        for (key, ending) in [("hint", ".hint"), ("description", ".desc")] {
            if let Some(Value::Text(text)) = document.value(&[key]) {
                draft.text(&format!("data/{}", one.path(ending)), text.clone());
            }
        }
    }
    for (ending, from) in extras {
        match ending.as_str() {
            ".hint" | ".desc" | ".interaction" | ".png" | ".jpg" | ".jpeg" | ".svg" => {
                draft.copy(&format!("data/{}", one.path(ending)), from);
            }
            _ => {}
        }
    }
}

/// Writes the tests of input validators, if the format has any.
fn validation_data(subject: &Subject<'_>, draft: &mut Draft, dialect: Dialect) -> Result<(), ExportError> {
    for folder in VALIDATION_DIRS {
        let dir = subject.data.join(folder);
        let files = files_below(subject.problem, &dir)?;
        if dialect == Dialect::Icpc && folder.starts_with("invalid_input") {
            for file in files.iter().filter(|file| Path::new(file).extension().is_some_and(|ending| ending == "in")) {
                draft.copy(&format!("data/invalid_inputs/{file}"), &dir.join(file));
            }
        } else if !files.is_empty() {
            draft.leave_out(format!("data/{folder}/"), "the format has no tests of validators");
        }
    }
    if !subject.problem.validation_cases.is_empty() {
        let number = subject.problem.validation_cases.len();
        draft.leave_out(format!("{number} tests of checker and validators"), "the format has no place for them");
    }
    Ok(())
}

/// Writes the grader of the package.
fn own_grader(draft: &mut Draft, program: &Program) -> Result<(), ExportError> {
    let (dir, files) = program.parts().unwrap_or_default();
    for file in files {
        draft.copy(&format!("graders/{}", unicode(&file)?), &dir.join(&file));
    }
    Ok(())
}
