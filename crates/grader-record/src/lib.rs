//! The lines of a record: the events of a run, in plan order. Plain data.
//!
//! - `event`: the lines, and the updates and messages from which they follow
//! - `reason`: why a verdict was given, with its figures
//! - `signal`: names of signals
//!
//! ```
//! use grader_record::event::Event;
//!
//! let line = b"{\"event\":\"run_finished\",\"interrupted\":false,\"measured\":{\"wall\":0.5}}\n";
//! let event = Event::from_line(line)?;
//! assert!(matches!(event, Event::RunFinished(_)));
//! assert_eq!(event.to_line()?, line);
//! # Ok::<(), serde_json::Error>(())
//! ```

pub mod event;
pub mod reason;
pub mod signal;
