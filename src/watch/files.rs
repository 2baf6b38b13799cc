//! Reports saved files: collects the system's notifications until no more arrive.
//!
//! Folders are watched one by one, not recursively: the store lies beside the problems, and each run writes to it.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use notify::event::{EventKind, ModifyKind};
use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};
use walkdir::{DirEntry, WalkDir};

use crate::interrupt::Handlers;

/// A save is over when nothing has happened for this long: editors write, rename and remove in a burst.
const QUIET: Duration = Duration::from_millis(100);
/// Changes that continue for longer than this are reported in parts.
const PATIENCE: Duration = Duration::from_secs(2);
/// The most folders to watch. The system's own limit is shared by all programs of the user.
const MOST: usize = 20_000;

/// A detected change.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// These files or folders changed, sorted.
    Files(Vec<PathBuf>),
    /// The system lost notifications, so anything may have changed.
    Unknown,
}

enum Message {
    Touched(Vec<PathBuf>),
    Lost,
    /// A signal arrived.
    Stop,
}

/// The watched folders and the channel for their notifications.
pub(crate) struct Files {
    watcher: RecommendedWatcher,
    messages: Receiver<Message>,
    sender: Sender<Message>,
    watched: HashSet<PathBuf>,
    places: Vec<PathBuf>,
    store: PathBuf,
}

impl Files {
    /// Creates a watcher without folders. `store` is a folder that is always ignored.
    pub(crate) fn new(store: &Path) -> Result<Self> {
        let (sender, messages) = mpsc::channel();
        let notifier = sender.clone();
        let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            let message = match event {
                Ok(event) if event.need_rescan() => Message::Lost,
                Ok(event) if is_change(event.kind) => Message::Touched(event.paths),
                Ok(_) => return,
                // It is unknown which changes were missed, so everything is checked again.
                Err(_) => Message::Lost,
            };
            // The receiver is gone when the watch has ended.
            let _ = notifier.send(message);
        });
        let watcher = watcher.context("cannot watch files")?;
        Ok(Self { watcher, messages, sender, watched: HashSet::new(), places: Vec::new(), store: store.to_owned() })
    }

    /// Watches the folders of given files, and given folders with all folders below. Returns how many folders are
    /// watched in total.
    pub(crate) fn watch(&mut self, places: &[PathBuf]) -> Result<usize> {
        let mut folders = BTreeSet::new();
        for place in places {
            if place.is_dir() {
                let walk = WalkDir::new(place).into_iter();
                let visible = walk.filter_entry(|entry| entry.depth() == 0 || self.is_looked_at(entry));
                // A folder that cannot be listed is reported by the run that needs it.
                let dirs = visible.flatten().filter(|entry| entry.file_type().is_dir());
                folders.extend(dirs.take(MOST).map(DirEntry::into_path));
            } else {
                // The folder of a file. If it does not exist yet, its nearest existing ancestor, where it will appear.
                folders.extend(place.ancestors().skip(1).find(|folder| folder.is_dir()).map(Path::to_owned));
            }
        }
        self.places = places.to_vec();
        // A folder that was removed or replaced is watched again if it comes back.
        self.watched.retain(|folder| folder.is_dir());
        for folder in folders.into_iter().take(MOST) {
            if self.watched.contains(&folder) {
                continue;
            }
            match self.watcher.watch(&folder, RecursiveMode::NonRecursive) {
                Ok(()) => drop(self.watched.insert(folder)),
                Err(error) if matches!(error.kind, notify::ErrorKind::MaxFilesWatch) => {
                    return Err(error).context(
                        "the system's limit of watched folders is reached\n  → name fewer problems, or raise \
                         fs.inotify.max_user_watches",
                    );
                }
                // The folder was removed meanwhile.
                Err(_) => {}
            }
        }
        Ok(self.watched.len())
    }

    /// Whether a change of this path matters. In a folder watched for one of its files, other files do not matter.
    fn matters(&self, path: &Path) -> bool {
        let of_place = |place: &PathBuf| path.starts_with(place) || place.starts_with(path);
        !path.starts_with(&self.store) && !is_hidden(path) && self.places.iter().any(of_place)
    }

    fn is_looked_at(&self, entry: &DirEntry) -> bool {
        entry.path() != self.store && !is_hidden(entry.path())
    }

    /// Waits for the next change; none if a signal has ended the watch.
    pub(crate) fn next(&mut self, handlers: &Handlers) -> Option<Change> {
        let stopper = self.stopper();
        handlers.cancels(move || stopper.stop());
        self.collect()
    }

    /// A handle that ends [`Files::collect`].
    pub(crate) fn stopper(&self) -> Stopper {
        Stopper(self.sender.clone())
    }

    /// Waits for the next change; none if a stopper has ended the wait.
    pub(crate) fn collect(&mut self) -> Option<Change> {
        let mut files = BTreeSet::new();
        let mut lost = false;
        let mut begun: Option<Instant> = None;
        loop {
            let message = match begun {
                // The sender is gone when the watch has ended.
                None => self.messages.recv().ok()?,
                Some(begun) if begun.elapsed() > PATIENCE => break,
                Some(_) => match self.messages.recv_timeout(QUIET) {
                    Ok(message) => message,
                    Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
                },
            };
            match message {
                Message::Stop if begun.is_none() => return None,
                Message::Stop => {
                    // Files that were saved before are not lost: the next wait ends at once.
                    self.stopper().stop();
                    break;
                }
                Message::Lost => lost = true,
                Message::Touched(paths) => {
                    let before = files.len();
                    files.extend(paths.into_iter().filter(|path| self.matters(path)));
                    if files.len() == before {
                        continue;
                    }
                }
            }
            begun.get_or_insert_with(Instant::now);
        }
        // A folder that was removed and created again must be watched anew.
        self.watched.retain(|folder| !files.contains(folder));
        Some(if lost { Change::Unknown } else { Change::Files(files.into_iter().collect()) })
    }
}

/// Ends the wait for a change.
pub(crate) struct Stopper(Sender<Message>);

impl Stopper {
    pub(crate) fn stop(&self) {
        // Without a receiver, no thread waits.
        let _ = self.0.send(Message::Stop);
    }
}

impl Change {
    /// Both changes.
    #[must_use]
    pub(crate) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Files(first), Self::Files(second)) => {
                let both: BTreeSet<PathBuf> = first.into_iter().chain(second).collect();
                Self::Files(both.into_iter().collect())
            }
            _ => Self::Unknown,
        }
    }
}

impl Files {
    /// Forgets the changes up to now, except those of files that `is_kept` names. A command of the user may write beside
    /// its inputs, and must not start itself again.
    pub(crate) fn forget(&mut self, is_kept: impl Fn(&Path) -> bool) {
        let begun = Instant::now();
        let mut kept = Vec::new();
        // The system reports a change a moment after it.
        while begun.elapsed() < PATIENCE
            && let Ok(message) = self.messages.recv_timeout(QUIET)
        {
            kept.push(match message {
                Message::Touched(paths) => Message::Touched(paths.into_iter().filter(|path| is_kept(path)).collect()),
                other => other,
            });
        }
        // The receiver is this value, so it is there.
        for message in kept {
            drop(self.sender.send(message));
        }
    }
}

/// Whether an event changes content: reading a file does not, and neither does a new mode or time.
fn is_change(kind: EventKind) -> bool {
    !matches!(kind, EventKind::Access(_) | EventKind::Modify(ModifyKind::Metadata(_)))
}

/// Whether a file is hidden, a copy that an editor keeps (`.sum.py.swp`, `sum.py~`, `#sum.py#`), or a folder that tools
/// fill.
fn is_hidden(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    let is_made = [&b"__pycache__"[..], b"node_modules"].contains(&name)
        || name == b"target" && path.with_file_name("Cargo.toml").is_file();
    name.starts_with(b".") || name.ends_with(b"~") || name.starts_with(b"#") || is_made
}
