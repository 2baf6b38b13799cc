//! Options to run submissions on workers of a broker.

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result};
use clap::{Args, ValueEnum};

use super::parse_time;
use crate::interrupt::Handlers;
use crate::remote::{Address, Client, ClientOptions, Terms, UnfinishedRun, cancel, password_in};
use crate::workspace::Workspace;

/// The placeholder for the address of the broker in a stored command line.
pub(in crate::cli) const ENGINE: &str = "ENGINE";

/// The time within which a second Ctrl-C counts.
const SECOND: Duration = Duration::from_secs(2);

/// How to reach a broker, beside its URL.
#[derive(Debug, Default, Clone, Args)]
pub(in crate::cli) struct BrokerArgs {
    /// Trust the authority in this file, if the system does not know who signed the certificate of the broker
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
    /// Read the password of the user in the URL from this file
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,
}

impl BrokerArgs {
    /// The address with this URL.
    pub(in crate::cli) fn address(&self, url: &str) -> Result<Address> {
        let read = |file: &PathBuf| password_in(file).with_context(|| format!("cannot read {}", file.display()));
        Ok(Address {
            url: url.to_owned(),
            authority: self.ca.clone(),
            password: self.password_file.as_ref().map(read).transpose()?,
        })
    }
}

/// Value of `--lane`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Lane {
    /// Before everything else.
    Hi,
    /// When no user waits.
    Lo,
}

/// Options to run submissions elsewhere.
#[derive(Debug, Default, Args)]
pub(in crate::cli) struct EngineArgs {
    /// Run the submissions on the workers of a broker: `nats://USER:PASSWORD@HOST:PORT`, or `tls://…` (see grader worker)
    #[arg(long, value_name = "URL")]
    engine: Option<String>,
    /// With --engine: use the pool with this name or label [default: the one with the most slots]
    #[arg(long, value_name = "POOL", requires = "engine")]
    pool: Option<String>,
    /// With --engine: whether these submissions come before others [default: hi for run, lo for judge]
    #[arg(long, value_name = "LANE", requires = "engine", value_enum)]
    lane: Option<Lane>,
    /// With --engine: give a submission to another worker if its own is silent for this long [default: 30s]
    #[arg(long, value_name = "TIME", requires = "engine", value_parser = parse_time, allow_hyphen_values = true)]
    lease: Option<Duration>,
    #[command(flatten)]
    broker: BrokerArgs,
    /// The run that `grader attach` comes back to; no option.
    #[arg(skip)]
    attached: Option<UnfinishedRun>,
}

/// The option to send files ahead.
#[derive(Debug, Default, Args)]
pub(in crate::cli) struct PrefetchArgs {
    /// With --engine: only send the files of the problems, so that workers have them before the first submission
    #[arg(long, requires = "engine")]
    prefetch: bool,
}

impl PrefetchArgs {
    /// Whether nothing else is wanted.
    pub(in crate::cli) fn is_given(&self) -> bool {
        self.prefetch
    }
}

/// The run on workers that a command follows.
pub(in crate::cli) struct FollowedRun {
    client: Arc<Client>,
    address: Address,
}

impl EngineArgs {
    /// Whether there is a broker.
    pub(in crate::cli) fn is_given(&self) -> bool {
        self.engine.is_some()
    }

    /// Comes back to this run, and to no other.
    pub(in crate::cli) fn come_back_to(&mut self, run: UnfinishedRun) {
        self.attached = Some(run);
    }

    /// Lets the submissions of the workspace run on the workers, if there is a broker.
    pub(in crate::cli) fn apply_to(&self, workspace: Workspace) -> Result<(Workspace, Option<FollowedRun>)> {
        let Some(url) = &self.engine else { return Ok((workspace, None)) };
        let address = self.broker.address(url)?;
        let (words, expected) = match &self.attached {
            Some(run) => (run.words.clone(), Some(run.name.clone())),
            // The URL may hold a password, and others read the kept command line.
            None => (std::env::args().skip(1).map(|word| word.replace(&**url, ENGINE)).collect(), None),
        };
        let client = Arc::new(Client::new(ClientOptions {
            address: address.clone(),
            pool: self
                .attached
                .as_ref()
                .map(|run| run.pool.clone())
                .filter(|pool| !pool.is_empty())
                .or_else(|| self.pool.clone()),
            is_urgent: self.lane.map(|lane| lane == Lane::Hi),
            terms: Terms { lease: self.lease.unwrap_or(Duration::from_secs(30)), words, expected },
        }));
        let workspace = workspace.with_machines(Arc::<Client>::clone(&client));
        Ok((workspace, Some(FollowedRun { client, address })))
    }
}

impl FollowedRun {
    /// Tells how to come back to a run that was left; a second signal cancels it.
    pub(in crate::cli) fn leave(&self) -> Result<()> {
        let Some(run) = self.client.left() else { return Ok(()) };
        let mut err = io::stderr();
        writeln!(err, "the run goes on without this command: grader attach {run} --engine URL")?;
        writeln!(err, "Ctrl-C again cancels it")?;
        if Handlers::of_this_process()?.has_second(SECOND) {
            cancel(&self.address, &run)?;
            writeln!(err, "the run is cancelled")?;
        }
        Ok(())
    }
}
