//! What control groups should count or limit and do not, and why.

use std::fmt;
use std::path::PathBuf;

use thiserror::Error;

/// What control groups count or limit for programs.
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
    /// The name, which is also that of the controllers that version 2 has to be asked for.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Pids => "pids",
            Self::CpuTime => "cpu time",
        }
    }
}

/// Something that control groups do not do here, with the reason: `memory: it is not delegated to …`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// What; none: all of it.
    pub controller: Option<Controller>,
    /// Why.
    pub cause: MissingCause,
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.controller.map_or("control groups", Controller::name), self.cause)
    }
}

impl Missing {
    /// Whether it includes this controller.
    pub fn includes(&self, controller: Controller) -> bool {
        self.controller.is_none_or(|missing| missing == controller)
    }
}

/// Why control groups do not do something. Errors of the system are kept as text, so that causes can be compared.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MissingCause {
    /// Neither version of control groups has it.
    #[error("this system has no control groups for it")]
    Absent,
    /// The groups cannot be seen from here.
    #[error("{0}")]
    Hidden(String),
    /// A file of the system that is needed for any group cannot be read or written.
    #[error("{0}")]
    Inaccessible(String),
    /// The grader's own group does not have the controller.
    #[error("it is not delegated to the control group {}", .0.display())]
    NotDelegated(PathBuf),
    /// A group of version 2 with processes cannot give controllers to groups below it.
    #[error("other processes share the grader's control group {}", .0.display())]
    Shared(PathBuf),
    /// The kernel refuses to give the controller to groups below the grader's own.
    #[error("cannot enable it for sub-groups: {0}")]
    NotEnabled(String),
    /// The kernel refuses to make a group.
    #[error("cannot make a control group below {}: {error}", .parent.display())]
    NotMade {
        /// The group above.
        parent: PathBuf,
        /// Why.
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
