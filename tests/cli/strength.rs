//! `grader strength`: mutants that no case kills are shown, inputs that kill them are found and added, and labelled programs
//! are counted.

use macro_rules_attribute::apply;
use serde_json::Value;

use crate::cli::need::Need;
use crate::cli::run::Run;
use crate::cli::verify_reach::{LOGGED, bars};
use crate::cli::workspace::Workspace;

/// The sum of the numbers, of which those above 10 count as 10.
const CAPPED: &str = "n = int(input())\nvalues = list(map(int, input().split()))\ntotal = 0\nfor value in values:\n    \
                      if value > 10:\n        total += 10\n    else:\n        total += value\nprint(total)\n";
/// `n` and as many numbers from 1 to 30.
const VALIDATOR: &str = "read n || exit 43\nread rest || exit 43\nset -- $rest\n[ $# = \"$n\" ] && [ \"$n\" -ge 1 ] || exit 43\n\
                         for x; do [ \"$x\" -ge 1 ] && [ \"$x\" -le 30 ] || exit 43; done\n[ \"$rest\" = \"$*\" ] || exit 43\nexit 42\n";

/// One case, which knows no number above 10.
pub(super) fn weak() -> Workspace {
    let workspace = Workspace::new();
    let problem = workspace.problem("capped");
    problem.case("secret/1", "2\n5 6\n", "11\n").submission("accepted/capped.py", CAPPED);
    problem.file("input_validators/check.sh", VALIDATOR);
    workspace
}

#[track_caller]
fn strength(workspace: &Workspace, more: &[&str]) -> Run {
    // The inputs end it, and not the time on a busy machine.
    let words = ["strength", "capped", "--seconds", "250s", "--inputs", "100"];
    workspace.grader(&[&words, more].concat())
}

#[track_caller]
pub(super) fn document(workspace: &Workspace, more: &[&str]) -> Value {
    let run = strength(workspace, &[&["--format", "json"], more].concat());
    let mut all: Vec<Value> = serde_json::from_str(&run.status(0).stdout).unwrap();
    assert_eq!(all.len(), 1);
    all.remove(0)
}

pub(super) fn fates(document: &Value) -> Vec<String> {
    let of = |mutant: &Value| format!("{} {} {}", mutant["line"], mutant["after"], mutant["fate"]);
    document["result"]["mutants"].as_array().unwrap().iter().map(of).collect()
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn a_gap_is_shown_and_closed() {
    let workspace = weak();
    let run = strength(&workspace, &["--min-strength", "1", "-v"]);
    run.status(1).shows("mutants of accepted/capped.py (Python)");
    run.shows("no case of this problem tells them from the original");
    run.shows("✗ accepted/capped.py:6").shows("- total += 10").shows("by a change of secret/1");
    run.shows(": .grader/last/capped/strength/1.in").shows("→ add the inputs: grader strength capped --add");
    strength(&workspace, &["--add"]).status(0).shows("✓ added secret/2  kills ").hides("→ add the inputs");
    // What was added kills what had survived, and what is left agrees with the original everywhere.
    let run = strength(&workspace, &["--min-strength", "1"]);
    run.status(0).shows("survived    0").shows("strength    100.0 % of ").shows("the same on every case and on ");
    workspace.grader(&["run", "capped"]).status(0);
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn figures_add_up_and_are_the_same_each_time() {
    let workspace = weak();
    let first = document(&workspace, &["--mutants", "15"]);
    let figure = |name: &str| first["figures"][name].as_u64().unwrap();
    let all = ["killed", "survived", "equivalent", "not_built", "not_judged"].map(figure);
    assert_eq!(all.iter().sum::<u64>(), 15, "{first}");
    assert!(figure("killed") > 0 && figure("survived") > 0, "{first}");
    let share = first["strength"].as_f64().unwrap();
    let [low, high] = [0, 1].map(|end| first["interval"][end].as_f64().unwrap());
    assert!(low < share && share < high && high <= 1.0, "{first}");
    assert_eq!(fates(&document(&workspace, &["--mutants", "15"])), fates(&first));
    assert_ne!(fates(&document(&workspace, &["--mutants", "15", "--seed", "2"])), fates(&first));
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn the_page_shows_the_reached_bounds() {
    let workspace = weak();
    workspace.problem("capped").file("input_validators/bounds.sh", LOGGED).case("secret/1", "1\n5\n", "5\n");
    strength(&workspace, &["--mutants", "1", "--report", "html=strength.html"]).status(0);
    bars(&workspace, "strength.html");
    let found = document(&workspace, &["--mutants", "1"]);
    assert_eq!(found["result"]["bounds"][0]["max_reached"], false, "{found}");
}

/// Commands like those of the cases make inputs that the random ones and small changes do not.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn commands_of_the_cases_make_inputs() {
    let workspace = weak();
    let problem = workspace.problem("capped");
    // The prime and its double are far from every case, and the random inputs are too small.
    let validator = "read n || exit 43\nread more && exit 43\n[ \"$n\" -ge 1 ] 2> /dev/null && exit 42\nexit 43\n";
    problem.file("input_validators/check.sh", validator).toml("random_input = \"gen.py small {seed}\"\n");
    problem.case("secret/1", "5\n", "no\n").submission(
        "accepted/capped.py",
        "n = int(input())\nif n % 7919 == 0:\n    print('yes')\nelse:\n    print('no')\n",
    );
    problem.file(
        "generators/gen.py",
        "import random, sys\nkind, *more = sys.argv[1:]\nif kind == 'bad':\n    sys.exit('no such input')\n\
         random.seed(more[-1])\nprint(random.randint(1, 9) * (7919 if kind == 'rare' else 1))\n",
    );
    problem.file(
        "generators/generators.yaml",
        "data:\n  secret:\n    data:\n    - a: gen.py rare --seed 1\n    - b: gen.py bad --seed 2\n",
    );
    let run = workspace.grader(&["strength", "capped", "--seconds", "250s", "--inputs", "40", "-v"]);
    run.status(0).shows("bytes by gen.py rare --seed ").hides("by gen.py small").hides("ended early");
}

/// An input on which accepted submissions differ has no certain answer.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn inputs_on_which_accepted_submissions_differ_kill_nothing() {
    let workspace = weak();
    let problem = workspace.problem("capped");
    problem.toml("reference = \"accepted/capped.py\"\nrandom_input = \"gen.py {seed}\"\n");
    problem.file(
        "generators/gen.py",
        "import random, sys\nrandom.seed(sys.argv[1])\nn = random.randint(1, 2)\nprint(n)\n\
         print(*[random.randint(1, 30) for _ in range(n)])\n",
    );
    // Of one number it makes a wrong sum.
    let other = "read n\nread rest\nt=$((n < 2))\nfor x in $rest; do t=$((t + (x > 10 ? 10 : x))); done\necho $t\n";
    problem.submission("accepted/other.sh", other);
    let run = strength(&workspace, &["--format", "json"]);
    run.status(0).says("accepted/other.sh is WA on an input by ").says("grader stress capped accepted/other.sh");
    assert_eq!(run.stderr.matches("accepted/other.sh is WA").count(), 1, "{}", run.stderr);
    let all: Value = serde_json::from_str(&run.stdout).unwrap();
    // A survivor of a removed input still agrees on enough others.
    let fate = |fate: &str| all[0]["figures"][fate].as_u64().unwrap();
    let open = all[0]["result"]["mutants"].as_array().unwrap().iter().filter(|mutant| mutant["fate"] == "survived");
    let open: Vec<&Value> = open.filter(|mutant| mutant["input"].is_null()).collect();
    assert!(fate("equivalent") > 0 && open.is_empty(), "{open:?}");
    let found =
        all[0]["result"]["mutants"].as_array().unwrap().iter().filter_map(|mutant| mutant["input"]["bytes"].as_str());
    let counts: Vec<u32> = found.map(|input| input.split_whitespace().next().unwrap().parse().unwrap()).collect();
    assert!(!counts.is_empty() && counts.iter().all(|count| *count >= 2), "{counts:?}");
}

/// Where the cases are all that the generators make, a survivor cannot be told from its original.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn survivors_of_all_inputs_are_equivalent() {
    let workspace = Workspace::new();
    let problem = workspace.problem("digits");
    problem.submission("accepted/digits.py", "n = int(input()) % 1000\nprint(n)\n");
    problem.toml("random_input = \"gen.py {seed}\"\n");
    problem.file("generators/gen.py", "import sys\nprint(int(sys.argv[1]) % 60 + 1)\n");
    for n in 1..=60 {
        problem.case(&format!("secret/{n}"), &format!("{n}\n"), &format!("{n}\n"));
    }
    let run = workspace.grader(&["strength", "digits", "--seconds", "250s", "--min-strength", "1"]);
    run.status(0).shows("survived    0").shows("the same on every case; the generators make no other inputs");
    // With few cases, this says too little about the generators.
    for n in 3..=60 {
        for end in ["in", "ans"] {
            std::fs::remove_file(workspace.path(format!("testcases/digits/secret/{n}.{end}"))).unwrap();
        }
    }
    problem.file("generators/gen.py", "import sys\nprint(int(sys.argv[1]) % 2 + 1)\n");
    let run = workspace.grader(&["strength", "digits", "--seconds", "250s", "--min-strength", "1"]);
    run.status(1).hides("the generators make no").shows("on 0 inputs, too few");
}

/// What machines find that share nothing but files is what one finds.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn parts_are_joined() {
    let workspace = weak();
    let part = |part: &str| {
        let run = strength(&workspace, &["--shard", part, "--format", "json"]);
        workspace.file(format!("part{}.json", &part[..1]), &run.status(0).stdout);
    };
    part("0/2");
    part("1/2");
    workspace.grader(&["verify", "capped", "--try-time", "1"]).hides("mutants");
    let whole = document(&workspace, &[]);
    let merged = |words: &[&str]| workspace.grader(&[&["strength", "--merge"], words].concat());
    let run = merged(&["part1.json", "part0.json", "--format", "json"]);
    let all: Vec<Value> = serde_json::from_str(&run.status(0).stdout).unwrap();
    assert_eq!(all[0]["figures"], whole["figures"]);
    assert_eq!(fates(&all[0]), fates(&whole));
    // The inputs of the parts are files here.
    merged(&["part1.json", "part0.json"]).status(0).shows(": .grader/last/capped/strength/1.in");
    merged(&["part0.json"]).status(2).says("capped: part 1/2 is missing");
    merged(&["part1.json", "part1.json"]).status(2).says("capped: part 1/2 is there twice");
    merged(&["grader.toml"]).status(2).says("grader.toml is not the result of a part");
    workspace.file("whole.json", format!("[{whole}]"));
    merged(&["whole.json"]).status(2).says("capped: this is a whole result, not one of `--shard`");
    strength(&workspace, &["--shard", "2/2"]).status(2).says("0/2 to 1/2");
}

/// `verify` reads the last result, and warns if the problem has changed since.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn verify_knows_the_last_result() {
    let workspace = weak();
    let verify = || workspace.grader(&["verify", "capped", "--try-time", "1"]);
    verify().hides("mutants");
    strength(&workspace, &["--mutants", "10"]).status(0);
    verify().shows("of the mutants that were tried are killed").hides("strength-outdated");
    workspace.problem("capped").case("secret/2", "1\n30\n", "10\n");
    verify().shows("strength-outdated").shows("try it again: grader strength capped");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn what_cannot_be_tried_is_said() {
    let workspace = weak();
    let other = "read n\nread rest\nt=0\nfor x in $rest; do t=$((t + (x > 10 ? 10 : x))); done\necho $t\n";
    workspace.problem("capped").toml("reference = \"accepted/capped.py\"\n").submission("accepted/other.sh", other);
    let run = strength(&workspace, &["--mutants", "1"]);
    run.status(0).shows("not mutated").shows("accepted/other.sh: grader does not mutate Shell (bash)");
    // The original must be right.
    workspace.problem("capped").submission("accepted/capped.py", "print(12)\n");
    let run = strength(&workspace, &[]);
    run.status(2).says("accepted/capped.py is not accepted, so its mutants say nothing").says("grader run capped -s");
    workspace.problem("capped").submission("accepted/capped.py", "print(\n");
    strength(&workspace, &[]).status(2).says("accepted/capped.py: no place for a mistake was found");
    std::fs::remove_file(workspace.path("problems/capped/submissions/accepted/capped.py")).unwrap();
    workspace.problem("capped").toml("");
    let run = strength(&workspace, &[]);
    run.status(2).says("capped has nothing to mutate").says("grader does not mutate Shell (bash)");
    strength(&workspace, &["--min-strength", "2"]).status(2).says("`2` is not a number from 0 to 1");
    workspace.grader(&["strength", "cappd"]).status(2).says("did you mean `capped`?");
}

/// Without validators, changes of inputs may be invalid, and without generators there are no others.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn survivors_without_inputs_may_be_equivalent() {
    let workspace = weak();
    std::fs::remove_file(workspace.path("problems/capped/input_validators/check.sh")).unwrap();
    let run = strength(&workspace, &[]);
    run.status(0).shows("no input was tried on the survivors, so some may be equivalent").hides("on an input of");
    let more = ["--gen", "gen.sh {seed}"];
    workspace.problem("capped").file("generators/gen.sh", "RANDOM=$1\necho 1\necho $((RANDOM % 30 + 1))\n");
    strength(&workspace, &more).status(0).shows("bytes by gen.sh ").shows("WA on an input of");
}

/// A mutant is a submission like any other: it may print without end, take all memory, or never end.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn mutants_may_do_anything() {
    let workspace = weak();
    let text = "import os\nn = int(input())\nvalues = list(map(int, input().split()))\ni = 0\ntotal = 0\n\
                while i < n:\n    total += min(values[i], 10)\n    i += 1\nif n < 0:\n    while True:\n        os.fork()\n\
                if n < 0:\n    kept = [bytes(1 << 30) for _ in range(64)]\nprint(total)\n";
    let problem = workspace.problem("capped");
    problem.toml("limits.time_limit = 0.5\n").submission("accepted/capped.py", text);
    let found = document(&workspace, &[]);
    let mutants = found["result"]["mutants"].as_array().unwrap();
    let verdicts: Vec<&str> = mutants.iter().filter_map(|mutant| mutant["verdict"].as_str()).collect();
    assert!(verdicts.contains(&"TLE") && verdicts.contains(&"RTE") && verdicts.contains(&"WA"), "{verdicts:?}");
    assert_eq!(found["figures"]["not_judged"], 0, "{found}");
}

/// An interactor decides what is right, so survivors are tried in conversations.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn an_interactive_problem() {
    let workspace = Workspace::new();
    let guess = "low, high = 1, 8\nwhile True:\n    middle = (low + high) // 2\n    print(middle, flush=True)\n    \
                 answer = input()\n    if answer == 'yes':\n        break\n    if answer == 'more':\n        low = middle + 1\n    \
                 else:\n        high = middle - 1\n";
    let interactor = "read secret < \"$1\"\nfor n in 1 2 3 4; do\n read guess || exit 43\n case $guess in *[!0-9]*|'') exit 43;; esac\n \
                      [ \"$guess\" -lt 100 ] || exit 43\n [ $guess = $secret ] && { echo yes; exit 42; }\n \
                      [ $guess -lt $secret ] && echo more || echo less\ndone\nexit 43\n";
    let problem = workspace.problem("capped");
    problem.toml("type = \"interactive\"\nlimits.wall_limit = 2\n").file("output_validator/talk.sh", interactor);
    problem
        .file("input_validators/check.sh", "read n\nread more && exit 43\ncase $n in [1-8]) exit 42;; esac\nexit 43\n");
    problem.case("secret/1", "4\n", "").submission("accepted/guess.py", guess);
    let run = strength(&workspace, &["-v"]);
    run.status(0).shows("mutants of accepted/guess.py (Python)").shows("by a change of secret/1");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn labelled_programs_are_counted() {
    let workspace = weak();
    workspace.file("pool/right/one.py", CAPPED);
    workspace.file("pool/right/two.py", "input()\nprint(sum(min(x, 10) for x in map(int, input().split())))\n");
    workspace.file("pool/wrong/none.py", "input()\nprint(sum(map(int, input().split())))\n");
    workspace.file("pool/wrong/first.py", "print(input())\n");
    let pools = ["--accepted", "pool/right", "--wrong", "pool/wrong"];
    let run = strength(&workspace, &pools);
    run.status(0).shows("accepts 2 of 2: 100.0 %").shows("rejects 1 of 2: 50.0 %").shows("95 % interval");
    run.shows("✗ pool/wrong/none.py  is wrong, but is AC");
    strength(&workspace, &[&pools[..], &["--min-strength", "0.9"]].concat()).status(1);
    let rows = "{\"source\": \"print(input())\", \"language\": \"python3\"}\n{\"code\": \"print(11)\", \"lang\": \"python3\"}\n";
    workspace.file("wrong.jsonl", rows);
    strength(&workspace, &["--wrong", "wrong.jsonl"])
        .status(0)
        .shows("rejects 1 of 2")
        .shows("row2.py  is wrong, but is AC");
    workspace.file("wrong.jsonl", "{\"source\": \"x\", \"language\": \"klingon\"}\n");
    let run = strength(&workspace, &["--wrong", "wrong.jsonl"]);
    run.status(2).says("wrong.jsonl, row 1: no language is called `klingon`");
    strength(&workspace, &["--wrong", "nowhere"]).status(2).says("nowhere");
}

/// With every case, a mutant that never ends would take the time limit of each.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn a_mutant_that_never_ends_stops_after_a_few_cases() {
    let workspace = weak();
    let count = "n = int(input())\ninput()\ni = 0\nwhile i < n:\n    i += 1\nprint(n * 3)\n";
    let problem = workspace.problem("capped");
    problem.toml("limits.time_limit = 0.4\n").submission("accepted/capped.py", count);
    std::fs::remove_file(workspace.path("problems/capped/input_validators/check.sh")).unwrap();
    for n in 1..=6 {
        problem.case(&format!("secret/{n}"), &format!("{n}\n1\n"), &format!("{}\n", 3 * n));
    }
    // Of the first four mutants one never ends, and one is wrong. The time is not a part of the claim.
    let words = ["strength", "capped", "--seconds", "900s", "--mutants", "4", "-a", "--report", "html=strength.html"];
    let run = workspace.grader(&words);
    run.status(0).shows("killed      2").shows("group secret: at least 50.0 %");
    run.shows("not run     some cases did not run on 1 mutant: over the time limit before");
    let page = std::fs::read_to_string(workspace.path("strength.html")).unwrap();
    let cells = |cell: &str| page.matches(cell).count();
    // The wrong one fails all six cases, the other three, and the rest of its column is empty.
    assert_eq!((cells("<td class=\"good\">×</td>"), cells("<td class=\"dim\"></td>")), (6 + 3, 3));
}

/// Which of two right outputs is worth more says nothing about a mistake.
#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn points_of_validators_are_not_compared() {
    let workspace = weak();
    let problem = workspace.problem("capped");
    problem.toml("type = \"scoring\"\n").file(
        "output_validator/half.sh",
        "read n\nread answer < \"$2\"\n[ $n = $answer ] && echo 1 > $3/score_multiplier.txt && exit 42\n\
         [ $n = $((answer + 1)) ] && echo 0.5 > $3/score_multiplier.txt && exit 42\nexit 43\n",
    );
    problem.submission("accepted/capped.py", "input()\nprint(sum(map(int, input().split())) + 0)\n");
    let run = strength(&workspace, &["-v"]);
    run.status(0).shows("1 of 1 mutants").shows("killed      0").shows("points      not compared: ");
}
