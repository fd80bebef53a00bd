//! A heap in a few lines of a terminal: each list a row of boxes, the variables above what they
//! point to.

use crate::layout::Layout;
use crate::scene::{Card, Look, Row, Scene, Shown};

/// What lines are drawn with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charset {
    Unicode,
    Ascii,
}

/// Boxes of a row that are drawn; rows of a box.
const MOST_ROWS: usize = 5;

struct Pens {
    level: char,
    upright: char,
    corners: [char; 4],
    gone_level: char,
    gone_upright: char,
    tip: char,
    down: char,
}

const UNICODE: Pens = Pens {
    level: '─',
    upright: '│',
    corners: ['┌', '┐', '└', '┘'],
    gone_level: '╌',
    gone_upright: '╎',
    tip: '▶',
    down: '▼',
};
const ASCII: Pens = Pens {
    level: '-',
    upright: '|',
    corners: ['+', '+', '+', '+'],
    gone_level: '.',
    gone_upright: ':',
    tip: '>',
    down: 'v',
};

/// The lines of a picture of at most so many columns; none where no block is to be seen.
#[must_use]
pub fn terminal(scene: &Scene, width: usize, charset: Charset) -> Vec<String> {
    let pens = match charset {
        Charset::Unicode => &UNICODE,
        Charset::Ascii => &ASCII,
    };
    let layout = Layout::of(std::slice::from_ref(scene));
    let mut lines = Vec::new();
    let mut rows: Vec<Vec<&Card>> = Vec::new();
    for track in &layout.tracks {
        let row: Vec<&Card> = track.iter().filter_map(|id| scene.card(id)).collect();
        let below: Vec<&Card> = layout
            .owned
            .iter()
            .filter(|(_, owner)| track.contains(owner))
            .filter_map(|(id, _)| scene.card(id))
            .collect();
        rows.push(row);
        rows.extend((!below.is_empty()).then_some(below));
    }
    let has = |row: &[&Card], what: &dyn Fn(&Card) -> bool| row.iter().any(|card| what(card));
    // What the fault is about comes first, then what variables point to, then what is gone.
    rows.sort_by_key(|row| {
        let is_hit = has(row, &is_at_fault);
        let is_named = has(row, &|card| !names_of(scene, card).is_empty());
        let is_gone = has(row, &|card| card.look == Look::Gone);
        (!is_hit, !(is_named && is_gone), !is_named, !is_gone)
    });
    for row in rows.iter().take(MOST_TRACKS) {
        lines.extend(draw_row(scene, &layout, row, width, pens));
    }
    if rows.len() > MOST_TRACKS {
        let more: usize = rows[MOST_TRACKS..].iter().map(Vec::len).sum();
        let blocks = if more == 1 { "block" } else { "blocks" };
        lines.push(format!("… and {more} more {blocks}"));
    }
    lines
}

fn is_at_fault(card: &Card) -> bool {
    card.look == Look::Lost || card.rows.iter().any(|row| row.is_hit)
}

/// Rows of boxes that are drawn.
const MOST_TRACKS: usize = 3;
const GAP: usize = 4;

fn draw_row(
    scene: &Scene,
    layout: &Layout,
    row: &[&Card],
    width: usize,
    pens: &Pens,
) -> Vec<String> {
    let shown = fitting(scene, row, width);
    let height = shown.iter().map(|(card, _)| box_rows(card).len()).max().unwrap_or(0) + 2;
    let mut canvas = Canvas::new(height + 2);
    let mut x = 0;
    for (index, (card, width)) in shown.iter().enumerate() {
        let next = shown.get(index + 1).map(|(card, _)| *card);
        draw_names(&mut canvas, scene, card, x, pens);
        draw_box(&mut canvas, scene, layout, card, next, (x, *width), pens);
        x += width + GAP;
    }
    if shown.len() < row.len() {
        canvas.put(2 + 1, x, &format!("… {} more", row.len() - shown.len()));
    }
    canvas.lines()
}

/// The cards that fit beside each other, with the widths of their boxes. Those that variables point
/// to, or that the fault is about, are drawn first if not all fit.
fn fitting<'s>(scene: &Scene, row: &[&'s Card], width: usize) -> Vec<(&'s Card, usize)> {
    let sized: Vec<(&Card, usize)> = row.iter().map(|card| (*card, box_width(card))).collect();
    let room = |cards: &[(&Card, usize)]| -> usize { cards.iter().map(|(_, w)| w + GAP).sum() };
    if room(&sized) + 4 <= width {
        return sized;
    }
    let is_named = |card: &Card| !names_of(scene, card).is_empty();
    let position = |what: &dyn Fn(&Card) -> bool| sized.iter().position(|(card, _)| what(card));
    let first = position(&is_at_fault)
        .or_else(|| position(&|card| card.look == Look::Gone && is_named(card)))
        .or_else(|| position(&|card| card.look == Look::Gone || is_named(card)))
        .unwrap_or(0);
    let mut chosen: Vec<(&Card, usize)> = Vec::new();
    for item in &sized[first..] {
        if room(&chosen) + item.1 + GAP + 12 > width {
            break;
        }
        chosen.push(*item);
    }
    if chosen.is_empty() { sized[first..=first].to_vec() } else { chosen }
}

/// `head, current`: the variables that lead to a card.
fn names_of(scene: &Scene, card: &Card) -> Vec<String> {
    let mut names = Vec::new();
    for frame in scene.frames.iter().rev() {
        for row in &frame.rows {
            if let Shown::Link { target, inside, .. } = &row.shown
                && scene.target(target).is_some_and(|(found, _)| found.id == card.id)
            {
                let inside =
                    inside.as_ref().map_or(String::new(), |inside| format!(" (at {inside})"));
                let name = format!("{}{inside}", row.name);
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
    }
    names
}

fn title_of(card: &Card) -> String {
    [card.title.as_str(), card.note.as_str()].join(" ").trim().to_owned()
}

/// The rows of a box: facts first.
fn box_rows(card: &Card) -> Vec<(String, Option<&Row>)> {
    let mut rows: Vec<(String, Option<&Row>)> =
        card.pills.iter().map(|(_, words)| (words.to_uppercase_first(), None)).collect();
    let needed = |row: &&Row| row.is_hit || row.shown.target().is_some();
    let all = card.rows.len();
    let important = card.rows.iter().filter(needed).count();
    let mut room = MOST_ROWS.saturating_sub(important);
    for row in &card.rows {
        if needed(&row) {
            rows.push((row.name.clone(), Some(row)));
        } else if room > 0 {
            room -= 1;
            rows.push((row.name.clone(), Some(row)));
        }
    }
    let left_out = all + card.pills.len() - rows.len();
    if left_out > 0 {
        rows.push((format!("… {left_out} more"), None));
    }
    rows
}

trait UppercaseFirst {
    fn to_uppercase_first(&self) -> String;
}

impl UppercaseFirst for String {
    fn to_uppercase_first(&self) -> String {
        let word = self.split(' ').next().unwrap_or_default();
        self.replacen(word, &word.to_uppercase(), 1)
    }
}

fn value_of(row: &Row) -> String {
    let mark = if row.is_hit { " ✗" } else { "" };
    format!("{}{mark}", row.shown.text())
}

fn box_width(card: &Card) -> usize {
    let title = title_of(card).chars().count() + 6;
    let row = |(name, row): &(String, Option<&Row>)| {
        let value = row.map_or(0, |row| value_of(row).chars().count() + 2);
        name.chars().count() + value + 5
    };
    box_rows(card).iter().map(row).max().unwrap_or(0).max(title)
}

fn draw_names(canvas: &mut Canvas, scene: &Scene, card: &Card, x: usize, pens: &Pens) {
    let names = names_of(scene, card);
    if !names.is_empty() {
        canvas.put(0, x, &names.join(", "));
        canvas.put(1, x, &pens.down.to_string());
    }
}

fn draw_box(
    canvas: &mut Canvas,
    scene: &Scene,
    layout: &Layout,
    card: &Card,
    next: Option<&Card>,
    (x, width): (usize, usize),
    pens: &Pens,
) {
    let (level, upright) = match card.look {
        Look::Gone => (pens.gone_level, pens.gone_upright),
        Look::Plain | Look::Lost | Look::Current => (pens.level, pens.upright),
    };
    let [upper_left, upper_right, lower_left, lower_right] = pens.corners;
    let line = |count: usize| level.to_string().repeat(count);
    let title = title_of(card);
    let rest = width - 5 - title.chars().count();
    canvas.put(2, x, &format!("{upper_left}{level} {title} {}{upper_right}", line(rest)));
    let rows = box_rows(card);
    for (index, (name, row)) in rows.iter().enumerate() {
        let y = 3 + index;
        canvas.put(y, x, &format!("{upright} {name}"));
        canvas.put(y, x + width - 1, &upright.to_string());
        let Some(row) = row else { continue };
        match &row.shown {
            Shown::Link { target, inside, .. } => {
                let found = scene.target(target).map(|(found, _)| found);
                let is_next = found.is_some_and(|found| next.is_some_and(|it| it.id == found.id));
                let is_back = layout.back.contains(&(card.id.clone(), row.name.clone()));
                let hit = if row.is_hit { " ✗" } else { "" };
                if is_next && !is_back {
                    let start = x + 3 + name.chars().count();
                    canvas.put(y, start, hit);
                    let start = start + hit.chars().count() + usize::from(row.is_hit);
                    canvas.put(y, start, &line(x + width + GAP - 1 - start));
                    canvas.put(y, x + width + GAP - 1, &pens.tip.to_string());
                } else if let Some(found) = found {
                    let inside = inside.as_ref().map_or(String::new(), |it| format!(".{it}"));
                    let label = if found.note.is_empty() { &found.title } else { &found.note };
                    let words = format!("→ {label}{inside}{hit}");
                    let at = (x + width).saturating_sub(words.chars().count() + 2);
                    canvas.put(y, at.max(x + 3 + name.chars().count()), &words);
                }
            }
            Shown::Text(_) | Shown::Remark(_) | Shown::Null | Shown::Uninitialised => {
                let value = value_of(row);
                canvas.put(y, x + width - 2 - value.chars().count(), &value);
            }
        }
    }
    let bottom = format!("{lower_left}{}{lower_right}", line(width - 2));
    canvas.put(3 + rows.len(), x, &bottom);
}

/// Characters in rows; what is put later covers what was there.
struct Canvas {
    rows: Vec<Vec<char>>,
}

impl Canvas {
    fn new(height: usize) -> Canvas {
        Canvas { rows: vec![Vec::new(); height] }
    }

    fn put(&mut self, y: usize, x: usize, text: &str) {
        let row = &mut self.rows[y];
        for (index, character) in heapwright_trace::printable(text).chars().enumerate() {
            let at = x + index;
            if row.len() <= at {
                row.resize(at + 1, ' ');
            }
            row[at] = character;
        }
    }

    /// Without empty lines.
    fn lines(self) -> Vec<String> {
        let lines = self.rows.into_iter().map(|row| row.into_iter().collect::<String>());
        lines.map(|line| line.trim_end().to_owned()).filter(|line| !line.is_empty()).collect()
    }
}
