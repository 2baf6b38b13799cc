//! What reaches the terminal: the look of a run, closed pipes, hostile bytes.

use std::io::{BufRead, BufReader};

use macro_rules_attribute::apply;

use crate::cli::workspace::Workspace;

#[apply(cli_test)]
fn a_whole_run() {
    let workspace = Workspace::with_sum();
    workspace
        .problem("sum")
        .toml("name = \"A sum\"\nreference = \"sum.sh\"\n")
        .submission("accepted/off.sh", "read a b\necho counting >&2\necho $((a + b + (a == 2)))\n")
        .submission("wrong_answer/three.sh", "echo 3\n");
    let run = workspace.run(&["-j1"]);
    run.status(1).silent();
    let mut settings = insta::Settings::clone_current();
    settings.add_filter(r">?\d+\.\d{3} s", "[time]");
    settings.add_filter(r"\d+\.\d s", "[time]");
    settings.add_filter(r"  +(\[time\]) +\d+ [KM]iB", "  $1  [memory]");
    settings.add_filter(r"isolation: .*\n(weak .*\n|programs .*\n)?", "isolation: [mode]\n");
    settings.add_filter(r"slowest s\S+", "slowest [test]");
    // Of two submissions that take a millisecond, either is the slower one.
    settings.add_filter(r"slowest (AC|WA) ", "slowest [verdict] ");
    settings.add_filter(r"shell: .*", "shell: [version]");
    // What else the machine does is not what is tested.
    settings.add_filter(r"other programs used .*\n", "");
    settings.bind(|| {
        insta::assert_snapshot!(run.stdout, @r"
        1 problem, 3 submissions · isolation: [mode]

        sum  2 s · 1024 MiB · 4 tests
          ✗ accepted/off.sh        WA  [time]  [memory]  1 of 4 fail: secret/01  expected AC, got WA
          ✓ accepted/sum.sh        AC  [time]  [memory]  slowest [test]
          ✓ wrong_answer/three.sh  WA  [time]  [memory]  secret/01
          limit 2 s: slowest [verdict] [time], margins safe (no submission labelled TLE was run)

        ✗ sum · accepted/off.sh · secret/01: expected AC, got WA
          line 1, column 1: expected `4`, got `5`
          input    2 2
                answer │     your output
            1 - 4      │ 1 + 5
                ^      │     ^
          stderr   counting
          files    .grader/last/sum/accepted/off.sh/secret/01.{in,ans,out,err}
          again    grader run sum -s accepted/off.sh -t secret/01

        shell: [version]
        FAIL  2 as expected so far, 1 unexpected · 10 results · [time]
        ");
    });
}

#[apply(cli_test)]
fn a_closed_pipe_is_silent_and_no_success() {
    let workspace = Workspace::with_sum();
    for submission in ["accepted/sum.sh", "accepted/none.sh"] {
        workspace.problem("sum").toml("reference = \"sum.sh\"\n").submission(submission, "sleep 0.2; echo 1\n");
        let mut call = workspace.call(&["--no-cache"]);
        let mut child = call.start();
        let mut first = String::new();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        out.read_line(&mut first).unwrap();
        drop(out);
        let run = call.wait(child);
        assert!(first.contains("problem"), "{first}");
        run.status(141).silent();
    }
}

/// Whether a text holds what a terminal would obey: control characters other than line ends.
fn is_raw(text: &str) -> bool {
    text.chars().any(|c| c.is_control() && c != '\n' || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'))
}

#[apply(cli_test)]
fn hostile_output_is_made_harmless() {
    let workspace = Workspace::with_sum();
    let hostile = r"\033[2J\033]0;owned\007\000\377\376\b\r\302\233m\342\200\256evil\n";
    workspace.problem("sum").submission("accepted/sum.sh", &format!("printf '{hostile}'\nprintf '{hostile}' >&2\n"));
    for diff in ["auto", "side-by-side", "unified", "none"] {
        let run = workspace.run(&["-vv", "--table", "--diff", diff]);
        run.status(1).shows("evil");
        assert!(!is_raw(&run.stdout), "{diff}: {:?}", run.stdout);
        assert!(!is_raw(&run.stderr), "{diff}: {:?}", run.stderr);
    }
    // The files hold what was really said.
    let kept = std::fs::read(workspace.path(".grader/last/sum/accepted/sum.sh/sample/1.out")).unwrap();
    assert!(kept.starts_with(b"\x1b[2J\x1b]0;owned\x07\x00\xff\xfe"), "{kept:?}");
    // In colour, only our own sequences.
    let colour = workspace.run(&["--color", "always"]);
    assert!(!colour.stdout.contains("\u{1b}[2J") && !colour.stdout.contains("\u{1b}]0"), "{:?}", colour.stdout);
}

#[apply(cli_test)]
fn hostile_names_are_made_harmless() {
    let workspace = Workspace::with_sum();
    workspace
        .problem("sum")
        .case("secret/\u{1b}[31mred", "1 1\n", "2\n")
        .submission("accepted/sum.sh", "echo 0\n")
        .submission("wrong_answer/\u{1b}[2Jclear.sh", "echo 0\n");
    let run = workspace.run(&["-vv", "--table", "-a"]);
    assert!(!is_raw(&run.stdout), "{:?}", run.stdout);
    assert!(!is_raw(&run.stderr), "{:?}", run.stderr);
}

#[apply(cli_test)]
fn hostile_words_of_compilers_and_validators_are_made_harmless() {
    let workspace = Workspace::with_sum();
    workspace
        .problem("sum")
        .toml("reference = \"sum.sh\"\n")
        .file("output_validator/validate.sh", "printf '\\033[2Jno\\n\\033[31mnever' > $3/judgemessage.txt\nexit 43\n")
        .file("input_validators/check.sh", "printf 'bad \\033[2Jinput'\nexit 43\n")
        .submission("accepted/syntax.py", "x = '\u{1b}[2J' +\n");
    let run = workspace.run(&["-vv"]);
    run.status(2).shows("no").says("bad ");
    assert!(!is_raw(&run.stdout), "{:?}", run.stdout);
    assert!(!is_raw(&run.stderr), "{:?}", run.stderr);
}

#[apply(cli_test)]
fn long_lines_are_cut() {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").submission("accepted/sum.sh", "head -c 3000000 /dev/zero | tr '\\0' x\n");
    for diff in ["auto", "side-by-side", "unified"] {
        let run = workspace.run(&["--diff", diff]);
        run.status(1);
        assert!(run.stdout.len() < 10_000, "{diff}: {} bytes", run.stdout.len());
    }
}

#[apply(cli_test)]
fn only_what_was_served_from_the_store_is_called_cached() {
    let workspace = Workspace::with_sum();
    workspace.file("problems/broken/submissions/compile_error/syntax.sh", "if\n");
    workspace.file("testcases/broken/1.in", "").file("testcases/broken/1.ans", "");
    // A compile error has no results, and this one was found out just now.
    workspace.run(&["broken"]).status(0).shows("broken").hides("cached");
    workspace.run(&[]).status(0).hides("cached");
    let again = workspace.run(&[]);
    again.status(0);
    let heads: Vec<&str> = again.stdout.lines().filter(|line| line.ends_with("(cached)")).collect();
    assert_eq!(heads.len(), 1, "{}", again.all());
    assert!(heads[0].starts_with("sum "), "{}", again.all());
}

#[apply(cli_test)]
fn every_failing_test_is_named_and_explained_on_request() {
    let workspace = Workspace::new();
    let name = "accepted/a-name-that-is-longer-than-any-column.sh";
    let mut problem = workspace
        .problem("echo")
        .toml(&format!("reference = \"{}\"\n", name.trim_start_matches("accepted/")))
        .submission(name, "read n\nif [ $n = 4 ]; then exit 3; fi\nif [ $n -lt 3 ]; then echo $n; fi\n");
    for n in 1..=40 {
        let group = if n <= 5 { "sample" } else { "secret/a-group-with-a-long-name" };
        problem = problem.case(&format!("{group}/{n:02}"), &format!("{n}\n"), &format!("{n}\n"));
    }
    let run = workspace.call(&[]).env("COLUMNS", "80").run();
    run.status(1).shows("38 of 40 fail: sample/03").shows("also     sample/04 RTE, sample/05 WA, secret/");
    run.shows("/22 WA and 18 more").shows("(-v explains up to 20)");
    let row = run.stdout.lines().find(|line| line.contains("38 of 40 fail")).unwrap();
    let at = row.find("38 of 40 fail").unwrap();
    assert!(row[..at].chars().count() + "38 of 40 fail".len() <= 80, "{row}");
    assert_eq!(run.stdout.matches("\n✗ echo").count(), 1, "{}", run.stdout);
    let run = workspace.run(&["-v"]);
    run.status(1).shows(&format!("✗ echo · {name} · sample/04: RTE\n")).shows("/22: WA\n").shows("18 more tests");
    assert_eq!(run.stdout.matches("\n✗ echo").count(), 20, "{}", run.stdout);
    assert_eq!(run.stdout.matches("  again  ").count(), 20, "{}", run.stdout);
    // Without another failing test there is nothing more to name.
    workspace.run(&["-t", "sample/01", "-t", "sample/05"]).status(1).hides("also  ");
}

#[apply(cli_test)]
fn an_accepted_answer_that_judges_dispute_is_named_once() {
    let workspace = Workspace::new();
    let mut problem = workspace
        .problem("yes")
        .toml("reference = \"a.sh\"\n")
        .case("sample/1", "1\n", "Yes\n")
        .case("secret/1", "2\n", "Yes\n");
    for name in ["a", "b", "c", "d", "e"] {
        let word = if name == "a" { "Yes" } else { "yes" };
        problem = problem.submission(&format!("accepted/{name}.sh"), &format!("echo {word}\n"));
    }
    let run = workspace.run(&[]);
    run.status(0).shows("check these 4 AC: differs from the answer in upper and lower case: CMS, DMOJ and");
    run.shows("\n    accepted/b.sh on sample/1 and 1 more test; accepted/c.sh").shows("; and 1 more submission\n");
    assert_eq!(run.stdout.matches("upper and lower case").count(), 1, "{}", run.stdout);
}

#[apply(cli_test)]
fn the_end_of_a_long_line_of_stderr_is_shown() {
    let workspace = Workspace::with_sum();
    let noise = |word: &str| format!("for i in $(seq 30); do echo \"{word} $i\" >&2; done\n");
    let last = format!("echo 'Error: the end of a long line: {} is here' >&2\nexit 1\n", "x".repeat(200));
    let problem = workspace.problem("sum").toml("reference = \"sum.sh\"\n");
    problem.submission("accepted/crash.sh", &(noise("frame") + &last));
    workspace.run(&["--report", "markdown=out.md"]).status(1).shows("frame 1\n").shows(" is here\n");
    assert!(workspace.read("out.md").contains(" is here\n"), "{}", workspace.read("out.md"));
    let judged =
        ["judge", "problems/sum/submissions/accepted/crash.sh", "--problem", "sum", "--report", "gradescope=g.json"];
    workspace.grader(&judged).status(1);
    assert!(workspace.read("g.json").contains(" is here"), "{}", workspace.read("g.json"));
}

#[apply(cli_test)]
fn without_utf_8_our_own_signs_are_ascii() {
    let workspace = Workspace::with_sum();
    let two = "echo 'a → b · c'\necho; echo ' d'\n";
    workspace
        .problem("sum")
        .toml("reference = \"sum.sh\"\n")
        .case("secret/05", "5 5\n", "a → b · d\n")
        .submission("accepted/off.sh", two)
        .submission("wrong_answer/three.sh", "echo 3\n");
    let shown = |variables: &[(&str, &str)], args: &[&str]| {
        let call = variables.iter().fold(workspace.call(args), |call, (name, value)| call.env(name, *value));
        let run = call.run();
        format!("{}{}", run.stdout, run.stderr)
    };
    for args in [&["-vv", "--table", "-a"][..], &["--no-such-option"], &["no-such-problem"], &["--help"]] {
        let ours = shown(&[("LC_ALL", "C")], args);
        let kept = ["a → b · c", "a → b · d"];
        let rest = kept.iter().fold(ours.clone(), |text, said| text.replace(said, ""));
        assert!(rest.is_ascii(), "{:?}\n{ours}", rest.chars().find(|c| !c.is_ascii()));
        // The bytes of programs stay.
        assert!(!args.contains(&"-vv") || kept.iter().all(|said| ours.contains(said)), "{ours}");
    }
    for variables in
        [&[("LANG", "en_US.ISO-8859-1")][..], &[("LC_ALL", ""), ("LC_CTYPE", "POSIX"), ("LANG", "C.UTF-8")]]
    {
        assert!(!shown(variables, &["no-such-problem"]).contains('→'), "{variables:?}");
    }
    for variables in [&[][..], &[("LC_ALL", "C.UTF-8"), ("LANG", "C")], &[("LANG", "de_DE.utf8")]] {
        assert!(shown(variables, &["no-such-problem"]).contains('→'), "{variables:?}");
    }
}

#[apply(cli_test)]
fn yellow_can_be_read_on_white() {
    let workspace = Workspace::bare();
    workspace.file("main.sh", "cat\n").file("try.in", "1\n");
    for (term, ran) in [("xterm-256color", "\u{1b}[1;38;5;130mRAN"), ("linux", "\u{1b}[1;1mRAN")] {
        let run = workspace.call(&["--color", "always"]).env("TERM", term).run();
        run.status(0).shows(ran).hides("33m");
    }
}
