//! Shows the content of environments: lists, blocks, tables.

use std::mem;

use pulldown_cmark::Event;

use super::commands::{BLOCKS, Block, Style, instead_of};
use super::lex::Token;
use super::marks::ListOptions;
use super::references::NUMBERED;
use super::{Mode, Translator, Until};
use crate::statement::parts::Part;

impl<'t> Translator<'_, 't, '_> {
    pub(super) fn environment(&mut self, name: &'t str) {
        let offset = self.offset();
        self.at += 1;
        let options = self.options().unwrap_or_default();
        let raw = self.raw();
        match name {
            "itemize" | "enumerate" | "description" | "compactitem" | "compactenum" => {
                self.list(name, &ListOptions::read(options), offset);
            }
            "tabular" | "tabular*" | "tabularx" | "longtable" => {
                let columns = raw.last().copied().unwrap_or_default();
                self.table(name, columns, offset);
            }
            _ => self.block(name, offset),
        }
    }

    fn block(&mut self, name: &'t str, offset: usize) {
        let block = BLOCKS.iter().find(|(known, _)| *known == name).map(|(_, block)| *block);
        if block.is_none() {
            let remedy = instead_of(name)
                .unwrap_or("remove its \\begin and \\end, or write an environment that docs/statement.md lists");
            let message = format!("grader does not know the environment `{name}`: only the text in it is shown");
            self.notes.warn(offset, message, remedy);
        }
        let Block { begin, end, heading } = block.unwrap_or(Block { begin: "", end: "", heading: "" });
        if self.mode == Mode::Inline {
            return self.parts(Until::Environment(name), offset);
        }
        self.end_paragraph();
        if !heading.is_empty() {
            self.put(Part::Markup("<h2>"));
            self.put(Part::Event(Event::Text(heading.into())));
            self.put(Part::Markup("</h2>\n"));
        }
        self.put(Part::Markup(begin));
        self.parts(Until::Environment(name), offset);
        self.end_paragraph();
        self.put(Part::Markup(end));
    }

    /// A list. `offset` is the place of its begin.
    fn list(&mut self, name: &'t str, options: &ListOptions<'t>, offset: usize) {
        for option in &options.unknown {
            let message = format!("grader does not know the option `{option}` of a list");
            self.notes.warn(offset, message, "write a mark such as label=(\\alph*), or \\item[mark] at each item");
        }
        let outer = self.mode;
        self.end_paragraph();
        self.mode = Mode::Block;
        let [begin, end] = match name {
            "enumerate" | "compactenum" => ["<ol>\n", "</ol>\n"],
            "description" => ["<ul class=\"plain\">\n", "</ul>\n"],
            _ => ["<ul>\n", "</ul>\n"],
        };
        match options.start.filter(|_| NUMBERED.contains(&name)) {
            Some(start) => self.put(Part::Made(format!("<ol start=\"{start}\">\n"))),
            None => self.put(Part::Markup(begin)),
        }
        let kept = self.styles.len();
        let mut has_item = false;
        let mut items = 0;
        let mut end_item = |own: &mut Self| {
            own.end_paragraph();
            if mem::replace(&mut has_item, true) {
                own.put(Part::Markup("</li>\n"));
            }
        };
        let until = Until::Environment(name);
        self.begin(until, offset);
        while !self.is_end(until, offset) {
            match self.peek() {
                Some(Token::Command("item")) => {
                    end_item(self);
                    self.at += 1;
                    items += 1;
                    self.item(name, options.mark_of(items));
                }
                Some(token) => self.token(token),
                None => {}
            }
        }
        self.open.pop();
        self.close_styles(kept);
        end_item(self);
        self.put(Part::Markup(end));
        self.mode = if outer == Mode::Inline { Mode::Inline } else { Mode::Block };
    }

    /// The begin of an item, with its `[label]`, otherwise with the mark that the list states.
    fn item(&mut self, list: &str, mark: Option<String>) {
        while self.peek() == Some(Token::Space) {
            self.at += 1;
        }
        match mark {
            _ if self.peek() == Some(Token::Text("[")) => {}
            Some(mark) => {
                self.put(Part::Markup("<li class=\"own\">"));
                return self.text(format!("{mark} "));
            }
            None => return self.put(Part::Markup("<li>")),
        }
        // It stands in place of the mark or the number.
        self.put(Part::Markup("<li class=\"own\">"));
        self.at += 1;
        self.text("");
        let kept = self.styles.len();
        if list == "description" {
            self.open_style(Style::Bold);
        }
        while let Some(token) = self.peek().filter(|token| !matches!(token, Token::Close | Token::End(_))) {
            if token == Token::Text("]") {
                self.at += 1;
                break;
            }
            self.token(token);
        }
        self.close_styles(kept);
        self.text(" ");
    }
}
