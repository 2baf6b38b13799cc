//! The abilities of the reader's screen, and substitutes for signs that it cannot show.
//!
//! The command line says it once. Texts contain all signs, and the renderer looks here.

use std::borrow::Cow;
use std::sync::OnceLock;

use super::Yellow;

/// The abilities of a screen.
#[derive(Debug, Clone, Copy, Default)]
pub struct Screen {
    /// Whether only ASCII can be shown, because the locale's character set is another than UTF-8.
    pub ascii: bool,
    /// Returns the width in columns at which sentences are broken; none to break none.
    pub columns: Option<fn() -> usize>,
    /// How yellow looks.
    pub yellow: Yellow,
}

static SCREEN: OnceLock<Screen> = OnceLock::new();

/// Our own signs, each with its form in ASCII. Those of columns and marks are as wide as the sign.
const SIGNS: [(char, &str); 17] = [
    ('→', "->"),
    ('←', "<-"),
    ('…', "~"),
    ('·', "-"),
    ('–', "-"),
    ('×', "x"),
    ('✓', "+"),
    ('✗', "X"),
    ('│', "|"),
    ('┌', "+"),
    ('━', "="),
    ('╸', ">"),
    ('⏎', "\\n"),
    ('\u{338}', " missing"),
    ('␍', "\\r"),
    ('␛', "\\x1b"),
    ('²', "^2"),
];

impl Screen {
    /// Says what the screen of this process can show. Only the first call counts.
    pub fn settle(self) {
        // A second call would come from a test that runs several commands.
        let _ = SCREEN.set(self);
    }

    /// The screen of this process; one that shows everything if none was set.
    pub fn current() -> Self {
        SCREEN.get().copied().unwrap_or_default()
    }

    /// The form of one of our own texts on this screen.
    pub fn signs(self, text: &str) -> Cow<'_, str> {
        if !self.ascii || text.is_ascii() {
            return text.into();
        }
        let mut shown = String::with_capacity(text.len());
        for c in text.chars() {
            match SIGNS.iter().find(|(sign, _)| *sign == c) {
                Some((_, ascii)) => shown.push_str(ascii),
                None => shown.push(c),
            }
        }
        shown.into()
    }
}
