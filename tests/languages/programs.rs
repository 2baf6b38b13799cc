//! A program for every row of the table of languages, most as one awkwardly named file and as several.

/// A submission: names and texts.
pub(crate) type Files = &'static [(&'static str, &'static str)];

/// A program that node, Deno, Bun and tsx run without a compiler.
const TYPESCRIPT: &str = "import * as fs from 'fs'; const n: number[] = fs.readFileSync(0,'utf8').split(' ').map(Number); console.log(n[0]+n[1]);";

/// Id and files; every program reads `3 4` and prints `7`.
pub(crate) const PROGRAMS: &[(&str, Files)] = &[
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
    ("typescript-node", &[("my-sol.ts", TYPESCRIPT)]),
    ("typescript-strip", &[("my-sol.ts", TYPESCRIPT)]),
    ("deno", &[("my-sol.ts", TYPESCRIPT)]),
    ("bun", &[("my-sol.ts", TYPESCRIPT)]),
    ("tsx", &[("my-sol.ts", TYPESCRIPT)]),
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
