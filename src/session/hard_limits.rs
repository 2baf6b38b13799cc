//! Checks the caller's hard limits before anything runs: if they are too low, verdicts depend on them.

use anyhow::{Result, anyhow};

use crate::limits::Limits;
use crate::sandbox::{LowLimit, check_hard_limits};

/// Fails if a hard limit is too low for programs with these limits in this many slots.
///
/// # Errors
/// Names the limit and what to do about it.
pub(crate) fn refuse_low(programs: &[Limits], slots: usize) -> Result<()> {
    check_hard_limits(programs, slots).map_err(|low| error_with_remedy(&low))
}

/// The error with the limit and what to do about it.
pub(crate) fn error_with_remedy(low: &LowLimit) -> anyhow::Error {
    anyhow!("{low}\n  → {}", low.remedy())
}
