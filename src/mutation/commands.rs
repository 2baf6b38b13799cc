//! Makes commands of generators like those that the cases of a problem have: with other seeds, and with values that other
//! cases have in the same place. Pure and deterministic.

use std::collections::{BTreeMap, BTreeSet};

use crate::authoring::chance::Chance;
use crate::package::generators::{Command, Generators};

/// The most arguments that change, beside the seed.
const MOST_CHANGES: usize = 2;

/// The commands that make cases.
pub(super) struct ListedCommands {
    commands: Vec<Command>,
    /// The values that arguments have.
    values: BTreeMap<ArgumentPlace, BTreeSet<String>>,
}

/// An argument: the program, and the option before the value or its position.
type ArgumentPlace = (String, String);

impl ListedCommands {
    /// The commands of `generators.yaml` that make valid inputs by these programs.
    pub(super) fn of(generators: &Generators, can_run: impl Fn(&str) -> bool) -> Self {
        let valid = generators.recipes.iter().filter(|recipe| recipe.root() != "invalid_input");
        let commands = valid.filter_map(|recipe| recipe.command.clone()).filter(|command| can_run(&command.program));
        let mut listed = Self { commands: commands.collect(), values: BTreeMap::new() };
        for command in &listed.commands {
            for (at, word) in command.words().iter().enumerate() {
                listed.values.entry(place(command, at)).or_default().insert(word.clone());
            }
        }
        listed
    }

    /// A command like one of these; none if the list is empty.
    pub(super) fn like(&self, seed: u32) -> Option<Command> {
        let mut chance = Chance::new(seed);
        let mut command = chance.one_of(&self.commands)?.clone();
        let values = (0..command.words().len()).filter(|at| !is_option(&command.words()[*at]));
        let (seeds, others): (Vec<usize>, Vec<usize>) = values.partition(|at| is_seed(&command, *at));
        for at in seeds {
            command = command.with_word(at, &seed.to_string());
        }
        for _ in 0..chance.below(MOST_CHANGES + 1) {
            if let Some(at) = chance.one_of(&others) {
                let value = self.value(&place(&command, *at), &mut chance);
                command = value.map_or(command.clone(), |value| command.with_word(*at, &value));
            }
        }
        Some(command)
    }

    /// A value for a place: one that is there in some case, or a number between them.
    fn value(&self, place: &ArgumentPlace, chance: &mut Chance) -> Option<String> {
        let known: Vec<&String> = self.values.get(place)?.iter().collect();
        let numbers: Vec<i64> = known.iter().filter_map(|word| word.parse().ok()).collect();
        if let (Some(least), Some(most)) = (numbers.iter().min(), numbers.iter().max())
            && numbers.len() == known.len()
            && chance.below(2) == 0
        {
            let width = usize::try_from(most.abs_diff(*least)).ok()?.checked_add(1)?;
            return Some(least.checked_add(i64::try_from(chance.below(width)).ok()?)?.to_string());
        }
        chance.one_of(&known).map(|word| (*word).clone())
    }
}

/// The place of an argument.
fn place(command: &Command, at: usize) -> ArgumentPlace {
    let option = at.checked_sub(1).and_then(|before| command.words().get(before)).filter(|word| is_option(word));
    (command.program.clone(), option.cloned().unwrap_or_else(|| at.to_string()))
}

/// Whether an argument is the name of an option.
fn is_option(word: &str) -> bool {
    word.starts_with('-') && word.parse::<f64>().is_err()
}

/// Whether an argument is a seed by the name of its option.
fn is_seed(command: &Command, at: usize) -> bool {
    let (_, option) = place(command, at);
    option.trim_start_matches('-') == "seed"
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn listed(text: &str) -> ListedCommands {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("generators/generators.yaml");
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, text).unwrap();
        for program in ["gen", "other"] {
            std::fs::write(file.with_file_name(program), "#!/bin/sh\n").unwrap();
        }
        let shape = crate::package::generators::Shape::Groups;
        let (generators, found) = Generators::read(Path::new(dir.path()), shape).unwrap();
        assert!(found.is_empty(), "{found:?}");
        ListedCommands::of(&generators, |program| program == "gen")
    }

    #[test]
    fn commands_get_other_seeds_and_the_values_of_other_cases() {
        let all = listed(
            "data:\n  secret:\n    data:\n      - a: gen pick --of 10 --least row --seed 1\n      \
             - b: gen pick --of 40 --least laid --seed 2\n      - c: other --of 90\n      - d: gen pick --seed 2\n",
        );
        let made: BTreeSet<String> = (0..300).filter_map(|seed| Some(all.like(seed)?.shown(0))).collect();
        assert_eq!(made.len(), 300, "each has its own seed");
        // The names of options stay, so a seed is never another number.
        let (short, long): (Vec<_>, Vec<_>) = made.iter().partition(|text| !text.contains("--of"));
        assert!(!short.is_empty() && short.iter().all(|text| text.starts_with("gen pick --seed ")), "{short:?}");
        let words: Vec<Vec<&str>> = long.iter().map(|text| text.split(' ').collect()).collect();
        let at = |place: usize| words.iter().map(|words| words[place]).collect::<BTreeSet<&str>>();
        assert_eq!((at(0), at(4)), (BTreeSet::from(["gen"]), BTreeSet::from(["--least"])));
        assert_eq!(at(5), BTreeSet::from(["laid", "row"]));
        let numbers: Vec<u32> = at(3).iter().map(|word| word.parse().unwrap()).collect();
        assert!(numbers.len() > 10 && numbers.iter().all(|number| (10..=40).contains(number)), "{numbers:?}");
        assert_eq!(all.like(7), all.like(7));
        assert!(listed("data:\n  secret:\n    data:\n      - c: other --of 90\n").like(1).is_none());
    }
}
