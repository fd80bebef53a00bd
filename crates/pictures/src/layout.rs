//! Where cards stand: once for all scenes of a story, so that boxes stay where they are and only
//! arrows move.
//!
//! Cards of a group that link to each other are one list, in a row from left to right, or one tree, in
//! its in-order sequence with a level a line. A card of another group that only one card leads to
//! hangs below its owner. A link that runs against the first one that joined two cards moves nothing:
//! reversing a list turns its arrows.

use std::collections::{BTreeMap, BTreeSet};

use crate::measure::{TREE_BASE, lift, room, size};
use crate::scene::{Kind, Scene};

const MARGIN: f64 = 20.0;
const COLUMN_GAP: f64 = 56.0;
const TRACK_GAP: f64 = 56.0;
/// Between the levels of a tree, and from column to column beside the cards.
const LEVEL_GAP: f64 = 46.0;
const TREE_GAP: f64 = 28.0;
const PAYLOAD_GAP: f64 = 34.0;
/// The upper edge of the first track's cards. Pictures are cut to what they show.
const TOP: f64 = 92.0;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rect {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

impl Rect {
    pub(crate) fn right(&self) -> f64 {
        self.x + self.width
    }

    pub(crate) fn bottom(&self) -> f64 {
        self.y + self.height
    }
}

/// Where everything of a story stands.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    pub places: BTreeMap<String, Rect>,
    /// Rows of cards: their ids from left to right. Only lists have a meaningful order.
    pub tracks: Vec<Vec<String>>,
    /// For each track the lower edge of its cards.
    pub(crate) bottoms: Vec<f64>,
    /// For each track how far above its cards words reach.
    pub(crate) lifts: Vec<f64>,
    pub(crate) track_of: BTreeMap<String, (usize, usize)>,
    /// Links that lead back along a list or up a tree: card and row name.
    pub(crate) back: BTreeSet<(String, String)>,
    /// Cards below their owners.
    pub(crate) owned: BTreeMap<String, String>,
    pub(crate) trees: BTreeSet<String>,
    /// Cards that have words above them in some scene.
    pub(crate) worded: BTreeSet<String>,
}

/// The room that each card needs in any scene.
#[derive(Clone, Copy, Debug, Default)]
struct Room {
    width: f64,
    height: f64,
    /// With what stands behind and above it, in a list and in a tree.
    in_list: f64,
    in_tree: f64,
    lift: f64,
}

type Rooms<'s> = BTreeMap<&'s str, Room>;

/// A link of some scene: from a card by a row to a card.
type Link = (String, usize, String, String);

struct Union<'s> {
    order: Vec<&'s str>,
    group: BTreeMap<&'s str, &'s str>,
    /// Each once, in the order in which they are first seen.
    links: Vec<Link>,
    /// Rows that are known to lead ahead: group and name.
    ahead: BTreeSet<(&'s str, &'s str)>,
    /// The same, scene by scene.
    by_scene: Vec<Vec<Link>>,
}

impl Layout {
    #[must_use]
    pub fn of(scenes: &[Scene]) -> Layout {
        let union = Union::of(scenes);
        let mut layout = Layout { back: union.back_links(), ..Layout::default() };
        let components = union.components();
        layout.owned = union.owned(&components);
        let rooms = rooms(scenes);
        let is_worded =
            scenes.iter().flat_map(|scene| &scene.cards).filter(|it| !it.pills.is_empty());
        layout.worded = is_worded.map(|card| card.id.clone()).collect();
        let left = frame_places(scenes, &mut layout);
        let mut top = TOP;
        for component in &components {
            if component.iter().any(|id| layout.owned.contains_key(*id)) {
                continue;
            }
            let lift = component.iter().map(|id| rooms[id].lift).fold(0.0, f64::max);
            layout.lifts.push(lift);
            let is_first = layout.tracks.is_empty();
            top += if is_first { 0.0 } else { TRACK_GAP + lift };
            top = match union.tree(component, &layout.back) {
                Some(tree) => layout.place_tree(&tree, &rooms, left, top),
                None => {
                    let order = union.list(component, &layout.back);
                    layout.place_list(&order, &rooms, left, top)
                }
            };
        }
        layout
    }

    /// Gives the lower edge of the track with what hangs below its cards.
    fn place_list(&mut self, order: &[&str], rooms: &Rooms<'_>, left: f64, top: f64) -> f64 {
        let track = self.tracks.len();
        let highest = order.iter().map(|id| rooms[id].height).fold(0.0, f64::max);
        let row_end = top + highest;
        let (mut x, mut bottom) = (left, row_end);
        for (column, id) in order.iter().enumerate() {
            let Room { width, height, in_list, .. } = rooms[id];
            self.places.insert((*id).to_owned(), Rect { x, y: top, width, height });
            self.track_of.insert((*id).to_owned(), (track, column));
            let mut wide = in_list;
            let mut under = row_end;
            for child in self.owned_by(id) {
                let Some(room) = rooms.get(child.as_str()) else { continue };
                let (width, height) = (room.width, room.height);
                let y = under + PAYLOAD_GAP + room.lift;
                self.places.insert(child, Rect { x, y, width, height });
                under = y + height;
                wide = wide.max(room.in_list);
            }
            bottom = bottom.max(under);
            x += wide + COLUMN_GAP;
        }
        self.tracks.push(order.iter().map(|id| (*id).to_owned()).collect());
        self.bottoms.push(row_end);
        bottom
    }

    fn place_tree(
        &mut self,
        tree: &[(&str, usize)],
        rooms: &Rooms<'_>,
        left: f64,
        top: f64,
    ) -> f64 {
        let track = self.tracks.len();
        let widest = tree.iter().map(|(id, _)| rooms[id].in_tree).fold(0.0, f64::max);
        let highest = tree.iter().map(|(id, _)| rooms[id].height).fold(0.0, f64::max);
        let step = (widest + TREE_GAP) / 2.0;
        let level = highest + LEVEL_GAP + self.lifts[track];
        let mut bottom = top;
        for (column, (id, depth)) in tree.iter().enumerate() {
            let Room { width, height, .. } = rooms[id];
            let x = left + step * column as f64;
            let y = top + level * *depth as f64;
            self.places.insert((*id).to_owned(), Rect { x, y, width, height });
            self.track_of.insert((*id).to_owned(), (track, column));
            self.trees.insert((*id).to_owned());
            bottom = bottom.max(y + height);
        }
        self.tracks.push(tree.iter().map(|(id, _)| (*id).to_owned()).collect());
        self.bottoms.push(bottom);
        bottom
    }

    fn owned_by(&self, owner: &str) -> Vec<String> {
        let mine = self.owned.iter().filter(|(_, other)| *other == owner);
        mine.map(|(id, _)| id.clone()).collect()
    }
}

impl<'s> Union<'s> {
    fn of(scenes: &'s [Scene]) -> Union<'s> {
        let mut union = Union {
            order: Vec::new(),
            group: BTreeMap::new(),
            links: Vec::new(),
            ahead: BTreeSet::new(),
            by_scene: Vec::new(),
        };
        let mut seen = BTreeSet::new();
        for scene in scenes {
            let mut links = Vec::new();
            for card in &scene.cards {
                if union.group.insert(&card.id, &card.group).is_none() {
                    union.order.push(&card.id);
                }
                for (index, row) in card.rows.iter().enumerate() {
                    if row.is_ahead {
                        union.ahead.insert((&card.group, &row.name));
                    }
                    let target = row.shown.target().and_then(|target| scene.target(target));
                    if let Some((target, _)) = target.filter(|(target, _)| target.id != card.id) {
                        let link = (card.id.clone(), index, row.name.clone(), target.id.clone());
                        links.push(link);
                    }
                }
            }
            union.links.extend(links.iter().filter(|link| seen.insert((*link).clone())).cloned());
            union.by_scene.push(links);
        }
        union
    }

    fn is_same_group(&self, link: &Link) -> bool {
        self.group.get(link.0.as_str()) == self.group.get(link.3.as_str())
    }

    /// Links by which one gets back to where another field came from: of two such fields, the one that
    /// more cards share as a target, else the later one.
    fn back_links(&self) -> BTreeSet<(String, String)> {
        let mut fields: BTreeMap<(&str, &str), (usize, Vec<&Link>)> = BTreeMap::new();
        for link in self.links.iter().filter(|link| self.is_same_group(link)) {
            let group = self.group[link.0.as_str()];
            let entry = fields.entry((group, &link.2)).or_insert((link.1, Vec::new()));
            entry.1.push(link);
        }
        let fan_in = |links: &[&Link]| {
            let targets: BTreeSet<&str> = links.iter().map(|link| link.3.as_str()).collect();
            links.len() * 100 / targets.len().max(1)
        };
        let mut back = BTreeSet::new();
        for ((group, name), (index, links)) in &fields {
            if self.ahead.contains(&(*group, *name)) {
                continue;
            }
            let is_back = fields.iter().any(|((other_group, other), (other_index, forward))| {
                let ways: BTreeSet<(&str, &str)> =
                    forward.iter().map(|link| (link.3.as_str(), link.0.as_str())).collect();
                let paired = links.iter().filter(|it| ways.contains(&(&it.0, &it.3))).count();
                let (mine, theirs) = (fan_in(links), fan_in(forward));
                let is_sure = self.ahead.contains(&(*other_group, *other));
                let is_later = is_sure || mine > theirs || mine == theirs && index > other_index;
                group == other_group && name != other && 2 * paired >= links.len() && is_later
            });
            if is_back {
                back.extend(links.iter().map(|link| (link.0.clone(), (*name).to_owned())));
            }
        }
        back
    }

    /// Cards that are joined by links within their group, each in the order of birth.
    fn components(&self) -> Vec<Vec<&'s str>> {
        let index: BTreeMap<&str, usize> =
            self.order.iter().enumerate().map(|(index, id)| (*id, index)).collect();
        let mut parent: Vec<usize> = (0..self.order.len()).collect();
        fn root(parent: &[usize], mut at: usize) -> usize {
            while parent[at] != at {
                at = parent[at];
            }
            at
        }
        for link in self.links.iter().filter(|link| self.is_same_group(link)) {
            let (one, other) = (index[link.0.as_str()], index[link.3.as_str()]);
            let (one, other) = (root(&parent, one), root(&parent, other));
            parent[one.max(other)] = one.min(other);
        }
        let mut components: BTreeMap<usize, Vec<&'s str>> = BTreeMap::new();
        for (index, id) in self.order.iter().enumerate() {
            components.entry(root(&parent, index)).or_default().push(id);
        }
        components.into_values().collect()
    }

    /// Single cards that exactly one card of another group leads to, and that card.
    fn owned(&self, components: &[Vec<&'s str>]) -> BTreeMap<String, String> {
        let mut owned = BTreeMap::new();
        for component in components {
            let [id] = component.as_slice() else { continue };
            let owners: BTreeSet<&str> = self
                .links
                .iter()
                .filter(|link| link.3 == **id)
                .map(|link| link.0.as_str())
                .collect();
            if let (1, Some(owner)) = (owners.len(), owners.first()) {
                owned.insert((*id).to_owned(), (*owner).to_owned());
            }
        }
        // What hangs below something that hangs itself would be lost.
        let keys: BTreeSet<String> = owned.keys().cloned().collect();
        owned.retain(|_, owner| !keys.contains(owner));
        owned
    }

    /// The order of a list: the first link that joins a card to one that is placed decides.
    fn list(&self, component: &[&'s str], back: &BTreeSet<(String, String)>) -> Vec<&'s str> {
        let mut order: Vec<&'s str> = Vec::new();
        let find = |id: &str| component.iter().find(|known| **known == id).copied();
        for link in &self.links {
            let (Some(from), Some(to)) = (find(&link.0), find(&link.3)) else { continue };
            if back.contains(&(link.0.clone(), link.2.clone())) {
                continue;
            }
            let place = |id: &str| order.iter().position(|known| *known == id);
            match (place(from), place(to)) {
                (None, None) => order.extend([from, to]),
                (Some(at), None) => order.insert(at + 1, to),
                (None, Some(at)) => order.insert(at, from),
                (Some(_), Some(_)) => {}
            }
        }
        let rest: Vec<&str> = component.iter().filter(|id| !order.contains(id)).copied().collect();
        order.extend(rest);
        order
    }

    /// A tree in its in-order sequence with depths, if in some scene a card has two children.
    fn tree(
        &self,
        component: &[&'s str],
        back: &BTreeSet<(String, String)>,
    ) -> Option<Vec<(&'s str, usize)>> {
        let children = |links: &[Link]| {
            let mut children: BTreeMap<String, Vec<(usize, String)>> = BTreeMap::new();
            for link in links {
                let is_inside = component.contains(&link.0.as_str());
                if is_inside
                    && self.is_same_group(link)
                    && !back.contains(&(link.0.clone(), link.2.clone()))
                {
                    children.entry(link.0.clone()).or_default().push((link.1, link.3.clone()));
                }
            }
            children
        };
        let scenes = self.by_scene.iter().map(|links| children(links));
        let branching = scenes.filter(|found| {
            found.values().any(|children| {
                children.iter().map(|(_, id)| id).collect::<BTreeSet<_>>().len() > 1
            })
        });
        let links = branching.max_by_key(|found| found.values().map(Vec::len).sum::<usize>())?;
        let targets: BTreeSet<&str> = links.values().flatten().map(|(_, id)| id.as_str()).collect();
        let mut sequence = Vec::new();
        let roots =
            component.iter().filter(|id| links.contains_key(**id) && !targets.contains(**id));
        for root in roots {
            in_order(root, 0, &links, &mut sequence);
        }
        let mut placed: Vec<(&'s str, usize)> = Vec::new();
        for (id, depth) in sequence {
            placed
                .extend(component.iter().find(|known| ***known == id).map(|known| (*known, depth)));
        }
        let rest: Vec<&str> = component
            .iter()
            .filter(|id| placed.iter().all(|(known, _)| known != *id))
            .copied()
            .collect();
        placed.extend(rest.into_iter().map(|id| (id, 0)));
        Some(placed)
    }
}

/// Ends because a card that is in the sequence, or on the way to it, is not entered again.
fn in_order(
    id: &str,
    depth: usize,
    children: &BTreeMap<String, Vec<(usize, String)>>,
    sequence: &mut Vec<(String, usize)>,
) {
    if depth > 64 || sequence.iter().any(|(known, _)| known == id) {
        return;
    }
    let mine = children.get(id).map_or(&[][..], Vec::as_slice);
    let half = mine.len().div_ceil(2);
    // An only child by the second link is a right one.
    let is_right = mine.len() == 1 && mine[0].0 > first_link(children);
    let half = if is_right { 0 } else { half };
    for (_, child) in &mine[..half] {
        in_order(child, depth + 1, children, sequence);
    }
    if sequence.iter().any(|(known, _)| known == id) {
        return;
    }
    sequence.push((id.to_owned(), depth));
    for (_, child) in &mine[half..] {
        in_order(child, depth + 1, children, sequence);
    }
}

fn first_link(children: &BTreeMap<String, Vec<(usize, String)>>) -> usize {
    children.values().flatten().map(|(index, _)| *index).min().unwrap_or(0)
}

fn rooms(scenes: &[Scene]) -> Rooms<'_> {
    let mut rooms = Rooms::new();
    for card in scenes.iter().flat_map(|scene| &scene.cards) {
        let (width, height) = size(card);
        let height = height + if card.kind == Kind::Tree { TREE_BASE } else { 0.0 };
        let known = rooms.entry(card.id.as_str()).or_default();
        known.width = known.width.max(width);
        known.height = known.height.max(height);
        known.in_list = known.in_list.max(room(card, false));
        known.in_tree = known.in_tree.max(room(card, true));
        known.lift = known.lift.max(lift(card));
    }
    rooms
}

/// Puts the calls into the left margin; gives where the blocks begin.
fn frame_places(scenes: &[Scene], layout: &mut Layout) -> f64 {
    let mut heights: Vec<f64> = Vec::new();
    let mut width: f64 = 140.0;
    for scene in scenes {
        for (index, card) in scene.frames.iter().enumerate() {
            let (wide, high) = size(card);
            width = width.max(wide);
            match heights.get_mut(index) {
                Some(height) => *height = height.max(high),
                None => heights.push(high),
            }
        }
    }
    let mut y = TOP;
    for (index, height) in heights.iter().enumerate() {
        layout.places.insert(frame_id(index), Rect { x: MARGIN, y, width, height: *height });
        y += height + 18.0;
    }
    if heights.is_empty() { MARGIN } else { MARGIN + width + 84.0 }
}

/// The name of a place in the left margin.
pub(crate) fn frame_id(index: usize) -> String {
    format!("frame {index}")
}
