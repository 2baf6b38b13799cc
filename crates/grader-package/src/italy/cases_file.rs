//! Reads `gen/cases.gen`, which lists tests and subtasks for task-maker alone, with generators and validators by name. It
//! counts before `gen/GEN`, which task-maker makes of it.

use std::path::Path;

use super::test_list::{
    ListedSubtask, ListedTest, MOST_TESTS, Remark, Source, StatedProgram, StatedPrograms, TestList,
};
use crate::generators::is_inner;
use grader_model::diagnostic::Severity;

/// The path of the file.
pub(super) const PATH: &str = "gen/cases.gen";
/// The name of the program that is used where none is named, unless another was named first.
const DEFAULT: &str = "default";

/// The names of the programs that are used where none is named.
#[derive(Default)]
struct Defaults {
    generator: Option<String>,
    validator: Option<String>,
}

/// Reads the file.
pub(super) fn parse(text: &str) -> (TestList, Vec<Remark>) {
    let mut reading = Reading::default();
    let mut remarks = Vec::new();
    for (line, content) in (1..).zip(text.lines()) {
        let content = content.split('#').next().unwrap_or_default().trim();
        if reading.list.tests.len() == MOST_TESTS {
            remarks.push(Remark::error(line, format!("more than {MOST_TESTS} tests, which grader does not make"), ""));
            break;
        }
        let wrong = match content.strip_prefix(':') {
            Some(command) => reading.command(command.trim(), line),
            None if content.is_empty() => None,
            None => {
                let generator = reading.generator.clone().or_else(|| reading.defaults.generator.clone());
                reading.run(generator.as_deref(), content, line)
            }
        };
        remarks.extend(wrong);
    }
    if reading.has_constraints {
        let message = "`: CONSTRAINT` is not checked: grader checks inputs by the validator".to_owned();
        remarks.push(Remark { severity: Severity::Info, line: 1, message, remedy: "" });
    }
    let Reading { list, programs, .. } = reading;
    (TestList { programs: Some(programs), ..list }, remarks)
}

/// The state of reading: the lines so far.
#[derive(Default)]
struct Reading {
    list: TestList,
    programs: StatedPrograms,
    defaults: Defaults,
    /// The generator that the subtask names.
    generator: Option<String>,
    has_constraints: bool,
}

impl Reading {
    /// Applies a command. Returns its error, if it has one.
    fn command(&mut self, command: &str, line: u32) -> Option<Remark> {
        let (word, rest) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
        let rest = rest.trim();
        match word {
            "GEN" | "VAL" => self.program(word == "GEN", rest, line),
            "CONSTRAINT" => {
                self.has_constraints = true;
                None
            }
            "SUBTASK" => self.subtask(rest, line),
            "STDEP" => match self.list.subtasks.last_mut() {
                Some(last) => {
                    last.requires.extend(rest.split_whitespace().map(str::to_owned));
                    None
                }
                None => Some(outside(line)),
            },
            "COPY" if is_inner(Path::new(rest)) => self.add(Source::Copy(rest.into()), line),
            "COPY" => {
                let message = format!("`{rest}` is not a path inside the task's directory");
                Some(Remark::error(line, message, "name the file from the task's directory"))
            }
            "RUN" => {
                let (generator, arguments) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                self.run(Some(generator), arguments, line)
            }
            _ => {
                let message = format!("unknown command `{word}`");
                Some(Remark::error(line, message, "known are GEN, VAL, CONSTRAINT, SUBTASK, STDEP, COPY and RUN"))
            }
        }
    }

    /// Defines a generator or validator, or chooses one for the subtask.
    fn program(&mut self, is_generator: bool, words: &str, line: u32) -> Option<Remark> {
        let mut words = words.split_whitespace().map(str::to_owned);
        let name = words.next().unwrap_or_default();
        let path = words.next();
        let (known, default) = if is_generator {
            (&mut self.programs.generators, &mut self.defaults.generator)
        } else {
            (&mut self.programs.validators, &mut self.defaults.validator)
        };
        let Some(path) = path else {
            if !known.contains_key(&name) {
                return Some(Remark::error(
                    line,
                    format!("no program has the name `{name}`"),
                    "define it above, with its path",
                ));
            }
            let Some(last) = self.list.subtasks.last_mut() else { return Some(outside(line)) };
            if is_generator {
                self.generator = Some(name);
            } else {
                last.validator = Some(name);
            }
            return None;
        };
        if !is_inner(Path::new(&path)) {
            let message = format!("`{path}` is not a path inside the task's directory");
            return Some(Remark::error(line, message, "name the file from the task's directory"));
        }
        if default.is_none() || name == DEFAULT {
            *default = Some(name.clone());
        }
        let program = StatedProgram { path: path.into(), arguments: words.collect(), line };
        let is_second = known.insert(name.clone(), program).is_some();
        is_second.then(|| Remark::error(line, format!("a second program of the name `{name}`"), "rename one of them"))
    }

    fn subtask(&mut self, words: &str, line: u32) -> Option<Remark> {
        let (stated, name) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
        let points = stated.parse().ok().filter(|points| (0.0..=1e9).contains(points));
        self.generator = None;
        self.list.subtasks.push(ListedSubtask {
            points: points.unwrap_or_default(),
            name: Some(name.trim().to_owned()).filter(|name| !name.is_empty()),
            validator: self.defaults.validator.clone(),
            requires: Vec::new(),
            tests: 0,
            line,
        });
        points
            .is_none()
            .then(|| Remark::error(line, format!("`{stated}` are no points"), "write it as in `: SUBTASK 10 name`"))
    }

    /// Adds a test whose input a generator prints.
    fn run(&mut self, generator: Option<&str>, arguments: &str, line: u32) -> Option<Remark> {
        let Some(name) = generator else {
            return Some(Remark::error(
                line,
                "no generator is defined".to_owned(),
                "define it: `: GEN default gen/generator.py`",
            ));
        };
        if !self.programs.generators.contains_key(name) {
            return Some(Remark::error(
                line,
                format!("no generator has the name `{name}`"),
                "define it above, with its path",
            ));
        }
        let Some(arguments) = shlex::split(arguments) else {
            return Some(Remark::error(line, "a quotation mark without its pair".to_owned(), "close it"));
        };
        self.add(Source::Generator { program: name.to_owned(), arguments }, line)
    }

    fn add(&mut self, source: Source, line: u32) -> Option<Remark> {
        if self.list.subtasks.is_empty() {
            return Some(outside(line));
        }
        self.list.add(ListedTest { source, line });
        None
    }
}

fn outside(line: u32) -> Remark {
    Remark::error(line, "outside of any subtask".to_owned(), "begin one before: `: SUBTASK 100`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_have_names() {
        let text = ": GEN line gen/line.py N # first\n:GEN default gen/gen.py\n: VAL val gen/val.py $INPUT $ST_NAME\n\
                    : CONSTRAINT 1 <= $N\n: SUBTASK 0 samples\n: COPY gen/a b.txt\n: SUBTASK 99.5 a line\n: STDEP samples\n\
                    1 'x y'\n: GEN line\n2\n: RUN default 3\n";
        let (list, remarks) = parse(text);
        let run = |name: &str, arguments: &[&str]| Source::Generator {
            program: name.to_owned(),
            arguments: arguments.iter().map(|word| (*word).to_owned()).collect(),
        };
        let sources: Vec<Source> = list.tests.into_iter().map(|test| test.source).collect();
        let copied = Source::Copy("gen/a b.txt".into());
        assert_eq!(sources, [copied, run("default", &["1", "x y"]), run("line", &["2"]), run("default", &["3"])]);
        let subtasks: Vec<_> = list.subtasks.iter().map(|it| (it.points, it.name.as_deref(), it.tests)).collect();
        assert_eq!(subtasks, [(0.0, Some("samples"), 1), (99.5, Some("a line"), 3)]);
        assert!(list.subtasks.iter().all(|subtask| subtask.validator.as_deref() == Some("val")));
        let validators = list.programs.unwrap().validators;
        assert_eq!(validators["val"].arguments, ["$INPUT", "$ST_NAME"]);
        assert_eq!(remarks.iter().map(|remark| remark.severity).collect::<Vec<_>>(), [Severity::Info]);
    }

    #[test]
    fn mistakes_have_their_lines() {
        let errors = |text: &str| -> Vec<u32> { parse(text).1.iter().map(|found| found.line).collect() };
        assert_eq!(errors("1\n: SUBTASK all\n: MAKE x\n: COPY ../x\n: RUN none 1\n: GEN none\n"), [1, 2, 3, 4, 5, 6]);
        assert_eq!(errors(": GEN a gen/a\n: GEN a gen/b\n: COPY x\n: SUBTASK 1\n'\n: GEN b /x\n"), [2, 3, 5, 6]);
    }
}
