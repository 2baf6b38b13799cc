//! Reads the process tree of a run from `/proc`: cpu time, memory, tasks and waits.

use std::collections::{HashMap, HashSet, VecDeque};
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::time::Duration;

use rustix::fs::{AtFlags, Dev, Dir, Mode, OFlags, Stat, fstat, major, minor, open, openat, statat};

use super::sys;

/// How long the sweep of survivors may take before it counts as a failure.
pub(super) const SWEEP_DEADLINE: Duration = Duration::from_secs(10);

/// Page tables are measured only for processes with at least this many bytes of address space. Smaller processes have
/// small tables: at most a 512th of the address space. Pages that were only read appear in no other figure.
const MANY_ADDRESSES: u64 = 4 << 30;

/// The measured state of the tree at one moment.
#[derive(Debug, Default, Clone)]
pub(super) struct Snapshot {
    /// User + system time of living processes, and of the dead children that they have waited for.
    pub(super) cpu: Duration,
    /// User + system time of each living process alone.
    pub(super) each: Vec<(i32, Duration)>,
    /// Private memory of all processes, plus the largest shared part, in bytes. Pages that were forked and not yet
    /// written to count for each process, so the sum is often too high. It is too low only if several processes share
    /// different pages.
    pub(super) memory: u64,
    /// Private and shared memory of all processes, in bytes. Shared memory counts for each, so this is never too low.
    pub(super) most: u64,
    /// Processes and threads. A dead process counts only if another process of the run must still wait for it, not the keeper.
    pub(super) tasks: u32,
    /// Whether the kernel has killed a process of the tree because memory ran out.
    pub(super) out_of_memory: bool,
    /// Whether the files of the run are larger or more than a box may hold.
    pub(super) box_is_full: bool,
}

/// A lower bound for the cpu time of all processes of an execution. Parents know the times of their dead children only in
/// clock ticks. They do not know them at all if they ignore the end of children (`SIGCHLD` ignored, `SA_NOCLDWAIT`).
/// This type therefore adds the cpu time that was seen of each process since the last look. It misses time that a
/// process uses after the last look at it.
#[derive(Debug, Default)]
pub(super) struct SeenCpuTime {
    living: HashMap<i32, Duration>,
    seen: Duration,
}

impl SeenCpuTime {
    /// Adds the times of the living processes. `known` is a lower bound from another source. Returns the sum so far.
    pub(super) fn add(&mut self, each: &[(i32, Duration)], known: Duration) -> Duration {
        let before = std::mem::take(&mut self.living);
        for (pid, cpu) in each {
            let before = before.get(pid).copied().unwrap_or_default();
            // A smaller value than before belongs to a new process with the same number.
            self.seen += cpu.checked_sub(before).unwrap_or(*cpu);
            self.living.insert(*pid, *cpu);
        }
        self.seen = self.seen.max(known);
        self.seen
    }

    /// The sum so far.
    pub(super) fn seen(&self) -> Duration {
        self.seen
    }
}

/// One living task at one moment.
#[derive(Debug, Clone, Copy)]
pub(super) struct TaskLook {
    pub(super) task: i32,
    /// How long the task has been ready to run without a core. The kernel counts a wait when it ends.
    pub(super) delay: Duration,
    /// Whether the task is running or ready to run.
    pub(super) wants_core: bool,
    /// User + system time of its process.
    pub(super) process_cpu: Duration,
}

/// The processes of the system, as seen in `/proc` when it was opened.
#[derive(Debug)]
pub(super) struct Processes {
    proc: OwnedFd,
}

impl Processes {
    /// Opens `/proc`. Later mounts do not affect what is read.
    pub(super) fn open() -> io::Result<Self> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(Self { proc: open("/proc", flags, Mode::empty())? })
    }

    /// Whether a living process has this user.
    pub(super) fn has_any_of(&self, user: u32) -> io::Result<bool> {
        let names = Dir::read_from(&self.proc)?;
        let pids = names.flatten().filter_map(|entry| entry.file_name().to_str().ok()?.parse::<i32>().ok());
        // A process that ends meanwhile has no status any more.
        Ok(pids.filter_map(|pid| self.read(&format!("{pid}/status"))).any(|status| is_of(&status, user)))
    }

    /// The entries of a process that it may read itself, which stay what they are as long as the result is kept.
    pub(super) fn own_entries(&self, pid: i32) -> Vec<OwnedFd> {
        let flags = OFlags::PATH | OFlags::CLOEXEC;
        let names = sys::OWN_ENTRIES.iter().filter_map(|(path, _)| path.to_str().ok()?.rsplit('/').next());
        // A kernel may lack some of them.
        names.filter_map(|name| openat(&self.proc, format!("{pid}/{name}"), flags, Mode::empty()).ok()).collect()
    }

    /// The files that a process has open, as far as it shows them to this one.
    pub(super) fn open_files(&self, pid: i32) -> Vec<Stat> {
        let Ok(dir) = self.open_at(&format!("{pid}/fd"), OFlags::DIRECTORY) else { return Vec::new() };
        let Ok(entries) = Dir::read_from(&dir) else { return Vec::new() };
        entries.flatten().filter_map(|entry| statat(&dir, entry.file_name(), AtFlags::empty()).ok()).collect()
    }

    /// The children of a process.
    pub(super) fn children(&self, pid: i32) -> Vec<i32> {
        // `proc_pid_task_children(5)`: one list for each thread, because any thread may have forked.
        let mut children = Vec::new();
        for task in self.tasks(pid) {
            if let Some(list) = self.read(&format!("{pid}/task/{task}/children")) {
                children.extend(list.split_ascii_whitespace().filter_map(|pid| pid.parse::<i32>().ok()));
            }
        }
        children
    }

    /// The threads of a process.
    fn tasks(&self, pid: i32) -> Vec<i32> {
        let tasks = self.open_at(&format!("{pid}/task"), OFlags::DIRECTORY);
        let Ok(tasks) = tasks.and_then(|dir| Ok(Dir::read_from(&dir)?)) else { return Vec::new() };
        tasks.flatten().filter_map(|task| task.file_name().to_str().ok()?.parse().ok()).collect()
    }

    /// Every descendant of a process, children before grandchildren.
    pub(super) fn descendants(&self, pid: i32) -> Vec<i32> {
        self.with_descendants(self.children(pid))
    }

    /// The given processes and all their descendants.
    pub(super) fn with_descendants(&self, mut found: Vec<i32>) -> Vec<i32> {
        let mut next = 0;
        while next < found.len() {
            let more = self.children(found[next]);
            found.extend(more);
            next += 1;
        }
        found
    }

    /// Measures all descendants of `root`, or only the first ones if more than `most_tasks` live: to look at each process
    /// of a fork bomb takes seconds on a busy machine, and the bomb runs on meanwhile.
    pub(super) fn snapshot(&self, root: i32, most_tasks: u32) -> Snapshot {
        let mut total = Snapshot::default();
        let mut shared = 0;
        let mut pids = VecDeque::from(self.children(root));
        while let Some(pid) = pids.pop_front().filter(|_| total.tasks <= most_tasks) {
            pids.extend(self.children(pid));
            let Some(process) = self.look(pid) else { continue };
            total.cpu += process.cpu + process.waited;
            total.each.push((pid, process.cpu));
            total.memory += process.private;
            total.most += process.shared;
            shared = shared.max(process.shared);
            if !process.dead || process.parent != root {
                total.tasks = total.tasks.saturating_add(process.threads);
            }
        }
        total.most += total.memory;
        total.memory += shared;
        total
    }

    /// The living tasks below `root`. Empty if the system does not report delays (`CONFIG_SCHED_INFO`).
    pub(super) fn task_looks(&self, root: i32) -> Vec<TaskLook> {
        let mut looks = Vec::new();
        for pid in self.descendants(root) {
            let process_cpu = sys::cpu_time(pid).unwrap_or_default();
            for task in self.tasks(pid) {
                let delay = self.read(&format!("{pid}/task/{task}/schedstat")).and_then(|text| run_delay(&text));
                let state = self.read(&format!("{pid}/task/{task}/stat"));
                let wants_core = state.is_some_and(|stat| fields(&stat).is_some_and(|fields| fields[0] == "R"));
                looks.extend(delay.map(|delay| TaskLook { task, delay, wants_core, process_cpu }));
            }
        }
        looks
    }

    /// Returns the memory of the tree below `root` in bytes, with every page counted once. This is exact where
    /// `Snapshot::memory` is too high, but slow. Leaves out files on the file system `but`, which are counted
    /// elsewhere. None if the system does not report it.
    pub(super) fn exact_memory(&self, root: i32, but: Option<Dev>) -> Option<u64> {
        let mut total = None;
        let mut known: HashMap<i32, Process> = HashMap::new();
        let mut lenders = HashSet::new();
        for pid in self.descendants(root) {
            let Some(process) = self.look(pid) else { continue };
            let with_memory = process.with_memory;
            // A parent comes before its children.
            let parent = known.get(&process.parent);
            let lends = || {
                // A vfork child alone: the parent waits for it, so there is one at most.
                parent.is_some_and(|parent| parent.may_lend_to(&process)) && lenders.insert(process.parent)
            };
            let is_parents = sys::same_memory(with_memory, parent.map_or(process.parent, |parent| parent.with_memory))
                .unwrap_or_else(lends);
            let tables = process.tables;
            known.insert(pid, process);
            if is_parents {
                continue;
            }
            // `proc_pid_smaps(5)`: a page that n processes map counts as an n-th part for each.
            let kib = match but {
                None => self.read(&format!("{with_memory}/smaps_rollup")).and_then(|text| shares(&text, None)),
                Some(_) => self.read(&format!("{with_memory}/smaps")).and_then(|text| shares(&text, but)),
            };
            total = kib.map(|kib| total.unwrap_or(0) + kib * 1024 + tables).or(total);
        }
        total
    }

    /// Reads `proc_pid_stat(5)` and `proc_pid_statm(5)`. None if the process is gone.
    fn look(&self, pid: i32) -> Option<Process> {
        let stat = self.read(&format!("{pid}/stat"))?;
        let fields = fields(&stat)?;
        let number = |i: usize| fields.get(i).and_then(|field| field.parse::<u64>().ok());
        let ticks = number(13)? + number(14)?;
        let page = rustix::param::page_size() as u64;
        let threads = u32::try_from(number(17)?).unwrap_or(u32::MAX);
        let without_leader = fields.first() == Some(&"Z") && threads > 1;
        let with_memory = if without_leader { self.with_memory(pid) } else { pid };
        let statm = self.read(&format!("{with_memory}/statm")).unwrap_or_default();
        let mut pages = statm.split(' ').filter_map(|field| field.parse::<u64>().ok());
        let mut next = || pages.next().unwrap_or(0);
        let size = next();
        let resident = next();
        let shared = next();
        // `PF_FORKNOEXEC` in `linux/sched.h`.
        let is_fork = number(6)? & 0x40 != 0;
        let tables = if size * page > MANY_ADDRESSES { self.page_tables(with_memory) } else { 0 };
        Some(Process {
            cpu: sys::cpu_time(pid).unwrap_or_default(),
            waited: Duration::from_millis(ticks * 1000 / rustix::param::clock_ticks_per_second()),
            private: resident.saturating_sub(shared) * page + tables,
            tables,
            shared: shared * page,
            pages: [size, resident, shared],
            waits: fields.first() == Some(&"D"),
            is_fork,
            threads,
            with_memory,
            parent: fields.get(1)?.parse().ok()?,
            dead: fields.first() == Some(&"Z") && !without_leader,
        })
    }

    /// The size of the page tables of a process, in bytes (`VmPTE` of `proc_pid_status(5)`).
    fn page_tables(&self, pid: i32) -> u64 {
        let status = self.read(&format!("{pid}/status")).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmPTE:"));
        line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()).unwrap_or(0) * 1024
    }

    /// The thread of a process that shows its memory: the first that has not ended. An ended thread shows no memory,
    /// although other threads may live on (`pthread_exit(3)`, "NOTES").
    fn with_memory(&self, pid: i32) -> i32 {
        let is_alive = |task: &i32| {
            let stat = self.read(&format!("{pid}/task/{task}/stat")).unwrap_or_default();
            fields(&stat).is_some_and(|fields| !matches!(fields[0], "Z" | "X"))
        };
        self.tasks(pid).into_iter().find(is_alive).unwrap_or(pid)
    }

    /// Whether a task below `root` sleeps in a `read` of this pipe (`proc_pid_syscall(5)`). False also if the system
    /// does not report it, or if the program waits in another way.
    pub(super) fn awaits(&self, root: i32, pipe: PipeId) -> bool {
        self.descendants(root).into_iter().any(|pid| {
            self.tasks(pid).into_iter().any(|task| {
                let Some(call) = self.read(&format!("{pid}/task/{task}/syscall")) else { return false };
                read_descriptor(&call).is_some_and(|fd| {
                    let flags = OFlags::PATH | OFlags::CLOEXEC;
                    let opened = openat(&self.proc, format!("{pid}/fd/{fd}"), flags, Mode::empty());
                    opened.is_ok_and(|opened| PipeId::of(&opened) == Some(pipe))
                })
            })
        })
    }

    fn open_at(&self, path: &str, flags: OFlags) -> io::Result<OwnedFd> {
        Ok(openat(&self.proc, path, flags | OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?)
    }

    fn read(&self, path: &str) -> Option<String> {
        let mut bytes = Vec::new();
        // The files of a process disappear when it ends.
        File::from(self.open_at(path, OFlags::empty()).ok()?).read_to_end(&mut bytes).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// Identifies a pipe, independent of the descriptor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PipeId(u64, u64);

impl PipeId {
    /// The pipe behind an open descriptor.
    pub(super) fn of(fd: impl AsFd) -> Option<Self> {
        fstat(fd).ok().map(|stat| Self(stat.st_dev, stat.st_ino))
    }
}

/// The descriptor on which a task sleeps in `read` or `readv`. The text contains the number of the call, then its
/// arguments in hexadecimal.
fn read_descriptor(syscall: &str) -> Option<u64> {
    let mut words = syscall.split_ascii_whitespace();
    let call: libc::c_long = words.next()?.parse().ok()?;
    let reads = [libc::SYS_read, libc::SYS_readv].contains(&call);
    u64::from_str_radix(words.next()?.strip_prefix("0x")?, 16).ok().filter(|_| reads)
}

/// Whether a process with this `proc_pid_status(5)` lives and has this user in any role.
fn is_of(status: &str, user: u32) -> bool {
    let field = |name: &str| status.lines().find_map(|line| line.strip_prefix(name));
    let lives = field("State:").is_some_and(|state| !state.trim_start().starts_with(['Z', 'X']));
    lives && field("Uid:").is_some_and(|users| users.split_whitespace().any(|word| word.parse() == Ok(user)))
}

/// The sum of all `Pss` values, in KiB, without files on the file system `but`. None without such lines.
fn shares(smaps: &str, but: Option<Dev>) -> Option<u64> {
    let but = but.map(|device| format!("{:02x}:{:02x}", major(device), minor(device)));
    let mut total = None;
    let mut left_out = false;
    for line in smaps.lines() {
        if let Some(share) = line.strip_prefix("Pss:") {
            let kib: u64 = share.trim().strip_suffix(" kB")?.trim().parse().ok()?;
            total = Some(total.unwrap_or(0) + if left_out { 0 } else { kib });
        } else if line.split(' ').next().is_some_and(|word| !word.ends_with(':')) {
            // The fields are addresses, rights, offset, device, inode and path.
            left_out = but.is_some() && line.split_ascii_whitespace().nth(3) == but.as_deref();
        }
    }
    total
}

/// The fields of `proc_pid_stat(5)` from the third on. The command name may contain anything, such as spaces and
/// parentheses, so the fields start after the last `)`.
fn fields(stat: &str) -> Option<Vec<&str>> {
    Some(stat.get(stat.rfind(')')? + 2..)?.split(' ').collect())
}

/// The waiting time. The fields of `/proc/<pid>/schedstat` are nanoseconds on a core, nanoseconds of waiting for one,
/// and number of times on one (`Documentation/scheduler/sched-stats.rst`).
fn run_delay(schedstat: &str) -> Option<Duration> {
    schedstat.split_ascii_whitespace().nth(1)?.parse().ok().map(Duration::from_nanos)
}

/// How long the calling thread has waited for a core. None if the system does not report it.
pub(super) fn own_delay() -> Option<Duration> {
    run_delay(&std::fs::read_to_string("/proc/thread-self/schedstat").ok()?)
}

/// The id of this process.
pub(super) fn me() -> i32 {
    rustix::process::getpid().as_raw_nonzero().get()
}

/// The measured state of one process.
struct Process {
    /// User + system time of its threads.
    cpu: Duration,
    /// User + system time of the children that it has waited for.
    waited: Duration,
    /// Private memory in bytes, with the page tables if they may be large.
    private: u64,
    tables: u64,
    shared: u64,
    /// All, resident and shared ones.
    pages: [u64; 3],
    /// Whether nothing but its own wait can end its sleep.
    waits: bool,
    /// Whether it has not executed a program since its start.
    is_fork: bool,
    threads: u32,
    /// The thread that shows the memory of the process.
    with_memory: i32,
    parent: i32,
    dead: bool,
}

impl Process {
    /// Whether the child may be one between vfork and exec, which uses this process's memory. Where the kernel does not say
    /// so: this process waits, and the child shows the same memory and no program of its own.
    fn may_lend_to(&self, child: &Self) -> bool {
        self.waits && child.is_fork && self.pages == child.pages
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_counts_once_and_another_of_its_number_by_itself() {
        let ms = Duration::from_millis;
        let mut cpu = SeenCpuTime::default();
        assert_eq!(cpu.add(&[(7, ms(10)), (8, ms(5))], ms(0)), ms(15));
        assert_eq!(cpu.add(&[(7, ms(30))], ms(30)), ms(35), "what 8 has used stays");
        assert_eq!(cpu.add(&[(7, ms(30)), (8, ms(1))], ms(30)), ms(36));
        assert_eq!(cpu.add(&[(7, ms(2))], ms(0)), ms(38), "it cannot have given back what it used");
        assert_eq!(cpu.add(&[(7, ms(2))], ms(50)), ms(50), "the parent of the dead knows their time");
        assert_eq!(cpu.add(&[(7, ms(5)), (9, ms(4))], ms(50)), ms(57), "what was used since comes on top");
        assert_eq!(cpu.seen(), ms(57));
    }

    #[test]
    fn the_second_figure_is_the_waiting() {
        assert_eq!(run_delay("116719 2890774 2\n"), Some(Duration::from_nanos(2_890_774)));
        assert_eq!(run_delay(""), None);
    }

    #[test]
    fn a_task_that_reads_is_told_by_its_call() {
        let call = |nr: libc::c_long| format!("{nr} 0x3 0x55 0x2000 0x7f 0x0 0x0 0x7f 0x7f\n");
        assert_eq!(read_descriptor(&call(libc::SYS_read)), Some(3));
        assert_eq!(read_descriptor(&call(libc::SYS_nanosleep)), None);
        assert_eq!(read_descriptor("running\n"), None);
    }

    #[test]
    fn files_of_the_box_are_counted_elsewhere() {
        let smaps = "55d0-55d1 r--p 00000000 fe:01 77   /usr/bin/cat\nSize:  4 kB\nPss:   4 kB\nPss_Dirty: 0 kB\n\
                      7f00-7f01 rw-s 00000000 00:2f 3   /dev/shm/a b: c\nPss:   100 kB\nVmFlags: rd wr sh\n\
                      7f02-7f03 rw-p 00000000 00:00 0 \nPss:   20 kB\n";
        assert_eq!(shares(smaps, None), Some(124));
        assert_eq!(shares(smaps, Some(rustix::fs::makedev(0, 0x2f))), Some(24));
        assert_eq!(shares("", None), None);
    }

    #[test]
    fn a_dead_process_has_no_user() {
        let status = "Name:\tsh\nState:\tS (sleeping)\nUid:\t300000\t300001\t300000\t300000\n";
        assert!(is_of(status, 300_000) && is_of(status, 300_001) && !is_of(status, 30_000));
        assert!(!is_of(&status.replace("S (sleeping)", "Z (zombie)"), 300_000));
    }

    #[test]
    fn a_process_finds_itself() {
        let me = Processes::open().unwrap().look(me()).unwrap();
        assert!(me.threads >= 1);
        assert!(me.private > 0);
        assert!(me.cpu > Duration::ZERO);
    }
}
