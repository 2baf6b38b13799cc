//! Shortens a text to its first and last lines.

/// A shortened text, unescaped and untrusted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Excerpt {
    /// Short enough for one line: the text's lines, for joining with a newline sign. Empty for an empty text.
    OneLine(Vec<Vec<u8>>),
    /// Several lines, shown one below the other.
    Lines(Vec<Piece>),
}

/// A part of an [`Excerpt`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// A line, or its beginning.
    Line {
        /// The line's number, from 1.
        number: usize,
        /// The text without its newline.
        text: Vec<u8>,
        /// The number of characters that were cut off at the end.
        cut: usize,
    },
    /// Lines left out.
    Elided {
        /// Their number.
        lines: usize,
        /// The number of lines of the whole text.
        of: usize,
    },
}

/// The most lines that are joined into one.
const ONE_LINE: usize = 3;

/// Takes up to `max_lines` lines of at most `max_chars` characters each: two thirds from the start, the others from the
/// end. Up to three lines that fit into `max_chars` together become one.
pub fn excerpt(bytes: &[u8], max_lines: usize, max_chars: usize) -> Excerpt {
    excerpt_with_long_lines(bytes, max_lines, max_chars, max_chars)
}

/// Like [`excerpt`], but a line of several may have up to `line_chars` characters.
pub fn excerpt_with_long_lines(bytes: &[u8], max_lines: usize, max_chars: usize, line_chars: usize) -> Excerpt {
    let lines = lines_of(bytes);
    let few = &lines[..lines.len().min(ONE_LINE)];
    // ` ⏎ ` separates lines.
    let chars: usize = few.iter().map(|line| chars_up_to(line, max_chars).0 + 3).sum();
    if lines.len() <= ONE_LINE && chars <= max_chars + 3 {
        return Excerpt::OneLine(lines.iter().map(|line| line.to_vec()).collect());
    }
    Excerpt::Lines(pieces(&lines, &lines, lines.len(), max_lines, line_chars))
}

/// Like [`excerpt_with_long_lines`], for a text of `total` lines of which only the beginning and the end are known. The
/// end begins with a whole line.
pub fn excerpt_of_ends(head: &[u8], tail: &[u8], total: usize, max_lines: usize, line_chars: usize) -> Excerpt {
    Excerpt::Lines(pieces(&lines_of(head), &lines_of(tail), total, max_lines, line_chars))
}

/// The lines of a text, without their newlines.
fn lines_of(bytes: &[u8]) -> Vec<&[u8]> {
    let text = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    if bytes.is_empty() { Vec::new() } else { text.split(|b| *b == b'\n').collect() }
}

fn pieces(first: &[&[u8]], last: &[&[u8]], total: usize, max_lines: usize, line_chars: usize) -> Vec<Piece> {
    let max_lines = max_lines.max(1);
    let head = if total <= max_lines { total } else { (max_lines * 2).div_ceil(3) }.min(first.len());
    let tail = if total <= max_lines { total - head } else { max_lines.saturating_sub(head) }.min(last.len());
    let piece = |(number, line): (usize, &&[u8])| {
        let (_, end) = chars_up_to(line, line_chars);
        Piece::Line {
            number,
            text: line[..end].to_vec(),
            cut: line[end..].iter().filter(|b| **b & 0xc0 != 0x80).count(),
        }
    };
    let elided = total - head - tail;
    let mut pieces: Vec<Piece> = (1..).zip(&first[..head]).map(piece).collect();
    pieces.extend((elided > 0).then_some(Piece::Elided { lines: elided, of: total }));
    pieces.extend((total - tail + 1..).zip(&last[last.len() - tail..]).map(piece));
    pieces
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
