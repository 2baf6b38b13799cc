//! How much the two sides of a conversation may say.

use macro_rules_attribute::apply;

use crate::cli::need::Need;
use crate::cli::workspace::Workspace;

/// Wants ten lines of 1 MB, and answers each.
const LISTENS: &str = "import sys
for i in range(10):
    if len(sys.stdin.readline()) != 1000001:
        sys.exit(43)
    print('ok', flush=True)
sys.exit(42)
";

const CHATTY: &str = "for i in range(10):
    print('7' * 1000000, flush=True)
    assert input() == 'ok'
";

fn chatty(toml: &str) -> Workspace {
    let workspace = Workspace::new();
    workspace
        .problem("echo")
        .toml(&format!("type = \"interactive\"\nlimits.time_limit = 5\nlimits.wall_limit = 20\n{toml}"))
        .case("sample/1", "1\n", "")
        .file("output_validator/talk.py", LISTENS)
        .submission("accepted/chatty.py", CHATTY);
    workspace
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn a_conversation_has_no_output_limit_unless_one_is_stated() {
    let free = chatty("");
    for judge in ["icpc", "kattis"] {
        free.run(&["--as", judge]).status(0).ends("accepted/chatty.py", "AC", "met");
    }
    let told = "more than 8 MiB of output";
    let stated = chatty("limits.output = 8\n");
    for judge in ["icpc", "kattis", "domjudge"] {
        stated.run(&["--as", judge]).status(1).judged("accepted/chatty.py", "sample/1", "OLE", told);
    }
    // The earlier result had no limit, and says nothing about the same figure as a stated limit.
    free.file("grader.toml", "[limits]\noutput = 8\n");
    free.run(&["--as", "icpc"]).status(1).judged("accepted/chatty.py", "sample/1", "OLE", told);
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn where_the_rest_is_discarded_that_is_the_reason() {
    let workspace = chatty("");
    workspace.problem("echo").toml("type = \"interactive\"\nlimits.time_limit = 5\nlimits.wall_limit = 2\n");
    let run = workspace.run(&["--as", "domjudge"]);
    let told = "the output beyond 8 MiB was discarded, as DOMjudge does";
    run.status(1).judged("accepted/chatty.py", "sample/1", "TLE", told).hides("flushed");
    // With the verdicts of the others, that of the own judge is the same, and theirs would need another conversation.
    workspace.problem("echo").file("domjudge-problem.ini", "timelimit = 5\n");
    let run = workspace.run(&["--as", "all"]);
    run.status(0).judged("accepted/chatty.py", "sample/1", "AC", "").shows("it is unknown what one would say (?)");
    run.shows("sample/1  AC     AC      ?");
}

/// Works for a while on every line.
const SLOW: &str = "import sys, time
for line in sys.stdin:
    until = time.process_time() + 0.02
    while time.process_time() < until: pass
";

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn a_flood_into_a_slow_interactor_ends_at_the_wall_limit() {
    let workspace = Workspace::new();
    workspace
        .problem("echo")
        .toml("type = \"interactive\"\nlimits.time_limit = 5\nlimits.wall_limit = 1\n")
        .case("sample/1", "1\n", "")
        .file("output_validator/talk.py", SLOW)
        .submission("accepted/flood.py", "while True: print('7' * 1000000)\n");
    let run = workspace.run(&[]);
    let told = "slept or waited for the interactor after";
    run.status(1).judged("accepted/flood.py", "sample/1", "TLE", told);
    // Other programs on the machine do not make a program print, so nothing runs again.
    run.hides("in 3 runs");
}

/// Nobody waits for the wall limit of an interactor whose submission was stopped: 121 s here.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn an_idle_interactor_ends_soon_after_the_submission() {
    let idle = "import time\nprint('hello', flush=True)\ntime.sleep(1000)\n";
    let drops = "import sys, time\nwhile sys.stdin.readline():\n    time.sleep(0.05)\n";
    let sleeps = "import time\ninput()\ntime.sleep(1000)\n";
    let flood = "while True: print('7' * 1000)\n";
    let unread = "the interactor did not read all that the submission wrote";
    for (interactor, program, told, judges) in [
        (idle, flood, unread, &["icpc", "kattis", "domjudge"][..]),
        (drops, flood, unread, &["icpc"]),
        (idle, sleeps, "slept", &["kattis"]),
    ] {
        for judge in judges {
            let workspace = Workspace::new();
            workspace
                .problem("echo")
                .toml("type = \"interactive\"\nlimits.time_limit = 0.2\nlimits.wall_limit = 0.5\n")
                .case("sample/1", "1\n", "")
                .file("output_validator/talk.py", interactor)
                .submission("time_limit_exceeded/p.py", program);
            let begun = std::time::Instant::now();
            workspace.run(&["--as", judge]).status(0).judged("time_limit_exceeded/p.py", "sample/1", "TLE", told);
            assert!(begun.elapsed().as_secs() < 60, "{:?}", begun.elapsed());
        }
    }
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn a_long_line_does_not_flood_the_terminal() {
    let workspace = Workspace::new();
    workspace
        .problem("echo")
        .toml("type = \"interactive\"\n")
        .case("sample/1", "1\n", "")
        .file("output_validator/talk.py", "import sys\nsys.stdin.readline()\nsys.exit(43)\n")
        .submission("accepted/long.py", "print('7' * 65000, flush=True)\n");
    let html = workspace.path("page.html");
    let run = workspace.run(&["--report", &format!("html={}", html.display())]);
    run.status(1).judged("accepted/long.py", "sample/1", "WA", "").shows("7…").hides(&"7".repeat(200));
    let page = std::fs::read_to_string(html).unwrap();
    assert!(page.contains("777…") && !page.contains(&"7".repeat(2000)));
    // Neither does what an interactor says about itself.
    let loud = "import sys\nsys.stderr.write('e' * 65000)\nsys.exit(3)\n";
    workspace.problem("echo").file("output_validator/talk.py", loud);
    let run = workspace.run(&[]);
    run.status(3).shows("exit code 3 instead of 42");
    assert!(run.stdout.len() < 2000, "{}", run.stdout);
}

/// Says something wrong, and then fails.
const FAILS: &str = "#include <cstdio>\nint main() { puts(\"bad\"); return 1; }\n";

/// Which of two processes is faster must not decide between WA and RTE.
#[apply(cli_test)]
#[needs(&[Need::Tool("g++")])]
fn last_words_are_heard_before_the_end() {
    const TESTS: usize = 60;
    let at_once = "#include <cstdio>\nint main() { char line[9]; if (!fgets(line, 9, stdin)) return 42; return 43; }\n";
    // This one notices only after the end of the input that something was wrong.
    let at_the_end = "#include <cstdio>\nint main() { while (getchar() != EOF) {} return 43; }\n";
    for (interactor, verdict, told) in [(at_once, "WA", "rejected by the interactor"), (at_the_end, "RTE", "")] {
        let workspace = Workspace::new();
        let problem = workspace.problem("echo");
        problem
            .toml("type = \"interactive\"\nlimits.time_limit = 5\n")
            .file("output_validator/talk.cpp", interactor)
            .submission("rejected/fails.cpp", FAILS);
        for test in 0..TESTS {
            problem.case(&format!("secret/{test}"), "1\n", "");
        }
        let run = workspace.run(&["-a"]);
        run.status(0);
        for test in 0..TESTS {
            run.judged("rejected/fails.cpp", &format!("secret/{test}"), verdict, told);
        }
    }
}
