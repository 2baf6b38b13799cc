//! Finds the texts that `\ref` shows: the numbers of figures, tables and items that have a `\label`.

use std::collections::BTreeMap;

use super::DEEPEST;
use super::lex::Token;
use super::marks::ListOptions;

/// Environments whose captions have numbers.
const FIGURES: [&str; 4] = ["figure", "figure*", "wrapfigure", "subfigure"];
/// Lists whose items have numbers.
pub(super) const NUMBERED: [&str; 2] = ["enumerate", "compactenum"];
const TABLES: [&str; 3] = ["table", "table*", "longtable"];

/// The kind of object that a caption describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CaptionKind {
    Figure,
    Table,
}

impl CaptionKind {
    /// The kind of the captions in an environment.
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
    pub(super) fn next(&mut self, of: CaptionKind) -> usize {
        let count = match of {
            CaptionKind::Figure => &mut self.figures,
            CaptionKind::Table => &mut self.tables,
        };
        *count += 1;
        *count
    }
}

/// The text that a reference to each `\label` shows. Leaves out labels of sections, formulas and others, which have no
/// numbers.
pub(super) fn labels<'t>(tokens: &[(usize, Token<'t>)]) -> BTreeMap<&'t str, String> {
    let mut found = BTreeMap::new();
    let mut captions = Captions::default();
    // The open environments, each with the number that a label in it names.
    let mut open: Vec<(&str, usize, ListOptions<'t>)> = Vec::new();
    for (at, (_, token)) in tokens.iter().enumerate() {
        match token {
            Token::Begin(name) => {
                let options = if let Some((_, Token::Options(options))) = tokens.get(at + 1) { options } else { "" };
                let is_list = NUMBERED.contains(name);
                open.push((name, 0, if is_list { ListOptions::read(options) } else { ListOptions::default() }));
            }
            Token::End(_) => drop(open.pop()),
            Token::Command("item") => {
                if let Some((_, number, _)) = open.last_mut().filter(|(name, ..)| NUMBERED.contains(name)) {
                    *number += 1;
                }
            }
            Token::Command("caption") => {
                let around = open
                    .iter_mut()
                    .rev()
                    .take(DEEPEST)
                    .find_map(|(name, number, _)| Some((CaptionKind::of(name)?, number)));
                if let Some((of, number)) = around {
                    *number = captions.next(of);
                }
            }
            Token::Command("label") => {
                let around = open.iter().rev().take(DEEPEST).find(|(_, number, _)| *number > 0);
                if let (Some((_, Token::Raw(name))), Some((_, number, list))) = (tokens.get(at + 1), around) {
                    let shown = list.mark_of(*number).unwrap_or_else(|| list.number_of(*number).to_string());
                    found.insert(*name, shown);
                }
            }
            _ => {}
        }
    }
    found
}
