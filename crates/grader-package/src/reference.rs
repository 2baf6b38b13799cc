//! Chooses the reference of a problem: the submission whose output makes the answers.

use crate::reader::Reader;
use crate::submissions::Submissions;
use grader_model::diagnostic::{Diagnostic, Kind};
use grader_model::problem::{Program, Submission};
use grader_model::suggest;

/// The remedy if several submissions are possible.
const REMEDY: &str = "name one: `reference` in problem.toml, or `model_solution` in submissions.yaml";

/// Returns the index of the reference: the submission that `stated` names, else the one marked `model_solution`, else
/// the only accepted Rust file, else the only accepted submission. Several candidates are an error; none is a warning.
pub(crate) fn choose(reader: &Reader<'_>, stated: Option<&str>, submissions: &Submissions) -> Option<usize> {
    let list = &submissions.list;
    if let Some(stated) = stated {
        let missing = match find(stated, list) {
            Ok(at) => return Some(at),
            Err(missing) => missing,
        };
        let message = format!("`reference`: {}", missing.message);
        reader.report(Diagnostic::error(&*reader.dir.join("problem.toml"), message).remedy(missing.remedy));
        return None;
    }
    let accepted: Vec<usize> = (0..list.len()).filter(|at| list[*at].expectation.wants_all_accepted()).collect();
    if accepted.is_empty() {
        reader.warning(
            Kind::Other,
            &reader.dir,
            "no accepted submission, so nothing shows that the problem can be solved",
        );
    }
    let marked: Vec<usize> = (0..list.len()).filter(|at| submissions.models.contains(&list[*at].id)).collect();
    let rust: Vec<usize> = accepted.iter().copied().filter(|at| is_rust_file(&list[*at])).collect();
    // The first rule with a candidate decides. Several candidates under one rule are ambiguous.
    let candidates = [marked, rust, accepted].into_iter().find(|candidates| !candidates.is_empty())?;
    if let [one] = candidates[..] {
        return Some(one);
    }
    // The tools that these packages were written for need no choice.
    if reader.foreign {
        return None;
    }
    let names: Vec<&str> = candidates.iter().take(5).map(|at| list[*at].id.as_str()).collect();
    let message = format!("the reference is ambiguous: {}", names.join(", "));
    reader.error(&reader.dir.join("submissions"), message, REMEDY);
    None
}

/// Whether it is a single Rust file.
pub(crate) fn is_rust_file(submission: &Submission) -> bool {
    matches!(&submission.program, Program::File(path) if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("rs")))
}

/// Why no submission is the reference.
pub struct Missing {
    /// The mistake in words.
    pub message: String,
    /// The remedy.
    pub remedy: String,
}

/// Finds a submission by name: its id, with or without `submissions/`, or its file name if that is unique.
pub fn find(stated: &str, list: &[Submission]) -> Result<usize, Missing> {
    let name = stated.trim_start_matches("./");
    let name = name.strip_prefix("submissions/").unwrap_or(name);
    if let Some(exact) = list.iter().position(|submission| submission.id.as_str() == name) {
        return Ok(exact);
    }
    let file_name = |submission: &Submission| submission.id.as_str().rsplit('/').next() == Some(name);
    let same: Vec<usize> = (0..list.len()).filter(|at| file_name(&list[*at])).collect();
    let message = match same[..] {
        [one] => return Ok(one),
        [] => format!("no submission `{stated}`"),
        _ => format!("several submissions are called `{stated}`"),
    };
    // Suggest the id, even if the user misspelt only the file's name.
    let ids = || list.iter().map(|submission| submission.id.as_str());
    let file_of = |id: &'_ str| id.rsplit('/').next().unwrap_or_default().len();
    let file = suggest::closest(name, ids().map(|id| &id[id.len() - file_of(id)..]));
    let of_file = file.and_then(|file| ids().find(|id| id.ends_with(file))).map(|id| format!("did you mean `{id}`?"));
    let near = suggest::did_you_mean(name, ids()).or(of_file);
    Err(Missing { message, remedy: near.unwrap_or_else(|| "write its path below submissions/".to_owned()) })
}
