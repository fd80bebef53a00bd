//! Small heaps, all of them; random structures that describe some of them; formulas evaluated plainly.
#![allow(dead_code, reason = "each test uses its part")]

use heapwright_three_valued::{
    Binary, BinaryId, Formula, Kleene, NULL, Node, Structure, Unary, UnaryId, Variable, Vocabulary,
    WILD, nodes_of,
};

/// A generator of numbers that depends on nothing but its seed.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % bound
    }
}

/// One pointer, one link, what the pointer reaches, and what is on a cycle.
pub(crate) struct Lists {
    pub(crate) vocabulary: Vocabulary,
    pub(crate) x: UnaryId,
    pub(crate) reached: UnaryId,
    pub(crate) next: BinaryId,
    pub(crate) closure: BinaryId,
}

pub(crate) fn lists() -> Lists {
    let mut vocabulary = Vocabulary::new();
    let unary =
        |name: &str, definition| Unary { name: name.to_owned(), is_abstraction: true, definition };
    let binary = |name: &str, definition| Binary { name: name.to_owned(), definition };
    let x = vocabulary.add_unary(unary("x", None));
    let next = vocabulary.add_binary(binary("next", None));
    let step = Formula::Binary(next, 2, 3);
    let path = Formula::reaches(2, 3, step, 0, 1);
    let closure = vocabulary.add_binary(binary("t", Some(path)));
    let from_x = Formula::And(vec![Formula::Unary(x, 1), Formula::Binary(closure, 1, 0)]);
    let reached = vocabulary.add_unary(unary("r_x", Some(Formula::exists(1, from_x))));
    Lists { vocabulary, x, reached, next, closure }
}

impl Lists {
    /// Every heap of up to so many blocks.
    pub(crate) fn heaps(&self, most: usize) -> Vec<Structure> {
        (0..=most).flat_map(|blocks| self.heaps_of(blocks)).collect()
    }

    fn heaps_of(&self, blocks: usize) -> Vec<Structure> {
        let nodes = blocks + 2;
        let count = nodes.pow(blocks as u32 + 1);
        (0..count).map(|number| self.heap(blocks, number)).collect()
    }

    /// The heap whose pointer and links are the digits of the number.
    fn heap(&self, blocks: usize, mut number: usize) -> Structure {
        let mut heap = Structure::new(&self.vocabulary, blocks);
        let mut digit = || {
            let digit = number % (blocks + 2);
            number /= blocks + 2;
            digit
        };
        heap.set_unary(self.x, digit(), Kleene::True);
        for block in 2..blocks + 2 {
            heap.set_binary(self.next, block, digit(), Kleene::True);
        }
        self.define(&mut heap);
        heap
    }

    pub(crate) fn random_heap(&self, random: &mut Random, most: usize) -> Structure {
        let blocks = 1 + random.below(most);
        let number = random.below((blocks + 2).pow(blocks as u32 + 1));
        self.heap(blocks, number)
    }

    /// Gives the predicates with definitions their values on blocks.
    fn define(&self, heap: &mut Structure) {
        let blocks: Vec<Node> = nodes_of(heap.blocks()).collect();
        for &from in &blocks {
            for &to in &blocks {
                let mut at = from;
                let mut found = from == to;
                for _ in 0..blocks.len() {
                    let Some(onward) = nodes_of(heap.binary(self.next, at).one).next() else {
                        break;
                    };
                    at = onward;
                    found |= at == to;
                    if at == NULL || at == WILD {
                        break;
                    }
                }
                heap.set_binary(self.closure, from, to, found.into());
            }
        }
        for &block in &blocks {
            let mut holders = blocks.iter().filter(|&&u| heap.unary(self.x).one >> u & 1 == 1);
            let found = holders.any(|&u| heap.binary(self.closure, u).one >> block & 1 == 1);
            heap.set_unary(self.reached, block, found.into());
        }
    }
}

/// A structure that describes the given one and more: values become 1/2 at random.
pub(crate) fn weakened(structure: &Structure, lists: &Lists, random: &mut Random) -> Structure {
    let mut weak = structure.clone();
    let nodes = structure.len();
    for unary in lists.vocabulary.unary().ids().skip(1) {
        for node in 0..nodes {
            if random.below(4) == 0 {
                weak.set_unary(unary, node, Kleene::Half);
            }
        }
    }
    for binary in lists.vocabulary.binary().ids() {
        for from in 2..nodes {
            for to in 0..nodes {
                if random.below(4) == 0 {
                    weak.set_binary(binary, from, to, Kleene::Half);
                }
            }
        }
    }
    weak
}

/// A random formula with the free variables 0 and 1.
pub(crate) fn random_formula(lists: &Lists, random: &mut Random, depth: usize) -> Formula {
    formula(lists, random, depth, 2)
}

fn formula(lists: &Lists, random: &mut Random, depth: usize, bound: Variable) -> Formula {
    let variable = |random: &mut Random| random.below(usize::from(bound)) as Variable;
    let (a, b) = (variable(random), variable(random));
    if depth == 0 {
        return match random.below(6) {
            0 => Formula::Unary(lists.x, a),
            1 => Formula::Unary(lists.reached, a),
            2 => Formula::Equal(a, b),
            3 => Formula::Null(a),
            4 => Formula::Wild(a),
            _ => Formula::Binary(lists.next, a, b),
        };
    }
    let mut part = |bound| formula(lists, random, depth - 1, bound);
    let parts = vec![part(bound), part(bound)];
    match random.below(6) {
        0 => Formula::And(parts),
        1 => Formula::Or(parts),
        2 => !formula(lists, random, depth - 1, bound),
        3 => Formula::exists(bound, formula(lists, random, depth - 1, bound + 1)),
        4 => Formula::for_all(bound, formula(lists, random, depth - 1, bound + 1)),
        _ => {
            let step = formula(lists, random, depth - 1, bound + 2);
            let step = Box::new(step);
            Formula::Closure { left: bound, right: bound + 1, step, from: a, to: b }
        }
    }
}

/// The value of a formula by its definition, one assignment at a time.
pub(crate) fn plainly(structure: &Structure, formula: &Formula, at: &[Node]) -> Kleene {
    let node = |variable: &Variable| at[usize::from(*variable)];
    let with = |variable: &Variable, node: Node| {
        let mut at = at.to_vec();
        at.resize(at.len().max(usize::from(*variable) + 1), NULL);
        at[usize::from(*variable)] = node;
        at
    };
    let blocks = || 2..structure.len();
    match formula {
        Formula::Constant(value) => *value,
        Formula::Nullary(predicate) => structure.nullary(*predicate),
        Formula::Unary(predicate, of) => structure.unary(*predicate).at(node(of)),
        Formula::Binary(predicate, from, to) => {
            structure.binary(*predicate, node(from)).at(node(to))
        }
        Formula::Equal(left, right) if left == right => Kleene::True,
        Formula::Equal(left, right) => match node(left) == node(right) {
            true if structure.is_summary(node(left)) => Kleene::Half,
            is_equal => is_equal.into(),
        },
        Formula::Null(of) => (node(of) == NULL).into(),
        Formula::Wild(of) => (node(of) == WILD).into(),
        Formula::Not(body) => !plainly(structure, body, at),
        Formula::And(parts) => {
            let values = parts.iter().map(|part| plainly(structure, part, at));
            values.fold(Kleene::True, Kleene::and)
        }
        Formula::Or(parts) => {
            let values = parts.iter().map(|part| plainly(structure, part, at));
            values.fold(Kleene::False, Kleene::or)
        }
        Formula::Exists(bound, body) => {
            let values = blocks().map(|it| plainly(structure, body, &with(bound, it)));
            values.fold(Kleene::False, Kleene::or)
        }
        Formula::ForAll(bound, body) => {
            let values = blocks().map(|it| plainly(structure, body, &with(bound, it)));
            values.fold(Kleene::True, Kleene::and)
        }
        Formula::Closure { left, right, step, from, to } => {
            let value = |u: Node, v: Node| {
                let mut at = with(left, u);
                at.resize(at.len().max(usize::from(*right) + 1), NULL);
                at[usize::from(*right)] = v;
                plainly(structure, step, &at)
            };
            // The best path: the greatest value such that steps of at least it lead there.
            let mut best = Kleene::False;
            for least in [Kleene::Half, Kleene::True] {
                let mut found: Vec<Node> = vec![node(from)];
                let mut is_reached = false;
                let mut next = 0;
                while next < found.len() {
                    for v in 0..structure.len() {
                        if value(found[next], v) >= least {
                            is_reached |= v == node(to);
                            if !found.contains(&v) {
                                found.push(v);
                            }
                        }
                    }
                    next += 1;
                }
                if is_reached {
                    best = least;
                }
            }
            best
        }
    }
}
