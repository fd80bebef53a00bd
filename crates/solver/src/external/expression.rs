//! S-expressions: the shape of everything an SMT-LIB 2 solver answers.

use std::fmt;

/// An atom or a list of expressions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Expression {
    Atom(String),
    List(Vec<Expression>),
}

impl Expression {
    pub(crate) fn as_atom(&self) -> Option<&str> {
        match self {
            Self::Atom(text) => Some(text),
            Self::List(_) => None,
        }
    }

    pub(crate) fn as_list(&self) -> Option<&[Self]> {
        match self {
            Self::List(items) => Some(items),
            Self::Atom(_) => None,
        }
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Atom(text) => write!(f, "{text}"),
            Self::List(items) => {
                write!(f, "(")?;
                for (position, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if position == 0 { "" } else { " " })?;
                }
                write!(f, ")")
            }
        }
    }
}

/// What the beginning of a text is.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Parsed {
    Complete(Expression),
    /// More text is needed.
    Incomplete,
    /// No text can complete it.
    Malformed,
}

/// Reads one expression; text after it is not looked at.
pub(crate) fn parse(text: &str) -> Parsed {
    let mut open: Vec<Vec<Expression>> = Vec::new();
    let mut rest = text.trim_start();
    // Ends because each round consumes a token.
    while let Some(first) = rest.chars().next() {
        let complete = match first {
            '(' => {
                open.push(Vec::new());
                rest = rest[1..].trim_start();
                continue;
            }
            ')' => {
                rest = &rest[1..];
                let Some(items) = open.pop() else { return Parsed::Malformed };
                Expression::List(items)
            }
            _ => {
                let Some(length) = atom_length(rest, first) else { return Parsed::Incomplete };
                let atom = rest[..length].trim_matches('|').to_owned();
                rest = &rest[length..];
                Expression::Atom(atom)
            }
        };
        match open.last_mut() {
            Some(items) => items.push(complete),
            None => return Parsed::Complete(complete),
        }
        rest = rest.trim_start();
    }
    Parsed::Incomplete
}

/// Strings and quoted symbols go to their closing quote, other atoms to a blank or parenthesis.
fn atom_length(text: &str, first: char) -> Option<usize> {
    if first == '"' || first == '|' {
        return text[1..].find(first).map(|end| end + 2);
    }
    let is_end = |c: char| c.is_whitespace() || "()\"|".contains(c);
    Some(text.find(is_end).unwrap_or(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_nested_lists_and_quoted_symbols() {
        let Parsed::Complete(expression) = parse(" ((|a b!1| #b01) (c (_ bv3 4)))\n rest") else {
            panic!("not read")
        };
        let pairs = expression.as_list().unwrap();
        assert_eq!(pairs[0].as_list().unwrap()[0].as_atom(), Some("a b!1"));
        assert_eq!(pairs[1].as_list().unwrap()[1].as_list().unwrap().len(), 3);
    }

    #[test]
    fn tells_an_unfinished_text_from_a_wrong_one() {
        assert_eq!(parse("(a (b"), Parsed::Incomplete);
        assert_eq!(parse("(a \"b)"), Parsed::Incomplete);
        assert_eq!(parse("  "), Parsed::Incomplete);
        assert_eq!(parse(") a"), Parsed::Malformed);
    }
}
