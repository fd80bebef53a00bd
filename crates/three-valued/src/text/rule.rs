//! Rules as text: `p(u) & !q(u, v) -> r(v)`.

use crate::rule::{Atom, Literal, MOST_VARIABLES, Rule};
use crate::text::lexer::Lexer;
use crate::text::{Names, TextError};

/// Reads a rule. Its variables are the names that are no predicates, three at most.
pub fn parse_rule(text: &str, names: &dyn Names) -> Result<Rule, TextError> {
    let mut parser = Parser { lexer: Lexer::new(text), names, variables: Vec::new() };
    let mut body = vec![parser.literal()?];
    while parser.lexer.take("&") {
        body.push(parser.literal()?);
    }
    parser.lexer.expect("->")?;
    let head = parser.literal()?;
    if !parser.lexer.is_at_end() {
        return Err(parser.lexer.error("nothing more is expected here".to_owned()));
    }
    let known = body.iter().fold(0, |known, it| known | it.atom.variables());
    if head.atom.variables() & !known != 0 {
        let message = "every variable of the conclusion stands in a premise".to_owned();
        return Err(TextError { position: 0, message });
    }
    if let Atom::Block(_) | Atom::Null(_) | Atom::Wild(_) = head.atom {
        let message = "what a node is cannot be concluded".to_owned();
        return Err(TextError { position: 0, message });
    }
    // Between the blocks of a summary it would be concluded of every pair, and is meant of a block and itself.
    if let Atom::Binary(_, from, to) = head.atom
        && from == to
    {
        let message = "a conclusion about a block and itself is written with `v = w` as premise";
        return Err(TextError { position: 0, message: message.to_owned() });
    }
    Ok(Rule::Implication { body, head })
}

struct Parser<'t> {
    lexer: Lexer<'t>,
    names: &'t dyn Names,
    variables: Vec<String>,
}

impl Parser<'_> {
    fn literal(&mut self) -> Result<Literal, TextError> {
        let is_positive = !self.lexer.take("!");
        let name = self.lexer.name()?;
        let atom = if let Some(predicate) = self.names.nullary_named(name) {
            Atom::Nullary(predicate)
        } else if let Some(predicate) = self.names.unary_named(name) {
            Atom::Unary(predicate, self.argument()?)
        } else if let Some(predicate) = self.names.binary_named(name) {
            self.lexer.expect("(")?;
            let from = self.variable()?;
            self.lexer.expect(",")?;
            let to = self.variable()?;
            self.lexer.expect(")")?;
            Atom::Binary(predicate, from, to)
        } else {
            match name {
                "block" => Atom::Block(self.argument()?),
                "null" => Atom::Null(self.argument()?),
                "wild" => Atom::Wild(self.argument()?),
                _ => return self.comparison(name, is_positive),
            }
        };
        Ok(Literal { atom, is_positive })
    }

    fn comparison(&mut self, name: &str, is_positive: bool) -> Result<Literal, TextError> {
        let left = self.named(name)?;
        let differs = self.lexer.take("!=");
        if !differs && !self.lexer.take("=") {
            let message = format!("there is no predicate `{name}`");
            return Err(self.lexer.error_about(name, message));
        }
        let right = self.variable()?;
        Ok(Literal { atom: Atom::Equal(left, right), is_positive: is_positive != differs })
    }

    fn argument(&mut self) -> Result<u8, TextError> {
        self.lexer.expect("(")?;
        let variable = self.variable()?;
        self.lexer.expect(")")?;
        Ok(variable)
    }

    fn variable(&mut self) -> Result<u8, TextError> {
        let name = self.lexer.name()?;
        self.named(name)
    }

    fn named(&mut self, name: &str) -> Result<u8, TextError> {
        if let Some(index) = self.variables.iter().position(|known| known == name) {
            return Ok(index as u8);
        }
        if self.variables.len() == MOST_VARIABLES {
            let message = format!("a rule has at most {MOST_VARIABLES} variables");
            return Err(self.lexer.error(message));
        }
        self.variables.push(name.to_owned());
        Ok((self.variables.len() - 1) as u8)
    }
}
