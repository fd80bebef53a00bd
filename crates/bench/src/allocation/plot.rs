//! The comparison as a picture: for each number a panel, in it a group of bars for each task, in it
//! a bar for each way. All scales are logarithmic: the ways differ by orders of magnitude.

use std::fmt::Write;

use super::measure::{Measurement, WAYS};

pub(super) const COLOURS: [&str; 5] = ["#4c72b0", "#c44e52", "#937860", "#dd8452", "#55a868"];
const LEFT: f64 = 70.0;
const TOP: f64 = 50.0;
const BAR: f64 = 9.0;
const GAP: f64 = 10.0;
const PANEL: f64 = 170.0;
const BETWEEN: f64 = 45.0;
const FOOT: f64 = 190.0;

/// A number of a measurement, and the scale on which it is drawn.
struct Panel {
    title: &'static str,
    value: fn(&Measurement) -> Option<f64>,
    /// Smaller values are drawn as nothing.
    lowest: f64,
}

const PANELS: [Panel; 3] = [
    Panel { title: "CPU time (s)", value: |one| Some(one.cpu.as_secs_f64()), lowest: 0.001 },
    Panel { title: "solver calls", value: |one| one.calls.map(|calls| calls as f64), lowest: 0.9 },
    Panel { title: "memory (MB)", value: |one| Some(one.memory as f64 / 1e6), lowest: 1.0 },
];

pub(super) fn draw(measurements: &[Measurement]) -> String {
    let mut tasks: Vec<&str> = measurements.iter().map(|one| one.task.as_str()).collect();
    tasks.dedup();
    let group = BAR * WAYS.len() as f64 + GAP;
    let width = LEFT + group * tasks.len() as f64 + 30.0;
    let height = TOP + (PANEL + BETWEEN) * PANELS.len() as f64 + FOOT - BETWEEN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    add_legend(&mut svg);
    for (index, panel) in PANELS.iter().enumerate() {
        let top = TOP + (PANEL + BETWEEN) * index as f64;
        add_panel(&mut svg, panel, top, width, measurements, &tasks);
    }
    let foot = height - FOOT + 12.0;
    for (index, task) in tasks.iter().enumerate() {
        let x = LEFT + group * (index as f64 + 0.5);
        add(
            &mut svg,
            &format!(
                "<text x=\"{x:.1}\" y=\"{foot:.1}\" text-anchor=\"end\" \
                 transform=\"rotate(-60 {x:.1} {foot:.1})\">{}</text>",
                escaped(task)
            ),
        );
    }
    svg + "</svg>\n"
}

fn add_panel(
    svg: &mut String,
    panel: &Panel,
    top: f64,
    width: f64,
    measurements: &[Measurement],
    tasks: &[&str],
) {
    let values = measurements.iter().filter_map(panel.value);
    let highest = values.fold(panel.lowest * 10.0, f64::max);
    let (low, high) = (panel.lowest.log10(), highest.log10());
    let height_of = |value: f64| ((value.log10() - low) / (high - low)).clamp(0.0, 1.0) * PANEL;
    let bottom = top + PANEL;
    add(
        svg,
        &format!(
            "<text x=\"{LEFT}\" y=\"{:.1}\" font-weight=\"bold\">{}</text>",
            top - 6.0,
            panel.title
        ),
    );
    for exponent in low.ceil() as i32..=high.floor() as i32 {
        let y = bottom - height_of(10f64.powi(exponent));
        let label = 10f64.powi(exponent);
        add(
            svg,
            &format!(
                "<line x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#ddd\"/>",
                width - 20.0
            ),
        );
        add(
            svg,
            &format!(
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
                LEFT - 6.0,
                y + 4.0
            ),
        );
    }
    let group = BAR * WAYS.len() as f64 + GAP;
    for one in measurements {
        let position = tasks.iter().position(|task| *task == one.task).unwrap_or_default();
        let way = WAYS.iter().position(|way| *way == one.way).unwrap_or_default();
        let Some(value) = (panel.value)(one).filter(|value| *value > 0.0) else { continue };
        let x = LEFT + group * position as f64 + GAP / 2.0 + BAR * way as f64;
        let height = height_of(value);
        // A run without an answer is drawn pale: its numbers are those of a search that was cut.
        let opacity = if one.is_decided() { 1.0 } else { 0.35 };
        add(
            svg,
            &format!(
                "<rect x=\"{x:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{height:.1}\" fill=\"{}\" \
                 fill-opacity=\"{opacity}\"><title>{}, {}: {value} ({})</title></rect>",
                bottom - height,
                BAR - 1.0,
                COLOURS[way],
                escaped(&one.task),
                one.way,
                escaped(&one.answer),
            ),
        );
    }
}

fn add_legend(svg: &mut String) {
    for (index, way) in WAYS.iter().enumerate() {
        let x = LEFT + 150.0 * index as f64;
        add(
            svg,
            &format!(
                "<rect x=\"{x:.1}\" y=\"10\" width=\"12\" height=\"12\" fill=\"{}\"/>",
                COLOURS[index]
            ),
        );
        add(svg, &format!("<text x=\"{:.1}\" y=\"20\">{way}</text>", x + 18.0));
    }
}

pub(super) fn add(svg: &mut String, element: &str) {
    writeln!(svg, "{element}").expect("strings take all text");
}

pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn every_known_number_is_a_bar() {
        let one = |way, calls| Measurement {
            task: "a<b".to_owned(),
            way,
            expected: true,
            answer: "holds".to_owned(),
            problem: None,
            calls,
            solver_seconds: None,
            cpu: Duration::from_secs(1),
            wall: Duration::from_secs(1),
            memory: 20_000_000,
        };
        let svg = draw(&[one("equality", Some(10)), one("model", None)]);
        // Five bars and a square of the legend for each way on a white ground.
        assert_eq!(svg.matches("<rect").count(), 5 + WAYS.len() + 1, "{svg}");
        assert!(svg.contains("a&lt;b") && !svg.contains("a<b"));
    }
}
