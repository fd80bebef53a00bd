//! Abstract heaps in sentences: who leads to what, how it ends, what its nodes hold.

use std::collections::BTreeSet;

use heapwright_heap_text::{
    BlockText, HeapText, KindText, ListText, RelationText, RowText, Shape, TreeText,
};
use heapwright_memory::Life;

use crate::fields::{Fields, joined, reference};
use crate::instances::instance_words;
use crate::measured_trees::measure_words;
use crate::of_heap_text::plain_term;
use crate::rows::{index, is_null, places};
use crate::sorted::order_words;
use crate::spelling::spelling_words;

/// Parts of a sentence; what more there is, is counted.
const MOST_PARTS: usize = 8;

/// What was told of so far.
#[derive(Debug, Default)]
struct Told {
    blocks: BTreeSet<String>,
    parts: usize,
}

impl Told {
    fn has(&self, block: &str) -> bool {
        self.blocks.contains(block)
    }

    /// Gives whether it is told of for the first time.
    fn tell(&mut self, block: &str) -> bool {
        self.blocks.insert(block.to_owned())
    }

    /// All that is left, as a number.
    fn rest(&mut self, heap: &HeapText) -> String {
        let is_node = |block: &&BlockText| !matches!(block.shape, Shape::LastOf(_));
        let blocks = heap.body.blocks.iter().filter(is_node);
        let left = blocks.filter(|block| self.blocks.insert(block.name.clone())).count();
        format!("{left} more blocks")
    }
}

/// Sentences about the variables of a heap and what they lead to, and its conditions.
#[must_use]
pub(crate) fn sentences(heap: &HeapText, fields: &Fields<'_>) -> Vec<String> {
    let mut told = Told::default();
    let mut sentences = Vec::new();
    let frames = heap.frames.iter().rev();
    let locals = frames.flat_map(|frame| {
        frame.variables.iter().map(|variable| (Some(frame.function.as_str()), variable))
    });
    let globals = heap.globals.iter().map(|variable| (None, variable));
    let mut variables: Vec<(String, &str)> = Vec::new();
    let mut names: Vec<&str> = Vec::new();
    for (function, (name, term)) in locals.chain(globals) {
        let term = match term.as_str() {
            "0" if fields.is_pointer_variable(function, name) => "NULL",
            term => term,
        };
        // The innermost of several variables of a name is meant where nothing else is said.
        let whose = match function {
            _ if !names.contains(&name.as_str()) => String::new(),
            Some(function) => format!(" of `{function}`"),
            None => " of the program".to_owned(),
        };
        names.push(name);
        variables.push((format!("`{name}`{whose}"), term));
    }
    let mut values: Vec<&str> = Vec::new();
    for (_, term) in &variables {
        if !values.contains(term) {
            values.push(term);
        }
    }
    for term in values {
        let names: Vec<String> = variables
            .iter()
            .filter(|(_, other)| *other == term)
            .map(|(name, _)| name.clone())
            .collect();
        sentences.push(about(heap, fields, &subject(&names), names.len() > 1, term, &mut told));
    }
    // What no variable leads to is reached from what was told.
    for block in &heap.body.blocks {
        let is_shape = matches!(
            block.shape,
            Shape::List(_) | Shape::Tree(_) | Shape::Instance(_) | Shape::Row(_)
        );
        if is_shape && !told.has(&block.name) {
            let words = block_words(heap, fields, block, &mut told);
            sentences.push(format!("there is {words}"));
        }
    }
    sentences.extend(heap.body.conditions.iter().map(|condition| plain_term(condition)));
    sentences
}

fn subject(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

fn about(
    heap: &HeapText,
    fields: &Fields<'_>,
    subject: &str,
    is_plural: bool,
    term: &str,
    told: &mut Told,
) -> String {
    let (is, leads) = if is_plural { ("are", "lead") } else { ("is", "leads") };
    let Some((name, offset)) = reference(term) else {
        return format!("{subject} {is} {}", plain_term(term));
    };
    let Some(block) = heap.body.blocks.iter().find(|block| block.name == name) else {
        return format!("{subject} {is} {}", plain_term(term));
    };
    if block.life != Life::Alive {
        return format!("{subject} {leads} to freed memory, which is not used again");
    }
    let inside = match offset {
        0 => String::new(),
        offset => format!("`{}` of ", fields.name(name, offset)),
    };
    match &block.shape {
        Shape::LastOf(whole) => {
            let verb = if is_plural { "are" } else { "is" };
            format!("{subject} {verb} {inside}the last {} of that list", fields.noun(whole))
        }
        Shape::Plain(_)
        | Shape::List(_)
        | Shape::Tree(_)
        | Shape::Instance(_)
        | Shape::Row(_)
        | Shape::Slot(_) => {
            let words = block_words(heap, fields, block, told);
            format!("{subject} {leads} to {inside}{words}")
        }
    }
}

/// What elements of an array lead to.
fn row_words(row: &RowText) -> String {
    let mut leads: Vec<&str> =
        row.kinds
            .iter()
            .filter(|kind| !is_null(kind))
            .map(|kind| match kind.body.blocks.get(1).map(|block| &block.shape) {
                Some(Shape::List(_)) => "a list of its own",
                Some(Shape::Tree(_) | Shape::Instance(_)) => "a tree of its own",
                Some(Shape::Plain(_) | Shape::LastOf(_) | Shape::Row(_) | Shape::Slot(_))
                | None => "a block of its own",
            })
            .collect();
    leads.dedup();
    let or_null = if row.kinds.iter().any(is_null) { ", or is NULL" } else { "" };
    format!(
        "an array of which each element {} leads to {}{or_null}",
        places(row),
        leads.join(" or ")
    )
}

fn block_words(heap: &HeapText, fields: &Fields<'_>, block: &BlockText, told: &mut Told) -> String {
    let id = &block.name;
    let is_known = told.has(id);
    if !is_known && told.parts == MOST_PARTS {
        return told.rest(heap);
    }
    told.tell(id);
    told.parts += usize::from(!is_known);
    match &block.shape {
        Shape::Plain(_) if fields.type_name(id).is_none() => {
            format!("a block of {} bytes", block.size)
        }
        Shape::Plain(_) if is_known => format!("that {}", fields.noun(id)),
        Shape::Plain(_) => plain_words(heap, fields, block, told),
        Shape::LastOf(whole) => format!("the last {} of that list", fields.noun(whole)),
        Shape::List(list) => list_words(heap, fields, id, list, told),
        Shape::Tree(tree) => tree_words(fields, id, tree),
        Shape::Instance(instance) => instance_words(heap, instance),
        Shape::Row(row) => row_words(row),
        Shape::Slot(slot) => format!("element {}", index(&slot.at, 8)),
    }
}

/// One node, or several that follow each other by one field, and where they lead.
fn plain_words(heap: &HeapText, fields: &Fields<'_>, first: &BlockText, told: &mut Told) -> String {
    let noun = fields.noun(&first.name);
    let mut count = 1;
    let mut links = untold_links(heap, fields, first, told);
    let mut by: Option<String> = None;
    while let [(name, next)] = links.as_slice() {
        let is_like_it = matches!(next.shape, Shape::Plain(_))
            && fields.noun(&next.name) == noun
            && by.as_ref().is_none_or(|by| by == name);
        if !is_like_it {
            break;
        }
        told.tell(&next.name);
        by = Some(name.clone());
        count += 1;
        links = untold_links(heap, fields, next, told);
    }
    let (mut words, whose) = match &by {
        None => (format!("one {noun}"), "whose"),
        Some(by) => {
            (format!("{count} {}, one after the other by `{by}`", nodes(&noun)), "the last one's")
        }
    };
    for (name, target) in links {
        if !told.has(&target.name) {
            let next = block_words(heap, fields, target, told);
            words.push_str(&format!(", {whose} `{name}` leads to {next}"));
        }
    }
    words
}

/// Where a node leads, as far as that was not told: fields and blocks that are alive.
fn untold_links<'h>(
    heap: &'h HeapText,
    fields: &Fields<'_>,
    block: &BlockText,
    told: &Told,
) -> Vec<(String, &'h BlockText)> {
    let Shape::Plain(cells) = &block.shape else { return Vec::new() };
    let link = |offset: u64, value: &str| {
        let (target, _) = reference(value)?;
        let target = heap.body.blocks.iter().find(|block| block.name == target)?;
        let is_told = told.has(&target.name) || matches!(target.shape, Shape::LastOf(_));
        let is_new = !is_told && target.life == Life::Alive;
        is_new.then(|| (fields.name(&block.name, offset), target))
    };
    cells.iter().filter_map(|cell| link(cell.offset, &cell.value)).collect()
}

fn list_words(
    heap: &HeapText,
    fields: &Fields<'_>,
    id: &str,
    list: &ListText,
    told: &mut Told,
) -> String {
    let noun = fields.noun(id);
    let count = match list.minimum {
        0 => "any number of".to_owned(),
        1 => "one or more".to_owned(),
        minimum => format!("at least {minimum}"),
    };
    let (next, previous) = link_names(fields, id, &list.kinds);
    let mut words = format!("{count} {} by `{next}`", nodes(&noun));
    words.push_str(&end_words(heap, fields, &list.end, &next, id, told));
    if list.back.is_some() {
        words.push_str(&format!("; `{previous}` leads back"));
    }
    if let Some(order) = &list.order {
        words.push_str(&format!("; they {}", order_words(fields, id, order)));
    }
    if let Some(length) = &list.length {
        words.push_str(&format!("; there are {} of them", plain_term(length)));
    }
    for spelling in &list.spellings {
        let name = fields.name(id, spelling.offset);
        words.push_str(&format!("; their `{name}` are {}", spelling_words(spelling)));
    }
    words + &contents(fields, id, &list.kinds)
}

/// What holds between each node and those right below it.
fn relation_words(relation: RelationText, key: &str) -> String {
    match relation {
        RelationText::Greater => format!("`{key}` is greater than that of any node below it"),
        RelationText::AtLeast => format!("`{key}` is at least that of any node below it"),
        RelationText::Less => format!("`{key}` is less than that of any node below it"),
        RelationText::AtMost => format!("`{key}` is at most that of any node below it"),
        RelationText::NonzeroOverZero => {
            format!("no node with a nonzero `{key}` has a child with one")
        }
        RelationText::ZeroOverNonzero => {
            format!("no node with a zero `{key}` has a child with one")
        }
        RelationText::OneMore => format!("`{key}` is one more than that of each child"),
    }
}

/// Relations without those that follow from others.
pub(crate) fn strongest(relations: &[RelationText]) -> Vec<RelationText> {
    let follows = |relation: RelationText| match relation {
        RelationText::AtLeast => relations.contains(&RelationText::Greater),
        RelationText::AtMost => relations.contains(&RelationText::Less),
        RelationText::Greater
        | RelationText::Less
        | RelationText::NonzeroOverZero
        | RelationText::ZeroOverNonzero
        | RelationText::OneMore => false,
    };
    relations.iter().copied().filter(|&relation| !follows(relation)).collect()
}

/// Several of what a noun names: `nodes`, `item nodes`.
fn nodes(noun: &str) -> String {
    if noun.ends_with("node") { format!("{noun}s") } else { format!("{noun} nodes") }
}

fn tree_words(fields: &Fields<'_>, id: &str, tree: &TreeText) -> String {
    let names: Vec<String> =
        tree.children.iter().map(|offset| format!("`{}`", fields.name(id, *offset))).collect();
    let mut words = format!("the root of a tree of any size by {}", names.join(" and "));
    if let Some(offset) = tree.parent {
        words.push_str(&format!("; `{}` is the parent", fields.name(id, offset)));
    }
    if let Some(sorted) = &tree.order {
        let order = order_words(fields, id, &sorted.order);
        words.push_str(&format!("; from left to right its nodes {order}"));
    }
    for one in &tree.downward {
        let key = fields.name(id, one.offset);
        for relation in strongest(&one.relations) {
            words.push_str(&format!("; {}", relation_words(relation, &key)));
        }
    }
    words.push_str(&measure_words(fields, id, tree));
    if let Some(end) = &tree.end
        && reference(end).is_some()
    {
        words.push_str("; below it hangs a subtree that is looked at on its own");
    }
    if tree.leaf.is_some() {
        words.push_str("; links that lead to no node all lead to one block, a sentinel");
    }
    if tree.may_be_empty {
        words.push_str("; or it is NULL");
    }
    words + &contents(fields, id, &tree.kinds)
}

fn link_names(fields: &Fields<'_>, id: &str, kinds: &[KindText]) -> (String, String) {
    let find = |word: &str| {
        let nodes = kinds.iter().filter_map(|kind| kind.body.blocks.first());
        let mut cells = nodes.flat_map(|node| match &node.shape {
            Shape::Plain(cells) => cells.as_slice(),
            Shape::Slot(slot) => slot.cells.as_slice(),
            Shape::LastOf(_)
            | Shape::List(_)
            | Shape::Tree(_)
            | Shape::Instance(_)
            | Shape::Row(_) => &[],
        });
        let cell = cells.find(|cell| cell.value.rsplit('.').next() == Some(word));
        cell.map_or_else(|| word.to_owned(), |cell| fields.name(id, cell.offset))
    };
    (find("next"), find("previous"))
}

/// How a list ends.
fn end_words(
    heap: &HeapText,
    fields: &Fields<'_>,
    end: &str,
    next: &str,
    id: &str,
    told: &mut Told,
) -> String {
    match (reference(end), end) {
        (None, "0") => format!(", the last one's `{next}` is NULL"),
        (Some((name, _)), _) if name == id => ", and the last leads back to the first".to_owned(),
        (Some((name, _)), _) => match heap.body.blocks.iter().find(|block| block.name == name) {
            Some(block) if told.has(&block.name) => {
                format!(", and the last leads to that {}", fields.noun(name))
            }
            Some(block) => format!(", then {}", block_words(heap, fields, block, told)),
            None => String::new(),
        },
        (None, other) => format!(", the last one's `{next}` is {}", plain_term(other)),
    }
}

/// What every node holds and owns.
fn contents(fields: &Fields<'_>, id: &str, kinds: &[KindText]) -> String {
    let [kind] = kinds else { return String::new() };
    let Some(node) = kind.body.blocks.first() else { return String::new() };
    let Shape::Plain(cells) = &node.shape else { return String::new() };
    let mut words = String::new();
    for cell in cells {
        let name = fields.name(id, cell.offset);
        let bare = cell.value.rsplit('.').next().unwrap_or_default();
        match reference(&cell.value) {
            Some((owned, 0)) => {
                let block = kind.body.blocks.iter().find(|block| block.name == owned);
                if let Some(block) = block {
                    let owned = joined(id, owned);
                    let what = match (&block.shape, fields.type_name(&owned)) {
                        (Shape::List(_), _) => format!("a list of its own by `{name}`"),
                        (_, Some(ty)) => format!("its `{name}` ({ty})"),
                        (_, None) => format!("its `{name}` ({} bytes)", block.size),
                    };
                    words.push_str(&format!("; every one owns {what}"));
                }
            }
            Some(_) => {}
            None if bare == "next" || bare == "previous" => {}
            None if cell.value.starts_with("number.") || cell.value.contains("number.") => {}
            None => {
                let value = if cell.value == "0"
                    && fields.field(id, cell.offset).is_some_and(|(_, ty)| fields.is_pointer(ty))
                {
                    "NULL".to_owned()
                } else {
                    plain_term(&cell.value)
                };
                words.push_str(&format!("; every `{name}` is {value}"));
            }
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_not_said_twice() {
        assert_eq!(nodes("node"), "nodes");
        assert_eq!(nodes("tree_node"), "tree_nodes");
        assert_eq!(nodes("item"), "item nodes");
    }
}
