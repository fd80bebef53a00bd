//! The portfolio: who works on a question, for how long, and what becomes of what they say.
//!
//! Engines know a question, a deadline and listeners; which question and which deadline is decided
//! here. All engines get a small share of the time first. Where that is not enough, the parts of the
//! question are asked apart, so that one that nobody can show does not keep the others from being
//! answered; then those that need more time share what is left and go on from what they have learnt.
//! What an engine claims goes through the gate, the crate `verdict`, before anybody hears of it.
//!
//! Reading order: `shares` (time), `decision` (what is known so far), `seat` (an engine at a question), `turn` (what becomes
//! of what it says), `rounds` (who is asked what), `ahead` (who begins before it is asked).

mod ahead;
mod decision;
mod rounds;
mod seat;
mod shares;
mod turn;

pub use crate::ahead::Cores;
pub use crate::decision::{Answered, Decision, Given, Proved, Shown, TurnTaken};
pub use crate::rounds::{Extent, Portfolio};
pub use crate::shares::Shares;
pub use crate::turn::{Forgetful, Keeper, Safeguard, Unguarded};
