//! Checks which programs count as similar and which do not, and that hostile texts do no harm.

use std::collections::BTreeSet;

use super::*;

mod corpus;

const PYTHON: &str = "\
import sys

def divisors(n):
    found = []
    d = 1
    while d * d <= n:
        if n % d == 0:
            found.append(d)
            if d != n // d:
                found.append(n // d)
        d += 1
    return sorted(found)

def is_perfect(n):
    total = 0
    for d in divisors(n):
        if d != n:
            total += d
    return total == n

def main():
    count = int(sys.stdin.readline())
    for line in range(count):
        value = int(sys.stdin.readline())
        if is_perfect(value):
            print(value, 'is perfect')
        else:
            print(value, 'has', len(divisors(value)), 'divisors')

main()
";

/// The functions of a Python program, which end with a blank line.
fn functions() -> Vec<&'static str> {
    PYTHON.split_inclusive("\n\n").collect()
}

/// Different programs of one language, of so many statements.
fn program(seed: u64, statements: usize) -> String {
    let mut state = Noise(seed);
    let mut term = move |of: &str| -> String {
        let ends = ["", "[i]", " + y", " * 3", "(a, b)", " % m", " - z.w"];
        format!("{of}{}{}", ends[state.below(7)], ends[state.below(7)])
    };
    let mut kind = Noise(seed ^ 0x5555);
    let mut line = || match kind.below(5) {
        0 => format!("if ({} < {}) return {};\n", term("a"), term("b"), term("c")),
        1 => format!("for (int i = {}; i < {}; i++)\n", term("0"), term("n")),
        2 => format!("{} = {};\n", term("t"), term("u")),
        3 => format!("cout << {} << ' ' << {};\n", term("x"), term("y")),
        _ => format!("while ({}) {}++;\n", term("p"), term("q")),
    };
    (0..statements).map(|_| line()).collect()
}

/// A linear congruential generator.
struct Noise(u64);

impl Noise {
    fn below(&mut self, end: u64) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % end).unwrap()
    }
}

/// Programs of one file each, by different authors.
fn class<'a>(name: &'a str, texts: &[&'a str]) -> Vec<Program<'a>> {
    let files = texts.iter().map(|text| vec![(name, text.as_bytes())]);
    files.enumerate().map(|(author, files)| Program { author, is_earlier: false, files }).collect()
}

fn find<'a>(programs: &[Program<'a>], threshold: f64) -> Similarities<'a> {
    similar(programs, &[], &Options { threshold, most: 100 })
}

/// The share of two programs by different authors.
fn share(name: &str, left: &str, right: &str) -> f64 {
    let texts = [left, right];
    let programs = class(name, &texts);
    let found = find(&programs, 0.0);
    if found.identical == [[0, 1]] { 1.0 } else { found.pairs.first().map_or(0.0, |pair| pair.share) }
}

fn is(share: f64, expect: f64) -> bool {
    (share - expect).abs() < 1e-9
}

#[test]
fn names_layout_comments_and_literals_do_not_matter() {
    let renamed = PYTHON.replace("found", "ergebnis").replace("total", "s").replace("divisors(", "teiler(");
    let renamed = renamed.replace("perfect'", "vollkommen'").replace("    ", "\t").replace(" += ", "+=");
    let commented = format!("# My own work.\n'''\nReally.\n'''\n{}", renamed.replace("d = 1\n", "d = 7  # first\n\n"));
    assert!(is(share("a.py", PYTHON, PYTHON), 1.0));
    assert!(is(share("a.py", PYTHON, &commented), 1.0));
    let braced = CPP[0].replace("best = length;", "{ best = length; } // longer\n").replace("best", "laengste");
    assert!(is(share("a.cpp", CPP[0], &format!("#include <map>\n{braced}")), 1.0));
}

#[test]
fn moved_functions_and_small_changes_stay_similar() {
    let parts = functions();
    let moved = [parts[0], parts[2], parts[1], parts[3], parts[4]].concat();
    assert!(share("a.py", PYTHON, &moved) > 0.7, "{}", share("a.py", PYTHON, &moved));
    let added = PYTHON.replace("    total = 0\n", "    total = 0\n    print(total, n)\n");
    assert!(share("a.py", PYTHON, &added) > 0.8);
    // A part of a program is found in the whole, whatever surrounds it.
    let within = format!("{}{PYTHON}{}", OTHERS[1], OTHERS[2]);
    assert!(share("a.py", PYTHON, &within) > 0.95);
}

/// Independent solutions: the length of the longest run of equal numbers.
const CPP: [&str; 3] = [
    "#include <iostream>
#include <vector>
using namespace std;
int main() {
    int n;
    cin >> n;
    vector<int> a(n);
    for (int i = 0; i < n; i++) cin >> a[i];
    int best = 0;
    for (int i = 0; i < n; i++) {
        int length = 1;
        while (i + length < n && a[i + length] == a[i]) length++;
        if (length > best) best = length;
    }
    cout << best << endl;
    return 0;
}
",
    "#include <cstdio>
#include <algorithm>
int main() {
    int n, last = -1, now = 0, most = 0;
    scanf(\"%d\", &n);
    while (n--) {
        int x;
        scanf(\"%d\", &x);
        if (x == last) {
            ++now;
        } else {
            most = std::max(most, now);
            now = 1;
            last = x;
        }
    }
    printf(\"%d\\n\", std::max(most, now));
}
",
    "#include <bits/stdc++.h>
using namespace std;
typedef long long ll;
int runs(const vector<ll>& v) {
    map<int, int> starts;
    int start = 0;
    for (size_t i = 1; i <= v.size(); i++) {
        if (i == v.size() || v[i] != v[i - 1]) {
            starts[start] = i - start;
            start = i;
        }
    }
    return max_element(starts.begin(), starts.end(), [](auto a, auto b) { return a.second < b.second; })->second;
}
int main() {
    ios::sync_with_stdio(false);
    int n;
    cin >> n;
    vector<ll> v;
    copy_n(istream_iterator<ll>(cin), n, back_inserter(v));
    cout << runs(v) << '\\n';
}
",
];

/// Independent solutions of the same task in Python.
const OTHERS: [&str; 3] = [
    "n = int(input())
a = list(map(int, input().split()))
best = 1
length = 1
for i in range(1, n):
    if a[i] == a[i - 1]:
        length += 1
        best = max(best, length)
    else:
        length = 1
print(best)
",
    "from itertools import groupby
import sys

def main():
    data = sys.stdin.read().split()
    numbers = [int(word) for word in data[1:]]
    groups = groupby(numbers)
    sizes = []
    for key, group in groups:
        sizes.append(sum(1 for member in group))
    print(max(sizes, default=0))

if __name__ == '__main__':
    main()
",
    "import sys
def longest(values):
    if not values:
        return 0
    start, answer = 0, 0
    while start < len(values):
        end = start
        while end < len(values) and values[end] == values[start]:
            end += 1
        if end - start > answer:
            answer = end - start
        start = end
    return answer
count = int(sys.stdin.readline())
print(longest(sys.stdin.readline().split()))
",
];

#[test]
fn independent_solutions_are_not_similar() {
    for (name, texts) in [("a.cpp", CPP), ("a.py", OTHERS)] {
        for (left, right) in [(0, 1), (0, 2), (1, 2)] {
            let share = share(name, texts[left], texts[right]);
            assert!(share < 0.3, "{name} {left} {right}: {share}");
        }
    }
}

#[test]
fn given_skeletons_do_not_count() {
    let skeleton = program(1, 20);
    let texts: Vec<String> = (2..4).map(|seed| format!("{skeleton}{}", program(seed, 20))).collect();
    let programs = class("a.cpp", &texts.iter().map(String::as_str).collect::<Vec<_>>());
    let options = Options { threshold: 0.3, most: 9 };
    assert_eq!(similar(&programs, &[], &options).pairs.len(), 1);
    let skeletons: [(&str, &[u8]); 1] = [("main.cpp", skeleton.as_bytes())];
    assert_eq!(similar(&programs, &skeletons, &options).pairs, []);
    // A student who submits the skeleton has copied nothing.
    let same = class("a.cpp", &[&skeleton, &skeleton]);
    let found = similar(&same, &skeletons, &options);
    assert_eq!(found, Similarities { too_short: 2, ..Similarities::default() });
}

#[test]
fn code_of_many_authors_does_not_count() {
    let habit = program(1, 20);
    let with_habit = |count: u64| -> Vec<String> {
        let text =
            |seed| if seed <= count { format!("{habit}{}", program(seed + 9, 20)) } else { program(seed + 9, 20) };
        (1..=20).map(text).collect()
    };
    for (count, pairs) in [(5, 10), (6, 0)] {
        let texts = with_habit(count);
        let programs = class("a.cpp", &texts.iter().map(String::as_str).collect::<Vec<_>>());
        let found = find(&programs, 0.3);
        assert_eq!((found.pairs.len(), found.too_common), (pairs, 0), "{count}");
    }
    // Nothing else: counted, so that no one takes the silence for an absence.
    let texts: Vec<String> = (0..7).map(|at| format!("{habit}f({at}{});\n", " + 1".repeat(at))).collect();
    let found = find(&class("a.cpp", &texts.iter().map(String::as_str).collect::<Vec<_>>()), 0.3);
    assert_eq!((found.pairs.len(), found.too_common), (0, 7));
    // Many attempts of one author do not make code common.
    let mut programs = class("a.cpp", &texts.iter().map(String::as_str).collect::<Vec<_>>());
    for program in &mut programs[1..] {
        program.author = 1;
    }
    assert_eq!(find(&programs, 0.3).pairs.len(), 6);
}

#[test]
fn a_large_set_of_copies_is_reported_once() {
    let copy = program(0, 30);
    let others: Vec<String> = (1..=1500).map(|seed| program(seed, 30)).collect();
    let near = copy.replacen("return", "continue", 1);
    assert_ne!(copy, near);
    let trivial = "print(sum(map(int, input().split())))\n";
    let mut texts: Vec<&str> = vec![&copy; 500];
    texts.extend(others.iter().map(String::as_str));
    texts.extend([&near, trivial, trivial, "print(sum(map(int,input().split())))\n"]);
    let found = find(&class("a.cpp", &texts), 0.6);
    // Short copies are named only if every byte is the same.
    assert_eq!(found.identical, [(0..500).collect::<Vec<_>>(), vec![2001, 2002]]);
    assert_eq!(found.pairs.iter().map(|pair| (pair.left, pair.right)).collect::<Vec<_>>(), [(0, 2000)]);
    assert_eq!((found.more_pairs, found.too_short, found.too_common), (0, 3, 0));
}

#[test]
fn programs_of_one_author_are_never_a_pair() {
    let near = PYTHON.replace("total = 0", "total = 0 + 0");
    let mut programs = class("a.py", &[PYTHON, PYTHON, &near]);
    for program in &mut programs {
        program.author = 7;
    }
    assert_eq!(find(&programs, 0.0), Similarities::default());
    // Of equal programs, one by another author takes part.
    programs[1].author = 8;
    let found = find(&programs, 0.0);
    assert_eq!(found.identical, [[0, 1]]);
    assert_eq!(found.pairs.iter().map(|pair| (pair.left, pair.right)).collect::<Vec<_>>(), [(1, 2)]);
}

#[test]
fn the_order_of_the_programs_does_not_matter() {
    let mut texts: Vec<String> = (0..40).map(|seed| program(seed, 25)).collect();
    for at in 0..10 {
        texts.push(texts[at].replacen(';', "; stop(1);", at + 1));
    }
    let pairs = |order: &[usize]| {
        let texts: Vec<&str> = order.iter().map(|at| &*texts[*at]).collect();
        let programs = class("a.cpp", &texts);
        let found = find(&programs, 0.1);
        let name = |pair: &Pair| (BTreeSet::from([order[pair.left], order[pair.right]]), pair.shared);
        found.pairs.iter().map(name).collect::<BTreeSet<_>>()
    };
    let forwards: Vec<usize> = (0..50).collect();
    let mixed: Vec<usize> = (0..50).map(|at| at * 7 % 50).collect();
    assert!(pairs(&forwards).len() >= 10);
    assert_eq!(pairs(&forwards), pairs(&mixed));
}

#[test]
fn the_best_pairs_come_first_and_the_others_are_counted() {
    let long = format!("{PYTHON}{}", OTHERS[2]);
    let changed = long.replace("n % d == 0", "n % d == 0 and d > 0");
    let more = changed.replace("d != n // d", "d < n // d");
    let texts = [long, changed, more];
    let programs = class("a.py", &texts.each_ref().map(String::as_str));
    let all = find(&programs, 0.0);
    assert_eq!(all.pairs.len(), 3);
    assert!(all.pairs.is_sorted_by(|one, next| one.share >= next.share));
    let first = similar(&programs, &[], &Options { threshold: 0.0, most: 1 });
    assert_eq!((&first.pairs[..], first.more_pairs), (&all.pairs[..1], 2));
    let most = all.pairs[0].share;
    assert_eq!(find(&programs, most).pairs, all.pairs[..1], "a share of the threshold itself is reported");
    assert_eq!(find(&programs, f64::NAN).pairs, []);
}

#[test]
fn lines_are_those_of_the_shared_code() {
    let shared = program(1, 30);
    let other = "-> + -;\n".repeat(12);
    let left = format!("{other}/* three\nlines\n*/ {shared}");
    let head = "int a;\n\n";
    let programs = vec![
        Program { author: 0, is_earlier: false, files: vec![("a.cpp", left.as_bytes())] },
        Program { author: 1, is_earlier: false, files: vec![("b.h", head.as_bytes()), ("b.cpp", shared.as_bytes())] },
    ];
    let found = find(&programs, 0.9);
    let [pair] = &found.pairs[..] else { panic!("{found:?}") };
    let [left, right] = &pair.marks;
    let ([left], [right]) = (&left[..], &right[..]) else { panic!("{pair:?}") };
    let shown = |mark: &SharedPart<'_>| (mark.lines.file.to_owned(), mark.lines.first, mark.lines.last);
    assert_eq!((left.part, right.part), (0, 0));
    assert_eq!(shown(left), ("a.cpp".to_owned(), 15, 44));
    assert_eq!(shown(right), ("b.cpp".to_owned(), 1, 30));
}

#[test]
fn hostile_texts_do_no_harm() {
    let mut noise = Noise(1);
    let random: Vec<u8> = (0..100_000).map(|_| u8::try_from(noise.below(256)).unwrap()).collect();
    let nested = vec![b'('; 10 << 20];
    let mut texts: Vec<Vec<u8>> = vec![random, nested, vec![0xff; 1 << 20], vec![b'#'; 1 << 20], Vec::new()];
    for part in
        ["\"", "'", "`", "\\", "\"\\", "'\\", "'''", "\"\"\"", "/*", "//", "(*", "{-", "--[[", "#{", "1'", "1.", "$#"]
    {
        texts.push(part.into());
        texts.push(part.repeat(20_000).into());
        texts.push(format!("{part}\n").repeat(10_000).into());
    }
    for name in ["a.c", "a.java", "a.js", "a.rs", "a.py", "a.lua", "a.hs", "a.ml", "a.pas", "a", "", ".", "a.\u{1F600}"]
    {
        for text in &texts {
            assert!(token::tokens(name, text, token::MOST).len() <= token::MOST);
        }
    }
    // Short enough for a parser.
    let nested = ["(", "{-", "[x for x in ", "if x:\n", "/*\n", "f(a?b:", "x = (", "not "];
    texts.extend(nested.map(|part| part.repeat(30_000 / part.len()).into()));
    let programs = texts.iter().enumerate().map(|(author, text)| Program {
        author,
        is_earlier: false,
        files: vec![("a.c", text), ("b.py", text), ("c.java", text)],
    });
    find(&programs.collect::<Vec<_>>(), 0.5);
    assert_eq!(similar(&[], &[], &Options { threshold: 0.5, most: 0 }), Similarities::default());
}

/// The kinds of the tokens of a text: operators as themselves, names `n`, numbers `0`, strings `s`, keywords `k`.
fn kinds(name: &str, text: &str) -> String {
    let letter = |kind: u16| match kind {
        256 => 'n',
        257 => '0',
        258 => 's',
        _ => u8::try_from(kind).map_or('k', char::from),
    };
    token::tokens(name, text.as_bytes(), 99).into_iter().map(|token| letter(token.kind)).collect()
}

#[test]
fn every_family_has_its_tokens() {
    for (name, text, expect) in [
        (
            "a.cpp",
            "#include <x>\n  # include \"y\"\nusing namespace std; int a = 1'000; // b\n/* c\n*/ while",
            "kn=0;k",
        ),
        ("a.h", "char c = '\\'', *s = \"a\\\"b\"; x->y += 1.5e3f;", "kn=s,*n=s;n->n+=0;"),
        ("A.java", "package a;\nimport b.c;\nString s = \"\"\"\n a \"b\" \n\"\"\";", "nn=s;"),
        ("a.js", "let s = `a\n'b` + 'c' // d", "kn=s+s"),
        ("a.rs", "use a::b;\nfn f<'a>(x: &'a str) -> u8 { 'x' }", "kn<'n>(n:&'nn)->n{s}"),
        ("a.PY", "from a import b\nimport c; x = None\n'''doc\n'''\ny = f'''a''' # d", "n=kn=ns"),
        ("a.sh", "echo ${#a} $# # c", "nn{#n}n#"),
        ("a.lua", "--[[ a\n]] local x = 1 -- c", "nn=0"),
        ("a.hs", "import A\nf x' = x' + 'a' {- b\n-} -- c", "nn=n+s"),
        ("a.ml", "open A\nlet x' : 'a = 1 (* b *)", "kn:'n=0"),
        ("a.pas", "uses a, b;\nBEGIN { a } x := 'b'; (* c *) WHILE // d", "nn:=s;k"),
        ("a.xyz", "(quote 'a \"b\" 1..2 é)", "(n'ns0..0n)"),
        ("a.c", "\"open\nx 'open\ny", "snsn"),
    ] {
        assert_eq!(kinds(name, text), expect, "{name}: {text}");
    }
    assert_ne!(token::tokens("a.c", b"while", 9), token::tokens("a.c", b"for", 9));
    assert!(token::KEYWORDS.is_sorted());
}
