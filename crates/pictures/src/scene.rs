//! What is to be seen: cards with rows, and where the rows lead.

/// One picture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scene {
    pub title: String,
    /// Below the picture, one line each.
    pub notes: Vec<String>,
    /// Calls and globals, in the left margin, outermost first.
    pub frames: Vec<Card>,
    /// Blocks, in the order in which they came to be.
    pub cards: Vec<Card>,
    /// Names for the far end of a card: the last node of a list.
    pub ends: Vec<(String, String)>,
}

impl Scene {
    #[must_use]
    pub fn card(&self, id: &str) -> Option<&Card> {
        self.cards.iter().find(|card| card.id == id)
    }

    /// With at most so many cards, those that calls lead to first, and how many are left out.
    #[must_use]
    pub(crate) fn cut(&self, most: usize) -> (Scene, usize) {
        let mut order: Vec<&str> = Vec::new();
        let mut rows: Vec<&Row> = self.frames.iter().flat_map(|card| &card.rows).collect();
        // Ends because each round but the last adds a card.
        while !rows.is_empty() {
            let targets = rows.iter().filter_map(|row| self.target(row.shown.target()?));
            let reached: Vec<&Card> = targets.map(|(card, _)| card).collect();
            rows.clear();
            for card in reached {
                if !order.contains(&card.id.as_str()) {
                    order.push(&card.id);
                    rows.extend(&card.rows);
                }
            }
        }
        let unreached = self.cards.iter().map(|card| card.id.as_str());
        let unreached: Vec<&str> = unreached.filter(|id| !order.contains(id)).collect();
        order.extend(unreached);
        order.truncate(most);
        let mut scene = self.clone();
        scene.cards.retain(|card| order.contains(&card.id.as_str()));
        scene.ends.retain(|(_, whole)| order.contains(&whole.as_str()));
        let kept = scene.clone();
        let cards = scene.frames.iter_mut().chain(&mut scene.cards);
        for row in cards.flat_map(|card| &mut card.rows) {
            let leads_out = row.shown.target().is_some_and(|it| kept.target(it).is_none())
                && row.shown.target().is_some_and(|it| self.target(it).is_some());
            if leads_out {
                row.shown = Shown::Remark("…".to_owned());
            }
        }
        (scene, self.cards.len() - kept.cards.len())
    }

    /// The card that an id names, and whether it names its far end.
    #[must_use]
    pub fn target(&self, id: &str) -> Option<(&Card, bool)> {
        if let Some(card) = self.card(id) {
            return Some((card, false));
        }
        let (_, whole) = self.ends.iter().find(|(end, _)| end == id)?;
        Some((self.card(whole)?, true))
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// The same in every scene of a story.
    pub id: String,
    pub title: String,
    pub note: String,
    pub kind: Kind,
    pub look: Look,
    /// Cards of one group may form a list or a tree.
    pub group: String,
    pub rows: Vec<Row>,
    /// Words above it.
    pub pills: Vec<(Tone, String)>,
}

/// How many nodes a card stands for, and how they hang together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    One,
    /// A list, or one for each node of something.
    Many,
    /// A tree of any size.
    Tree,
    /// An array: its rows are drawn side by side.
    Strip,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    Plain,
    /// Freed, or out of scope.
    Gone,
    /// Nothing points to it.
    Lost,
    /// The call under way.
    Current,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    Bad,
    Fact,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub name: String,
    pub shown: Shown,
    /// It has another value than a step before.
    pub is_changed: bool,
    /// The fault is about it.
    pub is_hit: bool,
    /// It is known to lead ahead along a list, not back.
    pub is_ahead: bool,
}

impl Row {
    #[must_use]
    pub fn new(name: impl Into<String>, shown: Shown) -> Row {
        Row { name: name.into(), shown, is_changed: false, is_hit: false, is_ahead: false }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    Text(String),
    /// Words of ours, not a value of the program's.
    Remark(String),
    Null,
    Uninitialised,
    Link {
        target: String,
        /// Where in the target it leads, if not to its start.
        inside: Option<String>,
        /// The target is gone, or the card that holds it is.
        is_stale: bool,
    },
}

impl Shown {
    /// The words of the row's value; a link has none of its own.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Shown::Text(text) | Shown::Remark(text) => text,
            Shown::Null => "NULL",
            Shown::Uninitialised => "?",
            Shown::Link { .. } => "",
        }
    }

    #[must_use]
    pub fn target(&self) -> Option<&str> {
        match self {
            Shown::Link { target, .. } => Some(target),
            Shown::Text(_) | Shown::Remark(_) | Shown::Null | Shown::Uninitialised => None,
        }
    }
}
