//! Which pointers a spurious path needs: those without which it is not ruled out.
//!
//! They are an unsatisfiable core of the path, found without formulas: all pointers that it asks for are tracked until
//! it is ruled out, then one after the other is left out for as long as it stays so. Those that are asked for last are
//! tried last, since they are nearest to what contradicts itself.

use std::collections::BTreeSet;

use crate::explore::Path;
use crate::model::Model;
use crate::precision::Precision;
use crate::refine::Refiner;
use crate::simulate::Simulated;
use crate::state::Slot;

impl Refiner<'_> {
    /// Of the pointers that a path asks for, one after the other as it gets to know more, those that rule it out.
    /// Nothing when all of them do not.
    pub(super) fn core(
        &mut self,
        precision: &Precision,
        path: &Path,
        asked: &[Slot],
    ) -> Option<Vec<Slot>> {
        let is_new = |slot: &Slot| !precision.tracked.contains(slot);
        let mut needed: Vec<Slot> = asked.iter().copied().filter(is_new).collect();
        if needed.is_empty() {
            return None;
        }
        // Ends because each round tracks more pointers.
        loop {
            let simulated = self.simulate_with(precision, path, &needed);
            if simulated.is_ruled_out {
                break;
            }
            let known: BTreeSet<Slot> = needed.iter().copied().collect();
            let more = simulated.unknown.into_iter();
            let before = needed.len();
            needed.extend(more.filter(|slot| is_new(slot) && !known.contains(slot)));
            if needed.len() == before {
                return None;
            }
        }
        for slot in needed.clone() {
            let fewer: Vec<Slot> = needed.iter().copied().filter(|it| *it != slot).collect();
            if self.simulate_with(precision, path, &fewer).is_ruled_out {
                needed = fewer;
            }
        }
        Some(needed)
    }

    /// The path where these pointers are tracked as well.
    fn simulate_with(&mut self, precision: &Precision, path: &Path, slots: &[Slot]) -> Simulated {
        let mut finer = precision.clone();
        finer.tracked.extend(slots);
        let model = Model::of(self.atlas, finer, self.library).expect("only pointers are new");
        self.simulate(&model, path)
    }
}
