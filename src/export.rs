//! Writes problems in the formats of other judges and tools.
//!
//! A target is one item of a table, with one function. The function turns a problem into a [`Draft`]: the files, and what
//! the target cannot express. Nothing is written before the draft is complete, so the list of losses and the files cannot
//! disagree.
//!
//! Its files:
//!
//! - `draft`: the files of an export, and how they become an archive or a directory
//! - `description`: the descriptive information of a package, which judging does not need: licence, authors, uuid
//! - `subject`: the exported problem, with its effective limits and comparisons
//! - `listing`: the files of a package, which may be hostile
//! - `placed`: the cases in `sample` and `secret`
//! - `judge_files`, `programs`, `testlib`, `labels`: validators, submissions and their folders
//! - `statements`, `samples`: statements and attachments, and the samples that contestants see
//! - `comparison`: built-in comparisons as flags of the default output validator
//! - `icpc`, `legacy`: the targets
//! - `graded`: graders of the legacy format as points of 2025-09
//! - `foreign`: the common part of exports to judges with formats of their own
//! - `dmoj`, `hydro`, `italy`, `polygon`: their targets
//! - `unsaid`: reports the keys and files that a draft leaves out
//! - `contest`: several problems with their letters
//! - `upgrade`: the export of a package takes the place of its files

mod comparison;
pub(crate) mod contest;
mod description;
mod dmoj;
mod draft;
mod foreign;
mod graded;
mod hydro;
mod icpc;
mod italy;
mod judge_files;
mod labels;
mod legacy;
mod listing;
mod placed;
mod point_groups;
mod polygon;
mod programs;
mod samples;
pub(crate) mod statements;
mod subject;
mod testlib;
#[cfg(test)]
mod tests;
mod unsaid;
pub(crate) mod upgrade;
mod yaml;

use std::path::PathBuf;

pub(crate) use draft::{Draft, DraftPart, Loss, WriteError, write_directories};
pub(crate) use icpc::{Limits as IcpcLimits, Metadata as IcpcMetadata, VERSION as ICPC_VERSION};
pub(crate) use labels::without_stated_points;
pub(crate) use samples::{ShownSample, samples};
pub(crate) use subject::{PageContent, StatementPage, Subject, has_memory_limit, limits_of};

/// A format that problems can be written in.
pub(crate) struct Target {
    /// Its name on the command line.
    pub(crate) name: &'static str,
    /// The judges or tools that read it, as a line of help.
    pub(crate) summary: &'static str,
    /// Where the files of problems lie in an archive.
    pub(crate) archive: ArchiveLayout,
    /// Whether it shows the page of a statement ([`Subject::page`]).
    pub(crate) shows_page: bool,
    /// The keys without influence on verdicts that it has a place for, in the words of 2025-09.
    says: &'static [&'static str],
    /// Whether its labels of submissions follow from their points ([`without_stated_points`]).
    pub(crate) labels_by_points: bool,
    /// Turns a problem into files. Reports what the target cannot express to the draft.
    draft: fn(&Subject<'_>, &mut Draft) -> Result<(), ExportError>,
}

/// Where the files of problems lie in an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ArchiveLayout {
    /// At its top. Several problems are archives.
    Top,
    /// In a folder with the name of the problem. Several problems are archives in an archive, or folders in a directory.
    Folder,
    /// The same, and several problems are folders in an archive, too.
    Folders,
}

impl ArchiveLayout {
    /// Whether a problem lies in a folder with its name.
    pub(crate) fn has_folder(self) -> bool {
        self != Self::Top
    }
}

/// All targets.
pub(crate) const TARGETS: &[Target] = &[
    icpc::TARGET,
    legacy::ICPC,
    legacy::DOMJUDGE,
    legacy::KATTIS,
    dmoj::TARGET,
    hydro::TARGET,
    italy::TARGET,
    polygon::TARGET,
];

/// The current version of the package format, for packages that grader itself reads.
pub(crate) const CURRENT: &Target = &icpc::OWN;

impl Target {
    /// The target with this name.
    pub(crate) fn named(name: &str) -> Option<&'static Self> {
        TARGETS.iter().find(|target| target.name == name)
    }

    /// The files of the problem in this format.
    ///
    /// # Errors
    /// The problem cannot be written in any form.
    pub(crate) fn draft(&self, subject: &Subject<'_>) -> Result<Draft, ExportError> {
        listing::refuse_strange(subject.problem, &subject.data)?;
        let mut draft = self.draft_in_place(subject)?;
        unsaid::report_others(subject, self, &mut draft)?;
        Ok(draft)
    }

    /// Like `draft`, if files that do not belong to a package stay in place.
    ///
    /// # Errors
    /// The problem cannot be written in any form.
    pub(crate) fn draft_in_place(&self, subject: &Subject<'_>) -> Result<Draft, ExportError> {
        let mut draft = Draft::default();
        (self.draft)(subject, &mut draft)?;
        unsaid::report(subject, self, &mut draft)?;
        draft.check_names()?;
        Ok(draft)
    }
}

/// Why a problem cannot be exported.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ExportError {
    /// The name has no character that names of packages may have.
    #[error(
        "{0:?} has no letter or digit for the name of the package\n  → rename the folder of the problem: a to z and 0 to 9"
    )]
    NoName(String),
    /// The name of a file is not UTF-8.
    #[error("{} has a name that is not UTF-8\n  → rename it", .0.display())]
    NotUnicode(PathBuf),
    /// Two files would have the same name.
    #[error("{first} and {second} both become {name}\n  → rename one of them", first = .first.display(), second = .second.display())]
    SameName { name: String, first: PathBuf, second: PathBuf },
    /// Two names differ only by the case of letters, so that many file systems keep only one of the files.
    #[error("the names {0} and {1} differ only by the case of letters\n  → rename one of them")]
    SameLetters(String, String),
    /// A link leads out of the package of another author, who does not decide what else is read.
    #[error("{} is a link that leads out of the package\n  → copy the file into the package", .0.display())]
    LinkOut(PathBuf),
    /// A link leads to a folder around it.
    #[error("{} is a link to a folder that it lies in\n  → remove it", .0.display())]
    Loop(PathBuf),
    /// A named pipe, a socket or a device has the name of a file.
    #[error("{} is neither a file nor a directory\n  → remove it, or put a file there", .0.display())]
    NoFile(PathBuf),
    /// A name has characters that archives and file systems read as something else.
    #[error(
        "the name {0:?} has a line break, another control character or a backslash\n  → rename it: letters, digits, `_`, `.` and `-`"
    )]
    StrangeName(String),
    /// A file cannot be read.
    #[error("cannot read {}: {error}", .path.display())]
    Read { path: PathBuf, error: std::io::Error },
    /// A description cannot be written as YAML.
    #[error("cannot write {file}: {error}")]
    Yaml { file: String, error: yaml_serde::Error },
    /// A source becomes too large when its constants are replaced.
    #[error("{}: {error}", .path.display())]
    TooLarge { path: PathBuf, error: crate::problem::TooLarge },
    /// The problem has no tests.
    #[error("the problem has no test cases\n  → add some: grader add")]
    NoTests,
}
