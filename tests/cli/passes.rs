//! Problems where a submission is run several times on one case, each time on what the output validator makes of it.

use macro_rules_attribute::apply;

use crate::cli::need::Need;
use crate::cli::workspace::Workspace;

const YAML: &str = "problem_format_version: 2025-09\nname: {en: Twice}\ntype: multi-pass\nlimits: {time_limit: 1}\n";

/// Pass 1: `encode TEXT`, any word but the text itself. Pass 2: `decode WORD`, the text again.
const CIPHER: &str = "read mode text < $1
read word || { echo \"$mode: no output\" >> $3/judgemessage.txt; exit 43; }
if [ $mode = encode ]; then
    [ $word = $text ] && { echo \"encode: $word is not changed\" >> $3/judgemessage.txt; exit 43; }
    echo $text > $3/secret.txt
    echo decode $word > $3/nextpass.in
    exit 42
fi
read text < $3/secret.txt
[ $word = $text ] && exit 42
echo \"decode: $word is not $text\" >> $3/judgemessage.txt
exit 43
";

/// Swaps letters with the reverse of the alphabet, which is its own inverse.
const SWAP: &str = "read mode text\necho $text | tr a-z zyxwvutsrqponmlkjihgfedcba\n";

/// A package of `YAML`, `CIPHER` and two cases, with more files.
fn cipher(files: &[(&str, &str)]) -> Workspace {
    let workspace = Workspace::new();
    let own = [
        ("problem.yaml", YAML),
        ("output_validator/v.sh", CIPHER),
        ("data/sample/1.in", "encode hello\n"),
        ("data/secret/1.in", "encode world\n"),
        ("data/secret/1.ans", ""),
    ];
    for (name, text) in own.iter().chain(files) {
        workspace.file(format!("problems/p/{name}"), text);
    }
    workspace
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3"), Need::Tool("g++")])]
fn each_pass_gets_what_the_validator_made() {
    let cpp = "#include <iostream>\n#include <string>\nint main() { std::string mode, text; std::cin >> mode >> text;\n\
               for (char &c : text) c = 'a' + 'z' - c;\nstd::cout << text << '\\n'; }\n";
    let lossy = "mode, text = input().split()\nprint(text[::-1] if mode == 'encode' else text)\n";
    let run = cipher(&[
        ("submissions/accepted/swap.cpp", cpp),
        ("submissions/accepted/reverse.py", "mode, text = input().split()\nprint(text[::-1])\n"),
        ("submissions/wrong_answer/same.py", "print(input().split()[1])\n"),
        ("submissions/wrong_answer/lossy.py", lossy),
        (
            "submissions/run_time_error/second.py",
            "mode, text = input().split()\nprint(text[::-1])\nexit(mode == 'decode')\n",
        ),
    ])
    .run(&[]);
    run.status(0).ends("accepted/swap.cpp", "AC", "met").ends("accepted/reverse.py", "AC", "met");
    run.judged("wrong_answer/same.py", "sample/1", "WA", "pass 1: encode: hello is not changed");
    run.judged("wrong_answer/lossy.py", "sample/1", "WA", "pass 2: decode: olleh is not hello");
    run.judged("run_time_error/second.py", "sample/1", "RTE", "pass 2: exit code 1");
}

#[apply(cli_test)]
fn native_problems_have_passes_too() {
    // Counts down; every number is one pass.
    let validator = "read n < $1\nread m\n[ $m = $((n - 1)) ] || exit 43\n[ $m = 0 ] && exit 42\necho $m > $3/nextpass.in\nexit 42\n";
    let workspace = Workspace::new();
    workspace
        .problem("down")
        .toml("type = \"multi-pass\"\nlimits.validation_passes = 5\n")
        .case("sample/1", "1\n", "")
        .case("secret/5", "5\n", "")
        .file("output_validator/v.sh", validator)
        .submission("accepted/minus.sh", "read n\necho $((n - 1))\n")
        .submission("wrong_answer/until.sh", "read n\n[ $n = 2 ] && n=9\necho $((n - 1))\n");
    std::fs::remove_file(workspace.path("testcases/down/secret/5.ans")).unwrap();
    let run = workspace.run(&[]);
    run.status(0).ends("accepted/minus.sh", "AC", "met");
    run.judged("wrong_answer/until.sh", "secret/5", "WA", "pass 4: rejected by the output validator");
    workspace.grader(&["list"]).status(0).shows("multi-pass");
}

/// Says its input, hears a number and says it again in the next pass, where it must be the same.
const ECHO: &str = "read n < $1
echo $n
read m || { echo silent >> $3/judgemessage.txt; exit 43; }
if [ $n -lt 0 ]; then
    [ $m -lt 0 ] && { echo \"$m is negative\" >> $3/judgemessage.txt; exit 43; }
    echo $m > $3/nextpass.in
    exit 42
fi
[ $n = $m ] && exit 42
echo \"$m is not $n\" >> $3/judgemessage.txt
exit 43
";

#[apply(cli_test)]
#[needs(&[Need::Tool("python3"), Need::Tool("g++")])]
fn an_interactor_asks_for_passes() {
    let cpp = "#include <cstdlib>\n#include <iostream>\nint main() { long n; std::cin >> n; std::cout << std::labs(n) << std::endl; }\n";
    let yaml = YAML.replace("multi-pass", "[interactive, multi-pass]");
    let legacy = [("problem.yaml", "validation: custom interactive multi-pass\n"), (".timelimit", "1")];
    for version in [&[("problem.yaml", &*yaml)][..], &legacy] {
        let workspace = Workspace::new();
        for (name, text) in version.iter().chain(&[
            ("output_validator/v.sh", ECHO),
            ("data/sample/1.in", "-7\n"),
            ("submissions/accepted/abs.cpp", cpp),
            ("submissions/accepted/same.py", "input()\nprint(5)\n"),
            ("submissions/wrong_answer/minus.py", "print(-int(input()))\n"),
            ("submissions/wrong_answer/negative.py", "input()\nprint(-3)\n"),
        ]) {
            let name = if version.len() > 1 { name.replace("validator/", "validators/") } else { (*name).to_owned() };
            workspace.file(format!("problems/p/{name}"), text);
        }
        let run = workspace.run(&[]);
        run.status(0).ends("accepted/abs.cpp", "AC", "met").ends("accepted/same.py", "AC", "met");
        run.judged("wrong_answer/minus.py", "sample/1", "WA", "pass 2: -7 is not 7");
        run.judged("wrong_answer/negative.py", "sample/1", "WA", "pass 1: -3 is negative");
        let kept = workspace.read(".grader/last/p/wrong_answer/minus.py/sample/1.interaction");
        let said: Vec<&str> = kept
            .lines()
            .map(|line| line.trim_start_matches([' ', '.', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9']))
            .collect();
        assert_eq!(said, ["< -7", "> 7", "---", "< 7", "> -7"], "{kept}");
        assert_eq!(workspace.read(".grader/last/p/wrong_answer/minus.py/sample/1.pass.in"), "7\n");
    }
}

#[apply(cli_test)]
fn a_failure_names_its_pass_and_shows_its_input() {
    let workspace = cipher(&[("submissions/accepted/lossy.sh", "read mode text\necho x$text\n")]);
    let run = workspace.run(&["-t", "sample"]);
    run.status(1)
        .shows("pass 2: decode: xxhello is not hello")
        .shows("input    decode xhello")
        .shows("output   xxhello");
    assert_eq!(workspace.read(".grader/last/p/accepted/lossy.sh/sample/1.pass.in"), "decode xhello\n");
}

#[apply(cli_test)]
fn limits_hold_for_each_pass() {
    let run = cipher(&[
        ("problem.yaml", &YAML.replace("time_limit: 1", "time_limit: 1, wall_limit: 0.8")),
        ("submissions/time_limit_exceeded/sleep.sh", &format!("{SWAP}if [ $mode = decode ]; then sleep 30; fi\n")),
        ("submissions/time_limit_exceeded/busy.sh", &format!("{SWAP}while [ $mode = decode ]; do :; done\n")),
        (
            "submissions/run_time_error/flood.sh",
            &format!("{SWAP}if [ $mode = decode ]; then head -c 9000000 /dev/zero; fi\n"),
        ),
    ])
    .run(&["-t", "sample", "--time-limit", "0.2"]);
    run.status(0);
    run.judged("time_limit_exceeded/sleep.sh", "sample/1", "TLE", "pass 2: slept: ");
    run.judged("time_limit_exceeded/busy.sh", "sample/1", "TLE", "pass 2: > 0.3 s (limit 0.2 s)");
    run.judged("run_time_error/flood.sh", "sample/1", "OLE", "pass 2: more than 8 MiB of output");
    // In words that do not vary from run to run as well.
    assert_eq!(run.test("time_limit_exceeded/busy.sh", "sample/1")["reason"], "pass 2: over 0.2 s of cpu time");
}

#[apply(cli_test)]
fn the_slowest_pass_is_what_it_took() {
    // Each pass alone is within the limit; together they are not.
    let busy = "n=0; while [ $n -lt 40000 ]; do n=$((n + 1)); done\n";
    let workspace = cipher(&[("submissions/accepted/busy.sh", &format!("{SWAP}{busy}"))]);
    let second = cipher(&[("submissions/accepted/busy.sh", &format!("{SWAP}[ $mode = decode ] || exit 0\n{busy}"))]);
    let cpu = |workspace: &Workspace| {
        let run = workspace.run(&["-t", "sample", "--time-limit", "20"]);
        run.status(0);
        run.test("accepted/busy.sh", "sample/1")["measured"]["cpu"].as_f64().unwrap()
    };
    let (both, one) = (cpu(&workspace), cpu(&second));
    assert!(both > 0.0 && both < 1.7 * one, "{both} s for two passes, {one} s for the slow one");
}

#[apply(cli_test)]
fn nothing_of_a_submission_outlives_a_pass() {
    let note = "read mode text\nif [ $mode = encode ]; then echo $text > note; echo x; else cat note /tmp/note; fi\n";
    let note = note.replace("> note", "| tee note > /tmp/note");
    let run = cipher(&[("submissions/wrong_answer/note.sh", &note)]).run(&["-t", "sample"]);
    let result = run.test("wrong_answer/note.sh", "sample/1");
    assert!(result["verdict"] == "RTE" || result["verdict"] == "WA", "{result}");
    assert!(result.to_string().contains("pass 2"), "{result}");
}

#[apply(cli_test)]
fn the_feedback_directory_is_kept() {
    // Three passes; each adds to files at several depths and checks those of the passes before.
    let validator = "read n < $1
mkdir -p $3/deep/er
echo $n >> $3/deep/er/log
ln -s /etc/passwd $3/link
[ $(wc -l < $3/deep/er/log) = $n ] || exit 7
[ -e $3/nextpass.in ] && exit 8
[ $n = 3 ] && exit 42
echo $((n + 1)) > $3/nextpass.in
exit 42
";
    let workspace = cipher(&[
        ("problem.yaml", &YAML.replace("time_limit: 1", "time_limit: 1, validation_passes: 3")),
        ("output_validator/v.sh", validator),
        ("data/sample/1.in", "1\n"),
        ("data/secret/1.in", "1\n"),
        ("submissions/accepted/any.sh", "cat\n"),
    ]);
    workspace.run(&[]).status(0).ends("accepted/any.sh", "AC", "met");
}

/// Adds to all messages in each of three passes; the last one rejects a `no`.
const MESSAGES: &str = "read n < $1
read word
printf 'pass %s heard %s\\n' $n $word >> $3/judgemessage.txt
printf 'well %s\\n' $n >> $3/teammessage.txt
[ $word = no ] && exit 43
[ $n = 3 ] && { echo 0.5 > $3/score_multiplier.txt; exit 42; }
echo $((n + 1)) > $3/nextpass.in
exit 42
";

fn messages(yaml: &str, submission: (&str, &str)) -> Workspace {
    let limits = "time_limit: 1, validation_passes: 3";
    cipher(&[
        ("problem.yaml", &yaml.replace("time_limit: 1", limits)),
        ("output_validator/v.sh", MESSAGES),
        ("data/sample/1.in", "1\n"),
        ("data/secret/1.in", "1\n"),
        submission,
    ])
}

#[apply(cli_test)]
fn messages_of_all_passes_are_told() {
    let third = ("submissions/wrong_answer/third.sh", "read n\n[ $n = 3 ] && echo no || echo yes\n");
    let run = messages(YAML, third).run(&["-t", "sample"]);
    run.status(0).judged("wrong_answer/third.sh", "sample/1", "WA", "pass 3: pass 3 heard no");
    let result = run.test("wrong_answer/third.sh", "sample/1");
    assert_eq!(result["feedback"], "pass 1 heard yes\npass 2 heard yes\npass 3 heard no");
    assert_eq!(result["team_message"], "well 1\nwell 2\nwell 3");
    // A pass that the validator was not asked about leaves what was said before.
    let crash = ("submissions/run_time_error/third.sh", "read n\necho yes\n[ $n = 3 ] && exit 1\nexit 0\n");
    let run = messages(YAML, crash).run(&["-t", "sample"]);
    run.status(0).judged("run_time_error/third.sh", "sample/1", "RTE", "pass 3: exit code 1");
    assert_eq!(run.test("run_time_error/third.sh", "sample/1")["feedback"], "pass 1 heard yes\npass 2 heard yes");
    // So much was said before that the newest words alone are told.
    let long = MESSAGES.replace("heard %s\\n", "heard %s\\n%5000s\\n");
    let workspace = messages(YAML, third);
    workspace.file("problems/p/output_validator/v.sh", long);
    let run = workspace.run(&["-t", "sample"]);
    run.judged("wrong_answer/third.sh", "sample/1", "WA", "pass 3: pass 3 heard no");
}

#[apply(cli_test)]
fn points_after_several_passes() {
    let yaml = YAML.replace("type: multi-pass", "type: [scoring, multi-pass]");
    let run = messages(&yaml, ("submissions/mixed/yes.sh", "echo yes\n")).run(&[]);
    run.status(0).ends("mixed/yes.sh", "AC", "met").shows("50");
    // Points of an earlier pass are none of a failure, and no fault of the validator.
    let early = MESSAGES.replace("read word\n", "read word\n[ $n = 1 ] && echo 1 > $3/score_multiplier.txt\n");
    for (submission, verdict) in
        [("[ $n = 3 ] && echo no || echo yes\n", "WA"), ("echo yes\n[ $n = 3 ] && exit 1\nexit 0\n", "RTE")]
    {
        let submission = format!("read n\n{submission}");
        let workspace = messages(&yaml, ("submissions/mixed/third.sh", &submission));
        workspace.file("problems/p/output_validator/v.sh", &early);
        workspace.run(&[]).ends("mixed/third.sh", verdict, "met").judged(
            "mixed/third.sh",
            "secret/1",
            verdict,
            "pass 3",
        );
    }
    // Those that it gives while it rejects are.
    let late = MESSAGES.replace("[ $word = no ] &&", "[ $word = no ] && echo 0 > $3/score_multiplier.txt &&");
    let workspace = messages(&yaml, ("submissions/mixed/no.sh", "echo no\n"));
    workspace.file("problems/p/output_validator/v.sh", &late);
    workspace.run(&["-t", "secret"]).status(3).shows("score_multiplier.txt for an output that it rejects");
}

fn swap(validator: &str) -> Workspace {
    cipher(&[("output_validator/v.sh", validator), ("submissions/accepted/swap.sh", SWAP)])
}

#[apply(cli_test)]
fn a_validator_that_never_stops_is_a_judge_error() {
    let run = swap("cp $1 $3/nextpass.in\nexit 42\n").run(&["-t", "sample"]);
    run.status(3).ends("accepted/swap.sh", "-", "judge_error");
    run.shows("pass 2: ").shows("requests more than 2 passes").shows("limits.validation_passes").shows("v.sh");
}

#[apply(cli_test)]
fn another_pass_goes_with_acceptance_alone() {
    let run = swap("cp $1 $3/nextpass.in\nexit 43\n").run(&["-t", "sample"]);
    run.status(3)
        .ends("accepted/swap.sh", "-", "judge_error")
        .shows("pass 1: ")
        .shows("it rejects and requests another pass");
    let run = swap("cp $1 $3/nextpass.in\nexit 1\n").run(&["-t", "sample"]);
    run.status(3).ends("accepted/swap.sh", "-", "judge_error").shows("exit code 1 instead of 42");
    // Also where the last pass has begun.
    let second = CIPHER.replace("read text < $3/secret.txt", "cp $1 $3/nextpass.in; read text < $3/secret.txt");
    let workspace = cipher(&[("output_validator/v.sh", &second), ("submissions/accepted/x.sh", "echo x\n")]);
    workspace.run(&["-t", "sample"]).status(3).shows("pass 2: ").shows("it rejects and requests");
}

#[apply(cli_test)]
fn a_next_pass_that_is_no_file() {
    for (made, told) in [
        ("ln -s /etc/passwd $3/nextpass.in", "symbolic link"),
        ("ln -s $1 $3/nextpass.in", "symbolic link"),
        ("mkdir $3/nextpass.in", "not a plain file"),
        ("mkfifo $3/nextpass.in", "not a plain file"),
    ] {
        let run = swap(&format!("{made}\nexit 42\n")).run(&["-t", "sample"]);
        run.status(3).ends("accepted/swap.sh", "-", "judge_error").shows("nextpass.in").shows(told);
        assert!(!run.all().contains("root:"), "{}", run.all());
    }
    let away = "cp $1 $3/nextpass.in\ncd $3/..\nmv feedback away\nln -s away feedback\nexit 42\n";
    swap(away).run(&["-t", "sample"]).status(3).ends("accepted/swap.sh", "-", "judge_error").shows("symbolic link");
}

#[apply(cli_test)]
fn a_next_pass_that_is_too_large() {
    let yaml = YAML.replace("time_limit: 1", "time_limit: 1, validation_output: 1");
    for made in [
        "head -c 2000000 /dev/zero > $3/nextpass.in; exit 42",
        "truncate -s 1000G $3/nextpass.in; exit 42",
        "for n in 1 2 3; do head -c 900000 /dev/zero > $3/$n; done; cp $1 $3/nextpass.in; exit 42",
    ] {
        let workspace = swap(made);
        workspace.file("problems/p/problem.yaml", &yaml);
        let run = workspace.run(&["-t", "sample"]);
        // A file that could not be written whole is what is there of it: the validator did not look.
        run.status(3).ends("accepted/swap.sh", "-", "judge_error");
    }
}

#[apply(cli_test)]
fn the_submission_is_at_fault_before_the_validator() {
    // The interactor wants another pass; the submission crashes behind its last word.
    let workspace = Workspace::new();
    for (name, text) in [
        ("problem.yaml", YAML.replace("multi-pass", "[interactive, multi-pass]")),
        (
            "output_validator/v.sh",
            "read n < $1\necho 1 > $3/nextpass.in\necho $n\nread m\nread end\nexit 42\n".to_owned(),
        ),
        ("data/sample/1.in", "1\n".to_owned()),
        ("submissions/run_time_error/crash.sh", "read n\necho 1\nexit 3\n".to_owned()),
    ] {
        workspace.file(format!("problems/p/{name}"), text);
    }
    let run = workspace.run(&[]);
    run.status(0).judged("run_time_error/crash.sh", "sample/1", "RTE", "pass 1: exit code 3");
}

#[apply(cli_test)]
fn results_are_remembered_with_their_pass() {
    let yaml = YAML.replace("multi-pass", "[interactive, multi-pass]");
    let interactive = Workspace::new();
    for (name, text) in [
        ("problem.yaml", &*yaml),
        ("output_validator/v.sh", ECHO),
        ("data/sample/1.in", "-7\n"),
        ("submissions/accepted/same.sh", "read n\necho 5\n"),
        ("submissions/wrong_answer/minus.sh", "read n\necho $((-n))\n"),
    ] {
        interactive.file(format!("problems/p/{name}"), text);
    }
    let batch = cipher(&[
        ("submissions/accepted/swap.sh", SWAP),
        ("submissions/wrong_answer/minus.sh", "read mode text\necho x$text\n"),
    ]);
    for (workspace, input) in [(interactive, "7\n"), (batch, "decode xhello\n")] {
        let first = workspace.run(&["-t", "sample"]);
        first.status(0).judged("wrong_answer/minus.sh", "sample/1", "WA", "pass 2: ");
        std::fs::remove_dir_all(workspace.path(".grader/last")).unwrap();
        let second = workspace.run(&["-t", "sample"]);
        second.status(0);
        assert_eq!(second.measured_and_cached(), (0, 2), "{}", second.all());
        assert_eq!(crate::cli::record::comparable(&first.events), crate::cli::record::comparable(&second.events));
        assert_eq!(workspace.read(".grader/last/p/wrong_answer/minus.sh/sample/1.pass.in"), input);
    }
}

#[apply(cli_test)]
fn changed_limits_are_judged_anew() {
    let three = "read n < $1\n[ $n = 3 ] && exit 42\necho $((n + 1)) > $3/nextpass.in\nexit 42\n";
    let yaml = |limits: &str| YAML.replace("time_limit: 1", &format!("time_limit: 1, {limits}"));
    let workspace = cipher(&[
        ("problem.yaml", &yaml("validation_passes: 3")),
        ("output_validator/v.sh", three),
        ("data/sample/1.in", "1\n"),
        ("submissions/accepted/slow.sh", "read n\n[ $n = 2 ] && sleep 0.6\nexit 0\n"),
    ]);
    workspace.run(&["-t", "sample"]).status(0).ends("accepted/slow.sh", "AC", "met");
    workspace.file("problems/p/problem.yaml", yaml("validation_passes: 3, wall_limit: 0.4"));
    workspace.run(&["-t", "sample"]).status(1).judged("accepted/slow.sh", "sample/1", "TLE", "pass 2: slept");
    // Each pass kept these as well.
    for (more, expected) in
        [("", (0, 1)), (", wall_limit: 9", (0, 1)), (", memory: 900", (1, 0)), (", output: 9", (1, 0))]
    {
        // A program can read its limits on memory and output.
        workspace.file("problems/p/problem.yaml", yaml(&format!("validation_passes: 3{more}")));
        assert_eq!(workspace.run(&["-t", "sample"]).status(0).measured_and_cached(), expected, "{more}");
    }
    workspace.file("problems/p/problem.yaml", yaml("validation_passes: 2"));
    workspace.run(&["-t", "sample"]).status(3).shows("requests more than 2 passes");
}

#[apply(cli_test)]
fn outputs_alone_cannot_be_judged() {
    let workspace = cipher(&[("submissions/accepted/swap.sh", SWAP)]);
    workspace.file("out/sample/1.out", "x\n").file("mine.sh", SWAP);
    workspace.grader(&["check", "p", "out"]).status(2).says("p is of type multi-pass").says("grader judge p PROGRAM");
    workspace.grader(&["judge", "p", "mine.sh"]).status(0);
    workspace.grader(&["accept", "p"]).status(2).says("multi-pass");
}

#[apply(cli_test)]
fn cases_are_tried_and_found_pass_by_pass() {
    // A number and a half of it, rounded down.
    let validator = "read n < $1\nread m\n[ $n -lt 0 ] && { [ $m = $((-n)) ]; exit $((43 - ! $?)); }\n[ $m = $((n / 2)) ] || exit 43\n\
                     echo -$m > $3/nextpass.in\nexit 42\n";
    let workspace = Workspace::new();
    workspace
        .problem("half")
        .toml("type = \"multi-pass\"\n")
        .case("secret/1", "10\n", "")
        .file("output_validator/v.sh", validator)
        .file("input_validators/check.sh", "read n\n[ \"$n\" -ge 0 ] && exit 42\nexit 43\n")
        .file("generators/gen.sh", "echo $1\n")
        .submission("accepted/half.sh", "read n\n[ $n -lt 0 ] && echo $((-n)) || echo $((n / 2))\n")
        .submission(
            "wrong_answer/seven.sh",
            "read n\n[ $n = -7 ] && n=-8\n[ $n -lt 0 ] && echo $((-n)) || echo $((n / 2))\n",
        );
    workspace.file("new/14.in", "14\n");
    let run = workspace.grader(&["add", "half", "new/14.in"]);
    run.status(0).shows("the output validator accepts accepted/half.sh").shows("wrong_answer/seven.sh (WA)");
    let run = workspace.grader(&["stress", "half", "seven.sh", "--gen", "gen.sh 15 {seed}"]);
    run.status(1).shows("pass 2: rejected by the output validator").shows("input    -7");
    let found = ".grader/last/half/stress/wrong_answer/seven.sh/found";
    assert_eq!(workspace.read(format!("{found}.pass.in")), "-7\n");
    assert!(["14\n", "15\n"].contains(&&*workspace.read(format!("{found}.in"))));
}

#[apply(cli_test)]
fn what_makes_no_sense_is_refused() {
    for (yaml, told) in [
        ("type: [multi-pass, submit-answer]\n", "cannot be combined with"),
        ("type: multi-pass\nlimits: {validation_passes: 1}\n", "at least 2 passes"),
        ("type: multi-pass\nlimits: {validation_passes: many}\n", "validation_passes"),
        ("type: several-pass\n", "`multi-pass`"),
    ] {
        let workspace = cipher(&[("submissions/accepted/swap.sh", SWAP)]);
        workspace.file("problems/p/problem.yaml", format!("problem_format_version: 2025-09\n{yaml}"));
        workspace.run(&[]).status(2).says("problem.yaml").says(told);
    }
    let workspace = Workspace::with_sum();
    workspace.problem("sum").toml("type = \"multi-pass\"\n");
    workspace.run(&[]).status(2).says("multi-pass problem without output_validator/");
    workspace.problem("sum").toml("limits.validation_passes = 3\n");
    workspace.run(&[]).status(2).says("problem.toml").says("not of type `multi-pass`");
}
