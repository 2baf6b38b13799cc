//! Layers, origins and the documentation of every key.

use super::*;
use crate::package::metadata::{GROUP_KEYS, PROBLEM_KEYS};

fn sources(start: &Path, environment: &[(&str, &str)]) -> Sources {
    let environment = environment.iter().map(|(name, value)| (OsString::from(name), OsString::from(value)));
    Sources { start: start.to_owned(), environment: environment.collect(), ..Sources::default() }
}

fn messages(found: &[Diagnostic]) -> Vec<String> {
    let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let message = |found: &Diagnostic| {
        let path = found.path.as_deref().unwrap_or(Path::new(""));
        found.to_string().replace(&*path.to_string_lossy(), &name(path))
    };
    found.iter().map(message).collect()
}

/// The errors and warnings for a file and an environment.
fn complaints(file: &str, environment: &[(&str, &str)]) -> Vec<String> {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join(FILE_NAME), file).unwrap();
    match load(sources(dir.path(), environment)) {
        Ok(settings) => messages(&settings.warnings),
        Err(errors) => messages(&errors),
    }
}

#[test]
fn every_value_knows_its_origin() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join(FILE_NAME);
    std::fs::write(&file, "jobs = 2\n[limits]\nmemory = 512\n[language.java]\nlimits.memory = 2048\n").unwrap();
    let arguments = Options { repeat: Some(3), ..Options::default() };
    let command = Options { time_limit_to_tle: Some(1.1), ..Options::default() };
    let environment =
        [("GRADER_LIMITS_MEMORY", "256"), ("GRADER_CACHE", "false"), ("HOME", "/"), ("GRADER_COLOR", "never")];
    let settings = load(Sources { command, arguments, ..sources(dir.path(), &environment) }).unwrap();
    let shown: Vec<(String, String, String)> = settings
        .entries()
        .into_iter()
        .filter(|entry| entry.origin != Origin::Default || entry.key == "time_limit_to_tle" || entry.key == "checker")
        .map(|entry| (entry.key, entry.value, entry.origin.to_string()))
        .collect();
    let expect = [
        ("jobs", "2", format!("{}:1", file.display())),
        ("color", "\"never\"", "GRADER_COLOR".into()),
        ("cache", "false", "GRADER_CACHE".into()),
        ("checker", "\"tokens\"", "default".into()),
        ("repeat", "3", "argument".into()),
        ("time_limit_to_tle", "1.1", "default".into()),
        ("limits.memory", "256", "GRADER_LIMITS_MEMORY".into()),
        ("language.java.limits.memory", "2048", format!("{}:4", file.display())),
    ];
    assert_eq!(shown, expect.map(|(key, value, origin)| (key.to_owned(), value.to_owned(), origin)));
}

#[test]
fn what_is_shown_can_be_read_again() {
    let dir = tempfile::tempdir().unwrap();
    let arguments = Options {
        checker: Some("float_relative_tolerance 1e-6 case_sensitive".parse().unwrap()),
        wall_limit: Some(WallLimit::Fixed(std::time::Duration::from_millis(2500))),
        store: Some("a \"b\"".into()),
        ..Options::default()
    };
    let settings = load(Sources { arguments, ..sources(dir.path(), &[]) }).unwrap();
    let lines: Vec<String> =
        settings.entries().iter().map(|entry| format!("{} = {}", entry.key, entry.value)).collect();
    let text = lines.join("\n");
    let (layer, found) = file::parse(Path::new("shown.toml"), text.clone(), None);
    assert_eq!(found, [], "{text}");
    assert_eq!(layer.options.checker, Some(settings.checker));
    assert_eq!(layer.options.wall_limit, Some(settings.wall_limit));
    assert_eq!(layer.options.store, Some(settings.store));
    assert_eq!(layer.lines.len(), KEYS.len());
}

#[test]
fn the_file_is_found_upwards_and_its_paths_are_relative_to_it() {
    let dir = tempfile::tempdir().unwrap();
    let below = dir.path().join("problems/nine");
    std::fs::create_dir_all(&below).unwrap();
    std::fs::write(dir.path().join(FILE_NAME), "problems = ['problems', './more']\n").unwrap();
    let mut sources = sources(&below, &[]);
    sources.arguments.store = Some("here".into());
    let settings = load(sources).unwrap();
    assert_eq!(settings.base, dir.path());
    assert_eq!(settings.problem_roots(), [dir.path().join("problems"), dir.path().join("more")]);
    assert_eq!(settings.testcases_dir(), dir.path().join("testcases"));
    assert_eq!(settings.store_dir(), below.join("here"));
}

#[test]
fn a_named_file_must_exist() {
    let dir = tempfile::tempdir().unwrap();
    let missing = load(Sources { file: Some("no.toml".into()), ..sources(dir.path(), &[]) });
    assert!(messages(&missing.unwrap_err())[0].starts_with("no.toml: cannot read: No such file"));
    let fifo = load(Sources { file: Some(dir.path().to_owned()), ..sources(dir.path(), &[]) });
    assert!(messages(&fifo.unwrap_err())[0].ends_with("not a regular file"));
}

#[test]
fn mistakes_of_all_layers_are_told() {
    let check = |file, environment: &[(&str, &str)], expect: &[&str]| {
        assert_eq!(complaints(file, environment), expect, "{file}");
    };
    check("", &[], &[]);
    check("[language]\npython = 'pypy3'\n[language.cpp]\ncompile = ['g++']\n", &[], &[]);
    check(
        "diff = 'sideways'\n[limit]\nmemory = 1\n[language.cpp]\ntime_factor = 'fast'\n[language]\nrust = 1\n",
        &[("GRADER_JOBS", "many"), ("GRADER_JOB", "1")],
        &[
            "grader.toml:1:1: `diff`: expected `auto` or `unified` or `side-by-side` or `none`, found `sideways`",
            "grader.toml:2:2: unknown key `limit`; did you mean `limits`?",
            "grader.toml:5:1: `language.cpp.time_factor`: expected a number, found the string `fast`",
            "grader.toml:7:1: `language.rust`: expected a table such as [language.cpp], found a whole number",
            "environment: `GRADER_JOBS`: expected a number or `auto`, found `many`",
            "environment: unknown variable `GRADER_JOB`; did you mean `GRADER_JOBS`?",
        ],
    );
    check(
        "jobs = 1\nisolation = 'rooot'\n",
        &[("GRADER_ISOLATION", "usr")],
        &[
            "grader.toml:2:1: `isolation`: expected `auto` or `root` or `user` or `users` or `weak` or `none`, found `rooot`; did you mean `root`?",
            "environment: `GRADER_ISOLATION`: expected `auto` or `root` or `user` or `users` or `weak` or `none`, found `usr`; did you mean `user`?",
        ],
    );
    check(
        "[language.cpp.limits]\nmemry = 1\noutput = 'x'\n[language.c]\nlimits = 3\n",
        &[],
        &[
            "grader.toml:2:1: unknown key `memry`; did you mean `memory`?",
            "grader.toml:3:1: `language.cpp.limits.output`: expected a whole number of MiB, found the string `x`",
            "grader.toml:5:1: `language.c.limits`: expected a table, found a whole number",
        ],
    );
    check(
        "checker = 'tokenz'\n",
        &[],
        &[
            "grader.toml:1:1: `checker`: unknown checker word `tokenz`; did you mean `tokens`?; known are tokens, exact, contains, regex, unordered, \
         float=E, float_tolerance E, float_relative_tolerance E, float_absolute_tolerance E, case_sensitive, \
         space_change_sensitive, line_sensitive, and the standard checkers of testlib: acmp, caseicmp, casencmp, casewcmp, dcmp, fcmp, \
         hcmp, icmp, lcmp, ncmp, nyesno, pointscmp, pointsinfo, rcmp, rcmp4, rcmp6, rcmp9, rncmp, uncmp, wcmp, yesno",
        ],
    );
    check(
        "",
        &[("GRADER_STRIC", "1")],
        &["environment: unknown variable `GRADER_STRIC`; did you mean `GRADER_STRICT`?"],
    );
    check(
        "",
        &[("GRADER_REPEAT", "0")],
        &["environment: `GRADER_REPEAT`: expected a whole number from 1 to 1000000, found 0"],
    );
}

#[test]
fn mistakes_in_rows_of_languages_are_told_with_those_in_their_limits() {
    let dir = tempfile::tempdir().unwrap();
    let text = "[language.c]\nlimits.memry = 1\nrun = []\n[language]\njava = 3\n";
    std::fs::write(dir.path().join(FILE_NAME), text).unwrap();
    let check: LanguageCheck = |table| {
        let row = |id: &String| (vec![id.clone(), "run".to_owned()], format!("`{id}` is wrong"));
        table.keys().map(row).collect()
    };
    let found = load(Sources { check_languages: Some(check), ..sources(dir.path(), &[]) }).unwrap_err();
    let expect = [
        "grader.toml:2:8: unknown key `memry`; did you mean `memory`?",
        "grader.toml:3:1: `c` is wrong",
        "grader.toml:5:1: `language.java`: expected a table such as [language.cpp], found a whole number",
    ];
    assert_eq!(messages(&found), expect);
}

#[test]
fn language_tables_are_passed_on_without_our_limits() {
    let text =
        "[language]\npython = \"pypy3\"\n[language.cpp]\ncompile = ['g++']\ntime_factor = 2\nlimits.processes = 9\n";
    let (layer, found) = file::parse(Path::new("f"), text.to_owned(), None);
    assert_eq!(found, []);
    assert_eq!(layer.languages.table["python"].as_str(), Some("pypy3"));
    assert_eq!(layer.languages.table["cpp"].as_table().unwrap().keys().collect::<Vec<_>>(), ["compile"]);
    let cpp = &layer.languages.limits["cpp"];
    assert_eq!((cpp.time_factor, cpp.limits.processes), (Some(2.0), Some(9)));
}

#[test]
fn variables_are_read_as_the_key_wants_them() {
    let dir = tempfile::tempdir().unwrap();
    let environment =
        [("GRADER_STRICT", "1"), ("GRADER_STORE", "1"), ("GRADER_PROBLEMS", "a:b"), ("GRADER_JOBS", "auto")];
    let settings = load(sources(dir.path(), &environment)).unwrap();
    assert!(settings.strict);
    assert_eq!(settings.store, Path::new("1"));
    assert_eq!(settings.problem_roots(), [dir.path().join("a"), dir.path().join("b")]);
    assert_eq!(settings.jobs, Jobs::Auto);
}

#[test]
fn options_survive_serde() {
    let options = Options { time_factor: Some(2.0), jobs: Some(Jobs::Count(3)), ..Options::default() };
    let text = serde_json::to_string(&options).unwrap();
    assert_eq!(serde_json::from_str::<Options>(&text).unwrap(), options);
    assert!(serde_json::from_str::<Options>(r#"{"jbos": 3}"#).is_err());
}

#[test]
fn every_key_is_documented() {
    let manual = include_str!("../../../../docs/configuration.md");
    let keys = KEYS.iter().map(|key| key.name).chain(PROBLEM_KEYS.iter().copied()).chain(GROUP_KEYS.iter().copied());
    for key in keys {
        assert!(manual.contains(&format!("`{key}`")), "docs/configuration.md lacks `{key}`");
    }
}

#[test]
fn any_bytes_are_survived() {
    for data in [&b"\xff\xfe[a"[..], b"[language]\ncpp.time_factor = {}", b"language = []", b"[[limits]]", b"a.b.c = 1"]
    {
        read_any(data);
    }
}
