//! Runs submissions on other machines. Workers pull jobs from a broker (`nats-server`), which also carries the files
//! and the results. grader needs no server of its own. [scale.md](../docs/scale.md) describes it for users.
//!
//! The client owns completeness: it knows which results are missing, and asks for them again. The broker may lose
//! everything, and workers may end at any time, without a result being lost or counted twice.
//!
//! Its files:
//!
//! - `broker`: the only file that knows NATS
//! - `wire`: the messages
//! - `pack`, `cache`: files on their way
//! - `client`, `submissions`, `requests`: the side of the command, and its jobs
//! - `outbox`, `follower`: send jobs, and collect results
//! - `worker`: the side of the slots
//! - `pools`: which workers may share a run
//! - `presence`: workers that come and go during a run
//! - `tls`: reasons why a certificate is refused
//! - `streams`, `configuration`: the queues of the broker, and its set-up

use std::time::{SystemTime, UNIX_EPOCH};

mod broker;
mod cache;
mod client;
pub(crate) mod configuration;
mod follower;
mod outbox;
mod pack;
mod parts;
mod pools;
mod presence;
mod requests;
mod streams;
mod submissions;
mod tls;
mod wire;
mod worker;

pub(crate) use broker::{Address, password_in};
pub(crate) use client::{Client, ClientOptions, Terms, UnfinishedRun, cancel, unfinished};
pub(crate) use tls::check_certificate;
pub(crate) use worker::{WorkerError, WorkerOptions, check, work};

/// The consumer of a lane of a pool. In the urgent lane are jobs that people wait for.
fn consumer(is_urgent: bool, pool: &str) -> String {
    format!("{}-{pool}", lane(is_urgent))
}

/// Milliseconds since 1970.
fn clock() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

fn lane(is_urgent: bool) -> &'static str {
    if is_urgent { "hi" } else { "lo" }
}
