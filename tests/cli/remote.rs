//! `--engine`, `grader worker`, `grader engine` and `grader attach`: runs on workers. One suite for both engines: what
//! workers judge must make the record of a run on one machine.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use macro_rules_attribute::apply;

use crate::cli::farm::{Farm, same_record};
use crate::cli::need::Need;
use crate::cli::run::Call;
use crate::cli::strength::{document, fates, weak};
use crate::cli::workspace::{SUM, Workspace};

#[apply(cli_test)]
#[needs(&[Need::Broker])]
fn every_kind_of_package_has_the_same_record() {
    let workspace = Workspace::bare();
    let packages = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/packages");
    // Those whose programs are scripts: what compilers do is not a matter of engines.
    let names = [
        "draftpoints",
        "expectations",
        "legacygrader",
        "legacyguess",
        "legacypoints",
        "newanswers",
        "newanswerspacked",
        "newfiles",
        "newguess",
        "newpasses",
        "newpoints",
        "newscore",
        "newstatic",
        "newstaticpoints",
        "newtalks",
    ];
    for name in names {
        copy(&packages.join(name), &workspace.path(name));
    }
    workspace.file("grader.toml", "isolation = \"none\"\nproblems = [\".\"]\n");
    let mut farm = Farm::new();
    farm.make_tools("scripts", &["bash", "sh", "python3", "pypy3"]);
    farm.start_with("w1", "scripts", &[]);
    farm.start_with("w2", "scripts", &[]);
    farm.wait_for_workers(&["w1", "w2"]);
    let words = ["run"];
    let there = farm.run(&workspace, &words);
    let remote = workspace.last_record();
    let here = Call::any(&workspace.path(""), &words).env("PATH", farm.path("scripts")).run();
    let embedded = workspace.last_record();
    there.status(here.status);
    same_record(&remote, &embedded);
    assert!(embedded.len() > 300, "{}", embedded.len());
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

#[apply(cli_test)]
#[needs(&[Need::Broker])]
fn every_kind_of_result_has_the_same_record() {
    let workspace = Workspace::with_sum().without_walls();
    let sum =
        workspace.problem("sum").toml("reference = \"accepted/sum.sh\"\n[limits]\ntime_limit = 0.4\nmemory = 64\n");
    for n in 0..6 {
        sum.submission(&format!("accepted/{n}.sh"), &format!("{SUM}# {n}\n"));
    }
    sum.submission("wrong_answer/w.sh", "echo 4\n")
        .submission("accepted/unexpected.sh", "read a b\necho $((a - b))\n")
        .submission("run_time_error/r.sh", "exit 3\n")
        .submission("time_limit_exceeded/t.sh", "while :; do :; done\n")
        .submission("accepted/odd name ü.sh", SUM)
        .submission("accepted/nothing.xyz", "?\n");
    let farm = Farm::with_two();
    let there = farm.run(&workspace, &["run"]);
    let remote = workspace.last_record();
    let here = workspace.grader(&["run"]);
    there.status(here.status);
    same_record(&remote, &workspace.last_record());
    // Nothing is left at the broker.
    let left = workspace.grader(&["attach", "--engine", farm.url("client")]);
    assert_eq!(left.stdout, "no run is unfinished\n");
}

#[apply(cli_test)]
#[needs(&[Need::Broker, Need::Tool("python3")])]
fn mutants_are_judged_as_here() {
    let workspace = weak();
    let words = ["--mutants", "15"];
    let here = document(&workspace, &words);
    let mut farm = Farm::new();
    farm.make_tools("scripts", &["bash", "sh", "python3"]);
    farm.start_with("w1", "scripts", &[]);
    farm.wait_for_workers(&["w1"]);
    let there = document(&workspace, &farm.words(&words));
    assert_eq!(fates(&there), fates(&here));
    assert_eq!(there["result"]["cases"], here["result"]["cases"]);
}

#[apply(cli_test)]
#[needs(&[Need::Broker])]
fn a_class_has_the_same_grades() {
    let workspace = Workspace::with_sum().without_walls();
    for student in 0..9 {
        workspace.file(format!("class/s{student}/sum.sh"), format!("{SUM}# {}\n", student % 4));
    }
    workspace.file("class/s7/sum.sh", "echo 4\n").file("class/s9/notes.txt", "later");
    let students: Vec<String> = (0..=10).map(|n| format!("s{n},x{n},{}\n", if n == 3 { "2" } else { "1" })).collect();
    workspace.file("roster.csv", format!("id,name,extra_time\n{}", students.concat()));
    let words =
        ["judge", "class", "--layout", "{student}/{problem}.*", "--roster", "roster.csv", "--isolation", "none"];
    let farm = Farm::with_two();
    let there = farm.run(&workspace, &[&words[..], &["--report", "gradebook=there.csv"]].concat());
    assert!(there.status < 3, "{}", there.all());
    assert!(there.stdout.contains("JUDGED"), "{}", there.all());
    let remote = workspace.last_record();
    let here = workspace.grader(&[&words[..], &["--report", "gradebook=here.csv"]].concat());
    there.status(here.status);
    same_record(&remote, &workspace.last_record());
    assert_eq!(workspace.read("there.csv"), workspace.read("here.csv"));
}

#[apply(cli_test)]
#[needs(&[Need::Broker])]
fn failures_are_explained_as_here() {
    let workspace = Workspace::with_sum().without_walls();
    let long = "for i in {1..3000}; do echo line $i; done\n";
    workspace
        .problem("sum")
        .submission("accepted/wrong.sh", "read a b\necho one; echo $((a - b)); echo said >&2\n")
        .submission("accepted/long.sh", long)
        .toml("reference = \"accepted/sum.sh\"\n");
    let farm = Farm::with_two();
    let there = farm.run(&workspace, &["run", "-v"]);
    let kept = |name: &str| fs::read(workspace.path(format!(".grader/last/sum/accepted/{name}"))).unwrap();
    let names = [
        "wrong.sh/sample/1.out",
        "wrong.sh/sample/1.err",
        "wrong.sh/sample/1.in",
        "wrong.sh/sample/1.ans",
        "long.sh/sample/1.out",
    ];
    let remote: Vec<Vec<u8>> = names.iter().map(|name| kept(name)).collect();
    fs::remove_dir_all(workspace.path(".grader/last")).unwrap();
    let here = workspace.grader(&["run", "-v"]);
    assert_eq!(names.iter().map(|name| kept(name)).collect::<Vec<_>>(), remote);
    let explained = |text: &str| {
        let from = text.find("✗ sum · accepted").unwrap_or_else(|| panic!("{text}"));
        let to = text.find("FAIL").unwrap();
        text[from..to]
            .lines()
            .filter(|line| !line.contains(" ms") && !line.contains(" s ") && !line.contains("other programs"))
            .collect::<Vec<_>>()
            .join("\n")
    };
    for (there, here) in explained(&there.stdout).lines().zip(explained(&here.stdout).lines()) {
        assert_eq!(there, here);
    }
    assert_eq!(explained(&there.stdout).lines().count(), explained(&here.stdout).lines().count());
}

/// A worker takes jobs and adds results. Nothing else: its password may be stolen.
#[apply(cli_test)]
#[needs(&[Need::Broker])]
fn a_worker_has_few_rights() {
    let workspace = Workspace::with_sum().without_walls();
    let farm = Farm::with_two();
    farm.run(&workspace, &["run"]).status(0);
    let mut worker = farm.raw("w1");
    let denied = [
        "job.hi.x.y.z",
        "blob.x.0",
        "run.x",
        "ctl.cancel.x",
        "hb.w2",
        "$JS.API.STREAM.PURGE.JOBS",
        "$JS.API.STREAM.DELETE.RES",
        "$JS.API.STREAM.CREATE.MORE",
        "$JS.API.STREAM.MSG.GET.JOBS",
        "$JS.API.CONSUMER.DURABLE.CREATE.JOBS.mine",
        "$JS.API.CONSUMER.DELETE.JOBS.hi-default",
        "$JS.API.DIRECT.GET.JOBS.job.x",
        "$JS.API.DIRECT.GET.RUNS.run.x",
    ];
    for subject in denied {
        let said = worker.publish(subject, "{}");
        assert!(said.contains("Permissions Violation for Publish"), "{subject}: {said}");
    }
    for subject in ["_INBOX_w2.>", "_INBOX_client.>", "_INBOX.>", "job.>", "res.>", ">", "hb.>", "$JS.>"] {
        let said = worker.subscribe(subject);
        assert!(said.contains("Permissions Violation for Subscription"), "{subject}: {said}");
    }
    assert_eq!(worker.publish("hb.w1", "{}"), "+OK");
    // Only the owner of the file can read the passwords.
    let mode = std::os::unix::fs::PermissionsExt::mode(&fs::metadata(farm.path("nats.conf")).unwrap().permissions());
    assert_eq!(mode & 0o777, 0o600);
}

#[apply(cli_test)]
#[needs(&[Need::Broker])]
fn what_is_wrong_is_said_in_words() {
    let workspace = Workspace::with_sum().without_walls();
    let mut farm = Farm::new();
    let check = |url: &str| workspace.grader(&["worker", "--check", url, "--isolation", "none", "--cache", "cache"]);
    let fine = check(farm.url("w1"));
    fine.status(0);
    assert!(fine.stdout.contains("no run has used this broker yet\n"), "{}", fine.stdout);
    assert!(fine.stdout.contains("no other worker is there now\n"), "{}", fine.stdout);
    let place = farm.url("w1").rsplit_once('@').unwrap().1.to_owned();
    let wrong = |url: &str, words: &str| {
        let run = check(url);
        run.status(2);
        assert!(run.stderr.contains(words), "{url}: {}", run.stderr);
        assert!(!run.stderr.contains("secret"), "{url}: {}", run.stderr);
    };
    wrong(&format!("nats://w1:secret@{place}"), "refuses user `w1`: unknown user, or wrong password");
    wrong("nats://w1:secret@127.0.0.1:1", "nobody answers at 127.0.0.1:1");
    wrong("nats://w1:secret@192.0.2.1:4222", "write tls:// instead of nats://");
    wrong("http://w1:secret@127.0.0.1:1", "is not the address of a broker");
    wrong(&farm.url("client").replace("client", "nobody"), "refuses user `nobody`");
    wrong(&place, &format!("`{place}` is not the address of a broker"));
    wrong("nats://", "`nats://` is not the address of a broker");
    wrong(&format!("nats://w1@{place}"), "wants the password of user `w1`\n  → write nats://w1:PASSWORD@");
    wrong(&format!("nats://{place}"), "wants to know who you are\n  → write nats://USER:PASSWORD@");
    wrong(&format!("tls://w1:secret@{place}"), "it does not speak TLS\n  → write nats:// if it is on this machine");
    // A password may come from a file.
    let password = farm.url("w1").split(['@', ':']).nth(2).unwrap().to_owned();
    workspace.file("password", format!("{password}\n"));
    let words = ["worker", "--check", "--password-file", "password", "--isolation", "none", "--cache", "cache"];
    workspace.grader(&[&words[..], &[&format!("nats://w1@{place}")]].concat()).status(0);
    // Without JetStream, there is nothing to keep jobs.
    let text = fs::read_to_string(farm.path("nats.conf")).unwrap();
    let without: Vec<&str> = text.lines().filter(|line| !line.starts_with("jetstream")).collect();
    fs::write(farm.path("nats.conf"), without.join("\n")).unwrap();
    farm.kill_broker();
    farm.start_broker();
    wrong(farm.url("w1"), "has no JetStream");
    let run = farm.run(&workspace, &["run"]);
    run.status(2);
    assert!(run.stderr.contains("has no JetStream"), "{}", run.stderr);
    let started = Farm::with_two();
    let command = started.run(&workspace, &["run", "-c", "cat"]);
    command.status(2);
    assert!(command.stderr.contains("a command (`-c`) runs on this machine alone"), "{}", command.stderr);
    let unknown = started.run(&workspace, &["run", "--pool", "lab"]);
    unknown.status(2);
    assert!(unknown.stderr.contains("no pool is called `lab`; there are default-"), "{}", unknown.stderr);
    // Programs of other people run with strong isolation, unless somebody says otherwise.
    workspace.file("grader.toml", "").file("class/a.sh", SUM);
    let weak = started.run(&workspace, &["judge", "sum", "class"]);
    weak.status(2);
    assert!(weak.stderr.contains("isolation none, and this run wants root or user"), "{}", weak.stderr);
    // Passwords in files of their own, for `--password-file`.
    let words = ["engine", "config", "--out", "secret.conf", "--passwords", "secrets", "--listen", &place];
    let told = workspace.grader(&words);
    told.status(0);
    assert!(
        told.stdout.contains(&format!("grader worker nats://w1@{place} --password-file secrets/w1\n")),
        "{}",
        told.stdout
    );
    assert!(workspace.read("secret.conf").contains(workspace.read("secrets/client").trim_end()));
    let mode =
        std::os::unix::fs::PermissionsExt::mode(&fs::metadata(workspace.path("secrets/w2")).unwrap().permissions());
    assert_eq!(mode & 0o777, 0o600);
    // What cannot run elsewhere is refused, and so are options without an engine.
    let refused = [
        (&["run", "--pool", "x"][..], "--engine"),
        (&["run", "--engine", "nats://127.0.0.1:1", "--shard", "0/2", "--out", "x"][..], "cannot be used with"),
        (&["engine", "config", "--out", "c", "--listen", "0.0.0.0:4222"][..], "name a certificate"),
        (&["judge", "sum", "--outputs", "x", "--engine", "nats://127.0.0.1:1"][..], "leave out --engine"),
        (&["engine", "config", "--out", "c", "--worker", "a.b"][..], "cannot be the name of a worker"),
        (&["engine", "config", "--out", "c", "--worker", "a", "--worker", "a"][..], "the worker `a` is named twice"),
        (&["engine", "config", "--out", "c", "--cert", "no.pem", "--key", "no.pem"][..], "cannot read no.pem"),
        (&["run", "-c", "cat", "--engine", "nats://127.0.0.1:1"][..], "runs on this machine alone"),
    ];
    for (words, told) in refused {
        let run = workspace.grader(words);
        run.status(2);
        assert!(run.stderr.contains(told), "{words:?}: {}", run.stderr);
    }
}

#[apply(cli_test)]
#[needs(&[Need::Broker, Need::Tool("openssl")])]
fn what_is_wrong_with_certificates_is_said() {
    let workspace = Workspace::with_sum().without_walls();
    let farm = Farm::protected("127.0.0.1");
    let path = |name: &str| farm.path(name).display().to_string();
    let check = |url: &str, authority: &[&str]| {
        let words = ["worker", "--check", url, "--isolation", "none", "--cache", "cache"];
        workspace.grader(&[&words[..], authority].concat())
    };
    let url = farm.url("w1");
    check(url, &["--ca", &path("ca.pem")]).status(0);
    let wrong = |url: &str, authority: &[&str], told: &str| {
        let run = check(url, authority);
        run.status(2);
        assert!(run.stderr.contains(told), "{url} {authority:?}: {}", run.stderr);
    };
    wrong(url, &[], "this machine does not know who signed the broker's certificate\n  → name the certificate");
    wrong(&url.replace("tls://", "nats://"), &[], "does not know who signed");
    wrong(url, &["--ca", &path("server.pem")], "");
    wrong(url, &["--ca", &path("server.key")], "server.key has no certificate in PEM format");
    wrong(url, &["--ca", &path("nothing.pem")], "cannot read ");
    let ca = path("ca.pem");
    let other = url.replace("127.0.0.1", "localhost");
    wrong(&other, &["--ca", &ca], "the broker's certificate is not for this name or address: it is for ");
    // Nobody can connect to the address that means all addresses.
    let (certificate, key) = (path("server.pem"), path("server.key"));
    let words = ["engine", "config", "--out", "all.conf", "--listen", "0.0.0.0:4222", "--cert", &certificate, "--key"];
    let told = workspace.grader(&[&words[..], &[&key]].concat());
    told.status(0);
    assert!(!told.stdout.contains("0.0.0.0"), "{}", told.stdout);
    assert!(told.stdout.contains("is the name of this machine: write the name or address"), "{}", told.stdout);
    workspace.grader(&[&words[..], &[&certificate]].concat()).status(2);
}

/// Two workers without Python and one with it: what needs Python goes to the one.
#[apply(cli_test)]
#[needs(&[Need::Broker, Need::Tool("python3")])]
fn a_run_goes_where_its_languages_are() {
    let workspace = Workspace::with_sum().without_walls();
    workspace
        .problem("sum")
        .toml("reference = \"accepted/sum.sh\"\n")
        .submission("accepted/a.py", "print(sum(map(int, input().split())))\n");
    let mut farm = Farm::new();
    farm.make_tools("more", &["bash", "sh", "sleep", "python3"]);
    farm.start("w1");
    farm.start("w2");
    farm.start_with("w3", "more", &[]);
    farm.wait_for_workers(&["w1", "w2", "w3"]);
    let run = farm.run(&workspace, &["run"]);
    run.status(0);
    assert!(run.stdout.contains(" · pool default-") && run.stdout.contains(": w3\n"), "{}", run.stdout);
    assert!(run.stderr.contains("left out: w1, w2, in pool default-"), "{}", run.stderr);
    assert!(run.stderr.contains(": python3 is not installed"), "{}", run.stderr);
    let [with, without] = ["w3", "w1"].map(|name| {
        let log = farm.log(name);
        log.split(" in pool ").nth(1).unwrap().split(':').next().unwrap().to_owned()
    });
    let run = farm.run(&workspace, &["run", "--no-cache", "--pool", &without]);
    run.status(0);
    assert!(run.stdout.contains("not judged: no python3"), "{}", run.stdout);
    let told = format!("pool {without} (w1, w2) has no Python 3: 1 program of this run cannot be judged there");
    assert!(run.stderr.contains(&told), "{}", run.stderr);
    assert!(run.stderr.contains(&format!("→ use the pool that has everything: --pool {with}")), "{}", run.stderr);
}

#[apply(cli_test)]
#[needs(&[Need::Broker])]
fn who_judges_is_told() {
    let workspace = Workspace::with_sum().without_walls();
    let mut farm = Farm::with_two();
    let run = farm.run(&workspace, &["run"]);
    run.status(0);
    let head = run.stdout.lines().next().unwrap();
    assert!(head.contains(" · 2 slots of ") && head.ends_with(": w1, w2"), "{head}");
    let kept = fs::read_dir(workspace.path(".grader/runs")).unwrap().next().unwrap().unwrap().path();
    let record = fs::read_to_string(kept).unwrap();
    let head: serde_json::Value = serde_json::from_str(record.lines().next().unwrap()).unwrap();
    let measured = &head["measured"];
    assert!(measured["pool"].as_str().unwrap().starts_with("default-"), "{measured}");
    let names: Vec<&str> =
        measured["hosts"].as_array().unwrap().iter().map(|host| host["name"].as_str().unwrap()).collect();
    assert_eq!((names, &measured["hosts"][0]["slots"]), (vec!["w1", "w2"], &1.into()));
    // A worker says what it does, and the client who has come.
    slow(&workspace, 30);
    let run = farm.run_while(&workspace, &["run", "--no-cache"], 2, |farm| {
        farm.start("w3");
        farm.wait_for_workers(&["w3"]);
    });
    assert!(run.stderr.contains("worker w3 has joined: 1 slot"), "{}", run.stderr);
    let until = Instant::now() + Duration::from_secs(20);
    while !farm.log("w1").contains(" so far; waiting for jobs") {
        assert!(Instant::now() < until, "{}", farm.log("w1"));
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(farm.log("w1").contains("worker w1: judges submissions of run "), "{}", farm.log("w1"));
}

#[apply(cli_test)]
#[needs(&[Need::Broker])]
fn a_run_that_was_changed_is_not_continued() {
    let workspace = Workspace::with_sum().without_walls();
    slow(&workspace, 12);
    let farm = Farm::with_two();
    let url = farm.url("client").to_owned();
    let mut call = Call::any(&workspace.path(""), &["run", "--no-cache", "--engine", &url, "--lease", "1s"]);
    let child = call.start();
    std::thread::sleep(Duration::from_millis(1200));
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    call.wait(child).status(130);
    let listed = || workspace.grader(&["attach", "--engine", &url]).stdout;
    let name = listed().split_whitespace().next().unwrap().to_owned();
    let sum = workspace.read("problems/sum/submissions/accepted/sum.sh");
    workspace.problem("sum").submission("accepted/sum.sh", &format!("{sum}# edited\n"));
    let changed = workspace.grader(&["attach", &name, "--engine", &url]);
    changed.status(2);
    assert!(changed.stderr.contains(&format!("have changed since run {name} began")), "{}", changed.stderr);
    assert!(changed.stderr.contains(&format!("grader attach {name} --cancel")), "{}", changed.stderr);
    assert_eq!(listed().lines().count(), 1, "no other run was started: {}", listed());
    workspace.problem("sum").submission("accepted/sum.sh", &sum);
    workspace.grader(&["attach", &name, "--engine", &url]).status(0);
    assert_eq!(listed(), "no run is unfinished\n");
}

fn slow(workspace: &Workspace, count: usize) {
    let sum = workspace.problem("sum").toml("reference = \"accepted/sum.sh\"\n");
    for n in 0..count {
        sum.submission(&format!("accepted/{n}.sh"), &format!("/bin/sleep 0.1\n{SUM}# {n}\n"));
    }
}

#[apply(cli_test)]
#[needs(&[Need::Broker])]
fn a_run_goes_on_without_its_client() {
    let workspace = Workspace::with_sum().without_walls();
    slow(&workspace, 8);
    workspace.grader(&["run"]).status(0);
    let expected = workspace.last_record();
    let mut farm = Farm::with_two();
    // Ctrl-C leaves the run.
    let url = farm.url("client").to_owned();
    let mut call = Call::any(&workspace.path(""), &["run", "--no-cache", "--engine", &url, "--lease", "1s"]);
    let child = call.start();
    std::thread::sleep(Duration::from_millis(1200));
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let left = call.wait(child);
    left.status(130);
    assert!(left.stderr.contains("the run goes on without this command: grader attach "), "{}", left.stderr);
    let listed = workspace.grader(&["attach", "--engine", &url]);
    assert!(listed.stdout.contains(" of 9 jobs  grader run --no-cache --engine ENGINE"), "{}", listed.stdout);
    let name = listed.stdout.split_whitespace().next().unwrap().to_owned();
    std::thread::sleep(Duration::from_millis(500));
    let before = Instant::now();
    let attached = workspace.grader(&["attach", &name[..6], "--engine", &url]);
    attached.status(0);
    same_record(&workspace.last_record(), &expected);
    assert!(before.elapsed() < Duration::from_secs(20));
    assert_eq!(workspace.grader(&["attach", "--engine", &url]).stdout, "no run is unfinished\n");
    // A run that nobody wants is taken back.
    farm.kill("w1");
    farm.kill("w2");
    let mut call = Call::any(&workspace.path(""), &["run", "--no-cache", "--engine", &url, "--lease", "1s"]);
    let mut child = call.start();
    std::thread::sleep(Duration::from_millis(1500));
    child.kill().unwrap();
    call.wait(child);
    let listed = workspace.grader(&["attach", "--engine", &url]);
    let name = listed.stdout.split_whitespace().next().unwrap().to_owned();
    workspace.grader(&["attach", &name, "--cancel", "--engine", &url]).status(0);
    assert_eq!(workspace.grader(&["attach", "--engine", &url]).stdout, "no run is unfinished\n");
    let unknown = workspace.grader(&["attach", &name, "--engine", &url]);
    unknown.status(2);
    assert!(unknown.stderr.contains("no unfinished run is called"), "{}", unknown.stderr);
}

#[apply(cli_test)]
#[needs(&[Need::Broker])]
fn a_class_that_was_left_is_not_judged_again() {
    let class = Workspace::with_sum().without_walls();
    let file = class.path("log");
    for student in 0..10 {
        let counted = format!("echo {student} >> {}\n/bin/sleep 0.1\n{SUM}", file.display());
        class.file(format!("class/s{student}.sh"), counted);
    }
    let farm = Farm::with_two();
    let url = farm.url("client").to_owned();
    let words =
        ["judge", "sum", "class", "--isolation", "none", "--out", "results", "--lease", "10s", "--engine", &url];
    let mut call = Call::any(&class.path(""), &words);
    let child = call.start();
    // Some results are known, and written to `results`, when Ctrl-C leaves the run.
    let begun = Instant::now();
    let log = || std::fs::read_to_string(class.path("log")).unwrap_or_default().lines().count();
    while log() < 12 && begun.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(50));
    }
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    call.wait(child).status(130);
    let mut listed = String::new();
    while !listed.contains("10 of 10 jobs") && begun.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(100));
        listed = class.grader(&["attach", "--engine", &url]).stdout;
    }
    let name = listed.split_whitespace().next().unwrap().to_owned();
    assert_eq!(log(), 40, "{listed}");
    class.grader(&["attach", &name[..6], "--engine", &url]).status(0);
    assert_eq!(log(), 40, "nothing ran again");
    assert_eq!(class.grader(&["attach", "--engine", &url]).stdout, "no run is unfinished\n");
}

#[apply(cli_test)]
#[needs(&[Need::Broker])]
fn people_who_wait_come_first() {
    let waiting = Workspace::with_sum().without_walls();
    slow(&waiting, 1);
    let class = Workspace::with_sum().without_walls();
    for student in 0..24 {
        class.file(format!("class/s{student}.sh"), format!("/bin/sleep 0.1\n{SUM}# {student}\n"));
    }
    let mut farm = Farm::with_two();
    let url = farm.url("client").to_owned();
    let words = ["judge", "sum", "class", "--isolation", "none"];
    let judged = farm.run_while(&class, &words, 2, |_| {
        let begun = Instant::now();
        waiting.grader(&["run", "--engine", &url, "--lease", "1s"]).status(0);
        let whole = class.read("so-far.jsonl").matches("submission_finished").count();
        assert!(whole < 20, "{whole} of the class were judged first, in {:?}", begun.elapsed());
    });
    judged.status(0);
}

#[apply(cli_test)]
#[needs(&[Need::Broker])]
fn the_cache_of_files_is_bounded() {
    let workspace = Workspace::new().without_walls();
    for slug in ["a", "b", "c"] {
        let problem = workspace
            .problem(slug)
            .toml("reference = \"accepted/a.sh\"\n")
            .submission("accepted/a.sh", "read -r line\necho ${#line}\n");
        problem.case("sample/1", &format!("{}\n", slug.repeat(700_000)), "700000\n");
    }
    let mut farm = Farm::new();
    farm.start_with("w1", "tools", &["--cache-size", "2"]);
    farm.wait_for_workers(&["w1"]);
    farm.run(&workspace, &["run"]).status(0);
    let kept: u64 =
        fs::read_dir(farm.path("cache-w1/blobs")).unwrap().map(|blob| blob.unwrap().metadata().unwrap().len()).sum();
    assert!((700_000..2 << 20).contains(&kept), "{kept}");
    // What was removed is fetched again.
    farm.run(&workspace, &["run", "--no-cache"]).status(0);
}

#[apply(cli_test)]
#[needs(&[Need::Broker])]
fn a_derived_limit_is_measured_once() {
    let workspace = Workspace::bare();
    workspace
        .file(
            "p/problem.yaml",
            "problem_format_version: 2025-09\nname: p\nuuid: 00000000-0000-4000-8000-000000000000\n",
        )
        .file("p/data/sample/1.in", "1 2\n")
        .file("p/data/sample/1.ans", "3\n")
        .file("p/submissions/accepted/a.sh", SUM)
        .file("p/submissions/wrong_answer/w.sh", "echo 4\n")
        .file("grader.toml", "isolation = \"none\"\nproblems = [\".\"]\n");
    let farm = Farm::with_two();
    let run = farm.run(&workspace, &["run"]);
    run.status(0);
    assert!(run.stdout.contains("derived: slowest accepted"), "{}", run.stdout);
}

#[apply(cli_test)]
#[needs(&[Need::Broker])]
fn clocks_that_differ_are_told() {
    let workspace = Workspace::with_sum().without_walls();
    let farm = Farm::with_two();
    let alike = farm.run(&workspace, &["run"]);
    assert!(!alike.stderr.contains("clock"), "{}", alike.stderr);
    // What a worker would say whose clock is three hours slow; it takes no job.
    let hello = farm.raw("client").ask("$JS.API.DIRECT.GET.WORKERS.hb.w1", "");
    let mut hello: serde_json::Value = serde_json::from_str(&hello).unwrap();
    let now = hello["clock"]["secs_since_epoch"].as_u64().unwrap();
    hello["clock"]["secs_since_epoch"] = (now - 3 * 3600).into();
    hello["name"] = "w3".into();
    assert_eq!(farm.raw("w3").publish("hb.w3", &hello.to_string()), "+OK");
    let run = farm.run(&workspace, &["run"]);
    run.status(0);
    assert!(run.stderr.contains("the clock of worker w3 is 3h "), "{}", run.all());
    assert!(run.stderr.contains("behind the broker's; results do not depend on it"), "{}", run.all());
    assert_eq!(run.stderr.matches("clock").count(), 1, "{}", run.stderr);
}
