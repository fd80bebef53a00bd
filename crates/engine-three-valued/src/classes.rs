//! The classes that an engine chooses from, read when it needs them first: most programs are answered before.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use heapwright_three_valued::class::Library;

/// A library of classes that copies share; those that are built in, unless others are given.
#[derive(Clone, Debug, Default)]
pub struct Classes(Arc<OnceLock<Library>>);

impl From<Library> for Classes {
    fn from(library: Library) -> Classes {
        Classes(Arc::new(OnceLock::from(library)))
    }
}

impl Deref for Classes {
    type Target = Library;

    fn deref(&self) -> &Library {
        self.0.get_or_init(Library::built_in)
    }
}

#[cfg(test)]
mod tests {
    use heapwright_three_valued::class::Library;

    use super::Classes;

    #[test]
    fn classes_are_read_once_and_only_if_somebody_looks() {
        let classes = Classes::default();
        let copy = classes.clone();
        assert!(classes.0.get().is_none());
        assert_eq!(classes.lattice(), Library::built_in().lattice());
        assert!(copy.0.get().is_some());
    }

    #[test]
    fn classes_that_are_given_are_taken() {
        let classes = Classes::from(Library { classes: Vec::new() });
        assert!(classes.classes.is_empty());
    }
}
