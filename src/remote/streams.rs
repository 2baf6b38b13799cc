//! Creates the streams of the broker, and deletes the messages of a run after its end.

use std::time::Duration;

use serde_json::json;

use super::broker::{Broker, BrokerError};
use super::wire::stream;

/// How long the results of unfinished runs, and unneeded blobs, stay at the broker.
const WEEK: Duration = Duration::from_secs(7 * 86_400);

/// Makes the streams that are missing.
pub(super) fn make_streams(broker: &Broker) -> Result<(), BrokerError> {
    let nanoseconds = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
    let make = |name: &str, subject: &str, more: serde_json::Value| {
        let mut config = json!({
            "name": name, "subjects": [subject], "storage": "file", "discard": "new", "num_replicas": 1,
            "max_consumers": -1, "max_msgs": -1, "max_bytes": -1, "max_msg_size": -1, "allow_direct": true,
            "retention": "limits", "duplicate_window": nanoseconds(Duration::from_secs(3600)),
        });
        if let (Some(config), Some(more)) = (config.as_object_mut(), more.as_object()) {
            config.extend(more.clone());
        }
        broker.make_stream(name, &config)
    };
    make(stream::JOBS, "job.>", json!({ "retention": "workqueue", "max_msgs": 1_000_000 }))?;
    make(stream::RESULTS, "res.>", json!({ "max_age": nanoseconds(WEEK) }))?;
    make(stream::BLOBS, "blob.>", json!({ "max_age": nanoseconds(4 * WEEK) }))?;
    make(stream::RUNS, "run.>", json!({ "max_age": nanoseconds(WEEK) }))?;
    let lately = json!({
        "storage": "memory", "max_msgs_per_subject": 1, "discard": "old", "max_age": nanoseconds(super::wire::GONE),
        "duplicate_window": nanoseconds(Duration::from_secs(1)),
    });
    make(stream::WORKERS, "hb.>", lately)
}

/// Deletes the jobs of a run that wait, and ends those in work.
pub(super) fn withdraw(broker: &Broker, run: &str) -> Result<(), BrokerError> {
    broker.purge(stream::JOBS, &format!("job.*.*.{run}.>"))?;
    broker.tell(&format!("ctl.cancel.{run}"), Vec::new());
    broker.flush();
    Ok(())
}

/// Deletes everything about a run, and ends its jobs in work.
pub(super) fn end(broker: &Broker, run: &str) -> Result<(), BrokerError> {
    withdraw(broker, run)?;
    broker.purge(stream::RESULTS, &format!("res.{run}.>"))?;
    broker.purge(stream::RUNS, &format!("run.{run}"))
}
