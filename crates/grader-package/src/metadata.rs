//! Reads `problem.toml`, `problem.yaml`, `test_group.toml` and `test_group.yaml`: the settings of a problem and its
//! groups.
//!
//! Keys are those of the package format (2025-09, "Problem metadata" and "Test data configuration"; legacy where noted)
//! and a few of grader. An unknown key is an error in TOML, but a warning in YAML, which other tools extend freely.

pub(crate) mod legacy;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::document::read::{self, Read, Unfit};
use crate::document::{Document, Value, is_there};
use crate::driver;
use crate::reader::Reader;
use crate::rules::Rules;
use crate::{additions, scoring, static_validation};
use grader_model::diagnostic::Severity;
use grader_model::problem::{Arguments, Checker, Constants, LimitOptions, ProblemKind, Protocol};
use legacy::StatedGrading;

/// The settings of a problem.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Metadata {
    /// The title, in English if there are several.
    pub name: Option<String>,
    /// How a submission runs: the type without `scoring`.
    pub kind: ProblemKind,
    /// The most runs of a submission on one case; none means one.
    pub passes: Option<u32>,
    /// Whether submissions get points.
    pub scoring: bool,
    /// The reference, as written.
    pub reference: Option<String>,
    /// The built-in comparison.
    pub checker: Option<Checker>,
    /// The limits of submissions.
    pub limits: LimitOptions,
    /// The limits of the output validator.
    pub validation: LimitOptions,
    /// Legacy `validator_flags` for the problem's own output validator.
    pub validator_flags: Vec<String>,
    /// Whether legacy `validation` says that the problem has its own output validator.
    pub custom: bool,
    /// The values for `{{name}}`.
    pub constants: Constants,
    /// The protocol of its judging programs, if it is stated.
    pub protocol: Option<Protocol>,
    /// The command of a generator that makes a random input.
    pub random_input: Option<String>,
    /// The function that each test calls.
    pub function: Option<String>,
    /// The file of unit tests, relative to the problem.
    pub unit_tests: Option<String>,
}

/// The settings of a group.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct GroupConfig {
    /// The limits of submissions on the cases of the group.
    pub limits: LimitOptions,
    /// The built-in comparison.
    pub checker: Option<Checker>,
    /// The points in its file; none if it has no file.
    pub points: Option<scoring::StatedPoints>,
    /// The static validation that it requests, if any.
    pub static_validation: Option<static_validation::StatedValidation>,
    /// The arguments of programs.
    pub arguments: StatedArguments,
    /// How the group of a legacy package is graded.
    pub grading: StatedGrading,
}

/// The arguments of programs that a group or case states. Missing ones are inherited.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct StatedArguments {
    submission: Option<Vec<String>>,
    input: Option<OfInput>,
    output: Option<Vec<String>>,
    input_visualizer: Option<Vec<String>>,
    output_visualizer: Option<Vec<String>>,
}

/// The arguments of input validators: for all of them, or for each by name.
#[derive(Debug, Clone, PartialEq)]
enum OfInput {
    All(Vec<String>),
    Named(BTreeMap<String, Vec<String>>),
}

impl StatedArguments {
    /// Merges the two: values in `self` win, and `above` fills in missing ones.
    #[must_use]
    pub(crate) fn or(self, above: &Self) -> Self {
        Self {
            submission: self.submission.or_else(|| above.submission.clone()),
            input: self.input.or_else(|| above.input.clone()),
            output: self.output.or_else(|| above.output.clone()),
            input_visualizer: self.input_visualizer.or_else(|| above.input_visualizer.clone()),
            output_visualizer: self.output_visualizer.or_else(|| above.output_visualizer.clone()),
        }
    }

    /// Returns the effective arguments.
    pub(crate) fn resolve(&self, rules: &Rules) -> Arguments {
        let (input_validators, of_input_validator) = match self.input.clone() {
            None => <_>::default(),
            Some(OfInput::All(all)) => (all, BTreeMap::new()),
            Some(OfInput::Named(named)) => (Vec::new(), named),
        };
        let output_validator = match &self.output {
            _ if !rules.own_validator => Vec::new(),
            Some(own) if rules.legacy => [&rules.flags[..], own].concat(),
            Some(own) => own.clone(),
            None => rules.flags.clone(),
        };
        let submission = self.submission.clone().unwrap_or_default();
        let input_visualizer = self.input_visualizer.clone().unwrap_or_default();
        let output_visualizer = self.output_visualizer.clone().unwrap_or_default();
        Arguments {
            submission,
            input_validators,
            of_input_validator,
            output_validator,
            input_visualizer,
            output_visualizer,
        }
    }
}

impl GroupConfig {
    /// Merges the two: values in `self` win, and `above` fills in missing ones. Points and static validation belong to
    /// one directory and are not inherited.
    #[must_use]
    pub(crate) fn or(self, above: &Self) -> Self {
        Self {
            limits: self.limits.or(&above.limits),
            checker: self.checker.or(above.checker),
            arguments: self.arguments.or(&above.arguments),
            grading: self.grading.or(&above.grading),
            points: self.points,
            static_validation: self.static_validation,
        }
    }
}

/// Keys of a problem that are applied.
pub const PROBLEM_KEYS: &[&str] = &[
    "name",
    "type",
    "constants",
    "reference",
    "random_input",
    "checker",
    "entry.function",
    "entry.tests",
    "validator_protocol",
    "limits.time_limit",
    "limits.wall_limit",
    "limits.memory",
    "limits.output",
    "limits.processes",
    "limits.validation_passes",
    "limits.validation_time",
    "limits.validation_memory",
    "limits.validation_output",
    "verify.allow",
];

/// Keys of the package formats that do not concern judging.
const INFORMATION: &[&str] = &[
    "problem_format_version",
    "uuid",
    "version",
    "credits",
    "source",
    "source_url",
    "author",
    "license",
    "rights_owner",
    "embargo_until",
    "keywords",
    "limits.time_multipliers",
    "limits.time_multiplier",
    "limits.time_safety_margin",
    "limits.time_resolution",
];

/// Keys of the package formats that may matter for judging, but that grader ignores. Other judges may therefore judge
/// the package differently.
const NOT_APPLIED: &[&str] = &[
    "languages",
    "allow_file_writing",
    "grading",
    "limits.code",
    "limits.compilation_time",
    "limits.compilation_memory",
];

/// Legacy keys that are applied.
const LEGACY: &[&str] = &["validation", "validator_flags"];

/// Keys of a group that are applied.
pub const GROUP_KEYS: &[&str] = &[
    "output_validator_args",
    "checker",
    "limits.time_limit",
    "limits.wall_limit",
    "limits.memory",
    "limits.output",
    "limits.processes",
];

/// Keys of a group or case for statements.
const GROUP_INFORMATION: &[&str] = &["full_feedback", "hint", "description"];

/// Reports `problem.toml` and `problem.yaml` in one directory as an error, because they may contradict each other.
/// Returns whether both exist.
pub(crate) fn refuse_both(reader: &Reader<'_>, dir: &Path) -> bool {
    let [toml, yaml] = ["problem.toml", "problem.yaml"].map(|name| dir.join(name));
    let both = is_there(&toml) && is_there(&yaml);
    if both {
        reader.error(&toml, "both problem.toml and problem.yaml exist", "keep one of the two");
    }
    both
}

/// Reads the settings of the problem in `dir` from `problem.toml` or `problem.yaml`. Having both is an error.
pub(crate) fn read_problem(reader: &Reader<'_>, dir: &Path) -> Metadata {
    if refuse_both(reader, dir) {
        return Metadata::default();
    }
    let [toml, yaml] = ["problem.toml", "problem.yaml"].map(|name| dir.join(name));
    match (is_there(&toml), is_there(&yaml)) {
        (true, _) => problem_of(reader, Document::load(&toml), Severity::Error, &[]),
        (false, true) => problem_of(reader, Document::load(&yaml), Severity::Warning, &[]),
        (false, false) => Metadata::default(),
    }
}

/// Reads a problem's keys from a document. `unknown` is the severity of an unknown key; `applied` are keys that are
/// read elsewhere.
pub(crate) fn problem_of(reader: &Reader<'_>, mut document: Document, unknown: Severity, applied: &[&str]) -> Metadata {
    let legacy = document.get("validation", validation).unwrap_or_default();
    let (kind, scoring) = document.get("type", kind).unwrap_or_default();
    let kind = legacy_kind(&mut document, kind, &legacy);
    let metadata = Metadata {
        name: document.get("name", name),
        kind,
        passes: passes(&mut document, kind, unknown),
        scoring,
        reference: document.get("reference", read::text),
        checker: document.get("checker", read::checker).or_else(|| legacy_checker(&mut document, &legacy)),
        limits: read_limits(&mut document, &["limits"]),
        validation: LimitOptions {
            time: document.get("limits.validation_time", read::seconds),
            memory: document.get("limits.validation_memory", read::mebibytes),
            output: document.get("limits.validation_output", read::mebibytes),
            ..LimitOptions::default()
        },
        validator_flags: legacy_flags(&mut document, &legacy),
        custom: legacy.starts_with("custom"),
        constants: document.get("constants", additions::constants).unwrap_or_default(),
        protocol: document.get("validator_protocol", |value| read::word(value, Protocol::WORDS)),
        random_input: document.get("random_input", read::text),
        function: document.get("entry.function", function),
        unit_tests: document.get("entry.tests", read::text),
    };
    for key in NOT_APPLIED.iter().filter(|key| document.has(key) && !applied.contains(key)).collect::<Vec<_>>() {
        let path: Vec<&str> = key.split('.').collect();
        let means_nothing = document.get(key, |value| Ok(states_default(value))).unwrap_or_default();
        if !means_nothing {
            document.not_applied(&path);
        }
    }
    document.check_keys(&[PROBLEM_KEYS, INFORMATION, NOT_APPLIED, LEGACY].concat(), unknown);
    document.finish().into_iter().for_each(|found| reader.report(found));
    metadata
}

/// The words of the legacy key `validation` (legacy package format, "Problem Metadata").
const VALIDATION: [&str; 5] = ["default", "custom", "interactive", "score", "multi-pass"];

/// The value of the legacy key `validation`. A misspelled word would silently choose the default output validator.
fn validation(value: &Value) -> Read<String> {
    let text = read::text(value)?;
    match text.split_whitespace().find(|word| !VALIDATION.contains(word)) {
        Some(unknown) => Err(Unfit::rule(format!("unknown word `{unknown}`; known are {}", VALIDATION.join(", ")))),
        None => Ok(text),
    }
}

/// The kind, completed by legacy `validation`: `custom interactive multi-pass`.
fn legacy_kind(document: &mut Document, kind: ProblemKind, validation: &str) -> ProblemKind {
    let says = |word: &str| validation.split_whitespace().any(|other| other == word);
    let interactive = says("interactive");
    let multi_pass = says("multi-pass");
    if kind == ProblemKind::SubmitAnswer && (interactive || multi_pass) {
        document.report(
            &["validation"],
            Severity::Error,
            "`submit-answer` cannot be combined with `interactive` or `multi-pass`",
        );
    }
    match (kind.is_interactive() || interactive, kind.is_multi_pass() || multi_pass) {
        (true, true) => ProblemKind::InteractiveMultiPass,
        (true, false) => ProblemKind::Interactive,
        (false, true) => ProblemKind::MultiPass,
        (false, false) => kind,
    }
}

/// The name of a function.
fn function(value: &Value) -> Read<String> {
    let name = read::text(value)?;
    if driver::is_identifier(&name) {
        Ok(name)
    } else {
        Err(Unfit::rule(format!("`{name}` cannot be the name of a function")))
    }
}

/// The number of passes if none is stated (package format 2025-09, "Multi-pass limit").
const PASSES: u32 = 2;

/// The most runs of a submission on one case.
fn passes(document: &mut Document, kind: ProblemKind, unknown: Severity) -> Option<u32> {
    let at_least_two = |value: &Value| match read::count(value)? {
        1 => Err(Unfit::rule("expected at least 2 passes")),
        count => Ok(count),
    };
    let stated = document.get("limits.validation_passes", at_least_two);
    if kind.is_multi_pass() {
        return Some(stated.unwrap_or(PASSES));
    }
    if stated.is_some() {
        let message = "`limits.validation_passes` has no effect, because the problem is not of type `multi-pass`";
        document.report(&["limits", "validation_passes"], unknown, message);
    }
    None
}

/// Whether a value has no effect, as in `languages: all` and `allow_file_writing: false`.
fn states_default(value: &Value) -> bool {
    matches!(value, Value::Bool(false)) || matches!(value, Value::Text(text) if text == "all")
}

/// Legacy `validator_flags`. They are for the default output validator, unless the problem has its own.
fn legacy_checker(document: &mut Document, validation: &str) -> Option<Checker> {
    if validation.starts_with("custom") { None } else { document.get("validator_flags", read::validator_flags) }
}

/// Legacy `validator_flags` for the problem's own output validator.
fn legacy_flags(document: &mut Document, validation: &str) -> Vec<String> {
    if validation.starts_with("custom") {
        document.get("validator_flags", read::words).unwrap_or_default()
    } else {
        Vec::new()
    }
}

/// The limits that a table can state.
pub const LIMIT_KEYS: &[&str] = &["time_limit", "wall_limit", "memory", "output", "processes"];

/// Reads the limits that the table at `path` states.
pub fn read_limits(document: &mut Document, path: &[&str]) -> LimitOptions {
    let at = |key| [path, &[key]].concat();
    LimitOptions {
        time: document.get_at(&at("time_limit"), read::seconds),
        wall: document.get_at(&at("wall_limit"), read::seconds),
        memory: document.get_at(&at("memory"), read::mebibytes),
        output: document.get_at(&at("output"), read::mebibytes),
        processes: document.get_at(&at("processes"), read::count),
    }
}

/// Reads a title: a string, or one for each language.
fn name(value: &Value) -> Read<String> {
    let Value::Table(entries) = value else { return read::text(value) };
    let english = entries.iter().find(|entry| entry.key == "en").or_else(|| entries.first());
    english.map_or_else(|| Err(Unfit::rule("no name in any language")), |entry| read::text(&entry.value))
}

/// Reads a type of one or several words: how a submission runs, and whether it gets points.
fn kind(value: &Value) -> Read<(ProblemKind, bool)> {
    let words = read::texts(value)?;
    for word in &words {
        match word.as_str() {
            "pass-fail" | "scoring" | "multi-pass" | "interactive" | "submit-answer" => {}
            unknown => {
                let known = "`pass-fail`, `scoring`, `multi-pass`, `interactive` or `submit-answer`";
                return Err(Unfit::expected(known, format!("`{unknown}`")));
            }
        }
        if words.iter().filter(|other| *other == word).count() > 1 {
            return Err(Unfit::rule(format!("`{word}` appears twice")));
        }
    }
    let has = |word: &str| words.iter().any(|other| other == word);
    if has("pass-fail") && has("scoring") {
        return Err(Unfit::rule("a problem is either `pass-fail` or `scoring`"));
    }
    let kind = match (has("submit-answer"), has("interactive"), has("multi-pass")) {
        (true, false, false) => ProblemKind::SubmitAnswer,
        (true, ..) => return Err(Unfit::rule("`submit-answer` cannot be combined with `multi-pass` or `interactive`")),
        (false, true, true) => ProblemKind::InteractiveMultiPass,
        (false, true, false) => ProblemKind::Interactive,
        (false, false, true) => ProblemKind::MultiPass,
        (false, false, false) => ProblemKind::PassFail,
    };
    Ok((kind, has("scoring")))
}

/// Reads the configuration files in one directory of test data.
pub(crate) fn read_group(reader: &Reader<'_>, files: &[PathBuf], rules: &Rules) -> GroupConfig {
    let is_legacy = |file: &&PathBuf| file.ends_with("testdata.yaml");
    if let ([file], true) = (files, rules.legacy)
        && is_legacy(&file)
    {
        return legacy::read(reader, Document::load(file), rules);
    }
    for file in files.iter().filter(is_legacy) {
        reader.error(file, "configuration of the legacy format is not supported", "write test_group.yaml");
    }
    let current: Vec<&PathBuf> = files.iter().filter(|file| !is_legacy(file)).collect();
    match current[..] {
        [] => GroupConfig::default(),
        [file] => {
            let yaml = file.extension().is_some_and(|extension| extension == "yaml");
            let unknown = if yaml { Severity::Warning } else { Severity::Error };
            group_of(reader, Document::load_with(file, &reader.constants), unknown, rules)
        }
        [first, ..] => {
            let message = "both test_group.toml and test_group.yaml exist";
            reader.error(first, message, "keep one of the two");
            GroupConfig::default()
        }
    }
}

fn group_of(reader: &Reader<'_>, mut document: Document, unknown: Severity, rules: &Rules) -> GroupConfig {
    let arguments = arguments(&mut document);
    let flags = if rules.own_validator { None } else { document.get("output_validator_args", read::validator_flags) };
    let checker = document.get("checker", read::checker);
    if checker.is_some() && rules.own_validator {
        let remedy = Some("remove it; `output_validator_args` sets the arguments of the validator".to_owned());
        let message = "`checker` has no effect, because the problem has an output validator".to_owned();
        document.report_with(&["checker"], Severity::Error, message, remedy);
    }
    if flags.is_some() && checker.is_some() {
        document.report(
            &["checker"],
            Severity::Error,
            "both `checker` and `output_validator_args` are set; keep one of the two",
        );
    }
    let limits = read_limits(&mut document, &["limits"]);
    let config = GroupConfig {
        limits,
        checker: checker.or(flags),
        arguments,
        points: Some(scoring::read(&mut document)),
        static_validation: static_validation::read(&mut document),
        grading: StatedGrading::default(),
    };
    let known = [GROUP_KEYS, GROUP_INFORMATION, scoring::KEYS, static_validation::KEYS, ARGUMENTS];
    document.check_keys(&known.concat(), unknown);
    document.finish().into_iter().for_each(|found| reader.report(found));
    config
}

/// The settings of a single case.
#[derive(Debug, Default)]
pub(crate) struct CaseConfig {
    /// The arguments of programs.
    pub arguments: StatedArguments,
    /// The built-in comparison, for problems without an output validator.
    pub checker: Option<Checker>,
}

/// Reads the configuration of a single case.
pub(crate) fn read_case(reader: &Reader<'_>, mut document: Document, rules: &Rules) -> CaseConfig {
    let arguments = arguments(&mut document);
    let checker = if rules.own_validator { None } else { document.get("output_validator_args", read::validator_flags) };
    document.check_keys(&[GROUP_INFORMATION, ARGUMENTS].concat(), Severity::Warning);
    document.finish().into_iter().for_each(|found| reader.report(found));
    CaseConfig { arguments, checker }
}

/// Keys of a group or case for the arguments of programs.
const ARGUMENTS: &[&str] =
    &["args", "input_validator_args", "output_validator_args", "input_visualizer_args", "output_visualizer_args"];

fn arguments(document: &mut Document) -> StatedArguments {
    StatedArguments {
        submission: document.get("args", read::words),
        input: document.get("input_validator_args", of_input),
        output: document.get("output_validator_args", read::words),
        input_visualizer: document.get("input_visualizer_args", read::words),
        output_visualizer: document.get("output_visualizer_args", read::words),
    }
}

/// Reads a list for every input validator, or one list for each by name.
fn of_input(value: &Value) -> Read<OfInput> {
    let Value::Table(entries) = value else { return read::words(value).map(OfInput::All) };
    let named = entries.iter().map(|entry| Ok((entry.key.clone(), read::words(&entry.value)?)));
    named.collect::<Read<_>>().map(OfInput::Named)
}

impl GroupConfig {
    /// The settings in a `testdata.yaml` of the legacy format.
    pub(super) fn of_legacy(document: &mut Document, rules: &Rules) -> Self {
        let arguments = StatedArguments {
            submission: None,
            input: document.get("input_validator_flags", of_input),
            output: document.get("output_validator_flags", read::words),
            ..StatedArguments::default()
        };
        let flags = arguments.output.clone().filter(|_| !rules.own_validator);
        let checker = flags.and_then(|flags| {
            let all = [&rules.flags[..], &flags].concat().join(" ");
            document.get("output_validator_flags", |_| Ok(Checker::from_flags(&all)?))
        });
        Self { checker, arguments, ..Self::default() }
    }
}
