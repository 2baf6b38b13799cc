//! Bodies of the fuzz targets of `fuzz/`: each takes any bytes and panics where a module breaks its word. Replayed over
//! the corpus by the tests.

use crate::judge::compare::oracle;
use crate::problem::{Checker, TokenOptions};

/// Compares an output with an answer by the streaming comparator and by the slow oracle.
///
/// The bytes: flags (1 case sensitive, 2 space change sensitive, 4 exact; the low bits of a digit), tolerance (a digit),
/// size of the output's chunks, size of the answer's reads, a line feed; the answer; a line `==`; the output.
pub fn compare(data: &[u8]) {
    const TOLERANCES: [(Option<f64>, Option<f64>); 5] =
        [(None, None), (Some(1e-6), Some(1e-6)), (Some(0.25), None), (None, Some(0.25)), (Some(0.0), Some(0.0))];
    const BORDER: &[u8] = b"\n==\n";
    let Some(([flags, tolerance, chunk, reads, b'\n'], files)) = data.split_first_chunk() else { return };
    let Some(border) = files.windows(BORDER.len()).position(|window| window == BORDER) else { return };
    let (answer, output) = (&files[..border], &files[border + BORDER.len()..]);
    let (float_relative, float_absolute) = TOLERANCES[usize::from(*tolerance) % TOLERANCES.len()];
    let options = TokenOptions {
        case_sensitive: flags & 1 != 0,
        space_change_sensitive: flags & 2 != 0,
        float_relative,
        float_absolute,
        numbers: <_>::default(),
    };
    let checker = if flags & 4 == 0 { Checker::Tokens(options) } else { Checker::Exact };
    oracle::check(checker, output, answer, &[usize::from(*chunk)], usize::from(*reads));
}

/// Any bytes as `grader.toml`.
pub fn config(data: &[u8]) {
    crate::config::fuzz_config(data);
}

/// Any bytes as `submissions.yaml`.
pub fn submissions_yaml(data: &[u8]) {
    crate::package::submissions_yaml::fuzz_submissions_yaml(data);
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    fn replay(target: &str, body: fn(&[u8]), at_least: usize) {
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target);
        let files: Vec<_> = fs::read_dir(corpus).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert!(files.len() >= at_least, "the corpus of {target} is gone");
        for file in files {
            body(&fs::read(file).unwrap());
        }
    }

    #[test]
    fn the_corpora_hold() {
        replay("compare", super::compare, 10);
        replay("config", super::config, 5);
        replay("submissions_yaml", super::submissions_yaml, 5);
    }

    #[test]
    fn every_case_of_the_comparator_is_one() {
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus/compare");
        for entry in fs::read_dir(corpus).unwrap() {
            let data = fs::read(entry.unwrap().path()).unwrap();
            assert!(data.windows(4).any(|window| window == b"\n==\n"));
        }
    }
}
