//! Bounds that validators declare, and the values that they read: from the logs that they write.
//!
//! A [`BoundsLog`] is what a validator says of one case. [`merged`] adds up the logs of all cases: a bound is reached if
//! some case has it. Cases with other arguments may have other bounds, such as those of a subtask, so they count apart
//! unless their bounds are the same.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The most variables and features of one log that are read.
const MOST_ENTRIES: usize = 1000;

/// A number in a log.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Value {
    /// An integer.
    Whole(i128),
    /// Any other number, always finite.
    Real(f64),
}

impl Value {
    fn parse(text: &str) -> Option<Self> {
        let real = || text.parse::<f64>().ok().filter(|value| value.is_finite()).map(Self::Real);
        text.parse().ok().map(Self::Whole).or_else(real)
    }

    #[expect(clippy::cast_precision_loss, reason = "an order of an integer and a fraction, for display alone")]
    fn real(self) -> f64 {
        match self {
            Self::Whole(value) => value as f64,
            Self::Real(value) => value,
        }
    }

    fn order(self, other: Self) -> Ordering {
        match (self, other) {
            (Self::Whole(one), Self::Whole(two)) => one.cmp(&two),
            _ => self.real().total_cmp(&other.real()),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(value) => value.fmt(f),
            Self::Real(value) => value.fmt(f),
        }
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Larger integers than those of 64 bits are not portable in JSON.
        match self {
            Self::Whole(value) => match i64::try_from(*value) {
                Ok(value) => serializer.serialize_i64(value),
                Err(_) => serializer.serialize_str(&value.to_string()),
            },
            Self::Real(value) => serializer.serialize_f64(*value),
        }
    }
}

impl<'d> Deserialize<'d> for Value {
    fn deserialize<D: Deserializer<'d>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum NumberOrText {
            Whole(i64),
            Real(f64),
            Large(String),
        }
        Ok(match NumberOrText::deserialize(deserializer)? {
            NumberOrText::Whole(value) => Self::Whole(value.into()),
            NumberOrText::Real(value) => Self::Real(value),
            NumberOrText::Large(text) => Self::parse(&text).ok_or_else(|| D::Error::custom("no number"))?,
        })
    }
}

/// The smallest and the largest of some values.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Span {
    pub(crate) min: Value,
    pub(crate) max: Value,
}

impl Span {
    fn join(self, other: Self) -> Self {
        let min = if other.min.order(self.min).is_lt() { other.min } else { self.min };
        let max = if other.max.order(self.max).is_gt() { other.max } else { self.max };
        Self { min, max }
    }
}

/// The bounds that a validator declares for a variable.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum DeclaredBounds {
    /// The log does not say.
    Unknown,
    /// The same bounds whenever the variable is read.
    Fixed(Span),
    /// Other bounds in other places or cases, such as those of an index into a list.
    Varying,
}

impl DeclaredBounds {
    fn join(self, other: Self) -> Self {
        if self == other { self } else { Self::Varying }
    }

    /// The bounds, if they are the same everywhere.
    pub(crate) fn fixed(self) -> Option<Span> {
        match self {
            Self::Fixed(span) => Some(span),
            Self::Unknown | Self::Varying => None,
        }
    }
}

/// A variable of a validator: its declared bounds, and whether the cases reach them.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Bound {
    pub(crate) variable: String,
    pub(crate) declared: DeclaredBounds,
    /// The smallest and the largest value, if the log has them.
    pub(crate) seen: Option<Span>,
    pub(crate) min_reached: bool,
    pub(crate) max_reached: bool,
}

impl Bound {
    fn join(&self, other: &Self) -> Self {
        Self {
            declared: self.declared.join(other.declared),
            seen: match (self.seen, other.seen) {
                (Some(one), Some(two)) => Some(one.join(two)),
                (one, two) => one.or(two),
            },
            min_reached: self.min_reached || other.min_reached,
            max_reached: self.max_reached || other.max_reached,
            variable: self.variable.clone(),
        }
    }

    /// The sentence about the bounds that no case reaches; none if all are reached.
    pub(crate) fn unreached(&self) -> Option<String> {
        let name = &self.variable;
        let of = |bound: fn(Span) -> Value| self.declared.fixed().map(|span| format!(", {}", bound(span)));
        let of = |bound| of(bound).unwrap_or_default();
        let seen = |what: &str, value: fn(Span) -> Value| {
            self.seen.map(|span| format!("; the {what} value is {}", value(span))).unwrap_or_default()
        };
        match (self.min_reached, self.max_reached) {
            (true, true) => None,
            (false, true) => Some(format!(
                "no case reaches the minimum of `{name}`{}{}",
                of(|span| span.min),
                seen("smallest", |span| span.min)
            )),
            (true, false) => Some(format!(
                "no case reaches the maximum of `{name}`{}{}",
                of(|span| span.max),
                seen("largest", |span| span.max)
            )),
            (false, false) => {
                let declared = self.declared.fixed().map(|span| format!(", {} and {}", span.min, span.max));
                let seen = self.seen.map(|span| format!("; the values are {} to {}", span.min, span.max));
                let (declared, seen) = (declared.unwrap_or_default(), seen.unwrap_or_default());
                Some(format!("no case reaches the minimum or the maximum of `{name}`{declared}{seen}"))
            }
        }
    }
}

/// Something that a validator of testlib names, and whether a case has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Feature {
    pub(crate) feature: String,
    pub(crate) hit: bool,
}

/// The bounds and features that a validator reports for one case, or for several.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct BoundsLog {
    pub(crate) bounds: Vec<Bound>,
    pub(crate) features: Vec<Feature>,
}

impl BoundsLog {
    /// Reads the file of `--testOverviewLogFileName`. testlib writes it:
    ///
    /// ```text
    /// "n": min-value-hit max-value-hit
    /// feature "connected": hit
    /// constant-bounds "n": 1 1000
    /// ```
    pub(crate) fn of_testlib(text: &str) -> Self {
        let mut log = Self::default();
        let mut declared = BTreeMap::new();
        for line in text.lines().take(MOST_ENTRIES * 4) {
            if let Some((name, hits)) = line.strip_prefix('"').and_then(|rest| rest.split_once("\":")) {
                let has = |word| hits.split_whitespace().any(|hit| hit == word);
                log.bounds.push(Bound {
                    variable: name.to_owned(),
                    declared: DeclaredBounds::Unknown,
                    seen: None,
                    min_reached: has("min-value-hit"),
                    max_reached: has("max-value-hit"),
                });
            } else if let Some((feature, hit)) = named(line, "feature") {
                log.features.push(Feature { feature, hit: hit == "hit" });
            } else if let Some((name, values)) = named(line, "constant-bounds")
                && let Some((min, max)) = values.split_once(' ')
            {
                // A bound that is not the same everywhere is `?`.
                let span = Value::parse(min).zip(Value::parse(max)).map(|(min, max)| Span { min, max });
                declared.insert(name, span.map_or(DeclaredBounds::Varying, DeclaredBounds::Fixed));
            }
        }
        for bound in &mut log.bounds {
            if let Some(known) = declared.get(&bound.variable) {
                bound.declared = *known;
            }
        }
        log.bounded()
    }

    /// Reads the file of `--constraints_file`, which validators with the header of BAPCtools write, grammars that `pyctd`
    /// interprets, and any other validator that likes:
    ///
    /// ```text
    /// place name reached-min reached-max smallest largest min max
    /// ```
    ///
    /// A line that is not of this form is skipped: the log decides nothing.
    pub(crate) fn of_constraints(text: &str) -> Self {
        let bounds = text.lines().take(MOST_ENTRIES * 4).filter_map(constraint).collect();
        Self { bounds, features: Vec::new() }.bounded()
    }

    /// The log with one entry for each name, and with as many as are kept.
    fn bounded(self) -> Self {
        let mut joined = joined(self.bounds);
        joined.truncate(MOST_ENTRIES);
        let mut features = self.features;
        features.truncate(MOST_ENTRIES);
        Self { bounds: joined, features }
    }
}

/// The bounds of a variable that the statement says.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StatementBound {
    /// Its name, without an index: `a` for `a_i`.
    pub(crate) variable: String,
    /// The bounds, of integers.
    pub(crate) span: Span,
    /// Whether the bounds are written with `<`. They then mean other values for numbers that are not integers.
    are_open: [bool; 2],
}

impl StatementBound {
    pub(crate) fn new(name: &str, span: Span, are_open: [bool; 2]) -> Self {
        Self { variable: without_index(name).to_owned(), span, are_open }
    }

    /// The bounds as written. Whether the variable is an integer is unknown.
    pub(crate) fn as_written(&self) -> String {
        let end = |value: Value, step: i128, is_open: bool, mark: &str| match value {
            Value::Whole(value) if is_open => format!("{mark} {}", value + step),
            value => value.to_string(),
        };
        let [lower, upper] = self.are_open;
        format!("{} to {}", end(self.span.min, -1, lower, ">"), end(self.span.max, 1, upper, "<"))
    }

    /// Whether it says something about the values that a validator declares.
    fn is_comparable(&self, bound: &Bound) -> bool {
        bound.declared.fixed().is_none_or(|declared| self.agrees(declared).is_some())
    }

    /// Whether the bounds are those that a validator declares; none if that cannot be known.
    fn agrees(&self, declared: Span) -> Option<bool> {
        let is_whole = |value: Value| matches!(value, Value::Whole(_));
        let is_known = self.are_open == [false, false] || is_whole(declared.min) && is_whole(declared.max);
        let same = |one: Value, two: Value| one.order(two).is_eq();
        is_known.then(|| same(self.span.min, declared.min) && same(self.span.max, declared.max))
    }
}

/// A name without its index: `a` for `a_i`, `a[i]` and `a`.
fn without_index(name: &str) -> &str {
    name.split(['_', '[']).next().unwrap_or(name)
}

/// The bounds and features that one input validator reports for all cases.
pub(crate) struct ValidatorBounds {
    /// The validator, relative to the problem.
    pub(crate) validator: String,
    /// Its reports, joined.
    pub(crate) log: BoundsLog,
    /// The number of valid cases about which it writes nothing, though it writes about others.
    pub(crate) silent: usize,
    /// The bounds that the statement says.
    pub(crate) stated: Vec<StatementBound>,
}

impl ValidatorBounds {
    /// The bounds that the statement says of a variable. None if several variables have its name.
    fn stated_of(&self, bound: &Bound) -> Option<&StatementBound> {
        let name = without_index(&bound.variable);
        let mut same = self.log.bounds.iter().filter(|other| without_index(&other.variable) == name);
        let is_alone = same.next().is_some() && same.next().is_none();
        self.stated.iter().find(|stated| is_alone && stated.variable == name)
    }

    /// Whether it declares bounds of a variable of the statement.
    pub(crate) fn declares(&self, stated: &StatementBound) -> bool {
        self.log.bounds.iter().any(|bound| without_index(&bound.variable) == stated.variable)
    }

    /// A sentence about each variable whose bounds in the statement are others than those that the validator declares.
    pub(crate) fn differing(&self) -> Vec<String> {
        let differs = |bound: &Bound| {
            let stated = self.stated_of(bound)?;
            let declared = bound.declared.fixed()?;
            let Span { min, max } = stated.span;
            (stated.agrees(declared) == Some(false)).then(|| {
                format!(
                    "the statement says {min} to {max} for `{}`; the validator accepts {} to {}",
                    bound.variable, declared.min, declared.max
                )
            })
        };
        self.log.bounds.iter().filter_map(differs).collect()
    }

    /// Each variable for documents.
    pub(crate) fn entries(&self) -> impl Iterator<Item = BoundEntry> {
        self.log.bounds.iter().map(|bound| BoundEntry {
            validator: self.validator.clone(),
            stated: self.stated_of(bound).filter(|stated| stated.is_comparable(bound)).map(|stated| stated.span),
            variable: bound.variable.clone(),
            declared: bound.declared.fixed(),
            is_varying: bound.declared == DeclaredBounds::Varying,
            seen: bound.seen,
            min_reached: bound.min_reached,
            max_reached: bound.max_reached,
        })
    }
}

/// A variable of an input validator, for documents.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct BoundEntry {
    pub(crate) validator: String,
    pub(crate) variable: String,
    /// The bounds that the statement says, if they are certain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) stated: Option<Span>,
    /// The declared bounds, if they are known and the same everywhere.
    pub(crate) declared: Option<Span>,
    /// Whether the validator declares other bounds in other places or cases.
    #[serde(default, rename = "varying", skip_serializing_if = "std::ops::Not::not")]
    pub(crate) is_varying: bool,
    /// The smallest and the largest value, if the validator says them.
    pub(crate) seen: Option<Span>,
    pub(crate) min_reached: bool,
    pub(crate) max_reached: bool,
}

impl BoundEntry {
    /// The part of the declared bounds in which values were seen: its begin and its length, 0 to 1. None unless both are
    /// known and there are several values to choose from.
    pub(crate) fn covered(&self) -> Option<(f64, f64)> {
        let (declared, seen) = (self.declared?, self.seen?);
        let width = declared.max.real() - declared.min.real();
        let part = |value: Value| ((value.real() - declared.min.real()) / width).clamp(0.0, 1.0);
        (width > 0.0).then(|| (part(seen.min), part(seen.max) - part(seen.min)))
    }
}

/// The numbers of bounds and features, for a summary.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct ReachedCounts {
    pub(crate) variables: usize,
    pub(crate) bounds: usize,
    pub(crate) reached: usize,
    pub(crate) features: usize,
    pub(crate) hit: usize,
    pub(crate) silent: usize,
}

impl ReachedCounts {
    pub(crate) fn of(all: &[ValidatorBounds]) -> Self {
        let mut counts = Self::default();
        for reached in all {
            let bounds = &reached.log.bounds;
            counts.variables += bounds.len();
            counts.bounds += 2 * bounds.len();
            counts.reached +=
                bounds.iter().map(|it| usize::from(it.min_reached) + usize::from(it.max_reached)).sum::<usize>();
            counts.features += reached.log.features.len();
            counts.hit += reached.log.features.iter().filter(|feature| feature.hit).count();
            counts.silent += reached.silent;
        }
        counts
    }
}

/// The name and the rest of a line such as `feature "name": hit`.
fn named(line: &str, word: &str) -> Option<(String, String)> {
    let (name, rest) = line.strip_prefix(word)?.strip_prefix(" \"")?.split_once("\":")?;
    Some((name.to_owned(), rest.trim().to_owned()))
}

fn constraint(line: &str) -> Option<Bound> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let names = words.len().checked_sub(6).filter(|names| *names >= 2)?;
    let value = |at: usize| Value::parse(words[names + at]);
    let flag = |at: usize| matches!(words[names + at], "1" | "true" | "True");
    // The place comes first. It has as many words as the name, because that is part of it.
    let variable = words[names.div_ceil(2)..names].join(" ");
    Some(Bound {
        variable,
        declared: DeclaredBounds::Fixed(Span { min: value(4)?, max: value(5)? }),
        seen: Some(Span { min: value(2)?, max: value(3)? }),
        min_reached: flag(0),
        max_reached: flag(1),
    })
}

/// One entry for each variable, in the order in which they appear first.
fn joined(bounds: impl IntoIterator<Item = Bound>) -> Vec<Bound> {
    let mut places = BTreeMap::<String, usize>::new();
    let mut all = Vec::<Bound>::new();
    for bound in bounds {
        if let Some(at) = places.get(&bound.variable) {
            all[*at] = all[*at].join(&bound);
        } else {
            places.insert(bound.variable.clone(), all.len());
            all.push(bound);
        }
    }
    all
}

/// The logs of all cases together, each with the arguments of the validator for that case.
pub(crate) fn merged(logs: &[(Vec<String>, BoundsLog)]) -> BoundsLog {
    let mut of_arguments = BTreeMap::<&[String], Vec<Bound>>::new();
    for (arguments, log) in logs {
        of_arguments.entry(arguments).or_default().extend(log.bounds.iter().cloned());
    }
    let mut bounds = Vec::<Bound>::new();
    for bound in of_arguments.into_values().flat_map(joined) {
        let same = |known: &&mut Bound| known.variable == bound.variable && known.declared == bound.declared;
        match bounds.iter_mut().find(same) {
            Some(known) => *known = known.join(&bound),
            None => bounds.push(bound),
        }
    }
    let mut features = Vec::<Feature>::new();
    for feature in logs.iter().flat_map(|(_, log)| &log.features) {
        match features.iter_mut().find(|known| known.feature == feature.feature) {
            Some(known) => known.hit |= feature.hit,
            None => features.push(feature.clone()),
        }
    }
    BoundsLog { bounds, features }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentences(log: &BoundsLog) -> Vec<Option<String>> {
        log.bounds.iter().map(Bound::unreached).collect()
    }

    #[test]
    fn a_log_of_testlib_has_hits_bounds_and_features() {
        let log = BoundsLog::of_testlib(
            "\"a b\":\n\"m\": max-value-hit\n\"n\": min-value-hit max-value-hit\nfeature \"loops\":\nfeature \"tree\": hit\n\
             constant-bounds \"a b\": 1 1000\nconstant-bounds \"m\": ? 5\nvariable \"n\"\nsomething else\n",
        );
        assert_eq!(
            sentences(&log),
            [
                Some("no case reaches the minimum or the maximum of `a b`, 1 and 1000".to_owned()),
                Some("no case reaches the minimum of `m`".to_owned()),
                None
            ]
        );
        let hits: Vec<(&str, bool)> = log.features.iter().map(|it| (it.feature.as_str(), it.hit)).collect();
        assert_eq!(hits, [("loops", false), ("tree", true)]);
    }

    #[test]
    fn a_log_of_constraints_has_values() {
        let log = BoundsLog::of_constraints(
            "LocationNotSupported:n n 1 0 1 712 1 1000\n|s| |s| 1 1 1 5 1 5\nx y x y 0 1 0.5 2.5 0.25 2.5\nnonsense\n1 2 3\n",
        );
        assert_eq!(
            sentences(&log),
            [
                Some("no case reaches the maximum of `n`, 1000; the largest value is 712".to_owned()),
                None,
                Some("no case reaches the minimum of `x y`, 0.25; the smallest value is 0.5".to_owned()),
            ]
        );
    }

    #[test]
    fn cases_reach_bounds_together() {
        let of = |line: &str| (Vec::new(), BoundsLog::of_constraints(line));
        let log = merged(&[of("n n 1 0 1 3 1 9"), of("n n 0 1 4 9 1 9")]);
        assert_eq!((sentences(&log), log.bounds[0].seen.unwrap().max), (vec![None], Value::Whole(9)));
        // The bound is another variable: an index that was never the last one.
        let log = merged(&[of("i i 1 0 1 3 1 9"), of("i i 0 0 4 5 1 7")]);
        assert_eq!(sentences(&log), [Some("no case reaches the maximum of `i`; the largest value is 5".to_owned())]);
    }

    #[test]
    fn bounds_of_a_subtask_are_others() {
        let of = |group: &str, line: &str| (vec![group.to_owned()], BoundsLog::of_constraints(line));
        let log = merged(&[of("1", "n n 1 0 1 9 1 10"), of("2", "n n 1 1 1 100 1 100")]);
        assert_eq!(
            sentences(&log),
            [Some("no case reaches the maximum of `n`, 10; the largest value is 9".to_owned()), None]
        );
        // The same bounds are one: a group does not have to reach them all by itself.
        let log = merged(&[of("1", "n n 1 0 1 9 1 10"), of("2", "n n 0 1 2 10 1 10")]);
        assert_eq!(sentences(&log), [None]);
    }

    #[test]
    fn hostile_logs_are_bounded() {
        let lines = |values: &str| {
            let line = |at: u32| format!("v{at} v{at} 1 1 {values}");
            (0..9000).map(line).collect::<Vec<_>>().join("\n")
        };
        assert_eq!(BoundsLog::of_constraints(&lines("nan inf 1 -1e999")), BoundsLog::default());
        let large = lines(&format!("1 1 1 {}", i128::MAX));
        assert_eq!(BoundsLog::of_constraints(&large).bounds.len(), MOST_ENTRIES);
    }
}
