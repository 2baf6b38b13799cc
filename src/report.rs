//! What a run tells: reporters over the event stream.

pub mod diff;
pub mod text;
