//! The ICPC problem package format 2025-09.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;

use super::comparison::{output_flags, own_comparison, words_of};
use super::draft::Draft;
use super::judge_files::JudgeLanguages;
use super::labels::{self, entry};
use super::listing::{files_below, read_text, unicode};
use super::placed::{Extras, PlacedCase, SAMPLE, SECRET, extras_of, place, plain, settings_file};
use super::subject::{Subject, only_group};
use super::yaml::{Number, Words};
use super::{ArchiveLayout, ExportError, Target, graded, point_groups, programs, statements};
use crate::package::document::{Document, ListItem, TableEntry, Value};
use crate::package::testdata::VALIDATION_DIRS;
use crate::problem::{
    Aggregation, Arguments, Constants, Distances, Problem, ProblemKind, Protocol, Purpose, ScoreTree, Scoring, Setting,
    TestGroup,
};

/// The version that is written.
pub(crate) const VERSION: &str = "2025-09";

pub(super) const TARGET: Target = Target {
    name: "icpc-2025-09",
    summary: "the ICPC problem package format 2025-09, as BAPCtools reads it",
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
        "full_feedback",
    ],
    labels_by_points: false,
    draft: |subject, out| {
        draft(subject, out, Reader::Others)?;
        beyond_bapctools(subject.problem, out);
        downloads(out);
        Ok(())
    },
};

/// The same for a package that grader itself reads: its validators may be in any language, and its comparison any.
pub(super) const OWN: Target = Target { draft: |subject, out| draft(subject, out, Reader::Grader), ..TARGET };

/// The intended reader of the package.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reader {
    Grader,
    Others,
}

/// The languages of validators that the format promises. `BAPCtools` rejects others (`languages.py`).
const JUDGE_LANGUAGES: JudgeLanguages = JudgeLanguages {
    endings: &["c", "cc", "cpp", "cxx", "c++", "C", "py", "py2", "py3", "ctd", "viva"],
    reason: "the format promises C, C++ and Python for validators",
    scripts: true,
};

/// `problem.yaml`.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Metadata {
    pub(crate) problem_format_version: &'static str,
    pub(crate) r#type: Words,
    pub(crate) name: BTreeMap<String, String>,
    pub(crate) uuid: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) version: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) credits: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) source: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) license: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rights_owner: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) embargo_until: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) keywords: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) languages: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) allow_file_writing: Option<Value>,
    pub(crate) limits: Limits,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) constants: Option<Value>,
    /// A comparison in the words of grader, which has no flags.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) checker: Option<String>,
    /// The protocol of all validators in the words of grader, if it is not that of the format.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) validator_protocol: Option<&'static str>,
}

/// `limits` in `problem.yaml`: times in seconds, sizes in MiB.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Limits {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) time_multipliers: Option<BTreeMap<&'static str, f64>>,
    pub(crate) time_limit: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) time_resolution: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) memory: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) output: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) validation_time: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) validation_memory: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) validation_output: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) validation_passes: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) code: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) compilation_time: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) compilation_memory: Option<Value>,
}

fn draft(subject: &Subject<'_>, draft: &mut Draft, reader: Reader) -> Result<(), ExportError> {
    let translated = match &subject.problem.scoring {
        Some(Scoring::Graded(grading)) => Some(graded::translated(subject, grading, draft)),
        Some(Scoring::Points(_)) | None => None,
    };
    let problem = translated.as_ref().unwrap_or(subject.problem);
    let divided = point_groups::divided(problem);
    let mut subject = subject.of(divided.as_ref().unwrap_or(problem));
    let (languages, endings): (_, &[&str]) = match reader {
        Reader::Grader => (JudgeLanguages::ANY, &["tex", "md", "pdf", "html", "txt"]),
        Reader::Others => (JUDGE_LANGUAGES, &["tex", "md", "pdf"]),
    };
    if reader == Reader::Grader {
        subject.stated_checker = own_comparison(&subject);
        let mut judges = subject.problem.output_validators.iter().chain(&subject.problem.input_validators).peekable();
        let is_cms = judges.peek().is_some() && judges.all(|judge| subject.protocol(judge) == Protocol::Cms);
        subject.stated_protocol = is_cms.then_some(Protocol::Cms);
    }
    let subject = &subject;
    let problem = subject.problem;
    // The format has constants itself.
    let kept = Constants::default();
    unstated_limits(problem, draft);
    test_data(subject, draft)?;
    validation_data(subject, draft)?;
    programs::input_validators(subject, draft, languages, &kept)?;
    programs::output_validators(subject, draft, "output_validator", languages, &kept)?;
    if let Some(program) = &problem.static_validator {
        programs::judge_program(subject, draft, program, ("static_validator", ""), languages, &kept)?;
    }
    programs::visualizers(subject, draft, &kept)?;
    programs::includes(subject, draft, &kept)?;
    labels::current(subject, draft, &kept)?;
    if statements::statements(subject, draft, "statement", endings, &kept)? == 0 {
        draft.miss("a statement", "the format requires one: statement/problem.en.md");
    }
    let checker = subject.stated_checker.map(words_of);
    let validator_protocol = subject.stated_protocol.map(Protocol::name);
    let name = statements::titles(subject, draft, "statement");
    draft.yaml("problem.yaml", &Metadata { name, checker, validator_protocol, ..metadata(subject, VERSION) })?;
    if problem.input_validators.is_empty() {
        draft.miss("an input validator", "the format requires one");
    }
    for folder in ["solution", "answer_validators"] {
        programs::folder(problem, draft, &problem.dir.join(folder), folder, &kept)?;
    }
    statements::attachments(subject, draft, "attachments")?;
    generators(subject, draft)
}

/// Reports parts of the format that `BAPCtools` does not have: other tools do (its `problem.py` and `test_case.py`).
fn beyond_bapctools(problem: &Problem, draft: &mut Draft) {
    let mut miss = |what: &str| draft.miss("a tool other than BAPCtools", format!("BAPCtools has no {what}"));
    if problem.scoring.is_some() {
        miss("problems with points");
    }
    if problem.kind == ProblemKind::SubmitAnswer {
        miss("submit-answer problems");
    }
    if problem.static_validator.is_some() {
        miss("static validation");
    }
    let has = |ending: &str| {
        let is_so = |path: &str| statements::problem_file(path).is_some_and(|(_, own)| own == ending);
        draft.paths().filter_map(|path| path.strip_prefix("statement/")).any(is_so)
    };
    if has("md") && !has("tex") {
        draft.miss("a statement in TeX", "BAPCtools shows no Markdown");
    }
}

/// Writes the downloads of samples that a conversation shows: the files of the case itself. `BAPCtools` accepts
/// no conversation without them.
fn downloads(draft: &mut Draft) {
    let stem = |path: &str| path.strip_suffix(".interaction").map(str::to_owned);
    for stem in draft.paths().filter_map(stem).collect::<Vec<_>>() {
        for ending in [".in", ".ans"] {
            let (from, to) = (format!("{stem}{ending}"), format!("{stem}{ending}.download"));
            if !draft.has(&from) || draft.has(&to) {
                continue;
            }
            match (draft.text_of(&from).map(<[u8]>::to_vec), draft.origin(&from).map(Path::to_owned)) {
                (Some(text), _) => draft.text(&to, text),
                (None, Some(file)) => draft.copy(&to, &file),
                (None, None) => {}
            }
        }
    }
}

/// Writes the generators, if they are wanted. Those of packages that keep them elsewhere come without their commands.
pub(super) fn generators(subject: &Subject<'_>, draft: &mut Draft) -> Result<(), ExportError> {
    let dir = subject.problem.dir.join("generators");
    let has_folder = dir.is_dir();
    let has_others = !subject.generators.is_empty();
    if has_folder && subject.with_generators {
        programs::folder(subject.problem, draft, &dir, "generators", &Constants::default())?;
    } else if has_folder {
        draft.leave_out("generators/", "add them with --with-generators");
    } else if has_others && subject.with_generators {
        for (name, program) in &subject.generators {
            let to = ("generators", name.as_str());
            programs::judge_program(subject, draft, program, to, JudgeLanguages::ANY, &Constants::default())?;
        }
        draft.leave_out("the commands of generators", "the tests that they made are kept");
    } else if has_others {
        let names: Vec<&str> = subject.generators.keys().map(String::as_str).collect();
        draft.leave_out(format!("generators {}", names.join(", ")), "add them with --with-generators");
    }
    Ok(())
}

/// Reports limits that no version of the package format can state.
pub(super) fn unstated_limits(problem: &Problem, draft: &mut Draft) {
    if problem.limits.wall.is_some() {
        draft.lose("limits.wall_limit", "the format limits only CPU time");
    }
    if problem.limits.processes.is_some() {
        draft.lose("limits.processes", "the format does not limit processes");
    }
    let groups = problem.groups.iter().filter(|_| only_group(problem).is_none());
    for group in groups.filter(|group| group.limits != <_>::default()) {
        draft.lose(format!("limits of {}", group.name), "all groups have the same limits");
    }
}

/// `problem.yaml` in a version of the format from 2023-07 on.
pub(super) fn metadata(subject: &Subject<'_>, version: &'static str) -> Metadata {
    let problem = subject.problem;
    let description = &subject.description;
    let value = |key: &str| description.value(key).cloned();
    let authors = |names: &[String]| match names {
        [] => None,
        [one] => Some(Value::Text(one.clone())),
        several => {
            let names = several.iter().map(|name| ListItem::from(Value::Text(name.clone()))).collect();
            Some(Value::Table(vec![entry("authors", Value::List(names))]))
        }
    };
    let source = description.source.as_ref().map(|source| match &source.url {
        None => Value::Text(source.name.clone()),
        Some(url) => {
            Value::Table(vec![entry("name", Value::Text(source.name.clone())), entry("url", Value::Text(url.clone()))])
        }
    });
    Metadata {
        problem_format_version: version,
        r#type: kind_words(problem).into(),
        name: description.names.clone(),
        uuid: description.uuid.clone(),
        version: value("version"),
        credits: value("credits").or_else(|| authors(&description.authors)),
        source,
        license: value("license"),
        rights_owner: value("rights_owner"),
        embargo_until: value("embargo_until"),
        keywords: description.keywords(),
        languages: value("languages"),
        allow_file_writing: value("allow_file_writing"),
        limits: limits(subject),
        constants: constants(&problem.additions.constants),
        checker: None,
        validator_protocol: None,
    }
}

/// The words of `type`.
fn kind_words(problem: &Problem) -> Vec<&'static str> {
    let scoring = problem.scoring.is_some();
    let mut words = if scoring { vec!["scoring"] } else { Vec::new() };
    match problem.kind {
        ProblemKind::PassFail => {}
        ProblemKind::Interactive => words.push("interactive"),
        ProblemKind::MultiPass => words.push("multi-pass"),
        ProblemKind::InteractiveMultiPass => words.extend(["interactive", "multi-pass"]),
        ProblemKind::SubmitAnswer => words.push("submit-answer"),
    }
    if words.is_empty() { vec!["pass-fail"] } else { words }
}

/// The resolutions that are tried for a time limit, in seconds.
const RESOLUTIONS: [f64; 6] = [1.0, 0.5, 0.1, 0.05, 0.01, 0.001];

/// `limits` with the time limit stated.
pub(super) fn limits(subject: &Subject<'_>) -> Limits {
    let problem = subject.problem;
    let default = Distances::default();
    let Distances { ac_to_time_limit, time_limit_to_tle, resolution, .. } = problem.distances;
    let is_default = |value: f64, usual: f64| (value - usual).abs() < 1e-9;
    let all = [
        ("ac_to_time_limit", ac_to_time_limit, default.ac_to_time_limit),
        ("time_limit_to_tle", time_limit_to_tle, default.time_limit_to_tle),
    ];
    let multipliers: BTreeMap<&str, f64> = all
        .into_iter()
        .filter(|(_, value, usual)| !is_default(*value, *usual))
        .map(|(key, value, _)| (key, value))
        .collect();
    let time_limit = subject.time_limit().as_secs_f64();
    let divides = |step: f64| ((time_limit / step).round() * step - time_limit).abs() < 1e-9;
    let own = resolution.as_secs_f64();
    let resolution =
        if divides(own) { own } else { RESOLUTIONS.into_iter().find(|step| divides(*step)).unwrap_or(own) };
    let whole = |time: Duration| time.as_secs() + u64::from(time.subsec_nanos() > 0);
    let of_validation = &problem.validation;
    let stated = |key: &str| subject.description.value(key).cloned();
    Limits {
        time_multipliers: (!multipliers.is_empty()).then_some(multipliers),
        time_limit,
        time_resolution: (!is_default(resolution, default.resolution.as_secs_f64())).then_some(resolution),
        memory: subject.stated_memory(),
        output: subject.stated_output(),
        validation_time: of_validation.time.map(whole),
        validation_memory: of_validation.memory.map(super::subject::mebibytes),
        validation_output: of_validation.output.map(super::subject::mebibytes),
        validation_passes: (problem.kind.is_multi_pass() && problem.passes != 2).then_some(problem.passes),
        code: stated("limits.code"),
        compilation_time: stated("limits.compilation_time"),
        compilation_memory: stated("limits.compilation_memory"),
    }
}

/// The constants with their variants.
fn constants(constants: &Constants) -> Option<Value> {
    let mut entries: Vec<TableEntry> = Vec::new();
    let variants: Vec<(&str, &str, &str)> = constants
        .iter()
        .filter_map(|(full, value)| full.split_once('.').map(|(name, variant)| (name, variant, value)))
        .collect();
    for (name, value) in constants.iter().filter(|(name, _)| !name.contains('.')) {
        let own: Vec<TableEntry> = variants
            .iter()
            .filter(|(of, ..)| *of == name)
            .map(|(_, variant, value)| entry(variant, Value::Text((*value).to_owned())))
            .collect();
        let has_variants = own.iter().any(|variant| variant.key != "value");
        entries.push(entry(name, if has_variants { Value::Table(own) } else { Value::Text(value.to_owned()) }));
    }
    (!entries.is_empty()).then_some(Value::Table(entries))
}

/// The keys of `test_group.yaml` and of the file of a case for the arguments of programs.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
struct ArgumentKeys {
    #[serde(skip_serializing_if = "Option::is_none")]
    args: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_validator_args: Option<OfInput>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_validator_args: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_visualizer_args: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_visualizer_args: Option<Vec<String>>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
enum OfInput {
    All(Vec<String>),
    Named(BTreeMap<String, Vec<String>>),
}

/// `test_group.yaml`.
#[derive(Debug, Default, Serialize)]
struct GroupKeys {
    #[serde(skip_serializing_if = "Option::is_none")]
    max_score: Option<MaxScore>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score_aggregation: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    require_pass: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    static_validation_score: Option<MaxScore>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    static_validator_args: Vec<String>,
    #[serde(flatten)]
    arguments: ArgumentKeys,
    #[serde(skip_serializing_if = "Option::is_none")]
    full_feedback: Option<Value>,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum MaxScore {
    Points(Number),
    Word(&'static str),
}

/// The file of a case.
#[derive(Debug, Default, Serialize)]
struct CaseKeys {
    #[serde(flatten)]
    arguments: ArgumentKeys,
    #[serde(flatten)]
    information: BTreeMap<&'static str, Value>,
}

/// The file of a group.
pub(super) const GROUP_FILE: &str = "test_group.yaml";

fn test_data(subject: &Subject<'_>, draft: &mut Draft) -> Result<(), ExportError> {
    let placed = place(subject, draft, 1);
    let mut folders: BTreeMap<&str, (&TestGroup, ArgumentKeys)> = BTreeMap::new();
    for one in &placed {
        if !folders.contains_key(&*one.folder) {
            let keys = argument_keys(subject, draft, &one.group.setting());
            folders.insert(&one.folder, (one.group, keys));
        }
    }
    let tree = subject.score_tree();
    if let Some(tree) = tree {
        check_points(subject.problem, tree, draft);
    }
    groups(subject.problem, draft, &folders, tree)?;
    conversations(subject, draft)?;
    let mut extras: BTreeMap<PathBuf, Extras> = BTreeMap::new();
    for one in &placed {
        if !extras.contains_key(&one.group.dir) {
            extras.insert(one.group.dir.clone(), extras_of(subject.problem, one.group)?);
        }
        let others = extras.get(&one.group.dir).and_then(|extras| extras.get(&*one.case.name));
        let (_, of_folder) = &folders[&*one.folder];
        case(subject, draft, one, of_folder, others.map(Vec::as_slice).unwrap_or_default())?;
    }
    Ok(())
}

/// Writes the conversations of samples that are not test cases.
pub(super) fn conversations(subject: &Subject<'_>, draft: &mut Draft) -> Result<(), ExportError> {
    let dir = subject.data.join(SAMPLE);
    for file in files_below(subject.problem, &dir)?.iter().filter(|file| file.ends_with(".interaction")) {
        draft.copy(&format!("data/{SAMPLE}/{file}"), &dir.join(file));
    }
    Ok(())
}

/// Reports points that the keys of groups cannot say.
fn check_points(problem: &Problem, tree: &ScoreTree, draft: &mut Draft) {
    for group in &tree.groups {
        if group.max_score.is_some_and(|points| points.fract() != 0.0) {
            draft.lose(format!("points of {}", group.name), "the format has only whole points, so they are rounded");
        }
    }
    for group in &problem.groups {
        let Some(of) = tree.group_of(&group.name).map(|at| &tree.groups[at]) else { continue };
        let share = match tree.points_of(&group.name) {
            crate::problem::CasePoints::Bounded(points) if of.aggregation == Aggregation::Sum => points,
            _ => continue,
        };
        let differs = |points: f64| (points - share).abs() > 1e-6;
        if group.cases.iter().any(|case| group.setting_of(case).points.is_some_and(differs)) {
            draft.lose(format!("points of the cases in {}", group.name), "all cases of a group have the same points");
        }
    }
}

/// Writes `test_group.yaml` where it says something. Each group below `secret` has one.
fn groups(
    problem: &Problem,
    draft: &mut Draft,
    folders: &BTreeMap<&str, (&TestGroup, ArgumentKeys)>,
    tree: Option<&ScoreTree>,
) -> Result<(), ExportError> {
    let mut names: Vec<String> = folders.keys().map(|folder| (*folder).to_owned()).collect();
    names.extend(tree.iter().flat_map(|tree| &tree.groups).map(|group| folder_of(problem, &group.name)));
    names.sort();
    names.dedup();
    let above = folders.get("secret").map(|(_, keys)| keys.clone()).unwrap_or_default();
    for folder in names {
        let is_below = folder.starts_with("secret/");
        let mut keys = GroupKeys::default();
        if let Some((group, arguments)) = folders.get(&*folder) {
            let inherited = if is_below { above.clone() } else { ArgumentKeys::default() };
            keys.arguments = changes(arguments, &inherited);
            if let Some(stated) = &group.static_validation {
                keys.static_validation_score = Some(
                    stated.max_score.map_or(MaxScore::Word("pass-fail"), |points| MaxScore::Points(points.into())),
                );
                keys.static_validator_args.clone_from(&stated.arguments);
            }
            let file = group.dir.join(GROUP_FILE);
            keys.full_feedback =
                file.is_file().then(|| Document::load(&file).value(&["full_feedback"]).cloned()).flatten();
        }
        if let Some((tree, group)) = tree
            .and_then(|tree| Some((tree, tree.groups.iter().find(|group| folder_of(problem, &group.name) == folder)?)))
            && folder != "sample"
        {
            keys.max_score = Some(
                group.max_score.map_or(MaxScore::Word("unbounded"), |points| MaxScore::Points(points.round().into())),
            );
            keys.score_aggregation = Some(match group.aggregation {
                Aggregation::PassFail => "pass-fail",
                Aggregation::Sum => "sum",
                Aggregation::Min => "min",
            });
            for needed in group.require_pass.iter().map(|at| &tree.groups[*at]) {
                let name = folder_of(problem, &needed.name);
                let why = match needed.aggregation {
                    _ if name == "sample" => None,
                    Aggregation::PassFail => (name >= folder).then(|| format!("{name} does not come before it")),
                    Aggregation::Sum | Aggregation::Min => Some(format!("{name} gives partial points")),
                };
                match why {
                    Some(why) => draft.lose(format!("require_pass of {folder}"), why),
                    None => keys.require_pass.push(name),
                }
            }
        }
        let text = yaml_serde::to_string(&keys);
        let text = text.map_err(|error| ExportError::Yaml { file: format!("{folder}/{GROUP_FILE}"), error })?;
        if text.trim() != "{}" || is_below {
            draft.text(&format!("data/{folder}/{GROUP_FILE}"), text);
        }
    }
    Ok(())
}

/// The folder of a group with points.
fn folder_of(problem: &Problem, name: &str) -> String {
    if only_group(problem).is_some() {
        return SECRET.to_owned();
    }
    name.split('/').map(plain).collect::<Vec<_>>().join("/")
}

/// The arguments on a case or in a group, without those that are empty.
fn argument_keys(subject: &Subject<'_>, draft: &mut Draft, setting: &Setting<'_>) -> ArgumentKeys {
    let Arguments { submission, input_validators, of_input_validator, input_visualizer, output_visualizer, .. } =
        setting.arguments;
    let stated = |words: &Vec<String>| (!words.is_empty()).then(|| words.clone());
    let of_output = output_flags(subject, draft, setting);
    ArgumentKeys {
        args: stated(submission),
        input_validator_args: if of_input_validator.is_empty() {
            stated(input_validators).map(OfInput::All)
        } else {
            Some(OfInput::Named(of_input_validator.clone()))
        },
        output_validator_args: stated(&of_output),
        input_visualizer_args: stated(input_visualizer),
        output_visualizer_args: stated(output_visualizer),
    }
}

/// The keys that differ from those above. An empty list takes an inherited one back.
fn changes(own: &ArgumentKeys, above: &ArgumentKeys) -> ArgumentKeys {
    let words = |own: &Option<Vec<String>>, above: &Option<Vec<String>>| {
        if own == above { None } else { Some(own.clone().unwrap_or_default()) }
    };
    let input = if own.input_validator_args == above.input_validator_args {
        None
    } else {
        Some(own.input_validator_args.clone().unwrap_or_else(|| OfInput::All(Vec::new())))
    };
    ArgumentKeys {
        args: words(&own.args, &above.args),
        input_validator_args: input,
        output_validator_args: words(&own.output_validator_args, &above.output_validator_args),
        input_visualizer_args: words(&own.input_visualizer_args, &above.input_visualizer_args),
        output_visualizer_args: words(&own.output_visualizer_args, &above.output_visualizer_args),
    }
}

/// Writes the files of a case.
fn case(
    subject: &Subject<'_>,
    draft: &mut Draft,
    one: &PlacedCase<'_>,
    of_folder: &ArgumentKeys,
    extras: &[(String, PathBuf)],
) -> Result<(), ExportError> {
    let setting = one.setting();
    draft.copy(&format!("data/{}", one.path(".in")), &one.input());
    match &one.answer {
        Some(answer) => draft.copy(&format!("data/{}", one.path(".ans")), answer),
        None => draft.text(&format!("data/{}", one.path(".ans")), ""),
    }
    for (name, from) in &setting.work.files {
        draft.copy(&format!("data/{}/{}", one.path(".files"), unicode(name)?), from);
    }
    if let Some(output) = &setting.work.output {
        draft.lose(format!("output file {}", output.display()), "submissions print their output");
    }
    if setting.work.directory != PathBuf::new() {
        draft.lose("the directory of submissions", "submissions start where their files are");
    }
    let mut keys =
        CaseKeys { arguments: changes(&argument_keys(subject, draft, &setting), of_folder), ..<_>::default() };
    if let Some(file) = settings_file(one.group, one.case) {
        let document = Document::load(&file);
        for key in ["full_feedback", "hint", "description"] {
            keys.information.extend(document.value(&[key]).cloned().map(|value| (key, value)));
        }
    }
    for (ending, from) in extras {
        let key = match ending.as_str() {
            ".hint" => "hint",
            ".desc" => "description",
            // The answer, if its file has this ending.
            ".out" if one.answer.as_deref() == Some(from) => continue,
            _ => {
                draft.copy(&format!("data/{}", one.path(ending)), from);
                continue;
            }
        };
        let text = read_text(from)?;
        draft.say(from);
        keys.information.entry(key).or_insert(Value::Text(text));
    }
    if keys.arguments != ArgumentKeys::default() || !keys.information.is_empty() {
        draft.yaml(&format!("data/{}", one.path(".yaml")), &keys)?;
    }
    Ok(())
}

/// Writes the tests of validators.
fn validation_data(subject: &Subject<'_>, draft: &mut Draft) -> Result<(), ExportError> {
    for folder in VALIDATION_DIRS {
        let dir = subject.data.join(folder);
        let name = if folder == "invalid_inputs" { "invalid_input" } else { folder };
        for file in files_below(subject.problem, &dir)? {
            draft.copy(&format!("data/{name}/{file}"), &dir.join(&file));
        }
    }
    let mut others = 0;
    for (number, case) in (1..).zip(&subject.problem.validation_cases) {
        if case.purpose == Purpose::InvalidInput && case.input.is_file() {
            draft.copy(&format!("data/invalid_input/{number:03}.in"), &case.input);
        } else {
            others += 1;
        }
    }
    if others > 0 {
        draft.leave_out(format!("{others} tests of checker and validators"), "the format has no place for them");
    }
    Ok(())
}
