//! Programs of several sources: what is checked of them before they run, and how they find each other.

use macro_rules_attribute::apply;

use crate::cli::need::Need;
use crate::cli::run::Run;
use crate::cli::workspace::Workspace;

/// A problem whose answer is `hello`, with programs in directories of `accepted/`.
fn hello(files: &[(&str, &str)]) -> Workspace {
    let workspace = Workspace::new();
    let reference = files[0].0.split('/').next().unwrap();
    let toml = format!("reference = 'accepted/{reference}'\n");
    let mut problem = workspace.problem("hello").case("sample/1", "", "hello\n").toml(&toml);
    for (name, text) in files {
        problem = problem.submission(&format!("accepted/{name}"), text);
    }
    workspace
}

/// One with a source that is not used and cannot be read is a compile error, one whose other source is right is not.
fn checked(extension: &str, main: &str, fine: &str, broken: &str) -> Run {
    let name = |dir: &str, stem: &str| format!("{dir}/{stem}.{extension}");
    let [first, second] = ["fine", "broken"].map(|dir| (name(dir, "main"), name(dir, "aid")));
    let run = hello(&[(&first.0, main), (&first.1, fine), (&second.0, main), (&second.1, broken)]).run(&[]);
    run.status(1).ends("accepted/fine", "AC", "met").ends("accepted/broken", "CE", "missed");
    run.shows(&format!("aid.{extension}"));
    run
}

#[apply(cli_test)]
fn every_shell_script_is_checked() {
    checked("sh", "echo hello\n", "aid() { :; }\n", "aid() {\n");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("node")])]
fn every_javascript_source_is_checked() {
    checked("js", "console.log('hello')\n", "exports.aid = 1\n", "letter unused = 1\n");
    let module = [
        ("m/main.mjs", "import { word } from './aid.mjs'\nconsole.log(word)\n"),
        ("m/aid.mjs", "export const word = 'hello'\n"),
        ("m/more.cjs", "exports.word = 1\n"),
    ];
    hello(&module).run(&[]).status(0).ends("accepted/m", "AC", "met");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("ruby")])]
fn every_ruby_source_is_checked() {
    checked("rb", "puts 'hello'\n", "def aid; end\n", "def aid\n");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("perl")])]
fn every_perl_source_is_checked() {
    checked("pl", "print \"hello\\n\";\n", "sub aid { 1 }\n", "sub aid {\n");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("luac5.4")])]
fn every_lua_source_is_checked() {
    checked("lua", "print('hello')\n", "return 1\n", "return return\n");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("php")])]
fn every_php_source_is_checked() {
    checked("php", "<?php echo \"hello\\n\";\n", "<?php $a = 1;\n", "<?php $a = ;\n");
}

#[apply(cli_test)]
fn scripts_find_each_other_in_the_working_directory() {
    let files = [("two/main.sh", ". ./aid.sh\naid\n"), ("two/aid.sh", "aid() { bash ./deep/er.sh; }\n")];
    let more = [("two/deep/er.sh", "echo hello > kept && cat kept\n")];
    let run = hello(&[&files[..], &more].concat()).run(&[]);
    run.status(0).ends("accepted/two", "AC", "met");
    // One alone has nothing beside it.
    let run = hello(&[("one.sh", "[ -e one.sh ] || echo hello\n")]).run(&[]);
    run.status(0).ends("accepted/one.sh", "AC", "met");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("ruby")])]
fn ruby_sources_find_each_other() {
    hello(&[("two/main.rb", "require './aid'\naid\n"), ("two/aid.rb", "def aid = puts('hello')\n")]).run(&[]).status(0);
}

#[apply(cli_test)]
#[needs(&[Need::Tool("perl")])]
fn perl_sources_find_each_other() {
    let files =
        [("two/main.pl", "require './aid.pl';\naid();\n"), ("two/aid.pl", "sub aid { print \"hello\\n\" }\n1;\n")];
    hello(&files).run(&[]).status(0);
}

#[apply(cli_test)]
#[needs(&[Need::Tool("lua5.4")])]
fn lua_sources_find_each_other() {
    hello(&[("two/main.lua", "dofile('aid.lua')\n"), ("two/aid.lua", "print('hello')\n")]).run(&[]).status(0);
}

#[apply(cli_test)]
fn the_steps_of_a_build_share_its_limits() {
    // Each step alone is well within the limit.
    let toml = "[compile]\nwall_limit = 1\n[language.slow]\nextensions = ['slow']\nrun = ['sh', '{mainfile}']\n\
                compile = ['sh', '-c', 'sleep 0.3', '{file}']\n";
    let names: Vec<String> = (0..5).map(|n| format!("many/{n}.slow")).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "echo hello\n")).collect();
    let workspace = hello(&files);
    workspace.file("grader.toml", toml);
    workspace.run(&[]).status(1).ends("accepted/many", "CE", "missed").shows("the compiler took too long");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("javac")])]
fn a_java_program_without_main_does_not_compile() {
    let files = [
        ("other.java", "public class other { int main() { return 0; } }\n"),
        ("base.java", "class base extends java.util.ArrayList<String> {}\n"),
    ];
    let run = hello(&files).run(&[]);
    run.status(1).ends("accepted/other.java", "CE", "missed").ends("accepted/base.java", "CE", "missed");
    run.shows("Main method not found in class other");
}

#[apply(cli_test)]
#[needs(&[Need::Tool("javac")])]
fn what_java_can_start_compiles() {
    // What a glance at the sources does not show.
    let escaped = "class Main { static void m\\u0061in(String[] a) { System.out.println(\"hello\"); } }\n";
    let files = [
        ("escaped.java", &*escaped.replace("static", "public static")),
        ("two/Main.java", "public class Main extends Base {}\n"),
        ("two/Base.java", "class Base { public static void main(String... a) { System.out.println(\"hello\"); } }\n"),
    ];
    let run = hello(&files).run(&[]);
    run.status(0).ends("accepted/escaped.java", "AC", "met").ends("accepted/two", "AC", "met");
}
