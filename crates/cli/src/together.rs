//! How engines work together: at the same time or one after the other, and what they tell each other.

use clap::Args;
use heapwright_engine::Sharing;
use heapwright_portfolio::Cores;

#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Question")]
pub(crate) struct TogetherArguments {
    /// Hide from engines what others have found out, to see what it is worth
    #[arg(long)]
    no_shared_facts: bool,

    /// How many engines work at the same time; the answer is the same [default: two where a core has nothing to do]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=2))]
    cores: Option<u8>,
}

impl TogetherArguments {
    pub(crate) fn sharing(self) -> Sharing {
        if self.no_shared_facts { Sharing::Hidden } else { Sharing::Shared }
    }

    pub(crate) fn cores(self) -> Cores {
        match self.cores {
            Some(1) => Cores::One,
            Some(_) => Cores::Two,
            None => Cores::Idle,
        }
    }
}
