//! Turns the tree of the file into a list of cases: resolves names, numbers and inherited values, and reports mistakes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use regex::{Regex, RegexBuilder};

use super::command::CommandError;
use super::numbers::{Numbers, counts, endings, entry};
use super::program::is_inner;
use super::{Command, ENDINGS, Generators, GroupFile, Recipe, Shape, Solution, TEXTS};
use crate::document::read::{self, Read, Unfit};
use crate::document::{Document, ListItem, MOST_UNKNOWN, TableEntry, Value, unknown_entries};
use crate::reader::is_package_name;
use grader_model::diagnostic::{Diagnostic, Kind, TextPosition};
use grader_model::suggest;

/// Keys that only cases have. Anything with one of them is a case. The keys for texts come in addition.
const CASE_KEYS: [&str; 4] = ["copy", "generate", "count", "match"];
/// Keys of both cases and groups. They are inherited.
const SHARED_KEYS: [&str; 3] = ["solution", "random_salt", "retries"];
/// Keys of a group.
const GROUP_KEYS: [&str; 4] = ["data", "include", "test_group.yaml", "testdata.yaml"];
/// Keys that only the top of the file may have.
const ROOT_KEYS: [&str; 2] = ["generators", "version"];
/// Keys that older versions of BAPCtools had.
const OLD_KEYS: [&str; 3] = ["gitignore_generated", "parallel", "visualizer"];
/// Keys that groups had in older versions. Whether something is a case now follows from its other keys.
const OLD_GROUP_KEYS: [&str; 1] = ["type"];
/// The groups at the top, in the order of generation. The numbers of cases depend on it.
const ROOTS: [&str; 7] =
    ["sample", "secret", "invalid_output", "invalid_answer", "invalid_input", "valid_output", "fuzz"];
/// The deepest nesting of groups.
const DEEPEST: usize = 8;
/// The most cases that a file may list.
const MOST_CASES: usize = 100_000;

/// The inherited values.
#[derive(Clone)]
struct InheritedSettings {
    solution: Solution,
    salt: String,
    retries: u32,
}

/// The cases that a key stands for, for `include`.
#[derive(Clone)]
enum KeyCases {
    Case(usize),
    Group { cases: Vec<usize> },
}

struct Walk<'f> {
    file: &'f Path,
    found: Vec<Diagnostic>,
    shape: Shape,
    groups: Vec<GroupFile>,
    recipes: Vec<Recipe>,
    cases: Numbers,
    known: BTreeMap<String, Vec<KeyCases>>,
    names: BTreeSet<String>,
}

/// A table of the file, or a value in place of one, with the place of its key.
#[derive(Clone, Copy)]
struct Node<'d> {
    value: &'d Value,
    place: Option<TextPosition>,
}

impl<'d> Node<'d> {
    fn of(entry: &'d TableEntry) -> Self {
        Self { value: &entry.value, place: entry.place }
    }

    fn entries(self) -> &'d [TableEntry] {
        if let Value::Table(entries) = self.value { entries } else { &[] }
    }

    /// The value of a key, with the place of the key.
    fn get(self, key: &str) -> Option<Self> {
        self.entries().iter().find(|entry| entry.key == key).map(Self::of)
    }

    /// The same, without values that say nothing.
    fn stated(self, key: &str) -> Option<Self> {
        self.get(key).filter(|node| *node.value != Value::Null)
    }
}

/// Reads every recipe and reports every mistake.
pub(super) fn read(dir: &Path, shape: Shape, document: &Document) -> (Generators, Vec<Diagnostic>) {
    let groups = Vec::new();
    let recipes = Vec::new();
    let cases = Numbers::new(0);
    let found = document.found().to_vec();
    let mut walk = Walk {
        file: document.file(),
        found,
        shape,
        groups,
        recipes,
        cases,
        known: BTreeMap::new(),
        names: BTreeSet::new(),
    };
    let named = walk.root(Node { value: document.root(), place: None });
    let Walk { mut found, groups, recipes, .. } = walk;
    let file = document.file().to_owned();
    let generators = Generators { dir: dir.to_owned(), file, named, beside: Vec::new(), groups, recipes };
    found.extend(without_program(&generators));
    found.sort_by_key(Diagnostic::order);
    (generators, found)
}

/// Reports commands and solutions whose program does not exist, each once.
fn without_program(generators: &Generators) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    for recipe in &generators.recipes {
        let mut tell = |name: String, error: Option<String>| {
            let Some(error) = error.filter(|_| seen.insert(name)) else { return };
            found.push(Diagnostic::error(generators.file(), error).at(recipe.place));
        };
        if let Some(command) = &recipe.command {
            let error = generators.program(&command.program).err();
            tell(format!("generator {}", command.program), error.map(|error| grader_model::error_chain(&error)));
        }
        if let Solution::Program(path) = &recipe.solution {
            let error = generators.solution(path).err();
            let error = error.map(|error| format!("`solution`: {}", grader_model::error_chain(&error)));
            tell(format!("solution {}", path.display()), error);
        }
    }
    found
}

fn is_case_key(key: &str) -> bool {
    CASE_KEYS.contains(&key) || TEXTS.contains(&key)
}

fn is_case(value: &Value) -> bool {
    match value {
        Value::Null | Value::Text(_) => true,
        Value::Table(entries) => entries.iter().any(|entry| is_case_key(&entry.key)),
        _ => false,
    }
}

fn is_group(value: &Value) -> bool {
    matches!(value, Value::Table(_)) && !is_case(value)
}

/// The number of cases in lists. All lists of the file share one numbering.
fn numbered(value: &Value, depth: usize) -> usize {
    let data = entry(value, "data");
    let (items, in_list): (Vec<&Value>, bool) = match data {
        Some(Value::List(items)) => (items.iter().map(|item| &item.value).collect(), true),
        Some(table @ Value::Table(_)) => (vec![table], false),
        _ => return 0,
    };
    let children = items.into_iter().filter_map(|item| match item {
        Value::Table(entries) => Some(entries),
        _ => None,
    });
    let count = |entry: &TableEntry| {
        if is_case(&entry.value) {
            if in_list { counts(&entry.value).map_or(1, |counts| counts.len()) } else { 0 }
        } else if depth < DEEPEST {
            numbered(&entry.value, depth + 1)
        } else {
            0
        }
    };
    children.flatten().map(count).sum()
}

impl Walk<'_> {
    fn error(&mut self, place: Option<TextPosition>, message: impl Into<String>) {
        self.error_with(place, message, None);
    }

    fn error_with(&mut self, place: Option<TextPosition>, message: impl Into<String>, remedy: Option<String>) {
        let found = Diagnostic::error(self.file, message).at(place);
        self.found.push(found.remedy(remedy.unwrap_or_default()));
    }

    fn warn(&mut self, place: Option<TextPosition>, message: impl Into<String>) {
        self.found.push(Diagnostic::warning(self.file, message).at(place));
    }

    fn get<T>(&mut self, node: Node<'_>, key: &str, read: impl FnOnce(&Value) -> Read<T>) -> Option<T> {
        let stated = node.stated(key)?;
        read(stated.value).map_err(|unfit| self.error(stated.place, format!("`{key}`: {unfit}"))).ok()
    }

    fn check_keys(&mut self, node: Node<'_>, known: &[&str]) {
        for (TableEntry { key, place, .. }, remedy) in unknown_entries(node.entries(), known).take(MOST_UNKNOWN) {
            let unknown = Diagnostic::error(self.file, format!("unknown key `{key}`")).kind(Kind::UnknownKey);
            self.found.push(unknown.at(*place).remedy(remedy.unwrap_or_default()));
        }
    }

    fn pass_over(&mut self, node: Node<'_>, keys: &[&str]) {
        for key in keys {
            if let Some(stated) = node.stated(key) {
                self.warn(stated.place, format!("`{key}` has no effect any more; ignored"));
            }
        }
    }

    fn root(&mut self, root: Node<'_>) -> Vec<(String, Vec<PathBuf>)> {
        self.pass_over(root, &OLD_KEYS);
        let known = [&ROOT_KEYS[..], &OLD_KEYS, &SHARED_KEYS, &GROUP_KEYS].concat();
        self.check_keys(root, &known);
        let named = self.generators(root);
        self.cases = Numbers::new(numbered(root.value, 0));
        let inherited = InheritedSettings { solution: Solution::Reference, salt: String::new(), retries: 1 };
        let inherited = self.inherit(root, inherited);
        let data = root.get("data");
        let place = data.and_then(|data| data.place);
        if self.shape == Shape::Groups && data.is_some_and(|data| matches!(data.value, Value::List(_))) {
            self.error(place, "write a table: the top groups have names, sample and secret");
            return named;
        }
        self.group(root, "", &inherited, 0);
        if self.recipes.is_empty() && self.found.iter().all(|found| !found.is_error()) {
            self.error(place, "lists no case; list them below `data`");
        }
        named
    }

    fn generators(&mut self, root: Node<'_>) -> Vec<(String, Vec<PathBuf>)> {
        let Some(generators) = root.stated("generators") else { return Vec::new() };
        if !matches!(generators.value, Value::Table(_)) {
            let found = generators.value.kind();
            self.error(generators.place, format!("`generators` must be a table of names and their files, not {found}"));
        }
        let mut named = Vec::new();
        for TableEntry { key, value, place } in generators.entries() {
            if !is_package_name(key) {
                self.error(*place, format!("`{key}` is not a valid name of a generator"));
                continue;
            }
            if *value == Value::Null {
                continue;
            }
            let files = match read::paths(value) {
                Ok(files) => files,
                Err(unfit) => {
                    self.error(*place, format!("`generators.{key}`: {unfit}"));
                    continue;
                }
            };
            if let Some(bad) = files.iter().find(|file| !is_inner(file)) {
                self.error(*place, format!("`{}` is not a path below generators/", bad.display()));
                continue;
            }
            named.push((key.clone(), files));
        }
        named
    }

    /// The values of a group or case, completed by the inherited ones.
    fn inherit(&mut self, node: Node<'_>, above: InheritedSettings) -> InheritedSettings {
        let mut own = above;
        if let Some(Node { value, place }) = node.get("solution") {
            own.solution = match value {
                Value::Null => Solution::Nothing,
                Value::Text(text) => self.solution(place, text).unwrap_or(own.solution),
                other => {
                    let message =
                        format!("`solution` must be a path from the problem's directory, not {}", other.kind());
                    self.error(place, message);
                    own.solution
                }
            };
        }
        own.salt = self.get(node, "random_salt", read::text).unwrap_or(own.salt);
        own.retries = self.get(node, "retries", read::count).unwrap_or(own.retries);
        own
    }

    fn solution(&mut self, place: Option<TextPosition>, text: &str) -> Option<Solution> {
        let below = text.trim().strip_prefix('/').map(PathBuf::from).filter(|path| is_inner(path));
        if below.is_none() {
            let message = format!("`solution`: `{text}` is not a path below /, which is the problem's directory");
            let remedy =
                Some("write a path such as `/submissions/accepted/reference.py`, without arguments".to_owned());
            self.error_with(place, message, remedy);
        }
        below.map(Solution::Program)
    }

    /// Reads a group and returns the positions of its cases.
    fn group(&mut self, node: Node<'_>, name: &str, inherited: &InheritedSettings, depth: usize) -> Vec<usize> {
        self.group_files(node, name);
        let mut cases = self.included(node, name);
        let Some(data) = node.stated("data") else { return cases };
        match data.value {
            Value::Table(entries) => {
                let has_roots = depth == 0 && self.shape == Shape::Groups;
                for entry in in_order(entries, has_roots) {
                    cases.extend(self.child(name, entry, &mut None, inherited, depth));
                }
                if has_roots {
                    self.check_roots(entries);
                }
            }
            Value::List(items) => cases.extend(self.list(data.place, name, items, inherited, depth)),
            other => self.error(data.place, format!("`data` must be a table or a list of cases, not {}", other.kind())),
        }
        cases
    }

    fn check_roots(&mut self, groups: &[TableEntry]) {
        for TableEntry { key, place, .. } in groups.iter().filter(|entry| !ROOTS.contains(&entry.key.as_str())) {
            if key == "testing_tool_test" {
                self.warn(*place, "`testing_tool_test` is not supported; grader generates nothing for it");
                continue;
            }
            let remedy = suggest::did_you_mean(key, ROOTS).unwrap_or_else(|| format!("known are {}", ROOTS.join(", ")));
            self.error_with(*place, format!("unknown group `{key}` at the top"), Some(remedy));
        }
    }

    fn list(
        &mut self,
        data: Option<TextPosition>,
        name: &str,
        items: &[ListItem],
        inherited: &InheritedSettings,
        depth: usize,
    ) -> Vec<usize> {
        let groups = items.iter().flat_map(|item| {
            let Value::Table(entries) = &item.value else { return &[][..] };
            entries
        });
        let groups = groups.filter(|entry| is_group(&entry.value)).count();
        let mut numbers = Some(Numbers::new(groups));
        let mut cases = Vec::new();
        for (at, item) in items.iter().enumerate() {
            match &item.value {
                Value::Table(entries) if entries.len() == 1 => {
                    cases.extend(self.child(name, &entries[0], &mut numbers, inherited, depth));
                }
                Value::Table(entries) if entries.iter().any(|entry| is_case_key(&entry.key)) => {
                    self.error(data, format!("item {}: indent its keys below the name of the case", at + 1));
                }
                _ => self.error(data, format!("item {}: expected one name and its command or keys", at + 1)),
            }
        }
        cases
    }

    /// Reads a case or group inside a group. `numbers` number the groups of a list.
    fn child(
        &mut self,
        group: &str,
        entry: &TableEntry,
        numbers: &mut Option<Numbers>,
        inherited: &InheritedSettings,
        depth: usize,
    ) -> Vec<usize> {
        let TableEntry { key, value, place } = entry;
        let place = *place;
        let node = Node::of(entry);
        if numbers.is_none() && key.is_empty() {
            self.error(place, "a name cannot be empty, except in a list");
            return Vec::new();
        }
        if self.shape == Shape::Flat && is_group(value) {
            let remedy = Some("write its cases straight below `data` of the file".to_owned());
            self.error_with(place, format!("`{key}` is a group, but a plain folder has no groups"), remedy);
            return Vec::new();
        }
        if depth == 0 && self.shape == Shape::Groups && !is_group(value) {
            self.error(place, format!("`{key}` at the top is a group: write its cases below `data`"));
            return Vec::new();
        }
        if is_case(value) {
            let cases = self.case(group, key, node, numbers.is_some(), inherited);
            self.remember(key, cases.iter().map(|case| KeyCases::Case(*case)));
            return cases;
        }
        let Value::Table(_) = value else {
            let message = format!("expected a command, or keys of a case or group, found {}", value.kind());
            self.error(place, message);
            return Vec::new();
        };
        if depth >= DEEPEST {
            self.error(place, format!("groups are nested more than {DEEPEST} deep"));
            return Vec::new();
        }
        let name = numbers.as_mut().map_or_else(|| key.clone(), |numbers| numbers.name(key));
        if !is_package_name(&name) {
            self.error(place, format!("`{name}` is not a valid directory name: use only letters, digits, _ . and -"));
            return Vec::new();
        }
        self.pass_over(node, &OLD_GROUP_KEYS);
        self.check_keys(node, &[&SHARED_KEYS[..], &GROUP_KEYS, &OLD_GROUP_KEYS].concat());
        let inherited = self.inherit(node, inherited.clone());
        let name = if group.is_empty() { name } else { format!("{group}/{name}") };
        let cases = self.group(node, &name, &inherited, depth + 1);
        self.remember(key, [KeyCases::Group { cases: cases.clone() }]);
        cases
    }

    fn remember(&mut self, key: &str, what: impl IntoIterator<Item = KeyCases>) {
        self.known.entry(key.to_owned()).or_default().extend(what);
    }

    fn group_files(&mut self, node: Node<'_>, name: &str) {
        for key in ["test_group.yaml", "testdata.yaml"] {
            if let Some(Node { value, .. }) = node.get(key) {
                self.groups.push(GroupFile { path: Path::new(name).join(key), value: value.clone() });
            }
        }
    }

    /// Includes cases of earlier groups under names of this group.
    fn included(&mut self, node: Node<'_>, name: &str) -> Vec<usize> {
        let includes = self.get(node, "include", read::texts).unwrap_or_default();
        let at = node.get("include").and_then(|include| include.place);
        let mut cases = Vec::new();
        for include in includes {
            let cases_of = match self.known.get(&include).map(Vec::as_slice) {
                None | Some([]) => {
                    let hint = suggest::hint(&include, self.known.keys().map(String::as_str));
                    self.error(at, format!("`include`: no case or group before this one is called `{include}`{hint}"));
                    continue;
                }
                Some([KeyCases::Case(case)]) => vec![*case],
                Some([KeyCases::Group { cases }]) => cases.clone(),
                Some(_) => {
                    self.error(at, format!("`include`: several cases or groups are called `{include}`"));
                    continue;
                }
            };
            for case in cases_of {
                let recipe = self.recipes[case].in_group(name);
                cases.extend(self.add(at, recipe));
            }
        }
        cases
    }

    fn add(&mut self, place: Option<TextPosition>, recipe: Recipe) -> Option<usize> {
        if self.recipes.len() == MOST_CASES {
            return None;
        }
        if !self.names.insert(recipe.name.clone()) {
            self.error(place, format!("there are two cases {}", recipe.name));
            return None;
        }
        self.recipes.push(recipe);
        if self.recipes.len() == MOST_CASES {
            self.error(place, format!("more than {MOST_CASES} cases"));
        }
        Some(self.recipes.len() - 1)
    }

    /// Reads one case, or several with `count`.
    fn case(
        &mut self,
        group: &str,
        key: &str,
        node: Node<'_>,
        in_list: bool,
        inherited: &InheritedSettings,
    ) -> Vec<usize> {
        let counts = match counts(node.value) {
            Ok(counts) => counts,
            Err(error) => {
                self.error(node.get("count").and_then(|count| count.place), error.to_string());
                vec![1]
            }
        };
        let counted = node.stated("count").is_some();
        let endings = if counted { endings(&counts) } else { vec![String::new()] };
        let Some(recipe) = self.recipe(node, inherited) else {
            // An invalid case must not change the numbers of the following cases.
            self.cases.next += if in_list { counts.len() } else { 0 };
            return Vec::new();
        };
        let mut cases = Vec::new();
        for (count, ending) in counts.iter().zip(endings) {
            let base = if in_list { self.cases.name(key) } else { key.to_owned() };
            let base = format!("{base}{ending}");
            if !is_name_of_case(&base) {
                self.error(
                    node.place,
                    format!(
                        "`{base}` is not a valid name of a case: use only letters, digits, _ . and -, without an ending"
                    ),
                );
                continue;
            }
            let command = match recipe.command.as_ref().map(|text| command_of(text, *count, counted, &recipe.salt)) {
                Some(Err(error)) => {
                    self.error(node.place, error.to_string());
                    continue;
                }
                other => other.and_then(Result::ok),
            };
            let name = if group.is_empty() { base } else { format!("{group}/{base}") };
            let recipe = Recipe {
                mentioned: recipe.is_mentioned.then(|| name.clone()),
                name,
                command,
                copy: recipe.copy.clone(),
                included: false,
                texts: recipe.texts.clone(),
                matches: recipe.matches.clone(),
                solution: recipe.solution.clone(),
                retries: recipe.retries,
                place: node.place,
            };
            cases.extend(self.add(node.place, recipe));
        }
        cases
    }

    /// Reads the keys of a case, before `count` is applied.
    fn recipe(&mut self, node: Node<'_>, inherited: &InheritedSettings) -> Option<Raw> {
        let mut raw = Raw {
            command: None,
            copy: None,
            is_mentioned: false,
            texts: Vec::new(),
            matches: Vec::new(),
            solution: inherited.solution.clone(),
            salt: inherited.salt.clone(),
            retries: inherited.retries,
        };
        match node.value {
            Value::Text(text) => {
                // The older form of `copy`.
                match text.trim().strip_suffix(".in").filter(|stem| !stem.contains(char::is_whitespace)) {
                    Some(stem) => raw.copy = self.copied(node.place, stem),
                    None => raw.command = Some(text.clone()),
                }
                return Some(raw);
            }
            Value::Null => {
                // Older files listed existing cases in this way. BAPCtools now skips them with an error.
                self.warn(node.place, "nothing says how to make this case; grader uses the files in the data");
                raw.is_mentioned = true;
                return Some(raw);
            }
            _ => {}
        }
        self.check_keys(node, &[&CASE_KEYS[..], TEXTS, &SHARED_KEYS].concat());
        let own = self.inherit(node, inherited.clone());
        (raw.solution, raw.salt, raw.retries) = (own.solution, own.salt, own.retries);
        raw.command = self.get(node, "generate", read::text);
        raw.copy = self.get(node, "copy", read::text).and_then(|text| self.copied(node.place, &text));
        for ending in TEXTS {
            if let Some(text) = self.get(node, ending, |value| text_of(ending, value)) {
                raw.texts.push(((*ending).to_owned(), text));
            }
        }
        raw.matches = self.matches(node);
        let wants_input = ["generate", "copy", "in", "in.statement"];
        if !wants_input.iter().any(|key| node.stated(key).is_some()) {
            self.error(node.place, "nothing generates its input: write `generate`, `copy` or `in`");
            return None;
        }
        Some(raw)
    }

    fn copied(&mut self, place: Option<TextPosition>, text: &str) -> Option<PathBuf> {
        let stem = PathBuf::from(text.trim());
        if is_inner(&stem) {
            return Some(stem);
        }
        self.error(place, format!("`copy`: `{text}` is not a path below generators/"));
        None
    }

    /// Reads `match`: a pattern, a list of patterns, or a table by extension.
    fn matches(&mut self, node: Node<'_>) -> Vec<(String, Regex)> {
        let Some(stated) = node.stated("match") else { return Vec::new() };
        let is_table = matches!(stated.value, Value::Table(_));
        if is_table {
            self.check_keys(stated, &["in", "ans"]);
        }
        let mut all = Vec::new();
        for ending in ["in", "ans"] {
            let patterns = match (is_table, ending) {
                (true, _) => self.get(stated, ending, read::texts),
                (false, "in") => self.get(node, "match", read::texts),
                (false, _) => None,
            };
            for pattern in patterns.unwrap_or_default() {
                match RegexBuilder::new(&pattern).multi_line(true).dot_matches_new_line(true).build() {
                    Ok(regex) => all.push((ending.to_owned(), regex)),
                    Err(error) => {
                        let last = error.to_string();
                        let last = last.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
                        self.error(stated.place, format!("`match`: `{pattern}` is not a valid pattern: {last}"));
                    }
                }
            }
        }
        all
    }
}

/// The values of a case before `count` is applied.
struct Raw {
    command: Option<String>,
    copy: Option<PathBuf>,
    is_mentioned: bool,
    texts: Vec<(String, String)>,
    matches: Vec<(String, Regex)>,
    solution: Solution,
    salt: String,
    retries: u32,
}

/// Sorts the groups at the top in the order of generation, and all other entries by name.
fn in_order(entries: &[TableEntry], top: bool) -> Vec<&TableEntry> {
    let mut entries: Vec<&TableEntry> = entries.iter().collect();
    if top {
        let rank = |entry: &TableEntry| ROOTS.iter().position(|root| *root == entry.key);
        entries.retain(|entry| rank(entry).is_some());
        entries.sort_by_key(|entry| rank(entry));
    } else {
        entries.sort_by(|a, b| a.key.cmp(&b.key));
    }
    entries
}

/// The command for one number of a `count`. The number is part of the seed, except for the first.
fn command_of(text: &str, count: i64, counted: bool, salt: &str) -> Result<Command, CommandError> {
    let text = if counted { text.replace("{count}", &count.to_string()) } else { text.to_owned() };
    let salt = if count == 1 { salt.to_owned() } else { format!("{salt}:{}", count - 1) };
    Command::parse(&text, &salt)
}

/// The content of a file to write, ending with a newline.
fn text_of(ending: &str, value: &Value) -> Read<String> {
    if ending == "yaml" && matches!(value, Value::Table(_)) {
        return yaml_serde::to_string(value).map_err(|error| Unfit::rule(error.to_string()));
    }
    match value {
        Value::Text(text) if text.is_empty() || text.ends_with('\n') => Ok(text.clone()),
        Value::Text(text) => Ok(format!("{text}\n")),
        Value::Integer(_) | Value::Float(_) | Value::Bool(_) => {
            Err(Unfit::expected("a string", format!("{}; write it in quotes", value.kind())))
        }
        Value::Table(_) => Err(Unfit::rule("links are not supported; write the text")),
        other => Err(Unfit::kind("a string", other)),
    }
}

fn is_name_of_case(name: &str) -> bool {
    let ends = ENDINGS.iter().any(|ending| name.strip_suffix(ending).is_some_and(|stem| stem.ends_with('.')));
    is_package_name(name) && name != "test_group" && name != "testdata" && !ends
}
