//! What `\ref` shows: the numbers of figures, tables and items that have a `\label`.

use std::collections::BTreeMap;

use super::DEEPEST;
use super::lex::Token;

/// Environments whose captions have numbers.
const FIGURES: [&str; 4] = ["figure", "figure*", "wrapfigure", "subfigure"];
const TABLES: [&str; 3] = ["table", "table*", "longtable"];

/// What a caption belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Captioned {
    Figure,
    Table,
}

impl Captioned {
    /// What the captions in an environment belong to.
    pub(super) fn of(environment: &str) -> Option<Self> {
        let is_figure = FIGURES.contains(&environment).then_some(Self::Figure);
        is_figure.or_else(|| TABLES.contains(&environment).then_some(Self::Table))
    }
}

/// The numbers of captions, in their order.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Captions {
    figures: usize,
    tables: usize,
}

impl Captions {
    /// The number of the next caption.
    pub(super) fn next(&mut self, of: Captioned) -> usize {
        let count = match of {
            Captioned::Figure => &mut self.figures,
            Captioned::Table => &mut self.tables,
        };
        *count += 1;
        *count
    }
}

/// What each `\label` names. A label of anything else, such as a section or a formula, names nothing: these have no numbers.
pub(super) fn labels<'t>(tokens: &[(usize, Token<'t>)]) -> BTreeMap<&'t str, String> {
    let mut found = BTreeMap::new();
    let mut captions = Captions::default();
    // The open environments, each with the number that a label in it names.
    let mut open: Vec<(&str, usize)> = Vec::new();
    for (at, (_, token)) in tokens.iter().enumerate() {
        match token {
            Token::Begin(name) => open.push((name, 0)),
            Token::End(_) => drop(open.pop()),
            Token::Command("item") => {
                if let Some((_, number)) = open.last_mut().filter(|(name, _)| *name == "enumerate") {
                    *number += 1;
                }
            }
            Token::Command("caption") => {
                let around =
                    open.iter_mut().rev().take(DEEPEST).find_map(|(name, number)| Some((Captioned::of(name)?, number)));
                if let Some((of, number)) = around {
                    *number = captions.next(of);
                }
            }
            Token::Command("label") => {
                let number = open.iter().rev().take(DEEPEST).map(|(_, number)| *number).find(|number| *number > 0);
                if let (Some((_, Token::Raw(name))), Some(number)) = (tokens.get(at + 1), number) {
                    found.insert(*name, number.to_string());
                }
            }
            _ => {}
        }
    }
    found
}
