//! The parts of a text that give an impression of it.

/// A text of somebody else's, shortened for showing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Excerpt {
    /// Short enough for one line: its lines, to be joined by a sign for a newline. Empty for an empty text.
    OneLine(Vec<Vec<u8>>),
    /// Line by line.
    Lines(Vec<Piece>),
}

/// A part of an [`Excerpt`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    /// A line, or its beginning.
    Line {
        /// 1-based.
        number: usize,
        /// Without newline.
        text: Vec<u8>,
        /// Whether the end was cut off.
        cut: bool,
    },
    /// So many lines left out.
    Elided(usize),
}

/// Up to this many lines are shown as one.
const ONE_LINE: usize = 3;

/// Up to `max_lines` lines of at most `max_chars` characters each: two thirds from the head, the others from the tail.
/// A few lines that fit into `max_chars` together become one.
pub(crate) fn excerpt(bytes: &[u8], max_lines: usize, max_chars: usize) -> Excerpt {
    let text = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let lines: Vec<&[u8]> = if bytes.is_empty() { Vec::new() } else { text.split(|b| *b == b'\n').collect() };
    let few = &lines[..lines.len().min(ONE_LINE)];
    // ` ⏎ ` between lines.
    let chars: usize = few.iter().map(|line| chars_up_to(line, max_chars).0 + 3).sum();
    if lines.len() <= ONE_LINE && chars <= max_chars + 3 {
        return Excerpt::OneLine(lines.iter().map(|line| line.to_vec()).collect());
    }
    let max_lines = max_lines.max(1);
    let head = if lines.len() <= max_lines { lines.len() } else { (max_lines * 2).div_ceil(3) };
    let tail = if lines.len() <= max_lines { 0 } else { max_lines - head };
    let piece = |number: usize| {
        let (_, end) = chars_up_to(lines[number - 1], max_chars);
        Piece::Line { number, text: lines[number - 1][..end].to_vec(), cut: end < lines[number - 1].len() }
    };
    let elided = lines.len() - head - tail;
    let mut pieces: Vec<Piece> = (1..=head).map(piece).collect();
    pieces.extend((elided > 0).then_some(Piece::Elided(elided)));
    pieces.extend((lines.len() - tail + 1..=lines.len()).map(piece));
    Excerpt::Lines(pieces)
}

/// How many characters `line` has, `max + 1` for any more than `max`, and where the first `max` of them end.
fn chars_up_to(line: &[u8], max: usize) -> (usize, usize) {
    let mut starts = (0..line.len()).filter(|i| line[*i] & 0xc0 != 0x80);
    // No character takes more than four bytes; stray continuation bytes would make it endless.
    let end = starts.nth(max).unwrap_or(line.len()).min(max * 4);
    let chars = line[..end].iter().filter(|b| **b & 0xc0 != 0x80).count();
    (if end < line.len() { max + 1 } else { chars }, end)
}
