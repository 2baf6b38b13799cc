//! Which inputs and answers a program has: two inputs that a source names, answers of parts, inputs in other folders, and
//! files beside solutions that are none.

use macro_rules_attribute::apply;

use crate::cli::need::Need;
use crate::cli::run::Run;
use crate::cli::workspace::Workspace;

/// Adds the numbers on standard input.
const SUM: &str = "import sys\nprint(sum(map(int, sys.stdin.read().split())))\n";
/// Finds the largest.
const MOST: &str = "import sys\nprint(max(map(int, sys.stdin.read().split())))\n";

/// Runs a folder with these files.
fn run(files: &[(&str, &str)]) -> Run {
    let workspace = Workspace::bare();
    for (path, text) in files {
        workspace.file(path, *text);
    }
    workspace.run(&[])
}

/// The example that a source names is a test of its own, and stands for the input there alone.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn a_source_names_an_example_and_the_input() {
    let asserts =
        "def s(f):\n    return sum(map(int, open(f)))\nassert s('examples/01.txt') == 5\nprint(s('inputs/01.txt'))\n";
    let chosen = "EXAMPLE = False\nf = '../inputs/day05_example.txt' if EXAMPLE else '../inputs/day05.txt'\nprint(sum(map(int, open(f))))\n";
    for (source, input, example, text) in [
        ("01.py", "inputs/01.txt", "examples/01.txt", asserts),
        ("2023/day05.py", "inputs/day05.txt", "inputs/day05_example.txt", chosen),
    ] {
        let answer = |file: &str| file.replace(".txt", ".ans");
        let files = |own: &'static str| {
            let mut files =
                vec![(source.to_owned(), text), (input.to_owned(), "1\n2\n"), (example.to_owned(), "4\n1\n")];
            files.push((answer(example), "5\n"));
            files.push((answer(input), own));
            files
        };
        for (own, status, verdict, standing) in [("3\n", 0, "AC", "met"), ("4\n", 1, "WA", "missed")] {
            let files = files(own);
            let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, *text)).collect();
            let run = run(&files);
            run.status(status).shows("2 results").ends(source.rsplit('/').next().unwrap(), verdict, standing);
        }
    }
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn inputs_are_those_of_the_day_and_the_year() {
    // Standard input; the folder of the inputs is called like a year.
    let files = [
        ("2023/01.py", SUM),
        ("2023/02.py", MOST),
        ("inputs/2023/01.txt", "1\n2\n"),
        ("inputs/2023/01.ans", "3\n"),
        ("inputs/2023/02.txt", "5\n9\n"),
        ("inputs/2023/02.ans", "9\n"),
    ];
    run(&files).status(0).shows("PASS  2 as expected · 2 results");
    // Solutions and inputs are neighbours; a library in a third folder is no solution.
    for dir in ["solutions", "app", "src/bin"] {
        let files = [
            (&*format!("{dir}/day01.py"), SUM),
            (&*format!("{dir}/day02.py"), MOST),
            ("lib/grid.py", "x = 1\n"),
            ("inputs/day01.txt", "1\n2\n"),
            ("inputs/day02.txt", "5\n9\n"),
            ("inputs/day03.txt", "7\n"),
        ];
        let run = run(&files);
        run.status(0).shows("RAN  2 without answers · 2 results").shows("output   3\n").shows("output   9\n");
    }
    // The folder of a program has the name of its input.
    let files = [
        ("days/6-1/main.py", SUM),
        ("inputs/6-1.txt", "1\n2\n"),
        ("inputs/6-2.txt", "5\n"),
        ("days/6-2/main.py", MOST),
    ];
    run(&files).status(0).shows("RAN  2 without answers · 2 results").shows("output   3\n").shows("output   5\n");
    // The text of the puzzle is no input.
    let files =
        [("08/main.py", SUM), ("08/input.txt", "1\n"), ("08/puzzle.txt", "--- Day 8 ---\n"), ("08/answer.txt", "1\n")];
    run(&files).status(0).shows("PASS  1 as expected · 1 result");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn parts_whose_names_differ_in_a_letter() {
    for [one, two] in [["day1", "day1_2"], ["day1", "day1b"], ["day1a", "day1b"]] {
        let files = |second: &'static str| {
            run(&[
                (&*format!("d/{one}.py"), SUM),
                (&*format!("d/{two}.py"), MOST),
                ("d/input.txt", "1\n2\n"),
                ("d/answers.txt", second),
            ])
        };
        files("3\n2\n").status(0).shows("PASS  2 as expected");
        files("3\n3\n").status(1).ends(&format!("{one}.py"), "AC", "met").ends(&format!("{two}.py"), "WA", "missed");
    }
    // `.in` with the answers of parts.
    let files =
        [("part1.py", SUM), ("part2.py", MOST), ("input.in", "1\n2\n"), ("part1.ans", "3\n"), ("part2.ans", "3\n")];
    run(&files).status(1).ends("part1.py", "AC", "met").ends("part2.py", "WA", "missed");
    // An empty answer is none yet.
    let files =
        [("part1.py", "pass\n"), ("part2.py", MOST), ("input.txt", "1\n"), ("part1.ans", ""), ("part2.ans", "1\n")];
    run(&files).status(0).ends("part1.py", "-", "not_judged").ends("part2.py", "AC", "met");
    // Values without the names of the parts.
    let both = "x = [int(a) for a in open('input.txt')]\nprint(sum(x))\nprint(max(x))\n";
    for (answers, status) in [("Part 1: 3\nPart 2: 2\n", 0), ("Part 1: 3\nPart 2: 3\n", 1)] {
        run(&[("d/main.py", both), ("d/input.txt", "1\n2\n"), ("d/answers.txt", answers)]).status(status);
    }
}

/// A program takes its file as an argument, whatever the ending. Days have the time of puzzles.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn files_that_end_in_in_are_arguments_too() {
    let argument = "import sys, time\nassert len(sys.argv) > 1\nwhile time.process_time() < 2.2: pass\nprint(sum(map(int, open(sys.argv[1]))))\n";
    for (program, input) in [("2023/aoc1.py", "2023/aoc1.in"), ("day01/main.py", "day01/1.in")] {
        let answer = input.replace(".in", ".ans");
        run(&[(program, argument), (input, "1\n2\n"), (&answer, "3\n")])
            .status(0)
            .shows("PASS  1 as expected")
            .shows("15 s");
    }
}

/// Files of tools and helpers beside solutions.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3"), Need::Tool("ruby"), Need::Tool("cargo"), Need::Tool("node")])]
fn files_of_tools_are_no_solutions() {
    let rust =
        "fn main() { let mut s = String::new(); std::io::stdin().read_line(&mut s).unwrap(); print!(\"{s}\"); }\n";
    let run_of = |files: &[(&str, &str)]| {
        let workspace = Workspace::bare();
        for (path, text) in files {
            workspace.file(path, *text);
        }
        let run = workspace.run(&[]);
        run.status(0).shows("PASS  1 as expected · 1 result");
    };
    run_of(&[
        ("Cargo.toml", "[package]\nname = \"x\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"),
        ("build.rs", "fn main() { println!(\"cargo:rerun-if-changed=build.rs\"); }\n"),
        ("src/main.rs", rust),
        ("1.in", "4\n"),
        ("1.ans", "4\n"),
    ]);
    let app = "require_relative 'card'\nif __FILE__ == $0\n  puts Card.new(ARGV[0]).value\nend\n";
    let card = "class Card\n  def initialize(name)\n    @name = name\n  end\n  def value\n    File.read(@name).to_i\n  end\nend\n";
    run_of(&[("07/app.rb", app), ("07/card.rb", card), ("07/input", "4\n"), ("07/answer.txt", "4\n")]);
    let helper = "exports.read = () => require('fs').readFileSync(0, 'utf8').trim();\n";
    run_of(&[
        ("d/day09.js", "const { read } = require('./day09.helper');\nconsole.log(read());\n"),
        ("d/day09.helper.js", helper),
        ("d/jest.config.js", "module.exports = {};\n"),
        ("d/watch.sh", "#!/bin/sh\nnode day09.js\nexit 1\n"),
        ("d/input.txt", "4\n"),
        ("d/answer.txt", "4\n"),
    ]);
}

/// A solution in the shell beside one in another language stays one.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn solutions_in_several_languages() {
    let shell = "#!/bin/sh\nread a\necho $((a + 1))\n";
    let run = run(&[("a.py", SUM), ("b.sh", shell), ("1.in", "4\n"), ("1.ans", "4\n")]);
    run.status(1).ends("a.py", "AC", "met").ends("b.sh", "WA", "missed");
}

/// A module of Go may lie beside others to which it refers.
#[apply(cli_test)]
#[needs(&[Need::Tool("go")])]
fn modules_of_go_refer_to_their_neighbours() {
    let workspace = Workspace::bare();
    workspace
        .file("aoc/go.mod", "module aoc\n\ngo 1.18\n")
        .file("aoc/aoc.go", "package aoc\n\nfunc Twice(x int) int { return 2 * x }\n");
    workspace.file("day1/go.mod", "module day1\n\ngo 1.18\n\nreplace aoc => ../aoc\n\nrequire aoc v0.0.0\n");
    let main = "package main\n\nimport (\n\t\"aoc\"\n\t\"fmt\"\n)\n\nfunc main() {\n\tvar x int\n\tfmt.Scan(&x)\n\tfmt.Println(aoc.Twice(x))\n}\n";
    workspace.file("day1/main.go", main).file("day1/input.txt", "4\n").file("day1/answer.txt", "8\n");
    workspace.run(&[]).status(0).ends("main.go", "AC", "met");
}

/// Programs with tests may lie above folders that have tests too, and problems lie deep.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn problems_lie_below_others_and_deep() {
    let run = run(&[
        ("egypt.py", SUM),
        ("egypt.in", "1\n"),
        ("egypt.ans", "1\n"),
        ("scenes/scenes.py", SUM),
        ("scenes/sample.in", "1\n"),
        ("scenes/sample.ans", "2\n"),
        ("contests/silver/2019/february/farm/farm.py", MOST),
        ("contests/silver/2019/february/farm/1.in", "3\n"),
        ("contests/silver/2019/february/farm/1.ans", "3\n"),
        ("tests/check.py", "print(9)\n"),
    ]);
    run.status(1).ends("egypt.py", "AC", "met").ends("scenes.py", "WA", "missed").ends("farm.py", "AC", "met");
    run.shows("3 results");
}
