//! Folders as people have them who solve puzzles and contests: names say which tests are whose, and programs find the
//! inputs that they name. Each shape is written here after public ones.

use macro_rules_attribute::apply;

use crate::cli::need::Need;
use crate::cli::run::Call;
use crate::cli::workspace::Workspace;

/// Adds the numbers of a file that it names.
fn sums(file: &str) -> String {
    format!("print(sum(map(int, open({file:?}))))\n")
}

const STDIN: &str = "import sys\nprint(sum(map(int, sys.stdin)))\n";

/// Adds the numbers of its input, or finds the largest one, as its argument says.
const GO_SWITCH: &str = "package main\n\nimport (\n\t\"bufio\"\n\t\"fmt\"\n\t\"os\"\n\t\"strconv\"\n)\n\n\
func main() {\n\tlines := bufio.NewScanner(os.Stdin)\n\tsum, most := 0, 0\n\tfor lines.Scan() {\n\
\t\tn, _ := strconv.Atoi(lines.Text())\n\t\tsum += n\n\t\tmost = max(most, n)\n\t}\n\
\tswitch os.Args[1] {\n\tcase \"1\":\n\t\tfmt.Println(sum)\n\tcase \"2\":\n\t\tfmt.Println(most)\n\t}\n}\n\n\
func max(a, b int) int {\n\tif a > b {\n\t\treturn a\n\t}\n\treturn b\n}\n";
/// The same, with an option.
const GO_FLAG: &str = "package main\n\nimport (\n\t\"flag\"\n\t\"fmt\"\n\t\"os\"\n)\n\n\
func main() {\n\tpart := flag.Int(\"part\", 1, \"the part\")\n\tflag.Parse()\n\
\tfile, _ := os.Open(\"input.txt\")\n\tvar a, b int\n\tfmt.Fscan(file, &a, &b)\n\
\tif *part == 1 {\n\t\tfmt.Println(a + b)\n\t} else {\n\t\tfmt.Println(b)\n\t}\n}\n";

/// Runs one folder, in which nothing has an answer, and looks for an output.
#[track_caller]
fn shows(files: &[(&str, &str)], program: &str, output: &str) {
    let workspace = Workspace::bare();
    for (path, text) in files {
        workspace.file(path, text);
    }
    let run = workspace.run(&[]);
    run.status(0).ends(program, "-", "not_judged").shows("RAN  ").shows("without answers");
    run.shows(&format!("output   {output}\n"));
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn parts_of_a_day_are_two_problems() {
    for [one, two] in
        [["part1", "part2"], ["Part_One", "Part_Two"], ["p1", "p2"], ["a", "b"], ["1", "2"], ["day01_1", "day01_2"]]
    {
        let workspace = Workspace::bare();
        workspace.file(format!("2023/day01/{one}.py"), sums("input.txt"));
        workspace.file(format!("2023/day01/{two}.py"), "print(7)\n");
        workspace.file("2023/day01/input.txt", "1\n2\n").file("2023/day01/answer1.txt", "3\n");
        workspace.file("2023/day01/answer2.txt", "8\n");
        let run = workspace.run(&[]);
        run.status(1).shows("day01/part1  ").shows("day01/part2  ");
        run.ends(&format!("{one}.py"), "AC", "met").ends(&format!("{two}.py"), "WA", "missed");
        workspace.run(&["day01/part1"]).status(0).hides("part2");
    }
}

/// `test.txt` is an input beside `input.txt`, and `input02.txt` is that of `day02.py`.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn more_names_of_inputs() {
    let workspace = Workspace::bare();
    workspace
        .file("a/main.py", "print(open('test.txt').read())\n")
        .file("a/input.txt", "1\n")
        .file("a/test.txt", "2\n");
    for day in ["01", "02", "03"] {
        workspace.file(format!("2023/day{day}.py"), STDIN).file(format!("2023/input{day}.txt"), format!("{day}\n"));
    }
    let run = workspace.run(&[]);
    run.status(0).shows("RAN  4 without answers · 5 results").shows("2023/day02");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn every_name_of_an_input_is_found() {
    for name in [
        "input.txt",
        "input",
        "sample",
        "puzzle_input.txt",
        "my-input.txt",
        "example.txt",
        "input.in",
        "sample_input.txt",
    ] {
        shows(&[("main.py", STDIN), (name, "1\n2\n")], "main.py", "3");
        shows(&[("day01/main.py", &sums(name)), (&format!("day01/{name}"), "4\n2\n")], "main.py", "6");
    }
    for dir in ["inputs", "input", "data", "data/inputs"] {
        let named = sums(&format!("{dir}/01.txt"));
        shows(&[("01.py", &named), (&format!("{dir}/01.txt"), "4\n1\n")], "01.py", "5");
    }
    let argument = "import sys\nprint(open(sys.argv[1]).read().strip())\n";
    shows(&[("main.py", argument), ("input.txt", "12\n")], "main.py", "12");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn answers_have_many_names() {
    for name in [
        "answer.txt",
        "answers.txt",
        "expected",
        "expected.txt",
        "solution.txt",
        "solutions.txt",
        "result.txt",
        "input.ans",
        "input_answer.txt",
    ] {
        let workspace = Workspace::bare();
        workspace.file("main.py", STDIN).file("input.txt", "1\n2\n").file(name, "3\n").file("example.txt", "9\n");
        let run = workspace.run(&[]);
        run.status(0).judged("main.py", "input", "AC", "").shows("example: no answer");
    }
    // Two answers in one file are the two lines of one test.
    let workspace = Workspace::bare();
    workspace.file("main.py", "print(open('input.txt').read() * 2, end='')\n");
    workspace.file("input.txt", "1\n").file("answers.txt", "1\n1\n").run(&[]).status(0).ends("main.py", "AC", "met");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn days_find_their_inputs() {
    let workspace = Workspace::bare();
    for day in ["01", "02", "10"] {
        workspace.file(format!("day{day}.py"), sums(&format!("inputs/{day}.txt")));
        workspace
            .file(format!("inputs/{day}.txt"), format!("{day}\n"))
            .file(format!("inputs/{day}.ans"), day.trim_start_matches('0'));
    }
    let run = workspace.run(&[]);
    run.status(0);
    for day in ["01", "02", "10"] {
        assert_eq!(run.tests("test_finished", &format!("day{day}.py")), [day]);
    }
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3"), Need::Tool("rustc"), Need::Tool("go")])]
fn a_source_finds_the_input_beside_it() {
    let beside = "import os\nprint(open(os.path.join(os.path.dirname(__file__), 'input.txt')).read().strip())\n";
    shows(&[("main.py", beside), ("input.txt", "31\n")], "main.py", "31");
    let rust = "fn main() { println!(\"{}\", include_str!(\"../input.txt\").trim()); }\n";
    shows(&[("src/main.rs", rust), ("input.txt", "32\n")], "src/main.rs", "32");
    let go = "package main\nimport (_ \"embed\"; \"fmt\")\n//go:embed input.txt\nvar text string\nfunc main() { fmt.Print(text) }\n";
    let workspace = Workspace::bare();
    workspace.file("main.go", go).file("go.mod", "module x\n\ngo 1.19\n").file("input.txt", "33\n");
    workspace.run(&[]).status(0).shows("33");
    // What is beside the source is the same for each test, so an example is not a test of it.
    let workspace = Workspace::bare();
    workspace.file("main.py", beside).file("input.txt", "31\n").file("example.txt", "1\n");
    workspace.run(&[]).status(0).shows("31").hides("example");
}

#[apply(cli_test)]
fn programs_have_the_tests_with_their_names() {
    let workspace = Workspace::bare();
    for problem in ["A", "B"] {
        workspace.file(format!("{problem}.sh"), format!("read x\necho {problem}$x\n"));
        workspace.file(format!("{problem}1.in"), "1\n").file(format!("{problem}1.out"), format!("{problem}1\n"));
    }
    let run = workspace.run(&[]);
    run.status(0).ends("A.sh", "AC", "met").ends("B.sh", "AC", "met");
    assert_eq!((run.tests("test_finished", "A.sh"), run.tests("test_finished", "B.sh")), (vec!["A1"], vec!["B1"]));
    // What no name gives to a program belongs to all.
    workspace.file("sample.in", "2\n").file("sample.out", "A2\n");
    workspace.run(&[]).status(1).judged("A.sh", "sample", "AC", "").judged("B.sh", "sample", "WA", "");
    // A second solver of A.
    workspace.file("A_fast.sh", "read x\necho A$x\n").run(&[]).status(1).ends("A_fast.sh", "AC", "met");
    workspace.file("C.sh", "cat\n").grader(&["list"]).shows("/A ").shows("/B ");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn an_output_is_kept_as_the_answer() {
    let workspace = Workspace::bare();
    workspace.file("d/part1.py", sums("input.txt")).file("d/part2.py", "print(5)\n").file("d/input.txt", "1\n");
    workspace.grader(&["accept", "d/part1", "--yes"]).status(0).shows("wrote the answer of input");
    // A program is named by its file.
    std::fs::remove_file(workspace.path("d/input.part1.ans")).unwrap();
    workspace.grader(&["accept", "d/part1.py", "--yes"]).status(0).shows("wrote the answer of input");
    // The folder is named by where one stands, also below a workspace with other problems.
    workspace.file("grader.toml", "").file("problems/x/x.sh", "cat\n").file("problems/x/1.in", "1\n");
    let call = Call::any(&workspace.path("d"), &["accept", "part2", "--yes"]);
    call.run().status(0);
    assert_eq!((&*workspace.read("d/input.part1.ans"), &*workspace.read("d/input.part2.ans")), ("1\n", "5\n"));
    workspace.run(&["d"]).status(0).ends("part1.py", "AC", "met").ends("part2.py", "AC", "met");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn a_whole_day_is_accepted() {
    let workspace = Workspace::bare();
    workspace.file("d/part1.py", sums("input.txt")).file("d/part2.py", "print(5)\n").file("d/input.txt", "1\n");
    workspace.grader(&["accept", "d"]).status(1).shows("grader accept d/part2 input --yes");
    workspace.grader(&["accept", "d", "--yes"]).status(0);
    assert_eq!((&*workspace.read("d/input.part1.ans"), &*workspace.read("d/input.part2.ans")), ("1\n", "5\n"));
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3"), Need::Tool("node")])]
fn programs_state_their_answers() {
    let workspace = Workspace::bare();
    let part1 = format!("# Part 1: 6\n{}assert f('data/example.txt') == 3\n", sums("input.txt"));
    workspace.file("2023/01/part1.py", format!("def f(name): return 3\n{part1}")).file("2023/01/input.txt", "6\n");
    workspace.file("2023/01/part2.py", sums("input.txt")).file("2023/01/example.txt", "3\n");
    let both = "x = sum(map(int, open('input.txt')))\nprint(x)\nprint(2 * x)  # part 2: 14\n# part 1 answer = 7\n";
    workspace.file("2023/02/main.py", both).file("2023/02/input.txt", "7\n");
    let node = "// The answer is \"CMZ\".\nconsole.log(require('fs').readFileSync('input.txt', 'utf8'))\n";
    workspace.file("2023/03/day3.js", node).file("2023/03/input.txt", "CMZ\n");
    // What the program contradicts is not an answer.
    workspace.file("2023/04/day4.py", format!("# answer: 8\n# answer: 9\n{}", sums("input.txt")));
    workspace.file("2023/04/input.txt", "8\n");
    let run = workspace.run(&[]);
    run.status(0).ends("part1.py", "AC", "met").ends("part2.py", "-", "not_judged").ends("main.py", "AC", "met");
    run.ends("day3.js", "AC", "met").ends("day4.py", "-", "not_judged");
    assert_eq!(run.tests("test_finished", "part1.py").len(), 2, "{}", run.all());
    workspace.grader(&["list", "-v", "2023/03"]).status(0).shows("answers in ").shows("day3.js");
    // Words before a right answer are no difference, unless the checker is stated. Then they are named.
    workspace.file("2023/02/main.py", both.replace("print(x)", "print('Part 1:', x)"));
    workspace.run(&["2023/02"]).status(0).ends("main.py", "AC", "met");
    let strict = workspace.run(&["2023/02", "--checker", "case_sensitive"]);
    strict
        .status(1)
        .ends("main.py", "WA", "missed")
        .shows("right except for words such as `Part 1:`: print the answer alone");
    workspace.file("2023/02/main.py", both.replace("print(x)", "print('Part 1:', x + 1)"));
    workspace.run(&["2023/02"]).status(1).ends("main.py", "WA", "missed");
    workspace.file("2023/02/main.py", both);
    // A wrong one says where it is, and is changed there.
    workspace.file("2023/03/input.txt", "CZM\n");
    workspace.run(&["2023/03"]).status(1).shows("expected `CMZ`, got `CZM`; day3.js states this answer");
    workspace.grader(&["accept", "2023/03", "--yes"]).status(2).says("day3.js").says("change it there");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn the_parts_of_a_day_share_an_example() {
    let workspace = Workspace::bare();
    workspace.file("d/part1.py", sums("input.txt")).file("d/part2.py", sums("input.txt")).file("d/input.txt", "1\n");
    workspace.file("d/answers.txt", "1\n1\n");
    for (part, answer) in [("d/part1", "7"), ("d/part2", "8")] {
        let call = Call::any(&workspace.path(""), &["add", part, "--answer", answer]).input("3\n4\n");
        call.run().status(0).shows("example");
    }
    let answers = ["part1", "part2"].map(|part| workspace.read(format!("d/example.{part}.ans")));
    assert_eq!((&*workspace.read("d/example.txt"), answers), ("3\n4\n", ["7\n", "8\n"].map(str::to_owned)));
    let run = workspace.run(&[]);
    run.status(1).judged("part1.py", "example", "AC", "").judged("part2.py", "example", "WA", "expected `8`, got `7`");
    // An input that has an answer is a duplicate.
    let again = Call::any(&workspace.path(""), &["add", "d/part2", "--answer", "8"]).input("3\n4\n");
    again.run().status(1).says("the same input as the test example");
}

/// With an answer, `input.txt` could also be a case of a contest, whose programs read standard input.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3"), Need::Tool("rustc"), Need::Tool("go")])]
fn an_accepted_answer_changes_no_file_of_a_program() {
    let beside = "import os\nprint(open(os.path.join(os.path.dirname(__file__), 'input.txt')).read())\n";
    let rust = "fn main() { print!(\"{}\", include_str!(\"input.txt\")); }\n";
    let go = "package main\nimport (_ \"embed\"; \"fmt\")\n//go:embed input.txt\nvar text string\nfunc main() { fmt.Print(text) }\n";
    let argument = "import sys\nprint(open(sys.argv[1]).read())\n";
    for (name, text) in [("main.py", beside), ("main.rs", rust), ("main.go", go), ("main.py", argument)] {
        for answer in ["input.ans", "answer.txt", "output.txt", "expected.txt"] {
            let workspace = Workspace::bare();
            workspace.file(name, text).file("input.txt", "8\n").file(answer, "8\n");
            workspace.run(&[]).status(0).ends(name, "AC", "met");
        }
        let workspace = Workspace::bare();
        workspace.file(name, text).file("input.txt", "8\n").file("example.txt", "9\n");
        workspace.grader(&["accept", ".", "--yes"]).status(0);
        workspace.run(&[]).status(0).ends(name, "AC", "met");
    }
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3"), Need::Tool("node"), Need::Tool("go")])]
fn an_argument_chooses_the_part() {
    let python = "import sys\nx = list(map(int, open('input.txt')))\nprint(sum(x) if sys.argv[1] == '1' else max(x))\n";
    let node = "const x = require('fs').readFileSync('input.txt', 'utf8').trim().split('\\n').map(Number);\n\
                const part = process.argv[2];\n\
                if (part === 'part1') console.log(x[0] + x[1]); else console.log(Math.max(...x));\n";
    let options = "import argparse\np = argparse.ArgumentParser()\np.add_argument('--part', type=int)\np = p.parse_args().part\n\
                   x = list(map(int, open('input.txt')))\nprint([sum(x), max(x)][p - 1])\n";
    let table = "import sys\nx = list(map(int, sys.stdin))\nprint({'1': sum, '2': max}[sys.argv[1]](x))\n";
    let with_file = "import sys\npart, file = sys.argv[1], sys.argv[2]\nx = list(map(int, open(file)))\n\
                     part = sys.argv[1]\nprint(sum(x) if part == 'a' else max(x))\n";
    for (name, text) in [
        ("day1.py", python),
        ("day1.js", node),
        ("day1.go", GO_SWITCH),
        ("main.go", GO_FLAG),
        ("options.py", options),
        ("table.py", table),
        ("file.py", with_file),
    ] {
        let workspace = Workspace::bare();
        workspace.file(format!("1/{name}"), text).file("1/input.txt", "1\n2\n");
        workspace.run(&["1/part2"]).status(0).shows("output   2\n").hides("part1");
        workspace.file("1/answers.txt", "3\n2\n");
        workspace.run(&[]).status(0).shows("1/part1  ").shows("1/part2  ").shows("PASS  2 as expected");
    }
}

/// The days of a year in one folder: each is two problems, and the table has their parts.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn arguments_choose_the_parts_of_days() {
    let text = "import sys\nx = list(map(int, sys.stdin))\nprint(sum(x) if sys.argv[1] == '1' else max(x))\n";
    let workspace = Workspace::bare();
    for day in ["01", "02"] {
        workspace.file(format!("2023/day{day}.py"), text).file(format!("2023/inputs/{day}.txt"), format!("{day}\n1\n"));
        workspace.file(format!("2023/inputs/{day}.ans"), if day == "01" { "2\n1\n" } else { "3\n2\n" });
    }
    let run = workspace.run(&[]);
    run.status(0).shows("2023/day01-part1  ").shows("PASS  4 as expected").shows("  2023/day01  ✓ AC");
}

/// Days have folders of their own below that of the data, also if nothing names these.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn days_have_folders_of_data() {
    let named = |day: &str| format!("print(sum(map(int, open('data/day{day}/input.txt'))))\nprint(7)\n");
    let workspace = Workspace::bare();
    for day in ["01", "02"] {
        let at = format!("data/day{day}");
        workspace.file(format!("src/day{day}.py"), named(day)).file(format!("{at}/input.txt"), format!("{day}\n"));
        workspace.file(format!("{at}/answers.txt"), format!("{}\n7\n", day.trim_start_matches('0')));
    }
    let run = workspace.run(&[]);
    run.status(0).shows("PASS  2 as expected · 2 results").shows("whole day");
    for program in ["day{}.py", "day{}/main.py"] {
        let workspace = Workspace::bare();
        for day in ["01", "02"] {
            let at = format!("inputs/{day}");
            workspace.file(program.replace("{}", day), STDIN).file(format!("{at}/input.txt"), format!("{day}\n1\n"));
            workspace.file(format!("{at}/answer.txt"), if day == "01" { "2\n" } else { "3\n" });
        }
        workspace.run(&[]).status(0).shows("PASS  2 as expected · 2 results");
    }
}

/// A day solved in several languages, each in a folder of its own, with the inputs and answers of the day above.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3"), Need::Tool("bash")])]
fn languages_of_a_day_share_its_inputs() {
    let workspace = Workspace::bare();
    workspace.file("day01/input.txt", "1\n5\n").file("day01/answers.txt", "6\n5\n").file("day01/example.txt", "2\n");
    let python = "import sys\nprint(sum(map(int, open(sys.argv[1]))))\n";
    workspace.file("day01/python/part1.py", python).file("day01/python/part2.py", python.replace("sum", "max"));
    workspace
        .file("day01/bash/part1.sh", "#!/bin/bash\ns=0; while read -r x; do s=$((s + x)); done < \"$1\"; echo $s\n");
    let run = workspace.run(&[]);
    run.status(0).ends("part1.py", "AC", "met").ends("part2.py", "AC", "met").ends("part1.sh", "AC", "met");
    workspace.file("day01/python/part2.py", python);
    workspace.run(&[]).status(1).ends("part1.py", "AC", "met").ends("part2.py", "WA", "missed");
    // The lines of the file may name their parts.
    let labelled = "# Example\npart 1: 2\npart 2: 2\n# Input\npart 1: 6\npart 2: 5\n";
    workspace.file("day01/answers.txt", labelled);
    workspace.run(&[]).status(1).ends("part1.py", "AC", "met").ends("part2.py", "WA", "missed");
    workspace.file("day01/answers.txt", "Part 1: 6\n").run(&[]).status(0).ends("part2.py", "-", "not_judged");
}

/// One input for each part, and a file with both answers.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn parts_with_inputs_of_their_own_share_answers() {
    let workspace = Workspace::bare();
    workspace.file("day01/part1.py", sums("input1.txt")).file("day01/part2.py", sums("input2.txt"));
    workspace.file("day01/input1.txt", "1\n").file("day01/input2.txt", "2\n").file("day01/answers.txt", "1\n2\n");
    workspace.run(&[]).status(0).ends("part1.py", "AC", "met").ends("part2.py", "AC", "met");
    workspace.file("day01/answers.txt", "1\n3\n");
    workspace.run(&[]).status(1).ends("part1.py", "AC", "met").ends("part2.py", "WA", "missed");
    // One line is the answer of the first part.
    workspace.file("day01/answers.txt", "1\n");
    workspace.run(&[]).status(0).ends("part1.py", "AC", "met").ends("part2.py", "-", "not_judged");
}

/// A program that reads several inputs in one run has one test, with the answers to all of them.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn several_inputs_are_read_in_one_run() {
    let names =
        ["f'input{n}.txt'", "'input' + str(n) + '.txt'", "'input%d.txt' % n", "f'everybody_codes_e2024_q01_p{n}.txt'"];
    for name in names {
        let stem = if name.contains("codes") { "everybody_codes_e2024_q01_p" } else { "input" };
        let file = |n: u8| format!("quest01/{stem}{n}.txt");
        let workspace = Workspace::bare();
        workspace.file("quest01/main.py", format!("for n in range(1, 4):\n    print(open({name}).read().strip())\n"));
        (1..4).for_each(|n| {
            workspace.file(file(n), format!("{n}{n}\n"));
        });
        workspace.run(&[]).status(0).shows("output   11 ⏎ 22 ⏎ 33\n").shows("1 result");
        workspace.file("quest01/answers.txt", "11\n22\n33\n");
        workspace.run(&[]).status(0).ends("main.py", "AC", "met").shows("1 result");
        workspace.file("quest01/answers.txt", "11\n22\n34\n");
        workspace.run(&[]).status(1).ends("main.py", "WA", "missed");
    }
    let workspace = Workspace::bare();
    workspace.file("main.py", "for n in (1, 2):\n    print(open(f'input{n}.txt').read().strip())\n");
    workspace.file("input1.txt", "1\n").file("input2.txt", "2\n");
    workspace.file("answer1.txt", "1\n").file("answer2.txt", "2\n");
    workspace.run(&[]).status(0).ends("main.py", "AC", "met").shows("1 result");
    // A program that is told its input reads one in a run.
    workspace
        .file("main.py", "import sys\nn = sys.stdin.read().strip()\nprint(open(f'input{n}.txt').read().strip())\n");
    workspace.run(&[]).status(0).ends("main.py", "AC", "met").shows("2 results");
}

/// Names of days, or the inputs that sources name, tell whose a test is.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn programs_have_the_tests_that_they_name() {
    let most = |file: &str| format!("print(max(map(int, open({file:?}))))\n");
    // Only one day has its input.
    let workspace = Workspace::bare();
    workspace
        .file("day01.py", STDIN)
        .file("day02.py", "print(0)\n")
        .file("day01.in", "1\n2\n")
        .file("day01.ans", "3\n");
    workspace
        .run(&[])
        .status(0)
        .ends("day01.py", "AC", "met")
        .says("day02.py: neither its name nor its source gives it a test");
    for [one, two, first, second] in [
        ["day12", "day13", "day12input.txt", "day13input.txt"],
        ["adv07", "adv08", "07.in", "08.in"],
        ["x", "y", "first.in", "second.in"],
        ["part1", "part2", "input1.txt", "input2.txt"],
    ] {
        let workspace = Workspace::bare();
        workspace.file(format!("{one}.py"), sums(first)).file(format!("{two}.py"), most(second));
        workspace.file(first, "1\n2\n").file(second, "3\n4\n");
        let run = workspace.run(&[]);
        run.status(0).shows("RAN  2 without answers · 2 results").shows("output   3\n").shows("output   4\n");
    }
    // Parts of several days in one folder.
    let workspace = Workspace::bare();
    for (day, input) in [("aoc10", "1\n2\n"), ("aoc11", "3\n4\n")] {
        workspace.file(format!("{day}.in"), input);
        for part in [1, 2] {
            workspace.file(format!("{day}.{part}.py"), sums(&format!("{day}.in")));
        }
    }
    let run = workspace.run(&[]);
    run.status(0).shows("4 results");
    for (program, output) in [("aoc10.1.py", "3"), ("aoc11.2.py", "7")] {
        run.shows(&format!("{program} · {}: no answer", &program[..5])).shows(&format!("output   {output}\n"));
    }
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn a_program_elsewhere_has_not_the_tests_of_the_only_folder() {
    let workspace = Workspace::bare();
    workspace
        .file("day01/solution.py", sums("input.txt"))
        .file("day01/input.txt", "3\n")
        .file("day01/answer.txt", "3\n");
    workspace.file("scratch.py", "print(42)\n");
    workspace
        .run(&["scratch.py"])
        .status(2)
        .says("scratch.py has no tests in its folder")
        .says("grader run day01 scratch.py");
    workspace.run(&["day01", "scratch.py"]).status(1).ends("scratch.py", "WA", "missed");
    workspace.run(&["day01/solution.py"]).status(0);
    Call::new(&workspace.path("day01"), &["../scratch.py"]).run().status(1).ends("../scratch.py", "WA", "missed");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn a_first_answer_is_not_that_of_the_second_part() {
    for name in ["answer.txt", "answers.txt"] {
        let workspace = Workspace::bare();
        workspace.file("part1.py", sums("input.txt")).file("part2.py", "print(9)\n");
        workspace.file("input.txt", "1\n2\n").file(name, "3\n");
        let run = workspace.run(&[]);
        run.status(0).ends("part1.py", "AC", "met").ends("part2.py", "-", "not_judged");
        workspace.file(name, "3\n8\n").run(&[]).status(1).ends("part2.py", "WA", "missed");
    }
    // Alone, a part has the answer.
    let workspace = Workspace::bare();
    workspace.file("part2.py", "print(9)\n").file("input.txt", "1\n").file("answer.txt", "9\n");
    workspace.run(&[]).status(0).ends("part2.py", "AC", "met");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3"), Need::Tool("node")])]
fn files_of_packages_are_no_programs() {
    let workspace = Workspace::bare();
    workspace.file("a/__init__.py", "").file("a/solution.py", sums("input.txt")).file("a/conftest.py", "");
    workspace.file("a/input.txt", "3\n").file("a/answer.txt", "3\n");
    let common = "exports.read = () => require('fs').readFileSync('input.txt', 'utf8').trim();\n";
    workspace
        .file("b/index.js", "const { read } = require('./common');\nconsole.log(read());\n")
        .file("b/common.js", common);
    workspace.file("b/input.txt", "3\n").file("b/answer.txt", "3\n");
    // A class with assertions of its own is called all the same.
    let class = "class Solution:\n    def twice(self, x):\n        return 2 * x\n\nif __name__ == '__main__':\n    assert Solution().twice(1) == 2\n";
    workspace.file("c/two.py", class).file("c/1.in", "4\n").file("c/1.out", "8\n");
    workspace.run(&[]).status(0).shows("PASS  3 as expected · 3 results");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn letters_are_problems() {
    let workspace = Workspace::bare();
    workspace.file("A.py", STDIN).file("B.py", "print(max(map(int, input().split())))\n");
    workspace.file("A1.in", "1\n").file("A1.out", "1\n");
    workspace
        .run(&[])
        .status(0)
        .ends("A.py", "AC", "met")
        .says("B.py: neither its name nor its source gives it a test");
    // A new test of one is not that of the other.
    workspace.file("B.in", "1 2\n").file("B.out", "2\n");
    let add = |problem: &str, answer: &str, input: &str| {
        Call::any(&workspace.path(""), &["add", problem, "--answer", answer]).input(input).run()
    };
    let folder = workspace.path("").file_name().unwrap().to_str().unwrap().to_owned();
    add(&format!("{folder}/A"), "9", "4\n5\n").status(0).shows("added A2");
    add(&format!("{folder}/B"), "8", "8 7\n").status(0).shows("added B1");
    let run = workspace.run(&[]);
    run.status(0).shows("PASS  2 as expected · 4 results");
}

#[apply(cli_test)]
fn a_command_runs_on_a_puzzle() {
    let workspace = Workspace::bare();
    workspace.file("main.sh", "cat input.txt\n").file("input.txt", "8\n").file("answer.txt", "8\n");
    workspace.run(&["-c", "cat"]).status(0).ends("command", "AC", "met");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn an_example_is_added_beside_the_input() {
    let workspace = Workspace::bare();
    workspace.file("main.py", sums("input.txt")).file("input.txt", "1\n");
    let call = Call::any(&workspace.path(""), &["add", ".", "--answer", "7"]).input("3\n4\n");
    call.run().status(0).shows("7");
    assert_eq!((&*workspace.read("example.txt"), &*workspace.read("example.ans")), ("3\n4\n", "7\n"));
    workspace.run(&[]).status(0).judged("main.py", "example", "AC", "");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn years_have_distinct_days() {
    let workspace = Workspace::bare();
    for year in ["2022", "2023"] {
        for part in ["part1", "part2"] {
            workspace.file(format!("{year}/day01/{part}.py"), STDIN);
        }
        let day = format!("{year}/day01");
        workspace.file(format!("{day}/input.txt"), "1\n").file(format!("{day}/part1.ans"), "1\n");
        workspace.file(format!("{day}/part2.ans"), "1\n");
    }
    let run = workspace.run(&[]);
    run.status(0).shows("2022/day01/part1  ").shows("2023/day01/part2  ").shows("PASS  4 as expected");
    // A table has a row for each day and a column for each part.
    let table: Vec<&str> = run.stdout.lines().skip_while(|line| line.trim() != "part1                 part2").collect();
    assert!(table[1].starts_with("  2022/day01  ✓ AC   0.0"), "{}", run.stdout);
    assert_eq!((table[2].matches("✓ AC").count(), table[2].matches(" s").count()), (2, 2), "{}", run.stdout);
    workspace.run(&["2023"]).status(0).shows("PASS  2 as expected");
    // A program runs on its own tests, also beside other problems.
    workspace.file("grader.toml", "").file("problems/x/x.sh", "cat\n").file("problems/x/1.in", "1\n");
    let run = workspace.run(&["2023/day01/part1.py"]);
    run.status(0).shows("day01/part1  ").shows("PASS  1 as expected").hides("x.sh");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn numbers_of_examples_are_no_parts() {
    let workspace = Workspace::bare();
    let numbers = "[int(x) for x in sys.stdin.read().split()]";
    workspace.file("d/part1.py", format!("import sys\nprint(sum({numbers}))\n"));
    workspace.file("d/part2.py", format!("import sys\nprint(2 * sum({numbers}))\n"));
    for (example, one, two) in [("example", "1", "2"), ("example2", "4", "8")] {
        workspace.file(format!("d/{example}.txt"), format!("{one}\n"));
        workspace.file(format!("d/{example}.part1.ans"), one).file(format!("d/{example}.part2.ans"), two);
    }
    let run = workspace.run(&[]);
    run.status(0).judged("part2.py", "example", "AC", "").judged("part2.py", "example2", "AC", "");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn days_with_letters_have_their_inputs() {
    let workspace = Workspace::bare();
    for day in ["01", "02"] {
        workspace.file(format!("inputs/day{day}.txt"), format!("{day}\n")).file(format!("inputs/day{day}.ans"), day);
        workspace.file(format!("day{day}a.py"), format!("print(open('inputs/day{day}.txt').read())\n"));
    }
    let run = workspace.run(&[]);
    run.status(0);
    assert_eq!(
        (run.tests("test_finished", "day01a.py"), run.tests("test_finished", "day02a.py")),
        (vec!["day01"], vec!["day02"])
    );
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn a_part_that_another_imports_is_a_solution() {
    let workspace = Workspace::bare();
    let one = "from tools import read\n\ndef parse():\n    return read('input.txt')\n\nif __name__ == '__main__':\n    print(sum(parse()))\n";
    workspace.file("d/part1.py", one).file("d/tools.py", "def read(name):\n    return [int(x) for x in open(name)]\n");
    workspace.file("d/part2.py", "from part1 import parse\nif __name__ == '__main__':\n    print(2 * sum(parse()))\n");
    workspace.file("d/input.txt", "1\n2\n").file("d/answer1.txt", "4\n").file("d/answer2.txt", "6\n");
    workspace.run(&[]).status(1).ends("part1.py", "WA", "missed").ends("part2.py", "AC", "met").hides("tools.py");
}
