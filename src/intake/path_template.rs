//! Reads paths by a layout that is a glob: `{student}/{problem}.*`.

use std::cell::RefCell;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::found_submission::Aim;
use super::names::{NamedProblem, ProblemNames};
use super::notebook::NOTEBOOK;
use super::reader::text_of;
use crate::glob::{Part, Takes, Template, TemplateError};

/// The parts of a template, in the order of their positions. The name of a student may contain the separator before the
/// problem (`ann_b_sum.py`); that of a problem seldom does.
const PARTS: [Part; 3] = parts(Takes::Least);
const STUDENT: usize = 0;
const PROBLEM: usize = 1;
const ATTEMPT: usize = 2;

const fn parts(problem: Takes) -> [Part; 3] {
    [
        Part { name: "student", takes: Takes::Most, deep: false },
        Part { name: "problem", takes: problem, deep: false },
        Part { name: "attempt", takes: Takes::Least, deep: false },
    ]
}

/// A layout that is a glob with the student and the problem.
pub(crate) struct PathTemplate {
    /// The glob as typed.
    pub(super) text: String,
    /// The glob without the `*` beside the problem, which would cut the name of the problem.
    closed: String,
    /// The same, compiled.
    whole: Template,
    /// The same for each length of the problem's name, from 1, as far as needed so far.
    by_length: RefCell<Vec<Option<Rc<Template>>>>,
    /// Whether the glob has a `*` before and after the problem.
    stars: (bool, bool),
    /// The beginnings of the glob that name a student, the longest first.
    pub(super) beginnings: Vec<Template>,
    /// The number of names in a path that matches; none if it varies.
    pub(super) depth: Option<usize>,
    /// The position of the name that has the student.
    pub(super) student_at: usize,
}

/// The student and the problem that a path names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reading {
    pub(super) student: String,
    pub(super) aim: Aim,
    /// The number of the attempt, if the layout has one.
    pub(super) attempt: Option<u32>,
    /// Whether the path does not match the layout exactly.
    pub(super) forgiven: bool,
    /// Whether the name of the problem is not exact.
    pub(super) is_inexact: bool,
    /// Whether folders in between were left out.
    pub(super) skips_folders: bool,
}

impl Reading {
    /// Whether it is a submission, and not a path with an unknown problem.
    pub(super) fn is_submission(&self) -> bool {
        matches!(self.aim, Aim::Unsaid | Aim::Problem(_) | Aim::Several(_))
    }
}

impl PathTemplate {
    /// Compiles a layout; none if it does not say where the student is.
    pub(super) fn new(text: &str) -> Result<Option<Self>, TemplateError> {
        // The glob as typed is checked, so that an error is about what the user wrote.
        if !Template::new(text, &PARTS)?.has(STUDENT) {
            return Ok(None);
        }
        let stars = (text.contains("*{problem}"), text.contains("{problem}*"));
        let closed = if text.contains("**") {
            text.to_owned()
        } else {
            text.replace("*{problem}", "{problem}").replace("{problem}*", "{problem}")
        };
        let names: Vec<&str> = closed.trim_end_matches('/').split('/').collect();
        // A beginning that is not a valid template names no student.
        let beginnings =
            (1..=names.len()).rev().filter_map(|count| Template::new(&names[..count].join("/"), &PARTS).ok());
        Ok(Some(Self {
            whole: Template::new(&closed, &PARTS)?,
            by_length: RefCell::default(),
            stars,
            beginnings: beginnings.filter(|template| template.has(STUDENT)).collect(),
            depth: (!closed.contains("**")).then_some(names.len()),
            student_at: names.iter().rposition(|name| name.contains("{student}")).unwrap_or_default(),
            text: text.to_owned(),
            closed,
        }))
    }

    /// Whether paths name the problem.
    pub(super) fn names_problem(&self) -> bool {
        self.whole.has(PROBLEM)
    }

    /// Reads the student and the problem from a path, without leaving out folders.
    pub(super) fn read(&self, path: &Path, names: &ProblemNames) -> Option<Reading> {
        let PathNames { student, problem, attempt } = matched(&self.whole, path)?;
        let read = |student, aim, forgiven| {
            Some(Reading { student, aim, attempt, forgiven, is_inexact: forgiven, skips_folders: false })
        };
        let Some(problem) = problem else { return read(student, Aim::Unsaid, false) };
        match &self.readings(path, names)[..] {
            [] => read(student, Aim::Unknown(problem), false),
            [(student, id, forgiven)] => read(student.clone(), Aim::Problem(id.clone()), *forgiven),
            several => {
                let both = several.iter().map(|(student, id, _)| (student.clone(), id.clone()));
                read(student, Aim::Several(both.collect()), false)
            }
        }
    }

    /// Every problem that a path may name, with the student of that reading, and whether its name is not exact.
    fn readings(&self, path: &Path, names: &ProblemNames) -> Vec<(String, String, bool)> {
        let longest = path.components().map(|name| name.as_os_str().len()).max().unwrap_or_default();
        let mut found: Vec<(String, String, bool)> = Vec::new();
        for length in 1..=longest {
            let said = self.with_length(length).and_then(|template| matched(&template, path));
            let Some(PathNames { student, problem: Some(problem), .. }) = said else { continue };
            let meant = match (names.meant(&problem), self.stars) {
                (NamedProblem::None, (before, after)) if before || after => names.within(&problem, before, after),
                (meant, _) => meant,
            };
            let (id, forgiven) = match meant {
                NamedProblem::Exactly(id) => (id, false),
                NamedProblem::Forgivingly(id) => (id, true),
                NamedProblem::Several | NamedProblem::None => continue,
            };
            // Of several readings with one problem, the student with the longest name counts.
            if found.iter().all(|(_, known, _)| known != id) {
                found.push((student, id.to_owned(), forgiven));
            }
        }
        found
    }

    /// The glob for names of problems with this length, from 1.
    fn with_length(&self, length: usize) -> Option<Rc<Template>> {
        let mut known = self.by_length.borrow_mut();
        while known.len() < length {
            // It differs from `whole` only in a number. If it could be too large, no path with it could be matched.
            let template = Template::new(&self.closed, &parts(Takes::Exactly(known.len() + 1)));
            known.push(template.ok().map(Rc::new));
        }
        known[length - 1].clone()
    }

    /// Reads a path without some of its folders: those below the folder that names the student, or above
    /// the file that does. None unless all ways to do that agree.
    pub(super) fn read_between(&self, path: &Path, names: &ProblemNames) -> Option<Reading> {
        let parts: Vec<_> = path.components().collect();
        let depth = self.depth.filter(|depth| parts.len() > *depth)?;
        let surplus = parts.len() - depth;
        let places = if self.student_at + 1 == depth { 0..=self.student_at } else { self.student_at + 1..=depth - 1 };
        let mut found: Option<Reading> = None;
        for at in places {
            let shorter: PathBuf = parts[..at].iter().chain(&parts[at + surplus..]).collect();
            let Some(read) = self.read(&shorter, names).filter(Reading::is_submission) else { continue };
            if found.as_ref().is_some_and(|found| {
                (&found.student, &found.aim, found.attempt) != (&read.student, &read.aim, read.attempt)
            }) {
                return None;
            }
            found = Some(Reading { forgiven: true, skips_folders: true, ..read });
        }
        found
    }

    /// Reads a folder that is named like a file of the layout without its ending: `ann/sum/` for `ann/sum.py`.
    pub(super) fn read_folder(&self, path: &Path, names: &ProblemNames) -> Option<Reading> {
        let ending = self.text.rsplit('/').next()?.rsplit_once('.')?.1;
        let ending = if ending.contains(['*', '?', '[', '{']) { "x" } else { ending };
        let mut name = path.file_name()?.to_owned();
        name.push(format!(".{ending}"));
        let file = path.with_file_name(name);
        let read = self.read(&file, names).or_else(|| self.read_between(&file, names));
        let read = read.filter(|read| matches!(read.aim, Aim::Problem(_)))?;
        Some(Reading { forgiven: true, ..read })
    }

    /// The student whose folder is at or above a path.
    pub(super) fn student_of(&self, path: &Path) -> Option<String> {
        let mut paths = path.ancestors().filter(|path| !path.as_os_str().is_empty());
        paths.find_map(|path| self.beginnings.iter().find_map(|template| Some(matched(template, path)?.student)))
    }
}

/// The student, the problem and the attempt that a path names.
pub(super) struct PathNames {
    pub(super) student: String,
    pub(super) problem: Option<String>,
    pub(super) attempt: Option<u32>,
}

/// Matches a path with a template. `.py` in the template also matches `.PY` and a notebook, but `.C` is never read as
/// `.c`.
pub(super) fn matched(template: &Template, path: &Path) -> Option<PathNames> {
    let ending = path.extension().filter(|ending| *ending != "C").map(OsStr::to_ascii_lowercase);
    let is_notebook = ending.as_ref().is_some_and(|ending| ending == NOTEBOOK);
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
    let program = || parts(&path.with_extension("py")).filter(|_| is_notebook);
    let mut parts = parts(path).or_else(|| parts(&folded?)).or_else(program)?;
    let mut part = |at: usize| parts.get_mut(at).and_then(Option::take);
    let (student, problem) = (part(STUDENT)?, part(PROBLEM));
    let attempt = part(ATTEMPT).map(|number| number.parse()).transpose();
    // If the attempt is not a number, the layout does not fit.
    attempt.ok().map(|attempt| PathNames { student, problem, attempt })
}
