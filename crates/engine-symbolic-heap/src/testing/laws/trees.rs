//! Random small heaps with trees: nodes with two links, with or without one to the parent.

use std::fmt::Write;

use super::heaps::Random;

/// The form of a tree, without its size.
#[derive(Clone, Debug)]
pub(super) struct TreePlan {
    has_parents: bool,
    is_intrusive: bool,
    numbers: usize,
    /// Numbers are sorted from left to right; this far apart.
    sorted: Option<usize>,
    /// Numbers fall by so much at each step down; where it is nothing, they change between one and zero.
    falls: Option<usize>,
    /// The numbers are measures of what hangs at a node.
    holds: Option<Holds>,
    /// Each node owns a block, or some do.
    owns: Owns,
    /// Chances are one in so many that a cell points anywhere.
    mischief: Option<usize>,
    /// A variable points to some node, so that there is a hole.
    has_cursor: bool,
    /// A block holds the root, not a variable.
    is_anchored: bool,
    largest: usize,
    /// Links that lead to no node lead to one block.
    sentinel: Option<Sentinel>,
}

/// Who else leads to the sentinel of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sentinel {
    Nobody,
    Variable,
    /// A variable, and it has some node as its parent.
    VariableWithParent,
}

/// The name of the sentinel.
const SENTINEL: &str = "&b90";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owns {
    Nothing,
    Block,
    Sometimes,
    BlockWithOwner,
}

/// What the nodes of a tree hold of what hangs there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holds {
    Height,
    HeightLessOne,
    Size,
}

struct Node {
    links: [Option<usize>; 2],
    parent: Option<usize>,
}

impl TreePlan {
    pub(super) fn new(random: &mut Random) -> TreePlan {
        let owns = [Owns::Nothing, Owns::Block, Owns::Sometimes, Owns::BlockWithOwner];
        TreePlan {
            has_parents: random.below(2) == 0,
            is_intrusive: random.below(4) == 0,
            numbers: random.below(3),
            sorted: None,
            falls: None,
            holds: None,
            owns: owns[random.below(4)],
            mischief: (random.below(3) == 0).then(|| 4 + random.below(12)),
            has_cursor: random.below(2) == 0,
            is_anchored: random.below(4) == 0,
            largest: 3 + random.below(6),
            sentinel: match random.below(9) {
                0 => Some(Sentinel::Nobody),
                1 => Some(Sentinel::Variable),
                2 => Some(Sentinel::VariableWithParent),
                _ => None,
            },
        }
    }

    /// The same form with a sentinel.
    pub(super) fn with_sentinel(self, random: &mut Random) -> TreePlan {
        let all = [Sentinel::Nobody, Sentinel::Variable, Sentinel::VariableWithParent];
        TreePlan { sentinel: Some(all[random.below(3)]), ..self }
    }

    /// A form of trees that are sorted, mostly with different numbers.
    pub(super) fn sorted(random: &mut Random) -> TreePlan {
        let plan = TreePlan { numbers: 0, owns: Owns::Nothing, ..TreePlan::new(random) };
        TreePlan { sorted: Some(random.below(4)), largest: 9, ..plan.orderly() }
    }

    /// A form of trees whose numbers fall from above to below.
    pub(super) fn falling(random: &mut Random) -> TreePlan {
        let plan = TreePlan { numbers: 0, owns: Owns::Nothing, ..TreePlan::new(random) };
        TreePlan { falls: Some(random.below(4)), largest: 9, ..plan.orderly() }
    }

    /// A form of trees whose nodes hold measures.
    pub(super) fn measured(random: &mut Random) -> TreePlan {
        let plan = TreePlan { numbers: 0, owns: Owns::Nothing, ..TreePlan::new(random) };
        let holds = [Holds::Height, Holds::HeightLessOne, Holds::Size];
        TreePlan { holds: Some(holds[random.below(3)]), largest: 7, ..plan.orderly() }
    }

    /// The same form without mischief.
    pub(super) fn orderly(self) -> TreePlan {
        TreePlan { mischief: None, ..self }
    }

    /// The same links, but nodes may own something else.
    pub(super) fn varied(&self, random: &mut Random) -> TreePlan {
        let other = TreePlan::new(random);
        let owns = if random.below(2) == 0 { self.owns } else { other.owns };
        TreePlan { owns, has_cursor: other.has_cursor, ..self.clone() }
    }

    /// A heap from which one learns that these are trees.
    pub(super) fn lesson(&self) -> String {
        let node = |links, parent| Node { links, parent };
        let nodes = [
            node([Some(1), Some(2)], None),
            node([Some(3), None], Some(0)),
            node([None, Some(4)], Some(0)),
            node([None, None], Some(1)),
            node([None, None], Some(2)),
        ];
        let plan = TreePlan {
            owns: Owns::Nothing,
            mischief: None,
            has_cursor: false,
            is_anchored: false,
            sentinel: None,
            ..self.clone()
        };
        plan.text(&mut Random::new(0), &nodes)
    }

    /// A heap of this form, as the text of a state.
    pub(super) fn heap(&self, random: &mut Random) -> String {
        let size = random.below(self.largest + 1);
        let mut nodes: Vec<Node> = Vec::new();
        while nodes.len() < size {
            let fresh = nodes.len();
            let mut at = 0;
            let mut parent = None;
            while !nodes.is_empty() {
                let side = random.below(2);
                parent = Some(at);
                match nodes[at].links[side] {
                    Some(below) => at = below,
                    None => {
                        nodes[at].links[side] = Some(fresh);
                        break;
                    }
                }
            }
            nodes.push(Node { links: [None, None], parent });
        }
        self.text(random, &nodes)
    }

    fn text(&self, random: &mut Random, nodes: &[Node]) -> String {
        let link = |node: Option<usize>| self.link(node);
        let mut blocks = String::new();
        let mut extra = nodes.len();
        let mut owned = String::new();
        let row = in_order(nodes);
        for (index, node) in nodes.iter().enumerate() {
            let _ = writeln!(blocks, "b{}: heap, 48 bytes, made at o1", 100 + index);
            if let Some(number) = self.number(random, (nodes, &row), index) {
                let _ = writeln!(blocks, "  +0/4 = {number}");
            }
            for (side, &below) in node.links.iter().enumerate() {
                let value = self.spoilt(random, nodes.len(), link(below));
                let _ = writeln!(blocks, "  +{}/8 = {value}", 8 + 8 * side);
            }
            if self.has_parents {
                let value = self.spoilt(random, nodes.len(), link(node.parent));
                let _ = writeln!(blocks, "  +24/8 = {value}");
            }
            let owns = match self.owns {
                Owns::Nothing => false,
                Owns::Block | Owns::BlockWithOwner => true,
                Owns::Sometimes => random.below(2) == 0,
            };
            if owns {
                let value = self.spoilt(random, nodes.len(), format!("&b{}", 100 + extra));
                let _ = writeln!(blocks, "  +32/8 = {value}");
                let _ = writeln!(owned, "b{}: heap, 16 bytes, made at o2", 100 + extra);
                if self.owns == Owns::BlockWithOwner {
                    let value = self.spoilt(random, nodes.len(), link(Some(index)));
                    let _ = writeln!(owned, "  +0/8 = {value}");
                }
                extra += 1;
            } else if self.owns == Owns::Sometimes {
                let _ = writeln!(blocks, "  +32/8 = 0");
            }
        }
        blocks.push_str(&owned);
        let mut root = link((!nodes.is_empty()).then_some(0));
        if self.is_anchored {
            let _ =
                writeln!(blocks, "b{}: heap, 8 bytes, made at o3\n  +0/8 = {root}", 100 + extra);
            root = format!("&b{}", 100 + extra);
        }
        let cursor = if self.has_cursor && !nodes.is_empty() {
            link(Some(random.below(nodes.len())))
        } else {
            "0".to_owned()
        };
        let other = match self.sentinel {
            Some(Sentinel::Variable | Sentinel::VariableWithParent) => SENTINEL,
            Some(Sentinel::Nobody) | None => "0",
        };
        blocks.push_str(&self.sentinel_text(random, nodes.len()));
        let mut text = format!("global head = {root}\nglobal tail = {cursor}\n");
        let _ = writeln!(text, "global other = {other}\nglobal count = 0\n{blocks}");
        for origin in 1..=3 {
            let _ = writeln!(text, "origin o{origin}: main L{}", origin - 1);
        }
        text
    }

    /// A pointer to a node, or what leaves hold.
    fn link(&self, node: Option<usize>) -> String {
        let block = match (node, self.sentinel) {
            (Some(node), _) => format!("&b{}", 100 + node),
            (None, Some(_)) => SENTINEL.to_owned(),
            (None, None) => return "0".to_owned(),
        };
        if self.is_intrusive { format!("{block} + 8") } else { block }
    }

    /// The sentinel, if there is one.
    fn sentinel_text(&self, random: &mut Random, count: usize) -> String {
        let Some(sentinel) = self.sentinel else { return String::new() };
        let leaf = self.link(None);
        let mut text =
            format!("b90: heap, 48 bytes, made at o1\n  +8/8 = {leaf}\n  +16/8 = {leaf}\n");
        if self.has_parents {
            let is_led_on = sentinel == Sentinel::VariableWithParent && count > 0;
            let parent = is_led_on.then(|| random.below(count));
            let _ = writeln!(text, "  +24/8 = {}", self.link(parent));
        }
        text
    }

    /// The number of a node; `row` is all nodes from left to right.
    fn number(
        &self,
        random: &mut Random,
        (nodes, row): (&[Node], &[usize]),
        node: usize,
    ) -> Option<usize> {
        if let Some(step) = self.falls {
            let ways_up = std::iter::successors(Some(node), |&node| nodes[node].parent);
            let depth = ways_up.count() - 1;
            return Some(if step == 0 { (depth + 1) % 2 } else { 60 - step * depth });
        }
        if let Some(holds) = self.holds {
            let (size, height) = measured(nodes, Some(node));
            return Some(match holds {
                Holds::Height => height,
                Holds::HeightLessOne => height - 1,
                Holds::Size => size,
            });
        }
        match self.sorted {
            Some(step) => row.iter().position(|&one| one == node).map(|place| step * place),
            None => (self.numbers > 0).then(|| random.below(self.numbers)),
        }
    }

    /// A pointer, or one that points anywhere.
    fn spoilt(&self, random: &mut Random, count: usize, value: String) -> String {
        match self.mischief {
            Some(chance) if random.below(chance) == 0 => match random.below(4) {
                0 => "0".to_owned(),
                1 => format!("&b{} + 8", 100 + random.below(count)),
                _ => format!("&b{}", 100 + random.below(count)),
            },
            _ => value,
        }
    }
}

/// How many nodes hang at a node, and how high they stand.
fn measured(nodes: &[Node], node: Option<usize>) -> (usize, usize) {
    let Some(node) = node else { return (0, 0) };
    let below = nodes[node].links.map(|below| measured(nodes, below));
    (1 + below[0].0 + below[1].0, 1 + below[0].1.max(below[1].1))
}

/// The nodes of a tree, the first of which is the root, from left to right.
fn in_order(nodes: &[Node]) -> Vec<usize> {
    let (mut row, mut above, mut at) = (Vec::new(), Vec::new(), (!nodes.is_empty()).then_some(0));
    while at.is_some() || !above.is_empty() {
        while let Some(node) = at {
            above.push(node);
            at = nodes[node].links[0];
        }
        let node = above.pop().expect("one is above");
        row.push(node);
        at = nodes[node].links[1];
    }
    row
}
