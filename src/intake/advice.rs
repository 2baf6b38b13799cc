//! Words what students read about submissions that cannot be judged: what was received, and what to submit instead.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::content::KnownLanguage;
use super::members::MembersFile;
use super::notebook::NOTEBOOK;
use super::reader::listed;
use super::unjudged::Why;
use crate::event::LeftOut;
use crate::package::archive::{is_archive_name, is_foreign, is_junk_name};
use crate::problem::ProblemId;
use crate::report::student::OUR_FAULT;

/// The most endings that a sentence offers.
const ENDINGS: usize = 3;
/// The endings of files that are not programs, whatever their names become. A `.txt` may be a program saved as text.
const DOCUMENTS: [&str; 76] = [
    "aux",
    "avi",
    "bib",
    "bin",
    "bmp",
    "cfg",
    "class",
    "conf",
    "css",
    "csv",
    "dat",
    "data",
    "db",
    "dll",
    "doc",
    "docx",
    "exe",
    "gif",
    "h5",
    "heic",
    "htm",
    "html",
    "iml",
    "in",
    "ini",
    "ipynb",
    "jpeg",
    "jpg",
    "json",
    "key",
    "lock",
    "log",
    "m4a",
    "md",
    "mkv",
    "mov",
    "mp3",
    "mp4",
    "npy",
    "npz",
    "o",
    "obj",
    "odp",
    "ods",
    "odt",
    "pages",
    "parquet",
    "pdb",
    "pdf",
    "pickle",
    "pkl",
    "png",
    "ppt",
    "pptx",
    "properties",
    "pyc",
    "rst",
    "rtf",
    "sav",
    "so",
    "sqlite",
    "svg",
    "swp",
    "tex",
    "toc",
    "toml",
    "tsv",
    "url",
    "wav",
    "webm",
    "webp",
    "xls",
    "xlsx",
    "xml",
    "yaml",
    "yml",
];
/// The names of other files that are not programs.
const DOCUMENT_NAMES: [&str; 12] = [
    "a.out",
    "authors",
    "cmakelists.txt",
    "copying",
    "dockerfile",
    "license",
    "license.txt",
    "makefile",
    "pipfile",
    "readme",
    "requirements.txt",
    // Sakai writes it.
    "timestamp.txt",
];

/// Whether a file is of a kind that no program has, such as a PDF. A notebook is a program.
pub(super) fn cannot_be_program(file: &Path) -> bool {
    let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
    ending != NOTEBOOK && DOCUMENTS.contains(&&*ending) || has_document_name(file)
}

fn has_document_name(file: &Path) -> bool {
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    DOCUMENT_NAMES.iter().any(|document| name.eq_ignore_ascii_case(document))
}

/// What a student reads whose submission cannot be told from those of others.
const NOT_TOLD_APART: &str =
    "not judged: we could not tell which submission is yours, which is not your fault; please ask the teaching staff";
/// The most problems that a sentence names.
const PROBLEMS: usize = 12;

/// A submission that cannot be judged.
#[derive(Debug, Clone)]
pub(crate) struct Misfit {
    pub(crate) student: String,
    /// The problem; none if it belongs to no problem.
    pub(crate) problem: Option<ProblemId>,
    pub(crate) why: Why,
    /// The names of the submitted files.
    pub(crate) received: Vec<PathBuf>,
    /// The language of its only file, if its ending does not say it.
    pub(super) language: Option<KnownLanguage>,
    /// The files that list its authors, the nearest last.
    pub(super) members: Vec<Rc<MembersFile>>,
    /// Whether nothing says that it is for this problem: it may be for any.
    pub(super) is_for_any: bool,
    /// Which of several submissions it is, if that is known.
    pub(super) attempt: Option<u32>,
    /// The path in the error about it, if that is about nothing else.
    pub(super) place: Option<PathBuf>,
    /// Whether it is no program, or a test: a student may have such files beside programs.
    pub(super) is_addition: bool,
}

impl Misfit {
    /// A submission of which nothing else is known.
    pub(super) fn new(student: String, problem: Option<ProblemId>, why: Why) -> Self {
        Self {
            student,
            problem,
            why,
            received: Vec::new(),
            language: None,
            members: Vec::new(),
            is_for_any: false,
            attempt: None,
            place: None,
            is_addition: false,
        }
    }
}

/// Valid names of submissions.
#[derive(Debug, Default)]
pub(crate) struct Advice {
    /// The endings of programs, the most frequent first.
    pub(crate) endings: Vec<String>,
    /// The names of the problems.
    pub(crate) problems: Vec<ProblemId>,
    /// The problems whose submissions are outputs, each with the name of an output.
    pub(crate) outputs: Vec<(ProblemId, String)>,
}

impl Advice {
    /// Lists a submission in the reports, with the text for its author.
    pub(crate) fn left_out(&self, misfit: Misfit) -> LeftOut {
        let text = self.text(&misfit);
        let Misfit { student, problem, why, .. } = misfit;
        LeftOut { student, problem, why: why.to_string(), text, staff: is_for_staff(why) }
    }

    fn text(&self, Misfit { problem, why, received, language, .. }: &Misfit) -> String {
        let files = if received.is_empty() { "no file".to_owned() } else { listed(received) };
        match why {
            // A cloned repository of a student who never pushed has only `.git`.
            Why::NoProgram if !received.is_empty() && received.iter().all(|file| is_left_behind(file)) => {
                format!("We received no program. Submit {}.", self.program())
            }
            Why::NoProgram => match self.renamed(received, *language) {
                Some(name) => to_rename(&files, &name),
                None => format!("We received {files}. Submit {}.", self.program()),
            },
            Why::NoFile => {
                format!("We received no file, and judge no text of the online form. Submit {}.", self.program())
            }
            Why::TooLarge => {
                format!("We received {files}, which is too large. Submit only the sources of your program.")
            }
            Why::Empty if received.is_empty() => {
                let of = problem.as_ref().map(|problem| format!(" for {problem}")).unwrap_or_default();
                format!("You submitted nothing{of}: the folder is empty. Submit {}.", self.program())
            }
            Why::Empty => format!("We received {files}, which is empty. Pack it again and submit it."),
            Why::NoOutput => {
                let example = self.outputs.iter().find(|(id, _)| Some(id) == problem.as_ref());
                let example = example.map(|(_, name)| format!(", such as {name}")).unwrap_or_default();
                format!("We received {files}. Submit outputs that are named like the test cases{example}.")
            }
            Why::Refused => format!("We received {files}, but could not open it. Submit the files themselves."),
            Why::Link => format!("We received {files}, which is only a link. Submit the file itself."),
            Why::Ambiguous => format!("We received several submissions for one problem: {files}. Submit only one."),
            Why::NoSuchProblem => self.without_problem(problem.as_ref(), received, *language),
            Why::SeveralAuthors => {
                "Several different submissions name you as an author. Tell the staff which one is yours.".to_owned()
            }
            Why::Unclear | Why::NotIdentified | Why::OutsideLayout => NOT_TOLD_APART.to_owned(),
            Why::Unreadable | Why::NotJudged | Why::NoTimeLimit => OUR_FAULT.to_owned(),
        }
    }

    /// Advice about files whose names mean no problem, or an old version of one.
    fn without_problem(
        &self,
        problem: Option<&ProblemId>,
        received: &[PathBuf],
        language: Option<KnownLanguage>,
    ) -> String {
        let files = listed(received);
        // `sums`: the name is right, and only the ending is missing.
        if let (None, [only]) = (problem, received)
            && self.problems.iter().any(|problem| only.as_os_str().eq_ignore_ascii_case(slug(problem)))
            && let Some(name) = self.renamed(received, language)
        {
            return to_rename(&files, &name);
        }
        let is_no_program = !received.is_empty() && received.iter().all(|file| cannot_be_program(file));
        if is_no_program && self.outputs.is_empty() {
            let verb = format!("We received {files}. Submit {}", self.program());
            return match &self.names()[..] {
                [] => format!("{verb}."),
                names => format!("{verb} with the name {}.", or(names)),
            };
        }
        if let (Some(problem), [only]) = (problem, received) {
            let ending = only.extension().map(|ending| format!(".{}", ending.display())).unwrap_or_default();
            let name = listed(&[PathBuf::from(format!("{}{ending}", slug(problem)))]);
            return format!(
                "We received {files}. If it counts for {problem}, rename it to {name} and submit it again."
            );
        }
        let names = self.names();
        let what = if names.is_empty() { "the problem".to_owned() } else { or(&names) };
        let verb = if received.len() > 1 { "name" } else { "names" };
        format!("We received {files}, which {verb} no problem. Name your file {what}.")
    }

    /// The names of programs for the problems, with the ending if only one is possible.
    fn names(&self) -> Vec<String> {
        let ending = match &self.endings[..] {
            [only] => format!(".{only}"),
            _ => String::new(),
        };
        self.problems.iter().take(PROBLEMS).map(|name| format!("{}{ending}", slug(name))).collect()
    }

    /// The name that a program should have whose ending is not that of its language, or that systems hide: `gaps.py` for
    /// `gaps.py.txt`, `gaps.txt`, `gaps.xyz` or `.gaps.py`.
    fn renamed(&self, received: &[PathBuf], language: Option<KnownLanguage>) -> Option<String> {
        let [only] = received else { return None };
        if let Some(shown) = hidden_program(only) {
            return Some(listed(&[shown]));
        }
        let stem = Path::new(only.file_stem()?);
        let ending = only.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        // Another name makes no program of `Makefile` either.
        if has_document_name(only) || DOCUMENTS.contains(&&*ending) || is_foreign(only) || is_archive_name(only) {
            return None;
        }
        let names = match (language, stem.extension()) {
            (Some(language), _) => vec![stem.with_extension(language.ending)],
            (None, Some(inner)) if ending == "txt" || self.endings.iter().any(|known| inner == known.as_str()) => {
                vec![stem.to_owned()]
            }
            (None, _) => {
                let endings = self.endings.iter().take(ENDINGS);
                endings.map(|ending| PathBuf::from(format!("{}.{ending}", stem.display()))).collect()
            }
        };
        let names = names.iter().filter_map(|name| name.file_name());
        let names: Vec<String> = names.map(|name| listed(&[PathBuf::from(name)])).collect();
        (!names.is_empty()).then(|| or(&names))
    }

    /// `a .py file`, or examples if several languages are possible.
    fn program(&self) -> String {
        let endings: Vec<String> = self.endings.iter().take(ENDINGS).map(|ending| format!(".{ending}")).collect();
        match &endings[..] {
            [] => "a source file, such as a .py or .cpp file".to_owned(),
            endings => format!("a {} file", or(endings)),
        }
    }
}

fn to_rename(files: &str, name: &str) -> String {
    format!("We received {files}. If that is your program, rename it to {name} and submit it again.")
}

/// The name of a file without the dot that hides it, if it may be a program: `sums.py` for `.sums.py`.
fn hidden_program(file: &Path) -> Option<PathBuf> {
    let name = file.file_name()?.to_string_lossy();
    // macOS keeps what it knows about `sums.py` in `._sums.py`.
    let shown = name.strip_prefix('.').filter(|shown| !shown.starts_with(['.', '_']))?;
    let ending = Path::new(shown).extension()?.to_string_lossy().to_lowercase();
    (!DOCUMENTS.contains(&&*ending)).then(|| PathBuf::from(shown))
}

/// Whether systems, editors or version control left a file behind.
fn is_left_behind(file: &Path) -> bool {
    file.file_name().is_some_and(is_junk_name) && hidden_program(file).is_none()
}

/// The name of a problem without the folders before it.
fn slug(problem: &ProblemId) -> &str {
    problem.as_str().rsplit('/').next().unwrap_or_default()
}

/// Whether only the staff can fix it.
fn is_for_staff(why: Why) -> bool {
    matches!(
        why,
        Why::SeveralAuthors
            | Why::Unclear
            | Why::Unreadable
            | Why::NotJudged
            | Why::NoTimeLimit
            | Why::NotIdentified
            | Why::OutsideLayout
    )
}

/// `a`, `a or b`, `a, b or c`.
fn or(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}
