//! Turns the tests of a task into groups of cases, with a recipe for each case whose files the task does not have.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::programs::validator_arguments;
use super::subtasks::{Subtask, TaskSubtasks};
use super::test_list::{ListedTest, Source};
use super::{FILE, Task};
use crate::document::is_there;
use crate::generators::below;
use grader_model::diagnostic::{Diagnostic, TextPosition};
use grader_model::problem::{
    AnswerFile, AnswerRecipe, Arguments, CaseNaming, Checksums, FilePattern, GeneratorCommand, InputRecipe, OwnSetting,
    Recipe, Recipes, TestCase, TestGroup,
};

/// The remedy of a missing input.
const ADD_INPUT: &str = "add it, or list in gen/GEN how it is made";

/// The cases of a task.
pub(super) struct TaskCases {
    /// Tests that follow each other, in the order of subtasks.
    pub(super) groups: Vec<TestGroup>,
    /// How their files come about.
    pub(super) recipes: Recipes,
}

/// The input of a test.
struct Input {
    /// Its path in the task.
    path: PathBuf,
    recipe: InputRecipe,
}

/// Findings about missing files of the tests.
#[derive(Default)]
struct Missing {
    found: Vec<Diagnostic>,
    /// The line of the first test that the generator makes.
    generated: Option<u32>,
}

impl Task<'_> {
    /// The cases of the subtasks. Reports missing files that nothing makes. `has_reference`: whether a program prints
    /// answers.
    pub(super) fn cases(&self, subtasks: &TaskSubtasks, has_reference: bool) -> TaskCases {
        let mut missing = Missing::default();
        let list = self.reader.dir.join(subtasks.file);
        let used: BTreeSet<usize> = subtasks.list.iter().flat_map(|subtask| subtask.tests.iter().copied()).collect();
        let mut inputs: BTreeMap<usize, Input> = BTreeMap::new();
        for number in used {
            let test = subtasks.tests.get(number).and_then(Option::as_ref);
            inputs.extend(self.input(number, test, &list, &mut missing).map(|input| (number, input)));
        }
        let mut groups: Vec<TestGroup> = Vec::new();
        let mut recipes = BTreeMap::new();
        for subtask in &subtasks.list {
            for number in subtask.tests.iter().copied() {
                let Some(input) = inputs.get(&number) else { continue };
                let naming = self.naming(number, &input.path);
                let is_other = |last: &TestGroup| *last.name != *subtask.group || last.naming.as_ref() != Some(&naming);
                if groups.last().is_none_or(is_other) {
                    groups.push(self.group(subtasks, subtask, naming));
                }
                let Some(group) = groups.last_mut() else { continue };
                let case = self.case(number, subtask, &input.path);
                let answer = self.answer(number, has_reference, &mut missing);
                let line = subtasks.tests[number].as_ref().map_or(0, |test| test.line);
                let recipe = Recipe { input: input.recipe.clone(), answer, line, checksums: Checksums::default() };
                recipes.insert(group.id_of(&case), recipe);
                group.cases.push(case);
            }
        }
        let generators = self.generators(subtasks);
        if let (Some(line), true) = (missing.generated, generators.is_empty()) {
            let message = "there is no generator for the inputs, gen/generator.* or gen/generatore.*";
            missing.found.push(at_line(&list, line, message.to_owned(), "add it, or the files in input/"));
        }
        let file = self.reader.dir.join(FILE);
        self.reader.check_cases(|| self.reader.report_many(&file, missing.found));
        let is_whole = |recipe: &Recipe| recipe.input == InputRecipe::File && recipe.answer == AnswerRecipe::File;
        if recipes.values().all(is_whole) {
            recipes.clear();
        }
        let recipes = Recipes { document: list, generators, cases: recipes, ..Recipes::default() };
        TaskCases { groups, recipes }
    }

    /// The input of a test: its own file, the file that the list of tests names, or what the generator prints.
    fn input(&self, number: usize, test: Option<&ListedTest>, list: &Path, missing: &mut Missing) -> Option<Input> {
        let own = PathBuf::from(format!("input/input{number}.txt"));
        if self.has(&own, missing) {
            return Some(Input { path: own, recipe: InputRecipe::File });
        }
        let Some(ListedTest { source, line }) = test else {
            missing
                .found
                .push(Diagnostic::error(self.reader.dir.join(&own), "there is no such file").remedy(ADD_INPUT));
            return None;
        };
        match source {
            Source::Copy(path) if self.has(path, missing) => {
                Some(Input { path: path.clone(), recipe: InputRecipe::File })
            }
            Source::Copy(path) => {
                let message = format!("there is no {}", path.display());
                missing.found.push(at_line(list, *line, message, "add the file, or correct its name"));
                None
            }
            Source::Generator { program, arguments } => {
                missing.generated.get_or_insert(*line);
                let command = GeneratorCommand {
                    text: [std::slice::from_ref(program), &arguments[..]].concat().join(" "),
                    program: program.clone(),
                    arguments: arguments.clone(),
                    file: None,
                };
                Some(Input { path: own, recipe: InputRecipe::Command(command) })
            }
        }
    }

    /// Whether the task has a file. Reports a link that leads elsewhere.
    fn has(&self, path: &Path, missing: &mut Missing) -> bool {
        if !is_there(&self.reader.dir.join(path)) {
            return false;
        }
        if let Err(error) = below(&self.reader.dir, path) {
            missing.found.push(
                Diagnostic::error(self.reader.dir.join(path), error.to_string()).remedy("put a copy of the file there"),
            );
        }
        true
    }

    fn answer(&self, number: usize, has_reference: bool, missing: &mut Missing) -> AnswerRecipe {
        let path = PathBuf::from(format!("output/output{number}.txt"));
        if self.has(&path, missing) {
            return AnswerRecipe::File;
        }
        if !has_reference {
            let found =
                Diagnostic::error(self.reader.dir.join(path), "there is no such file, and no official solution");
            missing.found.push(found.remedy("add it, or the official solution sol/solution.*"));
        }
        AnswerRecipe::Reference
    }

    /// An empty group, with the arguments of validators.
    fn group(&self, subtasks: &TaskSubtasks, subtask: &Subtask, naming: CaseNaming) -> TestGroup {
        let arguments = Arguments { input_validators: validator_arguments(subtasks, subtask), ..Arguments::default() };
        TestGroup { naming: Some(naming), arguments, ..TestGroup::empty(&subtask.group, self.reader.dir.clone()) }
    }

    /// The names of the files of a test. They do not follow from the name of the case if the input is a copy, or if the case
    /// is called like an output.
    fn naming(&self, number: usize, input: &Path) -> CaseNaming {
        let is_own = input == Path::new(&format!("input/input{number}.txt"));
        let input = input.to_string_lossy();
        if self.description.is_output_only {
            let answer = FilePattern::only(&format!("output/output{number}.txt"));
            return CaseNaming { input: FilePattern::only(&input), answer };
        }
        let input = if is_own { FilePattern::new("input/input*.txt") } else { FilePattern::only(&input) };
        CaseNaming { input, answer: FilePattern::new("output/output*.txt") }
    }

    /// A case, with the files that programs read and write by name.
    fn case(&self, number: usize, subtask: &Subtask, input: &Path) -> TestCase {
        let description = &self.description;
        let is_public = u32::try_from(number).is_ok_and(|number| description.public.contains(&number));
        let own = OwnSetting {
            by_name: description.input_file.iter().map(|name| (name.into(), input.to_owned())).collect(),
            output: description.output_file.as_ref().map(PathBuf::from),
            ignores_printed: description.output_file.is_some(),
            no_stdin: description.input_file.is_some(),
            is_sample: is_public && subtask.points > 0.0,
            ..OwnSetting::default()
        };
        let own = (own != OwnSetting::default()).then(|| Box::new(own));
        // Contestants submit outputs with these names.
        let name = if description.is_output_only { format!("output_{number:03}.txt") } else { number.to_string() };
        TestCase { own, ..TestCase::new(name, AnswerFile::Named) }
    }
}

fn at_line(file: &Path, line: u32, message: String, remedy: &str) -> Diagnostic {
    Diagnostic::error(file, message).at(Some(TextPosition { line, column: 1 })).remedy(remedy)
}
