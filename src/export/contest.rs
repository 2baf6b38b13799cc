//! Writes the problems of a contest together: in their order, with their letters and colours, and with the samples for
//! contestants.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::draft::{Draft, WriteError};
use super::listing::unicode;
use super::placed::{SAMPLE, extras_of, place};
use super::samples::{Purpose, ShownSample, shown};
use super::statements::attachments;
use super::subject::Subject;
use super::{ExportError, Target};
use crate::package::contest::{Contest, SETTINGS};
use crate::problem::Problem;

/// A problem of a contest with its files.
pub(crate) struct Member<'a> {
    pub(crate) subject: Subject<'a>,
    pub(crate) draft: Draft,
}

/// Why a contest cannot be exported.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ContestError {
    /// Two problems have the same name in the export.
    #[error("{first} and {second} both become {name}\n  → rename the folder of one of them", first = .first.display(), second = .second.display())]
    SameName { name: String, first: PathBuf, second: PathBuf },
    /// Two problems have the same letter, with which contestants and judges know them.
    #[error("{first} and {second} both have the letter {label}\n  → change it in problems.yaml, or in the `label` of one of them", first = .first.display(), second = .second.display())]
    SameLabel { label: String, first: PathBuf, second: PathBuf },
    #[error(transparent)]
    Export(#[from] ExportError),
    /// The archive of a problem cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// One entry of `problems.yaml` (`ICPC` contest control system standard; `BAPCtools`, `DOMjudge`).
#[derive(Serialize)]
struct ListedProblem {
    id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    rgb: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    color: Option<String>,
    time_limit: f64,
}

/// The name of the contest: that of the folder with its problems, of which this is the first.
pub(crate) fn name_of(first: Option<&Problem>) -> String {
    let dir = first.and_then(|problem| problem.dir.parent());
    let name = dir.and_then(Path::file_name).map(|name| super::placed::plain(&name.to_string_lossy()));
    name.unwrap_or_else(|| "contest".to_owned())
}

/// The files of a contest. `packed`: each problem is an archive, which is written into `scratch`.
///
/// # Errors
/// Two problems have one name, or an archive cannot be written.
pub(crate) fn draft(
    target: &Target,
    members: Vec<Member<'_>>,
    packed: bool,
    scratch: &Path,
) -> Result<Draft, ContestError> {
    for (at, member) in members.iter().enumerate() {
        let same = members[..at].iter().find(|other| other.subject.name == member.subject.name);
        if let Some(other) = same {
            return Err(ContestError::SameName {
                name: member.subject.name.clone(),
                first: other.subject.problem.dir.clone(),
                second: member.subject.problem.dir.clone(),
            });
        }
    }
    let mut draft = Draft::default();
    let labels = different_labels(members.iter().map(|member| member.subject.problem))?;
    let listed: Vec<ListedProblem> = members
        .iter()
        .zip(&labels)
        .map(|(Member { subject, .. }, label)| listed(subject, &subject.name, Some(label.clone())))
        .collect();
    draft.yaml(LIST, &listed)?;
    match settings_of(members.first().map(|member| member.subject.problem)) {
        Some(file) => draft.copy(SETTINGS, &file),
        None => draft.miss(SETTINGS, "judges read name, start and duration of the contest in it"),
    }
    let samples = scratch.join("samples.zip");
    samples_of(&members, &labels)?.write_archive(&samples, None)?;
    draft.copy("samples.zip", &samples);
    for Member { subject, draft: of_problem } in members {
        let name = &subject.name;
        if packed {
            let archive = scratch.join(format!("{name}.zip"));
            of_problem.write_archive(&archive, target.archive.has_folder().then_some(name))?;
            draft.copy(&format!("{name}.zip"), &archive);
            draft.absorb_losses(name, &of_problem);
        } else {
            draft.absorb(name, of_problem);
        }
    }
    draft.check_names()?;
    Ok(draft)
}

/// The list of a contest for problems that keep the names of their folders: their order, letters and colours. None if
/// they are in no contest.
///
/// # Errors
/// It cannot be written as YAML.
pub(crate) fn list_of(subjects: &[Subject<'_>]) -> Result<Option<String>, ExportError> {
    let is_listed = |subject: &&Subject<'_>| {
        contest_of(subject.problem).is_some_and(|contest| contest.place(subject.problem.slug()).is_some())
    };
    if subjects.iter().find(is_listed).is_none() {
        return Ok(None);
    }
    let entry = |subject: &Subject<'_>| {
        listed(subject, subject.problem.slug(), subject.problem.label.as_ref().map(ToString::to_string))
    };
    let entries: Vec<ListedProblem> = subjects.iter().map(entry).collect();
    let text = yaml_serde::to_string(&entries);
    text.map(Some).map_err(|error| ExportError::Yaml { file: LIST.to_owned(), error })
}

/// The file with the list of a contest.
pub(crate) const LIST: &str = "problems.yaml";

fn contest_of(problem: &Problem) -> Option<Contest> {
    Contest::read(problem.dir.parent()?)
}

fn listed(subject: &Subject<'_>, id: &str, label: Option<String>) -> ListedProblem {
    let contest = contest_of(subject.problem).unwrap_or_default();
    let stated = contest.colour(subject.problem.slug()).map(str::to_owned);
    let is_code = stated.as_ref().is_some_and(|stated| stated.starts_with('#'));
    let (rgb, color) = if is_code { (stated, None) } else { (None, stated) };
    ListedProblem {
        id: id.to_owned(),
        label,
        name: subject.description.title().to_owned(),
        rgb,
        color,
        time_limit: subject.time_limit().as_secs_f64(),
    }
}

/// The file with name, start and duration of the contest with this problem, if there is one.
pub(crate) fn settings_of(first: Option<&Problem>) -> Option<PathBuf> {
    Some(first?.dir.parent()?.join(SETTINGS)).filter(|file| file.is_file())
}

/// The letters of the problems of a contest.
///
/// # Errors
/// Two problems have the same letter.
pub(crate) fn different_labels<'p>(
    problems: impl Iterator<Item = &'p Problem> + Clone,
) -> Result<Vec<String>, ContestError> {
    let labels = labels(problems.clone());
    let mut known: BTreeMap<&str, &Problem> = BTreeMap::new();
    for (label, problem) in labels.iter().zip(problems) {
        if let Some(first) = known.insert(label, problem) {
            let [first, second] = [first, problem].map(|problem| problem.dir.clone());
            return Err(ContestError::SameLabel { label: label.clone(), first, second });
        }
    }
    Ok(labels)
}

/// The letters of the problems: their own, otherwise the next free ones.
pub(crate) fn labels<'p>(problems: impl Iterator<Item = &'p Problem> + Clone) -> Vec<String> {
    let own = |problem: &Problem| problem.label.as_ref().map(ToString::to_string);
    let mut taken: BTreeSet<String> = problems.clone().filter_map(own).collect();
    let mut free = (0u32..).map(|number| {
        let letter = char::from_u32(u32::from('A') + number % 26).unwrap_or('A');
        if number < 26 { letter.to_string() } else { format!("{letter}{}", number / 26 + 1) }
    });
    let mut label = |problem: &Problem| {
        own(problem).unwrap_or_else(|| {
            let next = free.find(|letter| !taken.contains(letter)).unwrap_or_default();
            taken.insert(next.clone());
            next
        })
    };
    problems.map(&mut label).collect()
}

/// The archive for contestants: the samples of each problem, numbered from 1 in a folder with its letter, and its
/// attachments.
fn samples_of(members: &[Member<'_>], labels: &[String]) -> Result<Draft, ExportError> {
    let mut draft = Draft::default();
    for (Member { subject, .. }, label) in members.iter().zip(labels) {
        // The draft of the problem has reported what is lost.
        let placed = place(subject, &mut Draft::default(), 1);
        for (number, sample) in (1..).zip(placed.iter().filter(|one| one.folder == SAMPLE)) {
            let extras = extras_of(subject.problem, sample.group)?;
            let answer = sample.answer.clone().filter(|_| !subject.problem.kind.is_led_by_validator());
            match shown(Purpose::Download, &extras, sample.group, sample.case, answer) {
                ShownSample::Conversation(file) => draft.copy(&format!("{label}/{number}.interaction"), &file),
                // The statement shows the arguments.
                ShownSample::Files { input, answer, beside, .. } => {
                    draft.copy(&format!("{label}/{number}.in"), &input);
                    if let Some(answer) = answer {
                        draft.copy(&format!("{label}/{number}.ans"), &answer);
                    }
                    for (name, file) in beside {
                        draft.copy(&format!("{label}/{number}.files/{}", unicode(&name)?), &file);
                    }
                }
            }
        }
        attachments(subject, &mut draft, label)?;
    }
    draft.check_names()?;
    Ok(draft)
}
