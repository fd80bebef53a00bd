//! The template: the rows of all loops and functions, what they let the solver assume and what they
//! must show.

use std::collections::BTreeSet;

use heapwright_logic::{Evaluator, Model, TermId, Terms};

use crate::domain::{self, Point, Power, Row, ValueSet, Version};
use crate::ssa::formula::{CutLoopId, Formula};
use crate::ssa::function::CutFunctionId;
use crate::synthesis::frame::{Frame, FrameKind, Style, point};
use crate::synthesis::instances::instances;

/// Which domains, and how they are combined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Selection {
    /// Names of domains.
    pub domains: Vec<String>,
    /// Rows are claimed only where their variables mean something (FMCAD'18, IV-B).
    pub guards: bool,
    /// Rows have one value for each symbolic loop path (IV-C).
    pub paths: bool,
    /// Such paths are told apart by conditions too.
    pub conditions: bool,
}

impl Selection {
    pub fn style(&self) -> Style {
        Style { guards: self.guards, conditions: self.conditions }
    }

    /// The chosen domains without those whose rows another one has too.
    fn chosen(&self) -> Vec<Box<dyn domain::Domain>> {
        let mut chosen = domain::all();
        chosen.retain(|domain| self.domains.iter().any(|name| name == domain.name()));
        let included: Vec<&str> =
            chosen.iter().flat_map(|domain| domain.includes()).copied().collect();
        chosen.retain(|domain| !included.contains(&domain.name()));
        chosen
    }
}

/// A loop, or a function's context or summary, and its rows.
#[derive(Clone, Debug)]
pub struct Invariant {
    pub frame: Frame,
    pub rows: Vec<TemplateRow>,
}

#[derive(Clone, Debug)]
pub struct TemplateRow {
    pub row: Box<dyn Row>,
    /// What the row's current value lets us assume, and how it is violated; none when it changed.
    terms: Option<RowTerms>,
}

#[derive(Clone, Copy, Debug)]
struct RowTerms {
    assumed: TermId,
    violated: TermId,
}

/// All loops, in the order of the formula; then the contexts of all functions, then their summaries.
#[derive(Clone, Debug)]
pub struct Template {
    pub invariants: Vec<Invariant>,
    style: Style,
}

impl Template {
    /// All rows at bottom.
    pub fn new(formula: &mut Formula, selection: &Selection) -> Template {
        let domains = selection.chosen();
        let mut invariants = Vec::new();
        for frame in frames(formula, selection.style()) {
            let mut rows: Vec<Box<dyn Row>> = vec![Box::new(ValueSet::reached(&frame.scope))];
            rows.extend(domains.iter().flat_map(|domain| domain.rows(&frame.scope)));
            let has_paths = selection.paths && !frame.scope.paths.is_empty();
            let row = |row| if has_paths { Box::new(Power::over(row)) } else { row };
            let row = |base| TemplateRow { row: row(base), terms: None };
            let rows = rows.into_iter().map(row).collect();
            invariants.push(Invariant { frame, rows });
        }
        Template { invariants, style: selection.style() }
    }

    /// No rows: any state may come back to a loop's head, and out of a function.
    pub fn empty(formula: &mut Formula, style: Style) -> Template {
        let frames = frames(formula, style).into_iter();
        let invariants = frames.map(|frame| Invariant { frame, rows: Vec::new() });
        Template { invariants: invariants.collect(), style }
    }

    /// Adds the rows of another template of the same formula.
    pub fn merge(&mut self, other: Template) {
        for (mine, theirs) in self.invariants.iter_mut().zip(other.invariants) {
            assert_eq!(mine.frame.name, theirs.frame.name, "templates of one formula");
            mine.rows.extend(theirs.rows);
        }
    }

    /// The same rows on another formula of the same program; none if that has other loops or functions.
    pub fn on(&self, formula: &mut Formula) -> Option<Template> {
        let mut fresh = Template::empty(formula, self.style);
        if fresh.invariants.len() != self.invariants.len() {
            return None;
        }
        for (new, old) in fresh.invariants.iter_mut().zip(&self.invariants) {
            let names = |frame: &Frame| -> Vec<String> {
                frame.scope.variables.iter().map(|variable| variable.name.clone()).collect()
            };
            let is_same = new.frame.kind == old.frame.kind
                && new.frame.name == old.frame.name
                && names(&new.frame) == names(&old.frame)
                && new.frame.scope.paths == old.frame.scope.paths;
            if !is_same {
                return None;
            }
            let copy = |old: &TemplateRow| TemplateRow { row: old.row.clone(), terms: None };
            new.rows = old.rows.iter().map(copy).collect();
        }
        Some(fresh)
    }

    pub fn row_count(&self) -> usize {
        self.invariants.iter().map(|invariant| invariant.rows.len()).sum()
    }

    pub fn top_count(&self) -> usize {
        let rows = self.invariants.iter().flat_map(|invariant| &invariant.rows);
        rows.filter(|row| row.row.is_top()).count()
    }

    /// What all rows say where they may be assumed.
    pub fn assumptions(&mut self, terms: &mut Terms) -> Vec<TermId> {
        self.assumptions_except(terms, &BTreeSet::new())
    }

    /// What all rows but these say.
    pub fn assumptions_except(
        &mut self,
        terms: &mut Terms,
        without: &BTreeSet<RowIndex>,
    ) -> Vec<TermId> {
        let mut assumptions = Vec::new();
        for (invariant, Invariant { frame, rows }) in self.invariants.iter_mut().enumerate() {
            for (row, template_row) in rows.iter_mut().enumerate() {
                let is_left_out = without.contains(&RowIndex { invariant, row });
                if !template_row.row.is_top() && !is_left_out {
                    assumptions.push(template_row.terms(terms, frame).assumed);
                }
            }
        }
        assumptions
    }

    /// Some row does not hold where it must be shown.
    pub fn violation(&mut self, terms: &mut Terms) -> TermId {
        let violations = self.violations(terms);
        terms.any(&violations)
    }

    /// By loop or function: some row does not hold where it must be shown.
    pub fn violations(&mut self, terms: &mut Terms) -> Vec<TermId> {
        let mut violations = Vec::new();
        for Invariant { frame, rows } in &mut self.invariants {
            let open = rows.iter_mut().filter(|row| !row.row.is_top());
            let of_rows: Vec<TermId> = open.map(|row| row.terms(terms, frame).violated).collect();
            violations.push(terms.any(&of_rows));
        }
        violations
    }

    /// Makes every row cover what the model shows; gives those that grew, and where they had to.
    pub fn join(&mut self, terms: &Terms, model: &Model) -> Vec<(RowIndex, Point)> {
        let mut evaluator = Evaluator::new(terms, model);
        let mut grown = Vec::new();
        for (at, invariant) in self.invariants.iter_mut().enumerate() {
            for end in &invariant.frame.ends {
                if !evaluator.boolean(end.guard) {
                    continue;
                }
                let point = point(&end.version, &mut evaluator);
                for (row, template_row) in invariant.rows.iter_mut().enumerate() {
                    if template_row.join(&point) {
                        grown.push((RowIndex { invariant: at, row }, point.clone()));
                    }
                }
            }
        }
        grown
    }

    /// All invariants in words, each with what it is about.
    pub fn texts(&self) -> Vec<(String, Vec<String>)> {
        let text = |invariant: &Invariant| {
            let Frame { kind, name, scope, .. } = &invariant.frame;
            let title = match kind {
                FrameKind::Loop => format!("loop {name}"),
                FrameKind::Context => format!("calls of {name}"),
                FrameKind::Summary => format!("summary of {name}"),
            };
            let texts = invariant.rows.iter().flat_map(|row| row.row.text(scope));
            (title, texts.collect())
        };
        self.invariants.iter().map(text).collect()
    }
}

fn frames(formula: &mut Formula, style: Style) -> Vec<Frame> {
    let loops: Vec<CutLoopId> = formula.loops.ids().collect();
    let functions: Vec<CutFunctionId> = formula.functions.ids().collect();
    let mut frames = Vec::new();
    for id in loops {
        frames.push(Frame::new(formula, id, style));
    }
    for &id in &functions {
        frames.push(Frame::context(formula, id, style));
    }
    for &id in &functions {
        frames.push(Frame::summary(formula, id, style));
    }
    frames
}

/// Which row of which loop or function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct RowIndex {
    pub invariant: usize,
    pub row: usize,
}

impl TemplateRow {
    fn terms(&mut self, terms: &mut Terms, frame: &Frame) -> RowTerms {
        *self.terms.get_or_insert_with(|| {
            let row = self.row.as_ref();
            let assumed =
                assumed(terms, frame, row, &mut |terms, version| row.formula(terms, version));
            let mut failures = Vec::new();
            for end in &frame.ends {
                let holds = row.formula(terms, &end.version);
                let is_meaningful = guard(terms, row, &end.version);
                let fails = terms.not(holds);
                failures.push(terms.all(&[end.guard, is_meaningful, fails]));
            }
            RowTerms { assumed, violated: terms.any(&failures) }
        })
    }

    fn join(&mut self, point: &Point) -> bool {
        let is_meaningful = self.row.variables().iter().all(|&variable| point.guards[variable]);
        let grows = is_meaningful && !self.row.covers(point);
        if grows {
            self.row.join(point);
            self.terms = None;
        }
        grows
    }

    /// After a change from outside.
    pub fn has_changed(&mut self) {
        self.terms = None;
    }
}

/// Where all variables of a row mean something.
pub(super) fn guard(terms: &mut Terms, row: &dyn Row, version: &Version) -> TermId {
    let guards: Vec<TermId> =
        row.variables().into_iter().map(|variable| version.guards[variable]).collect();
    terms.all(&guards)
}

/// The predicate wherever it is assumed, of the witnesses and of all further blocks known there.
pub(super) fn assumed(
    terms: &mut Terms,
    frame: &Frame,
    row: &dyn Row,
    predicate: &mut dyn FnMut(&mut Terms, &Version) -> TermId,
) -> TermId {
    let mut claims = Vec::new();
    for start in &frame.starts {
        let mut versions = vec![start.version.clone()];
        versions.extend(instances(frame, start, row));
        for version in &versions {
            let is_meaningful = guard(terms, row, version);
            let is_claimed = terms.and(start.guard, is_meaningful);
            let holds = predicate(terms, version);
            claims.push(terms.implies(is_claimed, holds));
        }
    }
    terms.all(&claims)
}
