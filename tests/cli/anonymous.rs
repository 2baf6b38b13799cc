//! `--anonymous`: reports for others than the staff. The tests attack it: they look for every name in everything that is
//! written.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;

use macro_rules_attribute::apply;

use crate::cli::need::Need;
use crate::cli::run::Run;
use crate::cli::workspace::{SUM, Workspace};

/// What nobody may find: ids, names, and their forms in names of files and in programs.
const SECRETS: [&str; 16] = [
    "s1001", "s1002", "s1003", "s1004", "s1005", "s1006", "ann lee", "annlee", "ann_lee", "lee, ann", "o'neil", "neil",
    "żółć", "fox+", "dee oh", "appeal",
];

/// Students who write their names everywhere.
fn class() -> Workspace {
    let workspace = Workspace::new();
    workspace.sum("sum");
    workspace.sum("gaps");
    let print = "# Ann Lee, S1001\nimport sys\nprint('ann lee', file=sys.stderr)\nprint('s1001 is Ann Lee <b>')\n";
    workspace.file("class/s1001/ann_lee_sum.py", print).file("class/s1001/gaps.sh", SUM);
    workspace.file("class/s1006/gaps.py", "author_s1006 = \"Cy Ray\"\nmy_Ray = author_s1006\nprint(my_Ray)\n");
    // The compiler repeats the line and the name of the file.
    workspace.file("class/s1002/sum_oneil.py", "quin_o_neil = 'Quin O'Neil' <i>(\n");
    workspace.file("class/s1003/sum.py", "class Żółć(Exception): pass\nraise Żółć('Żółć of Zoe Żółć, s1003')\n");
    workspace.file("class/s1004/sum_fox.docx", "PK").file("class/s1004/gaps.sh", "echo 'Fox+ (Bo s1004'\n");
    workspace.file("class/s1005/what dee oh did.py", "print(3)\n");
    let roster = "id,name,group,team\ns1001,Ann Lee,A,\ns1002,Quin O'Neil,A,\ns1003,\"Żółć, Zoe\",B,\n\
        s1004,Fox+ (Bo,B,\ns1005,Dee Oh,B,\ns1006,Cy Ray,B,\n";
    workspace.file("roster.csv", roster);
    workspace.file("overrides.csv", "id,problem,points,reason,by\ns1003,sum,0.5,appeal of Zoe,Dr Oh\n");
    workspace
}

const KINDS: [&str; 7] = ["html", "gradebook", "csv", "junit", "markdown", "jsonl", "canvas"];

fn anonymous(workspace: &Workspace, command: &[&str], dir: &str) -> Run {
    std::fs::create_dir_all(workspace.path(dir)).unwrap();
    let mut reports: Vec<String> = KINDS.iter().map(|kind| format!("--report={kind}={dir}/report.{kind}")).collect();
    // A folder for JPlag must be new.
    let copies = workspace.path(format!("{dir}/jplag"));
    if copies.exists() {
        std::fs::remove_dir_all(copies).unwrap();
    }
    reports.push(format!("--report=jplag={dir}/jplag"));
    // Earlier students have names as well.
    workspace.file("dee oh/s1006/sum.sh", SUM);
    reports.push("--similar-to=dee oh".to_owned());
    let reports: Vec<&str> = reports.iter().map(String::as_str).collect();
    workspace.grader(&[command, &["--anonymous", "--feedback", "all"], &reports].concat())
}

const JUDGE: [&str; 8] =
    ["judge", "class", "--layout", "{student}/*{problem}*.*", "--roster", "roster.csv", "--overrides", "overrides.csv"];

/// Everything that was written, but for the folder of the staff: paths and texts.
fn written(workspace: &Workspace, dir: &str) -> BTreeMap<String, String> {
    let files = walkdir::WalkDir::new(workspace.path(dir)).into_iter().map(Result::unwrap);
    let files = files.filter(|entry| entry.file_type().is_file());
    let text = |entry: walkdir::DirEntry| {
        let path = entry.path().strip_prefix(workspace.path(dir)).unwrap().display().to_string();
        let text = String::from_utf8(std::fs::read(entry.path()).unwrap()).unwrap();
        (path, text)
    };
    files.map(text).filter(|(path, _)| !path.starts_with("staff/")).collect()
}

/// The pseudonyms by the ids of the students.
fn key(workspace: &Workspace, dir: &str) -> BTreeMap<String, String> {
    let text = workspace.read(format!("{dir}/staff/pseudonyms.csv"));
    let mut rows = text.lines().map(|line| line.splitn(4, ',').collect::<Vec<_>>());
    assert_eq!(rows.next().unwrap(), ["pseudonym", "student", "id", "name"]);
    rows.map(|row| (row[2].to_owned(), row[0].to_owned())).collect()
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn nobody_is_found_in_anonymous_reports() {
    let workspace = class();
    anonymous(&workspace, &JUDGE, "out").says("sum_fox.docx");
    let files = written(&workspace, "out");
    assert!(files.len() >= KINDS.len() + 6, "{:?}", files.keys());
    for (path, text) in &files {
        // As readers of the formats see it.
        let unescaped = text.replace("&#39;", "'").replace("&apos;", "'").replace("&#60;", "<").replace("\\u0027", "'");
        let haystack = format!("{path}\n{text}\n{unescaped}").to_lowercase();
        for secret in SECRETS {
            let at = haystack.find(secret);
            let around = at.map(|at| haystack[at.saturating_sub(60)..].chars().take(140).collect::<String>());
            assert_eq!(around, None, "{secret} in {path}");
        }
    }
    // They are whole reports all the same.
    let key = key(&workspace, "out");
    let program = files.iter().find(|(path, text)| path.starts_with("jplag") && text.contains("author_")).unwrap().1;
    let cy = &key["s1006"];
    assert_eq!(*program, format!("author_{cy} = \"{cy}\"\nmy_name = author_{cy}\nprint(my_name)\n"), "it is a program");
    assert!(!cy.contains('-'), "{cy}");
    assert_eq!(key.len(), 6);
    for pseudonym in key.values() {
        let page = format!("students/{pseudonym}.html");
        assert!(files.keys().any(|path| path.ends_with(&format!("{pseudonym}.html"))), "{page}: {:?}", files.keys());
        for kind in ["html", "gradebook", "canvas", "jsonl", "csv"] {
            assert!(files[&format!("report.{kind}")].contains(pseudonym), "{pseudonym} in {kind}");
        }
    }
    assert!(files["report.html"].contains("not shown, because they may name students"));
    assert!(files["report.gradebook"].contains("decided by the staff"), "{}", files["report.gradebook"]);
    let ann = files.iter().find(|(path, _)| path.ends_with(&format!("{}.html", key["s1001"]))).unwrap().1;
    assert!(
        ann.contains(&format!("{} is {}", key["s1001"], key["s1001"])) && ann.contains("class=\"source\""),
        "{ann}"
    );
    let mode = std::fs::metadata(workspace.path("out/staff/pseudonyms.csv")).unwrap().permissions().mode();
    assert_eq!(mode & 0o077, 0, "only the staff reads the key");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn the_order_of_anonymous_reports_says_nothing() {
    let workspace = class();
    anonymous(&workspace, &JUDGE, "out");
    let events = workspace.read("out/report.jsonl");
    let head: serde_json::Value = serde_json::from_str(events.lines().next().unwrap()).unwrap();
    for problem in head["problems"].as_array().unwrap() {
        let students: Vec<&str> =
            problem["submissions"].as_array().unwrap().iter().map(|of| of["student"].as_str().unwrap()).collect();
        assert!(students.len() > 1 && students.is_sorted(), "{students:?}");
    }
    let ended = events.lines().filter(|line| line.contains("\"submission_finished\""));
    let order: Vec<u64> =
        ended.map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["run"].as_u64().unwrap()).collect();
    assert!(order.is_sorted() && order.len() > 3, "{order:?}");
    // The grades are those of the reports with names.
    workspace.grader(&["report", "last", "--report", "gradebook=named.csv"]).status(0);
    let key = key(&workspace, "out");
    let totals = |text: &str| -> BTreeMap<String, String> {
        let head: Vec<&str> = text.lines().next().unwrap().split(',').collect();
        let column = head.iter().position(|heading| *heading == "total").unwrap();
        let row = |line: &str| {
            let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(line.as_bytes());
            let row = reader.records().next().unwrap().unwrap();
            let names = head.iter().position(|heading| *heading == "name").is_some();
            (row[if names { 2 } else { 1 }].to_owned(), row[column].to_owned())
        };
        text.lines().skip(1).map(row).collect()
    };
    let named = totals(&workspace.read("named.csv"));
    let masked = totals(&workspace.read("out/report.gradebook"));
    for (id, total) in &named {
        assert_eq!(masked[&key[id]], *total, "{id}");
    }
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn pseudonyms_stay_and_need_the_secret() {
    let workspace = class();
    anonymous(&workspace, &JUDGE, "out");
    let first = key(&workspace, "out");
    // Of a stored run, after the class has changed, and after the cache was cleared.
    anonymous(&workspace, &["report", "last"], "again").status(0);
    assert_eq!(key(&workspace, "again"), first);
    workspace.grader(&["cache", "clear"]);
    std::fs::remove_dir_all(workspace.path("class/s1001")).unwrap();
    anonymous(&workspace, &JUDGE, "later");
    assert_eq!(key(&workspace, "later"), first);
    // Somebody who knows the ids and has no secret finds others.
    let other = class();
    anonymous(&other, &JUDGE, "out");
    let others = key(&other, "out");
    assert!(first.iter().all(|(id, pseudonym)| others[id] != *pseudonym), "{first:?} {others:?}");
    workspace.file(".grader/pseudonyms.key", "short");
    anonymous(&workspace, &JUDGE, "out").says("the secret of the pseudonyms is damaged");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn programs_in_archives_are_shown_without_names() {
    let workspace = class();
    let file = std::fs::File::create(workspace.path("class.zip")).unwrap();
    let mut zip = zip::ZipWriter::new(file);
    for name in ["s1001/ann_lee_sum.py", "s1005/what dee oh did.py", "s1001/gaps.sh"] {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(workspace.read(format!("class/{name}")).as_bytes()).unwrap();
    }
    zip.finish().unwrap();
    std::fs::remove_dir_all(workspace.path("class")).unwrap();
    let judge = [&["judge", "class.zip"][..], &JUDGE[2..]].concat();
    anonymous(&workspace, &judge, "out");
    let ann = workspace.read(format!("out/report-students/{}.html", key(&workspace, "out")["s1001"]));
    assert!(ann.contains("your program: <code>sum.py</code>") && ann.contains("import sys"), "{ann}");
    assert!(written(&workspace, "out").values().all(|text| !text.to_lowercase().contains("ann lee")));
}

#[apply(cli_test)]
fn what_cannot_be_anonymous_is_refused() {
    let workspace = class();
    let judge = |more: &[&str]| workspace.grader(&[&JUDGE[..], &["--anonymous"], more].concat());
    judge(&["--out", "results", "--report", "html=page.html"]).status(2).says("grader report last --anonymous");
    judge(&["--view", "--report", "html=page.html"]).status(2).says("leave out one of them");
    judge(&[]).status(2).says("--report");
    assert!(!workspace.path("results").exists() && !workspace.path("page.html").exists());
}
