//! `grader engine`: the broker of workers; `grader attach`: runs that their client has left.

use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use clap::{Args, Subcommand};

use super::arguments::{BrokerArgs, ENGINE};
use super::exit::ExitStatus;
use crate::cli::output::stdout;
use crate::remote::configuration::{CLIENT, Configuration, User, is_name};
use crate::remote::{UnfinishedRun, cancel, check_certificate, unfinished};
use crate::report::text::{Whitespace, count, escape, quote, quote_path};
use crate::workspace::machine;

/// Writes the configuration of a broker for workers
#[derive(Debug, Args)]
pub(super) struct EngineArgs {
    #[command(subcommand)]
    what: EngineCommand,
}

#[derive(Debug, Subcommand)]
enum EngineCommand {
    Config(ConfigArgs),
}

/// Writes a configuration for nats-server, with a user for clients and one for each worker
#[derive(Debug, Args)]
#[command(
    after_help = "A broker that other machines reach needs a certificate for its name or address: submissions and \
    passwords cross the network.\n\nExit status: 0 the file was written, 2 it was not."
)]
struct ConfigArgs {
    /// The file to write; it holds passwords, so only this user may read it
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Where the broker listens
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:4222")]
    listen: String,
    /// A worker that may connect (repeatable) [default: w1 and w2]
    #[arg(long, value_name = "NAME")]
    worker: Vec<String>,
    /// The folder for the broker's files [default: beside the configuration]
    #[arg(long, value_name = "DIR")]
    store: Option<PathBuf>,
    /// The certificate of the broker, in PEM format
    #[arg(long, value_name = "FILE", requires = "key")]
    cert: Option<PathBuf>,
    /// The key of the certificate, in PEM format
    #[arg(long, value_name = "FILE", requires = "cert")]
    key: Option<PathBuf>,
    /// Also write each password to a file in this folder, for --password-file
    #[arg(long, value_name = "DIR")]
    passwords: Option<PathBuf>,
}

/// Runs `grader engine`.
pub(super) fn run(args: &EngineArgs) -> Result<ExitStatus> {
    match &args.what {
        EngineCommand::Config(args) => configure(args),
    }
}

fn configure(args: &ConfigArgs) -> Result<ExitStatus> {
    let default = ["w1".to_owned(), "w2".to_owned()];
    let names = if args.worker.is_empty() { &default[..] } else { &args.worker };
    if let Some(name) = names.iter().find(|name| !is_name(name) || *name == CLIENT) {
        bail!("`{name}` cannot be the name of a worker\n  → use letters, digits, `-` and `_`, and not `client`");
    }
    if let Some((_, twice)) = (1..).zip(names).find(|(at, name)| names[*at..].contains(name)) {
        bail!("the worker `{twice}` is named twice\n  → give each worker a name of its own");
    }
    if let (Some(certificate), Some(key)) = (&args.cert, &args.key) {
        check_certificate(certificate, key)?;
    }
    let host = args.listen.rsplit_once(':').map(|(host, _)| host).context("write --listen HOST:PORT")?;
    let is_private = host == "localhost" || host.starts_with("127.") || host == "[::1]";
    if !is_private && args.cert.is_none() {
        bail!(
            "other machines reach {}, so submissions and passwords would cross the network unprotected\n  → name a \
             certificate: --cert FILE --key FILE",
            args.listen
        );
    }
    // Listening on every address is not an address to connect to.
    let is_everywhere = ["0.0.0.0", "[::]", "*", ""].contains(&host);
    let reached = if is_everywhere { args.listen.replacen(host, &machine::name(), 1) } else { args.listen.clone() };
    let absolute = |path: &PathBuf| std::path::absolute(path);
    let out = absolute(&args.out)?;
    let beside = || out.with_extension("store");
    let configuration = Configuration {
        listen: args.listen.clone(),
        reached,
        dir: args.store.as_ref().map_or_else(|| Ok(beside()), absolute)?,
        certificate: match (&args.cert, &args.key) {
            (Some(cert), Some(key)) => Some((absolute(cert)?, absolute(key)?)),
            _ => None,
        },
        client: User::new(CLIENT)?,
        workers: names.iter().map(|name| User::new(name)).collect::<io::Result<_>>()?,
    };
    if out.exists() {
        bail!(
            "{} exists, and its passwords are in use\n  → name another file, or delete it",
            quote_path(&args.out.display().to_string())
        );
    }
    let users = || configuration.workers.iter().chain([&configuration.client]);
    if let Some(dir) = &args.passwords {
        std::fs::create_dir_all(dir).with_context(|| format!("cannot create {}", dir.display()))?;
        for user in users() {
            write_secret(&dir.join(&user.name), &format!("{}\n", user.password))?;
        }
    }
    write_secret(&args.out, &configuration.text())?;
    let mut told = stdout();
    writeln!(told, "broker:  nats-server -c {}", quote_path(&args.out.display().to_string()))?;
    for user in users() {
        let address = match &args.passwords {
            Some(dir) => {
                let file = quote_path(&dir.join(&user.name).display().to_string());
                format!("{} --password-file {file}", configuration.url_without_password(user))
            }
            None => configuration.url(user),
        };
        match &*user.name {
            CLIENT => writeln!(told, "client:  grader run --engine {address}")?,
            _ => writeln!(told, "worker:  grader worker {address}")?,
        }
    }
    if is_everywhere {
        let name = machine::name();
        writeln!(told, "{name} is the name of this machine: write the name or address that the certificate is for")?;
    }
    Ok(ExitStatus::Success)
}

/// Writes a new file that only this user can read.
fn write_secret(file: &Path, text: &str) -> Result<()> {
    let mut options = std::fs::OpenOptions::new();
    let open = options.write(true).create_new(true).mode(0o600).open(file);
    open.and_then(|mut out| out.write_all(text.as_bytes())).with_context(|| format!("cannot write {}", file.display()))
}

/// Comes back to a run on workers, or cancels it
#[derive(Debug, Args)]
#[command(
    after_help = "Without RUN, grader lists the runs that are not finished. With RUN, it gives the command of that run \
    again, in the same folder: what has a result is not judged again.\n\nExit status: that of the run; 2 there is no such \
    run."
)]
pub(super) struct AttachArgs {
    /// The name of the run, or its beginning
    run: Option<String>,
    /// The broker
    #[arg(long, value_name = "URL")]
    engine: String,
    /// End the run: its submissions are not judged
    #[arg(long, requires = "run")]
    cancel: bool,
    #[command(flatten, next_help_heading = "Connection options")]
    broker: BrokerArgs,
}

/// Runs `grader attach`.
pub(super) fn attach(args: &AttachArgs) -> Result<ExitStatus> {
    let address = args.broker.address(&args.engine)?;
    let all = unfinished(&address)?;
    let mut out = stdout();
    let Some(wanted) = &args.run else {
        if all.is_empty() {
            writeln!(out, "no run is unfinished")?;
        }
        for UnfinishedRun { name, jobs, results, words, start, host, .. } in all {
            let done = format!("{results} of {}", count(jobs, "job"));
            // Others wrote these words.
            let words: Vec<String> = words.iter().map(|word| quote(word)).collect();
            let told = format!("grader {}  in {} on {host}", words.join(" "), start.display());
            writeln!(out, "{name}  {done}  {}", escape(told.as_bytes(), Whitespace::Inline))?;
        }
        return Ok(ExitStatus::Success);
    };
    let mut meant = all.into_iter().filter(|run| run.name.starts_with(wanted.as_str()));
    let (Some(run), None) = (meant.next(), meant.next()) else {
        bail!("no unfinished run is called `{wanted}`\n  → list them: grader attach --engine URL");
    };
    if args.cancel {
        cancel(&address, &run.name)?;
        writeln!(out, "{} is cancelled", run.name)?;
        return Ok(ExitStatus::Success);
    }
    if std::env::set_current_dir(&run.start).is_err() {
        bail!("the run was started on {} in {}, which is not here\n  → attach there", run.host, run.start.display());
    }
    let words: Vec<String> = run.words.iter().map(|word| word.replace(ENGINE, &args.engine)).collect();
    super::come_back(&[vec!["grader".to_owned()], words].concat(), run)
}
