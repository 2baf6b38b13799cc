//! Stands in for `engine` in a grader that was built without workers: there are no options, and never a broker.

use std::convert::Infallible;

use anyhow::Result;
use clap::Args;

use crate::workspace::Workspace;

/// No options.
#[derive(Debug, Default, Args)]
pub(in crate::cli) struct EngineArgs {}

/// No options.
#[derive(Debug, Default, Args)]
pub(in crate::cli) struct PrefetchArgs {}

/// A run on workers, which cannot exist without the feature `nats`.
pub(in crate::cli) struct FollowedRun(Infallible);

impl EngineArgs {
    #[expect(clippy::unused_self, reason = "as with workers")]
    pub(in crate::cli) fn is_given(&self) -> bool {
        false
    }

    #[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "as with workers")]
    pub(in crate::cli) fn apply_to(&self, workspace: Workspace) -> Result<(Workspace, Option<FollowedRun>)> {
        Ok((workspace, None))
    }
}

impl PrefetchArgs {
    #[expect(clippy::unused_self, reason = "as with workers")]
    pub(in crate::cli) fn is_given(&self) -> bool {
        false
    }
}

impl FollowedRun {
    pub(in crate::cli) fn leave(&self) -> Result<()> {
        match self.0 {}
    }
}
