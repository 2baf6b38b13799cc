//! Reads the roster of a class, a CSV file: who takes part, with which name, group and extra time. Finds for each
//! student the author of submissions that is meant.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::names::folded;
use crate::diagnostic::{Diagnostic, TextPosition};
use crate::event::RosterStudent;
use crate::suggest;

/// The columns, each with the headings that mean it. Case, spaces and `_` do not matter.
const COLUMNS: [(&str, &[&str]); 5] = [
    ("id", &["id", "student", "studentid", "username", "login"]),
    ("name", &["name", "fullname", "studentname"]),
    ("group", &["group", "section"]),
    ("extra time", &["extratime", "timefactor"]),
    ("submitted", &["submitted", "submittedat"]),
];
const ID: usize = 0;
const NAME: usize = 1;
const GROUP: usize = 2;
const EXTRA_TIME: usize = 3;
const SUBMITTED: usize = 4;

/// The largest factor of a time limit: a larger one is a mistake.
const MOST_TIME: f64 = 10.0;

/// Reads a roster.
///
/// # Errors
/// All mistakes in the file.
pub(crate) fn read(path: &Path, shown: &Path) -> Result<Vec<RosterStudent>, Vec<Diagnostic>> {
    let error = |message: String, remedy: &str| vec![Diagnostic::error(shown, message).remedy(remedy)];
    let bytes = fs::read(path).map_err(|why| error(why.to_string(), "name a readable CSV file"))?;
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(why) => {
            let valid = why.utf8_error().valid_up_to();
            let line = why.as_bytes()[..valid].split(|byte| *byte == b'\n').count();
            let found = Diagnostic::error(shown, "is not UTF-8").at(Some(line_place(line)));
            return Err(vec![found.remedy("save it as `CSV UTF-8`")]);
        }
    };
    Table::of(text.trim_start_matches('\u{feff}'), shown).students()
}

fn line_place(line: usize) -> TextPosition {
    TextPosition { line: u32::try_from(line).unwrap_or(u32::MAX), column: 1 }
}

/// The rows of the file, and the mistakes so far.
struct Table<'a> {
    shown: &'a Path,
    /// The position of each column in a row.
    columns: [Option<usize>; COLUMNS.len()],
    /// Each row with its line.
    rows: Vec<(usize, csv::StringRecord)>,
    mistakes: Vec<Diagnostic>,
}

impl<'a> Table<'a> {
    fn of(text: &str, shown: &'a Path) -> Self {
        let mut table = Self { shown, columns: [None; COLUMNS.len()], rows: Vec::new(), mistakes: Vec::new() };
        let head = text.lines().next().unwrap_or_default();
        // Spreadsheets separate with semicolons where the comma is in numbers.
        let delimiter = [b',', b';', b'\t'].into_iter().max_by_key(|byte| {
            // The first of equals wins: `max_by_key` takes the last, so the comma gets one more.
            2 * head.bytes().filter(|other| other == byte).count() + usize::from(*byte == b',')
        });
        let mut reader = csv::ReaderBuilder::new();
        reader.has_headers(false).flexible(true).trim(csv::Trim::All).delimiter(delimiter.unwrap_or(b','));
        let mut rows = Vec::new();
        for row in reader.from_reader(text.as_bytes()).into_records() {
            match row {
                Ok(row) => rows.push((row.position().map_or(0, |at| usize::try_from(at.line()).unwrap_or(0)), row)),
                // The text is UTF-8 and rows may have any length, so only a damaged reader fails.
                Err(error) => table.mistake(1, error.to_string(), "save it as CSV"),
            }
        }
        let is_empty = |row: &csv::StringRecord| row.iter().all(str::is_empty);
        rows.retain(|(_, row)| !is_empty(row));
        if rows.is_empty() {
            table.mistake(1, "is empty".to_owned(), "begin with a line of headings: id,name,group,extra_time");
            return table;
        }
        let (line, head) = rows.remove(0);
        table.head(line, &head);
        table.rows = rows;
        table
    }

    fn head(&mut self, line: usize, head: &csv::StringRecord) {
        for (at, heading) in head.iter().enumerate() {
            let word = folded(heading);
            let known = COLUMNS.iter().position(|(_, words)| words.contains(&word.as_str()));
            match known {
                Some(column) if self.columns[column].is_some() => {
                    let message = format!("two columns mean the {}: the second is `{heading}`", COLUMNS[column].0);
                    self.mistake(line, message, "keep one");
                }
                Some(column) => self.columns[column] = Some(at),
                // Rosters of platforms have more columns, which do not matter. A misspelt one does.
                None => {
                    let words = COLUMNS.iter().flat_map(|(_, words)| words.iter().copied());
                    let near = suggest::closest(&word, words.filter(|known| known.len() > 4));
                    if let Some(near) = near {
                        self.mistake(line, format!("unknown column `{heading}`"), &format!("did you mean `{near}`?"));
                    }
                }
            }
        }
        if self.columns[ID].is_none() {
            let remedy = "begin with a line of headings: id,name,group,extra_time";
            self.mistake(line, "has no column `id`".to_owned(), remedy);
        }
    }

    fn mistake(&mut self, line: usize, message: String, remedy: &str) {
        let found = Diagnostic::error(self.shown, message).at(Some(line_place(line)));
        self.mistakes.push(found.remedy(remedy));
    }

    fn students(mut self) -> Result<Vec<RosterStudent>, Vec<Diagnostic>> {
        let mut students = Vec::new();
        let mut lines: BTreeMap<String, usize> = BTreeMap::new();
        for (line, row) in std::mem::take(&mut self.rows) {
            let cell = |column: usize| self.columns[column].and_then(|at| row.get(at)).unwrap_or_default().to_owned();
            let [id, name, group, extra, submitted] = [ID, NAME, GROUP, EXTRA_TIME, SUBMITTED].map(cell);
            if self.columns[ID].is_none() {
                break;
            }
            if id.is_empty() {
                self.mistake(line, "has no id".to_owned(), "give each student an id");
                continue;
            }
            if let Some(first) = lines.insert(id.clone(), line) {
                self.mistake(line, format!("the id `{id}` is already in line {first}"), "give each student an own id");
            }
            let extra_time = if extra.is_empty() { None } else { factor(&extra) };
            if extra_time.is_none() && !extra.is_empty() {
                let message = format!("extra time `{extra}` is no factor between 1 and {MOST_TIME}");
                self.mistake(line, message, "write 1.5 or 50%");
            }
            if !submitted.is_empty() && moment(&submitted).is_none() {
                let message = format!("`{submitted}` is no time");
                self.mistake(line, message, "write it as 2026-01-31T23:59:00+01:00, in ISO 8601");
            }
            let optional = |text: String| Some(text).filter(|text| !text.is_empty());
            students.push(RosterStudent {
                student: id.clone(),
                id,
                name,
                group: optional(group),
                extra_time,
                submitted: optional(submitted),
                late: None,
            });
        }
        if self.mistakes.is_empty() { Ok(students) } else { Err(self.mistakes) }
    }
}

/// Sets how late each submission is. Returns whether the time of any is known.
pub(crate) fn set_lateness(students: &mut [RosterStudent], deadline: SystemTime) -> bool {
    for student in &mut *students {
        let submitted = student.submitted.as_deref().and_then(moment);
        // Before the deadline, there is no time since it.
        student.late = submitted.map(|at| at.duration_since(deadline).unwrap_or_default());
    }
    students.iter().any(|student| student.late.is_some())
}

/// The factor that `1.5`, `1,5`, `50%` or `+50 %` means.
fn factor(text: &str) -> Option<f64> {
    let text = text.replace(',', ".");
    let factor = match text.strip_suffix('%') {
        Some(percent) => 1.0 + percent.trim().parse::<f64>().ok()? / 100.0,
        None => text.parse().ok()?,
    };
    (1.0..=MOST_TIME).contains(&factor).then_some(factor)
}

/// The moment that a time in RFC 3339 or ISO 8601 means. Without an offset it is taken as UTC.
pub(crate) fn moment(text: &str) -> Option<SystemTime> {
    let (date, time) = text.split_once(['T', 't', ' ']).unwrap_or((text, "00:00:00"));
    let at = time.find(['Z', 'z', '+', '-']).unwrap_or(time.len());
    let (clock, offset) = time.split_at(at);
    let seconds = if clock.matches(':').count() == 1 { ":00" } else { "" };
    let utc = humantime::parse_rfc3339_weak(&format!("{date}T{}{seconds}Z", clock.trim_end())).ok()?;
    let Some(sign) = offset.chars().next().filter(|sign| matches!(sign, '+' | '-')) else {
        return (offset.len() <= 1).then_some(utc);
    };
    let digits: String = offset[1..].chars().filter(|c| *c != ':').collect();
    let (hours, minutes) = match digits.len() {
        2 => (&digits[..], "0"),
        4 => digits.split_at_checked(2)?,
        _ => return None,
    };
    let (hours, minutes): (u64, u64) = (hours.parse().ok()?, minutes.parse().ok()?);
    if hours > 14 || minutes > 59 {
        return None;
    }
    let offset = Duration::from_secs(3600 * hours + 60 * minutes);
    if sign == '+' { utc.checked_sub(offset) } else { utc.checked_add(offset) }
}

/// The moment of a deadline, like [`moment`]. A date alone means the end of that day.
pub(crate) fn deadline(text: &str) -> Option<SystemTime> {
    let at = moment(text)?;
    if text.contains(['T', 't', ' ']) { Some(at) } else { at.checked_add(Duration::from_secs(24 * 3600)) }
}

/// The students of a roster, each with the author of submissions that is meant.
#[derive(Debug, Default)]
pub(crate) struct MatchedRoster {
    /// The students of the roster. Those without submissions are listed by their id.
    pub(crate) students: Vec<RosterStudent>,
    /// The authors who are not in the roster.
    pub(crate) strangers: Vec<String>,
    /// The authors whom several students of the roster fit, or who fit one student together.
    pub(crate) unclear: Vec<String>,
}

/// Whether a student of the roster is an author.
type Fits = fn(&RosterStudent, &str) -> bool;

/// The ways in which a student may be an author: by id, then by what platforms put into names, then by name.
const WAYS: [Fits; 4] = [
    |student, author| student.id == author,
    |student, author| !folded(&student.id).is_empty() && folded(&student.id) == folded(author),
    |student, author| parts(author).any(|part| part == student.id),
    |student, author| is_name(&student.name, author),
];

/// The positions of the authors who are in the roster, by the first way that finds any.
pub(crate) fn fitting(students: &[RosterStudent], authors: &[&str]) -> Vec<usize> {
    let mut found = WAYS.iter().map(|way| {
        let fits = |at: &usize| students.iter().any(|student| way(student, authors[*at]));
        (0..authors.len()).filter(fits).collect::<Vec<_>>()
    });
    found.find(|found| !found.is_empty()).unwrap_or_default()
}

/// Finds each author of submissions in the roster.
pub(crate) fn matched(mut students: Vec<RosterStudent>, authors: &[String]) -> MatchedRoster {
    let mut found: MatchedRoster = MatchedRoster::default();
    let mut owner: Vec<Option<usize>> = vec![None; students.len()];
    let mut left: Vec<usize> = (0..authors.len()).collect();
    for way in WAYS {
        let fits = |at: &usize| -> Vec<usize> {
            let free = (0..students.len()).filter(|student| owner[*student].is_none());
            free.filter(|student| way(&students[*student], &authors[*at])).collect()
        };
        let candidates: Vec<(usize, Vec<usize>)> = left.iter().map(|at| (*at, fits(at))).collect();
        for (at, of) in &candidates {
            let shared = |student: &usize| candidates.iter().filter(|(_, of)| of.contains(student)).count() > 1;
            match of[..] {
                [] => continue,
                [one] if !shared(&one) => owner[one] = Some(*at),
                _ => found.unclear.push(authors[*at].clone()),
            }
            left.retain(|other| other != at);
        }
    }
    for (student, owner) in students.iter_mut().zip(owner) {
        if let Some(at) = owner {
            student.student.clone_from(&authors[at]);
        }
    }
    found.strangers = left.into_iter().map(|at| authors[at].clone()).collect();
    found.students = students;
    found
}

/// The parts of an author's name in the form of a platform: `Ann Lee_1234`, `Lee_Ann_lee_331`.
fn parts(author: &str) -> impl Iterator<Item = &str> {
    author.split('_').filter(|_| author.contains('_'))
}

/// Whether an author's name is the name of a student, in any order of the words: `Ann Lee`, `Lee, Ann`, and `leeann_12`
/// as in Canvas.
fn is_name(name: &str, author: &str) -> bool {
    let words: Vec<String> = name.split([' ', ',', '-']).map(folded).filter(|word| !word.is_empty()).collect();
    if words.is_empty() {
        return false;
    }
    let without_number = author.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_');
    // ILIAS puts the login after the name.
    let without_login = without_number.rsplit_once('_').map(|(rest, _)| rest);
    let rotations: Vec<String> =
        (0..words.len()).map(|at| words[at..].iter().chain(&words[..at]).map(String::as_str).collect()).collect();
    [Some(author), Some(without_number), without_login]
        .into_iter()
        .flatten()
        .any(|author| rotations.contains(&folded(author)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn students(text: &str) -> Result<Vec<RosterStudent>, Vec<String>> {
        let table = Table::of(text, Path::new("r.csv")).students();
        let told = |found: Diagnostic| format!("{}: {}", found.place.map_or(0, |place| place.line), found.message);
        table.map_err(|mistakes| mistakes.into_iter().map(told).collect())
    }

    #[test]
    fn columns_are_found_by_their_headings() {
        let all = "id,name,group,extra_time,submitted\na1,\"Lee, Ann\",g,1.5,2026-01-31T23:59:00+01:00\nb2,Bo,,,\n";
        let read = students(all).unwrap();
        assert_eq!((&*read[0].name, read[0].extra_time, read[0].group.as_deref()), ("Lee, Ann", Some(1.5), Some("g")));
        assert_eq!((&*read[1].id, read[1].extra_time, &read[1].submitted), ("b2", None, &None));
        let read = students("Name;Student ID;Points;Extra Time\nÄnne;7;3;\"25 %\"\n\n;8\n").unwrap();
        assert_eq!((&*read[0].id, read[0].extra_time, &*read[1].id), ("7", Some(1.25), "8"));
    }

    #[test]
    fn every_mistake_is_told_with_its_line() {
        let bad = "id,naem2,extra_tiem\na,,\n,x,\nb,,\na,,\n";
        assert_eq!(
            students(bad).unwrap_err(),
            ["1: unknown column `extra_tiem`", "3: has no id", "5: the id `a` is already in line 2"]
        );
        let bad = "id,extra time,submitted\na,50,x\nb,0.5,2026-02-30\n";
        let told = students(bad).unwrap_err();
        assert_eq!(told.len(), 4, "{told:?}");
        assert_eq!(students("name\nAnn\n").unwrap_err(), ["1: has no column `id`"]);
        assert_eq!(students("").unwrap_err(), ["1: is empty"]);
    }

    #[test]
    fn times_are_read_with_their_offset() {
        let seconds = |text: &str| Some(moment(text)?.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs());
        let noon = seconds("2026-01-31T12:00:00Z");
        assert!(noon.is_some());
        for same in
            ["2026-01-31 12:00", "2026-01-31T13:00:00+01:00", "2026-01-31T06:30:00.5-0530", "2026-01-31T14:00+02"]
        {
            assert_eq!(seconds(same), noon, "{same}");
        }
        assert!(seconds("2026-01-31").is_some());
        for wrong in ["", "yesterday", "31.01.2026", "2026-13-01", "2026-01-31T12:00:00+99:00", "2026-01-31T12:00Zx"] {
            assert_eq!(seconds(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_deadline_without_a_time_is_the_end_of_the_day() {
        assert_eq!(deadline("2026-01-31"), moment("2026-02-01T00:00Z"));
        assert_eq!(deadline("2026-01-31T12:00Z"), moment("2026-01-31T12:00Z"));
        assert_eq!(deadline("31.1."), None);
    }

    #[test]
    fn lateness_is_the_time_after_the_deadline() {
        let mut read =
            students("id,submitted\na,2026-01-31T13:00:01+01:00\nb,2026-01-31T12:00:00Z\nc,2026-01-30 00:00\nd,\n")
                .unwrap();
        assert!(set_lateness(&mut read, moment("2026-01-31T12:00Z").unwrap()));
        let late: Vec<Option<u64>> = read.iter().map(|student| Some(student.late?.as_secs())).collect();
        assert_eq!(late, [Some(1), Some(0), Some(0), None]);
        assert!(!set_lateness(&mut students("id\na\n").unwrap(), SystemTime::now()));
    }

    #[test]
    fn authors_are_found_by_id_and_by_name() {
        let roster = "id,name\nann,Ann Lee\n331,Bo Lee\nlogin7,Cy Ray\nd4,Dee Fox\nd5,Dee Fox\nz,Zoe\n";
        let authors = ["Ann", "Bo Lee_331", "Ray_Cy_login7_99", "Dee Fox_1", "guest"].map(str::to_owned);
        let found = matched(students(roster).unwrap(), &authors);
        let names: Vec<&str> = found.students.iter().map(|student| &*student.student).collect();
        assert_eq!(names, ["Ann", "Bo Lee_331", "Ray_Cy_login7_99", "d4", "d5", "z"]);
        assert_eq!((found.strangers, found.unclear), (vec!["guest".to_owned()], vec!["Dee Fox_1".to_owned()]));
        let found = matched(students("id,name\nq,Ann Lee\n").unwrap(), &["leeann_12".to_owned()]);
        assert_eq!(found.students[0].student, "leeann_12");
        // Two authors may be the same student, or not.
        let found = matched(students("id\nann\n").unwrap(), &["Ann".to_owned(), "ANN".to_owned()]);
        assert_eq!((found.unclear.len(), &*found.students[0].student), (2, "ann"));
    }
}
