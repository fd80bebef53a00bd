//! Scenes of a proof: an abstract heap with segments, trees, what their nodes own, and conditions.

use heapwright_heap_text::{
    BlockText, HeapText, InstanceText, KindText, ListText, Nature, RelationText, Shape, TreeText,
    parse,
};
use heapwright_memory::Life;
use heapwright_program::Program;

use crate::fields::{Fields, joined, reference};
use crate::rows::{elements_of, row_card};
use crate::scene::{Card, Kind, Look, Row, Scene, Shown, Tone};
use crate::sorted::order_pill;
use crate::spelling::pieces_shown;
use crate::words::{sentences, strongest};

/// An abstract heap of a proof, ready to be shown.
#[derive(Clone, Debug)]
pub struct AbstractHeap {
    /// `main at list.c:15`, innermost call first.
    pub place: String,
    /// The same as file and line, if it is known.
    pub line: Option<(String, u32)>,
    pub sentences: Vec<String>,
    pub scene: Scene,
}

/// Reads the text of an abstract heap; `None` if it is none, as for a proof that speaks of numbers
/// only.
#[must_use]
pub fn abstract_heap(program: &Program, text: &str) -> Option<AbstractHeap> {
    let heap = parse(text).ok()?;
    let fields = Fields::of(program, &heap);
    let calls: Vec<(&str, Option<&str>)> = text
        .lines()
        .filter_map(|line| line.strip_prefix("in "))
        .map(|call| match call.split_once(" // ") {
            Some((call, place)) => (call.split(' ').next().unwrap_or(call), Some(place)),
            None => (call.split(' ').next().unwrap_or(call), None),
        })
        .collect();
    let described = calls.iter().rev().map(|(function, place)| match place {
        Some(place) => format!("{function} at {place}"),
        None => (*function).to_owned(),
    });
    let mut place = described.collect::<Vec<_>>().join(", called by ");
    if place.is_empty() {
        place = match &heap.outside {
            Some(outside) => format!("where a call of {} returns", outside.function),
            None => "somewhere".to_owned(),
        };
    }
    let line = calls.last().and_then(|(_, place)| {
        let (file, line) = (*place)?.rsplit_once(':')?;
        Some((file.to_owned(), line.parse().ok()?))
    });
    let sentences = sentences(&heap, &fields);
    let mut scene = scene(&heap, &fields);
    scene.title = format!("Every time: {place}");
    scene.notes.clone_from(&sentences);
    Some(AbstractHeap { place, line, sentences, scene })
}

fn scene(heap: &HeapText, fields: &Fields<'_>) -> Scene {
    let mut scene = Scene::default();
    if !heap.globals.is_empty() {
        scene.frames.push(frame("globals", None, &heap.globals, Look::Plain, (heap, fields)));
    }
    let innermost = heap.frames.len().saturating_sub(1);
    for (index, call) in heap.frames.iter().enumerate() {
        let look = if index == innermost { Look::Current } else { Look::Plain };
        let mut card =
            frame(&call.function, Some(&call.function), &call.variables, look, (heap, fields));
        card.rows.extend(
            call.objects
                .iter()
                .map(|(name, block)| Row::new(name, shown(&format!("&{block}"), heap))),
        );
        scene.frames.push(card);
    }
    for block in &heap.body.blocks {
        if let Shape::LastOf(whole) = &block.shape {
            scene.ends.push((block.name.clone(), whole.clone()));
            continue;
        }
        let is_read_only = matches!(block.nature, Nature::Function(_) | Nature::String(_));
        if is_read_only {
            continue;
        }
        add_block(&mut scene, heap, block, "", fields);
    }
    scene
}

fn frame(
    title: &str,
    function: Option<&str>,
    variables: &[(String, String)],
    look: Look,
    (heap, fields): (&HeapText, &Fields<'_>),
) -> Card {
    let row = |(name, term): &(String, String)| match term.as_str() {
        "0" if fields.is_pointer_variable(function, name) => Row::new(name, Shown::Null),
        term => Row::new(name, shown(term, heap)),
    };
    Card {
        id: format!("call {title}"),
        title: title.to_owned(),
        note: String::new(),
        kind: Kind::One,
        look,
        group: String::new(),
        rows: variables.iter().map(row).collect(),
        pills: Vec::new(),
    }
}

fn shown(term: &str, heap: &HeapText) -> Shown {
    match (reference(term), term) {
        (Some((name, offset)), _) => Shown::Link {
            target: name.to_owned(),
            inside: (offset > 0).then(|| format!("+{offset}")),
            is_stale: heap
                .body
                .blocks
                .iter()
                .any(|block| block.name == name && block.life != Life::Alive),
        },
        (None, "0") => Shown::Text("0".to_owned()),
        (None, term) => Shown::Text(short(term)),
    }
}

/// A term that fits into a row.
fn short(term: &str) -> String {
    let plain = plain_term(term);
    match plain.chars().count() {
        0..=22 => plain,
        _ => format!("{}…", plain.chars().take(21).collect::<String>()),
    }
}

/// A term in the words of C, as far as it has them: `<=s` is `<=`, `number.3` some number, which is
/// the same number in more bits.
pub(crate) fn plain_term(term: &str) -> String {
    let word = |word: &str| match word {
        "<=s" | "<=u" => "≤".to_owned(),
        "<s" | "<u" => "<".to_owned(),
        "!=" => "≠".to_owned(),
        word => without_width(&word.replace("number.", "n")),
    };
    term.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// `sext64(n3)` without its width.
fn without_width(word: &str) -> String {
    let widened = ["sext", "zext"].into_iter().find_map(|name| {
        let (before, behind) = word.split_once(name)?;
        let inner = behind.trim_start_matches(|digit: char| digit.is_ascii_digit());
        let (number, after) = inner.strip_prefix('(')?.split_once(')')?;
        Some(format!("{before}{number}{after}"))
    });
    widened.unwrap_or_else(|| word.to_owned())
}

/// A block, and below it what its nodes own.
fn add_block(
    scene: &mut Scene,
    heap: &HeapText,
    block: &BlockText,
    inside: &str,
    fields: &Fields<'_>,
) {
    let id = joined(inside, &block.name);
    let ty = fields.type_name(&id);
    let title = ty.clone().unwrap_or_else(|| format!("{} bytes", block.size));
    let mut card = Card {
        id: id.clone(),
        title,
        note: if inside.is_empty() { String::new() } else { "one each".to_owned() },
        kind: if inside.is_empty() { Kind::One } else { Kind::Many },
        look: if block.life == Life::Alive { Look::Plain } else { Look::Gone },
        group: ty.unwrap_or_else(|| format!("{} bytes", block.size)),
        rows: Vec::new(),
        pills: Vec::new(),
    };
    if block.life != Life::Alive {
        card.pills.push((Tone::Bad, "freed".to_owned()));
    }
    match &block.shape {
        Shape::Plain(cells) => {
            for cell in cells {
                let name = fields.name(&id, cell.offset);
                card.rows.push(Row::new(
                    name,
                    cell_shown(fields, &id, cell.offset, &cell.value, heap, inside),
                ));
            }
            if block.is_zeroed {
                card.rows.push(Row::new("the rest", Shown::Text("0".to_owned())));
            }
            card.rows.extend(elements_of(heap, &block.name));
        }
        Shape::LastOf(_) => {}
        Shape::List(list) => list_rows(&mut card, list, (heap, fields), inside),
        Shape::Tree(tree) => tree_rows(&mut card, tree, (heap, fields), inside),
        Shape::Instance(instance) => instance_rows(&mut card, instance, heap),
        Shape::Row(row) => {
            row_card(&mut card, row, &|term| cell_shown(fields, &id, 0, term, heap, &id));
        }
        Shape::Slot(slot) => {
            "element".clone_into(&mut card.title);
            for cell in &slot.cells {
                let value = cell_shown(fields, &id, cell.offset, &cell.value, heap, inside);
                card.rows.push(Row::new("leads to", value));
            }
        }
    }
    scene.cards.push(card);
    add_owned(scene, heap, &id, block.kinds(), fields);
}

/// What an instance of a user's predicate is.
fn instance_rows(card: &mut Card, instance: &InstanceText, heap: &HeapText) {
    card.kind = Kind::Many;
    card.note = instance.predicate.clone();
    for (index, argument) in instance.arguments.iter().enumerate() {
        card.rows.push(Row::new(format!("argument {}", index + 1), shown(argument, heap)));
    }
    if let Some(hole) = &instance.hole {
        card.rows.push(Row::new(format!("without {}", hole.predicate), shown(&hole.end, heap)));
    }
}

/// What a segment of a list is.
fn list_rows(
    card: &mut Card,
    list: &ListText,
    (heap, fields): (&HeapText, &Fields<'_>),
    inside: &str,
) {
    let id = &card.id.clone();
    card.kind = Kind::Many;
    let (minimum, noun) = (list.minimum, fields.noun(id));
    card.pills.push((Tone::Fact, format!("n ≥ {minimum} × {noun}")));
    if let Some(order) = &list.order {
        card.pills.push((Tone::Fact, order_pill(order, fields, id)));
    }
    if let Some(length) = &list.length {
        card.pills.push((Tone::Fact, format!("n = {length}")));
    }
    for spelling in &list.spellings {
        let name = fields.name(id, spelling.offset);
        card.pills.push((Tone::Fact, format!("{name}: {}", pieces_shown(spelling))));
    }
    let (next, previous) = links(&list.kinds);
    node_rows(card, heap, id, &list.kinds, fields);
    let next = next.map_or("next".to_owned(), |offset| fields.name(id, offset));
    let last = Row::new(format!("last {next}"), end_shown(&list.end, heap, inside));
    card.rows.push(Row { is_ahead: true, ..last });
    if let Some(back) = &list.back {
        let name = previous.map_or("prev".to_owned(), |offset| fields.name(id, offset));
        card.rows.push(Row::new(format!("first {name}"), end_shown(back, heap, inside)));
    }
}

/// How nodes are related to those below them.
fn relation_pill(relation: RelationText, key: &str) -> String {
    match relation {
        RelationText::Greater => format!("{key} falls strictly, top down"),
        RelationText::AtLeast => format!("{key} never grows, top down"),
        RelationText::Less => format!("{key} grows strictly, top down"),
        RelationText::AtMost => format!("{key} never falls, top down"),
        RelationText::NonzeroOverZero => format!("nonzero {key} only over zero"),
        RelationText::ZeroOverNonzero => format!("zero {key} only over nonzero"),
        RelationText::OneMore => format!("{key} falls by one, top down"),
    }
}

/// What a tree is.
fn tree_rows(
    card: &mut Card,
    tree: &TreeText,
    (heap, fields): (&HeapText, &Fields<'_>),
    inside: &str,
) {
    let id = &card.id.clone();
    card.kind = Kind::Tree;
    let names: Vec<String> = tree.children.iter().map(|offset| fields.name(id, *offset)).collect();
    let size = if tree.may_be_empty { "tree of any size, or none" } else { "tree of any size" };
    card.pills.push((Tone::Fact, size.to_owned()));
    if let Some(sorted) = &tree.order {
        let order = order_pill(&sorted.order, fields, id);
        card.pills.push((Tone::Fact, format!("{order}, left to right")));
    }
    for one in &tree.downward {
        let key = fields.name(id, one.offset);
        for relation in strongest(&one.relations) {
            card.pills.push((Tone::Fact, relation_pill(relation, &key)));
        }
    }
    card.pills.extend(crate::measured_trees::measure_pills(fields, id, tree));
    for name in names {
        let leaf = if tree.leaf.is_some() { "tree or sentinel" } else { "tree or NULL" };
        card.rows.push(Row::new(name, Shown::Remark(leaf.to_owned())));
    }
    node_rows(card, heap, id, &tree.kinds, fields);
    if let Some(offset) = tree.parent {
        let name = fields.name(id, offset);
        card.rows.push(Row::new(name, Shown::Remark("its parent".to_owned())));
    }
    if let Some(end) = &tree.end {
        card.rows.push(Row::new("below it", end_shown(end, heap, inside)));
    }
    if let Some(leaf) = &tree.leaf {
        card.rows.push(Row::new("sentinel", end_shown(leaf, heap, inside)));
    }
    if let Some(back) = &tree.back {
        card.rows.push(Row::new("above it", end_shown(back, heap, inside)));
    }
}

fn end_shown(term: &str, heap: &HeapText, inside: &str) -> Shown {
    match reference(term) {
        Some((name, _)) if !inside.is_empty() && !is_outside(heap, name) => {
            Shown::Link { target: joined(inside, name), inside: None, is_stale: false }
        }
        _ if term == "0" => Shown::Null,
        _ => shown(term, heap),
    }
}

/// Whether a name that stands in a node is that of a block beside the whole, not of one that the node owns.
fn is_outside(heap: &HeapText, name: &str) -> bool {
    heap.body.blocks.iter().any(|block| block.name == name)
}

fn cell_shown(
    fields: &Fields<'_>,
    id: &str,
    offset: u64,
    term: &str,
    heap: &HeapText,
    inside: &str,
) -> Shown {
    let is_pointer = fields.field(id, offset).is_some_and(|(_, ty)| fields.is_pointer(ty));
    let bare = term.rsplit('.').next().unwrap_or(term);
    match (reference(term), bare) {
        (Some((name, _)), _) if !inside.is_empty() && !is_outside(heap, name) => {
            Shown::Link { target: joined(inside, name), inside: None, is_stale: false }
        }
        (Some(_), _) => shown(term, heap),
        (None, "0") if is_pointer => Shown::Null,
        (None, "next") => Shown::Remark(format!("{} after it", fields.noun(id))),
        (None, "previous") => Shown::Remark(format!("{} before it", fields.noun(id))),
        (None, _) => shown(term, heap),
    }
}

/// Where nodes have their neighbours.
fn links(kinds: &[KindText]) -> (Option<u64>, Option<u64>) {
    let cells =
        kinds.iter().filter_map(|kind| kind.body.blocks.first()).flat_map(|node| {
            match &node.shape {
                Shape::Plain(cells) => cells.as_slice(),
                Shape::Slot(slot) => slot.cells.as_slice(),
                Shape::LastOf(_)
                | Shape::List(_)
                | Shape::Tree(_)
                | Shape::Instance(_)
                | Shape::Row(_) => &[],
            }
        });
    let cells: Vec<_> = cells.collect();
    let find = |word: &str| {
        cells
            .iter()
            .find(|cell| cell.value.rsplit('.').next() == Some(word))
            .map(|cell| cell.offset)
    };
    (find("next"), find("previous"))
}

/// Rows of what every node has; where kinds differ, what each has.
fn node_rows(card: &mut Card, heap: &HeapText, id: &str, kinds: &[KindText], fields: &Fields<'_>) {
    let mut rows: Vec<(u64, Vec<Shown>)> = Vec::new();
    for node in kinds.iter().filter_map(|kind| kind.body.blocks.first()) {
        let Shape::Plain(cells) = &node.shape else { continue };
        for cell in cells {
            let value = cell_shown(fields, id, cell.offset, &cell.value, heap, id);
            match rows.iter_mut().find(|(offset, _)| *offset == cell.offset) {
                Some((_, values)) if values.contains(&value) => {}
                Some((_, values)) => values.push(value),
                None => rows.push((cell.offset, vec![value])),
            }
        }
    }
    rows.sort_by_key(|(offset, _)| *offset);
    for (offset, values) in rows {
        let value = match values.as_slice() {
            [value] => value.clone(),
            _ => {
                let texts: Vec<&str> =
                    values.iter().map(Shown::text).filter(|it| !it.is_empty()).collect();
                Shown::Remark(texts.join(" or "))
            }
        };
        card.rows.push(Row::new(fields.name(id, offset), value));
    }
}

fn add_owned(
    scene: &mut Scene,
    heap: &HeapText,
    id: &str,
    kinds: &[KindText],
    fields: &Fields<'_>,
) {
    let mut seen: Vec<&str> = Vec::new();
    for block in kinds.iter().flat_map(|kind| kind.body.blocks.iter().skip(1)) {
        if let Shape::LastOf(whole) = &block.shape {
            scene.ends.push((joined(id, &block.name), joined(id, whole)));
        } else if !seen.contains(&block.name.as_str()) {
            seen.push(&block.name);
            add_block(scene, heap, block, id, fields);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::plain_term;

    #[test]
    fn terms_are_told_in_the_words_of_c() {
        assert_eq!(plain_term("(sext64(number.3) << 2) == number.4"), "(n3 << 2) == n4");
        assert_eq!(plain_term("0 <=s number.12"), "0 ≤ n12");
        assert_eq!(plain_term("zext64(input.1)"), "input.1");
        assert_eq!(plain_term("sext64((number.1 + 1))"), "sext64((n1 + 1))");
    }
}
