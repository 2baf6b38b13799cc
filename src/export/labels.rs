//! Says the expectations of submissions with folders, and in 2025-09 with `submissions.yaml`.

use std::collections::BTreeMap;
use std::path::Path;

use super::draft::Draft;
use super::programs::{file_name, submission};
use super::subject::Subject;
use super::{ExportError, listing};
use crate::package::document::{ListItem, TableEntry, Value};
use crate::package::expectations::rule_in;
use crate::problem::{CasePoints, Constants, Expectation, Program, Rule, ScoreRange, Submission, TestGroup};
use crate::program_files::{Dialect, dialect};
use crate::verdict::{Verdict, VerdictSet};

use Verdict::{
    Accepted as AC, CompileError as CE, MemoryLimit as MLE, OutputLimit as OLE, RunTimeError as RTE, TimeLimit as TLE,
    WrongAnswer as WA,
};

/// The folders that say something in 2025-09.
const CURRENT: [&str; 6] =
    ["accepted", "rejected", "wrong_answer", "time_limit_exceeded", "run_time_error", "brute_force"];

/// The folder of submissions whose expectation is in `submissions.yaml` alone.
const MIXED: &str = "mixed";

/// The annotation that says the expectation in the source.
const ANNOTATION: &str = "@EXPECTED_RESULTS@";

/// The annotation that says the points in the source.
const SCORE_ANNOTATION: &str = "@EXPECTED_SCORE@";

/// Paths below `submissions/` that are taken, in lower-case letters: each with its folder in the problem and the path
/// itself.
#[derive(Default)]
struct UsedPaths(BTreeMap<String, (String, String)>);

impl UsedPaths {
    /// A path of the submission in a folder. Two names in one folder of the problem that differ only by the case of letters
    /// stay: [`Draft::check_names`] refuses them.
    fn path(&mut self, folder: &str, of: &Submission) -> String {
        let name = file_name(of);
        let above = of.id.as_str().split('/').next().unwrap_or_default();
        let candidates = [format!("{folder}/{name}"), format!("{folder}/{above}-{name}")].into_iter();
        let mut candidates = candidates.chain((2u32..).map(|number| format!("{folder}/{number}-{name}")));
        let mut is_free = |path: &String| match self.0.get(&path.to_lowercase()) {
            Some((folder, other)) => folder == above && other != path,
            None => self.0.insert(path.to_lowercase(), (above.to_owned(), path.clone())).is_none(),
        };
        candidates.find(|path| is_free(path)).unwrap_or_default()
    }
}

/// Writes the submissions with the expectations of 2025-09.
pub(super) fn current(subject: &Subject<'_>, draft: &mut Draft, constants: &Constants) -> Result<(), ExportError> {
    let problem = subject.problem;
    let mut taken = UsedPaths::default();
    let mut document = Vec::new();
    let renames = problem.groups.iter().any(|group| !["sample", "secret"].contains(&top(&group.name)));
    for (at, one) in problem.submissions.iter().enumerate() {
        if matches!(one.program, Program::Command(_) | Program::Grammar(_)) {
            draft.lose(format!("submission {}", one.id), "it is a command, and has no source");
            continue;
        }
        let rules = one.expectation.rules.iter().map(|rule| with_range(subject, without_details(rule)));
        let rules: Vec<Rule> = rules.flat_map(apart).collect();
        if rules.iter().any(|rule| rule.required.contains(CE)) {
            draft.lose(format!("submission {}", one.id), "the format has no submissions that must not compile");
            continue;
        }
        let above = one.id.as_str().split_once('/').map_or("", |(above, _)| above);
        let has_score =
            rules.iter().any(|rule| rule.cases.is_none() && matches!(rule.score, Some(ScoreRange::Between(..))));
        let says =
            |folder: &&str| folder_rule(folder, has_score || problem.scoring.is_none()).as_ref() == rules.first();
        let folder = [above].into_iter().chain(CURRENT).filter(|folder| CURRENT.contains(folder)).find(says);
        let stated = rules[usize::from(folder.is_some())..].iter().map(|rule| with_full_points(subject, rule));
        let stated: Vec<Rule> = stated.collect();
        if renames && stated.iter().any(|rule| rule.cases.is_some()) {
            draft.lose(format!("expectations of {}", one.id), "the groups that they name have other names");
        }
        let unnamed = if above.is_empty() || rule_in(above, false).is_some() { MIXED } else { above };
        let path = taken.path(folder.unwrap_or(unnamed), one);
        let mut keys = Vec::new();
        put(&mut keys, "language", language_of(draft, one).map(|code| Value::Text(code.to_owned())));
        if one.expectation.rules.iter().any(is_more_than_run_time_error) {
            draft.leave_out(
                format!("MLE and OLE of {}", one.id),
                "RTE stands for both in submissions.yaml and its folders",
            );
        }
        put(&mut keys, "entrypoint", one.entry_point.clone().map(Value::Text));
        put(&mut keys, "model_solution", problem.is_reference(at).then_some(Value::Bool(true)));
        if !say(&mut keys, &stated) {
            draft.lose(format!("expectations of {}", one.id), "submissions.yaml has no keys for them");
        }
        if !keys.is_empty() {
            document.push(entry(&path, Value::Table(keys)));
        }
        submission(problem, draft, one, &format!("submissions/{path}"), constants)?;
    }
    for helper in &problem.helpers {
        draft.leave_out(helper.program.id.as_str(), format!("a {} beside the solvers", helper.role.name()));
    }
    if !document.is_empty() {
        draft.yaml("submissions/submissions.yaml", &Value::Table(document))?;
    }
    Ok(())
}

fn top(name: &str) -> &str {
    name.split('/').next().unwrap_or_default()
}

/// The rule of a folder as readers adapt it. `without_points`: the problem has no points, or `submissions.yaml` states some.
fn folder_rule(folder: &str, without_points: bool) -> Option<Rule> {
    let mut rule = rule_in(folder, false)?;
    if without_points {
        rule.score = None;
    }
    Some(rule)
}

/// The least difference between points of submissions if they need not be whole.
pub(super) const STEP: f64 = 0.001;

/// The most points of a group, or of a submission, and the least difference between points. None without a bound.
fn attainable(subject: &Subject<'_>, group: Option<&str>) -> Option<(f64, f64)> {
    let tree = subject.score_tree()?;
    let most = match group.filter(|group| **group != *tree.groups[tree.total].name) {
        None => tree.attainable()?,
        Some(name) => tree.groups.iter().find(|group| *group.name == *name)?.max_score?,
    };
    let is_whole = |group: &TestGroup| match tree.points_of(&group.name) {
        CasePoints::Bounded(points) | CasePoints::OfGroup(points) => points.fract() == 0.0,
        CasePoints::Ignored => true,
        CasePoints::Unbounded | CasePoints::Legacy { .. } => false,
    };
    let has_own = subject.problem.cases().any(|(group, case)| group.setting_of(case).points.is_some());
    let whole = !has_own && !subject.validator_gives_points() && subject.problem.groups.iter().all(is_whole);
    Some((most, if whole { 1.0 } else { STEP }))
}

/// The rule with the least and the most points in place of words, which `submissions.yaml` does not have. Without points,
/// a rule says none.
fn with_range(subject: &Subject<'_>, rule: Rule) -> Rule {
    if subject.score_tree().is_none() {
        return Rule { score: None, ..rule };
    }
    let Some((most, step)) = rule.score.and_then(|_| attainable(subject, rule.cases.as_deref())) else { return rule };
    match rule.score {
        Some(ScoreRange::Partial) if 2.0 * step <= most => {
            Rule { score: Some(ScoreRange::Between(step, most - step)), ..rule }
        }
        // A failure takes points, so the points say both.
        Some(ScoreRange::Less) => {
            let score = Some(ScoreRange::Between(0.0, (most - step).max(0.0)));
            Rule { score, required: VerdictSet::default(), ..rule }
        }
        _ => rule,
    }
}

/// The rule with a number in place of all points, which only the folder `accepted/` says otherwise.
fn with_full_points(subject: &Subject<'_>, rule: &Rule) -> Rule {
    let most = attainable(subject, rule.cases.as_deref()).filter(|_| rule.score == Some(ScoreRange::Full));
    let score = most.map_or(rule.score, |(most, _)| Some(ScoreRange::Between(most, most)));
    Rule { score, ..rule.clone() }
}

/// A rule about verdicts and points as two rules, so that a folder can say the verdicts.
fn apart(rule: Rule) -> Vec<Rule> {
    let all = VerdictSet::of(&Verdict::ALL);
    let says_verdicts = rule.permitted != all || !rule.required.is_empty();
    match rule.score {
        Some(ScoreRange::Between(..)) if says_verdicts && rule.cases.is_none() => {
            let points = points_alone(&rule);
            vec![Rule { score: None, ..rule }, points]
        }
        _ => vec![rule],
    }
}

/// The rule about the points alone.
fn points_alone(rule: &Rule) -> Rule {
    let all = VerdictSet::of(&Verdict::ALL);
    Rule { score: rule.score, ..Rule::of_verdicts(rule.cases.clone(), all, VerdictSet::default()) }
}

/// The rule with the verdicts of the format, which counts limits of memory and output as run-time errors.
fn without_details(rule: &Rule) -> Rule {
    let all = VerdictSet::of(&Verdict::ALL);
    let plain = |set: VerdictSet| {
        if set == all {
            return all;
        }
        set.iter().map(|verdict| if [MLE, OLE].contains(&verdict) { RTE } else { verdict }).collect()
    };
    Rule { permitted: plain(rule.permitted), required: plain(rule.required), ..rule.clone() }
}

/// Adds the keys for rules. Returns whether the document can say all of them.
fn say(keys: &mut Vec<TableEntry>, rules: &[Rule]) -> bool {
    let mut scopes: Vec<&Option<String>> = Vec::new();
    for rule in rules {
        if !scopes.contains(&&rule.cases) {
            scopes.push(&rule.cases);
        }
    }
    let mut whole = true;
    for scope in scopes {
        let of_scope: Vec<&Rule> = rules.iter().filter(|rule| rule.cases == *scope).collect();
        let mut stated = Vec::new();
        let bounds = |rule: &Rule| match (rule.permitted, rule.required) {
            (permitted, required) if permitted == VerdictSet::of(&[AC, WA, RTE]) && required.is_empty() => {
                Some("lower")
            }
            (permitted, required)
                if permitted == VerdictSet::of(&Verdict::ALL) && required == VerdictSet::of(&[TLE]) =>
            {
                Some("upper")
            }
            _ => None,
        };
        match of_scope[..] {
            [rule] => whole &= say_rule(&mut stated, rule),
            [rule, points] if rule.score.is_none() && *points == points_alone(points) => {
                whole &= say_rule(&mut stated, &Rule { score: points.score, ..rule.clone() });
            }
            [rule, bound] if bounds(bound).is_some() => {
                whole &= say_rule(&mut stated, rule);
                put(&mut stated, "use_for_time_limit", bounds(bound).map(|side| Value::Text(side.to_owned())));
            }
            _ => whole = false,
        }
        match scope {
            None => keys.append(&mut stated),
            Some(cases) => keys.push(entry(cases, Value::Table(stated))),
        }
    }
    whole
}

fn say_rule(keys: &mut Vec<TableEntry>, rule: &Rule) -> bool {
    let words = |set: VerdictSet| {
        Value::List(set.iter().map(|verdict| ListItem::from(Value::Text(verdict.to_string()))).collect())
    };
    let all = VerdictSet::of(&Verdict::ALL);
    let is_known = |set: VerdictSet| set.iter().all(|verdict| [AC, WA, TLE, RTE].contains(&verdict));
    put(keys, "permitted", (rule.permitted != all).then(|| words(rule.permitted)));
    put(keys, "required", (!rule.required.is_empty()).then(|| words(rule.required)));
    put(keys, "message", rule.message.clone().map(Value::Text));
    put(keys, "use_for_time_limit", (!rule.timed).then_some(Value::Bool(false)));
    let number = |points: f64| super::yaml::Number::from(points).value();
    let score = match rule.score {
        Some(ScoreRange::Between(least, most)) if least < most => {
            Some(Value::List(vec![number(least).into(), number(most).into()]))
        }
        Some(ScoreRange::Between(points, _)) => Some(number(points)),
        Some(ScoreRange::Full | ScoreRange::Partial | ScoreRange::Less) | None => None,
    };
    let has_score = score.is_some() || rule.score.is_none();
    put(keys, "score", score);
    has_score && is_known(rule.required) && (rule.permitted == all || is_known(rule.permitted))
}

fn put(keys: &mut Vec<TableEntry>, key: &str, value: Option<Value>) {
    keys.extend(value.map(|value| entry(key, value)));
}

/// A key with its value.
pub(super) fn entry(key: &str, value: Value) -> TableEntry {
    TableEntry { key: key.to_owned(), value, place: None }
}

/// Which folders and words of sources the reader of a legacy package knows.
#[derive(Debug, Clone, Copy)]
pub(super) struct LegacyLabels {
    /// Whether it reads `@EXPECTED_RESULTS@` in sources.
    pub(super) annotations: bool,
}

/// Writes the submissions into the folders of the legacy format.
pub(super) fn legacy(
    subject: &Subject<'_>,
    draft: &mut Draft,
    labels: LegacyLabels,
    constants: &Constants,
) -> Result<(), ExportError> {
    let mut taken = UsedPaths::default();
    for one in &subject.problem.submissions {
        let above = one.id.as_str().split_once('/').map_or("", |(above, _)| above);
        let is_annotated = labels.annotations && one.expectation.source == ANNOTATION;
        let label = folder(subject, one);
        if let (Some(label), Some(by_verdict)) = (label, folder_of_verdict(&one.expectation))
            && label != by_verdict
        {
            draft.leave_out(format!("the label {by_verdict} of {}", one.id), format!("its points are {label}"));
        }
        let comment = if label == Some(PARTIAL) { points_annotation(one) } else { annotation(one) };
        let comment = comment.filter(|_| labels.annotations);
        let is_said = comment.is_some() || labels.annotations && annotates_points(one);
        if let Some(points @ ScoreRange::Between(..)) = stated_points(&one.expectation).filter(|_| !is_said) {
            draft.leave_out(format!("{points} of {}", one.id), "the format has no place for the number");
        }
        let folder = match label {
            _ if matches!(one.program, Program::Command(_) | Program::Grammar(_)) => None,
            // Its source says more than a folder could.
            _ if is_annotated => Some(if above.is_empty() { MIXED } else { above }),
            Some(folder) => Some(folder),
            None => comment.is_some().then_some(MIXED),
        };
        let Some(folder) = folder else {
            let expects = one.expectation.summary();
            draft.lose(format!("submission {}", one.id), format!("no folder says that {expects} is expected"));
            continue;
        };
        if one.expectation.rules.len() > 1 || one.expectation.rules.iter().any(|rule| rule.message.is_some()) {
            draft.leave_out(format!("expectations of {}", one.id), format!("only {folder}/ is kept"));
        }
        let entry_point = one.entry_point.as_deref().filter(|entry| !is_evident(one, entry));
        if let Some(stated) = language_of(draft, one).or(entry_point) {
            draft.lose(format!("{stated} of {}", one.id), "the format finds language and entry point by the files");
        }
        let path = format!("submissions/{}", taken.path(folder, one));
        match (comment.filter(|_| [MIXED, PARTIAL].contains(&folder) && !is_annotated), &one.program) {
            (Some(comment), Program::File(from)) => with_comment(draft, from, &path, &comment, constants)?,
            _ => submission(subject.problem, draft, one, &path, constants)?,
        }
    }
    for helper in &subject.problem.helpers {
        draft.leave_out(helper.program.id.as_str(), format!("a {} beside the solvers", helper.role.name()));
    }
    Ok(())
}

/// The language that a submission states. Reports a dialect such as `cpp17`, which other formats cannot state. The usual
/// one is that of every file without a statement.
fn language_of<'s>(draft: &mut Draft, one: &'s Submission) -> Option<&'s str> {
    let stated = one.language.as_deref()?;
    match dialect(stated) {
        None => return Some(stated),
        Some(Dialect::Usual) => {}
        Some(Dialect::Other) => {
            let why = "the judge compiles with its own options, so check there that it accepts the program";
            draft.leave_out(format!("the version of the language of {}, {stated}", one.id), why);
        }
    }
    None
}

/// Whether a rule distinguishes limits of memory and output from other run-time errors.
fn is_more_than_run_time_error(rule: &Rule) -> bool {
    let says = |set: VerdictSet| set != VerdictSet::of(&Verdict::ALL) && (set.contains(MLE) || set.contains(OLE));
    says(rule.permitted) && !rule.permitted.contains(RTE) || says(rule.required) && !rule.required.contains(RTE)
}

/// Whether other tools start the same file, because no other source could be meant.
fn is_evident(one: &Submission, entry: &str) -> bool {
    let Program::Directory { files, .. } = &one.program else { return false };
    let ending = Path::new(entry).extension();
    files.iter().any(|file| file == Path::new(entry))
        && files.iter().filter(|file| file.extension() == ending).count() == 1
}

/// How a comment begins in sources with these endings.
const COMMENTS: [(&str, &[&str]); 2] = [
    ("//", &["c", "cc", "cpp", "cxx", "java", "kt", "rs", "go", "js", "cs", "swift", "scala", "d", "dart"]),
    ("#", &["py", "py2", "py3", "rb", "sh", "pl", "jl"]),
];

/// The comment that says the expectation of a submission of one file; none if it expects nothing in particular, or if its
/// language is not known here.
fn annotation(one: &Submission) -> Option<String> {
    let Program::File(path) = &one.program else { return None };
    let ending = path.extension()?.to_str()?;
    let mark = comment_mark(ending)?;
    let required = required(&one.expectation);
    let word = |verdict| match verdict {
        WA => Some("WRONG-ANSWER"),
        TLE => Some("TIMELIMIT"),
        RTE => Some("RUN-ERROR"),
        CE => Some("COMPILER-ERROR"),
        _ => None,
    };
    let words: Vec<&str> = required.iter().filter_map(word).collect();
    (!words.is_empty() && !required.contains(AC)).then(|| format!("{mark} {ANNOTATION}: {}", words.join(", ")))
}

/// The comment that says the points of a submission of one file; none if its source says them, or if they are a range.
fn points_annotation(one: &Submission) -> Option<String> {
    let (Program::File(path), Some(ScoreRange::Between(least, most))) = (&one.program, stated_points(&one.expectation))
    else {
        return None;
    };
    let mark = comment_mark(path.extension()?.to_str()?)?;
    (least >= most && !annotates_points(one)).then(|| format!("{mark} {SCORE_ANNOTATION}: {most}"))
}

/// Whether the source of a submission says its points. A file that cannot be read is reported when it is copied.
fn annotates_points(one: &Submission) -> bool {
    let says =
        |path: &Path| listing::read(path).is_ok_and(|text| String::from_utf8_lossy(&text).contains(SCORE_ANNOTATION));
    one.program.files().iter().any(|file| says(file))
}

/// How a comment begins in sources with this ending; none if that is not known here.
pub(super) fn comment_mark(ending: &str) -> Option<&'static str> {
    COMMENTS.iter().find(|(_, endings)| endings.contains(&ending)).map(|(mark, _)| *mark)
}

/// Writes a source with a comment at its end.
pub(super) fn with_comment(
    draft: &mut Draft,
    from: &Path,
    path: &str,
    comment: &str,
    constants: &Constants,
) -> Result<(), ExportError> {
    let failed = |error| ExportError::Read { path: from.to_owned(), error };
    let text = listing::read(from).map_err(failed)?;
    let text = constants.replace(&text).map_err(|error| ExportError::TooLarge { path: from.to_owned(), error })?;
    let end: &[u8] = if text.ends_with(b"\n") { b"" } else { b"\n" };
    draft.text(path, [&text, end, comment.as_bytes(), b"\n"].concat());
    Ok(())
}

/// The verdicts of which a submission must get one, as the format names them.
fn required(expectation: &Expectation) -> VerdictSet {
    expectation.rules.iter().flat_map(|rule| without_details(rule).required.iter().collect::<Vec<_>>()).collect()
}

/// The ids of the submissions whose folder in the legacy format follows from points that their labels do not say: there, a
/// submission with some points is not rejected.
pub(crate) fn without_stated_points(subject: &Subject<'_>) -> Vec<String> {
    let is_unknown = |one: &&Submission| {
        let expectation = &one.expectation;
        let is_stated = stated_points(expectation).is_some_and(|stated| !is_any(stated));
        !expectation.wants_all_accepted() && !expectation.is_open() && !is_stated
    };
    let all = subject.problem.submissions.iter().filter(|_| subject.score_tree().is_some());
    all.filter(is_unknown).map(|one| one.id.to_string()).collect()
}

/// The points that an expectation states for the whole submission: partial points or a range.
fn stated_points(expectation: &Expectation) -> Option<ScoreRange> {
    let mut whole = expectation.rules.iter().filter(|rule| rule.cases.is_none()).filter_map(|rule| rule.score);
    whole.find(|score| matches!(score, ScoreRange::Partial | ScoreRange::Between(..)))
}

/// Whether points in the range may be none or some, which have different folders.
fn is_any(range: ScoreRange) -> bool {
    matches!(range, ScoreRange::Between(least, most) if least <= 0.0 && most > 0.0)
}

/// The folder of the legacy format for a submission; none if no folder says what is expected.
fn folder(subject: &Subject<'_>, one: &Submission) -> Option<&'static str> {
    let expectation = &one.expectation;
    let stated = stated_points(expectation);
    let by_verdict = folder_of_verdict(expectation);
    if expectation.wants_all_accepted() || subject.problem.scoring.is_none() {
        return by_verdict;
    }
    let Some(tree) = subject.score_tree() else {
        return by_verdict.or(stated.map(|_| PARTIAL));
    };
    let is_all = |points: f64| tree.attainable().is_some_and(|most| points > most - 1e-9);
    let earned = subject.earned.get(one.id.as_str()).map(|points| (*points, *points));
    let range = match stated {
        Some(ScoreRange::Partial) => return Some(PARTIAL),
        Some(range @ ScoreRange::Between(least, most)) if !is_any(range) || earned.is_none() => Some((least, most)),
        _ => earned,
    };
    match range {
        Some((least, _)) if is_all(least) => Some("accepted"),
        Some((least, most)) if least > 0.0 && !is_all(most) => Some(PARTIAL),
        Some((_, most)) if most > 0.0 => None,
        Some(_) | None => by_verdict,
    }
}

/// The folder of submissions with some points but not all.
const PARTIAL: &str = "partially_accepted";

/// The folder of the legacy format for the verdicts of an expectation; none if no folder says it.
fn folder_of_verdict(expectation: &Expectation) -> Option<&'static str> {
    let folders = ["accepted", "wrong_answer", "time_limit_exceeded", "run_time_error"];
    let named = folders.into_iter().find(|folder| expectation.source.strip_suffix('/') == Some(folder));
    if named.is_some() || expectation.wants_all_accepted() {
        return named.or(Some("accepted"));
    }
    match required(expectation).iter().collect::<Vec<_>>()[..] {
        [WA] => Some("wrong_answer"),
        [TLE] => Some("time_limit_exceeded"),
        [RTE] => Some("run_time_error"),
        _ => None,
    }
}
