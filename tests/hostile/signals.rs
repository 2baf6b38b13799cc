//! Runs that are ended early: by Ctrl-C, by a kill, or by the death of a keeper or of a run's init.

use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

use libtest_mimic::{Failed, Trial};
use rustix::process::Signal;

use crate::hostile::layer::Layer;
use crate::hostile::outside::{self, command_line, parent_of};
use crate::hostile::workspace::{FinishedRun, RunningGrader, Workspace, kill};

/// "At once", on a machine with other things to do.
const SOON: Duration = Duration::from_secs(8);
/// How the command line of keepers begins, and of inits, which are copies of them.
const KEEPER: &str = "__keeper";

pub(crate) fn trials(programs: &Path) -> Vec<Trial> {
    type Run = fn(Layer) -> Result<(), Failed>;
    const TRIALS: [(&str, Run); 12] = [
        ("int", |layer| interrupted(layer, Signal::INT, 130)),
        ("term", |layer| interrupted(layer, Signal::TERM, 143)),
        ("int-twice", twice),
        ("int-while-compiling", while_compiling),
        ("int-while-looking-for-tools", while_looking_for_tools),
        ("int-while-validating", while_validating),
        ("kill-grader", |layer| killed(layer, false)),
        ("kill-grader-with-stopped-keeper", |layer| killed(layer, true)),
        ("kill-grader-at-any-moment", killed_at_any_moment),
        ("kill-keeper", |layer| killed_once(layer, keeper_of)),
        ("kill-keeper-again", |layer| killed_again(layer, keeper_of)),
        ("kill-grader-and-start-again", started_again),
    ];
    let name = |name: &str| format!("signals/{name}");
    let mut trials = Vec::new();
    for layer in Layer::USUAL {
        trials.extend(TRIALS.map(|(test, run)| crate::hostile::trial(layer, &name(test), &["sh"], move || run(layer))));
        if layer.has_namespaces() {
            let once = move || killed_once(layer, init_of);
            trials.push(crate::hostile::trial(layer, &name("kill-init"), &["sh"], once));
            let again = move || killed_again(layer, init_of);
            trials.push(crate::hostile::trial(layer, &name("kill-init-again"), &["sh"], again));
        }
    }
    let run = killed_while_the_keeper_looks;
    trials.push(crate::hostile::trial(
        Layer::Users,
        &name("kill-grader-whose-keeper-looks-into-files"),
        &["bash"],
        run,
    ));
    let stops = programs.join("processes/stop-keeper.c");
    let run = move || killed_by_stopping(&stops);
    trials.push(crate::hostile::trial(Layer::None, &name("kill-grader-whose-keeper-was-stopped"), &["gcc"], run));
    trials
}

/// Answers the first test, and sleeps in all others with company.
const SLEEPER: &str = "read word
if [ \"$word\" = first ]; then echo ok; exit; fi
setsid sleep 601 &
sleep 600
";

fn workspace(layer: Layer) -> Result<Workspace, Failed> {
    let workspace = Workspace::new(layer, "[limits]\ntime_limit = 100\n")?;
    workspace.write("problems/p/submissions/accepted/sleeper.sh", SLEEPER)?;
    workspace.case("1", "first\n", "ok\n")?;
    workspace.case("2", "second\n", "ok\n")?;
    workspace.case("3", "third\n", "ok\n")?;
    Ok(workspace)
}

/// Waits until a process of the workspace has `part` in its command line.
fn wait_for(workspace: &Workspace, part: &str) -> Result<i32, Failed> {
    wait_for_other(workspace, part, 0)
}

/// The same for another process than this one.
fn wait_for_other(workspace: &Workspace, part: &str, known: i32) -> Result<i32, Failed> {
    let deadline = Instant::now() + Duration::from_secs(30);
    while Instant::now() < deadline {
        let is_meant = |(pid, line): &(i32, String)| line.contains(part) && *pid != known;
        if let Some((pid, _)) = workspace.running().into_iter().find(is_meant) {
            return Ok(pid);
        }
        sleep(Duration::from_millis(10));
    }
    Err(format!("`{part}` never ran").into())
}

/// The keepers above a program, from below: the init of its run where it has one, and the keeper itself.
fn keepers_of(program: i32) -> Result<Vec<i32>, Failed> {
    let above = std::iter::successors(Some(program), |pid| parent_of(*pid).filter(|pid| *pid > 1));
    let keepers: Vec<i32> = above.filter(|pid| command_line(*pid).contains(KEEPER)).collect();
    if keepers.is_empty() { Err("no keeper above the program".into()) } else { Ok(keepers) }
}

fn keeper_of(program: i32) -> Result<i32, Failed> {
    Ok(*keepers_of(program)?.last().ok_or("no keeper")?)
}

/// The first process of the pid namespace of a run.
fn init_of(program: i32) -> Result<i32, Failed> {
    Ok(keepers_of(program)?[0])
}

fn ends_with(workspace: &Workspace, started: RunningGrader, code: i32) -> Result<FinishedRun, Failed> {
    let status = started.wait(SOON);
    workspace.expect_nobody()?;
    let ended = workspace.ended(status?);
    // One that was killed has no time to tidy up: see `started_again`.
    if code >= 0 {
        workspace.expect_nothing_left()?;
    }
    if ended.code == code { Ok(ended) } else { Err(format!("exit status {}: {}", ended.code, ended.said).into()) }
}

fn interrupted(layer: Layer, signal: Signal, code: i32) -> Result<(), Failed> {
    let workspace = workspace(layer)?;
    let started = workspace.start(&["-j", "1"])?;
    wait_for(&workspace, "sleep 600")?;
    kill(started.pid(), signal);
    let ended = ends_with(&workspace, started, code)?;
    expect(&ended, "secret/1", "AC")?;
    // What was cut off is not a failure of anybody.
    expect(&ended, "secret/2", "nothing")?;
    if ended.said.contains("judge error") || !ended.said.contains("interrupted") {
        return Err(format!("it said: {}", ended.said).into());
    }
    Ok(())
}

fn expect(ended: &FinishedRun, test: &str, verdict: &str) -> Result<(), Failed> {
    let (got, reason) = ended.result(test);
    if got == verdict { Ok(()) } else { Err(format!("{test}: {got} {reason:?}\n{}", ended.said).into()) }
}

fn twice(layer: Layer) -> Result<(), Failed> {
    let workspace = workspace(layer)?;
    let started = workspace.start(&["-j", "1"])?;
    // A stopped keeper cannot answer: only the second signal can end the run at once.
    kill(keeper_of(wait_for(&workspace, "sleep 600")?)?, Signal::STOP);
    kill(started.pid(), Signal::INT);
    sleep(Duration::from_millis(300));
    kill(started.pid(), Signal::INT);
    let status = started.wait(SOON);
    workspace.expect_nobody()?;
    let ended = workspace.ended(status?);
    if ended.code == 130 { Ok(()) } else { Err(format!("exit status {}: {}", ended.code, ended.said).into()) }
}

/// A problem whose programs are "compiled" and found by the given scripts.
fn scripted(layer: Layer, compile: &str, version: &str) -> Result<Workspace, Failed> {
    let language =
        format!("[language.bash]\ncompile = [\"sh\", \"-c\", '{compile}']\nversion = [\"sh\", \"-c\", '{version}']\n");
    let workspace = Workspace::new(layer, &language)?;
    workspace.write("problems/p/submissions/accepted/quick.sh", "echo ok\n")?;
    workspace.case("1", "first\n", "ok\n")?;
    Ok(workspace)
}

fn while_compiling(layer: Layer) -> Result<(), Failed> {
    let workspace = scripted(layer, "sleep 600 & wait", "echo 1")?;
    let started = workspace.start(&[])?;
    wait_for(&workspace, "sleep 600")?;
    kill(started.pid(), Signal::INT);
    let ended = ends_with(&workspace, started, 130)?;
    if ended.said.contains("judge error") { Err(ended.said.into()) } else { Ok(()) }
}

/// A signal that arrives while a compiler is asked for its version must not be lost: nothing is compiled after it.
fn while_looking_for_tools(layer: Layer) -> Result<(), Failed> {
    let workspace = scripted(layer, "sleep 601", "sleep 600")?;
    let started = workspace.start(&[])?;
    wait_for(&workspace, "sleep 600")?;
    kill(started.pid(), Signal::INT);
    ends_with(&workspace, started, 130).map(drop)
}

fn while_validating(layer: Layer) -> Result<(), Failed> {
    let workspace = Workspace::new(layer, "")?;
    workspace.write("problems/p/submissions/accepted/quick.sh", "echo ok\n")?;
    workspace.write("problems/p/output_validator/judge.sh", "sleep 600\n")?;
    workspace.case("1", "first\n", "ok\n")?;
    let started = workspace.start(&[])?;
    wait_for(&workspace, "sleep 600")?;
    kill(started.pid(), Signal::INT);
    let ended = ends_with(&workspace, started, 130)?;
    expect(&ended, "secret/1", "nothing")
}

/// SIGKILL leaves the grader no time for anything: the keepers must see to it that nothing stays alive, also one that
/// somebody has stopped.
fn killed(layer: Layer, keeper_stopped: bool) -> Result<(), Failed> {
    let workspace = workspace(layer)?;
    let started = workspace.start(&["-j", "1"])?;
    let program = wait_for(&workspace, "sleep 600")?;
    if keeper_stopped {
        kill(keeper_of(program)?, Signal::STOP);
    }
    kill(started.pid(), Signal::KILL);
    ends_with(&workspace, started, -9).map(drop)
}

/// The same in the moments in which the keeper has the programs' user: the kernel forgets much with a change of user.
fn killed_while_the_keeper_looks() -> Result<(), Failed> {
    let workspace = Workspace::new(Layer::Users, "[limits]\ntime_limit = 100\n")?;
    // It takes a keeper a while to look at all of them.
    let many = "mkdir {0..9999}; sleep 600\n";
    workspace.write("problems/p/submissions/accepted/many.bash", many)?;
    workspace.case("1", "first\n", "ok\n")?;
    let started = workspace.start(&["-j", "1"])?;
    let keeper = keeper_of(wait_for(&workspace, "sleep 600")?)?;
    let deadline = Instant::now() + Duration::from_secs(30);
    kill(keeper, Signal::STOP);
    loop {
        match outside::file_user_when_stopped(keeper) {
            Some(0) => kill(keeper, Signal::CONT),
            Some(_) => break,
            None => kill(keeper, Signal::STOP),
        }
        if Instant::now() > deadline {
            return Err("the keeper never looked".into());
        }
        sleep(Duration::from_millis(1));
    }
    kill(started.pid(), Signal::KILL);
    ends_with(&workspace, started, -9).map(drop)
}

/// The same where the program itself can stop it.
fn killed_by_stopping(stops: &Path) -> Result<(), Failed> {
    let workspace = Workspace::new(Layer::None, "[limits]\ntime_limit = 100\n")?;
    workspace.copy(stops, "problems/p/submissions/accepted/stop-keeper.c")?;
    workspace.case("1", "hostile\n", "ok\n")?;
    let started = workspace.start(&["-j", "1"])?;
    // The program is its own artifact: it is the only one that runs out of the store.
    wait_for(&workspace, ".grader/")?;
    sleep(Duration::from_millis(300));
    kill(started.pid(), Signal::KILL);
    ends_with(&workspace, started, -9).map(drop)
}

/// What a killed grader could not tidy up the next one removes; directories when they are no longer new.
fn started_again(layer: Layer) -> Result<(), Failed> {
    let workspace = workspace(layer)?;
    let started = workspace.start(&["-j", "1"])?;
    wait_for(&workspace, "sleep 600")?;
    kill(started.pid(), Signal::KILL);
    ends_with(&workspace, started, -9)?;
    workspace.write("problems/p/submissions/accepted/sleeper.sh", "echo ok\n")?;
    tidied_by_the_next(&workspace)
}

/// While it opens its slots, asks for versions, compiles and runs: nothing stays alive, and the next one is none the worse.
fn killed_at_any_moment(layer: Layer) -> Result<(), Failed> {
    let workspace = scripted(layer, "sleep 0.1", "echo 1")?;
    workspace.write("problems/p/submissions/accepted/quick.sh", "setsid sleep 601 & sleep 0.1; echo ok\n")?;
    workspace.case("3", "third\n", "ok\n")?;
    for moment in [0, 5, 15, 30, 60, 100, 150, 200, 300, 400] {
        let started = workspace.start(&["-j", "2", "--no-cache"])?;
        sleep(Duration::from_millis(moment));
        workspace.running();
        kill(started.pid(), Signal::KILL);
        started.wait(SOON)?;
        let deadline = Instant::now() + SOON;
        while !workspace.alive().is_empty() {
            if Instant::now() > deadline {
                return Err(format!("killed after {moment} ms: {:?}", workspace.alive()).into());
            }
            sleep(Duration::from_millis(10));
        }
    }
    tidied_by_the_next(&workspace)
}

fn tidied_by_the_next(workspace: &Workspace) -> Result<(), Failed> {
    let left = workspace.control_groups();
    for entry in std::fs::read_dir(workspace.path().join("tmp"))? {
        std::fs::File::open(entry?.path())?.set_modified(SystemTime::now() - Duration::from_secs(3600))?;
    }
    let ended = workspace.run(&["-j", "1"], Duration::from_secs(30))?;
    expect(&ended, "secret/3", "AC")?;
    // Another grader that runs on this machine may have the name by now.
    let now = workspace.control_groups();
    let still: Vec<PathBuf> = left.into_iter().filter(|group| now.contains(group)).collect();
    if !still.is_empty() {
        return Err(format!("the next grader left {still:?}").into());
    }
    workspace.expect_nothing_left()
}

/// Somebody else kills a process of the sandbox in the middle of a test: the test runs again, and nothing is lost.
fn killed_once(layer: Layer, victim: fn(i32) -> Result<i32, Failed>) -> Result<(), Failed> {
    let workspace = workspace(layer)?;
    let slow = "read word\n[ \"$word\" = second ] && { setsid sleep 601 & sleep 3; }\necho ok\n";
    workspace.write("problems/p/submissions/accepted/sleeper.sh", slow)?;
    let started = workspace.start(&["-j", "1"])?;
    kill(victim(wait_for(&workspace, "sleep 3")?)?, Signal::KILL);
    let status = started.wait(Duration::from_secs(30));
    workspace.expect_nobody()?;
    let ended = workspace.ended(status?);
    workspace.expect_nothing_left()?;
    ["secret/1", "secret/2", "secret/3"].into_iter().try_for_each(|test| expect(&ended, test, "AC"))
}

/// Somebody kills it in the second attempt too: that test cannot be judged, the next one can.
fn killed_again(layer: Layer, victim: fn(i32) -> Result<i32, Failed>) -> Result<(), Failed> {
    let workspace = workspace(layer)?;
    workspace.case("3", "first\n", "ok\n")?;
    let started = workspace.start(&["-j", "1"])?;
    let first = wait_for(&workspace, "sleep 600")?;
    kill(victim(first)?, Signal::KILL);
    kill(victim(wait_for_other(&workspace, "sleep 600", first)?)?, Signal::KILL);
    let ended = ends_with(&workspace, started, 3)?;
    expect(&ended, "secret/2", "JE")?;
    expect(&ended, "secret/3", "AC")
}
