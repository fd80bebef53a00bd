//! One invariant in the pictures of several families, side by side.

use crate::svg::escaped;

/// A picture with a title and a line of words.
#[derive(Clone, Debug)]
pub struct Panel {
    pub title: String,
    pub words: String,
    /// An SVG that says its width and height.
    pub picture: String,
}

const MARGIN: f64 = 16.0;
const HEAD: f64 = 44.0;
const LETTER: f64 = 6.4;

/// The panels in two columns, on one ground.
#[must_use]
pub fn side_by_side(panels: &[Panel]) -> String {
    let width =
        |panel: &Panel| size(&panel.picture, "width").max(panel.words.len() as f64 * LETTER);
    let column = |number: usize| {
        panels.iter().skip(number).step_by(2).map(width).fold(0.0, f64::max) + 2.0 * MARGIN
    };
    let (left, right) = (column(0), column(1));
    let mut body = String::new();
    let mut top = 0.0;
    for row in panels.chunks(2) {
        let tallest = row.iter().map(|panel| size(&panel.picture, "height")).fold(0.0, f64::max);
        let height = HEAD + tallest + MARGIN;
        for (panel, (x, width)) in row.iter().zip([(0.0, left), (left, right)]) {
            body += &drawn(panel, (x, top), (width, height));
        }
        top += height;
    }
    let width = left + right;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {top:.0}\" width=\"{width:.0}\" \
         height=\"{top:.0}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{body}</svg>\n"
    )
}

fn drawn(panel: &Panel, (x, y): (f64, f64), (width, height): (f64, f64)) -> String {
    let (title, words) = (escaped(&panel.title), escaped(&panel.words));
    let (at, below) = (x + MARGIN, y + HEAD);
    let picture =
        panel.picture.replacen("<svg ", &format!("<svg x=\"{at:.0}\" y=\"{below:.0}\" "), 1);
    format!(
        "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"6\" fill=\"none\" stroke=\"#bbb\"/>\n\
         <text x=\"{at:.0}\" y=\"{:.0}\" font-weight=\"bold\" font-size=\"14\">{title}</text>\n\
         <text x=\"{at:.0}\" y=\"{:.0}\" fill=\"#444\">{words}</text>\n{picture}",
        x + 4.0,
        y + 4.0,
        width - 8.0,
        height - 8.0,
        y + 24.0,
        y + 40.0,
    )
}

/// A size that a picture's first element has.
fn size(picture: &str, name: &str) -> f64 {
    let rest = picture.split_once(&format!(" {name}=\"")).map_or("", |(_, rest)| rest);
    rest.split('"').next().and_then(|number| number.parse().ok()).unwrap_or(0.0)
}
