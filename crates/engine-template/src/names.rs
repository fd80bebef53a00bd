//! Names that are given once.
//!
//! Values of a formula are told apart by their variables, and these by their names. So no two may get
//! the same one, whatever the program calls its things and however names are put together.

use rustc_hash::{FxHashMap, FxHashSet};

/// The names that were given so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    given: FxHashSet<String>,
    /// The last number that was put behind a name.
    numbers: FxHashMap<String, usize>,
}

impl Names {
    /// A name that was not given before: the wanted one, or the first free of `x'2`, `x'3`, ...
    pub(crate) fn unique(&mut self, wanted: &str) -> String {
        if self.given.insert(wanted.to_owned()) {
            return wanted.to_owned();
        }
        let number = self.numbers.entry(wanted.to_owned()).or_insert(1);
        // Ends because finitely many names were given.
        loop {
            *number += 1;
            let name = format!("{wanted}'{number}");
            if self.given.insert(name.clone()) {
                return name;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn a_name_that_looks_like_a_numbered_one_is_not_given_twice() {
        let mut names = Names::default();
        let given = ["x", "x'2", "x", "x", "x'2", "x'2'2"].map(|name| names.unique(name));
        assert_eq!(given, ["x", "x'2", "x'3", "x'4", "x'2'2", "x'2'2'2"]);
    }
}
