//! The guard on elapsed time, which is meant for sleepers: a program that waits for a core because others are at work
//! does not sleep.

use std::collections::HashMap;
use std::time::Duration;

/// However long a program waits for a core: at its wall limit times this it is ended.
pub(super) const STRETCH: u32 = 10;

/// Elapsed time without that during which some task of the tree was ready to run and had no core.
#[derive(Debug, Default)]
pub(super) struct Guard {
    /// What each living task had waited when it was last looked at.
    known: HashMap<i32, Duration>,
    waited: Duration,
}

impl Guard {
    /// Whether looking at the tasks may matter: a program that ends long before its limit is not bothered.
    pub(super) fn wants_to_look(elapsed: Duration, limit: Duration) -> bool {
        elapsed >= limit / 2
    }

    /// Takes in what each task has waited since its own start. Tasks wait at the same time: the one that waited most since
    /// the last look counts. The kernel tells a wait when it is over, so that it may be longer than the time between two
    /// looks; what a task waited that began and ended between two is not known.
    pub(super) fn look(&mut self, elapsed: Duration, delays: Vec<(i32, Duration)>) {
        let before = std::mem::take(&mut self.known);
        let since = |(id, delay): &(i32, Duration)| delay.saturating_sub(before.get(id).copied().unwrap_or_default());
        let most = delays.iter().map(since).max().unwrap_or_default();
        self.waited = (self.waited + most).min(elapsed);
        self.known = delays.into_iter().collect();
    }

    /// What is left until the guard strikes; zero when it does.
    pub(super) fn left(&self, elapsed: Duration, limit: Duration) -> Duration {
        let counted = elapsed.saturating_sub(self.waited).max(elapsed / STRETCH);
        limit.saturating_sub(counted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_secs(1);

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn sleeping_counts_and_waiting_for_a_core_does_not() {
        let mut guard = Guard::default();
        assert_eq!(guard.left(ms(400), LIMIT), ms(600));
        guard.look(ms(500), vec![(7, ms(300))]);
        assert_eq!(guard.left(ms(500), LIMIT), ms(800));
        // From here on it sleeps.
        guard.look(ms(1300), vec![(7, ms(300))]);
        assert_eq!(guard.left(ms(1300), LIMIT), Duration::ZERO);
    }

    #[test]
    fn many_tasks_that_wait_count_once_and_the_dead_do_not_count_again() {
        let mut guard = Guard::default();
        guard.look(ms(500), vec![(7, ms(300)), (8, ms(200))]);
        assert_eq!(guard.left(ms(500), LIMIT), ms(800));
        // One has ended; a new one has waited all of its short life.
        guard.look(ms(600), vec![(7, ms(300)), (9, ms(30))]);
        assert_eq!(guard.left(ms(600), LIMIT), ms(730));
    }

    #[test]
    fn a_wait_is_told_when_it_is_over() {
        let mut guard = Guard::default();
        for elapsed in [500, 510, 520] {
            guard.look(ms(elapsed), vec![(7, ms(400))]);
        }
        guard.look(ms(530), vec![(7, ms(430))]);
        assert_eq!(guard.left(ms(530), LIMIT), ms(900));
    }

    #[test]
    fn nobody_waits_longer_than_he_lives() {
        let mut guard = Guard::default();
        guard.look(ms(500), vec![(7, ms(450))]);
        guard.look(ms(510), vec![(7, ms(450)), (8, ms(400))]);
        assert_eq!(guard.left(ms(510), LIMIT), ms(949), "a tenth of what has elapsed always counts");
        // Nothing was saved up for later.
        guard.look(ms(1510), vec![(7, ms(450))]);
        assert_eq!(guard.left(ms(1510), LIMIT), Duration::ZERO);
    }

    #[test]
    fn nothing_goes_on_for_ever() {
        let mut guard = Guard::default();
        for tenth in 1..100 {
            guard.look(ms(tenth * 100), vec![(7, ms(tenth * 100))]);
        }
        assert!(guard.left(ms(9_900), LIMIT) > Duration::ZERO);
        assert_eq!(guard.left(ms(10_000), LIMIT), Duration::ZERO);
    }

    #[test]
    fn only_what_comes_near_its_limit_is_looked_at() {
        assert!(!Guard::wants_to_look(ms(499), LIMIT));
        assert!(Guard::wants_to_look(ms(500), LIMIT));
    }
}
