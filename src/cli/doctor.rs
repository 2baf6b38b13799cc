//! `grader doctor`: tests the sandbox guarantees on this machine with hostile programs.

mod show;

use std::io::Write;

use anyhow::Result;
use clap::Args;

use super::arguments::{Color, isolation_words, open, paint};
use super::environment;
use super::exit::ExitStatus;
use crate::cli::output::stdout;
use crate::config::{IsolationChoice, Options};
use crate::doctor::machine::Machine;
use crate::doctor::{Doctor, Layer};
use crate::report::text::{Line, Paint, Style};
use crate::sandbox::landlock_version;
use crate::workspace::wanted_isolation::WantedIsolation;

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

/// Tests the layers, shows the results, and returns the exit status.
pub(super) fn run(args: &DoctorArgs) -> Result<ExitStatus> {
    let wanted = WantedIsolation::from(args.isolation);
    let arguments = Options { color: args.color.map(Into::into), ..Options::default() };
    let workspace = open(arguments)?;
    let columns = environment::width();
    let doctor = Doctor::new(&workspace)?;
    let mut out = Printer { out: stdout(), paint: paint(&workspace) };
    out.print(&[head(&doctor.machine), Line::new()])?;
    let layers = doctor.layers(wanted)?;
    let best = layers.iter().find(|layer| layer.checks.is_some());
    let taken = best.filter(|_| wanted == WantedIsolation::Auto).map(|layer| layer.isolation);
    out.print(&show::layers(&layers, taken, columns))?;
    out.print(&[Line::new()])?;
    out.print(&show::table(&layers))?;
    let failures = show::failures(&layers, columns);
    if !failures.is_empty() {
        out.print(&[Line::new()])?;
        out.print(&failures)?;
    }
    if wanted == WantedIsolation::Auto {
        out.print(&[Line::new()])?;
        out.print(&show::tools(&doctor.tools()?, columns))?;
    }
    out.print(&[Line::new(), summary(best)])?;
    Ok(if best.is_some_and(Layer::keeps_all) { ExitStatus::Success } else { ExitStatus::Unexpected })
}

/// Prints lines to a stream.
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

fn summary(best: Option<&Layer>) -> Line {
    let Some(layer) = best else {
        return Line::new().with("FAIL", Style::BAD.bold()).with("  this layer does not work here", Style::PLAIN);
    };
    let (promised, kept) = layer.score();
    let (word, style) = if layer.keeps_all() { ("PASS", Style::GOOD.bold()) } else { ("FAIL", Style::BAD.bold()) };
    let text = format!("  layer `{}` keeps {kept} of its {promised} guarantees", layer.isolation.name());
    Line::new().with(word, style).with(&text, Style::PLAIN)
}
