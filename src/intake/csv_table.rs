//! Reads a CSV file that people or platforms wrote: columns are found by their headings, and mistakes have lines.

use std::fs;
use std::path::Path;

use super::names::folded;
use crate::diagnostic::{Diagnostic, Severity, TextPosition};
use crate::suggest;

/// A column: what messages call it, and the headings that mean it, folded.
pub(crate) type Column = (&'static str, &'static [&'static str]);

/// Folds headings, and translates those of platforms.
pub(crate) type InEnglish = fn(&csv::StringRecord) -> Vec<String>;

/// Folds headings that are in English anyway.
pub(crate) fn as_they_are(headings: &csv::StringRecord) -> Vec<String> {
    headings.iter().map(folded).collect()
}

/// The columns with the ids in lists of platforms, folded, each with another heading of such a list. Other columns that may
/// mean the id are not ids there.
const PLATFORM_IDS: [(&str, &str); 7] = [
    ("identifier", "fullname"),
    ("identifier", "lastmodifiedgrade"),
    ("id", "sisloginid"),
    ("orgdefinedid", "endoflineindicator"),
    ("username", "availability"),
    ("identifier", "githubusername"),
    ("id", "displayid"),
];

/// The most headings that a message proposes.
const HEADINGS: usize = 5;

/// How files of spreadsheets begin: `.xlsx` and `.ods` are zip archives, and `.xls` is older.
const SPREADSHEETS: [&[u8]; 2] = [b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"];

/// The rows of a file, and the mistakes so far.
pub(crate) struct CsvTable<'a> {
    shown: &'a Path,
    columns: &'static [Column],
    /// The position of each column in a row.
    positions: Vec<Option<usize>>,
    /// The headings.
    pub(super) headings: csv::StringRecord,
    /// The line of the headings.
    pub(super) head_line: usize,
    /// The headings folded, and in English.
    pub(super) words: Vec<String>,
    in_english: InEnglish,
    /// Each row with its line.
    rows: Vec<(usize, csv::StringRecord)>,
    mistakes: Vec<Diagnostic>,
}

impl<'a> CsvTable<'a> {
    /// Reads a file. `required` are the positions of the columns of which it must have one each.
    ///
    /// # Errors
    /// It cannot be read, or is neither UTF-8 nor UTF-16. Every other mistake is an error at the end, see [`Self::finish`].
    pub(crate) fn read(
        path: &Path,
        shown: &'a Path,
        columns: &'static [Column],
        required: &[&[usize]],
        in_english: InEnglish,
    ) -> Result<Self, Vec<Diagnostic>> {
        let error = |message: String, remedy: &str| vec![Diagnostic::error(shown, message).remedy(remedy)];
        let bytes = fs::read(path).map_err(|why| error(why.to_string(), "name a readable CSV file"))?;
        if SPREADSHEETS.iter().any(|begin| bytes.starts_with(begin)) {
            return Err(error("is a spreadsheet and not CSV".to_owned(), "save it as `CSV UTF-8`, and name that file"));
        }
        let text = text_of(bytes).map_err(|NoText { form, line }| {
            let found = Diagnostic::error(shown, format!("is not {form}")).at(Some(line_place(line)));
            vec![found.remedy("save it as `CSV UTF-8`")]
        })?;
        Ok(Self::of(text.trim_start_matches('\u{feff}'), shown, columns, required, in_english))
    }

    pub(super) fn of(
        text: &str,
        shown: &'a Path,
        columns: &'static [Column],
        required: &[&[usize]],
        in_english: InEnglish,
    ) -> Self {
        let positions = vec![None; columns.len()];
        let mut table = Self {
            shown,
            columns,
            positions,
            headings: csv::StringRecord::new(),
            head_line: 1,
            words: Vec::new(),
            in_english,
            rows: Vec::new(),
            mistakes: Vec::new(),
        };
        let head = text.lines().next().unwrap_or_default();
        // Spreadsheets separate with semicolons where the comma is in numbers.
        let delimiter = [b',', b';', b'\t'].into_iter().max_by_key(|byte| {
            // The first of equals wins: `max_by_key` takes the last, so the comma gets one more.
            2 * head.bytes().filter(|other| other == byte).count() + usize::from(*byte == b',')
        });
        let mut reader = csv::ReaderBuilder::new();
        reader.has_headers(false).flexible(true).trim(csv::Trim::All).delimiter(delimiter.unwrap_or(b','));
        let mut rows = Vec::new();
        let (mut seen, mut lines) = (0, 1);
        for row in reader.from_reader(text.as_bytes()).into_records() {
            match row {
                Ok(row) => {
                    // The reader's own numbers are one too small after `\r\n`, whose end it has not read yet.
                    let at = row.position().and_then(|at| usize::try_from(at.byte()).ok()).unwrap_or(seen);
                    let is_newline = |byte: &&u8| **byte == b'\n';
                    lines += text.as_bytes()[seen..at].iter().filter(is_newline).count();
                    seen = at;
                    // Blank lines before a row are part of it.
                    let blank = text.as_bytes()[at..].iter().take_while(|byte| b"\r\n".contains(byte));
                    rows.push((lines + blank.filter(is_newline).count(), row));
                }
                // The text is UTF-8 and rows may have any length, so only a damaged reader fails.
                Err(error) => table.mistake(1, error.to_string(), "save it as CSV"),
            }
        }
        let is_last_open = opens_quote(&text[seen..], delimiter.unwrap_or(b','));
        let is_empty = |row: &csv::StringRecord| row.iter().all(str::is_empty);
        rows.retain(|(_, row)| !is_empty(row));
        let headings: Vec<String> = columns.iter().take(HEADINGS).map(|(name, _)| name.replace(' ', "_")).collect();
        let remedy = format!("begin with a line of headings, such as {}", headings.join(","));
        if rows.is_empty() {
            table.mistake(1, "is empty".to_owned(), &remedy);
            return table;
        }
        while let [(line, first), (next, second), ..] = &rows[..] {
            let words = in_english(first);
            let has = |column: &usize| words.iter().any(|word| columns[*column].1.contains(&&**word));
            let is_head = required.iter().all(|any| any.iter().any(has));
            // Sakai writes a title and an empty line before the headings. Spreadsheets write `sep=;`.
            let is_title = *next > line + 1 && second.len() > first.len() || first.get(0) == Some("sep=");
            if is_head || !is_title {
                break;
            }
            rows.remove(0);
        }
        let (line, head) = rows.remove(0);
        table.head_line = line;
        table.head(line, &head);
        let is_missing = |any: &&&[usize]| any.iter().all(|column| table.positions[*column].is_none());
        for any in required.iter().filter(is_missing).copied().collect::<Vec<_>>() {
            let own: Vec<String> = head.iter().map(|heading| format!("`{heading}`")).collect();
            let message = format!("has no column `{}`: its headings are {}", columns[any[0]].1[0], own.join(", "));
            let words = any.iter().flat_map(|column| columns[*column].1).copied().collect::<Vec<_>>().join(", ");
            table.mistake(line, message, &format!("call it one of {words}; case, spaces and `-` do not matter"));
            rows.clear();
        }
        let last = rows.last().map_or(line, |(line, _)| *line);
        for (line, row) in std::iter::once(&(line, head.clone())).chain(&rows) {
            // The rows that a quote swallows would be lost. Comments of several lines are in columns that do not matter.
            let is_read = |at: usize| row == &head || at >= head.len() || table.positions.contains(&Some(at));
            let is_open = *line == last && is_last_open;
            if is_open
                || row.iter().enumerate().any(|(at, cell)| is_read(at) && cell.contains('\n'))
                || is_cut(row, &head)
            {
                let message = "opens a quote that does not end in this line".to_owned();
                table.mistake(*line, message, "close or remove it");
            } else if row.iter().skip(head.len()).any(|cell| !cell.is_empty()) {
                let message = format!("has {} cells, and the line of headings has {}", row.len(), head.len());
                table.mistake(*line, message, "put a cell with a comma into quotes: \"Lee, Ann\"");
            }
        }
        (table.rows, table.headings) = (rows, head);
        table
    }

    fn head(&mut self, line: usize, head: &csv::StringRecord) {
        let words = (self.in_english)(head);
        let means = |word: &str| self.columns.iter().position(|(_, words)| words.contains(&word));
        let has = |word: &str| words.iter().any(|other| other == word);
        let own = PLATFORM_IDS.iter().find(|(id, beside)| has(id) && has(beside)).map(|(id, _)| *id);
        for (at, (heading, word)) in head.iter().zip(&words).enumerate() {
            let known = means(word);
            // `Student` is the name where another column is the id, as in Canvas.
            let is_name = word == "student" && words.iter().any(|other| other != word && means(other) == known);
            match known {
                _ if is_name => {
                    if let Some(name) = means("name") {
                        self.positions[name].get_or_insert(at);
                    }
                }
                Some(_) if own.is_some_and(|own| own != word && means(own) == known) => {}
                Some(column) if self.positions[column].is_some() => {
                    let first = self.positions[column].and_then(|at| head.get(at)).unwrap_or_default();
                    let what = self.columns[column].0;
                    let message = format!("two columns may mean the {what}: `{first}` and `{heading}`");
                    self.mistake(line, message, "rename the one that is not meant");
                }
                Some(column) => self.positions[column] = Some(at),
                // Files of platforms have more columns, which do not matter. A misspelt one does.
                None if own.is_some() => {}
                None => {
                    let words = self.columns.iter().flat_map(|(_, words)| words.iter().copied());
                    let near = suggest::closest(word, words.filter(|known| known.len() > 4));
                    if let Some(near) = near {
                        self.mistake(line, format!("unknown column `{heading}`"), &format!("did you mean `{near}`?"));
                    }
                }
            }
        }
        self.words = words;
    }

    pub(crate) fn mistake(&mut self, line: usize, message: String, remedy: &str) {
        self.mistakes.push(self.error(line, message, remedy));
    }

    /// Whether the file has this column.
    pub(crate) fn has(&self, column: usize) -> bool {
        self.positions[column].is_some()
    }

    /// The headings that mean none of the columns.
    pub(crate) fn unknown(&self) -> Vec<&str> {
        let is_unknown = |(at, _): &(usize, &str)| !self.positions.contains(&Some(*at));
        let headings = self.headings.iter().enumerate().filter(is_unknown).map(|(_, heading)| heading);
        headings.filter(|heading| !heading.is_empty()).collect()
    }

    /// An error in a line that may not matter.
    pub(super) fn error(&self, line: usize, message: String, remedy: &str) -> Diagnostic {
        Diagnostic::error(self.shown, message).at(Some(line_place(line))).remedy(remedy)
    }

    /// A warning about a line.
    pub(super) fn warning(&self, line: usize, message: String, remedy: &str) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..self.error(line, message, remedy) }
    }

    /// The rows with their lines; none if the columns are not known.
    pub(super) fn rows(&self) -> impl Iterator<Item = &(usize, csv::StringRecord)> {
        self.rows.iter()
    }

    /// The rows with their lines; none if the columns are not known.
    pub(crate) fn take_rows(&mut self) -> Vec<(usize, csv::StringRecord)> {
        std::mem::take(&mut self.rows)
    }

    /// The text in a column of a row; empty if there is none.
    pub(crate) fn cell(&self, row: &csv::StringRecord, column: usize) -> String {
        self.positions[column].and_then(|at| row.get(at)).unwrap_or_default().to_owned()
    }

    /// Returns `read`.
    ///
    /// # Errors
    /// All mistakes in the file.
    pub(crate) fn finish<T>(self, read: T) -> Result<T, Vec<Diagnostic>> {
        if self.mistakes.is_empty() { Ok(read) } else { Err(self.mistakes) }
    }
}

/// Why bytes are not text: the form that they should have, and the line of the first that does not.
struct NoText {
    form: &'static str,
    line: usize,
}

/// The text in UTF-8, or in UTF-16 with a byte order mark, as Blackboard writes its gradebook.
fn text_of(bytes: Vec<u8>) -> Result<String, NoText> {
    let units = match bytes[..] {
        [0xff, 0xfe, ref rest @ ..] => Some((rest, u16::from_le_bytes as fn([u8; 2]) -> u16)),
        [0xfe, 0xff, ref rest @ ..] => Some((rest, u16::from_be_bytes as fn([u8; 2]) -> u16)),
        _ => None,
    };
    if let Some((rest, unit)) = units {
        let (pairs, cut) = rest.as_chunks::<2>();
        let units = pairs.iter().map(|pair| unit(*pair));
        let text: Result<String, _> = char::decode_utf16(units).collect();
        return text.ok().filter(|_| cut.is_empty()).ok_or(NoText { form: "UTF-16", line: 1 });
    }
    String::from_utf8(bytes).map_err(|why| {
        let valid = why.utf8_error().valid_up_to();
        NoText { form: "UTF-8", line: why.as_bytes()[..valid].split(|byte| *byte == b'\n').count() }
    })
}

/// Whether the last row of a file has a quote at the beginning of a cell, and none that ends it.
fn opens_quote(row: &str, delimiter: u8) -> bool {
    let opens = row.trim_start().starts_with('"') || row.contains(&format!("{}\"", char::from(delimiter)));
    opens && row.bytes().filter(|byte| *byte == b'"').count() % 2 == 1
}

/// Whether a quote swallowed the end of a row: it is short, and its last cell has several lines.
fn is_cut(row: &csv::StringRecord, head: &csv::StringRecord) -> bool {
    row.len() < head.len() && row.iter().next_back().is_some_and(|cell| cell.contains('\n'))
}

fn line_place(line: usize) -> TextPosition {
    TextPosition { line: u32::try_from(line).unwrap_or(u32::MAX), column: 1 }
}
