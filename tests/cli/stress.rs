//! `grader stress`: what differs is found, made small, and shown; and what is not the submission's fault.

use std::time::Duration;

use macro_rules_attribute::apply;

use crate::cli::need::Need;
use crate::cli::run::{Call, Run};
use crate::cli::workspace::Workspace;

/// `n` and as many numbers; their sum is wanted.
const VALIDATOR: &str = "read n || exit 43\nread rest || exit 43\nset -- $rest\n[ \"$n\" -ge 1 ] && [ $# = \"$n\" ] || \
                         { echo \"$# numbers, not $n\"; exit 43; }\nfor x; do [ \"$x\" -ge 1 ] || exit 43; done\n\
                         [ \"$rest\" = \"$*\" ] || exit 43\nexit 42\n";
/// `count most seed`: numbers below `most`.
const GEN: &str = "RANDOM=$3\necho $1\nfor i in $(seq $1); do set -- $1 $2 $3 \"$4${4:+ }$((RANDOM % $2 + 1))\"; \
                   done\necho \"$4\"\n";
const TOTAL: &str = "read n\nread rest\nsum=0\nfor x in $rest; do sum=$((sum + x)); done\necho $sum\n";

fn total() -> Workspace {
    let workspace = Workspace::new();
    workspace
        .problem("total")
        .case("secret/1", "1\n5\n", "5\n")
        .submission("accepted/total.sh", TOTAL)
        .submission("wrong_answer/large.sh", &TOTAL.replace("sum + x", "sum + (x > 7 ? 7 : x)"))
        .file("input_validators/check.sh", VALIDATOR)
        .file("generators/gen.sh", GEN);
    workspace
}

#[track_caller]
fn stress(workspace: &Workspace, submission: &str, more: &[&str]) -> Run {
    let words = ["stress", "total", submission, "--gen", "gen.sh 6 20 {seed}", "--count", "30", "--seed", "1"];
    workspace.grader(&[&words, more].concat())
}

const FOUND: &str = ".grader/last/total/stress";

#[apply(cli_test)]
fn a_wrong_answer_is_found_and_made_small() {
    let workspace = total();
    let run = stress(&workspace, "large.sh", &[]);
    run.status(1).silent().shows("total · wrong_answer/large.sh against accepted/total.sh").shows("✗ WA after ");
    run.shows("shrunk").shows("expected `8`, got `7`").shows("input    1 ⏎ 8");
    run.shows("again    grader stress total wrong_answer/large.sh --seed 1 --gen 'gen.sh 6 20 {seed}'");
    run.shows("add it   grader add total .grader/last/total/stress/wrong_answer/large.sh/found.in");
    assert_eq!(workspace.read(format!("{FOUND}/wrong_answer/large.sh/found.in")), "1\n8\n");
    assert_eq!(workspace.read(format!("{FOUND}/wrong_answer/large.sh/found.ans")), "8\n");
    let run = stress(&workspace, "large.sh", &["--no-shrink"]);
    run.status(1).hides("shrunk");
    assert!(workspace.read(format!("{FOUND}/wrong_answer/large.sh/found.in")).starts_with("6\n"));
}

#[apply(cli_test)]
fn a_crash_is_found() {
    let workspace = total();
    let text = TOTAL.replace("do sum", "do [ $x = 5 ] && { echo five >&2; exit 4; }; [ $x = 6 ] && exit 3; sum");
    workspace.problem("total").submission("run_time_error/five.sh", &text);
    let run = stress(&workspace, "five.sh", &[]);
    run.status(1).shows("✗ RTE after ").shows("exit code ");
    // Made smaller it is the same crash, not the other one.
    let input = workspace.read(format!("{FOUND}/run_time_error/five.sh/found.in"));
    let code = if input == "1\n5\n" { "exit code 4" } else { "exit code 3" };
    assert!(input == "1\n5\n" || input == "1\n6\n", "{input}");
    run.shows(code);
}

#[apply(cli_test)]
fn a_slow_submission_is_found() {
    let workspace = total();
    let text = TOTAL.replace("do sum", "do while [ $x = 3 ]; do :; done; sum");
    workspace.problem("total").submission("time_limit_exceeded/loop.sh", &text);
    let words = ["stress", "total", "loop.sh", "--gen", "gen.sh 3 3 {seed}", "--seed", "1", "--count", "30"];
    let run = workspace.grader(&[&words[..], &["--time-limit", "0.1"]].concat());
    run.status(1).shows("✗ TLE after ").shows("input    1 ⏎ 3");
}

#[apply(cli_test)]
fn nothing_is_found_in_right_submissions() {
    let workspace = total();
    workspace.problem("total").submission("accepted/other.sh", &format!("# the same\n{TOTAL}"));
    workspace.problem("total").toml("reference = \"total.sh\"\n");
    stress(&workspace, "other.sh", &[]).status(0).silent().shows("✓ no difference on 30 inputs in ").shows("--seed 1");
    let run = workspace.grader(&["stress", "total", "other.sh", "--gen", "gen.sh 2 3 {seed}", "--seconds", "0.5"]);
    run.status(0).shows("✓ no difference on ");
    // A program that belongs to no problem will do as well.
    workspace.file("mine/large.sh", TOTAL.replace("$sum\n", "$((sum + 1))\n"));
    stress(&workspace, "mine/large.sh", &[]).status(1).shows("input    1 ⏎ 1");
}

#[apply(cli_test)]
fn the_same_seed_tries_the_same() {
    let workspace = total();
    let shown = |seed: &str| {
        let words = ["stress", "total", "large.sh", "--gen", "gen.sh 6 20 {seed}", "--count", "9", "--seed", seed];
        workspace.grader(&words).status(1).stdout.clone()
    };
    assert_eq!(shown("7"), shown("7"));
    assert_ne!(shown("7"), shown("8"));
}

#[apply(cli_test)]
fn without_validators_only_arguments_become_smaller() {
    let workspace = total();
    std::fs::remove_dir_all(workspace.path("problems/total/input_validators")).unwrap();
    let run = stress(&workspace, "large.sh", &[]);
    run.status(1)
        .shows("without an input validator, grader shrinks only the generator's arguments")
        .shows("shrunk by gen.sh 1 ");
    assert!(workspace.read(format!("{FOUND}/wrong_answer/large.sh/found.in")).starts_with("1\n"));
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn generators_are_taken_from_the_file() {
    let workspace = total();
    let python = "import random, sys\nrandom.seed(int(sys.argv[1]))\nprint(1)\nprint(random.randint(1, 9))\n";
    workspace.problem("total").file("generators/one.py", python).file(
        "generators/generators.yaml",
        "data: {secret: {data: {fixed: gen.sh 2 2 1, a: 'gen.sh 3 5 {seed}', b: 'one.py {seed}'}}}\n",
    );
    let run = workspace.grader(&["stress", "total", "large.sh", "--count", "60", "--seed", "1"]);
    // Only the second makes numbers that are large enough.
    run.status(1).shows("inputs: one.py ").shows("input    1 ⏎ 8");
    workspace.problem("total").file("generators/generators.yaml", "data: {secret: {data: {fixed: gen.sh 2 2 1}}}\n");
    let run = workspace.grader(&["stress", "total", "large.sh"]);
    run.status(2).says("no command of generators/generators.yaml contains `{seed}`").says("--gen");
}

#[apply(cli_test)]
fn an_invalid_input_is_the_generators_fault() {
    let workspace = total();
    workspace.problem("total").file("generators/bad.sh", "echo 2\necho 5\n").file("generators/crash.sh", "exit 7\n");
    let with = |gen_: &str| workspace.grader(&["stress", "total", "large.sh", "--gen", gen_, "--seed", "1"]);
    let run = with("bad.sh {seed}");
    run.status(2).says("the input of `bad.sh ").says("rejected by input_validators/check.sh: 1 numbers, not 2");
    run.says("found.in").hides("✗");
    with("crash.sh {seed}").status(2).says("crash.sh ").says("the generator fails: exit code 7");
}

#[apply(cli_test)]
fn a_failing_reference_is_told() {
    let workspace = total();
    workspace.problem("total").submission("accepted/total.sh", "exit 1\n");
    let run = stress(&workspace, "large.sh", &[]);
    run.status(2).says("the reference fails on the input of `gen.sh 6 20 ").says("RTE, exit code 1").says("found.in");
}

#[apply(cli_test)]
fn a_slow_reference_is_left_out() {
    let workspace = total();
    workspace.problem("total").submission("accepted/total.sh", "while :; do :; done\n");
    let words = ["stress", "total", "large.sh", "--gen", "gen.sh 1 1 {seed}", "--count", "2", "--time-limit", "0.2"];
    workspace.grader(&words).status(0).shows("2 skipped: the reference is too slow on them");
}

#[apply(cli_test)]
fn a_broken_checker_is_no_difference() {
    let workspace = total();
    workspace.problem("total").file("output_validator/check.sh", "echo my words >&2\nexit 1\n");
    let run = stress(&workspace, "large.sh", &[]);
    run.status(3).says("exit code 1 instead of 42").says("my words").says("found.in").hides("WA");
}

#[apply(cli_test)]
fn interactive_problems_are_judged_by_their_interactor() {
    let workspace = Workspace::new();
    // The interactor says a number and wants it back, one more.
    let interactor = "read n < $1\necho $n\nread m || exit 43\n[ \"$m\" = $((n + 1)) ] && exit 42\necho \"wanted \
                      $((n + 1))\"> $3/judgemessage.txt\nexit 43\n";
    workspace
        .problem("total")
        .toml("type = \"interactive\"\n")
        .case("secret/1", "3\n", "")
        .submission("accepted/next.sh", "read n\necho $((n + 1))\n")
        .submission("wrong_answer/large.sh", "read n\necho $((n > 40 ? 0 : n + 1))\n")
        .file("output_validator/talk.sh", interactor)
        .file("input_validators/check.sh", "read n\n[ \"$n\" -ge 0 ] && exit 42\nexit 43\n")
        .file("generators/gen.sh", "RANDOM=$3\necho $((RANDOM % 99))\n");
    let run = stress(&workspace, "large.sh", &[]);
    run.status(1).shows("✗ WA after ").shows("wanted 42").shows("input    41").shows("talk");
    assert_eq!(workspace.read(format!("{FOUND}/wrong_answer/large.sh/found.in")), "41\n");
}

#[apply(cli_test)]
fn what_cannot_be_stressed_is_refused() {
    let workspace = total();
    stress(&workspace, "total.sh", &[]).status(2).says("accepted/total.sh is the reference itself");
    stress(&workspace, "largo.sh", &[]).status(2).says("no submission matches `largo.sh`; did you mean `large.sh`?");
    let with = |gen_: &str| workspace.grader(&["stress", "total", "large.sh", "--gen", gen_]);
    with("gen.sh 1 1").status(2).says("`--gen gen.sh 1 1` has no `{seed}`");
    with("ten.sh {seed}").status(2).says("there is no generator `ten.sh`; did you mean `gen.sh`?");
    with("../x {seed}").status(2).says("is outside the problem's directory");
    with("gen.sh {seed} {seed}").status(2).says("may appear at most once");
    workspace.grader(&["stress", "total", "large.sh"]).status(2).says("total has no generators/generators.yaml");
    workspace.problem("total").submission("wrong_answer/bad.py", "print(\n");
    stress(&workspace, "bad.py", &[]).status(2).says("wrong_answer/bad.py does not compile");
    workspace.problem("total").submission("accepted/total.sh", "").file("submissions/accepted/more.sh", TOTAL);
    stress(&workspace, "large.sh", &[]).status(2).says("the reference is ambiguous");
}

#[apply(cli_test)]
fn a_signal_ends_the_search() {
    let workspace = total();
    workspace.problem("total").submission("accepted/other.sh", TOTAL).toml("reference = \"total.sh\"\n");
    let words = ["stress", "total", "other.sh", "--gen", "gen.sh 2 3 {seed}", "--seconds", "100"];
    let mut call = Call::any(&workspace.path(""), &words);
    let child = call.start();
    std::thread::sleep(Duration::from_millis(1500));
    let pid = rustix::process::Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let run = call.wait(child);
    run.status(130).shows("– no difference on ");
}

#[apply(cli_test)]
fn a_slow_generator_leaves_time_to_the_others() {
    let workspace = total();
    // With turns, the slow generator would take all but a hundredth of the time.
    workspace.problem("total").file("generators/slow.sh", "sleep 0.5\necho 1\necho 1\n");
    let text = TOTAL.replace("echo $sum", "echo $((sum + 0))");
    workspace.problem("total").submission("accepted/same.sh", &text).toml("reference = \"total.sh\"\n");
    let commands = ["--gen", "slow.sh {seed}", "--gen", "gen.sh 2 5 {seed}"];
    let call = ["stress", "total", "same.sh", "--seed", "1"];
    let run = workspace.grader(&[&call[..], &commands, &["--seconds", "3"]].concat());
    let tried = |run: &Run| -> u32 {
        let text = run.stdout.split("no difference on ").nth(1).unwrap().split(' ').next().unwrap();
        text.parse().unwrap()
    };
    // Turns come to twelve inputs at most.
    assert!(tried(run.status(0)) > 12, "{}", run.stdout);
    // With a count they take turns: the same seed tries the same inputs.
    let run = workspace.grader(&[&call[..], &commands, &["--count", "4"]].concat());
    assert_eq!(tried(run.status(0)), 4);
}

#[apply(cli_test)]
fn all_wrong_submissions_are_tried_at_once() {
    let workspace = total();
    let problem = workspace.problem("total");
    problem
        .submission("wrong_answer/never.sh", TOTAL)
        .submission("run_time_error/crash.sh", &TOTAL.replace("do sum", "do [ $x = 3 ] && exit 1; sum"));
    let call = ["stress", "total", "--gen", "gen.sh 6 20 {seed}", "--count", "40", "--seed", "1"];
    let run = workspace.grader(&[&call[..], &["--wrong"]].concat());
    run.status(1).silent().shows("total · 3 wrong submissions against accepted/total.sh");
    run.shows("✓ wrong_answer/large.sh: WA after ").shows("✓ run_time_error/crash.sh: RTE after ");
    run.shows("✗ wrong_answer/never.sh: no difference\n✗ 2 of 3 wrong submissions found to fail on 40 inputs");
    run.shows("again    grader stress total wrong_answer/large.sh --seed 1 --gen 'gen.sh 6 20 {seed}'");
    assert_eq!(workspace.read(format!("{FOUND}/wrong_answer/large.sh/found.in")), "1\n8\n");
    assert_eq!(workspace.read(format!("{FOUND}/run_time_error/crash.sh/found.in")), "1\n3\n");
    std::fs::remove_file(workspace.path("problems/total/submissions/wrong_answer/never.sh")).unwrap();
    workspace.grader(&[&call[..], &["--wrong"]].concat()).status(0).shows("✓ 2 of 2 wrong submissions found to fail");
    workspace.grader(&call).status(2).says("submissions of total are selected");
    workspace.grader(&["stress", "total", "large.sh", "--wrong"]).status(2).says("cannot be used with");
    workspace.grader(&["stress", "--seconds", "-5"]).status(2).says("write a positive time");
}

/// A folder with a wrong solution, a brute force and a generator, without any test.
fn trio() -> Workspace {
    let workspace = Workspace::bare();
    workspace
        .file("sol.sh", "read a b\necho $((a > 3 ? a + b : a))\n")
        .file("brute.sh", "read a b\necho $((a + b))\n")
        .file("gen.sh", "RANDOM=$1\necho $((RANDOM % 9)) $((RANDOM % 9 + 1))\n");
    workspace
}

/// The words of a command that was printed, after `grader`.
fn printed<'a>(run: &'a Run, label: &str) -> Vec<&'a str> {
    let line = run.stdout.lines().find_map(|line| line.trim_start().strip_prefix(label));
    let line = line.unwrap_or_else(|| panic!("no {label}: {}", run.all()));
    line.split_whitespace().skip(1).map(|word| word.trim_matches('\'')).collect()
}

#[apply(cli_test)]
fn each_program_has_its_own_helpers() {
    let workspace = Workspace::bare();
    for (name, command) in [("A", "echo $((a + b))"), ("B", "echo $((a * b))")] {
        workspace.file(format!("{name}.sh"), format!("read a b\n{command}\n"));
        workspace.file(format!("{name}_brute.sh"), format!("read a b\n{command}\n"));
        workspace.file(format!("{name}_gen.sh"), "echo 3 $(($1 % 10 + 5))\n");
    }
    let stress = |words: &[&str]| workspace.grader(&[&["stress", "--count", "5"], words].concat());
    stress(&["B.sh"]).status(0).shows("B.sh against B_brute.sh");
    stress(&[]).status(0).shows("A.sh against A_brute.sh").shows("B.sh against B_brute.sh");
    workspace.file("B.sh", "echo 0\n");
    let run = stress(&["B.sh"]);
    run.status(1);
    workspace.grader(&printed(&run, "again ")).status(1).shows("B.sh against B_brute.sh");
    workspace.grader(&printed(&run, "add it ")).status(0).shows("added B1").shows("by        B_brute.sh");
    workspace.run(&[]).status(1).ends("B.sh", "WA", "missed").hides("A.sh  ");
}

#[apply(cli_test)]
fn a_folder_with_a_generator_and_a_brute_force() {
    let workspace = trio();
    let run = workspace.grader(&["stress", "sol.sh", "--seed", "1"]);
    run.status(1).silent().shows("sol.sh against brute.sh").shows("✗ WA after ");
    workspace.grader(&printed(&run, "again ")).status(1).shows("✗ WA after ");
    workspace.grader(&printed(&run, "add it ")).status(0).silent().shows("added 1").shows("by        brute.sh");
    let folder = workspace.path("");
    let folder = folder.file_name().unwrap().to_str().unwrap();
    assert_eq!(workspace.read("1.in"), workspace.read(format!(".grader/last/{folder}/stress/sol.sh/found.in")));
    workspace.run(&[]).status(1).ends("sol.sh", "WA", "missed");
    // The folder and its parent mean the same.
    for words in [&["stress"][..], &["stress", "."]] {
        workspace.grader(&[words, &["--count", "30", "--seed", "1"]].concat()).status(1).shows("against brute.sh");
    }
    // A generator that takes no seed works too.
    workspace.file("gen.sh", "echo 1 $(($(od -An -N1 -tu1 /dev/urandom) % 9 + 1))\n");
    workspace.grader(&["stress", "sol.sh", "--count", "3"]).status(1);
}

/// The solution is that of a crate; generator and brute force lie beside the build file or beside the solution.
#[apply(cli_test)]
#[needs(&[Need::Tool("cargo")])]
fn a_crate_may_have_a_generator_and_a_brute_force() {
    for dir in ["", "src/"] {
        let workspace = Workspace::bare();
        workspace.file("Cargo.toml", "[package]\nname = \"s\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
        let main = "fn main() { let mut s = String::new(); std::io::stdin().read_line(&mut s).unwrap(); \
                    let v: Vec<i64> = s.split_whitespace().map(|x| x.parse().unwrap()).collect(); println!(\"{}\", v[0] + v[1] * 2); }\n";
        workspace.file("src/main.rs", main).file(format!("{dir}brute.sh"), "read a b\necho $((a + b))\n");
        workspace.file(format!("{dir}gen.sh"), "echo 1 $(($1 % 5 + 1))\n");
        for words in [&["stress", "--count", "3"][..], &["stress", "src/main.rs", "--count", "3"]] {
            workspace.grader(words).status(1).shows("brute.sh").shows("✗ WA after ");
        }
    }
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn a_generator_may_have_several_files() {
    let workspace = trio();
    std::fs::remove_file(workspace.path("gen.sh")).unwrap();
    workspace.file("lots.py", "def lots():\n    print(4, 9)\n").file("gen.py", "import lots\nlots.lots()\n");
    workspace.file("sol.sh", "read a b\necho $a\n");
    workspace.grader(&["stress", "sol.sh", "--count", "3"]).status(1).shows("input    4 9");
}

#[apply(cli_test)]
fn a_program_beside_problems_is_tried_on_those() {
    let workspace = total();
    workspace.file("mine.sh", "echo 0\n");
    for words in [&["mine.sh"][..], &["total", "mine.sh"], &[".", "-s", "mine.sh"]] {
        let run = workspace.grader(&[&["stress"], words, &["--gen", "gen.sh 6 20 {seed}", "--count", "3"]].concat());
        run.status(1).shows("total · mine.sh against accepted/total.sh");
    }
}

#[apply(cli_test)]
fn what_a_folder_lacks_for_a_search_is_said() {
    let workspace = trio();
    std::fs::remove_file(workspace.path("gen.sh")).unwrap();
    workspace.grader(&["stress", "sol.sh"]).status(2).says("has no generator").says("such as gen.py");
    let workspace = trio();
    std::fs::remove_file(workspace.path("brute.sh")).unwrap();
    workspace.grader(&["stress", "sol.sh"]).status(2).says("sol.sh is the solver itself").says("such as brute.py");
    workspace.file("right.sh", "read a b\necho $((a + b))\n");
    let run = workspace.grader(&["stress", "sol.sh", "--reference", "right.sh", "--seed", "1"]);
    run.status(1);
    workspace.grader(&printed(&run, "add it ")).status(0).shows("by        right.sh");
}

#[apply(cli_test)]
fn helpers_are_no_submissions() {
    let workspace = trio();
    workspace.file("1.in", "1 2\n").file("1.ans", "3\n").file("sol.sh", "read a b\necho $((a + b))\n");
    let run = workspace.run(&[]);
    run.status(0).shows("1 as expected").hides("brute.sh").hides("gen.sh");
    workspace.grader(&["list"]).status(0).shows("1 submission · brute force brute.sh · generator gen.sh");
    // Whoever names one wants it.
    workspace.run(&["brute.sh"]).status(0).ends("brute.sh", "AC", "met");
    workspace.run(&["gen.sh"]).status(1).ends("gen.sh", "WA", "missed");
    // A program that states its verdict is a submission.
    workspace.file("naive.sh", "# @EXPECTED_RESULTS@: WRONG-ANSWER\necho 0\n");
    workspace.run(&[]).status(0).ends("naive.sh", "WA", "met");
    // Alone, a brute force solves the problem.
    for file in ["sol.sh", "naive.sh"] {
        std::fs::remove_file(workspace.path(file)).unwrap();
    }
    workspace.run(&[]).status(0).ends("brute.sh", "AC", "met").hides("gen.sh");
}

/// Takes long if the sum is large: a shell loop that the suite's only case does not reach.
const SLOW: &str = "read n\nread rest\nsum=0\nfor x in $rest; do sum=$((sum + x)); done\n\
                    i=0\n[ $sum -gt 30 ] && while [ $i -lt 10000000 ]; do i=$((i + 1)); done\necho $sum\n";

/// The problem `total` with a slow submission and a limit that it exceeds on some inputs.
fn slow_total() -> Workspace {
    let workspace = total();
    workspace.problem("total").toml("[limits]\ntime_limit = 0.3\n").submission("time_limit_exceeded/slow.sh", SLOW);
    workspace
}

fn slowest(workspace: &Workspace, more: &[&str]) -> Run {
    let words = ["stress", "total", "--slowest", "--gen", "gen.sh 6 20 {seed}", "--count", "6", "--seed", "1"];
    workspace.grader(&[&words, more].concat())
}

#[apply(cli_test)]
fn the_slowest_input_is_kept_beside_the_slowest_case() {
    let workspace = slow_total();
    let run = slowest(&workspace, &[]);
    run.status(1).silent().shows("total · 2 submissions: the slowest inputs").shows("✓ accepted/total.sh: 0.0");
    run.shows("! time_limit_exceeded/slow.sh: >").shows(" of 0.3 s; the suite's slowest: 0.0").shows("s on secret/1");
    let kept = ".grader/last/total/stress/time_limit_exceeded/slow.sh/slowest.in";
    run.shows(&format!("add it   grader add total {kept}"));
    run.shows("! 1 submission for which an input is slower than the suite: 6 inputs in ").hides("wrong_answer");
    let input = workspace.read(kept);
    let sum: u32 = input.split_whitespace().skip(1).map(|word| word.parse::<u32>().unwrap()).sum();
    assert!(sum > 30, "{input}");
    workspace.grader(&["add", "total", kept]).status(0);
    let run = slowest(&workspace, &[]);
    run.status(0).shows("✓ time_limit_exceeded/slow.sh: >").shows("✓ no input is slower than the suite: 6 inputs");
}

#[apply(cli_test)]
fn an_accepted_submission_that_exceeds_its_limit_is_a_fault() {
    let workspace = slow_total();
    workspace.problem("total").submission("accepted/slow.sh", SLOW);
    workspace.problem("total").toml("reference = \"accepted/total.sh\"\n[limits]\ntime_limit = 0.3\n");
    let run = slowest(&workspace, &["-s", "accepted/slow.sh"]);
    run.status(1).shows("total · 1 submission: ").shows("✗ accepted/slow.sh: >");
    // One that crashes has no time, and a wrong answer is none of this search's business.
    workspace.problem("total").submission("run_time_error/crash.sh", "exit 3\n");
    let run = slowest(&workspace, &["-s", "run_time_error/crash.sh"]);
    run.status(0).shows("run_time_error/crash.sh: no time, because it crashes or exceeds another limit on every input");
    slowest(&workspace, &["-s", "large.sh"]).status(0).shows("✓ wrong_answer/large.sh: 0.0");
}

#[apply(cli_test)]
fn the_search_for_the_slowest_input_refuses_what_is_wrong() {
    let workspace = total();
    for other in [&["--wrong"][..], &["--no-shrink"], &["--reference", "total.sh"]] {
        slowest(&workspace, other).status(2).says("cannot be used with");
    }
    workspace.problem("total").file("generators/gen.sh", "echo nonsense\n");
    slowest(&workspace, &[]).status(2).says("the input of `gen.sh 6 20 ").says("fix the generator or the validator");
    workspace.problem("total").file("generators/gen.sh", "exit 1\n");
    slowest(&workspace, &[]).status(2).says("gen.sh 6 20 ");
    std::fs::remove_dir_all(workspace.path("problems/total/submissions/accepted")).unwrap();
    slowest(&workspace, &[]).status(2).says("no submission that is labelled as accepted or as slow");
}
