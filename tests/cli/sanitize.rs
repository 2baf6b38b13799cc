//! `--sanitize`: programs in C and C++ built with sanitizers, and what becomes of their reports.

use macro_rules_attribute::apply;
use serde_json::Value;

use crate::cli::need::Need;
use crate::cli::run::Run;
use crate::cli::verify::findings;
use crate::cli::workspace::{SUM, Workspace};

const GPP: &[Need] = &[Need::Tool("g++"), Need::Tool("gcc")];

/// Reads two numbers, and prints their sum.
const CLEAN: &str = "#include <cstdio>\nint main() {\n    long a, b;\n    return scanf(\"%ld %ld\", &a, &b) != 2 || printf(\"%ld\\n\", a + b) < 0;\n}\n";

/// The same, and writes one element too far on the heap if the first number is 1.
const OVERFLOW: &str = "#include <cstdio>
#include <cstdlib>
static int *fill(int size, int last) {
    int *all = (int *)malloc(size * sizeof(int));
    for (int i = 0; i <= last; i++)
        all[i] = i;
    return all;
}
int main() {
    long a, b;
    if (scanf(\"%ld %ld\", &a, &b) != 2) return 1;
    int *all = fill(5, a == 1 ? 5 : 4);
    printf(\"%ld\\n\", a + b + 0 * all[1]);
}
";

/// The same, and adds 1 to the largest number.
const SIGNED: &str = "#include <stdio.h>\n#include <limits.h>\nint main(void) {\n    int a, b;\n    if (scanf(\"%d %d\", &a, &b) != 2) return 1;\n    int most = INT_MAX - 1 + a;\n    volatile int unused = most + 1;\n    printf(\"%d\\n\", a + b);\n}\n";

/// The problem `sum`, whose shell solution is replaced by this one in C++.
fn with(program: &str) -> Workspace {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").toml(REFERENCE).submission("accepted/sum.cpp", program);
    workspace
}

/// Which of several accepted submissions is the reference.
const REFERENCE: &str = "reference = \"accepted/sum.sh\"\n";

#[apply(cli_test)]
#[needs(GPP)]
fn an_overflow_that_a_plain_run_accepts() {
    let workspace = with(OVERFLOW);
    workspace.run(&[]).status(0).ends("accepted/sum.cpp", "AC", "met");
    let run = workspace.run(&["--sanitize"]);
    let report = "AddressSanitizer: heap-buffer-overflow in fill (sum.cpp:6)";
    run.status(1).judged("accepted/sum.cpp", "sample/1", "RTE", report).ends("accepted/sum.cpp", "RTE", "missed");
    // The terminal says it in one sentence, and how to see it again.
    run.shows(report).shows("--sanitize");
}

#[apply(cli_test)]
#[needs(GPP)]
fn undefined_behaviour_names_its_line() {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").toml(REFERENCE).submission("accepted/add.c", SIGNED);
    let run = workspace.run(&["--sanitize", "-a"]);
    let words =
        "UndefinedBehaviorSanitizer: signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'";
    run.status(1).judged("accepted/add.c", "sample/1", "RTE", &format!("{words} in main (add.c:7)"));
}

#[apply(cli_test)]
#[needs(GPP)]
fn a_clean_program_is_accepted() {
    let workspace = with(CLEAN);
    let run = workspace.run(&["--sanitize"]);
    run.status(0).ends("accepted/sum.cpp", "AC", "met").shows("under sanitizers");
}

#[apply(cli_test)]
#[needs(GPP)]
fn a_fault_in_the_library_names_the_line_that_called_it() {
    let program = "#include <cstdio>\n#include <cstring>\nint main() {\n    char small[4];\n    long a, b;\n    \
                   if (scanf(\"%ld %ld\", &a, &b) != 2) return 1;\n    memset(small, 0, 4 + (a == 1));\n    \
                   printf(\"%ld\\n\", a + b + small[0]);\n}\n";
    let run = with(program).run(&["--sanitize", "-t", "sample"]);
    run.judged("accepted/sum.cpp", "sample/1", "RTE", "AddressSanitizer: stack-buffer-overflow in main (sum.cpp:7)");
}

#[apply(cli_test)]
#[needs(GPP)]
fn only_accepted_submissions_run_unless_others_are_named() {
    let workspace = with(CLEAN);
    workspace.problem("sum").submission("wrong_answer/three.cpp", "#include <cstdio>\nint main() { puts(\"3\"); }\n");
    let submissions =
        |run: &Run| run.of("submission_finished").map(|end| end["submission"].clone()).collect::<Vec<_>>();
    assert_eq!(submissions(&workspace.run(&["--sanitize"])), ["accepted/sum.cpp"]);
    let run = workspace.run(&["--sanitize", "-s", "three.cpp"]);
    assert_eq!(submissions(&run), ["wrong_answer/three.cpp"]);
    run.status(0).ends("wrong_answer/three.cpp", "WA", "met");
}

#[apply(cli_test)]
#[needs(GPP)]
fn other_languages_are_left_out_and_counted() {
    let workspace = with(CLEAN);
    workspace.problem("sum").submission("accepted/other.sh", SUM);
    let run = workspace.run(&["--sanitize"]);
    run.status(0).shows("2 submissions are left out: no sanitizers for Shell (bash)");
    assert_eq!(run.of("submission_finished").count(), 1);
}

#[apply(cli_test)]
#[needs(GPP)]
fn nothing_to_run_is_an_error() {
    let workspace = Workspace::with_sum();
    let run = workspace.run(&["--sanitize"]);
    run.status(2).says("1 submission is left out: no sanitizers for Shell (bash)").says("-s NAME");
    for other in [&["-c", "true"][..], &["--shard", "0/2"]] {
        workspace.grader(&[&["run", "--sanitize"], other].concat()).status(2).says("cannot be used with");
    }
}

/// A validator that reads one character too far if its input begins with `1`, and exits with 42.
const VALIDATOR: &str = "#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    volatile char *text = malloc(4);
    int first = getchar();
    volatile char last = text[first == '1' ? 4 : 0];
    return 42;
}
";

const OF_VALIDATOR: &str = "AddressSanitizer: heap-buffer-overflow in main (check.c:6)";

#[apply(cli_test)]
#[needs(GPP)]
fn an_input_validator_is_our_error() {
    let workspace = with(CLEAN);
    workspace.problem("sum").file("input_validators/check.c", VALIDATOR);
    workspace.run(&[]).status(0);
    let run = workspace.run(&["--sanitize"]);
    run.status(3).says("judge error").says("input_validators/check.c").says(OF_VALIDATOR);
    // The submission is judged all the same.
    run.ends("accepted/sum.cpp", "AC", "met");
}

#[apply(cli_test)]
#[needs(GPP)]
fn an_output_validator_is_our_error_and_never_wa() {
    let workspace = with(CLEAN);
    // Only the sum of `secret/02` begins with 1.
    workspace.problem("sum").file("output_validator/check.c", VALIDATOR);
    workspace.run(&[]).status(0);
    let run = workspace.run(&["--sanitize"]);
    run.status(3).ends("accepted/sum.cpp", "AC", "judge_error").shows("output_validator/check.c").shows(OF_VALIDATOR);
    assert_eq!(run.test("accepted/sum.cpp", "sample/1")["verdict"], "AC");
    assert_eq!(run.test("accepted/sum.cpp", "secret/02")["result"], "judge_error");
}

/// An interactive problem: the interactor sends a number, and wants it back.
fn interactive(interactor: &str, program: &str) -> Workspace {
    let workspace = Workspace::new();
    let problem = workspace.problem("echo").toml("type = \"interactive\"\n").case("secret/1", "5\n", "");
    problem.file("output_validator/check.cpp", interactor).submission("accepted/back.cpp", program);
    workspace
}

const BACK: &str =
    "#include <iostream>\nint main() {\n    int n;\n    std::cin >> n;\n    std::cout << n << std::endl;\n}\n";

const INTERACTOR: &str = "#include <iostream>\nint main() {\n    int n;\n    std::cout << 5 << std::endl;\n    if (!(std::cin >> n)) return 43;\n    return n == 5 ? 42 : 43;\n}\n";

#[apply(cli_test)]
#[needs(GPP)]
fn an_interactor_is_our_error() {
    let interactor = INTERACTOR.replace("return n == 5", "volatile int *p = new int[2];\n    return p[n] * 0 + n == 5");
    let workspace = interactive(&interactor, BACK);
    workspace.run(&["--sanitize"]).status(3).ends("accepted/back.cpp", "-", "judge_error");
    let run = workspace.run(&["--sanitize"]);
    run.shows("AddressSanitizer: heap-buffer-overflow in main (check.cpp:7)");
}

#[apply(cli_test)]
#[needs(GPP)]
fn a_conversation_is_judged_by_the_report() {
    let program = BACK.replace("std::cout << n", "volatile int *p = new int[2];\n    std::cout << n + 0 * p[n]");
    let workspace = interactive(INTERACTOR, &program);
    // The interactor rejects because it gets nothing, which is not the reason.
    let run = workspace.run(&["--sanitize"]);
    let report = "AddressSanitizer: heap-buffer-overflow in main (back.cpp:6)";
    run.status(1).judged("accepted/back.cpp", "secret/1", "RTE", report);
}

#[apply(cli_test)]
#[needs(GPP)]
fn passes_are_judged_by_the_report() {
    let workspace = Workspace::new();
    let validator =
        "n=$(cat)\n[ -e $3/nextpass.in ] && exit 43\n[ $n = 2 ] && exit 42\necho 2 > $3/nextpass.in\nexit 42\n";
    let program = "#include <cstdio>\nint main() {\n    int n;\n    volatile int *p = new int[2];\n    if (scanf(\"%d\", &n) != 1) return 1;\n    p[0] = p[n];\n    printf(\"%d\\n\", n);\n}\n";
    workspace
        .problem("two")
        .toml("type = \"multi-pass\"\n")
        .case("secret/1", "1\n", "")
        .file("output_validator/check.sh", validator)
        .submission("accepted/p.cpp", program);
    let run = workspace.run(&["--sanitize"]);
    let report = "pass 2: AddressSanitizer: heap-buffer-overflow in main (p.cpp:6)";
    run.status(1).judged("accepted/p.cpp", "secret/1", "RTE", report);
}

#[apply(cli_test)]
#[needs(GPP)]
fn plain_and_sanitized_results_are_kept_apart() {
    let workspace = with(OVERFLOW);
    for _ in 0..2 {
        workspace.run(&["--sanitize", "-a"]).status(1).ends("accepted/sum.cpp", "RTE", "missed");
        workspace.run(&["-s", "sum.cpp"]).status(0).ends("accepted/sum.cpp", "AC", "met");
    }
    // The second time, both came from the cache with the same words.
    let run = workspace.run(&["--sanitize", "-a"]);
    let (measured, cached) = run.measured_and_cached();
    assert!(cached > 0 && measured == 0, "{measured} {cached}");
    let report = "AddressSanitizer: heap-buffer-overflow in fill (sum.cpp:6)";
    run.judged("accepted/sum.cpp", "sample/1", "RTE", report);
}

#[apply(cli_test)]
#[needs(GPP)]
fn the_record_says_so_and_has_no_margins() {
    let workspace = with(CLEAN);
    let run = workspace.run(&["--sanitize"]);
    run.hides("margins").hides("limit ");
    let head = run.of("run_started").next().unwrap();
    assert_eq!(head["sanitize"], true);
    assert_eq!(head["problems"][0].get("margins"), None);
    let plain = workspace.run(&[]);
    assert_eq!(plain.of("run_started").next().unwrap().get("sanitize"), None);
    plain.shows("margins safe");
    // What is shown of the record later says the same.
    workspace.run(&["--sanitize"]);
    workspace.grader(&["report", "last"]).shows("under sanitizers").hides("margins");
    let compared = workspace.grader(&["compare", "--format", "json"]);
    let compared: Value = serde_json::from_str(&compared.stdout).unwrap();
    assert_eq!(compared["times_not_compared"], "sanitizers change times", "{compared}");
}

#[apply(cli_test)]
#[needs(GPP)]
fn too_slow_is_not_judged() {
    let program = CLEAN.replace("long a, b;\n", "long a, b;\n    for (volatile long i = 0;; i = i + 1) {}\n");
    let workspace = with(&program);
    workspace.problem("sum").toml(&format!("{REFERENCE}limits.time_limit = 0.02\n"));
    workspace.run(&["-s", "sum.cpp", "-t", "sample"]).status(1).ends("accepted/sum.cpp", "TLE", "missed");
    let run = workspace.run(&["--sanitize", "-t", "sample"]);
    let test = run.test("accepted/sum.cpp", "sample/1");
    assert_eq!(test["result"], "not_judged", "{test}");
    assert_eq!(test["reason"], "not judged: too slow or too large under sanitizers");
    run.hides("TLE").shows("1 not judged: too slow or too large under sanitizers");
    let (_, found) = findings(&workspace, &["--sanitize", "--try-time", "0"]);
    assert!(found.iter().any(|(code, file, told)| {
        code == "submission-not-judged" && file == "sum.cpp" && told.starts_with("under sanitizers: sample/1")
    }));
}

/// A table in which the libraries of the sanitizers are missing.
const WITHOUT_LIBRARIES: &str = "[language.cpp]\nsanitize = [\"-lno-such-sanitizer\"]\n";

#[apply(cli_test)]
#[needs(GPP)]
fn a_missing_library_is_not_a_compile_error() {
    let workspace = with(CLEAN);
    workspace.file("grader.toml", WITHOUT_LIBRARIES);
    let run = workspace.run(&["--sanitize"]);
    run.ends("accepted/sum.cpp", "-", "not_judged").shows("not with sanitizers").shows("apt install").hides("CE");
    run.status(2);
    workspace.run(&["-s", "sum.cpp"]).status(0).ends("accepted/sum.cpp", "AC", "met");
}

#[apply(cli_test)]
#[needs(GPP)]
fn a_compile_error_stays_one() {
    let workspace = with("int main() { return nothing; }\n");
    let run = workspace.run(&["--sanitize"]);
    run.status(1).ends("accepted/sum.cpp", "CE", "missed").shows("nothing");
}

#[apply(cli_test)]
#[needs(GPP)]
fn a_faked_report_is_only_a_run_time_error() {
    let faked = CLEAN.replace(
        "long a, b;\n",
        "long a, b;\n    fputs(\"==1==ERROR: AddressSanitizer: my own words on address 0x1\\n\", stderr);\n",
    );
    with(&faked).run(&["--sanitize"]).status(0).ends("accepted/sum.cpp", "AC", "met");
    let ended = faked.replace("return scanf", "if (stdin) return 86;\n    return scanf");
    with(&ended).run(&["--sanitize"]).status(1).ends("accepted/sum.cpp", "RTE", "missed");
}

#[apply(cli_test)]
#[needs(GPP)]
fn flags_come_from_the_table() {
    let workspace = with(OVERFLOW);
    workspace.file("grader.toml", "[language.cpp]\nsanitize = [\"-fsanitize=signed-integer-overflow\", \"-g\"]\n");
    workspace.run(&["--sanitize"]).status(0).ends("accepted/sum.cpp", "AC", "met");
    workspace.file("grader.toml", "[language.cpp]\nsanitize = []\n");
    workspace.run(&["--sanitize"]).status(2).says("2 submissions are left out: no sanitizers for C++, Shell (bash)");
}

#[apply(cli_test)]
#[needs(GPP)]
fn a_run_is_repeated_with_sanitizers() {
    let workspace = with(OVERFLOW);
    let run = workspace.run(&["--sanitize"]);
    run.shows("grader run sum -s accepted/sum.cpp --sanitize -t sample/1");
    workspace.grader(&["rerun", "--sanitize"]).status(1).shows("heap-buffer-overflow");
    workspace.grader(&["rerun"]).status(0);
}

/// The findings of `verify --sanitize` that sanitizers have a part in: code, file and message.
fn reported(workspace: &Workspace) -> Vec<(String, String, String)> {
    let quiet = ["--sanitize", "--allow", "no-statement", "--allow", "input-corruption-accepted"];
    let (_, found) = findings(workspace, &quiet);
    found.into_iter().filter(|(code, ..)| code == "sanitizer-report").collect()
}

#[apply(cli_test)]
#[needs(GPP)]
fn verify_reports_every_program() {
    let workspace = with(OVERFLOW);
    let generator = "#include <cstdio>\n#include <cstdlib>\nint main(int, char **argv) {\n    volatile int *p = new int[2];\n    \
                     printf(\"%d 2\\n\", atoi(argv[1]) + 0 * p[atoi(argv[1])]);\n}\n";
    workspace
        .problem("sum")
        .file("input_validators/check.c", VALIDATOR)
        .file("generators/gen.cpp", generator)
        .file("generators/generators.yaml", "data: {secret: {data: {a: gen.cpp 1, b: gen.cpp 2, c: gen.cpp 3}}}\n");
    let (run, plain) = findings(&workspace, &["--try-time", "0"]);
    run.hides("AddressSanitizer");
    assert!(plain.iter().all(|(code, ..)| code != "sanitizer-report"), "{plain:?}");
    let found = reported(&workspace);
    let has =
        |file: &str, words: &str| found.iter().filter(|(_, path, told)| path == file && told.contains(words)).count();
    assert_eq!(has("gen.cpp", "gen.cpp 2: AddressSanitizer: heap-buffer-overflow in main (gen.cpp:5)"), 1, "{found:?}");
    assert_eq!(has("sum.cpp", "AddressSanitizer: heap-buffer-overflow in fill (sum.cpp:6)"), 1, "{found:?}");
    assert!(has("1.in", OF_VALIDATOR) > 0, "{found:?}");
}

#[apply(cli_test)]
#[needs(GPP)]
fn verify_runs_validators_on_wrong_data() {
    let workspace = with(CLEAN);
    // Only an input without anything in it reads too far, and no case is one.
    let validator = "#include <stdio.h>\n#include <stdlib.h>\nint main(void) {\n    volatile char *text = malloc(4);\n    \
                     volatile char last = text[getchar() == EOF ? 4 : 0];\n    return 42;\n}\n";
    workspace.problem("sum").file("input_validators/check.c", validator);
    let found = reported(&workspace);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].2.contains("heap-buffer-overflow in main (check.c:5)"), "{found:?}");
}

#[apply(cli_test)]
#[needs(GPP)]
fn a_sound_problem_has_no_findings_under_sanitizers() {
    let workspace = with(CLEAN);
    workspace.problem("sum").file("input_validators/check.c", "int main(void) { return 42; }\n");
    assert_eq!(reported(&workspace), []);
    let run = workspace.grader(&["verify", "--sanitize"]);
    run.says("1 submission is left out: no sanitizers for Shell (bash)");
}
