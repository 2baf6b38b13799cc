//! Reads rows of the language table. Merges a TOML table into the known languages, key by key, and reports every
//! mistake.

use std::collections::BTreeMap;
use std::path::PathBuf;

use toml::{Table, Value};

use super::install::{self, Installation};
use super::{Coverage, CoverageTool, Language, Languages, MainClass, Project, TableMistake, pattern, template};
use crate::suggest;

/// The keys of a row.
pub(super) const KEYS: [&str; 35] = [
    "name",
    "aliases",
    "extensions",
    "shebang",
    "unlike",
    "main",
    "main_class",
    "special_names",
    "ordered",
    "code",
    "priority",
    "compile",
    "without_main",
    "precompiled",
    "class_archive",
    "sanitize",
    "coverage",
    "killed",
    "run",
    "version",
    "install",
    "flush",
    "tested",
    "env",
    "processes",
    "siblings",
    "memory_reserve",
    "memory_beside",
    "in_packages",
    "otherwise",
    "library",
    "include",
    "project",
    "tests",
    "dialects",
];

/// The keys of a row's tables `project` and `tests`.
const PROJECT_KEYS: [&str; 5] = ["marker", "compile", "run", "needs", "missing"];

/// Merges `overrides` into `languages`.
pub(super) fn overlay(mut languages: Languages, overrides: &Table) -> Result<Languages, Vec<TableMistake>> {
    let mut mistakes = Vec::new();
    for (key, value) in overrides {
        if let Value::Table(keys) = value {
            apply_row(&mut languages, key, keys, &mut mistakes);
        }
    }
    languages.rows.sort_by(|a, b| b.priority.cmp(&a.priority).then_with(|| a.id.cmp(&b.id)));
    // After all rows, so that a value can name a row of the same file.
    for (key, value) in overrides {
        let words = |name: &'static str| {
            let value = value.get(name);
            let one = value.and_then(Value::as_str).into_iter();
            let all = value.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
            one.chain(all).map(move |word| (name, word))
        };
        let is_unknown = |word: &str| languages.rows.iter().all(|row| !row.id.eq_ignore_ascii_case(word));
        for (name, word) in words("in_packages").chain(words("otherwise")).filter(|(_, word)| is_unknown(word)) {
            let hint = suggest::hint(word, languages.rows.iter().map(|row| row.id.as_str()));
            mistakes.push(ValuePlace { id: key }.mistake(&[name], &format!("`{name}`: no language `{word}`{hint}")));
        }
    }
    for (key, value) in overrides {
        let applied = match value {
            Value::Table(_) => Ok(()),
            Value::String(target) => apply_instead(&mut languages, key, target),
            _ => Err(ValuePlace { id: key }.mistake(&[], "must be a table, or the name of a language to use instead")),
        };
        mistakes.extend(applied.err());
    }
    languages.dialects = languages.rows.iter().flat_map(dialects_of).collect();
    if mistakes.is_empty() { Ok(languages) } else { Err(mistakes) }
}

/// The dialects of a language as rows of their own.
fn dialects_of(row: &Language) -> impl Iterator<Item = Language> {
    row.dialects.iter().map(|(id, words)| {
        let step = |step: &Vec<String>| step.iter().chain(words).cloned().collect();
        Language {
            id: id.clone(),
            name: format!("{} ({})", row.name, words.join(" ")),
            aliases: Vec::new(),
            compile: row.compile.iter().map(step).collect(),
            in_packages: None,
            otherwise: Vec::new(),
            dialects: BTreeMap::new(),
            dialect_of: Some(row.id.clone()),
            ..row.clone()
        }
    })
}

fn apply_row(languages: &mut Languages, id: &str, keys: &Table, mistakes: &mut Vec<TableMistake>) {
    let word = &id.to_ascii_lowercase();
    let place = ValuePlace { id };
    let index = languages.rows.iter().position(|row| row.words().any(|known| known == word));
    if let Some(index) = index {
        let id = languages.rows[index].id.clone();
        // A row that sets what judges use does not say to use something else. Neither does one with libraries alone.
        if keys.contains_key("in_packages") {
            languages.stated.remove(&id);
        } else if keys.is_empty() || keys.keys().any(|key| key != "include") {
            languages.stated.insert(id);
        }
        set_all(&mut languages.rows[index], keys, place, mistakes);
        mistakes.extend(no_library(&languages.rows[index], place));
        return;
    }
    if !keys.contains_key("extensions") || !keys.contains_key("run") {
        let hint = suggest::hint(word, languages.rows.iter().flat_map(Language::words));
        let message = format!("no such language, and a new one needs `extensions` and `run`{hint}");
        return mistakes.push(place.mistake(&[], &message));
    }
    let mut row = Language::new(word);
    set_all(&mut row, keys, place, mistakes);
    mistakes.extend(no_library(&row, place));
    languages.rows.push(row);
}

/// The mistake of a row with library folders whose tools have no option for them.
fn no_library(row: &Language, place: ValuePlace<'_>) -> Option<TableMistake> {
    let is_wrong = !row.include.is_empty() && row.library.is_empty();
    is_wrong.then(|| place.mistake(&["include"], "`include` needs `library`, such as \"-I\" or \"PYTHONPATH\""))
}

/// From now on, runs files of the language `key` with the language `target`.
fn apply_instead(languages: &mut Languages, key: &str, target: &str) -> Result<(), TableMistake> {
    let find = |word: &str| {
        let row = languages.rows.iter().find(|row| row.words().any(|known| known.eq_ignore_ascii_case(word)));
        row.map(|row| row.id.clone()).ok_or_else(|| {
            let hint = suggest::hint(word, languages.rows.iter().flat_map(Language::words));
            let message = format!("[language] {key} = \"{target}\": no language `{word}`{hint}");
            TableMistake { path: vec![key.to_owned()], message }
        })
    };
    let from = find(key)?;
    let to = find(target)?;
    languages.stated.insert(from.clone());
    if from == to {
        languages.instead.remove(&from);
    } else {
        languages.instead.insert(from, to);
    }
    Ok(())
}

impl Language {
    /// Creates a row without settings: no compile step, lowest priority.
    fn new(id: &str) -> Self {
        Self {
            id: id.to_owned(),
            name: id.to_owned(),
            aliases: Vec::new(),
            extensions: Vec::new(),
            shebang: Vec::new(),
            unlike: Vec::new(),
            main: Vec::new(),
            main_class: None,
            special_names: Vec::new(),
            ordered: false,
            code: None,
            priority: 0,
            compile: Vec::new(),
            without_main: Vec::new(),
            precompiled: None,
            class_archive: None,
            sanitize: Vec::new(),
            coverage: None,
            killed: None,
            run: Vec::new(),
            version: Vec::new(),
            install: Installation::default(),
            flush: String::new(),
            tested: false,
            env: BTreeMap::new(),
            processes: None,
            siblings: false,
            memory_reserve: 0,
            memory_beside: 0,
            in_packages: None,
            otherwise: Vec::new(),
            library: String::new(),
            include: Vec::new(),
            project: None,
            tests: None,
            dialects: BTreeMap::new(),
            dialect_of: None,
        }
    }
}

fn set_all(row: &mut Language, keys: &Table, place: ValuePlace, mistakes: &mut Vec<TableMistake>) {
    if keys.contains_key("compile") {
        // Other tools have other messages.
        row.killed = None;
    }
    mistakes.extend(keys.iter().filter_map(|(key, value)| set(row, key, value, place).err()));
}

fn set(row: &mut Language, key: &str, value: &Value, place: ValuePlace) -> Result<(), TableMistake> {
    match key {
        "name" => row.name = place.text(key, value)?,
        "aliases" => row.aliases = place.words(key, value)?.iter().map(|word| word.to_ascii_lowercase()).collect(),
        "extensions" => row.extensions = place.extensions(key, value)?,
        "shebang" => row.shebang = place.words(key, value)?,
        "unlike" => row.unlike = place.patterns(key, value)?,
        "main" => row.main = place.words(key, value)?,
        "main_class" => row.main_class = Some(place.main_class(key, value)?),
        "special_names" => row.special_names = place.patterns(key, value)?,
        "ordered" => row.ordered = place.bool(key, value)?,
        "code" => row.code = Some(place.text(key, value)?),
        "priority" => row.priority = value.as_integer().ok_or_else(|| place.wrong(key, "a whole number"))?,
        "compile" => row.compile = place.steps(key, value, &["file"])?,
        "without_main" => row.without_main = place.without_main(key, value)?,
        "precompiled" => row.precompiled = Some(place.text(key, value)?).filter(|header| !header.is_empty()),
        "class_archive" => row.class_archive = place.name_and_text(key, value)?,
        "sanitize" => row.sanitize = place.without_main(key, value)?,
        "coverage" => row.coverage = place.coverage(key, value)?,
        "killed" => row.killed = Some(place.patterns(key, value)?),
        "run" => row.run = place.command(key, value, &[])?,
        "version" => row.version = place.version(key, value)?,
        "install" => row.install = place.installation(key, value)?,
        "flush" => row.flush = place.text(key, value)?,
        "tested" => row.tested = place.bool(key, value)?,
        "siblings" => row.siblings = place.bool(key, value)?,
        "env" => place.env(key, value, &mut row.env)?,
        "processes" => row.processes = Some(place.count(key, value)?),
        "memory_reserve" => row.memory_reserve = place.count(key, value)?.into(),
        "memory_beside" => row.memory_beside = place.count(key, value)?.into(),
        "in_packages" => row.in_packages = Some(place.text(key, value)?.to_ascii_lowercase()),
        "otherwise" => row.otherwise = place.words(key, value)?.iter().map(|id| id.to_ascii_lowercase()).collect(),
        "library" => row.library = place.text(key, value)?,
        "include" => row.include = place.folders(key, value)?,
        "project" => row.project = Some(place.project(key, value, row.project.take())?),
        "tests" => row.tests = Some(place.project(key, value, row.tests.take())?),
        "dialects" => row.dialects = place.dialects(key, value)?,
        unknown => return Err(place.unknown(&[], unknown, &KEYS)),
    }
    Ok(())
}

/// The place of a value: the name of the language as written.
#[derive(Clone, Copy)]
struct ValuePlace<'a> {
    id: &'a str,
}

impl ValuePlace<'_> {
    /// Creates a mistake at the key `path`, or about the whole row.
    fn mistake(self, path: &[&str], what: &str) -> TableMistake {
        let path = [self.id].iter().chain(path).map(|key| (*key).to_owned()).collect();
        TableMistake { path, message: format!("[language.{}]: {what}", self.id) }
    }

    fn wrong(self, key: &str, wanted: &str) -> TableMistake {
        let path: Vec<&str> = key.split('.').collect();
        self.mistake(&path, &format!("`{key}` must be {wanted}"))
    }

    fn unknown(self, parents: &[&str], key: &str, known: &[&str]) -> TableMistake {
        let hint = match suggest::hint(key, known.iter().copied()) {
            none if none.is_empty() => format!("; known are {}", known.join(", ")),
            hint => hint,
        };
        self.mistake(&[parents, &[key]].concat(), &format!("unknown key `{key}`{hint}"))
    }

    fn template(self, key: &str, problem: &str) -> TableMistake {
        let path: Vec<&str> = key.split('.').collect();
        self.mistake(&path, &format!("`{key}`: {problem}"))
    }

    fn text(self, key: &str, value: &Value) -> Result<String, TableMistake> {
        value.as_str().map(str::to_owned).ok_or_else(|| self.wrong(key, "a text"))
    }

    /// Reads how to install a language: advice, or a table of packages.
    fn installation(self, key: &str, value: &Value) -> Result<Installation, TableMistake> {
        let Value::Table(packages) = value else {
            return self.text(key, value).map(Installation::from_advice);
        };
        let mut installation = Installation::default();
        for (name, value) in packages {
            let text = installation.text_mut(name).ok_or_else(|| self.unknown(&[key], name, &install::KEYS))?;
            *text = self.text(&format!("{key}.{name}"), value)?.into();
        }
        Ok(installation)
    }

    fn words(self, key: &str, value: &Value) -> Result<Vec<String>, TableMistake> {
        let words = value.as_array().and_then(|array| {
            array.iter().map(|word| word.as_str().map(str::to_owned)).collect::<Option<Vec<String>>>()
        });
        words.ok_or_else(|| self.wrong(key, "a list of words, such as [\"g++\", \"{files}\"]"))
    }

    /// Reads the words of each dialect.
    fn dialects(self, key: &str, value: &Value) -> Result<BTreeMap<String, Vec<String>>, TableMistake> {
        let wrong = || self.wrong(key, "a table with words for each dialect, such as { cpp17 = [\"-std=gnu++17\"] }");
        let dialects = value.as_table().ok_or_else(wrong)?;
        dialects.iter().map(|(id, words)| Ok((id.to_ascii_lowercase(), self.words(key, words)?))).collect()
    }

    /// Reads folders. A relative path in `grader.toml` was made absolute when the file was read.
    fn folders(self, key: &str, value: &Value) -> Result<Vec<PathBuf>, TableMistake> {
        let wrong = || self.wrong(key, "a list of folders, such as [\"lib\"]");
        let folders: Vec<PathBuf> =
            self.words(key, value).map_err(|_| wrong())?.into_iter().map(PathBuf::from).collect();
        if folders.iter().any(|folder| folder.as_os_str().is_empty()) { Err(wrong()) } else { Ok(folders) }
    }

    /// Reads the name and text of a file. An empty list means no file.
    fn name_and_text(self, key: &str, value: &Value) -> Result<Option<[String; 2]>, TableMistake> {
        let words = self.words(key, value)?;
        if words.is_empty() {
            return Ok(None);
        }
        let plain = |[name, text]: [String; 2]| (!name.contains('/') && !name.is_empty()).then_some([name, text]);
        let pair = <[String; 2]>::try_from(words).ok().and_then(plain);
        pair.map(Some).ok_or_else(|| self.wrong(key, "the name and the text of a file, or []"))
    }

    /// Reads a tool of coverage and its words. An empty list means no tool.
    fn coverage(self, key: &str, value: &Value) -> Result<Option<Coverage>, TableMistake> {
        let words = self.words(key, value)?;
        let Some((name, words)) = words.split_first() else { return Ok(None) };
        let tool = CoverageTool::ALL.iter().find(|(known, _)| known == name).map(|(_, tool)| *tool);
        let wanted = "[] or a list that begins with `gcov`, `llvm-cov` or `trace`";
        let tool = tool.ok_or_else(|| self.wrong(key, wanted))?;
        Ok(Some(Coverage { tool, words: words.to_vec() }))
    }

    /// Reads regular expressions.
    fn patterns(self, key: &str, value: &Value) -> Result<Vec<String>, TableMistake> {
        let patterns = self.words(key, value)?;
        match patterns.iter().find_map(|text| pattern(text).err()) {
            Some(error) => Err(self.template(key, &error.to_string())),
            None => Ok(patterns),
        }
    }

    /// Reads extensions, with or without a leading dot.
    fn extensions(self, key: &str, value: &Value) -> Result<Vec<String>, TableMistake> {
        let words = self.words(key, value)?;
        let bare: Vec<String> = words.iter().map(|word| word.strip_prefix('.').unwrap_or(word).to_owned()).collect();
        if bare.iter().any(|word| word.is_empty() || word.contains(['.', '/', '\0'])) {
            return Err(self.wrong(key, "a list of extensions, such as [\"cc\", \"cpp\"]"));
        }
        Ok(bare)
    }

    fn main_class(self, key: &str, value: &Value) -> Result<MainClass, TableMistake> {
        match value.as_str() {
            Some("java") => Ok(MainClass::Java),
            Some("kotlin") => Ok(MainClass::Kotlin),
            _ => Err(self.wrong(key, "\"java\" or \"kotlin\"")),
        }
    }

    fn bool(self, key: &str, value: &Value) -> Result<bool, TableMistake> {
        value.as_bool().ok_or_else(|| self.wrong(key, "true or false"))
    }

    /// Reads a command, which may also use these variables.
    fn command(self, key: &str, value: &Value, special: &[&str]) -> Result<Vec<String>, TableMistake> {
        let words = self.words(key, value)?;
        template::check(&words, special).map_err(|error| self.template(key, &error.to_string()))?;
        Ok(words)
    }

    /// Reads a command. An empty list means no command.
    fn without_main(self, key: &str, value: &Value) -> Result<Vec<String>, TableMistake> {
        if value.as_array().is_some_and(Vec::is_empty) { Ok(Vec::new()) } else { self.command(key, value, &[]) }
    }

    /// Reads a list of commands. A list of words is one command.
    fn steps(self, key: &str, value: &Value, special: &[&str]) -> Result<Vec<Vec<String>>, TableMistake> {
        match value.as_array() {
            Some(steps) if steps.iter().all(Value::is_array) => {
                steps.iter().map(|step| self.command(key, step, special)).collect()
            }
            _ => Ok(vec![self.command(key, value, special)?]),
        }
    }

    /// Reads a command without variables.
    fn version(self, key: &str, value: &Value) -> Result<Vec<String>, TableMistake> {
        let words = self.words(key, value)?;
        if words.iter().any(|word| word.contains(['{', '\0'])) {
            return Err(self.wrong(key, "a command without variables"));
        }
        Ok(words)
    }

    fn env(self, key: &str, value: &Value, env: &mut BTreeMap<String, String>) -> Result<(), TableMistake> {
        let table = value.as_table().ok_or_else(|| self.wrong(key, "a table of texts"))?;
        for (name, value) in table {
            let text = value.as_str().ok_or_else(|| self.wrong(key, "a table of texts"))?;
            if name.is_empty() || name.contains(['=', '\0']) {
                return Err(self.wrong(key, "a table whose keys are names of environment variables"));
            }
            let plain = ["files", "own", "added", "file", "mainclass", "Mainclass", "mainfile", "crate"];
            let pieces = template::pieces(text).map_err(|error| self.template(key, &error.to_string()))?;
            if pieces.iter().any(|piece| matches!(piece, template::Piece::Variable(name) if plain.contains(name))) {
                return Err(self.template(key, "only {path}, {binary} and {memlim} are known here"));
            }
            env.insert(name.clone(), text.to_owned());
        }
        Ok(())
    }

    fn count(self, key: &str, value: &Value) -> Result<u32, TableMistake> {
        let count = value.as_integer().and_then(|count| u32::try_from(count).ok());
        count.ok_or_else(|| self.wrong(key, "a whole number, not negative"))
    }

    /// Merges the table `project` or `tests` into the old one.
    fn project(self, name: &str, value: &Value, old: Option<Project>) -> Result<Project, TableMistake> {
        let table = value.as_table().ok_or_else(|| self.wrong(name, "a table"))?;
        let mut project = old.unwrap_or_default();
        for (key, value) in table {
            let place = format!("{name}.{key}");
            match key.as_str() {
                "marker" => project.marker = self.text(&place, value)?,
                "compile" => project.compile = self.steps(&place, value, &["crate"])?,
                "run" => project.run = self.command(&place, value, &["crate"])?,
                "needs" => project.needs = self.folders(&place, value)?,
                "missing" => project.missing = self.text(&place, value)?,
                unknown => return Err(self.unknown(&[name], unknown, &PROJECT_KEYS)),
            }
        }
        if project.marker.is_empty() || project.compile.is_empty() || project.run.is_empty() {
            return Err(self.wrong(name, "a table with `marker`, `compile` and `run`"));
        }
        Ok(project)
    }
}
