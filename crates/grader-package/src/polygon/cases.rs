//! Turns the tests of a testset into groups of cases in document order, with a recipe for each case.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::Package;
use super::document::{Description, Executable, Test, Testset, quoted};
use crate::document::is_there;
use grader_model::problem::{
    AnswerFile, AnswerRecipe, Arguments, CaseNaming, Checksums, FilePattern, GeneratorCommand, InputRecipe, OwnSetting,
    Program, Recipe, Recipes, ScoreTree, TestCase, TestGroup,
};

/// The tests of a testset.
#[derive(Default)]
pub(super) struct TestsetCases {
    /// Tests that follow each other in one group, in document order.
    pub(super) groups: Vec<TestGroup>,
    /// How their files come about.
    pub(super) recipes: Recipes,
    /// The points, if there are any.
    pub(super) scoring: Option<ScoreTree>,
}

/// Where the files of a testset are.
struct TestsetFiles {
    /// The directory of the files, relative to the package.
    dir: PathBuf,
    naming: CaseNaming,
}

impl Package<'_> {
    /// Reads the tests of a testset.
    pub(super) fn cases(&self, testset: &Testset, description: &Description) -> TestsetCases {
        let Some(layout) = self.layout(testset) else { return TestsetCases::default() };
        let names = self.score_names(testset);
        let mut groups: Vec<TestGroup> = Vec::new();
        let mut cases = BTreeMap::new();
        for (number, test) in (1..).zip(&testset.tests) {
            let name = names.group_of(test);
            let case = case_of(testset, (number, test), &layout, description, names.gives_points());
            if groups.last().is_none_or(|last| *last.name != *name) {
                groups.push(self.group(&name, testset, test, &layout));
            }
            let Some(group) = groups.last_mut() else { continue };
            cases.insert(group.id_of(&case), self.recipe(testset, number, test));
            group.cases.push(case);
        }
        let recipes = Recipes {
            document: self.file.to_owned(),
            generators: self.generators(&description.executables),
            cases,
            converts_line_ends: true,
            checksums: None,
        };
        let scoring = names.gives_points().then(|| self.score_tree(testset, &names));
        TestsetCases { groups, recipes, scoring }
    }

    /// The places of inputs and answers; none, with an error, if their numbers differ.
    fn layout(&self, testset: &Testset) -> Option<TestsetFiles> {
        let Testset { inputs, answers, .. } = testset;
        if !inputs.has_digits_of(answers) {
            let message = "inputs and answers have numbers of different lengths in their paths";
            self.error(testset.place, message, "write both patterns with `%02d`");
            return None;
        }
        let dir = if inputs.dir() == answers.dir() { inputs.dir() } else { Path::new("") };
        let naming =
            CaseNaming { input: FilePattern::new(&inputs.below(dir)?), answer: FilePattern::new(&answers.below(dir)?) };
        Some(TestsetFiles { dir: dir.to_owned(), naming })
    }

    fn group(&self, name: &str, testset: &Testset, test: &Test, layout: &TestsetFiles) -> TestGroup {
        let of_group = test.group.iter().flat_map(|group| ["--group".to_owned(), group.clone()]);
        let arguments = ["--testset".to_owned(), testset.name.clone()].into_iter().chain(of_group);
        TestGroup {
            naming: Some(layout.naming.clone()),
            arguments: Arguments { input_validators: arguments.collect(), ..Arguments::default() },
            ..TestGroup::empty(name, self.reader.dir.join(&layout.dir))
        }
    }

    fn recipe(&self, testset: &Testset, number: usize, test: &Test) -> Recipe {
        let has = |path: PathBuf| is_there(&self.reader.dir.join(path));
        let input = match &test.command {
            Some(command) if !has(testset.inputs.of(number)) => InputRecipe::Command(parsed(command, test)),
            _ => InputRecipe::File,
        };
        let answer = if has(testset.answers.of(number)) { AnswerRecipe::File } else { AnswerRecipe::Reference };
        Recipe { input, answer, line: test.place.line, checksums: Checksums::default() }
    }

    /// The programs that commands may name.
    fn generators(&self, executables: &[Executable]) -> BTreeMap<String, Program> {
        let mut generators = BTreeMap::new();
        for executable in executables {
            let Some(source) = &executable.source else { continue };
            let Some(program) = self.program(&source.path, source.place) else { continue };
            if generators.insert(executable.name.clone(), program).is_some() {
                let message = format!("a second executable {}", quoted(&executable.name));
                self.error(source.place, message, "rename one of them: commands name a program without its ending");
            }
        }
        generators
    }
}

/// A case, with the files that programs read and write by name, and its points.
fn case_of(
    testset: &Testset,
    (number, test): (usize, &Test),
    layout: &TestsetFiles,
    description: &Description,
    has_points: bool,
) -> TestCase {
    let name = testset.inputs.number(number);
    let input_file = description.judging.input_file.as_ref();
    let by_name = input_file.map(|file| (file.clone(), PathBuf::from(layout.naming.input.of_case(&name))));
    let output = description.judging.output_file.clone();
    let points = has_points.then_some(test.points);
    let has_own = by_name.is_some() || output.is_some() || points.is_some();
    // Codeforces connects neither standard input nor standard output where files are named.
    let no_stdin = by_name.is_some();
    let ignores_printed = output.is_some();
    let by_name = by_name.into_iter().collect();
    // Without points, samples have a group of their own.
    let is_sample = test.sample && has_points;
    let own = OwnSetting { by_name, output, ignores_printed, no_stdin, points, is_sample, ..OwnSetting::default() };
    TestCase { own: has_own.then(|| Box::new(own)), ..TestCase::new(name, AnswerFile::Named) }
}

/// Splits a command into words. Polygon treats quotation marks like a shell.
fn parsed(command: &str, test: &Test) -> GeneratorCommand {
    let plain = || command.split_whitespace().map(str::to_owned).collect();
    let mut words: Vec<String> =
        if command.contains(['"', '\'']) { shlex::split(command).unwrap_or_else(plain) } else { plain() };
    // An empty attribute does not count as a command, so there is a first word.
    let program = if words.is_empty() { String::new() } else { words.remove(0) };
    GeneratorCommand { text: command.to_owned(), program, arguments: words, file: test.from_file.clone() }
}
