//! How far a program gets beyond a limit: the cpu time that it has used when all of it is dead, and for a sleeper the
//! elapsed time at its end.

use std::fmt::Write as _;
use std::io;
use std::path::Path;
use std::time::Duration;

use grader::limits::Limits;
use grader::sandbox::{Kill, Sandbox as _, Slot};

use crate::burn::Burn;
use crate::{LIMITS, slots};

const REPEATS: usize = 5;
const LIMITS_MS: [u64; 3] = [50, 250, 1000];
const KINDS: [&str; 6] = ["one", "threads", "children", "orphans", "turns", "sleep"];
/// The largest overrun that is wanted, in milliseconds.
const TARGET_MS: f64 = 20.0;

pub(crate) fn kills(text: &mut String, scratch: &Path) -> io::Result<()> {
    let burn = Burn::compile(scratch)?;
    let _ = write!(text, "\nms beyond the limit, median and most of {REPEATS}\n{:<14}", "");
    for ms in LIMITS_MS {
        let _ = write!(text, "{:>16}", format!("{ms} ms"));
    }
    let _ = writeln!(text, "   most <= {TARGET_MS}");
    for mut slot in slots(scratch) {
        for kind in KINDS {
            let _ = write!(text, "{:<5}{kind:<9}", slot.isolation().name());
            let mut worst: f64 = 0.0;
            for ms in LIMITS_MS {
                let over = (0..REPEATS).map(|_| overrun(&burn, &mut slot, kind, Duration::from_millis(ms)));
                let mut over = over.collect::<io::Result<Vec<f64>>>()?;
                over.sort_by(f64::total_cmp);
                let median = over[REPEATS / 2];
                let most = over[REPEATS - 1];
                let _ = write!(text, "{median:>8.1}{most:>8.1}");
                worst = worst.max(most);
            }
            let _ = writeln!(text, "   {}", if worst <= TARGET_MS { "yes" } else { "NO" });
        }
    }
    Ok(())
}

/// In milliseconds.
fn overrun(burn: &Burn, slot: &mut Slot, kind: &str, limit: Duration) -> io::Result<f64> {
    let sleeps = kind == "sleep";
    let limits = if sleeps { Limits { wall: limit, ..LIMITS } } else { Limits { cpu: limit, ..LIMITS } };
    let (outcome, _) = burn.run(slot, kind, LIMITS.cpu * 2, limits)?;
    let wanted = if sleeps { Kill::Wall } else { Kill::Cpu };
    if outcome.killed != Some(wanted) {
        return Err(io::Error::other(format!("{kind} ended with {outcome:?}")));
    }
    let used = if sleeps { outcome.usage.wall } else { outcome.usage.cpu };
    Ok((used.as_secs_f64() - limit.as_secs_f64()) * 1e3)
}
