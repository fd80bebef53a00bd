//! The classes of a library as people see them: coarse ones first, those that refine them below.

use std::fmt::Write;

use crate::class::{Library, ShapeClass};

impl Library {
    /// All classes with their families. A selection of families is coarser than one that has more, and a
    /// class coarser than those that refine it.
    #[must_use]
    pub fn lattice(&self) -> String {
        let mut text = String::new();
        for class in self.classes.iter().filter(|class| class.refines.is_none()) {
            self.write_class(&mut text, class, 0);
        }
        text
    }

    fn write_class(&self, text: &mut String, class: &ShapeClass, depth: usize) {
        let indent = "  ".repeat(depth);
        let ShapeClass { name, title, roles, order, families, .. } = class;
        let from = class.file.as_ref().map_or(String::new(), |file| format!(", from {file}"));
        let selections = 1u64 << families.len();
        let order = order.as_ref().map_or(String::new(), |order| format!("; {order}"));
        let roles = format!("{}{order}", roles.join(", "));
        line(text, format_args!("{indent}{name}({roles}): {title}, {selections} selections{from}"));
        let inherited = self.inherited(class);
        let width = families.iter().map(|family| family.name.len()).max().unwrap_or(0);
        for family in &families[inherited..] {
            line(text, format_args!("{indent}  + {:width$}  {}", family.name, family.title));
        }
        let finer = self.classes.iter().filter(|it| it.refines.as_ref() == Some(name));
        for class in finer {
            self.write_class(text, class, depth + 1);
        }
    }

    /// How many families a class has from the one that it refines.
    fn inherited(&self, class: &ShapeClass) -> usize {
        let base = class.refines.as_ref().and_then(|base| self.class(base));
        base.map_or(0, |base| base.families.len())
    }
}

fn line(text: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(text, "{line}").expect("strings take everything");
}
