//! Mutants: small changes of a C text that plant a bug, or at least may.
//!
//! The changes are made on tokens, so that the text stays C text that any compiler reads. Whether a
//! mutant is still a program is for compilers to say: some are not, and they are refused cheaply.

mod change;
mod sites;
mod token;

pub use self::change::{Change, Mutant};

use crate::random::Random;

use self::sites::Sites;

/// A mutant of a text: one change, now and then two. `None` where nothing fits.
pub fn mutant(text: &str, random: &mut Random) -> Option<Mutant> {
    let first = one_change(text, random)?;
    if random.percent(80) {
        return Some(first);
    }
    match one_change(&first.text, random) {
        Some(second) => {
            let description = format!("{}; {}", first.description, second.description);
            Some(Mutant { description, ..second })
        }
        None => Some(first),
    }
}

/// Tries kinds of changes until one fits.
fn one_change(text: &str, random: &mut Random) -> Option<Mutant> {
    let sites = Sites::of(text);
    (0..20).find_map(|_| random.pick(&Change::ALL).apply(text, &sites, random))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    const LIST: &str = "struct node { struct node *next, *prev; int value; };\n\
        int main(void) { struct node *x = malloc(24), *y = x; int i = 0;\n\
        x->next = y; x->prev = 0; for (i = 0; i < 3; i++) { y->value += i; }\n\
        if (x == y) free(x); return 0; }\n";

    fn mutants(count: u64) -> Vec<Mutant> {
        (0..count).filter_map(|seed| one_change(LIST, &mut Random::new(seed))).collect()
    }

    #[test]
    fn every_kind_of_change_fits_a_list_program() {
        let kinds: BTreeSet<Change> = mutants(600).iter().map(|mutant| mutant.change).collect();
        assert_eq!(kinds.len(), Change::ALL.len(), "{kinds:?}");
    }

    #[test]
    fn a_mutant_differs_from_its_text() {
        for mutant in mutants(300) {
            assert_ne!(mutant.text, LIST, "{}", mutant.description);
        }
    }

    #[test]
    fn declarations_outside_of_functions_stay() {
        let declaration = LIST.lines().next().unwrap();
        for mutant in mutants(300) {
            assert!(mutant.text.contains(declaration), "{}", mutant.text);
        }
    }
}
