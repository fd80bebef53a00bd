//! The small heaps of a predicate, one after the other: what it means, written out.
//!
//! Nodes are numbered as they are met from the root, which is the first; arguments stand for themselves.

use crate::definition::{Definitions, Empty, Value};

/// A heap of a predicate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Member {
    pub(crate) nodes: Vec<MemberNode>,
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
enum End {
    Empty(Empty),
    Node,
}

/// The heaps of a predicate with up to so many nodes, at most `most` of them; those with few nodes come first.
pub(crate) fn members(
    definitions: &Definitions,
    predicate: usize,
    nodes: usize,
    most: usize,
) -> Vec<Member> {
    let arguments = (0..definitions.predicates[predicate].parameters).map(Held::Argument).collect();
    let member = Member { nodes: vec![MemberNode::default()] };
    let mut layer = vec![Draft { member, open: vec![(0, predicate, arguments)] }];
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
        let mut ways: Vec<Vec<End>> = vec![Vec::new()];
        for link in &node.links {
            let empties = definitions.predicates[link.predicate].empties.iter();
            let ends: Vec<End> = empties.copied().map(End::Empty).chain([End::Node]).collect();
            let longer = |way: &Vec<End>| {
                let way = way.clone();
                ends.clone().into_iter().map(move |end| way.iter().copied().chain([end]).collect())
            };
            ways = ways.iter().flat_map(longer).collect();
        }
        for way in ways {
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
            // Each round settles one at least: no link depends on itself.
            for index in (0..links.len()).cycle().take(links.len() * links.len()) {
                if let End::Empty(empty) = way[index] {
                    links[index] = match empty {
                        Empty::Null => Some(Held::Null),
                        Empty::Parameter(of) => {
                            held(node.links[index].arguments[of], (*id, arguments, &links))
                        }
                    };
                }
            }
            let value = |value: Value| {
                held(value, (*id, arguments, &links)).expect("all links are known by now")
            };
            let fields = node.fields.iter();
            let fields = fields.map(|field| (field.offset, field.size, value(field.value)));
            draft.member.nodes[*id] = MemberNode { size: item.size, fields: fields.collect() };
            for (index, link) in node.links.iter().enumerate() {
                if let (End::Node, Some(Held::Node(child))) = (way[index], links[index]) {
                    let arguments = link.arguments.iter().map(|&of| value(of)).collect();
                    draft.open.push((child, link.predicate, arguments));
                }
            }
            drafts.push(draft);
        }
    }
    drafts
}

fn held(value: Value, around: (usize, &[Held], &[Option<Held>])) -> Option<Held> {
    let (this, arguments, links) = around;
    match value {
        Value::Null => Some(Held::Null),
        Value::This => Some(Held::Node(this)),
        Value::Parameter(index) => Some(arguments[index]),
        Value::Link(index) => links[index],
        Value::Number(number) => Some(Held::Number(number)),
    }
}
