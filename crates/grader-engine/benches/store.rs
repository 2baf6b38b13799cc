//! How long the store takes at the size of a large set: 100,000 cached outcomes and 2,000 files.
//!
//! Budget: opening and looking up 1,000 outcomes and 2,000 fingerprints in 30 ms, putting an outcome in 10 µs.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use grader_engine::store::{Key, Store};
use serde::{Deserialize, Serialize};

const OUTCOMES: u32 = 100_000;
const LOOKUPS: u32 = 1_000;
const FILES: u32 = 2_000;
const ROUNDS: usize = 21;

/// About what an execution's facts take.
#[derive(Serialize, Deserialize)]
struct Facts {
    exit: Result<i32, i32>,
    killed: Option<String>,
    cpu: Duration,
    wall: Duration,
    memory: u64,
    scope: String,
}

fn facts(n: u32) -> Facts {
    let cpu = Duration::from_micros(n.into());
    Facts { exit: Ok(0), killed: None, cpu, wall: cpu * 2, memory: u64::from(n) << 12, scope: "tree".into() }
}

fn key(n: u32) -> Key {
    Key::of("bench").field("n", n.to_le_bytes()).finish()
}

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    let temp = tempfile::TempDir::new()?;
    let dir = temp.path().join(".grader");
    let files: Vec<PathBuf> = (0..FILES).map(|i| temp.path().join(format!("{i:04}.in"))).collect();
    for path in &files {
        fs::write(path, path.as_os_str().as_encoded_bytes())?;
    }

    let (store, notices) = Store::open(&dir);
    assert!(notices.is_empty(), "{notices:?}");
    let mut puts = Vec::new();
    for n in 0..OUTCOMES {
        let start = Instant::now();
        store.put_outcome(key(n), &facts(n), Some(b"a small output\n"));
        puts.push(start.elapsed());
    }
    let start = Instant::now();
    drop(store);
    writeln!(out, "put one outcome              {}", summary(&mut puts))?;
    writeln!(out, "write what was left          {:.1?}", start.elapsed())?;

    // Until the files count as settled; then once to record them.
    std::thread::sleep(Duration::from_secs(3));
    let start = Instant::now();
    Store::open(&dir).0.digest_files(&files);
    writeln!(out, "hash {FILES} files once         {:.1?}", start.elapsed())?;

    let keys: Vec<Key> = (0..LOOKUPS).map(|n| key(n * (OUTCOMES / LOOKUPS))).collect();
    let [mut opens, mut outcomes, mut digests, mut all] = [const { Vec::new() }; 4];
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let (store, notices) = Store::open(&dir);
        let opened = Instant::now();
        let found = store.outcomes::<Facts>(&keys);
        let looked_up = Instant::now();
        let known = store.digest_files(&files);
        let end = Instant::now();
        assert!(notices.is_empty() && found.iter().all(Option::is_some) && known.iter().all(Result::is_ok));
        opens.push(opened.duration_since(start));
        outcomes.push(looked_up.duration_since(opened));
        digests.push(end.duration_since(looked_up));
        all.push(end.duration_since(start));
    }
    writeln!(out, "open                         {}", summary(&mut opens))?;
    writeln!(out, "look up {LOOKUPS} outcomes        {}", summary(&mut outcomes))?;
    writeln!(out, "look up {FILES} fingerprints    {}", summary(&mut digests))?;
    writeln!(out, "all three                    {}", summary(&mut all))?;

    fs::remove_file(dir.join("index.sqlite"))?;
    let start = Instant::now();
    drop(Store::open(&dir));
    writeln!(out, "rebuild the index            {:.1?}", start.elapsed())
}

fn summary(times: &mut [Duration]) -> String {
    times.sort();
    let at = |percent: usize| times[(times.len() - 1) * percent / 100];
    format!("median {:.1?}, 99 % {:.1?}, largest {:.1?}", at(50), at(99), at(100))
}
