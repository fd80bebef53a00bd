//! Searching for the bound of a number instead of going up to it one by one.
//!
//! A row that a few models have raised is likely to rise on: a counter. Then the greatest value at
//! the end of the body is searched for among all steps that start from less than they end with,
//! which is where a counter stops. First in growing steps, then by halving. Other rows that rise at
//! the same time are left out while one is searched for: two counters in step would else hold each
//! other back. Rows for the same sum in other loops, around or inside, share the open value.

use std::collections::BTreeSet;

use heapwright_logic::{Evaluator, TermId};
use heapwright_solver::{CheckResult, SmtSolver, Solver};

use crate::domain::{Bound, Limit, Point, Row, Version};
use crate::ssa::formula::Formula;
use crate::synthesis::Statistics;
use crate::synthesis::fixpoint::{Limits, Stopped};
use crate::synthesis::frame::point;
use crate::synthesis::template::{Invariant, RowIndex, Template, assumed, guard};

pub(super) struct Search<'a> {
    pub(super) formula: &'a mut Formula,
    pub(super) solver: &'a mut Solver,
    pub(super) template: &'a mut Template,
    pub(super) limits: &'a Limits,
    pub(super) statistics: &'a mut Statistics,
    /// Rows that were searched for too often, and where.
    pub(super) given_up: &'a mut Vec<(RowIndex, Point)>,
}

impl Search<'_> {
    /// Raises those of the rows that have just grown which are bounds that rise too often.
    pub(super) fn raise(&mut self, grown: &[(RowIndex, Point)]) -> Result<(), Stopped> {
        let rising: Vec<&(RowIndex, Point)> =
            grown.iter().filter(|(index, point)| self.rises(*index, point)).collect();
        let mut left: BTreeSet<RowIndex> = rising.iter().map(|(index, _)| *index).collect();
        for (index, point) in rising {
            self.raise_row(*index, point, &left)?;
            left.remove(index);
        }
        Ok(())
    }

    fn rises(&mut self, index: RowIndex, point: &Point) -> bool {
        let enumerated = self.limits.enumerated;
        let is_limited = |bound: &Bound| matches!(bound.limit(), Limit::AtMost(_));
        self.bound(index, point).is_some_and(|bound| bound.raised > enumerated && is_limited(bound))
    }

    fn raise_row(
        &mut self,
        index: RowIndex,
        point: &Point,
        open: &BTreeSet<RowIndex>,
    ) -> Result<(), Stopped> {
        let searched = self.limits.searched;
        let Some(bound) = self.bound(index, point) else { return Ok(()) };
        let Limit::AtMost(reached) = bound.limit() else { return Ok(()) };
        bound.searched += 1;
        let (bound, is_given_up) = (bound.clone(), bound.searched > searched);
        let found = if is_given_up {
            self.given_up.push((index, point.clone()));
            bound.greatest()
        } else {
            let context = self.context(index, point, Some(&bound), open);
            self.greatest(index, &bound, &context, reached)?
        };
        self.bound(index, point).expect("still a bound").raise(found);
        self.changed(index);
        Ok(())
    }

    /// Bounds for rows that were given up, now that all rows are inductive: what they are after one
    /// more round is inductive too.
    pub(super) fn lower(&mut self) -> Result<(), Stopped> {
        for (index, point) in self.given_up.clone() {
            let Some(bound) = self.bound(index, &point).cloned() else { continue };
            if bound.limit() != Limit::Top {
                continue;
            }
            let context = self.context(index, &point, None, &BTreeSet::new());
            let least = bound.least();
            let Some(reached) = self.reaches(index, &bound, &context, least)? else { continue };
            let found = self.greatest(index, &bound, &context, reached)?;
            self.bound(index, &point).expect("still a bound").lower(found);
            self.changed(index);
        }
        Ok(())
    }

    fn changed(&mut self, index: RowIndex) {
        self.template.invariants[index.invariant].rows[index.row].has_changed();
    }

    fn bound(&mut self, index: RowIndex, point: &Point) -> Option<&mut Bound> {
        self.template.invariants[index.invariant].rows[index.row].row.bound(point)
    }

    /// The greatest value of the sum after the body.
    fn greatest(
        &mut self,
        index: RowIndex,
        bound: &Bound,
        context: &[TermId],
        reached: i128,
    ) -> Result<i128, Stopped> {
        self.statistics.searches += 1;
        let top = bound.greatest();
        // A relation that gets this far is none.
        let hopeless = if bound.variables().len() > 1 { top / 4 } else { top };
        if self.reaches(index, bound, context, hopeless)?.is_some() {
            return Ok(top);
        }
        let (mut low, mut high) = (reached, hopeless - 1);
        let mut step = 1;
        // Ends because the range gets smaller in each round.
        while low < high {
            let middle = if step > 0 { (low + step).min(high) } else { low + (high - low + 1) / 2 };
            match self.reaches(index, bound, context, middle)? {
                Some(value) => {
                    low = value;
                    step *= 4;
                }
                None => {
                    high = middle - 1;
                    step = 0;
                }
            }
        }
        Ok(low)
    }

    /// All that a step on the path of `point` may assume. The row itself is left open, if given: it
    /// starts from less than it ends with, and so do the rows for the same sum in other loops.
    fn context(
        &mut self,
        index: RowIndex,
        point: &Point,
        own: Option<&Bound>,
        open: &BTreeSet<RowIndex>,
    ) -> Vec<TermId> {
        let family = own.map_or_else(Vec::new, |bound| self.family(index, bound));
        let mut without = open.clone();
        without.extend(family.iter().map(|(index, _)| *index));
        let mut context = self.template.assumptions_except(&mut self.formula.terms, &without);
        let terms = &mut self.formula.terms;
        let loops = &self.template.invariants;
        let Invariant { frame, rows } = &loops[index.invariant];
        let back = frame.back();
        if let Some(bound) = own {
            let ends = bound.sum_term(terms, &back.version);
            for (member, bound) in family {
                let frame = &loops[member.invariant].frame;
                context.push(assumed(terms, frame, &bound, &mut |terms, version: &Version| {
                    let starts = bound.sum_term(terms, version);
                    terms.signed_less(starts, ends)
                }));
            }
        }
        let row = rows[index.row].row.as_ref();
        context.extend([back.guard, guard(terms, row, &back.version)]);
        for (&taken, &path) in point.paths.iter().zip(&back.version.paths) {
            context.push(if taken { path } else { terms.not(path) });
        }
        context
    }

    /// The row itself, and those for the same sum in other loops that rise too.
    fn family(&self, index: RowIndex, bound: &Bound) -> Vec<(RowIndex, Bound)> {
        let name = bound.left_side(&self.template.invariants[index.invariant].frame.scope);
        let mut family = vec![(index, bound.clone())];
        for (invariant, Invariant { frame, rows }) in self.template.invariants.iter().enumerate() {
            if invariant == index.invariant {
                continue;
            }
            for (row, template_row) in rows.iter().enumerate() {
                let bounds = template_row.row.bounds();
                let rising = bounds.into_iter().find(|other| {
                    other.raised > self.limits.enumerated
                        && other.limit() != Limit::Top
                        && other.width() == bound.width()
                        && other.left_side(&frame.scope) == name
                });
                family.extend(rising.map(|bound| (RowIndex { invariant, row }, bound.clone())));
            }
        }
        family
    }

    /// A value of the sum that is at least `wanted`.
    fn reaches(
        &mut self,
        index: RowIndex,
        bound: &Bound,
        context: &[TermId],
        wanted: i128,
    ) -> Result<Option<i128>, Stopped> {
        let frame = &self.template.invariants[index.invariant].frame;
        let terms = &mut self.formula.terms;
        let ends = bound.sum_term(terms, &frame.back().version);
        let wanted = bound.limit_term(terms, wanted);
        let mut question = context.to_vec();
        question.push(terms.signed_less_equal(wanted, ends));
        self.statistics.solver_calls += 1;
        match self.solver.check(terms, &question, &self.limits.deadline) {
            CheckResult::Unsat(_) => Ok(None),
            CheckResult::Sat(model) => {
                let point = point(&frame.back().version, &mut Evaluator::new(terms, &model));
                Ok(Some(bound.sum_value(&point)))
            }
            CheckResult::Unknown(limit) => {
                Err(Stopped(heapwright_engine::Reason::new(limit.to_string())))
            }
        }
    }
}
