//! Watches one execution: measures it at intervals, and kills it when it crosses its first limit.

use std::io;
use std::os::fd::BorrowedFd;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::super::Kill;
use super::super::guard::Guard;
use super::super::partner_time::Partner;
use super::super::tree::Snapshot;
use super::super::wire::{self, Order};
use super::RunningProgram;
use grader_model::limits::{Bytes, Limits, Overflow, Usage};

/// The longest pause between two looks at a running program.
const TICK: Duration = Duration::from_millis(10);

/// An execution that took less is not asked at its end how long it waited for a core.
const SHORT: Duration = Duration::from_millis(50);

/// Watches one execution.
pub(crate) struct Watch<'a> {
    pub(crate) limits: &'a Limits,
    pub(crate) start: Instant,
    guard: Guard,
    partner: Option<Partner>,
    /// The largest memory seen, in bytes.
    pub(crate) peak: u64,
    pub(crate) killed: Option<Kill>,
    /// The usage when the execution crossed the output limit and was allowed to continue.
    pub(crate) crossed: Option<Usage>,
    /// Whether the wall guard ended the execution for lack of a core. Nothing is then known about the program.
    pub(crate) starved: bool,
    /// The last exact measurement of memory, and the earliest time for the next one.
    exact: Option<(u64, Instant)>,
}

impl<'a> Watch<'a> {
    /// Starts the time of the execution.
    pub(crate) fn new(limits: &'a Limits, partner: Option<Partner>) -> Self {
        let start = Instant::now();
        let guard = Guard::default();
        Self { limits, start, guard, partner, peak: 0, killed: None, crossed: None, starved: false, exact: None }
    }

    /// Watches until the execution ends. Returns false if the grader has ended in the meantime, which kills the execution.
    pub(crate) fn until_end(&mut self, program: &mut RunningProgram<'_>, socket: BorrowedFd<'_>) -> io::Result<bool> {
        let mut buffer = Vec::new();
        let mut grader_lives = true;
        let mut pause = self.first_pause();
        loop {
            let timeout = Timespec::try_from(pause).map_err(io::Error::other)?;
            let (ended, order) = {
                let mut fds = [program.sign(), socket].map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN));
                // After the grader has ended, its socket stays readable forever.
                let watched = if grader_lives { 2 } else { 1 };
                match poll(&mut fds[..watched], Some(&timeout)) {
                    Ok(_) => {}
                    Err(rustix::io::Errno::INTR) => continue,
                    Err(error) => return Err(error.into()),
                }
                (!fds[0].revents().is_empty(), watched == 2 && !fds[1].revents().is_empty())
            };
            if ended {
                return Ok(grader_lives);
            }
            if order {
                match wire::receive::<Order>(socket, &mut buffer)? {
                    Some((Order::Cancel, _)) => self.kill(program, Kill::Cancelled),
                    Some((Order::Flooded, _)) => match self.limits.overflow {
                        Overflow::Kill => self.kill(program, Kill::Output),
                        Overflow::Cut => self.take_down(program),
                        Overflow::Pass => self.partner.iter_mut().for_each(Partner::stop_excusing),
                    },
                    Some(_) => return Err(io::Error::other("an order during an execution")),
                    None => {
                        grader_lives = false;
                        self.kill(program, Kill::Cancelled);
                    }
                }
            }
            pause = self.look(program);
        }
    }

    /// How long the execution, whose main program has ended and is not reaped yet, waited for a core.
    pub(crate) fn waited(&mut self, program: &RunningProgram<'_>) -> Duration {
        let elapsed = self.start.elapsed();
        // The waiting time of a killed execution is not needed, and a fork bomb has many tasks to look at.
        if elapsed >= SHORT && self.killed.is_none() {
            self.guard.look(elapsed, program.task_looks());
        }
        self.guard.has_waited().min(elapsed)
    }

    /// Records the usage so far.
    fn take_down(&mut self, program: &mut RunningProgram<'_>) {
        let now = program.look();
        self.peak = self.peak.max(now.memory);
        self.crossed.get_or_insert(Usage {
            cpu: now.cpu,
            wall: self.start.elapsed(),
            memory: Bytes(self.peak.min(self.limits.memory.0)),
        });
    }

    /// The pause before the first look: half of the cpu limit at most. Most programs end before it, so the look costs
    /// them nothing.
    fn first_pause(&self) -> Duration {
        TICK.min(self.limits.cpu / 2).max(Duration::from_millis(1))
    }

    /// Measures the execution, and kills it if it exceeds a limit. Returns the time until the next look.
    fn look(&mut self, program: &mut RunningProgram<'_>) -> Duration {
        let mut now = program.look();
        if now.tasks > self.limits.processes && !now.out_of_memory {
            // Many processes delay the look that finds them. By then they may also have used up the time, and each further
            // step of this process takes long too.
            self.kill(program, Kill::Processes);
            return TICK;
        }
        if now.memory.max(now.most) > self.limits.memory.0 {
            now.memory = self.exact_memory(program, now.memory);
        }
        self.peak = self.peak.max(now.memory);
        let elapsed = self.elapsed();
        let wall_left = self.wall_left(program, elapsed, now.cpu);
        if let Some(reason) = self.over(&now, wall_left) {
            self.starved |= reason == Kill::Wall && self.guard.is_starved(elapsed, self.limits.wall);
            self.kill(program, reason);
        }
        let cpu_left = self.limits.cpu.saturating_sub(now.cpu);
        // Several cores of the tree may use cpu time at once, so half; never shorter than a millisecond.
        TICK.min(cpu_left / 2).min(wall_left).max(Duration::from_millis(1))
    }

    /// Measures the memory exactly. Called when the quick sum is over the limit. The measurement takes time, and the
    /// program must not lose that time again and again. The result is therefore reused for a while.
    fn exact_memory(&mut self, program: &mut RunningProgram<'_>, quick: u64) -> u64 {
        let begun = Instant::now();
        match self.exact {
            Some((known, until)) if begun < until => known,
            _ => {
                let exact = program.exact_memory().unwrap_or(quick);
                self.exact = Some((exact, begun + begun.elapsed() * 10));
                exact
            }
        }
    }

    /// The elapsed time in which the program may have slept. Excludes the time in which the interactor was at work.
    fn elapsed(&mut self) -> Duration {
        let partner = self.partner.as_mut().filter(|partner| !partner.is_told());
        self.start.elapsed().saturating_sub(partner.map_or(Duration::ZERO, Partner::excused))
    }

    /// The time left of the wall limit, without the time that the tree waited for a core. Reports the work so far to
    /// the partner.
    fn wall_left(&mut self, program: &RunningProgram<'_>, elapsed: Duration, cpu: Duration) -> Duration {
        let told = self.partner.as_mut().filter(|partner| partner.is_told());
        if told.is_some() || Guard::wants_to_look(elapsed, self.limits.wall) {
            self.guard.look(elapsed, program.task_looks());
        }
        if let Some(partner) = told {
            partner.tell(elapsed, cpu + self.guard.has_waited());
        }
        self.guard.left(elapsed, self.limits.wall)
    }

    fn over(&self, now: &Snapshot, wall_left: Duration) -> Option<Kill> {
        if now.out_of_memory || now.memory > self.limits.memory.0 {
            Some(Kill::Memory)
        } else if now.cpu >= self.limits.cpu {
            Some(Kill::Cpu)
        } else if wall_left.is_zero() {
            Some(Kill::Wall)
        } else if now.box_is_full {
            Some(Kill::Files)
        } else {
            None
        }
    }

    /// Kills the execution. The first reason counts.
    pub(crate) fn kill(&mut self, program: &mut RunningProgram<'_>, reason: Kill) {
        self.killed.get_or_insert(reason);
        program.kill();
    }
}
