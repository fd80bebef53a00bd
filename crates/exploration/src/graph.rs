//! The abstract reachability graph: every state that was reached, where it came from, what covers
//! it.
//!
//! Nodes are small and stay; states are large and go as soon as nobody will ask for them.

use std::collections::BTreeMap;

use heapwright_base::{IdVec, define_id};

use crate::analysis::Analysis;

define_id!(
    /// A node of an abstract reachability graph; parents have lower numbers than their children.
    NodeId,
    "n"
);

define_id!(
    /// Where a state is stored; used again when the state is gone.
    Slot,
    "s"
);

/// What has become of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Its successors are still to be found.
    Waiting,
    /// Its successors are in the graph.
    Expanded,
    /// Another node describes all that this one does. It may have successors of its own, if it
    /// became covered after it was expanded.
    CoveredBy(NodeId),
}

/// A node is small: an exact search of paths has millions of them.
#[derive(Debug)]
struct Node<L> {
    parent: Option<NodeId>,
    label: Option<L>,
    fate: Fate,
}

/// The status of a node, and its state as long as there is one.
#[derive(Clone, Copy, Debug)]
enum Fate {
    Waiting(Slot),
    /// Expanded; others meet it.
    Kept(Slot),
    /// Expanded; its state went into its transfer.
    Taken,
    CoveredBy(NodeId),
}

impl Fate {
    fn slot(self) -> Option<Slot> {
        match self {
            Fate::Waiting(slot) | Fate::Kept(slot) => Some(slot),
            Fate::Taken | Fate::CoveredBy(_) => None,
        }
    }
}

/// A state with its precision.
#[derive(Debug)]
pub(crate) struct Element<A: Analysis> {
    pub(crate) state: A::State,
    pub(crate) precision: A::Precision,
    is_kept: bool,
}

/// Nodes, their states, and which of them meet.
#[derive(Debug)]
pub struct Graph<A: Analysis> {
    nodes: IdVec<NodeId, Node<A::Label>>,
    elements: IdVec<Slot, Option<Element<A>>>,
    free: Vec<Slot>,
    meetings: BTreeMap<A::Meeting, Vec<NodeId>>,
}

impl<A: Analysis> Default for Graph<A> {
    fn default() -> Self {
        Graph {
            nodes: IdVec::new(),
            elements: IdVec::new(),
            free: Vec::new(),
            meetings: BTreeMap::new(),
        }
    }
}

impl<A: Analysis> Graph<A> {
    /// How many nodes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Every node, in the order in which they were reached.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<A> {
        self.nodes.ids()
    }

    #[must_use]
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.nodes[node].parent
    }

    /// How a node came from its parent; none for a root.
    #[must_use]
    pub fn label(&self, node: NodeId) -> Option<&A::Label> {
        self.nodes[node].label.as_ref()
    }

    #[must_use]
    pub fn status(&self, node: NodeId) -> Status {
        match self.nodes[node].fate {
            Fate::Waiting(_) => Status::Waiting,
            Fate::Kept(_) | Fate::Taken => Status::Expanded,
            Fate::CoveredBy(by) => Status::CoveredBy(by),
        }
    }

    /// The state of a node, if it was not taken or covered.
    #[must_use]
    pub fn state(&self, node: NodeId) -> Option<&A::State> {
        self.element(node).map(|element| &element.state)
    }

    #[must_use]
    pub fn precision(&self, node: NodeId) -> Option<&A::Precision> {
        self.element(node).map(|element| &element.precision)
    }

    /// The nodes from the root to this one.
    #[must_use]
    pub fn path(&self, node: NodeId) -> Vec<NodeId> {
        let mut path: Vec<NodeId> =
            std::iter::successors(Some(node), |&node| self.parent(node)).collect();
        path.reverse();
        path
    }

    /// The uncovered nodes at a meeting place, the oldest first; one that was joined has the place
    /// of its older part.
    #[must_use]
    pub fn met_at(&self, meeting: &A::Meeting) -> &[NodeId] {
        self.meetings.get(meeting).map_or(&[], Vec::as_slice)
    }

    /// Every meeting place with its uncovered nodes, in the order of the places.
    pub fn meetings(&self) -> impl Iterator<Item = (&A::Meeting, &[NodeId])> {
        self.meetings.iter().map(|(meeting, nodes)| (meeting, nodes.as_slice()))
    }

    /// The reached set: every meeting place with the states that describe all that arrives there.
    #[must_use]
    pub fn into_reached(mut self) -> BTreeMap<A::Meeting, Vec<A::State>> {
        let meetings = std::mem::take(&mut self.meetings);
        let mut state = |node| self.remove_element(node, Fate::Taken).state;
        meetings
            .into_iter()
            .map(|(meeting, nodes)| (meeting, nodes.into_iter().map(&mut state).collect()))
            .collect()
    }

    fn element(&self, node: NodeId) -> Option<&Element<A>> {
        self.nodes[node].fate.slot().and_then(|slot| self.elements[slot].as_ref())
    }

    /// Adds a waiting node; at a meeting place, its state is kept.
    pub(crate) fn add(
        &mut self,
        origin: Option<(NodeId, A::Label)>,
        (state, precision): (A::State, A::Precision),
        meeting: Option<A::Meeting>,
    ) -> NodeId {
        let is_kept = meeting.is_some();
        let slot = self.store(Element { state, precision, is_kept });
        let node = self.add_node(origin, Fate::Waiting(slot));
        if let Some(meeting) = meeting {
            self.meetings.entry(meeting).or_default().push(node);
        }
        node
    }

    /// Adds a node for a state that is covered on arrival.
    pub(crate) fn add_covered(&mut self, origin: (NodeId, A::Label), by: NodeId) -> NodeId {
        self.add_node(Some(origin), Fate::CoveredBy(by))
    }

    /// Adds a waiting node that takes the place of a known one at their meeting place.
    pub(crate) fn replace(
        &mut self,
        known: NodeId,
        meeting: &A::Meeting,
        origin: (NodeId, A::Label),
        (state, precision): (A::State, A::Precision),
    ) -> NodeId {
        let slot = self.store(Element { state, precision, is_kept: true });
        let node = self.add_node(Some(origin), Fate::Waiting(slot));
        self.remove_element(known, Fate::CoveredBy(node));
        let nodes = self.meetings.get_mut(meeting).expect("the meeting place of a known node");
        let place = nodes.iter_mut().find(|other| **other == known);
        *place.expect("a known node at its meeting place") = node;
        node
    }

    /// A known node is described by another at its meeting place, and leaves it.
    pub(crate) fn cover(&mut self, known: NodeId, meeting: &A::Meeting, by: NodeId) {
        self.remove_element(known, Fate::CoveredBy(by));
        let nodes = self.meetings.get_mut(meeting).expect("the meeting place of a known node");
        nodes.retain(|&node| node != known);
    }

    /// Marks a node as expanded and gives its state: the state itself if nobody will ask for it
    /// again.
    pub(crate) fn expand(&mut self, node: NodeId) -> (A::State, A::Precision) {
        let Fate::Waiting(slot) = self.nodes[node].fate else { panic!("{node:?} does not wait") };
        match &self.elements[slot] {
            Some(element) if element.is_kept => {
                self.nodes[node].fate = Fate::Kept(slot);
                (element.state.clone(), element.precision.clone())
            }
            _ => {
                let element = self.remove_element(node, Fate::Taken);
                (element.state, element.precision)
            }
        }
    }

    pub(crate) fn known(&self, node: NodeId) -> &Element<A> {
        self.element(node).expect("a node at a meeting place has a state")
    }

    fn add_node(&mut self, origin: Option<(NodeId, A::Label)>, fate: Fate) -> NodeId {
        let (parent, label) = origin.unzip();
        self.nodes.push(Node { parent, label, fate })
    }

    fn store(&mut self, element: Element<A>) -> Slot {
        match self.free.pop() {
            Some(slot) => {
                self.elements[slot] = Some(element);
                slot
            }
            None => self.elements.push(Some(element)),
        }
    }

    fn remove_element(&mut self, node: NodeId, fate: Fate) -> Element<A> {
        let old = std::mem::replace(&mut self.nodes[node].fate, fate);
        let slot = old.slot().expect("a node with a state");
        self.free.push(slot);
        self.elements[slot].take().expect("a filled slot")
    }
}
