//! Prepared compilers: programs are compiled faster, and are the same programs.

use std::collections::BTreeMap;
use std::path::PathBuf;

use macro_rules_attribute::apply;
use serde_json::{Value, json};
use walkdir::WalkDir;

use crate::cli::need::Need;
use crate::cli::run::Call;
use crate::cli::workspace::Workspace;

const SUM: &str = "int main() { long a, b; std::cin >> a >> b; std::cout << a + b << '\\n'; }\n";

/// A program that is unlike the others.
fn request(id: &str, source: &str) -> Value {
    let problem = json!({"tests": [{"input": "1 2\n", "output": "3\n"}]});
    json!({"id": id, "problem": problem, "language": "c++", "source": format!("{source}// {id}\n")})
}

/// So many usual programs that the header is worth its time.
fn usual() -> impl Iterator<Item = Value> {
    (0..4).map(|n| request(&format!("usual-{n}"), &format!("#include <bits/stdc++.h>\n{SUM}")))
}

/// Judges the requests one after another, and returns their results without measurements, and the compiled programs.
fn judged(
    workspace: &Workspace,
    requests: impl Iterator<Item = Value>,
) -> (BTreeMap<String, Value>, BTreeMap<String, Vec<u8>>) {
    let requests = requests.fold(String::new(), |lines, request| lines + &request.to_string() + "\n");
    let run = Call::any(&workspace.path(""), &["judge", "--stream", "-j1"]).input(&requests).run();
    run.status(0).silent();
    let result = |line: &str| {
        let result: Value = serde_json::from_str(line).unwrap();
        let id = result["id"].as_str().unwrap().to_owned();
        (id, json!([result["verdict"], result["compiler"], result["failed"]["reason"]]))
    };
    let mut programs = BTreeMap::new();
    for entry in WalkDir::new(workspace.path(".grader/cache/artifacts")) {
        let entry = entry.unwrap();
        if entry.file_name() == "program" {
            let source = std::fs::read_to_string(entry.path().with_file_name("main.cc")).unwrap();
            let id = source.trim_end().rsplit("// ").next().unwrap().to_owned();
            programs.insert(id, std::fs::read(entry.path()).unwrap());
        }
    }
    (run.stdout.lines().map(result).collect(), programs)
}

/// The files of this name among all builds.
fn files(workspace: &Workspace, name: &str) -> Vec<PathBuf> {
    let all = WalkDir::new(workspace.path(".grader/cache/artifacts")).into_iter().map(Result::unwrap);
    all.filter(|entry| entry.file_name() == name).map(walkdir::DirEntry::into_path).collect()
}

#[apply(cli_test)]
#[needs(&[Need::Tool("g++")])]
fn programs_are_the_same_with_a_precompiled_header() {
    let others = [
        // What precedes the header would be lost.
        ("before", format!("#pragma GCC optimize(\"O3\")\n#define int long long\n#include <bits/stdc++.h>\n#undef int\n{SUM}")),
        (
            "after",
            "// mine\n/* yours */\n#include <bits/stdc++.h> // all\n#pragma GCC optimize(\"O3\")\n#pragma GCC target(\"avx2\")\n\
             int main() { std::cout << __FILE__ << __LINE__ << __COUNTER__; }\n"
                .to_owned(),
        ),
        (
            "broken",
            "#include <bits/stdc++.h>\nint main() { std::vector<int> v = std::string(); v.nothing(); }\n".to_owned(),
        ),
        ("unknown", "#include <bits/stdc++.h>\n#include <header.h>\nint main() {}\n".to_owned()),
    ];
    let all = || usual().chain(others.iter().map(|(id, source)| request(id, source)));
    let with = Workspace::new();
    let without = Workspace::new();
    without.file("grader.toml", "[language.cpp]\nprecompiled = \"\"\n");
    let (results, programs) = judged(&with, all());
    let (plain_results, plain_programs) = judged(&without, all());
    let headers = files(&with, "stdc++.h.gch");
    assert_eq!((headers.len(), files(&without, "stdc++.h.gch").len()), (1, 0));
    assert_eq!(results, plain_results);
    assert_eq!(results["broken"][0], "CE");
    assert_eq!(results["usual-3"][0], "AC");
    assert_eq!(programs.keys().collect::<Vec<_>>(), plain_programs.keys().collect::<Vec<_>>());
    for (id, program) in &programs {
        assert!(plain_programs[id] == *program, "{id} is another program");
    }

    // Programs find nothing but the header in its directory.
    let beside = headers[0].ancestors().nth(2).unwrap();
    let beside = WalkDir::new(beside).into_iter().map(Result::unwrap).filter(|entry| entry.file_type().is_file());
    assert_eq!(beside.count(), 1);
    // A header that was changed is not used: all programs are as before.
    std::fs::write(&headers[0], "gpch.013 and nothing else").unwrap();
    let more = request("more", &format!("#include <bits/stdc++.h>\n{SUM}"));
    let (results, _) = judged(&with, std::iter::once(more));
    assert_eq!(results["more"][0], "AC");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("javac")])]
fn classes_are_the_same_with_a_class_archive() {
    let java = |id: &str, body: &str| {
        let problem = json!({"tests": [{"input": "1 2\n", "output": "3\n"}]});
        let source = format!("import java.util.*;\npublic class Main {{ {body} }}\n// {id}\n");
        json!({"id": id, "problem": problem, "language": "java", "source": source})
    };
    let main = "public static void main(String[] words) { Scanner in = new Scanner(System.in); \
                System.out.println(in.nextInt() + in.nextInt()); }";
    let all = || {
        let usual = (0..10).map(|n| java(&format!("usual-{n}"), main));
        usual.chain([
            java("broken", "int x = \"text\";"),
            java("without", "int x;"),
            java("wrong", &main.replace('+', "-")),
        ])
    };
    let (with, without) = (Workspace::new(), Workspace::new());
    without.file("grader.toml", "[language.java]\nclass_archive = []\n");
    let ((results, _), (plain_results, _)) = (judged(&with, all()), judged(&without, all()));
    let archives = |workspace: &Workspace| files(workspace, "compiler.jsa").len();
    assert_eq!((archives(&with), archives(&without)), (1, 0));
    assert_eq!(results, plain_results);
    for (id, verdict) in [("usual-9", "AC"), ("broken", "CE"), ("without", "CE"), ("wrong", "WA")] {
        assert_eq!(results[id][0], verdict, "{id}");
    }
    let classes = |workspace: &Workspace| {
        files(workspace, "Main.class")
            .iter()
            .map(|file| std::fs::read(file).unwrap())
            .collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(classes(&with), classes(&without));
}
