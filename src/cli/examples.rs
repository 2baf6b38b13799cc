//! Two examples for each command, at the end of its help.

use std::fmt::Write as _;

/// The command, and two calls with what they do.
type Examples = (&'static str, [(&'static str, &'static str); 2]);

const EXAMPLES: [Examples; 35] = [
    (
        "run",
        [
            ("grader run nine", "run all submissions of a problem"),
            ("grader run nine -s mine.py -t sample", "run one submission on the samples"),
        ],
    ),
    (
        "watch",
        [
            ("grader watch nine", "run again after every change"),
            ("grader watch nine -s mine.py", "watch one submission"),
        ],
    ),
    (
        "rerun",
        [
            ("grader rerun", "repeat what failed in the last run"),
            ("grader rerun prev", "repeat what failed in the run before it"),
        ],
    ),
    (
        "judge",
        [
            ("grader judge nine mine.py", "judge one program"),
            ("grader judge class/ --layout '{student}/{problem}.*' --out results", "judge a class"),
        ],
    ),
    (
        "check",
        [
            ("grader check nine out/", "judge output files"),
            ("grader check nine - -t secret/01", "judge standard input as the output of one test"),
        ],
    ),
    (
        "new",
        [
            ("grader new two-sums", "create a problem in Rust"),
            ("grader new guess --interactive --lang python", "create an interactive one in Python"),
        ],
    ),
    (
        "import",
        [
            ("grader import sum-7.zip", "bring a package of Polygon into problems/ and testcases/"),
            ("grader import --from livecodebench test6.jsonl", "make a problem of each row"),
        ],
    ),
    (
        "export",
        [
            ("grader export nine --for domjudge", "write nine.zip for DOMjudge"),
            ("grader export nine --for kattis -o out", "write the directory out/nine"),
        ],
    ),
    (
        "upgrade",
        [
            ("grader upgrade sum --dry-run", "show what would change"),
            ("grader upgrade problems/*", "bring each package to 2025-09"),
        ],
    ),
    (
        "statement",
        [
            ("grader statement nine", "write nine.en.html"),
            ("grader statement contest/problems -o out --pdf", "print the booklet of a contest into out"),
        ],
    ),
    (
        "add",
        [
            ("grader add nine case.in", "add a file as a secret case"),
            ("printf '1 2\\n' | grader add nine --sample", "add a sample from standard input"),
        ],
    ),
    (
        "accept",
        [
            ("grader accept nine", "show answers that would change"),
            ("grader accept nine secret/01 --yes", "replace one answer"),
        ],
    ),
    (
        "remove",
        [
            ("grader remove nine secret/03", "remove one case after asking"),
            ("grader remove nine 'secret/1*' --yes", "remove several without asking"),
        ],
    ),
    (
        "rename",
        [
            ("grader rename nine 03 07-large", "rename a case"),
            ("grader rename nine sample/2 secret/04", "move a case to another group"),
        ],
    ),
    (
        "gen",
        [
            ("grader gen nine", "generate all cases of one problem"),
            ("grader gen 'dirac-*' --check", "check that those of several problems are up to date"),
        ],
    ),
    (
        "stress",
        [
            ("grader stress nine -s mine.py", "search for an input that mine.py fails"),
            ("grader stress nine --wrong --gen 'gen.py 9 {seed}'", "try all wrong submissions"),
        ],
    ),
    (
        "verify",
        [
            ("grader verify nine", "check one problem"),
            ("grader verify --strict", "check all problems; warnings fail too"),
        ],
    ),
    (
        "strength",
        [
            ("grader strength nine", "show the mistakes that no case finds"),
            ("grader strength nine --seconds 600s --add", "look longer, and add cases that find them"),
        ],
    ),
    (
        "time-limit",
        [
            ("grader time-limit 'dirac-*'", "propose time limits of several problems"),
            ("grader time-limit nine --write", "propose one and write it"),
        ],
    ),
    (
        "plan",
        [
            ("grader plan --out plan.json", "measure the time limits that all parts of a run share"),
            ("grader plan nine 'dirac-*' --out some.json", "measure those of some problems"),
        ],
    ),
    (
        "merge",
        [
            ("grader merge parts", "show the run that all parts make"),
            ("grader merge parts --report gradebook=grades.csv", "write the grades of a class"),
        ],
    ),
    (
        "worker",
        [
            (
                "grader worker tls://w1@judge.example:4222 --password-file w1.password --ca ca.pem",
                "judge what others send",
            ),
            ("grader worker --check nats://w1@127.0.0.1:4222", "say what is missing on this machine"),
        ],
    ),
    (
        "engine",
        [
            ("grader engine config --out nats.conf", "configure a broker for this machine and two workers"),
            (
                "grader engine config --out nats.conf --listen 10.0.0.1:4222 --cert c.pem --key k.pem --worker lab1",
                "configure one for a lab",
            ),
        ],
    ),
    (
        "attach",
        [
            ("grader attach --engine nats://client@127.0.0.1:4222", "list the runs that go on without a client"),
            ("grader attach 9d70 --engine nats://client@127.0.0.1:4222", "come back to one"),
        ],
    ),
    (
        "list",
        [("grader list", "list all problems"), ("grader list nine -vv", "list groups, submissions and cases of one")],
    ),
    (
        "report",
        [
            ("grader report last", "show the last run again"),
            ("grader report last --report csv=results.csv", "write its results as CSV"),
        ],
    ),
    (
        "view",
        [
            ("grader view", "show the last run in the browser"),
            ("grader view prev --port 8000", "show the run before it at a fixed port"),
        ],
    ),
    (
        "visualize",
        [
            ("grader visualize nine sample", "draw the samples of a problem"),
            ("grader visualize guess -s mine.py --out pictures", "run a program and draw what it prints"),
        ],
    ),
    (
        "history",
        [("grader history", "list the last runs"), ("grader history nine -n 5", "list the last five of one problem")],
    ),
    (
        "compare",
        [
            ("grader compare", "compare the last two runs"),
            ("grader compare 1203d9c3 last --times", "compare a run with the last one, with times"),
        ],
    ),
    (
        "config",
        [("grader config", "show all settings and their origins"), ("grader config limits -v", "explain the limits")],
    ),
    (
        "ci",
        [
            ("grader ci github", "run everything at each push to GitHub"),
            ("grader ci gradescope nine", "make the autograder of a problem"),
        ],
    ),
    ("cache", [("grader cache", "show what is stored"), ("grader cache clear", "remove all cached results")]),
    (
        "doctor",
        [
            ("grader doctor", "check the guarantees of the sandbox"),
            ("grader doctor --isolation user", "check one layer"),
        ],
    ),
    (
        "completions",
        [
            ("grader completions bash", "print the script for bash"),
            ("grader completions fish | source", "use completions in this fish"),
        ],
    ),
];

/// Adds the examples to the help of every command.
pub(super) fn add_to(command: clap::Command) -> clap::Command {
    command.mut_subcommands(|subcommand| {
        let Some((_, examples)) = EXAMPLES.iter().find(|(name, _)| *name == subcommand.get_name()) else {
            return subcommand;
        };
        let mut text = subcommand.get_after_help().map(|help| format!("{help}\n\n")).unwrap_or_default();
        text.push_str("Examples:");
        for (call, does) in examples {
            // Writing to a string cannot fail.
            let _ = write!(text, "\n  {call}\n      {does}");
        }
        subcommand.after_help(text)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_two_examples_that_parse() {
        let command = crate::cli::command();
        for subcommand in command.get_subcommands().filter(|command| !command.is_hide_set()) {
            let name = subcommand.get_name();
            let (_, examples) = EXAMPLES.iter().find(|(known, _)| *known == name).unwrap_or_else(|| panic!("{name}"));
            for (call, _) in examples {
                let words = shlex::split(call).unwrap();
                let words = words.into_iter().skip_while(|word| word != "grader").take_while(|word| word != "|");
                let words: Vec<String> = words.collect();
                assert_eq!(words[1], name, "{call}");
                crate::cli::command().try_get_matches_from(words).unwrap_or_else(|error| panic!("{call}: {error}"));
            }
        }
    }
}
