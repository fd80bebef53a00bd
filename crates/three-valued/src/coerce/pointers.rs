//! Pointers that lead to a definite node: what rules say of them and of what they reach is one comparison of two rows.
//!
//! Classes have five rules for each pointer `x` and the predicate `r` of what it reaches over `p`: `x` holds of one node,
//! `r` is `∃u. x(u) ∧ p(u, v)`, and three more of these. With six pointers they are more than half of all rules, and most often
//! have nothing to say: at loop heads every pointer leads to a definite node, and then they say that the row `r` and the row of
//! `p` at that node are the same. All pointers are one rule here. One that is open is left to its own rules.

use heapwright_base::DenseId;

use crate::coerce::changes::Notes;
use crate::coerce::native::{Form, Native};
use crate::coerce::{Applied, Kind, Prepared, apply, meet};
use crate::structure::{Node, Row, Structure};
use crate::vocabulary::{BinaryId, UnaryId};

#[derive(Clone, Debug)]
pub(super) struct Pointers {
    each: Vec<Pointer>,
}

#[derive(Clone, Debug)]
struct Pointer {
    pointer: UnaryId,
    reached: UnaryId,
    path: BinaryId,
    /// Its own rules.
    rules: Vec<Kind>,
}

/// The rules, with those that are about pointers and what they reach gathered into the last one.
pub(super) fn gathered(mut rules: Vec<Prepared>) -> Vec<Prepared> {
    let mut all: Option<Prepared> = None;
    for pointer in candidates(&rules) {
        let Some(wanted) = pointer.wanted(&rules) else { continue };
        let is_wanted = |it: &mut Prepared| wanted.iter().any(|kind| kind.is(&it.kind));
        let own: Vec<Prepared> = rules.extract_if(.., is_wanted).collect();
        let all = all.get_or_insert_with(|| Prepared {
            kind: Kind::Pointers(Pointers { each: Vec::new() }),
            rule: own[0].rule,
            reads: Default::default(),
            writes: Default::default(),
        });
        let mut pointer = pointer;
        for Prepared { kind, reads, writes, .. } in own {
            pointer.rules.push(kind);
            all.reads = std::mem::take(&mut all.reads).with(reads);
            all.writes = std::mem::take(&mut all.writes).with(writes);
        }
        if let Kind::Pointers(pointers) = &mut all.kind {
            pointers.each.push(pointer);
        }
    }
    rules.extend(all);
    rules
}

/// A rule of a pointer, before it is found among all.
enum Wanted {
    Unique(UnaryId),
    Definition(UnaryId),
    Native(Native),
}

impl Wanted {
    fn is(&self, kind: &Kind) -> bool {
        match (self, kind) {
            (Wanted::Unique(one), Kind::Unique(other))
            | (Wanted::Definition(one), Kind::UnaryDefinition(other, _)) => one == other,
            (Wanted::Native(one), Kind::Native(other)) => one == other,
            (Wanted::Unique(_) | Wanted::Definition(_) | Wanted::Native(_), _) => false,
        }
    }
}

/// The predicates that are defined as what a pointer reaches.
fn candidates(rules: &[Prepared]) -> Vec<Pointer> {
    let image = |rule: &Prepared| {
        let Kind::UnaryDefinition(reached, definition) = &rule.kind else { return None };
        let (pointer, path) = definition.image()?;
        Some(Pointer { pointer, reached: *reached, path, rules: Vec::new() })
    };
    rules.iter().filter_map(image).collect()
}

impl Pointer {
    /// The rules that are about this pointer, if they are all there.
    fn wanted(&self, rules: &[Prepared]) -> Option<Vec<Wanted>> {
        let has = |wanted: &Wanted| rules.iter().any(|rule| wanted.is(&rule.kind));
        let none = UnaryId::from_index(0);
        let native = |form, sets| Wanted::Native(Native::new(form, sets, self.path));
        let mut wanted = vec![
            Wanted::Unique(self.pointer),
            Wanted::Definition(self.reached),
            native(Form::Copied, [self.pointer, self.reached]),
            native(Form::CopiedOutside, [self.pointer, self.reached]),
        ];
        if !wanted.iter().all(has) {
            return None;
        }
        // Where `r` is a row of `p`, `r(u) ∧ ¬r(v) → ¬p(u, v)` is what `p(w, u) ∧ ¬p(w, v) → ¬p(u, v)` says of that row.
        if has(&native(Form::Prefix, [none, none])) {
            wanted.push(native(Form::Inside, [self.reached, none]));
        }
        Some(wanted)
    }

    /// The node to which the pointer leads, if its rules say nothing more of that.
    #[inline]
    fn target(&self, structure: &Structure) -> Option<Node> {
        let row = structure.unary(self.pointer);
        let is_one = row.one.is_power_of_two() && row.zero == structure.universe() & !row.one;
        (is_one && row.one & structure.summaries() == 0).then_some(row.one.trailing_zeros() as Node)
    }
}

impl Pointers {
    pub(super) fn apply(&self, structure: &mut Structure, notes: &mut Notes<'_>) -> Applied {
        let blocks = structure.blocks();
        for pointer in &self.each {
            let stored = structure.unary(pointer.reached);
            let is_of_blocks = stored.must() & !blocks == 0;
            let Some(target) = pointer.target(structure).filter(|_| is_of_blocks) else {
                for rule in &pointer.rules {
                    apply(structure, rule, notes)?;
                }
                continue;
            };
            let is_block = blocks >> target & 1 == 1;
            let path = match is_block {
                true => structure.binary(pointer.path, target),
                false => Row { one: 0, zero: structure.universe() },
            };
            if (stored.one ^ path.one | stored.zero ^ path.zero) & blocks == 0 {
                continue;
            }
            let sharp = meet(stored, path, blocks)?;
            if sharp != stored {
                structure.set_unary_row(pointer.reached, sharp);
                notes.mark_unary(pointer.reached, stored.half());
            }
            let onward = Row {
                one: path.one & (sharp.one | !blocks),
                zero: path.zero & (sharp.zero | !blocks),
            };
            if is_block && onward != path {
                structure.set_binary_row(pointer.path, target, onward);
                notes.mark_binary(pointer.path, 1 << target, path.half());
            }
        }
        Ok(())
    }
}
