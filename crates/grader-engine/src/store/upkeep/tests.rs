//! Tests of merging, eviction and sweeping.

use std::path::PathBuf;
use std::time::{Duration, UNIX_EPOCH};

use tempfile::TempDir;

use super::*;
use crate::limits::Bytes;
use crate::store::Store;

fn key(n: u64) -> Key {
    Key::of("test").field("n", n.to_le_bytes()).finish()
}

fn opened(temp: &TempDir, cap: u64) -> Store {
    let (store, notices) = Store::open_with_cap(&temp.path().join(".grader"), Bytes(cap));
    assert_eq!(notices, []);
    store
}

fn place(temp: &TempDir, path: &str) -> PathBuf {
    temp.path().join(".grader").join(path)
}

fn segments(temp: &TempDir) -> Vec<(String, u64)> {
    segment::list(&place(temp, "cache/outcomes")).unwrap()
}

fn values(store: &Store, keys: std::ops::Range<u64>) -> Vec<Option<u64>> {
    let keys: Vec<_> = keys.map(key).collect();
    store.outcomes(&keys).into_iter().map(|cached| cached.map(|cached| cached.value)).collect()
}

#[test]
fn many_small_segments_are_merged() {
    let temp = TempDir::new().unwrap();
    for i in 0..70 {
        opened(&temp, 1 << 30).put_outcome(key(i), &i, None);
    }
    let all = |store: &Store| assert_eq!(values(store, 0..70), (0..70).map(Some).collect::<Vec<_>>());
    all(&opened(&temp, 1 << 30));
    assert!(segments(&temp).len() < 10, "{}", segments(&temp).len());
    fs::remove_file(place(&temp, "index.sqlite")).unwrap();
    all(&opened(&temp, 1 << 30));
}

#[test]
fn superseded_outcomes_are_dropped() {
    let temp = TempDir::new().unwrap();
    for round in 0..3 {
        let store = opened(&temp, 1 << 30);
        for i in 0..400 {
            store.put_outcome(key(i), &(i + round), None);
        }
    }
    let before: u64 = segments(&temp).iter().map(|(_, size)| size).sum();
    let store = opened(&temp, 1 << 30);
    let after: u64 = segments(&temp).iter().map(|(_, size)| size).sum();
    assert!(after * 2 < before, "{before} to {after} bytes");
    assert_eq!(values(&store, 0..400), (2..402).map(Some).collect::<Vec<_>>());
}

#[test]
fn nothing_is_merged_while_another_uses_it() {
    let temp = TempDir::new().unwrap();
    let other = opened(&temp, 1 << 30);
    for i in 0..70 {
        opened(&temp, 1 << 30).put_outcome(key(i), &i, None);
    }
    assert_eq!(segments(&temp).len(), 70);
    drop(other);
}

#[test]
fn of_too_many_outcomes_the_newest_stay() {
    let temp = TempDir::new().unwrap();
    let store = opened(&temp, 1 << 30);
    for i in 0..100 {
        store.put_outcome(key(i), &i, Some(&[0; 3000]));
        // Flushing makes the order of writing equal to the order of putting.
        store.flush();
    }
    drop(store);
    let store = opened(&temp, 400_000);
    let kept: Vec<_> = values(&store, 0..100).into_iter().flatten().collect();
    assert!((20..30).contains(&kept.len()), "{}", kept.len());
    assert_eq!(kept, (kept[0]..100).collect::<Vec<_>>());
}

#[test]
fn the_least_recently_used_artifacts_go_first() {
    let temp = TempDir::new().unwrap();
    let store = opened(&temp, 1 << 30);
    for i in 0..5 {
        let builder = store.build_artifact(key(i)).unwrap();
        fs::write(builder.dir().join("program"), vec![0; 200_000]).unwrap();
        assert!(builder.commit(i).is_cached());
        let dir = place(&temp, "cache/artifacts").join(key(i).to_string());
        File::open(dir).unwrap().set_modified(UNIX_EPOCH + Duration::from_secs(100 - i)).unwrap();
    }
    let present = |store: &Store| (0..5).filter(|i| store.artifact::<u64>(&key(*i)).is_some()).collect::<Vec<_>>();
    assert_eq!(store.artifact::<u64>(&key(4)).unwrap().meta, 4, "the oldest is used");
    let second = opened(&temp, 700_000);
    drop(store);
    drop(second);
    // Nothing was evicted while the first store was open.
    let names = || fs::read_dir(place(&temp, "cache/artifacts")).unwrap().count();
    assert_eq!(names(), 5);
    let store = opened(&temp, 700_000);
    assert_eq!(names(), 2);
    assert_eq!(present(&store), [0, 4]);
    drop(store);
    assert_eq!(present(&opened(&temp, 700_000)), [0, 4]);
}

#[test]
fn what_killed_processes_left_is_swept() {
    let temp = TempDir::new().unwrap();
    drop(opened(&temp, 1 << 30));
    fs::create_dir_all(place(&temp, "cache/tmp/t123/files")).unwrap();
    fs::write(place(&temp, "cache/tmp/t123/files/program"), "half").unwrap();
    fs::create_dir_all(place(&temp, "last/.trash-0/x")).unwrap();
    fs::create_dir_all(place(&temp, "last/nine")).unwrap();
    let outside = temp.path().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("f"), "").unwrap();
    std::os::unix::fs::symlink(&outside, place(&temp, "cache/tmp/link")).unwrap();
    drop(opened(&temp, 1 << 30));
    assert_eq!(fs::read_dir(place(&temp, "cache/tmp")).unwrap().count(), 0);
    assert!(!place(&temp, "last/.trash-0").exists() && place(&temp, "last/nine").exists());
    assert!(outside.join("f").exists());
}

#[test]
fn an_index_that_is_too_large_is_made_anew() {
    let temp = TempDir::new().unwrap();
    drop(opened(&temp, 1 << 30));
    let file = OpenOptions::new().write(true).open(place(&temp, "index.sqlite")).unwrap();
    file.set_len(2 << 20).unwrap();
    let (_, notices) = Store::open_with_cap(&place(&temp, ""), Bytes(1 << 20));
    assert_eq!(notices.len(), 1);
    assert!(size_of(&place(&temp, "index.sqlite")) < 1 << 20);
}
