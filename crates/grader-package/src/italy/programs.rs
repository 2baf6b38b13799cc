//! Finds the programs of a task: the checker, the validator, the generator and the graders, with the files that they use.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::subtasks::{Subtask, TaskSubtasks};
use super::test_list::{GENERATOR, ListedTest, Source, StatedProgram};
use super::{SOLUTIONS, Task};
use crate::document::small_text;
use crate::driver::{self, DRIVER};
use crate::generators::below;
use crate::program_files::{LARGEST, ProgramFile, ProgramFiles};
use grader_model::diagnostic::{Diagnostic, Kind, TextPosition};
use grader_model::problem::{
    Additions, Checker, IncludedFiles, JudgingProgram, OwnChecker, Program, Protocol, StandardChecker, is_header,
};

/// The directories of the program that judges.
pub(super) const CHECKS: [&str; 2] = ["check", "cor"];
/// The directory of the generator and the validator.
const GENERATORS: [&str; 1] = ["gen"];
/// The word for the input in the arguments of a validator.
const INPUT: &str = "$INPUT";
/// The names of the checker without ending.
const CHECKER: [&str; 2] = ["checker", "correttore"];
/// The macro that CMS and task-maker define when they compile solutions.
const MACRO: &str = "EVAL";
/// The name of the graders without ending.
const GRADER: &str = "grader";
/// The languages of graders by their endings.
const LANGUAGES: [(&str, &str); 6] =
    [("cpp", "cpp"), ("cc", "cpp"), ("cxx", "cpp"), ("c", "c"), ("java", "java"), ("py", PYTHON)];
/// The code of Python.
const PYTHON: &str = "python3";

/// The comparison of a task without a checker: by lines, without blanks at their ends.
pub(super) fn comparison() -> OwnChecker {
    Some(Checker::Standard(StandardChecker::Lcmp)).into()
}

/// The arguments of validators on the tests of a subtask, after the input: its number, from 1, or what the list of tests says.
/// There it is from 0.
pub(super) fn validator_arguments(subtasks: &TaskSubtasks, subtask: &Subtask) -> Vec<String> {
    let Some(programs) = &subtasks.programs else { return vec![subtask.number.to_string()] };
    let number = (subtask.number - 1).to_string();
    let stated = subtask.validator.as_ref().and_then(|name| programs.validators.get(name));
    let arguments = stated.map(|stated| &stated.arguments[..]).unwrap_or_default();
    if arguments.is_empty() {
        return vec![number];
    }
    let name = subtask.name.as_deref().unwrap_or_default();
    arguments[1..].iter().map(|word| word.replace("$ST_NUM", &number).replace("$ST_NAME", name)).collect()
}

/// The language of a grader, if grader builds it with solutions.
fn language_of_grader(name: &Path) -> Option<&'static str> {
    let ending = name.extension()?.to_str()?;
    LANGUAGES.iter().find(|(known, _)| *known == ending).map(|(_, language)| *language)
}

impl Task<'_> {
    /// The checker, in the protocol of CMS.
    pub(super) fn checker(&self) -> Option<JudgingProgram> {
        let program = self.program(&CHECKS, &CHECKER, "checker");
        if program.is_none()
            && let Some(built) = self.built_checker()
        {
            let message = "a program that is built already; grader builds checkers from their source";
            self.reader.error(&built, message, "add its source beside it, such as check/checker.cpp");
        }
        Some(JudgingProgram::stated(program?, Protocol::Cms))
    }

    /// Whether outputs are judged by a program.
    pub(super) fn has_checker(&self) -> bool {
        !self.stems_in(&CHECKS, &CHECKER).is_empty() || self.built_checker().is_some()
    }

    /// The checker that CMS runs.
    fn built_checker(&self) -> Option<PathBuf> {
        ["check/checker", "cor/correttore"].into_iter().find_map(|path| self.there(path))
    }

    /// The program that accepts or rejects inputs. Reports what grader does not check.
    pub(super) fn validator(&self, subtasks: &TaskSubtasks) -> Option<JudgingProgram> {
        let Some(stated) = &subtasks.programs else {
            let program = self.program(&GENERATORS, &["validator", "valida"], "validator")?;
            return Some(JudgingProgram::stated(program, Protocol::Cms));
        };
        let used: BTreeSet<&str> = subtasks.list.iter().filter_map(|subtask| subtask.validator.as_deref()).collect();
        let mut used = used.into_iter().filter_map(|name| stated.validators.get(name));
        let only = used.next()?;
        let takes_input = only.arguments.first().is_none_or(|first| first == INPUT);
        if used.next().is_some() || !takes_input {
            let message =
                if takes_input { "several validators" } else { "a validator whose first argument is no `$INPUT`" };
            let found =
                Diagnostic::warning(self.reader.dir.join(subtasks.file), format!("{message}: grader checks no inputs"));
            self.reader.report(found.kind(Kind::NotChecked).at(Some(TextPosition { line: only.line, column: 1 })));
            return None;
        }
        Some(JudgingProgram::stated(self.stated_program(only, subtasks.file)?, Protocol::Cms))
    }

    /// The programs that print inputs, by their names.
    pub(super) fn generators(&self, subtasks: &TaskSubtasks) -> BTreeMap<String, Program> {
        let Some(stated) = &subtasks.programs else {
            let is_generated = |test: &ListedTest| matches!(test.source, Source::Generator { .. });
            // task-maker demands one even if it copies all inputs.
            if !subtasks.tests.iter().flatten().any(is_generated) {
                return BTreeMap::new();
            }
            let program = self.program(&GENERATORS, &["generator", "generatore"], "generator");
            return program.into_iter().map(|program| (GENERATOR.to_owned(), program)).collect();
        };
        let program = |(name, stated): (&String, &StatedProgram)| {
            Some((name.clone(), self.stated_program(stated, subtasks.file)?))
        };
        stated.generators.iter().filter_map(program).collect()
    }

    /// A program that the list of tests names. Reports a path without one, and a link that leads elsewhere.
    fn stated_program(&self, stated: &StatedProgram, file: &str) -> Option<Program> {
        match below(&self.reader.dir, &stated.path) {
            Ok(Program::File(path)) => Some(self.with_uses(path)),
            Ok(program) => Some(program),
            Err(error) => {
                let found = Diagnostic::error(self.reader.dir.join(file), error.to_string());
                let found = found.at(Some(TextPosition { line: stated.line, column: 1 }));
                self.reader.report(found.remedy("add the file, or correct its name"));
                None
            }
        }
    }

    /// The sources with one of these names without ending.
    pub(super) fn stems_in(&self, folders: &[&str], stems: &[&str]) -> Vec<PathBuf> {
        let listed = folders.iter().flat_map(|folder| self.reader.list(&self.reader.dir.join(folder)));
        let is_named = |path: &Path| path.file_stem().is_some_and(|stem| stems.iter().any(|name| stem == *name));
        let is_it = |path: &PathBuf| is_named(path) && (self.reader.is_source)(path);
        listed.filter(|entry| !entry.is_dir).map(|entry| entry.path).filter(is_it).collect()
    }

    /// The only program with one of these names. Reports several.
    fn program(&self, folders: &[&str], stems: &[&str], what: &str) -> Option<Program> {
        let found = self.stems_in(folders, stems);
        if let [first, second, ..] = &found[..] {
            let name = |path: &Path| path.file_name().unwrap_or_default().display().to_string();
            let message = format!("several {what}s: {} and {}", name(first), name(second));
            self.reader.error(second, message, "keep one of them");
        }
        found.into_iter().next().map(|path| self.with_uses(path))
    }

    /// A program with the files beside it that it uses.
    fn with_uses(&self, path: PathBuf) -> Program {
        let Some(dir) = path.parent() else { return Program::File(path) };
        let listed: Vec<_> = self.reader.list(dir).into_iter().filter(|entry| !entry.is_dir).collect();
        let files = listed.iter().map(|entry| ProgramFile {
            path: PathBuf::from(&entry.name),
            text: small_text(&entry.path, LARGEST).unwrap_or_default(),
            is_source: (self.reader.is_source)(&entry.path),
        });
        let files = ProgramFiles::new(files.collect());
        let Some(entry) = listed.iter().position(|entry| entry.path == path) else { return Program::File(path) };
        let mut used: Vec<PathBuf> = files.program(entry).into_iter().map(|at| files.path(at).to_owned()).collect();
        used.sort();
        if used.len() > 1 { Program::Directory { path: dir.to_owned(), files: used } } else { Program::File(path) }
    }

    /// Whether solutions with the ending of this one are built with a grader that grader cannot build.
    pub(super) fn has_other_grader(&self, solution: &Path) -> bool {
        let name = Path::new(GRADER).with_extension(solution.extension().unwrap_or_default());
        language_of_grader(&name).is_none() && self.there(&format!("{SOLUTIONS}/{}", name.display())).is_some()
    }

    /// The graders that are built with solutions, and the headers beside them.
    pub(super) fn graders(&self) -> Additions {
        let dir = self.reader.dir.join(SOLUTIONS);
        let names: Vec<PathBuf> =
            self.reader.list(&dir).into_iter().filter(|entry| !entry.is_dir).map(|entry| entry.name.into()).collect();
        let mut by_language: BTreeMap<&str, Vec<PathBuf>> = BTreeMap::new();
        for name in names.iter().filter(|name| name.file_stem().is_some_and(|stem| stem == GRADER)) {
            if let Some(language) = language_of_grader(name) {
                by_language.entry(language).or_default().push(name.clone());
            }
        }
        for name in names.iter().filter(|name| is_header(name)) {
            by_language.entry("c").or_default().push(name.clone());
            by_language.entry("cpp").or_default().push(name.clone());
        }
        let python = by_language.remove(PYTHON).and_then(|files| self.python_grader(&dir.join(files.first()?)));
        let included = |mut files: Vec<PathBuf>| {
            files.sort();
            IncludedFiles { dir: dir.clone(), files }
        };
        let include = by_language.into_iter().map(|(language, files)| (language.to_owned(), included(files)));
        Additions {
            include: include.chain(python.map(|files| (PYTHON.to_owned(), files))).collect(),
            macros: vec![MACRO.to_owned()],
            ..Additions::default()
        }
    }

    /// The grader in Python, with the program that starts it in place of the solution.
    fn python_grader(&self, path: &Path) -> Option<IncludedFiles> {
        let refuse = |message: String, remedy: &str| {
            self.reader.report(Diagnostic::error(path, message).remedy(remedy));
            None
        };
        let Some(text) = small_text(path, LARGEST) else {
            return refuse("too large for a grader".to_owned(), "make it smaller");
        };
        let name = format!("{GRADER}.py");
        // CMS calls a submission like the task.
        let modules = [self.description.name.as_deref().unwrap_or(self.reader.id.as_str()), "solution", "soluzione"];
        let start = driver::starting(&name, &[&name], &modules);
        let files = [(name, text.into_bytes()), (DRIVER.to_owned(), start.into_bytes())];
        match (self.reader.derive)(&files) {
            Ok(dir) => {
                let mut files: Vec<PathBuf> = files.into_iter().map(|(name, _)| name.into()).collect();
                files.sort();
                Some(IncludedFiles { dir, files })
            }
            Err(error) => {
                refuse(format!("cannot write the program that starts it: {error}"), "make the folder writable")
            }
        }
    }
}
