//! Finds students and problems in paths, by a template or by the names that platforms use.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::LazyLock;

use regex::Regex;
use thiserror::Error;

use crate::glob::{Part, Template, TemplateError};
use crate::intake::reader::{Intake, Item, Tree, Why, listed, text_of};

/// The parts of a template, in the order of their positions. The name of a student may contain the separator before the
/// problem (`ann_b_sum.py`); that of a problem seldom does.
const PARTS: [Part; 2] =
    [Part { name: "student", greedy: true, deep: false }, Part { name: "problem", greedy: false, deep: false }];
const STUDENT: usize = 0;
const PROBLEM: usize = 1;

/// Moodle, "Download all submissions": `Name_12345_assignsubmission_file_/` or, without folders, the same as a prefix
/// of files. The number is that of the participant, so students with the same name stay apart.
static MOODLE: Pattern = Pattern::new(|| constant(r"^(.+)_(\d+)_assignsubmission_(file|onlinetext)(?:_(.*))?$"));
/// Canvas, "Download Submissions": `lastfirst_123_456_name.py` or `lastfirst_LATE_123_456_name.py`. The first number is
/// the student's.
static CANVAS: Pattern = Pattern::new(|| constant(r"^([^_/]+)(?:_LATE)?_(\d+)_(\d+)_(.+)$"));
/// ILIAS, "Download all": a directory `Last_First_login_123` for each student, somewhere below.
static ILIAS: Pattern = Pattern::new(|| constant(r"^[^_]+_.+_.+_\d+$"));

/// A pattern of this file, compiled at its first use.
type Pattern = LazyLock<Regex>;

/// Compiles a constant pattern. Panics if the pattern is invalid or needs a missing feature of `regex`: no submission
/// may be missed because of that.
fn constant(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the patterns of platforms are valid")
}

/// The rule for reading paths.
pub(crate) enum Layout {
    /// `{student}/{problem}.*`.
    Template(Template, String),
    /// An export of Moodle.
    Moodle,
    /// An export of Canvas.
    Canvas,
    /// An export of ILIAS.
    Ilias,
}

/// Why a text is no layout.
#[derive(Debug, Error)]
pub(crate) enum LayoutError {
    /// It is not a valid template.
    #[error(transparent)]
    Template(#[from] TemplateError),
    /// The template lacks `{student}`.
    #[error("it does not say where the `{{student}}` is; for example `{{student}}/{{problem}}.*`")]
    NoStudent,
}

/// A submission of one student for one problem.
#[derive(Debug)]
pub(crate) struct Taken {
    /// The student.
    pub(crate) student: String,
    /// The problem in its path, if there is one.
    pub(crate) problem: Option<String>,
    /// Its path, as shown to the user.
    pub(crate) place: PathBuf,
    /// The submitted files: a program or outputs, depending on the problem.
    pub(crate) handed: Handed,
}

/// Submitted files, which may be a program or outputs.
#[derive(Debug)]
pub(crate) enum Handed {
    /// A file or directory of a tree.
    Item(Rc<Tree>, Item),
    /// Files that the user named one by one: the path of each, and the path as typed.
    Files(Vec<(PathBuf, PathBuf)>),
    /// It cannot be read, and an error was reported.
    Refused(Why),
}

impl Taken {
    /// A submission at a path, of an unknown student.
    pub(crate) fn of_path(shown: &Path, handed: Handed) -> Self {
        Self { student: shown.display().to_string(), problem: None, place: shown.to_owned(), handed }
    }

    /// Why its content is unknown, if it is.
    pub(crate) fn refusal(&self) -> Option<Why> {
        match &self.handed {
            Handed::Item(tree, item) => tree.refusal(&item.below),
            Handed::Files(_) => None,
            Handed::Refused(why) => Some(why),
        }
    }
}

impl Layout {
    /// Reads `moodle`, `canvas`, `ilias` or a template with `{student}`.
    pub(crate) fn parse(text: &str) -> Result<Self, LayoutError> {
        match text {
            "moodle" => return Ok(Self::Moodle),
            "canvas" => return Ok(Self::Canvas),
            "ilias" => return Ok(Self::Ilias),
            _ => {}
        }
        let template = Template::new(text, &PARTS)?;
        if !template.has(STUDENT) {
            return Err(LayoutError::NoStudent);
        }
        Ok(Self::Template(template, text.to_owned()))
    }

    /// Recognises the platform of an export if every name at its top has the platform's form.
    pub(crate) fn guess(tree: &Tree) -> Option<Self> {
        let names: Vec<String> = tree.inside(Path::new("")).map(|item| name_of(&item.below)).collect();
        let all = |pattern: &Regex| !names.is_empty() && names.iter().all(|name| pattern.is_match(name));
        let known = [(&MOODLE, Self::Moodle), (&CANVAS, Self::Canvas)];
        known.into_iter().find(|(pattern, _)| all(pattern)).map(|(_, layout)| layout)
    }

    /// Its name in messages.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Template(_, text) => text,
            Self::Moodle => "moodle",
            Self::Canvas => "canvas",
            Self::Ilias => "ilias",
        }
    }

    /// Whether paths name the problem.
    pub(crate) fn names_problem(&self) -> bool {
        matches!(self, Self::Template(template, _) if template.has(PROBLEM))
    }

    /// All submissions below a path; paths that do not fit are reported.
    pub(crate) fn take(
        &self,
        intake: &mut Intake<'_>,
        tree: Rc<Tree>,
        shown: &Path,
        is_problem: &dyn Fn(&str) -> bool,
    ) -> Vec<Taken> {
        let mut sorter = Sorter { intake, tree, shown, taken: Vec::new(), strange: Vec::new() };
        match self {
            Self::Template(template, text) => {
                sorter.by(is_problem, |path, _| matched(template, path));
                sorter.refused_by(text, is_problem);
            }
            Self::Moodle => sorter.by_prefix(&MOODLE, 4),
            Self::Canvas => sorter.by_prefix(&CANVAS, 4),
            Self::Ilias => sorter.by(is_problem, |path, is_dir| {
                let name = name_of(path);
                (is_dir && ILIAS.is_match(&name)).then_some((name, None))
            }),
        }
        sorter.finish(self)
    }
}

fn name_of(path: &Path) -> String {
    text_of(path.file_name().unwrap_or_default().as_encoded_bytes())
}

/// The student and problem that a path names.
type Named = (String, Option<String>);

/// Matches a path with a template. `.py` in the template also matches `.PY`, but `.C` is never read as `.c`.
fn matched(template: &Template, path: &Path) -> Option<Named> {
    let ending = path.extension().filter(|ending| *ending != "C").map(OsStr::to_ascii_lowercase);
    let folded = ending.map(|ending| path.with_extension(ending));
    let parts = |path: &Path| {
        Some(
            template
                .parts(path.as_os_str().as_encoded_bytes())?
                .iter()
                .map(|part| part.map(text_of))
                .collect::<Vec<_>>(),
        )
    };
    let mut parts = parts(path).or_else(|| parts(&folded?))?;
    let mut part = |at: usize| parts.get_mut(at).and_then(Option::take);
    Some((part(STUDENT)?, part(PROBLEM)))
}

/// The state while submissions are collected from a tree.
struct Sorter<'s, 'a> {
    intake: &'s mut Intake<'a>,
    tree: Rc<Tree>,
    shown: &'s Path,
    taken: Vec<Taken>,
    /// Files that do not match the layout.
    strange: Vec<PathBuf>,
}

impl Sorter<'_, '_> {
    /// Takes each file or directory that `read` matches. Everything inside such a directory belongs to it.
    fn by(&mut self, is_problem: &dyn Fn(&str) -> bool, read: impl Fn(&Path, bool) -> Option<Named>) {
        let tree = Rc::clone(&self.tree);
        let mut inside: Option<&Path> = None;
        for (at, item) in tree.items.iter().enumerate() {
            if inside.is_some_and(|dir| item.below.starts_with(dir)) {
                continue;
            }
            // An archive may match as a directory without its extension. If the match names no known problem, this
            // needs that nothing inside matches.
            let packed = || {
                let found = read(item.archive.as_deref()?, true)?;
                let is_known = found.1.as_deref().is_none_or(is_problem);
                let is_whole = || {
                    let mut within =
                        tree.items[at + 1..].iter().take_while(|other| other.below.starts_with(&item.below));
                    let is_open = tree.refusal(&item.below).is_none();
                    is_open && !within.any(|other| read(&other.below, other.is_dir).is_some())
                };
                (is_known || is_whole()).then_some(found)
            };
            match read(&item.below, item.is_dir).or_else(packed) {
                Some((student, problem)) => {
                    inside = item.is_dir.then_some(&*item.below);
                    self.take(student, problem, item);
                }
                None if !item.is_dir => self.strange.push(item.below.clone()),
                None => {}
            }
        }
    }

    fn take(&mut self, student: String, problem: Option<String>, item: &Item) {
        let handed = Handed::Item(Rc::clone(&self.tree), item.clone());
        self.taken.push(Taken { student, problem, place: self.shown.join(item.name()), handed });
    }

    /// Takes refused directories and archives inside which the template would match. Their students follow from the
    /// beginning of the template. If several beginnings match, as with `**`, the longest that names a known problem or
    /// none counts.
    fn refused_by(&mut self, text: &str, is_problem: &dyn Fn(&str) -> bool) {
        let parts: Vec<&str> = text.split('/').collect();
        // A beginning that is not a valid template names no student.
        let beginnings =
            (1..=parts.len()).rev().filter_map(|count| Template::new(&parts[..count].join("/"), &PARTS).ok());
        let beginnings: Vec<Template> = beginnings.filter(|template| template.has(STUDENT)).collect();
        let is_in = |taken: &Taken, path: &Path| match &taken.handed {
            Handed::Item(_, item) => path.starts_with(&item.below),
            Handed::Files(_) | Handed::Refused(_) => false,
        };
        for (item, why) in self.tree.refused() {
            if self.taken.iter().any(|taken| is_in(taken, &item.below)) {
                continue;
            }
            let place = self.shown.join(item.name());
            let read = |template: &Template| matched(template, &item.below).or_else(|| matched(template, item.name()));
            let read: Vec<_> = beginnings.iter().filter_map(read).collect();
            let known = read.iter().find(|(_, problem)| problem.as_deref().is_none_or(is_problem));
            if let Some((student, problem)) = known.or(read.first()).cloned() {
                self.taken.push(Taken { student, problem, place, handed: Handed::Refused(why) });
            }
        }
    }

    /// Takes names at the top whose groups 1 and 2 form the student; group `rest` is the original name of a file. The
    /// files of one student are one program.
    fn by_prefix(&mut self, pattern: &Regex, rest: usize) {
        let mut files: BTreeMap<String, Vec<(String, &Item)>> = BTreeMap::new();
        let tree = Rc::clone(&self.tree);
        for item in tree.inside(Path::new("")) {
            let name = name_of(&item.below);
            let Some(captures) = pattern.captures(&name) else {
                self.strange.push(item.below.clone());
                continue;
            };
            // Text from an online form is not a program.
            if captures.get(3).is_some_and(|kind| kind.as_str() == "onlinetext") {
                continue;
            }
            let student = format!("{}_{}", &captures[1], &captures[2]);
            if item.is_dir {
                self.take(student, None, item);
            } else {
                let own = captures.get(rest).map(|name| name.as_str()).filter(|name| !name.is_empty());
                files.entry(student).or_default().push((own.unwrap_or("program").to_owned(), item));
            }
        }
        for (student, files) in files {
            self.gather(student, &files);
        }
    }

    /// Copies one student's files, under their original names, into a directory of their own.
    fn gather(&mut self, student: String, files: &[(String, &Item)]) {
        let first = self.shown.join(&files[0].1.below);
        let copied = self.intake.fresh_dir().and_then(|dir| {
            for (name, item) in files {
                fs::copy(&item.path, dir.join(name))?;
            }
            Ok(dir)
        });
        let dir = match copied {
            Ok(dir) => dir,
            Err(error) => {
                return self.intake.error(
                    &first,
                    format!("cannot be copied: {error}"),
                    "free some space for temporary files",
                );
            }
        };
        let tree = Rc::new(self.intake.tree(&dir, &first));
        let item = Item { below: PathBuf::new(), path: dir, is_dir: true, archive: None };
        self.taken.push(Taken { student, problem: None, place: first, handed: Handed::Item(tree, item) });
    }

    fn finish(self, layout: &Layout) -> Vec<Taken> {
        let Self { intake, shown, taken, strange, .. } = self;
        let name = layout.name();
        if !strange.is_empty() {
            let message = format!("outside of the layout `{name}`: {}", listed(&strange));
            intake.warning(shown, message, "change the layout to judge them; grader skips them now");
        }
        if taken.is_empty() && strange.is_empty() && intake.found.is_empty() {
            intake.error(shown, format!("contains nothing that the layout `{name}` can match"), "name another path");
        } else if taken.is_empty() && !strange.is_empty() {
            let remedy = "change the layout: it must match the path of a file or directory below this one";
            intake.error(shown, format!("nothing matches the layout `{name}`"), remedy);
        }
        taken
    }
}

/// Takes the programs of a folder without a layout: one program if the folder looks like one, otherwise each file and
/// folder in it.
pub(crate) fn many(intake: &mut Intake<'_>, tree: Rc<Tree>, shown: &Path) -> Vec<Taken> {
    let top = tree.first_of_several(Path::new(""));
    let inside: Vec<Item> = tree.inside(&top).cloned().collect();
    if inside.is_empty() && intake.found.is_empty() {
        intake.error(shown, "is empty: it contains no program", "name a program, or a folder or archive of programs");
        return Vec::new();
    }
    if intake.is_one_program(&tree, &top) {
        let item = tree.items.iter().find(|item| item.below == top).cloned();
        let root = tree.items.iter().find(|item| item.below.parent() == Some(&top)).and_then(|item| item.path.parent());
        let path = item.map(|item| item.path).or_else(|| root.map(Path::to_owned)).unwrap_or_default();
        let whole = Item { below: top, path, is_dir: true, archive: None };
        return vec![Taken::of_path(shown, Handed::Item(tree, whole))];
    }
    let mut taken = Vec::new();
    let mut ignored = Vec::new();
    for item in &inside {
        let wanted = if item.is_dir {
            tree.refusal(&item.below).is_some() || tree.holds_source(&item.below, intake)
        } else {
            intake.may_be_source(&item.path)
        };
        if !wanted {
            ignored.push(item.below.clone());
            continue;
        }
        taken.push(Taken::of_path(&shown.join(&item.below), Handed::Item(Rc::clone(&tree), item.clone())));
    }
    if !ignored.is_empty() {
        let mut files = inside.iter().filter(|item| !item.is_dir && ignored.contains(&item.below));
        let why = files.find_map(|item| intake.why_no_source(&item.path));
        let why = why.map(|why| format!(" ({why})")).unwrap_or_default();
        let message = format!("no source file of a known language: {}{why}", listed(&ignored));
        intake.warning(shown, message, "remove them, or name their language: --lang; grader does not judge them");
    }
    taken
}
