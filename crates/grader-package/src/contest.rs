//! Reads the order and letters of problems in a contest: `problems.yaml` of `BAPCtools` and `DOMjudge`, and the older
//! lists in `problemset.yaml` and `contest.yaml`. Also the letters in `contest.xml` of Polygon.

use std::path::Path;

use crate::document::read::{Read, Unfit, text};
use crate::document::{Document, Value, is_there};
use crate::polygon;
use grader_model::diagnostic::{Diagnostic, Severity};
use grader_model::problem::Label;

/// The files that may contain the list, each with the keys below which it may be.
const FILES: [(&str, &[&str]); 3] = [
    ("problems.yaml", &["problems"]),
    ("problemset.yaml", &["problems", "problemset"]),
    // The last two are those of CMS, whose entries are names alone.
    (SETTINGS, &["problems", "problemset", "tasks", "problemi"]),
];

/// The file with name, start and duration of a contest.
pub const SETTINGS: &str = "contest.yaml";

/// The list of a contest of Polygon, and the directory of its problems beside it.
const POLYGON_FILE: &str = "contest.xml";
const POLYGON_PROBLEMS: &str = "problems";

/// The names of the keys, the current name first.
const ID: [&str; 3] = ["id", "short-name", "shortname"];
const LABEL: [&str; 2] = ["label", "letter"];
const CODE: [&str; 1] = ["rgb"];
const COLOUR: [&str; 1] = ["color"];

/// The problems of a contest.
#[derive(Debug, Default)]
pub struct Contest {
    /// Directories and letters, in order.
    problems: Vec<(String, Option<Label>)>,
    /// The colours of balloons as the file states them: the directory and its colour.
    colours: Vec<(String, String)>,
    /// Findings in the file: errors only if it has no list. None of them decides a verdict.
    pub found: Vec<Diagnostic>,
}

impl Contest {
    /// Reads the list in a directory; none if the directory has no list.
    pub fn read(dir: &Path) -> Option<Self> {
        let lists = FILES.iter().map(|(name, keys)| (dir.join(name), *keys)).filter(|(file, _)| is_there(file));
        let mut listed = lists.into_iter().find_map(|(file, keys)| {
            let document = Document::load_list(&file);
            let below = keys.iter().find(|key| matches!(document.value(&[key]), Some(Value::List(_))));
            let path: Vec<&str> = below.into_iter().copied().collect();
            let is_list = matches!(document.value(&path), Some(Value::List(_)));
            // `contest.yaml` contains many other settings.
            (is_list || document.is_broken()).then(|| (file, of_list(document, &path, dir)))
        });
        // Beside a list, the file has the name of the contest.
        let settings = dir.join(SETTINGS);
        if let Some((file, contest)) = listed.as_mut().filter(|_| is_there(&settings))
            && *file != settings
        {
            let document = Document::load(&settings);
            contest.found.extend(document.is_broken().then(|| document.finish()).into_iter().flatten());
        }
        listed.map(|(_, contest)| contest).or_else(|| of_polygon(dir))
    }

    /// The position and letter of the problem whose directory has this name.
    pub fn place(&self, name: &str) -> Option<(usize, Option<&Label>)> {
        let at = self.problems.iter().position(|(id, _)| id == name)?;
        Some((at, self.problems[at].1.as_ref()))
    }

    /// The colour of the problem whose directory has this name: `#ff0000`, or a word.
    pub fn colour(&self, name: &str) -> Option<&str> {
        self.colours.iter().find(|(id, _)| id == name).map(|(_, colour)| colour.as_str())
    }
}

/// The contest of Polygon whose problems are in this directory: `contest.xml` is beside it.
fn of_polygon(dir: &Path) -> Option<Contest> {
    let file = dir.parent().filter(|_| dir.ends_with(POLYGON_PROBLEMS))?.join(POLYGON_FILE);
    if !is_there(&file) {
        return None;
    }
    match polygon::contest(&file) {
        Ok(listed) => {
            let missing = listed.iter().filter(|(name, _)| !dir.join(name).is_dir()).map(|(name, letter)| {
                let message = format!("there is no directory {POLYGON_PROBLEMS}/{name} for problem {letter}");
                Diagnostic::warning(&file, message).remedy("download the package of the contest again")
            });
            let found = missing.collect();
            let problems = listed.into_iter().map(|(name, letter)| (name, Label::new(&letter))).collect();
            Some(Contest { problems, found, ..Contest::default() })
        }
        // The problems are judged in any case, without their letters.
        Err(found) => {
            let found = Diagnostic { severity: Severity::Warning, ..found };
            Some(Contest { found: vec![found], ..Contest::default() })
        }
    }
}

fn of_list(mut document: Document, path: &[&str], dir: &Path) -> Contest {
    let count = match document.value(path) {
        Some(Value::List(entries)) => entries.len(),
        _ => 0,
    };
    let mut problems: Vec<(String, Option<Label>)> = Vec::new();
    let mut colours = Vec::new();
    for position in 0..count {
        let position = position.to_string();
        let entry: Vec<&str> = path.iter().copied().chain([position.as_str()]).collect();
        let id = match document.value(&entry) {
            Some(Value::Text(name)) => Some(name.clone()),
            _ => first(&mut document, &entry, &ID, text).map(|(id, _)| id),
        };
        let Some(id) = id else {
            warn(&mut document, &entry, "a problem without an `id`; ignored".to_owned());
            continue;
        };
        let label = first(&mut document, &entry, &LABEL, label);
        if problems.iter().any(|(known, _)| *known == id) {
            warn(&mut document, &entry, format!("`{id}` appears twice; grader uses the first"));
            continue;
        }
        if let Some((label, key)) = label.as_ref()
            && problems.iter().any(|(_, known)| known.as_ref() == Some(label))
        {
            let at = [&entry[..], &[key]].concat();
            warn(&mut document, &at, format!("two problems have the letter `{label}`"));
        }
        if !dir.join(&id).is_dir() {
            warn(&mut document, &entry, format!("there is no directory `{id}` here"));
        }
        let code = first(&mut document, &entry, &CODE, code);
        if let Some((colour, _)) = code.or_else(|| first(&mut document, &entry, &COLOUR, colour)) {
            colours.push((id.clone(), colour));
        }
        problems.push((id, label.map(|(label, _)| label)));
    }
    let is_list = matches!(document.value(path), Some(Value::List(_)));
    let mut found = document.finish();
    // The problems are judged in any case, in any order. A file that is not YAML hides all of the order.
    for found in found.iter_mut().filter(|_| is_list) {
        found.severity = Severity::Warning;
    }
    Contest { problems, colours, found }
}

/// The value of the first existing key, with the key.
fn first<T>(
    document: &mut Document,
    entry: &[&str],
    keys: &[&'static str],
    read: impl Fn(&Value) -> Read<T>,
) -> Option<(T, &'static str)> {
    keys.iter().find_map(|key| Some((document.get_at(&[entry, &[key]].concat(), &read)?, *key)))
}

fn label(value: &Value) -> Read<Label> {
    let text = match value {
        Value::Integer(number) => number.to_string(),
        other => text(other)?,
    };
    Label::new(&text).ok_or_else(|| Unfit::expected("one or a few letters", format!("{text:?}")))
}

/// A colour as hexadecimal digits, as in CSS.
fn code(value: &Value) -> Read<String> {
    let text = text(value)?;
    let is_code = text.strip_prefix('#').is_some_and(|digits| {
        [3, 4, 6, 8].contains(&digits.len()) && digits.chars().all(|digit| digit.is_ascii_hexdigit())
    });
    if is_code {
        Ok(text)
    } else {
        Err(Unfit::expected("a colour such as \"#ff0000\", in quotes", format!("{text:?}")))
    }
}

/// A colour by its name or as hexadecimal digits.
fn colour(value: &Value) -> Read<String> {
    let name = text(value)?;
    let is_name = name.chars().any(char::is_alphabetic) && name.chars().all(|c| c.is_alphabetic() || " -".contains(c));
    if is_name { Ok(name) } else { code(value) }
}

fn warn(document: &mut Document, path: &[&str], message: String) {
    document.report(path, Severity::Warning, message);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(files: &[(&str, &str)]) -> Option<(Vec<String>, Vec<String>)> {
        let temp = tempfile::tempdir().unwrap();
        let dir = temp.path();
        for name in ["hello", "boolfind", "c"] {
            std::fs::create_dir(dir.join(name)).unwrap();
        }
        for (name, text) in files {
            std::fs::write(dir.join(name), text).unwrap();
        }
        let contest = Contest::read(dir)?;
        let show = |(id, label): &(String, Option<Label>)| {
            label.as_ref().map_or_else(|| id.clone(), |label| format!("{label} {id}"))
        };
        let found = contest.found.iter().map(|found| found.to_string().replace(&format!("{}/", dir.display()), ""));
        Some((contest.problems.iter().map(show).collect(), found.collect()))
    }

    #[test]
    fn every_kind_of_list_is_read() {
        let fine = |files: &[(&str, &str)], expect: &[&str]| {
            let (problems, found) = read(files).unwrap();
            assert_eq!((problems, found), (expect.iter().map(|id| (*id).to_owned()).collect(), Vec::new()));
        };
        let current = "- {id: hello, label: B, name: Hello, rgb: '#ff0000'}\n- {id: boolfind, label: A}\n- id: c\n";
        fine(&[("problems.yaml", current)], &["B hello", "A boolfind", "c"]);
        let older = "problems:\n- letter: 1\n  short-name: c\n";
        fine(&[("problemset.yaml", older)], &["1 c"]);
        let oldest = "name: Contest\nproblemset:\n- letter: X\n  short-name: c\n";
        fine(&[("contest.yaml", oldest)], &["X c"]);
        fine(&[("contest.yaml", "name: con\ntasks: [c, hello]\nusers: []\n")], &["c", "hello"]);
        fine(&[("contest.yaml", oldest), ("problems.yaml", "- {id: c, label: Y}")], &["Y c"]);
        assert_eq!(read(&[("contest.yaml", "name: Contest\ncontest_id: c\n")]), None);
        assert_eq!(read(&[]), None);
    }

    #[test]
    fn what_is_wrong_is_told_and_the_rest_is_read() {
        let text = "- {id: hello, label: A, rgb: red}\n- {label: B}\n- {id: hello}\n- {id: c, label: A, color: '#12'}\n- {id: none, label: \"\\e[1m\"}\n- {id: boolfind, color: light green}\n";
        let (problems, found) = read(&[("problems.yaml", text)]).unwrap();
        assert_eq!(problems, ["A hello", "A c", "none", "boolfind"]);
        let told = found.join("\n");
        for expect in [
            "without an `id`",
            "appears twice",
            "two problems have the letter `A`",
            "there is no directory `none`",
            "one or a few letters",
            "a colour such as \"#ff0000\", in quotes, found \"red\"",
            "found \"#12\"",
        ] {
            assert!(told.contains(expect), "{told}");
        }
        assert!(!told.contains("light green") && !told.contains("error:"), "{told}");
        let broken = &read(&[("problems.yaml", "- [")]).unwrap().1[0];
        assert!(broken.contains("syntax error") && broken.contains("error:"), "{broken}");
        assert!(!read(&[("problems.yaml", "3")]).unwrap().1.is_empty());
    }

    #[test]
    fn a_missing_problem_of_polygon_is_told() {
        let temp = tempfile::tempdir().unwrap();
        let dir = temp.path().join(POLYGON_PROBLEMS);
        std::fs::create_dir_all(dir.join("sum")).unwrap();
        let xml = r#"<contest><problems><problem index="A" url="https://polygon.codeforces.com/x/sum"/>
            <problem index="B" url="https://polygon.codeforces.com/x/max"/></problems></contest>"#;
        std::fs::write(temp.path().join(POLYGON_FILE), xml).unwrap();
        let found = Contest::read(&dir).unwrap().found;
        let [found] = &found[..] else { panic!("{found:?}") };
        assert!(found.to_string().contains("there is no directory problems/max for problem B"), "{found}");
    }
}
