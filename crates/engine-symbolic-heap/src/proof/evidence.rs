//! What a proof hands over to be run: its texts, read by the crate `heap-text`.
//!
//! Nothing here looks at a state of the engine. Where states meet, a run must be in one that some text
//! of that place stands for.

mod second;

use std::collections::{BTreeMap, BTreeSet};

use heapwright_engine::{Choice, CutId, CutPoint, Evidence, Membership, Sample, Task};
use heapwright_heap_text::{
    Claim, Expansion, Fit, Limits, OfMachine, Script, contains_any, expand, parse, scripts,
};
use heapwright_interpreter::Machine;
use heapwright_program::{EdgeId, FunctionId, LocationId, Operation, Program};
use heapwright_property::Part;

pub(crate) use crate::proof::evidence::second::SecondReading;

/// The evidence of invariants.
#[derive(Debug)]
pub(crate) struct TextEvidence {
    program: Program,
    cuts: Vec<CutPoint>,
    /// The claims of each cut point, by its place.
    places: Vec<Place>,
    place_of_cut: Vec<usize>,
    limits: Limits,
    dead_edges: Vec<(FunctionId, EdgeId)>,
    /// Ways to write out what is claimed at a place, by the place and their size.
    drafts: BTreeMap<(usize, u32), Drafts>,
}

/// Ways to write out the claims of a place with a number of nodes more than the fewest.
#[derive(Debug)]
struct Drafts {
    /// The claim by its index, and what is chosen for it.
    ways: Vec<(usize, Script)>,
    /// Those whose numbers have no further edges.
    spent: BTreeSet<usize>,
}

/// Nodes beyond the fewest that samples have, in all lists and trees together.
const MOST_EXTRA: u32 = 4;

/// Edges of numbers that are tried for one way to write a claim out.
const VARIANTS: u32 = 64;

/// Claims by the call stacks that they are about.
pub(crate) type Claims = BTreeMap<Vec<(FunctionId, LocationId)>, Vec<Claim>>;

/// A place where states meet, and what is claimed there.
#[derive(Debug)]
struct Place {
    claims: Vec<Claim>,
}

impl TextEvidence {
    /// The evidence of invariants as texts, which were found to be closed along the branches that
    /// are `passed`.
    pub(crate) fn new(
        task: &Task,
        invariants: &[String],
        passed: &BTreeSet<(FunctionId, EdgeId)>,
    ) -> TextEvidence {
        let places = read_places(&task.program, invariants);
        let places: Vec<Place> = places.into_values().map(|claims| Place { claims }).collect();
        let (mut cuts, mut place_of_cut) = (Vec::new(), Vec::new());
        for (index, place) in places.iter().enumerate() {
            for cut in
                place.claims.first().into_iter().flat_map(|claim| cut_points(&task.program, claim))
            {
                cuts.push(cut);
                place_of_cut.push(index);
            }
        }
        let asks = |part| task.specification.asks(part);
        let is_whole = asks(Part::ValidMemtrack) || asks(Part::ValidMemcleanup);
        let limits = Limits { is_whole, ..Limits::default() };
        let (program, drafts) = (task.program.clone(), BTreeMap::new());
        let dead_edges = branches(&program).filter(|branch| !passed.contains(branch)).collect();
        TextEvidence { program, cuts, places, place_of_cut, limits, dead_edges, drafts }
    }

    fn drafts(&mut self, place: usize, extra: u32) -> &mut Drafts {
        let TextEvidence { program, places, drafts, .. } = self;
        drafts.entry((place, extra)).or_insert_with(|| {
            let claims = places[place].claims.iter().enumerate();
            let ways = claims.flat_map(|(index, claim)| {
                scripts(program, claim, extra).into_iter().map(move |script| (index, script))
            });
            Drafts { ways: ways.collect(), spent: BTreeSet::new() }
        })
    }
}

impl Evidence for TextEvidence {
    fn cut_points(&self) -> &[CutPoint] {
        &self.cuts
    }

    fn contains(&mut self, cut: CutId, machine: &Machine<'_>) -> Membership {
        let place = &self.places[self.place_of_cut[cut]];
        let state = OfMachine::new(machine);
        match contains_any(&place.claims, &state, &self.limits) {
            Fit::In => Membership::In,
            Fit::Out(problem) => Membership::Out(problem),
            Fit::Unclear(why) => Membership::Unclear(why),
        }
    }

    fn dead_edges(&self) -> &[(FunctionId, EdgeId)] {
        &self.dead_edges
    }

    /// First every way to write the claims out, then each of them with other numbers.
    fn sample(&mut self, cut: CutId, Choice { size, index }: Choice) -> Sample {
        let place = self.place_of_cut[cut];
        if size > MOST_EXTRA {
            return Sample::NoMore;
        }
        let drafts = self.drafts(place, size);
        let count = drafts.ways.len();
        if count == drafts.spent.len() || index / count as u32 > VARIANTS {
            return Sample::NoMore;
        }
        let (way, variant) = (index as usize % count, index / count as u32);
        if drafts.spent.contains(&way) {
            return Sample::Empty;
        }
        let (claim, script) = drafts.ways[way].clone();
        let callers = self.cuts[cut].callers.as_deref().unwrap_or_default();
        let claim = &self.places[place].claims[claim];
        match expand(&self.program, claim, (&script, size), variant, callers) {
            Expansion::State(snapshot) => Sample::State(snapshot),
            Expansion::Empty => Sample::Empty,
            Expansion::Unclear(why) => Sample::Unclear(why),
            Expansion::NoMore => {
                self.drafts(place, size).spent.insert(way);
                Sample::Empty
            }
        }
    }
}

/// What is claimed of the whole memory, by call stack. What is claimed of a cut call is about a part.
pub(crate) fn read_places(program: &Program, invariants: &[String]) -> Claims {
    let mut places: Claims = BTreeMap::new();
    for text in invariants {
        match read_claim(program, text) {
            Ok(claim) if claim.outside.is_some() => {}
            Ok(claim) => places.entry(claim.stack()).or_default().push(claim),
            Err(error) => unreachable!("an invariant that cannot be read: {error}"),
        }
    }
    places
}

fn read_claim(program: &Program, text: &str) -> Result<Claim, String> {
    let heap = parse(text).map_err(|error| error.to_string())?;
    Claim::of(program, heap)
}

/// The branches of a program.
fn branches(program: &Program) -> impl Iterator<Item = (FunctionId, EdgeId)> + '_ {
    let is_branch = |operation: &Operation| matches!(operation, Operation::Assume { .. });
    program.functions.enumerated().flat_map(move |(function, item)| {
        let edges = item.body.iter().flat_map(|body| body.edges.enumerated());
        let branches = edges.filter(move |(_, edge)| is_branch(&edge.operation));
        branches.map(move |(edge, _)| (function, edge))
    })
}

/// The cut points of a call stack: one for each choice of call edges that lead to it.
fn cut_points(program: &Program, claim: &Claim) -> Vec<CutPoint> {
    let stack = claim.stack();
    let Some(&(function, location)) = stack.last() else { return Vec::new() };
    let name = place_name(program, function, location);
    // The program is at its start without having arrived there.
    let over = if stack.len() == 1 { edges_to(program, function, location) } else { Vec::new() };
    let cut = |callers: Vec<(FunctionId, EdgeId)>| CutPoint {
        function,
        location,
        callers: Some(callers),
        over: over.clone(),
        name: name.clone(),
    };
    claim.callers(program).into_iter().map(cut).collect()
}

fn edges_to(program: &Program, function: FunctionId, location: LocationId) -> Vec<EdgeId> {
    let body = program.functions[function].body.as_ref();
    let edges = body.into_iter().flat_map(|body| body.edges.enumerated());
    edges.filter(|(_, edge)| edge.target == location).map(|(id, _)| id).collect()
}

fn place_name(program: &Program, function: FunctionId, location: LocationId) -> String {
    let item = &program.functions[function];
    let edges = item.body.iter().flat_map(|body| body.edges.iter());
    let mut lines = edges.filter(|edge| edge.source == location).map(|edge| edge.place.line);
    match lines.next() {
        Some(line) => format!("`{}`, line {line}", item.name),
        None => format!("`{}`, {location}", item.name),
    }
}

#[cfg(test)]
mod tests;
