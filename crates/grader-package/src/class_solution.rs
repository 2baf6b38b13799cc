//! Finds programs that are a class `Solution` with a method, as people write them for `LeetCode`. A driver calls the method
//! with the lines of the input, and a validator compares its result with the answer.

use std::path::PathBuf;

use crate::document::small_text;
use crate::driver::{self, DRIVER};
use crate::program_files::{Family, LARGEST, ProgramFile, ProgramFiles, family, language_name};
use crate::reader::Reader;
use grader_model::diagnostic::Diagnostic;
use grader_model::problem::{Additions, IncludedFiles, Program, Submission};

/// The code of the language whose programs can be called.
const PYTHON: &str = "python3";
/// The name of the output validator.
const VALIDATOR: &str = "validate.py";
/// Words of a program that starts by itself.
const STARTS: &[&str] = &["input(", "stdin", "open("];

/// The driver and the validator for the programs of a folder, if each is such a class with the same method.
pub(super) fn calls(reader: &Reader<'_>, submissions: &[Submission]) -> Option<(Additions, Program)> {
    let (first, others) = submissions.split_first()?;
    for (path, name) in submissions.iter().filter_map(class_elsewhere) {
        let message =
            format!("a class Solution without a main program; grader calls such classes in Python, not in {name}");
        reader.report(Diagnostic::warning(&path, message).remedy("add a main program that reads the input and prints"));
    }
    let method = method_of(first)?;
    if !others.iter().all(|other| method_of(other).as_ref() == Some(&method)) {
        return None;
    }
    let keep = |name: &str, text: String| (reader.derive)(&[(name.to_owned(), text.into_bytes())]);
    let kept = keep(DRIVER, driver::calling_by_line(&method))
        .and_then(|beside| Ok((beside, keep(VALIDATOR, driver::VALIDATOR.to_owned())?)));
    match kept {
        Ok((beside, judge)) => {
            let included = IncludedFiles { dir: beside, files: vec![PathBuf::from(DRIVER)] };
            let include = [(PYTHON.to_owned(), included)].into();
            Some((Additions { include, ..Additions::default() }, Program::File(judge.join(VALIDATOR))))
        }
        Err(error) => {
            let message = format!("cannot write the program that calls `{method}`: {error}");
            reader.error(&reader.dir, message, "make the folder writable");
            None
        }
    }
}

/// The file and the language of a class `Solution` that only lacks a driver in its language.
fn class_elsewhere(submission: &Submission) -> Option<(PathBuf, &'static str)> {
    let Program::File(path) = &submission.program else { return None };
    let name = language_name(path).filter(|_| matches!(family(path), Some(Family::C | Family::Java)))?;
    let text = small_text(path, LARGEST)?;
    let file = ProgramFile { path: path.clone(), text, is_source: true };
    let is_class = file.text.contains("class Solution");
    (is_class && !ProgramFiles::new(vec![file]).has_main(0)).then(|| (path.clone(), name))
}

/// The method of the class `Solution` in a program that does nothing by itself.
fn method_of(submission: &Submission) -> Option<String> {
    let Program::File(path) = &submission.program else { return None };
    let is_python = path.extension().is_some_and(|ending| ending == "py");
    let text = if is_python { small_text(path, LARGEST) } else { None };
    // Assertions and examples of its own do not make a file a program.
    let text = text.filter(|text| !STARTS.iter().any(|word| text.contains(word)))?;
    let (_, class) =
        text.split_once("\nclass Solution").or_else(|| text.strip_prefix("class Solution").map(|rest| ("", rest)))?;
    let methods = class.lines().skip(1).take_while(|line| line.is_empty() || line.starts_with([' ', '\t', '#', ')']));
    // A method of the class itself is indented least.
    let mut methods = methods.filter_map(|line| {
        let rest = line.trim_start();
        let name = rest.strip_prefix("def ")?.split('(').next()?;
        Some((line.len() - rest.len(), name.trim()))
    });
    let first = methods.next()?;
    let of_class = std::iter::once(first).chain(methods.filter(|(indent, _)| *indent == first.0));
    // A method that another one calls is its helper. With several others, nothing says which one is meant.
    let is_called = |name: &str| class.contains(&format!("self.{name}("));
    let mut public = of_class.map(|(_, name)| name).filter(|name| !name.starts_with('_') && !is_called(name));
    let method = public.next()?.to_owned();
    (public.next().is_none() && driver::is_identifier(&method)).then_some(method)
}
