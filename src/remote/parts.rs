//! Stores and loads results. A result that is too long for one message is stored in parts, and then the message that
//! names them.

use std::hash::{BuildHasher as _, RandomState};

use serde::{Deserialize, Serialize};

use super::broker::{Broker, BrokerError, MOST_BYTES, Storing};
use super::wire::{decode, encode, stream};

/// The message under the subject of a result.
#[derive(Debug, Serialize, Deserialize)]
enum Whole {
    #[serde(with = "super::wire::bytes")]
    Here(Vec<u8>),
    /// In so many parts, under `<subject>.<name>-<n>`.
    InParts { name: String, count: usize },
}

/// Stores a result, unless there is one.
pub(super) fn store(broker: &Broker, subject: &str, message: &[u8]) -> Result<Storing, BrokerError> {
    let whole = if message.len() <= MOST_BYTES {
        Whole::Here(message.to_vec())
    } else {
        let name = format!("{:016x}", RandomState::new().hash_one(subject));
        let parts = message.chunks(MOST_BYTES).enumerate();
        for (at, part) in parts {
            let stored = broker.store(&format!("{subject}.{name}-{at}"), None, part.to_vec())?;
            if let Storing::Full(_) = stored {
                return Ok(stored);
            }
        }
        Whole::InParts { name, count: message.len().div_ceil(MOST_BYTES) }
    };
    let bytes = encode(&whole).map_err(|error| BrokerError::Unsendable(error.to_string()))?;
    broker.store(subject, None, bytes)
}

/// The result under a subject.
pub(super) fn load(broker: &Broker, subject: &str) -> Result<Option<Vec<u8>>, BrokerError> {
    match broker.last(stream::RESULTS, subject)? {
        Some(found) => open(broker, subject, &found.payload),
        None => Ok(None),
    }
}

/// The result in a stored message; none if it cannot be read, or if a part is missing.
pub(super) fn open(broker: &Broker, subject: &str, payload: &[u8]) -> Result<Option<Vec<u8>>, BrokerError> {
    Ok(match decode::<Whole>(payload) {
        Err(_) => None,
        Ok(Whole::Here(bytes)) => Some(bytes),
        Ok(Whole::InParts { name, count }) => {
            let subjects = (0..count).map(|at| format!("{subject}.{name}-{at}"));
            let parts = broker.last_of_all(stream::RESULTS, subjects)?;
            parts
                .into_iter()
                .map(|part| part.map(|part| part.payload))
                .collect::<Option<Vec<_>>>()
                .map(|all| all.concat())
        }
    })
}
