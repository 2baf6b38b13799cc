//! The table of all settings: key, type, purpose, and how each is read and shown. Their defaults are in `defaults`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::choice::{ColorChoice, IsolationChoice, Jobs, JudgeChoice, ProtocolChoice, WallLimit, word_of};
use super::course::{self, ATTEMPTS, AddedTo, LateRule, MISSING, POINTS};
use super::{Languages, Layers, Origin, SettingEntry, variable_of};
use crate::course::{AttemptChoice, FilePoints, Missing};
use crate::diagnostic::Diagnostic;
use crate::limits::Bytes;
use crate::package::document::Value;
use crate::package::document::read::{self, Read, Unfit};
use crate::problem::{Checker, OwnProtocol, Protocol, TokenOptions};
use crate::report::diff::DiffStyle;
use crate::report::sources::Comparison;

/// One key of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    /// The dotted name: `limits.memory`.
    pub name: &'static str,
    /// Its purpose, with its unit.
    pub doc: &'static str,
}

macro_rules! settings {
    ($($field:ident: $type:ty, $key:literal, $read:expr, $show:expr, $doc:literal;)*) => {
        /// The values that one layer states. All other values come from the layer below.
        #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct Options {
            $(#[doc = $doc] pub $field: Option<$type>,)*
        }

        /// One value for every setting.
        pub(super) struct Values {
            $(#[doc = $doc] pub(super) $field: $type,)*
        }

        /// The origin of each value.
        #[derive(Debug, Clone, PartialEq)]
        pub struct Origins {
            $(#[doc = $doc] pub $field: Origin,)*
        }

        /// The effective settings after merging all layers, and the origin of each value.
        #[derive(Debug, Clone, PartialEq)]
        pub struct Settings {
            $(#[doc = $doc] pub $field: $type,)*
            /// The settings for languages in `grader.toml`.
            pub languages: Languages,
            /// The directory to which paths in the configuration file are relative: that of the file, or else the
            /// start.
            pub base: PathBuf,
            /// The configuration file, if there is one.
            pub file: Option<PathBuf>,
            /// What of its lists and tables the arguments add to.
            pub added_to: AddedTo,
            /// Warnings about the configuration.
            pub warnings: Vec<Diagnostic>,
            /// Whether programs are built with sanitizers, if their language has them. Only commands set it: nothing
            /// that such a run measures is a measurement of the programs.
            pub sanitize: bool,
            /// Whether the first failure also ends a submission that should be accepted. Only commands set it.
            pub fail_fast: bool,
            /// Whether the time limit only ends a measurement: no verdict depends on a time near it, so no test near it
            /// runs again. Only commands set it.
            pub measures: bool,
            /// The origin of each value as it was merged. A command that changes a value later leaves its origin.
            pub origins: Origins,
            start: PathBuf,
        }

        /// Every key, in the order in which they are shown.
        pub const KEYS: &[Key] = &[$(Key { name: $key, doc: $doc }),*];

        impl Options {
            /// Sets a key from a value.
            pub(super) fn set(&mut self, key: &str, value: &Value) -> Read<()> {
                match key {
                    $($key => self.$field = Some($read(value)?),)*
                    _ => return Err(Unfit::rule("unknown key")),
                }
                Ok(())
            }
        }

        impl Settings {
            /// Merges the layers.
            pub(super) fn resolve(
                layers: Layers,
                file: Option<PathBuf>,
                start: PathBuf,
                warnings: Vec<Diagnostic>,
            ) -> Self {
                let base = file.as_deref().and_then(Path::parent).unwrap_or(&start).to_owned();
                let line = |key: &str| layers.file.lines.get(key).copied().unwrap_or(1);
                let path = file.clone().unwrap_or_default();
                $(
                    let stated = [
                        layers.arguments.$field.map(|value| (value, Origin::Argument)),
                        layers.environment.$field.map(|value| (value, Origin::Environment(variable_of($key)))),
                        layers.file.options.$field
                            .map(|value| (value, Origin::File { path: path.clone(), line: line($key) })),
                        layers.command.$field.map(|value| (value, Origin::Default)),
                    ];
                    let $field = stated.into_iter().flatten().next().unwrap_or((layers.defaults.$field, Origin::Default));
                )*
                let origins = Origins { $($field: $field.1,)* };
                Self { $($field: $field.0,)* languages: layers.file.languages, base, file, added_to: AddedTo::default(), warnings, sanitize: false, fail_fast: false, measures: false,
                    start, origins }
            }

            /// All values, by the rank of their origins: defaults, the file, and what outranks problems.
            pub(super) fn by_rank(&self) -> [Options; 3] {
                let mut layers = <[Options; 3]>::default();
                $(
                    let rank = match &self.origins.$field {
                        Origin::Default => 0,
                        Origin::File { .. } => 1,
                        Origin::Environment(_) | Origin::Argument => 2,
                    };
                    layers[rank].$field = Some(self.$field.clone());
                )*
                layers
            }

            /// Every setting with its value in TOML spelling, its origin and its purpose.
            pub fn entries(&self) -> Vec<SettingEntry> {
                let mut entries = vec![$(SettingEntry {
                    key: $key.to_owned(),
                    value: $show(&self.$field),
                    origin: self.origins.$field.clone(),
                    doc: $doc,
                }),*];
                entries.extend(self.languages.entries(self.file.as_deref()));
                entries
            }
        }
    };
}

settings! {
    problems: Vec<PathBuf>, "problems", read::paths, show::paths,
        "directories with problems, relative to the file";
    testcases: PathBuf, "testcases", read::path, show::path,
        "the directory with the test cases of native problems, relative to the file";
    store: PathBuf, "store", read::path, show::path,
        "the directory for records and the cache, relative to the file";
    keep_runs: u32, "keep_runs", read::count_or_zero, ToString::to_string,
        "number of run records to keep; 0 keeps all";
    jobs: Jobs, "jobs", Jobs::read, |v: &Jobs| show::jobs(*v),
        "how many programs run at once: a number, or auto";
    isolation: IsolationChoice, "isolation",
        |v: &Value| read::word(v, IsolationChoice::WORDS),
        |v: &IsolationChoice| show::quoted(word_of(IsolationChoice::WORDS, v)),
        "isolation layer: root, user, users, weak or none; auto is the first of them that works";
    color: ColorChoice, "color", |v: &Value| read::word(v, ColorChoice::WORDS),
        |v: &ColorChoice| show::quoted(word_of(ColorChoice::WORDS, v)),
        "when to colour: auto, always or never";
    diff: DiffStyle, "diff", |v: &Value| read::word(v, DiffStyle::WORDS),
        |v: &DiffStyle| show::quoted(word_of(DiffStyle::WORDS, v)),
        "how a wrong output is shown: auto, unified, side-by-side or none";
    context: u32, "context", read::count_or_zero, ToString::to_string,
        "lines shown around a difference";
    report_failures: u32, "report_failures", read::count_or_zero, ToString::to_string,
        "how many failing tests of each submission an HTML report explains";
    strict: bool, "strict", read::flag, ToString::to_string,
        "whether warnings and unjudged submissions count as failures";
    cache: bool, "cache", read::flag, ToString::to_string,
        "whether grader reuses results of earlier runs";
    checker: Checker, "checker", read::checker, show::checker,
        "how to compare outputs if neither problem nor group sets it: tokens, exact, float=1e-6, or flags; if nothing sets \
         it, plain folders use case_sensitive";
    validator_protocol: ProtocolChoice, "validator_protocol",
        |v: &Value| read::word(v, ProtocolChoice::WORDS),
        |v: &ProtocolChoice| show::quoted(word_of(ProtocolChoice::WORDS, v)),
        "how output validators, interactors and input validators are run if the problem does not say it: icpc (exit codes \
         42 and 43), testlib (testlib-percent if its points are percent), cms, dmoj or dmoj-coci; auto looks at their sources";
    testlib: PathBuf, "testlib", path_or_none, show::path,
        "testlib.h, relative to the file, for programs of a problem that include it and that do not bring it";
    testset: String, "testset", read::text, |v: &String| show::quoted(v),
        "which list of tests of a Polygon package is judged, by name; empty is `tests`, otherwise the first";
    judge: JudgeChoice, "as", |v: &Value| read::word(v, JudgeChoice::WORDS),
        |v: &JudgeChoice| show::quoted(word_of(JudgeChoice::WORDS, v)),
        "whose rules apply if judges differ: icpc, kattis or domjudge; auto is the judge that a package is for, all \
         also lists the differences";
    repeat: u32, "repeat", read::count, ToString::to_string,
        "how often each test is run";
    all_tests: bool, "all_tests", read::flag, ToString::to_string,
        "whether a submission that should fail runs every test instead of stopping at its first failure";
    time_factor: f64, "time_factor", read::factor, ToString::to_string,
        "multiplies every time limit of submissions, for a slower or faster machine";
    time_limit_to_tle: f64, "time_limit_to_tle", read::factor_from_one, ToString::to_string,
        "grader kills a program at its time limit times this factor, to measure margins";
    partial: bool, "partial", read::flag, ToString::to_string,
        "whether `grader judge` gives each accepted test its share of a problem's point; otherwise only AC gets it";
    weights: BTreeMap<String, f64>, "weights", read::weights, show::weights,
        "what `grader judge` multiplies the points of a problem by: weights = { sum = 2 }";
    attempts: AttemptChoice, "judge.attempts", |v: &Value| read::word(v, ATTEMPTS),
        |v: &AttemptChoice| show::quoted(word_of(ATTEMPTS, v)),
        "which of several submissions of a student for a problem counts: last, best or first";
    missing: Missing, "judge.missing", |v: &Value| read::word(v, MISSING), |v: &Missing| show::quoted(word_of(MISSING, v)),
        "what tables show for a problem for which a student submitted nothing: blank or zero; the total counts zero";
    points: FilePoints, "judge.points", |v: &Value| read::word(v, POINTS), |v: &FilePoints| show::quoted(word_of(POINTS, v)),
        "the points in files that platforms take back: platform for those of the list's maximum, or raw";
    deadline: String, "judge.deadline", course::deadline, |v: &String| show::quoted(v),
        "until when submissions are in time, in ISO 8601; without an offset in the time zone of this machine";
    late: LateRule, "judge.late", LateRule::read, |v: &LateRule| show::quoted(v.text()),
        "what lateness costs: `10 % a day, at most 50 %`; empty for nothing";
    exercises: BTreeMap<String, String>, "judge.exercises", read::names, show::names,
        "the problems that other names of files or folders mean: exercises = { \"mean.py\" = \"stats\" }";
    ignore: Vec<String>, "judge.ignore", read::texts, |v: &Vec<String>| show::texts(v),
        "files and folders that are no part of a submission: globs, matched with the path and with the name";
    members: String, "judge.members", read::text, |v: &String| show::quoted(v),
        "the name of a file in a submission that lists its other authors, an id or name a line: members.txt";
    overrides: PathBuf, "judge.overrides", path_or_none, show::path,
        "a CSV file with grades that people decided, relative to the file";
    similar: f64, "judge.similar", read::share, ToString::to_string,
        "the share from which on two programs are shown as similar, from 0.1 to 1";
    similar_to: Vec<PathBuf>, "judge.similar_to", paths_or_none, |v: &Vec<PathBuf>| show::paths(v),
        "folders with programs of earlier courses, which programs are compared with, relative to the file";
    given: Vec<PathBuf>, "judge.given", paths_or_none, |v: &Vec<PathBuf>| show::paths(v),
        "files and folders that all students were given, whose code does not count as similar, relative to the file";
    time_limit: Duration, "limits.time_limit", read::seconds, show::seconds,
        "cpu time of a submission on one test, in seconds";
    wall_limit: WallLimit, "limits.wall_limit", WallLimit::read, show::wall,
        "elapsed time, in seconds; auto is 2 × cpu time + 1 s";
    memory: Bytes, "limits.memory", read::mebibytes, |v: &Bytes| show::mebibytes(*v),
        "memory of a submission with all its processes, in MiB";
    output: Bytes, "limits.output", read::mebibytes, |v: &Bytes| show::mebibytes(*v),
        "standard output and standard error together, in MiB";
    processes: u32, "limits.processes", read::count, ToString::to_string,
        "processes and threads of a submission alive at once";
    compile_time_limit: Duration, "compile.time_limit", read::seconds, show::seconds,
        "cpu time of a compiler, in seconds";
    compile_wall_limit: WallLimit, "compile.wall_limit", WallLimit::read, show::wall,
        "elapsed time of a compiler, in seconds; auto is 2 × cpu time + 1 s";
    compile_memory: Bytes, "compile.memory", read::mebibytes, |v: &Bytes| show::mebibytes(*v),
        "memory of a compiler, in MiB";
    compile_output: Bytes, "compile.output", read::mebibytes, |v: &Bytes| show::mebibytes(*v),
        "size of a compiler's output files, in MiB";
    compile_processes: u32, "compile.processes", read::count, ToString::to_string,
        "processes and threads of a compiler alive at once";
    validation_time_limit: Duration, "validation.time_limit", read::seconds, show::seconds,
        "cpu time of a validator, interactor or generator, in seconds";
    validation_wall_limit: WallLimit, "validation.wall_limit", WallLimit::read, show::wall,
        "elapsed time of a validator, interactor or generator, in seconds; auto is 2 × cpu time + 1 s";
    validation_memory: Bytes, "validation.memory", read::mebibytes, |v: &Bytes| show::mebibytes(*v),
        "memory of a validator, interactor or generator, in MiB";
    validation_output: Bytes, "validation.output", read::mebibytes, |v: &Bytes| show::mebibytes(*v),
        "output of a validator, interactor or generator, in MiB";
    validation_processes: u32, "validation.processes", read::count, ToString::to_string,
        "processes and threads of a validator, interactor or generator alive at once";
}

impl Settings {
    /// The header of testlib that is named, as an absolute path.
    pub fn testlib_header(&self) -> Option<PathBuf> {
        let is_named = !self.testlib.as_os_str().is_empty();
        is_named.then(|| self.resolve_path(&self.origins.testlib, &self.testlib))
    }

    /// The folders with programs of earlier courses.
    pub fn similar_to_folders(&self) -> Vec<PathBuf> {
        self.similar_to.iter().map(|path| self.resolve_path(&self.origins.similar_to, path)).collect()
    }

    /// The files and folders that all students were given.
    pub fn given_files(&self) -> Vec<PathBuf> {
        self.given.iter().map(|path| self.resolve_path(&self.origins.given, path)).collect()
    }

    /// The comparison of the programs of a class: with which other programs, and from which similarity on.
    pub fn comparison(&self) -> Comparison {
        Comparison { threshold: self.similar, earlier: self.similar_to_folders(), given: self.given_files() }
    }

    /// The protocol of a judging program. A grammar always keeps its own.
    pub fn protocol_for(&self, own: OwnProtocol) -> Protocol {
        let outranks = self.origins.validator_protocol.outranks_problem();
        match (self.validator_protocol, own) {
            (_, OwnProtocol::Stated(Protocol::Checktestdata)) => Protocol::Checktestdata,
            (ProtocolChoice::Always(protocol), OwnProtocol::Guessed(_)) => protocol,
            (ProtocolChoice::Always(protocol), OwnProtocol::Stated(_)) if outranks => protocol,
            (_, own) => own.get(),
        }
    }

    /// The file with grades that people decided, as an absolute path.
    pub fn overrides_file(&self) -> Option<PathBuf> {
        let is_named = !self.overrides.as_os_str().is_empty();
        is_named.then(|| self.resolve_path(&self.origins.overrides, &self.overrides))
    }

    /// The directories that hold problems, as absolute paths.
    pub fn problem_roots(&self) -> Vec<PathBuf> {
        self.problems.iter().map(|path| self.resolve_path(&self.origins.problems, path)).collect()
    }

    /// The directory that holds test cases, as an absolute path.
    pub fn testcases_dir(&self) -> PathBuf {
        self.resolve_path(&self.origins.testcases, &self.testcases)
    }

    /// The directory for records and the cache, as an absolute path.
    pub fn store_dir(&self) -> PathBuf {
        self.resolve_path(&self.origins.store, &self.store)
    }

    /// Resolves a path: relative to the file if the file sets it, otherwise relative to the start directory.
    fn resolve_path(&self, origin: &Origin, path: &Path) -> PathBuf {
        let base = if origin.outranks_problem() { &self.start } else { &self.base };
        // `components` removes a `.` in the path, which people need not see.
        base.join(path).components().collect()
    }
}

/// Reads a path, or an empty text for none.
fn path_or_none(value: &Value) -> Read<PathBuf> {
    match value {
        Value::Text(text) if text.is_empty() => Ok(PathBuf::new()),
        other => read::path(other),
    }
}

/// Reads a list of paths, which may be empty.
fn paths_or_none(value: &Value) -> Read<Vec<PathBuf>> {
    match value {
        Value::List(items) if items.is_empty() => Ok(Vec::new()),
        other => read::paths(other),
    }
}

/// Shows values in TOML spelling.
pub(super) mod show {
    use super::{BTreeMap, Bytes, Checker, Duration, Jobs, Path, PathBuf, TokenOptions, WallLimit};

    pub(super) fn quoted(text: &str) -> String {
        toml::Value::String(text.to_owned()).to_string()
    }

    pub(super) fn path(path: impl AsRef<Path>) -> String {
        quoted(&path.as_ref().to_string_lossy())
    }

    pub(super) fn paths(paths: &[PathBuf]) -> String {
        format!("[{}]", paths.iter().map(path).collect::<Vec<_>>().join(", "))
    }

    pub(super) fn weights(weights: &BTreeMap<String, f64>) -> String {
        let table: toml::Table = weights.iter().map(|(name, weight)| (name.clone(), (*weight).into())).collect();
        toml::Value::Table(table).to_string()
    }

    pub(super) fn names(names: &BTreeMap<String, String>) -> String {
        let table: toml::Table = names.iter().map(|(name, other)| (name.clone(), other.clone().into())).collect();
        toml::Value::Table(table).to_string()
    }

    pub(super) fn texts(texts: &[String]) -> String {
        format!("[{}]", texts.iter().map(|text| quoted(text)).collect::<Vec<_>>().join(", "))
    }

    pub(super) fn jobs(jobs: Jobs) -> String {
        match jobs {
            Jobs::Auto => quoted("auto"),
            Jobs::Count(count) => count.to_string(),
        }
    }

    pub(in crate::config) fn seconds(time: &Duration) -> String {
        time.as_secs_f64().to_string()
    }

    pub(super) fn wall(wall: &WallLimit) -> String {
        match wall {
            WallLimit::Auto => quoted("auto"),
            WallLimit::Fixed(time) => seconds(time),
        }
    }

    pub(in crate::config) fn mebibytes(bytes: Bytes) -> String {
        (bytes.0 / Bytes::mib(1).0).to_string()
    }

    pub(super) fn checker(checker: &Checker) -> String {
        quoted(&match checker {
            Checker::Exact => "exact".to_owned(),
            Checker::Contains => "contains".to_owned(),
            Checker::Regex => "regex".to_owned(),
            Checker::Unordered => "unordered".to_owned(),
            // Only problems with functions have it.
            Checker::Value(_) => "values".to_owned(),
            Checker::Tokens(options) => token_words(options),
            Checker::Standard(standard) => standard.to_string(),
        })
    }

    fn token_words(options: &TokenOptions) -> String {
        let mut words = Vec::new();
        match (options.float_relative, options.float_absolute) {
            (Some(relative), Some(absolute)) if relative.to_bits() == absolute.to_bits() => {
                words.push(format!("float_tolerance {relative:e}"));
            }
            (relative, absolute) => {
                words.extend(relative.map(|tolerance| format!("float_relative_tolerance {tolerance:e}")));
                words.extend(absolute.map(|tolerance| format!("float_absolute_tolerance {tolerance:e}")));
            }
        }
        words.extend(options.case_sensitive.then(|| "case_sensitive".to_owned()));
        words.extend(options.space_change_sensitive.then(|| "space_change_sensitive".to_owned()));
        words.extend(options.line_sensitive.then(|| "line_sensitive".to_owned()));
        if words.is_empty() { "tokens".to_owned() } else { words.join(" ") }
    }
}
