//! The model: a program together with a precision, ready to be explored.

use heapwright_engine::Task;
use heapwright_memory::FaultKind;
use heapwright_program::analysis::{Chart, Charts};
use heapwright_program::{
    EdgeId, ExpressionId, FunctionId, LocationId, Program, VariableId, divisions_of,
};
use heapwright_property::Part;
use heapwright_three_valued::class::{ClassError, Instance, Library, Selection};
use heapwright_three_valued::{BinaryId, Coerced, Structure, UnaryId, focus_target};
use rustc_hash::FxHashMap;

use crate::costs::{Clock, Phase};
use crate::leaks;
use crate::precision::{Field, NumberField, Numeral, Precision};
use crate::state::{Calls, Slot};

/// What is known of a program whatever the precision.
#[derive(Debug)]
pub(crate) struct Atlas<'t> {
    pub(crate) task: &'t Task,
    charts: Charts,
    /// The divisors of the edges that divide, with what a zero violates, if somebody asks.
    pub(crate) divisors_asked: FxHashMap<(FunctionId, EdgeId), (Part, Vec<ExpressionId>)>,
}

impl<'t> Atlas<'t> {
    pub(crate) fn of(task: &'t Task) -> Atlas<'t> {
        let divisors_asked = divisors_asked(task);
        Atlas { task, charts: Charts::of(&task.program), divisors_asked }
    }

    pub(crate) fn program(&self) -> &'t Program {
        &self.task.program
    }

    pub(crate) fn chart(&self, function: FunctionId) -> &Chart {
        self.charts.of_function(function)
    }

    /// Where states meet: the heads of loops.
    pub(crate) fn is_cut(&self, function: FunctionId, location: LocationId) -> bool {
        self.charts.is_head(function, location)
    }

    /// Whether a variable may be read from here on, this call and its callers under way.
    pub(crate) fn is_live(
        &self,
        variable: VariableId,
        calls: &Calls,
        place: (FunctionId, LocationId),
    ) -> bool {
        self.charts.is_live(self.program(), variable, calls, place)
    }

    /// The name of a slot, for people and certificates.
    pub(crate) fn name_of(&self, slot: Slot) -> String {
        let program = self.program();
        let owner = |function: Option<FunctionId>| match function {
            Some(function) => program.functions[function].name.clone(),
            None => String::new(),
        };
        match slot {
            Slot::Variable(id) => {
                let variable = &program.variables[id];
                format!("{}/{}", owner(variable.function), variable.name)
            }
            Slot::Cell(id, offset) => {
                let object = &program.objects[id];
                format!("{}/{}+{offset}", owner(object.function), object.name)
            }
        }
    }

    /// The name of a number, the same way.
    pub(crate) fn name_of_number(&self, numeral: Numeral) -> String {
        match numeral {
            Numeral::Variable(variable) => self.name_of(Slot::Variable(variable)),
            Numeral::Constant(bits) => format!("number/{bits}"),
        }
    }
}

/// The divisors by edge, if divisions by zero are asked about.
fn divisors_asked(task: &Task) -> FxHashMap<(FunctionId, EdgeId), (Part, Vec<ExpressionId>)> {
    let asked = task.part_of(FaultKind::DivisionByZero);
    let Some(part) = asked.filter(|&part| task.specification.asks(part)) else {
        return FxHashMap::default();
    };
    let mut found = FxHashMap::default();
    for (function, item) in task.program.functions.enumerated() {
        for (id, edge) in item.body.iter().flat_map(|body| body.edges.enumerated()) {
            let divisions = divisions_of(&task.program, &edge.operation);
            let divisors: Vec<ExpressionId> = divisions.into_iter().map(|it| it.1).collect();
            if !divisors.is_empty() {
                found.insert((function, id), (part, divisors));
            }
        }
    }
    found
}

/// A number that is in no block is that of a block without bytes.
pub(crate) const SIZE_OF_NUMBERS: u64 = 0;

/// A program at a precision.
#[derive(Debug)]
pub(crate) struct Model<'t> {
    pub(crate) atlas: &'t Atlas<'t>,
    pub(crate) precision: Precision,
    pub(crate) instance: Instance,
    links: Vec<Field>,
    sizes: Vec<u64>,
    /// In the order of the slots, and of the numbers.
    pointers: Vec<(Slot, UnaryId)>,
    numerals: Vec<(Numeral, UnaryId)>,
    /// The predicates that hold only where links lead from the first node to the second.
    pub(crate) paths: Vec<BinaryId>,
    /// Those of any number of links, if the precision tells apart what lies behind a link.
    pub(crate) closures: Vec<BinaryId>,
    pub(crate) clock: Clock,
}

impl<'t> Model<'t> {
    /// # Errors
    /// When a selected family speaks of one that is not selected.
    pub(crate) fn of(
        atlas: &'t Atlas<'t>,
        precision: Precision,
        library: &Library,
    ) -> Result<Model<'t>, ClassError> {
        let (class, families) = precision.class(library);
        let slots: Vec<Slot> = precision.tracked.iter().copied().collect();
        let pointers = slots.iter().map(|slot| (atlas.name_of(*slot), true)).collect();
        let mut sizes: Vec<u64> = precision.sizes.iter().copied().collect();
        sizes.extend(precision.order().map(|_| SIZE_OF_NUMBERS));
        let marks = sizes.iter().map(|size| format!("size/{size}")).collect();
        let numbers = precision.numerals.iter().map(|it| atlas.name_of_number(*it)).collect();
        let instance = Instance::of(&class, &Selection { families, pointers, marks, numbers })?;
        let pointers = slots.into_iter().zip(instance.pointers.iter().copied()).collect();
        let numerals =
            precision.numerals.iter().copied().zip(instance.numbers.iter().copied()).collect();
        let links = precision.links();
        let paths = leaks::path_predicates(&instance);
        let closures = match precision.tells_behind {
            true => leaks::closures(&instance, &paths),
            false => Vec::new(),
        };
        let clock = Clock::default();
        Ok(Model {
            atlas,
            precision,
            instance,
            links,
            sizes,
            pointers,
            numerals,
            paths,
            closures,
            clock,
        })
    }

    pub(crate) fn program(&self) -> &'t Program {
        self.atlas.program()
    }

    /// The role of a field, and its link.
    pub(crate) fn link(&self, field: Field) -> Option<(usize, BinaryId)> {
        let role = self.links.iter().position(|link| *link == field)?;
        Some((role, self.instance.links[role]))
    }

    pub(crate) fn links(&self) -> impl Iterator<Item = (Field, BinaryId)> + '_ {
        self.links.iter().copied().zip(self.instance.links.iter().copied())
    }

    /// The mark of blocks of a size.
    pub(crate) fn mark(&self, size: u64) -> Option<UnaryId> {
        let index = self.sizes.iter().position(|known| *known == size)?;
        Some(self.instance.marks[index])
    }

    /// The size of a block, by its mark.
    pub(crate) fn size_of(&self, heap: &Structure, node: usize) -> u64 {
        let marks = self.sizes.iter().zip(&self.instance.marks);
        let mut found = marks.filter(|(_, mark)| heap.unary(**mark).must() >> node & 1 == 1);
        *found.next().expect("a block has a size").0
    }

    /// The tracked pointers with their predicates.
    pub(crate) fn tracked(&self) -> impl Iterator<Item = (Slot, UnaryId)> + '_ {
        self.pointers.iter().copied()
    }

    pub(crate) fn is_tracked(&self, slot: Slot) -> bool {
        self.pointers.binary_search_by_key(&slot, |it| it.0).is_ok()
    }

    /// The sizes of blocks.
    pub(crate) fn sizes(&self) -> &[u64] {
        &self.sizes
    }

    /// The number field, with the predicate that compares blocks by it.
    pub(crate) fn order(&self) -> Option<(NumberField, BinaryId)> {
        self.precision.order().zip(self.instance.order)
    }

    /// The tracked numbers with their predicates.
    pub(crate) fn numerals(&self) -> impl Iterator<Item = (Numeral, UnaryId)> + '_ {
        self.numerals.iter().copied()
    }

    pub(crate) fn numeral(&self, numeral: Numeral) -> Option<UnaryId> {
        let found = self.numerals.binary_search_by_key(&numeral, |it| it.0);
        found.ok().map(|index| self.numerals[index].1)
    }

    /// The nodes that are no blocks of the program, but stand for numbers.
    pub(crate) fn number_nodes(&self, heap: &Structure) -> u64 {
        match self.order() {
            Some(_) => self.mark(SIZE_OF_NUMBERS).map_or(0, |mark| heap.unary(mark).must()),
            None => 0,
        }
    }

    /// Sharpens a structure that was made from a sharp one with the same nodes; false if it describes no heap.
    pub(crate) fn sharpen_since(&self, heap: &mut Structure, before: &Structure) -> bool {
        self.clock.time(Phase::Coerce, || is_possible(self.instance.coerce_since(heap, before)))
    }

    /// Sharpens a structure that was sharp before these pointers were assigned; false if it describes no heap.
    pub(crate) fn sharpen_assigned(&self, heap: &mut Structure, pointers: &[UnaryId]) -> bool {
        let coerce = || is_possible(self.instance.coerce_assigned(heap, pointers));
        self.clock.time(Phase::Coerce, coerce)
    }

    /// Sharpens a structure; false if it describes no heap.
    pub(crate) fn sharpen(&self, heap: &mut Structure) -> bool {
        self.clock.time(Phase::Coerce, || is_possible(self.instance.coerce(heap)))
    }

    /// The structures in which a link of a sharp one leads to a definite node, sharp; and how many were made.
    pub(crate) fn focus(
        &self,
        heap: &Structure,
        link: BinaryId,
        from: usize,
    ) -> (usize, Vec<Structure>) {
        let mut found = self.clock.time(Phase::Focus, || focus_target(heap, link, from));
        let (made, universe) = (found.len(), heap.universe());
        self.clock.time(Phase::Coerce, || {
            found.retain_mut(|focused| {
                is_possible(self.instance.coerce_focused(focused, universe, (link, from)))
            });
        });
        (made, found)
    }

    /// Sets a link of a single block.
    pub(crate) fn store(&self, heap: &mut Structure, source: usize, role: usize, target: usize) {
        self.clock.time(Phase::Update, || self.instance.store(heap, source, role, target));
    }
}

fn is_possible(coerced: Coerced) -> bool {
    match coerced {
        Coerced::Possible { .. } => true,
        Coerced::Impossible { .. } => false,
    }
}
