//! Problems where a program talks to the submission.

use macro_rules_attribute::apply;

use crate::cli::need::Need;
use crate::cli::workspace::Workspace;

/// Thinks of the number in the input; answers `high`, `low` or `right`; rejects after eight guesses.
const GUESS: &str = "read secret < $1
for turn in 1 2 3 4 5 6 7 8; do
    read guess || { echo 'no more guesses' > $3/judgemessage.txt; exit 43; }
    if [ $guess -eq $secret ]; then echo right; exit 42; fi
    if [ $guess -gt $secret ]; then echo high; else echo low; fi
done
echo \"too many guesses, $guess was the last\" > $3/judgemessage.txt
exit 43
";

const BISECT: &str = "low=1 high=100
while :; do
    middle=$(((low + high) / 2))
    echo $middle
    read answer
    case $answer in
        right) exit 0;;
        high) high=$((middle - 1));;
        low) low=$((middle + 1));;
    esac
done
";

fn guess(interactor: &str) -> Workspace {
    let workspace = Workspace::new();
    workspace
        .problem("guess")
        .toml("type = \"interactive\"\nlimits.time_limit = 1\nlimits.wall_limit = 60\n")
        .case("sample/1", "42\n", "")
        .case("secret/1", "1\n", "")
        .case("secret/2", "100\n", "")
        .file("output_validator/guess.sh", interactor)
        .submission("accepted/bisect.sh", BISECT);
    workspace
}

#[apply(cli_test)]
fn accept_and_reject() {
    let workspace = guess(GUESS);
    workspace.problem("guess").submission(
        "wrong_answer/linear.sh",
        "n=1\nwhile echo $n; read a; do [ $a = right ] && exit; n=$((n + 1)); done\n",
    );
    let run = workspace.run(&[]);
    run.status(0).ends("accepted/bisect.sh", "AC", "met");
    run.judged("wrong_answer/linear.sh", "sample/1", "WA", "too many guesses, 8 was the last");
}

#[apply(cli_test)]
fn a_submission_that_ends_early() {
    let workspace = guess(GUESS);
    workspace.problem("guess").submission("wrong_answer/early.sh", "echo 50\nread answer\nexit 0\n");
    workspace.run(&["-s", "early.sh"]).status(0).judged("wrong_answer/early.sh", "sample/1", "WA", "no more guesses");
}

#[apply(cli_test)]
fn a_submission_that_crashes() {
    let workspace = guess(GUESS);
    workspace.problem("guess").submission("run_time_error/crash.sh", "echo 50\nread answer\nexit 7\n");
    workspace.run(&["-s", "crash.sh"]).status(0).judged("run_time_error/crash.sh", "sample/1", "RTE", "exit code 7");
}

#[apply(cli_test)]
fn a_deadlock_ends_by_the_wall_limit() {
    let workspace = guess(GUESS);
    // Both wait for the other to speak first.
    workspace
        .problem("guess")
        .toml("type = \"interactive\"\nlimits.wall_limit = 0.5\n")
        .submission("time_limit_exceeded/wait.sh", "read answer\necho 50\n");
    let run = workspace.run(&["-s", "wait.sh"]);
    run.status(0).judged("time_limit_exceeded/wait.sh", "sample/1", "TLE", "slept: ");
}

/// Both sides wait for each other, and what the submission has said by then differs; or one of them does not wait.
#[apply(cli_test)]
fn a_deadlock_is_told_where_it_is_one() {
    let both = "both sides waited for each other: ";
    for (submission, told) in [
        ("read answer\n", "no output arrived; it may not have been flushed"),
        ("printf 50\nread answer\n", "the last line of the output has no line end, or the rest was not flushed"),
        (
            "echo 50\nread answer\nread more\n",
            "no output arrived after the interactor's last line; it may not have been",
        ),
        ("echo 50\nread answer\nprintf 7\nread more\n", "the last line of the output has no line end"),
    ] {
        for layer in ["auto", "none"] {
            let workspace = guess(GUESS);
            workspace
                .problem("guess")
                .toml("type = \"interactive\"\nlimits.wall_limit = 0.8\n")
                .submission("time_limit_exceeded/wait.sh", submission);
            let run = workspace.run(&["-s", "wait.sh", "-t", "sample", "--isolation", layer]);
            run.status(0).judged("time_limit_exceeded/wait.sh", "sample/1", "TLE", &format!("{both}{told}"));
            run.judged("time_limit_exceeded/wait.sh", "sample/1", "TLE", "slept: ");
            // What is known from before says the same.
            let again = workspace.run(&["-s", "wait.sh", "-t", "sample", "--isolation", layer]);
            again.judged("time_limit_exceeded/wait.sh", "sample/1", "TLE", told);
        }
    }
    // The interactor heard the first line of two and wants the other.
    let two = guess("read a\nread b\nexit 42\n");
    let toml = "type = \"interactive\"\nlimits.wall_limit = 0.8\n";
    two.problem("guess").toml(toml).submission("time_limit_exceeded/wait.sh", "echo 50\nread answer\n");
    let run = two.run(&["-s", "wait.sh", "-t", "sample"]);
    let told = format!("{both}the interactor expected more output");
    run.status(0).judged("time_limit_exceeded/wait.sh", "sample/1", "TLE", &told);
    for (interactor, submission) in [
        (GUESS, "echo 50\nread answer\nexec sleep 60\n"),
        (GUESS, "exec sleep 60\n"),
        ("sleep 3\nexit 42\n", "read answer\n"),
    ] {
        let workspace = guess(interactor);
        workspace.problem("guess").toml(toml).submission("time_limit_exceeded/wait.sh", submission);
        let run = workspace.run(&["-s", "wait.sh", "-t", "sample"]);
        run.judged("time_limit_exceeded/wait.sh", "sample/1", "TLE", "slept: ").hides("both sides");
    }
}

/// A test over time that must be accepted is run again, unless it was seen why it was over time.
#[apply(cli_test)]
fn a_deadlock_is_run_once() {
    for (submission, runs) in [("read answer\n", 1), ("exec sleep 60\n", 3)] {
        let workspace = guess(GUESS).without_walls();
        let log = workspace.path("log");
        workspace
            .problem("guess")
            .toml("type = \"interactive\"\nlimits.wall_limit = 0.8\nreference = \"accepted/bisect.sh\"\n")
            .submission("accepted/wait.sh", &format!("echo run >> {}\n{submission}", log.display()));
        let run = workspace.run(&["-s", "wait.sh", "-t", "sample"]);
        run.status(1).judged("accepted/wait.sh", "sample/1", "TLE", "slept: ");
        let ran = std::fs::read_to_string(&log).unwrap().lines().count();
        assert!(if runs == 1 { ran == 1 } else { ran > 1 }, "{submission}: {ran} runs");
    }
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn a_program_that_does_not_flush_is_told_how() {
    let workspace = guess(GUESS);
    workspace
        .problem("guess")
        .toml("type = \"interactive\"\nlimits.wall_limit = 1\n")
        .submission("time_limit_exceeded/buffered.py", "import sys\nprint(50)\nsys.stdin.readline()\n");
    let run = workspace.run(&["-s", "buffered.py", "-t", "sample"]);
    let told = "it may not have been flushed (print(..., flush=True))";
    run.status(0).judged("time_limit_exceeded/buffered.py", "sample/1", "TLE", told);
}

#[apply(cli_test)]
fn a_busy_submission_is_over_time() {
    let workspace = guess(GUESS);
    workspace.problem("guess").submission("time_limit_exceeded/busy.sh", "echo 50\nwhile :; do :; done\n");
    let run = workspace.run(&["-s", "busy.sh", "--time-limit", "0.2"]);
    run.status(0).judged("time_limit_exceeded/busy.sh", "sample/1", "TLE", "(limit 0.2 s)");
}

/// Computes for longer than the submission may sleep before it answers. Asks for a second pass if the case says so.
const BUSY: &str = "import sys, time
sys.stdin.readline()
while time.process_time() < 0.3:
    pass
print('go on', flush=True)
if sys.stdin.readline() != 'done\\n':
    sys.exit(43)
if open(sys.argv[1]).read() == 'twice\\n':
    open(sys.argv[3] + '/nextpass.in', 'w').write('once\\n')
sys.exit(42)
";

fn busy(kind: &str, input: &str, solution: &str) -> Workspace {
    let workspace = Workspace::new();
    workspace
        .problem("busy")
        .toml(&format!("type = {kind}\nlimits.wall_limit = 0.25\n"))
        .case("sample/1", input, "")
        .file("output_validator/busy.py", BUSY)
        .submission("accepted/patient.sh", solution);
    workspace
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn waiting_for_a_busy_interactor_is_no_sleep() {
    let solution = "echo 1\nread answer\necho done\n";
    let twice = busy("[\"interactive\", \"multi-pass\"]", "twice\n", solution);
    twice.run(&[]).status(0).ends("accepted/patient.sh", "AC", "met");
    let once = busy("\"interactive\"", "once\n", solution);
    for layer in ["weak", "none"] {
        let run = once.run(&["--isolation", layer]);
        run.status(0).ends("accepted/patient.sh", "AC", "met");
        assert!(run.test("accepted/patient.sh", "sample/1")["measured"]["wall"].as_f64().unwrap() > 0.25);
    }
    assert_eq!(once.run(&["--isolation", "none"]).status(0).measured_and_cached(), (0, 1));
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn sleeping_is_sleeping_although_the_interactor_was_busy() {
    for sleeps in ["echo 1\nread answer\nexec sleep 60\n", "echo 1\nread answer\nread deadlock\n"] {
        let run = busy("\"interactive\"", "once\n", sleeps).run(&[]);
        run.status(1).judged("accepted/patient.sh", "sample/1", "TLE", "slept: ");
    }
}

#[apply(cli_test)]
fn an_interactor_that_crashes_is_a_judge_error() {
    for (body, told) in [
        ("read guess\necho oh no >&2\nexit 1\n", "exit code 1 instead of 42"),
        ("read guess\nkill -SEGV $$\n", "SIGSEGV"),
        ("exit 0\n", "exit code 0 instead of 42"),
    ] {
        // The submission goes on alone until its limit.
        let run = guess(body).run(&["-t", "sample", "--time-limit", "0.3"]);
        run.status(3).ends("accepted/bisect.sh", "-", "judge_error").shows(told).shows("guess.sh");
    }
}

#[apply(cli_test)]
fn an_interactor_that_ends_first() {
    // It has seen enough at once; the submission writes to a closed pipe and fails for that.
    let accepts = guess("exit 42\n");
    accepts
        .problem("guess")
        .submission("accepted/bisect.sh", "for i in 1 2 3 4 5 6 7 8 9; do echo $i || exit 1; sleep 0.05; done\n");
    let run = accepts.run(&["-t", "sample"]);
    assert!(run.status == 0 || run.test("accepted/bisect.sh", "sample/1")["verdict"] == "RTE", "{}", run.all());
    let rejects = guess("echo 'I do not like you' > $3/judgemessage.txt\nexit 43\n");
    rejects.problem("guess").submission("accepted/bisect.sh", "while :; do read answer || exit 9; done\n");
    rejects.run(&["-t", "sample"]).status(1).judged("accepted/bisect.sh", "sample/1", "WA", "I do not like you");
}

#[apply(cli_test)]
fn a_chatter_is_stopped() {
    let workspace = guess("cat > /dev/null\nexit 43\n");
    workspace
        .problem("guess")
        .toml("type = \"interactive\"\nlimits.output = 1\nlimits.time_limit = 20\n")
        .submission("output_limit_exceeded/flood.sh", "exec yes\n");
    let run = workspace.run(&["-s", "flood.sh"]);
    run.status(0).judged("output_limit_exceeded/flood.sh", "sample/1", "OLE", "more than 1 MiB of output");
}

/// An interactor that reads nothing, or ends first, does not hide how much was printed.
#[apply(cli_test)]
fn what_nobody_reads_counts() {
    for interactor in ["sleep 0.2\nexit 42\n", "exec <&-\nsleep 0.2\nexit 42\n"] {
        let workspace = guess(interactor);
        let toml = "type = \"interactive\"\nlimits.time_limit = 1\nlimits.output = 1\n";
        workspace.problem("guess").toml(toml).submission("accepted/bisect.sh", "head -c 1048576 /dev/zero\n");
        workspace.problem("guess").submission("rejected/more.sh", "head -c 1048577 /dev/zero\n");
        for judge in ["icpc", "kattis"] {
            let run = workspace.run(&["--as", judge, "--no-cache"]);
            run.status(0).ends("accepted/bisect.sh", "AC", "met").judged(
                "rejected/more.sh",
                "sample/1",
                "OLE",
                "1 MiB",
            );
        }
    }
}

/// An interactor that gives an input of so many MiB at once and then wants its size.
fn generous(mebi: u32, toml: &str) -> Workspace {
    let size = mebi << 20;
    let workspace = guess(&format!(
        "head -c {size} /dev/zero | tr '\\0' 0\nexec >&-\nread n\n[ $n = {size} ] && exit 42\nexit 43\n"
    ));
    workspace.problem("guess").toml(&format!("type = \"interactive\"\n{toml}"));
    workspace.problem("guess").submission("accepted/bisect.sh", "wc -c\n");
    workspace
}

#[apply(cli_test)]
fn an_interactor_may_say_much() {
    // What it says is an input: that is often longer than an output may be.
    generous(12, "").run(&["-t", "sample"]).status(0).ends("accepted/bisect.sh", "AC", "met");
}

#[apply(cli_test)]
fn an_interactor_over_its_own_limits_is_a_judge_error() {
    for (mebi, toml, told) in [
        (3, "limits.validation_output = 2\n", "more than 2 MiB of output; `limits.validation_output` of the problem"),
        (3, "limits.validation_output = 3\n", "more than 3 MiB of output"),
    ] {
        // With a line end there is one byte more than the limit.
        let workspace = generous(mebi, toml);
        if mebi == 3 {
            let text = workspace.read("problems/guess/output_validator/guess.sh").replace("exec >&-", "echo; exec >&-");
            workspace.problem("guess").file("output_validator/guess.sh", &text);
        }
        let run = workspace.run(&["-t", "sample"]);
        run.status(3).ends("accepted/bisect.sh", "-", "judge_error").shows(told);
    }
    for (interactor, limit) in [
        ("while :; do :; done\n", "validation_time = 0.2"),
        ("x=0123456789\nwhile :; do x=$x$x; done\n", "validation_memory = 32"),
    ] {
        let workspace = guess(interactor);
        workspace
            .problem("guess")
            .toml(&format!("type = \"interactive\"\nlimits = {{ time_limit = 20, {limit} }}\n"))
            .submission("accepted/bisect.sh", "wc -c\n");
        let run = workspace.run(&["-t", "sample"]);
        run.status(3).ends("accepted/bisect.sh", "-", "judge_error").shows(&format!("limits.{}", &limit[..13]));
    }
}

#[apply(cli_test)]
fn the_transcript_is_kept_and_shown() {
    let workspace = guess(GUESS);
    workspace
        .problem("guess")
        .submission("accepted/bisect.sh", "echo 50\nread a\necho 'seen' $a >&2\necho 7\nread a\nprintf 3\n");
    let run = workspace.run(&["-t", "sample"]);
    run.status(1).shows("talk").shows("> 50").shows("< high").shows("seen high").shows(".{in,ans,interaction,err}");
    let kept = workspace.read(".grader/last/guess/accepted/bisect.sh/sample/1.interaction");
    let said: Vec<&str> = kept.lines().map(|line| line.trim_start().split_once(' ').unwrap().1).collect();
    assert_eq!(said[..4], ["> 50", "< high", "> 7", "< low"], "{kept}");
    assert!(said[4].starts_with("> 3"), "{kept}");
}

#[apply(cli_test)]
fn everything_is_known_the_second_time() {
    let workspace = guess(GUESS);
    workspace.problem("guess").submission("wrong_answer/early.sh", "echo 50\nread answer\nexit 0\n");
    let first = workspace.run(&[]);
    let second = workspace.run(&[]);
    second.status(0);
    assert_eq!(second.measured_and_cached(), (0, 4), "{}", second.all());
    assert_eq!(crate::cli::record::comparable(&first.events), crate::cli::record::comparable(&second.events));
    workspace.problem("guess").file("output_validator/guess.sh", &format!("# changed\n{GUESS}"));
    assert_eq!(workspace.run(&[]).status(0).measured_and_cached(), (4, 0));
}

#[apply(cli_test)]
fn what_keeps_its_limits_is_not_run_again_for_others() {
    let workspace = guess(GUESS);
    let toml = |more: &str| {
        let toml = format!("type = \"interactive\"\nlimits.wall_limit = 60\n{more}");
        workspace.problem("guess").toml(&toml);
    };
    let burn = "n=0; while [ $n -lt 30000 ]; do n=$((n + 1)); done\n";
    workspace
        .problem("guess")
        .submission("accepted/bisect.sh", &format!("{burn}{BISECT}"))
        .submission("run_time_error/crash.sh", "echo 50\nread answer\nexit 7\n")
        .submission("time_limit_exceeded/busy.sh", "echo 50\nwhile :; do :; done\n");
    let run = |limit: &str, expected: (usize, usize)| {
        let run = workspace.run(&["-t", "sample", "--time-limit", limit]);
        assert_eq!(run.measured_and_cached(), expected, "{limit}: {}", run.all());
        run
    };
    toml("");
    run("0.3", (3, 0)).status(0);
    // What was killed might get on with more time.
    run("0.4", (1, 2)).status(0).judged("time_limit_exceeded/busy.sh", "sample/1", "TLE", "(limit 0.4 s)");
    // What is known of other limits is not lost for that.
    run("0.3", (0, 3)).status(0).judged("time_limit_exceeded/busy.sh", "sample/1", "TLE", "(limit 0.3 s)");
    // It did not keep this one.
    let tight = run("0.01", (2, 1));
    tight.status(1).judged("accepted/bisect.sh", "sample/1", "TLE", "(limit 0.01 s)");
    // A program can read its memory limit.
    toml("limits.memory = 900\n");
    run("0.5", (3, 0)).status(0);
}

#[apply(cli_test)]
fn interactive_without_an_interactor_is_an_error() {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").toml("type = \"interactive\"\n");
    workspace.run(&[]).status(2).says("interactive problem without output_validator/").says("problems/sum");
}
