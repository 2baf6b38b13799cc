//! The options of `grader run`.

use macro_rules_attribute::apply;

use crate::cli::run::Call;
use crate::cli::workspace::{SUM, Workspace};

#[apply(cli_test)]
fn submissions_are_chosen_by_name_directory_and_glob() {
    let workspace = Workspace::with_sum();
    workspace
        .problem("sum")
        .submission("wrong_answer/one.sh", "echo 1\n")
        .submission("wrong_answer/two.sh", "echo 2\n")
        .submission("run_time_error/one.sh", "exit 1\n");
    let check = |args: &[&str], expect: &[&str]| {
        let run = workspace.run(args);
        let found: Vec<_> = run.of("submission_finished").filter_map(|event| event["submission"].as_str()).collect();
        assert_eq!(found, expect, "{args:?}; {}", run.all());
    };
    check(&["-s", "sum.sh"], &["accepted/sum.sh"]);
    check(&["-s", "sum"], &["accepted/sum.sh"]);
    check(&["-s", "one"], &["run_time_error/one.sh", "wrong_answer/one.sh"]);
    check(&["-s", "wrong_answer"], &["wrong_answer/one.sh", "wrong_answer/two.sh"]);
    check(&["-s", "wrong_answer/t*"], &["wrong_answer/two.sh"]);
    check(&["--submission", "two.sh", "--submission", "sum.sh"], &["accepted/sum.sh", "wrong_answer/two.sh"]);
    check(&["-s", "problems/sum/submissions/wrong_answer/two.sh"], &["wrong_answer/two.sh"]);
    workspace.run(&["-s", "tow.sh"]).status(2).says("no submission matches `tow.sh`; did you mean");
}

#[apply(cli_test)]
fn tests_are_chosen_by_name_group_prefix_and_glob() {
    let workspace = Workspace::with_sum();
    let check = |args: &[&str], expect: &[&str]| {
        let run = workspace.run(args);
        assert_eq!(run.tests("test_finished", "accepted/sum.sh"), expect, "{args:?}; {}", run.all());
    };
    check(&["-t", "01"], &["secret/01"]);
    check(&["-t", "secret/02", "-t", "sample"], &["sample/1", "secret/02"]);
    check(&["--test", "secret"], &["secret/01", "secret/02", "secret/03"]);
    check(&["-t", "secret/0"], &["secret/01", "secret/02", "secret/03"]);
    check(&["-t", "*3"], &["secret/03"]);
    workspace.run(&["-t", "secret/09"]).status(2).says("no test matches `secret/09`; did you mean `secret/0");
}

#[apply(cli_test)]
fn a_dry_run_runs_nothing() {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").submission("accepted/sum.sh", &format!("touch {}\n", workspace.path("ran").display()));
    let run = workspace.run(&["--dry-run"]);
    run.status(0).shows("sum  4 tests, 1 submission\n").shows("accepted/sum.sh  expected AC").shows("secret/02");
    run.shows("4 executions at most");
    assert!(!workspace.path("ran").exists());
    assert!(run.events.is_empty());
}

#[apply(cli_test)]
fn the_table_shows_which_case_fails_which() {
    let workspace = Workspace::with_sum();
    workspace
        .problem("sum")
        .submission("wrong_answer/three.sh", "echo 3\n")
        .submission("run_time_error/odd.sh", "read a b\n[ $a = 10 ] && exit 1\necho $((a + b))\n");
    let run = workspace.run(&["--table", "-a"]);
    run.status(0);
    let row = |name: &str| run.stdout.lines().any(|line| line.trim_start().starts_with(name));
    assert!(row("secret/02"), "{}", run.all());
    assert!(!row("sample/1"), "a case that fails nobody is no row: {}", run.all());
}

#[apply(cli_test)]
fn reports_are_written_where_asked() {
    let workspace = Workspace::with_sum();
    let run = workspace.run(&["--report", "jsonl=second.jsonl"]);
    run.status(0);
    let second = workspace.read("second.jsonl");
    assert_eq!(second.lines().count(), run.events.len());
    assert_eq!(run.events[0]["event"], "run_started");
    assert_eq!(run.events.last().unwrap()["event"], "run_finished");
}

#[apply(cli_test)]
fn a_report_that_cannot_be_written_is_an_error() {
    let workspace = Workspace::with_sum();
    workspace.run(&["--report", "jsonl=no/such/dir.jsonl"]).status(2).says("no/such/dir.jsonl");
    workspace.run(&["--report", "xml=a.xml"]).status(2).says("unknown report `xml`; known are jsonl, csv");
    workspace.run(&["--report", "jsonl"]).status(2).says("jsonl=FILE");
}

#[apply(cli_test)]
fn time_limits_can_be_set_and_stretched() {
    let workspace = Workspace::with_sum();
    workspace
        .problem("sum")
        .toml("limits.time_limit = 1\nlimits.wall_limit = 60\n")
        .submission("time_limit_exceeded/busy.sh", "while :; do :; done\n");
    let check = |args: &[&str], reason: &str| {
        let run = workspace.run(&[&["-s", "busy.sh", "-t", "sample/1", "--no-cache"], args].concat());
        run.status(0).judged("time_limit_exceeded/busy.sh", "sample/1", "TLE", reason);
    };
    check(&["--time-limit", "200ms"], "(limit 0.2 s)");
    check(&["--time-limit", "0.1"], "(limit 0.1 s)");
    check(&["--time-factor", "0.25"], "(limit 0.25 s)");
    check(&["--time-limit", "0.1s", "--time-factor", "2"], "(limit 0.2 s)");
    workspace.run(&["--time-limit", "soon"]).status(2).says("`2s` or `500ms`");
    workspace.run(&["--time-factor", "-1"]).status(2);
}

#[apply(cli_test)]
fn a_language_has_limits_of_its_own() {
    let workspace = Workspace::with_sum();
    workspace
        .problem("sum")
        .submission("time_limit_exceeded/busy.sh", "while :; do :; done\n")
        .submission("output_limit_exceeded/flood.sh", "head -c 3000000 /dev/zero\n");
    // `sh` is an alias of the row `shell`.
    workspace
        .file("grader.toml", "[language.sh.limits]\ntime_limit = 0.2\noutput = 2\n[language.c.limits]\noutput = 1\n");
    let run = workspace.run(&["-t", "sample/1"]);
    run.judged("time_limit_exceeded/busy.sh", "sample/1", "TLE", "(limit 0.2 s)");
    run.judged("output_limit_exceeded/flood.sh", "sample/1", "OLE", "more than 2 MiB");
    workspace.problem("sum").toml("limits.time_limit = 0.1\n");
    workspace.run(&["-t", "sample/1"]).judged("time_limit_exceeded/busy.sh", "sample/1", "TLE", "(limit 0.1 s)");
    workspace.file("grader.toml", "[language.sh.limits]\nouput = 2\n");
    workspace.run(&[]).status(2).says("did you mean `output`?");
}

#[apply(cli_test)]
fn every_test_is_repeated() {
    let workspace = Workspace::with_sum().without_walls();
    let count = workspace.path("count");
    workspace.problem("sum").submission("accepted/sum.sh", &format!("echo x >> {}\n{SUM}", count.display()));
    workspace.run(&["--repeat", "3", "-t", "sample"]).status(0).ends("accepted/sum.sh", "AC", "met");
    assert_eq!(workspace.read("count").lines().count(), 3);
    // Wrong once is wrong.
    let once = format!("echo x >> {0}\n[ $(wc -l < {0}) = 2 ] && exit 1\n{SUM}", workspace.path("other").display());
    workspace.problem("sum").submission("accepted/sum.sh", &once);
    workspace.run(&["--repeat", "3", "-t", "sample"]).status(1).ends("accepted/sum.sh", "RTE", "missed");
    workspace.run(&["--repeat", "0"]).status(2);
}

#[apply(cli_test)]
fn the_checker_can_be_chosen() {
    let workspace = Workspace::with_sum();
    workspace
        .problem("float")
        .case("sample/1", "", "Pi 3.14159265\n")
        .submission("accepted/near.sh", "echo 'Pi   3.14159266'\n");
    workspace.problem("spaces").case("sample/1", "", "a b\n").submission("accepted/wide.sh", "printf 'a  b'\n");
    let check = |problem: &str, checker: &str, status: i32| {
        workspace.run(&[problem, "--checker", checker]).status(status);
    };
    check("float", "tokens", 1);
    check("float", "float=1e-6", 0);
    check("float", "float=1e-12", 1);
    check("spaces", "tokens", 0);
    check("spaces", "exact", 1);
}

#[apply(cli_test)]
fn a_program_can_be_the_checker() {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").submission("wrong_answer/three.sh", "echo 3\n");
    workspace.file("lax.sh", "exit 42\n").file("harsh.sh", "echo no mercy > $3/judgemessage.txt\nexit 43\n");
    workspace.run(&["--checker", "lax.sh"]).status(1).ends("wrong_answer/three.sh", "AC", "missed");
    let harsh = workspace.run(&["--checker", "harsh.sh"]);
    harsh.status(1).judged("accepted/sum.sh", "sample/1", "WA", "no mercy");
}

#[apply(cli_test)]
fn an_unknown_checker_is_a_usage_error() {
    let workspace = Workspace::with_sum();
    workspace.run(&["--checker", "tokns"]).status(2).says("--checker tokns").says("no such program");
}

#[apply(cli_test)]
fn the_language_can_be_named() {
    let workspace = Workspace::with_sum();
    workspace.file("solver.txt", "print(sum(map(int, input().split())))\n");
    workspace.run(&["sum", "solver.txt", "--lang", "python3"]).status(0).ends("solver.txt", "AC", "met");
    workspace.run(&["--lang", "pyhton3"]).status(2).says("unknown language `pyhton3`; did you mean `python3`?");
}

#[apply(cli_test)]
fn no_cache_measures_anew() {
    let workspace = Workspace::with_sum();
    workspace.run(&[]).status(0);
    assert_eq!(workspace.run(&[]).measured_and_cached(), (0, 4));
    assert_eq!(workspace.run(&["--no-cache"]).measured_and_cached(), (4, 0));
}

#[apply(cli_test)]
fn colour_is_as_asked_for() {
    let workspace = Workspace::with_sum();
    let coloured = |run: crate::cli::run::Run| run.stdout.contains("\u{1b}[");
    assert!(!coloured(workspace.run(&[])), "no terminal, no colour");
    assert!(coloured(workspace.run(&["--color", "always"])));
    assert!(!coloured(workspace.call(&["--color", "never"]).env("CLICOLOR_FORCE", "1").run()));
    assert!(coloured(workspace.call(&[]).env("CLICOLOR_FORCE", "1").run()));
    assert!(!coloured(workspace.call(&[]).env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1").run()));
    workspace.run(&["--color", "maybe"]).status(2).says("always");
}

#[apply(cli_test)]
fn differences_are_shown_as_asked_for() {
    let workspace = Workspace::with_sum();
    let lines = |wrong: &str| -> String {
        (10..=50).map(|n| if n == 30 { format!("{wrong}\n") } else { format!("line {n}\n") }).collect()
    };
    workspace
        .problem("lines")
        .case("sample/1", "", &lines("line 30"))
        .submission("accepted/wrong.sh", &format!("cat <<END\n{}END\n", lines("line XXX")));
    let side = workspace.run(&["lines", "--diff", "side-by-side"]);
    side.status(1).shows("your output").shows("│").shows("line 30").shows("line XXX");
    let unified = workspace.run(&["lines", "--diff", "unified"]);
    unified.status(1).hides("│").shows("- line 30").shows("+ line XXX").shows("line 27").hides("line 25");
    workspace.run(&["lines", "--diff", "none"]).status(1).hides("line 29").hides("line XXX").shows("got `XXX`");
    workspace.run(&["lines", "--diff", "unified", "--context", "1"]).status(1).shows("line 29").hides("line 27");
}

#[apply(cli_test)]
fn options_that_do_nothing_are_not_offered() {
    let workspace = Workspace::with_sum();
    workspace.file("out", "3\n");
    let unknown = |command: &[&str], options: &[&str]| {
        for option in options {
            let words: Vec<&str> = option.split(' ').collect();
            let run = workspace.grader(&[command, &words].concat());
            run.status(2).says(&format!("'{}'", words[0]));
        }
    };
    let of_plans = ["--repeat 2", "-j 2"];
    unknown(&["add", "sum", "out"], &[&of_plans[..], &["-q", "-v"]].concat());
    unknown(&["accept", "sum"], &[&of_plans[..], &["-q", "-v"]].concat());
    unknown(&["stress", "sum", "sum.sh"], &[&of_plans[..], &["-q"]].concat());
    let of_submissions = ["--time-limit 1", "--time-factor 2", "--checker exact", "--lang sh"];
    unknown(&["gen", "sum"], &[&of_plans[..], &of_submissions, &["-q"]].concat());
    unknown(&["time-limit", "sum"], &of_submissions[..3]);
    let of_programs = ["--time-limit 1", "--time-factor 2", "--repeat 2", "--lang sh"];
    unknown(&["check", "sum", "out", "-t", "sample"], &of_programs);
    for option in of_programs {
        let words: Vec<&str> = option.split(' ').collect();
        let run = workspace.grader(&[&["judge", "sum", "--outputs", "out"], &words[..]].concat());
        run.status(2).says("cannot be used with");
    }
    assert!(!workspace.path(".grader").exists());
}

#[apply(cli_test)]
fn quiet_shows_only_what_is_unexpected() {
    let workspace = Workspace::with_sum();
    workspace.problem("bad").case("sample/1", "", "1\n").submission("accepted/bad.sh", "echo 2\n");
    let run = workspace.run(&["-q"]);
    run.status(1).hides("accepted/sum.sh").shows("✗ bad · accepted/bad.sh").shows("FAIL");
    let fine = workspace.run(&["-q", "sum"]);
    fine.status(0).hides("sum.sh").silent();
}

#[apply(cli_test)]
fn verbose_lists_what_is_cached() {
    let workspace = Workspace::with_sum();
    workspace.run(&[]);
    workspace.run(&[]).status(0).shows("1 of 1 as expected: 1 AC").hides("accepted/sum.sh");
    workspace.run(&["-v"]).status(0).shows("accepted/sum.sh");
    workspace.run(&["-vv"]).status(0).shows("accepted/sum.sh");
}

#[apply(cli_test)]
fn a_command_is_a_submission() {
    let workspace = Workspace::with_sum();
    let run = workspace.run(&["sum", "-c", "read a b; echo $((a + b))"]);
    run.status(0).ends("command", "AC", "met");
    assert_eq!(run.of("submission_finished").count(), 1, "instead of the problem's own submissions");
    let again = workspace.run(&["sum", "--command", "read a b; echo $((a + b))"]);
    assert_eq!(again.measured_and_cached().1, 0, "what a command does is unknown: never cached");
    workspace.run(&["sum", "-c", "exit 1"]).status(1).shows("expected AC, got RTE");
}

#[apply(cli_test)]
fn usage_errors_exit_2() {
    let workspace = Workspace::with_sum();
    workspace.run(&["--no-such-option"]).status(2).says("--no-such-option");
    workspace.run(&["-j", "many"]).status(2).says("many");
    workspace.run(&["--isolation", "magic"]).status(2).says("invalid value 'magic' for '--isolation <MODE>'");
    workspace.run(&["-t", "[z-a"]).status(2).says("not a valid glob");
}

#[apply(cli_test)]
fn wrong_calls_name_the_right_ones() {
    let workspace = Workspace::with_sum();
    let run = workspace.run(&["--tle", "1"]);
    run.status(2).says("a similar argument exists: '--time-limit'");
    assert!(!run.stderr.contains("--test"), "{}", run.stderr);
    for word in ["t", "test", "rnu"] {
        workspace.grader(&[word]).status(2).says("a similar subcommand exists: 'run'");
    }
    workspace.run(&["--time-limit", "-1s"]).status(2).says("write a positive time such as");
    let run = workspace.run(&["--exit-zero"]);
    assert!(run.status(2).stderr.contains("'--exit-zero'") && !run.stderr.contains("tip:"), "{}", run.stderr);
}

#[apply(cli_test)]
fn help_and_version_are_no_errors() {
    let workspace = Workspace::bare();
    workspace.run(&["--help"]).status(0).shows("Exit status").silent();
    workspace.run(&["--version"]).status(0).shows(env!("CARGO_PKG_VERSION")).silent();
    let details = workspace.grader(&["--version", "-v"]);
    details.status(0).shows(env!("CARGO_PKG_VERSION")).shows("features: ").shows("isolation: ").silent();
    assert!(details.stdout.contains(&format!("build: {}-linux-", std::env::consts::ARCH)), "{}", details.stdout);
}

#[apply(cli_test)]
fn many_jobs_are_fine() {
    let workspace = Workspace::with_sum();
    for jobs in ["1", "3", "100"] {
        workspace.run(&["-j", jobs, "--no-cache"]).status(0).ends("accepted/sum.sh", "AC", "met");
    }
}

#[apply(cli_test)]
fn help_has_one_form_and_examples() {
    let workspace = Workspace::bare();
    let top = workspace.grader(&["--help"]);
    assert_eq!(workspace.grader(&["help", "--help"]).status(0).stdout, top.status(0).stdout);
    for command in ["run", "add", "verify", "list", "config", "completions"] {
        let long = workspace.grader(&[command, "--help"]);
        long.status(0).silent().shows(&format!("Examples:\n  grader {command}")).shows("-h, --help");
        assert_eq!(workspace.grader(&[command, "-h"]).stdout, long.stdout);
        assert_eq!(workspace.grader(&["help", command]).stdout, long.stdout);
    }
    workspace.grader(&["run", "--no-such"]).status(2).says("try '--help'");
}

#[apply(cli_test)]
fn manual_pages_are_written() {
    let workspace = Workspace::bare();
    workspace.grader(&["man"]).status(0).silent().shows(".TH grader 1").shows("grader\\-run(1)");
    workspace.grader(&["man", "pages/man1"]).status(0).silent();
    assert!(workspace.read("pages/man1/grader-run.1").contains("Examples:"));
    assert!(workspace.read("pages/man1/grader.1").contains(".TH grader 1"));
    workspace.file("taken", "");
    workspace.grader(&["man", "taken"]).status(2).says("cannot write manual pages to taken");
}

/// What the script of bash gets for the last word of a line.
fn offered(workspace: &Workspace, words: &[&str]) -> String {
    let index = (words.len() - 1).to_string();
    let call = Call::any(&workspace.path(""), &[&["--"], words].concat());
    let call = call.env("_GRADER_COMPLETE", "bash").env("_CLAP_COMPLETE_INDEX", index).env("_CLAP_IFS", "\n");
    let run = call.run();
    run.status(0).silent();
    run.stdout
}

#[apply(cli_test)]
fn completions_know_problems_tests_submissions_and_runs() {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").submission("wrong_answer/three.sh", "echo 3\n");
    workspace.sum("summit");
    workspace.run(&["summit"]).status(0);
    for (words, wanted) in [
        (&["grader", "run", "su"][..], "sum\nsummit"),
        (&["grader", "run", "sum/sa"], "sum/sample\nsum/sample/1"),
        (&["grader", "add", "summ"], "summit"),
        (&["grader", "run", "sum", "-t", "secret/0"], "secret/01\nsecret/02\nsecret/03"),
        (&["grader", "accept", "sum", "sample/"], "sample/1"),
        (&["grader", "run", "sum", "-s", ""], "accepted/sum.sh\nwrong_answer/three.sh"),
        (&["grader", "run", "summit", "-s", "w"], ""),
        (&["grader", "stress", "sum", "thr"], "three.sh"),
        (&["grader", "stress", "su"], "sum\nsummit"),
        (&["grader", "gen", "sum", "sam"], "sample\nsample/1"),
        (&["grader", "gen", "sum", "--reference", "acc"], "accepted/sum.sh"),
        (&["grader", "report", "la"], "last"),
        (&["grader", "compare", "pr"], "prev"),
        (&["grader", "his"], "history"),
        (&["grader", "ve"], "verify"),
        (&["grader", "va"], "validate"),
        (&["grader", "v"], "verify\nview\nvisualize"),
        (&["grader", "run", "--checker", "t"], "tokens"),
        (&["grader", "run", "--checker", "rcmp"], "rcmp\nrcmp4\nrcmp6\nrcmp9"),
        (&["grader", "run", "--checker", "e"], "exact"),
        (&["grader", "run", "--isolation", "ro"], "root"),
    ] {
        assert_eq!(offered(&workspace, words), wanted, "{words:?}");
    }
    let run = workspace.grader(&["completions", "bash"]);
    run.status(0).silent().shows("_GRADER_COMPLETE=").shows("complete ");
    for shell in ["zsh", "fish", "elvish", "powershell"] {
        workspace.grader(&["completions", shell]).status(0).silent().shows("_GRADER_COMPLETE");
    }
}

#[apply(cli_test)]
fn completions_are_silent_whatever_is_wrong() {
    let workspace = Workspace::with_sum();
    workspace.file("grader.toml", "nonsense = = 1\n");
    assert_eq!(offered(&workspace, &["grader", "run", "su"]), "");
    workspace.file("grader.toml", "").file("problems/broken/problem.toml", "= =\n");
    workspace.file("problems/x\u{1b}[2J/problem.toml", "");
    assert_eq!(offered(&workspace, &["grader", "run", "s"]), "sum");
    assert_eq!(offered(&workspace, &["grader", "run", "broken", "-t", ""]), "");
    let call = Call::any(&workspace.path(""), &["--", "grader", ""]).env("_GRADER_COMPLETE", "no-such-shell");
    call.run().status(0).silent();
}

/// `judge` has an option for the problem; here it needs none.
#[apply(cli_test)]
fn a_problem_needs_no_option() {
    let workspace = Workspace::with_sum();
    let run = workspace.grader(&["run", "-p", "smus"]);
    run.status(2)
        .says("write the name of a problem without an option: grader run NAME")
        .hides("to pass '-p' as a value");
}
