//! The commands that make random inputs of a problem, for `stress` and `visualize`.

use std::sync::Arc;

use anyhow::{Result, bail};

use super::generate::{Fault, Files, build_generator, generate, recipes_of};
use crate::compile::Artifact;
use crate::engine::bench::Bench;
use crate::package::generators::{Command, FILE, Generators};
use crate::problem::{PackageLayout, Problem};
use crate::workspace::Workspace;
use crate::workspace::ending::{EarlyEnd, fault};

/// The key of problem.toml that names such a command.
const KEY: &str = "random_input";

/// Returns the commands with `{seed}`: those that were `typed` for `--gen`; else that of problem.toml; else those of
/// generators.yaml. `example` is a command for the error message.
pub(crate) fn random_inputs(
    workspace: &Workspace,
    problem: &Problem,
    typed: &[String],
    example: &str,
) -> Result<(Generators, Vec<Command>)> {
    let has_file = problem.dir.join(FILE).is_file();
    let stated: Vec<&String> =
        if typed.is_empty() { problem.random_input.iter().collect() } else { typed.iter().collect() };
    if stated.is_empty() && !has_file && problem.layout == PackageLayout::Plain {
        bail!(
            "{} has no generator\n  → write one beside the solver, such as gen.py: it gets a seed and prints an input",
            problem.id
        );
    }
    if stated.is_empty() {
        let generators = recipes_of(workspace, problem)?;
        let commands = generators.random();
        if commands.is_empty() {
            bail!(
                "no command of {FILE} contains `{{seed}}`, so each makes only one input\n  → name one: --gen '{example}'"
            );
        }
        return Ok((generators, commands));
    }
    let generators = if has_file { recipes_of(workspace, problem)? } else { Generators::none(&problem.dir) };
    let generators = generators.with_helpers(&problem.helpers).with_named(&problem.recipes.generators);
    let named = |text: &str| if typed.is_empty() { format!("`{KEY} = \"{text}\"`") } else { format!("`--gen {text}`") };
    let mut commands = Vec::new();
    for text in stated {
        let command = match Command::parse(text, "") {
            Ok(command) => command,
            Err(error) => bail!("{}: {error}", named(text)),
        };
        if let Err(error) = generators.program(&command.program) {
            bail!("{}: {}\n  → {}", named(text), crate::error_chain(&error), places_of_generators(problem));
        }
        if !command.is_random() {
            bail!(
                "{} has no `{{seed}}`, so it makes the same input each time\n  → add `{{seed}}` to its arguments",
                named(text)
            );
        }
        commands.push(command);
    }
    Ok((generators, commands))
}

/// The remedy for a command of an unknown generator.
fn places_of_generators(problem: &Problem) -> String {
    let known: Vec<&str> = problem.recipes.generators.keys().map(String::as_str).collect();
    if known.is_empty() {
        return format!("name a file or directory of {}/generators/", problem.dir.display());
    }
    format!("name one of {}: {}", problem.recipes.document.display(), known.join(", "))
}

/// Builds the generators of commands, and returns each command with its generator.
pub(crate) fn build_generators(
    bench: &mut Bench<'_>,
    generators: &Generators,
    commands: &[Command],
) -> Result<Vec<(Command, Arc<Artifact>)>> {
    let mut built = Vec::new();
    for command in commands {
        match build_generator(bench, generators, &command.program).map_err(Fault::from) {
            Ok(generator) => built.push((command.clone(), generator)),
            Err(Fault::Broken(message)) => return Err(fault(message)),
            Err(Fault::Case { message, .. } | Fault::Foreign(message)) => bail!("{message}"),
            Err(Fault::Cancelled) => return Err(EarlyEnd::JudgeError.into()),
        }
    }
    Ok(built)
}

/// Makes one input by a command.
pub(crate) fn random_input(
    bench: &mut Bench<'_>,
    generators: &Generators,
    command: &Command,
    seed: u32,
) -> Result<Vec<u8>> {
    let made = build_generator(bench, generators, &command.program).map_err(Fault::from);
    let made = made.and_then(|generator| generate(bench, &generator, &command.arguments(seed)));
    let input = |mut files: Files| files.remove("in").unwrap_or_default();
    made.map(input).map_err(|why| match why {
        Fault::Cancelled => EarlyEnd::JudgeError.into(),
        Fault::Broken(message) => fault(message),
        Fault::Case { message, .. } | Fault::Foreign(message) => anyhow::anyhow!("{}: {message}", command.shown(seed)),
    })
}
