//! Estimates how wide a formula is, to warn about one that a printed page cuts. It knows no fonts.

use quick_xml::Reader;
use quick_xml::events::Event;

/// About as many letters fit in a line of a printed page. Measured: 115 in Chromium, on A4.
const PAGE: f64 = 125.0;
/// The width of an operator with the space around it, in letters. Measured: `a+` takes as much as 3.3 letters of text.
const OPERATOR: f64 = 2.3;
/// The size of an index.
const SMALL: f64 = 0.7;
/// Operators without space around them.
const TIGHT: &str = "()[]{}|⌊⌋⌈⌉‖,.!′'\u{2061}\u{2062}";

/// Whether a formula in MathML is wider than a printed page. In doubt it is not.
pub(super) fn is_too_wide(markup: &str) -> bool {
    width(markup) > PAGE
}

/// The width in letters.
fn width(markup: &str) -> f64 {
    let mut open: Vec<(Vec<u8>, Vec<f64>)> = vec![(Vec::new(), Vec::new())];
    let mut reader = Reader::from_str(markup);
    let put = |open: &mut Vec<(Vec<u8>, Vec<f64>)>, own: f64| {
        if let Some((_, parts)) = open.last_mut() {
            parts.push(own);
        }
    };
    loop {
        match reader.read_event() {
            Ok(Event::Start(element)) => open.push((element.name().as_ref().to_vec(), Vec::new())),
            Ok(Event::Text(text)) => {
                let is_operator = open.last().is_some_and(|(name, _)| name == b"mo");
                let text = String::from_utf8_lossy(&text);
                let of_letter = |letter| if is_operator && !TIGHT.contains(letter) { OPERATOR } else { 1.0 };
                put(&mut open, text.chars().map(of_letter).sum());
            }
            Ok(Event::GeneralRef(_)) => {
                let is_operator = open.last().is_some_and(|(name, _)| name == b"mo");
                put(&mut open, if is_operator { OPERATOR } else { 1.0 });
            }
            Ok(Event::End(_)) => {
                let Some((name, parts)) = open.pop() else { return 0.0 };
                put(&mut open, whole(&name, &parts));
            }
            Ok(Event::Empty(_)) => put(&mut open, 0.0),
            // The markup was checked before.
            Ok(Event::Eof) | Err(_) => break,
            Ok(_) => {}
        }
    }
    open.pop().map_or(0.0, |(_, parts)| parts.iter().sum())
}

/// The width of an element with these parts.
fn whole(name: &[u8], parts: &[f64]) -> f64 {
    let widest = |parts: &[f64]| parts.iter().copied().fold(0.0, f64::max);
    match (name, parts) {
        (b"mfrac" | b"mtable" | b"munder" | b"mover" | b"munderover", parts) => widest(parts),
        (b"msub" | b"msup" | b"msubsup" | b"mroot", [base, scripts @ ..]) => base + SMALL * widest(scripts),
        (_, parts) => parts.iter().sum(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statement::math::mathml;

    #[test]
    fn only_formulas_that_a_page_cuts_are_too_wide() {
        let is_wide = |formula: &str| is_too_wide(&mathml(formula, true).unwrap());
        assert!(is_wide(&("a+".repeat(40) + "b")));
        assert!(is_wide(&format!("\\text{{{}}}", "word ".repeat(30))));
        assert!(!is_wide(&("a+".repeat(30) + "b")));
        assert!(!is_wide(&"\\sum_{i=1}^{n} ".repeat(25)));
        let long = "a+".repeat(18) + "b";
        assert!(!is_wide(&format!("\\begin{{aligned}} x &= {long} \\\\ &+ {long} \\\\ &+ {long} \\end{{aligned}}")));
        assert!(!is_wide(&format!("\\frac{{{long}}}{{{long}}}")));
    }
}
