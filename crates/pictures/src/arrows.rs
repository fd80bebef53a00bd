//! Arrows: straight to the next card of a row, through the channel above a row to a later one, through
//! the one below to an earlier one. Channels are above all words of their row, and an arrow from above comes
//! down beside the card that it enters, so that it crosses no words.

use crate::extent::Extent;
use crate::layout::{Layout, Rect};
use crate::measure::HEADER;

/// Which way a picture's arrows have taken so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Channels {
    above: Vec<usize>,
    below: Vec<usize>,
    /// Arrows that enter a card at its left edge.
    entering: std::collections::BTreeMap<String, usize>,
    /// Where arrows have turned: the room that they need beyond that of cards.
    pub(crate) turns: Extent,
}

/// An arrow as a path; whether it leaves at the left.
pub(crate) struct Route {
    pub(crate) path: String,
    pub(crate) leaves_left: bool,
}

pub(crate) struct Ends<'a> {
    /// The card that it leaves, and its name; a call has none.
    pub(crate) from: Rect,
    pub(crate) source: Option<&'a str>,
    /// The height of its row.
    pub(crate) y: f64,
    pub(crate) to: Rect,
    pub(crate) target: &'a str,
    /// It leads to the last of many.
    pub(crate) to_last: bool,
    pub(crate) is_back: bool,
}

pub(crate) fn route(ends: &Ends<'_>, layout: &Layout, channels: &mut Channels) -> Route {
    let Ends { from, y, to, .. } = *ends;
    let start = from.right() - 14.0;
    if ends.to_last {
        return to_last(ends, start, layout, channels);
    }
    if ends.source == Some(ends.target) {
        let (x, top) = (from.right(), from.y + HEADER / 2.0);
        let path = format!(
            "M{start:.1} {y:.1}H{:.1}C{:.1} {y:.1} {:.1} {top:.1} {:.1} {top:.1}",
            x + 4.0,
            x + 30.0,
            x + 30.0,
            x + 1.0
        );
        channels.turns.include(x + 30.0, y);
        return Route { path, leaves_left: false };
    }
    if layout.owned.get(ends.target).map(String::as_str) == ends.source && ends.source.is_some() {
        return owned(start, y, from, to);
    }
    let is_tree = layout.trees.contains(ends.target)
        && ends.source.is_some_and(|source| layout.trees.contains(source));
    if is_tree {
        return tree(ends, layout);
    }
    let place = |id: &str| layout.track_of.get(id).copied();
    match (ends.source.and_then(place), place(ends.target)) {
        (Some((track, column)), Some((other, next))) if track == other && next == column + 1 => {
            neighbour(start, y, to, ends.target, channels)
        }
        (Some((track, column)), Some((other, next)))
            if track == other && next + 1 == column && ends.is_back =>
        {
            previous(from.x + 14.0, y, to)
        }
        (Some((track, column)), Some((other, next))) if track == other && next < column => {
            below(start, y, from, to, track, layout, channels)
        }
        (None, Some((_, 0))) => from_margin(start, y, to, ends.target, channels),
        (_, Some((track, _))) => above(ends, start, track, layout, channels),
        (_, None) => from_margin(start, y, to, ends.target, channels),
    }
}

/// To the back card of a stack, from the right.
fn to_last(ends: &Ends<'_>, start: f64, layout: &Layout, channels: &mut Channels) -> Route {
    let Ends { from, y, to, .. } = *ends;
    let track = layout.track_of.get(ends.target).map_or(0, |(track, _)| *track);
    let count = counted(&mut channels.below, track);
    let channel = to.bottom() + 14.0 + 7.0 * count as f64;
    let right = to.right() + 18.0 + 30.0;
    let enter = to.y - 4.0 + 8.0 * count as f64;
    if ends.is_back && from.x > to.right() {
        let start = from.x + 14.0;
        let (a, b) = (start - 40.0, to.right() + 50.0);
        let path = format!(
            "M{start:.1} {y:.1}C{a:.1} {y:.1} {b:.1} {enter:.1} {:.1} {enter:.1}",
            to.right() + 19.0
        );
        return Route { path, leaves_left: true };
    }
    let out = from.right() + 20.0;
    channels.turns.include(right.max(out), channel);
    let path = format!(
        "M{start:.1} {y:.1}H{out:.1}V{channel:.1}H{right:.1}V{enter:.1}H{:.1}",
        to.right() + 19.0
    );
    Route { path, leaves_left: false }
}

fn counted(counts: &mut Vec<usize>, track: usize) -> usize {
    if counts.len() <= track {
        counts.resize(track + 1, 0);
    }
    counts[track] += 1;
    counts[track] - 1
}

fn neighbour(start: f64, y: f64, to: Rect, target: &str, channels: &Channels) -> Route {
    let is_level = y < to.bottom() - 4.0;
    let path = if is_level {
        format!("M{start:.1} {y:.1}H{:.1}", to.x - 1.0)
    } else {
        // Arrows from above and from calls come in at the middle and higher.
        let is_alone = !channels.entering.contains_key(target);
        let enter = to.y + if is_alone { HEADER / 2.0 } else { HEADER - 3.0 };
        let (a, b) = (start + 40.0, to.x - 40.0);
        format!("M{start:.1} {y:.1}C{a:.1} {y:.1} {b:.1} {enter:.1} {:.1} {enter:.1}", to.x - 1.0)
    };
    Route { path, leaves_left: false }
}

fn previous(start: f64, y: f64, to: Rect) -> Route {
    let enter = y.min(to.bottom() - 6.0);
    let path = if (enter - y).abs() < 0.5 {
        format!("M{start:.1} {y:.1}H{:.1}", to.right() + 1.0)
    } else {
        let (a, b) = (start - 40.0, to.right() + 40.0);
        format!(
            "M{start:.1} {y:.1}C{a:.1} {y:.1} {b:.1} {enter:.1} {:.1} {enter:.1}",
            to.right() + 1.0
        )
    };
    Route { path, leaves_left: true }
}

fn below(
    start: f64,
    y: f64,
    from: Rect,
    to: Rect,
    track: usize,
    layout: &Layout,
    channels: &mut Channels,
) -> Route {
    let count = counted(&mut channels.below, track) as f64;
    let channel = layout.bottoms[track] + 12.0 + 7.0 * count;
    let (out, x) = (from.right() + 16.0 + 4.0 * count, to.x + 30.0 + 12.0 * count);
    channels.turns.include(out, channel);
    let path = format!("M{start:.1} {y:.1}H{out:.1}V{channel:.1}H{x:.1}V{:.1}", to.bottom() + 1.0);
    Route { path, leaves_left: false }
}

fn above(
    ends: &Ends<'_>,
    start: f64,
    track: usize,
    layout: &Layout,
    channels: &mut Channels,
) -> Route {
    let Ends { from, y, to, .. } = *ends;
    let count = counted(&mut channels.above, track) as f64;
    let channel = to.y - layout.lifts[track] - 12.0 - 7.0 * count;
    let out = from.right() + 20.0 + 6.0 * count;
    let entering = entering(channels, ends.target) as f64;
    let x = to.x - 16.0 - 6.0 * entering;
    let enter = to.y + (7.0 + 6.0 * entering).min(HEADER - 4.0);
    channels.turns.include(out, channel);
    let path =
        format!("M{start:.1} {y:.1}H{out:.1}V{channel:.1}H{x:.1}V{enter:.1}H{:.1}", to.x - 1.0);
    Route { path, leaves_left: false }
}

/// How many arrows enter a card at its left before this one.
fn entering(channels: &mut Channels, target: &str) -> usize {
    let count = channels.entering.entry(target.to_owned()).or_insert(0);
    *count += 1;
    *count - 1
}

fn from_margin(start: f64, y: f64, to: Rect, target: &str, channels: &mut Channels) -> Route {
    let count = entering(channels, target) as f64;
    let enter = to.y + (HEADER / 2.0 + 10.0 * count).min(to.height - 6.0);
    let middle = (start + to.x) / 2.0;
    let path = format!(
        "M{start:.1} {y:.1}C{middle:.1} {y:.1} {middle:.1} {enter:.1} {:.1} {enter:.1}",
        to.x - 1.0
    );
    Route { path, leaves_left: false }
}

fn owned(start: f64, y: f64, from: Rect, to: Rect) -> Route {
    let enter = to.y + HEADER / 2.0;
    let out = from.right().max(to.right()) + 16.0;
    let path = format!("M{start:.1} {y:.1}H{out:.1}V{enter:.1}H{:.1}", to.right() + 1.0);
    Route { path, leaves_left: false }
}

fn tree(ends: &Ends<'_>, layout: &Layout) -> Route {
    let Ends { from, y, to, .. } = *ends;
    let is_left = to.x + to.width / 2.0 < from.x + from.width / 2.0;
    // Words above a card begin to the right of the arrow.
    let is_worded = layout.worded.contains(ends.target);
    let x = if is_worded && to.y > from.y { to.x + 24.0 } else { to.x + to.width / 2.0 };
    if to.y <= from.y {
        // Up to the parent.
        let start = if is_left { from.x + 14.0 } else { from.right() - 14.0 };
        let enter = to.bottom() + 1.0;
        let path = format!(
            "M{start:.1} {y:.1}C{start:.1} {:.1} {x:.1} {:.1} {x:.1} {enter:.1}",
            from.y - 24.0,
            enter + 30.0
        );
        return Route { path, leaves_left: is_left };
    }
    let (start, out) = match is_left {
        true => (from.x + 14.0, from.x - 10.0),
        false => (from.right() - 14.0, from.right() + 10.0),
    };
    let enter = to.y - 1.0;
    let path =
        format!("M{start:.1} {y:.1}C{out:.1} {y:.1} {x:.1} {:.1} {x:.1} {enter:.1}", y + 20.0);
    Route { path, leaves_left: is_left }
}
