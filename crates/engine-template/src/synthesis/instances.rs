//! Instances: the further blocks that a row is assumed of, and the pairs of them.
//!
//! A row about one block is assumed of each block that the formula looks at, a row about two of each
//! pair of these.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::{Row, Version};
use crate::ssa::formula::AbstractObjectId;
use crate::synthesis::frame::{Frame, InstanceVersion, Place};

/// More pairs of blocks are not looked at.
const MOST_PAIRS: usize = 80;

/// The further blocks that a row holds of.
pub(super) fn instances(frame: &Frame, place: &Place, row: &dyn Row) -> Vec<Version> {
    if !row.is_universal() {
        return Vec::new();
    }
    let variables = row.variables();
    let spots = spots(frame, &variables);
    let options = |spot: &Spot| -> Vec<InstanceVersion> {
        let needed: BTreeSet<usize> = spot.needed.iter().copied().collect();
        let of_object = place.instances.iter().filter(|it| it.object == spot.object);
        of_object.filter(|it| needed.is_subset(&it.known)).cloned().collect()
    };
    match &spots[..] {
        [only] if !only.is_second => options(only).into_iter().map(|it| it.version).collect(),
        [one, other] => {
            let mut others = options(other);
            if other.is_second {
                let (object, known) = (other.object, other.needed.iter().copied().collect());
                let block = Some(place.version.witnesses[object]);
                let version = place.version.clone();
                others.push(InstanceVersion { object, block, known, version });
            }
            pairs(frame, place, (one, &options(one)), (other, &others))
        }
        _ => Vec::new(),
    }
}

/// A witness of an object of many blocks that a row is about.
struct Spot {
    object: AbstractObjectId,
    is_second: bool,
    /// The variables of the first witness that must be known of another block.
    needed: Vec<usize>,
}

fn spots(frame: &Frame, variables: &[usize]) -> Vec<Spot> {
    let mut spots: BTreeMap<(bool, AbstractObjectId), Vec<usize>> = BTreeMap::new();
    for &variable in variables {
        let Some(object) = frame.scope.summary(variable) else { continue };
        let twin = frame.twins.get(&variable).copied();
        spots.entry((twin.is_some(), object)).or_default().push(twin.unwrap_or(variable));
    }
    let spot = |((is_second, object), needed)| Spot { object, is_second, needed };
    spots.into_iter().map(spot).collect()
}

/// The further pairs of blocks that a row about two witnesses holds of.
fn pairs(
    frame: &Frame,
    place: &Place,
    (one, ones): (&Spot, &[InstanceVersion]),
    (other, others): (&Spot, &[InstanceVersion]),
) -> Vec<Version> {
    let put = |version: &Version, spot: &Spot, instance: &InstanceVersion| {
        let mut version = version.clone();
        instance.put(&mut version, spot.is_second, &frame.twins);
        version
    };
    let firsts = ones.iter().map(|instance| put(&place.version, one, instance));
    let firsts: Vec<Version> = [place.version.clone()].into_iter().chain(firsts).collect();
    let mut versions = firsts[1..].to_vec();
    for first in &firsts {
        versions.extend(others.iter().map(|instance| put(first, other, instance)));
    }
    versions.truncate(MOST_PAIRS);
    versions
}
