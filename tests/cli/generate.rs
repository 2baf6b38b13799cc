//! `grader gen`: cases made by generators, and what is refused.

use macro_rules_attribute::apply;

use crate::cli::cases::on_terminal;
use crate::cli::need::Need;
use crate::cli::run::{Call, Run};
use crate::cli::workspace::{SUM, Workspace};

const YAML: &str = "problems/sum/generators/generators.yaml";

/// Two numbers up to a bound, by a seed.
const GEN: &str = "import random, sys\nbound, seed = int(sys.argv[1]), int(sys.argv[2])\nrandom.seed(seed)\n\
                   print(random.randint(0, bound), random.randint(0, bound))\n";

/// The problem `sum` without any case, and this list.
fn listing(yaml: &str) -> Workspace {
    let workspace = Workspace::new();
    workspace.problem("sum").submission("accepted/sum.sh", SUM).file("generators/two.sh", "echo $1 $2\n");
    workspace.file(YAML, yaml);
    workspace
}

fn secret(cases: &str) -> String {
    format!("data:\n  secret:\n    data:\n{cases}")
}

/// The same for cases on lines of their own.
fn listed(cases: &[&str]) -> Workspace {
    listing(&secret(&format!("      {}\n", cases.join("\n      "))))
}

#[track_caller]
fn make(workspace: &Workspace, more: &[&str]) -> Run {
    workspace.grader(&[&["gen", "sum"], more].concat())
}

fn exists(workspace: &Workspace, case: &str) -> bool {
    workspace.path(format!("testcases/sum/{case}")).symlink_metadata().is_ok()
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn everything_is_made() {
    let workspace = listing(
        "solution: /submissions/accepted/sum.sh\ndata:\n  sample:\n    data:\n      '1': {in: 1 2}\n  secret:\n    \
         data:\n      - small: gen.py 9 {seed}\n      - large:\n          generate: gen.py 1000 {seed:2} {count}\n          \
         count: 2\n",
    );
    workspace.problem("sum").file("generators/gen.py", GEN);
    // A problem without cases is otherwise an error, which says how to get them.
    workspace.run(&[]).status(2).says("grader gen sum");
    let run = make(&workspace, &[]);
    // sha512("gen.py 9 {seed}") mod 2^31, as `bt generate` has it.
    run.status(0).silent().shows("new      secret/1-small  gen.py 9 663406096\n").shows("✓ sum: 4 new");
    assert_eq!(workspace.read("testcases/sum/sample/1.in"), "1 2\n");
    assert_eq!(workspace.read("testcases/sum/sample/1.ans"), "3\n");
    for case in ["1-small", "2-large-1", "3-large-2"] {
        let input = workspace.read(format!("testcases/sum/secret/{case}.in"));
        let sum: u64 = input.split_whitespace().map(|number| number.parse::<u64>().unwrap()).sum();
        assert_eq!(workspace.read(format!("testcases/sum/secret/{case}.ans")), format!("{sum}\n"));
    }
    workspace.run(&[]).status(0).silent();
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn only_what_changed_is_made_again() {
    let workspace = listed(&["a: gen.py 9 {seed}", "b: gen.py 99 {seed}"]);
    // Each run of the generator is seen, where there are no walls.
    let log = workspace.path("log");
    let text = format!("{GEN}open({:?}, 'a').write('x')\n", log.display().to_string());
    workspace.file("grader.toml", "isolation = \"none\"\n").problem("sum").file("generators/gen.py", &text);
    let runs = || std::fs::read(&log).map_or(0, |bytes| bytes.len());
    make(&workspace, &[]).status(0).shows("2 new");
    // Twice each: it must make the same.
    assert_eq!(runs(), 4);
    make(&workspace, &[]).status(0).shows("✓ sum: 2 unchanged");
    assert_eq!(runs(), 4);
    let yaml = workspace.read(YAML).replace("gen.py 99", "gen.py 100");
    workspace.file(YAML, yaml);
    make(&workspace, &[]).status(0).shows("changed  secret/b: .ans, .in").shows("1 unchanged, 1 changed");
    assert_eq!(runs(), 6);
    std::fs::remove_file(workspace.path("testcases/sum/secret/a.ans")).unwrap();
    make(&workspace, &[]).status(0).shows("changed  secret/a: .ans missing");
    assert_eq!(runs(), 8);
    // Another answer, another solution.
    workspace.problem("sum").submission("accepted/sum.sh", "read a b\necho \"$((a + b))  \"\n");
    make(&workspace, &[]).status(0).shows("2 changed");
    make(&workspace, &["--no-cache"]).status(0).shows("2 unchanged");
    assert!(runs() > 8);
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn check_writes_nothing_and_fails_on_differences() {
    let workspace = listed(&["a: gen.py 9 {seed}", "b: gen.py 99 {seed}", "c: two.sh 1 1"]);
    workspace.problem("sum").file("generators/gen.py", GEN);
    let run = make(&workspace, &["--check"]);
    run.status(1).shows("✗ missing  secret/a").shows("3 missing").shows("→ generate them: grader gen sum");
    assert!(!workspace.path("testcases").exists());
    make(&workspace, &[]).status(0);
    make(&workspace, &["--check"]).status(0).shows("✓ sum: 3 unchanged");
    workspace.file("testcases/sum/secret/c.ans", "3\n");
    let run = make(&workspace, &["--check"]);
    run.status(1).shows("differs  secret/c: .ans").shows("2 unchanged, 1 differ");
    assert_eq!(workspace.read("testcases/sum/secret/c.ans"), "3\n");
}

#[apply(cli_test)]
fn without_a_record_the_same_files_are_left_untouched() {
    let workspace = listed(&["a: two.sh 1 2"]);
    make(&workspace, &[]).status(0);
    let written = || workspace.path("testcases/sum/secret/a.in").metadata().unwrap().modified().unwrap();
    let before = written();
    std::fs::remove_dir_all(workspace.path(".grader")).unwrap();
    make(&workspace, &[]).status(0).shows("✓ sum: 1 unchanged");
    assert_eq!(written(), before);
    // They count as made here from now on.
    workspace.file(YAML, secret("      a: two.sh 1 3\n"));
    make(&workspace, &[]).status(0).shows("1 changed");
}

#[apply(cli_test)]
fn files_changed_by_hand_are_not_replaced() {
    let workspace = listed(&["a: two.sh 1 2", "b: two.sh 1 3"]);
    make(&workspace, &[]).status(0);
    workspace.file("testcases/sum/secret/a.in", "5 5\n").file("testcases/sum/secret/a.ans", "10\n");
    let run = make(&workspace, &[]);
    run.status(2)
        .says("secret/a: its .ans on disk differs, and `grader gen` did not make it")
        .says("--force")
        .shows("1 failed");
    assert_eq!(workspace.read("testcases/sum/secret/a.in"), "5 5\n");
    make(&workspace, &["--force"]).status(0).shows("changed  secret/a: .ans, .in");
    assert_eq!(workspace.read("testcases/sum/secret/a.in"), "1 2\n");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("script")])]
fn cases_that_are_not_listed_stay() {
    let workspace = listed(&["a: two.sh 1 2"]);
    workspace.problem("sum").case("secret/hand", "4 4\n", "8\n").file("generators/other.sh", "");
    workspace.file("testcases/sum/secret/notes.txt", "");
    make(&workspace, &[]).status(0).shows("2 files are not listed: made by hand, kept").hides("--clean");
    // Nothing recommends or does what would remove work that nobody can make again.
    for arguments in [&["--check"][..], &["--check", "--clean"], &["--clean"], &["--clean", "--yes"]] {
        make(&workspace, arguments).status(0).shows("2 files are not listed: made by hand, kept").hides("→");
        assert!(exists(&workspace, "secret/hand.in") && exists(&workspace, "secret/hand.ans"));
    }
    make(&workspace, &["--check", "--clean", "--force"])
        .status(1)
        .shows("unlisted secret/hand.in")
        .shows("list them in generators.yaml, or remove them: grader gen --clean --force sum");
    let unasked = make(&workspace, &["--clean", "--force"]);
    unasked.status(1).says("these files are not listed in generators/generators.yaml").says("  secret/hand.in\n");
    unasked.says("nothing was removed").says("grader gen --clean --force --yes sum");
    assert!(exists(&workspace, "secret/hand.in"));
    let no = on_terminal(&workspace, "gen sum --clean --force", "n");
    no.status(1).shows("  secret/hand.in").shows("remove these files? y/n");
    assert!(exists(&workspace, "secret/hand.in"));
    let yes = on_terminal(&workspace, "gen sum --clean --force", "y");
    yes.status(0).shows("secret/hand.in").shows("2 files removed");
    assert!(!exists(&workspace, "secret/hand.in") && !exists(&workspace, "secret/hand.ans"));
    assert!(exists(&workspace, "secret/notes.txt") && exists(&workspace, "secret/a.in"));
    // A generated case that is not listed any more is removed; one that was changed since is not.
    workspace.file(YAML, secret("      a: two.sh 1 2\n      b: two.sh 3 4\n      c: two.sh 5 6\n"));
    make(&workspace, &[]).status(0).shows("2 new");
    workspace.file(YAML, secret("      a: two.sh 1 2\n")).file("testcases/sum/secret/c.ans", "11 \n");
    make(&workspace, &["--check"])
        .status(0)
        .shows("2 files are not listed any more (--clean removes) · 2 files are not");
    make(&workspace, &["--check", "--clean"])
        .status(1)
        .shows("unlisted secret/b.in")
        .hides("secret/c")
        .shows("list them in generators.yaml, or remove them: grader gen --clean sum");
    make(&workspace, &["--clean", "--yes"]).status(0).shows("removed  secret/b.in").shows("2 files removed");
    assert!(!exists(&workspace, "secret/b.in") && exists(&workspace, "secret/c.in"));
    // What `add` writes stays, even if it has the content of a case that was generated once.
    let added = Call::any(&workspace.path(""), &["add", "sum", "--name", "b2"]).input("3 4\n").run();
    added.status(0);
    make(&workspace, &["--clean", "--yes"]).status(0).hides("removed");
    assert!(exists(&workspace, "secret/b2.in"));
    // Where something fails it is not known what the file would list.
    workspace.problem("sum").case("secret/hand", "4 4\n", "8\n");
    workspace.file(YAML, secret("      a: two.sh 1 2\n      b: other.sh\n"));
    make(&workspace, &["--clean"]).status(2);
    assert!(exists(&workspace, "secret/hand.in"));
}

#[apply(cli_test)]
fn cases_that_are_only_mentioned_are_taken_as_they_are() {
    let yaml = "data:\n  sample:\n    data:\n      '1':\n  secret:\n    include: [sample]\n    data:\n      - a: two.sh 5 6\n      \
                - b:\n      - c: two.sh 7 8\n";
    let workspace = listing(yaml);
    // Without its files nothing is known of it; the others are made.
    let run = make(&workspace, &[]);
    run.status(2).says("line 4").says("sample/1: nothing says how to make it, and there is no sample/1.in");
    run.says("secret/2-b: nothing says").shows("new      secret/3-c");
    workspace.file("testcases/sum/sample/1.in", "1 2\n").file("testcases/sum/sample/1.ans", "3 \n");
    workspace.file("testcases/sum/secret/2-b.in", "3 4\n");
    let run = make(&workspace, &["--clean"]);
    run.status(0).says("grader uses the files in the data").shows("new      secret/1");
    assert_eq!(workspace.read("testcases/sum/sample/1.ans"), "3 \n");
    assert_eq!(workspace.read("testcases/sum/secret/1.ans"), "3 \n");
    assert_eq!(workspace.read("testcases/sum/secret/2-b.ans"), "7\n");
    make(&workspace, &["--check"]).status(0);
    // It is validated like the others.
    workspace.problem("sum").file("input_validators/check.sh", "read a b\n[ $a -gt 2 ] && exit 42\nexit 43\n");
    make(&workspace, &[]).status(2).says("sample/1: rejected by input_validators/check.sh");
}

#[apply(cli_test)]
fn a_rejected_input_is_not_written() {
    let workspace = listed(&["a: two.sh 1 2", "b: two.sh -4 4", "c: two.sh 7 8"]);
    workspace
        .problem("sum")
        .file("input_validators/check.sh", "read a b\n[ $a -gt 0 ] && exit 42\necho \"$a is not positive\"\nexit 43\n");
    let run = make(&workspace, &[]);
    run.status(2).says("line 5: secret/b (two.sh -4 4): rejected by input_validators/check.sh: -4 is not positive");
    run.says("fix the generator or the validator; grader writes nothing").shows("2 new, 1 failed");
    assert!(
        !exists(&workspace, "secret/b.in") && !exists(&workspace, "secret/b.ans") && exists(&workspace, "secret/c.in")
    );
    // In its own group it may be what validators are tried with, and has no answer.
    workspace.file(YAML, "data: {secret: {data: {a: two.sh 1 2}}, invalid_input: {data: {b: two.sh -4 4}}}\n");
    make(&workspace, &[]).status(0).shows("new      invalid_input/b");
    assert!(!exists(&workspace, "invalid_input/b.ans"));
}

#[apply(cli_test)]
fn a_broken_validator_is_no_rejection() {
    let workspace = listed(&["a: two.sh 1 2"]);
    workspace.problem("sum").file("input_validators/check.sh", "exit 1\n");
    make(&workspace, &[]).status(3).says("exit code 1 instead of 42");
    workspace.problem("sum").file("input_validators/check.py", "print(\n");
    make(&workspace, &[]).status(3).says("judge error").says("check.py does not compile").says("fix the validator");
    assert!(!workspace.path("testcases").exists());
}

#[apply(cli_test)]
fn every_failing_case_is_told() {
    let workspace = listed(&[
        "crash: bad.sh crash",
        "fine: two.sh 1 2",
        "hangs: bad.sh hang",
        "silent: bad.sh silent",
        "unanswered: bad.sh word",
    ]);
    let text = "case $1 in crash) echo my words >&2; exit 3;; hang) sleep 60;; word) echo 08 1;; esac\n";
    workspace.file("grader.toml", "validation.wall_limit = 1\n").problem("sum").file("generators/bad.sh", text);
    let run = make(&workspace, &[]);
    run.status(2).says("secret/crash (bad.sh crash): the generator fails: exit code 3").says("my words");
    run.says("secret/hangs (bad.sh hang): the generator fails: slept");
    run.says("secret/silent (bad.sh silent): the generator prints nothing").says("secret/unanswered");
    run.says("the solution fails on it: RTE, exit code 1").shows("1 new, 4 failed");
    assert!(!exists(&workspace, "secret/unanswered.in"));
}

#[apply(cli_test)]
fn generators_that_write_files() {
    let workspace = listed(&["a: files.sh {name}", "b: both.sh"]);
    workspace
        .problem("sum")
        .file("generators/files.sh", "echo 1 2 > $1.in\necho 4 > testcase.ans\necho 'hint: x' > testcase.yaml\n")
        .file("generators/both.sh", "echo 1 2 | tee testcase.in\n");
    let run = make(&workspace, &[]);
    run.status(2).says("secret/b (both.sh): the generator writes testcase.in and also prints something");
    assert_eq!(workspace.read("testcases/sum/secret/a.in"), "1 2\n");
    assert_eq!(workspace.read("testcases/sum/secret/a.ans"), "4\n");
    assert_eq!(workspace.read("testcases/sum/secret/a.yaml"), "hint: x\n");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn generators_of_several_files() {
    let workspace = listing("generators: {gen: [zoo.py, helper.py]}\ndata: {secret: {data: {a: gen 3, b: dir 4}}}\n");
    workspace
        .problem("sum")
        .file("generators/zoo.py", "import sys\nfrom helper import one\nprint(one, sys.argv[1])\n")
        .file("generators/helper.py", "one = 1\n")
        .file("generators/dir/main.py", "import sys\nfrom also import two\nprint(two, sys.argv[1])\n")
        .file("generators/dir/also.py", "two = 2\n");
    make(&workspace, &[]).status(0);
    assert_eq!(workspace.read("testcases/sum/secret/a.in"), "1 3\n");
    assert_eq!(workspace.read("testcases/sum/secret/b.in"), "2 4\n");
}

#[apply(cli_test)]
fn a_generator_must_be_repeatable() {
    let workspace = listed(&["a: chance.sh"]);
    workspace.problem("sum").file("generators/chance.sh", "echo 1 $(date +%N)\n");
    make(&workspace, &[]).status(2).says("the generator prints a different input each time").says("{seed}");
}

#[apply(cli_test)]
fn copies_and_texts_and_matches() {
    let workspace = listed(&[
        "copied: {copy: manual/one}",
        "old: manual/one.in",
        "absent: {copy: manual/two}",
        "mixed: {copy: manual/one, ans: '77'}",
        "matched: {in: 5 6, match: '^5 \\d$'}",
        "unmatched: {in: 5 6, match: ['^5', '^6']}",
        "unanswered: {in: 5 6, solution: }",
    ]);
    workspace.problem("sum").file("generators/manual/one.in", "3 4").file("generators/manual/one.ans", "7");
    let run = make(&workspace, &[]);
    run.status(2).says("secret/absent: `copy`: there is no generators/manual/two.in");
    run.says("secret/unmatched: .in does not match `^6`").says("secret/unanswered: no answer").shows("4 new, 3 failed");
    assert_eq!(workspace.read("testcases/sum/secret/copied.in"), "3 4");
    assert_eq!(workspace.read("testcases/sum/secret/old.ans"), "7");
    assert_eq!(workspace.read("testcases/sum/secret/mixed.ans"), "77\n");
    // A changed file is copied again; a link out of the folder is not followed.
    workspace.problem("sum").file("generators/manual/one.ans", "8");
    make(&workspace, &[]).shows("changed  secret/copied: .ans");
    std::fs::remove_file(workspace.path("problems/sum/generators/manual/one.ans")).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", workspace.path("problems/sum/generators/manual/one.ans")).unwrap();
    make(&workspace, &[]).status(2).says("one.ans is not a file in generators/");
    assert_eq!(workspace.read("testcases/sum/secret/copied.ans"), "8");
}

#[apply(cli_test)]
fn retries_take_the_next_seed() {
    let workspace = listed(&["a: {generate: 'odd.sh {seed}', retries: 2}", "b: odd.sh {seed} b"]);
    // sha512("odd.sh {seed}") mod 2^31 is 559694840, sha512("odd.sh {seed} b") is 309322327.
    workspace
        .problem("sum")
        .file("generators/odd.sh", "[ $1 = 559694840 ] || [ $1 = 309322327 ] && exit 1\necho $1 0\n");
    let run = make(&workspace, &[]);
    run.status(2).says("secret/b (odd.sh 309322327 b): the generator fails").shows("1 new, 1 failed");
    assert_eq!(workspace.read("testcases/sum/secret/a.in"), "559694841 0\n");
}

#[apply(cli_test)]
fn groups_have_files_and_include_cases() {
    let workspace = listing(
        "data:\n  sample:\n    data: {'1': {in: 1 2}}\n  secret:\n    include: [sample]\n    test_group.yaml:\n      \
         output_validator_args: [case_sensitive]\n    data: {a: two.sh 3 4}\n",
    );
    make(&workspace, &[]).status(0).shows("new      secret/test_group.yaml").shows("new      secret/1");
    assert_eq!(workspace.read("testcases/sum/secret/1.ans"), "3\n");
    make(&workspace, &["--check", "--clean"]).status(0);
    // Written otherwise it says the same.
    workspace.file("testcases/sum/secret/test_group.yaml", "output_validator_args:\n- case_sensitive\n# mine\n");
    make(&workspace, &["--check"]).status(0);
    workspace.file("testcases/sum/secret/test_group.yaml", "output_validator_args: []\n");
    make(&workspace, &["--check"]).status(1).shows("differs  secret/test_group.yaml");
    make(&workspace, &[]).status(2).says("secret/test_group.yaml differs, and `grader gen` did not make it");
    make(&workspace, &["--force"]).status(0);
    make(&workspace, &["--check"]).status(0);
}

#[apply(cli_test)]
fn interactive_problems_have_empty_answers() {
    let workspace = listed(&["a: two.sh 1 2"]);
    workspace.problem("sum").toml("type = \"interactive\"\n").file("output_validator/talk.sh", "exit 42\n");
    make(&workspace, &[]).status(0);
    assert_eq!(workspace.read("testcases/sum/secret/a.ans"), "");
}

#[apply(cli_test)]
fn mistakes_of_the_file_are_all_told() {
    let workspace =
        listing("soltion: x\ndata:\n  secret:\n    data:\n      a: too.sh 1 2\n      b: {inn: '1', in: 2}\n");
    let run = make(&workspace, &[]);
    run.status(2).says("generators.yaml: line 1, column 1: unknown key `soltion`").says("did you mean `solution`?");
    run.says("line 5, column 7: there is no generator `too.sh`; did you mean `two.sh`?");
    run.says("line 6, column 11: unknown key").says("write it in quotes");
    assert!(!workspace.path("testcases").exists());
    workspace.file(YAML, "data: [\n");
    make(&workspace, &[]).status(2).says("syntax error");
}

#[apply(cli_test)]
fn mistyped_placeholders_are_errors() {
    let workspace = listed(&["a: two.sh 1 {seed:1", "b: two.sh 1 {sed:1}", "c: 'two.sh {\"n\":1} {seed}'"]);
    let run = make(&workspace, &[]);
    run.status(2).says("line 4, column 7: `{seed:1` is not a placeholder; did you mean `{seed}`?");
    run.says("line 5, column 7: `{sed:1}` is not a placeholder").hides("line 6");
    let stress = workspace.grader(&["stress", "sum", "sum.sh", "--gen", "two.sh 1 {seed:x}"]);
    stress.status(2);
    assert!(!workspace.path("testcases").exists());
}

#[apply(cli_test)]
fn some_cases_are_made_and_checked_alone() {
    let workspace = listing(
        "data:\n  sample:\n    data: {'1': {in: 1 2}}\n  secret:\n    test_group.yaml: {output_validator_args: [x]}\n    \
         data:\n      small: two.sh 1 1\n      small-2: two.sh 1 2\n      tree: {generate: 'two.sh {count} 3', count: 2}\n",
    );
    workspace.problem("sum").file("output_validator/check.sh", "exit 42\n");
    make(&workspace, &["sample/1"]).status(0).shows("new      sample/1").shows("✓ sum: 1 new\n");
    assert!(!exists(&workspace, "secret"));
    // The exact name before what begins with it; the group's file goes along.
    make(&workspace, &["small"]).status(0).shows("new      secret/test_group.yaml").shows("✓ sum: 2 new\n");
    assert!(exists(&workspace, "secret/small.in") && !exists(&workspace, "secret/small-2.in"));
    make(&workspace, &["*-1", "secret/small-"]).status(0).shows("new      secret/tree-1").shows("✓ sum: 2 new\n");
    // What was not asked for is not missed, and no stranger is told of.
    workspace.problem("sum").case("secret/hand", "4 4\n", "8\n");
    let check = make(&workspace, &["--check", "secret/tree"]);
    check.status(1).shows("missing  secret/tree-2").shows("1 unchanged, 1 missing").hides("not listed");
    check.shows("→ generate them: grader gen sum secret/tree\n");
    make(&workspace, &["--check", "small"]).status(0);
    let run = make(&workspace, &["trea", "smaal", "sample"]);
    run.status(2).says("no test matches `trea`").says("no test matches `smaal`; did you mean `small`?");
    make(&workspace, &["small", "--clean"]).status(2).says("--clean");
    workspace.sum("other");
    make(&workspace, &["other"]).status(2).says("other has no generators/generators.yaml").hides("no test matches");
}

#[apply(cli_test)]
fn plain_folders_have_their_cases_beside_the_solver() {
    let workspace = Workspace::bare();
    workspace
        .file("abc/main.sh", SUM)
        .file("abc/generators/two.sh", "echo $1 $2\n")
        .file("abc/generators/generators.yaml", "data: [a: two.sh 1 2, b: two.sh 3 4]\n");
    workspace.grader(&["gen", "abc"]).status(0).shows("new      1-a").shows("2 new");
    assert_eq!(workspace.read("abc/1-a.ans"), "3\n");
    workspace.run(&["abc"]).status(0).judged("main.sh", "2-b", "AC", "");
    // Only what has an input is a case: anything may lie beside a solver.
    workspace.file("abc/hand.in", "1 1\n").file("abc/hand.ans", "2\n").file("abc/notes.yaml", "").file("abc/a.png", "");
    workspace.grader(&["gen", "abc", "--check", "--clean"]).status(0).shows("2 files are not listed: made by hand");
    let forced = workspace.grader(&["gen", "abc", "--check", "--clean", "--force"]);
    forced.status(1).shows("unlisted hand.ans").hides("notes");
    workspace.grader(&["gen", "abc", "--clean", "--force", "-y"]).status(0).shows("removed  hand.in");
    assert!(workspace.path("abc/notes.yaml").exists() && workspace.path("abc/a.png").exists());
    assert!(!workspace.path("abc/hand.in").exists());
    workspace.file("abc/generators/generators.yaml", "data: {secret: {data: {a: two.sh 1 2}}}\n");
    workspace.grader(&["gen", "abc"]).status(2).says("line 1").says("a plain folder has no groups");
    // Where answers are `.out`, so are new ones.
    workspace
        .file("oj/main.sh", SUM)
        .file("oj/test/x.in", "2 2\n")
        .file("oj/test/x.out", "4\n")
        .file("oj/generators/generators.yaml", "data: {y: {in: 5 6}}\n");
    workspace.grader(&["gen", "oj"]).status(0);
    assert_eq!(workspace.read("oj/test/y.out"), "11\n");
    workspace.grader(&["gen", "oj", "--check"]).status(0);
    workspace.run(&["oj"]).status(0).judged("main.sh", "y", "AC", "");
}

/// A package without data.
fn package(workspace: &Workspace, yaml: &str) {
    workspace
        .file("there/sum/problem.yaml", "problem_format_version: 2025-09\nname: {en: Sum}\nlimits: {time_limit: 2}\n")
        .file("there/sum/submissions/accepted/sum.sh", SUM)
        .file("there/sum/generators/two.sh", "echo $1 $2\n")
        .file("there/sum/generators/generators.yaml", yaml);
}

#[apply(cli_test)]
fn packages_have_their_cases_in_data() {
    let workspace = Workspace::bare();
    package(&workspace, "data: {sample: {data: {'1': {in: 1 2}}}, secret: {data: {a: two.sh 3 4}}}\n");
    workspace.grader(&["gen", "there/sum"]).status(0).shows("2 new");
    assert_eq!(workspace.read("there/sum/data/secret/a.ans"), "7\n");
    assert!(!workspace.path("testcases").exists());
    workspace.run(&["there/sum"]).status(0).judged("accepted/sum.sh", "secret/a", "AC", "");
    workspace.grader(&["gen", "there/sum", "--check", "--clean"]).status(0);
}

#[apply(cli_test)]
fn a_package_is_one_before_it_has_data() {
    let workspace = Workspace::bare();
    package(&workspace, "data: {secret: {data: {a: two.sh 3 4}}}\n");
    workspace.grader(&["list"]).status(2).says("there/sum/data").says("generate them: grader gen sum");
    workspace.grader(&["gen", "sum"]).status(0).shows("1 new");
    assert_eq!(workspace.read("there/sum/data/secret/a.ans"), "7\n");
    // With cases where a problem of ours has them it is one.
    let ours = Workspace::bare();
    package(&ours, "data: {secret: {data: {a: two.sh 3 4}}}\n");
    ours.file("testcases/sum/1.in", "1 2\n").file("testcases/sum/1.ans", "3\n");
    ours.grader(&["list"]).status(0);
    // Whether it was to be one cannot be told where they are called otherwise: both places are named.
    std::fs::rename(ours.path("testcases/sum"), ours.path("testcases/summ")).unwrap();
    std::fs::remove_file(ours.path("there/sum/generators/generators.yaml")).unwrap();
    ours.grader(&["list"])
        .status(2)
        .says("there/sum/data")
        .says("a native problem of this workspace has them in")
        .says("testcases/sum");
}

#[apply(cli_test)]
fn validators_and_solutions_have_the_arguments_of_the_group() {
    let workspace = Workspace::bare();
    package(&workspace, "data: {secret: {data: {a: two.sh 3 4, b: two.sh 3 40}}}\n");
    workspace
        .file("there/sum/data/secret/test_group.yaml", "input_validator_args: ['9']\nargs: ['1']\n")
        .file("there/sum/data/secret/1.in", "1 2\n")
        .file("there/sum/data/secret/1.ans", "4\n")
        .file("there/sum/submissions/accepted/sum.sh", "read a b\necho $((a + b + ${1:-0}))\n")
        .file("there/sum/input_validators/check.sh", "read a b\n[ $b -le ${1:-0} ] && exit 42\nexit 43\n");
    let run = workspace.grader(&["gen", "there/sum"]);
    run.status(2).shows("new      secret/a").says("secret/b (two.sh 3 40): rejected by");
    assert_eq!(workspace.read("there/sum/data/secret/a.ans"), "8\n");
    workspace.file("five", "5 5\n").file("ten", "1 10\n");
    workspace.grader(&["add", "there/sum", "five", "--name", "five"]).status(0);
    assert_eq!(workspace.read("there/sum/data/secret/five.ans"), "11\n");
    workspace.grader(&["add", "there/sum", "ten"]).status(1).says("rejected by");
    workspace.grader(&["accept", "there/sum"]).status(0);
    workspace.file("there/sum/submissions/wrong_answer/plus.sh", "read a b\necho $((a + b))\n");
    let stress = ["stress", "there/sum", "plus.sh", "--gen", "two.sh 1 {seed}", "--count", "1", "--no-shrink"];
    workspace.file("there/sum/generators/two.sh", "echo 3 5\n");
    workspace.grader(&stress).status(1).shows("expected `9`, got `8`");
}

/// An input validator that takes what its first argument says as the bound, and a solution that adds its own.
fn bounded(workspace: &Workspace) {
    workspace
        .problem("sum")
        .submission("accepted/sum.sh", "read a b\necho $((a + b + ${1:-0}))\n")
        .file("input_validators/check.sh", "read a b\n[ $b -le ${1:-0} ] && exit 42\nexit 43\n");
}

#[apply(cli_test)]
fn a_new_group_has_its_own_arguments() {
    // What the same file says of a group and of a case holds from the first time on.
    let workspace = listing(
        "data:\n  secret:\n    test_group.yaml: {input_validator_args: ['9']}\n    data:\n      big:\n        \
         test_group.yaml: {args: ['100']}\n        data:\n          - a: two.sh 3 4\n          - b: {generate: two.sh 3 40, \
         yaml: 'input_validator_args: [\"50\"]'}\n          - c: two.sh 3 40\n",
    );
    bounded(&workspace);
    let run = make(&workspace, &[]);
    run.status(2)
        .shows("new      secret/big/1-a")
        .shows("new      secret/big/2-b")
        .says("secret/big/3-c (two.sh 3 40): rejected");
    assert_eq!(workspace.read("testcases/sum/secret/big/1-a.ans"), "107\n");
    assert_eq!(workspace.read("testcases/sum/secret/big/2-b.ans"), "143\n");
    make(&workspace, &[]).status(2).shows("2 unchanged, 1 failed");
    // A group that has no case yet, between two that say something, is asked as well.
    workspace.file("five", "5 5\n").file("ten", "5 10\n");
    let to = ["--group", "secret/new", "--new-group"];
    workspace.grader(&[&["add", "sum", "ten"], &to[..]].concat()).status(1).says("rejected by");
    workspace.grader(&[&["add", "sum", "five"], &to[..]].concat()).status(0).shows("added secret/new/01");
    // A wrong configuration of a case is an error of the case.
    let workspace = listed(&["a: {generate: two.sh 1 2, yaml: 'args: {a: b}'}"]);
    make(&workspace, &[]).status(2).says("secret/a (two.sh 1 2)").says("args");
    assert!(!exists(&workspace, "secret/a.in"));
}

#[apply(cli_test)]
fn a_case_has_its_files() {
    let workspace = listed(&["a: two.sh 1 2"]);
    workspace
        .problem("sum")
        .submission("accepted/sum.sh", "read a b\necho $((a + b + `cat more`))\n")
        .file("input_validators/check.sh", "[ `cat more` -lt 9 ] && exit 42\necho too much >&2\nexit 43\n");
    workspace.file("testcases/sum/secret/a.files/more", "3\n");
    make(&workspace, &[]).status(0).shows("1 new");
    assert_eq!(workspace.read("testcases/sum/secret/a.ans"), "6\n");
    workspace.run(&[]).status(0);
    // They are part of what a case is made from.
    make(&workspace, &["--check"]).status(0);
    workspace.file("testcases/sum/secret/a.files/more", "4\n");
    make(&workspace, &["--check"]).status(1).shows("secret/a: .ans");
    workspace.file("testcases/sum/secret/a.files/more", "9\n");
    make(&workspace, &[]).status(2).says("too much");
}

#[apply(cli_test)]
fn a_problem_without_the_file() {
    let workspace = Workspace::with_sum();
    make(&workspace, &[]).status(2).says("sum has no generators/generators.yaml").says("write one");
    workspace.grader(&["gen", "sun"]).status(2).says("no problem or test matches `sun`; did you mean `sum`?");
}

#[apply(cli_test)]
fn links_are_replaced_not_followed() {
    let workspace = listed(&["a: two.sh 1 2"]);
    workspace.file("testcases/sum/secret/other.txt", "mine\n");
    std::os::unix::fs::symlink("other.txt", workspace.path("testcases/sum/secret/a.in")).unwrap();
    make(&workspace, &[]).status(2).says("its .in on disk differs, and `grader gen` did not make it");
    make(&workspace, &["--force"]).status(0);
    assert_eq!(workspace.read("testcases/sum/secret/other.txt"), "mine\n");
    assert_eq!(workspace.read("testcases/sum/secret/a.in"), "1 2\n");
    // A link that leads out is refused before anything is made.
    workspace.file("outside", "mine\n");
    std::fs::remove_file(workspace.path("testcases/sum/secret/a.in")).unwrap();
    std::os::unix::fs::symlink(workspace.path("outside"), workspace.path("testcases/sum/secret/a.in")).unwrap();
    make(&workspace, &["--force"]).status(2).says("symbolic link leaves the problem");
}
