//! Results of earlier runs under other limits: each run judges by its own.

use macro_rules_attribute::apply;

use crate::cli::need::Need;
use crate::cli::run::Call;
use crate::cli::workspace::{SUM, Workspace};

/// The verdict of Ann in a run with this roster.
fn verdict_of_ann(workspace: &Workspace, extra_time: &str, more: &[&str]) -> String {
    workspace.file("roster.csv", format!("id,extra_time\nann,{extra_time}\n"));
    let args = ["judge", "class", "--layout", "{student}/{problem}.*", "--roster", "roster.csv", "--exit-zero"];
    let run = Call::recorded(&workspace.path(""), &[&args[..], &["--time-limit", "0.5"], more].concat()).run();
    run.end("ann/sum.py")["verdict"].as_str().unwrap().to_owned()
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn extra_time_counts_in_every_run() {
    for more in [&[][..], &["--out", "results"]] {
        let workspace = Workspace::new();
        workspace.problem("sum").case("secret/1", "1 2\n", "3\n").submission("accepted/sum.sh", SUM);
        // Cpu time by the program's own clock, far from both limits and below the point where it is killed.
        let body = "import time\nwhile time.process_time() < 0.65: pass\nprint(3)\n";
        workspace.file("class/ann/sum.py", body);
        let verdicts = ["200%", "200%", "", "200%", ""].map(|extra| verdict_of_ann(&workspace, extra, more));
        assert_eq!(verdicts, ["AC", "AC", "TLE", "AC", "TLE"], "{more:?}");
    }
}

#[apply(cli_test)]
fn a_program_that_reads_its_limits_runs_again_under_others() {
    // The stack follows the memory limit, and the size of a file the output limit.
    for (option, limit, before, after) in [("-s", "MEMORY", "256", "512"), ("-f", "OUTPUT", "8", "16")] {
        let workspace = Workspace::new();
        let of = |value: &str| value.parse::<u64>().unwrap() * 1024;
        let program = format!("[ \"$(ulimit {option})\" = {} ] && echo 3 || echo 4\n", of(before));
        workspace.problem("sum").case("secret/1", "1 2\n", "3\n").submission("accepted/sum.sh", &program);
        let with = |value: &str| workspace.call(&[]).env(&format!("GRADER_LIMITS_{limit}"), value).run();
        with(before).status(0).ends("accepted/sum.sh", "AC", "met");
        with(after).status(1).ends("accepted/sum.sh", "WA", "missed");
        with(before).status(0).ends("accepted/sum.sh", "AC", "met");
    }
}

#[apply(cli_test)]
fn time_limits_cannot_be_read() {
    let workspace = Workspace::new();
    workspace.problem("sum").case("secret/1", "1 2\n", "3\n").submission("accepted/sum.sh", "ulimit -t\n");
    let told = |limit: &str| {
        let run = workspace.run(&["--no-cache", "--time-limit", limit]);
        run.status(1).test("accepted/sum.sh", "secret/1")["result"]["difference"].to_string()
    };
    assert_eq!(told("1"), told("7"));
}
