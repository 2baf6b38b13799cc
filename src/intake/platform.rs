//! The platforms whose exports grader reads: the form of their names, and the feedback that Moodle takes back.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Cursor, Write as _};
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// A platform with an export of all submissions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Platform {
    /// "Download all submissions": `Name_12345_assignsubmission_file_/` or, without folders, the same as a prefix of
    /// files. The number is that of the participant, so students with the same name stay apart.
    Moodle,
    /// "Download Submissions": `lastfirst_123_456_name.py` or `lastfirst_LATE_123_456_name.py`. The first number is the
    /// student's.
    Canvas,
    /// "Download all": a directory `Last_First_login_123` for each student, somewhere below.
    Ilias,
}

/// The name and id that a platform puts into the name of a student's files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Identity {
    /// The name, as the platform writes it.
    pub(crate) name: String,
    /// Moodle's number of the participant, Canvas' number of the student, or the login at ILIAS.
    pub(crate) id: String,
}

static MOODLE: Pattern = Pattern::new(|| constant(r"^(.+)_(\d+)_assignsubmission_(file|onlinetext)(?:_(.*))?$"));
static CANVAS: Pattern = Pattern::new(|| constant(r"^([^_/]+)(?:_LATE)?_(\d+)_(\d+)_(.+)$"));
static ILIAS: Pattern = Pattern::new(|| constant(r"^[^_]+_.+_.+_\d+$"));

/// A pattern of this file, compiled at its first use.
type Pattern = LazyLock<Regex>;

/// Compiles a constant pattern. Panics if the pattern is invalid or needs a missing feature of `regex`: no submission
/// may be missed because of that.
fn constant(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the patterns of platforms are valid")
}

impl Platform {
    const ALL: [Self; 3] = [Self::Moodle, Self::Canvas, Self::Ilias];

    /// Its name in `--layout`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Moodle => "moodle",
            Self::Canvas => "canvas",
            Self::Ilias => "ilias",
        }
    }

    /// The platform with this name in `--layout`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|platform| platform.name() == text)
    }

    /// The form of names in its exports. At Moodle and Canvas, groups 1 and 2 are the name and the number of the student,
    /// and group 4 is the original name of a file.
    pub(crate) fn pattern(self) -> &'static Regex {
        match self {
            Self::Moodle => &MOODLE,
            Self::Canvas => &CANVAS,
            Self::Ilias => &ILIAS,
        }
    }

    /// Recognises the platform if all names at the top of an export have its form. Other folders look like those of
    /// ILIAS, so nothing is taken for ILIAS.
    pub(crate) fn guess(names: &[String]) -> Option<Self> {
        let fits = |platform: &Self| !names.is_empty() && names.iter().all(|name| platform.pattern().is_match(name));
        [Self::Moodle, Self::Canvas].into_iter().find(fits)
    }

    /// Splits the name under which reports list a student: `Ann Lee_1234`, `leeann_123`, `Lee_Ann_login_123`.
    pub(crate) fn identity(self, student: &str) -> Option<Identity> {
        let (name, id) = student.rsplit_once('_')?;
        let (name, id) = if self == Self::Ilias { name.rsplit_once('_')? } else { (name, id) };
        Some(Identity { name: name.replace('_', " "), id: id.to_owned() })
    }
}

/// A zip of texts for students, which Moodle gives to each student as a feedback file ("Upload multiple feedback files in
/// a zip"). `folders` has the identity of each student and the folder of the texts; only the files with one of `names`
/// are in the zip. None if there is no such file.
///
/// Moodle finds the student by the number: `Ann Lee_1234_assignfeedback_file_sum.txt`
/// (`mod/assign/feedback/file/importziplib.php`).
///
/// # Errors
/// A text cannot be read.
pub(crate) fn moodle_feedback<'f>(
    folders: impl Iterator<Item = (&'f Identity, &'f Path)>,
    names: &BTreeSet<String>,
) -> io::Result<Option<Vec<u8>>> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let mut is_empty = true;
    for (identity, folder) in folders {
        for name in names {
            let text = match fs::read(folder.join(name)) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                text => text?,
            };
            let harmless = |c: char| if c.is_alphanumeric() || " -.'".contains(c) { c } else { ' ' };
            let student: String = identity.name.chars().map(harmless).collect();
            let entry = format!("{student}_{}_assignfeedback_file_{name}", identity.id);
            zip.start_file(entry, SimpleFileOptions::default())?;
            zip.write_all(&text)?;
            is_empty = false;
        }
    }
    let whole = zip.finish()?.into_inner();
    Ok((!is_empty).then_some(whole))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_ids_are_told_apart() {
        let identity = |platform: Platform, student: &str| {
            platform.identity(student).map(|identity| (identity.name, identity.id)).unwrap_or_default()
        };
        let pair = |name: &str, id: &str| (name.to_owned(), id.to_owned());
        assert_eq!(identity(Platform::Moodle, "Ann Lee_1234"), pair("Ann Lee", "1234"));
        assert_eq!(identity(Platform::Moodle, "a_b_7"), pair("a b", "7"));
        assert_eq!(identity(Platform::Canvas, "leeann_11"), pair("leeann", "11"));
        assert_eq!(identity(Platform::Ilias, "Lee_Ann_Mary_lee_331"), pair("Lee Ann Mary", "lee"));
        assert_eq!(Platform::Moodle.identity("ann"), None);
    }
}
