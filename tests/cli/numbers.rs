//! Numbers and values compared exactly: what functions return in a stream, and outputs with a tolerance.

use std::fs;
use std::process::{Command, Stdio};

use macro_rules_attribute::apply;
use serde_json::{Value, json};

use crate::cli::need::Need;
use crate::cli::run::Call;
use crate::cli::stream::lines;
use crate::cli::workspace::Workspace;

/// An expected value, a returned one in Python, as JSON, and whether it is right.
const VALUES: [(&str, &str, &str, bool); 18] = [
    ("1000000", "1000000.5", "1000000.5", false),
    ("1000000", "1000000.0", "1000000.0", true),
    ("[1, 2]", "[1.0000001, 2]", "[1.0000001, 2]", false),
    ("true", "0.9999999", "0.9999999", false),
    ("true", "1.0", "1.0", false),
    ("true", "1", "1", true),
    ("1", "True", "true", true),
    ("0.5", "0.50000001", "0.50000001", true),
    ("0.5", "0.6", "0.6", false),
    ("3.0", "3", "3", true),
    ("10000000000000000000000", "1e22", "1e+22", true),
    ("100000000000000000000000", "1e23", "1e+23", false),
    ("1e22", "10**22", "10000000000000000000000", true),
    ("1234567890123456789", "1234567890123456788", "1234567890123456788", false),
    ("1e400", "1e308", "1e+308", false),
    ("null", "None", "null", true),
    ("null", "0", "0", false),
    ("0", "None", "null", false),
];

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn functions_return_exact_values() {
    let workspace = Workspace::new();
    // As text: a value of `serde_json` would round the numbers.
    let request = |at: usize, (expected, returned, _, _): &(&str, &str, &str, bool)| {
        format!(
            "{{\"id\": {at}, \"problem\": {{\"tests\": [{{\"input\": [], \"output\": {expected}}}], \"entry\": \
             {{\"function\": \"f\"}}}}, \"source\": \"def f(): return {returned}\"}}\n"
        )
    };
    let stated =
        request(99, &("1000000", "1000000.5", "", true)).replace("\"tests\"", "\"checker\": \"float=1\", \"tests\"");
    let requests = VALUES.iter().enumerate().map(|(at, value)| request(at, value)).collect::<String>() + &stated;
    let run = Call::any(&workspace.path(""), &["judge", "--stream"]).input(&requests).run();
    let verdict = |id: usize| {
        let results = run.stdout.lines().map(|line| serde_json::from_str::<Value>(line).expect("a result"));
        results.filter(|result| result["id"] == id).map(|result| result["verdict"].clone()).collect::<Vec<_>>()
    };
    for (at, value) in VALUES.iter().enumerate() {
        assert_eq!(verdict(at), [if value.3 { "AC" } else { "WA" }], "{value:?}: {}", run.all());
    }
    assert_eq!(verdict(99), ["AC"], "{}", run.all());
}

#[expect(clippy::disallowed_methods, reason = "the validator is judged alone, without a sandbox")]
#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn the_validator_of_imports_agrees() {
    let workspace = Workspace::new();
    let (answer, output) = (workspace.path("answer"), workspace.path("output"));
    for (expected, _, returned, is_right) in VALUES {
        fs::write(&answer, expected).expect("written");
        fs::write(&output, returned).expect("written");
        let mut validator = Command::new("python3");
        validator.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/crates/grader-package/src/driver/validate.py"));
        validator.args([&answer, &answer, &workspace.path("")]).stdin(fs::File::open(&output).expect("there"));
        let status = validator.stderr(Stdio::inherit()).status().expect("python3 starts");
        assert_eq!(status.code(), Some(if is_right { 42 } else { 43 }), "{expected} {returned}");
    }
}

/// The verdict on an output, with a checker.
fn verdict(checker: &str, output: &str, answer: &str) -> String {
    let workspace = Workspace::new();
    let problem = json!({"tests": [{"input": "", "output": answer}], "checker": checker});
    let request = json!({"id": 1, "problem": problem, "language": "bash", "source": format!("echo {output}")});
    let run = Call::any(&workspace.path(""), &["judge", "--stream"]).input(&lines(&[request])).run();
    let result: Value =
        serde_json::from_str(run.stdout.trim()).unwrap_or_else(|error| panic!("{error}: {}", run.all()));
    result["verdict"].as_str().unwrap_or_else(|| panic!("{}", run.all())).to_owned()
}

#[apply(cli_test)]
fn long_numbers_are_not_rounded() {
    for (checker, output, answer, is) in [
        ("float=0", "1234567890123456788", "1234567890123456789", "WA"),
        ("float=0", "1234567890123456789.0", "1234567890123456789", "AC"),
        ("float_absolute_tolerance 1", "1234567890123456788", "1234567890123456789", "AC"),
        ("float_absolute_tolerance 0.3", "1.3", "1", "AC"),
        ("float_absolute_tolerance 0.3", "1.30000000000000000001", "1", "WA"),
    ] {
        assert_eq!(verdict(checker, output, answer), is, "{checker} {output} {answer}");
    }
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn a_syntax_error_in_python_is_a_compile_error() {
    let workspace = Workspace::new();
    let tests = json!([{"input": "", "output": "1"}]);
    let request = json!({"id": 1, "problem": {"tests": tests}, "language": "python", "source": "x = 1\ndef f(:\n"});
    let run = Call::any(&workspace.path(""), &["judge", "--stream"]).input(&lines(&[request])).run();
    let result: Value = serde_json::from_str(run.stdout.trim()).expect("a result");
    assert_eq!((&result["verdict"], &result["summary"]), (&json!("CE"), &json!("CE: SyntaxError: invalid syntax")));
    let words = result["compiler"]["text"].as_str().expect("the compiler's words");
    assert!(words.contains("line 2") && !words.contains("Traceback") && !words.contains("<string>"), "{words}");
    // Python does not start a file with such a byte, also in a comment, unless the file names its encoding.
    let workspace = Workspace::with_sum();
    let program = |head: &[u8]| [head, b"\nprint(sum(map(int, input().split())))\n"].concat();
    workspace
        .file("class/ann.py", program(b"# caf\xe9"))
        .file("class/bob.py", program(b"# coding: latin-1\n# caf\xe9"));
    workspace.file("class/cid.py", program("# café".as_bytes()));
    let run = workspace.grader(&["judge", "sum", "class", "--isolation", "weak"]);
    run.status(1).shows("2 AC").shows("1 CE").shows("line 1 has a byte that is not UTF-8");
}
