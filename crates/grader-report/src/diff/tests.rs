//! Rendered differences, side by side and unified.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::*;
use crate::explain::{Options, Window, explain};
use crate::problem::Checker;

fn explained(answer: &[u8], output: &[u8], checker: &str, columns: usize) -> Diff {
    let checker: Checker = checker.parse().unwrap();
    let deadline = Instant::now() + Duration::from_secs(5);
    let options = Options { checker, context: 2, max_rows: 40, columns, deadline };
    explain(&Window::whole(answer), &Window::whole(output), &options)
}

/// Compares two texts and renders the diff as plain text.
fn show(answer: &[u8], output: &[u8], checker: &str, columns: usize, layout: DiffLayout) -> String {
    let explained = explained(answer, output, checker, columns);
    let view = View { layout, ..View::new(columns, Paint::Plain) };
    let lines: Vec<String> = diff(&explained, &view).iter().map(|line| line.render(Paint::Plain)).collect();
    for line in &lines {
        assert!(crate::text::width(line) <= columns, "too wide for {columns}: {line}");
    }
    lines.join("\n")
}

const KITTEN_ANSWER: &str = "小哈win\n小哈当前手中的牌是 [1 6 5 2 3 4 1]\n桌上的牌是 [3 4 5 6 2]\n";
const KITTEN_OUTPUT: &str = "小哈win\n小哈当前手中的牌是 [2 2 5 3 6 4 4 1]\n桌上的牌是 [6 1 5 3]\n";

#[test]
fn kitten_in_two_columns() {
    let shown = show(KITTEN_ANSWER.as_bytes(), KITTEN_OUTPUT.as_bytes(), "tokens", 100, DiffLayout::Auto);
    insta::assert_snapshot!(shown, @r#"
        answer                             │     your output
    1   小哈win                            │ 1   小哈win
    2 - 小哈当前手中的牌是 [1 6 5 2 3 4 1] │ 2 + 小哈当前手中的牌是 [2 2 5 3 6 4 4 1]
                           ^^ ^ ^          │                        ^^   ^   ^ ^
    3 - 桌上的牌是 [3 4 5 6 2]             │ 3 + 桌上的牌是 [6 1 5 3]
                    ^ ^   ^ ^^             │                 ^ ^   ^^
    "#);
}

#[test]
fn kitten_unified_where_two_columns_do_not_fit() {
    let shown = show(KITTEN_ANSWER.as_bytes(), KITTEN_OUTPUT.as_bytes(), "tokens", 70, DiffLayout::Auto);
    insta::assert_snapshot!(shown, @r#"
        - answer   + your output
    1 1   小哈win
    2   - 小哈当前手中的牌是 [1 6 5 2 3 4 1]
                             ^^ ^ ^
      2 + 小哈当前手中的牌是 [2 2 5 3 6 4 4 1]
                             ^^   ^   ^ ^
    3   - 桌上的牌是 [3 4 5 6 2]
                      ^ ^   ^ ^^
      3 + 桌上的牌是 [6 1 5 3]
                      ^ ^   ^^
    "#);
}

#[test]
fn kitten_in_two_narrow_columns_is_cut_around_the_change() {
    let shown = show(KITTEN_ANSWER.as_bytes(), KITTEN_OUTPUT.as_bytes(), "tokens", 60, DiffLayout::SideBySide);
    insta::assert_snapshot!(shown, @r#"
        answer                   │     your output
    1   小哈win                  │ 1   小哈win
    2 - …的牌是 [1 6 5 2 3 4 1]  │ 2 + …的牌是 [2 2 5 3 6 4 4 1]
                ^^ ^ ^           │             ^^   ^   ^ ^
    3 - 桌上的牌是 [3 4 5 6 2]   │ 3 + 桌上的牌是 [6 1 5 3]
                    ^ ^   ^ ^^   │                 ^ ^   ^^
    "#);
}

#[test]
fn kitten_in_very_little_room() {
    let shown = show(KITTEN_ANSWER.as_bytes(), KITTEN_OUTPUT.as_bytes(), "tokens", 30, DiffLayout::Auto);
    insta::assert_snapshot!(shown, @r#"
        - answer   + your output
    1 1   小哈win
    2   - …的牌是 [1 6 5 2 3 4 1]
                  ^^ ^ ^
      2 + …的牌是 [2 2 5 3 6 4 4 …
                  ^^   ^   ^ ^
    3   - 桌上的牌是 [3 4 5 6 2]
                      ^ ^   ^ ^^
      3 + 桌上的牌是 [6 1 5 3]
                      ^ ^   ^^
    "#);
}

#[test]
fn a_missing_line() {
    let shown = show(b"a 1\nb 2\nc 3\nd 4\n", b"a 1\nb 2\nd 4\n", "tokens", 60, DiffLayout::Unified);
    insta::assert_snapshot!(shown, @r#"
        - answer   + your output
    1 1   a 1
    2 2   b 2
    3   - c 3
    4 3   d 4
    "#);
}

#[test]
fn extra_lines_at_the_end() {
    let shown = show(b"a\nb\n", b"a\nb\ndebug x=1\n\ndone\n", "tokens", 60, DiffLayout::Auto);
    insta::assert_snapshot!(shown, @r#"
        answer │     your output
    1   a      │ 1   a
    2   b      │ 2   b
               │ 3 + debug x=1
               │ 4
               │ 5 + done
    "#);
}

#[test]
fn a_missing_final_newline() {
    let shown = show(b"a\nb\n", b"a\nb", "exact", 60, DiffLayout::Auto);
    insta::assert_snapshot!(shown, @r#"
        answer │     your output
    1   a      │ 1   a
    2 - b⏎     │ 2 + b (no newline)
         ^     │
    "#);
}

#[test]
fn a_missing_final_newline_unified() {
    let shown = show(b"a\nb\n", b"a\nb", "exact", 60, DiffLayout::Unified);
    insta::assert_snapshot!(shown, @r#"
        - answer   + your output
    1 1   a
    2   - b⏎
           ^
      2 + b (no newline)
    "#);
}

#[test]
fn carriage_returns_that_count() {
    let shown = show(b"a\nb c\n", b"a\r\nb c\r\n", "exact", 60, DiffLayout::Auto);
    insta::assert_snapshot!(shown, @r#"
        answer │     your output
    1 - a      │ 1 + a␍
               │      ^
    2 - b c    │ 2 + b c␍
               │        ^
    "#);
}

#[test]
fn carriage_returns_that_do_not_count() {
    let shown = show(b"a\nb c\n", b"a\r\nb d\r\n", "tokens", 60, DiffLayout::Auto);
    insta::assert_snapshot!(shown, @r#"
        answer │     your output
    1   a      │ 1   a
    2 - b c    │ 2 + b d
          ^    │       ^
    "#);
}

#[test]
fn spaces_and_tabs_that_count() {
    let shown = show(b"a b c\nx\n", b"a  b\tc\nx \n", "space_change_sensitive", 60, DiffLayout::Auto);
    insta::assert_snapshot!(shown, @r#"
        answer │     your output
    1 - a·b·c  │ 1 + a··b→   c
         ^ ^   │      ^^ ^^^^
    2 - x      │ 2 + x·
               │      ^
    "#);
}

#[test]
fn blank_lines_that_count() {
    let shown = show(b"a\nb\n", b"a\n\nb\n", "exact", 60, DiffLayout::Auto);
    insta::assert_snapshot!(shown, @r#"
        answer │     your output
    1   a      │ 1   a
               │ 2 + ⏎
    2   b      │ 3   b
    "#);
}

#[test]
fn one_number_in_a_long_line() {
    let answer = (0..60).map(|i| format!("{} ", 100 + i)).collect::<Vec<_>>().concat();
    let output = answer.replace("147", "7");
    let shown = show(answer.as_bytes(), output.as_bytes(), "tokens", 80, DiffLayout::Auto);
    insta::assert_snapshot!(shown, @r#"
        - answer   + your output
    1   - …41 142 143 144 145 146 147 148 149 150 151 152 153 154 155 156 157 158 1…
                                  ^^^
      1 + …41 142 143 144 145 146 7 148 149 150 151 152 153 154 155 156 157 158 159
                                  ^
    "#);
    let shown = show(answer.as_bytes(), output.as_bytes(), "tokens", 80, DiffLayout::SideBySide);
    insta::assert_snapshot!(shown, @r#"
        answer                             │     your output
    1 - …4 145 146 147 148 149 150 151 15… │ 1 + …4 145 146 7 148 149 150 151 152 1…
                   ^^^                     │                ^
    "#);
}

#[test]
fn one_change_after_ten_thousand_lines() {
    let answer = (1..=10_020).map(|i| format!("line {i}\n")).collect::<Vec<_>>().concat();
    let output = answer.replace("line 10001\n", "line 0\n");
    let shown = show(answer.as_bytes(), output.as_bytes(), "tokens", 60, DiffLayout::Auto);
    insta::assert_snapshot!(shown, @r#"
            answer     │         your output
            … 9998 equal lines
     9999   line 9999  │  9999   line 9999
    10000   line 10000 │ 10000   line 10000
    10001 - line 10001 │ 10001 + line 0
                 ^^^^^ │              ^
    10002   line 10002 │ 10002   line 10002
    10003   line 10003 │ 10003   line 10003
            … 17 equal lines
    "#);
}

#[test]
fn hostile_bytes() {
    let shown = show(b"ok\n", b"\x1b[2Jok\x07 \xff \xe2\x80\xae\n", "tokens", 60, DiffLayout::Auto);
    insta::assert_snapshot!(shown, @r#"
        answer │     your output
    1 - ok     │ 1 + ␛[2Jok\x07 \xff \u{202e}
        ^^     │     ^^^^^^^^^^ ^^^^ ^^^^^^^^
    "#);
}

#[test]
fn hostile_bytes_that_agree() {
    let shown = show(b"\x1b]0;x\x07\n1\n", b"\x1b]0;x\x07\n2\n", "tokens", 60, DiffLayout::Auto);
    insta::assert_snapshot!(shown, @r#"
        answer    │     your output
    1   ␛]0;x\x07 │ 1   ␛]0;x\x07
    2 - 1         │ 2 + 2
        ^         │     ^
    "#);
}

#[test]
fn case_that_does_not_count() {
    let shown = show(b"Yes 1\nNO 2\n", b"YES 1\nno 3\n", "tokens", 60, DiffLayout::Auto);
    insta::assert_snapshot!(shown, @r#"
        answer │     your output
    1   Yes 1  │ 1   YES 1
    2 - NO 2   │ 2 + no 3
           ^   │        ^
    "#);
}

#[test]
fn numbers_within_the_tolerance() {
    let shown = show(b"1.000000 2.5\n3.0\n", b"1.0000001 2.6\n3\n", "float=1e-6", 60, DiffLayout::Auto);
    insta::assert_snapshot!(shown, @r#"
        answer       │     your output
    1 - 1.000000 2.5 │ 1 + 1.0000001 2.6
                 ^^^ │               ^^^
    2   3.0          │ 2   3
    "#);
}

#[test]
fn line_breaks_that_do_not_count() {
    let shown = show(b"1 2 3 4\n5\n", b"1\n2\n3\n9\n5\n", "tokens", 70, DiffLayout::Auto);
    insta::assert_snapshot!(shown, @r#"
        answer  │     your output
    1 - 1 2 3 4 │ 1 + 1
              ^ │
                │ 2   2
                │ 3   3
                │ 4 + 9
                │     ^
    2   5       │ 5   5
    (line breaks differ; the checker ignores them)
    "#);
}

#[test]
fn a_space_inside_a_number() {
    let shown = show(b"10 20\n", b"1 0 20\n", "tokens", 60, DiffLayout::Auto);
    insta::assert_snapshot!(shown, @r#"
        answer │     your output
    1 - 10 20  │ 1 + 1·0 20
               │      ^
    "#);
}

#[test]
fn an_empty_output() {
    let shown = show(b"1\n2\n", b"", "tokens", 60, DiffLayout::Auto);
    insta::assert_snapshot!(shown, @r#"
        answer │     your output (empty)
    1 - 1      │
    2 - 2      │
    "#);
}

#[test]
fn no_room_for_anything() {
    let shown = show(b"1 2 3\n", b"1 2 4\n", "tokens", 9, DiffLayout::SideBySide);
    insta::assert_snapshot!(shown, @r#"
        - an…
    1   - … 3
            ^
      1 + … 4
            ^
    "#);
}

#[test]
fn many_differences_are_counted() {
    let answer = (0..100).map(|i| format!("{i}\n")).collect::<Vec<_>>().concat();
    let output = (0..100).map(|i| format!("{}\n", i + 1000)).collect::<Vec<_>>().concat();
    let shown = show(answer.as_bytes(), output.as_bytes(), "tokens", 60, DiffLayout::Auto);
    assert_eq!(shown.lines().last(), Some("… 60 more lines differ"));
}

#[test]
fn colour_replaces_the_carets() {
    let explained = explained(b"a 1\n", b"a 2\n", "tokens", 60);
    let lines = diff(&explained, &View::new(60, Paint::Ansi));
    let shown = lines.iter().map(|line| line.render(Paint::Ansi).replace('\x1b', "␛")).collect::<Vec<_>>().join("\n");
    insta::assert_snapshot!(shown, @r#"
        ␛[32manswer␛[0m␛[2m │ ␛[0m    ␛[31myour output␛[0m
    ␛[2m1 ␛[0m␛[32m-␛[0m ␛[32ma ␛[0m␛[1;4;32m1␛[0m   ␛[2m │ 1 ␛[0m␛[31m+␛[0m ␛[31ma ␛[0m␛[1;4;31m2␛[0m
    "#);
}

#[test]
fn excerpts_are_one_line_or_numbered() {
    let check = |bytes: &[u8], expect: &str| {
        let lines = excerpt(&crate::explain::excerpt(bytes, 4, 30), 40);
        let lines: Vec<String> = lines.iter().map(|line| line.render(Paint::Plain)).collect();
        assert_eq!(lines.join("\n"), expect);
    };
    check(b"2 4 1 2 5 6\n3 1 3 5 6 4\n", "2 4 1 2 5 6 ⏎ 3 1 3 5 6 4");
    check(b"", "(empty)");
    check(b"a\r\n\x1b[0m", "a ⏎ ␛[0m");
    check(b"1\n2\n3\n4\n", "1  1\n2  2\n3  3\n4  4");
    check(b"1\n2\n3\n4\n5\n6\n7\n8\n9\nten\n", " 1  1\n 2  2\n 3  3\n    … 6 of 10 lines not shown\n10  ten");
    check("小".repeat(31).as_bytes(), &format!("1  {}…", "小".repeat(18)));
}

proptest! {
    /// `show` asserts the widths.
    #[test]
    fn nothing_raw_and_nothing_too_wide(
        answer in "(小|a|1| |\n|\t|\r|\u{301}|\u{202e}){0,40}",
        output in proptest::collection::vec(any::<u8>(), 0..60),
        columns in 0..70_usize,
        exact in any::<bool>(),
        layout in prop::sample::select(vec![DiffLayout::Auto, DiffLayout::Unified, DiffLayout::SideBySide]),
    ) {
        let checker = if exact { "exact" } else { "tokens" };
        let shown = show(answer.as_bytes(), &output, checker, columns, layout);
        prop_assert!(!shown.chars().any(|c| c.is_control() && c != '\n'), "{shown:?}");
        show(&output, answer.as_bytes(), checker, columns, layout);
        for line in excerpt(&crate::explain::excerpt(&output, 4, 30), columns) {
            prop_assert!(line.width() <= columns, "{line:?}");
        }
    }
}
