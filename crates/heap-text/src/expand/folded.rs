//! Lists and trees written out: lengths, kinds, shapes and holes are chosen.

use std::rc::Rc;

use heapwright_logic::{Sort, TermId};

use crate::expand::draft::{Builder, DraftId};
use crate::expand::spelling::fewest_nodes;
use crate::scope::{Scope, declare};
use crate::syntax::{
    AtLinkText, Direction, KindText, ListText, OrderText, TreeOrderText, TreeText,
};

/// Nodes that one list or tree gets beyond the fewest, at most.
const MOST_EXTRA: u32 = 3;

/// Levels that a tree gets, at most.
const LEVELS: u32 = 3;

type Built<T> = Result<T, String>;

/// A tree that is being written out.
struct Growth<'t> {
    text: &'t TreeText,
    scope: Rc<Scope>,
    /// What they hold.
    leaf: TermId,
    /// Links that lead to no node, with their node: where the hole may be.
    leaves: Vec<(DraftId, u64)>,
    /// Nodes still to be made.
    left: u32,
    /// The nodes from left to right, as far as they have two links.
    row: Vec<DraftId>,
    /// The nodes from above to below, each with the one right above it.
    below: Vec<(Option<DraftId>, DraftId)>,
}

impl Builder<'_> {
    /// How many nodes more than the fewest.
    pub(super) fn choose_extra(&mut self, scope: &Scope) -> u32 {
        let most = if scope.is_in_a_kind() { 1 } else { MOST_EXTRA };
        let extra = self.script.choose(self.extra.min(most) as usize + 1) as u32;
        self.extra -= extra;
        extra
    }

    /// A link to a node.
    fn link(&mut self, address: TermId, head: u64) -> TermId {
        let head = self.terms.bit_vector(u128::from(head), self.pointer_bits);
        self.terms.add(address, head)
    }

    pub(super) fn list(&mut self, list: &ListText, scope: &Rc<Scope>, first: TermId) -> Built<()> {
        let (fewest, can_be_longer) = fewest_nodes(list);
        let extra = if can_be_longer { self.choose_extra(scope) } else { 0 };
        let length = (list.minimum.max(fewest) + extra) as usize;
        if length == 0 {
            return self.no_node(list, scope, first);
        }
        let mut addresses = vec![first];
        for _ in 1..length {
            let address = self.terms.fresh_variable("node", self.pointer());
            addresses.push(address);
        }
        let mut nodes: Vec<DraftId> = Vec::new();
        let mut before = None;
        for index in 0..length {
            let next = match addresses.get(index + 1) {
                Some(&next) => self.link(next, list.head),
                None => self.read(scope, &list.end, self.pointer())?,
            };
            let previous = match (index.checked_sub(1), &list.back) {
                (Some(before), _) => self.link(addresses[before], list.back_head),
                (None, Some(back)) => self.read(scope, back, self.pointer())?,
                (None, None) => self.terms.fresh_variable("previous", self.pointer()),
            };
            let kind = self.choose_kind(list, before, index + 1 == length)?;
            before = Some(kind);
            let neighbours = [("next", next), ("previous", previous)];
            let node = self.node(&list.kinds[kind], scope, &neighbours, addresses[index])?;
            nodes.push(node);
        }
        if let Some(last) = &list.last {
            let term = scope.find(&format!("&{last}"));
            let term = term.ok_or_else(|| format!("{last} is not listed"))?;
            self.owners.insert(term, nodes[length - 1]);
        }
        if let Some(text) = &list.length {
            let term = self.read(scope, text, self.pointer())?;
            let count = self.terms.bit_vector(length as u128, self.pointer_bits);
            let formula = self.terms.equal(term, count);
            self.conditions.push(formula);
        }
        self.spell(list, scope, &nodes);
        match &list.order {
            Some(order) => self.sort(order, scope, &nodes),
            None => Ok(()),
        }
    }

    /// A list without nodes: its name and its end are null.
    fn no_node(&mut self, list: &ListText, scope: &Rc<Scope>, first: TermId) -> Built<()> {
        let null = self.terms.bit_vector(0, self.pointer_bits);
        let end = self.read(scope, &list.end, self.pointer())?;
        let length = list.length.as_ref().map(|text| self.read(scope, text, self.pointer()));
        for term in [first, end].into_iter().chain(length.transpose()?) {
            let formula = self.terms.equal(term, null);
            self.conditions.push(formula);
        }
        Ok(())
    }

    fn choose_kind(
        &mut self,
        list: &ListText,
        before: Option<usize>,
        is_last: bool,
    ) -> Built<usize> {
        let may_be = |kind: &usize| {
            let follows = match before {
                Some(before) => list.may_follow(before, *kind),
                None => list.may_begin(*kind),
            };
            follows && (!is_last || list.may_end(*kind))
        };
        let kinds: Vec<usize> = (0..list.kinds.len()).filter(may_be).collect();
        if kinds.is_empty() {
            return Err("no kind may come here".to_owned());
        }
        let choice = self.script.choose(kinds.len());
        Ok(kinds[choice])
    }

    /// The number by which a node is sorted.
    fn sorted_number(&mut self, order: &OrderText, node: DraftId) -> TermId {
        self.number_at((order.offset, order.size), node)
    }

    /// The number at a place of a node.
    pub(super) fn number_at(&mut self, place: (u64, u64), node: DraftId) -> TermId {
        let cells = &mut self.drafts[node].cells;
        let known = cells.iter().find(|(at, size, _)| (*at, *size) == place);
        match known {
            Some(&(_, _, value)) => value,
            None => {
                let width = 8 * place.1 as u32;
                let number = self.terms.fresh_variable("sorted", Sort::BitVector(width));
                cells.push((place.0, place.1, number));
                number
            }
        }
    }

    /// What it means that nodes are sorted.
    fn sort(&mut self, order: &OrderText, scope: &Scope, nodes: &[DraftId]) -> Built<()> {
        let width = 8 * order.size as u32;
        let numbers: Vec<TermId> =
            nodes.iter().map(|&node| self.sorted_number(order, node)).collect();
        for pair in numbers.windows(2) {
            let (low, high) = match order.direction {
                Direction::Ascending => (pair[0], pair[1]),
                Direction::Descending => (pair[1], pair[0]),
            };
            let formula = match (order.is_unsigned, order.is_strict) {
                (false, true) => self.terms.signed_less(low, high),
                (false, false) => self.terms.signed_less_equal(low, high),
                (true, true) => self.terms.unsigned_less(low, high),
                (true, false) => self.terms.unsigned_less_equal(low, high),
            };
            self.conditions.push(formula);
        }
        let ends = [(&order.first, numbers[0]), (&order.last, numbers[numbers.len() - 1])];
        for (text, number) in ends {
            let term = self.read(scope, text, Sort::BitVector(width))?;
            let formula = self.terms.equal(term, number);
            self.conditions.push(formula);
        }
        Ok(())
    }

    /// A node of a kind, with all that it owns.
    fn node(
        &mut self,
        kind: &KindText,
        around: &Rc<Scope>,
        neighbours: &[(&str, TermId)],
        address: TermId,
    ) -> Built<DraftId> {
        let mut scope = Scope::within(around);
        let prefix = scope.prefix();
        for (name, term) in neighbours {
            scope.name(format!("{prefix}{name}"), *term);
        }
        declare(&mut self.terms, &mut scope, &kind.body.numbers);
        for (index, block) in kind.body.blocks.iter().enumerate() {
            let term = match index {
                0 => address,
                _ => self.terms.fresh_variable(&block.name, self.pointer()),
            };
            scope.name(format!("&{}", block.name), term);
        }
        let scope = Rc::new(scope);
        let node = self.plain(&kind.body.blocks[0], &scope, address)?;
        for block in kind.body.blocks.iter().skip(1) {
            self.block(block, &scope)?;
        }
        for condition in &kind.body.conditions {
            let formula = self.read(&scope, condition, Sort::Boolean)?;
            self.conditions.push(formula);
        }
        Ok(node)
    }

    pub(super) fn tree(&mut self, text: &TreeText, scope: &Rc<Scope>, root: TermId) -> Built<()> {
        if text.may_be_empty && self.script.choose(2) == 0 {
            let null = self.terms.bit_vector(0, self.pointer_bits);
            let is_empty = self.terms.equal(root, null);
            self.conditions.push(is_empty);
            return Ok(());
        }
        let left = self.choose_extra(scope);
        let leaf = match &text.leaf {
            Some(leaf) => self.read(scope, leaf, self.pointer())?,
            None => self.terms.bit_vector(0, self.pointer_bits),
        };
        let (leaves, row, below) = (Vec::new(), Vec::new(), Vec::new());
        let scope_of_nodes = Rc::clone(scope);
        let mut growth = Growth { text, scope: scope_of_nodes, leaf, leaves, left, row, below };
        let back = text.back.as_ref().map(|back| self.read(scope, back, self.pointer()));
        let back = back.transpose()?;
        self.grow(&mut growth, (root, back), None, LEVELS)?;
        if growth.left > 0 {
            return Err("a tree of these levels has not so many nodes".to_owned());
        }
        if let Some(TreeOrderText { order, .. }) = &text.order {
            self.sort(order, scope, &growth.row)?;
        }
        self.relate(text, scope, &growth.below)?;
        if let Some(measures) = &text.measures {
            self.measure(measures, scope, &growth.below)?;
        }
        let is_told = text.kinds.iter().any(|kind| !kind.links.is_empty());
        if is_told && growth.leaves.len() != usize::from(text.end.is_some()) {
            return Err("a link that leads on has no node".to_owned());
        }
        let Some(end) = &text.end else { return Ok(()) };
        let hole = self.script.choose(growth.leaves.len());
        let (node, link) = growth.leaves[hole];
        let end = self.read(scope, end, self.pointer())?;
        let cells = &mut self.drafts[node].cells;
        let cell = cells.iter_mut().find(|(at, _, _)| *at == link).expect("every link has a cell");
        cell.2 = end;
        if let Some(above) = &text.above {
            let term = scope.find(&format!("&{above}"));
            let term = term.ok_or_else(|| format!("{above} is not listed"))?;
            self.owners.insert(term, node);
        }
        self.relate_above_hole(text, scope, node)?;
        match &text.order {
            Some(order) => {
                self.sort_around(order, scope, &growth.row, (node, link == text.children[0]))
            }
            None => Ok(()),
        }
    }

    /// What the nodes next to the hole of a sorted tree have; the hole is at a link of a node.
    fn sort_around(
        &mut self,
        sorted: &TreeOrderText,
        scope: &Scope,
        row: &[DraftId],
        (node, is_left): (DraftId, bool),
    ) -> Built<()> {
        let TreeOrderText { order, before, behind } = sorted;
        let place = row.iter().position(|&one| one == node).expect("every node is in the row");
        let place = if is_left { place } else { place + 1 };
        let beside = [(before, place.checked_sub(1)), (behind, Some(place))];
        for (text, place) in beside {
            let node = place.and_then(|place| row.get(place)).copied();
            let (text, node) = match (text, node) {
                (Some(text), Some(node)) => (text, node),
                (None, None) => continue,
                (Some(_), None) | (None, Some(_)) => return Err("the hole is elsewhere".to_owned()),
            };
            let width = 8 * order.size as u32;
            let number = self.sorted_number(order, node);
            let term = self.read(scope, text, Sort::BitVector(width))?;
            let formula = self.terms.equal(term, number);
            self.conditions.push(formula);
        }
        Ok(())
    }

    /// A node of a tree and some below it.
    fn grow(
        &mut self,
        growth: &mut Growth<'_>,
        (address, back): (TermId, Option<TermId>),
        above: Option<DraftId>,
        levels: u32,
    ) -> Built<()> {
        let text = growth.text;
        let scope = Rc::clone(&growth.scope);
        let kind = self.script.choose(text.kinds.len());
        let node = self.node(&text.kinds[kind], &scope, &[], address)?;
        growth.below.push((above, node));
        let size = self.program.model.pointer_size();
        let told = &text.kinds[kind].links;
        let is_bytes = |index: usize| told.get(index) == Some(&AtLinkText::Bytes);
        let children = text.children.iter().copied().enumerate();
        let links = children.filter(|(index, _)| !is_bytes(*index)).map(|(_, link)| link);
        let links: Vec<u64> = links.chain(text.parent).collect();
        self.drafts[node].cells.retain(|(at, _, _)| !links.contains(at));
        if let (Some(parent), Some(back)) = (text.parent, back) {
            self.drafts[node].cells.push((parent, size, back));
        }
        for (index, &link) in text.children.iter().enumerate() {
            if index == 1 {
                growth.row.push(node);
            }
            let has_room = growth.left > 0 && levels > 1;
            let may_end = growth.text.end.is_some() && growth.leaves.is_empty();
            let grows = match told.get(index) {
                None => has_room && self.script.choose(2) == 1,
                // The hole, or a node.
                Some(AtLinkText::Below) => has_room && (!may_end || self.script.choose(2) == 1),
                Some(AtLinkText::Leaf | AtLinkText::Bytes) => false,
            };
            if is_bytes(index) {
                continue;
            }
            if grows {
                growth.left -= 1;
                let child = self.terms.fresh_variable("child", self.pointer());
                let value = self.link(child, text.head);
                self.drafts[node].cells.push((link, size, value));
                let up = self.link(address, text.head);
                self.grow(growth, (child, Some(up)), Some(node), levels - 1)?;
            } else {
                self.drafts[node].cells.push((link, size, growth.leaf));
                if told.get(index) != Some(&AtLinkText::Leaf) {
                    growth.leaves.push((node, link));
                }
            }
        }
        Ok(())
    }
}
