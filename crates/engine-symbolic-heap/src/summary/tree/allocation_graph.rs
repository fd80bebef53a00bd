//! The graph of places: where blocks are made, and how blocks of one place point to those of another.
//!
//! A tree is found where one comes back to a place by two links.

use std::collections::BTreeSet;

use crate::heap::block::Origin;
use crate::heap::tree::TreeLinks;
use crate::learnt::{BackAndForth, Class, Edge, HeldTwice};

/// The trees in a graph of places: how they are linked, and where their nodes are made.
pub(super) fn trees_of(
    class: Class,
    edges: &BTreeSet<Edge>,
    pairs: &BTreeSet<BackAndForth>,
    held_twice: &BTreeSet<HeldTwice>,
) -> Vec<(TreeLinks, BTreeSet<Origin>)> {
    let mut trees: Vec<(TreeLinks, BTreeSet<Origin>)> = Vec::new();
    for component in components(edges) {
        let pairs: BTreeSet<(u64, u64)> = pairs
            .iter()
            .filter(|pair| component.contains(&pair.origin))
            .map(|pair| (pair.low, pair.high))
            .collect();
        let parent = parent_link(&pairs);
        if parent.is_none() && !pairs.is_empty() {
            continue;
        }
        let onward: BTreeSet<Edge> = edges
            .iter()
            .copied()
            .filter(|edge| component.contains(&edge.from) && Some(edge.offset) != parent)
            .collect();
        for &origin in &component {
            if trees.iter().any(|(_, origins)| origins.contains(&origin)) {
                continue;
            }
            let around = tree_around(origin, &onward);
            if let Some((children, origins)) = without_leaves(around, &onward, held_twice)
                && !held_twice.iter().any(|held| {
                    let is_link = |offset: u64| children.contains(&offset);
                    origins.contains(&held.origin) && is_link(held.low) && is_link(held.high)
                })
            {
                trees.push((TreeLinks { children, parent, head: class.head }, origins));
            }
        }
    }
    trees
}

/// Origins that are connected by edges, whatever their direction.
fn components(edges: &BTreeSet<Edge>) -> Vec<BTreeSet<Origin>> {
    let mut components: Vec<BTreeSet<Origin>> = Vec::new();
    for edge in edges {
        let ends = BTreeSet::from([edge.from, edge.to]);
        let (joined, apart): (Vec<_>, Vec<_>) =
            components.into_iter().partition(|component| !component.is_disjoint(&ends));
        components = apart;
        components.push(joined.into_iter().flatten().chain(ends).collect());
    }
    components.sort();
    components
}

/// The link that leads back where at least two others lead.
fn parent_link(pairs: &BTreeSet<(u64, u64)>) -> Option<u64> {
    let offsets: BTreeSet<u64> = pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
    let count = |offset: u64| pairs.iter().filter(|&&(a, b)| a == offset || b == offset).count();
    offsets.into_iter().find(|&offset| count(offset) >= 2 && count(offset) == pairs.len())
}

/// The tree that an origin belongs to: it leads back to itself by two links. With it go all places
/// that the links lead to, and those from which two links lead into the tree.
fn tree_around(origin: Origin, edges: &BTreeSet<Edge>) -> Option<(Vec<u64>, BTreeSet<Origin>)> {
    let is_round = |from: Origin| reached(from, edges, None).contains(&origin);
    let below = reached(origin, edges, None);
    let round: BTreeSet<Origin> = below.into_iter().filter(|&from| is_round(from)).collect();
    let links: BTreeSet<u64> = edges
        .iter()
        .filter(|edge| round.contains(&edge.from) && round.contains(&edge.to))
        .map(|edge| edge.offset)
        .collect();
    if links.len() < 2 {
        return None;
    }
    let mut origins = reached(origin, edges, Some(&links));
    let tops: Vec<Origin> = edges
        .iter()
        .map(|edge| edge.from)
        .filter(|&top| {
            let mut onward = edges.iter().filter(|e| e.from == top && links.contains(&e.offset));
            let used: BTreeSet<u64> = onward.clone().map(|edge| edge.offset).collect();
            used.len() >= 2 && onward.all(|edge| origins.contains(&edge.to))
        })
        .collect();
    origins.extend(tops);
    Some((links.into_iter().collect(), origins))
}

/// A tree without the places from which nothing is linked on, and to whose blocks more than one link leads: they make common leaves.
fn without_leaves(
    tree: Option<(Vec<u64>, BTreeSet<Origin>)>,
    edges: &BTreeSet<Edge>,
    held_twice: &BTreeSet<HeldTwice>,
) -> Option<(Vec<u64>, BTreeSet<Origin>)> {
    let (children, mut origins) = tree?;
    let leads_on =
        |place: Origin| edges.iter().any(|e| e.from == place && children.contains(&e.offset));
    let is_held_twice = |place: Origin| held_twice.iter().any(|held| held.origin == place);
    origins.retain(|&place| leads_on(place) || !is_held_twice(place));
    Some((children, origins))
}

/// Where edges lead from an origin, itself only if they lead back to it.
fn reached(
    from: Origin,
    edges: &BTreeSet<Edge>,
    links: Option<&BTreeSet<u64>>,
) -> BTreeSet<Origin> {
    let mut reached = BTreeSet::new();
    let mut work = vec![from];
    while let Some(origin) = work.pop() {
        for edge in edges.iter().filter(|edge| edge.from == origin) {
            let is_followed = links.is_none_or(|links| links.contains(&edge.offset));
            if is_followed && reached.insert(edge.to) {
                work.push(edge.to);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use heapwright_base::DenseId;

    use super::*;

    const CLASS: Class = Class { size: 24, head: 0 };

    fn origin(number: usize) -> Origin {
        Origin::from_index(number)
    }

    /// Edges as place, offset, place; pairs of offsets; what is found as offsets and places.
    fn found(edges: &[(usize, u64, usize)], pairs: &[(u64, u64)]) -> Vec<(TreeLinks, Vec<usize>)> {
        let edges = edges
            .iter()
            .map(|&(from, offset, to)| Edge { from: origin(from), offset, to: origin(to) })
            .collect();
        let pairs = pairs
            .iter()
            .map(|&(low, high)| BackAndForth { origin: origin(0), low, high })
            .collect();
        trees_of(CLASS, &edges, &pairs, &BTreeSet::new())
            .into_iter()
            .map(|(links, origins)| (links, origins.iter().map(|origin| origin.index()).collect()))
            .collect()
    }

    fn links(children: &[u64], parent: Option<u64>) -> TreeLinks {
        TreeLinks { children: children.to_vec(), parent, head: 0 }
    }

    #[test]
    fn a_place_that_two_links_lead_back_to_makes_trees() {
        assert_eq!(found(&[(0, 0, 0), (0, 8, 0)], &[]), [(links(&[0, 8], None), vec![0])]);
    }

    #[test]
    fn children_on_either_side_may_be_made_elsewhere() {
        let edges = [(0, 0, 1), (0, 8, 2), (1, 0, 1), (1, 8, 2), (2, 0, 1), (2, 8, 2)];
        assert_eq!(found(&edges, &[]), [(links(&[0, 8], None), vec![0, 1, 2])]);
    }

    #[test]
    fn owners_of_trees_are_no_nodes() {
        // A stack: it goes round by its own link only.
        let edges = [(0, 0, 0), (0, 8, 0), (1, 0, 1), (1, 8, 0)];
        assert_eq!(found(&edges, &[]), [(links(&[0, 8], None), vec![0])]);
    }

    #[test]
    fn lists_of_nodes_that_own_nodes_are_no_trees() {
        assert_eq!(found(&[(0, 0, 0), (0, 8, 1)], &[]), []);
    }

    #[test]
    fn doubly_linked_lists_are_no_trees() {
        assert_eq!(found(&[(0, 0, 0), (0, 8, 0)], &[(0, 8)]), []);
    }

    #[test]
    fn the_parent_is_where_two_links_lead_back() {
        let edges = [(0, 0, 0), (0, 8, 0), (0, 16, 0)];
        let expected = [(links(&[0, 8], Some(16)), vec![0])];
        assert_eq!(found(&edges, &[(0, 16), (8, 16)]), expected);
    }

    #[test]
    fn a_comb_whose_teeth_know_their_parent_is_no_tree() {
        let edges = [(0, 0, 0), (0, 8, 1), (0, 16, 0), (1, 16, 0)];
        assert_eq!(found(&edges, &[(0, 16), (8, 16)]), []);
    }
}
