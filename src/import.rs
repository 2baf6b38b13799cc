//! Makes problems of the data sets with which programs are trained and measured: each row becomes a package in the format
//! 2025-09, with its tests, its limits and its labelled solutions.
//!
//! Its files:
//!
//! - `rows`: reads JSON Lines, JSON and Parquet
//! - `shapes`: the meaning of the keys of each data set
//! - `problem`: writes the package

mod mistake;
mod problem;
mod rows;
mod shapes;

use std::path::{Path, PathBuf};

use crate::package::cases::{MoveError, Staging, move_all};
pub(crate) use mistake::Mistake;
pub(crate) use problem::KeptSolutions;
use rows::Row;
pub(crate) use rows::{RowsError, rows};
pub(crate) use shapes::Shape;

/// The options of an import: the shape of the rows, the directory for the problems, and limits on their number.
#[derive(Debug, Clone)]
pub(crate) struct Options {
    pub(crate) shape: Shape,
    /// The directory for the problems.
    pub(crate) out: PathBuf,
    /// The most solutions that a problem gets of each label.
    pub(crate) solutions: usize,
    /// The most problems that are made.
    pub(crate) most: usize,
}

/// A problem that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MadeProblem {
    /// Its name and the name of its directory.
    pub(crate) slug: String,
    pub(crate) tests: usize,
    /// The programs of assertions among the tests.
    pub(crate) assertions: Vec<String>,
    pub(crate) kept: KeptSolutions,
    /// Whether its tests are still to be made by its generator.
    pub(crate) lacks_tests: bool,
}

/// A row of which no problem was made.
#[derive(Debug, thiserror::Error)]
#[error("{}, row {row}: {why}", .file.display())]
pub(crate) struct RefusedRow {
    pub(crate) file: PathBuf,
    /// The number of the row, from 1.
    pub(crate) row: u64,
    pub(crate) why: Why,
}

/// Why no problem was made of a row.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Why {
    /// The row does not have the shape.
    #[error("{0}")]
    Row(#[from] Mistake),
    /// The problem exists already, or cannot be written.
    #[error("{0}")]
    Write(#[from] MoveError),
    /// A file of the problem cannot be written.
    #[error("cannot write {}: {error}", .path.display())]
    File { path: PathBuf, error: std::io::Error },
}

/// Makes problems of the rows of `files`, and informs `done` about each row. A row that cannot be imported does not affect others.
///
/// # Errors
/// A file cannot be read. The problems that were made stay.
pub(crate) fn import(
    files: &[PathBuf],
    options: &Options,
    mut done: impl FnMut(Result<MadeProblem, RefusedRow>),
) -> Result<(), RowsError> {
    let mut made = 0;
    for file in files {
        for (row, text) in (1..).zip(rows(file)?) {
            if made >= options.most {
                return Ok(());
            }
            let result = make(&text?, options);
            made += usize::from(result.is_ok());
            done(result.map_err(|why| RefusedRow { file: file.clone(), row, why }));
        }
    }
    Ok(())
}

/// Makes the problem of one row: whole, or not at all.
fn make(row: &Row, options: &Options) -> Result<MadeProblem, Why> {
    let imported = options.shape.read(row)?;
    let slug = imported.slug()?;
    let staging = Staging::new(&options.out)?;
    let near = staging.path(&slug);
    let kept = imported.write(&near, options.solutions).map_err(|(path, error)| Why::File { path, error })?;
    move_all(&[(near, options.out.join(&slug))])?;
    let lacks_tests = imported.judge.makes_tests();
    let tests = imported.tests.len();
    let assertions = imported.tests.into_iter().filter(|test| test.answer.is_none()).map(|test| test.input).collect();
    Ok(MadeProblem { slug, tests, assertions, kept, lacks_tests })
}

impl Options {
    /// Whether the directory for the problems is a file.
    pub(crate) fn is_out_taken(&self) -> bool {
        let out: &Path = &self.out;
        out.exists() && !out.is_dir()
    }
}
