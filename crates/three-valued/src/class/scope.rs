//! Names in the texts of a family: those of its own links, of predicates, and of the pointer that a text is for.

use heapwright_base::DenseId;

use crate::class::{Family, Instance};
use crate::text::Names;
use crate::vocabulary::{BinaryId, NullaryId, UnaryId};

/// What names mean in the texts of a family: links by the names that the family has for them, and `x` and
/// `[x]` for one pointer.
pub(super) struct Scope<'i> {
    pub(super) instance: &'i Instance,
    pub(super) family: &'i Family,
    pub(super) pointer: Option<(UnaryId, &'i String)>,
}

impl Names for Scope<'_> {
    fn nullary_named(&self, name: &str) -> Option<NullaryId> {
        self.instance.vocabulary.nullary_named(name)
    }

    fn unary_named(&self, name: &str) -> Option<UnaryId> {
        let Some((id, pointer)) = self.pointer else {
            return self.instance.vocabulary.unary_named(name);
        };
        match name {
            "x" => Some(id),
            _ => {
                let name = name.replace("[x]", &format!("[{pointer}]"));
                self.instance.vocabulary.unary_named(&name)
            }
        }
    }

    fn binary_named(&self, name: &str) -> Option<BinaryId> {
        let role = self.family.roles.iter().find(|(role, _)| role == name);
        match role {
            Some((_, role)) => Some(self.instance.links[*role]),
            None if self.family.order.as_deref() == Some(name) => self.instance.order,
            None => {
                let found = self.instance.vocabulary.binary_named(name)?;
                // A link or number of the class that the family knows by another name, or not at all.
                let own = self.instance.links.len() + usize::from(self.instance.order.is_some());
                (found.index() >= own).then_some(found)
            }
        }
    }
}
