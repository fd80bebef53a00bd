//! Shares: how the time of a question is divided. Only this file knows numbers of seconds.

use std::time::Duration;

use heapwright_engine::Deadline;

/// Which part of the time a turn gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Share {
    /// What is usual in this round of the whole question.
    OfRound(u32),
    /// So much time; all there is, if none is said.
    Time(Option<Duration>),
}

impl Share {
    /// Whether it is too short for those that need long.
    pub(crate) fn is_short(self) -> bool {
        matches!(self, Share::OfRound(round) if round < Shares::SHORT_ROUNDS)
    }
}

/// How long turns are.
#[derive(Clone, Copy, Debug)]
pub struct Shares {
    /// The longest turn of an engine before parts are asked apart.
    pub first: Duration,
    /// The least time for other parts after a violation.
    pub after_violation: Duration,
}

impl Default for Shares {
    fn default() -> Shares {
        Shares { first: Duration::from_secs(10), after_violation: Duration::from_secs(2) }
    }
}

impl Shares {
    /// How often all engines are asked the whole question before its parts are asked apart.
    pub(crate) const ROUNDS: u32 = 5;

    /// How many of these rounds are short.
    const SHORT_ROUNDS: u32 = 3;

    /// How many times longer a turn is than that of the round before.
    const GROWTH: u32 = 4;

    /// When a turn ends that begins now, on the thread that takes it.
    pub(crate) fn limit(&self, share: Share, deadline: &Deadline) -> Deadline {
        match share {
            Share::OfRound(round) => self.of_round(round, deadline),
            Share::Time(Some(time)) => deadline.at_most(time),
            Share::Time(None) => deadline.clone(),
        }
    }

    /// What an engine gets in a round before parts are asked apart. Turns grow, so that whoever finds an answer soon does not
    /// wait long for one that finds none.
    pub(crate) fn of_round(&self, round: u32, deadline: &Deadline) -> Deadline {
        let later = Shares::ROUNDS - 1 - round;
        let most = self.first / Shares::GROWTH.pow(later);
        let share = deadline.remaining().map_or(most, |left| (left / 4).min(most));
        // Short ones are of processor time, so that who answers does not depend on what else the machine does.
        if later > 0 { deadline.at_most_work(share) } else { deadline.at_most(share) }
    }

    /// What questions about parts get before the whole question is asked again: half of what is left.
    pub(crate) fn half(deadline: &Deadline) -> Deadline {
        match deadline.remaining() {
            Some(left) => deadline.at_most(left / 2),
            None => deadline.clone(),
        }
    }

    /// What one question about some parts gets, where so many are still to be asked.
    pub(crate) fn apart(&self, deadline: &Deadline, questions: usize) -> Deadline {
        Shares::even(deadline, questions).at_most(self.first)
    }

    /// What the other parts get once one is violated: not much longer than that took.
    pub(crate) fn rest(&self, deadline: &Deadline, taken: Duration) -> Deadline {
        deadline.at_most(self.after_violation.max(taken * 2))
    }

    /// What an engine gets of the time that so many share.
    pub(crate) fn even(deadline: &Deadline, sharers: usize) -> Deadline {
        let sharers = u32::try_from(sharers.max(1)).unwrap_or(u32::MAX);
        match deadline.remaining() {
            Some(left) => deadline.at_most(left / sharers),
            None => deadline.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_is_a_quarter_of_the_time_and_never_long() {
        let shares = Shares::default();
        let last = Shares::ROUNDS - 1;
        let quarter = shares.of_round(last, &Deadline::after(Duration::from_secs(20)));
        assert!(quarter.remaining().is_some_and(|left| left <= Duration::from_secs(5)));
        let longest = shares.of_round(last, &Deadline::never());
        assert!(longest.remaining().is_some_and(|left| left <= shares.first));
    }

    #[test]
    fn turns_grow() {
        let shares = Shares::default();
        let [first, second, last] =
            [0, 1, 2].map(|round| shares.of_round(round, &Deadline::never()).remaining());
        assert!(first < second && second.is_some() && last.is_some());
    }

    #[test]
    fn questions_about_parts_leave_half_of_the_time_to_the_whole_question() {
        let half = Shares::half(&Deadline::after(Duration::from_secs(12)));
        let share = Shares::default().apart(&half, 3);
        assert!(share.remaining().is_some_and(|left| left <= Duration::from_secs(2)));
    }

    #[test]
    fn without_a_limit_the_last_turns_have_none() {
        assert_eq!(Shares::even(&Deadline::never(), 2).remaining(), None);
    }
}
