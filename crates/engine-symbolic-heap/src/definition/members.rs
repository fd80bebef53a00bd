//! The small heaps of a predicate, one after the other: what it means, written out.
//!
//! Nodes are numbered as they are met from the root, which is the first; arguments stand for themselves. Numbers are not
//! chosen: what has to hold of them is told beside the nodes.

use crate::definition::law::Law;
use crate::definition::{Definitions, Empty, EmptyCase, Kind, Link, Value};

/// A heap of a predicate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Member {
    pub(crate) nodes: Vec<MemberNode>,
    /// What the predicate's parameters are.
    pub(crate) arguments: Vec<Held>,
    /// Bytes of each unknown number.
    pub(crate) numbers: Vec<u64>,
    pub(crate) laws: Vec<MemberLaw>,
}

/// A law of a case, with what its names are here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MemberLaw {
    law: Law,
    parameters: Vec<Held>,
    variables: Vec<Held>,
}

impl MemberLaw {
    /// The law, and what each of its names is.
    pub(crate) fn parts(&self) -> (&Law, impl Fn(Value) -> Option<Held>) {
        let held = |value: Value| match value {
            Value::Parameter(index) => Some(self.parameters[index]),
            Value::Variable(index) => Some(self.variables[index]),
            Value::Null | Value::This | Value::Link(_) | Value::Number(_) => None,
        };
        (&self.law, held)
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct MemberNode {
    /// Bytes.
    pub(crate) size: u64,
    /// Offset, bytes and value.
    pub(crate) fields: Vec<(u64, u64, Held)>,
}

/// What a field of a member holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    Null,
    Node(usize),
    Argument(usize),
    Number(u128),
    /// One of the numbers that are not chosen.
    Unknown(usize),
}

/// A heap that is being written.
#[derive(Clone, Debug)]
struct Draft {
    member: Member,
    /// Nodes still to be written, with what they are to be.
    open: Vec<(usize, usize, Vec<Held>)>,
}

/// How a link goes on.
#[derive(Clone, Copy, Debug)]
enum End<'d> {
    Empty(&'d EmptyCase),
    Node,
}

/// The heaps of a predicate with up to so many nodes, at most `most` of them; those with few nodes come first.
pub(crate) fn members(
    definitions: &Definitions,
    predicate: usize,
    nodes: usize,
    most: usize,
) -> Vec<Member> {
    let mut member = Member { nodes: vec![MemberNode::default()], ..Member::default() };
    for (index, kind) in definitions.predicates[predicate].parameters.iter().enumerate() {
        let argument = match kind {
            Kind::Pointer => Held::Argument(index),
            Kind::Number { bytes } => member.unknown(*bytes),
        };
        member.arguments.push(argument);
    }
    let open = vec![(0, predicate, member.arguments.clone())];
    let mut layer = vec![Draft { member, open }];
    let mut found = Vec::new();
    // Ends because each round writes a node of each draft, and these are few.
    while !layer.is_empty() && found.len() < most {
        let mut next = Vec::new();
        for mut draft in layer {
            match draft.open.pop() {
                Some(open) => next.extend(written(definitions, &draft, &open, nodes)),
                None => found.push(draft.member),
            }
        }
        next.truncate(DRAFTS);
        layer = next;
    }
    found.truncate(most);
    found
}

impl Member {
    fn unknown(&mut self, bytes: u64) -> Held {
        self.numbers.push(bytes);
        Held::Unknown(self.numbers.len() - 1)
    }
}

/// Drafts that are kept at a time.
const DRAFTS: usize = 4000;

/// All ways to write a node.
fn written(
    definitions: &Definitions,
    draft: &Draft,
    (id, predicate, arguments): &(usize, usize, Vec<Held>),
    most: usize,
) -> Vec<Draft> {
    let item = &definitions.predicates[*predicate];
    let mut drafts = Vec::new();
    for node in &item.nodes {
        for way in ways(definitions, &node.links) {
            let mut draft = draft.clone();
            let mut links = vec![None; node.links.len()];
            for (index, end) in way.iter().enumerate() {
                if let End::Node = end {
                    draft.member.nodes.push(MemberNode::default());
                    links[index] = Some(Held::Node(draft.member.nodes.len() - 1));
                }
            }
            if draft.member.nodes.len() > most {
                continue;
            }
            let variables = node.variables.iter().map(|&bytes| draft.member.unknown(bytes));
            let variables: Vec<Held> = variables.collect();
            // Each round settles one at least: no link depends on itself.
            for index in (0..links.len()).cycle().take(links.len() * links.len()) {
                if let End::Empty(empty) = way[index] {
                    links[index] = match empty.this {
                        Empty::Null => Some(Held::Null),
                        Empty::Parameter(of) => {
                            let argument = node.links[index].arguments[of];
                            Around { this: *id, arguments, variables: &variables, links: &links }
                                .held(argument)
                        }
                    };
                }
            }
            let around = Around { this: *id, arguments, variables: &variables, links: &links };
            let value = |value: Value| around.held(value).expect("all links are known by now");
            let fields = node.fields.iter();
            let fields = fields.map(|field| (field.offset, field.size, value(field.value)));
            draft.member.nodes[*id] = MemberNode { size: item.size, fields: fields.collect() };
            draft.member.laws.extend(laws_of(&node.laws, arguments, &variables));
            for (index, link) in node.links.iter().enumerate() {
                let passed: Vec<Held> = link.arguments.iter().map(|&of| value(of)).collect();
                match (way[index], links[index]) {
                    (End::Node, Some(Held::Node(child))) => {
                        draft.open.push((child, link.predicate, passed));
                    }
                    (End::Empty(empty), _) => {
                        draft.member.laws.extend(laws_of(&empty.laws, &passed, &[]));
                    }
                    (End::Node, _) => unreachable!("a link to a node leads to it"),
                }
            }
            drafts.push(draft);
        }
    }
    drafts
}

/// The laws of a case, for these parameters and numbers.
fn laws_of(
    laws: &[Law],
    parameters: &[Held],
    variables: &[Held],
) -> impl Iterator<Item = MemberLaw> {
    laws.iter().map(|law| MemberLaw {
        law: law.clone(),
        parameters: parameters.to_vec(),
        variables: variables.to_vec(),
    })
}

/// All ways in which links may go on.
fn ways<'d>(definitions: &'d Definitions, links: &[Link]) -> Vec<Vec<End<'d>>> {
    let mut ways: Vec<Vec<End<'d>>> = vec![Vec::new()];
    for link in links {
        let empties = definitions.predicates[link.predicate].empties.iter();
        let ends: Vec<End<'d>> = empties.map(End::Empty).chain([End::Node]).collect();
        let longer = |way: &Vec<End<'d>>| {
            let way = way.clone();
            ends.clone().into_iter().map(move |end| way.iter().copied().chain([end]).collect())
        };
        ways = ways.iter().flat_map(longer).collect();
    }
    ways
}

/// What the names of a case are for a node.
struct Around<'a> {
    this: usize,
    arguments: &'a [Held],
    variables: &'a [Held],
    links: &'a [Option<Held>],
}

impl Around<'_> {
    fn held(&self, value: Value) -> Option<Held> {
        match value {
            Value::Null => Some(Held::Null),
            Value::This => Some(Held::Node(self.this)),
            Value::Parameter(index) => Some(self.arguments[index]),
            Value::Link(index) => self.links[index],
            Value::Variable(index) => Some(self.variables[index]),
            Value::Number(number) => Some(Held::Number(number)),
        }
    }
}
