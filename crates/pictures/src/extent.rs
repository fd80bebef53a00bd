//! The room that what is drawn takes, so that a picture is cut to what it shows.

use crate::layout::Rect;
use crate::measure::{TREE_BASE, lift, room};
use crate::scene::{Card, Kind};

/// The smallest rectangle around all that was included; empty at first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Extent {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) right: f64,
    pub(crate) bottom: f64,
}

impl Default for Extent {
    fn default() -> Extent {
        let (most, least) = (f64::INFINITY, f64::NEG_INFINITY);
        Extent { left: most, top: most, right: least, bottom: least }
    }
}

impl Extent {
    pub(crate) fn include(&mut self, x: f64, y: f64) {
        self.left = self.left.min(x);
        self.top = self.top.min(y);
        self.right = self.right.max(x);
        self.bottom = self.bottom.max(y);
    }

    /// A card with what stands behind, above and below it.
    pub(crate) fn include_card(&mut self, card: &Card, rect: Rect, is_in_tree: bool) {
        let base = if card.kind == Kind::Tree { TREE_BASE } else { 0.0 };
        self.include(rect.x, rect.y - lift(card));
        self.include(rect.x + rect.width.max(room(card, is_in_tree)), rect.bottom() + base);
    }

    pub(crate) fn union(self, other: Extent) -> Extent {
        Extent {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    /// With a margin on all sides; of nothing, something small.
    pub(crate) fn with_margin(self, margin: f64) -> Extent {
        if self.left > self.right {
            return Extent { left: 0.0, top: 0.0, right: 2.0 * margin, bottom: 2.0 * margin };
        }
        Extent {
            left: self.left - margin,
            top: self.top - margin,
            right: self.right + margin,
            bottom: self.bottom + margin,
        }
    }

    pub(crate) fn width(&self) -> f64 {
        self.right - self.left
    }

    pub(crate) fn height(&self) -> f64 {
        self.bottom - self.top
    }
}
