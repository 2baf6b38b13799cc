//! Shortens a text to its first and last lines.

/// A shortened text, unescaped and untrusted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Excerpt {
    /// Short enough for one line: the text's lines, for joining with a newline sign. Empty for an empty text.
    OneLine(Vec<Vec<u8>>),
    /// Several lines, shown one below the other.
    Lines(Vec<Piece>),
}

/// A part of an [`Excerpt`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    /// A line, or its beginning.
    Line {
        /// The line's number, from 1.
        number: usize,
        /// The text without its newline.
        text: Vec<u8>,
        /// Whether the end was cut off.
        cut: bool,
    },
    /// The number of lines left out.
    Elided(usize),
}

/// The most lines that are joined into one.
const ONE_LINE: usize = 3;

/// Takes up to `max_lines` lines of at most `max_chars` characters each: two thirds from the start, the others from the
/// end. Up to three lines that fit into `max_chars` together become one.
pub(crate) fn excerpt(bytes: &[u8], max_lines: usize, max_chars: usize) -> Excerpt {
    excerpt_with_long_lines(bytes, max_lines, max_chars, max_chars)
}

/// Like [`excerpt`], but a line of several may have up to `line_chars` characters.
pub(crate) fn excerpt_with_long_lines(bytes: &[u8], max_lines: usize, max_chars: usize, line_chars: usize) -> Excerpt {
    let text = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let lines: Vec<&[u8]> = if bytes.is_empty() { Vec::new() } else { text.split(|b| *b == b'\n').collect() };
    let few = &lines[..lines.len().min(ONE_LINE)];
    // ` ⏎ ` separates lines.
    let chars: usize = few.iter().map(|line| chars_up_to(line, max_chars).0 + 3).sum();
    if lines.len() <= ONE_LINE && chars <= max_chars + 3 {
        return Excerpt::OneLine(lines.iter().map(|line| line.to_vec()).collect());
    }
    let max_lines = max_lines.max(1);
    let head = if lines.len() <= max_lines { lines.len() } else { (max_lines * 2).div_ceil(3) };
    let tail = if lines.len() <= max_lines { 0 } else { max_lines - head };
    let piece = |number: usize| {
        let (_, end) = chars_up_to(lines[number - 1], line_chars);
        Piece::Line { number, text: lines[number - 1][..end].to_vec(), cut: end < lines[number - 1].len() }
    };
    let elided = lines.len() - head - tail;
    let mut pieces: Vec<Piece> = (1..=head).map(piece).collect();
    pieces.extend((elided > 0).then_some(Piece::Elided(elided)));
    pieces.extend((lines.len() - tail + 1..=lines.len()).map(piece));
    Excerpt::Lines(pieces)
}

/// The number of characters of `line`, or `max + 1` if it has more than `max`; and the offset where the first `max`
/// end.
fn chars_up_to(line: &[u8], max: usize) -> (usize, usize) {
    let mut starts = (0..line.len()).filter(|i| line[*i] & 0xc0 != 0x80);
    // A character has at most four bytes. Without this limit, stray continuation bytes would extend it endlessly.
    let end = starts.nth(max).unwrap_or(line.len()).min(max * 4);
    let chars = line[..end].iter().filter(|b| **b & 0xc0 != 0x80).count();
    (if end < line.len() { max + 1 } else { chars }, end)
}
