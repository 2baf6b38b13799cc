//! Suggests the known word that is closest to an unknown one: "did you mean …".

/// The candidate that `word` is most likely a misspelling of. None if no candidate is close.
pub fn closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // A longer word is not a misspelling of a known one, and the cost of the distance is quadratic.
    if word.len() > 200 {
        return None;
    }
    let allowed = (word.chars().count() / 3).clamp(1, 4);
    let near = candidates.into_iter().filter(|candidate| candidate.len() <= 400);
    let measured = near.map(|candidate| (strsim::damerau_levenshtein(word, candidate), candidate));
    measured.filter(|(distance, _)| *distance <= allowed).min().map(|(_, candidate)| candidate)
}

/// The closest candidate as a question: ``did you mean `jobs`?``
pub fn did_you_mean<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    closest(word, candidates).map(|candidate| format!("did you mean `{candidate}`?"))
}

/// The closest candidate as the end of a sentence: ``; did you mean `jobs`?``. Empty if there is none.
pub fn hint<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    did_you_mean(word, candidates).map(|question| format!("; {question}")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_found_and_far_ones_are_not() {
        let known = ["jobs", "memory", "time_limit", "time_factor"];
        for (word, expect) in [
            ("job", Some("jobs")),
            ("memroy", Some("memory")),
            ("timelimit", Some("time_limit")),
            ("colour", None),
            ("", None),
        ] {
            assert_eq!(closest(word, known), expect, "{word}");
        }
        assert_eq!(closest(&"x".repeat(100_000), known), None);
    }
}
