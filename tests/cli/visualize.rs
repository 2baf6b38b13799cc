//! `grader visualize`, and pictures on the page of a run.

use std::fs;
use std::path::Path;

use macro_rules_attribute::apply;
use walkdir::WalkDir;

use crate::cli::need::Need;
use crate::cli::run::Call;
use crate::cli::workspace::{SUM, Workspace};

/// A copy of a package of `tests/packages`.
fn package(name: &str) -> Workspace {
    let workspace = Workspace::new();
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/packages").join(name);
    for entry in WalkDir::new(&from) {
        let entry = entry.unwrap();
        if entry.file_type().is_file() {
            let below = entry.path().strip_prefix(&from).unwrap();
            workspace.file(Path::new("problems").join(name).join(below), fs::read(entry.path()).unwrap());
        }
    }
    workspace.file("grader.toml", "[language]\npython = \"python3\"\n");
    workspace
}

/// A problem whose visualisers are these.
fn drawn(files: &[(&str, &str)]) -> Workspace {
    let workspace = Workspace::with_sum();
    for (name, text) in files {
        workspace.file(format!("problems/sum/{name}"), text);
    }
    workspace
}

const SVG: &str = "<svg xmlns='http://www.w3.org/2000/svg'/>";

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn input_visualizers_draw_test_cases() {
    let workspace = package("newpictures");
    let run = workspace.grader(&["visualize", "newpictures", "--out", "out"]);
    run.status(0).shows("✓ secret/down  out/secret/down.svg").shows("newpictures: 3 drawings");
    // Arguments of the case, of its group, and none.
    for (case, colour) in [("secret/equal", "teal"), ("secret/down", "tomato"), ("sample/1", "grey")] {
        let picture = workspace.read(format!("out/{case}.svg"));
        assert!(picture.contains(&format!("fill=\"{colour}\"")), "{case}: {picture}");
    }
    workspace
        .grader(&["visualize", "newpictures", "equal", "--out", "out", "--", "navy"])
        .status(0)
        .shows(": 1 drawing");
    assert!(workspace.read("out/secret/equal.svg").contains("fill=\"navy\""));
    // Without --out the files are in the store, which version control ignores.
    workspace.grader(&["visualize", "newpictures", "sample"]).status(0);
    assert!(workspace.read(".grader/pictures/newpictures/sample/1.svg").contains("grey"));
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn output_visualizers_draw_what_a_submission_prints() {
    let workspace = package("newpictures");
    let run = workspace.grader(&["visualize", "newpictures", "secret", "-s", "once", "--out", "out"]);
    run.status(0).shows("✓ wrong_answer/once.py secret/equal  WA  ").shows("✓ wrong_answer/once.py secret/down  AC  ");
    let size = |name: &str| {
        let bytes = fs::read(workspace.path(format!("out/wrong_answer/once.py/secret/equal/{name}"))).unwrap();
        assert!(bytes.starts_with(b"\x89PNG"), "{name}");
        u32::from_be_bytes(bytes[16..20].try_into().unwrap())
    };
    // `1 4`, in the scale that the group states.
    assert_eq!((size("judgeimage-1.png"), size("judgeimage-2.png"), size("teamimage.png")), (4, 4, 16));
    assert!(!workspace.path("out/wrong_answer/once.py/secret/equal/notes.txt").exists());
    let run = workspace.grader(&["visualize", "newpictures", "-s", "three", "--out", "out"]);
    run.status(1).shows("secret/down  no picture: RTE").shows("1 drawing, 2 without a picture");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("g++")])]
fn output_visualizers_see_what_the_interactor_left() {
    let workspace = package("newpicturestalk");
    workspace
        .grader(&["visualize", "newpicturestalk", "-s", "upwards", "--out", "out"])
        .status(0)
        .shows("secret/last  WA");
    let circles = |case: &str| {
        let picture = workspace.read(format!("out/wrong_answer/upwards.cpp/{case}/judgeimage.svg"));
        picture.matches("<circle").count()
    };
    assert_eq!((circles("sample/1"), circles("secret/first"), circles("secret/last")), (5, 1, 5));
    workspace.grader(&["visualize", "newpicturestalk", "last", "--out", "out"]).status(0);
    assert!(workspace.read("out/secret/last.svg").contains("cx='160'"));
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3"), Need::Tool("g++")])]
fn a_visualizer_that_fails_means_no_picture_and_no_other_verdict() {
    let workspace = package("newpicturesfail");
    let run = workspace.grader(&["visualize", "newpicturesfail"]);
    run.status(1).shows("0 drawings, 3 without a picture").shows("it wrote no testcase.svg").shows("(exit code 1)");
    run.shows("IndexError").shows("crashed with SIGSEGV").shows("testcase.png is not a picture of this kind");
    let run = workspace.grader(&["visualize", "newpicturesfail", "-s", "once"]);
    run.status(2).says("the output visualiser does not compile").says("picture");
    let run = workspace.run(&["newpicturesfail", "--report", "html=out.html"]);
    run.status(0).ends("wrong_answer/once.py", "WA", "met").ends("accepted/sort.py", "AC", "met");
    let page = workspace.read("out.html");
    assert!(page.contains("no picture: ") && page.contains("does not compile") && !page.contains("<figure>"), "{page}");
}

#[apply(cli_test)]
fn without_anything_to_draw_with_it_says_what_to_write() {
    let workspace = Workspace::with_sum();
    let run = workspace.grader(&["visualize", "sum"]);
    run.status(2).says("sum has nothing to show").says("problems/sum/input_visualizer/");
    let run = workspace.grader(&["visualize", "sum", "-s", "sum"]);
    run.status(2).says("sum has no output_visualizer/");
    workspace.file("problems/sum/input_visualizer/README.md", "soon\n");
    let run = workspace.grader(&["visualize", "sum"]);
    run.status(2).says("input_visualizer: no program of a known language in it");
    workspace.run(&["sum"]).status(0);
    workspace.file("problems/sum/input_visualizer/draw.sh", "exit 0\n");
    workspace.grader(&["visualize", "sum", "nothing"]).status(2).says("no test matches `nothing`");
}

#[apply(cli_test)]
fn illustrations_of_a_package_are_its_pictures() {
    let workspace = Workspace::with_sum();
    workspace.file("testcases/sum/secret/02.svg", SVG);
    let run = workspace.grader(&["visualize", "sum", "--out", "out"]);
    run.status(1).shows("✓ secret/02  out/secret/02.svg").shows("secret/01  no picture: the case has no illustration");
    assert_eq!(workspace.read("out/secret/02.svg"), SVG);
    workspace.file("problems/sum/submissions/wrong_answer/minus.sh", "read a b\necho $((a - b))\n");
    workspace.run(&["sum", "-a", "--report", "html=out.html"]).status(0);
    let page = workspace.read("out.html");
    assert_eq!(page.matches("<img src=\"data:image/svg+xml;base64,").count(), 1, "{page}");
}

#[apply(cli_test)]
fn an_input_from_outside_is_validated_and_answered() {
    let validator = "read a b || exit 43\n[ $a -lt 100 ] && exit 42\necho too large\nexit 43\n";
    let draw = "cp $1 testcase.html\ncat $2 >> testcase.html\n";
    let workspace = drawn(&[("input_validators/small.sh", validator), ("input_visualizer/draw.sh", draw)]);
    workspace.file("own.txt", "40 2\n").file("large.txt", "400 2\n");
    let run = workspace.grader(&["visualize", "sum", "--input", "own.txt", "--out", "out"]);
    run.status(0).shows("✓ own  out/own.html");
    assert!(workspace.read("out/own.html").contains("<main id=\"page\">40 2\n42\n</main>"));
    let run =
        Call::any(&workspace.path(""), &["visualize", "sum", "--input", "-", "--out", "out"]).input("1 1\n").run();
    run.status(0).shows("out/input.html");
    let run = workspace.grader(&["visualize", "sum", "--input", "large.txt"]);
    run.status(2).says("large is not an input of sum").says("too large");
    workspace.grader(&["visualize", "sum", "--input", "missing.txt"]).status(2).says("cannot read").says("missing.txt");
    workspace.grader(&["visualize", "sum", "sample", "--input", "own.txt"]).status(2).says("--input draws one input");
}

#[apply(cli_test)]
fn a_deal_is_made_by_the_command_of_the_problem() {
    let workspace =
        drawn(&[("generators/gen.sh", "echo $1 $2\n"), ("input_visualizer/draw.sh", "cat $1 $2 > testcase.html\n")]);
    workspace.grader(&["visualize", "sum", "--deal", "7"]).status(2).says("has no generators/generators.yaml");
    let out = ["--out", "out"];
    let run = workspace.grader(&[&["visualize", "sum", "--deal", "7", "--gen", "gen.sh 1 {seed}"], &out[..]].concat());
    run.status(0).shows("✓ deal-7  out/deal-7.html");
    assert!(workspace.read("out/deal-7.html").contains(">1 7\n8\n<"));
    workspace.file("problems/sum/problem.toml", "random_input = \"gen.sh 30 {seed}\"\n");
    workspace.grader(&[&["visualize", "sum", "--deal", "8"], &out[..]].concat()).status(0);
    assert!(workspace.read("out/deal-8.html").contains(">30 8\n38\n<"));
    workspace.file("problems/sum/problem.toml", "random_input = \"gen.sh 30 1\"\n");
    let run = workspace.grader(&["visualize", "sum", "--deal", "8"]);
    run.status(2).says("`random_input = \"gen.sh 30 1\"` has no `{seed}`");
}

#[apply(cli_test)]
fn data_becomes_a_page_and_never_markup() {
    // The output of a submission, as a text in JSON.
    let draw =
        "printf '{\"said\": \"' > $3/judgeimage.json\ncat >> $3/judgeimage.json\nprintf '\"}' >> $3/judgeimage.json\n";
    let workspace = drawn(&[("output_visualizer/draw.sh", draw)]);
    workspace.file("problems/sum/submissions/wrong_answer/evil.sh", "printf '</script><script>alert(1)</script>'\n");
    let draw_evil = ["visualize", "sum", "sample", "-s", "evil", "--out", "out"];
    let run = workspace.grader(&draw_evil);
    run.status(1).shows("it wrote judgeimage.json, but there is no page/page.js beside it");
    workspace.file("problems/sum/output_visualizer/page/page.js", "document.title = kit.data.said;\n");
    workspace.grader(&draw_evil).status(0);
    let page = workspace.read("out/wrong_answer/evil.sh/sample/1/judgeimage.html");
    assert!(page.contains("\\u003c/script>\\u003cscript>alert(1)") && !page.contains("<script>alert"), "{page}");
    assert!(page.contains("default-src &#39;none&#39;; script-src &#39;sha256-"), "{page}");
    workspace.file("problems/sum/submissions/wrong_answer/quote.sh", "printf '\"'\n");
    let run = workspace.grader(&["visualize", "sum", "sample", "-s", "quote", "--out", "out"]);
    run.status(1).shows("judgeimage.json is not JSON");
    // A program that has seen the output writes no markup.
    workspace.file("problems/sum/output_visualizer/draw.sh", "cat > $3/judgeimage.html\n");
    workspace.grader(&draw_evil).status(1).shows("an output visualiser may write only pictures and .json");
    // A script from outside the problem is not read.
    fs::remove_file(workspace.path("problems/sum/output_visualizer/page/page.js")).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", workspace.path("problems/sum/output_visualizer/page/page.js")).unwrap();
    workspace.file("problems/sum/output_visualizer/draw.sh", "echo 1 > $3/judgeimage.json\n");
    workspace.grader(&draw_evil).status(2).says("page/page.js: the symbolic link leaves the problem");
}

#[apply(cli_test)]
fn limits_and_walls_hold_for_visualizers() {
    let workspace = drawn(&[("input_visualizer/draw.sh", "while :; do :; done\n")]);
    workspace.file("grader.toml", "[validation]\ntime_limit = 0.3\noutput = 1\n");
    let run = workspace.grader(&["visualize", "sum", "sample"]);
    run.status(1).shows("exceeded its own limits");
    workspace.file("problems/sum/input_visualizer/draw.sh", "head -c 3000000 /dev/zero > testcase.svg\n");
    workspace.grader(&["visualize", "sum", "sample"]).status(1).shows("no picture: ");
    // A link leads nowhere: only plain files count.
    workspace.file("problems/sum/input_visualizer/draw.sh", "ln -s /etc/passwd testcase.svg\n");
    workspace.grader(&["visualize", "sum", "sample"]).status(1).shows("it wrote no testcase.svg");
}

#[apply(cli_test)]
fn a_picture_that_acts_is_not_kept() {
    let workspace = drawn(&[("output_visualizer/draw.sh", "cat > $3/judgeimage.svg\n")]);
    let prints = |text: &str| {
        workspace.file("problems/sum/submissions/wrong_answer/paints.sh", format!("cat <<'END'\n{text}\nEND\n"));
        workspace.grader(&["visualize", "sum", "sample", "-s", "paints", "--out", "out"])
    };
    prints("<svg xmlns='http://www.w3.org/2000/svg'><text>alert(1)</text></svg>").status(0);
    let acts = "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>";
    prints(acts).status(1).shows("judgeimage.svg has <script>, and grader keeps no picture that acts");
    prints("<svg/>").status(1).shows("judgeimage.svg is not a picture of this kind");
    prints("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>").status(1).shows("judgeimage.svg has onload");
}

#[apply(cli_test)]
fn files_stay_below_the_folder() {
    let workspace = drawn(&[(
        "output_visualizer/draw.sh",
        "echo '<svg xmlns=\"http://www.w3.org/2000/svg\"/>' > $3/judgeimage.svg\n",
    )]);
    workspace.file("elsewhere/mine.sh", SUM);
    for program in ["elsewhere/mine.sh", "../mine.sh", &workspace.path("elsewhere/mine.sh").display().to_string()] {
        let dir = workspace.path("problems");
        let _ = fs::copy(workspace.path("elsewhere/mine.sh"), workspace.path("mine.sh")).unwrap();
        let start = if program.starts_with("..") { &*dir } else { &*workspace.path("") };
        let run = Call::any(start, &["visualize", "sum", "sample", "-s", program, "--out", "out"]).run();
        run.status(0).shows("sample/1  AC  out/");
        assert!(!start.join("out/../mine.sh/sample").exists() && workspace.path("elsewhere/mine.sh").is_file());
        fs::remove_dir_all(start.join("out")).unwrap();
    }
    // A folder that somebody may have named so by mistake.
    fs::create_dir(workspace.path("problems/sum/input_visualiser")).unwrap();
    workspace.grader(&["visualize", "sum", "sample", "-s", "sum"]).says("did you mean input_visualizer?");
}

#[apply(cli_test)]
fn a_visualizer_that_never_ends_is_given_up() {
    let workspace = drawn(&[("input_visualizer/draw.sh", "while :; do :; done\n")]);
    workspace.file("grader.toml", "[validation]\ntime_limit = 0.3\n");
    workspace.file("problems/sum/submissions/wrong_answer/zero.sh", "echo no\n");
    workspace.run(&["sum", "-a", "--report", "html=out.html"]).status(0);
    let page = workspace.read("out.html");
    assert_eq!(page.matches("exceeded its own limits").count(), 1, "{page}");
    assert_eq!(page.matches("not drawn, because the visualiser exceeded its time limit before").count(), 2, "{page}");
}

#[apply(cli_test)]
fn submissions_that_are_outputs_are_drawn() {
    let workspace = Workspace::new();
    workspace
        .problem("out")
        .toml("type = \"submit-answer\"\n")
        .case("secret/1", "1\n", "2\n")
        .case("secret/2", "2\n", "4\n");
    for (file, text) in
        [("accepted/all/1.out", "2\n"), ("accepted/all/2.out", "4\n"), ("wrong_answer/one/1.out", "3\n")]
    {
        workspace.file(format!("problems/out/submissions/{file}"), text);
    }
    let draw = "printf '<svg xmlns=\"http://www.w3.org/2000/svg\"><text>' > $3/judgeimage.svg\ncat >> $3/judgeimage.svg\nprintf '</text></svg>' >> $3/judgeimage.svg\n";
    workspace.file("problems/out/output_visualizer/draw.sh", draw);
    workspace.grader(&["visualize", "out", "-s", "all", "--out", "out"]).status(0).shows("secret/2  AC");
    let picture = workspace.read("out/accepted/all/secret/2/judgeimage.svg");
    assert!(picture.contains("<text>4\n</text>"), "{picture}");
    let run = workspace.grader(&["visualize", "out", "-s", "one", "--out", "out"]);
    run.status(1).shows("secret/1  WA").shows("secret/2  no picture: the submission has no output for it");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("python3")])]
fn the_page_of_a_run_shows_pictures_of_its_failures() {
    let workspace = package("newpictures");
    let run = workspace.run(&["newpictures", "-a", "--report", "html=out.html"]);
    run.status(0).ends("wrong_answer/once.py", "WA", "met");
    let page = workspace.read("out.html");
    // One of `once`, two of `three`, which printed nothing.
    assert_eq!(page.matches("<img src=\"data:image/svg+xml;base64,").count(), 3, "{page}");
    assert_eq!(page.matches("<img src=\"data:image/png;base64,").count(), 3, "{page}");
    assert!(page.contains("<figcaption>output of another run: judgeimage-2.png</figcaption>"), "{page}");
    assert!(page.contains("no picture: RTE: the output was not judged"), "{page}");
    // A page stands beside the report.
    workspace.file(
        "problems/newpictures/output_visualizer/draw.py",
        "open(__import__('sys').argv[3] + 'judgeimage.json', 'w').write('[]')\n",
    );
    workspace.file("problems/newpictures/output_visualizer/page/page.js", "document.title = 'drawn';\n");
    fs::create_dir(workspace.path("pages")).unwrap();
    workspace.run(&["newpictures", "-s", "once", "--report", "html=pages/out.html"]).status(0);
    let place = "out-drawings/newpictures/wrong_answer/once.py/secret/equal/judgeimage.html";
    assert!(
        workspace
            .read("pages/out.html")
            .contains(&format!("<a href=\"{place}\">output of another run: judgeimage.html</a>"))
    );
    assert!(workspace.read(format!("pages/{place}")).contains("document.title = 'drawn'"));
    // On standard output it has no place.
    let run = workspace.grader(&["run", "newpictures", "-s", "once", "--report", "html=-"]);
    run.status(0).shows("needs a file beside the page");
}
