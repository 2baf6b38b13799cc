//! `grader doctor`: what holds on this machine, proved by programs that try to break it.

mod cause;
mod guarantee;
mod machine;
mod show;
mod toolchains;
mod ward;

use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context as _, Result};
use clap::Args;

use self::cause::{Cause, Failure};
use self::guarantee::{Finding, GUARANTEES};
use self::machine::Machine;
use self::ward::{Outside, Ward};
use super::arguments::{Color, Setup};
use super::exit::ExitStatus;
use super::isolation::{Wanted, isolation_words};
use super::scratch::Scratch;
use super::surroundings;
use crate::config::{IsolationChoice, Options};
use crate::interrupt::Handlers;
use crate::report::text::{Line, Paint, Style};
use crate::sandbox::{Isolation, Sandbox, Slot, landlock_version};

/// Runs hostile test programs to check which sandbox guarantees hold on this machine, and how to fix the others
#[derive(Debug, Args)]
#[command(
    after_help = "grader checks every layer of isolation that this machine supports, and ignores grader.toml for \
    this. docs/sandbox.md lists the guarantees of each layer.\n\nExit status: 0 the layer that `auto` selects (or \
    the one that you named) keeps all its guarantees, 1 it does not, 2 usage or configuration error, 129/130/143 \
    interrupted."
)]
pub(super) struct DoctorArgs {
    /// Check only this layer; auto checks all
    #[arg(long, value_name = "LAYER", default_value = "auto", value_parser = isolation_words())]
    isolation: IsolationChoice,
    /// Choose when to use colour
    #[arg(long, value_name = "WHEN", value_enum)]
    color: Option<Color>,
}

/// What was found of one guarantee in one layer.
struct Check {
    promised: bool,
    finding: Finding,
}

/// What was found of one layer.
struct Layer {
    isolation: Isolation,
    /// One for each guarantee; none where there is no such layer here.
    checks: Option<Vec<Check>>,
    /// What else there is to know of it.
    facts: Vec<String>,
    /// Why it, or a part of it, is not there.
    causes: Vec<Cause>,
}

impl Layer {
    fn absent(isolation: Isolation) -> Self {
        Self { isolation, checks: None, facts: Vec::new(), causes: Vec::new() }
    }

    fn checks(&self) -> Option<&[Check]> {
        self.checks.as_deref()
    }

    /// Promises, and how many of them are kept.
    fn score(&self) -> (usize, usize) {
        let promised = || self.checks().unwrap_or_default().iter().filter(|check| check.promised);
        (promised().count(), promised().filter(|check| check.finding.keeps()).count())
    }

    fn keeps_all(&self) -> bool {
        let (promised, kept) = self.score();
        self.checks.is_some() && promised == kept
    }
}

/// Examines, tells, and returns how the process ends.
pub(super) fn run(args: &DoctorArgs) -> Result<ExitStatus> {
    let wanted = Wanted::from(args.isolation);
    let arguments = Options { color: args.color.map(Into::into), ..Options::default() };
    let Setup { paint, languages, .. } = Setup::new(arguments)?;
    let columns = surroundings::width();
    let scratch = Scratch::for_programs()?;
    let binary = std::env::current_exe().context("cannot find the grader's own program")?;
    let machine = Machine::read(Path::new("/"), &binary);
    let handlers = Handlers::of_this_process().context("cannot install signal handlers")?;
    handlers.cancels(|| ());
    let mut out = Printer { out: io::stdout().lock(), paint };
    out.print(&[head(&machine), Line::new()])?;
    let layers = examine_all(wanted, scratch.path(), &machine, handlers)?;
    if let Some(signal) = handlers.signal() {
        return Ok(ExitStatus::Interrupted(signal));
    }
    let best = layers.iter().find(|layer| layer.checks.is_some());
    let taken = best.filter(|_| wanted == Wanted::Auto).map(|layer| layer.isolation);
    out.print(&show::layers(&layers, taken, columns))?;
    out.print(&[Line::new()])?;
    out.print(&show::table(&layers))?;
    let failures = show::failures(&layers, columns);
    if !failures.is_empty() {
        out.print(&[Line::new()])?;
        out.print(&failures)?;
    }
    if wanted == Wanted::Auto {
        let mut slot = Slot::new(&binary, &scratch.path().join("tools"), Isolation::None)?;
        out.print(&[Line::new()])?;
        out.print(&toolchains::lines(&languages, &mut slot, scratch.path(), columns))?;
    }
    out.print(&[Line::new(), summary(best)])?;
    Ok(if best.is_some_and(Layer::keeps_all) { ExitStatus::Success } else { ExitStatus::Unexpected })
}

/// Where lines go.
struct Printer<W: Write> {
    out: W,
    paint: Paint,
}

impl<W: Write> Printer<W> {
    fn print(&mut self, lines: &[Line]) -> Result<()> {
        lines.iter().try_for_each(|line| writeln!(self.out, "{}", line.render(self.paint)))?;
        Ok(self.out.flush()?)
    }
}

fn head(machine: &Machine) -> Line {
    let landlock = landlock_version().map_or("no Landlock".to_owned(), |version| format!("Landlock {version}"));
    let text =
        format!(" {} · Linux {} · {landlock} · user {}", env!("CARGO_PKG_VERSION"), machine.kernel, machine.user);
    Line::new().with("grader doctor", Style::STRONG).with(&text, Style::PLAIN)
}

fn examine_all(wanted: Wanted, scratch: &Path, machine: &Machine, handlers: &Handlers) -> Result<Vec<Layer>> {
    let outside = Outside::new(scratch, &machine.binary).context("cannot prepare what programs must not reach")?;
    let mut layers = Vec::new();
    for isolation in wanted.candidates() {
        let dir = scratch.join(isolation.name());
        layers.push(match Ward::open(&machine.binary, &dir, isolation, &outside) {
            Ok(ward) => examine(ward, machine, handlers),
            Err(error) => {
                let causes = vec![cause::of_layer(isolation, &Failure::of(&error), machine)];
                Layer { causes, ..Layer::absent(isolation) }
            }
        });
    }
    Ok(layers)
}

fn examine(mut ward: Ward, machine: &Machine, handlers: &Handlers) -> Layer {
    let (isolation, landlock) = (ward.isolation, landlock_version());
    let mut layer = Layer::absent(isolation);
    if let Some(groups) = ward.slot().control_groups().into_iter().next() {
        layer.facts.push(groups.found);
        layer.causes.extend(cause::of_groups(&groups.missing, machine));
    }
    if isolation == Isolation::Weak {
        layer.causes.extend(cause::of_landlock(landlock));
    }
    let mut checks = Vec::with_capacity(GUARANTEES.len());
    for guarantee in GUARANTEES {
        let promised = guarantee.is_promised(isolation, landlock);
        let finding = match handlers.signal() {
            None => guarantee.examine(&mut ward),
            Some(_) => Finding::Unknown("interrupted".to_owned()),
        };
        checks.push(Check { promised, finding });
    }
    layer.checks = Some(checks);
    layer
}

fn summary(best: Option<&Layer>) -> Line {
    let Some(layer) = best else {
        return Line::new().with("FAIL", Style::BAD.bold()).with("  this layer does not work here", Style::PLAIN);
    };
    let (promised, kept) = layer.score();
    let (word, style) = if layer.keeps_all() { ("PASS", Style::GOOD.bold()) } else { ("FAIL", Style::BAD.bold()) };
    let text = format!("  layer `{}` keeps {kept} of its {promised} guarantees", layer.isolation.name());
    Line::new().with(word, style).with(&text, Style::PLAIN)
}
