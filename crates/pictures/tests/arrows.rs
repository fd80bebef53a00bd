//! Arrows cross no words, and nothing is outside the picture: for lists and trees of all small sizes, with
//! calls that lead to every card.

use heapwright_pictures::{Card, Kind, Look, Row, Scene, Shown, Tone, svg};

fn link(target: usize) -> Shown {
    Shown::Link { target: format!("b{target}"), inside: None, is_stale: false }
}

fn card(id: String, kind: Kind, rows: Vec<Row>) -> Card {
    let (title, note) = ("struct node".to_owned(), String::new());
    let (look, group, pills) = (Look::Plain, title.clone(), Vec::new());
    Card { id, title, note, kind, look, group, rows, pills }
}

/// Cards of the given kinds with links between them, words above each, and calls that lead to all.
fn scene(kinds: &[Kind], links: impl Fn(usize) -> Vec<(&'static str, usize)>) -> Scene {
    let mut scene = Scene { title: "t".to_owned(), ..Scene::default() };
    for (index, kind) in kinds.iter().enumerate() {
        let to = links(index).into_iter().filter(|(_, target)| *target < kinds.len());
        let rows = to.map(|(name, target)| Row::new(name, link(target))).collect();
        let mut card = card(format!("b{index}"), *kind, rows);
        card.rows.push(Row::new("value", Shown::Text("1".to_owned())));
        card.pills.push((Tone::Fact, "n ≥ 1 × node".to_owned()));
        card.pills.push((Tone::Bad, "freed at line 12345".to_owned()));
        scene.cards.push(card);
    }
    for call in ["main", "called"] {
        let rows = (0..kinds.len()).map(|index| Row::new(format!("v{index}"), link(index)));
        scene.frames.push(card(call.to_owned(), Kind::One, rows.collect()));
    }
    scene
}

type Box = [f64; 4];

fn attribute(tag: &str, name: &str) -> f64 {
    let (_, rest) = tag.split_once(&format!(" {name}=\"")).expect("it has the attribute");
    rest.split('"').next().and_then(|text| text.parse().ok()).expect("a number")
}

/// Rectangles of a class: left, top, right, bottom.
fn boxes(svg: &str, class: &str) -> Vec<Box> {
    let tags = svg.split("<rect class=\"").skip(1).filter(|rest| rest.starts_with(class));
    let rect = |tag: &str| {
        let [x, y] = ["x", "y"].map(|name| attribute(tag, name));
        [x, y, x + attribute(tag, "width"), y + attribute(tag, "height")]
    };
    tags.map(rect).collect()
}

/// Points along a path of the commands M, H, V and C.
fn points(path: &str) -> Vec<(f64, f64)> {
    let mut points: Vec<(f64, f64)> = Vec::new();
    let starts: Vec<usize> = path.match_indices(['M', 'H', 'V', 'C']).map(|(at, _)| at).collect();
    for (index, start) in starts.iter().enumerate() {
        let end = starts.get(index + 1).copied().unwrap_or(path.len());
        let words = path[start + 1..end].split_whitespace();
        let numbers: Vec<f64> = words.map(|word| word.parse().expect("a number")).collect();
        let (x, y) = points.last().copied().unwrap_or_default();
        let line = |to: (f64, f64)| {
            (1..=200).map(move |part| {
                let part = f64::from(part) / 200.0;
                (x + (to.0 - x) * part, y + (to.1 - y) * part)
            })
        };
        match (&path[*start..=*start], numbers.as_slice()) {
            ("M", [x, y]) => points.push((*x, *y)),
            ("H", [to]) => points.extend(line((*to, y))),
            ("V", [to]) => points.extend(line((x, *to))),
            ("C", [a, b, c, d, e, f]) => points.extend((1..=200).map(|part| {
                let t = f64::from(part) / 200.0;
                let at = |p: f64, q: f64, r: f64, s: f64| {
                    let u = 1.0 - t;
                    p * u * u * u + 3.0 * q * u * u * t + 3.0 * r * u * t * t + s * t * t * t
                };
                (at(x, *a, *c, *e), at(y, *b, *d, *f))
            })),
            other => panic!("a path of other commands: {other:?}"),
        }
    }
    points
}

fn is_in(place: &Box, (x, y): (f64, f64)) -> bool {
    place[0] < x && x < place[2] && place[1] < y && y < place[3]
}

fn check(scene: &Scene, what: &str) {
    let svg = svg(scene);
    let words: Vec<Box> = boxes(&svg, "pfact").into_iter().chain(boxes(&svg, "pbad")).collect();
    assert_eq!(words.len(), 2 * scene.cards.len());
    let (_, view) = svg.split_once("viewBox=\"").expect("a picture");
    let view: Vec<f64> =
        view.split(['"', ' ']).take(4).map(|it| it.parse().expect("a number")).collect();
    let view = [view[0], view[1], view[0] + view[2], view[1] + view[3]];
    for corner in
        words.iter().chain(&boxes(&svg, "card")).flat_map(|it| [(it[0], it[1]), (it[2], it[3])])
    {
        assert!(is_in(&view, corner), "{what}: {corner:?} is outside {view:?}");
    }
    let paths = svg.split("<path class=\"arrow").skip(1);
    let paths = paths.filter_map(|rest| rest.split_once(" d=\"")?.1.split('"').next());
    let mut count = 0;
    for path in paths {
        count += 1;
        for point in points(path) {
            assert!(is_in(&view, point), "{what}: {path} leaves {view:?}");
            let crossed = words.iter().find(|words| is_in(words, point));
            assert_eq!(crossed, None, "{what}: {path} crosses words at {point:?}");
        }
    }
    assert!(count >= 2 * scene.cards.len(), "{what}: {count} arrows");
}

#[test]
fn arrows_along_lists_cross_no_words() {
    let kinds = [Kind::One, Kind::Many, Kind::Tree];
    for length in 1..=5 {
        for offset in 0..kinds.len() {
            let kinds: Vec<Kind> = (0..length).map(|at| kinds[(at + offset) % 3]).collect();
            check(&scene(&kinds, |index| vec![("next", index + 1)]), &format!("{kinds:?}"));
        }
    }
}

#[test]
fn arrows_down_trees_cross_no_words() {
    for size in [3, 4, 5, 6, 7] {
        for kind in [Kind::One, Kind::Tree] {
            let kinds = vec![kind; size];
            let links = |index| vec![("left", 2 * index + 1), ("right", 2 * index + 2)];
            check(&scene(&kinds, links), &format!("a tree of {size} {kind:?}"));
        }
    }
}
