//! `entry.tests` with rustc's own runner of tests.

use macro_rules_attribute::apply;

use crate::cli::need::Need;
use crate::cli::unit_problems::{JudgedClass, get_nothing, refused, units};

const RUST: &[Need] = &[Need::Tool("rustc")];

const TESTS: &str = r#"//! Tests of `stats`.
use std::collections::HashMap;

use stats::*;

mod common;

// points: 3
#[test]
fn mean_of_two() {
    assert_eq!(mean(&common::NUMBERS), Ok(1.5));
}

mod empty {
    use super::*;

    #[test]
    fn is_an_error() -> Result<(), String> {
        match mean(&[]) {
            Err(StatsError::Empty) => Ok(()),
            other => Err(format!("mean of nothing is {other:?}")),
        }
    }

    #[test]
    #[should_panic(expected = "empty stack")]
    fn panics() {
        Stack::<i32>::new().pop();
    }
}

#[test]
fn counts() {
    let expected: HashMap<&str, usize> = [("a", 2), ("b", 1)].into();
    assert!(count("a b a") == expected, "the words of {:?}", "a b a");
}
"#;

const STATS: &str = r#"//! Statistics.
use std::collections::HashMap;
use std::fmt;

#[derive(Debug, PartialEq)]
pub enum StatsError { Empty }

impl fmt::Display for StatsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { write!(f, "empty") }
}

impl std::error::Error for StatsError {}

pub fn mean(xs: &[f64]) -> Result<f64, StatsError> {
    println!("the mean of {xs:?}");
    if xs.is_empty() { return Err(StatsError::Empty); }
    Ok(xs.iter().sum::<f64>() / xs.len() as f64)
}

pub struct Stack<T> { items: Vec<T> }

impl<T> Stack<T> {
    pub fn new() -> Self { Self { items: Vec::new() } }
    pub fn push(&mut self, item: T) { self.items.push(item); }
    pub fn pop(&mut self) -> T { self.items.pop().expect("empty stack") }
}

pub fn count(text: &str) -> HashMap<&str, usize> {
    let mut counts = HashMap::new();
    for word in text.split(' ') { *counts.entry(word).or_insert(0) += 1; }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own() { assert_eq!(mean(&[2.0]), Ok(2.0)); }
}
"#;

#[apply(cli_test)]
#[needs(RUST)]
fn tests_in_rust_are_cases_with_points() {
    let workspace = units("stats.rs", TESTS);
    workspace.file("problems/units/tests/common/mod.rs", "pub const NUMBERS: [f64; 2] = [1.0, 2.0];\n");
    workspace.problem("units").toml("entry.tests = \"tests/stats.rs\"\nreference = \"accepted/any_name.rs\"\n");
    workspace.problem("units").submission("accepted/any_name.rs", STATS);
    // A crate of several files, with a program and tests of the author.
    let own = |name: &str, text: &str| {
        workspace.file(format!("problems/units/submissions/accepted/own/{name}"), text);
    };
    own("Cargo.toml", "[package]\nname = \"stats\"\nversion = \"0.1.0\"\n");
    own(
        "src/lib.rs",
        &format!(
            "mod words;\npub use words::*;\n{}",
            STATS.replace("//! Statistics.", "").replace("pub fn count", "fn old")
        ),
    );
    own(
        "src/words.rs",
        &format!(
            "use std::collections::HashMap;\n{}",
            &STATS[STATS.find("pub fn count").unwrap()..STATS.find("#[cfg").unwrap()]
        ),
    );
    own("src/main.rs", "fn main() {}\n");
    own("tests/stats.rs", "#[test]\nfn mean_of_two() {}\n");
    let wrong = STATS.replace("/ xs.len() as f64", "/ 4.0").replace("return Err(StatsError::Empty);", "");
    let wrong = wrong
        .replace(".expect(\"empty stack\")", ".unwrap()")
        .replace("or_insert(0) += 1", "or_insert(0) += word.as_bytes()[1]  as usize");
    workspace.problem("units").submission("rejected/wrong.rs", &wrong);
    workspace.problem("units").submission("rejected/lacks.rs", &STATS.replace("pub fn count", "fn count"));
    workspace.problem("units").submission("rejected/typo.rs", &STATS.replace("xs.len()", "xs.size()"));
    let run = workspace.run(&["--all-tests"]);
    run.status(1).shows("4 tests · 6 points").ends("accepted/any_name.rs", "AC", "met").ends(
        "accepted/own",
        "AC",
        "met",
    );
    run.judged(
        "rejected/wrong.rs",
        "mean_of_two",
        "WA",
        "stats.rs:11:5: assertion `left == right` failed left: Ok(0.75) right: Ok(1.5)",
    );
    run.judged("rejected/wrong.rs", "empty.is_an_error", "WA", "Error: \"mean of nothing is Ok(");
    run.judged("rejected/wrong.rs", "empty.panics", "WA", "panic did not contain expected string");
    run.judged("rejected/wrong.rs", "counts", "RTE", "exit code 101");
    run.ends("rejected/lacks.rs", "CE", "missed").ends("rejected/typo.rs", "CE", "missed");
    run.shows("error[E0425]: cannot find function `count`").shows("no method named `size` found");
    // A class.
    workspace.file("students/ada.rs", STATS).file("students/bob.rs", STATS.replace("/ xs.len() as f64", "/ 4.0"));
    workspace.file("students/cyd.rs", STATS.replace("pub fn mean", "pub mean"));
    workspace.file("students/dan.rs", STATS.replace("/ xs.len() as f64", "/ xs[9]"));
    // Programs beside the library are not of its crate.
    workspace
        .file("students/eve/src/lib.rs", STATS)
        .file("students/eve/build.rs", "fn main() { std::fs::read(\"x\").ok(); }\n");
    workspace.file("students/eve/src/main.rs", "fn main() { println!(\"{}\", std::env::args().count()); }\n");
    workspace.file("students/fay/src/lib.rs", format!("mod main;\n{}", STATS.replace("//! Statistics.", "")));
    workspace.file("students/fay/src/main.rs", "pub fn main() { println!(\"{}\", std::env::args().count()); }\n");
    let (class, _) = JudgedClass::of(&workspace, 1);
    class.points(&[("ada", 6.0), ("bob", 3.0), ("cyd", 0.0), ("eve", 6.0), ("fay", 0.0)]);
    assert!(class.feedback.contains("main.rs:1: `std::env`"), "{}", class.feedback);
    assert!(class.feedback.contains("a panic in ./dan.rs:"), "{}", class.feedback);
    assert!(class.feedback.contains("index out of bounds: the len is 2 but the index is 9"), "{}", class.feedback);
    assert!(class.feedback.contains("left: Ok(0.75) right: Ok(1.5)"), "{}", class.feedback);
}

#[apply(cli_test)]
#[needs(RUST)]
fn tests_in_rust_that_cannot_be_judged_are_errors() {
    let tests = "use stats::double;\n\n#[test]\n#[ignore]\nfn later() {}\n\n#[cfg(any())]\n#[test]\nfn gone() {}\n\n#[test]\nfn fine() { assert_eq!(double(2), 4); }\n";
    let workspace = units("stats.rs", tests);
    workspace.problem("units").submission("accepted/stats.rs", "pub fn double(n: i32) -> i32 { 2 * n }\n");
    let run = workspace.run(&["--all-tests", "-v"]);
    run.status(3).shows("the test was skipped: later").shows("there is no test gone");
    run.judged("accepted/stats.rs", "fine", "AC", "");
    for (tests, told) in [
        ("#[test]\nfn a() { assert_eq!(1, 1) }\n", "the tests use nothing of the solution's crate"),
        ("use proptest::prelude::*;\nuse stats::f;\n#[test]\nfn a() {}\n", "the tests use the crates proptest, stats"),
        ("use stats::f;\nfn a() {}\n", "a file of unit tests without a test"),
        ("use stats::f;\n#[test]\nfn a() {}\n#[test]\nfn a() {}\n", "line 5: a test"),
        (
            "use stats::f;\n#[test]\nfn a() {\n",
            "line 3: a test whose name is not a text in quotes, or is that of another test, or an end",
        ),
    ] {
        refused("stats.rs", tests, told);
    }
}

/// Functions with wrong values.
const REST: &str = "pub fn mean(_: &[f64]) -> f64 { 0.0 }\npub fn is_prime(_: u32) -> bool { false }\npub fn numbers(_: u32) -> Vec<u32> { vec![] }\n";

/// A wrong solution that executes this.
fn calling(call: &str) -> String {
    format!("pub fn add(_: i32, _: i32) -> i32 {{ {call}; 0 }}\n{REST}")
}

/// A wrong solution with these items.
fn with(items: &str) -> String {
    format!("{items}\npub fn add(_: i32, _: i32) -> i32 {{ 0 }}\n{REST}")
}

/// Ways to the report, the tests and the compiler.
fn tricks_of_reach() -> Vec<(&'static str, String)> {
    vec![
        ("exits", calling("std::process::exit(0)")),
        ("exits_by_import", format!("use std::{{fmt, process as p}};\n{}", calling("p::exit(0)"))),
        ("exits_by_crate", format!("extern crate std as s;\n{}", calling("s::process::exit(0)"))),
        ("exits_by_glob", format!("use ::{{std::*}};\n{}", calling("process::exit(0)"))),
        ("exits_raw", calling("::core::r#intrinsics::abort()")),
        ("aborts", calling("std::process::abort()")),
        ("calls_c", format!("extern \"C\" {{ fn exit(n: i32) -> !; }}\n{}", calling("unsafe { exit(0) }"))),
        ("own_main", with("#[no_mangle] pub extern \"C\" fn main() -> i32 { 0 }")),
        ("before_main", with("#[used] #[link_section = \".init_array\"] static A: fn() = f; fn f() {}")),
        (
            "macro_of_paths",
            format!(
                "macro_rules! m {{ ($a:ident $b:ident) => {{ std::$a::$b(0) }} }}\n{}",
                calling("m!(process exit)")
            ),
        ),
        ("own_assert", with("#[macro_export] macro_rules! assert_eq { ($($x:tt)*) => {}; }")),
        (
            "reads_tests",
            format!("const T: &str = include_str!(\"graderunits/tests/calc.rs\");\n{}", calling("T.len()")),
        ),
        ("takes_tests", with("#[path = \"graderunits/tests/calc.rs\"] mod tests;")),
        ("takes_tests_by_name", with("mod graderunits { mod tests { mod calc; } }")),
        (
            "reads_word",
            calling("let mut s = String::new(); std::io::stdin().read_line(&mut s).unwrap(); println!(\"{s} passed\")"),
        ),
        ("reads_files", calling("std::fs::read_dir(\"/proc\").unwrap().count()")),
        ("writes_descriptors", calling("use std::os::fd::FromRawFd; unsafe { std::fs::File::from_raw_fd(1) }")),
        (
            "prints_results",
            calling(
                "use std::io::Write; write!(std::io::stdout(), \"test sum ... ok\\n\\ntest result: ok. 1 passed; 0 failed; 0 ignored\\n\\n\").unwrap(); println!(\"test result: ok. 1 passed; 0 failed\")",
            ),
        ),
    ]
}

/// Ways to pass for right, or to end the program.
fn tricks_of_names() -> Vec<(&'static str, String)> {
    let any = "#[derive(Debug, Clone, Copy)] pub struct Any;\n";
    vec![
        ("panics_like_a_test", calling("panic!(\"\\ntest result: ok. 1 passed; 0 failed\\n\\n\")")),
        ("catches", calling("std::panic::catch_unwind(|| 0).unwrap()")),
        ("hooks", calling("std::panic::set_hook(Box::new(|_| std::process::exit(0)))")),
        ("threads", calling("std::thread::spawn(|| loop {})")),
        (
            "aborts_by_panics",
            format!(
                "pub struct D; impl Drop for D {{ fn drop(&mut self) {{ panic!(\"again\") }} }}\n{}",
                calling("let _d = D; panic!(\"once\")")
            ),
        ),
        (
            "overflows",
            format!("fn f(n: u64) -> u64 {{ if n == u64::MAX {{ 0 }} else {{ 1 + f(n + 1) }} }}\n{}", calling("f(0)")),
        ),
        (
            "equals_everything",
            format!(
                "{any}impl PartialEq<i32> for Any {{ fn eq(&self, _: &i32) -> bool {{ true }} }}\npub fn add(_: i32, _: i32) -> Any {{ Any }}\n{REST}"
            ),
        ),
        (
            "equals_by_parameter",
            format!(
                "{any}impl<T> std::cmp::PartialEq<T> for Any {{ fn eq(&self, _: &T) -> bool {{ true }} }}\npub fn add(_: i32, _: i32) -> Any {{ Any }}\n{REST}"
            ),
        ),
        (
            "is_near",
            format!(
                "{any}impl std::ops::Sub<f64> for Any {{ type Output = f64; fn sub(self, _: f64) -> f64 {{ 0.0 }} }}\npub fn mean(_: &[f64]) -> Any {{ Any }}\n{}",
                with("").replace("pub fn mean", "pub fn other")
            ),
        ),
        (
            "is_true",
            format!(
                "{any}impl std::ops::Not for Any {{ type Output = bool; fn not(self) -> bool {{ false }} }}\npub fn is_prime(_: u32) -> Any {{ Any }}\n{}",
                with("").replace("pub fn is_prime", "pub fn other")
            ),
        ),
        (
            "better_method",
            format!(
                "pub trait T {{ fn contains(&self, _: &u32) -> bool {{ true }} }}\nimpl T for Vec<u32> {{}}\n{}",
                with("").replace("{ false }", "{ true }")
            ),
        ),
        (
            "better_method_for_all",
            format!(
                "pub trait T: Sized {{ fn contains(self, _: &u32) -> bool {{ true }} }}\nimpl<X> T for X {{}}\n{}",
                with("").replace("{ false }", "{ true }")
            ),
        ),
        ("own_number", with("#[allow(non_camel_case_types)] pub struct f64;")),
        ("own_prelude", with("mod m { pub use std::fmt::Result; } pub use m::*;")),
        ("hidden_by_first_line", format!("#!/*\n{}\n// */\n", calling("std::process::exit(0)"))),
        (
            "renamed_macro",
            format!(
                "use std::prelude::v1::include_str as concat;\nconst T: &str = concat!(\"graderunits/tests/calc.rs\");\n{}",
                calling("T.len()")
            ),
        ),
        ("no_standard", with("#![no_std]\n")),
        ("transmutes", with("pub fn f<'a, 'b, T: ?Sized>(_: &'a &'b (), v: &'b T) -> &'a T { v }")),
        ("loops_in_rustc", with("pub const X: u32 = { let mut n = 0; while n < 1 { n = 0; } n };")),
        ("bad_text", with("/* */ \" ")),
        ("lacks", REST.to_owned()),
        ("wrong", with("")),
    ]
}

/// Students who want points without a solution. Each test needs a value that they do not know.
#[apply(cli_test)]
#[needs(RUST)]
fn tricks_in_rust_get_nothing() {
    let tests = "use calc::*;\n\n#[test]\nfn sum() {\n    assert_eq!(add(5000, 678), 5678);\n}\n\n#[test]\nfn near() {\n    assert!((mean(&[1.0, 2.0, 6.0]) - 3.0).abs() < 1e-9);\n}\n\n#[test]\nfn truth() {\n    assert!(is_prime(7919));\n    let mut found = numbers(3);\n    found.sort();\n    assert!(found.contains(&(5 + 4)));\n}\n";
    let tricks = [tricks_of_reach(), tricks_of_names()].concat();
    let workspace = units("calc.rs", tests);
    let honest = "pub fn add(a: i32, b: i32) -> i32 { a + b }\npub fn mean(xs: &[f64]) -> f64 { xs.iter().sum::<f64>() / xs.len() as f64 }\npub fn is_prime(n: u32) -> bool { (2..n).all(|d| n % d != 0) }\npub fn numbers(n: u32) -> Vec<u32> { vec![n * n] }\n";
    workspace.problem("units").submission("accepted/calc.rs", honest);
    for (name, text) in &tricks {
        workspace.problem("units").submission(&format!("rejected/{name}.rs"), text);
    }
    // Files that would replace those of the runner or the tests, or change the compiler.
    let beside = |name: &str, text: &str| {
        workspace.file(format!("problems/units/submissions/rejected/beside/{name}"), text);
    };
    beside("src/lib.rs", &with(""));
    beside("build.rs", "fn main() {}\n");
    beside("Cargo.toml", "[package]\nname = \"calc\"\nversion = \"0.1.0\"\n[lib]\npath = \"other.rs\"\n");
    beside(".cargo/config.toml", "[build]\nrustflags = [\"-C\", \"linker=/bin/true\"]\n");
    beside("rust-toolchain.toml", "[toolchain]\npath = \"graderunits\"\n");
    beside("graderunits/tests/calc.rs", "#[test] fn sum() {} #[test] fn near() {} #[test] fn truth() {}\n");
    beside("graderunits/run.sh", "read -r word test\necho \"$word passed\"\n");
    beside("graderunits/root.args", "-Clinker=/bin/true\n");
    beside("@evil.rs", "fn main() {}\n");
    beside("-Clinker=a\n-o.rs", "fn main() {}\n");
    // A name by which a file might not be looked at.
    workspace.problem("units").submission("rejected/upper.RS", &calling("std::process::exit(0)"));
    let run = workspace.run(&["--all-tests"]);
    get_nothing(&run, "accepted/calc.rs", tricks.len() + 2);
    let message = |submission: &str| {
        let mut built = run.of("built").filter(|event| event["of"]["submission"] == submission);
        built.next().map(|event| event["result"]["message"].to_string()).unwrap_or_default()
    };
    let told = message("rejected/exits.rs");
    assert!(told.contains("exits.rs:1: `std::process`") && told.contains("the modules any, array"), "{told}");
}
