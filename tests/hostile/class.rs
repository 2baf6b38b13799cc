//! A class of thirty, of which twelve attack: `grader judge` and `grader judge --stream`, with the layer that they choose by
//! themselves in a container. The others get what they deserve, no attacker learns an answer, and nothing is left.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use libtest_mimic::{Failed, Trial};
use serde_json::Value;
use walkdir::WalkDir;

use crate::hostile::layer::Layer;
use crate::hostile::workspace::{FinishedRun, Workspace};

/// What the answers contain, and what no program can know.
const SECRET: &str = "Zq7NwPdX41";
/// `@WORKSPACE@` becomes the path of everything that belongs to the class.
const ATTACKS: [(&str, &str); 12] = [
    ("reads-answers.sh", "cat @WORKSPACE@/testcases/p/secret/*.ans ../../../../testcases/p/secret/*.ans"),
    ("links.sh", "ln -s @WORKSPACE@/testcases/p/secret/1.ans a; ln @WORKSPACE@/testcases/p/secret/1.ans b; cat a b"),
    (
        "through-proc.py",
        "import os\n\
         for pid in range(1, 400):\n    \
             for way in ['root@WORKSPACE@', 'cwd']:\n        \
                 try: print(open(f'/proc/{pid}/{way}/testcases/p/secret/1.ans').read())\n        \
                 except OSError: pass\n    \
             for fd in range(40):\n        \
                 try: print(open(f'/proc/{pid}/fd/{fd}', 'rb').read(100))\n        \
                 except OSError: pass\n    \
             try: print(open(f'/proc/{pid}/environ').read(), open(f'/proc/{pid}/cmdline').read())\n    \
             except OSError: pass\n",
    ),
    (
        "forges.py",
        "import os\nfor pid in [os.getppid(), *range(1, 200)]:\n    for fd in range(40):\n        try: \
        os.write(os.open(f'/proc/{pid}/fd/{fd}', os.O_WRONLY), b'\\x00' * 64)\n        except OSError: pass\n",
    ),
    ("kills-all.sh", "kill -9 -1; kill -STOP $PPID; kill -9 $PPID; for i in `seq 1 300`; do kill -9 $i; done"),
    ("fork-bomb.sh", "f() { f | f & }; f; sleep 5"),
    (
        "daemon.sh",
        "setsid sh -c 'sleep 0.3; while :; do echo junk > ./left; kill -9 -1; done' >/dev/null 2>&1 & echo x",
    ),
    (
        "poisons.sh",
        "for place in @WORKSPACE@ @WORKSPACE@/.grader @WORKSPACE@/class @WORKSPACE@/testcases/p/secret .. ../.. ../../..; do \
         echo junk > $place/planted; rm -rf $place/p $place/*.ans $place/box; mv $place/1.ans $place/3.ans; done; \
         echo $$ > /dev/shm/planted; echo $$ > /tmp/planted",
    ),
    ("fills.py", "for i in range(70000): open(str(i), 'w').close()\n"),
    ("privileges.sh", "su root -c id; mount -t tmpfs none /mnt; chroot / id; unshare -r id; cat /etc/shadow"),
    (
        "network.py",
        "import socket\n\
         for family in [socket.AF_INET, socket.AF_INET6, socket.AF_UNIX]:\n    \
             for kind in [socket.SOCK_STREAM, socket.SOCK_DGRAM]:\n        \
                 try:\n            socket.socket(family, kind); print('a socket')\n        \
                 except OSError: pass\n",
    ),
    (
        "closes.py",
        "import os\nfor i in range(2000):\n    os.mkdir('d' * 50); os.chdir('d' * 50)\nos.mkdir('\\n'); \
         os.mkfifo('output'); os.chmod('.', 0)\nos.symlink('/etc/shadow', 'x')\n",
    ),
];
const HONEST: usize = 30 - ATTACKS.len();

pub(crate) fn trials() -> Vec<Trial> {
    let trial = |name: &str, run: fn() -> Result<(), Failed>| {
        crate::hostile::trial(Layer::Users, &format!("class/{name}"), &["python3", "rev"], run)
    };
    vec![
        trial("of-thirty", class),
        trial("as-a-stream", stream),
        trial("doctor", || doctor("")),
        // With control groups of version 2 of its own, a container uses those that work.
        trial("doctor/with-groups", || doctor("cgroup v2 (")),
        trial("gradescope", gradescope),
    ]
}

/// Each input is the answer from behind.
fn workspace() -> Result<Workspace, Failed> {
    let workspace = Workspace::new(Layer::Users, "")?;
    workspace.write("problems/p/problem.toml", "[limits]\ntime_limit = 2\nprocesses = 16\n")?;
    for name in ["1", "2"] {
        let answer = format!("{SECRET}{name}");
        let input: String = answer.chars().rev().collect();
        workspace.case(name, &format!("{input}\n"), &format!("{answer}\n"))?;
    }
    Ok(workspace)
}

fn submissions(workspace: &Workspace) -> impl Iterator<Item = (String, String)> {
    let path = workspace.path().to_string_lossy().into_owned();
    let attacks = ATTACKS.map(|(name, text)| (format!("x-{name}"), text.replace("@WORKSPACE@", &path)));
    let honest = (0..HONEST).map(|number| (format!("honest{number}.sh"), format!("rev # {number}\n")));
    // In turn, so that honest programs come after every attack.
    let mut all: Vec<_> = attacks.into_iter().chain(honest).collect();
    all.sort_by_cached_key(|(name, _)| name.bytes().map(u32::from).sum::<u32>() % 7);
    all.into_iter()
}

fn class() -> Result<(), Failed> {
    let workspace = workspace()?;
    for (name, text) in submissions(&workspace) {
        workspace.write(&format!("class/{name}"), &text)?;
    }
    let before = workspace.precious();
    let words = ["judge", "p", "class", "--layout", "{student}.*", "-j", "2", "--report", "jsonl=report.jsonl"];
    let ended = workspace.run_as_chosen(&words, None, Duration::from_secs(120))?;
    let of = |event: &Value| event["of"]["submission"].as_str().map(ToOwned::to_owned);
    let tests = ended.events.iter().filter(|event| event["event"] == "test_finished");
    let verdicts = tests.filter_map(|event| Some((of(event)?, event["result"]["verdict"].as_str()?.to_owned())));
    check(&workspace, &ended, verdicts.collect(), 2)?;
    if workspace.precious() != before {
        return Err("a file of the workspace is not what it was".into());
    }
    Ok(())
}

fn stream() -> Result<(), Failed> {
    let workspace = workspace()?;
    let requests = submissions(&workspace).map(|(name, text)| {
        let is_python = Path::new(&name).extension().is_some_and(|extension| extension == "py");
        let language = if is_python { "python3" } else { "shell" };
        serde_json::json!({ "id": name, "problem": "p", "source": text, "language": language }).to_string() + "\n"
    });
    workspace.write("requests", &requests.collect::<String>())?;
    let words = ["judge", "--stream", "-j", "2"];
    let ended = workspace.run_as_chosen(&words, Some("requests"), Duration::from_secs(120))?;
    let results = ended.events.iter().filter_map(|result| {
        let name = result["id"].as_str()?.to_owned();
        Some(
            result["tests"]
                .as_array()?
                .iter()
                .filter_map(move |test| Some((name.clone(), test["verdict"].as_str()?.to_owned()))),
        )
    });
    // A stream ends with the first test that fails.
    check(&workspace, &ended, results.flatten().collect(), 1)
}

/// The doctor finds the layer for such a class, and that it keeps what it promises.
/// `doctor` chooses the layer, and says `more` of it.
fn doctor(more: &str) -> Result<(), Failed> {
    let workspace = workspace()?;
    let ended = workspace.run_as_chosen(&["doctor", "--color", "never"], None, Duration::from_secs(120))?;
    let layers = ended.said.split("Results of").next().unwrap_or_default();
    let is_chosen = layers.lines().any(|line| line.contains("✓ users") && line.contains("`auto` selects this layer"));
    let is_used = layers.split("✓ users").nth(1).and_then(|rest| rest.split("✓ weak").next());
    let is_chosen = is_chosen && is_used.is_some_and(|row| row.contains(more));
    if ended.code != 0 || !is_chosen || !ended.said.contains("PASS  layer `users` keeps") {
        return Err(ended.said.into());
    }
    Ok(())
}

/// The autograder of Gradescope, unpacked and started as there. An attacker knows where the answers are.
fn gradescope() -> Result<(), Failed> {
    const WITHIN: Duration = Duration::from_secs(120);
    let workspace = workspace()?;
    let made = workspace.run_as_chosen(&["ci", "gradescope", "p", "--out", "p.zip"], None, WITHIN)?;
    if made.code != 0 {
        return Err(made.said.into());
    }
    let place = workspace.path().join("autograder");
    let source = place.join("source");
    zip::ZipArchive::new(fs::File::open(workspace.path().join("p.zip"))?)?.extract(&source)?;
    fs::create_dir(place.join("results"))?;
    let answer = source.join("testcases/p/secret/1.ans");
    let attack = format!("cat {0}; cp {0} .; head -c 99 {1}/results/results.json", answer.display(), place.display());
    for (program, score) in [("rev\n", 1.0), (&*attack, 0.0)] {
        workspace.write("autograder/submission/p.sh", program)?;
        let run = workspace.run_script(&source.join("run_autograder"), &source, ("AUTOGRADER", &place), WITHIN)?;
        let report = fs::read_to_string(place.join("results/results.json")).unwrap_or_default();
        let result: Value = serde_json::from_str(&report).unwrap_or_default();
        let is_in_layer = result["extra_data"]["isolation"].as_str().is_some_and(|layer| layer.starts_with("users"));
        if run.code != 0 || result["score"] != score || !is_in_layer || report.contains(SECRET) {
            return Err(format!("{}\n{report}", run.said).into());
        }
    }
    Ok(())
}

/// Each submission and the verdict of one test, of all tests. An attacker has `each` of them.
fn check(
    workspace: &Workspace,
    ended: &FinishedRun,
    verdicts: Vec<(String, String)>,
    each: usize,
) -> Result<(), Failed> {
    workspace.expect_nothing_left()?;
    let mut counts: BTreeMap<bool, usize> = BTreeMap::new();
    for (name, verdict) in verdicts {
        let is_honest = name.contains("honest");
        *counts.entry(is_honest).or_default() += 1;
        if is_honest != (verdict == "AC") {
            return Err(format!("{name}: {verdict}\n{}", ended.said).into());
        }
    }
    if counts != BTreeMap::from([(true, 2 * HONEST), (false, each * ATTACKS.len())]) {
        return Err(format!("results of {counts:?} tests\n{}", ended.said).into());
    }
    expect_secret(workspace)
}

/// The grader keeps what programs have printed and what they should have: only the second may have the secret.
fn expect_secret(workspace: &Workspace) -> Result<(), Failed> {
    let kept = WalkDir::new(workspace.path().join(".grader/last")).into_iter().flatten();
    for entry in kept.filter(|entry| entry.path().extension().is_some_and(|it| it == "out" || it == "err")) {
        if String::from_utf8_lossy(&fs::read(entry.path())?).contains(SECRET) {
            return Err(format!("an answer was read: {}", entry.path().display()).into());
        }
    }
    Ok(())
}
