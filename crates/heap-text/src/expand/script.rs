//! Choices in the order in which they are made, so that all of them can be enumerated.

/// What was chosen, and among how many. A script that is too short goes on with the first choice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    chosen: Vec<usize>,
    among: Vec<usize>,
    at: usize,
}

impl Script {
    /// One of so many; at least one there must be.
    pub(crate) fn choose(&mut self, count: usize) -> usize {
        assert!(count > 0, "a choice among nothing");
        if self.at == self.chosen.len() {
            self.chosen.push(0);
        }
        self.among.truncate(self.at);
        self.among.push(count);
        self.at += 1;
        self.chosen[self.at - 1].min(count - 1)
    }

    /// The next script in the order of the last choice first.
    pub(crate) fn next(&self) -> Option<Script> {
        let open = (0..self.among.len()).rev().find(|&at| self.chosen[at] + 1 < self.among[at])?;
        let mut chosen = self.chosen[..=open].to_vec();
        chosen[open] += 1;
        Some(Script { chosen, among: Vec::new(), at: 0 })
    }

    /// The same from its beginning.
    pub(crate) fn again(&self) -> Script {
        Script { chosen: self.chosen.clone(), among: Vec::new(), at: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sequence_of_choices_comes_once() {
        let mut seen = Vec::new();
        let mut script = Some(Script::default());
        while let Some(mut current) = script {
            // The second choice depends on the first.
            let first = current.choose(3);
            let second = if first == 1 { current.choose(2) } else { 9 };
            seen.push((first, second));
            script = current.next();
        }
        assert_eq!(seen, [(0, 9), (1, 0), (1, 1), (2, 9)]);
    }
}
