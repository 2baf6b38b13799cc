//! Tests of the segment format.

use tempfile::TempDir;

use super::*;

fn key(n: u32) -> Key {
    Key::of("test").field("n", n.to_le_bytes()).finish()
}

fn found(path: &Path, from: u64) -> (Vec<Key>, u64) {
    let mut keys = Vec::new();
    let end = scan(path, from, |found| {
        keys.push(found.key);
        Ok::<_, io::Error>(())
    });
    (keys, end.unwrap())
}

#[test]
fn lines_are_json_and_lossless() {
    let cases: [(&str, Option<&[u8]>); 4] =
        [("", None), ("a\nb\u{0}\"\\é\u{2028}", Some(b"")), ("x", Some(b"\xff\x00\n\xfe")), ("y", Some(&[7; 1000]))];
    for (value, blob) in cases {
        let line = encode(&key(1), &value, blob).unwrap();
        assert_eq!(line.iter().position(|b| *b == b'\n'), Some(line.len() - 1));
        assert!(serde_json::from_slice::<serde_json::Value>(&line).unwrap().is_object());
        let cached: CacheEntry<String> = decode(&line, &key(1)).unwrap();
        assert_eq!((&*cached.value, cached.blob.as_deref()), (value, blob));
        assert!(decode::<String>(&line, &key(2)).is_none(), "another key");
        assert!(decode::<u64>(&line, &key(1)).is_none(), "another shape");
    }
}

#[test]
fn no_damaged_line_is_taken() {
    let line = encode(&key(1), &"value", Some(b"blob")).unwrap();
    for at in 0..line.len() - 1 {
        for flip in [1, 0x20, 0x80] {
            let mut damaged = line.clone();
            damaged[at] ^= flip;
            // The checksum does not cover the text around it, but JSON requires that text.
            assert!(decode::<String>(&damaged, &key(1)).is_none_or(|c| c.value == "value"), "byte {at} ^ {flip}");
        }
        assert!(decode::<String>(&line[..at], &key(1)).is_none(), "cut at {at}");
    }
    assert!(encode(&key(1), &"", Some(&vec![0; 16 << 20])).is_none(), "too long");
    let unserialisable = std::collections::HashMap::from([((1, 2), 3)]);
    assert!(encode(&key(1), &unserialisable, None).is_none());
}

#[test]
fn scanning_passes_over_damage_and_stops_before_a_torn_line() {
    let temp = TempDir::new().unwrap();
    let path = temp.path().join("1.jsonl");
    let line = |n| encode(&key(n), &n, None).unwrap();
    let mut bad = line(2);
    bad[100] ^= 1;
    let mut content = [line(1), bad, b"\n\0\xff\n".to_vec(), line(3)].concat();
    let complete = content.len() as u64;
    content.extend(&line(4)[..50]);
    fs::write(&path, &content).unwrap();
    assert_eq!(found(&path, 0), (vec![key(1), key(3)], complete));
    content.extend(&line(4)[50..]);
    fs::write(&path, &content).unwrap();
    assert_eq!(found(&path, complete), (vec![key(4)], content.len() as u64));
    assert_eq!(found(&path, 1 << 40).0, vec![]);
}

#[test]
fn a_line_without_end_is_passed_over() {
    let temp = TempDir::new().unwrap();
    let path = temp.path().join("1.jsonl");
    let line = encode(&key(1), &1, None).unwrap();
    let content = [vec![b'x'; (32 << 20) + 7], b"\n".to_vec(), line].concat();
    fs::write(&path, &content).unwrap();
    assert_eq!(found(&path, 0), (vec![key(1)], content.len() as u64));
}

#[test]
fn only_our_names_are_listed_in_order_of_time() {
    let temp = TempDir::new().unwrap();
    let (_, first) = create(temp.path()).unwrap();
    std::thread::sleep(std::time::Duration::from_micros(50));
    let (_, second) = create(temp.path()).unwrap();
    fs::write(temp.path().join("notes.jsonl"), "").unwrap();
    std::os::unix::fs::symlink("/etc/passwd", temp.path().join("00.jsonl")).unwrap();
    fs::create_dir(temp.path().join("01.jsonl")).unwrap();
    assert_eq!(list(temp.path()).unwrap(), [(first, 0), (second, 0)]);
    for bad in ["../a.jsonl", ".jsonl", "a/b.jsonl", "a.json", "ä.jsonl"] {
        assert!(!is_name(bad), "{bad}");
    }
}
