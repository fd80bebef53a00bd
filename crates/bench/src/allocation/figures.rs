//! Two more figures of the thesis: solver calls against time and memory (6.1c), and what part of the time is the
//! solver's (6.2).

use super::measure::{Measurement, WAYS};
use super::plot::{COLOURS, add, escaped};

const SIDE: f64 = 300.0;
const LEFT: f64 = 70.0;
const TOP: f64 = 60.0;

/// Sums of a way over some of its runs.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Sums {
    pub(crate) calls: u64,
    pub(crate) solver_s: f64,
    pub(crate) wall_s: f64,
    pub(crate) cpu_s: f64,
    /// Memory times processor time, the measure of figure 6.1c.
    pub(crate) megabyte_seconds: f64,
}

/// The tasks that every way has decided that decides any, and the sums of each way over them. One whose solver is not there
/// decides none.
pub(crate) fn sums(measurements: &[Measurement]) -> (usize, Vec<(&'static str, Sums)>) {
    let at_work = ways_at_work(measurements);
    let is_common = |task: &str| {
        let mut of_task = measurements.iter().filter(|one| one.task == task);
        let is_decided = |one: &Measurement| one.is_decided() || !at_work.contains(&one.way);
        of_task.clone().count() == WAYS.len() && of_task.all(is_decided)
    };
    let common: Vec<&Measurement> =
        measurements.iter().filter(|one| is_common(&one.task)).collect();
    let of_way = |way| {
        let mut sums = Sums::default();
        for one in common.iter().filter(|one| one.way == way) {
            sums.calls += one.calls.unwrap_or(0);
            sums.solver_s += one.solver_seconds.unwrap_or(0.0);
            sums.wall_s += one.wall.as_secs_f64();
            sums.cpu_s += one.cpu.as_secs_f64();
            sums.megabyte_seconds += megabyte_seconds(one);
        }
        (way, sums)
    };
    (common.len() / WAYS.len(), WAYS.map(of_way).to_vec())
}

/// The ways that decide some task.
pub(crate) fn ways_at_work(measurements: &[Measurement]) -> Vec<&'static str> {
    let decides = |way: &&str| measurements.iter().any(|one| one.way == *way && one.is_decided());
    WAYS.into_iter().filter(decides).collect()
}

fn megabyte_seconds(one: &Measurement) -> f64 {
    one.memory as f64 / 1e6 * one.cpu.as_secs_f64()
}

/// Both figures, one beside the other.
pub(crate) fn draw(measurements: &[Measurement]) -> String {
    let width = LEFT * 2.0 + SIDE * 2.0 + 120.0;
    let height = TOP + SIDE + 60.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for (index, way) in WAYS.iter().enumerate() {
        let x = LEFT + 130.0 * index as f64;
        let colour = COLOURS[index];
        add(&mut svg, &format!("<circle cx=\"{x:.1}\" cy=\"16\" r=\"5\" fill=\"{colour}\"/>"));
        add(&mut svg, &format!("<text x=\"{:.1}\" y=\"20\">{way}</text>", x + 10.0));
    }
    scatter(&mut svg, measurements);
    shares(&mut svg, measurements);
    svg + "</svg>\n"
}

/// A point for each run that asked a solver; both scales are logarithmic.
fn scatter(svg: &mut String, measurements: &[Measurement]) {
    let points: Vec<(&Measurement, f64, f64)> = measurements
        .iter()
        .filter_map(|one| {
            let calls = one.calls.filter(|&calls| calls > 0)?;
            Some((one, calls as f64, megabyte_seconds(one).max(0.01)))
        })
        .collect();
    let most = |value: fn(&(&Measurement, f64, f64)) -> f64, least: f64| {
        points.iter().map(value).fold(least, f64::max).log10().ceil()
    };
    let (right, top) = (most(|it| it.1, 10.0), most(|it| it.2, 1.0));
    let x = |calls: f64| LEFT + calls.log10() / right * SIDE;
    let y = |value: f64| TOP + SIDE - (value.log10() + 2.0) / (top + 2.0) * SIDE;
    frame(svg, LEFT, "solver calls against MB × CPU s, a point a run");
    for power in 0..=right as i32 {
        let at = x(10f64.powi(power));
        label(svg, (at, TOP + SIDE + 16.0), "middle", &format!("{:.0}", 10f64.powi(power)));
    }
    for power in -2..=top as i32 {
        let at = y(10f64.powi(power)) + 4.0;
        label(svg, (LEFT - 6.0, at), "end", &format!("{}", 10f64.powi(power)));
    }
    for (one, calls, value) in points {
        let way = WAYS.iter().position(|way| *way == one.way).unwrap_or_default();
        let opacity = if one.is_decided() { 1.0 } else { 0.35 };
        add(
            svg,
            &format!(
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\" fill=\"{}\" fill-opacity=\"{opacity}\">\
                 <title>{}, {}: {calls} calls, {value:.2} MB s</title></circle>",
                x(calls),
                y(value),
                COLOURS[way],
                escaped(&one.task),
                one.way,
            ),
        );
    }
}

/// A bar for each way: what part of the time on the clock it waits for the solver.
fn shares(svg: &mut String, measurements: &[Measurement]) {
    let left = LEFT + SIDE + 90.0;
    let step = SIDE / WAYS.len() as f64;
    frame(svg, left, "the solver\u{2019}s part of the time, in %");
    for percent in [0, 50, 100] {
        let y = TOP + SIDE * (1.0 - f64::from(percent) / 100.0) + 4.0;
        label(svg, (left - 6.0, y), "end", &percent.to_string());
    }
    for (index, (way, sums)) in sums(measurements).1.into_iter().enumerate() {
        let share = (sums.solver_s / sums.wall_s.max(1e-9)).clamp(0.0, 1.0);
        let x = left + step * index as f64 + step * 0.2;
        let height = share * SIDE;
        let colour = COLOURS[index];
        add(
            svg,
            &format!(
                "<rect x=\"{x:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{height:.1}\" fill=\"{colour}\">\
                 <title>{way}: {:.0} %</title></rect>",
                TOP + SIDE - height,
                step * 0.6,
                share * 100.0,
            ),
        );
        let seconds = format!("{:.1} s", sums.wall_s);
        label(svg, (x + step * 0.3, TOP + SIDE + 16.0), "middle", &seconds);
    }
}

fn frame(svg: &mut String, left: f64, title: &str) {
    let above = TOP - 8.0;
    add(svg, &format!("<text x=\"{left}\" y=\"{above}\" font-weight=\"bold\">{title}</text>"));
    add(
        svg,
        &format!(
            "<path d=\"M{left} {TOP} V{bottom} H{right}\" fill=\"none\" stroke=\"#888\"/>",
            bottom = TOP + SIDE,
            right = left + SIDE
        ),
    );
}

fn label(svg: &mut String, (x, y): (f64, f64), anchor: &str, text: &str) {
    add(svg, &format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>"));
}
