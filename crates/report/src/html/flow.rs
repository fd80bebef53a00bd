//! The control flow of a function as a picture: its lines below each other, ways between them as arcs.
//!
//! Going on to the next line needs no arc. Ways ahead are on the left of the lines, ways back on the right, each in a
//! lane of its own where it would meet another.

use std::fmt::Write;

use heapwright_pictures::escaped;
use heapwright_trace::Sources;

use crate::flow::FlowReport;

const ROW: u32 = 22;
const LANE: u32 = 12;
/// Characters of a line.
const MOST: usize = 64;
const LETTER: u32 = 8;
/// Functions of a page.
const MOST_FUNCTIONS: usize = 60;
const MOST_LINES: usize = 400;

/// An arc from one row to another, in a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Arc {
    from: usize,
    to: usize,
    lane: u32,
}

/// The section with all functions; nothing where there is none.
pub(super) fn flows(reports: &[FlowReport], files: &[String], sources: &mut Sources) -> String {
    let mut text = String::new();
    for report in reports.iter().take(MOST_FUNCTIONS) {
        let Some(number) = files.iter().position(|file| *file == report.file) else { continue };
        if report.lines.len() > MOST_LINES {
            continue;
        }
        let _ = writeln!(
            text,
            "<section class=\"place\"><h3 class=\"code\">{}</h3>\n<div class=\"picture\" tabindex=\"0\">\n{}</div></section>",
            escaped(&report.function),
            picture(report, number, sources)
        );
    }
    text
}

fn picture(report: &FlowReport, file: usize, sources: &mut Sources) -> String {
    let row_of = |line: u32| report.lines.binary_search(&line).ok();
    let ways: Vec<(usize, usize)> = report
        .ways
        .iter()
        .filter_map(|(from, to)| Some((row_of(*from)?, row_of(*to)?)))
        .filter(|(from, to)| *to != from + 1)
        .collect();
    let ahead = lanes(ways.iter().copied().filter(|(from, to)| from < to));
    let back = lanes(ways.iter().copied().filter(|(from, to)| from > to));
    let room = |arcs: &[Arc]| (arcs.iter().map(|arc| arc.lane + 1).max().unwrap_or(0) + 1) * LANE;
    let margin = margin(report, sources);
    let texts: Vec<String> =
        report.lines.iter().map(|line| words(report, *line, margin, sources)).collect();
    let widest = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0);
    let text_width = (u32::try_from(widest).unwrap_or(0) + 6) * LETTER;
    let left = room(&ahead);
    let (width, height) =
        (left + text_width + room(&back), u32::try_from(texts.len()).unwrap_or(0) * ROW + 8);
    let mut svg = format!(
        "<svg class=\"flow\" xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"control flow of {}\">\n",
        escaped(&report.function)
    );
    for (row, (line, text)) in report.lines.iter().zip(&texts).enumerate() {
        let y = centre(row) + 4;
        let goes_on =
            report.lines.get(row + 1).is_some_and(|next| report.ways.contains(&(*line, *next)));
        let _ = writeln!(
            svg,
            "<a href=\"#F{file}L{line}\"><text x=\"{}\" y=\"{y}\"><tspan class=\"n\">{line:>4}</tspan>  {}</text></a>",
            left + 6,
            escaped(text)
        );
        if !goes_on {
            let y = (u32::try_from(row).unwrap_or(0) + 1) * ROW + 3;
            let _ =
                writeln!(svg, "<path class=\"stop\" d=\"M{} {y}h{}\"/>", left + 4, text_width - 8);
        }
    }
    for arc in ahead {
        draw(&mut svg, arc, left, -1);
    }
    for arc in back {
        draw(&mut svg, arc, left + text_width, 1);
    }
    svg.push_str("</svg>\n");
    svg
}

fn centre(row: usize) -> u32 {
    u32::try_from(row).unwrap_or(0) * ROW + ROW / 2 + 2
}

/// An arc beside the lines, with a tip where it ends.
fn draw(svg: &mut String, arc: Arc, x: u32, side: i64) {
    let reach = i64::from(x) + side * i64::from((arc.lane + 1) * LANE);
    // Ways that leave and arrive at a line do not lie on each other.
    let (from, to) = (centre(arc.from) + 3, centre(arc.to) - 3);
    let back = if side > 0 { " back" } else { "" };
    let tip = i64::from(x) + side * 5;
    let _ = writeln!(
        svg,
        "<path class=\"way{back}\" d=\"M{x} {from}H{reach}V{to}H{x}\"/><path class=\"tip{back}\" d=\"M{x} {to}L{tip} {}V{}Z\"/>",
        to - 4,
        to + 4
    );
}

/// Gives each way the nearest lane that is free along it, short ways first.
fn lanes(ways: impl Iterator<Item = (usize, usize)>) -> Vec<Arc> {
    let mut ways: Vec<(usize, usize)> = ways.collect();
    ways.sort_by_key(|(from, to)| (from.abs_diff(*to), *from, *to));
    let mut arcs: Vec<Arc> = Vec::new();
    for (from, to) in ways {
        let span = |from: usize, to: usize| (from.min(to), from.max(to));
        let (low, high) = span(from, to);
        let meets = |arc: &&Arc| {
            let (other_low, other_high) = span(arc.from, arc.to);
            low <= other_high && other_low <= high
        };
        let taken: Vec<u32> = arcs.iter().filter(meets).map(|arc| arc.lane).collect();
        let lane = (0..).find(|lane| !taken.contains(lane)).expect("numbers do not end");
        arcs.push(Arc { from, to, lane });
    }
    arcs
}

/// Blanks before the line that is furthest to the left.
fn margin(report: &FlowReport, sources: &mut Sources) -> usize {
    let lines = report.lines.iter();
    let blanks = lines.map(|line| {
        let text = line_of(report, *line, sources);
        text.chars().take_while(|it| it.is_whitespace()).count()
    });
    blanks.min().unwrap_or(0)
}

fn line_of(report: &FlowReport, line: u32, sources: &mut Sources) -> String {
    let text = sources.file(&report.file).and_then(|text| text.line(line)).unwrap_or_default();
    text.replace('\t', "    ")
}

/// The words of a line behind the margin, as long as there is room.
fn words(report: &FlowReport, line: u32, margin: usize, sources: &mut Sources) -> String {
    let text: String = line_of(report, line, sources).chars().skip(margin).collect();
    let text = heapwright_trace::printable(text.trim_end());
    match text.chars().count() > MOST {
        true => text.chars().take(MOST - 1).chain(['…']).collect(),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_that_would_meet_have_lanes_of_their_own() {
        let arcs = lanes([(0, 5), (1, 3), (4, 6), (7, 9)].into_iter());
        let told: Vec<(usize, usize, u32)> =
            arcs.iter().map(|arc| (arc.from, arc.to, arc.lane)).collect();
        assert_eq!(told, [(1, 3, 0), (4, 6, 0), (7, 9, 0), (0, 5, 1)]);
    }
}
