//! Reads the rows of a data set as JSON objects, from JSON Lines, JSON or Parquet.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use serde_json::value::RawValue;

/// The largest row, and the largest JSON file that is one value, in bytes.
const LARGEST: u64 = 1 << 30;

/// A row: the text of a JSON object.
pub(crate) type Row = String;

/// The rows of one file.
pub(crate) type Rows = Box<dyn Iterator<Item = Result<Row, RowsError>>>;

/// A file that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {}: {cause}", .file.display())]
pub(crate) struct RowsError {
    pub(crate) file: PathBuf,
    pub(crate) cause: Cause,
}

/// Why a file cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Cause {
    /// The operating system says so.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// A row is too large.
    #[error("line {0} is larger than {largest} MiB", largest = LARGEST >> 20)]
    TooLarge(u64),
    /// The file is one value, but no list of objects.
    #[error("it is neither JSON Lines nor a list of objects: {0}")]
    NotJson(#[from] serde_json::Error),
    /// The Parquet file is broken.
    #[cfg(feature = "parquet")]
    #[error("{0}")]
    Parquet(#[from] parquet::errors::ParquetError),
    /// This grader was built without Parquet.
    #[cfg(not(feature = "parquet"))]
    #[error(
        "this grader was built without Parquet\n  → cargo install --features parquet, or convert the file: \
         python3 -c 'import pandas, sys; pandas.read_parquet(sys.argv[1]).to_json(sys.argv[2], orient=\"records\", \
         lines=True)' FILE.parquet FILE.jsonl"
    )]
    NoParquet,
}

/// Opens a file by its ending: `.parquet`, `.json`, JSON Lines without either; `.gz` after these means compressed.
pub(crate) fn rows(file: &Path) -> Result<Rows, RowsError> {
    let ending = |path: &Path| path.extension().unwrap_or_default().to_ascii_lowercase();
    let opened = File::open(file).map_err(Cause::from).and_then(|opened| match ending(file).to_str() {
        Some("parquet") => of_parquet(opened),
        Some("gz") => {
            let inner = file.file_stem().is_some_and(|inner| ending(Path::new(inner)) == "json");
            of_json(MultiGzDecoder::new(opened), inner)
        }
        _ => of_json(opened, ending(file) == "json"),
    });
    let failed = |file: &Path| {
        let file = file.to_owned();
        move |cause| RowsError { file: file.clone(), cause }
    };
    let later = failed(file);
    Ok(Box::new(opened.map_err(failed(file))?.map(move |row| row.map_err(&later))))
}

pub(crate) type RowsWithCause = Box<dyn Iterator<Item = Result<Row, Cause>>>;

/// The rows of a JSON text. `is_whole`: it may be a list of objects.
fn of_json(input: impl Read + 'static, is_whole: bool) -> Result<RowsWithCause, Cause> {
    let mut input = BufReader::with_capacity(1 << 16, input);
    if !is_whole {
        return Ok(Box::new(Lines { input, number: 0 }));
    }
    // A list of objects, or JSON Lines under another name.
    let mut text = String::new();
    if input.by_ref().take(LARGEST + 1).read_to_string(&mut text)? as u64 > LARGEST {
        return Err(Cause::TooLarge(1));
    }
    let rows: Vec<Row> = if text.trim_start().starts_with('[') {
        serde_json::from_str::<Vec<Box<RawValue>>>(&text)?.into_iter().map(|row| row.get().to_owned()).collect()
    } else {
        serde_json::Deserializer::from_str(&text)
            .into_iter::<Box<RawValue>>()
            .map(|row| Ok(row?.get().to_owned()))
            .collect::<Result<_, serde_json::Error>>()?
    };
    Ok(Box::new(rows.into_iter().map(Ok)))
}

/// The lines of a file that are not empty.
struct Lines<R> {
    input: R,
    number: u64,
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = Result<Row, Cause>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            self.number += 1;
            let mut line = String::new();
            match self.input.by_ref().take(LARGEST).read_line(&mut line) {
                Ok(0) => return None,
                Ok(read) if read as u64 == LARGEST => return Some(Err(Cause::TooLarge(self.number))),
                Ok(_) if line.trim().is_empty() => {}
                Ok(_) => return Some(Ok(line)),
                Err(error) => return Some(Err(error.into())),
            }
        }
    }
}

#[cfg(feature = "parquet")]
fn of_parquet(file: File) -> Result<RowsWithCause, Cause> {
    use parquet::file::reader::SerializedFileReader;

    let rows = SerializedFileReader::new(file)?.into_iter();
    Ok(Box::new(rows.map(|row| Ok(row?.to_json_value().to_string()))))
}

#[cfg(not(feature = "parquet"))]
fn of_parquet(_: File) -> Result<RowsWithCause, Cause> {
    Err(Cause::NoParquet)
}

#[cfg(all(test, feature = "parquet"))]
mod tests {
    use std::sync::Arc;

    use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;

    use super::*;

    #[test]
    fn rows_of_parquet_are_objects() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.parquet");
        let schema = "message rows { required int64 id; required binary text (UTF8); }";
        let schema = Arc::new(parse_message_type(schema).unwrap());
        let properties = WriterProperties::builder().set_compression(parquet::basic::Compression::SNAPPY).build();
        let mut writer = SerializedFileWriter::new(File::create(&path).unwrap(), schema, Arc::new(properties)).unwrap();
        let mut group = writer.next_row_group().unwrap();
        let mut ids = group.next_column().unwrap().unwrap();
        ids.typed::<Int64Type>().write_batch(&[1, 2], None, None).unwrap();
        ids.close().unwrap();
        let mut texts = group.next_column().unwrap().unwrap();
        let both = [ByteArray::from("a\"b"), ByteArray::from("\n")];
        texts.typed::<ByteArrayType>().write_batch(&both, None, None).unwrap();
        texts.close().unwrap();
        group.close().unwrap();
        writer.close().unwrap();
        let read: Vec<Row> = rows(&path).unwrap().collect::<Result<_, _>>().unwrap();
        assert_eq!(read, [r#"{"id":1,"text":"a\"b"}"#, r#"{"id":2,"text":"\n"}"#]);
        std::fs::write(&path, "PAR1 broken").unwrap();
        assert!(matches!(rows(&path), Err(RowsError { cause: Cause::Parquet(_), .. })));
    }
}
