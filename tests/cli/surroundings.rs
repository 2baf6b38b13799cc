//! What the person who starts the grader happens to have around: no verdict depends on it, and what makes judging
//! impossible is named before anything runs.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use macro_rules_attribute::apply;

use crate::cli::need::Need;
use crate::cli::packages;
use crate::cli::run::{Call, Run};
use crate::cli::workspace::Workspace;

/// Nobody: has no files, and no rights.
const NOBODY: u32 = 65534;

/// Where an ordinary user finds programs.
const SYSTEM_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// Answers right, in each of the ways in which programs are started.
const KINDS: [&str; 3] = ["accepted/main.py", "accepted/main.c", "accepted/sum.sh"];

/// Submissions of every kind, an output validator and an interactor, all of them right.
fn problems() -> Workspace {
    let workspace = Workspace::with_sum();
    workspace.file("grader.toml", "[limits]\ntime_limit = 10\nwall_limit = 60\n");
    workspace
        .problem("sum")
        .toml("reference = \"sum.sh\"\n")
        .submission("accepted/main.py", "a, b = map(int, input().split())\nprint(a + b)\n")
        .submission(
            "accepted/main.c",
            "#include <stdio.h>\nint main() { int a, b; scanf(\"%d %d\", &a, &b); printf(\"%d\", a + b); return 0; }\n",
        );
    let validator = "read said\nread answer < $2\n[ $said = $answer ] && exit 42\nexit 43\n";
    packages::add(
        &workspace,
        "problems/judged",
        &[
            ("problem.yaml", &format!("{}type: pass-fail\n", packages::CURRENT)),
            ("data/secret/1.in", "1 2\n"),
            ("data/secret/1.ans", "3\n"),
            ("output_validator/check.sh", validator),
            ("submissions/accepted/two.py", "a, b = map(int, input().split())\nprint(a + b)\n"),
        ],
    );
    let interactor = "read n < $1\necho $n\necho asked > $3/judgemessage.txt\nread said\n[ $said = $((n + 1)) ] && exit 42\nexit 43\n";
    packages::add(
        &workspace,
        "problems/talks",
        &[
            ("problem.yaml", &format!("{}type: interactive\n", packages::CURRENT)),
            ("data/secret/1.in", "7\n"),
            ("data/secret/1.ans", "8\n"),
            ("output_validator/talk.sh", interactor),
            ("submissions/accepted/next.sh", "read n\necho $((n + 1))\n"),
        ],
    );
    workspace
}

/// The call behind a line of the shell, which says what is around.
fn around(call: Call, line: &str) -> Call {
    call.behind(&["sh", "-c", &format!("{line}\nexec \"$0\" \"$@\"")])
}

/// `grader run` in a layer behind a line of the shell, as an ordinary user in layer `user`.
fn in_layer(workspace: &Workspace, layer: &str, line: &str) -> Call {
    let call = workspace.call(&["--isolation", layer]);
    if layer != "user" {
        return around(call, line);
    }
    let binary = workspace.binary();
    workspace.give_to(NOBODY);
    around(call.copy(&binary).env("PATH", SYSTEM_PATH), line).user(NOBODY)
}

#[track_caller]
fn all_accepted(run: &Run) {
    run.status(0);
    for submission in KINDS.into_iter().chain(["accepted/two.py", "accepted/next.sh"]) {
        run.ends(submission, "AC", "met");
    }
}

fn umasks(layer: &str) {
    // `weak` and `none` start programs alike: each tries half of them.
    let (first, step) = match layer {
        "weak" => (0, 2),
        "none" => (1, 2),
        _ => (0, 1),
    };
    for umask in ["000", "022", "027", "007", "077", "777"].into_iter().skip(first).step_by(step) {
        let workspace = problems();
        all_accepted(&in_layer(&workspace, layer, &format!("umask {umask}")).run());
    }
}

#[apply(cli_test)]
#[needs(&[Need::Root, Need::Tool("python3"), Need::Tool("gcc")])]
fn a_umask_changes_no_verdict_in_root() {
    umasks("root");
}

#[apply(cli_test)]
#[needs(&[Need::Root, Need::Tool("python3"), Need::Tool("gcc")])]
fn a_umask_changes_no_verdict_in_user() {
    umasks("user");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3"), Need::Tool("gcc")])]
fn a_umask_changes_no_verdict_in_weak() {
    umasks("weak");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3"), Need::Tool("gcc")])]
fn a_umask_changes_no_verdict_in_none() {
    umasks("none");
}

/// The strongest layer that this user has, and the two that everybody has.
fn layers() -> Vec<&'static str> {
    let strong = if rustix::process::geteuid().is_root() { "root" } else { "user" };
    vec![strong, "weak", "none"]
}

#[apply(cli_test)]
fn programs_have_the_same_umask_everywhere() {
    let workspace = Workspace::new();
    workspace.problem("mask").case("1", "", "0022 644\n");
    workspace.problem("mask").submission("accepted/a.sh", "umask; : > made; stat -c %a made\n");
    workspace.file("testcases/mask/1.ans", "0022\n644\n");
    for layer in layers() {
        for umask in ["000", "077"] {
            let call = workspace.call(&["--isolation", layer, "--no-cache"]);
            around(call, &format!("umask {umask}")).run().status(0).ends("accepted/a.sh", "AC", "met");
        }
    }
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3"), Need::Tool("gcc")])]
fn a_store_made_under_one_umask_serves_another() {
    for layer in layers() {
        let workspace = problems();
        all_accepted(&in_layer(&workspace, layer, "umask 077").run());
        let again = in_layer(&workspace, layer, "umask 022").run();
        all_accepted(&again);
        let (measured, cached) = again.measured_and_cached();
        assert!(measured == 0 && cached > 0, "{}", again.all());
        // What was built under the narrow one runs as well.
        workspace.file("testcases/sum/secret/99.in", "8 8\n").file("testcases/sum/secret/99.ans", "16\n");
        let more = in_layer(&workspace, layer, "umask 022").run();
        all_accepted(&more);
        assert_eq!(more.measured_and_cached().0, KINDS.len(), "{}", more.all());
    }
}

#[apply(cli_test)]
fn reports_follow_the_umask() {
    let workspace = Workspace::with_sum();
    for (umask, mode) in [("077", 0o600), ("022", 0o644), ("002", 0o664)] {
        let report = format!("report-{umask}.xml");
        around(workspace.call(&["--report", &format!("junit={report}")]), &format!("umask {umask}")).run().status(0);
        let found = fs::metadata(workspace.path(&report)).unwrap().permissions().mode() & 0o777;
        assert_eq!(found, mode, "umask {umask}: {found:o}");
    }
}

/// All that a shell can lower and raise again.
const LOW_SOFT_LIMITS: &str = "for limit in 'n 20' 'f 1' 'v 400000' 'd 400000' 's 128' 't 1' 'l 0' 'i 1' 'c 0'; do\n\
     ulimit -S -${limit% *} ${limit#* } || exit 99\ndone";

#[apply(cli_test)]
#[needs(&[Need::Tool("python3"), Need::Tool("gcc")])]
fn soft_limits_change_no_verdict() {
    for layer in layers() {
        let workspace = problems();
        let call = workspace.call(&["--isolation", layer]);
        all_accepted(&call.behind(&["bash", "-c", &format!("{LOW_SOFT_LIMITS}\nexec \"$0\" \"$@\"")]).run());
    }
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn programs_have_the_same_limits_everywhere() {
    let names = ["AS", "CORE", "CPU", "DATA", "FSIZE", "MEMLOCK", "NICE", "NOFILE", "RTPRIO", "STACK"];
    let names = names.map(|name| format!("resource.RLIMIT_{name}")).join(", ");
    let program = format!("import resource\nfor limit in [{names}]:\n    print(*resource.getrlimit(limit))\n");
    for layer in layers() {
        let workspace = Workspace::new();
        workspace.problem("limits").submission("accepted/a.py", &program);
        let mib = 1 << 20;
        let stack = 256 * mib;
        let expected =
            [-1, 0, 3600, -1, 8 * mib, 64 << 10, 0, 1024, 0, stack].map(|limit| format!("{limit} {limit}\n"));
        workspace.problem("limits").case("1", "", &expected.concat());
        workspace.file("grader.toml", "time_limit_to_tle = 1.0\n[limits]\ntime_limit = 5\nmemory = 256\noutput = 8\n");
        let call = workspace.call(&["--isolation", layer]);
        let run = call.behind(&["bash", "-c", &format!("{LOW_SOFT_LIMITS}\nexec \"$0\" \"$@\"")]).run();
        run.status(0).ends("accepted/a.py", "AC", "met");
    }
}

#[apply(cli_test)]
fn a_hard_limit_that_is_too_low_is_named_before_anything_runs() {
    let low = [
        ("n 20", "the hard limit on open files (`ulimit -H -n`) is 20; grader needs 1024", "ulimit -n 1024"),
        ("f 1", "the hard limit on the size of a file (`ulimit -H -f`) is 1 KiB", "ulimit -f unlimited"),
        (
            "v 2000000",
            "the hard limit on address space (`ulimit -H -v`) is 1954 MiB; grader needs no limit",
            "unlimited",
        ),
        ("d 2000000", "the hard limit on the data segment", "ulimit -d unlimited"),
        ("s 64", "the hard limit on the stack (`ulimit -H -s`) is 64 KiB", "ulimit -s unlimited"),
        ("s 65536", "the hard limit on the stack (`ulimit -H -s`) is 64 MiB", "ulimit -s unlimited"),
        ("t 5", "the hard limit on cpu time (`ulimit -H -t`) is 5 s", "ulimit -t unlimited"),
        ("u 30", "the hard limit on processes (`ulimit -H -u`) is 30", "ulimit -u 256"),
        ("l 0", "the hard limit on locked memory", "ulimit -l unlimited"),
        ("i 1", "the hard limit on pending signals (`ulimit -H -i`) is 1;", "ulimit -i 256"),
    ];
    let workspace = Workspace::with_sum();
    for layer in ["auto", "weak", "none"] {
        for (limit, named, remedy) in low {
            let (option, value) = limit.split_once(' ').unwrap();
            let line = format!("ulimit -{option} {value} || exit 99\nexec \"$0\" \"$@\"");
            let run = workspace.call(&["--isolation", layer]).behind(&["bash", "-c", &line]).run();
            run.status(2).says(named).says(&format!("\n  → raise it as root (`ulimit -{option} ")).says(remedy);
            assert!(run.events.is_empty() && !workspace.path(".grader").exists(), "{limit}: {}", run.all());
        }
    }
}

#[apply(cli_test)]
fn a_hard_limit_that_is_too_low_for_one_problem_is_named() {
    let workspace = Workspace::with_sum();
    let run = |limits: &str| {
        workspace.problem("sum").toml(limits);
        around(workspace.call(&[]), "ulimit -s 4194304 || exit 99").run()
    };
    run("[limits]\nmemory = 4096\n").status(0);
    run("[limits]\nmemory = 4097\n")
        .status(2)
        .says("the hard limit on the stack (`ulimit -H -s`) is 4096 MiB")
        .says("4097 MiB");
}

#[apply(cli_test)]
fn a_hard_limit_that_is_too_low_is_named_by_every_command_that_runs_programs() {
    let workspace = Workspace::with_sum();
    workspace.file("right.sh", crate::cli::workspace::SUM).file("new.in", "1 1\n");
    let calls: [&[&str]; 4] =
        [&["judge", "sum", "right.sh"], &["verify", "sum"], &["doctor"], &["add", "sum", "new.in"]];
    for words in calls {
        let call = Call::any(&workspace.path(""), words);
        around(call, "ulimit -n 20").run().status(2).says("the hard limit on open files (`ulimit -H -n`) is 20");
    }
    // What runs nothing works on.
    around(Call::any(&workspace.path(""), &["list"]), "ulimit -n 20; ulimit -f 1").run().status(0).shows("sum");
}

#[apply(cli_test)]
#[needs(&[Need::Root, Need::Tool("python3"), Need::Tool("gcc"), Need::Tool("setpriv")])]
fn locale_nice_home_and_groups_change_no_verdict() {
    let lines = [
        "export LANG=xx_YY.broken LC_ALL=tr_TR.UTF-8 LC_NUMERIC=de_DE; unset HOME",
        "export LANG=C LC_ALL=POSIX LANGUAGE=de HOME=",
        "renice -n 19 $$ > /dev/null; export HOME=/nonexistent/home",
        "export HOME=/dev/null",
    ];
    // Each line with walls and without.
    for (layer, step) in [("root", 1), ("user", 1), ("weak", 2), ("none", 2)] {
        for line in lines.into_iter().skip(usize::from(layer == "none")).step_by(step) {
            let workspace = problems();
            all_accepted(&in_layer(&workspace, layer, line).run());
        }
    }
    for layer in ["root", "weak", "none"] {
        let workspace = problems();
        let call = workspace.call(&["--isolation", layer]);
        all_accepted(&call.behind(&["setpriv", "--regid", "65534", "--groups", "1,2,3"]).run());
    }
}

#[apply(cli_test)]
fn a_relative_or_empty_directory_for_temporary_files_works() {
    for layer in layers() {
        for line in [
            "unset TMPDIR",
            "export TMPDIR=",
            "mkdir -p here && export TMPDIR=here",
            "mkdir -p here && export TMPDIR=./here/",
        ] {
            let workspace = Workspace::with_sum();
            let run = around(workspace.call(&["--isolation", layer]), line).run();
            run.status(0).ends("accepted/sum.sh", "AC", "met");
            assert!(!workspace.path("here").exists() || fs::read_dir(workspace.path("here")).unwrap().count() == 0);
        }
    }
}

#[apply(cli_test)]
#[needs(&[Need::Root])]
fn a_directory_for_temporary_files_that_cannot_be_used_is_named() {
    let workspace = Workspace::with_sum();
    workspace.file("private/file", "");
    fs::set_permissions(workspace.path("private"), fs::Permissions::from_mode(0o700)).unwrap();
    let binary = workspace.binary();
    let private = workspace.path("private");
    workspace.give_to(NOBODY);
    std::os::unix::fs::chown(&private, Some(0), Some(0)).unwrap();
    for place in [private.to_str().unwrap(), "/nonexistent/place", "/dev/null"] {
        let call = workspace.call(&[]).copy(&binary).env("PATH", SYSTEM_PATH).env("TMPDIR", place).user(NOBODY);
        let run = call.run();
        run.status(2)
            .says(&format!("cannot create a scratch directory in {place}"))
            .says("  → set TMPDIR to a directory");
        assert!(run.events.is_empty(), "{}", run.all());
    }
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn inherited_signals_change_no_verdict() {
    let ignoring = "import os, signal, sys\n\
         for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:\n    signal.signal(number, signal.SIG_IGN)\n\
         signal.pthread_sigmask(signal.SIG_BLOCK, set(signal.Signals))\nos.execv(sys.argv[1], sys.argv[1:])\n";
    for layer in layers() {
        let workspace = Workspace::with_sum();
        workspace.file("ignoring.py", ignoring);
        // It would be ended by a signal, or be told of a closed pipe instead.
        let aborts = "kill -ABRT $$\n";
        workspace.problem("sum").toml("reference = \"sum.sh\"\n").submission("run_time_error/abort.sh", aborts);
        let script = workspace.path("ignoring.py");
        let call = workspace.call(&["--isolation", layer]);
        let run = call.behind(&["python3", script.to_str().unwrap()]).run();
        run.status(0).ends("accepted/sum.sh", "AC", "met").ends("run_time_error/abort.sh", "RTE", "met");
    }
}

#[apply(cli_test)]
fn closed_streams_change_no_verdict() {
    for layer in layers() {
        for line in ["exec 0<&-", "exec 1>&-", "exec 2>&-", "exec 0<&- 1>&- 2>&-"] {
            let workspace = Workspace::with_sum();
            let run = around(workspace.call(&["--isolation", layer]), line).run();
            run.status(0).ends("accepted/sum.sh", "AC", "met");
        }
    }
}

#[apply(cli_test)]
fn an_empty_path_is_the_cause() {
    let workspace = Workspace::with_sum();
    let run = |line: &str| around(workspace.call(&["--no-cache"]), line).run();
    for line in ["unset PATH", "export PATH=", "export PATH=:"] {
        let run = run(line);
        run.status(2).shows("PATH is empty; set it: export PATH=").hides("apt install");
    }
    run("export PATH=bin:tools").status(2).shows("PATH names no absolute directory; set it: export PATH=");
}

/// Root is somebody else there, once it has given up its privileges.
#[apply(cli_test)]
#[needs(&[Need::Root, Need::Tool("python3")])]
fn what_root_cannot_enter_without_privileges_is_no_verdict() {
    let workspace = problems();
    fs::set_permissions(workspace.path(""), fs::Permissions::from_mode(0o700)).unwrap();
    workspace.give_to(NOBODY);
    let run = workspace.call(&["--isolation", "weak"]).run();
    run.status(3);
    assert!(
        run.all().contains("cannot enter ")
            && run.all().contains("without root's privileges, which layer `weak` gives up"),
        "{}",
        run.all()
    );
    for end in run.of("test_finished") {
        assert!(end["result"]["verdict"].is_null(), "a verdict: {end}");
    }
    all_accepted(&workspace.call(&["--isolation", "none"]).run());
    all_accepted(&workspace.call(&["--isolation", "root"]).run());
}
