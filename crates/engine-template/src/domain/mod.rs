//! Template domains: what an invariant may say of a loop.
//!
//! A [`Domain`] lays out [`Row`]s over the variables of a loop. A row is one predicate with a
//! parameter; it starts at bottom (nothing was seen, the predicate is false) and grows by the values
//! that models of the solver show. The conjunction of all rows is the template; the power and
//! product combinations of the FMCAD'18 paper are in `power` and in the list of rows itself.
//!
//! To add a domain: one file with `impl Domain`, and its line in [`all`].

mod access_path;
mod bound;
mod equality;
mod interval;
mod link;
mod links;
mod octagon;
mod pair;
mod power;
mod set;
mod shape;
mod state;
mod sums;
mod values;
mod zone;

#[cfg(test)]
mod laws;

use std::fmt;

use heapwright_base::IdVec;
use heapwright_logic::{BitVectorValue, TermId, Terms};
use heapwright_program::sign_extend;

use crate::ssa::formula::{AbstractObjectId, LoopVariableSource, Spot, ValueKind};
use crate::ssa::pointer::{PointerLayout, PointerTarget};

pub use bound::{Bound, Limit};
pub use power::Power;
pub use set::ValueSet;

/// A variable that rows may speak of.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub kind: ValueKind,
    /// None for a value that was computed before the loop, or the call, and stays what it is.
    pub source: Option<LoopVariableSource>,
    /// The object that it belongs to.
    pub object: Option<AbstractObjectId>,
    /// Which of the object's witnesses. Only rows about links speak of second ones.
    pub spot: Spot,
    /// How many different constants the loop's body may give it.
    pub constants: usize,
}

/// What rows say of an object.
#[derive(Clone, Debug)]
pub struct Object {
    pub name: String,
    /// Whether it has a second witness.
    pub has_second: bool,
    /// Whether it stands for many blocks.
    pub is_summary: bool,
}

/// What a template is laid out over: the variables of one loop.
#[derive(Clone, Debug)]
pub struct Scope {
    pub variables: Vec<Variable>,
    pub pointers: PointerLayout,
    pub objects: IdVec<AbstractObjectId, Object>,
    /// Whether rows may speak of links between blocks.
    pub has_links: bool,
    /// What tells paths apart: the loop-select guards of other loops, and conditions.
    pub paths: Vec<Split>,
}

/// A question that tells paths apart, by its answers in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Split {
    pub yes: String,
    pub no: String,
}

impl Split {
    /// Whether a loop was repeated.
    pub fn by_loop(name: &str) -> Split {
        let yes = format!("loop {name} was repeated");
        Split { yes, no: format!("loop {name} was not repeated") }
    }

    pub fn by_condition(condition: &str) -> Split {
        Split { yes: format!("`{condition}`"), no: format!("not `{condition}`") }
    }
}

impl Scope {
    /// The variables of the program and of first witnesses.
    pub fn first(&self) -> impl Iterator<Item = (usize, &Variable)> {
        let variables = self.variables.iter().enumerate();
        variables.filter(|(_, variable)| variable.spot == Spot::First)
    }

    /// The positions of all numbers.
    pub fn numbers(&self) -> Vec<usize> {
        self.positions(|kind| matches!(kind, ValueKind::Number { .. }))
    }

    pub fn pointers(&self) -> Vec<usize> {
        self.positions(|kind| kind == ValueKind::Pointer)
    }

    pub fn positions(&self, wanted: impl Fn(ValueKind) -> bool) -> Vec<usize> {
        let variables = self.first().filter(|(_, variable)| wanted(variable.kind));
        variables.map(|(index, _)| index).collect()
    }

    pub fn width(&self, variable: usize) -> u32 {
        match self.variables[variable].kind {
            ValueKind::Number { bits, .. } | ValueKind::Opaque { bits } => bits,
            ValueKind::Pointer => self.pointers.width(),
            ValueKind::Boolean => 1,
        }
    }

    /// The object of many blocks that a variable belongs to.
    pub fn summary(&self, variable: usize) -> Option<AbstractObjectId> {
        let object = self.variables[variable].object?;
        self.objects[object].is_summary.then_some(object)
    }

    /// Pairs of different positions, each once, that may be related: of one width, of which at
    /// least one is changed by the loop, and that do not belong to two summaries.
    pub fn pairs(&self, positions: &[usize]) -> Vec<(usize, usize)> {
        let mut pairs = Vec::new();
        for (at, &a) in positions.iter().enumerate() {
            for &b in &positions[at + 1..] {
                if self.may_relate(a, b) {
                    pairs.push((a, b));
                }
            }
        }
        pairs
    }

    fn may_relate(&self, a: usize, b: usize) -> bool {
        let changes = |index: usize| self.variables[index].source.is_some();
        (changes(a) || changes(b)) && self.width(a) == self.width(b) && self.is_one_summary(a, b)
    }

    /// Whether the variables do not belong to two summaries: what is so for all pairs of blocks is
    /// rarely worth a row.
    pub fn is_one_summary(&self, a: usize, b: usize) -> bool {
        match (self.summary(a), self.summary(b)) {
            (Some(of_a), Some(of_b)) => of_a == of_b,
            (Some(_), None) | (None, Some(_)) | (None, None) => true,
        }
    }

    pub fn name(&self, variable: usize) -> &str {
        &self.variables[variable].name
    }

    /// What a pointer points to, in words.
    pub fn target_text(&self, target: PointerTarget) -> String {
        match target {
            PointerTarget::Null => "NULL".to_owned(),
            PointerTarget::Number => "no object".to_owned(),
            PointerTarget::Object { object, offset: 0 } => {
                format!("&{}", self.objects[object].name)
            }
            PointerTarget::Object { object, offset } => {
                let offset = sign_extend(u128::from(offset), self.pointers.offset_bits);
                format!("(char *)&{} + {offset}", self.objects[object].name)
            }
        }
    }

    /// A number's value in words.
    pub fn number_text(&self, variable: usize, value: BitVectorValue) -> String {
        match self.variables[variable].kind {
            ValueKind::Number { signed: true, .. } => value.to_signed().to_string(),
            ValueKind::Number { signed: false, .. } | ValueKind::Boolean => {
                value.bits().to_string()
            }
            ValueKind::Pointer | ValueKind::Opaque { .. } => format!("{:#x}", value.bits()),
        }
    }
}

/// The terms of a loop's variables at one place: at the head, or at the end of the body.
#[derive(Clone, Debug)]
pub struct Version {
    /// By variable.
    pub values: Vec<TermId>,
    /// By variable: when its value means something.
    pub guards: Vec<TermId>,
    /// By question of [`Scope::paths`].
    pub paths: Vec<TermId>,
    /// By object: the start of the block that stands for all.
    pub witnesses: IdVec<AbstractObjectId, TermId>,
    /// That of the second one; the first one's where there is none.
    pub seconds: IdVec<AbstractObjectId, TermId>,
}

/// What a model says of a [`Version`].
#[derive(Clone, Debug)]
pub struct Point {
    pub values: Vec<BitVectorValue>,
    pub guards: Vec<bool>,
    pub paths: Vec<bool>,
    pub witnesses: IdVec<AbstractObjectId, BitVectorValue>,
    pub seconds: IdVec<AbstractObjectId, BitVectorValue>,
}

/// One row of a template with its current value.
///
/// Laws, for every point at which all variables of the row are meaningful: after `join(point)`,
/// `covers(point)`; what was covered stays covered; `covers(point)` is what `formula` says of the
/// point; a row at top covers everything.
pub trait Row: fmt::Debug {
    /// The variables that it speaks of; it is claimed only where all of them are meaningful.
    fn variables(&self) -> Vec<usize>;
    /// Whether it holds of every block of an object if it holds of the witness: it reads no fields
    /// but those in `variables`.
    fn is_universal(&self) -> bool {
        true
    }
    /// The witnesses whose addresses it compares with.
    fn blocks(&self) -> Vec<(AbstractObjectId, Spot)> {
        Vec::new()
    }
    /// The predicate, with the current value of the parameter.
    fn formula(&self, terms: &mut Terms, version: &Version) -> TermId;
    fn covers(&self, point: &Point) -> bool;
    fn join(&mut self, point: &Point);
    fn is_top(&self) -> bool;
    /// Gives up this row.
    fn forget(&mut self);
    /// In C-like words; none where there is nothing to say (at top, or at bottom).
    fn text(&self, scope: &Scope) -> Vec<String>;
    /// The numeric bound that a point would raise, if it is one.
    fn bound(&mut self, _point: &Point) -> Option<&mut Bound> {
        None
    }
    /// All its numeric bounds.
    fn bounds(&self) -> Vec<&Bound> {
        Vec::new()
    }
    fn boxed_clone(&self) -> Box<dyn Row>;
}

impl Clone for Box<dyn Row> {
    fn clone(&self) -> Self {
        self.boxed_clone()
    }
}

/// A way to lay out rows.
pub trait Domain: Send + Sync {
    fn name(&self) -> &'static str;
    /// One line for help texts.
    fn summary(&self) -> &'static str;
    /// Other domains whose rows are among its own.
    fn includes(&self) -> &'static [&'static str] {
        &[]
    }
    /// The rows, all at bottom.
    fn rows(&self, scope: &Scope) -> Vec<Box<dyn Row>>;
}

/// Every domain, in the order of their cost.
pub fn all() -> Vec<Box<dyn Domain>> {
    vec![
        Box::new(shape::Shape),
        Box::new(interval::Intervals),
        Box::new(values::Values),
        Box::new(equality::Equalities),
        Box::new(sums::Sums),
        Box::new(pair::Pairs),
        Box::new(state::States),
        Box::new(zone::Zones),
        Box::new(octagon::Octagons),
        Box::new(access_path::AccessPaths),
        Box::new(links::Links),
        Box::new(links::Neighbours),
    ]
}
