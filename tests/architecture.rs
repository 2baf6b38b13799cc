//! The direction of dependencies, read from the sources: which module may use which, and what only some may do.
//!
//! The map is in `docs/architecture.md`. A new edge is a decision: it belongs into the table in the same commit.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The rooms that each room of the program may use, from the top down. Cargo says what the crates may use, and every room may
/// use them.
const ALLOWED: &[(&str, &str)] = &[
    (
        "cli",
        "authoring discover doctor export import intake interrupt mutation remote session shard statement stream strength verify view visualize watch workspace",
    ),
    ("watch", "interrupt"),
    ("remote", "doctor session stream workspace"),
    ("shard", "session"),
    ("stream", "intake interrupt session workspace"),
    ("mutation", "authoring import intake session shard shrink strength verify workspace"),
    ("strength", "shard"),
    ("authoring", "discover interrupt session shrink verify workspace"),
    ("verify", "session statement strength workspace"),
    ("intake", "session workspace"),
    ("import", "export"),
    ("export", ""),
    ("statement", "export strength"),
    ("doctor", "interrupt session workspace"),
    ("session", "discover interrupt workspace"),
    ("workspace", ""),
    ("view", ""),
    ("visualize", "authoring session verify workspace"),
    ("discover", ""),
    ("shrink", ""),
    ("interrupt", ""),
];

/// Modules of the bird's-eye kind: what they are for is to reach everywhere.
const EVERYWHERE: [&str; 3] = ["lib", "main", "fuzz"];

/// Modules, and files of modules, that touch neither files nor processes.
const PURE: [&str; 21] = [
    "engine/language",
    "engine/plan",
    "model",
    "mutants",
    "package/glob",
    "package/pairing",
    "package/program_files",
    "package/puzzle",
    "record",
    "report/explain",
    "report/record",
    "report/score",
    "report/similarity",
    "shrink",
    "strength/bounds",
    "verify/byte_check",
    "verify/code",
    "verify/corrupt",
    "verify/guesses",
    "verify/junk",
    "verify/partner",
];

/// A source file without its tests.
struct Source {
    path: PathBuf,
    is_of_crate: bool,
    module: String,
    /// Its path below `src`, without the ending. Of a crate below the program: after the name of that crate, `sandbox/keeper`.
    name: String,
    text: String,
}

impl Source {
    fn name(&self) -> String {
        self.name.clone()
    }
}

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources = below(&root.join("src"), None);
    for entry in std::fs::read_dir(root.join("crates")).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        sources.extend(below(&entry.path().join("src"), Some(name.strip_prefix("grader-").unwrap())));
    }
    assert!(sources.len() > 50, "the sources were not found below {}", root.display());
    sources
}

/// The sources of the program, or of a crate below it, which the program calls by its short name.
fn below(root: &Path, of_crate: Option<&str>) -> Vec<Source> {
    let mut sources = Vec::new();
    for entry in walkdir::WalkDir::new(root).sort_by_file_name() {
        let path = entry.unwrap().into_path();
        if path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        // The templates of new problems are programs of problems, not modules of ours.
        if path.starts_with(root.join("authoring/new_problem/templates")) {
            continue;
        }
        let inside = path.strip_prefix(root).unwrap();
        let is_test =
            inside.components().any(|part| ["tests", "tests.rs"].iter().any(|name| part.as_os_str() == *name));
        let own = inside.with_extension("").to_str().unwrap().to_owned();
        let name = match of_crate {
            Some(of_crate) if own == "lib" => of_crate.to_owned(),
            Some(of_crate) => format!("{of_crate}/{own}"),
            None => own,
        };
        let module = name.split('/').next().unwrap().to_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        let text = if is_test { String::new() } else { without_tests(&text) };
        let text = of_crate.map_or_else(|| text.clone(), |name| text.replace("crate::", &format!("crate::{name}::")));
        sources.push(Source { path, is_of_crate: of_crate.is_some(), module, name, text });
    }
    sources
}

/// The text before the tests, which by custom come last, and without comments.
fn without_tests(text: &str) -> String {
    let end = text.find("#[cfg(test)]\nmod ").unwrap_or(text.len());
    let code = text[..end].lines().filter(|line| !line.trim_start().starts_with("//"));
    code.collect::<Vec<_>>().join("\n")
}

/// The modules named after `crate::`, also in `crate::{a, b::c}`.
fn used(text: &str) -> BTreeSet<String> {
    let mut used = BTreeSet::new();
    let word = |text: &str| -> String { text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect() };
    for (at, _) in text.match_indices("crate::") {
        let rest = &text[at + "crate::".len()..];
        let Some(list) = rest.strip_prefix('{') else {
            used.insert(word(rest));
            continue;
        };
        let mut depth = 0;
        let mut fresh = true;
        for (at, c) in list.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => fresh = true,
                _ if fresh && c.is_alphabetic() => {
                    used.insert(word(&list[at..]));
                    fresh = false;
                }
                _ => {}
            }
        }
    }
    used
}

/// Each row of the table: a room and those that it may use.
fn allowed() -> BTreeMap<&'static str, BTreeSet<&'static str>> {
    ALLOWED.iter().map(|(room, uses)| (*room, uses.split(' ').filter(|used| !used.is_empty()).collect())).collect()
}

#[test]
fn modules_use_only_what_is_below_them() {
    let rooms = allowed();
    let mut wrong = BTreeSet::new();
    let edges = rooms.iter().flat_map(|(room, uses)| uses.iter().map(|used| (*room, *used)));
    let mut unused: BTreeSet<(&str, &str)> = edges.collect();
    let sources = sources();
    let is_of_program = |source: &&Source| !source.is_of_crate && !EVERYWHERE.contains(&&*source.module);
    for source in sources.iter().filter(is_of_program) {
        let module = source.module.as_str();
        let Some(allowed) = rooms.get(module) else {
            wrong.insert(format!("`{module}` is not in the table: say what it may use"));
            continue;
        };
        // `crate::judge` and the like are of crates below the program.
        for target in used(&source.text).iter().filter(|target| rooms.contains_key(target.as_str())) {
            unused.retain(|edge| *edge != (module, target.as_str()));
            if target != module && !allowed.contains(target.as_str()) {
                wrong.insert(format!("{module} → {target} in {}", source.path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "edges against the direction:\n{}", Vec::from_iter(wrong).join("\n"));
    assert!(unused.is_empty(), "these edges are gone, strike them off the table: {unused:?}");
}

#[test]
fn the_table_has_no_circles() {
    // Every module is above all that it uses: what uses nothing that is left can be taken away, until nothing is left.
    let mut left = allowed();
    while !left.is_empty() {
        let names: BTreeSet<&str> = left.keys().copied().collect();
        left.retain(|_, uses| !uses.is_disjoint(&names));
        assert!(left.len() < names.len(), "a circle among {names:?}");
    }
}

/// The paths that a source uses, absolute below the crate: `sandbox::pipe::Stream`.
fn paths(source: &Source, modules: &BTreeSet<String>) -> BTreeSet<String> {
    let own: Vec<String> = source.name().split('/').map(str::to_owned).collect();
    let mut found = BTreeSet::new();
    let mut add = |path: &str| {
        let mut parts: Vec<&str> = path.split("::").collect();
        let mut base: Vec<String> = match parts[0] {
            "crate" => Vec::new(),
            "self" | "super" => own.clone(),
            child if modules.contains(&format!("{}/{child}", source.name())) => {
                parts.insert(0, "self");
                own.clone()
            }
            _ => return,
        };
        for part in parts {
            match part {
                "crate" | "self" => {}
                "super" => drop(base.pop()),
                other => base.push(other.to_owned()),
            }
        }
        // What follows the longest path of a module is a name in it.
        while !base.is_empty() && !modules.contains(&base.join("/")) {
            base.pop();
        }
        if !base.is_empty() && base != own {
            found.insert(base.join("/"));
        }
    };
    for (at, _) in source.text.match_indices("use ") {
        if at == 0 || source.text[..at].ends_with(['\n', ' ', ')']) {
            let text = &source.text[at + 4..];
            leaves("", &text[..text.find(';').unwrap_or(0)], &mut add);
        }
    }
    let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    for word in source.text.split(|c: char| !is_path(c)) {
        if ["crate::", "super::", "self::"].iter().any(|begin| word.starts_with(begin)) {
            add(word.trim_end_matches(':'));
        }
    }
    found
}

/// Every path of `a::{b, c::{self, d}}`.
fn leaves(before: &str, tree: &str, add: &mut dyn FnMut(&str)) {
    let tree = tree.trim();
    let Some((head, list)) = tree.split_once('{') else {
        let path = tree.split(" as ").next().unwrap_or_default().trim();
        return add(&format!("{before}{path}"));
    };
    let (mut depth, mut begin) = (0, 0);
    let list = list.trim_end().trim_end_matches('}');
    for (at, c) in list.char_indices().chain([(list.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                let part = &list[begin..at];
                begin = at + 1;
                if !part.trim().is_empty() {
                    leaves(&format!("{before}{head}"), part, add);
                }
            }
            _ => {}
        }
    }
}

#[test]
fn no_siblings_use_each_other_in_a_circle() {
    let sources = sources();
    let modules: BTreeSet<String> = sources.iter().map(Source::name).collect();
    // For every folder, which of its children use which others; a child may use its parent, and a parent its children.
    let mut folders: BTreeMap<String, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    for source in &sources {
        if EVERYWHERE.contains(&source.module.as_str()) {
            continue;
        }
        let name = source.name();
        let own: Vec<&str> = name.split('/').collect();
        for target in paths(source, &modules) {
            let other: Vec<&str> = target.split('/').collect();
            let common = own.iter().zip(&other).take_while(|(a, b)| a == b).count();
            if common < own.len() && common < other.len() {
                let children = folders.entry(own[..common].join("/")).or_default();
                children.entry(other[common].to_owned()).or_default();
                children.entry(own[common].to_owned()).or_default().insert(other[common].to_owned());
            }
        }
    }
    assert!(folders.len() > 10 && folders[""].len() > 20, "hardly any imports were found: {folders:?}");
    let mut circles = Vec::new();
    for (folder, mut left) in folders {
        loop {
            let before = left.len();
            let there: BTreeSet<String> = left.keys().cloned().collect();
            left.retain(|_, uses| uses.iter().any(|used| there.contains(used)));
            if left.len() == before {
                break;
            }
        }
        if !left.is_empty() {
            // What a circle uses besides has been taken away; what only uses it has not.
            circles.push(format!("src/{folder}: {left:?}"));
        }
    }
    assert!(circles.is_empty(), "circles of imports among siblings:\n{}", circles.join("\n"));
}

#[test]
fn every_file_says_what_it_is_for() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut silent = Vec::new();
    let mut seen = 0;
    for dir in ["src", "crates", "tests", "benches", "fuzz"] {
        let skip = |entry: &walkdir::DirEntry| entry.file_name() != "target";
        for entry in walkdir::WalkDir::new(root.join(dir)).into_iter().filter_entry(skip).flatten() {
            let path = entry.path();
            // Submissions of tests are programs of contestants, not of ours.
            let ours = path.extension().is_some_and(|extension| extension == "rs")
                && !path.starts_with(root.join("tests/hostile/programs"))
                && !path.starts_with(root.join("tests/packages"));
            if ours {
                seen += 1;
                let text = std::fs::read_to_string(path).unwrap();
                if !text.starts_with("//!") {
                    silent.push(path.display().to_string());
                }
            }
        }
    }
    assert!(seen > 50, "the sources were not found below {}", root.display());
    assert!(silent.is_empty(), "files that do not begin with `//!`:\n{}", silent.join("\n"));
}

/// Asserts that no source but those of `except` holds any of the texts.
#[track_caller]
fn nobody(what: &str, texts: &[&str], except: &dyn Fn(&Source) -> bool) {
    let mut found = Vec::new();
    for source in sources().iter().filter(|source| !except(source)) {
        let hits = texts.iter().filter(|text| source.text.contains(**text));
        found.extend(hits.map(|text| format!("`{text}` in {}", source.path.display())));
    }
    assert!(found.is_empty(), "{what}:\n{}", found.join("\n"));
}

#[test]
fn only_the_command_line_looks_around() {
    let texts = ["env::args", "env::var(", "env::var_os", "env::vars", "env::current_dir", "env::current_exe"];
    nobody("arguments, environment and the current directory are handed down", &texts, &|source| {
        ["cli", "main"].contains(&source.module.as_str())
    });
}

#[test]
fn pure_modules_touch_nothing() {
    let texts = ["std::fs", "std::process", "std::net", "File::open", "rustix::", "std::env"];
    let is_impure =
        |source: &Source| !PURE.contains(&source.module.as_str()) && !PURE.contains(&source.name().as_str());
    nobody("no input or output here", &texts, &is_impure);
    let all = sources();
    let is_there = |name: &&str| all.iter().any(|source| source.module == *name || source.name == *name);
    let gone: Vec<&str> = PURE.into_iter().filter(|name| !is_there(name)).collect();
    assert!(gone.is_empty(), "these modules are gone, strike them off PURE: {gone:?}");
    nobody("no threads here but that of a parser with a large stack", &["std::thread", "thread::"], &|source| {
        is_impure(source) || source.name() == "mutants/tree"
    });
}

#[test]
fn only_the_sandbox_starts_processes_and_only_one_room_is_unsafe() {
    nobody("processes are the sandbox's", &["Command::new("], &|source| source.module == "sandbox");
    nobody(
        "threads are the engine's, the store's, the signals', the reader's of a stream, a page's server's and the connection's to a broker, and those of \
         parsers with a large stack",
        &["thread::Builder", "thread::spawn"],
        &|source| {
            ["engine", "statement", "store", "stream", "interrupt", "remote", "view"].contains(&source.module.as_str())
                || ["mutants/tree", "report/similarity/cluster"].contains(&source.name().as_str())
        },
    );
    nobody("raw system calls are in one place", &["unsafe {", "unsafe fn", "unsafe impl"], &|source| {
        source.name == "sandbox/sys" || source.name.starts_with("sandbox/sys/")
    });
    nobody("the sandbox knows facts, not verdicts", &["Verdict"], &|source| source.module != "sandbox");
}

#[test]
fn tests_start_the_grader_that_they_are_told_to() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut others = Vec::new();
    let mut read = 0;
    for entry in walkdir::WalkDir::new(&tests).into_iter().map(Result::unwrap) {
        let path = entry.path();
        if path.extension().is_some_and(|ending| ending == "rs") && !path.ends_with("under_test/mod.rs") {
            read += 1;
            // In two parts, so that this file does not name it.
            others
                .extend(std::fs::read_to_string(path).unwrap().contains(concat!("CARGO_BIN_", "EXE")).then_some(entry));
        }
    }
    assert!(read > 50, "only {read} files of tests");
    assert!(others.is_empty(), "tests/under_test says which binary to start: {others:?}");
}

#[test]
fn the_way_of_a_test_case_is_as_described() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join("CONTRIBUTING.md")).unwrap();
    let (_, way) = text.split_once("## Follow one test case").expect("CONTRIBUTING.md has the section");
    let mut steps = 0;
    for row in way.lines().skip_while(|line| !line.starts_with("|---")).skip(1).take_while(|line| line.starts_with('|'))
    {
        let cells: Vec<&str> = row.split('|').map(|cell| cell.trim().trim_matches('`')).collect();
        let [_, _, file, function, _] = cells[..] else { panic!("{row}") };
        let source = std::fs::read_to_string(root.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        let is_there = ["(", "<"].iter().any(|next| source.contains(&format!("fn {function}{next}")));
        assert!(is_there, "{file} has no function `{function}`: correct the table in CONTRIBUTING.md");
        steps += 1;
    }
    assert!(steps > 10, "only {steps} steps were found");
}

#[test]
fn each_folder_of_the_documentation_has_a_test() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("docs/folders.md")).unwrap();
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with('|') && line.contains("::")).collect();
    for line in &rows {
        let name = line.split('|').rev().nth(1).unwrap().trim().trim_matches('`');
        let (module, function) = name.split_once("::").unwrap();
        let source = std::fs::read_to_string(root.join(format!("tests/cli/{module}.rs"))).unwrap();
        assert!(source.contains(&format!("\nfn {function}()")), "no test is called {name}, as docs/folders.md has it");
    }
    assert!(rows.len() >= 39, "only {} folders have a test", rows.len());
}

#[test]
fn module_comments_list_files_that_exist() {
    let mut listed = 0;
    let mut missing = Vec::new();
    for source in sources() {
        let text = std::fs::read_to_string(&source.path).unwrap();
        let is_root = source.path.ends_with("lib.rs");
        let dir = if is_root { source.path.parent().unwrap().to_owned() } else { source.path.with_extension("") };
        let items = text.lines().filter_map(|line| line.strip_prefix("//! - `")?.split_once("`: "));
        for name in items.flat_map(|(names, _)| names.split("`, `").map(str::to_owned).collect::<Vec<_>>()) {
            listed += 1;
            let is_there = dir.join(&name).exists() || dir.join(format!("{name}.rs")).exists();
            missing.extend((!is_there).then(|| format!("{}: `{name}`", source.path.display())));
        }
    }
    assert!(listed > 100, "only {listed} files are listed");
    assert!(missing.is_empty(), "files that are gone or have another name:\n{}", missing.join("\n"));
}
