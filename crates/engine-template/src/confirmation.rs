//! Confirmation: what the check of a proof's certificate said, which shares no encoding with the proof.

use std::cell::OnceCell;
use std::time::Duration;

use heapwright_certificate::{Answer, Certificate, Limits};
use heapwright_engine::{Deadline, Reason, Task};

/// What the check of the certificate said.
#[derive(Debug, Default)]
pub(crate) struct Confirmation {
    /// None until it was made.
    answer: OnceCell<Result<(), String>>,
}

/// The certificate's check gets so many times the time of the check on the formula, and a bit; mostly
/// it is the solver's conflicts that end it.
const SHARE: u32 = 3;
const LEAST_TIME: Duration = Duration::from_secs(2);
/// Where nothing is said without it.
const NEEDED_TIME: Duration = Duration::from_secs(20);

impl Confirmation {
    /// Asks the crate `certificate`, which shares nothing with the formula but terms and solver. Where
    /// that is needed, an unclear answer is no proof.
    pub(crate) fn ask(
        &self,
        task: &Task,
        certificate: Option<&Certificate>,
        (taken, is_needed): (Duration, bool),
        deadline: &Deadline,
    ) -> Result<(), Reason> {
        let Some(certificate) = certificate else {
            let _ = self.answer.set(Err("functions are summarised".to_owned()));
            return Ok(());
        };
        let least = if is_needed { NEEDED_TIME } else { LEAST_TIME };
        let time = (taken * SHARE).max(least);
        let time = deadline.remaining().map_or(time, |left| time.min(left));
        let limits = Limits { time: Some(time), ..Limits::default() };
        let Task { program, specification, malloc_may_fail } = task;
        let answer = match heapwright_certificate::check(
            program,
            specification,
            *malloc_may_fail,
            certificate,
            limits,
        ) {
            Answer::Confirmed => Ok(()),
            Answer::Unclear { reason } if is_needed => {
                let text = format!("the certificate is not confirmed: {reason}");
                return Err(Reason::new(text));
            }
            Answer::Unclear { reason } => Err(reason),
            Answer::Refused { reason, place } => {
                let text = format!("the certificate is refused: {reason}");
                return Err(Reason { place, ..Reason::new(text) });
            }
        };
        let _ = self.answer.set(answer);
        Ok(())
    }

    /// For the summary of a proof.
    pub(crate) fn text(&self) -> String {
        match self.answer.get() {
            None => String::new(),
            Some(Ok(())) => "; certificate confirmed independently".to_owned(),
            Some(Err(why)) => format!("; certificate not confirmed independently: {why}"),
        }
    }
}
