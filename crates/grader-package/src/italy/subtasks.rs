//! The tests of a task, and its subtasks with their points: those of `task.yaml`, otherwise those of `gen/cases.gen` or
//! `gen/GEN`. Without subtasks, each test has an equal share.

use std::collections::BTreeSet;
use std::path::Path;

use super::description::{StatedScore, StatedSubtask, TestChoice};
use super::test_list::{ListedSubtask, ListedTest, MOST_TESTS, Remark, StatedPrograms, TestList};
use super::{ORIGINAL, Task};
use super::{cases_file, gen_file};
use crate::document::load_text;
use crate::reader::is_package_name;
use grader_model::diagnostic::{Diagnostic, Severity, TextPosition};
use grader_model::problem::{Aggregation, ScoreGroup, ScoreTree};

/// The name that task-maker gives to the tests of a task without `gen/GEN`.
const STATIC: &str = "static-testcases";
/// The group of tests that the statement shows.
pub(super) const SAMPLE: &str = "sample";
/// The group of the tests with points.
const SECRET: &str = "secret";
/// The points that CMS demands of the subtasks in `gen/GEN`.
const ALL_POINTS: f64 = 100.0;

/// The tests and subtasks of a task.
#[derive(Debug)]
pub(super) struct TaskSubtasks {
    /// The line of each test in a list of tests, by its number from 0; none for tests that no list names.
    pub(super) tests: Vec<Option<ListedTest>>,
    /// The list of tests, for messages.
    pub(super) file: &'static str,
    /// The programs that it names.
    pub(super) programs: Option<StatedPrograms>,
    /// The subtasks that have tests.
    pub(super) list: Vec<Subtask>,
}

/// Tests that give points together.
#[derive(Debug)]
pub(super) struct Subtask {
    /// Its number, from 1.
    pub(super) number: usize,
    pub(super) points: f64,
    pub(super) kind: SubtaskKind,
    /// Its name for task-maker.
    pub(super) name: Option<String>,
    /// The name of its validator, if the list of tests names validators.
    pub(super) validator: Option<String>,
    /// The numbers of its tests.
    pub(super) tests: Vec<usize>,
    /// The full name of its group.
    pub(super) group: String,
}

/// How the points of a subtask follow from the results of its tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SubtaskKind {
    /// The least counts.
    Min,
    /// Each test gives an equal share.
    Sum,
}

impl Task<'_> {
    /// Reads the tests and subtasks. Reports mistakes, and what CMS and task-maker understand differently.
    pub(super) fn subtasks(&self) -> TaskSubtasks {
        let (file, listed) = self.listed_tests();
        let count = self.count(file, listed.as_ref());
        let mut list = self.subtasks_of(file, listed.as_ref(), count);
        list.retain(|subtask| !subtask.tests.is_empty());
        name_groups(&mut list);
        self.remark(&list, count);
        let TestList { tests, programs, .. } = listed.unwrap_or_default();
        let own = if tests.len() == count { tests } else { Vec::new() };
        let tests = own.into_iter().map(Some).chain(std::iter::repeat_with(|| None)).take(count).collect();
        TaskSubtasks { tests, file, programs, list }
    }

    /// Reads the list of tests, if there is one, and returns its name. Reports its mistakes.
    fn listed_tests(&self) -> (&'static str, Option<TestList>) {
        type Parse = fn(&str) -> (TestList, Vec<Remark>);
        let lists: [(&str, Parse); 2] = [(cases_file::PATH, cases_file::parse), (gen_file::PATH, gen_file::parse)];
        let Some((name, file, parse)) =
            lists.into_iter().find_map(|(name, parse)| Some((name, self.there(name)?, parse)))
        else {
            return (gen_file::PATH, None);
        };
        let text = match load_text(&file) {
            Ok(text) => text,
            Err(found) => {
                self.reader.report(found);
                return (name, None);
            }
        };
        let (read, remarks) = parse(&text);
        let found = remarks.into_iter().map(|Remark { severity, line, message, remedy }| {
            Diagnostic::new(severity, message).about(&file).at(Some(place(line))).remedy(remedy)
        });
        let (errors, others): (Vec<_>, Vec<_>) = found.partition(Diagnostic::is_error);
        self.reader.report_many(&file, errors);
        self.reader.report_many(&file, others);
        (name, Some(read))
    }

    /// The number of tests.
    fn count(&self, file: &str, listed: Option<&TestList>) -> usize {
        let description = &self.description;
        let stated = description.tests.map(|tests| tests as usize);
        let refuse = |message: String, remedy: &str| {
            let found = Diagnostic::error(&description.file, message).at(description.places.tests);
            self.reader.report(found.remedy(remedy));
        };
        // With points in `task.yaml`, CMS does not look into the list.
        let is_listed = description.score.is_none();
        if let (Some(stated), Some(listed)) = (stated, listed)
            && is_listed
            && stated != listed.tests.len()
        {
            let message = format!("`n_input` is {stated}, and {file} lists {} tests", listed.tests.len());
            refuse(message, "correct one of them: CMS refuses such a task");
        }
        if stated.is_some_and(|stated| stated > MOST_TESTS) {
            refuse(format!("more than {MOST_TESTS} tests, which grader does not read"), "");
        }
        let first = stated.filter(|_| !is_listed);
        let count = first.or(listed.map(|listed| listed.tests.len())).or(stated).unwrap_or_else(|| self.inputs());
        if count == 0 {
            let message =
                format!("no tests: neither {file} nor `n_input` says how many, and there is no input/input0.txt");
            let found = Diagnostic::error(&description.file, message);
            self.reader.report(found.remedy("add input/input0.txt with output/output0.txt").unfinished());
        }
        count.min(MOST_TESTS)
    }

    /// The number of inputs without a gap.
    fn inputs(&self) -> usize {
        (0..MOST_TESTS).take_while(|number| self.there(&format!("input/input{number}.txt")).is_some()).count()
    }

    fn subtasks_of(&self, file: &str, listed: Option<&TestList>, count: usize) -> Vec<Subtask> {
        let whole = |points: f64| {
            let name = if listed.is_none() { Some(STATIC.to_owned()) } else { None };
            let all = Subtask::new(1, points, name, (0..count).collect());
            vec![Subtask { kind: SubtaskKind::Sum, ..all }]
        };
        let stated_by = |stated: &[StatedSubtask]| {
            self.stated(stated, count, listed.map(|listed| &listed.subtasks[..]).unwrap_or_default())
        };
        match &self.description.score {
            #[expect(clippy::cast_precision_loss, reason = "there are few tests")]
            Some(StatedScore::Sum(each)) => whole(each * count as f64),
            Some(StatedScore::Min(stated)) => stated_by(stated),
            Some(StatedScore::Product(stated)) => {
                // Without shares of points, the product is the least.
                if self.has_checker() {
                    let found = Diagnostic::error(
                        &self.description.file,
                        "`GroupMul` with a checker: grader multiplies no results",
                    );
                    self.reader.report(found.at(self.description.places.score).remedy("use `GroupMin`"));
                }
                stated_by(stated)
            }
            None => match listed {
                Some(listed) if !listed.subtasks.is_empty() => self.listed(file, &listed.subtasks),
                _ => whole(self.description.total),
            },
        }
    }

    /// The subtasks of `score_type_parameters`, with the names and validators of those in the list of tests.
    fn stated(&self, stated: &[StatedSubtask], count: usize, listed: &[ListedSubtask]) -> Vec<Subtask> {
        let mut next = 0_usize;
        let mut list = Vec::new();
        for (at, StatedSubtask { points, tests, place }) in stated.iter().enumerate() {
            let those = |is_wanted: &dyn Fn(&str) -> bool| -> Vec<usize> {
                (0..count).filter(|number| is_wanted(&format!("{number:03}"))).collect()
            };
            let own = match tests {
                TestChoice::Next(own) => {
                    let first = next;
                    next = first.saturating_add(*own as usize);
                    (first.min(count)..next.min(count)).collect()
                }
                TestChoice::Matching(pattern) => those(&|name| pattern.is_match(name)),
                TestChoice::Named(names) => those(&|name| names.contains(name)),
            };
            if own.is_empty() && *points > 0.0 {
                self.refuse_empty(at + 1, &self.description.file, *place);
            }
            let (name, validator) =
                listed.get(at).map(|listed| (listed.name.clone(), listed.validator.clone())).unwrap_or_default();
            list.push(Subtask { validator, ..Subtask::new(at + 1, *points, name, own) });
        }
        if next > count {
            let message = format!("the subtasks have {next} tests together, and the task has {count}");
            let found = Diagnostic::error(&self.description.file, message).at(self.description.places.score);
            self.reader.report(found.remedy("correct the numbers of tests"));
        }
        list
    }

    /// The subtasks of the list of tests.
    fn listed(&self, file: &str, listed: &[ListedSubtask]) -> Vec<Subtask> {
        let file = self.reader.dir.join(file);
        let mut next = 0;
        let mut list = Vec::new();
        for (at, ListedSubtask { points, name, validator, tests, line, .. }) in listed.iter().enumerate() {
            if *tests == 0 && *points > 0.0 {
                self.refuse_empty(at + 1, &file, Some(place(*line)));
            }
            let own = Subtask::new(at + 1, *points, name.clone(), (next..next + tests).collect());
            list.push(Subtask { validator: validator.clone(), ..own });
            next += tests;
        }
        let total: f64 = list.iter().map(|subtask| subtask.points).sum();
        if (total - ALL_POINTS).abs() > 1e-6 {
            let message = format!("the subtasks have {total} points together, and CMS demands {ALL_POINTS}");
            self.reader.report(Diagnostic::warning(&file, message).remedy("correct the points of the subtasks"));
        }
        self.add_required(listed, &mut list, &file);
        list
    }

    /// Adds the tests of the subtasks that a subtask names. Only task-maker does that, and only without `task.yaml`.
    fn add_required(&self, listed: &[ListedSubtask], list: &mut [Subtask], file: &Path) {
        let Some(first) = listed.iter().find(|subtask| !subtask.requires.is_empty()) else { return };
        if !self.description.file.ends_with(ORIGINAL) {
            let found = Diagnostic::warning(file, "the needed subtasks (STDEP) are not applied: CMS ignores them")
                .at(Some(place(first.line)));
            self.reader.report(found.remedy("keep task.yaml.orig alone, or state `score_type_parameters`"));
            return;
        }
        let by_name = |name: &str| listed.iter().position(|other| other.name.as_deref() == Some(name));
        let mut needed: Vec<BTreeSet<usize>> = Vec::new();
        for subtask in listed {
            let mut own = BTreeSet::new();
            for name in &subtask.requires {
                match by_name(name) {
                    _ if name == "*" => own.extend(0..listed.len()),
                    Some(at) => drop(own.insert(at)),
                    None => {
                        let found = Diagnostic::error(file, format!("there is no subtask `{name}`"));
                        self.reader.report(found.at(Some(place(subtask.line))).remedy("correct the name"));
                    }
                }
            }
            needed.push(own);
        }
        let own: Vec<Vec<usize>> = list.iter().map(|subtask| subtask.tests.clone()).collect();
        for (at, subtask) in list.iter_mut().enumerate() {
            let mut all = BTreeSet::from([at]);
            let mut open = vec![at];
            while let Some(next) = open.pop() {
                open.extend(needed[next].iter().filter(|other| all.insert(**other)));
            }
            let tests: BTreeSet<usize> = all.into_iter().flat_map(|other| own[other].clone()).collect();
            subtask.tests = tests.into_iter().collect();
        }
    }

    fn refuse_empty(&self, number: usize, file: &Path, place: Option<TextPosition>) {
        let found = Diagnostic::error(file, format!("subtask {number} has points and no tests")).at(place);
        self.reader.report(found.remedy("add tests to it, or remove it"));
    }

    /// Says what CMS and task-maker understand differently, and which tests count for nothing.
    fn remark(&self, list: &[Subtask], count: usize) {
        let note = |message: String| {
            self.reader.report(Diagnostic::new(Severity::Info, message).about(&self.description.file));
        };
        if let [Subtask { kind: SubtaskKind::Min, tests, .. }] = list
            && tests.len() > 1
        {
            let message = "one subtask: its worst test counts, as in CMS; in task-maker each test has a share";
            note(message.to_owned());
        }
        let used: BTreeSet<usize> = list.iter().flat_map(|subtask| subtask.tests.iter().copied()).collect();
        if used.len() < count && !list.is_empty() {
            note(format!("{} of {count} tests are in no subtask, and do not run", count - used.len()));
        }
    }
}

impl Subtask {
    fn new(number: usize, points: f64, name: Option<String>, tests: Vec<usize>) -> Self {
        Self { number, points, kind: SubtaskKind::Min, name, validator: None, tests, group: String::new() }
    }
}

fn place(line: u32) -> TextPosition {
    TextPosition { line, column: 1 }
}

/// Gives each subtask the full name of its group. Tests without points are samples.
fn name_groups(list: &mut [Subtask]) {
    let without_points = list.iter().filter(|subtask| subtask.points == 0.0).count();
    for subtask in list {
        let number = subtask.number;
        subtask.group = if subtask.points > 0.0 {
            let name = subtask.name.iter().filter(|name| is_package_name(name) && *name != STATIC);
            name.fold(format!("{SECRET}/{number}"), |group, name| format!("{group}-{name}"))
        } else if without_points > 1 {
            format!("{SAMPLE}/{number}")
        } else {
            SAMPLE.to_owned()
        };
    }
}

/// The groups with their points.
pub(super) fn score_tree(subtasks: &TaskSubtasks) -> ScoreTree {
    let group = |name: &str, parent: Option<usize>, aggregation, max_score, tests| ScoreGroup {
        name: name.into(),
        parent,
        max_score: Some(max_score),
        aggregation,
        require_pass: Vec::new(),
        tests,
        static_score: None,
    };
    let (scored, samples): (Vec<&Subtask>, Vec<&Subtask>) =
        subtasks.list.iter().partition(|subtask| subtask.points > 0.0);
    let shown = samples.iter().map(|subtask| subtask.tests.len()).sum();
    let total = scored.iter().map(|subtask| subtask.points).sum();
    let mut groups =
        vec![group(SAMPLE, None, Aggregation::PassFail, 0.0, shown), group(SECRET, None, Aggregation::Sum, total, 0)];
    groups.extend(scored.into_iter().map(|subtask| {
        let aggregation = match subtask.kind {
            SubtaskKind::Min => Aggregation::Min,
            SubtaskKind::Sum => Aggregation::Sum,
        };
        group(&subtask.group, Some(1), aggregation, subtask.points, subtask.tests.len())
    }));
    ScoreTree { groups, total: 1 }
}
