//! The mistakes that rows of a data set can have.

use std::io;

use serde_json::Error as JsonError;

/// Why a row does not have the shape of its data set, or cannot become a problem.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Mistake {
    /// The row is not a JSON object, or lacks a key.
    #[error("{0}")]
    Keys(JsonError),
    /// The value of a key is of another kind.
    #[error("`{key}`: {error}")]
    Value { key: &'static str, error: JsonError },
    #[error("`{0}` is neither a string nor a list of lines")]
    NoText(&'static str),
    #[error("{0:?} cannot be the name of a function")]
    FunctionName(String),
    #[error("it has no tests")]
    NoTests,
    #[error("it has neither `problem_id` nor `name` nor `url`")]
    NoName,
    #[error("{0:?} has no letter for the name of a problem")]
    NoLetter(String),
    #[error("`{key}` has {inputs} inputs and {outputs} outputs")]
    Unequal { key: &'static str, inputs: usize, outputs: usize },
    #[error("its programs use the file {0:?} instead of standard input and output")]
    NamedFile(String),
    #[error("its tests call a function, and `metadata` has no `func_name`")]
    NoFunction,
    #[error("some of its tests call a function, others do not")]
    Mixed,
    #[error("an argument is not JSON: {0}")]
    Argument(JsonError),
    #[error("`private_test_cases`: {0}")]
    Packed(#[from] Unpackable),
}

/// Why packed tests cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unpackable {
    #[error("neither JSON nor base64: {0}")]
    Base64(#[from] base64::DecodeError),
    #[error("zlib: {0}")]
    Zlib(#[from] io::Error),
    #[error("larger than {0} MiB")]
    TooLarge(u64),
    #[error("the pickle is something else than one text")]
    Pickle,
    #[error("{0}")]
    Json(#[from] JsonError),
}
