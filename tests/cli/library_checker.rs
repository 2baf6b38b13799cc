//! Problems of Library Checker: made tests and their checksums, headers of the repository, and broken descriptions.

use macro_rules_attribute::apply;
use sha2::Digest as _;

use crate::cli::need::Need;
use crate::cli::workspace::Workspace;

const GXX: &[Need] = &[Need::Tool("g++")];

/// Two example inputs, and two that a generator prints.
const INFO: &str = "title = 'Double'\ntimelimit = 2.0\n\n[[tests]]\n  name = 'example.in'\n  number = 2\n[[tests]]\n  \
    name = 'power.cpp'\n  number = 2\n\n[[solutions]]\n  name = 'same.cpp'\n  expect = 'WA'\n[params]\n  BASE = 10\n";

const GENERATOR: &str = "#include <cstdio>\n#include <cstdlib>\n#include \"shared.h\"\n#include \"../params.h\"\n\
    int main(int, char **of) { printf(\"%lld\\n\", shared(BASE, atoi(of[1]))); }\n";
/// A header that all problems share.
const SHARED: &str =
    "#pragma once\ninline long long shared(long long base, int index) { return index ? base * base : base; }\n";
const CHECKER: &str = "#include <cstdio>\nint main(int, char **of) {\n  int out = 0, answer = 0;\n  \
    FILE *output = fopen(of[2], \"r\"), *expected = fopen(of[3], \"r\");\n  \
    if (fscanf(expected, \"%d\", &answer) != 1) return 3;\n  \
    if (fscanf(output, \"%d\", &out) == 1 && out == answer) return 0;\n  \
    fprintf(stderr, \"wrong answer not the double\\n\");\n  return 1;\n}\n";
const VERIFIER: &str =
    "#include <cstdio>\nint main() {\n  int n = 0;\n  return scanf(\"%d\", &n) == 1 && n <= 100 ? 0 : 3;\n}\n";
const CORRECT: &str = "#include <cstdio>\nint main() { int n; if (scanf(\"%d\", &n)) printf(\"%d\\n\", 2 * n); }\n";
const SAME: &str = "#include <cstdio>\nint main() { int n; if (scanf(\"%d\", &n)) printf(\"%d\\n\", n); }\n";

/// Adds a problem with this description to the repository.
fn add(workspace: &Workspace, name: &str, info: &str) {
    let files = [
        ("gen/example_00.in", "0\n"),
        ("gen/example_01.in", "3\n"),
        ("gen/power.cpp", GENERATOR),
        ("checker.cpp", CHECKER),
        ("verifier.cpp", VERIFIER),
        ("sol/correct.cpp", CORRECT),
        ("sol/same.cpp", SAME),
        ("info.toml", info),
    ];
    for (file, text) in files {
        workspace.file(format!("sample/{name}/{file}"), text);
    }
    workspace.file(format!("sample/{name}/hash.json"), checksums(&[]));
    workspace.file("common/shared.h", SHARED);
}

fn repository(info: &str) -> Workspace {
    let workspace = Workspace::bare();
    add(&workspace, "double", info);
    workspace
}

/// The right checksums, except for these files.
fn checksums(wrong: &[&str]) -> String {
    let sum = |name: &str, text: String| {
        let text = if wrong.contains(&name) { String::new() } else { text };
        let digest = sha2::Sha256::digest(text);
        let hex = digest.iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"));
        format!("\"{name}\": \"{hex}\"")
    };
    let cases = [("example_00", 0), ("example_01", 3), ("power_00", 10), ("power_01", 100)];
    let of = |(case, n): (&str, i32)| {
        [sum(&format!("{case}.in"), format!("{n}\n")), sum(&format!("{case}.out"), format!("{}\n", 2 * n))]
    };
    format!("{{{}}}", cases.into_iter().flat_map(of).collect::<Vec<_>>().join(",\n"))
}

#[apply(cli_test)]
#[needs(GXX)]
fn tests_are_made_and_solutions_judged_as_expected() {
    let workspace = repository(INFO);
    let run = workspace.run(&["sample/double"]);
    run.status(0).ends("correct.cpp", "AC", "met").ends("same.cpp", "WA", "met");
    run.says("double: made 2 inputs and 4 answers by its own programs");
    run.judged("same.cpp", "sample/example_00", "AC", "").judged(
        "same.cpp",
        "sample/example_01",
        "WA",
        "not the double",
    );
    // Nothing is written into the problem.
    assert!(!workspace.path("sample/double/params.h").exists());
    assert_eq!(std::fs::read_dir(workspace.path("sample/double/gen")).unwrap().count(), 3);
    let again = workspace.run(&["sample/double"]);
    again.status(0).hides("made 2 inputs");
    // The generator is built with the header that all problems share, and with the parameters.
    let power = |n: &str| INFO.replace("BASE = 10", &format!("BASE = {n}"));
    workspace.file("sample/double/info.toml", power("9")).file("sample/double/hash.json", "{}");
    workspace.run(&["sample/double"]).status(0).says("made 2 inputs and 4 answers");
    workspace.file("common/shared.h", SHARED.replace("base * base", "base + 1"));
    workspace.run(&["sample/double"]).status(0).says("made 2 inputs and 4 answers");
}

#[apply(cli_test)]
#[needs(GXX)]
fn a_made_file_with_another_checksum_is_not_judged() {
    let workspace = repository(INFO);
    workspace.file("sample/double/hash.json", checksums(&["power_00.in", "power_01.out", "example_01.in"]));
    for _ in 0..2 {
        let run = workspace.run(&["sample/double"]);
        run.status(2).judged("correct.cpp", "sample/example_00", "AC", "");
        run.says("the made input is not the one whose checksum hash.json states").says("`power 0`");
        run.says("the answer that the main solution prints is not the one whose checksum hash.json states");
        run.says("sample/example_01")
            .says("the input is not the one whose checksum")
            .says("info.toml: line 8, column 1: test power/power_00");
    }
    let verify = workspace.grader(&["verify", "sample/double"]);
    verify.status(1).shows("the made input is not the one whose checksum hash.json states");
}

#[apply(cli_test)]
#[needs(GXX)]
fn verify_runs_the_verifier_on_made_inputs() {
    let workspace = repository(&INFO.replace("BASE = 10", "BASE = 11"));
    workspace.file("sample/double/hash.json", "{}");
    workspace.grader(&["verify", "sample/double"]).status(1).shows("rejected by verifier.cpp").shows("power_01.in");
}

#[apply(cli_test)]
fn every_problem_of_a_repository_is_found() {
    let workspace = repository(INFO);
    add(&workspace, "treble", INFO);
    add(&workspace, "untitled", &INFO.replace("title = 'Double'\n", ""));
    workspace.file("sample/unused/info.toml", INFO).file("sample/unused/gen/other.cpp", "");
    let list = workspace.grader(&["list", "."]);
    list.shows("double").shows("treble").says("untitled/info.toml: `title` is missing");
    list.says("unused/gen/other.cpp: no test uses this file").says("there is no gen/power.cpp");
    let verbose = workspace.grader(&["list", "-v", "sample/double"]);
    verbose.status(0).shows("2 s · 1024 MiB · 4 cases").shows("power").shows("reference");
}

#[apply(cli_test)]
fn hostile_descriptions_are_refused() {
    for (from, to, says) in [
        (
            "'power.cpp'",
            "'/bin/true'",
            "info.toml: line 8, column 3: `tests.1.name`: must be the name of a file, without directories",
        ),
        (
            "'power.cpp'",
            "'../sol/correct.cpp'",
            "info.toml: line 8, column 3: `tests.1.name`: must be the name of a file",
        ),
        ("'power.cpp'", "'example.cpp'", "info.toml: line 8, column 3: two tests of the name `example`"),
        (
            "'power.cpp'\n  number = 2",
            "'power.cpp'\n  number = 1000000",
            "info.toml: line 9, column 3: more than 10000 tests",
        ),
        ("number = 2", "number = -2", "expected a whole number from 0 to 1000000, found -2"),
        (
            "'same.cpp'",
            "'../../../etc/passwd'",
            "info.toml: line 12, column 3: `solutions.0.name`: must be the name of a file",
        ),
        ("'same.cpp'", "'none.cpp'", "info.toml: line 12, column 3: there is no sol/none.cpp"),
        ("BASE = 10", "'B\"' = 10", "cannot be the name of a macro"),
        ("title =", "title", "syntax error"),
    ] {
        let workspace = repository(&INFO.replace(from, to));
        workspace.run(&["sample/double"]).status(2).says(says).hides("made");
        assert!(!workspace.path("sample/double/gen/power_00.in").exists());
    }
}

#[apply(cli_test)]
fn only_its_generators_change_its_tests() {
    let workspace = repository(INFO);
    let refused = workspace.grader(&["add", "sample/double", "--answer", "2", "sample/double/gen/example_00.in"]);
    refused.status(2).says("a problem of Library Checker, and grader does not change its tests");
    assert!(!workspace.path("sample/double/1.in").exists());
}
