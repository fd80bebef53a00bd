//! What every row of every domain promises, tried on all domains with made-up values.

use std::collections::BTreeMap;

use heapwright_base::{DenseId, IdVec};
use heapwright_logic::{BitVectorValue, Model, Sort, TermId, Terms, Value};

use super::{Object, Point, Power, Row, Scope, Split, Variable, Version, all};
use crate::ssa::formula::{AbstractObjectId, LoopVariableSource, Spot, ValueKind};
use crate::ssa::pointer::PointerLayout;

const POINTERS: PointerLayout = PointerLayout { tag_bits: 4, offset_bits: 8 };

/// Two signed numbers and an unsigned one, a flag, a pointer, and an object with a link and a
/// number, all of few bits; and the same of its second witness, with marks of ends.
fn scope() -> Scope {
    let local = LoopVariableSource::Local(DenseId::from_index(0));
    let object = AbstractObjectId::from_index(0);
    let field = |offset| LoopVariableSource::Field { object, offset };
    let number = |signed| ValueKind::Number { bits: 5, signed };
    let mark = Some(LoopVariableSource::Ended { object });
    let second = ["other node.next", "other node.value", "other node.ended"];
    let variables = [
        ("i", number(true), Some(local)),
        ("n", number(true), None),
        ("u", number(false), Some(local)),
        ("flag", ValueKind::Boolean, Some(local)),
        ("p", ValueKind::Pointer, Some(local)),
        ("node.next", ValueKind::Pointer, Some(field(0))),
        ("node.value", number(true), Some(field(8))),
        ("node.ended", ValueKind::Boolean, mark),
        (second[0], ValueKind::Pointer, Some(field(0))),
        (second[1], number(true), Some(field(8))),
        (second[2], ValueKind::Boolean, mark),
    ];
    let variable = |(name, kind, source): (&str, _, Option<LoopVariableSource>)| {
        let name = name.to_owned();
        let object = source.and_then(LoopVariableSource::object);
        let is_second = second.contains(&name.as_str());
        let spot = if is_second { Spot::Second } else { Spot::First };
        Variable { name, kind, source, object, spot, constants: 2 }
    };
    let objects = ["node", "leaf"].map(|name| Object {
        name: name.to_owned(),
        has_second: name == "node",
        is_summary: true,
    });
    Scope {
        variables: variables.into_iter().map(variable).collect(),
        pointers: POINTERS,
        objects: objects.into_iter().collect(),
        has_links: true,
        paths: vec![Split::by_loop("1")],
    }
}

fn version(terms: &mut Terms, scope: &Scope) -> Version {
    let value = |index: usize| (format!("v{index}"), Sort::BitVector(scope.width(index)));
    let count = scope.variables.len();
    let mut of = |(name, sort): (String, Sort)| terms.variable(&name, sort);
    Version {
        values: (0..count).map(|index| of(value(index))).collect(),
        guards: (0..count).map(|index| of((format!("g{index}"), Sort::Boolean))).collect(),
        paths: vec![of(("path".to_owned(), Sort::Boolean))],
        witnesses: ["w0", "w1"]
            .map(|name| of((name.to_owned(), Sort::BitVector(POINTERS.width()))))
            .into_iter()
            .collect(),
        seconds: ["s0", "s1"]
            .map(|name| of((name.to_owned(), Sort::BitVector(POINTERS.width()))))
            .into_iter()
            .collect(),
    }
}

/// The same numbers in each run: multiply with carry.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u128) -> u128 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u128::from(self.0 >> 33) % limit
    }

    fn point(&mut self, scope: &Scope) -> Point {
        let witnesses: IdVec<AbstractObjectId, BitVectorValue> =
            [(1, 7), (2, 3)].map(|(tag, number)| address(tag, number)).into_iter().collect();
        let second = address(1, [2, 7][self.below(2) as usize]);
        let seconds = [second, address(2, 3)].into_iter().collect();
        let pointers =
            [BitVectorValue::zero(POINTERS.width()), address(1, 7), address(2, 3), address(1, 2)];
        let values = (0..scope.variables.len()).map(|index| match scope.variables[index].kind {
            ValueKind::Pointer => pointers[self.below(4) as usize],
            _ => BitVectorValue::new(self.below(32), scope.width(index)),
        });
        let values = values.collect();
        let guards = vec![true; scope.variables.len()];
        Point { values, guards, paths: vec![self.below(2) == 1], witnesses, seconds }
    }
}

fn address(tag: u128, number: u128) -> BitVectorValue {
    BitVectorValue::new(tag << 40 | number << 8, POINTERS.width())
}

fn model(version: &Version, point: &Point) -> Model {
    let bits = |(&term, &value): (&TermId, &BitVectorValue)| (term, Value::BitVector(value));
    let flags = |(&term, &value): (&TermId, &bool)| (term, Value::Boolean(value));
    let mut values: BTreeMap<TermId, Value> = BTreeMap::new();
    values.extend(version.values.iter().zip(&point.values).map(bits));
    values.extend(version.witnesses.iter().zip(point.witnesses.iter()).map(bits));
    values.extend(version.seconds.iter().zip(point.seconds.iter()).map(bits));
    values.extend(version.guards.iter().zip(&point.guards).map(flags));
    values.extend(version.paths.iter().zip(&point.paths).map(flags));
    values.into_iter().collect()
}

/// Every row of every domain, by itself and told apart by paths.
fn every_row(scope: &Scope) -> Vec<Box<dyn Row>> {
    let rows: Vec<Box<dyn Row>> = all().iter().flat_map(|domain| domain.rows(scope)).collect();
    let powers = rows.clone().into_iter().map(|row| Box::new(Power::over(row)) as Box<dyn Row>);
    rows.iter().cloned().chain(powers).collect()
}

#[test]
fn a_join_covers_the_new_point_and_all_before_it() {
    let scope = scope();
    for mut row in every_row(&scope) {
        let mut random = Random(1);
        let points: Vec<Point> = (0..60).map(|_| random.point(&scope)).collect();
        for (count, point) in points.iter().enumerate() {
            row.join(point);
            for old in &points[..=count] {
                assert!(row.covers(old), "{row:?} lost {old:?}");
            }
        }
    }
}

#[test]
fn the_formula_of_a_row_says_what_it_covers() {
    let scope = scope();
    for mut row in every_row(&scope) {
        let mut random = Random(2);
        let mut terms = Terms::new();
        let version = version(&mut terms, &scope);
        for _ in 0..12 {
            let formula = row.formula(&mut terms, &version);
            for _ in 0..40 {
                let point = random.point(&scope);
                let says = model(&version, &point).satisfies(&terms, formula);
                assert_eq!(says, row.covers(&point), "{row:?} at {point:?}");
            }
            row.join(&random.point(&scope));
        }
    }
}

#[test]
fn a_row_starts_at_bottom_and_ends_at_top() {
    let scope = scope();
    let point = Random(3).point(&scope);
    for mut row in every_row(&scope) {
        assert!(!row.covers(&point) && !row.is_top(), "{row:?}");
        row.forget();
        assert!(row.covers(&point) && row.is_top(), "{row:?}");
        assert_eq!(row.text(&scope), Vec::<String>::new());
    }
}

/// What the rows of a domain say after these points.
fn texts(name: &str, points: &[Point]) -> Vec<String> {
    let scope = scope();
    let domain = all().into_iter().find(|domain| domain.name() == name).expect("a domain");
    let mut rows = domain.rows(&scope);
    for point in points {
        rows.iter_mut().for_each(|row| row.join(point));
    }
    rows.iter().flat_map(|row| row.text(&scope)).collect()
}

fn at(numbers: [i128; 4], pointers: [BitVectorValue; 2]) -> Point {
    let [i, n, u, value] = numbers.map(|number| BitVectorValue::from_signed(number, 5));
    let mut point = Random(4).point(&scope());
    let lives = BitVectorValue::zero(1);
    let [pointer, next] = pointers;
    let first = [i, n, u, BitVectorValue::one(1), pointer, next, value, lives];
    let null = BitVectorValue::zero(POINTERS.width());
    let second = [null, BitVectorValue::from_signed(12, 5), lives];
    point.values = [&first[..], &second].concat();
    point.seconds = [address(1, 2), address(2, 3)].into_iter().collect();
    point
}

fn two_points() -> [Point; 2] {
    let null = BitVectorValue::zero(POINTERS.width());
    [at([-3, 4, 1, 10], [null, address(2, 3)]), at([2, 4, 17, 12], [address(1, 1), null])]
}

#[test]
fn intervals_are_signed_or_unsigned_by_type() {
    let texts = texts("intervals", &two_points());
    for text in ["i <= 2", "i >= -3", "u <= 17", "u >= 1", "node.value <= 12", "node.value >= 10"] {
        assert!(texts.contains(&text.to_owned()), "{text} in {texts:?}");
    }
}

#[test]
fn differences_do_not_wrap_around() {
    let texts = texts("zones", &two_points());
    for text in ["i - n <= -2", "n - i <= 7", "i - u <= -4", "node.value - i <= 13"] {
        assert!(texts.contains(&text.to_owned()), "{text} in {texts:?}");
    }
}

#[test]
fn octagons_have_sums_too() {
    let texts = texts("octagons", &two_points());
    for text in ["i + n <= 6", "-i - n <= -1", "i - n <= -2"] {
        assert!(texts.contains(&text.to_owned()), "{text} in {texts:?}");
    }
}

#[test]
fn shapes_name_objects_and_null() {
    let texts = texts("shape", &two_points());
    assert_eq!(
        texts,
        ["p == NULL || p == &node", "node.next == NULL || node.next == &leaf", "node.ended == 0"]
    );
}

#[test]
fn flags_and_pairs_of_them_have_few_values() {
    let [one, other] = two_points();
    assert_eq!(texts("values", std::slice::from_ref(&one))[..2], ["i == -3", "u == 1"]);
    assert!(
        texts("pairs", &[one, other])
            .contains(&"i == 2 && u == 17 || i == -3 && u == 1".to_owned())
    );
}

#[test]
fn equal_in_all_points_is_equal() {
    let null = BitVectorValue::zero(POINTERS.width());
    let points = [at([3, 3, 1, 3], [null, null]), at([4, 4, 1, 3], [null, address(1, 7)])];
    let texts = texts("equalities", &points);
    for text in ["i == n", "i != u", "n != u"] {
        assert!(texts.contains(&text.to_owned()), "{text} in {texts:?}");
    }
    assert!(!texts.iter().any(|text| text.contains("p ")), "{texts:?}");
}

#[test]
fn a_sum_that_is_the_same_in_all_points_is_named() {
    let null = BitVectorValue::zero(POINTERS.width());
    // i + n stays, and wraps around for u.
    let points = [at([3, 5, 30, 1], [null, null]), at([4, 4, 0, 2], [null, null])];
    let texts = texts("sums", &points);
    for text in ["i + n == 8", "2 * i - u == 8"] {
        assert!(texts.contains(&text.to_owned()), "{text} in {texts:?}");
    }
    assert!(!texts.contains(&"i - n == -2".to_owned()), "{texts:?}");
}

#[test]
fn an_access_path_goes_through_witnesses() {
    let null = BitVectorValue::zero(POINTERS.width());
    let points = [at([0; 4], [null, null]), at([0; 4], [null, address(2, 3)])];
    assert_eq!(texts("access-paths", &points[..1]), ["node.next == NULL"]);
    assert_eq!(texts("access-paths", &points), Vec::<String>::new());
}

#[test]
fn paths_are_named_where_they_differ() {
    let scope = scope();
    let [mut one, mut other] = two_points();
    (one.paths, other.paths) = (vec![false], vec![true]);
    let mut row = Power::over(all()[0].rows(&scope).remove(0));
    row.join(&one);
    row.join(&other);
    assert_eq!(
        row.text(&scope),
        ["p == NULL, if loop 1 was not repeated", "p == &node, if loop 1 was repeated",]
    );
}

#[test]
fn links_say_what_pointers_lead_to() {
    let null = BitVectorValue::zero(POINTERS.width());
    // `p` leads to the witness, whose link leads to the second one, which ends the list.
    let points = [at([0, 0, 0, 9], [address(1, 7), address(1, 2)])];
    let said = texts("links", &points);
    for text in [
        "node.ended == 0, if p leads to node",
        "node.next and p lead to no common block, if not node.ended",
        "other node.ended == 0, if not node.ended && node.next leads to other node",
    ] {
        assert!(said.contains(&text.to_owned()), "{text} in {said:?}");
    }
    let said = texts("neighbours", &points);
    let text = "node.value < other node.value, if not node.ended && not other node.ended && \
                node.next leads to other node";
    assert!(said.contains(&text.to_owned()), "{said:?}");
    // A ring of one node is pointed to by itself and by `p`.
    let ring = [at([0, 0, 0, 9], [address(1, 7), address(1, 7)])];
    let shared = "node.next and p lead to one block, if not node.ended";
    assert!(texts("links", &ring).contains(&shared.to_owned()));
    let both = [points, ring].concat();
    assert!(!texts("links", &both).iter().any(|text| text.contains("node.next and p")));
    assert!(!texts("links", &[at([0; 4], [null, null])]).is_empty());
}
