//! Tests of every operator on every language, of the promises about lists of mutants, and of hostile sources.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;

use crate::operators::serves;
use crate::rules::Rules;
use crate::*;

/// The texts that one operator makes of a snippet, in their order.
fn by_operator(grammar: Grammar, operator: &str, source: &str) -> Vec<String> {
    let mutants = search::by_operator(grammar, source, operator).unwrap();
    mutants.iter().map(|mutant| mutant.apply(source)).collect()
}

fn parses(grammar: Grammar, source: &str) -> bool {
    !tree::parse(grammar, source).unwrap().root_node().has_error()
}

#[test]
fn every_operator_makes_exactly_the_mutants_of_its_examples() {
    let mut wrong = Vec::new();
    for grammar in Grammar::ALL {
        for operator in operators(grammar) {
            let name = operator.name();
            let mut made = 0;
            for Example { before, after, .. } in operator.examples(grammar) {
                let mutants = by_operator(grammar, name, before);
                made += mutants.len();
                if mutants.iter().collect::<BTreeSet<_>>() != after.iter().collect() {
                    wrong.push(format!("{} {name}: {before:?} → {mutants:#?}, not {after:#?}", grammar.name()));
                }
                for text in std::iter::once(before).chain(&mutants) {
                    if !parses(grammar, text) {
                        wrong.push(format!("{} {name}: does not parse: {text:?}", grammar.name()));
                    }
                }
            }
            if made == 0 {
                wrong.push(format!("{} {name}: no example has a mutant", grammar.name()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_rule_compiles_alone_and_finds_something_in_an_example() {
    let mut idle = Vec::new();
    for grammar in Grammar::ALL {
        let patterns = Rules::of(grammar).patterns.iter();
        let rules: HashSet<*const operators::Rule> = patterns.map(|pattern| std::ptr::from_ref(pattern.rule)).collect();
        for operator in operators(grammar) {
            let examples: Vec<&Example> = operator.examples(grammar).collect();
            for rule in operator.rules.iter().filter(|rule| serves(&rule.only, grammar)) {
                assert!(rules.contains(&std::ptr::from_ref(rule)), "{}: {}", operator.name(), rule.query);
                if !examples.iter().any(|example| search::rule_matches(grammar, &example.before, rule)) {
                    idle.push(format!("{} {}: {}", grammar.name(), operator.name(), rule.query));
                }
            }
        }
    }
    assert!(idle.is_empty(), "{} rules without an example:\n{}", idle.len(), idle.join("\n"));
}

#[test]
fn every_example_of_a_language_belongs_to_an_operator_of_it() {
    for grammar in Grammar::ALL {
        let names: BTreeSet<&str> = operators(grammar).map(Operator::name).collect();
        assert!(names.len() > 30, "{}: {names:?}", grammar.name());
        assert_eq!(names.len(), operators(grammar).count(), "{} names an operator twice", grammar.name());
        for wanted in
            ["boundary", "last-skipped", "late-reset", "dropped-memo", "deeper-loop", "halved-array", "base-case"]
        {
            assert!(names.contains(wanted), "{} has no {wanted}", grammar.name());
        }
        assert!(operators(grammar).any(Operator::is_slow));
    }
}

#[test]
fn a_language_has_a_grammar_if_its_sources_parse_with_one() {
    let with: Vec<&str> = ["c", "cpp", "python3", "pypy3", "java", "rust", "go", "kotlin", "javascript"].into();
    assert!(with.iter().all(|id| Grammar::of(id).is_some()));
    // The runtimes of TypeScript understand types, which the grammar of JavaScript does not.
    assert!(["typescript", "bun", "deno", "haskell", "", "C"].iter().all(|id| Grammar::of(id).is_none()));
}

const PROGRAM: &str = r#"#include <bits/stdc++.h>
using namespace std;
using ll = long long;
const int N = 100005;
ll memo[N];
// Größte Summe: naïve Lösung
ll f(int n) {
    if (n < 2) return 1;
    if (memo[n] != 0) return memo[n];
    return memo[n] = (f(n - 1) + f(n - 2)) % 1000000007;
}
int main() {
    ios::sync_with_stdio(false);
    int t;
    cin >> t;
    while (t--) {
        int best = -1;
        vector<int> seen;
        for (int i = 0; i < t; ++i) {
            int x;
            cin >> x;
            if (x > best && x != 3) best = x;
            else if (x == 5) break;
            cout << "Größe ☃ " << f(x) - best << '\n';
        }
    }
    assert(t < 5);
    return 0;
}
"#;

#[test]
fn mutants_are_in_order_and_no_two_have_the_same_text() {
    let made = mutants(Grammar::Cpp, PROGRAM).unwrap();
    assert!(made.len() > 60, "{}", made.len());
    let texts: HashSet<String> = made.iter().map(|mutant| mutant.apply(PROGRAM)).collect();
    assert_eq!(texts.len(), made.len());
    assert!(!texts.contains(PROGRAM));
    assert!(made.is_sorted_by_key(|mutant| (mutant.span.start, mutant.span.end)));
    assert_eq!(made, mutants(Grammar::Cpp, PROGRAM).unwrap());
    let lines = made.iter().map(|mutant| PROGRAM[..mutant.span.start].lines().count().max(1));
    let differ = lines.zip(&made).filter(|(line, mutant)| mutant.line.abs_diff(*line) > 1).count();
    assert_eq!(differ, 0);
    let parse = texts.iter().filter(|text| parses(Grammar::Cpp, text)).count();
    assert_eq!(parse, texts.len());
    let programs: HashSet<String> = texts.iter().map(|text| normalised(Grammar::Cpp, text).unwrap()).collect();
    assert_eq!(programs.len(), texts.len(), "mutants that are the same program");
}

#[test]
fn the_first_operator_of_the_table_names_a_mutant() {
    let names =
        |source| mutants(Grammar::C, source).unwrap().into_iter().map(|mutant| mutant.operator).collect::<Vec<_>>();
    let made = names("void f() { if (x > best) best = x; }");
    assert!(made.contains(&"greedy-tie") && !made.contains(&"boundary"), "{made:?}");
    let slow = mutants(Grammar::Cpp, PROGRAM).unwrap().into_iter().filter(|mutant| mutant.slow);
    let slow: BTreeSet<&str> = slow.map(|mutant| mutant.operator).collect();
    assert_eq!(slow, BTreeSet::from(["deeper-loop", "dropped-memo", "flushed-lines"]));
}

#[test]
fn what_says_nothing_about_the_solution_is_left_alone() {
    let untouched = [
        (Grammar::C, "#include <stdio.h>\n#pragma GCC optimize(\"O3\")\nint main() { assert(n < 5); return 0; }\n"),
        (Grammar::C, "void f() { fprintf(stderr, \"%d\", n + 1); setvbuf(stdout, 0, 2, 1 << 16); }\n"),
        (
            Grammar::Cpp,
            "int main() { ios::sync_with_stdio(false); cin.tie(0); cerr << a + b; if (x) { return 0; } return 0; }\n",
        ),
        (Grammar::Python, "import sys\nfrom a import b\nsys.setrecursionlimit(10 ** 6)\nassert n < 5\n"),
        (Grammar::Python, "def f(x: int = None) -> int: return g\nprint(a + 1, file=sys.stderr)\n"),
        (Grammar::Python, "if __name__ == '__main__':\n    main()\n"),
        (Grammar::Java, "import java.util.*;\nclass A { void f() { System.err.println(a + 1); assert a < 5; } }\n"),
        (
            Grammar::Rust,
            "use std::io;\nfn f() { assert!(a < 5); eprintln!(\"{}\", a + 1); }\n#[cfg(test)]\nmod tests { fn f() { x = 1 + 2; } }\n",
        ),
        (Grammar::Go, "package main\nimport \"fmt\"\nfunc f() { panic(1) }\n"),
        (Grammar::Kotlin, "import java.util.*\nfun f() { check(a < 5) }\n"),
        (Grammar::JavaScript, "const fs = require('fs');\nfunction f() { console.error(a + 1); }\n"),
    ];
    for (grammar, source) in untouched {
        // `cin.tie(0)` and similar calls may not be changed; the special case around a `return` may be forgotten.
        let made = mutants(grammar, source).unwrap().into_iter().filter(|mutant| mutant.operator != "dropped-branch");
        let texts: Vec<String> = made.map(|mutant| mutant.apply(source)).collect();
        assert!(texts.is_empty(), "{}: {texts:#?}", grammar.name());
    }
}

#[test]
fn broken_parts_are_left_alone_and_the_rest_is_not() {
    let source = "int f(int a) { return a < 3; }\nint g() { x = ]] 5 + 6; }\nint h(int b) { return b > 4; }\n";
    let made = mutants(Grammar::C, source).unwrap();
    assert!(made.iter().any(|mutant| mutant.line == 1), "{made:?}");
    let error = source.find("]]").unwrap();
    assert!(made.iter().all(|mutant| !(mutant.span.start..=mutant.span.end).contains(&error)), "{made:?}");
    for source in ["", "\n", "((((", "\u{0}", "int", "é☃"] {
        for grammar in Grammar::ALL {
            assert_eq!(mutants(grammar, source).unwrap(), [], "{source:?} as {}", grammar.name());
        }
    }
}

#[test]
fn the_same_program_in_another_layout_has_the_same_digest() {
    let digest = normalised;
    let c = |source| digest(Grammar::C, source);
    assert!(c("int a;").is_some());
    assert_eq!(c("int f() { return 1 + x; } // one"), c("/* two */ int f()\n{\n\treturn 1+x;\n}\n"));
    assert_ne!(c("int f() { return 1 + x; }"), c("int f() { return 1 - x; }"));
    assert_ne!(c("int f() { return a - b - c; }"), c("int f() { return a - (b - c); }"));
    assert_ne!(c(r#"char *s = "a b";"#), c(r#"char *s = "a  b";"#));
    assert_eq!(c("int f( {"), None);
    let python = |source| digest(Grammar::Python, source);
    assert_ne!(python("if a:\n    b()\n    c()\n"), python("if a:\n    b()\nc()\n"));
    assert_eq!(python("if a:\n    b()  # x\n\n    c()\n"), python("if a:\n  b()\n  c()\n"));
    assert_ne!(python("s = f'a {x} b'"), python("s = f'a {x}  b'"));
    assert_ne!(digest(Grammar::JavaScript, "`a ${x} b`"), digest(Grammar::JavaScript, "`a ${x}  b`"));
}

#[test]
fn a_sample_is_spread_over_operators_and_lines() {
    let made = mutants(Grammar::Cpp, PROGRAM).unwrap();
    let operators = made.iter().map(|mutant| mutant.operator).collect::<BTreeSet<_>>();
    let few = sample(made.clone(), operators.len(), 7);
    assert_eq!(few.len(), operators.len());
    assert_eq!(few.iter().map(|mutant| mutant.operator).collect::<BTreeSet<_>>(), operators);
    assert_eq!(few, sample(made.clone(), operators.len(), 7));
    assert_ne!(few, sample(made.clone(), operators.len(), 8));
    assert!(few.is_sorted_by_key(|mutant| (mutant.span.start, mutant.span.end)));
    let mut lines: BTreeMap<usize, usize> = BTreeMap::new();
    for mutant in sample(made.clone(), 12, 1) {
        *lines.entry(mutant.line).or_default() += 1;
    }
    assert!(lines.len() >= 9, "12 mutants on {} lines", lines.len());
    assert_eq!(sample(made.clone(), made.len(), 1), made);
    assert_eq!(sample(made.clone(), usize::MAX, 1), made);
    assert_eq!(sample(made, 0, 1), []);
}

#[test]
fn hashes_tell_texts_apart_and_not_edits() {
    let source = "aaab\u{0}\u{0}ba";
    let hash = text_hash::TextHash::new(source);
    let replaced = |span: Range<usize>, text: &str| {
        let whole = format!("{}{text}{}", &source[..span.start], &source[span.end..]);
        (hash.replaced(&span, text), whole)
    };
    let mut seen: BTreeMap<u64, String> = BTreeMap::from([(hash.whole(), source.to_owned())]);
    let mut texts = 1;
    for start in 0..=source.len() {
        for end in start..=source.len() {
            for text in ["", "a", "aa", "b", "\u{0}", "ab"] {
                let (hash, whole) = replaced(start..end, text);
                texts += usize::from(!seen.values().any(|seen| *seen == whole));
                assert_eq!(seen.entry(hash).or_insert_with(|| whole.clone()), &whole);
            }
        }
    }
    assert_eq!(texts, seen.len());
}

#[test]
fn hostile_sources_end_in_time_and_within_the_limits() {
    let long = "x".repeat(MOST_SOURCE_BYTES + 1);
    let deep = 20_000;
    let nested = format!("int f() {{ return {}1{}; }}", "(".repeat(deep), ")".repeat(deep));
    let blocks = format!("int f() {{ {}{} }}", "if (x) {".repeat(deep / 4), "}".repeat(deep / 4));
    let calls = format!("int f() {{ {}{}; }}", "f(".repeat(deep), ")".repeat(deep));
    let sums = format!("int f() {{ x = 1{}; }}", "+a".repeat(deep));
    let open = format!("int f() {{ return {}", "(".repeat(deep));
    let angles = format!("int f() {{ {} }}", "a<b<".repeat(deep));
    let wide = format!("int x[] = {{ {} }};", "1,".repeat(MOST_MUTANTS));
    let loops =
        format!("int f() {{\n{}{}}}", "for (i = 0; i < n; i++) {\nint s = 0;\n".repeat(1_000), "}".repeat(1_000));
    for grammar in Grammar::ALL {
        assert_eq!(mutants(grammar, &long), Err(Error::TooLong { bytes: long.len() }));
        assert_eq!(normalised(grammar, &long), None);
    }
    for grammar in [Grammar::C, Grammar::Java, Grammar::Python] {
        for source in [&nested, &blocks, &calls, &sums, &open, &wide, &loops] {
            let made = mutants(grammar, source).unwrap();
            assert!(made.len() <= MOST_MUTANTS);
            let copied: usize = made.iter().map(|mutant| mutant.replacement.len()).sum();
            assert!(copied <= made.len() * 2 * limits::MOST_COPIED_BYTES, "{copied} bytes");
        }
    }
    assert_eq!(mutants(Grammar::Java, &angles), Err(Error::TooComplex { grammar: Grammar::Java }));
    assert!(mutants(Grammar::C, &sums).unwrap().len() > 50);
    assert_eq!(mutants(Grammar::C, &wide).unwrap().len(), MOST_MUTANTS);
}

#[test]
fn the_version_is_a_short_digest() {
    assert_eq!(version().len(), 16);
    assert!(version().bytes().all(|byte| byte.is_ascii_hexdigit()));
}

#[test]
fn every_way_to_write_a_step_has_one_form() {
    let forms = |grammar, source: &str| -> Vec<u64> {
        crate::outline(grammar, source).unwrap().iter().map(|statement| statement.form).collect()
    };
    for (grammar, one, other) in [
        (Grammar::Python, "a += b\n", "total = b + total\n"),
        (Grammar::Python, "x = []\nfor v in w:\n    x.append(v)\n", "x = [v for v in w]\n"),
        (Grammar::Python, "print(a, 'is', b)\n", "sys.stdout.write(f'{a} is {b}\\n')\n"),
        (Grammar::Python, "if a < b:\n    f(a, b)\n", "if not (y <= x):\n    f(x, y)\n"),
        (
            Grammar::Cpp,
            "int main() { for (int i = 0; i < n; i++) s += i; }",
            "int main() { int k = 0; while (k < n) { s = s + k; ++k; } }",
        ),
        (Grammar::Cpp, "int main() { cout << a << endl; }", "int main() { printf(\"%d\\n\", b); }"),
        (
            Grammar::Cpp,
            "int main() { if (a > b) c = a * 2 + d; else c = f(b); }",
            "int main() { c = a > b ? 2 * a + d : f(b); }",
        ),
        (
            Grammar::Java,
            "class A { void f() { log.add(\"in \" + x); } }",
            "class B { void g(int y) { list.add(String.format(\"in %d\", y)); } }",
        ),
    ] {
        let form = forms(grammar, one);
        assert!(!form.is_empty(), "{one}");
        assert_eq!(form, forms(grammar, other), "{one}\n{other}");
    }
    assert_ne!(forms(Grammar::Python, "a += b\n"), forms(Grammar::Python, "a -= b\n"));
    // Neither depth nor open comments use up the stack or the time.
    for part in ["{-", "(", "/*\n", "[x for x in ", "if (a) "] {
        for grammar in Grammar::ALL {
            // Any result is fine, as long as there is one.
            let _ = crate::outline(grammar, &part.repeat(30_000 / part.len()));
        }
    }
}

/// tree-sitter merges and frees its stack by recursion, once for each pair.
#[test]
fn nested_sources_need_no_stack_of_the_caller() {
    let source = "{-".repeat(12 << 10);
    let parse_all = move || {
        for grammar in Grammar::ALL {
            match mutants(grammar, &source) {
                Ok(made) => assert_eq!(made, [], "{}", grammar.name()),
                Err(error) => assert_eq!(error, Error::TooComplex { grammar }),
            }
            assert_eq!(normalised(grammar, &source), None, "{}", grammar.name());
            let outline = crate::outline(grammar, &source).map(|statements| statements.len());
            assert!(outline == Ok(0) || outline == Err(Error::TooComplex { grammar }), "{outline:?}");
        }
    };
    std::thread::Builder::new().stack_size(256 << 10).spawn(parse_all).unwrap().join().unwrap();
}
