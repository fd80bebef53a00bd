//! The tree of a heap as text again, as the engine lays it out; remarks are not part of the tree.

use std::fmt::{self, Write};

use heapwright_memory::Life;

use crate::syntax::{
    AtLinkText, BlockText, CellText, Direction, DownwardText, ExtentText, FrameText, HeapText,
    InstanceText, KindText, ListText, MeasuresText, Nature, NumberText, OrderText, PartRole,
    PartText, RelationText, RowText, SequenceText, Shape, SiblingsText, SlotText, SortText,
    TreeOrderText, TreeText, WholeText,
};

impl fmt::Display for HeapText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut page = Page::default();
        if let Some(PartText { call, role }) = self.part {
            match role {
                PartRole::Entry { ends: true } => {
                    page.line(format_args!("entry of call {call}, in which the program may end"));
                }
                PartRole::Entry { ends: false } => page.line(format_args!("entry of call {call}")),
                PartRole::Within => page.line(format_args!("within call {call}")),
                PartRole::Exit => page.line(format_args!("exit of call {call}")),
            }
        }
        for (name, value) in &self.globals {
            page.line(format_args!("global {name} = {value}"));
        }
        if let Some(outside) = &self.outside {
            page.line(format_args!("call of {}", outside.function));
            for held in &outside.held {
                page.line(format_args!("  held {}: {}", held.sort, held.value));
            }
            if let Some(result) = &outside.result {
                page.line(format_args!("  result {}: {}", result.sort, result.value));
            }
        }
        for frame in &self.frames {
            page.frame(frame);
        }
        for block in &self.body.blocks {
            page.block(block);
        }
        for number in &self.body.numbers {
            page.number(number);
        }
        for condition in &self.body.conditions {
            page.line(format_args!("where {condition}"));
        }
        for predicate in &self.predicates {
            page.line(format_args!("{predicate}"));
        }
        for (name, calls) in &self.origins {
            page.line(format_args!("origin {name}: {calls}"));
        }
        f.write_str(&page.text)
    }
}

impl fmt::Display for SortText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SortText::Truth => write!(f, "truth"),
            SortText::Bits(width) => write!(f, "{width} bits"),
        }
    }
}

impl fmt::Display for RelationText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RelationText::Greater => ">",
            RelationText::AtLeast => ">=",
            RelationText::Less => "<",
            RelationText::AtMost => "<=",
            RelationText::NonzeroOverZero => "nonzero-over-zero",
            RelationText::ZeroOverNonzero => "zero-over-nonzero",
            RelationText::OneMore => "one-more",
        })
    }
}

impl fmt::Display for SequenceText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |kinds: &[usize]| {
            kinds.iter().fold(String::new(), |text, kind| format!("{text} {}", kind + 1))
        };
        write!(f, "first{}, last{}", names(&self.firsts), names(&self.lasts))?;
        for (kind, follows) in self.follows.iter().enumerate() {
            if !follows.is_empty() {
                write!(f, ", {} then{}", kind + 1, names(follows))?;
            }
        }
        Ok(())
    }
}

#[derive(Default)]
struct Page {
    text: String,
    indent: usize,
}

impl Page {
    fn line(&mut self, line: fmt::Arguments<'_>) {
        let _ = writeln!(self.text, "{:indent$}{line}", "", indent = 2 * self.indent);
    }

    fn frame(&mut self, frame: &FrameText) {
        let FrameText { function, location, target, variables, objects, allocas } = frame;
        match target {
            Some(target) => self.line(format_args!("in {function} at {location} for {target}")),
            None => self.line(format_args!("in {function} at {location}")),
        }
        self.indent += 1;
        for (name, value) in variables {
            self.line(format_args!("{name} = {value}"));
        }
        for (name, block) in objects {
            self.line(format_args!("object {name} is {block}"));
        }
        for block in allocas {
            self.line(format_args!("alloca {block}"));
        }
        self.indent -= 1;
    }

    fn number(&mut self, number: &NumberText) {
        let NumberText { name, sort } = number;
        match sort {
            SortText::Truth => self.line(format_args!("truth {name}")),
            SortText::Bits(_) => self.line(format_args!("number {name}: {sort}")),
        }
    }

    fn block(&mut self, block: &BlockText) {
        let mut parts = vec![nature(&block.nature), format!("{} bytes", block.size)];
        match block.life {
            Life::Alive => {}
            Life::Freed => parts.push("freed".to_owned()),
            Life::OutOfScope => parts.push("out of scope".to_owned()),
        }
        if block.is_zeroed {
            parts.push("zeroed".to_owned());
        }
        match &block.shape {
            Shape::Plain(_) => {}
            Shape::LastOf(first) => parts.push(format!("last of {first}")),
            Shape::List(list) => parts.extend(list_parts(list)),
            Shape::Tree(tree) => parts.extend(tree_parts(tree)),
            Shape::Instance(instance) => parts.push(instance_part(instance)),
            Shape::Row(row) => parts.push(format!("row by {}", row.stride)),
            Shape::Slot(_) => parts.push("slot".to_owned()),
        }
        if !block.made_at.is_empty() {
            parts.push(format!("made at {}", block.made_at.join(" ")));
        }
        self.line(format_args!("{}: {}", block.name, parts.join(", ")));
        self.indent += 1;
        self.below(&block.shape);
        if let Some(zero) = &block.zero {
            self.line(format_args!("zero/{} at {}", zero.size, zero.at));
        }
        for ExtentText { size, stride, from, to, beside, law } in &block.extents {
            let beside = beside
                .as_ref()
                .map_or_else(String::new, |(block, at)| format!(" beside {block} at {at}"));
            let bounds = format!("from {from} to {to}{beside}");
            self.line(format_args!("every/{size} by {stride} {bounds} holds {law}"));
        }
        self.indent -= 1;
    }

    fn below(&mut self, shape: &Shape) {
        match shape {
            Shape::Plain(cells) => self.cells(cells),
            Shape::Row(RowText { array, from, to, kinds, .. }) => {
                self.value("of", Some(array));
                self.value("from", Some(from));
                self.value("to", Some(to));
                kinds.iter().for_each(|kind| self.kind(kind));
            }
            Shape::Slot(SlotText { array, at, cells }) => {
                self.cells(cells);
                self.value("of", Some(array));
                self.value("from", Some(at));
            }
            Shape::LastOf(_) => {}
            Shape::List(list) => {
                let order = list.order.as_ref();
                self.value("end", Some(&list.end));
                self.value("back", list.back.as_ref());
                self.value("first", order.map(|order| &order.first));
                self.value("last", order.map(|order| &order.last));
                self.value("length", list.length.as_ref());
                for spelling in &list.spellings {
                    self.line(format_args!("{spelling}"));
                }
                list.kinds.iter().for_each(|kind| self.kind(kind));
                if let Some(sequence) = &list.sequence {
                    self.line(format_args!("sequence {sequence}"));
                }
            }
            Shape::Tree(tree) => {
                self.value("end", tree.end.as_ref());
                self.value("back", tree.back.as_ref());
                self.value("leaf", tree.leaf.as_ref());
                if let Some(TreeOrderText { order, before, behind }) = &tree.order {
                    self.value("first", Some(&order.first));
                    self.value("last", Some(&order.last));
                    self.value("before", before.as_ref());
                    self.value("behind", behind.as_ref());
                }
                for (index, one) in tree.downward.iter().enumerate() {
                    self.value(&format!("root{}", index + 1), Some(&one.root));
                }
                for (index, one) in tree.downward.iter().enumerate() {
                    self.value(&format!("above{}", index + 1), one.above.as_ref());
                }
                if let Some(MeasuresText { size, whole }) = &tree.measures {
                    self.value("length", Some(size));
                    self.value("height", whole.as_ref().map(|whole| &whole.height));
                }
                tree.kinds.iter().for_each(|kind| self.kind(kind));
            }
            Shape::Instance(instance) => {
                let hole = instance.hole.as_ref();
                self.value("end", hole.map(|hole| &hole.end));
                self.numbered("argument", &instance.arguments);
                self.numbered("wanted", hole.map_or(&[], |hole| &hole.arguments));
            }
        }
    }

    fn cells(&mut self, cells: &[CellText]) {
        for cell in cells {
            self.line(format_args!("+{}/{} = {}", cell.offset, cell.size, cell.value));
        }
    }

    fn numbered(&mut self, name: &str, values: &[String]) {
        for (index, value) in values.iter().enumerate() {
            self.line(format_args!("{name}{} = {value}", index + 1));
        }
    }

    fn value(&mut self, name: &str, value: Option<&String>) {
        if let Some(value) = value {
            self.line(format_args!("{name} = {value}"));
        }
    }

    fn kind(&mut self, kind: &KindText) {
        let links = kind.links.iter().map(|at| match at {
            AtLinkText::Below => " below",
            AtLinkText::Leaf => " leaf",
            AtLinkText::Bytes => " bytes",
        });
        let with = if kind.links.is_empty() { "" } else { " with" };
        self.line(format_args!("each{with}{}", links.collect::<String>()));
        self.indent += 1;
        for number in &kind.body.numbers {
            self.number(number);
        }
        for block in &kind.body.blocks {
            self.block(block);
        }
        for condition in &kind.body.conditions {
            self.line(format_args!("where {condition}"));
        }
        self.indent -= 1;
        self.line(format_args!("end"));
    }
}

fn instance_part(instance: &InstanceText) -> String {
    let mut text = format!("instance of {}", instance.predicate);
    if let Some(hole) = &instance.hole {
        let _ = write!(text, " without {}", hole.predicate);
        if let Some(above) = &hole.above {
            let _ = write!(text, " from {above}");
        }
    }
    text
}

fn nature(nature: &Nature) -> String {
    match nature {
        Nature::Heap => "heap".to_owned(),
        Nature::Stack => "stack".to_owned(),
        Nature::Constant => "constant".to_owned(),
        Nature::Static(None) => "static".to_owned(),
        Nature::Static(Some(name)) => format!("static {name}"),
        Nature::String(None) => "string".to_owned(),
        Nature::String(Some(name)) => format!("string {name}"),
        Nature::Function(name) => format!("function {name}"),
        Nature::Elements => "elements".to_owned(),
    }
}

fn list_parts(list: &ListText) -> Vec<String> {
    let mut text = format!("list of {}+", list.minimum);
    if let Some(last) = &list.last {
        let _ = write!(text, " and back from {last}");
    }
    if list.head != 0 || list.back_head != 0 {
        let _ = write!(text, " to +{}", list.head);
    }
    if list.back_head != list.head {
        let _ = write!(text, " and +{}", list.back_head);
    }
    let order = list.order.as_ref().map(order_part);
    std::iter::once(text).chain(order).collect()
}

fn order_part(order: &OrderText) -> String {
    let OrderText { direction, is_strict, is_unsigned, offset, size, .. } = order;
    let direction = match direction {
        Direction::Ascending => "ascending",
        Direction::Descending => "descending",
    };
    let strictly = if *is_strict { "strictly " } else { "" };
    let unsigned = if *is_unsigned { "unsigned " } else { "" };
    format!("{strictly}{direction} by {unsigned}+{offset}/{size}")
}

fn tree_parts(tree: &TreeText) -> Vec<String> {
    let few = if tree.may_be_empty { "of 0+ " } else { "" };
    let mut text = format!("tree {few}by");
    for child in &tree.children {
        let _ = write!(text, " +{child}");
    }
    if let Some(parent) = tree.parent {
        let _ = write!(text, " and up by +{parent}");
    }
    if let Some(above) = &tree.above {
        let _ = write!(text, " from {above}");
    }
    if tree.head != 0 {
        let _ = write!(text, " to +{}", tree.head);
    }
    let order = tree.order.as_ref().map(|sorted| order_part(&sorted.order));
    let downward = tree.downward.iter().map(downward_part);
    let whole = tree.measures.as_ref().and_then(|measures| measures.whole.as_ref());
    let measures = whole.into_iter().flat_map(measure_parts);
    std::iter::once(text).chain(order).chain(downward).chain(measures).collect()
}

fn measure_parts(whole: &WholeText) -> Vec<String> {
    let siblings = match whole.siblings {
        SiblingsText::Any => None,
        SiblingsText::Balanced => Some("balanced".to_owned()),
        SiblingsText::Level => Some("level".to_owned()),
    };
    let stored = whole.stored.iter().map(|one| {
        let measure = if one.is_height { "height" } else { "size" };
        let less = if one.less == 0 { "" } else { " less one" };
        format!("{measure}{less} at +{}/{}", one.offset, one.size)
    });
    siblings.into_iter().chain(stored).collect()
}

fn downward_part(downward: &DownwardText) -> String {
    let DownwardText { offset, size, relations, .. } = downward;
    let mut text = format!("downwards +{offset}/{size}");
    for relation in relations {
        let _ = write!(text, " {relation}");
    }
    text
}
