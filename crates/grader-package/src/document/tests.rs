//! Checks that every mistake of a file is reported once, with its place.

use super::*;

const KNOWN: &[&str] = &["jobs", "checker", "limits.memory", "limits.time_limit", "language"];

fn complaints(text: &str, syntax: Syntax) -> Vec<String> {
    let mut document = Document::parse(Path::new("f"), text.to_owned(), syntax);
    document.get("jobs", read::count);
    document.get("limits.memory", read::mebibytes);
    document.get("limits.time_limit", read::seconds);
    document.check_keys(KNOWN, Severity::Error);
    document.finish().iter().map(ToString::to_string).collect()
}

fn check(text: &str, expect: &[&str]) {
    assert_eq!(complaints(text, Syntax::Toml), expect, "{text}");
}

#[test]
fn toml_mistakes_are_told_with_their_places() {
    check("jobs = 2\n[limits]\nmemory = 5\n[language.java]\nanything = 1\n", &[]);
    check("", &[]);
    check("job = 2\n", &["f:1:1: unknown key `job`; did you mean `jobs`?"]);
    check("[limits]\n  memroy = 2\n", &["f:2:3: unknown key `limits.memroy`; did you mean `limits.memory`?"]);
    check("memory = 2\n", &["f:1:1: unknown key `memory`; did you mean `limits.memory`?"]);
    check("[limits]\nfrobs = 2\n", &["f:2:1: unknown key `limits.frobs`"]);
    check("limits = 2\n", &["f:1:1: `limits` is a table of keys, not a whole number"]);
    check("[jobs]\nx = 1", &["f:1:2: `jobs`: expected a whole number, found a table"]);
    check("zzzzzz = 1\n", &["f:1:1: unknown key `zzzzzz`"]);
    check("\"limits.memory\" = 1\n", &["f:1:1: unknown key `limits.memory`; write `limits.memory` without quotes"]);
    check("jobs = 99999999999999999999\n", &["f:1:1: `jobs`: expected a whole number, found a number out of range"]);
}

#[test]
fn all_mistakes_of_a_file_are_told() {
    check(
        "jobs = 0\ncolour = 1\nchekcer = 2\n[limits]\nmemory = \"much\"\ntime_limit = nan\n",
        &[
            "f:1:1: `jobs`: expected a whole number from 1 to 1000000, found 0",
            "f:2:1: unknown key `colour`",
            "f:3:1: unknown key `chekcer`; did you mean `checker`?",
            "f:5:1: `limits.memory`: expected a whole number of MiB, found the string `much`",
            "f:6:1: `limits.time_limit`: expected seconds from 0.001 to 1000000, found NaN",
        ],
    );
}

#[test]
fn syntax_errors_do_not_hide_other_mistakes() {
    let found = complaints("jobs = \njob = 1\n[limits]\nmemory = = 3\n", Syntax::Toml);
    let lines: Vec<&str> = found.iter().map(|found| &found[..4]).collect();
    assert_eq!(lines, ["f:1:", "f:2:", "f:4:"], "{found:#?}");
    assert!(found[0].contains("syntax error") && found[2].contains("syntax error"), "{found:#?}");
    let twice = complaints("jobs = 1\njobs = 2\n", Syntax::Toml);
    assert!(twice[0].starts_with("f:2:1: syntax error: duplicate key"), "{twice:#?}");
}

#[test]
fn yaml_tables_are_merged() {
    let text =
        "a: &a {jobs: 3, limits: {memory: 5}}\nb: &b\n  <<: *a\n  jobs: 4\n<<: [{checker: first}, *b]\nchecker: own\n";
    let mut document = Document::parse(Path::new("f"), text.to_owned(), Syntax::Yaml);
    assert_eq!(document.get("jobs", read::count), Some(4), "a table's own keys outrank merged ones");
    assert_eq!(document.get("limits.memory", read::mebibytes), Some(grader_model::limits::Bytes::mib(5)));
    assert_eq!(document.get("checker", read::text).as_deref(), Some("own"));
    let both = "x: &x {jobs: 1}\ny: &y {jobs: 2, checker: c}\nz: {<<: [*x, *y]}\n";
    let document = Document::parse(Path::new("f"), both.to_owned(), Syntax::Yaml);
    assert_eq!(document.value(&["z", "jobs"]), Some(&Value::Integer(1)), "the first of several");
    assert_eq!(document.value(&["z", "checker"]), Some(&Value::Text("c".to_owned())));
    // A mistake in a merged table is at the key that merges it.
    let told = complaints("limits:\n  <<: {memory: much}\n", Syntax::Yaml);
    assert_eq!(told, ["f:2:3: `limits.memory`: expected a whole number of MiB, found the string `much`"]);
    let told = complaints("limits:\n  <<: 5\n", Syntax::Yaml);
    assert!(told[0].contains("`<<` merges tables, not a whole number"), "{told:?}");
}

#[test]
fn yaml_mistakes_are_told_with_their_places() {
    let check = |text: &str, expect: &[&str]| assert_eq!(complaints(text, Syntax::Yaml), expect, "{text}");
    check("jobs: 2\nlimits:\n  memory: 5\n", &[]);
    check("# nothing\n", &[]);
    check("limits:\n", &[]);
    check("jobs: 1\n\njob: 2\n", &["f:3:1: unknown key `job`; did you mean `jobs`?"]);
    check(
        "limits:\n  memroy: 2\n  time_limit: no\n",
        &[
            "f:2:3: unknown key `limits.memroy`; did you mean `limits.memory`?",
            "f:3:3: `limits.time_limit`: expected a number, found the string `no`",
        ],
    );
    check("- a\n- b\n", &["f: expected keys and values, found a list"]);
    assert!(complaints("jobs: 1\njobs: 2\n", Syntax::Yaml)[0].contains("duplicate key `jobs`"));
    assert!(complaints("jobs: [1\n", Syntax::Yaml)[0].contains("syntax error"));
    assert!(complaints("jobs: !!binary x\n", Syntax::Yaml)[0].starts_with("f:1:"));
}

#[test]
fn hostile_files_cost_little() {
    let list = format!("a: &a [{}]\nb: [{}]\n", "1,".repeat(10_000), "*a,".repeat(10_000));
    assert!(complaints(&list, Syntax::Yaml)[0].contains("too many values"));
    for text in
        ["[".repeat(100_000), "{a: ".repeat(50_000), "a: ".repeat(50_000), "- ".repeat(50_000), "[],".repeat(80_000)]
    {
        complaints(&text, Syntax::Yaml);
        complaints(&format!("x = {text}"), Syntax::Toml);
    }
    let many = (0..5_000).map(|n| format!("k{n} = 1")).collect::<Vec<_>>().join("\n");
    assert_eq!(complaints(&many, Syntax::Toml).len(), MOST_UNKNOWN);
    complaints(&many.replace(" =", ":"), Syntax::Yaml);
    complaints("\0\0\u{feff}", Syntax::Toml);
}
