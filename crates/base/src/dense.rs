//! Typed dense ids (`define_id!`) and vectors indexed by them.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A four-byte name for the n-th thing of one kind.
pub trait DenseId: Copy + Eq + Ord + fmt::Debug {
    /// The id of the thing at `index`.
    fn from_index(index: usize) -> Self;
    /// Where the thing is in its table.
    fn index(self) -> usize;
}

/// Defines a dense id type: `define_id!(/// A block. BlockId, "b");` prints as `b7`.
#[macro_export]
macro_rules! define_id {
    ($(#[$meta:meta])* $name:ident, $prefix:literal) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $crate::DenseId for $name {
            #[inline]
            fn from_index(index: usize) -> Self {
                $name(u32::try_from(index).expect(concat!("more than 2^32 of ", stringify!($name))))
            }
            #[inline]
            fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
    };
}

/// A vector indexed by a typed id.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct IdVec<I, T> {
    items: Vec<T>,
    id: PhantomData<I>,
}

impl<I: DenseId, T> IdVec<I, T> {
    /// An empty table.
    #[must_use]
    pub fn new() -> Self {
        IdVec { items: Vec::new(), id: PhantomData }
    }

    /// A table of `length` copies of `item`.
    #[must_use]
    pub fn filled(item: T, length: usize) -> Self
    where
        T: Clone,
    {
        IdVec { items: vec![item; length], id: PhantomData }
    }

    /// Adds an item and says which id it got.
    pub fn push(&mut self, item: T) -> I {
        let id = self.next_id();
        self.items.push(item);
        id
    }

    /// The id that the next pushed item will get.
    #[must_use]
    pub fn next_id(&self) -> I {
        I::from_index(self.items.len())
    }

    #[must_use]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    #[must_use]
    pub fn get(&self, id: I) -> Option<&T> {
        self.items.get(id.index())
    }

    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.items.iter_mut()
    }

    /// Every id in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I, T> {
        (0..self.items.len()).map(I::from_index)
    }

    /// Every id with its item, in order.
    pub fn enumerated(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator {
        self.items.iter().enumerate().map(|(index, item)| (I::from_index(index), item))
    }

    #[must_use]
    pub fn as_slice(&self) -> &[T] {
        &self.items
    }
}

impl<I: DenseId, T> Default for IdVec<I, T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<I: DenseId, T> Index<I> for IdVec<I, T> {
    type Output = T;
    #[inline]
    fn index(&self, id: I) -> &T {
        &self.items[id.index()]
    }
}

impl<I: DenseId, T> IndexMut<I> for IdVec<I, T> {
    #[inline]
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.index()]
    }
}

impl<I, T: fmt::Debug> fmt::Debug for IdVec<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.items).finish()
    }
}

impl<I: DenseId, T> FromIterator<T> for IdVec<I, T> {
    fn from_iter<It: IntoIterator<Item = T>>(items: It) -> Self {
        IdVec { items: items.into_iter().collect(), id: PhantomData }
    }
}

impl<'a, I: DenseId, T> IntoIterator for &'a IdVec<I, T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.items.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    define_id!(
        /// A test id.
        #[allow(unreachable_pub)]
        ThingId,
        "thing"
    );

    #[test]
    fn a_pushed_item_is_found_under_its_id() {
        let mut table: IdVec<ThingId, &str> = IdVec::new();
        let first = table.push("first");
        let second = table.push("second");
        assert_eq!((table[first], table[second]), ("first", "second"));
        assert_eq!(second.to_string(), "thing1");
        assert_eq!(table.ids().collect::<Vec<_>>(), [first, second]);
    }
}
