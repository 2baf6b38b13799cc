//! Says the built-in comparisons of grader with the flags of the default output validator (package format 2025-09).

use super::draft::Draft;
use super::subject::Subject;
use crate::problem::{Checker, Setting, StandardChecker, TokenOptions};

/// The arguments of the output validator on a case or in a group: its own, or the flags of the default one. Reports a
/// comparison that has no flags.
pub(super) fn output_flags(subject: &Subject<'_>, draft: &mut Draft, setting: &Setting<'_>) -> Vec<String> {
    if !subject.compares() {
        return setting.arguments.output_validator.clone();
    }
    let checker = subject.checker(setting);
    let words = flags(checker);
    if subject.stated_checker == Some(checker) {
        return Vec::new();
    }
    if subject.stated_checker.is_some() && words.as_ref().is_some_and(Vec::is_empty) {
        draft.lose("different comparisons for some cases", "problem.yaml states one for all of them");
    }
    words.unwrap_or_else(|| {
        draft.lose(
            format!("the comparison {}", words_of(checker)),
            "no flags of the default output validator compare so; write your own validator",
        );
        Vec::new()
    })
}

/// The comparison of the problem if only grader has a word for it: the format has no flags that compare so.
pub(super) fn own_comparison(subject: &Subject<'_>) -> Option<Checker> {
    let (group, case) = subject.problem.cases().next().filter(|_| subject.compares())?;
    let checker = subject.checker(&group.setting_of(case));
    let has_word = match checker {
        Checker::Contains | Checker::Regex | Checker::Unordered | Checker::Standard(_) => true,
        Checker::Tokens(options) => options.line_sensitive,
        Checker::Exact | Checker::Value(_) => false,
    };
    (has_word && flags(checker).is_none()).then_some(checker)
}

/// The name of a comparison, as `checker` in problem.yaml has it.
pub(super) fn words_of(checker: Checker) -> String {
    let word = match checker {
        Checker::Tokens(options) if options.line_sensitive => {
            return [&flags_of(options)[..], &["line_sensitive".to_owned()]].concat().join(" ");
        }
        Checker::Tokens(_) => "tokens",
        Checker::Exact => "exact",
        Checker::Contains => "contains",
        Checker::Regex => "regex",
        Checker::Unordered => "unordered",
        Checker::Value(_) => "of values",
        Checker::Standard(standard) => standard.name(),
    };
    word.to_owned()
}

/// The flags that compare as `checker` does; none if no flags do.
pub(super) fn flags(checker: Checker) -> Option<Vec<String>> {
    let options = match checker {
        Checker::Tokens(options) if options.labels || options.line_sensitive => return None,
        Checker::Tokens(options) => options,
        // Without a tolerance, both flags together leave only equal bytes.
        Checker::Exact => {
            TokenOptions { case_sensitive: true, space_change_sensitive: true, ..TokenOptions::default() }
        }
        Checker::Standard(standard) => equivalent(standard)?,
        Checker::Contains | Checker::Regex | Checker::Unordered | Checker::Value(_) => return None,
    };
    Some(flags_of(options))
}

fn flags_of(options: TokenOptions) -> Vec<String> {
    let mut words = Vec::new();
    if options.case_sensitive {
        words.push("case_sensitive".to_owned());
    }
    if options.space_change_sensitive {
        words.push("space_change_sensitive".to_owned());
    }
    let mut tolerance = |word: &str, value: Option<f64>| {
        words.extend(value.into_iter().flat_map(|value| [word.to_owned(), number(value)]));
    };
    if options.float_relative == options.float_absolute {
        tolerance("float_tolerance", options.float_relative);
    } else {
        tolerance("float_relative_tolerance", options.float_relative);
        tolerance("float_absolute_tolerance", options.float_absolute);
    }
    words
}

/// A tolerance in few characters: `1e-6`, `0.5`.
fn number(value: f64) -> String {
    let plain = value.to_string();
    let short = format!("{value:e}");
    if short.len() < plain.len() { short } else { plain }
}

/// The comparison by tokens that decides as a standard checker of testlib does, on answers that the checker accepts. None
/// for those that compare lines, or in another order.
pub(super) fn equivalent(standard: StandardChecker) -> Option<TokenOptions> {
    use StandardChecker::{Dcmp, Hcmp, Icmp, Ncmp, Nyesno, Wcmp, Yesno};
    let exact = TokenOptions { case_sensitive: true, ..TokenOptions::default() };
    match (standard, standard.tolerance()) {
        (Wcmp | Hcmp | Icmp | Ncmp, _) => Some(exact),
        (Yesno | Nyesno, _) => Some(TokenOptions::default()),
        (_, Some(tolerance)) => Some(TokenOptions {
            float_absolute: Some(tolerance.epsilon),
            float_relative: (tolerance.is_relative_too || standard == Dcmp).then_some(tolerance.epsilon),
            ..exact
        }),
        (_, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_read_back_as_the_same_comparison() {
        for words in [
            "tokens",
            "case_sensitive",
            "float=1e-6",
            "float_relative_tolerance 0.5",
            "case_sensitive space_change_sensitive",
        ] {
            let checker: Checker = words.parse().unwrap();
            assert_eq!(Checker::from_flags(&flags(checker).unwrap().join(" ")), Ok(checker), "{words}");
        }
        assert_eq!(flags(Checker::Exact).unwrap(), ["case_sensitive", "space_change_sensitive"]);
        assert_eq!(
            flags(Checker::Standard(StandardChecker::Rcmp6)).unwrap(),
            ["case_sensitive", "float_tolerance", "1e-6"]
        );
        assert_eq!(flags(Checker::Standard(StandardChecker::Lcmp)), None);
        let lines: Checker = "case_sensitive line_sensitive float=1e-6".parse().unwrap();
        assert_eq!((flags(lines), words_of(lines).parse()), (None, Ok(lines)));
    }
}
