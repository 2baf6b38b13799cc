//! The `SQLite` index of the store. It holds the place of each outcome, the digest of each file and the size of each
//! artifact. It also holds the result of each run, and the run times of its programs. It can always be rebuilt from the
//! files, and nothing in it is trusted. The line's own checksum exposes a wrong place, and the digest's seal exposes a
//! wrong digest. The index is therefore never synced to disk, and damage from a crash costs time, not truth.

use std::collections::{HashMap, HashSet};
use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, Transaction, TransactionBehavior, params};

use super::fingerprint::{Fingerprint, Stamp};
use super::history::RunDigest;
use super::key::{Digest, Key, short};
use super::layout::open_plain;
use super::segment;

/// The version of the schema. Raise it with every change of `SCHEMA`.
const VERSION: i64 = 2;

/// The tables by name. `outcomes.key` is the first 8 bytes of the key. Two keys that share these bytes displace each
/// other. This causes a miss, never a wrong result, because the line in the segment contains the whole key.
const SCHEMA: [(&str, &str); 7] = [
    (
        "segments",
        "CREATE TABLE segments (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, \
         indexed INTEGER NOT NULL, scanned INTEGER NOT NULL, lines INTEGER NOT NULL)",
    ),
    (
        "outcomes",
        "CREATE TABLE outcomes (key INTEGER PRIMARY KEY, segment INTEGER NOT NULL, offset INTEGER NOT NULL, \
         length INTEGER NOT NULL)",
    ),
    (
        "files",
        "CREATE TABLE files (dev INTEGER NOT NULL, inode INTEGER NOT NULL, size INTEGER NOT NULL, \
         mtime INTEGER NOT NULL, ctime INTEGER NOT NULL, digest BLOB NOT NULL, seal INTEGER NOT NULL, \
         PRIMARY KEY (dev, inode)) WITHOUT ROWID",
    ),
    ("artifacts", "CREATE TABLE artifacts (key BLOB PRIMARY KEY, bytes INTEGER NOT NULL) WITHOUT ROWID"),
    ("counters", "CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID"),
    ("runs", "CREATE TABLE runs (id TEXT PRIMARY KEY, size INTEGER NOT NULL, summary TEXT NOT NULL) WITHOUT ROWID"),
    (
        "durations",
        "CREATE TABLE durations (subject TEXT PRIMARY KEY, run TEXT NOT NULL, micros INTEGER NOT NULL) WITHOUT ROWID",
    ),
];

/// Why an operation on the index failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum IndexError {
    /// The index must be rebuilt.
    #[error("{0}")]
    Unusable(String),
    /// The database could not do it now (busy, full, read-only, …).
    #[error("{0}")]
    Database(rusqlite::Error),
    /// A segment could not be read.
    #[error("{0}")]
    Segment(#[from] io::Error),
}

impl From<rusqlite::Error> for IndexError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::Error::{FromSqlConversionFailure, IntegralValueOutOfRange, InvalidColumnType};
        let damaged =
            matches!(
                error.sqlite_error_code(),
                Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::TypeMismatch)
            ) || matches!(error, FromSqlConversionFailure(..) | IntegralValueOutOfRange(..) | InvalidColumnType(..));
        if damaged { Self::Unusable(format!("it is damaged ({error})")) } else { Self::Database(error) }
    }
}

type Result<T> = std::result::Result<T, IndexError>;

/// The position of a line in a segment.
pub(super) struct LinePosition {
    pub(super) file: Arc<File>,
    pub(super) offset: u64,
    pub(super) length: u64,
}

/// An open index and the segments it points into.
pub(super) struct Index {
    db: Connection,
    outcomes: PathBuf,
    /// The segments opened so far, by id. None if a segment cannot be opened.
    open: HashMap<i64, Option<Arc<File>>>,
}

impl Index {
    /// Opens the index at `path`, creating it if it does not exist.
    pub(super) fn open(path: &Path, outcomes: &Path) -> Result<Self> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX
            | OpenFlags::SQLITE_OPEN_NOFOLLOW;
        Self::set_up(Connection::open_with_flags(path, flags)?, outcomes)
    }

    /// Creates an index in memory.
    pub(super) fn in_memory(outcomes: &Path) -> Result<Self> {
        Self::set_up(Connection::open_in_memory()?, outcomes)
    }

    fn set_up(mut db: Connection, outcomes: &Path) -> Result<Self> {
        db.busy_timeout(Duration::from_secs(5))?;
        db.pragma_update(None, "trusted_schema", false)?;
        db.pragma_update(None, "synchronous", "OFF")?;
        // The system caches the file anyway; a larger cache would only hold it twice.
        db.pragma_update(None, "cache_size", -1_000)?;
        db.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
        if version(&db)? == 0 {
            create_schema(&mut db)?;
        }
        let version = version(&db)?;
        if version != VERSION {
            return Err(IndexError::Unusable(format!("it has version {version}, and this grader uses {VERSION}")));
        }
        // Other tables, triggers or views: the file may come from another person's archive.
        if tables(&db)? != SCHEMA.iter().map(|(name, sql)| ((*name).into(), (*sql).into())).collect::<HashSet<_>>() {
            return Err(IndexError::Unusable("its tables do not belong to this grader".into()));
        }
        Ok(Self { db, outcomes: outcomes.to_owned(), open: HashMap::new() })
    }

    /// Indexes the lines that were added to the segments since the last scan, and removes deleted segments. If nothing
    /// has changed, this costs one listing of the directory.
    pub(super) fn catch_up(&mut self) -> Result<()> {
        let on_disk = segment::list(&self.outcomes)?;
        let known = self.segments()?;
        let stale: Vec<&str> =
            on_disk.iter().filter(|(name, size)| known.get(name) != Some(size)).map(|(name, _)| &**name).collect();
        let present: HashSet<&str> = on_disk.iter().map(|(name, _)| &**name).collect();
        let gone: Vec<&String> = known.keys().filter(|name| !present.contains(&***name)).collect();
        if stale.is_empty() && gone.is_empty() {
            return Ok(());
        }
        let tx = self.db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for name in &gone {
            tx.execute("DELETE FROM segments WHERE name = ?", [name])?;
        }
        if !gone.is_empty() {
            tx.execute("DELETE FROM outcomes WHERE segment NOT IN (SELECT id FROM segments)", [])?;
        }
        for name in stale {
            match index_segment(&tx, &self.outcomes, name) {
                // An unreadable segment has no outcomes.
                Err(IndexError::Segment(_)) => {}
                done => done?,
            }
        }
        Ok(tx.commit()?)
    }

    /// Records the new lines of one segment, the digests of some files and the sizes of some artifacts.
    pub(super) fn record(
        &mut self,
        segment: Option<&str>,
        files: &[Fingerprint],
        artifacts: &[(Key, u64)],
    ) -> Result<()> {
        let tx = self.db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        if let Some(name) = segment {
            index_segment(&tx, &self.outcomes, name)?;
        }
        let mut put = tx.prepare_cached("REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?, ?)")?;
        for Fingerprint { stamp, digest } in files {
            let Stamp { dev, inode, size, mtime, ctime } = *stamp;
            put.execute(params![dev, inode, size, mtime, ctime, digest.as_bytes(), stamp.seal(digest)])?;
        }
        drop(put);
        for (key, bytes) in artifacts {
            let row = params![key.as_bytes(), bytes.cast_signed()];
            tx.execute("REPLACE INTO artifacts VALUES (?, ?)", row)?;
        }
        Ok(tx.commit()?)
    }

    /// The probable positions of the outcomes of these keys, in the same order.
    pub(super) fn places(&mut self, keys: &[Key]) -> Result<Vec<Option<LinePosition>>> {
        let tx = self.db.transaction()?;
        let mut query = tx.prepare_cached("SELECT segment, offset, length FROM outcomes WHERE key = ?")?;
        let mut rows: Vec<Option<(i64, i64, i64)>> = Vec::with_capacity(keys.len());
        for key in keys {
            rows.push(
                query
                    .query_row([short(key.as_bytes())], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
                    .optional()?,
            );
        }
        drop(query);
        tx.finish()?;
        rows.into_iter().map(|row| row.map_or(Ok(None), |row| self.place(row))).collect()
    }

    fn place(&mut self, (segment, offset, length): (i64, i64, i64)) -> Result<Option<LinePosition>> {
        let offset = offset.cast_unsigned();
        let length = length.cast_unsigned();
        // The caller allocates this length, and the index may be damaged.
        if length > segment::MAX_LINE {
            return Ok(None);
        }
        if !self.open.contains_key(&segment) {
            let file = self.open_segment(segment)?.map(Arc::new);
            self.open.insert(segment, file);
        }
        let file = self.open.get(&segment).cloned().flatten();
        Ok(file.map(|file| LinePosition { file, offset, length }))
    }

    fn open_segment(&self, id: i64) -> Result<Option<File>> {
        let name: Option<String> =
            self.db.query_row("SELECT name FROM segments WHERE id = ?", [id], |row| row.get(0)).optional()?;
        let name = name.filter(|name| segment::is_name(name));
        // All outcomes of a segment that cannot be opened are misses.
        Ok(name.and_then(|name| open_plain(&self.outcomes.join(name), OpenOptions::new().read(true)).ok()))
    }

    /// The recorded digests of files with these stamps, in the same order.
    pub(super) fn digests(&mut self, stamps: &[Option<Stamp>]) -> Result<Vec<Option<Digest>>> {
        let tx = self.db.transaction()?;
        let mut query = tx.prepare_cached(
            "SELECT digest, seal FROM files WHERE dev = ? AND inode = ? AND size = ? AND mtime = ? AND ctime = ?",
        )?;
        let mut digests = Vec::with_capacity(stamps.len());
        for stamp in stamps {
            let Some(stamp) = stamp else {
                digests.push(None);
                continue;
            };
            let fields = params![stamp.dev, stamp.inode, stamp.size, stamp.mtime, stamp.ctime];
            let row: Option<([u8; 32], i64)> =
                query.query_row(fields, |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
            let digest = row.map(|(digest, seal)| (Digest::from_bytes(digest), seal));
            digests.push(digest.filter(|(digest, seal)| stamp.seal(digest) == *seal).map(|(digest, _)| digest));
        }
        drop(query);
        tx.finish()?;
        Ok(digests)
    }

    /// The total size of all recorded artifacts, in bytes.
    pub(super) fn artifact_bytes(&self) -> Result<u64> {
        let sum: i64 = self.db.query_row("SELECT coalesce(sum(bytes), 0) FROM artifacts", [], |row| row.get(0))?;
        Ok(sum.cast_unsigned())
    }

    /// Replaces the recorded artifacts.
    pub(super) fn set_artifacts(&mut self, artifacts: &[(Key, u64)]) -> Result<()> {
        self.db.execute("DELETE FROM artifacts", [])?;
        self.record(None, &[], artifacts)
    }

    /// Whether more than half of the lines of all segments are superseded; never with at most 1,000 lines. Counting is
    /// slow. It is therefore repeated only when the lines are twice as many as the last count of live outcomes.
    pub(super) fn mostly_superseded(&mut self) -> Result<bool> {
        let lines: i64 = self.db.query_row("SELECT coalesce(sum(lines), 0) FROM segments", [], |row| row.get(0))?;
        let counted: Option<i64> =
            self.db.query_row("SELECT value FROM counters WHERE name = 'alive'", [], |row| row.get(0)).optional()?;
        if lines / 2 <= counted.unwrap_or(0).max(500) {
            return Ok(false);
        }
        let alive: i64 = self.db.query_row("SELECT count(*) FROM outcomes", [], |row| row.get(0))?;
        self.db.execute("REPLACE INTO counters VALUES ('alive', ?)", [alive])?;
        Ok(alive < lines / 2)
    }

    /// The position of every outcome as (segment name, offset, length), in the order of writing.
    pub(super) fn all_places(&self) -> Result<Vec<(String, u64, u64)>> {
        let mut query = self.db.prepare(
            "SELECT name, offset, length FROM outcomes JOIN segments ON segments.id = outcomes.segment \
             ORDER BY name, offset",
        )?;
        let rows = query.query_map([], |row| {
            let (offset, length): (i64, i64) = (row.get(1)?, row.get(2)?);
            Ok((row.get(0)?, offset.cast_unsigned(), length.cast_unsigned()))
        })?;
        Ok(rows.collect::<std::result::Result<_, _>>()?)
    }

    /// The recorded runs: the size of each record at that time, and its summary.
    pub(super) fn runs(&self) -> Result<HashMap<String, (u64, String)>> {
        let mut query = self.db.prepare("SELECT id, size, summary FROM runs")?;
        let rows =
            query.query_map([], |row| Ok((row.get(0)?, (row.get::<_, i64>(1)?.cast_unsigned(), row.get(2)?))))?;
        Ok(rows.collect::<std::result::Result<_, _>>()?)
    }

    /// Records a run. Its durations do not replace those of a newer run.
    pub(super) fn put_run(&mut self, id: &str, size: u64, digest: &RunDigest) -> Result<()> {
        let tx = self.db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        tx.execute("REPLACE INTO runs VALUES (?, ?, ?)", params![id, size.cast_signed(), digest.summary])?;
        let mut put = tx.prepare(
            "INSERT INTO durations VALUES (?1, ?2, ?3) ON CONFLICT (subject) DO UPDATE \
             SET run = ?2, micros = ?3 WHERE run <= ?2",
        )?;
        for (subject, duration) in &digest.durations {
            put.execute(params![subject, id, i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)])?;
        }
        drop(put);
        Ok(tx.commit()?)
    }

    /// Removes runs whose records are gone. Durations stay.
    pub(super) fn forget_runs(&mut self, gone: &[String]) -> Result<()> {
        let tx = self.db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for id in gone {
            tx.execute("DELETE FROM runs WHERE id = ?", [id])?;
        }
        Ok(tx.commit()?)
    }

    /// The last durations of these subjects, in the same order.
    pub(super) fn durations(&mut self, subjects: &[String]) -> Result<Vec<Option<Duration>>> {
        let tx = self.db.transaction()?;
        let mut query = tx.prepare_cached("SELECT micros FROM durations WHERE subject = ?")?;
        let mut durations = Vec::with_capacity(subjects.len());
        for subject in subjects {
            let micros: Option<i64> = query.query_row([subject], |row| row.get(0)).optional()?;
            durations.push(micros.map(|micros| Duration::from_micros(micros.unsigned_abs())));
        }
        drop(query);
        tx.finish()?;
        Ok(durations)
    }

    /// Removes the cached outcomes and the fingerprints, and frees the space. Facts about runs are not a cache, so they
    /// stay.
    pub(super) fn clear(&mut self) -> Result<()> {
        self.open.clear();
        let tx = self.db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for (table, _) in SCHEMA.iter().filter(|(table, _)| !["runs", "durations"].contains(table)) {
            tx.execute(&format!("DELETE FROM {table}"), [])?;
        }
        tx.commit()?;
        // The output of VACUUM stays in the write-ahead log until the checkpoint.
        Ok(self.db.execute_batch("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)")?)
    }

    /// The segments by name, with their sizes at the last scan.
    fn segments(&self) -> Result<HashMap<String, u64>> {
        let mut query = self.db.prepare("SELECT name, scanned FROM segments")?;
        let rows = query.query_map([], |row| Ok((row.get(0)?, row.get::<_, i64>(1)?.cast_unsigned())))?;
        Ok(rows.collect::<std::result::Result<_, _>>()?)
    }
}

/// Indexes the lines of a segment after the end of its last scan. If the segment has shrunk, starts from its beginning.
fn index_segment(tx: &Transaction<'_>, dir: &Path, name: &str) -> Result<()> {
    tx.execute("INSERT OR IGNORE INTO segments (name, indexed, scanned, lines) VALUES (?, 0, 0, 0)", [name])?;
    let known = "SELECT id, indexed, lines FROM segments WHERE name = ?";
    let (id, mut from, mut lines): (i64, i64, i64) =
        tx.query_row(known, [name], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    let path = dir.join(name);
    let size = path.symlink_metadata()?.len().cast_signed();
    if size < from {
        tx.execute("DELETE FROM outcomes WHERE segment = ?", [id])?;
        from = 0;
        lines = 0;
    }
    let mut put = tx.prepare("REPLACE INTO outcomes VALUES (?, ?, ?, ?)")?;
    let end = segment::scan(&path, from.cast_unsigned(), |found| {
        lines += 1;
        put.execute(params![short(found.key.as_bytes()), id, found.offset.cast_signed(), found.length.cast_signed()])?;
        Ok::<_, IndexError>(())
    })?;
    // If the file grew after its size was read, the next call scans it again. This is harmless, because the scan starts
    // at `indexed`.
    let scanned = size.max(end.cast_signed());
    let row = params![end.cast_signed(), scanned, lines, id];
    tx.execute("UPDATE segments SET indexed = ?, scanned = ?, lines = ? WHERE id = ?", row)?;
    Ok(())
}

fn version(db: &Connection) -> Result<i64> {
    Ok(db.pragma_query_value(None, "user_version", |row| row.get(0))?)
}

fn create_schema(db: &mut Connection) -> Result<()> {
    let tx = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have created them first. The caller detects tables without a version.
    if version(&tx)? == 0 && tables(&tx)?.is_empty() {
        for (_, sql) in SCHEMA {
            tx.execute(sql, [])?;
        }
        tx.pragma_update(None, "user_version", VERSION)?;
    }
    Ok(tx.commit()?)
}

/// All tables, triggers and views of the database by name, with the statements that created them.
fn tables(db: &Connection) -> Result<HashSet<(String, String)>> {
    let mut query = db.prepare("SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")?;
    let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<std::result::Result<_, _>>()?)
}
