//! The submissions at a path that the user named: a file, a folder, an archive, an export of a platform.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::found_submission::{Aim, FoundSubmission, SubmittedFiles};
use super::layout::FolderLayout;
use super::names::{NamedProblem, ProblemNames};
use super::platforms::Platform;
use super::reader::{Intake, is_document};
use super::recognition::{Fit, Recognition, recognised};
use super::tree::{Tree, TreeItem};
use super::{Problems, several_files, wants_outputs};
use crate::course::AttemptChoice;
use crate::diagnostic::{Diagnostic, Severity};
use crate::package::archive::{archive_stem, is_archive_name, to_unpack};
use crate::report::text::quote_path;
use crate::workspace::Workspace;

/// The item at a path that the user named.
pub(super) enum Source {
    /// Nothing that can be judged. An error was reported.
    Refused,
    /// A file that is a submission.
    File(PathBuf),
    /// A folder or an archive. Without a layout, it may be recognised as an export.
    Tree(PathBuf, Rc<Tree>, Option<FolderLayout>),
}

impl Source {
    pub(super) fn recognised(&self) -> Option<&FolderLayout> {
        match self {
            Self::Tree(.., recognised) => recognised.as_ref(),
            Self::Refused | Self::File(_) => None,
        }
    }

    /// Whether nothing of it can be read. An error was reported.
    pub(super) fn is_unread(&self) -> bool {
        match self {
            Self::Refused => true,
            Self::File(_) => false,
            Self::Tree(_, tree, _) => tree.whole.is_some(),
        }
    }

    /// Reads a folder or an archive that contains nothing but archives as a class: each is that of a student. Archives with
    /// names of problems are not.
    pub(super) fn recognise_archives(
        &mut self,
        intake: &mut Intake<'_>,
        shown: &Path,
        problems: &Problems,
        by_problem: bool,
    ) {
        let Self::Tree(_, tree, recognised @ None) = self else { return };
        let top = tree.first_of_several(Path::new(""));
        let names = ProblemNames::of(problems);
        let is_students = |item: &TreeItem| {
            let name = item.below.file_name().unwrap_or_default().to_string_lossy();
            item.archive.is_some() && matches!(names.meant(&name), NamedProblem::None)
        };
        let inside: Vec<&TreeItem> =
            tree.inside(&top).filter(|item| item.is_dir || !is_document(&item.below)).collect();
        let is_class = inside.len() > 1 && inside.into_iter().all(is_students);
        if !is_class || problems.plan.problems.iter().any(wants_outputs) {
            return;
        }
        let layout = if by_problem { "{student}/{problem}.*" } else { "{student}" };
        let layout = format!("{}{layout}", "*/".repeat(top.components().count()));
        let message = format!("contains only archives; grader reads each as that of a student: --layout '{layout}'");
        intake.warning(shown, message, "name another layout if they are something else");
        *recognised = Some(FolderLayout::parse(&layout).expect("it is a template with the student"));
    }
}

pub(super) fn source(
    intake: &mut Intake<'_>,
    workspace: &Workspace,
    shown: &Path,
    layout: Option<&FolderLayout>,
) -> Source {
    let path: PathBuf = workspace.start.join(shown).components().collect();
    if intake.refuses_link(&workspace.start, shown) {
        return Source::Refused;
    }
    if path.is_file()
        && let Some(command) = to_unpack(shown, quote_path)
    {
        let remedy = format!("unpack it and judge the folder: {command}");
        intake.error(shown, "is an archive that grader does not open", &remedy);
        return Source::Refused;
    }
    if layout.is_none() && path.is_file() && !is_archive_name(&path) {
        return Source::File(path);
    }
    if layout.is_none() && !path.is_dir() && !path.is_file() {
        let message = "is neither a file nor a directory";
        intake.error(shown, message, "name a file, a folder or an archive");
        return Source::Refused;
    }
    let tree = intake.tree(&path, shown);
    let recognition = if layout.is_none() { recognised(&tree, shown, &intake.roster) } else { Recognition::None };
    let recognised = match recognition {
        Recognition::Export(platform) => Some(FolderLayout::Export(platform)),
        Recognition::ByRoster(platform) => {
            let name = platform.name;
            let message = format!("is read as `--layout {name}`: most of the students in its names are in the roster");
            let found = Diagnostic::new(Severity::Info, message).about(shown);
            intake
                .found
                .push(found.remedy("if it is another folder, name its layout: --layout '{student}/{problem}.*'"));
            Some(FolderLayout::Export(platform))
        }
        Recognition::Partly(Platform { name, .. }) => {
            let message =
                format!("some of its names are those of `{name}`, most are not; grader does not read it as an export");
            intake.warning(
                shown,
                message,
                &format!("if it is one, say so: --layout {name}; leave out others with --ignore"),
            );
            None
        }
        Recognition::Perhaps(platforms) => {
            let names: Vec<&str> = platforms.iter().map(|(platform, _)| platform.name).collect();
            let layouts: Vec<String> = names.iter().map(|name| format!("--layout {name}")).collect();
            let message = format!(
                "its names are like those of {}, which other folders have too; grader does not guess",
                names.join(" and ")
            );
            let found = Diagnostic::new(Severity::Info, message).about(shown);
            let layouts = layouts.join(", or ");
            let by_roster = match platforms.iter().map(|(_, fit)| fit).max_by_key(|fit| fit.enrolled) {
                _ if intake.roster.is_empty() => "a roster of its students (--roster) says it too".to_owned(),
                Some(Fit { enrolled, units, .. }) if 2 * enrolled <= *units => {
                    format!("the roster has only {enrolled} of the {units} students in these names")
                }
                _ => "the roster fits several of them".to_owned(),
            };
            let remedy = format!("if it is such an export, say so: {layouts}; {by_roster}");
            intake.found.push(found.remedy(remedy));
            None
        }
        Recognition::None => None,
    };
    Source::Tree(path, Rc::new(tree), recognised)
}

/// Takes the submissions of a path. `as_outputs`: the whole path is one submission.
pub(super) fn take(
    intake: &mut Intake<'_>,
    source: Source,
    shown: &Path,
    layout: Option<&FolderLayout>,
    as_outputs: bool,
    (names, only): (&ProblemNames, Option<&str>),
) -> Vec<FoundSubmission> {
    let (path, tree, recognised) = match source {
        Source::Refused => return Vec::new(),
        // The user named it, so it is a submission, whatever its name is. The code that builds or judges it reports
        // errors.
        Source::File(path) => {
            if let Err(error) = File::open(&path) {
                intake.error(shown, error.to_string(), "make it readable");
                return Vec::new();
            }
            return vec![FoundSubmission::of_path(shown, SubmittedFiles::Files(vec![(path, shown.to_owned())]))];
        }
        Source::Tree(path, tree, recognised) => (path, tree, recognised),
    };
    let name = path.file_name().map(PathBuf::from).unwrap_or_default();
    let name = archive_stem(&name).unwrap_or(name);
    let own = only.filter(|only| names.meant(&name.to_string_lossy()).id() == Some(*only));
    // What lies in the folder of an exercise is for it, as with several exercises.
    let of_folder = own.map(|own| names.only(own));
    let known = (of_folder.as_ref().unwrap_or(names), only);
    let mut taken = take_tree(intake, (path, tree, layout.or(recognised.as_ref())), shown, as_outputs, known);
    if let Some(own) = own {
        for taken in taken.iter_mut().filter(|taken| taken.aim == Aim::Unsaid) {
            taken.aim = Aim::Problem(own.to_owned());
        }
    }
    match only.filter(|_| intake.attempts == AttemptChoice::Best && !as_outputs) {
        Some(only) => taken.into_iter().flat_map(|taken| attempts_apart(intake, taken, (names, only))).collect(),
        None => taken,
    }
}

/// Each version of the program in a folder as an attempt, as with several exercises: files with the name of the problem whose dates
/// differ.
fn attempts_apart(
    intake: &Intake<'_>,
    taken: FoundSubmission,
    (names, only): (&ProblemNames, &str),
) -> Vec<FoundSubmission> {
    let SubmittedFiles::Item(tree, folder) = &taken.files else { return vec![taken] };
    let is_version = |item: &&TreeItem| {
        !item.is_dir && intake.is_source(&item.below) && names.of_name(&item.below).id() == Some(only)
    };
    let versions: Vec<&TreeItem> = tree.inside(&folder.below).filter(is_version).collect();
    let paths: Vec<PathBuf> = versions.iter().map(|version| version.path.clone()).collect();
    if versions.len() < 2 || intake.in_order_of_dates(&paths).is_none() {
        return vec![taken];
    }
    let below: Vec<&TreeItem> =
        tree.items.iter().filter(|item| !item.is_dir && item.below.starts_with(&folder.below)).collect();
    let attempt = |version: &TreeItem| FoundSubmission {
        student: taken.student.clone(),
        author: taken.author.clone(),
        aim: Aim::Problem(only.to_owned()),
        place: taken.place.join(version.below.file_name().unwrap_or_default()),
        files: match several_files::beside(intake, &below, version, &|_| true) {
            Some(several) => SubmittedFiles::Several(Rc::clone(tree), version.clone(), several),
            None => SubmittedFiles::Item(Rc::clone(tree), version.clone()),
        },
        members: taken.members.clone(),
    };
    versions.into_iter().map(attempt).collect()
}

/// Takes the submissions of a folder or an archive.
fn take_tree(
    intake: &mut Intake<'_>,
    (path, tree, layout): (PathBuf, Rc<Tree>, Option<&FolderLayout>),
    shown: &Path,
    as_outputs: bool,
    (names, only): (&ProblemNames, Option<&str>),
) -> Vec<FoundSubmission> {
    if let Some(layout) = layout {
        return layout.take(intake, tree, shown, names, only.is_none());
    }
    if as_outputs {
        let whole = TreeItem { below: PathBuf::new(), path, is_dir: true, archive: None };
        return vec![FoundSubmission::of_path(shown, SubmittedFiles::Item(tree, whole))];
    }
    super::layout::many(intake, tree, shown, only.map(|only| (names, only)))
}

/// Joins outputs that the user named one by one into one submission.
pub(super) fn with_files_together(taken: Vec<FoundSubmission>) -> Vec<FoundSubmission> {
    let mut together: Vec<(PathBuf, PathBuf)> = Vec::new();
    let mut others = Vec::new();
    for taken in taken {
        match taken.files {
            SubmittedFiles::Files(files) => together.extend(files),
            _ => others.push(taken),
        }
    }
    if let [(_, first), rest @ ..] = &together[..] {
        let name = if rest.is_empty() { first.clone() } else { format!("{} files", together.len()).into() };
        others.push(FoundSubmission::of_path(&name, SubmittedFiles::Files(together)));
    }
    others
}
