//! Copies programs: validators, visualisers, generators, included files and submissions.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::ExportError;
use super::draft::Draft;
use super::judge_files::{JudgeFiles, JudgeLanguages, judge_files};
use super::listing::{files_below, unicode};
use super::placed::{plain, report_name};
use super::subject::Subject;
use super::testlib::{self, Role};
use crate::problem::{Constants, IncludedFiles, JudgingProgram, PackageLayout, Problem, Program, Protocol, Submission};

/// Writes every input validator below `input_validators/`.
pub(super) fn input_validators(
    subject: &Subject<'_>,
    draft: &mut Draft,
    languages: JudgeLanguages,
    constants: &Constants,
) -> Result<(), ExportError> {
    for validator in &subject.problem.input_validators {
        let name = validator.path().and_then(Path::file_stem).map(|stem| plain(&stem.to_string_lossy()));
        let name = name.unwrap_or_else(|| "validator".to_owned());
        if let Protocol::Testlib(_) = subject.protocol(validator) {
            testlib::wrap(
                subject,
                draft,
                (&validator.program, Role::InputValidator),
                &format!("input_validators/{name}"),
            )?;
        } else if subject.protocol(validator) == Protocol::Cms && subject.stated_protocol.is_none() {
            let name = subject.problem.name_of(&validator.program);
            draft.leave_out(name, "an input validator by the protocol of CMS, which the judge does not run");
        } else {
            let to = ("input_validators", name.as_str());
            judge_program(subject, draft, &validator.program, to, languages, constants)?;
        }
    }
    Ok(())
}

/// Writes the programs that judge outputs into `output_validator/` or a directory of another name.
pub(super) fn output_validators(
    subject: &Subject<'_>,
    draft: &mut Draft,
    to: &str,
    languages: JudgeLanguages,
    constants: &Constants,
) -> Result<(), ExportError> {
    let problem = subject.problem;
    if problem.second_run.is_some() {
        draft.lose("two runs as on Codeforces", "the judge has no such problems");
    }
    if let [_, others @ ..] = &problem.output_validators[..]
        && !others.is_empty()
    {
        for other in others {
            draft.lose(problem.name_of(&other.program), "a second output validator, and the judge runs one");
        }
    }
    let unit = |program: &JudgingProgram| match subject.protocol(program) {
        Protocol::Testlib(unit) => Some(unit),
        Protocol::Icpc | Protocol::Checktestdata | Protocol::Cms | Protocol::Dmoj(_) => None,
    };
    let first = problem.output_validators.first();
    match (&problem.interactor, first) {
        (Some(interactor), judge) => {
            let unit = judge.and_then(unit).or_else(|| unit(interactor)).unwrap_or_default();
            let role = Role::Interactor(judge.map(|judge| &judge.program), unit);
            testlib::wrap(subject, draft, (&interactor.program, role), to)
        }
        (None, Some(judge)) => match unit(judge) {
            Some(unit) if problem.kind.is_interactive() => {
                testlib::wrap(subject, draft, (&judge.program, Role::Interactor(None, unit)), to)
            }
            Some(unit) => testlib::wrap(subject, draft, (&judge.program, Role::Checker(unit)), to),
            None => {
                let other = match subject.protocol(judge) {
                    Protocol::Cms if subject.stated_protocol.is_none() => {
                        "a checker by the protocol of CMS, which the judge does not run"
                    }
                    Protocol::Dmoj(_) => "a program by the protocol of DMOJ, which the judge does not run",
                    _ => return judge_program(subject, draft, &judge.program, (to, ""), languages, constants),
                };
                draft.lose(problem.name_of(&judge.program), other);
                Ok(())
            }
        },
        (None, None) => Ok(()),
    }
}

/// Writes a program of the judge: one file into the directory, several into a directory of their own, if it has a name.
/// Adds a script if the target needs one for the language, and reports other languages that it does not run.
pub(super) fn judge_program(
    subject: &Subject<'_>,
    draft: &mut Draft,
    program: &Program,
    (to, name): (&str, &str),
    languages: JudgeLanguages,
    constants: &Constants,
) -> Result<(), ExportError> {
    let script = languages.script(subject.problem, draft, program)?;
    let JudgeFiles { files, .. } = judge_files(subject, draft, program);
    let is_alone = files.len() == 1 && script.is_none() && matches!(program, Program::File(_) | Program::Grammar(_));
    let to = if is_alone || name.is_empty() { to.to_owned() } else { format!("{to}/{name}") };
    for (name, from) in &files {
        report_name(draft, unicode(name)?);
        draft.source(&format!("{to}/{}", unicode(name)?), from, constants)?;
    }
    if let Some((name, text)) = script {
        draft.script(&format!("{to}/{name}"), text);
    }
    Ok(())
}

/// Writes the files that are added to submissions. Reports languages that the target does not have.
pub(super) fn includes(subject: &Subject<'_>, draft: &mut Draft, constants: &Constants) -> Result<(), ExportError> {
    for (language, files) in &subject.problem.additions.include {
        for (name, from) in files.files() {
            draft.source(&format!("include/{language}/{}", unicode(name)?), &from, constants)?;
        }
    }
    Ok(())
}

/// Writes the visualisers, with their pages.
pub(super) fn visualizers(subject: &Subject<'_>, draft: &mut Draft, constants: &Constants) -> Result<(), ExportError> {
    use crate::problem::VisualizerKind::{Input, Output};
    for kind in [Input, Output] {
        if subject.problem.visualizers.of(kind).is_some() {
            folder(subject.problem, draft, &subject.problem.dir.join(kind.folder()), kind.folder(), constants)?;
        }
    }
    Ok(())
}

/// Writes all files of a directory of the problem.
pub(super) fn folder(
    problem: &Problem,
    draft: &mut Draft,
    from: &Path,
    to: &str,
    constants: &Constants,
) -> Result<(), ExportError> {
    for file in files_below(problem, from)? {
        draft.source(&format!("{to}/{file}"), &from.join(&file), constants)?;
    }
    Ok(())
}

/// Writes a submission at a path.
pub(super) fn submission(
    problem: &Problem,
    draft: &mut Draft,
    submission: &Submission,
    path: &str,
    constants: &Constants,
) -> Result<(), ExportError> {
    for (name, from) in headers_beside(problem, &submission.program) {
        draft.copy(&format!("{path}/{}", unicode(&name)?), &from);
    }
    match &submission.program {
        Program::File(from) => draft.source(path, from, constants)?,
        Program::PackedOutputs { archive, .. } => draft.copy(path, archive),
        Program::Directory { path: dir, files } | Program::Scripts { path: dir, files } => {
            for file in files {
                draft.source(&format!("{path}/{}", unicode(file)?), &dir.join(file), constants)?;
            }
        }
        Program::Outputs(files) => {
            let files: Vec<&PathBuf> = files.values().collect();
            // The outputs of a submission lie in its directory, at any depth, or it is one file.
            let dir = common_directory(&files, submission.id.as_str());
            for file in files {
                match dir.as_deref().and_then(|dir| file.strip_prefix(dir).ok()) {
                    Some(below) if below != Path::new("") => draft.copy(&format!("{path}/{}", unicode(below)?), file),
                    _ => draft.copy(path, file),
                }
            }
        }
        Program::Grammar(_) | Program::Command(_) => {}
    }
    Ok(())
}

/// The headers that a submission of several files finds with `-I` in its own package. Other judges have no such option, so
/// each directory with a source gets a copy.
fn headers_beside(problem: &Problem, program: &Program) -> Vec<(PathBuf, PathBuf)> {
    let Program::Directory { files, .. } = program else { return Vec::new() };
    let additions = &problem.additions;
    if additions.headers.is_empty() && additions.judges.is_none() || problem.layout != PackageLayout::LibraryChecker {
        return Vec::new();
    }
    let folders: BTreeSet<&Path> = files.iter().filter_map(|file| file.parent()).collect();
    let headers = additions.judges.iter().chain(&additions.headers).flat_map(IncludedFiles::files);
    let beside = |(name, from): (&Path, PathBuf)| {
        folders.iter().map(move |folder| (folder.join(name), from.clone())).collect::<Vec<_>>()
    };
    headers.flat_map(beside).filter(|(name, _)| !files.contains(name)).collect()
}

/// The directory with the path of the submission at its end that holds all files.
fn common_directory(files: &[&PathBuf], id: &str) -> Option<PathBuf> {
    let first = files.first()?;
    first.ancestors().find(|dir| dir.ends_with(id)).map(Path::to_owned)
}

/// The last part of the path of a submission in the export.
pub(super) fn file_name(submission: &Submission) -> String {
    let name = submission.id.as_str().rsplit('/').next().unwrap_or_default();
    let of_directory = matches!(&submission.program, Program::Directory { .. } | Program::Scripts { .. });
    // The name of a directory has no ending, which other tools take for that of a file.
    let stem = Path::new(name).file_stem().and_then(|stem| stem.to_str());
    plain(stem.filter(|_| of_directory).unwrap_or(name))
}
