//! What statements do to a heap: pointers, links, blocks.

use crate::formula::{Assignment, Evaluator, NOWHERE};
use crate::heap::{Heap, NULL, Node, WILD};
use crate::meaning::{Defined, Effect, Event, Meaning, NEW, OLD, SOURCE};
use crate::news::News;
use crate::read_formula::Symbol;
use crate::sharpen::{Impossible, sharpen, sharpen_by, sharpen_since, table, value_mut};
use crate::truth::Truth;

/// A pointer leads to this node now.
pub(crate) fn point(heap: &mut Heap, meaning: &Meaning, pointer: usize, target: Node) {
    let row = &heap.unary[pointer];
    let is_there =
        row[target] == Truth::Yes && row.iter().filter(|it| **it != Truth::No).count() == 1;
    if is_there {
        return;
    }
    heap.unary[pointer].fill(Truth::No);
    heap.unary[pointer][target] = Truth::Yes;
    for defined in meaning.defined.iter().filter(|it| it.pointer == Some(pointer)) {
        define(heap, defined);
    }
}

/// Gives a predicate the value of its definition everywhere.
pub(crate) fn define(heap: &mut Heap, defined: &Defined) {
    for (arguments, value) in table(heap, defined.symbol, &defined.definition, NOWHERE) {
        *value_mut(heap, defined.symbol, arguments) = value;
    }
}

/// Everything that depends on a link is computed anew.
pub(crate) fn define_all_of(heap: &mut Heap, meaning: &Meaning, link: usize) {
    for defined in meaning.defined.iter().filter(|it| it.links.contains(&link)) {
        define(heap, defined);
    }
}

/// The heaps in which a link of a single block leads to one certain single node.
pub(crate) fn targets(
    heap: &Heap,
    meaning: &Meaning,
    link: usize,
    from: Node,
) -> Vec<(Heap, Node)> {
    let row = &heap.binary[link][from];
    let certain: Vec<Node> = (0..row.len()).filter(|&node| row[node] == Truth::Yes).collect();
    if let [target] = certain[..]
        && !heap.is_many[target]
        && Heap::chances(row).len() == 1
    {
        // Nothing is new: what could be decided is decided.
        return vec![(heap.clone(), target)];
    }
    let candidates = if certain.is_empty() { Heap::chances(row) } else { certain };
    let mut found = Vec::new();
    let mut keep = |mut heap: Heap, target: Node| {
        heap.is_many[target] = false;
        heap.lead(link, from, target);
        // A copy of a node has the values of the node; only that the two differ is new.
        let news = News::none(&heap).with(Symbol::Binary(link));
        if let Ok(()) = sharpen_by(&mut heap, meaning, news) {
            found.push((heap, target));
        }
    };
    for target in candidates {
        keep(heap.clone(), target);
        // One of several: the others stay behind in a node of their own.
        if heap.is_many[target] && row[target] == Truth::Maybe {
            keep(heap.with_copy(target).0, target);
        }
    }
    found
}

/// The heaps after a link of a single block was set to a single node.
pub(crate) fn store(
    heap: &Heap,
    meaning: &Meaning,
    (source, link): (Node, usize),
    (target, behind): (Node, Behind),
) -> Vec<Heap> {
    let leads_to_blocks = heap.blocks().any(|node| heap.binary[link][source][node] != Truth::No);
    let befores = match leads_to_blocks {
        true => {
            let focused = targets(heap, meaning, link, source).into_iter();
            focused.flat_map(|it| told_apart(it, meaning, link, behind)).collect()
        }
        // Nothing depends on which of the others it held.
        false => vec![heap.clone()],
    };
    let mut found = Vec::new();
    for before in befores {
        let mut heap = before.clone();
        set_link(&mut heap, meaning, (source, link), target);
        if let Ok(()) = sharpen_since(&mut heap, meaning, &before) {
            found.push(heap);
        }
    }
    found
}

/// Whether it is told apart what the block reaches that a link led to before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Behind {
    ToldApart,
    #[default]
    Open,
}

/// The heaps in which it is certain which blocks lie behind a node, for predicates that say so.
fn told_apart(
    (heap, old): (Heap, Node),
    meaning: &Meaning,
    link: usize,
    behind: Behind,
) -> Vec<Heap> {
    if behind == Behind::Open || !heap.is_block(old) {
        return vec![heap];
    }
    let paths = crate::leaks::paths(meaning);
    let closures = meaning.defined.iter().filter_map(|defined| match defined.symbol {
        Symbol::Binary(path) if paths.contains(&path) && defined.links.contains(&link) => {
            defined.definition.has_path().then_some(path)
        }
        Symbol::Binary(_) | Symbol::Unary(_) => None,
    });
    let closures: Vec<usize> = closures.collect();
    let mut found = Vec::new();
    let mut pending = vec![heap];
    while let Some(heap) = pending.pop() {
        let is_open = |&(path, node): &(usize, Node)| heap.binary[path][old][node] == Truth::Maybe;
        let mut pairs =
            closures.iter().flat_map(|&path| heap.blocks().map(move |node| (path, node)));
        let Some((path, node)) = pairs.find(is_open) else {
            found.push(heap);
            continue;
        };
        let mut keep = |mut heap: Heap, values: &[(Node, Truth)]| {
            for (node, value) in values {
                heap.binary[path][old][*node] = *value;
            }
            let news = News::none(&heap).with(Symbol::Binary(path));
            if let Ok(()) = sharpen_by(&mut heap, meaning, news) {
                pending.push(heap);
            }
        };
        keep(heap.clone(), &[(node, Truth::No)]);
        keep(heap.clone(), &[(node, Truth::Yes)]);
        if heap.is_many[node] {
            let (parted, other) = heap.with_copy(node);
            keep(parted, &[(node, Truth::Yes), (other, Truth::No)]);
        }
    }
    found
}

/// Sets a link that leads to one certain node, or to no block, by the changes that predicates tell.
pub(crate) fn set_link(
    heap: &mut Heap,
    meaning: &Meaning,
    (source, link): (Node, usize),
    target: Node,
) {
    let mut at = NOWHERE;
    at[SOURCE] = source;
    let old = heap.blocks().find(|&node| heap.binary[link][source][node] == Truth::Yes);
    heap.lead(link, source, NULL);
    if let Some(old) = old {
        at[OLD] = old;
        change(heap, meaning, (Event::Remove, link), at);
    }
    heap.lead(link, source, target);
    if heap.is_block(target) {
        at[NEW] = target;
        change(heap, meaning, (Event::Add, link), at);
    }
}

pub(crate) fn change(
    heap: &mut Heap,
    meaning: &Meaning,
    (event, link): (Event, usize),
    at: Assignment,
) {
    for defined in meaning.defined.iter().filter(|it| it.links.contains(&link)) {
        let fitting = defined.changes.iter().find(|change| {
            let is_certain = change
                .when
                .as_ref()
                .is_none_or(|when| Evaluator::new(heap).value(when, &mut at.clone()) == Truth::Yes);
            change.event == event && change.link == link && is_certain
        });
        match fitting.map(|change| &change.effect) {
            None => define(heap, defined),
            Some(Effect::Becomes(formula)) => {
                for (arguments, value) in table(heap, defined.symbol, formula, at) {
                    *value_mut(heap, defined.symbol, arguments) = value;
                }
            }
            Some(Effect::AnewWhere(place)) => {
                let places = table(heap, defined.symbol, place, at);
                let meant = table(heap, defined.symbol, &defined.definition, NOWHERE);
                for ((arguments, place), (_, meant)) in places.into_iter().zip(meant) {
                    let value = value_mut(heap, defined.symbol, arguments);
                    *value = match place {
                        Truth::Yes => meant,
                        Truth::No => *value,
                        Truth::Maybe if meant == *value => meant,
                        Truth::Maybe => Truth::Maybe,
                    };
                }
            }
        }
    }
}

/// What the links of a new block hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum First {
    /// Null, or what leads to no block.
    Anything,
    Null,
}

/// A new block that nothing leads to; these links are its own, the others null.
pub(crate) fn allocate(
    heap: &Heap,
    meaning: &Meaning,
    mark: usize,
    (own, first): (&[usize], First),
) -> Result<(Heap, Node), Impossible> {
    let (mut heap, node) = heap.with_block();
    heap.unary[mark][node] = Truth::Yes;
    for link in 0..meaning.links {
        heap.lead(link, node, NULL);
        if own.contains(&link) && first == First::Anything {
            heap.binary[link][node][NULL] = Truth::Maybe;
            heap.binary[link][node][WILD] = Truth::Maybe;
        }
    }
    for defined in &meaning.defined {
        for (arguments, value) in table(&heap, defined.symbol, &defined.definition, NOWHERE) {
            let is_about_it = match defined.symbol {
                Symbol::Unary(_) => arguments.0 == node,
                Symbol::Binary(_) => arguments.0 == node || arguments.1 == node,
            };
            if is_about_it {
                *value_mut(&mut heap, defined.symbol, arguments) = value;
            }
        }
    }
    sharpen(&mut heap, meaning)?;
    Ok((heap, node))
}
