//! States as text: one line a variable, one line a block.

use std::fmt::Write;

use heapwright_logic::TermId;

use crate::context::Context;
use crate::state::{Block, BlockKind, Kind, Life, Role, State};

impl Context<'_> {
    /// A state in words, for people.
    pub(crate) fn describe(&mut self, state: &State) -> String {
        let mut text = String::new();
        let program = self.program();
        for (id, variable) in program.variables.enumerated() {
            if self.is_global(id)
                && let Some(value) = state.globals[self.slot(id)]
            {
                let value = self.describe_value(value);
                let _ = writeln!(text, "  {} = {value}", variable.name);
            }
        }
        for frame in &state.frames {
            let function = &program.functions[frame.function].name;
            let _ = writeln!(text, "  in {function} at {}:", frame.location);
            for &id in self.variables_of(frame.function).iter() {
                if let Some(value) = frame.registers[self.slot(id)] {
                    let value = self.describe_value(value);
                    let _ = writeln!(text, "    {} = {value}", program.variables[id].name);
                }
            }
            for (object, block) in &frame.objects {
                let _ = writeln!(text, "    {} is {block}", program.objects[*object].name);
            }
        }
        for (id, block) in &state.blocks {
            let is_plain = block.cells.is_empty() && block.role == Role::Region;
            if is_plain && block.kind != BlockKind::Heap {
                continue;
            }
            let body = self.describe_block(block);
            let _ = writeln!(text, "  {id}: {body}");
        }
        for &conjunct in &state.condition {
            let _ = writeln!(text, "  and {}", self.terms.display(conjunct));
        }
        text
    }

    fn describe_block(&mut self, block: &Block) -> String {
        let mut text = match block.kind {
            BlockKind::Static => "static".to_owned(),
            BlockKind::String => "string".to_owned(),
            BlockKind::Stack => "stack".to_owned(),
            BlockKind::Heap => "heap".to_owned(),
            BlockKind::Function(_) => "function".to_owned(),
        };
        match block.life {
            Life::Alive => {}
            Life::Freed => text.push_str(" freed"),
            Life::OutOfScope => text.push_str(" out of scope"),
        }
        match &block.role {
            Role::Region => {}
            Role::LastOf(first) => {
                let _ = write!(text, " last of {first}");
            }
            Role::Segment(segment) => {
                let _ = write!(text, " list of {}+ by +{}", segment.minimum, segment.next);
                if let Some((offset, last)) = segment.previous {
                    let _ = write!(text, ", back by +{offset}, last {last}");
                }
                for kind in &segment.kinds {
                    let kind = self.describe_kind(kind);
                    let _ = write!(text, ", each {kind}");
                }
            }
        }
        let _ = write!(text, " of {} bytes", self.terms.display(block.size));
        for (offset, cell) in &block.cells {
            let value = self.describe_value(cell.value);
            let _ = write!(text, " [+{offset}/{} = {value}]", cell.size);
        }
        text
    }

    fn describe_kind(&mut self, kind: &Kind) -> String {
        let blocks: Vec<String> = kind
            .blocks
            .iter()
            .map(|(id, block)| format!("{id}: {}", self.describe_block(block)))
            .collect();
        let mut text = format!("{{ {}", blocks.join("; "));
        for &conjunct in &kind.condition {
            let _ = write!(text, " and {}", self.terms.display(conjunct));
        }
        text.push_str(" }");
        text
    }

    fn describe_value(&mut self, value: TermId) -> String {
        if let heapwright_logic::Sort::BitVector(_) = self.terms.sort(value)
            && let Some((block, offset)) = self.pointer(value)
        {
            return match self.constant(offset) {
                Some(0) => format!("&{block}"),
                _ => format!("&{block}+{}", self.terms.display(offset)),
            };
        }
        self.terms.display(value).to_string()
    }
}
