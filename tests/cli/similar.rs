//! Similar programs: which pairs a page shows, what does not count, and the folder for `JPlag`.

use macro_rules_attribute::apply;

use crate::cli::workspace::{SUM, Workspace};

const ORIGINAL: &str = include_str!("../similarity/marks/original.py");
/// Renamed, with swapped functions and steps, `s = s + v` and formatted strings.
const DISGUISED: &str = include_str!("../similarity/marks/several.py");
const OTHERS: [&str; 2] =
    [include_str!("../similarity/marks/independent-1.py"), include_str!("../similarity/marks/independent-4.py")];
/// Another disguise of the same program.
const SHORTENED: &str = include_str!("../similarity/marks/comprehension.py");
const JUDGE: [&str; 5] = ["judge", "class", "--layout", "{student}/{problem}.*", "--exit-zero"];

/// Four students: Bob has copied from Ann.
fn class() -> Workspace {
    let workspace = Workspace::new();
    let problem = workspace.problem("marks").case("sample/1", "1 2\n", "3\n").case("secret/1", "4 4\n", "8\n");
    problem.submission("accepted/sum.sh", SUM);
    for (student, text) in [("ann", ORIGINAL), ("bob", DISGUISED), ("cid", OTHERS[0]), ("dee", OTHERS[1])] {
        workspace.file(format!("class/{student}/marks.py"), text);
    }
    workspace
}

/// The heads of the pairs of a page, without tags.
fn pairs(workspace: &Workspace, args: &[&str]) -> Vec<String> {
    workspace.grader(&[args, &["--report", "html=page.html"]].concat()).status(0);
    let page = workspace.read("page.html");
    assert!(page.contains("A hint for a person to look, never a proof"), "the page says what it is");
    let heads = page.split("<details class=\"pair").skip(1).map(|pair| pair.split("</summary>").next().unwrap());
    let without_tags = |head: &str| {
        let parts = head.split('<').filter_map(|part| part.split_once('>'));
        parts.map(|(_, text)| text).collect::<String>().trim().to_owned()
    };
    heads.map(without_tags).collect()
}

#[apply(cli_test)]
fn a_disguised_copy_is_shown_and_marked() {
    let workspace = class();
    let found = pairs(&workspace, &[&JUDGE[..], &["--similar", "0.7"]].concat());
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains(" % ann ") && found[0].contains(" bob "), "{found:?}");
    let page = workspace.read("page.html");
    assert_eq!(page.matches("data-part=\"A\"").count() % 2, 0, "the same lines are marked in both");
    assert!(page.matches("data-part=\"A\"").count() >= 4);
    // Another report of the same run shows more pairs.
    let all = pairs(&workspace, &["report", "last", "--similar", "0.5"]);
    assert!(all.len() > 1 && all[0] == found[0], "{all:?}");
    let wrong = workspace.grader(&["report", "last", "--similar", "60"]);
    wrong.status(2).says("write a share from 0.1 to 1");
}

#[apply(cli_test)]
fn earlier_courses_are_compared_and_given_code_does_not_count() {
    let workspace = class();
    workspace.file("old/marks/ida/main.py", OTHERS[0]).file("old/marks/jon.py", SHORTENED);
    workspace.file("template.py", ORIGINAL);
    workspace.file("grader.toml", "[judge]\nsimilar_to = [\"old\"]\n");
    let found = pairs(&workspace, &JUDGE);
    assert!(found.iter().any(|pair| pair.contains("ann") && pair.contains("old/jon (earlier)")), "{found:?}");
    let page = workspace.read("page.html");
    assert!(page.contains("cid, old/ida (earlier)"), "equal but for names");
    assert_eq!(pairs(&workspace, &[&JUDGE[..], &["--given", "template.py"]].concat()), Vec::<String>::new());
    let wrong = workspace.grader(&[&JUDGE[..], &["--similar-to", "template.py", "--given", "none"]].concat());
    wrong.status(2).says("`similar_to`: cannot read").says("it is not a folder").says("`given`: cannot read");
}

/// Equal programs open side by side, and short ones are listed if every byte is the same.
#[apply(cli_test)]
fn equal_programs_open_side_by_side() {
    let workspace = class();
    let renamed = ORIGINAL.replace("total", "whole");
    assert_ne!(renamed, ORIGINAL);
    workspace.file("class/bob/marks.py", renamed);
    for student in ["eva", "fay"] {
        workspace.file(format!("class/{student}/marks.py"), "a, b = input().split()\nprint(int(a) + int(b))\n");
    }
    workspace.file("class/gus/marks.py", "c, d = input().split()\nprint(int(c) + int(d))\n");
    pairs(&workspace, &JUDGE);
    let page = workspace.read("page.html");
    assert!(page.contains("<b>2 equal</b> but for names, layout and comments: ann, bob"), "{page}");
    assert!(page.contains("<b>2 equal</b>: eva, fay</summary>"), "the short ones: {page}");
    let set = page.split("<details class=\"equal\">").nth(1).unwrap().split("</details>").next().unwrap();
    assert!(set.contains("<h4>ann</h4>") && set.contains("<h4>bob</h4>") && set.contains("whole"), "{set}");
    assert!(page.contains("Programs of earlier courses are not compared."));
    workspace.file("old/jon.py", OTHERS[0]);
    pairs(&workspace, &["report", "last", "--similar-to", "old"]);
    let page = workspace.read("page.html");
    assert!(page.contains("1 program of earlier courses is compared, too.") && page.contains("cid, old/jon (earlier)"));
}

#[apply(cli_test)]
fn a_folder_for_jplag_has_a_folder_for_each_student() {
    let workspace = class();
    workspace.file("old/jon.py", DISGUISED).file("template.py", ORIGINAL);
    let extra = ["--similar-to", "old", "--given", "template.py", "--report", "jplag=for-jplag"];
    workspace.grader(&[&JUDGE[..], &extra].concat()).status(0);
    let read = |path: &str| workspace.read(format!("for-jplag/marks/{path}"));
    assert_eq!(read("submissions/bob/marks.py"), DISGUISED);
    assert_eq!(read("earlier/old-jon/jon.py"), DISGUISED);
    assert_eq!(read("given/template.py"), ORIGINAL);
    let again = workspace.grader(&["report", "last", "--report", "jplag=for-jplag"]);
    again.status(2).says("it is not empty; name a new folder");
    workspace.grader(&["report", "last", "--report", "jplag=-"]).status(2).says("jplag=DIR");
    let file = workspace.grader(&["report", "last", "--report", "jplag=template.py"]);
    file.status(2).says("it is not a folder; name a new folder");
    // A submission of one problem is called like the folder of its student, and its copy keeps the ending.
    let class = ["judge", "-p", "marks", "class", "--layout", "{student}", "--anonymous", "--exit-zero"];
    workspace.grader(&[&class[..], &["--report", "jplag=anonymous"]].concat()).status(0);
    let folders = std::fs::read_dir(workspace.path("anonymous/marks/submissions")).unwrap();
    assert!(folders.flatten().any(|folder| folder.path().join("marks.py").is_file()));
}

#[apply(cli_test)]
fn hostile_programs_are_left_out_or_compared() {
    let workspace = class();
    let big = "x = 1\n".repeat(60_000);
    let line = format!("x = [{}]\n", "1, ".repeat(60_000));
    let nested = format!("x = {}\n", "(".repeat(100_000));
    for (student, text) in [("big", &*big), ("line", &line), ("nest", &nested), ("none", "print(1)\n")] {
        workspace.file(format!("class/{student}/marks.py"), text);
    }

    workspace.file("class/odd/marks.py", [0xff, 0xfe, b'\n'].repeat(1000));
    for copy in 0..40 {
        workspace.file(format!("class/copy{copy}/marks.py"), ORIGINAL);
    }
    let found = pairs(&workspace, &JUDGE);
    assert!(found.iter().any(|pair| pair.contains("ann") && pair.contains("bob")), "{found:?}");
    let page = workspace.read("page.html");
    assert!(page.contains("<b>41 equal</b>") && page.contains("contains no text of at most 256 KiB"));
    assert!(page.contains("too short to compare"));
}

#[apply(cli_test)]
fn authors_of_one_submission_are_not_similar() {
    let workspace = class();
    // One submission of two, by the roster, by the platform and by a file beside it; and one for each member of a team.
    workspace.file("roster.csv", "id,team\nann,red\namy,red\nbob,\nben,\ncid,\ndee,\neva,blue\nedo,blue\n");
    workspace.file("class/bob/members.txt", "ben\n");
    workspace.file("class/eva/marks.py", OTHERS[0]).file("class/edo/marks.py", format!("{}# mine\n", OTHERS[0]));
    let judge = [&JUDGE[..], &["--roster", "roster.csv", "--members", "members.txt", "--similar", "0.7"]].concat();
    let found = pairs(&workspace, &judge);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains(" % amy + ann ") && found[0].contains(" ben + bob "), "{found:?}");
    let page = workspace.read("page.html");
    // Whoever else has the program of a team is named.
    assert!(page.contains("<b>3 equal</b>") && page.contains("cid, edo, eva"), "{page}");
    // One submission is not identical to itself.
    let run = workspace.grader(&[&judge[..], &["--report", "jplag=j"]].concat());
    run.status(0).shows("marks: 2 identical: cid, eva\n");
    let folders = |dir: &str| {
        let mut names: Vec<String> = std::fs::read_dir(workspace.path(dir))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    };
    assert_eq!(folders("j/marks/submissions"), ["amy+ann", "ben+bob", "cid", "dee", "edo", "eva"]);
    // Pseudonyms change nothing.
    let anonymous = ["report", "last", "--anonymous", "--similar", "0.7"];
    assert_eq!(pairs(&workspace, &anonymous).len(), 1);
    assert!(workspace.read("page.html").contains("<b>3 equal</b>"));
}

#[apply(cli_test)]
fn a_group_of_a_platform_is_not_similar_to_itself() {
    let workspace = class();
    let person = |name: &str| format!("  - :name: {name}\n    :sid: {name}\n");
    let metadata = format!(
        "submission_1:\n  :submitters:\n{}{}submission_2:\n  :submitters:\n{}",
        person("amy"),
        person("ben"),
        person("cid")
    );
    workspace.file("gs/submission_metadata.yml", metadata);
    workspace.file("gs/submission_1/marks.py", ORIGINAL).file("gs/submission_2/marks.py", OTHERS[0]);
    let judge = ["judge", "gs", "-p", "marks", "--exit-zero"];
    assert_eq!(pairs(&workspace, &judge), Vec::<String>::new());
    let page = workspace.read("page.html");
    assert!(!page.contains(" equal</b>") && !page.contains("2 equal"), "{page}");
    workspace.grader(&judge).status(0).hides("identical");
    // Another group with the same program is.
    workspace.file("gs/submission_2/marks.py", ORIGINAL);
    workspace.grader(&judge).status(0).shows("3 identical: amy_amy, ben_ben, cid_cid");
    pairs(&workspace, &judge);
    assert!(workspace.read("page.html").contains("<b>2 equal</b>: amy_amy + ben_ben, cid_cid"));
}
