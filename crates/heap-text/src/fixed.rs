//! Blocks that are there before the program runs, and the names that texts have for them.
//!
//! A text need not list them, since their numbers follow from the program: first its functions, then its
//! objects but for local ones, each in their order.

use heapwright_base::DenseId;
use heapwright_program::{FunctionId, ObjectId, ObjectKind, Program};

/// A block that is there before the program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fixed {
    Function(FunctionId),
    Object(ObjectId),
}

/// All such blocks of a program.
#[derive(Clone, Debug)]
pub(crate) struct FixedBlocks {
    functions: usize,
    /// In the order of their numbers, which is that of the ids.
    objects: Vec<ObjectId>,
}

impl FixedBlocks {
    pub(crate) fn of(program: &Program) -> FixedBlocks {
        let objects = program.objects.enumerated();
        let fixed = objects.filter(|(_, object)| object.kind != ObjectKind::Local);
        FixedBlocks {
            functions: program.functions.len(),
            objects: fixed.map(|(id, _)| id).collect(),
        }
    }

    /// The names of all of them, in the order of their numbers.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (String, Fixed)> + '_ {
        let functions =
            (0..self.functions).map(|index| Fixed::Function(DenseId::from_index(index)));
        let objects = self.objects.iter().map(|&object| Fixed::Object(object));
        let numbered = functions.chain(objects).enumerate();
        numbered.map(|(number, fixed)| (format!("b{number}"), fixed))
    }

    /// The block that a text means by a name.
    pub(crate) fn named(&self, name: &str) -> Option<Fixed> {
        let number: usize = name.strip_prefix('b')?.parse().ok()?;
        let fixed = match number.checked_sub(self.functions) {
            None => Fixed::Function(DenseId::from_index(number)),
            Some(index) => Fixed::Object(*self.objects.get(index)?),
        };
        // `b07` and `b+7` are names of other blocks, if of any.
        (format!("b{number}") == name).then_some(fixed)
    }

    pub(crate) fn name_of(&self, fixed: Fixed) -> Option<String> {
        let number = match fixed {
            Fixed::Function(function) => {
                Some(function.index()).filter(|&index| index < self.functions)
            }
            Fixed::Object(object) => {
                self.objects.binary_search(&object).ok().map(|index| self.functions + index)
            }
        };
        number.map(|number| format!("b{number}"))
    }
}

#[cfg(test)]
mod tests {
    use super::{Fixed, FixedBlocks};
    use heapwright_base::DenseId;
    use heapwright_program::{FunctionId, ObjectId};

    fn blocks() -> FixedBlocks {
        FixedBlocks {
            functions: 11,
            objects: vec![ObjectId::from_index(2), ObjectId::from_index(5)],
        }
    }

    #[test]
    fn names_and_blocks_belong_together() {
        let blocks = blocks();
        assert_eq!(blocks.iter().count(), 13);
        for (name, fixed) in blocks.iter() {
            assert_eq!(blocks.named(&name), Some(fixed), "{name}");
            assert_eq!(blocks.name_of(fixed), Some(name));
        }
    }

    #[test]
    fn other_names_and_blocks_are_none_of_them() {
        let blocks = blocks();
        for name in ["b13", "b01", "b+1", "b", "1", "h1"] {
            assert_eq!(blocks.named(name), None, "{name}");
        }
        assert_eq!(blocks.name_of(Fixed::Object(ObjectId::from_index(3))), None);
        assert_eq!(blocks.name_of(Fixed::Function(FunctionId::from_index(11))), None);
    }
}
