//! Random small heaps as text: lists of many forms, what their nodes hold, and some mischief. Trees
//! are in a file of their own.

use std::fmt::Write;

use super::trees::TreePlan;

/// Numbers that look random: splitmix64.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d))
    }

    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound as u64) as usize
    }

    fn one_in(&mut self, bound: usize) -> bool {
        self.below(bound) == 0
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Payload {
    None,
    Null,
    Shared,
    Private,
    Optional,
    Freed,
    SomeFreed,
    /// A list of its own, of any length.
    List,
    /// The same, and its items point back to the node.
    ListWithOwner,
}

const PAYLOADS: [Payload; 9] = [
    Payload::None,
    Payload::Null,
    Payload::Shared,
    Payload::Private,
    Payload::Optional,
    Payload::Freed,
    Payload::SomeFreed,
    Payload::List,
    Payload::ListWithOwner,
];

/// The form of a list, without its length; or of a tree.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) tree: Option<TreePlan>,
    is_double: bool,
    is_circular: bool,
    /// Links point behind the numbers of the node.
    is_intrusive: bool,
    payload: Payload,
    /// How many different numbers there are in nodes; none for nodes without numbers.
    numbers: usize,
    /// Some nodes are larger than others.
    is_mixed: bool,
    /// The first node is held by a block, not by a variable.
    is_anchored: bool,
    holds_tail: bool,
    /// A variable holds some block, other than the first.
    holds_other: bool,
    /// Chances are one in so many that a cell points anywhere.
    mischief: Option<usize>,
    longest: usize,
}

/// A block as it is written: its size, whether it is freed, where it is made, its cells.
struct Written {
    size: u64,
    is_freed: bool,
    origin: u32,
    /// Offset, size and value.
    cells: Vec<(u64, u64, String)>,
}

impl Plan {
    /// Of a tree whose numbers fall from above to below, or change between two.
    pub(super) fn of_falling_tree(random: &mut Random) -> Plan {
        let tree = Some(TreePlan::falling(random));
        Plan { tree, ..Plan::new(random) }
    }

    /// Of a tree whose nodes hold how many or how high they are.
    pub(super) fn of_measured_tree(random: &mut Random) -> Plan {
        let tree = Some(TreePlan::measured(random));
        Plan { tree, ..Plan::new(random) }
    }

    /// Of a tree whose leaves are one block.
    pub(super) fn of_tree_with_sentinel(random: &mut Random) -> Plan {
        let tree = TreePlan::new(random).orderly().with_sentinel(random);
        Plan { tree: Some(tree), ..Plan::new(random) }
    }

    /// Of a tree.
    pub(super) fn of_tree(random: &mut Random) -> Plan {
        let tree = Some(TreePlan::new(random).orderly());
        Plan { tree, ..Plan::new(random) }
    }

    /// Of a tree that is sorted.
    pub(super) fn of_sorted_tree(random: &mut Random) -> Plan {
        let tree = Some(TreePlan::sorted(random));
        Plan { tree, ..Plan::new(random) }
    }

    pub(super) fn new(random: &mut Random) -> Plan {
        let tree = random.one_in(3).then(|| TreePlan::new(random));
        Plan {
            tree,
            is_double: random.one_in(2),
            is_circular: random.one_in(5),
            is_intrusive: random.one_in(4),
            payload: PAYLOADS[random.below(PAYLOADS.len())],
            numbers: random.below(4),
            is_mixed: random.one_in(4),
            is_anchored: random.one_in(2),
            holds_tail: random.one_in(3),
            holds_other: random.one_in(4),
            mischief: random.one_in(3).then(|| 4 + random.below(12)),
            longest: 1 + random.below(5),
        }
    }

    /// Most often without mischief, so that two heaps are of one shape.
    pub(super) fn mostly_orderly(random: &mut Random) -> Plan {
        let plan = Plan::new(random);
        if random.one_in(4) {
            return plan;
        }
        let tree = plan.tree.map(TreePlan::orderly);
        Plan { tree, mischief: None, holds_other: false, ..plan }
    }

    /// The same form, but nodes may hold something else.
    pub(super) fn varied(&self, random: &mut Random) -> Plan {
        let payload = if random.one_in(2) { self.payload } else { PAYLOADS[random.below(9)] };
        let tree = self.tree.as_ref().map(|tree| tree.varied(random));
        Plan { tree, payload, ..self.clone() }
    }

    /// A heap of this form, as the text of a state.
    pub(super) fn heap(&self, random: &mut Random) -> String {
        if let Some(tree) = &self.tree {
            return tree.heap(random);
        }
        let length = random.below(self.longest + 1);
        let mut blocks: Vec<Written> = Vec::new();
        let head = if self.is_intrusive { 8 } else { 0 };
        let link = |node: usize| match head {
            0 => format!("&b{}", 100 + node),
            _ => format!("&b{} + {head}", 100 + node),
        };
        for node in 0..length {
            let mut cells = Vec::new();
            let next = match (node + 1 < length, self.is_circular) {
                (true, _) => link(node + 1),
                (false, true) => link(0),
                (false, false) => "0".to_owned(),
            };
            cells.push((8, 8, next));
            if self.is_double {
                let previous = match (node > 0, self.is_circular) {
                    (true, _) => link(node - 1),
                    (false, true) => link(length - 1),
                    (false, false) => "0".to_owned(),
                };
                cells.push((16, 8, previous));
            }
            if self.numbers > 0 {
                cells.push((0, 4, random.below(self.numbers).to_string()));
            }
            let is_large = self.is_mixed && random.one_in(2);
            let (size, origin) = if is_large { (48, 2) } else { (32, 1) };
            blocks.push(Written { size, is_freed: false, origin, cells });
        }
        for node in 0..length {
            if let Some(value) = self.hold(random, node, &mut blocks) {
                blocks[node].cells.push((24, 8, value));
            }
        }
        if self.is_anchored {
            let first = if length > 0 { link(0) } else { "0".to_owned() };
            let cells = vec![(0, 8, first)];
            blocks.push(Written { size: 8, is_freed: false, origin: 3, cells });
        }
        self.mischief(random, &mut blocks);
        self.text(random, &blocks, length, &link)
    }

    /// What a node holds, and the blocks that come with it.
    fn hold(&self, random: &mut Random, node: usize, blocks: &mut Vec<Written>) -> Option<String> {
        let data = |is_freed: bool| {
            let cells = vec![(0, 4, "7".to_owned())];
            Written { size: 16, is_freed, origin: 2, cells }
        };
        let name = |index: usize| format!("&b{}", 100 + index);
        let next = blocks.len();
        match self.payload {
            Payload::None => return None,
            Payload::Null => return Some("0".to_owned()),
            Payload::Optional if random.one_in(2) => return Some("0".to_owned()),
            Payload::Shared => {
                let known = blocks[0].cells.iter().find(|(offset, ..)| *offset == 24);
                if let Some((_, _, value)) = known.filter(|_| node > 0) {
                    return Some(value.clone());
                }
                blocks.push(data(false));
            }
            Payload::Private | Payload::Optional => blocks.push(data(false)),
            Payload::Freed => blocks.push(data(true)),
            Payload::SomeFreed => {
                let is_freed = random.one_in(2);
                blocks.push(data(is_freed));
            }
            Payload::List | Payload::ListWithOwner => {
                let length = random.below(4);
                for item in 0..length {
                    let onward = next + item + 1;
                    let onward = if item + 1 < length { name(onward) } else { "0".to_owned() };
                    let mut cells = vec![(0, 8, onward)];
                    if self.payload == Payload::ListWithOwner {
                        cells.push((8, 8, name(node)));
                    } else if self.numbers > 0 {
                        cells.push((8, 4, random.below(self.numbers).to_string()));
                    }
                    blocks.push(Written { size: 16, is_freed: false, origin: 3, cells });
                }
                if length == 0 {
                    return Some("0".to_owned());
                }
            }
        }
        Some(name(next))
    }

    /// Pointers that point anywhere, and blocks that are freed while they are held.
    fn mischief(&self, random: &mut Random, blocks: &mut [Written]) {
        let Some(chance) = self.mischief else { return };
        let count = blocks.len();
        for block in blocks.iter_mut() {
            for (_, size, value) in &mut block.cells {
                if *size == 8 && random.one_in(chance) {
                    *value = match random.below(4) {
                        0 => "0".to_owned(),
                        1 => format!("&b{} + 8", 100 + random.below(count)),
                        _ => format!("&b{}", 100 + random.below(count)),
                    };
                }
            }
            if random.one_in(3 * chance) {
                block.is_freed = true;
            }
        }
    }

    fn text(
        &self,
        random: &mut Random,
        blocks: &[Written],
        length: usize,
        link: &dyn Fn(usize) -> String,
    ) -> String {
        let mut text = String::new();
        let null = "0".to_owned();
        let head = match (self.is_anchored, length) {
            (true, _) => format!("&b{}", 99 + blocks.len()),
            (false, 0) => null.clone(),
            (false, _) => link(0),
        };
        let _ = writeln!(text, "global head = {head}");
        let tail = if self.holds_tail && length > 0 { link(length - 1) } else { null.clone() };
        let _ = writeln!(text, "global tail = {tail}");
        let other = if self.holds_other && !blocks.is_empty() {
            format!("&b{}", 100 + random.below(blocks.len()))
        } else {
            null
        };
        // A number that nodes may have as well, or may be less than.
        let count = random.below(self.numbers + 2);
        let _ = writeln!(text, "global other = {other}\nglobal count = {count}");
        for (index, Written { size, is_freed, origin, cells }) in blocks.iter().enumerate() {
            let freed = if *is_freed { ", freed" } else { "" };
            let id = 100 + index;
            let _ = writeln!(text, "b{id}: heap, {size} bytes{freed}, made at o{origin}");
            // What is freed holds nothing.
            for (offset, size, value) in cells.iter().filter(|_| !is_freed) {
                let _ = writeln!(text, "  +{offset}/{size} = {value}");
            }
        }
        for origin in 1..=3 {
            let _ = writeln!(text, "origin o{origin}: main L{}", origin - 1);
        }
        text
    }
}
