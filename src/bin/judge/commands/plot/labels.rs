//! Places the names of points: beside the point, or above or below it with a connecting line.
//!
//! The algorithm is greedy. Each point in turn gets the first of a list of positions around it
//! whose name and line overlap no mark and no earlier label and stay inside the chart, or else the
//! position with the least overlap. The cost is points x positions x obstacles.

use plotters::style::text_anchor::HPos;

use super::style::{Pixel, SMALL};

/// A rectangle in pixels; `top` is less than `bottom`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rect {
    pub left: i32,
    pub top: i32,
    pub right: i32,
    pub bottom: i32,
}

impl Rect {
    fn area(self) -> i32 {
        (self.right - self.left).max(0) * (self.bottom - self.top).max(0)
    }

    /// The area of the intersection.
    fn overlap(self, other: Rect) -> i32 {
        let intersection = Rect {
            left: self.left.max(other.left),
            top: self.top.max(other.top),
            right: self.right.min(other.right),
            bottom: self.bottom.min(other.bottom),
        };
        intersection.area()
    }
}

/// A point with its name.
#[derive(Debug)]
pub struct NamedPoint<'n> {
    pub at: Pixel,
    /// The upper end of its mark and its interval.
    pub top: i32,
    /// The lower end of its mark and its interval.
    pub bottom: i32,
    pub name: &'n str,
}

/// The position of a name.
pub struct Label {
    /// The middle of the left side.
    at: Pixel,
    /// Whether the right side is fixed, because it is next to the point. The actual width of the
    /// text may differ from [`text_width`].
    is_right_aligned: bool,
    /// The line to the point, unless the name is beside it.
    pub line: Option<[Pixel; 2]>,
}

impl Label {
    /// The fixed side of `name`, and the pixel in the middle of this side.
    pub fn anchor(&self, name: &str) -> (HPos, Pixel) {
        let (x, y) = self.at;
        if self.is_right_aligned {
            (HPos::Right, (x + text_width(name), y))
        } else {
            (HPos::Left, self.at)
        }
    }
}

/// An estimate, nearly an upper bound, of the width of a text in small letters.
///
/// The reader's font is unknown. The font size in the SVG is four fifths of the letters' height.
pub fn text_width(text: &str) -> i32 {
    text.chars().count() as i32 * SMALL * 52 / 100
}

/// The label of each point. `marks` are the rectangles that are drawn already, the marks of the
/// points included; `bounds` is the chart.
pub fn place_labels(points: &[NamedPoint], marks: &[Rect], bounds: Rect) -> Vec<Label> {
    let mut occupied = marks.to_vec();
    let mut labels = Vec::new();
    for point in points {
        let width = text_width(point.name);
        let penalty = |label: &Label| {
            let text = text_rect(label.at, width);
            let outside = text.area() - text.overlap(bounds);
            let overlap =
                |rect: Rect| occupied.iter().map(|&other| rect.overlap(other)).sum::<i32>();
            outside * 4 + overlap(text) + label.line.map_or(0, |line| 20 * overlap(line_rect(line)))
        };
        // Of equal penalties, `min_by_key` returns the first.
        if let Some(label) = label_positions(point, width).into_iter().min_by_key(penalty) {
            occupied.push(text_rect(label.at, width));
            occupied.extend(label.line.map(line_rect));
            labels.push(label);
        }
    }
    labels
}

/// The possible positions of a label of this width, the preferred one first.
fn label_positions(point: &NamedPoint, width: i32) -> Vec<Label> {
    let NamedPoint { at: (x, y), top, bottom, .. } = *point;
    let beside = |left, is_right_aligned| Label { at: (left, y), is_right_aligned, line: None };
    let mut positions = vec![beside(x + 10, false), beside(x - 10 - width, true)];
    for rows in 1..=8 {
        for (left, is_right_aligned) in
            [(x - width / 2, false), (x - 8, false), (x + 8 - width, true)]
        {
            // The line leaves a gap of two pixels to the interval and to the name.
            let distance = rows * (SMALL + 2) - 2;
            let line_end = distance - SMALL / 2 - 2;
            let line = |from: i32, to: i32| Some([(x, from), (x, to)]);
            positions.push(Label {
                at: (left, top - distance),
                is_right_aligned,
                line: line(top - 2, top - line_end),
            });
            positions.push(Label {
                at: (left, bottom + distance),
                is_right_aligned,
                line: line(bottom + 2, bottom + line_end),
            });
        }
    }
    positions
}

/// The rectangle of a vertical line.
fn line_rect([(x, a), (_, b)]: [Pixel; 2]) -> Rect {
    Rect { left: x - 1, top: a.min(b), right: x + 1, bottom: a.max(b) }
}

/// The rectangle of a name with a margin.
fn text_rect((left, middle): Pixel, width: i32) -> Rect {
    let half = SMALL / 2 + 2;
    Rect { left: left - 3, top: middle - half, right: left + width + 3, bottom: middle + half }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cover_neither_marks_nor_each_other() {
        let mut random = fastrand::Rng::with_seed(91);
        let bounds = Rect { left: 0, top: 0, right: 800, bottom: 500 };
        for _ in 0..50 {
            // In eight columns, so that intervals do not overlap and every name fits.
            let points: Vec<NamedPoint> = (0..8)
                .map(|column| {
                    let (x, y) = (50 + column * 95 + random.i32(-30..30), random.i32(120..380));
                    let (top, bottom) = (y - random.i32(6..60), y + random.i32(6..60));
                    NamedPoint { at: (x, y), top, bottom, name: "a name of a bot" }
                })
                .collect();
            let mark = |point: &NamedPoint| {
                let (x, _) = point.at;
                Rect { left: x - 4, top: point.top, right: x + 4, bottom: point.bottom }
            };
            let marks: Vec<Rect> = points.iter().map(mark).collect();
            let labels = place_labels(&points, &marks, bounds);
            assert_eq!(labels.len(), points.len());
            for line in labels.iter().filter_map(|label| label.line) {
                assert!(marks.iter().all(|&mark| line_rect(line).overlap(mark) == 0));
            }
            let width = text_width(points[0].name);
            let names: Vec<Rect> = labels.iter().map(|label| text_rect(label.at, width)).collect();
            for (index, &name) in names.iter().enumerate() {
                assert_eq!(name.overlap(bounds), name.area());
                assert!(marks.iter().all(|&mark| name.overlap(mark) == 0));
                assert!(names[..index].iter().all(|&other| name.overlap(other) == 0), "{points:?}");
            }
        }
    }
}
