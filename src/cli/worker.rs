//! `grader worker`: judges submissions that other machines send through a broker.

use std::env;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use clap::Args;

use super::arguments::{BrokerArgs, paint};
use super::console::Console;
use super::environment;
use super::exit::ExitStatus;
use crate::cli::arguments::isolation_words;
use crate::cli::arguments::read_jobs;
use crate::cli::output::stdout;
use crate::config::{IsolationChoice, Jobs, Options};
use crate::remote::configuration::{CLIENT, is_name};
use crate::remote::{WorkerOptions, check, work};
use crate::report::text::{Whitespace, escape};
use crate::workspace::{Surroundings, Workspace, machine};

/// Judges submissions that others send through a broker (`run --engine`, `judge --engine`)
#[derive(Debug, Args)]
#[command(
    after_help = "URL is `nats://USER:PASSWORD@HOST:PORT`, or `tls://…` if the broker is another machine; `grader engine \
    config` writes the configuration of the broker and prints the URLs. A worker takes one submission for each slot. Start \
    and end workers at any time: SIGTERM and Ctrl-C give back what is in work, and what a killed worker had goes to others \
    after its lease (30 s).\n\nWorkers with the same processor, isolation, compilers and version of grader form a pool, and \
    a run goes to one pool: then results do not depend on who judged.\n\nExit status: 0 with --check everything works, 2 \
    usage error, or the broker cannot be used, 3 the worker was no longer fit, 129/130/143 ended by a signal."
)]
pub(super) struct WorkerArgs {
    /// The broker
    url: String,
    /// Only say whether this machine can work for the broker, and in which pool
    #[arg(long)]
    check: bool,
    /// Call this worker NAME [default: the user in the URL, else the name of the machine]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Join the pools with this label, such as the name of a lab
    #[arg(long, value_name = "LABEL", default_value = "default")]
    pool: String,
    /// Keep files of problems in this folder [default: `grader/NAME` in the user's cache]
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// Keep at most so many MiB of files of problems
    #[arg(long, value_name = "MIB", default_value_t = 10_240)]
    cache_size: u64,
    /// End when no submission waits
    #[arg(long)]
    until_idle: bool,
    /// Judge N submissions at once [default: one per physical core, minus one if there are more than two]
    #[arg(short, long, value_name = "N", value_parser = read_jobs)]
    jobs: Option<Jobs>,
    /// Choose the sandbox: root (namespaces, needs root), user (namespaces), users (root in a container), weak (no namespaces), none (no protection) [default: the first of root, user and users that works]
    #[arg(long, value_name = "MODE", value_parser = isolation_words())]
    isolation: Option<IsolationChoice>,
    #[command(flatten, next_help_heading = "Connection options")]
    broker: BrokerArgs,
}

/// Works, or checks.
pub(super) fn run(args: &WorkerArgs) -> Result<ExitStatus> {
    let address = args.broker.address(&args.url)?;
    let user = address.user();
    if user == CLIENT {
        bail!(
            "this is the address of the client\n  → a worker needs one of those that `grader engine config` printed for workers"
        );
    }
    let name = match &args.name {
        Some(name) => name.clone(),
        None if !user.is_empty() => user,
        None => machine::name().replace('.', "-"),
    };
    for (word, option) in [(&name, "--name"), (&args.pool, "--pool")] {
        if !is_name(word) {
            bail!("`{word}` cannot be a name here\n  → {option} NAME, of letters, digits, `-` and `_`");
        }
    }
    let cache = match &args.cache {
        Some(cache) => std::path::absolute(cache)?,
        None => user_cache()?.join("grader").join(&name),
    };
    std::fs::create_dir_all(&cache).with_context(|| format!("cannot create {}", cache.display()))?;
    let workspace = workspace(args, &cache)?;
    let mut told = |line: &str| {
        // A worker needs no user who watches it.
        let _ = writeln!(io::stderr(), "{line}");
    };
    let options = WorkerOptions {
        address,
        name,
        label: args.pool.clone(),
        cache,
        most_kept: args.cache_size << 20,
        until_idle: args.until_idle,
    };
    if args.check {
        for line in check(&workspace, &options)? {
            // Other workers wrote parts of it.
            writeln!(stdout(), "{}", escape(line.as_bytes(), Whitespace::Inline))?;
        }
        return Ok(ExitStatus::Success);
    }
    match work(&workspace, &options, &mut told) {
        Err(error) if error.is::<crate::remote::WorkerError>() => {
            super::exit::print_error(&error);
            Ok(ExitStatus::JudgeError)
        }
        done => done.map(|()| ExitStatus::Success),
    }
}

/// The folder for caches of this user (XDG Base Directory Specification).
fn user_cache() -> Result<PathBuf> {
    let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    set("XDG_CACHE_HOME")
        .filter(|path| path.is_absolute())
        .or_else(|| Some(set("HOME")?.join(".cache")))
        .context("there is no HOME, so there is no place for files\n  → name one: --cache DIR")
}

/// A workspace in the cache: the settings of problems come with the submissions.
fn workspace(args: &WorkerArgs, cache: &Path) -> Result<Workspace> {
    let around = Surroundings { start: cache.to_owned(), environment: Vec::new(), ..environment::around()? };
    let options = Options { jobs: args.jobs, isolation: args.isolation, ..Options::default() };
    let mut workspace = Workspace::open_with(around, Options::default(), options)?;
    workspace.isolation = workspace.isolation.for_strangers();
    let console = Console::new(paint(&workspace));
    Ok(workspace.told_to(console))
}
