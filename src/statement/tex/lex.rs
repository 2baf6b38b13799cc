//! Reads TeX as tokens, with formulas, verbatim text and the arguments that are not text as one token each.

/// A part of a statement in TeX.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'t> {
    /// Characters that mean themselves. `[` and `]` stand alone.
    Text(&'t str),
    /// White space within a paragraph.
    Space,
    /// An empty line.
    Paragraph,
    /// A command, without its backslash, with the `*` that may follow it.
    Command(&'t str),
    Begin(&'t str),
    End(&'t str),
    /// An argument that is not text, such as the name of a file.
    Raw(&'t str),
    /// An argument in brackets that is not text.
    Options(&'t str),
    Open,
    Close,
    /// `&`
    Align,
    /// `~`
    Tie,
    Math {
        source: &'t str,
        display: bool,
    },
    Verbatim {
        text: &'t str,
        /// The text in brackets behind the begin of its environment.
        options: &'t str,
        is_block: bool,
    },
    /// An environment that draws a picture.
    Drawing(&'t str),
}

/// Why a text cannot be read as tokens.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum LexError {
    /// A formula does not end.
    #[error("the formula that begins with `{0}` has no `{1}`")]
    Formula(&'static str, &'static str),
    /// An environment does not end.
    #[error("`\\begin{{{0}}}` has no `\\end{{{0}}}`")]
    Environment(String),
    /// A part that is skipped does not end.
    #[error("`\\iffalse` has no `\\fi`")]
    False,
    /// An argument does not end.
    #[error("the argument of `\\{0}` has no end")]
    Argument(String),
}

impl LexError {
    /// The suggested fix.
    pub(super) fn remedy(&self) -> String {
        match self {
            Self::Formula("$", _) => {
                "end it with `$` before the next empty line, or write `\\$` for a dollar sign".to_owned()
            }
            Self::Formula(_, close) => format!("end it with `{close}` before the next empty line"),
            Self::Environment(name) => format!("add `\\end{{{name}}}` where it ends"),
            Self::False => "add `\\fi` where the skipped part ends".to_owned(),
            Self::Argument(name) if name == "verb" => {
                "end it on the same line with the mark that begins it, as in \\verb|x|".to_owned()
            }
            Self::Argument(_) => "add `}` where the argument ends".to_owned(),
        }
    }
}

/// The tokens of a text with their byte offsets, and its errors.
pub(super) struct TexTokens<'t> {
    pub(super) tokens: Vec<(usize, Token<'t>)>,
    pub(super) errors: Vec<(usize, LexError)>,
}

/// The most bytes of an argument or a formula. Without a bound, many that do not end would take quadratic time.
const LONGEST: usize = 10_000;

/// The most bytes of `(lr)` behind `\cmidrule`.
const LONGEST_TRIM: usize = 100;

/// Commands with leading arguments that are not text, and the number of these.
const RAW_ARGUMENTS: &[(&str, usize)] = &[
    ("url", 1),
    ("nolinkurl", 1),
    ("path", 1),
    ("href", 1),
    ("includegraphics", 1),
    ("includegraphics*", 1),
    ("illustration", 2),
    ("label", 1),
    ("ref", 1),
    ("autoref", 1),
    ("pageref", 1),
    ("eqref", 1),
    ("cref", 1),
    ("Cref", 1),
    ("multirow", 2),
    ("cellcolor", 1),
    ("rowcolor", 1),
    ("hhline", 1),
    ("Xhline", 1),
    ("input", 1),
    ("include", 1),
    ("constant", 1),
    ("usepackage", 1),
    ("documentclass", 1),
    ("vspace", 1),
    ("vspace*", 1),
    ("hspace", 1),
    ("hspace*", 1),
    ("setlength", 2),
    ("addtolength", 2),
    ("setcounter", 2),
    ("multicolumn", 2),
    ("cline", 1),
    ("cmidrule", 1),
    ("textcolor", 1),
    ("color", 1),
    ("fontsize", 2),
    ("scalebox", 1),
    ("resizebox", 2),
    ("parbox", 1),
    ("raisebox", 1),
    ("rule", 2),
    ("graphicspath", 1),
    ("pagestyle", 1),
    ("thispagestyle", 1),
    ("linespread", 1),
    ("setlist", 1),
    ("colorbox", 1),
    ("fcolorbox", 2),
    ("makebox", 0),
    ("framebox", 0),
    ("pagebreak", 0),
    ("nopagebreak", 0),
    ("nolinebreak", 0),
    ("minipage", 1),
];

/// The same for environments.
const RAW_OF_ENVIRONMENTS: &[(&str, usize)] = &[
    ("tabular", 1),
    ("tabular*", 2),
    ("tabularx", 2),
    ("longtable", 1),
    ("array", 1),
    ("minipage", 1),
    ("wrapfigure", 2),
    ("multicols", 1),
    ("multicols*", 1),
    ("adjustbox", 1),
    ("subfigure", 1),
    ("spacing", 1),
];

/// Environments that are one formula. Those with columns keep their `\begin` and `\end`.
const FORMULAS: &[(&str, bool)] = &[
    ("math", false),
    ("displaymath", false),
    ("equation", false),
    ("equation*", false),
    ("align", true),
    ("align*", true),
    ("alignat", true),
    ("alignat*", true),
    ("flalign", true),
    ("flalign*", true),
    ("gather", true),
    ("gather*", true),
    ("eqnarray", true),
    ("eqnarray*", true),
    ("multline", true),
    ("multline*", true),
];

/// Environments with verbatim text, and how many arguments come before it. Only `verbatim` has no options.
const VERBATIM: [(&str, usize); 5] =
    [("verbatim", 0), ("verbatim*", 0), ("Verbatim", 0), ("lstlisting", 0), ("minted", 1)];

/// Environments that draw pictures by programs of TeX.
const DRAWINGS: [&str; 6] = ["tikzpicture", "pspicture", "picture", "asy", "forest", "xy"];

/// The name of the command whose backslash is at `at`, and where it ends.
pub(in crate::statement) fn command_at(text: &str, at: usize) -> (&str, usize) {
    let rest = &text[at + 1..];
    let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
    let length = match rest[letters..].starts_with('*') {
        _ if letters == 0 => rest.chars().next().map_or(0, char::len_utf8),
        true => letters + 1,
        false => letters,
    };
    (&rest[..length], at + 1 + length)
}

/// The inside of the braces that begin at `at`, and where they end. None if no brace opens at `at`, or if it is not closed.
pub(in crate::statement) fn braced(text: &str, at: usize) -> Option<(&str, usize)> {
    text[at..].starts_with('{').then_some(())?;
    let mut depth = 0_usize;
    let mut bytes = text.bytes().enumerate().skip(at).take(LONGEST);
    while let Some((place, byte)) = bytes.next() {
        match byte {
            b'\\' => drop(bytes.next()),
            b'{' => depth += 1,
            b'}' if depth == 1 => return Some((&text[at + 1..place], place + 1)),
            b'}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The inside of the brackets that begin at `at`, and where they end. A bracket in braces ends nothing.
pub(super) fn bracketed(text: &str, at: usize) -> Option<(&str, usize)> {
    text[at..].starts_with('[').then_some(())?;
    let mut depth = 0_usize;
    let mut bytes = text.bytes().enumerate().skip(at + 1).take(LONGEST);
    while let Some((place, byte)) = bytes.next() {
        match byte {
            b'\\' => drop(bytes.next()),
            b'{' => depth += 1,
            b'}' => depth = depth.checked_sub(1)?,
            b']' if depth == 0 => return Some((&text[at + 1..place], place + 1)),
            _ => {}
        }
    }
    None
}

/// Reads a text.
pub(super) fn lex(text: &str) -> TexTokens<'_> {
    let mut lexer = Lexer { text, at: 0, lexed: TexTokens { tokens: Vec::new(), errors: Vec::new() } };
    while lexer.at < text.len() {
        lexer.step();
    }
    lexer.lexed
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    lexed: TexTokens<'t>,
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Adds a token of this many bytes.
    fn put(&mut self, token: Token<'t>, length: usize) {
        self.lexed.tokens.push((self.at, token));
        self.at += length;
    }

    fn step(&mut self) {
        let rest = self.rest();
        let first = rest.chars().next().unwrap_or_default();
        match first {
            '\\' => self.command(),
            '{' => self.put(Token::Open, 1),
            '}' => self.put(Token::Close, 1),
            '&' => self.put(Token::Align, 1),
            '~' => self.put(Token::Tie, 1),
            '[' | ']' => self.put(Token::Text(&rest[..1]), 1),
            '$' if rest.starts_with("$$") => self.formula("$$", "$$", true),
            '$' => self.formula("$", "$", false),
            // A comment ends with its line, and with the white space that begins the next.
            '%' => {
                let line = rest.find('\n').map_or(rest.len(), |end| end + 1);
                let next = &rest[line..];
                let indent = next.len() - next.trim_start_matches([' ', '\t']).len();
                self.at += line + indent;
                if self.rest().starts_with('\n') {
                    self.put(Token::Paragraph, 1);
                }
            }
            c if c.is_ascii_whitespace() => {
                let length = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_whitespace()).len();
                let lines = rest[..length].bytes().filter(|byte| *byte == b'\n').count();
                self.put(if lines > 1 { Token::Paragraph } else { Token::Space }, length);
            }
            _ => {
                let is_special = |c: char| c.is_ascii_whitespace() || "\\{}&~[]$%".contains(c);
                let length = rest.find(is_special).unwrap_or(rest.len());
                self.put(Token::Text(&rest[..length]), length);
            }
        }
    }

    fn command(&mut self) {
        let (name, end) = command_at(self.text, self.at);
        match name {
            "(" => self.formula("\\(", "\\)", false),
            "[" => self.formula("\\[", "\\]", true),
            "begin" | "end" => match braced(self.text, end) {
                Some((inner, end)) if name == "begin" => self.begin(inner.trim(), end),
                Some((inner, after)) => self.put(Token::End(inner.trim()), after - self.at),
                None => self.fail(LexError::Argument(name.to_owned()), end),
            },
            "verb" | "verb*" | "lstinline" => self.verb(end),
            "ensuremath" => match braced(self.text, end) {
                Some((source, end)) => self.put(Token::Math { source, display: false }, end - self.at),
                None => self.fail(LexError::Argument(name.to_owned()), end),
            },
            // TeX skips this part.
            "iffalse" => {
                let is_fi = |at: &usize| command_at(self.text, *at).0 == "fi";
                let fi = self.text[end..].match_indices("\\fi").map(|(at, _)| end + at).find(is_fi);
                match fi {
                    Some(fi) => self.at = fi + "\\fi".len(),
                    None => self.fail(LexError::False, self.text.len()),
                }
            }
            _ => {
                let start = self.at;
                self.put(Token::Command(name), end - start);
                let count = RAW_ARGUMENTS.iter().find(|(known, _)| *known == name).map(|(_, count)| *count);
                if let Some(count) = count {
                    self.raw(name, start, count);
                }
            }
        }
    }

    fn fail(&mut self, error: LexError, to: usize) {
        self.lexed.errors.push((self.at, error));
        self.at = to;
    }

    /// Reads `[options]` and this many arguments that are not text, of the command at `start`.
    fn raw(&mut self, name: &str, start: usize, count: usize) {
        if name == "cmidrule"
            && self.rest().starts_with('(')
            && let Some(length) = self.rest().bytes().take(LONGEST_TRIM).position(|byte| byte == b')')
        {
            self.put(Token::Options(&self.rest()[1..length]), length + 1);
        }
        // As in `\makebox[3cm][c]{text}`.
        while let Some((options, end)) = bracketed(self.text, self.at) {
            self.put(Token::Options(options), end - self.at);
        }
        for _ in 0..count {
            let space = self.rest().len() - self.rest().trim_start().len();
            // A length may be an argument without braces.
            if self.rest()[space..].starts_with('\\') {
                let (_, end) = command_at(self.text, self.at + space);
                let length = &self.text[self.at + space..end];
                self.put(Token::Raw(length), end - self.at);
                continue;
            }
            // As in `\multirow{2}*{text}`.
            let one =
                self.rest()[space..].chars().next().filter(|c| name == "multirow" && (*c == '*' || c.is_ascii_digit()));
            if let Some(one) = one {
                let end = self.at + space + one.len_utf8();
                let argument = &self.text[self.at + space..end];
                self.put(Token::Raw(argument), end - self.at);
                continue;
            }
            let Some((inner, end)) = braced(self.text, self.at + space) else {
                if self.rest()[space..].starts_with('{') {
                    self.lexed.errors.push((start, LexError::Argument(name.to_owned())));
                    self.at = self.text.len();
                }
                return;
            };
            self.put(Token::Raw(inner), end - self.at);
        }
    }

    fn begin(&mut self, name: &'t str, after: usize) {
        let start = self.at;
        let is_formula = FORMULAS.iter().find(|(known, _)| *known == name);
        let verbatim = VERBATIM.iter().find(|(known, _)| *known == name);
        let is_drawing = DRAWINGS.contains(&name);
        if is_formula.is_none() && verbatim.is_none() && !is_drawing && name != "comment" {
            self.put(Token::Begin(name), after - start);
            let count = RAW_OF_ENVIRONMENTS.iter().find(|(known, _)| *known == name).map_or(0, |(_, count)| *count);
            self.raw(name, start, count);
            return;
        }
        let end = format!("\\end{{{name}}}");
        let Some(length) = self.text[after..].find(&end) else {
            return self.fail(LexError::Environment(name.to_owned()), self.text.len());
        };
        let inner = &self.text[after..after + length];
        let whole = after + length + end.len();
        let token = match (is_formula, verbatim) {
            (Some((_, true)), _) => Token::Math { source: &self.text[start..whole], display: true },
            (Some(_), _) => Token::Math { source: inner, display: name != "math" },
            (None, Some((_, arguments))) => verbatim_text(inner, *arguments, !name.starts_with("verbatim")),
            (None, None) if is_drawing => Token::Drawing(name),
            (None, None) => {
                self.at = whole;
                return;
            }
        };
        self.put(token, whole - start);
    }

    /// `\verb|text|`, of which `end` is the place of the first `|`.
    fn verb(&mut self, end: usize) {
        let end = bracketed(self.text, end).map_or(end, |(_, end)| end);
        let rest = &self.text[end..];
        let mark = rest.chars().next().unwrap_or('\n');
        let close = if mark == '{' { '}' } else { mark };
        let inner = &rest[mark.len_utf8().min(rest.len())..];
        match inner.find([close, '\n']).filter(|at| inner[*at..].starts_with(close) && mark != '\n') {
            Some(length) => {
                let whole = end + mark.len_utf8() + length + close.len_utf8() - self.at;
                self.put(Token::Verbatim { text: &inner[..length], options: "", is_block: false }, whole);
            }
            None => self.fail(LexError::Argument("verb".to_owned()), end),
        }
    }

    /// A formula between two marks. It ends outside of braces, and an empty line cannot be in it.
    fn formula(&mut self, open: &'static str, close: &'static str, display: bool) {
        let begin = self.at + open.len();
        let inner = &self.text[begin..];
        let mut depth = 0_usize;
        let mut at = 0;
        while at < inner.len().min(LONGEST) {
            let rest = &inner[at..];
            if depth == 0 && rest.starts_with(close) {
                let whole = open.len() + at + close.len();
                return self.put(Token::Math { source: &inner[..at], display }, whole);
            }
            let first = rest.chars().next().unwrap_or_default();
            match first {
                '\\' => at += rest.chars().nth(1).map_or(0, char::len_utf8),
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                '\n' if rest[1..].trim_start_matches([' ', '\t', '\r']).starts_with('\n') => break,
                _ => {}
            }
            at += first.len_utf8();
        }
        self.fail(LexError::Formula(open, close), begin);
    }
}

/// The text of a verbatim environment without its options and arguments.
fn verbatim_text(inner: &str, arguments: usize, has_options: bool) -> Token<'_> {
    let (options, mut at) = bracketed(inner, 0).filter(|_| has_options).unwrap_or_default();
    for _ in 0..arguments {
        at = braced(inner, at).map_or(at, |(_, end)| end);
    }
    let text = inner[at..].strip_prefix('\n').unwrap_or(&inner[at..]);
    Token::Verbatim { text, options, is_block: true }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Token<'_>> {
        lex(text).tokens.into_iter().map(|(_, token)| token).collect()
    }

    #[test]
    fn formulas_and_verbatim_text_are_one_token() {
        use Token::{Command, Math, Raw, Space, Text, Verbatim};
        assert_eq!(
            tokens("a $x_{\\text{if $y$}}$ \\(z\\)"),
            [
                Text("a"),
                Space,
                Math { source: "x_{\\text{if $y$}}", display: false },
                Space,
                Math { source: "z", display: false }
            ]
        );
        assert_eq!(
            tokens("\\begin{verbatim}\n$ \\x\n\\end{verbatim}\\verb|%|"),
            [
                Verbatim { text: "$ \\x\n", options: "", is_block: true },
                Verbatim { text: "%", options: "", is_block: false }
            ]
        );
        assert_eq!(tokens("\\url{a_b%20}"), [Command("url"), Raw("a_b%20")]);
        assert_eq!(tokens("a% comment\n  b"), [Text("a"), Text("b")]);
        assert_eq!(tokens("\\begin{comment}$ {\\end{comment}\\iffalse $ \\fi b"), [Space, Text("b")]);
        assert_eq!(
            tokens("\\begin{minted}[linenos]{cpp}\n[1]\n\\end{minted}"),
            [Verbatim { text: "[1]\n", options: "linenos", is_block: true }]
        );
    }

    #[test]
    fn errors_have_their_place() {
        let errors = |text| lex(text).errors;
        assert_eq!(errors("a $b\n\nc"), [(2, LexError::Formula("$", "$"))]);
        assert_eq!(errors("\\begin{verbatim} x"), [(0, LexError::Environment("verbatim".to_owned()))]);
        assert_eq!(errors("x\\url{y"), [(1, LexError::Argument("url".to_owned()))]);
        for text in ["\\", "\\begin", "\\verb", "\\verb|", "$", "\\[", "{", "\\begin{", "é\\é$é", "\\includegraphics["]
        {
            lex(text);
        }
    }
}
