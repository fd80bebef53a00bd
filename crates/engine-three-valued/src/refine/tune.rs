//! FineTune: which selection of families rules out all spurious paths so far. The smallest is found by trying, and a
//! selection is not tried where one with more families has failed.

use heapwright_engine::Deadline;

use crate::costs::timed;
use crate::engine::Choice;
use crate::explore::Path;
use crate::model::Model;
use crate::precision::{Cast, Precision};
use crate::refine::{Refiner, mixed};
use crate::simulate::{Simulated, simulate};

impl Refiner<'_> {
    /// FineTune: the smallest selection of families, of any enabled class, that rules out all paths.
    pub(super) fn fine_tune(
        &mut self,
        precision: &Precision,
        deadline: &Deadline,
    ) -> Option<Precision> {
        // Where the finest selection fails, or one with more families, nothing else is worth a look.
        let mut failed: Vec<Cast> = self.lessons.rejected.clone();
        for cast in self.lessons.enabled.clone() {
            let finest = Cast { families: vec![true; cast.families.len()], ..cast };
            if !deadline.is_over() && !self.rules_out(&finest, precision) {
                failed.push(finest);
            }
        }
        for (_, cast) in self.candidates(precision) {
            if deadline.is_over() {
                return None;
            }
            if failed.iter().any(|known| is_coarser(&cast, known)) {
                continue;
            }
            if self.rules_out(&cast, precision) {
                return Some(self.cast_as(cast, precision));
            }
            failed.push(cast);
        }
        None
    }

    /// Whether a selection of families rules out all paths.
    pub(super) fn rules_out(&mut self, cast: &Cast, precision: &Precision) -> bool {
        let finer = self.cast_as(cast.clone(), precision);
        self.is_ruled_out(&finer)
    }

    pub(super) fn simulate(&mut self, model: &Model<'_>, path: &Path) -> Simulated {
        self.lessons.costs.simulations += 1;
        timed(&mut self.lessons.costs.tuning, || simulate(model, path))
    }

    /// What could be chosen, fewest predicates first.
    pub(super) fn candidates(&self, precision: &Precision) -> Vec<(usize, Cast)> {
        let mut found: Vec<(usize, Cast)> = Vec::new();
        for cast in &self.lessons.enabled {
            for families in self.selections(cast.families.len()) {
                let cast = Cast { families, ..cast.clone() };
                let with = self.cast_as(cast.clone(), precision);
                if let Ok(model) = Model::of(self.atlas, with, self.library) {
                    let vocabulary = &model.instance.vocabulary;
                    found.push((vocabulary.unary().len() + 2 * vocabulary.binary().len(), cast));
                }
            }
        }
        // Of equals, the class that comes first in the library, then fields in their order.
        found.sort_by_key(|(count, cast)| {
            let count = match self.choice {
                Choice::Samples | Choice::Given { .. } | Choice::Largest => *count as u64,
                Choice::Shuffled(seed) => {
                    let families = cast.families.iter().map(|&is_used| u64::from(is_used));
                    mixed(*seed, &families.collect::<Vec<_>>())
                }
            };
            (count, cast.class, cast.roles.clone())
        });
        found
    }

    /// The selections of so many families that may be chosen.
    pub(super) fn selections(&self, count: usize) -> Vec<Vec<bool>> {
        match self.choice {
            Choice::Samples | Choice::Given { .. } | Choice::Shuffled(_) => subsets(count),
            Choice::Largest => vec![vec![true; count]],
        }
    }

    /// Whether a precision rules out all paths; the newest first, which is the most likely to stay open.
    pub(super) fn is_ruled_out(&mut self, precision: &Precision) -> bool {
        let Ok(model) = Model::of(self.atlas, precision.clone(), self.library) else {
            return false;
        };
        let paths = std::mem::take(&mut self.lessons.paths);
        let is_out = |path| self.simulate(&model, path).is_ruled_out;
        let are_out = paths.iter().rev().all(is_out);
        self.lessons.paths = paths;
        are_out
    }
}

/// All selections of so many families.
fn subsets(count: usize) -> Vec<Vec<bool>> {
    (0..1u32 << count).map(|bits| (0..count).map(|it| bits >> it & 1 == 1).collect()).collect()
}

/// Of the same class, with no more families.
fn is_coarser(cast: &Cast, other: &Cast) -> bool {
    let is_same = (cast.class, &cast.roles, cast.order) == (other.class, &other.roles, other.order);
    is_same && cast.families.iter().zip(&other.families).all(|(mine, theirs)| !mine || *theirs)
}
