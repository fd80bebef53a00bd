//! What every engine gets besides its task: a deadline, listeners, and what others have found out.

use std::cell::RefCell;

use crate::progress::{Event, Observer, Silent};
use crate::{Deadline, Fact, Reason};

/// One turn of an engine.
#[derive(Clone, Debug)]
pub struct Run<'a> {
    pub deadline: Deadline,
    pub observer: &'a dyn Observer,
    /// What is known of the task; none where an engine works alone.
    pub board: Option<&'a Board>,
}

impl<'a> Run<'a> {
    /// A run that nobody watches.
    #[must_use]
    pub fn alone(deadline: &Deadline) -> Run<'a> {
        Run { deadline: deadline.clone(), observer: &Silent, board: None }
    }

    /// The same run until another deadline.
    #[must_use]
    pub fn until(&self, deadline: &Deadline) -> Run<'a> {
        Run { deadline: deadline.clone(), observer: self.observer, board: self.board }
    }

    /// Makes a fact known to others.
    pub fn publish(&self, engine: &'static str, fact: Fact) {
        self.observer.notice(&Event::Learnt { engine, fact: &fact });
        if let Some(board) = self.board {
            board.publish(engine, fact);
        }
    }

    /// What engines have published so far and others may see.
    #[must_use]
    pub fn facts(&self) -> Vec<Published> {
        self.board.map_or_else(Vec::new, Board::shown)
    }

    /// Says why the engine may not decide, before it is over.
    pub fn obstacle(&self, engine: &'static str, reason: &Reason) {
        self.observer.notice(&Event::Obstacle { engine, reason });
    }
}

/// What an engine may know of others, and what it tells them.
#[derive(Debug, Default)]
pub struct Board {
    shown: RefCell<Vec<Published>>,
    published: RefCell<Vec<Published>>,
}

/// Whether engines see what others have published.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sharing {
    #[default]
    Shared,
    /// For measurements of what sharing is worth.
    Hidden,
}

/// A fact, and who says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Published {
    pub engine: &'static str,
    pub fact: Fact,
}

impl Board {
    /// Shows what is known, in place of what was shown before.
    pub fn show(&self, known: Vec<Published>) {
        self.shown.replace(known);
    }

    /// Adds a fact, once.
    pub fn publish(&self, engine: &'static str, fact: Fact) {
        let published = Published { engine, fact };
        let mut known = self.published.borrow_mut();
        if !known.contains(&published) {
            known.push(published);
        }
    }

    /// What was published since this was asked last.
    #[must_use]
    pub fn take(&self) -> Vec<Published> {
        self.published.take()
    }

    fn shown(&self) -> Vec<Published> {
        self.shown.borrow().clone()
    }
}
