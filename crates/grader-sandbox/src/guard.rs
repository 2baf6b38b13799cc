//! Limits the elapsed time of programs. The limit is meant for programs that sleep. A program that waits for a core
//! because other programs are running does not sleep.

use std::collections::HashMap;
use std::time::Duration;

use super::tree::TaskLook;

/// The sandbox ends a program at this multiple of its wall limit, however long the program waited for a core. This says
/// nothing about the program: a machine that gives it only a thirtieth of a core is unfit for judging.
pub(super) const STRETCH: u32 = 30;

/// Elapsed time, without the time during which some task of the tree was ready to run but had no core.
#[derive(Debug, Default)]
pub(super) struct Guard {
    /// The state of each living task at the last look.
    known: HashMap<i32, LastReading>,
    last: Duration,
    /// The reported waits: of each look, the longest new wait of any task. At most the elapsed time.
    waited: Duration,
    /// How long some task may have been waiting now. The kernel reports a wait only when it ends.
    waiting: Duration,
}

#[derive(Debug, Clone, Copy)]
struct LastReading {
    delay: Duration,
    process_cpu: Duration,
    /// The current wait, if there is one, did not begin before this time.
    sure: Duration,
}

impl Guard {
    /// Whether a look at the tasks may matter. A program that ends long before its limit is not slowed down by looks.
    pub(super) fn wants_to_look(elapsed: Duration, limit: Duration) -> bool {
        elapsed >= limit / 2
    }

    /// Records the tasks that live now. They wait at the same time, so only the longest wait since the last look
    /// counts. The waits of a task that began and ended between two looks are unknown.
    pub(super) fn look(&mut self, elapsed: Duration, tasks: Vec<TaskLook>) {
        let before = std::mem::take(&mut self.known);
        let last = std::mem::replace(&mut self.last, elapsed);
        let mut told = Duration::ZERO;
        self.waiting = Duration::ZERO;
        for TaskLook { task, delay, wants_core, process_cpu } in tasks {
            let known = before.get(&task);
            told = told.max(delay.saturating_sub(known.map_or(Duration::ZERO, |known| known.delay)));
            let sure = match known {
                _ if !wants_core => elapsed,
                Some(known) if known.delay == delay && known.process_cpu == process_cpu => known.sure,
                _ => last,
            };
            self.waiting = self.waiting.max(elapsed.saturating_sub(sure));
            self.known.insert(task, LastReading { delay, process_cpu, sure });
        }
        self.waited = (self.waited + told).min(elapsed);
    }

    /// Returns the time left until the guard strikes; zero if it strikes now.
    pub(super) fn left(&self, elapsed: Duration, limit: Duration) -> Duration {
        limit.saturating_sub(self.at_work_or_asleep(elapsed).max(elapsed / STRETCH))
    }

    /// Whether the guard strikes for lack of a core, although the limit is not reached.
    pub(super) fn is_starved(&self, elapsed: Duration, limit: Duration) -> bool {
        self.at_work_or_asleep(elapsed) < limit && elapsed / STRETCH >= limit
    }

    /// How long some task has been ready to run without a core, as far as known.
    pub(super) fn has_waited(&self) -> Duration {
        self.waited + self.waiting
    }

    fn at_work_or_asleep(&self, elapsed: Duration) -> Duration {
        elapsed.saturating_sub(self.has_waited())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_secs(1);

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    /// A sleeping task that has waited this long.
    fn asleep((task, delay): (i32, Duration)) -> TaskLook {
        TaskLook { task, delay, wants_core: false, process_cpu: Duration::ZERO }
    }

    #[test]
    fn a_wait_that_lasts_is_no_sleep() {
        let mut guard = Guard::default();
        let wants = |delay, cpu| vec![TaskLook { task: 7, delay: ms(delay), wants_core: true, process_cpu: ms(cpu) }];
        guard.look(ms(500), wants(0, 100));
        guard.look(ms(510), wants(0, 110));
        assert_eq!(guard.left(ms(510), LIMIT), ms(500), "it is at work");
        guard.look(ms(900), wants(0, 110));
        assert_eq!(guard.left(ms(900), LIMIT), ms(500), "it may have waited since 500");
        // The task has its core again, and the kernel reports the wait.
        guard.look(ms(910), wants(370, 120));
        guard.look(ms(920), wants(370, 130));
        assert_eq!(guard.left(ms(920), LIMIT), ms(460));
        // The task sleeps.
        guard.look(ms(930), [(7, ms(370))].map(asleep).to_vec());
        assert_eq!(guard.left(ms(930), LIMIT), ms(440));
    }

    #[test]
    fn sleeping_counts_and_waiting_for_a_core_does_not() {
        let mut guard = Guard::default();
        assert_eq!(guard.left(ms(400), LIMIT), ms(600));
        guard.look(ms(500), [(7, ms(300))].map(asleep).to_vec());
        assert_eq!(guard.left(ms(500), LIMIT), ms(800));
        // From here on, the task sleeps.
        guard.look(ms(1300), [(7, ms(300))].map(asleep).to_vec());
        assert_eq!(guard.left(ms(1300), LIMIT), Duration::ZERO);
    }

    #[test]
    fn many_tasks_that_wait_count_once_and_the_dead_do_not_count_again() {
        let mut guard = Guard::default();
        guard.look(ms(500), [(7, ms(300)), (8, ms(200))].map(asleep).to_vec());
        assert_eq!(guard.left(ms(500), LIMIT), ms(800));
        // One task has ended; a new one has waited all of its short life.
        guard.look(ms(600), [(7, ms(300)), (9, ms(30))].map(asleep).to_vec());
        assert_eq!(guard.left(ms(600), LIMIT), ms(730));
    }

    #[test]
    fn a_wait_is_told_when_it_is_over() {
        let mut guard = Guard::default();
        for elapsed in [500, 510, 520] {
            guard.look(ms(elapsed), [(7, ms(400))].map(asleep).to_vec());
        }
        guard.look(ms(530), [(7, ms(430))].map(asleep).to_vec());
        assert_eq!(guard.left(ms(530), LIMIT), ms(900));
    }

    #[test]
    fn nobody_waits_longer_than_he_lives() {
        let mut guard = Guard::default();
        guard.look(ms(500), [(7, ms(450))].map(asleep).to_vec());
        guard.look(ms(510), [(7, ms(450)), (8, ms(400))].map(asleep).to_vec());
        assert_eq!(guard.left(ms(510), LIMIT), ms(983), "a thirtieth of what has elapsed always counts");
        // Nothing was saved up for later.
        guard.look(ms(1510), [(7, ms(450))].map(asleep).to_vec());
        assert_eq!(guard.left(ms(1510), LIMIT), Duration::ZERO);
        assert!(!guard.is_starved(ms(1510), LIMIT));
    }

    #[test]
    fn nothing_goes_on_for_ever() {
        let mut guard = Guard::default();
        for tenth in 1..300 {
            guard.look(ms(tenth * 100), [(7, ms(tenth * 100))].map(asleep).to_vec());
        }
        assert!(guard.left(ms(29_900), LIMIT) > Duration::ZERO);
        assert_eq!(guard.left(ms(30_000), LIMIT), Duration::ZERO);
        assert!(guard.is_starved(ms(30_000), LIMIT) && !guard.is_starved(ms(29_900), LIMIT));
    }

    #[test]
    fn only_what_comes_near_its_limit_is_looked_at() {
        assert!(!Guard::wants_to_look(ms(499), LIMIT));
        assert!(Guard::wants_to_look(ms(500), LIMIT));
    }
}
