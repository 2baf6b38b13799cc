//! Tells by the words of a source how its program gets its input: from standard input, from a file that its first argument
//! names, or from a file beside the source. Pure; it parses no language.

/// Words of a source that looks for files beside itself, or takes them in when it is built.
const BESIDE_SOURCE: &[&str] = &[
    "__file__",
    "include_str!",
    "include_bytes!",
    "__dirname",
    "import.meta",
    "//go:embed",
    "__DIR__",
    "__dir__",
    "$0",
];
/// Words of a source that reads its first argument.
const ARGUMENT: &[&str] = &[
    "sys.argv[1",
    "process.argv[2]",
    "os.Args[1]",
    "args().collect",
    "args().nth(1)",
    "args().skip(1)",
    "argv[1]",
    "ARGV[0]",
    "args[0]",
    "getArgs",
    "arg[1]",
    "$1",
];
/// Words of a source that reads standard input.
const STANDARD_INPUT: &[&str] = &[
    "stdin",
    "STDIN",
    "input()",
    "open(0)",
    "readLine(",
    "cin",
    "scanf",
    "Console.Read",
    "readFileSync(0",
    "ARGF",
    "gets",
    "System.in",
    "getLine",
    "getContents",
    "interact",
    "io.read",
    "io.lines()",
    "read_line",
];
/// Words of a source that prints.
const PRINTS: &[&str] = &["print", "cout", "puts", "echo", "console.log", "Console.Write", "System.out", "putStr"];

/// Whether a program reads standard input.
pub(crate) fn is_standard(text: &str) -> bool {
    // `fscanf`, `fgets(line, 80, file)` and `file.readLine()` read something else.
    let is_own = |at: usize| !text[..at].ends_with(|before: char| before.is_alphanumeric() || "._>".contains(before));
    let is_read = |word: &str| {
        let is_name = word.ends_with(|end: char| end.is_alphanumeric());
        text.match_indices(word).any(|(at, _)| {
            let goes_on = text[at + word.len()..].starts_with(|next: char| next.is_alphanumeric() || next == '_');
            is_own(at) && !(is_name && goes_on) || ["stdin", "STDIN"].contains(&word)
        })
    };
    STANDARD_INPUT.iter().any(|word| is_read(word)) || reads_in_shell(text)
}

/// Whether a shell reads a line of its own input, and not of a file: `while read line; do … done < "$1"`.
fn reads_in_shell(text: &str) -> bool {
    let is_shell = text.starts_with("#!") && text.lines().next().is_some_and(|line| line.ends_with("sh"));
    is_shell && text.contains("read ") && !text.contains("< \"") && !text.contains("< $")
}

/// Whether a program reads the file that its first argument names, and not standard input.
pub fn is_argument(text: &str) -> bool {
    reads_argument(text) && !is_standard(text)
}

/// Whether a program reads standard input or its arguments, so that two runs may differ.
pub(crate) fn reads_what_it_gets(text: &str) -> bool {
    is_standard(text) || reads_argument(text)
}

/// Whether a program reads its arguments.
fn reads_argument(text: &str) -> bool {
    // `add_argument("--part")` is an option.
    let is_positional =
        |call: &str| call.trim_start().starts_with(['"', '\'']) && !call.trim_start()[1..].starts_with('-');
    has(text, ARGUMENT) || text.split("add_argument(").skip(1).any(is_positional)
}

/// Whether a program reads files beside its source.
pub(crate) fn is_beside_source(text: &str) -> bool {
    has(text, BESIDE_SOURCE)
}

/// Whether a program prints.
pub(crate) fn prints(text: &str) -> bool {
    has(text, PRINTS)
}

/// Whether a program prints at more than one place.
pub(crate) fn prints_twice(text: &str) -> bool {
    PRINTS.iter().any(|word| text.matches(word).count() > 1)
}

fn has(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_programs_get_their_input() {
        for (text, standard, argument) in [
            (
                "int main(int c, char **argv) { FILE *f = fopen(argv[1], \"r\"); fgets(b, 9, f); fscanf(f, \"%d\", &x); }",
                false,
                true,
            ),
            ("int main() { int x; scanf(\"%d\", &x); }", true, false),
            ("char b[9]; fgets(b, 9, stdin);", true, false),
            ("std::ifstream f(argv[1]); std::getline(f, line);", false, true),
            ("std::cin >> x;", true, false),
            ("fun main(args: Array<String>) { File(args[0]).readLines() }", false, true),
            ("fun main() { val n = readLine()!!.toInt() }", true, false),
            ("let a: Vec<String> = std::env::args().collect(); read(&a[1]);", false, true),
            ("main = do { [f] <- getArgs; s <- readFile f; print (length s) }", false, true),
            ("main = interact id", true, false),
            ("for line in io.lines(arg[1]) do end", false, true),
            ("p = argparse.ArgumentParser(); p.add_argument('file')", false, true),
            ("p = argparse.ArgumentParser(); p.add_argument('--verbose')", false, false),
            ("for line in sys.stdin: pass", true, false),
            ("#!/bin/sh\nwhile read -r x; do echo $x; done < \"$1\"\n", false, true),
            ("#!/bin/sh\nread x; echo $1\n", true, false),
            ("puts gets.to_i", true, false),
            ("puts File.open(ARGV[0]).gets", false, true),
        ] {
            assert_eq!((is_standard(text), is_argument(text)), (standard, argument), "{text}");
        }
    }
}
