//! Resource limits (`getrlimit(2)`). One table defines the limits of every program, so a verdict does not depend on the
//! limits of the grader's caller.
//!
//! The grader raises its own soft limits. It cannot raise a hard limit without a privilege, and an administrator has
//! set that limit on purpose. If a hard limit is lower than a program needs, nothing runs.

use std::fmt;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::walls::MORE_PROCESSES;
use grader_model::limits::{Bytes, Limits};

/// Open files of a program: the usual soft limit, and the largest number that `select(2)` can handle.
const OPEN_FILES: u64 = 1024;
/// Memory that a program may lock, in bytes: Linux's default before 5.16.
const LOCKED_MEMORY: u64 = 64 << 10;
/// Pending signals and timers of all processes of a user; more than any contest program needs.
const PENDING_SIGNALS: u64 = 256;
/// CPU time at which the kernel ends a process, in seconds. The keeper ends programs at their own limits long before. The
/// number is the same for all, so that a program cannot read its time limit: results hold under other time limits.
const CPU_TIME: u64 = 3600;
/// Processes other than the program's: the grader's own and the user's.
const OTHER_PROCESSES: u64 = 128;
/// The stack that the grader itself needs, in bytes: the usual soft limit.
const OWN_STACK: u64 = 8 << 20;
/// The smallest stack with which the grader can read its arguments, in bytes.
const LEAST_STACK: u64 = 1 << 20;
/// Open descriptors of the grader itself, and of each of its slots.
const OWN_FILES: u64 = 256;
const FILES_OF_SLOT: u64 = 32;
/// The largest file that the grader itself writes, in bytes: a whole box, or an unpacked archive.
const OWN_FILE: u64 = 1 << 30;

/// The limits of a program: `None` is unlimited.
const UNLIMITED: Option<u64> = None;

/// The name of each resource in messages, and its option in the shell's `ulimit`.
const NAMES: &[(Resource, &str, char)] = &[
    (Resource::Nofile, "open files", 'n'),
    (Resource::Fsize, "the size of a file", 'f'),
    (Resource::Stack, "the stack", 's'),
    (Resource::As, "address space", 'v'),
    (Resource::Data, "the data segment", 'd'),
    (Resource::Cpu, "cpu time", 't'),
    (Resource::Nproc, "processes", 'u'),
    (Resource::Memlock, "locked memory", 'l'),
    (Resource::Sigpending, "pending signals", 'i'),
];

/// Returns what the hard limits of this process must allow for a program with `limits`.
fn of_program(limits: &Limits) -> [(Resource, Option<u64>); 10] {
    [
        (Resource::Cpu, Some(limits.cpu.as_secs().saturating_add(2))),
        (Resource::Fsize, Some(limits.output.0)),
        (Resource::Stack, Some(limits.memory.0)),
        (Resource::Core, Some(0)),
        (Resource::Nofile, Some(OPEN_FILES)),
        // Run-time systems reserve address space that they never use.
        (Resource::As, UNLIMITED),
        (Resource::Data, UNLIMITED),
        (Resource::Memlock, Some(LOCKED_MEMORY)),
        (Resource::Nice, Some(0)),
        (Resource::Rtprio, Some(0)),
    ]
}

/// Returns the limits for a program with `limits`, for `setrlimit(2)`. `is_alone` means that no other programs run as
/// its user. The kernel's count of that user's processes then covers this program alone.
///
/// # Errors
/// A hard limit of this process is lower than a required limit.
pub(super) fn for_program(limits: &Limits, is_alone: bool) -> Result<Vec<(Resource, Rlimit)>, LowLimit> {
    let mut all = Vec::new();
    for (resource, wanted) in of_program(limits) {
        check(resource, wanted)?;
        all.push(match (resource, wanted) {
            (Resource::Cpu, Some(least)) => backstop(resource, least.max(CPU_TIME)),
            _ => (resource, Rlimit { current: wanted, maximum: wanted }),
        });
    }
    if is_alone {
        all.push(backstop(Resource::Nproc, u64::from(limits.processes) + u64::from(MORE_PROCESSES)));
    }
    Ok(all)
}

/// A limit far above the one that the keeper watches. A lower hard limit of this process is still above that one.
fn backstop(resource: Resource, most: u64) -> (Resource, Rlimit) {
    let most = Some(getrlimit(resource).maximum.map_or(most, |hard| most.min(hard)));
    (resource, Rlimit { current: most, maximum: most })
}

/// A hard limit of this process that is too low: verdicts would depend on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LowLimit {
    resource: Resource,
    /// The current limit: bytes, seconds or a count.
    has: u64,
    /// The required limit; None means unlimited.
    needs: Option<u64>,
}

impl LowLimit {
    fn entry(&self) -> (&'static str, char) {
        let known = NAMES.iter().find(|(resource, ..)| *resource == self.resource);
        known.map_or(("a resource", 'a'), |(_, name, option)| (name, *option))
    }

    /// Whether the limit is a count, not a size or a time.
    fn is_count(&self) -> bool {
        matches!(self.resource, Resource::Nofile | Resource::Nproc | Resource::Sigpending)
    }

    fn amount(&self, amount: u64) -> String {
        match self.resource {
            Resource::Cpu => format!("{amount} s"),
            _ if self.is_count() => amount.to_string(),
            _ => Bytes(amount).to_string(),
        }
    }

    /// The remedy, as an imperative sentence.
    pub fn remedy(&self) -> String {
        let (_, option) = self.entry();
        // Required sizes and times differ between programs; required counts hardly do.
        let enough = self.needs.filter(|_| self.is_count()).map(|needs| needs.to_string());
        let value = enough.unwrap_or("unlimited".to_owned());
        format!("raise it as root (`ulimit -{option} {value}`), or start grader where it is not set")
    }
}

impl fmt::Display for LowLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, option) = self.entry();
        let has = self.amount(self.has);
        let needs = self.needs.map_or("no limit".to_owned(), |needs| self.amount(needs));
        write!(f, "the hard limit on {name} (`ulimit -H -{option}`) is {has}; grader needs {needs}")
    }
}

impl std::error::Error for LowLimit {}

/// Fails if the hard limit of this process is below `needs`.
fn check(resource: Resource, needs: Option<u64>) -> Result<(), LowLimit> {
    match getrlimit(resource).maximum {
        Some(has) if needs.is_none_or(|needs| needs > has) => Err(LowLimit { resource, has, needs }),
        _ => Ok(()),
    }
}

/// Checks that the hard limits suffice for programs with these limits in this many slots.
///
/// # Errors
/// The first hard limit that is too low.
pub fn check_hard_limits(programs: &[Limits], slots: usize) -> Result<(), LowLimit> {
    check(Resource::Nofile, Some(OPEN_FILES.max(OWN_FILES + FILES_OF_SLOT * slots as u64)))?;
    check(Resource::Fsize, Some(OWN_FILE))?;
    check(Resource::Sigpending, Some(PENDING_SIGNALS))?;
    for limits in programs {
        of_program(limits).into_iter().try_for_each(|(resource, needs)| check(resource, needs))?;
        check(Resource::Nproc, Some(u64::from(limits.processes) + OTHER_PROCESSES))?;
    }
    Ok(())
}

/// Raises the soft limits of this process, and thereby of its keepers, to the hard limits.
///
/// # Errors
/// The stack is too small for this process.
pub(super) fn raise_soft_limits() -> Result<(), LowLimit> {
    for resource in NAMES.iter().map(|(resource, ..)| *resource) {
        let now = getrlimit(resource);
        // With an unlimited stack, a process would start with another memory layout.
        let most = if resource == Resource::Stack { Some(OWN_STACK) } else { None };
        let wanted = match (most, now.maximum) {
            (Some(most), Some(hard)) => Some(most.min(hard)),
            (most, hard) => most.or(hard),
        };
        let is_higher = |now: u64| wanted.is_none_or(|wanted| wanted > now);
        if now.current.is_some_and(is_higher) {
            // This cannot fail, because the new limit does not exceed the hard limit.
            let _ = setrlimit(resource, Rlimit { current: wanted, maximum: now.maximum });
        }
    }
    check(Resource::Stack, Some(LEAST_STACK))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use grader_model::limits::Overflow;

    fn limits(memory: Bytes) -> Limits {
        let second = Duration::from_secs(1);
        let output = Bytes::mib(8);
        let overflow = Overflow::Kill;
        Limits { cpu: second, wall: second, memory, output, overflow, processes: 64 }
    }

    #[test]
    fn soft_and_hard_limit_of_a_program_are_the_same() {
        let table = for_program(&limits(Bytes::mib(1)), true).unwrap();
        assert!(table.iter().all(|(_, limit)| limit.current == limit.maximum));
        let of = |wanted: Resource| table.iter().find(|(resource, _)| *resource == wanted).unwrap().1.current;
        assert_eq!(of(Resource::Stack), Some(1 << 20));
        assert_eq!(of(Resource::Cpu), Some(CPU_TIME.min(getrlimit(Resource::Cpu).maximum.unwrap_or(u64::MAX))));
        assert_eq!(of(Resource::As), None);
        assert_eq!(of(Resource::Nproc), Some(64 + 1024));
    }

    #[test]
    fn a_low_limit_is_named_with_its_remedy() {
        let low = |resource, has, needs| LowLimit { resource, has, needs };
        let files = low(Resource::Nofile, 20, Some(1024));
        assert_eq!(files.to_string(), "the hard limit on open files (`ulimit -H -n`) is 20; grader needs 1024");
        assert!(files.remedy().contains("`ulimit -n 1024`"), "{}", files.remedy());
        let space = low(Resource::As, 200 << 20, None);
        assert_eq!(
            space.to_string(),
            "the hard limit on address space (`ulimit -H -v`) is 200 MiB; grader needs no limit"
        );
        assert!(space.remedy().contains("`ulimit -v unlimited`"));
        let size = low(Resource::Fsize, 1024, Some(1 << 30));
        assert!(size.remedy().contains("`ulimit -f unlimited`"), "{}", size.remedy());
    }
}
