//! Decides which problem a name in a path means. An exact name counts first; otherwise the name is read forgivingly, as
//! long as only one problem can be meant.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::Path;

use unicode_normalization::UnicodeNormalization as _;

use super::Problems;
use crate::course::without_ending;
use crate::problem::{Problem, ProblemId};
use crate::program_files::is_main;
use crate::report::text::{Whitespace, escape, quote_option};

/// Words that people append to the name of a file, after a separator: `gaps_final.py`.
const ADDED: [&str; 18] = [
    "abgabe",
    "copy",
    "corrected",
    "final",
    "fixed",
    "kopie",
    "last",
    "latest",
    "loesung",
    "lösung",
    "neu",
    "new",
    "solution",
    "submission",
    "submit",
    "v",
    "ver",
    "version",
];

/// Words that people append to the name of a file that another one replaces: `gaps_old.py`.
const REPLACED: [&str; 6] = ["alt", "backup", "bak", "old", "prev", "previous"];

/// The names of all problems that a path may name, including problems that are broken or not judged in this run.
#[derive(Debug, Default)]
pub(crate) struct ProblemNames {
    problems: Vec<ProblemName>,
    /// The ids of the problems that the command names; empty if it names none. Of several problems of one name, students mean these.
    asked_for: BTreeSet<String>,
}

#[derive(Debug, Clone)]
struct ProblemName {
    id: String,
    /// The last part of the id.
    slug: String,
    /// Other names that the configuration gives it.
    aliases: Vec<Alias>,
    /// All of them, without what does not matter in a forgiving comparison.
    forms: Vec<String>,
}

impl ProblemName {
    /// Whether a path has one of the other names. It is met then.
    fn is_alias(&self, name: &str) -> bool {
        let alias = self.aliases.iter().find(|alias| alias.is_it(name));
        alias.inspect(|alias| alias.is_met.set(true)).is_some()
    }
}

/// Another name of a problem.
#[derive(Debug, Clone)]
struct Alias {
    /// The configured text, with its ending: `mean.py`.
    text: String,
    /// Without its ending.
    name: String,
    /// Whether a path had this name.
    is_met: Cell<bool>,
}

impl Alias {
    /// Whether a path has this name, in any case of letters.
    fn is_it(&self, name: &str) -> bool {
        [&self.name, &self.text].iter().any(|own| own.eq_ignore_ascii_case(name))
    }
}

/// The problem that a name means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NamedProblem<'n> {
    /// The name of this problem, in any case of letters.
    Exactly(&'n str),
    /// This problem and no other, read forgivingly.
    Forgivingly(&'n str),
    /// More than one problem.
    Several,
    /// No problem.
    None,
}

impl<'n> NamedProblem<'n> {
    /// The problem, if it is one.
    pub(crate) fn id(self) -> Option<&'n str> {
        match self {
            Self::Exactly(id) | Self::Forgivingly(id) => Some(id),
            Self::Several | Self::None => None,
        }
    }
}

impl ProblemNames {
    pub(crate) fn of(problems: &Problems) -> Self {
        let mut names = Self::default();
        for planned in &problems.plan.problems {
            names.add(planned.problem.id.as_str(), planned.problem.own_name());
        }
        problems.ids().into_iter().for_each(|id| names.add(id, id.rsplit('/').next().unwrap_or(id)));
        let mut by_program: BTreeMap<String, Vec<&Problem>> = BTreeMap::new();
        for problem in problems.plan.problems.iter().map(|planned| &planned.problem) {
            let programs: BTreeSet<String> =
                problem.groups.iter().filter_map(|group| Some(group.program.as_deref()?.to_lowercase())).collect();
            if let [program] = &programs.into_iter().collect::<Vec<_>>()[..] {
                by_program.entry(program.clone()).or_default().push(problem);
            }
        }
        for (program, of) in by_program {
            if let [problem] = of[..] {
                names.add_program(&problem.id, program);
            }
        }
        names
    }

    /// Adds the name of the only program that the tests of a problem start, as another name: `hello` for a folder `hw1` with
    /// `autograding.json`. Every program may be called `main`.
    fn add_program(&mut self, id: &ProblemId, name: String) {
        let is_taken = |known: &ProblemName| known.forms.contains(&folded(&name));
        if is_main(Path::new(&name)) || self.problems.iter().any(is_taken) {
            return;
        }
        if let Some(known) = self.problems.iter_mut().find(|known| known.id == id.as_str()) {
            known.forms.push(folded(&name));
            known.aliases.push(Alias { text: name.clone(), name, is_met: Cell::new(true) });
        }
    }

    /// Adds the problems of another search.
    pub(crate) fn and(mut self, others: Self) -> Self {
        for other in others.problems {
            match self.problems.iter_mut().find(|known| known.id == other.id) {
                Some(known) => {
                    known.forms.extend(other.forms);
                    known.aliases.extend(other.aliases);
                }
                None => self.problems.push(other),
            }
        }
        self
    }

    /// Only this problem.
    pub(super) fn only(&self, id: &str) -> Self {
        let problems = self.problems.iter().filter(|known| known.id == id).cloned().collect();
        Self { problems, asked_for: self.asked_for.clone() }
    }

    /// Prefers problems to others of their names.
    pub(crate) fn asked_for(self, ids: &[&str]) -> Self {
        Self { asked_for: ids.iter().map(|id| (*id).to_owned()).collect(), ..self }
    }

    /// Whether the command names this problem.
    pub(crate) fn is_asked_for(&self, id: &str) -> bool {
        self.asked_for.contains(id)
    }

    fn add(&mut self, id: &str, slug: &str) {
        if self.problems.iter().all(|known| known.id != id) {
            let forms = vec![folded(id), folded(slug)];
            self.problems.push(ProblemName { id: id.to_owned(), slug: slug.to_owned(), aliases: Vec::new(), forms });
        }
    }

    /// Adds other names of problems: `mean.py` means `stats`. Returns the problems that do not exist.
    pub(crate) fn add_aliases<'a>(&mut self, aliases: &'a BTreeMap<String, String>) -> Vec<&'a str> {
        let mut unknown = Vec::new();
        for (alias, id) in aliases {
            let problem = self.problems.iter_mut().find(|known| known.id == *id || known.slug == *id);
            let Some(problem) = problem else {
                unknown.push(id.as_str());
                continue;
            };
            let name = without_ending(alias);
            problem.forms.push(folded(name));
            let text = alias.clone();
            let name = name.to_owned();
            problem.aliases.push(Alias { text, name, is_met: Cell::new(false) });
        }
        unknown
    }

    /// The configured names that no path had. That of a problem for itself only gives it a column.
    pub(crate) fn unmet_aliases(&self) -> Vec<String> {
        let of = |known: &ProblemName| {
            let is_own = |alias: &&Alias| alias.name == known.id || alias.name == known.slug;
            let unmet = known.aliases.iter().filter(|alias| !alias.is_met.get() && !is_own(alias));
            unmet.map(|alias| alias.text.clone()).collect::<Vec<_>>()
        };
        self.problems.iter().flat_map(of).collect()
    }

    /// The problem that submissions are probably for: the one that the command names, or the only one.
    pub(crate) fn likely(&self) -> Option<&str> {
        let only = || self.problems.first().filter(|_| self.problems.len() == 1).map(|only| &*only.id);
        let asked_for = self.asked_for.first().filter(|_| self.asked_for.len() == 1);
        asked_for.map(|id| &**id).or_else(only)
    }

    /// The problem that a name means.
    pub(crate) fn meant(&self, name: &str) -> NamedProblem<'_> {
        let is_asked_for = |known: &&ProblemName| self.is_asked_for(&known.id);
        let own: Vec<&ProblemName> = self.problems.iter().filter(is_asked_for).collect();
        let is_called = |known: &&&ProblemName| known.id == name || known.slug == name || known.is_alias(name);
        if let [known] = own.iter().filter(is_called).collect::<Vec<_>>()[..] {
            return NamedProblem::Exactly(&known.id);
        }
        if let Some(exact) = self.exact(name) {
            // Every program may be called `main`.
            let is_usual = !self.asked_for.is_empty() && !self.is_asked_for(exact) && is_main(Path::new(name));
            let is_alias = || self.problems.iter().any(|known| known.aliases.iter().any(|alias| alias.is_it(name)));
            return if is_usual && !is_alias() { NamedProblem::None } else { NamedProblem::Exactly(exact) };
        }
        let mut form = name.to_owned();
        let mut without_number = false;
        loop {
            let folded = folded(&form);
            let fits = |known: &&ProblemName| !folded.is_empty() && known.forms.contains(&folded);
            let all: Vec<&ProblemName> = self.problems.iter().filter(fits).collect();
            let of_own: Vec<&ProblemName> = all.iter().copied().filter(is_asked_for).collect();
            match if of_own.len() == 1 { of_own } else { all }[..] {
                [] => {}
                // `sum3` may mean `sum` or be a misspelling of `sum2`.
                [_] if without_number && self.is_numbered(&folded) => return NamedProblem::Several,
                [one] => {
                    let of_form = one.aliases.iter().filter(|alias| self::folded(&alias.name) == folded);
                    of_form.for_each(|alias| alias.is_met.set(true));
                    return NamedProblem::Forgivingly(&one.id);
                }
                _ => return NamedProblem::Several,
            }
            let Some((shorter, number)) = without_addition(&form) else { return NamedProblem::None };
            form = shorter;
            without_number |= number;
        }
    }

    /// The problem that a file means by its own name.
    pub(crate) fn of_name(&self, file: &Path) -> NamedProblem<'_> {
        self.meant(&file.file_stem().unwrap_or_default().to_string_lossy())
    }

    /// The problem that a file means by its name, or by that of the nearest folder that means one. Old versions mean their problem.
    pub(crate) fn of_file(&self, file: &Path) -> NamedProblem<'_> {
        let folders = file.parent().into_iter().flat_map(Path::ancestors).filter_map(Path::file_name);
        let names = file.file_stem().into_iter().chain(folders).map(OsStr::to_string_lossy);
        let meant = |name: Cow<'_, str>| match self.meant(&name) {
            NamedProblem::None => self.of_old_version(&name).map(NamedProblem::Forgivingly),
            meant => Some(meant),
        };
        names.into_iter().find_map(meant).unwrap_or(NamedProblem::None)
    }

    /// The problem of whose submission this is the name of an old version.
    pub(crate) fn of_old_version(&self, name: &str) -> Option<&str> {
        let (rest, word) = last_word(name)?;
        self.meant(rest).id().filter(|_| REPLACED.contains(&&*word))
    }

    /// The problem named in a longer text at the boundaries of words, where a layout has a `*` beside `{problem}`.
    /// `before` and `after` say on which side.
    pub(crate) fn within(&self, text: &str, before: bool, after: bool) -> NamedProblem<'_> {
        let text = text.to_lowercase();
        let mut found: Vec<(usize, usize, &str)> = Vec::new();
        for known in &self.problems {
            let aliases = known.aliases.iter().map(|alias| (&alias.name, Some(&alias.is_met)));
            for (name, is_met) in [(&known.id, None), (&known.slug, None)].into_iter().chain(aliases) {
                let name = name.to_lowercase();
                for (start, name) in text.match_indices(&name).filter(|(_, name)| !name.is_empty()) {
                    let end = start + name.len();
                    let is_free = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
                    let is_word = is_free(text[..start].chars().next_back()) && is_free(text[end..].chars().next());
                    if is_word && (before || start == 0) && (after || end == text.len()) {
                        if let Some(is_met) = is_met {
                            is_met.set(true);
                        }
                        found.push((start, end, &known.id));
                    }
                }
            }
        }
        let is_part = |(start, end, _): &(usize, usize, &str)| {
            found.iter().any(|(s, e, _)| s <= start && end <= e && e - s > end - start)
        };
        let mut named: Vec<&str> = found.iter().filter(|one| !is_part(one)).map(|(_, _, id)| *id).collect();
        named.sort_unstable();
        named.dedup();
        match named[..] {
            [] => NamedProblem::None,
            [one] => NamedProblem::Exactly(one),
            _ => NamedProblem::Several,
        }
    }

    fn exact(&self, name: &str) -> Option<&str> {
        let only = |fits: &dyn Fn(&str) -> bool| {
            let mut named = self.problems.iter().filter(|known| fits(&known.id) || fits(&known.slug));
            named.next().filter(|_| named.next().is_none()).map(|known| known.id.as_str())
        };
        let is_alias = |known: &&ProblemName| known.is_alias(name);
        let is_id = |known: &&ProblemName| known.id == name;
        let id =
            self.problems.iter().find(is_alias).or(self.problems.iter().find(is_id)).map(|known| known.id.as_str());
        id.or_else(|| only(&|known| known == name)).or_else(|| only(&|known| known.eq_ignore_ascii_case(name)))
    }

    /// Whether a problem has this name with a number appended.
    fn is_numbered(&self, folded: &str) -> bool {
        let is_number = |rest: &str| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_digit());
        let mut forms = self.problems.iter().flat_map(|known| &known.forms);
        forms.any(|own| own.strip_prefix(folded).is_some_and(is_number))
    }
}

/// The letters and digits of a name, in one case: `Word Count` and `word_count` become the same.
pub(crate) fn folded(name: &str) -> String {
    name.nfc().flat_map(char::to_lowercase).filter(|c| c.is_alphanumeric()).collect()
}

/// Removes the last thing that people or browsers append to a name: ` (1)`, `_final`, a number. Returns the rest, and
/// whether a number was removed.
fn without_addition(name: &str) -> Option<(String, bool)> {
    let trimmed = name.trim_end_matches(is_separator);
    let without_digits = trimmed.trim_end_matches(|c: char| c.is_ascii_digit());
    if without_digits.len() < trimmed.len() {
        return (!folded(without_digits).is_empty()).then(|| (without_digits.to_owned(), true));
    }
    let (rest, word) = last_word(trimmed)?;
    ADDED.contains(&word.as_str()).then(|| (rest.to_owned(), false))
}

fn is_separator(c: char) -> bool {
    matches!(c, ' ' | '_' | '-' | '.' | '(' | ')' | '[' | ']' | '\u{a0}')
}

/// The last word of a name after a separator, in lower case, and what is before it.
fn last_word(name: &str) -> Option<(&str, String)> {
    let trimmed = name.trim_end_matches(is_separator);
    let start = trimmed.rfind(is_separator).map(|at| at + trimmed[at..].chars().next().map_or(1, char::len_utf8))?;
    let (rest, word) = trimmed.split_at(start);
    (!folded(rest).is_empty()).then(|| (rest, word.nfc().flat_map(char::to_lowercase).collect()))
}

/// The option that says which problem a name means: `--exercise 'mean.py=stats'`. Without a likely problem, the user fills it in.
pub(super) fn exercise_option(name: &str, problem: Option<&str>) -> String {
    let value = format!("{name}={}", problem.unwrap_or("PROBLEM"));
    let is_plain = !value.contains('\'') && escape(value.as_bytes(), Whitespace::Inline) == value;
    if is_plain && !value.starts_with('-') {
        format!("--exercise '{value}'")
    } else {
        quote_option("--exercise", &value)
    }
}

/// The option that leaves out files of a name: `--ignore notes.txt`. Characters of globs stand for themselves.
pub(super) fn ignore_option(name: &str) -> String {
    quote_option("--ignore", &literal_glob(name))
}

/// The glob that matches only this name: `data[[]1].csv` for `data[1].csv`.
pub(super) fn literal_glob(name: &str) -> String {
    let literal = |c: char| match c {
        '[' | '{' | '*' | '?' => format!("[{c}]"),
        // Before another character, it would change the meaning of that one.
        '\\' => "?".to_owned(),
        _ => c.to_string(),
    };
    name.chars().map(literal).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(ids: &[&str]) -> ProblemNames {
        let mut names = ProblemNames::default();
        for id in ids {
            names.add(id, id);
        }
        names
    }

    #[test]
    fn a_name_means_one_problem_or_is_listed() {
        use NamedProblem::{Exactly, Forgivingly, None, Several};
        let known = names(&["gaps", "wordcount", "hw1", "hw2", "sum", "sum2", "loesung"]);
        for (name, expect) in [
            ("gaps", Exactly("gaps")),
            ("GAPS", Exactly("gaps")),
            ("Gaps ", Forgivingly("gaps")),
            ("word count", Forgivingly("wordcount")),
            ("Word-Count_FINAL (2)", Forgivingly("wordcount")),
            ("gaps_v2", Forgivingly("gaps")),
            ("gaps - Copy (1)", Forgivingly("gaps")),
            ("gaps12", Forgivingly("gaps")),
            ("hw1_final", Forgivingly("hw1")),
            ("hw3", None),
            ("hw12", None),
            ("sum2", Exactly("sum2")),
            ("sum3", Several),
            ("sum (1)", Several),
            ("sum_final", Forgivingly("sum")),
            ("gapsfinal", None),
            ("gap", None),
            ("final", None),
            ("", None),
            ("(1)", None),
            ("12", None),
        ] {
            assert_eq!(known.meant(name), expect, "{name:?}");
        }
        assert_eq!(names(&["a-b", "a_b"]).meant("a b"), Several);
        // macOS writes the letters of file names in parts.
        assert_eq!(names(&["lücke"]).meant("Lu\u{308}cke"), Forgivingly("lücke"));
    }

    #[test]
    fn a_file_means_a_problem_by_its_name_or_its_folder() {
        use NamedProblem::{Exactly, Forgivingly, None};
        let known = names(&["gaps", "sum"]);
        for (file, expect) in [
            ("gaps/main.py", Exactly("gaps")),
            ("gaps/sum.py", Exactly("sum")),
            ("sum/Gaps (1)/src/main.py", Forgivingly("gaps")),
            ("src/main.py", None),
            ("main.py", None),
        ] {
            assert_eq!(known.of_file(Path::new(file)), expect, "{file}");
        }
    }

    #[test]
    fn old_versions_are_of_one_problem() {
        let known = names(&["gaps", "sum"]);
        for (name, expect) in [
            ("gaps_old", Some("gaps")),
            ("Gaps (1) - OLD", Some("gaps")),
            ("sum.bak", Some("sum")),
            ("gapsold", None),
            ("old", None),
            ("notes_old", None),
            ("gaps_final", None),
        ] {
            assert_eq!(known.of_old_version(name), expect, "{name:?}");
        }
    }

    #[test]
    fn a_star_beside_the_name_does_not_cut_it() {
        use NamedProblem::{Exactly, None, Several};
        let known = names(&["g", "gaps", "word", "word count"]);
        for (text, expect) in [
            ("gaps_ann", Exactly("gaps")),
            ("gapless", None),
            ("word count x", Exactly("word count")),
            ("word x", Exactly("word")),
            ("ann_gaps", None),
        ] {
            assert_eq!(known.within(text, false, true), expect, "{text:?}");
        }
        assert_eq!(known.within("ann_gaps", true, false), Exactly("gaps"));
        assert_eq!(known.within("gaps or word", true, true), Several);
    }
}
