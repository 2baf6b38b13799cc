//! What is said of a wrong output is true, and shown: the sentence, the diff and the hints are about the same place.

use macro_rules_attribute::apply;

use crate::cli::need::Need;
use crate::cli::run::Run;
use crate::cli::workspace::Workspace;

/// Lines of 16 bytes, and the number of the one that is wrong.
const LINES: &str = "n, bad = map(int, input().split())
lines = [f'{i:07d} {i * 7 % 9999991:07d}' for i in range(n)]
";

/// A problem whose answer has so many lines, of which the one with this index is wrong in all outputs.
fn lined(lines: usize, bad: usize, checker: &str, outputs: &[(&str, &str)]) -> Workspace {
    let workspace = Workspace::new();
    let answer = (0..lines).map(|i| format!("{i:07} {:07}\n", i * 7 % 9_999_991)).collect::<Vec<_>>().concat();
    let problem = workspace
        .problem("lines")
        .toml(&format!("reference = \"{}.py\"\n{checker}limits.output = 64\nlimits.time_limit = 30\n", outputs[0].0))
        .case("sample/1", &format!("{lines} {bad}\n"), &answer);
    for (name, body) in outputs {
        problem.submission(&format!("accepted/{name}.py"), &format!("{LINES}{body}"));
    }
    workspace
}

/// The explanation alone: without colour, in so many columns.
fn explained(workspace: &Workspace, submission: &str, columns: usize) -> Run {
    let call = workspace.call(&["-s", submission]).env("COLUMNS", columns.to_string());
    call.run()
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn the_line_of_the_sentence_is_shown_however_far_it_is() {
    let outputs = [
        ("trail", "lines[bad] = f'{bad:07d} x'\nprint(' \\n'.join(lines), end=' \\n')\n"),
        ("one", "lines[bad] = f'{bad:07d} x'\nprint(' '.join(lines))\n"),
        ("double", "lines[bad] = f'{bad:07d} x'\nprint('\\n'.join(lines).replace(' ', '  '))\n"),
        ("crlf", "lines[bad] = f'{bad:07d} x'\nprint('\\r\\n'.join(lines), end='\\r\\n')\n"),
        ("missing", "del lines[bad]\nprint('\\n'.join(lines).replace(' ', '  '))\n"),
        ("split", "lines[bad] = f'{bad:07d} x'\nprint('\\n'.join(lines).replace(' ', '\\n'))\n"),
    ];
    for (lines, bad) in [(4_400, 4_300), (66_000, 60_000), (1_100_000, 1_050_000)] {
        let workspace = lined(lines, bad, "", &outputs);
        let line = bad + 1;
        let right = format!("{bad:07} {:07}", bad * 7 % 9_999_991);
        // The longest take long to print.
        for (name, _) in outputs.into_iter().take(if lines > 1_000_000 { 2 } else { outputs.len() }) {
            let text = explained(&workspace, &format!("{name}.py"), 100).stdout;
            let wanted = match name {
                "split" => format!("line {}, column 1 (line {line} of the answer): ", 2 * bad + 2),
                "one" => format!("line 1, column {} (line {line} of the answer): ", bad * 16 + 9),
                "double" => format!("line {line}, column 10: "),
                // Whether it is but a missing line is decided for the last 256 KiB.
                "missing" => format!("line {line}, column 1: "),
                _ => format!("line {line}, column 9: "),
            };
            assert!(text.contains(&wanted), "{lines} {name}: {text}");
            let rows: Vec<&str> = text.lines().filter(|row| row.contains(&format!("{line} - {right}"))).collect();
            let unified = text.lines().any(|row| row.starts_with(&format!("    {line}")) && row.ends_with(&right));
            assert!(rows.len() == 1 || unified, "{lines} {name}: {text}");
            match name {
                "missing" => assert!(rows[0].ends_with('│'), "{text}"),
                "split" => assert!(text.contains(&format!("{} + x", 2 * bad + 2)), "{text}"),
                "one" => assert!(
                    text.lines().any(|row| row.trim_start().starts_with("1 + …") && row.contains(" x ")),
                    "{text}"
                ),
                "double" => assert!(rows[0].contains(&format!("│ {line} + {bad:07}  x")), "{text}"),
                _ => assert!(rows[0].contains(&format!("│ {line} + {bad:07} x")), "{text}"),
            }
            assert!(!text.contains("(empty)"), "{text}");
        }
    }
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn the_end_of_an_output_is_shown_however_far_it_is() {
    let outputs = [
        ("early", "print('\\n'.join(lines[:bad]).replace(' ', '  '))\n"),
        ("blank", "print('\\n'.join(lines[:bad]).replace(' ', '  '), end='\\n' * 2000)\n"),
        ("more", "print('\\n'.join(lines + ['more']).replace(' ', '  '))\n"),
    ];
    for (lines, bad) in [(4_400, 4_300), (1_100_000, 1_050_000)] {
        let workspace = lined(lines, bad, "", &outputs);
        for name in ["early", "blank"] {
            let run = explained(&workspace, &format!("{name}.py"), 100);
            run.shows(&format!("output ends after line {bad}, expected `{bad:07}` next"));
            run.shows(&format!("{} - {bad:07} ", bad + 1)).shows(&format!("│ {bad}   {:07}  ", bad - 1));
        }
        let run = explained(&workspace, "more.py", 100);
        run.shows(&format!("line {}, column 1", lines + 1)).shows("`more` after the end of the answer");
        run.shows(&format!("{} + more", lines + 1));
    }
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn exact_differences_are_shown_where_they_begin() {
    let outputs = [
        ("trail", "lines[bad] += ' '\nprint('\\n'.join(lines))\n"),
        ("double", "lines[bad] = lines[bad].replace(' ', '  ')\nprint('\\n'.join(lines))\n"),
        ("crlf", "lines[bad] += '\\r'\nprint('\\n'.join(lines))\n"),
    ];
    for (lines, bad) in [(4_400, 4_300), (66_000, 60_000)] {
        let workspace = lined(lines, bad, "checker = \"exact\"\n", &outputs);
        for (name, shown) in [("trail", "·"), ("double", "··"), ("crlf", "␍")] {
            let run = explained(&workspace, &format!("{name}.py"), 100);
            run.shows(&format!("line {}, column {}: ", bad + 1, if name == "double" { 8 } else { 16 }));
            let row = run.stdout.lines().find(|row| row.contains(&format!("│ {} + ", bad + 1)));
            assert!(
                row.is_some_and(|row| row.contains(&format!("{} - ", bad + 1)) && row.contains(shown)),
                "{}",
                run.stdout
            );
        }
    }
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn long_tokens_are_shown_where_they_differ() {
    // The letters before the difference and behind it; what differs, if anything; wanted and got.
    for (before, behind, wanted, got) in [
        ("ab", "ba", "1", "0"),
        ("ä", "ö", "€", "😀"),
        ("世", "界", "語", "x"),
        ("ab", "ba", "e\u{301}", "e\u{300}"),
        ("ab", "ba", "\x07", "\x08"),
        ("ab", "", "", "0"),
        ("ab", "", "0", ""),
    ] {
        for length in [60, 400, 5_000, 200_000] {
            let token = |spot: &str| format!("{}{spot}{}", before.repeat(length), behind.repeat(length / 7));
            let workspace = Workspace::new();
            workspace.problem("token").case("sample/1", "1\n", &format!("first\n{}\nlast\n", token(wanted)));
            let printed = format!("cat <<'END'\nfirst\n{}\nlast\nEND\n", token(got));
            workspace.problem("token").submission("accepted/wrong.sh", &printed);
            let marks = usize::from(wanted.starts_with('e'));
            let column = before.chars().count() * length + marks + 1;
            for columns in if length == 400 { vec![40, 80, 200] } else { vec![80] } {
                let run = explained(&workspace, "wrong.sh", columns);
                run.shows(&format!("line 2, column {column}: "));
                let text = run.stdout.replace(' ', "");
                let spot = |text: &str| match text {
                    "" => "the end after `…".to_owned(),
                    "\x07" => "U+0007 in `…".to_owned(),
                    "\x08" => "U+0008 in `…".to_owned(),
                    "e\u{301}" => "U+0301 in `…".to_owned(),
                    "e\u{300}" => "U+0300 in `…".to_owned(),
                    text => format!("`{text}` in `…"),
                };
                let sentence = format!("expected {}", spot(wanted)).replace(' ', "");
                assert!(text.contains(&sentence), "{}", run.stdout);
                assert!(text.contains(&format!("got {}", spot(got)).replace(' ', "")), "{}", run.stdout);
                // Both are in the diff, marked; the longer one alone where one is the beginning of the other.
                let marked = run.stdout.lines().filter(|row| row.trim_matches([' ', '│']).starts_with('^')).count();
                assert!(marked >= 1, "{columns}: {}", run.stdout);
            }
        }
    }
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn a_long_line_is_shown_where_it_differs() {
    let workspace = Workspace::new();
    let words = (0..30_000).map(|i| format!("{i} ")).collect::<Vec<_>>().concat();
    workspace.problem("line").case("sample/1", "1\n", &format!("first\n{words}\nlast\n")).submission(
        "accepted/wrong.py",
        "print('first')\nprint('  '.join('x' if i == 20000 else str(i) for i in range(30000)))\nprint('last')\n",
    );
    for columns in [40, 80, 200] {
        let run = explained(&workspace, "wrong.py", columns);
        run.shows("line 2, column 128891: expected `20000`, got `x`").hides("1 equal line\n  files");
        for wanted in ["19999 20000 ", "19999  x  "] {
            assert!(run.stdout.contains(wanted) || columns == 40, "{columns}: {}", run.stdout);
        }
        assert!(run.stdout.contains("^^^^^"), "{}", run.stdout);
    }
}

/// A problem with this answer, and a submission that prints this.
fn printed(checker: &str, answer: &str, output: &[u8]) -> Workspace {
    let workspace = Workspace::new();
    let escaped = output.iter().map(|byte| format!("\\{byte:03o}")).collect::<Vec<_>>().concat();
    workspace
        .problem("p")
        .toml(&format!("checker = \"{checker}\"\n"))
        .case("sample/1", "1\n", answer)
        .submission("accepted/wrong.sh", &format!("printf '{escaped}'\n"));
    workspace
}

#[apply(cli_test)]
fn integers_that_differ_are_no_numbers_that_are_the_same() {
    let huge = "9".repeat(200);
    for (answer, output, same) in [
        ("1234567890123456789", "1234567890123456788", false),
        (&huge, &format!("{}8", &huge[1..]), false),
        (&huge, &format!("+00{huge}"), true),
        ("5", "+5", true),
        ("0", "-0", true),
        ("1000", "1e3", true),
        ("16", "0x10", false),
        ("1000", "1_000", false),
        ("nan", "NAN(1)", false),
        ("inf", "1e999", false),
    ] {
        let run =
            explained(&printed("tokens", &format!("{answer}\n"), format!("{output}\n").as_bytes()), "wrong.sh", 100);
        if same {
            run.shows("would be AC if numbers")
        } else {
            run.hides("would be AC")
        };
        // What is said holds: the checker that compares numbers as numbers takes it.
        let compared = printed("float=0", &format!("{answer}\n"), format!("{output}\n").as_bytes()).run(&[]);
        assert!(!same || compared.test("accepted/wrong.sh", "sample/1")["verdict"] == "AC", "{}", compared.all());
    }
}

#[apply(cli_test)]
fn what_is_said_to_be_accepted_is_accepted() {
    for (checker, answer, output, would, lax) in [
        ("case_sensitive", "Yes No\n", "yes NO\n", "case were ignored", "tokens"),
        ("exact", "a b\n", "a  b", "white space were ignored", "case_sensitive"),
        ("exact", "1.50\n", "1.5", "white space were ignored and numbers were compared as numbers", "float=0"),
        ("float=1e-9", "1.0\n", "1.000104\n", "the tolerance were 1.1e-4", "float=1.1e-4"),
        ("tokens", "0.1\n", "0.1000000000000000055\n", "the tolerance were 2.3e-16", "float=2.3e-16"),
    ] {
        explained(&printed(checker, answer, output.as_bytes()), "wrong.sh", 200)
            .shows(&format!("would be AC if {would}"));
        let run = printed(lax, answer, output.as_bytes()).run(&[]);
        assert_eq!(run.test("accepted/wrong.sh", "sample/1")["verdict"], "AC", "{}", run.all());
    }
    let run = explained(&printed("tokens", "1\n2\n3\n", b"3\n1\n2\n"), "wrong.sh", 200);
    run.shows("would be AC if its lines were in order");
}

#[apply(cli_test)]
fn what_looks_the_same_is_told() {
    for (answer, output, told) in [
        (
            "caf\u{e9}",
            "cafe\u{301}",
            "they look the same: the answer uses composed characters (NFC), the output decomposed characters (NFD)",
        ),
        (
            "cafe\u{301}",
            "caf\u{e9}",
            "they look the same: the answer uses decomposed characters (NFD), the output composed characters (NFC)",
        ),
        ("1 2", "1\u{a0}2", "the output has U+00A0, a no-break space"),
        ("1", "\u{feff}1", "the output has U+FEFF, a byte order mark"),
        ("ab", "a\u{200b}b", "the output has U+200B, a zero-width space"),
        ("a", "\u{430}", "they look the same: the answer has U+0061, the output U+0430 (Cyrillic)"),
        ("-5", "\u{2212}5", "they look the same: the answer has U+002D, the output U+2212 (a minus sign)"),
    ] {
        let workspace = printed("tokens", &format!("{answer}\n"), format!("{output}\n").as_bytes());
        explained(&workspace, "wrong.sh", 200).shows(told);
    }
    for (answer, output) in [("l", "1"), ("O", "0"), ("\u{e9}", "e")] {
        let workspace = printed("tokens", &format!("{answer}\n"), format!("{output}\n").as_bytes());
        explained(&workspace, "wrong.sh", 200).hides("look the same");
    }
}

#[apply(cli_test)]
fn a_column_of_bytes_is_called_so() {
    explained(&printed("tokens", "ä 1\n", b"\xe4 2\n"), "wrong.sh", 100).shows("expected `ä`, got `\\xe4`");
    explained(&printed("tokens", "x 1\n", b"x 2\n"), "wrong.sh", 100).shows("line 1, column 3: ");
    explained(&printed("tokens", "x\n\u{e4}\u{e4} 1\n", "x\n\u{e4}\u{e4} 2\n".as_bytes()), "wrong.sh", 100)
        .shows("line 2, column 4: ");
}
