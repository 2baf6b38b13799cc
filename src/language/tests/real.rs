//! Every row for real: sums two numbers with the tools of this machine, compiled in a copy and run elsewhere with nothing
//! in the environment but PATH and the row's own variables. Ignored by default, because no machine has every tool:
//! `cargo test --lib language::tests::real -- --ignored --nocapture`.

use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use super::{Files, Languages, build_in};

/// Id and files; every program reads `3 4` and prints `7`.
const PROGRAMS: &[(&str, Files)] = &[
    (
        "cpp",
        &[(
            "my sol.C",
            "#include <bits/stdc++.h>\nint main(){long a,b;std::cin>>a>>b;std::thread t([&]{std::cout<<a+b<<'\\n';});t.join();}",
        )],
    ),
    (
        "cpp",
        &[
            (
                "main.cpp",
                "#include \"sub/add.h\"\n#include <cstdio>\nint main(){long a,b;scanf(\"%ld %ld\",&a,&b);printf(\"%ld\",add(a,b));}",
            ),
            ("sub/add.h", "long add(long,long);"),
            ("sub/add.cc", "#include \"add.h\"\nlong add(long a,long b){return a+b;}"),
        ],
    ),
    (
        "c",
        &[(
            "-o.c",
            "#include <stdio.h>\n#include <math.h>\nint main(){double a,b;scanf(\"%lf %lf\",&a,&b);printf(\"%.0f\\n\",floor(a)+floor(b));}",
        )],
    ),
    ("rust", &[("-1 my.sol.rs", RUST)]),
    (
        "rust",
        &[
            (
                "main.rs",
                "mod add; fn main(){let mut s=String::new();std::io::stdin().read_line(&mut s).unwrap();println!(\"{}\",add::add(&s));}",
            ),
            ("add.rs", "pub fn add(s:&str)->i64{s.split_whitespace().map(|x|x.parse::<i64>().unwrap()).sum()}"),
        ],
    ),
    ("rust", &[("Cargo.toml", "[package]\nname='p-q'\nversion='0.1.0'\nedition='2021'\n"), ("src/main.rs", RUST)]),
    ("python3", &[("my-sol.py", "print(sum(map(int,input().split())))")]),
    (
        "python3",
        &[
            ("__main__.py", "from add import add\nprint(add(*map(int,input().split())))"),
            ("add.py", "def add(a,b): return a+b"),
        ],
    ),
    (
        "pypy3",
        &[
            ("main.py", "from add import add\nprint(add(*map(int,input().split())))"),
            ("add.py", "def add(a,b): return a+b"),
        ],
    ),
    (
        "java",
        &[(
            "solution.java",
            "import java.util.*; public class Main { public static void main(String[] x){Scanner s=new Scanner(System.in);System.out.println(s.nextInt()+s.nextInt());}}",
        )],
    ),
    (
        "java",
        &[
            (
                "a/Start.java",
                "package a; import java.util.*; class Start { public static void main(String[] x){Scanner s=new Scanner(System.in);System.out.println(b.Add.add(s.nextInt(),s.nextInt()));}}",
            ),
            ("b/Add.java", "package b; public class Add { public static int add(int a,int b){return a+b;} }"),
        ],
    ),
    ("kotlin", &[("1 my-sol.kt", "fun main() { println(readLine()!!.split(\" \").map { it.toInt() }.sum()) }")]),
    (
        "kotlin",
        &[
            (
                "sol.kt",
                "@file:JvmName(\"Start\")\npackage p.q\nfun main(args: Array<String>) { val (a, b) = readLine()!!.split(\" \").map { it.toInt() }; println(add(a, b)) }",
            ),
            ("add.kt", "package p.q\nfun add(a: Int, b: Int) = a + b"),
        ],
    ),
    ("go", &[("my-sol.go", GO)]),
    (
        "go",
        &[
            (
                "a.go",
                "package main\nimport \"fmt\"\nfunc main() { var a, b int; fmt.Scan(&a, &b); fmt.Println(add(a, b)) }",
            ),
            ("b.go", "package main\nfunc add(a, b int) int { return a + b }"),
        ],
    ),
    ("go", &[("go.mod", "module example.org/x\n\ngo 1.18\n"), ("x.go", GO)]),
    (
        "csharp",
        &[
            (
                "my-sol.cs",
                "using System; class P { static void Main() { Console.WriteLine(Add.Of(Console.ReadLine().Split(' '))); } }",
            ),
            (
                "add.cs",
                "static class Add { public static int Of(string[] w) { return int.Parse(w[0]) + int.Parse(w[1]); } }",
            ),
        ],
    ),
    (
        "javascript",
        &[("my-sol.js", "console.log(require('fs').readFileSync(0,'utf8').split(' ').map(Number).reduce((a,b)=>a+b))")],
    ),
    (
        "javascript",
        &[
            (
                "main.mjs",
                "import {add} from './add.mjs'; import fs from 'fs'; console.log(add(...fs.readFileSync('/dev/stdin','utf8').split(' ').map(Number)))",
            ),
            ("add.mjs", "export const add=(a,b)=>a+b"),
        ],
    ),
    (
        "typescript",
        &[(
            "my-sol.ts",
            "import * as fs from 'fs'; const n: number[] = fs.readFileSync(0,'utf8').split(' ').map(Number); console.log(n[0]+n[1]);",
        )],
    ),
    (
        "typescript",
        &[
            (
                "main.ts",
                "import {add} from './sub/add'; const s: string = require('fs').readFileSync(0,'utf8'); console.log(add(s));",
            ),
            (
                "sub/add.ts",
                "export const add = (s: string): number => s.split(' ').map(Number).reduce((a, b) => a + b);",
            ),
        ],
    ),
    ("haskell", &[("my-sol.hs", "main = interact (show . sum . map read . words)")]),
    (
        "haskell",
        &[
            ("Main.hs", "module Main where\nimport Add\nmain = interact (show . add . map read . words)"),
            ("Add.hs", "module Add where\nadd :: [Int] -> Int\nadd = sum"),
        ],
    ),
    ("pascal", &[("my-sol.pas", "var a,b:longint; begin readln(a,b); writeln(a+b) end.")]),
    (
        "pascal",
        &[
            ("main.pas", "program main; uses add; var a,b:longint; begin readln(a,b); writeln(sum(a,b)) end."),
            (
                "add.pas",
                "unit add; interface function sum(a,b:longint):longint; implementation function sum(a,b:longint):longint; begin sum:=a+b end; end.",
            ),
        ],
    ),
    ("ocaml", &[("my-sol.ml", "let () = Scanf.scanf \" %d %d\" (fun a b -> Printf.printf \"%d\\n\" (a+b))")]),
    (
        "ocaml",
        &[
            ("main.ml", "let () = Scanf.scanf \" %d %d\" (fun a b -> Printf.printf \"%d\\n\" (Zadd.add a b))"),
            ("zadd.ml", "let add a b = a + b"),
        ],
    ),
    (
        "ruby",
        &[("main.rb", "require_relative 'add'\nputs add(gets.split.map(&:to_i))"), ("add.rb", "def add(a) = a.sum")],
    ),
    ("perl", &[("my-sol.pl", "use strict; my ($a1,$b1)=split ' ',<STDIN>; print $a1+$b1,\"\\n\";")]),
    (
        "lua",
        &[
            ("main.lua", "local add=require('add'); local a,b=io.read('n','n'); print(add(a,b))"),
            ("add.lua", "return function(a,b) return a+b end"),
        ],
    ),
    (
        "php",
        &[
            ("main.php", "<?php require 'add.php'; [$a,$b]=explode(' ',trim(fgets(STDIN))); echo add($a,$b),\"\\n\";"),
            ("add.php", "<?php function add($a,$b){return $a+$b;}"),
        ],
    ),
    ("shell", &[("my-sol", "#!/bin/bash\nread -r a b; echo $((a+b))")]),
];

const RUST: &str = "fn main(){let mut s=String::new();std::io::stdin().read_line(&mut s).unwrap();println!(\"{}\",s.split_whitespace().map(|x|x.parse::<i64>().unwrap()).sum::<i64>());}";
const GO: &str = "package main\nimport \"fmt\"\nfunc main() { var a, b int; fmt.Scan(&a, &b); fmt.Println(a + b) }";

/// Runs `command` and tells what it printed, or how it failed.
fn run(command: &[String], env: &[(String, String)], cwd: &Path) -> Result<String, String> {
    #[expect(clippy::disallowed_methods, reason = "the sandbox knows languages from requests only, and this is a test")]
    let mut process = std::process::Command::new(&command[0]);
    process.args(&command[1..]).current_dir(cwd).env_clear();
    process.env("PATH", std::env::var_os("PATH").unwrap()).envs(env.iter().cloned());
    process.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = process.spawn().map_err(|error| format!("{}: {error}", command[0]))?;
    // A compiler closes it unread.
    let _ = child.stdin.take().unwrap().write_all(b"3 4\n");
    let output = child.wait_with_output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    if output.status.success() {
        return Ok(text(&output.stdout));
    }
    Err(format!("{command:?}: {}\n{}\n{}", output.status, text(&output.stdout), text(&output.stderr)))
}

fn sum(id: &str, files: Files) -> Result<(), String> {
    let (dir, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for (name, text) in files {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let commands = build_in(&Languages::builtin(), dir.path(), id, files, None).map_err(|error| error.to_string())?;
    for (from, to) in &commands.rename {
        std::fs::rename(dir.path().join(from), dir.path().join(to)).unwrap();
    }
    for step in &commands.compile {
        run(step, &commands.env, dir.path())?;
    }
    if let Some(binary) = commands.binary.filter(|binary| !binary.exists()) {
        return Err(format!("compiling did not make {}", binary.display()));
    }
    match run(&commands.run, &commands.env, elsewhere.path())?.as_str() {
        "7" => Ok(()),
        other => Err(format!("printed {other:?}")),
    }
}

#[test]
#[ignore = "needs every compiler"]
fn three_and_four_are_seven() {
    let tried: Vec<&str> = PROGRAMS.iter().map(|(id, _)| *id).collect();
    for row in Languages::builtin().iter().filter(|row| row.tested) {
        assert!(tried.contains(&row.id.as_str()), "{} is marked as tested and has no program here", row.id);
    }
    let failed = PROGRAMS.iter().filter_map(|(id, files)| sum(id, files).err().map(|error| format!("{id}: {error}")));
    let failed: Vec<String> = failed.collect();
    assert!(failed.is_empty(), "\n{}", failed.join("\n\n"));
}
