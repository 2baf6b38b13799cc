//! Cpu time as it is measured beside what the processes themselves know of it.

use std::fmt::Write as _;
use std::io;
use std::path::Path;
use std::time::Duration;

use grader::sandbox::Sandbox as _;

use crate::burn::Burn;
use crate::{LIMITS, slots};

pub(crate) fn clocks(text: &mut String, scratch: &Path) -> io::Result<()> {
    let burn = Burn::compile(scratch)?;
    let _ = writeln!(text, "\ncpu ms            truth   measured   off by");
    for mut slot in slots(scratch) {
        let name = slot.isolation().name();
        for (kind, count) in [("one", 1), ("threads", 4), ("children", 4), ("orphans", 4)] {
            for ms in [5, 50, 500, 5000 / count] {
                let (outcome, printed) = burn.run(&mut slot, kind, Duration::from_millis(ms), LIMITS)?;
                let truth = printed.lines().filter_map(|line| line.parse::<f64>().ok()).sum::<f64>() / 1e6;
                let measured = outcome.usage.cpu.as_secs_f64() * 1e3;
                let off = measured - truth;
                let _ = writeln!(text, "{name:<5}{kind:<9}{truth:>9.2}{measured:>11.2}{off:>9.2}");
            }
        }
    }
    Ok(())
}
