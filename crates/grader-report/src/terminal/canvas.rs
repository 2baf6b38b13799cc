//! Standard error as the place where bars are drawn. A bar leaves nothing behind when the terminal becomes narrower or when
//! a key is echoed beside it.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};

use console::{Term, measure_text_width, truncate_str};
use indicatif::TermLike;

/// Columns that stay free at the right, so that the echo of Ctrl-C stays in the line of the bar.
const MARGIN: u16 = 4;

/// A terminal on which bars are drawn in one line.
#[derive(Debug)]
pub(super) struct Canvas {
    term: Term,
    /// The columns that are drawn.
    drawn: AtomicUsize,
}

impl Canvas {
    pub(super) fn new() -> Self {
        Self { term: Term::buffered_stderr(), drawn: AtomicUsize::new(0) }
    }
}

impl TermLike for Canvas {
    fn width(&self) -> u16 {
        self.term.size().1.saturating_sub(MARGIN).max(1)
    }

    fn height(&self) -> u16 {
        self.term.size().0
    }

    // All that is drawn is in one line.
    fn move_cursor_up(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_down(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_right(&self, n: usize) -> io::Result<()> {
        self.term.move_cursor_right(n)
    }

    fn move_cursor_left(&self, n: usize) -> io::Result<()> {
        self.term.move_cursor_left(n)
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.term.write_line(text)
    }

    /// Writes a bar, cut to the line. Leaves out the spaces with which it is filled up: they are in the way when the
    /// terminal becomes narrower.
    fn write_str(&self, text: &str) -> io::Result<()> {
        let drawn = self.drawn.load(Ordering::Relaxed);
        let shown = truncate_str(text.trim_end_matches(' '), usize::from(self.width()).saturating_sub(drawn), "");
        self.drawn.store(drawn + measure_text_width(&shown), Ordering::Relaxed);
        self.term.write_str(&shown)
    }

    /// Clears the bar. A terminal that has become narrower has broken its line into several.
    fn clear_line(&self) -> io::Result<()> {
        let columns = usize::from(self.term.size().1).max(1);
        let lines = self.drawn.swap(0, Ordering::Relaxed).div_ceil(columns);
        // Line by line from the last: some terminals keep what is cleared by a single command in their history.
        for line in 0..lines.max(1) {
            self.term.move_cursor_up(usize::from(line > 0))?;
            self.term.clear_line()?;
        }
        Ok(())
    }

    fn flush(&self) -> io::Result<()> {
        self.term.flush()
    }
}
