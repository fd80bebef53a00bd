//! The algorithm: take a waiting state, find what it leads to, file that where it belongs.

use crate::analysis::{Analysis, Merge, Step, Successor};
use crate::budget::{Control, Event, Limit};
use crate::graph::{Graph, NodeId, Status};
use crate::statistics::Statistics;
use crate::waitlist::{Order, Waitlist};

/// How an exploration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Nothing waits: every successor of every reached state is described by a reached state.
    Complete,
    /// The analysis ended it; its last finding says why.
    Decided,
    /// A limit was reached. Everything that was found is kept, and the exploration can go on.
    Limited(Limit),
}

/// A finding, and the node whose transfer made it.
#[derive(Debug)]
pub struct Found<F> {
    pub node: NodeId,
    pub finding: F,
}

/// An exploration: what is reached, what waits, what was found.
#[derive(Debug)]
pub struct Explorer<A: Analysis> {
    graph: Graph<A>,
    waitlist: Waitlist,
    findings: Vec<Found<A::Finding>>,
    statistics: Statistics,
    is_decided: bool,
    /// Successors of a node that are still to be filed, the last one first, and the precision of that node.
    unfiled: Vec<Successor<A>>,
    expanded: Option<(NodeId, A::Precision)>,
    /// Whether the transfer of that node was interrupted.
    is_interrupted: bool,
}

impl<A: Analysis> Explorer<A> {
    #[must_use]
    pub fn new(order: Order) -> Self {
        Explorer {
            graph: Graph::default(),
            waitlist: Waitlist::new(order),
            findings: Vec::new(),
            statistics: Statistics::default(),
            is_decided: false,
            unfiled: Vec::new(),
            expanded: None,
            is_interrupted: false,
        }
    }

    /// Adds a state to start from. It is taken as it is, without looking at what is known; with a
    /// meeting place, later ones meet it there.
    pub fn start(
        &mut self,
        analysis: &A,
        state: A::State,
        precision: A::Precision,
        meeting: Option<A::Meeting>,
    ) -> NodeId {
        self.file(analysis, None, (state, precision), meeting)
    }

    /// Explores until nothing waits, the analysis decides, or a limit is reached. After a limit, it
    /// can be called again and goes on where it was.
    pub fn run(&mut self, analysis: &mut A, control: &mut Control<'_>) -> End {
        while !self.is_decided {
            if self.statistics.waiting == 0 && self.unfiled.is_empty() && !self.is_interrupted {
                return End::Complete;
            }
            // Also between two successors of one node: there may be many, each of which meets many.
            if let Some(limit) = self.limit(control) {
                return End::Limited(limit);
            }
            if let Some(successor) = self.unfiled.pop() {
                let (node, precision) = self.expanded.clone().expect("a node has successors");
                if let Err(finding) =
                    self.file_successor(analysis, (node, precision), successor, control)
                {
                    self.findings.push(Found { node, finding });
                    self.is_decided = true;
                }
                continue;
            }
            let (node, result) = self.advance(analysis, control);
            if let Err(finding) = result {
                self.findings.push(Found { node, finding });
                self.is_decided = true;
            }
        }
        End::Decided
    }

    #[must_use]
    pub fn graph(&self) -> &Graph<A> {
        &self.graph
    }

    #[must_use]
    pub fn into_graph(self) -> Graph<A> {
        self.graph
    }

    /// What was found so far, in the order in which it was found.
    #[must_use]
    pub fn findings(&self) -> &[Found<A::Finding>] {
        &self.findings
    }

    /// Gives what was found so far away.
    pub fn take_findings(&mut self) -> Vec<Found<A::Finding>> {
        std::mem::take(&mut self.findings)
    }

    #[must_use]
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    fn limit(&self, control: &Control<'_>) -> Option<Limit> {
        if (control.is_over.0)() {
            return Some(Limit::Interrupted);
        }
        control.budgets.exceeded(&self.statistics)
    }

    fn wait(&mut self, node: NodeId, priority: u64) {
        self.waitlist.push(node, priority);
        self.statistics.nodes = self.graph.len();
        self.statistics.waiting += 1;
        self.statistics.most_waiting = self.statistics.most_waiting.max(self.statistics.waiting);
    }

    /// The next node that still waits; a replaced one is still in the list.
    fn next(&mut self) -> NodeId {
        loop {
            let node = self.waitlist.pop().expect("a waiting node is in the list");
            if self.graph.status(node) == Status::Waiting {
                self.statistics.waiting -= 1;
                return node;
            }
        }
    }

    /// Makes the transfer of the next node, or goes on with one that was interrupted; its successors are filed next.
    fn advance(
        &mut self,
        analysis: &mut A,
        control: &mut Control<'_>,
    ) -> (NodeId, Result<(), A::Finding>) {
        let mut step = Step::new(std::mem::take(&mut self.unfiled), control.is_over);
        let (node, result) = match self.expanded.take_if(|_| self.is_interrupted) {
            Some((node, precision)) => {
                let result = analysis.resume(&precision, &mut step);
                self.expanded = Some((node, precision));
                (node, result)
            }
            None => {
                let node = self.next();
                control.say(Event::Expands(node), &self.statistics);
                let (state, precision) = self.graph.expand(node);
                let result = analysis.transfer(state, &precision, &mut step);
                self.statistics.transfers += 1;
                self.expanded = Some((node, precision));
                (node, result)
            }
        };
        self.is_interrupted = step.is_interrupted;
        self.statistics.work += step.work;
        let findings = step.findings.into_iter().map(|finding| Found { node, finding });
        self.findings.extend(findings);
        step.successors.reverse();
        self.unfiled = step.successors;
        (node, result)
    }

    fn file_successor(
        &mut self,
        analysis: &mut A,
        (node, precision): (NodeId, A::Precision),
        Successor { label, state, meeting }: Successor<A>,
        control: &mut Control<'_>,
    ) -> Result<(), A::Finding> {
        let origin = (node, label);
        match meeting {
            None => self.add(analysis, origin, (state, precision), None, control),
            Some(meeting) => {
                let adjusted = analysis.adjust(state, &precision)?;
                self.meet(analysis, origin, adjusted, meeting, control);
            }
        }
        Ok(())
    }

    /// A state comes to a meeting place: it is covered, or joined with a known one, or new.
    ///
    /// Coverage is asked of all known states before any is joined: joining a state that is covered
    /// by another would only lose precision.
    fn meet(
        &mut self,
        analysis: &mut A,
        origin: (NodeId, A::Label),
        (state, precision): (A::State, A::Precision),
        meeting: A::Meeting,
        control: &mut Control<'_>,
    ) {
        let graph = &self.graph;
        let known = graph.met_at(&meeting);
        let covering = known.iter().find(|&&node| analysis.stop(&graph.known(node).state, &state));
        if let Some(&by) = covering {
            return self.cover(origin, by, control);
        }
        for &node in known {
            let element = graph.known(node);
            match analysis.merge(&element.state, &element.precision, &state) {
                Merge::Apart => {}
                Merge::Covered => return self.cover(origin, node, control),
                Merge::Joined(state, precision) => {
                    let joined = (state, precision);
                    let into = self.join(analysis, origin, joined, (node, &meeting), control);
                    return self.prune(analysis, into, &meeting, control);
                }
            }
        }
        self.add(analysis, origin, (state, precision), Some(meeting), control);
    }

    fn cover(&mut self, origin: (NodeId, A::Label), by: NodeId, control: &mut Control<'_>) {
        let node = self.graph.add_covered(origin, by);
        self.statistics.nodes = self.graph.len();
        self.statistics.covered += 1;
        control.say(Event::Covered { node, by }, &self.statistics);
    }

    /// The joined state takes the place of the known one, also in the waitlist.
    fn join(
        &mut self,
        analysis: &A,
        origin: (NodeId, A::Label),
        joined: (A::State, A::Precision),
        (known, meeting): (NodeId, &A::Meeting),
        control: &mut Control<'_>,
    ) -> NodeId {
        self.spare(known);
        let priority = analysis.priority(&joined.0);
        let into = self.graph.replace(known, meeting, origin, joined);
        self.statistics.joined += 1;
        self.wait(into, priority);
        control.say(Event::Joined { known, into }, &self.statistics);
        into
    }

    /// A state that was joined may describe others at its place as well: they are not needed there.
    fn prune(
        &mut self,
        analysis: &mut A,
        joined: NodeId,
        meeting: &A::Meeting,
        control: &mut Control<'_>,
    ) {
        let graph = &self.graph;
        let state = &graph.known(joined).state;
        let others = graph.met_at(meeting).iter().copied().filter(|&other| other != joined);
        let covered: Vec<NodeId> =
            others.filter(|&other| analysis.stop(state, &graph.known(other).state)).collect();
        for node in covered {
            self.spare(node);
            self.graph.cover(node, meeting, joined);
            self.statistics.pruned += 1;
            control.say(Event::Covered { node, by: joined }, &self.statistics);
        }
    }

    /// A known node gives way: if it waits, it need not be expanded.
    fn spare(&mut self, known: NodeId) {
        if self.graph.status(known) == Status::Waiting {
            self.statistics.waiting -= 1;
            self.statistics.spared += 1;
        }
    }

    fn add(
        &mut self,
        analysis: &A,
        origin: (NodeId, A::Label),
        element: (A::State, A::Precision),
        meeting: Option<A::Meeting>,
        control: &mut Control<'_>,
    ) {
        let node = self.file(analysis, Some(origin), element, meeting);
        control.say(Event::Added(node), &self.statistics);
    }

    /// Adds a node to the graph and to the waitlist.
    fn file(
        &mut self,
        analysis: &A,
        origin: Option<(NodeId, A::Label)>,
        element: (A::State, A::Precision),
        meeting: Option<A::Meeting>,
    ) -> NodeId {
        let priority = analysis.priority(&element.0);
        if let Some(meeting) = &meeting {
            let here = self.graph.met_at(meeting).len() + 1;
            self.statistics.most_at_one_place = self.statistics.most_at_one_place.max(here);
        }
        let node = self.graph.add(origin, element, meeting);
        self.wait(node, priority);
        node
    }
}
