//! How far the share of a sample can be from the share of all.

/// The normal quantile of 97.5 %, for an interval of 95 %.
const Z: f64 = 1.959_964;

/// The score interval for a share at 95 %, from `of` trials of which `hits` succeeded: its ends, 0 to 1 (E. B. Wilson,
/// Probable inference, the law of succession, and statistical inference, 1927). None without trials.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2⁵²")]
pub(crate) fn wilson(hits: usize, of: usize) -> Option<(f64, f64)> {
    if of == 0 {
        return None;
    }
    let n = of as f64;
    let share = hits as f64 / of as f64;
    let centre = share + Z * Z / (2.0 * n);
    let spread = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + Z * Z / n;
    Some((((centre - spread) / scale).max(0.0), ((centre + spread) / scale).min(1.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_that_of_published_tables() {
        // R. G. Newcombe, Two-sided confidence intervals for the single proportion, 1998, table I, method 3.
        for (hits, of, low, high) in
            [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)]
        {
            let (from, to) = wilson(hits, of).unwrap();
            assert!((from - low).abs() < 6e-5 && (to - high).abs() < 6e-5, "{hits} of {of}: {from} to {to}");
        }
        assert_eq!(wilson(0, 0), None);
        assert!(wilson(20, 20).unwrap().1 > 0.9999);
    }
}
