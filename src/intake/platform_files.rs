//! Reads the files that platforms put beside submissions: Blackboard's texts about attempts, Sakai's times and members of
//! groups, and Gradescope's metadata.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use serde::Deserialize;

use super::deadline::is_time;
use super::platforms::{BLACKBOARD, Identity, PathParts, Platform, SAKAI, in_order};
use super::reader::{Intake, text_of};
use super::roster::{is_id, is_student};
use super::tree::{Positions, Tree, TreeItem};
use crate::event::RosterStudent;

/// The most bytes of a file of a platform that are read.
pub(super) const MOST: u64 = 1 << 20;

/// The text of a file that a platform adds. A file that cannot be read says nothing.
fn text_in(item: &TreeItem) -> Option<String> {
    let text = fs::metadata(&item.path).ok().filter(|file| file.len() <= MOST).and(fs::read(&item.path).ok())?;
    Some(String::from_utf8_lossy(&text).into_owned())
}

/// The content of Blackboard's `.txt` about attempts: `Name: Ann Lee (a_lee)`. Some of these files may be missing, and the
/// student is the same.
#[derive(Default)]
pub(super) struct AttemptTexts {
    is_blackboard: bool,
    /// The name of each student by login.
    pub(super) names: BTreeMap<String, String>,
    /// The logins, by the text before `_attempt_` in names: `HW1_a_lee` does not say where the login begins.
    logins: BTreeMap<String, String>,
    /// The names of the exercises there.
    exercises: BTreeSet<String>,
    /// The times of submission with a zone, by the text before the time in names and that time, which states none.
    times: BTreeMap<(String, String), String>,
}

impl AttemptTexts {
    pub(super) fn read(platform: &Platform, tree: &Tree) -> Self {
        let mut texts = Self { is_blackboard: platform.name == BLACKBOARD, ..Self::default() };
        for item in tree.items.iter().filter(|item| texts.is_blackboard && !item.is_dir) {
            let parts = platform.read(&text_of(item.name().as_os_str().as_encoded_bytes()), true);
            let Some(parts) = parts.filter(|parts| parts.is_text) else { continue };
            let text = text_in(item).unwrap_or_default();
            let submitted = text.lines().find_map(|line| line.strip_prefix("Date Submitted: "));
            if let (Some(time), Some(date)) = (submitted.and_then(with_zone), &parts.date) {
                texts.times.insert((stem_of(&parts), date.clone()), time);
            }
            let name = text.lines().find_map(|line| line.trim_start_matches('\u{feff}').strip_prefix("Name: "));
            let Some(name) = name else { continue };
            let Some((name, login)) = person(name) else {
                texts.names.insert(parts.identity.id, name.trim().to_owned());
                continue;
            };
            let stem = stem_of(&parts);
            if let Some(exercise) = stem.strip_suffix(&*login).and_then(|rest| rest.strip_suffix('_')) {
                texts.exercises.insert(exercise.to_owned());
                texts.logins.insert(stem.clone(), login.clone());
            }
            texts.names.insert(login, name);
        }
        texts
    }

    /// The time of an attempt, if its text states it with a zone.
    pub(super) fn time_of(&self, parts: &PathParts) -> Option<String> {
        self.times.get(&(stem_of(parts), parts.date.clone()?)).cloned()
    }

    /// Corrects where the login begins: as the text about this student says, or else after the longest exercise of the others,
    /// or else so that it is the login of a student in the roster.
    pub(super) fn with_login(&self, parts: PathParts, roster: &[RosterStudent]) -> PathParts {
        let stem = stem_of(&parts);
        let after = |exercise: &String| stem.strip_prefix(&**exercise)?.strip_prefix('_').filter(|id| !id.is_empty());
        let by_exercise = || self.exercises.iter().filter_map(after).min_by_key(|id| id.len());
        let by_roster = || {
            let ends = stem.match_indices('_').filter(|(at, _)| *at > 0).map(|(at, _)| &stem[at + 1..]);
            let mut enrolled = ends.filter(|id| is_student(id, roster));
            enrolled.next().filter(|_| self.is_blackboard && enrolled.next().is_none())
        };
        let by_text = self.logins.get(&stem).map(String::as_str);
        let Some(id) = by_text.or_else(by_exercise).or_else(by_roster) else { return parts };
        let exercise = stem.strip_suffix(id).map(|rest| rest.trim_end_matches('_').to_owned());
        PathParts { identity: Identity { id: id.to_owned(), ..parts.identity.clone() }, exercise, ..parts }
    }
}

/// Gives to the login what the name of a folder took for the part before it, if the roster has such a login: `b_fox` in
/// `Fox_Bo_b_fox_332` of ILIAS, `b-fox` in `HW-b-fox-3` of Artemis.
pub(super) fn with_whole_login(mut parts: PathParts, roster: &[RosterStudent]) -> PathParts {
    let split = |joined: &str, sign: char| {
        let mut ends = joined.match_indices(sign).map(|(at, _)| (joined[..at].to_owned(), joined[at + 1..].to_owned()));
        ends.find(|(_, login)| is_id(login, roster))
    };
    if is_id(&parts.identity.id, roster) {
        return parts;
    }
    if let Some(last) = parts.last_name.as_deref() {
        let given = parts.identity.name.strip_suffix(last).unwrap_or_default().trim_end();
        if let Some((given, id)) = split(&format!("{given}_{}", parts.identity.id).replace(' ', "_"), '_') {
            parts.identity = Identity { name: format!("{} {last}", given.replace('_', " ")), id };
        }
    } else if let Some(exercise) = parts.exercise.as_deref().filter(|_| parts.login_follows_exercise)
        && let Some((exercise, id)) = split(&format!("{exercise}-{}", parts.identity.id), '-')
    {
        (parts.exercise, parts.identity.id) = (Some(exercise), id);
    }
    parts
}

/// The exercise and the login as Blackboard joins them.
fn stem_of(parts: &PathParts) -> String {
    format!("{}_{}", parts.exercise.as_deref().unwrap_or_default(), parts.identity.id)
}

/// The zones that Blackboard's dates name, with their offsets in hours. Abbreviations of several zones, such as `CST`, `PST` (also
/// the Philippines), `IST` and `BST`, say nothing. Java writes `AEST` for that of Australia.
const ZONES: [(&str, i8); 16] = [
    ("UTC", 0),
    ("GMT", 0),
    ("WET", 0),
    ("WEST", 1),
    ("CET", 1),
    ("CEST", 2),
    ("EET", 2),
    ("EEST", 3),
    ("AEST", 10),
    ("AEDT", 11),
    ("EDT", -4),
    ("EST", -5),
    ("CDT", -5),
    ("MDT", -6),
    ("MST", -7),
    ("PDT", -7),
];

/// The time in ISO 8601 with an offset, of a date such as `Saturday, January 31, 2026 10:15:00 AM CET`. None if it states no zone
/// that is known.
fn with_zone(text: &str) -> Option<String> {
    let (local, zone) = text.trim().trim_end_matches('.').rsplit_once(' ')?;
    let (_, hours) = ZONES.iter().find(|(name, _)| *name == zone)?;
    let forms = ["%A, %B %d, %Y %I:%M:%S %p", "%A, %d %B %Y %H:%M:%S", "%A, %d %B %Y %I:%M:%S %p"];
    let time = forms.iter().find_map(|form| DateTime::strptime(form, local).ok())?;
    Some(format!("{time}{hours:+03}:00"))
}

/// The name and the login in `Ann Lee (alee)`.
fn person(text: &str) -> Option<(String, String)> {
    let (name, login) = text.trim().strip_suffix(')')?.rsplit_once('(')?;
    Some((name.trim().to_owned(), login.trim().to_owned()))
}

fn is_login(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || "._-@".contains(c))
}

/// A file that Sakai puts beside a submission: in its folder, or with the same beginning of the name.
fn beside(path: &Path, file: &str) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    match name.split_once("_Submission attachment(s)_") {
        Some((student, _)) => path.with_file_name(format!("{student}_{file}")),
        None => path.with_file_name(file),
    }
}

/// The members of a group of Sakai: `Lee, Ann(alee); Fox, Bo(bfox)` in `members.txt` beside the submission.
pub(super) fn members_beside(
    platform: &Platform,
    tree: &Tree,
    positions: &Positions<'_>,
    path: &Path,
) -> Vec<Identity> {
    if platform.name != SAKAI {
        return Vec::new();
    }
    let file = beside(path, "members.txt");
    let item = positions.get(&*file).map(|at| &tree.items[*at]);
    // With `--members members.txt` it was read already.
    let lines = || tree.members.iter().find(|known| known.below == file).map(|known| known.text());
    let text = item.and_then(text_in).or_else(lines).unwrap_or_default();
    // Lists that people wrote may have only logins.
    let login = |word: &str| Some((String::new(), word.to_owned())).filter(|_| is_login(word));
    let people = text.split([';', '\n']).filter_map(|word| person(word).or_else(|| login(word.trim())));
    people.map(|(name, id)| Identity { name: in_order(&name), id }).collect()
}

/// The content of Sakai's `timestamp.txt` beside a submission.
#[derive(PartialEq, Eq)]
pub(super) enum Stamp {
    /// There is none.
    None,
    /// This time, in ISO 8601.
    Time(String),
    /// Something else.
    Strange,
}

impl Stamp {
    pub(super) fn time(self) -> Option<String> {
        match self {
            Self::Time(time) => Some(time),
            Self::None | Self::Strange => None,
        }
    }
}

/// The file of Sakai that has the time of a submission.
pub(super) fn stamp_of(path: &Path) -> PathBuf {
    beside(path, "timestamp.txt")
}

pub(super) fn stamp_beside(platform: &Platform, tree: &Tree, positions: &Positions<'_>, path: &Path) -> Stamp {
    let item = positions.get(&*stamp_of(path)).map(|at| &tree.items[*at]);
    let text = item.filter(|item| platform.name == SAKAI && !item.is_dir).and_then(text_in);
    let Some(text) = text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()) else {
        return Stamp::None;
    };
    let old = text.get(..14).and_then(|text| time(platform, text));
    let known = old.or_else(|| Some(text).filter(|text| is_time(text)));
    known.map_or(Stamp::Strange, Stamp::Time)
}

/// The time that a platform writes, in ISO 8601 without an offset.
pub(super) fn time(platform: &Platform, date: &str) -> Option<String> {
    Some(date_of(platform, date)?.to_string())
}

/// The time that a platform writes.
pub(super) fn date_of(platform: &Platform, date: &str) -> Option<DateTime> {
    platform.dates.iter().find_map(|form| DateTime::strptime(form, date).ok())
}

/// Gives a copied file the date of its platform. The content of an archive is elsewhere and has its own dates.
pub(super) fn set_date(file: &Path, date: DateTime) -> io::Result<()> {
    let date = TimeZone::UTC.to_timestamp(date).map_err(io::Error::other)?;
    let date = date.try_into().map_err(io::Error::other)?;
    if file.is_file() { File::open(file)?.set_modified(date) } else { Ok(()) }
}

/// The time in ISO 8601, of one as Ruby writes it: `2026-02-01 10:15:00.123456000 Z`.
pub(super) fn iso(time: &str) -> String {
    time.trim().replacen(' ', "T", 1).replace(' ', "")
}

/// The file that names the students of each folder.
pub(super) const METADATA: &str = "submission_metadata.yml";

/// [`METADATA`] of Gradescope.
#[derive(Default)]
pub(super) struct Gradescope {
    dir: Option<PathBuf>,
    /// The folders that the files name, without those that are there.
    pub(super) missing: BTreeSet<PathBuf>,
    pub(super) submissions: BTreeMap<String, GradescopeSubmission>,
}

#[derive(Deserialize)]
pub(super) struct GradescopeSubmission {
    #[serde(rename = ":submitters", default)]
    pub(super) submitters: Vec<GradescopePerson>,
    #[serde(rename = ":created_at", default)]
    pub(super) created_at: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct GradescopePerson {
    #[serde(rename = ":name", default)]
    pub(super) name: Option<String>,
    #[serde(rename = ":sid", default)]
    pub(super) sid: Option<String>,
    #[serde(rename = ":email", default)]
    pub(super) email: Option<String>,
}

impl Gradescope {
    /// Reads the file in a folder, unless it was the last one read.
    pub(super) fn open(&mut self, intake: &mut Intake<'_>, tree: &Tree, dir: &Path, shown: &Path) {
        if self.dir.as_deref() == Some(dir) {
            return;
        }
        self.dir = Some(dir.to_owned());
        self.submissions.clear();
        let below = dir.join(METADATA);
        let Some(item) = tree.items.iter().find(|item| item.below == below) else {
            let message = "is missing, so the students are called `submission_1` and so on";
            return intake.error(&shown.join(&below), message, "put it from the export beside these folders");
        };
        let read = fs::read_to_string(&item.path).map_err(|error| error.to_string());
        let known = read.and_then(|text| yaml_serde::from_str(&text).map_err(|error| error.to_string()));
        match known {
            Ok(known) => {
                self.submissions = known;
                self.missing.extend(self.submissions.keys().map(|folder| dir.join(folder)));
            }
            Err(error) => {
                let message = format!("cannot be read, so the students are called `submission_1` and so on: {error}");
                intake.error(&shown.join(&below), message, "take the unchanged file from the export");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_blackboard_may_have_zones() {
        for (text, expect) in [
            ("Saturday, January 31, 2026 10:15:00 AM CET", Some("2026-01-31T10:15:00+01:00")),
            ("Wednesday, July 1, 2026 10:15:00 PM EDT", Some("2026-07-01T22:15:00-04:00")),
            ("Saturday, 31 January 2026 22:15:00 GMT", Some("2026-01-31T22:15:00+00:00")),
            ("Saturday, January 31, 2026 10:15:00 AM CST", None),
            ("Saturday, January 31, 2026 10:15:00 AM", None),
        ] {
            assert_eq!(with_zone(text).as_deref(), expect, "{text}");
        }
    }
}
