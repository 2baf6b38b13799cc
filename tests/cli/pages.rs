//! Pages: of a run, of a class with its students, of `verify`, and from the server of `--view`. What a browser makes of
//! them is tested in `tests/browser`.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::Child;
use std::time::Duration;

use macro_rules_attribute::apply;
use rustix::process::{Pid, Signal, kill_process};

use crate::cli::need::Need;
use crate::cli::run::Call;
use crate::cli::workspace::{SUM, Workspace};

const HOSTILE: &str = "</script><script>pwned()</script>";

fn with_a_wrong_submission() -> Workspace {
    let workspace = Workspace::with_sum();
    let program = format!("echo '{HOSTILE}' | tee /dev/stderr\n");
    let problem = workspace.problem("sum").toml("reference = \"sum.sh\"\nname = \"<b>Sum\"\n");
    problem.submission("accepted/off.sh", &program);
    workspace
}

#[track_caller]
fn page(workspace: &Workspace, args: &[&str]) -> String {
    workspace.grader(&[args, &["--report", "html=page.html"]].concat());
    workspace.read("page.html")
}

#[apply(cli_test)]
fn a_page_of_a_run_explains_and_escapes() {
    let workspace = with_a_wrong_submission();
    let page = page(&workspace, &["run"]);
    assert!(page.contains("1 as expected, 1 unexpected"), "{page}");
    assert!(page.contains("&#60;b&#62;Sum") && page.contains("&#60;script&#62;pwned()"), "{page}");
    // The only tags of scripts are the page's own: figures and code.
    assert_eq!(page.matches("<script").count(), 2);
    assert!(!page.contains("<b>Sum") && !page.contains("<script>pwned"));
    for shown in ["input", "answer", "your output", "stderr", "grader run sum -s"] {
        assert!(page.contains(shown), "{shown}: {page}");
    }
}

#[apply(cli_test)]
fn a_page_needs_nothing_else() {
    let page = page(&with_a_wrong_submission(), &["run"]);
    let policy = page.split("Content-Security-Policy\" content=\"").nth(1).unwrap().split('"').next().unwrap();
    for rule in ["default-src &#39;none&#39;", "script-src &#39;sha256-", "connect-src &#39;none&#39;"] {
        assert!(policy.contains(rule), "{policy}");
    }
    assert!(!policy.contains("unsafe"), "{policy}");
    for address in ["src=\"", "href=\"http", "url(", "@import", " onclick", " onload", " style=\""] {
        assert!(!page.contains(address), "{address}");
    }
}

/// The title of a page, and its class.
fn title(page: &str) -> &str {
    page.split("<h1 class=\"").nth(1).and_then(|rest| rest.split("</h1>").next()).unwrap_or_default()
}

#[apply(cli_test)]
fn the_title_of_a_page_about_one_program_says_what_happened() {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").case("sample/2", "2 2\n", "4\n");
    workspace.file("three.sh", "echo 3\n");
    let of_wrong = page(&workspace, &["run", "sum", "three.sh"]);
    assert_eq!(title(&of_wrong), "attention\">Wrong answer on sample 2");
    assert!(of_wrong.contains("<details class=\"why\" id=\"d0-1\" open>"), "{of_wrong}");
    for of_many in ["Which test kills", "Needs a look", "type=\"search\"", "1 results"] {
        assert!(!of_wrong.contains(of_many), "{of_many}: {of_wrong}");
    }
    let judged = page(&workspace, &["judge", "sum", "three.sh"]);
    assert_eq!(title(&judged), "attention\">Wrong answer on sample 2");
    assert!(!judged.contains("The class") && !judged.contains("Comparing programs"), "{judged}");
    assert!(page(&workspace, &["run", "sum", "three.sh", "-t", "sample/1"]).contains("1 result in"));
    workspace.file("sum.sh", SUM).file("broken.py", "def f(:\n");
    assert_eq!(title(&page(&workspace, &["judge", "sum", "sum.sh"])), "fine\">Accepted");
    assert_eq!(title(&page(&workspace, &["judge", "sum", "broken.py"])), "attention\">Compile error");
    // What its label says about it.
    workspace.problem("sum").submission("wrong_answer/three.sh", "echo 3\n").submission("wrong_answer/sum.sh", SUM);
    let labelled = |name| title(&page(&workspace, &["run", "sum", "-s", name])).to_owned();
    assert_eq!(labelled("wrong_answer/three.sh"), "fine\">Wrong answer on sample 2, as expected");
    assert_eq!(labelled("wrong_answer/sum.sh"), "attention\">Accepted: expected WA, got AC");
}

#[apply(cli_test)]
fn a_long_text_says_how_much_of_it_is_shown() {
    let workspace = Workspace::with_sum();
    let lines = |n: usize| (0..n).flat_map(|n| [n.to_string(), "\n".to_owned()]).collect::<String>();
    let problem = workspace.problem("sum").case("secret/2", &lines(300), "1\n");
    problem.case("secret/3", &lines(30_000), "1\n").case("secret/4", &format!("{}\n", "7 ".repeat(500)), "1\n");
    workspace.file("none.sh", "echo none\n");
    let run = workspace.grader(&["run", "sum", "none.sh", "-v", "-a", "--report", "html=page.html"]);
    // The numbers and the end are those of the whole file, not of the part that is read first.
    run.shows("… 260 of 300 lines not shown").shows("… 29960 of 30000 lines not shown").shows("29999\n");
    run.shows("more characters");
    workspace.file("grader.toml", "report_failures = 9\n");
    let page = page(&workspace, &["run", "sum", "none.sh", "-a"]);
    for shown in ["lines 1–6 and 299–300 of 300", "unfold: 300 lines", "of 30000</summary>", "the ends of long lines"]
    {
        assert!(page.contains(shown), "{shown}: {page}");
    }
}

#[apply(cli_test)]
fn the_page_of_a_record_is_that_of_the_run() {
    let workspace = with_a_wrong_submission();
    let of_run = page(&workspace, &["run"]);
    let of_record = page(&workspace, &["report", "last"]);
    assert_eq!(of_run, of_record);
}

#[apply(cli_test)]
fn what_changed_since_the_last_run_is_told() {
    let workspace = with_a_wrong_submission();
    workspace.grader(&["run"]);
    workspace.problem("sum").submission("accepted/off.sh", SUM);
    let page = page(&workspace, &["run"]);
    assert!(page.contains("Changed since the last run"), "{page}");
    assert!(page.contains("WA → <b>AC</b>"), "{page}");
    // Of the run before, nothing had changed.
    workspace.grader(&["report", "prev", "--report", "html=before.html"]);
    assert!(!workspace.read("before.html").contains("Changed since"));
}

#[apply(cli_test)]
fn the_setting_for_explanations_counts() {
    let workspace = Workspace::with_sum();
    workspace.problem("sum").case("secret/2", "2 2\n", "4\n").case("secret/3", "3 3\n", "6\n");
    workspace.problem("sum").submission("wrong_answer/zero.sh", "echo 0\n");
    let explained = |workspace: &Workspace| page(workspace, &["run", "-a"]).matches("<details class=\"why\"").count();
    assert_eq!(explained(&workspace), 3);
    workspace.file("grader.toml", "report_failures = 1\n");
    assert_eq!(explained(&workspace), 1);
}

/// A person with one program sees all its failures, samples first in the title, whatever the samples are called.
#[apply(cli_test)]
fn all_failures_of_an_only_program_are_explained() {
    let workspace = Workspace::bare();
    for name in ["10", "20", "30", "40", "sample-2"] {
        workspace.file(format!("tests/{name}.in"), "1\n").file(format!("tests/{name}.out"), "2\n");
    }
    workspace.file("one.sh", "echo 1\n");
    let all = page(&workspace, &["run"]);
    assert_eq!(all.matches("<details class=\"why\"").count(), 5);
    assert_eq!(title(&all), "attention\">Wrong answer on sample 2");
    workspace.file("grader.toml", "report_failures = 2\n");
    assert_eq!(page(&workspace, &["run"]).matches("<details class=\"why\"").count(), 2);
}

/// A class: two copies, three with the same mistake, and one who submitted no program.
fn class() -> Workspace {
    let workspace = Workspace::new();
    let problem = workspace.problem("sum").case("sample/1", "1 2\n", "3\n").case("secret/1", "40400 24\n", "40424\n");
    problem.submission("accepted/sum.sh", SUM);
    let long = |name: &str| {
        let operator = |n: u32| ["+", "-", "*"][n as usize % 3];
        let step = |n: u32| {
            let first = operator(n);
            let second = operator(n / 3);
            let third = operator(n / 9);
            format!("{name}=$(( ({name} {first} {n}) {second} (other {third} {n}) ))\n")
        };
        format!("read {name} other\n{}echo ${name}\n", (0..27).map(step).collect::<String>())
    };
    workspace.file("class/ann/sum.sh", long("first"));
    workspace.file("class/bob/sum.sh", format!("# My own work.\n{}", long("x")));
    for student in ["cat", "dan", "eve"] {
        workspace.file(format!("class/{student}/sum.sh"), format!("# {student}\nread a b\necho $((a - b))\n"));
    }
    workspace.file("class/fay <i>/notes.txt", "I did not finish.\n");
    workspace
}

const JUDGE: [&str; 4] = ["judge", "class", "--layout", "{student}/{problem}.*"];

#[apply(cli_test)]
fn students_get_pages_with_what_they_may_see() {
    let workspace = class();
    workspace.file("class/fay <i>/sum.sh", "echo '<i>'\n");
    let page = page(&workspace, &JUDGE);
    assert!(page.contains("href=\"page-students/cat.html\""), "{page}");
    let cat = workspace.read("page-students/cat.html");
    assert!(cat.contains("expected `3`, got `-1`") && cat.contains("secret/1"), "{cat}");
    // Neither the secret test nor anybody else.
    assert!(!cat.contains("40424") && !cat.contains("dan"), "{cat}");
    let students = std::fs::read_dir(workspace.path("page-students")).unwrap();
    let names: Vec<String> = students.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(names.len(), 7, "{names:?}");
    assert!(names.iter().all(|name| !name.contains(['<', '/'])), "{names:?}");
    assert!(
        page.contains("href=\"page-students/fay%20_i_.html\"") && names.contains(&"fay _i_.html".to_owned()),
        "{names:?}"
    );
    workspace.grader(&[&JUDGE[..], &["--feedback", "none", "--report", "html=page.html"]].concat());
    let cat = workspace.read("page-students/cat.html");
    assert!(cat.contains("wrong answer") && !cat.contains("sample/1"), "{cat}");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn a_student_sees_the_program_beside_its_failures_and_a_total() {
    let workspace = class();
    workspace.sum("other");
    let crash = "def first(words):\n    return words[7]  # <b>\n\nprint(first(input().split()))\n";
    workspace.file("class/gil/sum.py", crash).file("class/hal/sum.py", "print(1\n").file("class/hal/other.sh", SUM);
    workspace.file("class/ann/other.sh", SUM).file("secret.py", "print('of the staff')\n");
    let page = page(&workspace, &JUDGE);
    assert!(page.contains("href=\"page-students/gil.html\""), "{page}");
    // The staff sees the place in the program beside the failure, of secret tests too.
    let places = page.matches("→    2      return words[7]  # &#60;b&#62;</span>").count();
    assert!(places == 2 && page.contains("sum.py, lines 1–4 of 4"), "{places}: {page}");
    let gil = workspace.read("page-students/gil.html");
    assert!(gil.contains("<li>sample/1: <a href=\"#s0-2\">line 2</a></li>"), "{gil}");
    let line =
        "<li id=\"s0-2\" class=\"here\"><code>    return words[7]  # &#60;b&#62;</code> <small>← sample/1</small></li>";
    assert!(gil.contains(line), "{gil}");
    // The place of a secret test is not shown: it might say something about the test.
    assert!(!gil.contains("<small>← secret/1"), "{gil}");
    let hal = workspace.read("page-students/hal.html");
    assert!(hal.contains("<a href=\"#s0-1\">line 1</a>") || hal.contains("<a href=\"#s1-1\">line 1</a>"), "{hal}");
    assert!(hal.contains("<small>← compile error</small>"), "{hal}");
    let row = |name: &str, result: &str, points: &str| {
        format!("<th scope=\"row\">{name}</th><td>{result}</td><td class=\"figure\">{points}</td>")
    };
    for row in [row("sum", "compile error", "0 of 1"), row("other", "accepted", "1 of 1"), row("total", "", "1 of 2")] {
        assert!(hal.contains(&row), "{row}: {hal}");
    }
    assert!(gil.contains(&row("other", "not submitted", "0 of 1")), "{gil}");
    // An accepted program needs no help, and nothing of it is shown.
    assert!(!workspace.read("page-students/ann.html").contains("<code>other.sh</code>"));
    let feedback = ["--feedback", "all", "--report", "html=page.html"];
    workspace.grader(&[&JUDGE[..], &feedback].concat());
    assert!(workspace.read("page-students/gil.html").contains("<small>← sample/1, secret/1</small>"));
    // A stored run shows the same; a record of somebody else names no files of this machine.
    let before = workspace.read("page-students/gil.html");
    workspace.grader(&[&["report", "last"][..], &feedback].concat()).status(0);
    assert_eq!(workspace.read("page-students/gil.html"), before);
    workspace.grader(&["report", "last", "--report", "jsonl=theirs.jsonl"]);
    let theirs = workspace.read("theirs.jsonl").replace("class/gil/sum.py", "secret.py");
    workspace.file("theirs.jsonl", theirs);
    workspace.grader(&[&["report", "theirs.jsonl"][..], &feedback].concat()).status(0);
    let theirs = workspace.read("page-students/gil.html");
    assert!(!theirs.contains("of the staff") && !theirs.contains("class=\"source\""), "{theirs}");
    assert!(!workspace.read("page.html").contains("of the staff"));
}

/// Ids alone say little to the staff.
#[apply(cli_test)]
fn a_page_of_a_class_has_the_names_of_the_roster() {
    let workspace = class();
    workspace
        .file("roster.csv", "id,name,group\nann,Ann Lee,A\nbob,Bo Fox,\ncat,Cat Ray,A\ndan,Dan Orr,A\neve,Eve Poe,B\n");
    let page = page(&workspace, &[&JUDGE[..], &["--roster", "roster.csv"]].concat());
    // In the map, and where the failure is explained.
    assert!(page.matches("<code>cat/sum.sh (Cat Ray)</code>").count() >= 2, "{page}");
    assert!(page.contains("<option value=\"–\">no group</option>"), "{page}");
}

#[apply(cli_test)]
fn copies_and_equal_failures_are_shown() {
    let workspace = class();
    let of_class = page(&workspace, &JUDGE);
    assert!(of_class.contains("Failed in the same way") && of_class.contains("cat, dan, eve"), "{of_class}");
    assert!(of_class.contains("<b>2 equal</b> but for names, layout and comments: ann, bob"), "{of_class}");
    // Once the sources are gone, the page of the record says so.
    std::fs::remove_dir_all(workspace.path("class")).unwrap();
    let of_record = page(&workspace, &["report", "last"]);
    assert!(of_record.contains("5 submissions are not compared: the sources are no longer there"), "{of_record}");
}

#[apply(cli_test)]
fn reports_and_folders_of_others_are_left_alone() {
    let workspace = class();
    // Submissions in folders with the names that pages might have.
    workspace.file("students/cat.html", "mine").file("b-students/cat.html", "mine too");
    let judge = |file: &str, more: &[&str]| {
        workspace.grader(&[&JUDGE[..], &["--exit-zero", "--report", &format!("html={file}")], more].concat());
    };
    judge("a.html", &["--feedback", "none"]);
    judge("b.html", &[]);
    assert!(!workspace.read("a-students/cat.html").contains("sample/1"), "the page of another report");
    assert!(workspace.read("b-students-2/cat.html").contains("sample/1"));
    assert!(workspace.read("b.html").contains("href=\"b-students-2/cat.html\""));
    assert_eq!(workspace.read("students/cat.html") + &workspace.read("b-students/cat.html"), "minemine too");
    // A later run uses the same folder, and removes the pages of those who are gone and nothing else.
    workspace.file("b-students-2/notes.txt", "keep").file("keep.html", "keep");
    let list = workspace.read("b-students-2/.grader-pages") + "../keep.html\n";
    workspace.file("b-students-2/.grader-pages", list);
    std::fs::remove_dir_all(workspace.path("class/dan")).unwrap();
    judge("b.html", &[]);
    let exists = |path: &str| workspace.path(path).exists();
    assert!(!exists("b-students-2/dan.html") && exists("b-students-2/notes.txt") && exists("keep.html"));
    assert!(!exists("b-students-3") && workspace.read("b-students-2/cat.html").contains("sample/1"));
    // Nobody is left from a page with names.
    judge("b.html", &["--anonymous"]);
    let names = std::fs::read_dir(workspace.path("b-students-2")).unwrap();
    let names: Vec<String> = names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert!(names.iter().all(|name| name.starts_with("student_") || [".grader-pages", "notes.txt"].contains(&&**name)));
    assert!(!workspace.read("b-students-2/.grader-pages").contains("cat"));
}

/// The rows of the table of students who may need help: who, and why.
fn needing_help(page: &str) -> Vec<(String, String)> {
    let table = page.split("<h3>Needs help</h3>").nth(1).unwrap_or_default().split("</table>").next().unwrap();
    let texts = |row: &str| -> Vec<String> {
        let cells = row.split("</t").map(|cell| cell.rsplit_once("</a>").map_or(cell, |(cell, _)| cell));
        cells.map(|cell| cell.rsplit('>').next().unwrap().to_owned()).collect()
    };
    table.split("<tr").skip(2).map(|row| (texts(row)[0].clone(), texts(row)[1].clone())).collect()
}

#[apply(cli_test)]
fn who_needs_help_and_why() {
    let workspace = Workspace::new();
    workspace.sum("gaps");
    workspace.sum("sum");
    workspace.file("class/ann/sum.sh", SUM).file("class/bob/sum.sh", SUM).file("class/cat/sum.sh", "echo 3\n");
    // Only the case with a negative number fails.
    workspace.file("class/dan/sum.sh", "read a b\necho $((a < 0 ? 1 : a + b))\n").file("class/dan/gaps.sh", SUM);
    workspace.file("roster.csv", "id\nann\nbob\ncat\ndan\neve\n");
    let judge = || page(&workspace, &[&JUDGE[..], &["--roster", "roster.csv"]].concat());
    let said =
        |page: &str| needing_help(page).into_iter().map(|(who, why)| format!("{who}: {why}")).collect::<Vec<_>>();
    let page = judge();
    assert_eq!(said(&page), ["cat: no points: sum WA", "dan: sum: only secret/03 fails", "eve: nothing submitted"]);
    // Four students have no 0 in gaps because of their own work: averages say what counts.
    let averages =
        ["gaps\">0.2<", "sum\">0.4<"].map(|average| format!("<td class=\"of-problem\" data-of=\"{average}/td>"));
    assert!(page.contains(&format!(">average</th>{}", averages.concat())), "{page}");
    assert!(page.contains("number of students by points; 0: 2, 1: 3, 2: 0"), "{page}");
    // Worse than last time, by the records of the store. Another grader of the same record says the same.
    workspace.file("class/bob/sum.sh", "echo no\n");
    let bob = |page: &str| said(page).into_iter().find(|text| text.starts_with("bob")).unwrap_or_default();
    let now = bob(&judge());
    assert!(now.starts_with("bob: no points: sum WA · sum: 0 points, 1 on "), "{now}");
    workspace.grader(&["report", "last", "--report", "html=again.html"]);
    assert_eq!(bob(&workspace.read("again.html")), now);
    workspace.grader(&["report", "prev", "--report", "html=before.html"]);
    assert_eq!(bob(&workspace.read("before.html")), "");
}

#[apply(cli_test)]
fn a_page_of_findings() {
    let workspace = Workspace::with_sum();
    let problem = workspace.problem("sum").case("secret/2", "2 2\n", "4\n").case("secret/3", "3 3\n", "6\n");
    problem.toml("reference = \"sum.sh\"\n");
    problem.submission("wrong_answer/four.sh", "echo 4\n").submission("accepted/three.sh", "echo 3\n");
    let run = workspace.grader(&["verify", "--report", "html=findings.html"]);
    run.status(1);
    let page = workspace.read("findings.html");
    for shown in ["submission-unexpected", "accepted/three.sh", "Which case kills which submission", "secret/3"] {
        assert!(page.contains(shown), "{shown}: {page}");
    }
    workspace
        .grader(&["verify", "--report", "csv=findings.csv"])
        .status(2)
        .says("this command writes one kind of report");
}

/// A grader that serves a page.
struct PageServer {
    grader: Child,
    host: String,
    path: String,
}

impl PageServer {
    /// Starts a grader and waits for its address.
    fn start(workspace: &Workspace, args: &[&str]) -> Self {
        let mut grader = Call::any(&workspace.path(""), args).start();
        let mut lines = BufReader::new(grader.stderr.take().unwrap()).lines();
        let address = lines.find_map(|line| line.unwrap().split("http://").nth(1).map(str::to_owned)).unwrap();
        // Nobody reads the rest, and grader must not wait for that.
        std::thread::spawn(move || lines.for_each(drop));
        let (host, rest) = address.split_once('/').unwrap();
        let path = format!("/{}", rest.split(' ').next().unwrap());
        Self { grader, host: host.to_owned(), path }
    }

    /// The whole answer to a request.
    fn get(&self, host: &str, path: &str) -> String {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    fn page(&self) -> String {
        self.get(&self.host, &self.path)
    }

    /// Loads the page until it is as wanted.
    #[track_caller]
    fn until(&self, is_wanted: impl Fn(&str) -> bool) -> String {
        let pages = std::iter::repeat_with(|| {
            std::thread::sleep(Duration::from_millis(20));
            self.page()
        });
        pages.take(1500).find(|page| is_wanted(page)).expect("the page never is as wanted")
    }

    /// Ends it, and returns its exit status.
    fn end(mut self) -> Option<i32> {
        kill_process(Pid::from_child(&self.grader), Signal::INT).unwrap();
        self.grader.wait().unwrap().code()
    }
}

#[apply(cli_test)]
fn a_recorded_run_is_served() {
    let workspace = with_a_wrong_submission();
    workspace.grader(&["run"]);
    let served = PageServer::start(&workspace, &["view"]);
    let page = served.page();
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("1 as expected, 1 unexpected"), "{page}");
    let head = page.split("\r\n\r\n").next().unwrap().to_ascii_lowercase();
    assert!(head.contains("content-security-policy: default-src 'none'") && head.contains("no-store"), "{head}");
    // Without the token, or through another name, there is nothing.
    assert!(served.get(&served.host, "/").starts_with("HTTP/1.1 404"));
    assert!(served.get(&served.host, &format!("{}../x", served.path)).starts_with("HTTP/1.1 404"));
    assert!(served.get("rebound.example", &served.path).starts_with("HTTP/1.1 421"));
    assert_eq!(served.end(), Some(0));
}

#[apply(cli_test)]
fn a_run_is_served_while_it_goes_on() {
    let workspace = Workspace::with_sum();
    let problem = workspace.problem("sum").toml("reference = \"sum.sh\"\nlimits.time_limit = 60\n");
    problem.submission("accepted/late.sh", &format!("sleep 0.3\n{SUM}")).submission("wrong_answer/zero.sh", "echo 0\n");
    let served = PageServer::start(&workspace, &["run", "--view", "-j1"]);
    let early = served.until(|page| page.contains("waiting"));
    assert!(early.contains("the run goes on"), "{early}");
    let late = served.until(|page| !page.contains("the run goes on"));
    assert!(late.contains("3 as expected"), "{late}");
    let changes = served.get(&served.host, &format!("{}changes?since=0", served.path));
    assert!(changes.contains("\"letter\":\"W\"") && changes.contains("zero.sh"), "{changes}");
    assert_eq!(served.end(), Some(0));
}

#[apply(cli_test)]
fn the_statement_is_served_beside_a_watched_run() {
    let workspace = Workspace::with_sum();
    let write = |name: &str, text: &str| {
        workspace.problem("sum").file(&format!("statement/{name}"), text);
    };
    write("problem.en.tex", "\\problemname{Sums} Add $a$.");
    let served = PageServer::start(&workspace, &["watch", "sum", "--view"]);
    let path = format!("{}statement", served.path);
    let shows = |text: &str| {
        let pages = std::iter::repeat_with(|| {
            std::thread::sleep(Duration::from_millis(20));
            served.get(&served.host, &path)
        });
        pages.take(1500).find(|page| page.contains(text)).unwrap_or_else(|| panic!("{text} is never shown"))
    };
    let page = shows("<h1 id=\"p0\">Sums</h1>");
    assert!(page.contains("<math") && page.contains("Sample Input 1"), "{page}");
    let head = page.split("\r\n\r\n").next().unwrap().to_ascii_lowercase();
    assert!(head.contains("content-security-policy: default-src 'none'; script-src 'none'"), "{head}");
    write("problem.en.tex", "Subtract.");
    shows("Subtract.");
    write("problem.en.tex", "\\begin{center}");
    let page = shows("`\\begin{center}` has no `\\end{center}`");
    assert!(page.to_ascii_lowercase().contains("content-type: text/plain"), "{page}");
    assert_eq!(served.end(), Some(130));
}
