//! The body of the fuzz target in `fuzz/`. It takes any bytes and panics if the comparator breaks its promises. The tests replay
//! it over the corpus.

use grader_model::problem::{Checker, TokenOptions};

use crate::oracle;

/// Compares an output with an answer, by the streaming comparator and by the slow oracle.
///
/// The input starts with flags (1 case sensitive, 2 space change sensitive, 4 exact, 8 line sensitive; the low bits of a digit),
/// tolerance (a digit), size of the output's chunks, size of the answer's reads, and a line feed. The answer follows,
/// then a line `==`, then the output.
pub fn compare(data: &[u8]) {
    const TOLERANCES: [(Option<f64>, Option<f64>); 5] =
        [(None, None), (Some(1e-6), Some(1e-6)), (Some(0.25), None), (None, Some(0.25)), (Some(0.0), Some(0.0))];
    const BORDER: &[u8] = b"\n==\n";
    let Some(([flags, tolerance, chunk, reads, b'\n'], files)) = data.split_first_chunk() else { return };
    let Some(border) = files.windows(BORDER.len()).position(|window| window == BORDER) else { return };
    let answer = &files[..border];
    let output = &files[border + BORDER.len()..];
    let (float_relative, float_absolute) = TOLERANCES[usize::from(*tolerance) % TOLERANCES.len()];
    let options = TokenOptions {
        case_sensitive: flags & 1 != 0,
        space_change_sensitive: flags & 2 != 0,
        line_sensitive: flags & 8 != 0,
        float_relative,
        float_absolute,
        numbers: <_>::default(),
        labels: false,
    };
    let checker = if flags & 4 == 0 { Checker::Tokens(options) } else { Checker::Exact };
    oracle::check(checker, output, answer, &[usize::from(*chunk)], usize::from(*reads));
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    #[test]
    fn the_corpus_holds() {
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/compare");
        let files: Vec<Vec<u8>> =
            fs::read_dir(corpus).unwrap().map(|entry| fs::read(entry.unwrap().path()).unwrap()).collect();
        assert!(files.len() >= 10, "the corpus is gone");
        for file in files {
            assert!(file.windows(4).any(|window| window == b"\n==\n"), "every case is one");
            super::compare(&file);
        }
    }
}
