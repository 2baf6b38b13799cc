//! Untrusted text on a terminal is escaped, measured and cut.

use super::*;

#[test]
fn nothing_raw_passes() {
    let check = |bytes: &[u8], expect: &str| assert_eq!(escape(bytes, Whitespace::Quiet), expect, "{bytes:?}");
    check(b"plain ASCII", "plain ASCII");
    check("小哈win é ∑ 🐱".as_bytes(), "小哈win é ∑ 🐱");
    check(b"\x1b[31mred\x1b]0;title\x07", "␛[31mred␛]0;title\\x07");
    check(b"\0\x08\x7f", "\\x00\\x08\\x7f");
    check(b"a\tb\rc\n", "a    b␍c⏎");
    check(b"\xff\xc3(", "\\xff\\xc3(");
    check(b"\xe5\xb0", "\\xe5\\xb0");
    check(b"\xed\xa0\x80", "\\xed\\xa0\\x80");
    check("\u{9b}31m".as_bytes(), "\\u{9b}31m");
    check("user\u{202e}gpj.exe".as_bytes(), "user\\u{202e}gpj.exe");
    check("a\u{200b}b\u{feff}\u{ad}".as_bytes(), "a\\u{200b}b\\u{feff}\\u{ad}");
    check("a\u{a0}b\u{2028}".as_bytes(), "a\\u{a0}b\\u{2028}");
    check("👨\u{200d}👩".as_bytes(), "👨\\u{200d}👩");
    check("\u{ffff}\u{10fffe}".as_bytes(), "\\u{ffff}\\u{10fffe}");
}

#[test]
fn combining_marks_are_few_and_have_a_base() {
    let check = |text: &str, expect: &str| assert_eq!(escape(text.as_bytes(), Whitespace::Quiet), expect);
    check("e\u{301}", "e\u{301}");
    check("\u{301}e", "\\u{301}e");
    check("e\u{301}\u{302}\u{303}\u{304}!", "e\u{301}\u{302}\u{303}\\u{304}!");
    check("\x07\u{301}", "\\x07\\u{301}");
}

#[test]
fn blanks_are_shown_where_they_matter() {
    assert_eq!(escape(b" \t\r\n", Whitespace::Visible), "·→   ␍⏎");
    assert_eq!(escape(b" \t\r\n", Whitespace::Inline), " \\t\\r\\n");
    assert_eq!(escape("\u{3000}".as_bytes(), Whitespace::Quiet), "\u{3000}");
    assert_eq!(escape("\u{3000}".as_bytes(), Whitespace::Visible), "\\u{3000}");
}

#[test]
fn every_character_comes_out_printable() {
    // The planes in between are unassigned, and the planes after them are private.
    for c in ('\0'..='\u{3ffff}').chain('\u{e0000}'..='\u{e0fff}') {
        let shown = escape(c.encode_utf8(&mut [0; 4]).as_bytes(), Whitespace::Inline);
        assert!(!shown.chars().any(char::is_control) && width(&shown) > 0, "{c:?} became {shown:?}");
    }
}

#[test]
fn widths_count_columns() {
    assert_eq!(width("小哈win"), 7);
    assert_eq!(width("e\u{301}"), 1);
    assert_eq!(pad("小哈", 6), "小哈  ");
    assert_eq!(pad("abc", 2), "abc");
}

#[test]
fn cuts_respect_columns() {
    let check = |text: &str, columns, expect: &str| {
        let cut = truncate(text, columns);
        assert_eq!(cut, expect);
        assert!(width(&cut) <= columns);
    };
    check("abcdef", 6, "abcdef");
    check("abcdef", 5, "abcd…");
    check("abcdef", 1, "…");
    check("abcdef", 0, "");
    check("小哈当前", 8, "小哈当前");
    check("小哈当前", 7, "小哈当…");
    check("小哈当前", 6, "小哈 …");
    check("", 3, "");
}

#[test]
fn windows_keep_styles_and_show_both_cuts() {
    let line = Line::from("0123").with("4567", Style::BAD).with("89", Style::PLAIN);
    assert_eq!(line.window(3, 5).plain(), "…456…");
    assert_eq!(line.window(5, 5).plain(), "…6789");
    assert_eq!(line.window(5, 9).plain(), "…6789");
    assert_eq!(line.window(3, 5).spans()[1], Span { text: "456".into(), style: Style::BAD });
    assert_eq!(Line::from("小哈当前").window(2, 5).plain(), "… 当…");
    assert_eq!(Line::from("abcdef").window(2, 1).plain(), "…");
    for start in 0..12 {
        for columns in 0..12 {
            assert!(line.window(start, columns).width() <= columns);
        }
    }
}

#[test]
fn paint_is_on_or_off() {
    let line = Line::from("a ").with("b", Style::BAD.bold().underline()).with("  ", Style::PLAIN);
    assert_eq!(line.render(Paint::new(false)), "a b");
    assert_eq!(line.render(Paint::new(true)), "a \x1b[1;4;31mb\x1b[0m");
    assert_eq!(Line::from("x").with("y", Style::FAINT).render(Paint::Ansi), "x\x1b[2my\x1b[0m");
}

#[test]
fn sentences_are_broken_between_words() {
    let broken = |line: Line, columns| line.broken(columns).iter().map(Line::plain).collect::<Vec<_>>();
    let from = |text: &str| Line::from(text);
    assert_eq!(broken(from("one two"), 7), ["one two"]);
    assert_eq!(broken(from("one two three"), 7), ["one two", "  three"]);
    assert_eq!(broken(from("  one two three"), 9), ["  one two", "    three"]);
    assert_eq!(broken(from("a  bc"), 4), ["a", "  bc"]);
    // A long word stays whole, and wide characters count twice.
    assert_eq!(broken(from("a wonderful b"), 5), ["a", "  wonderful", "  b"]);
    assert_eq!(broken(from("日本 語"), 5), ["日本", "  語"]);
    assert_eq!(broken(from("wonderful"), 5), ["wonderful"]);
    // Text to copy, and output of programs, stays unchanged.
    assert_eq!(broken(from("one two three").whole(), 7).len(), 1);
    assert_eq!(broken(from("one ").with("two three", Style::PLAIN.verbatim()), 7).len(), 1);
    // Each part keeps its style.
    let line = from("one ").with("two three", Style::BAD);
    let parts: Vec<String> = line.broken(7).iter().map(|line| line.styled(Paint::Ansi, Yellow::Theme)).collect();
    assert_eq!(parts, ["one \x1b[31mtwo\x1b[0m", "  \x1b[31mthree\x1b[0m"]);
}

#[test]
fn own_signs_become_ascii_and_those_of_programs_stay() {
    let screen = Screen { ascii: true, ..Screen::default() };
    assert_eq!(screen.signs("✓ a · b → c"), "+ a - b -> c");
    assert_eq!(Screen::default().signs("✓"), "✓");
    let line = Line::from("→ ").with("→ é", Style::PLAIN.verbatim());
    assert_eq!(line.in_signs_of(screen).plain(), "-> → é");
}

#[test]
fn yellow_is_not_that_of_the_theme_on_a_terminal() {
    let shown = |yellow| Line::new().with("x", Style::NOTICE).styled(Paint::Ansi, yellow);
    assert_eq!(shown(Yellow::Brown), "\x1b[38;5;130mx\x1b[0m");
    assert_eq!(shown(Yellow::Bold), "\x1b[1mx\x1b[0m");
}
