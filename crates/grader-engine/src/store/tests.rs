//! Tests of the store as a whole, within one process.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::time::Instant;

use tempfile::TempDir;

use super::*;

fn key(n: u64) -> Key {
    Key::of("test").field("n", n.to_le_bytes()).finish()
}

fn opened(temp: &TempDir) -> Store {
    let (store, notices) = Store::open(&temp.path().join(".grader"));
    assert_eq!(notices, []);
    assert!(store.is_enabled());
    store
}

/// Creates a store with outcomes 0..n, and closes it.
fn filled(n: u64) -> TempDir {
    let temp = TempDir::new().unwrap();
    let store = opened(&temp);
    for i in 0..n {
        store.put_outcome(key(i), &i, Some(&i.to_le_bytes()));
    }
    temp
}

/// The number of outcomes 0..n that the store finds. None may be wrong.
fn count(store: &Store, n: u64) -> usize {
    let keys: Vec<_> = (0..n).map(key).collect();
    let found = store.outcomes::<u64>(&keys);
    for (i, found) in (0u64..).zip(&found) {
        if let Some(found) = found {
            assert_eq!(*found, CacheEntry { value: i, blob: Some(i.to_le_bytes().to_vec()) });
        }
    }
    found.iter().flatten().count()
}

fn files_of(temp: &TempDir, dir: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(temp.path().join(".grader").join(dir)).unwrap();
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

#[test]
fn outcomes_are_found_at_once_and_later() {
    let temp = TempDir::new().unwrap();
    let store = opened(&temp);
    assert_eq!(store.outcome::<u64>(&key(0)), None);
    store.put_outcome(key(0), &0u64, Some(&0u64.to_le_bytes()));
    assert_eq!(count(&store, 2), 1);
    store.flush();
    assert_eq!(count(&store, 2), 1);
    drop(store);
    assert_eq!(count(&opened(&temp), 2), 1);
    assert_eq!(opened(&temp).outcome::<String>(&key(0)), None, "another shape");
}

#[test]
fn the_last_value_of_a_key_counts() {
    let temp = TempDir::new().unwrap();
    let store = opened(&temp);
    let value = |store: &Store| store.outcome::<u64>(&key(7)).unwrap().value;
    for (i, flush) in [(1, false), (2, true), (3, false), (4, true)] {
        store.put_outcome(key(7), &i, None);
        if flush {
            store.flush();
        }
        assert_eq!(value(&store), i);
    }
    drop(store);
    let store = opened(&temp);
    store.put_outcome(key(7), &5, None);
    drop(store);
    assert_eq!(value(&opened(&temp)), 5);
    fs::remove_file(temp.path().join(".grader/index.sqlite")).unwrap();
    assert_eq!(value(&opened(&temp)), 5, "also after rebuilding the index");
}

#[test]
fn a_batch_is_written_in_time_without_being_asked() {
    let temp = TempDir::new().unwrap();
    let store = opened(&temp);
    let wait_for_segment = |within: Duration| {
        let start = Instant::now();
        let written = || files_of(&temp, "cache/outcomes").iter().any(|path| path.metadata().unwrap().len() > 0);
        while !written() {
            assert!(start.elapsed() < within, "not written");
            std::thread::sleep(Duration::from_millis(5));
        }
        start.elapsed()
    };
    store.put_outcome(key(0), &0, None);
    assert!(wait_for_segment(Duration::from_secs(10)) > Duration::from_millis(500));
}

#[test]
fn a_full_batch_is_written_early() {
    let temp = TempDir::new().unwrap();
    let store = opened(&temp);
    let start = Instant::now();
    for i in 0..200 {
        store.put_outcome(key(i), &i, None);
    }
    while files_of(&temp, "cache/outcomes").is_empty() {
        std::thread::sleep(Duration::from_millis(5));
        assert!(start.elapsed() < Duration::from_millis(900), "not written early");
    }
}

#[test]
fn a_store_that_is_off_works_as_if_nothing_was_known() {
    let temp = TempDir::new().unwrap();
    let file = temp.path().join("f");
    fs::write(&file, "x").unwrap();
    let store = Store::disabled();
    store.put_outcome(key(0), &0u64, None);
    store.flush();
    assert_eq!(store.outcomes::<u64>(&[key(0), key(1)]), [None, None]);
    assert_eq!(store.digest_file(&file).unwrap(), Digest::of_bytes(b"x"));
    let builder = store.build_artifact(key(1)).unwrap();
    fs::write(builder.dir().join("program"), "x").unwrap();
    let artifact = builder.commit(1u64);
    assert!(artifact.dir.join("program").exists() && !artifact.is_cached());
    let dir = artifact.dir.clone();
    drop(artifact);
    assert!(!dir.exists());
    assert!(store.artifact::<u64>(&key(1)).is_none());
    assert_eq!(store.begin_run().finish(), Ok(None));
    assert!(store.last_run().is_none());
    assert_eq!(store.size(), Size::default());
    store.clear().unwrap();
}

#[test]
fn an_index_that_is_unusable_is_rebuilt_with_one_notice() {
    type Damage = fn(&Path);
    let damages: [(&str, Damage); 6] = [
        ("random bytes", |index| {
            let mut bytes = vec![0; 99_999];
            blake3::Hasher::new().finalize_xof().fill(&mut bytes);
            fs::write(index, bytes).unwrap();
        }),
        ("text", |index| fs::write(index, "not a database, but long enough to be read as one").unwrap()),
        ("another version", |index| {
            rusqlite::Connection::open(index).unwrap().pragma_update(None, "user_version", 99).unwrap();
        }),
        ("a trigger", |index| {
            let trigger = "CREATE TRIGGER t AFTER INSERT ON outcomes BEGIN DELETE FROM segments; END";
            rusqlite::Connection::open(index).unwrap().execute_batch(trigger).unwrap();
        }),
        ("tables of another shape", |index| {
            let tables = "DROP TABLE files; CREATE TABLE files (a, b)";
            rusqlite::Connection::open(index).unwrap().execute_batch(tables).unwrap();
        }),
        ("a page of zeros", |index| {
            let file = OpenOptions::new().write(true).open(index).unwrap();
            file.write_all_at(&[0; 4096], 4096).unwrap();
        }),
    ];
    for (what, damage) in damages {
        let temp = filled(500);
        let index = temp.path().join(".grader/index.sqlite");
        damage(&index);
        let (store, notices) = Store::open(&temp.path().join(".grader"));
        assert!(matches!(&*notices, [Notice::IndexRebuilt { .. }]), "{what}: {notices:?}");
        assert_eq!(count(&store, 500), 500, "{what}");
        drop(store);
        assert_eq!(count(&opened(&temp), 500), 500, "{what}");
    }
}

#[test]
fn an_index_that_is_gone_or_empty_is_rebuilt_silently() {
    let temp = filled(10);
    let index = temp.path().join(".grader/index.sqlite");
    fs::remove_file(&index).unwrap();
    assert_eq!(count(&opened(&temp), 10), 10);
    fs::write(&index, "").unwrap();
    assert_eq!(count(&opened(&temp), 10), 10);
}

#[test]
fn no_damage_to_the_index_gives_a_wrong_outcome_or_digest() {
    let temp = filled(2000);
    let file = temp.path().join("old");
    fs::write(&file, "old").unwrap();
    let old = opened(&temp);
    let stamp = Stamp::of(&fs::metadata(&file).unwrap()).unwrap();
    old.journal().unwrap().put_files(vec![Fingerprint { stamp, digest: Digest::of_bytes(b"old") }]);
    drop(old);
    let index = temp.path().join(".grader/index.sqlite");
    let sound = fs::read(&index).unwrap();
    let mut random = blake3::Hasher::new().finalize_xof();
    for _ in 0..60 {
        let mut damaged = sound.clone();
        for _ in 0..200 {
            let mut bytes = [0; 5];
            random.fill(&mut bytes);
            let [byte, at @ ..] = bytes;
            // After the header, so that a part of the file is accepted.
            let at = 100 + u32::from_le_bytes(at) as usize % (damaged.len() - 100);
            damaged[at] = byte;
        }
        fs::write(&index, damaged).unwrap();
        let (store, _) = Store::open(&temp.path().join(".grader"));
        count(&store, 2000);
        assert_eq!(store.digest_file(&file).unwrap(), Digest::of_bytes(b"old"));
        drop(store);
        // Damage that shows only in use is repaired by the next two stores: the first may still find it.
        drop(Store::open(&temp.path().join(".grader")));
    }
    fs::write(&index, "damaged").unwrap();
    assert_eq!(count(&Store::open(&temp.path().join(".grader")).0, 2000), 2000);
}

#[test]
fn what_a_sound_index_says_wrongly_is_not_believed() {
    for lie in [
        "UPDATE files SET digest = zeroblob(32)",
        "UPDATE files SET digest = x'00'",
        "UPDATE outcomes SET offset = offset + 1",
        "UPDATE outcomes SET offset = 0",
        "UPDATE outcomes SET offset = -1",
        "UPDATE outcomes SET length = length - 2",
        "UPDATE outcomes SET length = 1 << 62",
        "UPDATE outcomes SET length = 0",
        "UPDATE outcomes SET segment = 77",
        "UPDATE segments SET name = '../../f'",
    ] {
        let temp = filled(20);
        let file = temp.path().join("f");
        fs::write(&file, "content").unwrap();
        let store = opened(&temp);
        let stamp = Stamp::of(&fs::metadata(&file).unwrap()).unwrap();
        let known = Fingerprint { stamp, digest: Digest::of_bytes(b"known, not read") };
        store.journal().unwrap().put_files(vec![known]);
        store.flush();
        assert_eq!(store.digest_file(&file).unwrap(), known.digest);
        let changed = rusqlite::Connection::open(temp.path().join(".grader/index.sqlite")).unwrap().execute(lie, []);
        assert!(changed.unwrap() > 0);
        let found = count(&store, 20);
        let digest = store.digest_file(&file).unwrap();
        if lie.contains("UPDATE files") {
            assert_eq!((found, digest), (20, Digest::of_bytes(b"content")), "{lie}");
        } else {
            assert!(found <= 1, "{lie}: {found}");
        }
    }
}

#[test]
fn damage_found_in_use_is_told_once_and_mended_by_the_next() {
    // Few enough outcomes that opening does not count them, and so does not notice the damage.
    let temp = filled(800);
    let index = temp.path().join(".grader/index.sqlite");
    let pages: u32 =
        rusqlite::Connection::open(&index).unwrap().pragma_query_value(None, "page_count", |row| row.get(0)).unwrap();
    let root: u32 = rusqlite::Connection::open(&index)
        .unwrap()
        .query_row("SELECT rootpage FROM sqlite_schema WHERE name = 'outcomes'", [], |row| row.get(0))
        .unwrap();
    assert!(pages > root);
    let file = OpenOptions::new().write(true).open(&index).unwrap();
    file.write_all_at(&[0xff; 4096], u64::from(root - 1) * 4096).unwrap();
    let store = opened(&temp);
    assert_eq!(count(&store, 800), 0);
    store.put_outcome(key(9999), &1u64, None);
    store.flush();
    assert_eq!(count(&store, 800), 0);
    assert!(matches!(&*store.take_notices(), [Notice::IndexDamaged { .. }]));
    assert_eq!(store.take_notices(), []);
    drop(store);
    let (store, notices) = Store::open(&temp.path().join(".grader"));
    assert!(matches!(&*notices, [Notice::IndexRebuilt { .. }]), "{notices:?}");
    assert_eq!(count(&store, 800), 800);
    assert_eq!(store.outcome::<u64>(&key(9999)).unwrap().value, 1, "written although the index was damaged");
}

#[test]
fn an_index_damaged_while_others_use_it_is_left_to_them() {
    let temp = filled(100);
    let first = opened(&temp);
    rusqlite::Connection::open(temp.path().join(".grader/index.sqlite"))
        .unwrap()
        .pragma_update(None, "user_version", 99)
        .unwrap();
    let (second, notices) = Store::open(&temp.path().join(".grader"));
    assert!(matches!(&*notices, [Notice::IndexRebuilt { cause, .. }] if cause.contains("in memory")), "{notices:?}");
    assert_eq!(count(&second, 100), 100);
    second.put_outcome(key(100), &100u64, Some(&100u64.to_le_bytes()));
    second.flush();
    assert_eq!(count(&second, 101), 101);
    assert_eq!(count(&first, 100), 100);
    drop((first, second));
    let (third, notices) = Store::open(&temp.path().join(".grader"));
    assert_eq!(notices.len(), 1);
    assert_eq!(count(&third, 101), 101);
}

#[test]
fn a_segment_cut_anywhere_keeps_its_whole_lines() {
    for index_stays in [true, false] {
        let temp = filled(20);
        let segment = files_of(&temp, "cache/outcomes").pop().unwrap();
        let content = fs::read(&segment).unwrap();
        for cut in (0..content.len()).rev().step_by(97) {
            fs::write(&segment, &content[..cut]).unwrap();
            if !index_stays {
                fs::remove_file(temp.path().join(".grader/index.sqlite")).unwrap();
            }
            let whole = content[..cut].split(|b| *b == b'\n').count() - 1;
            assert_eq!(count(&opened(&temp), 20), whole, "cut at {cut}");
        }
        fs::remove_file(&segment).unwrap();
        assert_eq!(count(&opened(&temp), 20), 0);
    }
}

#[test]
fn a_torn_line_does_not_spoil_what_is_written_later() {
    let temp = filled(5);
    let segment = files_of(&temp, "cache/outcomes").pop().unwrap();
    let torn = fs::metadata(&segment).unwrap().len() - 10;
    OpenOptions::new().write(true).open(&segment).unwrap().set_len(torn).unwrap();
    let store = opened(&temp);
    assert_eq!(count(&store, 5), 4);
    for i in 0..5 {
        store.put_outcome(key(i), &i, Some(&i.to_le_bytes()));
    }
    drop(store);
    assert_eq!(count(&opened(&temp), 5), 5);
}

#[test]
fn digests_are_recorded_and_follow_every_change() {
    let temp = TempDir::new().unwrap();
    let paths: Vec<_> = (0..3).map(|i| temp.path().join(format!("f{i}"))).collect();
    for path in &paths {
        fs::write(path, path.as_os_str().as_encoded_bytes()).unwrap();
    }
    let check = |store: &Store| {
        for (path, digest) in paths.iter().zip(store.digest_files(&paths)) {
            assert_eq!(digest.unwrap(), Digest::of_bytes(&fs::read(path).unwrap()));
        }
    };
    let recorded = |store: &Store| {
        let stamps: Vec<_> = paths.iter().map(|path| Stamp::of(&fs::metadata(path).unwrap())).collect();
        let found = store.journal().unwrap().ask(|index| index.digests(&stamps)).unwrap();
        found.iter().flatten().count()
    };
    let store = opened(&temp);
    check(&store);
    store.flush();
    assert_eq!(recorded(&store), 0, "changed just now");
    std::thread::sleep(Duration::from_millis(2600));
    check(&store);
    store.flush();
    assert_eq!(recorded(&store), 3);
    check(&store);
    // The size and the mtime are unchanged: only the ctime differs.
    let mtime = fs::metadata(&paths[0]).unwrap().modified().unwrap();
    let mut content = fs::read(&paths[0]).unwrap();
    content[0] = b'#';
    fs::write(&paths[0], content).unwrap();
    OpenOptions::new().write(true).open(&paths[0]).unwrap().set_modified(mtime).unwrap();
    fs::rename(&paths[1], &paths[2]).unwrap();
    fs::write(&paths[1], "new").unwrap();
    check(&store);
    let errors = store.digest_files(&[temp.path(), &temp.path().join("missing"), &paths[0]]);
    assert!(errors[0].is_err() && errors[1].is_err() && errors[2].is_ok());
}

#[test]
fn clearing_leaves_records_and_a_working_store() {
    let temp = TempDir::new().unwrap();
    let store = opened(&temp);
    store.begin_run().finish().unwrap();
    store.put_outcome(key(0), &0u64, None);
    store.flush();
    store.put_outcome(key(1), &1u64, None);
    let builder = store.build_artifact(key(2)).unwrap();
    fs::write(builder.dir().join("program"), "x").unwrap();
    assert!(builder.commit(()).is_cached());
    assert!(store.size().outcomes.0 > 0 && store.size().artifacts.0 > 0 && store.size().index.0 > 0);

    let other = opened(&temp);
    assert!(matches!(store.clear(), Err(ClearError::InUse(_))));
    assert!(store.outcome::<u64>(&key(0)).is_some());
    drop(other);
    store.clear().unwrap();
    assert_eq!((store.size().outcomes, store.size().artifacts), (Bytes(0), Bytes(0)));
    assert_eq!(store.outcomes::<u64>(&[key(0), key(1)]), [None, None]);
    assert!(store.artifact::<()>(&key(2)).is_none());
    assert_eq!(files_of(&temp, "runs").len(), 1);

    store.put_outcome(key(3), &3u64, None);
    drop(store);
    assert_eq!(opened(&temp).outcome::<u64>(&key(3)).unwrap().value, 3);
}

#[test]
fn keys_that_begin_alike_are_never_mixed_up() {
    let temp = TempDir::new().unwrap();
    let store = opened(&temp);
    let [a, b] = ["a", "b"].map(|end| Key::from_hex(&format!("{}{}", "0".repeat(63), end)).unwrap());
    store.put_outcome(a, &1u64, None);
    store.flush();
    assert_eq!(store.outcome::<u64>(&b), None);
    store.put_outcome(b, &2u64, None);
    store.flush();
    assert_eq!(store.outcome::<u64>(&a), None, "displaced");
    assert_eq!(store.outcome::<u64>(&b).unwrap().value, 2);
}

#[test]
fn values_may_be_any_json() {
    let temp = TempDir::new().unwrap();
    let store = opened(&temp);
    let value = BTreeMap::from([("a".to_owned(), vec![Some(1), None]), ("\n\0é".to_owned(), vec![])]);
    store.put_outcome(key(0), &value, None);
    drop(store);
    assert_eq!(opened(&temp).outcome(&key(0)), Some(CacheEntry { value, blob: None }));
}
