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
