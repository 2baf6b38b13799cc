//! The lines and words that an explanation pairs and marks.

use std::time::Duration;

use proptest::prelude::*;

use super::*;

fn options(checker: &str) -> Options {
    let deadline = Instant::now() + Duration::from_secs(5);
    Options { checker: checker.parse().unwrap(), context: 1, max_rows: 40, columns: 80, deadline }
}

fn joined(range: Range<u64>, text: impl Fn(u64) -> String) -> String {
    range.map(text).collect::<Vec<_>>().concat()
}

/// A side with its marks in brackets, or in braces if they are about spacing.
fn bracketed(side: Option<&Side>) -> String {
    let Some(side) = side else { return String::new() };
    let mut text = side.text.clone();
    for mark in side.marks.iter().rev() {
        let (open, close) = if mark.about == About::Text { (b'[', b']') } else { (b'{', b'}') };
        text.insert(mark.range.end, close);
        text.insert(mark.range.start, open);
    }
    let cut = |cut| if cut { "…" } else { "" };
    let end = match side.end {
        End::Alike => "",
        End::Newline => "\\n",
        End::NoNewline => "\\0",
    };
    let text = String::from_utf8_lossy(&text);
    format!("{}:{}{text}{}{end}", side.number, cut(side.cut_before), cut(side.cut_after))
}

fn sketch(diff: &Diff) -> Vec<String> {
    let rows = diff.rows.iter().map(|row| match row {
        Row::Elided(lines) => format!("… {lines}"),
        Row::Equal(Some(_), Some(right)) => format!("= {}", bracketed(Some(right))),
        Row::Equal(left, right) => format!("= {}|{}", bracketed(left.as_ref()), bracketed(right.as_ref())),
        Row::Changed(left, right) => format!("~ {}|{}", bracketed(Some(left)), bracketed(Some(right))),
        Row::Missing(left) => format!("- {}", bracketed(Some(left))),
        Row::Extra(right) => format!("+ {}", bracketed(Some(right))),
    });
    rows.chain(diff.notes.iter().map(|note| format!("{note:?}"))).collect()
}

#[track_caller]
fn check(checker: &str, answer: &str, output: &str, expect: &[&str]) {
    let diff = explain(&Window::whole(answer.as_bytes()), &Window::whole(output.as_bytes()), &options(checker));
    assert_eq!(sketch(&diff), expect);
}

#[test]
fn only_what_counts_is_marked() {
    check("tokens", "Yes 1", "yes  2\n", &["~ 1:Yes [1]|1:yes  [2]"]);
    check("case_sensitive", "Yes 1", "yes  1", &["~ 1:[Yes] 1|1:[yes]  1"]);
    check("space_change_sensitive", "a b", "A  b", &["~ 1:a{ }b|1:A{  }b"]);
    check("exact", "a b", "A b", &["~ 1:[a] b|1:[A] b"]);
    check("exact", "a\n", "a", &["~ 1:a\\n|1:a\\0"]);
    check("tokens", "a\nb\n", "a b", &["… 2", "LineBreaksDiffer"]);
    check("tokens", "a\n", "A", &["… 1"]);
    check("float=1e-3", "1.0 x 5", "1.0001 x 6", &["~ 1:1.0 x [5]|1:1.0001 x [6]"]);
    check("float=1e-3", "x=1.0", "x=1.0001", &["~ 1:x=[1.0]|1:x=[1.0001]"]);
    check("float=1e-3", "1.0", "one", &["~ 1:[1.0]|1:[one]"]);
    check("float=1e-3", "1e3", "1000.5", &["… 1"]);
}

#[test]
fn parts_of_words_are_marked_where_most_of_the_word_agrees() {
    check("tokens", "[1 2]", "[1 3]", &["~ 1:[1 [2]]|1:[1 [3]]"]);
    check("tokens", "小哈当前手中", "小哈当手里", &["~ 1:小哈当[前]手[中]|1:小哈当手[里]"]);
    check("tokens", "12345", "12346", &["~ 1:[12345]|1:[12346]"]);
    check("tokens", "(-3,4)", "(3,4)", &["~ 1:([-3],4)|1:([3],4)"]);
    check("tokens", "3-5", "3-6", &["~ 1:3-[5]|1:3-[6]"]);
    check("tokens", "10 20", "1 0 20", &["~ 1:10 20|1:1{ }0 20"]);
}

#[test]
fn words_are_shifted_where_that_explains_more() {
    check("tokens", "1 2 3 4 5", "1 2 4 5", &["~ 1:1 2 [3] 4 5|1:1 2 4 5"]);
    check("tokens", "1 2 3 4 5", "1 9 3 8 5", &["~ 1:1 [2] 3 [4] 5|1:1 [9] 3 [8] 5"]);
    check("exact", "a b c", "a c", &["~ 1:a [b] c|1:a c"]);
}

#[test]
fn lines_are_shifted_where_that_explains_more() {
    check("tokens", "a\nb\nc\nd\n", "a\nc\nd\n", &["= 1:a", "- 2:b", "= 2:c", "= 3:d"]);
    // Both sides have the same number of lines, so they are paired by position, as checkers do.
    let answer = "yes\nno\nno\nyes\nno\n";
    let output = "no\nno\nyes\nyes\nno\n";
    check("tokens", answer, output, &["~ 1:[yes]|1:[no]", "= 2:no", "~ 3:[no]|3:[yes]", "= 4:yes", "= 5:no"]);
    // Shifting would leave two differences instead of four, which does not save enough.
    let answer = "a\nb\nb\na\na\nb\n";
    let output = "b\nb\na\na\nb\na\n";
    let by_position = ["~ 1:[a]|1:[b]", "= 2:b", "~ 3:[b]|3:[a]", "= 4:a", "~ 5:[a]|5:[b]", "~ 6:[b]|6:[a]"];
    check("tokens", answer, output, &by_position);
    let numbers: Vec<String> = (0..50).map(|i| format!("{i}\n")).collect();
    let shifted = format!("{}99\n", numbers[1..].concat());
    check("tokens", &numbers.concat(), &shifted, &["- 1:0", "= 1:1", "… 47", "= 49:49", "+ 50:99"]);
}

#[test]
fn lines_that_share_words_stand_side_by_side() {
    check(
        "tokens",
        "x\na 1\nb 2\nc 3\n",
        "x\nb 9\nc 4\n",
        &["= 1:x", "- 2:a 1", "~ 3:b [2]|2:b [9]", "~ 4:c [3]|3:c [4]"],
    );
}

#[test]
fn line_breaks_count_only_where_spacing_does() {
    check(
        "tokens",
        "1 2 3 4\n",
        "1\n2\n3\n5\n",
        &["~ 1:1 2 3 [4]|1:1", "= |2:2", "= |3:3", "+ 4:[5]", "LineBreaksDiffer"],
    );
    check("exact", "1 2\n", "1\n2\n", &["~ 1:1 [2]|1:1", "+ 2:2"]);
}

#[test]
fn windows_know_their_place() {
    let answer = Window { bytes: b"b\nc\nd\n", first_line: 1000, cut_before: false, cut_after: true, focus: 0 };
    let output = Window { bytes: b"b\nX\nd\ne\n", first_line: 1000, cut_before: false, cut_after: true, focus: 0 };
    let diff = explain(&answer, &output, &options("tokens"));
    assert_eq!(sketch(&diff), ["… 999", "= 1000:b", "~ 1001:[c]|1001:[X]", "= 1002:d", "NotCompared"]);
    // If one line is cut before the other ends, no difference is known.
    let answer = Window::whole(b"1 2");
    let output = Window { bytes: b"1 ", first_line: 1, cut_before: false, cut_after: true, focus: 0 };
    assert_eq!(sketch(&explain(&answer, &output, &options("tokens"))), ["… 1", "NotCompared"]);
    // A cut last line is not compared. A single long line is compared up to its last whole word.
    let answer = Window { bytes: b"1\n2\n3", first_line: 1, cut_before: false, cut_after: true, focus: 0 };
    let output = Window { bytes: b"1\n4\n3333", first_line: 1, cut_before: false, cut_after: true, focus: 0 };
    let diff = explain(&answer, &output, &options("tokens"));
    assert_eq!(sketch(&diff), ["= 1:1", "~ 2:[2]|2:[4]", "NotCompared"]);
    // Lines that one side lacks at the end may follow after the cut, even if the last lines happen to be equal.
    let answer = Window { bytes: b"0\n1\n0\n0\n1\n", first_line: 1, cut_before: false, cut_after: true, focus: 0 };
    let output = Window { bytes: b"0\n111\n0\n0\n", first_line: 1, cut_before: false, cut_after: true, focus: 0 };
    let diff = explain(&answer, &output, &options("tokens"));
    assert_eq!(sketch(&diff), ["= 1:0", "~ 2:[1]|2:[111]", "= 3:0", "= 4:0", "NotCompared"]);
    let output = Window { bytes: b"0\n111\n0\n1\n", ..output };
    let diff = explain(&answer, &output, &options("tokens"));
    assert_eq!(sketch(&diff), ["= 1:0", "~ 2:[1]|2:[111]", "= 3:0", "~ 4:[0]|4:[1]", "NotCompared"]);
    let answer = Window { bytes: b"1 2 3 4 5 6 7 8\n", first_line: 1, cut_before: false, cut_after: true, focus: 0 };
    let output = Window { bytes: b"1\n9\n3\n4\n", first_line: 1, cut_before: false, cut_after: true, focus: 0 };
    let diff = explain(&answer, &output, &options("tokens"));
    let rows = ["~ 1:1 [2] 3 4 5 6 7 8|1:1", "+ 2:[9]", "= |3:3", "= |4:4", "LineBreaksDiffer", "NotCompared"];
    assert_eq!(sketch(&diff), rows);
    let answer = Window { bytes: b"9 1 2 3", first_line: 1, cut_before: true, cut_after: true, focus: 0 };
    let output = Window { bytes: b"9 1 4 33", first_line: 1, cut_before: true, cut_after: true, focus: 0 };
    let diff = explain(&answer, &output, &options("tokens"));
    assert_eq!(sketch(&diff), ["~ 1:…9 1 [2] …|1:…9 1 [4] …", "NotCompared"]);
}

#[test]
fn long_lines_are_cut_around_the_first_change() {
    let answer = joined(0..100_000, |i| format!("{i} "));
    let output = answer.replace(" 70000 ", " x ");
    for checker in ["tokens", "exact"] {
        let diff = explain(&Window::whole(answer.as_bytes()), &Window::whole(output.as_bytes()), &options(checker));
        let [Row::Changed(left, right)] = &diff.rows[..] else { panic!("{:?}", diff.rows.len()) };
        for (side, marked) in [(left, "70000"), (right, "x")] {
            assert!(side.cut_before && side.cut_after && side.text.len() < 2000, "{}", side.text.len());
            assert_eq!(side.marks.len(), 1);
            assert_eq!(&side.text[side.marks[0].range.clone()], marked.as_bytes());
        }
    }
}

#[test]
fn a_side_without_marks_is_cut_at_the_same_place() {
    let answer = joined(0..100_000, |i| format!("{i} "));
    let output = answer.replace(" 70000 ", " ");
    let diff = explain(&Window::whole(answer.as_bytes()), &Window::whole(output.as_bytes()), &options("tokens"));
    let [Row::Changed(left, right)] = &diff.rows[..] else { panic!("{:?}", diff.rows.len()) };
    assert_eq!((left.marks.len(), right.marks.len()), (1, 0));
    assert!(String::from_utf8_lossy(&right.text).contains(" 69999 70001 "));
}

#[test]
fn a_lone_line_is_not_elided() {
    let rows = ["~ 1:[a]|1:[x]", "= 2:b", "= 3:c", "= 4:d", "~ 5:[e]|5:[y]"];
    check("tokens", "a\nb\nc\nd\ne\n", "x\nb\nc\nd\ny\n", &rows);
    let rows = ["~ 1:[a]|1:[x]", "= 2:b", "… 2", "= 5:b", "~ 6:[e]|6:[y]"];
    check("tokens", "a\nb\nb\nb\nb\ne\n", "x\nb\nb\nb\nb\ny\n", &rows);
}

#[test]
fn rows_are_capped_and_counted() {
    let answer = joined(0..9000, |i| format!("{i}\n"));
    let output = joined(0..9000, |i| format!("{i} x\n"));
    let diff = explain(&Window::whole(answer.as_bytes()), &Window::whole(output.as_bytes()), &options("tokens"));
    assert_eq!(diff.rows.len(), 40);
    assert_eq!(diff.notes, [Note::MoreDiffer(MAX_LINES - 40), Note::NotCompared]);
}

#[test]
fn unrelated_texts_take_bounded_time() {
    let text = |seed: u64| -> String {
        let next = |i: u64| i.wrapping_add(seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        joined(0..100_000, |i| format!("{} {}\n", next(i), next(i + 7)))
    };
    let answer = text(1);
    let output = text(1 << 40);
    let mut longer = output.clone();
    longer.push_str("1\n");
    for checker in ["tokens", "exact", "float=1e-6"] {
        for output in [&output, &longer] {
            let start = Instant::now();
            let options = Options { deadline: start + Duration::from_millis(100), ..options(checker) };
            let diff = explain(&Window::whole(answer.as_bytes()), &Window::whole(output.as_bytes()), &options);
            // The limit is generous: this is a debug build on a busy machine.
            assert!(start.elapsed() < Duration::from_secs(3), "{checker}: {:?}", start.elapsed());
            assert!(diff.rows.iter().any(Row::differs));
        }
    }
}

#[test]
fn after_the_deadline_what_is_near_is_aligned_nevertheless() {
    let options = Options { deadline: Instant::now(), ..options("tokens") };
    let diff = explain(&Window::whole(b"a\nb\nc\nd\ne\n"), &Window::whole(b"b\nc\nd\nf\n"), &options);
    assert_eq!(sketch(&diff), ["- 1:a", "= 1:b", "= 2:c", "= 3:d", "~ 5:[e]|4:[f]"]);
}

#[test]
fn excerpts_have_head_and_tail() {
    let line = |number, text: &str, cut: usize| Piece::Line { number, text: text.as_bytes().to_vec(), cut };
    assert_eq!(excerpt(b"", 3, 10), Excerpt::OneLine(vec![]));
    assert_eq!(excerpt(b"\n", 3, 10), Excerpt::OneLine(vec![vec![]]));
    assert_eq!(excerpt(b"1 2\n3\n", 3, 10), Excerpt::OneLine(vec![b"1 2".to_vec(), b"3".to_vec()]));
    assert_eq!(excerpt(b"12345\n67\n", 3, 9), Excerpt::Lines(vec![line(1, "12345", 0), line(2, "67", 0)]));
    let expect =
        Excerpt::Lines(vec![line(1, "a", 0), line(2, "b", 0), Piece::Elided { lines: 3, of: 6 }, line(6, "f", 0)]);
    assert_eq!(excerpt(b"a\nb\nc\nd\ne\nf\n", 3, 10), expect);
    assert_eq!(excerpt("小哈当前".as_bytes(), 3, 3), Excerpt::Lines(vec![line(1, "小哈当", 1)]));
    let Excerpt::Lines(pieces) = excerpt(&[0x80; 1000], 3, 10) else { panic!() };
    assert!(matches!(&pieces[..], [Piece::Line { text, .. }] if text.len() == 40));
}

/// Checks the invariants of every explanation on any bytes. Checker, flags and both texts come from `data`.
fn fuzz(data: &[u8]) {
    const CHECKERS: [&str; 6] = [
        "tokens",
        "exact",
        "case_sensitive",
        "space_change_sensitive",
        "float=1e-2",
        "float=0.5 space_change_sensitive",
    ];
    let [kind, flags, split, data @ ..] = data else { return };
    let (answer, output) = data.split_at(usize::from(*split).min(data.len()));
    let window =
        |bytes, cut: u8| Window { bytes, first_line: 1, cut_before: cut & 1 > 0, cut_after: cut & 2 > 0, focus: 0 };
    let left = window(answer, *flags);
    let right = window(output, *flags >> 2);
    let checker = CHECKERS[usize::from(*kind) % CHECKERS.len()];
    let diff = explain(&left, &right, &options(checker));
    assert!(diff.rows.len() <= 40);
    let sides: Vec<&Side> = diff.rows.iter().flat_map(|row| row.left().into_iter().chain(row.right())).collect();
    for side in sides {
        let ends = side.marks.iter().flat_map(|mark| [mark.range.start, mark.range.end]);
        assert!(ends.clone().is_sorted() && ends.max().unwrap_or(0) <= side.text.len());
        assert!(side.marks.iter().all(|mark| !mark.range.is_empty()));
    }
    for row in &diff.rows {
        if let Row::Changed(a, b) = row {
            assert!(!a.marks.is_empty() || !b.marks.is_empty() || a.end != End::Alike, "{row:?}");
        }
    }
    if *flags % 16 == 0 {
        let rules = Rules::of(&checker.parse().unwrap());
        let (a, b): (Vec<_>, Vec<_>) = (rules.words(answer).collect(), rules.words(output).collect());
        let same = a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| rules.same_word(a.bytes, b.bytes));
        assert_eq!(diff.rows.iter().any(Row::differs), !same, "{checker} {answer:?} {output:?} {diff:?}");
    }
    let _ = excerpt(answer, usize::from(*split) % 7, usize::from(*flags));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_bytes_are_explained(data in proptest::collection::vec(any::<u8>(), 0..200)) {
        fuzz(&data);
    }

    #[test]
    fn nearly_equal_texts_are_explained(head in any::<[u8; 2]>(), text in "[ab1. \n\r小]{0,60}", other in "[ab1. \n\r小]{0,60}") {
        let data = [&head[..], &[u8::try_from(text.len()).unwrap_or(255)], text.as_bytes(), other.as_bytes()].concat();
        fuzz(&data);
    }
}
