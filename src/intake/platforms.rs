//! The learning platforms whose exports grader reads, and the feedback that Moodle takes back. A platform is a row of
//! [`PLATFORMS`]: the forms of the names in its exports.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Cursor, Write as _};
use std::path::Path;
use std::sync::LazyLock;

use regex::{Captures, Regex};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// A platform with an export of all submissions.
#[derive(Debug)]
pub(crate) struct Platform {
    /// Its name in `--layout`.
    pub(crate) name: &'static str,
    /// Its own name, and what its export is called there.
    pub(crate) title: &'static str,
    /// The forms of the paths in its export: the end of the path of a folder or a file of one student. The groups of a
    /// form say what its parts are, see [`PathParts`].
    forms: Vec<Regex>,
    /// The names of files that the platform itself adds.
    own: Regex,
    /// The form of a file name in the folder of a student, if the platform puts a time before it.
    pub(crate) stamp: Option<Regex>,
    /// The times in its names, as `jiff` parses them.
    pub(crate) dates: &'static [&'static str],
    /// Whether its exports are recognised without `--layout`, by the forms of names. Other folders look like those of the rest.
    pub(crate) is_recognised: bool,
    /// The path of a file that only its exports have; with one, they are recognised too.
    proof: Option<Regex>,
    /// The form of its paths, for messages.
    pub(crate) example: &'static str,
    pub(super) unsubmitted: UnsubmittedFolder,
    /// Whether a file that is submitted again has a number before its ending: `sum-1.py`.
    pub(super) numbers_files: bool,
}

/// The folder of a student who submitted nothing, in an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum UnsubmittedFolder {
    /// There is none.
    Missing,
    /// It has no file.
    Empty,
    /// It has no files, or only those of the template.
    Template,
}

/// The parts of a path, by the groups of a form: `name`, `last`, `id`, `login`, `exercise`, `attempt`, `participation`, `date` (or `day`, `hour`, `minute` and
/// `half`), `late`, `text`, `repository`, `folder` and `file`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct PathParts {
    pub(crate) identity: Identity,
    /// The last name, if the name of the folder says which words of the name it is.
    pub(crate) last_name: Option<String>,
    /// The folder above, or what the name says.
    pub(crate) exercise: Option<String>,
    pub(crate) attempt: Option<u32>,
    /// The number of a student's work in the whole platform: a different one for each student.
    pub(crate) participation: Option<String>,
    /// Whether the same sign separates exercise and login, so that the name does not say where the login begins.
    pub(crate) login_follows_exercise: bool,
    /// As the platform writes it.
    pub(crate) date: Option<String>,
    pub(crate) is_late: bool,
    /// Whether it is text of an online form, or what the platform says about a submission. It is not a program.
    pub(crate) is_text: bool,
    /// The name of a folder that only a file beside the folders explains.
    pub(crate) folder: Option<String>,
    /// The name that the student gave the file; none for a folder.
    pub(crate) file: Option<String>,
}

/// The name and id that a platform puts into the name of a student's files. One of them may be empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Identity {
    /// The name, as the platform writes it.
    pub(crate) name: String,
    /// Moodle's number of the participant, Canvas' number of the student, or a login.
    pub(crate) id: String,
}

impl Identity {
    /// The name under which reports list the student: `Ann Lee_1234`, or the only part that is known.
    pub(crate) fn student(&self) -> String {
        match (&*self.name, &*self.id) {
            (name, "") => name.to_owned(),
            ("", id) => id.to_owned(),
            (name, id) => format!("{name}_{id}"),
        }
    }
}

fn platform(name: &'static str, title: &'static str, example: &'static str, forms: Vec<Regex>, own: Regex) -> Platform {
    Platform {
        name,
        title,
        example,
        forms,
        own,
        stamp: None,
        dates: &[],
        is_recognised: true,
        proof: None,
        unsubmitted: UnsubmittedFolder::Missing,
        numbers_files: false,
    }
}

/// Compiles constant forms. Panics if one is invalid or needs a missing feature of `regex`: no submission may be missed
/// because of that.
fn forms(forms: &[&str]) -> Vec<Regex> {
    forms.iter().map(|form| constant(&format!("^(?:(?<above>.*)/)?{form}$"))).collect()
}

fn own(names: &str) -> Regex {
    constant(&format!("^(?:.*/)?(?:{names})$"))
}

fn constant(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the patterns of platforms are valid")
}

/// The platform that takes feedback back.
pub(crate) const MOODLE: &str = "moodle";
/// The platforms that explain submissions in files beside them.
pub(super) const BLACKBOARD: &str = "blackboard";
pub(super) const SAKAI: &str = "sakai";
const GITHUB: &str = "github";
pub(super) const TEAMS: &str = "teams";
/// The folder of the first submission in Teams. Without it, the folder of the exercise is empty.
pub(super) const FIRST_VERSION: &str = "Version 1";
/// No name.
const NONE: &str = r"[^\s\S]";

/// All platforms. Of several that fit, the first is taken.
pub(crate) static PLATFORMS: LazyLock<[Platform; 12]> = LazyLock::new(|| {
    [
        // `mod/assign/locallib.php`, `download_submissions`. The number is that of the participant, so students with the
        // same name stay apart.
        platform(
            MOODLE,
            "Moodle: `Download all submissions`, in folders or not",
            "Ann Lee_1234_assignsubmission_file_/sum.py",
            forms(&[r"(?<name>[^/]+)_(?<id>\d+)_assignsubmission_(?:file|(?<text>onlinetext))(?:_(?<file>[^/]*))?"]),
            // The grading worksheet of the same assignment.
            own(r"Grades-[^/]*\.csv"),
        ),
        // `submission_metadata.yml` names the students of each folder.
        platform(
            "gradescope",
            "Gradescope: `Download Submissions`, or `Export Submissions`",
            "submission_1234/sum.py, beside submission_metadata.yml",
            forms(&[r"(?<folder>submission_\d+)"]),
            own(r"submission_metadata\.yml"),
        ),
        // `AssignmentEntityProvider`, `zipSubmissions`: timestamp.txt has the time as yyyyMMddHHmmssSSS, since
        // `AssignmentServiceImpl` in ISO 8601. The folder of a group has `members.txt`.
        Platform {
            dates: &["%Y%m%d%H%M%S"],
            unsubmitted: UnsubmittedFolder::Empty,
            ..platform(
                SAKAI,
                "Sakai: `Download All`",
                "Lee, Ann(alee)/Submission attachment(s)/sum.py",
                {
                    forms(&[
                        r"(?<name>[^/]+?) ?\((?<id>[^()/]+)\)/Submission attachment\(s\)",
                        r"(?<name>[^/]+?) ?\((?<id>[^()/]+)\)_Submission attachment\(s\)_(?<file>[^/]+)",
                        r"(?<name>[^/]+?) ?\((?<id>[^()/]+)\)/(?:[^/]*_)?(?<text>submissionText)\.html",
                        r"(?<name>[^/]+?) ?\((?<id>[^()/]+)\)_(?<text>submissionText)\.html",
                    ])
                },
                own(
                    r"(?:[^/]*\)_)?(?:timestamp\.txt|comments\.txt|members\.txt|feedbackText\.html)|grades\.(?:csv|xls|xlsx)|Feedback Attachment\(s\)/.*",
                ),
            )
        },
        // Files of class materials in SharePoint. `Working files` has what students have not submitted.
        platform(
            TEAMS,
            "Microsoft Teams: the folder `Submitted files` of the class",
            "Submitted files/Ann Lee/HW 1/Version 1/sum.py",
            forms(&[
                r"(?<name>[^/]+)/(?<exercise>[^/]+)/Version (?<attempt>\d+)",
                // Somebody has taken the files out of the folders of versions.
                r"Submitted files/(?<name>[^/]+)/(?<exercise>[^/]+)/(?<file>[^/]+\.[^/.]+)",
            ]),
            own(r"Working files/.*"),
        ),
        // edx-ora2 `openassessment/data.py`, `create_zip_with_attachments`.
        platform(
            "openedx",
            "Open edX: `Submission Files Archive` of open response assessments",
            "[1]Unit, [2]HW 1/[1] - alee - sum.py",
            {
                forms(&[
                    r"\[\d+\][^/]*, \[\d+\](?<exercise>[^/]*)/\[\w+\] - (?<id>[^/]+?) - (?:(?<text>prompt_\d+\.txt)|(?<file>[^/]+))",
                ])
            },
            own(r"submissions\.csv"),
        ),
        // `Assignment File Download`: the `.txt` without a name is what Blackboard says about the attempt.
        Platform {
            dates: &["%Y-%m-%d-%H-%M-%S"],
            ..platform(
                BLACKBOARD,
                "Blackboard: `Assignment File Download`",
                "HW 1_alee_attempt_2026-01-31-23-59-00_sum.py",
                {
                    let stem = r"(?<exercise>[^/]+)_(?<id>[^_/]+)_attempt_(?<date>\d{4}(?:-\d\d){5})";
                    forms(&[&format!(r"{stem}(?<text>)\.txt"), &format!(r"{stem}_(?<file>[^/]+)")])
                },
                own(NONE),
            )
        },
        // Assignments (dropbox), `Download`: the first number is the student's.
        Platform {
            dates: &[
                "%b %d, %Y %I:%M %p",
                "%b %d, %Y %H:%M",
                "%B %d, %Y %I:%M %p",
                "%B %d, %Y %H:%M",
                "%d %b, %Y %I:%M %p",
                "%d %b, %Y %H:%M",
                "%d %B, %Y %I:%M %p",
                "%d %B, %Y %H:%M",
            ],
            ..platform(
                "brightspace",
                "Brightspace, D2L: `Download` of all submissions",
                "1234-56 - Ann Lee - Jan 31, 2026 1159 PM/sum.py",
                {
                    // The language of the site decides the order: `31 January, 2026`. Hours before ten have one digit:
                    // `Jan 31, 2026 803 PM`.
                    let stem = r"(?<id>\d+)(?:-\d+)? - (?<name>[^/]+?) - (?<day>(?:[A-Z][a-z]{2,8} \d{1,2}|\d{1,2} [A-Z][a-z]{2,8}), \d{4}) (?<hour>\d{1,2}):?(?<minute>\d\d)(?<half> [AP]M)?";
                    forms(&[stem, &format!(r"{stem} - (?<file>[^/]+)")])
                },
                own(r"index\.html"),
            )
        },
        // `gh classroom clone student-repos`.
        Platform {
            unsubmitted: UnsubmittedFolder::Template,
            ..platform(
                GITHUB,
                "GitHub Classroom: the folder of `gh classroom clone student-repos`",
                "hw1-submissions/hw1-ann/sum.py",
                forms(&[r"(?<exercise>[^/]+)-submissions/(?<repository>[^/]+)"]),
                own(NONE),
            )
        },
        // `Download Submissions` (`lib/content_zipper.rb`): the first number is the student's. Students of anonymous
        // assignments have a code.
        Platform {
            numbers_files: true,
            ..platform(
                "canvas",
                "Canvas: `Download Submissions`",
                "leeann_1234_5678_sum.py",
                {
                    forms(&[
                        r"(?:(?<late>LATE)_)?(?<id>anon_[A-Za-z0-9]+)_(?<text>text|link)\.html",
                        r"(?:(?<late>LATE)_)?(?<id>anon_[A-Za-z0-9]+)_\d+_(?<file>[^/]+)",
                        r"(?<name>[^_/]+)(?:_(?<late>LATE))?_(?<id>\d+)_(?<text>text|link)\.html",
                        r"(?<name>[^_/]+)(?:_(?<late>LATE))?_(?<id>\d+)_\d+_(?<file>[^/]+)",
                    ])
                },
                own(NONE),
            )
        },
        Platform {
            stamp: Some(constant(r"^(?<date>\d{14})_(?<file>.+)$")),
            dates: &["%Y%m%d%H%M%S"],
            is_recognised: false,
            // The folder of a student, and the time before the name of a file.
            proof: Some(constant(r"(?:^|/)[^_/]+_[^/]+_[^_/]+_\d+/20\d\d[01]\d[0-3]\d[0-2]\d[0-5]\d[0-5]\d_[^/]+$")),
            ..platform(
                "ilias",
                "ILIAS: `Download All Submissions`",
                "Lee_Ann_alee_1234/20260131235900_sum.py",
                {
                    // `von_Berg_Ann_aberg_12`: ILIAS writes `_` for the spaces of names too.
                    let particles = r"(?:(?i:von|vom|van|de|del|della|der|den|di|da|do|dos|du|la|le|ten|ter|zu|zum|zur|al|el|bin)_)*";
                    let student = format!(r"(?<last>{particles}[^_/]+)_(?<name>[^/]+)_(?<id>[^_/]+)_\d+");
                    let folder = "(?<exercise>[^/]+)/(?:Submissions|Abgaben)";
                    // The files of a team may lie in its folder, and not in those of its members.
                    forms(&[&format!("{folder}/{student}"), &student, &format!(r"{folder}/(?<id>[Tt]eam[ _]\d+)")])
                },
                own(NONE),
            )
        },
        // Files that students made from a template are called so.
        Platform {
            is_recognised: false,
            ..platform(
                "google",
                "Google Classroom: the folder of an assignment in Drive",
                "Ann Lee - sum.py",
                forms(&[r"(?<name>[^/]+?) - (?<file>[^/]+)"]),
                own(NONE),
            )
        },
        // `ProgrammingExerciseExportService`, `SubmissionExportService`.
        Platform {
            is_recognised: false,
            unsubmitted: UnsubmittedFolder::Template,
            ..platform(
                "artemis",
                "Artemis: `Download repositories`, or `Download submissions`",
                "HW 1-1234-alee/sum.py",
                {
                    forms(&[
                        r"(?<exercise>[^/]+)-(?<participation>\d+)-(?<id>[^-/]*[A-Za-z][^-/]*)(?:-repository)?",
                        // A login with `-`, whose last part is not a number: that would be the attempt of the other form.
                        r"(?<exercise>[^/]+)-(?<participation>\d+)-(?<id>[^-/]*[A-Za-z][^-/]*(?:-[^-/]+)*?-[^-/]*[A-Za-z][^-/]*)(?:-repository)?",
                        r"(?<exercise>[^/]+)-(?<login>[^-/]+)-(?<attempt>\d+)",
                    ])
                },
                own(NONE),
            )
        },
    ]
});

impl Platform {
    /// The platform with this name in `--layout`, in any case.
    pub(crate) fn parse(text: &str) -> Option<&'static Self> {
        PLATFORMS.iter().find(|platform| platform.name.eq_ignore_ascii_case(text))
    }

    /// Reads the path of a folder or a file; none if it has no form of this platform.
    pub(crate) fn read(&self, path: &str, is_file: bool) -> Option<PathParts> {
        let fits =
            |form: &&Regex| !is_file || form.capture_names().flatten().any(|name| name == "file" || name == "text");
        self.forms.iter().filter(fits).find_map(|form| parts(&form.captures(path)?, is_file))
    }

    /// Whether names say which submissions are late. Those without the mark are in time.
    pub(crate) fn marks_lateness(&self) -> bool {
        self.forms.iter().any(|form| form.capture_names().flatten().any(|name| name == "late"))
    }

    /// Whether the platform itself adds this file.
    pub(crate) fn adds(&self, path: &str) -> bool {
        self.own.is_match(path)
    }

    /// Whether only its exports have a file at such a path.
    pub(crate) fn proves(&self, path: &str) -> bool {
        self.proof.as_ref().is_some_and(|proof| proof.is_match(path))
    }

    /// Whether its exports may be recognised without `--layout`.
    pub(crate) fn may_be_recognised(&self) -> bool {
        self.is_recognised || self.proof.is_some()
    }
}

/// `Ann Lee` for `Lee, Ann`.
pub(super) fn in_order(name: &str) -> String {
    name.split_once(", ").map_or(name.to_owned(), |(last, first)| format!("{first} {last}"))
}

fn parts(captures: &Captures<'_>, is_file: bool) -> Option<PathParts> {
    let part = |name: &str| captures.name(name).map(|part| part.as_str());
    let above = part("above").and_then(|above| above.rsplit('/').next());
    let exercise = part("exercise").or(above).filter(|exercise| !exercise.is_empty());
    // `hw1-submissions/hw1-ann`
    let repository = match (part("repository"), exercise) {
        (Some(repository), Some(exercise)) => Some(repository.strip_prefix(exercise)?.strip_prefix('-')?),
        (_, _) => None,
    };
    let text = |text: Option<&str>| text.unwrap_or_default().to_owned();
    let name = in_order(part("name").unwrap_or_default());
    let name = part("last").map_or(name.clone(), |last| format!("{name} {last}"));
    let clock = || {
        let [day, hour, minute] = [part("day")?, part("hour")?, part("minute")?];
        Some(format!("{day} {hour}:{minute}{}", part("half").unwrap_or_default()))
    };
    Some(PathParts {
        identity: Identity { name: name.replace('_', " "), id: text(part("id").or(part("login")).or(repository)) },
        last_name: part("last").map(|last| last.replace('_', " ")),
        exercise: exercise.map(str::to_owned),
        participation: part("participation").map(str::to_owned),
        login_follows_exercise: part("login").is_some(),
        // Too long a number is a name.
        attempt: part("attempt").and_then(|number| number.parse().ok()),
        date: part("date").map(str::to_owned).or_else(clock),
        is_late: part("late").is_some(),
        is_text: part("text").is_some(),
        folder: part("folder").map(str::to_owned),
        file: is_file.then(|| part("file").filter(|file| !file.is_empty()).unwrap_or("program").to_owned()),
    })
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

    fn read(platform: &str, path: &str, is_file: bool) -> Option<(String, Option<String>, Option<String>)> {
        let parts = Platform::parse(platform).unwrap().read(path, is_file)?;
        Some((parts.identity.student(), parts.exercise, parts.file))
    }

    #[test]
    fn paths_say_student_exercise_and_file() {
        for (platform, path, is_file, expect) in [
            ("moodle", "Ann Lee_12_assignsubmission_file_", false, ("Ann Lee_12", None, None)),
            ("moodle", "HW 1/Ann Lee_12_assignsubmission_file", false, ("Ann Lee_12", Some("HW 1"), None)),
            ("moodle", "a_b_7_assignsubmission_file_x_y.py", true, ("a b_7", None, Some("x_y.py"))),
            ("Canvas", "leeann_LATE_11_900_sum-1.py", true, ("leeann_11", None, Some("sum-1.py"))),
            ("canvas", "hw/leeann_11_900_sum.py", true, ("leeann_11", Some("hw"), Some("sum.py"))),
            ("ilias", "Exercise/Sum/Submissions/Lee_Ann Mary_lee_331", false, ("Ann Mary Lee_lee", Some("Sum"), None)),
            ("ilias", "von_der_Berg_Ann_aberg_7", false, ("Ann von der Berg_aberg", None, None)),
            (
                "blackboard",
                "HW_1_alee_attempt_2026-01-31-10-20-30_my_sum.py",
                true,
                ("alee", Some("HW_1"), Some("my_sum.py")),
            ),
            ("brightspace", "x/12-345 - Ann O'Lee - Jan 5, 2026 900 AM", false, ("Ann O'Lee_12", Some("x"), None)),
            (
                "brightspace",
                "12-345 - Ann Lee - Jan 5, 2026 1159 PM - sum.py",
                true,
                ("Ann Lee_12", None, Some("sum.py")),
            ),
            ("canvas", "LATE_anon_XY34Z_908_sum.py", true, ("anon_XY34Z", None, Some("sum.py"))),
            ("canvas", "anon_AB12C_907_my_sum.py", true, ("anon_AB12C", None, Some("my_sum.py"))),
            (
                "sakai",
                "HW1/Team Red (3f2a-77)/Submission attachment(s)",
                false,
                ("Team Red_3f2a-77", Some("HW1"), None),
            ),
            ("github", "hw-1-submissions/hw-1-ann-lee", false, ("ann-lee", Some("hw-1"), None)),
            ("sakai", "HW1/Lee, Ann(alee)/Submission attachment(s)", false, ("Ann Lee_alee", Some("HW1"), None)),
            ("teams", "Submitted files/Ann Lee/HW 1/Version 2", false, ("Ann Lee", Some("HW 1"), None)),
            (
                "openedx",
                "[1]A, [1]B, [2]Sum it/[1] - alee - my - sum.py",
                true,
                ("alee", Some("Sum it"), Some("my - sum.py")),
            ),
            ("google", "Ann Lee - sum.py", true, ("Ann Lee", None, Some("sum.py"))),
            ("artemis", "Sort it-42-ab12cde", false, ("ab12cde", Some("Sort it"), None)),
            ("artemis", "HW-1-42-ann-lee", false, ("ann-lee", Some("HW-1"), None)),
            ("artemis", "HW-1-42-ann-lee-repository", false, ("ann-lee", Some("HW-1"), None)),
            ("artemis", "HW-1-alee-3", false, ("alee", Some("HW-1"), None)),
            ("ilias", "Exercise/Sum/Submissions/Team_12", false, ("Team_12", Some("Sum"), None)),
        ] {
            let (student, exercise, file) = expect;
            let expect = (student.to_owned(), exercise.map(str::to_owned), file.map(str::to_owned));
            assert_eq!(read(platform, path, is_file), Some(expect), "{platform}: {path}");
        }
        for (path, date) in [
            ("12-34 - Ann Lee - Feb 9, 2026 900 AM", "Feb 9, 2026 9:00 AM"),
            ("12-34 - Ann Lee - Feb 9, 2026 1200 AM", "Feb 9, 2026 12:00 AM"),
            ("12-34 - Ann Lee - Feb 9, 2026 4:17 PM", "Feb 9, 2026 4:17 PM"),
            ("12-34 - Ann Lee - Feb 9, 2026 917", "Feb 9, 2026 9:17"),
            ("12-34 - Ann Lee - 31 January, 2026 1015 AM", "31 January, 2026 10:15 AM"),
        ] {
            let read = Platform::parse("brightspace").unwrap().read(path, false).unwrap();
            assert_eq!(read.date.as_deref(), Some(date));
        }
        assert_eq!(read("moodle", "ann", false), None);
        assert_eq!(read("brightspace", "index.html", true), None);
        assert_eq!(read("github", "hw1-submissions/hw2-ann", false), None);
        assert_eq!(read("ilias", "Lee_Ann_lee_331", true), None);
    }
}
