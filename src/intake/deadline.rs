//! Times of submissions and deadlines: how late something is, for each student, and in which time zone.

use std::time::{Duration, SystemTime};

use jiff::civil::DateTime;
use jiff::fmt::temporal::{Pieces, PiecesOffset};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ZonedDateTime};

use crate::event::RosterStudent;

/// Until when submissions are in time, with the time zone of times that state none.
#[derive(Debug, Clone)]
pub(crate) struct Deadline {
    at: SystemTime,
    zone: TimeZone,
}

impl Deadline {
    /// Reads a time in ISO 8601; a date alone means the end of that day. Its zone or its offset is that of all times that
    /// state none. `Z` says nothing about where the course is: as without a zone, they are of this machine's.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        Self::parse_in(text, &TimeZone::system())
    }

    fn parse_in(text: &str, local: &TimeZone) -> Option<Self> {
        let zone = stated_zone(text).unwrap_or_else(|| local.clone());
        Some(Self { at: end(text, &zone)?, zone })
    }

    /// The name of the zone of times that state none.
    pub(crate) fn zone(&self) -> String {
        let offset =
            || self.zone.to_fixed_offset().map_or_else(|_| "of this machine".to_owned(), |fixed| fixed.to_string());
        self.zone.iana_name().map_or_else(offset, str::to_owned)
    }

    /// The moment that a time means.
    pub(crate) fn moment(&self, text: &str) -> Option<SystemTime> {
        moment(text, &self.zone)
    }

    /// The deadline of a student, with the extension that the roster states.
    fn of(&self, student: Option<&RosterStudent>) -> SystemTime {
        let extension = student.and_then(|student| student.extension.as_deref());
        extension.and_then(|extension| self.extended(extension)).unwrap_or(self.at)
    }

    /// The deadline with an extension: `2 days`, `36h`, or a later deadline.
    fn extended(&self, extension: &str) -> Option<SystemTime> {
        match humantime::parse_duration(extension) {
            Ok(more) => self.at.checked_add(more),
            Err(_) => end(extension, &self.zone),
        }
    }

    /// How late something is that was submitted at this time, by the deadline of this student.
    pub(crate) fn lateness(&self, submitted: &str, student: Option<&RosterStudent>) -> Option<Duration> {
        // Before the deadline, there is not a time since it.
        Some(self.moment(submitted)?.duration_since(self.of(student)).unwrap_or_default())
    }

    /// Whether a submission of a day, as a roster states it, may be later than [`Self::lateness`] says: the day has time
    /// after the deadline of this student.
    pub(crate) fn may_be_later(&self, submitted: &str, student: &RosterStudent) -> bool {
        is_day(submitted) && end(submitted, &self.zone).is_some_and(|end| end > self.of(Some(student)))
    }
}

/// Whether a text is a time.
pub(super) fn is_time(text: &str) -> bool {
    moment(text, &TimeZone::UTC).is_some()
}

/// Whether a text is an extension of a deadline.
pub(super) fn is_extension(text: &str) -> bool {
    Deadline { at: SystemTime::UNIX_EPOCH, zone: TimeZone::UTC }.extended(text).is_some()
}

/// Whether a time states neither a zone nor an offset.
pub(super) fn is_local(text: &str) -> bool {
    !text.contains('[') && text.parse::<Timestamp>().is_err()
}

/// Whether a time is only a day, as the list of a teacher may have it. Its moment is the beginning of the day.
fn is_day(text: &str) -> bool {
    !text.contains(['T', 't', ' '])
}

/// The zone that a time names, `[Europe/Berlin]`, or that of its offset, `+01:00`.
fn stated_zone(text: &str) -> Option<TimeZone> {
    if text.contains('[') {
        return Some(text.parse::<ZonedDateTime>().ok()?.time_zone().clone());
    }
    match Pieces::parse(text).ok()?.offset()? {
        PiecesOffset::Numeric(offset) => Some(TimeZone::fixed(offset.offset())),
        _ => None,
    }
}

/// The moment of a deadline. A date alone means the end of that day.
fn end(text: &str, zone: &TimeZone) -> Option<SystemTime> {
    let at = moment(text, zone)?;
    if is_day(text) { at.checked_add(Duration::from_secs(24 * 3600)) } else { Some(at) }
}

/// The moment that a time in RFC 3339 or ISO 8601 means. Without an offset it is a time of this zone.
fn moment(text: &str, zone: &TimeZone) -> Option<SystemTime> {
    // `2026-01-31T23:59[Europe/Berlin]`
    if text.contains('[') {
        return seconds(text.parse::<ZonedDateTime>().ok()?.timestamp());
    }
    let with_offset = text.parse::<Timestamp>().ok();
    // A text that is neither is not a time.
    let local = || zone.to_timestamp(text.parse::<DateTime>().ok()?).ok();
    seconds(with_offset.or_else(local)?)
}

/// A moment, to the second; none before 1970.
fn seconds(moment: Timestamp) -> Option<SystemTime> {
    u64::try_from(moment.as_second()).ok().map(|seconds| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cet() -> TimeZone {
        TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3").unwrap()
    }

    #[test]
    fn times_are_read_with_their_offset() {
        let seconds =
            |text: &str| Some(moment(text, &cet())?.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs());
        let noon = seconds("2026-01-31T12:00:00Z");
        assert!(noon.is_some());
        for same in
            ["2026-01-31 13:00", "2026-01-31T13:00:00+01:00", "2026-01-31T06:30:00.5-0530", "2026-01-31T14:00+02"]
        {
            assert_eq!(seconds(same), noon, "{same}");
        }
        // In summer, the clock is one hour ahead.
        assert_eq!(seconds("2026-07-31T14:00"), seconds("2026-07-31T12:00Z"));
        assert!(seconds("2026-01-31").is_some());
        for wrong in ["", "yesterday", "31.01.2026", "2026-13-01", "2026-01-31T12:00:00+99:00", "2026-01-31T12:00Zx"] {
            assert_eq!(seconds(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_deadline_without_a_time_is_the_end_of_the_day() {
        let at = |text: &str| Some(Deadline::parse_in(text, &cet())?.at);
        assert_eq!(at("2026-01-31"), moment("2026-02-01T00:00", &cet()));
        assert_eq!(at("2026-01-31T12:00Z"), moment("2026-01-31T12:00Z", &cet()));
        assert_eq!(at("31.1."), None);
    }

    #[test]
    fn times_without_a_zone_are_of_that_of_the_deadline() {
        for (deadline, late, zone) in [
            ("2026-01-31T23:59[America/New_York]", 60, "America/New_York"),
            ("2026-01-31T23:59-05:00", 60, "-05"),
            // By the machine's clock, it was submitted before midnight in New York.
            ("2026-02-01T04:59Z", 0, "Europe/Berlin"),
            ("2026-01-31T23:59", 60, "Europe/Berlin"),
        ] {
            let deadline = Deadline::parse_in(deadline, &TimeZone::get("Europe/Berlin").unwrap()).unwrap();
            let found = deadline.lateness("2026-02-01T00:00", None).map(|late| late.as_secs());
            assert_eq!((found, &*deadline.zone()), (Some(late), zone), "{deadline:?}");
        }
    }

    #[test]
    fn lateness_is_the_time_after_the_deadline() {
        let of = |extension: &str| RosterStudent {
            extension: Some(extension.to_owned()).filter(|text| !text.is_empty()),
            ..RosterStudent::default()
        };
        let deadline = Deadline::parse("2026-01-31T12:00Z").unwrap();
        let late = |extension: &str, submitted: &str| {
            deadline.lateness(submitted, Some(&of(extension))).map(|late| late.as_secs())
        };
        assert_eq!(late("", "2026-01-31T13:00:01+01:00"), Some(1));
        assert_eq!(late("", "2026-01-30T00:00Z"), Some(0));
        assert_eq!(late("1 day", "2026-02-01T12:00:05Z"), Some(5));
        assert_eq!(late("2026-02-01T00:00Z", "2026-02-01T00:01:00Z"), Some(60));
        assert_eq!(late("", "soon"), None);
        assert!(is_extension("2 days") && !is_extension("some"));
    }
}
