//! Runs that are ended early: by Ctrl-C, by a kill, or by the death of a keeper.

use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use libtest_mimic::{Failed, Trial};
use rustix::process::Signal;

use crate::workspace::{Ended, Started, Workspace, kill};

/// "At once", on a machine with other things to do.
const SOON: Duration = Duration::from_secs(8);

pub(crate) fn trials(programs: &Path) -> Vec<Trial> {
    let stop = programs.join("stop-keeper.c");
    vec![
        crate::trial("signals/int", &["sh"], || interrupted(Signal::INT, 130)),
        crate::trial("signals/term", &["sh"], || interrupted(Signal::TERM, 143)),
        crate::trial("signals/int-twice", &["sh"], twice),
        crate::trial("signals/int-while-compiling", &["sh"], while_compiling),
        crate::trial("signals/int-while-looking-for-tools", &["sh"], while_looking_for_tools),
        crate::trial("signals/int-while-validating", &["sh"], while_validating),
        crate::trial("signals/kill-grader", &["sh"], || killed(None)),
        crate::trial("signals/kill-grader-with-stopped-keeper", &["gcc"], move || killed(Some(&stop))),
        crate::trial("signals/kill-keeper", &["sh"], keeper_killed),
    ]
}

/// Answers the first test, and sleeps in all others with company.
const SLEEPER: &str = "read word
if [ \"$word\" = first ]; then echo ok; exit; fi
setsid sleep 601 &
sleep 600
";

fn workspace() -> Result<Workspace, Failed> {
    let workspace = Workspace::new("[limits]\ntime_limit = 100\n")?;
    workspace.write("problems/p/submissions/accepted/sleeper.sh", SLEEPER)?;
    workspace.case("1", "first\n", "ok\n")?;
    workspace.case("2", "second\n", "ok\n")?;
    workspace.case("3", "third\n", "ok\n")?;
    Ok(workspace)
}

/// Waits until a process of the workspace has `part` in its command line.
fn wait_for(workspace: &Workspace, part: &str) -> Result<i32, Failed> {
    let deadline = Instant::now() + Duration::from_secs(30);
    while Instant::now() < deadline {
        if let Some((pid, _)) = workspace.alive().into_iter().find(|(_, line)| line.contains(part)) {
            return Ok(pid);
        }
        sleep(Duration::from_millis(10));
    }
    Err(format!("`{part}` never ran").into())
}

fn ends_with(workspace: &Workspace, started: Started, code: i32) -> Result<Ended, Failed> {
    let status = started.wait(SOON);
    workspace.expect_nobody()?;
    let ended = workspace.ended(status?);
    if ended.code == code { Ok(ended) } else { Err(format!("exit status {}: {}", ended.code, ended.said).into()) }
}

fn interrupted(signal: Signal, code: i32) -> Result<(), Failed> {
    let workspace = workspace()?;
    let started = workspace.start(&["-j", "1"])?;
    wait_for(&workspace, "sleep 600")?;
    kill(started.pid(), signal);
    let ended = ends_with(&workspace, started, code)?;
    expect(&ended, "secret/1", "AC")?;
    // What was cut off is no failure of anybody.
    expect(&ended, "secret/2", "nothing")?;
    if ended.said.contains("judge error") || !ended.said.contains("interrupted") {
        return Err(format!("it said: {}", ended.said).into());
    }
    Ok(())
}

fn expect(ended: &Ended, test: &str, verdict: &str) -> Result<(), Failed> {
    let (got, reason) = ended.result(test);
    if got == verdict { Ok(()) } else { Err(format!("{test}: {got} {reason:?}\n{}", ended.said).into()) }
}

fn twice() -> Result<(), Failed> {
    let workspace = workspace()?;
    let started = workspace.start(&["-j", "1"])?;
    wait_for(&workspace, "sleep 600")?;
    // A stopped keeper cannot answer: only the second signal can end the run at once.
    let keeper = wait_for(&workspace, "__keeper")?;
    kill(keeper, Signal::STOP);
    kill(started.pid(), Signal::INT);
    sleep(Duration::from_millis(300));
    kill(started.pid(), Signal::INT);
    ends_with(&workspace, started, 130).map(drop)
}

/// A problem whose programs are "compiled" and found by the given scripts.
fn scripted(compile: &str, version: &str) -> Result<Workspace, Failed> {
    let language =
        format!("[language.bash]\ncompile = [\"sh\", \"-c\", '{compile}']\nversion = [\"sh\", \"-c\", '{version}']\n");
    let workspace = Workspace::new(&language)?;
    workspace.write("problems/p/submissions/accepted/quick.sh", "echo ok\n")?;
    workspace.case("1", "first\n", "ok\n")?;
    Ok(workspace)
}

fn while_compiling() -> Result<(), Failed> {
    let workspace = scripted("sleep 600 & wait", "echo 1")?;
    let started = workspace.start(&[])?;
    wait_for(&workspace, "sleep 600")?;
    kill(started.pid(), Signal::INT);
    let ended = ends_with(&workspace, started, 130)?;
    if ended.said.contains("judge error") { Err(ended.said.into()) } else { Ok(()) }
}

/// A signal that arrives while a compiler is asked for its version must not be lost: nothing is compiled after it.
fn while_looking_for_tools() -> Result<(), Failed> {
    let workspace = scripted("sleep 601", "sleep 600")?;
    let started = workspace.start(&[])?;
    wait_for(&workspace, "sleep 600")?;
    kill(started.pid(), Signal::INT);
    ends_with(&workspace, started, 130).map(drop)
}

fn while_validating() -> Result<(), Failed> {
    let workspace = Workspace::new("")?;
    workspace.write("problems/p/submissions/accepted/quick.sh", "echo ok\n")?;
    workspace.write("problems/p/output_validator/judge.sh", "sleep 600\n")?;
    workspace.case("1", "first\n", "ok\n")?;
    let started = workspace.start(&[])?;
    wait_for(&workspace, "sleep 600")?;
    kill(started.pid(), Signal::INT);
    let ended = ends_with(&workspace, started, 130)?;
    expect(&ended, "secret/1", "nothing")
}

/// SIGKILL leaves the grader no time for anything: the keepers must see to it that nothing stays.
fn killed(stops_its_keeper: Option<&Path>) -> Result<(), Failed> {
    let workspace = match stops_its_keeper {
        None => workspace()?,
        Some(program) => {
            let workspace = Workspace::new("[limits]\ntime_limit = 100\n")?;
            workspace.copy(program, "problems/p/submissions/accepted/stop-keeper.c")?;
            workspace.case("1", "hostile\n", "ok\n")?;
            workspace
        }
    };
    let started = workspace.start(&["-j", "1"])?;
    if stops_its_keeper.is_some() {
        // The program is its own artifact: it is the only one that runs out of the store.
        wait_for(&workspace, ".grader/")?;
        sleep(Duration::from_millis(300));
    } else {
        wait_for(&workspace, "sleep 600")?;
    }
    kill(started.pid(), Signal::KILL);
    ends_with(&workspace, started, -9).map(drop)
}

/// Somebody else kills the keeper in the middle of a test: that test cannot be judged, the next one can.
fn keeper_killed() -> Result<(), Failed> {
    let workspace = workspace()?;
    workspace.case("3", "first\n", "ok\n")?;
    let started = workspace.start(&["-j", "1"])?;
    wait_for(&workspace, "sleep 600")?;
    kill(wait_for(&workspace, "__keeper")?, Signal::KILL);
    let ended = ends_with(&workspace, started, 3)?;
    expect(&ended, "secret/2", "JE")?;
    expect(&ended, "secret/3", "AC")
}
