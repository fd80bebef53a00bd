//! Every rule and every update of the built-in classes on all heaps of up to four blocks.
//!
//! A class is tried on the links that its families speak of together, the others being null; blocks but the one
//! that the pointer leads to are interchangeable, so one heap of each kind is enough.

use heapwright_three_valued::class::{Instance, Library, Selection};
use heapwright_three_valued::{Coerced, Kleene, NULL, Node, Structure, nodes_of};

/// The links that families of each class speak of together.
const LISTS: [(&str, &[&str]); 2] = [("list", &["next"]), ("dlist", &["next", "prev"])];
const TREES: [(&str, &[&str]); 3] =
    [("ptree", &["left", "right"]), ("ptree", &["left", "up"]), ("ptree", &["right", "up"])];

fn instance(class: &str) -> (Instance, Vec<String>) {
    let library = Library::built_in();
    let class = library.class(class).expect("built in");
    let families = vec![true; class.families.len()];
    let pointers = vec![("x".to_owned(), true)];
    let selection = Selection { families, pointers, ..Selection::default() };
    (Instance::of(class, &selection).expect("it fits"), class.roles.clone())
}

/// Where each link of each block leads, by block: null or a block, all ways.
struct Ways {
    blocks: usize,
    places: usize,
    next: Option<Vec<Node>>,
}

impl Iterator for Ways {
    type Item = Vec<Node>;

    fn next(&mut self) -> Option<Vec<Node>> {
        let current = self.next.take()?;
        let mut following = current.clone();
        for place in 0..self.places {
            // Null is 0 and blocks begin at 2.
            following[place] = if following[place] == NULL { 2 } else { following[place] + 1 };
            if following[place] < self.blocks + 2 {
                self.next = Some(following);
                break;
            }
            following[place] = NULL;
        }
        Some(current)
    }
}

fn ways(blocks: usize, places: usize) -> Ways {
    Ways { blocks, places, next: Some(vec![NULL; places]) }
}

/// The orders of the blocks behind the first one.
fn orders(blocks: usize) -> Vec<Vec<Node>> {
    if blocks == 0 {
        return vec![vec![0, 1]];
    }
    if blocks == 1 {
        return vec![vec![0, 1, 2]];
    }
    let mut found = Vec::new();
    for order in orders(blocks - 1) {
        for at in 3..=order.len() {
            let mut longer = order.clone();
            longer.insert(at, blocks + 1);
            found.push(longer);
        }
    }
    found
}

/// Whether no heap that differs in the order of its blocks alone comes before.
fn is_first(way: &[Node], blocks: usize, orders: &[Vec<Node>]) -> bool {
    let links = way.len() / blocks.max(1);
    orders.iter().all(|order| {
        let mut other = vec![NULL; way.len()];
        for (place, &target) in way.iter().enumerate() {
            let (block, link) = (place / links, place % links);
            other[(order[block + 2] - 2) * links + link] = order[target];
        }
        way <= &other[..]
    })
}

/// Tries all heaps with so many blocks; gives the number of heaps and of stores.
fn try_all(class: &str, links: &[&str], blocks: usize) -> (usize, usize) {
    let (instance, roles) = instance(class);
    let role = |name: &&str| roles.iter().position(|role| role == name).expect("a role");
    let tried: Vec<usize> = links.iter().map(role).collect();
    let orders = orders(blocks);
    let (mut heaps, mut stores) = (0, 0);
    for way in ways(blocks, blocks * tried.len()).filter(|it| is_first(it, blocks, &orders)) {
        let heap = heap(&instance, blocks, (&tried, &way));
        let mut coerced = heap.clone();
        let end = instance.coerce(&mut coerced);
        assert!(matches!(end, Coerced::Possible { .. }) && coerced == heap, "{class}: {way:?}");
        heaps += 1;
        for source in nodes_of(heap.blocks()) {
            for &role in &tried {
                for target in nodes_of(heap.blocks() | 1 << NULL) {
                    let mut stored = heap.clone();
                    instance.store(&mut stored, source, role, target);
                    let mut meant = stored.clone();
                    instance.define(&mut meant);
                    assert_eq!(stored, meant, "{class}: {way:?}, {source}.{role} = {target}");
                    stores += 1;
                }
            }
        }
    }
    (heaps, stores)
}

fn heap(instance: &Instance, blocks: usize, (tried, way): (&[usize], &[Node])) -> Structure {
    let mut heap = Structure::new(&instance.vocabulary, blocks);
    let pointed = if blocks == 0 { NULL } else { 2 };
    heap.set_unary(instance.pointers[0], pointed, Kleene::True);
    for block in nodes_of(heap.blocks()) {
        for (role, &link) in instance.links.iter().enumerate() {
            let place = tried.iter().position(|it| *it == role);
            let target = place.map_or(NULL, |place| way[(block - 2) * tried.len() + place]);
            heap.set_binary(link, block, target, Kleene::True);
        }
    }
    instance.define(&mut heap);
    heap
}

fn try_up_to(cases: &[(&str, &[&str])], blocks: usize) -> (usize, usize) {
    let tried = cases
        .iter()
        .flat_map(|(class, links)| (0..=blocks).map(move |blocks| try_all(class, links, blocks)));
    tried.fold((0, 0), |sum, more| (sum.0 + more.0, sum.1 + more.1))
}

#[test]
fn of_up_to_three_blocks() {
    assert_eq!(try_up_to(&LISTS, 3), (2_214, 51_398));
    assert_eq!(try_up_to(&TREES, 3), (6_498, 152_724));
}

#[test]
#[ignore = "takes a minute of processor time"]
fn of_up_to_four_blocks() {
    assert_eq!(try_up_to(&LISTS, 4), (68_494, 2_699_998));
    assert_eq!(try_up_to(&TREES, 4), (204_948, 8_090_724));
}
