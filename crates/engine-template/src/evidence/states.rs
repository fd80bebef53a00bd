//! States: what the rows of a proof say of concrete machines at the cut points, as claims.

use heapwright_certificate::{Certificate, Contained, Watch};
use heapwright_engine::{Choice, CutId, CutPoint, Membership, Passed, Sample};
use heapwright_interpreter::Machine;
use heapwright_program::Program;

/// The cut points of a proof, with what is claimed of them.
#[derive(Debug, Default)]
pub(crate) struct States {
    pub(crate) cut_points: Vec<CutPoint>,
    claims: Option<(Certificate, Watch)>,
}

impl States {
    /// The cut points are the loops of the certificate, in its order.
    pub(crate) fn new(certificate: Certificate, program: &Program) -> States {
        let watch = Watch::new(&certificate, program);
        let cut_points = certificate.frames.iter().enumerate().map(|(number, frame)| CutPoint {
            function: frame.key.function,
            location: frame.key.head,
            callers: Some(frame.key.calls.clone()),
            over: watch.back_edges(number).to_vec(),
            name: format!("loop {}", frame.name),
        });
        let cut_points = cut_points.collect();
        States { cut_points, claims: Some((certificate, watch)) }
    }

    pub(crate) fn begin(&mut self) {
        if let Some((_, watch)) = &mut self.claims {
            watch.begin();
        }
    }

    pub(crate) fn observe(&mut self, machine: &Machine<'_>, passed: Passed) {
        if let Some((certificate, watch)) = &mut self.claims {
            let edge = (passed.function, passed.edge, passed.depth);
            watch.observe(certificate, machine, edge);
        }
    }

    pub(crate) fn contains(&mut self, cut: CutId, machine: &Machine<'_>) -> Membership {
        let Some((certificate, watch)) = &self.claims else {
            return Membership::Unclear("the proof has no certificate".to_owned());
        };
        match certificate.contains(cut, machine, watch) {
            Contained::Yes => Membership::In,
            Contained::No(text) => Membership::Out(text),
            Contained::Open(text) => Membership::Unclear(text),
        }
    }

    pub(crate) fn sample(&mut self, cut: CutId, choice: Choice) -> Sample {
        let (_, _) = (cut, choice);
        Sample::NoMore
    }
}
