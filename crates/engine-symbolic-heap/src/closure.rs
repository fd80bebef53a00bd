//! The check of invariants: they hold initially, every way from one meeting place to the next keeps
//! them, and none of these ways is faulty. It does not look at how they were found.

use heapwright_engine::{Deadline, Reason};

use crate::context::Context;
use crate::fixpoint::Invariants;

/// Whether the invariants are closed under all edges.
pub(crate) fn check_closed(
    context: &mut Context<'_>,
    invariants: &Invariants,
    deadline: &Deadline,
) -> Result<(), Reason> {
    let initial = context.initial()?;
    for start in std::iter::once(&initial).chain(invariants.values().flatten()) {
        for (place, mut arrived) in
            context.run_to_meeting_places(start.clone(), &|| deadline.is_over())?
        {
            context.reduce(&mut arrived)?;
            let known = invariants.get(&place).map_or(&[][..], Vec::as_slice);
            if !known.iter().any(|known| context.is_covered(known, &arrived)) {
                return Err(Reason::new("invariants that are not closed"));
            }
        }
    }
    Ok(())
}
