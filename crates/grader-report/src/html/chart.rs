//! Draws charts as SVG that is readable without scripts. Colours are place holders: the style of the page replaces them,
//! so that one drawing fits light and dark.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io;

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::super::text::truncate;
use crate::verdict::Verdict;

/// The width in pixels; the page scrolls where it has less.
pub(super) const WIDTH: u32 = 900;
/// The width on a phone.
pub(super) const ON_PHONE: u32 = 340;
/// The height of a row in pixels.
const ROW: u32 = 18;
/// The width of the names in pixels, and in characters.
const NAMES: (u32, usize) = (230, 34);
/// The space above the rows in pixels, for the texts of the marks.
const ABOVE: u32 = 34;
/// The space below the rows in pixels, for the axis.
const BELOW: u32 = 28;
/// The height of a chart of bars in pixels.
const BARS: u32 = 140;
/// The space beside bars, in which half of the outermost labels lies.
const SIDE: i32 = 30;
/// The size of the texts of bars. The library writes it smaller: 12 pixels high.
const BAR_TEXT: u32 = 15;
/// The width of a letter of a label in pixels.
const LETTER: i32 = 8;
/// The most rows: a larger picture is unreadable.
pub(super) const MOST_ROWS: usize = 200;
/// Points nearer to each other than this many pixels are drawn once.
const GRAIN: f64 = 3.0;

/// The place holders of colours.
const INK: RGBColor = RGBColor(1, 1, 1);
const LINE: RGBColor = RGBColor(2, 2, 2);
const ACCEPTED: RGBColor = RGBColor(3, 3, 3);
const MARK: RGBColor = RGBColor(6, 6, 6);

/// A row of points, one for each test.
pub(super) struct Strip<'a> {
    pub(super) name: &'a str,
    /// Values and verdicts.
    pub(super) points: Vec<(f64, Option<Verdict>)>,
}

/// A value to compare with, such as a limit.
#[derive(Debug)]
pub(super) struct ReferenceLine {
    pub(super) value: f64,
    pub(super) text: String,
}

/// Draws rows of points on a logarithmic axis. None without any point.
pub(super) fn strips(
    strips: &[Strip<'_>],
    marks: &[ReferenceLine],
    unit: &dyn Fn(&f64) -> String,
) -> io::Result<Option<String>> {
    let drawn: Vec<&Strip<'_>> = strips.iter().filter(|strip| !strip.points.is_empty()).take(MOST_ROWS).collect();
    let values = drawn.iter().flat_map(|strip| strip.points.iter().map(|(value, _)| *value));
    let positive = values.chain(marks.iter().map(|mark| mark.value)).filter(|value| *value > 0.0);
    let (low, high) = positive.fold((f64::MAX, 0.0_f64), |(low, high), value| (low.min(value), high.max(value)));
    if drawn.is_empty() || high <= 0.0 {
        return Ok(None);
    }
    let low = (low / 1.5).max(high / 1e6);
    let high = high * 1.5;
    let height = ABOVE + ROW * u32::try_from(drawn.len()).unwrap_or(u32::MAX) + BELOW;
    let mut svg = String::new();
    let points = draw(&mut svg, &drawn, marks, (low, high), height, unit)
        .map_err(|error| io::Error::other(error.to_string()))?;
    svg.insert_str(svg.rfind("</svg>").unwrap_or(svg.len()), &points.svg());
    Ok(Some(svg))
}

/// The points of a chart by shape, as paths. The library would draw an element for each: most of a page, and of the time
/// that a browser takes to open it.
#[derive(Default)]
struct Points([String; SHAPES.len()]);

/// The style of a group of points, and the path of a point from its middle. Failures differ by more than colour.
const SHAPES: [(&str, &str); 3] = [
    (r##"stroke="#030303" stroke-width="6" stroke-linecap="round""##, "h0"),
    (r##"fill="#040404""##, "m0,-5l4,8h-8z"),
    (r##"stroke="#050505" stroke-width="2""##, "m-3,-3l6,6m-6,0l6,-6"),
];

impl Points {
    /// Adds a row: the positions of its points in pixels by shape.
    fn add(&mut self, row: &BTreeSet<(usize, (i32, i32))>) {
        for (shape, (group, (_, path))) in self.0.iter_mut().zip(SHAPES).enumerate() {
            let mut points = row.iter().filter(|(of, _)| *of == shape).peekable();
            if points.peek().is_none() {
                continue;
            }
            group.push_str("<path d=\"");
            for (_, (x, y)) in points {
                // Writing to a string cannot fail.
                let _ = write!(group, "M{x},{y}{path}");
            }
            group.push_str("\"/>\n");
        }
    }

    fn svg(&self) -> String {
        let groups = SHAPES.iter().zip(&self.0).map(|((style, _), paths)| format!("<g {style}>\n{paths}</g>\n"));
        groups.collect()
    }
}

fn draw(
    svg: &mut String,
    strips: &[&Strip<'_>],
    marks: &[ReferenceLine],
    (low, high): (f64, f64),
    height: u32,
    unit: &dyn Fn(&f64) -> String,
) -> Result<Points, Box<dyn std::error::Error>> {
    let root = SVGBackend::with_string(svg, (WIDTH, height)).into_drawing_area();
    let mut chart = ChartBuilder::on(&root)
        .margin_left(NAMES.0)
        .margin_right(24)
        .margin_top(ABOVE)
        .x_label_area_size(BELOW)
        .build_cartesian_2d((low..high).log_scale(), 0..u32::try_from(strips.len())? * ROW)?;
    chart
        .configure_mesh()
        .disable_y_mesh()
        .disable_y_axis()
        .x_labels(8)
        .x_label_formatter(unit)
        .axis_style(LINE)
        .bold_line_style(LINE)
        .light_line_style(TRANSPARENT)
        .label_style(("sans-serif", 12, &INK))
        .draw()?;
    let grain = (high / low).ln() * GRAIN / f64::from(WIDTH - NAMES.0 - 24);
    let names = ("sans-serif", 12, &INK).into_text_style(&root).pos(Pos::new(HPos::Right, VPos::Center));
    let mut points = Points::default();
    for (at, strip) in strips.iter().enumerate() {
        let at = i32::try_from(at)?;
        let top = i32::try_from(ABOVE)?;
        let row = i32::try_from(ROW)?;
        let name = truncate(strip.name, NAMES.1);
        root.draw(&Text::new(name, (i32::try_from(NAMES.0)? - 8, top + at * row + row / 2), names.clone()))?;
        let y = u32::try_from(strips.len())? * ROW - u32::try_from(at)? * ROW - ROW / 2;
        let mut seen = BTreeSet::new();
        let mut row = BTreeSet::new();
        for (value, verdict) in &strip.points {
            let value = value.max(low);
            let shape = match verdict {
                Some(Verdict::Accepted) | None => 0,
                Some(Verdict::TimeLimit) => 1,
                Some(_) => 2,
            };
            #[expect(clippy::cast_possible_truncation, reason = "at most some hundred")]
            if seen.insert(((value.ln() / grain).round() as i64, shape)) {
                row.insert((shape, chart.backend_coord(&(value, y))));
            }
        }
        points.add(&row);
    }
    let bottom = u32::try_from(strips.len())? * ROW;
    let mut level = 0;
    let mut last = f64::MIN;
    let mut sorted: Vec<&ReferenceLine> = marks.iter().collect();
    sorted.sort_by(|a, b| a.value.total_cmp(&b.value));
    for mark in sorted {
        let value = mark.value.max(low);
        chart.draw_series([PathElement::new([(value, 0), (value, bottom)], MARK.stroke_width(1))])?;
        // Texts that would touch are written on two levels.
        level = if (value.ln() - last) / grain * GRAIN < 130.0 { 1 - level } else { 0 };
        last = value.ln();
        let (x, _) = chart.backend_coord(&(value, 0));
        let style = ("sans-serif", 12, &MARK).into_text_style(&root).pos(Pos::new(HPos::Center, VPos::Bottom));
        let x = x.clamp(70, i32::try_from(WIDTH)? - 70);
        root.draw(&Text::new(mark.text.clone(), (x, i32::try_from(ABOVE)? - 3 - level * 15), style))?;
    }
    root.present()?;
    drop(chart);
    Ok(points)
}

/// A label below bars: its position, in bars from the left, and the text.
pub(super) type BarLabel = (f64, String);

/// Draws bars with their numbers above, and those labels below that do not touch each other, in at most this many pixels.
pub(super) fn bars(bars: &[usize], labels: &[BarLabel], width: u32) -> io::Result<String> {
    let mut svg = String::new();
    draw_bars(&mut svg, bars, labels, width).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(svg)
}

fn draw_bars(
    svg: &mut String,
    bars: &[usize],
    labels: &[BarLabel],
    most: u32,
) -> Result<(), Box<dyn std::error::Error>> {
    let height = i32::try_from(BARS)?;
    let count = i32::try_from(bars.len().max(1))?;
    let slot = ((i32::try_from(most)? - 2 * SIDE) / count).min(90);
    let width = u32::try_from(2 * SIDE + count * slot)?;
    let root = SVGBackend::with_string(svg, (width, BARS)).into_drawing_area();
    let most = i32::try_from(bars.iter().copied().max().unwrap_or(0).max(1))?;
    let top = 18;
    let bottom = height - 22;
    let style = ("sans-serif", BAR_TEXT, &INK).into_text_style(&root);
    for (at, n) in bars.iter().enumerate() {
        let left = SIDE + i32::try_from(at)? * slot;
        let n = i32::try_from(*n)?;
        let up = bottom - (bottom - top) * n / most;
        root.draw(&Rectangle::new([(left + 2, up), (left + slot - 2, bottom)], ACCEPTED.filled()))?;
        if n > 0 {
            let above = style.pos(Pos::new(HPos::Center, VPos::Bottom));
            root.draw(&Text::new(n.to_string(), (left + slot / 2, up - 3), above))?;
        }
    }
    for (x, label) in apart(labels, slot) {
        let below = style.pos(Pos::new(HPos::Center, VPos::Top));
        root.draw(&Text::new(label.to_owned(), (x, bottom + 5), below))?;
    }
    root.present()?;
    Ok(())
}

/// The labels that do not touch the one before, with the positions of their middles in pixels.
fn apart(labels: &[BarLabel], slot: i32) -> Vec<(i32, &str)> {
    let mut end = i32::MIN;
    let place = |(at, text): &'_ BarLabel| {
        #[expect(clippy::cast_possible_truncation, reason = "within a picture")]
        let x = SIDE + (at * f64::from(slot)).round() as i32;
        (x, i32::try_from(text.chars().count()).unwrap_or(i32::MAX / LETTER) * LETTER)
    };
    let shown = labels.iter().filter_map(|label| {
        let (x, width) = place(label);
        let is_free = x - width / 2 > end;
        if is_free {
            end = x + width / 2 + LETTER;
        }
        is_free.then_some((x, &*label.1))
    });
    shown.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_below_bars_never_touch() {
        for (bars, widest) in [(3_u32, 100_f64), (12, 9e5), (200, 1e6)] {
            let labels: Vec<BarLabel> =
                (0..=bars).map(|at| (f64::from(at), (widest - f64::from(at)).to_string())).collect();
            let slot = ((900 - 2 * SIDE) / i32::try_from(bars).unwrap()).min(90);
            let shown = apart(&labels, slot);
            assert!(shown.len() > 1, "{bars}");
            for pair in shown.windows(2) {
                let half = |text: &str| i32::try_from(text.len()).unwrap() * LETTER / 2;
                assert!(pair[0].0 + half(pair[0].1) < pair[1].0 - half(pair[1].1), "{pair:?}");
            }
        }
    }
}
