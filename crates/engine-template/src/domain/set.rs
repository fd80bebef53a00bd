//! The row of all finite domains: these variables together have one of so many tuples of values.
//!
//! A pointer's value is what it points to: all blocks of one abstract object alike.

use std::collections::BTreeSet;

use heapwright_logic::{BitVectorValue, TermId, Terms};

use super::{Point, Row, Scope, Version};
use crate::ssa::formula::ValueKind;
use crate::ssa::pointer::{PointerLayout, PointerTarget};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Element {
    Number(BitVectorValue),
    Target(PointerTarget),
}

#[derive(Clone, Copy, Debug)]
struct Member {
    variable: usize,
    is_pointer: bool,
}

#[derive(Clone, Debug)]
pub struct ValueSet {
    members: Vec<Member>,
    pointers: PointerLayout,
    /// None is top.
    tuples: Option<BTreeSet<Vec<Element>>>,
    /// More tuples than these are too many to tell apart.
    most: usize,
}

impl ValueSet {
    pub fn new(scope: &Scope, variables: Vec<usize>, most: usize) -> ValueSet {
        let member = |variable: usize| {
            let is_pointer = scope.variables[variable].kind == ValueKind::Pointer;
            Member { variable, is_pointer }
        };
        let members = variables.into_iter().map(member).collect();
        ValueSet { members, pointers: scope.pointers, tuples: Some(BTreeSet::new()), most }
    }

    /// Whether the place is reached at all: a row about no variables.
    pub fn reached(scope: &Scope) -> ValueSet {
        ValueSet::new(scope, Vec::new(), 1)
    }

    fn tuple(&self, point: &Point) -> Vec<Element> {
        let element = |member: &Member| {
            let value = point.values[member.variable];
            if member.is_pointer {
                Element::Target(self.pointers.target_of(value))
            } else {
                Element::Number(value)
            }
        };
        self.members.iter().map(element).collect()
    }

    fn tuple_term(&self, terms: &mut Terms, version: &Version, tuple: &[Element]) -> TermId {
        let mut equations = Vec::new();
        for (member, element) in self.members.iter().zip(tuple) {
            let value = version.values[member.variable];
            equations.push(match *element {
                Element::Target(target) => self.pointers.is_target(terms, value, target),
                Element::Number(number) => {
                    let number = terms.constant(number);
                    terms.equal(value, number)
                }
            });
        }
        terms.all(&equations)
    }

    fn tuple_text(&self, scope: &Scope, tuple: &[Element]) -> String {
        let equation = |(member, element): (&Member, &Element)| {
            let value = match *element {
                Element::Target(target) => scope.target_text(target),
                Element::Number(number) => scope.number_text(member.variable, number),
            };
            format!("{} == {value}", scope.name(member.variable))
        };
        let equations: Vec<String> = self.members.iter().zip(tuple).map(equation).collect();
        equations.join(" && ")
    }
}

impl Row for ValueSet {
    fn variables(&self) -> Vec<usize> {
        self.members.iter().map(|member| member.variable).collect()
    }

    fn formula(&self, terms: &mut Terms, version: &Version) -> TermId {
        let Some(tuples) = &self.tuples else { return TermId::TRUE };
        let mut choices = Vec::new();
        for tuple in tuples {
            choices.push(self.tuple_term(terms, version, tuple));
        }
        terms.any(&choices)
    }

    fn covers(&self, point: &Point) -> bool {
        self.tuples.as_ref().is_none_or(|tuples| tuples.contains(&self.tuple(point)))
    }

    fn join(&mut self, point: &Point) {
        let tuple = self.tuple(point);
        if let Some(tuples) = &mut self.tuples {
            tuples.insert(tuple);
            if tuples.len() > self.most {
                self.tuples = None;
            }
        }
    }

    fn is_top(&self) -> bool {
        self.tuples.is_none()
    }

    fn forget(&mut self) {
        self.tuples = None;
    }

    fn text(&self, scope: &Scope) -> Vec<String> {
        let tuples = self.tuples.iter().flatten();
        let choices: Vec<String> = tuples.map(|tuple| self.tuple_text(scope, tuple)).collect();
        let says_something = !choices.is_empty() && !self.members.is_empty();
        if says_something { vec![choices.join(" || ")] } else { Vec::new() }
    }

    fn boxed_clone(&self) -> Box<dyn Row> {
        Box::new(self.clone())
    }
}
