//! Remembers which layers of isolation work here. A run whose results all come from the store then starts no process.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use crate::sandbox::Isolation;
use crate::store::{Key, Store};

/// The layers that worked for this user and this binary since the machine started, in the same namespaces and under the
/// same restrictions. If a layer stops working, one run ends with judge errors, and the proof is then forgotten. The
/// grader never uses a weaker layer because of it.
pub(crate) struct Proofs<'a> {
    store: &'a Store,
    /// Whether remembered results may be used.
    cache: bool,
    here: String,
}

impl<'a> Proofs<'a> {
    /// Reads what `store` remembers.
    pub(crate) fn new(store: &'a Store, cache: bool) -> Self {
        Self { store, cache, here: circumstances() }
    }

    /// Whether the layer worked before.
    pub(crate) fn has(&self, isolation: Isolation) -> bool {
        self.cache && self.store.outcome::<bool>(&self.key(isolation)).is_some_and(|works| works.value)
    }

    /// Remembers that the layer works.
    pub(crate) fn keep(&self, isolation: Isolation) {
        self.store.put_outcome(self.key(isolation), &true, None);
    }

    /// Forgets the layer, so that the next run tries it again.
    pub(crate) fn forget(&self, isolation: Isolation) {
        self.store.put_outcome(self.key(isolation), &false, None);
    }

    fn key(&self, isolation: Isolation) -> Key {
        Key::of("isolation v1").field("layer", isolation.name()).field("here", &self.here).finish()
    }
}

/// Everything that decides which layers work and that can change between two runs.
fn circumstances() -> String {
    const FILES: [&str; 5] = [
        "/proc/sys/kernel/random/boot_id",
        "/proc/self/attr/current",
        "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
        "/proc/sys/kernel/unprivileged_userns_clone",
        "/proc/sys/user/max_user_namespaces",
    ];
    const NAMESPACES: [&str; 7] = ["user", "mnt", "pid", "net", "ipc", "uts", "cgroup"];
    // A missing or unreadable file also distinguishes two machines.
    let namespaces = NAMESPACES.map(|name| target(Path::new(&format!("/proc/self/ns/{name}"))));
    let places = ["/proc/self/exe", "/proc/self/root"].map(|link| stamp(Path::new(link)));
    [vec![credentials()], FILES.map(text).to_vec(), namespaces.to_vec(), places.to_vec()].concat().join("\n")
}

fn text(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

/// The identity and rights of this process (`proc_pid_status(5)`).
fn credentials() -> String {
    const FIELDS: [&str; 7] = ["Uid:", "Gid:", "CapEff:", "CapBnd:", "NoNewPrivs:", "Seccomp:", "Seccomp_filters:"];
    let status = text("/proc/self/status");
    let lines = status.lines().filter(|line| FIELDS.iter().any(|field| line.starts_with(field)));
    lines.collect::<Vec<_>>().join("\n")
}

/// The target of a link, with figures that change if the target is replaced.
fn stamp(link: &Path) -> String {
    let found = fs::metadata(link).ok();
    let of = |found: fs::Metadata| format!("{} {} {}.{}", found.dev(), found.ino(), found.ctime(), found.ctime_nsec());
    format!("{} {}", target(link), found.map(of).unwrap_or_default())
}

/// The target of a link. Empty if the link does not exist or is unreadable.
fn target(link: &Path) -> String {
    fs::read_link(link).map(|target| target.to_string_lossy().into_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proof_holds_for_its_layer_until_it_is_forgotten() {
        let dir = tempfile::tempdir().unwrap();
        let (store, _) = Store::open(&dir.path().join("store"));
        let proofs = Proofs::new(&store, true);
        assert!(!proofs.has(Isolation::User));
        proofs.keep(Isolation::User);
        assert!(proofs.has(Isolation::User) && !proofs.has(Isolation::Root));
        assert!(Proofs::new(&store, true).has(Isolation::User), "nothing has changed");
        assert!(!Proofs::new(&store, false).has(Isolation::User), "--no-cache");
        let elsewhere = Proofs { store: &store, cache: true, here: "another machine".to_owned() };
        assert!(!elsewhere.has(Isolation::User));
        proofs.forget(Isolation::User);
        assert!(!proofs.has(Isolation::User));
    }
}
