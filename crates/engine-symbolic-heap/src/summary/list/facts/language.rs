//! Which kinds of nodes a sequence tells apart. The languages themselves: [`crate::heap::language`].

use std::sync::Arc;

use crate::heap::block::Prototype;
use crate::heap::language::KindSet;
use crate::heap::names::Names;
use crate::summary::payload::differ_in_a_mark;

/// Which kinds are like each kind, so that a sequence does not tell them apart. Where nodes own
/// more than a block only marks count: what one owns seldom depends on what the one before owns.
pub(crate) fn likes(names: &Names<'_>, kinds: &[Arc<Prototype>]) -> Vec<KindSet> {
    let only_marks_count = kinds.iter().any(|kind| kind.height > 0 || kind.blocks.len() > 2);
    let is_like = |one: &Arc<Prototype>, other: &Arc<Prototype>| {
        Arc::ptr_eq(one, other) || (only_marks_count && !differ_in_a_mark(names, one, other))
    };
    let like = |one| {
        let others = kinds.iter().enumerate().filter(|(_, other)| is_like(one, other));
        others.map(|(index, _)| index).collect()
    };
    kinds.iter().map(like).collect()
}
