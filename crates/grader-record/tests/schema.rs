//! Records of other versions are read, and mean the same. `schema/N.jsonl` has every key of schema N with a value.
//!
//! A test here fails if a key changes its name, type or meaning. Such a change needs a new `SCHEMA` and a new file; the old
//! files stay, because readers know all earlier schemas. A new key only needs a value in the newest file.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use grader_record::event::{Event, SCHEMA, TestResult};
use serde_json::Value;

/// Fields that are in no record, and `index`, which is called `run` there.
const NOT_KEYS: [&str; 3] = ["last_wall", "index", "grade"];

fn path_of(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(file)
}

fn path(schema: u32) -> PathBuf {
    path_of(&format!("tests/schema/{schema}.jsonl"))
}

fn lines(schema: u32) -> Vec<String> {
    let path = path(schema);
    let text = fs::read_to_string(&path).unwrap_or_else(|_| panic!("schema {schema} needs {}", path.display()));
    text.lines().map(str::to_owned).collect()
}

#[test]
fn every_schema_is_read_and_the_newest_is_written() {
    for schema in 1..=SCHEMA {
        for line in lines(schema) {
            let event = Event::from_line(line.as_bytes()).unwrap_or_else(|error| panic!("{error}: {line}"));
            if schema == SCHEMA {
                let written: Value = serde_json::from_slice(&event.to_line().unwrap()).unwrap();
                let known: Value = serde_json::from_str(&line).unwrap();
                assert_eq!(
                    written,
                    known,
                    "a key has another name or form: raise SCHEMA and add schema/{}.jsonl",
                    SCHEMA + 1
                );
            }
        }
    }
    let head: Value = serde_json::from_str(&lines(SCHEMA)[0]).unwrap();
    assert_eq!(head["schema"], SCHEMA, "the first line states its schema");
}

#[test]
fn times_are_seconds_and_sizes_are_bytes() {
    let events: Vec<Event> = lines(SCHEMA).iter().map(|line| Event::from_line(line.as_bytes()).unwrap()).collect();
    let [Event::RunStarted(head), .., Event::RunFinished(end)] = &events[..] else { panic!("{events:?}") };
    let problem = &head.problems[0];
    assert_eq!((problem.time_limit, problem.memory.0), (Duration::from_millis(1500), 256 << 20));
    assert_eq!(head.roster[0].late, Some(Duration::from_secs(90)));
    assert_eq!(end.measured.wall, Duration::from_millis(2750));
    let measured = events.iter().find_map(|event| match event {
        Event::TestFinished(finished) => match &finished.result {
            TestResult::Judged(judgement) => Some(judgement.measured.clone()),
            _ => None,
        },
        _ => None,
    });
    let measured = measured.unwrap();
    assert_eq!((measured.cpu, measured.wall), (Duration::from_millis(214), Duration::from_micros(300_500)));
    assert_eq!((measured.memory.0, measured.time_limit), (32 << 20, Some(Duration::from_secs(3))));
    assert_eq!(measured.times, [Duration::from_millis(214), Duration::from_millis(220)]);
}

#[test]
fn the_newest_file_has_every_key() {
    fn keys(value: &Value, all: &mut BTreeSet<String>) {
        match value {
            Value::Object(object) => object.iter().for_each(|(key, value)| {
                all.insert(key.clone());
                keys(value, all);
            }),
            Value::Array(values) => values.iter().for_each(|value| keys(value, all)),
            _ => {}
        }
    }
    let mut known = BTreeSet::new();
    for line in lines(SCHEMA) {
        keys(&serde_json::from_str(&line).unwrap(), &mut known);
    }
    let dir = path_of("src/event");
    let files = fs::read_dir(&dir).unwrap().map(|file| file.unwrap().path()).chain([dir.with_extension("rs")]);
    let source: String = files.map(|file| fs::read_to_string(file).unwrap()).collect();
    let fields = source.lines().filter_map(|line| line.strip_prefix("    pub ")?.split_once(':')).map(|(name, _)| name);
    let fields: Vec<&str> = fields.filter(|name| name.chars().all(|c| c.is_ascii_lowercase() || c == '_')).collect();
    assert!(fields.len() > 60, "{fields:?}");
    let unknown: Vec<&&str> =
        fields.iter().filter(|name| !known.contains(**name) && !NOT_KEYS.contains(name)).collect();
    assert!(unknown.is_empty(), "give these keys a value in schema/{SCHEMA}.jsonl: {unknown:?}");
}
