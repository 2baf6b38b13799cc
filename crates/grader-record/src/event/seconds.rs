//! Stores durations as seconds, to the microsecond.

use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Cuts a duration to the precision of the record.
pub(super) fn to_micros(time: Duration) -> Duration {
    Duration::new(time.as_secs(), time.subsec_micros() * 1000)
}

pub(super) fn serialize<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    let micros = time.as_micros();
    #[expect(clippy::cast_precision_loss, reason = "exact for three hundred years")]
    (micros as f64 / 1e6).serialize(serializer)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    Duration::try_from_secs_f64(f64::deserialize(deserializer)?).map_err(serde::de::Error::custom)
}

/// Stores an optional duration.
pub(super) mod optional {
    use super::{Deserialize, Deserializer, Duration, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    struct Seconds(#[serde(with = "super")] Duration);

    #[expect(clippy::ref_option, reason = "serde hands out a reference to the field")]
    pub(in super::super) fn serialize<S: Serializer>(
        time: &Option<Duration>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        time.map(Seconds).serialize(serializer)
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Duration>, D::Error> {
        Ok(Option::<Seconds>::deserialize(deserializer)?.map(|Seconds(time)| time))
    }
}

/// Stores several durations.
pub(super) mod list {
    use super::{Deserialize, Deserializer, Duration, Serialize, Serializer};

    #[derive(Serialize, Deserialize)]
    struct Seconds(#[serde(with = "super")] Duration);

    pub(in super::super) fn serialize<S: Serializer>(times: &[Duration], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(times.iter().map(|time| Seconds(*time)))
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Duration>, D::Error> {
        let times = Vec::<Seconds>::deserialize(deserializer)?;
        Ok(times.into_iter().map(|Seconds(time)| time).collect())
    }
}
