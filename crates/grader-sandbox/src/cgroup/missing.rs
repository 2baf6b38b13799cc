//! The figures and limits that control groups lack on this machine, with the reasons.

use std::fmt;
use std::path::PathBuf;

use thiserror::Error;

/// A resource that control groups count or limit for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Controller {
    /// Memory.
    Memory,
    /// Processes and threads.
    Pids,
    /// Cpu time.
    CpuTime,
}

impl Controller {
    /// The name. For memory and pids, it is also the name of the controller in version 2.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Pids => "pids",
            Self::CpuTime => "cpu time",
        }
    }
}

/// A control group feature that is missing here, with the reason: `memory: it is not delegated to …`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// The missing controller; None means that all are missing.
    pub controller: Option<Controller>,
    /// The reason.
    pub cause: MissingCause,
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.controller.map_or("control groups", Controller::name), self.cause)
    }
}

impl Missing {
    /// Whether this controller is missing.
    pub fn includes(&self, controller: Controller) -> bool {
        self.controller.is_none_or(|missing| missing == controller)
    }
}

/// Why control groups lack a feature. System errors are kept as text, so that causes can be compared.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MissingCause {
    /// Neither version of control groups has the controller.
    #[error("this system has no control groups for it")]
    Absent,
    /// The groups are not visible from here.
    #[error("{0}")]
    Hidden(String),
    /// A system file that every group needs cannot be read or written.
    #[error("{0}")]
    Inaccessible(String),
    /// The grader's own group does not have the controller.
    #[error("it is not delegated to the control group {}", .0.display())]
    NotDelegated(PathBuf),
    /// A version 2 group that contains processes cannot delegate controllers to its child groups.
    #[error("other processes share the grader's control group {}", .0.display())]
    Shared(PathBuf),
    /// The kernel refuses to delegate the controller to the grader's child groups.
    #[error("cannot enable it for sub-groups: {0}")]
    NotEnabled(String),
    /// The kernel refuses to create a group.
    #[error("cannot make a control group below {}: {error}", .parent.display())]
    NotMade {
        /// The parent group.
        parent: PathBuf,
        /// The error message.
        error: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_any_groups_memory_is_missing_too() {
        let cause = || MissingCause::Inaccessible("/proc/self/cgroup: Permission denied (os error 13)".to_owned());
        let all = Missing { controller: None, cause: cause() };
        assert!(all.includes(Controller::Memory) && all.includes(Controller::CpuTime));
        assert_eq!(all.to_string(), "control groups: /proc/self/cgroup: Permission denied (os error 13)");
        let one = Missing { controller: Some(Controller::Pids), cause: cause() };
        assert!(one.includes(Controller::Pids) && !one.includes(Controller::Memory));
    }
}
