//! Reads the roster of a class, a CSV file: who takes part, with which name, group and extra time. Finds for each
//! student the author of submissions that is meant.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use jiff::civil::DateTime;
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use super::csv_table::{Column, CsvTable};
use super::deadline::{is_extension, is_time};
use super::grade_columns::{self, FoundColumn, Maxima, POINTS_POSSIBLE};
use super::moodle_languages::{self, Language, in_english, is_hidden_name, participant_number};
use super::names::folded;
use super::platforms::{Identity, in_order};
use crate::diagnostic::Diagnostic;
use crate::event::RosterStudent;

/// The columns, each with the headings that mean it. Case, spaces and `_` do not matter.
const COLUMNS: [Column; 16] = [
    (
        "id",
        &["id", "student", "studentid", "userid", "username", "login", "identifier", "orgdefinedid", "sid", "idnumber"],
    ),
    ("name", &["name", "fullname", "studentname"]),
    ("group", &["group", "groups", "section", "sections"]),
    ("extra time", &["extratime", "timefactor"]),
    ("submitted", &["submitted", "submittedat", "lastmodifiedsubmission"]),
    ("team", &["team"]),
    ("extension", &["extension", "extendeduntil"]),
    ("first name", &["firstname", "givenname", "vorname"]),
    ("last name", &["lastname", "surname", "familyname", "familienname"]),
    ("login", &["sisloginid", "githubusername", "displayid"]),
    ("SIS id", &["sisuserid"]),
    ("time of the grade", &["lastmodifiedgrade"]),
    ("email", &["email", "emailaddress"]),
    ("role", &["role", "rolle", "roles", "rollen"]),
    ("matriculation number", &["matrikelnummer", "matrikelnr", "matriculationnumber", "studentnumber"]),
    ("status", &["status", "statut", "estado", "stato"]),
];
const ID: usize = 0;
const NAME: usize = 1;
const GROUP: usize = 2;
const EXTRA_TIME: usize = 3;
const SUBMITTED: usize = 4;
const TEAM: usize = 5;
const EXTENSION: usize = 6;
const FIRST: usize = 7;
const LAST: usize = 8;
const LOGIN: usize = 9;
const SIS_ID: usize = 10;
const GRADED: usize = 11;
/// The e-mail address. It identifies a student who has neither an id nor a matriculation number.
const EMAIL: usize = 12;
const ROLE: usize = 13;
/// It identifies a student who has no id.
const MATRICULATION: usize = 14;
/// In Moodle's worksheet: whether something was submitted, how late, and until when the student may submit.
const STATUS: usize = 15;
/// The roles of people who are not students, in the lists of Gradescope, Teams, Canvas, Moodle and ILIAS. Moodle writes `Non-editing
/// teacher`, and ILIAS `Kurstutor` or `il_crs_tutor_12`.
const STAFF: [&str; 10] =
    ["instructor", "ta", "reader", "observer", "teacher", "tutor", "designer", "admin", "manager", "leiter"];

/// Whether a role is that of a person who is not a student. The short ones must be the whole word.
fn is_staff(role: &str) -> bool {
    let role = role.to_lowercase();
    STAFF.iter().any(|staff| if staff.len() > 2 { role.contains(staff) } else { role == *staff })
}

/// One of these columns must be there.
const REQUIRED: [&[usize]; 1] = [&[ID, MATRICULATION, EMAIL]];

/// The name of the student that Canvas adds to a course for its teacher.
const TEST_STUDENT: &str = "Student, Test";

/// The largest factor of a time limit: a larger one is a mistake.
const MOST_TIME: f64 = 10.0;

/// A roster, with the columns of grades if it is the list of a platform.
#[derive(Debug)]
pub(crate) struct Roster {
    pub(crate) students: Vec<RosterStudent>,
    pub(super) columns: Vec<FoundColumn>,
    /// Why points cannot be scaled to the maxima of the list, if they cannot: errors, or a warning if there is no maximum.
    pub(super) without_maximum: Vec<Diagnostic>,
    pub(super) warnings: Vec<Diagnostic>,
}

/// Reads a roster.
///
/// # Errors
/// All mistakes in the file.
pub(crate) fn read(path: &Path, shown: &Path) -> Result<Roster, Vec<Diagnostic>> {
    let table = CsvTable::read(path, shown, &COLUMNS, &REQUIRED, in_english)?;
    let columns = grade_columns::found(&table);
    let mut without_maximum = grade_columns::without_maximum(&table);
    without_maximum.extend(grade_columns::lacks_maximum(&table));
    let (students, warnings) = students(table)?;
    Ok(Roster { students, columns, without_maximum, warnings })
}

/// The students, and warnings about them.
fn students(mut table: CsvTable<'_>) -> Result<(Vec<RosterStudent>, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut students = Vec::new();
    let mut lines: BTreeMap<String, usize> = BTreeMap::new();
    let maxima = Maxima::of(&table);
    let graded = grade_columns::positions(&table);
    let stated = grade_columns::of_grade(&table);
    let language = moodle_languages::language_of(&table.headings);
    for (line, row) in table.take_rows() {
        let cell = |column: usize| table.cell(&row, column);
        let [id, name, group, extra, submitted] = [ID, NAME, GROUP, EXTRA_TIME, SUBMITTED].map(cell);
        let [team, extension, first, last, login, sis_id] = [TEAM, EXTENSION, FIRST, LAST, LOGIN, SIS_ID].map(cell);
        let submitted = submitted_at(submitted, language);
        let granted = || extension_in(&cell(STATUS), language).unwrap_or_default();
        let extension = if extension.is_empty() { granted() } else { extension };
        // Moodle's worksheet and Brightspace's list of grades.
        let others = [MATRICULATION, EMAIL].map(cell).into_iter().find(|other| !other.is_empty());
        let listed_as = if id.is_empty() { others.unwrap_or_default() } else { id };
        let id = participant_number(&listed_as);
        let id = id.strip_prefix('#').unwrap_or(id).to_owned();
        if (name == TEST_STUDENT || format!("{last}, {first}") == TEST_STUDENT) && !login.is_empty() {
            continue;
        }
        if is_staff(&cell(ROLE)) {
            continue;
        }
        if id.is_empty() {
            // The second line of Canvas has no student, and the one above it may say how grades are posted.
            if !row.iter().any(|cell| [POINTS_POSSIBLE, "Manual Posting"].contains(&cell)) {
                table.mistake(line, "has no id".to_owned(), "give each student an id");
            }
            continue;
        }
        if let Some(first) = lines.insert(id.clone(), line) {
            let message = format!("the id `{id}` is already in line {first}");
            table.mistake(line, message, "give each student an own id");
        }
        let extra_time = if extra.is_empty() { None } else { factor(&extra) };
        if extra_time.is_none() && !extra.is_empty() {
            let message = format!("extra time `{extra}` is no factor between 1 and {MOST_TIME}");
            table.mistake(line, message, "write 1.5 or 50%");
        }
        if !submitted.is_empty() && !is_time(&submitted) {
            let message = format!("`{submitted}` is not a time");
            table.mistake(line, message, "write it as 2026-01-31T23:59:00+01:00, in ISO 8601");
        }
        if !extension.is_empty() && !is_extension(&extension) {
            let message = format!("`{extension}` is no extension");
            table.mistake(line, message, "write `2 days`, or the new deadline in ISO 8601");
        }
        let optional = |text: String| Some(text).filter(|text| !text.is_empty());
        students.push(RosterStudent {
            student: id.clone(),
            listed_as: Some(listed_as).filter(|listed| *listed != id && !listed.starts_with('#')),
            id,
            login: optional(login),
            sis_id: optional(sis_id),
            // Only an export says which of the words it is.
            last_name: None,
            name: whole_name(name, &first, &last),
            group: optional(group),
            team: optional(team),
            extra_time,
            submitted: optional(submitted),
            graded: optional(table.cell(&row, GRADED)),
            stated_grade: stated.and_then(|at| row.get(at)).map(str::to_owned).and_then(optional),
            extension: optional(extension),
            late: None,
            most: maxima.of_row(&row),
            excused: grade_columns::excused(&graded, &row),
        });
    }
    one_spelling_for_each_team(&mut students);
    let mut warnings = alike_but_for_case(&table, &lines);
    warnings.extend(alike_teams(&table, &students, &lines));
    table.finish((students, warnings))
}

/// The name of a student by the columns for it. Beside a first name alone, `Name` is the last one.
fn whole_name(name: String, first: &str, last: &str) -> String {
    match () {
        () if name.is_empty() => format!("{first} {last}").trim().to_owned(),
        () if !first.is_empty() && last.is_empty() && !name.contains(first) => format!("{first} {name}"),
        () => name,
    }
}

/// A warning for each id that is another one in upper or lower case: they may be two students, or one. `lines` has the line of
/// each id.
fn alike_but_for_case(table: &CsvTable<'_>, lines: &BTreeMap<String, usize>) -> Vec<Diagnostic> {
    let mut by_line: Vec<(usize, &str)> = lines.iter().map(|(id, line)| (*line, &**id)).collect();
    by_line.sort_unstable();
    let mut known: BTreeMap<String, (usize, &str)> = BTreeMap::new();
    let mut warnings = Vec::new();
    for (line, id) in by_line {
        let (first, other) = *known.entry(id.to_lowercase()).or_insert((line, id));
        if first != line {
            let message = format!("the ids `{other}` in line {first} and `{id}` differ only in case");
            warnings.push(table.warning(line, message, "if they are one student, remove one of the lines"));
        }
    }
    warnings
}

/// Gives teams whose names differ only in case the first of these names. Signs count: `1-1` is not `11`.
fn one_spelling_for_each_team(students: &mut [RosterStudent]) {
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    for team in students.iter_mut().filter_map(|student| student.team.as_mut()) {
        let word: String = team.nfc().flat_map(char::to_lowercase).collect();
        team.clone_from(names.entry(word).or_insert_with(|| team.clone()));
    }
}

/// A warning for each team that is another one but for signs and spaces: they may be two teams, or one. `lines` has the line of
/// each student.
fn alike_teams(table: &CsvTable<'_>, students: &[RosterStudent], lines: &BTreeMap<String, usize>) -> Vec<Diagnostic> {
    let mut known: BTreeMap<String, &str> = BTreeMap::new();
    let mut told: BTreeSet<&str> = BTreeSet::new();
    let mut warnings = Vec::new();
    for student in students {
        let Some(team) = student.team.as_deref() else { continue };
        let first = *known.entry(folded(team)).or_insert(team);
        if first != team && told.insert(team) {
            let line = lines.get(&student.id).copied().unwrap_or_default();
            let message = format!("the teams `{first}` and `{team}` differ only in signs and spaces");
            warnings.push(table.warning(line, message, "if they are one team, write it alike"));
        }
    }
    warnings
}

/// The times of Moodle's grading worksheet in English, as `jiff` parses them.
const DATES: [&str; 3] = ["%A, %d %B %Y, %I:%M %p", "%A, %B %d, %Y, %I:%M %p", "%A, %d %B %Y, %H:%M"];

/// A time of submission in ISO 8601, if it is one of Moodle's. `-` is not a time there.
fn submitted_at(text: String, language: Option<&Language>) -> String {
    if text == "-" {
        return String::new();
    }
    // Whatever has none of these forms is checked like every other time.
    moodle_time(&text, language).map_or(text, |time| time.to_string())
}

/// A time in one of the forms of Moodle.
fn moodle_time(text: &str, language: Option<&Language>) -> Option<DateTime> {
    let english = || DATES.iter().find_map(|form| DateTime::strptime(form, text).ok());
    language.and_then(|language| language.time(text)).or_else(english)
}

/// The later deadline in a status of Moodle's grading worksheet, in ISO 8601: `Submitted for grading - Extension granted
/// until: Thursday, 5 September 2013, 5:00 PM` (`col_status` in `mod/assign/gradingtable.php`). Its words depend on the
/// language; the time is the end of the last part.
fn extension_in(status: &str, language: Option<&Language>) -> Option<String> {
    let last = status.rsplit(" - ").next()?;
    let mut ends = last.match_indices(' ').map(|(at, _)| last[at..].trim_start());
    ends.find_map(|end| moodle_time(end, language)).map(|time| time.to_string())
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

/// The students of a roster, each with the author of submissions that is meant.
#[derive(Debug, Default)]
pub(crate) struct MatchedRoster {
    /// The students of the roster. Those without submissions are listed by their id.
    pub(crate) students: Vec<RosterStudent>,
    /// The authors who are not in the roster.
    pub(crate) strangers: Vec<String>,
    /// The authors whom several students of the roster fit, or who fit one student together.
    pub(crate) unclear: Vec<String>,
    /// The students whom these authors fit, as reports call the students.
    pub(crate) candidates: BTreeSet<String>,
    /// The authors whose id is that of a student with another name, each with that student's id and name.
    pub(crate) contradicted: Vec<(String, String)>,
}

/// An author of submissions: the name in reports, and the id that an export states; empty if none does.
struct Author<'a> {
    called: &'a str,
    id: &'a str,
}

/// Whether a student of the roster is an author.
type Fits = fn(&RosterStudent, &Author<'_>) -> bool;

/// The ways in which a student may be an author: by id, then by what platforms put into names, then by name.
const WAYS: [Fits; 4] = [
    |student, author| ids(student).any(|id| id == author.called),
    |student, author| ids(student).any(|id| !folded(id).is_empty() && folded(id) == folded(author.called)),
    |student, author| parts(author).any(|part| ids(student).any(|id| id == part)),
    |student, author| is_name(&student.name, author.called),
];

/// The id and the login of a student.
fn ids(student: &RosterStudent) -> impl Iterator<Item = &str> {
    std::iter::once(&*student.id).chain(student.login.as_deref())
}

/// Whether an author is certainly a student: by the whole id, or by the name.
pub(super) fn is_student(author: &str, students: &[RosterStudent]) -> bool {
    is_id(author, students) || students.iter().any(|student| is_name(&student.name, author))
}

/// Whether a word is the id or the login of a student.
pub(super) fn is_id(word: &str, students: &[RosterStudent]) -> bool {
    students.iter().flat_map(ids).any(|id| folded(id) == folded(word))
}

/// The positions of the authors who are in the roster, by the first way that finds any.
pub(crate) fn fitting(students: &[RosterStudent], authors: &[&str]) -> Vec<usize> {
    let mut found = WAYS.iter().map(|way| {
        let fits = |at: &usize| students.iter().any(|student| way(student, &Author { called: authors[*at], id: "" }));
        (0..authors.len()).filter(fits).collect::<Vec<_>>()
    });
    found.find(|found| !found.is_empty()).unwrap_or_default()
}

/// Whether a path has the id, the login or the whole name of a student in one of its parts.
pub(crate) fn names_student(path: &Path, student: &RosterStudent) -> bool {
    let words_of = |text: &str| -> BTreeSet<String> {
        text.split(|c: char| !c.is_alphanumeric()).map(folded).filter(|word| !word.is_empty()).collect()
    };
    // Short numbers are often those of exercises.
    let is_telling = |id: &&str| id.len() > 2 || !id.bytes().all(|byte| byte.is_ascii_digit());
    let name = words_of(&student.name);
    path.components().any(|part| {
        let part = part.as_os_str().to_string_lossy();
        let words = words_of(&part);
        let has_id = ids(student).filter(is_telling).any(|id| !folded(id).is_empty() && words_of(id).is_subset(&words));
        has_id || name.len() > 1 && name.is_subset(&words)
    })
}

/// Whether an export's name of a student cannot be the one in the roster: they share no word, or it is that of another
/// student. Names in different scripts cannot be compared.
fn contradicts(name: &str, student: &RosterStudent, students: &[RosterStudent]) -> bool {
    let is_latin = |name: &str| name.chars().any(|c| c.is_ascii_alphabetic());
    // Moodle writes `Participant 18` for the name in an anonymous assignment.
    if name.is_empty() || is_hidden_name(name) || student.name.is_empty() || is_name(&student.name, name) {
        return false;
    }
    if students.iter().any(|other| is_name(&other.name, name)) {
        return true;
    }
    let [ours, theirs] = [&*student.name, name].map(unaccented);
    is_latin(&ours) == is_latin(&theirs) && !shares_word(&ours, &theirs) && !shares_word(&theirs, &ours)
}

/// Whether a word of a name is in the other, which may be written without spaces: `leeann`.
fn shares_word(name: &str, other: &str) -> bool {
    let other = folded(other);
    let words = name.split([' ', ',', '-', '.']).map(folded);
    words.filter(|word| word.len() > 1).any(|word| other.contains(&word))
}

/// A name without accents, and with `a` for `ae`, so that `Müller` and `Mueller` become the same.
fn unaccented(name: &str) -> String {
    let plain: String = name.nfd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase).collect();
    [("ae", "a"), ("oe", "o"), ("ue", "u"), ("ß", "ss")]
        .iter()
        .fold(plain, |name, (long, short)| name.replace(long, short))
}

/// Finds each author of submissions in the roster. `identity_of` finds what an export says about an author.
pub(crate) fn matched(
    mut students: Vec<RosterStudent>,
    authors: &[String],
    identity_of: impl Fn(&str) -> Option<Identity>,
) -> MatchedRoster {
    let identities: Vec<Identity> = authors.iter().map(|author| identity_of(author).unwrap_or_default()).collect();
    let author = |at: usize| Author { called: &authors[at], id: &identities[at].id };
    let mut found: MatchedRoster = MatchedRoster::default();
    let mut owner: Vec<Option<usize>> = vec![None; students.len()];
    let mut left: Vec<usize> = (0..authors.len()).collect();
    for way in WAYS {
        let fits = |at: &usize| -> Vec<usize> {
            let free = (0..students.len()).filter(|student| owner[*student].is_none());
            free.filter(|student| way(&students[*student], &author(*at))).collect()
        };
        let candidates: Vec<(usize, Vec<usize>)> = left.iter().map(|at| (*at, fits(at))).collect();
        for (at, of) in &candidates {
            let shared = |student: &usize| candidates.iter().filter(|(_, of)| of.contains(student)).count() > 1;
            match of[..] {
                [] => continue,
                [one] if contradicts(&identities[*at].name, &students[one], &students) => {
                    let RosterStudent { id, name, .. } = &students[one];
                    found.contradicted.push((authors[*at].clone(), format!("{id} is {name}")));
                }
                [one] if !shared(&one) => owner[one] = Some(*at),
                _ => {
                    found.unclear.push(authors[*at].clone());
                    found.candidates.extend(of.iter().map(|student| students[*student].student.clone()));
                }
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

/// The parts of an author's name in the form of a platform: `Ann Lee_1234`, `Lee_Ann_lee_331`. An id with `_` is one part.
fn parts<'a>(author: &Author<'a>) -> impl Iterator<Item = &'a str> + use<'a> {
    let Author { called, id } = *author;
    let is_whole = id.contains('_');
    let split = called.split('_').filter(move |_| !is_whole && called.contains('_'));
    split.chain(is_whole.then_some(id))
}

/// Whether an author's name is the name of a student, in any order of the words: `Ann Lee`, `Lee, Ann`, and `leeann_12`
/// as in Canvas.
fn is_name(name: &str, author: &str) -> bool {
    let orders = orders(name);
    let without_number = author.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_');
    // ILIAS puts the login after the name.
    let without_login = without_number.rsplit_once('_').map(|(rest, _)| rest);
    [Some(author), Some(without_number), without_login]
        .into_iter()
        .flatten()
        .any(|author| orders.contains(&folded(author)))
}

/// The orders in which the words of a name may come, folded: `annlee` and `leeann`.
fn orders(name: &str) -> Vec<String> {
    let words: Vec<String> = name.split([' ', ',', '-']).map(folded).filter(|word| !word.is_empty()).collect();
    (0..words.len()).map(|at| words[at..].iter().chain(&words[..at]).map(String::as_str).collect()).collect()
}

/// Whom an id or a name means.
pub(super) enum NameMatch {
    /// This student, as reports call the student.
    One(String),
    /// Several students have the name.
    Several,
    /// Nobody.
    Nobody,
}

/// Finds a student by the id, also as Moodle writes it (`Participant 18`), or else by the name, in any order of its words. Upper
/// and lower case do not matter, but what is exact counts first.
pub(super) fn called(word: &str, roster: &[RosterStudent], authors: &BTreeSet<String>) -> NameMatch {
    let word = participant_number(word);
    let find = |by_name: bool, is_it: &dyn Fn(&str) -> bool| -> BTreeSet<&String> {
        let has_it = |known: &RosterStudent| {
            if by_name { is_it(&known.name) } else { ids(known).chain(known.sis_id.as_deref()).any(is_it) }
        };
        let of_roster = roster.iter().filter(|known| is_it(&known.student) || has_it(known));
        of_roster.map(|known| &known.student).chain(authors.iter().filter(|author| is_it(author))).collect()
    };
    let order = |name: &str| in_order(name).to_lowercase();
    let folded = folded(word);
    let found = [
        find(false, &|id| id == word),
        find(false, &|id| id.eq_ignore_ascii_case(word)),
        find(true, &|name| !name.is_empty() && order(name) == order(word)),
        find(true, &|name| orders(name).contains(&folded)),
    ];
    let found = found.into_iter().find(|found| !found.is_empty()).unwrap_or_default();
    match found.into_iter().collect::<Vec<_>>()[..] {
        [] => NameMatch::Nobody,
        [one] => NameMatch::One(one.clone()),
        _ => NameMatch::Several,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(found: Vec<Diagnostic>) -> Vec<String> {
        let told = |found: Diagnostic| format!("{}: {}", found.place.map_or(0, |place| place.line), found.message);
        found.into_iter().map(told).collect()
    }

    fn read(text: &str) -> Result<(Vec<RosterStudent>, Vec<String>), Vec<String>> {
        let table = super::students(CsvTable::of(text, Path::new("r.csv"), &COLUMNS, &REQUIRED, in_english));
        table.map(|(students, warnings)| (students, told(warnings))).map_err(told)
    }

    fn students(text: &str) -> Result<Vec<RosterStudent>, Vec<String>> {
        read(text).map(|(students, _)| students)
    }

    #[test]
    fn ids_that_differ_only_in_case_are_told_with_both_lines() {
        let (students, warnings) = read("id,team\nann,a\nbo,\nANN,\nAnn,\n").unwrap();
        let ids: Vec<&str> = students.iter().map(|student| &*student.id).collect();
        assert_eq!(ids, ["ann", "bo", "ANN", "Ann"]);
        let told = |line, id| format!("{line}: the ids `ann` in line 2 and `{id}` differ only in case");
        assert_eq!(warnings, [told(4, "ANN"), told(5, "Ann")]);
    }

    #[test]
    fn a_name_beside_a_first_name_is_the_last_name() {
        let names = |text: &str| students(text).unwrap().into_iter().map(|one| one.name).collect::<Vec<_>>();
        assert_eq!(names("Name;Vorname;Matrikelnummer\nLee;Ann;1\n"), ["Ann Lee"]);
        assert_eq!(names("id,name,first name\n1,Ann Lee,Ann\n"), ["Ann Lee"]);
    }

    #[test]
    fn teams_that_differ_only_in_signs_are_told() {
        let (students, warnings) = read("id,team\nann,redteam\nbo,Red Team\ncy,Red team\ndi,blue\n").unwrap();
        let teams: Vec<&str> = students.iter().filter_map(|student| student.team.as_deref()).collect();
        assert_eq!(teams, ["redteam", "Red Team", "Red Team", "blue"]);
        assert_eq!(warnings, ["3: the teams `redteam` and `Red Team` differ only in signs and spaces"]);
    }

    #[test]
    fn moodle_says_until_when_a_student_may_submit() {
        let of = |headings: &str, status: &str| {
            let row = format!("{headings}\nParticipant 7,Ann,\"{status}\",-\n");
            students(&row).unwrap()[0].extension.clone()
        };
        let english = |status: &str| of("Identifier,Full name,Status,Last modified (submission)", status);
        let granted = "Extension granted until: Thursday, 5 September 2013, 5:00 PM";
        let until = Some("2013-09-05T17:00:00".to_owned());
        assert_eq!(english(&format!("Submitted for grading - 2 days late - {granted}")), until);
        assert_eq!(english(&format!("No submission - {granted}")), until);
        assert_eq!(english("Submitted for grading - Graded"), None);
        assert_eq!(english("No submission - Assignment is overdue by: 3 days 4 hours"), None);
        let german = "ID,Vollständiger Name,Status,Zuletzt geändert (Abgabe)";
        let granted = "Verlängertes Abgabeende bis: Donnerstag, 5. September 2013, 17:00";
        assert_eq!(of(german, &format!("Zur Bewertung abgegeben - {granted}")), until);
        let portuguese = "Identificador,Nome completo,Estado,Última modificação (submissão)";
        assert_eq!(of(portuguese, "Prazo prolongado até Quinta, 5 de Setembro de 2013 às 17:00"), until);
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
    fn lines_before_the_headings_are_left_out() {
        // As Sakai writes `grades.csv`.
        let title = "\"HW; 1\",\"Points\"\n\"\"\n";
        let list = "\"Display ID\",\"ID\",\"Last Name\",\"First Name\",\"grade\"\nalee,a1,Lee,Ann,\n";
        let read = students(&[title, list].concat()).unwrap();
        assert_eq!((&*read[0].id, read[0].login.as_deref(), &*read[0].name), ("a1", Some("alee"), "Ann Lee"));
        assert_eq!(students("sep=;\nid;name\na;Ann\n").unwrap()[0].name, "Ann");
        let told = "3: has no column `id`: its headings are `Nickname`, `Last Name`, `grade`";
        assert_eq!(students(&[title, "Nickname,Last Name,grade\nann,Lee,\n"].concat()).unwrap_err(), [told]);
        // A blank line after the headings changes nothing.
        assert_eq!(students("id\n\na,b\n").unwrap_err(), ["3: has 2 cells, and the line of headings has 1"]);
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
        assert_eq!(students("name\nAnn\n").unwrap_err(), ["1: has no column `id`: its headings are `name`"]);
        assert_eq!(students("Matrikelnummer;E-Mail\n12;a@x\n;b@x\n").unwrap()[0].id, "12");
        assert_eq!(students("").unwrap_err(), ["1: is empty"]);
    }

    #[test]
    fn a_number_and_a_name_may_contradict() {
        for (ours, theirs, expect) in [
            ("Ann Lee", "Ann Lee", false),
            ("Lee, Ann Mary", "Ann Lee", false),
            ("Jürgen Müller", "Juergen Mueller", false),
            ("Elizabeth Fox", "Liz Fox", false),
            ("Ann Lee", "leeann", false),
            ("Иван Петров", "Ivan Petrov", false),
            ("", "Ann Lee", false),
            ("Ann Lee", "Participant 18", false),
            ("Ann Lee", "Bo Fox", true),
            ("Bruce Lee", "Cy Lee", true),
        ] {
            let student = |name: &str| RosterStudent { name: name.to_owned(), ..RosterStudent::default() };
            let all = [student(ours), student("Cy Lee")];
            assert_eq!(contradicts(theirs, &all[0], &all), expect, "{ours}, {theirs}");
        }
    }

    #[test]
    fn authors_are_found_by_id_and_by_name() {
        let roster = "id,name\nann,Ann Lee\n331,Bo Lee\nlogin7,Cy Ray\nd4,Dee Fox\nd5,Dee Fox\nz,Zoe\n";
        let authors = ["Ann", "Bo Lee_331", "Ray_Cy_login7_99", "Dee Fox_1", "guest"].map(str::to_owned);
        let found = matched(students(roster).unwrap(), &authors, |_| None);
        let names: Vec<&str> = found.students.iter().map(|student| &*student.student).collect();
        assert_eq!(names, ["Ann", "Bo Lee_331", "Ray_Cy_login7_99", "d4", "d5", "z"]);
        assert_eq!((found.strangers, found.unclear), (vec!["guest".to_owned()], vec!["Dee Fox_1".to_owned()]));
        let found = matched(students("id,name\nq,Ann Lee\n").unwrap(), &["leeann_12".to_owned()], |_| None);
        assert_eq!(found.students[0].student, "leeann_12");
        // So are the students of overrides and of lists of authors.
        let roster = students("id,name\na1,Ann Lee\nb2,Bo Fox\nc3,Fox Bo\nANN,Zoe\n").unwrap();
        let authors = BTreeSet::from(["Dee Ann Oh", "Eve Po", "Eve Po 2", "ann"].map(str::to_owned));
        for (word, expect) in [
            ("Lee, Ann", Some("a1")),
            ("LEE ANN", Some("a1")),
            ("Bo Fox", Some("b2")),
            ("Oh Dee Ann", Some("Dee Ann Oh")),
            ("Oh, Dee Ann", Some("Dee Ann Oh")),
            ("Po Eve", Some("Eve Po")),
            ("Eve Po 2", Some("Eve Po 2")),
            ("Po Eve 3", None),
            ("ANN", Some("ANN")),
            ("ann", Some("ann")),
            ("Ann", None),
            ("", None),
        ] {
            let found = match called(word, &roster, &authors) {
                NameMatch::One(student) => Some(student),
                NameMatch::Several | NameMatch::Nobody => None,
            };
            assert_eq!(found.as_deref(), expect, "{word}");
        }
        // Two authors may be the same student, or not.
        let found = matched(students("id\nann\n").unwrap(), &["Ann".to_owned(), "ANN".to_owned()], |_| None);
        assert_eq!((found.unclear.len(), &*found.students[0].student), (2, "ann"));
    }
}
