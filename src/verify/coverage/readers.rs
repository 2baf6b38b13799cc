//! Reads what tools say about the lines that a program has executed. Pure. The data come from the program itself, so they
//! may say anything about its lines, and nothing else.

use std::collections::BTreeMap;

/// Lines that can be executed, from 1, each with whether it was.
pub(super) type Lines = BTreeMap<u32, bool>;

/// Reads the output of `gcov --stdout`: the lines of each source, by its path ("Invoking gcov" in GCC's manual). The text
/// says more than the JSON: lines that only exceptions reach (`=====`) are left out, because the compiler adds such paths
/// to lines of any kind.
pub(super) fn of_gcov(text: &str) -> Vec<(String, Lines)> {
    let mut files: Vec<(String, Lines)> = Vec::new();
    for line in text.lines() {
        let mut parts = line.splitn(3, ':').map(str::trim);
        let (Some(count), Some(number), Some(rest)) = (parts.next(), parts.next(), parts.next()) else { continue };
        let Ok(number) = number.parse::<u32>() else { continue };
        if number == 0 {
            files.extend(rest.strip_prefix("Source:").map(|path| (path.to_owned(), Lines::new())));
            continue;
        }
        let executed = match count {
            "#####" => false,
            // A block of the line is not executed if a star follows.
            count if count.trim_end_matches('*').parse::<u64>().is_ok() => true,
            _ => continue,
        };
        if let Some((_, lines)) = files.last_mut() {
            // A line of a template appears once more for each instance.
            *lines.entry(number).or_default() |= executed;
        }
    }
    files
}

/// Reads the output of `llvm-cov export -format=lcov`: the lines of each source, by its path (`geninfo(1)`).
pub(super) fn of_lcov(text: &str) -> Vec<(String, Lines)> {
    let mut files: Vec<(String, Lines)> = Vec::new();
    for line in text.lines() {
        if let Some(path) = line.strip_prefix("SF:") {
            files.push((path.to_owned(), Lines::new()));
        } else if let (Some(data), Some((_, lines))) = (line.strip_prefix("DA:"), files.last_mut()) {
            let mut numbers = data.split(',').map(str::parse::<u64>);
            if let (Some(Ok(number)), Some(Ok(count))) = (numbers.next(), numbers.next())
                && let Ok(number) = u32::try_from(number)
            {
                *lines.entry(number).or_default() |= count > 0;
            }
        }
    }
    files
}

/// Reads a listing of Python's module `trace` with `--missing`: the lines of one source.
pub(super) fn of_trace(text: &str) -> Lines {
    let line = |(number, line): (u32, &str)| {
        let (mark, _) = line.split_at_checked(7)?;
        if mark == ">>>>>> " {
            return Some((number, false));
        }
        let count = mark.trim_end().strip_suffix(':')?;
        count.trim_start().parse::<u64>().ok().map(|_| (number, true))
    };
    (1..).zip(text.lines()).filter_map(line).collect()
}

/// The lines that were not executed, as ranges: `3, 7-9`. Lines between two of them that cannot be executed belong to the
/// range.
pub(super) fn missing(lines: &Lines) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    let mut goes_on = false;
    for (number, executed) in lines {
        match (executed, ranges.last_mut()) {
            (false, Some(range)) if goes_on => range.1 = *number,
            (false, _) => ranges.push((*number, *number)),
            (true, _) => {}
        }
        goes_on = !executed;
    }
    let shown = |(first, last): (u32, u32)| if first == last { first.to_string() } else { format!("{first}-{last}") };
    ranges.into_iter().map(shown).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(of: &[(u32, bool)]) -> Lines {
        of.iter().copied().collect()
    }

    #[test]
    fn each_tool_is_read() {
        let gcov = "        -:    0:Source:a.cpp\n        -:    0:Runs:1\n        3*:    2:  f(x);\n    #####:    4:/*EOF*/\n    \
                    =====:    5:}\n        -:    6:\n------------------\n_Z1fi:\n    #####:    2:  f(x);\n        1:x:1\n";
        assert_eq!(of_gcov(gcov), [("a.cpp".to_owned(), lines(&[(2, true), (4, false)]))]);
        assert_eq!(of_gcov("rubbish\n1:2:3\n"), []);
        let lcov = "SF:/b/a.rs\nFN:1,main\nDA:1,2\nDA:3,0\nDA:x,1\nDA:99999999999,1\nend_of_record\nSF:b.rs\nDA:1,0\n";
        let found = of_lcov(lcov);
        assert_eq!(found[0], ("/b/a.rs".to_owned(), lines(&[(1, true), (3, false)])));
        assert_eq!(found[1], ("b.rs".to_owned(), lines(&[(1, false)])));
        let trace = "    1: import sys\n       \n   12: for x in y:\n>>>>>>     pass\n       # 3: no\nß";
        assert_eq!(of_trace(trace), lines(&[(1, true), (3, true), (4, false)]));
    }

    #[test]
    fn missing_lines_are_ranges() {
        assert_eq!(missing(&lines(&[(1, true), (2, true)])), "");
        let gaps = lines(&[(1, true), (3, false), (4, true), (7, false), (9, false), (12, false), (13, true)]);
        assert_eq!(missing(&gaps), "3, 7-12");
    }
}
