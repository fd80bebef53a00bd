//! One picture of an answer: the heap at the fault, or the heaps of a proof.

use heapwright_pictures::{Scene, scene_of_step, svg_page};

use crate::check::{Answer, CheckReport};

/// As SVG; none where nothing is known of a heap.
#[must_use]
pub fn check_picture(report: &CheckReport) -> Option<String> {
    let scenes: Vec<Scene> = match &report.answer {
        Answer::Violated(violation) => {
            let trace = violation.trace.as_ref()?;
            vec![scene_of_step(trace, trace.steps.len().checked_sub(1)?)]
        }
        Answer::Holds { .. } => {
            let cases = report.places.iter().flat_map(|place| &place.cases);
            cases.map(|case| case.scene.clone()).collect()
        }
        Answer::Unknown { .. } | Answer::InputError { .. } => return None,
    };
    (!scenes.is_empty()).then(|| svg_page(&scenes))
}
