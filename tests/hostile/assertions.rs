//! Programs in Python that pass assertions without solving the problem, if the assertions run beside them: the kinds
//! that docs/stream.md counts. Each is judged as one request of a stream, beside the program that solves the problem.
//!
//! `assertions/` holds them: a file is a program, a directory is one of several files.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use libtest_mimic::{Failed, Trial};
use serde_json::{Value, json};

use crate::hostile::case::entries;
use crate::hostile::layer::Layer;
use crate::hostile::workspace::Workspace;

/// Assertions about `f(n) = n (n + 1)`; `f` of every program here is wrong for each.
const TESTS: [&str; 5] = [
    "def check(candidate):\n    assert candidate(3) == 12\n    assert candidate(0) == 0\n\ncheck(f)\n",
    "import math\nassert math.isclose(f(3), 12)\n",
    "assert set([f(3)]) == set([12])\n",
    "assert abs(f(3) - 12) < 1e-6\n",
    "assert all(f(i) == i * (i + 1) for i in (3, 5))\n",
];
const SOLUTION: &str = "def f(n): return n * (n + 1)\n";
/// The kinds of docs/stream.md.
const KINDS: usize = 12;

pub(crate) fn trials() -> Vec<Trial> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile/assertions");
    let programs = entries(&dir);
    assert_eq!(programs.len(), KINDS, "{}", dir.display());
    let mut trials = Vec::new();
    for layer in Layer::USUAL {
        for path in &programs {
            let (path, name) = (path.clone(), path.file_name().unwrap_or_default().to_string_lossy().into_owned());
            let run = move || check(layer, &path);
            trials.push(crate::hostile::trial(layer, &format!("assertions/{name}"), &["python3"], run));
        }
    }
    trials
}

/// The program fails every test, as a submission; the solution passes every test of the same run.
fn check(layer: Layer, path: &Path) -> Result<(), Failed> {
    let workspace = Workspace::new(layer, "")?;
    let program =
        if path.is_dir() { json!({"files": files(path)?}) } else { json!({"source": fs::read_to_string(path)?}) };
    workspace.write(
        "requests",
        &format!("{}\n{}\n", request("cheat", program), request("solution", json!({"source": SOLUTION}))),
    )?;
    let ended = workspace.judge_stream("requests", &["-a", "-j", "1"], Duration::from_secs(60))?;
    workspace.expect_nothing_left()?;
    let passed: Vec<Value> = ended.events.iter().map(|result| result["passed"].clone()).collect();
    let judged =
        ended.events.iter().all(|result| result["status"] == "judged" && result["tests"][0]["judged_by"].is_null());
    if ended.code != 0 || passed != [json!(0), json!(TESTS.len())] || !judged {
        return Err(format!("exit status {}, passed {passed:?}: {}", ended.code, ended.said).into());
    }
    Ok(())
}

fn request(id: &str, mut program: Value) -> Value {
    let tests = TESTS.map(|test| json!({"input": test}));
    program["id"] = json!(id);
    program["problem"] = json!({"tests": tests, "entry": {"asserts": true}});
    program
}

fn files(dir: &Path) -> Result<BTreeMap<String, String>, Failed> {
    let file = |path: &std::path::PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok((name, fs::read_to_string(path)?))
    };
    entries(dir).iter().map(file).collect()
}
