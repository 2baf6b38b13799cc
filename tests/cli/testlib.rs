//! Programs of testlib: checkers, interactors, validators and generators with its arguments and exit codes.
//!
//! No test needs the original header. Most programs are scripts that a setting gives testlib's protocol. The others include
//! a header of a few lines that offers their calls.

use macro_rules_attribute::apply;

use crate::cli::need::Need;
use crate::cli::run::Run;
use crate::cli::workspace::{SUM, Workspace};

/// The calls of testlib that the programs here use, with the stock exit codes.
pub(super) const HEADER: &str = r#"#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#ifndef OK_EXIT_CODE
#define OK_EXIT_CODE 0
#endif
enum TResult { _ok = OK_EXIT_CODE, _wa = 1, _pe = 2, _fail = 3 };
struct Stream {
    FILE *file;
    TResult broken;
    int readInt() {
        int number, first = file ? fgetc(file) : EOF;
        bool strict = broken == _fail && file == stdin;
        if (strict && (first < '1' || first > '9')) exit(broken);
        if (file) ungetc(first, file);
        if (!file || fscanf(file, "%d", &number) != 1) { fprintf(stderr, "wrong output format Expected int32\n"); exit(broken); }
        return number;
    }
    int readInt(int least, int most, const char *name) {
        int number = readInt();
        if (number < least || number > most) { fprintf(stderr, "wrong answer %s is out of range\n", name); exit(broken == _fail ? _fail : _wa); }
        return number;
    }
    void readEoln() { if (fgetc(file) != '\n') exit(broken); }
    void readEof() { if (fgetc(file) != EOF) exit(broken); }
};
// Not random. For one seed, what the original gives to the skeletons of `grader new`.
struct Random {
    unsigned long seed;
    int next(int least, int most) { return seed == 2131583640 ? 71 : least + seed % (most - least + 1); }
};
static Random rnd;
static Stream inf, ouf, ans;
inline void registerTestlibCmd(int argc, char **argv) {
    if (argc != 4) { fprintf(stderr, "FAIL %d arguments\n", argc - 1); exit(_fail); }
    inf = {fopen(argv[1], "r"), _fail}, ouf = {fopen(argv[2], "r"), _pe}, ans = {fopen(argv[3], "r"), _fail};
}
inline void registerInteraction(int, char **argv) {
    inf = {fopen(argv[1], "r"), _fail}, ouf = {stdin, _pe};
}
inline void registerValidation(int, char **) { inf = {stdin, _fail}; }
inline void registerGen(int argc, char **argv, int) { rnd.seed = argc > 2 ? strtoul(argv[2], 0, 10) : 0; }
inline void quitf(TResult result, const char *format, ...) {
    char more;
    if (result == _ok && ouf.file && fscanf(ouf.file, " %c", &more) == 1) {
        fprintf(stderr, "wrong output format Extra information in the output file\n");
        exit(_pe);
    }
    const char *words[] = {"ok ", "wrong answer ", "wrong output format ", "FAIL "};
    fputs(result == _ok ? words[0] : words[result], stderr);
    va_list rest;
    va_start(rest, format), vfprintf(stderr, format, rest), va_end(rest);
    fputc('\n', stderr);
    exit(result);
}
"#;

/// Compares one number.
pub(super) const CHECKER: &str = "#include \"testlib.h\"
int main(int argc, char **argv) {
    registerTestlibCmd(argc, argv);
    int wanted = ans.readInt(), found = ouf.readInt();
    if (wanted != found) quitf(_wa, \"expected %d, found %d\", wanted, found);
    quitf(_ok, \"%d\", found);
}
";

const TESTLIB: &str = "validator_protocol = \"testlib\"\n";

/// The problem `sum`, judged by this script as by a checker of testlib.
fn checked_by(script: &str) -> Workspace {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").toml(TESTLIB).file("output_validator/check.sh", script);
    workspace
}

/// Runs the first case of `sum` with a checker that prints `said` on standard error and exits with `code`.
fn ended(said: &str, code: i32) -> Run {
    checked_by(&format!("echo '{said}' >&2\nexit {code}\n")).run(&["-t", "sample"])
}

#[apply(cli_test)]
fn a_checker_gets_the_files_in_its_order() {
    let script = "[ $# = 3 ] || exit 3\nread a b < $1\nread out < $2\nread answer < $3\nread more && exit 3\n\
                  [ $((a + b)) = $answer ] || exit 3\n[ $out = $answer ] && exit 0\necho 'wrong answer not it' >&2\nexit 1\n";
    let workspace = checked_by(script);
    workspace.problem("sum").submission("wrong_answer/three.sh", "read a b\necho $((a + b + 1))\n");
    let run = workspace.run(&[]);
    run.status(0).ends("accepted/sum.sh", "AC", "met");
    run.judged("wrong_answer/three.sh", "sample/1", "WA", "not it");
}

#[apply(cli_test)]
fn options_that_a_group_states_come_first() {
    let script = "[ \"$1 $2\" = '--group two' ] || { echo \"FAIL $*\" >&2; exit 3; }\n[ $# = 5 ] && cmp -s $4 $5\n";
    let workspace = checked_by(script);
    workspace.file("testcases/sum/secret/test_group.toml", "output_validator_args = [\"--group\", \"two\"]\n");
    workspace.run(&["-t", "secret"]).status(0).ends("accepted/sum.sh", "AC", "met");
}

#[apply(cli_test)]
fn a_presentation_error_is_wa_with_its_word() {
    for (said, code, reason) in [
        ("wrong answer 1st numbers differ", 1, "1st numbers differ"),
        ("wrong output format Expected int32", 2, "wrong output format Expected int32"),
        ("wrong output format Extra information", 4, "wrong output format Extra information"),
        ("unexpected eof token expected", 8, "unexpected eof token expected"),
    ] {
        let run = ended(said, code);
        run.status(1).judged("accepted/sum.sh", "sample/1", "WA", reason);
    }
}

#[apply(cli_test)]
fn an_exit_code_that_is_no_decision_is_a_judge_error() {
    for (code, shows) in [
        (3, "exit code 3 (FAIL of testlib)"),
        (5, "exit code 5 instead of 0 (ok), 1 (wrong answer), 2, 4, 8 (presentation error) or 7 (points)"),
        (5, "`validator_protocol` in the problem's settings or grader.toml sets another"),
        (42, "if it follows icpc, set `validator_protocol = \"icpc\"`"),
        (43, "if it follows icpc, set `validator_protocol = \"icpc\"`"),
    ] {
        let run = ended("my own words", code);
        run.status(3).ends("accepted/sum.sh", "-", "judge_error").shows(shows).shows("my own words");
    }
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn an_exception_of_a_checker_is_a_judge_error() {
    let workspace = Workspace::with_sum();
    let script = "import sys\nwords = open(sys.argv[2]).read().split()\nsys.exit(words[7] == '8')\n";
    workspace.problem("sum").toml(TESTLIB).file("output_validator/check.py", script);
    let run = workspace.run(&["-t", "sample"]);
    run.status(3).ends("accepted/sum.sh", "-", "judge_error");
    run.shows("ended by an exception that it does not catch").shows("IndexError");
}

#[apply(cli_test)]
fn hostile_checkers_are_judge_errors() {
    for (script, shows) in [
        ("kill -SEGV $$\n", "crashed with SIGSEGV"),
        ("sleep 100\n", "its own limits"),
        ("head -c 1000000000 /dev/zero >&2\n", "its own limits"),
    ] {
        let workspace = checked_by(script);
        workspace.file("grader.toml", "validation.wall_limit = 2\n");
        workspace.run(&["-t", "sample"]).status(3).ends("accepted/sum.sh", "-", "judge_error").shows(shows);
    }
}

#[apply(cli_test)]
fn the_answer_may_be_missing() {
    let workspace = Workspace::new();
    workspace
        .problem("sum")
        .toml(&format!("{TESTLIB}type = \"interactive\"\n"))
        .case("secret/1", "5\n", "")
        .file("output_validator/talk.sh", "[ -e $3 ] && [ ! -s $3 ] && [ $# = 3 ] && read it && [ $it = 5 ]\n")
        .submission("accepted/five.sh", "echo 5\n");
    std::fs::remove_file(workspace.path("testcases/sum/secret/1.ans")).unwrap();
    workspace.run(&[]).status(0).ends("accepted/five.sh", "AC", "met");
}

#[apply(cli_test)]
fn results_of_students_depend_on_the_protocol() {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").file("output_validator/check.sh", "cmp -s $2 $3 || exit 1\n");
    workspace.file("student/sum.sh", SUM);
    let judge = || workspace.grader(&["judge", "sum", "student/sum.sh"]);
    judge().status(3).shows("exit code 1 instead of 42");
    workspace.file("grader.toml", TESTLIB);
    judge().status(0);
    workspace.file("grader.toml", "validator_protocol = \"icpc\"\n");
    judge().status(3);
}

/// The problem `sum` with 100 points for four cases, judged by this script.
fn scored_by(keys: &str, script: &str) -> Workspace {
    let workspace = Workspace::new();
    let problem = workspace.problem("sum").toml(&format!("{keys}type = \"scoring\"\n"));
    for n in ["1", "2", "3", "4"] {
        problem.case(&format!("secret/{n}"), &format!("{n} 1\n"), "x\n");
    }
    problem.file("output_validator/check.sh", script).submission("accepted/sum.sh", SUM);
    workspace
}

#[track_caller]
fn gets(workspace: &Workspace, score: f64) {
    let run = workspace.run(&[]);
    assert_eq!(run.end("accepted/sum.sh")["score"], score, "{}", run.all());
}

#[apply(cli_test)]
fn points_are_points_of_the_case_or_percent() {
    let ten = "echo 'points 10 well' >&2\nexit 7\n";
    gets(&scored_by(TESTLIB, ten), 40.0);
    gets(&scored_by("validator_protocol = \"testlib-percent\"\n", ten), 10.0);
    gets(&scored_by(TESTLIB, "echo 'partially correct (20) half' >&2\nexit 20\n"), 80.0);
    gets(&scored_by(TESTLIB, "echo 'ok fine' >&2\nexit 0\n"), 100.0);
    let run = scored_by(TESTLIB, "echo 'points 0 nothing' >&2\nexit 7\n").run(&["-t", "secret/1"]);
    run.judged("accepted/sum.sh", "secret/1", "WA", "points 0 nothing");
}

#[apply(cli_test)]
fn points_that_mean_nothing_are_judge_errors() {
    for (said, code, shows) in [
        ("points 10 well", 7, "gives points, but the problem has none"),
        ("partially correct (0) no", 0, "gives points, but the problem has none"),
        ("points well", 7, "without a number from 0 in its message `points well`"),
        ("points_info=a", 7, "without a number from 0"),
    ] {
        ended(said, code).status(3).ends("accepted/sum.sh", "-", "judge_error").shows(shows);
    }
    let run = scored_by(TESTLIB, "echo 'points 26' >&2\nexit 7\n").run(&["-t", "secret/1"]);
    run.status(3).ends("accepted/sum.sh", "-", "judge_error").shows("26");
}

const CMS: &str = "validator_protocol = \"cms\"\n";

#[apply(cli_test)]
fn a_checker_of_cms_gets_the_answer_before_the_output() {
    let workspace = Workspace::with_sum();
    let script = "[ $# = 3 ] || exit 3\nread a b < $1\nread answer < $2\nread out < $3\nread more && exit 3\n\
                  [ $((a + b)) = $answer ] || exit 3\nif [ $out = $answer ]; then echo 1.0; echo translate:success >&2\n\
                  else echo 0; echo translate:wrong >&2; echo \"$out is not it\" >&2; fi\n";
    let problem = workspace.problem("sum").toml(CMS).file("output_validator/check.sh", script);
    problem.submission("wrong_answer/three.sh", "read a b\necho $((a + b + 1))\n");
    problem.file("input_validators/valid.sh", "read a b || exit 1\n");
    let run = workspace.run(&[]);
    run.status(0).ends("accepted/sum.sh", "AC", "met");
    run.judged("wrong_answer/three.sh", "sample/1", "WA", "is not it");
    workspace.grader(&["verify", "--data-only"]).hides("input-rejected");
    workspace.grader(&["export", "sum", "--for", "domjudge", "-o", "out", "--force"]).shows("by the protocol of CMS");
    workspace.grader(&["export", "sum", "--for", "italy-yaml", "-o", "italy", "--force", "--lossy"]);
    assert!(workspace.path("italy/sum/check/checker.sh").is_file());
}

#[apply(cli_test)]
fn a_share_of_cms_is_points_or_a_judge_error() {
    gets(&scored_by(CMS, "echo 0.25\n"), 25.0);
    gets(&scored_by(CMS, "echo 1\n"), 100.0);
    scored_by(CMS, "echo 0\n").run(&["-t", "secret/1"]).judged("accepted/sum.sh", "secret/1", "WA", "");
    for (script, shows) in [
        ("echo 0.5\n", "gives points, but the problem has none"),
        ("echo well\n", "no share of the points from 0 to 1 in the first line of its output, `well`"),
        ("echo 1.5\n", "no share of the points"),
        ("echo nan\n", "no share of the points"),
        ("", "no share of the points"),
        ("echo 1\nexit 1\n", "exit code 1 instead of 0; cms is its protocol"),
        ("exit 42\n", "if it follows icpc, set `validator_protocol = \"icpc\"`"),
        ("kill -SEGV $$\n", "crashed with SIGSEGV"),
        ("head -c 1000000000 /dev/zero\n", "its own limits"),
    ] {
        let workspace = Workspace::with_sum();
        workspace.problem("sum").toml(CMS).file("output_validator/check.sh", script);
        workspace.run(&["-t", "sample"]).status(3).ends("accepted/sum.sh", "-", "judge_error").shows(shows);
    }
    let talk = Workspace::new();
    let problem = talk.problem("talk").toml(&format!("{CMS}type = \"interactive\"\n")).case("secret/1", "5\n", "5\n");
    problem.file("output_validator/talk.sh", "echo 1\n").submission("accepted/five.sh", "echo 5\n");
    talk.run(&[]).status(3).shows("CMS has no interactors");
}

#[apply(cli_test)]
fn a_validator_rejects_with_its_words() {
    let workspace = Workspace::with_sum();
    let script = "echo 'FAIL Expected integer (stdin, line 1)' >&2\nexit 3\n";
    workspace.problem("sum").toml(TESTLIB).file("input_validators/check.sh", script);
    let run = workspace.run(&["-t", "sample"]);
    run.status(2).says("rejected by input_validators/check.sh: Expected integer (stdin, line 1)").says("sample/1.in");
    workspace.file("testcases/sum/sample/1.in", "1 2\r\n");
    workspace.run(&["-t", "sample"]).says("line ends of Windows (CR LF)");
    workspace.problem("sum").file("input_validators/check.sh", "exit 42\n");
    workspace.run(&["-t", "sample"]).status(3).says("exit code 42 instead of 0 (ok)");
    workspace.problem("sum").file("input_validators/check.sh", "exit 0\n");
    workspace.run(&["-t", "sample"]).says("").hides("rejected by");
}

#[apply(cli_test)]
fn verify_names_the_codes_of_the_protocol() {
    let workspace = checked_by("read out < $2\n[ \"$out\" -eq \"$out\" ] || kill -SEGV $$\ncmp -s $2 $3\n");
    let run = workspace.grader(&["verify", "sum", "--try-time", "3"]);
    run.status(3).shows("add a validator of testlib, or a program that exits with 42").shows("crashed with SIGSEGV");
    run.shows("read with testlib's streams").hides("exit with 43 if");
    // The partners of an interactor with a checker behind it.
    let workspace = relayed("kill -SEGV $$\n", "exit 0\n");
    let run = workspace.grader(&["verify", "twice", "--try-time", "3"]);
    run.shows("interactor/relay.sh").shows("read with testlib's streams");
}

/// Sends each line of the input to the submission, and writes what it answers into `tout`.
const RELAY: &str = "exec 3< $1\nwhile read line <&3; do\n    echo \"$line\"\n    \
    read reply || { echo 'wrong output format it ended' >&2; exit 2; }\n    echo \"$reply\" >> $2\ndone\n\
    echo 'ok all said' >&2\n";
const TWICE: &str = "while read n; do echo $((2 * n)); done\n";

/// An interactive problem whose checker judges what the interactor wrote.
fn relayed(interactor: &str, checker: &str) -> Workspace {
    let workspace = Workspace::new();
    workspace
        .problem("twice")
        .toml(&format!("{TESTLIB}type = \"interactive\"\nlimits.wall_limit = 20\n"))
        .case("secret/1", "1\n2\n3\n", "2\n4\n6\n")
        .file("interactor/relay.sh", interactor)
        .file("output_validator/check.sh", checker)
        .submission("accepted/twice.sh", TWICE);
    workspace
}

#[apply(cli_test)]
fn the_checker_judges_what_the_interactor_wrote() {
    let workspace = relayed(RELAY, "cmp -s $2 $3 && exit 0\necho 'wrong answer they differ' >&2\nexit 1\n");
    workspace
        .problem("twice")
        .submission("wrong_answer/same.sh", "while read n; do echo $n; done\n")
        .submission("wrong_answer/early.sh", "read n\necho 2\n")
        .submission("run_time_error/crash.sh", "read n\nexit 1\n");
    let run = workspace.run(&[]);
    run.status(0).ends("accepted/twice.sh", "AC", "met").ends("run_time_error/crash.sh", "RTE", "met");
    run.judged("wrong_answer/same.sh", "secret/1", "WA", "they differ");
    run.judged("wrong_answer/early.sh", "secret/1", "WA", "wrong output format it ended");
    // The second run knows all of it.
    let (measured, cached) = workspace.run(&[]).measured_and_cached();
    assert_eq!((measured, cached), (0, 4));
}

#[apply(cli_test)]
fn failures_of_either_are_judge_errors() {
    let compare = "cmp -s $2 $3\n";
    for (interactor, checker, shows) in [
        ("echo 'FAIL no such case' >&2\nexit 3\n", compare, "interactor/relay.sh: exit code 3 (FAIL of testlib)"),
        ("exit 9\n", compare, "interactor/relay.sh: exit code 9 instead of 0 (ok)"),
        (RELAY, "exit 3\n", "output_validator/check.sh: exit code 3 (FAIL of testlib)"),
        ("rm -f $2\nmkdir $2\n", compare, "the file that the interactor wrote cannot be read"),
    ] {
        let run = relayed(interactor, checker).run(&[]);
        run.status(3).ends("accepted/twice.sh", "-", "judge_error").shows(shows);
    }
}

#[apply(cli_test)]
fn an_interactor_alone_decides() {
    let workspace = relayed(RELAY, "");
    std::fs::remove_dir_all(workspace.path("problems/twice/output_validator")).unwrap();
    workspace.run(&[]).status(0).ends("accepted/twice.sh", "AC", "met");
}

#[apply(cli_test)]
fn interactors_of_other_protocols_write_nothing_to_check() {
    let workspace = relayed(RELAY, "exit 42\n");
    workspace.problem("twice").toml("type = \"interactive\"\n");
    workspace.run(&[]).status(2).says("the interactor writes no file that output_validator/ could judge");
    workspace.problem("twice").toml(TESTLIB);
    workspace.run(&[]).says("only in a problem of type `interactive`");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("g++")])]
fn the_source_says_that_it_is_testlib() {
    let workspace = Workspace::with_sum();
    workspace
        .problem("sum")
        .file("output_validator/check.cpp", CHECKER)
        .file("output_validator/testlib.h", HEADER)
        .submission("wrong_answer/words.sh", "echo words\n");
    let run = workspace.run(&["-t", "sample"]);
    run.status(0).ends("accepted/sum.sh", "AC", "met");
    run.judged("wrong_answer/words.sh", "sample/1", "WA", "wrong output format Expected int32");
    // A header that exits with 42 makes it a validator of the ICPC format, which gets other arguments.
    let patched = format!("#define OK_EXIT_CODE 42\n{HEADER}");
    workspace.problem("sum").file("output_validator/testlib.h", &patched);
    workspace.run(&["-t", "sample"]).status(3).shows("exit code 3 instead of 42 (accept) or 43 (reject)");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("g++")])]
fn the_header_is_found_beside_in_the_problem_or_by_its_setting() {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").file("output_validator/check.cpp", CHECKER);
    for place in ["problems/sum/files/testlib.h", "problems/sum/testlib.h"] {
        workspace.file(place, HEADER);
        workspace.run(&["-t", "sample"]).status(0).ends("accepted/sum.sh", "AC", "met");
        std::fs::remove_file(workspace.path(place)).unwrap();
    }
    workspace.file("headers/testlib.h", HEADER).file("grader.toml", "testlib = \"headers/testlib.h\"\n");
    workspace.run(&["-t", "sample"]).status(0).ends("accepted/sum.sh", "AC", "met");
    // The header is part of the build: with another one, the checker is built anew.
    workspace.file("headers/testlib.h", HEADER.replace("OK_EXIT_CODE 0", "OK_EXIT_CODE 6"));
    workspace.run(&["-t", "sample"]).status(3).shows("exit code 6 instead of 0 (ok)");
    workspace.file("grader.toml", "testlib = \"headers/nothing.h\"\n");
    workspace.run(&["-t", "sample"]).status(3).says("the setting `testlib` names").says("headers/nothing.h");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("g++")])]
fn validators_and_generators_find_the_header() {
    let workspace = Workspace::with_sum();
    let validator = "#include \"testlib.h\"\nint main(int argc, char **argv) {\n    registerValidation(argc, argv);\n    \
                     if (inf.readInt() > 5) quitf(_fail, \"too large\");\n}\n";
    let generator = "#include \"testlib.h\"\nint main(int argc, char **argv) { registerGen(argc, argv, 1); \
                     printf(\"%s %s\\n\", argv[1], argv[2]); }\n";
    workspace
        .problem("sum")
        .file("testlib.h", HEADER)
        .file("input_validators/check.cpp", validator)
        .file("generators/two.cpp", generator)
        .file("generators/generators.yaml", "data: {secret: {data: {a: two.cpp 5 6, b: two.cpp 6 6}}}\n");
    let run = workspace.grader(&["gen", "sum"]);
    run.says("rejected by input_validators/check.cpp: too large");
    assert_eq!(workspace.read("testcases/sum/secret/a.in"), "5 6\n");
}

#[apply(cli_test)]
fn settings_choose_the_protocol() {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").file("output_validator/check.sh", "cmp -s $2 $3\n");
    workspace.file("grader.toml", TESTLIB);
    workspace.run(&["-t", "sample"]).status(0).ends("accepted/sum.sh", "AC", "met");
    workspace.problem("sum").toml("validator_protocol = \"icpc\"\n");
    workspace.run(&["-t", "sample"]).status(3).shows("instead of 42 (accept) or 43 (reject)");
    let run = workspace.call(&["-t", "sample"]).env("GRADER_VALIDATOR_PROTOCOL", "testlib").run();
    run.status(0).ends("accepted/sum.sh", "AC", "met");
    workspace.problem("sum").toml("validator_protocol = \"tesstlib\"\n");
    workspace
        .run(&[])
        .status(2)
        .says("`icpc` or `testlib` or `testlib-percent` or `cms`")
        .says("did you mean `testlib`");
    workspace.grader(&["config"]).shows("validator_protocol");
}
