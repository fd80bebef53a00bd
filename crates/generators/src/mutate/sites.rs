//! Where a text can be changed: simple statements, operators, numbers, fields and variables inside
//! of function bodies.

use std::ops::Range;

use crate::mutate::token::{Kind, Token, tokens};

/// The places of a text, as ranges of bytes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sites {
    /// Expression statements, with their semicolons.
    pub(crate) statements: Vec<Range<usize>>,
    /// Positions in `statements` whose successor stands right behind.
    pub(crate) pairs: Vec<usize>,
    /// Operators that have a sibling.
    pub(crate) operators: Vec<Range<usize>>,
    pub(crate) numbers: Vec<Range<usize>>,
    /// Names behind `->` and `.`.
    pub(crate) fields: Vec<Range<usize>>,
    /// Names that are neither functions nor fields, and the body they stand in.
    pub(crate) variables: Vec<(usize, Range<usize>)>,
    /// Statements of the form `place = value;` with the field that is set: base, value.
    pub(crate) links: Vec<(Range<usize>, Range<usize>)>,
}

/// Words that are no variables.
const KEYWORDS: [&str; 35] = [
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else",
    "enum", "extern", "float", "for", "goto", "if", "inline", "int", "long", "register",
    "restrict", "return", "short", "signed", "sizeof", "static", "struct", "switch", "typedef",
    "union", "unsigned", "void", "volatile", "while", "_Bool",
];

/// Operators and what they may become.
pub(crate) const SIBLINGS: [(&str, &[&str]); 14] = [
    ("<", &["<=", ">", "!="]),
    ("<=", &["<", "=="]),
    (">", &[">=", "<"]),
    (">=", &[">", "!="]),
    ("==", &["!=", "<="]),
    ("!=", &["==", "<"]),
    ("+", &["-", "|"]),
    ("-", &["+"]),
    ("&&", &["||"]),
    ("||", &["&&"]),
    ("++", &["--"]),
    ("--", &["++"]),
    ("+=", &["-=", "="]),
    ("-=", &["+=", "="]),
];

impl Sites {
    pub(crate) fn of(text: &str) -> Sites {
        let tokens = tokens(text);
        let mut finder = Finder { text, tokens: &tokens, sites: Sites::default() };
        for (number, body) in bodies(text, &tokens).into_iter().enumerate() {
            finder.look_at_tokens(number, body.clone());
            finder.look_for_statements(body);
        }
        finder.sites
    }
}

/// The token ranges of function bodies: what braces enclose behind a parenthesis at the top level.
fn bodies(text: &str, tokens: &[Token]) -> Vec<Range<usize>> {
    let mut bodies = Vec::new();
    let (mut depth, mut start) = (0usize, None);
    for (index, token) in tokens.iter().enumerate() {
        match token.text(text) {
            "{" => {
                if depth == 0 && index > 0 && tokens[index - 1].text(text) == ")" {
                    start = Some(index + 1);
                }
                depth += 1;
            }
            "}" => {
                depth = depth.saturating_sub(1);
                if depth == 0
                    && let Some(first) = start.take()
                {
                    bodies.push(first..index);
                }
            }
            _ => {}
        }
    }
    bodies
}

struct Finder<'t> {
    text: &'t str,
    tokens: &'t [Token],
    sites: Sites,
}

impl Finder<'_> {
    fn word(&self, index: usize) -> &str {
        self.tokens.get(index).map_or("", |token| token.text(self.text))
    }

    fn look_at_tokens(&mut self, body: usize, range: Range<usize>) {
        for index in range {
            let token = &self.tokens[index];
            let place = token.place.clone();
            let before = if index > 0 { self.word(index - 1) } else { "" };
            let is_member = matches!(before, "->" | ".");
            match token.kind {
                Kind::Number => self.sites.numbers.push(place),
                Kind::Word if is_member => self.sites.fields.push(place),
                Kind::Word => {
                    let is_tag = matches!(before, "struct" | "union" | "enum" | "goto");
                    let is_called = matches!(self.word(index + 1), "(" | ":");
                    let is_keyword = KEYWORDS.contains(&self.word(index));
                    if !is_tag && !is_called && !is_keyword {
                        self.sites.variables.push((body, place));
                    }
                }
                Kind::Punctuation => {
                    let siblings = SIBLINGS.iter().find(|(known, _)| *known == self.word(index));
                    // A sign in front of something has no sibling.
                    let is_binary = before
                        .ends_with(|end: char| end.is_alphanumeric() || end == ')')
                        || matches!(self.word(index), "++" | "--");
                    if siblings.is_some() && is_binary {
                        self.sites.operators.push(place);
                    }
                }
                Kind::Literal => {}
            }
        }
    }

    fn look_for_statements(&mut self, body: Range<usize>) {
        let mut last_end = None;
        let mut index = body.start;
        while index < body.end {
            let may_begin = index == body.start
                || matches!(self.word(index - 1), ";" | "{" | "}" | ")" | "else" | "do" | ":");
            let end = if may_begin { self.statement_end(index, body.end) } else { None };
            let Some(end) = end else {
                index += 1;
                continue;
            };
            let place = self.tokens[index].place.start..self.tokens[end].place.end;
            if last_end == Some(index) && self.word(index - 1) == ";" {
                self.sites.pairs.push(self.sites.statements.len() - 1);
            }
            self.sites.statements.push(place);
            self.look_for_link(index..end);
            last_end = Some(end + 1);
            index = end + 1;
        }
    }

    /// The semicolon of an expression statement that begins here; `None` if none does.
    fn statement_end(&self, index: usize, limit: usize) -> Option<usize> {
        let first = self.word(index);
        let next = self.word(index + 1);
        // `T * x` and `T x` are declarations; `*p = x` and `f(x)` are statements.
        let begins = match self.tokens[index].kind {
            Kind::Word => {
                !KEYWORDS.contains(&first)
                    && (matches!(next, "=" | "->" | "." | "[" | "(" | "++" | "--")
                        || (next.len() > 1 && next.ends_with('=')))
            }
            Kind::Punctuation => matches!(first, "*" | "++" | "--"),
            Kind::Number | Kind::Literal => false,
        };
        if !begins || self.is_in_parentheses(index) {
            return None;
        }
        let mut depth = 0i32;
        for at in index..limit {
            match self.word(at) {
                "(" | "[" => depth += 1,
                ")" | "]" => depth -= 1,
                "{" | "}" => return None,
                ";" if depth == 0 => return Some(at),
                _ => {}
            }
            if depth < 0 {
                return None;
            }
        }
        None
    }

    /// Whether a place is in the head of a `for`, where semicolons end no statements.
    fn is_in_parentheses(&self, index: usize) -> bool {
        let mut depth = 0i32;
        for at in (0..index).rev() {
            match self.word(at) {
                ")" => depth += 1,
                "(" => depth -= 1,
                "{" | "}" => break,
                _ => {}
            }
        }
        depth < 0
    }

    /// `base->field = value;`
    fn look_for_link(&mut self, statement: Range<usize>) {
        let words: Vec<&str> = statement.clone().map(|index| self.word(index)).collect();
        let Some(equals) = words.iter().position(|word| *word == "=") else { return };
        let Some(arrow) = words[..equals].iter().rposition(|word| *word == "->") else { return };
        if equals != arrow + 2 || equals + 1 >= words.len() {
            return;
        }
        let place = |first: usize, last: usize| {
            let (first, last) = (statement.start + first, statement.start + last);
            self.tokens[first].place.start..self.tokens[last].place.end
        };
        let link = (place(0, arrow - 1), place(equals + 1, words.len() - 1));
        self.sites.links.push(link);
    }
}
