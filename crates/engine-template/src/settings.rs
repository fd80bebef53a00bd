//! Settings of the engine.

use std::time::Duration;

use heapwright_solver::{BackEnd, Meter};

use crate::calls::CallStyle;
use crate::domain;
use crate::synthesis::Selection;

/// Which templates are tried, and for how long.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Only these domains, all at once; otherwise growing sets of them, cheap ones first.
    pub domains: Option<Vec<String>>,
    /// Rows about an object are claimed only while it is allocated (FMCAD'18, IV-B).
    pub guards: bool,
    /// Rows have one value for each symbolic loop path (IV-C).
    pub loop_paths: bool,
    /// Rows of different domains are found together (IV-D), not each domain by itself.
    pub products: bool,
    /// Which functions are summarised (thesis, 2.5 and 3.7), and which inlined.
    pub calls: CallStyle,
    /// Who answers while invariants are looked for. Proofs are checked with the embedded solver.
    pub solver: BackEnd,
    /// Counts what that solver is asked.
    pub meter: Meter,
    /// Rounds of each loop that a formula holds at most.
    pub most_copies: u32,
    /// Look at executions of so many rounds, and for no invariants.
    pub bound: Option<u32>,
    pub time: Duration,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            domains: None,
            guards: true,
            loop_paths: true,
            products: true,
            calls: CallStyle::default(),
            solver: BackEnd::default(),
            meter: Meter::new(),
            most_copies: 64,
            bound: None,
            time: Duration::from_secs(60),
        }
    }
}

/// Growing sets of domains.
const STAGES: [&[&str]; 6] = [
    &["shape", "intervals", "equalities"],
    &["shape", "intervals", "equalities", "sums"],
    &["shape", "zones", "equalities"],
    &["shape", "intervals", "values", "states"],
    &["shape", "octagons", "equalities", "values", "pairs"],
    &["shape", "zones", "equalities", "sums"],
];

/// Growing sets of domains for a formula with two witnesses.
const LINKED: [&[&str]; 3] = [
    &["shape", "links"],
    &["shape", "intervals", "equalities", "links", "neighbours"],
    &["shape", "zones", "equalities", "links", "neighbours"],
];

/// Domains that need such a formula.
const OF_LINKS: [&str; 2] = ["links", "neighbours"];

impl Settings {
    /// Whether domains of links were asked for by name.
    pub(crate) fn names_links(&self) -> bool {
        self.domains.iter().flatten().any(|name| OF_LINKS.contains(&name.as_str()))
    }

    /// What is tried with two witnesses; nothing if domains were asked for by name.
    pub(crate) fn linked_stages(&self) -> Vec<Vec<Selection>> {
        if self.domains.is_some() { Vec::new() } else { self.stages_of(&LINKED) }
    }

    /// What is tried, one after the other: sets of domains, each a product. Without products, the
    /// domains of a set stand each by itself.
    pub(crate) fn stages(&self) -> Vec<Vec<Selection>> {
        match &self.domains {
            Some(domains) => {
                let names: Vec<&str> = domains.iter().map(String::as_str).collect();
                self.stages_of(&[&names])
            }
            None => self.stages_of(&STAGES),
        }
    }

    fn stages_of(&self, sets: &[&[&str]]) -> Vec<Vec<Selection>> {
        let names = |set: &&[&str]| set.iter().map(|&name| name.to_owned()).collect();
        let stage = |set: Vec<String>| {
            // Which values go with which condition is what state machines hang on.
            let conditions = self.loop_paths && set.iter().any(|name| name == "states");
            let (guards, paths) = (self.guards, self.loop_paths);
            let selection = |domains| Selection { domains, guards, paths, conditions };
            if self.products {
                vec![selection(set)]
            } else {
                set.into_iter().map(|name| selection(vec![name])).collect()
            }
        };
        sets.iter().map(names).map(stage).collect()
    }

    /// The names of all domains, with what they say.
    #[must_use]
    pub fn all_domains() -> Vec<(&'static str, &'static str)> {
        domain::all().iter().map(|domain| (domain.name(), domain.summary())).collect()
    }
}
