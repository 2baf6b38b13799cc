//! Much output where much is allowed: judged right, and in bounded memory.

use std::fs;
use std::time::{Duration, Instant};

use libtest_mimic::{Failed, Trial};

use crate::hostile::layer::Layer;
use crate::hostile::workspace::Workspace;

/// What the grader itself may grow to; far below what it has to read.
const MOST: u64 = 150 * 1024;

pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for layer in Layer::USUAL {
        let trial = |name: &str, run: fn(Layer) -> Result<(), Failed>| {
            crate::hostile::trial(layer, &format!("flood/{name}"), &["gcc"], move || run(layer))
        };
        trials.push(trial("64-mib-allowed", |layer| flood(layer, 64, 80, true, "AC")));
        trials.push(trial("200-mb-wrong", |layer| flood(layer, 200, 250, false, "WA")));
        trials.push(trial("200-mb-of-one-line", |layer| flood_of_one_line(layer, 200, 250)));
    }
    trials
}

const SOURCE: &str = "
#include <stdio.h>
int main(void) {
    int n;
    scanf(\"%d\", &n);
    for (int i = 0; i < n * 65536; i++) printf(\"%015d\\n\", i);
}
";

fn flood(layer: Layer, mib: usize, limit: usize, right: bool, expect: &str) -> Result<(), Failed> {
    let workspace = workspace(layer, limit, SOURCE)?;
    let mut answer = String::new();
    if right {
        for i in 0..mib * 65536 {
            use std::fmt::Write as _;
            writeln!(answer, "{i:015}")?;
        }
    }
    workspace.case("1", &mib.to_string(), &answer)?;
    drop(answer);
    check(&workspace, expect)
}

fn flood_of_one_line(layer: Layer, mib: usize, limit: usize) -> Result<(), Failed> {
    let workspace = workspace(layer, limit, &SOURCE.replace("\\n", ""))?;
    workspace.case("1", &mib.to_string(), "something else\n")?;
    check(&workspace, "WA")
}

fn workspace(layer: Layer, limit: usize, source: &str) -> Result<Workspace, Failed> {
    let limits = format!("[limits]\ntime_limit = 30\noutput = {limit}\n");
    let workspace = Workspace::new(layer, &limits)?;
    workspace.write("problems/p/submissions/accepted/flood.c", source)?;
    Ok(workspace)
}

fn check(workspace: &Workspace, expect: &str) -> Result<(), Failed> {
    let started = workspace.start(&["-j", "1"])?;
    let pid = started.pid();
    let watcher = std::thread::spawn(move || peak_of(pid));
    let status = started.wait(Duration::from_secs(110))?;
    let ended = workspace.ended(status);
    workspace.expect_nothing_left()?;
    let (verdict, reason) = ended.result("secret/1");
    if verdict != expect {
        return Err(format!("expected {expect}, got {verdict} {reason:?}\n{}", ended.said).into());
    }
    let peak = watcher.join().map_err(|_| "the watcher panicked")?;
    if peak == 0 || peak > MOST {
        return Err(format!("the grader grew to {peak} KiB").into());
    }
    Ok(())
}

/// `VmHWM` of a process at the last look before its end, in KiB.
fn peak_of(pid: i32) -> u64 {
    let deadline = Instant::now() + Duration::from_secs(120);
    let mut peak = 0;
    while Instant::now() < deadline {
        let Ok(status) = fs::read_to_string(format!("/proc/{pid}/status")) else { break };
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let Some(now) = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()) else { break };
        peak = now;
        std::thread::sleep(Duration::from_millis(10));
    }
    peak
}
