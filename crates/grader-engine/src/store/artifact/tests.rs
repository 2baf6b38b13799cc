//! Tests of artifacts.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::time::{Duration, UNIX_EPOCH};

use super::*;

fn key(n: u8) -> Key {
    Key::of("test").field("n", [n]).finish()
}

fn opened(temp: &TempDir) -> Store {
    let (store, notices) = Store::open(&temp.path().join(".grader"));
    assert_eq!(notices, []);
    store
}

/// A program with a nested file and a link.
fn build(store: &Store, meta: &str) -> Artifact<String> {
    let builder = store.build_artifact(key(1)).unwrap();
    let program = builder.dir().join("program");
    fs::write(&program, "#!/bin/sh").unwrap();
    fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
    fs::create_dir(builder.dir().join("lib")).unwrap();
    fs::write(builder.dir().join("lib/a"), "a").unwrap();
    symlink("lib/a", builder.dir().join("link")).unwrap();
    builder.commit(meta.to_owned())
}

fn found(store: &Store) -> Option<String> {
    let artifact = store.artifact::<String>(&key(1))?;
    assert!(artifact.is_cached());
    assert_eq!(fs::read(artifact.dir.join("lib/a")).unwrap(), b"a");
    assert_eq!(fs::read(artifact.dir.join("link")).unwrap(), b"a");
    assert_eq!(fs::metadata(artifact.dir.join("program")).unwrap().permissions().mode() & 0o777, 0o755);
    Some(artifact.meta)
}

fn temp_entries(temp: &TempDir) -> usize {
    fs::read_dir(temp.path().join(".grader/cache/tmp")).unwrap().count()
}

#[test]
fn what_is_committed_is_found() {
    let temp = TempDir::new().unwrap();
    let store = opened(&temp);
    assert!(found(&store).is_none());
    let built = build(&store, "v1");
    assert!(built.is_cached() && built.dir.is_absolute() && built.dir.join("program").exists());
    assert_eq!(found(&store).as_deref(), Some("v1"));
    drop(store);
    let store = opened(&temp);
    assert_eq!(found(&store).as_deref(), Some("v1"));
    assert!(store.artifact::<u64>(&key(1)).is_none(), "another shape");
    assert!(store.artifact::<String>(&key(2)).is_none(), "another key");
    assert_eq!(temp_entries(&temp), 0);
}

#[test]
fn a_compile_error_is_an_artifact_without_files() {
    let temp = TempDir::new().unwrap();
    opened(&temp).build_artifact(key(1)).unwrap().commit(Err::<(), _>("error: expected `;`"));
    let artifact = opened(&temp).artifact::<Result<(), String>>(&key(1)).unwrap();
    assert_eq!(artifact.meta, Err("error: expected `;`".into()));
    assert_eq!(fs::read_dir(artifact.dir).unwrap().count(), 0);
}

#[test]
fn what_is_not_committed_leaves_nothing() {
    let temp = TempDir::new().unwrap();
    let store = opened(&temp);
    let builder = store.build_artifact(key(1)).unwrap();
    fs::write(builder.dir().join("program"), "half").unwrap();
    assert_eq!(temp_entries(&temp), 1);
    drop(builder);
    assert_eq!(temp_entries(&temp), 0);
    assert!(found(&store).is_none());
}

#[test]
fn a_damaged_artifact_is_not_found_and_gets_replaced() {
    type Damage = fn(&Path);
    let damages: [(&str, Damage); 9] = [
        ("other content", |dir| fs::write(dir.join("files/lib/a"), "b").unwrap()),
        ("a file cut to nothing", |dir| fs::write(dir.join("files/program"), "").unwrap()),
        ("a file gone", |dir| fs::remove_file(dir.join("files/lib/a")).unwrap()),
        ("a file turned into a link to its like", |dir| {
            fs::rename(dir.join("files/lib/a"), dir.join("a")).unwrap();
            symlink("../../a", dir.join("files/lib/a")).unwrap();
        }),
        ("another link", |dir| {
            fs::remove_file(dir.join("files/link")).unwrap();
            symlink("/etc/passwd", dir.join("files/link")).unwrap();
        }),
        ("meta cut", |dir| {
            let file = OpenOptions::new().write(true).open(dir.join("meta")).unwrap();
            file.set_len(100).unwrap();
        }),
        ("meta gone", |dir| fs::remove_file(dir.join("meta")).unwrap()),
        ("meta of a file outside", |dir| {
            let content = Content::File(Digest::of_bytes(b"a"));
            let entry = ManifestEntry { path: "../a".into(), content };
            fs::write(dir.join("a"), "a").unwrap();
            let line = segment::encode(&key(1), &Manifest { meta: "v1", files: vec![entry] }, None).unwrap();
            fs::write(dir.join("meta"), line).unwrap();
        }),
        ("a file in its place", |dir| {
            fs::remove_dir_all(dir).unwrap();
            fs::write(dir, "").unwrap();
        }),
    ];
    for (what, damage) in damages {
        let temp = TempDir::new().unwrap();
        let store = opened(&temp);
        build(&store, "v1");
        damage(&temp.path().join(".grader/cache/artifacts").join(key(1).to_string()));
        assert!(found(&store).is_none(), "{what}");
        assert!(build(&store, "v1").is_cached(), "{what}");
        assert_eq!(found(&store).as_deref(), Some("v1"), "{what}");
        assert_eq!(temp_entries(&temp), 0, "{what}");
    }
}

#[test]
fn of_two_equal_ones_the_first_stays() {
    let temp = TempDir::new().unwrap();
    let [ours, theirs] = [opened(&temp), opened(&temp)];
    let inode =
        |artifact: &Artifact<String>| std::os::unix::fs::MetadataExt::ino(&fs::metadata(&artifact.dir).unwrap());
    let first = inode(&build(&ours, "v1"));
    assert_eq!(inode(&build(&theirs, "v1")), first);
    assert_ne!(inode(&build(&theirs, "v2")), first, "what says something else is replaced");
    assert_eq!(found(&ours).as_deref(), Some("v2"));
    assert_eq!(temp_entries(&temp), 0);
}

#[test]
fn a_program_that_cannot_be_cached_can_be_used() {
    use std::os::unix::ffi::OsStrExt;
    let temp = TempDir::new().unwrap();
    let store = opened(&temp);
    let builder = store.build_artifact(key(1)).unwrap();
    fs::write(builder.dir().join(std::ffi::OsStr::from_bytes(b"\xff")), "x").unwrap();
    let artifact = builder.commit(());
    assert!(!artifact.is_cached());
    assert_eq!(fs::read_dir(&artifact.dir).unwrap().count(), 1);
    drop(artifact);
    assert_eq!(temp_entries(&temp), 0);
}

#[test]
fn being_found_counts_as_use() {
    let temp = TempDir::new().unwrap();
    let store = opened(&temp);
    build(&store, "v1");
    let dir = temp.path().join(".grader/cache/artifacts").join(key(1).to_string());
    File::open(&dir).unwrap().set_modified(UNIX_EPOCH).unwrap();
    found(&store).unwrap();
    let age = fs::metadata(&dir).unwrap().modified().unwrap().elapsed().unwrap_or_default();
    assert!(age < Duration::from_secs(60));
}
