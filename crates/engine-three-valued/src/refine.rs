//! Refinement: what a spurious path shows to be missing.
//!
//! First pointers that were asked for and not tracked, as few as rule the path out; then a class that samples of the heap
//! suggest, and of its families the fewest that rule the path out; then structures that are not joined, and small heaps
//! that are kept as they are.

mod core;
mod tune;

use std::collections::BTreeSet;

use heapwright_engine::Deadline;
use heapwright_property::Part;
use heapwright_three_valued::class::Library;

use crate::alarm::AlarmKind;
use crate::costs::{Costs, timed};
use crate::diary::{Diary, Entry};
use crate::engine::Choice;
use crate::explore::{Path, Suspect};
use crate::model::{Atlas, Model};
use crate::precision::{Cast, Field, NumberField, Precision};
use crate::sample::{Samples, Trust, sample};
use crate::state::Slot;
use crate::transfer::AskedNumbers;

/// Numbers that are tracked at a time.
const MOST_NUMERALS: usize = 8;

/// Makes precisions finer.
#[derive(Debug)]
pub(crate) struct Refiner<'t> {
    pub(crate) atlas: &'t Atlas<'t>,
    pub(crate) library: &'t Library,
    choice: &'t Choice,
    pub(crate) lessons: Lessons,
}

/// What was learnt so far.
#[derive(Clone, Debug)]
pub(crate) struct Lessons {
    /// What runs said, once they were asked, about the fields of that time.
    samples: Option<Samples>,
    trust: Trust,
    /// Classes that samples allow.
    enabled: Vec<Cast>,
    /// Spurious paths so far: what is chosen next must rule out all of them.
    paths: Vec<Path>,
    /// Selections that rule out their paths one by one, and not where structures are joined.
    rejected: Vec<Cast>,
    /// Number fields and numbers that spurious paths have asked for.
    numbers: AskedNumbers,
    pub(crate) costs: Costs,
}

impl Default for Lessons {
    fn default() -> Lessons {
        Lessons {
            samples: None,
            trust: Trust::All,
            enabled: Vec::new(),
            paths: Vec::new(),
            rejected: Vec::new(),
            numbers: AskedNumbers::default(),
            costs: Costs::default(),
        }
    }
}

impl<'t> Refiner<'t> {
    pub(crate) fn new(
        lessons: Lessons,
        atlas: &'t Atlas<'t>,
        (library, choice): (&'t Library, &'t Choice),
    ) -> Refiner<'t> {
        Refiner { atlas, library, choice, lessons }
    }

    /// A precision that rules the path out, or at least knows the pointers that it asked for. `None` when
    /// nothing helps.
    pub(crate) fn refine(
        &mut self,
        model: &Model<'_>,
        suspect: &Suspect,
        diary: &mut Diary,
        deadline: &Deadline,
    ) -> Option<Precision> {
        let mut precision = model.precision.clone();
        let path = &suspect.path;
        let asked = self.simulate(model, path);
        for numbers in [&asked.numbers, &suspect.numbers] {
            self.lessons.numbers.fields.extend(&numbers.fields);
            self.lessons.numbers.numerals.extend(&numbers.numerals);
        }
        // A path that is ruled out alone was joined with something else.
        let unknown = match asked.is_ruled_out {
            true => suspect.asked.clone(),
            false => self.core(&precision, path, &asked.unknown).unwrap_or(asked.unknown),
        };
        if self.track(&mut precision, unknown, diary) {
            return Some(precision);
        }
        if let Some(finer) = self.track_numbers(&precision, diary) {
            return Some(finer);
        }
        if let Some(finer) = self.tell_behind(&precision, suspect) {
            diary.note(Entry::Behind);
            return Some(finer);
        }
        if asked.is_ruled_out {
            return self.part(precision, asked.held, diary, deadline);
        }
        self.lessons.paths.push(path.clone());
        if let Some(finer) = self.choose(&precision, deadline, diary) {
            diary.note(Entry::Class(self.words(&finer)));
            return Some(finer);
        }
        // A pointer that nobody asks for may still keep nodes apart.
        if self.track(&mut precision, asked.held, diary) {
            return Some(precision);
        }
        self.keep_small(&precision, diary)
    }

    /// Where no class helps, what matters may be how many blocks there are: while they are few, heaps are kept as
    /// they are.
    fn keep_small(&mut self, precision: &Precision, diary: &mut Diary) -> Option<Precision> {
        if precision.keeps_small {
            return None;
        }
        let mut finer = Precision { keeps_small: true, ..precision.clone() };
        if !self.is_ruled_out(&finer) {
            // Nor is it known what numbers the blocks have.
            let with_numbers = |cast: &&Cast| cast.order.is_some();
            let mut cast = self.lessons.enabled.iter().find(with_numbers).cloned()?;
            cast.families.fill(true);
            finer = self.cast_as(cast, &finer);
            if !self.is_ruled_out(&finer) {
                return None;
            }
            diary.note(Entry::Class(self.words(&finer)));
        }
        diary.note(Entry::Small);
        Some(finer)
    }

    /// Where all families of a class do not show that no block is lost, what lies behind a link may be told apart
    /// before it is cut. It costs the more, the coarser the selection is.
    fn tell_behind(&mut self, precision: &Precision, suspect: &Suspect) -> Option<Precision> {
        let is_loss = suspect.alarm.kind == AlarmKind::Violation(Part::ValidMemtrack);
        let is_finest = precision.cast.as_ref().is_some_and(|it| it.families.iter().all(|it| *it));
        if !is_loss || !is_finest || precision.tells_behind {
            return None;
        }
        let finer = Precision { tells_behind: true, ..precision.clone() };
        let model = Model::of(self.atlas, finer.clone(), self.library).expect("it fitted before");
        self.simulate(&model, &suspect.path).is_ruled_out.then_some(finer)
    }

    /// Whether some of these pointers were not tracked, and are now.
    fn track(
        &self,
        precision: &mut Precision,
        slots: impl IntoIterator<Item = Slot>,
        diary: &mut Diary,
    ) -> bool {
        let is_new = |slot: &Slot| !precision.tracked.contains(slot);
        let new: Vec<Slot> = slots.into_iter().filter(is_new).collect();
        if new.is_empty() {
            return false;
        }
        diary.note(Entry::Tracked(new.iter().map(|slot| self.atlas.name_of(*slot)).collect()));
        precision.tracked.extend(new);
        true
    }

    /// With the numbers that were asked for, if the class has a number field and they were not tracked.
    fn track_numbers(&self, precision: &Precision, diary: &mut Diary) -> Option<Precision> {
        let finer = self.cast_as(precision.cast.clone()?, precision);
        let new = finer.numerals.difference(&precision.numerals);
        let names: Vec<String> = new.map(|it| self.atlas.name_of_number(*it)).collect();
        if names.is_empty() {
            return None;
        }
        diary.note(Entry::Tracked(names));
        Some(finer)
    }

    /// The precision with a class, and with the numbers that it compares.
    fn cast_as(&self, cast: Cast, precision: &Precision) -> Precision {
        let ty = cast.order.map(|order| order.ty);
        let asked = self.lessons.numbers.numerals.iter().filter(|(of, _)| Some(*of) == ty);
        let numerals = asked.map(|(_, numeral)| *numeral).take(MOST_NUMERALS).collect();
        Precision { cast: Some(cast), numerals, ..precision.clone() }
    }

    /// Where a join has lost too much, all families may keep it, or pointers that are live there, or another
    /// class; else nothing is joined any more.
    fn part(
        &mut self,
        mut precision: Precision,
        held: BTreeSet<Slot>,
        diary: &mut Diary,
        deadline: &Deadline,
    ) -> Option<Precision> {
        if let Some(finer) = self.finest(&precision, diary, deadline) {
            return Some(finer);
        }
        if self.track(&mut precision, held, diary) {
            return Some(precision);
        }
        self.lessons.rejected.extend(precision.cast.clone());
        if let Some(other) = self.choose(&precision, deadline, diary) {
            diary.note(Entry::Class(self.words(&other)));
            return Some(other);
        }
        diary.note(Entry::Apart);
        precision.joins.then_some(Precision { joins: false, ..precision })
    }

    /// All families of the class, if some are left out.
    fn finest(
        &mut self,
        precision: &Precision,
        diary: &mut Diary,
        deadline: &Deadline,
    ) -> Option<Precision> {
        let mut cast = match &precision.cast {
            Some(cast) => cast.clone(),
            None => {
                self.ask_samples(precision, diary, deadline);
                self.largest()?
            }
        };
        if let Choice::Shuffled(seed) = self.choice {
            let mut some = cast.clone();
            for (index, is_used) in some.families.iter_mut().enumerate() {
                *is_used |= !mixed(*seed, &[index as u64]).is_multiple_of(4);
            }
            let finer = self.cast_as(some.clone(), precision);
            if some != cast && Model::of(self.atlas, finer, self.library).is_ok() {
                return self.with(some, precision, diary);
            }
        }
        cast.families.fill(true);
        self.with(cast, precision, diary)
    }

    /// For explorations that do not end: all families, or those of the largest class that samples allow.
    pub(crate) fn larger(
        &mut self,
        precision: &Precision,
        diary: &mut Diary,
        deadline: &Deadline,
    ) -> Option<Precision> {
        if let Some(finer) = self.finest(precision, diary, deadline) {
            return Some(finer);
        }
        self.ask_samples(precision, diary, deadline);
        let mut cast = self.largest()?;
        cast.families.fill(true);
        let is_larger =
            precision.cast.as_ref().is_none_or(|it| it.families.len() < cast.families.len());
        if !is_larger || self.lessons.rejected.contains(&cast) {
            return None;
        }
        self.with(cast, precision, diary)
    }

    /// The enabled class with the most families.
    fn largest(&self) -> Option<Cast> {
        let size = |cast: &&Cast| (cast.families.len(), std::cmp::Reverse(cast.roles.clone()));
        self.lessons.enabled.iter().max_by_key(size).cloned()
    }

    /// The precision with another selection, noted; nothing if it is the same.
    fn with(&self, cast: Cast, precision: &Precision, diary: &mut Diary) -> Option<Precision> {
        let finer = self.cast_as(cast, precision);
        if finer == *precision {
            return None;
        }
        diary.note(Entry::Class(self.words(&finer)));
        Some(finer)
    }

    /// The smallest selection of families that rules out all paths, of a class that samples allow; where
    /// there is none, samples are believed less.
    fn choose(
        &mut self,
        precision: &Precision,
        deadline: &Deadline,
        diary: &mut Diary,
    ) -> Option<Precision> {
        self.ask_samples(precision, diary, deadline);
        loop {
            let found = self.fine_tune(precision, deadline);
            if found.is_some() || self.lessons.trust == Trust::None || deadline.is_over() {
                return found;
            }
            self.lessons.trust =
                if self.lessons.trust == Trust::All { Trust::Most } else { Trust::None };
            self.enable();
        }
    }

    /// The classes that samples allow as far as they are believed.
    fn enable(&mut self) {
        let samples = self.lessons.samples.as_ref().expect("they were asked");
        self.lessons.enabled = match self.choice {
            Choice::Samples | Choice::Largest | Choice::Shuffled(_) => {
                samples.casts(self.library, self.lessons.trust)
            }
            Choice::Given { class, offsets } => {
                let mut casts = samples.casts(self.library, Trust::None);
                casts.retain(|cast| {
                    let is_it = self.library.classes[cast.class].name == *class;
                    is_it && cast.roles.iter().map(|field| &field.offset).eq(offsets)
                });
                casts
            }
        };
    }

    fn ask_samples(&mut self, precision: &Precision, diary: &mut Diary, deadline: &Deadline) {
        let fields = self.fields(precision);
        let numbers = self.number_fields(&fields);
        let is_known = |samples: &Samples| samples.fields == fields && samples.numbers == numbers;
        if self.lessons.samples.as_ref().is_some_and(is_known) {
            return;
        }
        let samples = match self.choice {
            Choice::Samples | Choice::Largest | Choice::Shuffled(_) => {
                let empty = Samples { fields, numbers, ..Samples::default() };
                timed(&mut self.lessons.costs.sampling, || sample(self.atlas, empty, deadline))
            }
            Choice::Given { .. } => Samples { fields, numbers, ..Samples::default() },
        };
        let words = samples.words();
        self.lessons.samples = Some(samples);
        self.lessons.trust = Trust::All;
        self.enable();
        let titles =
            self.lessons.enabled.iter().map(|cast| &self.library.classes[cast.class].title);
        let mut titles: Vec<String> = titles.cloned().collect();
        titles.dedup();
        diary.note(Entry::Samples { words, titles });
        while self.lessons.enabled.is_empty() && self.lessons.trust != Trust::None {
            self.lessons.trust =
                if self.lessons.trust == Trust::All { Trust::Most } else { Trust::None };
            self.enable();
        }
    }

    /// The fields of the blocks with the most of them: what a class is about.
    fn fields(&self, precision: &Precision) -> Vec<Field> {
        let links = precision.links();
        let count = |size: u64| links.iter().filter(|link| link.size == size).count();
        let sizes = links.iter().map(|link| link.size);
        let Some(size) = sizes.max_by_key(|size| (count(*size), *size)) else { return Vec::new() };
        let mut fields: Vec<Field> = links.into_iter().filter(|link| link.size == size).collect();
        fields.sort_unstable();
        fields
    }

    /// The numbers in the blocks that have these links, clear of them.
    fn number_fields(&self, links: &[Field]) -> Vec<NumberField> {
        let model = self.atlas.program().model;
        let is_clear = |number: &&NumberField| {
            let NumberField { field, ty } = number;
            let is_apart = |link: &Field| {
                link.offset + model.pointer_size() <= field.offset
                    || field.offset + ty.size(model) <= link.offset
            };
            links.iter().all(|link| link.size == field.size && is_apart(link))
        };
        self.lessons.numbers.fields.iter().filter(is_clear).copied().collect()
    }

    /// A class with its roles and families, for people.
    pub(crate) fn words(&self, precision: &Precision) -> String {
        let Some(cast) = &precision.cast else { return "links".to_owned() };
        let class = &self.library.classes[cast.class];
        let roles = class.roles.iter().zip(&cast.roles);
        let mut roles: Vec<String> =
            roles.map(|(role, field)| format!("{role} at byte {}", field.offset)).collect();
        if let (Some(name), Some(order)) = (&class.order, cast.order) {
            roles.push(format!("{name} at byte {}", order.field.offset));
        }
        let families = class.families.iter().zip(&cast.families).filter(|it| *it.1);
        let families: Vec<&str> = families.map(|it| it.0.name.as_str()).collect();
        let with = if families.is_empty() { "" } else { " with " };
        format!("{} ({}){with}{}", class.title, roles.join(", "), families.join(", "))
    }
}

/// A number that depends on others in no simple way.
fn mixed(seed: u64, numbers: &[u64]) -> u64 {
    numbers.iter().fold(seed, |mixed, number| {
        let mixed = (mixed ^ number).wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb)
    })
}
