//! What callers may have to promise, guessed from types, names and the function's own text.
//!
//! A guess is only worth a try: who tries it checks the function again with the clause in its contract. What the
//! function compares with null it is written for, so no clause says that it is not null.

use std::collections::BTreeSet;

use rucc_sema::DeclId;
use rucc_types::{RecordId, TypeId, TypeKind};

use super::declarations::{definition, result_type};
use super::footprint::Footprint;
use super::nullness::NullTests;
use super::shapes::{Member, Shape, counts_elements, is_capacity};
use crate::syntax::Unit;

/// A clause for a contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    pub subject: Subject,
    pub sort: Sort,
    /// In the words of contracts.
    pub clause: String,
}

/// What a clause is about, by its name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    Type(String),
    Function(String),
}

/// What a clause says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
    /// Members of one object belong together: a list, its last node, its length.
    Structure,
    /// A list or tree is empty where its count is zero.
    Emptiness,
    /// A number counts the nodes of a tree.
    Count,
    /// A node tells how high the tree is that it is the root of.
    Height,
    /// A pointer in an object is not null.
    NotNull,
    /// A node has no successor: it is in no list.
    Alone,
    /// A node is one of another argument's list or tree.
    Member,
    /// A number tells how many elements there are.
    Length,
    /// A number is within bounds.
    Bound,
    /// What a function asks that this one hands its arguments on to.
    HandedOn,
}

impl Suggestion {
    /// As a contract on its own.
    #[must_use]
    pub fn text(&self) -> String {
        let clause = &self.clause;
        match &self.subject {
            Subject::Type(name) => format!("type {name} {{ {clause}; }}"),
            Subject::Function(name) => format!("fn {name} {{ {clause}; }}"),
        }
    }

    /// What says less and may be enough.
    #[must_use]
    pub fn weaker(&self) -> Option<Suggestion> {
        let list = self.clause.strip_prefix("len(")?;
        let (list, count) = list.split_once(") == ")?;
        let clause = empty_together(list, count);
        matches!(self.sort, Sort::Structure | Sort::Count).then(|| Suggestion {
            sort: Sort::Emptiness,
            clause,
            ..self.clone()
        })
    }
}

fn empty_together(structure: &str, count: &str) -> String {
    format!("({structure} == 0) == ({count} == 0)")
}

/// One parameter of the function.
struct Parameter {
    name: String,
    ty: TypeId,
    may_be_null: bool,
}

/// A parameter that is a number.
struct Number {
    name: String,
    is_signed: bool,
}

impl Number {
    /// That it counts something before the end.
    fn below(&self, end: &str) -> String {
        let Number { name, is_signed } = self;
        let start = if *is_signed { format!("0 <= {name} && ") } else { String::new() };
        format!("{start}{name} < {end}")
    }
}

struct Guesser<'u> {
    unit: &'u Unit,
    tests: &'u NullTests,
    footprint: Footprint,
    function: &'u str,
    parameters: Vec<Parameter>,
    found: Vec<Suggestion>,
}

/// What callers of a function may have to promise.
pub(super) fn suggestions(
    unit: &Unit,
    function: &str,
    tests: &NullTests,
    footprint: Footprint,
) -> Vec<Suggestion> {
    let Some(decl) = definition(unit, function) else { return Vec::new() };
    let parameters = parameters(unit, decl, &footprint);
    let mut guesser = Guesser { unit, tests, footprint, function, parameters, found: Vec::new() };
    guesser.types(result_type(unit, decl));
    guesser.pointers();
    guesser.nodes();
    guesser.numbers();
    guesser.found
}

fn parameters(unit: &Unit, decl: DeclId, footprint: &Footprint) -> Vec<Parameter> {
    let ids = unit.tast[unit.tast[decl].params].to_vec();
    let named = ids.into_iter().enumerate().filter_map(|(index, id)| {
        let name = unit.names.resolve(unit.tast[id].name?).to_owned();
        let may_be_null = footprint.tested_parameters.contains(&index);
        Some(Parameter { name, ty: unit.tast[id].ty, may_be_null })
    });
    named.collect()
}

impl Guesser<'_> {
    fn add(&mut self, subject: Subject, sort: Sort, clause: String) {
        let suggestion = Suggestion { subject, sort, clause };
        if !self.found.contains(&suggestion) {
            self.found.push(suggestion);
        }
    }

    fn add_here(&mut self, sort: Sort, clause: String) {
        self.add(Subject::Function(self.function.to_owned()), sort, clause);
    }

    /// The record that a pointer leads to, if it can be looked into.
    fn target(&self, ty: TypeId) -> Option<RecordId> {
        match self.unit.kind(self.unit.pointee(ty)?) {
            TypeKind::Record(record) if self.unit.is_complete(record) => Some(record),
            _ => None,
        }
    }

    fn linked_target(&self, ty: TypeId) -> Option<(RecordId, Shape)> {
        let record = self.target(ty)?;
        let shape = self.unit.shape(record);
        (shape != Shape::Object).then_some((record, shape))
    }

    fn is_number(&self, ty: TypeId) -> bool {
        matches!(self.unit.kind(ty), TypeKind::Int(_))
    }

    /// What holds of the objects that arguments and the result lead to.
    fn types(&mut self, result: TypeId) {
        let given = self.parameters.iter().map(|parameter| parameter.ty).chain([result]);
        let mut waiting: Vec<RecordId> = given.filter_map(|ty| self.target(ty)).collect();
        let mut seen = BTreeSet::new();
        while let Some(record) = waiting.pop() {
            if !seen.insert(record) {
                continue;
            }
            let members = self.unit.members(record).unwrap_or_default();
            waiting.extend(members.iter().filter_map(|member| self.target(member.ty)));
            match self.unit.shape(record) {
                Shape::Object => self.owner(record, &members),
                Shape::Tree { children, .. } => self.heights(record, &members, &children),
                Shape::List { .. } | Shape::DoublyLinkedList { .. } => {}
            }
        }
    }

    /// A number in the nodes of a binary tree that may be the height, of nothing 0 or -1.
    fn heights(&mut self, record: RecordId, members: &[Member], children: &[String]) {
        let [left, right] = children else { return };
        let heights = ["height", "level", "depth"];
        let is_height = |member: &&Member| {
            self.is_number(member.ty) && has_word(&member.name, &heights) && !left.contains('[')
        };
        let Some(height) = members.iter().find(is_height).map(|member| &member.name) else {
            return;
        };
        for of_nothing in ["0", "-1"] {
            let of = |child| format!("({child} == 0 ? {of_nothing} : {child}->{height})");
            let (left, right) = (of(left), of(right));
            let clause = format!("{height} == 1 + ({left} > {right} ? {left} : {right})");
            self.add(Subject::Type(self.unit.tag_of(record).to_owned()), Sort::Height, clause);
        }
    }

    /// Members of an object that belong together.
    fn owner(&mut self, record: RecordId, members: &[Member]) {
        let subject = Subject::Type(self.unit.tag_of(record).to_owned());
        let linked = members.iter().filter_map(|member| {
            let (node, shape) = self.linked_target(member.ty)?;
            Some((member.name.clone(), node, shape))
        });
        let linked: Vec<(String, RecordId, Shape)> = linked.collect();
        let Some((_, node, shape)) = linked.first().cloned() else { return };
        let names: Vec<&str> = (linked.iter().filter(|(_, other, _)| *other == node))
            .map(|(name, _, _)| name.as_str())
            .collect();
        let head = names.iter().find(|name| begins(name)).unwrap_or(&names[0]);
        let count = members.iter().find(|member| {
            self.is_number(member.ty) && !member.is_bit_field && counts_elements(&member.name)
        });
        if matches!(shape, Shape::Tree { .. }) {
            if let Some(count) = count {
                let (sort, clause) = (Sort::Emptiness, empty_together(head, &count.name));
                self.add(subject.clone(), sort, clause);
                self.add(subject, Sort::Count, format!("len({head}) == {}", count.name));
            }
            return;
        }
        for name in names.iter().filter(|name| *name != head) {
            let word = if ends(name) { "last" } else { "member" };
            self.add(subject.clone(), Sort::Structure, format!("{word}({head}) == {name}"));
        }
        if let Some(count) = count {
            self.add(subject, Sort::Structure, format!("len({head}) == {}", count.name));
        }
    }

    /// Pointers in objects, and links of nodes, that the function follows and never compares with null.
    fn pointers(&mut self) {
        for index in 0..self.parameters.len() {
            let Parameter { name, ty, may_be_null } = &self.parameters[index];
            let (name, ty) = (name.clone(), *ty);
            let guard = if *may_be_null { format!("{name} == 0 || ") } else { String::new() };
            if let Some(inner) = self.unit.pointee(ty)
                && self.unit.pointee(inner).is_some()
                && self.linked_target(inner).is_some()
                && !self.footprint.compares_contents
            {
                self.add_here(Sort::NotNull, format!("{guard}*{name} != 0"));
            }
            let Some(record) = self.target(ty) else { continue };
            let tag = self.unit.tag_of(record).to_owned();
            for member in self.unit.members(record).unwrap_or_default() {
                let may_be_null = self.tests.has_field(&tag, &member.name)
                    || self.linked_target(member.ty).is_some();
                let field = (tag.clone(), member.name.clone());
                let is_wanted = self.footprint.loaded.contains(&field)
                    && !self.footprint.tested.contains(&field);
                if self.unit.pointee(member.ty).is_some() && may_be_null && is_wanted {
                    self.add_here(Sort::NotNull, format!("{guard}{name}->{} != 0", member.name));
                }
            }
        }
    }

    /// Arguments that are nodes: in no list, or in that of another argument.
    fn nodes(&mut self) {
        for index in 0..self.parameters.len() {
            let node = &self.parameters[index];
            let (name, may_be_null) = (node.name.clone(), node.may_be_null);
            let Some((record, shape)) = self.linked_target(node.ty) else { continue };
            let places: Vec<String> = (self.parameters.iter().enumerate())
                .filter(|(other, _)| *other != index)
                .flat_map(|(_, other)| self.places_of(other, record))
                .collect();
            for place in places {
                self.add_here(Sort::Member, format!("member({place}) == {name}"));
            }
            if let Shape::List { next } | Shape::DoublyLinkedList { next, .. } = shape {
                let guard = if may_be_null { format!("{name} == 0 || ") } else { String::new() };
                self.add_here(Sort::Alone, format!("{guard}{name}->{next} == 0"));
            }
        }
    }

    /// Where an argument has nodes of a record: itself, behind it, or in the object that it leads to.
    fn places_of(&self, parameter: &Parameter, node: RecordId) -> Vec<String> {
        let name = &parameter.name;
        let Some(inner) = self.unit.pointee(parameter.ty) else { return Vec::new() };
        if self.target(inner) == Some(node) {
            return vec![format!("*{name}")];
        }
        match self.target(parameter.ty) {
            Some(record) if record == node => vec![name.clone()],
            Some(record) if self.unit.shape(record) == Shape::Object => {
                let members = self.unit.members(record).unwrap_or_default();
                let is_node = |member: &&Member| self.target(member.ty) == Some(node);
                let mut names: Vec<String> =
                    members.iter().filter(is_node).map(|member| member.name.clone()).collect();
                names.sort_by_key(|name| !begins(name));
                names.truncate(1);
                names.iter().map(|member| format!("{name}->{member}")).collect()
            }
            Some(_) | None => Vec::new(),
        }
    }

    fn number(&self, parameter: &Parameter) -> Option<Number> {
        let info = rucc_types::integer_info(&self.unit.types, parameter.ty, &self.unit.target);
        let is_signed = info.is_some_and(|info| info.signed);
        let name = parameter.name.clone();
        self.is_number(parameter.ty).then_some(Number { name, is_signed })
    }

    /// Numbers that tell lengths, and those that must not be beyond them.
    fn numbers(&mut self) {
        let numbers: Vec<Number> =
            self.parameters.iter().filter_map(|parameter| self.number(parameter)).collect();
        let (mut lengths, mut bounds) = (Vec::new(), Vec::new());
        for parameter in &self.parameters {
            let Some(target) = self.unit.pointee(parameter.ty) else { continue };
            let is_array = match self.unit.kind(target) {
                TypeKind::Void | TypeKind::Int(_) | TypeKind::Float(_) => true,
                TypeKind::Pointer(_) => self.linked_target(target).is_none(),
                _ => false,
            };
            if is_array {
                let array = &parameter.name;
                let length = |number: &Number| format!("len({array}) == {}", number.name);
                lengths.extend(numbers.iter().map(length));
            }
            let Some(record) = self.target(parameter.ty) else { continue };
            if parameter.may_be_null || self.unit.shape(record) != Shape::Object {
                continue;
            }
            let members = self.unit.members(record).unwrap_or_default();
            let counts = members.iter().filter(|it| {
                self.is_number(it.ty) && (counts_elements(&it.name) || is_capacity(&it.name))
            });
            let mut counts: Vec<&Member> = counts.collect();
            // What there is room for is not less than what there is, so that its bounds say less.
            counts.sort_by_key(|count| !is_capacity(&count.name));
            let place = |count: &&Member| format!("{}->{}", parameter.name, count.name);
            let places: Vec<String> = counts.iter().map(place).collect();
            bounds.extend(places.iter().map(|place| format!("{place} > 0")));
            for place in &places {
                bounds.extend(numbers.iter().map(|number| number.below(place)));
            }
        }
        let counts: Vec<&Number> = numbers.iter().filter(|it| counts_elements(&it.name)).collect();
        bounds.extend(counts.iter().map(|count| format!("{} > 0", count.name)));
        for count in &counts {
            let others = numbers.iter().filter(|number| number.name != count.name);
            bounds.extend(others.map(|number| number.below(&count.name)));
        }
        for clause in lengths {
            self.add_here(Sort::Length, clause);
        }
        for clause in bounds {
            self.add_here(Sort::Bound, clause);
        }
    }
}

/// Whether a pointer of this name leads to the first node.
fn begins(name: &str) -> bool {
    has_word(name, &["head", "first", "front", "start", "begin", "top", "root"])
}

/// Whether a pointer of this name leads to the last node.
fn ends(name: &str) -> bool {
    has_word(name, &["tail", "last", "end", "rear", "back", "bottom"])
}

fn has_word(name: &str, words: &[&str]) -> bool {
    let name = name.to_ascii_lowercase();
    words.iter().any(|word| name.contains(word))
}
