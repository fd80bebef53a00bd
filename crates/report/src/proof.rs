//! A proof for people: what holds at each of its places, in words and as pictures.

use heapwright_pictures::{Scene, abstract_heap};
use heapwright_program::Program;
use serde::Serialize;

/// A place of a proof: all executions that come here are in one of the cases.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ProofPlace {
    /// `main at list.c:15`
    pub place: String,
    pub file: Option<String>,
    pub line: Option<u32>,
    pub cases: Vec<ProofCase>,
}

/// A shape of the heap.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ProofCase {
    pub sentences: Vec<String>,
    #[serde(skip)]
    pub scene: Scene,
}

/// The places of a proof, in the order of its invariants; texts that are not about heaps are left out.
#[must_use]
pub fn proof_places(program: &Program, invariants: &[String]) -> Vec<ProofPlace> {
    let mut places: Vec<ProofPlace> = Vec::new();
    for heap in invariants.iter().filter_map(|text| abstract_heap(program, text)) {
        let case = ProofCase { sentences: heap.sentences, scene: heap.scene };
        match places.iter_mut().find(|known| known.place == heap.place) {
            Some(known) => known.cases.push(case),
            None => {
                let (file, line) =
                    heap.line.map_or((None, None), |(file, line)| (Some(file), Some(line)));
                places.push(ProofPlace { place: heap.place, file, line, cases: vec![case] });
            }
        }
    }
    places
}
