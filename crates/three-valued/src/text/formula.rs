//! Formulas as text.

use crate::formula::{Formula, Variable};
use crate::kleene::Kleene;
use crate::text::lexer::Lexer;
use crate::text::{Names, TextError};
use crate::vocabulary::Vocabulary;

/// The highest number of a variable; the evaluation keeps one more for itself.
const MOST_VARIABLES: usize = 15;

/// Reads a formula whose free variables are `parameters`, numbered from 0.
pub fn parse_formula(
    text: &str,
    vocabulary: &dyn Names,
    parameters: &[&str],
) -> Result<Formula, TextError> {
    let variables = parameters.iter().map(|&name| name.to_owned()).collect();
    let mut parser = Parser { lexer: Lexer::new(text), vocabulary, scope: Vec::new(), variables };
    parser.scope = (0..parameters.len()).map(|index| index as Variable).collect();
    let formula = parser.implication()?;
    match parser.lexer.is_at_end() {
        true => Ok(formula),
        false => Err(parser.lexer.error("nothing more is expected here".to_owned())),
    }
}

struct Parser<'t> {
    lexer: Lexer<'t>,
    vocabulary: &'t dyn Names,
    /// The variables that can be named, innermost last.
    scope: Vec<Variable>,
    /// The names of all variables.
    variables: Vec<String>,
}

impl Parser<'_> {
    fn implication(&mut self) -> Result<Formula, TextError> {
        let premise = self.disjunction()?;
        match self.lexer.take("->") {
            true => Ok(premise.implies(self.implication()?)),
            false => Ok(premise),
        }
    }

    fn disjunction(&mut self) -> Result<Formula, TextError> {
        let mut parts = vec![self.conjunction()?];
        while self.lexer.take("|") {
            parts.push(self.conjunction()?);
        }
        Ok(one_or(parts, Formula::Or))
    }

    fn conjunction(&mut self) -> Result<Formula, TextError> {
        let mut parts = vec![self.unit()?];
        while self.lexer.take("&") {
            parts.push(self.unit()?);
        }
        Ok(one_or(parts, Formula::And))
    }

    fn unit(&mut self) -> Result<Formula, TextError> {
        if self.lexer.take("!") {
            return Ok(!self.unit()?);
        }
        if self.lexer.take("(") {
            let inner = self.implication()?;
            self.lexer.expect(")")?;
            return Ok(inner);
        }
        for value in Kleene::ALL {
            if self.lexer.take(&value.to_string()) {
                return Ok(Formula::Constant(value));
            }
        }
        match self.lexer.peek_name() {
            Some("exists") => self.quantifier(Formula::Exists),
            Some("forall") => self.quantifier(Formula::ForAll),
            Some("tc") => self.closure(),
            _ => self.atom(),
        }
    }

    fn quantifier(
        &mut self,
        make: fn(Variable, Box<Formula>) -> Formula,
    ) -> Result<Formula, TextError> {
        self.lexer.name()?;
        let mut bound = vec![self.bind()?];
        while self.lexer.take(",") {
            bound.push(self.bind()?);
        }
        self.lexer.expect(":")?;
        let body = self.implication()?;
        self.scope.truncate(self.scope.len() - bound.len());
        Ok(bound.into_iter().rev().fold(body, |body, variable| make(variable, Box::new(body))))
    }

    /// `tc(a, b: step)(u, v)`.
    fn closure(&mut self) -> Result<Formula, TextError> {
        self.lexer.name()?;
        self.lexer.expect("(")?;
        let left = self.bind()?;
        self.lexer.expect(",")?;
        let right = self.bind()?;
        self.lexer.expect(":")?;
        let step = Box::new(self.implication()?);
        self.lexer.expect(")")?;
        self.scope.truncate(self.scope.len() - 2);
        let (from, to) = self.pair()?;
        Ok(Formula::Closure { left, right, step, from, to })
    }

    fn atom(&mut self) -> Result<Formula, TextError> {
        let name = self.lexer.name()?;
        if let Some(left) = self.variable_named(name) {
            let differs = self.lexer.take("!=");
            if !differs {
                self.lexer.expect("=")?;
            }
            let right = self.variable()?;
            let equal = Formula::Equal(left, right);
            return Ok(if differs { !equal } else { equal });
        }
        if name == "null" || name == "wild" {
            self.lexer.expect("(")?;
            let of = self.variable()?;
            self.lexer.expect(")")?;
            return Ok(if name == "null" { Formula::Null(of) } else { Formula::Wild(of) });
        }
        self.predicate(name)
    }

    fn predicate(&mut self, name: &str) -> Result<Formula, TextError> {
        if let Some(predicate) = self.vocabulary.nullary_named(name) {
            return Ok(Formula::Nullary(predicate));
        }
        if let Some(predicate) = self.vocabulary.unary_named(name) {
            self.lexer.expect("(")?;
            let of = self.variable()?;
            self.lexer.expect(")")?;
            return Ok(Formula::Unary(predicate, of));
        }
        let Some(predicate) = self.vocabulary.binary_named(name) else {
            let message = format!("there is no predicate or variable `{name}`");
            return Err(self.lexer.error_about(name, message));
        };
        let is_reflexive = self.lexer.take("*");
        let is_closure = is_reflexive || self.lexer.take("+");
        if !is_closure {
            let (from, to) = self.pair()?;
            return Ok(Formula::Binary(predicate, from, to));
        }
        let (left, right) = (self.fresh("a".to_owned())?, self.fresh("b".to_owned())?);
        let (from, to) = self.pair()?;
        let step = Formula::Binary(predicate, left, right);
        Ok(match is_reflexive {
            true => Formula::reaches(left, right, step, from, to),
            false => Formula::Closure { left, right, step: Box::new(step), from, to },
        })
    }

    fn pair(&mut self) -> Result<(Variable, Variable), TextError> {
        self.lexer.expect("(")?;
        let from = self.variable()?;
        self.lexer.expect(",")?;
        let to = self.variable()?;
        self.lexer.expect(")")?;
        Ok((from, to))
    }

    fn variable(&mut self) -> Result<Variable, TextError> {
        let name = self.lexer.name()?;
        let found = self.variable_named(name);
        let message = || format!("`{name}` is not bound here");
        found.ok_or_else(|| self.lexer.error_about(name, message()))
    }

    fn variable_named(&self, name: &str) -> Option<Variable> {
        let is_it = |variable: &&Variable| self.variables[usize::from(**variable)] == name;
        self.scope.iter().rev().find(is_it).copied()
    }

    fn bind(&mut self) -> Result<Variable, TextError> {
        let name = self.lexer.name()?.to_owned();
        let variable = self.fresh(name)?;
        self.scope.push(variable);
        Ok(variable)
    }

    fn fresh(&mut self, name: String) -> Result<Variable, TextError> {
        if self.variables.len() == MOST_VARIABLES {
            return Err(self.lexer.error(format!("more than {MOST_VARIABLES} variables")));
        }
        self.variables.push(name);
        Ok((self.variables.len() - 1) as Variable)
    }
}

fn one_or(mut parts: Vec<Formula>, make: fn(Vec<Formula>) -> Formula) -> Formula {
    if parts.len() == 1 { parts.remove(0) } else { make(parts) }
}

/// A formula as text that [`parse_formula`] reads; its variables are called `v0`, `v1`, ….
#[must_use]
pub fn print_formula(formula: &Formula, vocabulary: &Vocabulary) -> String {
    let inner = |formula: &Formula| print_formula(formula, vocabulary);
    let joined = |parts: &[Formula], by: &str| {
        let parts: Vec<String> = parts.iter().map(inner).collect();
        format!("({})", parts.join(by))
    };
    match formula {
        Formula::Constant(value) => value.to_string(),
        Formula::Nullary(predicate) => vocabulary.nullary()[*predicate].name.clone(),
        Formula::Unary(predicate, of) => format!("{}(v{of})", vocabulary.unary()[*predicate].name),
        Formula::Binary(predicate, from, to) => {
            format!("{}(v{from}, v{to})", vocabulary.binary()[*predicate].name)
        }
        Formula::Equal(left, right) => format!("v{left} = v{right}"),
        Formula::Null(of) => format!("null(v{of})"),
        Formula::Wild(of) => format!("wild(v{of})"),
        Formula::Not(body) => format!("!({})", inner(body)),
        Formula::And(parts) if parts.is_empty() => "1".to_owned(),
        Formula::Or(parts) if parts.is_empty() => "0".to_owned(),
        Formula::And(parts) => joined(parts, " & "),
        Formula::Or(parts) => joined(parts, " | "),
        Formula::Exists(bound, body) => format!("(exists v{bound}: {})", inner(body)),
        Formula::ForAll(bound, body) => format!("(forall v{bound}: {})", inner(body)),
        Formula::Closure { left, right, step, from, to } => {
            format!("tc(v{left}, v{right}: {})(v{from}, v{to})", inner(step))
        }
    }
}
