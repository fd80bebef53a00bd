//! Formulas and rules from their text.

use crate::formula::{Formula, MOST_VARIABLES, Variable};
use crate::truth::Truth;

/// What a name of a predicate stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Symbol {
    Unary(usize),
    Binary(usize),
}

/// Finds the predicate of a name.
pub(crate) type Lookup<'l> = &'l dyn Fn(&str) -> Option<Symbol>;

/// A formula with these free variables.
pub(crate) fn formula(text: &str, lookup: Lookup<'_>, free: &[&str]) -> Result<Formula, String> {
    let mut reader = Reader::new(text, lookup, free);
    let formula = reader.implication()?;
    reader.end()?;
    Ok(formula)
}

/// `a & b -> c`: the premises, the conclusion, and how many variables there are.
pub(crate) fn rule(
    text: &str,
    lookup: Lookup<'_>,
) -> Result<(Vec<Formula>, Formula, usize), String> {
    let mut reader = Reader::new(text, lookup, &[]);
    reader.binds_freely = true;
    let mut premises = vec![reader.unit()?];
    while reader.take("&") {
        premises.push(reader.unit()?);
    }
    reader.expect("->")?;
    let count = reader.names.len();
    let conclusion = reader.unit()?;
    reader.end()?;
    // Of a node for many, what holds of each block and itself need not hold of two of them.
    let atom = if let Formula::Not(atom) = &conclusion { atom } else { &conclusion };
    if matches!(atom, Formula::Binary(_, from, to) if from == to) {
        return Err("the conclusion is about a block and itself".to_owned());
    }
    match reader.names.len() == count {
        true => Ok((premises, conclusion, count)),
        false => Err("a variable of the conclusion stands in no premise".to_owned()),
    }
}

struct Reader<'t> {
    words: Vec<String>,
    next: usize,
    lookup: Lookup<'t>,
    /// The variables so far; the name of one that is out of scope is empty.
    names: Vec<String>,
    /// Whether an unknown name is a new variable.
    binds_freely: bool,
}

impl<'t> Reader<'t> {
    fn new(text: &str, lookup: Lookup<'t>, free: &[&str]) -> Reader<'t> {
        let names = free.iter().map(|&name| name.to_owned()).collect();
        Reader { words: words(text), next: 0, lookup, names, binds_freely: false }
    }

    fn peek(&self) -> &str {
        self.words.get(self.next).map_or("", String::as_str)
    }

    fn take(&mut self, word: &str) -> bool {
        let is_next = self.peek() == word;
        self.next += usize::from(is_next);
        is_next
    }

    fn expect(&mut self, word: &str) -> Result<(), String> {
        if self.take(word) { Ok(()) } else { Err(format!("`{word}` before `{}`", self.peek())) }
    }

    fn end(&self) -> Result<(), String> {
        match self.next == self.words.len() {
            true => Ok(()),
            false => Err(format!("`{}` is too much", self.peek())),
        }
    }

    fn name(&mut self) -> Result<String, String> {
        let word = self.peek().to_owned();
        if !word.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            return Err(format!("a name before `{word}`"));
        }
        self.next += 1;
        Ok(word)
    }

    fn bind(&mut self, name: String) -> Result<Variable, String> {
        if self.names.len() == MOST_VARIABLES {
            return Err("too many variables".to_owned());
        }
        self.names.push(name);
        Ok(self.names.len() - 1)
    }

    fn variable(&mut self) -> Result<Variable, String> {
        let name = self.name()?;
        match self.names.iter().rposition(|known| *known == name) {
            Some(known) => Ok(known),
            None if self.binds_freely => self.bind(name),
            None => Err(format!("`{name}` is not bound")),
        }
    }

    fn implication(&mut self) -> Result<Formula, String> {
        let premise = self.disjunction()?;
        if !self.take("->") {
            return Ok(premise);
        }
        let conclusion = self.implication()?;
        Ok(Formula::Any(vec![Formula::Not(Box::new(premise)), conclusion]))
    }

    fn disjunction(&mut self) -> Result<Formula, String> {
        let mut parts = vec![self.conjunction()?];
        while self.take("|") {
            parts.push(self.conjunction()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Formula::Any(parts) })
    }

    fn conjunction(&mut self) -> Result<Formula, String> {
        let mut parts = vec![self.unit()?];
        while self.take("&") {
            parts.push(self.unit()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Formula::All(parts) })
    }

    fn unit(&mut self) -> Result<Formula, String> {
        if self.take("!") {
            return Ok(Formula::Not(Box::new(self.unit()?)));
        }
        if self.take("(") {
            let inner = self.implication()?;
            self.expect(")")?;
            return Ok(inner);
        }
        for (word, value) in [("0", Truth::No), ("1/2", Truth::Maybe), ("1", Truth::Yes)] {
            if self.take(word) {
                return Ok(Formula::Constant(value));
            }
        }
        match self.peek() {
            "exists" => self.quantified(Formula::exists),
            "forall" => self.quantified(Formula::for_all),
            "tc" => self.closure(),
            _ => self.atom(),
        }
    }

    fn quantified(&mut self, make: fn(Variable, Formula) -> Formula) -> Result<Formula, String> {
        self.name()?;
        let mut bound = Vec::new();
        loop {
            let name = self.name()?;
            bound.push(self.bind(name)?);
            if !self.take(",") {
                break;
            }
        }
        self.expect(":")?;
        let mut formula = self.implication()?;
        for variable in bound.into_iter().rev() {
            self.names[variable].clear();
            formula = make(variable, formula);
        }
        Ok(formula)
    }

    /// `tc(a, b: step)(u, v)`
    fn closure(&mut self) -> Result<Formula, String> {
        self.name()?;
        self.expect("(")?;
        let name = self.name()?;
        let left = self.bind(name)?;
        self.expect(",")?;
        let name = self.name()?;
        let right = self.bind(name)?;
        self.expect(":")?;
        let step = self.implication()?;
        self.expect(")")?;
        self.names[left].clear();
        self.names[right].clear();
        let ends = self.pair()?;
        Ok(Formula::path(step, (left, right), ends))
    }

    fn atom(&mut self) -> Result<Formula, String> {
        let name = self.peek().to_owned();
        if self.names.contains(&name) {
            return self.comparison();
        }
        let of_one: Option<fn(Variable) -> Formula> = match name.as_str() {
            "null" => Some(Formula::IsNull),
            "wild" => Some(Formula::IsWild),
            "block" => Some(Formula::IsBlock),
            _ => None,
        };
        if let Some(make) = of_one {
            self.name()?;
            return Ok(make(self.argument()?));
        }
        match (self.lookup)(&name) {
            Some(Symbol::Unary(predicate)) => {
                self.name()?;
                Ok(Formula::Unary(predicate, self.argument()?))
            }
            Some(Symbol::Binary(predicate)) => {
                self.name()?;
                self.binary(predicate)
            }
            None if self.binds_freely => self.comparison(),
            None => Err(format!("there is no predicate `{name}`")),
        }
    }

    fn comparison(&mut self) -> Result<Formula, String> {
        let left = self.variable()?;
        let differs = self.take("!=");
        if !differs {
            self.expect("=")?;
        }
        let equal = Formula::Equal(left, self.variable()?);
        Ok(if differs { Formula::Not(Box::new(equal)) } else { equal })
    }

    /// `p(u, v)`, or with a star or a plus behind the name for paths.
    fn binary(&mut self, predicate: usize) -> Result<Formula, String> {
        let (is_any, is_some) = (self.take("*"), self.take("+"));
        if !is_any && !is_some {
            let (from, to) = self.pair()?;
            return Ok(Formula::Binary(predicate, from, to));
        }
        let (left, right) = (self.bind(String::new())?, self.bind(String::new())?);
        let (from, to) = self.pair()?;
        let step = Formula::Binary(predicate, left, right);
        let path = Formula::path(step, (left, right), (from, to));
        Ok(if is_any { Formula::Any(vec![Formula::Equal(from, to), path]) } else { path })
    }

    fn argument(&mut self) -> Result<Variable, String> {
        self.expect("(")?;
        let of = self.variable()?;
        self.expect(")")?;
        Ok(of)
    }

    fn pair(&mut self) -> Result<(Variable, Variable), String> {
        self.expect("(")?;
        let from = self.variable()?;
        self.expect(",")?;
        let to = self.variable()?;
        self.expect(")")?;
        Ok((from, to))
    }
}

/// Names, and symbols of one or more characters.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '\'' | '[' | ']');
        let length = match ["1/2", "->", "!="].iter().find(|symbol| rest.starts_with(**symbol)) {
            Some(symbol) => symbol.len(),
            None if first.is_alphabetic() || first == '_' => {
                rest.find(|c| !is_name(c)).unwrap_or(rest.len())
            }
            None => first.len_utf8(),
        };
        words.push(rest[..length].to_owned());
        rest = rest[length..].trim_start();
    }
    words
}
